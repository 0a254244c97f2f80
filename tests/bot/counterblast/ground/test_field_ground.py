"""Fire, dangerous ground, hazards, vacuum and water, structures: the dice typed by hand."""

from __future__ import annotations

import re

import pytest

from bot.games.counterblast.core.common import USED
from bot.games.counterblast.gear.tasks import Work
from bot.games.counterblast.ground.flames import EndFire, InFire, PutOut, StartFire, WashOff
from bot.games.counterblast.ground.hazards import Enter, MendGear, RandomHazard
from bot.games.counterblast.ground.places import AddArea, DropArea
from bot.games.counterblast.ground.walls import AddStructure, Breach, DropStructure
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.setup.surroundings import InWater, SetTable, ShowCover, ShowField
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.ground import fire_named, structure_names
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.templates.coverage import Engulf
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.bag import DrawToken, PassDraw
from bot.games.counterblast.upkeep.upkeep_actions import RollUpkeep
from bot.table.journal.history import Undo
from bot.table.offers.forms import SWITCHES_PART, build_form, read_form
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import NextStep
from bot.table.session.models import ClearCondition
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.movement.ground import climate
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, touching, under

SKIP, SMAP, WANDA, HELEN, SALLY, HOPR = "Skip", "Smap", "Wanda", "Dr. Helen", "Sally", "HOpR"


def drawn(side: int) -> Step:
    """A token of the side has been drawn."""

    def step(encounter) -> None:
        encounter.row.counters["drawn"] = side
        encounter.row.counters.pop(USED, None)

    return step


def turn(number: int) -> Step:
    def step(encounter) -> None:
        encounter.row.turn = number

    return step


def all_acted(encounter) -> None:
    for model in encounter.models():
        model.counters[Counter.ACTIVATED] = 1


async def activated(ring: Ring, name: str, *faces: int) -> list[str]:
    await ring.arrange(drawn(1))
    return await ring.ask(ANNA, Activate(((await ring.model(name)).id,)), *faces)


# ------------------------------------------------------------------------------------------- fire


@pytest.mark.rule("CB-BURN-02", "CB-BURN-03", "CB-TURN-04", "CB-HAZ-03")
@pytest.mark.parametrize(
    ("began", "face", "said"),
    [
        (3, 3, "Grass grows to R5 (d10 3)"),
        (3, 9, "Grass goes out (d10 9)"),
        (1, 1, "Grass grows to R5 (d10 1 + 2)"),
        (1, 2, "Grass stays at R3 (d10 2 + 2)"),
        (1, 7, "Grass goes out (d10 7 + 2)"),
    ],
)
async def test_upkeep_rolls_whether_a_fire_grows(ring: Ring, began: int, face: int, said: str) -> None:
    await ring.arrange(turn(began))
    await ring.ask(ANNA, StartFire("Grass"))
    await ring.arrange(turn(3), all_acted)
    await ring.ask(ANNA, NextStep())
    lines = await ring.ask(ANNA, RollUpkeep(), face)
    assert said in lines


@pytest.mark.rule("CB-BURN-04", "CB-HAZ-08")
async def test_a_fire_that_was_fought_or_hemmed_in_does_not_grow_and_a_short_one_dies(ring: Ring) -> None:
    await ring.arrange(turn(2), active(SMAP))
    for name in ("Barn", "Field"):
        await ring.ask(ANNA, StartFire(name, 5))
    await ring.ask(ANNA, StartFire("Pipe", 5, lasts=1))
    await ring.ask(ANNA, PutOut(SMAP, area="Barn"), 2, 2, 2)
    await ring.ask(ANNA, EndFire("Field", hem=True))
    await ring.arrange(all_acted)
    await ring.ask(ANNA, NextStep())
    lines = await ring.ask(ANNA, RollUpkeep(), 1, 1, 5)
    assert "Barn is contained at R5 (d10 1)" in lines
    assert "Barn is contained at R5 (d10 1)" in lines
    assert "Pipe has burned out (d10 5)" in lines


@pytest.mark.rule("CB-BURN-07")
async def test_two_successes_take_a_fire_from_r5_to_r3(ring: Ring) -> None:
    await ring.arrange(active(SMAP))
    await ring.ask(ANNA, StartFire("Barn", 5))
    lines = await ring.ask(ANNA, PutOut(SMAP, area="Barn"), 4, 4, 2)
    assert lines[0] == "Smap shrinks Barn to R3."
    lines = await ring.ask(ANNA, PutOut(SMAP, area="Barn"), 4, 4, 4)
    assert lines[:2] == ["Smap puts out Barn.", "Models that caught fire keep burning."]


