"""Documents of a data set to a working Footnote in a temporary folder: the real stack, nothing replaced."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from retrieval.build import Footnote, build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import SourceFile


@contextmanager
def knowledge_base(documents: Mapping[str, str | Path], **settings: object) -> Iterator[Footnote]:
    """A Footnote with the embedded models that holds the documents: by name, text or the file to read."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        footnote = build(load(RetrievalSettings, {"_env_file": None, "data_dir": root / "data", **settings}))
        try:
            for name, source in documents.items():
                path = source if isinstance(source, Path) else _written(root / "file.md", source)
                report = footnote.library.ingest(SourceFile(name, path), progress=lambda _: None)
                if report.status == "failed":
                    raise ValueError(f"{name}: {report.message}")
            yield footnote
        finally:
            footnote.close()


def _written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path
