"""Numbers of a text with their units, in figures or in words, as its language writes them: "1.000,50" in Portuguese is
"1,000.50" in English, 七天 is "7 days", "twenty-six" is 26."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from retrieval.answer.number_words import scale_of, unit_of, words_in
from retrieval.text import UNSPACED

_COUNTED_BY_WRITERS = 2
_POINT_LANGUAGES = frozenset({"en", "zh", "ja", "ko", "th"})
"""Those that write decimals with a point; the others of ours write a comma."""

_FIGURES = r"\d+(?:[.,'’\u00a0\u202f]\d+)*"
_CURRENCY = r"(?P<currency>US\$|R\$|[€$£]|EUR|USD|GBP|CNY|JPY|BRL)"
_SPACED = r"\d{1,3}(?: \d{3})+(?:,\d+)?(?![\d.])"


def _pattern(figures: str) -> "regex.Pattern[str]":
    return regex.compile(
        rf"(?:(?<![\p{{Latin}}\p{{Greek}}\p{{Cyrillic}}\p{{N}}_])(?<!\p{{Latin}}-)|(?<=(?<![\p{{L}}\p{{N}}_-])v))"
        rf"(?:{_CURRENCY}\s*)?(?<!\p{{N}}[.,:/])"
        rf"(?P<figures>{figures})(?:st|nd|rd|th|º|ª|er|ème|e)?(?![\p{{N}}]|\([a-z]\))"
    )


_NUMBER, _SPACED_NUMBER = _pattern(_FIGURES), _pattern(rf"{_SPACED}|{_FIGURES}")
_AFTER = regex.compile(
    r"[\s\u00a0-]{0,2}"
    r"(?P<word>[%％‰€$£]|\p{Han}{1,3}|[\p{Hiragana}\p{Katakana}]+|(?:per|por|pour) ?cent(?:o|age)?|\p{L}+)"
)
_ABOUT = regex.compile(
    r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|over|more than|at least|up to|cerca de"
    r"|aproximadamente|quase|mais de|environ|presque|plus de|près de|alrededor de|casi|más de|etwa|ungefähr|rund|fast"
    r"|circa|ca\.|über|mehr als|大约|约|近|超过|多于|约为|約|およそ)\W*$",
    regex.I,
)


@dataclass(frozen=True, slots=True)
class Number:
    """`values` are the readings of the figures, none where they are a version, "6.15.0"; `kind` and `factor` say the
    unit, "" where none is known. `vague`: it may be no count at all, "one of them", or one that a writer makes, "these
    two options"."""

    written: str
    values: tuple[float, ...]
    kind: str = ""
    factor: float = 1.0
    about: bool = False
    vague: bool = False

    def agrees(self, other: "Number") -> bool:
        """Whether the other states this number, as the same amount of the same unit where both name one."""
        if self.kind and other.kind:
            return self.kind == other.kind and self._equals(other, self.factor / other.factor)
        return self._equals(other, 1.0) or self.written == other.written

    def _equals(self, other: "Number", factor: float) -> bool:
        pairs = ((mine * factor, theirs) for mine in self.values for theirs in other.values)
        return any(math.isclose(m, t, rel_tol=1e-9) or (self.about and _rounds_to(t, m)) for m, t in pairs)


def _rounds_to(exact: float, stated: float) -> bool:
    """Whether the stated number is the exact one to its own significant digits, two at least."""
    if not exact or not stated:
        return False
    digits = max(len(f"{stated:.15g}".replace(".", "").strip("0")), 2)
    return math.isclose(float(f"{exact:.{digits}g}"), stated, rel_tol=1e-9)


@lru_cache(maxsize=8_000)
def numbers(text: str, lang: str) -> tuple[Number, ...]:
    """In order of appearance: first those in figures, then those in words."""
    return (*_in_figures(text, lang), *_in_words(text, lang))


def _in_figures(text: str, lang: str) -> Iterator[Number]:
    pattern = _NUMBER if lang in _POINT_LANGUAGES else _SPACED_NUMBER
    for match in pattern.finditer(text):
        values = readings(match["figures"], lang)
        end = match.end()
        scale, end = scale_of(text, end, lang)
        kind, factor = unit_of(match["currency"] or "") or _unit_after(text, end) or ("", 1.0)
        written = text[match.start() : end].strip()
        about = bool(_ABOUT.search(text[max(0, match.start() - 20) : match.start()]))
        yield Number(written, tuple(value * scale for value in values), kind, factor, about)


def _in_words(text: str, lang: str) -> Iterator[Number]:
    for word in words_in(text, lang):
        kind, factor = word.unit or _unit_after(text, word.end) or ("", 1.0)
        about = bool(_ABOUT.search(text[max(0, word.start - 20) : word.start]))
        vague = word.vague or (word.value <= _COUNTED_BY_WRITERS and not kind and not UNSPACED.match(text[word.start]))
        yield Number(text[word.start : word.end], (word.value,), kind, factor, about, vague)


def _unit_after(text: str, end: int) -> tuple[str, float] | None:
    after = _AFTER.match(text, end)
    if not after:
        return None
    word = after["word"]
    if UNSPACED.match(word):
        return next((unit for n in range(len(word), 0, -1) if (unit := unit_of(word[:n]))), None)
    return unit_of(word.rstrip(".")) if len(word) > 1 or not word.isupper() else None


def readings(figures: str, lang: str) -> tuple[float, ...]:
    """What the figures can mean, first what they mean in that language; nothing for a version or an address."""
    plain = regex.sub(r"[\s'’\u00a0\u202f]", "", figures)
    marks = regex.findall(r"[.,]", plain)
    if not marks:
        return (float(plain),)
    if len(set(marks)) == 2:
        return _mixed(plain, marks)
    groups = regex.split(r"[.,]", plain)
    is_grouped = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:]) and not plain.startswith("0")
    whole, decimal = float("".join(groups)), float(".".join(groups[:2]))
    if len(marks) > 1:
        return (whole,) if is_grouped else ()
    if not is_grouped:
        return (decimal,)
    return (whole,) if (marks[0] == ",") == (lang in _POINT_LANGUAGES) else (decimal,)


def _mixed(plain: str, marks: list[str]) -> tuple[float, ...]:
    last = marks[-1]
    if marks.count(last) > 1:
        return ()
    whole, _, fraction = plain.rpartition(last)
    return (float(f"{regex.sub(r'[.,]', '', whole)}.{fraction}"),)
