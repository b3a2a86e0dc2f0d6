"""What taking in a file looks like to whoever brings it."""

from collections.abc import Callable
from typing import Protocol

from retrieval.types import IngestReport, SourceFile


class Ingest(Protocol):
    """How the library takes in a file. `progress` is told in a few words what is being done."""

    def __call__(self, file: SourceFile, *, progress: Callable[[str], None]) -> IngestReport: ...
