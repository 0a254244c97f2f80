"""What comes at the wrong time, or of the wrong model, once the game has begun: refused with its rule."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.missions.scores import ChooseHunt
from bot.games.counterblast.movement.hiding import Seen
from bot.games.counterblast.psionics.powers import ChoosePowers
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.activation_actions import ActNamed
from bot.games.counterblast.turn.bag import PassDraw
from bot.games.counterblast.upkeep.leaders import NameNobody
from bot.table.encounter import Encounter
from bot.table.session.encounters import NextStep
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, touching

EARLY: dict[str, tuple[str, Action, str]] = {
    "who acts before a draw": ("CB-BAG-03", ActNamed("Sally"), "Draw a token first."),
    "a draw handed on": ("CB-BAG-05", PassDraw(), "You still have models left to act, so draw a token"),
    "the Upkeep": ("CB-BAG-07", NextStep(), "These models still have to act"),
    "who is not Hidden is seen": (
        "CB-HIDE-03",
        Seen(1),
        "Sally Starfield is not Hidden. Nothing was changed.",
    ),
    "nobody leads, though somebody does": ("CB-CREW-05", NameNobody(1), "Lancers already has a leader."),
    "hunters of no Hunting Party": (
        "CB-SPEC-08",
        ChooseHunt("Lancers", "witch hunters"),
        "Lancers isn't a Hunting Party, so it has no hunters to choose.",
    ),
    "powers of no psionic": ("CB-PSI-01", ChoosePowers("Sally"), "Sally Starfield has no psionic powers."),
}


def anna_draws(encounter: Encounter) -> None:
    encounter.row.counters["drawer"] = 0


@pytest.mark.rule(
    "CB-BAG-03", "CB-BAG-05", "CB-BAG-07", "CB-HIDE-03", "CB-CREW-05", "CB-SPEC-08", "CB-PSI-01"
)
@pytest.mark.parametrize(("rule", "action", "sentence"), EARLY.values(), ids=list(EARLY))
async def test_before_anybody_was_drawn(ring: Ring, rule: str, action: Action, sentence: str) -> None:
    await ring.arrange(anna_draws)
    before = ring.table.state()
    said = await ring.table.refused(ANNA, action)
    assert sentence in said
    assert f"{rule})." in said
    assert ring.table.state() == before


@pytest.mark.rule("CB-BUILD-08")
async def test_an_edofleini_lackey_leads_its_own_kind_and_edokin_only(ring: Ring) -> None:
    await ring.arrange(block("Spawnguard", "gdf_ranger"), drawn_by_bo)
    said = await ring.table.refused(BO, ActNamed("Edo Underling, Spawnguard"))
    assert "Edo Underling can only direct Edofleini Lackeys and Edokin." in said


def drawn_by_bo(encounter: Encounter) -> None:
    encounter.row.counters["drawn"] = 2


@pytest.mark.rule("CB-WEAP-11", "CB-SHOOT-02")
async def test_a_grenade_is_no_blade_and_nobody_shoots_himself(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Skip", "Trapper")))
    said = await ring.table.refused(ANNA, Fight("Skip", "Trapper", "Grenade"))
    assert "Grenade can't be used in melee." in said
    await ring.arrange(active("Sally"))
    assert "can't shoot at itself" in await ring.table.refused(ANNA, Shoot("Sally", "Sally", 5))
