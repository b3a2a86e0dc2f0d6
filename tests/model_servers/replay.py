"""What real model servers sent, sent again."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.model_servers.server import Answer, Hang, ModelServer, Request, Reset, Response

_RECORDED = Path(__file__).with_name("recorded")

_QUESTION_FIELDS = ("input", "messages", "query", "queries", "documents", "texts", "text_1", "text_2", "model")
"""What decides which recorded exchange answers; how it is asked (temperature, formats) does not."""


class ReplayServer(ModelServer):
    """Serves exchanges from `recorded/`, given by name. A request is answered by the exchange of the same method and
    path whose question is the same, or else is alike (a list where a list was sent); 404 where there is none.

    An exchange whose name ends in HANGS hangs, one that was cut off closes the connection.
    """

    def __init__(self, *names: str) -> None:
        self._exchanges = [recorded(name) for name in names]
        super().__init__(self._closest)

    def _closest(self, request: Request) -> Answer:
        likeness = [_likeness(exchange["request"], request) for exchange in self._exchanges]
        best = max(likeness, default=-1)
        if best < 0:
            return Response(404, {"detail": "Not Found"})
        return _answer(self._exchanges[likeness.index(best)])


def recorded(name: str) -> dict[str, Any]:
    """One exchange: its `request` and `response`, with status, headers and body."""
    exchange: dict[str, Any] = json.loads((_RECORDED / f"{name}.json").read_text("utf-8"))
    return exchange


def recorded_body(name: str) -> str:
    """The body of an exchange's response, as the server sent it but for white space."""
    body = recorded(name)["response"]["body"]
    raw = body.get("_raw_text") if isinstance(body, dict) else None
    return json.dumps(body) if raw is None else str(raw)


def _likeness(asked: dict[str, Any], request: Request) -> int:
    """How many of the fields that matter are equal; -1 for another address or another kind of question."""
    if (asked["method"], urlsplit(asked["url"]).path) != (request.method, urlsplit(request.path).path):
        return -1
    then, now = asked["body"] or {}, request.body or {}
    shared = [field for field in _QUESTION_FIELDS if field in then and field in now]
    if any(type(then[field]) is not type(now[field]) for field in shared):
        return -1
    return sum(then[field] == now[field] for field in shared)


def _answer(exchange: dict[str, Any]) -> Answer:
    response = exchange["response"]
    if not response["status"]:
        return Hang()
    if exchange["curl_exit"]:
        return Reset()
    headers = dict(header.split(": ", 1) for header in response["headers"])
    return Response(response["status"], recorded_body(exchange["name"]), headers)
