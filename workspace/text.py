"""Text as a person types it to text as Slack sends it, and back to what a reader sees."""

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workspace.json_types import Json
from workspace.state import State

_MADE = r"<(?:[@#][A-Z0-9]+|![a-z^A-Z0-9]+|(?:https?://|mailto:)[^<>|\s]+)(?:\|[^<>|]*)?>"
_TYPED = re.compile(
    r"(?P<code>```.+?```|`[^`\n]+`)"
    rf"|(?P<token>{_MADE})"
    r"|(?P<url>https?://[^\s<>]*[^\s<>.,;:!?)\]}'\"])"
    r"|(?<![A-Za-z0-9_@.])@(?P<name>[a-zA-Z0-9]+(?:[._-][a-zA-Z0-9]+)*)"
    r"|(?<![A-Za-z0-9_#&/])#(?P<channel>[a-zA-Z0-9]+(?:[_-][a-zA-Z0-9]+)*)",
    re.DOTALL,
)
_BROADCASTS = ("here", "channel", "everyone")
_STYLED = re.compile(r"(?<![\w*_~])([*_~])(?=\S)([^\n]*?\S)\1(?![\w*_~])")
_QUOTE = re.compile(r"^&gt; ?", re.MULTILINE)
_CODE = re.compile(r"```\n?(.+?)\n?```|`([^`\n]+)`", re.DOTALL)
_ANY_TOKEN = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a message: `text` or `code` as typed, or a `token` without its angle brackets."""

    kind: str
    value: str


def escape(text: str) -> str:
    """`&`, `<` and `>` as Slack writes them."""
    return html.escape(text, quote=False)


def segments(typed: str, state: State) -> list[Segment]:
    """What a person typed, with `@name`, `#channel` and addresses recognised; ready tokens pass through."""
    return list(_segments(typed, state))


def _segments(typed: str, state: State) -> Iterator[Segment]:
    end = 0
    for match in _TYPED.finditer(typed):
        found = _recognise(match, state)
        if found is None:
            continue
        if match.start() > end:
            yield Segment("text", typed[end : match.start()])
        yield found
        end = match.end()
    if end < len(typed):
        yield Segment("text", typed[end:])


def _recognise(match: re.Match[str], state: State) -> Segment | None:
    kind, value = match.lastgroup or "", match.group(match.lastgroup or 0)
    if kind == "name":
        person = next((p.id for p in state.people.values() if p.name == value.lower()), None)
        mention = f"@{person}" if person else _mention_of_many(value.lower(), state)
        return Segment("token", mention) if mention else None
    if kind == "channel":
        channel = state.channel_named(value)
        return Segment("token", f"#{channel.id}|{channel.name}") if channel else None
    if kind == "token":
        return Segment("token", value[1:-1])
    return Segment("token" if kind == "url" else "code", value)


def _mention_of_many(name: str, state: State) -> str | None:
    if name in _BROADCASTS:
        return f"!{name}"
    group = next((g for g in state.user_groups.values() if g.handle == name), None)
    return f"!subteam^{group.id}|@{group.handle}" if group else None


def as_slack_text(parts: list[Segment]) -> str:
    """The `text` of the message that Slack would send."""
    return "".join(f"<{escape_token(p.value)}>" if p.kind == "token" else escape(p.value) for p in parts)


def escape_token(token: str) -> str:
    """A token's inside with its ampersands escaped, as Slack does in addresses."""
    return token if "&amp;" in token else escape(token)


def as_rich_text(parts: list[Segment], block_id: str) -> Json:
    """The `rich_text` block that Slack's composer adds to a person's message."""
    section = {"type": "rich_text_section", "elements": [_rich_element(part) for part in parts]}
    return {"type": "rich_text", "block_id": block_id, "elements": [section]}


def _rich_element(part: Segment) -> Json:
    if part.kind != "token":
        style = {"style": {"code": True}} if part.kind == "code" else {}
        return {"type": "text", "text": part.value.strip("`") if style else part.value, **style}
    target, _, label = part.value.partition("|")
    if target[0] == "@":
        return {"type": "user", "user_id": target[1:]}
    if target[0] == "#":
        return {"type": "channel", "channel_id": target[1:]}
    if target.startswith("!subteam^"):
        return {"type": "usergroup", "usergroup_id": target.removeprefix("!subteam^")}
    if target[0] == "!":
        return {"type": "broadcast", "range": target[1:]}
    return {"type": "link", "url": target, **({"text": label} if label else {})}


def readable(text: str, name_of: Callable[[str], str]) -> str:
    """What a reader sees of Slack's mrkdwn; `name_of` turns `@U1` or `#C1` into a name."""
    bare = _CODE.sub(lambda m: m.group(1) or m.group(2), _QUOTE.sub("", text))
    for _ in range(3):
        bare = _STYLED.sub(r"\2", bare)
    return decode(bare, name_of)


def decode(text: str, name_of: Callable[[str], str]) -> str:
    """Tokens to names and labels, entities to characters."""

    def shown(match: re.Match[str]) -> str:
        target, label = match.group(1), match.group(2)
        if target[0] in "@#":
            return name_of(target)
        return label or (f"@{target[1:]}" if target[0] == "!" else target)

    return html.unescape(_ANY_TOKEN.sub(shown, text))
