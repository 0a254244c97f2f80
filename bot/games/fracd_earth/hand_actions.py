"""A player's own cards: played, linked, laid, morphed, and their chances, which only the holder sees."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.edge_actions import await_winner
from bot.games.fracd_earth.exchange import Exchange, awaited_players, require_current
from bot.games.fracd_earth.narration import Narration
from bot.games.fracd_earth.players import deck_of, name_of, require_holder, shuffle_for
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import (
    CARDS,
    WITHOUT_EDGES,
    Pass,
    Push,
    ask_next,
    is_linking,
    narrate_totals,
    proceed,
    run_step,
)
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.owners import ANYONE, in_play
from rules.dice import Odds
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import chances, checks
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.cards import card_number
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.chances import Hand, Supply
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.deck import Deck, check_push
from rules.systems.fracd_earth.seat import Buff
from rules.systems.fracd_earth.settings import Settings
from rules.wording import times


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


def _require_exchange(act: Act, exchange_id: int, number: int, step: int = 0) -> Exchange:
    """What is under way, for who holds these cards. Raises InvalidInput."""
    require_holder(act, number)
    return require_current(act.encounter, exchange_id, step)


@handles(Select, bot_dice=True)
def select(act: Act, action: Select) -> Reply:
    """Lay it on top, face down; when all are ready the cards are flipped. Rules: FE-CHAL-02, FE-DRAW-04."""
    exchange = _require_exchange(act, action.at, action.player)
    settings = settings_of(act.encounter)
    card = card_number(settings.deck, action.card)
    player_name = name_of(act.encounter, action.player)
    if isinstance(exchange.state, Check):
        check = exchange.state
        state: Challenge | Check = run_step(lambda: checks.select(check, card, settings, action.player))
    else:
        challenge = exchange.challenge
        state = run_step(lambda: challenges.select(challenge, action.player, card, settings))
    return continue_after_selection(act, exchange, state, f"{player_name} is ready.")


def continue_after_selection(act: Act, exchange: Exchange, state: Challenge | Check, line: str) -> Reply:
    """Continue after a selection: a player is ready, or the cards are face up."""
    exchange = replace(exchange, state=state, waits=())
    cards_are_up = isinstance(state, Check) or state.step != "draw"
    narration = narrate_totals(act, exchange) if cards_are_up else Narration([line])
    return proceed(act, narration, exchange)


@handles(Link, bot_dice=True)
def link(act: Act, action: Link) -> Reply:
    """Link a card, face up beside the Ace. Rules: FE-DECK-03."""
    exchange = _require_exchange(act, action.at, action.player)
    return link_for(act, exchange, action.player, card_number(settings_of(act.encounter).deck, action.card))


def link_for(act: Act, exchange: Exchange, number: int, card: int) -> Reply:
    """Link that card for a player."""
    settings = settings_of(act.encounter)
    if isinstance(exchange.state, Check):
        check = exchange.state
        if number != check.seat.entry.player:
            raise InvalidInput("You can't do this. It is another player's Check.")
        state: Challenge | Check = run_step(lambda: checks.link(check, card, settings))
    else:
        challenge = exchange.challenge
        state = run_step(lambda: challenges.link(challenge, number, card, settings))
    exchange = replace(exchange, state=state)
    return proceed(act, narrate_totals(act, exchange), exchange)


@handles(LayBuff, bot_dice=True)
def lay_buff(act: Act, action: LayBuff) -> Reply:
    """Lay one Buff card face down until the step ends. Rules: FE-CHAL-04, FE-CHAL-05, FE-DECK-09."""
    exchange = _require_exchange(act, action.at, action.player)
    settings = settings_of(act.encounter)
    kind, _, key = action.use.rpartition(" ")
    target = "buff" if kind == "block buff" else "draw"
    use = kind.split(" ")[0]
    if use not in ("reinforce", "replace", "block"):
        raise InvalidInput("Use a Buff card to reinforce, replace or block.")
    card = card_number(settings.deck, key)
    player_name = name_of(act.encounter, action.player)
    if isinstance(exchange.state, Check):
        check = exchange.state
        if action.player != check.seat.entry.player:
            raise InvalidInput("You can't do this. It is another player's Check.")
        exchange = replace(exchange, state=run_step(lambda: checks.reinforce(check, card, settings)))
        return proceed(act, narrate_totals(act, exchange), exchange)
    challenge = exchange.challenge
    buff = Buff(use, card, target)  # type: ignore[arg-type]
    state = run_step(lambda: challenges.buff(challenge, action.player, buff, settings))
    return continue_after(act, exchange, state, f"{player_name} plays a Buff card face down.")


def continue_after(act: Act, exchange: Exchange, state: Challenge | Check, line: str) -> Reply:
    """Continue after a Buff card, a Push or a pass: say what is public, and totals if cards turned up."""
    state_before = exchange.state
    exchange = replace(exchange, state=state)
    narration = Narration([line])
    if state_before is not None and state_before.step != state.step:
        narration = narrate_totals(act, exchange)
        narration.lines.insert(1, line)
    return proceed(act, narration, exchange)


@handles(Push, bot_dice=True)
def push(act: Act, action: Push) -> Reply:
    """Spend a token for the top card, face down until both have chosen. Rules: FE-CHAL-06, FE-CHK-05."""
    exchange = _require_exchange(act, action.at, action.player, action.step)
    settings = settings_of(act.encounter)
    seat = exchange.seat_of(action.player)
    if seat is None:
        raise InvalidInput("You can't push, because you aren't taking part in this Challenge or Check.")
    check_push(seat.hidden.deck)
    order = shuffle_for(act, seat.hidden.deck, 1)
    if isinstance(exchange.state, Check):
        check = exchange.state
        state: Challenge | Check = run_step(lambda: checks.push(check, settings, order))
    else:
        challenge = exchange.challenge
        state = run_step(lambda: challenges.push(challenge, action.player, settings, order))
    return continue_after(act, exchange, state, f"{name_of(act.encounter, action.player)} pushes.")


@handles(Pass, bot_dice=True)
def pass_step(act: Act, action: Pass) -> Reply:
    """Pass the step, which isn't final while the other side still acts. Rules: FE-CHAL-05, FE-CHAL-07."""
    exchange = _require_exchange(act, action.at, action.player, action.step)
    return pass_for(act, exchange, action.player, f"{name_of(act.encounter, action.player)} passes.")


