"""New people come to the organisation as a test needs them."""

import pytest

from tests.running_workspace import WorkspaceHandle, running_workspace


def test_a_new_person_can_be_in_channels_and_write() -> None:
    with running_workspace() as workspace:
        person = workspace.control("people", {"name": "carol"})["user"]
        channel = workspace.control("channels", {"name": "team-1", "members": [person["id"], "U0FOOTNOTE"]})["channel"]

        ts = workspace.say(channel["id"], person["id"], "@footnote hello")

        assert person["name"] == "carol"
        assert [message["ts"] for message in workspace.messages(channel["id"], ts)] == [ts]


@pytest.mark.parametrize("name", ["alice", "Carol", "c d", ""])
def test_names_that_are_taken_or_no_names_are_refused(name: str) -> None:
    with running_workspace() as workspace, pytest.raises(AssertionError, match="control/people"):
        _invite(workspace, name)


def _invite(workspace: WorkspaceHandle, name: str) -> None:
    workspace.control("people", {"name": name})
