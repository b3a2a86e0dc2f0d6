"""A filled-in form to a query, with what the model got wrong put right or left out.

A model may shorten, reword and widen what was asked. It may not lose the names, numbers, codes and quoted strings of
the message, nor bring in figures that nobody named: those come from its memory, and would search for its own answer.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import regex

from retrieval.text import LANGUAGES, language, sentences, terms
from retrieval.types import Conversation, ExtractedQuery, Filterable, Kind
from retrieval.understand.faithful import Source, essentials, lost
from retrieval.understand.form import QueryForm
from retrieval.understand.past import past_between
from retrieval.understand.rules import without_courtesies
from retrieval.understand.wishes import resolved

_EXPANSIONS = 8
_PHRASES = 8
_CRITERIA = 6
_PARTS = 8
_QUERY_CHARS = 500
_PHRASE_CHARS = 160
_WORDING_CHARS = 800
_WORDING_SENTENCES = 8
_EXPLANATION_SENTENCES = 3
_CLARIFICATION_CHARS = 300
_EXPLAINS = regex.compile(r"passages about [^\[\]]+", regex.I)
_NOT_PLAIN = regex.compile(r"(?:https?://|www\.)\S+|[\w-]+(?:\.[\w-]+)+/\S*|<[^<>]*>|@(?=\w)|[\[\](){}<>*_`|]")


@dataclass(frozen=True)
class Asked:
    """A conversation, what can be filtered by, the query that rules make of it, and the day."""

    conversation: Conversation
    filterable: Filterable
    by_rules: ExtractedQuery
    today: dt.date

    @cached_property
    def message(self) -> str:
        """The last message in one line, without greetings and politeness."""
        return without_courtesies(" ".join(self.conversation.question.split()), self.by_rules.language)

    @cached_property
    def thread(self) -> Source:
        """What people and the bot said."""
        return Source.of(self._said)

    @cached_property
    def known(self) -> Source:
        """What a query may name: that, what can be filtered by, and the day."""
        names = [*self.filterable.documents, *self.filterable.tags]
        return Source.of([*self._said, *names, self.today.isoformat()])

    @cached_property
    def terms(self) -> frozenset[str]:
        """The search terms of what was said."""
        return frozenset(term for text in self._said for term in terms(text, self.by_rules.language))

    @property
    def _said(self) -> list[str]:
        return [*(message.text for message in self.conversation.earlier), self.conversation.question]


def answers_the_bot(conversation: Conversation) -> bool:
    """Whether the bot had just asked something: an offer, or a question back."""
    last = conversation.earlier[-1:]
    return bool(last) and last[0].author == "bot" and last[0].text.rstrip().endswith(("?", "？"))


def read(form: QueryForm, asked: Asked) -> ExtractedQuery:
    """The query, or the kind of message that needs none. A question back is never followed by another one."""
    lang = _language(form, asked)
    if form.kind in ("small_talk", "help"):
        return ExtractedQuery(asked.message, lang, kind=Kind(form.kind))
    clarification = _plain(_asking(form.clarification))
    usable = clarification and asked.known.has_numbers_of(clarification)
    if form.kind == "unclear" and usable and not answers_the_bot(asked.conversation):
        return ExtractedQuery(asked.message, lang, kind=Kind.UNCLEAR, clarification=clarification)
    return _question(form, asked, lang)


def _asking(text: str) -> str:
    """Only the questions of it: a question back may tell nothing."""
    asked = sentences(" ".join(text.split()))
    return " ".join(sentence for sentence in asked if sentence.rstrip().endswith(("?", "？", "؟")))


def _language(form: QueryForm, asked: Asked) -> str:
    """By the code's own judgement where it is sure, else by the model's, else by the thread's."""
    code = form.language.lower()[:2]
    return language(asked.conversation.question, default=code if code in LANGUAGES else asked.by_rules.language)


