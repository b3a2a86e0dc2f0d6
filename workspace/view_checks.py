"""What an app sends as a view to Slack's view object, held to Slack's limits."""

import json
from typing import Any

from workspace.blocks import VIEW_BLOCKS_MOST, check_blocks, with_ids
from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.problems import Problems
from workspace.state import APP_ID, BOT_ID, TEAM_ID
from workspace.view_values import initial_values

_VIEW_MOST_BYTES = 250_000
_KEPT = (
    "callback_id",
    "private_metadata",
    "external_id",
    "clear_on_close",
    "notify_on_close",
    "submit_disabled",
)


def checked_view(view: Any, *, kind: str = "modal") -> Json:
    """Slack's view object for the modal or home view that an app sent.

    Raises SlackError `invalid_arguments` or `view_too_large`.
    """
    view = _parsed(view)
    problems = Problems()
    for key in ("title", "submit", "close"):
        problems.text(view.get(key), 24, f"/view/{key}", plain_only=True)
    if kind == "modal":
        problems.required(view, "title", "/view")
    problems.length(view.get("private_metadata"), 3000, "/view/private_metadata")
    problems.length(view.get("callback_id"), 255, "/view/callback_id")
    if view.get("type") != kind:
        problems.add(f"must be one of: {kind}", "/view/type")
    _check_content(view, problems, kind)
    if problems.messages:
        raise SlackError("invalid_arguments", problems.messages)
    return _view_object(view, with_ids(view["blocks"]))


def _check_content(view: Json, problems: Problems, kind: str) -> None:
    blocks = view.get("blocks")
    if not isinstance(blocks, list):
        problems.add("missing required field: blocks", "/view")
        return
    check_blocks(blocks, "/view/blocks", problems, most=VIEW_BLOCKS_MOST, in_view=True)
    has_input = any(isinstance(block, dict) and block.get("type") == "input" for block in blocks)
    if has_input and kind == "modal" and not view.get("submit"):
        problems.add("missing required field: submit", "/view")


def _parsed(view: Any) -> Json:
    if isinstance(view, str):
        try:
            view = json.loads(view)
        except ValueError:
            view = None
    if not isinstance(view, dict):
        raise SlackError("invalid_arguments", ["missing required field: view [json-pointer:/view]"])
    if len(json.dumps(view)) > _VIEW_MOST_BYTES:
        raise SlackError("view_too_large")
    return view


def _view_object(view: Json, blocks: list[Json]) -> Json:
    flags = dict.fromkeys(("clear_on_close", "notify_on_close", "submit_disabled"), False)
    texts = dict.fromkeys(("callback_id", "private_metadata", "external_id"), "")
    chosen = {key: view[key] for key in _KEPT if view.get(key) is not None}
    return {
        "team_id": TEAM_ID,
        "type": view["type"],
        "title": view.get("title"),
        "submit": view.get("submit"),
        "close": view.get("close"),
        "blocks": blocks,
        "state": {"values": initial_values(blocks)},
        "app_id": APP_ID,
        "app_installed_team_id": TEAM_ID,
        "bot_id": BOT_ID,
        **flags,
        **texts,
        **chosen,
    }
