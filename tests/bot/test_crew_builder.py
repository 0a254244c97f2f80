"""A crew is built in one message by pressing alone, and leads back to where its player came from."""

from __future__ import annotations

from threading import current_thread, main_thread
from typing import Any

import pytest

from bot.app import ALL_GAMES
from bot.local.seen import Message, MessageControl
from bot.table.game import Equips, game
from bot.table.rosters import builder
from bot.table.rosters.crews import outfit_of
from tests.bot.house import House, read

SYSTEMS = [one.key for one in ALL_GAMES]


def labels(message: Message) -> list[str]:
    return [one.label for one in message.controls if not one.options]


def menu(message: Message, prompt: str) -> MessageControl:
    return next(one for one in message.controls if one.options and one.placeholder.startswith(prompt))


async def choose(house: House, message: Message, prompt: str, choice: str = "") -> Message:
    found = menu(message, prompt)
    value = choice or found.options[0].value
    return read(await (await house.anna.select(message, found.custom_id, value)).message())


async def created(house: House, system: str) -> Message:
    """The builder, from the way into a game: two presses and a name."""
    await house.slash("encounter start", house.bo, system=system)
    ways = await house.slash("encounter join")
    form = await (await house.anna.press(ways, "Create a crew...")).modal()
    return read(await (await house.anna.submit(form, {"name": "Foxes"})).message())


@pytest.mark.parametrize("system", SYSTEMS)
async def test_from_nothing_to_a_legal_crew_at_the_table_in_five_presses(house: House, system: str) -> None:
    shown = await created(house, system)  # Join..., Create a crew..., its form
    assert shown.ephemeral
    assert "Play with this crew" not in labels(shown)
    shown = await choose(house, shown, "Add a model")
    assert "This crew is legal." in shown.content
    joined = await house.press(shown, "Play with this crew")
    assert "joins with Foxes" in joined.content


@pytest.mark.parametrize("system", SYSTEMS)
async def test_each_model_is_offered_with_points_and_figures(house: House, system: str) -> None:
    shown = await created(house, system)
    for option in menu(shown, "Add a model").options:
        assert option.description
        assert option.description.count(",") >= 4


@pytest.mark.parametrize("system", [one for one in SYSTEMS if isinstance(game(one), Equips)])
async def test_equipment_is_offered_with_its_cost_and_can_be_given_back(house: House, system: str) -> None:
    shown = await created(house, system)
    shown = await choose(
        house, await choose(house, shown, "Add a model (Heroes)", "Skip Westmoreland"), "Change"
    )
    costs = {one.value: one.description for one in menu(shown, "Equipment").options}
    assert costs["Grenade"] == "+14 points"
    shown = await choose(house, shown, "Equipment", "Grenade")
    assert "Skip Westmoreland now has Grenade (+14 points)." in shown.content
    assert menu(shown, "Equipment").options[0].label == "Remove Grenade"
    shown = await choose(house, shown, "Equipment", "Grenade")
    assert "Skip Westmoreland, 39 points" in shown.content
    undone = await house.press(shown, "Undo")
    assert undone.ephemeral
    assert undone.content.startswith("Undone: ~~Skip Westmoreland no longer has Grenade (-14 points).~~")
    assert " 53 Skip Westmoreland (leader)" in undone.content
    redone = await house.press(undone, "Redo")
    assert " 39 Skip Westmoreland (leader)" in redone.content


async def test_what_a_model_may_take_is_worked_out_while_others_are_answered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One model may take a hundred pieces, each of which is tried: that takes up to a fifth of a second."""
    here = list[object]()

    def outfit(*asked: Any) -> tuple[str, int]:
        here.extend(asked[1:2] if current_thread() is main_thread() else ())
        return outfit_of(*asked)

    monkeypatch.setattr(builder, "outfit_of", outfit)
    builder._equipment.cache_clear()
    shown = await created(house, "counterblast")
    shown = await choose(house, await choose(house, shown, "Add a model (Heroes)"), "Change")
    await choose(house, shown, "Equipment")
    assert builder._equipment.cache_info().currsize == 2
    assert len(here) == 1, "it was recruited"


async def test_the_faction_decides_which_lackeys_are_offered(house: House) -> None:
    shown = await created(house, "counterblast")
    shown = await choose(house, shown, "Affiliation", "Galactic Council of Worlds")
    lackeys = [one.value for one in menu(shown, "Add a model (Lackeys)").options]
    assert "GDF Ranger" in lackeys
    assert "Trapper" not in lackeys


async def test_what_is_wrong_is_told_as_it_arises_against_the_limit(house: House) -> None:
    shown = await choose(house, await created(house, "counterblast"), "Add a model (Lackeys)", "GDF Ranger")
    assert "Add a Hero, because a crew needs at least one." in shown.content
    shown = await choose(house, shown, "Add a model (Heroes)", "Skip Westmoreland")
    assert "This crew is legal." in shown.content
    form = await (await house.anna.press(await house.press(shown, "More..."), "Points limit...")).modal()
    shown = read(await (await house.anna.submit(form, {"limit": "60"})).message())
    assert "Foxes: 2 members, 70 of 60 points." in shown.content
    copy = await house.press(await house.press(shown, "More..."), "Copy")
    assert "Foxes 2: 2 members, 70 of 60 points." in copy.content
    assert "10 over the limit" in shown.content
    assert "Play with this crew" not in labels(shown)


async def test_a_crew_is_copied_and_a_member_renamed(house: House) -> None:
    shown = await choose(
        house, await created(house, "counterblast"), "Add a model (Heroes)", "Skip Westmoreland"
    )
    shown = await house.press(await house.press(shown, "More..."), "Copy")
    assert shown.content.startswith("Foxes 2 is a new crew, copied from Foxes.")
    form = await (await house.anna.press(await choose(house, shown, "Change"), "Rename...")).modal()
    shown = read(await (await house.anna.submit(form, {"name": "Old Skip"})).message())
    assert shown.content.startswith("Skip Westmoreland is now called Old Skip.")
    for crew, name in (("Foxes", "Skip Westmoreland"), ("Foxes 2", "Old Skip")):
        assert f" 39 {name} (leader)" in (await house.slash("crew show", crew=crew)).content