@pytest.mark.rule("CB-BURN-07")
async def test_without_success_a_fire_is_not_said_to_shrink(ring: Ring) -> None:
    await ring.arrange(active(SMAP))
    await ring.ask(ANNA, StartFire("Barn", 5))
    lines = await ring.ask(ANNA, PutOut(SMAP, area="Barn"), 2, 2, 2)
    assert lines[0] == "Smap doesn't shrink Barn."


@pytest.mark.rule("CB-BURN-07")
async def test_by_the_radius_setting_one_success_does_it(ring: Ring) -> None:
    def radius(encounter) -> None:
        encounter.row.settings["fire_shrink_per_success"] = "radius"

    await ring.arrange(active(SMAP), radius)
    await ring.ask(ANNA, StartFire("Barn", 5))
    lines = await ring.ask(ANNA, PutOut(SMAP, area="Barn"), 4, 2, 2)
    assert lines[0] == "Smap shrinks Barn to R3."
    assert "House rule: Putting out fires. The area's radius shrinks by 1 inch." in lines


@pytest.mark.rule("CB-BURN-05")
@pytest.mark.parametrize("kind", ["fire", "acid"])
async def test_nothing_burns_where_no_fire_is_left(ring: Ring, kind: str) -> None:
    await ring.ask(ANNA, StartFire("Barn", 5, kind))
    await ring.ask(ANNA, EndFire("Barn"))
    refused = await ring.refused(ANNA, InFire(SKIP, kind))
    assert refused.startswith(f"There is no {kind} on the table. Add it first with /cb fire start.")


@pytest.mark.rule("CB-BURN-01", "CB-BURN-05")
async def test_fire_hits_once_a_turn_and_shields_help(ring: Ring) -> None:
    await ring.ask(ANNA, StartFire("Barn", 5))
    lines = await ring.ask(ANNA, InFire(SKIP), 4)
    assert lines[:2] == [
        "Skip Westmoreland takes 1 wound from fire: 2 Life left.",
        "Skip Westmoreland is burning.",
    ]
    assert "Shield 1D vs Power 5" in lines
    assert "CB-BURN-05" in await ring.refused(ANNA, InFire(SKIP))
    lines = await ring.ask(ANNA, InFire(WANDA), 5)
    assert lines[0] == "Wanda Whitestar is unhurt by fire."


@pytest.mark.rule("CB-BURN-05")
@pytest.mark.parametrize(("state", "kind"), [("burning", "fire"), ("corroded", "acid")])
async def test_the_hit_of_who_burns_already_comes_with_its_activation(
    ring: Ring, state: str, kind: str
) -> None:
    await ring.arrange(under(state, SKIP))
    refused = await ring.refused(ANNA, InFire(SKIP, kind))
    assert "so it takes the hit when it is activated" in refused
    assert "so it takes the hit when it is activated." in await ring.refused(
        ANNA, InFire(SKIP, kind, outside=True)
    )
    await activated(ring, SKIP)
    lines = await ring.ask(ANNA, InFire(SKIP, kind), 2)
    assert "takes 1 wound" in lines[0]


@pytest.mark.rule("CB-BURN-09")
async def test_an_envirosuit_keeps_fire_off(ring: Ring) -> None:
    lines = await ring.ask(ANNA, InFire(SALLY))
    assert lines == ["Sally Starfield is safe from fire (Envirosuit)."]
    assert not (await ring.model(SALLY)).has(Condition.BURNING)


@pytest.mark.rule("CB-BURN-06")
async def test_a_burning_model_puts_itself_out_with_all_actions_or_is_hit_again(ring: Ring) -> None:
    await ring.arrange(under("burning", HELEN))
    await activated(ring, HELEN)
    assert {"Put out the fire", "Take the hit"} <= set(ring.labels)
    lines = await ring.press(ANNA, "Put out the fire", 2, 3, 2, 3)
    assert lines[0] == "Dr. Helen Salinger still needs 1 success to put out the fire on itself."
    helen = await ring.model(HELEN)
    assert helen.count(Counter.ACTIONS) == 2
    assert helen.count(ModelState.fire_turn.key) == 1
    assert "CB-BURN-05" in await ring.refused(ANNA, InFire(HELEN, outside=True))


@pytest.mark.rule("CB-BURN-06")
async def test_who_did_something_else_first_did_not_spend_all_actions_on_the_fire(ring: Ring) -> None:
    await ring.arrange(under("burning", HELEN))
    await activated(ring, HELEN)
    await ring.ask(ANNA, Move(HELEN))
    await ring.ask(ANNA, PutOut(HELEN, whole=True), 2, 3)
    assert (await ring.model(HELEN)).count(ModelState.fire_turn.key) == 0
    lines = await ring.ask(ANNA, InFire(HELEN, outside=True), 2)
    assert "takes 1 wound from fire" in lines[0]


