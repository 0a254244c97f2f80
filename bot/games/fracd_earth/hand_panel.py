"""A player's own cards and choices, and what happens if a player doesn't answer in time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange, awaited_players, current
from bot.games.fracd_earth.hand_actions import (
    Chances,
    LayBuff,
    Link,
    Morph,
    Select,
    after_selection,
    link_for,
    pass_for,
)
from bot.games.fracd_earth.narration import Narration, card_value, hand_words, totals_words
from bot.games.fracd_earth.players import deck_of, held_by, name_of
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import (
    LATE,
    Look,
    Pass,
    TimeUp,
    ask,
    asked_words,
    linking,
    pass_buttons,
    show,
    total_lines,
    transition,
)
from bot.replies.reply import Button, Choice, Reply
from bot.store.rows import SecretRow
from bot.store.store import Store, running_game
from bot.table.act import Act, Actor
from bot.table.encounter import Encounter
from bot.table.game import reaction_seconds
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from bot.table.session.drafts import Draft, Laid, draft_reply, makes
from bot.table.session.reactions import seconds_since
from rules.refusals import InvalidInput, forbid
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks
from rules.systems.fracd_earth.cards import card_number
from rules.systems.fracd_earth.challenge import Challenge, check_choices, choices, selectable
from rules.systems.fracd_earth.checks import Check
from rules.wording import times

HAND = "fe.cards"

CARD_USES = ("select", "link", "reinforce", "replace", "block", "morph")
"""The uses of a card; a piece is the place among these, of the hand, and of the card."""

MAX_CARDS, MAX_CARD_USES = 1000, 10


@dataclass(frozen=True, slots=True)
class CardOption:
    """One possible use of a card now. what: one of `CARD_USES`; asks: the question that it answers;
    told: what it would come to, as far as is known.
    """

    what: str
    card: str
    asks: str
    does: str
    action: Action
    told: str = ""


@handles(Look)
def look(act: Act, action: Look) -> Reply:
    """Return the asker's cards alone, in one message, with what is asked and what may be done.

    Rules: FE-HAND-02, FE-DRAW-04.
    """
    draft = Draft(HAND)
    return draft_reply(draft, hand(act, draft))


@makes(HAND)
def hand(act: Act, draft: Draft) -> Laid:
    """Return the asker's cards, with what may be done with them; or with one that was chosen, to be done."""
    hands = held_by(act)
    if not hands:
        raise InvalidInput("You have no cards in this game.")
    exchange = exchanges.under_way(act.encounter)
    open_now = {
        _piece_number(act, place, option): option for place, option in _every_option(act, exchange, hands)
    }
    lines = ["Your cards (only you see this)", *_hands(act, hands, exchange)]
    if draft.pieces:
        picked = open_now.get(draft.pieces[-1])
        if picked is None:
            return Laid((*lines, "This choice is no longer open."))
        title = f"{picked.does}: {_name(act, picked.card)}."
        return Laid(
            (*lines, *filter(None, (title, picked.told))), ready=(Button(picked.does, picked.action, "main"),)
        )
    return _open_choices(act, hands, exchange, lines, open_now)


def _open_choices(
    act: Act,
    hands: list[SecretRow],
    exchange: Exchange | None,
    lines: list[str],
    options: dict[int, CardOption],
) -> Laid:
    """The cards before one is chosen: a menu for each question, and what is pressed without a card."""
    by_question: dict[str, list[Choice]] = {}
    for piece, option in sorted(options.items(), key=lambda pair: -_value(act, pair[1])):
        by_question.setdefault(option.asks, []).append(Choice(_label(act, option), str(piece), option.told))
    buttons = list[Button]()
    if exchange is not None and exchange.stage == "cards" and is_asked(act, exchange):
        lines.append(f"{act.actor.name}: {asked_words(exchange, act.encounter)}.")
        buttons += [
            replace(button, style="main") if isinstance(button.action, Pass) else button
            for button in pass_buttons(act.encounter, exchange)
        ]
    for row in hands:
        side_text = f": {act.encounter.side(row.side).name}" if len(hands) > 1 else ""
        buttons.append(Button(f"Chances{side_text}", Chances(row.id), anytime=True))
    refresh = Button("Refresh", Look(), anytime=True)
    menus = tuple((prompt, tuple(choices)) for prompt, choices in by_question.items())
    return Laid(tuple(lines), ready=(*buttons[:4], refresh), menus=menus[:4])


def is_asked(act: Act, exchange: Exchange) -> bool:
    """Return whether the person who asks is one of those whose answer is awaited."""
    waiting = awaited_players(act.encounter, exchange)
    return any(row.id in waiting for row in held_by(act))


