"""What sol'una's panel and forms offer: blows where an enemy is in reach, places, what is waited for."""

from __future__ import annotations

import re

import pytest

from bot.actions import Action
from bot.games.soluna.attack_declaration import Attack
from bot.games.soluna.board import parse_square
from bot.games.soluna.board_actions import NewBoard
from bot.games.soluna.close_actions import Grapple
from bot.games.soluna.look_actions import Look, ShowBoard
from bot.games.soluna.model_actions import AddModel
from bot.games.soluna.move_actions import Pass, PlaceModel, Turn
from bot.replies.reply import Reply
from bot.store.rows import PendingRow
from bot.table.act import Actor
from bot.table.game import format_for_encounter, game_of
from bot.table.journal.history import Undo
from bot.table.offers.forms import FormControl, build_form
from bot.table.offers.legal_actions import Looking
from bot.table.realdice import EnterFaces
from bot.table.session.encounters import BEGIN, JoinEncounter, NextStep, Ready, StartEncounter
from bot.table.session.possible_actions import WhatNow, add_action_buttons
from bot.table.session.settings import Settings
from bot.table.waits import first_line
from tests.bot.house import House
from tests.bot.soluna.yard import ANNA, BO, MEENA, PAL, XUL, Yard, opened
from tests.bot.tables import Table
from tests.bot.typist import Typist

pytestmark = pytest.mark.usefixtures("pictures_without_files")

RING = "Pulse Laser Ring"


async def panel(table: Table) -> Reply:
    encounter = await table.encounter()
    return add_action_buttons(encounter, game_of(encounter).panel(encounter))


async def labels(table: Table) -> list[str]:
    return [button.label for button in (await panel(table)).buttons]


async def controls(table: Table, who: str, action: Action) -> dict[str, FormControl]:
    actor: Actor = table.actor(who)
    looking = Looking((await table.loaded()).book(), actor)
    return {one.name: one for one in build_form(looking, action).controls}


def offered(control: FormControl) -> list[str]:
    return [choice.label for choice in control.choices]


async def facing_each_other(table: Table, apart: int) -> Yard:
    return await opened(table, (MEENA, "5,0", "north"), (XUL, f"5,{apart}", "south"))


async def test_a_blow_is_offered_only_where_an_enemy_is_in_reach(table: Table) -> None:
    await facing_each_other(table, 11)
    assert not {"Attack", "Lunge", "Grapple"} & set(await labels(table))
    await table.done(ANNA, Undo())
    await table.done(BO, PlaceModel("Xul", "5,3", "south"))
    await table.done(ANNA, NextStep())
    assert (await labels(table))[0] == "Attack"


async def test_nobody_is_offered_his_own_friend_to_strike(table: Table) -> None:
    await opened(table, (MEENA, "5,0", "north"), (PAL, "5,1", "north"), (XUL, "5,11", "south"))
    assert "Attack" not in await labels(table)
    rest = (await table.do(ANNA, WhatNow("Meena"))).reply
    assert "Attack" not in [button.label for button in rest.buttons]


async def test_of_the_weapons_those_are_offered_that_reach_an_enemy(table: Table) -> None:
    await facing_each_other(table, 3)
    found = offered((await controls(table, ANNA, Attack("Meena")))["weapon"])
    assert found == [RING, "Smoke Grenade", "Wave"], "the saber reaches 2, hands 1"
    await table.done(ANNA, Turn("Meena", "south"))
    assert len(offered((await controls(table, ANNA, Attack("Meena")))["weapon"])) == 5, "none reaches: all"


async def test_combat_points_can_be_forced_by_pressing(table: Table) -> None:
    yard = await facing_each_other(table, 3)
    for _ in range(2):
        await yard.ask(ANNA, Attack("Meena", "Xul", RING), 1, 1, 1, 1)
        if "choose" in yard.answer.reply.text:
            await yard.choose(ANNA if "anna: choose" in yard.answer.reply.text else BO, "none")
        await table.done(ANNA, NextStep())
    rest = (await table.do(ANNA, WhatNow("Meena"))).reply
    assert "Attack" in [button.label for button in rest.buttons]


