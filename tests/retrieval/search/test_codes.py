"""What is asked of one code is not answered by what is said of another."""

from collections.abc import Iterator

import pytest

from retrieval.build import Footnote, build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Answer, Conversation, Refusal, SourceFile, Viewer

_MANUAL = """# Heron 3 manual

## Fault codes

Code E-21 means that the valve is stuck. Switch the Heron 3 off and call service.

Code E-14 means that the filter is full. Replace the filter.
"""


@pytest.fixture(scope="module")
def footnote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Footnote]:
    folder = tmp_path_factory.mktemp("manual")
    (folder / "manual.md").write_text(_MANUAL, "utf-8")
    built = build(load(RetrievalSettings, {"_env_file": None, "data_dir": folder / "data"}))
    built.library.ingest(SourceFile("manual.md", folder / "manual.md"))
    yield built
    built.close()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does error E-21 on the Heron 3 mean?", Answer),
        ("What does error E-042 on the Heron 3 mean?", Refusal),
        ("fault code E-55 on the Heron 3", Refusal),
        ("Was bedeutet der Fehler E-042 beim Heron 3?", Refusal),
        ("What is the difference between E-14 and E-21?", Answer),
    ],
)
def test_a_code_that_no_passage_holds_is_refused(footnote: Footnote, question: str, kind: type) -> None:
    assert isinstance(footnote.pipeline.ask(Conversation(question), Viewer()).reply, kind)
