"""Within the child process: which colours a reader does not tell apart."""

import re

_HEX = re.compile(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")

LIKE = 16
"""Of 255: colours that differ by no more in red, green and blue look the same."""

Colour = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


def rgb(written: str | None) -> Colour | None:
    """Of `#1a2b3c` or `1a2b3c`; None for all else, as for "auto"."""
    match = _HEX.fullmatch(written or "")
    return (int(match[1], 16), int(match[2], 16), int(match[3], 16)) if match else None


def are_alike(one: Colour, other: Colour) -> bool:
    return all(abs(a - b) <= LIKE for a, b in zip(one, other, strict=True))


def is_whitish(colour: Colour) -> bool:
    return are_alike(colour, (255, 255, 255))
