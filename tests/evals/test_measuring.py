"""One's own questions on a small real knowledge base: figures, failures by stage, and judged citations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest

from evals.own.asked import ask
from evals.own.failures import ADVICE, answer_failure, search_failure
from evals.own.judging import judged
from evals.own.measuring import measure
from evals.own.question import Question
from evals.own.variants import AsTyped, search_alone, with_recall, without_check, without_floor, without_reranking
from evals.report import Report
from retrieval.budget import note_call
from retrieval.build import Footnote
from retrieval.errors import ServiceUnavailable
from retrieval.pipeline import Pipeline
from retrieval.search.rerank import Judge
from retrieval.text import sentences
from retrieval.types import (
    Answer,
    Conversation,
    Draft,
    Evidence,
    ExtractedQuery,
    Filterable,
    Message,
    ModelCall,
    Refusal,
)
from tests.evals.samples import HANDBOOK, QUESTIONS, sample_documents

LEAVE = QUESTIONS[2]
MARS = QUESTIONS[3]


@pytest.fixture(scope="module")
def samples() -> Iterator[Footnote]:
    with sample_documents() as footnote:
        yield footnote


@dataclass(frozen=True)
class Writes:
    """An answerer that writes the same to every question."""

    text: str

    def compose(self, _query: ExtractedQuery, _evidence: Sequence[Evidence]) -> Draft:
        return Draft(self.text)


class QuotesAsModel:
    """A language model that answers whatever it is asked, with the first sentence it sees."""

    def compose(self, _query: ExtractedQuery, evidence: Sequence[Evidence]) -> Draft:
        note_call(ModelCall("CHAT", "scripted"))
        return Draft(f"{sentences(evidence[0].passage.text)[0]} [1]")


@dataclass(frozen=True)
class Extracts:
    """An extractor that searches for the same whatever is asked; None: it is out of service."""

    query: str | None

    def extract(self, _conversation: Conversation, _filterable: Filterable) -> ExtractedQuery:
        if self.query is None:
            raise ServiceUnavailable("nobody extracts")
        return ExtractedQuery(self.query, "en")


def values(report: Report) -> dict[str, float]:
    return {figure.name: figure.value for figure in report.figures}


def test_all_is_measured_where_the_questions_say_enough(samples: Footnote) -> None:
    report = measure("all", samples, QUESTIONS)
    found = values(report)

    assert found["questions"] == 5
    assert found["questions that name their documents"] == 3
    assert found["Recall@5"] == found["Accuracy@5"] == found["Recall@10"] == 1.0
    assert 0.5 < found["MRR"] <= 1.0
    assert 0.5 < found["nDCG@10"] <= 1.0
    assert (
        found["answered"] == found["answered rightly"] == found["answer contains gold"] == found["completeness"] == 1.0
    )
    assert found["answers citing what answers it"] == 1.0
    assert found["citation recall (ALCE)"] == found["citation precision (ALCE)"] == 1.0
    assert found["hallucinated statements"] == 0.0
    assert found["false refusals"] == 0.0
    assert found["unanswerable refused"] == found["AUC of the best relevance"] == 1.0
    assert found["refusals in the language asked"] == 1.0
    assert 0.0 < found["relevance of answers"] <= 1.0
    assert 0 < found["latency p50 ms"] <= found["latency p95 ms"]
    assert (report.failures, report.notes, report.holds) == ([], [], True)
    [relevances] = report.relevances
    assert (len(relevances.scores.answerable), len(relevances.scores.unanswerable)) == (3, 2)
    assert relevances.floor == 0.5


def test_search_is_measured_without_asking_anyone_for_an_answer(samples: Footnote) -> None:
    report = measure("retrieval", samples, QUESTIONS)

    assert values(report)["Accuracy@5"] == 1.0
    assert not {"answered", "false refusals"} & values(report).keys()
    assert report.failures == []


def test_drafts_and_what_cannot_be_measured_are_told(samples: Footnote) -> None:
    report = measure("all", samples, [Question("How long is the probation period?", draft=True)])

    assert report.notes == [
        "1 of 1 questions are drafts that no person has looked at.",
        "Questions with and without an answer are needed for the curve of refusals.",
    ]
    assert "Recall@5" not in values(report)


def test_gold_sentences_count_as_far_as_the_reply_holds_them(samples: Footnote) -> None:
    sentence = "Carried-over days lapse on 31 March."
    other = "Your manager answers within three working days."
    report = measure("answers", samples, [replace(LEAVE, references=((sentence, other), (other,)))])

    assert values(report)["gold sentences in the reply"] == 0.0
    assert values(report)["statements that are gold sentences"] == 0.0

    quoted = ask(samples.pipeline, LEAVE)
    assert quoted.answer
    own = quoted.answer.citations[0].quotes[0]
    report = measure("answers", samples, [replace(LEAVE, references=((own, other),))])

    assert values(report)["gold sentences in the reply"] == 0.5
    assert values(report)["statements that are gold sentences"] > 0.0


def with_floor(pipeline: Pipeline, floor: float) -> Pipeline:
    rerank = pipeline.finding.rerank
    judged_by = replace(rerank, embedded=Judge(rerank.embedded.reranker, floor))
    return replace(pipeline, finding=replace(pipeline.finding, rerank=judged_by))


def stage(pipeline: Pipeline, question: Question) -> str | None:
    """Where the question goes wrong, None where it does not."""
    one = ask(pipeline, question)
    as_typed = ask(replace(search_alone(pipeline), extractor=AsTyped()), question)
    failure = answer_failure(one, pipeline.checker, lambda: bool(set(as_typed.ranking) & set(one.relevant)))
    return failure.stage if failure else None


def test_a_right_answer_and_a_right_refusal_are_no_failures(samples: Footnote) -> None:
    assert stage(samples.pipeline, LEAVE) is None
    assert stage(samples.pipeline, MARS) is None


def test_a_query_that_misses_what_the_message_would_have_found_is_a_failure_of_extraction(samples: Footnote) -> None:
    pipeline = replace(samples.pipeline, recall_candidates=1, extractor=Extracts("午餐补贴"))

    assert stage(pipeline, LEAVE) == "extraction"


def test_a_question_taken_for_small_talk_is_a_failure_of_extraction(samples: Footnote) -> None:
    assert stage(samples.pipeline, Question("Thanks!", documents=HANDBOOK)) == "extraction"


def test_what_search_does_not_come_up_with_is_a_failure_of_recall(samples: Footnote) -> None:
    pipeline = replace(samples.pipeline, recall_candidates=1)

    assert stage(pipeline, Question(LEAVE.text, documents=("travel-policy.md",), answer_contains=("no",))) == "recall"


def test_what_is_found_but_not_among_the_best_is_a_failure_of_reranking(samples: Footnote) -> None:
    last = ask(samples.pipeline, LEAVE).outcome.trace.candidates[-1].passage

    question = Question(LEAVE.text, passages=(last.chunk_id,), answer_contains=(last.text[:30],))

    assert stage(samples.pipeline, question) == "rerank"
    assert search_failure(ask(samples.pipeline, question), lambda: True) is not None


def test_a_floor_too_high_and_one_too_low_are_failures_of_the_floor(samples: Footnote) -> None:
    assert stage(with_floor(samples.pipeline, 1.0), LEAVE) == "floor"
    assert stage(with_floor(samples.pipeline, 0.0), MARS) == "floor"


def test_an_answer_that_lacks_the_words_is_a_failure_of_generation(samples: Footnote) -> None:
    assert stage(samples.pipeline, replace(LEAVE, answer_contains=("27 days",))) == "generation"


def test_a_model_that_answers_what_has_no_answer_is_a_failure_of_generation(samples: Footnote) -> None:
    assert stage(replace(without_floor(samples.pipeline), answerer=QuotesAsModel()), MARS) == "generation"


def test_a_right_draft_that_the_check_took_away_is_a_failure_of_the_check(samples: Footnote) -> None:
    pipeline = replace(samples.pipeline, answerer=Writes("You get 26 days and 300 gold coins from Zanzibar [1]."))

    assert stage(pipeline, LEAVE) == "check"


def test_what_is_shown_though_nothing_supports_it_is_a_failure_of_the_check(samples: Footnote) -> None:
    pipeline = replace(
        without_floor(samples.pipeline),
        answerer=Writes("On Mars it snows 40 cm of red dust every Tuesday [1]."),
        checker=replace(samples.pipeline.checker, unverified="warn"),
    )

    assert stage(pipeline, MARS) == "check"


def test_every_stage_says_what_to_do_in_one_line() -> None:
    assert set(ADVICE) == {"extraction", "recall", "rerank", "floor", "generation", "check", "service"}
    assert all(advice.endswith(".") and "\n" not in advice for advice in ADVICE.values())


def test_an_outage_is_told_apart_from_a_wrong_answer(samples: Footnote) -> None:
    assert stage(replace(samples.pipeline, extractor=Extracts(None)), LEAVE) == "service"


def test_without_the_check_wrong_and_idle_citations_are_shown_and_judged(samples: Footnote) -> None:
    evidence = ask(samples.pipeline, LEAVE).outcome.evidence
    right = "Full-time employees have 26 days of paid annual leave per calendar year"
    [at] = [n for n, item in enumerate(evidence, start=1) if right in item.passage.text]
    other = next(n for n in range(1, len(evidence) + 1) if n != at)
    text = f"{right} [{at}][{other}]. Everybody gets 300 gold coins from Zanzibar [{at}]. {right} [{other}]. Ok [99]."

    pipeline = replace(without_check(samples.pipeline), answerer=Writes(text))
    one = ask(pipeline, LEAVE)
    found = judged(one.outcome, samples.pipeline.checker)

    assert one.answer
    assert "[99]" not in one.answer.text
    assert found
    assert [said[:22] for said in found.hallucinated][:1] == ["Everybody gets 300 gold"[:22]]
    assert right not in " ".join(found.hallucinated)
    assert 0 < found.citations.recall < 1
    assert 0 < found.citations.precision < 1


def test_parts_are_switched_off_one_by_one(samples: Footnote) -> None:
    pipeline = samples.pipeline
    lunch = QUESTIONS[1]

    dense, keyword = (ask(with_recall(pipeline, side), lunch).outcome.trace.candidates for side in ("dense", "lexical"))
    assert all(item.candidate.dense is not None for item in dense)
    assert all(item.candidate.lexical is not None for item in keyword)
    assert len(keyword) < len(dense)
    unranked = ask(without_reranking(pipeline), lunch).outcome.trace.candidates
    assert [item.candidate.fused for item in unranked] == sorted((i.candidate.fused for i in unranked), reverse=True)
    assert isinstance(ask(without_floor(pipeline), MARS).outcome.reply, Answer)
    assert isinstance(ask(pipeline, MARS).outcome.reply, Refusal)
    follow_up = Question("And after ten years?", earlier=(Message("person", LEAVE.text),))
    assert ask(replace(pipeline, extractor=AsTyped()), follow_up).outcome.query.main_query == follow_up.text
    assert "leave" in ask(pipeline, follow_up).outcome.query.main_query
