"""Requests to a reranker server, bounded by the question's time; what goes wrong is told in one line."""

import ipaddress
import json
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError, ProtocolError, ReadTimeoutError

from retrieval.budget import time_left_s
from retrieval.errors import ConfigurationError, ServiceUnavailable
from retrieval.service_errors import service_error

_CONNECT_S = 3.0
_LONGEST_S = 30.0
_LONGEST_GET_S = 5.0
_LONGEST_WAIT_S = 2.0
_WAIT_S = 0.5
_POOLED_CONNECTIONS = 64
_CHUNK_BYTES = 65_536

_PASSING = {429, 502, 503, 504}


class Response(NamedTuple):
    """Whatever the server answered."""

    status: int
    text: str
    retry_after: str | None

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> Any:
        """Raises ServiceUnavailable, or RequestRefused where this very request is the trouble."""
        if not self.ok:
            raise service_error("RERANKER", self.status, self.text)
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            raise ServiceUnavailable(
                "RERANKER: the server's answer is no JSON; check RERANKER_BASE_URL, and the server's log"
            ) from None


class ConnectionLost(ServiceUnavailable):
    """The server broke a connection off: it may have restarted, or closed one that was kept for later."""


class Connection:
    """Thread-safe; connections are kept and shared. Every method raises ServiceUnavailable when no answer comes.

    `shown` is the address as people may see it. Making one raises ConfigurationError where the address is none.
    """

    def __init__(self, base_url: str, api_key: str | None) -> None:
        self.base_url = base_url.rstrip("/")
        self.shown, host = _address(self.base_url)
        self._session = _session(self.base_url, proxies={"no_proxy": host} if _is_local(host) else {})
        if api_key:  # headers are sent as Latin-1: this is UTF-8 then
            self._session.headers["Authorization"] = f"Bearer {api_key}".encode().decode("latin-1")

    def close(self) -> None:
        self._session.close()

    def get(self, path: str) -> Response:
        return self._once("GET", path, None, _LONGEST_GET_S)

    def post(self, path: str, payload: dict[str, Any]) -> Response:
        """The answer, after a second try where that can help: a broken connection, or a server busy for a moment."""
        try:
            first = self._once("POST", path, payload, _LONGEST_S)
        except ConnectionLost:
            return self._once("POST", path, payload, _LONGEST_S)
        wait_s = _wait_s(first)
        if wait_s is None or time_left_s(_LONGEST_S) <= wait_s:
            return first
        time.sleep(wait_s)
        return self._once("POST", path, payload, _LONGEST_S)

    def _once(self, method: str, path: str, payload: dict[str, Any] | None, most_s: float) -> Response:
        seconds = time_left_s(most_s)
        deadline = time.monotonic() + seconds
        try:
            with self._session.request(
                method,
                f"{self.base_url}/{path}",
                json=payload,
                timeout=(min(_CONNECT_S, seconds), seconds),
                allow_redirects=False,  # a POST would arrive as a GET
                stream=True,
            ) as response:
                text = _content(response, deadline).decode("utf-8", "replace")
                return Response(response.status_code, text, response.headers.get("retry-after"))
        except (requests.RequestException, HTTPError, ValueError) as error:
            raise self._failure(error, seconds) from None

    def _failure(self, error: Exception, seconds: float) -> ServiceUnavailable:
        """The words of the library are left out: they may hold the key."""
        match error:
            case requests.ReadTimeout() | ReadTimeoutError():
                trouble = f"gives no answer within {seconds:.1f} s; see its log, and restart it if that goes on"
            case requests.ConnectTimeout():
                trouble = f"cannot be reached within {min(_CONNECT_S, seconds):.1f} s; check RERANKER_BASE_URL"
            case requests.exceptions.SSLError():
                trouble = "has a certificate that is not trusted; set REQUESTS_CA_BUNDLE to its authority's"
            case requests.exceptions.ProxyError():
                trouble = "cannot be reached through the proxy; name its host in NO_PROXY if it needs none"
            case ProtocolError() | requests.ConnectionError(args=[ProtocolError(), *_]):
                return ConnectionLost(f"RERANKER: {self.shown} breaks the connection off; see its log")
            case requests.ConnectionError():
                trouble = "cannot be reached; start the server, or correct RERANKER_BASE_URL"
            case _:
                trouble = f"cannot be asked ({type(error).__name__}); check RERANKER_BASE_URL and RERANKER_API_KEY"
        return ServiceUnavailable(f"RERANKER: {self.shown} {trouble}")


def _address(url: str) -> tuple[str, str]:
    """The address without a name and password in it, and its host. Raises ConfigurationError."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigurationError("RERANKER_BASE_URL: give the server's address, for example http://localhost:18001/v1")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}", parts.hostname


def _session(url: str, proxies: dict[str, str]) -> requests.Session:
    """With the proxies and certificates of the environment, looked up once and not for each of many small calls."""
    session = requests.Session()
    found = session.merge_environment_settings(url, proxies, True, None, None)
    session.trust_env = False
    session.proxies, session.verify = found["proxies"], found["verify"]
    for scheme in ("http://", "https://"):
        session.mount(scheme, HTTPAdapter(pool_maxsize=_POOLED_CONNECTIONS))
    return session


def _content(response: requests.Response, deadline: float) -> bytes:
    """All of the body, if it comes in time: the timeout of a socket starts anew with every byte."""
    parts = []
    while part := response.raw.read1(_CHUNK_BYTES, decode_content=True):
        parts.append(part)
        if time.monotonic() > deadline:
            raise requests.ReadTimeout
    return b"".join(parts)


def _wait_s(response: Response) -> float | None:
    """Before a second try; None where it would not help, or not soon."""
    if response.status not in _PASSING:
        return None
    try:
        wait_s = _WAIT_S if response.retry_after is None else float(response.retry_after)
    except ValueError:  # a date
        return None
    return wait_s if 0 <= wait_s <= _LONGEST_WAIT_S else None


def _is_local(host: str) -> bool:
    """On this machine or network, where no proxy can help."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or "." not in host
