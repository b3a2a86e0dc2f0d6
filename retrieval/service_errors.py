"""What a model server says when it refuses, as one of our errors with what to do about it. No I/O.

Servers say no in five shapes: `{"message", "object"}` (ms-swift), `{"error": {"message"}}` (OpenAI, vLLM, llama.cpp),
`{"error": "text"}` (vLLM's 401, TEI), `{"detail": "text" or [{"loc", "msg"}]}` (FastAPI) and plain text.
"""

import json
import re
from urllib.parse import urljoin, urlsplit

from retrieval.errors import RequestRefused, ServiceUnavailable

_LONGEST_WORDS_CHARS = 200
_LONGEST_BODY_CHARS = 20_000

_REFUSALS = {400, 413, 422}
_PASSING = {429, 500, 502, 503, 504}

_SECRET = re.compile(r"bearer\s+\S+|\bsk-[\w-]+", re.IGNORECASE)
_KEY = re.compile(r"api[ _-]?key|unauthori[sz]ed|authentication|invalid token", re.IGNORECASE)
_MODEL = re.compile(
    r"model_list|invalid model|not a valid model|\bmodel\b.{0,200}\b(not exist|not found)", re.IGNORECASE
)
_OTHER_TASK = re.compile(r"task was removed|server does not support", re.IGNORECASE)
_LENGTH = re.compile(
    r"too (large|long)|larger than the max|exceed.{0,60}(context|length|tokens)|max(imum)?.?(context|model|length)"
    r"|(less|fewer) than \d+ tokens",
    re.IGNORECASE,
)


def service_error(service: str, status: int, body: str) -> ServiceUnavailable:
    """The error for an HTTP answer of 400 or more, in one line, with the server's own words clipped.

    `service` is what its settings begin with: CHAT, EXTRACTOR, EMBEDDING, RERANKER. RequestRefused when this very
    request is the trouble, plain ServiceUnavailable otherwise. Keys are not repeated.
    """
    words = _clipped(server_words(body))
    if status in {401, 403} or (status in _REFUSALS and _KEY.search(words)):
        return ServiceUnavailable(f"{service}: the server refuses the key ({status}); set {service}_API_KEY to its key")
    said = f"({status}: {words})" if words else f"({status})"
    if status in {404, 405} or (status in _REFUSALS and _MODEL.search(words)):
        return ServiceUnavailable(
            f"{service}: the server does not know this address or model {said}; check {service}_BASE_URL, which mostly"
            f" ends with /v1, and {service}_MODEL"
        )
    if _OTHER_TASK.search(words):
        return ServiceUnavailable(f"{service}: the server does not do this {said}; start it as docs/serving.md shows")
    if status == 413 or (status in _REFUSALS | {500} and _LENGTH.search(words)):
        return RequestRefused(f"{service}: too much for the server at once {said}; lower {_length_setting(service)}")
    if status in _REFUSALS:
        return RequestRefused(f"{service}: the server refuses this request {said}; see its log")
    if status == 429:
        return ServiceUnavailable(f"{service}: the server is asked too often {said}; wait, or raise its limit")
    return ServiceUnavailable(f"{service}: the server fails {said}; see its log")


def redirected(service: str, asked: str, location: str) -> ServiceUnavailable:
    """The error for an answer that sends the request elsewhere: questions and passages go where the settings say."""
    try:
        parts = urlsplit(urljoin(asked, location))
        place = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    except ValueError:
        place = "what is no address"
    return ServiceUnavailable(
        f"{service}: the server redirects to {place}; set {service}_BASE_URL to where it really is"
    )


def is_passing(status: int) -> bool:
    """Whether the same request may succeed a moment later, unless `service_error` calls it refused."""
    return status in _PASSING


def server_words(body: str) -> str:
    """What the body of a refusal says, in one line: without what it repeats of the request, without keys."""
    try:
        said = _said(json.loads(body[:_LONGEST_BODY_CHARS]))
    except (ValueError, RecursionError):
        said = body[:_LONGEST_BODY_CHARS]
    if re.match(r"\s*<(!doctype|html|head)", said, re.IGNORECASE):
        return "a web page"
    return _SECRET.sub("…", " ".join("".join(c if c.isprintable() else " " for c in said).split()))


def _length_setting(service: str) -> str:
    return "CHAT_WINDOW_TOKENS" if service in {"CHAT", "EXTRACTOR"} else f"{service}_MAX_CHARS"


def _clipped(words: str) -> str:
    return words if len(words) <= _LONGEST_WORDS_CHARS else words[: _LONGEST_WORDS_CHARS - 1] + "…"


def _said(answer: object) -> str:
    """The sentence in an error's JSON, wherever it stands; empty where there is none."""
    match answer:
        case str():
            return answer
        case {"msg": str(message), "loc": [*place]}:
            return f"{'.'.join(map(str, place))}: {message}"
        case dict():
            parts = (_said(answer.get(key)) for key in ("message", "error", "detail"))
            return next(filter(None, parts), "")
        case [*items]:
            return "; ".join(filter(None, map(_said, items)))
    return ""
