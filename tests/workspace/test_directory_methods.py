"""auth.test, apps.connections.open, users.*, and how tokens and bodies are taken."""

import pytest
import requests
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from tests.running_workspace import APP_TOKEN, BOT_TOKEN, WorkspaceHandle


def error_of(workspace: WorkspaceHandle, method: str, token: str | None, **fields: str) -> str:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.post(f"{workspace.api_url}{method}", headers=headers, data=fields, timeout=10)
    assert answer.status_code == 200
    return str(answer.json()["error"])


def test_auth_test_names_the_bot(client: WebClient) -> None:
    answer = client.auth_test()

    assert answer["user_id"] == "U0FOOTNOTE"
    assert (answer["bot_id"], answer["team_id"]) == ("B0FOOTNOTE", "T0LOCAL")


def test_each_answer_tells_the_scopes_of_the_token(workspace: WorkspaceHandle, client: WebClient) -> None:
    workspace.control("settings", {"scopes": ["chat:write", "commands"]})

    assert client.auth_test().headers["x-oauth-scopes"] == "chat:write,commands"
    assert client.apps_connections_open(app_token=APP_TOKEN).headers["x-oauth-scopes"] == "connections:write"


@pytest.mark.parametrize(
    ("method", "token", "error"),
    [
        ("auth.test", None, "not_authed"),
        ("auth.test", "xoxb-other", "invalid_auth"),
        ("auth.test", APP_TOKEN, "not_allowed_token_type"),
        ("apps.connections.open", BOT_TOKEN, "not_allowed_token_type"),
        ("pins.add", BOT_TOKEN, "unknown_method"),
    ],
)
def test_a_missing_wrong_or_unfit_token_is_refused(
    workspace: WorkspaceHandle, method: str, token: str | None, error: str
) -> None:
    assert error_of(workspace, method, token) == error


def test_the_token_may_come_as_a_form_field(workspace: WorkspaceHandle) -> None:
    answer = requests.post(f"{workspace.api_url}auth.test", data={"token": BOT_TOKEN}, timeout=10)

    assert answer.json()["ok"]


def test_a_body_that_is_no_json_object_is_refused(workspace: WorkspaceHandle) -> None:
    headers = {"Authorization": f"Bearer {BOT_TOKEN}", "Content-Type": "application/json"}
    url = f"{workspace.api_url}auth.test"

    assert requests.post(url, headers=headers, data="{", timeout=10).json()["error"] == "invalid_json"
    assert requests.post(url, headers=headers, data="[]", timeout=10).json()["error"] == "json_not_object"


def test_a_connection_is_offered_on_the_host_the_app_came_by(workspace: WorkspaceHandle) -> None:
    base_url = workspace.api_url.replace("127.0.0.1", "localhost")
    url = WebClient(base_url=base_url).apps_connections_open(app_token=APP_TOKEN)["url"]

    assert url.startswith(base_url.replace("http", "ws").replace("/api/", "/link/?ticket="))


def test_a_ticket_opens_one_connection_only(workspace: WorkspaceHandle) -> None:
    assert requests.get(f"{workspace.url}/link/?ticket=invented", timeout=10).status_code == 404


@pytest.mark.parametrize(
    ("user", "facts"),
    [
        ("U0ADMIN", {"is_admin": True, "is_owner": True, "is_restricted": False}),
        ("U0ALICE", {"is_admin": False, "is_stranger": False, "team_id": "T0LOCAL"}),
        ("U0GUEST", {"is_restricted": True, "is_ultra_restricted": False}),
        ("U0OUTSIDER", {"is_stranger": True, "team_id": "T0OTHER"}),
        ("U0FOOTNOTE", {"is_bot": True}),
    ],
)
def test_users_info_tells_who_somebody_is(client: WebClient, user: str, facts: dict[str, object]) -> None:
    found = client.users_info(user=user)["user"]

    assert {key: found[key] for key in facts} == facts


def test_the_locale_comes_only_when_asked_for(client: WebClient) -> None:
    assert "locale" not in client.users_info(user="U0BOB")["user"]
    assert client.users_info(user="U0BOB", include_locale=True)["user"]["locale"] == "fr-FR"


def test_an_unknown_user_is_not_found(client: WebClient) -> None:
    with pytest.raises(SlackApiError, match="user_not_found"):
        client.users_info(user="U0NOBODY")


def test_users_list_comes_in_pages(client: WebClient) -> None:
    pages = [page["members"] for page in client.users_list(limit=4)]

    assert [len(page) for page in pages] == [4, 2]
    assert len({user["id"] for page in pages for user in page}) == 6


def test_an_invented_cursor_or_limit_is_refused(client: WebClient) -> None:
    with pytest.raises(SlackApiError, match="invalid_cursor"):
        client.users_list(cursor="bogus")
    with pytest.raises(SlackApiError, match="invalid_limit"):
        client.users_list(limit=0)
