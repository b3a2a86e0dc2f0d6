"""Within the child process: MinerU on a server of one's own, by the protocol of its release 4.0.12.

The server gets the file under a name that says nothing, and is told to forget it afterwards. Addresses that it names
are not followed: what is sent goes where the settings say and nowhere else.
"""

import contextlib
import hashlib
import json
import time
from pathlib import Path
from typing import Any

import requests

from retrieval.adapters.mineru_parser.engine import NotUsable, Reading, ReadingFailed, ocr_mode, seconds_for
from retrieval.proxies import ca_bundle_for, proxy_for

VERSION = "4.0.12"
_CONNECT_S, _ANSWER_S = 5.0, 60.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.05, 1.0
_ENDED = frozenset({"completed", "partial", "failed", "canceled"})


class ServedMinerU:
    """A MinerU server. It is asked first which version it is and which tiers it offers."""

    def __init__(self, url: str, key: str | None, tier: str) -> None:
        self.name = f"mineru-{tier}-{VERSION}"
        self._tier = tier
        self._url = url.rstrip("/")
        self._session = _session(self._url, key)
        self._files: dict[Path, str] = {}
        self._is_known = False

    def read(self, path: Path, first: int = 0, last: int = 0) -> Reading:
        if not self._is_known:
            self.get_to_know()
        if path not in self._files:
            self._files[path] = self._upload(path)
        pages = {"page_range": f"{first}-{last}"} if first else {}
        asked = {
            "files": [{"source": {"type": "file_id", "file_id": self._files[path]}, **pages}],
            "tier": self._tier,
            "ocr_mode": ocr_mode(self._tier),
            "output_formats": ["middle_json"],
        }
        job = self._ended(self._ask("POST", "/v1/parse/jobs", json=asked), seconds_for(self._tier, last - first + 1))
        try:
            output = job["files"][0]["output_files"]["middle_json"]["file_id"]
        except (LookupError, TypeError):
            raise ReadingFailed("could not read the file") from None
        try:
            return Reading.of(self._ask("GET", f"/v1/files/{output}/content"))
        finally:
            self._forget(output)

    def close(self) -> None:
        """Takes the copies off the server."""
        for file in self._files.values():
            self._forget(file)
        self._session.close()

    def get_to_know(self) -> None:
        """Raises NotUsable where it is another release, does not offer the tier, or does not take the key."""
        found = self._version()
        if found != VERSION:
            raise NotUsable(
                f"MINERU_API_URL: {self._url} is MinerU {found}; Footnote needs a server of MinerU {VERSION}."
            )
        offered = [str(tier.get("id")) for tier in self._ask("GET", "/v1/tiers").get("data") or []]
        if self._tier not in offered:
            raise NotUsable(f"MINERU_TIER={self._tier} is not offered by {self._url}, which has {', '.join(offered)}.")
        self._ask("GET", "/v1/usage")  # the first that needs the key
        self._is_known = True

    def _version(self) -> str:
        """What the server says it is. Releases before 4 said it elsewhere."""
        for path in ("/v1/health", "/health"):
            response = self._answer("GET", path)
            with contextlib.suppress(ValueError, AttributeError):
                if response.ok:
                    return str(response.json().get("version") or "of an unknown version")
        return "of an unknown version"

    def _upload(self, path: Path) -> str:
        content = path.read_bytes()
        described = {
            "filename": f"input{path.suffix}",
            "bytes": len(content),
            "mime_type": "application/octet-stream",
            "purpose": "parse",
            "sha256sum": hashlib.sha256(content).hexdigest(),
        }
        upload = self._ask("POST", "/v1/uploads", json=described)
        if upload.get("status") != "completed":
            at = f"/v1/uploads/{upload.get('id')}"
            self._ask("PUT", f"{at}/content", data=content)
            upload = self._ask("POST", f"{at}/complete")
        try:
            return str(upload["file"]["id"])
        except (LookupError, TypeError):
            raise ReadingFailed("did not take the file") from None

    def _ended(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        at = f"/v1/parse/jobs/{job.get('job_id')}"
        until, wait_s = time.monotonic() + seconds, _FIRST_WAIT_S
        while job.get("status") not in _ENDED:
            if time.monotonic() > until:
                with contextlib.suppress(ReadingFailed, NotUsable):
                    self._ask("DELETE", at)
                raise ReadingFailed(f"was not done after {seconds:.0f} s")
            time.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
            job = self._ask("GET", at)
        return job

    def _forget(self, file: str) -> None:
        with contextlib.suppress(ReadingFailed, NotUsable):
            self._ask("DELETE", f"/v1/files/{file}")

    def _ask(self, method: str, path: str, **content: Any) -> dict[str, Any]:
        """The JSON object of an answer, {} where it has none. Raises ReadingFailed, NotUsable."""
        response = self._answer(method, path, **content)
        if response.status_code in (401, 403):
            raise NotUsable(f"MINERU_API_KEY: {self._url} does not accept it.")
        if not response.ok or response.is_redirect:
            raise ReadingFailed(f"answered with status {response.status_code}")
        try:
            found = json.loads(response.content or b"{}")
        except ValueError:
            raise ReadingFailed("answered with something that is no JSON") from None
        return found if isinstance(found, dict) else {}

    def _answer(self, method: str, path: str, **content: Any) -> requests.Response:
        try:
            return self._session.request(
                method, self._url + path, timeout=(_CONNECT_S, _ANSWER_S), allow_redirects=False, **content
            )
        except (requests.RequestException, ValueError) as error:
            raise ReadingFailed(f"did not answer ({type(error).__name__})") from None


def _session(url: str, key: str | None) -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    session.verify = ca_bundle_for(url) or True
    if proxy := proxy_for(url):
        session.proxies = {"http": proxy, "https": proxy}
    if key:  # headers are sent as Latin-1: this is UTF-8 then
        session.headers["Authorization"] = f"Bearer {key}".encode().decode("latin-1")
    return session
