"""Blocks and views that tests build."""

from typing import Any

Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def option(value: str) -> Json:
    return {"text": plain(value.title()), "value": value}


def input_block(block_id: str, element: Json, *, optional: bool = False) -> Json:
    element = {"action_id": "a", **element}
    label = plain(block_id)
    return {"type": "input", "block_id": block_id, "label": label, "element": element, "optional": optional}


def modal(*blocks: Json, **more: Any) -> Json:
    view = {"type": "modal", "callback_id": "upload", "title": plain("Upload"), "submit": plain("Send")}
    return {**view, "blocks": list(blocks), **more}


FILES = input_block("files", {"type": "file_input", "filetypes": ["md"]})


NOTE = input_block("note", {"type": "plain_text_input"}, optional=True)


WHO = input_block(
    "who", {"type": "static_select", "options": [option("all"), option("us")], "initial_option": option("all")}
)


BUTTONS: list[Json] = [
    {
        "type": "actions",
        "block_id": "b",
        "elements": [
            {"type": "button", "action_id": "show", "text": plain("Show"), "value": "p1"},
            {"type": "static_select", "action_id": "pick", "options": [option("x"), option("y")]},
        ],
    },
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "rate",
                "positive_button": {"text": plain("Good"), "value": "good"},
                "negative_button": {"text": plain("Bad"), "value": "bad"},
            }
        ],
    },
]
