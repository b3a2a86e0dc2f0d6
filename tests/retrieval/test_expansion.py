"""Query expansion works where it matters: what is asked in words that no passage with the answer has."""

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources

import pytest

from evals.knowledge_base import knowledge_base
from retrieval.build import Footnote
from retrieval.pipeline import Pipeline
from retrieval.search.sentence_reranker import SentenceReranker
from retrieval.types import Answer, Conversation, ExtractedQuery, Filterable, Viewer
from retrieval.understand.llm import LlmExtractor
from tests.retrieval.scripted_chat import ScriptedChat

ASKED = "Sessions on training an LLM for a low-resource language"

SOUGHT = {
    "sovereign.md": "Sovereign AI. Why nations build models of their own: a ministry shows how it trained a national"
    " assistant on public archives, and what independence from foreign providers is worth.",
    "korean.md": "From zero to a Korean assistant. Our team collected Korean text, chose a tokenizer and brought a"
    " Korean chat model to production.",
    "french.md": "A French model for public services. How a small group built a model of French with open data and"
    " tested it with citizens.",
    "multilingual.md": "Multilingual models in practice. One model speaks forty tongues: how quality differs between"
    " them and what helps the weaker ones.",
    "beyond-english.md": "Beyond English. Non-English speakers deserve good models: lessons from adapting a model when"
    " little text is at hand.",
}
ON_TRAINING = {
    "devices.md": "Training on low-resource devices. Small networks learn on phones and microcontrollers with little"
    " memory and a weak battery.",
    "start-ups.md": "Training for low-resource teams: how a company of two people and one graphics card keeps its"
    " costs down. A session for founders.",
    "power.md": "Resource planning for training clusters. How much power and cooling a long training run needs, and"
    " how sessions are scheduled.",
    "tickets.md": "Fine-tuning an LLM for customer support. Training on tickets makes it answer in the tone of the"
    " company.",
}
OFF_SUBJECT = {
    "queries.md": "A query language for large logs. This session introduces a language for searching terabytes of log"
    " lines.",
    "stage.md": "Body language on stage. A session for speakers on posture, gestures and voice.",
    "induction.md": "Training sessions for new employees. Everybody takes the safety training in the first week;"
    " sessions are held on Mondays.",
    "robots.md": "Training robots in simulation. Sessions on reinforcement learning for arms and drones.",
    "code.md": "Programming languages for beginners. Python and Rust are learned in the editor, with training"
    " exercises for each language.",
    "contracts.md": "Plain language for lawyers. How to write contracts in a language that clients understand.",
    "hospitals.md": "Low-resource hospitals. Screening X-rays where there are few doctors and little equipment.",
    "canteen.md": "The canteen opens at noon. Vegetarian dishes are served every day.",
}

EXPANDED = {
    "main_query": "training an LLM for a low-resource language",
    "main_query_explanation": "Passages about training an LLM for a low-resource language. They typically cover why"
    " speakers of languages with little written text are served badly, what a model of their own gives them, and how"
    " to get good results from limited training data.",
    "key_phrases": ["training an LLM", "low-resource language"],
    "expansions": [
        "multilingual models",
        "non-English LLM",
        "sovereign AI for a national language",
        "a Korean model",
        "a French model",
        "limited training data",
        "adapting a model to a new domain",
    ],
    "kind": "question",
}


@pytest.fixture(scope="module")
def footnote() -> Iterator[Footnote]:
    with knowledge_base({**OFF_SUBJECT, **ON_TRAINING, **SOUGHT}) as made:
        yield made


@pytest.fixture(scope="module")
def pipeline(footnote: Footnote) -> Pipeline:
    """That of the knowledge base, with a language model that understands."""
    extractor = LlmExtractor(ScriptedChat.saying(EXPANDED), strategy="q2e", query_count=3)
    return replace(footnote.pipeline, extractor=extractor)


def recalled(pipeline: Pipeline, query: ExtractedQuery) -> list[str]:
    return [found.passage.document for found in pipeline.finding.recall.candidates(query, Viewer(), 30)]


