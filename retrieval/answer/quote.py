"""Query and evidence to a draft of one to three quoted statements: an answer that needs no model.

A statement's worth is its nearness to the query (cosine), the share of the query's IDF weight its words cover, and
the standing of its passage; one that holds a figure gets a little more where a figure is asked for, one that lacks
the query's names a little less; and one that holds the key phrases, which are what a follow-up adds to its thread,
gets more. Statements of one answer are in one language. A question how something is done is answered by the numbered
steps of the best passage, where it has some.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from retrieval.answer.editions import Edition, editions
from retrieval.answer.prose import Quoted, prose
from retrieval.answer.statements import Statement, statements
from retrieval.ports import EmbeddingModel, Passages
from retrieval.text import language, name_terms, terms
from retrieval.types import Draft, Evidence, ExtractedQuery, Quote
from retrieval.weights import coverage, inverse_document_frequencies

_MOST = 3
_AS_GOOD = 0.93
_ADDS = 0.8
"""A further statement must be worth this share of the best one: nearly all of it where it is another reading of the
same words, less where it holds words of the query that those chosen before it do not."""
_NEW_COVERAGE = 0.15
_LONGEST = 900
_SAME_SUBJECT = 0.5
"""Share of a statement's terms that another edition's statement on the same thing holds."""
_FIGURE_BONUS = 0.1
_MONEY_BONUS = 0.2
_MISSING_NAMES = 0.1
_KEY_PHRASES = 0.4
_OTHER_SUBJECT = 0.15

_ASKS_FIGURE = regex.compile(
    r"\b(?:how (?:many|much|long|old|far|often|high|fast|big|late|early|soon)|when|what (?:time|year|date|percentage)"
    r"|quant[oa]s?|quando|que horas|combien|quand|quelle heure|cu[áa]nt[oa]s?|cu[áa]ndo|wie ?viele?|wann|wie lange"
    r"|quanti|quante|hoeveel)\b|多少|几|多久|多长|多高|何時|何日|何人|いつ|いくら|いくつ",
    regex.I,
)
_ASKS_MONEY = regex.compile(
    r"\b(?:costs?|prices?|fees?|pay|paid|expensive|charge[sd]?|allowance|limit|budget|salary|pre[çc]o|custa"
    r"|subs[íi]dio|co[ûu]te|prix|tarif|precio|cuesta|kostet|preis|geb[üu]hr)\b|多少钱|价格|费用|补贴|いくら|料金",
    regex.I,
)
_MONEY = regex.compile(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|CNY|BRL|euros?|dollars?|pounds?)\b|\d\s*(?:元|円)", regex.I)
_ASKS_HOW = regex.compile(
    r"\bhow (?:do|can|should|to|must|does one)\b|\bcomo (?:se |posso |devo |fa[çc]o|fazer)"
    r"|\bcomment (?:faire|puis|dois|peut)"
    r"|\bc[óo]mo (?:se |puedo |debo |hago)|\bwie (?:kann|muss|soll|macht|geht)\b|怎么|如何|怎样|どうやって|方法",
    regex.I,
)
_FIGURE = regex.compile(
    r"\p{N}|[零一二三四五六七八九十百千万两半]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|once"
    r"|twice|dois|duas|tr[êe]s|quatro|cinco|seis|sete|oito|nove|dez|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos"
    r"|cuatro|siete|ocho|nueve|diez|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|Monday|Tuesday|Wednesday"
    r"|Thursday|Friday|Saturday|Sunday)\b"
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    statement: Statement
    evidence: int
    position: int
    terms: frozenset[str]
    worth: float


@dataclass(frozen=True)
class _Wish:
    """What a query asks of a statement's words."""

    weights: dict[str, float]
    newest: dict[str, float]
    names: frozenset[str]
    wants_figure: bool
    wants_money: bool

    @classmethod
    def of(cls, query: ExtractedQuery, passages: Passages) -> "_Wish":
        weights = inverse_document_frequencies(passages, terms(query.main_query, query.language))
        asked_now = {term for phrase in query.key_phrases for term in terms(phrase, query.language)}
        newest = {term: weight for term, weight in weights.items() if term in asked_now}
        names = frozenset(name_terms(query.main_query, query.language)) & weights.keys()
        asked = query.main_query
        return cls(weights, newest, names, bool(_ASKS_FIGURE.search(asked)), bool(_ASKS_MONEY.search(asked)))

    def met_by(self, statement: Statement, held: frozenset[str]) -> float:
        """How well the words of a statement, `held` of the wished terms among them, meet the wish."""
        met = 0.5 * coverage(self.weights, held) + _KEY_PHRASES * coverage(self.newest, held)
        met += _FIGURE_BONUS * (self.wants_figure and bool(_FIGURE.search(statement.text)))
        met += _MONEY_BONUS * (self.wants_money and bool(_MONEY.search(statement.text)))
        if self.names:
            met -= _MISSING_NAMES * len(self.names - held) / len(self.names)
            met -= _OTHER_SUBJECT * (bool(statement.subject) and not self.names & set(terms(statement.subject)))
        return met


