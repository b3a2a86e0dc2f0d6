"""What is about to become a version of a document, and what there is to tell of it."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, replace

from retrieval.library.dates import document_date
from retrieval.library.draft import Draft, key_of
from retrieval.library.versions import section_changes, summary
from retrieval.types import (
    EVERYONE,
    DocumentVersion,
    IngestReport,
    IngestStatus,
    NewVersion,
    Passage,
    SourceFile,
    Vectors,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft of a file, and the version that it would follow, with its passages."""

    file: SourceFile
    draft: Draft
    before: DocumentVersion | None
    earlier: tuple[Passage, ...]

    @property
    def date(self) -> dt.date | None:
        """The document's, see `document_date`."""
        return document_date(self.file, self.draft.document, self.draft.name)

    @property
    def subject(self) -> str:
        """The file, and where it replaces another document, that one's name."""
        return f"“{self.file.document}”" + (f" as “{self.draft.key}”" if self.draft.key != self.file.document else "")

    def version(self, vectors: Vectors, embedding_model: str, warnings: tuple[str, ...]) -> NewVersion:
        """Ready to be published. `vectors` has one row a chunk."""
        draft = self.draft
        return NewVersion(
            document=draft.key,
            title=draft.document.title,
            sha256=draft.sha256,
            parser=draft.document.parser,
            chunks=draft.chunks,
            vectors=vectors,
            embedding_model=embedding_model,
            visibility=self.file.visibility or EVERYONE,
            tags=self.file.tags or (),
            date=self.date,
            pages=draft.document.pages,
            page_unit=draft.document.page_unit,
            owner=self.file.owner,
            warnings=warnings,
        )

    def report(self, message: str, warnings: tuple[str, ...]) -> IngestReport:
        """Of a new document, or of a new version with what it changes."""
        draft = self.draft
        report = replace(
            report_of(self.file, "new_version" if self.before else "new", message),
            chunks=len(draft.chunks),
            pages=draft.document.pages,
            page_unit=draft.document.page_unit,
            sections=len({part.section for part in draft.chunks if part.section}),
            warnings=warnings,
        )
        if self.before is None:
            return report
        changes = section_changes(self.earlier, self.before.title, draft.chunks, draft.document.title)
        return replace(report, message=f"{message} {summary(changes)}", changes=changes)

    def doubts(self, same: Iterable[str]) -> list[str]:
        """What makes one wonder whether this file is meant. `same` are documents of the same bytes."""
        others = sorted(set(same) - {self.draft.key})
        doubts = [f"The same content is already in the knowledge base as “{other}”." for other in others]
        before, date = self.before, self.date
        if before and before.date and date and date < before.date:
            doubts.append(
                f"It is dated {date.isoformat()}, earlier than version {before.version} of {before.date.isoformat()}, "
                "which it now stands in for: check that it is no old copy."
            )
        return doubts


def with_attributes(file: SourceFile, before: DocumentVersion | None) -> SourceFile:
    """The file with what was not said of it taken from the version before."""
    visibility = file.visibility or (before.visibility if before else EVERYONE)
    tags = file.tags if file.tags is not None else (before.tags if before else ())
    return replace(file, visibility=visibility, tags=tags, owner=file.owner or (before.owner if before else None))


def report_of(file: SourceFile, status: IngestStatus, message: str) -> IngestReport:
    """What became of a file, to be told to a person."""
    return IngestReport(str(file.path), key_of(file), status, message=message)


def counted(passages: int) -> str:
    """ "1 passage", "2 passages"."""
    return "1 passage" if passages == 1 else f"{passages} passages"
