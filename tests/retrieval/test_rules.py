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
    ("message", "lang"), [("hi", "en"), ("你好", "zh"), ("Good morning team!", "en"), ("hello 👋", "en"),
                          ("Hi there!! :wave:", "en"), ("Bonjour", "fr"), ("Merhaba", "tr"), ("Привет", "ru"),
                          ("مرحبا", "ar"), ("สวัสดี", "th"), ("안녕하세요", "ko")],
)  # fmt: skip
def test_a_greeting_is_not_searched_for(message: str, lang: str) -> None:
    query = extract(asked(message))

    assert (query.kind, query.language) == (Kind.GREETING, lang)


@pytest.mark.parametrize(
    ("message", "lang"), [("thanks", "en"), ("Merci !", "fr"), ("obrigado", "pt"), ("fine, thanks", "en"),
                          ("ok", "en"), ("hi, thanks so much, that helped!", "en"), ("Hello, how are you?", "en")],
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
        "How do I contact IT support on Sundays?",
        "Is it possible to carry leave over to next year?",
        "Are there any rules on parking at weekends?",
        "What is the first day of the leave year?",
        "Does the policy say that employees pay it back?",
        "no smoking areas in Porto",
        "Combien y a-t-il de places de parking ?",
        "¿Cuánto cuesta el parking mensual del edificio?",
        "员工应该做什么准备材料申请？",
        "その他の手当は何がありますか？",
    ],
)
def test_a_follow_up_that_stands_alone_stays_alone(question: str) -> None:
    query = extract(asked(question, "When was the Lyon office opened?"))

    assert query.standalone
    assert query.main_query == question


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("What are the main advantages of it?", id="a pronoun after nouns of its own clause"),
        pytest.param("Tell me about the second stage", id="a number without a list"),
        pytest.param("What are the most important exceptions?", id="a side of a thing that is not named"),
        pytest.param("No, I meant the monthly fee for visitors", id="a correction"),
        pytest.param("I was asking about the monthly fee for visitors", id="a correction without a no"),
        pytest.param("那这个规定适用于实习生吗？", id="a reference in Chinese"),
        pytest.param("E quem aprova isso?", id="a reference in Portuguese"),
        pytest.param("Comment y aller depuis la gare centrale ?", id="a reference in French"),
    ],
)
def test_a_message_that_names_too_little_leans_on_its_thread(question: str) -> None:
    query = extract(asked(question, "What does Castelo parking cost?"))

    assert not query.standalone
    assert "Castelo" in query.main_query


def test_the_words_of_a_follow_up_are_never_searched_for_without_those_of_its_thread() -> None:
    query = extract(asked("does it cover water damage?", "how long is the warranty?"))

    assert [query.main_query, query.explanation, query.expansions] == ["does it cover water damage? warranty", "", ()]
    assert query.key_phrases == ("does it cover water damage?",)


def test_what_most_of_an_answered_thread_shares_is_its_topic() -> None:
    thread = (
        Message("person", "Which documents do I need for the parking permit?"),
        Message("bot", "The parking permit needs the registration of the car."),
        Message("person", "How long does that usually take in summer?"),
        Message("bot", "A parking permit takes two days."),
    )

    query = extract(Conversation("And what does it cost for visitors?", thread))

    assert query.main_query.startswith("And what does it cost for visitors? parking permit")
    assert "documents" not in query.main_query


@pytest.mark.parametrize(
    ("question", "main_query"),
    [("And Porto?", "And Porto? office opened"), ("Is it near Porto?", "Is it near Porto? office opened Lyon")],
)
def test_a_name_replaces_that_of_the_thread_unless_a_pronoun_stands_for_it(question: str, main_query: str) -> None:
    thread = (
        Message("person", "When was the office in Lyon opened?"),
        Message("bot", "The office was opened in 2015."),
    )

    assert extract(Conversation(question, thread)).main_query == main_query


def test_a_word_that_opens_a_sentence_is_no_name_of_the_topic() -> None:
    query = extract(asked("How much do they cost?", "Lockers at the Lyon office?"))

    assert query.main_query == "How much do they cost? lockers Lyon office"


