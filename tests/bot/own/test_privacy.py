"""/privacy, /mydata, /crew give, and what goes by itself after a time: as people at the table see it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot import retention_task
from bot.app import open_desk
from bot.config import Config
from bot.local.seen import Message
from bot.replies.fit import FENCE
from bot.retention_task import every_day, heard_by, let_go
from bot.store.doctor import examine
from bot.store.engine import database_url
from bot.store.retention import (
    DAY_MS,
    forget_person,
    forget_server,
    left_before,
    names_of,
    note_servers,
    places_of,
)
from bot.store.side_tables import keep_picture
from bot.store.store import Keeping
from bot.table.campaign.administration import SecondOrganiser
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.journal.history import Undo
from bot.table.request import Request
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import MAX_CREWS, CreateCrew, DisbandCrew, GiveCrew, RecruitMember, TakeCrew
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import AddCondition, NoteModel
from bot.table.session.privacy import DeleteMine, ExportMine, ForgetMe, ShowPrivacy
from tests.bot.house import House
from tests.bot.own.evening import ANNA, BO, evening, whole_file
from tests.bot.tables import Table, url_of

NAME = "Zwetschke"


@pytest.fixture
async def house(file: Path) -> AsyncIterator[House]:
    async with House.open(file) as house:
        house.anna = house.server.person("zwetschke", NAME, admin=True)
        yield house


def lines(message: Message) -> list[str]:
    return message.content.splitlines()


async def test_what_is_kept_is_told_to_who_asks_alone_and_wraps_on_a_phone(house: House) -> None:
    told = await house.slash("privacy")
    assert told.ephemeral
    assert "Stored about you now: nothing." in told.content
    await house.slash("demo")
    await house.slash("crew create", name="The Fine")
    told = await house.slash("privacy")
    assert "Stored about you now: 1 game, 1 crew." in told.content
    assert "- Data about a server: until the bot has been gone from the server for 30 days." in lines(told)
    assert FENCE not in told.content
    assert await house.desk.store.all_entries(3) == []


async def test_a_picture_alone_is_told_handed_out_and_forgotten(table: Table) -> None:
    """Sent for a story that refused it: no game and no name is kept beside it."""
    store, me = table.desk.store, table.actor("anna").user_id
    await keep_picture(store, 900, me, b"a picture")
    assert "Stored about you now: pictures." in (await table.do("anna", ShowPrivacy())).reply.text
    held = json.loads((await table.do("anna", ExportMine())).reply.files[0].data)
    assert len(held["pictures"]) == 1
    assert (
        (await table.do("anna", ForgetMe()))
        .reply.lines[0]
        .startswith("Your data has been deleted. The bot no longer stores your name or Discord ID")
    )
    assert (await table.do("anna", ExportMine())).reply.lines == ("The bot stores nothing about you.",)


async def test_whose_number_alone_is_kept_reads_so_and_may_delete_it(table: Table) -> None:
    """Somebody named them, and took it back: they did nothing, and stand in no row."""
    table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
    campaign = (await table.done(ANNA[0], CreateCampaign("The Long War"))).scope
    await table.done(ANNA[0], SecondOrganiser(campaign, BO[1]))
    await table.done(ANNA[0], SecondOrganiser(campaign, 0))
    assert "Stored about you now: only your Discord ID." in (await table.do(BO[0], ShowPrivacy())).reply.text
    held = json.loads((await table.do(BO[0], ExportMine())).reply.files[0].data)
    assert held["you"] == {"number": str(BO[1]), "names": []}
    assert (
        "This removes your name and Discord ID from all games, logs and campaigns on every server"
        in (await table.do(BO[0], DeleteMine())).reply.text
    )
    assert (
        (await table.do(BO[0], ForgetMe()))
        .reply.lines[0]
        .startswith("Your data has been deleted. The bot no longer stores your name or Discord ID")
    )
    assert str(BO[1]).encode() not in whole_file(table.file)
    assert (await table.do(BO[0], ExportMine())).reply.lines == ("The bot stores nothing about you.",)


async def test_how_many_entries_named_somebody_before_they_were_known(table: Table) -> None:
    await table.done("bo", CreateCrew("Friends of anna"))
    await table.done("anna", Roll("d6"))
    said = await table.do("anna", ForgetMe())
    assert (
        said.reply.lines[1]
        == "Your name or ID was in the text of 2 entries, which the log now marks as altered."
    )


async def test_my_data_is_a_file_for_me_alone(house: House) -> None:
    await house.slash("demo")
    await house.slash("crew create", name="The Fine")
    await house.slash("encounter join", who=house.bo, crew="Edo")
    told = await house.slash("mydata export")
    assert told.ephemeral
    (file,) = told.attachments
    held = json.loads(house.server.world.files[file.id].data)
    assert held["you"]["number"] == str(house.anna.id)
    assert {place["kind"] for place in held["where"]} == {"encounter", "crew"}
    assert [entry["command"] for entry in held["entries"]] == ["demo", "crew.create"]
    assert "crews" in held["rows"]
    assert str(house.bo.id) not in json.dumps(held["entries"])
    nothing = await house.slash("mydata export", who=house.server.person("cy", "Cy"))
    assert lines(nothing) == ["The bot stores nothing about you."]


async def test_my_data_has_answers_and_dice_but_of_a_game_that_runs_no_dice(table: Table) -> None:
    """In the dice of a game that runs stand the cards of the others."""
    await table.done("anna", StartDemo("fracd_earth"))
    await table.done("bo", JoinEncounter("Prowlers"))
    await table.done("anna", NextStep())
    dealt = (await _entries(table, "anna"))[-1]
    assert dealt["answer"][0].startswith("Turn 1.")
    assert dealt["faces"] == "not shown until the game has ended"
    await table.done("anna", EndEncounter())
    dealt = (await _entries(table, "anna"))[-2]
    assert len(dealt["faces"]) > 50
    await table.done("anna", Roll("2d6"))
    rolled = (await _entries(table, "anna"))[-1]
    assert [sides for sides, _ in rolled["faces"]] == [6, 6]
    assert (
        "The file shows what is stored about you, including 2 entries from logs."
        in (await table.do("bo", ExportMine())).reply.lines
    )


async def _entries(table: Table, who: str) -> list[dict[str, Any]]:
    data = json.loads((await table.do(who, ExportMine())).reply.files[0].data)
    return list(data["entries"])


async def test_forgetting_asks_and_is_done_by_a_press_once(house: House) -> None:
    await house.slash("demo")
    await house.slash("roll", dice="2d6")
    await house.slash("crew create", name="The Fine")
    name = house.anna.user.display_name
    asked = await house.slash("mydata delete")
    assert asked.ephemeral
    assert "Your crew will be deleted too: The Fine." in asked.content
    assert FENCE not in asked.content
    assert await places_of(house.desk.store, house.anna.id)
    done = await house.press(asked, "Delete my data")
    assert lines(done)[0] == "Your data has been deleted. The bot no longer stores your name or Discord ID."
    again = await house.press(asked, "Delete my data")
    assert lines(again) == ["The bot stores nothing about you."]
    await house.quiet()
    log = await house.slash("log", who=house.bo)
    assert name not in log.content
    await house.stop()
    try:
        for text in (name, str(house.anna.id), "The Fine"):
            assert text.encode() not in whole_file(house.file)
        assert (await examine(url_of(house.file))).faults == ()
    finally:
        await house.start()
    assert lines(await house.slash("mydata delete")) == ["The bot stores nothing about you."]


async def test_a_crew_that_was_given_away_stays(table: Table) -> None:
    table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
    crew = (await table.done(ANNA[0], CreateCrew("The Fine"))).scope
    await table.done(ANNA[0], RecruitMember(crew, "smap", 2))
    assert "not your crew" in await table.refused(BO[0], GiveCrew(crew, BO[1]))
    assert "Choose someone else as the new owner" in await table.refused(ANNA[0], GiveCrew(crew, ANNA[1]))
    offered = await table.done(ANNA[0], GiveCrew(crew, BO[1]))
    assert [one.label for one in offered.reply.buttons] == ["Accept the crew", "Undo"]
    await table.done(BO[0], TakeCrew(crew))
    assert "not your crew" in await table.refused(ANNA[0], GiveCrew(crew, BO[1]))
    await table.done(BO[0], RecruitMember(crew, "sally"))
    asked = await table.do(ANNA[0], DeleteMine())
    assert "crews" not in asked.reply.text
    await table.do(ANNA[0], ForgetMe())
    await table.done(BO[0], RecruitMember(crew, "sally"))
    assert ANNA[0].encode() not in whole_file(table.file)
    assert str(ANNA[1]).encode() not in whole_file(table.file)
    assert (await examine(url_of(table.file))).faults == ()


async def test_nobody_is_given_a_crew_that_they_did_not_take(table: Table) -> None:
    """Else fifty given ones would keep somebody from having any of their own."""
    table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
    crew = (await table.done(ANNA[0], CreateCrew("The Fine"))).scope
    assert "not offered to you" in await table.refused(BO[0], TakeCrew(crew))
    await table.done(ANNA[0], GiveCrew(crew, BO[1]))
    assert "not your crew" in await table.refused(BO[0], RecruitMember(crew, "smap"))
    await table.done(ANNA[0], RecruitMember(crew, "smap"))
    assert "not offered to you" in await table.refused("cy", TakeCrew(crew))
    assert "not offered to you" in await table.refused(ANNA[0], TakeCrew(crew))
    await table.done(ANNA[0], Undo())
    await table.done(ANNA[0], Undo())
    assert "not offered to you" in await table.refused(BO[0], TakeCrew(crew))
    await table.done(ANNA[0], GiveCrew(crew, BO[1]))
    await forget_person(table.desk.store, BO[1])
    assert "not offered to you" in await table.refused(BO[0], TakeCrew(crew))
    await table.done(ANNA[0], GiveCrew(crew, BO[1]))
    for number in range(MAX_CREWS):
        last = (await table.done(BO[0], CreateCrew(f"Crew {number}"))).scope
    assert "Delete a crew first; you already have 50 crews." in await table.refused(BO[0], TakeCrew(crew))
    await table.done(BO[0], DisbandCrew(last))
    assert (await table.done(BO[0], TakeCrew(crew))).reply.lines == (f"The Fine is now {BO[0]}'s crew.",)
    assert (await examine(url_of(table.file))).faults == ()


async def test_play_goes_on_without_who_was_forgotten(table: Table) -> None:
    table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
    await table.done(BO[0], StartDemo())
    await evening_with(table)
    await table.do(ANNA[0], ForgetMe())
    panel = await table.encounter()
    assert [seat.name for seat in panel.seats() if seat.name.startswith("Somebody ")]
    told = await table.do(BO[0], ShowPrivacy())
    assert "1 game" in told.reply.text
    assert (await examine(url_of(table.file))).faults == ()


async def evening_with(table: Table) -> None:
    await table.done(ANNA[0], JoinEncounter("Edo"))


async def test_what_was_read_before_somebody_was_forgotten_is_not_written_any_more(table: Table) -> None:
    """Somebody acts while the person is being forgotten: what comes of it names nobody either."""
    table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
    await table.done(BO[0], StartDemo())
    await evening_with(table)
    original = table.desk.store.load

    async def load(scope: int) -> Any:
        loaded = await original(scope)
        table.desk.store.load = original  # type: ignore[method-assign]
        await forget_person(table.desk.store, ANNA[1])
        return loaded

    table.desk.store.load = load  # type: ignore[method-assign]
    await table.done(BO[0], AddCondition("Sally Starfield", "hidden"))
    assert ANNA[0].encode() not in whole_file(table.file)
    assert str(ANNA[1]).encode() not in whole_file(table.file)


async def test_what_is_still_to_be_told_names_nobody_who_was_forgotten(table: Table) -> None:
    """Their own is not told any more; of others' it is read again, and is gone with its server."""
    table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
    await table.done(BO[0], StartDemo())
    await evening_with(table)
    campaign = (await table.done(BO[0], CreateCampaign("The Long War"))).scope
    await table.done(BO[0], NoteModel("Sally Starfield", f"seen by {ANNA[0]}"))
    store, deliveries = table.desk.store, table.desk.store.deliveries
    entries = [*await store.all_entries(1), *await store.all_entries(campaign)]
    for entry in entries:
        deliveries.missed(entry)
    assert ANNA[0] in repr(deliveries.take_untold())
    for entry in entries:
        deliveries.missed(entry)
    await forget_person(store, ANNA[1])
    left = deliveries.take_untold()
    assert {entry.actor for entry in left} == {BO[0]}
    assert len(left) == len(entries) - 1
    for entry in left:
        deliveries.missed(entry)
    assert ANNA[0] not in repr(left)
    await forget_server(store, 900)
    assert deliveries.take_untold() == []


