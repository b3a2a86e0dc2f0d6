"""`python -m tests.bot.dying_bot`: the bot, which at each point of an upload kills itself outright, once, for a file of
that point's name: `embed.md` after its passages are embedded, and so on. It is started again each time."""

import functools
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import retrieval.adapters.sql.documents as sql_documents
import retrieval.adapters.tantivy_index.snapshot as tantivy_snapshot
import retrieval.library.ingest as library_ingest
from bot.cli import app
from bot.download import Downloader
from bot.report import Report
from bot.upload import UploadFolder
from retrieval.build import Footnote
from retrieval.library.draft import Drafting

POINTS = ("announced.md", "download.md", "parse.pdf", "chunk.md", "embed.md", "store.md", "stored.md", "told.md")
"""Files by the point that kills: the report is posted and that is not noted; the bytes are on disk; a page is being
read in the child process; all is read and cut; embedded; stored but for the commit; committed; told but not noted."""

INDEX_WORD = "77001"
"""A question finds the passage with this word by an index update that kills."""

_publishing: list[str] = []


def marker_of(data_dir: Path, point: str) -> Path:
    """The file that is there once the bot has died at that point."""
    return data_dir / f"died-{point}"


def _die(point: str, name: object) -> None:
    marker = marker_of(Path(os.environ["DATA_DIR"]), point)
    if Path(str(name)).stem == point and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def _arm(holder: Any, attribute: str, point: str, name: Callable[..., object], *, before: bool = False) -> None:
    """Let a function die for the file that `name` makes of its arguments."""
    function = getattr(holder, attribute)

    @functools.wraps(function)
    def dying(*arguments: Any, **named: Any) -> Any:
        if before:
            _die(point, name(*arguments))
        result = function(*arguments, **named)
        _die(point, name(*arguments))
        return result

    setattr(holder, attribute, dying)


def _note_publishing() -> None:
    function = sql_documents.SqlDocuments.publish

    def publish(self: Any, version: Any) -> Any:
        _publishing.append(version.document)
        return function(self, version)

    setattr(sql_documents.SqlDocuments, "publish", publish)  # noqa: B010 - mypy minds the plain assignment


def _indexes(_: object, changes: Any) -> str:
    return "index" if any(INDEX_WORD in entry.terms for entry in changes.added) else ""


def _arm_all() -> None:
    setattr(Footnote, "warm_up", lambda _: None)  # noqa: B010 - nobody waits for its answers
    _arm(Report, "begin", "announced", lambda report, names, *_: names[0])
    _arm(Downloader, "_check_content", "download", lambda _, target, file, *__: file["name"], before=True)
    _arm(Report, "progress", "parse", lambda _, place, text: text.partition(":")[0] if ": page 0 of" in text else "")
    _arm(Drafting, "draft", "chunk", lambda _, file, *__: file.document)
    _arm(library_ingest, "embedded", "embed", lambda _, name, *__: name)
    _arm(sql_documents, "drop_expired", "store", lambda _: _publishing[-1])
    _note_publishing()
    _arm(sql_documents.SqlDocuments, "publish", "stored", lambda _, version: version.document)
    _arm(UploadFolder, "keep", "told", lambda _, upload: upload.names[0] if upload.ended else "", before=True)
    _arm(tantivy_snapshot, "_fill", "index", _indexes)


def _live_again_and_again() -> None:
    """Forked before there are threads: what takes long to import is imported once."""
    while True:
        child = os.fork()
        if not child:
            app(["run"])
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != -signal.SIGKILL:
            return


if __name__ == "__main__":
    _arm_all()
    _live_again_and_again()