@pytest.mark.rule("CB-BURN-06")
async def test_who_is_out_with_a_part_of_its_actions_owes_the_hit(ring: Ring) -> None:
    await ring.arrange(under("burning", HELEN))
    await activated(ring, HELEN)
    lines = await ring.ask(ANNA, PutOut(HELEN), 9, 9)
    assert lines[:2] == [
        "Dr. Helen Salinger puts out the fire on itself.",
        "Spend Dr. Helen Salinger's other action on the fire too, or the model takes the hit.",
    ]
    assert ring.labels[:2] == ["Spend all the model's actions", "Take the hit"]
    await ring.ask(ANNA, Move(HELEN))
    lines = await ring.ask(ANNA, PassDraw())
    assert "Dr. Helen Salinger still has to take the hit from the fire." in lines
    lines = await ring.press(ANNA, "Apply the hit to Dr. Helen Salinger", 2)
    assert lines[0] == "Dr. Helen Salinger takes 1 wound from fire: 1 Life left."
    assert "CB-BURN-05" in await ring.refused(ANNA, InFire(HELEN, outside=True))


@pytest.mark.rule("CB-BURN-06")
async def test_who_is_out_early_is_spared_by_spending_the_rest(ring: Ring) -> None:
    await ring.arrange(under("burning", HELEN))
    await activated(ring, HELEN)
    await ring.ask(ANNA, PutOut(HELEN), 9, 9)
    lines = await ring.press(ANNA, "Spend all the model's actions")
    assert lines[0] == (
        "Dr. Helen Salinger spends all its actions on the flames, so it takes no hit from them."
    )
    helen = await ring.model(HELEN)
    assert (helen.count(Counter.ACTIONS), helen.count(ModelState.fire_turn.key)) == (2, 1)
    assert not any("takes" in line for line in await ring.ask(ANNA, PassDraw()))


@pytest.mark.rule("CB-BURN-06")
async def test_with_all_actions_the_second_is_spent_though_the_first_put_it_out(ring: Ring) -> None:
    await ring.arrange(under("burning", HELEN))
    await activated(ring, HELEN)
    lines = await ring.press(ANNA, "Put out the fire", 9, 9)
    assert lines[0] == "Dr. Helen Salinger puts out the fire on itself."
    helen = await ring.model(HELEN)
    assert (helen.count(Counter.ACTIONS), helen.count(ModelState.fire_turn.key)) == (2, 1)


@pytest.mark.rule("CB-BURN-06")
async def test_two_checks_one_after_the_other_are_all_its_actions(ring: Ring) -> None:
    await ring.arrange(under("burning", HELEN))
    await activated(ring, HELEN)
    await ring.ask(ANNA, PutOut(HELEN), 2, 3)
    assert (await ring.model(HELEN)).count(ModelState.fire_turn.key) == 0
    await ring.ask(ANNA, PutOut(HELEN), 2, 3)
    assert (await ring.model(HELEN)).count(ModelState.fire_turn.key) == 1
    assert not any("takes" in line for line in await ring.ask(ANNA, PassDraw()))


@pytest.mark.rule("CB-BURN-06")
async def test_whom_another_puts_out_owes_nothing(ring: Ring) -> None:
    await ring.arrange(under("burning", HELEN))
    await activated(ring, HELEN)
    await ring.arrange(active(SMAP))
    await ring.ask(ANNA, PutOut(SMAP, HELEN), 9, 2, 2)
    lines = await ring.ask(ANNA, PassDraw())
    assert not any("takes" in line for line in lines)


@pytest.mark.rule("CB-FEAT-04")
async def test_washing_acid_off_takes_all_actions(ring: Ring) -> None:
    await ring.arrange(under("corroded", HELEN))
    await activated(ring, HELEN)
    await ring.ask(ANNA, Move(HELEN))
    assert "takes all its actions.\nRulebook: Features (pages 27 to 34; CB-FEAT-04)" in await ring.refused(
        ANNA, WashOff(HELEN)
    )


@pytest.mark.rule("CB-BURN-06", "CB-BURN-05")
async def test_taking_the_hit_leaves_the_actions(ring: Ring) -> None:
    await ring.arrange(under("burning", SKIP))
    await activated(ring, SKIP)
    lines = await ring.press(ANNA, "Take the hit", 2)
    assert lines[0] == "Skip Westmoreland takes 1 wound from fire: 2 Life left."
    assert (await ring.model(SKIP)).count(Counter.ACTIONS) == 0


