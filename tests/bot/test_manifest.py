"""The manifest asks for what the bot uses, and no more."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import yaml  # type: ignore[import-untyped]  # its stubs would be one more dependency for one test

from tests.command_line import footnote

ROOT = Path(__file__).resolve().parents[2]


def test_the_manifest_printed_is_the_one_in_the_repository_with_a_link_that_carries_it() -> None:
    printed = footnote("manifest")
    text = (ROOT / "manifest.yaml").read_text("utf-8")

    assert printed.code == 0
    assert printed.out.startswith(text)
    link = printed.out.split()[-1]
    query = parse_qs(urlsplit(link).query)
    assert link.startswith("https://api.slack.com/apps?")
    assert query["new_app"] == ["1"]
    assert query["manifest_yaml"] == [text]


def test_the_manifest_is_one_that_slack_takes() -> None:
    manifest = yaml.safe_load((ROOT / "manifest.yaml").read_text("utf-8"))

    assert len(manifest["display_information"]["name"]) <= 35
    assert len(manifest["display_information"]["description"]) <= 140
    assert manifest["settings"]["socket_mode_enabled"] is True
    assert manifest["features"]["slash_commands"][0]["command"] == "/kb"
    events = set(manifest["settings"]["event_subscriptions"]["bot_events"])
    scopes = set(manifest["oauth_config"]["scopes"]["bot"])
    assert events == {"app_home_opened", "app_mention", "message.channels", "message.groups", "message.im"}
    assert {"app_mentions:read", "channels:history", "groups:history", "im:history"} <= scopes
    assert {"chat:write", "commands", "files:read", "im:write", "usergroups:read", "users:read"} <= scopes
    (shortcut,) = manifest["features"]["shortcuts"]
    assert shortcut["type"] == "message"
    assert len(shortcut["name"]) <= 24
    assert len(shortcut["description"]) <= 150
    assert not any(scope.startswith("admin") or scope == "chat:write.public" for scope in scopes)
