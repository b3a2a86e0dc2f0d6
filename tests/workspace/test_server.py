"""Files behind a token, foreign pages turned away, live changes, and the process itself."""

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import requests
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import BOT_TOKEN, WorkspaceHandle

ROOT = Path(__file__).parents[2]


def shared_file(workspace: WorkspaceHandle, client: WebClient) -> dict[str, Any]:
    body = {"channel": "C0GENERAL", "user": "U0ALICE", "text": "read this"}
    workspace.control("messages", body, files={"Notes & more.md": b"# Notes"})
    file_id = workspace.messages("C0GENERAL")[0]["files"][0]["id"]
    file: dict[str, Any] = client.files_info(file=file_id)["file"]
    return file


def test_a_file_object_has_what_an_app_needs(workspace: WorkspaceHandle, client: WebClient) -> None:
    file = shared_file(workspace, client)

    assert (file["name"], file["mimetype"], file["size"]) == ("Notes & more.md", "text/markdown", 7)
    assert (file["filetype"], file["user"], file["mode"]) == ("markdown", "U0ALICE", "hosted")
    assert file["url_private_download"].startswith(workspace.url)


@pytest.mark.parametrize("address", ["url_private", "url_private_download"])
def test_a_download_needs_the_bots_token(workspace: WorkspaceHandle, client: WebClient, address: str) -> None:
    url = shared_file(workspace, client)[address]
    allowed = requests.get(url, headers={"Authorization": f"Bearer {BOT_TOKEN}"}, timeout=10)

    assert allowed.content == b"# Notes"
    for headers in ({}, {"Authorization": "Bearer xoxb-other"}):
        refused = requests.get(url, headers=headers, timeout=10)
        assert refused.status_code == 200
        assert refused.headers["Content-Type"].startswith("text/html")
        assert b"# Notes" not in refused.content


def test_a_file_where_the_bot_is_not_is_not_found(workspace: WorkspaceHandle, client: WebClient) -> None:
    body = {"channel": "C0OPS", "user": "U0ALICE", "text": "private"}
    workspace.control("messages", body, files={"a.md": b"secret"})
    file_id = workspace.messages("C0OPS")[0]["files"][0]["id"]

    for unknown in (file_id, "F0NONE"):
        with pytest.raises(SlackApiError, match="file_not_found"):
            client.files_info(file=unknown)


def test_the_page_gets_a_file_as_a_download_only(workspace: WorkspaceHandle, client: WebClient) -> None:
    file = shared_file(workspace, client)
    answer = requests.get(f"{workspace.url}/control/files/{file['id']}", timeout=10)

    assert answer.content == b"# Notes"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/control/state", {"Host": "evil.example"}),
        ("/control/state", {"Origin": "https://evil.example"}),
        ("/control/state", {"Origin": "null"}),
        ("/control/state", {"Origin": "http://localhost:1"}),
        ("/", {"Host": "evil.example:80"}),
        ("/page/main.js", {"Host": "evil.example"}),
        ("/api/auth.test", {"Origin": "https://evil.example"}),
        ("/link/", {"Origin": "https://evil.example"}),
    ],
)
def test_a_foreign_host_or_origin_is_refused(workspace: WorkspaceHandle, path: str, headers: dict[str, str]) -> None:
    assert requests.get(f"{workspace.url}{path}", headers=headers, timeout=10).status_code == 403


def test_this_machines_names_are_not_foreign(workspace: WorkspaceHandle) -> None:
    for url in (workspace.url, workspace.url.replace("127.0.0.1", "localhost")):
        answer = requests.get(f"{url}/control/state", headers={"Origin": url}, timeout=10)
        assert answer.status_code == 200


def test_the_page_may_run_its_own_scripts_only(workspace: WorkspaceHandle) -> None:
    policy = requests.get(workspace.url, timeout=10).headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


def test_changes_come_live(workspace: WorkspaceHandle) -> None:
    with requests.get(f"{workspace.url}/control/events", stream=True, timeout=10) as stream:
        lines = stream.iter_lines()
        assert [next(lines), next(lines)][1] == b": connected"
        workspace.say("C0GENERAL", "U0ALICE", "hello")
        change = json.loads(next(line for line in lines if line.startswith(b"data: "))[6:])

    assert (change["type"], change["message"]["plain"]) == ("message", "hello")


def test_messages_of_an_unknown_channel_are_refused(workspace: WorkspaceHandle) -> None:
    answer = requests.get(f"{workspace.url}/control/messages?channel=C0NOWHERE", timeout=10)

    assert answer.status_code == 404


def test_the_seeded_state_is_as_agreed(workspace: WorkspaceHandle) -> None:
    state = workspace.control("state")

    assert [channel["id"] for channel in state["channels"]] == [
        *("C0GENERAL", "C0HR", "C0OPS", "C0EXT"),
        *("D0ADMIN", "D0ALICE", "D0BOB", "D0GUEST"),
    ]
    assert {user["id"] for user in state["users"]} == {
        *("U0ADMIN", "U0ALICE", "U0BOB", "U0GUEST", "U0OUTSIDER", "U0FOOTNOTE")
    }
    assert (state["connections"], state["unacknowledged"], state["status"], state["views"]) == (0, 0, {}, [])


def start_process(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "workspace", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_process_says_where_it_listens_and_stops_cleanly(number: signal.Signals) -> None:
    with start_process("--port", "0", "--hint", "@footnote hello?", "--shortcut", "ask=Ask about it") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        workspace = WorkspaceHandle(line.removeprefix("workspace listening on ").strip())
        state = workspace.control("state")
        assert (state["hints"], state["shortcuts"]) == (["@footnote hello?"], {"ask": "Ask about it"})
        with requests.get(f"{workspace.url}/control/events", stream=True, timeout=10):
            process.send_signal(number)
            _, complaints = process.communicate(timeout=20)

    assert (process.returncode, complaints) == (0, "")


def test_a_port_in_use_is_one_line_and_exit_code_2() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with start_process("--port", port) as process:
            _, complaints = process.communicate(timeout=20)

    assert process.returncode == 2
    assert complaints.count("\n") == 1
    assert port in complaints


def test_the_process_can_end_with_the_one_that_started_it() -> None:
    command = [sys.executable, "-m", "workspace", "--port", "0", "--until-stdin-closes"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline().startswith("workspace listening on http://")
        process.stdin.close()

        assert process.wait(timeout=20) == 0
