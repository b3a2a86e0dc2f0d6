"""The local workspace and the bot as processes of their own, driven as people and faults would."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

BOT_USER = "U0FOOTNOTE"
_TOKENS = {"SLACK_BOT_TOKEN": "xoxb-local", "SLACK_APP_TOKEN": "xapp-local"}
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")
_STARTS_WITHIN_S = 120
_STOPS_WITHIN_S = 60
_LOOK_EVERY_S = 0.1
_HANDBOOK = """# Handbook

## Annual leave

Full-time employees have 26 days of paid annual leave per calendar year. Part-time employees have 13 days.

## Lockers

The locker deposit is 300 euros and is paid back when you return the key.

## Canteen

The canteen serves lunch from 11:30 to 13:45. On Fridays it closes at 13:00.

## Parking

A parking permit costs 40 euros a month and is issued by the front desk.
"""


class LocalSlack:
    """The control API of a running workspace. Safe to use from several threads."""

    def __init__(self, url: str) -> None:
        self.api_url = f"{url}/api/"
        self._url = url

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """What a person does or a test orders. Raises requests.HTTPError when it is refused."""
        return self._answer(requests.post(f"{self._url}/control/{path}", json=body, timeout=30))

    def get(self, path: str, **query: str) -> dict[str, Any]:
        """What the workspace shows."""
        return self._answer(requests.get(f"{self._url}/control/{path}", params=query, timeout=30))

    def fault(self, kind: str, **fields: Any) -> None:
        """Order a fault."""
        self.post("faults", kind=kind, **fields)

    def say(self, channel: str, user: str, text: str, thread: str | None = None) -> str:
        """Post as a person; the message's timestamp."""
        ts: str = self.post(
            "messages", channel=channel, user=user, text=text, **({"thread_ts": thread} if thread else {})
        )["ts"]
        return ts

    def is_acknowledged(self, user: str, channel: str = "C0GENERAL") -> bool:
        """Whether the bot acknowledges a command in time."""
        answer = self.post("commands", channel=channel, user=user, command="/kb", text="help")
        return answer["ack"] is not None

    def threads(self, channel: str) -> dict[str, tuple[list[str], list[str]]]:
        """By thread: what people said, and what the bot replied for all to see."""
        found: dict[str, tuple[list[str], list[str]]] = {}
        for message in self.get("messages", channel=channel)["messages"]:
            if not message.get("ephemeral_to") and not message.get("subtype"):
                said, replied = found.setdefault(message["thread_ts"] or message["ts"], ([], []))
                (replied if message["bot_id"] else said).append(message["plain"])
        return found

    @staticmethod
    def _answer(response: requests.Response) -> dict[str, Any]:
        response.raise_for_status()
        answer: dict[str, Any] = response.json()
        return answer


@dataclass
class BotProcess:
    """`footnote run` on the workspace, which can be killed and started again on the same data."""

    slack: LocalSlack
    data_dir: Path
    kills: int = 0
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it and wait until it is connected. Raises RuntimeError when it does not come up."""
        with self._log().open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bot", "run"],
                env=environment(self.data_dir, self.slack.api_url),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith("Connected to"):
                return
        raise RuntimeError(f"the bot did not start; {self._log()} says why")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process:
            self._process.kill()
            self._end()
            self.kills += 1

    def stop(self) -> int:
        """End it as a supervisor would; its exit code."""
        if not self._process:
            return 0
        self._process.send_signal(signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        assert self._process
        code = self._process.wait(_STOPS_WITHIN_S)
        if self._process.stdout:
            self._process.stdout.close()
        self._process = None
        return code

    def _log(self) -> Path:
        return self.data_dir / "bot.log"


def environment(data_dir: Path, api_url: str = "") -> dict[str, str]:
    """The environment of a bot on the local workspace. The Slack client would send local addresses to a proxy too."""
    kept = {name: value for name, value in os.environ.items() if name.lower() not in _PROXIES}
    return {**kept, **_TOKENS, "DATA_DIR": str(data_dir), "SLACK_API_URL": api_url, "ADMIN_USERS": ""}


def take_in_handbook(data_dir: Path) -> None:
    """A document to answer from."""
    handbook = data_dir / "handbook.md"
    handbook.write_text(_HANDBOOK, "utf-8")
    command = [sys.executable, "-m", "bot", "ingest", str(handbook)]
    subprocess.run(command, env=environment(data_dir), check=True, capture_output=True, timeout=_STARTS_WITHIN_S)


@contextlib.contextmanager
def running_slack() -> Iterator[LocalSlack]:
    """A workspace on a free port, which ends with this process at the latest."""
    command = [sys.executable, "-m", "workspace", "--port", "0", "--until-stdin-closes"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = process.stdout.readline()
        try:
            yield LocalSlack(said[said.index("http://") :].strip())
        finally:
            process.terminate()


def wait_until(look: Callable[[], bool], within_s: float) -> bool:
    """Whether it became true in time."""
    end = time.monotonic() + within_s
    while not look():
        if time.monotonic() > end:
            return False
        time.sleep(_LOOK_EVERY_S)
    return True
