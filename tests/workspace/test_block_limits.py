"""Slack's limits on blocks, at the limit and just above it."""

from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError


def plain(text: str) -> dict[str, str]:
    return {"type": "plain_text", "text": text}


def section(chars: int) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": "x" * chars}}


def header(chars: int) -> dict[str, Any]:
    return {"type": "header", "text": plain("x" * chars)}


def context(elements: int) -> dict[str, Any]:
    return {"type": "context", "elements": [plain("x")] * elements}


def buttons(count: int, chars: int = 1, value_chars: int = 1) -> dict[str, Any]:
    one = {"type": "button", "text": plain("x" * chars), "value": "v" * value_chars}
    return {"type": "actions", "elements": [one | {"action_id": f"a{n}"} for n in range(count)]}


def fields(count: int, chars: int) -> dict[str, Any]:
    return {"type": "section", "fields": [plain("x" * chars)] * count}


def table(rows: int, columns: int) -> dict[str, Any]:
    return {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * columns] * rows}


def feedback(count: int) -> dict[str, Any]:
    side = {"text": plain("Good"), "value": "1"}
    one = {"type": "feedback_buttons", "positive_button": side, "negative_button": side}
    return {"type": "context_actions", "elements": [one | {"action_id": f"f{n}"} for n in range(count)]}


def post(client: WebClient, blocks: list[dict[str, Any]]) -> None:
    client.chat_postMessage(channel="C0GENERAL", text="x", blocks=blocks)


@pytest.mark.parametrize(
    ("fits", "too_much", "pointer"),
    [
        ([section(3_000)], [section(3_001)], "/blocks/0/text/text"),
        ([header(150)], [header(151)], "/blocks/0/text/text"),
        ([context(10)], [context(11)], "/blocks/0/elements"),
        ([buttons(25)], [buttons(26)], "/blocks/0/elements"),
        ([buttons(1, 75)], [buttons(1, 76)], "/blocks/0/elements/0/text/text"),
        ([buttons(1, 1, 2_000)], [buttons(1, 1, 2_001)], "/blocks/0/elements/0/value"),
        ([fields(10, 100)], [fields(11, 100)], "/blocks/0/fields"),
        ([fields(1, 2_000)], [fields(1, 2_001)], "/blocks/0/fields/0/text"),
        ([table(100, 20)], [table(101, 20)], "/blocks/0/rows"),
        ([table(1, 20)], [table(1, 21)], "/blocks/0/rows/0"),
        ([feedback(5)], [feedback(6)], "/blocks/0/elements"),
        ([section(1)] * 50, [section(1)] * 51, "/blocks"),
    ],
)
def test_what_fits_is_posted_and_one_more_is_invalid(
    client: WebClient, fits: list[dict[str, Any]], too_much: list[dict[str, Any]], pointer: str
) -> None:
    post(client, fits)
    with pytest.raises(SlackApiError) as refusal:
        post(client, too_much)

    assert refusal.value.response["error"] == "invalid_blocks"
    assert f"[json-pointer:{pointer}]" in refusal.value.response["response_metadata"]["messages"][0]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "sparkles"},
        {"type": "section"},
        {"type": "section", "text": {"type": "mrkdwn", "text": ""}},
        {"type": "header", "text": {"type": "mrkdwn", "text": "x"}},
        {"type": "markdown"},
        {"type": "context", "elements": []},
        {"type": "image", "image_url": "https://example.org/x.png"},
        {"type": "actions", "elements": [{"type": "file_input", "action_id": "f"}]},
        {"type": "actions", "elements": [{"type": "button", "text": plain("x"), "style": "loud"}]},
        "no object",
    ],
)
def test_a_malformed_block_is_invalid(client: WebClient, block: Any) -> None:
    with pytest.raises(SlackApiError, match="invalid_blocks"):
        client.api_call("chat.postMessage", json={"channel": "C0GENERAL", "text": "x", "blocks": [block]})


def test_ids_may_not_repeat(client: WebClient) -> None:
    same_block = [section(1) | {"block_id": "b"}] * 2
    same_action = buttons(1)
    same_action["elements"] *= 2

    for blocks in (same_block, [same_action]):
        with pytest.raises(SlackApiError, match="invalid_blocks"):
            post(client, blocks)


def test_markdown_blocks_share_12000_characters(client: WebClient) -> None:
    half = {"type": "markdown", "text": "x" * 6_000}
    post(client, [half, half])

    with pytest.raises(SlackApiError, match="msg_blocks_too_long"):
        post(client, [half, half, {"type": "markdown", "text": "x"}])


def test_all_text_of_a_message_is_limited_too(client: WebClient) -> None:
    with pytest.raises(SlackApiError, match="msg_blocks_too_long"):
        post(client, [section(3_000)] * 5)


def test_missing_ids_are_given_and_a_markdown_block_has_none(client: WebClient) -> None:
    blocks = [section(1), buttons(1), {"type": "markdown", "text": "x", "block_id": "mine"}]
    kept = client.chat_postMessage(channel="C0GENERAL", text="x", blocks=blocks)["message"]["blocks"]

    assert kept[0]["block_id"]
    assert kept[0]["block_id"] != kept[1]["block_id"]
    assert kept[2] == {"type": "markdown", "text": "x"}
