"""What a program does in its child process."""

import datetime as dt
import json
import os
import resource
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from retrieval.errors import RefusalCause
from retrieval.types import Block, HiddenText, ParsedDocument

MEMORY_BYTES = 4 * 1024**3
FILE_BYTES = 500 * 1024**2
CPU_SECONDS, MODELS_CPU_SECONDS = 1_200, 40_000
"""Ends a child whose parent died before it could."""
PARTS = Path("parts")
"""Folder, beside IN, for files found within it."""
PROGRESS = "footnote: page "
ENDED = "footnote: ended "
ERRORS = "errors.txt"


def confine(*, runs_models: bool = False) -> None:
    """Limits on memory, files and time from here on. Large models get more time, and no limit of memory: what they and
    a graphics card map fits into none."""
    memory = resource.RLIM_INFINITY if runs_models else MEMORY_BYTES
    seconds = MODELS_CPU_SECONDS if runs_models else CPU_SECONDS
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    os.nice(10)


def tell_page(page: int, pages: int) -> None:
    """How far it is, which also tells how much time it needs."""
    print(f"{PROGRESS}{page} of {pages}", flush=True)  # noqa: T201 - the parent reads it


def answer(target: Path, found: dict[str, Any]) -> None:
    """The result, whole or not at all."""
    unfinished = target.with_suffix(".part")
    unfinished.write_text(json.dumps(found, ensure_ascii=False), "utf-8", "replace")
    unfinished.replace(target)


def document_fields(document: ParsedDocument) -> dict[str, Any]:
    """A document as `answer` writes it."""
    return {**asdict(document), "date": document.date and document.date.isoformat()}


def document_of(found: dict[str, Any], name: str) -> ParsedDocument:
    """The document of its fields, titled `name` where it has no title."""
    fields: dict[str, Any] = found | {
        "title": found["title"] or name,
        "blocks": tuple(Block(**block) for block in found["blocks"]),
        "hidden": tuple(HiddenText(**text) for text in found["hidden"]),
        "warnings": tuple(found["warnings"]),
        "unread": tuple(found["unread"]),
        "date": found["date"] and dt.date.fromisoformat(found["date"]),
    }
    return ParsedDocument(**fields)


def refused_fields(cause: RefusalCause, message: str = "") -> dict[str, Any]:
    """Why there is none, in words of its own where the usual ones do not fit."""
    return {"refused": cause, "message": message}


def serve(run: Callable[[list[str]], None]) -> None:
    """Runs with the arguments of each job on standard input, in its folder and in a process of its own, which is
    forked from this one and so has everything loaded."""
    for line in sys.stdin:
        job = json.loads(line)
        forked = os.fork()
        if not forked:
            _run_and_exit(run, job["folder"], job["arguments"])
        _, status = os.waitpid(forked, 0)
        print(f"{ENDED}{os.waitstatus_to_exitcode(status)}", flush=True)  # noqa: T201 - the parent reads it


def _run_and_exit(run: Callable[[list[str]], None], folder: str, arguments: list[str]) -> NoReturn:
    """Never returns: what the process was forked from must not go on twice."""
    code = 1
    try:
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(ERRORS, os.O_WRONLY | os.O_CREAT), 2)
        run(arguments)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
