"""A file to a published document version: parsed, cut, embedded, stored in one step."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from retrieval.errors import DocumentNotFound, DocumentRefused, RefusalCause
from retrieval.library.candidate import Candidate, counted, report_of, with_attributes
from retrieval.library.draft import Drafting, content_hash
from retrieval.library.embed import Known, embedded, model_name
from retrieval.ports import DocumentParser, Documents, EmbeddingModel
from retrieval.types import DocumentVersion, IngestReport, Passage, SourceFile, embedded_text

Progress = Callable[[str], None]


class Library:
    """The documents of the knowledge base: takes them in, lists and shows them, takes them out and back."""

    def __init__(
        self,
        documents: Documents,
        embedding: EmbeddingModel,
        parser: DocumentParser,
        *,
        chunk_size: int = 500,
        chunk_overlap: int = 50,
    ) -> None:
        self._documents = documents
        self._embedding = embedding
        self._drafting = Drafting(parser, chunk_size, chunk_overlap)

    def ingest(self, file: SourceFile, *, progress: Progress = lambda _: None) -> IngestReport:
        """What became of the file: a new document, a new version, nothing new, or a failure with its reason.

        Either all of it is in the knowledge base afterwards or nothing. Passages of the version before that stay as
        they are keep their vectors. A bad file is reported, not raised. Raises only when the store fails.
        """
        return self._reported(file, progress, self._taken_in)

    def preview(self, file: SourceFile, *, progress: Progress = lambda _: None) -> IngestReport:
        """What `ingest` would report, but for what embedding and storing may refuse. Stores nothing."""
        return self._reported(file, progress, self._previewed)

    def list(self) -> Sequence[DocumentVersion]:
        """The current version of every document, by name."""
        return self._documents.current()

    def deleted(self) -> Sequence[DocumentVersion]:
        """What can be restored, by name: of each document the version that was current."""
        return self._documents.deleted()

    def versions(self, document: str) -> Sequence[DocumentVersion]:
        """All versions of a document, the current one last. Raises DocumentNotFound."""
        return self._documents.versions(document)

    def passages(self, version: DocumentVersion) -> Sequence[Passage]:
        """A version's passages in reading order."""
        return self._documents.passages_of(version.id)

    def delete(self, document: str) -> DocumentVersion:
        """Takes a document out of recall, in all its versions. Raises DocumentNotFound."""
        return self._documents.delete(document)

    def restore(self, document: str) -> DocumentVersion:
        """Takes a deletion back, within RESTORABLE; the version that is current again. Raises DocumentNotFound."""
        return self._documents.restore(document)

    def _reported(
        self, file: SourceFile, progress: Progress, conclude: Callable[[Candidate, Progress], IngestReport]
    ) -> IngestReport:
        try:
            before = self._before(file)
            file = with_attributes(file, before)
            sha256 = content_hash(file.path)
            if before and self._same(before, file, sha256):
                message = f"“{before.document}” is already in the knowledge base, unchanged."
                report = report_of(file, "unchanged", message)
                return replace(report, chunks=before.chunks, pages=before.pages, page_unit=before.page_unit)
            draft = self._drafting.draft(file, sha256, progress)
            earlier = tuple(self._documents.passages_of(before.id)) if before else ()
            return conclude(Candidate(file, draft, before, earlier), progress)
        except DocumentRefused as refused:
            return replace(report_of(file, "failed", str(refused)), reason=refused.cause.value)

    def _before(self, file: SourceFile) -> DocumentVersion | None:
        """The version that the file would follow."""
        if file.replaces is None:
            return next(iter(self._documents.current(document=file.document)), None)
        try:
            return self._documents.versions(file.replaces)[-1]
        except DocumentNotFound as error:
            message = f"“{file.document}” has nothing to replace. {error}"
            raise DocumentRefused(RefusalCause.NO_SUCH_DOCUMENT, message) from error

    def _same(self, version: DocumentVersion, file: SourceFile, sha256: str) -> bool:
        """Whether nothing would change. A file without a date keeps the one found in its content."""
        stored = (version.sha256, version.visibility, version.tags, version.owner, version.embedding_model)
        given = (sha256, file.visibility, file.tags, file.owner, model_name(self._embedding, file.document))
        return stored == given and file.date in (None, version.date)

    def _taken_in(self, candidate: Candidate, progress: Progress) -> IngestReport:
        draft = candidate.draft
        model = model_name(self._embedding, draft.name)
        vectors = embedded(self._embedding, draft.name, draft.texts, self._known(candidate, model), progress)
        warnings = self._warnings(candidate)
        published = self._documents.publish(candidate.version(vectors, model, warnings))
        message = f"{candidate.subject} was taken in: {counted(published.chunks)}, version {published.version}."
        return candidate.report(message, warnings)

    def _previewed(self, candidate: Candidate, _: Progress) -> IngestReport:
        known = self._known(candidate, model_name(self._embedding, candidate.draft.name))
        fresh = len({text for text in candidate.draft.texts if text not in known})
        message = f"{candidate.subject} would be taken in: {counted(len(candidate.draft.chunks))}, {fresh} to embed."
        return candidate.report(message, self._warnings(candidate))

    def _known(self, candidate: Candidate, model: str) -> Known:
        """Vectors of the version before."""
        if candidate.before is None:
            return {}
        vectors = self._documents.vectors_of(candidate.before.id, model)
        return {embedded_text(p.title, p): vectors[p.number] for p in candidate.earlier if p.number in vectors}

    def _warnings(self, candidate: Candidate) -> tuple[str, ...]:
        same = self._documents.current(sha256=candidate.draft.sha256)
        return (*candidate.draft.document.warnings, *candidate.doubts(version.document for version in same))
