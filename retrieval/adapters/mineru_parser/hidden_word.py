"""Within the child process: a Word file to one without the text that nobody sees.

Names of elements and attributes are those of WordprocessingML (ECMA-376, part 1), without their namespaces, of which
there are two.
"""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree

from retrieval.adapters.mineru_parser.colours import are_alike, is_whitish, rgb
from retrieval.adapters.mineru_parser.word_looks import UNKNOWN, Look, Looks, child, local_name, shade_of, value
from retrieval.types import Concealment, HiddenText

_SMALLEST_HALF_POINTS = 4
_NO_STYLE = ("", "TableNormal", "TableGrid")
_WHITE = "FFFFFF"
_MAIN = b"wordprocessingml"

Element = Any
"""An lxml element."""


@dataclass
class _Hidden:
    """Hidden runs of one kind, joined as they stand in their paragraphs."""

    parts: list[str] = field(default_factory=list)
    paragraph: Element = None

    def take(self, text: str, paragraph: Element) -> None:
        self.parts.append(text if paragraph is self.paragraph else f" {text}")
        self.paragraph = paragraph


def without_hidden(source: Path) -> tuple[Path, list[HiddenText]]:
    """The file itself where nothing is hidden in it, else a copy beside it; and what is hidden.

    White text whose background is not known, as in a shape, is told and stays.
    """
    found: dict[tuple[Concealment, bool], _Hidden] = {}
    changed: dict[str, bytes] = {}
    with zipfile.ZipFile(source) as archive:
        looks = Looks.of(archive)
        for name in dict.fromkeys(archive.namelist()):
            content = archive.read(name) if name.endswith(".xml") else b""
            if _MAIN not in content[:20_000]:
                continue
            root = etree.fromstring(content, looks.parser())
            if _taken_out(root, looks, found):
                changed[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
        path = _copied(archive, changed, source.with_stem("seen")) if changed else source
    hidden = [HiddenText.of(why, "".join(one.parts), kept=kept) for (why, kept), one in found.items()]
    return path, [text for text in hidden if text.letters]


def _copied(archive: zipfile.ZipFile, changed: dict[str, bytes], path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in dict.fromkeys(archive.namelist()):
            copy.writestr(name, changed.get(name) or archive.read(name))
    return path


def _taken_out(root: Element, looks: Looks, found: dict[tuple[Concealment, bool], _Hidden]) -> bool:
    """Takes hidden runs out of the tree. Whether there were any."""
    page = value(child(root, "background"), "color") or _WHITE
    removed: list[Element] = []
    for run, text in _runs(root):
        why, kept = _concealment(run, looks, page)
        if why:
            found.setdefault((why, kept), _Hidden()).take(text, run.getparent())
            removed += [] if kept else [run]
    for run in removed:
        run.getparent().remove(run)
    return bool(removed)


def _runs(root: Element) -> Iterator[tuple[Element, str]]:
    """The runs that hold text of their own, and that."""
    for run in root.iter("{*}r"):
        text = "".join(part.text or "" for part in run if local_name(part) == "t")
        if text.strip():
            yield run, text


def _concealment(run: Element, looks: Looks, page: str) -> tuple[Concealment | None, bool]:
    """What hides the run, and whether it stays nevertheless."""
    paragraph = next(run.iterancestors("{*}p"), None)
    look = looks.of_run(run, paragraph)
    if look.vanish or any(child(child(row, "trPr"), "hidden") is not None for row in run.iterancestors("{*}tr")):
        return "invisible", False
    if look.half_points is not None and look.half_points < _SMALLEST_HALF_POINTS:
        return "tiny", False
    colour = rgb(look.colour)
    if colour is None:
        return None, False
    behind = _behind(run, look, looks, page)
    if behind == UNKNOWN:
        return ("background", True) if is_whitish(colour) else (None, False)
    shade = rgb(behind)
    return ("background" if shade and are_alike(colour, shade) else None), False


def _behind(run: Element, look: Look, looks: Looks, page: str) -> str:
    """The colour on which the run stands, or UNKNOWN."""
    if look.shade:
        return look.shade
    for around in run.iterancestors():
        name = local_name(around)
        properties = child(around, f"{name}Pr")
        shade = shade_of(child(properties, "shd"))
        if name == "p":
            shade = shade or looks.paragraph_shade(around)
        if name == "txbxContent" or (name == "tbl" and value(child(properties, "tblStyle")) not in _NO_STYLE):
            shade = shade or UNKNOWN
        if shade:
            return shade
    return page
