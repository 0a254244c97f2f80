"""Begin waits until every side is ready, and what was chosen too late is withdrawn."""

from __future__ import annotations

import pytest

from bot.actions import ACTIONS
from bot.games.counterblast.missions.mission_choices import AskMission
from bot.games.counterblast.missions.objectives import LayPlaces, MarkerSpot
from bot.games.infinity.profile_actions import AddModel
from bot.table.desk import MOVED_ON
from bot.table.encounter import Encounter
from bot.table.game import game_of, list_setup_commands
from bot.table.offers.legal_actions import Looking
from bot.table.session.board_actions import ChooseTable, DeploySide
from bot.table.session.card import make_game_card, read_results
from bot.table.session.encounters import JoinEncounter, NextStep, Ready, StartDemo, StartEncounter
from bot.table.session.joining import JoinWithSample
from bot.table.session.models import DamageModel
from bot.table.session.preparations import SetUp
from bot.table.session.settings import Settings
from bot.table.waits import opening, unready
from tests.bot.tables import Table
from tests.bot.waited import waited_for
from tests.games import SYSTEMS


async def two(table: Table, system: str) -> None:
    """Anna organises it and plays the first crew, Bo the second; it has not begun."""
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter())


async def labels(table: Table) -> list[str]:
    encounter = await table.encounter()
    return [button.label for button in game_of(encounter).panel(encounter).buttons]


BEGINS = NextStep(begins=True)
"""What the panel's button asks, past the question for what is left to do."""


