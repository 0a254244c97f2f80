"""A game's own moves and facts on the shared board: measured, told, and taken back together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.games.counterblast.core.narration import after_hit, build_offer_button
from bot.games.counterblast.gear.items import UseItem
from bot.games.counterblast.ground.flames import EndFire, StartFire
from bot.games.counterblast.ground.places import AddArea, DropArea
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.movement.climbing import Pounce
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.shooting.arcs import ArcLeap, cover_of_arc, reached
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.ground import write_fire
from bot.games.counterblast.state.models import fighter
from bot.games.counterblast.state.sight import clear_clouds
from bot.games.counterblast.templates.coverage import find_landing_spot, find_models_under
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.fracd_earth.attack_actions import Attack as FracdAttack
from bot.games.fracd_earth.move_actions import Move as FracdMove
from bot.games.infinity import concealment
from bot.games.infinity.attack_actions import Assault
from bot.games.infinity.attack_actions import Fight as InfinityFight
from bot.games.infinity.attack_actions import Shoot as InfinityShoot
from bot.games.infinity.hiding_actions import Hide, Reveal
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.order_rows import order_of
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import React, Resolve
from bot.games.infinity.search_actions import Discover
from bot.games.infinity.turn_actions import PlayFirst
from bot.games.warzone.fields import find_models_under as lying_under_warzone
from bot.games.warzone.move_actions import Move as WarzoneMove
from bot.games.warzone.shots import Shoot as WarzoneShoot
from bot.games.warzone.shots import Template as WarzoneTemplate
from bot.games.warzone.units import model_of
from bot.store.rows import ModelRow
from bot.table.asking.measuring import Spot
from bot.table.board import showing
from bot.table.board.routes import KnowsPaces, planned
from bot.table.board.surface import board_of, clouds_on, hidden_places, place_of
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.odds.attacks import add_chances
from bot.table.odds.targets import MeasureModels
from bot.table.offers.forms import begin_draft, build_form
from bot.table.offers.legal_actions import Looking
from bot.table.reaction_windows import window_of
from bot.table.session.board_actions import (
    AddTerrain,
    ChooseTable,
    DeploySide,
    HideModel,
    MoveModel,
    PlaceModel,
)
from bot.table.session.drafts import Draft
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from rules.measure import Body
from rules.measure import under as lies_under
from rules.systems.counterblast.core.burning import Fire
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.shooting.templates import Landing
from tests.bot.arranging import arrange
from tests.bot.counterblast.building.test_build_gear import carries
from tests.bot.counterblast.psionics.test_psi_play import knows
from tests.bot.counterblast.ring import active, block, gifted, under
from tests.bot.tables import Table


async def _played(table: Table, system: str, terrain: tuple[AddTerrain, ...] = (), **places: str) -> None:
    """A game of Anna and Bo that has begun on an empty table, with models at these places."""
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter((await table.encounter()).sides()[1].name))
    await table.done("anna", ChooseTable("48x48"))
    for piece in terrain:
        await table.done("anna", piece)
    encounter = await table.encounter()
    for name, where in places.items():
        row = encounter.find_model(name.replace("_", " "))
        who = "anna" if row.side == encounter.sides()[0].id else "bo"
        await table.done(who, PlaceModel(row.name, where))
    await table.done("anna", NextStep())


async def _row(table: Table, name: str) -> ModelRow:
    return (await table.encounter()).find_model(name, gone=True)


async def _at(table: Table, name: str) -> Any:
    return place_of(await _row(table, name))


def _text(answer: Any) -> str:
    return str(answer.reply.text)


# ------------------------------------------------------------------------------------ Counterblast


@pytest.mark.rule("CB-MOVE-01", "CB-TERR-02", "CB-TERR-12")
async def test_a_move_of_counterblast_goes_on_the_board_and_pays_for_its_ground(table: Table) -> None:
    hedge = AddTerrain("hedge", "18 20", "0.6", along="22 20")
    wall = AddTerrain("low wall", "28 20", "0.5", along="34 20")
    await _played(table, "counterblast", (hedge, wall), Skip="20 17")
    await arrange(table, "anna", active("Skip"))
    far = await table.refused("anna", Move("Skip", where="6 north"))
    assert "can move at most 5 in" in far, "the hedge is Rugged 1"
    moved = await table.done("anna", Move("Skip", where="5 north"))
    assert "Skip Westmoreland moves 5 in, to K14 (20, 22)." in moved.reply.lines
    assert "It crosses hedge (roughness 1) for 0.6 in." in moved.reply.lines
    assert "Measured: hedge (Rugged 1), 5 in." in _text(moved)
    assert await _at(table, "Skip") == (20, 22)
    await table.done("anna", Undo())
    assert await _at(table, "Skip") == (20, 17)
    await table.done("anna", PlaceModel("Skip", "30 18"))
    over = await table.refused("anna", Move("Skip", where="5 north"))
    assert "at most 4.5 in" in over, "1 in up and 0.5 in through the wall"
    corrected = await table.done("anna", Move("Skip", where="5 north", height=0.5))
    assert "Entered by hand: height 0.5 (on the board: 1 in up)" in _text(corrected)
    assert await _at(table, "Skip") == (30, 23)


@pytest.mark.rule("CB-TERR-07")
async def test_dangerous_ground_on_the_way_is_tested(table: Table) -> None:
    pit = AddTerrain("dangerous ground", "20 20", "2")
    await _played(table, "counterblast", (pit,), Skip="20 17")
    await arrange(table, "anna", active("Skip"))
    moved = await table.done("anna", Move("Skip", where="2 north"))
    assert "In dangerous ground [2], Skip Westmoreland must pass an Initiative check" in _text(moved)


async def test_moving_on_the_board_while_acting_is_the_games_own_move(table: Table) -> None:
    await _played(table, "counterblast", Skip="20 17")
    await arrange(table, "anna", active("Skip"))
    asked = await table.do("anna", MoveModel("Skip", "6 north"))
    assert asked.reply.private
    assert [one.label for one in asked.reply.buttons] == ["Move", "Move only on the board"]
    assert await _at(table, "Skip") == (20, 17)
    only = await table.press("anna", asked, "Move only on the board")
    assert "This doesn't count as an action in the game." in only.reply.lines, (
        "or it would read like a second move"
    )
    assert await _at(table, "Skip") == (20, 23)
    twice = await table.do("anna", MoveModel("Skip", "7 north"))
    assert twice.reply.buttons[0].label == "Two Moves"
    await table.press("anna", twice, "Two Moves")
    assert await _at(table, "Skip") == (20, 30)
    ended = await table.do("anna", MoveModel("Skip", "6 south"))
    assert [one.label for one in ended.reply.buttons] == ["Move only on the board"]
    assert "The game doesn't allow this move now." in _text(ended)
    nudged = await table.done("anna", MoveModel("Skip", "0.1 south"))
    assert "moves 0.1 in" in _text(nudged)


@pytest.mark.parametrize(
    ("where", "told"),
    [("6 north", True), ("to 21.19 20", True), ("to 20 18.82", False), ("to 18 20", False)],
    ids=["through", "round the side", "into contact", "past"],
)
async def test_a_base_in_the_way_of_a_move_is_told(table: Table, where: str, told: bool) -> None:
    await _played(table, "counterblast", Skip="20 17", Trapper="20 20")
    await arrange(table, "anna", active("Skip"))
    moved = await table.done("anna", Move("Skip", where=where))
    assert ("The route overlaps the base of Trapper." in moved.reply.lines) is told


@pytest.mark.rule("CB-OVER-02", "CB-LOS-02")
async def test_overwatch_is_asked_where_the_mover_comes_into_sight(table: Table) -> None:
    """A wall between them: behind it nobody is asked; past its end the shot is measured at that place."""
    wall = AddTerrain("wall", "14 22", "0.5", along="24 22")
    await _played(table, "counterblast", (wall,), Trapper="20 24", Sally="20 20")
    await arrange(table, "anna", active("Trapper"), under("overwatch", "Sally"))
    await table.done("bo", Move("Trapper", where="2 east"))
    assert window_of(await table.encounter()) is None
    await table.done("bo", Undo())
    await table.do("bo", Move("Trapper", where="7 east then 1 south", moves=2))
    assert window_of(await table.encounter()) is not None
    assert await _at(table, "Trapper") == (20, 24), "it waits before it moves on"
    fired = await table.do("anna", Shoot("Sally", "Trapper", mode="overwatch"))
    assert "Measured: 6.4 in" in _text(fired), _text(fired)


@pytest.mark.rule("CB-CHARGE-04", "CB-CHARGE-05")
async def test_a_charge_ends_in_contact_and_only_those_near_step_in(table: Table) -> None:
    places = {"Sally": "20 17", "Trapper": "20 21", "Edo_Guardling": "21.5 21", "Edo_Spawnling": "30 21"}
    await _played(table, "counterblast", **places)
    await arrange(table, "anna", active("Sally"))
    charged = await table.done("anna", Charge("Sally", "Trapper"))
    while not charged.reply.menus and any(one.label == "Don't shoot" for one in charged.reply.buttons):
        charged = await table.press("bo", charged, "Don't shoot")
    at, other = await _at(table, "Sally"), await _at(table, "Trapper")
    assert abs(other[1] - at[1]) < 1.6
    choices = [one.label for one in charged.reply.menus[0].choices] if charged.reply.menus else []
    assert any("Guardling" in one for one in choices), _text(charged)
    assert not any("Spawnling" in one for one in choices)


@pytest.mark.rule("CB-ACT-08", "CB-TERR-05")
async def test_a_team_measures_from_each_of_its_shooters(table: Table) -> None:
    """Bases of 30 mm are 1.18 in wide, so middles 8 and 5 in apart are 6.82 and 3.82 in."""
    wall = AddTerrain("wall", "24.8 22", "2x0.5")
    await _played(table, "counterblast", (wall,), Skip="24 16", Smap="19 24", Trapper="24 24")
    await arrange(table, "anna", active("Skip", "Smap"))
    odds = _text(await table.do("anna", TeamShot("Skip, Smap", "Trapper", odds=True)))
    assert "Measured: 6.8 in, 3.8 in, cover 3: wall, cover 0." in odds
    by_hand = _text(await table.do("anna", TeamShot("Skip, Smap", "Trapper", "8 6", odds=True)))
    assert "Entered by hand: distance 8 6 (on the board: 6.8 in, 3.8 in)" in by_hand
    high = AddTerrain("wall", "24 20", "6x0.5")
    await table.done("anna", high)
    unseen = await table.refused("anna", TeamShot("Skip, Smap", "Trapper", odds=True))
    assert "there is no line of sight because of wall 2" in unseen


@pytest.mark.rule("CB-PSI-04", "CB-LOS-02")
async def test_a_power_measures_the_distance_and_sight_of_each_target(table: Table) -> None:
    places = {"Prime": "24 30", "Skip": "24 24", "Wanda": "30 30", "Smap": "20 30"}
    wall = AddTerrain("wall", "22 30", "0.5x6")
    await _played(table, "counterblast", (wall,), **places)
    await arrange(table, "bo", knows("Prime", "blast"), active("Prime"))
    both = _text(await table.do("bo", UsePower("Prime", "Blast", "Skip 2, Wanda 1", odds=True)))
    assert "Measured: 4.8 in, 4.8 in." in both
    hidden = UsePower("Prime", "Blast", "Smap", odds=True)
    assert "Measured: 2.8 in, Smap is out of sight." in _text(await table.do("bo", hidden))
    entered = await table.do("bo", replace(hidden, by_hand=("unseen",)))
    assert "Entered by hand: unseen no (on the board: Smap is out of sight)." in _text(entered)


@pytest.mark.rule("CB-CHARGE-01", "CB-TERR-02", "CB-TERR-12")
async def test_a_charge_pays_for_the_ground_on_its_way(table: Table) -> None:
    """Over a wall of 1 in by 0.5 in: 1.5 in; through a hedge: Rugged 1."""
    wall, hedge = AddTerrain("low wall", "24 20", "4x0.5"), AddTerrain("hedge", "34 20", "4x0.6")
    places = {"Skip": "24 18", "Trapper": "24 23", "Smap": "34 18", "Prime": "34 23"}
    await _played(table, "counterblast", (wall, hedge), **places)
    await arrange(table, "anna", active("Skip", "Smap"))
    over = _text(await table.do("anna", Charge("Skip", "Trapper", odds=True)))
    assert "Measured: 3.8 in, 1 in up, low wall (0.5 in deep)." in over
    through = _text(await table.do("anna", Charge("Smap", "Prime", odds=True)))
    assert "Measured: 3.8 in, hedge (Rugged 1)." in through


@pytest.mark.rule("CB-WEAP-23")
async def test_an_arc_reaches_whom_the_board_shows_within_its_inches(table: Table) -> None:
    """Middles 3.1 in apart are 1.92 in, and 3.3 in apart are 2.12 in.

    A wall of 1 in that ends 2.35 in from eyes at 1.5 in hides 1.5 - 0.5 * 3.1 / 2.35 = 0.84 in of 1.5 in.
    """
    places = {"Prime": "24 30", "Skip": "24 24", "Wanda": "27.1 24", "Smap": "20.7 24"}
    await _played(table, "counterblast", (), **places)
    encounter = await table.encounter()
    prime, skip, wanda = (encounter.find_model(one).id for one in ("Prime", "Skip", "Wanda"))
    assert [one.name for one in reached(encounter, prime, skip)] == ["Wanda Whitestar"]
    assert cover_of_arc(encounter, ArcLeap(prime, skip, wanda)) == 0
    assert cover_of_arc(encounter, ArcLeap(prime, skip, wanda, cover=2)) == 2
    await table.done("anna", AddTerrain("low wall", "26.1 24", "0.5x4"))
    assert cover_of_arc(await table.encounter(), ArcLeap(prime, skip, wanda)) == 3


@pytest.mark.rule("CB-WEAP-07")
async def test_a_fight_at_reach_is_measured(table: Table) -> None:
    await _played(table, "counterblast", Edo_Guardling="24 24", Sally="24 21.2")
    await arrange(table, "bo", active("Edo Guardling"))
    odds = await table.do("bo", Fight("Edo Guardling", "Sally", odds=True))
    assert "Measured: 1.6 in." in _text(odds)


async def test_a_template_is_aimed_at_what_is_tapped_and_what_bars_a_shot_is_told(table: Table) -> None:
    await _played(table, "counterblast", Skip="24 20", Sally="20 20", Trapper="24 25", Prime="34 40")
    await arrange(table, "anna", active("Skip"))
    near = await table.do("anna", MeasureModels("Skip", "Trapper"))
    (template,) = [one.action for one in near.reply.buttons if one.label == "Template"]
    assert isinstance(template, Template)
    assert (await table.encounter()).find_model(str(template.spot)).name == "Trapper"
    far = await table.do("anna", MeasureModels("Skip", "Prime"))
    assert "Shoot: Pulsar Rifle only reaches 16 in" in _text(far)
    await table.done("anna", MoveModel("Sally", "3 south"))
    moved = await table.done("anna", MoveModel("Sally", "3 north"))
    assert (
        "The model isn't acting now, so this move doesn't count as an action in the game."
        in moved.reply.lines
    )


@pytest.mark.rule("CB-OVER-02")
async def test_what_may_be_shot_at_on_its_way_has_the_least_cover_and_then_is_nearest(table: Table) -> None:
    """A low wall covers it at first; past the wall it is seen, and nearest where it ends: 6 less 1.18 in."""
    wall = AddTerrain("low wall", "20 25", "4x0.5")
    await _played(table, "counterblast", (wall,), Trapper="20 26", Sally="24 20")
    await arrange(table, "anna", active("Trapper"), under("overwatch", "Sally"))
    asked = await table.do("bo", Move("Trapper", where="4 east"))
    assert "Trapper is about to move 4 in to M12" in _text(asked)
    assert 'class="path"' in showing.svg(await table.encounter())
    fired = await table.do("anna", Shoot("Sally", "Trapper", mode="overwatch"))
    assert "Measured: 4.8 in, cover 0" in _text(fired), _text(fired)


@pytest.mark.rule("CB-TMPL-04", "CB-TMPL-16")
async def test_a_burst_is_measured_around_its_firer_and_asks_nothing(table: Table) -> None:
    """R4 reaches 2 in from the base: one, then none; its target point isn't asked."""
    await _played(table, "counterblast", Skip="24 18", Trapper="24 20.5", Smap="24 30")
    await arrange(table, "anna", block("Skip", "skip_westmoreland", "emp_burst_r4"), active("Skip"))
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    form = build_form(looking, Template("Skip", "EMP Burst R4"))
    assert not any(control.name == "spot" and (control.said or control.choices) for control in form.controls)
    odds = _text(await table.do("anna", Template("Skip", "EMP Burst R4", odds=True)))
    assert "under the template: Trapper" in odds
    assert "Smap" not in odds
    await table.done("bo", PlaceModel("Trapper", "24 25"))
    fired = await table.done("anna", Template("Skip", "EMP Burst R4"))
    assert "On the board, no model is under the template." in _text(fired)
    assert "Which models" not in _text(fired)


