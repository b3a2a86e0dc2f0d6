"""What a message does once Slack has it, judged without the bot's own code.

Slack makes mentions and links of `<…>` in mrkdwn and in `markdown` blocks alike, and links of bare addresses outside
code; a `markdown` block has the links and images of Markdown besides.
"""

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it import MarkdownIt

from retrieval.types import Citation

_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_TOKEN = re.compile(r"<[^<>\n]+>")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.S)
_LIVE = re.compile(
    r"[a-z][a-z0-9+.-]*://\w|(?<![\w-])www\.\w|[\w.+-]+@[\w-]+\.\w|@(?:channel|here|everyone)\b"
    r"|(?<![\w-])[\w-]+\.(?:com|org|net|io|shop|example)\b",
    re.I,
)
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://|www\.|javascript:|data:\w+/|mailto:)[^\s<>|`]+|[\w.+%-]+@[\w-]+(?:\.[\w-]+)+"
    r"|[\w.-]*[eе]vil[\w.-]*\.\w+[^\s<>|`]*",
    re.I,
)
_BOLD = re.compile(r"(?<![\w*])(\*{1,2})(?=\S)([^*\n]+)(?<=\S)\1(?![\w*])")
_ENDS = ".,;:!?'\"*_)]}>…»”’"
_MARK = re.compile(r"\[(\d+)\]")


def effects(payload: dict[str, Any]) -> list[str]:
    """What is live in the arguments of a `chat.postMessage`: links, images, pings, previews."""
    found = [name for name in ("unfurl_links", "unfurl_media", "link_names") if payload.get(name) is not False]
    found += [] if payload.get("parse") == "none" else ["parse"]
    found += _of_mrkdwn(str(payload["text"]))
    for block in payload.get("blocks", []):
        if block["type"] == "markdown":
            found += _of_markdown(block["text"])
        elif block["type"] == "context":
            found += [effect for part in block["elements"] for effect in _of_mrkdwn(part["text"])]
        elif block["type"] not in ("context_actions", "actions"):
            found.append(block["type"])
    return found


def leaks(payload: dict[str, Any], citations: Sequence[Citation]) -> list[str]:
    """Addresses that stand in no cited passage nor in what is known of where it stands, live or not."""
    allowed = "\n".join(
        "\n".join([c.passage.text, *c.passage.section, c.passage.title, c.passage.document]) for c in citations
    )
    plain = _BOLD.sub(r"\2", _without_invisible(allowed))
    shown = (_BOLD.sub(r"\2", _without_invisible(text)) for text in texts(payload))
    found = [match[0] for text in shown for match in _ADDRESS.finditer(text)]
    return [address for address in found if address.rstrip(_ENDS) not in plain]


def texts(payload: dict[str, Any]) -> Iterator[str]:
    """All that people read of it."""
    yield html.unescape(str(payload["text"]))
    for block in payload.get("blocks", []):
        if block["type"] == "markdown":
            yield html.unescape(_read(block["text"]))
        elif block["type"] == "context":
            yield from (html.unescape(part["text"]) for part in block["elements"])


def unknown_marks(payload: dict[str, Any], citations: Sequence[Citation]) -> list[str]:
    """Marks that lead to no source."""
    known = {str(citation.n) for citation in citations}
    bodies = [block["text"] for block in payload.get("blocks", []) if block["type"] == "markdown"]
    return [n for body in bodies for n in _MARK.findall(_CODE.sub(" ", body)) if n not in known]


def _of_mrkdwn(text: str) -> list[str]:
    outside = _CODE.sub(" ", html.unescape(_TOKEN.sub(" ", text)))
    return [*_TOKEN.findall(text), *(match[0] for match in _LIVE.finditer(outside))]


def _of_markdown(text: str) -> list[str]:
    found = _TOKEN.findall(text)
    for block in _MARKDOWN.parse(text):
        found += [block.content] if block.type == "html_block" else []
        inline = block.children or []
        found += [token.type for token in inline if token.type in ("link_open", "image", "html_inline")]
        seen = "".join(token.content if token.type == "text" else " " * (token.nesting == 0) for token in inline)
        found += [match[0] for match in _LIVE.finditer(seen)]
    return found


def _read(markdown: str) -> str:
    """The words of the Markdown, code among them."""
    blocks = _MARKDOWN.parse(markdown)
    return "\n".join(
        "".join(token.content or " " * (token.nesting == 0) for token in block.children)
        if block.children
        else block.content
        for block in blocks
    )


def _without_invisible(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c) != "Cf")
