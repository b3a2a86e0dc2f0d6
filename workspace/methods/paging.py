"""A long list to pages with Slack's cursors."""

import base64
import binascii
from collections.abc import Sequence
from typing import TypeVar

from workspace.errors import SlackError
from workspace.methods.arguments import Arguments

_Item = TypeVar("_Item")


def page(items: Sequence[_Item], args: Arguments, *, default: int, most: int = 1000) -> tuple[list[_Item], str]:
    """The page at the call's cursor, and the next cursor, empty at the end; SlackError `invalid_cursor`."""
    start = _start(args.text("cursor"))
    end = start + args.limit(default, most)
    return list(items[start:end]), _cursor(end) if end < len(items) else ""


def _cursor(start: int) -> str:
    return base64.b64encode(f"next:{start}".encode()).decode()


def _start(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        mark, _, start = base64.b64decode(cursor, validate=True).decode().partition(":")
        if mark != "next":
            raise SlackError("invalid_cursor")
        return int(start)
    except (binascii.Error, ValueError):
        raise SlackError("invalid_cursor") from None
