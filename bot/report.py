"""Progress of an upload to one message in the admin's direct messages."""

import logging
import threading
import time
from collections.abc import Sequence
from typing import Any

from slack_sdk.errors import SlackApiError

from bot import limits
from bot.clients import CONNECTION_ERRORS, Clients, error_code, is_passing
from bot.report_lines import counted, head_at_end, progress_line, result_lines, waiting_line
from bot.upload import Upload
from retrieval.types import IngestReport

logger = logging.getLogger(__name__)

CANCEL_UPLOAD = "kb_cancel_upload"
"""The `action_id` of the button that cancels; its value is the upload's key."""

CANCELLING = "Cancelling: the file under way stops at its next step, the others are left out…"
_MARK = "footnote_upload"
_PAUSE_S = 1.5
_CLOCKS_DIFFER_S = 300.0
_PAUSES_S = (0.0, 1.0, 3.0, 10.0, 30.0)


class Report:
    """One message, edited as the files proceed, often enough to follow and seldom enough for Slack. A failure to show
    it stops nothing.

    `upload` is the one that `key` stands for. `begun`: an earlier run may have posted the message without noting where.
    """

    def __init__(self, clients: Clients, key: str, upload: Upload, *, begun: bool = False) -> None:
        self.channel = upload.report_channel
        self.ts = upload.report_ts
        self._clients = clients
        self._user = upload.user
        self._key = key
        self._oldest = upload.accepted_at - _CLOCKS_DIFFER_S
        self._doubtful = begun and self.ts is None
        self._head = ""
        self._entries: list[str] = []
        self._button = True
        self._state = threading.Condition()
        self._stale = False
        self._ended = False
        self._shower = threading.Thread(target=self._keep_showing, name="upload report", daemon=True)

    def begin(self, names: Sequence[str], results: Sequence[IngestReport] = (), *, cancelled: bool = False) -> None:
        """Show that the files are being taken in; there may be results of the first ones already."""
        self._head = CANCELLING if cancelled else f"Taking in {counted(len(names), 'file')}…"
        self._button = not cancelled
        self._entries = [*map(result_lines, results), *map(waiting_line, names[len(results) :])]
        self._show()
        self._shower.start()

    def progress(self, place: int, text: str) -> None:
        """What is being done with the file at that place, shown before long."""
        self._change(place, progress_line(text))

    def result(self, place: int, report: IngestReport) -> None:
        """What became of the file at that place."""
        self._change(place, result_lines(report))

    def cancelling(self) -> None:
        """Show that the rest is being left out."""
        with self._state:
            self._head, self._button, self._stale = CANCELLING, False, True
            self._state.notify_all()

    def stop(self) -> None:
        """Show no more changes: the rest is for another run."""
        with self._state:
            self._ended = True
            self._state.notify_all()

    def end(self, results: Sequence[IngestReport]) -> None:
        """Show the results, trying again for a while: this is the reply to the upload."""
        self.stop()
        self._shower.join()
        self._head, self._button = head_at_end(results), False
        for pause_s in _PAUSES_S:
            time.sleep(pause_s)
            if self._show():
                return
        logger.error("the results of an upload of %s could not be shown", self._user)

    def _change(self, place: int, entry: str) -> None:
        with self._state:
            self._entries[place], self._stale = entry, True
            self._state.notify_all()

    def _keep_showing(self) -> None:
        """A thread of its own, so that nobody waits for Slack and the last change before a long step shows too."""
        while True:
            with self._state:
                self._state.wait_for(lambda: self._stale or self._ended)
                if self._ended:
                    return
                self._stale = False
            self._show()
            with self._state:
                self._state.wait_for(lambda: self._ended, _PAUSE_S)

    def _show(self) -> bool:
        try:
            if self.channel is None:
                self.channel = str(self._clients.reader.conversations_open(users=self._user)["channel"]["id"])
            if self._doubtful:
                self.ts = self._found(self.channel)
                self._doubtful = False
            if self.ts is None:
                self.ts = self._posted(self.channel)
            else:
                self._clients.reader.chat_update(channel=self.channel, ts=self.ts, **self._content())
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            logger.warning("cannot show the report of an upload: %s", error)
            return False
        return True

    def _posted(self, channel: str) -> str:
        mark = {"event_type": _MARK, "event_payload": {"upload": self._key}}
        try:
            posted = self._clients.writer.chat_postMessage(
                channel=channel, metadata=mark, unfurl_links=False, unfurl_media=False, **self._content()
            )
        except SlackApiError as error:
            self._doubtful = is_passing(error)
            raise
        except CONNECTION_ERRORS:
            self._doubtful = True
            raise
        return str(posted["ts"])

    def _found(self, channel: str) -> str | None:
        """Timestamp of the message where it stands already, though nobody noted it. Raises as the client does where
        it may only be asked again."""
        cursor: str | None = None
        for _ in range(limits.REPLIES_PAGES):
            try:
                page = self._clients.reader.conversations_history(
                    channel=channel,
                    oldest=f"{self._oldest:.6f}",
                    limit=limits.REPLIES_PAGE,
                    cursor=cursor,
                    include_all_metadata=True,
                )
            except SlackApiError as error:
                if is_passing(error):
                    raise
                logger.warning("cannot look for the report of an upload: %s", error_code(error))
                return None
            for message in page["messages"]:
                metadata = message.get("metadata") or {}
                if metadata.get("event_type") == _MARK and metadata["event_payload"].get("upload") == self._key:
                    return str(message["ts"])
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
        return None

    def _content(self) -> dict[str, Any]:
        with self._state:
            parts = [f"*{self._head}*", *self._entries]
            text = "\n".join([self._head, *self._entries])[: limits.TEXT_CHARS]
            button = self._button
        blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": part, "verbatim": True}} for part in parts]
        return {"text": text, "blocks": [*blocks, *([_cancel_button(self._key)] if button else [])]}


def _cancel_button(key: str) -> dict[str, Any]:
    label = {"type": "plain_text", "text": "Cancel"}
    button = {"type": "button", "action_id": CANCEL_UPLOAD, "text": label, "value": key}
    return {"type": "actions", "block_id": CANCEL_UPLOAD, "elements": [button]}
