"""Markdown becomes Slack's mark-up."""

import re

import pytest

from bot.mrkdwn import link, to_mrkdwn


@pytest.mark.parametrize(
    ("markdown", "mrkdwn"),
    [
        ("**Yes**, _maybe_ and ~~no~~ in `**code**`", "*Yes*, _maybe_ and ~no~ in `**code**`"),
        ('We\'ve 5 < 6 & "R&D"', 'We\'ve 5 &lt; 6 &amp; "R&amp;D"'),
        ("# Title with **bold**\n\ntext", "*Title with bold*\n\ntext"),
        ("> a\n> b", "> a\n> b"),
        ("***both***", "_*both*_"),
        ("[a|b](https://w.example/x?a=1&b=2)", "<https://w.example/x?a=1&amp;b=2|a¦b>"),
        ("<!channel> and <@U1>", "&lt;!channel&gt; and &lt;@U1&gt;"),
        ("<b>html</b>", "&lt;b&gt;html&lt;/b&gt;"),
        ("```py\na < b\n```", "```\na &lt; b\n```"),
        ("3. c\n4. d", "3. c\n4. d"),
    ],
)
def test_marks_are_translated(markdown: str, mrkdwn: str) -> None:
    assert to_mrkdwn(markdown) == mrkdwn


def test_translating_twice_changes_nothing() -> None:
    assert to_mrkdwn(to_mrkdwn("**text**")) == "*text*"


def test_table_rows_stay_on_one_line() -> None:
    text = to_mrkdwn("| Site | Opens |\n|---|---|\n| **Porto** | 8:00 |\n| Lyon | 9:30 |")

    assert not re.search(r"\|---|\*\*", text)
    assert re.search(r"^Porto +8:00$", text, re.MULTILINE)
    assert re.search(r"^Lyon +9:30$", text, re.MULTILINE)


def test_nested_lists_keep_their_levels() -> None:
    lines = to_mrkdwn("- Keys\n  - Front door\n    1. Ring twice\n- Cards").split("\n")

    indents = [len(line) - len(line.lstrip()) for line in lines]
    assert len(lines) == 4
    assert indents[0] == indents[3] < indents[1] < indents[2]
    assert not any(line.startswith("- ") for line in lines)


def test_a_link_is_one_link_whatever_its_address_and_label_hold() -> None:
    shown = link("https://files.example/a b/Guide (v2).docx?x=1&y=2", "Install | Guide <v2> & FAQ")

    assert shown == ("<https://files.example/a%20b/Guide%20(v2).docx?x=1&amp;y=2|Install ¦ Guide &lt;v2&gt; &amp; FAQ>")
