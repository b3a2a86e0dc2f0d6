"""Bolt's requests to the listener and the admin desk; nothing stays unacknowledged."""

import logging
import re
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from slack_bolt import Ack, App, BoltResponse, Respond
from slack_bolt.error import BoltUnhandledRequestError
from slack_sdk import WebClient

from bot.admin import AdminDesk
from bot.feedback import FEEDBACK, on_feedback
from bot.form import REPLACES, UPLOAD_FORM
from bot.home import home_view
from bot.incident import incident
from bot.listener import Listener
from bot.report import CANCEL_UPLOAD
from bot.review import VERDICTS
from bot.show_work import SHOW_WORK, ShowWork
from bot.tell import instead, privately
from bot.upload_desk import UploadDesk
from retrieval.build import FeedbackLog

logger = logging.getLogger(__name__)

ADD_FILES = "kb_add_files"
"""The `callback_id` of the message shortcut."""


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
    _take_files(app, desk.uploads)
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
        desk.on_command(command, privately(command["channel_id"], command["user_id"], respond, client))

    @app.action(re.compile("|".join(VERDICTS)))
    def on_review(ack: Ack, body: dict[str, Any], respond: Respond) -> None:
        ack()
        desk.on_review(body, instead(respond))


def _take_files(app: App, desk: UploadDesk) -> None:
    @app.message_shortcut(ADD_FILES)
    def on_shortcut(ack: Ack, shortcut: dict[str, Any], respond: Respond, client: WebClient) -> None:
        ack()
        desk.on_shortcut(shortcut, privately(shortcut["channel"]["id"], shortcut["user"]["id"], respond, client))

    @app.view(UPLOAD_FORM)
    def on_submitted(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        errors = desk.on_submitted(str(body["user"]["id"]), view)
        if errors:
            ack(response_action="errors", errors=errors)
        else:
            ack()

    @app.options(REPLACES)
    def on_typed(ack: Ack, body: dict[str, Any]) -> None:
        ack(options=desk.suggestions(str(body["user"]["id"]), str(body.get("value") or "")))

    @app.action(CANCEL_UPLOAD)
    def on_cancel(ack: Ack, body: dict[str, Any], respond: Respond, client: WebClient) -> None:
        ack()
        desk.on_cancel(body, privately(body["channel"]["id"], body["user"]["id"], respond, client))


def _acknowledge(error: Exception, body: dict[str, Any]) -> BoltResponse | None:
    """Slack repeats what is not acknowledged; what nobody listens to is not worth repeating."""
    if isinstance(error, BoltUnhandledRequestError):
        return BoltResponse(status=200)
    try:
        raise error
    except Exception:
        incident(logger, f"handling {body.get('type')} {body.get('event_id', '')}")
    return None
