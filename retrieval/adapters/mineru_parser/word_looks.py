"""Within the child process: how the text of a Word file looks, by its own properties and its styles."""

import zipfile
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

UNKNOWN = "?"
"""A shade that takes more than this to tell."""

_OFF = ("0", "false", "off")
_WHITE_THEMES = ("background1", "light1")
_HIGHLIGHTS = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00", "magenta": "FF00FF", "red": "FF0000",
    "yellow": "FFFF00", "white": "FFFFFF", "darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000",
    "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "darkGray": "808080", "lightGray": "C0C0C0",
}  # fmt: skip
_DEEPEST = 20

Element = Any
"""An lxml element, or None."""


def local_name(element: Element) -> str:
    """Its name without the namespace; "" for a comment."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def child(element: Element, name: str) -> Element:
    """The first child of that name, None where there is none."""
    return None if element is None else element.find(f"{{*}}{name}")


def value(element: Element, name: str = "val") -> str:
    """An attribute, "" where there is none."""
    attributes = {} if element is None else element.attrib
    return next((str(text) for key, text in attributes.items() if etree.QName(key).localname == name), "")


def shade_of(shd: Element) -> str:
    """The colour of a `w:shd`, "" for none."""
    pattern, fill = value(shd), value(shd, "fill")
    if pattern == "solid":
        return value(shd, "color") or UNKNOWN
    if pattern in ("", "clear", "nil"):
        return "" if fill in ("", "auto") else fill
    return UNKNOWN


@dataclass(frozen=True, slots=True)
class Look:
    """What properties say; None for what they leave open. Colours are hexadecimal, `shade` is behind the text."""

    vanish: bool | None = None
    colour: str | None = None
    half_points: float | None = None
    shade: str | None = None

    @classmethod
    def of(cls, properties: Element) -> "Look":
        """Of a `w:rPr`."""
        vanish, colour, size = (child(properties, name) for name in ("vanish", "color", "sz"))
        white = value(colour, "themeColor") in _WHITE_THEMES
        highlight = _HIGHLIGHTS.get(value(child(properties, "highlight")))
        return cls(
            None if vanish is None else value(vanish) not in _OFF,
            value(colour) or ("FFFFFF" if white else None),
            float(value(size)) if value(size).replace(".", "", 1).isdecimal() else None,
            highlight or shade_of(child(properties, "shd")) or None,
        )

    def over(self, base: "Look") -> "Look":
        """What is left open here as it is there."""
        return Look(
            base.vanish if self.vanish is None else self.vanish,
            self.colour or base.colour,
            base.half_points if self.half_points is None else self.half_points,
            self.shade or base.shade,
        )


@dataclass
class Looks:
    """The styles of a Word file."""

    styles: dict[str, Element] = field(default_factory=dict)
    defaults: Look = field(default_factory=Look)
    default_paragraph: str = ""
    _known: dict[str, Look] = field(default_factory=dict)

    @classmethod
    def of(cls, archive: zipfile.ZipFile) -> "Looks":
        looks = cls()
        name = next((name for name in archive.namelist() if name.endswith("/styles.xml")), None)
        if name is None:
            return looks
        root = etree.fromstring(archive.read(name), cls.parser())
        looks.defaults = Look.of(child(child(child(root, "docDefaults"), "rPrDefault"), "rPr"))
        for style in root.iterfind("{*}style"):
            looks.styles[value(style, "styleId")] = style
            if value(style, "type") == "paragraph" and value(style, "default") not in ("", *_OFF):
                looks.default_paragraph = value(style, "styleId")
        return looks

    @staticmethod
    def parser() -> Any:
        """One that fetches nothing and resolves no entities."""
        return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)

    def of_run(self, run: Element, paragraph: Element) -> Look:
        """How the run looks, all considered."""
        properties = child(run, "rPr")
        own = Look.of(properties).over(self._of_style(value(child(properties, "rStyle"))))
        return own.over(self._of_style(self._paragraph_style(paragraph))).over(self.defaults)

    def paragraph_shade(self, paragraph: Element) -> str:
        """What a paragraph's style puts behind it, "" for nothing."""
        name, depth = self._paragraph_style(paragraph), 0
        while name in self.styles and depth < _DEEPEST:
            style = self.styles[name]
            if shade := shade_of(child(child(style, "pPr"), "shd")):
                return shade
            name, depth = value(child(style, "basedOn")), depth + 1
        return ""

    def _paragraph_style(self, paragraph: Element) -> str:
        return value(child(child(paragraph, "pPr"), "pStyle")) or self.default_paragraph

    def _of_style(self, name: str, depth: int = 0) -> Look:
        """A style's look and that of those it is based on."""
        if name not in self._known:
            style = self.styles.get(name)
            if style is None or depth == _DEEPEST:
                return Look()
            base = self._of_style(value(child(style, "basedOn")), depth + 1)
            self._known[name] = Look.of(child(style, "rPr")).over(base)
        return self._known[name]
