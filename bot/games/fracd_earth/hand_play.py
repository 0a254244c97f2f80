"""A player's own cards played: selected, linked, laid as Buff cards, morphed.

What is played is told without the card until the rules turn it up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth.exchange import Exchange, awaited, current
from bot.games.fracd_earth.players import name_of, order_for, require_holder
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import (
    Pass,
    Push,
    linking,
    proceed,
    totals,
    transition,
)
from bot.games.fracd_earth.telling import Telling
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.owners import in_play
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks
from rules.systems.fracd_earth.cards import named
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.deck import check_push
from rules.systems.fracd_earth.seat import Buff


@dataclass(frozen=True, slots=True)
class Select(Action):
    """Select a draw card. player: whose choice it is; card: its key."""

    command = "fe.select"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    player: int = 0
    card: str = ""


@dataclass(frozen=True, slots=True)
class Link(Action):
    """Link a card of the Buff Hand to an Ace."""

    command = "fe.link"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    player: int = 0
    card: str = ""


@dataclass(frozen=True, slots=True)
class LayBuff(Action):
    """Lay a Buff card face down. use: reinforce, replace, block or block buff, and the card."""

    command = "fe.buff"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    player: int = 0
    use: str = ""


@dataclass(frozen=True, slots=True)
class Morph(Action):
    """Reveal one unused draw card of a Caster."""

    command = "fe.morph"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    player: int = 0
    card: str = ""


# ------------------------------------------------------------------------------------ playing


def _mine(act: Act, at: int, number: int, step: int = 0) -> Exchange:
    """What is under way, for who holds these cards. Raises InvalidInput."""
    require_holder(act, number)
    return current(act.encounter, at, step)


@handles(Select, bot_dice=True)
def select(act: Act, action: Select) -> Reply:
    """Lay it on top, face down; when all are ready the cards are flipped. Rules: FE-CHAL-02, FE-DRAW-04."""
    exchange = _mine(act, action.at, action.player)
    settings = settings_of(act.encounter)
    card = named(settings.deck, action.card)
    who = name_of(act.encounter, action.player)
    if isinstance(exchange.state, Check):
        check = exchange.state
        state: Challenge | Check = transition(lambda: checks.select(check, card, settings, action.player))
    else:
        running = exchange.challenge
        state = transition(lambda: challenges.select(running, action.player, card, settings))
    return flipped(act, exchange, state, f"{who} is ready.")


def flipped(act: Act, exchange: Exchange, state: Challenge | Check, said: str) -> Reply:
    """After a selection: somebody is ready, or the cards lie face up."""
    exchange = replace(exchange, state=state, waits=())
    open_now = isinstance(state, Check) or state.step != "draw"
    telling = totals(act, exchange) if open_now else Telling([said])
    return proceed(act, telling, exchange)


@handles(Link, bot_dice=True)
def link(act: Act, action: Link) -> Reply:
    """The linked card lies face up beside the Ace. Rules: FE-DECK-03."""
    exchange = _mine(act, action.at, action.player)
    return linked(act, exchange, action.player, named(settings_of(act.encounter).deck, action.card))


def linked(act: Act, exchange: Exchange, number: int, card: int) -> Reply:
    """Link that card for a player."""
    settings = settings_of(act.encounter)
    if isinstance(exchange.state, Check):
        check = exchange.state
        if number != check.seat.entry.player:
            raise InvalidInput("This is another player's Check.")
        state: Challenge | Check = transition(lambda: checks.link(check, card, settings))
    else:
        running = exchange.challenge
        state = transition(lambda: challenges.link(running, number, card, settings))
    exchange = replace(exchange, state=state)
    return proceed(act, totals(act, exchange), exchange)


@handles(LayBuff, bot_dice=True)
def lay_buff(act: Act, action: LayBuff) -> Reply:
    """One Buff card face down; turned up when the step ends. Rules: FE-CHAL-04, FE-CHAL-05, FE-DECK-09."""
    exchange = _mine(act, action.at, action.player)
    settings = settings_of(act.encounter)
    kind, _, key = action.use.rpartition(" ")
    target = "buff" if kind == "block buff" else "draw"
    use = kind.split(" ")[0]
    if use not in ("reinforce", "replace", "block"):
        raise InvalidInput("A Buff card reinforces, replaces or blocks.")
    card = named(settings.deck, key)
    who = name_of(act.encounter, action.player)
    if isinstance(exchange.state, Check):
        check = exchange.state
        if action.player != check.seat.entry.player:
            raise InvalidInput("This is another player's Check.")
        exchange = replace(exchange, state=transition(lambda: checks.reinforce(check, card, settings)))
        return proceed(act, totals(act, exchange), exchange)
    running = exchange.challenge
    laid = Buff(use, card, target)  # type: ignore[arg-type]
    state = transition(lambda: challenges.buff(running, action.player, laid, settings))
    return stepped(act, exchange, state, f"{who} lays a Buff card face down.")


def stepped(act: Act, exchange: Exchange, state: Challenge | Check, said: str) -> Reply:
    """After a Buff card, a Push or a pass: what everybody sees, totals where something was turned up."""
    before = exchange.state
    exchange = replace(exchange, state=state)
    telling = Telling([said])
    if before is not None and before.step != state.step:
        telling = totals(act, exchange)
        telling.lines.insert(1, said)
    return proceed(act, telling, exchange)


@handles(Push, bot_dice=True)
def push(act: Act, action: Push) -> Reply:
    """A token for the top card, face down until both have chosen. Rules: FE-CHAL-06, FE-CHK-05."""
    exchange = _mine(act, action.at, action.player, action.step)
    settings = settings_of(act.encounter)
    seat = exchange.seat_of(action.player)
    if seat is None:
        raise InvalidInput("You are not part of this.")
    check_push(seat.hidden.deck)
    order = order_for(act, seat.hidden.deck, 1)
    if isinstance(exchange.state, Check):
        check = exchange.state
        state: Challenge | Check = transition(lambda: checks.push(check, settings, order))
    else:
        running = exchange.challenge
        state = transition(lambda: challenges.push(running, action.player, settings, order))
    return stepped(act, exchange, state, f"{name_of(act.encounter, action.player)} pushes.")


@handles(Pass, bot_dice=True)
def pass_step(act: Act, action: Pass) -> Reply:
    """Not final where the other side still acts. Rules: FE-CHAL-05, FE-CHAL-07."""
    exchange = _mine(act, action.at, action.player, action.step)
    return passed(act, exchange, action.player, f"{name_of(act.encounter, action.player)} passes.")


def passed(act: Act, exchange: Exchange, number: int, said: str) -> Reply:
    """Pass for a player."""
    settings = settings_of(act.encounter)
    if isinstance(exchange.state, Check):
        check = exchange.state
        if number != check.seat.entry.player or check.step not in ("reinforce", "push"):
            raise InvalidInput("There is nothing to pass now.")
        if number not in awaited(act.encounter, exchange) or linking(exchange, act.encounter):
            raise InvalidInput("An Ace waits for its link first.")
        return stepped(act, exchange, replace(check, step="resolve"), said)
    running = exchange.challenge
    return stepped(act, exchange, transition(lambda: challenges.pass_step(running, number, settings)), said)


@handles(Morph)
def morph(act: Act, action: Morph) -> Reply:
    """The card is turned up; what it does is told. Rules: FE-CHAL-09."""
    exchange = _mine(act, action.at, action.player)
    settings = settings_of(act.encounter)
    card = named(settings.deck, action.card)
    running = exchange.challenge
    state = transition(lambda: challenges.morph(running, action.player, card))
    who = name_of(act.encounter, action.player)
    lines = [f"{who} morphs {settings.deck[card].key}.", f"Effect: {challenges.morph_text(settings)}."]
    return proceed(act, Telling(lines), replace(exchange, state=state))
