"""The checkup of settings: each with its value, none of their secrets, and those that do not go together."""

from pathlib import Path
from typing import Any

import pytest

from bot.cli.demo import DemoSettings
from bot.settings import BotSettings
from retrieval.checkup.configuration import misspelt, setting_checks
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Check

CHAT = {"chat_base_url": "http://127.0.0.1:8000/v1"}


def complaints(**settings: Any) -> dict[str, Check]:
    checks = setting_checks(load(RetrievalSettings, settings))
    return {check.subject: check for check in checks if check.status != "ok"}


def test_every_setting_is_told_with_its_value_and_where_it_is_from() -> None:
    groups = (load(RetrievalSettings, {"chunk_size": 400}), load(BotSettings), load(DemoSettings))
    checks = {check.subject: check for check in setting_checks(*groups)}

    assert checks.keys() == {name.upper() for group in groups for name in type(group).model_fields}
    assert checks["CHUNK_SIZE"] == Check("CHUNK_SIZE", "ok", {"value": 400, "from": "set"})
    assert checks["CHUNK_OVERLAP"].facts == {"value": 50, "from": "default"}
    assert checks["ADMIN_USERS"].facts["value"] == []
    assert {check.status for check in checks.values()} == {"ok"}


def test_secrets_are_told_as_set_and_nothing_more() -> None:
    settings = load(
        RetrievalSettings,
        {
            **CHAT,
            "chat_api_key": "tiger-1",
            "database_url": "postgresql://me:tiger-2@db.example:5432/kb?password=tiger-3",
            "embedding_base_url": "https://:tiger-4@api.example/v1?key=tiger-5",
        },
    )
    checks = setting_checks(settings, load(BotSettings, {"slack_bot_token": "xoxb-tiger-6"}))
    values = {check.subject: check.facts["value"] for check in checks}

    assert "tiger" not in str(checks)
    assert (values["CHAT_API_KEY"], values["SLACK_BOT_TOKEN"], values["SLACK_APP_TOKEN"]) == ("set", "set", "not set")
    assert values["DATABASE_URL"] == "postgresql://me:***@db.example:5432/kb?***"


@pytest.mark.parametrize(
    ("settings", "subject", "status", "advice"),
    [
        ({"chat_model": "Qwen3-4B"}, "CHAT_MODEL", "wrong", "CHAT_BASE_URL"),
        ({"extractor_model": "Qwen3-8B"}, "EXTRACTOR_MODEL", "wrong", "EXTRACTOR_BASE_URL or CHAT_BASE_URL"),
        ({"embedding_api_key": "k"}, "EMBEDDING_API_KEY", "wrong", "EMBEDDING_BASE_URL"),
        ({"reranker_api": "swift"}, "RERANKER_API", "wrong", "RERANKER_BASE_URL"),
        ({"reranker_max_chars": 900}, "RERANKER_MAX_CHARS", "look", "RERANKER_BASE_URL"),
        ({"query_strategy": "cot"}, "QUERY_STRATEGY", "look", "CHAT_BASE_URL"),
        ({"query_count": 5}, "QUERY_COUNT", "look", "QUERY_STRATEGY"),
        ({"evidence_passages": 40}, "EVIDENCE_PASSAGES", "look", "RECALL_CANDIDATES"),
        ({"chat_base_url": "127.0.0.1:8000/v1"}, "CHAT_BASE_URL", "wrong", "http://"),
        ({"reranker_base_url": "http://gpu/v1/rerank/"}, "RERANKER_BASE_URL", "wrong", "leave off /rerank"),
        ({"embedding_base_url": "http://gpu/v1/embeddings"}, "EMBEDDING_BASE_URL", "wrong", "leave off /embeddings"),
    ],
)
def test_what_does_not_go_together_is_named(settings: dict[str, Any], subject: str, status: str, advice: str) -> None:
    found = complaints(**settings)

    assert found.keys() == {subject}
    assert found[subject].status == status
    assert advice in found[subject].advice


def test_what_goes_together_is_left_alone() -> None:
    assert complaints(**CHAT, chat_model="Qwen3-4B", extractor_model="Qwen3-8B", query_strategy="multi") == {}


def test_a_misspelt_variable_of_the_env_file_is_named_with_the_one_meant(tmp_path: Path) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text("CHAT_MODLE=Qwen3-4B\nCHAT_BASE_URL=http://gpu/v1\nCOMPOSE_PROJECT_NAME=footnote\n", "utf-8")

    (found,) = misspelt(env_file, load(RetrievalSettings), load(BotSettings))

    assert (found.subject, found.status) == ("CHAT_MODLE", "look")
    assert "CHAT_MODEL" in found.advice


def test_without_an_env_file_nothing_is_misspelt(tmp_path: Path) -> None:
    assert misspelt(tmp_path / ".env", load(RetrievalSettings)) == []
