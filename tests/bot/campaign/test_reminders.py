"""Days of fixtures and reminders: typed without ambiguity, told once, to who asked, across restarts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import discord
import pytest

from bot.games.counterblast.campaign.gains import INJURY_ROWS
from bot.local.world import Permission
from bot.panels.reminding import KNOWN_MS, Reminding
from bot.store import side_tables
from bot.store.row_types import FixtureRow, ProposalRow, ReminderRow
from bot.table.campaign.administration import Archive
from bot.table.campaign.campaign_report import RecordFixture
from bot.table.campaign.campaigns import Schedule
from bot.table.campaign.fixture_dates import (
    DAY,
    WAITS,
    MyReminders,
    Remind,
    SetDay,
    SetZone,
    StopReminding,
    due,
    moment,
)
from bot.table.campaign.season import Season
from bot.table.journal.history import Undo
from rules.refusals import InvalidInput
from tests.bot.campaign.league import League
from tests.bot.house import House
from tests.bot.typist import unweighed

HOUR, A_DAY = 3_600, 86_400
NOW = 1_700_000_000
"""What the clock of a table shows: 14 November 2023, 22:13:20 UTC."""

SOON = "2023-11-17 19:30 UTC"
AT = 1_700_249_400


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


# ------------------------------------------------------------------------------------ days


@pytest.mark.parametrize(
    ("typed", "zone", "meant"),
    [
        ("2026-05-03 19:30", "Europe/Berlin", "2026-05-03 17:30"),
        ("2026-01-03 19:30", "Europe/Berlin", "2026-01-03 18:30"),
        ("2026-05-03 9:30", "America/New_York", "2026-05-03 13:30"),
        ("2026-05-03 19:30 UTC", "Europe/Berlin", "2026-05-03 19:30"),
        ("2026-05-03 19:30 UTC-5", "", "2026-05-04 00:30"),
        ("2026-05-03T19:30+05:30", "", "2026-05-03 14:00"),
        ("2026-10-25 02:30 UTC+1", "Europe/Berlin", "2026-10-25 01:30"),
        ("2026-10-25 03:30", "Europe/Berlin", "2026-10-25 02:30"),
        ("<t:1777829400:F>", "", "2026-05-03 17:30"),
        ("<t:1777829400:F> (<t:1777829400:R>)", "", "2026-05-03 17:30"),
    ],
)
def test_a_day_is_one_moment(typed: str, zone: str, meant: str) -> None:
    assert moment(typed, zone) == at(meant)


@pytest.mark.parametrize(
    ("typed", "zone", "says"),
    [
        ("2026-03-29 02:30", "Europe/Berlin", "Choose another time; the clocks go forward and there is no"),
        ("2026-10-25 02:30", "Europe/Berlin", "happens twice"),
        (
            "2026-05-03 19:30",
            "",
            "UTC+2. The organiser can set a time zone with /organise zone",
        ),
        ("3.5. at eight", "Europe/Berlin", "(you entered"),
        ("2026-02-30 19:30", "Europe/Berlin", "(you entered"),
        ("2026-05-03 25:00", "Europe/Berlin", "(you entered"),
        ("2026-05-03 19:30 UTC+99", "", "is no time zone"),
        ("05/03/2026 19:30", "Europe/Berlin", "(you entered"),
    ],
)
def test_what_could_be_two_moments_or_none_is_asked_again(typed: str, zone: str, says: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        moment(typed, zone)
    assert says in str(refused.value)


async def day_of(league: League) -> int:
    return (await league.book()).all(FixtureRow)[0].day


async def test_a_fixture_has_a_day_that_everybody_reads_in_his_own_time(two: League) -> None:
    assert "Only the organiser" in await two.refused("bo", SetZone(two.scope, "Europe/Berlin"))
    assert "UTC+2. The organiser can set a time zone with /organise zone" in await two.refused(
        "bo", SetDay(two.scope, "2023-11-17 19:30")
    )
    assert "Only the players" in await two.refused("cy", SetDay(two.scope, SOON, "#1"))
    over = await two.refused("bo", SetDay(two.scope, "2023-11-14 22:13 UTC"))
    assert "time in the future; <t:1699999980:F> (<t:1699999980:R>) is in the past." in over
    assert "more than 400 days away" in await two.refused("bo", SetDay(two.scope, "2026-05-03 19:30 UTC"))
    await two.done("anna", SetZone(two.scope, "europe/berlin"))
    done = await two.done("bo", SetDay(two.scope, "2023-11-17 20:30"))
    assert await day_of(two) == AT
    assert f"<t:{AT}:F> (<t:{AT}:R>)" in done.reply.text
    assert f"<t:{AT}:F>" in (await two.do("bo", Season(two.scope))).reply.text
    moved = await two.done("anna", SetDay(two.scope, "2023-11-18 20:30"))
    assert f"Previous date: <t:{AT}:F>" in moved.reply.text
    await two.done("anna", Undo(), scope=two.scope)
    assert await day_of(two) == AT
    await two.done("bo", SetDay(two.scope))
    assert await day_of(two) == 0


async def test_a_day_is_an_event_of_the_server_where_the_bot_may_make_events(file: Path) -> None:
    async with House.open(file) as house:
        house.desk.store._clock = lambda: time.time_ns() // 1_000_000
        days = [f"{datetime.now(UTC).date() + timedelta(days=ahead)} 19:30 UTC" for ahead in (10, 11)]
        for who, crew in ((house.anna, "Red"), (house.bo, "Blue")):
            await house.slash("crew create", who, name=crew, system="counterblast")
            await (await who.slash("crew recruit", {"crew": crew, "who": "Prime Leader"})).message()
            if crew == "Red":
                await house.slash("campaign create", name="Autumn", system="counterblast")
            await house.slash("campaign join", who, crew=crew)
        await house.slash("campaign schedule")

        async def set_day(**options: str) -> list[str]:
            await house.slash("campaign day", **options)
            await house.quiet()
            return [one["scheduled_start_time"][:16] for one in house.server.world.home.events.values()]

        assert await set_day(day=days[0]) == [], "the bot may make no events here"
        house.server.allow(house.server.world.bot, Permission.CREATE_EVENTS)
        await house.restart()
        house.desk.store._clock = lambda: time.time_ns() // 1_000_000
        assert await set_day(day=days[1]) == [days[1][:16].replace(" ", "T")]
        event = next(iter(house.server.world.home.events.values()))
        assert event["name"].endswith(", round 1")
        assert event["description"] == "A game in the campaign Autumn."
        await house.slash("undo")
        await house.quiet()
        assert event["scheduled_start_time"][:10] == days[0][:10]
        assert await set_day() == []


# ------------------------------------------------------------------------------------ asked for


async def rows(league: League) -> list[ReminderRow]:
    return (await league.book()).all(ReminderRow)


async def test_reminders_are_asked_and_stopped_by_pressing(two: League) -> None:
    asked = await two.do("bo", MyReminders(two.scope))
    assert asked.reply.private
    got = await two.press("bo", asked, "A day before my game")
    got = await two.press("bo", got, "Choose a reminder with a ping")
    got = await two.press("bo", got, "When a report has waited for me for 7 days")
    assert [(one.kind, one.ping) for one in await rows(two)] == [(DAY, False), (WAITS, True)]
    assert "A day before my game" not in [button.label for button in got.reply.buttons]
    theirs = (await rows(two))[0].id
    assert "bo's reminder" in await two.refused("anna", StopReminding(two.scope, theirs))
    assert "with a crew first" in await two.refused("cy", Remind(two.scope, DAY, A_DAY))
    assert "Choose one of the reminders that /campaign remind shows" in await two.refused(
        "bo", Remind(two.scope, DAY, 7)
    )
    assert "already" in await two.refused("bo", Remind(two.scope, DAY, A_DAY))
    await two.press("bo", got, "Stop reminder 1")
    assert [one.kind for one in await rows(two)] == [WAITS]


async def test_no_undo_touches_what_was_asked(two: League) -> None:
    await two.done("bo", SetDay(two.scope, SOON))
    await two.done("bo", Remind(two.scope, DAY, A_DAY))
    await two.done("bo", Undo(), scope=two.scope)
    assert await day_of(two) == 0
    assert len(await rows(two)) == 1


# ------------------------------------------------------------------------------------ told


class Moved:
    """A house whose bot's clock is where the test puts it."""

    def __init__(self, house: House, league: League) -> None:
        self.house, self.league = house, league
        self.now = NOW

    @property
    def told(self) -> list[str]:
        return [one.content for one in self.house.public if "You asked for this" in one.content] + [
            one.content for one in self.house.public if "/campaign after" in one.content
        ]

    async def look(self, now: int = 0, *, client: bool = True) -> int:
        self.now = now or self.now
        self.house.desk.store._clock = lambda: self.now * 1000
        return await Reminding(self.house.client, self.house.desk.store).look()


