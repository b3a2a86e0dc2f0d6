"""Terms, sentences and language, in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text import LANGUAGES, fold, graphemes, language, normalise, sentences, terms


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("EX-4021/b", {"ex-4021/b", "ex", "4021", "b"}),
        ("SPEC-B417", {"spec-b417", "spec", "b417"}),
        ("$3,150,000", {"3150000"}),
        ("1.000.000", {"1000000"}),
        ("0,5 %", {"0.5"}),
        ("v1.2.3", {"v1.2.3", "v1", "2", "3"}),
        ("型号ＡＢＣ－１２３停产", {"型号", "abc-123", "abc", "123", "停产"}),
        ("The ﬁnancial oﬃcer", {"financial", "officer"}),
    ],
)
def test_codes_numbers_and_compatibility_forms_are_found_however_they_are_typed(text: str, wanted: set[str]) -> None:
    assert wanted <= set(terms(text))


def test_a_code_and_its_neighbour_share_parts_but_not_the_whole() -> None:
    one, other = set(terms("E-1042")), set(terms("E-10420"))

    assert "e-1042" in one
    assert "e-1042" not in other


@pytest.mark.parametrize(("typed", "written"), [("manutencao", "MANUTENÇÃO"), ("ferias", "férias"), ("ação", "ação")])
def test_accents_and_their_encoding_do_not_separate_a_word_from_itself(typed: str, written: str) -> None:
    assert fold(normalise(typed)) == fold(normalise(written))


def test_accented_words_are_not_cut_into_other_words() -> None:
    assert not {"r", "seau"} & set(terms("réseau"))


def test_french_tea_is_not_the_english_article() -> None:
    assert terms("thé") == ["the"]
    assert "the" not in terms("The office opens at eight.")


def test_acronyms_that_look_like_stop_words_stay() -> None:
    assert "it" in terms("Who is responsible in the IT department?")
    assert "it" not in terms("Who is responsible for it in the department?")


def test_a_text_of_stop_words_alone_keeps_them() -> None:
    assert terms("to be or not to be") == ["to", "be", "or", "not", "to", "be"]


@pytest.mark.parametrize("plural", ["days", "policies", "interns"])
def test_a_plural_shares_a_term_with_its_singular(plural: str) -> None:
    singular = {"days": "day", "policies": "policy", "interns": "intern"}[plural]

    assert set(terms(plural, "en")) & set(terms(singular, "en"))


def test_unspaced_scripts_become_overlapping_bigrams() -> None:
    assert terms("储物柜押金", "zh") == ["储物", "物柜", "柜押", "押金"]
    assert {"有給", "休暇"} <= set(terms("有給休暇は何日ですか"))
    assert len(terms("วันหยุดพักร้อน", "th")) > 3


def test_question_words_of_chinese_are_left_out() -> None:
    assert set(terms("储物柜押金是多少？")) == {"储物", "物柜", "柜押", "押金"}


@pytest.mark.parametrize("text", ["", "？？", "...", "\u200b"])
def test_text_without_words_has_no_terms(text: str) -> None:
    assert terms(text) == []


def test_sentences_end_at_full_stops_of_any_script_and_not_inside_values() -> None:
    text = (
        "Dr. Li pays 0.5% for v1.2.3 at https://example.com/a.b. Really? 年假为十五天。须提前申请！"
        "\n- an item\n| a | b |"
    )

    assert sentences(text) == [
        "Dr. Li pays 0.5% for v1.2.3 at https://example.com/a.b.",
        "Really?",
        "年假为十五天。",
        "须提前申请！",
        "- an item",
        "| a | b |",
    ]


@given(st.text(max_size=300))
def test_sentences_lose_nothing_but_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(st.text(max_size=300))
def test_graphemes_put_together_are_the_text(text: str) -> None:
    assert "".join(graphemes(text)) == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("How much is the locker deposit?", "en"),
        ("Quanto é a caução do cacifo?", "pt"),
        ("Quel est le montant de la caution du casier ?", "fr"),
        ("储物柜押金是多少？", "zh"),
        ("会议室怎么预订？", "zh"),
        ("有給休暇は何日ですか", "ja"),
        ("¿Cuántos días de vacaciones tengo?", "es"),
        ("Wie viele Urlaubstage habe ich?", "de"),
        ("Qual é a cor do telhado?", "pt"),
    ],
)
def test_the_language_of_a_question_is_told(text: str, code: str) -> None:
    assert language(text) == code


@pytest.mark.parametrize("text", ["fine, thanks", "no signal again", "service contract", "all ok now", "EX-4021/b"])
def test_a_text_too_short_to_tell_gets_the_default(text: str) -> None:
    assert language(text, default="en") == "en"


@given(st.text(max_size=200))
def test_the_language_is_always_one_of_those_known(text: str) -> None:
    assert language(text) in LANGUAGES
