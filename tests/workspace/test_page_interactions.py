"""The page in a real browser: commands, modals and buttons, with a real Bolt app on the other side."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from slack_bolt import Ack, App
from slack_sdk import WebClient

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.block_kit import plain
from tests.workspace.browsing import act_as, markdown_file, needs_chromium, write

pytestmark = [pytest.mark.browser, needs_chromium]


def options(*values: str) -> list[dict[str, Any]]:
    return [{"text": plain(value), "value": value} for value in values]


def field(block_id: str, kind: str, **element: Any) -> dict[str, Any]:
    shown = {"type": kind, "action_id": "a", **element}
    return {"type": "input", "block_id": block_id, "label": plain(block_id), "element": shown, "optional": True}


MODAL = {
    "type": "modal",
    "callback_id": "upload",
    "title": plain("Add documents"),
    "submit": plain("Add"),
    "blocks": [
        field("Files", "file_input"),
        field("Title", "plain_text_input"),
        field("Reader", "static_select", options=options("all", "us")),
        field("Teams", "multi_static_select", options=options("hr", "it", "ops")),
        field("Date", "datepicker"),
        field("Flags", "checkboxes", options=options("replace")),
    ],
}


def test_an_ephemeral_answer_is_marked_and_seen_by_one_person(app: App, connect: Connect, page: Page) -> None:
    app.command("/kb")(lambda ack: ack("Only admins may do that."))
    connect(app)
    write(page, "/kb upload")
    message = page.locator("#channel-messages .ephemeral")

    expect(message).to_contain_text("Only visible to you")
    expect(message).to_contain_text("Only admins may do that.")
    act_as(page, "Bob Bernard")
    expect(message).to_have_count(0)


def test_a_command_nobody_answers_says_so_and_keeps_the_text(page: Page) -> None:
    write(page, "/kb upload")

    expect(page.get_by_role("alert").last).to_contain_text("/kb failed")
    expect(page.get_by_role("textbox", name="Message", exact=True)).to_have_value("/kb upload")


def test_a_command_in_a_thread_is_refused_as_slack_does(workspace: WorkspaceHandle, page: Page) -> None:
    ts = workspace.say("C0GENERAL", "U0BOB", "question")
    workspace.say("C0GENERAL", "U0BOB", "answer", thread_ts=ts)
    page.get_by_role("button", name="1 reply").click()
    write(page, "/kb list", box="Reply")

    expect(page.get_by_role("alert").last).to_contain_text("not supported in threads")


def test_a_modal_is_filled_in_refused_mended_and_sent(app: App, connect: Connect, page: Page) -> None:
    submitted: list[dict[str, Any]] = []

    @app.command("/kb")
    def kb(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    @app.view("upload")
    def upload(ack: Ack, view: dict[str, Any]) -> None:
        submitted.append(view["state"]["values"])
        if view["state"]["values"]["Title"]["a"]["value"]:
            ack()
        else:
            ack(response_action="errors", errors={"Title": "Give it a title.", "Files": "Too small."})

    connect(app)
    act_as(page, "Ada Admin")
    write(page, "/kb upload")
    modal = page.get_by_role("dialog", name="Add documents")
    modal.get_by_label("Files").set_input_files([markdown_file("a.md", b"# A"), markdown_file("b.md", b"# B")])
    modal.get_by_label("Reader").select_option("us")
    modal.get_by_role("group", name="Teams").get_by_label("hr").check()
    modal.get_by_role("group", name="Teams").get_by_label("ops").check()
    modal.get_by_label("Date").fill("2026-01-31")
    modal.get_by_label("replace").check()
    modal.get_by_role("button", name="Add").click()
    expect(modal.get_by_text("Give it a title.")).to_be_visible()
    expect(modal.get_by_text("Too small.")).to_be_visible()
    modal.get_by_label("Title").fill("Handbook")
    modal.get_by_role("button", name="Add").click()
    expect(modal).to_have_count(0)
    values = submitted[1]

    assert [file["name"] for file in values["Files"]["a"]["files"]] == ["a.md", "b.md"]
    assert values["Title"]["a"]["value"] == "Handbook"
    assert values["Reader"]["a"]["selected_option"]["value"] == "us"
    assert [o["value"] for o in values["Teams"]["a"]["selected_options"]] == ["hr", "ops"]
    assert values["Date"]["a"]["selected_date"] == "2026-01-31"
    assert [o["value"] for o in values["Flags"]["a"]["selected_options"]] == ["replace"]


def test_that_a_modal_got_no_answer_is_told_above_it(app: App, connect: Connect, page: Page) -> None:
    @app.command("/kb")
    def kb(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    @app.view("upload")
    def upload() -> None:
        """Says nothing."""

    connect(app)
    write(page, "/kb upload")
    modal = page.get_by_role("dialog", name="Add documents")
    modal.get_by_label("Title").fill("Handbook")
    modal.get_by_label("Files").set_input_files([markdown_file("a.md", b"# A")])
    modal.get_by_role("button", name="Add").click()
    told = page.locator("#toast")
    expect(told).to_contain_text("did not answer in time")

    assert told.evaluate(
        """told => { const box = told.getBoundingClientRect();
        return told === document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); }"""
    )


def test_a_modal_can_be_given_up(workspace: WorkspaceHandle, app: App, connect: Connect, page: Page) -> None:
    @app.command("/kb")
    def kb(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    connect(app)
    write(page, "/kb upload")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    wait_for(lambda: workspace.control("state")["views"] == [])


def test_a_button_reaches_the_app(client: WebClient, app: App, connect: Connect, page: Page) -> None:
    pressed: list[str] = []

    @app.action(re.compile("show|rate"))
    def on_action(ack: Ack, action: dict[str, Any]) -> None:
        ack()
        pressed.append(action["value"])

    connect(app)
    good, bad = ({"text": plain(text), "value": text} for text in ("Good", "Bad"))
    button = {"type": "button", "action_id": "show", "text": plain("Show passages"), "value": "p1"}
    rating = {"type": "feedback_buttons", "action_id": "rate", "positive_button": good, "negative_button": bad}
    blocks = [
        {"type": "actions", "elements": [button]},
        {"type": "context_actions", "elements": [rating]},
    ]
    client.chat_postMessage(channel="C0GENERAL", text="x", blocks=blocks)
    page.get_by_role("button", name="Show passages").click()
    wait_for(lambda: pressed == ["p1"])
    page.get_by_role("button", name="Bad").click()

    wait_for(lambda: pressed == ["p1", "Bad"])
