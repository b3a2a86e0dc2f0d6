"""Whatever form a model gives its citations: read as marks `[1][2]` at the end of what they stand for.

A number in brackets that is no citation gets round ones: a year, or a reference of the source that was copied with
its sentence. So every `[n]` outside code is a mark. Code that was written as text, `rows[1] = 2`, becomes code.
"""

from collections.abc import Iterable, Mapping, Sequence

import regex

from retrieval.answer.code import around_code, plain_code
from retrieval.answer.source_list import without_source_list
from retrieval.text import UNSPACED
from retrieval.types import MARK

_WORD = (
    r"(?:sources?|passages?|citations?|cites?|refs?\.?|references?|excerpts?|evidence|fontes?|refer[êe]ncias?|fuentes?"
    r"|referencias?|quellen?|r[ée]f[ée]rences?|extraits?|passagens?|passagem|pasajes?|abschnitte?|textstellen?"
    r"|来源|出处|资料|文献|参考|段落|出典|資料|文書)"
)
_SEE = r"(?:(?:see|cf\.?|voir|ver|siehe|vgl\.?|参见|见)\s+)?"
_AND = r"(?:[,;、，；&+]|\band\b|\be\b|\by\b|\bet\b|\bund\b|和|と|及)"
_TO = r"(?:[-–—‑~～至]|\b(?:to|bis)\b)"
_NUMBER = rf"(?:{_WORD}\s*)?[#^]?\d{{1,3}}"
_NUMBERS = rf"(?P<numbers>{_NUMBER}(?:\s*(?:{_AND}|{_TO})\s*{_NUMBER})*)"
_LABEL = rf"{_SEE}(?:{_WORD}|documents?|docs?)?\s*[.:：#]?\s*"
_LINK = r"(?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\))"
_SQUARE = regex.compile(
    rf"\\?[\[【［〔]+\s*{_LABEL}{_NUMBERS}(?:\s*(?:[†‡|:]|[,;]\s*(?=\p{{L}}))[^\]】］〕\n]*)?\s*\\?[\]】］〕]+{_LINK}?",
    regex.I,
)
_PICTURE = regex.compile(rf"!\[\s*\d*\s*\]{_LINK}")
_ROUND = regex.compile(rf"[(（]\s*{_SEE}{_WORD}\s*[.:：#]?\s*{_NUMBERS}\s*[)）]", regex.I)
_RAISED = regex.compile(r"<sup>\s*\[?([\d,\s–-]+)\]?\s*</sup>", regex.I)
_MEMBER = regex.compile(rf"(\d{{1,3}})(?:\s*{_TO}\s*[#^]?(\d{{1,3}}))?", regex.I)
_FROM_MARK_TO_MARK = regex.compile(r"\[(\d{1,3})\][-–—‑~～]\[(\d{1,3})\]")
_INTERVAL = regex.compile(r"\[\s*0\s*[,;]\s*\d+\s*\]")
_INDEXED = regex.compile(
    r"\b[A-Za-z_]\w*(?:\[\d+\])+(?=\s*(?:[-+*/]?=(?!=)|\.[A-Za-z_]|\(\)))|\b[A-Za-z_]\w*(?:\[\d+\])*\[0\]"
)
_LONG_NUMBER = regex.compile(r"\[(\d{4,})\]")

_RUN = rf"\[\d{{1,3}}\](?:[ \t]*{_AND}?[ \t]*\[\d{{1,3}}\])*"
_MARKS = regex.compile(_RUN)
_WRAPPED = regex.compile(rf"[(（]\s*{_SEE}({_RUN})\s*[)）]", regex.I)
_STOP = r"[.!?…]+[\"'”’»)*_]*|[。！？]+[”’」』）*_]*"
_AFTER_STOP = regex.compile(
    rf"[ \t]*({_STOP})[ \t]*({_RUN})(?=[ \t]*(?:$|[\p{{Lu}}\p{{Lo}}\p{{Nd}}\p{{Co}}*_(\"“«¿¡|-]))", regex.M
)
_OPENS_LINE = regex.compile(
    rf"^([\s>]*(?:(?:[-*+•]|\d{{1,3}}[.)])\s+)?)({_RUN})[ \t]*[:.]?[ \t]*"
    rf"(?=[\p{{Lu}}\p{{Lo}}\p{{Nd}}\p{{Co}}*_\"“])(.+?)(?=(?:{_STOP})(?:\s|$)|[。！？]|$)",
    regex.M,
)
_ALONE = regex.compile(rf"(?<=[^\n\p{{Co}}])[ \t]*\n\s*({_RUN})[ \t]*$", regex.M)
_AFTER_ROW = regex.compile(rf"[ \t]*\|[ \t]*({_RUN})[ \t]*$", regex.M)
_SPACE_BEFORE = regex.compile(rf"[ \t]*({_RUN})")
_LEFT_OVER = regex.compile(r"(?<=\S)[ \t]+(?=[.,;:!?。，；：！？](?:\s|$))|[ \t]+$", regex.M)
_MOST_IN_RANGE = 20
_COPIED_BEFORE = 12
"""Characters that must be the same before a number in brackets for it to be the source's own."""


