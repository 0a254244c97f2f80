"""What only a head of the channel holds: games that follow from the rules and were played otherwise.

Here stands too what a file takes from elsewhere and no rule decides, and that it is told.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot.local.seen import Message
from bot.store.journal import compact, key_of, link
from bot.table.journal.log import Export
from bot.table.referee import checks
from bot.table.referee.checks import Forged, Verdict
from bot.table.referee.game_replay import referee
from bot.table.referee.verdict_text import verdict_lines
from bot.table.rolling.dice_settings import ShowDice
from bot.table.rolling.rolls import Roll
from bot.table.session.arrivals import AddModel
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from tests.bot.heads import short_head
from tests.bot.house import House
from tests.bot.referee.test_forgeries import BO, CY, OTHER_BUILD, Forger, swapped_order
from tests.bot.referee.test_forgeries import true_game as true_game
from tests.bot.tables import Table

SOMEBODY = "\ue000" + "0" * 16 + "\ue001"
"""What stands for the name of a person who is gone."""


def verified(it: Forger, *heads: str) -> Verdict:
    return asyncio.run(referee(it.sealed(), heads))


def read(true_game: bytes) -> Forger:
    return Forger(json.loads(true_game))


# ------------------------------------------------------------------------------------ what heads hold


def as_the_owner(it: Forger) -> None:
    """The override of somebody else's wound as a wound that its own player gave."""
    asked = json.loads(it[27]["asked"])
    del asked["why"]
    it.put(27, reason="", asked=compact(asked))
    it.swap(27, ',"Override by anna: the tape measure slipped"', "", "reply")
    it.swap(27, ',"Overridden: Trapper is not yours; bo controls this model."', "", "reply")
    it.by(27, BO, "bo")


FOLLOW: dict[str, Callable[[Forger], object]] = {
    "an override passed off as the owner's own": as_the_owner,
    "the last entry dropped": lambda it: it.drop(28),
    "another time": lambda it: it.put(15, at_ms=1),
    "two entries that touch different things swapped": swapped_order,
}
"""Forgeries that follow from the rules: none says that it was otherwise."""


@pytest.mark.parametrize("name", FOLLOW)
def test_what_follows_from_the_rules_is_refused_by_a_head_alone(name: str, true_game: bytes) -> None:
    it = read(true_game)
    seen = it.chain(28)
    FOLLOW[name](it)
    assert verified(it).whole
    assert verdict_lines(verified(it))[-1].startswith("Add the record codes that you copied")
    with pytest.raises(Forged, match="is not in this file"):
        verified(it, seen)


def test_a_head_holds_what_was_before_it_and_nothing_after(true_game: bytes) -> None:
    """Who shows an early head cannot say that it is the game that stood in the channel."""
    it = read(true_game)
    early = it.chain(15)
    it.drop(28)
    verdict = verified(it, early)
    assert verdict.held == ((1, 15),)
    said = verdict_lines(verdict)
    assert "Your record code matches entries 1 to 15. These entries are as you saw them." in said
    assert "No record code covers entries 16 to 28, so this part could be forged." in said


def test_of_letters_of_another_game_and_of_bad_faces_the_entry_is_named(true_game: bytes) -> None:
    it = read(true_game)
    seen = it.chain(28)
    it.swap(
        27,
        "Trapper takes 1 wound (0 of 1 life left).",
        "Trapper takes 1 wound (1 of 1 life left).",
        "reply",
    )
    with pytest.raises(Forged, match=r"^Entry 27 does not follow from the rules"):
        verified(it, seen)


