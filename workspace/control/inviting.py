"""People who come to the organisation, as a test orders them."""

import re

from aiohttp import web

from workspace.app_keys import WORKSPACE
from workspace.control.requests import read_body
from workspace.errors import ControlError
from workspace.state import Person
from workspace.wire import user_object

_NAME = re.compile(r"[a-z][a-z0-9]{0,20}")


def routes() -> list[web.RouteDef]:
    """The routes of this module."""
    return [web.post("/control/people", invite)]


async def invite(request: web.Request) -> web.Response:
    """A new member of the organisation, by a name of small letters and digits."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    name = body.text("name")
    if not _NAME.fullmatch(name):
        raise ControlError(400, "invalid_name", "A person's name begins with a letter: small ones and digits, 21 most.")
    person = Person(f"U0{name.upper()}", name, name.capitalize())
    if person.id in ws.state.people:
        raise ControlError(409, "name_taken", f"There is a person {person.id} already.")
    ws.state.people[person.id] = person
    return web.json_response({"user": user_object(person)})
