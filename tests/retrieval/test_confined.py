"""Programs that read files, in child processes that are limited and can be stopped."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from retrieval.confined import Program, Seconds
from retrieval.confined.processes import stop_waiting
from retrieval.errors import DocumentRefused
from retrieval.types import SourceFile

MODULE = "tests.retrieval.confined_program"


@pytest.fixture(autouse=True)
def _none_kept() -> Iterator[None]:
    stop_waiting()
    yield
    stop_waiting()


PATIENT = Seconds(base=600)
OVER_ONCE_TOLD = Seconds(base=600, per_page=0, most=0)
"""Ends a child that tells of a page."""


def read(tmp_path: Path, order: str, *, warm: bool, seconds: Seconds = PATIENT) -> str:
    """What the test's program said when it was given the order."""
    path = tmp_path / f"{threading.get_ident()}.txt"
    path.write_text(order)
    program = Program(MODULE, seconds, warm=warm)
    return program.read(SourceFile("order.txt", path), ".txt", lambda _: None).blocks[0].text


both = pytest.mark.parametrize("warm", [True, False])


@both
def test_a_child_knows_no_secrets_and_works_in_a_folder_that_is_gone_afterwards(
    tmp_path: Path, warm: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-secret")
    assert "SLACK" not in read(tmp_path, "environment", warm=warm)
    folder, *files = read(tmp_path, "folder", warm=warm).split()
    assert files == ["errors.txt", "input.txt"]
    assert not Path(folder).exists()


@both
@pytest.mark.parametrize(
    ("order", "cause"), [("crash", "corrupt"), ("raise", "corrupt"), ("memory", "corrupt"), ("much", "too_large")]
)
def test_a_child_that_dies_or_hands_over_too_much_is_a_refusal(
    tmp_path: Path, warm: bool, order: str, cause: str
) -> None:
    with pytest.raises(DocumentRefused, match=r"order\.txt") as refusal:
        read(tmp_path, order, warm=warm)
    assert refusal.value.cause == cause


@both
def test_a_child_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path, warm: bool) -> None:
    with pytest.raises(DocumentRefused, match="too long") as refusal:
        read(tmp_path, f"hang {tmp_path / 'started'}", warm=warm, seconds=OVER_ONCE_TOLD)
    assert refusal.value.cause == "too_slow"
    grandchild = int((tmp_path / "started").read_text())
    _wait_until_gone(grandchild)


def test_a_warm_program_reads_each_file_in_a_process_of_its_own_that_the_same_one_starts(tmp_path: Path) -> None:
    parents = [read(tmp_path, "parent", warm=True) for _ in range(3)]
    children = [read(tmp_path, "self", warm=True) for _ in range(3)]
    assert len(set(parents)) == 1
    assert len(set(children)) == 3


def test_a_warm_program_outlives_what_crashes_and_is_replaced_when_it_dies_itself(tmp_path: Path) -> None:
    parent = read(tmp_path, "parent", warm=True)
    with pytest.raises(DocumentRefused):
        read(tmp_path, "crash", warm=True)
    assert read(tmp_path, "parent", warm=True) == parent
    os.kill(int(parent), signal.SIGKILL)
    _wait_until_gone(int(parent))
    assert read(tmp_path, "parent", warm=True) != parent


def test_a_warm_program_ends_with_the_process_that_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "order.txt").write_text("parent")
    code = f"""
import time
from pathlib import Path
from retrieval.confined import Program
from retrieval.types import SourceFile
file = SourceFile("order.txt", Path({str(tmp_path / "order.txt")!r}))
print(Program({MODULE!r}, warm=True).read(file, ".txt", lambda _: None).blocks[0].text, flush=True)
time.sleep(600)
"""
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=root) as keeper:
        assert keeper.stdout
        kept = int(keeper.stdout.readline())
        keeper.kill()
    _wait_until_gone(kept)


def test_two_files_are_read_at_once_and_no_more(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        running = list(pool.map(lambda _: read(tmp_path, f"count {tmp_path}", warm=True), range(4)))
    assert max(map(int, running)) <= 2


def _wait_until_gone(pid: int) -> None:
    """A killed process may stay a zombie where nobody waits for it, but does nothing more."""
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.05)
