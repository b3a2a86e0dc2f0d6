"""A document to its date.

What the one who brings the file says goes before all. Then comes what the file states of itself as data (front matter,
the date of a message), which its author wrote for this very purpose. Then the later of two days: the one in its name,
and the one from which its text says it is in force. A law that was amended says in its text when its first version came
into force, and a file that was copied and changed may keep its old name; neither is ever too late. When a file was
saved or printed says nothing of how old its content is, and is not asked.
"""

import datetime as dt

import regex

from retrieval.dates import WrittenDate, written_dates
from retrieval.text import language, normalise
from retrieval.types import ParsedDocument, SourceFile

_OPENING_CHARS = 3_000
_CLOSING_CHARS = 1_500
_PHRASE_CHARS = 60
_FUTURE = dt.timedelta(days=10 * 366)

_IN_FORCE = regex.compile(
    r"""(?:(?<!\p{L})(?:
      (?:effective|valid|appl(?:y|ies|ied|icable)
        |(?:(?:com(?:es?|ing)\ in)?to|in|tak(?:es?|ing)|with)\ (?:force|effect))
        (?:\ date)?\ ?(?:as\ (?:of|from)|from|on|since|:)(?:\ the)?
    | (?:gültig|gilt|in\ kraft|wirksam|tritt|geltend|stand)\s?(?:ab|seit|vom|am|mit\ wirkung\ vom|:)?(?:\ dem)?
    | (?:valables?|applicables?|en\ vigueur|prend\ effet|entre\ en\ vigueur|à\ compter|effet)
        \s?(?:à\ (?:partir|compter|dater)\ du|depuis\ le|dès\ le|au|le|du|:)
    | (?:vigentes?|válid[oa]s?|en\ vigor|aplicables?|entra(?:rá)?\ en\ vigor|con\ efectos?)
        \s?(?:a\ partir\ del?|desde(?:\ el)?|el|del?|:)(?:\ día)?
    | (?:vigentes?|válid[oa]s?|em\ vigor|aplicáve(?:l|is)|entra(?:rá)?\ em\ vigor|com\ efeitos?)
        \s?(?:a\ partir\ de|desde|a\ contar\ de|em|[ao]|de|:)(?:\ dia)?
    ) | (?:生效日期|施行日期|实施日期|发布日期|施行日|発効日|適用開始日)\s?[:：]? | (?:施行|适用|生效)[于於] )\s*$""",
    regex.I | regex.X,
)
_THEN_IN_FORCE = regex.compile(r"\s?(?:起|より|から)[^。\n]{0,12}?(?:施行|生效|实施|實施|执行|適用|発効)")


def document_date(file: SourceFile, document: ParsedDocument, name: str) -> dt.date | None:
    """By what is most to be trusted; None where nothing tells. `name` is the file's own."""
    told = filter(None, (effective_date(document), date_in_name(name)))
    return file.date or document.date or max(told, default=None)


def effective_date(document: ParsedDocument) -> dt.date | None:
    """The day from which on the document says it is in force, near its beginning or, as laws do, its end."""
    text = "\n".join(block.text for block in document.blocks)
    short = len(text) <= _OPENING_CHARS + _CLOSING_CHARS
    parts = [normalise(part) for part in ([text] if short else [text[:_OPENING_CHARS], text[-_CLOSING_CHARS:]])]
    lang = language(parts[0])
    found = (date for part in parts for date in written_dates(part, lang) if _in_force_from(part, date))
    return next((date.first for date in found if _plausible(date)), None)


def date_in_name(name: str) -> dt.date | None:
    """The last day, or the first day of the month, that a file's name holds: "rules (2024-11-10).pdf", "v2024-11"."""
    text = normalise(name).replace("_", "-")
    text = regex.sub(r"(?<!\d)((?:19|20)\d{2})([01]\d)([0-3]\d)(?!\d)", r"\1-\2-\3", text)
    text = regex.sub(r"(?<=\d)\s*\.\s*(?=\p{L}+$)", " ", text)
    found = [date for date in written_dates(text, "") if not date.is_year and _plausible(date)]
    return found[-1].first if found else None


def _in_force_from(text: str, date: WrittenDate) -> bool:
    before = text[max(0, date.start - _PHRASE_CHARS) : date.start]
    return not date.is_year and bool(_THEN_IN_FORCE.match(text, date.end) or _IN_FORCE.search(before))


def _plausible(date: WrittenDate) -> bool:
    return date.first <= dt.date.today() + _FUTURE
