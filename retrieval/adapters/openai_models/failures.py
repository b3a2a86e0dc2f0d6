"""What can go wrong on the way to a server and back: our error for it, and whether asking again may help. No I/O."""

import httpx
import openai

from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.service_errors import is_passing, redirected, server_words, service_error

_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 5.0

_NOT_KNOWN = {400, 404, 422}
"""Where the request itself is not the trouble, the model or the address is."""


class Refused(RequestRefused):
    """`words`: what the server says of it, all of it."""

    def __init__(self, told: object, words: str) -> None:
        super().__init__(str(told))
        self.words = words


class ModelUnknown(ServiceUnavailable):
    """The server knows no such model, or no such address."""


def failure(error: openai.APIError, service: str, address: str) -> ServiceUnavailable:
    """Our error for one of the client's, in one line. `service` is what its settings begin with."""
    cause = error.__cause__
    if isinstance(cause, ServiceUnavailable):
        return cause
    if isinstance(error, openai.APIStatusError):
        return _refusal(error.response, service)
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError):
        return ServiceUnavailable(
            f"{service}: no server answers at {address} ({_words_of(cause)}); start it, or check {service}_BASE_URL"
        )
    if isinstance(error, openai.APITimeoutError):
        return ServiceUnavailable(f"{service}: no answer in time from {address}")
    return ServiceUnavailable(
        f"{service}: the connection to {address} broke ({_words_of(cause)}); see the server's log"
    )


def pause_before_retry_s(error: openai.APIError) -> float | None:
    """How long to wait before asking the same once more, None where that cannot help."""
    if isinstance(error, openai.APIStatusError):
        refused = isinstance(service_error("", error.status_code, error.response.text), RequestRefused)
        return None if refused or not is_passing(error.status_code) else _asked_to_wait_s(error.response)
    broke = isinstance(error.__cause__, httpx.ReadError | httpx.WriteError | httpx.RemoteProtocolError)
    return _PAUSE_S if broke else None


def _refusal(response: httpx.Response, service: str) -> ServiceUnavailable:
    if response.is_redirect:
        return redirected(service, str(response.url), response.headers.get("Location", ""))
    told = service_error(service, response.status_code, response.text)
    if isinstance(told, RequestRefused):
        return Refused(told, server_words(response.text))
    return ModelUnknown(*told.args) if response.status_code in _NOT_KNOWN else told


def _asked_to_wait_s(response: httpx.Response) -> float | None:
    """By Retry-After in seconds; None where that is long, or a date, as of services whose day is used up."""
    try:
        wait_s = float(response.headers.get("Retry-After", _PAUSE_S))
    except ValueError:
        return None
    return wait_s if 0 <= wait_s <= _LONGEST_PAUSE_S else None


def _words_of(cause: BaseException | None) -> str:
    return str(cause) or type(cause).__name__