@pytest.mark.rule("CB-BURN-07", "CB-BURN-08")
async def test_a_larger_model_takes_two_successes_of_several_checks(ring: Ring) -> None:
    await ring.arrange(active(SMAP), block(HOPR, "gdf_heavy_combot"), under("burning", HOPR))
    lines = await ring.ask(ANNA, PutOut(SMAP, HOPR), 4, 2, 2)
    assert lines[0] == "Smap still needs 1 success to put out the fire on HOpR Bot."
    lines = await ring.ask(ANNA, PutOut(SMAP, HOPR), 4, 2, 2)
    assert lines[0] == "Smap puts out the fire on HOpR Bot."
    assert not (await ring.model(HOPR)).has(Condition.BURNING)


@pytest.mark.rule("CB-BURN-07")
@pytest.mark.parametrize(("name", "said"), [("fire", "the fire"), ("Barn", "Barn")])
async def test_a_fire_without_a_name_has_an_article(ring: Ring, name: str, said: str) -> None:
    await ring.arrange(active(SMAP))
    await ring.ask(ANNA, StartFire(name, 4))
    lines = await ring.ask(ANNA, PutOut(SMAP, area=name), 9, 2, 2)
    assert lines[0] == f"Smap shrinks {said} to R3."
    lines = await ring.ask(ANNA, EndFire(name))
    assert lines == [f"{said[:1].upper()}{said[1:]} is removed from the table."]


@pytest.mark.rule("CB-TERR-07")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "Slick ground [2]"),
        ("slick", "Slick ground [2]"),
        ("Slick tiles", "Slick tiles [2]"),
        ("Oil", "Oil (slick [2])"),
    ],
)
async def test_a_place_is_called_by_its_name_or_its_ground(ring: Ring, name: str, words: str) -> None:
    await ring.ask(ANNA, AddArea(name, "slick", 2))
    lines = await ring.ask(ANNA, DropArea(name or "slick"))
    assert lines == [f"{words} is removed from the table."]
    await ring.ask(ANNA, AddArea("slick", "slick", 2))
    lines = await ring.ask(ANNA, AddArea("slick", "slick", 2))
    assert lines[0] == "Added slick ground 2 [2]."


@pytest.mark.rule("CB-FEAT-04")
async def test_acid_is_washed_off_with_all_actions(ring: Ring) -> None:
    await ring.arrange(under("corroded", SKIP))
    await activated(ring, SKIP)
    lines = await ring.press(ANNA, "Wash off the acid")
    assert lines[0] == "Skip Westmoreland washes the acid off."
    assert (await ring.model(SKIP)).count(Counter.ACTIONS) == 2
    assert "not corroded" in await ring.refused(ANNA, WashOff(SKIP))


@pytest.mark.rule("CB-BURN-02")
async def test_a_fire_weapon_offers_to_burn_the_place_once(ring: Ring) -> None:
    key = next(one.key for one in load().weapons if one.has_effect("burning"))
    await ring.arrange(active(SKIP), block(SKIP, "skip_westmoreland", key))
    skip, under_it = (
        (await ring.model(SKIP)).id,
        ((await ring.model("Trapper")).id, (await ring.model(WANDA)).id),
    )
    dice = load().weapons[key].damage_dice
    assert dice is not None
    faces = (9,) * dice.dice + (2,) * dice.dice
    await ring.ask(ANNA, Engulf(skip, key, whole=under_it), *faces[: dice.dice], *faces[dice.dice :])
    await ring.press(ANNA, "Start a fire")
    assert fire_named(await ring.table.encounter(), "fire").fire.inches == 3


# ------------------------------------------------------------------------------------------- danger


@pytest.mark.rule("CB-TERR-07", "CB-TERR-08", "CB-STAT-06")
async def test_dangerous_ground_checks_then_wounds(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Enter(SKIP, "dangerous", 2), 5, 1, 2, 6)
    assert lines[0] == "Skip Westmoreland avoids dangerous ground [2]."
    lines = await ring.ask(ANNA, Enter(WANDA, "dangerous", 2), 1, 1, 2, 7, 8, 4, 2)
    assert lines[0] == "Wanda Whitestar takes 2 wounds from dangerous ground: 1 Life left."
    assert "then 2 dice against Defense 7, shield 1D against Power 5" in lines
    assert "Critical failure: 1 extra die." in lines


@pytest.mark.rule("CB-TERR-09")
async def test_criticals_on_dangerous_ground(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Enter(HELEN, "dangerous", 1), 1, 1, 2, 8, 8, 2)
    assert lines[0] == "Dr. Helen Salinger takes 2 wounds from dangerous ground and goes down."
    assert "Critical failure: 2 extra dice." in lines
    lines = await ring.ask(ANNA, Enter(SMAP, "dangerous", 3), 2, 2, 2, 2, 1, 1, 8)
    assert lines[0] == "Smap is unhurt by dangerous ground."


