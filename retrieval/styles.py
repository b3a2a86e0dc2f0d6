"""CSS declarations to whether they keep text from being seen, for HTML files and for HTML within Markdown."""

import re
from collections.abc import Mapping

import tinycss2

from retrieval.types import Concealment

Declarations = Mapping[str, str]
"""Values by property, both in lower case."""

_POINTS = {"px": 0.75, "pt": 1.0, "em": 12.0, "rem": 12.0, "%": 0.12, "": 0.75}
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(px|pt|em|rem|%|)")
_SMALLEST_POINTS = 2.0
_FAINTEST = 0.05
_FAR_POINTS = 700
"""Beyond the edge of any screen, as far as text is pushed there on purpose."""
_OFFSETS = ("left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top")


def declarations(style: str) -> dict[str, tuple[str, bool]]:
    """Of a `style` attribute or the inside of a rule: values by property, and whether each is important."""
    found: dict[str, tuple[str, bool]] = {}
    for one in tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True):
        if one.type == "declaration" and (one.important or not found.get(one.lower_name, ("", False))[1]):
            found[one.lower_name] = tinycss2.serialize(one.value).strip().lower(), one.important
    return found


def plainly(style: str) -> dict[str, str]:
    """The same without what is important."""
    return {name: value for name, (value, _) in declarations(style).items()}


def concealment(declared: Declarations) -> Concealment | None:
    """What hides the text of an element with these declarations; its colour is another matter."""
    if declared.get("display") == "none" or declared.get("visibility") in ("hidden", "collapse"):
        return "invisible"
    opacity = _number(declared.get("opacity"))
    if opacity is not None and opacity <= _FAINTEST:
        return "invisible"
    size = _points(declared.get("font-size"))
    if size is not None and size < _SMALLEST_POINTS:
        return "tiny"
    far = any((_points(declared.get(name)) or 0) < -_FAR_POINTS for name in _OFFSETS)
    return "outside" if far else None


def shows_again(outer: Declarations, inner: Declarations) -> bool:
    """Whether an element is seen though one around it, with those outer declarations, is not."""
    if outer.get("display") == "none" or _number(outer.get("opacity")) is not None:
        return False
    if outer.get("visibility") in ("hidden", "collapse"):
        return inner.get("visibility") == "visible"
    size = _points(inner.get("font-size"))
    return concealment(outer) == "tiny" and size is not None and size >= _SMALLEST_POINTS


def _points(value: str | None) -> float | None:
    """A length; relative ones as if to a text of twelve points."""
    match = _LENGTH.fullmatch(value or "")
    return float(match[1]) * _POINTS[match[2]] if match else None


def _number(value: str | None) -> float | None:
    match = _LENGTH.fullmatch(value or "")
    if not match or match[2] not in ("", "%"):
        return None
    return float(match[1]) / (100 if match[2] else 1)
