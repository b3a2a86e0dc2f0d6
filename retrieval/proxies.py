"""What of the environment counts on the way to a server: its proxies and its certificates. One rule for all clients."""

import os
import re
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from requests.utils import get_environ_proxies

from retrieval.errors import ConfigurationError

_CA_BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_HOST = re.compile(r"[\w.:%-]+")


def goes_direct(url: str) -> bool:
    """Whether the server is on this machine or network, where no proxy leads to: localhost, loopback, private and
    link-local addresses, and names without a dot. Nothing of the environment counts then."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return "." not in host or host.endswith(".localhost")
    return address.is_private or address.is_link_local


def proxy_for(url: str) -> str | None:
    """The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name for it; None where it goes direct.

    Raises ConfigurationError naming the variable that holds no HTTP proxy. What it holds may be secret and is not told.
    """
    if goes_direct(url):
        return None
    found = get_environ_proxies(url)
    for kind in (urlsplit(url).scheme, "all"):
        if proxy := found.get(kind):
            return _checked(proxy, f"{kind.upper()}_PROXY")
    return None


def ca_bundle_for(url: str) -> str | None:
    """The certificates that the environment trusts for it, as `requests` reads it; None for the usual ones.

    Raises ConfigurationError where they are not there.
    """
    variable = next((name for name in _CA_BUNDLES if os.environ.get(name)), None)
    if variable is None or goes_direct(url) or urlsplit(url).scheme != "https":
        return None
    if not Path(os.environ[variable]).exists():
        raise ConfigurationError(f"{variable}: names no file of certificates; correct it, or unset it")
    return os.environ[variable]


def _checked(proxy: str, variable: str) -> str:
    address = proxy if "://" in proxy else f"http://{proxy}"
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and _HOST.fullmatch(parts.hostname or "") and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(
            f"{variable}: is no address of an HTTP proxy, like http://proxy:3128; correct it, or name the server's host"
            " in NO_PROXY"
        )
    return address
