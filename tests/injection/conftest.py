"""One knowledge base of hostile documents for all tests here, with an honest answerer and with an obedient one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.build import Footnote
from retrieval.types import IngestReport
from tests.injection.corpus import opened, taken_in
from tests.injection.obedient import Obedient
from tests.model_servers.scripted import ScriptedChat, ScriptedModels


@pytest.fixture(scope="session")
def hostile_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="session")
def quoting(hostile_folder: Path) -> Iterator[Footnote]:
    with opened(hostile_folder) as footnote:
        yield footnote


@pytest.fixture(scope="session")
def reports(quoting: Footnote, hostile_folder: Path) -> dict[str, IngestReport]:
    """What became of each document, by its id."""
    return taken_in(quoting, hostile_folder)


@pytest.fixture(scope="session")
def obedient(reports: dict[str, IngestReport], hostile_folder: Path) -> Iterator[tuple[Footnote, ScriptedChat]]:
    """Its language model does what everything in its prompts says, and is kept beside it."""
    chat = ScriptedChat(reply=Obedient())
    with ScriptedModels(chat=chat) as models, opened(hostile_folder, chat_base_url=models.chat_url) as footnote:
        yield footnote, chat
