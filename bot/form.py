"""The upload form, and what a submitted one says."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from bot import limits
from bot.upload import Upload
from retrieval.types import ADMINS, EVERYONE

UPLOAD_FORM = "kb_upload"
FILES, VISIBILITY, TAGS, DATE = "files", "visibility", "tags", "date"
_AS_IT_IS = "as_it_is"
_FILE_KEYS = ("id", "name", "size", "url_private", "url_private_download", "is_external")
_TAGS_HINT = "By commas. Without any, a known document keeps its own."
_TAGS_MOST, _TAG_CHARS = 20, 60


def upload_form() -> dict[str, Any]:
    """The modal for `views.open`."""
    as_it_is = _option("As it is now (new documents: everyone)", _AS_IT_IS)
    visibility = {
        "type": "static_select",
        "action_id": VISIBILITY,
        "options": [as_it_is, _option("Everyone", EVERYONE), _option("Admins only, in direct messages", ADMINS)],
        "initial_option": as_it_is,
    }
    files = {"type": "file_input", "action_id": FILES, "max_files": limits.UPLOAD_FILES}
    return {
        "type": "modal",
        "callback_id": UPLOAD_FORM,
        "title": _plain("Add documents"),
        "submit": _plain("Add"),
        "close": _plain("Cancel"),
        "blocks": [
            _input(FILES, "Files", files, hint="A file with the name of a known document becomes its new version."),
            _input(VISIBILITY, "Who may see answers from them", visibility, optional=True),
            _input(TAGS, "Tags", {"type": "plain_text_input", "action_id": TAGS}, optional=True, hint=_TAGS_HINT),
            _input(DATE, "Date of the documents", {"type": "datepicker", "action_id": DATE}, optional=True),
        ],
    }


def submitted(view: Mapping[str, Any], user: str) -> Upload | dict[str, str]:
    """The upload, or what is wrong with the form by block."""
    values = view["state"]["values"]
    files = values[FILES][FILES].get("files") or []
    if not files:
        return {FILES: "Choose at least one file."}
    if len(files) > limits.UPLOAD_FILES:
        return {FILES: f"Choose {limits.UPLOAD_FILES} files at most."}
    tags = _tags((values.get(TAGS) or {}).get(TAGS, {}).get("value") or "")
    chosen = (values.get(DATE) or {}).get(DATE, {}).get("selected_date")
    option = (values.get(VISIBILITY) or {}).get(VISIBILITY, {}).get("selected_option") or {}
    visibility = option.get("value") or _AS_IT_IS
    if visibility not in (_AS_IT_IS, EVERYONE, ADMINS):
        return {VISIBILITY: "Choose one of those shown."}
    date = dt.date.fromisoformat(chosen) if chosen else None
    return Upload(
        user=user,
        files=[_needed(file) for file in files],
        visibility=None if visibility == _AS_IT_IS else visibility,
        tags=tags or None,
        date=date,
    )


def _needed(file: Mapping[str, Any]) -> dict[str, Any]:
    return {key: file[key] for key in _FILE_KEYS if key in file}


def _tags(text: str) -> tuple[str, ...]:
    tags = dict.fromkeys(tag.strip()[:_TAG_CHARS] for tag in text.replace("，", ",").replace("、", ",").split(","))
    return tuple(tag for tag in tags if tag)[:_TAGS_MOST]


def _input(
    block: str, label: str, element: Mapping[str, Any], *, optional: bool = False, hint: str = ""
) -> dict[str, Any]:
    shown = {"hint": _plain(hint)} if hint else {}
    return {
        "type": "input",
        "block_id": block,
        "label": _plain(label),
        "element": element,
        "optional": optional,
        **shown,
    }


def _option(label: str, value: str) -> dict[str, Any]:
    return {"text": _plain(label), "value": value}


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}
