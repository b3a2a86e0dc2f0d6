"""Where the web application keeps the workspace."""

from aiohttp import web

from workspace.workspace import Workspace

WORKSPACE: web.AppKey[Workspace] = web.AppKey("workspace", Workspace)
