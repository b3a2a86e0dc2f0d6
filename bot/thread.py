"""Slack messages of a thread to a Conversation."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bot.slack_text import plain_text, text_of_blocks, tidy
from retrieval.types import MARK, Conversation, DeliveryState, Message, ThreadMessage

SPOKEN = (None, "thread_broadcast", "file_share", "me_message")
"""Subtypes of messages in which a person says something. Others tell of edits, joins, topics and the like."""

_SPACED_MARKS = re.compile(rf"\s*[*_]*(?:{MARK.pattern})+[*_]*")
_FOOTER = re.compile(r"\n\n(?:\[\d+\] [^\n]*\n?)+\Z")
_QUOTED = re.compile(r"^>[ \t]?", re.MULTILINE)


def is_spoken(message: Mapping[str, Any]) -> bool:
    """Whether a person said this, here and now: no bot, no edit, no notice of Slack's."""
    return bool(
        message.get("user")
        and not message.get("bot_id")
        and not message.get("hidden")
        and message.get("subtype") in SPOKEN
    )


def slack_text(message: Mapping[str, Any]) -> str:
    """A message's text as Slack wrote it, from its blocks where it has no text."""
    return str(message.get("text") or "") or text_of_blocks(message.get("blocks") or [])


def thread_of(message: Mapping[str, Any]) -> str:
    """Timestamp of the root of the thread that a reply to this message belongs in."""
    return str(message.get("thread_ts") or message["ts"])


def heard(message: Mapping[str, Any], channel: str, bot_user_id: str, state: DeliveryState = "heard") -> ThreadMessage:
    """A message as the bot keeps it: plain text, its own ones without citation marks and sources."""
    by_bot = message.get("user") == bot_user_id
    text = plain_text(slack_text(message), bot_user_id)
    return ThreadMessage(
        channel=channel,
        ts=str(message["ts"]),
        thread=thread_of(message),
        author=str(message.get("user") or ""),
        text=without_sources(text) if by_bot else text,
        by_bot=by_bot,
        state=state,
    )


def without_sources(answer: str) -> str:
    """An answer's words alone: no [n], no list of sources."""
    return tidy(_SPACED_MARKS.sub("", _FOOTER.sub("", answer)))


def conversation(current: ThreadMessage, known: Iterable[ThreadMessage]) -> Conversation:
    """The current message as the question, after what was said before it and what the bot said meanwhile.

    Lines the person quotes (`> ...`) come right before the question, not in it.
    """
    before = [
        message
        for message in known
        if message.text and message.ts != current.ts and (message.by_bot or _time(message) < _time(current))
    ]
    earlier = [Message("bot" if message.by_bot else "person", message.text) for message in sorted(before, key=_time)]
    quoted, question = _without_quotes(current.text)
    if quoted:
        earlier.append(Message("person", quoted))
    return Conversation(question, tuple(earlier))


def _without_quotes(text: str) -> tuple[str, str]:
    """Quoted lines, and the others; a message that only quotes is itself the question."""
    lines = text.split("\n")
    quoted = "\n".join(_QUOTED.sub("", line) for line in lines if line.startswith(">"))
    rest = tidy("\n".join(line for line in lines if not line.startswith(">")))
    return (tidy(quoted), rest) if rest else ("", tidy(quoted))


def _time(message: ThreadMessage) -> tuple[int, str]:
    seconds, _, fraction = message.ts.partition(".")
    return int(seconds), fraction.ljust(6, "0")