async def test_dice_that_are_half_thrown_are_not_passed_over(table: Table) -> None:
    await facing_each_other(table, 3)
    await table.do(ANNA, Attack("Meena", "Xul", RING))
    await table.do(ANNA, EnterFaces((3, 4)))
    for action in (Pass("Meena"), Pass(every=True), NextStep()):
        answer = await table.do(ANNA, action)
        assert answer.reply.lines[0] == "Enter these dice first:"
        assert not answer.changed
    kept = (await table.encounter()).book.all(PendingRow)
    assert [row.faces for row in kept] == ["3 4"]


async def test_all_of_a_side_pass_only_while_it_is_their_turn(table: Table) -> None:
    """A slip of the other side's thumb passes nobody; an organiser's reason passes nobody of his own."""
    await opened(table, (MEENA, "5,0", "north"), (PAL, "5,1", "north"), (XUL, "5,11", "south"))
    (every,) = [one.action for one in (await panel(table)).buttons if one.label == "All my models pass"]
    before = table.state()
    slip = await table.do(BO, every)
    assert slip.reply.lines[0] == "Meena is not yours; anna controls this model."
    assert table.state() == before
    assert (await table.done(ANNA, every)).reply.lines[0] == "Meena and Pal pass."
    assert "already acted or passed" in await table.refused(ANNA, every), "a button of before"
    (every,) = [one.action for one in (await panel(table)).buttons if one.label == "All my models pass"]
    assert "not yours" in await table.refused(ANNA, every)


# ---------------------------------------------------------------- before the game


async def test_the_board_is_waited_for_and_laid_by_a_press(table: Table) -> None:
    await table.done(ANNA, StartEncounter("soluna"))
    await table.done(ANNA, AddModel(MEENA, "Dawn"))
    await table.done(ANNA, AddModel(XUL, "Moon"))
    await table.done(BO, JoinEncounter("Moon"))
    encounter = await table.encounter()
    assert first_line(encounter, game_of(encounter).waits, 0) == "Anyone can create a board."
    assert {"Use the sample board", "Create a board"} <= set(await labels(table))
    assert not {"Begin", "Board"} & set(await labels(table))
    await table.done(BO, NewBoard())
    await table.done(BO, Ready())
    assert {"Begin", "Board"} <= set(await labels(table))
    assert "Create a board" not in await labels(table)


async def test_a_model_is_placed_by_the_form_as_it_stands_and_the_next_is_offered(table: Table) -> None:
    await opened(table, (MEENA, "5,0", "north"), (PAL, "6,0", "north"), (XUL, "5,11", "south"), begin=False)
    for name in ("Meena", "Pal"):
        await table.done(ANNA, PlaceModel(name))
    form = await controls(table, ANNA, PlaceModel())
    assert form["model"].said == ("Meena",)
    assert "Pal" not in offered(form["face"]), "who stands nowhere cannot be looked at"
    squares = offered(form["square"])
    assert all(one.split(",")[1] in "01" for one in squares), "the first side's own edge"
    answer = await table.done(ANNA, PlaceModel("Meena", form["square"].said[0]))
    assert "Place the next model..." in [button.label for button in answer.reply.buttons]
    assert (await controls(table, ANNA, PlaceModel()))["model"].said == ("Pal",)
    last = await table.done(ANNA, PlaceModel("Pal", "0,0"))
    assert "Place the next model..." not in [button.label for button in last.reply.buttons]


