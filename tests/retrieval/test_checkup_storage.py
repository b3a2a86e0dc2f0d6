"""The checkup of the data folder, the store and its vectors, which changes nothing of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest
import sqlalchemy as sa

from retrieval.adapters.sql import open_store
from retrieval.adapters.sql.inspection import look_at
from retrieval.adapters.sql.schema import state
from retrieval.checkup.storage import folder_check, store_check
from retrieval.checkup.vectors import stored_vectors_check
from retrieval.errors import ConfigurationError, ServiceUnavailable
from retrieval.types import Check, StoredVectors, Vectors, embedded_text
from tests.retrieval.adapters.new_versions import DIM, MODEL, embedded, new_version


@dataclass
class Model:
    """An embedding model of a name and a width; `run` is which one really runs under it."""

    name: str = MODEL
    dim: int = DIM
    run: str = ""

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        return embedded([self.run + text for text in texts], self.dim)


def vectors(url: str, model: Model) -> Check:
    return stored_vectors_check("Stored vectors", lambda name: look_at(url, name), model)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with two documents, embedded by MODEL."""
    url = f"sqlite:///{tmp_path / 'footnote.db'}"
    store = open_store(url)
    for name, count in (("leave.md", 2), ("hotels.md", 1)):
        version = new_version(name, *(f"Rule {number} of {name}" for number in range(count)))
        texts = [embedded_text(version.title, chunk) for chunk in version.chunks]
        store.publish(replace(version, vectors=embedded(texts)))
    store.close()
    return url


def test_a_folder_is_told_with_the_room_in_it(tmp_path: Path) -> None:
    check = folder_check("Data folder", tmp_path)

    assert check.facts["exists"] is True
    assert isinstance(check.facts["free_gb"], float)
    assert check.status != "wrong"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    check = folder_check("Data folder", tmp_path / "new" / "data")

    assert (check.status, check.facts["exists"]) != ("wrong", True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    check = folder_check("Data folder", tmp_path / "file" / "data")

    assert check.status == "wrong"
    assert "DATA_DIR" in check.advice


@pytest.mark.parametrize(("free_gb", "status"), [(0.1, "wrong"), (1.0, "look"), (50.0, "ok")])
def test_a_full_disk_is_told(free_gb: float, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free_gb * 1e9))

    assert folder_check("Data folder", tmp_path).status == status


def test_a_store_is_told_with_what_it_holds(url: str) -> None:
    found = look_at(url, MODEL)

    assert (found.documents, found.passages) == (2, 3)
    assert found.vectors == (StoredVectors(MODEL, DIM, 3),)
    assert store_check("Store", found).status == "ok"
    assert vectors(url, Model()).status == "ok"


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'data' / 'footnote.db'}"

    check = store_check("Store", look_at(url))

    assert (check.status, list(tmp_path.iterdir())) == ("look", [])
    assert "footnote ingest" in check.advice
    assert vectors(url, Model()).status == "ok"


def test_an_empty_store_asks_for_documents(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'footnote.db'}"
    open_store(url).close()

    check = store_check("Store", look_at(url))

    assert (check.status, check.facts["documents"]) == ("look", 0)


@pytest.mark.parametrize(("schema", "status", "advice"), [(1, "look", "copy it"), (99, "wrong", "newer Footnote")])
def test_a_store_of_another_schema_is_told_and_left_as_it_is(url: str, schema: int, status: str, advice: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(state.update().values(schema_version=schema))
    engine.dispose()

    check = store_check("Store", look_at(url))

    assert check.status == status
    assert advice in check.advice
    assert look_at(url).schema == schema


def test_a_file_that_is_no_store_does_not_answer(tmp_path: Path) -> None:
    (tmp_path / "footnote.db").write_text("This is no database, however long one reads in it.\n" * 100, "utf-8")

    with pytest.raises(ServiceUnavailable, match="not a database"):
        look_at(f"sqlite:///{tmp_path / 'footnote.db'}")


def test_an_address_that_is_no_database_is_a_wrong_setting() -> None:
    with pytest.raises(ConfigurationError, match="DATABASE_URL"):
        look_at("nonsense")


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (Model("embed-b"), "3 of 3 passages have no vectors of embed-b"),
        (Model(dim=32), "now gives vectors 32 wide, those of the passages are 16 wide"),
        (Model(run="another: "), "not the model that embedded the passages"),
    ],
)
def test_vectors_of_another_model_are_told_with_the_way_out(url: str, model: Model, advice: str) -> None:
    check = vectors(url, model)

    assert check.status == "wrong"
    assert advice in check.advice
    assert "footnote kb reembed" in check.advice