def test_few_letters_of_a_head_can_be_sought_and_that_is_told(
    true_game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forger tries times of the last entry until the head begins as the one that the panel showed.

    Here with three letters; it takes sixteen times as long for each one more.
    """
    monkeypatch.setattr(checks, "HEAD", re.compile("[0-9a-f]{3,64}"))
    it = read(true_game)
    shown = it.chain(28)
    it.swap(28, "a trap", "no trap")
    it.put(28, action_key=key(it, 28))
    before, tries = it.chain(27), iter(range(1, 10**6))
    while not link(before, it[28]).startswith(shown[:3]):
        it.put(28, at_ms=next(tries))
    verdict = verified(it, shown[:3], it.chain(6))
    assert verdict.whole
    assert verdict.held == ((1, 28),)
    assert verdict.surely_held == ((1, 6),)
    assert any(
        line.startswith("Only short record codes cover entries 7 to 28.") for line in verdict_lines(verdict)
    )
    with pytest.raises(Forged, match="is not in this file"):
        verified(it, shown)


def key(it: Forger, seq: int) -> str:
    """What the forger finds out by having it played again."""
    return key_of(it[seq]["command"], it[seq]["input"])


def test_letters_of_the_panel_are_not_as_good_as_a_whole_head(true_game: bytes) -> None:
    it = read(true_game)
    short, whole = it.chain(28)[:12], it.chain(28)
    assert any(line.startswith("Only short record codes") for line in verdict_lines(verified(it, short)))
    assert not any(
        line.startswith("Only short record codes") for line in verdict_lines(verified(it, short, whole))
    )


async def test_both_players_can_take_the_codes_that_verify_takes(table: Table) -> None:
    """Take them during the game and after it, whole or short."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    early = (await table.do("bo", ShowDice())).reply
    await table.done("anna", Roll("2d6"))
    short = short_head((await table.loaded()).scope)
    later = (await table.do("anna", ShowDice())).reply
    await table.done("anna", EndEncounter())
    data = (await table.do("bo", Export())).reply.files[0].data
    whole = [told.lines[told.lines.index(CODE) + 1] for told in (early, later)]
    verdict = await referee(data, [*whole, short])
    assert verdict.held == verdict.surely_held == ((1, 3),)
    assert (await referee(data, whole[:1])).held == ((1, 2),)
    last = short_head((await table.desk.store.load(1)).scope)  # type: ignore[union-attr]
    assert (await referee(data, [last])).held == ((1, 4),)


async def test_play_shows_no_code(house: House) -> None:
    """Hashes and seeds are shown by /dice show alone: from the start of a game to its end."""
    await house.slash("demo")
    await house.slash("dice words", text="rain on tin")
    await house.slash("mission choose", mission="Sabotage")
    await house.press(await house.slash("encounter next"), "Begin anyway")
    await house.press(await house.slash("encounter end"), "End the game")
    await house.quiet()
    assert not [found for one in house.public for found in re.findall(r"\b[0-9a-f]{12,}\b", one.content)]
    told = (await house.slash("dice show", house.bo)).content
    assert len(re.findall(r"`[0-9a-f]{64}`", told)) == 5


async def test_verify_shows_the_head_of_an_ended_game_with_its_ending(house: House) -> None:
    await house.slash("demo")
    running = head_in(await house.slash("dice show"))
    await house.press(await house.slash("encounter end"), "End the game")
    shown = head_in(await house.slash("dice show", house.bo))
    answer = await house.slash("export")
    verdict = await referee(answer.attachments[0].data, [shown])
    assert verdict.held == verdict.surely_held == ((1, verdict.entries),)
    assert (await referee(answer.attachments[0].data, [running])).held == ((1, 1),)


def head_in(told: Message) -> str:
    lines = told.content.splitlines()
    assert told.ephemeral
    return lines[lines.index(CODE) + 1]


# ------------------------------------------------------------------------------------ the order of people


CODE = "Record code so far:"


@pytest.fixture
async def ordered(table: Table) -> tuple[Forger, str]:
    """A game of three people, and the head that Verify shows when it has ended."""
    table.ids.update({"anna": 3 * 10**17, "bo": 10**17, "cy": 2 * 10**17})
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("cy", JoinEncounter(watch=True))
    await table.done("anna", NextStep())
    await table.done("anna", EndEncounter())
    lines = (await table.do("dee", ShowDice())).reply.lines
    data = (await table.do("bo", Export())).reply.files[0].data
    return Forger(json.loads(data)), lines[lines.index(CODE) + 1]


def last_two_change_places(it: Forger) -> None:
    order = it.export["people"]["order"]
    order[-2:] = order[:-3:-1]


def and_in_the_entry(it: Forger) -> None:
    end = len(it.export["entries"])
    was = re.search(r'"people":\["","([0-9 ]+)"\]', it[end]["changes"])
    assert was is not None
    last_two_change_places(it)
    it.swap(end, was[1], " ".join(map(str, it.export["people"]["order"])), "changes")


async def test_the_order_of_the_people_stands_in_the_entry_that_ends_the_game(
    ordered: tuple[Forger, str],
) -> None:
    it, head = ordered
    order = it.export["people"]["order"]
    assert len(order) == 3
    assert f'"people":["","{" ".join(map(str, order))}"]' in it[len(it.export["entries"])]["changes"]
    assert (await referee(it.sealed(), [head])).whole


async def test_another_order_of_the_people_is_named(ordered: tuple[Forger, str]) -> None:
    it, _ = ordered
    last_two_change_places(it)
    with pytest.raises(Forged, match=r"does not list people in the same order as entry \d+\."):
        await referee(it.sealed())


async def test_another_order_in_the_entry_too_is_refused_by_the_head(ordered: tuple[Forger, str]) -> None:
    it, head = ordered
    and_in_the_entry(it)
    with pytest.raises(Forged, match="is not in this file"):
        await referee(it.sealed(), [head])


async def test_nobody_is_left_out_of_the_order(ordered: tuple[Forger, str]) -> None:
    it, _ = ordered
    end = len(it.export["entries"])
    it.swap(end, f"{it.export['people']['order'][0]} ", "", "changes")
    with pytest.raises(Forged, match=rf"lists a person who isn't in entry {end}\."):
        await referee(it.sealed())
    it.put(end, changes=re.sub(r',"people":\[[^]]*\]|"people":\[[^]]*\],', "", it[end]["changes"]))
    with pytest.raises(Forged, match="order of the people in the file doesn't match"):
        await referee(it.sealed())


# ------------------------------------------------------------------------------------ somebody is gone


def test_behind_a_name_that_was_taken_out_a_head_holds_nothing(true_game: bytes) -> None:
    """Told hashes fit every head that was seen; what is told of those entries is said not to be held."""
    it = read(true_game)
    seen = it.chain(28)
    true = {place: it.chain(place) for place in range(16, 22)}
    for place in true:
        it.swap(place, "a second cup", "a third cup")
        it.put(place, stood=true[place], title=it[place]["title"] + SOMEBODY)
    it.put(16, action_key=key(it, 16))
    verdict = verified(it, seen)
    assert not verdict.whole
    assert verdict.rewritten == tuple(range(16, 22))
    assert verdict.held == ((22, 28),)
    assert "No record code covers entries 1 to 21, 29" in "\n".join(verdict_lines(verdict))


def test_of_who_is_gone_words_alone_are_let_pass(true_game: bytes) -> None:
    it = read(true_game)
    it.put(27, title=it[27]["title"] + SOMEBODY)
    assert verified(it).faded == (27,)
    it.faces(26, 1)
    with pytest.raises(Forged, match=r"^Entry 26: the dice"):
        verified(it)


# ------------------------------------------------------------------------------------ what is believed


def test_who_went_by_a_right_of_the_place_is_named(true_game: bytes) -> None:
    it = read(true_game)
    it.by(27, CY, "cy")
    it.swap(27, "anna", "cy")
    with pytest.raises(Forged, match=r"^Entry 27 does not follow"):
        verified(it)
    it.asks(27, manages=True)
    verdict = verified(it)
    assert verdict.managing == (("cy", (27,)),)
    assert "According to the file, cy could manage the channel at the time of entry 27." in verdict_lines(
        verdict
    )


@pytest.fixture
async def reinforced(table: Table) -> Forger:
    """A game to which a model was brought, and how it could have been brought in too many letters."""
    await table.done("anna", StartDemo())
    await table.done("anna", AddModel("Lancers", "smap"))
    await table.done("anna", EndEncounter())
    return Forger(json.loads((await table.do("anna", Export())).reply.files[0].data))


async def test_what_is_taken_as_written_leaves_the_verdict_open(reinforced: Forger) -> None:
    assert (await referee(reinforced.sealed())).whole
    reinforced.asks(2, outside=[])
    verdict = await referee(reinforced.sealed())
    assert verdict.believed == (2,)
    assert not verdict.whole
    head = "  entry 2, anna, addition that can't be checked: "
    assert any(line.startswith(head) for line in verdict_lines(verdict))


@pytest.mark.parametrize("kind", ["condition", "wound", "dice"])
async def test_what_is_brought_touches_nothing_that_was_there(kind: str, reinforced: Forger) -> None:
    reinforced.asks(2, outside=[])
    written = json.loads(reinforced[2]["changes"])
    scope = written[0][2][0]
    more = {
        "condition": ["conditions", None, [scope, 99, 1, "stunned", 0, "", "", 1]],
        "wound": ["models", [scope, 1], {"damage": [0, 3]}],
    }
    if kind in more:
        reinforced.put(2, changes=compact([*written, more[kind]]))
    else:
        reinforced.put(2, faces="[[6,6]]", dice="real")
    with pytest.raises(
        Forged, match=r"^Entry 2 does not follow from the rules: it should only add to the game"
    ):
        await referee(reinforced.sealed())


# ------------------------------------------------------------------------------------ other versions


def test_another_build_tells_how_far_it_was_refereed_and_ends_with_status_3(
    true_game: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    it = read(true_game)
    it.put(26, version=OTHER_BUILD, dice="real", number=-1)
    it.faces(26, 1)
    file = tmp_path / "game.json"
    file.write_bytes(it.sealed())
    assert command_line.main(["verify", str(file)]) == 3
    said = capsys.readouterr().out
    assert "Replayed up to entry 25: every entry up to there follows from the rules." in said
    assert OTHER_BUILD in said
