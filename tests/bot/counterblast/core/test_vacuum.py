"""In vacuum every weapon that does body damage has 1 Power more: the attacks that follow others included."""

from __future__ import annotations

import pytest

from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.strikes import Explode
from bot.games.counterblast.shooting.arcs import MasterArc
from bot.games.counterblast.shooting.volleys import Shoot
from bot.table.encounter import Encounter
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, touching

IN_AIR_OR_NOT = pytest.mark.parametrize(("airless", "more"), [(False, 0), (True, 1)])


def no_air(encounter: Encounter) -> None:
    encounter.row.counters["vacuum"] = 1


async def breathe(ring: Ring, airless: bool) -> None:
    await ring.arrange(*([no_air] if airless else []))


def powers(ring: Ring) -> list[int]:
    """The Power of each hit that Why tells."""
    return [int(line.split()[1].rstrip(",")) for line in ring.why.split("\n") if line.startswith("Power ")]


@IN_AIR_OR_NOT
@pytest.mark.rule("CB-ENV-07", "CB-WEAP-24")
async def test_of_an_arc_weapon_that_attacks_its_user(ring: Ring, airless: bool, more: int) -> None:
    """An Arc Rod has Power 6 in air."""
    await breathe(ring, airless)
    await ring.arrange(block("Wanda", "acolyte", "arc_rod"), active("Wanda"))
    await throws(ring, ANNA, MasterArc("Wanda", "arc_rod"), 1, 1, 2, rest=9)
    assert powers(ring) == [6 + more]


@IN_AIR_OR_NOT
@pytest.mark.rule("CB-ENV-07", "CB-FEAT-16")
async def test_of_an_explosion(ring: Ring, airless: bool, more: int) -> None:
    await breathe(ring, airless)
    await ring.arrange(block("Trapper", "kraken"), active("Trapper"))
    trapper, skip = (await ring.model("Trapper")).id, (await ring.model("Skip")).id
    await throws(ring, BO, Explode(trapper, near=(skip,), attack=True), rest=9)
    assert powers(ring) == [5 + more]


@IN_AIR_OR_NOT
@pytest.mark.rule("CB-ENV-07", "CB-WEAP-23")
async def test_of_an_arc(ring: Ring, airless: bool, more: int) -> None:
    """A shield die of 4 stops the arc of an Arc Pistol, Power 4, in air and not in vacuum."""
    await breathe(ring, airless)
    await ring.arrange(active("Spawnguard"), touching(("Spawnguard", "Skip")))
    await ring.ask(BO, Fight("Spawnguard", "Skip", "Arc Pistol"), 5, 2, 2, 2, 2, 2, 2)
    await ring.press(BO, "Arc from Skip Westmoreland...")
    await ring.choose(BO, (await ring.model("Wanda")).id, faces=(4, 4))
    assert (await ring.model("Wanda")).damage == more


@IN_AIR_OR_NOT
@pytest.mark.rule("CB-ENV-07", "CB-WEAP-37")
async def test_of_an_overload(ring: Ring, airless: bool, more: int) -> None:
    """A shield die of 6 stops the overload of Power 6 in air, and not in vacuum."""
    await breathe(ring, airless)
    await ring.arrange(block("Sally", "sally_starfield", "particle_multiblaster"), active("Sally"))
    shot = Shoot("Sally", "Trapper", 6, weapon="Multiblaster", mode="full auto")
    await throws(ring, ANNA, shot, 1, *[2] * 9, 9, rest=6)
    assert (await ring.model("Sally")).damage == more