@pytest.mark.rule("CB-TMPL-10", "CB-BURN-03")
async def test_ground_that_burns_lies_on_the_board_until_it_goes_out(table: Table) -> None:
    """Flames of R5 reach 2.5 in around the spot, and 3 in when they have grown to R6."""
    await _played(table, "counterblast", Skip="24 18", Trapper="24 22")
    await arrange(table, "anna", block("Skip", "skip_westmoreland", "flamethrower"), active("Skip"))
    await table.done("anna", Template("Skip", "Flamethrower", spot="Trapper"))

    async def burning() -> list[Any]:
        board = board_of(await table.encounter())
        assert board is not None
        return [(one.name, one.shape.points, one.shape.numbers) for one in board.terrain]

    assert await burning() == [("flames", ((24.0, 22.0),), (2.5,))]
    seen = _text(await table.do("anna", MeasureModels("Skip", "Trapper")))
    assert "Trapper is in flames." in seen
    await arrange(table, "anna", lambda encounter: write_fire(encounter, "flames", Fire(1, 6)))
    assert await burning() == [("flames", ((24.0, 22.0),), (3.0,))]
    await arrange(table, "anna", lambda encounter: write_fire(encounter, "flames", None))
    assert await burning() == []


@pytest.mark.rule("CB-BURN-01", "CB-BURN-05")
async def test_burning_ground_on_the_board_sets_on_fire_whoever_goes_through_it_or_stands_in_it(
    table: Table,
) -> None:
    places = {"Skip": "24 18", "Sally": "30 22", "Edo_Guardling": "30 27"}
    await _played(table, "counterblast", **places)
    await arrange(table, "anna", block("Skip", "skip_westmoreland", "flamethrower"), active("Skip"))
    await table.done("anna", Template("Skip", "Flamethrower", spot="24 25"))
    await table.done("anna", PlaceModel("Skip", "40 25"))
    await arrange(table, "anna", active("Sally"))
    suited = await table.done("anna", Move("Sally", where="to 26.5 24"))
    assert "takes a hit" not in _text(suited), "an Envirosuit keeps the fire off"
    await table.done("anna", PlaceModel("Sally", "40 20"))
    await arrange(table, "anna", active("Edo Guardling"))
    beside = await table.done("bo", Move("Edo Guardling", where="1 west"))
    assert "takes a hit" not in _text(beside)
    await table.done("bo", Undo())
    entered = await table.done("bo", Move("Edo Guardling", where="to 26.5 25"))
    assert "Edo Guardling is in the fire and takes a hit (Power 5, 1 wound)." in _text(entered)
    assert (await table.encounter()).condition((await _row(table, "Edo Guardling")).id, "burning")
    hit = await table.press("bo", entered, "Take the hit")
    assert "Edo Guardling is burning." in _text(hit)


