"""What `DenseIndex` promises to recall, judged by brute force."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.adapters.faiss_index import FaissIndex
from retrieval.errors import ConfigurationError, ServiceUnavailable
from retrieval.ports import DenseIndex
from retrieval.types import Changes, VectorEntry, Vectors
from tests.retrieval.adapters.dense_oracle import BruteForce
from tests.retrieval.adapters.new_versions import embedded

DIM = 8
MakeIndex = Callable[[], DenseIndex]


def _faiss(folder: Path) -> DenseIndex:
    return FaissIndex(folder / "dense.npz", dim=DIM, model="embed-a")


@pytest.fixture(params=[_faiss])
def make_index(request: pytest.FixtureRequest, tmp_path: Path) -> MakeIndex:
    """Opens the index of one place, as each new process does."""
    opening: Callable[[Path], DenseIndex] = request.param
    return lambda: opening(tmp_path)


def _entry(number: int, version_id: int, vector: Vectors) -> VectorEntry:
    return VectorEntry(number, version_id, vector)


def _documents(**chunks: list[str]) -> tuple[VectorEntry, ...]:
    """Entries of documents A, B, C ... as versions 1, 2, 3 ..., numbered from 1 through all of them."""
    flat = [(version, text) for version, texts in enumerate(chunks.values(), 1) for text in texts]
    return tuple(_entry(n, version, embedded([text], DIM)[0]) for n, (version, text) in enumerate(flat, 1))


ABC = _documents(A=["a1", "a2"], B=["b1"], C=["c1", "c2"])  # numbers 1 2 | 3 | 4 5


def test_the_other_documents_keep_their_passages_when_one_is_deleted(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(3, ABC))
    index.update(Changes(4, removed_versions=(1,)))

    hits = index.search(embedded(["c1"], DIM), 5, None)

    assert [hit.number for hit in hits][:1] == [4]
    assert hits[0].score == pytest.approx(1.0, abs=1e-6)
    assert {hit.number for hit in hits} == {3, 4, 5}


def test_a_deleted_document_is_not_found_by_its_own_text(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(3, ABC))
    index.update(Changes(4, removed_versions=(1,)))

    assert not {1, 2} & {hit.number for hit in index.search(embedded(["a1"], DIM), 5, None)}
    assert index.search(embedded(["a1"], DIM), 5, frozenset({1})) == []


def test_asking_for_more_than_there_is_gives_what_there_is(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(1, _documents(A=["a1", "a2", "a3"])))

    hits = index.search(embedded(["anything"], DIM), 50, None)

    assert sorted(hit.number for hit in hits) == [1, 2, 3]
    assert min(hit.score for hit in hits) > -1.01


def test_fewer_allowed_than_asked_for_gives_the_allowed(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(3, ABC))

    assert {hit.number for hit in index.search(embedded(["a1"], DIM), 5, frozenset({2, 77}))} == {3}


@pytest.mark.parametrize("k", [0, 1, 10])
def test_an_empty_index_finds_nothing(make_index: MakeIndex, k: int) -> None:
    assert make_index().search(embedded(["How many leave days?"], DIM), k, None) == []
    assert make_index().search(embedded(["How many leave days?"], DIM), k, frozenset({1})) == []


def test_nothing_is_found_where_nothing_is_asked_for_or_allowed(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(3, ABC))

    assert index.search(embedded(["a1"], DIM), 0, None) == []
    assert index.search(embedded(["a1"], DIM), 5, frozenset()) == []


def test_hits_rank_by_direction_not_by_length(make_index: MakeIndex) -> None:
    long, close = np.zeros(DIM, np.float32), np.zeros(DIM, np.float32)
    long[:2], close[:2] = (10, 1), (1, 1)
    index = make_index()
    index.update(Changes(1, (_entry(1, 1, long), _entry(2, 1, close))))

    hits = index.search(close[None], 2, None)

    assert [hit.number for hit in hits] == [2, 1]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.774], abs=0.002)


def test_float64_vectors_are_taken_and_found(make_index: MakeIndex) -> None:
    rows = embedded(["x", "y", "z"], DIM).astype(np.float64)
    entries = tuple(_entry(n, 1, row) for n, row in enumerate(rows, 1))
    index = make_index()
    index.update(Changes(1, entries))

    best = [index.search(row[None], 1, None)[0] for row in rows]

    assert [hit.number for hit in best] == [1, 2, 3]
    assert [hit.score for hit in best] == pytest.approx([1.0] * 3, abs=1e-6)


def test_another_width_is_named_with_both_widths_and_changes_nothing(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(3, ABC))

    with pytest.raises(ConfigurationError, match=r"8 numbers .*met one of 4"):
        index.search(np.ones((1, 4), np.float32), 3, None)
    with pytest.raises(ConfigurationError, match=r"8 numbers .*met one of 4"):
        index.update(Changes(4, (_entry(9, 9, np.ones(4, np.float32)),)))
    assert index.generation == 3
    assert index.search(embedded(["b1"], DIM), 1, None)[0].number == 3


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_a_question_without_direction_is_an_error_not_a_random_answer(make_index: MakeIndex, value: float) -> None:
    index = make_index()
    index.update(Changes(3, ABC))
    vector = embedded(["a1"], DIM)
    vector[0, :] = value

    with pytest.raises(ServiceUnavailable, match="without direction"):
        index.search(vector, 3, None)


@pytest.mark.parametrize("number", [9223372036854775813, 18446744073709551615, -1])
def test_numbers_that_do_not_fit_are_refused_rather_than_changed(make_index: MakeIndex, number: int) -> None:
    index = make_index()

    with pytest.raises((OverflowError, ValueError)):
        index.update(Changes(1, (_entry(number, 1, embedded(["a"], DIM)[0]),)))
    assert index.generation == 0


def test_the_largest_number_comes_back_as_it_went_in(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(1, (_entry(2**63 - 1, 1, embedded(["a"], DIM)[0]),)))

    assert index.search(embedded(["a"], DIM), 1, None)[0].number == 2**63 - 1


def test_a_new_process_finds_each_passage_under_its_number(make_index: MakeIndex) -> None:
    make_index().update(Changes(3, ABC))

    reopened = make_index()

    assert reopened.generation == 3
    assert [index_hit.number for index_hit in reopened.search(embedded(["b1"], DIM), 1, None)] == [3]
    assert len(reopened.search(embedded(["b1"], DIM), 50, None)) == 5
    assert {hit.number for hit in reopened.search(embedded(["b1"], DIM), 50, frozenset({1}))} == {1, 2}


def test_the_same_changes_again_double_nothing(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(3, ABC))
    index.update(Changes(3, ABC))
    index.update(Changes(4, ABC))

    assert len(index.search(embedded(["b1"], DIM), 50, None)) == 5
    assert index.generation == 4


def test_older_changes_do_not_turn_the_index_back(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(3, ABC))
    index.update(Changes(2, removed_versions=(1, 2, 3)))

    assert index.generation == 3
    assert len(index.search(embedded(["b1"], DIM), 50, None)) == 5


def test_changes_that_begin_anew_replace_all_there_was(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(50, ABC))
    index.update(Changes(2, _documents(X=["x1"]), anew=True))

    assert index.generation == 2
    assert [hit.number for hit in index.search(embedded(["c1"], DIM), 50, None)] == [1]
    assert make_index().generation == 2


def test_each_of_many_viewers_sees_their_own_versions_again_and_again(make_index: MakeIndex) -> None:
    rows = embedded([f"text {n}" for n in range(60)], DIM)
    index = make_index()
    index.update(Changes(1, tuple(_entry(n, n, row) for n, row in enumerate(rows))))

    for _ in range(2):
        for n in range(59):
            assert {h.number for h in index.search(rows[:1], 5, frozenset({n, n + 1}))} == {n, n + 1}


@st.composite
def _histories(draw: st.DrawFn) -> list[Changes[VectorEntry]]:
    """Batches of up to ten passages in up to six versions, some coming again, with removals between."""
    history = []
    for generation in range(1, draw(st.integers(1, 5)) + 1):
        numbers = draw(st.lists(st.integers(0, 40), max_size=10, unique=True))
        added = tuple(
            _entry(n, draw(st.integers(1, 6)), embedded([f"{n} {draw(st.integers(0, 3))}"], DIM)[0]) for n in numbers
        )
        removed = tuple(draw(st.lists(st.integers(1, 6), max_size=2, unique=True)))
        history.append(Changes(generation, added, removed, draw(st.integers(0, 9)) == 0))
    return history


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    history=_histories(),
    question=st.integers(0, 1000),
    k=st.integers(1, 20),
    allowed=st.none() | st.frozensets(st.integers(1, 7)),
)
def test_any_history_agrees_with_brute_force(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[Changes[VectorEntry]],
    question: int,
    k: int,
    allowed: frozenset[int] | None,
) -> None:
    folder = tmp_path_factory.mktemp("index")
    index, oracle = _faiss(folder), BruteForce()
    vector = embedded([str(question)], DIM)
    for changes in history:
        index.update(changes)
        oracle.update(changes)
        oracle.assert_agrees(index.search(vector, k, allowed), vector, k, allowed)
    reopened = _faiss(folder)
    if reopened.generation == index.generation:
        oracle.assert_agrees(reopened.search(vector, k, allowed), vector, k, allowed)


def _search_while(change: Callable[[], None], search: Callable[[int], str | None]) -> list[str]:
    """Runs searches in six threads until the changes are done; gives what was wrong with any of them."""
    done = threading.Event()
    wrong: list[str] = []

    def run(seed: int) -> None:
        turn = seed
        while not done.is_set():
            try:
                problem = search(turn)
            except Exception as error:
                problem = repr(error)
            if problem:
                wrong.append(problem)
                return
            turn += 6

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    try:
        change()
    finally:
        done.set()
        for thread in threads:
            thread.join()
    return wrong


def test_searches_stay_right_while_another_thread_adds(make_index: MakeIndex) -> None:
    rows = embedded([f"text {n}" for n in range(1000)], DIM)
    index = make_index()
    index.update(Changes(1, tuple(_entry(n, 1, row) for n, row in enumerate(rows))))

    def add() -> None:
        for batch in range(150):
            texts = [f"more {batch} {i}" for i in range(4)]
            numbers = range(1000 + 4 * batch, 1004 + 4 * batch)
            entries = zip(numbers, embedded(texts, DIM), strict=True)
            index.update(Changes(2 + batch, tuple(_entry(n, 2, row) for n, row in entries)))

    def search(turn: int) -> str | None:
        wanted = turn % 1000
        hits = index.search(rows[wanted : wanted + 1], 5, frozenset({1}) if turn % 2 else None)
        good = len(hits) == 5 and hits[0].number == wanted and abs(hits[0].score - 1) < 1e-5
        return None if good else f"{wanted}: {hits}"

    assert _search_while(add, search) == []
    assert len(index.search(rows[:1], 5000, None)) == 1600


def test_searches_stay_right_while_another_thread_removes(make_index: MakeIndex) -> None:
    rows = embedded([f"text {n}" for n in range(2_000)], DIM)
    index = make_index()
    index.update(Changes(1, tuple(_entry(n, n % 100, row) for n, row in enumerate(rows))))

    def remove() -> None:
        for version in range(1, 100):
            index.update(Changes(1 + version, removed_versions=(version,)))

    def search(turn: int) -> str | None:
        wanted = turn % 20 * 100  # version 0 stays
        hits = index.search(rows[wanted : wanted + 1], 5, frozenset({0}) if turn % 2 else None)
        scores = [float(rows[hit.number] @ rows[wanted]) for hit in hits]
        good = hits[0].number == wanted and np.allclose(scores, [hit.score for hit in hits], atol=1e-5)
        return None if good else f"{wanted}: {hits}"

    assert _search_while(remove, search) == []
    assert {hit.number % 100 for hit in index.search(rows[:1], 9_000, None)} == {0}
