"""Items and pairs at the table."""

from __future__ import annotations

import pytest

from bot.games.counterblast.gear.breaching import Detonate, PlaceCharge
from bot.games.counterblast.gear.devices import ArmBomb, Drain
from bot.games.counterblast.gear.items import HandItem, UseItem
from bot.games.counterblast.ground.walls import kinds
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.turn.activations import ActTogether, Leash, PairUp
from bot.store.rows import ModelRow
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, change, hurt, touching, under


def carries(name: str, key: str, *gear: str, weapons: tuple[str, ...] = ()) -> Step:
    def step(row: ModelRow) -> None:
        row.profile = block_text(key, weapons, gear)

    return change(name, step)


@pytest.mark.rule("CB-GEAR-42", "CB-GEAR-01")
async def test_a_gel_heals_once(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "med_gel"), active("Skip"))
    assert "unhurt" in await ring.refused(ANNA, UseItem("Skip", "Med Gel"))
    await ring.arrange(hurt("Skip", 2))
    assert (await ring.ask(ANNA, UseItem("Skip", "Med Gel")))[0] == (
        "Skip Westmoreland treats itself with Med Gel: 2 of 3 Life left."
    )
    assert (await ring.model("Skip")).count("actions spent") == 1
    assert "used up" in await ring.refused(ANNA, UseItem("Skip", "Med Gel"))


@pytest.mark.rule("CB-GEAR-21")
async def test_a_boost_gives_an_action(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "body_boost"), active("Skip"))
    await ring.arrange(change("Skip", lambda row: row.counters.update({"actions spent": 2})))
    await ring.ask(ANNA, UseItem("Skip", "Body Boost"))
    assert (await ring.model("Skip")).count("actions spent") == 1


@pytest.mark.rule("CB-GEAR-27")
async def test_smoke_once_an_activation(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "smoke_grenade"))
    assert "CB-COND-07" in await ring.refused(ANNA, UseItem("Skip", "Smoke"))
    await ring.arrange(active("Skip"))
    lines = await ring.ask(ANNA, UseItem("Skip", "Smoke"))
    assert lines[0] == "Skip Westmoreland makes a cloud called smoke (R5)."
    assert "CB-GEAR-27" in await ring.refused(ANNA, UseItem("Skip", "Smoke"))


@pytest.mark.rule("CB-GEAR-36")
async def test_an_extinguisher_puts_a_model_out(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "fire_extinguisher"), active("Skip"))
    await ring.arrange(under("burning", "Wanda"))
    await throws(ring, ANNA, UseItem("Skip", "Fire", "Wanda"), 7)
    assert not (await ring.model("Wanda")).has("burning")


@pytest.mark.rule("CB-GEAR-02")
async def test_an_item_changes_hands(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "med_gel"), active("Skip"))
    await ring.ask(ANNA, HandItem("Skip", "Med Gel", "Smap"))
    assert not (await ring.model("Skip")).has_gear("med_gel")
    assert (await ring.model("Smap")).has_gear("med_gel")
    assert (await ring.model("Skip")).profile.key == "skip_westmoreland"


@pytest.mark.rule("CB-GEAR-35")
async def test_a_drain_switches_an_item_off(ring: Ring) -> None:
    await ring.arrange(
        carries("Skip", "skip_westmoreland", "extraction_tool"),
        carries("Trapper", "scutter"),
        active("Skip"),
        touching(("Skip", "Trapper")),
    )
    drain = Drain("Skip", "Trapper", "Arc Rifle")
    lines = await ring.ask(ANNA, Drain("Skip", "Trapper", "Arc Rifle", odds=True))
    assert any("off" in line and "%" in line for line in lines)
    await throws(ring, ANNA, drain, 9, 9, 9)
    assert not (await ring.model("Trapper")).works("arc_rifle")


@pytest.mark.rule("CB-GEAR-49", "CB-GEAR-50", "CB-FEAT-08")
async def test_a_watchdog_acts_with_its_owner_and_panics_far_off(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "watchdog"), carries("Smap", "eye_slug"))
    assert "CB-FEAT-08" in await ring.refused(ANNA, PairUp("Wanda", "Smap"))
    await ring.ask(ANNA, PairUp("Skip", "Smap"))
    assert "CB-FEAT-08" in await ring.refused(ANNA, ActTogether("Smap"))
    await ring.arrange(active("Skip"))
    await ring.ask(ANNA, ActTogether("Smap"))
    assert (await ring.model("Smap")).has("active")
    await ring.ask(ANNA, Leash("Smap", "Skip", 6))
    assert not (await ring.model("Smap")).has("panicked")
    await ring.ask(ANNA, Leash("Smap", "Skip", 7))
    assert (await ring.model("Smap")).has("panicked")


@pytest.mark.rule("CB-GEAR-51")
async def test_a_bomb_is_armed_and_goes_off_later(ring: Ring) -> None:
    from rules.systems.counterblast.core.library import load

    kit = next(weapon for weapon in load().weapons if weapon.group == "bomb")
    await ring.arrange(carries("Skip", "skip_westmoreland", weapons=(kit.key,)), active("Skip"))
    assert "has to arm" in await ring.refused(ANNA, ArmBomb("Skip", kit.name, off=True))
    lines = await throws(ring, ANNA, ArmBomb("Skip", kit.name), 8, 8)
    assert lines[0] == f"Skip Westmoreland arms the {kit.name}."
    await ring.ask(ANNA, ArmBomb("Skip", kit.name, off=True))
    assert "Resolve the blast..." in ring.labels


@pytest.mark.rule("CB-GEAR-28", "CB-GEAR-29", "CB-GEAR-30")
async def test_a_charge_is_placed_and_set_off(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "breaching_charge"), active("Skip"))
    kind = kinds()[0].name
    assert "Your crew hasn't placed this charge. Place it with /gear charge." in await ring.refused(
        ANNA, Detonate("Skip", kind)
    )
    await ring.ask(ANNA, PlaceCharge("Skip"))
    assert not (await ring.model("Skip")).has_gear("breaching_charge")
    await ring.arrange(active("Trapper"))
    assert "Your crew hasn't placed this charge. Place it with /gear charge." in await ring.refused(
        BO, Detonate("Trapper", kind)
    )  # the other force placed it
    lines = await ring.ask(ANNA, Detonate("Skip", kind, odds=True))
    assert "%" in lines[0]
    lines = await throws(ring, ANNA, Detonate("Skip", kind, near=("Trapper",), far=("Wanda",)), 2, 2)
    assert "The check for the next charge at the same place gets +1." in lines
    assert (await ring.model("Trapper")).damage == 1
    assert (await ring.model("Wanda")).damage == 0