def pass_for(act: Act, exchange: Exchange, number: int, line: str) -> Reply:
    """Pass for a player."""
    settings = settings_of(act.encounter)
    if isinstance(exchange.state, Check):
        check = exchange.state
        if number != check.seat.entry.player or check.step not in ("reinforce", "push"):
            raise InvalidInput("You can't pass right now. Use /fe now to see who has to act.")
        if number not in awaited_players(act.encounter, exchange) or is_linking(exchange, act.encounter):
            raise InvalidInput("Link a card to the Ace first.")
        return continue_after(act, exchange, replace(check, step="resolve"), line)
    challenge = exchange.challenge
    return continue_after(
        act, exchange, run_step(lambda: challenges.pass_step(challenge, number, settings)), line
    )


@handles(Morph)
def morph(act: Act, action: Morph) -> Reply:
    """Turn the card up and tell what it does. Rules: FE-CHAL-09."""
    exchange = _require_exchange(act, action.at, action.player)
    settings = settings_of(act.encounter)
    card = card_number(settings.deck, action.card)
    challenge = exchange.challenge
    state = run_step(lambda: challenges.morph(challenge, action.player, card))
    name = name_of(act.encounter, action.player)
    lines = [f"{name} morphs {settings.deck[card].key}.", f"Effect: {challenges.morph_text(settings)}."]
    narration, exchange = Narration(lines), replace(exchange, state=state, entry=act.entry)
    if exchange.stage != "edges":
        return proceed(act, narration, exchange)
    await_winner(act, narration, exchange)
    return ask_next(act, narration)


@dataclass(frozen=True, slots=True)
class OfferedAction:
    """An action with chances: its button. waits: why it cannot be done now; then there is no button."""

    label: str
    action: Action
    waits: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return what prevents the button."""
        return (self.waits,) if self.waits else ()

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Return the button, where it can be pressed now."""
        return () if self.waits else (Button(self.label, self.action, "main"),)


@dataclass(frozen=True, slots=True)
class Chances(Action):
    """Show what your deck's next cards may bring. Changes nothing."""

    command = "fe.chances"
    decision_of = ANYONE

    player: int = 0
    cards: int = 0


