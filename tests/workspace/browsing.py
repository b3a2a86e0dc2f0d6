"""What a person does on the page."""

import contextlib
import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# Chromium shares the machine with whatever else runs there.
PATIENCE_MS = 20_000
expect.set_options(timeout=PATIENCE_MS)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and "FOOTNOTE_REQUIRE_BROWSER" not in os.environ, reason="no Chromium on this machine"
)


@contextlib.contextmanager
def opened_page(browser: Browser, url: str) -> Iterator[Page]:
    """The page at that address; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    page.goto(url)
    expect(page.locator("#channel-header h2")).to_be_visible()
    yield page
    page.close()
    assert complaints == []


def write(page: Page, text: str, *, box: str = "Message") -> None:
    """Write into a composer and send it."""
    page.get_by_role("textbox", name=box, exact=True).fill(text)
    page.keyboard.press("Enter")


def markdown_file(name: str, content: bytes) -> FilePayload:
    """A file to choose in the browser."""
    return {"name": name, "mimeType": "text/markdown", "buffer": content}


def drop(page: Page, place: Locator, files: dict[str, bytes]) -> None:
    """Drag files over a place on the page and let them go there."""
    listed = [{"name": name, "content": content.decode()} for name, content in files.items()]
    transfer = page.evaluate_handle(
        """files => {
            const transfer = new DataTransfer();
            files.forEach(({ name, content }) => transfer.items.add(new File([content], name)));
            return transfer;
        }""",
        listed,
    )
    for step in ("dragenter", "dragover", "drop"):
        place.dispatch_event(step, {"dataTransfer": transfer})


def act(page: Page, text: str, action: str) -> None:
    """Choose something in the menu of the message with that text."""
    message = page.locator("#channel-messages .message", has_text=text)
    message.hover()
    message.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name=action).click()


def open_channel(page: Page, name: str) -> None:
    """Go to a channel by the sidebar. What is written before it has opened is a draft of the one before."""
    page.get_by_role("navigation").get_by_role("button", name=name).click()
    expect(page.locator("#channel-header h2")).to_contain_text(name)


def act_as(page: Page, name: str) -> None:
    """Become somebody else."""
    page.get_by_label("You act as").select_option(label=name)