async def test_to_begin_without_somebody_is_asked_first(table: Table) -> None:
    await opened(table, (MEENA, "5,0", "north"), (XUL, "5,11", "south"), begin=False)
    await table.done(BO, PlaceModel("Xul"))
    await table.done(BO, Ready())
    asked = await table.do(ANNA, BEGIN)
    assert asked.reply.lines[0] == "Not on the board yet: Xul."
    assert (await table.encounter()).row.turn == 0
    assert (await table.press(ANNA, asked, "Begin")).changed
    assert (await table.encounter()).row.turn == 1


async def test_a_letter_that_is_not_the_names_own_is_told(table: Table) -> None:
    second = MEENA.replace("Meena", "Meenak")
    placed = (MEENA, "5,0", "north"), (second, "1,1", "north"), (XUL, "5,11", "south")
    await opened(table, *placed, begin=False)
    lines = (await panel(table)).lines
    assert any("A is Meenak" in line for line in lines), lines


# ---------------------------------------------------------------- the panel


async def test_to_let_a_phase_pass_on_the_panel_sends_nothing_but_the_panel(house: House) -> None:
    await house.slash("demo", system="soluna")
    await house.slash("encounter next")
    shown = await house.panel()
    name = next(one.label for one in shown.controls if one.label.endswith(" passes"))
    count = len(house.public)
    await (await house.anna.press(shown, name)).acknowledged()
    await house.quiet()
    now = await house.panel()
    assert len(house.public) - count == (now.id != shown.id), "nothing but the card"
    assert f"Passed: {name.removesuffix(' passes')}" in now.content


async def test_to_turn_is_offered_only_where_it_turns(table: Table) -> None:
    await facing_each_other(table, 3)
    found = offered((await controls(table, ANNA, Turn("Meena")))["face"])
    assert "Xul" not in found, "she looks that way already"
    assert {"east", "south", "west"} <= set(found)
    assert "north" not in found


async def test_in_words_alone_no_grid_stands_on_panel_board_or_reach(table: Table) -> None:
    """Who stands where is told instead, and the squares of each reach."""
    await facing_each_other(table, 3)
    await table.done(ANNA, Settings("replies", "plain_text"))
    encounter = await table.encounter()
    shown = [format_for_encounter(encounter, await panel(table))]
    shown += [(await table.do(ANNA, action)).reply for action in (ShowBoard(), Look("Meena"))]
    for reply in shown:
        assert not [line for line in reply.lines if "....." in line or line.startswith("```")], reply.text
        assert "Meena 5,0 north" in reply.text
        assert not reply.files
    assert re.search(r"^2: .*\b5,2\b", shown[2].text, re.MULTILINE), shown[2].text


async def test_who_helps_in_a_grapple_stands_next_to_it(table: Table) -> None:
    """Rules: SU-GRAP-02."""
    await opened(table, (MEENA, "5,4", "north"), (PAL, "6,5", "north"), (XUL, "5,5", "south"))
    looking = Looking((await table.loaded()).book(), table.actor(ANNA))
    grapple = Grapple("Meena", "Xul")  # type: ignore[arg-type]
    assert [one.label for one in looking.offers(grapple, "helpers")] == ["Pal"]
    await table.done(ANNA, PlaceModel("Pal", "9,9", "north"))  # type: ignore[arg-type]
    looking = Looking((await table.loaded()).book(), table.actor(ANNA))
    assert not looking.offers(grapple, "helpers")


async def test_squares_are_suggested_that_can_be_gone_to_not_what_is_no_square(table: Table) -> None:
    await opened(table, (MEENA, "2,1", "north"), (XUL, "2,5", "south"))
    typist = Typist(table)
    for command, option in (("sol move", "to"), ("sol place", "square")):
        assert await typist.suggest(ANNA, command, option, "b", model="Meena") == []
        assert await typist.suggest(ANNA, command, option, "3,4", model="Meena") == ["3,4"]
        near = await typist.suggest(ANNA, command, option, "3", model="Meena")
        assert near
        assert all(parse_square(one) for one in near)
    assert await typist.suggest(ANNA, "sol move", "to", "2,2 2,3", model="Meena") == ["2,2 2,3"]
