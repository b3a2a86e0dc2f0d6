"""Is a follow-up found as well as if its asker had spelt it out? CAsT 2021 and MT-RAG, each on its own passages."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from evals.data_sets import cast, mtrag
from evals.data_sets.turns import Turn
from evals.knowledge_base import knowledge_base
from evals.report import Report
from retrieval.budget import question_budget
from retrieval.build import Footnote
from retrieval.search.gather import merged
from retrieval.settings import RetrievalSettings, load
from retrieval.types import Conversation, Kind, Missing, Viewer
from retrieval.understand.rules import RuleBasedExtractor

_DEPTHS = (5, 10)
_BARS = {("cast2021", "rules"): {5: 0.77, 10: 0.94}}
_ABOVE = 0.001

Hits = Mapping[str, Mapping[int, float]]
"""By way to write the query and by k: the share of turns with a right document among the first k."""


def evaluate(data: Path) -> Report:
    """Hit rates over distinct documents, after recall, fusion and reranking, of each way to write the query.

    "raw" and "last_turn" are the message without its thread; "llm" is there where the settings name a chat server.
    """
    report = Report("rewriting")
    llm = ["llm"] if load(RetrievalSettings, {"_env_file": None}).extractor_server else []
    passages, turns = cast.load(data)
    with knowledge_base(passages) as footnote:
        spoken = _added(report, "cast2021", footnote, turns, ["raw", "rules", *llm, "t5", "human"])
    _compare(report, "cast2021", spoken, "raw", _ABOVE)
    passages, turns = mtrag.load(data)
    with knowledge_base(passages) as footnote:
        rewritten = [turn for turn in turns if turn.rewrites]
        chatted = _added(report, "mtrag", footnote, rewritten, ["last_turn", "rules", *llm, "human"])
        finance = [turn for turn in turns if not turn.rewrites]
        _added(report, "mtrag on finance", footnote, finance, ["last_turn", "rules", *llm])
    _compare(report, "mtrag", chatted, "last_turn", 0.0)
    report.summary = {"cast2021": _named(spoken), "mtrag": _named(chatted)}
    return report


def _added(report: Report, name: str, footnote: Footnote, turns: Sequence[Turn], ways: Sequence[str]) -> Hits:
    hits: dict[str, dict[int, float]] = {}
    report.add(f"{name}: turns", len(turns))
    for way in ways:
        places = [_place(footnote, turn, way) for turn in turns]
        hits[way] = {k: sum(place.among(k) for place in places) / len(turns) for k in _DEPTHS}
        for k, share in hits[way].items():
            report.add(f"{name}: {way} hit@{k}", share, _BARS.get((name, way), {}).get(k))
        if way == "llm":
            report.add(f"{name}: turns that the llm left to the rules", sum(p.by_rules for p in places))
        report.misses += [f"{name} {place}" for place in places if not place.among(_DEPTHS[0])]
    return hits


def _compare(report: Report, name: str, hits: Hits, without_thread: str, least: float) -> None:
    for k in _DEPTHS:
        report.add(f"{name}: rules over {without_thread} hit@{k}", hits["rules"][k] - hits[without_thread][k], least)


def _named(hits: Hits) -> dict[str, dict[str, float]]:
    return {way: {f"hit@{k}": round(share, 4) for k, share in by_k.items()} for way, by_k in hits.items()}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the first right document stands, from 1, None where it was not found, and what was searched for."""

    turn: str
    way: str
    query: str
    rank: int | None
    by_rules: bool

    def __str__(self) -> str:
        return f"{self.turn} {self.way}: {self.query}: rank {self.rank}"

    def among(self, k: int) -> bool:
        return self.rank is not None and self.rank <= k


def _place(footnote: Footnote, turn: Turn, way: str) -> _Place:
    pipeline = footnote.pipeline
    extractor = pipeline.extractor if way == "llm" else RuleBasedExtractor()
    with question_budget(pipeline.budget_s) as budget:
        query = extractor.extract(_conversation(turn, way), pipeline.passages.filterable(Viewer()))
        found = pipeline.finding.gather(query, Viewer(), pipeline.recall_candidates, lambda _: nullcontext())
    ranking = dict.fromkeys(item.passage.document for item in merged(found, pipeline.recall_candidates))
    rank = next((place for place, name in enumerate(ranking, start=1) if name in turn.documents), None)
    searched = rank if query.kind is Kind.QUESTION else None
    return _Place(turn.id, way, query.main_query, searched, Missing.EXTRACTOR in budget.missing)


def _conversation(turn: Turn, way: str) -> Conversation:
    if way in ("raw", "last_turn"):
        return Conversation(turn.message)
    if way in ("rules", "llm"):
        return Conversation(turn.message, turn.earlier)
    return Conversation(turn.rewrites[way])
