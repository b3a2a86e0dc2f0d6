"""A workspace per test, Slack's own client on it, and Bolt apps over the real socket."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from tests.running_workspace import APP_TOKEN, BOT_TOKEN, Connect, WorkspaceHandle, hang_up, running_workspace
from tests.workspace.browsing import CHROMIUM, opened_page
from tests.workspace.raw_app import ConnectRaw, RawApp
from workspace.settings import Settings

EVENT_TYPES = (
    *("message", "app_mention", "app_home_opened", "reaction_added", "reaction_removed"),
    *("member_joined_channel", "member_left_channel", "channel_left", "group_left"),
)
# Short, so that a lost connection is noticed within a second or two.
PING_INTERVAL_S = 0.2


@pytest.fixture
def workspace() -> Iterator[WorkspaceHandle]:
    """A workspace of the test's own, with Slack's times."""
    with running_workspace() as handle:
        yield handle


@pytest.fixture
def client(workspace: WorkspaceHandle) -> WebClient:
    """Slack's client with the bot's token."""
    return WebClient(token=BOT_TOKEN, base_url=workspace.api_url)


@pytest.fixture
def app(client: WebClient) -> App:
    """A Bolt app that listens to nothing yet."""
    return App(client=client)


@pytest.fixture
def connect(workspace: WorkspaceHandle) -> Iterator[Connect]:
    """Connects Bolt apps over Socket Mode, and disconnects them after the test."""
    handlers: list[SocketModeHandler] = []

    def start(app: App) -> SocketModeHandler:
        handler = SocketModeHandler(app, APP_TOKEN, ping_interval=PING_INTERVAL_S, receive_buffer_size=64 * 1024)
        handlers.append(handler)
        handler.connect()  # type: ignore[no-untyped-call]  # Bolt has no annotation here
        return handler

    yield start
    hang_up(workspace, *(handler.client for handler in handlers))


@pytest.fixture
def events(app: App, connect: Connect) -> list[dict[str, Any]]:
    """Every event the connected app gets, as its `event` object, in order of arrival."""
    received: list[dict[str, Any]] = []

    @app.middleware
    def record(body: dict[str, Any], next: Callable[[], None]) -> None:
        if "event" in body:
            received.append(body["event"])
        next()

    for kind in EVENT_TYPES:
        app.event(kind)(lambda: None)
    connect(app)
    return received


@pytest.fixture
def quick() -> Iterator[WorkspaceHandle]:
    """A workspace that redelivers within milliseconds."""
    settings = Settings(ack_timeout_s=0.05, retry_delays_s=(0.0, 0.02, 0.04), view_wait_s=0.05)
    with running_workspace(settings) as handle:
        yield handle


@pytest.fixture
def connect_raw(quick: WorkspaceHandle) -> Iterator[ConnectRaw]:
    """Connects apps that acknowledge nothing by themselves, and disconnects them after the test."""
    apps: list[RawApp] = []

    def connect(*, reconnect: bool = False) -> RawApp:
        apps.append(RawApp(quick, reconnect=reconnect))
        return apps[-1]

    yield connect
    hang_up(quick, *(app.client for app in apps))


@pytest.fixture
def raw(connect_raw: ConnectRaw) -> RawApp:
    """One such app."""
    return connect_raw()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of the page."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser, workspace: WorkspaceHandle) -> Iterator[Page]:
    """The workspace's page; whatever the browser complains about fails the test."""
    with opened_page(browser, workspace.url) as opened:
        yield opened
