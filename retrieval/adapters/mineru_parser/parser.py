"""A file to a parsed document, by MinerU in a child process."""

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from retrieval.adapters.mineru_parser.suffix import suffix_of
from retrieval.confined import Program, Seconds
from retrieval.proxies import ca_bundle_for, proxy_for
from retrieval.settings import ModelAddress
from retrieval.types import ParsedDocument, SourceFile

_MODULE = "retrieval.adapters.mineru_parser"
_WITHOUT_MODELS = Seconds(base=55)
_WITH_MODELS = Seconds(base=180, per_page=20, most=7_200)
"""Or with a server, which may have others to serve. Both are more than each slice of a PDF may take, so that what is
left can still be read otherwise."""


class MinerUParser:
    """Reads PDFs, files of Office programs old and new, OpenDocument, RTF, EPUB and HTML, told apart by their content.
    A DocumentParser.

    `tier` is one of MinerU's: "flash" needs no weights. Others take theirs from MINERU_HOME, or ~/.mineru; or a server
    has them, as it always does the work where there is one.
    """

    def __init__(self, tier: str = "flash", server: ModelAddress | None = None, seconds: Seconds | None = None) -> None:
        """Raises ConfigurationError for a proxy or certificates of the environment that are of no use."""
        self._program = Program(
            _MODULE,
            seconds or (_WITHOUT_MODELS if tier == "flash" and server is None else _WITH_MODELS),
            [tier, *([server.base_url] if server else [])],
            _environment(tier, server),
        )

    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        """Blocks, with page numbers from 1 where the file has pages. Raises DocumentRefused."""
        return self._program.read(file, suffix_of(file.path), progress)


def _environment(tier: str, server: ModelAddress | None) -> dict[str, str]:
    """What the child needs to know of this one's environment: the way to the server, or to the weights."""
    if server:
        url = server.base_url
        told = {
            "MINERU_API_KEY": server.key,
            f"{urlsplit(url).scheme.upper()}_PROXY": proxy_for(url),
            "REQUESTS_CA_BUNDLE": ca_bundle_for(url),
        }
        return {name: value for name, value in told.items() if value}
    home = os.environ.get("MINERU_HOME") or str(Path.home() / ".mineru")
    return {} if tier == "flash" else {"MINERU_HOME": home}
