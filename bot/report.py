"""Progress of an upload to one message in the admin's direct messages."""

import logging
import time
from collections.abc import Sequence

from slack_sdk.errors import SlackApiError

from bot import limits
from bot.clients import CONNECTION_ERRORS, Clients
from bot.links import unlinked
from bot.mrkdwn import escaped, one_line
from retrieval.types import IngestReport

logger = logging.getLogger(__name__)

_PAUSE_S = 1.5
_PAUSES_S = (0.0, 1.0, 3.0, 10.0, 30.0)
_LINE_CHARS = 350
_ICONS = {"new": ":white_check_mark:", "new_version": ":white_check_mark:", "unchanged": ":heavy_minus_sign:"}
_WORDS = {"new": "added", "new_version": "replaced by a new version", "unchanged": "unchanged, already known"}


class Report:
    """One message, edited as the files proceed. A failure to show it stops nothing."""

    def __init__(self, clients: Clients, user: str, channel: str | None = None, ts: str | None = None) -> None:
        self.channel = channel
        self.ts = ts
        self._clients = clients
        self._user = user
        self._lines: list[str] = []
        self._head = ""
        self._shown_at = 0.0

    def begin(self, names: Sequence[str], results: Sequence[IngestReport] = ()) -> None:
        """Show that the files are being taken in; there may be results of the first ones already."""
        waiting = [one_line(name, limits.NAME_CHARS) for name in names[len(results) :]]
        self._lines = [*map(result_line, results), *(f":hourglass_flowing_sand: {name}: waiting" for name in waiting)]
        self._head = f"Taking in {counted(len(names), 'file')}…"
        self._show()

    def progress(self, place: int, text: str) -> None:
        """What is being done with the file at that place, shown now and then."""
        self._lines[place] = f":hourglass_flowing_sand: {_harmless(text)}"[:_LINE_CHARS]
        if time.monotonic() - self._shown_at >= _PAUSE_S:
            self._show()

    def result(self, place: int, report: IngestReport) -> None:
        """What became of the file at that place."""
        self._lines[place] = result_line(report)

    def end(self) -> None:
        """Show the results, trying again for a while: this is the reply to the upload."""
        failed = sum(line.startswith(":x:") for line in self._lines)
        taken_in = len(self._lines) - failed
        self._head = f"Done: {counted(taken_in, 'file')} taken in" + (f", {failed} refused." if failed else ".")
        for pause_s in _PAUSES_S:
            time.sleep(pause_s)
            if self._show():
                return
        logger.error("the results of an upload of %s could not be shown", self._user)

    def _show(self) -> bool:
        text = "\n".join([self._head, *self._lines])[: limits.TEXT_CHARS]
        self._shown_at = time.monotonic()
        try:
            if self.channel is None:
                self.channel = str(self._clients.reader.conversations_open(users=self._user)["channel"]["id"])
            if self.ts is None:
                posted = self._clients.writer.chat_postMessage(
                    channel=self.channel, text=text, unfurl_links=False, unfurl_media=False
                )
                self.ts = str(posted["ts"])
            else:
                self._clients.reader.chat_update(channel=self.channel, ts=self.ts, text=text)
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            logger.warning("cannot show the report of an upload: %s", error)
            return False
        return True


def result_line(report: IngestReport) -> str:
    """One line of mrkdwn on what became of a file."""
    name = one_line(report.document, limits.NAME_CHARS)
    if report.status == "failed":
        why = _harmless(report.message or report.reason or "could not be taken in")
        return f":x: {why if name in why else f'{name}: {why}'}"[:_LINE_CHARS]
    facts = ", ".join([counted(report.chunks, "passage"), *([counted(report.pages, "page")] if report.pages else [])])
    line = f"{_ICONS[report.status]} {name}: {_WORDS[report.status]} ({facts})"
    return " ".join([line, *map(_harmless, report.warnings)])[:_LINE_CHARS]


def _harmless(text: str) -> str:
    """Text that may hold names and words of a file, as mrkdwn without links and pings."""
    return escaped(unlinked(text))


def counted(number: int, thing: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
