"""HTML within other text to what a reader sees of it."""

from html.parser import HTMLParser

import regex

_UNSEEN = regex.compile(r"<!--.*?(?:-->|$)|<[!?][^<>]*>?", regex.S)
_HIDDEN = ("script", "style")
_IN_A_LINE = "a b i em strong span code sub sup u s del ins kbd mark small big font abbr img input"
_OF_ITS_OWN = (
    "p div br hr center details summary table thead tbody tr ul ol li dl dt dd pre h1 h2 h3 h4 h5 h6 "
    "blockquote section article figure figcaption iframe video"
)
_PLACES = (
    dict.fromkeys((*_HIDDEN, *_IN_A_LINE.split()), "")
    | dict.fromkeys(_OF_ITS_OWN.split(), "\n")
    | dict.fromkeys(("td", "th"), " | ")
)
"""What stands where a known tag stood. Other tags are text: `<context>`."""


class _TextOfHtml(HTMLParser):
    """Collects what a reader sees of an HTML fragment, cells and blocks apart."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _HIDDEN
        self.parts.append(_PLACES.get(tag, self.get_starttag_text() or ""))

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _HIDDEN and self._hidden > 0
        self.parts.append(_PLACES.get(tag, f"</{tag}>").replace(" | ", ""))

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def html_text(fragment: str) -> str:
    """Its text, one line a block or table row, cells between bars, without scripts, styles and comments."""
    reader = _TextOfHtml()
    reader.feed(_UNSEEN.sub("", fragment))
    reader.close()
    rows = (row.strip().removeprefix("| ").strip() for row in "".join(reader.parts).split("\n"))
    return "\n".join(" ".join(row.split()) for row in rows if row)
