"""Requests that a web page of somebody else's could make are turned away; errors become answers."""

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web

from workspace.errors import ControlError, SlackError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
# Apps may reach these under whatever name they know the machine by; a browser never needs to.
_APP_PATHS = ("/api/", "/link", "/files-pri/", "/hooks/")
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


@web.middleware
async def refuse_foreign(request: web.Request, handler: Handler) -> web.StreamResponse:
    """403 for a Host that is not this machine, and for an Origin other than the page's own."""
    origin = request.headers.get("Origin")
    foreign_origin = origin is not None and origin != f"{request.scheme}://{request.host}"
    for_apps = request.path.startswith(_APP_PATHS)
    if foreign_origin or not (for_apps or _is_local(request.host)):
        body = {"error": "forbidden", "message": "Only this machine's own page may do that."}
        return web.json_response(body, status=403)
    return await handler(request)


def _is_local(host: str) -> bool:
    try:
        return urlsplit(f"//{host}").hostname in _LOCAL_NAMES
    except ValueError:
        return False


@web.middleware
async def answer_refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A refused control call is answered with its status, name and sentence."""
    try:
        return await handler(request)
    except ControlError as refusal:
        return web.json_response(refusal.body(), status=refusal.status)
    except SlackError as refusal:
        # The app's answer to an interaction was one that Slack refuses.
        return web.json_response({**refusal.body(), "message": "The app's answer is not valid."}, status=502)


async def add_page_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Nothing but the page's own scripts and styles may run, and no other page may frame it."""
    response.headers.setdefault("Content-Security-Policy", _PAGE_POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    response.headers.setdefault("Cache-Control", "no-cache")
