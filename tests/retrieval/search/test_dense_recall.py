"""A changed embedding model, a server that is down, and one that runs another model than it is asked for."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.adapters.embedded_models import SentenceEncoder
from retrieval.adapters.sql import SqlStore, open_store
from retrieval.library.reembed import Reembedding
from retrieval.ports import EmbeddingModel
from retrieval.types import Missing
from tests.model_servers import meaning
from tests.model_servers.scripted import ScriptedModels
from tests.retrieval.library.word_vectors import WordVectors
from tests.retrieval.search.recalling import Asking, Clients, take_in

LOCKERS = "The locker deposit is 300 euros."
BIKES = "The bike store opens at seven."
IN_CHINESE = "储物柜押金是多少？"
IN_ENGLISH = "How much is the locker deposit?"
BY_MEANING = ["lockers.md", "bikes.md"]
BY_KEYWORDS = ["lockers.md"]
OLD = SentenceEncoder.name


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


@pytest.fixture
def models() -> Iterator[ScriptedModels]:
    """A server that runs one embedding model, and serves it by whatever name it is asked for."""
    with ScriptedModels() as running:
        running.embedding.server = "llama.cpp"
        yield running


@pytest.fixture
def clients() -> Iterator[Clients]:
    with closing(Clients()) as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    opened = open_store(f"sqlite:///{tmp_path / 'footnote.db'}")
    yield opened
    opened.close()


@pytest.fixture
def two_documents(store: SqlStore, encoder: SentenceEncoder) -> None:
    """Both with vectors of the embedded model."""
    take_in_both(store, encoder)


@pytest.mark.usefixtures("two_documents")
def test_a_question_in_other_words_finds_passages_by_the_configured_model(
    store: SqlStore, encoder: SentenceEncoder, tmp_path: Path
) -> None:
    assert Asking(store, tmp_path, encoder).ask(IN_CHINESE) == (BY_MEANING, [])


@pytest.mark.usefixtures("two_documents")
def test_after_a_change_of_model_passages_are_found_by_their_old_vectors_and_new_ones_by_keywords(
    store: SqlStore, encoder: SentenceEncoder, clients: Clients, models: ScriptedModels, tmp_path: Path
) -> None:
    new = clients.of(models)
    take_in(store, new, "canteen.md", "The canteen serves lunch.")
    asking = Asking(store, tmp_path, new, earlier={OLD: encoder}.get)

    assert asking.ask(IN_CHINESE) == (BY_MEANING, [Missing.VECTORS])
    assert "canteen.md" in asking.ask("Does the canteen serve lunch?")[0]


@pytest.mark.usefixtures("two_documents")
def test_after_a_change_of_model_keywords_alone_are_searched_where_the_old_one_cannot_be_asked(
    store: SqlStore, clients: Clients, models: ScriptedModels, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asking = Asking(store, tmp_path, clients.of(models))

    assert asking.ask(IN_CHINESE) == ([], [Missing.VECTORS, Missing.EMBEDDING])
    assert asking.ask(IN_ENGLISH) == (BY_KEYWORDS, [Missing.VECTORS, Missing.EMBEDDING])
    assert models.embedding.calls == []  # vectors of the new model would be compared with nothing
    told = [record.getMessage() for record in caplog.records]
    assert [line for line in told if "Qwen3-Embedding-0.6B; run: footnote kb reembed" in line] == told


def test_the_old_model_is_asked_as_long_as_its_server_answers(
    store: SqlStore, encoder: SentenceEncoder, clients: Clients, models: ScriptedModels, tmp_path: Path
) -> None:
    old = clients.of(models, "old-model")
    take_in_both(store, old)
    asking = Asking(store, tmp_path, encoder, earlier={"old-model": old}.get)

    assert asking.ask(IN_ENGLISH) == (BY_MEANING, [Missing.VECTORS])
    models.embedding.fail("500")
    assert asking.ask(IN_ENGLISH) == (BY_KEYWORDS, [Missing.VECTORS, Missing.EMBEDDING])
    calls = len(models.embedding.calls)
    assert asking.ask(IN_ENGLISH) == (BY_KEYWORDS, [Missing.VECTORS, Missing.EMBEDDING])
    assert len(models.embedding.calls) == calls  # it is left alone for a while


def test_a_server_that_answers_for_the_old_model_with_another_one_of_its_width_is_not_believed(
    store: SqlStore, clients: Clients, models: ScriptedModels, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = clients.of(models, "old-model"), clients.of(models, "new-model")
    take_in_both(store, old)
    models.embedding.vector_of = another_model(models.embedding.width)

    assert Asking(store, tmp_path, new, earlier={"old-model": old}.get).ask(IN_ENGLISH) == (
        BY_KEYWORDS,
        [Missing.VECTORS, Missing.EMBEDDING],
    )
    assert "what answers for old-model is another model" in caplog.text


def test_a_server_that_comes_back_with_another_model_is_noticed(
    store: SqlStore, encoder: SentenceEncoder, clients: Clients, models: ScriptedModels, tmp_path: Path
) -> None:
    old = clients.of(models, "old-model")
    take_in_both(store, old)
    asking = Asking(store, tmp_path, encoder, earlier={"old-model": old}.get)
    assert asking.ask(IN_ENGLISH) == (BY_MEANING, [Missing.VECTORS])
    models.embedding.fail("400")
    asking.ask(IN_ENGLISH)

    models.embedding.heal()
    models.embedding.vector_of = another_model(models.embedding.width)

    assert asking.ask(IN_ENGLISH) == (BY_KEYWORDS, [Missing.VECTORS, Missing.EMBEDDING])


def test_where_no_old_model_answers_those_passages_are_found_by_meaning_that_have_new_vectors(
    store: SqlStore, clients: Clients, models: ScriptedModels, tmp_path: Path
) -> None:
    take_in(store, WordVectors(), "bikes.md", BIKES)
    new = clients.of(models)
    take_in(store, new, "lockers.md", LOCKERS)

    asking = Asking(store, tmp_path, new, earlier={new.name: new}.get)

    assert asking.ask(IN_CHINESE) == (["lockers.md"], [Missing.VECTORS])


@pytest.mark.usefixtures("two_documents")
def test_a_server_down_at_the_start_leaves_keywords_until_it_comes(
    store: SqlStore, clients: Clients, models: ScriptedModels, tmp_path: Path
) -> None:
    new = clients.of(models)
    Reembedding(store, new).run()
    models.embedding.fail("refused")
    asking = Asking(store, tmp_path, clients.of(models))

    assert asking.ask(IN_ENGLISH) == (BY_KEYWORDS, [Missing.EMBEDDING])
    assert not (tmp_path / "dense").exists()
    models.embedding.heal()
    assert asking.ask(IN_ENGLISH) == (BY_MEANING, [])
    models.embedding.fail("refused")
    assert asking.ask(IN_ENGLISH) == (BY_KEYWORDS, [Missing.EMBEDDING])


def test_another_width_under_the_same_name_is_told_and_mended(
    store: SqlStore, clients: Clients, models: ScriptedModels, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    models.embedding.width = 64
    take_in_both(store, clients.of(models))
    assert Asking(store, tmp_path, clients.of(models)).ask(IN_ENGLISH) == (BY_MEANING, [])

    models.embedding.width = 48
    restarted = clients.of(models)
    asking = Asking(store, tmp_path, restarted, earlier={restarted.name: restarted}.get)

    assert asking.ask(IN_ENGLISH) == (BY_KEYWORDS, [Missing.VECTORS, Missing.EMBEDDING])
    assert "gives vectors of 48 numbers now" in caplog.text
    assert "footnote kb reembed" in caplog.text
    Reembedding(store, restarted).run()
    assert asking.ask(IN_ENGLISH) == (BY_MEANING, [])


@pytest.mark.usefixtures("two_documents")
def test_searches_go_on_while_documents_are_embedded_anew_and_change_over_when_that_is_done(
    store: SqlStore, encoder: SentenceEncoder, tmp_path: Path
) -> None:
    new = WordVectors()
    take_in(store, encoder, "rules.md", *(f"Rule {n} of the house." for n in range(200)))
    asking = Asking(store, tmp_path, new, earlier={OLD: encoder}.get, is_served=False)
    done = threading.Event()
    found: list[tuple[str, list[Missing]]] = []

    def search() -> None:
        while not done.is_set():
            documents, missing = asking.ask(IN_ENGLISH)
            found.append((documents[0], missing))

    searching = [threading.Thread(target=search) for _ in range(2)]
    for thread in searching:
        thread.start()
    try:
        Reembedding(store, new).run()
    finally:
        done.set()
        for thread in searching:
            thread.join()

    assert {document for document, _ in found} <= {"lockers.md"}
    assert all(missing in ([Missing.VECTORS], []) for _, missing in found)
    assert asking.ask(IN_ENGLISH)[1] == []


@pytest.mark.usefixtures("two_documents")
def test_a_model_set_back_needs_nothing(store: SqlStore, encoder: SentenceEncoder, tmp_path: Path) -> None:
    Asking(store, tmp_path, encoder).ask(IN_ENGLISH)
    Reembedding(store, WordVectors()).run()

    assert Asking(store, tmp_path, encoder).ask(IN_CHINESE) == (BY_MEANING, [])


def take_in_both(store: SqlStore, model: EmbeddingModel) -> None:
    take_in(store, model, "lockers.md", LOCKERS)
    take_in(store, model, "bikes.md", BIKES)


def another_model(width: int) -> Callable[[str], list[float]]:
    """Vectors of that width that have nothing to do with those of the model that the server runs otherwise."""
    return lambda text: meaning.vector(f"{text} said otherwise"[::-1], width)
