"""Lists of sources that a model writes under its answer: they go, for sources come from metadata."""

from itertools import takewhile

import regex

_MARK = r"(?:\[\^?\d{1,3}\]|【\d{1,3}[^】\n]*】|［\d{1,3}］)"
_HEADING = regex.compile(
    r"^[\s>#*_-]*(?:list of |cited )?"
    r"(?P<word>sources?(?: (?:used|cited|consulted))?|references?|citations?|footnotes?|bibliography|works cited"
    r"|fontes?|refer[êe]ncias?(?: bibliogr[áa]ficas)?|r[ée]f[ée]rences?|fuentes?|referencias?|quellen?(?:angaben"
    r"|verzeichnis|nachweise?)?|nachweise?|einzelnachweise?|fonti|bronnen|来源|资料来源|信息来源|参考(?:文献|资料|来源)|引用(?:来源)?"
    r"|出处|出典|参照(?:元|資料)?|参考)"
    r"[\s*_]*(?P<colon>[:：]?)[\s*_]*(?P<rest>.*)$",
    regex.I,
)
_ENTRY = regex.compile(
    rf"^[\s>*+•-]*(?:{_MARK}|\d{{1,3}}[.)、:]|(?:source|passage|document)\s*\d|https?://|<?https?:|[-*+•]\s|\|)",
    regex.I,
)
_MARKED_LINE = regex.compile(rf"^[\s>*+•-]*({_MARK})\s*(?P<colon>[:：])?\s*(?P<rest>.*)$")
_RULE = regex.compile(r"^\s*(?:[-*_]\s*){3,}$")
_LONGEST_REST = 200


def without_source_list(markdown: str) -> str:
    """The Markdown, whose code is plain, up to the list of sources at its end, and without definitions of marks and
    lists that each name a mark first before its end."""
    lines = _without_inner_lists([line for line in markdown.split("\n") if not _defines_mark(line)])
    start = next((at for at, line in enumerate(lines) if _begins_list(line, lines[at + 1 :])), None)
    if start is None:
        start = _unheaded_list(lines)
    kept = lines[:start]
    while kept and (not kept[-1].strip() or _RULE.match(kept[-1])):
        kept.pop()
    return "\n".join(kept)


def _defines_mark(line: str) -> bool:
    """A link definition or a footnote, `[1]: …`."""
    marked = _MARKED_LINE.match(line)
    return bool(marked and marked["colon"])


def _without_inner_lists(lines: list[str]) -> list[str]:
    kept: list[str] = []
    at = 0
    while at < len(lines):
        end = at + 1
        if (heading := _HEADING.match(lines[at])) and not heading["rest"].strip():
            end += len(list(takewhile(_names_mark_first, lines[end:])))
        kept += lines[at:end] if end == at + 1 else []
        at = end
    return kept


def _names_mark_first(line: str) -> bool:
    marked = _MARKED_LINE.match(line)
    return bool(marked and marked["rest"])


def _begins_list(line: str, below: list[str]) -> bool:
    heading = _HEADING.match(line)
    if not heading:
        return False
    rest = heading["rest"].strip()
    entries = [entry for entry in below if entry.strip()]
    if rest:
        return bool(heading["colon"]) and len(rest) <= _LONGEST_REST and all(map(_ENTRY.match, entries))
    return bool(entries) and all(map(_ENTRY.match, entries))


def _unheaded_list(lines: list[str]) -> int | None:
    """Where lines begin that each name a mark first, when all of those marks stand in the text above them."""
    at = len(lines)
    numbers: set[str] = set()
    while at and ((marked := _MARKED_LINE.match(lines[at - 1])) or not lines[at - 1].strip()):
        if marked and not marked["rest"]:
            break
        numbers |= set(regex.findall(r"\d+", marked[1])[:1]) if marked else set()
        at -= 1
    above = {number for line in lines[:at] for number in regex.findall(r"[\[【［^](\d{1,3})(?=[\]】］†,])", line)}
    return at if numbers and numbers <= above else None
