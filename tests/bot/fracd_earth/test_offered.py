"""What Frac'd Earth's panel and forms offer, and that what is told adds up for who reads it."""

from __future__ import annotations

import re

from bot.actions import Action
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.check_actions import FigureCheck
from bot.games.fracd_earth.detect_actions import Hide
from bot.games.fracd_earth.move_actions import Move
from bot.table.game import game_of
from bot.table.offers.forms import FormControl, build_form
from bot.table.offers.legal_actions import Looking
from bot.table.session.possible_actions import add_action_buttons
from tests.bot.fracd_earth.duel import ANNA, BO, Duel


async def acts(duel: Duel, name: str) -> None:
    """Let a figure act, whoever's turn it was."""

    def free(encounter) -> None:  # type: ignore[no-untyped-def]
        encounter.row.counters["acting"] = encounter.find_model(name).id

    await duel.arrange(free)


async def labels(duel: Duel) -> list[str]:
    encounter = await duel.encounter()
    return [
        button.label for button in add_action_buttons(encounter, game_of(encounter).panel(encounter)).buttons
    ]


async def controls(duel: Duel, who: str, action: Action) -> dict[str, FormControl]:
    looking = Looking((await duel.table.loaded()).book(), duel.table.actor(who))
    return {one.name: one for one in build_form(looking, action).controls}


async def test_detect_is_offered_once_an_enemy_hides(duel: Duel) -> None:
    await acts(duel, "Captain Vale")
    assert "Attack" in await labels(duel)
    assert "Detect" not in await labels(duel)
    await duel.ask(ANNA, Hide("Captain Vale"))
    assert "Detect" not in await labels(duel), "one's own tokens are not looked for"
    await acts(duel, "Sable")
    assert "Detect" in await labels(duel)


async def test_forms_say_target_number_and_all_or_nothing(duel: Duel) -> None:
    await acts(duel, "Captain Vale")
    form = await controls(duel, ANNA, FigureCheck("Captain Vale"))
    assert form["tn"].label == "Target Number"
    assert "All or nothing" in [choice.label for choice in form["also."].choices]


async def test_a_base_that_is_crossed_is_a_friends(duel: Duel) -> None:
    await acts(duel, "Captain Vale")
    names = [choice.label for choice in (await controls(duel, ANNA, Move("Captain Vale")))["over"].choices]
    enemies = {row.name for row in (await duel.encounter()).models() if row.side == 2}
    assert names
    assert not {"Captain Vale", *enemies} & set(names)


async def test_what_a_side_adds_adds_up(duel: Duel) -> None:
    await duel.stack(ANNA, top="9S 3S", buff="2H 3H 6H 8H 10H")
    await duel.stack(BO, top="5S 2S", buff="4C 7C 8C 9C 10C")
    await acts(duel, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Ironjaw", 0))
    button = next(one.label for one in duel.answer.reply.buttons if one.label.startswith("Defence "))
    await duel.press(BO, button)
    line = next(one for one in duel.answer.reply.lines if one.startswith("Ironjaw: 1 card"))
    found = re.search(r"adds (\d+) \((.*)\)", line)
    assert found is not None, line
    parts = [int(one) for one in re.findall(r"[+-]\d+", found[2])]
    assert len(parts) > 1
    assert sum(parts) == int(found[1])
    assert parts[0] == int(button.removeprefix("Defence ")), "what the button said is the first of them"
