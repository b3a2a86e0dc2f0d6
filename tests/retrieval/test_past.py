"""Questions about the past: which versions they mean, and that the answer is that version's."""

import contextlib
import dataclasses
import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.build import Footnote, build
from retrieval.search.filters import loosened
from retrieval.settings import RetrievalSettings, load
from retrieval.text import language
from retrieval.types import (
    Answer,
    Conversation,
    ExtractedQuery,
    Filterable,
    Filters,
    Message,
    Past,
    Refusal,
    SourceFile,
    Viewer,
)
from retrieval.understand.past import past_between, past_of
from retrieval.understand.rules import RuleBasedExtractor

TODAY = dt.date(2026, 11, 30)
DOCUMENTS = ("policies/travel-policy.md", "employee-handbook.pdf", "员工手册.pdf", "道路交通安全法实施条例.md")


def past(question: str) -> Past | None:
    return past_of(question, language(question), DOCUMENTS, TODAY)


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("What is the hotel limit in version 1 of the travel policy?", 1),
        ("Travel policy v2: what is the hotel limit?", 2),
        ("Was sagt Fassung 2 der travel policy?", 2),
        ("Que disait la version 2 du handbook ?", 2),
        ("员工手册第2版里年假几天？", 2),
        ("What did the original version of the handbook say?", 1),
        ("What did the previous version say about hotels?", -1),
        ("Was stand in der vorherigen Fassung?", -1),
        ("¿Qué decía la versión anterior?", -1),
        ("O que dizia a versão anterior da política?", -1),
        ("旧版の規程では？", -1),
    ],
)
def test_a_version_that_a_question_names_stands_in_for_the_current_one(question: str, version: int) -> None:
    assert past(question) == Past(version=version, alone=True)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did the 2023 handbook say about leave?", "2023-12-31"),
        ("What was the travel policy in 2023?", "2023-12-31"),
        ("As of March 2024, how many days of leave were there?", "2024-03-31"),
        ("Which limit was in force on 3 March 2024?", "2024-03-03"),
        ("Was galt im März 2024 für Hotels?", "2024-03-31"),
        ("Quelle règle était en vigueur en 2024 ?", "2024-12-31"),
        ("¿Qué límite estaba vigente en 2024?", "2024-12-31"),
        ("Que limite estava em vigor em março de 2024?", "2024-03-31"),
        ("2013年的实施条例怎么规定？", "2013-12-31"),
        ("截至2024年3月的年假规定是什么？", "2024-03-31"),
    ],
)
def test_what_was_in_force_on_a_day_stands_in_for_the_current_version(question: str, day: str) -> None:
    assert past(question) == Past(as_of=dt.date.fromisoformat(day), alone=True)


@pytest.mark.parametrize(
    "question",
    [
        "What was our revenue in 2023?",
        "2023年的收入是多少？",
        "What changed in the handbook since 2023?",
        "What's new in version 2 of the Heron API?",
        "What changed between version 1 and version 2 of the travel policy?",
    ],
)
def test_where_the_current_version_may_be_meant_too_the_earlier_one_comes_beside(question: str) -> None:
    found = past(question)

    assert found
    assert not found.alone


@pytest.mark.parametrize(
    "question",
    [
        "How many days of leave do I get?",
        "What is the hotel limit in 2026?",
        "What is planned for 2030?",
        "Is 2000 euros enough for a laptop?",
        "What does v2 of the API return?",
        "What does code EX-2023 mean?",
    ],
)
def test_other_questions_are_about_the_current_versions(question: str) -> None:
    assert past(question) is None


def extracted(question: str, *earlier: Message) -> ExtractedQuery:
    return RuleBasedExtractor(lambda: TODAY).extract(Conversation(question, earlier), Filterable(DOCUMENTS))


def test_each_question_of_a_message_is_about_the_past_that_it_names() -> None:
    query = extracted("What did the 2023 handbook say about leave? And what about lockers?")

    assert len(query.parts) == 2
    assert {part.filters.past for part in query.parts} == {Past(as_of=dt.date(2023, 12, 31), alone=True)}


