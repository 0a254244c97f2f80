"""Several charge one target together: one snap attack in all, one split of its defence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.melee.charges import Charge
from bot.table.journal.history import Undo
from bot.table.request import Answer
from bot.table.rolling.dice_settings import DiceMode
from tests.bot.counterblast.melee.test_combat_charge import UNDERLING, alone
from tests.bot.counterblast.melee.test_combat_melee import split
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, touching
from tests.bot.tables import waits

BOTH = Charge("Skip", "Prime", 5, helpers="nobody", also="Sally at 4")


async def thrown(ring: Ring, answer: Answer, face: int = 2) -> tuple[list[str], list[str]]:
    """What each throw was for, with its dice, and the lines at the end."""
    asked = []
    while waits(answer):
        first = answer.reply.lines[0]
        asked.append(first.partition(" throws ")[2].rstrip("."))
        answer = await ring.entered(ANNA, ((face,) * int(first.split()[2])))
    ring.answer = answer
    return asked, list(answer.reply.lines)


@pytest.mark.rule("CB-ACT-08", "CB-CHARGE-06", "CB-CHARGE-07", "CB-FIGHT-03")
async def test_each_pays_and_strikes_and_the_target_splits_its_dice_once(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Sally"))
    ring.answer = await ring.table.do(ANNA, BOTH)
    assert ring.answer.reply.lines[:2] == (
        "Sally Starfield charges Prime Leader (4 in).",
        "Skip Westmoreland charges Prime Leader (5 in).",
    )
    await split(ring, "0 2")
    asked, _ = await thrown(ring, ring.answer)
    assert [one for one in asked if one.startswith("2 d10") or "defence" in one] == [
        "2 d10 for Sally Starfield's attack at Prime Leader",
        "2 d10 for Prime Leader's defence against Skip Westmoreland",
    ]
    assert ring.why.count("+1 charge CB-CHARGE-07") == 2
    for name in ("Skip", "Sally"):
        model = await ring.model(name)
        assert (model.count("actions spent"), model.is_engaged) == (2, True)


@pytest.mark.rule("CB-CHARGE-03", "CB-ACT-08")
async def test_each_must_reach_the_target_by_itself(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    assert "Activate" in await ring.refused(ANNA, BOTH)
    await ring.arrange(active("Sally"))
    assert "can charge 9 in" in await ring.refused(ANNA, replace(BOTH, inches=9.5))
    assert "can charge 10 in" in await ring.refused(ANNA, replace(BOTH, also="Sally at 10.5"))
    assert "Enter each charging model only once. They must all be on the same side." in await ring.refused(
        ANNA, replace(BOTH, also="Skip at 5")
    )
    assert (
        "Enter the other chargers with their distances (inches), like this: `Skip at 5"
        in await ring.refused(ANNA, replace(BOTH, also="Sally"))
    )
    await ring.arrange(touching(("Sally", "Edo Guardling")))
    assert "Sally Starfield is engaged" in await ring.refused(ANNA, BOTH)
    assert (await ring.model("Skip")).count("actions spent") == 0


@pytest.mark.rule("CB-CHARGE-04", "CB-CHARGE-06")
async def test_one_snap_attack_in_all_at_one_of_them(ring: Ring) -> None:
    """Whoever it brings down comes no farther; the other charge goes on."""
    await ring.arrange(active("Skip", "Sally"), alone(UNDERLING), block("Skip", "edo_spawnling"))
    both = Charge("Skip", UNDERLING, 7, helpers="nobody", also="Sally at 8")
    ring.answer = await ring.table.do(ANNA, both)
    assert ring.labels[0] == "Don't shoot"
    assert {"Shoot Skip Westmoreland: Arc Rifle", "Shoot Sally Starfield: Arc Rifle"} <= set(ring.labels)
    answer = await ring.table.press(BO, ring.answer, "Shoot Skip Westmoreland: Arc Rifle")
    answer = await ring.entered(BO, (10,))
    asked, lines = await thrown(ring, answer)
    assert "Skip Westmoreland's charge ends." in lines
    assert not any("Skip Westmoreland's attack" in one for one in asked)
    assert any("Sally Starfield's attack" in one for one in asked)
    assert (await ring.model("Sally")).is_engaged
    assert not (await ring.model("Skip")).is_engaged


@pytest.mark.rule("CB-CHARGE-05", "CB-CHARGE-06")
async def test_helpers_step_up_to_one_of_them(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Sally"))
    ring.answer = await ring.table.do(ANNA, replace(BOTH, helpers=""))
    labels = {choice.label: choice.value for choice in ring.answer.reply.menus[0].choices}
    assert "Trapper to Skip Westmoreland" in labels
    await ring.table.choose(BO, ring.answer, labels["Trapper to Sally Starfield"])
    trapper, sally, skip = [await ring.model(name) for name in ("Trapper", "Sally", "Skip")]
    assert trapper.is_engaged_with(sally)
    assert not trapper.is_engaged_with(skip)


@pytest.mark.rule("CB-FIGHT-03", "CB-CHARGE-07")
async def test_odds_of_a_joint_charge_name_each_blow_and_their_button_charges(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Sally"))
    lines = await ring.ask(ANNA, replace(BOTH, odds=True))
    assert [line for line in lines if "->" in line] == [
        "Sally Starfield -> Prime Leader",
        "Skip Westmoreland -> Prime Leader",
    ]
    assert "This assumes that Prime Leader splits its defense dice evenly." in lines
    answer = await ring.table.press(ANNA, ring.answer, "Charge")
    assert answer.reply.lines[0] == "Sally Starfield charges Prime Leader (4 in)."


async def test_whoever_is_named_first_it_is_the_same_charge_with_the_same_dice(ring: Ring) -> None:
    """Taken back and declared by the other, it gets every model's own dice again."""
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.table.done(BO, DiceMode("bot"))
    told = []
    for charge in (BOTH, Charge("Sally", "Prime", 4, helpers="nobody", also="Skip at 5")):
        await ring.arrange(active("Skip", "Sally"))
        answer = await ring.table.do(ANNA, charge)
        ring.answer = answer
        await split(ring, "0 2")
        lines = [one for one in ring.answer.reply.lines if not one.startswith("These are the same dice")]
        told.append([one for one in lines if "d10" in one or "hits" in one or "attack" in one])
        for _ in range(2):
            if (await ring.table.encounter()).find_model("Skip").counters.get("actions spent"):
                await ring.agreed(ANNA, Undo())
    assert told[0] == told[1]
    assert told[0]
