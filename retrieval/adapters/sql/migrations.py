"""A database of any age, or an empty one, to the tables of this version of the code."""

import logging
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from retrieval import text
from retrieval.adapters.sql.database import Database
from retrieval.adapters.sql.schema import metadata, state
from retrieval.adapters.sql.terms import count_terms_again
from retrieval.errors import ConfigurationError, ServiceUnavailable

log = logging.getLogger(__name__)

Step = Callable[[Connection], None]


def _keep_replies_and_feedback(connection: Connection) -> None:
    """Attempts at a message, replies that are being posted, and what people think of them."""
    connection.execute(sa.text("ALTER TABLE messages ADD COLUMN attempts INTEGER DEFAULT 0 NOT NULL"))
    connection.execute(
        sa.text(
            "CREATE TABLE outbox (channel TEXT NOT NULL, ts TEXT NOT NULL, reply JSON NOT NULL,"
            " PRIMARY KEY (channel, ts))"
        )
    )
    connection.execute(
        sa.text(
            "CREATE TABLE feedback (channel TEXT NOT NULL, ts TEXT NOT NULL, person TEXT NOT NULL,"
            " value TEXT NOT NULL, given_at TIMESTAMP WITH TIME ZONE NOT NULL, PRIMARY KEY (channel, ts, person))"
        )
    )


def _keep_vectors_of_several_models(connection: Connection) -> None:
    """Which versions have vectors of which model: until now each of the one that it was taken in with."""
    connection.execute(
        sa.text(
            "CREATE TABLE embedded_versions (model_id BIGINT NOT NULL REFERENCES embedding_models (id),"
            " version_id BIGINT NOT NULL REFERENCES versions (id), generation BIGINT NOT NULL,"
            " PRIMARY KEY (model_id, version_id))"
        )
    )
    connection.execute(sa.text("CREATE INDEX embedded_since ON embedded_versions (model_id, generation)"))
    connection.execute(
        sa.text(
            "INSERT INTO embedded_versions SELECT embedding_models.id, versions.id, versions.added_generation"
            " FROM versions JOIN embedding_models ON embedding_models.name = versions.embedding_model"
        )
    )


def _keep_an_audit(connection: Connection) -> None:
    """What became of each question; what got no answer, and what a person should look at."""
    counted = (
        "BIGSERIAL PRIMARY KEY"
        if connection.dialect.name == "postgresql"
        else "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"
    )
    moment = "TIMESTAMP WITH TIME ZONE"
    for statement in (
        f"CREATE TABLE audit (id {counted}, channel TEXT NOT NULL, message TEXT NOT NULL, asker TEXT NOT NULL,"
        f" asked_at {moment} NOT NULL, record JSON NOT NULL, UNIQUE (channel, message))",
        "CREATE INDEX ix_audit_asker ON audit (asker)",
        "CREATE INDEX ix_audit_asked_at ON audit (asked_at)",
        "CREATE TABLE audit_gaps (audit_id BIGINT NOT NULL REFERENCES audit (id), key TEXT NOT NULL,"
        " question TEXT NOT NULL, PRIMARY KEY (audit_id, key))",
        "CREATE INDEX ix_audit_gaps_key ON audit_gaps (key)",
        f"CREATE TABLE audit_reviews (id {counted}, audit_id BIGINT NOT NULL REFERENCES audit (id),"
        f" position INTEGER NOT NULL, verdict TEXT, decided_by TEXT, decided_at {moment})",
        "CREATE INDEX ix_audit_reviews_audit_id ON audit_reviews (audit_id)",
    ):
        connection.execute(sa.text(statement))


def _keep_places_owners_and_floors(connection: Connection) -> None:
    """What page numbers count, how surely a text was read, who answers for a document, when it was deleted; and how
    relevant a passage must be by each reranker."""
    moment = "TIMESTAMP WITH TIME ZONE"
    for statement in (
        "ALTER TABLE versions ADD COLUMN page_unit TEXT DEFAULT 'page' NOT NULL",
        "ALTER TABLE versions ADD COLUMN owner TEXT",
        f"ALTER TABLE versions ADD COLUMN removed_at {moment}",
        "ALTER TABLE chunks ADD COLUMN confidence FLOAT",
        "CREATE TABLE floors (reranker TEXT NOT NULL, rerank_query TEXT NOT NULL, floor FLOAT NOT NULL,"
        f" questions INTEGER NOT NULL, calibrated_at {moment} NOT NULL, PRIMARY KEY (reranker, rerank_query))",
    ):
        connection.execute(sa.text(statement))


def _let_deletions_expire(connection: Connection) -> None:
    """The time in which they can be taken back starts now for those made before it was kept. The index finds the
    vectors of the chunks that go."""
    connection.execute(
        sa.text(
            "UPDATE versions SET removed_at = CURRENT_TIMESTAMP"
            " WHERE removed_generation IS NOT NULL AND removed_at IS NULL"
        )
    )
    connection.execute(sa.text("CREATE INDEX ix_embeddings_number ON embeddings (number)"))


STEPS: tuple[Step, ...] = (
    _keep_replies_and_feedback,
    _keep_vectors_of_several_models,
    _keep_an_audit,
    _keep_places_owners_and_floors,
    _let_deletions_expire,
)
"""What leads from one schema version to the next: STEPS[0] from 1 to 2, and so on. Only ever add at the end,
beside the same change in `schema`, from which an empty database is made."""

_LOCK = 7_166_012
"""Any number that no other program takes PostgreSQL's advisory lock with."""


def prepare(database: Database, steps: Sequence[Step] = STEPS) -> None:
    """Creates or upgrades the tables, all or nothing. Raises ConfigurationError for a database that is newer
    than the code, cannot be opened or is not ours."""
    try:
        with database.writing() as connection:
            _upgrade(connection, database, steps)
    except ServiceUnavailable as error:
        raise ConfigurationError(f"{error}. Check DATA_DIR and DATABASE_URL.") from error


def _upgrade(connection: Connection, database: Database, steps: Sequence[Step]) -> None:
    if not database.is_sqlite:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    newest = 1 + len(steps)
    if not sa.inspect(connection).has_table(state.name):
        metadata.create_all(connection)
        connection.execute(state.insert().values(id=1, schema_version=newest, generation=0, terms_scheme=text.SCHEME))
        return
    found = connection.execute(sa.select(state.c.schema_version)).scalar_one()
    _refuse_newer(database, "schema version", found, newest)
    for step in steps[found - 1 :]:
        log.info("upgrading the store: %s", step.__name__)
        step(connection)
    connection.execute(state.update().values(schema_version=newest))
    _upgrade_terms(connection, database)


def _upgrade_terms(connection: Connection, database: Database) -> None:
    found = connection.execute(sa.select(state.c.terms_scheme)).scalar_one()
    _refuse_newer(database, "keyword scheme", found, text.SCHEME)
    if found < text.SCHEME:
        log.info("the way text is cut into keywords has changed: counting keywords again")
        count_terms_again(connection)
        connection.execute(state.update().values(terms_scheme=text.SCHEME))


def _refuse_newer(database: Database, what: str, found: int, known: int) -> None:
    if found > known:
        raise ConfigurationError(
            f"The store {database.name} was written by a newer Footnote ({what} {found}, this one knows "
            f"{known}). Install that version, or point DATA_DIR or DATABASE_URL elsewhere."
        )
