"""Understanding and answering over real HTTP: what servers really wrap around a model's words, and what models do."""

from collections.abc import Iterator

import pytest

from retrieval.adapters.openai_models import OpenAIChat
from retrieval.answer.compose import ChatAnswerer
from retrieval.errors import ModelOutputInvalid, ServiceUnavailable
from retrieval.types import Candidate, Conversation, Evidence, ExtractedQuery, Filterable, Kind, Passage
from retrieval.understand.llm import LlmExtractor
from tests.model_servers.scripted import Completion, Reply, ScriptedModels, ServerKind

PARKING = Conversation("How much is a parking permit?")
PERMIT = (
    '{"main_query": "parking permit cost", "main_query_explanation": "price of a permit", "filters": {},'
    ' "ranking_criteria": "most recent", "expansions": ["price of parking permit"]}'
)


@pytest.fixture(params=["swift", "vllm"])
def server(request: pytest.FixtureRequest) -> ServerKind:
    kind: ServerKind = request.param
    return kind


@pytest.fixture
def models(server: ServerKind) -> Iterator[ScriptedModels]:
    with ScriptedModels() as served:
        served.chat.server = server
        yield served


@pytest.fixture
def chat(models: ScriptedModels) -> Iterator[OpenAIChat]:
    model = OpenAIChat(models.chat_url, None, None)
    yield model
    model.close()


def extracted(chat: OpenAIChat) -> ExtractedQuery:
    return LlmExtractor(chat, strategy="q2e", query_count=3).extract(PARKING, Filterable())


@pytest.mark.parametrize(
    "said",
    [
        PERMIT,
        f"```json\n{PERMIT}\n```\nHope that helps, compare [2] and [notes].",
        f'<think>Maybe {{"main_query": "WRONG", "expansions": []}} no, better be precise.</think>\n{PERMIT}',
        PERMIT.replace('"', "“", 1).replace('"', "”", 1),
        PERMIT.replace('"main_query_explanation": "price of a permit"', '"main_query_explanation": null'),
        '{"main_query": ["parking permit cost"], "filters": [], "ranking": "newest",'
        ' "expansions": [null, 7, "price of parking permit"]}',
    ],
)
def test_a_query_is_read_from_what_models_write(models: ScriptedModels, chat: OpenAIChat, said: str) -> None:
    models.chat.say(said)

    query = extracted(chat)

    assert (query.main_query, query.ranking, query.kind) == ("parking permit cost", "newest", Kind.QUESTION)
    assert query.expansions == ("price of parking permit", PARKING.question)
    assert len(models.chat.calls) == 1


def test_a_server_that_keeps_to_schemas_is_given_the_whole_form(models: ScriptedModels, chat: OpenAIChat) -> None:
    models.chat.say(PERMIT)
    extracted(chat)

    [body] = models.chat.bodies
    schema = body["response_format"]["json_schema"]["schema"]
    assert {"main_query", "expansions", "sub_questions"} <= set(schema["required"])
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 1000)


def test_a_model_that_left_the_query_out_is_told_so_once(models: ScriptedModels, chat: OpenAIChat) -> None:
    models.chat.say({"main_query": "", "expansions": ["price"]}, PERMIT)

    assert extracted(chat).main_query == "parking permit cost"
    assert "main_query must be the query" in models.chat.bodies[1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "said",
    [
        "A parking permit usually costs 20 euros per month. Let me know if you need anything else!",
        '{"type": "object", "properties": {"main_query": {"type": "string"}}, "required": ["main_query"]}',
        '{"main_query": {"type": "string"}, "expansions": {"type": "array"}}',
        "",
    ],
    ids=["prose", "schema", "schema of fields", "nothing"],
)
def test_what_is_no_query_even_the_second_time_is_invalid(models: ScriptedModels, chat: OpenAIChat, said: str) -> None:
    models.chat.say(said, said)

    with pytest.raises(ModelOutputInvalid):
        extracted(chat)


def test_an_answer_cut_off_is_invalid(models: ScriptedModels, chat: OpenAIChat) -> None:
    models.chat.say(Completion(PERMIT, finish_reason="length"))

    with pytest.raises(ModelOutputInvalid):
        extracted(chat)


def test_a_server_that_is_down_is_an_outage(models: ScriptedModels, chat: OpenAIChat) -> None:
    models.chat.fail("500")

    with pytest.raises(ServiceUnavailable):
        extracted(chat)


@pytest.mark.parametrize(
    ("said", "text", "answerable"),
    [
        ({"answerable": True, "answer": "It opens at seven [1].", "missing": ""}, "It opens at seven [1].", True),
        ('{"answerable": "yes", "answer": "It opens at seven 【1】.",}', "It opens at seven 【1】.", True),
        ({"answerable": False, "answer": "", "missing": ""}, "", False),
    ],
)
def test_an_answer_is_read_from_what_models_write(
    models: ScriptedModels, chat: OpenAIChat, said: Reply, text: str, answerable: bool
) -> None:
    models.chat.say(said)
    passage = Passage(1, "c1", "The bike store opens at seven.", "bikes.md", "Bikes", 1, 1)
    found = [Evidence(Candidate(passage, 0.5, 1.0, 0.5), 0.9)]

    draft = ChatAnswerer(chat, 8_000).compose(ExtractedQuery("When does the bike store open?", "en"), found)

    assert (draft.text, draft.answerable) == (text, answerable)
    assert models.chat.bodies[0]["max_tokens"] == 512
