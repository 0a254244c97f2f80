"""Distances in forms are asked by the bands in which something changes; others may still be typed."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.move_actions import PassBy
from bot.table.offers.forms import FormControl, build_form, read_form
from bot.table.offers.legal_actions import Looking
from tests.bot.fracd_earth.duel import ANNA, Duel
from tests.bot.fracd_earth.test_previews import acts


async def distance(duel: Duel, action: Action, field: str) -> FormControl:
    looking = Looking((await duel.table.loaded()).book(), duel.table.actor(ANNA))
    return next(one for one in build_form(looking, action).controls if one.name == field)


def offered(control: FormControl) -> list[tuple[str, str, str]]:
    return [(one.value, one.label, one.note) for one in control.choices]


@pytest.mark.rule("FE-CMB-07", "FE-RCH-03")
async def test_an_attack_is_asked_by_what_reaches(duel: Duel) -> None:
    await acts(duel, "Captain Vale")
    assert offered(await distance(duel, Attack("Captain Vale"), "distance")) == [
        ("0.5", "up to 1/2 in", "Carbine; Sabre"),
        ("12", "up to 12 in", "Carbine"),
        ("24", "up to 24 in", "Carbine [-]"),
    ]


@pytest.mark.rule("FE-AOE-01")
async def test_the_ground_is_asked_by_what_is_shot_or_cast(duel: Duel) -> None:
    shown = offered(await distance(duel, AreaAttack("Captain Vale"), "distance"))
    assert [value for value, _, _ in shown] == ["12", "24"]


@pytest.mark.rule("FE-RCH-01")
async def test_passing_by_is_asked_by_both_hands(duel: Duel) -> None:
    shown = offered(await distance(duel, PassBy("Captain Vale", "Sable"), "closest"))
    assert shown[0][:2] == ("0", "in contact")
    assert shown[1][0] == "0.5"


async def test_a_distance_between_two_bands_may_be_typed(duel: Duel) -> None:
    await acts(duel, "Captain Vale")
    looking = Looking((await duel.table.loaded()).book(), duel.table.actor(ANNA))
    form = build_form(looking, Attack("Captain Vale", "Sable"))
    assert read_form(form.action, {"rest.": ["distance: 9"]})[0].distance == 9  # type: ignore[attr-defined]