@pytest.mark.rule("CB-TERR-10", "CB-HAZ-06")
async def test_who_is_safe(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Enter(HOPR, "dangerous", 3))
    assert lines[0] == "HOpR Bot is safe from dangerous ground [3] (Robot)."
    lines = await ring.ask(ANNA, Enter(SALLY, "toxic", 2))
    assert lines[0] == "Sally Starfield is safe from toxic ground [2] (Envirosuit)."


@pytest.mark.rule("CB-TERR-07")
async def test_one_check_for_a_piece_and_turn(ring: Ring) -> None:
    await ring.ask(ANNA, AddArea("Rocks", "dangerous", 1))
    await ring.ask(ANNA, Enter(SKIP, "Rocks"), 9, 2, 2, 2)
    assert "CB-TERR-07" in await ring.refused(ANNA, Enter(SKIP, "Rocks"))
    await ring.ask(ANNA, Enter(SKIP, "Rocks", moved=True), 9, 2, 2, 2)
    await ring.ask(ANNA, DropArea("Rocks"))
    assert "Rocks" not in "\n".join(await ring.ask(ANNA, ShowField()))


@pytest.mark.rule("CB-HAZ-01", "CB-HAZ-02")
async def test_acid_eats_shield_dice_and_wounds_by_its_grade(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Enter(SKIP, "acid", 3), 2, 2, 2, 3, 7, 2, 2, 4)
    assert lines[0] == "Skip Westmoreland takes 1 wound from the acid: 2 Life left."
    assert "then 3 dice against Defense 7, shield 1D against Power 5" in lines
    assert "The acid destroys a shield die. Skip Westmoreland has 0 shield dice left." in lines
    lines = await ring.ask(ANNA, MendGear(SKIP))
    assert lines[0] == "Skip Westmoreland has 1 shield die again."


@pytest.mark.rule("CB-HAZ-05")
async def test_slick_ground_throws_models_down(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Enter(SKIP, "slick", 1), 6, 2, 2, 2)
    assert lines[0] == "Skip Westmoreland slips and falls prone."
    assert "AGL 4D+0 vs 7" in lines
    assert (await ring.model(SKIP)).has(Condition.PRONE)


@pytest.mark.rule("CB-HAZ-05", "CB-HAZ-06", "CB-TERR-12")
@pytest.mark.parametrize(
    ("kind", "grade", "inches", "asks"),
    [
        ("slick", 1, "5", "Initiative check (7+)"),
        ("toxic", 3, "3", "Initiative check (5+)"),
        ("acid", 2, "6", "Initiative check (5+)"),
    ],
)
async def test_a_move_over_a_hazard_is_rugged_and_asks_for_its_check(
    ring: Ring, kind: str, grade: int, inches: str, asks: str
) -> None:
    """Skip moves 6 in; slick and toxic ground take their grade off, acid nothing."""
    await ring.arrange(active(SKIP))
    placed = await ring.ask(ANNA, AddArea("pool", kind, grade))
    assert (f"It is also Rugged [{grade}]." in placed) == (kind != "acid")
    lines = await ring.ask(ANNA, Move(SKIP, ground=("pool",)))
    assert lines[0] == f"Skip Westmoreland moves up to {inches} in."
    assert asks in " ".join(ring.answer.reply.text.split())
    await ring.press(ANNA, "Check", 9, 9, 9, 9)
    await ring.ask(ANNA, Move(SKIP, ground=("pool",)))
    assert "Check" not in ring.labels
    assert "There is no place called" in await ring.refused(ANNA, Move(SKIP, ground=("lake",)))


@pytest.mark.rule("CB-HAZ-07", "CB-HAZ-08")
@pytest.mark.parametrize(
    ("faces", "said", "button"),
    [
        ((2, 6), "Acid [2] R5 is centred on Skip Westmoreland.", "Check"),
        ((4, 5), "Fire R5 burns around Skip Westmoreland for 1 turn.", ""),
        ((6, 10), "Heat or cold [3] R5 is centred on Skip Westmoreland.", ""),
        ((8,), "Slick ground [1] R5 is centred on Skip Westmoreland.", "Check"),
        ((9, 10), "Toxic ground [3] R5 is centred on Skip Westmoreland.", "Check"),
    ],
)
async def test_the_hazard_chart(ring: Ring, faces: tuple[int, ...], said: str, button: str) -> None:
    lines = await ring.ask(ANNA, RandomHazard(SKIP), *faces)
    assert lines[0] == said
    assert (button in ring.labels) == bool(button)


@pytest.mark.rule("CB-HAZ-08", "CB-HAZ-05")
async def test_a_random_slick_surface_is_checked_at_once(ring: Ring) -> None:
    await ring.ask(ANNA, RandomHazard(SKIP), 8)
    lines = await ring.press(ANNA, "Check", 2, 2, 2, 2)
    assert lines[0] == "Skip Westmoreland slips and falls prone."


