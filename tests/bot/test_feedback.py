"""Under each answer stand two buttons; pressing one is kept and answered in private."""

from pathlib import Path
from typing import Any

from tests.bot.scripted import Scripted, running_bot
from tests.running_workspace import running_workspace, wait_for


def press(scripted: Scripted, user: str, message: dict[str, Any], value: str) -> None:
    body = {"channel": "C0HR", "user": user, "ts": message["ts"], "action_id": "feedback", "value": value}
    assert scripted.workspace.control("actions", body)["ack"] == {}


def told(scripted: Scripted, user: str, thread: str) -> list[str]:
    shown = scripted.workspace.messages("C0HR", thread)
    return [m["plain"] for m in shown if m.get("ephemeral_to") == user]


def test_feedback_is_kept_with_who_gave_it_on_what_and_answered_to_them_alone(scripted: Scripted) -> None:
    ts = scripted.say("C0HR", "U0ALICE", "@footnote how long is the lunch break?")
    reply = scripted.workspace.wait_for_reply("C0HR", ts)

    press(scripted, "U0BOB", reply, "good")
    wait_for(lambda: told(scripted, "U0BOB", ts))
    press(scripted, "U0BOB", reply, "bad")
    wait_for(lambda: len(told(scripted, "U0BOB", ts)) == 2)

    kept = [(f.channel, f.ts, f.person, f.value) for f in scripted.deliveries.ratings()]
    assert kept == [("C0HR", reply["ts"], "U0BOB", "bad")]
    assert all(text.startswith("Thanks") for text in told(scripted, "U0BOB", ts))


def test_an_apology_has_no_buttons(scripted: Scripted) -> None:
    reply = scripted.reply("D0ALICE", "U0ALICE", "boom goes the answer")

    assert [block["type"] for block in reply["blocks"]] == ["markdown"]


def test_the_home_tab_says_what_the_bot_is_for(tmp_path: Path) -> None:
    with running_workspace() as workspace, running_bot(workspace, tmp_path):
        workspace.control("home", {"user": "U0ALICE"})

        view: dict[str, Any] = wait_for(lambda: workspace.control("home", query={"user": "U0ALICE"})["view"])

        assert view["type"] == "home"
        assert "mention me in a channel" in str(view["blocks"])
