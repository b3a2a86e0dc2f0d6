"""`/kb` and its upload form to changes in the knowledge base, for admins."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from slack_sdk.errors import SlackApiError

from bot import limits
from bot.access import Access
from bot.clients import CONNECTION_ERRORS, Clients
from bot.form import FILES, submitted, upload_form
from bot.incident import incident
from bot.mrkdwn import escaped, one_line
from bot.report import counted
from bot.review import VERDICTS, review_list
from bot.split import split
from bot.upload import Upload, Uploads
from retrieval.build import Audit
from retrieval.errors import FootnoteError
from retrieval.types import ADMINS, DocumentVersion, KnowledgeGap

logger = logging.getLogger(__name__)


class Tell(Protocol):
    """Answers where only the person sees it, with the text instead of blocks where there are none."""

    def __call__(self, text: str, blocks: Sequence[dict[str, Any]] = ()) -> None: ...


HELP = (
    "*What I do*: mention me in a channel, write to me directly, or ask on in a thread. I answer from the "
    "knowledge base and show the source of each statement.\n"
    "*For admins*\n"
    "• `/kb upload` adds documents\n"
    "• `/kb list` shows them\n"
    "• `/kb delete NAME` takes one out\n"
    "• `/kb gaps` shows what got no answer\n"
    "• `/kb review` shows statements that did not hold, for you to decide"
)
NOT_ADMIN = "Only admins can do that. Ask an admin of this workspace to add or remove documents."
_UNSURE = "I could not check with Slack whether you are an admin. Please try again in a minute."
_LIST_MESSAGES = 4
_GAPS_MOST = 200
_QUESTION_CHARS = 200


class KnowledgeBase(Protocol):
    """What the desk needs of the library."""

    def list(self) -> Sequence[DocumentVersion]: ...

    def delete(self, document: str) -> DocumentVersion: ...


@dataclass(frozen=True, slots=True)
class AdminDesk:
    """Answers commands in private and passes uploads on. Every action checks anew who asks."""

    library: KnowledgeBase
    audit: Audit
    access: Access
    clients: Clients
    uploads: Uploads

    def on_command(self, command: Mapping[str, Any], tell: Tell) -> None:
        """Carry out `/kb ...`; `tell` answers in private."""
        verb, _, rest = str(command.get("text") or "").strip().partition(" ")
        user = str(command["user_id"])
        match verb.lower():
            case "" | "help":
                tell(HELP)
            case "upload":
                self._open_form(user, str(command["trigger_id"]), tell)
            case "list":
                self._if_admin(user, tell, lambda: self._list(tell))
            case "delete":
                self._if_admin(user, tell, lambda: self._delete(rest, tell))
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

    def on_upload(self, user: str, view: Mapping[str, Any]) -> dict[str, str]:
        """Take a submitted form. What is wrong with it, by block; empty when it was accepted."""
        admin = self._is_admin(user)
        if not admin:
            return {FILES: _UNSURE if admin is None else NOT_ADMIN}
        upload = submitted(view, user)
        if not isinstance(upload, Upload):
            return upload
        try:
            accepted = self.uploads.accept(upload)
        except Exception:
            return {FILES: f"I could not keep the upload (incident {incident(logger, 'keeping an upload')})."}
        return {} if accepted else {FILES: "Too many uploads are waiting. Please try again later."}

    def _is_admin(self, user: str) -> bool | None:
        """None when Slack does not say."""
        try:
            return self.access.is_admin_now(user)
        except (SlackApiError, *CONNECTION_ERRORS) as error:
            logger.warning("cannot check whether someone is an admin: %s", error)
            return None

    def _open_form(self, user: str, trigger_id: str, tell: Tell) -> None:
        """The trigger lives three seconds, so the form opens even when Slack does not say who asks: it is
        the submission that counts."""
        if self._is_admin(user) is False:
            tell(NOT_ADMIN)
            return
        try:
            self.clients.once.views_open(trigger_id=trigger_id, view=upload_form())
        except (SlackApiError, *CONNECTION_ERRORS):
            number = incident(logger, "opening the upload form")
            tell(f"The form did not open (incident {number}). Please try `/kb upload` again.")

    def _if_admin(self, user: str, tell: Tell, action: Callable[[], None]) -> None:
        admin = self._is_admin(user)
        if not admin:
            tell(_UNSURE if admin is None else NOT_ADMIN)
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

    def _delete(self, name: str, tell: Tell) -> None:
        document = name.strip().strip("`\"'“”")
        if not document:
            tell("Say which one: `/kb delete NAME`, with the name as `/kb list` shows it.")
            return
        gone = self.library.delete(document)
        tell(f"Deleted {_code(gone.document)} (v{gone.version}). It is no longer part of any answer.")


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
        *([counted(version.pages, "page")] if version.pages else []),
        *([version.date.isoformat()] if version.date else []),
        *([f"tags: {one_line(', '.join(version.tags), limits.NAME_CHARS)}"] if version.tags else []),
        *(["admins only"] if version.visibility == ADMINS else []),
    ]
    return f"• {_code(version.document)}: {', '.join(facts)}"


def _code(name: str) -> str:
    """A name that can be copied as it is."""
    return f"`{escaped(name.replace('`', 'ˋ'))}`"
