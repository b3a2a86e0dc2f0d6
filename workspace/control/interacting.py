"""Commands, buttons, shortcuts and modals as people use them."""

import json
from typing import Any

from aiohttp import web

from workspace import interactions
from workspace.app_keys import WORKSPACE
from workspace.blocks import interactive_elements
from workspace.control.requests import Body, channel_and_person, message_shown_to, person_in, read_body
from workspace.errors import ControlError
from workspace.files import file_object
from workspace.interactions import Outcome
from workspace.json_types import Json
from workspace.operated import action_object
from workspace.suggestions import SUGGESTING, suggested
from workspace.view_values import missing_inputs, submitted_values
from workspace.views import OpenView
from workspace.workspace import Workspace


def routes() -> list[web.RouteDef]:
    """The routes of this module."""
    return [
        web.post("/control/commands", command),
        web.post("/control/actions", action),
        web.post("/control/shortcuts", shortcut),
        web.get("/control/views/{id}", view),
        web.post("/control/views/{id}/submit", submit),
        web.post("/control/views/{id}/close", close),
        web.post("/control/views/{id}/suggestions", suggestions),
    ]


async def command(request: web.Request) -> web.Response:
    """Run a slash command."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    channel, person = channel_and_person(ws, body)
    name, text = body.text("command"), str(body.fields.get("text") or "").strip()
    if not name.startswith("/"):
        raise ControlError(400, "invalid_command", "A command begins with /.")
    return web.json_response((await interactions.run_command(ws, channel, person, name, text)).body())


async def action(request: web.Request) -> web.Response:
    """Operate an element of a message (`channel`, `ts`), or of a modal (`view`)."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    action_id, value = body.text("action_id"), body.fields.get("value")
    if "view" in body.fields:
        opened, person = _view(ws, body.text("view")), person_in(ws, body)
        operated = _operated(ws, opened.body["blocks"], action_id, value)
        return web.json_response((await interactions.act_in_view(ws, opened, person, operated)).body())
    channel, person = channel_and_person(ws, body)
    message = message_shown_to(ws, channel, body.text("ts"), person)
    operated = _operated(ws, message.blocks, action_id, value)
    return web.json_response((await interactions.act_on_message(ws, message, person, operated)).body())


def _operated(ws: Workspace, blocks: list[Json], action_id: str, value: Any) -> Json:
    for block in blocks:
        for element in interactive_elements(block):
            if element["action_id"] == action_id:
                return action_object(block, element, value, ws.state.next_ts())
    raise ControlError(404, "action_not_found", f"There is nothing with the action_id {action_id} to operate.")


async def shortcut(request: web.Request) -> web.Response:
    """Choose a message shortcut."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    channel, person = channel_and_person(ws, body)
    message = message_shown_to(ws, channel, body.text("ts"), person)
    outcome = await interactions.run_shortcut(ws, message, person, body.text("callback_id"))
    return web.json_response(outcome.body())


async def view(request: web.Request) -> web.Response:
    """An open modal, as Slack's view object."""
    return web.json_response(_view(request.app[WORKSPACE], request.match_info["id"]).body)


async def submit(request: web.Request) -> web.Response:
    """Submit a modal; what is missing and required comes back as errors without the app hearing of it."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    opened, person = _view(ws, request.match_info["id"]), person_in(ws, body)
    given = _given_values(body)
    files = [file_object(ws.files.add(name, content, person.id), ws.base_url) for name, content in body.files]
    blocks = opened.body["blocks"]
    values = submitted_values(blocks, given, files)
    missing = missing_inputs(blocks, values)
    if missing:
        return web.json_response(Outcome({"response_action": "errors", "errors": missing}, []).body())
    return web.json_response((await interactions.submit_view(ws, opened, person, values)).body())


async def close(request: web.Request) -> web.Response:
    """Close a modal without submitting it, with `all` every modal of the person."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    opened, person = _view(ws, request.match_info["id"]), person_in(ws, body)
    await interactions.close_view(ws, opened, person, whole_stack=body.fields.get("all") is True)
    return web.json_response({})


async def suggestions(request: web.Request) -> web.Response:
    """What the app offers for `value`, typed into the `external_select` with the `action_id`."""
    ws, body = request.app[WORKSPACE], await read_body(request)
    opened, person = _view(ws, request.match_info["id"]), person_in(ws, body)
    action_id, typed = body.text("action_id"), str(body.fields.get("value") or "")
    for block in opened.body["blocks"]:
        elements = (e for e in interactive_elements(block) if e["type"] in SUGGESTING)
        if any(element["action_id"] == action_id for element in elements):
            found = await suggested(ws, opened, person, (block["block_id"], action_id), typed)
            return web.json_response({"options": found})
    raise ControlError(404, "action_not_found", f"There is no external select with the action_id {action_id}.")


def _given_values(body: Body) -> Json:
    given = body.fields.get("values") or {}
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            given = None
    if not isinstance(given, dict) or not all(isinstance(actions, dict) for actions in given.values()):
        raise ControlError(400, "invalid_values", "values must be JSON of the form {block_id: {action_id: {...}}}.")
    return given


def _view(ws: Workspace, view_id: str) -> OpenView:
    opened = ws.views.get(view_id)
    if opened is None:
        raise ControlError(404, "view_not_found", f"There is no open view {view_id}.")
    return opened
