"""A file in Slack to a document of the knowledge base, and what became of it."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slack_sdk.errors import SlackApiError

from bot.clients import CONNECTION_ERRORS, Clients, error_code
from bot.download import Downloader
from bot.incident import incident
from bot.ingest import Ingest
from bot.upload import Upload, file_name
from retrieval.build import upload_key
from retrieval.errors import DocumentRefused, FootnoteError, RefusalCause
from retrieval.types import IngestReport, SourceFile

logger = logging.getLogger(__name__)

_NOT_SEEN = ("file_not_found", "file_deleted", "access_denied", "not_visible")


@dataclass(frozen=True, slots=True)
class FileIntake:
    """Fetches files and takes them in."""

    ingest: Ingest
    clients: Clients
    downloader: Downloader

    def take_in(
        self, upload: Upload, file: Mapping[str, Any], folder: Path, progress: Callable[[str], None]
    ) -> IngestReport:
        """What became of one file of an upload, whatever happens; `folder` is free again afterwards.

        A DocumentRefused that `progress` raises stops it.
        """
        name = file_name(file)
        try:
            progress(f"{name}: fetching")
            file = self._complete(file)
            return self._taken_in(upload, file, folder, progress)
        except DocumentRefused as refused:
            return IngestReport(name, name, "failed", reason=refused.cause.value, message=str(refused))
        except FootnoteError as error:
            return IngestReport(name, name, "failed", message=str(error))
        except Exception:
            number = incident(logger, f"taking in {name}")
            message = (
                f"{name}: Something went wrong on my side (incident {number}). Upload it again; if that fails too, "
                "pass this number on to the people who run me."
            )
            return IngestReport(name, name, "failed", message=message)

    def _taken_in(
        self, upload: Upload, file: Mapping[str, Any], folder: Path, progress: Callable[[str], None]
    ) -> IngestReport:
        key = upload_key(file_name(file))
        path = folder / f"file{Path(key).suffix}"
        try:
            self.downloader.fetch(file, path)
            source = SourceFile(key, path, upload.visibility, upload.tags, upload.date, upload.owner, upload.replaces)
            return self.ingest(source, progress=progress)
        finally:
            path.unlink(missing_ok=True)

    def _complete(self, file: Mapping[str, Any]) -> Mapping[str, Any]:
        """The whole file object; in channels shared with another organisation Slack sends its id only."""
        if file.get("url_private_download") and file.get("size") is not None:
            return file
        try:
            info: Mapping[str, Any] = self.clients.reader.files_info(file=str(file["id"]))["file"]
        except SlackApiError as error:
            raise _unknown(file, error_code(error)) from error
        except CONNECTION_ERRORS as error:
            raise _unknown(file, type(error).__name__) from error
        return info


def _unknown(file: Mapping[str, Any], reason: str) -> DocumentRefused:
    what = "Invite me to the channel it lies in, or upload it with /kb upload." if reason in _NOT_SEEN else "Try again."
    message = f"“{file_name(file)}” could not be looked up in Slack ({reason}). {what}"
    return DocumentRefused(RefusalCause.DOWNLOAD_FAILED, message)