# ------------------------------------------------------------------------------------ what goes by itself


async def test_a_server_that_was_left_goes_after_its_days_and_not_before(file: Path) -> None:
    now = [1_700_000_000_000]
    async with open_desk(database_url(str(file)), clock=lambda: now[0]) as desk:
        table = Table(desk, file)
        await evening(table)
        store = desk.store
        assert (
            store.keeping
            == Keeping(30, 0, 30)
            == Keeping(Config().forget_servers_days, Config().forget_people_days, Config().forget_copies_days)
        )
        await note_servers(store, [900], lambda guild: True, now[0])
        now[0] += 400 * DAY_MS
        assert await let_go(store) == (0, 0)
        await note_servers(store, [], lambda guild: False, now[0])
        now[0] += 31 * DAY_MS
        assert await let_go(store) == (0, 0)
        await note_servers(store, [], lambda guild: True, now[0])
        now[0] += 29 * DAY_MS
        await note_servers(store, [], lambda guild: True, now[0])
        assert await let_go(store) == (0, 0)
        await note_servers(store, [900], lambda guild: True, now[0])
        await note_servers(store, [], lambda guild: True, now[0])
        now[0] += 29 * DAY_MS
        assert await let_go(store) == (0, 0)
        now[0] += DAY_MS
        store.keeping = Keeping(0, 0)
        assert await let_go(store) == (0, 0)
        store.keeping = Keeping(30, 0)
        assert await let_go(store) == (1, 0)
        assert await let_go(store) == (0, 0)
    assert ANNA[0].encode() not in whole_file(file)
    assert (await examine(url_of(file))).scopes == 0


