"""The upload form, and what a submitted one says."""

import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot import limits
from bot.mrkdwn import one_line
from bot.report_lines import counted
from bot.upload import Upload, file_name
from retrieval.types import ADMINS, EVERYONE, DocumentVersion

Json = dict[str, Any]

UPLOAD_FORM = "kb_upload"
FILES, VISIBILITY, TAGS, DATE, OWNER, REPLACES = "files", "visibility", "tags", "date", "owner", "replaces"
_AS_IT_IS = "as_it_is"
_FILE_KEYS = ("id", "name", "size", "url_private", "url_private_download", "is_external")
_GONE = ("tombstone", "hidden_by_limit")
_TAGS_HINT = "By commas. Without any, a known document keeps its own."
_DATE_HINT = "When what they say came into force. Without one, the date found in each file."
_REPLACES_HINT = (
    "Without one, a file with the name of a known document becomes its new version, and any other a new document."
)
_TAGS_MOST, _TAG_CHARS = 20, 60
_KEPT_NAME_CHARS = 100


def attached_files(message: Mapping[str, Any]) -> list[Json]:
    """The files of a Slack message, with what is needed to fetch them."""
    return [_needed(file) for file in message.get("files") or () if file.get("mode") not in _GONE]


def upload_form(user: str, attached: Sequence[Mapping[str, Any]] = ()) -> Json:
    """The modal for `views.open`, opened by a user; with files to choose, or with those of a message."""
    as_it_is = _option("As it is now (new documents: everyone)", _AS_IT_IS)
    visibility = {
        "type": "static_select",
        "options": [as_it_is, _option("Everyone", EVERYONE), _option("Admins only, in direct messages", ADMINS)],
        "initial_option": as_it_is,
    }
    document = {"type": "external_select", "min_query_length": 0, "placeholder": _plain("Part of its name")}
    return {
        "type": "modal",
        "callback_id": UPLOAD_FORM,
        "private_metadata": _kept(attached),
        "title": _plain("Add documents"),
        "submit": _plain("Add"),
        "close": _plain("Cancel"),
        "blocks": [
            _listed(attached) if attached else _choice_of_files(),
            _input(VISIBILITY, "Who may see answers from them", visibility),
            _input(TAGS, "Tags", {"type": "plain_text_input"}, hint=_TAGS_HINT),
            _input(DATE, "Effective date", {"type": "datepicker"}, hint=_DATE_HINT),
            _input(OWNER, "Owner, who answers for them", {"type": "users_select", "initial_user": user}),
            _input(REPLACES, "Document that the file replaces", document, hint=_REPLACES_HINT),
        ],
    }


def first_input(view: Mapping[str, Any]) -> str:
    """The block that what is wrong with the files or with the whole form is shown at."""
    return next(str(block["block_id"]) for block in view["blocks"] if block["type"] == "input")


def document_options(versions: Sequence[DocumentVersion], typed: str) -> list[Json]:
    """Documents to replace whose names hold what was typed, for an `external_select`."""
    found = [version for version in versions if typed.strip().casefold() in version.document.casefold()]
    found.sort(key=lambda version: version.document.casefold())
    return [_option(_shortened(version.document), str(version.id)) for version in found[: limits.OPTIONS]]


def submitted(view: Mapping[str, Any], user: str, known: Callable[[], Sequence[DocumentVersion]]) -> Upload | Json:
    """The upload, or what is wrong with the form by block. `known` are the documents that may be replaced."""
    values = view["state"]["values"]
    files = json.loads(view.get("private_metadata") or "[]") or _value(values, FILES, "files") or []
    tags = _tags(_value(values, TAGS, "value") or "")
    visibility = (_value(values, VISIBILITY, "selected_option") or {}).get("value") or _AS_IT_IS
    date = _value(values, DATE, "selected_date")
    replaced = (_value(values, REPLACES, "selected_option") or {}).get("value")
    document = _document(replaced, known()) if replaced else None
    errors = {
        FILES: _wrong_files(files),
        VISIBILITY: "" if visibility in (_AS_IT_IS, EVERYONE, ADMINS) else "Choose one of those shown.",
        TAGS: _wrong_tags(tags),
        REPLACES: _wrong_replacement(document, files) if replaced else "",
    }
    if any(errors.values()):
        return {block: error for block, error in errors.items() if error}
    return Upload(
        user=user,
        files=[_needed(file) for file in files],
        visibility=None if visibility == _AS_IT_IS else visibility,
        tags=tags or None,
        date=dt.date.fromisoformat(date) if date else None,
        owner=_value(values, OWNER, "selected_user"),
        replaces=document,
    )


def _value(values: Mapping[str, Any], block: str, key: str) -> Any:
    return ((values.get(block) or {}).get(block) or {}).get(key)


def _wrong_files(files: Sequence[object]) -> str:
    if not files:
        return "Choose at least one file."
    return f"Choose {limits.UPLOAD_FILES} files at most." if len(files) > limits.UPLOAD_FILES else ""


def _document(version_id: str, known: Sequence[DocumentVersion]) -> str | None:
    return next((version.document for version in known if str(version.id) == version_id), None)


def _wrong_replacement(document: str | None, files: Sequence[object]) -> str:
    if len(files) != 1:
        return f"Only one file can replace a document; there are {len(files)}."
    return "" if document else "This document has changed meanwhile. Choose it again."


def _wrong_tags(tags: Sequence[str]) -> str:
    if len(tags) > _TAGS_MOST:
        return f"{_TAGS_MOST} tags at most; there are {len(tags)}."
    return f"A tag may have {_TAG_CHARS} characters." if any(len(tag) > _TAG_CHARS for tag in tags) else ""


def _needed(file: Mapping[str, Any]) -> Json:
    return {key: file[key] for key in _FILE_KEYS if key in file}


def _kept(attached: Sequence[Mapping[str, Any]]) -> str:
    """What of the files comes back with the form: Slack is asked for the rest when they are fetched."""
    files = [{"id": file["id"], "name": file_name(file)[:_KEPT_NAME_CHARS]} for file in attached]
    return json.dumps(files, ensure_ascii=False) if files else ""


def _listed(attached: Sequence[Mapping[str, Any]]) -> Json:
    names = [f"• {one_line(file_name(file), limits.NAME_CHARS)}" for file in attached]
    text = "\n".join([f"*{counted(len(names), 'file')} of the message*", *names])
    return {"type": "section", "block_id": FILES, "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def _choice_of_files() -> Json:
    return _input(FILES, "Files", {"type": "file_input", "max_files": limits.UPLOAD_FILES}, optional=False)


def _tags(text: str) -> tuple[str, ...]:
    tags = dict.fromkeys(tag.strip() for tag in text.replace("，", ",").replace("、", ",").split(","))
    return tuple(filter(None, tags))


def _input(block: str, label: str, element: Mapping[str, Any], *, optional: bool = True, hint: str = "") -> Json:
    return {
        "type": "input",
        "block_id": block,
        "label": _plain(label),
        "element": {"action_id": block, **element},
        "optional": optional,
        **({"hint": _plain(hint)} if hint else {}),
    }


def _option(label: str, value: str) -> Json:
    return {"text": _plain(label), "value": value}


def _shortened(name: str) -> str:
    """The end of a long name, which tells more than its folders."""
    return name if len(name) <= limits.OPTION_CHARS else f"…{name[1 - limits.OPTION_CHARS :]}"


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}
