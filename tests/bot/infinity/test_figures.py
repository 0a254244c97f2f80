"""Odds, calculators and free rolls: what needs no Order."""

from __future__ import annotations

import pytest

from bot.games.infinity.attack_actions import Fight, Shoot
from bot.games.infinity.movement_actions import Area, FallDown, Jump, MoveDistance, SpendOrder
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import NOTHING, Resolve
from bot.games.infinity.recovery_actions import Heal
from bot.games.infinity.roll_actions import FaceToFaceRoll, RollD20
from bot.games.infinity.search_actions import Discover
from bot.table.session.encounters import NextStep
from tests.bot.infinity.field import ANNA, BO, Field, hurt, profile, under

TARIK = "Leaper: MOV 6-4, CC 16, BS 11, PH 13, ARM 1, W 2, TYPE MI; CC Weapon CC B1 DAM PH; Skills Super-Jump"
ORDINARY = "Leaper: MOV 4-4, BS 11, PH 13, ARM 1, W 2, TYPE MI; CC Weapon CC B1 DAM PH"


async def test_odds_are_private_exact_and_spend_nothing(field: Field) -> None:
    before = field.table.state()
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 12, odds=True))
    assert field.answer.reply.private
    assert field.table.state() == before
    assert lines[:3] == [
        "Angus -> Tracker, 12 in",
        "Angus, BS 12 +3 = 15, 3 dice",
        "Tracker's ARO: Shoot with Rifle",
    ]
    assert "Exact." in lines
    assert [line for line in lines if line.startswith("goes down  59%")]
    assert field.labels == ["Shoot", "Compare", "Change..."]
    lines = await field.press(ANNA, "Shoot")
    assert lines[0] == "Angus shoots at Tracker."


async def test_odds_of_close_combat_and_of_a_hidden_shooter(field: Field) -> None:
    lines = await field.ask(ANNA, Fight("Angus", "Tracker", odds=True))
    assert "Tracker's ARO: Fight with Knife" in lines
    lines = await field.ask(ANNA, Shoot("Wraith", "Tracker", 40, odds=True))
    # Tracker, 40 in off: -6 range, -6 TO, -3 surprise, capped at -12
    assert "Tracker, BS 12 -12 = 0, 1 die (can't succeed)" in lines
    encounter = await field.table.encounter()
    assert not [model for model in encounter.models(gone=True) if model.name == "Wraith"]


async def test_odds_of_single_rolls(field: Field) -> None:
    lines = await field.ask(ANNA, Discover("Angus", "Camo Marker 1", odds=True))
    assert "success   45% #########" in lines
    await field.arrange(under("unconscious", "Angus"), hurt("Angus", 1))
    lines = await field.ask(ANNA, Heal("Angus", "Doc Ruiz", odds=True))
    assert "success   65% #############" in lines


@pytest.mark.rule("INF-SJ-01", "INF-SJ-03", "INF-SJ-04", "INF-SJ-05")
async def test_jump_lengths(field: Field) -> None:
    await field.arrange(profile("Leaper", TARIK))
    lines = await field.ask(BO, Jump("Leaper"))
    assert lines[0] == "Leaper can jump up to 10 in."
    lines = await field.ask(BO, Jump("Leaper", "first short skill", obstacle=1, height=2, cover=True))
    assert lines[0] == "Leaper can jump up to 6 in."
    assert "Crossing an obstacle 1 in high costs nothing." in lines
    assert "It gets no Cover in the air." in lines
    lines = await field.ask(BO, Jump("Leaper", start=12, up=10))
    assert field.labels == ["Declare this Jump"]
    refusal = await field.refused(ANNA, Jump("Angus", "first short skill"))
    assert "Only a trooper with Super-Jump can jump as a Short Movement Skill." in refusal
    assert "Rulebook: Super-Jump (pages 93 to 95; INF-SJ-01)" in refusal


