"""Private messages that stay open while the game goes on: what would be refused on them is taken away."""

from __future__ import annotations

import pytest

from bot.local.interactions import TOKEN_SECONDS
from bot.local.people import Person
from bot.local.seen import Message
from bot.panels.door import MAX_OF_ONE, OpenMenus, OpenMessage
from bot.panels.widgets import OVER, TOO_MANY
from bot.table.act import Actor
from tests.bot.house import House


def private(house: House, who: Person) -> list[Message]:
    """What this person alone sees, as it is now."""
    return [one for one in who.messages() if one.only_for == who.id]


async def menu_of_missions(house: House) -> Message:
    """Anna's private menu, in a sample game that she begins alone."""
    await house.slash("demo")
    message = await house.press(await house.panel(), "Mission")
    assert [one.placeholder for one in message.controls] == [
        "Lancers: choose a mission",
        "Edo: choose a mission",
    ]
    return message


async def test_a_menu_closes_when_its_game_begins(house: House) -> None:
    await menu_of_missions(house)
    await house.begin(await house.panel())
    await house.quiet()
    (message,) = private(house, house.anna)
    assert not message.controls
    assert message.texts == ("Only your side sees what you choose.", OVER)


async def test_only_what_would_be_refused_is_taken_away(house: House) -> None:
    """The mission of one side was chosen; that of the other is still to be."""
    menu = await menu_of_missions(house)
    await house.slash("mission choose", mission="Invasion", side="Lancers")
    await house.quiet()
    left = house.server.world.channels[menu.channel_id].messages[menu.id]
    assert [one.placeholder for one in left.controls] == ["Edo: choose a mission"]
    assert OVER not in left.texts


async def test_what_another_did_closes_it_too(house: House) -> None:
    await house.slash("demo", system="warzone")
    asked = await house.slash("encounter end")
    assert [one.label for one in asked.controls] == ["End the game", "Status"]
    await house.slash("encounter join", house.bo)
    await house.quiet()
    (message,) = private(house, house.anna)
    assert message.texts[-1] == OVER


@pytest.mark.parametrize("is_restarted", [True, False])
async def test_what_is_too_old_to_be_edited_closes_when_it_is_pressed(
    house: House, is_restarted: bool
) -> None:
    menu = await menu_of_missions(house)
    if is_restarted:
        await house.restart()
    else:
        house.server.clock.advance(TOKEN_SECONDS + 1)
    for side in ("Lancers", "Edo"):
        await house.slash("mission choose", mission="Invasion", side=side)
    await house.quiet()
    assert menu.id in [one.id for one in private(house, house.anna) if one.controls]
    late = await (await house.anna.select(menu, "Edo: choose a mission", ["Invasion"])).message()
    assert late.id == menu.id
    assert not late.controls
    assert late.texts == ("You have already chosen a mission. To choose again, undo that choice first.",)


async def test_ways_to_begin_and_to_join_close_once_they_are_refused(house: House) -> None:
    """What starts a game while one runs, what joins it for who plays, and what shows it once it has moved."""
    begins = await house.slash("games", house.bo)
    assert "Start a game" in [one.label for one in begins.controls]
    await house.slash("demo", system="warzone")
    await house.quiet()
    shown = house.server.world.channels[begins.channel_id].messages
    assert "Start a game" not in [one.label for one in shown[begins.id].controls]
    joins = await house.slash("demo", house.bo, system="warzone")
    assert [one.label for one in joins.controls] == ["Join...", "Status"]
    panel = await house.panel()
    await house.slash("encounter join", house.bo)
    await house.quiet()
    assert [one.label for one in shown[joins.id].controls] == ["Status"]
    await (await house.anna.press(panel, "Play in a thread", stale=True)).acknowledged()
    await house.quiet()
    assert not shown[joins.id].controls


async def test_a_private_copy_has_only_what_this_person_may_press(house: House) -> None:
    """A stranger, too, sees what is in progress; only who is asked can answer."""
    await house.slash("encounter start", system="warzone")
    refused = await house.slash("encounter next", house.server.person("cleo", "Cleo"))
    assert "Advance the game" not in [one.label for one in refused.controls]


def labels(house: House, message: Message) -> list[str]:
    shown = house.server.world.channels[message.channel_id].messages[message.id]
    return [one.label or one.placeholder for one in shown.controls]


@pytest.mark.parametrize("is_restarted", [True, False])
async def test_what_a_report_asks_closes_for_everybody_once_it_is_confirmed(
    house: House, is_restarted: bool
) -> None:
    """A bot that was restarted still knows the message that is pressed."""
    for who, crew, member in ((house.anna, "Lancers", "Sally Starfield"), (house.bo, "Edo", "Prime Leader")):
        await house.slash("crew create", who, name=crew)
        recruited = await house.typed("crew recruit", who, {"crew": crew, "who": member})
        await recruited.answer()
    made = await house.slash("campaign create", name="Rust Belt", encounters=3)
    for who, crew in ((house.anna, "Lancers"), (house.bo, "Edo")):
        await house.slash("campaign join", who, crew=crew)
    await house.slash("campaign schedule")
    await house.quiet()
    assert "Undo" not in labels(house, made)
    report = await house.slash("campaign record", crew="Lancers", mine=5, theirs=3)
    assert {"Confirm", "Cancel", "Change a line for Edo"} <= {*labels(house, report)}
    if is_restarted:
        await house.restart()
    confirmed = await house.press(report, "Confirm", house.bo)
    await house.quiet()
    assert labels(house, report) == []
    assert labels(house, confirmed) == ["Undo", "Standings", "Season"]


async def test_the_oldest_of_too_many_close(house: House) -> None:
    """What is remembered no longer would stay lit, and be refused later."""
    await house.slash("demo", system="warzone")
    opened = [await house.slash("encounter end") for _ in range(MAX_OF_ONE + 2)]
    await house.quiet()
    texts = {one.id: one.texts for one in private(house, house.anna) if not one.controls}
    assert [*texts] == [one.id for one in opened[:2]]
    assert all(told[-1] == TOO_MANY for told in texts.values())


async def test_a_few_of_each_person_are_remembered() -> None:
    """Those shown last, and fewer than would fill the memory."""
    menus = OpenMenus(None)  # type: ignore[arg-type]
    menus._look_soon = lambda: None  # type: ignore[method-assign]
    for number in range(3 * MAX_OF_ONE):
        actor = Actor(number % 2, "", 1, 1)
        menus.opened(OpenMessage(number, actor, None, None, 0, [], is_menu=True))  # type: ignore[arg-type]
    assert [*menus._open] == [*range(MAX_OF_ONE, 3 * MAX_OF_ONE)]
    assert [one.id for one in menus._open.values() if one.is_menu] == [
        3 * MAX_OF_ONE - 2,
        3 * MAX_OF_ONE - 1,
    ]
