"""A data directory to the right to run a bot on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from retrieval.errors import ConfigurationError

BOT_LOCK = "bot.lock"


@contextmanager
def only_bot_on(data_dir: Path) -> Iterator[None]:
    """Keeps every other bot off the data directory; two on one store would answer each other's messages.

    To be entered before the models are loaded, which takes long. Raises ConfigurationError when another bot runs
    there, or the directory cannot be written.
    """
    lock = FileLock(data_dir / BOT_LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ConfigurationError(
            f"DATA_DIR: another bot already runs on {data_dir}; stop it, or give this one a directory of its own"
        ) from None
    except OSError as error:
        raise ConfigurationError(
            f"DATA_DIR: {data_dir} cannot be written ({error.strerror}); name a folder that you own"
        ) from None
    try:
        yield
    finally:
        lock.release()
