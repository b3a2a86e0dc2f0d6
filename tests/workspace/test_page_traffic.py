"""The page in a real browser: the traffic pane, and how it comes back after its stream is lost."""

import re

import pytest
from playwright.sync_api import Page, expect
from slack_bolt import App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import Connect, WorkspaceHandle
from tests.workspace.browsing import needs_chromium, write

pytestmark = [pytest.mark.browser, needs_chromium]


@pytest.fixture
def answering(app: App, client: WebClient, connect: Connect) -> App:
    """An app that answers in the thread."""

    @app.event("message")
    def answer(event: dict[str, str]) -> None:
        client.chat_postMessage(channel=event["channel"], thread_ts=event["ts"], text="25 days")

    connect(app)
    return app


def test_traffic_shows_envelopes_with_acks_and_calls_with_answers(
    answering: App, client: WebClient, page: Page
) -> None:
    page.get_by_role("button", name="Traffic").click()
    pane = page.get_by_role("region", name="Traffic")
    expect(pane.get_by_role("searchbox")).to_be_focused()
    write(page, "how many days?")
    envelope = pane.get_by_role("button", name=re.compile("message.*how many days"))
    expect(envelope).to_contain_text(re.compile(r"acknowledged\s*\d+ ms"))
    envelope.click()
    expect(pane.get_by_role("heading", name="Ack")).to_be_visible()
    expect(pane).to_contain_text('envelope_id: "')
    pane.get_by_text("payload: {").click()
    expect(pane).to_contain_text('type: "event_callback"')
    with pytest.raises(SlackApiError):
        client.chat_postMessage(channel="C0NOWHERE", text="lost")

    expect(pane.get_by_role("button", name=re.compile("chat.postMessage.*channel_not_found"))).to_be_visible()


def test_traffic_is_filtered_by_text_and_by_kind(client: WebClient, page: Page) -> None:
    client.auth_test()
    client.chat_postMessage(channel="C0GENERAL", text="hello")
    page.get_by_role("button", name="Traffic").click()
    pane = page.get_by_role("region", name="Traffic")
    rows = pane.locator(".traffic-row")
    expect(rows).to_have_count(2)
    pane.get_by_role("searchbox").fill("HELLO")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("chat.postMessage")
    expect(pane).to_contain_text("1 of 2")
    pane.get_by_role("searchbox").fill("")
    pane.get_by_label("Kind of traffic").select_option("envelope")
    expect(rows).to_have_count(0)
    pane.get_by_role("searchbox").press("Escape")

    expect(pane).to_have_count(0)
    expect(page.get_by_role("button", name="Traffic")).to_be_focused()


def test_traffic_shows_the_last_ones_only(client: WebClient, page: Page) -> None:
    page.get_by_role("button", name="Traffic").click()
    for _ in range(205):
        client.auth_test()
    pane = page.get_by_role("region", name="Traffic")

    expect(pane).to_contain_text("last 200 of 205")
    expect(pane.locator(".traffic-row")).to_have_count(200)


def test_after_its_stream_is_lost_the_page_comes_back_with_what_it_missed(
    workspace: WorkspaceHandle, page: Page
) -> None:
    box = page.get_by_role("textbox", name="Message", exact=True)
    workspace.say("C0GENERAL", "U0BOB", "before")
    expect(page.locator("#channel-messages")).to_contain_text("before")
    box.fill("half a thought")
    workspace.control("faults", {"kind": "page"})
    workspace.say("C0GENERAL", "U0BOB", "meanwhile")
    expect(page.locator("#channel-messages")).to_contain_text("meanwhile")
    workspace.say("C0GENERAL", "U0BOB", "afterwards")

    expect(page.locator("#channel-messages")).to_contain_text("afterwards")
    expect(page.locator("#channel-messages .message")).to_have_count(3)
    expect(box).to_have_value("half a thought")


def test_a_channel_made_meanwhile_appears_and_one_that_is_left_goes(workspace: WorkspaceHandle, page: Page) -> None:
    sidebar = page.get_by_role("navigation")
    members = ["U0ALICE", "U0FOOTNOTE"]
    board = workspace.control("channels", {"name": "board", "private": True, "members": members})["channel"]["id"]
    sidebar.get_by_role("button", name="board").click()
    expect(page.get_by_role("heading", name="Private: board")).to_be_visible()
    workspace.control("members", {"channel": board, "user": "U0ALICE"}, method="DELETE")

    expect(sidebar.get_by_role("button", name="board")).to_have_count(0)
    expect(page.get_by_role("heading", name="# general")).to_be_visible()


def test_a_reset_takes_the_channel_one_is_in_away(workspace: WorkspaceHandle, page: Page) -> None:
    workspace.control("channels", {"name": "lunch", "members": ["U0ALICE"]})
    page.get_by_role("navigation").get_by_role("button", name="lunch").click()
    expect(page.get_by_role("heading", name="# lunch")).to_be_visible()
    workspace.control("reset", {})

    expect(page.get_by_role("heading", name="# general")).to_be_visible()
    expect(page.get_by_role("navigation").get_by_role("button", name="lunch")).to_have_count(0)
