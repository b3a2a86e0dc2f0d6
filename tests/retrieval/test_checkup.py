"""The checkup finds what is wrong with each service and says what to do; what is right it leaves alone."""

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from retrieval import build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Check
from tests.model_servers.replay import ReplayServer
from tests.model_servers.scripted import (
    Body,
    Completion,
    Reply,
    ScriptedChat,
    ScriptedEmbedding,
    ScriptedModels,
    ScriptedReranker,
)
from tests.model_servers.server import ModelServer, Request, Response

SERVERS = ("Chat server", "Embedding server", "Reranker server")
Change = Callable[[ScriptedModels], object]


def knows_capitals(messages: list[Body]) -> Reply:
    """Fills in the form, and stops counting where it is told to."""
    if "capital of France" in str(messages):
        return {"country": "France", "capital": "Paris"}
    return Completion("1\n2\n3", "length")


def served_by(models: ScriptedModels) -> dict[str, Any]:
    return {
        "chat_base_url": models.chat_url,
        "embedding_base_url": models.embedding_url,
        "reranker_base_url": models.reranker_url,
        "relevance_floor": 0.5,
    }


def examined(data_dir: Path, **settings: Any) -> dict[str, Check]:
    """All checks by their subject, each of which comes once."""
    checks = build.examine(load(RetrievalSettings, {"data_dir": data_dir, **settings}), {})
    assert len({check.subject for check in checks}) == len(checks)
    return {check.subject: check for check in checks}


def problems(checks: Mapping[str, Check]) -> dict[str, str]:
    """What is to be done, by subject, but for documents and room on the disk."""
    here = ("Store", "Data folder")
    return {name: check.advice for name, check in checks.items() if check.advice and name not in here}


def test_without_servers_the_embedded_models_are_examined(tmp_path: Path) -> None:
    checks = examined(tmp_path)

    assert problems(checks) == {}
    assert checks["Embedded encoder"].facts["width"] == 512
    assert checks["Embedded reranker"].facts["relevant"] == pytest.approx(1, abs=0.1)
    assert [checks[name].facts["served"] for name in SERVERS] == [False, False, False]


def test_good_servers_are_told_with_their_figures(tmp_path: Path) -> None:
    with ScriptedModels(chat=ScriptedChat(reply=knows_capitals)) as models:
        checks = examined(tmp_path, **served_by(models))

    assert problems(checks) == {}
    assert checks["Embedding server"].facts.items() >= {"texts_a_call": "many", "width": 256, "norm": 1.0}.items()
    assert checks["Embedding server"].facts["model"] == "Qwen3-Embedding-0.6B"
    assert checks["Embedding longest text"].facts == {"chars": 2000, "english": "passes", "chinese": "passes"}
    assert checks["Reranker server"].facts["template"] is True
    assert checks["Reranker self-test"].facts["instruction"] == "heeded"
    assert checks["Chat server"].facts["max_tokens"] == "obeyed"
    assert checks["Chat self-test"].facts.items() >= {"form": "as asked", "answer": "Paris"}.items()
    assert all(isinstance(checks[name].facts["latency_ms"], int) for name in SERVERS)


def test_the_ways_of_ms_swift_are_told_and_no_trouble(tmp_path: Path) -> None:
    chat = ScriptedChat(server="swift", api_key="123", reply=knows_capitals)
    embedding, reranker = ScriptedEmbedding(server="swift"), ScriptedReranker(server="swift")
    with ScriptedModels(chat, embedding, reranker) as models:
        own = {"chat_model": "Qwen/Qwen3-4B", "chat_api_key": "123", "reranker_api": "swift"}
        checks = examined(tmp_path, **served_by(models), **own)

    assert problems(checks) == {}
    assert checks["Embedding server"].facts.items() >= {"texts_a_call": "one", "norm": 0.9998}.items()
    assert checks["Chat server"].facts["key"] == "accepted"
    assert checks["Chat self-test"].facts.items() >= {"form": "after mending", "think_prefix": True}.items()


