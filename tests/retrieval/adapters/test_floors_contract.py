"""Calibrated floors are kept by reranker and by what it is asked."""

from pathlib import Path

from retrieval.adapters.sql import open_store
from retrieval.adapters.sql.inspection import floor_at


def test_each_reranker_has_a_floor_for_each_way_of_asking_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'footnote.db'}"
    store = open_store(url)
    expanded, main = store.floors("expanded"), store.floors("main")

    expanded.set("qwen", 0.62, 80)
    main.set("qwen", 0.4, 80)
    expanded.set("bge", 0.1, 80)

    assert [expanded.get("qwen"), main.get("qwen"), expanded.get("bge"), main.get("bge")] == [0.62, 0.4, 0.1, None]
    store.close()
    assert open_store(url).floors("main").get("qwen") == 0.4


def test_a_floor_calibrated_anew_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    floors = open_store(f"sqlite:///{tmp_path / 'footnote.db'}").floors("expanded")

    floors.set("qwen", 0.62, 80)
    floors.set("qwen", 0.58, 120)

    assert floors.get("qwen") == 0.58


def test_looking_a_floor_up_makes_no_store(tmp_path: Path) -> None:
    file = tmp_path / "footnote.db"

    assert floor_at(f"sqlite:///{file}", "expanded", "qwen") is None
    assert not file.exists()

    open_store(f"sqlite:///{file}").floors("expanded").set("qwen", 0.62, 80)
    assert floor_at(f"sqlite:///{file}", "expanded", "qwen") == 0.62
    assert floor_at(f"sqlite:///{file}", "main", "qwen") is None
