"""Servers that are no MinerU of the right release, or that fail."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from retrieval.adapters.mineru_parser import MinerUParser, server_checks
from retrieval.adapters.mineru_parser.engine import NotUsable, ReadingFailed
from retrieval.adapters.mineru_parser.served import ServedMinerU
from retrieval.settings import ModelAddress
from retrieval.types import SourceFile
from tests.retrieval.library.documents import CASES

PDF = CASES / "H00_plain.pdf"
Answers = dict[tuple[str, str], tuple[int, Any]]
"""By method and path: a status, and what is sent as JSON."""

HEALTHY: Answers = {
    ("GET", "/v1/health"): (200, {"status": "ok", "version": "4.0.12"}),
    ("GET", "/v1/tiers"): (200, {"data": [{"id": "flash"}, {"id": "basic"}]}),
    ("GET", "/v1/usage"): (200, {}),
}


class Server:
    """Answers as it is told, and keeps who asked what with which key."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str, str | None]] = []
        self.url = ""


@contextmanager
def serving(answers: Answers) -> Iterator[Server]:
    server = Server(answers)

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            server.asked.append((self.command, self.path, self.headers.get("Authorization")))
            status, body = server.answers.get((self.command, self.path), (404, {"error": {"code": "not_found"}}))
            self.send_response(status)
            if status == 307:
                self.send_header("Location", body)
            content = json.dumps(body).encode()
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - names of the standard library

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


def read(server: Server, tier: str = "flash", key: str | None = "well-house") -> None:
    ServedMinerU(server.url, key, tier).read(PDF, 1, 1)


@pytest.mark.parametrize(
    ("answers", "version"),
    [
        ({("GET", "/health"): (200, {"status": "healthy", "version": "3.4.4"})}, "3.4.4"),
        ({("GET", "/v1/health"): (200, {"status": "ok", "version": "4.1.0"})}, "4.1.0"),
        ({}, "of an unknown version"),
    ],
)
def test_another_release_is_refused_by_its_version_and_gets_no_file(answers: Answers, version: str) -> None:
    with serving(answers) as server:
        with pytest.raises(NotUsable, match=rf"MINERU_API_URL: .* is MinerU {version}; Footnote needs .* 4\.0\.12"):
            read(server)
        assert {method for method, _, _ in server.asked} == {"GET"}


def test_a_tier_that_is_not_offered_is_told_with_those_that_are() -> None:
    with serving(HEALTHY) as server, pytest.raises(NotUsable, match=r"MINERU_TIER=standard .* which has flash, basic"):
        read(server, "standard")


def test_a_key_that_is_not_accepted_is_told_without_the_key() -> None:
    with serving(HEALTHY | {("GET", "/v1/usage"): (401, {"error": {"code": "invalid_api_key"}})}) as server:
        with pytest.raises(NotUsable, match="MINERU_API_KEY") as caught:
            read(server)
        assert "well-house" not in str(caught.value)
        assert ("POST", "/v1/uploads") not in {(method, path) for method, path, _ in server.asked}


@pytest.mark.parametrize(
    ("answers", "status", "advice"),
    [
        (HEALTHY, "ok", ""),
        (HEALTHY | {("GET", "/v1/health"): (200, {"version": "4.1.0"})}, "wrong", "MinerU 4.1.0"),
        (HEALTHY | {("GET", "/v1/usage"): (401, {})}, "wrong", "MINERU_API_KEY"),
        (HEALTHY | {("GET", "/v1/usage"): (500, {})}, "wrong", "answered with status 500"),
    ],
)
def test_the_doctor_says_whether_the_server_can_be_used(answers: Answers, status: str, advice: str) -> None:
    with serving(answers) as server:
        (check,) = server_checks(ModelAddress("MINERU", server.url, None, "well-house"), "basic")
    assert check.status == status
    assert advice in check.advice
    assert "well-house" not in str(check)


def test_the_doctor_says_nothing_of_a_server_where_there_is_none() -> None:
    assert list(server_checks(None, "flash")) == []


def test_addresses_that_the_server_names_are_not_followed() -> None:
    with serving({}) as elsewhere:
        upload = {"id": "u1", "status": "pending", "upload_url": f"{elsewhere.url}/steal", "upload_method": "PUT"}
        answers = {
            ("POST", "/v1/uploads"): (200, upload),
            ("PUT", "/v1/uploads/u1/content"): (307, f"{elsewhere.url}/steal"),
        }
        with serving(HEALTHY | answers) as server, pytest.raises(ReadingFailed, match="status 307"):
            read(server)
        assert server.asked[-1] == ("PUT", "/v1/uploads/u1/content", "Bearer well-house")
        assert elsewhere.asked == []


JOB = {"job_id": "j1", "status": "failed", "files": [{"status": "failed", "output_files": None}]}
TAKEN = {("POST", "/v1/uploads"): (200, {"status": "completed", "file": {"id": "f1"}})}


@pytest.mark.parametrize(
    "answers",
    [
        {("POST", "/v1/uploads"): (503, {"error": {"code": "server_shutting_down"}})},
        TAKEN | {("POST", "/v1/parse/jobs"): (202, JOB)},
        TAKEN | {("POST", "/v1/parse/jobs"): (200, ["no", "job"])},
    ],
)
def test_a_server_that_fails_has_not_read_the_file(answers: Answers) -> None:
    with serving(HEALTHY | answers) as server, pytest.raises(ReadingFailed):
        read(server)


def test_the_copy_is_deleted_after_a_failure_too() -> None:
    with serving(HEALTHY | TAKEN | {("POST", "/v1/parse/jobs"): (500, {})}) as server:
        engine = ServedMinerU(server.url, None, "flash")
        with pytest.raises(ReadingFailed):
            engine.read(PDF, 1, 1)
        engine.close()
        assert server.asked[-1] == ("DELETE", "/v1/files/f1", None)


def test_while_the_server_fails_the_file_is_read_on_this_machine_and_that_is_told(tmp_path: Path) -> None:
    with serving(HEALTHY | {("POST", "/v1/uploads"): (503, {})}) as server:
        parser = MinerUParser("basic", ModelAddress("MINERU", server.url))
        document = parser.parse(SourceFile(PDF.name, PDF), progress=lambda _: None)
    assert document.blocks
    assert document.parser == "mineru-flash-4.0.12"
    assert [warning.partition(", which ")[2] for warning in document.warnings] == ["answered with status 503."]
