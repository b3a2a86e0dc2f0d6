"""A workspace to a running server: in an event loop, or in a thread of its own."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from aiohttp import web

from workspace import control, guard, hooks, web_api
from workspace.app_keys import WORKSPACE
from workspace.files import UPLOAD_MOST_BYTES, download
from workspace.settings import Settings
from workspace.state import BOT_USER, TEAM_ID
from workspace.workspace import Workspace

_PAGE_FOLDER = Path(__file__).parent / "page"
_SHUTDOWN_S = 2.0
_EVERY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 compared with, not bound to


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A workspace that listens at `url`, for example `http://127.0.0.1:3939`."""

    url: str
    port: int
    workspace: Workspace
    _runner: web.AppRunner

    async def stop(self) -> None:
        """Close every connection and stop listening."""
        await self._runner.cleanup()


async def start(host: str = "127.0.0.1", port: int = 0, settings: Settings | None = None) -> RunningServer:
    """A server listening on `port`, or on any free one for 0; OSError when the port is taken."""
    workspace = Workspace(settings or Settings())
    runner = web.AppRunner(application(workspace), access_log=None, shutdown_timeout=_SHUTDOWN_S)
    await runner.setup()
    site = web.TCPSite(runner, host, port)
    try:
        await site.start()
    except OSError:
        await runner.cleanup()
        raise
    bound_port = int(runner.addresses[0][1])
    shown_host = "127.0.0.1" if host in _EVERY_ADDRESS else host
    workspace.base_url = f"http://{shown_host}:{bound_port}"
    return RunningServer(workspace.base_url, bound_port, workspace, runner)


def application(workspace: Workspace) -> web.Application:
    """Every route of the workspace."""
    app = web.Application(middlewares=[guard.refuse_foreign, guard.answer_refusals], client_max_size=UPLOAD_MOST_BYTES)
    app[WORKSPACE] = workspace
    app.on_response_prepare.append(guard.add_page_headers)
    app.on_shutdown.append(_close)
    app.add_routes(
        [
            web.route("*", "/api/{method}", web_api.call),
            web.get("/link", workspace.link.serve),
            web.get("/link/", workspace.link.serve),
            web.post("/hooks/{secret}", hooks.answer),
            web.get(f"/files-pri/{TEAM_ID}-{{id}}/{{name}}", _download),
            web.get(f"/files-pri/{TEAM_ID}-{{id}}/download/{{name}}", _download),
            *control.routes(),
            web.get("/archives/{channel}/p{ts}", _message),
            web.get("/", _page),
            web.static("/page", _PAGE_FOLDER),
        ]
    )
    return app


async def _page(request: web.Request) -> web.FileResponse:
    return web.FileResponse(_PAGE_FOLDER / "index.html")


async def _message(request: web.Request) -> web.Response:
    """A message's permalink leads to the page, which finds its place in the fragment."""
    channel, digits = request.match_info["channel"], request.match_info["ts"]
    place = [channel, f"{digits[:-6]}.{digits[-6:]}", *request.query.getall("thread_ts", [])]
    raise web.HTTPFound(f"/#{'/'.join(quote(part, safe='') for part in place)}")


async def _download(request: web.Request) -> web.Response:
    file = request.app[WORKSPACE].files.get(request.match_info["id"])
    return download(request, file, BOT_USER)


async def _close(app: web.Application) -> None:
    app[WORKSPACE].feed.close()
    await app[WORKSPACE].link.close()


@contextlib.contextmanager
def in_thread(host: str = "127.0.0.1", port: int = 0, settings: Settings | None = None) -> Iterator[RunningServer]:
    """A server in a thread of its own, stopped on leaving; OSError when the port is taken."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="workspace", daemon=True)
    thread.start()
    try:
        server = asyncio.run_coroutine_threadsafe(start(host, port, settings), loop).result()
        try:
            yield server
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
