"""Within the child process: which CSS declarations hold for which element of an HTML file."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import soupsieve
import tinycss2
from bs4 import BeautifulSoup, Tag
from tinycss2.color3 import RGBA, parse_color

from retrieval.adapters.mineru_parser.colours import Colour, is_whitish
from retrieval.styles import Declarations, concealment, declarations

_ANY_SCREEN = re.compile(r"\s*(?:all|screen|)\s*", re.I)
_INLINE = 1_000
"""Specificity of a `style` attribute."""
_WEIGHTS = {"hash": 100, "literal": 10, "ident": 1, "[] block": 10, "function": 10}
"""What the parts of a selector weigh. A class or a pseudo-class is a literal, and the name behind it."""
_MOST_STEPS = 500_000
"""Elements held against rules, or looked at within others: some seconds' worth."""


@dataclass(frozen=True)
class _Rule:
    selector: "soupsieve.SoupSieve"
    rank: tuple[int, int]
    declared: dict[str, tuple[str, bool]]

    @property
    def values(self) -> Declarations:
        return {name: value for name, (value, _) in self.declared.items()}


class Cascade:
    """The style sheets within a page, for the elements that they may hide.

    Rules for some screens only are left aside. `is_in_part`: there are style sheets elsewhere.
    """

    def __init__(self, page: BeautifulSoup) -> None:
        self.is_in_part = page.find("link", rel="stylesheet") is not None
        self._rules = list(_rules(page))
        self._known: dict[int, Declarations] = {}
        hiding = [rule for rule in self._rules if _may_hide(rule.values)]
        self._steps = 0
        self.spend(len(hiding) * len(page.find_all(True)) // 4)  # quicker than others
        self._suspects = {id(element) for rule in hiding for element in rule.selector.select(page)}
        self.may_hide_any = bool(self._suspects)

    def may_hide(self, element: Tag) -> bool:
        """Whether it is worth asking what holds for the element."""
        return id(element) in self._suspects or element.has_attr("style")

    def spend(self, steps: int) -> None:
        """Counts the elements that are looked at. Raises ValueError when they are too many."""
        self._steps += steps
        if self._steps > _MOST_STEPS:
            raise ValueError("the page is too intricate")

    def of(self, element: Tag) -> Declarations:
        """What is declared for the element itself; what it inherits is not among it."""
        if id(element) not in self._known:
            self.spend(len(self._rules))
            self._known[id(element)] = self._decided(element)
        return self._known[id(element)]

    def _decided(self, element: Tag) -> Declarations:
        won: dict[str, tuple[tuple[bool, int, int], str]] = {}
        inline = declarations(str(element.get("style", "")))
        for (weight, order), declared in [*self._holding(element), ((_INLINE, 0), inline)]:
            for name, (value, important) in declared.items():
                rank = (important, weight, order)
                if name not in won or rank >= won[name][0]:
                    won[name] = (rank, value)
        return {name: value for name, (_, value) in won.items()}

    def _holding(self, element: Tag) -> Iterator[tuple[tuple[int, int], dict[str, tuple[str, bool]]]]:
        return ((rule.rank, rule.declared) for rule in self._rules if rule.selector.match(element))


def colour_of(written: str | None) -> Colour | None:
    """Of a name, `#fff` or `rgb(…)`; None for what is no colour. What is transparent shows white paper."""
    colour = parse_color(written or "")
    if not isinstance(colour, RGBA):
        return None
    red, green, blue = (round(255 * part) for part in colour[:3])
    return (red, green, blue) if colour.alpha else (255, 255, 255)


def _may_hide(values: Declarations) -> bool:
    colour = colour_of(values.get("color"))
    return concealment(values) is not None or (colour is not None and is_whitish(colour))


def _rules(page: BeautifulSoup) -> Iterator[_Rule]:
    order = 0
    for sheet in page.find_all("style"):
        if _ANY_SCREEN.fullmatch(str(sheet.get("media", ""))):
            for node in _flat(tinycss2.parse_stylesheet(sheet.get_text(), skip_comments=True, skip_whitespace=True)):
                declared = declarations(tinycss2.serialize(node.content))
                for selector in _selectors(node.prelude):
                    order += 1
                    try:
                        compiled = soupsieve.compile(tinycss2.serialize(selector).strip())
                    except (soupsieve.SelectorSyntaxError, NotImplementedError):
                        continue
                    yield _Rule(compiled, (_specificity(selector), order), declared)


def _flat(nodes: Iterable[Any]) -> Iterator[Any]:
    """Rules, those within `@media screen` too."""
    for node in nodes:
        if node.type == "qualified-rule":
            yield node
        elif node.type == "at-rule" and node.lower_at_keyword == "media" and _for_any_screen(node):
            yield from _flat(tinycss2.parse_rule_list(node.content or (), skip_comments=True, skip_whitespace=True))


def _for_any_screen(media: Any) -> bool:
    return _ANY_SCREEN.fullmatch(tinycss2.serialize(media.prelude)) is not None


def _selectors(prelude: Iterable[Any]) -> Iterator[list[Any]]:
    """The selectors between commas."""
    selector: list[Any] = []
    for part in prelude:
        if part == ",":
            yield selector
            selector = []
        else:
            selector.append(part)
    yield selector


def _specificity(selector: Iterable[Any]) -> int:
    return sum(_WEIGHTS.get(part.type, 0) for part in selector if part not in (">", "+", "~", "*"))
