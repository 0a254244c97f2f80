"""Lunges, grapples with helpers, breaking free, phases and their order."""

from __future__ import annotations

import pytest

from bot.games.soluna.attack_declaration import Attack
from bot.games.soluna.board import board_of
from bot.games.soluna.close_actions import BreakFree, Grapple, Lunge
from bot.games.soluna.flip_actions import MakeFlips
from bot.games.soluna.move_actions import Move, Pass, PlaceModel
from bot.table.journal.history import Undo
from bot.table.session.encounters import NextStep
from rules.systems.soluna.damage import build_target
from rules.systems.soluna.models import Clock, Counter, points_left
from rules.systems.soluna.settings import DEFAULT
from tests.bot.soluna.yard import ANNA, BO, MEENA, PAL, XUL, opened
from tests.bot.tables import Table
from tests.rules.soluna.test_prospects import enumerated

pytestmark = pytest.mark.usefixtures("pictures_without_files")


@pytest.mark.rule("SU-LUNGE-01", "SU-LUNGE-02")
async def test_a_lunge_moves_strikes_and_falls_when_it_harms_nothing(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,1", "north"), (XUL, "5,5", "south"))
    lines = await yard.ask(ANNA, Lunge("Meena", "Xul", "5,4", "Gravity Saber", 2), 1, 6)
    assert lines[0] == "Meena does no damage to Xul."
    assert lines[1] == "Meena lunges to 5,4 (3 speed points)."
    assert "Meena falls prone because the lunge did no damage." in lines
    meena = await yard.model("Meena")
    assert meena.has("prone")
    assert meena.counter(Counter.POINTS) == 1
    assert meena.counter(Counter.RUN) == 3
    assert board_of(await yard.encounter()).piece(meena.id).square == (5, 4)
    assert "one Combat Point" in await yard.refused(ANNA, Attack("Meena", "Xul"))


@pytest.mark.rule("SU-LUNGE-02")
async def test_the_odds_of_a_lunge_tell_the_chance_to_fall(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,1", "north"), (XUL, "5,5", "south"))
    lunge = Lunge("Meena", "Xul", "5,4", "Gravity Saber", 4, extra="accuracy-2", odds=True)
    lines = (await table.do(ANNA, lunge)).reply.lines
    xul = build_target(await yard.model("Xul"), shield=False)
    harmless = enumerated(4, 0, xul, max, lambda harm: harm.total > 0)[False]
    assert 0.2 < harmless < 0.95
    assert f"Chance that the attacker falls because it does no damage: {round(100 * harmless)}%" in lines


async def test_a_lunge_out_of_range_is_refused(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,1", "north"), (XUL, "5,10", "south"))
    assert "You can't reach a free square next to this one" in await yard.refused(ANNA, Lunge("Meena", "Xul"))


@pytest.mark.rule("SU-GRAP-01", "SU-GRAP-02", "SU-GRAP-03", "SU-GRAP-04")
async def test_a_grapple_with_a_helper_holds_until_it_is_broken(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,5", "north"), (PAL, "4,6", "east"), (XUL, "5,6", "south"))
    lines = await yard.ask(ANNA, Grapple("Meena", "Xul", "Pal"), 4, 4, 4, 1, 1, 2, 3)
    assert lines[0] == "Meena grapples Xul."
    assert "Meena rolls 4 dice: 1, 4, 4, 4 (3 of a kind)" in lines
    assert points_left(await yard.model("Meena"), Clock(1, 1), DEFAULT) == 1
    assert "+1 die (Pal helps) SU-GRAP-02" in yard.why
    assert "can only break free" in await yard.refused(BO, Move("Xul", "6,7"))
    assert "already grappled" in await yard.refused(ANNA, Grapple("Pal", "Xul"))
    odds = (await table.do(BO, BreakFree("Xul", odds=True))).reply
    assert odds.private
    assert odds.lines[0] == "Xul breaks free of Meena"
    await yard.ask(ANNA, Attack("Pal", "Xul", "hands"), 1, 3)
    assert "+2 grappled target SU-GRAP-04" in yard.why
    if "choose" in yard.answer.reply.lines[-1]:
        await yard.ask(ANNA, MakeFlips(0, "none"))
    lines = await yard.ask(BO, BreakFree("Xul"), 5, 5, 1, 2, 3, 4)
    assert lines[0] == "Xul breaks free."
    assert not (await yard.model("Xul")).has("grappled")


@pytest.mark.rule("SU-GRAP-02", "SU-GRAP-03")
async def test_who_breaks_free_is_helped_by_those_beside_it(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,5", "north"), (PAL, "5,7", "south"), (XUL, "5,6", "south"))
    await yard.ask(BO, Grapple("Xul", "Meena"), 4, 4, 4, 1, 2, 3)
    refused = await yard.refused(ANNA, BreakFree("Meena", "Pal"))
    assert "Pal must be next to Meena to help." in refused
    await table.done(ANNA, PlaceModel("Pal", "4,4"))
    lines = await yard.ask(ANNA, BreakFree("Meena", "Pal"), 5, 5, 5, 1, 1, 2, 3)
    assert lines[0] == "Meena breaks free."
    assert "+1 die (Pal helps) SU-GRAP-02" in yard.why
    assert points_left(await yard.model("Meena"), Clock(1, 1), DEFAULT) == 1


async def test_a_holder_that_walks_away_lets_go(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,5", "north"), (XUL, "5,6", "south"))
    await yard.ask(ANNA, Grapple("Meena", "Xul"), 4, 4, 4, 1, 2, 3)
    await yard.ask(BO, Pass(every=True))
    await table.done(ANNA, NextStep())
    assert (await yard.model("Xul")).has("grappled")
    lines = await yard.ask(ANNA, Move("Meena", "5,3"))
    assert "No longer grappled: Xul." in lines


@pytest.mark.rule("SU-SEQ-01", "SU-SEQ-02", "SU-SPEED-01", "SU-SPEED-02")
async def test_faster_models_act_first_and_ties_are_rolled(table: Table) -> None:
    yard = await opened(
        table,
        (MEENA, "5,2", "north"),
        (PAL.replace("Speed 3", "Speed 4"), "7,2", "north"),
        (XUL, "5,9", "south"),
        settings={"action_order": "speed"},
        begin=False,
    )
    lines = await yard.ask(ANNA, NextStep(), 2, 6)
    assert lines[1:3] == ["Order: Meena, Xul, Pal", "Rolls for ties in Speed: Pal 2, Xul 6."]
    assert "Meena (Speed 5) to act or pass before Xul" in await yard.refused(BO, Move("Xul", "5,8"))
    await yard.ask(ANNA, Move("Meena", "5,4"))
    assert "5,9" in (await yard.refused(ANNA, Move("Meena", "5,9")))
    assert "You can't reach 5,8 with 3 speed points" in await yard.refused(ANNA, Move("Meena", "5,8"))
    await yard.ask(ANNA, Move("Meena", "5,7"))
    assert (await yard.model("Meena")).counter(Counter.RUN) == 5
    assert "both move and attack" in await yard.refused(ANNA, Attack("Meena", "Xul", "Saber"))


async def test_nobody_ends_a_phase_over_anothers_head(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,2", "north"), (XUL, "5,9", "south"))
    assert "Wait for bo. Xul can still act." in await yard.refused(ANNA, NextStep())
    await yard.ask(BO, Pass())
    assert (await yard.ask(ANNA, NextStep()))[0] == "Turn 1, phase 2"


@pytest.mark.rule("SU-SEQ-01", "SU-SEQ-03")
async def test_a_turn_has_ten_phases_and_points_come_back_with_it(table: Table) -> None:
    yard = await opened(
        table, (MEENA, "5,2", "north"), (XUL, "5,9", "south"), settings={"phases_per_turn": "2"}
    )
    await yard.ask(ANNA, Attack("Meena", "5,7", "Smoke"))
    await yard.ask(BO, Pass())
    await yard.ask(ANNA, NextStep(), 5)
    meena = await yard.model("Meena")
    assert points_left(meena, Clock(1, 2), DEFAULT) == 1
    await yard.ask(BO, Pass())
    assert (await yard.ask(ANNA, NextStep(), 5))[0] == "Turn 2, phase 1"
    assert points_left(await yard.model("Meena"), Clock(2, 1), DEFAULT) == 2


async def test_undo_takes_the_attack_back_with_its_flips(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,5", "north"), (XUL, "5,6", "south"))
    before = table.state()
    await yard.ask(ANNA, Attack("Meena", "Xul", "Gravity Saber"), 3, 3, 3, 4)
    await yard.ask(ANNA, MakeFlips(0, "body"))
    await table.done(ANNA, Undo())
    after = table.state()
    assert after["models"] == before["models"]
    assert after["things"] == before["things"]
