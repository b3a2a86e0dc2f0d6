"""Addresses of model servers, as the settings give them and as messages may show them. Pure."""

from urllib.parse import urlsplit

from retrieval.errors import ConfigurationError


def shown_address(base_url: str, service: str) -> str:
    """The address without its parameters. `service` is what its settings begin with.

    Raises ConfigurationError for one that holds a name or a key, and for what is no address.
    """
    if "@" in base_url.partition("?")[0]:  # whether or not the rest is an address
        raise ConfigurationError(
            f"{service}_BASE_URL: an address shows in messages; put its key into {service}_API_KEY"
        )
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(f"{service}_BASE_URL: is no address; write it like http://127.0.0.1:8000/v1")
    return parts._replace(query="", fragment="").geturl()
