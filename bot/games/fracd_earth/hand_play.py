"""A player's own cards: looked at, selected, linked, laid as Buff cards, morphed.

What is shown here is shown to who holds the cards and to nobody else. Looking changes nothing, so that the
journal does not know of it; what is played is told without the card until the rules turn it up.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange, awaited, current
from bot.games.fracd_earth.odds_play import Chances
from bot.games.fracd_earth.players import deck_of, held_by, name_of, order_for, require_holder
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import (
    Look,
    Pass,
    Push,
    linking,
    pass_buttons,
    proceed,
    totals,
    transition,
    wanted,
)
from bot.games.fracd_earth.telling import Telling, card_names, totals_words
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.records import dataclass, replace
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks
from rules.systems.fracd_earth.cards import named
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.choices import check_choices, choices, selectable
from rules.systems.fracd_earth.deck import Deck, check_push
from rules.systems.fracd_earth.seat import Buff


@dataclass(frozen=True, slots=True)
class Select(Action):
    """Select a draw card. player: whose choice it is; card: its key."""

    command = "fe.select"

    at: int = 0
    player: int = 0
    card: str = ""


@dataclass(frozen=True, slots=True)
class Link(Action):
    """Link a card of the Buff Hand to an Ace."""

    command = "fe.link"

    at: int = 0
    player: int = 0
    card: str = ""


@dataclass(frozen=True, slots=True)
class LayBuff(Action):
    """Lay a Buff card face down. use: reinforce, replace, block or block buff, and the card."""

    command = "fe.buff"

    at: int = 0
    player: int = 0
    use: str = ""


@dataclass(frozen=True, slots=True)
class Morph(Action):
    """Reveal one unused draw card of a Caster."""

    command = "fe.morph"

    at: int = 0
    player: int = 0
    card: str = ""


# ------------------------------------------------------------------------------------ looking


@handles(Look)
def look(act: Act, action: Look) -> Reply:
    """The asker's cards alone, in one message, with what is asked, menus and buttons of what may be done.

    Rules: FE-HAND-02, FE-DRAW-04.
    """
    held = held_by(act)
    if not held:
        raise InvalidInput("You hold no cards here.")
    encounter = act.encounter
    exchange = exchanges.under_way(encounter)
    lines: list[str] = ["Your cards. Only you see this."]
    buttons: list[Button] = []
    menus: list[Menu] = []
    for row in held:
        seat = exchange.seat_of(row.id) if exchange is not None else None
        deck = seat.hidden.deck if seat is not None else deck_of(encounter, row.id)
        if len(held) > 1:
            lines.append(f"**{encounter.side(row.side).name}**")
        lines += _hand_lines(act, deck, row.id, exchange)
        if exchange is not None:
            menus += _menus(act, exchange, row.id)
        buttons.append(
            Button(
                f"Chances{f': {encounter.side(row.side).name}' if len(held) > 1 else ''}",
                Chances(row.id),
                anytime=True,
            )
        )
    if exchange is not None and exchange.stage == "cards" and is_asked(act, exchange):
        lines.append(f"{act.actor.name}: {wanted(exchange, encounter)}.")
        buttons = [*pass_buttons(encounter, exchange), *buttons]
    anew = Button("As they are now", Look(), anytime=True)
    return Reply(
        tuple(lines), private=True, buttons=(*buttons[:4], anew), menus=tuple(menus[:4]), replaces=True
    )


def is_asked(act: Act, exchange: Exchange) -> bool:
    """Whether the person who asks is one of those whose answer is awaited."""
    waiting = awaited(act.encounter, exchange)
    return any(row.id in waiting for row in held_by(act))


def _hand_lines(act: Act, deck: Deck, number: int, exchange: Exchange | None) -> list[str]:
    settings = settings_of(act.encounter)
    keys = [settings.deck[card].key for card in deck.buff_hand]
    lines = []
    if deck.draw_hand:
        drawn = [settings.deck[card].key for card in deck.draw_hand]
        seat = exchange.seat_of(number) if exchange is not None else None
        chosen = seat.hidden.selected if seat is not None else None
        selected = f"; selected {settings.deck[chosen].key}" if chosen is not None else ""
        lines.append(f"Draw Hand: {card_names(drawn)}{selected}")
        laid = seat.hidden.buff if seat is not None else None
        if laid is not None:
            lines.append(f"Laid: {settings.deck[laid.card].key} ({laid.kind})")
    lines.append(f"Buff Hand: {card_names(keys)}")
    lines.append(f"Deck {len(deck.pile)}, discards {len(deck.discards)}, Push {deck.pushes}")
    return lines


def _shown(keys: tuple[str, ...], act: Act) -> tuple[Choice, ...]:
    deck = settings_of(act.encounter).deck
    return tuple(Choice(f"{key}: {deck[named(deck, key)].name}", key) for key in keys[:25])


def _menus(act: Act, exchange: Exchange, number: int) -> list[Menu]:
    """What this player may do now."""
    settings = settings_of(act.encounter)
    if isinstance(exchange.state, Challenge) and number in exchange.players:
        view = choices(exchange.state, number, settings)
        what = "Select of the opponent's hand" if view.picks_for_opponent else "Select a card"
        uses = [
            Choice(
                f"{option.kind.capitalize()} with {option.card}",
                f"{option.kind} {option.card}",
                _comes_to(exchange, number, option.totals),
            )
            for option in view.options
        ]
        menus = [
            *_card_menu(act, what, Select(exchange.id, number), tuple(dict.fromkeys(view.selectable))),
            *_card_menu(act, "Link to the Ace", Link(exchange.id, number), view.linkable),
            *_buff_menu(act, exchange, number, "Lay a Buff card", uses),
        ]
        return [*menus, *_morph_menu(act, exchange, number)]
    if isinstance(exchange.state, Check):
        return _check_menus(act, exchange, exchange.state, number)
    return []


def _card_menu(act: Act, prompt: str, action: Action, keys: tuple[str, ...]) -> list[Menu]:
    """A menu of cards for one action, where there are any."""
    return [Menu(prompt, action, "card", _shown(keys, act), anytime=True)] if keys else []


def _buff_menu(act: Act, exchange: Exchange, number: int, prompt: str, uses: Sequence[Choice]) -> list[Menu]:
    """A menu of what Buff cards may do; none while an Ace waits for its link."""
    if not uses or linking(exchange, act.encounter):
        return []
    return [Menu(prompt, LayBuff(exchange.id, number), "use", tuple(uses[:25]), anytime=True)]


def _comes_to(exchange: Exchange, number: int, both: tuple[int, int]) -> str:
    """What a Buff card would make of the totals, if nothing else were turned up."""
    names, mine = exchange.facts["names"], exchange.players.index(number)
    return totals_words((names[mine], names[1 - mine]), both)


def _check_menus(act: Act, exchange: Exchange, check: Check, number: int) -> list[Menu]:
    settings = settings_of(act.encounter)
    select = Select(exchange.id, number)
    if number != check.seat.entry.player:
        if check.step == "draw" and number in exchange.waits:
            keys = tuple(settings.deck[card].key for card in selectable(check.seat, settings))
            return _card_menu(act, "Select from the penalty hand", select, keys)
        return []
    view = check_choices(check, number, settings)
    name, tn = exchange.facts["names"][0], check.tn
    uses = [
        Choice(f"Join {one.card}", f"reinforce {one.card}", f"{name} {one.totals[0]} against TN {tn}")
        for one in view.reinforcing
    ]
    return [
        *_card_menu(act, "Select a card", select, view.selectable),
        *_card_menu(act, "Link to the Ace", Link(exchange.id, number), view.linkable),
        *_buff_menu(act, exchange, number, "Reinforce", uses),
    ]


def _morph_menu(act: Act, exchange: Exchange, number: int) -> list[Menu]:
    """Unused draw cards of a Caster, once the result stands. Rules: FE-CHAL-09."""
    seat = exchange.seat_of(number)
    running = exchange.challenge
    if seat is None or running.final is None or not seat.entry.caster or seat.shown.morphed:
        return []
    settings = settings_of(act.encounter)
    unused = [card for card in seat.hidden.deck.draw_hand if card not in seat.shown.active.cards]
    if not unused:
        return []
    keys = tuple(settings.deck[card].key for card in unused)
    return _card_menu(act, "Morph a card", Morph(exchange.id, number), keys)


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
