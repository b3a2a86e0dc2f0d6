"""Files an admin submitted to documents of the knowledge base, reported to the admin as it goes."""

import contextlib
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
    """What an admin submitted, and how far it got. What is None of visibility and tags stays as it is.

    `report_channel` and `report_ts` are where the report stands, once it does. `results` are those of the first
    files; `attempts` counts how often the next one was begun, because a file may bring the process down.
    """

    user: str
    files: list[dict[str, Any]]
    visibility: str | None = None
    tags: tuple[str, ...] | None = None
    date: dt.date | None = None
    report_channel: str | None = None
    report_ts: str | None = None
    results: tuple[IngestReport, ...] = ()
    attempts: int = 0

    def with_result(self, result: IngestReport) -> "Upload":
        """One file further."""
        return self.model_copy(update={"results": (*self.results, result), "attempts": 0})


class Uploads:
    """Takes in one upload after the other. Each is kept in `folder` until it is done, so a restart takes it up."""

    def __init__(self, folder: Path, ingest: Ingest, clients: Clients, downloader: Downloader) -> None:
        self._folder = folder
        self._ingest = ingest
        self._clients = clients
        self._downloader = downloader
        self._worker = Background("uploads")
        self._waiting = threading.BoundedSemaphore(_WAITING_MOST)
        self._lock = threading.Lock()
        self._under_way: tuple[Upload, Path] | None = None

    def start(self) -> None:
        """Take up what an earlier run did not finish."""
        for kept in sorted(self._folder.glob(f"*/{_JOB_FILE}"), key=lambda path: path.stat().st_mtime):
            logger.info("taking up an upload from before the restart")
            self._worker.submit(partial(self._work, kept.parent))

    def accept(self, upload: Upload) -> bool:
        """Keep an upload and queue it. False when too many wait. Raises OSError when it cannot be kept."""
        if not self._waiting.acquire(blocking=False):
            return False
        folder = self._folder / f"{time.time_ns()}-{uuid.uuid4().hex[:8]}"
        try:
            folder.mkdir(parents=True)
            _keep(upload, folder)
        except BaseException:
            self._waiting.release()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._worker.submit(partial(self._work_and_release, folder))
        return True

    def close(self) -> None:
        """Begin no more files. The rest is for the next start."""
        self._worker.close()

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Wait for the file under way. False when it did not end in time; it is begun again at the next start,
        and this time does not count."""
        if self._worker.wait_until_idle(timeout_s):
            return True
        with self._lock, contextlib.suppress(OSError):
            if self._under_way:
                upload, folder = self._under_way
                _keep(upload.model_copy(update={"attempts": max(0, upload.attempts - 1)}), folder)
        return False

    def _work_and_release(self, folder: Path) -> None:
        try:
            self._work(folder)
        finally:
            self._waiting.release()

    def _work(self, folder: Path) -> None:
        try:
            upload = Upload.model_validate_json((folder / _JOB_FILE).read_text("utf-8"))
            report = Report(self._clients, upload.user, upload.report_channel, upload.report_ts)
            report.begin([_name(file) for file in upload.files], upload.results)
            upload = upload.model_copy(update={"report_channel": report.channel, "report_ts": report.ts})
            _keep(upload, folder)
            if self._all_taken_in(upload, folder, report):
                report.end()
                shutil.rmtree(folder)
        except Exception:
            incident(logger, f"taking in the upload {folder.name}")

    def _all_taken_in(self, upload: Upload, folder: Path, report: Report) -> bool:
        """False when the bot is stopping and files are left."""
        for place, file in list(enumerate(upload.files))[len(upload.results) :]:
            if self._worker.closed:
                return False
            upload = upload.model_copy(update={"attempts": upload.attempts + 1})
            self._note(upload, folder, under_way=True)
            result = self._result(upload, file, folder, partial(report.progress, place))
            report.result(place, result)
            upload = upload.with_result(result)
            self._note(upload, folder, under_way=False)
        return True

    def _note(self, upload: Upload, folder: Path, *, under_way: bool) -> None:
        with self._lock:
            self._under_way = (upload, folder) if under_way else None
            _keep(upload, folder)

    def _result(
        self, upload: Upload, file: Mapping[str, Any], folder: Path, progress: Callable[[str], None]
    ) -> IngestReport:
        if upload.attempts > _ATTEMPTS_MOST:
            message = f"{_name(file)}: gave up after several attempts that ended in a crash"
            return IngestReport(_name(file), _name(file), "failed", message=message)
        return self._taken_in(upload, file, folder, progress)

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
