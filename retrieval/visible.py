"""Text from files and people to text that shows a reader everything it holds."""

import regex

_JOINS_LETTERS = (
    r"[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}"
    r"\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}]"
)
_JOINS_EMOJI = r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]"
_KEPT_JOINERS = (
    rf"(?<={_JOINS_LETTERS})[\u200c\u200d](?={_JOINS_LETTERS})"
    rf"|(?<={_JOINS_EMOJI})\u200d(?=\p{{Extended_Pictographic}})"
)
_VISIBLE_FORMATS = r"\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
SELECTORS = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN = regex.compile(
    rf"(?P<kept>{_KEPT_JOINERS})"
    rf"|[\p{{Cf}}--[{_VISIBLE_FORMATS}]]"
    r"|[\p{Cc}--[\n\t]]"
    r"|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufff0-\ufff8\ufffe\uffff]|\p{Cs}"
    rf"|(?<=[{SELECTORS}\s]|^)[{SELECTORS}]+",
    regex.V1,
)
_LINE_ENDS = regex.compile(r"\r\n?|[\v\x85\u2028\u2029]")
_PAGE_ENDS = regex.compile(r"\f+")


def visible(text: str) -> str:
    """The text without characters that nobody sees: zero width, tags, direction marks, control characters.

    Kept are the joiners that letters of some scripts and emoji need, and one variation selector a character.
    Line ends become newlines, page ends an empty line.
    """
    lines = _PAGE_ENDS.sub("\n\n", _LINE_ENDS.sub("\n", text))
    return _HIDDEN.sub(lambda match: match["kept"] or "", lines)
