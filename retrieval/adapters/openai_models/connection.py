"""One OpenAI-compatible server: a client with time limits, one retry where that helps, and the name of its model."""

import json
import ssl
import time
from functools import cache
from typing import Any

import httpx
import openai

from retrieval.adapters.openai_models.failures import ModelUnknown, failure, pause_before_retry_s
from retrieval.adapters.openai_models.in_time import keep_to_time
from retrieval.addresses import shown_address
from retrieval.budget import time_left_s
from retrieval.errors import ConfigurationError, ServiceUnavailable
from retrieval.hangs import Hangs
from retrieval.model_names import as_served, last_part
from retrieval.proxies import goes_direct, proxy_for
from retrieval.service_errors import is_passing, service_error

_CONNECT_S = 3.0
_MODEL_LIST_S = 5.0

_NO_KEY = "none"
"""Servers that want no key heed none; the client insists on one."""


class Connection:
    """`post` asks it; `model` and `name` say what it serves. Thread-safe."""

    def __init__(
        self, base_url: str, model: str | None, api_key: str | None, *, service: str, read_timeout_s: float
    ) -> None:
        """Connects to nothing yet. `service` is what its settings begin with.

        Raises ConfigurationError for an address or a key that cannot be one, and for a proxy or certificates of the
        environment that are of no use.
        """
        self._service = service
        self._address = shown_address(base_url, service)
        self._configured = model
        self._model: str | None = None
        self._read_timeout_s = read_timeout_s
        self._hangs = Hangs()
        self._client = openai.OpenAI(
            api_key=_checked_key(api_key, service),
            base_url=base_url,
            max_retries=0,
            http_client=openai.DefaultHttpxClient(
                verify=_trusted(by_environment=not goes_direct(base_url) and base_url.lower().startswith("https")),
                proxy=proxy_for(base_url),
                trust_env=False,
                follow_redirects=False,
                event_hooks={"response": [keep_to_time]},
            ),
        )
        self._client.organization = self._client.project = None  # the client took them from the environment

    def close(self) -> None:
        self._client.close()

    @property
    def model(self) -> str:
        """What the server calls its model: as configured, or as listed where only the path differs (ms-swift drops
        it), or the first one listed where none is configured. Raises ServiceUnavailable when that cannot be known."""
        if self._model is None:
            try:
                self._model = self._among(self._listed())
            except ServiceUnavailable:
                if not self._configured:
                    raise
                return self._configured
        return self._model

    @property
    def name(self) -> str:
        """The last path component of the model's name. Raises ServiceUnavailable as `model` does."""
        return last_part(self._configured or self.model)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON that the server answers. `path` is without that of the base URL, `body` without the model, which
        is looked up anew where nobody chose it and the server no longer knows it.

        Raises ServiceUnavailable, and Refused where the request is the trouble.
        """
        self._hangs.check()
        model = self.model
        try:
            return self._post(path, {"model": model, **body}, again=True)
        except ModelUnknown:
            if self._configured or not self._is_renamed(model):
                raise
        return self._post(path, {"model": self.model, **body}, again=True)

    def _is_renamed(self, model: str) -> bool:
        if self._model == model:  # else another thread has asked already
            self._model = None
        return self.model != model

    def _post(self, path: str, body: dict[str, Any], *, again: bool) -> Any:
        limits = _limits(self._read_timeout_s)
        try:
            response = self._client.post(path, body=body, cast_to=httpx.Response, options={"timeout": limits})
        except openai.APIError as error:
            pause_s = pause_before_retry_s(error) if again else None
            if pause_s is None or pause_s >= time_left_s(self._read_timeout_s):
                raise self._failure(error, self._read_timeout_s) from None
            time.sleep(pause_s)
            return self._post(path, body, again=False)
        self._hangs.answered()
        return self._json(response)

    def _listed(self) -> list[str]:
        self._hangs.check()
        try:
            response = self._client.get("/models", cast_to=httpx.Response, options={"timeout": _limits(_MODEL_LIST_S)})
        except openai.APIError as error:
            shows_no_list = isinstance(error, openai.APIStatusError) and not is_passing(error.status_code)
            if self._configured and shows_no_list:
                return []
            raise self._failure(error, _MODEL_LIST_S) from None
        match self._json(response):
            case {"data": [*models]}:
                return [str(model["id"]) for model in models if isinstance(model, dict) and "id" in model]
        return []

    def _among(self, listed: list[str]) -> str:
        if not self._configured:
            if not listed:
                raise ServiceUnavailable(f"{self._service}: {self._address} lists no model; set {self._service}_MODEL")
            return listed[0]
        return as_served(self._configured, listed) or self._configured

    def _json(self, response: httpx.Response) -> Any:
        try:
            answer = json.loads(response.content)
        except (ValueError, RecursionError):
            raise ServiceUnavailable(
                f"{self._service}: what {self._address} sends is no JSON; check {self._service}_BASE_URL, which mostly"
                " ends with /v1"
            ) from None
        if isinstance(answer, dict) and answer.get("error"):  # some say so with status 200
            raise service_error(self._service, response.status_code, response.text)
        return answer

    def _failure(self, error: openai.APIError, most_s: float) -> ServiceUnavailable:
        told = failure(error, self._service, self._address)
        if not isinstance(error.__cause__, httpx.ReadTimeout):
            return told
        return self._hangs.timed_out(str(told), error.request.extensions["timeout"]["read"], most_s)


@cache
def _trusted(*, by_environment: bool) -> ssl.SSLContext:
    """Reading the certificates takes longer than many an answer, so it is done once."""
    try:
        return httpx.create_ssl_context(trust_env=by_environment)
    except OSError:
        raise ConfigurationError(
            "SSL_CERT_FILE, SSL_CERT_DIR: there are no certificates where they point to; correct or unset them"
        ) from None


def _limits(read_s: float) -> httpx.Timeout:
    return httpx.Timeout(time_left_s(read_s), connect=time_left_s(_CONNECT_S))


def _checked_key(api_key: str | None, service: str) -> str:
    key = (api_key or _NO_KEY).strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigurationError(f"{service}_API_KEY: holds characters that no key has; copy it anew")
    return key