GLASS = AddTerrain("dangerous ground", "20 27", "1", name="glass")


async def _arrives(table: Table, charged: Any) -> str:
    """What is told of a charge at which nobody shoots."""
    while any(one.label == "Don't shoot" for one in charged.reply.buttons):
        charged = await table.press("anna", charged, "Don't shoot")
    return _text(charged)


@pytest.mark.rule("CB-BURN-01", "CB-BURN-05", "CB-TERR-07")
async def test_a_charge_meets_the_ground_on_its_way_as_a_move_does(table: Table) -> None:
    await _played(table, "counterblast", (GLASS,), Edo_Guardling="20 30", Trapper="26 30", Skip="20 23")
    await table.done("anna", StartFire(inches=2, spot="20 25"))
    await arrange(table, "bo", active("Edo Guardling"))
    charged = await table.done("bo", Charge("Edo Guardling", "Skip"))
    while any(one.label == "Don't shoot" for one in charged.reply.buttons):
        charged = await table.press("anna", charged, "Don't shoot")
    arrived = _text(charged)
    assert "Edo Guardling is in the fire and takes a hit (Power 5, 1 wound)." in arrived
    assert "In glass (dangerous [2]), Edo Guardling must pass an Initiative check" in arrived
    assert {"Take the hit", "Check"} <= {one.label for one in charged.reply.buttons}
    assert (await table.encounter()).condition((await _row(table, "Edo Guardling")).id, "burning")


@pytest.mark.rule("CB-TERR-07")
async def test_a_charge_over_ground_that_is_entered_without_a_board_is_checked(table: Table) -> None:
    await table.done("anna", StartDemo("counterblast"))
    await table.done("bo", JoinEncounter((await table.encounter()).sides()[1].name))
    await table.done("anna", NextStep())
    await table.done("anna", AddArea("glass"))
    await arrange(table, "bo", active("Edo Guardling"))
    arrived = await _arrives(
        table, await table.done("bo", Charge("Edo Guardling", "Skip", 3, ground=("glass",)))
    )
    assert "In glass (dangerous [1]), Edo Guardling must pass an Initiative check" in arrived


@pytest.mark.rule("CB-WEAP-07", "CB-BURN-01")
async def test_a_charge_with_reach_stops_at_its_gap_on_the_board(table: Table) -> None:
    """Bases of 30 mm: from 5.82 in between them to 2 in."""
    await _played(table, "counterblast", Edo_Guardling="20 30", Skip="20 23")
    await table.done("anna", StartFire(inches=2, spot="20 28"))
    await arrange(table, "bo", block("Edo Guardling", "spawnguard"), active("Edo Guardling"))
    charge = Charge("Edo Guardling", "Skip", weapon="Arc Halberd", gap=2)
    arrived = await _arrives(table, await table.done("bo", charge))
    assert "Edo Guardling is in the fire and takes a hit" in arrived
    _, north = await _at(table, "Edo Guardling")
    assert north == pytest.approx(26.18, abs=0.06)


@pytest.mark.rule("CB-FEAT-41", "CB-BURN-01")
async def test_a_leap_at_an_enemy_ends_in_contact_on_the_board_and_meets_fire(table: Table) -> None:
    await _played(table, "counterblast", Edo_Guardling="20 29", Skip="20 23")
    await table.done("anna", StartFire(inches=2, spot="20 26"))
    leaper = gifted("Edo Guardling", "pounce"), under("hidden", "Edo Guardling")
    await arrange(table, "bo", active("Edo Guardling"), *leaper)
    leapt = await table.done("bo", Pounce("Edo Guardling", "Skip"))
    assert "Edo Guardling is in the fire and takes a hit" in _text(leapt)
    _, north = await _at(table, "Edo Guardling")
    assert north == pytest.approx(24.18, abs=0.05)


@pytest.mark.rule("CB-BURN-05", "CB-TERR-07")
async def test_a_way_on_the_board_alone_offers_the_rolls_for_its_ground(table: Table) -> None:
    """After a climb, a fall or a drive, which the board doesn't show by itself."""
    await _played(table, "counterblast", (GLASS,), Edo_Guardling="20 30")
    await table.done("anna", StartFire(inches=2, spot="20 25"))
    await arrange(table, "bo", active("Edo Guardling"))
    moved = await table.done("bo", MoveModel("Edo Guardling", "to 20 22", freely=True))
    labels = [one.label for one in moved.reply.buttons]
    assert labels[:2] == ["Check for glass", "Hit by the fire"]
    assert not (await table.encounter()).condition((await _row(table, "Edo Guardling")).id, "burning")
    hit = await table.press("bo", moved, "Hit by the fire")
    assert "Edo Guardling is burning." in _text(hit)
    back = await table.done("bo", MoveModel("Edo Guardling", "to 20 30", freely=True))
    assert [one.label for one in back.reply.buttons][:2] == ["Check for glass", "Undo"], "hit once a turn"
    beside = await table.done("bo", MoveModel("Edo Guardling", "6 east", freely=True))
    assert [one.label for one in beside.reply.buttons] == ["Undo"]


