"""Markdown whose emphasis stands where Markdown sees none to Markdown where it does.

Markdown takes `**` beside punctuation for literal stars when a letter follows, as in `**「重点」**内容`: it expects
spaces between words, which Chinese and Japanese do without. A space beside the mark makes it one.
"""

import re
import unicodedata

from bot.code import Masked
from bot.mrkdwn import is_wide

_PATTERN = re.compile(r"(?<!\*)(?P<mark>\*{2,3})(?=[^\s*])(?P<inner>[^\n]*?[^\s*])(?P=mark)(?!\*)")


def with_room(markdown: str) -> str:
    """The Markdown with a space beside strong emphasis that would not be seen without. Code stays as it is."""
    masked = Masked(markdown)
    return masked.restored(_PATTERN.sub(_with_room, masked.text))


def _with_room(match: re.Match[str]) -> str:
    inner, text = match["inner"], match.string
    before, after = text[: match.start()][-1:], text[match.end() :][:1]
    left = " " if _is_punctuation(inner[0]) and _is_wide_letter(before) else ""
    right = " " if _is_punctuation(inner[-1]) and _is_wide_letter(after) else ""
    return f"{left}{match.group()}{right}"


def _is_punctuation(character: str) -> bool:
    """Also a backtick or backslash, for which a private character stands here."""
    return unicodedata.category(character)[0] in "PS" or unicodedata.category(character) == "Co"


def _is_wide_letter(character: str) -> bool:
    return bool(character) and is_wide(character) and not _is_punctuation(character)
