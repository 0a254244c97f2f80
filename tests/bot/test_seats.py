"""A seat is given from hand to hand by a code: who may, which codes are good, what goes along with it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from bot.local.people import Person
from bot.local.seen import Message
from bot.store.doctor import examine
from bot.table.session.seats import GOOD_MS
from tests.bot.house import House, read
from tests.bot.tables import contents, url_of

pytestmark = [pytest.mark.both_databases, pytest.mark.crowded]

CODE = re.compile(r"[A-Z2-9]{4}(?:-[A-Z2-9]{4}){3}")
WRONG = (
    "That code isn't valid. Each code works once; the owner of the seat can get a new one with "
    "/encounter seat."
)


@pytest.fixture
async def game(house: House) -> House:
    """Anna organises and plays the Lancers, Bo the Edo; Cleo and Dan have no seat."""
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    for name in ("cleo", "dan"):
        house.server.person(name, name.title())
    return house


async def made(house: House, who: Person) -> str:
    told = await house.press(await house.slash("encounter seat", who), "Show a code", who)
    assert told.ephemeral
    return CODE.findall(told.content)[0]


async def entered(house: House, name: str, code: str) -> Message:
    return await house.slash("encounter seat", house.server.people[name], code=code)


async def test_who_enters_a_code_plays_the_seat_with_what_it_hides_and_nobody_else_does(
    game: House, file: Path
) -> None:
    cleo = game.server.people["cleo"]
    told = await entered(game, "cleo", await made(game, game.bo))
    assert told.content.startswith("Cleo is now playing in Bo's seat.")
    assert not told.ephemeral
    await game.slash("model damage", cleo, model="Trapper", wounds=1)
    last = contents(file, "journal")["journal"][-1]
    assert "Trapper" in str(last)
    refused = await game.slash("model damage", game.bo, model="Trapper", wounds=1)
    assert refused.content.startswith("Cleo is playing in your seat now.")
    assert "Undone" in (await game.slash("undo", cleo)).content
    status = (await game.slash("encounter status")).content
    assert "Bo" in status
    assert "Cleo" not in status
    assert not (await examine(url_of(file))).faults


async def test_a_code_is_good_once_however_it_is_typed(game: House) -> None:
    code = await made(game, game.bo)
    assert (
        "is now playing in Bo's seat" in (await entered(game, "cleo", code.lower().replace("-", " "))).content
    )
    assert (await entered(game, "dan", code)).content == WRONG


@pytest.mark.parametrize("code", ["ABCD-EFGH-JKLM-NPQR", "?", "'; drop table seats", "A" * 40])
async def test_a_code_that_was_guessed_changes_nothing(game: House, code: str, file: Path) -> None:
    await made(game, game.bo)
    before = contents(file, "journal")
    told = await entered(game, "cleo", code)
    assert told.content == WRONG
    assert told.ephemeral
    assert contents(file, "journal") == before


async def test_a_newer_code_takes_the_place_of_an_older_one(game: House) -> None:
    first, second = await made(game, game.bo), await made(game, game.bo)
    assert first != second
    assert (await entered(game, "cleo", first)).content == WRONG
    assert "is now playing in Bo's seat" in (await entered(game, "cleo", second)).content


async def test_a_code_ends_after_some_days(game: House) -> None:
    code = await made(game, game.bo)
    store = game.desk.store
    later = store.now() + GOOD_MS + 1
    store._clock = lambda: later
    assert (await entered(game, "cleo", code)).content.startswith(
        "Ask for a new code; that one was only valid for"
    )


async def test_of_two_who_enter_a_code_at_once_one_plays(game: House, file: Path) -> None:
    code = await made(game, game.bo)
    told = await asyncio.gather(entered(game, "cleo", code), entered(game, "dan", code))
    assert sum("is now playing in Bo's seat" in one.content for one in told) == 1
    assert sum(one.content == WRONG for one in told) == 1
    assert len(contents(file, "stand_ins")["stand_ins"]) == 1


async def test_who_has_a_seat_or_knew_another_side_takes_none(game: House) -> None:
    code = await made(game, game.bo)
    assert "You can't play in two seats; you have your own in" in (await entered(game, "anna", code)).content
    assert "your own seat" in (await entered(game, "bo", code)).content
    eve = game.server.person("eve", "Eve")
    await (await game.typed("encounter second", options={"who": eve.user})).message()
    assert "To play in Counterblast, use /encounter join." in (await entered(game, "eve", code)).content
    assert (
        "is now playing in Anna's seat" in (await entered(game, "cleo", await made(game, game.anna))).content
    )
    assert "already" in (await entered(game, "cleo", code)).content
    cleo = game.server.people["cleo"]
    back = await game.press(await game.slash("encounter seat", cleo), "Give the seat back", cleo)
    assert back.content.startswith("Anna is back in their own seat.")
    told = (await entered(game, "cleo", code)).content
    assert told == "You can't join another side, because you have played for Lancers in this game."
    assert "is now playing in Bo's seat" in (await entered(game, "dan", code)).content


async def test_whose_seat_it_is_takes_it_back_and_the_stand_in_is_out(game: House, file: Path) -> None:
    await entered(game, "cleo", await made(game, game.bo))
    stolen = await made(game, game.server.people["cleo"])
    told = await game.press(await game.slash("encounter seat", game.bo), "Take my seat back", game.bo)
    assert told.content.startswith("Bo is back in their own seat.\nBo took the seat back.\n")
    assert (await entered(game, "dan", stolen)).content == WRONG
    refused = await game.slash("model damage", game.server.people["cleo"], model="Trapper", wounds=1)
    assert refused.ephemeral
    await game.restart()
    done = await game.slash("model damage", game.bo, model="Trapper", wounds=1)
    assert not done.ephemeral
    assert not (await examine(url_of(file))).faults


async def test_no_undo_and_no_start_of_the_bot_takes_a_seat_from_who_was_given_it(game: House) -> None:
    await entered(game, "cleo", await made(game, game.bo))
    cleo = game.server.people["cleo"]
    await game.slash("model damage", cleo, model="Trapper", wounds=1)
    await game.restart()
    assert "Trapper" in (await game.slash("undo", cleo)).content
    assert (await game.slash("encounter seat", cleo)).content.startswith("You are playing in Bo's seat in")


async def test_who_has_no_seat_has_no_code(game: House) -> None:
    told = await game.slash("encounter seat", game.server.people["cleo"])
    assert told.content.startswith("Join Counterblast first")


async def test_no_journal_and_nobody_else_reads_a_code(game: House, file: Path) -> None:
    code = await made(game, game.bo)
    kept = str(contents(file, "journal")) + str(contents(file, "seat_codes"))
    assert code not in kept
    assert code.replace("-", "") not in kept
    assert all(code not in one.content for one in game.public)


async def test_a_stand_in_who_is_forgotten_leaves_the_seat_to_whose_it_is(game: House, file: Path) -> None:
    await entered(game, "cleo", await made(game, game.bo))
    cleo = game.server.people["cleo"]
    asked = await game.slash("mydata delete", cleo)
    await game.press(asked, "Delete my data", cleo)
    assert str(cleo.id) not in str(contents(file, "stand_ins", "people"))
    told = await game.slash("encounter seat", game.bo)
    assert "is playing in your seat" in told.content
    await game.press(told, "Take my seat back", game.bo)
    assert not (await game.slash("model damage", game.bo, model="Trapper", wounds=1)).ephemeral
    assert not (await examine(url_of(file))).faults


async def test_the_command_that_is_named_beside_a_code_opens_its_form(game: House) -> None:
    """A press on it is tried beforehand like any other, though only the journal itself can do it."""
    code = await made(game, game.bo)
    told = await game.press(await game.slash("encounter seat"), "Show a code")
    form = await (await game.anna.press(told, "Move my seat")).modal()
    assert form.title == "Move my seat"
    wrong = await (await game.anna.submit(form, {"code": code[:-1]})).message()
    assert " ".join(read(wrong).content.split()).startswith(WRONG)
