"""The page in a real browser: usable by keyboard and screen reader, in both themes, on narrow screens."""

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it carries no types
from playwright.sync_api import Page, expect
from slack_bolt import Ack, App
from slack_sdk import WebClient

from tests.running_workspace import Connect, WorkspaceHandle
from tests.workspace.block_kit import BUTTONS, FILES, NOTE, WHO, input_block, modal, option, plain
from tests.workspace.browsing import needs_chromium, open_channel, write

pytestmark = [pytest.mark.browser, needs_chromium]

Theme = Literal["light", "dark"]

MARKDOWN = "## Leave\n\n- **25** days\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\n```\n[link](https://example.org)"
BLOCKS: list[dict[str, Any]] = [
    {"type": "markdown", "text": MARKDOWN},
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "*Sources* [1] handbook.md"}]},
    {"type": "image", "image_url": "https://example.org/x.png", "alt_text": "A chart"},
    {
        "type": "section",
        "text": plain("x"),
        "accessory": {"type": "overflow", "action_id": "o", "options": [option("x")]},
    },
    *BUTTONS,
]
CHOICES = [option("x"), option("y")]
VIEW = modal(
    *(FILES, NOTE, WHO),
    input_block("ticks", {"type": "checkboxes", "options": CHOICES}),
    input_block("one", {"type": "radio_buttons", "options": CHOICES}),
    input_block("many", {"type": "multi_static_select", "options": CHOICES}),
    input_block("day", {"type": "datepicker"}),
)


def serious_faults(page: Page) -> list[str]:
    """What axe-core calls serious or critical, each with the place it found it."""
    found_by_axe = Axe().run(page).response
    assert found_by_axe["passes"]
    violations = found_by_axe["violations"]
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in violations
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]


