"""One keyword index for several processes, and what becomes of a damaged one."""

import logging
import shutil
import threading
from pathlib import Path

import pytest

from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.errors import ServiceUnavailable
from retrieval.text import SCHEME
from retrieval.types import Changes, KeywordEntry


def _entry(number: int, *found: str) -> KeywordEntry:
    return KeywordEntry(number, number, found)


def _finds(index: TantivyIndex, *found: str) -> list[int]:
    return sorted(hit.number for hit in index.search(found, 100, None))


def _folders(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir() if path.is_dir())


def test_what_another_process_commits_is_seen(tmp_path: Path) -> None:
    bot, command_line = TantivyIndex(tmp_path), TantivyIndex(tmp_path)
    command_line.update(Changes(3, (_entry(1, "pump"),)))

    assert bot.generation == 3
    assert _finds(bot, "pump") == [1]
    assert len(bot) == 1


def test_changes_that_another_process_has_taken_in_are_not_taken_in_twice(tmp_path: Path) -> None:
    bot, command_line = TantivyIndex(tmp_path), TantivyIndex(tmp_path)
    command_line.update(Changes(3, (_entry(1, "pump"), _entry(2, "key"))))
    before = (tmp_path / _folders(tmp_path)[0] / "meta.json").read_bytes()

    bot.update(Changes(3, (_entry(1, "pump"), _entry(2, "key"))))

    assert bot.generation == 3
    assert _finds(bot, "pump", "key") == [1, 2]
    assert (tmp_path / _folders(tmp_path)[0] / "meta.json").read_bytes() == before


def test_changes_that_another_process_has_taken_in_partly_are_completed(tmp_path: Path) -> None:
    bot, command_line = TantivyIndex(tmp_path), TantivyIndex(tmp_path)
    command_line.update(Changes(2, (_entry(1, "pump"), _entry(2, "key"))))
    bot.update(Changes(4, (_entry(2, "key"), _entry(3, "lamp")), removed_versions=(1,)))

    assert _finds(command_line, "pump", "key", "lamp") == [1, 2]
    assert command_line.generation == 4
    assert _finds(command_line, "pump", "key", "lamp") == [2, 3]


def test_many_indexes_write_to_one_place_at_once(tmp_path: Path) -> None:
    indexes = [TantivyIndex(tmp_path) for _ in range(4)]
    everything = tuple(_entry(n, "common", f"w{n}") for n in range(1, 9))

    def catch_up(index: TantivyIndex) -> None:
        while index.generation < 8:
            reach = index.generation + 1
            index.update(Changes(reach, everything[index.generation : reach]))

    threads = [threading.Thread(target=catch_up, args=(index,)) for index in indexes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [index.generation for index in indexes] == [8] * 4
    assert [_finds(index, "common") for index in indexes] == [list(range(1, 9))] * 4


def _only_folder(directory: Path) -> Path:
    [name] = _folders(directory)
    return directory / name


@pytest.mark.parametrize("pattern", ["meta.json", "*.term", "*.idx", "*.fast", "*.store", "*.fieldnorm"])
@pytest.mark.parametrize("share", [0, 2])
def test_a_cut_off_file_makes_a_new_index_at_generation_0(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, pattern: str, share: int
) -> None:
    TantivyIndex(tmp_path).update(Changes(3, (_entry(1, "pump"),)))
    damaged = _only_folder(tmp_path)
    for path in damaged.glob(pattern):
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // share] if share else b"")

    index = TantivyIndex(tmp_path)

    assert index.generation == 0
    assert index.search(["pump"], 5, None) == []
    assert "cannot be read and will be made again" in caplog.text
    assert _only_folder(tmp_path) != damaged
    index.update(Changes(3, (_entry(1, "pump"),)))
    assert _finds(TantivyIndex(tmp_path), "pump") == [1]


def test_a_lost_file_makes_a_new_index_at_generation_0(tmp_path: Path) -> None:
    TantivyIndex(tmp_path).update(Changes(3, (_entry(1, "pump"),)))
    (_only_folder(tmp_path) / "meta.json").unlink()

    assert TantivyIndex(tmp_path).generation == 0


def test_an_index_of_another_scheme_of_terms_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = TantivyIndex(tmp_path)
    old.update(Changes(3, (_entry(1, "pump"),)))
    monkeypatch.setattr("retrieval.adapters.tantivy_index.folders.SCHEME", SCHEME + 1)

    new = TantivyIndex(tmp_path)

    assert new.generation == 0
    assert len(_folders(tmp_path)) == 1
    assert _finds(old, "pump") == [1]  # what has the old one open can still read it


def test_a_place_that_vanishes_under_a_running_process_is_made_again(tmp_path: Path) -> None:
    index = TantivyIndex(tmp_path / "keywords")
    index.update(Changes(3, (_entry(1, "pump"),)))
    shutil.rmtree(tmp_path / "keywords")

    assert index.generation == 0
    index.update(Changes(3, (_entry(1, "pump"),)))
    assert _finds(TantivyIndex(tmp_path / "keywords"), "pump") == [1]


def test_changes_do_not_fit_an_index_that_was_begun_anew_meanwhile(tmp_path: Path) -> None:
    bot = TantivyIndex(tmp_path)
    bot.update(Changes(3, (_entry(1, "pump"),)))
    shutil.rmtree(_only_folder(tmp_path))
    TantivyIndex(tmp_path)

    bot.update(Changes(4, (_entry(2, "key"),)))

    assert bot.generation == 0
    bot.update(Changes(4, (_entry(1, "pump"), _entry(2, "key"))))
    assert _finds(bot, "pump", "key") == [1, 2]


def test_a_place_that_cannot_be_written_is_served_from_memory(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    index = TantivyIndex(tmp_path / "file" / "below")
    index.update(Changes(3, (_entry(1, "pump"), _entry(2, "key"))))
    index.update(Changes(4, removed_versions=(2,)))

    assert index.generation == 4
    assert _finds(index, "pump", "key") == [1]
    assert "cannot be written, it is kept in memory" in caplog.text


def test_damage_found_while_searching_is_an_outage_and_then_mended(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index = TantivyIndex(tmp_path)
    index.update(Changes(3, tuple(_entry(n, "pump") for n in range(1, 500))))
    damaged = _only_folder(tmp_path)
    for positions in damaged.glob("*.pos"):
        positions.unlink()  # is not missed before a search asks for it
    index = TantivyIndex(tmp_path)

    with caplog.at_level(logging.ERROR), pytest.raises(ServiceUnavailable, match="being made again"):
        index.search(["pump"], 5, None)

    assert index.generation == 0
    assert _only_folder(tmp_path) != damaged
    index.update(Changes(3, (_entry(1, "pump"),)))
    assert _finds(index, "pump") == [1]
