"""Statement and passage to support, by the served reranker or by a language model as judge."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from prompts import fenced, render
from prompts.forms import Form
from retrieval.errors import ModelOutputInvalid
from retrieval.ladder import ServedPart
from retrieval.ports import ChatModel, Reranker, Verifier
from retrieval.text import language
from retrieval.types import ExtractedQuery

_WISH = "it states this very thing"
_TOKENS_A_VERDICT = 30
_FRAME_TOKENS = 60
_TASK = "Judge every numbered pair of a statement and its passage, as the JSON object."


@dataclass(frozen=True)
class RerankerVerifier:
    """Verifier that asks the served reranker how relevant the passage is to the statement."""

    reranker: Reranker

    @property
    def name(self) -> str:
        return self.reranker.name

    def supports(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        """The reranker's relevance, in input order; one round for each statement."""
        by_statement: dict[str, list[str]] = defaultdict(list)
        for statement, passage in claims:
            if passage not in by_statement[statement]:
                by_statement[statement].append(passage)
        found = {
            (statement, passage): score
            for statement, passages in by_statement.items()
            for passage, score in zip(passages, self._scores(statement, passages), strict=True)
        }
        return [found[claim] for claim in claims]

    def _scores(self, statement: str, passages: Sequence[str]) -> list[float]:
        return self.reranker.score(ExtractedQuery(statement, language(statement), criteria=(_WISH,)), passages)


class _Verdict(BaseModel):
    pair: int
    supported: Annotated[int, Field(ge=0, le=100)]


class VerdictForm(Form):
    """What the judge is asked for: how sure it is of each pair, 0 to 100."""

    verdicts: tuple[_Verdict, ...]


@dataclass(frozen=True)
class ChatVerifier:
    """Verifier by a language model as judge: one call for all statements of an answer."""

    chat: ChatModel

    @property
    def name(self) -> str:
        return self.chat.name

    def supports(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        """The judge's certainty, in input order. Raises ModelOutputInvalid where it leaves a pair out."""
        passages = list(dict.fromkeys(passage for _, passage in claims))
        sections = [(f"passage {n}", passage) for n, passage in enumerate(passages, 1)]
        sections += [
            (f"pair {n}: statement for passage {passages.index(passage) + 1}", statement)
            for n, (statement, passage) in enumerate(claims, 1)
        ]
        max_tokens = _FRAME_TOKENS + _TOKENS_A_VERDICT * len(claims)
        message = fenced(sections, then=_TASK)
        form = self.chat.generate(render("verify"), message, VerdictForm, temperature=0.0, max_tokens=max_tokens)
        given = {verdict.pair: verdict.supported / 100 for verdict in form.verdicts}
        if missing := [n for n in range(1, len(claims) + 1) if n not in given]:
            raise ModelOutputInvalid(f"the judge gave no verdict on {len(missing)} of {len(claims)} statements")
        return [given[n] for n in range(1, len(claims) + 1)]


@dataclass(frozen=True)
class ServedVerifier:
    """Verifier by a server, or the embedded one while that does not answer."""

    served: Verifier
    embedded: Verifier
    part: ServedPart

    @property
    def name(self) -> str:
        return self.served.name

    def supports(self, claims: Sequence[tuple[str, str]]) -> list[float]:
        """Never fails but by the embedded verifier."""
        return self.part.attempt(lambda: self.served.supports(claims), lambda: self.embedded.supports(claims))
