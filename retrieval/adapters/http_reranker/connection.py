"""Requests to a reranker server, bounded by the question's time; what goes wrong is told in one line."""

import json
import time
from http import HTTPStatus
from typing import Any, NamedTuple

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError, ProtocolError, ReadTimeoutError

from retrieval.addresses import shown_address
from retrieval.budget import time_left_s
from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.hangs import Hangs
from retrieval.proxies import ca_bundle_for, proxy_for
from retrieval.service_errors import is_passing, redirected, service_error

_CONNECT_S = 3.0
_LONGEST_S = 30.0
_LONGEST_GET_S = 5.0
_LONGEST_WAIT_S = 2.0
_WAIT_S = 0.5
_POOLED_CONNECTIONS = 64
_CHUNK_BYTES = 65_536

_NOT_KNOWN = {400, 404, 422}


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
            error = service_error("RERANKER", self.status, self.text)
            if self.status in _NOT_KNOWN and not isinstance(error, RequestRefused):
                raise ModelUnknown(*error.args)
            raise error
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            raise ServiceUnavailable(
                "RERANKER: the server's answer is no JSON; check RERANKER_BASE_URL, and the server's log"
            ) from None


class ModelUnknown(ServiceUnavailable):
    """The server knows no such model, or no such address."""


class ConnectionLost(ServiceUnavailable):
    """The server broke a connection off: it may have restarted, or closed one that was kept for later."""


class Connection:
    """Thread-safe; connections are kept and shared. Every method raises ServiceUnavailable when no answer comes.

    `shown` is the address as people may see it. Making one raises ConfigurationError where the address is none, or
    holds a key, and for a proxy or certificates of the environment that are of no use.
    """

    def __init__(self, base_url: str, api_key: str | None) -> None:
        self.base_url = base_url.rstrip("/")
        self.shown = shown_address(self.base_url, "RERANKER")
        self._session = _session(self.base_url)
        self._hangs = Hangs()
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
        self._hangs.check()
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
                if response.is_redirect:
                    raise redirected("RERANKER", response.url, response.headers["location"])
                text = _content(response, deadline).decode("utf-8", "replace")
        except (requests.ReadTimeout, ReadTimeoutError):
            told = f"RERANKER: {self.shown} gives no answer within {seconds:.1f} s"
            raise self._hangs.timed_out(told, seconds, most_s) from None
        except (requests.RequestException, HTTPError, ValueError) as error:
            raise self._failure(error, seconds) from None
        self._hangs.answered()
        return Response(response.status_code, text, response.headers.get("retry-after"))

    def _failure(self, error: Exception, seconds: float) -> ServiceUnavailable:
        """The words of the library are left out: they may hold the key."""
        match error:
            case requests.ConnectTimeout():
                trouble = f"cannot be reached within {min(_CONNECT_S, seconds):.1f} s; check RERANKER_BASE_URL"
            case requests.exceptions.SSLError():
                trouble = "has a certificate that is not trusted; set REQUESTS_CA_BUNDLE, and give its host's full name"
            case requests.exceptions.ProxyError():
                trouble = "cannot be reached through the proxy; name its host in NO_PROXY if it needs none"
            case ProtocolError() | requests.ConnectionError(args=[ProtocolError(), *_]):
                return ConnectionLost(f"RERANKER: {self.shown} breaks the connection off; see its log")
            case requests.ConnectionError():
                trouble = "cannot be reached; start the server, or correct RERANKER_BASE_URL"
            case _:
                trouble = f"cannot be asked ({type(error).__name__}); check RERANKER_BASE_URL and RERANKER_API_KEY"
        return ServiceUnavailable(f"RERANKER: {self.shown} {trouble}")


def _session(url: str) -> requests.Session:
    """With the proxy and certificates of the environment, looked up once and not for each of many small calls."""
    session = requests.Session()
    session.trust_env = False
    session.verify = ca_bundle_for(url) or True
    if proxy := proxy_for(url):
        session.proxies = {"http": proxy, "https": proxy}
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
    if response.status == HTTPStatus.INTERNAL_SERVER_ERROR or not is_passing(response.status):
        return None  # rerankers say 500 of texts that are too long for them
    try:
        wait_s = _WAIT_S if response.retry_after is None else float(response.retry_after)
    except ValueError:  # a date
        return None
    return wait_s if 0 <= wait_s <= _LONGEST_WAIT_S else None