@pytest.mark.rule("INF-SJ-06", "INF-SJ-07", "INF-SJ-09", "INF-SJ-12")
@pytest.mark.parametrize(
    ("text", "jump", "told"),
    [
        (TARIK, Jump("Leaper", start=12, up=-6), "A fall of 6 in causes no Damage."),
        (TARIK, Jump("Leaper", start=12), "A fall of 12 in causes Damage 10."),
        (TARIK, Jump("Leaper", start=12, up=10), "A fall of 22 in causes Damage 20."),
        (TARIK, Jump("Leaper", start=12, up=-10, landing=2), "It lands on its feet."),
        (ORDINARY, Jump("Leaper", start=6, up=-4), "A fall of 2 in causes Damage 10."),
    ],
)
async def test_falls_after_jumps(field: Field, text: str, jump: Jump, told: str) -> None:
    await field.arrange(profile("Leaper", text))
    assert told in await field.ask(BO, jump)


@pytest.mark.rule("INF-SJ-08", "INF-SJ-11")
async def test_a_fall_is_rolled_until_one_save_is_passed(field: Field) -> None:
    await field.arrange(profile("Leaper", TARIK))
    lines = await field.ask(BO, FallDown("Leaper", 22), 5, 20)
    assert lines[0] == "Leaper falls: 1 wound, 1 of 2 W left."
    assert "ARM 1. A fall of more than 22 in kills it." in lines
    lines = await field.ask(BO, FallDown("Leaper", 22.5, odds=True))
    assert "Chance of death: 100%" in lines
    lines = await field.ask(BO, FallDown("Leaper", 22.5))
    assert lines[0] == "Leaper falls: 2 wounds, dead."
    assert "at most 200" in await field.refused(ANNA, FallDown("Angus", 500))


@pytest.mark.rule("INF-TER-01", "INF-TER-02", "INF-TER-03")
async def test_terrain(field: Field) -> None:
    await field.arrange(profile("Leaper", TARIK + ", Terrain (Mountain)"))
    lines = await field.ask(BO, MoveDistance("Leaper", "difficult", "Jungle"))
    assert lines[0] == "Leaper can move 4 in, and 4 in more as a second Skill."
    lines = await field.ask(BO, MoveDistance("Leaper", "very difficult", "Jungle"))
    assert lines[0] == "Leaper can move 4 in, but can't move again as a second Skill."
    lines = await field.ask(BO, MoveDistance("Leaper", "very difficult", "mountain"))
    assert lines[0] == "Leaper can move 6 in, and 4 in more as a second Skill."


@pytest.mark.rule("INF-ORD-06", "INF-SEN-05")
async def test_sensor_area(field: Field) -> None:
    lines = await field.ask(BO, Area(9, "12, 8"))
    assert lines == ["A distance of 9 in is outside the Zone of Control (8 in) and inside the Sensor Area."]
    lines = await field.ask(BO, Area(8.5, "9"))
    assert lines[0].endswith("and outside the Sensor Area.")
    assert "numbers with commas between them" in await field.refused(BO, Area(8, "far"))


@pytest.mark.rule("INF-ROLL-01", "INF-ROLL-02", "INF-ROLL-04", "INF-ROLL-05")
async def test_free_rolls(field: Field) -> None:
    lines = await field.ask(ANNA, RollD20(11, 4, 3), 2, 14, 13, 20)
    assert lines[0] == "anna rolls 3 successes (1 critical)."
    lines = await field.ask(ANNA, RollD20(20, 1, 6), 14)
    assert lines[0] == "anna rolls 1 success (1 critical)."
    assert "dice: 14+6 critical" in lines
    lines = await field.ask(ANNA, RollD20(12, 1, -30), *())
    assert lines[0] == "anna rolls no successes."
    assert "between 0 and 30 (you entered 31)" in await field.refused(ANNA, RollD20(31))
    assert "Burst must be between 1 and 10 (you entered 0)" in await field.refused(ANNA, RollD20(12, 0))
    assert "Burst must be between 1 and 10 (you entered 60)" in await field.refused(
        ANNA, FaceToFaceRoll(burst=60)
    )