def test_the_extractor_is_examined_where_it_is_another_model(tmp_path: Path) -> None:
    def reply(messages: list[Body]) -> Reply:
        said = knows_capitals(messages)
        return said if isinstance(said, Completion) else Completion(str(said).replace("'", '"'), reasoning="Well …")

    with ScriptedModels(chat=ScriptedChat(reply=reply)) as models:
        checks = examined(tmp_path, chat_base_url=models.chat_url, extractor_base_url=models.chat_url)

    assert checks["Extractor self-test"].facts["thinks"] is True
    assert problems(checks).keys() == {"Chat self-test"}  # the one that should not think
    assert "thinking off" in problems(checks)["Chat self-test"]


def prefers_butter(query: str, passage: str, instruction: str) -> float:
    return 0.9 if "butter" in passage else 1 / len(passage)


def scores_low(query: str, passage: str, instruction: str) -> float:
    return 0.3 if "Beijing" in passage else 1 / len(passage)


def by_length(text: str) -> list[float]:
    return [1.0, len(text) / 10]


@pytest.mark.parametrize(
    ("change", "subject", "advice"),
    [
        (lambda m: setattr(m.chat, "api_key", "other"), "Chat server", "CHAT_API_KEY"),
        (lambda m: setattr(m.embedding, "api_key", "other"), "Embedding server", "EMBEDDING_API_KEY"),
        (lambda m: setattr(m.reranker, "api_key", "other"), "Reranker server", "RERANKER_API_KEY"),
        (lambda m: m.chat.fail("500"), "Chat server", "fails"),
        (lambda m: m.embedding.fail("wrong_json"), "Embedding server", "no model server"),
        (lambda m: m.embedding.fail("nan"), "Embedding self-test", "not finite"),
        (lambda m: m.reranker.fail("nan"), "Reranker self-test", "not a number"),
        (lambda m: m.reranker.fail("wrong_count"), "Reranker self-test", "passages"),
        (lambda m: setattr(m.chat, "reply", lambda _: "Noted."), "Chat self-test", "larger model"),
        (lambda m: setattr(m.reranker, "templated", False), "Reranker server", "docs/qwen3_reranker.jinja"),
        (lambda m: setattr(m.reranker, "score_of", lambda *_: 0.5), "Reranker self-test", "head"),
        (lambda m: setattr(m.reranker, "score_of", prefers_butter), "Reranker self-test", "above the answer"),
        (lambda m: setattr(m.reranker, "score_of", scores_low), "Reranker self-test", "RELEVANCE_FLOOR"),
        (lambda m: setattr(m.embedding, "vector_of", by_length), "Embedding self-test", "no embedding model"),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(change: Change, subject: str, advice: str, tmp_path: Path) -> None:
    with ScriptedModels(chat=ScriptedChat(reply=knows_capitals)) as models:
        change(models)
        checks = examined(tmp_path, **served_by(models))

    assert checks[subject].status == "wrong"
    assert advice in checks[subject].advice
    assert problems(checks).keys() == {subject}


def test_a_chat_server_that_ignores_the_limit_is_worth_a_look(tmp_path: Path) -> None:
    def counts_on(messages: list[Body]) -> Reply:
        return "1 " * 99 if "Count" in str(messages) else knows_capitals(messages)

    with ScriptedModels(chat=ScriptedChat(reply=counts_on)) as models:
        checks = examined(tmp_path, chat_base_url=models.chat_url)

    assert checks["Chat server"].status == "look"
    assert "max_tokens" in checks["Chat server"].advice


def test_a_text_that_never_gets_the_same_vector_is_worth_a_look(tmp_path: Path) -> None:
    turn = itertools.count()
    embedding = ScriptedEmbedding()
    meaning = embedding.vector

    def wobbling(text: str) -> list[float]:
        embedding.vector_of = None
        row = [*meaning(text), 0.1 * next(turn)]
        embedding.vector_of = wobbling
        return row

    embedding.vector_of = wobbling
    with ScriptedModels(embedding=embedding) as models:
        checks = examined(tmp_path, embedding_base_url=models.embedding_url)

    assert checks["Embedding self-test"].status == "look"


@pytest.mark.parametrize("server", ["swift", "vllm", "llama.cpp"])
def test_a_limit_below_ours_is_told_with_a_length_that_passes(server: Any, tmp_path: Path) -> None:
    with ScriptedModels(embedding=ScriptedEmbedding(server=server, max_chars=1200)) as models:
        told = examined(tmp_path, embedding_base_url=models.embedding_url)["Embedding longest text"]
        again = examined(tmp_path, embedding_base_url=models.embedding_url, embedding_max_chars=1000)

    assert (told.status, told.facts["english"]) == ("wrong", "refused")
    assert "EMBEDDING_MAX_CHARS=1000" in told.advice
    assert again["Embedding longest text"].status == "ok"


def test_a_limit_that_only_dense_scripts_reach_is_worth_a_look(tmp_path: Path) -> None:
    reranker = ScriptedReranker()

    def refuses_chinese(query: str, passage: str, instruction: str) -> float:
        reranker.max_chars = 2000 if "员工" in passage else None
        reranker.demand_length(passage)
        return 0.9 if "Beijing" in passage else 0.1

    reranker.score_of = refuses_chinese
    with ScriptedModels(reranker=reranker) as models:
        checks = examined(tmp_path, reranker_base_url=models.reranker_url)

    assert checks["Reranker longest passage"].status == "look"
    assert "RERANKER_MAX_CHARS=2000" in checks["Reranker longest passage"].advice


def test_nothing_listens(tmp_path: Path) -> None:
    with ScriptedModels() as models:
        closed = models.closed_url
        checks = examined(tmp_path, chat_base_url=closed, embedding_base_url=closed, reranker_base_url=closed)

    assert [checks[name].status for name in SERVERS] == ["wrong"] * 3
    assert all("start it, or correct" in checks[name].advice for name in SERVERS)
    assert checks["Chat server"].facts == {"address": closed}


def test_an_embedding_server_in_place_of_a_reranker_is_recognised(tmp_path: Path) -> None:
    with ScriptedModels() as models:
        checks = examined(tmp_path, reranker_base_url=models.embedding_url)

    assert checks["Reranker self-test"].status == "wrong"
    assert "cosine" in checks["Reranker self-test"].advice


@pytest.mark.parametrize(("server", "api", "right"), [("swift", "rerank", "swift"), ("vllm", "swift", "rerank")])
def test_another_api_than_the_one_set_is_named(server: Any, api: str, right: str, tmp_path: Path) -> None:
    with ScriptedModels(reranker=ScriptedReranker(server=server)) as models:
        checks = examined(tmp_path, reranker_base_url=models.reranker_url, reranker_api=api)

    assert checks["Reranker server"].status == "wrong"
    assert f"RERANKER_API={right}" in checks["Reranker server"].advice


def test_a_model_that_the_server_has_not_is_told_with_those_it_has(tmp_path: Path) -> None:
    with ScriptedModels() as models:
        checks = examined(tmp_path, embedding_base_url=models.embedding_url, embedding_model="bge-m3")

    assert "Qwen3-Embedding-0.6B, not bge-m3" in checks["Embedding server"].advice


@pytest.mark.parametrize(
    ("recorded", "variable"),
    [
        (("vllm_emb_models", "vllm_emb_str"), "EMBEDDING_BASE_URL"),
        (("vllm_rr_tpl_rerank",), "RERANKER_BASE_URL"),
        (("swift_chat_models_nokey", "swift_chat_ok"), "CHAT_BASE_URL"),
    ],
)
def test_an_address_without_its_v1_is_told_with_the_right_one(
    recorded: tuple[str, ...], variable: str, tmp_path: Path
) -> None:
    with ReplayServer(*recorded) as server:
        checks = examined(tmp_path, **{variable.lower(): server.url})

    assert f"set {variable}={server.url}/v1" in " ".join(problems(checks).values())


def test_a_real_server_without_the_template_is_recognised(tmp_path: Path) -> None:
    with ReplayServer("vllm_rr_notpl_rerank") as server:
        checks = examined(tmp_path, reranker_base_url=f"{server.url}/v1", reranker_model="Qwen/Qwen3-Reranker-0.6B")

    assert checks["Reranker server"].facts["template"] is False
    assert "--chat-template" in checks["Reranker server"].advice


def test_ms_swift_on_a_vllm_without_its_task_is_told(tmp_path: Path) -> None:
    with ReplayServer("swift_vllm_rr_pair_FAILS") as server:
        address = {"reranker_base_url": f"{server.url}/v1", "reranker_api": "swift"}
        checks = examined(tmp_path, **address, reranker_model="Qwen3-Reranker-0.6B")

    assert "docs/serving.md" in checks["Reranker server"].advice


@pytest.mark.parametrize("service", ["Embedding", "Reranker", "Chat"])
@pytest.mark.parametrize("user", ["me:tiger", "sk-tiger"])
def test_a_password_in_an_address_is_refused_and_not_shown(service: str, user: str, tmp_path: Path) -> None:
    checks = examined(tmp_path, **{f"{service.lower()}_base_url": f"http://{user}@127.0.0.1:1/v1"})

    assert f"{service.upper()}_API_KEY" in checks[f"{service} server"].advice
    assert "tiger" not in str(checks)


class Embedding:
    """A server of two models that fails on long texts, and where it is `frail` for good after one."""

    def __init__(self, *, frail: bool) -> None:
        self.frail, self.is_dead = frail, False

    def __call__(self, request: Request) -> Response:
        if request.path == "/v1/models":
            return Response(
                200, {"data": [{"id": "Qwen/bge-m3", "max_model_len": 512}, {"id": "Qwen3-Embedding-0.6B"}]}
            )
        asked = request.body["input"]
        texts = [asked] if isinstance(asked, str) else asked
        if self.is_dead or max(map(len, texts)) > 1000:
            self.is_dead = self.frail
            return Response(500, "out of memory")
        rows = enumerate(ScriptedEmbedding().vector(text) for text in texts)
        return Response(200, {"data": [{"index": index, "embedding": row} for index, row in rows]})


@pytest.mark.parametrize(("frail", "status"), [(False, "look"), (True, "wrong")])
def test_a_server_that_is_out_for_good_after_a_long_text_is_told_from_one_that_is_not(
    frail: bool, status: str, tmp_path: Path
) -> None:
    with ModelServer(Embedding(frail=frail)) as server:
        checks = examined(tmp_path, embedding_base_url=f"{server.url}/v1", embedding_model="Qwen3-Embedding-0.6B")

    assert checks["Embedding server"].status == "ok"
    assert checks["Embedding longest text"].status == status


def test_a_server_of_several_models_asks_for_a_choice(tmp_path: Path) -> None:
    with ModelServer(Embedding(frail=False)) as server:
        check = examined(tmp_path, embedding_base_url=f"{server.url}/v1")["Embedding server"]

    assert (check.status, check.facts["model"], check.facts["window_tokens"]) == ("look", "Qwen/bge-m3", 512)
    assert check.facts["serves"] == ["Qwen/bge-m3", "Qwen3-Embedding-0.6B"]
    assert "EMBEDDING_MODEL" in check.advice


def test_a_window_smaller_than_the_one_set_is_wrong(tmp_path: Path) -> None:
    def answer(request: Request) -> Response:
        if request.method == "GET":
            return Response(200, {"data": [{"id": "Qwen3-4B", "max_model_len": 4096}]})
        message = {"role": "assistant", "content": '{"country": "France", "capital": "Paris"}'}
        return Response(200, {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})

    with ModelServer(answer) as server:
        check = examined(tmp_path, chat_base_url=f"{server.url}/v1")["Chat server"]

    assert check.status == "wrong"
    assert "takes 4096 tokens; set CHAT_WINDOW_TOKENS" in check.advice
