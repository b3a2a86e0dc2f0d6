"""A model server asked as it is, without the mending that the clients do."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import requests

from retrieval.budget import time_left_s
from retrieval.errors import ConfigurationError, ServiceUnavailable
from retrieval.proxies import ca_bundle_for, proxy_for
from retrieval.service_errors import redirected, service_error
from retrieval.settings import ModelAddress

_CONNECT_S = 3.0
_MOST_S = 10.0
_IF_SLOW = "run this again if it was loading its model, else see its log and start it anew"


class UnknownAddress(ServiceUnavailable):
    """Nothing stands at this address of the server, or not this model."""


class Reply(NamedTuple):
    """A JSON answer, and how long it took."""

    body: Any
    latency_ms: int


@dataclass(frozen=True)
class ModelServer:
    """What stands at an address. All methods raise ServiceUnavailable with what to do, RequestRefused where this very
    request is the trouble."""

    at: ModelAddress

    def models(self) -> dict[str, int | None]:
        """The names that it serves, with the tokens that a request may have where it says so; empty where it does not
        tell its models."""
        try:
            body = self._ask("GET", "models", None).body
        except UnknownAddress:
            return {}
        listed = body.get("data") if isinstance(body, dict) else None
        rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
        return {str(row["id"]): _window(row.get("max_model_len")) for row in rows if "id" in row}

    def post(self, route: str, body: Mapping[str, Any]) -> Reply:
        """What it answers."""
        return self._ask("POST", route, {**({"model": self.at.model} if self.at.model else {}), **body})

    def _ask(self, method: str, route: str, body: Mapping[str, Any] | None) -> Reply:
        left_s, began_s = time_left_s(_MOST_S), time.monotonic()
        try:
            with requests.Session() as session:
                self._heed_environment(session)
                session.auth = self._authorized
                answer = session.request(
                    method,
                    f"{self.at.base_url.rstrip('/')}/{route}",
                    json=body,
                    timeout=(min(_CONNECT_S, left_s), left_s),
                    allow_redirects=False,
                )
        except requests.Timeout:
            raise ServiceUnavailable(f"{self.at.service}: no answer within {left_s:.0f} s; {_IF_SLOW}") from None
        except ConfigurationError as error:
            raise ServiceUnavailable(f"{self.at.service}: {error}") from None
        except (requests.RequestException, ValueError):
            raise ServiceUnavailable(
                f"{self.at.service}: no server answers there; start it, or correct {self.at.service}_BASE_URL"
            ) from None
        return Reply(self._json(answer), round((time.monotonic() - began_s) * 1000))

    def _json(self, answer: requests.Response) -> Any:
        if answer.is_redirect:
            raise redirected(self.at.service, answer.url, answer.headers["location"])
        if answer.status_code >= 400:
            error = service_error(self.at.service, answer.status_code, answer.text)
            raise UnknownAddress(*error.args) if answer.status_code in {404, 405} else error
        try:
            return answer.json()
        except ValueError:
            raise ServiceUnavailable(
                f"{self.at.service}: what answers there is no model server; correct {self.at.service}_BASE_URL"
            ) from None

    def _heed_environment(self, session: requests.Session) -> None:
        session.trust_env = False
        session.verify = ca_bundle_for(self.at.base_url) or True
        if proxy := proxy_for(self.at.base_url):
            session.proxies = {"http": proxy, "https": proxy}

    def _authorized(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self.at.key:
            request.headers["Authorization"] = f"Bearer {self.at.key}"
        return request


def _window(told: object) -> int | None:
    return told if isinstance(told, int) and told > 0 else None
