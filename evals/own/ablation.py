"""What each part of the pipeline is worth: one part at a time set otherwise, all on one knowledge base."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Literal, get_args

from evals.own import figures
from evals.own.asked import Asked, ask
from evals.own.measuring import judge_all
from evals.own.question import Question
from evals.own.variants import AsTyped, with_recall, without_check, without_reranking
from evals.report import Report, Setting
from retrieval.build import Footnote
from retrieval.build.models import models
from retrieval.pipeline import Pipeline
from retrieval.ports import Floors, QueryExtractor
from retrieval.settings import RetrievalSettings
from retrieval.types import Missing
from retrieval.understand.rules import RuleBasedExtractor

Strategy = Literal["q2e", "q2d", "cot", "multi"]

_NEEDS_CHAT = "needs CHAT_BASE_URL"
_BY_MODEL_UNEXPANDED = "model, unexpanded"
_SHOWN = (
    *(figures.RIGHTLY, "Recall@5", "Accuracy@5", "MRR"),
    *(figures.FALSE_REFUSALS, "unanswerable refused", "latency p50 ms"),
)
_BOTH_SIDES = 0.5


def ablation(footnote: Footnote, settings: RetrievalSettings, questions: Sequence[Question]) -> Report:
    """A row for each setting of rewriting, recall, reranking and check. `settings` are those of the Footnote."""
    footnote.warm_up()
    bench = _Bench(footnote.pipeline, footnote.floors, settings, questions)
    report = Report("ablation")
    in_force = bench.asked(footnote.pipeline)
    for part in (bench.rewriting, bench.recall, bench.reranking, bench.check):
        report.settings += part(in_force)
    return report


@dataclass(frozen=True)
class _Bench:
    """Puts the questions to variants of the pipeline."""

    pipeline: Pipeline
    floors: Floors
    settings: RetrievalSettings
    questions: Sequence[Question]

    def asked(self, pipeline: Pipeline) -> list[Asked]:
        return [ask(pipeline, question) for question in self.questions]

    def rewriting(self, in_force: Sequence[Asked]) -> Iterator[Setting]:
        """By no one, by rules, and by a language model in each strategy, where there is one."""
        is_served, strategy = self.settings.extractor_server is not None, self.settings.query_strategy
        current = "rules" if not is_served else _BY_MODEL_UNEXPANDED if strategy == "none" else strategy
        for name in dict.fromkeys(["none", "rules", *get_args(Strategy), current]):
            if name == current:
                yield _setting("rewriting", name, in_force, in_force=True)
            elif name in get_args(Strategy) and not is_served:
                yield Setting("rewriting", name, False, needs=_NEEDS_CHAT)
            else:
                with self._rewritten(name) as pipeline:
                    yield _setting("rewriting", name, self.asked(pipeline))

    def recall(self, in_force: Sequence[Asked]) -> Iterator[Setting]:
        """By meaning, by keywords, by both."""
        alpha = self.pipeline.finding.recall.alpha
        current = {0.0: "keyword", 1.0: "dense"}.get(alpha, "hybrid")
        both = replace(self.pipeline.finding, recall=replace(self.pipeline.finding.recall, alpha=_BOTH_SIDES))
        variants = {
            "dense": with_recall(self.pipeline, "dense"),
            "keyword": with_recall(self.pipeline, "lexical"),
            "hybrid": replace(self.pipeline, finding=both),
        }
        for name, pipeline in variants.items():
            is_current = name == current
            yield _setting("recall", name, in_force if is_current else self.asked(pipeline), in_force=is_current)

    def reranking(self, in_force: Sequence[Asked]) -> Iterator[Setting]:
        """Without it there is no floor either."""
        yield _setting("rerank", "off", self.asked(without_reranking(self.pipeline)))
        yield _setting("rerank", "on", in_force, in_force=True)

    def check(self, in_force: Sequence[Asked]) -> Iterator[Setting]:
        """Hallucinated statements by the check itself as judge: with it on, what it overlooked in context."""
        for name, asked in (("off", self.asked(without_check(self.pipeline))), ("on", in_force)):
            row = _setting("check", name, asked, in_force=name == "on")
            yield replace(row, values={**row.values, **figures.citation_values(judge_all(self.pipeline, asked))})

    @contextmanager
    def _rewritten(self, name: str) -> Iterator[Pipeline]:
        by_hand: dict[str, QueryExtractor] = {"none": AsTyped(), "rules": RuleBasedExtractor()}
        if name in by_hand:
            yield replace(self.pipeline, extractor=by_hand[name])
            return
        settings = self.settings.model_copy(update={"query_strategy": name})
        with closing(models(settings, self.pipeline.passages, self.floors)) as served:
            yield replace(self.pipeline, extractor=served.extractor)


def _setting(part: str, name: str, asked: Sequence[Asked], *, in_force: bool = False) -> Setting:
    known: figures.Values = {}
    for measured in (figures.answer_values, figures.search_values, figures.refusal_values, figures.latency_values):
        known |= measured(asked)
    values = {name: known[name] for name in _SHOWN if name in known}
    by_rules = sum(Missing.EXTRACTOR in one.outcome.missing for one in asked)
    return Setting(part, name, in_force, {**values, "left to the rules": by_rules} if by_rules else values)
