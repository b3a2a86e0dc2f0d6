"""A Reply to the messages Slack posts for it."""

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from bot import limits
from bot.emphasis import with_room
from bot.feedback import feedback_block
from bot.links import defused, disarm, is_harmless, urls
from bot.mrkdwn import to_mrkdwn
from bot.show_work import show_work_block
from bot.sources import source_lines
from bot.split import grouped, split, split_escaped
from retrieval.types import Answer, Notice, Reply

Payload = dict[str, Any]
"""Arguments of `chat.postMessage` beside channel and thread."""

_NO_SURPRISES: Payload = {"unfurl_links": False, "unfurl_media": False, "link_names": False, "parse": "none"}
_ENTITY = re.compile(r"&(?=(?:amp|lt|gt);)")
_QUOTE_MARKS = re.compile(r"(?: {0,3}>[ \t]?)+")


@dataclass(frozen=True, slots=True)
class Part:
    """One Slack message: Markdown for people, below it lines in small print (mrkdwn), and buttons to rate it.

    `question` is the timestamp of the message that it answers, where a button is to show how.
    """

    markdown: str
    small_print: tuple[str, ...] = ()
    rated: bool = False
    question: str = ""

    def as_json(self) -> Payload:
        """What `from_json` makes the same part of."""
        return {**dataclasses.asdict(self), "small_print": list(self.small_print)}

    @classmethod
    def from_json(cls, kept: Payload) -> "Part":
        small_print, rated = tuple(map(str, kept["small_print"])), bool(kept["rated"])
        return cls(str(kept["markdown"]), small_print, rated, str(kept.get("question", "")))

    def as_blocks(self) -> Payload:
        """A `markdown` block, a context block and buttons, with text for notifications."""
        blocks: list[Payload] = []
        if self.markdown:
            blocks.append({"type": "markdown", "text": escaped_markdown(self.markdown)})
        if self.small_print:
            text = {"type": "mrkdwn", "text": "\n".join(self.small_print), "verbatim": True}
            blocks.append({"type": "context", "elements": [text]})
        if self.rated:
            blocks.append(feedback_block())
        if self.question:
            blocks.append(show_work_block(self.question))
        return {"text": self._notification(), "blocks": blocks, **_NO_SURPRISES}

    def as_texts(self) -> list[Payload]:
        """The same content without blocks."""
        pieces = split_escaped(self.markdown, limits.TEXT_CHARS, to_mrkdwn) if self.markdown else []
        texts = [str(to_mrkdwn(piece)) for piece in pieces]
        small = "\n".join(self.small_print)
        if texts and small and len(texts[-1]) + len(small) + 2 <= limits.TEXT_CHARS:
            texts[-1] = f"{texts[-1]}\n\n{small}"
        elif small:
            texts.append(small)
        return [{"text": text, **_NO_SURPRISES} for text in texts]

    def _notification(self) -> str:
        text = self.as_texts()[0]["text"] if self.markdown or self.small_print else ""
        return str(text) if len(text) <= limits.NOTIFICATION_CHARS else split(text, limits.NOTIFICATION_CHARS)[0]


def parts(reply: Reply, *, note: str = "", question: str = "", language: str = "en") -> list[Part]:
    """The messages that say the reply in full: most often one.

    Sources stand under the end of an answer, in words of that language, buttons under them; `note` is a line of mrkdwn
    about the reply itself.
    Answers and refusals to a `question`, its timestamp, have a button that shows how they were found.
    """
    citations = reply.citations if isinstance(reply, Answer) else ()
    known = urls(citation.passage.text for citation in citations)
    texts = split_escaped(with_room(disarm(reply.text, known)), limits.ANSWER_CHARS, escaped_markdown)
    prints = grouped([*source_lines(citations, language), *([note] if note else [])], limits.SOURCES_CHARS)
    found = [
        *(Part(text) for text in texts[:-1]),
        Part(texts[-1] if texts else "", prints[0] if prints else ()),
        *(Part("", group) for group in prints[1:]),
    ]
    shown = "" if isinstance(reply, Notice) else question
    return [*found[:-1], dataclasses.replace(found[-1], rated=isinstance(reply, Answer), question=shown)]


def escaped_markdown(markdown: str) -> str:
    """Markdown for a `markdown` block: no `<…>` survives, in which Slack would see a mention or a link, and
    nothing else that would be live, whatever cutting has made of it."""
    shown = _escaped(markdown)
    return shown if is_harmless(shown) else _escaped(defused(markdown))


def _escaped(markdown: str) -> str:
    return "\n".join(map(_escaped_line, markdown.split("\n")))


def _escaped_line(line: str) -> str:
    marks = _QUOTE_MARKS.match(line)
    start = marks.end() if marks else 0
    rest = _ENTITY.sub("&amp;", line[start:])
    return line[:start] + rest.replace("<", "&lt;").replace(">", "&gt;")