@dataclass(frozen=True)
class QuotingAnswerer:
    """Answerer that says only what the passages say, word for word."""

    encoder: EmbeddingModel
    passages: Passages

    def compose(self, query: ExtractedQuery, evidence: Sequence[Evidence]) -> Draft:
        """One to three statements, or steps, each with its mark, in reading order; not answerable without any.

        A query of several parts gets that for each part, what answers two of them only once.
        """
        texts: list[str] = []
        quotes: dict[Quote, None] = {}
        for part in query.parts or (query,):
            fresh = [q for q in self._quoted(part, evidence) if Quote(q.statement.text, q.evidence) not in quotes]
            quotes |= {Quote(quoted.statement.text, quoted.evidence): None for quoted in fresh}
            texts += [prose(fresh)] if fresh else []
        return Draft("\n\n".join(texts), tuple(quotes), answerable=bool(quotes))

    def _quoted(self, query: ExtractedQuery, evidence: Sequence[Evidence]) -> list[Quoted]:
        wish = _Wish.of(query, self.passages)
        candidates = _of_meant_editions(self._candidates(query, wish, evidence), query, evidence)
        if not candidates:
            return []
        tongue = language(evidence[candidates[0].evidence].passage.text)
        alike = [c for c in candidates if language(evidence[c.evidence].passage.text) == tongue]
        return _steps(query, evidence) or [Quoted(c.statement, c.evidence) for c in _choose(alike, wish.weights)]

    def _candidates(self, query: ExtractedQuery, wish: _Wish, evidence: Sequence[Evidence]) -> list[_Candidate]:
        """Best first."""
        found = [
            (statement, place, position)
            for place, item in enumerate(evidence)
            for position, statement in enumerate(statements(item.passage.text))
        ]
        question = self.encoder.embed([query.main_query], "query")[0]
        texts = [f"{statement.context} {statement.text}".strip() for statement, _, _ in found]
        cosines = self.encoder.embed(texts, "passage") @ question
        candidates = []
        for (statement, place, position), text, cosine in zip(found, texts, cosines, strict=True):
            held = frozenset(terms(text)) & wish.weights.keys()
            worth = 0.5 * float(cosine) + wish.met_by(statement, held) + _standing(evidence[place])
            candidates.append(_Candidate(statement, place, position, held, worth))
        return sorted(candidates, key=lambda candidate: -candidate.worth)


def _of_meant_editions(
    candidates: list[_Candidate], query: ExtractedQuery, evidence: Sequence[Evidence]
) -> list[_Candidate]:
    """Without statements that the edition of their text which is meant makes as well, in its own way."""
    known = editions({item.passage.document for item in evidence}, query)

    def edition(candidate: _Candidate) -> Edition | None:
        return known.get(evidence[candidate.evidence].passage.document)

    def is_outdone(candidate: _Candidate) -> bool:
        own, said = edition(candidate), set(terms(candidate.statement.text))
        return bool(own and not own.is_meant) and any(
            edition(other) == Edition(own.text, is_meant=True)
            and len(said & set(terms(other.statement.text))) >= _SAME_SUBJECT * len(said)
            for other in candidates
            if own
        )

    return [candidate for candidate in candidates if not is_outdone(candidate)] if known else candidates


def _standing(evidence: Evidence) -> float:
    """What a passage lends its statements: relevance saturates near 1, the fused score of recall tells on."""
    return 0.2 * evidence.relevance + 0.2 * evidence.candidate.fused


def _steps(query: ExtractedQuery, evidence: Sequence[Evidence]) -> list[Quoted]:
    """The numbered steps of the best passage, where the question is how something is done and they are not too long."""
    if not _ASKS_HOW.search(query.main_query) or _ASKS_FIGURE.search(query.main_query):
        return []
    found = [Quoted(s, 0) for s in statements(evidence[0].passage.text) if s.shape == "step"]
    fits = len(found) > 1 and sum(len(quoted.statement.text) for quoted in found) <= _LONGEST
    return found if fits else []


def _choose(candidates: Sequence[_Candidate], weights: dict[str, float]) -> list[_Candidate]:
    """The best and what comes close to it, no statement twice, in reading order."""
    chosen = [candidates[0]]
    for candidate in candidates[1:]:
        if len(chosen) == _MOST:
            break
        covered = frozenset[str]().union(*(c.terms for c in chosen))
        adds = coverage(weights, covered | candidate.terms) - coverage(weights, covered)
        close = candidate.worth / candidates[0].worth
        worthy = close >= (_ADDS if adds >= _NEW_COVERAGE else _AS_GOOD)
        if worthy and not _repeats(candidate, chosen) and _length([*chosen, candidate]) <= _LONGEST:
            chosen.append(candidate)
    return sorted(chosen, key=lambda candidate: (candidate.evidence, candidate.position))


def _repeats(candidate: _Candidate, chosen: Sequence[_Candidate]) -> bool:
    text = candidate.statement.text
    return any(text in c.statement.text or c.statement.text in text for c in chosen)


def _length(chosen: Sequence[_Candidate]) -> int:
    return sum(len(candidate.statement.text) for candidate in chosen)
