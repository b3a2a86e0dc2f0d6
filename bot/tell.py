"""Answers that only the person who acted sees."""

import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Protocol

from slack_bolt import Respond
from slack_sdk import WebClient

from bot.clients import CONNECTION_ERRORS

logger = logging.getLogger(__name__)


class Tell(Protocol):
    """Answers where only the person sees it, with the text instead of blocks where there are none."""

    def __call__(self, text: str, blocks: Sequence[dict[str, Any]] = ()) -> None: ...


def privately(channel: str, user: str, respond: Respond, client: WebClient) -> Tell:
    """Answers where only the person sees it: at the response_url, else by an ephemeral message."""

    def tell(text: str, blocks: Sequence[dict[str, Any]] = ()) -> None:
        shown = {"text": text, "blocks": list(blocks)} if blocks else {"text": text}
        try:
            if respond(**shown, response_type="ephemeral", replace_original=False).status_code == HTTPStatus.OK:
                return
        except CONNECTION_ERRORS:
            logger.warning("no answer from a response_url", exc_info=True)
        client.chat_postEphemeral(channel=channel, user=user, **shown)

    return tell


def instead(respond: Respond) -> Tell:
    """Answers in the place of the message whose button was pressed."""

    def show(text: str, blocks: Sequence[dict[str, Any]] = ()) -> None:
        try:
            respond(text=text, blocks=list(blocks), replace_original=True)
        except CONNECTION_ERRORS:
            logger.warning("no answer from a response_url", exc_info=True)

    return show
