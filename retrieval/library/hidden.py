"""Hidden text of a file to what the admin who brought it is told."""

from collections.abc import Sequence

import regex

from retrieval.types import Concealment, HiddenText

_HOW: dict[Concealment, str] = {
    "invisible": "invisible",
    "background": "in the colour of its background",
    "tiny": "smaller than 2 pt",
    "outside": "outside the page",
    "comment": "in comments",
    "characters": "in invisible characters",
}
_WORDS_CHARS = 80
_NO_WORDS = regex.compile(r"[^\p{L}\p{M}\p{N},;!?'’-]+")
_MOST_PAGES = 5


def warnings_about(hidden: Sequence[HiddenText]) -> tuple[str, ...]:
    """A sentence on what was left out and one on what stayed, each with the first hidden words.

    The words are shown without anything that could be a link, a name or a mark wherever they are shown.
    """
    left_out = [text for text in hidden if not text.kept]
    kept = [text for text in hidden if text.kept]
    found = []
    if left_out:
        found.append(f"Hidden text was left out ({_where(left_out)}): {_quoted(left_out)}.")
    if kept:
        found.append(f"Text that readers may not see was taken in, check it ({_where(kept)}): {_quoted(kept)}.")
    return tuple(found)


def _where(hidden: Sequence[HiddenText]) -> str:
    by_kind: dict[str, list[int]] = {}
    for text in hidden:
        by_kind.setdefault(_HOW[text.why], []).extend([text.page] if text.page else [])
    kinds = [f"{how}{_on_pages(sorted(set(pages)))}" for how, pages in by_kind.items()]
    letters = sum(text.letters for text in hidden)
    return f"{', '.join(kinds)}; {letters:,} letters"


def _on_pages(pages: Sequence[int]) -> str:
    if not pages:
        return ""
    shown = ", ".join(map(str, pages[:_MOST_PAGES])) + (" …" if len(pages) > _MOST_PAGES else "")
    return f" on page {shown}" if len(pages) == 1 else f" on pages {shown}"


def _quoted(hidden: Sequence[HiddenText]) -> str:
    first = min(hidden, key=lambda text: text.why == "comment")
    words = _NO_WORDS.sub(" ", first.words).strip()
    return f"“{words if len(words) <= _WORDS_CHARS else f'{words[:_WORDS_CHARS].rstrip()}…'}”"