def _piece_number(act: Act, place: int, option: CardOption) -> int:
    card = card_number(settings_of(act.encounter).deck, option.card)
    return (place * MAX_CARD_USES + CARD_USES.index(option.what)) * MAX_CARDS + card


def _label(act: Act, option: CardOption) -> str:
    buffs = option.what in ("reinforce", "replace", "block")
    if buffs:
        return option.does
    value = _value(act, option)
    counts = "" if option.card[:-1] == str(value) else f" (counts {value})"
    return f"{option.card}: {_name(act, option.card)}{counts}"


def _value(act: Act, option: CardOption) -> int:
    deck = settings_of(act.encounter).deck
    return card_value(card_number(deck, option.card), deck)


def _name(act: Act, key: str) -> str:
    deck = settings_of(act.encounter).deck
    return deck[card_number(deck, key)].name


# ------------------------------------------------------------------------------------ what is held


def _hands(act: Act, hands: list[SecretRow], exchange: Exchange | None) -> Iterator[str]:
    settings = settings_of(act.encounter)
    for row in hands:
        seat = exchange.seat_of(row.id) if exchange is not None else None
        deck = seat.hidden.deck if seat is not None else deck_of(act.encounter, row.id)
        if len(hands) > 1:
            yield f"**{act.encounter.side(row.side).name}**"
        if deck.draw_hand:
            selected_card = seat.hidden.selected if seat is not None else None
            selected = (
                f". You selected {settings.deck[selected_card].key}." if selected_card is not None else ""
            )
            yield f"Draw Hand: {hand_words(deck.draw_hand, settings.deck)}{selected}"
            laid = seat.hidden.buff if seat is not None else None
            if laid is not None:
                yield f"Played: {settings.deck[laid.card].key} ({laid.kind})"
        yield f"Buff Hand: {hand_words(deck.buff_hand, settings.deck)}"
        yield f"Deck: {len(deck.pile)}. Discard pile: {len(deck.discards)}. Push tokens: {deck.pushes}."


# ------------------------------------------------------------------------------------ what may be done


def _every_option(
    act: Act, exchange: Exchange | None, hands: list[SecretRow]
) -> Iterator[tuple[int, CardOption]]:
    """All that may be done with any card of the person, by the place of whose hand it is in."""
    for place, row in enumerate(hands if exchange is not None else []):
        assert exchange is not None
        if isinstance(exchange.state, Challenge) and row.id in exchange.players:
            options = _in_challenge(act, exchange, row.id)
        elif isinstance(exchange.state, Check):
            options = _in_check(act, exchange, exchange.state, row.id)
        else:
            continue
        yield from ((place, option) for option in options)


def _in_challenge(act: Act, exchange: Exchange, number: int) -> Iterator[CardOption]:
    view = choices(exchange.challenge, number, settings_of(act.encounter))
    question = "Select a card from your opponent's hand" if view.picks_for_opponent else "Select a card"
    yield from _selecting(exchange, number, view.selectable, question)
    yield from _linking(exchange, number, view.linkable)
    names, own_place = exchange.facts["names"], exchange.players.index(number)
    for option in view.options if not linking(exchange, act.encounter) else ():
        totals = totals_words((names[own_place], names[1 - own_place]), option.totals)
        label = f"{option.kind.capitalize()} with {option.card}"
        lays = LayBuff(exchange.id, number, f"{option.kind} {option.card}")
        yield CardOption(option.kind, option.card, "Play a Buff card", label, lays, totals)
    yield from _morphing(act, exchange, number)


def _in_check(act: Act, exchange: Exchange, check: Check, number: int) -> Iterator[CardOption]:
    settings = settings_of(act.encounter)
    if number != check.seat.entry.player:
        if check.step == "draw" and number in exchange.waits:
            keys = [settings.deck[card].key for card in selectable(check.seat, settings)]
            yield from _selecting(exchange, number, keys, "Select a card from the penalty hand")
        return
    view = check_choices(check, number, settings)
    yield from _selecting(exchange, number, view.selectable, "Select a card")
    yield from _linking(exchange, number, view.linkable)
    name, tn = exchange.facts["names"][0], check.tn
    for option in view.reinforcing if not linking(exchange, act.encounter) else ():
        lays = LayBuff(exchange.id, number, f"reinforce {option.card}")
        total_text = f"{name} would have {option.totals[0]} against TN {tn}"
        yield CardOption("reinforce", option.card, "Reinforce", f"Add {option.card}", lays, total_text)


