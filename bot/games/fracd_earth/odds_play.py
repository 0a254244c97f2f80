"""Chances from what is left in a player's own deck, shown to who holds it alone.

Of other players' cards nothing is used: they count as a whole deck, their Aces as linked to the card that
follows. Whoever draws keeps the card worth most on average, of a penalty hand the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange
from bot.games.fracd_earth.players import deck_of, require_holder
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import WITHOUT_EDGES
from bot.games.fracd_earth.telling import times
from bot.replies.chances import bars, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.dice import Dice
from rules.odds import Odds
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import chances
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.chances import Hand, Supply
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.deck import Deck
from rules.systems.fracd_earth.draws import Prepared
from rules.systems.fracd_earth.settings import Settings


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

    player: int = 0
    cards: int = 0


@handles(Chances)
def own_chances(act: Act, action: Chances) -> Reply:
    """In a Push Step what a Push would do; else the best of 1 to 4 cards. Rules: FE-CHAL-06, FE-DRAW-01."""
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
    return Reply((*lines, act.exactness), private=True)


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
    return Reply((*lines, *bars(found), act.exactness), private=True)


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


def _own_alone(act: Act, number: int) -> None:
    """Chances come from cards, so they go to who holds these; never out into the open by an override."""
    require_holder(act, number)
    if act.overridden:
        raise InvalidInput("Chances are told for what the rules allow.")


def hand_words(hand: Hand) -> str:
    """A hand with what it adds: which of its cards counts, and the trait."""
    kept = "lowest" if hand.penalty else "best"
    cards = f"{kept} of {hand.cards}" if hand.cards > 1 else "1 card"
    return f"{cards} {hand.trait:+d}"


def check_odds(
    act: Act,
    number: int,
    prepared: Prepared,
    tn: int,
    *,
    strictly: bool,
    go: Go,
    edges: bool = True,
    head: str = "",
) -> Reply:
    """The chances of a Check, beside the button that makes it. edges: whether it earns any; head: what the
    TN is called, where it has another name.

    Rules: FE-CHK-02, FE-CHK-03.
    """
    _own_alone(act, number)
    settings = settings_of(act.encounter)
    deck = deck_of(act.encounter, number)
    hand = chances.hand_of(prepared.draw, prepared.trait, deck, settings)
    supply = chances.own_supply(deck, settings)
    found = act.solve(chances.check, supply, hand, tn, all_or_nothing=strictly)
    rows = [
        ("success", found.chance(lambda result: result.verdict == "success")),
    ]
    if not strictly:
        rows.append(("partial", found.chance(lambda result: result.verdict == "partial")))
    if edges:
        rows.append(("an Edge", found.chance(lambda result: result.edges > 0)))
    named = head or f"TN {tn}{' (AoN)' if strictly else ''}"
    tail = ("Before a Push.", f"{act.exactness} From your own deck.", "Only you see this.")
    lines = (f"{named}: {hand_words(hand)}", *bars(rows), *go.lines, *tail)
    return Reply(lines, private=True, buttons=go.buttons)


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to answer in a Challenge. name: of the trait, empty where there is no choice."""

    side: Prepared
    name: str = ""


def clash_odds(
    act: Act,
    number: int,
    mine: Prepared,
    answers: Sequence[Answer],
    go: Go,
    *,
    who: str = "",
    equal: str,
    partial: bool = False,
    edges: bool = True,
) -> Reply:
    """The chances of a Challenge; the opponent's cards count as a whole deck.

    answers: how the opponent, `who`, may answer: the one told is that against which least is won. equal: what
    equal totals come to; partial: whether that is a Partial Success. edges: whether one's own figure earns
    any. Rules: FE-CHAL-03, FE-CMB-10, FE-CREW-02.
    """
    _own_alone(act, number)
    settings = settings_of(act.encounter)
    deck = deck_of(act.encounter, number)
    hand = chances.hand_of(mine.draw, mine.trait, deck, settings)
    supply = chances.own_supply(deck, settings)
    whole = Supply(chances.bag_of(range(len(settings.deck)), settings))
    others = [Hand(each.side.draw.cards, each.side.draw.penalty, each.side.trait) for each in answers]
    solved = [act.solve(_margin, supply, hand, whole, other) for other in others]
    told = min(range(len(solved)), key=lambda place: solved[place].chance(lambda m: m >= 1 - int(partial)))
    odds = solved[told]
    rows = [("win", _win(odds)), (equal, odds.chance(lambda margin: margin == 0))]
    if edges:
        rows += [(f"{count}+ Edges", odds.chance(lambda m, c=count: m >= 3 * c)) for count in (1, 2)]  # type: ignore[misc]
    lines = [f"Win {_percent(odds)}: {hand_words(hand)} against {hand_words(others[told])}"]
    said = ["counted here" if one is odds else f"win {_percent(one)}" for one in solved]
    named = zip(answers, said, strict=True)
    lines += [f"{who} answers with {answer.name}: {words}" for answer, words in named if answer.name]
    tail = (
        f"Before Buff and Push. {act.exactness} From",
        "your deck; theirs counts as a whole one,",
        "an Ace with the card that follows.",
        "Only you see this.",
    )
    return Reply((*lines, *bars(rows), *go.lines, *tail), private=True, buttons=go.buttons)


def _win(odds: Odds[int]) -> float:
    return odds.chance(lambda margin: margin > 0)


def _percent(odds: Odds[int]) -> str:
    return percent(_win(odds)).strip()


def _margin(dice: Dice, mine: Supply, hand: Hand, theirs: Supply, other: Hand) -> int:
    return chances.clash(dice, mine, hand, theirs, other)
