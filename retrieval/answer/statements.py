"""A passage to the statements it makes: sentences, list items, table rows with their headers, code blocks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import regex

from retrieval.text import sentences

Shape = Literal["sentence", "item", "step", "code"]

_FENCE = regex.compile(r"^(```|~~~)")
_ITEM = regex.compile(r"^\s*(?:[-*+•]|(?P<step>\d{1,3}[.)、]))\s+")
_ROW = regex.compile(r"^\s*\|.*\|\s*$")
_RULE = regex.compile(r"^[\s|:-]+$")
_LEADS = (":", "：")
_OPENS = ("?", "？", *_LEADS)
"""Ends of a line under which something follows: an answer, a list."""
_FRAGMENT = regex.compile(r"\s*[\p{Ll},;)]")
_HEADER = regex.compile(r"^\s*(?:#{1,6}\s|>\s?)")
_UNSPACED_END = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}，。、]$")
_SAYS_SOMETHING = regex.compile(r"[\p{L}\p{N}]")
_EMPHASIS = regex.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_SPAN = regex.compile(r"(?<!`)(`[^`\n]+`)(?!`)")
_REFERENCE = regex.compile(r"\[(\d+(?:\s*[,–-]\s*\d+)*)\]")

_WORD = regex.compile(r"\p{L}|^(?!\s*(?:[\[(]\d{1,3}[\])][\s.,;]*)+$).*\p{N}", regex.S)
"""A letter, or a figure that is more than the number of a reference."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What can be quoted on its own. Table rows read "Header: value; Header: value"; a step is an item of a numbered
    list.

    `context` is the question or lead-in it stands under, `subject` what a table row is about: they help to judge the
    statement and are not quoted.
    """

    text: str
    shape: Shape
    context: str = ""
    subject: str = ""


def statements(passage: str) -> list[Statement]:
    """In reading order. Left out are questions that the passage itself asks, and reference marks alone, which state
    nothing; and half a sentence at its start, which the passage before has whole."""
    found: list[Statement] = []
    for block in _blocks(passage):
        for statement in _block_statements(block):
            if statement.shape == "code" and found and found[-1].text.endswith(_LEADS):
                statement = replace(statement, text=f"{found.pop().text}\n{statement.text}")
            if _WORD.search(statement.text):
                found.append(statement)
    return found[1:] if len(found) > 1 and _FRAGMENT.match(passage) and found[0].shape == "sentence" else found


def _blocks(passage: str) -> Iterator[list[str]]:
    """Runs of lines of one kind: a fenced block, a table, or other text."""
    block: list[str] = []
    fenced = False
    for line in passage.splitlines():
        fence = bool(_FENCE.match(line.strip()))
        if not fenced and block and (fence or bool(_ROW.match(line)) != bool(_ROW.match(block[-1]))):
            yield block
            block = []
        block.append(line)
        if fence and fenced:
            yield block
            block = []
        fenced ^= fence
    if block:
        yield block


def _block_statements(lines: list[str]) -> Iterator[Statement]:
    if _FENCE.match(lines[0].strip()):
        yield Statement(_fenced(lines), "code")
    elif _ROW.match(lines[0]) and len(lines) > 1 and _RULE.match(lines[1]):
        yield from _rows(lines)
    else:
        context = ""
        for line in _joined(lines):
            if line.rstrip().endswith(_OPENS):
                context = _ITEM.sub("", line).strip()
            yield from _line_statements(line, context)


def _fenced(lines: list[str]) -> str:
    """The block between backtick fences of its own, whatever fences it had and whether it was closed."""
    body = lines[1:-1] if len(lines) > 1 and _FENCE.match(lines[-1].strip()) else lines[1:]
    language = regex.sub(r"[^\w+#-]", "", lines[0])
    return "\n".join([f"```{language}", *(line.replace("```", "'''") for line in body), "```"])


def _joined(lines: list[str]) -> Iterator[str]:
    """Lines with soft-wrapped ones put back together; a list item, a row or a blank line starts anew."""
    current = ""
    for line in lines:
        begins = any((not line.strip(), _ITEM.match(line), _ROW.match(line), _HEADER.match(line)))
        if begins or not current or current.endswith(_OPENS):
            if current:
                yield current
            current = line.rstrip()
        else:
            current += _glue(current, line) + line.strip()
    if current:
        yield current


def _glue(before: str, after: str) -> str:
    """No space where an unspaced script goes on over a line break."""
    return "" if _UNSPACED_END.search(before) else " "


def _line_statements(line: str, context: str) -> Iterator[Statement]:
    item = _ITEM.match(line)
    body = _HEADER.sub("", _ITEM.sub("", line)).strip()
    if not _SAYS_SOMETHING.search(body) or body.endswith(("?", "？")):
        return
    if item and item["step"]:
        yield Statement(_plain(body), "step", context)
        return
    for sentence in sentences(body):
        if _SAYS_SOMETHING.search(sentence) and not sentence.endswith(("?", "？")):
            yield Statement(_plain(sentence), "item" if item else "sentence", "" if context == body else context)


def _rows(lines: list[str]) -> Iterator[Statement]:
    header = _cells(lines[0])
    for line in lines[2:]:
        pairs = [
            f"{name}: {value}" if name else value for name, value in zip(header, _cells(line), strict=False) if value
        ]
        if pairs:
            yield Statement("; ".join(pairs), "item", subject=_cells(line)[0])


def _cells(row: str) -> list[str]:
    return [_plain(cell.replace(r"\|", "|").strip()) for cell in regex.split(r"(?<!\\)\|", row.strip().strip("|"))]


def _plain(text: str) -> str:
    """Without emphasis marks. A source's own reference numbers cannot pass for citation marks, nor can its stray
    backticks turn into code what stands between two quotes."""
    text = _EMPHASIS.sub(r"\2", text) if "**" in text or "__" in text else text
    parts = _SPAN.split(text) if "`" in text else [text]
    return "".join(part if i % 2 else _prose(part) for i, part in enumerate(parts))


def _prose(text: str) -> str:
    return str(_REFERENCE.sub(r"(\1)", text.replace("`", "'")))
