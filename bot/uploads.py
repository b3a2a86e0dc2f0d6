"""Uploads to documents, one after the other, reported to the admin as it goes."""

import contextlib
import logging
import threading
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bot.background import Background
from bot.clients import Clients
from bot.file_intake import FileIntake
from bot.incident import incident
from bot.report import Report
from bot.upload import Upload, UploadFolder, file_name, kept_uploads
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.types import IngestReport

logger = logging.getLogger(__name__)

_WAITING_MOST = 50
_ATTEMPTS_MOST = 3


class Uploads:
    """Takes in one upload after the other. Each is kept in `folder` until it is done, so a restart takes it up; what
    ended is remembered for a day, so that nothing told of twice is taken in twice."""

    def __init__(self, folder: Path, intake: FileIntake, clients: Clients) -> None:
        self._folder = folder
        self._intake = intake
        self._clients = clients
        self._announcer = Background("upload announcements")
        self._worker = Background("uploads")
        self._waiting = threading.BoundedSemaphore(_WAITING_MOST)
        self._lock = threading.Lock()
        self._under_way: tuple[Upload, UploadFolder] | None = None
        self._reports: dict[str, Report] = {}
        self._changed = threading.Condition()

    def start(self) -> None:
        """Take up what an earlier run did not finish."""
        for kept, upload in kept_uploads(self._folder):
            if not upload.ended:
                logger.info("taking up an upload from before the restart")
                self._announcer.submit(partial(self._announce, kept, begun=True))

    def accept(self, upload: Upload, key: str | None = None) -> bool:
        """Keep an upload and queue it, unless one of that key was accepted before. False when too many wait. Raises
        OSError when it cannot be kept."""
        kept = UploadFolder(self._folder / (key or uuid.uuid4().hex))
        if kept.load():
            return True
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            kept.create(upload)
        except BaseException:
            self._waiting.release()
            raise
        self._announcer.submit(partial(self._announce, kept, release=self._waiting.release))
        return True

    def cancel(self, key: str, user: str) -> bool:
        """Leave out the files of an upload that are not begun, and stop the one under way at its next step. False when
        there is none of that person's that goes on."""
        kept = UploadFolder(self._folder / Path(key).name)
        upload = kept.load()
        if upload is None or upload.user != user or upload.ended:
            return False
        kept.cancel()
        if report := self._reports.get(key):
            report.cancelling()
        return True

    def wait_for_end(self, key: str, timeout_s: float) -> Upload | None:
        """The upload once it has ended; None when it did not in time, or the bot is stopping."""
        kept = UploadFolder(self._folder / key)

        def ended() -> Upload | None:
            upload = kept.load()
            return upload if upload and upload.ended else None

        with self._changed:
            self._changed.wait_for(lambda: ended() or self._worker.closed, timeout_s)
        return ended()

    def close(self) -> None:
        """Begin no more files. The rest is for the next start."""
        self._announcer.close()
        self._worker.close()
        with self._changed:
            self._changed.notify_all()

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Wait for the file under way. False when it did not end in time; it is begun again at the next start,
        and this time does not count."""
        if self._worker.wait_until_idle(timeout_s):
            return True
        with self._lock, contextlib.suppress(OSError):
            if self._under_way:
                upload, kept = self._under_way
                kept.keep(upload.model_copy(update={"attempts": max(0, upload.attempts - 1)}))
        return False

    def _announce(self, kept: UploadFolder, *, begun: bool = False, release: Callable[[], None] = lambda: None) -> None:
        """Tell the admin that the files wait, note where that stands, and let them be taken in."""
        try:
            upload = kept.load()
            assert upload  # noqa: S101 - it was accepted
            report = Report(self._clients, kept.key, upload, begun=begun)
            report.begin(upload.names, upload.results, cancelled=kept.cancelled)
            upload = upload.model_copy(update={"report_channel": report.channel, "report_ts": report.ts})
            kept.keep(upload)
        except Exception:
            incident(logger, f"announcing the upload {kept.key}")
            release()
            return
        self._reports[kept.key] = report
        self._worker.submit(partial(self._work, kept, upload, report, release))

    def _work(self, kept: UploadFolder, upload: Upload, report: Report, release: Callable[[], None]) -> None:
        try:
            upload = self._with_results(upload, kept, report)
            if len(upload.results) == len(upload.files):  # else the bot is stopping
                report.end(upload.results)
                kept.keep(upload.model_copy(update={"ended": True}))
                with self._changed:
                    self._changed.notify_all()
        except Exception:
            incident(logger, f"taking in the upload {kept.key}")
        finally:
            report.stop()
            self._reports.pop(kept.key, None)
            release()

    def _with_results(self, upload: Upload, kept: UploadFolder, report: Report) -> Upload:
        for place in range(len(upload.results), len(upload.files)):
            if self._worker.closed:
                break
            upload = upload.model_copy(update={"attempts": upload.attempts + 1})
            self._note(upload, kept, under_way=True)
            result = self._result(upload, kept, place, report)
            report.result(place, result)
            upload = upload.with_result(result)
            self._note(upload, kept, under_way=False)
        return upload

    def _note(self, upload: Upload, kept: UploadFolder, *, under_way: bool) -> None:
        with self._lock:
            self._under_way = (upload, kept) if under_way else None
            kept.keep(upload)

    def _result(self, upload: Upload, kept: UploadFolder, place: int, report: Report) -> IngestReport:
        file = upload.files[place]
        name = file_name(file)
        if upload.attempts > _ATTEMPTS_MOST:
            message = (
                f"{name}: gave up after several attempts that ended in a crash. Upload it again by itself, or as "
                "another kind of file."
            )
            return IngestReport(name, name, "failed", message=message)

        def progress(text: str) -> None:
            if kept.cancelled:
                raise DocumentRefused(RefusalCause.CANCELLED, f"{name}: left out, cancelled")
            report.progress(place, text)

        return self._intake.take_in(upload, file, kept.path, progress)
