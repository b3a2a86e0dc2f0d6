"""Markdown becomes Slack's mark-up."""

import re

import pytest

from bot.code import WORD_JOINER
from bot.mrkdwn import escaped, one_line, to_mrkdwn


@pytest.mark.parametrize(
    ("markdown", "mrkdwn"),
    [
        ("**Yes**, _maybe_ and ~~no~~ in `**code**`", "*Yes*, _maybe_ and ~no~ in `**code**`"),
        ('We\'ve 5 < 6 & "R&D"', 'We\'ve 5 &lt; 6 &amp; "R&amp;D"'),
        ("# Title with **bold**\n\ntext", "*Title with bold*\n\ntext"),
        ("> a\n> b", "> a\n> b"),
        ("***both***", "_*both*_"),
        ("[a|b](https://w.example/x?a=1&b=2)", "a|b"),
        ("![plan](https://w.example/plan.png)", ""),
        ("`` a`b `` and \\`", "`aˋb` and ˋ"),
        ("<!channel> and <@U1>", "&lt;!channel&gt; and &lt;@U1&gt;"),
        ("<b>html</b>", "&lt;b&gt;html&lt;/b&gt;"),
        ("```py\na < b\n```", "```\na &lt; b\n```"),
        ("3. c\n4. d", "3. c\n4. d"),
        ("这是**重要**内容。", "这是 *重要* 内容。"),
        ("必ず**確認**。", "必ず *確認* 。"),
        ("中文`code`中文", "中文 `code` 中文"),
        ("- **年假**：15天\n- 病假", "• *年假* ：15天\n• 病假"),
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


@pytest.mark.parametrize(
    "text", ["https://evil.example/x", "www.evil.example", "hr@evil.example", "<https://evil.example>"]
)
def test_what_slack_makes_links_of_is_none_in_text_or_names(text: str) -> None:
    for shown in (to_mrkdwn(f"see {text} now"), one_line(f"see {text} now", 80)):
        assert not re.search(r"://|www\.evil|@evil|<", shown)
        assert shown.replace(WORD_JOINER, "") == escaped(f"see {text} now")


def test_columns_of_a_table_stand_below_each_other_in_wide_scripts_too() -> None:
    lines = to_mrkdwn("| 地点 | 开门 |\n|---|---|\n| 北京 | 8:00 |\n| Lyon | 9:30 |").split("\n")

    assert lines[1:-1] == ["地点  开门", "北京  8:00", "Lyon  9:30"]
