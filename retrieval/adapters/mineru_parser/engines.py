"""Within the child process: which MinerU reads a file, and which one stands in for it."""

from pathlib import Path

from retrieval.adapters.mineru_parser.engine import Engine, Reading, ReadingFailed
from retrieval.adapters.mineru_parser.local import LocalMinerU
from retrieval.adapters.mineru_parser.served import ServedMinerU

_STAND_IN_TIER = "flash"


def engine_for(tier: str, url: str | None, key: str | None) -> Engine:
    """The server at that address, or MinerU on this machine where there is none."""
    return ServedOrLocal(ServedMinerU(url, key, tier)) if url else LocalMinerU(tier)


class ServedOrLocal:
    """A server as long as it does its work, then the tier that needs no weights on this machine."""

    def __init__(self, served: ServedMinerU) -> None:
        self.trouble = ""
        """What ended the server's work."""
        self._served = served
        self._local = LocalMinerU(_STAND_IN_TIER)

    @property
    def name(self) -> str:
        return self._local.name if self.trouble else self._served.name

    @property
    def warning(self) -> str:
        return f"Read, at least in part, without the MinerU server at MINERU_API_URL, which {self.trouble}."

    def read(self, path: Path, first: int = 0, last: int = 0) -> Reading:
        if not self.trouble:
            try:
                return self._served.read(path, first, last)
            except ReadingFailed as failed:
                self.trouble = str(failed)
        return self._local.read(path, first, last)

    def close(self) -> None:
        self._served.close()
        self._local.close()
