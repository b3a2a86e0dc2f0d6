"""Within the child process: what can run MinerU, and how that may fail."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypedDict


class Page(TypedDict, total=False):
    """One page of MinerU's `middle_json`: `page_idx` from 0, and `blocks`, each with `type`, `bbox` and `content`."""

    page_idx: int
    blocks: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Reading:
    """Pages of a file, or all of it, and what the file says of itself: `title`, `page_count_kind` and more."""

    pages: list[Page]
    properties: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, middle: dict[str, Any]) -> "Reading":
        """Of a `middle_json`."""
        return cls(list(middle.get("pages") or []), (middle.get("metadata") or {}).get("document") or {})


class ReadingFailed(Exception):
    """MinerU cannot read this, or died of it, or took too long."""


class NotUsable(Exception):
    """MinerU cannot be used as the settings have it. The text is for people and names the setting."""


class Engine(Protocol):
    """Runs MinerU. `name` says which one, with its version."""

    @property
    def name(self) -> str: ...

    def read(self, path: Path, first: int = 0, last: int = 0) -> Reading:
        """Pages `first` to `last` of a PDF, from 1, or all of another file. Raises ReadingFailed, NotUsable."""

    def close(self) -> None:
        """Leaves nothing behind."""


def seconds_for(tier: str, pages: int) -> float:
    """How long it may take over that many pages. Models take longer than the tier that has none."""
    return 30 + 1.5 * pages if tier == "flash" else 120 + 15 * pages


def ocr_mode(tier: str) -> str:
    """The lowest tier has no models that could read pictures."""
    return "txt" if tier == "flash" else "auto"
