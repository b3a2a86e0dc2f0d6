"""What people type and read, to and from what Slack sends."""

import time
from typing import Any

import pytest

from workspace.plain import markdown_plain, plain_text
from workspace.seed import seeded_state
from workspace.state import Message
from workspace.text import as_rich_text, as_slack_text, segments

STATE = seeded_state(time.time)


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("@footnote hello", "<@U0FOOTNOTE> hello"),
        ("@Footnote, hello", "<@U0FOOTNOTE>, hello"),
        ("@footnote年休は何日?", "<@U0FOOTNOTE>年休は何日?"),
        ("教えて@footnote", "教えて<@U0FOOTNOTE>"),
        ("<@U0FOOTNOTE> ready made", "<@U0FOOTNOTE> ready made"),
        ("ask @alice.", "ask <@U0ALICE>."),
        ("@nobody and bob@footnote.example", "@nobody and bob@footnote.example"),
        ("see #hr, not #nowhere", "see <#C0HR|hr>, not #nowhere"),
        ("@here @channel", "<!here> <!channel>"),
        ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
        ("<script>", "&lt;script&gt;"),
        ("https://example.org/a?b=1&c=2.", "<https://example.org/a?b=1&amp;c=2>."),
        ("<https://example.org|here>", "<https://example.org|here>"),
        ("`@footnote`", "`@footnote`"),
        ("```\n@footnote <x>\n```", "```\n@footnote &lt;x&gt;\n```"),
        ("", ""),
    ],
)
def test_typed_text_goes_out_as_slack_sends_it(typed: str, sent: str) -> None:
    assert as_slack_text(segments(typed, STATE)) == sent


def test_the_composers_rich_text_says_the_same() -> None:
    block = as_rich_text(segments("@footnote see https://example.org & `x`", STATE), "b1")

    assert block["elements"][0]["elements"] == [
        {"type": "user", "user_id": "U0FOOTNOTE"},
        {"type": "text", "text": " see "},
        {"type": "link", "url": "https://example.org"},
        {"type": "text", "text": " & "},
        {"type": "text", "text": "x", "style": {"code": True}},
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("<@U0ALICE> asked in <#C0HR|hr>", "@alice asked in #hr"),
        ("*bold*, _italic_, ~gone~, `code`", "bold, italic, gone, code"),
        ("snake_case_name and 2*3*4", "snake_case_name and 2*3*4"),
        ("<https://example.org|the form> &lt;b&gt; &amp;amp;", "the form <b> &amp;"),
        ("&gt; quoted", "quoted"),
        ("<!here> look", "@here look"),
    ],
)
def test_mrkdwn_reads_without_its_marks(text: str, read: str) -> None:
    assert plain_text(Message("C0GENERAL", "1.000001", "U0ALICE", text), STATE) == read


@pytest.mark.parametrize(
    ("markdown", "read"),
    [
        ("## Leave\n\n**25 days** [1]", "Leave\n\n25 days [1]"),
        ("- one\n  - *two*\n1. three", "• one\n  • two\n1. three"),
        ("[the form](https://example.org/a_(b))", "the form"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n| 1 | 2 |"),
        ("```python\nx = **y**\n```", "x = **y**"),
        ("`**x**` and \\*y\\*", "**x** and *y*"),
        ("これは**重要**です", "これは重要です"),
        ("snake_case_name stays, __this__ goes", "snake_case_name stays, this goes"),
        ("> a quote", "a quote"),
    ],
)
def test_markdown_reads_without_its_marks(markdown: str, read: str) -> None:
    assert markdown_plain(markdown) == read


def test_a_bots_blocks_read_with_sources_and_button_labels() -> None:
    blocks: list[dict[str, Any]] = [
        {"type": "markdown", "text": "**25 days** [1] &lt;here&gt;"},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "*Sources*\n[1] handbook.md, page 3"}]},
        {"type": "divider"},
        {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Show"}}]},
        {
            "type": "context_actions",
            "elements": [
                {
                    "type": "feedback_buttons",
                    "positive_button": {"text": {"type": "plain_text", "text": "Good"}},
                    "negative_button": {"text": {"type": "plain_text", "text": "Bad"}},
                }
            ],
        },
    ]
    message = Message("C0GENERAL", "1.000001", "U0FOOTNOTE", "fallback", blocks=blocks, bot_id="B0FOOTNOTE")

    assert plain_text(message, STATE) == ("25 days [1] <here>\nSources\n[1] handbook.md, page 3\nShow\nGood Bad")
