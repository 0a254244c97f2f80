"""What happens when somebody does not answer in time, and where things stand for who comes back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange, awaited, current
from bot.games.fracd_earth.hand_drafts import is_asked, look
from bot.games.fracd_earth.hand_play import flipped, linked, passed
from bot.games.fracd_earth.players import name_of
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import LATE, Look, TimeUp, ask, linking, show, total_lines, transition
from bot.games.fracd_earth.telling import Telling
from bot.replies.reply import Reply
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.encounter import Encounter
from bot.table.game import reaction_seconds
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from bot.table.session.reactions import seconds_since
from rules.refusals import InvalidInput, forbid
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.choices import selectable


@dataclass(frozen=True, slots=True)
class Now(Action):
    """What is under way, and who is asked.

    To the person who asks.
    """

    command = "fe.now"
    typed = "fe now"
    titled = "What is under way"
    decision_of = ANYONE


async def _since(store: Store, actor: Actor, action: TimeUp) -> int:
    """Return the seconds since the last step, by the clock of the journal."""
    scope = await store.running_encounter(actor.channel_id)
    loaded = await store.load(scope) if scope else None
    found = exchanges.under_way(Encounter(loaded.book())) if loaded else None
    return await seconds_since(store, scope, found.entry) if found else 0


@handles(Now)
def now(act: Act, action: Now) -> Reply:
    """The same as everybody may see; to who is asked for a card, with the own cards to answer from."""
    exchange = current(act.encounter)
    telling = Telling()
    if exchange.state is not None and exchange.state.step != "draw":
        telling.lines += total_lines(act, exchange)
    asked = is_asked(act, exchange)
    if asked and exchange.stage == "cards":
        hand = look(act, Look())
        return replace(hand, lines=(*telling.lines, *hand.lines))
    show(act, telling, asked=asked)
    return Reply(
        tuple(telling.lines), private=True, buttons=tuple(telling.buttons), menus=tuple(telling.menus)
    )


@handles(TimeUp, bot_dice=True, beforehand=_since)
def time_up(act: Act, action: TimeUp) -> Reply:
    """Once the time has passed: the first card that may be selected, a pass, no Edges."""
    act.require_player()
    encounter = act.encounter
    exchange = current(encounter, action.at)
    left = reaction_seconds(encounter) - int(act.extra or 0)
    waiting = awaited(encounter, exchange)
    names = ", ".join(name_of(encounter, number) for number in waiting)
    if left > 0:
        forbid(f"{names} may still answer: {left} s left.")
    said = f"Time is up for {names}."
    if exchange.stage != "cards":
        telling = Telling([said])
        LATE[exchange.stage](act, telling, exchange)
        return ask(act, telling)
    return _without(act, exchange, waiting[0], said)


def _without(act: Act, exchange: Exchange, number: int, said: str) -> Reply:
    """Go on for one who did not answer; the next one, if any, is asked anew."""
    settings = settings_of(act.encounter)
    if linking(exchange, act.encounter):
        seat = exchange.seat_of(number)
        assert seat is not None, "who links has cards in it"
        return linked(act, exchange, number, seat.hidden.deck.buff_hand[0])
    if exchange.state is None or exchange.state.step != "draw":
        return passed(act, exchange, number, said)
    if isinstance(exchange.state, Check):
        check = exchange.state
        card = selectable(check.seat, settings)[0]
        return flipped(act, exchange, transition(lambda: checks.select(check, card, settings, number)), said)
    return flipped(act, exchange, transition(lambda: _first(exchange, number, act)), said)


def _first(exchange: Exchange, number: int, act: Act) -> Challenge:
    """The first card that the player may select, of the own hand or the opponent's."""
    settings = settings_of(act.encounter)
    running = exchange.challenge
    role = challenges.role_of(running, number)
    of = challenges.OTHER[role] if challenges.picks_for_opponent(running, role, settings) else role
    found = selectable(running.seat(of), settings)
    if not found:
        raise InvalidInput("There is nothing to select.")
    return challenges.select(running, number, found[0], settings)
