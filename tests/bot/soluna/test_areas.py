"""Area weapons: everybody in them, clouds that drift and end, pulses that run on."""

from __future__ import annotations

import pytest

from bot.games.soluna.activation import models_yet_to_act
from bot.games.soluna.attack_declaration import Attack
from bot.games.soluna.board import board_of
from bot.games.soluna.flip_actions import MakeFlips
from bot.games.soluna.move_actions import Pass
from bot.table.journal.history import Undo
from bot.table.session.encounters import NextStep
from tests.bot.soluna.yard import ANNA, BO, MEENA, PAL, XUL, Yard, opened
from tests.bot.tables import Table

pytestmark = pytest.mark.usefixtures("pictures_without_files")


async def field(table: Table, **more: object) -> Yard:
    """Meena far off; Xul and Anna's own Pal side by side."""
    return await opened(
        table,
        (MEENA, "5,2", "north"),
        (PAL, "6,6", "south"),
        (XUL, "5,6", "south"),
        **more,  # type: ignore[arg-type]
    )


async def next_phase(yard: Yard, *faces: int) -> list[str]:
    for who in (ANNA, BO):
        encounter = await yard.encounter()
        owners = {encounter.model(model.id).owner_id for model in models_yet_to_act(encounter)}
        if yard.table.ids[who] in owners:
            await yard.ask(who, Pass(every=True))
    return await yard.ask(ANNA, NextStep(), *faces)


@pytest.mark.rule("SU-AREA-01", "SU-BURST-01", "SU-CLOUD-01")
async def test_a_burst_strikes_friends_and_leaves_a_cloud(table: Table) -> None:
    yard = await field(table)
    lines = await yard.ask(ANNA, Attack("Meena", "5,6", "Smoke"), 6, 6)
    assert lines[0] == "Meena: Smoke Grenade, 2 models in the area."
    assert lines[1] == "Burst 2 at 5,6: 5,6-6,7"
    assert "Meena hits Pal (Speed -1)." in lines
    assert "Meena does no damage to Xul." in lines
    (cloud,) = board_of(await yard.encounter()).clouds
    assert cloud.squares == {(5, 6), (6, 6), (5, 7), (6, 7)}
    assert (cloud.placed, cloud.life, cloud.factor) == (1, 4, "poor")


@pytest.mark.rule("SU-AREA-01", "SU-FLIP-02")
async def test_flips_on_a_friend_spare_it_in_the_odds_and_on_the_table(table: Table) -> None:
    """Pal has Body 0: of four dice with four flips nothing need hit his Health, and much could hit Xul's."""
    bomber = MEENA.replace(
        "Smoke Grenade, Reach 5, Power 1, burst 2", "Bomb, Reach 5, Power 4, Accuracy 4, burst 2"
    )
    yard = await opened(table, (bomber, "5,2", "north"), (PAL, "6,6", "south"), (XUL, "5,6", "south"))
    lines = (await table.do(ANNA, Attack("Meena", "5,6", "Bomb", odds=True))).reply.lines
    at = next(place for place, line in enumerate(lines) if line.startswith("Pal (friend): 4 dice"))
    assert lines[at + 1] == "  Chance to lose Health: 0%"
    assert lines[at + 3] == "  Chance to be killed: 0%"
    asked = await yard.ask(ANNA, Attack("Meena", "5,6", "Bomb"), 2, 2, 2, 2, 2, 2, 2, 2)
    assert any("Pal" in line for line in asked)
    assert "The first choice does the least damage to Pal." in yard.answer.reply.lines
    spared = await yard.ask(ANNA, MakeFlips(0, "speed"))
    assert spared[0] == "Meena kills Pal (Mind -2, Health -2).", "the location that was named is spared"
    await table.done(ANNA, Undo())
    done = await yard.ask(ANNA, MakeFlips(0, "best"))
    assert done[0] == "Meena hits Pal (Speed -3, Health -1).", "Health weighs as much as Mind"
    await table.done(ANNA, Undo())
    done = await yard.ask(ANNA, MakeFlips(0, "health"))
    assert done[0] == "Meena hits Pal (Speed -3, Mind -1)."


@pytest.mark.rule("SU-CLOUD-02", "SU-CLOUD-01", "SU-CLOUD-03", "SU-VIS-05")
async def test_a_cloud_drifts_and_ends_and_dims_what_runs_through_it(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,2", "north"), (XUL, "5,5", "south"))
    await yard.ask(ANNA, Attack("Meena", "5,7", "Smoke"))
    lines = await next_phase(yard, 8)
    assert "The Smoke Grenade cloud rolls 8 for drift. It moves south and covers 5,6-6,7." in lines
    lines = await next_phase(yard, 8)
    assert "The Smoke Grenade cloud rolls 8 for drift. It moves south and covers 5,5-6,6." in lines
    assert "at reach 3 (counts as 5)" in await yard.refused(ANNA, Attack("Meena", "Xul", "Pulse"))
    lines = await next_phase(yard, 5)
    assert "The Smoke Grenade cloud rolls 5 for drift. It stays where it is and covers 5,5-6,6." in lines
    lines = await next_phase(yard)
    assert "The Smoke Grenade cloud has dispersed." in lines
    assert not board_of(await yard.encounter()).clouds


@pytest.mark.rule("SU-CLOUD-02")
async def test_a_0_ends_a_cloud(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,2", "north"), (XUL, "5,5", "south"))
    await yard.ask(ANNA, Attack("Meena", "5,7", "Smoke"))
    assert "The Smoke Grenade cloud rolls 0 for drift and disappears." in await next_phase(yard, 10)


@pytest.mark.rule("SU-PULSE-01")
async def test_a_pulse_runs_outward_phase_by_phase(table: Table) -> None:
    """Set off at 5,5: nobody; ring 1 meets Xul on 5,6; ring 2 Pal on 6,6; then it is over."""
    yard = await field(table)
    lines = await yard.ask(ANNA, Attack("Meena", "5,5", "Wave"))
    assert lines[0] == "Meena: Wave, no models in the area."
    assert "The pulse keeps spreading for 2 phases." in lines
    lines = await next_phase(yard, 2, 3, 5)
    assert "Wave spreads to ring 1 of 2 and reaches Xul." in lines
    assert "Meena does no damage to Xul." in lines
    lines = await next_phase(yard, 6, 6, 6)
    assert "Wave spreads to ring 2 of 2 and reaches Pal." in lines
    assert "Meena hits Pal (Speed -3)." in lines
    assert not any("Wave" in line for line in await next_phase(yard))


@pytest.mark.rule("SU-STAR-01", "SU-AREA-02")
async def test_an_area_is_drawn_before_it_is_used(table: Table) -> None:
    """A burst of four squares as stars in the text, as words in the picture, to the asker alone."""
    yard = await field(table)
    reply = (await yard.table.do(ANNA, Attack("Meena", "8,7", "Smoke", extra="range+1", odds=True))).reply
    assert reply.private
    assert [line for line in reply.lines if "**" in line] == [" 8 ........**..", " 7 ........**.."]
    assert "4 squares" in reply.files[0].words
