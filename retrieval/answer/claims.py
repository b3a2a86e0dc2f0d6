"""An answer to the statements it makes, each with its marks, in a form from which the answer can be put together again
without those that do not hold."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest
from typing import Literal

import regex

from retrieval.answer.citations import marks, without_marks
from retrieval.text import UNSPACED, sentences

Role = Literal["statement", "lead", "heading", "code", "row"]
"""A `lead` announces what stands below it, "There are two options:"; it and a `heading` state little themselves."""

_FENCE = regex.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?```")
_MARKS_ALONE = regex.compile(r"^[ \t>]*(?:\[\d+\])+\s*$")
_BOLD_LINE = regex.compile(r"^\s*(?:\*\*|__)[^*_]+(?:\*\*|__)\s*[:：]?\s*$")
_PREFIX = regex.compile(r"^[\s>]*(?:(?P<item>(?:[-*+•]|\d{1,3}[.)、])\s+)(?:\[[ xX]\]\s+)?|(?P<heading>#{1,6})\s+)?")
_ROW = regex.compile(r"^\s*\|.*\|\s*$")
_RULE = regex.compile(r"^[\s|:-]+$")
_ENDS_IN_COUNT = regex.compile(r"(?:^|(?<=\s))\d{1,2}[.)]$")
_OPEN_END = regex.compile(r"[\p{L}\p{N},)]$")
_LEADS = regex.compile(r"[:：]\s*(?:\[\d+\]\s*)*[*_]*$")
_EMPHASIS = regex.compile(r"(?<![\p{L}\p{N}])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}])|~~|`")
_LINK = regex.compile(r"!?\[([^\]\n]*)\]\([^)\s]*\)")
_END = regex.compile(r"^(?P<said>.*?)(?P<end>(?:[.!?…。！？:：;；]+[\"'”’»」』)）*_]*)?\s*)$", regex.S)
_SAYS_LITTLE = regex.compile(
    r"(?:(?:yes|no|nope|sure|certainly|of course|indeed|correct|right|ok(?:ay)?|thanks|thank you|hello|hi|sim|não|claro"
    r"|com certeza|certo|obrigad[oa]|oui|non|bien sûr|merci|d'accord|exact(?:ement)?|sí|por supuesto|gracias|así es|ja"
    r"|nein|natürlich|genau|danke|gern|是的?|不是?|否|没有|有的?|可以|不可以|不能|对的?|好的?|当然|はい|いいえ|ええ|そうです)"
    r"[\s.!,。！，、]*)+|[^\p{L}\p{N}]*",
    regex.I,
)
_BOLD_DEPTH, _TEXT_DEPTH, _ITEM_DEPTH, _BLOCK_DEPTH = 7, 10, 20, 100


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of an answer. `shown` is how it stands there, space before it included; `text` is what it says,
    without marks and Markdown, a table row as "Header: value; …"; `context` is the headings and lead-ins above it."""

    shown: str
    text: str
    cites: tuple[int, ...]
    role: Role = "statement"
    context: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an answer or a block of code: its statements and what they stand behind, "- ". What stands below a
    heading or a lead-in is deeper. Blank lines and the head of a table make no statement."""

    prefix: str
    claims: tuple[Claim, ...] = ()
    depth: int = _TEXT_DEPTH


def lines_of(answer: str) -> list[Line]:
    """The lines of an answer as `read` returns it."""
    found: list[Line] = []
    above: list[tuple[int, str]] = []
    header: list[str] | None = None
    for block in _blocks(answer):
        is_row = bool(_ROW.match(block))
        line = _row(block, header) if is_row else _line(block)
        header = (header or _cells(block)) if is_row else None
        if line.claims:
            above = [(depth, text) for depth, text in above if depth < line.depth]
            context = " ".join(text for _, text in above)
            line = replace(line, claims=tuple(replace(claim, context=context) for claim in line.claims))
            if line.claims[-1].role in ("lead", "heading"):
                above.append((line.depth, line.claims[-1].text))
        found.append(line)
    return found


def below(lines: Sequence[Line], at: int) -> list[int]:
    """The places of what a heading or lead-in on that line announces: all that is deeper, or else the next line."""
    rest = [n for n in range(at + 1, len(lines)) if lines[n].claims]
    deeper = list(takewhile(lambda n: lines[n].depth > lines[at].depth, rest))
    return deeper or rest[:1]


def put_together(lines: Iterable[Line]) -> str:
    """The answer of those lines, without empty ones at its ends and never two in a row."""
    shown = (line.prefix + "".join(claim.shown for claim in line.claims).lstrip() for line in lines)
    return str(regex.sub(r"\n(?:[ \t]*\n)+", "\n\n", "\n".join(shown)).strip())


def cited(claim: Claim, numbers: Iterable[int], mark: str = "") -> Claim:
    """The claim with exactly these marks, at its end, and `mark` behind them."""
    run = "".join(f"[{n}]" for n in numbers) + mark
    bare = claim.shown if not claim.cites else _bare(claim.shown)
    return replace(claim, shown=_with_run(bare, run, claim.role), cites=tuple(numbers))


def _bare(shown: str) -> str:
    """Without marks, space around it as it was."""
    inner = shown.strip()
    before, _, after = shown.partition(inner)
    return before + without_marks(inner) + after


def _with_run(shown: str, run: str, role: Role) -> str:
    if not run:
        return shown
    if role == "code":
        return f"{shown}\n{run}"
    if role == "row":
        return str(regex.sub(r"\s*\|\s*$", f" {run} |", shown))
    end = _END.match(shown)
    said, stop = (end["said"], end["end"]) if end else (shown, "")
    glue = "" if UNSPACED.match(said[-1:]) else " "
    return f"{said}{glue}{run}{stop}"


def _blocks(answer: str) -> Iterator[str]:
    """Lines; code from fence to fence, with the marks under it, and a sentence that runs over lines as one."""
    lines = answer.split("\n")
    at = 0
    while at < len(lines):
        end = at + 1
        if _FENCE.match(lines[at]):
            end = next((n for n in range(at + 1, len(lines)) if _FENCE.match(lines[n])), len(lines) - 1) + 1
            if end < len(lines) and _MARKS_ALONE.match(lines[end]):
                end += 1
        elif not _ROW.match(lines[at]):
            while end < len(lines) and _OPEN_END.search(lines[end - 1]) and regex.match(r"\s*\p{Ll}", lines[end]):
                end += 1
        yield "\n".join(lines[at:end])
        at = end


def _line(block: str) -> Line:
    if _FENCE.match(block):
        code = "\n".join(line for line in block.split("\n")[1:] if not _FENCE.match(line))
        return Line("", (Claim(block, without_marks(code), _cites_of_code(block), "code"),), _BLOCK_DEPTH)
    prefix = _PREFIX.match(block)
    start = prefix.end() if prefix else 0
    body, indent = block[start:], len(block) - len(block.lstrip())
    if prefix and prefix["heading"]:
        return Line(block[:start], _heading(body), len(prefix["heading"]))
    if _BOLD_LINE.match(block):
        return Line(block[:start], _heading(body), _BOLD_DEPTH)
    depth = _ITEM_DEPTH + indent if prefix and prefix["item"] else _TEXT_DEPTH
    return Line(block[:start], tuple(_sentences(body)), depth)


def _heading(body: str) -> tuple[Claim, ...]:
    return (Claim(body, _said(body), marks(body), "heading"),)


def _cites_of_code(block: str) -> tuple[int, ...]:
    last = block.rsplit("\n", 1)[-1]
    return marks(last) if _MARKS_ALONE.match(last) else ()


def _sentences(body: str) -> Iterator[Claim]:
    cuts = _cuts(body)
    for start, end in zip(cuts, [*cuts[1:], len(body)], strict=True):
        shown = body[start:end].rstrip() if end == len(body) else body[start:end]
        is_last = end == len(body)
        role: Role = "lead" if is_last and _LEADS.search(shown.strip()) else "statement"
        if regex.search(r"[\p{L}\p{N}]", shown):
            yield Claim(shown, _said(shown), marks(shown), role)


def _cuts(body: str) -> list[int]:
    """Where statements begin: "Yes." goes with its neighbour, a lead-in with what follows, "1." with what it counts."""
    cuts: list[int] = []
    at = 0
    for piece in sentences(body.replace("\n", " ")):
        start = body.replace("\n", " ").index(piece, at)
        at = start + len(piece)
        counted = _ENDS_IN_COUNT.search(body[:start].rstrip()) if cuts else None
        begins = counted.start() if counted else start
        if not cuts or (begins > cuts[-1] and _stands_alone(body[cuts[-1] : begins])):
            cuts.append(begins)
    if len(cuts) > 1 and _SAYS_LITTLE.fullmatch(_said(body[cuts[-1] :])):
        cuts.pop()
    return [0, *cuts[1:]]


def _stands_alone(text: str) -> bool:
    return not _LEADS.search(text.rstrip()) and not _SAYS_LITTLE.fullmatch(_said(text))


def _said(shown: str) -> str:
    bare = _LINK.sub(r"\1", without_marks(shown))
    return str(regex.sub(r"^\d{1,2}[.)]\s+", "", _EMPHASIS.sub("", bare)).strip())


def _row(block: str, header: list[str] | None) -> Line:
    """A row under its header, which states what its columns hold, and the rule under that, which states nothing."""
    if header is None or _RULE.match(block):
        return Line(block, (), _BLOCK_DEPTH)
    values = _cells(block)
    pairs = [": ".join(filter(None, pair)) for pair in zip_longest(header, values)]
    claim = Claim(block, "; ".join(filter(None, pairs)), marks(block), "row")
    return Line("", (claim,), _BLOCK_DEPTH)


def _cells(row: str) -> list[str]:
    return [_said(cell.replace(r"\|", "|")) for cell in regex.split(r"(?<!\\)\|", row.strip().strip("|"))]
