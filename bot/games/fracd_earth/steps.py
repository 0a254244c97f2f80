"""Lead a Challenge or Check: who is asked next, the public buttons, and the end.

Owns the flow. The handlers that register themselves in `OUTCOMES`, `DECISIONS` and `DUE_HANDLERS` by the
exchange's kind decide what an outcome means.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange, Facts, as_invalid, awaited_players, save_exchange
from bot.games.fracd_earth.narration import Narration, explain_group, seat_words, totals_words
from bot.games.fracd_earth.players import name_of, player, player_rows, pushes_of, report_draw, shuffle_for
from bot.games.fracd_earth.settings import settings_of
from bot.replies.reply import Button, Next, Reply
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.game import time_to_react
from bot.table.owners import PLAYER, in_play
from rules.refusals import Forbidden
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.seat import Seat
from rules.wording import join_with_and, times

Outcome = Callable[[Act, Narration, Exchange], None]

OUTCOMES: dict[str, Outcome] = {}
"""The function for a finished Challenge or Check, by the exchange's kind."""

DECISIONS: dict[str, Outcome] = {}
"""For each stage after the cards: the lines, buttons and menus of what is to be decided."""

LATE_DECISIONS: dict[str, Outcome] = {}
"""The function for each such stage if no one decides in time."""

WITHOUT_EDGES = ("protect", "detect")
"""Kinds of Check of which only the success counts."""

DUE_HANDLERS: dict[str, Callable[[Act, Narration, Facts], None]] = {}
"""How each kind of thing that is due begins."""


def register_outcome(kind: str) -> Callable[[Outcome], Outcome]:
    """Register the function for a finished exchange of this kind."""

    def register(run: Outcome) -> Outcome:
        OUTCOMES[kind] = run
        return run

    return register


@dataclass(frozen=True, slots=True)
class Look(Action):
    """Show your cards (only you see them).

    Show one's own cards, with what can be done with them now. Changes nothing.
    """

    command = "fe.hand"
    typed = "fe hand"
    titled = "Cards"
    decision_of = in_play("the player who holds the cards")

    for_all = True


