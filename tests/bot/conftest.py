"""A workspace and a scripted bot for the tests of a module."""

from collections.abc import Iterator

import pytest

from tests.bot.scripted import Scripted, running_bot
from tests.running_workspace import WorkspaceHandle, running_workspace


@pytest.fixture(scope="module")
def workspace() -> Iterator[WorkspaceHandle]:
    with running_workspace() as handle:
        yield handle


@pytest.fixture(scope="module")
def scripted(workspace: WorkspaceHandle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with running_bot(workspace, tmp_path_factory.mktemp("bot")) as running:
        yield running