@pytest.fixture
async def moved(file: Path) -> AsyncIterator[Moved]:
    """Anna's Lancers and Bo's Edo are paired, on a whole bot whose clock can be moved."""
    async with House.open(file) as house:
        await house.client.reminding.close()
        async with at_the_table(house) as league:
            await league.begin("anna", "bo")
            await league.done("anna", Schedule(league.scope))
            yield Moved(house, league)


@asynccontextmanager
async def at_the_table(house: House) -> AsyncIterator[League]:
    from tests.bot.tables import Table

    table = Table(house.desk, house.file)
    table.channel = house.anna.here
    yield League(table)


async def test_the_day_of_a_game_is_told_once_and_without_a_ping(moved: Moved) -> None:
    league = moved.league
    await league.done("bo", SetDay(league.scope, SOON))
    await league.done("bo", Remind(league.scope, DAY, A_DAY))
    assert await moved.look(AT - A_DAY - 1) == 0
    assert await moved.look(AT - A_DAY) == 1
    assert [await moved.look(AT - A_DAY + more) for more in (1, 60, A_DAY - 1)] == [0, 0, 0]
    assert len(moved.told) == 1
    assert moved.told[0].startswith("bo: ")
    assert f"<t:{AT}:R>" in moved.told[0]


async def test_another_day_is_told_anew_and_a_day_that_is_over_is_not(moved: Moved) -> None:
    league = moved.league
    await league.done("bo", SetDay(league.scope, SOON))
    await league.done("bo", Remind(league.scope, DAY, A_DAY))
    assert await moved.look(AT) == 0
    await league.done("bo", SetDay(league.scope, "2023-11-20 19:30 UTC"))
    later = at("2023-11-20 19:30")
    assert await moved.look(later - HOUR) == 1
    await league.done("bo", SetDay(league.scope, "2023-11-21 19:30 UTC"))
    assert await moved.look(later - HOUR + 1) == 0
    assert await moved.look(later + HOUR) == 1
    assert len(moved.told) == 2


