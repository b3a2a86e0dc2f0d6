"""Editions of one text among documents, "Leave rules (2013).md" and "Leave rules (2024).md", and which one is meant."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import regex

from retrieval.types import ExtractedQuery

_DATE = regex.compile(
    r"[\s_(（\[-]*(?<!\d)(?P<year>(?:19|20)\d\d)(?:[-./_年](?P<month>\d\d?)(?:[-./_月](?P<day>\d\d?)日?)?)?(?!\d)[年月]?[)）\]]?"
)
_YEAR = regex.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Edition:
    """`text` is the document's name without its date; `is_meant` is true of one edition of a text only."""

    text: str
    is_meant: bool


def editions(documents: Iterable[str], query: ExtractedQuery) -> dict[str, Edition]:
    """Of the documents whose names differ from another one's by a date alone. Meant is the one of a year that the
    question names, or that was in force on the day asked about, or else the newest."""
    groups: dict[str, dict[str, tuple[int, ...]]] = defaultdict(dict)
    for document in documents:
        if dated := _DATE.search(document):
            date = tuple(int(part or 0) for part in dated.group("year", "month", "day"))
            groups[_DATE.sub("", document, count=1)][document] = date
    return {
        document: Edition(text, document == meant)
        for text, dates in groups.items()
        if len(dates) > 1
        for meant in [_meant(dates, query)]
        for document in dates
    }


def _meant(dates: dict[str, tuple[int, ...]], query: ExtractedQuery) -> str:
    years = {int(year) for year in _YEAR.findall(query.main_query)}
    past = query.filters.past
    day = past.as_of.timetuple()[:3] if past and past.as_of else None
    named = [document for document, date in dates.items() if date[0] in years]
    in_force = [document for document, date in dates.items() if day and date <= day]
    return max(named or in_force or dates, key=lambda document: dates[document])
