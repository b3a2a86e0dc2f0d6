"""The control API: what a person can do in Slack, and what a test orders, as JSON over HTTP."""

from aiohttp import web

from workspace.control import interacting, observing, ordering, writing


def routes() -> list[web.RouteDef]:
    """Every control route."""
    return [*writing.routes(), *interacting.routes(), *observing.routes(), *ordering.routes()]