@pytest.mark.rule("CB-BURN-01", "CB-BURN-03", "CB-HAZ-01")
async def test_a_fire_and_a_dangerous_place_lie_on_the_board_where_they_are_added(table: Table) -> None:
    await _played(table, "counterblast", Edo_Guardling="20 30", Skip="30 30")
    await table.done("anna", StartFire(spot="D7"))
    await table.done("bo", AddArea("pit", "acid", 2, inches=4, spot="Edo Guardling"))

    async def ground() -> list[Any]:
        board = board_of(await table.encounter())
        assert board is not None
        return [(one.name, one.shape.points, one.shape.numbers) for one in board.terrain]

    assert await ground() == [("fire", ((7.0, 35.0),), (1.5,)), ("pit", ((20.0, 30.0),), (2.0,))]
    await arrange(table, "bo", active("Edo Guardling"))
    walked = await table.done("bo", Move("Edo Guardling", where="4 west"))
    assert "In pit (acid [2]), Edo Guardling must pass an Initiative check" in _text(walked)
    picture = showing.in_words(await table.encounter())
    assert "fire at D7" in picture
    assert "pit at K10" in picture
    await table.done("anna", EndFire("fire"))
    await table.done("anna", DropArea("pit"))
    assert await ground() == []
    await table.done("anna", Undo())
    assert [name for name, *_ in await ground()] == ["pit"]


@pytest.mark.rule("CB-BURN-02")
async def test_ground_that_a_hit_sets_on_fire_burns_where_the_target_is(table: Table) -> None:
    await _played(table, "counterblast", Skip="20 20", Trapper="20 25")
    trapper = (await _row(table, "Trapper")).id
    fired = after_hit(
        fighter(await table.encounter(), await _row(table, "Trapper")),
        load().weapons["flamethrower"],
        Suffered(1),
        on_board=True,
    )
    (button,) = [build_offer_button(proposal) for proposal in fired if proposal.action == "flammable"]
    assert button.action == StartFire(spot=f"#{trapper}")
    await table.done("anna", button.action)
    board = board_of(await table.encounter())
    assert board is not None
    assert [one.shape.points for one in board.terrain] == [((20.0, 25.0),)]


@pytest.mark.rule("CB-GEAR-27", "CB-LOS-02", "CB-TERR-05")
async def test_a_cloud_lies_on_the_board_and_shots_meet_it_there(table: Table) -> None:
    """Smoke of R5 reaches 2.5 in around its middle and has to touch its user."""
    await _played(
        table, "counterblast", Skip="20 22", Sally="20 16", Trapper="20 28", Smap="30 16", Prime="26 28"
    )
    smoked = carries("Skip", "skip_westmoreland", "smoke_grenade")
    await arrange(table, "anna", smoked, active("Skip", "Sally"))
    assert "smoke" not in _text(await table.do("anna", MeasureModels("Sally", "Trapper")))
    far = await table.refused("anna", UseItem("Skip", "Smoke", spot="20 27"))
    assert "The cloud has to touch Skip Westmoreland." in far
    await table.done("anna", UseItem("Skip", "Smoke", spot="20 24.5"))

    async def clouds() -> list[Any]:
        return [
            (one.name, one.shape.points, one.shape.numbers)
            for one in clouds_on(board_of(await table.encounter()))
        ]

    assert await clouds() == [("smoke", ((20.0, 24.5),), (2.5,))]
    assert "smoke at K12 (20, 24.5), blocking sight" in showing.in_words(await table.encounter())
    across = await table.refused("anna", Shoot("Sally", "Trapper", odds=True))
    assert "no line of sight because of smoke" in across
    hidden = _text(await table.do("anna", MeasureModels("Sally", "Trapper")))
    assert "No line of sight because of smoke" in hidden
    assert hidden.casefold().count("line of sight") == 1, "it is said once"
    beside = _text(await table.do("anna", MeasureModels("Smap", "Prime")))
    assert "clear line of sight" in beside.lower(), beside
    into = _text(await table.do("anna", MeasureModels("Sally", "Skip")))
    assert "Skip Westmoreland is in smoke." in into
    assert "line of sight because" not in into
    out = await table.do("anna", Shoot("Skip", "Trapper", odds=True))
    assert "cover 0" in _text(out), "who touches the cloud sees out of it"
    await table.done("bo", PlaceModel("Trapper", "22.8 24.5"))
    assert "cover 2: smoke" in _text(await table.do("anna", Shoot("Sally", "Trapper", odds=True)))
    await arrange(table, "anna", lambda encounter: clear_clouds(encounter, ["smoke"]))
    assert await clouds() == []
    await arrange(table, "anna", carries("Skip", "skip_westmoreland", "body_boost"), active("Skip"))
    boosted = await table.refused("anna", UseItem("Skip", "Body Boost", spot="20 22"))
    assert "Leave the middle of the cloud blank" in boosted


async def test_a_fight_is_offered_in_contact_alone(
    table: Table,
) -> None:
    await _played(table, "counterblast", Sally="24 8", Trapper="24 20")
    await arrange(table, "anna", active("Sally"))
    apart = await table.do("anna", MeasureModels("Sally", "Trapper"))
    assert "Fight" not in [button.label for button in apart.reply.buttons]
    asked = _text(await table.do("anna", Fight("Sally", "Trapper")))
    assert "On the board, they don't touch." in asked
    await table.done("bo", MoveModel("Trapper", "into contact with Sally", freely=True))
    near = await table.do("anna", MeasureModels("Sally", "Trapper"))
    assert "Fight" in [button.label for button in near.reply.buttons]
    fought = await table.do("anna", Fight("Sally", "Trapper"))
    assert "contact" not in fought.reply.text
    await table.done("anna", Undo())
    together = await table.done("anna", Melee(text="Sally>Trapper"))
    assert "contact" not in together.reply.text


# ------------------------------------------------------------------------------------ Infinity


async def _ordered(table: Table, *terrain: AddTerrain, **places: str) -> Any:
    """Anna's Vanguard has the first turn of a game of Infinity on a board."""
    await _played(table, "infinity", terrain, **places)
    await table.do("anna", PlayFirst(1, True))
    await table.done("anna", NextStep())


@pytest.mark.rule("INF-ORD-04", "INF-SJ-05", "INF-TER-02")
async def test_a_move_of_infinity_goes_on_the_board(table: Table) -> None:
    places = {"Angus": "20 20", "Hammer": "30 20", "Tracker": "24 40"}
    hill = AddTerrain("wall", "30 23", "6x0.5", height=1.0)
    high = AddTerrain("wall", "20 17", "6x0.5", height=3.0)
    await _ordered(table, hill, high, AddTerrain("mud", "24 20", "2"), **places)
    assert "path of up to 4 in" in await table.refused("anna", SpendOrder("Angus", where="5 north"))
    assert "path of up to 4 in" in await table.refused("anna", SpendOrder("Hammer", where="4 north"))
    assert "Declare a Jump" in await table.refused("anna", SpendOrder("Angus", where="4 south"))
    assert "the path on" in await table.refused("anna", SpendOrder("Angus", skill="reset", where="1 north"))
    moved = await table.done("anna", SpendOrder("Angus", where="4 east"))
    assert "Measured: mud." in _text(moved)
    assert "Angus moves 4 in, to M15 (24, 20)." in moved.reply.lines
    await table.done("anna", Undo())
    assert await _at(table, "Angus") == (20, 20)
    asked = await table.do("anna", MoveModel("Angus", "4 north"))
    assert [one.label for one in asked.reply.buttons] in (
        ["Move", "Move only on the board"],
        ["Move only on the board"],
    )


@pytest.mark.rule("INF-SJ-01", "INF-SJ-02", "INF-SJ-05", "INF-SJ-10")
async def test_a_route_over_a_wall_is_a_jump_where_no_move_goes(table: Table) -> None:
    """MOV 4-4 climbs 1 in up and down again; through the air it is shorter, and takes the whole Order."""
    low, mud = AddTerrain("low wall", "18 22", "0.5", along="22 22"), AddTerrain("mud", "20 23", "0.5")
    high = AddTerrain("wall", "30 22", "6x0.5", height=3.0)
    await _ordered(table, low, mud, high, Angus="20 20", Hammer="30 20", Tracker="24 46")
    asked = await table.do("anna", MoveModel("Angus", "3.3 north"))
    assert [one.label for one in asked.reply.buttons] == ["Jump (Entire Order)", "Move only on the board"]
    climbing = "this one is 5.3 in with climbing."
    assert asked.reply.lines[1] == f"Move: Choose a path of up to 4 in; {climbing}"
    jumped = await table.press("anna", asked, "Jump (Entire Order)")
    assert jumped.reply.lines[:3] == (
        "Angus jumps 3.3 in, to K13 (20, 23.3).",
        "It crosses low wall (1 in high) for 0.5 in and mud (roughness 2) for 0.8 in.",
        "The trooper's line of fire covers 360 degrees during the Jump.",
    )
    order = order_of(await table.encounter())
    assert order is not None
    assert order.way == (20, 20, 20, 23.3)
    await table.done("anna", Undo())
    far = (await table.do("anna", MoveModel("Angus", "3.8 north"))).reply
    assert [one.label for one in far.buttons] == ["Move only on the board"]
    assert far.lines[1:] == (
        "Move: Choose a path of up to 4 in; this one is 5.8 in with climbing.",
        "Jump (Entire Order): Choose a path of up to 4 in; this one is 4.4 in through the air.",
    )
    too_high = (await table.do("anna", MoveModel("Hammer", "3.5 north"))).reply.text
    assert "Move: Declare a Jump instead." in too_high
    assert "Jump (Entire Order): Choose a path of up to 4 in; this one is 7" in too_high