# ------------------------------------------------------------------------------------------- the table


async def test_the_form_of_the_table_shows_what_holds_and_changes_nothing_as_it_stands(ring: Ring) -> None:
    await ring.ask(ANNA, SetTable(dark=1, underwater=1))
    before = ring.table.state()
    looking = Looking((await ring.table.loaded()).book(), ring.table.actor(ANNA))
    form = build_form(looking, SetTable())
    ticked = next(one for one in form.controls if one.name == SWITCHES_PART)
    assert ticked.said == ("dark", "underwater")
    asked, wrong = read_form(form.action, {one.name: one.said for one in form.controls})
    assert not wrong
    answer = await ring.table.do(ANNA, asked)
    assert answer.reply.private
    assert ring.table.state() == before


@pytest.mark.rule("CB-ENV-06", "CB-SHIELD-04")
async def test_vacuum_hits_the_unprotected_when_they_act(ring: Ring) -> None:
    await ring.ask(ANNA, SetTable(vacuum=1))
    lines = await activated(ring, SKIP)
    assert lines[1] == "Skip Westmoreland takes 1 wound from the vacuum: 2 Life left."
    await ring.ask(ANNA, Undo())
    lines = await activated(ring, SALLY)
    assert len(lines) == 1


@pytest.mark.rule("CB-ENV-09")
async def test_without_air_the_first_hit_comes_the_turn_after(ring: Ring) -> None:
    await ring.ask(ANNA, InWater(SKIP, 5, 1.5))
    assert len(await activated(ring, SKIP)) == 1
    again = change(SKIP, lambda row: row.counters.pop(Counter.ACTIVATED))
    idle: Step = lambda encounter: encounter.book.remove(  # noqa: E731
        encounter.condition(encounter.find_model(SKIP).id, "active")
    )
    await ring.arrange(again, idle, turn(2))
    lines = await activated(ring, SKIP)
    assert lines[1] == "Skip Westmoreland takes 1 wound from lack of air: 2 Life left."


@pytest.mark.rule("CB-HAZ-04")
async def test_the_worst_cold_takes_an_action_and_hits(ring: Ring) -> None:
    await ring.ask(ANNA, SetTable(climate=3))
    lines = await activated(ring, SKIP, 2)
    assert "Skip Westmoreland loses 1 action to heat or cold." in lines
    assert "Skip Westmoreland takes 1 wound from heat or cold: 2 Life left." in lines
    assert (await ring.model(SKIP)).count(Counter.ACTIONS) == 1


@pytest.mark.rule("CB-HAZ-04")
async def test_a_cold_place_takes_the_action_of_whoever_is_in_it(ring: Ring) -> None:
    await ring.ask(ANNA, AddArea("drift", "heat_or_cold", 2))
    await ring.arrange(active(SKIP))
    lines = await ring.ask(ANNA, Enter(SKIP, "drift"))
    assert lines[:3] == [
        "Skip Westmoreland in drift (heat or cold [2]):",
        "Mv 4 in, 1 action lost",
        "Skip Westmoreland loses 1 action to heat or cold.",
    ]
    assert (await ring.model(SKIP)).count(Counter.ACTIONS) == 1
    assert (await ring.ask(ANNA, Move(SKIP, odds=True)))[0] == "Skip Westmoreland moves up to 4 in"
    await ring.ask(ANNA, Enter(SKIP, "drift", moved=True))
    assert (await ring.model(SKIP)).count(Counter.ACTIONS) == 1
    await ring.arrange(turn(2))
    assert (await ring.ask(ANNA, Move(SKIP, odds=True)))[0] == "Skip Westmoreland moves up to 6 in"


@pytest.mark.rule("CB-HAZ-04")
async def test_a_cold_place_burdens_the_activation_that_follows_and_hits_once(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Enter(SKIP, "heat_or_cold", grade=3), 2)
    assert "Skip Westmoreland takes 1 wound from heat or cold: 2 Life left." in lines
    assert (await ring.model(SKIP)).count(Counter.ACTIONS) == 0
    lines = await activated(ring, SKIP)
    assert "Skip Westmoreland loses 1 action to heat or cold." in lines
    assert (await ring.model(SKIP)).count(Counter.ACTIONS) == 1


@pytest.mark.rule("CB-ENV-01")
async def test_the_dark_of_the_table_changes_shots(ring: Ring) -> None:
    near, far = Shoot(SALLY, HOPR, 2, odds=True), Shoot(SALLY, HOPR, 8, odds=True)
    before = [(await ring.ask(ANNA, shot))[1].split()[1] for shot in (near, far)]
    await ring.ask(ANNA, SetTable(dark=1))
    after = [(await ring.ask(ANNA, shot))[1].split()[1] for shot in (near, far)]
    assert before == ["2D+3", "2D+2"]
    assert after == ["2D+2", "2D+0"]


