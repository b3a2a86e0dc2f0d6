"""compose.yaml and the Dockerfile make sense: no Docker engine is at hand to try them."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml  # type: ignore[import-untyped]  # its stubs would be one more dependency for one test

from retrieval.settings import RetrievalSettings, load
from tests.test_serving_documentation import words

ROOT = Path(__file__).resolve().parents[1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
BOTS = {name: service for name, service in SERVICES.items() if "build" in service}
SERVERS = {name: service for name, service in SERVICES.items() if "build" not in service}
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


def flags(service: dict[str, Any]) -> dict[str, str]:
    """The options of a server's command, without their dashes."""
    return dict(part.removeprefix("--").split("=", 1) for part in service["command"][1:])


def test_the_bot_comes_alone_or_with_three_models_that_need_a_gpu() -> None:
    assert {name: bot["profiles"] for name, bot in BOTS.items()} == {"bot": ["bot"], "bot-gpu": ["gpu-vllm"]}
    assert set(SERVERS) == {"embedding", "reranker", "chat"}
    for server in SERVERS.values():
        assert server["profiles"] == ["gpu-vllm"]
        (device,) = server["deploy"]["resources"]["reservations"]["devices"]
        assert (device["driver"], device["capabilities"]) == ("nvidia", ["gpu"])


@pytest.mark.parametrize("name", BOTS)
def test_what_is_set_for_the_bot_are_valid_settings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = BOTS[name]["environment"]

    assert set(given) <= {field.upper() for field in RetrievalSettings.model_fields}
    assert load(RetrievalSettings, {variable.lower(): value for variable, value in given.items()})


@pytest.mark.parametrize("kind", ["chat", "embedding", "reranker"])
def test_the_bot_asks_each_server_for_its_model_where_it_listens(kind: str) -> None:
    given, server = BOTS["bot-gpu"]["environment"], SERVERS[kind]
    address = urlsplit(given[f"{kind.upper()}_BASE_URL"])

    assert (address.hostname, str(address.port), address.path) == (kind, flags(server)["port"], "/v1")
    assert given[f"{kind.upper()}_MODEL"] == server["command"][0]
    assert f"//127.0.0.1:{address.port}/health" in server["healthcheck"]["test"][-1]


def test_windows_hold_what_the_bot_sends() -> None:
    settings = RetrievalSettings.model_fields
    sent = [("chat", "chat_window_tokens"), ("embedding", "embedding_max_chars"), ("reranker", "reranker_max_chars")]

    assert [kind for kind, most in sent if int(flags(SERVERS[kind])["max-model-len"]) < settings[most].default] == []


def test_the_shares_of_the_card_leave_room() -> None:
    assert sum(float(flags(server)["gpu-memory-utilization"]) for server in SERVERS.values()) <= 0.9


def test_servers_start_one_after_the_other_and_the_bot_last() -> None:
    awaited = {name: set(service.get("depends_on", {})) for name, service in SERVICES.items()}
    order: list[str] = []
    while ready := [name for name, others in awaited.items() if name not in order and others <= set(order)]:
        order += ready
        assert len([name for name in ready if name in SERVERS]) <= 1

    assert order[-1] == "bot-gpu"
    assert all(
        how == {"condition": "service_healthy"}
        for service in SERVICES.values()
        for how in service.get("depends_on", {}).values()
    )


@pytest.mark.parametrize("name", SERVICES)
def test_what_is_mounted_exists(name: str) -> None:
    sources = {mount.split(":")[0] for mount in SERVICES[name]["volumes"]}
    files = {source for source in sources if source.startswith(".")}

    assert [source for source in files if not (ROOT / source).is_file()] == []
    assert sources - files <= COMPOSE["volumes"].keys()


def test_the_reranker_finds_its_template() -> None:
    reranker = SERVERS["reranker"]

    assert f"./docs/qwen3_reranker.jinja:{flags(reranker)['chat-template']}:ro" in reranker["volumes"]


@pytest.mark.parametrize("name", SERVERS)
def test_servers_are_started_as_the_documentation_says(name: str) -> None:
    model = SERVERS[name]["command"][0]
    page = (ROOT / "docs/serving.md").read_text("utf-8")
    (command,) = re.findall(rf"vllm serve {model} (.*?)(?=\n\n|```)", page, re.DOTALL)
    names, values = words(command)[::2], words(command)[1::2]
    documented = {name.removeprefix("--"): value for name, value in zip(names, values, strict=True)}
    elsewhere = {"host": None, "port": None, "chat-template": None}

    assert documented | elsewhere == flags(SERVERS[name]) | elsewhere


def test_the_overrides_of_the_reranker_are_json() -> None:
    assert json.loads(flags(SERVERS["reranker"])["hf-overrides"])["classifier_from_token"] == ["no", "yes"]


def test_the_image_holds_every_package_and_what_they_link_to() -> None:
    copied = [source for line in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE) for source in line.split()]
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    links = {path.resolve() for name in packages for path in (ROOT / name).rglob("*") if path.is_symlink()}

    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert packages | {"pyproject.toml", "constraints.txt"} <= set(copied)
    assert links <= {(ROOT / name).resolve() for name in copied}


def test_the_image_runs_pinned_versions_and_not_as_root_with_its_data_in_a_volume() -> None:
    volume = BOTS["bot"]["volumes"][0].split(":")[1]

    assert "pip install --no-cache-dir --constraint constraints.txt ." in DOCKERFILE
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE) == ["footnote"]
    assert f"DATA_DIR={volume}" in DOCKERFILE
    assert f"VOLUME {volume}" in DOCKERFILE
    assert {bot["environment"]["DATA_DIR"] for bot in BOTS.values()} == {volume}
