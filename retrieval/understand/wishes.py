"""The filters that a model reads off a message to filters that there are, and the rest to criteria."""

import calendar
import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

import regex

from retrieval.text import fold
from retrieval.types import Filterable, Filters
from retrieval.understand.faithful import Source
from retrieval.understand.form import FilterForm

_CLOSE = 0.85
"""How alike two names must be (difflib's ratio) to be one with a slip."""

_ALL = {"all", "any", "every", "documents", "files", "tags"}
_DAY = regex.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:T.*)?")
_FIRST_YEAR = 1900
_WORD = regex.compile(r"[\p{L}\p{N}]+")


def resolved(
    wished: FilterForm, there: Filterable, thread: Source, asked: str, today: dt.date
) -> tuple[Filters, list[str]]:
    """The filters that documents can decide, and as criteria what no document matches or nobody asked for.

    Days that the thread does not bear out are not repeated: the message as `asked` is the criterion then.
    """
    documents, no_documents = _matched(wished.documents, there.documents, thread)
    tags, no_tags = _matched(wished.tags, there.tags, thread)
    since, until, no_days = _days(wished, there, thread, asked, today)
    criteria = [f"from the document {name}" for name in no_documents]
    criteria += [f"about {tag}" for tag in no_tags]
    return Filters(documents, tags, since, until), criteria + no_days


def _matched(wished: Iterable[str], there: Sequence[str], thread: Source) -> tuple[tuple[str, ...], list[str]]:
    found: dict[str, None] = {}
    missed = []
    for name in wished:
        words = _words(name)
        if not words or words <= _ALL:
            continue
        match = _match(name, there)
        if match and _words(_stem(match)) & thread.words:
            found[match] = None
        else:
            missed.append(name)
    return tuple(found), missed


def _match(name: str, there: Sequence[str]) -> str | None:
    """The one that is meant: by the whole name, without folder, without extension, by all its words, or but for a slip.

    None where two or more could be meant.
    """
    forms: list[Callable[[str], str]] = [str, _plain, _base, _stem]
    for form in forms:
        if len(same := [one for one in there if form(one) == form(name)]) == 1:
            return same[0]
    if len(wider := [one for one in there if _words(_stem(name)) <= _words(one)]) == 1:
        return wider[0]
    stems = get_close_matches(_stem(name), {_stem(one) for one in there}, n=2, cutoff=_CLOSE)
    close = [one for one in there if _stem(one) in stems]
    return close[0] if len(close) == 1 else None


def _plain(name: str) -> str:
    return fold(" ".join(name.split()))


def _base(name: str) -> str:
    return _plain(name).rsplit("/", 1)[-1]


def _stem(name: str) -> str:
    return regex.sub(r"\.\w{1,5}$", "", _base(name))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


def _days(
    wished: FilterForm, there: Filterable, thread: Source, asked: str, today: dt.date
) -> tuple[dt.date | None, dt.date | None, list[str]]:
    since, until = _day(wished.since, last=False), _day(wished.until, last=True)
    if bool(since) != bool(wished.since) or bool(until) != bool(wished.until):
        vague = [day for day in dict.fromkeys((wished.since, wished.until)) if day]
        return None, None, [f"dated {day}" if thread.has_numbers_of(day) else asked for day in vague]
    if not _borne_out(since, until, thread, today):
        return None, None, [asked]
    if there.since or there.until:
        return since, until, []
    wishes = [(since, "or later"), (until, "or earlier")]
    return None, None, [f"dated {day.isoformat()} {end}" for day, end in wishes if day]


def _borne_out(since: dt.date | None, until: dt.date | None, thread: Source, today: dt.date) -> bool:
    """Whether the thread names the years or, as "last month" does, means days counted from today.

    A single month of an unnamed year is believed only if it is this one or the last: "in June" names none.
    """
    days = [day for day in (since, until) if day]
    if (since and until and until < since) or any(day.year < _FIRST_YEAR for day in days):
        return False
    if all(str(day.year) in thread.numbers for day in days):
        return True
    first, end = since or days[0], until or today
    if (first.year, first.month) == (end.year, end.month):
        return first >= (today.replace(day=1) - dt.timedelta(days=1)).replace(day=1) and first <= today
    return first <= today and end.year >= today.year - 1


def _day(text: str, *, last: bool) -> dt.date | None:
    """A day, or the first or last one of a month or year."""
    if not (parts := _DAY.fullmatch(text)):
        return None
    year, month, day = int(parts[1]), int(parts[2] or (12 if last else 1)), parts[3]
    try:
        return dt.date(year, month, int(day or (calendar.monthrange(year, month)[1] if last else 1)))
    except (ValueError, calendar.IllegalMonthError):
        return None
