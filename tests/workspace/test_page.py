"""The page in a real browser: what it shows."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from slack_bolt import App
from slack_sdk import WebClient

from tests.running_workspace import Connect, WorkspaceHandle, wait_for
from tests.workspace.block_kit import plain
from tests.workspace.browsing import act_as, markdown_file, needs_chromium, write

pytestmark = [pytest.mark.browser, needs_chromium]


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


ANSWER = """## Annual leave
You get **25 days** [1].

- carried over: *5 days*
  - until March

| Years | Days |
|---|---|
| 5 | 28 |

```
days = 25
```
[the form](https://example.org/form) and [a trap](javascript:alert(3))"""


def test_a_newcomer_is_shown_what_to_ask_and_a_click_writes_it(workspace: WorkspaceHandle, page: Page) -> None:
    expect(page.get_by_role("button", name="@footnote how many days of leave do I get?")).to_be_visible()
    workspace.control("settings", {"hints": ["@footnote what is new?"]})
    page.get_by_role("button", name="@footnote what is new?").click()
    page.keyboard.press("Enter")

    wait_for(lambda: workspace.messages("C0GENERAL"))
    assert workspace.messages("C0GENERAL")[0]["text"] == "<@U0FOOTNOTE> what is new?"
    expect(page.locator("#channel-messages .message")).to_contain_text("@footnote what is new?")


def test_the_answer_opens_in_its_thread_after_the_status_line(
    workspace: WorkspaceHandle, client: WebClient, page: Page
) -> None:
    write(page, "@footnote how many days?")
    ts = wait_for(lambda: workspace.messages("C0GENERAL"))[0]["ts"]
    client.assistant_threads_setStatus(channel_id="C0GENERAL", thread_ts=ts, status="is searching…")
    thread = page.get_by_role("complementary", name="Thread")
    expect(thread).to_contain_text("footnote is searching…")
    client.chat_postMessage(channel="C0GENERAL", thread_ts=ts, text="25 days")
    expect(thread).to_contain_text("25 days")
    expect(thread).not_to_contain_text("is searching")
    write(page, "and part time?", box="Reply")

    expect(page.get_by_role("button", name="2 replies")).to_be_visible()
    assert workspace.messages("C0GENERAL", ts)[-1]["plain"] == "and part time?"


def test_blocks_are_drawn_as_slack_draws_them(client: WebClient, page: Page) -> None:
    context = {"type": "context", "elements": [{"type": "mrkdwn", "text": "*Sources* [1] handbook.md"}]}
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": plain("Leave")},
        {"type": "markdown", "text": ANSWER},
        context,
    ]
    client.chat_postMessage(channel="C0GENERAL", text="fallback", blocks=blocks)
    message = page.locator("#channel-messages .message")

    expect(message.get_by_role("heading", name="Annual leave")).to_be_visible()
    expect(message.locator("strong", has_text="25 days")).to_be_visible()
    expect(message.locator("li li")).to_have_text("until March")
    expect(message.get_by_role("cell", name="28")).to_be_visible()
    expect(message.locator("pre")).to_have_text("days = 25")
    expect(message.locator(".context strong")).to_have_text("Sources")
    expect(message.get_by_role("link", name="the form")).to_have_attribute("rel", re.compile("noopener"))
    expect(message).not_to_contain_text("fallback")


def test_nothing_in_a_message_becomes_html_or_script(workspace: WorkspaceHandle, client: WebClient, page: Page) -> None:
    workspace.say("C0GENERAL", "U0BOB", f"typed {HOSTILE} <javascript:alert(4)|x>")
    blocks: list[dict[str, Any]] = [
        {"type": "markdown", "text": f"{ANSWER}\n{HOSTILE}\n# {HOSTILE}\n| {HOSTILE} |\n|---|\n| {HOSTILE} |"},
        {"type": "section", "text": {"type": "mrkdwn", "text": f"*{HOSTILE}* <javascript:alert(5)|trap>"}},
    ]
    client.chat_postMessage(channel="C0GENERAL", text=HOSTILE, blocks=blocks)
    client.chat_postMessage(channel="C0GENERAL", text=f"plain {HOSTILE}")

    expect(page.get_by_text("plain", exact=False).last).to_be_visible()
    expect(page.locator("#channel-messages .message").first).to_contain_text(f"typed {HOSTILE}")
    assert page.locator("img, .messages script, [href^=javascript]").count() == 0


def test_each_person_sees_their_own_places(page: Page) -> None:
    sidebar = page.get_by_role("navigation")
    sidebar.get_by_role("button", name="footnote").click()
    expect(page.get_by_role("heading", name="Ask footnote anything")).to_be_visible()
    act_as(page, "Otto Outsider")

    expect(page.get_by_role("heading", name="# partners")).to_be_visible()
    assert sidebar.locator("[data-channel]").all_inner_texts() == ["#\npartners\nshared"]


def test_a_channel_without_the_bot_says_so(page: Page) -> None:
    page.get_by_role("navigation").get_by_role("button", name="ops").click()

    expect(page.get_by_role("heading", name="footnote is not in this channel")).to_be_visible()


def test_files_are_sent_with_a_message_and_offered_for_download(workspace: WorkspaceHandle, page: Page) -> None:
    page.locator("#channel-composer input[type=file]").set_input_files(markdown_file("notes.md", b"# Notes"))
    write(page, "read this")
    with page.expect_download() as download:
        page.get_by_role("link", name="notes.md").click()

    assert download.value.path().read_bytes() == b"# Notes"
    assert workspace.messages("C0GENERAL")[0]["plain"] == "read this\nnotes.md"


def test_what_others_do_shows_without_reloading(workspace: WorkspaceHandle, client: WebClient, page: Page) -> None:
    ts = client.chat_postMessage(channel="C0GENERAL", text="first version")["ts"]
    messages = page.locator("#channel-messages")
    expect(messages).to_contain_text("first version")
    client.chat_update(channel="C0GENERAL", ts=ts, text="second version")
    expect(messages).to_contain_text("second version")
    client.chat_delete(channel="C0GENERAL", ts=ts)
    expect(messages).not_to_contain_text("version")
    workspace.say("C0GENERAL", "U0BOB", "hello")
    workspace.control("reset", {})

    expect(page.get_by_role("heading", name="Ask in #general")).to_be_visible()


def test_the_page_tells_whether_the_app_is_connected(app: App, connect: Connect, page: Page) -> None:
    expect(page.get_by_text("footnote is not connected yet")).to_be_visible()
    connect(app)

    expect(page.get_by_text("footnote is connected")).to_be_visible()


@pytest.mark.parametrize("width", [400, 800, 1400])
def test_nothing_is_wider_than_the_screen(client: WebClient, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    wide = "| " + " | ".join(["a wide column"] * 12) + " |\n" + "|---" * 12 + "|"
    blocks = [{"type": "markdown", "text": f"{wide}\n\n`{'x' * 400}`\n\n{'y' * 400}\n\n{ANSWER}"}]
    client.chat_postMessage(channel="C0GENERAL", text="x", blocks=blocks)
    expect(page.get_by_role("heading", name="Annual leave")).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#channel-messages").evaluate("node => node.scrollWidth <= node.clientWidth")
