"""What a person does with commands, buttons and modals to payloads, and the app's acks to effects."""

import asyncio
from dataclasses import dataclass

from workspace.blocks import checked_message_blocks
from workspace.json_types import Json
from workspace.messages import post_as_bot
from workspace.state import APP_ID, TEAM_DOMAIN, TEAM_ID, VERIFICATION_TOKEN, Channel, Message, Person
from workspace.view_checks import checked_view
from workspace.views import OpenView
from workspace.wire import message_object
from workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Outcome:
    """The app's ack (None: none in time) and the ids of the views it opened within a second after it."""

    ack: Json | None
    views: list[str]

    def body(self) -> Json:
        """As the control API answers."""
        return {"ack": self.ack, "views": self.views}


async def run_command(ws: Workspace, channel: Channel, person: Person, command: str, text: str) -> Outcome:
    """A slash command; what its ack says is posted."""
    trigger_id = ws.views.new_trigger(person.id)
    payload = {
        "token": VERIFICATION_TOKEN,
        "team_id": person.team_id,
        "team_domain": TEAM_DOMAIN,
        "channel_id": channel.id,
        "channel_name": channel.name,
        "user_id": person.id,
        "user_name": person.name,
        "command": command,
        "text": text,
        "api_app_id": APP_ID,
        "is_enterprise_install": "false",
        "response_url": ws.response_urls.new(ws.base_url, channel.id, person.id),
        "trigger_id": trigger_id,
    }
    ack = await ws.link.request("slash_commands", payload)
    if ack and (ack.get("text") or ack.get("blocks")):
        answer_in_channel(ws, channel.id, person.id, ack)
    return Outcome(ack, await _opened(ws, trigger_id, ack))


def answer_in_channel(ws: Workspace, channel: str, user: str, answer: Json) -> None:
    """Post an answer to an interaction: for its person alone, unless it says `in_channel`."""
    blocks = checked_message_blocks(answer["blocks"]) if answer.get("blocks") else []
    body = {"text": answer.get("text", ""), "blocks": blocks, "thread_ts": answer.get("thread_ts")}
    in_channel = answer.get("response_type") == "in_channel"
    post_as_bot(ws, channel, body, ephemeral_to=None if in_channel else user)


async def act_on_message(ws: Workspace, message: Message, person: Person, action: Json) -> Outcome:
    """A button or another element of a message is operated; `action` is Slack's action object."""
    channel = ws.state.channels[message.channel]
    container = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.ephemeral_to is not None,
    }
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    return await _interact(
        ws,
        person,
        {
            "type": "block_actions",
            "container": container,
            "channel": {"id": channel.id, "name": channel.name},
            "message": message_object(message, ws.state, ws.files, ws.base_url),
            "state": {"values": {}},
            "response_url": ws.response_urls.new(ws.base_url, channel.id, person.id, message_ts=message.ts),
            "actions": [action],
        },
    )


async def act_in_view(ws: Workspace, view: OpenView, person: Person, action: Json) -> Outcome:
    """A button or another element of a modal is operated."""
    container = {"type": "view", "view_id": view.body["id"]}
    payload = {"type": "block_actions", "container": container, "view": view.body, "actions": [action]}
    return await _interact(ws, person, payload)


async def run_shortcut(ws: Workspace, message: Message, person: Person, callback_id: str) -> Outcome:
    """A message shortcut is chosen."""
    channel = ws.state.channels[message.channel]
    return await _interact(
        ws,
        person,
        {
            "type": "message_action",
            "callback_id": callback_id,
            "action_ts": ws.state.next_ts(),
            "message_ts": message.ts,
            "message": message_object(message, ws.state, ws.files, ws.base_url),
            "channel": {"id": channel.id, "name": channel.name},
            "response_url": ws.response_urls.new(ws.base_url, channel.id, person.id, message_ts=message.ts),
        },
    )


async def submit_view(ws: Workspace, view: OpenView, person: Person, values: Json) -> Outcome:
    """A modal is submitted; the ack closes it, shows errors, or puts another view in its place or on top."""
    view.body["state"] = {"values": values}
    payload = {"type": "view_submission", "view": view.body, "response_urls": []}
    trigger_id = ws.views.new_trigger(person.id)
    ack = await ws.link.request("interactive", signed(person, payload, trigger_id))
    shown = [] if ack is None else _apply_view_ack(ws, view, ack)
    return Outcome(ack, [*shown, *await _opened(ws, trigger_id, ack)])


async def close_view(ws: Workspace, view: OpenView, person: Person, *, whole_stack: bool) -> None:
    """A modal is closed without submitting it, or all of them; the app is told where it asked to be."""
    cleared = whole_stack or bool(view.body["clear_on_close"])
    closed = ws.views.stack(view.user)[::-1] if cleared else [view]
    for each in closed:
        ws.views.close(each.body["id"])
    ws.feed.publish("view_closed", {"view": view.body["id"], "user": view.user, "all": cleared})
    for each in closed:
        if each.body["notify_on_close"]:
            await _tell_closed(ws, each, person, cleared=cleared)


async def _tell_closed(ws: Workspace, view: OpenView, person: Person, *, cleared: bool) -> None:
    payload = {"type": "view_closed", "view": view.body, "is_cleared": cleared}
    await ws.link.request("interactive", signed(person, payload, ws.views.new_trigger(person.id)))


def announce_view(ws: Workspace, kind: str, view: OpenView) -> None:
    """Tell the pages of a view that was opened or updated."""
    ws.feed.publish(kind, {"view": view.body["id"], "user": view.user, "body": view.body})


def _apply_view_ack(ws: Workspace, view: OpenView, ack: Json) -> list[str]:
    """The ids of views that the ack put on screen."""
    action, view_id = ack.get("response_action"), view.body["id"]
    if action == "errors":
        return []
    if action == "update":
        announce_view(ws, "view_updated", ws.views.replace(view_id, ack.get("view")))
        return [view_id]
    if action == "push":
        pushed = ws.views.show(view.user, checked_view(ack.get("view")), ws.views.stack(view.user))
        announce_view(ws, "view_opened", pushed)
        return [str(pushed.body["id"])]
    if action == "clear":
        ws.views.clear(view.user)
    else:
        ws.views.close(view_id)
    ws.feed.publish("view_closed", {"view": view_id, "user": view.user, "all": action == "clear"})
    return []


async def _interact(ws: Workspace, person: Person, payload: Json) -> Outcome:
    trigger_id = ws.views.new_trigger(person.id)
    ack = await ws.link.request("interactive", signed(person, payload, trigger_id))
    return Outcome(ack, await _opened(ws, trigger_id, ack))


def signed(person: Person, payload: Json, trigger_id: str) -> Json:
    """The payload of an interaction with what Slack says in each: who, where, and the trigger for a modal."""
    user = {"id": person.id, "username": person.name, "name": person.name, "team_id": person.team_id}
    head = {
        "user": user,
        "team": {"id": TEAM_ID, "domain": TEAM_DOMAIN},
        "api_app_id": APP_ID,
        "token": VERIFICATION_TOKEN,
    }
    return {**head, "enterprise": None, "is_enterprise_install": False, "trigger_id": trigger_id, **payload}


async def _opened(ws: Workspace, trigger_id: str, ack: Json | None) -> list[str]:
    """The views opened with the trigger; after an ack the first one is given a little time."""
    trigger = ws.views.trigger(trigger_id)
    if ack is not None and not trigger.opened:
        try:
            await asyncio.wait_for(trigger.first_opened.wait(), ws.settings.view_wait_s)
        except TimeoutError:
            return []
    return list(trigger.opened)
