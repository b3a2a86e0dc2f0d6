"""A URL to transactions, with the database's own errors turned into ours."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine import URL, Connection, Engine, make_url

from retrieval.errors import ConfigurationError, ServiceUnavailable

_BUSY_TIMEOUT_MS = 60_000
_POOL: dict[str, Any] = {"pool_size": 20, "max_overflow": 30}  # more than the bot has threads
_BATCH = 5_000
Item = TypeVar("Item")


def batches(items: Sequence[Item], size: int = _BATCH) -> Iterator[Sequence[Item]]:
    """Slices small enough for the number of parameters that databases accept in one statement."""
    return (items[start : start + size] for start in range(0, len(items), size))


class Database:
    """Hands out transactions: `reading` sees one moment of the store, `writing` is one at a time in SQLite."""

    def __init__(self, url: str) -> None:
        self._url = _checked(url)
        self.engine = _engine(self._url)
        isolation = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._readers = self.engine.execution_options(**isolation)
        self._writers = self.engine.execution_options(writing=True)

    @property
    def is_sqlite(self) -> bool:
        return self._url.get_backend_name() == "sqlite"

    @property
    def name(self) -> str:
        """The URL without its password."""
        return self._url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._translated(), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self._translated(), self._writers.begin() as connection:
            yield connection

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (exc.IntegrityError, exc.ProgrammingError, exc.DataError, exc.NotSupportedError):
            raise  # faults of ours
        except exc.DBAPIError as error:
            raise ServiceUnavailable(f"The store {self.name} does not answer: {error.orig}") from error
        except exc.TimeoutError as error:
            raise ServiceUnavailable(f"The store {self.name} is too busy: no free connection") from error


def _checked(url: str) -> URL:
    try:
        parsed = make_url(url)
    except exc.ArgumentError:
        raise ConfigurationError("DATABASE_URL: not a database URL like sqlite:///data/footnote.db") from None
    backend = parsed.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise ConfigurationError(f"DATABASE_URL: {backend} is not supported; use sqlite or postgresql")
    if backend == "sqlite":
        _make_room(parsed.database)
    return parsed


def _make_room(file: str | None) -> None:
    if file in (None, "", ":memory:"):
        raise ConfigurationError("DATABASE_URL: SQLite needs a file, which the bot and the command line share")
    folder = Path(str(file)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"DATABASE_URL: {folder} cannot be used for the store: {error.strerror}") from None


def _engine(url: URL) -> Engine:
    try:
        if url.get_backend_name() != "sqlite":
            return sa.create_engine(url, hide_parameters=True, pool_pre_ping=True, **_POOL)
        waiting = {"timeout": _BUSY_TIMEOUT_MS / 1000}
        engine = sa.create_engine(url, hide_parameters=True, connect_args=waiting, **_POOL)
    except (ModuleNotFoundError, exc.NoSuchModuleError) as error:
        raise ConfigurationError(f"DATABASE_URL: the driver for {url.drivername} is missing: {error}") from None
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say, not before the first INSERT
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA journal_mode = WAL")  # readers go on while one writes; the file remembers it


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its turn at the start: one that reads first and then writes can fail without waiting."""
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
