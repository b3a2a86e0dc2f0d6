"""The control API: what a person can do in Slack, and what a test orders, as JSON over HTTP."""

from aiohttp import web

from workspace.control import interacting, inviting, observing, ordering, taking_part, writing


def routes() -> list[web.RouteDef]:
    """Every control route."""
    return [
        *writing.routes(),
        *taking_part.routes(),
        *interacting.routes(),
        *inviting.routes(),
        *observing.routes(),
        *ordering.routes(),
    ]
