"""Whoever takes back a step that laid another's secret open has seen it: that other's word is asked."""

from __future__ import annotations

import pytest

from bot.games.counterblast.missions.mission_choices import ChooseSecretly, RevealMission
from bot.games.counterblast.state.missions import CHOSEN
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.search_actions import Discover
from bot.store.rows import SecretRow
from bot.table.encounter import Encounter
from bot.table.journal.history import Redo, Undo
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import NoteModel
from tests.bot.arranging import arrange
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.infinity.field import Field
from tests.bot.tables import Table

OPEN = "This revealed something hidden."


async def _acts(duel: Duel, name: str) -> None:
    def free(encounter: Encounter) -> None:
        encounter.row.counters["acting"] = encounter.find_model(name).id

    await duel.arrange(free)


@pytest.fixture
async def shot(table: Table) -> Duel:
    """Vale shoots at Sable, who answers with Def; both have drawn two cards."""
    duel = await Duel.open(table)
    await duel.stack(ANNA, top="9S 3S", buff="2H 3H 6H 8H 10H")
    await duel.stack(BO, top="5S 2S", buff="4C 7C 8C 9C 10C")
    await _acts(duel, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6, cover="soft"))
    await duel.press(BO, "Defence 5")
    return duel


async def test_cards_that_a_last_selection_flips(shot: Duel) -> None:
    await shot.select(BO, "5S")
    await shot.select(ANNA, "9S")
    before = shot.table.state()
    asked = await shot.table.done(ANNA, Undo())
    assert asked.reply.lines[0] == "anna asks bo to agree to undo this:"
    assert OPEN in asked.reply.lines
    undone = await shot.table.press(BO, asked, "Agree")
    assert undone.reply.lines[0].startswith("Undone")
    assert (await shot.table.done(ANNA, Redo())).reply.lines[0].startswith("Redone")
    assert shot.table.state() == before


async def test_who_selects_first_has_seen_nothing(shot: Duel) -> None:
    await shot.select(BO, "5S")
    assert (await shot.table.done(BO, Undo())).reply.lines[0].startswith("Undone")


async def test_a_buff_card_and_a_push_that_the_last_pass_turns_up(shot: Duel) -> None:
    await shot.select(BO, "5S")
    await shot.select(ANNA, "9S")
    await shot.press(BO, "Pass")
    await shot.choose(ANNA, "Play a Buff", "replace 10H")
    assert (await shot.table.done(ANNA, Undo())).reply.lines[0].startswith("Undone"), "nothing of bo's"
    await shot.choose(ANNA, "Play a Buff", "replace 10H")
    await shot.press(BO, "Pass")
    asked = await shot.table.done(BO, Undo())
    assert asked.reply.lines[0] == "bo asks anna to agree to undo this:"
    assert OPEN in asked.reply.lines
    await shot.table.press(ANNA, asked, "Don't agree")
    await shot.press(BO, "Push")
    await shot.press(ANNA, "Pass")
    assert (await shot.table.done(ANNA, Undo())).reply.lines[0] == "anna asks bo to agree to undo this:"


async def test_a_pass_that_turns_nothing_up_is_ones_own(shot: Duel) -> None:
    await shot.select(BO, "5S")
    await shot.select(ANNA, "9S")
    await shot.press(BO, "Pass")
    await shot.press(ANNA, "Pass")
    assert (await shot.table.done(ANNA, Undo())).reply.lines[0].startswith("Undone")


async def test_several_steps_of_which_an_earlier_one_laid_something_open(shot: Duel) -> None:
    await shot.select(BO, "5S")
    await shot.select(ANNA, "9S")
    await shot.table.done(ANNA, NoteModel("Captain Vale", "leads"))
    assert (await shot.table.done(ANNA, Undo())).reply.lines[0].startswith("Undone")
    await shot.table.done(ANNA, NoteModel("Captain Vale", "leads"))
    assert (await shot.table.done(ANNA, Undo(2))).reply.lines[0] == "anna asks bo to agree to undo this:"


async def test_initiative_that_another_player_declared(table: Table) -> None:
    duel = await Duel.open(table)

    def all_done(encounter: Encounter) -> None:
        for model in encounter.models():
            model.counters["activated"] = encounter.row.turn

    await duel.arrange(all_done)
    for who in (ANNA, BO):
        shown = await duel.table.do(who, NextStep())
        if shown.changed:
            break
    assert (await table.done(who, Undo())).reply.lines[0].startswith(f"{who} asks")


async def test_a_marker_that_was_discovered(table: Table) -> None:
    field = await Field.open(table)
    await field.ask(ANNA, Discover("Angus", "Camo Marker 1"))
    lines = await field.pass_on(BO, 8)
    assert lines[0] == "Angus discovers Camo Marker 1. It is Prowler."
    asked = await table.done(ANNA, Undo())
    assert asked.reply.lines[0] == "anna asks bo to agree to undo this:"
    assert OPEN in asked.reply.lines


async def test_a_discovery_that_failed_laid_nothing_open(table: Table) -> None:
    field = await Field.open(table)
    await field.ask(ANNA, Discover("Angus", "Camo Marker 1"))
    await field.pass_on(BO, 10)
    assert (await table.done(ANNA, Undo())).reply.lines[0].startswith("Undone")


async def test_an_aro_that_was_let_go_in_secret_is_not_betrayed_by_a_question(table: Table) -> None:
    field = await Field.open(table)
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Tracker"))
    await field.ask(ANNA, Aro("Wraith", "nothing"))
    assert field.answer.reply.private
    await field.pass_on(ANNA)
    assert (await table.done(BO, Undo())).reply.lines[0].startswith("Undone")


@pytest.fixture
async def chosen(table: Table) -> Table:
    """Both have chosen a mission in secret, before the first turn."""
    await table.done(ANNA, StartDemo())
    await table.done(BO, JoinEncounter("Edo"))
    await table.done(ANNA, ChooseSecretly("Sabotage"))
    await table.done(BO, ChooseSecretly("Scouting"))
    return table


async def test_a_mission_is_its_sides_to_show_and_to_hide_again(chosen: Table) -> None:
    await chosen.done(BO, RevealMission())
    assert (await chosen.done(BO, Undo())).reply.lines[0].startswith("Undone")


async def test_what_an_organiser_lets_be_shown_of_another_is_asked_of_that_one(chosen: Table) -> None:
    def shown(encounter: Encounter) -> None:
        rows = [row for row in encounter.book.all(SecretRow) if row.kind == CHOSEN and row.side != 1]
        rows[0].revealed = True

    await arrange(chosen, ANNA, shown)
    asked = await chosen.done(ANNA, Undo())
    assert asked.reply.lines[0] == "anna asks bo to agree to undo this:"
    overridden = await chosen.press(ANNA, asked, "Override...", reason="a slip")
    assert overridden.reply.lines[-1] == "anna didn't ask bo to agree."
