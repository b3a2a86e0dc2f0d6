"""The upload form, from being opened to being accepted, and the button that cancels an upload."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from slack_sdk.errors import SlackApiError

from bot import limits
from bot.access import NOT_ADMIN, UNSURE, Access
from bot.clients import CONNECTION_ERRORS, Clients
from bot.form import attached_files, document_options, first_input, submitted, upload_form
from bot.incident import incident
from bot.tell import Tell
from bot.upload import Upload
from bot.uploads import Uploads
from retrieval.types import DocumentVersion

logger = logging.getLogger(__name__)

NO_FILES = "There are no files in this message, so there is nothing to add to the knowledge base."
NOTHING_TO_CANCEL = "There is nothing left to cancel: this upload has ended."


class Known(Protocol):
    """What there is to replace."""

    def list(self) -> Sequence[DocumentVersion]: ...


@dataclass(frozen=True, slots=True)
class UploadDesk:
    """Opens the form for admins and passes what they submit on. Every step checks anew who it is."""

    library: Known
    access: Access
    clients: Clients
    uploads: Uploads

    def open_form(self, user: str, trigger_id: str, tell: Tell, attached: Sequence[Mapping[str, Any]] = ()) -> None:
        """Open the form, with the files of a message in it where there are some.

        The trigger lives three seconds, so the form opens even when Slack does not say who asks: it is the submission
        that counts.
        """
        if self.access.confirmed_admin(user) is False:
            tell(NOT_ADMIN)
            return
        try:
            self.clients.once.views_open(trigger_id=trigger_id, view=upload_form(user, attached))
        except (SlackApiError, *CONNECTION_ERRORS):
            tell(f"The form did not open (incident {incident(logger, 'opening the upload form')}). Please try again.")

    def on_shortcut(self, shortcut: Mapping[str, Any], tell: Tell) -> None:
        """Open the form with the files of the message that the shortcut was chosen on."""
        user, files = str(shortcut["user"]["id"]), attached_files(shortcut["message"])
        if not files and self.access.confirmed_admin(user):
            tell(NO_FILES)
            return
        self.open_form(user, str(shortcut["trigger_id"]), tell, files[: limits.UPLOAD_FILES])

    def on_submitted(self, user: str, view: Mapping[str, Any]) -> dict[str, str]:
        """Take a submitted form. What is wrong with it, by block; empty when it was accepted."""
        admin, place = self.access.confirmed_admin(user), first_input(view)
        if not admin:
            return {place: UNSURE if admin is None else NOT_ADMIN}
        try:
            upload = submitted(view, user, self.library.list)
            if not isinstance(upload, Upload):
                return upload
            accepted = self.uploads.accept(upload)
        except Exception:
            return {place: f"I could not keep the upload (incident {incident(logger, 'keeping an upload')})."}
        return {} if accepted else {place: "Too many uploads are waiting. Please try again later."}

    def suggestions(self, user: str, typed: str) -> list[dict[str, Any]]:
        """Documents that the form offers to replace; admins alone may know of them."""
        try:
            return document_options(self.library.list(), typed) if self.access.is_admin(user) else []
        except Exception:
            incident(logger, "offering documents to replace")
            return []

    def on_cancel(self, body: Mapping[str, Any], tell: Tell) -> None:
        """Leave out what is not taken in yet of the upload whose button was pressed."""
        if not self.uploads.cancel(str(body["actions"][0]["value"]), str(body["user"]["id"])):
            tell(NOTHING_TO_CANCEL)
