"""The days, months and years that a text names, in the languages that people write to the bot in."""

import calendar
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from retrieval.text import fold

_MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "jan fev mar abr mai jun jul ago set out nov dez",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "ene feb mar abr may jun jul ago sept oct nov dic",
    "jan feb mrz apr mai jun jul aug sep okt nov dez",
)
_MONTH_FIRST_LANGUAGES = frozenset({"en"})
"""Where 03/04/2026 is the fourth of March to some."""

_HAN_DIGITS = {character: str(value) for value, character in enumerate("〇一二三四五六七八九")} | {"零": "0"}
_NUMBER = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_HAN_YEAR = r"(?:(?<!\d)[12]\d{3}|[一二][〇零一二三四五六七八九]{3})"
_OF = r"(?:\s+(?:de|del|of|du))?"
_DAY = r"(?<!\d)(?P<d>\d{1,2})(?:st|nd|rd|th|er|[ºª.])?"
_YEAR = r"(?P<y>[12]\d{3})(?!\d)"
_FIRST_YEAR, _LAST_YEAR = 1900, 2199


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A day, or the days of a month or year, and where in the text it is written."""

    first: dt.date
    last: dt.date
    start: int
    end: int

    @property
    def is_year(self) -> bool:
        return (self.last - self.first).days > 31


def written_dates(text: str, lang: str) -> list[WrittenDate]:
    """In order, none overlapping another. A date that can be read in two ways, and one that is none, is left out."""
    found: list[WrittenDate] = []
    candidates = (match for pattern in _patterns() for match in pattern.finditer(text))
    end = 0
    for match in sorted(candidates, key=lambda match: (match.start(), -match.end())):
        if match.start() >= end:
            end = match.end()
            found += _read(match, lang)
    return found


@lru_cache(maxsize=1)
def _month_numbers() -> dict[str, int]:
    return {fold(name): number for names in _MONTHS for number, name in enumerate(names.split(), start=1)}


@lru_cache(maxsize=1)
def _patterns() -> tuple["regex.Pattern[str]", ...]:
    names = {form for line in _MONTHS for name in line.split() for form in (name, fold(name))} | {"maerz"}
    month = rf"(?<!\p{{L}})(?P<name>{'|'.join(sorted(names, key=len, reverse=True))})(?!\p{{L}})\.?"
    return tuple(
        regex.compile(pattern, regex.I)
        for pattern in (
            rf"(?<![\d.]){_YEAR}(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?!\d)",
            r"(?<![\d.-])(?P<y>[12]\d{3})[-/](?P<m>0[1-9]|1[0-2])(?![\d-])",
            r"(?<![\d./-])(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?P=s)(?P<y>[12]\d{3})(?!\d)",
            rf"(?P<y>{_HAN_YEAR})\s?年度?(?:\s?(?P<m>{_NUMBER})\s?月(?:\s?(?P<d>{_NUMBER})\s?[日号號])?)?",
            rf"{_DAY}{_OF}[\s-]*{month}{_OF}\s*,?[\s-]*{_YEAR}",
            rf"{month}[\s-]+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)\s*,?\s+{_YEAR}",
            rf"{month}{_OF}\s*,?[\s-]*{_YEAR}",
            r"(?<![\p{L}\d.,:/$€£¥#§-])(?P<y>(?:19|20)\d{2})(?![\p{Latin}\d]|[.,:/-]\d|\s?[%€$£¥]|\s?(?:eur|usd|dollar))",
        )
    )


def _read(match: "regex.Match[str]", lang: str) -> Iterator[WrittenDate]:
    parts = match.groupdict()
    if parts.get("a"):
        readings = _by_order(int(parts["a"]), int(parts["b"]), lang if parts["s"] != "." else "")
    else:
        name = parts.get("name")
        readings = {(_month_numbers()[_plain_month(name)] if name else _value(parts.get("m")), _value(parts.get("d")))}
    year = int("".join(_HAN_DIGITS.get(digit, digit) for digit in parts["y"]))
    days = [days for month, day in readings if (days := _days(year, month, day))]
    if len(days) == 1:
        yield WrittenDate(*days[0], match.start(), match.end())


def _plain_month(name: str) -> str:
    return "marz" if name.lower() == "maerz" else fold(name)


def _by_order(first: int, second: int, lang: str) -> set[tuple[int | None, int | None]]:
    """Month and day of 03/04: in both orders where that is not known."""
    day_first: tuple[int | None, int | None] = (second, first)
    return {day_first, (first, second)} if lang in _MONTH_FIRST_LANGUAGES else {day_first}


def _value(digits: str | None) -> int | None:
    """Of figures, or of Chinese numerals below a hundred."""
    if digits is None:
        return None
    if digits.isdecimal():
        return int(digits)
    tens, ten, ones = digits.rpartition("十")
    return 10 * (int(_HAN_DIGITS.get(tens, "1")) if ten else 0) + int(_HAN_DIGITS.get(ones, "0"))


def _days(year: int, month: int | None, day: int | None) -> tuple[dt.date, dt.date] | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        if month is None:
            return dt.date(year, 1, 1), dt.date(year, 12, 31)
        if day is None:
            return dt.date(year, month, 1), dt.date(year, month, calendar.monthrange(year, month)[1])
        return dt.date(year, month, day), dt.date(year, month, day)
    except ValueError:
        return None
