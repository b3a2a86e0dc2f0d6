"""Within the child process: a file to a JSON file of blocks, or of the reason why not."""

import os
from contextlib import closing
from pathlib import Path
from typing import Any

from retrieval.adapters.mineru_parser.engine import NotUsable
from retrieval.adapters.mineru_parser.engines import ServedOrLocal, engine_for
from retrieval.adapters.mineru_parser.flowing import read_flowing
from retrieval.adapters.mineru_parser.pdf import read_pdf
from retrieval.confined import answer, confine, refused_fields
from retrieval.errors import RefusalCause

KEY = "MINERU_API_KEY"
"""Where the parent puts the server's key. MinerU's own processes do not get it."""


def run(source: Path, target: Path, tier: str, url: str | None = None) -> None:
    """Reads the one, writes the other."""
    confine(runs_models=tier != "flash" and url is None)
    answer(target, _read(source, tier, url, os.environ.pop(KEY, None)))


def _read(source: Path, tier: str, url: str | None, key: str | None) -> dict[str, Any]:
    with closing(engine_for(tier, url, key)) as engine:
        try:
            found = read_pdf(source, engine) if source.suffix == ".pdf" else read_flowing(source, engine)
        except NotUsable as not_usable:
            return refused_fields(RefusalCause.UNREADABLE, str(not_usable))
        if isinstance(engine, ServedOrLocal) and engine.trouble and "warnings" in found:
            found["warnings"] = (*found["warnings"], engine.warning)
    return found
