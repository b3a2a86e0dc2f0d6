"""auth.test, apps.connections.open, users.* and files.info."""

from workspace.errors import SlackError
from workspace.files import app_may_read, file_object
from workspace.json_types import Json
from workspace.methods.arguments import Arguments, person_of
from workspace.methods.paging import page
from workspace.state import APP_ID, BOT_ID, BOT_USER, TEAM_ID, TEAM_NAME
from workspace.wire import user_object
from workspace.workspace import Workspace


def auth_test(ws: Workspace, args: Arguments) -> Json:
    """Who the bot's token belongs to."""
    return {
        "url": f"{ws.base_url}/",
        "team": TEAM_NAME,
        "user": ws.state.people[BOT_USER].name,
        "team_id": TEAM_ID,
        "user_id": BOT_USER,
        "bot_id": BOT_ID,
        "is_enterprise_install": False,
    }


def open_connection(ws: Workspace, args: Arguments) -> Json:
    """An address for one WebSocket, on the host the caller already reaches."""
    return {"url": f"ws://{args.host}/link/?ticket={ws.link.new_ticket()}&app_id={APP_ID}"}


def user_info(ws: Workspace, args: Arguments) -> Json:
    """One person."""
    person = person_of(ws, args.text("user"))
    return {"user": user_object(person, with_locale=args.flag("include_locale"))}


def list_users(ws: Workspace, args: Arguments) -> Json:
    """All people, in pages."""
    people, cursor = page(list(ws.state.people.values()), args, default=1000)
    members = [user_object(person, with_locale=args.flag("include_locale")) for person in people]
    return {"members": members, "cache_ts": int(ws.clock()), "response_metadata": {"next_cursor": cursor}}


def file_info(ws: Workspace, args: Arguments) -> Json:
    """One file that the app may read."""
    file = ws.files.get(args.text("file"))
    if file is None or not app_may_read(file, BOT_USER):
        raise SlackError("file_not_found")
    return {"file": file_object(file, ws.base_url), "comments": [], "response_metadata": {"next_cursor": ""}}
