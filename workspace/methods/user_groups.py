"""usergroups.*: people who are mentioned together."""

from workspace.errors import SlackError
from workspace.json_types import Json
from workspace.methods.arguments import Arguments
from workspace.state import TEAM_ID, UserGroup
from workspace.workspace import Workspace


def list_groups(ws: Workspace, args: Arguments) -> Json:
    """Every user group."""
    groups = ws.state.user_groups.values()
    return {"usergroups": [_group_object(g, with_users=args.flag("include_users")) for g in groups]}


def list_members(ws: Workspace, args: Arguments) -> Json:
    """The ids of a group's members."""
    group = ws.state.user_groups.get(args.text("usergroup"))
    if group is None:
        raise SlackError("no_such_subteam")
    return {"users": group.members}


def _group_object(group: UserGroup, *, with_users: bool) -> Json:
    body: Json = {
        "id": group.id,
        "team_id": TEAM_ID,
        "is_usergroup": True,
        "is_subteam": True,
        "is_external": False,
        "name": group.name,
        "description": "",
        "handle": group.handle,
        "date_create": 1_700_000_000,
        "date_update": 1_700_000_000,
        "date_delete": 0,
        "auto_type": None,
        "created_by": "U0ADMIN",
        "updated_by": "U0ADMIN",
        "deleted_by": None,
        "prefs": {"channels": [], "groups": []},
        "user_count": len(group.members),
    }
    return {**body, "users": group.members} if with_users else body