@pytest.mark.rule("INF-SJ-01", "INF-SJ-02", "INF-SJ-03", "INF-SJ-05")
async def test_with_super_jump_a_short_jump_comes_first_and_low_walls_cost_nothing(table: Table) -> None:
    low, high = (
        AddTerrain("low wall", "18 28", "0.5", along="22 28"),
        AddTerrain("wall", "30 28", "6x0.5", height=2.0),
    )
    await _played(table, "infinity", (low, high), Leaper="20 30", Angus="40 4")
    await table.do("anna", PlayFirst(1, False))
    await table.done("anna", NextStep())

    async def offered(where: str) -> list[str]:
        asked = await table.do("bo", MoveModel("Leaper", where))
        return [one.label for one in asked.reply.buttons][:-1]

    assert await offered("6 south") == ["Move"], "a low wall is free"
    assert await offered("8 south") == ["Jump (Entire Order)"]
    assert await offered("10.5 south") == []
    await table.done("bo", PlaceModel("Leaper", "30 30"))
    assert await offered("3.6 south") == ["Jump"], "a Move climbs no higher than the model"
    assert await offered("5 south") == ["Jump (Entire Order)"]


@pytest.mark.rule("INF-ORD-05", "INF-ORD-06", "INF-SJ-10")
async def test_who_has_an_aro_is_measured_and_only_its_side_reads_it(table: Table) -> None:
    """Seen on the way between two walls; near without sight; and behind, out of sight and far away."""
    walls = AddTerrain("wall", "13 24", "6x0.5"), AddTerrain("wall", "25 24", "15x0.5")
    places = {"Angus": "14 20", "Tracker": "17 34", "Brute": "22 27", "Leaper": "40 44", "Seedling": "17 46"}
    await _ordered(table, *walls, **places)
    await table.done("bo", PlaceModel("Seedling", "17 46", facing="north"))
    ordered = await table.done("anna", SpendOrder("Angus", where="4 east"))
    assert not any(name in _text(ordered) for name in ("Tracker", "Brute", "Leaper", "Seedling"))
    order = order_of(await table.encounter())
    assert order is not None
    menu = (await table.do("bo", React(order.entry))).reply
    assert menu.private
    notes = {one.label: one.note for one in menu.menus[0].choices}
    assert notes["Tracker"].startswith("13")
    assert "line of sight because of wall" in notes["Brute"]
    assert "Leaper" not in notes
    left_out = next(line for line in menu.lines if "can't react" in line)
    assert "Leaper" in left_out
    assert "Seedling" in left_out, "it faces away, and is far off"
    tracker = (await table.encounter()).find_model("Tracker").id
    offered = (await table.do("bo", React(order.entry, tracker))).reply.menus[0].choices
    assert "Shoot with Rifle" in [one.label for one in offered], "its distance is known"
    assert not any("up to" in one.label for one in offered)
    for unable in (Aro("Leaper", "dodge"), Aro("Seedling", "shoot")):
        assert "Choose another trooper." in await table.refused("bo", unable)
    corrected = await table.do("bo", Aro("Leaper", "dodge", distance=7, by_hand=("unseen",)))
    assert corrected.changed, _text(corrected)
    assert corrected.reply.private
    shot = await table.do("bo", Aro("Tracker", "shoot"))
    assert "Measured: 13" in _text(shot)
    assert (await table.do("anna", React(order.entry))).reply.private


@pytest.mark.rule("INF-ORD-05")
@pytest.mark.parametrize(("late", "when"), [(False, "before the first turn"), (True, "in turn 1")])
async def test_a_hidden_trooper_reacts_from_its_noted_place_and_comes_out_there(
    table: Table, late: bool, when: str
) -> None:
    """Nobody else can tell from any public reply or menu whether somebody hidden sees the mover."""
    await _played(table, "infinity", Tracker="24 30", Angus="40 4")
    await table.do("anna", PlayFirst(1, False))
    encounter = await table.encounter()
    veil = concealment.hidden_troopers(encounter, 1)[0]
    await table.done("anna", HideModel("Vanguard", veil.name, "24 20"))
    await table.done("anna", NextStep())
    if late:
        await table.done("anna", HideModel("Vanguard", veil.name, "24 20.5"))
        await table.done("anna", HideModel("Vanguard", veil.name, "24 20"))
    ordered = await table.done("bo", SpendOrder("Tracker", where="4 south"))
    order = order_of(await table.encounter())
    assert order is not None
    menu = (await table.do("anna", React(order.entry))).reply
    hidden = next(one for one in menu.menus[0].choices if "hidden" in one.label)
    assert hidden.note.startswith("5")
    assert veil.name not in _text(ordered)
    assert not (await table.do("bo", React(order.entry))).reply.menus
    everybody = showing.svg(await table.encounter()) + showing.in_words(await table.encounter())
    assert veil.name not in everybody
    asked = (await table.do("anna", React(order.entry, int(hidden.value)))).reply
    dodge = next(one.value for one in asked.menus[0].choices if one.label == "Dodge")
    chosen = await table.done("anna", React(order.entry, int(hidden.value), dodge))
    assert chosen.reply.private
    done = await table.do("anna", Resolve(order.entry, "nothing"))
    await table.do("bo", Resolve())
    assert f"{veil.name} comes out of Hidden Deployment, at the place noted {when}." in _text(done)
    assert await _at(table, veil.name) == (24, 20)
    assert not hidden_places(await table.encounter(), 1)


async def test_a_hidden_trooper_stands_on_the_roof_at_its_noted_place_and_wholly_on_the_table(
    table: Table,
) -> None:
    await _played(table, "infinity", (AddTerrain("building", "24 20", "4x4", height=3.0),), Tracker="24 30")
    veil = concealment.hidden_troopers(await table.encounter(), 1)[0]
    off = await table.refused("anna", HideModel("Vanguard", veil.name, "0.1 20"))
    assert "The whole base has to be on the table" in off
    noted = await table.done("anna", HideModel("Vanguard", veil.name, "24 20"))
    assert "(24, 20), level 3." in _text(noted)
    assert "Only your side sees this note." in _text(noted)
    await table.done("anna", Reveal(veil.name))
    assert board_of(await table.encounter()).standing[(await _row(table, veil.name)).id].bottom == 3


async def test_a_figure_that_goes_into_hidden_deployment_leaves_its_place_as_a_note(table: Table) -> None:
    await table.done("anna", StartDemo("infinity"))
    await table.done("anna", ChooseTable("48x48"))
    name = concealment.hidden_troopers(await table.encounter(), 1)[0].name
    await table.done("anna", Reveal(name))
    await table.done("anna", PlaceModel(name, "24 5"))
    await table.done("anna", Hide(name))
    encounter = await table.encounter()
    (veil,) = concealment.hidden_troopers(encounter, 1)
    assert hidden_places(encounter, 1) == {str(-veil.id): (name, (24, 5))}
    assert not any("board" in kind for kind in veil.counters)
    back = await table.done("anna", Reveal(name))
    assert back.reply.lines == (
        f"{name} comes out of Hidden Deployment, at the place noted before the first turn.",
    )
    assert await _at(table, name) == (24, 5)
    await table.done("anna", Hide(name))
    await table.done("anna", PlaceModel("Tracker", "24 5.5"))
    crowded = await table.done("anna", Reveal(name))
    assert _text(crowded).endswith("Drag it to a place nearby, or use /board place.")