@pytest.mark.parametrize(
    ("message", "bare"),
    [
        ("Okay. What did the audit find in Lyon?", "What did the audit find in Lyon?"),
        ("That's really interesting! How does the bonus work?", "How does the bonus work?"),
        ("Great Britain's bank holidays?", "Great Britain's bank holidays?"),
        ("Can you help me? How do I reset my password?", "How do I reset my password?"),
    ],
)
def test_reactions_before_a_question_go(message: str, bare: str) -> None:
    assert extract(asked(message)).main_query == bare


def test_called_into_a_running_thread_it_takes_up_the_question_above() -> None:
    thread = asked("can you answer that?", "Does anyone know how many days we keep door logs?", "no idea, lunch at 12?")

    query = extract(thread)

    assert "door logs" in query.main_query
    assert "lunch" not in query.main_query


def test_a_short_message_speaks_the_language_of_its_thread() -> None:
    assert extract(asked("Parking?", "Où se trouve le bureau de Lyon et comment y aller ?")).language == "fr"


def parts(message: str, *earlier: str) -> list[str]:
    return [part.main_query for part in extract(asked(message, *earlier)).parts]


@pytest.mark.parametrize(
    ("message", "first", "second"),
    [
        (
            "How many leave days do I get? And who approves them?",
            "How many leave days do I get?",
            "And who approves them? leave days",
        ),
        ("Quantos dias de férias tenho? E quem aprova?", "Quantos dias de férias tenho?", "E quem aprova? dias férias"),
        (
            "Combien de jours de congé ai-je ? Et qui les approuve ?",
            "Combien de jours de congé ai-je ?",
            "Et qui les approuve ? jours congé",
        ),
        (
            "¿Cuántos días de vacaciones tengo? ¿Y quién los aprueba?",
            "¿Cuántos días de vacaciones tengo?",
            "¿Y quién los aprueba? días vacaciones",
        ),
        ("年假有几天？谁来批准？", "年假有几天？", "谁来批准？ 年假有几天"),
        (
            "有給休暇は何日ですか？誰が承認しますか？",
            "有給休暇は何日ですか？",
            "誰が承認しますか？ 有給休暇は何日ですか",
        ),
        ("1. What is a badge? 2. Who approves overtime?", "What is a badge?", "Who approves overtime?"),
    ],
)
def test_several_questions_are_parts_that_can_each_be_understood(message: str, first: str, second: str) -> None:
    query = extract(asked(message))

    assert query.main_query == message
    assert [part.main_query for part in query.parts] == [first, second]


@pytest.mark.parametrize(
    "message",
    [
        "What is the deposit and how much is it?",
        "How do I get a badge? Why?",
        "Overtime? What's that?",
        "I work part-time. How many days of leave do I get?",
        "Is it 25 days? Or 26?",
        "Can you help me? How do I reset my password?",
        "Is https://example.org/search?q=leave&what=1 up to date?",
        'What does "how many?" mean?',
        "年假有几天？谢谢",
    ],
)
def test_a_message_that_may_ask_one_thing_is_not_taken_apart(message: str) -> None:
    assert extract(asked(message)).parts == ()


def test_what_stands_before_and_after_a_question_stays_with_it() -> None:
    assert parts("I work part-time. How many days do I get? Really? Where do I apply for overtime? Thanks!") == [
        "I work part-time. How many days do I get? Really?",
        "Where do I apply for overtime?",
    ]


def test_the_first_question_leans_on_the_thread_and_the_others_on_the_first() -> None:
    assert parts("Who refunds it? And where do I pay?", "How much is the locker deposit?") == [
        "Who refunds it? locker deposit",
        "And where do I pay? refunds locker deposit",
    ]


def test_the_last_of_eight_parts_takes_what_is_left() -> None:
    asks = [f"What is the fee of permit {letter}?" for letter in "ABCDEFGHIJ"]

    assert parts(" ".join(asks)) == [*asks[:7], " ".join(asks[7:])]
