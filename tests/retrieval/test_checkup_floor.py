"""The checkup tells a reranker whose floor nobody has calibrated."""

from contextlib import closing
from pathlib import Path

from retrieval import build
from retrieval.adapters.sql import open_store
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Check
from tests.model_servers.scripted import ScriptedModels


def floor_check(settings: RetrievalSettings) -> Check:
    [found] = [check for check in build.examine(settings, {}) if check.subject == "Relevance floor"]
    return found


def test_a_floor_is_looked_up_by_the_name_that_the_server_tells(tmp_path: Path) -> None:
    with ScriptedModels() as models:
        settings = load(
            RetrievalSettings, {"_env_file": None, "data_dir": tmp_path, "reranker_base_url": models.reranker_url}
        )
        before = floor_check(settings)
        with closing(open_store(settings.store_url)) as store:
            store.floors("expanded").set(models.reranker.model, 0.1, 80)
        after = floor_check(settings)

    assert (before.status, before.facts["floor"], before.facts["from"]) == ("look", 0.5, "default")
    assert "footnote eval calibrate" in before.advice
    assert (after.status, after.facts["floor"], after.facts["from"]) == ("ok", 0.1, "calibrated")