@pytest.mark.parametrize("system", SYSTEMS)
async def test_who_plays_both_sides_just_begins(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    assert "Ready" not in await labels(table)
    await table.done("anna", BEGINS)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_nobody_begins_while_the_other_side_is_choosing(table: Table, system: str) -> None:
    await two(table, system)
    shown = await labels(table)
    assert shown[0] == "Ready"
    assert not {"Begin", "First player"} & set(shown)
    before = table.state()
    refused = await table.do("bo", BEGINS)
    assert "anna" in refused.reply.lines[0]
    assert "isn't ready yet" in refused.reply.text
    assert [button.label for button in refused.reply.buttons] == ["Ready"]
    assert table.state() == before
    await table.press("bo", refused, "Ready")
    assert "isn't ready" in await table.refused("bo", BEGINS)
    shown = await labels(table)
    assert "Ready" not in shown, "Anna is the last one: she begins at once"
    await table.done("anna", BEGINS)
    assert "Ready" not in await labels(table)
    assert "already" in await table.refused("bo", Ready())


async def begins(table: Table) -> list[str]:
    """The labels on the card of the button that begins the game."""
    loaded = await table.loaded()
    card = make_game_card(Encounter(loaded.book()), loaded.scope.version, ()).live()
    return [button.label for button in card.buttons if isinstance(button.action, NextStep)]


@pytest.mark.parametrize("with_board", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
async def test_begin_is_offered_to_those_alone_who_may_begin(
    table: Table, system: str, with_board: bool
) -> None:
    await two(table, system)
    if with_board and system != "soluna":
        await table.done("anna", ChooseTable())
        await table.done("anna", DeploySide((await table.encounter()).sides()[0].name))
    assert await begins(table) == []
    await table.done("bo", Ready())
    assert await begins(table) == ["Begin (only anna)"]
    await table.done("anna", BEGINS)


async def test_begin_is_not_offered_to_a_side_of_infinity_without_a_lieutenant(table: Table) -> None:
    await table.done("anna", StartEncounter("infinity"))
    for name in ("Reds", "Blues"):
        await table.done("anna", AddModel("Sentry", side=name))
    assert "Choose a Lieutenant for Reds" in await table.refused("anna", BEGINS)
    assert await begins(table) == []
    assert (
        "choose a Lieutenant with Set up..."
        in game_of(await table.encounter()).waits(await table.encounter()).what
    )


@pytest.mark.parametrize("system", ["warzone", "counterblast"])
async def test_the_panel_says_who_is_still_choosing(table: Table, system: str) -> None:
    """Whoever is ready without a mission is not asked for one again."""
    missions = "choose a mission, or " if system == "counterblast" else ""
    await two(table, system)
    encounter = await table.encounter()
    assert f"anna and bo to {missions}press Ready" in " ".join(
        opening(encounter, game_of(encounter).waits, 0)
    )
    await table.done("anna", Ready())
    encounter = await table.encounter()
    assert f"Waiting for bo to {missions}press Begin." in " ".join(
        opening(encounter, game_of(encounter).waits, 0)
    )


async def test_an_organiser_begins_for_a_reason_that_everybody_reads(table: Table) -> None:
    await two(table, "warzone")
    begun = await table.done("anna", BEGINS, reason="bo wrote that he is ready")
    assert "Override by anna: bo wrote that he is ready" in begun.reply.lines


async def test_a_side_that_somebody_brings_later_has_to_be_ready_too(table: Table) -> None:
    await two(table, "warzone")
    await table.done("bo", Ready())
    await table.done("cy", JoinWithSample())
    assert "cy" in await table.refused("anna", BEGINS)


@pytest.mark.parametrize("opens", [SetUp(), AskMission()], ids=["set up", "mission"])
async def test_who_opens_a_menu_again_is_not_ready_any_more(table: Table, opens: SetUp | AskMission) -> None:
    await two(table, "counterblast")
    await table.done("anna", Ready())
    entries = (await table.loaded()).scope.moved
    assert (await table.do("anna", opens)).changed
    assert (await table.loaded()).scope.moved == entries, "it is no step of the game"
    assert "isn't ready" in await table.refused("bo", BEGINS)


async def test_who_set_up_between_the_initiative_and_the_first_turn_is_waited_for(table: Table) -> None:
    """The panel names the one who begins, as it did before the roll."""
    await two(table, "infinity")
    await table.done("bo", Ready())
    rolled = await table.done("anna", BEGINS)
    won = "anna" if rolled.reply.lines[0].startswith("Vanguard") else "bo"
    await table.press(won, rolled, "Play first")
    assert waited_for(await table.encounter()) == "Anyone can press First turn."
    await table.do("bo", SetUp())
    assert waited_for(await table.encounter()) == "Waiting for bo to press First turn."
    assert "bo (Nightfall) isn't ready" in await table.refused("anna", BEGINS)
    await table.done("bo", BEGINS)


async def test_who_is_ready_reads_alone_what_is_left_to_do(table: Table) -> None:
    """As whoever begins is asked; and a side that is ready is not waited for to trap a place."""
    await two(table, "counterblast")
    for who, mission in (("anna", "Scouting"), ("bo", "Invasion")):
        menu = await table.do(who, AskMission())
        await table.choose(who, menu, mission)
    told = await table.do("bo", Ready())
    (private,) = told.reply.also
    assert private.private
    assert "Edo has not set up the places for Invasion." in private.lines
    assert [one.label for one in private.buttons] == ["Set up places"]
    spots = (MarkerSpot(10, 20, (13,)), MarkerSpot(24, 22, (13,)), MarkerSpot(38, 20, (13,)))
    await table.done("anna", LayPlaces(spots))
    assert "trap a place" not in waited_for(await table.encounter())
    assert waited_for(await table.encounter()) == "Waiting for anna to press Begin."


async def test_a_menu_that_is_void_is_withdrawn_at_the_first_press(table: Table) -> None:
    await table.done("anna", StartDemo())
    menu = await table.do("anna", AskMission())
    await table.done("anna", NextStep())
    late = await table.choose("anna", menu, "Abduction")
    assert late.reply.lines == ("It is too late. Missions have to be chosen before the game begins.",)
    assert late.reply.replaces
    assert not late.reply.menus


async def test_a_step_that_only_asks_makes_nobody_ready(table: Table) -> None:
    await two(table, "counterblast")
    await table.done("bo", Ready())
    before = table.state()
    asked = await table.do("anna", NextStep(asks=True))
    assert asked.reply.buttons[-1].label == "Begin anyway"
    assert not asked.changed
    assert table.state() == before
    assert [side.name for side in unready(await table.encounter())] == ["Lancers"]
    await table.press("anna", asked, "Begin anyway")
    assert (await table.encounter()).row.turn == 1


@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_was_offered_in_private_is_withdrawn_when_it_is_pressed_too_late(
    table: Table, system: str
) -> None:
    """The refusal stands in the place of the private menu: what the game has gone past, and the setup."""
    await table.done("anna", StartDemo(system))
    await table.done("anna", BEGINS)
    row = (await table.encounter()).models()[0]
    late = await table.do("anna", DamageModel(row.name), version=1)
    assert late.reply.lines[0] == MOVED_ON
    assert late.reply.private
    assert late.reply.replaces
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    for command in list_setup_commands(await table.encounter()):
        if looking.legal(ACTIONS[command]).whatever:
            assert (await table.do("anna", ACTIONS[command]())).reply.replaces, command


@pytest.mark.parametrize("system", ["counterblast", "infinity", "warzone", "fracd_earth"])
async def test_who_is_not_on_the_board_yet_deploys_first(table: Table, system: str) -> None:
    """Each player has one button that is lit: the own side's, and Ready once nobody is left to deploy."""
    await two(table, system)
    await table.done("anna", ChooseTable())
    first, other = (await table.encounter()).sides()
    assert await lit(table) == [f"Deploy {first.name} (only anna)", f"Deploy {other.name} (only bo)"]
    await table.done("anna", DeploySide(first))
    assert await lit(table) == [f"Deploy {other.name} (only bo)"]
    await table.done("anna", Settings("ping", "never"))
    assert await lit(table) == [f"Deploy {other.name} (only bo)"], "the panel has it, too"
    await table.done("bo", DeploySide(other))
    assert (await lit(table))[0] == "Ready"


async def lit(table: Table) -> list[str]:
    """The buttons of the card that are lit."""
    loaded = await table.loaded()
    _, entries = await table.desk.store.card(loaded.scope.id, loaded.scope.moved, 1)
    card = make_game_card(Encounter(loaded.book()), loaded.scope.moved, [*read_results(entries)]).live()
    return [button.label for button in card.buttons if button.style == "main"]
