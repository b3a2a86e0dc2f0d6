"""`/kb` on a real library: what it lists, deletes and keeps."""

import contextlib
import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot import limits
from bot.access import Access, Home
from bot.admin import AdminDesk
from bot.clients import Clients, identify
from bot.download import Downloader
from bot.file_intake import FileIntake
from bot.form import upload_form
from bot.settings import BotSettings
from bot.upload_desk import UploadDesk
from bot.uploads import Uploads
from retrieval.build import Footnote, build
from retrieval.settings import RetrievalSettings, load
from retrieval.types import SourceFile
from tests.running_workspace import BOT_TOKEN, WorkspaceHandle


@pytest.fixture
def clients(workspace: WorkspaceHandle) -> Clients:
    return Clients.of(BotSettings(slack_bot_token=BOT_TOKEN, slack_api_url=workspace.api_url))


@pytest.fixture
def footnote(tmp_path: Path) -> Iterator[Footnote]:
    with contextlib.closing(
        build(load(RetrievalSettings, {"data_dir": tmp_path / "data", "database_url": None}))
    ) as built:
        yield built


@pytest.fixture
def desk(footnote: Footnote, clients: Clients, tmp_path: Path) -> AdminDesk:
    """The desk of a real library."""
    intake = FileIntake(footnote.library.ingest, clients, Downloader(BOT_TOKEN, "", 5))
    uploads = Uploads(tmp_path / "uploads", intake, clients)
    access = Access(clients, Home(identify(clients.reader).team_id))
    return AdminDesk(footnote.library, footnote.audit, access, UploadDesk(footnote.library, access, clients, uploads))


def kb(desk: AdminDesk, text: str) -> list[str]:
    """What `/kb` tells the admin."""
    said: list[str] = []

    def tell(text: str, blocks: Sequence[dict[str, Any]] = ()) -> None:
        said.append(text)

    desk.on_command({"user_id": "U0ADMIN", "trigger_id": "1", "text": text}, tell)
    return said


def added(footnote: Footnote) -> str:
    """When the documents were taken in, as the list says it."""
    return f"added {footnote.library.list()[0].ingested_at:%Y-%m-%d}"


def test_documents_are_listed_with_what_is_known_of_them_and_deleted_by_that_name(
    footnote: Footnote, desk: AdminDesk, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# Pay\n\nPay day is the 25th.\n", "utf-8")
    pay = SourceFile(
        "Pay & <b>`rules`.md", tmp_path / "a.md", "admins", ("pay", "2026"), dt.date(2026, 2, 1), "U0ALICE"
    )
    footnote.library.ingest(pay)
    footnote.library.ingest(SourceFile("canteen.md", tmp_path / "a.md"))

    (listed,) = kb(desk, "list")
    (deleted,) = kb(desk, "delete `canteen.md`")

    assert listed.split("\n") == [
        "*2 documents*",
        f"• `canteen.md`: v1, 1 passage, {added(footnote)}",
        "• `Pay &amp; &lt;b&gt;ˋrulesˋ.md`: v1, 1 passage, dated 2026-02-01, owner: <@U0ALICE>, tags: pay, 2026, "
        "admins only",
    ]
    assert deleted.startswith("Deleted `canteen.md` (v1). It is no longer part of any answer;")
    assert [version.document for version in footnote.library.list()] == ["Pay & <b>`rules`.md"]
    assert kb(desk, "delete canteen.md") != [deleted]


def test_a_long_list_comes_in_messages_that_fit_and_ends_with_where_the_rest_is(
    footnote: Footnote, desk: AdminDesk, tmp_path: Path
) -> None:
    names = [f"{n:03} {'quarterly report ' * 6}.md" for n in range(130)]
    (tmp_path / "a.md").write_text("# Pay\n\nPay day is the 25th.\n", "utf-8")
    for name in names:
        footnote.library.ingest(SourceFile(name, tmp_path / "a.md"))

    *shown, rest = kb(desk, "list")

    lines = [line for message in shown for line in message.split("\n")]
    assert all(len(message) <= limits.TEXT_CHARS for message in shown)
    assert lines[0] == "*130 documents*"
    assert lines[1:] == [f"• `{name}`: v1, 1 passage, {added(footnote)}" for name in names[: len(lines) - 1]]
    assert len(shown) == 4
    assert "footnote kb list" in rest


def test_an_upload_that_cannot_be_kept_is_told_in_the_form(desk: AdminDesk, tmp_path: Path) -> None:
    (tmp_path / "uploads").touch()  # where a folder must be
    files = {"files": {"files": {"files": [{"id": "F1", "name": "a.md"}]}}}

    errors = desk.uploads.on_submitted("U0ADMIN", {**upload_form("U0ADMIN"), "state": {"values": files}})

    assert "could not keep the upload (incident" in errors["files"]
