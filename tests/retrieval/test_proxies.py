"""Which addresses go past the proxies of the environment, and what the environment may get wrong."""

from pathlib import Path

import pytest

from retrieval.errors import ConfigurationError
from retrieval.proxies import ca_bundle_for, goes_direct, proxy_for

FAR = "https://models.example/v1"


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "host",
    [
        *(
            "localhost",
            "LOCALHOST:8000",
            "a.localhost",
            "127.0.0.1",
            "127.8.8.8",
            "[::1]",
            "10.1.2.3",
            "192.168.1.5:80",
        ),
        *("172.16.0.1", "169.254.3.4", "[fe80::1]", "[fe80::1%25eth0]", "[fd00::5]:8000", "gpu-box", "vllm:8000"),
    ],
)
def test_this_machine_and_network_are_reached_directly(host: str) -> None:
    assert goes_direct(f"http://{host}/v1")


@pytest.mark.parametrize("host", ["models.example", "8.8.8.8", "172.32.0.1", "[2606:4700::1111]", "10.example.com:443"])
def test_everything_else_heeds_the_environment(host: str) -> None:
    assert not goes_direct(f"https://{host}/v1")


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
@pytest.mark.parametrize("proxy", ["http://proxy:3128", "proxy:3128"])
def test_a_proxy_is_found_by_each_of_its_variables(variable: str, proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, proxy)

    assert proxy_for(FAR) == "http://proxy:3128"
    assert proxy_for("https://10.0.0.1/v1") is None


@pytest.mark.parametrize("exempt", ["models.example", ".example", "*", "fe80::/10, models.example"])
def test_hosts_of_no_proxy_go_past_it(exempt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", exempt)

    assert proxy_for(FAR) is None
    assert proxy_for("https://models.elsewhere/v1") == (None if exempt == "*" else "http://proxy:3128")


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "ALL_PROXY"])
@pytest.mark.parametrize(
    "proxy", ["socks5://me:sk-SECRET@h:1", "ftp://sk-SECRET:1", "http://sk-SECRET:port", "http://h:99999", "http://"]
)
def test_what_is_no_http_proxy_is_told_by_its_variable_alone(
    variable: str, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, proxy)

    with pytest.raises(ConfigurationError, match=f"^{variable}: ") as caught:
        proxy_for(FAR)
    assert "SECRET" not in str(caught.value)
    assert proxy_for("https://localhost/v1") is None


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_certificates_must_be_where_they_are_said_to_be(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "authority.pem"
    monkeypatch.setenv(variable, str(bundle))

    with pytest.raises(ConfigurationError, match=variable):
        ca_bundle_for(FAR)
    assert ca_bundle_for("https://localhost/v1") is None
    bundle.touch()
    assert ca_bundle_for(FAR) == str(bundle)
