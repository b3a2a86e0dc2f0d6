"""Bolt's requests to the listener and the admin desk; nothing stays unacknowledged."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from http import HTTPStatus
from typing import Any

from slack_bolt import Ack, App, BoltResponse, Respond
from slack_bolt.error import BoltUnhandledRequestError
from slack_sdk import WebClient

from bot.admin import AdminDesk, Tell
from bot.clients import CONNECTION_ERRORS
from bot.feedback import FEEDBACK, on_feedback
from bot.form import UPLOAD_FORM
from bot.home import home_view
from bot.incident import incident
from bot.listener import Listener
from bot.review import VERDICTS
from bot.show_work import SHOW_WORK, ShowWork
from retrieval.build import FeedbackLog

logger = logging.getLogger(__name__)


def create_app(
    client: WebClient,
    listener: Listener,
    desk: AdminDesk,
    feedback: FeedbackLog,
    show_work: ShowWork,
    executor: Executor,
) -> App:
    """The Bolt app. Its listeners run in `executor`, which must have room for slash commands at any time."""
    app = App(
        client=client,
        logger=_bolt_logger(),
        listener_executor=executor,
        raise_error_for_unhandled_request=True,
    )
    _listen(app, listener)
    _administer(app, desk)
    _converse(app, feedback, show_work)
    app.error(_acknowledge)
    return app


def _bolt_logger() -> logging.Logger:
    """Bolt's own words but one: that it reads SLACK_BOT_TOKEN too and prefers the client it is given."""
    bolt = logging.getLogger("slack_bolt.App")
    bolt.addFilter(lambda record: "`token` will be unused" not in record.getMessage())
    return bolt


def _listen(app: App, listener: Listener) -> None:
    """Messages are kept by a middleware: Bolt acknowledges an event before its listener runs, and what is
    acknowledged and not kept is lost when the process dies."""

    def keep(event: dict[str, Any], body: dict[str, Any], next: Callable[[], None]) -> None:
        listener.on_message(event, shared_channel=bool(body.get("is_ext_shared_channel")))
        next()

    for kind in ("app_mention", "message"):
        app.event(kind, middleware=[keep])(_nothing_more)


def _nothing_more() -> None:
    """The message is kept, that was all."""


def _converse(app: App, feedback: FeedbackLog, show_work: ShowWork) -> None:
    @app.action(SHOW_WORK)
    def on_show_work(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        show_work.on_pressed(body)

    @app.action(FEEDBACK)
    def on_pressed(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        on_feedback(body, feedback, client)

    @app.event("app_home_opened")
    def on_home(event: dict[str, Any], client: WebClient) -> None:
        if event.get("tab") == "home":
            client.views_publish(user_id=event["user"], view=home_view())


def _administer(app: App, desk: AdminDesk) -> None:
    @app.command("/kb")
    def on_command(ack: Ack, command: dict[str, Any], respond: Respond, client: WebClient) -> None:
        ack()
        desk.on_command(command, _privately(command, respond, client))

    @app.action(re.compile("|".join(VERDICTS)))
    def on_review(ack: Ack, body: dict[str, Any], respond: Respond) -> None:
        ack()
        desk.on_review(body, _instead(respond))

    @app.view(UPLOAD_FORM)
    def on_upload(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        errors = desk.on_upload(str(body["user"]["id"]), view)
        if errors:
            ack(response_action="errors", errors=errors)
        else:
            ack()


def _privately(command: Mapping[str, Any], respond: Respond, client: WebClient) -> Tell:
    """Answers where only the person sees it: at the command's response_url, else by an ephemeral message."""

    def tell(text: str, blocks: Sequence[dict[str, Any]] = ()) -> None:
        shown = {"text": text, "blocks": list(blocks)} if blocks else {"text": text}
        try:
            if respond(**shown, response_type="ephemeral").status_code == HTTPStatus.OK:
                return
        except CONNECTION_ERRORS:
            logger.warning("no answer from a response_url", exc_info=True)
        client.chat_postEphemeral(channel=command["channel_id"], user=command["user_id"], **shown)

    return tell


def _instead(respond: Respond) -> Tell:
    """Answers in the place of the message whose button was pressed."""

    def show(text: str, blocks: Sequence[dict[str, Any]] = ()) -> None:
        try:
            respond(text=text, blocks=list(blocks), replace_original=True)
        except CONNECTION_ERRORS:
            logger.warning("no answer from a response_url", exc_info=True)

    return show


def _acknowledge(error: Exception, body: dict[str, Any]) -> BoltResponse | None:
    """Slack repeats what is not acknowledged; what nobody listens to is not worth repeating."""
    if isinstance(error, BoltUnhandledRequestError):
        return BoltResponse(status=200)
    try:
        raise error
    except Exception:
        incident(logger, f"handling {body.get('type')} {body.get('event_id', '')}")
    return None