@pytest.mark.rule("CB-TERR-04")
async def test_cover_takes_half_of_the_model_hidden(ring: Ring) -> None:
    assert await ring.ask(ANNA, ShowCover("woods", 50)) == ["woods: cover [2]"]
    lines = await ring.ask(ANNA, ShowCover("woods", 49))
    assert lines == ["woods: no cover (less than half is hidden)"]


@pytest.mark.rule("CB-TERR-06")
async def test_cover_ratings(ring: Ring) -> None:
    assert await ring.ask(ANNA, ShowCover("woods")) == ["woods: cover [2]"]
    lines = await ring.ask(ANNA, ShowCover())
    assert lines[0] == "Cover if at least half of the model is hidden:"
    assert lines[1].startswith("[1] brush")
    assert "Choose a kind of cover" in await ring.refused(ANNA, ShowCover("jelly"))


# ------------------------------------------------------------------------------------------- structures


@pytest.mark.rule("CB-TERR-13")
async def test_a_door_is_shot_at_its_own_numbers(ring: Ring) -> None:
    await ring.arrange(active(SKIP))
    lines = await ring.ask(ANNA, AddStructure("Gate", "Normal wall"))
    assert lines[0] == "Gate is on the table: Def 7, Life 3."
    lines = await ring.ask(ANNA, Breach(SKIP, "Gate", 6), 8, 2, 2, 2)
    assert lines[0].startswith("Skip Westmoreland hits Gate: ")
    assert "shield" not in ring.answer.reply.text
    assert "CB-ACT-01" in await ring.refused(ANNA, Breach(SKIP, "Gate", 6))


@pytest.mark.rule("CB-TERR-13")
async def test_a_wall_that_gives_way_is_gone_and_counts_for_nothing(ring: Ring) -> None:
    await ring.arrange(active(SALLY))
    await ring.ask(ANNA, AddStructure("Fence", "Thin wall"))
    lines = await ring.ask(ANNA, Breach(SALLY, "Fence"), 5, 2)
    assert "Fence breaks." in lines
    assert not structure_names(await ring.table.encounter())
    assert "There is no structure here yet" in await ring.refused(ANNA, DropStructure("Fence"))


@pytest.mark.rule("CB-ACT-10")
async def test_an_engaged_model_leaves_walls_alone(ring: Ring) -> None:
    await ring.arrange(active(SALLY), touching((SALLY, "Trapper")))
    await ring.ask(ANNA, AddStructure("Fence", "Thin wall"))
    assert "CB-ACT-10" in await ring.refused(ANNA, Breach(SALLY, "Fence"))


async def test_all_that_is_kept_of_the_ground_is_shown(ring: Ring) -> None:
    await ring.arrange(active(SMAP))
    await ring.ask(ANNA, AddArea("Pit", "toxic", 2))
    await ring.ask(ANNA, StartFire("Barn", 5))
    await ring.ask(ANNA, AddStructure("Gate", "Normal wall"))
    await ring.ask(ANNA, SetTable(gravity=2))
    await ring.ask(ANNA, Work(SMAP, task="Lock", needed=2, skill="engineering"), 2, 2, 2)
    assert await ring.ask(ANNA, ShowField()) == [
        "low gravity [2]",
        "Barn: fire R5, started in turn 1",
        "Pit (toxic [2])",
        "Gate: Def 7, 3 of 3 Life left",
        "Lock: 0 of 2, Engineering vs 7",
    ]


async def test_odds_of_the_ground_change_nothing(ring: Ring) -> None:
    await ring.arrange(active(SKIP), under("burning", SKIP))
    await ring.ask(ANNA, AddStructure("Gate", "Normal wall"))
    before = ring.table.state()
    for action in (
        Enter(SKIP, "acid", 2, odds=True),
        Enter(SKIP, "slick", 2, odds=True),
        Enter(SKIP, "dangerous", 3, odds=True),
        InFire(SKIP, odds=True),
        PutOut(SKIP, odds=True),
        Breach(SKIP, "Gate", 6, odds=True),
        Breach(SKIP, "Gate", odds=True),
    ):
        await ring.ask(BO, action)
        assert ring.answer.reply.private
        assert "Exact." in ring.answer.reply.text
    assert ring.table.state() == before


@pytest.mark.rule("CB-BURN-06")
async def test_a_burning_model_that_did_neither_is_told_so(ring: Ring) -> None:
    await ring.arrange(under("burning", SKIP))
    await activated(ring, SKIP)
    lines = await ring.ask(ANNA, PassDraw())
    assert "Skip Westmoreland still has to take the hit from the fire." in lines


