"""Errors put into right answers, as a model makes them: a changed number, a swapped name, a wrong date, a dropped
"not", an invented sentence, the number of another passage."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import regex

from evals.right_answers import RightAnswer
from retrieval.answer.claims import Claim, Line, cited, lines_of, put_together
from retrieval.text import is_stop_word

ErrorKind = Literal["number", "name", "date", "negation", "invented", "mark"]
KINDS: tuple[ErrorKind, ...] = ("number", "name", "date", "negation", "invented", "mark")

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_YEAR = regex.compile(r"(?<![\d.,$€£-])(?:1[5-9]|20)\d\d(?![\d.,]?\d|s)")
_MONTH = regex.compile(
    rf"\b(?:{'|'.join(_MONTHS)})\b(?=\s\d|\sof\s\d)|(?<=\b(?:in|In|of|since|until|by)\s)(?:{'|'.join(_MONTHS)})\b"
)
_WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NUMBER = regex.compile(rf"(?<![\w.,/:-])\d+(?:[.,]\d+)*(?![\w/:]|[.,]\d|[.)]\s+\S)|\b(?:{'|'.join(_WORDS)})\b")
_WHOLE_WORD = r"\p{Lu}[\p{L}-]*\p{L}(?![\p{L}\p{N}_]|[./@-]\w)"
_NAME = regex.compile(rf"(?<=[\p{{Ll}},]\s){_WHOLE_WORD}(?:(?:\sof)?\s{_WHOLE_WORD})*")
_NOT_NAMES = regex.compile(
    rf"(?:I|The|A|An|{'|'.join(_MONTHS)}|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)(?:\s.*)?"
)
_NEGATION = regex.compile(
    r"\b(?P<aux>can)not\b|\b(?P<aux>\w+)n['’]t\b|(?P<aux>\w+)\sn't\b|\b(?:do|does|did)\s(?P<not>not)\s|\b(?P<not>not|never)\s|\b(?P<no>no)\s(?=\p{Ll})"
)
_STRANGERS = 20
"""Answers from whose passages a name may be taken."""

_INVENTED = (
    "It was awarded a national prize for this in the following spring.",
    "A public petition later asked the government to reverse it.",
    "Most people who try it report better sleep within a few weeks.",
    "The cost was shared equally by the two neighbouring cities.",
    "An independent audit confirmed this shortly afterwards.",
    "Children under the age of seven pay half of it.",
    "This has been criticised by several consumer groups as too expensive.",
    "The original plans were lost in a fire and had to be drawn again.",
    "Members of the public may book a guided tour by telephone.",
    "Experts expect this to be abolished within the next decade.",
)


@dataclass(frozen=True, slots=True)
class Spoilt:
    """An answer with one error. `statement` is what the wrong statement says; `cites` are the marks it bears."""

    answer: RightAnswer
    kind: ErrorKind
    text: str
    statement: str
    cites: tuple[int, ...]


def spoilt(answers: Sequence[RightAnswer], kind: ErrorKind, most: int, rng: random.Random) -> list[Spoilt]:
    """Up to `most`, each from another answer as long as there are enough, in random order."""
    found: list[Spoilt] = []
    places = [(answer, at, n) for answer in answers for at, n in _statements(answer.text)]
    rng.shuffle(places)
    seen: dict[str, int] = {}
    for allowed in (1, 2, 3):
        for answer, at, n in places:
            if len(found) == most:
                return found
            if seen.get(answer.id, 0) >= allowed:
                continue
            error = _with_error(answer, at, n, kind, answers, rng)
            if error and error.text not in {other.text for other in found}:
                seen[answer.id] = seen.get(answer.id, 0) + 1
                found.append(error)
    return found


def _statements(text: str) -> Iterator[tuple[int, int]]:
    for at, line in enumerate(lines_of(text)):
        for n, claim in enumerate(line.claims):
            if claim.role == "statement" and len(claim.text.split()) > 4:
                yield at, n


def _with_error(
    answer: RightAnswer, at: int, n: int, kind: ErrorKind, others: Sequence[RightAnswer], rng: random.Random
) -> Spoilt | None:
    lines = lines_of(answer.text)
    claim = lines[at].claims[n]
    changed = _CHANGES[kind](claim, answer, others, rng)
    if changed is None or changed.shown == claim.shown:
        return None
    kept = (claim,) if kind == "invented" else ()
    claims = (*lines[at].claims[:n], *kept, changed, *lines[at].claims[n + 1 :])
    text = put_together([*lines[:at], Line(lines[at].prefix, claims, lines[at].depth), *lines[at + 1 :]])
    said = lines_of(text)[at].claims
    place = n + len(kept)
    if len(said) != len(claims) or not said[place].cites:
        return None
    return Spoilt(answer, kind, text, said[place].text, said[place].cites)


def _number(claim: Claim, answer: RightAnswer, others: Sequence[RightAnswer], rng: random.Random) -> Claim | None:
    found = [match for match in _NUMBER.finditer(_unmarked(claim.shown)) if not _YEAR.fullmatch(match[0])]
    if not found:
        return None
    old = rng.choice(found)
    if old[0].isalpha():
        return _put(claim, old, rng.choice([word for word in _WORDS if word != old[0]]))
    elsewhere = {m[0] for n in claim.cites for m in _NUMBER.finditer(answer.evidence[n - 1].passage.text)}
    near = sorted(number for number in elsewhere if len(number) == len(old[0]) and number not in claim.shown)
    return _put(claim, old, rng.choice(near) if near and rng.random() < 0.5 else _other_figures(old[0], rng))


def _other_figures(figures: str, rng: random.Random) -> str:
    digits = [at for at, character in enumerate(figures) if character.isdigit()]
    at = rng.choice(digits)
    new = rng.choice([d for d in "123456789" if d != figures[at]])
    return figures[:at] + new + figures[at + 1 :]


def _date(claim: Claim, answer: RightAnswer, others: Sequence[RightAnswer], rng: random.Random) -> Claim | None:
    found = [*_YEAR.finditer(_unmarked(claim.shown)), *_MONTH.finditer(_unmarked(claim.shown))]
    if not found:
        return None
    old = rng.choice(found)
    if old[0].isdigit():
        elsewhere = sorted({m[0] for n in claim.cites for m in _YEAR.finditer(answer.evidence[n - 1].passage.text)})
        near = [year for year in elsewhere if year not in claim.shown]
        shifted = str(int(old[0]) + rng.choice([-10, -3, -2, -1, 1, 2, 3, 10]))
        return _put(claim, old, rng.choice(near) if near and rng.random() < 0.5 else shifted)
    return _put(claim, old, rng.choice([month for month in _MONTHS if month != old[0]]))


def _name(claim: Claim, answer: RightAnswer, others: Sequence[RightAnswer], rng: random.Random) -> Claim | None:
    own = "\n".join([answer.text, *(answer.evidence[n - 1].passage.text for n in claim.cites)])
    proper = {match[0] for match in _names(own)}
    found = [match for match in _names(_unmarked(claim.shown)) if match[0] in proper]
    if not found:
        return None
    old = rng.choice(found)
    here = {m[0] for n in claim.cites for m in _names(answer.evidence[n - 1].passage.text)}
    there = {
        m[0]
        for other in rng.sample(list(others), _STRANGERS)
        for e in other.evidence[:1]
        for m in _names(e.passage.text)
    }
    pool = sorted(here if rng.random() < 0.5 else there)
    words = set(regex.findall(r"\p{L}+", claim.shown.casefold()))
    new = [name for name in pool if not set(regex.findall(r"\p{L}+", name.casefold())) & words]
    return _put(claim, old, rng.choice(new)) if new else None


def _names(text: str) -> list["regex.Match[str]"]:
    """Proper names: words that the text never writes small."""
    small = set(regex.findall(r"(?<!\p{L})\p{Ll}+", text))
    found = (
        m for m in _NAME.finditer(text) if not _NOT_NAMES.fullmatch(m[0]) and not is_stop_word(m[0].split()[0], "en")
    )
    return [m for m in found if not any(word.casefold() in small for word in m[0].split() if word != "of")]


def _negation(claim: Claim, answer: RightAnswer, others: Sequence[RightAnswer], rng: random.Random) -> Claim | None:
    found = list(_NEGATION.finditer(claim.shown))
    if not found:
        return None
    old = rng.choice(found)
    if old["aux"]:
        return _put(claim, old, {"ca": "can", "wo": "will"}.get(old["aux"], old["aux"]))
    if old["no"]:
        return _put(claim, old, "")
    return _put(claim, old, old[0].replace(f"{old['not']} ", ""))


def _invented(claim: Claim, answer: RightAnswer, others: Sequence[RightAnswer], rng: random.Random) -> Claim | None:
    if rng.random() < 0.5:
        sentence = rng.choice(_INVENTED)
    else:
        stranger = rng.choice([other for other in others if other.topic != answer.topic])
        claims = [c for line in lines_of(stranger.text) for c in line.claims if c.role == "statement"]
        sentence = rng.choice(claims).text
    shown = f" {sentence}" if sentence.endswith((".", "!")) else f" {sentence}."
    return cited(Claim(shown, sentence, ()), claim.cites[:1])


def _mark(claim: Claim, answer: RightAnswer, others: Sequence[RightAnswer], rng: random.Random) -> Claim | None:
    wrong = [n for n in range(1, len(answer.evidence) + 1) if n - 1 not in answer.gold]
    return cited(claim, (rng.choice(wrong),)) if wrong and claim.cites else None


def _unmarked(shown: str) -> str:
    """Of the same length, so that places in it are places in the text as shown."""
    return str(regex.sub(r"\[\d+\]", lambda mark: " " * len(mark[0]), shown))


def _put(claim: Claim, old: "regex.Match[str]", new: str) -> Claim:
    return replace(claim, shown=claim.shown[: old.start()] + new + claim.shown[old.end() :])


_Change = Callable[[Claim, RightAnswer, Sequence[RightAnswer], random.Random], Claim | None]
_CHANGES: dict[ErrorKind, _Change] = {
    "number": _number,
    "name": _name,
    "date": _date,
    "negation": _negation,
    "invented": _invented,
    "mark": _mark,
}
