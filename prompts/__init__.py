"""The prompts, one Markdown file each, and the one way to fill them.

A place to fill is written `{{name}}`. Values go in as they are: what people or documents wrote belongs into a user
message, fenced, and never into a place among instructions.
"""

import hashlib
import re
from functools import lru_cache
from importlib import resources

_PLACE = re.compile(r"\{\{(\w+)\}\}")


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
    return hashlib.sha256("\0".join(map(_template, names)).encode()).hexdigest()[:12]


@lru_cache(maxsize=64)
def _template(name: str) -> str:
    return resources.files("prompts").joinpath(f"{name}.md").read_text("utf-8")
