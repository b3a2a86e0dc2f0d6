"""While another process holds the store, people are heard and commands are acknowledged."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tests.bot.scripted import running_bot
from tests.running_workspace import running_workspace, wait_for


@contextlib.contextmanager
def write_lock(database: Path) -> Iterator[None]:
    """A transaction of somebody else's that writes."""
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


def test_commands_are_acknowledged_while_mentions_wait_for_the_store_and_each_is_answered_once(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path) as scripted:
        with write_lock(tmp_path / "footnote.db"):
            asked = [scripted.say("C0HR", "U0ALICE", f"@footnote question {n}") for n in range(40)]
            for _ in range(3):
                scripted.command("U0BOB", "help")
            wait_for(lambda: len(scripted.private("U0BOB")) == 3)
            (view,) = scripted.command("U0ADMIN", "upload")
            assert scripted.upload(view, "U0ADMIN", {"a.md": b"# A"}) == {}
            assert not any(workspace.replies_of_bot("C0HR", ts) for ts in asked)

        for ts in asked:
            wait_for(lambda ts=ts: workspace.replies_of_bot("C0HR", ts))  # type: ignore[misc]  # a lambda with a default
        assert [len(workspace.replies_of_bot("C0HR", ts)) for ts in asked] == [1] * 40