@pytest.mark.rule("INF-BS-08")
async def test_who_else_is_under_a_template_of_infinity_is_measured(table: Table) -> None:
    places = {
        "Angus": "20 20",
        "Tracker": "20 30",
        "Morph": "22 30",
        "Leaper": "20 33.2",
        "Doc_Ruiz": "30 20",
    }
    await _ordered(table, **places)
    odds = _text(await table.do("anna", InfinityShoot("Angus", "Tracker", weapon="Grenade", odds=True)))
    assert "Morph is under the template" in odds
    assert "Leaper" not in odds
    fired = await table.done("anna", InfinityShoot("Angus", "Tracker", weapon="Grenade"))
    assert "Also under the template: Morph" in _text(fired)
    order = order_of(await table.encounter())
    assert order is not None
    assert order.under == ((await _row(table, "Morph")).id,)
    menu = (await table.do("bo", React(order.entry))).reply
    assert "target" in [one.note for one in menu.menus[-1].choices if one.label == "Morph"]
    under = (await table.do("bo", React(order.entry, (await _row(table, "Morph")).id))).reply
    offered = [one.label for one in under.menus[0].choices]
    assert "Shoot with Combi Rifle" in offered, "its distance is known"
    assert not any("up to" in label or "without line of fire" in label for label in offered)
    await table.done("bo", Undo())
    await table.done("anna", PlaceModel("Doc Ruiz", "18 30"))
    friend = await table.refused("anna", InfinityShoot("Angus", "Tracker", weapon="Grenade"))
    assert "Doc Ruiz is on your side" in friend


@pytest.mark.rule("INF-SEN-06", "INF-ORD-09")
async def test_the_range_and_cover_of_a_discover_are_measured(table: Table) -> None:
    """A Marker 20 in away in the open, then 7 in away, then out of sight."""
    wall = AddTerrain("wall", "38 30", "6x0.5", height=4.0)
    await _ordered(table, wall, Angus="20 20", Camo_Marker_1="20 41.2")
    far = _text(await table.do("anna", Discover("Angus", "Camo Marker 1", odds=True)))
    assert "20.2 in, range MOD +0" in far
    await table.done("bo", PlaceModel("Camo Marker 1", "20 28"))
    near = _text(await table.do("anna", Discover("Angus", "Camo Marker 1", odds=True)))
    assert "range MOD +3" in near
    await table.done("bo", PlaceModel("Camo Marker 1", "38 32"))
    await table.done("anna", PlaceModel("Angus", "38 27"))
    hidden = await table.refused("anna", Discover("Angus", "Camo Marker 1", odds=True))
    assert "no line of sight because of wall" in hidden


@pytest.mark.rule("INF-ORD-09", "INF-DOD-05", "INF-CC-01")
async def test_an_aro_menu_offers_what_the_board_allows(table: Table) -> None:
    """Engage within 2 in; a fight with the one that it touches, not with another."""
    places = {"Angus": "20 20", "Doc_Ruiz": "27 20", "Tracker": "20 38", "Brute": "21.3 20"}
    await _ordered(table, **places)

    async def offered(name: str) -> list[str]:
        order = order_of(await table.encounter())
        assert order is not None
        menu = (await table.do("bo", React(order.entry, (await _row(table, name)).id))).reply
        return [one.label for one in menu.menus[0].choices]

    await table.done("anna", SpendOrder("Doc Ruiz", where="1 east"))
    for name in ("Tracker", "Brute"):
        labels = await offered(name)
        assert not any(label.startswith(("Engage", "Fight")) for label in labels)
    order = order_of(await table.encounter())
    assert order is not None
    await table.done("bo", Resolve(order.entry, "nothing"))
    await table.done("anna", Resolve(order.entry))
    await table.done("anna", SpendOrder("Angus", where="into contact with Brute"))
    assert any(label.startswith("Fight") for label in await offered("Brute"))


@pytest.mark.rule("INF-F2F-07")
async def test_further_targets_of_a_burst_are_measured(table: Table) -> None:
    """One behind a wall isn't offered; the other is, at its distance."""
    wall = AddTerrain("wall", "8 30", "8x0.5", height=4.0)
    await _ordered(table, wall, Angus="20 20", Tracker="20 30", Morph="26 30", Brute="8 33")
    looking, shot = (
        Looking((await table.loaded()).book(), table.actor("anna")),
        InfinityShoot("Angus", "Tracker"),
    )
    draft = begin_draft(looking.act(shot), shot)
    assert isinstance(draft, Draft)
    laid = (await table.do("anna", draft)).reply
    offered = {one.label: one.value for menu in laid.menus for one in menu.choices}
    assert not any(name.startswith(("Brute", "Morph: up to")) for name in offered)
    (morph,) = (name for name in offered if name.startswith("Morph: "))
    assert morph == "Morph: 10.7 in"
    then = (await table.do("anna", replace(draft, pieces=(int(offered[morph]),)))).reply
    assert "10.7 in" in then.text


@pytest.mark.rule("INF-BS-06")
async def test_smoke_of_infinity_is_a_zero_visibility_zone_through_which_an_attack_is_answered(
    table: Table,
) -> None:
    smoke = AddTerrain("smoke", "20 26", "2")
    await _ordered(table, smoke, Angus="20 20", Tracker="20 32", Brute="30 20")
    await table.done("bo", PlaceModel("Tracker", "20 32", facing="south"))
    blocked = await table.refused("anna", InfinityShoot("Angus", "Tracker"))
    assert "no line of fire" in blocked
    shot = _text(await table.do("anna", InfinityShoot("Angus", "Tracker", sight=True, by_hand=("sight",))))
    assert "through a Zero Visibility Zone: smoke" in shot
    assert "has no line of fire" not in shot, "the target may answer, at -6"


@pytest.mark.rule("INF-CC-01", "INF-ASL-03")
async def test_close_combat_of_infinity_needs_contact_and_an_assault_makes_it(table: Table) -> None:
    await _played(table, "infinity", Leaper="20 26", Angus="20 20", Doc_Ruiz="34 26")
    await table.do("anna", PlayFirst(1, False))
    await table.done("anna", NextStep())
    assert "Move into base contact first" in await table.refused("bo", InfinityFight("Leaper", "Angus"))
    apart = await table.do("bo", MeasureModels("Leaper", "Angus"))
    assert [button.label for button in apart.reply.buttons] == ["Shoot", "Assault"]
    await table.done("bo", Assault("Leaper", "Angus"))
    at, other = await _at(table, "Leaper"), await _at(table, "Angus")
    assert at[0] == pytest.approx(20, abs=0.01)
    assert at[1] - other[1] < 1.6
    order = order_of(await table.encounter())
    assert order is not None
    assert order.way[:2] == (20, 26)
    seen = (await table.do("anna", React(order.entry))).reply
    assert "target" in [one.note for one in seen.menus[-1].choices if one.label == "Angus"]
    await table.done("bo", Undo())
    assert await _at(table, "Leaper") == (20, 26)
    assert "falls short" in _text(await table.done("bo", Assault("Leaper", "Doc Ruiz")))
    assert await _at(table, "Leaper") == (30, 26)


async def test_the_moves_that_are_left_of_an_order_are_shown(table: Table) -> None:
    await _ordered(table, Hammer="20 20", Tracker="24 40")
    assert await _paces(table, "Hammer") == [4]
    await table.done("anna", SpendOrder("Hammer", where="4 north"))
    assert await _paces(table, "Hammer") == [2]
    await table.do("bo", Resolve(0, "nothing"))
    await table.done("anna", SpendOrder("Hammer", where="2 north"))
    assert await _paces(table, "Hammer") == [4], "its Order is over"


# ------------------------------------------------------------------------------------ how far a model gets


async def _paces(table: Table, name: str, where: str = "") -> list[float]:
    """How far each move takes a model that it may make now, along a route if one is given."""
    encounter = await table.encounter()
    row, game = encounter.find_model(name), game_of(encounter)
    assert isinstance(game, KnowsPaces)
    return list(game.paces(encounter, row, planned(encounter, row.id, where) if where else None))


@pytest.mark.rule("CB-MOVE-01", "CB-ACT-01", "CB-GEAR-47", "CB-TERR-02", "CB-TERR-12")
async def test_the_rings_of_counterblast_are_what_its_moves_allow_now(table: Table) -> None:
    """Mv 6: one Move and two, one after an action, half of it prone; 10 in for each with a rocket pack."""
    hedge = AddTerrain("hedge", "18 20", "0.6", along="22 20")
    wall = AddTerrain("low wall", "28 20", "0.5", along="34 20")
    await _played(table, "counterblast", (hedge, wall), Skip="20 17", Sally="30 17", Wanda="32 17")
    assert await _paces(table, "Skip") == [6, 12], "as soon as it acts"
    assert await _paces(table, "Skip", "5 north") == [5, 11], "the hedge is Rugged 1"
    assert await _paces(table, "Wanda", "5 north") == [4.5, 10.5], "1 in up and 0.5 in through the wall"
    await arrange(table, "anna", under("prone", "Wanda"), active("Sally"))
    assert await _paces(table, "Wanda") == [3, 6]
    assert await _paces(table, "Sally") == await _paces(table, "Sally", "5 north") == [10, 20], "it flies"
    await table.done("anna", Move("Sally", where="9 north"))
    assert await _paces(table, "Sally") == [10], "one action is left"
    assert "can move at most 10 in" in await table.refused("anna", Move("Sally", where="10.5 south"))
    await table.done("anna", Move("Sally", where="1 north"))
    assert await _paces(table, "Sally") == []


