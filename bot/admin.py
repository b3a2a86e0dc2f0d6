"""`/kb` to answers and changes in the knowledge base, for admins."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bot import limits
from bot.access import NOT_ADMIN, UNSURE, Access
from bot.incident import incident
from bot.mrkdwn import escaped, one_line
from bot.report_lines import counted
from bot.review import VERDICTS, review_list
from bot.split import split
from bot.tell import Tell
from bot.upload_desk import UploadDesk
from retrieval.build import Audit
from retrieval.errors import FootnoteError
from retrieval.types import ADMINS, DocumentVersion, KnowledgeGap

logger = logging.getLogger(__name__)


HELP = (
    "*What I do*: mention me in a channel, write to me directly, or ask on in a thread. I answer from the "
    "knowledge base and show the source of each statement.\n"
    "*For admins*\n"
    "• `/kb upload` adds documents, or new versions of them\n"
    "• _Add to knowledge base_ in the menu of a message does so with its files, and so does mentioning me with files\n"
    "• `/kb list` shows the documents with version, date and owner\n"
    "• `/kb delete NAME` takes one out, `/kb restore NAME` brings it back within 30 days\n"
    "• `/kb gaps` shows what got no answer\n"
    "• `/kb review` shows statements that did not hold, for you to decide\n"
    "_Documents are read with MinerU._"
)
_PERSON = re.compile(r"[UW][A-Z0-9]{5,}")
_LIST_MESSAGES = 4
_GAPS_MOST = 200
_QUESTION_CHARS = 200


class KnowledgeBase(Protocol):
    """What the desk needs of the library."""

    def list(self) -> Sequence[DocumentVersion]: ...

    def delete(self, document: str) -> DocumentVersion: ...

    def restore(self, document: str) -> DocumentVersion: ...


@dataclass(frozen=True, slots=True)
class AdminDesk:
    """Answers commands in private. Every action checks anew who asks."""

    library: KnowledgeBase
    audit: Audit
    access: Access
    uploads: UploadDesk

    def on_command(self, command: Mapping[str, Any], tell: Tell) -> None:
        """Carry out `/kb ...`; `tell` answers in private."""
        verb, _, rest = str(command.get("text") or "").strip().partition(" ")
        user = str(command["user_id"])
        match verb.lower():
            case "" | "help":
                tell(HELP)
            case "upload":
                self.uploads.open_form(user, str(command["trigger_id"]), tell)
            case "list":
                self._if_admin(user, tell, lambda: self._list(tell))
            case "delete":
                self._if_admin(user, tell, lambda: self._delete(_named(rest), tell))
            case "restore":
                self._if_admin(user, tell, lambda: self._restore(_named(rest), tell))
            case "gaps":
                self._if_admin(user, tell, lambda: self._gaps(tell))
            case "review":
                self._if_admin(user, tell, lambda: tell(*review_list(self.audit)))
            case _:
                tell(f"I do not know `/kb {one_line(verb, limits.NAME_CHARS)}`.\n{HELP}")

    def on_review(self, body: Mapping[str, Any], show: Tell) -> None:
        """Take what was pressed in the list of `/kb review`, and show what is left in its place."""
        user, action = str(body["user"]["id"]), body["actions"][0]

        def decide() -> None:
            self.audit.decide(int(action["value"]), VERDICTS[action["action_id"]], user)
            show(*review_list(self.audit))

        self._if_admin(user, show, decide)

    def _if_admin(self, user: str, tell: Tell, action: Callable[[], None]) -> None:
        admin = self.access.confirmed_admin(user)
        if not admin:
            tell(UNSURE if admin is None else NOT_ADMIN)
            return
        try:
            action()
        except FootnoteError as error:
            tell(escaped(str(error)))
        except Exception:
            tell(f"Sorry, something went wrong on my side (incident {incident(logger, 'running /kb')}).")

    def _list(self, tell: Tell) -> None:
        versions = sorted(self.library.list(), key=lambda version: version.document.casefold())
        if not versions:
            tell("The knowledge base holds no documents yet. Add some with `/kb upload`.")
            return
        head = f"*{counted(len(versions), 'document')}*"
        _tell_all(tell, [head, *map(_listed, versions)], "footnote kb list")

    def _gaps(self, tell: Tell) -> None:
        gaps = self.audit.gaps(_GAPS_MOST)
        if not gaps:
            tell("Every question that I remember got an answer.")
            return
        _tell_all(tell, ["*What got no answer, most asked first*", *map(_gap, gaps)], "footnote audit gaps")

    def _delete(self, document: str, tell: Tell) -> None:
        if not document:
            tell("Say which one: `/kb delete NAME`, with the name as `/kb list` shows it.")
            return
        gone = self.library.delete(document)
        tell(
            f"Deleted {_code(gone.document)} (v{gone.version}). It is no longer part of any answer; `/kb restore` with "
            "its name brings it back."
        )

    def _restore(self, document: str, tell: Tell) -> None:
        if not document:
            tell("Say which one: `/kb restore NAME`, with the name it had.")
            return
        back = self.library.restore(document)
        tell(f"Restored {_code(back.document)} (v{back.version}). It is part of answers again.")


def _named(text: str) -> str:
    """A document's name as people write it."""
    return text.strip().strip("`\"'“”")


def _tell_all(tell: Tell, lines: Sequence[str], command: str) -> None:
    messages = split("\n".join(lines), limits.TEXT_CHARS)
    for message in messages[:_LIST_MESSAGES]:
        tell(message)
    if len(messages) > _LIST_MESSAGES:
        tell(f"… and more. `{command}` on the server shows all of them.")


def _gap(gap: KnowledgeGap) -> str:
    return f"• {gap.times}× (last {gap.last_asked:%Y-%m-%d}): {one_line(gap.question, _QUESTION_CHARS)}"


def _listed(version: DocumentVersion) -> str:
    facts: Sequence[str] = [
        f"v{version.version}",
        counted(version.chunks, "passage"),
        *([counted(version.pages, version.page_unit)] if version.pages else []),
        f"dated {version.date}" if version.date else f"added {version.ingested_at:%Y-%m-%d}",
        *([f"owner: {_person(version.owner)}"] if version.owner else []),
        *([f"tags: {one_line(', '.join(version.tags), limits.NAME_CHARS)}"] if version.tags else []),
        *(["admins only"] if version.visibility == ADMINS else []),
    ]
    return f"• {_code(version.document)}: {', '.join(facts)}"


def _person(owner: str) -> str:
    """A mention, which pings nobody where only one person sees it, or a name."""
    return f"<@{owner}>" if _PERSON.fullmatch(owner) else one_line(owner, limits.NAME_CHARS)


def _code(name: str) -> str:
    """A name that can be copied as it is."""
    return f"`{escaped(name.replace('`', 'ˋ'))}`"