def test_a_follow_up_may_mean_the_past_of_its_thread_or_the_present() -> None:
    earlier = Message("person", "What did the 2023 handbook say about leave?")

    assert extracted("And for interns?", earlier).filters.past == Past(as_of=dt.date(2023, 12, 31))
    assert extracted("How much is the locker deposit?", earlier).filters == Filters()


def test_dates_that_a_model_reads_off_a_message_mean_the_past_where_they_end_in_it() -> None:
    in_2023 = Filters(since=dt.date(2023, 1, 1), until=dt.date(2023, 12, 31))
    of_handbook = dataclasses.replace(in_2023, documents=("employee-handbook.pdf",))

    assert past_between(in_2023, None, TODAY) == Past(as_of=dt.date(2023, 12, 31))
    assert past_between(of_handbook, None, TODAY) == Past(as_of=dt.date(2023, 12, 31), alone=True)
    assert past_between(in_2023, Past(version=1), TODAY) == Past(version=1)
    assert past_between(Filters(since=dt.date(2023, 1, 1)), None, TODAY) is None
    assert past_between(Filters(until=dt.date(2027, 1, 1)), None, TODAY) is None


def test_where_the_past_alone_answers_nothing_the_present_is_searched_beside_it() -> None:
    filters = Filters(documents=("a.md",), past=Past(as_of=dt.date(2023, 12, 31), alone=True))

    wider = loosened(ExtractedQuery("leave", "en", filters=filters))

    assert wider.filters == Filters(past=Past(as_of=dt.date(2023, 12, 31)))
    assert wider.criteria == ("from the document a.md", "in force on 2023-12-31")
    assert (filters.narrow, wider.filters.narrow) == (True, False)


@pytest.fixture(scope="module")
def footnote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Footnote]:
    """With two versions of a travel policy, and a report that is about an earlier year."""
    folder = tmp_path_factory.mktemp("past")
    settings = load(RetrievalSettings, {"_env_file": None, "data_dir": folder / "data"})
    with contextlib.closing(build(settings)) as built:
        for year, limit in ((2023, 90), (2026, 130)):
            take_in(built, folder / "travel-policy.md", f"The hotel limit is {limit} euros per night.", year)
        take_in(built, folder / "annual-overview.md", "In 2023 our revenue was 4 million euros.", 2026)
        yield built


def take_in(footnote: Footnote, path: Path, text: str, year: int) -> None:
    path.write_text(f"# {path.stem}\n\n{text}\n", "utf-8")
    footnote.library.ingest(SourceFile(path.name, path, date=dt.date(year, 2, 1)))


def sources(footnote: Footnote, question: str) -> list[tuple[str, int, str]]:
    """Document, version and date of each citation."""
    reply = footnote.pipeline.ask(Conversation(question), Viewer()).reply
    assert isinstance(reply, Answer), reply
    return [(c.passage.document, c.passage.version, str(c.passage.date)) for c in reply.citations]


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("What is the hotel limit per night?", 2),
        ("What is the hotel limit per night in 2026?", 2),
        ("What is the hotel limit per night in version 1 of the travel policy?", 1),
        ("What was the hotel limit per night in the travel policy of 2023?", 1),
        ("As of March 2024, what was the hotel limit per night?", 1),
        ("What did the previous version say on the hotel limit per night?", 1),
    ],
)
def test_the_answer_is_of_the_version_that_was_asked_for(footnote: Footnote, question: str, version: int) -> None:
    date = "2023-02-01" if version == 1 else "2026-02-01"

    assert sources(footnote, question) == [("travel-policy.md", version, date)]


def test_a_question_about_a_year_finds_what_a_current_document_says_of_it(footnote: Footnote) -> None:
    assert sources(footnote, "What was our revenue in 2023?") == [("annual-overview.md", 1, "2026-02-01")]


def test_what_only_an_earlier_version_says_is_not_told_without_being_asked_for(footnote: Footnote) -> None:
    reply = footnote.pipeline.ask(Conversation("Which hotel costs 90 euros?"), Viewer()).reply

    assert isinstance(reply, Refusal) or "90" not in getattr(reply, "text", "")
