"""Every Web API method the workspace knows, by its name."""

from collections.abc import Callable

from workspace.json_types import Json
from workspace.methods import chat, conversations, directory, members, modals, reactions, user_groups
from workspace.methods.arguments import Arguments
from workspace.workspace import Workspace

Method = Callable[[Workspace, Arguments], Json]

METHODS: dict[str, Method] = {
    "auth.test": directory.auth_test,
    "apps.connections.open": directory.open_connection,
    "users.info": directory.user_info,
    "users.list": directory.list_users,
    "users.conversations": conversations.list_of_user,
    "usergroups.list": user_groups.list_groups,
    "usergroups.users.list": user_groups.list_members,
    "files.info": directory.file_info,
    "chat.postMessage": chat.post_message,
    "chat.postEphemeral": chat.post_ephemeral,
    "chat.update": chat.update,
    "chat.delete": chat.delete,
    "chat.getPermalink": chat.permalink,
    "reactions.add": reactions.add,
    "reactions.remove": reactions.remove,
    "reactions.get": reactions.get,
    "assistant.threads.setStatus": chat.set_status,
    "conversations.info": conversations.info,
    "conversations.history": conversations.history,
    "conversations.replies": conversations.replies,
    "conversations.list": conversations.list_channels,
    "conversations.members": conversations.members,
    "conversations.open": members.open_direct,
    "conversations.join": members.join,
    "conversations.leave": members.leave,
    "views.open": modals.open_view,
    "views.push": modals.push_view,
    "views.update": modals.update_view,
    "views.publish": modals.publish_view,
}
# Everything else needs the bot's token.
APP_TOKEN_METHODS = frozenset({"apps.connections.open"})
