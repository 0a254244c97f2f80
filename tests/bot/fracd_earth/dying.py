"""A duel that is fought to the middle of a Challenge, and what a death at each point of it would leave.

As `tests.faults.dying`, with moves of two players. The cards are those of the seed; whatever may be done next
is done.
"""

from __future__ import annotations

from pathlib import Path

from bot.actions import Action
from bot.app import ALL_GAMES
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.attack_actions import Attack, Defend
from bot.games.fracd_earth.edge_actions import Spend
from bot.games.fracd_earth.hand_actions import LayBuff, Link, Select
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import Pass, Push
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.encounter import Encounter
from bot.table.request import Answer, Request
from rules.systems.fracd_earth.challenge import Challenge, choices
from tests.faults.dying import Clockwork, DyingStore

assert ALL_GAMES

CHANNEL = 500
ANNA, BO = Actor(100, "anna", 900, CHANNEL), Actor(101, "bo", 900, CHANNEL)

FIRST_INTERACTION = 20_000

MOVES = 9


async def next_move(desk: Desk) -> tuple[Actor, Action]:
    """What is done in the moment: declared, answered, selected, buffed, pushed, passed, spent."""
    loaded = await desk.store.load(await desk.store.running_encounter(CHANNEL))
    assert loaded is not None
    encounter = Encounter(loaded.book())
    exchange = exchanges.find_exchange(encounter)
    if exchange is None:
        return ANNA, Attack("Captain Vale", "Sable", 6, cover="soft", manner="quick")
    number_awaited = exchanges.awaited_players(encounter, exchange)[0]
    who = ANNA if number_awaited == 1 else BO
    at = exchange.id
    if exchange.stage == "defend":
        return BO, Defend(at)
    if exchange.stage != "cards":
        return who, Spend(at)
    if isinstance(exchange.state, Challenge):
        view = choices(exchange.state, number_awaited, settings_of(encounter))
        if view.linkable:
            return who, Link(at, number_awaited, view.linkable[0])
        if view.selectable:
            return who, Select(at, number_awaited, view.selectable[0])
        if view.options and who == BO:
            return who, LayBuff(at, number_awaited, f"{view.options[0].kind} {view.options[0].card}")
        if exchange.state.step == "push" and who == ANNA:
            return who, Push(at, number_awaited)
    return who, Pass(at, number_awaited)


async def move(desk: Desk, number: int) -> Answer:
    """Make one move under the interaction that is its own."""
    known = await desk.store.answered(FIRST_INTERACTION + number)
    who, action = (ANNA, Pass()) if known is not None else await next_move(desk)
    return await desk.perform(Request(action, who, FIRST_INTERACTION + number))


async def play(file: Path, answered: Path, clockwork: Clockwork) -> None:
    store = DyingStore(file, clockwork)
    desk = Desk(store, lambda: b"\x07" * 32)
    with answered.open("w") as told:
        for number in range(MOVES):
            await move(desk, number)
            told.write(f"{number}\n")
            told.flush()
    await store.close()
