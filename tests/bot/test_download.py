"""Files come from Slack whole, or are refused with a reason; the token goes nowhere else."""

import resource
import signal
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


STRANGE = [
    r"https://evil.example\@files.slack.com/F1",
    r"https://evil.example\.slack.com/F1",
    "https://evil.example@files.slack.com/F1",
    "https://files.slack.com@evil.example/F1",
    "https://evil.example/\n@files.slack.com/F1",
    "https://evil.example\t.slack.com/F1",
    "https://files.slack.com/F 1",
    "https://files.slack.com/\x00F1",
]
"""Addresses of which two programs may see two hosts."""


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
    [
        "https://evil.example/F1",
        "http://files.slack.com/F1",
        "https://files.slack.com:8443/F1",
        "https://slack.com.evil.example/F1",
        "https://evilslack.com/F1",
        "file:///etc/passwd",
        "https:files.slack.com/F1",
        "https://evil.example%23.slack.com/F1",
        *STRANGE,
    ],
)
def test_the_token_goes_to_no_other_host(slack: Slack, tmp_path: Path, url: str) -> None:
    assert fetch(slack, tmp_path / "f", size=9, url_private_download=url) is RefusalCause.DOWNLOAD_FAILED


def test_the_token_does_not_follow_a_redirect_elsewhere(slack: Slack, tmp_path: Path) -> None:
    slack.status, slack.headers = 302, {"Location": "https://evil.example/F1"}

    assert fetch(slack, tmp_path / "f", size=9) is RefusalCause.DOWNLOAD_FAILED
    assert slack.tokens == ["Bearer xoxb-1"]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where requests went that were not for this machine; no name is looked up for them."""
    hosts: list[str] = []

    def refuse(address: tuple[str, int], *_: Any, **__: Any) -> None:
        hosts.append(address[0])
        raise OSError("no network here")

    monkeypatch.setattr("urllib3.util.connection.create_connection", refuse)
    return hosts


@pytest.mark.parametrize("url", STRANGE)
def test_an_address_with_two_readings_is_not_even_tried(tmp_path: Path, sent: list[str], url: str) -> None:
    assert fetch(Slack(url="http://127.0.0.1:1"), tmp_path / "f", size=9, url_private_download=url)
    assert sent == []


def test_slacks_own_hosts_are_tried(tmp_path: Path, sent: list[str]) -> None:
    for url in ("https://files.slack.com/F1", "https://acme.enterprise.slack.com:443/F1", "https://slack.com/员工.md"):
        assert fetch(Slack(url="http://127.0.0.1:1"), tmp_path / "f", size=9, url_private_download=url)

    assert sent == ["files.slack.com", "acme.enterprise.slack.com", "slack.com"]


@pytest.mark.parametrize("location", STRANGE)
def test_a_redirect_with_two_readings_is_not_followed(slack: Slack, tmp_path: Path, location: str) -> None:
    slack.status, slack.headers = 302, {"Location": location.replace("\n", "%0A")}

    assert fetch(slack, tmp_path / "f", size=9) is RefusalCause.DOWNLOAD_FAILED
    assert slack.tokens == ["Bearer xoxb-1"]


def test_a_disk_that_is_full_leaves_nothing_of_the_file(slack: Slack, tmp_path: Path) -> None:
    slack.body = b"x" * 100_000
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            fetch(slack, tmp_path / "f")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)

    assert list(tmp_path.iterdir()) == []


def test_redirects_without_end_are_given_up(slack: Slack, tmp_path: Path) -> None:
    slack.status, slack.headers = 302, {"Location": "/F1"}

    assert fetch(slack, tmp_path / "f", size=9) is RefusalCause.DOWNLOAD_FAILED


def test_a_file_that_slack_only_links_to_is_refused(slack: Slack, tmp_path: Path) -> None:
    assert fetch(slack, tmp_path / "f", size=9, is_external=True) is RefusalCause.DOWNLOAD_FAILED
