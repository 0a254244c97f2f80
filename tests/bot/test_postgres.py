"""PostgreSQL's own: its tables, what its keeper is told, and a database that goes away while people play."""

from __future__ import annotations

import asyncio
import itertools
import logging
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event, text

from bot.store import migration, schema
from bot.store import postgres as postgresql
from bot.store.doctor import examine
from bot.store.engine import database_url
from bot.store.errors import Lost, StoreError
from bot.table import desk as desk_module
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import StartDemo
from bot.table.session.models import DamageModel
from tests.bot.house import House, told_at_every_door
from tests.bot.tables import ELSEWHERE, Table, contents, opened, url_of
from tests.postgres import Postgres, connected


@pytest.fixture
def file(elsewhere: Path) -> Path:
    return elsewhere


async def test_two_that_start_at_once_migrate_once(postgres: Postgres) -> None:
    url = postgres.database()
    done = await asyncio.gather(*(migration.migrate(url) for _ in range(3)))
    assert {one.after for one in done} == {schema.head()}
    assert (await examine(url)).faults == ()
    assert await migration.revision_of(url) == schema.head()
    postgres.drop(url)


@pytest.mark.parametrize(
    "change", ["ALTER TABLE panels ADD more text", "UPDATE alembic_version SET version_num = '9999'"]
)
async def test_what_tests_lend_one_another_is_as_new(postgres: Postgres, tmp_path: Path, change: str) -> None:
    url = postgres.lent()
    file = tmp_path / f"lent{ELSEWHERE}"
    file.write_text(url.render_as_string(hide_password=False))
    new = contents(file)
    async with opened(file) as table:
        first = (await table.done("anna", StartDemo("counterblast"))).scope
    assert contents(file) != new
    postgres.take_back(url)
    assert postgres.lent() == url
    assert contents(file) == new
    async with opened(file) as table:
        assert (await table.done("anna", StartDemo("counterblast"))).scope == first
    with connected(url) as connection:
        connection.execute(change)
    postgres.take_back(url)
    assert postgres.lent() != url


async def test_the_doctor_sees_tables_that_are_laid_out_otherwise(postgres: Postgres, file: Path) -> None:
    engine = migration.make_engines(url_of(file))[0]
    await engine.run(lambda connection: connection.execute(text("ALTER TABLE panels ADD more text")))
    await engine.close()
    assert (await examine(url_of(file))).faults == (
        "The database is damaged: the table panels does not have the layout that this version expects.",
    )


async def test_its_keeper_is_told_what_is_wrong(postgres: Postgres, file: Path) -> None:
    async def told(text: str) -> str:
        with pytest.raises(StoreError) as refusal:
            await migration.migrate(database_url(text))
        return str(refusal.value)

    said = await told("postgresql://someone:secret@127.0.0.1:1/adjutant")
    assert said == "The database at 127.0.0.1 can't be reached. Is it running, and is the URL right?"
    here = url_of(file)
    missing = here.set(database="nowhere").render_as_string(hide_password=False)
    assert "there is no database called nowhere" in await told(missing)
    stranger = here.set(username="stranger", password="secret").render_as_string(hide_password=False)
    assert "doesn't accept the user" in (said := await told(stranger))
    assert "secret" not in said


async def test_a_database_of_another_program_or_a_newer_version_is_refused(
    postgres: Postgres, file: Path
) -> None:
    url = postgres.database()
    writer, _ = migration.make_engines(url)
    await writer.run(lambda connection: connection.execute(text("CREATE TABLE cookies (id int)")))
    with pytest.raises(StoreError, match="another program"):
        await migration.migrate(url)
    await writer.close()
    writer, _ = migration.make_engines(url_of(file))
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    await writer.run(lambda connection: connection.execute(newer))
    await writer.close()
    with pytest.raises(StoreError, match="newer version"):
        await migration.migrate(url_of(file))
    postgres.drop(url)


