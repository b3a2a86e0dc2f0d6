"""Blocks of messages and modals held to Slack's limits and given the ids Slack gives them."""

import json
import secrets
from collections.abc import Callable, Iterator
from typing import Any

from workspace.elements import ACTION_TYPES, CONTEXT_ACTION_TYPES, INPUT_TYPES, check_element
from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.problems import Problems

MESSAGE_BLOCKS_MOST = 50
VIEW_BLOCKS_MOST = 100
MARKDOWN_MOST_CHARS = 12_000
# Not in Slack's documentation; measured by others (bolt-js issue 2509).
MESSAGE_TEXT_MOST_CHARS = 13_200

_MESSAGE_ONLY = ("markdown", "context_actions", "task_card", "plan", "table")
_IMAGE_KEYS = ("image_url", "slack_file")


def checked_message_blocks(blocks: Any) -> list[Json]:
    """The blocks as Slack keeps them, with ids; SlackError `invalid_blocks` or `msg_blocks_too_long`."""
    parsed = parsed_list(blocks)
    problems = Problems()
    check_blocks(parsed, "/blocks", problems, most=MESSAGE_BLOCKS_MOST, in_view=False)
    if problems.messages:
        raise SlackError("invalid_blocks", problems.messages)
    markdown_chars = sum(len(block["text"]) for block in parsed if block["type"] == "markdown")
    if markdown_chars > MARKDOWN_MOST_CHARS or _text_chars(parsed) > MESSAGE_TEXT_MOST_CHARS:
        raise SlackError("msg_blocks_too_long")
    return with_ids(parsed)


def parsed_list(blocks: Any) -> list[Any]:
    """Blocks from a JSON body, or from a form, which has them as text; SlackError `invalid_blocks_format`."""
    if isinstance(blocks, str):
        try:
            blocks = json.loads(blocks)
        except ValueError:
            raise SlackError("invalid_blocks_format") from None
    if not isinstance(blocks, list):
        raise SlackError("invalid_blocks_format")
    return blocks


def check_blocks(blocks: list[Any], pointer: str, problems: Problems, *, most: int, in_view: bool) -> None:
    """Note everything Slack would refuse in these blocks."""
    problems.items(blocks, most, pointer, least=0)
    for index, block in enumerate(blocks):
        here = f"{pointer}/{index}"
        kind = block.get("type") if isinstance(block, dict) else None
        rule = None if in_view and kind in _MESSAGE_ONLY else _RULES.get(str(kind))
        if rule is None:
            problems.add(f"unsupported type: {kind}", f"{here}/type")
            continue
        problems.length(block.get("block_id"), 255, f"{here}/block_id")
        rule(block, here, problems)
    named = [(b.get("block_id"), f"{pointer}/{i}/block_id") for i, b in enumerate(blocks) if isinstance(b, dict)]
    problems.unique([pair for pair in named if pair[0]], "block_id")


def with_ids(blocks: list[Json]) -> list[Json]:
    """The blocks with a block_id and action_ids where they lack one; a markdown block has no block_id."""
    kept = []
    for block in blocks:
        block = json.loads(json.dumps(block))
        if block["type"] == "markdown":
            block.pop("block_id", None)
        elif not block.get("block_id"):
            block["block_id"] = secrets.token_urlsafe(4)
        for element in interactive_elements(block):
            element.setdefault("action_id", secrets.token_urlsafe(4))
        kept.append(block)
    return kept


def interactive_elements(block: Json) -> Iterator[Json]:
    """The elements of a block that a person can operate."""
    candidates = [block.get("element"), block.get("accessory")]
    if block["type"] in ("actions", "context_actions"):
        candidates += block["elements"]
    for element in candidates:
        if element and element["type"] in (*INPUT_TYPES, *ACTION_TYPES, *CONTEXT_ACTION_TYPES):
            yield element


