"""The data folder and the store to checks."""

import os
import shutil
import tempfile
from pathlib import Path

from retrieval.types import Check, Facts, StoreState

_GB = 1e9
_FULL_GB = 0.2
_NEARLY_FULL_GB = 2.0


def folder_check(subject: str, data_dir: Path) -> Check:
    """Whether the folder can be written, and how much room there is. It is not made where it is missing."""
    there = next(folder for folder in (data_dir, *data_dir.absolute().parents) if folder.exists())
    free_gb = shutil.disk_usage(there).free / _GB
    facts: Facts = {"folder": str(data_dir), "exists": data_dir.exists(), "free_gb": round(free_gb, 1)}
    if not _is_writable(there):
        advice = f"{there} cannot be written; set DATA_DIR to a folder that you own"
        return Check(subject, "wrong", facts, advice)
    if free_gb < _FULL_GB:
        return Check(subject, "wrong", facts, "the disk is full; make room, or set DATA_DIR to another one")
    if free_gb < _NEARLY_FULL_GB:
        return Check(subject, "look", facts, "the disk is nearly full; documents and indexes need room")
    return Check(subject, "ok", facts)


def _is_writable(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return os.access(folder, os.X_OK)
    except OSError:
        return False


def store_check(subject: str, state: StoreState) -> Check:
    """Whether this version can use the store, and what it holds."""
    if not state.schema:
        return Check(subject, "look", {}, "is not there yet; the first document makes it: footnote ingest PATH")
    if state.schema > state.newest_schema:
        advice = (
            f"was written by a newer Footnote, this one knows schema {state.newest_schema}; install that version, or"
            " set DATA_DIR or DATABASE_URL to another place"
        )
        return Check(subject, "wrong", {"schema": state.schema}, advice)
    if state.schema < state.newest_schema:
        advice = f"the next command brings it to schema {state.newest_schema}, with no way back; copy it before"
        return Check(subject, "look", {"schema": state.schema}, advice)
    facts: Facts = {"schema": state.schema, "documents": state.documents, "passages": state.passages}
    if not state.documents:
        return Check(subject, "look", facts, "holds no documents; add some with: footnote ingest PATH")
    return Check(subject, "ok", facts)