async def test_a_choice_that_waits_for_a_week_is_told_to_whom_it_waits_for(moved: Moved) -> None:
    league = moved.league
    for who in ("anna", "bo"):
        await league.done(who, Remind(league.scope, WAITS, 7 * A_DAY))
    await league.done("anna", RecordFixture(league.scope, 0, "Edo", 9, 4))
    assert await moved.look(NOW + 7 * A_DAY - 1) == 0
    assert await moved.look(NOW + 7 * A_DAY) == 1
    (told,) = moved.told
    assert told.startswith("bo: "), "anna opened the report, so bo confirms it"
    assert "the report has been waiting to be confirmed" in told
    assert await moved.look(NOW + 9 * A_DAY) == 0


async def test_who_has_chosen_is_not_reminded_of_what_another_has_to(two: League) -> None:
    for who in ("anna", "bo"):
        await two.done(who, Remind(two.scope, WAITS, 7 * A_DAY))
    await two.done("anna", RecordFixture(two.scope, 0, "Edo", 20, 3, ("Trapper",)))
    book = await two.book()
    fate = next(one for one in book.all(ProposalRow) if one.kind == "fate")
    fate.text = next(iter(INJURY_ROWS))
    (fixture,) = book.all(FixtureRow)
    told = list(due(book, NOW + 7 * A_DAY, {fixture.id: NOW}))
    assert [one.row.name for one in told] == ["bo"]
    assert "has been waiting for your choice" in told[0].lines[0]


