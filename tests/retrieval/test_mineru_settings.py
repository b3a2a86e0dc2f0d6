"""What the settings of MinerU mean together."""

import pytest

from retrieval.errors import ConfigurationError
from retrieval.settings import RetrievalSettings, load


def settings(**given: str) -> RetrievalSettings:
    return load(RetrievalSettings, {"_env_file": None, **given})


def test_without_settings_mineru_needs_neither_weights_nor_a_server() -> None:
    assert (settings().mineru_tier_used, settings().mineru_server) == ("flash", None)


def test_a_server_is_asked_for_its_models_unless_a_tier_is_named() -> None:
    url = "http://localhost:8000"
    assert settings(mineru_api_url=url).mineru_tier_used == "standard"
    assert settings(mineru_api_url=url, mineru_tier="flash").mineru_tier_used == "flash"
    server = settings(mineru_api_url=url, mineru_api_key="well-house").mineru_server
    assert server
    assert (server.base_url, server.key) == (url, "well-house")
    assert "well-house" not in repr(server)


@pytest.mark.parametrize("url", ["https://mineru.net/api", "https://api.MinerU.net./", "http://mineru.net:80"])
def test_the_public_server_is_no_place_for_documents(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"MINERU_API_URL: mineru\.net is open to the public"):
        settings(mineru_api_url=url)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host", "http://", "http://user:key@host:8000", "http://[::1"])
def test_what_is_no_address_or_holds_a_key_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="MINERU_API_URL: "):
        settings(mineru_api_url=url)