@pytest.mark.rule("CB-BURN-06")
async def test_the_game_waits_for_a_hit_that_is_owed(ring: Ring) -> None:
    await ring.arrange(under("burning", SKIP))
    await activated(ring, SKIP)
    await ring.ask(ANNA, PassDraw())
    for goes_on in (DrawToken(), PassDraw()):
        lines = await ring.ask(ANNA, goes_on)
        assert lines[:2] == [
            "Resolve this first:",
            "Skip Westmoreland still has to take the hit from the fire.",
        ]
    await ring.press(ANNA, "Apply the hit to Skip Westmoreland", 2)
    assert "can do this for Edo" in await ring.refused(ANNA, DrawToken())


@pytest.mark.rule("CB-BURN-06")
async def test_a_fire_that_players_end_is_owed_no_hit(ring: Ring) -> None:
    await ring.arrange(under("burning", SKIP))
    await activated(ring, SKIP)
    await ring.ask(ANNA, ClearCondition(SKIP, "burning"))
    assert not any("hit" in line for line in await ring.ask(ANNA, PassDraw()))


def machines(encounter) -> None:
    """Every Hero of the Lancers is a Robot."""
    for model in encounter.models(1):
        model.profile = block_text("gdf_heavy_combot" if model.name != "Smap" else "seeker")


@pytest.mark.rule("CB-CREW-13", "CB-FEAT-60")
async def test_machines_without_uplink_check_before_they_act(ring: Ring) -> None:
    down = change(SMAP, lambda row: setattr(row, "damage", 9))
    await ring.arrange(machines, down)
    lines = await activated(ring, SKIP)
    assert "Skip Westmoreland has no uplink. It must pass an INT check (5+), or it does nothing." in lines
    assert "CB-CREW-13" in await ring.refused(ANNA, Move(SKIP))
    dice = (await ring.model(SKIP)).profile.intellect
    lines = await ring.press(ANNA, "Uplink check", 9, *[2] * (dice.dice - 1))
    assert lines[0] == "Skip Westmoreland acts without an uplink."
    await ring.ask(ANNA, Move(SKIP))
    assert "CB-CREW-13" in await ring.refused(ANNA, Move(SKIP))


@pytest.mark.rule("CB-CREW-13")
async def test_a_machine_that_fails_idles_and_a_node_spares_the_check(ring: Ring) -> None:
    await ring.arrange(machines)
    assert len(await activated(ring, SKIP)) == 1
    await ring.ask(ANNA, Undo())
    await ring.arrange(change(SMAP, lambda row: setattr(row, "damage", 9)))
    await activated(ring, SKIP)
    dice = (await ring.model(SKIP)).profile.intellect
    lines = await ring.press(ANNA, "Uplink check", *[2] * dice.dice)
    assert lines[0] == "Skip Westmoreland has no uplink and does nothing."
    assert "CB-ACT-01" in await ring.refused(ANNA, Move(SKIP))


def told(lines: list[str], start: str) -> int:
    """The whole percent of a line of odds."""
    (line,) = (one for one in lines if one.startswith(start))
    return int(re.findall(r"(\d+)%", line)[0])


@pytest.mark.rule("CB-BURN-06")
async def test_the_odds_of_all_actions_on_the_fire_are_those_of_both_checks(ring: Ring) -> None:
    await ring.arrange(active(HELEN), under("burning", HELEN))
    once = told(await ring.ask(ANNA, PutOut(HELEN, odds=True)), "out") / 100
    both = told(await ring.ask(ANNA, PutOut(HELEN, whole=True, odds=True)), "out") / 100
    assert 0 < once < 1
    assert both == pytest.approx(1 - (1 - once) ** 2, abs=0.015)


@pytest.mark.rule("CB-HAZ-04")
async def test_the_odds_of_the_worst_heat_tell_its_hit(ring: Ring) -> None:
    lines = await ring.ask(BO, Enter(SKIP, "heat_or_cold", grade=3, odds=True))
    skip = await ring.model(SKIP)
    power = climate(skip, 3).power
    # Each shield die stops the one wound where it reaches Power.
    assert skip.shield > 0
    assert told(lines, "goes down" if skip.life_left == 1 else "1 wound") == round(
        100 * ((power - 1) / 10) ** skip.shield
    )


@pytest.mark.rule("CB-HAZ-05")
async def test_the_odds_of_slick_ground_tell_what_an_order_changes(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Enter(SKIP, "slick", odds=True))
    ordered = await ring.ask(ANNA, Enter(SKIP, "slick", odds=True, order=True))
    stays = "stays on its feet"
    assert told(lines, f"With an order token: {stays}") == told(ordered, f"Skip Westmoreland {stays}")
