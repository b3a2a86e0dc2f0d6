"""What a model may not do to a message: lose what it insists on, or bring in what nobody said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.types import Conversation, ExtractedQuery, Filterable, Message
from retrieval.understand.form import Strategy
from retrieval.understand.llm import LlmExtractor
from tests.retrieval.scripted_chat import ScriptedChat

Answer = dict[str, Any]


def extracted(
    answer: Answer, question: str, *earlier: Message, documents: tuple[str, ...] = (), strategy: Strategy = "q2e"
) -> ExtractedQuery:
    reads = LlmExtractor(ScriptedChat.saying(answer), strategy=strategy, query_count=3)
    return reads.extract(Conversation(question, earlier), Filterable(documents))


@pytest.mark.parametrize(
    ("question", "answer", "kept"),
    [
        ("What does EX-4021/b cost?", "cost of the part", ["EX-4021/b"]),
        ("Onde fica a Casa Amarela e o que diz a norma NP-405?", "local e norma", ["Casa Amarela", "NP-405"]),
        ('Is "net 30" in the supplier contract?', "payment terms in supplier contracts", ['"net 30"']),
        ("Who signs above $3,150,000?", "signatures for large amounts", ["$3,150,000"]),
        ("合同NP-405的押金是多少？", "合同押金", ["NP-405"]),
        ("Was bedeutet der Fehler E-1042 bei ACME?", "Bedeutung des Fehlers", ["E-1042", "ACME"]),
        ("What does E-104 mean?", "meaning of E-1042", ["E-104"]),
    ],
)
def test_names_numbers_codes_and_quoted_strings_are_put_back_as_written(
    question: str, answer: str, kept: list[str]
) -> None:
    query = extracted({"main_query": answer}, question)

    assert all(what in query.main_query for what in kept)


@given(
    codes=st.lists(st.from_regex(r"[A-Z]{1,3}-[0-9]{2,4}", fullmatch=True), min_size=1, max_size=4, unique=True),
    amount=st.integers(10, 10**7),
)
def test_no_code_and_no_amount_is_ever_lost(codes: list[str], amount: int) -> None:
    query = extracted({"main_query": "price of the parts"}, f"Do the parts {', '.join(codes)} cost {amount:,} euros?")

    assert all(what in query.main_query.split() for what in [*codes, f"{amount:,}"])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does ex-4021/B cost?", {"main_query": "cost of EX-4021/b"}),
        ("Who signs above $3,150,000?", {"main_query": "signatures above 3150000 dollars"}),
        ("How Many Days Of Leave Are There?", {"main_query": "days of leave"}),
        ("HOW MANY DAYS OF LEAVE", {"main_query": "days of leave"}),
        ("What do we pay in Porto? For beginners", {"main_query": "pay", "criteria": ["in Porto", "for beginners"]}),
    ],
)
def test_what_is_there_already_is_not_said_twice(question: str, answer: Answer) -> None:
    assert extracted(answer, question).main_query == answer["main_query"]


def test_what_a_filter_holds_is_not_put_back() -> None:
    answer = {"main_query": "locker deposit", "filters": {"documents": ["EX-4021.pdf"]}}

    query = extracted(answer, "What is the locker deposit in EX-4021.pdf?", documents=("rules/EX-4021.pdf",))

    assert query.filters.documents == ("rules/EX-4021.pdf",)
    assert query.main_query == "locker deposit"


def test_names_of_earlier_messages_are_not_forced_into_the_query() -> None:
    earlier = (Message("person", "When was the Lyon office opened?"), Message("bot", "In 2015 [1]."))

    query = extracted({"main_query": "opening of the Porto office"}, "What about the Porto office, when?", *earlier)

    assert query.main_query == "opening of the Porto office"


def test_what_all_parts_of_a_message_have_lost_is_put_back_into_each() -> None:
    asks = ["What does the error mean?", "Who repairs it?"]
    asked = "What does the error E-1042 mean and who repairs it?"

    parts = extracted({"main_query": "the error", "sub_questions": asks}, asked).parts

    assert [part.main_query for part in parts] == [f"{ask} E-1042" for ask in asks]


@pytest.mark.parametrize(
    "invented",
    [
        "A parking permit usually costs 20 euros per month",
        "parking permit 2023",
        "parking permit of Acme Corporation",
        "setting up the network at home",
    ],
)
def test_a_query_that_answers_from_memory_gives_way_to_the_words_of_the_message(invented: str) -> None:
    answer = {
        "main_query": invented,
        "main_query_explanation": f"Passages about {invented}. They typically cover permits.",
        "expansions": ["permit fee", "20 euros a month"],
    }

    query = extracted(answer, "How much is a parking permit?")

    assert query.main_query == "How much is a parking permit?"
    assert (query.explanation, query.expansions) == ("", ())


def test_figures_that_nobody_named_are_searched_for_nowhere() -> None:
    answer = {
        "main_query": "parking permit cost",
        "main_query_explanation": "Passages about parking permit cost. They typically cover fees. It is 20 euros.",
        "key_phrases": ["parking permit", "20 euros"],
        "expansions": ["parking for 20 euros", "permit fee", "fee ２０"],
        "criteria": ["below 20 euros"],
        "sub_questions": ["What is a permit?", "Is it 20 euros?"],
    }

    query = extracted(answer, "How much is a parking permit?")

    assert query.explanation == "Passages about parking permit cost. They typically cover fees."
    assert query.key_phrases == ("parking permit",)
    assert query.expansions == ("permit fee", "How much is a parking permit?")
    assert query.parts == ()
    assert "20" not in repr(query)


def test_of_a_written_passage_the_sentences_with_figures_go() -> None:
    passage = "A permit is bought at the desk. It costs 20 euros. It is valid at once."

    query = extracted({"main_query": "parking permit", "passage": passage}, "parking permit?", strategy="q2d")

    assert query.expansions == ("A permit is bought at the desk. It is valid at once.",)


@pytest.mark.parametrize(
    "wording", ["permits above 3150000 euros", "permits above 3.150.000 euros", "rules of 2024", "Annual report 2024"]
)
def test_figures_of_the_thread_and_of_document_names_may_be_used(wording: str) -> None:
    earlier = (Message("person", "Is a permit needed above 3,150,000 euros?"), Message("bot", "Yes [1]."))

    query = extracted(
        {"main_query": "permits for amounts", "expansions": [wording]},
        "And what else do the rules say?",
        *earlier,
        documents=("rules-2024.pdf",),
    )

    assert wording in query.expansions


@pytest.mark.parametrize(
    "explanation",
    [
        "price of a permit",
        "Sure! Passages about parking permit cost. They typically cover fees.",
        "Passages about [main query]. They typically cover [...].",
        "This query is about parking.",
        "Passages about the network at home. They typically cover cables.",
    ],
)
def test_an_explanation_of_another_form_is_left_out(explanation: str) -> None:
    answer = {"main_query": "parking permit cost", "main_query_explanation": explanation}

    assert extracted(answer, "How much is a parking permit?").explanation == ""


def test_an_explanation_is_at_most_three_sentences() -> None:
    explanation = "Passages about permits. They typically cover fees. They say who pays. They say when. They say where."

    query = extracted({"main_query": "permits", "main_query_explanation": explanation}, "Tell me about permits")

    assert query.explanation == "Passages about permits. They typically cover fees. They say who pays."


def test_a_wording_of_sane_length_is_made_of_an_endless_one() -> None:
    query = extracted({"main_query": "permit " * 500, "expansions": ["fee " * 5_000]}, "Tell me about permits")

    assert len(query.main_query) <= 500
    assert len(query.expansions[0]) <= 800


@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_a_model_says_the_query_is_one_line_of_text_that_can_be_sent(main: str, wording: str) -> None:
    answer = {"main_query": main or "x", "expansions": [wording, "\ud83d"], "main_query_explanation": wording}
    if main.strip().lower() in {"", "null", "none", "n/a", "string", "query", "main_query", "..."}:
        return

    query = extracted(answer, "How much is a parking permit?")

    assert repr(query).encode()
    assert query.main_query.strip()
    assert "\n" not in query.main_query
    assert len(query.expansions) <= 8
