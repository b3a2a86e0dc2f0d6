"""Case files and small documents for the tests of the library."""

from pathlib import Path

from retrieval.library.chunk import chunk
from retrieval.library.encoding import decode
from retrieval.library.markdown import read_markdown
from retrieval.library.plain import read_plain
from retrieval.types import Chunk, ParsedDocument

CASES = Path(__file__).parents[2] / "cases" / "files"
SAMPLES = Path(__file__).parents[3] / "samples"


def case(name: str) -> ParsedDocument:
    """A case file as its reader reads it."""
    text = decode((CASES / name).read_bytes(), name)
    return read_markdown(text, name) if name.endswith(".md") else read_plain(text, name)


def chunks_of(name: str, *, size: int = 500, overlap: int = 50) -> list[Chunk]:
    return chunk(case(name), key=name, size=size, overlap=overlap)


def markdown_chunks(text: str, *, size: int = 500, overlap: int = 50, key: str = "D1") -> list[Chunk]:
    return chunk(read_markdown(text, "policy"), key=key, size=size, overlap=overlap)


def plain_chunks(text: str, *, size: int = 500, overlap: int = 50) -> list[Chunk]:
    return chunk(read_plain(text, "policy"), key="D1", size=size, overlap=overlap)
