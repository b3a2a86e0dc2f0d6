"""A message's blocks to the text a reader sees, labels of buttons included."""

import re
from collections.abc import Callable, Iterator

from workspace.json_types import Json
from workspace.state import Message, State
from workspace.text import decode, readable

_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?$")
_TABLE_RULE = re.compile(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_BULLET = re.compile(r"^([ \t]*)[-*+][ \t]+")
_INLINE = re.compile(
    r"\\([!-/:-@\[-`{-~])"
    r"|(`+)(.+?)\2(?!`)"
    r"|!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)"
    r"|(\*\*|\*|~~)(?=\S)(.+?)(?<=\S)\6"
    r"|(?<!\w)(__|_)(?=\S)(.+?)(?<=\S)\8(?!\w)"
)


def plain_text(message: Message, state: State) -> str:
    """What a reader sees of a message: its blocks where it has them, else its text."""

    def name_of(target: str) -> str:
        if target[0] == "@":
            person = state.people.get(target[1:])
            return f"@{person.name if person else target[1:]}"
        channel = state.channels.get(target[1:])
        return f"#{channel.name if channel else target[1:]}"

    if message.bot_id and message.blocks:
        lines = [line for block in message.blocks for line in _block_lines(block, name_of)]
        return "\n".join(line for line in lines if line)
    return readable(message.text, name_of)


def _block_lines(block: Json, name_of: Callable[[str], str]) -> Iterator[str]:
    if block["type"] == "markdown":
        yield decode(markdown_plain(block["text"]), name_of)
    elif block["type"] == "context":
        yield " ".join(_shown(element, name_of) for element in block["elements"])
    elif block["type"] == "table":
        yield from ("\t".join(_shown(cell, name_of) for cell in row) for row in block["rows"])
    else:
        yield from _generic_lines(block, name_of)


def _generic_lines(block: Json, name_of: Callable[[str], str]) -> Iterator[str]:
    for key in ("title", "label", "text"):
        if key in block:
            yield _shown(block[key], name_of)
    for field in block.get("fields", []):
        yield _shown(field, name_of)
    for element in [block.get("accessory"), block.get("element"), *block.get("elements", [])]:
        if element:
            yield _shown(element, name_of)
    if "alt_text" in block:
        yield str(block["alt_text"])


def _shown(part: object, name_of: Callable[[str], str]) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    if part.get("type") == "mrkdwn":
        return readable(part.get("text", ""), name_of)
    if part.get("type") in ("broadcast", "usergroup", "emoji"):
        return str(part.get("range") or part.get("usergroup_id") or f":{part.get('name')}:")
    if part.get("type") in ("user", "channel"):
        return name_of(f"@{part['user_id']}" if part["type"] == "user" else f"#{part['channel_id']}")
    inner = [
        part[key] for key in ("text", "positive_button", "negative_button", "placeholder", "alt_text") if key in part
    ]
    inner += part.get("elements", [])
    if not inner and part.get("type") == "link":
        inner = [part["url"]]
    separator = "" if str(part.get("type")).startswith("rich_text_section") else " "
    return separator.join(filter(None, (_shown(piece, name_of) for piece in inner)))


def markdown_plain(text: str) -> str:
    """Markdown without its marks; what stands in code stays as it is."""
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif fenced:
            lines.append(line)
        elif not (_TABLE_RULE.match(line) and "-" in line and lines and "|" in lines[-1]):
            lines.append(_line_plain(line))
    return "\n".join(lines)


def _line_plain(line: str) -> str:
    heading = _HEADING.match(line)
    if heading:
        line = heading.group(1)
    return _inline_plain(_BULLET.sub(r"\1• ", re.sub(r"^ {0,3}(>|&gt;) ?", "", line)))


def _inline_plain(text: str) -> str:
    def bare(match: re.Match[str]) -> str:
        escaped, _, code, label, address, _, strong, _, stressed = match.groups()
        if escaped or code:
            return escaped or code
        if label is not None:
            return _inline_plain(label) or address
        return _inline_plain(strong or stressed)

    return _INLINE.sub(bare, text)
