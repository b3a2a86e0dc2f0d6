"""Lines of a text to lines of meaning: what was wrapped joined again, list items and code told apart."""

import itertools

import regex

_ITEM = regex.compile(
    r"(?P<indent>[ \t]*)(?:[-*+•·–▪◦●○■]\s|\d{1,3}[.)](?:\s|(?=\p{Han}))|\d{1,2}、|[a-zA-Z][.)]\s"
    r"|[(（](?:\d{1,3}|[a-z]{1,4}|[一二三四五六七八九十百]{1,4})[)）]|[①-⑳])"
)
_FENCE = regex.compile(r"\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(`{3,}|~{3,})")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}，。、；：！？（）《》「」]")
_FINISHED = regex.compile(r"[.!?:;。！？：；…][\"'”’)\]」』]*$")
_LOWER = regex.compile(r"\p{Ll}")
_NARROWEST = 40


def item_indent(line: str) -> int | None:
    """How far a list item's mark is indented, in columns; None where a line does not begin like an item.

    Marks of Markdown and of print: "- x", "2) x", "(三)x", "• x".
    """
    match = _ITEM.match(line)
    return len(match["indent"].expandtabs(4)) if match else None


def fence_after(line: str, fence: str) -> str:
    """The code fence that is open behind a line, given the one open before it ("" is none)."""
    if fence:
        bare = line.strip()
        return "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence
    match = _FENCE.match(line)
    return str(match[1]) if match else ""


def _space(first: str, second: str) -> str:
    """What stands between two parts of one line: a space, or nothing in scripts without spaces."""
    unspaced = _UNSPACED.match(first[-1:]) and _UNSPACED.match(second[:1])
    return "" if unspaced or not first or not second else " "


def unwrapped(paragraph: str) -> str:
    """A paragraph with the line breaks of mere typing width taken out; others stay."""
    lines = [line.strip() for line in paragraph.split("\n") if line.strip()]
    width = max(map(len, lines), default=0)
    wrapped = width >= _NARROWEST and all(
        len(line) + len(_space(line, after)) + len(_first_word(after)) > width
        for line, after in itertools.pairwise(lines)
    )
    parts = lines[:1]
    for before, line in itertools.pairwise(lines):
        joint = _space(before, line) if wrapped or _goes_on(before, line) else "\n"
        parts += [joint, line]
    return "".join(parts)


def _first_word(line: str) -> str:
    return line[:1] if _UNSPACED.match(line[:1]) else line.split(maxsplit=1)[0]


def _goes_on(line: str, following: str) -> bool:
    last = line[-200:]
    return len(line) >= _NARROWEST and not _FINISHED.search(last) and _LOWER.match(following) is not None


def tidy_list(lines: list[str]) -> str:
    """A list with each item and each paragraph within it on one line; fenced code as written."""
    parts: list[str] = []
    fence, apart = "", True
    for line in lines:
        now = fence_after(line, fence)
        if fence or now:
            parts += ["\n", line]
            apart = True
        elif not line.strip():
            apart = True
        elif apart or item_indent(line) is not None or line.lstrip().startswith("|"):
            parts += ["\n", line.rstrip()]
            apart = False
        else:
            parts += [_space(parts[-1], line.strip()), line.strip()]
        fence = now
    return "".join(parts[1:])
