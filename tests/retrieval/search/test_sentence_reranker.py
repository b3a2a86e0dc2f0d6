"""The embedded reranker: a title is no answer, a section may be, and each passage is read once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from retrieval.adapters.sql import SqlStore, open_store
from retrieval.build.models import sentence_encoder
from retrieval.search.naming import is_named
from retrieval.search.sentence_reranker import SentenceReranker
from retrieval.text import terms
from retrieval.types import ExtractedQuery, Vectors


@dataclass
class CountedStore:
    """A store that counts how often it is asked for document frequencies."""

    store: SqlStore
    asked: int = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)

    def document_frequencies(self, wanted: Collection[str]) -> tuple[dict[str, int], int]:
        self.asked += 1
        return self.store.document_frequencies(wanted)


@dataclass
class CountedEncoder:
    """The sentence encoder, with the texts of each call by their kind."""

    calls: dict[str, list[list[str]]] = field(default_factory=lambda: {"query": [], "passage": []})
    name: str = sentence_encoder().name
    dim: int = sentence_encoder().dim

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        self.calls[kind].append(list(texts))
        return sentence_encoder().embed(texts, kind)


@pytest.fixture
def store(tmp_path: Path) -> SqlStore:
    return open_store(f"sqlite:///{tmp_path / 'footnote.db'}")


def scores(store: SqlStore, question: str, *passages: str) -> list[float]:
    return SentenceReranker(sentence_encoder(), store).score(ExtractedQuery(question, "en"), passages)


def test_a_passage_on_the_subject_that_does_not_answer_is_below_the_floor(store: SqlStore) -> None:
    answers, on_the_subject = scores(
        store,
        "Who designed the harbour bridge?",
        "Harbour bridge\nIt was designed by the engineer Ida Moll.",
        "Harbour bridge\nIt is painted green every ten years, and cyclists have a lane of their own.",
    )

    assert answers > 0.5 > on_the_subject


def test_words_of_a_title_count_for_less_than_words_of_the_text(store: SqlStore) -> None:
    said, titled = scores(
        store,
        "Who designed the harbour bridge?",
        "Works of the city\nThe harbour bridge was designed by the engineer Ida Moll.",
        "Who designed the harbour bridge\nThe city council met on Tuesday. Nobody spoke against the budget.",
    )

    assert said > titled


def test_a_section_says_what_the_text_below_it_is_about(store: SqlStore) -> None:
    under, elsewhere = scores(
        store,
        "How do I replace the battery of the scanner?",
        "Scanner manual > Replacing the battery of the scanner\nUnscrew the cap and pull the old cell out.",
        "Scanner manual > Cleaning the glass\nUnscrew the cap and pull the old cell out.",
    )

    assert under > 0.5 > elsewhere


def test_a_passage_without_any_heading_is_judged_by_its_text(store: SqlStore) -> None:
    [alone] = scores(store, "When was the bridge opened?", "The bridge was opened in spring 1931.")

    assert alone > 0.5


def test_passages_are_embedded_and_frequencies_asked_for_once_for_all_wordings(store: SqlStore) -> None:
    encoder, counted = CountedEncoder(), CountedStore(store)
    query = ExtractedQuery(
        "spare keys", "en", explanation="Passages about spare keys.", expansions=("second key", "key copies")
    )

    SentenceReranker(encoder, counted).score(query, ["Keys\nOne spare key lies at the desk.", "Rooms\nBook them."])  # type: ignore[arg-type]

    assert len(encoder.calls["passage"]) == len(encoder.calls["query"]) == counted.asked == 1
    assert encoder.calls["query"][0] == ["spare keys", "Passages about spare keys.", "second key", "key copies"]


def test_nothing_to_judge_is_no_trouble(store: SqlStore) -> None:
    assert scores(store, "When was the bridge opened?") == []


@pytest.mark.parametrize(
    ("name", "text", "same_language", "held"),
    [
        ("Lyon", "In LYON the office closes at six.", True, True),
        ("Mars", "Le bureau ferme en mars.", False, False),
        ("Mars", "La planète Mars est rouge.", False, True),
        ("3", "Il y a 35 salles.", False, False),
        ("3,000", "Il y a 3.000 places.", False, True),
    ],
)
def test_a_name_is_met_by_its_term_or_in_another_language_by_its_letters(
    name: str, text: str, same_language: bool, held: bool
) -> None:
    assert is_named(name, text, set(terms(text)), "en", same_language=same_language) is held
