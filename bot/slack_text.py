"""What Slack sends as text or blocks to the plain text a person would read."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_TOKEN = re.compile(r"<([^<>\s][^<>]*)>")
_ENTITY = re.compile(r"&(amp|lt|gt);")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">"}


def plain_text(slack_text: str, bot_user_id: str) -> str:
    """The text with mentions, channels and links as people see them, without mentions of the bot.

    Line breaks stay, other white space is collapsed. Entities are decoded exactly once.
    """
    parts: list[str] = []
    end = 0
    for token in _TOKEN.finditer(slack_text):
        parts += [_decoded(slack_text[end : token.start()]), _shown(token[1], bot_user_id)]
        end = token.end()
    parts.append(_decoded(slack_text[end:]))
    return tidy("".join(parts))


def tidy(text: str) -> str:
    """The text without white space around its lines, and with at most one empty line in a row."""
    lines = [re.sub(r"[^\S\n]+", " ", line).strip() for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def text_of_blocks(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Slack text of a message that has its content in blocks alone."""
    return "\n".join(filter(None, (_block(block) for block in blocks))).strip()


def _decoded(text: str) -> str:
    return _ENTITY.sub(lambda entity: _CHARACTERS[entity[1]], text)


def _shown(token: str, bot_user_id: str) -> str:
    target, _, label = token.partition("|")
    label = _decoded(label)
    match target[0]:
        case "@":
            name = "" if target[1:] == bot_user_id else label.lstrip("@")
            return f"@{name}" if name else ""
        case "#":
            return f"#{label}" if label else ""
        case "!":
            return _special(target[1:], label)
        case _:
            return label or _decoded(target).removeprefix("mailto:")


def _special(command: str, label: str) -> str:
    if command.startswith("date^"):
        return label
    if label:
        return f"@{label.lstrip('@')}"
    return f"@{command}" if command in ("here", "channel", "everyone") else ""


def _block(part: Mapping[str, Any]) -> str:
    """Slack text of a block or of an element in one."""
    match part.get("type"):
        case "user":
            return f"<@{part.get('user_id', '')}>"
        case "channel":
            return f"<#{part.get('channel_id', '')}>"
        case "link":
            return f"<{part.get('url', '')}|{part.get('text') or part.get('url', '')}>"
        case "rich_text_list":
            return "\n".join(_block(element) for element in part.get("elements", []))
        case _:
            return _content(part)


def _content(part: Mapping[str, Any]) -> str:
    text = part.get("text", "")
    if isinstance(text, Mapping):
        text = text.get("text", "")
    inner = "".join(_block(element) for element in part.get("elements", []))
    quoted = part.get("type") == "rich_text_quote"
    return "\n".join(f"&gt; {line}" for line in inner.split("\n")) if quoted else f"{text}{inner}"