@handles(Chances)
def show_own_chances(act: Act, action: Chances) -> Reply:
    """Show, in place of the cards, what a Push would do in its step, else the best of 1 to 4.

    Rules: FE-CHAL-06, FE-DRAW-01.
    """
    require_holder(act, action.player)
    encounter = act.encounter
    settings = settings_of(encounter)
    exchange = exchanges.find_exchange(encounter)
    seat = exchange.seat_of(action.player) if exchange is not None else None
    deck = seat.hidden.deck if seat is not None else deck_of(encounter, action.player)
    state = exchange.state if exchange is not None and seat is not None else None
    may_push = seat is not None and not seat.shown.push and deck.pushes > 0
    if exchange is not None and state is not None and state.step == "push" and may_push:
        return _build_push_reply(act, exchange, deck, settings)
    counts = (action.cards,) if action.cards else (1, 2, 3, 4)
    if any(not 1 <= count <= 4 for count in counts):
        raise InvalidInput(f"A Draw Hand has 1 to 4 cards (you entered {action.cards}).")
    lines = [f"Your deck has {times(len(deck.pile), 'card')} (only you see this)."]
    supply = chances.own_supply(deck, settings)
    all_odds = []
    for count in counts:
        hand = _build_hand(deck, settings, count)
        odds = _solve(act, supply, hand)
        all_odds.append(odds)
        hand_text = f"Best of {count} cards" if count > 1 else "1 card"
        lines.append(f"{hand_text}: {odds.mean(float):.1f} on average")
        lines += bars([(f"{mark}+", odds.chance(lambda v, m=mark: v >= m)) for mark in (6, 8, 10)])  # type: ignore[misc]
    return Reply((*lines, act.exactness), private=True, buttons=(CARDS,), replaces=True)


def _build_hand(deck: Deck, settings: Settings, cards: int) -> Hand:
    links: tuple[int, ...] = ()
    if settings.ace_link == "buff_hand":
        links = tuple(sorted((settings.deck[card].value for card in deck.buff_hand), reverse=True))
    return Hand(cards, links=links)


def _solve(act: Act, supply: Supply, hand: Hand) -> Odds[int]:
    try:
        return act.solve(chances.total, supply, hand)
    except Forbidden as refusal:
        raise InvalidInput(refusal.sentence) from None


def _build_push_reply(act: Act, exchange: Exchange, deck: Deck, settings: Settings) -> Reply:
    hand = _build_hand(deck, settings, 1)
    odds = act.solve(chances.push_card, chances.own_supply(deck, settings), hand.links)
    lines = ["Your chances with a Push (only you see this)"]
    if isinstance(exchange.state, Challenge):
        active_total, reactive_total = challenges.totals(exchange.state, settings)
        is_active = exchange.state.active.hidden.deck == deck
        deficit = (reactive_total - active_total) if is_active else (active_total - reactive_total)
        lines.append(
            f"You are {'behind' if deficit > 0 else 'ahead'} by {abs(deficit)} so far."
            if deficit
            else "You are level so far."
        )
        opponent_seat = exchange.state.reactive if is_active else exchange.state.active
        has_pushed = opponent_seat.shown.push == "placed"
        lines.append(f"Your opponent's {'face-down' if has_pushed else 'possible'} Push is not included.")
        goals = [("equal or ahead", deficit), ("ahead", deficit + 1), ("ahead by 3+", deficit + 3)]
    else:
        assert isinstance(exchange.state, Check), "a Push needs a Challenge or a Check"
        missing, goals = _list_check_goals(exchange, exchange.state, settings)
        tn = exchange.state.tn
        ahead_text = f"You reach TN {tn} {f'with {-missing} to spare' if missing else 'exactly'}."
        lines.append(f"You need {missing} more for TN {tn}." if missing > 0 else ahead_text)
    rows = [(name, odds.chance(lambda value, minimum=minimum: value >= minimum)) for name, minimum in goals]  # type: ignore[misc]
    return Reply((*lines, *bars(rows), act.exactness), private=True, buttons=(CARDS,), replaces=True)


def _list_check_goals(
    exchange: Exchange, check: Check, settings: Settings
) -> tuple[int, list[tuple[str, int]]]:
    """How much is missing to the TN, and what further points a Push card may bring about.

    Rules: FE-CHK-03, FE-CHK-04, FE-CHK-07, FE-AOE-05.
    """
    total = seats.total(check.seat, settings)
    missing = check.tn - total
    if exchange.kind == "area":
        return missing, [("hits the point", settings.aoe_hit_at - total)]
    goals = [] if check.all_or_nothing else [("reaches the TN", missing)]
    goals.append(("beats the TN", missing + 1))
    return missing, goals if exchange.kind in WITHOUT_EDGES else [*goals, ("an Edge", missing + 3)]