async def test_who_did_nothing_for_long_is_forgotten_where_the_settings_say_so(file: Path) -> None:
    now = [1_700_000_000_000]
    async with open_desk(database_url(str(file)), clock=lambda: now[0]) as desk:
        table = Table(desk, file)
        await evening(table)
        now[0] += 200 * DAY_MS
        await table.done(BO[0], CreateCrew("Still here"))
        now[0] += 200 * DAY_MS
        assert await let_go(desk.store) == (0, 0)
        desk.store.keeping = Keeping(30, 365)
        assert await let_go(desk.store) == (0, 1)
        assert await let_go(desk.store) == (0, 0)
        assert await names_of(desk.store, BO[1]) == [BO[0]]
    assert ANNA[0].encode() not in whole_file(file)
    assert (await examine(url_of(file))).faults == ()


async def test_who_was_named_lately_and_did_nothing_yet_is_not_idle(file: Path) -> None:
    now = [1_700_000_000_000]
    async with open_desk(database_url(str(file)), clock=lambda: now[0]) as desk:
        table = Table(desk, file)
        table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
        desk.store.keeping = Keeping(30, 365)
        campaign = (await table.done(ANNA[0], CreateCampaign("The Long War"))).scope
        await table.done(ANNA[0], SecondOrganiser(campaign, BO[1]))
        now[0] += 300 * DAY_MS
        await table.done(ANNA[0], CreateCrew("Still here"))
        assert await let_go(desk.store) == (0, 0)
        now[0] += 100 * DAY_MS
        assert await let_go(desk.store) == (0, 1)
    assert str(BO[1]).encode() not in whole_file(file)