def _question(form: QueryForm, asked: Asked, lang: str) -> ExtractedQuery:
    filters, wishes = resolved(form.filters, asked.filterable, asked.thread, asked.message, asked.today)
    filters = replace(filters, past=past_between(filters, asked.by_rules.filters.past, asked.today))
    own = [wish if asked.known.has_numbers_of(wish) else asked.message for wish in _short(form.criteria)]
    criteria = tuple(dict.fromkeys([*own, *wishes]))[:_CRITERIA]

    def wished(query: ExtractedQuery) -> ExtractedQuery:
        return replace(query, language=lang, filters=filters, criteria=criteria, ranking=form.ranking)

    query = replace(wished(asked.by_rules), parts=tuple(map(wished, asked.by_rules.parts)))
    main = " ".join(form.main_query.split())[:_QUERY_CHARS]
    if not main or not _was_asked(main, asked, lang):
        return query  # the model answered instead of rewriting: the words of the message go first
    query = replace(query, main_query=_restored(main, [main], query, asked), kind=Kind.QUESTION)
    query = replace(query, standalone=form.standalone or not asked.conversation.earlier)
    return replace(
        query,
        explanation=_explanation(form, query, asked),
        key_phrases=tuple(filter(asked.known.has_numbers_of, _short(form.key_phrases)))[:_PHRASES],
        expansions=_expansions(form, query, asked),
        parts=_parts(form, query, asked),
    )


def _was_asked(query: str, asked: Asked, lang: str) -> bool:
    """Whether it is made of the thread: a weak model repeats an example of the prompt, or answers from memory."""
    shares = set(terms(query, lang)) & asked.terms
    return bool(shares) and asked.known.has_numbers_of(query) and asked.known.has_names_of(query, lang)


def _restored(text: str, wordings: Iterable[str], query: ExtractedQuery, asked: Asked) -> str:
    """The text with what the message insists on and none of the wordings, filters and criteria holds."""
    filters = query.filters
    days = [f"{day.isoformat()} {day:%B}" for day in (filters.since, filters.until) if day]
    kept = " ".join([*wordings, *filters.documents, *filters.tags, *query.criteria, *days])
    missing = lost(essentials(asked.message, query.language), kept, query.language)
    if days:  # "the last 3 months" has become days
        missing = [what for what in missing if not regex.fullmatch(r"\d{1,2}", what)]
    return " ".join([text, *missing])


def _explanation(form: QueryForm, query: ExtractedQuery, asked: Asked) -> str:
    text = asked.known.of_sentences(form.explanation, _EXPLANATION_SENTENCES)[:_WORDING_CHARS]
    explains = _EXPLAINS.match(text) and set(terms(text, query.language)) & set(terms(query.main_query, query.language))
    return text if explains else ""


def _expansions(form: QueryForm, query: ExtractedQuery, asked: Asked) -> tuple[str, ...]:
    """Without repeats. The words of a message that stands alone come last: a follow-up's own words mislead."""
    stands_alone = query.standalone and asked.by_rules.standalone and not answers_the_bot(asked.conversation)
    raw = [asked.message] if stands_alone and len(asked.message) <= _QUERY_CHARS else []
    wordings = [asked.known.of_sentences(text, _WORDING_SENTENCES)[:_WORDING_CHARS] for text in form.widened]
    fresh = _distinct([query.main_query, *raw, *filter(None, wordings)], query.language)
    last = [text for text in fresh if text in raw]
    return tuple([text for text in fresh[1:] if text not in raw][: _EXPANSIONS - len(last)] + last)


def _distinct(texts: Iterable[str], lang: str) -> list[str]:
    """The first of those that say the same words in whatever order."""
    by_words: dict[frozenset[str], str] = {}
    for text in texts:
        by_words.setdefault(frozenset(terms(text, lang)), text)
    return list(by_words.values())


def _parts(form: QueryForm, query: ExtractedQuery, asked: Asked) -> tuple[ExtractedQuery, ...]:
    """One a question of a message that asks several things; the last takes what is left of more than eight."""
    asks = [one for one in _short(form.sub_questions) if _was_asked(one, asked, query.language)]
    asks = _distinct(asks, query.language)
    if len(asks) < 2:
        return ()
    asks = [*asks[: _PARTS - 1], " ".join(asks[_PARTS - 1 :])] if len(asks) > _PARTS else asks
    bare = replace(query, key_phrases=(), parts=())
    return tuple(replace(bare, main_query=_restored(one, asks, query, asked)) for one in asks)


def _short(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(" ".join(text.split())[:_PHRASE_CHARS] for text in texts))


def _plain(text: str) -> str:
    """In one line, without links, mentions, markup and brackets; "" where no words are left."""
    words = " ".join(_NOT_PLAIN.sub(" ", text).split())
    if len(words) > _CLARIFICATION_CHARS:
        words = words[:_CLARIFICATION_CHARS].rsplit(" ", 1)[0] + "…"
    return words if regex.search(r"\p{L}", words) else ""
