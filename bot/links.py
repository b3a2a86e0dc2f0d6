"""Markdown from documents or a model to Markdown whose links are approved and that wakes nobody."""

import re
from collections.abc import Iterable

WORD_JOINER = "\N{WORD JOINER}"  # invisible, and no client sees a link or a name across it

_URL = r"(?:[A-Za-z][A-Za-z0-9+.-]*://|\bwww\.)[^\s<>|\"`]+"


def _link_syntax(label: str, target: str) -> str:
    text = rf"\[(?P<{label}>(?:[^\[\]]|\[[^\[\]]*\])*)\]"
    title = r"(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*"
    return rf"{text}\(\s*<?(?P<{target}>(?:[^()\s<>]|\([^()\s]*\))*)>?{title}\)"


_PATTERN = re.compile(
    r"(?P<fence>^ {0,3}(?P<ticks>`{3,}|~{3,})[^\n]*\n(?s:.*?)(?:^ {0,3}(?P=ticks)[`~]*[ \t]*$|\Z))"
    r"|(?P<code>(?P<tick>`+)(?!`)[^\n]+?(?<!`)(?P=tick)(?!`))"
    r"|<(?P<slack_url>[A-Za-z][A-Za-z0-9+.-]*:[^\s<>|]+)\|(?P<slack_label>[^<>]*)>"
    rf"|!{_link_syntax('alt', 'image')}"
    rf"|{_link_syntax('label', 'target')}"
    rf"|(?P<url>{_URL})"
    r"|(?P<definition>^ {0,3}\[[^\]\n]+\])(?=:)"
    r"|\](?=\()"
    r"|@(?=(?:channel|here|everyone)\b)",
    re.MULTILINE,
)
_BARE = re.compile(_URL)
_TRAILING = ".,;:!?'*_)]}"


def urls(texts: Iterable[str]) -> frozenset[str]:
    """Every address that stands in the texts."""
    return frozenset(_trimmed(match.group()) for text in texts for match in _BARE.finditer(text))


def disarm(markdown: str, allowed: frozenset[str] = frozenset()) -> str:
    """The Markdown without images, with live links to `allowed` addresses only, and without `@channel`.

    Other links keep their label, other bare addresses stand as code. Text such as `<!channel>` is left for
    the escaping that every way out of here does.
    """
    return _PATTERN.sub(lambda match: _disarmed(match, allowed), markdown)


def _disarmed(match: re.Match[str], allowed: frozenset[str]) -> str:
    whole = match.group()
    match match.lastgroup:
        case "fence" | "code":
            return _BARE.sub(lambda url: _broken(url.group(), allowed), whole)
        case "slack_label":
            return _link(match["slack_label"], match["slack_url"], allowed)
        case "image":
            return ""
        case "target":
            return _link(match["label"], match["target"], allowed)
        case "url":
            return _as_code(whole, allowed)
        case _:
            return whole + WORD_JOINER


def _link(label: str, target: str, allowed: frozenset[str]) -> str:
    if label.isdecimal():  # a citation mark with a remark after it
        return f"[{label}]{WORD_JOINER}({disarm(target, allowed)})"
    label = disarm(label)
    return f"[{label}]({target})" if target in allowed else label


def _as_code(text: str, allowed: frozenset[str]) -> str:
    url = _trimmed(text)
    return text if url in allowed else f"`{url}`{text[len(url) :]}"


def _broken(text: str, allowed: frozenset[str]) -> str:
    return text if _trimmed(text) in allowed else text.replace("://", f":{WORD_JOINER}//")


def _trimmed(url: str) -> str:
    return url.rstrip(_TRAILING)
