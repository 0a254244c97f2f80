"""What a model cannot do now: passed, held, out of speed, after the last turn; each is refused."""

from __future__ import annotations

import pytest

from bot.games.soluna.close_actions import Grapple, Lunge
from bot.games.soluna.move_actions import Move, Pass, StandUp, Turn
from bot.games.soluna.state import encounter_state
from bot.table.encounter import Encounter
from bot.table.session.encounters import NextStep
from bot.table.session.models import AddCondition
from tests.bot.arranging import arrange
from tests.bot.soluna.yard import ANNA, BO, MEENA, PAL, XUL, Yard, opened
from tests.bot.tables import Table

pytestmark = pytest.mark.usefixtures("pictures_without_files")


async def two(table: Table, **settings: str) -> Yard:
    return await opened(table, (MEENA, "5,5", "north"), (XUL, "5,6", "south"), settings=settings)


@pytest.mark.rule("SU-SEQ-01")
async def test_who_let_the_phase_pass_acts_no_more_in_it(table: Table) -> None:
    yard = await two(table)
    await table.done(BO, Pass("Xul"))
    assert "Xul has already passed in this phase." in await yard.refused(BO, Move("Xul", "6,7"))
    await table.done(ANNA, Pass("Meena"))
    await table.done(ANNA, NextStep())
    assert (await yard.ask(BO, Move("Xul", "6,7")))[0].startswith("Xul ")


@pytest.mark.rule("SU-SEQ-01")
async def test_who_has_acted_does_not_let_the_phase_pass(table: Table) -> None:
    yard = await two(table)
    await yard.ask(BO, Move("Xul", "6,7"))
    assert "Xul has already acted or passed this phase." in await yard.refused(BO, Pass("Xul"))


@pytest.mark.rule("SU-GRAP-02")
async def test_who_is_grappled_itself_helps_nobody(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,5", "north"), (PAL, "4,6", "east"), (XUL, "5,6", "south"))
    await table.done(ANNA, AddCondition("Pal", "grappled"), reason="to test")
    assert "Pal can't help, because it is grappled or has Mind 0." in await yard.refused(
        ANNA, Grapple("Meena", "Xul", "Pal")
    )


@pytest.mark.rule("SU-GRAP-03")
async def test_who_is_grappled_does_not_turn_even_after_its_move(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,5", "north"), (PAL, "4,6", "east"), (XUL, "5,7", "south"))
    await yard.ask(BO, Move("Xul", "5,6"))
    await table.done(BO, Turn("Xul", "east"))
    await yard.ask(ANNA, Grapple("Meena", "Xul", "Pal"), 4, 4, 4, 1, 1, 2, 3)
    assert "can only break free" in await yard.refused(BO, Turn("Xul", "west"))


@pytest.mark.rule("SU-KO-03")
async def test_standing_up_for_speed_points_takes_as_many_as_are_left(table: Table) -> None:
    yard = await two(table, stand_up_cost="5")
    for name in ("Xul", "Meena"):  # Speed 4 and 5
        await table.done(ANNA, AddCondition(name, "prone"), reason="to test")
    refused = await yard.refused(BO, StandUp("Xul"))
    assert "Standing up costs 5 speed points, but there are only 4 left." in refused
    await table.done(ANNA, StandUp("Meena"))
    assert not (await yard.model("Meena")).has("prone")


async def test_after_the_last_turn_there_is_no_further_phase(table: Table) -> None:
    yard = await two(table)

    def last(encounter: Encounter) -> None:
        encounter.row.turns = encounter.row.turn
        encounter_state(encounter).phase = 10

    await arrange(table, ANNA, last)
    for who, name in ((ANNA, "Meena"), (BO, "Xul")):
        await table.done(who, Pass(name))
    assert "The last turn is over. Use /encounter end." in await yard.refused(ANNA, NextStep())
    assert "The last turn is over. anna can end the game now." in await yard.refused(BO, NextStep()), (
        "what only the organiser may is offered nobody else"
    )


@pytest.mark.rule("SU-LUNGE-01")
async def test_a_lunge_ends_on_a_free_square_next_to_its_target(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,1", "north"), (XUL, "5,5", "south"))
    refused = await yard.refused(ANNA, Lunge("Meena", "Xul", "5,3", "Gravity Saber"))
    assert "next to Xul that you can reach. You can't lunge to 5,3." in refused
