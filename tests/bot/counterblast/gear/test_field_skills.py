"""Treatment, repair and tasks at the table, the dice typed by hand."""

from __future__ import annotations

import pytest

from bot.games.counterblast.gear.tasks import DropTask, Treat, Work
from rules.systems.counterblast.core.counters import Counter
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, Ring, active, block, hurt, touching, under

MEDIC, SKIP, SALLY, SMAP, HOPR = "GDF Medical", "Skip", "Sally", "Smap", "HOpR"


def specialty(side: int, key: str) -> Step:
    def step(encounter) -> None:
        encounter.side(side).traits["specialties"] = key

    return step


def heals(patient: str, worker: str = MEDIC, **more: object) -> Treat:
    return Treat(worker, "medicine", patient=patient, **more)


def repairs(patient: str, worker: str = SMAP, **more: object) -> Treat:
    return Treat(worker, "engineering", patient=patient, **more)


@pytest.mark.rule("CB-SKILL-01", "CB-SKILL-03", "CB-SKILL-08", "CB-STAT-09")
async def test_each_success_gives_a_life_back_up_to_what_was_lost(ring: Ring) -> None:
    await ring.arrange(active(MEDIC), hurt(SKIP, 1))
    lines = await ring.ask(ANNA, heals(SKIP), 5, 6, 1)
    assert lines[0] == "GDF Medical Officer treats Skip Westmoreland: 1 Life restored, 3 of 3 Life left."
    assert "INT 3D+4 vs 7" in lines
    assert (await ring.model(MEDIC)).count(Counter.ACTIONS) == 1


@pytest.mark.rule("CB-CAS-04", "CB-BAG-09", "CB-SKILL-08")
async def test_a_healed_model_that_was_down_may_act(ring: Ring) -> None:
    await ring.arrange(active(MEDIC), hurt(SKIP, 5))
    lines = await ring.ask(ANNA, heals(SKIP), 5, 2, 2)
    assert lines[:2] == [
        "GDF Medical Officer treats Skip Westmoreland: 1 Life restored, 1 of 3 Life left.",
        "Skip Westmoreland gets up and can act the next time its side's token is drawn.",
    ]
    assert not (await ring.model(SKIP)).is_down


@pytest.mark.rule("CB-SKILL-04", "CB-SKILL-05", "CB-SHIELD-04")
async def test_a_botched_repair_harms_and_removes_at_once(ring: Ring) -> None:
    await ring.arrange(active(SMAP), block(HOPR, "gdf_heavy_combot"), hurt(HOPR, 1))
    lines = await ring.ask(ANNA, repairs(HOPR), 1, 1, 3)
    assert lines[:2] == ["Smap repairs HOpR Bot and causes 2 wounds.", "HOpR Bot is removed from play."]
    assert "shield" not in ring.answer.reply.text


@pytest.mark.rule("CB-SKILL-09", "CB-CREW-05")
async def test_a_leader_lost_to_a_botched_treatment_is_followed_at_once(ring: Ring) -> None:
    await ring.arrange(active(MEDIC), hurt(SALLY, 1))
    lines = await ring.ask(ANNA, heals(SALLY), 1, 2, 2)
    assert "Sally Starfield is removed from play." in lines
    assert "Lancers has lost its leader. Who leads now?" in lines
    assert "Smap" in ring.labels
    await ring.press(ANNA, "Smap")
    assert (await ring.model(SMAP)).leader


@pytest.mark.rule("CB-SKILL-02", "CB-SKILL-08", "CB-ACT-10")
async def test_who_may_not_treat_is_told_why(ring: Ring) -> None:
    await ring.arrange(active(MEDIC), hurt(HOPR, 1), hurt(SKIP, 1), touching((SKIP, "Trapper")))
    assert "CB-SKILL-08" in await ring.refused(ANNA, heals(HOPR))
    assert "CB-SKILL-02" in await ring.refused(ANNA, heals(SKIP))
    assert "has not lost any Life" in await ring.refused(ANNA, heals(SALLY))
    await ring.arrange(touching((MEDIC, "Trapper")), hurt(SMAP, 1))
    assert "CB-SKILL-02" in await ring.refused(ANNA, heals(SMAP))


@pytest.mark.rule("CB-SKILL-01", "CB-ACT-01")
async def test_a_third_check_has_no_action_left(ring: Ring) -> None:
    await ring.arrange(active(MEDIC), hurt(SKIP, 2))
    await ring.ask(ANNA, heals(SKIP), 2, 2, 2)
    await ring.ask(ANNA, heals(SKIP), 2, 2, 2)
    assert "CB-ACT-01" in await ring.refused(ANNA, heals(SKIP))


