"""Markdown to Slack's own mark-up, mrkdwn, for messages whose blocks Slack refuses and for notifications."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bot.links import WORD_JOINER

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_NO_MARKUP = str.maketrans({"*": "∗", "~": "∼", "`": "ˋ", "@": f"@{WORD_JOINER}"})
_INDENT = "    "
_MARKS = {"strong": "*", "em": "_", "s": "~"}


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
    return escaped(short.translate(_NO_MARKUP))


def link(url: str, label: str) -> str:
    """One Slack link, whatever the address and the label hold."""
    address = escaped(quote(url, safe="%/:=&?~#+!$,;'@()*[]"))
    return f"<{address}|{escaped(label.replace('|', '¦'))}>"


def to_mrkdwn(markdown: str) -> Mrkdwn:
    """The same content in mrkdwn. HTML is shown as text, images are left out."""
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
    return "".join(_span(child, bold=bold) for child in node.children)


def _span(node: SyntaxTreeNode, *, bold: bool) -> str:
    match node.type:
        case "text":
            return escaped(node.content)
        case "code_inline":
            return f"`{escaped(node.content)}`"
        case "softbreak" | "hardbreak":
            return "\n"
        case "strong" | "em" | "s":
            inner = _inline(node, bold=bold or node.type == "strong")
            mark = "" if bold and node.type == "strong" else _MARKS[node.type]
            return f"{mark}{inner}{mark}"
        case "link":
            return link(str(node.attrs.get("href", "")), _plain(node))
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
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(_row(row, widths) for row in rows)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return re.sub(r"\s+$", "", "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)))
