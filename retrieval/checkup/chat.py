"""A chat model to checks: it answers, ends where it is told to, and fills in the form asked for."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from prompts import render
from prompts.forms import Form, Text
from retrieval.checkup.examination import told
from retrieval.checkup.first_reply import FirstReply, first_reply, with_address
from retrieval.errors import ModelOutputInvalid, RequestRefused, ServiceUnavailable
from retrieval.ports import ChatModel
from retrieval.settings import ModelAddress
from retrieval.types import Check, Facts

_ROUTE = "chat/completions"
_COUNT = "Count from 1 to 60, one number a line."
_FEW_TOKENS = 8
_QUESTION = "Which city is the capital of France?"
_ANSWER = "paris"
_FORM_TOKENS = 200
_THINK = "<think>"
_SHOWN_CHARS = 60
_THOUGHT_TOKENS = 1000
_UNLIMITED = "ignores max_tokens, so that a model that goes astray keeps people waiting; update the server"
_NO_FORM = "serve a larger model, or by a server that keeps to JSON schemas"
_THINKS = "thinks aloud before it answers, which takes time; serve it with thinking off"


class Capital(Form):
    """The form to be filled in."""

    country: Text
    capital: Text


def chat_checks(
    name: str, at: ModelAddress, model: ChatModel, *, window_tokens: int | None, may_think: bool
) -> Iterator[Check]:
    """Of the server, and of a form filled in if it answers. `name`: Chat or Extractor; `window_tokens` is as set."""
    answers = told(f"{name} server", _server_check, at, window_tokens)
    yield with_address(answers, at)
    if answers.facts:
        yield told(f"{name} self-test", _form_check, at, model, may_think)


def _server_check(subject: str, at: ModelAddress, window_tokens: int | None) -> Check:
    limited = {"messages": [_said("user", _COUNT)], "max_tokens": _FEW_TOKENS}
    try:
        first = first_reply(at, _ROUTE, limited)
    except RequestRefused:  # some services want another limit, which the client finds out
        first = first_reply(at, _ROUTE, {"messages": [_said("user", _QUESTION)]})
        return first.check(subject, {})
    obeyed = _ends_in_time(first)
    facts: Facts = {"max_tokens": {True: "obeyed", False: "ignored", None: "unknown"}[obeyed]}
    if window_tokens and first.window_tokens and window_tokens > first.window_tokens:
        advice = f"the server takes {first.window_tokens} tokens; set CHAT_WINDOW_TOKENS to that, or start it with more"
        return first.check(subject, facts, "wrong", advice)
    if obeyed is False:
        return first.check(subject, facts, "look", _UNLIMITED)
    return first.check(subject, facts)


def _ends_in_time(first: FirstReply) -> bool | None:
    match first.reply.body:
        case {"usage": {"completion_tokens": int(tokens)}}:
            return tokens <= _FEW_TOKENS
    return None


def _form_check(subject: str, at: ModelAddress, model: ChatModel, may_think: bool) -> Check:
    system, max_tokens = render("self_test"), _THOUGHT_TOKENS if may_think else _FORM_TOKENS
    try:
        filled_in = model.generate(system, _QUESTION, Capital, temperature=0.0, max_tokens=max_tokens)
    except ModelOutputInvalid as error:
        return Check(subject, "wrong", {"model": model.name}, f"{error}; {_NO_FORM}")
    raw = _raw_facts(at, system, max_tokens, may_think)
    facts: Facts = {"model": model.name, **raw, "answer": filled_in.capital[:_SHOWN_CHARS]}
    if facts.get("thinks") and not may_think:
        return Check(subject, "look", facts, _THINKS)
    if _ANSWER not in filled_in.capital.lower():
        return Check(subject, "look", facts, "does not know the capital of France; serve a larger model")
    return Check(subject, "ok", facts)


def _raw_facts(at: ModelAddress, system: str, max_tokens: int, may_think: bool) -> Facts:
    """What the model says before anything is mended; nothing where the server takes no such request."""
    schema = {"name": Capital.__name__, "schema": Capital.model_json_schema()}
    try:
        first = first_reply(
            at,
            _ROUTE,
            {
                "messages": [_said("system", system), _said("user", _QUESTION)],
                "max_tokens": max_tokens,
                "temperature": 0,
                "response_format": {"type": "json_schema", "json_schema": schema},
                "chat_template_kwargs": {"enable_thinking": may_think},
            },
        )
    except ServiceUnavailable:
        return {}
    return {"latency_ms": first.reply.latency_ms, **_form_facts(first.reply.body)}


def _form_facts(answer: Any) -> Facts:
    match answer:
        case {"choices": [{"message": {"content": str(words), **rest}}, *_]}:
            prefixed = words.strip().startswith(_THINK)
            thought = words.strip().removeprefix(_THINK).partition("</think>")[0].strip()
            aloud = rest.get("reasoning") or rest.get("reasoning_content") or (prefixed and thought)
            form = "as asked" if _is_form(words) else "after mending"
            return {"form": form, "think_prefix": prefixed, "thinks": bool(aloud)}
    return {}


def _is_form(words: str) -> bool:
    try:
        Capital.model_validate_json(words)
    except ValidationError:
        return False
    return True


def _said(role: str, content: str) -> Mapping[str, str]:
    return {"role": role, "content": content}
