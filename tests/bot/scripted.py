"""A bot on a local workspace that answers by a script, so that everything but the answers is real."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from bot.bot import Bot
from bot.settings import BotSettings
from retrieval.adapters.sql import open_store
from retrieval.build import Audit, BotMemory, Footnote, Library, Reembedding
from retrieval.errors import DocumentNotFound, DocumentRefused, RefusalCause, ServiceUnavailable
from retrieval.pipeline import Pipeline
from retrieval.types import (
    Answer,
    Citation,
    Conversation,
    DocumentVersion,
    ExtractedQuery,
    IngestReport,
    Outcome,
    Passage,
    Refusal,
    SourceFile,
    Trace,
    Viewer,
)
from tests.retrieval.library.word_vectors import WordVectors
from tests.running_workspace import APP_TOKEN, BOT_TOKEN, WorkspaceHandle, wait_for


@dataclass
class ScriptedPipeline:
    """Answers with the question itself, and remembers what it was asked.

    "boom" fails, "outage" finds a service down, "wait" waits for `go`, "refuse" gets a refusal. `trace` is that of
    every reply.
    """

    asked: list[tuple[Conversation, Viewer]] = field(default_factory=list)
    go: threading.Event = field(default_factory=threading.Event)
    text: Callable[[str], str] = lambda question: f"You asked: {question} [1]."
    passage_text: str = "26 days."
    trace: Trace = field(default_factory=Trace)

    def ask(self, conversation: Conversation, viewer: Viewer) -> Outcome:
        self.asked.append((conversation, viewer))
        if "boom" in conversation.question:
            raise RuntimeError("the password is tiger")
        if "outage" in conversation.question:
            raise ServiceUnavailable("the index is locked by tiger")
        if "wait" in conversation.question:
            assert self.go.wait(30)
        query = ExtractedQuery(conversation.question, "en")
        if "refuse" in conversation.question:
            return Outcome(Refusal("below_floor", "I can't answer this."), query, trace=self.trace)
        passage = Passage(1, "c1", self.passage_text, "handbook.md", "Handbook", 1, 1, ("Leave",), 3)
        answer = Answer(self.text(conversation.question), (Citation(1, passage),))
        return Outcome(answer, query, trace=self.trace)

    def last(self, question: str) -> tuple[Conversation, Viewer]:
        """What came with the last such question."""
        return next(asked for asked in reversed(self.asked) if asked[0].question == question)


@dataclass
class ScriptedLibrary:
    """Takes in every file but those named bad, and remembers them."""

    taken_in: list[tuple[SourceFile, bytes]] = field(default_factory=list)
    documents: list[DocumentVersion] = field(default_factory=list)
    go: threading.Event = field(default_factory=threading.Event)

    def ingest(self, file: SourceFile, *, progress: Callable[[str], None]) -> IngestReport:
        progress("reading")
        if "slow" in file.document:
            assert self.go.wait(30)
            progress("storing")
        if "crash" in file.document:
            raise RuntimeError("the password is tiger")
        if "bad" in file.document:
            raise DocumentRefused(RefusalCause.CORRUPT, f"{file.document} is damaged.")
        self.taken_in.append((file, file.path.read_bytes()))
        return IngestReport(str(file.path), file.document, "new", chunks=3, pages=1)

    def list(self) -> list[DocumentVersion]:
        return self.documents

    def delete(self, document: str) -> DocumentVersion:
        raise DocumentNotFound(f"There is no document named {document}.")

    def restore(self, document: str) -> DocumentVersion:
        raise DocumentNotFound(f"No document named {document} was deleted.")


@dataclass
class Scripted:
    """A running bot and what it answers by."""

    workspace: WorkspaceHandle
    bot: Bot
    pipeline: ScriptedPipeline
    library: ScriptedLibrary
    deliveries: BotMemory
    audit: Audit

    def say(self, channel: str, user: str, text: str, *, thread_ts: str | None = None) -> str:
        """Post as a person; the message's timestamp."""
        return self.workspace.say(channel, user, text, thread_ts=thread_ts)

    def reply(self, channel: str, user: str, text: str) -> dict[str, Any]:
        """Post as a person and wait for the bot's reply."""
        return self.workspace.wait_for_reply(channel, self.say(channel, user, text))

    def command(self, user: str, text: str) -> list[str]:
        """Run `/kb` as a person; ids of the views it opened."""
        body = {"channel": "C0GENERAL", "user": user, "command": "/kb", "text": text}
        outcome = self.workspace.control("commands", body)
        assert outcome["ack"] == {}
        views: list[str] = outcome["views"]
        return views

    def upload(self, view: str, user: str, files: dict[str, bytes], **values: Any) -> dict[str, Any]:
        """Submit the upload form; what the bot acknowledged it with."""
        body = {"user": user, "values": values}
        ack: dict[str, Any] = self.workspace.control(f"views/{view}/submit", body, files=files)["ack"]
        return ack

    def upload_report(self) -> str:
        """What the admin reads in the end about an upload."""
        shown = wait_for(
            lambda: [m for m in self.workspace.messages("D0ADMIN") if m["text"].startswith(("Done", "Cancelled"))]
        )
        text: str = shown[-1]["plain"]
        return text

    def private(self, user: str) -> list[str]:
        """What only that person sees in the channel."""
        return [m["plain"] for m in self.workspace.messages("C0GENERAL") if m.get("ephemeral_to") == user]


@contextlib.contextmanager
def running_bot(
    workspace: WorkspaceHandle,
    folder: Path,
    *,
    api_url: str | None = None,
    waiting_most: int = 200,
    admins: str = "",
    group: str | None = None,
) -> Iterator[Scripted]:
    """A bot on the workspace, stopped on leaving."""
    pipeline, library = ScriptedPipeline(), ScriptedLibrary()
    store = open_store(f"sqlite:///{folder / 'footnote.db'}")
    footnote = Footnote(
        cast(Pipeline, pipeline),
        cast(Library, library),
        Reembedding(store, WordVectors()),
        store,
        store.audit,
        90,
        store.floors("expanded"),
        "scripted",
        store.close,
    )
    settings = BotSettings(
        slack_bot_token=BOT_TOKEN,
        slack_app_token=APP_TOKEN,
        slack_api_url=api_url or workspace.api_url,
        admin_users=frozenset(admins.split()),
        admin_usergroup=group,
    )
    bot = Bot(settings, footnote, folder, max_file_mb=5, waiting_most=waiting_most)
    bot.start()
    try:
        yield Scripted(workspace, bot, pipeline, library, store, store.audit)
    finally:
        stopper = threading.Thread(target=bot.stop)
        stopper.start()
        assert bot.stopping.wait(10)
        pipeline.go.set()
        library.go.set()
        stopper.join()
        store.close()
