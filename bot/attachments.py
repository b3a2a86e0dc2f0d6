"""Files of a message to an upload, where an admin mentions the bot with them."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slack_sdk.errors import SlackApiError

from bot import limits
from bot.access import UNSURE, Access
from bot.clients import CONNECTION_ERRORS, Clients
from bot.form import attached_files
from bot.jobs import Job
from bot.report_lines import counted
from bot.upload import Upload
from bot.uploads import Uploads
from retrieval.types import ThreadMessage

logger = logging.getLogger(__name__)

FILES_UNREAD = (
    "I do not read files in messages. An admin can add them to the knowledge base, by mentioning me with them or with "
    "`/kb upload`; questions about them can then be asked here."
)
FILES_LEFT_ALONE = "The files of your message were not read: only admins add documents to the knowledge base."
BUSY = "Too many uploads are waiting, so I have not taken the files in. Please try again later."
_WAIT_S = 45.0
_ADDING = re.compile(
    r"\b(?:add|upload|ingest|import|index|save|please|pls|can|could|would|you|this|these|that|them|it|the|my|our|an?|new|"
    r"attached|updated|files?|docs?|documents?|pdfs?|version|and|to|into|in|for|your|knowledge|base|kb|thanks|thank|hi|hey|"
    r"hello|bitte|füge?|diese[sn]?|das|die|den|datei(?:en)?|dokumente?|zur|wissensbasis|hinzu(?:fügen)?|aufnehmen|"
    r"hochladen|ajoute[rz]?|ces?|cette|fichiers?|à|la|base|de|connaissances|s|il|te|vous|plaît|merci|añad[ea]|agreg[ua]e?|"
    r"estos?|archivos?|documentos?|conocimiento|por|favor|gracias|adicion[ae]r?|arquivos?|conhecimento|est[ae]s?)\b"
    r"|请|請|麻烦|帮我|把|将|將|这|這|个|個|些|份|几|文件|文档|文檔|资料|添加|新增|加入|加到|上传|上傳|收录|收錄|入库|放|"
    r"到|进|知识库|知識庫|里|中|一下|吧|谢谢|謝謝|この|これ|らの?|ファイル|文書|資料|ナレッジベース|追加|登録|アップロード|"
    r"して|ください|お願いします|を|に",
    re.IGNORECASE,
)
"""What a request to add files is made of; whatever else a message says is answered."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What was done about the files of a message, in words for its author. `asks`: the message asks something too."""

    note: str
    asks: bool


class Attachments:
    """Takes in what admins attach. Safe to call again for the same message: it is taken in once."""

    def __init__(self, access: Access, uploads: Uploads, clients: Clients) -> None:
        self._access = access
        self._uploads = uploads
        self._clients = clients

    def handle(self, job: Job, show_reading: Callable[[], None]) -> Handled | None:
        """None when there is nothing to say of files.

        Where the message asks something too, shows that they are being read and waits for a while until they are taken
        in, so that the answer knows them.
        """
        message = job.message
        files = self._message_files(message) if job.files is None else attached_files({"files": job.files})
        if not files or (message.text and not job.addressed):
            return None
        asks = not only_adds(message.text)
        admin = job.addressed and self._access.confirmed_admin(message.author)
        if not admin:
            refusal = UNSURE if admin is None else FILES_LEFT_ALONE if message.text else FILES_UNREAD
            return Handled(refusal, asks)
        key = f"{message.channel}-{message.ts}"
        upload = Upload(user=message.author, owner=message.author, files=files[: limits.UPLOAD_FILES])
        if not self._uploads.accept(upload, key):
            return Handled(BUSY, asks)
        if not asks:
            return Handled(_note(files), asks)
        show_reading()
        return Handled(self._note_after_waiting(key, files), asks)

    def _note_after_waiting(self, key: str, files: Sequence[object]) -> str:
        upload = self._uploads.wait_for_end(key, _WAIT_S)
        if upload is None:
            return f"{_note(files)} This answer does not know all of them yet."
        failed = sum(result.status == "failed" for result in upload.results)
        refused = f", {failed} could not be: see your direct messages" if failed else ""
        return f"{counted(len(upload.results) - failed, 'file')} of your message taken in{refused}."

    def _message_files(self, message: ThreadMessage) -> list[dict[str, Any]]:
        """Files of a message from before a restart, as Slack has them; none where it does not say."""
        try:
            said: Sequence[Mapping[str, Any]] = self._clients.reader.conversations_replies(
                channel=message.channel, ts=message.thread, oldest=message.ts, inclusive=True, limit=2
            )["messages"]
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            logger.warning("cannot look for the files of a message: %s", error)
            return []
        return next((attached_files(found) for found in said if found["ts"] == message.ts), [])


def only_adds(text: str) -> bool:
    """Whether a message with files says no more than that they are to be added."""
    return not re.search(r"\w", _ADDING.sub("", text))


def _note(files: Sequence[object]) -> str:
    taken = min(len(files), limits.UPLOAD_FILES)
    rest = f" The other {len(files) - taken} are left out; send them in another message." if len(files) > taken else ""
    return (
        f"I am taking in {counted(taken, 'file')} of your message and tell you in our direct messages how it goes. New "
        f"documents are for everyone; `/kb upload` can say otherwise.{rest}"
    )
