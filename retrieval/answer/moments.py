"""Dates, weekdays and times of day of a text, however its language writes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from retrieval.answer.number_words import HAN_NUMBER, calendar_words, han_value
from retrieval.text import fold

Reading = tuple[int | None, int | None, int | None, int | None, int | None]
"""Year, month, day, weekday from Monday as 0, minute of the day; None for what is not said."""

_MONTH_FIRST_LANGUAGES = frozenset({"en"})
_OF = r"(?:\s+(?:de|del|of|du))?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_ISO = regex.compile(r"(?<!\d)(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)")
_FIGURES = regex.compile(r"(?<![\d.])(?P<a>\d{1,2})([/.-])(?P<b>\d{1,2})\2(?P<year>\d{4}|\d{2})(?![\d.]\d)")
_N = rf"(?:\d{{1,2}}|{HAN_NUMBER})"
_HAN = regex.compile(
    rf"(?P<year>(?<!\d)\d{{4}}|[零〇一二三四五六七八九]{{4}})\s?年(?:\s?(?P<month>{_N})\s?月(?:\s?(?P<day>{_N})\s?[日号號])?)?"
    rf"|(?P<month>(?<!\d){_N})\s?月(?!曜)(?:\s?(?P<day>{_N})\s?[日号號]|(?=[^\p{{Han}}]|份|中|上|下|底|末|初))"
)
_AFTER_NOON = frozenset({"p", "下午", "晚上", "午後"})
_HALF = "上午|下午|晚上|早上|午前|午後"
_CLOCK = regex.compile(
    rf"""(?<![\d:.])(?:(?P<half>{_HALF})\s?)?
    (?: (?P<hour>[01]?\d|2[0-4])
        (?: \s?[:h]\s?(?P<minute>[0-5]\d) | \s?h(?!\p{{L}}) | \s?時(?!間)(?:(?P<minute>[0-5]?\d)分)? )
      | (?P<hour>[01]?\d|2[0-4]|{HAN_NUMBER}) \s?[点點时]
        (?: (?P<minute>[0-5]?\d)分 | (?=[钟鐘整到至前后後開开]) | (?<=(?:{_HALF})\s?\S{{1,3}}\s?[点點时])(?!间) )
      | (?P<hour>1[0-2]|0?\d)(?:[:.](?P<minute>[0-5]\d))?(?=\s?[ap]\.?\s?m\b)
    ) (?: \s?(?P<half>[ap])\.?\s?m\b\.? | (?!\d|:\d) )""",
    regex.I | regex.X,
)
"""三点 may be "three points": it is a time only beside a half of the day or what follows a time."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a part of one ("March 2026", "Friday") or a time of day. More than one reading where it can be read in
    two ways: 05/03 by the order, "5:00" by the half of the day."""

    written: str
    readings: tuple[Reading, ...]
    start: int
    end: int

    def agrees(self, other: "Moment", years: frozenset[int]) -> bool:
        """Whether the other says all that this does. The year may also be one of `years`, said elsewhere."""
        return any(_within(mine, theirs, years) for mine in self.readings for theirs in other.readings)


def _within(mine: Reading, theirs: Reading, years: frozenset[int]) -> bool:
    year, other_year = mine[0], theirs[0]
    same_year = year is None or year == other_year or (other_year is None and year in years)
    return same_year and all(m is None or m == t for m, t in zip(mine[1:], theirs[1:], strict=True))


@lru_cache(maxsize=8_000)
def moments(text: str, lang: str) -> tuple[Moment, ...]:
    """In order, none overlapping another."""
    found: list[Moment] = []
    end = 0
    for moment in sorted(_all(text, lang), key=lambda moment: (moment.start, -moment.end)):
        if moment.start >= end:
            found.append(moment)
            end = moment.end
    return tuple(found)


def _all(text: str, lang: str) -> Iterator[Moment]:
    for match in _ISO.finditer(text):
        yield _moment(match, (_date(match["year"], match["month"], match["day"]),))
    for match in _FIGURES.finditer(text):
        yield _moment(match, _figures(match, lang))
    for match in _HAN.finditer(text):
        yield _moment(match, (_date(match["year"], match["month"], match["day"]),))
    for match in _CLOCK.finditer(text):
        yield _moment(match, _clock(match))
    yield from _with_names(text, lang)


def _moment(match: "regex.Match[str]", readings: tuple[Reading, ...]) -> Moment:
    valid = tuple(reading for reading in readings if (reading[1] or 1) <= 12 and (reading[2] or 1) <= 31)
    return Moment(match[0].strip(), valid or readings, match.start(), match.end())


def _date(year: str | None, month: str | int | None, day: str | None) -> Reading:
    return _number(year), _number(month), _number(day), None, None


def _number(part: str | int | None) -> int | None:
    if part is None or isinstance(part, int):
        return part
    return int(part) if part.isdecimal() else han_value(part)


def _figures(match: "regex.Match[str]", lang: str) -> tuple[Reading, ...]:
    year = match["year"] if len(match["year"]) == 4 else f"20{match['year']}"
    day_first = _date(year, match["b"], match["a"])
    return (day_first, _date(year, match["a"], match["b"])) if lang in _MONTH_FIRST_LANGUAGES else (day_first,)


def _clock(match: "regex.Match[str]") -> tuple[Reading, ...]:
    hour, minute = _number(match["hour"]) or 0, int(match["minute"] or 0)
    half = (match["half"] or "").lower()
    if half in _AFTER_NOON:
        hours = [hour % 12 + 12]
    elif half:
        hours = [hour % 12]
    else:
        hours = [hour, hour + 12] if 0 < hour < 12 else [hour]
    return tuple((None, None, None, None, 60 * h + minute) for h in hours)


def _with_names(text: str, lang: str) -> Iterator[Moment]:
    months, weekdays, other_things = calendar_words()
    for pattern in _named_patterns():
        for match in pattern.finditer(text):
            parts = match.groupdict()
            reading = _date(parts.get("year"), months[fold(match["name"])], parts.get("day"))
            alone = reading[0] is None and reading[2] is None
            lower = lang in ("en", "de") and match["name"].islower()
            if not alone or not (lower or fold(match["name"]) in other_things):
                yield _moment(match, (reading,))
    for match in _weekday_pattern().finditer(text):
        yield _moment(match, ((None, None, None, weekdays[fold(match["name"])], None),))


@lru_cache(maxsize=1)
def _named_patterns() -> tuple["regex.Pattern[str]", ...]:
    months, _, _ = calendar_words()
    name = rf"(?<!\p{{L}})(?P<name>{_either(months)})(?!\p{{L}})\.?"
    return (
        regex.compile(rf"(?<!\d){_DAY}{_OF}[\s-]+{name}(?:{_OF}\s*,?[\s-]*{_YEAR})?", regex.I),
        regex.compile(rf"{name}\s+{_DAY}(?!\d|[:.]\d)(?:\s*,?\s+{_YEAR})?", regex.I),
        regex.compile(rf"{name}(?:{_OF}\s*,?\s*{_YEAR})?", regex.I),
    )


@lru_cache(maxsize=1)
def _weekday_pattern() -> "regex.Pattern[str]":
    _, weekdays, _ = calendar_words()
    return regex.compile(rf"(?<![\p{{Latin}}])(?P<name>{_either(weekdays)})s?(?![\p{{Latin}}])", regex.I)


def _either(words: dict[str, int]) -> str:
    """Any of the folded words, its accents written or not."""
    accented = {"a": "[aáâãä]", "e": "[eéè]", "i": "[ií]", "u": "[uúûü]", "c": "[cç]"}
    ordered = sorted(words, key=len, reverse=True)
    return "|".join("".join(accented.get(letter, regex.escape(letter)) for letter in word) for word in ordered)