@dataclass(frozen=True, slots=True)
class Push(Action):
    """Spend a Push token. step: the last step when this was offered, or 0."""

    command = "fe.push"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    player: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Play no Buff card, or do not push."""

    command = "fe.pass"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    player: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class TimeUp(Action):
    """Go on without those who have not answered in time."""

    command = "fe.late"
    decision_of = PLAYER

    at: int = 0

    for_all = True


CARDS = Button("Cards", Look(), "main", anytime=True)


def begin_challenge(
    act: Act, narration: Narration, exchange: Exchange, active: Seat, reactive: Seat, *, all_or_nothing: bool
) -> Exchange:
    """Draw for both sides, and select an only card.

    Rules: FE-CHAL-01, FE-CHAL-02, FE-DRAW-03.
    """
    settings = settings_of(act.encounter)
    challenge = challenges.begin(active, reactive, all_or_nothing=all_or_nothing)
    for seat in (active, reactive):
        order = shuffle_for(act, seat.hidden.deck, seat.entry.draw.cards)
        challenge = challenges.draw(challenge, seat.entry.player, settings, order)
    for seat, seat_after in ((active, challenge.active), (reactive, challenge.reactive)):
        report_draw(act, seat.entry.player, seat.hidden.deck, seat_after.hidden.deck.draw_hand, settings)
    for seat in (challenge.active, challenge.reactive):
        cards = challenges.selectable(seat, settings)
        if len(cards) == 1 and seats.picks_own(seat, settings):
            challenge = challenges.select(challenge, seat.entry.player, cards[0], settings)
    return _after_draw(act, narration, replace(exchange, state=challenge, stage="cards", waits=()))


def begin_check(
    act: Act, narration: Narration, exchange: Exchange, seat: Seat, tn: int, *, all_or_nothing: bool = False
) -> Exchange:
    """Draw for the player, and select an only card. Rules: FE-CHK-01, FE-CHK-02, FE-DRAW-03."""
    settings = settings_of(act.encounter)
    order = shuffle_for(act, seat.hidden.deck, seat.entry.draw.cards)
    check = checks.draw(checks.begin(seat, tn, all_or_nothing=all_or_nothing), settings, order)
    checker_number = seat.entry.player
    report_draw(act, checker_number, seat.hidden.deck, check.seat.hidden.deck.draw_hand, settings)
    waiting_players: tuple[int, ...] = ()
    cards = challenges.selectable(check.seat, settings)
    if not seats.picks_own(check.seat, settings):
        side = player(act.encounter, checker_number).side
        waiting_players = tuple(row.id for row in player_rows(act.encounter) if row.side != side)[:1]
    if len(cards) == 1:
        check = checks.select(check, cards[0], settings, waiting_players[0] if waiting_players else None)
        waiting_players = ()
    return _after_draw(act, narration, replace(exchange, state=check, stage="cards", waits=waiting_players))


def _after_draw(act: Act, narration: Narration, exchange: Exchange) -> Exchange:
    exchange = _take_links(act, exchange)
    if exchange.state is not None and exchange.state.step != "draw":
        narration.lines += total_lines(act, exchange)
    return exchange


def proceed(act: Act, narration: Narration, exchange: Exchange) -> Reply:
    """Go on after a step: take an Ace's card, pass for players without tokens, tell the outcome if cards are
    done, begin what is due, ask.

    Rules: FE-DECK-03, FE-CHAL-06, FE-CHAL-08.
    """
    exchange = replace(exchange, id=exchange.id or act.entry, entry=act.entry)
    exchange = _pass_without_tokens(act, narration, _take_links(act, exchange))
    if exchange.stage == "cards" and _is_done(exchange):
        OUTCOMES[exchange.kind](act, narration, exchange)
    else:
        save_exchange(act.encounter, exchange)
    return ask_next(act, narration)


def _take_links(act: Act, exchange: Exchange) -> Exchange:
    settings = settings_of(act.encounter)
    for _ in range(4):
        state = exchange.state
        if isinstance(state, Challenge):
            role = challenges.linker(state, settings)
            if role is None or state.seat(role).shown.linking:
                return exchange
            seat = state.seat(role)
            order = shuffle_for(act, seat.hidden.deck, 1)
            exchange = replace(
                exchange, state=challenges.take_link(state, seat.entry.player, settings, order)
            )
        elif isinstance(state, Check) and state.step != "draw":
            if seats.open_link(state.seat, settings) is None or state.seat.shown.linking:
                return exchange
            order = shuffle_for(act, state.seat.hidden.deck, 1)
            exchange = replace(exchange, state=checks.take_link(state, settings, order))
        else:
            return exchange
    return exchange


def _pass_without_tokens(act: Act, narration: Narration, exchange: Exchange) -> Exchange:
    """Pass for a player whose crew has no Push token, which is public.

    Rules: FE-HAND-03, FE-CHAL-06, FE-CHAL-07, FE-CHK-05.
    """
    passing_names: list[str] = []
    while (player_number := _player_without_token(act.encounter, exchange)) is not None:
        settings = settings_of(act.encounter)
        state = exchange.state
        if isinstance(state, Challenge):
            exchange = replace(exchange, state=challenges.pass_step(state, player_number, settings))
        elif isinstance(state, Check):
            exchange = replace(exchange, state=replace(state, step="resolve"))
        passing_names.append(name_of(act.encounter, player_number))
        if exchange.state is not None and exchange.state.step == "resolve" and _has_pushed(exchange):
            exchange = _take_links(act, exchange)
            narration.lines += total_lines(act, exchange)
    if passing_names:
        unique_names = list(dict.fromkeys(passing_names))
        verb = "has" if len(unique_names) == 1 else "have"
        narration.lines.append(f"{join_with_and(unique_names)} {verb} no Push tokens left.")
    return exchange


def _player_without_token(encounter: Encounter, exchange: Exchange) -> int | None:
    """The player who would be asked for a Push and has no token for it, None where there is none."""
    state = exchange.state
    if exchange.stage != "cards" or state is None or state.step != "push" or is_linking(exchange, encounter):
        return None
    player_number = awaited_players(encounter, exchange)[0]
    return None if pushes_of(encounter, player(encounter, player_number).side) else player_number


def _has_pushed(exchange: Exchange) -> bool:
    return any(seat.shown.push == "placed" for seat in map(exchange.seat_of, exchange.players) if seat)


def _is_done(exchange: Exchange) -> bool:
    match exchange.state:
        case Challenge():
            return exchange.state.final is not None
        case Check():
            return exchange.state.step == "resolve" and not exchange.state.seat.shown.linking
    return False


def ask_next(act: Act, narration: Narration) -> Reply:
    """Return the reply with what is asked next; begins what is due where nothing is under way."""
    encounter = act.encounter
    for _ in range(200):
        if _settle_check(act, narration):
            continue
        dues = exchanges.read_due(encounter)
        if exchanges.find_exchange(encounter) is not None or not dues:
            break
        exchanges.owe(encounter, dues[1:])
        DUE_HANDLERS[dues[0]["kind"]](act, narration, dues[0])
    show_exchange(act, narration)
    return narration.reply(act)


def _settle_check(act: Act, narration: Narration) -> bool:
    """End a Check that no Push could change: it has succeeded, and earns no Edges."""
    exchange = exchanges.find_exchange(act.encounter)
    if exchange is None or exchange.kind not in WITHOUT_EDGES or not isinstance(exchange.state, Check):
        return False
    check = exchange.state
    total = seats.total(check.seat, settings_of(act.encounter))
    may_end = exchange.stage == "cards" and check.step in ("reinforce", "push")
    if not may_end or is_linking(exchange, act.encounter) or total <= check.tn:
        return False
    OUTCOMES[exchange.kind](act, narration, replace(exchange, state=replace(check, step="resolve")))
    return True


def show_exchange(act: Act, narration: Narration) -> None:
    """Show what is under way, with its buttons."""
    encounter = act.encounter
    exchange = exchanges.find_exchange(encounter)
    if exchange is None:
        return
    awaited_ids = awaited_players(encounter, exchange)
    names = ", ".join(name_of(encounter, number) for number in awaited_ids)
    if exchange.stage != "cards":
        DECISIONS[exchange.stage](act, narration, exchange)
    else:
        narration.lines += [
            Next(f"{names}: {describe_task(exchange, encounter)} ({time_to_react(encounter)}).")
        ]
        narration.buttons += [CARDS, *pass_buttons(encounter, exchange)]


def pass_buttons(encounter: Encounter, exchange: Exchange) -> list[Button]:
    """Return the awaited player's buttons without a card: a Push with a token, and a pass."""
    awaited_ids = awaited_players(encounter, exchange)
    step = exchange.state.step if exchange.state is not None else ""
    if step not in ("buff", "push", "reinforce") or len(awaited_ids) != 1 or is_linking(exchange, encounter):
        return []
    exchange_key = (exchange.id, awaited_ids[0], exchange.entry)
    can_push = step != "buff" and pushes_of(encounter, player(encounter, awaited_ids[0]).side)
    push_buttons = [Button("Push", Push(*exchange_key), anytime=True)] if can_push else []
    return [*push_buttons, Button("Pass", Pass(*exchange_key), anytime=True)]