@pytest.mark.rule("INF-F2F-02", "INF-F2F-03", "INF-F2F-04")
async def test_face_to_face_of_bare_figures(field: Field) -> None:
    lines = await field.ask(ANNA, FaceToFaceRoll(9, 14, 3, 4, 13, 1, 15, 0), 3, 17, 8, 2, 14, 13, 20, 15)
    assert lines[0] == "The second side scores 2 hits and causes 1 wound."
    lines = await field.ask(ANNA, FaceToFaceRoll(9, 9), 8, 8)
    assert lines[0] == "Neither side hits."
    lines = await field.ask(ANNA, FaceToFaceRoll(13, 13, 5, 5, odds=True))
    assert "Exact." in lines


@pytest.mark.rule("INF-SJ-08")
async def test_the_saves_of_a_fall_go_on_while_it_is_unconscious(field: Field) -> None:
    # one Wound: the first failure leaves it Unconscious, the second kills it
    lines = await field.ask(ANNA, FallDown("Angus", 8), 5, 5)
    assert lines[0] == "Angus falls: 2 wounds, dead."
    lines = await field.ask(ANNA, FallDown("Doc Ruiz", 8), 5, 20)
    assert lines[0] == "Doc Ruiz falls: 1 wound, unconscious."


@pytest.mark.rule("INF-SJ-08", "INF-TRA-03")
async def test_a_fall_kills_who_changes_its_form_only_when_that_form_is_dead(field: Field) -> None:
    # Morph, one Wound, becomes a form with two: four points kill it, three leave it Unconscious
    lines = await field.ask(BO, FallDown("Morph", 8, odds=True))
    assert [line for line in lines if line.startswith("Chance of death: ")]
    lines = await field.ask(BO, FallDown("Morph", 8), 5, 5, 5, 20)
    assert lines[0] == "Morph falls: 3 wounds, unconscious."


@pytest.mark.rule("INF-SJ-03", "INF-SJ-10")
async def test_a_jump_that_was_worked_out_is_declared_with_its_path(field: Field) -> None:
    await field.arrange(profile("Leaper", TARIK))
    await field.ask(ANNA, NextStep())
    await field.ask(BO, Jump("Leaper", start=12, up=-6))
    lines = await field.press(BO, "Declare this Jump")
    assert lines[0] == "Leaper jumps up to 10 in."
    assert lines[1] == "Path: height 12 in, height 6 in, height 0 in"
    assert "The trooper's line of fire covers 360 degrees during the Jump." in lines
    assert "Nobody can react yet" not in field.labels


@pytest.mark.rule("INF-ORD-05")
async def test_chances_after_the_first_skill_know_who_let_it_pass(field: Field) -> None:
    """Shot at without an answer, as it will be: 85% that one of three shots at 15 or less wounds on 13."""
    await field.spend(ANNA, SpendOrder("Angus"))
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 7, odds=True))
    assert "Tracker has no ARO left." in lines
    assert not any(line.startswith(("Answer", "If ")) for line in lines)


@pytest.mark.rule("INF-ORD-05")
async def test_chances_after_the_first_skill_weigh_the_aro_that_was_declared(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.ask(BO, Aro("Tracker", "dodge", 7))
    await field.ask(BO, Resolve(rest="nothing"))
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 7, odds=True))
    assert "Tracker's ARO: Dodge" in lines
    assert not any(line.startswith("If ") for line in lines)


@pytest.mark.rule("INF-ORD-05")
async def test_chances_know_who_could_not_react_yet(field: Field) -> None:
    await field.spend(ANNA, SpendOrder("Angus"), rest="keep")
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 7, odds=True))
    assert any(line.startswith("Tracker's ARO: Shoot") for line in lines)


@pytest.mark.rule("INF-F2F-01")
async def test_odds_tell_where_the_aro_that_was_declared_meets_nothing(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.ask(BO, Aro("Tracker", "reset"))
    await field.ask(BO, Resolve(rest=NOTHING))
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 12, odds=True))
    assert lines[2] == "Tracker's ARO (reset) doesn't oppose your attack."
    assert not [line for line in lines if "can't succeed" in line]
