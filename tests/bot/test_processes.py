"""Several processes on one database: each has memory of its own, and none acts on what is old."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot import client as client_module
from bot.app import make_client
from bot.client import MAX_DISCONNECTS, ShardedAdjutant
from bot.config import Config, ConfigError, load
from bot.local.faults import ANSWERS, Trouble
from bot.local.server import LocalServer
from bot.store import side_tables
from bot.store.doctor import examine
from bot.store.errors import StoreError
from bot.store.migration import PATIENCE_SECONDS, serving_alone
from bot.store.retention import forget_person, note_servers
from bot.table.journal.history import Undo
from bot.table.journal.log import ShowLog
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import NextStep, ShowEncounter, StartDemo
from bot.table.session.joining import JoinEncounter
from bot.table.session.models import DamageModel, NoteModel, RenameModel
from tests.bot.house import House, read
from tests.bot.tables import Table, contents, opened, url_of


@asynccontextmanager
async def two(file: Path) -> AsyncIterator[tuple[Table, Table]]:
    """Two desks as two processes have them; no interaction of one is one of the other."""
    async with opened(file) as one, opened(file, 50) as other:
        other.interactions = itertools.count(50_001)
        one.ids = other.ids = {"anna": 100, "bo": 101}
        yield one, other


async def test_two_hundred_commands_through_two_processes_have_two_hundred_effects_in_an_order(
    elsewhere: Path,
) -> None:
    async with two(elsewhere) as (one, other):
        await one.done("anna", StartDemo())
        both = [table.do("anna", DamageModel("Smap", 1)) for _ in range(100) for table in (one, other)]
        answers = await asyncio.gather(*both)
        assert [answer.reply.text for answer in answers if not answer.changed] == []
        assert sorted(answer.version for answer in answers) == list(range(2, 202))
        for table in (one, other):
            assert (await table.encounter()).find_model("Smap").damage == 200
    rows = contents(elsewhere, "journal")["journal"]
    assert sorted(int(str(row[2])) for row in rows) == list(range(1, 202))
    assert (await examine(url_of(elsewhere))).faults == ()


async def test_fifty_deliveries_through_two_processes_are_one(elsewhere: Path) -> None:
    async with two(elsewhere) as (one, other):
        await one.done("anna", StartDemo())
        for number, action in enumerate(
            (DamageModel("Smap", 1), Roll("4d10"), Undo(), NoteModel("Smap", "x"))
        ):
            before = len(contents(elsewhere, "journal")["journal"])
            same = [
                table.do("anna", action, interaction=700 + number)
                for _ in range(25)
                for table in (one, other)
            ]
            answers = await asyncio.gather(*same)
            assert sum(answer.changed for answer in answers) == 1
            assert len({answer.reply for answer in answers}) == 1
            assert len(contents(elsewhere, "journal")["journal"]) == before + 1
    assert (await examine(url_of(elsewhere))).faults == ()


async def test_what_one_did_the_other_knows_before_it_shows_or_refuses_anything(elsewhere: Path) -> None:
    async with two(elsewhere) as (one, other):
        begun = await one.done("anna", StartDemo())
        assert "Smap" in (await other.do("anna", ShowEncounter())).reply.text
        await one.done("anna", RenameModel("Smap", "Old Tom"))
        shown = await other.do("anna", ShowEncounter())
        assert "Old Tom" in shown.reply.text
        assert "Smap" not in shown.reply.text
        assert "Smap" in await one.refused("anna", DamageModel("Smap", 1))
        assert (await other.do("anna", DamageModel("Smap", 1))).refusal == "Unknown"
        late = await other.do("anna", NextStep(), scope=begun.scope, version=begun.version)
        assert "moved on" in late.reply.text
        await one.done("anna", JoinEncounter("Edo"))
        await other.done("anna", DamageModel("Old Tom", 1))
        assert "0 of 2 life left" in (await one.done("anna", DamageModel("Old Tom", 1))).reply.lines[0]


@pytest.mark.parametrize("moment", ["before it is looked at", "between load and commit"])
async def test_whom_one_process_forgot_is_somebody_to_the_other_too(
    elsewhere: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bo = 100_000_000_000_000_005, 100_000_000_000_000_006
    async with two(elsewhere) as (one, other):
        one.ids = other.ids = {"annabel": anna, "boris": bo}
        await one.done("annabel", StartDemo())
        await one.done("boris", JoinEncounter("Edo"))
        await other.done("annabel", DamageModel("Smap", 1))
        assert "annabel" in (await other.do("boris", ShowEncounter())).reply.text
        assert "annabel" in (await other.do("boris", ShowLog())).reply.text
        await forget_person(one.desk.store, anna)
        if moment == "between load and commit":
            monkeypatch.setattr(other.desk.store, "_is_fresh", _always)
        else:
            for action in (ShowLog(), ShowEncounter()):
                assert "annabel" not in (await other.do("boris", action)).reply.text
        assert "Somebody" in await other.refused("annabel", DamageModel("Smap", 1))
        monkeypatch.undo()
        assert "annabel" not in (await other.do("boris", ShowEncounter())).reply.text
        await other.done("boris", DamageModel("Trapper", 1))
        await other.done(other.actor("annabel", channel=501), Roll("1d6"))
    who = [row[9] for row in contents(elsewhere, "journal")["journal"]]
    known = {row[0] for row in contents(elsewhere, "people")["people"]}
    assert [number in known for number in who] == [False, True, False, True, True]
    assert (await examine(url_of(elsewhere))).faults == ()


async def _always(*_: object) -> bool:
    return True


async def test_whom_two_meet_for_the_first_time_at_once_is_one_person(elsewhere: Path) -> None:
    ids = {f"somebody {number}": 100_000_000_000_000_000 + number for number in range(12)}
    async with two(elsewhere) as (one, other):
        one.ids = other.ids = ids
        both = [
            table.done(table.actor(name, channel=600 + 2 * number + place), Roll("1d6"))
            for number, name in enumerate(ids)
            for place, table in enumerate((one, other))
        ]
        await asyncio.gather(*both)
    known = {row[1]: row[0] for row in contents(elsewhere, "people")["people"]}
    assert sorted(known) == sorted(ids.values())
    acted = Counter(row[9] for row in contents(elsewhere, "journal")["journal"])
    assert acted == Counter(dict.fromkeys(known.values(), 2))
    assert (await examine(url_of(elsewhere))).faults == ()


async def test_what_two_note_at_once_is_noted_once(elsewhere: Path) -> None:
    """A picture that is delivered to both, a server that both see left, what both are about to remind of."""
    async with two(elsewhere) as (one, other):
        stores = [one.desk.store, other.desk.store] * 8
        for guild in range(40, 60):
            await one.done(one.actor("anna", guild=guild, channel=guild), Roll("1d6"))
        for number in range(5):
            picture = f"picture {number}".encode()
            await asyncio.gather(
                *(side_tables.keep_picture(store, 900, 100 + number, picture) for store in stores)
            )
            await asyncio.gather(
                *(side_tables.begin_reminder(store, (1, number, "x"), 5) for store in stores)
            )
        await asyncio.gather(*(note_servers(store, [], lambda _: True, 7) for store in stores))
    noted = contents(elsewhere, "pictures", "reminded", "departures")
    assert [len(rows) for rows in noted.values()] == [5, 5, 20]


async def test_what_there_is_one_of_is_made_by_one(elsewhere: Path) -> None:
    async with two(elsewhere) as (one, other):
        games = await asyncio.gather(
            *(table.do("anna", StartDemo()) for table in (one, other, one, other)),
        )
        assert sum(answer.changed for answer in games) == 1
        assert {answer.refusal for answer in games if not answer.changed} == {"Occupied"}
        for channel in range(600, 610):
            rolls = [table.done(table.actor("anna", channel=channel), Roll("1d6")) for table in (one, other)]
            await asyncio.gather(*rolls)
        scopes = [row[1:4] for row in contents(elsewhere, "scopes")["scopes"]]
        assert len([row for row in scopes if row[0] == "channel"]) == 10
    assert (await examine(url_of(elsewhere))).faults == ()


# ------------------------------------------------------------------------------------ shards


def settings(folder: Path, text: str) -> Config:
    file = folder / "config.toml"
    file.write_text(text)
    return load(file)


def test_the_settings_name_shards(tmp_path: Path) -> None:
    assert (Config().shards, Config().shard_ids) == (1, ())
    found = settings(tmp_path, "shards = 8\nshard_ids = [0, 3]\n")
    assert (found.shards, found.shard_ids) == (8, (0, 3))
    for wrong in ("shards = 2\nshard_ids = [2]", "shards = 3\nshard_ids = [1, 1]", "shard_ids = [1]"):
        with pytest.raises(ConfigError, match=": shard_ids must be different numbers from 0 to"):
            settings(tmp_path, wrong)
    with pytest.raises(ConfigError, match="list of ids"):
        settings(tmp_path, "shards = 2\nshard_ids = [-1]")
    with pytest.raises(ConfigError, match="number from 0"):
        settings(tmp_path, "shards = -1")


def test_several_processes_do_not_share_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ADJUTANT_TOKEN", "made.up.token")
    monkeypatch.delenv("ADJUTANT_DATABASE", raising=False)
    file = tmp_path / "config.toml"
    file.write_text(f'database = "{tmp_path}/table.db"\nshards = 2\nshard_ids = [0]\n')
    assert command_line.main(["--config", str(file), "run"]) == 1
    assert "PostgreSQL" in capsys.readouterr().err


def test_a_file_is_served_by_one_process_and_the_next_one_waits_for_its_end(file: Path) -> None:
    waited: list[float] = []
    again = serving_alone(url_of(file), waited.append)
    with (
        serving_alone(url_of(file)),
        pytest.raises(StoreError, match="an SQLite file can only serve one bot") as refusal,
        again,
    ):
        raise AssertionError("both serve")
    assert str(file) in str(refusal.value)
    assert sum(waited) == pytest.approx(PATIENCE_SECONDS, abs=0.3)
    first = serving_alone(url_of(file))
    first.__enter__()
    with serving_alone(url_of(file), lambda _: first.__exit__(None, None, None) and None):
        pass


@pytest.mark.both_databases
async def test_two_processes_serve_a_shard_each(file: Path) -> None:
    """Only the process whose shard a server is dealt to hears of it."""
    async with LocalServer() as server, opened(file) as table:
        mine = (server.world.channels[server.person("anna", "Anna", admin=True).here].guild_id >> 22) % 2
        with server.client_settings():
            for shard, heard in ((mine, 1), (1 - mine, 0)):
                config = Config(shards=2, shard_ids=(shard,))
                client = make_client(table.desk, config, pause=0.0, everything=True, guild_ready_timeout=0.0)
                assert isinstance(client, ShardedAdjutant)
                assert client._lost.maxlen == MAX_DISCONNECTS
                running = asyncio.create_task(client.start(server.token))
                await asyncio.wait_for(client.wait_until_ready(), 60)
                assert len(client.guilds) == heard
                assert client.serves(mine << 22) is bool(heard)
                await client.close()
                await running


async def test_all_shards_in_one_process(file: Path) -> None:
    async with LocalServer() as server, opened(file) as table:
        anna = server.person("anna", "Anna", admin=True)
        with server.client_settings():
            config = Config(shards=0)
            client = make_client(table.desk, config, pause=0.0, everything=True, guild_ready_timeout=0.0)
            running = asyncio.create_task(client.start(server.token))
            await asyncio.wait_for(client.wait_until_ready(), 60)
            said = read(await (await anna.slash("demo", {})).message())
            assert said.content.startswith("This is a sample game of Counterblast.")
            await client.close()
            await running


async def test_each_process_tells_what_was_not_answered_in_its_own_servers(elsewhere: Path) -> None:
    async with two(elsewhere) as (one, other):
        for guild in (2 << 22, 3 << 22):
            await one.done(one.actor("anna", guild=guild, channel=guild + 1), Roll("1d6"))
        later = one.desk.store.now() + 10**9
        for table, shard in ((one, 0), (other, 1)):
            await table.desk.store.deliveries.recover(
                later, lambda guild, shard=shard: (guild >> 22) % 2 == shard
            )
            told = table.desk.store.deliveries.take_untold()
            assert [entry.channel_id for entry in told] == [((2 + shard) << 22) + 1]


async def test_a_process_that_stops_leaves_what_comes_to_the_one_that_was_started_beside_it(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both get it; that nothing was done is said by neither."""
    monkeypatch.setattr(client_module, "OVERLAP_SECONDS", 4.0)
    async with House.open(elsewhere) as house:
        beside = House(house.server, elsewhere, house.anna, house.bo)
        await house.slash("demo")
        await beside.start()
        try:
            assert beside.client.is_ready()
            await house.quiet()
            house.server.faults.arm(Trouble.LATE, ANSWERS, seconds=0.05)
            first = await house.typed("roll", options={"dice": "1d6+100"})
            while not house.client.under_way:  # noqa: ASYNC110  it comes by the gateway
                await asyncio.sleep(0)
            closing = asyncio.create_task(house.client.close())
            await asyncio.sleep(0)
            comes = [await house.typed("roll", options={"dice": f"1d6+{number}"}) for number in (200, 300)]
            told = [read(await one.message()).content for one in (first, *comes)]
            await closing
            for number, said in zip((100, 200, 300), told, strict=True):
                assert any(f"{number + face}" in said for face in range(1, 7)), said
        finally:
            await beside.stop()
    assert len(contents(elsewhere, "journal")["journal"]) == 4
    assert contents(elsewhere, "undelivered")["undelivered"] == []
