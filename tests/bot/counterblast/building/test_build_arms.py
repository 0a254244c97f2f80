"""Shots that do more than wound, through /cb shoot and /cb template; exploding as an attack."""

from __future__ import annotations

import pytest

from bot.games.counterblast.melee.strikes import Explode
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.templates.template_attacks import Template
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, change, touching


def armed(name: str, key: str, *weapons: str) -> Step:
    return change(name, lambda row: setattr(row, "profile", block_text(key, weapons)))


async def gone(ring: Ring, name: str) -> bool:
    encounter: Encounter = await ring.table.encounter()
    return name not in [model.name for model in encounter.models()]


SHIELDING = "relic: alien_artifact"


@pytest.mark.rule("CB-WEAP-31", "CB-WEAP-32")
async def test_a_void_rifle_swallows_or_spits_out(ring: Ring) -> None:
    await ring.arrange(armed("Sally", "sally_starfield", "void_rifle"), active("Sally"))
    shot = Shoot("Sally", "Trapper", 6, weapon="Void Rifle")
    lines = await throws(ring, ANNA, shot, 8, 2, 8)
    assert lines[0] == "The void spits out Trapper, which falls Prone."
    assert (await ring.model("Trapper")).has("prone")
    await ring.arrange(change("Sally", lambda row: row.counters.clear()))
    lines = await throws(ring, ANNA, shot, 8, 2, 2)
    assert lines[0] == "The void swallows Trapper, which is lost."
    assert await gone(ring, "Trapper")


@pytest.mark.rule("CB-SHOOT-10", "CB-WEAP-32")
async def test_the_void_strays_to_a_friend_in_the_melee(ring: Ring) -> None:
    await ring.arrange(armed("Sally", "sally_starfield", "void_rifle"), active("Sally"))
    await ring.arrange(touching(("Skip", "Trapper")))
    shot = Shoot("Sally", "Trapper", 6, weapon="Void Rifle")
    lines = await throws(ring, ANNA, shot, 2, 2, 9, 2, rest=2)
    assert lines[:2] == [
        "Sally Starfield misses Trapper.",
        "The void swallows Skip Westmoreland, which is lost.",
    ], lines


@pytest.mark.rule("CB-SHOOT-10", "CB-FEAT-01", "CB-FEAT-04")
async def test_no_shield_of_the_friend_lessens_the_odds_of_acid_astray(ring: Ring) -> None:
    """Whom it hits goes on corroding, whatever the shield stops."""
    await ring.arrange(armed("Trapper", "eye_slug"), active("Trapper"), touching(("Prime", "Skip")))
    shot, told = Shoot("Trapper", "Skip", 3, weapon="Acid Spit", odds=True), []
    for shields in (0, 4):
        await ring.arrange(change("Prime", lambda row, n=shields: row.counters.update({SHIELDING: n})))
        assert (await ring.model("Prime")).shield >= shields
        (line,) = (one for one in await ring.ask(BO, shot) if one.startswith("Risk to "))
        told.append(line.split(", hurt ")[0])
    assert told[0] == told[1]


@pytest.mark.rule("CB-SHOOT-10", "CB-FEAT-01")
async def test_acid_that_misses_corrodes_a_friend_in_the_melee(ring: Ring) -> None:
    await ring.arrange(armed("Trapper", "eye_slug"), active("Trapper"), touching(("Prime", "Skip")))
    await throws(ring, BO, Shoot("Trapper", "Skip", 3, weapon="Acid Spit"), 2, rest=9)
    assert (await ring.model("Skip")).damage == 0
    assert (await ring.model("Prime")).has("corroded")


@pytest.mark.rule("CB-WEAP-35", "CB-WEAP-36", "CB-WEAP-37")
async def test_full_auto_overloads_on_its_firer(ring: Ring) -> None:
    await ring.arrange(armed("Sally", "sally_starfield", "autoslugger"), active("Sally"))
    shot = Shoot("Sally", "Trapper", 6, weapon="Auto", mode="full auto")
    lines = await throws(ring, ANNA, shot, 1, 1, *(2,) * 8, 9)
    assert "Sally Starfield misses Trapper." in lines
    assert any("against the shooter." in line for line in lines), lines
    assert (await ring.model("Sally")).damage == 1
    assert (await ring.model("Sally")).count("actions spent") == 2


@pytest.mark.rule("CB-FEAT-01", "CB-FEAT-03", "CB-FEAT-04")
async def test_acid_is_spat_at_a_model_for_one_hit(ring: Ring) -> None:
    await ring.arrange(armed("Trapper", "eye_slug"), active("Trapper"))
    assert "CB-SHOOT-02" in await ring.refused(BO, Shoot("Trapper", "Skip", 7, weapon="Acid Spit"))
    lines = await throws(ring, BO, Shoot("Trapper", "Skip", 6, weapon="Acid Spit"), *(8,) * 1)
    skip = await ring.model("Skip")
    assert skip.damage == 1, lines
    assert skip.has("corroded")
    assert "Skip Westmoreland is now Corroded." in lines


@pytest.mark.rule("CB-FEAT-01")
async def test_acid_spat_at_a_spot_leaves_a_pool(ring: Ring) -> None:
    await ring.arrange(armed("Trapper", "eye_slug"), active("Trapper"))
    spit = Template("Trapper", "Acid Spit on a spot", distance=3, under="Skip")
    lines = await throws(ring, BO, spit, 9)
    assert any(line.startswith("A pool of acid (R3) stays there") for line in lines), lines
    assert (await ring.model("Skip")).has("corroded")
    encounter = await ring.table.encounter()
    assert encounter.count("fire:acid:inches") == 3


@pytest.mark.rule("CB-FEAT-16")
async def test_a_combustible_model_explodes_as_its_attack(ring: Ring) -> None:
    await ring.arrange(armed("Trapper", "kraken"), active("Trapper"))
    number = (await ring.model("Trapper")).id
    skip = (await ring.model("Skip")).id
    assert "is still in play. To blow it up, use /gear explode." in await ring.refused(
        BO, Explode(number, near=(skip,))
    )
    assert "Only bo can do this for Edo." in await ring.refused(
        ANNA, Explode(number, near=(skip,), attack=True)
    )
    lines = await throws(ring, BO, Explode(number, near=(skip,), attack=True), 9, 4, rest=2)
    assert lines[0] == "Trapper explodes."
    assert "damage: 9 -> 12 success, 4 -> 7 success, 2 -> 5 miss" in lines, "a large base: 3D+3"
    assert "Power 5, damage 1" in ring.why
    assert await gone(ring, "Trapper")


@pytest.mark.rule("CB-FEAT-16", "CB-ACT-02")
async def test_exploding_is_the_one_attack_of_an_activation(ring: Ring) -> None:
    def struck(row: ModelRow) -> None:
        row.counters["attacks made"] = 1

    await ring.arrange(armed("Trapper", "kraken"), active("Trapper"), change("Trapper", struck))
    number, skip = [(await ring.model(name)).id for name in ("Trapper", "Skip")]
    assert "CB-ACT-0" in await ring.refused(BO, Explode(number, near=(skip,), attack=True))
