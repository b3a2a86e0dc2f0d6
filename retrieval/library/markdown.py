"""Markdown text to blocks."""

import datetime as dt

import regex
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from retrieval.library.html_text import html_text
from retrieval.library.lines import tidy_list, unwrapped
from retrieval.library.markdown_hidden import without_hidden
from retrieval.library.sections import LONGEST_HEADING
from retrieval.types import Block, ParsedDocument

_FRONT_MATTER = regex.compile(r"---[ \t]*\n((?:(?!---|\.\.\.).*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|$)")
_FIELD = regex.compile(r"^([A-Za-z][\w -]*):[ \t]*(.*?)[ \t]*$", regex.M)
_DATE_FIELDS = ("date", "updated", "last_updated", "lastmod", "published")
_COMMENT = regex.compile(r"<!--.*?(?:-->|$)", regex.S)
_INLINE_TAG = regex.compile(
    r"</?(?:a|abbr|b|big|center|code|del|details|div|em|font|i|ins|kbd|mark|p|s|small|span|strong|sub|summary|sup|u)"
    r"(?:\s[^<>]*)?/?>",
    regex.I,
)
_BREAK = regex.compile(r"<br\s*/?>|(?:(?<! )[ ]{2,}|\\)(?=\n)", regex.I)
_IMAGE = regex.compile(r"!\[([^\[\]]*)\]\([^()]*\)")
_LINK = regex.compile(r"\[([^\[\]]+)\]\([^()]*\)")
_EMPHASIS = regex.compile(r"(\*\*|__|\*|`|~~)(?=\S)(.+?)(?<=\S)\1")
_ATTRIBUTES = regex.compile(r"\s*\{[#.][^}]*\}\s*$")
_LONGEST_FORMULA = 200
_QUOTE = regex.compile(r"^\s{0,3}>\s?")


def read_markdown(text: str, name: str) -> ParsedDocument:
    """The document of a Markdown text. `name` is the title of a text that has none of its own."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    fields, body = _front_matter(text)
    body, hidden = without_hidden(body)
    blocks = tuple(_blocks(body))
    first = next((block.text for block in blocks if block.kind == "heading"), "")
    return ParsedDocument(
        fields.get("title") or first or name, blocks, "markdown", date=_date(fields), hidden=tuple(hidden)
    )


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    match = _FRONT_MATTER.match(text)
    fields = {name.lower(): value.strip("\"'") for name, value in _FIELD.findall(match[1])} if match else {}
    return (fields, text[match.end() :]) if match and fields else ({}, text)


def _date(fields: dict[str, str]) -> dt.date | None:
    for name in _DATE_FIELDS:
        try:
            return dt.date.fromisoformat(fields.get(name, "")[:10])
        except ValueError:
            continue
    return None


def _blocks(text: str) -> list[Block]:
    lines = text.split("\n")
    tokens = _parser().parse(text)
    blocks: list[Block] = []
    n = 0
    while n < len(tokens):
        token = tokens[n]
        n = _after(tokens, n) if token.type in _LISTS_AND_TABLES else n + 1
        block = _block(token, tokens, n, lines)
        if block and block.text.strip():
            blocks.append(block)
    return blocks


_LISTS_AND_TABLES = {"bullet_list_open": "list", "ordered_list_open": "list", "table_open": "table"}


def _after(tokens: list[Token], n: int) -> int:
    """The place behind the token that closes the n-th one."""
    depth = 0
    while n < len(tokens):
        depth += tokens[n].nesting
        n += 1
        if not depth:
            break
    return n


def _block(token: Token, tokens: list[Token], following: int, lines: list[str]) -> Block | None:
    start, end = token.map or (0, 0)
    match token.type:
        case "bullet_list_open" | "ordered_list_open":
            return Block("list", tidy_list(_source(lines[start:end])))
        case "table_open":
            rows = (row.strip() for row in _source(lines[start:end]))
            return Block("table", "\n".join(_inline(row) for row in rows if row))
        case "heading_open" if token.level == 0:
            return Block("heading", plain(tokens[following].content), level=int(token.tag[1]))
        case "heading_open" | "paragraph_open":
            return Block("paragraph", unwrapped(_inline(tokens[following].content)))
        case "fence" | "code_block":
            return Block("code", _fenced(token))
        case "formula":
            return Block("formula", token.content)
        case "html_block":
            return Block("paragraph", _inline(html_text(token.content)))
    return None


def _source(lines: list[str]) -> list[str]:
    """Source lines without quotation marks and the indentation they share."""
    while lines and all(_QUOTE.match(line) or not line.strip() for line in lines) and any(map(_QUOTE.match, lines)):
        lines = [_QUOTE.sub("", line) for line in lines]
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[indent:].rstrip() for line in lines]


def _inline(text: str) -> str:
    """Text without comments, tags and pictures' addresses; line breaks as such."""
    return _IMAGE.sub(r"\1", _INLINE_TAG.sub("", _BREAK.sub("\n", _COMMENT.sub("", text))))


def plain(text: str) -> str:
    """A heading's words, without links, emphasis and attributes."""
    if len(text) > LONGEST_HEADING:
        return " ".join(text.split())
    bare = _LINK.sub(r"\1", _inline(_ATTRIBUTES.sub("", text)))
    return " ".join(_EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", bare)).split())


def _fenced(token: Token) -> str:
    content = token.content.rstrip("\n")
    longest = max((len(run) for run in regex.findall(r"`{3,}", content)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}{token.info.strip()}\n{content}\n{marks}" if content.strip() else ""


def _parser() -> MarkdownIt:
    """Block structure alone: CommonMark and GitHub's tables, with display formulas; link definitions stay text."""
    parser = MarkdownIt("commonmark").enable("table").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.before("fence", "formula", _formula, {"alt": ["paragraph", "blockquote", "list"]})
    return parser


def _formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Takes in $$ … $$, on one line or over several."""
    lines = [_line(state, start).strip()]
    if not lines[0].startswith("$$"):
        return False
    while not (lines[-1].endswith("$$") and len("".join(lines)) > 3):
        if start + len(lines) >= end or len(lines) > _LONGEST_FORMULA:
            return False
        lines.append(_line(state, start + len(lines)).rstrip())
    if not silent:
        state.line = start + len(lines)
        token = state.push("formula", "math", 0)
        token.content = "\n".join(lines)
        token.map = [start, state.line]
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
