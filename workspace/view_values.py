"""A modal's blocks and what a person filled in, to the state values of a submission."""

from typing import Any

from workspace.blocks import interactive_elements
from workspace.json_types import Json

_REQUIRED = "Please complete this required field."

# Element type -> (key of the value in the state, key of its initial value, value when nothing was chosen).
_VALUE_KEYS: dict[str, tuple[str, str, Any]] = {
    "plain_text_input": ("value", "initial_value", None),
    "number_input": ("value", "initial_value", None),
    "email_text_input": ("value", "initial_value", None),
    "url_text_input": ("value", "initial_value", None),
    "rich_text_input": ("rich_text_value", "initial_value", None),
    "static_select": ("selected_option", "initial_option", None),
    "external_select": ("selected_option", "initial_option", None),
    "radio_buttons": ("selected_option", "initial_option", None),
    "multi_static_select": ("selected_options", "initial_options", []),
    "multi_external_select": ("selected_options", "initial_options", []),
    "checkboxes": ("selected_options", "initial_options", []),
    "datepicker": ("selected_date", "initial_date", None),
    "timepicker": ("selected_time", "initial_time", None),
    "datetimepicker": ("selected_date_time", "initial_date_time", None),
    "users_select": ("selected_user", "initial_user", None),
    "multi_users_select": ("selected_users", "initial_users", []),
    "conversations_select": ("selected_conversation", "initial_conversation", None),
    "multi_conversations_select": ("selected_conversations", "initial_conversations", []),
    "channels_select": ("selected_channel", "initial_channel", None),
    "multi_channels_select": ("selected_channels", "initial_channels", []),
    "file_input": ("files", "initial_files", []),
}


def initial_values(blocks: list[Json]) -> Json:
    """`{block_id: {action_id: state}}` of a modal nobody has touched."""
    values: Json = {}
    for block in blocks:
        for element in interactive_elements(block):
            if element["type"] in _VALUE_KEYS:
                key, initial, nothing = _VALUE_KEYS[element["type"]]
                state = {"type": element["type"], key: element.get(initial, nothing)}
                values.setdefault(block["block_id"], {})[element["action_id"]] = state
    return values


def submitted_values(blocks: list[Json], given: Json, files: list[Json]) -> Json:
    """The state values of a submission: initial ones, then those `given`, then `files` in the file inputs."""
    values = initial_values(blocks)
    for block_id, actions in values.items():
        for action_id, state in actions.items():
            state.update(given.get(block_id, {}).get(action_id, {}))
            if state["type"] == "file_input" and files:
                state["files"] = files
    return values


def missing_inputs(blocks: list[Json], values: Json) -> dict[str, str]:
    """What Slack's client says before it sends anything: block_id of an empty required input -> sentence."""
    missing = {}
    for block in blocks:
        if block["type"] == "input" and not block.get("optional", False):
            element = block["element"]
            key = _VALUE_KEYS[element["type"]][0]
            if not values[block["block_id"]][element["action_id"]].get(key):
                missing[block["block_id"]] = _REQUIRED
    return missing
