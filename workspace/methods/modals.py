"""views.*: modals opened, stacked and changed by the app, and the Home tab."""

from workspace.errors import SlackError
from workspace.interactions import announce_view
from workspace.json_types import Json
from workspace.methods.arguments import Arguments, person_of
from workspace.workspace import Workspace


def open_view(ws: Workspace, args: Arguments) -> Json:
    """A modal for the person who pulled the trigger, instead of any they have open."""
    return _open(ws, args, push=False)


def push_view(ws: Workspace, args: Arguments) -> Json:
    """A modal on top of the ones the person has open."""
    return _open(ws, args, push=True)


def _open(ws: Workspace, args: Arguments, *, push: bool) -> Json:
    if not args.text("trigger_id"):
        raise SlackError("invalid_arguments", ["missing required field: trigger_id [json-pointer:/trigger_id]"])
    opened = ws.views.open(args.text("trigger_id"), args.raw("view"), push=push)
    announce_view(ws, "view_opened", opened)
    return {"view": opened.body}


def update_view(ws: Workspace, args: Arguments) -> Json:
    """An open modal with another content, found by `view_id` or `external_id`."""
    view_id = args.text("view_id")
    if not view_id and args.text("external_id"):
        named = ws.views.named(args.text("external_id"))
        view_id = named.body["id"] if named else ""
    changed = ws.views.replace(view_id, args.raw("view"), expected_hash=args.text("hash") or None)
    announce_view(ws, "view_updated", changed)
    return {"view": changed.body}


def publish_view(ws: Workspace, args: Arguments) -> Json:
    """A person's Home tab with a new content."""
    person = person_of(ws, args.text("user_id"))
    published = ws.views.publish(person.id, args.raw("view"), expected_hash=args.text("hash") or None)
    ws.feed.publish("home", {"user": person.id})
    return {"view": published.body}
