"""Words for numbers and units, in the languages of numbers.toml and in Chinese and Japanese."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import regex

from retrieval.text import fold

_HAN_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000, "亿": 10**8, "億": 10**8}
HAN_NUMBER = r"[零〇一二三四五六七八九十百千万萬亿億两兩]+"
_HAN = regex.compile(HAN_NUMBER)
_COUNTER = regex.compile(
    r"[天日年月周週岁歳歲人名位个個项項条條款章节節次回件份家元円点點分秒时時小]|[级級层層倍种種台只本页頁期届折成]|か月|ヶ月|星期|公里|米|克"
)
_HAN_WORDS = regex.compile(
    r"一(?:般|些|定|直|起|样|致|切|旦|律|并|方|同|番|緒|部|応)|统一|唯一|之一|万一|三角|四方|十分|千万(?=[不要别])|百姓"
)
_HAN_SCALE = regex.compile(r"\s?([百千万萬亿億]+)")
_NEXT_WORD = regex.compile(r"[\s\u00a0-]?(\p{L}+)(?!\p{L})")
_WORD = regex.compile(r"\p{L}+")
_LONGEST_SHORT_FORM = 2
"""Letters of short forms such as k and bn, which mean a number behind figures only."""


@dataclass(frozen=True, slots=True)
class NumberWord:
    """A number in words, from `start` to before `end`; the unit it has of itself, as (kind, factor)."""

    start: int
    end: int
    value: float
    vague: bool = False
    unit: tuple[str, float] | None = None


@dataclass(frozen=True)
class _Vocabulary:
    """Words by value; those that join two, "and"; those that may be no number, "one" or "million" alone."""

    values: dict[str, float]
    joints: frozenset[str]
    vague: frozenset[str]


def words_in(text: str, lang: str) -> Iterator[NumberWord]:
    yield from _in_han(text)
    vocabulary = _vocabularies().get(lang)
    if vocabulary:
        yield from _in_letters(text, vocabulary)


def scale_of(text: str, end: int, lang: str) -> tuple[float, int]:
    """The factor that a word right behind a number in figures multiplies it by, and where that word ends."""
    if han := _HAN_SCALE.match(text, end):
        return float(han_value(f"一{han[1]}")), han.end()
    word, vocabulary = _NEXT_WORD.match(text, end), _vocabularies().get(lang)
    value = vocabulary.values.get(fold(word[1]), 0) if word and vocabulary else 0
    return (value, word.end()) if word and value >= 100 else (1.0, end)


@lru_cache(maxsize=20_000)
def unit_of(name: str) -> tuple[str, float] | None:
    """Kind and factor of the unit of that folded name."""
    return _units().get(fold(name))


def han_value(run: str) -> int:
    """Of 一万二千 12,000; of 二〇二四, digits alone, 2024."""
    if not any(character in _HAN_SCALES for character in run):
        return int("".join(str(_HAN_DIGITS[character]) for character in run))
    total = section = digit = 0
    for character in run:
        scale = _HAN_SCALES.get(character)
        if scale is None:
            digit = _HAN_DIGITS[character]
        elif scale < 10_000:
            section += (digit or 1) * scale
            digit = 0
        else:
            total += (section + digit or 1) * scale
            section = digit = 0
    return total + section + digit


def _in_han(text: str) -> Iterator[NumberWord]:
    none = {at for word in _HAN_WORDS.finditer(text) for at in range(word.start(), word.end())}
    for run in _HAN.finditer(text):
        if run.start() in none or text[run.start() : run.end() + 1] == "百分":
            continue
        counted = bool(_COUNTER.match(text, run.end()))
        before = text[max(0, run.start() - 3) : run.start()]
        is_percent = before == "百分之"
        certain = counted or is_percent or before.endswith("第") or len(run[0]) > 1
        yield NumberWord(
            run.start(), run.end(), han_value(run[0]), not certain, ("percent", 1.0) if is_percent else None
        )


def _in_letters(text: str, vocabulary: _Vocabulary) -> Iterator[NumberWord]:
    found: list[NumberWord] = []
    for word in _WORD.finditer(text):
        value = vocabulary.values.get(fold(word[0]))
        if value is None or (value >= 100 and len(word[0]) <= _LONGEST_SHORT_FORM):
            continue
        last = found[-1] if found else None
        joined = _joined(last.value, value) if last and _adjacent(text[last.end : word.start()], vocabulary) else None
        if last and joined is not None:
            found[-1] = NumberWord(last.start, word.end(), joined)
        else:
            found.append(NumberWord(word.start(), word.end(), value, fold(word[0]) in vocabulary.vague))
    yield from found


def _adjacent(gap: str, vocabulary: _Vocabulary) -> bool:
    bare = gap.replace("-", " ").strip()
    return len(gap) <= 8 and (not bare or fold(bare) in vocabulary.joints)


def _joined(total: float, value: float) -> float | None:
    """One number of two that stand side by side, "twenty" "six" or "two" "hundred"; None where they are two."""
    thousands, rest = divmod(total, 1000)
    if value >= 1000:
        return max(total, 1) * value if total < value else None
    if value == 100 and 0 < rest < 10:
        return thousands * 1000 + rest * value
    if value >= 100:
        return total + value if total >= 1000 and not rest else None
    if (total, value) == (4, 20):  # quatre-vingts
        return 80
    if value >= 10:
        return total + value if (total >= 100 and not total % 100) or (total in (60, 80) and value < 20) else None
    return total + value if (total >= 20 and not total % 10) or (total == 10 and value >= 7) else None


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return tomllib.loads(resources.files("retrieval.answer").joinpath("numbers.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def _units() -> dict[str, tuple[str, float]]:
    return {
        fold(name): (kind, float(factor))
        for kind, units in _table()["units"].items()
        for factor, *names in units.values()
        for name in names
    }


@lru_cache(maxsize=1)
def _vocabularies() -> dict[str, _Vocabulary]:
    return {
        lang: _vocabulary(lang, words)
        for lang, words in _table().items()
        if lang not in ("units", "months", "weekdays")
    }


def _vocabulary(lang: str, words: dict[str, Any]) -> _Vocabulary:
    small, tens = words["small"].split(), words["tens"].split()
    values: dict[str, float] = {word: float(n) for n, word in enumerate(small) if word.isalpha()}
    values |= {word: 10.0 * n for n, word in enumerate(tens, start=2)}
    values |= {word: float(n) for word, n in {**words["scales"], **words.get("also", {})}.items() if word.isalpha()}
    values |= {word: float(n) for n, word in enumerate(words["ordinals"].split(), start=3)}
    if lang == "de":
        values |= _german(small, tens, words["joints"])
    return _Vocabulary(
        {fold(word): value for word, value in values.items()},
        frozenset(words["joints"].split()),
        frozenset(map(fold, [*words["vague"].split(), *words["scales"]])),
    )


def _german(small: list[str], tens: list[str], joint: str) -> dict[str, float]:
    """Those that are written as one word, below 1,000."""
    below: dict[str, float] = {word: float(n) for n, word in enumerate(small) if n}
    units = {word.removesuffix("s") if n == 1 else word: n for n, word in enumerate(small[1:10], start=1)}
    for ten, word in enumerate(tens, start=2):
        below[word] = 10.0 * ten
        below |= {f"{unit}{joint}{word}": 10.0 * ten + n for unit, n in units.items()}
    hundreds = {f"{unit}hundert": 100.0 * n for unit, n in units.items()} | {"hundert": 100.0}
    return below | hundreds | {f"{h}{word}": a + b for h, a in hundreds.items() for word, b in below.items()}


@lru_cache(maxsize=1)
def calendar_words() -> tuple[dict[str, int], dict[str, int], frozenset[str]]:
    """Months from 1 and weekdays from Monday as 0 by folded name, and the months' names that mean other things too."""
    months = dict(_table()["months"])
    ambiguous = frozenset(map(fold, months.pop("also_mean_other_things").split()))
    return (
        {fold(name): n for names in months.values() for n, name in enumerate(names.split(), start=1)},
        {fold(name): n for names in _table()["weekdays"].values() for n, name in enumerate(names.split())},
        ambiguous,
    )
