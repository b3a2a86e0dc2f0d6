"""A file in Slack to bytes on disk, or a refusal that says why."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from retrieval.errors import DocumentRefused, RefusalCause

_REDIRECTS_MOST = 5
_PIECE_BYTES = 1 << 16
_TIMEOUT_S = (10, 60)
_HTML_STARTS = (b"<!doctype html", b"<html")
_SIGN_IN = (
    "Slack sent a sign-in page instead of {name}. The app needs the bot scope files:read; "
    "add it at api.slack.com/apps under OAuth & Permissions and reinstall the app."
)


@dataclass(frozen=True, slots=True)
class Downloader:
    """Fetches files with the bot token, which goes to Slack's hosts and to the origin of `api_url` only."""

    token: str
    api_url: str
    max_file_mb: int

    def fetch(self, file: Mapping[str, Any], target: Path) -> None:
        """Write the file of a Slack file object to `target`. Raises DocumentRefused; then nothing is left there."""
        name = str(file.get("name") or file.get("id") or "the file")
        self._check_size(int(file.get("size") or 0), name)
        url = file.get("url_private_download") or file.get("url_private")
        if not url or file.get("is_external"):
            raise _failed(f"{name} does not lie in Slack, so I cannot fetch it. Upload the file itself.")
        try:
            with self._opened(str(url), name) as response:
                self._save(response, target, name)
            self._check_content(target, file, response.headers.get("Content-Type", ""), name)
        except requests.RequestException as error:
            target.unlink(missing_ok=True)
            raise _failed(f"{name} could not be fetched from Slack ({type(error).__name__}). Try again.") from error
        except DocumentRefused:
            target.unlink(missing_ok=True)
            raise

    def _check_size(self, size: int, name: str) -> None:
        if size == 0:
            raise DocumentRefused(RefusalCause.EMPTY, f"{name} is empty.")
        if size > self.max_file_mb * 1_000_000:
            raise self._too_large(name, f"has {size / 1_000_000:.0f} MB")

    def _opened(self, url: str, name: str) -> requests.Response:
        for _ in range(_REDIRECTS_MOST):
            if not self._may_have_token(url):
                raise _failed(f"{name} lies at an address that is not Slack's, so I do not fetch it.")
            headers = {"Authorization": f"Bearer {self.token}"}
            response = requests.get(url, headers=headers, stream=True, allow_redirects=False, timeout=_TIMEOUT_S)
            if not response.is_redirect:
                if response.status_code != requests.codes.ok:
                    raise _failed(f"{name} could not be fetched: Slack answered {response.status_code}.")
                return response
            url = urljoin(url, response.headers["Location"])
            response.close()
        raise _failed(f"{name} could not be fetched: Slack redirects without end.")

    def _may_have_token(self, url: str) -> bool:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.scheme == "https" and parts.port in (None, 443) and f".{host}".endswith(".slack.com"):
            return True
        own = urlsplit(self.api_url)
        return (parts.scheme, parts.netloc) == (own.scheme, own.netloc)

    def _save(self, response: requests.Response, target: Path, name: str) -> None:
        written = 0
        with target.open("wb") as out:
            for piece in response.iter_content(_PIECE_BYTES):
                written += len(piece)
                if written > self.max_file_mb * 1_000_000:
                    raise self._too_large(name, "is larger than Slack said")
                out.write(piece)

    def _check_content(self, target: Path, file: Mapping[str, Any], content_type: str, name: str) -> None:
        with target.open("rb") as content:
            start = content.read(200).lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        is_page = start.startswith(_HTML_STARTS) or content_type.startswith("text/html")
        complete = target.stat().st_size == int(file["size"])
        if is_page and not (complete and name.lower().endswith((".html", ".htm", ".xhtml"))):
            raise DocumentRefused(RefusalCause.HTML_LOGIN, _SIGN_IN.format(name=name))
        if not complete:
            raise _failed(f"{name} arrived incomplete from Slack. Try again.")

    def _too_large(self, name: str, how: str) -> DocumentRefused:
        return DocumentRefused(
            RefusalCause.TOO_LARGE, f"{name} {how}; files may have {self.max_file_mb} MB (MAX_FILE_MB)."
        )


def _failed(message: str) -> DocumentRefused:
    return DocumentRefused(RefusalCause.DOWNLOAD_FAILED, message)
