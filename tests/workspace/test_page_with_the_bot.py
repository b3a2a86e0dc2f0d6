"""The whole demo by clicking only: the real bot, the real page, a real browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.running_workspace import WorkspaceHandle
from tests.test_demo import free_port, running_demo
from tests.workspace.browsing import act, act_as, drop, needs_chromium, open_channel, opened_page, write

pytestmark = [pytest.mark.browser, needs_chromium]

REFUSAL = "I can't answer this from the current knowledge base."


@pytest.fixture(scope="module")
def demo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_demo(tmp_path_factory.mktemp("data"), free_port()) as (workspace, _):
        yield workspace.url


@pytest.fixture
def page(browser: Browser, demo_url: str) -> Iterator[Page]:
    """The demo's page; whatever the browser complains about fails the test."""
    with opened_page(browser, demo_url) as opened:
        yield opened


def test_a_question_is_asked_and_asked_on_in_its_thread(page: Page) -> None:
    box = page.get_by_role("textbox", name="Message", exact=True)
    box.press_sequentially("@foot")
    box.press("Tab")
    box.press_sequentially("How many days of annual leave do I get?")
    page.get_by_role("button", name="Send").first.click()
    thread = page.get_by_role("complementary", name="Thread")
    expect(thread).to_contain_text("26 days")
    expect(thread).to_contain_text("[1] employee-handbook.md")
    write(page, "And how many of them can I carry over into the next year?", box="Reply")

    expect(thread.locator(".message").nth(3)).to_contain_text(re.compile("five", re.IGNORECASE))


def test_what_the_documents_do_not_hold_is_refused(page: Page) -> None:
    open_channel(page, "footnote")
    write(page, "Who won the football championship in 1998?")

    expect(page.get_by_text(REFUSAL)).to_be_visible()


def test_a_file_is_uploaded_by_drag_and_drop_and_asked_about(page: Page) -> None:
    act_as(page, "Ada Admin")
    write(page, "/kb upload")
    form = page.get_by_role("dialog")
    drop(
        page,
        form.locator(".drop-zone"),
        {"bikes.md": b"# Bicycles\n\nThe bicycle store opens at seven in the morning."},
    )
    form.locator("[type=submit]").click()
    expect(form).to_have_count(0)
    page.get_by_role("button", name="footnote unread").click()
    expect(page.locator("#channel-messages")).to_contain_text("bikes.md")
    write(page, "When does the bicycle store open?")

    expect(page.locator(".message", has_text="seven in the morning").first).to_be_visible()


def test_the_file_of_a_message_replaces_a_document_by_the_messages_menu(page: Page, demo_url: str) -> None:
    WorkspaceHandle(demo_url).share(
        "C0HR", "U0ALICE", "The key rules.", {"keys.md": b"# Keys\n\nKeys hang in room 12."}
    )
    act_as(page, "Ada Admin")
    open_channel(page, "hr")
    act(page, "The key rules.", "Add to knowledge base")
    form = page.get_by_role("dialog", name="Add documents")
    expect(form).to_contain_text("keys.md")
    form.get_by_label("Owner").select_option(label="Alice Archer")
    form.get_by_role("combobox", name="Document that").fill("sheet")
    form.get_by_role("option", name="product-sheet.md").click()
    form.locator("[type=submit]").click()
    expect(form).to_have_count(0)
    open_channel(page, "footnote")
    expect(page.locator("#channel-messages")).to_contain_text("product-sheet.md: replaced by a new version")


def test_an_upload_is_cancelled_by_its_button(page: Page) -> None:
    parts = (f"## Part {n}\n\nRule {n} says that door {n} opens at {n % 24} o'clock." for n in range(3000))
    act_as(page, "Ada Admin")
    write(page, "/kb upload")
    form = page.get_by_role("dialog")
    drop(page, form.locator(".drop-zone"), {"doors.md": "\n\n".join(parts).encode(), "windows.md": b"# Windows"})
    form.locator("[type=submit]").click()
    expect(form).to_have_count(0)
    open_channel(page, "footnote")
    page.get_by_role("button", name="Cancel").click()

    report = page.locator("#channel-messages .message", has_text="doors.md")
    expect(report).to_contain_text("Cancelled: 0 files taken in, 2 left out.")
    expect(report.get_by_role("button", name="Cancel")).to_have_count(0)


def test_who_is_no_admin_is_told_so_privately(page: Page) -> None:
    act_as(page, "Bob Bernard")
    open_channel(page, "general")
    write(page, "/kb upload")

    expect(page.locator(".ephemeral").last).to_contain_text("Only visible to you")
    expect(page.get_by_role("dialog")).to_have_count(0)
