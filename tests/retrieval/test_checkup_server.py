"""How the check-up reaches a model server."""

import pytest

from retrieval.checkup.first_reply import first_reply
from retrieval.checkup.server import ModelServer as Asked
from retrieval.errors import ServiceUnavailable
from retrieval.settings import ModelAddress
from tests.model_servers.server import Answer, ModelServer, Request, Response


def test_a_redirect_is_told_and_not_followed() -> None:
    moved = Response(307, "", {"Location": "http://me:sk-SECRET@other.example/v1/models?key=sk-SECRET"})
    with (
        ModelServer(lambda request: moved) as server,
        pytest.raises(
            ServiceUnavailable, match=r"redirects to http://other\.example/v1/models; set CHAT_BASE_URL"
        ) as e,
    ):
        Asked(ModelAddress("CHAT", f"{server.url}/v1")).models()

    assert "SECRET" not in str(e.value)


@pytest.mark.parametrize(("variable", "value"), [("ALL_PROXY", "socks5://h:1"), ("REQUESTS_CA_BUNDLE", "/missing")])
def test_a_wrong_environment_is_named_and_counts_only_for_other_machines(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv(variable, value)
    with pytest.raises(ServiceUnavailable, match=f"^CHAT: {variable}"):
        Asked(ModelAddress("CHAT", "https://models.example/v1")).models()

    with ModelServer(lambda request: Response(body={"data": [{"id": "m"}]})) as server:
        assert list(Asked(ModelAddress("CHAT", f"{server.url}/v1")).models()) == ["m"]


def test_the_right_address_is_told_without_a_password() -> None:
    def answer(request: Request) -> Answer:
        return Response(body={}) if request.path.startswith("/v1/") else Response(404)

    with ModelServer(answer) as server:
        at = ModelAddress("CHAT", server.url.replace("http://", "http://me:tiger@"))
        with pytest.raises(ServiceUnavailable, match="/v1, not at") as caught:
            first_reply(at, "chat/completions", {})

    assert "tiger" not in str(caught.value)
