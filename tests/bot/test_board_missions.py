"""Missions of Counterblast on the shared board: markers, searches, hiding and traps are measured there."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.counterblast.melee.strikes import Explode, ExplodeNow
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.counterblast.missions.mission_events import Control
from bot.games.counterblast.missions.objectives import LayPlaces, SearchPlace
from bot.games.counterblast.missions.scores import ScoreMission
from bot.games.counterblast.missions.traps import SpringTrap, TrapPlace
from bot.games.counterblast.movement.hiding import Hide, Seen
from bot.games.counterblast.movement.moves import Move
from bot.table.board import showing
from bot.table.board.surface import OBJECTIVE, board_of
from bot.table.encounter import GONE, Encounter
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.session.board_actions import AddTerrain, ChooseTable, MoveModel, PlaceModel
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.arranging import arrange
from tests.bot.campaign.test_mission_ends import everybody_acted, labels, upkeep
from tests.bot.campaign.test_missions import at_work, over, points
from tests.bot.counterblast.ring import block, hurt
from tests.bot.tables import Table


@pytest.fixture
async def game(table: Table) -> Table:
    """The sample crews on an empty table: the Lancers deploy in the south, the Edo in the north."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", ChooseTable("48x48"))
    return table


async def place(game: Table, **places: str) -> None:
    """Put models at these places."""
    encounter = await game.encounter()
    for name, where in places.items():
        row = encounter.find_model(name.replace("_", " "))
        who = "anna" if row.side == encounter.sides()[0].id else "bo"
        await game.done(who, PlaceModel(row.name, where))


async def objectives(game: Table) -> dict[str, Any]:
    board = board_of(await game.encounter())
    assert board is not None
    return {area.name: area.shape.middle for area in board.areas if area.kind == OBJECTIVE}


def text(answer: Any) -> str:
    return str(answer.reply.text)


# ------------------------------------------------------------------------------------ places


@pytest.mark.rule("CB-MISS-12", "CB-MISS-15", "CB-MISS-20", "CB-MISS-26", "CB-MISS-30")
@pytest.mark.parametrize(
    ("choice", "good", "bad"),
    [
        # The half circles reach 12 in from 24, 48 for the Edo, and from 24, 0.
        (
            ChooseSecretly("Scouting"),
            "24 24; 6 20; 42 20",
            (
                ("24 24.1; 6 20; 42 20", "A is 11.9 in from it"),
                ("24 24; 12.1 24; 42 20", "at least 12 in apart"),
                ("24 24; 6 20", "Set up 3 markers"),
            ),
        ),
        (
            ChooseSecretly("Recovery", seeks="Grenade"),
            "24 20; 30.1 20; 10 20",
            (
                ("24 20; 29.9 20; 10 20", "at least 6 in apart"),
                ("24 30; 30.1 20; 10 20", "at least 12 in from"),
            ),
        ),
        (
            ChooseSecretly("Sabotage"),
            "24 24",
            (("24 24.1", "at least 12 in from"), ("24 23.9", "at least 12 in from")),
        ),
        (ChooseSecretly("Escort", target="Trapper"), "42 9", (("24 24", "opposite corner"),)),
        (ChooseSecretly("Invasion"), "24 11.5", (("24 12.5", "inside an opponent's deployment area"),)),
    ],
    ids=["scouting", "recovery", "sabotage", "escort", "invasion"],
)
async def test_a_missions_places_lie_on_the_board_and_keep_their_distances_there(
    game: Table, choice: ChooseSecretly, good: str, bad: tuple[tuple[str, str], ...]
) -> None:
    await game.done("bo", choice)
    for spots, why in (
        *bad,
        ("12 60", "on the table"),
        ("10 20 12", "Enter a place"),
        (";", "1 to 10 places"),
    ):
        assert why in await game.refused("bo", LayPlaces(spots)), spots
    laid = await game.done("bo", LayPlaces(good))
    assert "A at " in text(laid)
    assert len(await objectives(game)) == good.count(";") + 1
    assert "Edo A at " in showing.in_words(await game.encounter(), 0)
    assert "Edo A" in showing.svg(await game.encounter())
    await game.done("bo", Undo())
    assert not await objectives(game)


async def test_places_may_be_cells_and_models_and_are_told_before_they_are_laid(game: Table) -> None:
    await place(game, Trapper="12 24")
    chosen = await game.done("bo", ChooseSecretly("Sabotage"))
    assert "at least 12 in from every deployment area" in text(chosen)
    assert "Enter" not in text(chosen)
    laid = await game.done("bo", LayPlaces("Trapper"))
    assert "A at G13 (12, 24)" in text(laid)
    await game.done("bo", Undo())
    await game.done("bo", LayPlaces("C12"))
    assert await objectives(game) == {"Edo A": (5.0, 25.0)}


