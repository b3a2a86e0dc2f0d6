"""`python -m workspace`: a local Slack until it is interrupted."""

import argparse
import asyncio
import os
import signal
import sys

from workspace.server import start
from workspace.settings import Settings

_PORT_MOST = 65_535


def main() -> int:
    """0 after a clean stop, 2 when the port cannot be had."""
    arguments = _arguments()
    shortcuts = dict(arguments.shortcut)
    settings = Settings(hints=arguments.hint, shortcuts=shortcuts, events=arguments.event)
    try:
        asyncio.run(_serve(arguments.host, arguments.port, settings, until_stdin_closes=arguments.until_stdin_closes))
    except OSError as error:
        place = f"{arguments.host}:{arguments.port}"
        reason = os.strerror(error.errno) if error.errno else str(error)
        sys.stderr.write(f"workspace cannot listen on {place}: {reason}\n")
        return 2
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="workspace", description="A local Slack for trying and testing an app.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=3939, help="port, 0 for any free one (default: %(default)s)")
    parser.add_argument(
        "--hint",
        action="append",
        default=[],
        metavar="TEXT",
        help="an example the page offers; may be repeated",
    )
    parser.add_argument(
        "--shortcut",
        action="append",
        default=[],
        type=_shortcut,
        metavar="ID=NAME",
        help="a message shortcut of the app, as its callback id and its name; may be repeated",
    )
    parser.add_argument(
        "--event",
        action="append",
        default=[],
        metavar="TYPE",
        help="an event type the app subscribed to; may be repeated (default: every type)",
    )
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help="stop as well when standard input ends, which it does when the process that started this one dies",
    )
    return parser.parse_args()


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > _PORT_MOST:
        raise argparse.ArgumentTypeError(f"{text} is no port: give a number from 0 to {_PORT_MOST}")
    return int(text)


def _shortcut(text: str) -> tuple[str, str]:
    callback_id, equals, name = text.partition("=")
    if not (callback_id and equals and name):
        raise argparse.ArgumentTypeError(f"{text} is no shortcut: give its callback id and name as ID=NAME")
    return callback_id, name


def _stop_at_end(stopped: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 1024):
        stopped.set()


async def _serve(host: str, port: int, settings: Settings, *, until_stdin_closes: bool) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    if until_stdin_closes:
        loop.add_reader(sys.stdin, _stop_at_end, stopped)
    server = await start(host, port, settings)
    sys.stdout.write(f"workspace listening on {server.url}\n")
    sys.stdout.flush()
    await stopped.wait()
    await server.stop()


if __name__ == "__main__":
    sys.exit(main())
