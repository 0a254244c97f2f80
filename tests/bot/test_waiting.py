"""The first line of a panel says what the game waits for, and from whom."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.common import read_bag
from bot.games.counterblast.turn.bag import DrawToken
from bot.games.fracd_earth.activation_actions import Activate, Done, list_able_figures
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.steps import DECISIONS, TASK_WORDS
from bot.games.infinity.state import EncounterState, encounter_state
from bot.games.infinity.turn_actions import PlayFirst
from bot.games.soluna.move_actions import Pass
from bot.games.warzone.activation import Activate as ActivateUnit
from bot.games.warzone.activation import Done as UnitDone
from bot.games.warzone.units import read_turn, squad_of
from bot.store.rows import SideRow
from bot.table.encounter import OVER, Encounter
from bot.table.game import game_of
from bot.table.request import Answer
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, ShowEncounter, StartDemo
from bot.table.session.models import RemoveModel
from bot.table.waits import opening
from tests.bot.arranging import arrange
from tests.bot.house import House
from tests.bot.tables import Table
from tests.bot.waited import not_there, waited_for

FREE = {
    "counterblast": "Edo",
    "infinity": "Nightfall",
    "warzone": "Hollow",
    "soluna": "Hollow Moon",
    "fracd_earth": "Prowlers",
}


@pytest.mark.parametrize("system", FREE)
async def test_before_the_beginning_it_waits_for_players_then_for_the_organiser(
    table: Table, system: str
) -> None:
    await table.done("anna", StartDemo(system))
    assert (
        waited_for(await table.encounter())
        == f"Waiting for a player for {FREE[system]}. Press Join..., or press Begin."
    )
    await table.done("bo", JoinEncounter(FREE[system]))
    said = waited_for(await table.encounter())
    due = "to choose a mission, or press Ready" if system == "counterblast" else "to press Ready"
    assert said == f"Waiting for anna and bo {due}."


@pytest.mark.parametrize("system", FREE)
async def test_while_a_side_is_free_it_names_what_the_buttons_are_called(table: Table, system: str) -> None:
    """Up to the first turn, whatever steps lie before it."""
    await table.done("anna", StartDemo(system))
    assert waited_for(await table.encounter()).endswith(". Press Join..., or press Begin.")
    for _ in range(4):
        encounter = await table.encounter()
        assert not not_there(encounter), waited_for(encounter)
        if encounter.row.turn:
            break
        state = encounter_state(encounter)
        if state.initiative_winner and not state.first_side:
            assert waited_for(encounter).endswith(" to choose who plays first.")
            assert "Join..." in [one.label for one in game_of(encounter).panel(encounter).buttons]
            first = {EncounterState.first_side.key: state.initiative_winner}
            await arrange(table, "anna", lambda now, first=first: now.row.counters.update(first))
            said = waited_for(await table.encounter())
            assert said == "Waiting for a player for Nightfall. Press Join..., or press First turn."
        else:
            await table.done("anna", NextStep())
    assert (await table.encounter()).row.turn


@pytest.mark.parametrize("system", FREE)
async def test_a_game_that_began_waits_for_somebody_and_one_that_ended_for_nobody(
    table: Table, system: str
) -> None:
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter(FREE[system]))
    await table.done("anna", NextStep())
    said = waited_for(await table.encounter())
    assert said.startswith(("Waiting for anna", "Waiting for bo", "Waiting for anyone"))
    ended = await table.done("anna", EndEncounter())
    loaded = await table.desk.store.load(ended.scope)
    assert loaded is not None
    assert waited_for(Encounter(loaded.book())) == ""


async def test_it_stands_first_on_the_panel(house: House) -> None:
    await house.slash("demo")
    panel = await house.panel()
    _, _, coming = panel.content.partition("**")
    assert coming.startswith("Waiting for a player for Edo. Press Join...,")


async def test_a_defence_and_cards_are_told_apart(table: Table) -> None:
    """What a defender owes is no card yet."""
    await table.done("anna", StartDemo("fracd_earth"))
    await table.done("bo", JoinEncounter("Prowlers"))
    await table.done("anna", NextStep())
    side = waited_for(await table.encounter())
    who, foe, name, whom = (
        ("anna", "bo", "Rook", "Sable") if "anna" in side else ("bo", "anna", "Sable", "Rook")
    )
    await table.done(who, Activate(name=name))
    asked = await table.done(who, Attack(name, whom, distance=0))
    assert (
        waited_for(await table.encounter())
        == f"Waiting for {foe} to choose Defence or Manoeuvre (60 seconds)."
    )
    await table.press(foe, asked, next(one.label for one in asked.reply.buttons if "Def" in one.label))
    assert waited_for(await table.encounter()) == f"Waiting for {who} to select a card (60 seconds)."


async def act_and_be_done(table: Table, system: str) -> Answer | None:
    """Who is next acts, and is done with nothing; what Warzone says to it."""
    encounter = await table.encounter()
    if system == "soluna":
        await table.done("anna", Pass(every=True))
        return None
    if system == "warzone":
        turn = read_turn(encounter)
        unit = squad_of(encounter, turn.left(turn.to_move)[0])
        await table.done("anna", ActivateUnit(unit.name))
        return await table.done("anna", UnitDone())
    number = list_able_figures(encounter, encounter.sides()[0].id)[0]
    await table.done("anna", Activate(name=encounter.model(number).name))
    await table.done("anna", Done())
    return None


async def begun_by_two(table: Table) -> SideRow:
    """A game of Counterblast with a person on each side; gives the side that draws first."""
    await table.done("anna", StartDemo("counterblast"))
    await table.done("bo", JoinEncounter(FREE["counterblast"]))
    begun = await table.do("anna", NextStep())
    if not begun.changed:
        await table.press("anna", begun, begun.reply.buttons[0].label)
    encounter = await table.encounter()
    return encounter.sides()[read_bag(encounter).drawer]


@pytest.mark.rule("CB-BAG-05")
async def test_nobody_is_asked_who_acts_of_a_crew_that_has_nobody_left(table: Table) -> None:
    """A token was drawn, and then all of its crew left play: the draw passes on."""
    drawer = await begun_by_two(table)
    await table.done("anna" if drawer.name == "Lancers" else "bo", DrawToken())
    encounter = await table.encounter()
    drawn = encounter.sides()[read_bag(encounter).drawn or 0]
    assert f"choose who acts for {drawn.name}" in waited_for(encounter)
    for row in encounter.models(drawn.id):
        await table.done("anna" if drawn.name == "Lancers" else "bo", RemoveModel(row.name))
    encounter = await table.encounter()
    assert waited_for(encounter).endswith(" to end the activation.")
    assert {"Draw", "End activation"} <= {
        button.label for button in game_of(encounter).panel(encounter).buttons
    }


@pytest.mark.rule("CB-BAG-05")
async def test_who_has_nobody_left_to_act_skips_the_draw(table: Table) -> None:
    """The last of them left play, or acted, after it was said who draws next."""
    drawer = await begun_by_two(table)
    mine, other = ("anna", "bo") if drawer.name == "Lancers" else ("bo", "anna")

    def acted(at: Encounter) -> None:
        for row in at.models(drawer.id):
            row.counters["activated"] = 1

    await arrange(table, "anna", acted)
    assert waited_for(await table.encounter()).startswith(f"Waiting for {other} to draw")
    assert f"Only {other} can do this" in await table.refused(mine, DrawToken())
    await table.done(other, DrawToken())


@pytest.mark.parametrize("system", ["warzone", "soluna", "fracd_earth"])
async def test_where_one_side_alone_is_left_the_organiser_ends_the_game(table: Table, system: str) -> None:
    """Offered at once; asked for when all have acted, where a next turn would be refused."""
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter(FREE[system]))
    await table.done("anna", NextStep())
    encounter = await table.encounter()
    lost = encounter.models(encounter.sides()[1].id)
    for row in lost:
        await table.done("bo", RemoveModel(row.name))
    for _ in range(9):
        encounter = await table.encounter()
        panel = game_of(encounter).panel(encounter)
        assert "End the game..." in [button.label for button in panel.buttons]
        if "end the game" in waited_for(encounter):
            break
        done = await act_and_be_done(table, system)
        assert done is None or "Next turn" not in [button.label for button in done.reply.buttons]
    assert waited_for(encounter).startswith("Waiting for anna to end the game")
    assert panel.buttons[0].label == "End the game..."
    told = await table.do("anna", panel.buttons[0].action)
    assert told.reply.buttons[0].label == "End the game"


async def test_infinity_ends_by_its_organiser_too(table: Table) -> None:
    """When the last turn is over, and at once where one side alone is left; one in hiding may play on."""
    await table.done("anna", StartDemo("infinity"))
    await table.done("bo", JoinEncounter(FREE["infinity"]))
    await table.done("anna", NextStep())
    encounter = await table.encounter()
    winner = encounter_state(encounter).initiative_winner
    await table.done("anna" if winner == encounter.sides()[0].id else "bo", PlayFirst(winner))
    await table.done("anna", NextStep())
    assert "end the game" not in waited_for(await table.encounter())
    lost = (await table.encounter()).models((await table.encounter()).sides()[1].id)
    for row in lost:
        await table.done("bo", RemoveModel(row.name))
    encounter = await table.encounter()
    assert waited_for(encounter) == "Waiting for anna to end the game, or press End turn."
    assert game_of(encounter).panel(encounter).buttons[0].label == "End the game..."
    for _ in range(2 * encounter.row.turns):
        if (await table.encounter()).count(OVER):
            break
        plays = encounter_state(await table.encounter()).active_side
        last = await table.done("anna" if plays == encounter.sides()[0].id else "bo", NextStep())
    encounter = await table.encounter()
    assert waited_for(encounter) == "Waiting for anna to end the game."
    for reply in (last.reply, game_of(encounter).panel(encounter)):
        assert reply.buttons[0].label == "End the game..."


def test_all_that_an_exchange_asks_has_its_words() -> None:
    assert DECISIONS.keys() <= TASK_WORDS.keys()


@pytest.mark.parametrize("system", FREE)
async def test_the_status_begins_as_the_panel_does(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    for _ in range(2):
        encounter = await table.encounter()
        said = opening(encounter, game_of(encounter).waits, 0)
        assert said[0].startswith("Waiting for ")
        assert (await table.do("anna", ShowEncounter())).reply.lines[: len(said)] == tuple(said)
        await table.do("anna", NextStep())
