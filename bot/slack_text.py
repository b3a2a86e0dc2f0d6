"""What Slack sends as text or blocks to the plain text a person would read."""

import re
from collections.abc import Callable, Iterable, Mapping
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


_Part = Mapping[str, Any]
_RICH: dict[str, Callable[[_Part], str]] = {
    "user": lambda part: f"<@{part.get('user_id', '')}>",
    "usergroup": lambda part: f"<!subteam^{part.get('usergroup_id', '')}>",
    "channel": lambda part: f"<#{part.get('channel_id', '')}>",
    "broadcast": lambda part: f"<!{part.get('range', '')}>",
    "link": lambda part: f"<{_encoded(part.get('url', ''))}|{_encoded(part.get('text') or part.get('url', ''))}>",
    "emoji": lambda part: f":{part.get('name', '')}:",
    "date": lambda part: _encoded(part.get("fallback", "")),
    "text": lambda part: _encoded(part.get("text", "")),
    "plain_text": lambda part: _encoded(part.get("text", "")),
}
"""Elements whose text, unlike that of mrkdwn, is not encoded, to Slack text."""

_BY_LINE = ("rich_text", "rich_text_list", "context", "section")


def _block(part: _Part) -> str:
    """Slack text of a block or of an element in one."""
    if write := _RICH.get(str(part.get("type"))):
        return write(part)
    text = part.get("text", "")
    own = _block(text) if isinstance(text, Mapping) else str(text)
    between = "\n" if part.get("type") in _BY_LINE else ""
    children = [*part.get("fields", []), *part.get("elements", [])]
    inner = between.join(filter(None, [own, *map(_block, children)]))
    if part.get("type") == "rich_text_quote":
        return "\n".join(f"&gt; {line}" for line in inner.split("\n"))
    return inner


def _encoded(text: object) -> str:
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
