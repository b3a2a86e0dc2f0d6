"""docs/serving.md, the README's part on serving and the reranker's template say what servers and settings take."""

import itertools
import re
import shlex
from pathlib import Path
from typing import Any, get_args

import jinja2
import jinja2.meta
import jinja2.sandbox
import pytest
from typer.main import get_command

from bot.cli import app
from retrieval.settings import RetrievalSettings, load

ROOT = Path(__file__).resolve().parents[1]
DEFAULTS = RetrievalSettings.model_fields
VARIABLES = {name.upper() for name in DEFAULTS}
OF_SERVERS = {"OLLAMA_CONTEXT_LENGTH"}
OLLAMA_PORT = "11434"
INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def serving_pages() -> dict[str, str]:
    readme = read("README.md").split("## Serving the models", 1)[1].split("\n## ")[0]
    return {"docs/serving.md": read("docs/serving.md"), "README.md": readme}


def sections() -> list[Any]:
    """Each part of the pages that shows settings, as (commands, settings)."""
    found = []
    for page, text in serving_pages().items():
        for part in re.split(r"^(?=##+ |\*\*[A-Z])", text, flags=re.MULTILINE):
            blocks = re.findall(r"```(sh|ini)\n(.*?)```", part, re.DOTALL)
            commands = "".join(block for kind, block in blocks if kind == "sh")
            settings = "".join(block for kind, block in blocks if kind == "ini")
            if settings:
                found.append(pytest.param(commands, settings, id=f"{page}: {part.splitlines()[0][:40]}"))
    return found


def words(commands: str) -> list[str]:
    return shlex.split(commands.replace("\\\n", " "), comments=True)


def options(commands: str, *names: str) -> list[str]:
    """The values of those options, in order."""
    return [value for name, value in itertools.pairwise(words(commands)) if name in names]


def test_there_are_settings_for_each_kind_of_server() -> None:
    apis = {value for _, text in (s.values for s in sections()) for value in re.findall(r"RERANKER_API=(\w+)", text)}

    assert len(sections()) >= 9
    assert apis == set(get_args(DEFAULTS["reranker_api"].annotation))


@pytest.mark.parametrize(("commands", "settings"), sections())
def test_settings_shown_are_settings_and_valid(
    commands: str, settings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = dict(line.split("=", 1) for line in settings.splitlines())

    assert set(shown) <= VARIABLES
    assert load(RetrievalSettings, {name.lower(): value for name, value in shown.items()})


@pytest.mark.parametrize(("commands", "settings"), sections())
def test_addresses_shown_are_those_that_the_commands_serve_at(commands: str, settings: str) -> None:
    served = {*options(commands, "--port"), *([OLLAMA_PORT] if "ollama serve" in commands else [])}

    assert set(re.findall(r"//127\.0\.0\.1:(\d+)", settings)) <= served


@pytest.mark.parametrize(("commands", "settings"), sections())
def test_the_shares_of_one_card_leave_room(commands: str, settings: str) -> None:
    shares = map(float, options(commands, "--gpu-memory-utilization", "--vllm_gpu_memory_utilization"))

    assert sum(shares) <= 0.9


@pytest.mark.parametrize(("commands", "settings"), sections())
def test_windows_hold_what_is_sent_by_default(commands: str, settings: str) -> None:
    windows = options(commands, "--max-model-len", "--vllm_max_model_len", "-c", "-b", "-ub")
    windows += re.findall(r"OLLAMA_CONTEXT_LENGTH=(\d+)", commands)
    sent = ("chat_window_tokens", "embedding_max_chars", "reranker_max_chars")

    assert all(int(window) >= max(DEFAULTS[name].default for name in sent) for window in windows)


@pytest.mark.parametrize("page", serving_pages())
def test_variables_named_exist(page: str) -> None:
    named = set(re.findall(r"(?<![…A-Z_])[A-Z]+_[A-Z_]+\b", serving_pages()[page]))

    assert len(named) >= 3
    assert named - VARIABLES - OF_SERVERS == set()


@pytest.mark.parametrize("page", serving_pages())
def test_commands_and_files_named_exist(page: str) -> None:
    text = serving_pages()[page]
    footnote = get_command(app)
    targets = re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE)

    for command in re.findall(r"(?<!`)`footnote ([a-z ]+?)(?: [A-Z]+)?`", text):
        found: Any = footnote
        for name in command.split():
            assert name in found.commands, f"footnote {command}"
            found = found.commands[name]
    assert set(re.findall(r"`make ([a-z-]+)`", text)) <= set(targets)
    files = re.findall(r"(?:docs|tests)/[\w/.]*\w", text)
    assert [name for name in files if not (ROOT / name).exists()] == []
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [target for target in links if not (ROOT / page).parent.joinpath(target).exists()] == []


def rendered(environment: jinja2.Environment, **values: Any) -> str:
    return environment.from_string(read("docs/qwen3_reranker.jinja")).render(**values)


def card_prompt(instruction: str, query: str, document: str) -> str:
    """As Qwen3-Reranker's model card puts it together."""
    judge = (
        "Judge whether the Document meets the requirements based on the Query and the Instruct provided."
        ' Note that the answer can only be "yes" or "no".'
    )
    body = f"<Instruct>: {instruction}\n<Query>: {query}\n<Document>: {document}"
    return (
        f"<|im_start|>system\n{judge}<|im_end|>\n<|im_start|>user\n{body}<|im_end|>\n"
        "<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )


# How vLLM (through transformers) and SGLang set Jinja up, and the roles that they give the two texts.
VLLM = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
SGLANG = jinja2.Environment()
SERVERS = pytest.mark.parametrize(
    ("environment", "roles", "variable"),
    [(VLLM, ("query", "document"), "instruction"), (SGLANG, ("user", "user"), "instruct")],
    ids=["vLLM", "SGLang"],
)


@SERVERS
@pytest.mark.parametrize("query", ["what is the capital of China?", "  两国\n\n的首都 {{ x }} <b>&amp; "])
def test_the_template_yields_the_prompt_of_the_model_card(
    environment: jinja2.Environment, roles: tuple[str, str], variable: str, query: str
) -> None:
    document = "Beijing.\n\n| a | b |\n"
    messages = [{"role": role, "content": text} for role, text in zip(roles, (query, document), strict=True)]

    assert rendered(environment, messages=messages) == card_prompt(INSTRUCTION, query, document)
    told = {variable: "Given a question, find rules"}
    assert rendered(environment, messages=messages, **told) == card_prompt(told[variable], query, document)


def test_vllm_sees_that_the_template_takes_an_instruction() -> None:
    variables = jinja2.meta.find_undeclared_variables(VLLM.parse(read("docs/qwen3_reranker.jinja")))

    assert "instruction" in variables


def test_sglang_recognises_the_template_by_its_words() -> None:
    assert 'answer can only be "yes" or "no"' in read("docs/qwen3_reranker.jinja").lower()
