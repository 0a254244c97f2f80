"""What may be done now: tried on the table, with the reason for what may not, and nothing of it stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import ACTIONS, part_of_doer, raw_of
from bot.app import ALL_GAMES
from bot.games.counterblast.ground.flames import WashOff
from bot.games.counterblast.missions.objectives import TakeToken
from bot.games.counterblast.missions.traps import SpringTrap
from bot.games.soluna.look_actions import Look, ShowBoard
from bot.table.act import Act
from bot.table.handlers import HANDLERS
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo, StartEncounter
from bot.table.session.models import HealModel
from rules.refusals import Forbidden
from tests.bot.asking.samples import THROWN, Kick, Rest, Throw
from tests.bot.tables import Table


@pytest.fixture
async def begun(table: Table) -> Table:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    return table


async def looking(table: Table, who: str) -> Looking:
    return Looking((await table.loaded()).book(), table.actor(who))


async def test_it_is_filled_in_with_the_likeliest_that_is_possible(begun: Table) -> None:
    found = (await looking(begun, "anna")).legal(Kick)
    assert found.reason == ""
    assert raw_of(found.action) == {"model": "Sally Starfield", "target": "Skip Westmoreland"}
    assert (await begun.done("anna", found.action)).changed


async def test_what_is_fixed_stays(begun: Table) -> None:
    found = (await looking(begun, "anna")).legal(Kick, {"model": "Smap", "target": "Trapper"})
    assert raw_of(found.action) == {"model": "Smap", "target": "Trapper"}


async def test_what_is_refused_says_why(begun: Table) -> None:
    seen = await looking(begun, "anna")
    assert seen.legal(Kick, {"model": "Smap", "target": "Smap"}).reason == "Smap cannot kick itself."
    assert "is not yours" in (await looking(begun, "bo")).legal(Kick, {"model": "Smap"}).reason
    assert "is not yours" in seen.legal(Rest, {"model": "Trapper"}).reason


async def test_who_may_not_act_at_all_is_told_before_anything_else_is_tried(begun: Table) -> None:
    assert (await looking(begun, "anna")).legal(Rest, {"model": "Smap"}).reason == "Smap never rests."
    assert "Smap never rests." in await begun.refused("anna", Rest("Smap"))


async def test_no_other_game_begins_where_one_runs(begun: Table) -> None:
    """A button of before still opens its form."""
    seen = await looking(begun, "anna")
    for reason in (seen.legal(StartDemo).reason, seen.refusal(StartEncounter("infinity", name="x"))):
        assert reason.startswith("A game is already running in this channel.")


async def test_what_none_of_those_that_may_be_named_may_do_is_refused_whatever_is_filled_in(
    begun: Table,
) -> None:
    """Where a name of one's own may stand something may still be filled in; no number makes a wound."""
    await begun.done("anna", NextStep())
    seen = await looking(begun, "anna")
    nobody = seen.legal(WashOff)
    assert (nobody.reason, nobody.whatever) == (
        "Sally Starfield is not corroded, so there is no acid to wash off.",
        True,
    )
    assert seen.legal(SpringTrap).reason == "You have no trap to spring."
    token = seen.legal(TakeToken)
    assert token.reason
    assert not token.whatever
    unhurt = seen.legal(HealModel)
    assert (unhurt.reason, unhurt.whatever) == ("Sally Starfield has no wounds to heal.", True)


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_where_nobody_is_named_each_who_may_act_is_tried(table: Table, system: str) -> None:
    """What is refused by who acts alone is not refused because nobody was said: its form asks that."""
    await table.done("anna", StartDemo(system))
    seen = await looking(table, "anna")
    asked = [
        seen.legal(ACTIONS[command])
        for command, handler in HANDLERS.items()
        if handler.may is not None and handler.system == system and part_of_doer(command) is not None
    ]
    assert asked
    assert not [found for found in asked if found.reason.startswith("Enter the model")]


async def test_nothing_that_was_tried_stays(begun: Table) -> None:
    before = begun.state()
    seen = await looking(begun, "anna")
    for _ in range(2):
        assert seen.legal(Rest, {"model": "Sally Starfield"}).reason == ""
        assert seen.legal(Rest, {"model": "Skip Westmoreland"}).reason == "Skip is not tired."
        assert seen.legal(Kick, {"model": "Smap"}).reason == ""
    assert begun.state() == before


async def test_what_is_refused_by_who_acts_alone_is_tried_once(begun: Table) -> None:
    THROWN.clear()
    assert (await looking(begun, "anna")).legal(Throw, {"model": "Smap"}).reason == "Smap throws nothing."
    assert len(THROWN) == 1


async def test_who_may_not_act_is_not_even_tried(begun: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where others may be named, what is refused by who acts alone is asked of each before it is done."""

    def tired(act: Act, action: Throw) -> None:
        if action.model.name != "Wanda Whitestar":
            raise Forbidden(f"{action.model.name} is tired.")

    monkeypatch.setitem(HANDLERS, Throw.command, replace(HANDLERS[Throw.command], may=tired))
    THROWN.clear()
    found = (await looking(begun, "anna")).legal(Throw, {"target": "Trapper"})
    assert raw_of(found.action)["model"] == "Wanda Whitestar"
    assert {one.model.name for one in THROWN} == {"Wanda Whitestar"}


async def test_what_one_field_alone_refuses_is_not_tried_again_with_others(begun: Table) -> None:
    THROWN.clear()
    found = (await looking(begun, "anna")).legal(Throw, {"model": "Sally Starfield"})
    assert found.reason == ""
    assert raw_of(found.action)["limb"] == "foot"
    assert [one.limb for one in THROWN].count("hand") == 1
    assert "throws at Trapper" in (await begun.do("anna", found.action)).reply.text


async def test_no_picture_is_drawn_of_what_is_only_tried(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.done("anna", StartDemo("soluna"))

    def draws(*_: object) -> None:
        raise AssertionError("a picture is drawn")

    monkeypatch.setattr("bot.games.soluna.look_actions.draw_board", draws)
    seen = await looking(table, "anna")
    assert seen.legal(Look).reason == ""
    assert seen.legal(ShowBoard).reason == ""
    with pytest.raises(AssertionError):
        await table.done("anna", ShowBoard())
