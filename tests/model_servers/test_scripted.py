"""The scripted models, asked by the clients that people use."""

import httpx
import numpy as np
import openai
import pytest
import requests

from tests.model_servers.scripted import Completion, ScriptedChat, ScriptedEmbedding, ScriptedModels, ServerKind


def client(url: str, key: str = "none") -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key=key, max_retries=0, http_client=httpx.Client(trust_env=False))


def said(models: ScriptedModels, text: str = "Hello") -> str | None:
    with client(models.chat_url) as asked:
        done = asked.chat.completions.create(model=models.chat.model, messages=[{"role": "user", "content": text}])
    return done.choices[0].message.content


def test_a_chat_says_what_was_queued_and_then_what_it_makes_of_the_messages() -> None:
    with ScriptedModels(chat=ScriptedChat(reply=lambda messages: messages[-1]["content"].upper())) as models:
        models.chat.say("One.", {"n": 2}, Completion(None, "length", "Hm."))
        assert [said(models) for _ in range(4)] == ["One.", '{"n": 2}', None, "HELLO"]
        models.chat.server = "swift"
        assert said(models) == "<think>\n\n</think>\n\nHELLO"

    assert [body["messages"][0]["content"] for body in models.chat.bodies] == ["Hello"] * 5


@pytest.mark.parametrize("server", ["swift", "vllm"])
def test_texts_that_share_words_have_near_vectors(server: ServerKind) -> None:
    texts = ["The spare key is kept in box 7.", "The bike store opens at seven."]
    question = "Instruct: Given a question\nQuery:Where is the spare key?"

    with ScriptedModels(embedding=ScriptedEmbedding(server=server)) as models, client(models.embedding_url) as asked:
        rows = [
            np.array(asked.embeddings.create(model=models.embedding.model, input=text).data[0].embedding)
            for text in [question, *texts]
        ]

    assert rows[0] @ rows[1] > 0.5 > rows[0] @ rows[2]
    assert float(np.linalg.norm(rows[1])) == pytest.approx(1, abs=1e-3)


def test_lists_are_taken_as_the_kind_of_server_does() -> None:
    with ScriptedModels() as models, client(models.embedding_url) as asked:
        found = asked.embeddings.create(model=models.embedding.model, input=["a", "b"])
        models.embedding.server = "swift"
        with pytest.raises(openai.UnprocessableEntityError, match="valid string"):
            asked.embeddings.create(model=models.embedding.model, input=["a", "b"])

    assert [row.index for row in found.data] == [0, 1]


@pytest.mark.parametrize(("server", "error"), [("swift", openai.BadRequestError), ("vllm", openai.AuthenticationError)])
def test_a_key_is_demanded_as_the_kind_of_server_does(server: ServerKind, error: type[Exception]) -> None:
    with ScriptedModels(chat=ScriptedChat(server=server, api_key="right")) as models:
        with client(models.chat_url, "wrong") as asked, pytest.raises(error):
            asked.chat.completions.create(model=models.chat.model, messages=[{"role": "user", "content": "Hello"}])
        keyless = requests.get(f"{models.chat_url}/models", timeout=10)

    assert keyless.status_code == (200 if server == "swift" else 401)


def test_leaving_waits_for_no_call_that_hangs() -> None:
    with ScriptedModels() as models:
        models.chat.fail("hang")
        models.chat.hold(2)
        with client(models.chat_url) as asked, pytest.raises(openai.APITimeoutError):
            asked.with_options(timeout=0.2).chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Hello"}]
            )


def test_a_service_that_is_down_breaks_connections_and_where_nobody_listens_there_is_none() -> None:
    with ScriptedModels() as models:
        models.chat.fail("refused", times=1)
        for url in (f"{models.chat_url}/models", f"{models.closed_url}/models"):
            with pytest.raises(requests.ConnectionError):
                requests.get(url, timeout=10)
