"""Settings and a built Footnote to a bot on Slack."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bot.access import Access, Home
from bot.admin import AdminDesk
from bot.admin_group import AdminGroup
from bot.app import create_app
from bot.attachments import Attachments
from bot.audit import AuditTrail
from bot.clients import Clients, Identity, identify
from bot.connection import Connection
from bot.delivery import WAITING_MOST, Delivery
from bot.download import Downloader
from bot.file_intake import FileIntake
from bot.history import History
from bot.listener import Listener
from bot.posting import Poster
from bot.responder import Responder
from bot.settings import BotSettings
from bot.show_work import ShowWork
from bot.upload_desk import UploadDesk
from bot.uploads import Uploads
from retrieval.build import Footnote
from retrieval.errors import FootnoteError

logger = logging.getLogger(__name__)

_LISTENERS = 32
_REPLIES_GRACE_S = 20.0
_UPLOADS_GRACE_S = 20.0


class Bot:
    """Footnote on Slack, from `start` to `stop`. One bot a data directory, which `only_bot_on` sees to."""

    def __init__(
        self,
        settings: BotSettings,
        footnote: Footnote,
        data_dir: Path,
        *,
        max_file_mb: int,
        waiting_most: int = WAITING_MOST,
    ) -> None:
        self.stopping = threading.Event()
        clients = Clients.of(settings)
        self.identity: Identity = identify(clients.reader)
        bot_user = self.identity.user_id
        home = Home(self.identity.team_id, self.identity.enterprise_id)
        group = AdminGroup(clients.quick, settings.admin_usergroup) if settings.admin_usergroup else None
        self.access = Access(clients, home, settings.admin_users, group)
        downloader = Downloader(settings.bot_token, settings.slack_api_url, max_file_mb)
        intake = FileIntake(footnote.library.ingest, clients, downloader)
        self._uploads = Uploads(data_dir / "uploads", intake, clients)
        trail = AuditTrail(footnote.audit, footnote.audit_days)
        responder = Responder(
            footnote.pipeline.ask,
            footnote.deliveries,
            History(footnote.deliveries, clients.once, bot_user),
            self.access,
            Attachments(self.access, self._uploads, clients),
            Poster(clients, bot_user),
            trail,
            clients,
            bot_user,
        )
        self._delivery = Delivery(footnote.deliveries, responder, trail, capacity=waiting_most)
        self._executor = ThreadPoolExecutor(_LISTENERS, "listeners")
        listener = Listener(self._delivery, bot_user)
        upload_desk = UploadDesk(footnote.library, self.access, clients, self._uploads)
        self.desk = AdminDesk(footnote.library, footnote.audit, self.access, upload_desk)
        show_work = ShowWork(footnote.audit, self.access, clients)
        self._connection = Connection(
            create_app(clients.reader, listener, self.desk, footnote.deliveries, show_work, self._executor),
            settings.app_token,
        )

    def start(self) -> None:
        """Take up what was left over, and connect. Raises ConfigurationError, ServiceUnavailable."""
        try:
            self._delivery.start()  # before anything new can come in and be taken up twice
            self._uploads.start()
            self._connection.open()
        except FootnoteError:
            self.stop()
            raise

    @property
    def is_lost(self) -> bool:
        """Whether there has been no connection to Slack for minutes."""
        return self._connection.lost.is_set()

    def stop(self) -> None:
        """Begin nothing more, finish what is under way, and hear no more."""
        self._delivery.close()
        self._uploads.close()
        self.stopping.set()
        self._connection.close()
        self._executor.shutdown()
        if not self._delivery.wait_until_idle(_REPLIES_GRACE_S):
            logger.warning("some replies did not end in time; they are taken up at the next start")
        if not self._uploads.wait_until_idle(_UPLOADS_GRACE_S):
            logger.warning("an upload did not end in time; it is taken up at the next start")
