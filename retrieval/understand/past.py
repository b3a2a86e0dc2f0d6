"""A message to the superseded versions of documents that it asks for, by its dates and version numbers.

A question about the past names a version ("in version 1 of the travel policy"), a day on which something was in force
("as of March 2024"), or a document by its year ("the 2023 handbook"): then the version of that time stands in for the
current one. A year that is merely mentioned may be what the text is about: then it comes beside.
"""

import datetime as dt
from collections.abc import Iterable

import regex

from retrieval.dates import WrittenDate, written_dates
from retrieval.text import normalise, terms
from retrieval.types import Filters, Past

_NUMBER = r"(?P<number>\d{1,3})(?![\d.,]*\d)"
_VERSION = regex.compile(
    rf"(?<!\p{{L}})(?:v|version|versão|versión|versie|versione|edition|édition|edição|edición|revision|révision|revisão"
    rf"|revisión|fassung|ausgabe)\s?(?:no\.?|nr\.?|n[ºo°]\.?)?\s?{_NUMBER}"
    rf"|(?:版本|バージョン)\s?{_NUMBER}|第\s?{_NUMBER}\s?(?:个版本|版)",
    regex.I,
)
_FIRST = regex.compile(
    r"(?<!\p{L})(?:(?:first|original|erste[nrs]?|ursprüngliche[nrs]?) (?:version|edition|fassung|ausgabe)"
    r"|(?:première|primera|primeira) (?:version|édition|versión|edición|versão|edição)"
    r"|(?:version|versión|versão) (?:initiale|original))(?!\p{L})"
    r"|最初的?版本|第一(?:个版本|版)|最初の(?:版|バージョン)|初版",
    regex.I,
)
_PREVIOUS = regex.compile(
    r"(?<!\p{L})(?:(?:previous|prior|preceding|earlier|old|older|superseded|vorherige[nrs]?|vorige[nrs]?|frühere[nrs]?"
    r"|alte[nrs]?) (?:version|edition|fassung|ausgabe)"
    r"|(?:ancienne|précédente) version|version (?:précédente|antérieure)|(?:versión|edición|versão|edição) anterior"
    r")(?!\p{L})|上一(?:个版本|版)|(?:旧|之前的|以前的)版本?|(?:前の|以前の|旧)(?:版|バージョン)",
    regex.I,
)
_AS_OF = regex.compile(
    r"(?:(?<!\p{L})(?:as of|as at|back in"
    r"|(?:in force|in effect|valid|applicable|applied)(?: (?:in|on|as of|during|at))?"
    r"|zum stand|stand|gültig (?:im|am|in)|galt(?:en)? (?:im|am|in|zum)|in kraft (?:im|am|in)"
    r"|en vigueur (?:en|au|le)|valables? (?:en|au|le)|à la date du"
    r"|vigentes? (?:en|el|a)|en vigor (?:en|el|a)|a fecha del?"
    r"|em vigor (?:em|a|no)|vigentes? em|à data de)(?: the)?"
    r"|截至|截止到?)\s*$",
    regex.I,
)
_THEN = regex.compile(r"\s?(?:时点|時点|当时|當時|施行的|有效的)")
_COMPARED = regex.compile(
    r"(?<!\p{L})(?:chang|differ|compar|between|versus|vs|änder|geändert|untersch|vergl|zwischen|différ|entre|cambi|difer"
    r"|mud|alter)|变化|区别|不同|比较|修改|变更|変更|違い|比較",
    regex.I,
)
_NEAR_CHARS = 28
_SENTENCE_PART = regex.compile(r"[^,;.?!，。；？！、]*")
_VERSION_WORD = regex.compile(r"v|versi?[oãó]n\w*|final|draft|copy|kopie|entwurf", regex.I)
"""Parts of file names that say nothing of what the document is."""
_EXTENSION = regex.compile(r"\.\w{1,5}$")


def past_of(message: str, lang: str, documents: Iterable[str], today: dt.date) -> Past | None:
    """None where only current versions are asked for. `documents` are the names that the message may hold."""
    text = normalise(message)
    names = {term for name in documents for term in _name_terms(name, lang)}
    return _by_version(text, lang, names) or _by_date(text, lang, names, today)


def past_between(filters: Filters, by_words: Past | None, today: dt.date) -> Past | None:
    """The one that the words of the message ask for, else that of filters whose dates all lie in the past."""
    if by_words or filters.until is None or filters.until >= today:
        return by_words
    return Past(as_of=filters.until, alone=bool(filters.documents))


def _by_version(text: str, lang: str, names: set[str]) -> Past | None:
    """`alone` where the version is said to be a document's, and is not compared with another one."""
    numbers = {int(match["number"]): match.span() for match in _VERSION.finditer(text)}
    relative = [
        (number, match) for pattern, number in ((_FIRST, 1), (_PREVIOUS, -1)) if (match := pattern.search(text))
    ]
    if relative:
        return Past(version=relative[0][0], alone=not _COMPARED.search(text))
    number, span = next(iter(numbers.items()), (0, (0, 0)))
    if not number:
        return None
    named = _near(text, *span, lang, names)
    if text[span[0]].lower() == "v" and not text[span[0] + 1].isalpha() and not named:
        return None  # "v2" of whatever product
    return Past(version=number, alone=named and len(numbers) == 1 and not _COMPARED.search(text))


def _by_date(text: str, lang: str, names: set[str], today: dt.date) -> Past | None:
    days = [date for date in written_dates(text, lang) if date.last < today]
    if not days:
        return None  # what is in force now is the current version
    meant = any(_in_force(text, date) or _near(text, date.start, date.end, lang, names) for date in days)
    return Past(as_of=max(date.last for date in days), alone=meant and not _COMPARED.search(text))


def _in_force(text: str, date: WrittenDate) -> bool:
    return bool(_AS_OF.search(text[max(0, date.start - _NEAR_CHARS) : date.start]) or _THEN.match(text, date.end))


def _near(text: str, start: int, end: int, lang: str, names: set[str]) -> bool:
    """Whether a word of a document's name stands close by in the same part of the sentence."""
    before = _SENTENCE_PART.match(text[max(0, start - _NEAR_CHARS) : start][::-1])
    after = _SENTENCE_PART.match(text[end : end + _NEAR_CHARS])
    around = " ".join([before[0][::-1] if before else "", after[0] if after else ""])
    return not names.isdisjoint(terms(around, lang))


def _name_terms(name: str, lang: str) -> list[str]:
    stem = _EXTENSION.sub("", name.rsplit("/", 1)[-1])
    words = [regex.sub(r"[_\d]+", " ", part) for part in regex.split(r"[-.\s]+", stem)]
    return [term for term in terms(" ".join(words), lang) if len(term) > 1 and not _VERSION_WORD.fullmatch(term)]