async def test_the_bot_notes_that_it_left_and_that_it_is_back(house: House, file: Path) -> None:
    await house.slash("crew create", name="The Few")
    await house.stop()
    async with House.open(file, "The Club") as club:
        await club.slash("crew create", name="The Fine")
        store, guild = club.desk.store, club.server.world.home.id

        async def left() -> list[int]:
            return await left_before(store, 10**15)

        assert await left() == []
        there = club.client._connection._guilds.pop(guild)
        await club.client.on_guild_remove(there)
        assert await left() == [guild], "the table on this machine is never left"
        club.client._connection._guilds[guild] = there
        await club.client.on_guild_join(there)
        assert await left() == []


def test_each_shard_notes_its_own_servers() -> None:
    def client(**of: Any) -> Any:
        return SimpleNamespace(**{"shard_count": None, "shard_id": None, **of})

    guilds = [number << 22 for number in range(6)]
    assert all(map(heard_by(client()), guilds))
    second = heard_by(client(shard_count=3, shard_id=1))
    assert [second(guild) for guild in guilds] == [False, True, False] * 2
    many = heard_by(client(shard_count=3, shard_ids=[0, 2]))
    assert [many(guild) for guild in guilds] == [True, False, True] * 2


async def test_what_fails_is_tried_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []
    done = asyncio.Event()

    async def fails(store: object) -> tuple[int, int]:
        tries.append(1)
        if len(tries) > 2:
            done.set()
        raise RuntimeError

    monkeypatch.setattr(retention_task, "let_go", fails)
    task = asyncio.create_task(every_day(table.desk.store, 0, 0))
    await done.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_the_request_to_be_forgotten_is_kept_nowhere(table: Table) -> None:
    table.ids.update({ANNA[0]: ANNA[1]})
    await table.done(ANNA[0], CreateCrew("The Fine"))
    request = Request(ForgetMe(), table.actor(ANNA[0]), 77_777)
    await table.desk.perform(request)
    assert await table.desk.store.answered(77_777) is None
