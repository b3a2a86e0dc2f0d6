"""Markdown from documents or a model to Markdown in which nothing is a link or an image and nobody is woken."""

import re
from collections.abc import Iterable

from markdown_it import MarkdownIt

from bot.code import CODE_STAND_IN, WORD_JOINER, Code, Masked, escape_stand_in, unescaped

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

_ENDS = rf"\s<>|\"`\u3000-\u303f\uff00-\uffef{CODE_STAND_IN}{''.join(map(escape_stand_in, '<>|`'))}"
_ENDING = "(?i:com|org|net|edu|gov|info|io|app|dev|eu|uk|cn|jp|example)"
_DOMAIN = rf"(?<![A-Za-z0-9-])(?<![A-Za-z0-9-]\.)(?:[A-Za-z0-9-]+\.)+{_ENDING}(?![A-Za-z0-9])(?:[/:?#][^{_ENDS}]*)?"
_URL = rf"(?:[A-Za-z][A-Za-z0-9+.-]{{0,31}}://|(?<![A-Za-z0-9])www\.)[^{_ENDS}]+"
_MAIL = r"(?:\bmailto:)?(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_ADDRESS = rf"(?:{_MAIL}|{_URL}|{_DOMAIN})"


def _link_syntax(label: str, target: str) -> str:
    text = rf"\[(?P<{label}>(?:[^\[\]]|\[[^\[\]]*\])*)\]"
    title = r"(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*"
    return rf"{text}\(\s*<?(?P<{target}>(?:[^()\s<>{CODE_STAND_IN}]|\([^()\s{CODE_STAND_IN}]*\))*)>?{title}\)"


_PATTERN = re.compile(
    r"<(?P<slack_url>[A-Za-z][A-Za-z0-9+.-]*:[^\s<>|]+)\|(?P<slack_label>[^<>]*)>"
    rf"|!{_link_syntax('alt', 'image')}"
    rf"|{_link_syntax('label', 'target')}"
    rf"|(?P<address>{_ADDRESS})"
    r"|\](?=[(:])"
    r"|@(?=(?:channel|here|everyone))"
)
_PLAIN_ADDRESS = re.compile(_ADDRESS)
_PING = re.compile(r"@(?=(?:channel|here|everyone))")
_ANY_EFFECT = re.compile(r"[\]\\&@!:.](?=\S)")
_TRAILING = ".,;:!?'*_~]}”’»…"


def urls(texts: Iterable[str]) -> frozenset[str]:
    """Every address that stands in the texts."""
    return frozenset(_trimmed(match.group()) for text in texts for match in _PLAIN_ADDRESS.finditer(text))


def disarm(markdown: str, known: frozenset[str] = frozenset()) -> str:
    """The Markdown without images, links and `@channel`.

    A link keeps its label, and its address as code behind it where the address is among the `known` ones; other
    addresses stand as code. Text such as `<!channel>` is left for the escaping that every way out of here does.
    """
    masked = Masked(markdown)
    return masked.restored(_disarmed(masked.text, masked, known), lambda code, text: _code(code, text, known))


def is_harmless(markdown: str) -> bool:
    """Whether a reader of Markdown sees no link, image, address or ping outside code."""
    for block in _PARSER.parse(markdown):
        inline = block.children or []
        if any(token.type in ("link_open", "image") for token in inline):
            return False
        text = "".join(token.content if token.type == "text" else "" if token.nesting else "\n" for token in inline)
        if _PLAIN_ADDRESS.search(text) or _PING.search(text):
            return False
    return True


def defused(markdown: str) -> str:
    """The text with an invisible character behind every one by which Markdown or Slack would see a link or a ping."""
    return _ANY_EFFECT.sub(lambda match: match.group() + WORD_JOINER, markdown)


def unlinked(text: str) -> str:
    """Plain text whose addresses and `@channel` no client makes live."""
    return _PING.sub(f"@{WORD_JOINER}", _PLAIN_ADDRESS.sub(lambda match: defused(match.group()), text))


def _disarmed(text: str, masked: Masked, known: frozenset[str]) -> str:
    return _PATTERN.sub(lambda match: _without_effect(match, masked, known), text)


def _without_effect(match: re.Match[str], masked: Masked, known: frozenset[str]) -> str:
    match match.lastgroup:
        case "slack_label":
            return _named(match["slack_label"], match["slack_url"], masked, known)
        case "image":
            shown = _trimmed(unescaped(match["image"])) in known
            return _named(match["alt"], match["image"], masked, known) if shown else ""
        case "target":
            return _named(match["label"], match["target"], masked, known)
        case "address":
            return _as_code(match.group(), masked)
        case _:
            return match.group() + WORD_JOINER


def _named(label: str, target: str, masked: Masked, known: frozenset[str]) -> str:
    shown = _disarmed(label, masked, frozenset())
    if label.isdecimal():  # a citation mark with a remark after it
        return f"[{label}]{WORD_JOINER}({_disarmed(target, masked, known)})"
    address = unescaped(target)
    if not known & {address, address.removeprefix("mailto:")}:
        return shown
    if label.strip() in ("", target):
        return masked.new_span(address)
    return f"{shown} ({masked.new_span(address)})"


def _as_code(text: str, masked: Masked) -> str:
    address = _trimmed(text)
    return masked.new_span(unescaped(address)) + text[len(address) :]


def _code(code: Code, text: str, known: frozenset[str]) -> str:
    if code.kind == "indented":  # whether Slack takes it for code is not known
        return defused(text) if _PATTERN.search(text) else text
    return _PLAIN_ADDRESS.sub(lambda url: url.group() if _trimmed(url.group()) in known else _broken(url.group()), text)


def _broken(address: str) -> str:
    return address.replace("://", f":{WORD_JOINER}//")


def _trimmed(address: str) -> str:
    """Without what belongs to the sentence: marks at the end, and a bracket that the address did not open."""
    while address and (address[-1] in _TRAILING or (address[-1] == ")" and address.count("(") < address.count(")"))):
        address = address[:-1]
    return address
