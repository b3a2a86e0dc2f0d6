"""The ways in which models write citation marks, to one: [1][3], before the full stop."""

import regex

from retrieval.types import MARK, outside_code

_LONGEST_RANGE = 10

_NUMBERS = r"\^?\d+(?:\s*[,;、，–-]\s*\^?\d+)*"
_LINKED = regex.compile(rf"\[?\[({_NUMBERS})\]\]?\([^()\s]*\)|\[\[({_NUMBERS})\]\]")
_FOREIGN = regex.compile(rf"【({_NUMBERS})[^】]*】|［({_NUMBERS})］|\[({_NUMBERS})\]")
_AFTER_STOP = regex.compile(r"([.!?。！？])[ \t]*((?:\[\d+\][ \t]*)+)(?=\s|$|\p{Han}|\p{Hiragana}|\p{Katakana})")


def plain_marks(text: str) -> str:
    """Markdown with its marks as [n], one number each, without links, outside code."""
    return outside_code(_plain, text)


def marks(text: str) -> list[int]:
    """The numbers of the marks outside code."""
    found: list[int] = []

    def collect(part: str) -> str:
        found.extend(map(int, MARK.findall(part)))
        return part

    outside_code(collect, text)
    return found


def _plain(text: str) -> str:
    text = _LINKED.sub(lambda mark: f"[{mark[1] or mark[2]}]", text)
    text = _FOREIGN.sub(lambda mark: _single(mark[1] or mark[2] or mark[3]), text)
    return "".join(map(_before_stops, text.splitlines(keepends=True)))


def _single(numbers: str) -> str:
    """The numbers "1, 3-5" as [1][3][4][5]."""
    found: list[int] = []
    for part in regex.split(r"[,;、，]", numbers):
        first, *last = [int(number) for number in regex.findall(r"\d+", part)]
        end = min(last[-1], first + _LONGEST_RANGE) if last else first
        found += range(first, end + 1)
    return "".join(f"[{number}]" for number in dict.fromkeys(found))


def _before_stops(line: str) -> str:
    """A line that begins with a mark puts marks in front of what they belong to: there nothing is moved."""
    return line if MARK.match(line.lstrip()) else str(_AFTER_STOP.sub(_before_stop, line))


def _before_stop(match: "regex.Match[str]") -> str:
    stop, numbers = match[1], match[2]
    gap = "" if stop in "。！？" else " "
    space = " " if numbers != numbers.rstrip() else ""
    return f"{gap}{numbers.rstrip()}{stop}{space}"