def _selecting(exchange: Exchange, number: int, keys: Iterable[str], question: str) -> Iterator[CardOption]:
    for key in dict.fromkeys(keys):
        yield CardOption("select", key, question, f"Select {key}", Select(exchange.id, number, key))


def _linking(exchange: Exchange, number: int, keys: Iterable[str]) -> Iterator[CardOption]:
    for key in dict.fromkeys(keys):
        yield CardOption("link", key, "Link to the Ace", f"Link {key}", Link(exchange.id, number, key))


def _morphing(act: Act, exchange: Exchange, number: int) -> Iterator[CardOption]:
    """Unused draw cards of a Caster, once the result stands. Rules: FE-CHAL-09."""
    seat = exchange.seat_of(number)
    if seat is None or exchange.challenge.final is None or not seat.entry.caster or seat.shown.morphed:
        return
    deck = settings_of(act.encounter).deck
    for card in seat.hidden.deck.draw_hand:
        if card not in seat.shown.active.cards:
            key = deck[card].key
            yield CardOption("morph", key, "Morph a card", f"Morph {key}", Morph(exchange.id, number, key))


@dataclass(frozen=True, slots=True)
class Now(Action):
    """Show what is in progress and who has to act.

    To the person who asks.
    """

    command = "fe.now"
    typed = "fe now"
    titled = "Show what is in progress"
    decision_of = ANYONE


async def _seconds_since_step(store: Store, actor: Actor, action: TimeUp) -> int:
    """Return the seconds since the last step, by the clock of the journal."""
    loaded = await running_game(store, actor.channel_id)
    exchange = exchanges.under_way(Encounter(loaded.book())) if loaded is not None else None
    if loaded is None or exchange is None:
        return 0
    return await seconds_since(store, loaded.scope.id, exchange.entry)


@handles(Now)
def hand_reply(act: Act, action: Now) -> Reply:
    """Show the public state, with the person's own cards if they have to answer."""
    exchange = current(act.encounter)
    narration = Narration()
    if exchange.state is not None and exchange.state.step != "draw":
        narration.lines += total_lines(act, exchange)
    if is_asked(act, exchange) and exchange.stage == "cards":
        hand = look(act, Look())
        return replace(hand, lines=(*narration.lines, *hand.lines))
    show(act, narration)
    return Reply(
        tuple(narration.lines), private=True, buttons=tuple(narration.buttons), menus=tuple(narration.menus)
    )


@handles(TimeUp, bot_dice=True, beforehand=_seconds_since_step)
def time_up(act: Act, action: TimeUp) -> Reply:
    """Answer for players whose time is over: the first selectable card, a pass, no Edges."""
    encounter = act.encounter
    exchange = current(encounter, action.at)
    seconds_left = reaction_seconds(encounter) - int(act.extra or 0)
    waiting = awaited_players(encounter, exchange)
    names = ", ".join(name_of(encounter, number) for number in waiting)
    if seconds_left > 0:
        forbid(f"Wait {times(seconds_left, 'second')}, because {names} can still answer.")
    line = f"Time is up for {names}."
    if exchange.stage != "cards":
        narration = Narration([line])
        LATE[exchange.stage](act, narration, exchange)
        return ask(act, narration)
    return _answer_without_card(act, exchange, waiting[0], line)


def _answer_without_card(act: Act, exchange: Exchange, number: int, line: str) -> Reply:
    settings = settings_of(act.encounter)
    if linking(exchange, act.encounter):
        seat = exchange.seat_of(number)
        assert seat is not None, "who links has cards in it"
        return link_for(act, exchange, number, seat.hidden.deck.buff_hand[0])
    if exchange.state is None or exchange.state.step != "draw":
        return pass_for(act, exchange, number, line)
    if isinstance(exchange.state, Check):
        check = exchange.state
        card = selectable(check.seat, settings)[0]
        return after_selection(
            act, exchange, transition(lambda: checks.select(check, card, settings, number)), line
        )
    return after_selection(act, exchange, transition(lambda: _select_first(exchange, number, act)), line)


def _select_first(exchange: Exchange, number: int, act: Act) -> Challenge:
    """Return the first card that the player may select, of the own hand or the opponent's."""
    settings = settings_of(act.encounter)
    running = exchange.challenge
    role = challenges.role_of(running, number)
    of = challenges.OTHER[role] if challenges.picks_for_opponent(running, role, settings) else role
    cards = selectable(running.seat(of), settings)
    if not cards:
        raise InvalidInput("There is no card to select.")
    return challenges.select(running, number, cards[0], settings)
