"""Readings that the ledger gives where the text is silent, each played at the desk."""

from __future__ import annotations

import pytest

from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.counterblast.missions.mission_events import Subdue
from bot.games.counterblast.movement.hiding import Spot
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_attacks import Template
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import NextStep
from tests.bot.counterblast.psionics.test_psi_play import ready, throws
from tests.bot.counterblast.ring import (
    ANNA,
    BO,
    Ring,
    active,
    block,
    carrying,
    gifted,
    hurt,
    touching,
    under,
)
from tests.bot.counterblast.upkeep.test_upkeep_flow import all_have_acted


@pytest.mark.rule("CB-FEAT-14")
@pytest.mark.parametrize(
    ("who", "one", "other", "times"), [(ANNA, "Skip", "Trapper", 1), (BO, "Trapper", "Skip", 0)]
)
async def test_a_chameleons_enemy_defends_with_all_it_has(
    ring: Ring, who: str, one: str, other: str, times: int
) -> None:
    """Attacks on the Chameleon suffer, in melee too; who defends against one makes no attack."""
    await ring.table.done(who, DiceMode("bot"))
    await ring.arrange(active(one), touching((one, other)))
    await ring.ask(who, Fight(one, other))
    assert " defends" in ring.why
    assert ring.why.count("Chameleon") == times


@pytest.mark.rule("CB-FEAT-34")
async def test_a_knack_helps_grenades_and_scanners_and_no_stray_dice(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(
        active("Sally", "Smap"),
        block("Sally", "sally_starfield", "grenade"),
        gifted("Sally", "knack:marksmanship"),
        gifted("Smap", "knack:technology"),
        carrying("Smap", "scanner"),
        under("hidden", "Prime"),
    )
    await ring.ask(ANNA, Template("Sally", "Grenade", distance=5))
    assert "-1 Knack CB-FEAT-34" in ring.why
    await ring.ask(ANNA, Spot("Smap", "Prime", 4))
    assert "-1 Knack CB-FEAT-34" in ring.why


@pytest.mark.rule("CB-FEAT-34", "CB-FEAT-57", "CB-SHOOT-10")
async def test_neither_knack_nor_sure_shot_helps_dice_that_stray(ring: Ring) -> None:
    """AGL 1D+2 and a die for Sure Shot; both miss. At the Trapper, Defense 8 and -1 for its Chameleon, a 6 is
    7: it misses, and would hit with a Knack.
    """
    await ring.arrange(
        active("Spawnguard"),
        block("Spawnguard", "gdf_sentry"),
        gifted("Spawnguard", "knack:marksmanship", "sure_shot"),
        touching(("Trapper", "Skip")),
    )
    lines = await ring.ask(BO, Shoot("Spawnguard", "Skip", 4), 2, 2, 6, 6)
    assert not any("hits Trapper" in line for line in lines), lines
    await ring.agreed(BO, Undo())
    await ring.afresh(ANNA)
    lines = await ring.ask(BO, Shoot("Spawnguard", "Skip", 4), 2, 2, 7, 6)
    assert any("hits Trapper" in line for line in lines), lines


@pytest.mark.rule("CB-FEAT-57")
async def test_sure_shot_places_no_template(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    await ring.arrange(
        active("Sally"), block("Sally", "sally_starfield", "grenade"), gifted("Sally", "sure_shot")
    )
    await ring.ask(ANNA, Template("Sally", "Grenade", distance=5))
    assert "Sure Shot" not in ring.why


@pytest.mark.rule("CB-MISS-08", "CB-PANIC-01", "CB-SCORE-02")
async def test_who_is_subdued_counts_for_the_panic_level_and_brings_no_battle_points(ring: Ring) -> None:
    def unbegun(encounter: Encounter) -> None:
        encounter.row.turn = 0

    def begun(encounter: Encounter) -> None:
        encounter.row.turn = 1

    await ring.arrange(unbegun)
    await ring.ask(BO, ChooseSecretly("Abduction", target="Smap"))
    await ring.arrange(begun, hurt("Smap", 9))
    await ring.ask(BO, Subdue("Trapper"))
    await ring.arrange(all_have_acted)
    lines = await ring.ask(ANNA, NextStep())
    assert "Lancers: Panic Level 2" in lines
    assert "  +2 loss of Smap" in lines


@pytest.mark.rule("CB-PSI-17", "CB-PSI-18")
async def test_a_blast_is_botched_at_each_of_its_targets_alone(ring: Ring) -> None:
    """Skip is hit; the one die at Wanda is a natural 1: one die strikes back all the same."""
    await ready(ring, "blast")
    blast = UsePower("Prime", "Blast", "Skip 2, Wanda 1", "6 9", unseen=True)
    lines = await throws(ring, BO, blast, 8, 8, 1, rest=2)
    assert "Prime Leader hits Skip Westmoreland: 2 wounds, 1 Life left." in lines
    assert any(line.startswith("Backlash") for line in lines), lines


@pytest.mark.rule("CB-PSI-17", "CB-PSI-18")
async def test_the_botches_of_a_blast_at_all_its_targets_add_up(ring: Ring) -> None:
    """Two natural 1s at Skip and one at Wanda: three dice strike back."""
    await ready(ring, "blast")
    blast = UsePower("Prime", "Blast", "Skip 2, Wanda 1", "6 9", unseen=True)
    lines = await throws(ring, BO, blast, 1, 1, 1, rest=2)
    assert any(line.startswith("Backlash") for line in lines), lines


@pytest.mark.rule("CB-WEAP-37", "CB-SHOOT-06", "CB-SHOOT-08")
async def test_net_ones_of_split_full_auto_are_counted_at_each_target_and_added(ring: Ring) -> None:
    """Six dice each: three 1s less one hit at Trapper; one 1 less two hits at Prime is none."""
    await ring.arrange(active("Skip"), block("Skip", "skip_westmoreland", "autoslugger"))
    shot = Shoot("Skip", "Trapper", 6, weapon="Autoslugger", mode="full auto", target2="Prime", distance2=6)
    lines = await throws(ring, ANNA, shot, 1, 1, 1, 9, 2, 2, 1, 9, 9, 2, 2, 2, rest=2)
    assert "The Autoslugger overloads: 2 dice against the shooter." in lines


@pytest.mark.rule("CB-WEAP-37", "CB-SHOOT-06", "CB-SHOOT-08")
async def test_net_ones_at_every_target_of_split_full_auto_add_up(ring: Ring) -> None:
    """Three 1s less one hit at Trapper, two 1s and no hit at Prime: four."""
    await ring.arrange(active("Skip"), block("Skip", "skip_westmoreland", "autoslugger"))
    shot = Shoot("Skip", "Trapper", 6, weapon="Autoslugger", mode="full auto", target2="Prime", distance2=6)
    lines = await throws(ring, ANNA, shot, 1, 1, 1, 9, 2, 2, 1, 1, 2, 2, 2, 2, rest=2)
    assert "The Autoslugger overloads: 4 dice against the shooter." in lines
