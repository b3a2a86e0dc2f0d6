"""What `LexicalIndex` promises to recall, judged by plain BM25; texts become terms as everywhere."""

import threading
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from retrieval.adapters.tantivy_index import TantivyIndex
from retrieval.ports import LexicalIndex
from retrieval.text import terms
from retrieval.types import Changes, Hit, KeywordEntry
from tests.retrieval.adapters.bm25_oracle import bm25

MakeIndex = Callable[[], LexicalIndex]


def _tantivy(folder: Path) -> LexicalIndex:
    return TantivyIndex(folder / "keywords")


@pytest.fixture(params=[_tantivy])
def make_index(request: pytest.FixtureRequest, tmp_path: Path) -> MakeIndex:
    """Opens the index of one place, as each new process does."""
    opening: Callable[[Path], LexicalIndex] = request.param
    return lambda: opening(tmp_path)


def _entry(number: int, version_id: int, found: Sequence[str]) -> KeywordEntry:
    return KeywordEntry(number, version_id, tuple(found))


def _filled(index: LexicalIndex, *texts: str) -> LexicalIndex:
    """Texts numbered from 1, each a version of its own."""
    index.update(Changes(1, tuple(_entry(n, n, terms(text)) for n, text in enumerate(texts, 1))))
    return index


def _numbers(hits: Sequence[Hit]) -> list[int]:
    return [hit.number for hit in hits]


CHINESE = (
    "员工每年享有十五天年假，须提前两周申请。",
    "差旅报销须在返回后三十日内提交单据。",
    "门禁卡遗失请立即联系行政部补办。",
    "远程办公每周最多两天，需主管同意。",
)
PORTUGUESE = (
    "A manutenção do elevador é feita todo mês.",
    "O refeitório abre às onze horas.",
    "A aprovação das férias cabe ao gestor.",
)
FRENCH = (
    "Le réseau du bâtiment est coupé à minuit.",
    "Un seau et un balai sont au sous-sol, prenez le seau bleu.",
    "Le parking ouvre à sept heures.",
)
TEA = ("Le thé vert est servi à quatre heures.", "The office opens at eight.", "Le café est gratuit.")
DECOMPOSED = ("Plano de ac\u0327a\u0303o", "Plano de voo", "Lista de espera")
CODES = (
    "SPEC-B417 covers pump settings",
    "SPEC-B418 covers key rotation",
    "SPEC-B471 covers visitor access",
    "lunch menu",
)
LIGATURES = ("The ﬁnancial oﬃcer signs the proﬁt report.", "The guard locks the door.", "lunch")
FULL_WIDTH = ("型号ＡＢＣ－１２３停产", "型号ABC-124在售", "食堂菜单")


@pytest.mark.parametrize(
    ("corpus", "query", "best"),
    [
        (CHINESE, "年假", 1),
        (PORTUGUESE, "manutencao", 1),
        (PORTUGUESE, "MANUTENÇÃO", 1),
        (PORTUGUESE, "refeitorio", 2),
        (PORTUGUESE, "férias", 3),
        (PORTUGUESE, "ferias", 3),
        (FRENCH, "réseau", 1),
        (TEA, "thé", 1),
        (DECOMPOSED, "ação", 1),
        (CODES, "B417", 1),
        (CODES, "SPEC-B417", 1),
        (CODES, "spec b417", 1),
        (LIGATURES, "financial", 1),
        (LIGATURES, "officer", 1),
        (LIGATURES, "profit", 1),
        (FULL_WIDTH, "ABC-123", 1),
        (("visitor parking permit", "canteen lunch hours"), "parking permit", 1),
        (("visitor parking permit",), "parking permit", 1),
        (("parking permit", "parking fee", "parking map"), "parking permit", 1),
    ],
)
def test_the_text_that_was_meant_comes_first_alone(
    make_index: MakeIndex, corpus: tuple[str, ...], query: str, best: int
) -> None:
    hits = _filled(make_index(), *corpus).search(terms(query), 10, None)

    assert hits[0].number == best
    assert hits[0].score > 0
    assert all(hit.score < hits[0].score for hit in hits[1:])


def test_a_word_inside_another_word_is_no_hit(make_index: MakeIndex) -> None:
    assert _numbers(_filled(make_index(), *FRENCH).search(terms("réseau"), 10, None)) == [1]


@pytest.mark.parametrize("corpus", [(), ("",), ("？？", "...")])
def test_a_corpus_without_words_finds_nothing(make_index: MakeIndex, corpus: tuple[str, ...]) -> None:
    assert _filled(make_index(), *corpus).search(terms("parking"), 10, None) == []


def test_no_terms_find_nothing(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *CODES)

    assert index.search([], 10, None) == []
    assert index.search(terms("？？ ..."), 10, None) == []
    assert index.search(terms("pump"), 0, None) == []
    assert index.search(terms("pump"), 10, frozenset()) == []


@pytest.mark.parametrize(
    "term", ["ex-4021/b", "a.b.c", "+must", "-not", "field:x", '"', "(", "a*b", "年假", "\\", "AND", "x" * 20_000]
)
def test_a_term_is_never_an_operator(make_index: MakeIndex, term: str) -> None:
    index = make_index()
    index.update(Changes(1, (_entry(1, 1, [term]), _entry(2, 2, ["other"]))))

    assert _numbers(index.search([term], 10, None)) == [1]
    assert _numbers(index.search([term, "other"], 10, None)) in ([1, 2], [2, 1])


