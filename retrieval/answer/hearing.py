"""One statement and what each passage of the evidence says to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from retrieval.answer.claims import Claim
from retrieval.answer.facts import Difference, differences, is_denied
from retrieval.answer.sources import Source, verbatim_form
from retrieval.answer.stated import Stated
from retrieval.types import Finding, FindingReason

Group = tuple[int, ...]
"""Places in the evidence, from 0, of passages that bear a statement out together."""

_CLEARLY_BETTER = 0.3
"""By how much another passage must support a statement better to take the place of one that supports it too."""


_SURE = 0.9
"""How well another passage must support a statement to which a passage that it cites says something else."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The passages that bear the statement out, none where nothing does, and what became of each citation."""

    group: Group
    findings: tuple[Finding, ...]


@dataclass
class Hearing:
    """`support` is the verifier's word by group, for those of `open_groups`."""

    claim: Claim
    lang: str
    sources: Sequence[Source]
    support: dict[Group, float] = field(default_factory=dict)
    _found: dict[int, list[Difference]] = field(default_factory=dict)

    @cached_property
    def stated(self) -> Stated:
        return Stated(self.claim.text, self.lang, self.claim.context)

    @cached_property
    def cites(self) -> Group:
        """The cited passages that exist."""
        return tuple(n - 1 for n in self.claim.cites if 1 <= n <= len(self.sources))

    @cached_property
    def verbatim(self) -> frozenset[int]:
        """Where the statement stands word for word."""
        if self.claim.role == "code":
            return frozenset(at for at, source in enumerate(self.sources) if source.holds_code(self.claim.text))
        words = verbatim_form(self.claim.text)
        return frozenset(
            at
            for at, source in enumerate(self.sources)
            if words.strip() and source.says(words) and not is_denied(self.stated, source)
        )

    def open_groups(self) -> list[Group]:
        """What the verifier is to be asked: of the passages that have nothing against the statement, those it cites
        and those that hold more of its words, one by one; and together those it cites, or the two that hold most.
        Nothing for a quote of what it cites, nor for code."""
        if self.verbatim & set(self.cites) or self.claim.role == "code":
            return []
        most = max((self._shared[at] for at in self.cites), default=-1) or -1
        groups: list[Group] = [
            (at,)
            for at in range(len(self.sources))
            if (at in self.cites or self._shared[at] > most) and not self._has_against(at)
        ]
        if self._may_be_joined(self._together) and not self.against(self._together):
            groups.append(self._together)
        return groups

    def _may_be_joined(self, group: Group) -> bool:
        """Passages that the answer did not join must not lend a statement figures from each: one has them all."""
        has_figures = (not any(d.kind in ("number", "date") for d in self._differences(at)) for at in group)
        return len(group) > 1 and (len(self.cites) > 1 or any(has_figures))

    def _has_against(self, at: int) -> bool:
        return next(differences(self.stated, self.sources[at]), None) is not None

    @cached_property
    def _shared(self) -> list[int]:
        """How many of the statement's terms each passage holds."""
        return [len(self.stated.terms & source.all_terms) for source in self.sources]

    def against(self, group: Group) -> list[Difference]:
        """What one of the passages says otherwise, and what none of them says."""
        first, *others = [self._differences(at) for at in group]
        otherwise = [d for found in (first, *others) for d in found if d.opposed]
        return otherwise + [d for d in first if not d.opposed and all(d in other for other in others)]

    def verdict(self, threshold: float) -> Verdict:
        group = self._bearing_out(threshold)
        return Verdict(group, tuple(self._findings(group, threshold)))

    def _differences(self, at: int) -> list[Difference]:
        if at not in self._found:
            self._found[at] = list(differences(self.stated, self.sources[at]))
        return self._found[at]

    @cached_property
    def _together(self) -> Group:
        if len(self.cites) > 1:
            return self.cites
        nearest = sorted(range(len(self.sources)), key=lambda at: (at not in self.cites, -self._shared[at]))
        return tuple(sorted(nearest[:2]))

    def _strength(self, group: Group) -> float:
        """How sure it is that the group bears the statement out, beyond 1 for a quote."""
        if self.verbatim.intersection(group):
            return 1.0 + _CLEARLY_BETTER
        return self.support.get(group, 0.0)

    def _bearing_out(self, threshold: float) -> Group:
        singles: list[Group] = [(at,) for at in range(len(self.sources))]
        holding = [group for group in singles if self._strength(group) >= threshold]
        cited = tuple(at for (at,) in holding if at in self.cites)
        best = max(holding, key=self._strength, default=())
        if cited:
            cited_strength = max(self._strength((at,)) for at in cited)
            return best if self._strength(best) - cited_strength >= _CLEARLY_BETTER else cited
        if any(difference.opposed for at in self.cites for difference in self._differences(at)):
            return best if self._strength(best) >= _SURE else ()
        together = self._together if self._strength(self._together) >= threshold else ()
        return (together or best) if len(self.cites) > 1 else (best or together)

    def _findings(self, group: Group, threshold: float) -> Iterator[Finding]:
        if not self.claim.cites:
            yield self._finding(None, False, "not_cited")
        for n in self.claim.cites:
            if not 1 <= n <= len(self.sources):
                yield self._finding(n, False, "no_such_passage")
            elif n - 1 in group:
                yield self._finding(n, True, "verbatim" if n - 1 in self.verbatim else "supported")
            else:
                yield self._objection(n, threshold)
        for at in group:
            if at not in self.cites:
                yield self._finding(at + 1, True, "recited")

    def _objection(self, n: int, threshold: float) -> Finding:
        against = self.against((n - 1,))
        if against:
            detail = tuple(d.words for d in against if d.kind == against[0].kind)
            return self._finding(n, False, against[0].kind, detail)
        holds = self._strength((n - 1,)) >= threshold
        return self._finding(n, False, "better_elsewhere" if holds else "meaning")

    def _finding(self, n: int | None, valid: bool, reason: FindingReason, detail: tuple[str, ...] = ()) -> Finding:
        passage = self.sources[n - 1].passage if n and 1 <= n <= len(self.sources) else None
        return Finding(
            n,
            valid,
            reason,
            self.claim.text,
            passage.chunk_id if passage else None,
            passage.document if passage else None,
            detail,
        )
