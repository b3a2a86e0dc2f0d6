"""What a connected app has got by the time nothing is left to be delivered."""

from typing import Any

from tests.running_workspace import WorkspaceHandle, wait_for

Events = list[dict[str, Any]]


def arrived(workspace: WorkspaceHandle, events: Events, count: int) -> Events:
    """The events, once there are so many and none is left to be delivered."""
    wait_for(lambda: len(events) >= count and not workspace.control("state")["unacknowledged"])
    assert len(events) == count, events
    return events


def of_type(events: Events, kind: str) -> Events:
    """Those of the events that are of that type."""
    return [event for event in events if event["type"] == kind]
