"""What files hold in characters that nobody sees."""

import regex

from retrieval.types import HiddenText
from retrieval.visible import SELECTORS

_TAGS, _SELECTOR = r"\U000e0001\U000e0020-\U000e007f", rf"[{SELECTORS}]"
_SMUGGLED = regex.compile(
    rf"(?<![\U0001F3F4{_TAGS}])[{_TAGS}]{{4,}}"  # fewer, or behind a black flag, are part of an emoji
    rf"|(?<={_SELECTOR}){_SELECTOR}{{3,}}"
    r"|[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{8,}"
)
_TURNED = regex.compile(r"\u202e([^\u202c\n]*[A-Za-z0-9][^\u202c\n]*)")
_FIRST_TAG, _FIRST_SELECTOR = 0xE0000, 0xFE00
_FIRST_EXTENDED_SELECTOR = 0xE0100 - 16


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
