"""Files an admin submitted to documents of the knowledge base, reported to the admin as it goes."""

import datetime as dt
import logging
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from slack_sdk.errors import SlackApiError

from bot.background import Background
from bot.clients import CONNECTION_ERRORS, Clients, error_code
from bot.download import Downloader
from bot.incident import incident
from bot.ingest import Ingest
from bot.report import Report
from retrieval.build import upload_key
from retrieval.errors import DocumentRefused, FootnoteError, RefusalCause
from retrieval.types import IngestReport, SourceFile

logger = logging.getLogger(__name__)

_JOB_FILE = "job.json"
_WAITING_MOST = 50
_ATTEMPTS_MOST = 3


class Upload(BaseModel):
    """What an admin submitted. `report_channel` and `report_ts` are where the report stands, once it does;
    `attempts` counts how often it was begun, because a file may bring the process down."""

    user: str
    files: list[dict[str, Any]]
    visibility: str
    tags: tuple[str, ...] = ()
    date: dt.date | None = None
    report_channel: str | None = None
    report_ts: str | None = None
    attempts: int = 0


class Uploads:
    """Takes in one upload after the other. Each is kept in `folder` until it is done, so a restart takes it up."""

    def __init__(self, folder: Path, ingest: Ingest, clients: Clients, downloader: Downloader) -> None:
        self._folder = folder
        self._ingest = ingest
        self._clients = clients
        self._downloader = downloader
        self._worker = Background("uploads")
        self._waiting = threading.BoundedSemaphore(_WAITING_MOST)

    def start(self) -> None:
        """Take up what an earlier run did not finish."""
        for kept in sorted(self._folder.glob(f"*/{_JOB_FILE}"), key=lambda path: path.stat().st_mtime):
            logger.info("taking up an upload from before the restart")
            self._worker.submit(partial(self._work, kept.parent))

    def accept(self, upload: Upload) -> bool:
        """Keep an upload and queue it. False when too many wait."""
        if not self._waiting.acquire(blocking=False):
            return False
        folder = self._folder / f"{time.time_ns()}-{uuid.uuid4().hex[:8]}"
        folder.mkdir(parents=True)
        _keep(upload, folder)
        self._worker.submit(partial(self._work_and_release, folder))
        return True

    def close(self) -> None:
        """Begin no more files. The rest is for the next start."""
        self._worker.close()

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Wait for the file under way. False when it did not end in time."""
        return self._worker.wait_until_idle(timeout_s)

    def _work_and_release(self, folder: Path) -> None:
        self._work(folder)
        self._waiting.release()

    def _work(self, folder: Path) -> None:
        try:
            upload = Upload.model_validate_json((folder / _JOB_FILE).read_text("utf-8"))
            report = Report(self._clients, upload.user, upload.report_channel, upload.report_ts)
            report.begin([_name(file) for file in upload.files])
            attempts = upload.attempts + 1
            told = {"report_channel": report.channel, "report_ts": report.ts, "attempts": attempts}
            _keep(upload.model_copy(update=told), folder)
            if attempts > _ATTEMPTS_MOST:
                report.give_up()
            elif not self._all_taken_in(upload, folder, report):
                return
            report.end()
            shutil.rmtree(folder)
        except Exception:
            incident(logger, f"taking in the upload {folder.name}")

    def _all_taken_in(self, upload: Upload, folder: Path, report: Report) -> bool:
        """False when the bot is stopping and files are left."""
        for place, file in enumerate(upload.files):
            if self._worker.closed:
                return False
            report.result(place, self._taken_in(upload, file, folder, partial(report.progress, place)))
        return True

    def _taken_in(
        self, upload: Upload, file: Mapping[str, Any], folder: Path, progress: Callable[[str], None]
    ) -> IngestReport:
        name = _name(file)
        try:
            progress(f"{name}: fetching")
            file = self._complete(file)
            name = _name(file)
            key = upload_key(name)
            path = folder / f"file{Path(key).suffix}"
            self._downloader.fetch(file, path)
            source = SourceFile(key, path, upload.visibility, upload.tags, upload.date)
            return self._ingest(source, progress=progress)
        except DocumentRefused as refused:
            return IngestReport(name, name, "failed", reason=refused.cause.value, message=str(refused))
        except FootnoteError as error:
            return IngestReport(name, name, "failed", message=str(error))
        except Exception:
            number = incident(logger, f"taking in {name}")
            return IngestReport(name, name, "failed", message=f"Something went wrong on my side (incident {number}).")

    def _complete(self, file: Mapping[str, Any]) -> Mapping[str, Any]:
        """The whole file object; in some places Slack sends its id only."""
        if file.get("url_private_download") and file.get("size") is not None:
            return file
        try:
            info: Mapping[str, Any] = self._clients.reader.files_info(file=str(file["id"]))["file"]
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            reason = error_code(error) if isinstance(error, SlackApiError) else type(error).__name__
            message = f"{_name(file)} could not be looked up in Slack ({reason}). Try again."
            raise DocumentRefused(RefusalCause.DOWNLOAD_FAILED, message) from error
        return info


def _name(file: Mapping[str, Any]) -> str:
    return str(file.get("name") or file["id"])


def _keep(upload: Upload, folder: Path) -> None:
    draft = folder / f"{_JOB_FILE}.new"
    draft.write_text(upload.model_dump_json(), "utf-8")
    draft.replace(folder / _JOB_FILE)
