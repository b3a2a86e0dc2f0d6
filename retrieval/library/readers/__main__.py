"""The child process: takes jobs of [IN, OUT.json, kind, name]."""

from collections.abc import Callable
from pathlib import Path

from retrieval.confined import answer, confine, document_fields, refused_fields, serve
from retrieval.errors import DocumentRefused, RefusalCause
from retrieval.library.readers.mail import read_mail
from retrieval.library.readers.rows import read_rows
from retrieval.library.readers.sheets import read_sheets
from retrieval.library.readers.text import read_markdown_file, read_text_file
from retrieval.types import ParsedDocument

READERS: dict[str, Callable[[Path, str], ParsedDocument]] = {
    "Markdown": read_markdown_file,
    "text": read_text_file,
    "CSV": read_rows,
    "Excel": read_sheets,
    "e-mail": read_mail,
}


def run(arguments: list[str]) -> None:
    """Reads IN, writes OUT.json."""
    source, target, kind, name = arguments
    confine()
    try:
        found = document_fields(READERS[kind](Path(source), name))
    except DocumentRefused as refusal:
        found = refused_fields(refusal.cause, str(refusal))
    except MemoryError:
        found = refused_fields(RefusalCause.TOO_LARGE, f"“{name}” takes too much memory. Split it and send the parts.")
    answer(Path(target), found)


if __name__ == "__main__":
    serve(run)
