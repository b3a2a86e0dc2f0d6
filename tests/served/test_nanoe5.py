"""A real embedding model through the client: near texts are near, in any language."""

import numpy as np

from retrieval.adapters.openai_models import OpenAIEmbeddings

LEAVE = "Every employee has 25 days of paid annual leave."
PASSAGES = [
    LEAVE,
    "Bicycles are kept in the garage on the ground floor.",
    "Chaque employé a droit à 25 jours de congés payés par an.",
    "每位员工每年享有二十五天带薪年假。",
]


def test_rows_are_of_unit_length_and_384_wide(embeddings: OpenAIEmbeddings) -> None:
    rows = embeddings.embed(PASSAGES, "passage")

    assert rows.dtype == np.float32
    assert rows.shape == (len(PASSAGES), embeddings.dim) == (4, 384)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_many_texts_give_the_rows_that_each_gives_alone_in_order(embeddings: OpenAIEmbeddings) -> None:
    together = embeddings.embed(PASSAGES, "passage")
    alone = np.concatenate([embeddings.embed([text], "passage") for text in PASSAGES])

    np.testing.assert_allclose(together, alone, atol=1e-3)


def test_a_question_is_nearer_to_its_answer_than_to_another_text(embeddings: OpenAIEmbeddings) -> None:
    (question,) = embeddings.embed(["How many days off do I get a year?"], "query")
    english, bicycles, french, chinese = embeddings.embed(PASSAGES, "passage") @ question

    assert bicycles < min(english, french, chinese)


def test_the_model_goes_by_the_name_that_the_server_gives_it(embeddings: OpenAIEmbeddings) -> None:
    assert embeddings.name == "multilingual-e5-small-q4"
