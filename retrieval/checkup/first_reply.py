"""The first answer of a model server: by which name and at which address it gives one, and how fast."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from retrieval.checkup.configuration import without_secrets
from retrieval.checkup.server import ModelServer, Reply, UnknownAddress
from retrieval.errors import ServiceUnavailable
from retrieval.model_names import as_served, reranker_among
from retrieval.settings import ModelAddress
from retrieval.types import Check, CheckStatus, Facts

_V1 = "/v1"
_NAMED = 5


@dataclass(frozen=True)
class FirstReply:
    """`server` with its model's name as it knows it, all that it serves, and its reply.

    `window_tokens` is what a request and its answer may have, `is_guess` whether nobody chose among several models.
    """

    server: ModelServer
    served: Sequence[str]
    reply: Reply
    window_tokens: int | None
    is_guess: bool

    def check(self, subject: str, facts: Facts, status: CheckStatus = "ok", advice: str = "") -> Check:
        """What was found of the server, with what is the matter; else whether its model was chosen by anyone."""
        found: Facts = {
            "model": self.server.at.model,
            **({"serves": list(self.served[:_NAMED])} if len(self.served) > 1 else {}),
            "latency_ms": self.reply.latency_ms,
            "key": "accepted" if self.server.at.key else "none sent",
            **({"window_tokens": self.window_tokens} if self.window_tokens else {}),
            **facts,
        }
        if status == "ok" and self.is_guess:
            advice = (
                f"serves several models, of which {self.server.at.model} is used; set {self.server.at.service}_MODEL"
            )
            return Check(subject, "look", found, advice)
        return Check(subject, status, found, advice)


def with_address(check: Check, at: ModelAddress) -> Check:
    """The check, told of which address it is."""
    return replace(check, facts={"address": without_secrets(at.base_url), **check.facts})


def first_reply(at: ModelAddress, route: str, body: Mapping[str, Any]) -> FirstReply:
    """What the server answers by its own model's name. Where the address is off by a /v1, the error says so.

    Raises ServiceUnavailable, RequestRefused.
    """
    try:
        return _first_reply(at, route, body)
    except UnknownAddress as error:
        base = at.base_url.rstrip("/")
        other = base.removesuffix(_V1) if base.endswith(_V1) else base + _V1
        try:
            _first_reply(replace(at, base_url=other), route, body)
        except ServiceUnavailable:
            raise error from None
        here, there = without_secrets(base), without_secrets(other)
        raise ServiceUnavailable(
            f"{at.service}: the server answers at {there}, not at {here}; set {at.service}_BASE_URL={there}"
        ) from None


def _first_reply(at: ModelAddress, route: str, body: Mapping[str, Any]) -> FirstReply:
    windows = ModelServer(at).models()
    served = list(windows)
    name = _meant(at, served)
    if served and not name:
        names = ", ".join(served[:_NAMED]) + (", …" if len(served) > _NAMED else "")
        raise ServiceUnavailable(
            f"{at.service}: the server has {names}, not {at.model}; set {at.service}_MODEL to one it has"
        )
    server = ModelServer(replace(at, model=name))
    is_guess = len(served) > 1 and not at.model
    return FirstReply(server, served, server.post(route, body), windows.get(name or ""), is_guess)


def _meant(at: ModelAddress, served: Sequence[str]) -> str | None:
    """The served name that is configured, its path and case aside; as the clients guess it where none is."""
    if not served:
        return at.model
    if at.model:
        return as_served(at.model, served)
    return reranker_among(served) if at.service == "RERANKER" else served[0]
