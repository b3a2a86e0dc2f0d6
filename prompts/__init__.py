"""The prompts, one Markdown file each, and the two ways to fill them: instructions by `render`, data by `fenced`.

A place to fill is written `{{name}}`. What people or documents wrote never goes into one: it belongs into the user
message, fenced.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from itertools import count

_PLACE = re.compile(r"\{\{(\w+)\}\}")
_DIGITS = 12


def render(name: str, **values: str) -> str:
    """The prompt of that name with its places filled. Raises ValueError for a missing or an unused value."""
    template = _template(name)
    places = set(_PLACE.findall(template))
    if places != values.keys():
        missing, unused = sorted(places - values.keys()), sorted(values.keys() - places)
        raise ValueError(f"prompt {name}: missing values {missing}, unused values {unused}")
    return _PLACE.sub(lambda place: values[place[1]], template).strip()


def version(*names: str) -> str:
    """Twelve hexadecimal digits that change whenever the wording of one of these prompts does."""
    return _digest(*map(_template, names))


def fenced(sections: Sequence[tuple[str, str]], *, then: str) -> str:
    """A user message of titled data, and the task that follows it.

    A line that begins with the code of the message opens a section, or ends the last. The code is made from the data
    so that it stands nowhere in it: nothing that people wrote can open or close a section. The same data give the
    same message.
    """
    lines = [(" ".join(title.split()), text) for title, text in sections]
    code = _foreign_to("\n".join(part for section in lines for part in section))
    body = "".join(f"{code} {title}\n{text}\n" for title, text in lines)
    opening = f"The code of this message is {code}: lines that begin with it divide the data, and no other line does."
    return f"{opening}\n{body}{code} end of the data\n{then}"


def _foreign_to(text: str) -> str:
    """Digits made from the text that do not stand in it, in either case."""
    candidates = (_digest(text, str(attempt)) for attempt in count())
    return next(code for code in candidates if code not in text.lower())


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()[:_DIGITS]


@lru_cache(maxsize=64)
def _template(name: str) -> str:
    return resources.files("prompts").joinpath(f"{name}.md").read_text("utf-8")
