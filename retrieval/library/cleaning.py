"""Text as found in files to text that shows a reader everything it holds."""

import regex

from retrieval.types import HiddenText

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
_SELECTORS = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN = regex.compile(
    rf"(?P<kept>{_KEPT_JOINERS})"
    rf"|[\p{{Cf}}--[{_VISIBLE_FORMATS}]]"
    r"|[\p{Cc}--[\n\t]]"
    r"|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufff0-\ufff8\ufffe\uffff]|\p{Cs}"
    rf"|(?<=[{_SELECTORS}\s]|^)[{_SELECTORS}]+",
    regex.V1,
)
_TAGS, _SELECTOR = r"\U000e0001\U000e0020-\U000e007f", rf"[{_SELECTORS}]"
_SMUGGLED = regex.compile(
    rf"(?<![\U0001F3F4{_TAGS}])[{_TAGS}]{{4,}}"  # fewer, or behind a black flag, are part of an emoji
    rf"|(?<={_SELECTOR}){_SELECTOR}{{3,}}"
    r"|[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{8,}"
)
_TURNED = regex.compile(r"\u202e([^\u202c\n]*[A-Za-z0-9][^\u202c\n]*)")
_FIRST_TAG, _FIRST_SELECTOR = 0xE0000, 0xFE00
_FIRST_EXTENDED_SELECTOR = 0xE0100 - 16
_LINE_ENDS = regex.compile(r"\r\n?|[\v\x85\u2028\u2029]")
_PAGE_ENDS = regex.compile(r"\f+")


def visible(text: str) -> str:
    """The text without characters that nobody sees: zero width, tags, direction marks, control characters.

    Kept are the joiners that letters of some scripts and emoji need, and one variation selector a character.
    Line ends become newlines, page ends an empty line.
    """
    lines = _PAGE_ENDS.sub("\n\n", _LINE_ENDS.sub("\n", text))
    return _HIDDEN.sub(lambda match: match["kept"] or "", lines)


def smuggled(text: str) -> list[HiddenText]:
    """What is written in characters that nobody sees, and what is shown from right to left though it is written from
    left to right, which stays.

    Tag characters stand for ASCII, selectors for the bytes of UTF-8; others are counted.
    """
    words = " ".join(_read(run.group()) for run in _SMUGGLED.finditer(text))
    turned = " ".join(_TURNED.findall(text))
    found = (HiddenText.of("characters", words), HiddenText.of("characters", turned, kept=True))
    return [hidden for hidden in found if hidden.letters]


def _read(run: str) -> str:
    first, numbers = ord(run[0]), list(map(ord, run))
    if _FIRST_TAG <= first < _FIRST_EXTENDED_SELECTOR:
        return "".join(chr(number - _FIRST_TAG) for number in numbers if " " <= chr(number - _FIRST_TAG) <= "~")
    if first < _FIRST_SELECTOR or first == ord("\ufeff"):
        return f"{len(run)} characters without width"
    bases = (_FIRST_SELECTOR if number < _FIRST_EXTENDED_SELECTOR else _FIRST_EXTENDED_SELECTOR for number in numbers)
    return bytes(number - base for number, base in zip(numbers, bases, strict=True)).decode("utf-8", "replace")