def reranked(pipeline: Pipeline, query: ExtractedQuery) -> dict[str, float]:
    """Relevance by document, best first."""
    candidates = pipeline.finding.recall.candidates(query, Viewer(), 30)
    return {
        found.passage.document: found.relevance for found in pipeline.finding.rerank.ranked(query, candidates).evidence
    }


def understood(pipeline: Pipeline) -> ExtractedQuery:
    return pipeline.extractor.extract(Conversation(ASKED), Filterable())


def test_no_passage_that_is_sought_says_what_is_asked() -> None:
    assert not any(word in text for text in SOUGHT.values() for word in ("low-resource", "LLM", "language", "session"))


def test_the_raw_query_misses_all_of_them_after_recall_and_after_rerank(footnote: Footnote) -> None:
    raw = footnote.pipeline.extractor.extract(Conversation(ASKED), Filterable())

    assert raw.main_query == ASKED
    assert not SOUGHT.keys() & set(recalled(footnote.pipeline, raw)[:5])
    assert not SOUGHT.keys() & set(list(reranked(footnote.pipeline, raw))[:5])


def test_the_expanded_query_finds_them_after_recall(pipeline: Pipeline) -> None:
    assert set(recalled(pipeline, understood(pipeline))[:5]) == SOUGHT.keys()


def test_the_expanded_query_finds_them_after_rerank(pipeline: Pipeline) -> None:
    assert set(list(reranked(pipeline, understood(pipeline)))[:5]) == SOUGHT.keys()


def test_what_is_found_is_above_the_floor_and_what_is_off_the_subject_stays_below(pipeline: Pipeline) -> None:
    relevance = reranked(pipeline, understood(pipeline))

    floor = pipeline.finding.rerank.embedded.floor
    assert all(relevance[name] >= floor for name in SOUGHT)
    assert all(relevance[name] < floor for name in OFF_SUBJECT)


def test_an_expansion_lifts_no_distractor_over_the_floor(pipeline: Pipeline) -> None:
    query = understood(pipeline)
    plain = reranked(pipeline, replace(query, explanation="", expansions=()))
    expanded = reranked(pipeline, query)

    floor = pipeline.finding.rerank.embedded.floor
    assert [name for name in OFF_SUBJECT | ON_TRAINING if expanded[name] >= floor > plain[name]] == []


def test_passages_that_share_but_the_words_of_the_query_give_way(pipeline: Pipeline) -> None:
    query = understood(pipeline)
    plain = reranked(pipeline, replace(query, explanation="", expansions=()))
    expanded = reranked(pipeline, query)

    assert all(expanded[name] <= plain[name] for name in ON_TRAINING if plain[name] > 0.5)


def test_they_are_what_the_answer_is_made_from(pipeline: Pipeline) -> None:
    outcome = pipeline.ask(Conversation(ASKED), Viewer())

    assert isinstance(outcome.reply, Answer)
    assert {found.passage.document for found in outcome.evidence} == SOUGHT.keys()


def test_without_other_wordings_the_reranker_judges_as_it_always_did(pipeline: Pipeline) -> None:
    judge = pipeline.finding.rerank.embedded.reranker
    assert isinstance(judge, SentenceReranker)
    alone = replace(judge, expanded=False)
    texts = list({**SOUGHT, **ON_TRAINING}.values())
    expanded = understood(pipeline)
    bare = replace(expanded, explanation="", expansions=())

    assert judge.score(bare, texts) == alone.score(bare, texts) == alone.score(expanded, texts)
    assert judge.score(expanded, texts) != alone.score(expanded, texts)


def test_the_example_that_the_prompt_shows_finds_them_too(footnote: Footnote) -> None:
    shown = resources.files("prompts").joinpath("q2e.md").read_text("utf-8").split("```json")[1].split("```")[0]
    extractor = LlmExtractor(ScriptedChat.saying(json.loads(shown)), strategy="q2e", query_count=3)
    pipeline = replace(footnote.pipeline, extractor=extractor)

    assert set(list(reranked(pipeline, understood(pipeline)))[:5]) == SOUGHT.keys()
