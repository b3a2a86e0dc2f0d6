"""What an admin submitted, kept on disk until it is done, so that a restart takes it up."""

import datetime as dt
import logging
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from retrieval.types import IngestReport

logger = logging.getLogger(__name__)

_JOB_FILE = "job.json"
_CANCELLED = "cancelled"
_REMEMBERED_S = 24 * 3600.0


class Upload(BaseModel):
    """What an admin submitted, and how far it got. What is None of visibility, tags, date and owner stays as it is.

    `replaces` is the document of which the only file becomes a new version. `report_channel` and `report_ts` are
    where the report stands, once it does. `results` are those of the first files; `attempts` counts how often the
    next one was begun, because a file may bring the process down.
    """

    user: str
    files: list[dict[str, Any]]
    visibility: str | None = None
    tags: tuple[str, ...] | None = None
    date: dt.date | None = None
    owner: str | None = None
    replaces: str | None = None
    accepted_at: float = Field(default_factory=time.time)
    report_channel: str | None = None
    report_ts: str | None = None
    results: tuple[IngestReport, ...] = ()
    attempts: int = 0
    ended: bool = False

    @property
    def names(self) -> list[str]:
        """What the files are called."""
        return [file_name(file) for file in self.files]

    def with_result(self, result: IngestReport) -> "Upload":
        """One file further."""
        return self.model_copy(update={"results": (*self.results, result), "attempts": 0})


@dataclass(frozen=True, slots=True)
class UploadFolder:
    """Where one upload is kept; its name tells it from all others."""

    path: Path

    @property
    def key(self) -> str:
        """Its name."""
        return self.path.name

    def load(self) -> Upload | None:
        """The upload; None when none was kept here."""
        try:
            return Upload.model_validate_json((self.path / _JOB_FILE).read_text("utf-8"))
        except FileNotFoundError:
            return None

    def keep(self, upload: Upload) -> None:
        """Keep it as it is now, wholly or not at all. Raises OSError."""
        draft = self.path / f"{_JOB_FILE}.new"
        draft.write_text(upload.model_dump_json(), "utf-8")
        draft.replace(self.path / _JOB_FILE)

    def create(self, upload: Upload) -> None:
        """Keep a new upload. Raises OSError, and then leaves nothing behind."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.keep(upload)
        except BaseException:
            self.remove()
            raise

    def cancel(self) -> None:
        """Note that no more of it is wanted; that outlasts a restart."""
        (self.path / _CANCELLED).touch()

    @property
    def cancelled(self) -> bool:
        """Whether no more of it is wanted."""
        return (self.path / _CANCELLED).exists()

    def remove(self) -> None:
        """Forget the upload."""
        shutil.rmtree(self.path, ignore_errors=True)

    @property
    def outdated(self) -> bool:
        """Whether nothing has happened here for so long that nobody asks about it any more."""
        return time.time() - self.path.stat().st_mtime > _REMEMBERED_S


def kept_uploads(folder: Path) -> list[tuple[UploadFolder, Upload]]:
    """All uploads in a folder, those accepted first first; for the start, when nobody accepts any. Remains of what was
    never accepted, and what ended long ago, are removed."""
    found = []
    for kept in map(UploadFolder, folder.iterdir() if folder.is_dir() else ()):
        try:
            upload = kept.load()
        except (ValueError, OSError):
            logger.exception("the upload kept in %s cannot be read; it is left alone", kept.path)
            continue
        if upload is None or (upload.ended and kept.outdated):
            kept.remove()
        else:
            found.append((kept, upload))
    return sorted(found, key=lambda pair: pair[1].accepted_at)


def file_name(file: Mapping[str, Any]) -> str:
    """What a Slack file is called; its id where Slack has sent nothing else."""
    return str(file.get("name") or file["id"])
