"""A control request's body to checked values."""

from dataclasses import dataclass, field

from aiohttp import web

from workspace.errors import ControlError
from workspace.files import safe_name
from workspace.json_types import Json
from workspace.state import Channel, Message, Person
from workspace.workspace import Workspace

_FILE_FIELDS = ("files", "file", "files[]")


@dataclass(slots=True)
class Body:
    """The fields of a JSON or multipart body, and the files of the latter as pairs of name and bytes."""

    fields: Json = field(default_factory=dict)
    files: list[tuple[str, bytes]] = field(default_factory=list)

    def text(self, name: str) -> str:
        """A field that must be there; ControlError otherwise."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise ControlError(400, "missing_field", f"The body needs {name} as text.")
        return value


async def read_body(request: web.Request) -> Body:
    """The body, whichever of the two kinds it is; ControlError when it is neither."""
    if request.content_type == "multipart/form-data":
        return await _multipart(request)
    if not request.can_read_body:
        return Body()
    try:
        fields = await request.json()
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        raise ControlError(400, "invalid_json", "The body must be a JSON object.")
    return Body(fields)


async def _multipart(request: web.Request) -> Body:
    body = Body()
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            if name not in _FILE_FIELDS:
                raise ControlError(400, "invalid_field", f"Files go into the field files, not {name}.")
            body.files.append((safe_name([value.filename]), value.file.read()))
        else:
            body.fields[name] = value
    return body


def channel_and_person(ws: Workspace, body: Body) -> tuple[Channel, Person]:
    """The channel and the member of it who acts; ControlError when either is unknown or not a member."""
    person, channel = person_in(ws, body), ws.state.channels.get(body.text("channel"))
    if channel is None:
        raise ControlError(404, "channel_not_found", f"There is no channel {body.text('channel')}.")
    if person.id not in channel.members:
        raise ControlError(403, "not_in_channel", f"{person.id} is not in {channel.id}.")
    return channel, person


def person_in(ws: Workspace, body: Body) -> Person:
    """The person who acts; ControlError when unknown, or the bot, which acts through the Web API."""
    person = ws.state.people.get(body.text("user"))
    if person is None or person.is_bot:
        raise ControlError(404, "user_not_found", f"There is no person {body.text('user')}.")
    return person


def message_shown_to(ws: Workspace, channel: Channel, ts: str, person: Person) -> Message:
    """The message that the person sees under that timestamp; ControlError otherwise."""
    message = ws.state.find_shown(channel.id, ts)
    if message is None or message.ephemeral_to not in (None, person.id):
        raise ControlError(404, "message_not_found", f"{person.id} sees no message {ts} in {channel.id}.")
    return message
