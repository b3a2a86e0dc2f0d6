"""What a person does on the page."""

import shutil

import pytest
from playwright.sync_api import FilePayload, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


def write(page: Page, text: str, *, box: str = "Message") -> None:
    """Write into a composer and send it."""
    page.get_by_role("textbox", name=box, exact=True).fill(text)
    page.keyboard.press("Enter")


def markdown_file(name: str, content: bytes) -> FilePayload:
    """A file to choose in the browser."""
    return {"name": name, "mimeType": "text/markdown", "buffer": content}


def act_as(page: Page, name: str) -> None:
    """Become somebody else."""
    page.get_by_label("You act as").select_option(label=name)
