"""Where a document's date comes from."""

import datetime as dt
from pathlib import Path

import pytest

from retrieval.library.dates import date_in_name, document_date, effective_date
from retrieval.types import Block, ParsedDocument, SourceFile

DAY = dt.date(2026, 3, 1)


def document(*texts: str, date: dt.date | None = None) -> ParsedDocument:
    return ParsedDocument("Rules", tuple(Block("paragraph", text) for text in texts), "test", date=date)


@pytest.mark.parametrize(
    "text",
    [
        "This policy is effective from 1 March 2026 for all staff.",
        "Effective date: March 1, 2026",
        "The rules come into force on 1st March 2026.",
        "Applies as of March 2026",
        "Gültig ab 1. März 2026 für alle Standorte.",
        "Stand: 01.03.2026",
        "Diese Richtlinie tritt am 1. März 2026 in Kraft.",
        "Valable à partir du 1er mars 2026.",
        "Le présent règlement entre en vigueur le 1er mars 2026.",
        "Vigente a partir del 1 de marzo de 2026.",
        "Esta política entrará en vigor el 1 de marzo de 2026.",
        "Em vigor a partir de 1 de março de 2026.",
        "Válido desde 01/03/2026.",
        "本条例自2026年3月1日起施行。",
        "本办法自二〇二六年三月一日起生效。",
        "生效日期：2026年3月1日",
        "この規程は2026年3月1日から施行する。",
    ],
)
def test_the_day_from_which_a_document_is_in_force_is_its_date(text: str) -> None:
    assert effective_date(document("Rules for all", text)) == DAY


@pytest.mark.parametrize(
    "text",
    [
        "The hotel limit was raised on 1 March 2026.",
        "The offer is valid until 1 March 2026.",
        "Version 3 replaces the one of 1 March 2026.",
        "Effective from 2026.",
        "Effective from 1 March 2206.",
        "从2026年3月1日的会议记录",
    ],
)
def test_other_days_in_a_text_are_not(text: str) -> None:
    assert effective_date(document(text)) is None


def test_a_law_says_at_its_end_from_when_it_holds_and_the_middle_of_a_text_is_about_other_things() -> None:
    filler = ["Article on something else. " * 20] * 20

    assert effective_date(document(*filler, "第一百一十五条 本条例自2026年3月1日起施行。")) == DAY
    assert effective_date(document(*filler, "The fee is effective from 1 March 2026.", *filler)) is None


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("notes 2024-11-10.md", "2024-11-10"),
        ("rules (2024-11-10).pdf", "2024-11-10"),
        ("20241110_rules.pdf", "2024-11-10"),
        ("道路交通规定2024年11月10日.docx", "2024-11-10"),
        ("policy_2024_11_10.md", "2024-11-10"),
        ("10.11.2024.md", "2024-11-10"),
        ("2024.11.10.pdf", "2024-11-10"),
        ("handbook v2024-11.pdf", "2024-11-01"),
        ("Report Nov 2024.pdf", "2024-11-01"),
        ("minutes 2023-01-05, sent 2024-11-10.md", "2024-11-10"),
        ("handbook-2024.pdf", None),
        ("scan 12345678.pdf", None),
        ("scan 20249999.pdf", None),
        ("EX-2024-13-40.md", None),
        ("v1.2.3.md", None),
    ],
)
def test_a_date_in_a_name(name: str, date: str | None) -> None:
    assert str(date_in_name(name)) == str(date)


def test_the_admin_goes_before_the_front_matter_and_that_before_text_and_name() -> None:
    name, text = "rules 2023-01-01.md", "Effective from 1 March 2026."
    file, stated, given = SourceFile(name, Path(name)), dt.date(2025, 5, 5), dt.date(2022, 2, 2)

    assert document_date(file, document(text, date=stated), name) == stated
    assert document_date(SourceFile(name, Path(name), date=given), document(text, date=stated), name) == given
    assert document_date(file, document("Rules"), name) == dt.date(2023, 1, 1)
    assert document_date(SourceFile("rules.md", Path("rules.md")), document("Rules"), "rules.md") is None


def test_of_the_days_in_text_and_name_the_later_one_counts() -> None:
    copied, amended = (
        SourceFile("rules 2023-01-01.md", Path("a")),
        SourceFile("道路交通安全法(2021-04-29).md", Path("b")),
    )
    in_force = document("Effective from 1 March 2026.")
    enacted = document("本法自2004年5月1日起施行。")

    assert document_date(copied, in_force, copied.document) == DAY
    assert document_date(amended, enacted, amended.document) == dt.date(2021, 4, 29)
