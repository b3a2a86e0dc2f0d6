"""Whether a source denies what a statement affirms, or affirms what it denies.

Clauses that say nearly the same are compared by their negations. Where only one has any, it must be near words that the
other has; where both do, their number tells, if the clauses are the same but for that.
"""

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources

import regex

from retrieval.text import UNSPACED_LANGUAGES, normalise, terms

_WORDS_AFTER, _WORDS_BEFORE_IN_GERMAN = 6, 4
_LETTERS_AROUND = 8
"""What a negation denies stands so near behind it, in German also before it; in unspaced scripts on either side."""

FEWEST_SHARED = 3
"""Terms that clauses share that speak of the same thing."""

_ALIKE = 0.6
"""Share of the shorter clause's terms that the other one holds if they speak of the same thing."""
_NEARLY_AS_MUCH = 0.85
_SAME_WORDS = 0.75
_MOST_DENIED = 0.5
"""Share of the words near a negation that a clause without one must hold to say the opposite."""

_CLAUSE_END = regex.compile(
    r"""[;:()—–。；：，、（）,] | \s-+\s | \b(?: but | although | though | because | while | whereas
    | which | mas | embora | porque | mais | bien\sque | parce\sque | pero | aunque | sino | aber | obwohl | weil
    | sondern )\b""",
    regex.I | regex.X,
)
_LETTER = regex.compile(r"\p{L}")


@dataclass(frozen=True, slots=True)
class Clause:
    """Its terms; those near a negation; how many negations it has; words that leave open what is denied; and how many
    negations its whole sentence has."""

    terms: frozenset[str]
    denied: frozenset[str]
    negations: int
    open_words: tuple[str, ...]
    in_sentence: int


def contradicts(statement: str, sentences: Sequence[str], lang: str) -> bool:
    """Whether sentences of a source in the statement's own language say the opposite of a clause of it, and none of
    those that come as near says the same."""
    if lang not in _table()["negations"]:
        return False
    whole, wholes = _whole(statement, lang), [_whole(sentence, lang) for sentence in sentences]
    parts = [clause for sentence in sentences for clause in clauses(sentence, lang)]
    return _opposed(whole, [other for other in wholes if _same_words(other, whole)]) or any(
        _opposed(clause, parts) for clause in clauses(statement, lang)
    )


@lru_cache(maxsize=20_000)
def clauses(sentence: str, lang: str) -> tuple[Clause, ...]:
    """Parts of the sentence between its commas and conjunctions."""
    plain = _pattern("apparent", lang).sub(" ", normalise(sentence))
    parts = [_clause(part, lang) for part in _CLAUSE_END.split(plain) if part and _LETTER.search(part)]
    total = sum(part.negations for part in parts)
    return tuple(replace(part, in_sentence=total) for part in parts)


@lru_cache(maxsize=20_000)
def _whole(sentence: str, lang: str) -> Clause:
    clause, parts = _clause(sentence, lang), clauses(sentence, lang)
    return replace(clause, denied=frozenset[str]().union(*(p.denied for p in parts)), in_sentence=clause.negations)


def _opposed(clause: Clause, others: Sequence[Clause]) -> bool:
    shared = {other: len(clause.terms & other.terms) for other in others}
    alike = [o for o, n in shared.items() if n >= max(FEWEST_SHARED, _ALIKE * min(len(clause.terms), len(o.terms)))]
    most = max((shared[other] for other in alike), default=0)
    nearest = [other for other in alike if shared[other] >= _NEARLY_AS_MUCH * most]
    return bool(nearest) and all(_differ(clause, other) for other in nearest)


def _differ(a: Clause, b: Clause) -> bool:
    if a.negations == b.negations or a.in_sentence == b.in_sentence or Counter(a.open_words) != Counter(b.open_words):
        return False
    if a.negations and b.negations:
        return _same_words(a, b)
    denying, affirming = (a, b) if a.negations else (b, a)
    return bool(denying.denied) and len(denying.denied & affirming.terms) >= _MOST_DENIED * len(denying.denied)


def _same_words(a: Clause, b: Clause) -> bool:
    return len(a.terms & b.terms) >= _SAME_WORDS * max(len(a.terms), len(b.terms), 1)


def _clause(part: str, lang: str) -> Clause:
    plain = _pattern("apparent", lang).sub(" ", normalise(part))
    cues = list(_pattern("negations", lang).finditer(plain))
    found = frozenset(terms(plain, lang))
    denied = frozenset(term for cue in cues for term in _near(plain, cue, lang))
    open_words = tuple(word[0].casefold() for word in _pattern("open", lang).finditer(plain))
    return Clause(found, denied & found, len(cues), open_words, 0)


def _near(part: str, cue: "regex.Match[str]", lang: str) -> list[str]:
    before, after = part[: cue.start()], part[cue.end() :]
    if lang in UNSPACED_LANGUAGES:
        near = (before[-_LETTERS_AROUND:], after[:_LETTERS_AROUND])
    else:
        start = -_WORDS_BEFORE_IN_GERMAN if lang == "de" else len(before)
        near = (" ".join(before.split()[start:]), " ".join(after.split()[:_WORDS_AFTER]))
    return [term for text in near if text.strip() for term in terms(text, lang)]


@lru_cache(maxsize=64)
def _pattern(what: str, lang: str) -> "regex.Pattern[str]":
    return regex.compile(_table()[what].get(lang, r"(?!)"), regex.I | regex.X)


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(resources.files("retrieval.answer").joinpath("negation.toml").read_text("utf-8"))
