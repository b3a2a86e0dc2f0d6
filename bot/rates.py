"""Slack's 429 answers to calls that wait their turn: each method for itself, the others go on."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import HttpRequest, HttpResponse, RetryHandler, RetryState
from slack_sdk.web import SlackResponse

_DEFAULT_S = 1.0
_RETRIES_MOST = 30
_REPEAT_AFTER_S = (0.2, 1.0, 3.0)


class RateLimited(OSError):
    """Slack wants no more of these calls for a while, and the caller does not wait."""


class Holds:
    """Until when no call of a method goes out. Shared by all clients of a token."""

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock = clock
        self.pause = pause
        self._lock = threading.Lock()
        self._until: dict[str, float] = {}

    def hold(self, method: str, seconds: float) -> None:
        """No call of the method for so long."""
        with self._lock:
            self._until[method] = max(self._until.get(method, 0.0), self._clock() + seconds)

    def left_s(self, method: str) -> float:
        """Seconds until the method may be called; 0 when it may be now."""
        with self._lock:
            return max(0.0, self._until.get(method, 0.0) - self._clock())

    def wait(self, method: str) -> None:
        """Return when the method may be called."""
        while (left_s := self.left_s(method)) > 0:
            self.pause(left_s)


class HeldClient(WebClient):
    """A Slack client that keeps to the holds. A patient one waits, any other raises RateLimited.

    Calls that fail with an error of which `may_repeat` says so are made again, soon and a few times.
    """

    def __init__(
        self,
        token: str,
        url: str,
        holds: Holds,
        *,
        patient: bool,
        timeout_s: int = 30,
        may_repeat: Callable[[SlackApiError], bool] = lambda error: False,
    ) -> None:
        self._holds = holds
        self._patient = patient
        self._may_repeat = may_repeat
        super().__init__(token, url, timeout=timeout_s, retry_handlers=[_Obey(holds, patient=patient)])

    def api_call(self, api_method: str, **arguments: Any) -> SlackResponse:
        """The call, once it may be made."""
        for pause_s in _REPEAT_AFTER_S:
            try:
                return self._call_once(api_method, arguments)
            except SlackApiError as error:
                if not self._may_repeat(error):
                    raise
            self._holds.pause(pause_s)
        return self._call_once(api_method, arguments)

    def _call_once(self, api_method: str, arguments: Mapping[str, Any]) -> SlackResponse:
        if self._patient:
            self._holds.wait(api_method)
        elif self._holds.left_s(api_method) > 0:
            raise RateLimited(f"Slack takes no more calls of {api_method} for now")
        return super().api_call(api_method, **arguments)


class _Obey(RetryHandler):
    """Notes a 429, and repeats the call afterwards if it is a patient one."""

    def __init__(self, holds: Holds, *, patient: bool) -> None:
        super().__init__(max_retry_count=_RETRIES_MOST)
        self._holds = holds
        self._patient = patient

    def _can_retry(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        if response is None or response.status_code != 429:
            return False
        self._holds.hold(_method(request), _retry_after_s(response))
        return self._patient

    def prepare_for_next_attempt(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> None:
        self._holds.wait(_method(request))
        state.next_attempt_requested = True
        state.increment_current_attempt()


def _method(request: HttpRequest) -> str:
    return urlsplit(request.url).path.rsplit("/", 1)[-1]


def _retry_after_s(response: HttpResponse) -> float:
    values = next((value for name, value in response.headers.items() if name.lower() == "retry-after"), [])
    value = values[0] if isinstance(values, list) and values else values
    try:
        return max(0.0, float(str(value)))
    except ValueError:
        return _DEFAULT_S