def is_linking(exchange: Exchange, encounter: Encounter) -> bool:
    """Return whether an Ace waits for its second card."""
    settings = settings_of(encounter)
    match exchange.state:
        case Challenge():
            return challenges.linker(exchange.state, settings) is not None
        case Check():
            return (
                exchange.state.step != "draw" and seats.open_link(exchange.state.seat, settings) is not None
            )
    return False


TASK_WORDS = {
    "defend": "choose Defence or Manoeuvre",
    "edges": "choose between the hit and a move",
    "targets": "choose who else is hit",
    "shift": "shift the area or leave it where it is",
    "caught": "choose who is in the area",
    "away": "choose whether the figure leaves the area",
    "draw": "select a card",
    "buff": "play a Buff card or pass",
    "reinforce": "add a card, push or pass",
    "push": "push or pass",
}
"""What is asked of those who are awaited, by the stage of an exchange, or by the step of its cards."""


def describe_task(exchange: Exchange, encounter: Encounter) -> str:
    """Return what is asked of those who are awaited."""
    if exchange.stage == "edges":
        return _describe_edges_task(exchange.facts)
    if exchange.stage != "cards" or exchange.state is None:
        return TASK_WORDS[exchange.stage]
    return "link a card to the Ace" if is_linking(exchange, encounter) else TASK_WORDS[exchange.state.step]


def _describe_edges_task(facts: Facts) -> str:
    if facts.get("counter"):
        return "counterattack or decline"
    if not facts.get("buys", True):
        return f"morph a card or {'press Hit' if facts['hit'] else 'do nothing more'}"
    if not facts["hit"]:
        return "spend Edges"
    edges = facts["edges"]
    return f"choose how to use the hit and {times(edges, 'Edge')}" if edges else TASK_WORDS["edges"]


# ------------------------------------------------------------------------------------ totals in words


def total_lines(act: Act, exchange: Exchange) -> list[str]:
    """Return the totals and what makes them up, from what lies face up."""
    settings = settings_of(act.encounter)
    names, traits = exchange.facts["names"], exchange.facts["traits"]
    match exchange.state:
        case Challenge():
            active_total, reactive_total = challenges.totals(exchange.state, settings)
            return [
                f"{totals_words(names, (active_total, reactive_total))}.",
                seat_words(names[0], traits[0], exchange.state.active, settings),
                seat_words(names[1], traits[1], exchange.state.reactive, settings),
            ]
        case Check():
            total = seats.total(exchange.state.seat, settings)
            return [
                f"{names[0]} has {total} against TN {exchange.state.tn}.",
                seat_words(names[0], traits[0], exchange.state.seat, settings),
            ]
    return []


def narrate_totals(act: Act, exchange: Exchange) -> Narration:
    """Return the totals as they were just turned up, with what each card is."""
    return Narration(total_lines(act, exchange), card_lines(act, exchange))


def card_lines(act: Act, exchange: Exchange) -> list[str]:
    """Return each face-up card's worth, with the active suits and Force icons.

    Rules: FE-DECK-03, FE-DECK-04.
    """
    settings, names = settings_of(act.encounter), exchange.facts["names"]
    seats: tuple[Seat, ...] = ()
    match exchange.state:
        case Challenge():
            seats = (exchange.state.active, exchange.state.reactive)
        case Check():
            seats = (exchange.state.seat,)
    return [
        f"{name}: {explain_group(group, settings.deck)}"
        for name, seat in zip(names, seats, strict=False)
        for group in seat.shown.active.groups
    ]


def run_step(step: Callable[[], Challenge | Check]) -> Challenge | Check:
    """Run a step of the cards; a refusal of the rules can't be overridden. Raises InvalidInput."""
    try:
        return step()
    except Forbidden as refusal:
        raise as_invalid(refusal) from None
