"""Block elements held to Slack's limits."""

import re
from collections.abc import Callable
from typing import Any

from workspace.json_types import Json
from workspace.problems import Problems

_ID_MOST = 255
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

INPUT_TYPES = (
    "plain_text_input", "static_select", "multi_static_select", "users_select", "multi_users_select",
    "conversations_select", "multi_conversations_select", "channels_select", "multi_channels_select",
    "external_select", "multi_external_select", "checkboxes", "radio_buttons", "datepicker", "timepicker",
    "datetimepicker", "number_input", "email_text_input", "url_text_input", "file_input", "rich_text_input",
)  # fmt: skip
_INPUT_ONLY = (
    "plain_text_input", "number_input", "email_text_input", "url_text_input", "file_input", "rich_text_input",
)  # fmt: skip
ACTION_TYPES = (*(t for t in INPUT_TYPES if t not in _INPUT_ONLY), "button", "overflow", "workflow_button")
CONTEXT_ACTION_TYPES = ("feedback_buttons", "icon_button")


def check_element(element: Any, pointer: str, problems: Problems, allowed: tuple[str, ...]) -> None:
    """Note what Slack would refuse in one element that must be of an `allowed` type."""
    if not isinstance(element, dict):
        problems.add("must be an object", pointer)
        return
    kind = str(element.get("type"))
    if kind not in allowed:
        problems.add(f"unsupported type: {kind}", f"{pointer}/type")
        return
    problems.length(element.get("action_id"), _ID_MOST, f"{pointer}/action_id")
    problems.text(element.get("placeholder"), 150, f"{pointer}/placeholder", plain_only=True)
    _RULES.get(kind, _nothing_more)(element, pointer, problems)


def _nothing_more(element: Json, pointer: str, problems: Problems) -> None:
    """Types without limits of their own."""


def _button(element: Json, pointer: str, problems: Problems) -> None:
    if problems.required(element, "text", pointer):
        problems.text(element["text"], 75, f"{pointer}/text", plain_only=True)
    problems.length(element.get("value"), 2000, f"{pointer}/value")
    problems.length(element.get("url"), 3000, f"{pointer}/url")
    if element.get("style") not in (None, "primary", "danger"):
        problems.add("must be one of: primary, danger", f"{pointer}/style")


def _options(most: int) -> Callable[[Json, str, Problems], None]:
    def check(element: Json, pointer: str, problems: Problems) -> None:
        if "option_groups" in element:
            groups = problems.items(element["option_groups"], 100, f"{pointer}/option_groups")
            for index, group in enumerate(groups):
                check_options(group.get("options"), most, f"{pointer}/option_groups/{index}/options", problems)
        elif problems.required(element, "options", pointer):
            check_options(element["options"], most, f"{pointer}/options", problems)

    return check


def check_options(options: Any, most: int, pointer: str, problems: Problems) -> None:
    """Note what Slack would refuse in a list of options."""
    for index, option in enumerate(problems.items(options, most, pointer)):
        here = f"{pointer}/{index}"
        if not isinstance(option, dict):
            problems.add("must be an object", here)
            continue
        if problems.required(option, "text", here):
            problems.text(option["text"], 75, f"{here}/text")
        if problems.required(option, "value", here):
            problems.length(option["value"], 150, f"{here}/value")
        problems.text(option.get("description"), 75, f"{here}/description")


def _plain_text_input(element: Json, pointer: str, problems: Problems) -> None:
    for key, most in (("min_length", 3000), ("max_length", 3000)):
        value = element.get(key)
        if value is not None and not (isinstance(value, int) and 0 <= value <= most):
            problems.add(f"must be between 0 and {most}", f"{pointer}/{key}")
    problems.length(element.get("initial_value"), 3000, f"{pointer}/initial_value")


def _datepicker(element: Json, pointer: str, problems: Problems) -> None:
    date = element.get("initial_date")
    if date is not None and not _DATE.fullmatch(str(date)):
        problems.add("must be a date of the form YYYY-MM-DD", f"{pointer}/initial_date")


def _file_input(element: Json, pointer: str, problems: Problems) -> None:
    most = element.get("max_files", 10)
    if not isinstance(most, int) or not 1 <= most <= 10:
        problems.add("must be between 1 and 10", f"{pointer}/max_files")
    if "filetypes" in element:
        problems.items(element["filetypes"], 100, f"{pointer}/filetypes")


def _feedback_buttons(element: Json, pointer: str, problems: Problems) -> None:
    for key in ("positive_button", "negative_button"):
        if problems.required(element, key, pointer):
            problems.text(element[key].get("text"), 75, f"{pointer}/{key}/text", plain_only=True)
            problems.length(element[key].get("value"), 2000, f"{pointer}/{key}/value")


def _icon_button(element: Json, pointer: str, problems: Problems) -> None:
    if problems.required(element, "text", pointer):
        problems.text(element["text"], 75, f"{pointer}/text", plain_only=True)
    if element.get("icon") != "trash":
        problems.add("must be one of: trash", f"{pointer}/icon")
    problems.length(element.get("value"), 2000, f"{pointer}/value")


_RULES: dict[str, Callable[[Json, str, Problems], None]] = {
    "button": _button,
    "static_select": _options(100),
    "multi_static_select": _options(100),
    "checkboxes": _options(10),
    "radio_buttons": _options(10),
    "overflow": _options(5),
    "plain_text_input": _plain_text_input,
    "datepicker": _datepicker,
    "file_input": _file_input,
    "feedback_buttons": _feedback_buttons,
    "icon_button": _icon_button,
}
