"""Query extraction by rules."""

import pytest

from retrieval.types import Conversation, ExtractedQuery, Filterable, Kind, Message
from retrieval.understand.rules import LONGEST_QUESTION, RuleBasedExtractor


def extract(conversation: Conversation) -> ExtractedQuery:
    return RuleBasedExtractor().extract(conversation, Filterable())


def asked(question: str, *earlier: str) -> Conversation:
    """A thread of people's messages, the last of them the question."""
    return Conversation(question, tuple(Message("person", text) for text in earlier))


@pytest.mark.parametrize(
    ("message", "query"),
    [
        ("Hi there! Could you please tell me how many days of leave I get? Thanks!", "how many days of leave I get?"),
        ("Hello, I want to know the parking fee please", "the parking fee"),
        ("Olá, pode me dizer quantos dias de férias eu tenho?", "quantos dias de férias eu tenho?"),
        ("Bonjour, pourriez-vous me dire où se trouve le parking ?", "où se trouve le parking ?"),
        ("请问年假有几天？谢谢", "年假有几天"),
        ("How much is the locker deposit?", "How much is the locker deposit?"),
    ],
)
def test_greetings_and_politeness_go_and_the_rest_stays_as_written(message: str, query: str) -> None:
    assert extract(asked(message)).main_query == query


@pytest.mark.parametrize("kept", ["EX-4021/b", "Casa Amarela", '"net 30"', "NP-405", "$3,150,000"])
def test_names_numbers_codes_and_quoted_strings_survive(kept: str) -> None:
    assert kept in extract(asked(f"Hi, could you tell me what {kept} stands for?")).main_query


@pytest.mark.parametrize(
    ("message", "lang"), [("hi", "en"), ("thanks", "en"), ("你好", "zh"), ("Merci !", "fr"), ("obrigado", "pt"),
                          ("fine, thanks", "en"), ("Good morning team!", "en"), ("hello 👋", "en"), ("ok", "en"),
                          ("Hi there!! :wave:", "en"), ("thanks so much, that helped!", "en"), ("Merhaba", "tr"),
                          ("Привет", "ru"), ("مرحبا", "ar"), ("สวัสดี", "th"), ("안녕하세요", "ko")],
)  # fmt: skip
def test_small_talk_is_not_searched_for(message: str, lang: str) -> None:
    query = extract(asked(message))

    assert (query.kind, query.language) == (Kind.SMALL_TALK, lang)


@pytest.mark.parametrize(
    "message", ["help", "What can you do?", "hi, what can you do?", "你能做什么？", "quem é você?"]
)
def test_questions_about_the_bot_ask_for_help(message: str) -> None:
    assert extract(asked(message)).kind is Kind.HELP


@pytest.mark.parametrize("message", ["", "   ", "???", "👍", ":tada: 🎉🎉", ":thumbsup:"])
def test_a_message_without_words_is_empty(message: str) -> None:
    assert extract(asked(message)).kind is Kind.EMPTY


def test_a_pasted_document_is_no_question() -> None:
    query = extract(asked("word " * 6_000))

    assert query.kind is Kind.UNCLEAR
    assert len(query.main_query) <= LONGEST_QUESTION


@pytest.mark.parametrize(
    "message", ["hint at the answer", "Thanksgiving is when?", "no smoking areas", "heyday of the firm"]
)
def test_words_that_only_begin_like_small_talk_are_questions(message: str) -> None:
    query = extract(asked(message))

    assert query.kind is Kind.QUESTION
    assert query.main_query == message


@pytest.mark.parametrize(
    ("question", "before", "words"),
    [
        ("And for interns?", "How many days of annual leave do I get?", ["interns", "days", "annual", "leave"]),
        ("And a yearly inspection?", "What does a new battery of the Model K cost?", ["inspection", "Model", "K"]),
        ("does it cover water damage?", "how long is the warranty?", ["water damage", "warranty"]),
        ("How much?", "Can I expense a hotel in Lisbon?", ["hotel", "Lisbon"]),
        ("E para estagiários?", "Quantos dias de férias tenho?", ["estagiários", "férias"]),
        ("那实习生呢？", "正式员工每年有几天年假？", ["实习生", "年假"]),
    ],
)
def test_a_follow_up_that_leans_on_the_thread_gets_its_content_words(
    question: str, before: str, words: list[str]
) -> None:
    query = extract(asked(question, before))

    assert not query.standalone
    assert all(word in query.main_query for word in words)
    assert len(query.main_query) < 200


@pytest.mark.parametrize(
    "question",
    [
        "What about the Porto office, when was it opened?",
        "And how do I book a meeting room?",
        'What does "it" mean in the glossary of EX-4021/b?',
        "How much is the locker deposit?",
    ],
)
def test_a_follow_up_that_stands_alone_stays_alone(question: str) -> None:
    query = extract(asked(question, "When was the Lyon office opened?"))

    assert query.standalone
    assert "Lyon" not in query.main_query


def test_called_into_a_running_thread_it_takes_up_the_question_above() -> None:
    thread = asked("can you answer that?", "Does anyone know how many days we keep door logs?", "no idea, lunch at 12?")

    query = extract(thread)

    assert "door logs" in query.main_query
    assert "lunch" not in query.main_query


def test_a_short_message_speaks_the_language_of_its_thread() -> None:
    assert extract(asked("Parking?", "Où se trouve le bureau de Lyon et comment y aller ?")).language == "fr"
