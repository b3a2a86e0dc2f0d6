"""What language models make of the JSON they are asked for, read as a form."""

from typing import Any

import pytest
from pydantic import BaseModel

from retrieval.adapters.openai_models.json_reading import read_form
from retrieval.errors import ModelOutputInvalid


class Extraction(BaseModel):
    """Takes any shape: what is coerced is the business of the forms in use."""

    main_query: Any
    main_query_explanation: Any = None
    filters: Any = None
    ranking_criteria: Any = None
    expansions: Any = None


_OBJECT = (
    '{"main_query": "parking permit cost", "main_query_explanation": "price of a permit", "filters": {},'
    ' "ranking_criteria": "most recent", "expansions": ["price of parking permit"]}'
)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(_OBJECT, id="bare"),
        pytest.param(f"```json\n{_OBJECT}\n```\nHope that helps, compare [2] and [notes].", id="fence and remark"),
        pytest.param(f"Sure! Use {{braces}} like this: {_OBJECT} That is all {{really}}.", id="prose on both sides"),
        pytest.param(
            f'<think>Maybe {{"main_query": "WRONG", "expansions": []}} no, better be precise.</think>\n{_OBJECT}',
            id="draft in thinking",
        ),
        pytest.param(f'Maybe {{"main_query": "WRONG"}} no.</think>\n{_OBJECT}', id="thinking opened in the prompt"),
        pytest.param(f"<think>\n\n</think>\n\n{_OBJECT}", id="empty thinking"),
        pytest.param(f"<think>a</think>\n<think>b</think>{_OBJECT}", id="thinking twice"),
        pytest.param(f'{{"main_query": "WRONG", "expansions": []}}\nBetter:\n{_OBJECT}', id="a better one follows"),
        pytest.param(f'{_OBJECT}\n{{"type": "object", "properties": {{}}}}', id="the schema follows"),
        pytest.param(f"{_OBJECT}<|endoftext|>", id="end of text"),
        pytest.param(f"{_OBJECT}<|im_end|>\n<|endoftext|></s>", id="several end tokens"),
        pytest.param(_OBJECT.replace('"', "“", 1).replace('"', "”", 1), id="one pair of smart quotes"),
        pytest.param(_OBJECT.replace('"]', '",],'), id="trailing commas"),
        pytest.param(_OBJECT.replace('"', "'"), id="single quotes"),
    ],
)
def test_an_object_is_read_whatever_stands_around_it_or_is_amiss_in_it(words: str) -> None:
    read = read_form(words, Extraction)

    assert read.main_query == "parking permit cost"
    assert read.expansions == ["price of parking permit"]


def test_python_style_with_an_apostrophe_is_read() -> None:
    words = (
        "{'main_query': \"employee's parking permit cost\", 'main_query_explanation': None, 'filters': {},"
        " 'ranking_criteria': '', 'expansions': ['price of parking permit']}"
    )

    read = read_form(words, Extraction)

    assert read.main_query == "employee's parking permit cost"
    assert read.main_query_explanation is None
    assert read.expansions == ["price of parking permit"]


def test_typographic_quotes_are_delimiters_where_they_have_to_be_and_text_where_they_can() -> None:
    delimiters = "{“main_query”: “parking permit cost”, “filters”: {}, “expansions”: [“price of parking permit”]}"
    text = '{"main_query": "what „parking permit" means", "expansions": ["„permit" defined"]}'

    assert read_form(delimiters, Extraction).expansions == ["price of parking permit"]
    assert read_form(text, Extraction).main_query == 'what „parking permit" means'


def test_think_tags_in_the_words_of_a_person_stay() -> None:
    words = '{"main_query": "what does </think> do after <think>?"}'

    assert read_form(words, Extraction).main_query == "what does </think> do after <think>?"


def test_odd_shapes_are_handed_to_the_form() -> None:
    words = '{"main_query": ["parking permit cost"], "filters": [], "expansions": [null, 7, "price of parking permit"]}'

    read = read_form(words, Extraction)

    assert (read.main_query, read.filters) == (["parking permit cost"], [])
    assert read.expansions == [None, 7, "price of parking permit"]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param('<think>Let me think about {"main_query": "WRONG"} and then', id="thinking without end"),
        pytest.param(
            '{"main_query": "parking permit cost", "expansions": ["price of parking per', id="cut in a string"
        ),
        pytest.param('{"main_query": "parking", "filters": {"tags": ["a"]}', id="cut behind an inner object"),
        pytest.param("A parking permit usually costs 20 euros per month. Anything else?", id="prose"),
        pytest.param('["parking permit cost", "price"]', id="list of strings"),
        pytest.param(f"[{_OBJECT}]", id="list of objects"),
        pytest.param('{"expansions": ["price"]}', id="a field is missing"),
        pytest.param("{}", id="empty object"),
        pytest.param("", id="nothing"),
        pytest.param("{" * 20_000, id="braces"),
        pytest.param('{"a":' * 20_000, id="deep"),
        pytest.param("[" * 20_000, id="deep list"),
    ],
)
def test_what_holds_no_whole_object_of_the_form_is_invalid(words: str) -> None:
    with pytest.raises(ModelOutputInvalid):
        read_form(words, Extraction)


def test_a_schema_sent_back_is_no_answer_even_where_no_field_is_required() -> None:
    class Wishes(BaseModel):
        main_query: str = ""

    words = '{"type": "object", "properties": {"main_query": {"type": "string"}}, "required": ["main_query"]}'

    with pytest.raises(ModelOutputInvalid, match="none of the fields"):
        read_form(words, Wishes)


def test_what_is_wrong_is_told_by_field() -> None:
    class Rated(BaseModel):
        name: str
        confidence: int

    with pytest.raises(ModelOutputInvalid, match=r"name: Field required; confidence: .*integer"):
        read_form('{"confidence": "high"}', Rated)
