"""Modals between the control API and a Bolt app."""

import time
from collections.abc import Callable
from typing import Any

import pytest
import requests
from slack_bolt import Ack, App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import BOT_TOKEN, Connect, WorkspaceHandle, wait_for
from tests.workspace.block_kit import BUTTONS, FILES, NOTE, WHO, Json, input_block, modal, option, plain

COMMAND: Json = {"channel": "C0GENERAL", "user": "U0ADMIN", "command": "/kb", "text": "upload"}


@pytest.fixture
def open_modal(workspace: WorkspaceHandle, app: App, connect: Connect) -> Callable[[Json], str]:
    """Opens a modal for U0ADMIN through `/kb`; its id."""
    shown: list[Json] = []

    @app.command("/kb")
    def kb(ack: Ack, body: Json, client: WebClient) -> None:
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=shown[-1])

    connect(app)

    def open_view(view: Json) -> str:
        shown.append(view)
        [view_id] = workspace.control("commands", COMMAND)["views"]
        return str(view_id)

    return open_view


def submit(workspace: WorkspaceHandle, view_id: str, values: Json | None = None, **more: Any) -> Json:
    body = {"user": "U0ADMIN", "values": values or {}}
    return workspace.control(f"views/{view_id}/submit", body, **more)


def test_an_uploaded_file_is_in_the_submission_and_can_be_fetched(
    workspace: WorkspaceHandle, app: App, open_modal: Callable[[Json], str]
) -> None:
    submissions: list[Json] = []

    @app.view("upload")
    def upload(ack: Ack, view: Json) -> None:
        ack()
        submissions.append(view)

    view_id = open_modal(modal(FILES, NOTE, WHO, private_metadata="C0GENERAL"))
    outcome = submit(workspace, view_id, files={"Größe.md": b"# Size", "b.md": b"B"})
    view = wait_for(lambda: submissions)[0]
    files = view["state"]["values"]["files"]["a"]["files"]
    headers = {"Authorization": f"Bearer {BOT_TOKEN}"}

    assert outcome["ack"] == {}
    assert view["private_metadata"] == "C0GENERAL"
    assert view["state"]["values"]["note"]["a"] == {"type": "plain_text_input", "value": None}
    assert view["state"]["values"]["who"]["a"]["selected_option"]["value"] == "all"
    assert [file["name"] for file in files] == ["Größe.md", "b.md"]
    assert requests.get(files[0]["url_private_download"], headers=headers, timeout=10).content == b"# Size"
    assert workspace.control("state")["views"] == []


def test_given_values_take_the_place_of_initial_ones(
    workspace: WorkspaceHandle, app: App, open_modal: Callable[[Json], str]
) -> None:
    submissions: list[Json] = []

    @app.view("upload")
    def upload(ack: Ack, view: Json) -> None:
        submissions.append(view["state"]["values"])
        ack()

    view_id = open_modal(modal(NOTE, WHO))
    note = {"note": {"a": {"type": "plain_text_input", "value": "hello"}}}
    submit(workspace, view_id, note | {"who": {"a": {"selected_option": option("us")}}})

    assert submissions[0]["note"]["a"]["value"] == "hello"
    assert submissions[0]["who"]["a"] == {"type": "static_select", "selected_option": option("us")}


def test_a_required_input_left_empty_never_reaches_the_app(
    workspace: WorkspaceHandle, open_modal: Callable[[Json], str]
) -> None:
    outcome = submit(workspace, open_modal(modal(FILES)))

    assert outcome["ack"]["response_action"] == "errors"
    assert list(outcome["ack"]["errors"]) == ["files"]


def test_errors_keep_the_modal_open(workspace: WorkspaceHandle, app: App, open_modal: Callable[[Json], str]) -> None:
    errors = {"note": "Too short."}
    app.view("upload")(lambda ack: ack(response_action="errors", errors=errors))
    view_id = open_modal(modal(NOTE))

    assert submit(workspace, view_id)["ack"] == {"response_action": "errors", "errors": errors}
    assert workspace.control(f"views/{view_id}")["callback_id"] == "upload"


def test_an_ack_can_update_push_and_clear(
    workspace: WorkspaceHandle, app: App, open_modal: Callable[[Json], str]
) -> None:
    second = modal(NOTE, callback_id="second")
    third = modal(NOTE, callback_id="third")
    app.view("upload")(lambda ack: ack(response_action="update", view=second))
    app.view("second")(lambda ack: ack(response_action="push", view=third))
    app.view("third")(lambda ack: ack(response_action="clear"))
    workspace.control("settings", {"view_wait_s": 0.01})

    view_id = open_modal(modal(NOTE))
    assert submit(workspace, view_id)["views"] == [view_id]
    assert workspace.control(f"views/{view_id}")["callback_id"] == "second"
    [pushed] = submit(workspace, view_id)["views"]
    assert workspace.control(f"views/{pushed}")["previous_view_id"] == view_id
    submit(workspace, pushed)
    assert workspace.control("state")["views"] == []


def test_an_open_view_can_be_updated_by_the_app(
    workspace: WorkspaceHandle, client: WebClient, open_modal: Callable[[Json], str]
) -> None:
    view_id = open_modal(modal(NOTE))
    updated = client.views_update(view_id=view_id, view=modal(NOTE, callback_id="other"))["view"]

    assert workspace.control(f"views/{view_id}")["callback_id"] == "other"
    with pytest.raises(SlackApiError, match="hash_conflict"):
        client.views_update(view_id=view_id, hash="0.stale", view=modal(NOTE))
    assert client.views_update(view_id=view_id, hash=updated["hash"], view=modal(NOTE))["ok"]
    with pytest.raises(SlackApiError, match="not_found"):
        client.views_update(view_id="V0NONE", view=modal(NOTE))


