"""A file in Slack to bytes on disk, or a refusal that says why."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import requests
from urllib3.util import parse_url

from retrieval.errors import DocumentRefused, RefusalCause

_REDIRECTS_MOST = 5
_PIECE_BYTES = 1 << 16
_TIMEOUT_S = (10, 60)
_STRANGE = re.compile(r"[\\\s]|^[^/?#]*//[^/?#]*@")
"""A backslash, white space or a user name: what programs read in different ways where a host begins and ends."""
_SLACKS = re.compile(r"(?:[a-z0-9-]+\.)*slack\.com")
_PORTS = {"http": 80, "https": 443}
_HTML_STARTS = (b"<!doctype html", b"<html")
_SIGN_IN = (
    "Slack sent a sign-in page instead of “{name}”. Invite me to the channel it lies in; if I am there, the app needs "
    "the bot scope files:read: add it at api.slack.com/apps under OAuth & Permissions and reinstall the app."
)


@dataclass(frozen=True, slots=True)
class Downloader:
    """Fetches files with the bot token, which goes to Slack's hosts and to the origin of `api_url` only."""

    token: str
    api_url: str
    max_file_mb: int

    def fetch(self, file: Mapping[str, Any], target: Path) -> None:
        """Write the file of a Slack file object to `target`. Raises DocumentRefused, or OSError where it cannot be
        written; then nothing is left there."""
        name = str(file.get("name") or file.get("id") or "the file")
        self._check_size(int(file.get("size") or 0), name)
        url = file.get("url_private_download") or file.get("url_private")
        if not url or file.get("is_external"):
            raise _failed(f"“{name}” does not lie in Slack, so I cannot fetch it. Upload the file itself.")
        try:
            with self._opened(str(url), name) as response:
                self._save(response, target, name)
            self._check_content(target, file, response.headers.get("Content-Type", ""), name)
        except requests.RequestException as error:
            target.unlink(missing_ok=True)
            raise _failed(f"“{name}” could not be fetched from Slack ({type(error).__name__}). Try again.") from error
        except BaseException:  # also a full disk: half a file helps nobody
            target.unlink(missing_ok=True)
            raise

    def _check_size(self, size: int, name: str) -> None:
        if size == 0:
            raise DocumentRefused(RefusalCause.EMPTY, f"“{name}” is empty.")
        if size > self.max_file_mb * 1_000_000:
            raise self._too_large(name, f"has {size / 1_000_000:.0f} MB")

    def _opened(self, url: str, name: str) -> requests.Response:
        with requests.Session() as session:
            for _ in range(_REDIRECTS_MOST):
                request = self._prepared(session, url, name)
                settings = session.merge_environment_settings(request.url, {}, True, None, None)
                response = session.send(request, allow_redirects=False, timeout=_TIMEOUT_S, **settings)
                if not response.is_redirect:
                    if response.status_code != requests.codes.ok:
                        raise _failed(f"“{name}” could not be fetched: Slack answered {response.status_code}.")
                    return response
                url = urljoin(str(request.url), response.headers["Location"])
                response.close()
        raise _failed(f"“{name}” could not be fetched: Slack redirects without end.")

    def _prepared(self, session: requests.Session, url: str, name: str) -> requests.PreparedRequest:
        """The request that goes out, with the token, after a look at where the library will send it."""
        refused = _failed(f"“{name}” lies at an address that is not Slack's, so I do not fetch it.")
        if not url.isprintable() or _STRANGE.search(url):
            raise refused
        try:
            request = session.prepare_request(requests.Request("GET", url))
        except (requests.RequestException, ValueError):
            raise refused from None
        if not self._may_have_token(str(request.url)):
            raise refused
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request

    def _may_have_token(self, url: str) -> bool:
        at, own = _origin(url), _origin(self.api_url)
        return at == own or (at[::2] == ("https", 443) and _SLACKS.fullmatch(at[1]) is not None)

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
            raise _failed(f"“{name}” arrived incomplete from Slack. Try again.")

    def _too_large(self, name: str, how: str) -> DocumentRefused:
        return DocumentRefused(
            RefusalCause.TOO_LARGE, f"“{name}” {how}; files may have {self.max_file_mb} MB (MAX_FILE_MB)."
        )


def _origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port, as the library that connects reads them."""
    parts = parse_url(url)
    scheme = parts.scheme or ""
    return scheme, (parts.host or "").lower(), parts.port or _PORTS.get(scheme, 0)


def _failed(message: str) -> DocumentRefused:
    return DocumentRefused(RefusalCause.DOWNLOAD_FAILED, message)
