"""Files come from Slack whole, or are refused with a reason; the token goes nowhere else."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bot.download import Downloader
from retrieval.errors import DocumentRefused, RefusalCause

SIGN_IN = b"<!DOCTYPE html><html><title>Sign in | Slack</title></html>"


@dataclass
class Slack:
    """A server that answers as it is told and remembers what it was asked."""

    url: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    tokens: list[str | None] = field(default_factory=list)


@pytest.fixture
def slack() -> Iterator[Slack]:
    told = Slack()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.tokens.append(self.headers.get("Authorization"))
            self.send_response(told.status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(told.body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield told
    server.shutdown()
    thread.join()
    server.server_close()


def fetch(slack: Slack, target: Path, *, api_url: str | None = None, **file: Any) -> RefusalCause | None:
    """Why the file was refused, None when it arrived."""
    told = {"name": "report.pdf", "size": len(slack.body), "url_private_download": f"{slack.url}/F1", **file}
    try:
        Downloader("xoxb-1", api_url or f"{slack.url}/api/", 50).fetch(told, target)
    except DocumentRefused as refused:
        assert not target.exists()
        return refused.cause
    return None


def test_a_file_arrives_whole_with_the_token_sent(slack: Slack, tmp_path: Path) -> None:
    slack.body = b"%PDF-1.7 content"

    assert fetch(slack, tmp_path / "f") is None
    assert (tmp_path / "f").read_bytes() == slack.body
    assert slack.tokens == ["Bearer xoxb-1"]


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "application/pdf"])
def test_a_sign_in_page_is_no_document_whatever_its_type(slack: Slack, tmp_path: Path, content_type: str) -> None:
    slack.body, slack.headers = SIGN_IN, {"Content-Type": content_type}

    assert fetch(slack, tmp_path / "f") is RefusalCause.HTML_LOGIN


def test_the_refusal_of_a_sign_in_page_names_the_scope(slack: Slack, tmp_path: Path) -> None:
    slack.body = SIGN_IN

    with pytest.raises(DocumentRefused, match="files:read"):
        Downloader("xoxb-1", f"{slack.url}/api/", 50).fetch(
            {"name": "a.pdf", "size": 9, "url_private": f"{slack.url}/F1"}, tmp_path / "f"
        )


def test_a_page_that_was_uploaded_as_one_is_taken(slack: Slack, tmp_path: Path) -> None:
    slack.body, slack.headers = b"<html><p>Ring twice.</p></html>", {"Content-Type": "text/html"}

    assert fetch(slack, tmp_path / "f", name="rules.html") is None


def test_a_sign_in_page_instead_of_an_uploaded_page_is_told_apart_by_its_size(slack: Slack, tmp_path: Path) -> None:
    slack.body, slack.headers = SIGN_IN, {"Content-Type": "text/html"}

    assert fetch(slack, tmp_path / "f", name="rules.html", size=10) is RefusalCause.HTML_LOGIN


@pytest.mark.parametrize(("size", "cause"), [(943_718_400, RefusalCause.TOO_LARGE), (0, RefusalCause.EMPTY)])
def test_the_size_is_looked_at_before_anything_is_fetched(
    slack: Slack, tmp_path: Path, size: int, cause: RefusalCause
) -> None:
    assert fetch(slack, tmp_path / "f", size=size) is cause
    assert slack.tokens == []


def test_a_file_larger_than_told_is_not_read_to_the_end(slack: Slack, tmp_path: Path) -> None:
    slack.body = b"x" * 51_000_000

    assert fetch(slack, tmp_path / "f", size=1000) is RefusalCause.TOO_LARGE


def test_a_file_cut_off_on_the_way_is_refused(slack: Slack, tmp_path: Path) -> None:
    slack.body = b"half"

    assert fetch(slack, tmp_path / "f", size=8) is RefusalCause.DOWNLOAD_FAILED


def test_an_error_of_slacks_is_refused(slack: Slack, tmp_path: Path) -> None:
    slack.status, slack.body = 500, b"oops"

    assert fetch(slack, tmp_path / "f") is RefusalCause.DOWNLOAD_FAILED


@pytest.mark.parametrize(
    "url",
    ["https://evil.example/F1", "http://files.slack.com/F1", "https://slack.com.evil.example/F1", "file:///etc/passwd"],
)
def test_the_token_goes_to_no_other_host(slack: Slack, tmp_path: Path, url: str) -> None:
    assert fetch(slack, tmp_path / "f", size=9, url_private_download=url) is RefusalCause.DOWNLOAD_FAILED


def test_the_token_does_not_follow_a_redirect_elsewhere(slack: Slack, tmp_path: Path) -> None:
    slack.status, slack.headers = 302, {"Location": "https://evil.example/F1"}

    assert fetch(slack, tmp_path / "f", size=9) is RefusalCause.DOWNLOAD_FAILED
    assert slack.tokens == ["Bearer xoxb-1"]


def test_redirects_without_end_are_given_up(slack: Slack, tmp_path: Path) -> None:
    slack.status, slack.headers = 302, {"Location": "/F1"}

    assert fetch(slack, tmp_path / "f", size=9) is RefusalCause.DOWNLOAD_FAILED


def test_a_file_that_slack_only_links_to_is_refused(slack: Slack, tmp_path: Path) -> None:
    assert fetch(slack, tmp_path / "f", size=9, is_external=True) is RefusalCause.DOWNLOAD_FAILED
