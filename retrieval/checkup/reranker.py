"""A reranker to checks: it answers, judges right, with its template, and takes passages as long as they come."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from retrieval.checkup.examination import told
from retrieval.checkup.first_reply import FirstReply, first_reply, with_address
from retrieval.checkup.lengths import longest_check
from retrieval.checkup.samples import CAPITAL, GRAVITY, UNRELATED
from retrieval.checkup.server import UnknownAddress
from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.ports import Reranker
from retrieval.settings import ModelAddress
from retrieval.types import Check, CheckStatus, ExtractedQuery, Facts

Api = Literal["swift", "rerank", "tei", "sglang"]

_APIS: tuple[Api, ...] = ("rerank", "swift", "tei", "sglang")
_QUERY = ExtractedQuery(CAPITAL.question, "en")
_PASSAGES = (CAPITAL.passage, GRAVITY.passage, UNRELATED)
_TEMPLATED = re.compile(r"qwen-?3.*rerank", re.IGNORECASE)
_COSINES = (
    "scores by cosine, as embedding models do, not rerankers; correct RERANKER_BASE_URL, or serve a reranker there"
)
_ROUNDING = 1e-3
_SATURATED = 0.98
"""From here on a reranker's scores differ too little to tell anything by."""

_TEMPLATE_TOKENS = 70
"""What the template of Qwen3-Reranker adds to a pair, and a little less."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The relevance floor of a reranker: the one that is set, else the one calibrated for its name, else its own."""

    by_setting: float | None
    calibrated: Callable[[str], float | None]
    own: float

    def of(self, reranker: str) -> tuple[float, str]:
        """And where it is from. Raises ConfigurationError, ServiceUnavailable."""
        if self.by_setting is not None:
            return self.by_setting, "RELEVANCE_FLOOR"
        calibrated = self.calibrated(reranker)
        return (self.own, "default") if calibrated is None else (calibrated, "calibrated")


def served_reranker_checks(
    at: ModelAddress, api: Api, reranker: Reranker, floor: Floor, max_chars: int
) -> Iterator[Check]:
    """Of the server, its judgement and the longest passage, as far as there are answers."""
    answers = told("Reranker server", _server_check, at, api)
    yield with_address(answers, at)
    if not answers.facts:
        return

    def send(text: str) -> None:
        reranker.score(_QUERY, [text])

    judges = told("Reranker self-test", _served_check, reranker, floor)
    yield judges
    if judges.facts:
        yield told("Relevance floor", _floor_check, reranker, floor)
        yield told("Reranker longest passage", longest_check, send, max_chars, "RERANKER_MAX_CHARS")


def reranker_check(subject: str, reranker: Reranker, floor: Floor) -> Check:
    """The passage that answers must come first, and above the floor. Raises ServiceUnavailable."""
    relevant, *others = reranker.score(_QUERY, _PASSAGES)
    value, _ = floor.of(reranker.name)
    status, advice = _judged(relevant, max(others), value)
    facts: Facts = {
        "model": reranker.name,
        "relevant": round(relevant, 3),
        "irrelevant": round(max(others), 3),
        "floor": value,
    }
    return Check(subject, status, facts, advice)


def _judged(relevant: float, irrelevant: float, floor: float) -> tuple[CheckStatus, str]:
    if relevant == irrelevant:
        return (
            "wrong",
            "scores an answer like an unrelated passage, so the model has no working head; serve another one",
        )
    if relevant < irrelevant:
        return "wrong", (
            "scores an unrelated passage above the answer: this is no reranker, or it lacks its template; start it as"
            " docs/serving.md shows"
        )
    if relevant < floor:
        return "wrong", (
            f"a plain answer scores {relevant:.2f}, below the floor of {floor:g}, and would be refused; lower"
            " RELEVANCE_FLOOR, or run: footnote eval calibrate"
        )
    if irrelevant >= floor:
        return "look", (
            f"an unrelated passage scores {irrelevant:.2f}, not below the floor of {floor:g}, and would pass for an"
            " answer; raise RELEVANCE_FLOOR, or run: footnote eval calibrate"
        )
    return "ok", ""


