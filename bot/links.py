"""Markdown from documents or a model to Markdown in which nothing is a link or an image and nobody is woken."""

import html
import re
from collections.abc import Iterable

from markdown_it import MarkdownIt

from bot.code import CODE_STAND_IN, WORD_JOINER, Code, Masked, escape_stand_in, unescaped

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

WITHHELD = "(…)"
"""What stands where an address stood that no cited passage holds."""

_ENDS = rf"\s<>|\"`\u3000-\u303f\uff00-\uffef{CODE_STAND_IN}{''.join(map(escape_stand_in, '<>|`'))}"
_LETTER = r"A-Za-z0-9\u00a1-\u1fff-"
"""Of a host's name: those of scripts that put spaces between words."""

_LABELS = rf"(?<![{_LETTER}])(?<![{_LETTER}]\.)(?:[{_LETTER}]+\.)+"
_ENDING = "(?i:com|org|net|edu|gov|info|io|app|dev|eu|uk|cn|jp|ru|ly|ai|xyz|biz|example)"
_FILES = "(?i:md|txt|pdf|docx?|xlsx?|pptx?|csv|html?|json|ya?ml|toml|xml|js|ts|py|go|rs|java|cpp|sh|sql|png|jpe?g|svg)"
_DOMAIN = (
    rf"{_LABELS}(?:{_ENDING}(?![{_LETTER.removesuffix('-')}])(?:[/:?#][^{_ENDS}]*)?"
    rf"|(?!{_FILES}(?![A-Za-z]))[A-Za-z]{{2,24}}(?:[/?][A-Za-z0-9%~_@=-]|:\d)[^{_ENDS}]*)"
)
_URL = rf"(?:[A-Za-z][A-Za-z0-9+.-]{{0,31}}://|(?<![A-Za-z0-9])(?i:www\.|javascript:|vbscript:|data:\w+/))[^{_ENDS}]+"
_MAIL = r"(?:\bmailto:)?(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]+@[\w-]+(?:\.[\w-]+)+"
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
_ASCII = re.compile(r"[!-~]*")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{1,10});")
_PART_OF_ADDRESS = re.compile(r"[\w:/.@?#=%&+~-]")
_ANY_EFFECT = re.compile(r"[\]\\&@!:.](?=\S)")
_BREAKS = ("softbreak", "hardbreak")
_MARKUP = re.compile(r"[*`~]+")
_TRAILING = ".,;:!?'*_~]}”’»…"


def urls(texts: Iterable[str]) -> frozenset[str]:
    """Every address that stands in the texts, whole and without what it begins with; a bare host in lower case too."""
    found = {_trimmed(match.group()) for text in texts for match in _PLAIN_ADDRESS.finditer(text)}
    bare = {address.partition("://")[2] or address.removeprefix("mailto:") for address in found}
    return frozenset(found | bare | {address.lower() for address in bare if not re.search(r"[/?#]", address)})


def disarm(markdown: str, known: frozenset[str] = frozenset()) -> str:
    """The Markdown without images, links and `@channel`, and with no address that is not among the `known` ones.

    A link keeps its label, with a known address as code behind it; where others stood there is WITHHELD. Text such as
    `<!channel>` is left for the escaping that every way out of here does.
    """
    masked = Masked(_ENTITY.sub(_decoded, markdown))
    shown = masked.restored(_disarmed(masked.text, masked, known), lambda code, text: _code(code, text, known))
    escaped = shown.replace("<", "&lt;")  # as it will be posted
    return shown if is_harmless(escaped) else defused(_withheld(_words(escaped), known))


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


def _decoded(entity: re.Match[str]) -> str:
    """What an address may be made of as itself."""
    character = html.unescape(entity.group())
    return character if _PART_OF_ADDRESS.fullmatch(character) else entity.group()


def _words(markdown: str) -> str:
    """What a reader sees, without any markup or what could be taken for it."""
    words = []
    for block in _PARSER.parse(markdown):
        inline = [block.content] if block.type in ("fence", "code_block") else []
        inline += ["\n" if token.type in _BREAKS else token.content for token in block.children or []]
        words.append("".join(inline))
    return _MARKUP.sub("", "\n\n".join(filter(None, words)))


def _disarmed(text: str, masked: Masked, known: frozenset[str]) -> str:
    return _PATTERN.sub(lambda match: _without_effect(match, masked, known), text)


def _without_effect(match: re.Match[str], masked: Masked, known: frozenset[str]) -> str:
    match match.lastgroup:
        case "slack_label":
            return _named(match["slack_label"], match["slack_url"], masked, known)
        case "image":
            shown = _is_known(_trimmed(unescaped(match["image"])), known)
            return _named(match["alt"], match["image"], masked, known) if shown else ""
        case "target":
            return _named(match["label"], match["target"], masked, known)
        case "address":
            return _as_code(match.group(), masked, known)
        case _:
            return match.group() + WORD_JOINER


def _named(label: str, target: str, masked: Masked, known: frozenset[str]) -> str:
    if label.isdecimal():  # a citation mark with a remark after it
        return f"[{label}]{WORD_JOINER}({_disarmed(target, masked, known)})"
    address = unescaped(target)
    if not _is_known(address.removeprefix("mailto:"), known):
        return _disarmed(label, masked, known)
    if label.strip() in ("", target):
        return masked.new_span(address)
    return f"{_disarmed(label, masked, known)} ({masked.new_span(address)})"


def _as_code(text: str, masked: Masked, known: frozenset[str]) -> str:
    address, rest = _split(text, known)
    return (masked.new_span(address) if address else WITHHELD) + rest


def _split(text: str, known: frozenset[str]) -> tuple[str, str]:
    """A known address at the start, "" where there is none, and the text behind it or behind the unknown one."""
    whole = _trimmed(text)
    for written in (whole, _trimmed(_ASCII.findall(whole)[0])):
        if _is_known(unescaped(written), known):
            return unescaped(written), text[len(written) :]
    return "", text[len(whole) :]


def _is_known(address: str, known: frozenset[str]) -> bool:
    return address in known or (address.lower() in known and not re.search(r"[/?#]", address))


def _withheld(text: str, known: frozenset[str]) -> str:
    """Plain text, or code, with WITHHELD for addresses that are not known."""

    def shown(match: re.Match[str]) -> str:
        address, rest = _split(match.group(), known)
        return (address or WITHHELD) + rest

    return _PLAIN_ADDRESS.sub(shown, text)


def _code(code: Code, text: str, known: frozenset[str]) -> str:
    text = _withheld(text, known)
    if code.kind == "indented":  # whether Slack takes it for code is not known
        return defused(text) if _PATTERN.search(text) else text
    return text


def _trimmed(address: str) -> str:
    """Without what belongs to the sentence: marks at the end, and a bracket that the address did not open."""
    while address and (address[-1] in _TRAILING or (address[-1] == ")" and address.count("(") < address.count(")"))):
        address = address[:-1]
    return address
