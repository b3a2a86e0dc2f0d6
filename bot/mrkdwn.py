"""Markdown to Slack's own mark-up, mrkdwn, for messages whose blocks Slack refuses and for notifications."""

import unicodedata
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bot.code import WORD_JOINER
from bot.links import unlinked

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("autolink")
_NO_CODE = str.maketrans({"`": "ˋ"})
_NO_MARKUP = str.maketrans({"*": "∗", "~": "∼", "`": "ˋ", "@": f"@{WORD_JOINER}"})
_INDENT = "    "
_MARKS = {"strong": "*", "em": "_", "s": "~"}
_NEEDS_ROOM = (*_MARKS, "code_inline")


class Mrkdwn(str):
    """Text that is mrkdwn already: converting it again changes nothing."""

    __slots__ = ()


def escaped(text: str) -> str:
    """Plain text as it must stand in mrkdwn: Slack decodes these three characters and no others."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def one_line(text: str, limit: int) -> str:
    """A name from elsewhere as it may stand in mrkdwn: on one line, of at most `limit` characters before escaping,
    without any effect."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    short = line if len(line) <= limit else f"{line[: limit - 1]}…"
    return escaped(unlinked(short).translate(_NO_MARKUP))


def to_mrkdwn(markdown: str) -> Mrkdwn:
    """The same content in mrkdwn. HTML is shown as text, links are their labels, images are left out."""
    if isinstance(markdown, Mrkdwn):
        return markdown
    root = SyntaxTreeNode(_PARSER.parse(markdown))
    return Mrkdwn("\n\n".join(filter(None, (_block(node) for node in root.children))))


def _block(node: SyntaxTreeNode) -> str:
    match node.type:
        case "heading":
            return f"*{_inline(node, bold=True)}*"
        case "bullet_list" | "ordered_list":
            return "\n".join(_items(node, 0))
        case "fence" | "code_block":
            return _code(node.content)
        case "table":
            return _code(_table(node))
        case "blockquote":
            inner = "\n".join(_block(child) for child in node.children)
            return "\n".join(f"> {line}" for line in inner.split("\n"))
        case "hr":
            return "———"
        case _:
            return _inline(node)


def _items(node: SyntaxTreeNode, level: int) -> Iterator[str]:
    number = int(node.attrs.get("start", 1))
    for offset, item in enumerate(node.children):
        mark = f"{number + offset}." if node.type == "ordered_list" else "•◦▪"[min(level, 2)]
        for child in item.children:
            if child.type in ("bullet_list", "ordered_list"):
                yield from _items(child, level + 1)
                continue
            for line in _block(child).split("\n"):
                yield f"{_INDENT * level}{mark} {line}"
                mark = " " * len(mark)


def _inline(node: SyntaxTreeNode, *, bold: bool = False) -> str:
    """Slack sees marks only beside white space or half-width punctuation, which Chinese and Japanese do without."""
    text, marked_before = "", False
    for child in node.children:
        piece, marked = _span(child, bold=bold), child.type in _NEEDS_ROOM
        if text and piece and ((marked and is_wide(text[-1])) or (marked_before and is_wide(piece[0]))):
            text += " "
        text, marked_before = text + piece, marked
    return text


def is_wide(character: str) -> bool:
    """Whether it takes the room of two: Chinese, Japanese, Korean and their punctuation."""
    return unicodedata.east_asian_width(character) in "WF"


def _span(node: SyntaxTreeNode, *, bold: bool) -> str:
    match node.type:
        case "text":
            return escaped(unlinked(node.content).translate(_NO_CODE))
        case "code_inline":
            return f"`{escaped(node.content.translate(_NO_CODE))}`"
        case "softbreak" | "hardbreak":
            return "\n"
        case "strong" | "em" | "s":
            inner = _inline(node, bold=bold or node.type == "strong")
            mark = "" if bold and node.type == "strong" else _MARKS[node.type]
            return f"{mark}{inner}{mark}"
        case "image":
            return ""
        case _:
            return _inline(node, bold=bold)


def _plain(node: SyntaxTreeNode) -> str:
    if node.type in ("softbreak", "hardbreak"):
        return " "
    return node.content if not node.children else "".join(_plain(child) for child in node.children)


def _code(content: str) -> str:
    return f"```\n{escaped(content.rstrip()).replace('```', chr(0x2BC) * 3)}\n```"


def _table(node: SyntaxTreeNode) -> str:
    rows = [[_plain(cell).strip() for cell in row.children] for part in node.children for row in part.children]
    widths = [max(_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(_row(row, widths) for row in rows)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    """Columns in a fixed-width font."""
    return sum(2 if is_wide(c) else 0 if unicodedata.combining(c) else 1 for c in text)
