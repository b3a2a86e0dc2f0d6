"""Markdown to Markdown without what its readers do not see once it is shown as a page."""

import html
from collections.abc import Iterator
from itertools import groupby

import regex
from markdown_it import MarkdownIt

from retrieval.styles import concealment, plainly
from retrieval.types import Concealment, HiddenText

_BLOCKS = MarkdownIt("commonmark").enable("table").disable(["reference", "inline"])
_TICKS = regex.compile(r"(?<!\\)`+|(?<=\\`)`+")
_TAG = regex.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][\w-]{0,40})"
    r"(?P<attributes>(?:\"[^\"]{0,2000}\"|'[^']{0,2000}'|[^<>\"']){0,2000})>"
)
_QUOTED = regex.compile(r"\"[^\"]*\"|'[^']*'")
_HIDDEN = regex.compile(r"(?:^|\s)hidden(?=[\s=/]|$)", regex.I)
_STYLE = regex.compile(r"(?:^|\s)style\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", regex.I)
_BLANK = regex.compile(r"[^\n]")
_NEVER_SHOWN = ("template", "noscript")
_VOID = ("br", "hr", "img", "input", "meta", "link", "source", "wbr")
_COMMENT = regex.compile(
    r"^[ ]{0,3}<!--(?P<words>.*?)(?:-->|\Z)|<!--(?P<words>(?:[^\n-]|-(?!->)|\n(?![ \t]*\n)){0,1500}+)-->"
    r"|^[ ]{0,3}\[[^\[\]\n]{1,200}\]:[ \t]*(?:#|<>)[ \t]+"
    r"(?:\((?P<words>[^()]{0,2000})\)|\"(?P<words>[^\"]{0,2000})\"|'(?P<words>[^']{0,2000})')[ \t]*$",
    regex.M | regex.S,
)
"""Comments, and link definitions that lead nowhere, which are written for the sake of their title."""
_PARAGRAPH_END = regex.compile(r"\n[ \t]*\n|\Z")
_WORD = regex.compile(r"[\p{L}\p{N}]{2,}")
_FEWEST_WORDS = 3
"""In a comment that is a text: others are marks of programs."""

_Stretch = tuple[int, int, Concealment, str]
"""From where up to where, what hides it, and its words."""


def without_hidden(markdown: str) -> tuple[str, list[HiddenText]]:
    """The Markdown without comments and hidden HTML elements, code aside, and what those say."""
    if "<" not in markdown and "]:" not in markdown:
        return markdown, []
    masked = _without_code(markdown)
    kept, found, end = [], [], 0
    for start, stop, why, words in sorted([*_comments(masked, markdown), *_elements(masked, markdown)]):
        if start < end:
            continue
        kept.append(markdown[end:start])
        end = stop
        if why != "comment" or len(_WORD.findall(words)) >= _FEWEST_WORDS:
            found.append(HiddenText.of(why, words))
    return "".join([*kept, markdown[end:]]), [text for text in found if text.letters]


def _without_code(markdown: str) -> str:
    """The text with blanks for code, as long as before."""
    lines = markdown.split("\n")
    for token in _BLOCKS.parse(markdown):
        start, end = token.map or (0, 0)
        if token.type in ("fence", "code_block"):
            lines[start:end] = [" " * len(line) for line in lines[start:end]]
        elif token.type == "inline":
            lines[start:end] = _without_spans("\n".join(lines[start:end])).split("\n")
    return "\n".join(lines)


def _without_spans(text: str) -> str:
    """With blanks for code spans: from a run of backticks to the next one as long."""
    runs = list(_TICKS.finditer(text))
    following: dict[int, int] = {}
    closing: dict[int, regex.Match[str]] = {}
    for place in range(len(runs) - 1, -1, -1):
        length = len(runs[place].group())
        if length in following:
            closing[place] = runs[following[length]]
        following[length] = place
    pieces, end = [], 0
    for place, run in enumerate(runs):
        if run.start() >= end and place in closing:
            pieces += [text[end : run.start()], _BLANK.sub(" ", text[run.start() : closing[place].end()])]
            end = closing[place].end()
    return "".join([*pieces, text[end:]])


def _comments(masked: str, markdown: str) -> Iterator[_Stretch]:
    for comment in _COMMENT.finditer(masked):
        start, end = comment.span()
        yield start, end, "comment", markdown[slice(*comment.span("words"))] if comment["words"] else ""


def _elements(masked: str, markdown: str) -> Iterator[_Stretch]:
    """Hidden elements from their first tag to their last; up to the end of the paragraph where that is missing."""
    tags = list(_TAG.finditer(masked))
    ends = _ends(tags)
    done = 0
    for number, tag in enumerate(tags):
        if tag.start() < done or tag["end"] or tag["name"].lower() in _VOID or not (why := _concealment(tag)):
            continue
        closed = ends.get(number) or _PARAGRAPH_END.search(masked, tag.end())
        if closed:
            done = closed.end() if number in ends else closed.start()
            yield tag.start(), done, why, _TAG.sub(" ", markdown[tag.end() : closed.start()])


def _ends(tags: "list[regex.Match[str]]") -> "dict[int, regex.Match[str]]":
    """The end tag of each element, by the number of its start tag."""
    found: dict[int, regex.Match[str]] = {}
    numbered = sorted(enumerate(tags), key=lambda pair: pair[1]["name"].lower())
    for _, same in groupby(numbered, key=lambda pair: pair[1]["name"].lower()):
        begun: list[int] = []
        for number, tag in same:
            if not tag["end"]:
                begun.append(number)
            elif begun:
                found[begun.pop()] = tag
    return found


def _concealment(tag: "regex.Match[str]") -> Concealment | None:
    attributes = tag["attributes"]
    if tag["name"].lower() in _NEVER_SHOWN or _HIDDEN.search(_QUOTED.sub("", attributes)):
        return "invisible"
    style = _STYLE.search(attributes)
    return concealment(plainly(html.unescape("".join(part or "" for part in style.groups())))) if style else None
