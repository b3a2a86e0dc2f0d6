"""Text as JSON over HTTP can carry it."""


def sendable(text: str) -> str:
    """The text with unpaired surrogates, which UTF-8 does not have, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
