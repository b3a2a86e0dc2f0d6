"""The bot killed outright at each point of an upload: it is finished afterwards, told once, and search agrees."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from retrieval.build import build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Viewer
from tests.bot.dying_bot import INDEX_WORD, POINTS, marker_of
from tests.command_line import environment
from tests.running_workspace import APP_TOKEN, BOT_TOKEN, WorkspaceHandle, running_workspace, wait_for

ONE_PAGE = (Path(__file__).parents[1] / "cases" / "files" / "H00_plain.pdf").read_bytes()


@dataclass(frozen=True)
class DyingBot:
    """A bot that is started again whenever it has died."""

    data_dir: Path
    output: IO[str]

    def wait_until_connected(self) -> None:
        assert any(line.startswith("Connected") for line in self.output), (self.data_dir / "bot.log").read_text()

    def wait_for_death(self, point: str) -> None:
        """Wait until it has died, which it must have done at that point, and is connected again."""
        self.wait_until_connected()
        assert marker_of(self.data_dir, point).exists()


@contextmanager
def running_dying_bot(workspace: WorkspaceHandle, data_dir: Path) -> Iterator[DyingBot]:
    """One that is connected."""
    slack = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN, "SLACK_API_URL": workspace.api_url}
    with (
        (data_dir / "bot.log").open("w") as log,
        subprocess.Popen(
            [sys.executable, "-m", "tests.bot.dying_bot"],
            env=environment(data_dir, **slack),
            cwd=data_dir,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        assert process.stdout
        bot = DyingBot(data_dir, process.stdout)
        try:
            bot.wait_until_connected()
            yield bot
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def upload(workspace: WorkspaceHandle, name: str, content: bytes) -> None:
    command = {"channel": "C0GENERAL", "user": "U0ADMIN", "command": "/kb", "text": "upload"}
    (view,) = workspace.control("commands", command)["views"]
    body: dict[str, Any] = {"user": "U0ADMIN", "values": {}}
    ack = workspace.control(f"views/{view}/submit", body, files={name: content})["ack"]
    assert ack in ({}, None)  # it may die so soon that nothing is acknowledged


def content_of(name: str, rule: str) -> bytes:
    return ONE_PAGE if name.endswith(".pdf") else f"# Manual\n\n## Rule\n\nRule {rule} was written.\n".encode()


def reports(workspace: WorkspaceHandle, name: str) -> list[str]:
    """What the admin reads of a file, a message each."""
    return [message["plain"] for message in workspace.messages("D0ADMIN") if name in message["plain"]]


def is_told(workspace: WorkspaceHandle, name: str) -> bool:
    return any(text.startswith("Done: 1 file taken in.") for text in reports(workspace, name))


@pytest.mark.timeout(600)
def test_an_upload_is_finished_and_told_once_wherever_the_bot_was_killed(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_dying_bot(workspace, tmp_path) as bot:
        for number, name in enumerate(POINTS):
            upload(workspace, name, content_of(name, str(number)))
            bot.wait_for_death(Path(name).stem)
        upload(workspace, "index.md", content_of("index.md", INDEX_WORD))
        wait_for(lambda: is_told(workspace, "index.md"))
        asked = workspace.say("D0ALICE", "U0ALICE", f"What was rule {INDEX_WORD}?")
        bot.wait_for_death("index")

        assert INDEX_WORD in workspace.wait_for_reply("D0ALICE", asked)["plain"]
        names = [*POINTS, "index.md"]
        assert [name for name in names if not is_told(workspace, name) or len(reports(workspace, name)) != 1] == []
    assert {path.name for path in (tmp_path / "uploads").glob("*/*")} == {"job.json"}
    assert_search_agrees_with_the_store(tmp_path, names)


def assert_search_agrees_with_the_store(data_dir: Path, names: list[str]) -> None:
    with closing(build(load(RetrievalSettings, {"_env_file": None, "data_dir": data_dir}))) as footnote:
        stored = {version.document: version for version in footnote.library.list()}
        assert {document: version.version for document, version in stored.items()} == dict.fromkeys(names, 1)
        _, hits = footnote.pipeline.search("which rule was written in the manual", Viewer(), 1000)
        found = [hit.passage.document for hit in hits]
        assert {name: found.count(name) for name in names} == {name: stored[name].chunks for name in names}
