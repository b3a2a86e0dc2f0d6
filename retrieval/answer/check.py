"""A draft held against its evidence, statement by statement: what no passage bears out is not shown as if one did.

A citation holds where the words stand in the passage, or where their numbers, dates, names and negations agree with it
and the verifier finds that it supports their meaning. A statement whose citations do not hold gets those of other
passages of the evidence that bear it out; without any it is left out, or shown with a mark.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.answer.asides import is_aside, is_ours
from retrieval.answer.citations import marks, read, renumbered
from retrieval.answer.claims import Claim, Line, below, cited, lines_of, put_together
from retrieval.answer.hearing import Group, Hearing, Verdict
from retrieval.answer.sources import Source, source
from retrieval.answer.stated import Stated
from retrieval.ports import Verifier
from retrieval.text import language
from retrieval.types import DOUBTFUL, CheckedAnswer, Draft, Evidence, ExtractedQuery, Quote, Unverified

_ANNOUNCING = ("lead", "heading")


@dataclass(frozen=True)
class Checker:
    """Checks drafts. From `threshold` on, what the verifier says of a statement counts as support."""

    verifier: Verifier
    unverified: Unverified = "partial"
    threshold: float = 0.5

    def check(self, draft: Draft, evidence: Sequence[Evidence], query: ExtractedQuery) -> CheckedAnswer:
        """What of the draft holds. The verifier is asked once, of all statements, and not at all where all are quotes
        of what they cite. Raises ServiceUnavailable."""
        sources = [source(item.passage) for item in evidence]
        text = read(draft.text, [item.passage.text for item in evidence])
        lines = lines_of(text)
        lang = language(text, default=query.language)
        hearings = {
            claim: Hearing(claim, lang, sources)
            for line in lines
            for claim in line.claims
            if claim.role not in _ANNOUNCING and not is_ours(claim.text, query.language)
        }
        self._ask_verifier(list(hearings.values()))
        verdicts = {claim: hearing.verdict(self.threshold) for claim, hearing in hearings.items()}
        return _Trial(lines, verdicts, sources, query, lang, self.unverified).outcome()

    def _ask_verifier(self, hearings: Sequence[Hearing]) -> None:
        asked = [(hearing, group) for hearing in hearings for group in hearing.open_groups()]
        pairs = [(h.stated.full, "\n\n".join(h.sources[at].text for at in group)) for h, group in asked]
        values = self.verifier.supports(pairs) if pairs else []
        for (hearing, group), value in zip(asked, values, strict=True):
            hearing.support[group] = value


@dataclass(frozen=True)
class _Trial:
    """A draft's lines and the verdict on each of their statements."""

    lines: Sequence[Line]
    verdicts: dict[Claim, Verdict]
    sources: Sequence[Source]
    query: ExtractedQuery
    lang: str
    unverified: Unverified

    def outcome(self) -> CheckedAnswer:
        stays = [self._without_announcements(line) for line in self.lines]
        for at in range(len(self.lines) - 1, -1, -1):
            stays[at] = self._with_announcement(at, stays)
        text = put_together(line for at, line in enumerate(stays) if self._is_shown(at, stays))
        numbers = self._numbers(marks(text))
        places = {number: n - 1 for n, number in reversed(numbers.items())}
        shown = [claim for line in self.lines for claim in line.claims if self._group(claim)]
        return CheckedAnswer(
            renumbered(text, numbers),
            tuple(places[number] for number in sorted(places)),
            tuple(dict.fromkeys(self._quote(claim, at) for claim in shown for at in self._group(claim))),
            tuple(finding for verdict in self.verdicts.values() for finding in verdict.findings),
            tuple(claim.text for line in self.lines for claim in line.claims if self._is_dropped(claim)),
            bool(numbers),
            DOUBTFUL in text,
        )

    def _group(self, claim: Claim) -> Group:
        verdict = self.verdicts.get(claim)
        return verdict.group if verdict else ()

    def _is_dropped(self, claim: Claim) -> bool:
        return claim.role not in _ANNOUNCING and self._shown(claim) is None

    def _shown(self, claim: Claim) -> Claim | None:
        """The statement as it is shown, None where it is not."""
        group = self._group(claim)
        if group:
            numbers = tuple(at + 1 for at in group)
            return claim if set(numbers) == set(claim.cites) else cited(claim, numbers)
        if is_aside(claim.text, self.query.language) and self._invents_nothing(claim):
            return cited(claim, ())
        if self.unverified == "warn":
            return cited(claim, [n for n in claim.cites if 1 <= n <= len(self.sources)], DOUBTFUL)
        return None

    def _invents_nothing(self, claim: Claim, items: int = 0) -> bool:
        """Whether its numbers and names come from the question or the evidence; `items` may be counted."""
        stated = Stated(claim.text, self.lang)
        known = "\n".join([self.query.main_query, *(part.main_query for part in self.query.parts)])
        asked = Stated(known, self.query.language)
        numbers = (n for n in stated.numbers if n.values != (items,) and not any(n.agrees(o) for o in asked.numbers))
        names = (name for name in stated.names if not asked.wording.has(name, stated.wording))
        return all(any(n.agrees(o) for s in self.sources for o in s.numbers) for n in numbers) and all(
            any(s.wording.has(name, stated.wording) for s in self.sources) for name in names
        )

    def _without_announcements(self, line: Line) -> Line:
        shown = (self._shown(claim) for claim in line.claims if claim.role not in _ANNOUNCING)
        return replace(line, claims=tuple(claim for claim in shown if claim))

    def _with_announcement(self, at: int, stays: Sequence[Line]) -> Line:
        """The line with the lead-in at its end, or as the heading it is, where something of what it announces stays."""
        last = self.lines[at].claims[-1:]
        if not last or last[0].role not in _ANNOUNCING:
            return stays[at]
        announced = [n for n in below(self.lines, at) if stays[n].claims]
        if not announced or not self._invents_nothing(last[0], len(announced)):
            return stays[at]
        used = {n for place in announced for claim in stays[place].claims for n in claim.cites}
        lead = cited(last[0], [n for n in last[0].cites if n in used]) if last[0].cites else last[0]
        return replace(stays[at], claims=(*stays[at].claims, lead))

    def _is_shown(self, at: int, stays: Sequence[Line]) -> bool:
        """Blank lines and the heads of tables of which something stays are shown, and what has statements left."""
        if self.lines[at].claims:
            return bool(stays[at].claims)
        if not self.lines[at].prefix.strip():
            return True
        rows = [n for n in range(at + 1, len(self.lines)) if self.lines[n].claims]
        return any(stays[n].claims for n in self._table_of(at) if n in rows)

    def _table_of(self, at: int) -> list[int]:
        end = next((n for n in range(at, len(self.lines)) if not _in_table(self.lines[n])), len(self.lines))
        return list(range(at, end))

    def _numbers(self, cited_numbers: Sequence[int]) -> dict[int, int]:
        """Numbers of the evidence to those of the answer, in order of first use, the same for the same passage."""
        by_passage: dict[str, int] = {}
        found = {}
        for n in cited_numbers:
            if 1 <= n <= len(self.sources):
                chunk = self.sources[n - 1].passage.chunk_id
                found[n] = by_passage.setdefault(chunk, len(by_passage) + 1)
        return found

    def _quote(self, claim: Claim, at: int) -> Quote:
        """The sentence of the passage that holds most of the statement's words."""
        wanted = Stated(claim.text, self.lang).terms
        sentences = self.sources[at].statements
        nearest = max(sentences, key=lambda sentence: len(wanted & sentence.terms), default=None)
        return Quote(nearest.text if nearest else self.sources[at].passage.text, at)


def _in_table(line: Line) -> bool:
    return line.prefix.lstrip().startswith("|") or any(claim.role == "row" for claim in line.claims)
