"""An answer's code, brought into the two forms that `outside_code` knows: closed fences of three backticks, and spans
on one line between single backticks. Which text is a block of code, CommonMark decides."""

import re
from collections.abc import Callable

import regex
from markdown_it import MarkdownIt
from markdown_it.token import Token

from retrieval.types import CODE, outside_code

_BLOCKS = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["reference", "inline"])
_SPAN = regex.compile(r"(?<![\\`])(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", regex.DOTALL)
_LINE_BREAK = regex.compile(r"\r\n?|[\u2028\u2029]")
_NO_FENCE = regex.compile(r"^([\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)*)(?:`{3,}(?=[^`]*\[\d+\])|~{3,}(?=.*\[\d+\]))")
"""Before a text that is cited stands no fence, whatever it looks like."""

_BEFORE_FENCE = regex.compile(r"(.*?)(?:`{3,}|~{3,})")
_FENCE = regex.compile(r"(^[^`\n]*```[^`\n]*\n.*?\n[ \t>]*```[ \t]*$)", regex.M | regex.S)
_ONE_LINE = str.maketrans("`\n", "' ")
_STAND_INS = regex.compile(r"[\U000F0000-\U0010FFFF]")
_FIRST_STAND_IN = 0xF0000


def plain_code(markdown: str) -> str:
    """The same Markdown. A fence left open is closed; a backtick that belongs to no code is an apostrophe."""
    lines = [_NO_FENCE.sub(r"\1", line) for line in _LINE_BREAK.sub("\n", markdown).split("\n")]
    out: list[str] = []
    done = 0
    for token in _BLOCKS.parse("\n".join(lines)):
        if token.type in ("fence", "code_block") and token.map and token.map[0] >= done:
            out += [*lines[done : token.map[0]], *_fenced(token, lines[token.map[0]])]
            done = token.map[1]
    parts = _FENCE.split("\n".join([*out, *lines[done:]]))
    return "".join(part if i % 2 else _plain_spans(part) for i, part in enumerate(parts))


def around_code(change: Callable[[str], str], text: str) -> str:
    """The plain text changed as a whole, each stretch of its code a single private character meanwhile."""
    codes: list[str] = []

    def stand_in(code: re.Match[str]) -> str:
        codes.append(code[0])
        return chr(_FIRST_STAND_IN + len(codes) - 1)

    changed = change(CODE.sub(stand_in, _STAND_INS.sub("", text)))
    return str(_STAND_INS.sub(lambda private: codes[ord(private[0]) - _FIRST_STAND_IN], changed))


def _fenced(token: Token, first_line: str) -> list[str]:
    """The lines of a code block, as a fence of its own."""
    opening = _BEFORE_FENCE.match(first_line) if token.type == "fence" else None
    before = opening[1] if opening else ""
    indent = regex.sub(r"[^\s>]", " ", before)
    body = token.content.replace("```", "'''").rstrip("\n")
    language = regex.sub(r"[^\w+#.-]", "", token.info)
    return [f"{before}```{language}", *(f"{indent}{line}" for line in body.split("\n")), f"{indent}```"]


def _plain_spans(text: str) -> str:
    spanned = _SPAN.sub(_plain_span, text)
    return outside_code(lambda prose: prose.replace(r"\`", "'").replace("`", "'"), spanned)


def _plain_span(span: "regex.Match[str]") -> str:
    """On one line; without the space that only keeps backticks of the code apart from those around it."""
    code = span[2].strip() or " " if len(span[1]) > 1 else span[2]
    return f"`{code.translate(_ONE_LINE)}`"
