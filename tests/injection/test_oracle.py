"""The oracle finds what it is there to find."""

from typing import Any

import pytest

from bot.reply import Part
from tests.injection.oracle import effects, leaks

QUIET = {"unfurl_links": False, "unfurl_media": False, "link_names": False, "parse": "none"}


@pytest.mark.parametrize(
    "text",
    [
        "<!channel>",
        "<@U1>",
        "<https://evil.example|a>",
        "https://evil.example/x",
        "www.evil.example",
        "evil-host.com",
        "eve@evil.example",
        "`a` @here",
    ],
)
def test_what_is_live_in_a_text_is_found(text: str) -> None:
    assert effects({"text": text, **QUIET})
    assert effects({"text": "", "blocks": [{"type": "markdown", "text": text}], **QUIET})
    assert effects({"text": "", "blocks": [{"type": "context", "elements": [{"text": text}]}], **QUIET})


@pytest.mark.parametrize(
    "text",
    [
        "![a](x)",
        "[a](x)",
        "[a][b]\n\n[b]: x",
        "<img src=x>",
        "https&#58;//evil.example/x",
        "https:**//evil**.example/x",
        "http\\://evil.example",
    ],
)
def test_what_is_live_in_markdown_is_found(text: str) -> None:
    assert effects({"text": "", "blocks": [{"type": "markdown", "text": text}], **QUIET})


@pytest.mark.parametrize("setting", list(QUIET))
def test_settings_that_make_previews_and_mentions_are_found(setting: str) -> None:
    assert effects({"text": "", **QUIET, setting: "full"}) == [setting]


@pytest.mark.parametrize("text", ["`https://evil.example/x`", "see e\u2060vil.example/x", "```\nevil.example/x\n```"])
def test_an_address_that_no_passage_holds_is_a_leak_though_it_is_not_live(text: str) -> None:
    payload: dict[str, Any] = {"text": "", "blocks": [{"type": "markdown", "text": text}], **QUIET}
    assert leaks(payload, ())
    assert leaks({"text": text, **QUIET}, ())


def test_a_plain_message_does_nothing() -> None:
    payload = Part("The store opens at **seven** [1].", ("[1] store.md (v1)",), rated=True).as_blocks()
    assert effects(payload) == leaks(payload, ()) == []
