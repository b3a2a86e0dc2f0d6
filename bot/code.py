"""Markdown to where its code stands, as CommonMark has it: the one decision for all who must leave code as it is."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from markdown_it import MarkdownIt

WORD_JOINER = "\N{WORD JOINER}"
"""Invisible, and no client sees a link, a name or a mark across it."""

_BLOCKS = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["reference", "inline"])
_TICKS_OR_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]|`+")
_LINE_BREAK = re.compile(r"\r\n?")
_TICKS = re.compile(r"`+")
_PIPE = re.compile(r"(?<!\\)\|")

_FIRST_CODE, _FIRST_ESCAPE = 0xF0000, 0x100000
_MOST_CODES = _FIRST_ESCAPE - _FIRST_CODE
_STAND_INS = re.compile(r"[\U000F0000-\U0010FFFF]")
"""Private characters, of which no font shows anything. They stand for code and escaped characters meanwhile."""

CODE_STAND_IN = "\U000f0000-\U000fffff"
"""Those for code, as part of a character class."""


@dataclass(frozen=True, slots=True)
class Code:
    """A stretch of code, from `start` to before `end`. A `fence` is whole lines, `indented` code too."""

    start: int
    end: int
    kind: Literal["fence", "indented", "span"]


def normal(markdown: str) -> str:
    """The text with the line breaks that Markdown sees, and nothing that stands for something else here."""
    return _STAND_INS.sub("", _LINE_BREAK.sub("\n", markdown))


def code_in(markdown: str) -> list[Code]:
    """All code of a normal text, in order. Links are not looked at: they come after code, or are taken out."""
    return [part for part in _parts(markdown) if isinstance(part, Code)]


def fence_lines(markdown: str) -> dict[int, int]:
    """Fences of a normal text: the line each begins on to the line after its last one."""
    return {t.map[0]: t.map[1] for t in _BLOCKS.parse(markdown) if t.type == "fence" and t.map}


class Masked:
    """Text in which each code span, code block and escaped character is one private character.

    `text` may be changed at will; `restored` puts back what still stands in it.
    """

    def __init__(self, markdown: str) -> None:
        whole = normal(markdown)
        self._codes: list[tuple[Code | None, str]] = []
        pieces, end = [], 0
        for part in _parts(whole):
            start, stop = (part.start, part.end) if isinstance(part, Code) else (part, part + 2)
            pieces.append(whole[end:start])
            if isinstance(part, Code):
                pieces.append(self._stand_in(part, whole[start:stop]))
            else:
                pieces.append(escape_stand_in(whole[start + 1]))
            end = stop
        self.text = "".join([*pieces, whole[end:]])

    def new_span(self, content: str) -> str:
        """What stands for `content`, which holds no backtick, as a code span of its own."""
        return self._stand_in(None, f"`{content}`")

    def restored(self, text: str, code: Callable[[Code, str], str] = lambda _, text: text) -> str:
        """The Markdown again; `code` may change what stood there as code. New spans stay apart from other code,
        and no backtick that was none of code's begins or ends one."""
        if any(where is None for where, _ in self._codes):
            text = text.replace("`", "ˋ")
        out: list[str] = []
        after_span = after_new = False
        for character in text:
            number = ord(character)
            if not _FIRST_CODE <= number < _FIRST_ESCAPE:
                out.append(character if number < _FIRST_CODE else f"\\{chr(number - _FIRST_ESCAPE)}")
                after_span, after_new = number == _FIRST_ESCAPE + ord("`"), False
                continue
            where, content = self._codes[number - _FIRST_CODE]
            if after_new or (where is None and after_span):
                out.append(WORD_JOINER)
            out.append(content if where is None else code(where, content))
            after_span, after_new = True, where is None
        return "".join(out)

    def _stand_in(self, code: Code | None, text: str) -> str:
        if len(self._codes) == _MOST_CODES:
            return ""
        self._codes.append((code, text))
        return chr(_FIRST_CODE + len(self._codes) - 1)


def escape_stand_in(character: str) -> str:
    """What stands for the character where it is escaped."""
    return chr(_FIRST_ESCAPE + ord(character))


def unescaped(text: str) -> str:
    """Masked text as it is read: escaped characters as themselves."""
    return "".join(chr(ord(c) - _FIRST_ESCAPE) if ord(c) >= _FIRST_ESCAPE else c for c in text)


def _parts(markdown: str) -> Iterator[Code | int]:
    """Code, and where an escape begins, in order."""
    starts = [0, *(match.end() for match in re.finditer("\n", markdown)), len(markdown) + 1]
    done = 0
    for token in _BLOCKS.parse(markdown):
        if not token.map or token.map[0] < done:
            continue
        start, end = starts[token.map[0]], min(starts[token.map[1]] - 1, len(markdown))
        if token.type in ("fence", "code_block"):
            yield Code(start, end, "fence" if token.type == "fence" else "indented")
        elif token.type == "tr_open":
            yield from _in_cells(markdown, start, end)
        elif token.type == "inline":
            yield from _in_text(markdown, start, end)
        else:
            continue
        done = token.map[1]


def _in_cells(markdown: str, start: int, end: int) -> Iterator[Code | int]:
    for pipe in _PIPE.finditer(markdown, start, end):
        yield from _in_text(markdown, start, pipe.start())
        start = pipe.end()
    yield from _in_text(markdown, start, end)


def _in_text(markdown: str, start: int, end: int) -> Iterator[Code | int]:
    """Code spans between a run of backticks and the next one of the same length; escapes count outside only."""
    closings: defaultdict[int, list[int]] = defaultdict(list)
    for run in _TICKS.finditer(markdown, start, end):
        closings[run.end() - run.start()].append(run.start())
    at = start
    while found := _TICKS_OR_ESCAPE.search(markdown, at, end):
        at = found.end()
        if found.group()[0] == "\\":
            yield found.start()
            continue
        length = found.end() - found.start()
        same = closings[length]
        place = bisect_left(same, at)
        if place < len(same):
            at = same[place] + length
            yield Code(found.start(), at, "span")
