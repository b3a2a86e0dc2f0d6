"""What Slack sends becomes what a person would read."""

import re
from typing import Any

import pytest

from bot.slack_text import plain_text, text_of_blocks

BOT = "UBOT0001"


def test_entities_are_decoded_exactly_once() -> None:
    text = "is temp &gt;= 5 &amp;&amp; &lt; 10 ok, and what is &amp;lt;b&amp;gt;?"

    assert plain_text(text, BOT) == "is temp >= 5 && < 10 ok, and what is &lt;b&gt;?"


def test_mentions_channels_and_links_become_their_labels() -> None:
    text = (
        "<@UBOT0001>  what does <https://w.example/p|the wiki page> say about <#C77|general> and "
        "<mailto:hr@w.example|hr@w.example>? cc <@U777|ana> <!subteam^S1|@ops>"
    )

    plain = plain_text(text, BOT)

    assert plain == "what does the wiki page say about #general and hr@w.example? cc @ana @ops"
    assert not re.search(r"<|>|U777|UBOT0001|S1", plain)


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("<@U777>", ""),
        ("<#C77>", ""),
        ("<#C77|>", ""),
        ("<!here>", "@here"),
        ("<!channel|channel>", "@channel"),
        ("<!subteam^S1>", ""),
        ("<!date^1392734382^{date}|18 February>", "18 February"),
        ("<https://w.example/?a=1&amp;b=2>", "https://w.example/?a=1&b=2"),
        ("<mailto:hr@w.example>", "hr@w.example"),
        ("<tel:+3531234|ring us>", "ring us"),
    ],
)
def test_every_kind_of_token_is_shown_as_people_see_it(token: str, shown: str) -> None:
    assert plain_text(f"a {token} b", BOT) == f"a {shown} b".replace("  ", " ")


def test_line_breaks_stay_and_other_white_space_collapses() -> None:
    assert plain_text("  first \t line\n\n\n\n  second  ", BOT) == "first line\n\nsecond"


def test_a_message_with_blocks_only_has_their_text() -> None:
    blocks: list[dict[str, Any]] = [
        {
            "type": "rich_text",
            "elements": [
                {
                    "type": "rich_text_section",
                    "elements": [
                        {"type": "user", "user_id": BOT},
                        {"type": "text", "text": " how about "},
                        {"type": "link", "url": "https://w.example/p", "text": "this"},
                    ],
                },
                {
                    "type": "rich_text_list",
                    "elements": [
                        {"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]},
                        {"type": "rich_text_section", "elements": [{"type": "text", "text": "two"}]},
                    ],
                },
            ],
        },
        {"type": "section", "text": {"type": "mrkdwn", "text": "and *that*"}},
    ]

    plain = plain_text(text_of_blocks(blocks), BOT)

    assert plain == "how about this\none\ntwo\nand *that*"


def test_every_element_of_a_rich_text_is_read_and_what_looks_like_a_token_stays_text() -> None:
    elements: list[dict[str, Any]] = [
        {"type": "text", "text": "if a < b && c > d: "},
        {"type": "emoji", "name": "wave"},
        {"type": "text", "text": " "},
        {"type": "broadcast", "range": "here"},
        {"type": "text", "text": " see <@U1> in &lt;code&gt;, "},
        {"type": "link", "url": "https://w.example/?a=1&b=2"},
        {"type": "usergroup", "usergroup_id": "S1"},
        {"type": "date", "timestamp": 1, "format": "{date}", "fallback": " on 1 May"},
    ]
    section = {"type": "rich_text_section", "elements": elements}
    code = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x = <T>()\ny"}]}
    quote = {"type": "rich_text_quote", "elements": [{"type": "text", "text": "a\nb"}]}

    plain = plain_text(text_of_blocks([{"type": "rich_text", "elements": [section, code, quote]}]), BOT)

    assert plain == (
        "if a < b && c > d: :wave: @here see <@U1> in &lt;code&gt;, https://w.example/?a=1&b=2 on 1 May\n"
        "x = <T>()\ny\n> a\n> b"
    )
