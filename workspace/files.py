"""Uploaded bytes to Slack file objects, and their downloads, which need the bot's token."""

import mimetypes
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from aiohttp import web

from workspace.json_types import Json
from workspace.state import BOT_TOKEN, TEAM_ID, Channel

# Slack's own limit is 1 GB; this one keeps the memory of a laptop.
UPLOAD_MOST_BYTES = 200 * 1024 * 1024

_FILETYPES = {
    "markdown": "markdown",
    "md": "markdown",
    "txt": "text",
    "htm": "html",
    "jpeg": "jpg",
    "yml": "yaml",
}
_MIMETYPES = {"md": "text/markdown", "markdown": "text/markdown", "yaml": "text/yaml", "csv": "text/csv"}

_SIGN_IN_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in | Slack</title></head>
<body><h1>Sign in to your workspace</h1><p>You need to sign in to see this file.</p></body></html>
"""


@dataclass(slots=True)
class StoredFile:
    """An uploaded file; `channels` are those it was shared to, `for_app` is set when a modal took it."""

    id: str
    name: str
    mimetype: str
    content: bytes
    user: str
    created: int
    channels: list[Channel] = field(default_factory=list)
    for_app: bool = False


class Files:
    """Every uploaded file, in memory."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._files: dict[str, StoredFile] = {}

    def add(self, name: str, content: bytes, user: str, *, channel: Channel | None = None) -> StoredFile:
        """Keep a file, shared to `channel`, or given to the app through a modal when there is none."""
        file_id = f"F0{secrets.token_hex(4).upper()}"
        channels = [channel] if channel else []
        mimetype = _MIMETYPES.get(_suffix(name)) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        stored = StoredFile(
            file_id, name, mimetype, content, user, int(self._clock()), channels, for_app=channel is None
        )
        self._files[file_id] = stored
        return stored

    def get(self, file_id: str) -> StoredFile | None:
        """The file with that id."""
        return self._files.get(file_id)


def app_may_read(file: StoredFile, bot_user: str) -> bool:
    """Whether the app sees the file: given by a modal, or shared where the bot is a member."""
    return file.for_app or any(bot_user in channel.members for channel in file.channels)


def file_object(file: StoredFile, base_url: str) -> Json:
    """Slack's file object."""
    suffix = _suffix(file.name)
    address = f"{base_url}/files-pri/{TEAM_ID}-{file.id}"
    return {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.name,
        "mimetype": file.mimetype,
        "filetype": _FILETYPES.get(suffix, suffix or "binary"),
        "pretty_type": suffix.upper() or "Binary",
        "user": file.user,
        "user_team": TEAM_ID,
        "editable": False,
        "size": len(file.content),
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": any(channel.kind == "channel" for channel in file.channels),
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": f"{address}/{quote(file.name, safe='')}",
        "url_private_download": f"{address}/download/{quote(file.name, safe='')}",
        "permalink": f"{base_url}/files/{file.user}/{file.id}/{quote(file.name, safe='')}",
        "has_rich_preview": False,
        "file_access": "visible",
        "channels": [channel.id for channel in file.channels if channel.kind == "channel"],
        "groups": [channel.id for channel in file.channels if channel.kind in ("group", "mpim")],
        "ims": [channel.id for channel in file.channels if channel.kind == "im"],
        "comments_count": 0,
    }


def shared_file_stub(file: StoredFile) -> Json:
    """What an event of a channel shared with another organisation says of a file: ask `files.info`."""
    return {"id": file.id, "mode": "file_access", "file_access": "check_file_info"}


def download(request: web.Request, file: StoredFile | None, bot_user: str) -> web.Response:
    """The file's bytes for the bot's token; for anyone else a sign-in page with status 200, as Slack does."""
    authorized = request.headers.get("Authorization") == f"Bearer {BOT_TOKEN}"
    if not authorized or file is None or not app_may_read(file, bot_user):
        return web.Response(text=_SIGN_IN_PAGE, content_type="text/html")
    return as_attachment(file)


def as_attachment(file: StoredFile) -> web.Response:
    """The file's bytes, never shown inline."""
    disposition = f"attachment; filename*=UTF-8''{quote(file.name, safe='')}"
    headers = {"Content-Disposition": disposition, "X-Content-Type-Options": "nosniff"}
    return web.Response(body=file.content, content_type=file.mimetype, headers=headers)


def safe_name(names: Sequence[str | None]) -> str:
    """The first usable file name, without directories."""
    name = next((n for n in names if n), "file")
    return name.replace("\\", "/").rsplit("/", 1)[-1] or "file"


def _suffix(name: str) -> str:
    return name.rsplit(".", 1)[-1].lower() if "." in name else ""
