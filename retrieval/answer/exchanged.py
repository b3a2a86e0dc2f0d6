"""Numbers, dates and names of a statement that a passage has in another place, or that it lacks where it has others.

Two ways to see it. Where a sentence of the passage runs nearly as the statement does, what stands in place of the fact
is compared word for word. Else the words around the fact tell: a sentence that has them with another fact instead,
clearly more of them than any sentence that has the fact.
"""

from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from itertools import takewhile

from retrieval.answer.moments import Moment
from retrieval.answer.names import akin, run_of
from retrieval.answer.numbers import Number, numbers
from retrieval.answer.sources import Source
from retrieval.answer.stated import Stated, first_word
from retrieval.text import fold

Test = Callable[[Stated], bool]
"""Whether a sentence of the passage has the fact, or another of its kind instead."""

_SAME_PLACE = 0.6
"""Share of the words around a fact that a sentence about the same thing holds."""
_CLEARLY = 0.3
_FEWEST_AROUND = 2
_FAR = 0.2
_THERE = 0.4
_RUNS_ALIKE = 0.7
"""Share of the statement's terms that a sentence holds that runs nearly as it does."""
_LONGEST_STRETCH = 8
"""Words of the statement that may stand in place of others."""


def exchanged(stated: Stated, source: Source) -> Iterator[str]:
    """The statement's words for such facts, by what the passage says in the statement's language."""
    replaced = _replaced(stated, source)
    for number in stated.all_numbers:
        if first_word(number.written) in replaced or _misplaced(
            number.written, stated, source, _holds_number(number), _other_number(number, stated)
        ):
            yield number.written
    for moment in stated.moments:
        if _misplaced(moment.written, stated, source, _holds_moment(moment, source), _other_moment(stated)):
            yield moment.written
    for name in stated.names:
        run = run_of(name, stated.full)
        if (
            name in replaced
            or _misplaced(run, stated, source, _holds_name(name, stated), _other_name(stated))
            or _far_off(name, stated.around(run), stated, source)
        ):
            yield name
    yield from (word for word in stated.opening_words if word in replaced)


def _replaced(stated: Stated, source: Source) -> frozenset[str]:
    """Facts of the statement in whose place the sentence nearest to it has facts of its own: they were exchanged where
    the sentence has them less often, or has something there that the statement lacks altogether."""
    nearest = max(source.said_in(stated.lang), key=lambda sentence: len(stated.terms & sentence.terms), default=None)
    if nearest is None or len(stated.terms & nearest.terms) < _RUNS_ALIKE * len(stated.terms):
        return frozenset()
    found: set[str] = set()
    matcher = SequenceMatcher(None, nearest.folded_words, stated.folded_words, autojunk=False)
    for change, a, b, c, d in matcher.get_opcodes():
        if change != "replace" or max(b - a, d - c) > _LONGEST_STRETCH:
            continue
        own = [word for word in _facts(nearest, a, b) if _times(word, stated) < _times(word, nearest)]
        lacking = any(not _times(word, stated) for word in own)
        if own:
            found |= {f for f in _facts(stated, c, d) if lacking or _times(f, nearest) < _times(f, stated)}
    return frozenset(found)


def _facts(stated: Stated, start: int, end: int) -> list[str]:
    """The names and numbers among those words."""
    facts = {*stated.all_names, *(first_word(number.written) for number in stated.all_numbers)}
    return [word for word in stated.words[start:end] if word in facts]


def _times(fact: str, stated: Stated) -> int:
    """How often it stands there, in whatever form."""
    meant = numbers(fact, stated.lang)
    if meant:
        return sum(first_word(n.written) == fact or meant[0].agrees(n) for n in stated.all_numbers)
    return sum(word == fold(fact) or akin(word, fold(fact)) for word in stated.folded_words)


def _misplaced(fact: str, stated: Stated, source: Source, holds: Test, has_other: Test) -> bool:
    """Whether a sentence has most of the words around a fact and another fact, and no other sentence has this one."""
    around = stated.around(fact)
    if len(around) < _FEWEST_AROUND:
        return False
    shares = ((len(around & sentence.terms) / len(around), sentence) for sentence in source.said_in(stated.lang))
    nearest = sorted(shares, key=lambda pair: -pair[0])
    for share, sentence in takewhile(lambda pair: pair[0] >= _SAME_PLACE, nearest):
        if holds(sentence):
            return False
        if has_other(sentence):
            return not any(holds(beside) for near, beside in nearest if share - near < _CLEARLY)
    return False


def _far_off(name: str, around: frozenset[str], stated: Stated, source: Source) -> bool:
    """Whether the words around a name are in one place of the passage and the name in quite another, without being
    what the passage is about."""
    if len(around) < _FEWEST_AROUND or source.topic.has(name, stated.wording):
        return False
    said = source.said_in(stated.lang)
    shares = [len(around & sentence.terms) / len(around) for sentence in said]
    if max(shares, default=0.0) < _THERE:
        return False
    places = [at for at, sentence in enumerate(said) if sentence.wording.has(name, stated.wording)]
    return bool(places) and max(share for at in places for share in shares[max(0, at - 1) : at + 2]) <= _FAR


def _holds_number(number: Number) -> Test:
    return lambda sentence: any(number.agrees(other) for other in numbers(sentence.text, sentence.lang))


def _other_number(number: Number, stated: Stated) -> Test:
    def has_other(sentence: Stated) -> bool:
        comparable = (o for o in sentence.all_numbers if o.kind == number.kind or not (o.kind and number.kind))
        return any(not any(other.agrees(mine) for mine in stated.all_numbers) for other in comparable)

    return has_other


def _holds_moment(moment: Moment, source: Source) -> Test:
    return lambda sentence: any(moment.agrees(other, source.years) for other in sentence.moments)


def _other_moment(stated: Stated) -> Test:
    return lambda sentence: any(
        not any(other.agrees(mine, frozenset()) for mine in stated.moments) for other in sentence.moments
    )


def _holds_name(name: str, stated: Stated) -> Test:
    return lambda sentence: sentence.wording.has(name, stated.wording)


def _other_name(stated: Stated) -> Test:
    return lambda sentence: any(not stated.wording.has(other, sentence.wording) for other in sentence.all_names)
