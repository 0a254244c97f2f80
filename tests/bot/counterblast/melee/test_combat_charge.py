"""The charge: how far, the shot before contact, who steps in, fear, ambush, Reach, and what it is worth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.melee.charges import Charge, StepIn
from bot.games.counterblast.setup.surroundings import SetTable
from bot.store.rows import SecretRow
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.journal.log import ShowLog
from bot.table.realdice import EnterFaces
from bot.table.session.models import RemoveModel
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, gone, touching, under

UNDERLING = "Edo Underling 2"
CHARGE = Charge("Skip", UNDERLING, 5)
FAR = Charge("Skip", UNDERLING, 7)


def alone(*kept: str) -> Step:
    def step(encounter: Encounter) -> None:
        for model in encounter.models(2):
            if model.name not in kept:
                model.status = "gone"

    return step


async def labels_of(ring: Ring, action: Charge) -> list[str]:
    await ring.ask(ANNA, action)
    return ring.labels


@pytest.mark.rule("CB-CHARGE-01", "CB-CHARGE-02", "CB-CHARGE-03")
async def test_only_what_the_charge_can_reach(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Sally"))
    said = await ring.refused(ANNA, Charge("Skip", UNDERLING, 9.5))
    assert said == (
        "Skip Westmoreland can charge 9 in, but Edo Underling 2 is 9.5 in away.\n"
        "Rulebook: Charges (page 14; CB-CHARGE-03)."
    )
    assert "can charge 10 in" in await ring.refused(ANNA, Charge("Sally", UNDERLING, 10.5))
    assert "can charge 7 in" in await ring.refused(ANNA, Charge("Skip", UNDERLING, 7.5, terrain=2))
    await ring.arrange(touching(("Skip", "Trapper")))
    assert "CB-ACT-10" in await ring.refused(ANNA, CHARGE)


@pytest.mark.rule("CB-TERR-11")
async def test_only_a_flyer_charges_over_impassable_ground(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Sally"), alone(UNDERLING))
    assert "CB-TERR-11" in await ring.refused(ANNA, replace(CHARGE, impassable=True))
    over = Charge("Sally", UNDERLING, 6, impassable=True, odds=True)
    assert (await ring.ask(ANNA, over))[0] == "If the charge makes contact:"


@pytest.mark.rule("CB-CHARGE-01", "CB-CHARGE-06", "CB-CHARGE-07")
async def test_two_actions_contact_and_the_blows_at_plus_1(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING), under("overwatch", UNDERLING))
    await ring.ask(ANNA, CHARGE)
    await ring.table.press(BO, ring.answer, "Nobody reacts")
    lines = await ring.ask(ANNA, EnterFaces((9, 9, 2, 2, 2)))
    assert lines[:3] == [
        "Skip Westmoreland hits Edo Underling 2: 2 wounds, and Edo Underling 2 goes down.",
        "2 hits",
        "Skip Westmoreland charges Edo Underling 2 (5 in).",
    ]
    assert "+1 charge CB-CHARGE-07" in ring.why
    skip = await ring.model("Skip")
    assert (skip.count("actions spent"), skip.count("attacks made"), skip.count("moves made")) == (2, 1, 1)


@pytest.mark.rule("CB-CHARGE-04", "CB-CHARGE-06")
async def test_the_target_shoots_first_at_minus_2(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING))
    lines = await ring.ask(ANNA, FAR)
    assert lines == [
        "Skip Westmoreland charges Edo Underling 2 (7 in).",
        "Edo Underling 2 can shoot first, with a -2 penalty.",
    ]
    assert "is not yours" in (await ring.table.press(ANNA, ring.answer, "Shoot: Arc Rifle")).reply.text
    lines = await ring.press(BO, "Shoot: Arc Rifle", 9, 2, 2, 2, 2, 2)
    assert lines[0] == "Edo Underling 2 hits Skip Westmoreland: 1 wound, 2 Life left."
    assert "Snap attack: AGL 1D-2 vs 7, Arc Rifle" in lines
    assert "-2 snap attack CB-CHARGE-04" in ring.why
    assert "Edo Underling 2 holds off Skip Westmoreland." in lines
    assert (await ring.model("Skip")).is_engaged


async def test_the_log_tells_a_charge_that_waits_and_one_that_was_undone(ring: Ring) -> None:
    async def log() -> list[str]:
        return [line.split(": ", 1)[1] for line in (await ring.table.do(BO, ShowLog())).reply.lines]

    await ring.arrange(active("Skip"), alone(UNDERLING))
    await ring.ask(ANNA, FAR)
    assert (await log())[-1] == "Skip Westmoreland charges Edo Underling 2 (7 in)."
    await ring.ask(ANNA, Undo())
    charged = "Skip Westmoreland charges Edo Underling 2 (7 in)."
    assert (await log())[-2:] == [f"~~{charged}~~ (undone)", f"Undone: ~~{charged}~~"]


@pytest.mark.rule("CB-CHARGE-04")
async def test_a_charger_that_goes_down_does_not_arrive(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING), block("Skip", "edo_spawnling"))
    await ring.ask(ANNA, FAR)
    lines = await ring.press(BO, "Shoot: Arc Rifle", 10, 2, 2)
    assert "The charge ends." in lines
    assert not (await ring.model("Skip")).is_engaged
    assert not (await ring.table.loaded()).snapshot.get("secrets")


@pytest.mark.rule("CB-CHARGE-04", "CB-CHARGE-08")
async def test_no_shot_when_near_engaged_or_ambushed(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING))
    near = replace(CHARGE, inches=5.9)
    lines = await ring.ask(ANNA, near, 2, 2, 2, 2)
    assert lines[1] == "Skip Westmoreland charges Edo Underling 2 (5.9 in)."
    await ring.ask(ANNA, Undo())
    assert "Don't shoot" in await labels_of(ring, replace(CHARGE, inches=6))
    await ring.ask(ANNA, Undo())
    await ring.afresh(BO)
    await ring.arrange(under("hidden", "Skip"))
    lines = await ring.ask(ANNA, FAR, 2, 2, 2, 2, 2)
    assert lines[1] == "Skip Westmoreland charges Edo Underling 2 from hiding (7 in)."
    assert "STR 4D+0 vs 8, Bare hands" in lines
    assert "+1 attack from hiding CB-HIDE-08" in ring.why
    assert not (await ring.model("Skip")).has("hidden")
    await ring.ask(ANNA, Undo())
    await ring.afresh(BO)
    await ring.arrange(touching(("Wanda", UNDERLING)))
    assert "from hiding" in (await ring.ask(ANNA, FAR, 2, 2, 2, 2, 2))[1]


async def test_below_its_odds_the_shot_is_fired_or_let_go(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING))
    await ring.ask(ANNA, FAR)
    question = ring.answer
    answers = [label for label in ring.labels if label not in ("Odds", "Undo")]
    for who, offered in ((ANNA, []), (BO, answers)):
        ring.answer = question
        assert "No dice were rolled." in await ring.press(who, "Odds")
        assert ring.answer.reply.private
        assert ring.labels == offered
    lines = await ring.press(BO, "Don't shoot", 2, 2, 2, 2)
    assert lines[1] == "Edo Underling 2 doesn't shoot at Skip Westmoreland."


async def test_the_shot_can_be_let_go(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING))
    await ring.ask(ANNA, FAR)
    lines = await ring.press(BO, "Don't shoot", 2, 2, 2, 2)
    assert lines[1] == "Edo Underling 2 doesn't shoot at Skip Westmoreland."


@pytest.mark.rule("CB-CHARGE-05", "CB-CHARGE-06", "CB-FIGHT-04")
async def test_friends_within_an_inch_step_in_and_may_lend(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Wanda", "Trapper")))
    lines = await ring.ask(ANNA, CHARGE)
    assert lines[-1] == "The charge makes contact. Edo, who steps in?"
    offered = [choice.label for choice in ring.answer.reply.menus[0].choices]
    assert "Trapper" not in offered
    assert UNDERLING not in offered
    guard = (await ring.model("Edo Guardling")).id
    assert "can do this for Edo" in (await ring.table.choose(ANNA, ring.answer, str(guard))).reply.text
    lines = await ring.choose(BO, guard)
    assert "Edo Guardling steps in." in lines
    lines = await ring.press(BO, "Borrow a die from each ally and roll", 2, 2, 2, 2, 2)
    assert "against STR 2D+0 vs 7" in lines, "its tentacle, not its rifle at -1"
    assert (await ring.model("Edo Guardling")).is_engaged
    before = ring.table.state()
    await ring.agreed(ANNA, Undo())
    assert ring.table.state() != before
    assert not (await ring.model("Skip")).count("actions spent")


@pytest.mark.rule("CB-CHARGE-05")
async def test_helpers_named_at_once_and_who_cannot_help(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Wanda", "Trapper")))
    assert "CB-CHARGE-05" in await ring.refused(ANNA, Charge("Skip", UNDERLING, 5, helpers="Trapper"))
    assert "Only friends" in await ring.refused(ANNA, Charge("Skip", UNDERLING, 5, helpers="Sally"))
    lines = await ring.ask(ANNA, Charge("Skip", UNDERLING, 5, helpers="nobody"), 2, 2, 2, 2)
    assert "Edo Underling 2 holds off Skip Westmoreland." in lines
    number = 1 + max((key[1] for key in (await ring.table.loaded()).snapshot.get("secrets", {})), default=0)
    assert "bo now rolls real dice." in await ring.refused(BO, StepIn(int(number)))


@pytest.mark.rule("CB-FEAT-47", "CB-FIGHT-12", "CB-PANIC-11")
async def test_a_scary_charger_frightens_at_contact(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING), block("Skip", "gdf_enforcer"))
    lines = await ring.ask(ANNA, CHARGE, 2, 2, *[2] * 3, 2, 2)
    assert "Edo Underling 2 panics, because the charger is Scary." in lines
    assert "INT 2D+0 vs 7" in lines
    assert (await ring.model(UNDERLING)).has("panicked")
    assert "+1 opponent Panicked CB-FIGHT-12" in ring.why
    assert "-1 Panicked CB-PANIC-11" in ring.why
    assert "defence, lower of two: 2, 2 (the 2 counts)" in lines


@pytest.mark.rule("CB-ENV-02", "CB-ENV-03")
async def test_a_long_charge_in_low_gravity_may_drift_away(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING))
    await ring.ask(ANNA, SetTable(gravity=1))
    odds = await ring.ask(ANNA, replace(FAR, odds=True))
    assert odds[0].startswith("Chance that Skip Westmoreland drifts away in low gravity: ")
    lines = await ring.ask(ANNA, FAR, *[2] * 4, 3)
    assert lines[:2] == ["Skip Westmoreland drifts 6 in straight ahead.", "Skip Westmoreland lands safely."]
    skip = await ring.model("Skip")
    assert skip.count("actions spent") == 2
    assert not skip.is_engaged
    await ring.ask(ANNA, Undo())
    await ring.afresh(BO)
    lines = await ring.ask(ANNA, FAR, 8, 2, 2, 2)
    assert "Skip Westmoreland keeps its feet in low gravity." in lines
    assert "Don't shoot" in ring.labels
    await ring.ask(ANNA, Undo())
    lines = await ring.ask(ANNA, replace(CHARGE, inches=3), 2, 2, 2, 2)
    assert "Skip Westmoreland keeps its feet in low gravity." not in lines


@pytest.mark.rule("CB-ENV-03")
async def test_who_tumbles_drifts_in_a_direction_that_is_rolled_and_drawn(ring: Ring) -> None:
    """7 on the chart with gravity 1 makes 8: a d12 for the way, 2d10 for the inches."""
    await ring.arrange(active("Skip"))
    await ring.ask(ANNA, SetTable(gravity=1))
    lines = await ring.ask(ANNA, Charge("Skip", "Trapper", 6), 2, 2, 2, 2, 7, 3, 4, 5)
    assert lines[:2] == [
        "Skip Westmoreland drifts 9 in towards 3 o'clock.",
        "12 o'clock is straight ahead.",
    ]
    (file,) = ring.answer.reply.files
    assert file.words == "Skip Westmoreland drifts 9 in towards 3 o'clock."
    assert file.data.startswith(b"\x89PNG")


@pytest.mark.rule("CB-FEAT-47", "CB-FIGHT-12")
async def test_the_odds_of_a_scary_charge_tell_both_ways(ring: Ring) -> None:
    await ring.arrange(active("Skip"), alone(UNDERLING), block("Skip", "gdf_enforcer"))
    lines = await ring.ask(ANNA, replace(CHARGE, odds=True))
    assert lines[1].startswith(f"Chance that a Scary charger makes {UNDERLING} panic: ")
    await ring.arrange(under("panicked", UNDERLING))
    afraid = await ring.ask(ANNA, replace(CHARGE, odds=True))
    assert not any("Scary" in line for line in afraid)
    (down,) = [line.split()[3] for line in afraid if line.startswith("goes down")]
    assert lines[2:4] == [f"If it panics: goes down {down}", "If it doesn't panic:"]


@pytest.mark.rule("CB-PANIC-07", "CB-FEAT-47")
async def test_fear_of_a_scary_charger_uses_up_the_mark_of_a_shaken_model(ring: Ring) -> None:
    await ring.arrange(
        active("Skip"), alone(UNDERLING), block("Skip", "gdf_enforcer"), under("shaken", UNDERLING)
    )
    lines = await ring.ask(ANNA, CHARGE, 2, *[2] * 3, 2, 2)
    assert f"{UNDERLING} panics, because the charger is Scary." in lines
    assert not (await ring.model(UNDERLING)).has("shaken")


@pytest.mark.rule("CB-CHARGE-07", "CB-WEAP-08")
async def test_stopping_at_reach_gives_no_bonus_and_no_contact(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"))
    halberd = Charge("Spawnguard", "Sally", 5, "Arc Halberd", gap=2)
    await ring.ask(BO, halberd, 2, 2, 2, 2, 2)
    assert "charge CB-CHARGE-07" not in ring.why
    assert not (await ring.model("Sally")).is_engaged
    await ring.ask(BO, Undo())
    assert "CB-WEAP-07" in await ring.refused(BO, Charge("Spawnguard", "Sally", 5, "Arc Pistol", gap=1))


@pytest.mark.rule("CB-CHARGE-03", "CB-HIDE-02")
async def test_who_may_not_be_charged(ring: Ring) -> None:
    await ring.arrange(active("Skip"), under("hidden", UNDERLING))
    assert "CB-HIDE-02" in await ring.refused(ANNA, CHARGE)
    assert "same crew" in await ring.refused(ANNA, Charge("Skip", "Wanda", 3))


async def test_a_charge_whose_target_left_meanwhile(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    await ring.ask(ANNA, FAR)
    question = ring.answer
    assert "Wait for the answer" in await ring.refused(BO, RemoveModel(UNDERLING, "casualty"))
    await ring.arrange(change(UNDERLING, gone))
    answer = await ring.table.press(BO, question, "Don't shoot")
    assert "is out of play" in answer.reply.text
    assert not answer.changed
    assert any(row.kind == "cb.pending" for row in (await ring.table.encounter()).book.all(SecretRow))


@pytest.mark.rule("CB-CHARGE-04", "CB-CHARGE-05")
async def test_the_odds_of_a_charge_say_what_they_leave_out(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    lines = await ring.ask(ANNA, Charge("Skip", "Prime", 6, odds=True))
    assert "The odds don't include a snap attack or friends stepping in." in lines
    lines = await ring.ask(ANNA, Charge("Skip", "Prime", 2, helpers="nobody", odds=True))
    assert not any(line.startswith("Not included") for line in lines)
