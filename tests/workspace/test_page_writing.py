"""The page in a real browser: completing, editing, deleting, reacting, and what is unread."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from slack_bolt import App
from slack_sdk import WebClient

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.block_kit import NOTE, modal
from tests.workspace.browsing import act, act_as, drop, needs_chromium, open_channel, write

pytestmark = [pytest.mark.browser, needs_chromium]


def texts(workspace: WorkspaceHandle, channel: str = "C0GENERAL") -> list[str]:
    return [message["text"] for message in workspace.messages(channel)]


def test_a_name_is_completed_with_the_keyboard(workspace: WorkspaceHandle, page: Page) -> None:
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.press_sequentially("hello @b")
    suggestions = page.get_by_role("listbox", name="Suggestions").get_by_role("option")
    expect(suggestions).to_have_text([re.compile("bob")])
    box.press("Enter")
    expect(box).to_have_value("hello @bob ")
    box.press_sequentially("and @")
    expect(suggestions.first).to_have_text(re.compile("footnote"))
    box.press("ArrowDown")
    box.press("Tab")
    box.press_sequentially("in #h")
    box.press("Tab")
    box.press("Enter")

    wait_for(lambda: texts(workspace) == ["hello <@U0BOB> and <@U0ADMIN> in <#C0HR|hr>"])


def test_suggestions_go_with_escape_and_enter_sends_then(workspace: WorkspaceHandle, page: Page) -> None:
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.press_sequentially("ask @adm")
    expect(page.get_by_role("listbox", name="Suggestions")).to_contain_text("user group")
    box.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    box.press("Enter")

    wait_for(lambda: texts(workspace) == ["ask @adm"])


def test_enter_sends_when_the_caret_has_left_the_name(workspace: WorkspaceHandle, page: Page) -> None:
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.press_sequentially("hi @bo")
    expect(page.get_by_role("listbox", name="Suggestions")).to_be_visible()
    box.press("Home")
    box.press("Enter")

    expect(page.locator(".message", has_text="hi @bo").first).to_be_visible()
    expect(box).to_have_value("")


def test_a_suggestion_is_taken_by_a_click(page: Page) -> None:
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.press_sequentially("@")
    page.get_by_role("listbox", name="Suggestions").get_by_role("option", name="bob").click()

    expect(box).to_have_value("@bob ")
    expect(box).to_be_focused()


def test_ones_own_message_is_edited_in_its_place(workspace: WorkspaceHandle, page: Page) -> None:
    write(page, "hello @bob & all")
    act(page, "hello", "Edit message")
    box = page.get_by_role("textbox", name="Edit message")
    expect(box).to_have_value("hello @bob & all")
    box.fill("goodbye @bob")
    box.press("Enter")
    message = page.locator("#channel-messages .message")

    expect(message).to_contain_text("goodbye @bob")
    expect(message).to_contain_text("(edited)")
    assert texts(workspace) == ["goodbye <@U0BOB>"]


def test_arrow_up_edits_the_last_message_and_escape_leaves_it(workspace: WorkspaceHandle, page: Page) -> None:
    write(page, "one")
    expect(page.locator("#channel-messages .message")).to_have_count(1)
    page.get_by_role("textbox", name="Message", exact=True).press("ArrowUp")
    box = page.get_by_role("textbox", name="Edit message")
    expect(box).to_be_focused()
    box.fill("two")
    box.press("Escape")

    expect(box).to_have_count(0)
    assert texts(workspace) == ["one"]


def test_deleting_asks_first(workspace: WorkspaceHandle, page: Page) -> None:
    write(page, "oops")
    act(page, "oops", "Delete message")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.locator("#channel-messages .message")).to_have_count(1)
    act(page, "oops", "Delete message")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()

    expect(page.locator("#channel-messages .message")).to_have_count(0)
    assert texts(workspace) == []


def test_others_messages_cannot_be_changed(workspace: WorkspaceHandle, page: Page) -> None:
    workspace.say("C0GENERAL", "U0BOB", "mine")
    message = page.locator("#channel-messages .message")
    message.hover()
    message.get_by_role("button", name="More actions").click()

    assert page.get_by_role("menuitem").all_inner_texts() == ["Copy link"]


def test_a_reaction_is_given_joined_and_taken_back(workspace: WorkspaceHandle, page: Page) -> None:
    ts = workspace.say("C0GENERAL", "U0BOB", "done!")
    message = page.locator("#channel-messages .message")
    message.hover()
    message.get_by_role("button", name="Add reaction", exact=True).click()
    page.get_by_role("menuitem", name="tada").click()
    chip = message.get_by_role("button", name="tada, 1: alice")
    expect(chip).to_have_attribute("aria-pressed", "true")
    workspace.control("reactions", {"channel": "C0GENERAL", "user": "U0BOB", "ts": ts, "name": "tada"})
    expect(message.get_by_role("button", name="tada, 2: alice, bob")).to_be_visible()
    message.get_by_role("button", name="tada, 2").click()

    expect(message.get_by_role("button", name="tada, 1: bob")).to_have_attribute("aria-pressed", "false")


def test_a_shortcut_of_the_app_is_chosen_from_a_messages_menu(
    workspace: WorkspaceHandle, client: WebClient, app: App, connect: Connect, page: Page
) -> None:
    workspace.control("settings", {"shortcuts": {"ask_about": "Ask about this"}})

    @app.shortcut("ask_about")
    def ask_about(ack: Any, shortcut: dict[str, Any]) -> None:
        ack()
        view = modal(NOTE, title={"type": "plain_text", "text": shortcut["message"]["text"]})
        client.views_open(trigger_id=shortcut["trigger_id"], view=view)

    app.event("message")(lambda: None)
    connect(app)
    workspace.say("C0GENERAL", "U0BOB", "what does this mean?")
    act(page, "what does", "Ask about this (footnote)")

    expect(page.get_by_role("dialog", name="what does this mean?")).to_be_visible()


def test_what_is_unread_is_marked_until_it_is_opened(workspace: WorkspaceHandle, page: Page) -> None:
    open_channel(page, "hr")
    open_channel(page, "general")
    expect(page.get_by_role("button", name="hr unread")).to_have_count(0)
    seen = workspace.say("C0HR", "U0ALICE", "my own is not new to me")
    entry = page.get_by_role("button", name="hr unread")
    workspace.say("C0HR", "U0BOB", "but this is")
    expect(entry).to_be_visible()
    expect(page).to_have_title("(1) Local workspace")
    page.reload()
    expect(entry).to_be_visible()
    entry.click()

    expect(entry).to_have_count(0)
    expect(page).to_have_title("Local workspace")
    assert seen


def test_a_line_stands_above_what_is_new(workspace: WorkspaceHandle, page: Page) -> None:
    workspace.say("C0HR", "U0BOB", "old")
    open_channel(page, "hr")
    expect(page.locator("#channel-messages .message")).to_have_count(1)
    open_channel(page, "general")
    workspace.say("C0HR", "U0BOB", "new one")
    page.get_by_role("button", name="hr unread").click()
    lines = page.locator("#channel-messages > *")

    expect(lines).to_have_count(4)
    expect(lines.nth(2)).to_have_text("New")
    expect(lines.nth(3)).to_contain_text("new one")


def test_new_replies_are_marked_at_their_thread(workspace: WorkspaceHandle, client: WebClient, page: Page) -> None:
    ts = workspace.say("C0GENERAL", "U0ALICE", "question")
    client.chat_postMessage(channel="C0GENERAL", thread_ts=ts, text="answer")
    page.get_by_role("button", name="1 reply new").click()
    expect(page.get_by_role("complementary", name="Thread")).to_contain_text("answer")

    expect(page.get_by_role("button", name="1 reply", exact=True)).to_be_visible()


def test_each_person_has_read_for_themselves(workspace: WorkspaceHandle, page: Page) -> None:
    write(page, "from alice")
    wait_for(lambda: texts(workspace))
    open_channel(page, "hr")
    act_as(page, "Bob Bernard")

    expect(page.get_by_role("button", name="general unread")).to_be_visible()


def test_a_draft_stays_with_its_channel(page: Page) -> None:
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.fill("half a thought")
    open_channel(page, "hr")
    expect(box).to_have_value("")
    open_channel(page, "general")

    expect(box).to_have_value("half a thought")


def test_files_dropped_onto_the_conversation_are_attached(workspace: WorkspaceHandle, page: Page) -> None:
    drop(page, page.get_by_role("main"), {"a.md": b"# A", "b.md": b"# B"})
    page.get_by_role("button", name="Remove a.md").click()
    write(page, "read this")
    wait_for(lambda: texts(workspace))

    assert [file["name"] for file in workspace.messages("C0GENERAL")[0]["files"]] == ["b.md"]


def test_an_ephemeral_message_can_be_dismissed(workspace: WorkspaceHandle, client: WebClient, page: Page) -> None:
    client.chat_postEphemeral(channel="C0GENERAL", user="U0ALICE", text="between us")
    page.locator(".ephemeral").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".ephemeral")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Ask in #general")).to_be_visible()

    assert len(workspace.messages("C0GENERAL")) == 1
