"""The longest text that Footnote sends to a server to a check: whether the server takes it."""

from collections.abc import Callable

from retrieval.budget import share_of_budget
from retrieval.checkup.samples import CAPITAL, long_chinese, long_english
from retrieval.errors import RequestRefused, ServiceUnavailable
from retrieval.types import Check, Fact

Send = Callable[[str], None]
"""Sends a text. Raises RequestRefused where the server refuses it, ServiceUnavailable."""

_SHARES = (0.75, 0.5, 0.25, 0.1)
_SHARE = 0.6
"""Of the time left; the rest shows whether the server is still there."""

_SHORT = CAPITAL.passage
_TOO_SLOW = "the server fails on long texts or takes long for them; see its log"


def longest_check(subject: str, send: Send, chars: int, variable: str) -> Check:
    """Whether running text of so many characters passes, in a script of long tokens and in one of short ones.

    Raises ServiceUnavailable, where the server is out for good after such a text: ms-swift up to 4.5.3 does that.
    """
    facts: dict[str, Fact] = {"chars": chars}
    try:
        with share_of_budget(_SHARE):
            return _tried(subject, facts, send, chars, variable)
    except ServiceUnavailable:
        send(_SHORT)
    return Check(subject, "look", facts, _TOO_SLOW)


def _tried(subject: str, facts: dict[str, Fact], send: Send, chars: int, variable: str) -> Check:
    for name, text in (("english", long_english), ("chinese", long_chinese)):
        facts[name] = "passes" if _passes(send, text(chars)) else "refused"
        if facts[name] == "refused":
            shorter = (int(chars * share) for share in _SHARES)
            fits = next((chars for chars in shorter if _passes(send, text(chars))), None)
            return _refused(subject, facts, f"set {variable}={fits}" if fits else f"lower {variable}")
    return Check(subject, "ok", facts)


def _refused(subject: str, facts: dict[str, Fact], lower: str) -> Check:
    told = f"text of {facts['chars']} characters is refused"
    if "chinese" in facts:
        return Check(
            subject, "look", facts, f"Chinese {told}; with such documents {lower}, or raise the server's limit"
        )
    return Check(subject, "wrong", facts, f"{told}; {lower}, or raise the server's limit")


def _passes(send: Send, text: str) -> bool:
    try:
        send(text)
    except RequestRefused:
        return False
    return True