def read(answer: str, passages: Sequence[str] = ()) -> str:
    """The answer as Markdown without a list of sources, its citations as marks `[n]` that count as the model counted,
    those of no passage too. `passages` are the texts it was written from."""
    sources = [_squeezed(passage) for passage in passages]
    text = without_source_list(plain_code(answer))
    # Indexes that were written as text are code from here on.
    text = plain_code(around_code(lambda prose: _INDEXED.sub(lambda code: f"`{code[0]}`", prose), text))
    return around_code(lambda prose: _placed(_marked(prose, sources)), text).strip()


def marks(text: str) -> tuple[int, ...]:
    """The numbers of the marks outside code, each once, in order of first use."""
    found: dict[int, None] = {}

    def note(prose: str) -> str:
        found.update(dict.fromkeys(int(mark[1]) for mark in MARK.finditer(prose)))
        return prose

    around_code(note, text)
    return tuple(found)


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """Each mark outside code under the number given for it, once in a run of marks; one without a number goes."""

    def renumber(run: "regex.Match[str]") -> str:
        return _run(numbers[n] for n in map(int, regex.findall(r"\d+", run[0])) if n in numbers)

    return around_code(lambda prose: str(_LEFT_OVER.sub("", _MARKS.sub(renumber, prose))), text)


def without_marks(text: str) -> str:
    return renumbered(text, {}).strip()


def _marked(prose: str, sources: Sequence[str]) -> str:
    """Every form of citation to a run of marks."""

    def square(found: "regex.Match[str]") -> str:
        before = prose[max(0, found.start() - 60) : found.start()]
        if _INTERVAL.fullmatch(found[0]) or _is_copied(before, found[0], sources):
            return f"({found['numbers']})"
        return _run(_numbers(found["numbers"]))

    prose = _RAISED.sub(r"[\1]", _PICTURE.sub("", prose))
    prose = _ROUND.sub(lambda found: _run(_numbers(found["numbers"])), _SQUARE.sub(square, prose))
    prose = _FROM_MARK_TO_MARK.sub(lambda found: _run(_numbers(f"{found[1]}-{found[2]}")), prose)
    return str(_WRAPPED.sub(r"\1", _LONG_NUMBER.sub(r"(\1)", prose)))


def _numbers(group: str) -> list[int]:
    """Members of "1, 3-5 and 7"; of a range that is no sensible one, its ends."""
    found: list[int] = []
    for member in _MEMBER.finditer(group):
        first, last = int(member[1]), int(member[2] or member[1])
        found += range(first, last + 1) if first <= last < first + _MOST_IN_RANGE else (first, last)
    return found


def _run(numbers: Iterable[int]) -> str:
    return "".join(f"[{n}]" for n in dict.fromkeys(numbers))


def _is_copied(before: str, bracket: str, sources: Sequence[str]) -> bool:
    context = _squeezed(before)[-_COPIED_BEFORE:]
    copied = context + _squeezed(bracket)
    return len(context) == _COPIED_BEFORE and any(copied in source for source in sources)


def _squeezed(text: str) -> str:
    return str(regex.sub(r"\s+", "", text))


def _placed(prose: str) -> str:
    """Marks at the end of what they stand for: before the full stop, in the last cell of a row."""
    prose = _OPENS_LINE.sub(r"\1\3\2", prose)
    prose = _ALONE.sub(r" \1", prose)
    prose = _AFTER_ROW.sub(r" \1 |", prose)
    prose = _AFTER_STOP.sub(r"\2\1", prose)
    return str(_SPACE_BEFORE.sub(_spaced, prose))


def _spaced(found: "regex.Match[str]") -> str:
    """One space before marks after a spaced script, none after an unspaced one or where the line begins."""
    before = found.string[: found.start()][-1:]
    run = _run(map(int, regex.findall(r"\d+", found[1])))
    if not before or before.isspace():
        return found[0][: len(found[0]) - len(found[1])] + run
    return run if UNSPACED.match(before) or before in '（(“"「' else f" {run}"
