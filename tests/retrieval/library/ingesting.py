"""A process that takes in the same folder again and again until it is killed: FOLDER DATABASE."""

import itertools
import sys
from collections.abc import Callable
from pathlib import Path

from retrieval.adapters.rapid_ocr import RapidOcr
from retrieval.adapters.sql import open_store
from retrieval.library.ingest import Library
from retrieval.library.parse import Reader
from retrieval.library.sources import documents_in
from retrieval.types import ParsedDocument, SourceFile
from tests.retrieval.library.word_vectors import WordVectors


class NoPdf:
    def parse(self, file: SourceFile, *, progress: Callable[[str], None]) -> ParsedDocument:
        raise AssertionError(f"{file.document} is no PDF")


def main(folder: Path, database: str) -> None:
    library = Library(open_store(database), WordVectors(), Reader(NoPdf(), RapidOcr()), chunk_size=60, chunk_overlap=0)
    for round_number in itertools.count():
        for file in documents_in(folder):
            lines = file.path.read_text("utf-8").splitlines()
            file.path.write_text("\n".join([f"round {round_number} of this file", *lines[1:]]), "utf-8")
            library.ingest(file)
            print(file.document, flush=True)  # noqa: T201 - the test waits for it


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
