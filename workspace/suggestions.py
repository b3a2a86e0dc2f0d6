"""What is typed into an `external_select` to the options that the app offers for it."""

from workspace.elements import check_options
from workspace.interactions import signed
from workspace.json_types import Json
from workspace.problems import Problems
from workspace.state import Person
from workspace.views import OpenView
from workspace.workspace import Workspace

SUGGESTING = ("external_select", "multi_external_select")
_OPTIONS_MOST = 100


async def suggested(ws: Workspace, view: OpenView, person: Person, place: tuple[str, str], typed: str) -> list[Json]:
    """The options for the element at `place`, a block_id and an action_id; none without an answer in time, or where
    Slack would refuse them."""
    block_id, action_id = place
    payload = {
        "type": "block_suggestion",
        "container": {"type": "view", "view_id": view.body["id"]},
        "view": view.body,
        "block_id": block_id,
        "action_id": action_id,
        "value": typed,
    }
    ack = await ws.link.request("interactive", signed(person, payload, ws.views.new_trigger(person.id)))
    options, problems = (ack or {}).get("options") or [], Problems()
    if options:
        check_options(options, _OPTIONS_MOST, "/options", problems)
    return [] if problems.messages else list(options)
