"""A language model's words to an object of a given form, whatever stands around the JSON or is amiss in it."""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from retrieval.errors import ModelOutputInvalid

Form = TypeVar("Form", bound=BaseModel)

_THOUGHT = re.compile(r"\s*<think(?:ing)?>(.*?</think(?:ing)?>|.*)", re.DOTALL)
_REST_OF_THOUGHT = re.compile(r"(?!\s*(?:\{|```)).*?</think(?:ing)?>", re.DOTALL)  # the prompt has opened it
_OPENING = re.compile(r"\{|\[+")
_MOST_PROBLEMS = 5

_decoder = json.JSONDecoder(strict=False, parse_constant=lambda name: None)  # NaN is no number


def read_form(words: str, form: type[Form]) -> Form:
    """The last object of that form that the model says outside of its thinking.

    Raises ModelOutputInvalid with what is wrong: no object at all (prose, a list, one that was cut off), or none that
    the form accepts (a schema repeated, fields missing).
    """
    problem = "it holds no JSON object"
    for candidate in reversed(list(_objects(said(words)))):
        if not candidate.keys() & _names(form):
            problem = "its JSON object has none of the fields asked for"
            continue
        try:
            return form.model_validate(candidate)
        except ValidationError as error:
            problem = _told(error)
    raise ModelOutputInvalid(problem)


def said(words: str) -> str:
    """The words without thinking, finished or not."""
    while thought := _THOUGHT.match(words):
        words = words[thought.end() :]
    if rest := _REST_OF_THOUGHT.match(words):
        words = words[rest.end() :]
    return words


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects of a text, mended where they need it. What stands in a list is no answer."""
    place = 0
    while opening := _OPENING.search(text, place):
        start = opening.start()
        try:
            value, place = _decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, place = _mended(text, start) if text[start] == "{" else (None, opening.end())
        if isinstance(value, dict):
            yield value


def _mended(text: str, start: int) -> tuple[Any, int]:
    """What stands from one brace to the one that closes it, and the place behind. An object that nothing closes was
    cut off: mended, it would look complete."""
    end = _closing(text, start)
    if not end:
        return None, len(text)
    try:
        return json_repair.loads(text[start:end], skip_json_loads=True), end
    except (ValueError, RecursionError):
        return None, end


def _closing(text: str, start: int) -> int:
    """The place behind the brace that closes the one at `start`; 0 where none does."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if not depth:
            return place + 1
    return 0


def _names(form: type[BaseModel]) -> set[str]:
    return {name for field, info in form.model_fields.items() for name in (field, info.alias) if name}


def _told(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    told = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in problems]
    return "; ".join(told[:_MOST_PROBLEMS])
