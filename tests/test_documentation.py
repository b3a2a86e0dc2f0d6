"""The documentation says what the code does."""

import re
import subprocess
from pathlib import Path

import pytest
from pydantic_settings import BaseSettings

from bot.cli.demo import DemoSettings
from bot.settings import BotSettings
from retrieval.settings import RetrievalSettings

ROOT = Path(__file__).resolve().parents[1]
SETTINGS: tuple[type[BaseSettings], ...] = (RetrievalSettings, BotSettings, DemoSettings)
VARIABLES = {name.upper() for kind in SETTINGS for name in kind.model_fields}


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_example_environment_lists_every_setting_and_no_other() -> None:
    assert set(re.findall(r"^#?([A-Z_]+)=", read(".env.example"), re.MULTILINE)) == VARIABLES


def test_the_example_environment_shows_the_defaults() -> None:
    shown = dict(re.findall(r"^#([A-Z_]+)=(.+)$", read(".env.example"), re.MULTILINE))
    defaults = {
        name.upper(): str(field.default)
        for kind in SETTINGS
        for name, field in kind.model_fields.items()
        if field.default is not None and field.default != frozenset()
    }

    assert shown == defaults


def test_the_readme_explains_every_setting() -> None:
    table = read("README.md").split("## Configuration")[1].split("\n## ")[0]

    assert set(re.findall(r"`([A-Z][A-Z_]+)`", table)) >= VARIABLES


def test_the_readmes_tree_names_folders_that_exist() -> None:
    tree = read("README.md").split("## For developers")[1].split("```")[1]
    folders = re.findall(r"^(\w+)/", tree, re.MULTILINE)

    assert len(folders) >= 6
    assert [name for name in folders if not (ROOT / name).is_dir()] == []


def test_every_dependency_is_pinned_and_says_why_it_is_there() -> None:
    project = read("pyproject.toml").split("[project.scripts]")[0].split("dependencies = [", 1)[1]
    lines = [line.strip() for line in project.splitlines() if line.startswith('    "')]

    assert len(lines) > 20
    assert [line for line in lines if not re.match(r'"[\w.-]+==[\w.]+",  # \w', line)] == []


def test_constraints_agree_with_the_pins() -> None:
    pins = dict(re.findall(r'"([\w.-]+)==([\w.]+)",  #', read("pyproject.toml")))
    constraints = {
        name.lower().replace("_", "-"): version
        for name, version in re.findall(r"^([\w.-]+)==([\w.]+)$", read("constraints.txt"), re.MULTILINE)
    }

    assert {n: v for n, v in pins.items() if constraints.get(n.lower().replace("_", "-")) != v} == {}


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", "docs/evaluation.md"])
def test_relative_links_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", read(page))

    assert [target for target in targets if not (ROOT / page).parent.joinpath(target).exists()] == []


def test_cleaning_up_deletes_no_documents(tmp_path: Path) -> None:
    for folder in ("data", ".venv", "bot/__pycache__"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file").touch()

    subprocess.run(["make", "-f", ROOT / "Makefile", "-C", tmp_path, "clean"], check=True, capture_output=True)

    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")} == {"data", "data/file", "bot"}