# ------------------------------------------------------------------------------------ going away


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a database that went away."""
    monkeypatch.setattr(desk_module, "LOST_PAUSES", (0.01, 0.05, 0.2))


def journal(file: Path) -> list[int]:
    return sorted(int(str(row[8])) for row in contents(file, "journal")["journal"])


@pytest.mark.parametrize("known", [True, False])
async def test_no_connection_is_lent_that_was_cut_while_it_rested(
    table: Table, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    """Whether the end of it has reached this process, or only who asks the server finds out."""
    await table.done("anna", StartDemo())
    monkeypatch.setattr(postgresql, "RESTED_SECONDS", math.inf if known else -1.0)
    reader = table.desk.store._as_reader
    async with reader.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
    postgres.cut(url_of(table.file))
    while known and not driver.is_closed():  # noqa: ASYNC110  the driver tells nobody
        await asyncio.sleep(0.01)
    for _ in range(3):
        async with reader.connect() as connection:
            assert (await connection.execute(text("SELECT 1"))).scalar() == 1


@pytest.mark.usefixtures("quick")
async def test_play_goes_on_where_connections_are_cut_again_and_again(
    table: Table, postgres: Postgres
) -> None:
    await table.done("anna", StartDemo())
    url = url_of(table.file)

    async def cut() -> None:
        for _ in range(10):
            await asyncio.sleep(0.02)
            await asyncio.to_thread(postgres.cut, url)

    cutting = asyncio.create_task(cut())
    damage = DamageModel("Smap", 1)
    answers = [await table.do("anna", damage, interaction=20_000 + number) for number in range(60)]
    await cutting
    told = [20_000 + place for place, answer in enumerate(answers) if answer.changed]
    assert len(told) >= 50
    assert journal(table.file)[1:] == told
    assert (await examine(url)).faults == ()
    assert (await table.encounter()).find_model("Smap").damage == len(told)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("moment", ["before the commit", "after the commit"])
async def test_a_connection_that_is_cut_at_a_commit_loses_and_doubles_nothing(
    table: Table, postgres: Postgres, moment: str
) -> None:
    await table.done("anna", StartDemo())
    store = table.desk.store
    left = itertools.count()

    def cut_once(*_: object) -> None:
        if next(left) == 0:
            postgres.cut(url_of(table.file))

    engine = store._writer.engine
    if moment == "before the commit":
        event.listen(engine, "commit", cut_once)
    else:
        _after_commit(engine.dialect, cut_once)
    answer = await table.do("anna", Roll("4d10"), interaction=77)
    assert (answer.changed, answer.repeated) == (True, False)
    assert journal(table.file).count(77) == 1
    again = await table.do("anna", Roll("4d10"), interaction=77)
    assert (again.repeated, again.reply) == (True, answer.reply)
    assert (await examine(url_of(table.file))).faults == ()


def _after_commit(dialect: object, then: Callable[[], None]) -> None:
    """What comes after a commit that the server has made and nobody here has heard of."""
    real = dialect.do_commit  # type: ignore[attr-defined]

    def commit(connection: object) -> None:
        real(connection)
        then()
        raise ConnectionResetError("cut")

    def commit_once(connection: object) -> None:
        dialect.do_commit = real  # type: ignore[attr-defined]
        commit(connection)

    dialect.do_commit = commit_once  # type: ignore[attr-defined]


@pytest.mark.usefixtures("quick")
async def test_a_server_that_stops_is_told_and_play_goes_on_when_it_is_back(
    table: Table, postgres: Postgres
) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", DamageModel("Smap", 1))
    postgres.control("stop", "-m", "immediate")
    try:
        answer = await table.do("anna", DamageModel("Smap", 1))
        assert answer.reply.private
        assert answer.reply.lines[0] == "Wait a minute; the database can't be reached at the moment."
        status = await table.do("anna", Roll("1d6"))
        assert status.refusal == "Lost"
    finally:
        postgres.start()
    assert (
        (await table.done("anna", DamageModel("Smap", 1)))
        .reply.lines[0]
        .startswith("Smap takes 1 wound (0 of 2 life left)")
    )
    assert (await examine(url_of(table.file))).faults == ()


@pytest.mark.usefixtures("quick")
async def test_every_door_says_that_the_database_is_away(
    house: House, postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    """What looks before it asks, too: forms opened and handed in, a line, what is suggested."""
    nothing = await house.slash("encounter status")
    form = await (await house.anna.press(nothing, "Start a game")).modal()
    postgres.control("stop", "-m", "immediate")
    try:
        told = await told_at_every_door(house, nothing, form)
        assert told == {"Wait a minute; the database can't be reached at the moment."}
        assert await house.anna.autocomplete("model damage", {"model": "S"}, focused="model") == []
        assert await house.anna.autocomplete("do", {"line": "sh"}, focused="line") == []
    finally:
        postgres.start()
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []
    begun = await house.submit(form, {})
    assert begun.content.startswith("Counterblast: the game has been created.")


REFUSALS = {
    "25006": "The database is read-only.",
    "42501": "The bot isn't allowed to write to the database.",
    "53100": "The database server's disk is full.",
    "53200": "The database server has run out of resources.",
    "58030": "The database server's disk is failing.",
    "XX001": "The database is damaged.",
    "55P03": "Try again in a moment; another program is using the database.",
    "57014": "Try again in a moment; another program is using the database.",
    "40001": "Try again in a moment; another program is using the database.",
    "40P01": "Try again in a moment; another program is using the database.",
    **dict.fromkeys(
        ("40003", "08006", "57P01", "57P03", "53300", "25P03"),
        "Wait a minute; the database can't be reached at the moment.",
    ),
}
"""What the server may answer to a write again and again, and what whoever plays is told."""

REFUSING = """
CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{}'; END $$;
CREATE OR REPLACE TRIGGER refusing BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION refuse()
"""


async def test_whatever_the_server_refuses_is_told_and_play_goes_on_afterwards(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.done("anna", StartDemo())
    monkeypatch.setattr(postgresql, "TRIES", 2)
    monkeypatch.setattr(desk_module, "LOST_PAUSES", (0.0,))
    with connected(url_of(table.file)) as keeper:
        for code, said in REFUSALS.items():
            keeper.execute(REFUSING.format(code))
            answer = await table.do("anna", DamageModel("Smap", 1))
            assert (answer.changed, answer.reply.private, answer.reply.lines[0]) == (False, True, said), code
        keeper.execute("DROP TRIGGER refusing ON journal; DROP FUNCTION refuse()")
    assert (
        (await table.done("anna", DamageModel("Smap", 1)))
        .reply.lines[0]
        .startswith("Smap takes 1 wound (1 of 2")
    )
    assert (await examine(url_of(table.file))).faults == ()


@pytest.mark.usefixtures("quick")
async def test_what_was_written_before_the_server_takes_nothing_any_more_is_told_as_done(
    table: Table, postgres: Postgres
) -> None:
    """The connection goes with the commit, and the server that answers then is read-only."""
    await table.done("anna", StartDemo())
    url = url_of(table.file)

    def fail_over() -> None:
        postgres.tell(f"ALTER DATABASE {url.database} SET default_transaction_read_only = on")
        postgres.cut(url)

    _after_commit(table.desk.store._writer.engine.dialect, fail_over)
    answer = await table.do("anna", DamageModel("Smap", 1), interaction=77)
    postgres.tell(f"ALTER DATABASE {url.database} RESET default_transaction_read_only")
    assert (answer.changed, journal(table.file).count(77)) == (True, 1)
    assert answer.reply.lines[0].startswith("Smap takes 1 wound (1 of 2")


async def test_a_database_that_hangs_is_not_asked_again_and_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "LOST_SECONDS", 0.0)
    asked = itertools.count()

    async def hangs(_channel: int) -> int:
        next(asked)
        raise Lost

    monkeypatch.setattr(table.desk.store, "running_encounter", hangs)
    assert (await table.do("anna", DamageModel("Smap", 1))).refusal == "Lost"
    assert next(asked) == 1


async def test_deadlocks_and_serialization_failures_are_made_again(table: Table) -> None:
    await table.done("anna", StartDemo())
    writer = table.desk.store._writer
    for code in ("40P01", "40001"):
        left = itertools.count()

        def fail_once(connection: object, code: str = code, left: itertools.count[int] = left) -> None:
            if next(left) == 0:
                refusal = f"DO $$ BEGIN RAISE EXCEPTION 'taken back' USING ERRCODE = '{code}'; END $$"
                connection.exec_driver_sql(refusal)  # type: ignore[attr-defined]

        await writer.run(fail_once)
        assert next(left) == 2


async def test_who_is_busy_again_and_again_opens_no_connection_anew(elsewhere: Path) -> None:
    engine, made = postgresql.make_engine(url_of(elsewhere)), list[object]()
    event.listen(engine.sync_engine, "connect", lambda *given: made.append(given))

    async def asks() -> None:
        async with engine.connect() as connection:
            await connection.execute(text("SELECT pg_sleep(0.001)"))

    for _ in range(3):
        await asyncio.gather(*(asks() for _ in range(2 * postgresql.CONNECTIONS)))
    assert len(made) == postgresql.CONNECTIONS
    await engine.dispose()