@pytest.mark.rule("CB-MISS-22", "CB-MISS-31")
async def test_the_distance_of_a_search_is_measured(game: Table) -> None:
    """A base of 30 mm and the marker are 0.59 and 0.5 in wide to their edges."""
    await place(game, Smap="24 22", Wanda="26 20")
    await game.done("anna", ChooseSecretly("Scouting"))
    await game.done("anna", LayPlaces("24 25; 42 25; 6 25"))
    await game.done("anna", NextStep())
    await arrange(game, "anna", at_work("Smap"), at_work("Wanda"))
    far = await game.refused("anna", SearchPlace("Smap", place="Lancers A"))
    assert "must be within 1 in of the marker" in far
    odds = await game.do("anna", SearchPlace("Smap", place="Lancers A", inches=1, odds=True))
    assert "Entered by hand: inches 1 (on the board: 1.9 in to Lancers A)" in text(odds)
    await game.done("anna", PlaceModel("Smap", "24 23"))
    searched = await game.do("anna", SearchPlace("Smap", place="Lancers A"))
    assert "Measured: 0.9 in to Lancers A." in text(searched)
    helped = SearchPlace("Smap", helpers=("Wanda",), place="Lancers B", odds=True)
    assert "must be within 1 in" in await game.refused("anna", helped)


@pytest.mark.rule("CB-MISS-27")
async def test_a_sabotage_in_contact_on_the_board(game: Table) -> None:
    await place(game, HOpR_Bot="6 22")
    await game.done("anna", ChooseSecretly("Sabotage"))
    await game.done("anna", LayPlaces("6 24"))
    await arrange(game, "anna", at_work("HOpR Bot"))
    assert "in base contact" in await game.refused("anna", SearchPlace("HOpR Bot", place="Lancers A"))
    await game.done("anna", PlaceModel("HOpR Bot", "6 23.3"))
    assert "0 in to Lancers A" in text(await game.do("anna", SearchPlace("HOpR Bot", place="Lancers A")))


@pytest.mark.rule("CB-MISS-16")
async def test_who_is_near_the_marker_of_an_invasion_is_measured(game: Table) -> None:
    """Middles 7 in apart are 5.9 in, 7.2 in apart 6.1 in from edge to edge."""
    await place(game, Trapper="24 15", Smap="24 0.7", Spawnguard="31.2 8")
    await game.done("bo", ChooseSecretly("Invasion"))
    await game.done("bo", LayPlaces("24 8"))
    await game.done("anna", NextStep())
    await upkeep(game)
    scored = await game.done("bo", Control())
    assert "Measured: Trapper within 6 in of the marker." in text(scored)
    assert "Edo holds the marker and scores 1 objective point." in text(scored)
    await game.done("bo", Undo())
    by_hand = await game.done("bo", Control(nobody=True))
    assert "Edo doesn't hold the marker." in text(by_hand)
    assert "Entered by hand: nobody yes" in text(by_hand)
    await game.done("bo", Undo())
    await game.done("bo", PlaceModel("Trapper", "24 40"))
    assert "Measured: no model within 6 in of the marker." in text(await game.done("bo", Control()))
    await arrange(game, "anna", over, everybody_acted)
    assert "Measured: no model within 6 in of the marker." in text(await game.done("bo", ScoreMission()))


@pytest.mark.rule("CB-MISS-13")
async def test_the_way_of_an_escort_to_its_marker_is_measured(game: Table) -> None:
    await place(game, Trapper="42 12")
    await game.done("bo", ChooseSecretly("Escort", target="Trapper"))
    await game.done("bo", LayPlaces("42 9"))
    await game.done("anna", NextStep())
    await arrange(game, "anna", over)
    scored = await game.done("bo", ScoreMission())
    assert "Measured: 1.9 in to Edo A." in text(scored)
    assert await points(game, 2) == 3


# ------------------------------------------------------------------------------------ hiding


@pytest.mark.rule("CB-HIDE-01")
async def test_hiding_needs_terrain_and_no_enemy_that_sees_the_model(game: Table) -> None:
    """Skip is behind the wall for Trapper; Smap touches nothing, and Wanda is seen past the wall's end."""
    await game.done("anna", AddTerrain("wall", "20 22", "0.5", along="28 22"))
    await place(game, Trapper="24 30", Skip="24 21.15", Smap="24 18", Wanda="28.6 22")
    await game.done("anna", NextStep())
    await arrange(game, "anna", at_work("Skip"), at_work("Smap"), at_work("Wanda"))
    assert "must touch terrain that blocks" in await game.refused("anna", Hide("Smap"))
    assert "Trapper can see Wanda Whitestar, so it can't hide here." in await game.refused(
        "anna", Hide("Wanda")
    )
    hides = await game.done("anna", Hide("Skip"))
    assert "Measured: cover 3: wall." in text(hides)
    assert "Skip Westmoreland hides (cover 3)." in text(hides)
    overridden = await game.do("anna", Hide("Wanda"), reason="the base is behind the crate")
    assert overridden.changed


