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

    assert disarm(text).replace(WORD_JOINER, "") == (
        "26 days [1](see the manual), six [2](a) and [3](`https://evil.example/x`)."
    )


@pytest.mark.parametrize("evil", ["[a](javascript:alert(1))", "[a](slack://user?id=U1)", "[a](//evil.example)"])
def test_other_schemes_are_no_links_either(evil: str) -> None:
    assert disarm(evil, OK) == "a"


def test_an_address_in_code_that_no_source_has_cannot_be_followed() -> None:
    text = disarm("```\ncurl https://evil.example/x\ncurl https://files.example/F1\n```", OK)

    assert f"https:{WORD_JOINER}//evil" in text
    assert "https://files.example/F1" in text


def test_addresses_of_the_sources_are_shown_in_full_as_code() -> None:
    known = urls(["It lies at https://files.example/F1, see also (https://wiki.example/a_(b)) or ask hr@corp.example."])

    assert known == {"https://files.example/F1", "https://wiki.example/a_(b)", "hr@corp.example"}
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
        (r"[a\](https://evil.example/x)", r"[a\](`https://evil.example/x`)"),
        (r"\[a](https://evil.example/x)", rf"\[a]{WORD_JOINER}(`https://evil.example/x`)"),
        ("`` ` `` [x](https://evil.example/)", "`` ` `` x"),
        ("` stray https://evil.example/x", "ˋ stray `https://evil.example/x`"),
        ("`a`https://evil.example/`b`", f"`a`{WORD_JOINER}`https://evil.example/`{WORD_JOINER}`b`"),
        ("[a `b` c](https://evil.example/)", "a `b` c"),
        ("`a\n\n[x](https://evil.example/)`", "`a\n\nx`"),
        ("- one\n\n  ~~~\n  [x](y)\n  ~~~\n- [x](https://evil.example/)", "- one\n\n  ~~~\n  [x](y)\n  ~~~\n- x"),
        ("> [b]: https://evil.example/x", f"> [b]{WORD_JOINER}: `https://evil.example/x`"),
        ("| `a | b` |\n|---|---|\n| `[x](y) | z` |", "| `a | b` |\n|---|---|\n| `x | z` |"),
        ("请访问https://evil.example/x。谢谢", "请访问`https://evil.example/x`。谢谢"),
        (
            "evil.com/login or bob@evil.com, not handbook.md or 3.5",
            "`evil.com/login` or `bob@evil.com`, not handbook.md or 3.5",
        ),
    ],
)
def test_code_is_what_markdown_takes_for_code_and_all_else_is_disarmed(markdown: str, shown: str) -> None:
    assert disarm(markdown) == shown


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