@pytest.mark.rule("INF-TER-02", "INF-SJ-05", "INF-ORD-04")
async def test_the_ring_of_infinity_is_the_move_that_may_be_declared(table: Table) -> None:
    """MOV 4-2: on difficult ground 2, over a wall of 1 in and down again 2 in less, and in a Jump 4 in."""
    mud = AddTerrain("mud", "20 22", "1")
    wall = AddTerrain("low wall", "28 22", "0.5", along="34 22", height=1.0)
    await _ordered(table, mud, wall, Hammer="20 20", Angus="30 20", Tracker="24 40")
    assert await _paces(table, "Hammer") == [4]
    assert await _paces(table, "Hammer", "2 north") == [2, 4]
    over = await _paces(table, "Angus", "4 north")
    assert over == [2, pytest.approx(3.47, abs=0.01)], "1 in up and down, or through the air"
    await table.done("anna", SpendOrder("Hammer", where="2 north"))
    assert await _paces(table, "Hammer", "1 north") == [2]


@pytest.mark.rule("WZ-MOVE-01", "WZ-TERR-01")
async def test_the_ring_of_warzone_is_one_action(table: Table) -> None:
    await _played(table, "warzone", (AddTerrain("mud", "20 20", "2"),), Adams="20 17", Maelgor="20 40")
    (basic,) = await _paces(table, "Adams")
    (muddy,) = await _paces(table, "Adams", "2 north")
    assert muddy < basic
    far = _text(await table.do("anna", WarzoneMove("Adams", where="9 north", odds=True)))
    assert f"can move at most {muddy:g} in" in far


@pytest.mark.rule("FE-MOV-01", "FE-MOV-02", "FE-MOV-03", "FE-TER-02")
async def test_the_rings_of_fracd_earth_are_a_move_a_run_and_a_rush(table: Table) -> None:
    await _played(table, "fracd_earth", (AddTerrain("mud", "20 20", "2"),), Rook="20 17")
    basic, run, rush = await _paces(table, "Rook")
    assert (run, rush) == (1.5 * basic, 2 * basic)
    muddy, *_ = await _paces(table, "Rook", "3 north")
    assert muddy < basic
    far = _text(await table.do("anna", FracdMove("Rook", where="6 north", asks=True)))
    assert f"can move at most {muddy:g} in" in far


# ------------------------------------------------------------------------------------ deployment


@pytest.mark.rule("CB-SETUP-07", "CB-MISS-12")
@pytest.mark.parametrize(
    ("system", "zones", "inside", "outside"),
    [
        ("counterblast", "", (24, 11), (24, 12.5)),
        ("counterblast", "corners", (3, 3), (24, 3)),
        ("infinity", "", (2, 11), (2, 13)),
        ("warzone", "", (2, 5), (2, 7)),
    ],
)
async def test_deployment_zones_are_those_of_the_game(
    table: Table, system: str, zones: str, inside: tuple[float, float], outside: tuple[float, float]
) -> None:
    await table.done("anna", StartDemo(system))
    await table.done("anna", ChooseTable("Crossroads", zones))
    side = (await table.encounter()).sides()[0]
    board = board_of(await table.encounter())
    assert board is not None
    zone = next(one for one in board.areas if one.side == 1)
    assert lies_under(Body(inside, 0.5), zone.shape.outline) == "wholly"
    assert lies_under(Body(outside, 0.4), zone.shape.outline) != "wholly"
    await table.done("anna", DeploySide(side.name))
    first = (await table.encounter()).models(side.id)[0]
    told = await table.done("anna", PlaceModel(first.name, f"{outside[0]} {outside[1]}"))
    assert "It isn't wholly in the south zone." in _text(told)


# ------------------------------------------------------------------------------------ templates, other games


@pytest.mark.rule("CB-TMPL-01", "CB-TMPL-05", "CB-TMPL-07", "CB-TERR-05")
async def test_who_is_under_a_template_is_measured_where_it_is_aimed_and_where_it_lands(table: Table) -> None:
    """A grenade 3 in across: its target wholly under it, the next in part, the third not at all."""
    places = {"Trapper": "20 24", "Edo_Guardling": "21.5 24", "Edo_Spawnling": "23.4 24"}
    await _played(table, "counterblast", (AddTerrain("crates", "20 22.5", "3x0.5"),), Skip="20 17", **places)
    await arrange(table, "anna", active("Skip"))
    odds = _text(await table.do("anna", Template("Skip", spot="Trapper", odds=True)))
    assert "Measured: 6.4 in, under the template: Trapper, partly under the template: Edo Guardling" in odds
    assert "cover 2 for Trapper" in odds
    assert "Spawnling" not in odds
    by_hand = _text(
        await table.do("anna", Template("Skip", spot="Trapper", partly="Edo Spawnling", odds=True))
    )
    assert "Entered by hand: partly" in by_hand
    assert "out of sight" not in odds
    encounter = await table.encounter()
    skip, grenade = (
        encounter.find_model("Skip").id,
        fighter(encounter, encounter.find_model("Skip")).weapons[1],
    )
    spot = Spot("", (20.0, 24.0))
    for clock, inches, at in ((12, 3, (20, 27)), (3, 6, (26, 24)), (6, 3, (20, 21)), (9, 3, (17, 24))):
        lies = find_landing_spot(encounter, skip, spot, Landing("scattered", clock, inches))
        assert lies.at == pytest.approx(at, abs=0.01)
    back = find_landing_spot(encounter, skip, spot, Landing("on the firer"))
    assert find_models_under(encounter, skip, grenade, back).wholly == (skip,)


@pytest.mark.rule("WZ-MOVE-01", "WZ-RC-13", "WZ-TERR-01")
async def test_a_move_of_warzone_goes_on_the_board_and_its_arc_is_measured(table: Table) -> None:
    await _played(table, "warzone", (AddTerrain("mud", "20 20", "2"),), Adams="20 17", Maelgor="20 30")
    far = _text(await table.do("anna", WarzoneMove("Adams", where="9 north", odds=True)))
    assert "can move at most" in far
    near = _text(await table.do("anna", WarzoneMove("Adams", where="2 north facing east", odds=True)))
    assert "Measured: mud" in near
    await table.done("anna", PlaceModel("Adams", "20 17", facing="south"))
    shot = await table.do("anna", WarzoneShoot("Adams", "Maelgor", odds=True))
    assert "180 degrees from the front" in _text(shot)
    await table.done("anna", PlaceModel("Adams", "15.9 26", facing="north"))
    aside = await table.do("anna", WarzoneShoot("Adams", "Maelgor", odds=True))
    assert "46 degrees from the front" in _text(aside), "45.7 is outside an arc of 45 to each side"


@pytest.mark.rule("WZ-RC-05")
async def test_smoke_of_warzone_is_measured_and_hides_nothing(table: Table) -> None:
    """Two clouds don't add up, and it counts for a target inside; its level is entered as cover."""
    smoke = tuple(
        AddTerrain("smoke", where, "2", cover=cover, name=name)
        for where, cover, name in (("20 14", 1, "haze"), ("20 20", 3, "fog"), ("40 40", 2, "far smoke"))
    )
    await _played(table, "warzone", smoke, Adams="20 10", Maelgor="20 26", Dreg="18.2 20", Ash="30 10")
    assert "smoke level 3" in showing.in_words(await table.encounter())
    through = _text(await table.do("anna", WarzoneShoot("Adams", "Maelgor", odds=True)))
    assert "smoke level 3: fog" in through
    assert "RC 9 -3" in through
    assert "no line of sight" not in through
    assert "smoke (-3 to hit)" in _text(await table.do("anna", MeasureModels("Adams", "Maelgor")))
    assert "smoke level 3" in _text(await table.do("anna", WarzoneShoot("Adams", "Dreg", odds=True)))
    assert "smoke" not in _text(await table.do("anna", WarzoneShoot("Adams", "Ash", odds=True)))