@pytest.mark.rule("CB-ACT-08", "CB-ACT-09")
async def test_three_models_of_a_group_pool_their_dice_with_one_more_each(ring: Ring) -> None:
    helpers = (SKIP, SALLY)
    await ring.arrange(active(SMAP, *helpers), block(HOPR, "gdf_heavy_combot"), hurt(HOPR, 3))
    lines = await ring.ask(ANNA, repairs(HOPR, helpers=helpers), 2, 2, 2, 6, 2, 2, 6)
    assert lines[0].startswith("Life restored") or "Life restored" in lines[0]
    assert "+1 teamwork of 3 models CB-ACT-09" in ring.why
    for name in (SMAP, *helpers):
        assert (await ring.model(name)).count(Counter.ACTIONS) == 1


@pytest.mark.rule("CB-SPEC-02", "CB-CHECK-06")
async def test_a_failed_treatment_is_rolled_again_once_a_game(ring: Ring) -> None:
    await ring.arrange(specialty(1, "emergency_medical_team"), active(MEDIC), hurt(SKIP, 2))
    lines = await ring.ask(ANNA, heals(SKIP), 1, 1, 1)
    assert lines[0] == "GDF Medical Officer: critical failure (3 net 1s)."
    assert (await ring.model(SKIP)).damage == 2
    lines = await ring.press(ANNA, "Roll again", 2, 1, 3)
    assert "Life restored, 2" in lines[0]
    assert (await ring.model(MEDIC)).count(Counter.ACTIONS) == 1
    await ring.ask(ANNA, heals(SKIP), 1, 1, 1)
    assert "Roll again" not in ring.labels


@pytest.mark.rule("CB-SPEC-02", "CB-SKILL-09")
async def test_a_critical_failure_may_be_let_stand(ring: Ring) -> None:
    await ring.arrange(specialty(1, "emergency_medical_team"), active(MEDIC), hurt(SKIP, 1))
    await ring.ask(ANNA, heals(SKIP), 1, 1, 2)
    before = ring.answer
    await ring.press(ANNA, "Keep this result")
    assert (await ring.model(SKIP)).damage == 2
    ring.answer = before
    assert (await ring.press(ANNA, "Roll again"))[
        0
    ] == "That check has already been resolved. Nothing was changed."


@pytest.mark.rule("CB-SKILL-06", "CB-SKILL-10")
async def test_successes_add_up_over_models(ring: Ring) -> None:
    await ring.arrange(active(SMAP, SKIP))
    lines = await ring.ask(ANNA, Work(SKIP, task="Console", needed=3), 6, 7)
    assert lines[0] == "Skip Westmoreland works on Console: 2 of 3 successes."
    lines = await ring.ask(ANNA, Work(SMAP, task="console"), 5, 2)
    assert lines[0] == "Smap finishes Console (3 of 3 successes)."
    assert "is already finished." in await ring.refused(ANNA, Work(SKIP, task="Console"))
    await ring.ask(ANNA, DropTask("Console"))
    lines = await ring.ask(ANNA, Work(SMAP, task="Console"), 2, 2)
    assert "0 of 1" in lines[0]


@pytest.mark.rule("CB-SKILL-07")
async def test_a_setback_takes_successes_and_then_raises_the_total(ring: Ring) -> None:
    await ring.arrange(active(SMAP, SKIP))
    await ring.ask(ANNA, Work(SKIP, task="Lock", needed=3), 6, 2)
    lines = await ring.ask(ANNA, Work(SKIP, task="Lock"), 1, 1)
    assert lines[:2] == [
        "Skip Westmoreland suffers a setback on Lock: 0 of 4 successes.",
        "The task now needs 4 successes.",
    ]
    lines = await ring.ask(ANNA, Work(SMAP, task="Lock"), 1, 2)
    assert lines[1] == "The task now needs 5 successes."


@pytest.mark.rule("CB-SKILL-02")
async def test_gear_is_a_reminder_unless_the_table_says_otherwise(ring: Ring) -> None:
    await ring.arrange(active(SMAP), block(HOPR, "gdf_heavy_combot"), hurt(HOPR, 1))
    await ring.ask(ANNA, repairs(HOPR), 2, 2, 2)
    assert "Reminder: no model on the team has Engineering gear." in ring.answer.reply.lines

    def strict(encounter) -> None:
        encounter.row.settings["skill_needs_gear"] = "on"

    await ring.arrange(strict)
    assert "CB-SKILL-02" in await ring.refused(ANNA, repairs(HOPR))


async def test_the_odds_of_skills_offer_the_roll(ring: Ring) -> None:
    await ring.arrange(active(MEDIC, SMAP), hurt(SKIP, 2), under("prone", SMAP))
    lines = await ring.ask(ANNA, heals(SKIP, odds=True))
    assert lines[0] == "GDF Medical Officer -> Skip Westmoreland"
    assert ring.labels == ["Roll", "Roll with an order token", "Compare", "Change..."]
    lines = await ring.press(ANNA, "Roll with an order token", 4, 1, 1)
    assert await ring.orders(1) == 3
    lines = await ring.ask(ANNA, Work(SMAP, task="Lock", needed=9, odds=True))
    assert any(line.startswith("done within 3 tries") for line in lines)
    assert lines[0] == "Smap -> Lock"
    assert ring.answer.reply.private
