"""How large a picture is, from the head of its file alone."""

import struct

MOST_PIXELS = 150_000_000
"""More than cameras take; as many have to fit into the memory of a child process several times over."""
_SIZES = {0xC0 + n for n in range(16)} - {0xC4, 0xC8, 0xCC}
"""JPEG's markers of a frame's head."""


def pixels_of(start: bytes) -> int:
    """Of a PNG, GIF or JPEG that begins so; 0 where that does not show."""
    try:
        if start.startswith(b"\x89PNG\r\n\x1a\n"):
            width, height = struct.unpack_from(">II", start, 16)
        elif start.startswith(b"GIF8"):
            width, height = struct.unpack_from("<HH", start, 6)
        else:
            width, height = _jpeg_size(start) if start.startswith(b"\xff\xd8") else (0, 0)
    except (struct.error, IndexError):
        return 0
    return int(width) * int(height)


def _jpeg_size(start: bytes) -> tuple[int, int]:
    at = 2
    while start[at] == 0xFF:
        marker = start[at + 1]
        if marker in _SIZES:
            height, width = struct.unpack_from(">HH", start, at + 5)
            return width, height
        at += 1 if marker == 0xFF else 2 + struct.unpack_from(">H", start, at + 2)[0]
    return 0, 0
