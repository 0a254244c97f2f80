"""Features that change dice, targets and damage: each acts by itself and is named in Why with its rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import Action
from bot.games.counterblast.core.checks import Check, Panic, Rally
from bot.games.counterblast.gear.items import DeclineDependable
from bot.games.counterblast.gear.tasks import Treat
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.disengagement import Disengage
from bot.games.counterblast.melee.strikes import KnockedInto
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.upkeep.corrections import UpkeepNamed
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from rules.systems.counterblast.turn.activation import starting_tokens
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, gifted, hurt, touching, under

FIGHT = Fight("Skip", "Trapper")
SHOOT = Shoot("Skip", "Trapper", 4)
HEAL = Treat("Skip", "medicine", patient="Wanda")
REPAIR = Treat("Skip", "engineering", patient="HOpR")


def alone(encounter: Encounter) -> None:
    """Of the Edo only the Trapper is there."""
    for model in encounter.models(2):
        if model.name != "Trapper":
            model.status = "gone"


ADVANTAGES: tuple[tuple[str, Action, str], ...] = (
    ("surgical_strike", FIGHT, "+1 Surgical Strike CB-FEAT-54"),
    ("surgeon", HEAL, "+1 Surgeon CB-FEAT-56"),
    ("tech_savvy", Check("Skip", "technology"), "+1 Tech Savvy CB-FEAT-58"),
    ("master_mechanic", REPAIR, "+1 Master Mechanic CB-FEAT-37"),
    ("disciplined", Check("Skip", "INT"), "+1 Disciplined CB-FEAT-21"),
    ("quick", Check("Skip", "AGL"), "+1 Quick CB-FEAT-44"),
    ("born_killer", FIGHT, "A natural 9 is also a critical success because of Born Killer. CB-FEAT-10"),
    ("deadeye", SHOOT, "A natural 9 is also a critical success because of Deadeye. CB-FEAT-19"),
    ("doc", HEAL, "A natural 9 is also a critical success because of Doc. CB-FEAT-23"),
    ("prodigy", REPAIR, "A natural 9 is also a critical success because of Prodigy. CB-FEAT-42"),
    ("dependable", SHOOT, "One natural 1 is ignored because of Dependable. CB-FEAT-20"),
    ("knack:melee", FIGHT, "-1 Knack CB-FEAT-34"),
    ("savant:medicine", HEAL, "+1 Savant CB-FEAT-46"),
    ("savant:skills", REPAIR, "+1 Savant CB-FEAT-46"),
    ("armor_piercing", SHOOT, "-2 Armor Piercing CB-FEAT-05"),
    ("stinger", FIGHT, "+1 Stinger CB-FEAT-51"),
)


@pytest.mark.rule(
    "CB-FEAT-05", "CB-FEAT-10", "CB-FEAT-19", "CB-FEAT-20", "CB-FEAT-21", "CB-FEAT-23", "CB-FEAT-34",
    "CB-FEAT-37", "CB-FEAT-42", "CB-FEAT-44", "CB-FEAT-46", "CB-FEAT-51", "CB-FEAT-54", "CB-FEAT-56",
    "CB-FEAT-58",
)  # fmt: skip
@pytest.mark.parametrize(("feature", "action", "reason"), ADVANTAGES, ids=[one[0] for one in ADVANTAGES])
async def test_a_feature_acts_by_itself_and_why_names_it(
    ring: Ring, feature: str, action: Action, reason: str
) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    without = "dr_helen_salinger" if feature == "disciplined" else "gdf_sentry"
    meets = [touching(("Skip", "Trapper"))] if action == FIGHT else []
    await ring.arrange(
        active("Skip"), alone, block("Skip", without), hurt("Wanda", 1), hurt("HOpR", 1), *meets
    )
    await ring.ask(ANNA, action)
    assert reason not in ring.why
    await ring.ask(ANNA, Undo())
    await ring.arrange(gifted("Skip", feature))
    await ring.ask(ANNA, action)
    assert reason in ring.why, ring.why


@pytest.mark.rule("CB-SPEC-06", "CB-FEAT-20")
async def test_dependable_may_be_declined_and_used_again(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(active("Skip"), alone, block("Skip", "gdf_sentry"))
    assert "no Dependable equipment" in await ring.refused(ANNA, DeclineDependable("Skip"))
    await ring.arrange(gifted("Skip", "dependable"))
    reason = "One natural 1 is ignored because of Dependable. CB-FEAT-20"
    told = ["Skip Westmoreland stops using its Dependable equipment, so every natural 1 counts."]
    assert (await ring.ask(ANNA, DeclineDependable("Skip")))[:1] == told
    assert "has already stopped using its Dependable equipment" in await ring.refused(
        ANNA, DeclineDependable("Skip")
    )
    await ring.ask(ANNA, SHOOT)
    assert reason not in ring.why
    await ring.ask(ANNA, Undo())
    assert "not yours" in await ring.refused(BO, DeclineDependable("Skip", use=True))
    await ring.ask(ANNA, DeclineDependable("Skip", use=True))
    await ring.ask(ANNA, SHOOT)
    assert reason in ring.why


@pytest.mark.rule("CB-FEAT-57")
async def test_sure_shot_and_strafing_fire(ring: Ring) -> None:
    """A GDF Sentry has AGL 1D; Run and Gun is -1, not for Strafing Fire."""
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(active("Skip"), block("Skip", "gdf_sentry"), gifted("Skip", "sure_shot"))
    await ring.ask(ANNA, SHOOT)
    assert "+1 Sure Shot CB-FEAT-57" in ring.why


@pytest.mark.rule("CB-FEAT-52", "CB-RUN-01")
async def test_strafing_fire_takes_no_penalty(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    run = Shoot("Skip", "Trapper", 4, mode="run and gun")
    await ring.arrange(active("Skip"))
    await ring.ask(ANNA, run)
    assert "-1 Run and Gun CB-RUN-01" in ring.why
    await ring.ask(ANNA, Undo())
    await ring.arrange(gifted("Skip", "strafing_fire"))
    await ring.ask(ANNA, run)
    assert "Run and Gun" not in ring.why


@pytest.mark.rule("CB-FEAT-40", "CB-ENV-01")
async def test_night_vision_sees_in_the_dark(ring: Ring) -> None:
    def dark(encounter: Encounter) -> None:
        encounter.row.counters["dark"] = 1

    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(active("Skip"), dark)
    await ring.ask(ANNA, SHOOT)
    assert "-1 dark CB-ENV-01" in ring.why
    await ring.ask(ANNA, Undo())
    await ring.arrange(gifted("Skip", "night_vision"))
    await ring.ask(ANNA, SHOOT)
    assert "dark" not in ring.why


@pytest.mark.rule("CB-FEAT-14")
async def test_the_larger_chameleon_counts(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(active("Skip"), gifted("Trapper", "enhanced_chameleon"))
    await ring.ask(ANNA, SHOOT)
    assert "-2 Enhanced Chameleon CB-FEAT-14" in ring.why
    assert "-1 Chameleon" not in ring.why


@pytest.mark.rule("CB-FEAT-59")
async def test_tough_is_rolled_and_named(ring: Ring) -> None:
    """Sure Shot and AGL 3D: four dice; one hit, the shield of the Trapper is none; Tough on 7."""
    await ring.arrange(active("Skip"), gifted("Trapper", "tough"))
    lines = await ring.ask(ANNA, SHOOT, 9, 2, 2, 2, 7)
    assert lines[0] == "Skip Westmoreland hits Trapper: no wound."
    assert "1 hit, 1 ignored (Tough)" in lines
    assert "Tough. CB-FEAT-59" in ring.why


@pytest.mark.rule("CB-FEAT-36")
async def test_knockdown_needs_a_hit_only(ring: Ring) -> None:
    await ring.arrange(active("Skip"), gifted("Skip", "knockdown"), gifted("Trapper", "tough"))
    await ring.ask(ANNA, SHOOT, 9, 2, 2, 2, 7)
    trapper = await ring.model("Trapper")
    assert (trapper.damage, trapper.has("prone")) == (0, True)


@pytest.mark.rule("CB-FEAT-35", "CB-FALL-03", "CB-FALL-04", "CB-SCORE-02")
async def test_knocked_back_into_somebody(ring: Ring) -> None:
    """A small Trapper flies 6 in: 2 dice on it and on a small model; shields do not count."""
    await ring.arrange(active("Skip"), gifted("Skip", "knockback"), gifted("Trapper", "tough"))
    await ring.ask(ANNA, SHOOT, 9, 2, 2, 2, 7)
    lines = await ring.press(ANNA, "Push back")
    assert lines == ["Trapper is pushed back 6 in."]
    other = (await ring.model("Edo Spawnling")).id
    pushed = next(one.action for one in ring.answer.reply.buttons if isinstance(one.action, KnockedInto))
    assert "must be between 0" in await ring.refused(ANNA, replace(pushed, inches=7, sure=True))
    lines = await ring.ask(ANNA, replace(pushed, inches=6, struck=(other,)), 2, 2, 9, 2)
    assert lines[:2] == ["Trapper is unhurt by the impact.", "Edo Spawnling takes 1 wound and goes down."]
    assert await ring.hurt_by("Edo Spawnling") == "Skip Westmoreland"


@pytest.mark.rule("CB-FEAT-47", "CB-FEAT-12", "CB-FEAT-21")
async def test_fear_names_its_rule_and_what_helps(ring: Ring) -> None:
    """INT 2D and two advantages: four dice at 7."""
    await ring.arrange(
        active("Skip"), alone, gifted("Skip", "scary"), gifted("Trapper", "brave", "disciplined")
    )
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.ask(ANNA, Charge("Skip", "Trapper", 5))
    for reason in ("+7 Scary CB-FEAT-47", "+1 Brave CB-FEAT-12", "+1 Disciplined CB-FEAT-21"):
        assert reason in ring.why


@pytest.mark.rule("CB-RALLY-01", "CB-DISENG-01")
async def test_rally_and_disengage_name_their_rules(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(active("Skip", "Wanda"), under("panicked", "Wanda"), touching(("Skip", "Trapper")))
    await ring.ask(ANNA, Rally("Wanda"))
    assert "+7 Rally CB-RALLY-01" in ring.why
    await ring.ask(ANNA, Disengage("Skip"))
    assert "+7 Disengage CB-DISENG-01" in ring.why


@pytest.mark.rule("CB-FEAT-26", "CB-FEAT-18", "CB-BUILD-13")
@pytest.mark.parametrize("feature", ["fearless", "controlled"])
async def test_the_fearless_do_not_test(ring: Ring, feature: str) -> None:
    await ring.arrange(gifted("Trapper", feature))
    assert "CB-PANIC-04" in await ring.refused(BO, Panic("Trapper", 5))


@pytest.mark.rule("CB-FEAT-17")
async def test_upkeep_tells_how_far_a_leader_commands(ring: Ring) -> None:
    """12 in, with Commanding Presence 18."""

    def lost(encounter: Encounter) -> None:
        for model in encounter.models():
            model.counters["activated"] = 1
        for name in ("Edo Underling", "Edo Underling 2", "Edo Guardling"):
            row = encounter.find_model(name)
            row.damage, row.counters["turn it went down"] = 9, 1

    await ring.arrange(gifted("Prime Leader", "commanding_presence"), lost)
    lines = await ring.ask(ANNA, UpkeepNamed())
    assert "Which models are in Command Range of Prime Leader (18 in)?" in lines


@pytest.mark.rule("CB-FEAT-55", "CB-ORDER-01")
async def test_a_tactician_starts_with_two_orders_more(ring: Ring) -> None:
    before = starting_tokens(await ring.model("Sally"))
    await ring.arrange(gifted("Sally", "tactician"))
    assert starting_tokens(await ring.model("Sally")) == before + 2


@pytest.mark.rule("CB-PSI-19", "CB-FEAT-49")
async def test_a_borrowed_feature_brings_its_weapon(ring: Ring) -> None:
    await ring.arrange(active("Skip"), under("borrowed feature: sticky_goo", "Skip"))
    lines = await ring.ask(ANNA, Shoot("Skip", "Edo Guardling", 4, weapon="Sticky Goo"), 9, 2, 2, 2)
    assert lines[0] == "Skip Westmoreland hits Edo Guardling: pinned."


@pytest.mark.rule("CB-FEAT-03")
async def test_acid_wounds_once_in_the_odds_too(ring: Ring) -> None:
    """However many successes: never two wounds."""
    await ring.arrange(active("Skip"), gifted("Skip", "acid_spit"))
    lines = await ring.ask(ANNA, Shoot("Skip", "Spawnguard", 2, weapon="Acid Spit", odds=True))
    assert any(line.startswith("2 wounds") and " 0%" in line for line in lines)
