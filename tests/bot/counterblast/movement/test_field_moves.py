"""Movement, climbing, jumping, falls and flight at the table, the dice typed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.movement.climbing import Climb, Leap, SetHeight
from bot.games.counterblast.movement.falls import Collide, HoldOn, TakeFall
from bot.games.counterblast.movement.moves import AtEdge, Flee, LieDown, Move, StandUp
from bot.games.counterblast.setup.surroundings import InWater, SetTable
from bot.games.counterblast.shooting.volleys import Shoot
from bot.table.journal.history import Undo
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, hurt, touching, under
from tests.bot.counterblast.shooting.test_arsenal_shots import bears

SKIP, SMAP, WANDA, HELEN, SALLY = "Skip", "Smap", "Wanda", "Dr. Helen", "Sally"


def high(name: str, inches: int) -> Step:
    return change(name, lambda row: row.counters.update({Counter.HEIGHT: inches}))


def setting(key: str, value: str) -> Step:
    def step(encounter) -> None:
        encounter.row.settings[key] = value

    return step


def table(**marks: int) -> Step:
    def step(encounter) -> None:
        encounter.row.counters.update({key.replace("_", " "): value for key, value in marks.items()})

    return step


# ------------------------------------------------------------------------------------------- distance


@pytest.mark.rule("CB-ACT-06")
async def test_members_of_a_group_finish_one_after_the_other(ring: Ring) -> None:
    await ring.arrange(active(SKIP, SMAP))
    await ring.ask(ANNA, Move(SKIP))
    await ring.ask(ANNA, Move(SMAP))
    said = await ring.refused(ANNA, Move(SKIP))
    assert "Skip Westmoreland can no longer act, because Smap has already begun to act." in said
    assert "CB-ACT-06" in said
    await ring.ask(ANNA, Move(SMAP))


@pytest.mark.rule("CB-MOVE-01", "CB-TERR-12")
async def test_rugged_ground_counts_once_for_two_moves(ring: Ring) -> None:
    await ring.arrange(active(SKIP))
    lines = await ring.ask(ANNA, Move(SKIP, moves=2, rugged=(3,)))
    assert lines[0] == "Skip Westmoreland moves up to 9 in."
    assert "-3 ground 1, Rugged [3]" in lines
    assert (await ring.model(SKIP)).count(Counter.MOVES) == 2
    assert "CB-ACT-01" in await ring.refused(ANNA, Move(SKIP))


@pytest.mark.rule("CB-MOVE-12", "CB-WEAP-34")
async def test_two_carry_a_heavy_weapon_in_both_moves_and_nothing_else(ring: Ring) -> None:
    await ring.arrange(bears(SKIP, "skip_westmoreland", "slugger_heavy"), active(SKIP, SMAP))
    lines = await ring.ask(ANNA, Move(SKIP, moves=2, odds=True))
    assert lines[0] == "Skip Westmoreland moves up to 10 in"
    lines = await ring.ask(ANNA, Move(SKIP, moves=2, contact=12, helper=SMAP, odds=True))
    assert lines[0] == "Skip Westmoreland moves up to 12 in"
    assert "Two models can carry a weapon together for at most" in await ring.refused(
        ANNA, Move(SKIP, contact=7, helper=SMAP)
    )
    assert "doesn't carry a heavy weapon that slows it." in await ring.refused(
        ANNA, Move(SMAP, contact=6, helper=SKIP)
    )


@pytest.mark.rule("CB-TERR-02", "CB-TERR-12")
async def test_barriers_cost_height_and_depth_and_rating_but_not_off_the_ground(ring: Ring) -> None:
    await ring.arrange(active(SKIP, SALLY))
    lines = await ring.ask(ANNA, Move(SKIP, height=1, depth=0.5, barrier=1, odds=True))
    assert lines[0] == "Skip Westmoreland moves up to 3.5 in"
    assert ring.labels == ["Move (1 action)", "Change..."]
    lines = await ring.ask(ANNA, Move(SALLY, height=1, depth=0.5, rugged=(2,), odds=True))
    assert lines[0] == "Sally Starfield moves up to 10 in"


@pytest.mark.rule("CB-TERR-03")
async def test_a_large_walker_steps_over_a_low_and_narrow_barrier(ring: Ring) -> None:
    low = Move(SKIP, height=1, depth=1, base=2, odds=True)
    assert (await ring.ask(ANNA, replace(low, tall=4)))[0] == "Skip Westmoreland moves up to 4 in"
    await ring.arrange(block(SKIP, "gdf_heavy_combot"))
    assert (await ring.ask(ANNA, replace(low, tall=4)))[0] == "Skip Westmoreland moves up to 6 in"
    assert (await ring.ask(ANNA, replace(low, tall=3)))[0] == "Skip Westmoreland moves up to 4 in"
    wide = replace(low, tall=4, depth=1.5)
    assert (await ring.ask(ANNA, wide))[0] == "Skip Westmoreland moves up to 3.5 in"
    lines = await ring.ask(ANNA, replace(low, base=0))
    assert "Large models can ignore low barriers. Enter the model's height and base width." in lines
    lines = await ring.ask(ANNA, replace(low, tall=4, goes_on="wheels"))
    assert lines[0] == "Skip Westmoreland moves up to 4 in"


@pytest.mark.rule("CB-TERR-11", "CB-FEAT-30")
async def test_impassable_ground_stops_walkers_and_flyers_end_beside_it(ring: Ring) -> None:
    await ring.arrange(active(SKIP, SALLY))
    assert "CB-TERR-11" in await ring.refused(ANNA, Move(SKIP, impassable=True))
    assert "CB-TERR-11" in await ring.refused(ANNA, Move(SALLY, end="on impassable ground"))
    assert "CB-FEAT-30" in await ring.refused(ANNA, Move(SALLY, end="on a model"))
    assert "stops in front of the other model" in await ring.refused(ANNA, Move(SKIP, end="on a model"))
    lines = await ring.ask(ANNA, Move(SALLY, impassable=True))
    assert lines[0] == "Sally Starfield moves up to 10 in."


@pytest.mark.rule("CB-MOVE-09", "CB-MOVE-07", "CB-MOVE-08")
async def test_lying_down_crawling_and_standing_up(ring: Ring) -> None:
    await ring.arrange(active(WANDA, HELEN))
    await ring.ask(ANNA, LieDown(HELEN))
    assert (await ring.ask(ANNA, Move(HELEN)))[0] == "Dr. Helen Salinger moves up to 3 in."
    await ring.arrange(under("prone", WANDA))
    assert (await ring.ask(ANNA, StandUp(WANDA)))[0] == "Wanda Whitestar stands up (2 actions)."
    assert not (await ring.model(WANDA)).has(Condition.PRONE)
    assert "CB-MOVE-08" in await ring.refused(ANNA, StandUp(WANDA))
    await ring.arrange(active(SKIP), touching((SKIP, "Trapper")))
    assert "CB-MOVE-07" in await ring.refused(ANNA, LieDown(SKIP))


@pytest.mark.rule("CB-MOVE-08", "CB-FEAT-44")
async def test_a_quick_model_that_was_knocked_down_stands_up_for_nothing(ring: Ring) -> None:
    def knocked(encounter) -> None:
        row = next(one for one in encounter.conditions(encounter.find_model(SKIP).id) if one.kind == "prone")
        row.source = "Sonic Blaster"

    await ring.arrange(active(SKIP), under("prone", SKIP), knocked)
    assert (await ring.ask(ANNA, StandUp(SKIP)))[0] == "Skip Westmoreland stands up (free)."
    assert (await ring.model(SKIP)).count(Counter.ACTIONS) == 0


@pytest.mark.rule("CB-MOVE-12")
async def test_carrying_together_lifts_the_weight_for_the_inches_in_contact(ring: Ring) -> None:
    await ring.arrange(active(SKIP), block(SKIP, "skip_westmoreland", "pulsar_heavy"))
    alone = (await ring.ask(ANNA, Move(SKIP, odds=True)))[0]
    assert "Choose the model that helps carry the heavy weapon." in await ring.refused(
        ANNA, Move(SKIP, contact=6)
    )
    assert "CB-MOVE-12" in await ring.refused(ANNA, Move(SKIP, contact=6, helper=SMAP))
    await ring.arrange(active(SMAP))
    shared = (await ring.ask(ANNA, Move(SKIP, contact=6, helper=SMAP, odds=True)))[0]
    assert alone.endswith("5 in")
    assert shared.endswith("6 in")


@pytest.mark.rule("CB-HAZ-04")
async def test_cold_shortens_moves_and_takes_an_action(ring: Ring) -> None:
    await ring.arrange(active(SKIP), table(heat_or_cold=2))
    lines = await ring.ask(ANNA, Move(SKIP, odds=True))
    assert lines[0] == "Skip Westmoreland moves up to 4 in"
    await ring.arrange(table(heat_or_cold=3))
    assert (await ring.ask(ANNA, Move(SKIP, odds=True)))[0] == "Skip Westmoreland moves up to 3 in"
    await ring.arrange(active(SALLY))
    assert (await ring.ask(ANNA, Move(SALLY, odds=True)))[0] == "Sally Starfield moves up to 10 in"


# ------------------------------------------------------------------------------------------- low gravity


@pytest.mark.rule("CB-ENV-02", "CB-STAT-06")
async def test_a_long_move_in_low_gravity_is_checked(ring: Ring) -> None:
    await ring.arrange(active(SKIP, SALLY))
    await ring.ask(ANNA, SetTable(gravity=1))
    lines = await ring.ask(ANNA, Move(SKIP, inches=4), 7, 2, 2, 2)
    assert "Skip Westmoreland keeps its feet in low gravity." in lines
    assert "AGL 4D+0 vs 7" in lines
    lines = await ring.ask(ANNA, Move(SKIP, inches=3))
    assert "low gravity" not in ring.answer.reply.text
    await ring.ask(ANNA, Move(SALLY))
    assert "low gravity" not in ring.answer.reply.text


@pytest.mark.rule("CB-ENV-03", "CB-ENV-04")
@pytest.mark.parametrize(
    ("face", "more", "said"),
    [
        (3, (), "Skip Westmoreland drifts 6 in straight ahead."),
        (4, (), "Skip Westmoreland drifts 12 in straight ahead."),
        (7, (6, 9, 4), "Skip Westmoreland drifts 13 in towards 6 o'clock."),
    ],
)
async def test_the_drift_chart(ring: Ring, face: int, more: tuple[int, ...], said: str) -> None:
    await ring.arrange(active(SKIP))
    await ring.ask(ANNA, SetTable(gravity=1))
    lines = await ring.ask(ANNA, Move(SKIP), 2, 2, 2, 2, face, *more)
    assert lines[0] == said


@pytest.mark.rule("CB-ENV-03", "CB-ENV-05")
async def test_a_drift_ends_at_the_edge_of_impassable_ground_with_a_collision(ring: Ring) -> None:
    """12 in of drift: a cliff 6 in away is 2 dice at Defense; one 13 in away is not reached."""
    await ring.arrange(active(SKIP))
    await ring.ask(ANNA, SetTable(gravity=1))
    lines = await ring.ask(ANNA, Move(SKIP), 2, 2, 2, 2, 4)
    assert lines[1:3] == [
        "Skip Westmoreland stops at the first object it hits, or at the edge of Impassable ground.",
        "",
    ]
    hit = next(button.action for button in ring.answer.reply.buttons if isinstance(button.action, Collide))
    assert hit.drifted == 12
    assert ("12 in. Enter that distance or less") in await ring.refused(
        ANNA, replace(hit, inches=13, sure=True)
    )
    lines = await ring.ask(ANNA, replace(hit, inches=6, sure=True), 7, 2)
    assert lines[0] == "Skip Westmoreland takes 1 wound: 2 Life left."


@pytest.mark.rule("CB-FALL-01")
async def test_a_stunned_model_that_is_wounded_at_the_edge_falls_without_a_check(ring: Ring) -> None:
    await ring.arrange(high(SKIP, 8), under(Condition.INCAPACITATED, SKIP))
    await ring.ask(ANNA, Collide((await ring.model(SKIP)).id, 3, sure=True), 9)
    assert "Fall" in ring.labels
    assert "Hold on" not in ring.labels


@pytest.mark.rule("CB-ENV-04", "CB-VEH-22")
async def test_a_collision_strikes_both_by_the_inches_drifted(ring: Ring) -> None:
    skip = (await ring.model(SKIP)).id
    await ring.ask(ANNA, Collide(skip, 7))
    trapper = (await ring.model("Trapper")).id
    lines = await ring.choose(ANNA, trapper, faces=(7, 2, 8, 2))
    assert lines[:2] == [
        "Skip Westmoreland takes 1 wound: 2 Life left.",
        "Trapper takes 1 wound and goes down.",
    ]


@pytest.mark.rule("CB-ENV-04", "CB-FALL-03")
async def test_the_odds_of_a_collision_tell_of_everybody_in_it(ring: Ring) -> None:
    skip, trapper = await ring.model(SKIP), await ring.model("Trapper")
    lines = await ring.ask(BO, Collide(skip.id, 3, (trapper.id,), odds=True))
    # One die for full 3 in each, a wound at Defense or more.
    unhurt = next(line for line in lines if line.startswith("no wound"))
    assert f"{10 * (skip.defense - 1)}%" in unhurt
    assert f"Trapper: hurt {10 * (11 - trapper.defense)}%" in " ".join(lines)
    assert lines[-1] == "No dice were rolled."


@pytest.mark.rule("CB-FALL-02", "CB-FALL-04")
async def test_the_odds_of_a_fall_tell_of_who_is_below(ring: Ring) -> None:
    trapper = await ring.model("Trapper")
    lines = await ring.ask(ANNA, TakeFall(SKIP, 3, onto=(trapper.id,), odds=True))
    assert any(line.startswith(f"Trapper: hurt {10 * (11 - trapper.defense)}%") for line in lines)


@pytest.mark.rule("CB-ENV-08", "CB-ENV-10")
async def test_deep_water_is_rugged_and_drifts_without_harm(ring: Ring) -> None:
    await ring.arrange(active(SKIP))
    lines = await ring.ask(ANNA, InWater(SKIP, 4, 1.5))
    assert "The water is Rugged [3]." in lines
    assert "The water counts as low gravity [2]." in lines
    assert (await ring.ask(ANNA, Move(SKIP, odds=True)))[0] == "Skip Westmoreland moves up to 3 in"
    skip = (await ring.model(SKIP)).id
    lines = await ring.ask(ANNA, Collide(skip, 12, sure=True))
    assert "Deep water prevents all damage." in lines


# ------------------------------------------------------------------------------------------- up and over


@pytest.mark.rule("CB-TERR-12", "CB-ENV-08")
async def test_water_takes_its_inches_off_once_in_an_activation(ring: Ring) -> None:
    await ring.arrange(active(SKIP))
    await ring.ask(ANNA, InWater(SKIP, 4, 1.5))
    assert "moves up to 3 in" in (await ring.ask(ANNA, Move(SKIP, inches=3)))[0]
    lines = await ring.ask(ANNA, Move(SKIP, inches=3))
    assert "moves up to 6 in" in lines[0]
    await ring.ask(ANNA, Undo())
    await ring.ask(ANNA, Undo())
    assert "moves up to 3 in" in (await ring.ask(ANNA, Move(SKIP, inches=3)))[0]


@pytest.mark.rule("CB-MOVE-04", "CB-GEN-04")
async def test_climbing_keeps_height_and_a_lost_grip_is_a_fall(ring: Ring) -> None:
    await ring.arrange(active(WANDA))
    lines = await ring.ask(ANNA, Climb(WANDA, 6), 3, 2, 2)
    assert lines[0] == "Wanda Whitestar climbs and is now 6 in above the ground."
    assert "AGL 3D+3 vs 6" in lines
    lines = await ring.ask(ANNA, Climb(WANDA, 3), 2, 2, 2)
    assert lines[0] == "Wanda Whitestar loses its grip."
    assert "Wanda Whitestar loses its grip and falls 6 in." in lines
    lines = await ring.press(ANNA, "Fall")
    lines = await ring.press(ANNA, "Roll (no model is below)", 7, 3)
    assert lines[0] == "Wanda Whitestar takes 1 wound from the fall (6 in): 2 Life left."
    assert (await ring.model(WANDA)).count(Counter.HEIGHT) == 0


@pytest.mark.rule("CB-MOVE-05", "CB-MOVE-06")
async def test_a_longer_jump_needs_a_success_for_every_inch_more(ring: Ring) -> None:
    await ring.arrange(active(SKIP, HELEN))
    assert (await ring.ask(ANNA, Leap(SKIP, 3)))[0] == "Skip Westmoreland jumps 3 in."
    lines = await ring.ask(ANNA, Leap(HELEN, 5), 5, 6)
    assert lines[:2] == [
        "Dr. Helen Salinger jumps 5 in.",
        "The first 3 in need no check. The rest needs 2 successes.",
    ]
    lines = await ring.ask(ANNA, Leap(HELEN, 5, drop=8), 5, 2)
    assert lines[0] == "Dr. Helen Salinger stops at the edge."
    assert "CB-MOVE-05" in await ring.refused(ANNA, Leap(SKIP, 2, goes_on="wheels"))
    assert "CB-MOVE-05" in await ring.refused(ANNA, Leap(SKIP, 2, rise=1))


@pytest.mark.rule("CB-MOVE-06")
async def test_a_failed_jump_falls_on_a_critical_failure_or_by_the_house_rule(ring: Ring) -> None:
    await ring.arrange(active(HELEN, SMAP))
    await ring.ask(ANNA, Leap(HELEN, 5, drop=8), 1, 2)
    assert "Dr. Helen Salinger fails the jump." in ring.answer.reply.lines
    assert "Dr. Helen Salinger falls 8 in." in ring.answer.reply.lines
    await ring.arrange(setting("short_jump", "fall"))
    lines = await ring.ask(ANNA, Leap(HELEN, 5, drop=8), 5, 2)
    assert lines[0] == "Dr. Helen Salinger fails the jump."
    assert "House rule: Jumps that are too short. The model falls." in lines


# ------------------------------------------------------------------------------------------- falls


@pytest.mark.rule("CB-FALL-03")
@pytest.mark.parametrize(("inches", "dice"), [(8, 2), (9, 3), (2, 0)])
async def test_one_die_for_every_full_three_inches(ring: Ring, inches: int, dice: int) -> None:
    lines = await ring.ask(ANNA, TakeFall(SKIP, inches), *([2] * dice))
    assert lines[0] == f"Skip Westmoreland is unhurt by the fall ({inches} in)."
    assert f"{dice} dice for a fall of {inches} in (no shields)" in lines


@pytest.mark.rule("CB-FALL-04", "CB-FALL-06")
@pytest.mark.parametrize(("inches", "own", "struck"), [(8, 2, 4), (9, 3, 5)])
async def test_a_large_faller_strikes_small_models_harder(
    ring: Ring, inches: int, own: int, struck: int
) -> None:
    await ring.arrange(block(SKIP, "gdf_heavy_combot"))
    await ring.ask(ANNA, TakeFall(SKIP, inches, ask=True))
    trapper, wanda = (await ring.model("Trapper")).id, (await ring.model(WANDA)).id
    faces = (*([2] * own), *([2] * (struck - 1)), 9, *([2] * struck))
    lines = await ring.choose(ANNA, trapper, wanda, faces=faces)
    assert lines[1] == "Wanda Whitestar takes 1 wound: 2 Life left."
    assert lines[2] == "Trapper is unhurt."
    assert f"Trapper (below): {struck} dice" in lines


@pytest.mark.rule("CB-FALL-05")
async def test_a_small_faller_adds_nothing_on_a_larger_model(ring: Ring) -> None:
    await ring.arrange(block(WANDA, "gdf_heavy_combot"))
    await ring.ask(ANNA, TakeFall(SKIP, 9, ask=True))
    lines = await ring.choose(ANNA, (await ring.model(WANDA)).id, faces=(2, 2, 2, 2, 2, 2))
    assert "Wanda Whitestar (below): 3 dice" in lines


@pytest.mark.rule("CB-FALL-01")
async def test_a_model_shot_at_a_height_is_asked_to_hold_on(ring: Ring) -> None:
    await ring.arrange(active("Edo Underling"), high(SKIP, 8))
    await ring.ask(BO, Shoot("Edo Underling", SKIP, 5), 9, 2)
    assert (
        "If Skip Westmoreland is within 1 in of an edge, roll to hold on. On a failure it falls 8 in."
        in ring.answer.reply.lines
    )
    lines = await ring.press(ANNA, "Hold on", 2, 2, 2, 2)
    assert lines[0] == "Skip Westmoreland slips off the edge."
    assert "Fall" in ring.labels


@pytest.mark.rule("CB-FALL-01")
async def test_a_model_brought_down_at_the_edge_makes_no_check(ring: Ring) -> None:
    await ring.arrange(high("Trapper", 6))
    await ring.ask(BO, TakeFall("Trapper", 3), 9)
    assert "Fall" not in ring.labels  # it lies below now
    assert "CB-COND-05" in await ring.refused(BO, HoldOn("Trapper", 6))


@pytest.mark.rule("CB-FALL-02")
async def test_a_removed_model_hits_those_below_and_rolls_nothing_itself(ring: Ring) -> None:
    def gone(encounter) -> None:
        row = encounter.find_model("Trapper")
        row.status, row.left_how = "gone", "casualty"

    await ring.arrange(gone)
    await ring.ask(BO, TakeFall("Trapper", 7, ask=True))
    lines = await ring.choose(BO, (await ring.model(SKIP)).id, faces=(8, 2))
    assert lines[:2] == ["Trapper falls 7 in.", "Skip Westmoreland takes 1 wound: 2 Life left."]


async def test_the_height_can_be_said_by_hand(ring: Ring) -> None:
    assert (await ring.ask(ANNA, SetHeight(SKIP, 4)))[0] == "Skip Westmoreland is now 4 in above the ground."
    assert (await ring.model(SKIP)).count(Counter.HEIGHT) == 4


# ------------------------------------------------------------------------------------------- flight


@pytest.mark.rule("CB-CAS-06", "CB-MOVE-02", "CB-PANIC-10")
async def test_a_panicked_model_that_reaches_the_edge_has_fled(ring: Ring) -> None:
    rallied = change(SMAP, lambda row: row.counters.update({Counter.RALLIED: 1}))
    await ring.arrange(active(SMAP), under("panicked", SMAP), rallied)
    lines = await ring.ask(ANNA, Flee(SMAP))
    assert lines[0] == "Smap runs 12 in towards the table edge."
    lines = await ring.press(ANNA, "Smap reaches the edge")
    assert lines[0] == "Smap has fled."
    assert (await ring.table.encounter()).find_model(SMAP, gone=True).left_how == "fled"
    assert (await ring.ask(ANNA, AtEdge(SKIP)))[0] == "Skip Westmoreland stops at the table edge."


async def test_what_shortens_a_run_to_the_edge_is_told_without_the_ids_of_rules(ring: Ring) -> None:
    rallied = change(SMAP, lambda row: row.counters.update({Counter.RALLIED: 1}))
    await ring.arrange(active(SMAP), under("panicked", SMAP), rallied, table(heat_or_cold=2))
    lines = await ring.ask(ANNA, Flee(SMAP))
    assert any(line.endswith("heat or cold [2]") for line in lines), lines


@pytest.mark.rule("CB-CREW-05")
async def test_a_leader_that_flees_is_followed(ring: Ring) -> None:
    await ring.arrange(under("panicked", SALLY))
    lines = await ring.ask(ANNA, AtEdge(SALLY))
    assert lines[1] == "Lancers has lost its leader. Who leads now?"


# ------------------------------------------------------------------------------------------- odds


async def test_odds_of_movement(ring: Ring) -> None:
    await ring.arrange(active(SKIP), hurt(SKIP, 1))
    assert (await ring.ask(ANNA, Climb(SKIP, 3, odds=True)))[0].startswith(
        "Skip Westmoreland keeps its grip: "
    )
    assert (await ring.ask(ANNA, Leap(SKIP, 5, odds=True)))[0] == "Skip Westmoreland tries to jump 5 in"
    assert (await ring.ask(ANNA, HoldOn(SKIP, 9, odds=True)))[0].startswith("Skip Westmoreland holds on:")
    lines = await ring.ask(ANNA, TakeFall(SKIP, 9, odds=True))
    assert lines[0] == "Skip Westmoreland falls 9 in: 3 dice"
    await ring.ask(ANNA, SetTable(gravity=2))
    lines = await ring.ask(ANNA, Move(SKIP, odds=True))
    assert any(line.startswith("drifts") for line in lines)
