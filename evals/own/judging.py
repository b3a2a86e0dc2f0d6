"""A reply's statements and citations, judged by the check of the product: facts first, then the configured verifier."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from evals.measures.citations import CitationScores, Statement, citation_scores
from retrieval.answer.asides import is_aside
from retrieval.answer.check import Checker
from retrieval.answer.claims import lines_of
from retrieval.types import Answer, Candidate, Draft, Evidence, ExtractedQuery, Outcome, Passage

_STATING = ("statement", "row", "code")


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer's statements, its citation scores, and those statements that nothing it was made from supports."""

    statements: tuple[Statement, ...]
    citations: CitationScores
    hallucinated: tuple[str, ...]


def statements_of(outcome: Outcome) -> tuple[Statement, ...]:
    """What an answer states, each with the texts of the passages cited for it; none where there is no answer.

    Headings, lead-ins and what only tells that something is missing state nothing of the documents.
    """
    if not isinstance(outcome.reply, Answer):
        return ()
    shown = outcome.trace.checked.text if outcome.trace.checked else outcome.reply.text
    passages = {citation.n: citation.passage.text for citation in outcome.reply.citations}
    return tuple(
        Statement(claim.text, tuple(passages.get(n) for n in claim.cites))
        for line in lines_of(shown)
        for claim in line.claims
        if claim.role in _STATING and not is_aside(claim.text, outcome.query.language)
    )


def judged(outcome: Outcome, checker: Checker) -> Judged | None:
    """None where the reply states nothing. Raises ServiceUnavailable of the verifier."""
    statements = statements_of(outcome)
    if not isinstance(outcome.reply, Answer) or not statements:
        return None
    passages = {citation.passage.text: citation.passage for citation in outcome.reply.citations}
    used = {item.passage.text: item.passage for item in outcome.trace.used}
    judge = _Judge(replace(checker, unverified="partial"), {**used, **passages}, outcome.query)
    supports = cache(lambda statement, texts: judge.supports(statement, texts))
    scores = citation_scores(statements, lambda statement, texts: supports(statement, tuple(texts)))
    invented = tuple(said for said in scores.unsupported if not any(supports(said, (text,)) for text in judge.passages))
    return Judged(statements, scores, invented)


@dataclass(frozen=True, slots=True)
class _Judge:
    checker: Checker
    passages: dict[str, Passage]
    query: ExtractedQuery

    def supports(self, statement: str, texts: Sequence[str]) -> bool:
        """Whether the check lets the statement stand on these passages as one."""
        joined = replace(self.passages[texts[0]], text="\n\n".join(texts))
        evidence = [Evidence(Candidate(joined, None, None, 0.0), 0.0)]
        checked = self.checker.check(Draft(f"{statement} [1]"), evidence, self.query)
        return any(finding.valid and finding.n == 1 for finding in checked.findings)