def test_closing_is_told_where_the_app_asked_for_it(
    workspace: WorkspaceHandle, app: App, open_modal: Callable[[Json], str]
) -> None:
    closed: list[str] = []

    @app.view_closed("upload")
    def on_close(ack: Ack, view: Json) -> None:
        closed.append(view["id"])
        ack()

    view_id = open_modal(modal(NOTE, notify_on_close=True))
    workspace.control(f"views/{view_id}/close", {"user": "U0ADMIN"})

    assert closed == [view_id]
    assert workspace.control("state")["views"] == []


def test_a_trigger_opens_one_view_within_three_seconds(
    workspace: WorkspaceHandle, client: WebClient, app: App, connect: Connect
) -> None:
    triggers: list[str] = []

    @app.command("/kb")
    def kb(ack: Ack, body: Json) -> None:
        triggers.append(body["trigger_id"])
        ack()

    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01, "trigger_life_s": 60})
    workspace.control("commands", COMMAND)
    client.views_open(trigger_id=triggers[0], view=modal(NOTE))
    with pytest.raises(SlackApiError, match="exchanged_trigger_id"):
        client.views_open(trigger_id=triggers[0], view=modal(NOTE))
    workspace.control("settings", {"trigger_life_s": 0})
    workspace.control("commands", COMMAND)
    time.sleep(0.001)
    with pytest.raises(SlackApiError, match="expired_trigger_id"):
        client.views_open(trigger_id=triggers[1], view=modal(NOTE))
    with pytest.raises(SlackApiError, match="invalid_trigger_id"):
        client.views_open(trigger_id="1.2.invented", view=modal(NOTE))


@pytest.mark.parametrize(
    ("view", "error"),
    [
        (modal(NOTE, title=plain("x" * 25)), "invalid_arguments"),
        (modal(NOTE, submit=plain("x" * 25)), "invalid_arguments"),
        (modal(NOTE, submit=None), "invalid_arguments"),
        (modal(NOTE, private_metadata="x" * 3_001), "invalid_arguments"),
        (modal(NOTE, callback_id="x" * 256), "invalid_arguments"),
        (modal(*[{"type": "divider"}] * 101), "invalid_arguments"),
        (modal({"type": "markdown", "text": "x"}), "invalid_arguments"),
        (modal(input_block("f", {"type": "file_input", "max_files": 11})), "invalid_arguments"),
        (modal(input_block("s", {"type": "static_select", "options": []})), "invalid_arguments"),
        (modal(input_block("s", {"type": "checkboxes", "options": [option("x")] * 11})), "invalid_arguments"),
        (modal(input_block("d", {"type": "datepicker", "initial_date": "soon"})), "invalid_arguments"),
        (modal(*[{"type": "section", "text": plain("x" * 3_000)}] * 90), "view_too_large"),
    ],
)
def test_a_view_above_slacks_limits_is_refused(
    workspace: WorkspaceHandle, app: App, connect: Connect, view: Json, error: str
) -> None:
    refusals: list[str] = []

    @app.command("/kb")
    def kb(ack: Ack, body: Json, client: WebClient) -> None:
        with pytest.raises(SlackApiError) as refusal:
            client.views_open(trigger_id=body["trigger_id"], view=view)
        refusals.append(refusal.value.response["error"])
        ack()

    connect(app)
    workspace.control("settings", {"view_wait_s": 0.01})
    workspace.control("commands", COMMAND)

    assert refusals == [error]


def test_a_view_at_slacks_limits_opens(open_modal: Callable[[Json], str]) -> None:
    view = modal(
        *[{"type": "divider"}] * 98,
        NOTE,
        FILES,
        title=plain("x" * 24),
        private_metadata="x" * 3_000,
        callback_id="x" * 255,
    )

    assert open_modal(view)


def test_an_element_of_a_modal_can_be_operated(
    workspace: WorkspaceHandle, app: App, open_modal: Callable[[Json], str]
) -> None:
    bodies: list[Json] = []

    @app.action("show")
    def show(ack: Ack, body: Json) -> None:
        bodies.append(body)
        ack()

    view_id = open_modal(modal(BUTTONS[0]))
    workspace.control("settings", {"view_wait_s": 0.01})
    workspace.control("actions", {"view": view_id, "user": "U0ADMIN", "action_id": "show"})

    assert bodies[0]["container"] == {"type": "view", "view_id": view_id}


def test_what_is_typed_into_an_external_select_is_answered_by_the_app(
    workspace: WorkspaceHandle, app: App, open_modal: Callable[[Json], str]
) -> None:
    typed: list[Json] = []

    @app.options("pick")
    def options(ack: Ack, body: Json) -> None:
        typed.append(body)
        ack(options=[option("x" * 80 if body["value"] == "long" else body["value"])])

    select = input_block("doc", {"type": "external_select", "action_id": "pick"})
    view_id = open_modal(modal(select))

    def suggested(value: str) -> list[Json]:
        body = {"user": "U0ADMIN", "action_id": "pick", "value": value}
        found: list[Json] = workspace.control(f"views/{view_id}/suggestions", body)["options"]
        return found

    assert suggested("pay") == [option("pay")]
    assert suggested("long") == []
    told = typed[0]
    assert (told["type"], told["block_id"], told["action_id"]) == ("block_suggestion", "doc", "pick")
    assert (told["view"]["id"], told["user"]["id"]) == (view_id, "U0ADMIN")
