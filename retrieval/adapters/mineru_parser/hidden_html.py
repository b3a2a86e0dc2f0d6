"""Within the child process: an HTML file to one without the text that nobody sees."""

import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import Comment, NavigableString, TemplateString

from retrieval.adapters.mineru_parser.colours import Colour, are_alike, is_whitish
from retrieval.adapters.mineru_parser.html_styles import Cascade, colour_of
from retrieval.styles import concealment, shows_again
from retrieval.types import Concealment, HiddenText

_NEVER_SHOWN = ("template", "noscript")
_BACKGROUNDS = ("background", "background-color", "background-image")
_SEE_THROUGH = ("transparent", "none", "inherit")
_FORMULA = re.compile(r"\b(?:katex|mathjax|mjx)", re.I)
_CONDITION = re.compile(r"\s*\[(?:if|endif)", re.I)
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 3
"""In a comment that is a text: others are marks of programs."""
_PAPER: Colour = (255, 255, 255)


def without_hidden(source: Path) -> tuple[Path, list[HiddenText]]:
    """The file itself where nothing is hidden in it, else a copy beside it; and what is hidden.

    Comments are left to the parser, which leaves them out. White text whose background is not known is told and stays.
    Raises ValueError where that would take too long.
    """
    soup = BeautifulSoup(source.read_bytes(), "lxml")
    cascade = Cascade(soup)
    found = [*_comments(soup), *_taken_out(soup, cascade)]
    gone = any(not text.kept and text.why != "comment" for text in found)
    if not (_shown_to_all(soup) or gone or cascade.may_hide_any):
        return source, found
    for sheet in soup.find_all("style"):  # decided here: the parser knows simple selectors only
        sheet.decompose()
    path = source.with_stem("seen")
    path.write_bytes(soup.encode("utf-8"))
    return path, found


def _comments(soup: BeautifulSoup) -> Iterator[HiddenText]:
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        if len(_WORD.findall(comment)) >= _FEWEST_WORDS and not _CONDITION.match(comment):
            yield HiddenText.of("comment", comment)


def _taken_out(soup: BeautifulSoup, cascade: Cascade) -> Iterator[HiddenText]:
    """Takes hidden elements out of the tree and tells of those that held text."""
    gone: set[int] = set()
    for element in soup.find_all(True):
        if id(element) in gone or not (_is_off(element) or cascade.may_hide(element)):
            continue
        why, kept = _concealment(element, cascade)
        if why is None:
            continue
        within = element.find_all(True)
        cascade.spend(len(within))
        seen = [inner for inner in within if shows_again(cascade.of(element), cascade.of(inner))]
        strings = _without(seen, element)
        hidden = HiddenText.of(why, " ".join(strings), kept=kept)
        if not kept and seen:
            for string in strings:
                string.extract()
        elif not kept:
            gone.update(map(id, within))
            element.extract()
        if hidden.letters:
            yield hidden


def _without(seen: list[Tag], element: Tag) -> list[NavigableString]:
    """The strings in the element that stand in none of those."""
    strings = [string for string in element.find_all(string=True) if type(string) in (NavigableString, TemplateString)]
    left_out = {id(string) for inner in seen for string in inner.find_all(string=True)}
    return [string for string in strings if id(string) not in left_out]


def _is_off(element: Tag) -> bool:
    return element.name in _NEVER_SHOWN or element.has_attr("hidden")


def _concealment(element: Tag, cascade: Cascade) -> tuple[Concealment | None, bool]:
    """What hides the element, and whether it stays nevertheless."""
    if _is_off(element):
        return "invisible", False
    declared = cascade.of(element)
    if why := concealment(declared):
        return why, False
    colour = colour_of(declared.get("color"))
    if colour is None:
        return None, False
    behind = _behind(element, cascade)
    if behind is None:
        return ("background", True) if is_whitish(colour) else (None, False)
    return ("background" if are_alike(colour, behind) else None), False


def _behind(element: Tag, cascade: Cascade) -> Colour | None:
    """The colour behind its text; None where that is not known."""
    for around in (element, *element.parents):
        declared = {} if isinstance(around, BeautifulSoup) else cascade.of(around)
        said = next((declared[name] for name in _BACKGROUNDS if name in declared), around.get("bgcolor"))
        if said and said not in _SEE_THROUGH:
            return colour_of(str(said))
    return None if cascade.is_in_part else _PAPER


def _shown_to_all(soup: BeautifulSoup) -> bool:
    """Shows the parser what only screen readers are to pass over. Whether there was any outside formulas."""
    hidden = [element for element in soup.select('[aria-hidden="true"]') if element.get_text(strip=True)]
    for element in hidden:
        around = " ".join(" ".join(one.get_attribute_list("class")) for one in (element, *element.parents))
        if not _FORMULA.search(around):
            del element["aria-hidden"]
    return bool(hidden)
