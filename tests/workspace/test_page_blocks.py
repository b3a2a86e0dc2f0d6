"""The page in a real browser: blocks as Slack draws them, and what can be operated in them."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from slack_bolt import Ack, App
from slack_sdk import WebClient

from tests.running_workspace import Connect, wait_for
from tests.workspace.block_kit import BUTTONS, option, plain
from tests.workspace.browsing import act_as, needs_chromium

pytestmark = [pytest.mark.browser, needs_chromium]

Json = dict[str, Any]


def text(content: str, **style: bool) -> Json:
    return {"type": "text", "text": content, **({"style": style} if style else {})}


RICH: Json = {
    "type": "rich_text",
    "elements": [
        {
            "type": "rich_text_section",
            "elements": [
                text("bold", bold=True),
                text("both", bold=True, italic=True),
                {"type": "user", "user_id": "U0ALICE"},
                {"type": "usergroup", "usergroup_id": "S0ADMINS"},
                {"type": "channel", "channel_id": "C0HR"},
                {"type": "broadcast", "range": "here"},
                {"type": "link", "url": "https://example.org", "text": "a link"},
            ],
        },
        {
            "type": "rich_text_list",
            "style": "ordered",
            "elements": [{"type": "rich_text_section", "elements": [text("first")]}],
        },
        {"type": "rich_text_quote", "elements": [text("quoted")]},
        {"type": "rich_text_preformatted", "elements": [text("x = 1")]},
    ],
}


def post(client: WebClient, *blocks: Json) -> None:
    client.chat_postMessage(channel="C0GENERAL", text="fallback", blocks=list(blocks))


def test_rich_text_is_drawn_with_its_styles_and_names(client: WebClient, page: Page) -> None:
    post(client, RICH)
    message = page.locator("#channel-messages .message")

    expect(message.locator("strong", has_text="bold")).to_be_visible()
    expect(message.locator("strong", has_text="both")).to_be_visible()
    for name in ("@alice", "@admins", "#hr", "@here"):
        expect(message.locator(".mention", has_text=name)).to_be_visible()
    expect(message.get_by_role("link", name="a link")).to_have_attribute("href", "https://example.org")
    expect(message.locator("ol li")).to_have_text("first")
    expect(message.locator("blockquote")).to_have_text("quoted")
    expect(message.locator("pre")).to_have_text("x = 1")


def test_sections_images_tables_and_context_are_drawn(client: WebClient, page: Page) -> None:
    image = {
        "type": "image",
        "image_url": "https://example.org/x.png",
        "alt_text": "A rising line",
        "title": plain("Use"),
    }
    rows = [[{"type": "raw_text", "text": cell} for cell in row] for row in (("Year", "Days"), ("5", "28"))]
    post(
        client,
        {"type": "header", "text": plain("Report")},
        {"type": "section", "fields": [plain("left"), plain("right")], "accessory": image | {"title": plain("x")}},
        {"type": "divider"},
        image,
        {"type": "table", "rows": rows},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "*Sources*"}, plain("page 3")]},
    )
    message = page.locator("#channel-messages .message")

    expect(message.get_by_role("heading", name="Report")).to_be_visible()
    expect(message.locator(".fields > div")).to_have_text(["left", "right"])
    expect(message.get_by_role("figure").last).to_contain_text("A rising lineUse")
    expect(message.get_by_role("columnheader", name="Days")).to_be_visible()
    expect(message.get_by_role("cell", name="28")).to_be_visible()
    expect(message.locator(".context")).to_have_text("Sourcespage 3")
    expect(message.get_by_role("separator")).to_be_visible()
    assert page.locator("img").count() == 0


@pytest.fixture
def operated(app: App, connect: Connect) -> list[Json]:
    """The actions that reached the app."""
    actions: list[Json] = []

    def take(ack: Ack, action: Json) -> None:
        ack()
        actions.append(action)

    for action_id in ("show", "rate", "delete", "more", "pick", "day"):
        app.action(action_id)(take)
    connect(app)
    return actions


def test_feedback_stays_pressed_and_can_be_changed(client: WebClient, operated: list[Json], page: Page) -> None:
    post(client, BUTTONS[1])
    good, bad = (page.get_by_role("button", name=name, exact=True) for name in ("Good", "Bad"))
    good.click()
    expect(good).to_have_attribute("aria-pressed", "true")
    bad.click()
    wait_for(lambda: len(operated) == 2)

    expect(good).to_have_attribute("aria-pressed", "false")
    assert [action["value"] for action in operated] == ["good", "bad"]


def test_an_icon_button_is_for_those_it_names_and_asks_before_it_acts(
    client: WebClient, operated: list[Json], page: Page
) -> None:
    confirm = {"title": plain("Sure?"), "text": plain("It is gone then."), "confirm": plain("Yes"), "deny": plain("No")}
    element = {"type": "icon_button", "icon": "trash", "action_id": "delete", "text": plain("Delete"), "value": "d1"}
    post(
        client,
        {"type": "context_actions", "elements": [element | {"confirm": confirm, "visible_to_user_ids": ["U0ALICE"]}]},
    )
    button = page.get_by_role("button", name="Delete")
    for answer in ("No", "Yes"):
        button.click()
        page.get_by_role("dialog", name="Sure?").get_by_role("button", name=answer).click()
    wait_for(lambda: operated)
    act_as(page, "Bob Bernard")

    expect(button).to_have_count(0)
    assert [action["value"] for action in operated] == ["d1"]


def test_menus_and_dates_tell_what_was_chosen(client: WebClient, operated: list[Json], page: Page) -> None:
    overflow = {"type": "overflow", "action_id": "more", "options": [option("archive"), option("share")]}
    post(
        client,
        {"type": "section", "text": plain("x"), "accessory": overflow},
        {"type": "actions", "elements": [BUTTONS[0]["elements"][1], {"type": "datepicker", "action_id": "day"}]},
    )
    message = page.locator("#channel-messages .message")
    message.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Share").click()
    wait_for(lambda: len(operated) == 1)
    message.locator("select").select_option("y")
    wait_for(lambda: len(operated) == 2)
    message.locator("input[type=date]").fill("2026-01-31")
    wait_for(lambda: len(operated) == 3)

    assert operated[0]["selected_option"]["value"] == "share"
    assert operated[1]["selected_option"]["value"] == "y"
    assert operated[2]["selected_date"] == "2026-01-31"


def test_a_section_button_can_be_pressed_again(client: WebClient, operated: list[Json], page: Page) -> None:
    post(client, BUTTONS[0])
    button = page.get_by_role("button", name="Show")
    for count in (1, 2):
        button.click()
        wait_for(lambda: len(operated) == count)  # noqa: B023  # looked at within the turn

    expect(button).to_be_focused()
