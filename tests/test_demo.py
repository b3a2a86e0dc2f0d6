"""The demo as a newcomer runs it: one command, a page, answers from the samples, a clean stop."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.command_line import COMMAND, environment, footnote
from tests.running_workspace import WorkspaceHandle, wait_for

DEAD_PROXY = "http://127.0.0.1:9"
READY = "Footnote is ready: "


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running_demo(
    data_dir: Path, port: int, *, stopped_by: signal.Signals = signal.SIGINT
) -> Iterator[tuple[WorkspaceHandle, list[str]]]:
    """A demo that is ready, and what it said until then. Stopped on leaving."""
    variables = {
        "PORT": str(port),
        "HTTP_PROXY": DEAD_PROXY,
        "HTTPS_PROXY": DEAD_PROXY,
        "SLACK_BOT_TOKEN": "xoxb-real",
        "SLACK_APP_TOKEN": "xapp-real",
        "ADMIN_USERS": "U0REAL",
        "DATABASE_URL": "sqlite:////dev/null/real/footnote.db",
    }
    with subprocess.Popen(
        [*COMMAND, "demo"],
        env=environment(data_dir, **variables),
        cwd=os.devnull.removesuffix("/null"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        said: list[str] = []
        for line in process.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith(READY):
                break
        assert said, "the demo said nothing"
        assert said[-1].startswith(READY), said
        try:
            yield WorkspaceHandle(said[-1].removeprefix(READY)), said
        finally:
            process.send_signal(stopped_by)
            rest = process.stdout.read()
        assert "Traceback" not in rest
        assert process.wait(60) == (0 if stopped_by is signal.SIGINT else -stopped_by)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def demo(data_dir: Path) -> Iterator[WorkspaceHandle]:
    with running_demo(data_dir, free_port()) as (workspace, said):
        assert any("employee-handbook.md" in line for line in said)
        yield workspace


def answer(demo: WorkspaceHandle, channel: str, user: str, text: str) -> str:
    """What the bot replies."""
    plain: str = demo.wait_for_reply(channel, demo.say(channel, user, text))["plain"]
    return plain


def command(demo: WorkspaceHandle, user: str, text: str) -> list[str]:
    """Views that `/kb` opens; it must be acknowledged."""
    outcome = demo.control("commands", {"channel": "C0GENERAL", "user": user, "command": "/kb", "text": text})
    assert outcome["ack"] == {}
    views: list[str] = outcome["views"]
    return views


def test_a_question_is_answered_from_the_samples_and_can_be_asked_on_in_the_thread(demo: WorkspaceHandle) -> None:
    ts = demo.say("C0GENERAL", "U0ALICE", "@footnote How many days of annual leave do I get?")
    first = demo.wait_for_reply("C0GENERAL", ts)

    demo.say("C0GENERAL", "U0ALICE", "And how many of them can I carry over into the next year?", thread_ts=ts)
    replies = wait_for(lambda: demo.replies_of_bot("C0GENERAL", ts)[1:])

    assert "26 days" in first["plain"]
    assert "[1] employee-handbook.md (v1)" in first["plain"]
    assert "five" in replies[0]["plain"].lower()


def test_what_the_documents_do_not_hold_is_refused_without_sources(demo: WorkspaceHandle) -> None:
    reply = answer(demo, "D0ALICE", "U0ALICE", "Who won the football championship in 1998?")

    first, *_, last = reply.split("\n")
    assert first == "I can't answer this from the current knowledge base."
    assert last == "How I found this"
    assert "[1]" not in reply


def test_small_talk_is_no_refusal(demo: WorkspaceHandle) -> None:
    for text in ("hi", "thanks!", "what can you do?", "@footnote", "word " * 6000):
        reply = answer(demo, "D0BOB", "U0BOB", text)
        assert reply
        assert "can't answer this" not in reply


def test_an_uploaded_file_is_found_at_once_and_listed_and_deleted(demo: WorkspaceHandle) -> None:
    (view,) = command(demo, "U0ADMIN", "upload")
    content = b"# Bicycles\n\nThe bicycle store opens at seven in the morning. Its code is 4471.\n"
    assert demo.control(f"views/{view}/submit", {"user": "U0ADMIN", "values": {}}, files={"bikes.md": content}) == {
        "ack": {},
        "views": [],
    }
    wait_for(lambda: any(m["text"].startswith("Done: 1 file") for m in demo.messages("D0ADMIN")))

    assert "seven" in answer(demo, "D0ALICE", "U0ALICE", "When does the bicycle store open?")
    command(demo, "U0ADMIN", "list")
    wait_for(lambda: any("bikes.md" in m["plain"] for m in demo.messages("C0GENERAL") if m.get("ephemeral_to")))
    command(demo, "U0ADMIN", "delete bikes.md")
    wait_for(lambda: any("Deleted bikes.md" in m["plain"] for m in demo.messages("C0GENERAL")))
    assert "can't answer this" in answer(demo, "D0ALICE", "U0ALICE", "When does the bicycle store open?")


def test_someone_else_may_not_upload(demo: WorkspaceHandle) -> None:
    assert command(demo, "U0ALICE", "upload") == []
    wait_for(lambda: any(m.get("ephemeral_to") == "U0ALICE" for m in demo.messages("C0GENERAL")))


def test_a_document_taken_in_from_a_second_terminal_is_found_at_once(
    demo: WorkspaceHandle, data_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "parking.md").write_text("# Parking\n\nVisitors park in row G behind the boiler house.\n", "utf-8")

    done = footnote("ingest", str(tmp_path / "parking.md"), data_dir=data_dir)

    assert done.code == 0, done.err
    assert "row G" in answer(demo, "D0ALICE", "U0ALICE", "Where do visitors park?")


def test_the_bot_on_slack_does_not_run_on_the_demos_folder(demo: WorkspaceHandle, data_dir: Path) -> None:
    done = footnote("run", data_dir=data_dir, env={"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"})

    assert done.code == 2
    assert done.err.splitlines() == [f"footnote: DATA_DIR: {data_dir} is the demo's; set DATA_DIR to another folder"]


def test_fifty_messages_at_once_get_one_reply_each_and_help_is_acknowledged_meanwhile(demo: WorkspaceHandle) -> None:
    questions = [f"@footnote What is the hotel limit in Paris, question {n}?" for n in range(50)]
    asked = [demo.say("C0HR", "U0ALICE", question) for question in questions]

    command(demo, "U0BOB", "help")
    for ts in asked:
        wait_for(lambda ts=ts: demo.replies_of_bot("C0HR", ts))  # type: ignore[misc]  # a lambda with a default
    answer(demo, "D0BOB", "U0BOB", "thanks")

    assert [len(demo.replies_of_bot("C0HR", ts)) for ts in asked] == [1] * 50


def test_a_second_demo_on_the_same_port_is_one_line_and_exit_code_2(demo: WorkspaceHandle, tmp_path: Path) -> None:
    done = footnote("demo", data_dir=tmp_path, env={"PORT": demo.url.rsplit(":", 1)[-1]})

    assert done.code == 2
    assert "PORT" in done.err
    assert len(done.err.splitlines()) == 1


def test_killed_outright_it_leaves_no_workspace_behind_and_starts_again_on_what_it_knows(tmp_path: Path) -> None:
    port = free_port()
    with running_demo(tmp_path, port, stopped_by=signal.SIGKILL):
        pass
    wait_for(lambda: port_is_free(port))

    with running_demo(tmp_path, port) as (workspace, said):
        assert [line for line in said if line.startswith("“") and "unchanged" not in line] == []
        assert "26 days" in answer(workspace, "D0ALICE", "U0ALICE", "How many days of annual leave do I get?")


def port_is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0
