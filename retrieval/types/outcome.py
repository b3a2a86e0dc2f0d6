"""A reply and how it came about."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from retrieval.types.answers import Missing, Reply
from retrieval.types.asking import ExtractedQuery
from retrieval.types.checking import CheckedAnswer
from retrieval.types.search import Evidence


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call of a model. `service` is what its settings begin with; tokens are None where nobody counts them."""

    service: str
    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What a reply was made from, for those who look into it later.

    `searched` are the questions of the message as they were searched for: filters that would have left nothing are
    criteria there. `candidates` is all that search came up with, best first, and `used` what the answerer was given:
    the marks of `draft`, its answer before it was checked, count those from 1. `unanswered` are the questions that
    got no answer.
    `models` and `prompts` name by part what was configured, and prompts by version; `calls` are those really made.
    `generation` is the one of the knowledge base that was searched, None where it was not.
    """

    searched: tuple[ExtractedQuery, ...] = ()
    candidates: tuple[Evidence, ...] = ()
    floor: float | None = None
    used: tuple[Evidence, ...] = ()
    draft: str = ""
    checked: CheckedAnswer | None = None
    unanswered: tuple[str, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[ModelCall, ...] = ()
    generation: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A reply and how it came about. `caveat` says for the reader what `missing` means for the reply."""

    reply: Reply
    query: ExtractedQuery
    evidence: tuple[Evidence, ...] = ()
    missing: tuple[Missing, ...] = ()
    caveat: str = ""
    timings_ms: dict[str, float] = field(default_factory=dict)
    trace: Trace = field(default_factory=Trace)