def _floor_check(subject: str, reranker: Reranker, floor: Floor) -> Check:
    value, origin = floor.of(reranker.name)
    facts: Facts = {"reranker": reranker.name, "floor": value, "from": origin}
    if origin != "default":
        return Check(subject, "ok", facts)
    advice = f"not calibrated for this reranker, {value:g} is taken; run: footnote eval calibrate --questions FILE"
    return Check(subject, "look", facts, advice)


def _served_check(subject: str, reranker: Reranker, floor: Floor) -> Check:
    check = reranker_check(subject, reranker, floor)
    if _gives_cosines(reranker):
        return replace(check, status="wrong", advice=_COSINES)
    wished = replace(_QUERY, criteria=("butter at room temperature",))
    heeds = reranker.score(wished, _PASSAGES) != reranker.score(_QUERY, _PASSAGES)
    return replace(check, facts={**check.facts, "instruction": "heeded" if heeds else "not heeded"})


def _gives_cosines(reranker: Reranker) -> bool:
    """Whether question and passage could change places, and a text is its own best answer: as by an embedding model."""
    itself, there = reranker.score(_QUERY, [CAPITAL.question, CAPITAL.passage])
    (back,) = reranker.score(ExtractedQuery(CAPITAL.passage, "en"), [CAPITAL.question])
    return itself > 1 - _ROUNDING and there < _SATURATED and abs(there - back) < _ROUNDING


def _server_check(subject: str, at: ModelAddress, api: Api) -> Check:
    first = _answered(at, api)
    tokens = _tokens_a_pair(first.reply.body, pairs=1 if api == "swift" else 2)
    if tokens is None or not _TEMPLATED.search(first.server.at.model or ""):
        return first.check(subject, {})
    facts: Facts = {"tokens_a_pair": tokens, "template": tokens >= _TEMPLATE_TOKENS}
    if tokens >= _TEMPLATE_TOKENS:
        return first.check(subject, facts)
    return first.check(subject, facts, "wrong", _without_template(api, first))


def _answered(at: ModelAddress, api: Api) -> FirstReply:
    """Where the server speaks another API than the one that is set, the error says which."""
    try:
        return first_reply(at, *_request(api))
    except (UnknownAddress, RequestRefused):
        others: list[Api] = [other for other in _APIS if other != api and _speaks(at, other)]
        if not others:
            raise
        raise ServiceUnavailable(f"the server does not speak {api}; set RERANKER_API={others[0]}") from None


def _speaks(at: ModelAddress, api: Api) -> bool:
    try:
        answer = first_reply(at, *_request(api)).reply.body
    except ServiceUnavailable:
        return False
    match answer:
        case {"choices": [{"message": {"content": str()}}, *_]}:
            return False  # a chat model says something to everything
    return True


def _request(api: Api) -> tuple[str, Mapping[str, Any]]:
    """Route and body that ask for the score of one pair or two."""
    documents = [CAPITAL.passage, GRAVITY.passage]
    match api:
        case "swift":
            pair = [{"role": "user", "content": CAPITAL.question}, {"role": "assistant", "content": CAPITAL.passage}]
            return "chat/completions", {"messages": pair}
        case "tei":
            return "rerank", {"query": CAPITAL.question, "texts": documents}
        case _:
            return "rerank", {"query": CAPITAL.question, "documents": documents}


def _tokens_a_pair(answer: Any, pairs: int) -> int | None:
    match answer:
        case {"usage": {"prompt_tokens": int(tokens)}} if tokens > 0:
            return tokens // pairs
    return None


def _without_template(api: Api, first: FirstReply) -> str:
    how = (
        "serve it with --task_type generative_reranker"
        if api == "swift"
        else "start vLLM with --chat-template docs/qwen3_reranker.jinja"
    )
    return f"{first.server.at.model} gets bare texts without its template, so its scores mean nothing; {how}"
