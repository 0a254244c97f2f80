"""What a rule does with a condition follows in every game when players set it, or end it, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.games.fracd_earth import hide_tokens
from bot.games.fracd_earth.detect_actions import Hide
from bot.games.infinity import troops
from bot.games.soluna.close_actions import Grapple
from bot.games.warzone.common import find_enemies_in_contact
from bot.games.warzone.state import model_state
from bot.table.encounter import Encounter
from bot.table.game import GAMES, Afflicts
from bot.table.session.models import AddCondition, ClearCondition
from rules.systems.infinity.trooper import Condition as State
from rules.systems.warzone.model import LOST_ACTIONS, Condition
from tests.bot.arranging import arrange
from tests.bot.fracd_earth.duel import Duel
from tests.bot.infinity.field import Field
from tests.bot.soluna.test_close import MEENA, XUL
from tests.bot.soluna.test_close import opened as yard_opened
from tests.bot.tables import Table
from tests.bot.warzone.skirmish import Skirmish, skirmish


def test_every_game_answers_conditions_set_by_hand() -> None:
    assert all(isinstance(game, Afflicts) for game in GAMES.values())


def kinds(model) -> set[str]:
    return {kind for kind, _ in model.conditions}


async def warriors(file: Path, then) -> None:
    async with skirmish(file) as game:
        await game.add("Red", "Al")
        await game.add("Blue", "Bea")
        await then(game)


@pytest.mark.rule("WZ-BACK-02", "WZ-MOVE-02")
async def test_who_is_unconscious_in_warzone_lies_prone(file: Path) -> None:
    async def then(game: Skirmish) -> None:
        await game.do(AddCondition("Al", "minimized"))
        await game.do(AddCondition("Al", "unconscious"))
        assert kinds(await game.model("Al")) == {Condition.UNCONSCIOUS, Condition.PRONE}
        await game.do(AddCondition("Al", "minimized"))
        assert Condition.PRONE not in kinds(await game.model("Al"))

    await warriors(file, then)


@pytest.mark.rule("WZ-BROKEN-01", "WZ-UNH-01", "WZ-RAMP-02", "WZ-AMOK-04")
async def test_states_of_nerves_in_warzone_are_one_at_a_time(file: Path) -> None:
    async def then(game: Skirmish) -> None:
        await game.do(AddCondition("Al", "panicked"))
        await game.do(AddCondition("Al", "broken"))
        assert kinds(await game.model("Al")) == {Condition.BROKEN}
        await game.do(AddCondition("Al", "derangement"))
        assert kinds(await game.model("Al")) == {Condition.BROKEN, Condition.DERANGED}
        await game.do(AddCondition("Al", "crippling_fear"))
        assert kinds(await game.model("Al")) == {Condition.BROKEN, Condition.CRIPPLING_FEAR}
        await game.do(AddCondition("Al", "blinded"))
        assert (await game.model("Al")).count(LOST_ACTIONS) == 1
        await game.do(AddCondition("Al", "system_reboot"))
        assert (await game.model("Al")).count(LOST_ACTIONS) == 3

    await warriors(file, then)


async def test_who_is_engaged_no_more_in_warzone_touches_nobody(file: Path) -> None:
    async def then(game: Skirmish) -> None:
        al, bea = await game.model("Al"), await game.model("Bea")

        def meet(encounter: Encounter) -> None:
            for one, other in ((al, bea), (bea, al)):
                model_state(encounter, one.id).contacts[other.id] = 1

        await arrange(game.table, "anna", meet)
        await game.do(AddCondition("Al", "engaged"))
        await game.do(ClearCondition("Al", "engaged"))
        encounter = await game.table.encounter()
        assert not find_enemies_in_contact(encounter, await game.model("Bea"))

    await warriors(file, then)


@pytest.mark.rule("SU-GRID-06")
async def test_who_is_unconscious_in_soluna_lies_prone_and_holds_nobody(table: Table) -> None:
    yard = await yard_opened(table, (MEENA, "5,5", "north"), (XUL, "5,6", "south"))
    await yard.ask("anna", Grapple("Meena", "Xul"), 4, 4, 4, 1, 1, 2)
    assert (await yard.model("Xul")).has("grappled")
    lines = await yard.ask("anna", AddCondition("Meena", "unconscious"))
    assert lines == ["Meena now has the condition unconscious.", "No longer grappled: Xul."]
    assert (await yard.model("Meena")).has("prone")
    assert not (await yard.model("Xul")).has("grappled")


@pytest.mark.rule("INF-WND-01", "INF-VAL-06")
async def test_a_trooper_is_in_one_state_at_a_time(table: Table) -> None:
    field = await Field.open(table)
    await field.ask("anna", AddCondition("Angus", "dogged"))
    await field.ask("anna", AddCondition("Angus", "unconscious"))
    encounter = await field.table.encounter()
    angus = troops.trooper(encounter, encounter.find_model("Angus"))
    assert {kind for kind, _ in angus.conditions} == {State.UNCONSCIOUS, State.PRONE}


@pytest.mark.rule("INF-SEN-06")
async def test_nothing_is_set_by_hand_on_a_marker(table: Table) -> None:
    field = await Field.open(table)
    said = await field.table.refused("bo", AddCondition("Camo Marker 1", "prone"))
    assert said == "Reveal Camo Marker 1 first with /inf reveal. It is a Marker."


@pytest.mark.rule("FE-HID-01")
async def test_who_is_hidden_no_more_leaves_no_tokens_behind(table: Table) -> None:
    duel = await Duel.open(table)
    await duel.ask("bo", Hide("Sable"))
    assert hide_tokens.tokens(await duel.encounter())
    await duel.ask("bo", ClearCondition("Sable", "hidden"))
    assert not hide_tokens.tokens(await duel.encounter())
