"""The trial under stress is repeatable, covers every fault, and tells lost and doubled replies apart."""

import pytest
from slack_sdk import WebClient

from evals.stress.local_slack import LocalSlack
from evals.stress.soak import counted
from evals.stress.storm import storm
from tests.command_line import footnote
from tests.running_workspace import BOT_TOKEN, running_workspace


def test_a_storm_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    assert storm(120, 1) == storm(120, 1)
    assert storm(120, 1) != storm(120, 2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_storm_of_two_minutes_holds_everything_that_can_go_wrong(seed: int) -> None:
    strikes = storm(120, seed)

    assert [strike.kind for strike in strikes].count("kill") == 5
    assert {"duplicate", "late", "error", "ratelimit"} <= {strike.kind for strike in strikes}
    assert {"drop", "half_open", "disconnect"} & {strike.kind for strike in strikes}
    assert any(strike.fields.get("after") for strike in strikes)
    assert all(0 <= strike.at_s <= 120 for strike in strikes)
    assert max(strike.fields["seconds"] for strike in strikes if strike.kind == "late") <= 1200


def test_messages_without_a_reply_and_replies_too_many_are_told_apart() -> None:
    with running_workspace() as workspace:
        client = WebClient(BOT_TOKEN, workspace.api_url)
        asked = [workspace.say("C0GENERAL", "U0ALICE", f"question {n}") for n in range(3)]
        for ts in (asked[0], asked[1], asked[1]):
            client.chat_postMessage(channel="C0GENERAL", thread_ts=ts, text="answer")

        found = counted(LocalSlack(workspace.url), ["C0GENERAL"])

        assert (found.without_reply, found.too_many) == (1, 1)
        assert [asked[1] in miss or asked[2] in miss for miss in found.misses] == [True, True]


def test_a_measurement_on_data_asks_for_its_folder() -> None:
    done = footnote("eval", "retrieval")

    assert done.code == 2
    assert "--data" in done.err