async def test_what_is_stopped_or_archived_is_not_told(moved: Moved) -> None:
    league = moved.league
    await league.done("bo", SetDay(league.scope, SOON))
    await league.done("bo", Remind(league.scope, DAY, A_DAY))
    await league.done("bo", Remind(league.scope, DAY, HOUR))
    await league.done("bo", StopReminding(league.scope, (await rows(league))[0].id))
    assert await moved.look(AT - 2 * HOUR) == 0
    await league.done("anna", Archive(league.scope))
    assert await moved.look(AT - 10) == 0


async def test_a_bot_that_starts_anew_tells_nothing_twice_and_loses_nothing(moved: Moved) -> None:
    """Killed before it told, and again after Discord took it: one message either way."""
    league, house = moved.league, moved.house
    await league.done("bo", SetDay(league.scope, SOON))
    await league.done("bo", Remind(league.scope, DAY, A_DAY))
    number = (await rows(league))[0].id
    mark = (league.scope, number, f"fixture 1 {AT}")
    moved.now = AT - A_DAY
    await side_tables.begin_reminder(house.desk.store, mark, moved.now * 1000)
    await house.restart()
    await house.client.reminding.close()
    assert await moved.look() == 1
    assert len(moved.told) == 1
    await asyncio.sleep(0)
    await undo_mark(house, mark)
    assert await moved.look() == 1
    assert len(moved.told) == 1, "Discord knows it by its nonce"
    assert await moved.look() == 0


async def test_the_bot_looks_by_itself_from_its_start_on(moved: Moved) -> None:
    league, house = moved.league, moved.house
    await league.done("bo", SetDay(league.scope, "2023-11-14 23:00 UTC"))
    await league.done("bo", Remind(league.scope, DAY, A_DAY))
    assert not moved.told
    await house.restart()
    for _ in range(400):
        if moved.told:
            break
        await asyncio.sleep(0.01)
    assert len(moved.told) == 1


async def undo_mark(house: House, mark: side_tables.DueReminder) -> None:
    from sqlalchemy import Connection, update

    from bot.store.schema import reminded as table

    def write(connection: Connection) -> None:
        connection.execute(update(table).values(told=False))

    await house.desk.store.written(write)


async def test_what_may_have_been_told_long_ago_says_so(moved: Moved) -> None:
    league, house = moved.league, moved.house
    await league.done("bo", SetDay(league.scope, SOON))
    await league.done("bo", Remind(league.scope, DAY, A_DAY))
    mark = (league.scope, (await rows(league))[0].id, f"fixture 1 {AT}")
    await side_tables.begin_reminder(house.desk.store, mark, (AT - A_DAY) * 1000)
    assert await moved.look(AT - A_DAY + KNOWN_MS // 1000 + 1) == 1
    assert "may have seen this reminder already" in moved.told[0]


async def test_only_who_asked_for_it_is_pinged(moved: Moved, monkeypatch: pytest.MonkeyPatch) -> None:
    league, sent = moved.league, []

    edits: list[object] = []

    async def edit(**more: object) -> None:
        edits.append(more["content"])

    async def send(self: object, content: str, **more: object) -> SimpleNamespace:
        sent.append((content, more["allowed_mentions"]))
        return SimpleNamespace(id=len(sent), edit=edit)

    monkeypatch.setattr(discord.PartialMessageable, "send", send)
    await league.done("bo", SetDay(league.scope, SOON))
    await league.done("bo", Remind(league.scope, DAY, A_DAY, ping=True))
    await league.done("anna", Remind(league.scope, DAY, A_DAY))
    assert await moved.look(AT - HOUR) == 2
    (first, pings), (second, none) = sent
    assert edits == [None, None], "words first, then the card"
    bo = league.table.ids["bo"]
    assert unweighed(first).startswith(f"<@{bo}>")
    assert pings.to_dict() == {"parse": [], "users": [bo]}
    assert unweighed(second).startswith("anna: ")
    assert none.to_dict() == {"parse": []}
