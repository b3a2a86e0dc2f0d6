"""An element of a block and what a person chose in it, to the action object of a block_actions payload."""

from typing import Any

from workspace.json_types import Json

_CHOSEN_KEYS = {
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "users_select": "selected_user",
    "conversations_select": "selected_conversation",
    "channels_select": "selected_channel",
    "multi_users_select": "selected_users",
    "multi_conversations_select": "selected_conversations",
    "multi_channels_select": "selected_channels",
}


def action_object(block: Json, element: Json, value: Any, action_ts: str) -> Json:
    """Slack's action object; `value` is the option, the date or the feedback button that was chosen."""
    head = {
        "type": element["type"],
        "action_id": element["action_id"],
        "block_id": block.get("block_id", ""),
        "action_ts": action_ts,
    }
    return {**head, **_chosen(element, value)}


def _chosen(element: Json, value: Any) -> Json:
    kind = element["type"]
    if kind in ("button", "icon_button"):
        own = element.get("value") if value is None else value
        return {"text": element["text"], **({} if own is None else {"value": own})}
    if kind == "feedback_buttons":
        return {"value": value if value is not None else element["positive_button"].get("value", "")}
    if kind in _CHOSEN_KEYS:
        return {_CHOSEN_KEYS[kind]: value}
    if kind in ("checkboxes", "multi_static_select"):
        wanted = value if isinstance(value, list) else [value]
        return {"selected_options": [o for o in _options(element) if o["value"] in wanted]}
    return {"selected_option": next((o for o in _options(element) if o["value"] == value), None)}


def _options(element: Json) -> list[Json]:
    groups = element.get("option_groups", [])
    return [*element.get("options", []), *(option for group in groups for option in group["options"])]