@pytest.fixture
def furnished(workspace: WorkspaceHandle, client: WebClient, app: App, connect: Connect) -> str:
    """A workspace with something of everything in it; the timestamp of a thread."""

    @app.command("/kb")
    def kb(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=VIEW)

    errors = {"note": "Too short.", "one": "Choose one.", "files": "Too large."}
    app.view("upload")(lambda ack: ack(response_action="errors", errors=errors))
    for kind in ("message", "app_home_opened", "reaction_added"):
        app.event(kind)(lambda: None)
    connect(app)
    ts = workspace.say("C0GENERAL", "U0BOB", "question for @alice `code`")
    workspace.control("reactions", {"channel": "C0GENERAL", "user": "U0BOB", "ts": ts, "name": "tada"})
    workspace.control("reactions", {"channel": "C0GENERAL", "user": "U0ALICE", "ts": ts, "name": "eyes"})
    workspace.control("messages", {"channel": "C0GENERAL", "user": "U0BOB", "text": "x"}, files={"a.md": b"A"})
    client.chat_postMessage(channel="C0GENERAL", thread_ts=ts, text="x", blocks=BLOCKS)
    client.chat_postEphemeral(channel="C0GENERAL", user="U0ALICE", text="between us")
    workspace.say("C0HR", "U0BOB", "unread")
    client.assistant_threads_setStatus(channel_id="C0GENERAL", thread_ts=ts, status="is searching…")
    return ts


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1440])
def test_axe_finds_no_serious_fault(furnished: str, page: Page, theme: Theme, width: int) -> None:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    expect(page.locator("#channel-messages .ephemeral")).to_be_visible()
    page.get_by_role("textbox", name="Message", exact=True).press_sequentially("@")
    faults = serious_faults(page)
    page.keyboard.press("Escape")
    message = page.locator("#channel-messages .message").first
    message.hover()
    message.get_by_role("button", name="More actions").click()
    faults += serious_faults(page)
    page.keyboard.press("Escape")
    message.get_by_role("button", name="1 reply").click()
    expect(page.get_by_role("complementary", name="Thread")).to_be_visible()

    assert faults + serious_faults(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault_in_modals_traffic_and_home(furnished: str, page: Page, theme: Theme) -> None:
    page.emulate_media(color_scheme=theme)
    write(page, "/kb")
    view = page.get_by_role("dialog", name="Upload")
    view.get_by_label("files").set_input_files({"name": "a.md", "mimeType": "text/markdown", "buffer": b"A"})
    for group in ("ticks", "one", "many"):
        view.locator(f"#input-{group}").check()
    view.get_by_label("day").fill("2026-01-31")
    view.get_by_role("button", name="Send").click()
    expect(view.get_by_text("Too short.")).to_be_visible()
    faults = serious_faults(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Traffic").click()
    page.locator(".traffic-row").last.click()
    expect(page.locator(".traffic-details:visible")).to_be_visible()
    faults += serious_faults(page)
    open_channel(page, "footnote")
    page.get_by_role("tab", name="Home").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("no Home tab yet")

    assert faults + serious_faults(page) == []


def luminance(page: Page) -> float:
    """How bright the page's ground is, from 0 to 255."""
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    red, green, blue = (int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_theme_is_the_systems(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    light = luminance(page)
    page.emulate_media(color_scheme="dark")

    assert (light > 200, luminance(page) < 50) == (True, True)


def test_on_a_narrow_screen_channels_come_in_from_the_side(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    sidebar = page.get_by_role("navigation")
    expect(sidebar).to_be_hidden()
    page.get_by_role("button", name="Channels and people").click()
    expect(page.get_by_label("You act as")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sidebar).to_be_hidden()
    page.get_by_role("button", name="Channels and people").click()
    sidebar.get_by_role("button", name="hr").click()

    expect(page.get_by_role("heading", name="# hr")).to_be_visible()
    expect(sidebar).to_be_hidden()


@pytest.mark.parametrize("width", [400, 900, 1440])
def test_everything_fits_the_screen(furnished: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("button", name="1 reply").click()
    expect(page.get_by_role("complementary", name="Thread")).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#thread-messages").evaluate("node => node.scrollWidth <= node.clientWidth")


def test_messages_are_walked_and_acted_on_with_the_keyboard(workspace: WorkspaceHandle, page: Page) -> None:
    for text in ("one", "two"):
        workspace.say("C0GENERAL", "U0ALICE", text)
    expect(page.locator("#channel-messages .message")).to_have_count(2)
    page.locator("#channel-messages").focus()
    for key in ("ArrowUp", "ArrowUp", "Tab", "Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="thumbs down, 1: alice")).to_be_visible()

    assert [m["plain"] for m in workspace.messages("C0GENERAL") if m.get("reactions")] == ["one"]


def test_escape_closes_the_thread_and_gives_the_focus_back(furnished: str, page: Page) -> None:
    page.get_by_role("button", name="1 reply").click()
    page.get_by_role("textbox", name="Reply", exact=True).focus()
    page.keyboard.press("Escape")

    expect(page.get_by_role("complementary", name="Thread")).to_be_hidden()
    expect(page.get_by_role("button", name="1 reply")).to_be_focused()


def test_channels_are_stepped_through_with_alt_and_the_arrows(page: Page) -> None:
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_role("heading", name="# hr")).to_be_visible()
    page.keyboard.press("Alt+ArrowUp")

    expect(page.get_by_role("heading", name="# general")).to_be_visible()


def test_new_messages_are_announced_without_the_old_ones(workspace: WorkspaceHandle, page: Page) -> None:
    workspace.say("C0GENERAL", "U0BOB", "first")
    expect(page.locator("#channel-messages .message")).to_have_count(1)
    page.evaluate(
        """() => {
            window.added = [];
            new MutationObserver((changes) => changes.forEach((change) => window.added.push(...change.addedNodes)))
                .observe(document.getElementById("channel-messages"), { childList: true });
        }"""
    )
    workspace.say("C0GENERAL", "U0BOB", "second")
    expect(page.locator("#channel-messages .message")).to_have_count(2)

    assert page.evaluate("window.added.map((node) => node.textContent.includes('second'))") == [True]
    assert page.locator("#channel-messages").get_attribute("aria-live") == "polite"


def test_nothing_jumps_when_the_thread_or_traffic_opens(furnished: str, page: Page) -> None:
    for n in range(30):
        page.get_by_role("textbox", name="Message", exact=True).fill(f"line {n}")
        page.keyboard.press("Enter")
    last = page.locator("#channel-messages .message", has_text="line 29")
    expect(last).to_be_in_viewport()
    page.get_by_role("button", name="Traffic").click()

    expect(last).to_be_in_viewport()


def test_a_permalink_opens_the_message_in_its_thread(furnished: str, client: WebClient, page: Page) -> None:
    reply = client.conversations_replies(channel="C0GENERAL", ts=furnished)["messages"][1]["ts"]
    open_channel(page, "hr")
    page.goto(client.chat_getPermalink(channel="C0GENERAL", message_ts=reply)["permalink"])

    expect(page.get_by_role("complementary", name="Thread")).to_contain_text("25 days")
    expect(page.locator(f"[id='t-{reply}']")).to_have_class("message pointed-out")
