"""What is kept of every question, for those who look into an answer later."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Literal

from pydantic import TypeAdapter

from retrieval.types.asking import ExtractedQuery
from retrieval.types.checking import Finding, FindingReason
from retrieval.types.outcome import ModelCall

COMMAND_LINE = "command line"
"""Who asks, and where, when nobody does on Slack."""

RecordKind = Literal["answer", "refusal", "notice", "failure"]
"""`failure`: the one that asked got an apology."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A message to the bot. `channel` and `message`, its timestamp there, tell it from all others.

    `labels` are those of the documents that the asker might see.
    """

    channel: str
    message: str
    thread: str
    asker: str
    asked_at: dt.datetime
    question: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Considered:
    """A passage that search came up with: where it stands and its scores, as `Candidate` and `Evidence` have them.

    `evidence` is its number among those that the answerer was given, `cited` the one it has in the reply.
    """

    number: int
    chunk_id: str
    document: str
    version: int
    section: str
    page: int | None
    dense: float | None
    lexical: float | None
    fused: float
    relevance: float
    evidence: int | None = None
    cited: int | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A statement whose citations did not all hold, and what became of it. `passage` is the number of the passage
    that does not bear it out, None where there is none."""

    statement: str
    outcome: Literal["left_out", "recited", "marked"]
    reason: FindingReason
    n: int | None
    passage: int | None
    chunk_id: str | None
    document: str | None
    detail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gap:
    """A question that got no answer. Those of the same `key` ask the same."""

    key: str
    question: str


@dataclass(frozen=True, slots=True)
class AuditRecord(Asked):
    """A message, what became of it, and how. `reason` is that of a refusal or notice; `draft` is the model's answer
    before it was checked, and `findings` count its passages. `knowledge_base` is the generation that was searched,
    `reply_message` the timestamp of the reply's last message. `id` is 0 until the record is kept.
    """

    id: int = 0
    kind: RecordKind = "notice"
    reason: str = ""
    reply: str = ""
    reply_message: str | None = None
    query: ExtractedQuery | None = None
    searched: tuple[ExtractedQuery, ...] = ()
    candidates: tuple[Considered, ...] = ()
    floor: float | None = None
    draft: str = ""
    findings: tuple[Finding, ...] = ()
    removed: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    gaps: tuple[Gap, ...] = ()
    missing: tuple[str, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[ModelCall, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    knowledge_base: int | None = None

    @property
    def prompt_tokens(self) -> int:
        """Of all calls whose server counts them."""
        return sum(call.prompt_tokens or 0 for call in self.calls)

    @property
    def completion_tokens(self) -> int:
        """Of all calls whose server counts them."""
        return sum(call.completion_tokens or 0 for call in self.calls)

    def as_json(self) -> dict[str, Any]:
        """What `from_json` makes the same record of."""
        found: dict[str, Any] = _adapter().dump_python(self, mode="json")
        return {name: found[name] for name in ("id", *(f.name for f in fields(self) if f.name != "id"))}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "AuditRecord":
        return _adapter().validate_python(kept)


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[AuditRecord]:
    return TypeAdapter(AuditRecord)


@dataclass(frozen=True, slots=True)
class KnowledgeGap:
    """A question that was asked `times` times and got no answer, as it was worded last."""

    question: str
    times: int
    last_asked: dt.datetime


Verdict = Literal["right", "wrong"]
"""What a person says of the check: that it was right to doubt a statement, or wrong."""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A doubt that a person should look at. `record` is the id of the record that it is in."""

    id: int
    record: int
    asked_at: dt.datetime
    question: str
    doubt: Doubt