def test_a_repeated_term_counts_more(make_index: MakeIndex) -> None:
    index = _filled(make_index(), "bicycle lamp", "bicycle tyre")

    assert _numbers(index.search(["lamp", "tyre", "tyre"], 10, None)) == [2, 1]
    assert _numbers(index.search(["lamp", "lamp", "tyre"], 10, None)) == [1, 2]


def test_only_allowed_versions_are_found_with_unchanged_scores(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *CODES)
    everything = {hit.number: hit.score for hit in index.search(terms("spec covers"), 10, None)}

    hits = index.search(terms("spec covers"), 10, frozenset({2, 3, 99}))

    assert sorted(_numbers(hits)) == [2, 3]
    assert {hit.number: hit.score for hit in hits} == {n: pytest.approx(everything[n]) for n in (2, 3)}


def test_an_allowed_text_is_found_below_a_thousand_better_ones(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *["pump pump pump"] * 1000, "a pump among many other things to be found here")

    assert _numbers(index.search(["pump"], 5, frozenset({1001}))) == [1001]


def test_ranking_agrees_with_plain_bm25(make_index: MakeIndex) -> None:
    random = np.random.default_rng(7)
    words = np.array([f"w{n}" for n in range(300)])
    weights = 1 / np.arange(1, 301)
    weights /= weights.sum()
    corpus = {n: list(random.choice(words, random.integers(3, 40), p=weights)) for n in range(1, 401)}
    index = make_index()
    index.update(Changes(1, tuple(_entry(n, n, found) for n, found in corpus.items())))

    for _ in range(20):
        query = [str(word) for word in random.choice(words, 4, p=weights)]
        expected = bm25(corpus, query)
        got = {hit.number: hit.score for hit in index.search(query, 400, None)}
        assert got.keys() == expected.keys()
        clear = [(a, b) for a, b in combinations(expected, 2) if expected[a] > 1.05 * expected[b]]
        assert all(got[a] > got[b] for a, b in clear)
        assert min(got.values()) > 0


def test_the_best_are_kept_however_many_are_asked_for(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *(f"pump {'other ' * n}" for n in range(1, 41)))
    everything = index.search(["pump"], 100, None)

    for k in (1, 5, 39, 40, 1000):
        assert index.search(["pump"], k, None) == everything[:k]


def test_a_deleted_document_is_not_found(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *CODES)
    index.update(Changes(2, removed_versions=(1,)))

    assert index.generation == 2
    assert index.search(["b417"], 10, None) == []
    assert sorted(_numbers(index.search(["spec"], 10, None))) == [2, 3]


def test_the_same_changes_again_double_nothing(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *CODES)
    _filled(index, *CODES)
    index.update(Changes(2, (_entry(1, 1, terms(CODES[0])),)))

    assert _numbers(index.search(["pump"], 10, None)) == [1]
    assert index.generation == 2


def test_older_changes_do_not_turn_the_index_back(make_index: MakeIndex) -> None:
    index = make_index()
    index.update(Changes(5, (_entry(1, 1, ["pump"]),)))
    index.update(Changes(4, removed_versions=(1,)))

    assert (index.generation, _numbers(index.search(["pump"], 5, None))) == (5, [1])


def test_changes_that_begin_anew_replace_all_there_was(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *CODES)
    index.update(Changes(50, (_entry(9, 9, ["late"]),)))
    index.update(Changes(2, (_entry(1, 1, ["fresh"]),), anew=True))

    assert index.generation == 2
    assert index.search(terms("pump late"), 10, None) == []
    assert _numbers(index.search(["fresh"], 10, None)) == [1]


def test_a_new_process_stands_where_the_last_one_stood(make_index: MakeIndex) -> None:
    _filled(make_index(), *CODES).update(Changes(7, removed_versions=(4,)))

    reopened = make_index()

    assert reopened.generation == 7
    assert _numbers(reopened.search(["pump"], 10, None)) == [1]
    assert reopened.search(["lunch"], 10, None) == []


def test_an_empty_change_moves_the_generation_only(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *CODES)
    index.update(Changes(9))

    assert (index.generation, make_index().generation) == (9, 9)
    assert _numbers(index.search(["pump"], 10, None)) == [1]


def test_searches_stay_right_while_another_thread_changes_the_index(make_index: MakeIndex) -> None:
    index = _filled(make_index(), *(f"word{n} common" for n in range(1, 51)))
    done = threading.Event()
    wrong: list[str] = []

    def search() -> None:
        while not done.is_set():
            hits = index.search(["word7"], 5, None)
            others = {hit.number % 2 for hit in index.search(["extra"], 100, None)}
            if _numbers(hits) != [7] or len(others) > 1:
                wrong.append(f"{hits} {others}")
                return

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for generation in range(2, 14):
            entries = (_entry(1000 + 2 * i + generation % 2, 100 + generation, ["extra"]) for i in range(20))
            index.update(Changes(generation, tuple(entries), removed_versions=(99 + generation,)))
    finally:
        done.set()
        for thread in threads:
            thread.join()

    assert wrong == []
    assert index.generation == 13
