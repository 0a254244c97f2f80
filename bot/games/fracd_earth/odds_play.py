"""Chances from what is left in a player's own deck, shown to who holds it alone.

Of other players' cards nothing is used: they count as a whole deck, their Aces as linked to the card that
follows. Whoever draws keeps the card worth most on average, of a penalty hand the lowest.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange
from bot.games.fracd_earth.players import deck_of, require_holder
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import CARDS, WITHOUT_EDGES
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from rules.dice import Odds
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import chances
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.chances import Hand, Supply
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.deck import Deck
from rules.systems.fracd_earth.settings import Settings
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Go:
    """What the chances are of: the button that does it. waits: why it cannot be done now; then no button."""

    label: str
    action: Action
    waits: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands in the button's way."""
        return (self.waits,) if self.waits else ()

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The button, where it can be pressed now."""
        return () if self.waits else (Button(self.label, self.action, "main"),)


@dataclass(frozen=True, slots=True)
class Chances(Action):
    """What the next cards of one's own deck may bring. Changes nothing."""

    command = "fe.chances"
    decision_of = ANYONE

    player: int = 0
    cards: int = 0


@handles(Chances)
def own_chances(act: Act, action: Chances) -> Reply:
    """In place of the cards: what a Push would do in its step, else the best of 1 to 4.

    Rules: FE-CHAL-06, FE-DRAW-01.
    """
    require_holder(act, action.player)
    encounter = act.encounter
    settings = settings_of(encounter)
    exchange = exchanges.under_way(encounter)
    seat = exchange.seat_of(action.player) if exchange is not None else None
    deck = seat.hidden.deck if seat is not None else deck_of(encounter, action.player)
    state = exchange.state if exchange is not None and seat is not None else None
    may_push = seat is not None and not seat.shown.push and deck.pushes > 0
    if exchange is not None and state is not None and state.step == "push" and may_push:
        return _push_reply(act, exchange, deck, settings)
    counts = (action.cards,) if action.cards else (1, 2, 3, 4)
    if any(not 1 <= count <= 4 for count in counts):
        raise InvalidInput("A Draw Hand has 1 to 4 cards.")
    lines = [f"Your deck: {times(len(deck.pile), 'card')}. Only you see this."]
    supply = chances.own_supply(deck, settings)
    solved = []
    for count in counts:
        best = _hand(deck, settings, count)
        odds = _solved(act, supply, best)
        solved.append(odds)
        lines.append(f"Best of {count}: average {odds.mean(float):.1f}")
        lines += bars([(f"{mark}+", odds.chance(lambda v, m=mark: v >= m)) for mark in (6, 8, 10)])  # type: ignore[misc]
    return Reply((*lines, act.exactness), private=True, buttons=(CARDS,), replaces=True)


def _hand(deck: Deck, settings: Settings, cards: int) -> Hand:
    links: tuple[int, ...] = ()
    if settings.ace_link == "buff_hand":
        links = tuple(sorted((settings.deck[card].value for card in deck.buff_hand), reverse=True))
    return Hand(cards, links=links)


def _solved(act: Act, supply: Supply, hand: Hand) -> Odds[int]:
    try:
        return act.solve(chances.total, supply, hand)
    except Forbidden as refusal:
        raise InvalidInput(refusal.sentence) from None


def _push_reply(act: Act, exchange: Exchange, deck: Deck, settings: Settings) -> Reply:
    """What a Push card would make of the total."""
    hand = _hand(deck, settings, 1)
    odds = act.solve(chances.push_card, chances.own_supply(deck, settings), hand.links)
    lines = ["If you push. Only you see this."]
    if isinstance(exchange.state, Challenge):
        active, reactive = challenges.totals(exchange.state, settings)
        mine = exchange.state.active.hidden.deck == deck
        behind = (reactive - active) if mine else (active - reactive)
        lines.append(
            f"You are {'behind' if behind > 0 else 'ahead'} by {abs(behind)}." if behind else "Equal."
        )
        other = exchange.state.reactive if mine else exchange.state.active
        laid = other.shown.push == "placed"
        lines.append("Their Push, face down, is not counted." if laid else "If they push, it is not counted.")
        marks = [("equal or ahead", behind), ("ahead", behind + 1), ("ahead by 3", behind + 3)]
    else:
        assert isinstance(exchange.state, Check), "a Push needs a Challenge or a Check"
        short, marks = _check_marks(exchange, exchange.state, settings)
        lines.append(f"TN {exchange.state.tn}: {short} to go." if short > 0 else f"TN reached by {-short}.")
    found = [(name, odds.chance(lambda value, need=need: value >= need)) for name, need in marks]  # type: ignore[misc]
    return Reply((*lines, *bars(found), act.exactness), private=True, buttons=(CARDS,), replaces=True)


def _check_marks(exchange: Exchange, check: Check, settings: Settings) -> tuple[int, list[tuple[str, int]]]:
    """How much is missing to the TN, and what further points a Push card may bring about.

    Rules: FE-CHK-03, FE-CHK-04, FE-CHK-07, FE-AOE-05.
    """
    total = seats.total(check.seat, settings)
    short = check.tn - total
    if exchange.kind == "area":
        return short, [("on the point", settings.aoe_hit_at - total)]
    marks = [] if check.all_or_nothing else [("the TN", short)]
    marks.append(("above it", short + 1))
    return short, marks if exchange.kind in WITHOUT_EDGES else [*marks, ("an Edge", short + 3)]