def _text_chars(part: Any) -> int:
    if isinstance(part, list):
        return sum(_text_chars(item) for item in part)
    if isinstance(part, dict):
        own = len(part["text"]) if isinstance(part.get("text"), str) else 0
        return own + sum(_text_chars(value) for value in part.values() if isinstance(value, (dict, list)))
    return 0


def _section(block: Json, here: str, problems: Problems) -> None:
    if "text" not in block and "fields" not in block:
        problems.add("missing required field: text", here)
    problems.text(block.get("text"), 3000, f"{here}/text")
    if "fields" in block:
        for index, field in enumerate(problems.items(block["fields"], 10, f"{here}/fields")):
            problems.text(field, 2000, f"{here}/fields/{index}")
    if "accessory" in block:
        check_element(block["accessory"], f"{here}/accessory", problems, (*ACTION_TYPES, "image"))


def _header(block: Json, here: str, problems: Problems) -> None:
    if problems.required(block, "text", here):
        problems.text(block["text"], 150, f"{here}/text", plain_only=True)


def _context(block: Json, here: str, problems: Problems) -> None:
    for index, element in enumerate(problems.items(block.get("elements"), 10, f"{here}/elements")):
        spot = f"{here}/elements/{index}"
        if isinstance(element, dict) and element.get("type") == "image":
            _image(element, spot, problems)
        else:
            problems.text(element, 3000, spot)


def _elements(most: int, allowed: tuple[str, ...]) -> Callable[[Json, str, Problems], None]:
    def check(block: Json, here: str, problems: Problems) -> None:
        elements = problems.items(block.get("elements"), most, f"{here}/elements")
        for index, element in enumerate(elements):
            check_element(element, f"{here}/elements/{index}", problems, allowed)
        ids = [(e.get("action_id"), f"{here}/elements/{i}") for i, e in enumerate(elements) if isinstance(e, dict)]
        problems.unique([pair for pair in ids if pair[0]], "action_id")

    return check


def _image(block: Json, here: str, problems: Problems) -> None:
    problems.required(block, "alt_text", here)
    problems.length(block.get("alt_text"), 2000, f"{here}/alt_text")
    problems.length(block.get("image_url"), 3000, f"{here}/image_url")
    problems.text(block.get("title"), 2000, f"{here}/title", plain_only=True)
    if not any(key in block for key in _IMAGE_KEYS):
        problems.add("missing required field: image_url", here)


def _markdown(block: Json, here: str, problems: Problems) -> None:
    # Its length counts over the whole message and has an error name of its own.
    if not isinstance(block.get("text"), str) or not block["text"]:
        problems.add("missing required field: text", here)


def _input(block: Json, here: str, problems: Problems) -> None:
    if problems.required(block, "label", here):
        problems.text(block["label"], 2000, f"{here}/label", plain_only=True)
    problems.text(block.get("hint"), 2000, f"{here}/hint", plain_only=True)
    if problems.required(block, "element", here):
        check_element(block["element"], f"{here}/element", problems, INPUT_TYPES)


def _table(block: Json, here: str, problems: Problems) -> None:
    for index, row in enumerate(problems.items(block.get("rows"), 100, f"{here}/rows")):
        problems.items(row, 20, f"{here}/rows/{index}")


def _nothing_more(block: Json, here: str, problems: Problems) -> None:
    """Types without limits of their own."""


_RULES: dict[str, Callable[[Json, str, Problems], None]] = {
    "section": _section,
    "header": _header,
    "context": _context,
    "actions": _elements(25, ACTION_TYPES),
    "context_actions": _elements(5, CONTEXT_ACTION_TYPES),
    "image": _image,
    "markdown": _markdown,
    "input": _input,
    "table": _table,
    "divider": _nothing_more,
    "rich_text": _nothing_more,
    "file": _nothing_more,
    "video": _nothing_more,
    "task_card": _nothing_more,
    "plan": _nothing_more,
}
