"""llama.cpp's server through the clients: chat by a JSON schema, embeddings, a reranker's route."""

import contextlib
from contextlib import closing
from typing import Literal

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict

from retrieval.adapters.http_reranker import HttpReranker
from retrieval.adapters.openai_models import OpenAIChat, OpenAIEmbeddings
from retrieval.errors import ModelOutputInvalid, RequestRefused, ServiceUnavailable
from retrieval.types import ExtractedQuery
from tests.model_servers.real import BATCH_TOKENS, CONTEXT_TOKENS, MODEL_NAME


class City(BaseModel):
    """A form that leaves this small model no room to go astray."""

    country: Literal["Brazil", "France", "Japan"]
    is_capital: bool


class Odd(City):
    """The same, by a JSON schema of no known type."""

    model_config = ConfigDict(json_schema_extra={"type": "odd"})


def generate(chat: OpenAIChat, question: str, form: type[City] = City, *, max_tokens: int = 100) -> City:
    return chat.generate("You fill in forms.", question, form, temperature=0, max_tokens=max_tokens)


def test_an_answer_comes_in_the_form_asked_for(chat: OpenAIChat) -> None:
    assert isinstance(generate(chat, "Where is Paris, and is it the capital?"), City)


def test_the_model_goes_by_the_name_that_the_server_gives_it(chat: OpenAIChat) -> None:
    assert chat.name == MODEL_NAME


def test_an_answer_cut_off_is_invalid_and_the_next_one_is_fine(chat: OpenAIChat) -> None:
    with pytest.raises(ModelOutputInvalid, match="cut off at 3 tokens"):
        generate(chat, "Where is Lyon?", max_tokens=3)

    assert generate(chat, "Where is Lyon?")


def test_a_question_beyond_the_window_is_refused_and_the_server_lives_on(chat: OpenAIChat) -> None:
    with pytest.raises(RequestRefused, match="CHAT_WINDOW_TOKENS"):
        generate(chat, "word " * (2 * CONTEXT_TOKENS))

    assert generate(chat, "Where is Nice?")


def test_a_schema_that_the_server_does_not_know_is_left_out(chat: OpenAIChat) -> None:
    """What the model says then is its own affair: the form, or nothing that can be read."""
    with contextlib.suppress(ModelOutputInvalid):
        generate(chat, "Where is Nantes?", Odd)


def test_embeddings_are_unit_rows_whether_one_is_asked_for_or_many(llama_cpp: str) -> None:
    with closing(OpenAIEmbeddings(llama_cpp, None, None, instruction="", max_chars=2000)) as model:
        together = model.embed(["Annual leave is 25 days.", "Le vélo est au garage."], "passage")
        alone = model.embed(["Le vélo est au garage."], "passage")

    assert together.shape == (2, 576)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(together[1] @ alone[0], 1, atol=1e-2)


def test_a_text_beyond_the_batch_is_refused_by_name_and_the_server_lives_on(llama_cpp: str) -> None:
    """llama.cpp says so with status 500."""
    texts = ["Annual leave is 25 days.", "Too long: " + "word " * (2 * BATCH_TOKENS)]
    with closing(OpenAIEmbeddings(llama_cpp, None, None, instruction="", max_chars=100_000)) as model:
        with pytest.raises(RequestRefused, match=r"EMBEDDING_MAX_CHARS; the text begins “Too long: word"):
            model.embed(texts, "passage")

        assert len(model.embed(texts[:1], "passage")) == 1


def reranker(base_url: str) -> HttpReranker:
    return HttpReranker(base_url, None, None, api="rerank", expanded=True, max_chars=2000)


def test_raw_scores_of_a_model_without_a_head_are_no_relevance(llama_cpp_reranker: str) -> None:
    with pytest.raises(ServiceUnavailable, match="RERANKER: scores"):
        reranker(llama_cpp_reranker).score(ExtractedQuery("annual leave", "en"), ["Leave.", "Bikes.", "Tea."])


def test_a_server_that_does_not_rerank_says_how_to_start_it(llama_cpp: str) -> None:
    with pytest.raises(ServiceUnavailable, match=r"RERANKER: .*--reranking.*docs/serving\.md"):
        reranker(llama_cpp).score(ExtractedQuery("annual leave", "en"), ["Leave is 25 days."])