@pytest.mark.rule("WZ-TMPL-01", "WZ-TMPL-02")
async def test_who_is_under_a_template_of_warzone_is_measured_also_where_a_miss_lands(table: Table) -> None:
    """3 in across, if the weapon says nothing else: one wholly, one in part, one not at all."""
    places = {"Dietz": "20 20", "Dreg": "20 26", "Ash": "21.8 26", "Maelgor": "20 29.5"}
    await _played(table, "warzone", **places)
    odds = _text(await table.do("anna", WarzoneTemplate("Dietz", "Dreg", odds=True)))
    assert "under the template: Dreg" in odds
    assert "partly under the template: Ash" in odds
    assert "Maelgor" not in odds
    encounter = await table.encounter()
    dietz = model_of(encounter, encounter.find_model("Dietz"))
    grenades = dietz.profile.weapon("Grenades")
    missed = lying_under_warzone(encounter, grenades, (20, 29), 0.0)
    assert missed.wholly == (encounter.find_model("Maelgor").id,)
    assert lying_under_warzone(encounter, replace(grenades, across=8), (20, 26), 0.0).partly == missed.wholly


@pytest.mark.rule("FE-MOV-01", "FE-TER-02", "FE-ACT-07")
async def test_a_move_of_fracd_earth_goes_on_the_board_and_bases_in_the_line_are_measured(
    table: Table,
) -> None:
    places = {"Rook": "20 17", "Captain_Vale": "24 17", "Sable": "24 25", "Ironjaw": "24 21"}
    await _played(table, "fracd_earth", (AddTerrain("mud", "20 20", "2"),), **places)
    far = await table.do("anna", FracdMove("Rook", where="6 north", asks=True))
    assert "can move at most" in _text(far)
    assert "can move at most" not in _text(
        await table.do("anna", FracdMove("Rook", where="3 north", asks=True))
    )
    refused = await table.do("anna", FracdAttack("Captain Vale", "Sable", odds=True))
    assert "blocks the line of sight" in _text(refused) or "no line of sight" in _text(refused)


# ------------------------------------------------------------------------------------ what is measured


@pytest.mark.parametrize(
    ("system", "viewer", "target", "worth"),
    [
        ("counterblast", "Skip", "Trapper", "cover 3 (+3 shield dice)"),
        ("infinity", "Angus", "Tracker", "Partial Cover (-3 to hit, +3 to its ARM)"),
        ("warzone", "Adams", "Maelgor", "hard cover (-3 to hit)"),
        ("fracd_earth", "Rook", "Sable", "hard obstacle ([+] to Protection)"),
    ],
)
async def test_sight_and_cover_are_measured_once_with_what_the_cover_is_worth(
    table: Table, system: str, viewer: str, target: str, worth: str
) -> None:
    wall = AddTerrain("low wall", "17 23.4", "0.5", along="23 23.4")
    high = AddTerrain("building", "36 22", "8x2", height=6.0)
    places = {viewer: "20 20", target: "20 24.2"}
    await _played(table, system, (wall, high), **places)
    partly = _text(await table.do("anna", MeasureModels(viewer, target)))
    assert f"hidden by low wall: {worth}." in partly
    assert partly.casefold().count("cover") + partly.casefold().count("obstacle") == 1
    await table.done("anna", PlaceModel(viewer, "36 20"))
    await table.done("bo", PlaceModel(target, "36 24.5"))
    hidden = _text(await table.do("anna", MeasureModels(viewer, target)))
    assert "No line of sight because of building." in hidden
    assert hidden.casefold().count("line of ") == 1
    await table.done("bo", PlaceModel(target, "28 20"))
    assert "Clear line of sight." in _text(await table.do("anna", MeasureModels(viewer, target)))


# ------------------------------------------------------------------------------------ forms and lines


async def _form(table: Table, who: str, action: Any) -> dict[str, Any]:
    """Each part of a form, by the field that it fills."""
    loaded = await table.loaded()
    return {one.name: one for one in build_form(Looking(loaded.book(), table.actor(who)), action).controls}


async def _attack_line(table: Table) -> bool:
    return bool(showing.drawing(await table.encounter()).line)


@pytest.mark.rule("CB-FIGHT-01")
async def test_a_fight_is_offered_with_whom_the_board_shows_in_contact(table: Table) -> None:
    await _played(table, "counterblast", Smap="20 20", Trapper="20 30", Spawnguard="30 30")
    guard = await _row(table, "Spawnguard")
    await arrange(table, "anna", active("Smap"))
    apart = await table.do("anna", Fight("Smap", "Trapper"))
    assert "On the board, they don't touch." in _text(apart)
    assert [one.style for one in apart.reply.buttons if "Mark contact" in one.label] == ["plain"]
    await table.done("anna", MoveModel("Smap", f"into contact with #{guard.id}", freely=True))
    parts = await _form(table, "anna", Fight("Smap"))
    assert [one.value for one in parts["target"].choices] == ["Spawnguard"]
    assert "inches" not in parts, "the board measures it"


async def test_the_line_of_an_attack_goes_when_its_model_or_another_acts(table: Table) -> None:
    await _played(table, "counterblast", Sally="20 20", Wanda="40 20", Trapper="20 26", Spawnguard="30 30")
    await arrange(table, "anna", active("Sally"))
    await table.done("anna", Shoot("Sally", "Trapper"))
    assert await _attack_line(table)
    await table.done("anna", Move("Sally", where="1 west"))
    assert not await _attack_line(table)
    await table.done("anna", Undo())
    assert await _attack_line(table)
    await table.do("anna", MeasureModels("Sally", "Spawnguard"))
    assert await _attack_line(table), "a look changes nothing"
    await arrange(table, "anna", active("Spawnguard"))
    await table.done("bo", Move("Spawnguard", where="1 north"))
    assert not await _attack_line(table)


async def test_an_attack_that_waits_has_its_line(table: Table) -> None:
    await _played(table, "counterblast", Sally="20 20", Trapper="20 26", Spawnguard="24 20")
    await arrange(table, "anna", active("Trapper"), under("overwatch", "Sally"))
    await table.do("bo", Charge("Trapper", "Sally"))
    assert window_of(await table.encounter()) is not None
    assert await _attack_line(table)


async def test_a_model_on_overwatch_is_marked_on_the_board_and_in_words(table: Table) -> None:
    await _played(table, "counterblast", Sally="20 20", Trapper="20 26")
    assert "watch" not in showing.svg(await table.encounter())
    await arrange(table, "anna", under("overwatch", "Sally"))
    encounter = await table.encounter()
    assert 'class="watch"' in showing.svg(encounter)
    assert any(line.endswith(", on Overwatch") for line in showing.standing_lines(encounter))


async def test_targets_come_with_their_distance_and_a_measured_field_names_no_other_default(
    table: Table,
) -> None:
    await _played(table, "infinity", Angus="20 20", Tracker="20 30")
    parts = await _form(table, "anna", InfinityShoot("Angus"))
    notes = {one.label: one.note for one in parts["target"].choices}
    assert notes["Tracker"].startswith("9 in, ")


async def test_targets_have_their_chance_beside_them_and_those_out_of_sight_are_last_and_marked(
    table: Table,
) -> None:
    """Nobody has to remember who stands behind a wall: what is chosen at first can be shot at."""
    wall = AddTerrain("wall", "8 30", "8x0.5", height=4.0)
    await _ordered(table, wall, Angus="20 20", Brute="6 33", Tracker="20 30", Leaper="38 38")
    loaded, shot = await table.loaded(), InfinityShoot("Angus")
    looking = Looking(loaded.book(), table.actor("anna"))
    form = add_chances(looking.act(shot), build_form(looking, shot))
    (target,) = (one for one in form.controls if one.name == "target")
    notes = {one.label: one.note for one in target.choices}
    assert target.said == ("Tracker",)
    assert [*notes][:2] == ["Tracker", "Leaper"]
    assert notes["Tracker"] == "9 in, ARM 1, BTS 0, W 1, target goes down 59%"
    assert notes["Brute"] == "18.1 in, out of sight, ARM 1, BTS 0, W 1"
    assert notes["Seedling"] == "not on the board, ARM 1, BTS 3, W 1, target goes down 62% at 8 in"


@pytest.mark.rule("INF-SEN-04")
async def test_the_distance_to_the_nearest_sensor_is_measured(table: Table) -> None:
    await _played(table, "infinity", Angus="20 20", Tracker="20 30")
    parts = await _form(table, "anna", Hide("Angus"))
    assert "sensor" not in parts
