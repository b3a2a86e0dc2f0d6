"""Days, months and years read off a text."""

import datetime as dt

import pytest

from retrieval.dates import written_dates


def read(text: str, lang: str = "en") -> list[str]:
    """Days as such, months and years by their first and last day."""
    return [
        str(date.first) if date.first == date.last else f"{date.first}/{date.last}"
        for date in written_dates(text, lang)
    ]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("2026-03-01", "en"),
        ("2026/3/1", "en"),
        ("1 March 2026", "en"),
        ("March 1st, 2026", "en"),
        ("1 Mar 2026", "en"),
        ("01.03.2026", "en"),
        ("1. März 2026", "de"),
        ("1. Maerz 2026", "de"),
        ("01/03/2026", "fr"),
        ("1er mars 2026", "fr"),
        ("1 de março de 2026", "pt"),
        ("1 de marzo del 2026", "es"),
        ("1 marzo 2026", "it"),
        ("1 maart 2026", "nl"),
        ("2026年3月1日", "zh"),
        ("二〇二六年三月一日", "zh"),
        ("2026 年 3 月 1 日", "ja"),
    ],
)
def test_one_day_in_many_ways(text: str, lang: str) -> None:
    assert read(f"({text})", lang) == ["2026-03-01"]


@pytest.mark.parametrize("text", ["March 2026", "2026-03", "mars 2026", "März 2026", "março de 2026", "2026年3月"])
def test_a_month_is_all_its_days(text: str) -> None:
    assert read(f"in {text}.") == ["2026-03-01/2026-03-31"]


def test_a_year_is_all_its_days_and_other_numbers_are_no_years() -> None:
    assert read("What did the 2023 handbook say?") == ["2023-01-01/2023-12-31"]
    assert read("2013年的规定", "zh") == ["2013-01-01/2013-12-31"]
    assert read("2000 euros, 2000 €, $2000, EX-2021, v2.2023, 20231, 2023.5, 12:2023, section 4.2023") == []


def test_numerals_of_several_characters() -> None:
    assert read("二〇二三年十二月二十五日起", "zh") == ["2023-12-25"]
    assert read("二〇二三年十月十日", "zh") == ["2023-10-10"]


def test_what_can_be_read_in_two_ways_and_what_is_no_day_is_left_out() -> None:
    assert read("on 03/04/2026", "en") == []
    assert read("on 13/04/2026 and 04/13/2026", "en") == ["2026-04-13", "2026-04-13"]
    assert read("on 31 February 2026 and 2026-13-01", "en") == []


def test_several_dates_stand_where_they_are_written() -> None:
    text = "From 1 March 2024 to 2026-05-02"
    found = written_dates(text, "en")

    assert [date.first for date in found] == [dt.date(2024, 3, 1), dt.date(2026, 5, 2)]
    assert [text[date.start : date.end] for date in found] == ["1 March 2024", "2026-05-02"]
