"""Recognised lines to paragraphs in reading order. Pure."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

_UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_COLUMN_GAP = 1.5
"""Between columns, in line heights."""
_NARROWEST_COLUMN = 8
"""In line heights: what is narrower is a column of a table, which is read by rows."""
_PARAGRAPH_GAP = 0.4
"""Between paragraphs, in line heights."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words in one box, whose edges are in pixels, downwards from the top. `score` is in [0, 1]."""

    text: str
    score: float
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that go together. `confidence` is their mean score, by length."""

    text: str
    confidence: float


def paragraphs(lines: Sequence[Line]) -> list[Paragraph]:
    """In reading order: columns of running text one after the other, rows of a table each as a line."""
    if not lines:
        return []
    height = median(line.height for line in lines)
    found = []
    for column in _columns(lines, height):
        rows = _rows(column)
        start = 0
        for n in range(1, len(rows) + 1):
            if n == len(rows) or _apart(rows[n - 1], rows[n], height):
                found.append(_paragraph(rows[start:n]))
                start = n
    return found


def _columns(lines: Sequence[Line], height: float) -> list[Sequence[Line]]:
    """By cutting the page at its white stretches: downwards where both sides are running text, else across where that
    parts columns from what stands over or under them (the XY-cut of Nagy and Seth, 1984)."""
    down = _cut([(line.left, line.right) for line in lines], _COLUMN_GAP * height)
    if down is not None:
        sides = [line for line in lines if line.left < down], [line for line in lines if line.left >= down]
        if all(len(side) > 1 and _mean_width(side) >= _NARROWEST_COLUMN * height for side in sides):
            return [column for side in sides for column in _columns(side, height)]
    across = _cut([(line.top, line.bottom) for line in lines], height)
    if across is None:
        return [lines]
    parts = [
        *_columns([line for line in lines if line.top < across], height),
        *_columns([line for line in lines if line.top >= across], height),
    ]
    return parts if len(parts) > 2 else [lines]


def _cut(stretches: Sequence[tuple[float, float]], least: float) -> float | None:
    """Where the widest white stretch ends, if it is at least that wide."""
    widest, end, cut = least, math.inf, None
    for start, stop in sorted(stretches):
        if start - end >= widest:
            widest, cut = start - end, start
        end = stop if end == math.inf else max(end, stop)
    return cut


def _mean_width(lines: Sequence[Line]) -> float:
    return sum(line.right - line.left for line in lines) / len(lines)


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines side by side, from left to right, downwards."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.top + line.bottom) / 2):
        middle = (line.top + line.bottom) / 2
        if rows and middle < min(rows[-1][0].bottom, line.bottom) and rows[-1][0].bottom - line.top > line.height / 2:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.left) for row in rows]


def _apart(above: list[Line], below: list[Line], height: float) -> bool:
    return min(line.top for line in below) - max(line.bottom for line in above) > _PARAGRAPH_GAP * height


def _paragraph(rows: list[list[Line]]) -> Paragraph:
    lines = [line for row in rows for line in row]
    letters = sum(len(line.text) for line in lines)
    confidence = sum(line.score * len(line.text) for line in lines) / letters
    tabular = any(len(row) > 1 for row in rows)
    texts = ["   ".join(line.text for line in row) for row in rows]
    return Paragraph("\n".join(texts) if tabular else _joined(texts), round(confidence, 3))


def _joined(texts: Sequence[str]) -> str:
    """Without a space between unspaced scripts, and with words that were parted at a line's end whole again."""
    text = texts[0]
    for following in texts[1:]:
        if text.endswith("-") and text[-2:-1].isalpha() and following[:1].islower():
            text = text[:-1] + following
        elif _UNSPACED.match(text[-1:]) and _UNSPACED.match(following[:1]):
            text += following
        else:
            text += f" {following}"
    return text