@pytest.mark.rule("CB-HIDE-03")
async def test_a_hidden_model_that_comes_into_view_on_the_board_is_told(game: Table) -> None:
    await game.done("anna", AddTerrain("wall", "20 22", "0.5", along="28 22"))
    await place(game, Trapper="24 30", Skip="24 21.15", Smap="24 18")
    await game.done("anna", NextStep())
    await arrange(game, "anna", at_work("Skip"))
    await game.done("anna", Hide("Skip"))
    stays = await game.done("anna", Move("Skip", where="2 west"))
    assert "can now see" not in text(stays)
    await game.done("anna", Undo())
    moved = await game.done("anna", Move("Skip", where="5.9 east"))
    assert "Trapper can now see Skip Westmoreland." in text(moved)
    await game.press("anna", moved, "Skip Westmoreland moved into view")
    assert "is not Hidden" in await game.refused("anna", Seen((await game.encounter()).find_model("Skip").id))
    await game.done("anna", Undo())
    await game.done("anna", Undo())
    beside = await game.done("anna", MoveModel("Skip", "5.9 east", freely=True))
    assert "Skip Westmoreland moved into view" in labels(beside)


# ------------------------------------------------------------------------------------ traps


@pytest.mark.rule("CB-MISS-21", "CB-TMPL-01")
@pytest.mark.parametrize("trapped", ["Lancers A", "Lancers B"])
async def test_a_trap_is_offered_while_a_model_is_near_and_measures_who_is_under_it(
    game: Table, trapped: str
) -> None:
    """A template of R3 reaches 1.5 in from the middle of the marker; the offer is the same for any place."""

    async def offered() -> bool:
        encounter = await game.encounter()
        return "Spring a trap" in [button.label for button in game_of(encounter).panel(encounter).buttons]

    await place(game, Smap="24 28", Wanda="26 26", Trapper="24 40")
    await game.done("anna", ChooseSecretly("Recovery", seeks="Grenade"))
    await game.done("anna", LayPlaces("24 30; 36 30; 12 30"))
    await game.done("bo", TrapPlace(trapped))
    await game.done("anna", NextStep())
    assert await offered()
    await game.done("anna", PlaceModel("Smap", "24 27.8"))
    assert not await offered(), "1.1 in from the marker"
    assert "Wait until a model is within 1 in of" in await game.refused("bo", SpringTrap(trapped))
    await game.done("anna", PlaceModel("Smap", "24 29.5"))
    await game.done("anna", PlaceModel("Wanda", "25.8 30"))
    assert await offered()
    if trapped == "Lancers A":
        sprung = await game.done("bo", SpringTrap("Lancers A"))
        measured = "Measured: under the template: Smap, partly under the template: Wanda Whitestar."
        assert measured in text(sprung)
        assert "Wanda Whitestar tries to escape" in "\n".join(sprung.reply.why)
        assert not await offered()


# ------------------------------------------------------------------------------------ explosions


@pytest.mark.rule("CB-FEAT-16")
async def test_who_is_in_an_explosion_is_measured(game: Table) -> None:
    """A Kraken reaches 6 in from the edge of its base; the one that has fallen, from where it was."""
    await place(game, Trapper="24 24", Skip="24 31", Wanda="24 36", Smap="24 12")
    await game.done("anna", NextStep())
    await arrange(game, "bo", block("Trapper", "kraken"), at_work("Trapper"))
    odds = await game.do("bo", ExplodeNow("Trapper", odds=True))
    assert "Measured: Skip Westmoreland in the blast." in text(odds)
    await arrange(game, "bo", lambda encounter: set_gone(encounter, "Trapper"))
    number = (await game.encounter()).find_model("Trapper", gone=True).id
    asked = await game.do("bo", Explode(number))
    assert "On the board: Skip Westmoreland." in asked.reply.lines
    exploded = await game.press("bo", asked, "Use these models")
    assert exploded.reply.lines[0] == "Trapper explodes."


def set_gone(encounter: Encounter, name: str) -> None:
    """The model has left play."""
    encounter.find_model(name).status = GONE


@pytest.mark.rule("CB-CREW-04", "CB-PANIC-05")
async def test_who_is_in_command_range_in_the_upkeep_is_measured(game: Table) -> None:
    """Smap is 8.8 in from Skip, who leads now; the others are farther away than 12 in."""
    far = {"Wanda": "24 40", "Dr._Helen": "28 40", "HOpR_Bot": "32 40", "GDF_Medical": "36 40"}
    await place(game, Skip="24 20", Smap="24 30", **far)
    await game.done("anna", NextStep())
    weak = block("Smap", "edo_spawnling"), block("Wanda", "edo_spawnling")
    await arrange(game, "anna", everybody_acted, hurt("Sally", 2), *weak)
    asked = await game.done("anna", NextStep())
    led = await game.press("anna", asked, "Skip Westmoreland")
    assert "On the board: Smap." in led.reply.lines
    assert labels(led)[0] == "Roll (1 model in range)"
    rolled = await game.press("anna", led, "Roll (1 model in range)")
    assert "Smap (leader's INT)" in text(rolled)
    assert "Wanda Whitestar (leader's INT)" not in text(rolled)
