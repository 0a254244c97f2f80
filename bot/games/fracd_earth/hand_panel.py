"""A player's own cards and choices, and what happens if a player doesn't answer in time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange, awaited_players, require_current
from bot.games.fracd_earth.hand_actions import (
    Chances,
    LayBuff,
    Link,
    Morph,
    Select,
    continue_after_selection,
    link_for,
    pass_for,
)
from bot.games.fracd_earth.narration import Narration, card_value, hand_words, totals_words
from bot.games.fracd_earth.players import deck_of, name_of, rows_held_by
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import (
    LATE_DECISIONS,
    Look,
    Pass,
    TimeUp,
    ask_next,
    describe_task,
    is_linking,
    pass_buttons,
    run_step,
    show_exchange,
    total_lines,
)
from bot.replies.reply import Button, Choice, Reply
from bot.store.rows import SecretRow
from bot.store.store import Store, running_game
from bot.table.act import Act, Actor
from bot.table.encounter import Encounter
from bot.table.game import reaction_seconds
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from bot.table.session.drafts import Draft, DraftView, build_draft_reply, register_maker
from bot.table.session.reactions import seconds_since
from rules.refusals import InvalidInput, forbid
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks
from rules.systems.fracd_earth.cards import card_number
from rules.systems.fracd_earth.challenge import Challenge, check_choices, choices, selectable
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.seat import morphable
from rules.wording import times

HAND_DRAFT = "fe.cards"

CARD_USES = ("select", "link", "reinforce", "replace", "block", "morph")
"""The uses of a card. A piece of the draft is a hand, a use (its place here) and a card."""

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
def show_cards(act: Act, action: Look) -> Reply:
    """Return only the asker's cards, in one message, with what is asked and their possible uses.

    Rules: FE-HAND-02, FE-DRAW-04.
    """
    draft = Draft(HAND_DRAFT)
    return build_draft_reply(draft, build_hand_draft(act, draft))


@register_maker(HAND_DRAFT)
def build_hand_draft(act: Act, draft: Draft) -> DraftView:
    """Return the asker's cards with their possible uses, or with the use that was chosen."""
    held_rows = rows_held_by(act)
    if not held_rows:
        raise InvalidInput("You have no cards in this game.")
    exchange = exchanges.find_exchange(act.encounter)
    open_options = {
        _piece_number(act, place, option): option for place, option in _list_options(act, exchange, held_rows)
    }
    lines = ["Your cards (only you see this)", *_describe_hands(act, held_rows, exchange)]
    if draft.pieces:
        picked_option = open_options.get(draft.pieces[-1])
        if picked_option is None:
            return DraftView((*lines, "This choice is no longer open."))
        title = f"{picked_option.does}: {_name(act, picked_option.card)}."
        return DraftView(
            (*lines, *filter(None, (title, picked_option.told))),
            ready=(Button(picked_option.does, picked_option.action, "main"),),
        )
    return _build_choices(act, held_rows, exchange, lines, open_options)


def _build_choices(
    act: Act,
    held_rows: list[SecretRow],
    exchange: Exchange | None,
    lines: list[str],
    options: dict[int, CardOption],
) -> DraftView:
    """Return the cards with a menu for each question, and the buttons that need no card."""
    choices_by_question: dict[str, list[Choice]] = {}
    for piece, option in sorted(options.items(), key=lambda pair: -_value_of(act, pair[1])):
        choices_by_question.setdefault(option.asks, []).append(
            Choice(_label_option(act, option), str(piece), option.told)
        )
    buttons = list[Button]()
    if exchange is not None and exchange.stage == "cards" and is_asker_awaited(act, exchange):
        lines.append(f"{act.actor.name}: {describe_task(exchange, act.encounter)}.")
        buttons += [
            replace(button, style="main") if isinstance(button.action, Pass) else button
            for button in pass_buttons(act.encounter, exchange)
        ]
    for row in held_rows:
        side_text = f": {act.encounter.side(row.side).name}" if len(held_rows) > 1 else ""
        buttons.append(Button(f"Chances{side_text}", Chances(row.id), anytime=True))
    refresh_button = Button("Refresh", Look(), anytime=True)
    menus = tuple((prompt, tuple(choices)) for prompt, choices in choices_by_question.items())
    return DraftView(tuple(lines), ready=(*buttons[:4], refresh_button), menus=menus[:4])


def is_asker_awaited(act: Act, exchange: Exchange) -> bool:
    """Return whether the person who asks is one of those whose answer is awaited."""
    awaited_ids = awaited_players(act.encounter, exchange)
    return any(row.id in awaited_ids for row in rows_held_by(act))


def _piece_number(act: Act, place: int, option: CardOption) -> int:
    card = card_number(settings_of(act.encounter).deck, option.card)
    return (place * MAX_CARD_USES + CARD_USES.index(option.what)) * MAX_CARDS + card


def _label_option(act: Act, option: CardOption) -> str:
    is_buff = option.what in ("reinforce", "replace", "block")
    if is_buff:
        return option.does
    value = _value_of(act, option)
    value_text = "" if option.card[:-1] == str(value) else f" (counts as {value})"
    return f"{option.card}: {_name(act, option.card)}{value_text}"


def _value_of(act: Act, option: CardOption) -> int:
    deck = settings_of(act.encounter).deck
    return card_value(card_number(deck, option.card), deck)


def _name(act: Act, key: str) -> str:
    deck = settings_of(act.encounter).deck
    return deck[card_number(deck, key)].name


# ------------------------------------------------------------------------------------ what is held


def _describe_hands(act: Act, held_rows: list[SecretRow], exchange: Exchange | None) -> Iterator[str]:
    settings = settings_of(act.encounter)
    for row in held_rows:
        seat = exchange.seat_of(row.id) if exchange is not None else None
        deck = seat.hidden.deck if seat is not None else deck_of(act.encounter, row.id)
        if len(held_rows) > 1:
            yield f"**{act.encounter.side(row.side).name}**"
        if deck.draw_hand:
            selected_card = seat.hidden.selected if seat is not None else None
            selected_text = (
                f". You selected {settings.deck[selected_card].key}." if selected_card is not None else ""
            )
            yield f"Draw Hand: {hand_words(deck.draw_hand, settings.deck)}{selected_text}"
            laid_buff = seat.hidden.buff if seat is not None else None
            if laid_buff is not None:
                yield f"Played: {settings.deck[laid_buff.card].key} (to {laid_buff.kind})"
        yield f"Buff Hand: {hand_words(deck.buff_hand, settings.deck)}"
        yield f"Deck: {len(deck.pile)}. Discard pile: {len(deck.discards)}. Push tokens: {deck.pushes}."


# ------------------------------------------------------------------------------------ what may be done


def _list_options(
    act: Act, exchange: Exchange | None, held_rows: list[SecretRow]
) -> Iterator[tuple[int, CardOption]]:
    """Yield each possible use of the person's cards, with the place of the hand that the card is in."""
    for place, row in enumerate(held_rows if exchange is not None else []):
        assert exchange is not None
        if isinstance(exchange.state, Challenge) and row.id in exchange.players:
            options = _options_in_challenge(act, exchange, row.id)
        elif isinstance(exchange.state, Check):
            options = _options_in_check(act, exchange, exchange.state, row.id)
        else:
            continue
        yield from ((place, option) for option in options)


def _options_in_challenge(act: Act, exchange: Exchange, player_number: int) -> Iterator[CardOption]:
    card_choices = choices(exchange.challenge, player_number, settings_of(act.encounter))
    question = (
        "Select a card from your opponent's hand" if card_choices.picks_for_opponent else "Select a card"
    )
    yield from _selection_options(exchange, player_number, card_choices.selectable, question)
    yield from _link_options(exchange, player_number, card_choices.linkable)
    names, own_place = exchange.facts["names"], exchange.players.index(player_number)
    for option in card_choices.options if not is_linking(exchange, act.encounter) else ():
        totals_text = totals_words((names[own_place], names[1 - own_place]), option.totals)
        label = f"{option.kind.capitalize()} with {option.card}"
        lay_action = LayBuff(exchange.id, player_number, f"{option.kind} {option.card}")
        yield CardOption(option.kind, option.card, "Play a Buff card", label, lay_action, totals_text)
    yield from _morph_options(act, exchange, player_number)


def _options_in_check(act: Act, exchange: Exchange, check: Check, player_number: int) -> Iterator[CardOption]:
    settings = settings_of(act.encounter)
    if player_number != check.seat.entry.player:
        if check.step == "draw" and player_number in exchange.waits:
            keys = [settings.deck[card].key for card in selectable(check.seat, settings)]
            yield from _selection_options(
                exchange, player_number, keys, "Select a card from the penalty hand"
            )
        return
    card_choices = check_choices(check, player_number, settings)
    yield from _selection_options(exchange, player_number, card_choices.selectable, "Select a card")
    yield from _link_options(exchange, player_number, card_choices.linkable)
    name, tn = exchange.facts["names"][0], check.tn
    for option in card_choices.reinforcing if not is_linking(exchange, act.encounter) else ():
        lay_action = LayBuff(exchange.id, player_number, f"reinforce {option.card}")
        total_text = f"{name} would have {option.totals[0]} against TN {tn}"
        yield CardOption("reinforce", option.card, "Reinforce", f"Add {option.card}", lay_action, total_text)


def _selection_options(
    exchange: Exchange, player_number: int, keys: Iterable[str], question: str
) -> Iterator[CardOption]:
    for key in dict.fromkeys(keys):
        yield CardOption("select", key, question, f"Select {key}", Select(exchange.id, player_number, key))


def _link_options(exchange: Exchange, player_number: int, keys: Iterable[str]) -> Iterator[CardOption]:
    for key in dict.fromkeys(keys):
        yield CardOption("link", key, "Link to the Ace", f"Link {key}", Link(exchange.id, player_number, key))


def _morph_options(act: Act, exchange: Exchange, player_number: int) -> Iterator[CardOption]:
    """Unused draw cards of a Caster, once the result stands. Rules: FE-CHAL-09."""
    seat = exchange.seat_of(player_number)
    if seat is None or exchange.challenge.final is None:
        return
    deck = settings_of(act.encounter).deck
    for card in morphable(seat):
        key = deck[card].key
        yield CardOption("morph", key, "Morph a card", f"Morph {key}", Morph(exchange.id, player_number, key))


@dataclass(frozen=True, slots=True)
class ShowProgress(Action):
    """Show what is in progress and who has to act.

    To the person who asks.
    """

    command = "fe.now"
    typed = "fe now"
    titled = "Show what is in progress"
    decision_of = ANYONE


async def _seconds_since_step(store: Store, actor: Actor, action: TimeUp) -> int:
    """Return the seconds since the last step, by the clock of the journal."""
    loaded_game = await running_game(store, actor.channel_id)
    exchange = exchanges.find_exchange(Encounter(loaded_game.book())) if loaded_game is not None else None
    if loaded_game is None or exchange is None:
        return 0
    return await seconds_since(store, loaded_game.scope.id, exchange.entry)


@handles(ShowProgress)
def show_progress(act: Act, action: ShowProgress) -> Reply:
    """Show the public state, with the person's own cards if they have to answer."""
    exchange = require_current(act.encounter)
    narration = Narration()
    if exchange.state is not None and exchange.state.step != "draw":
        narration.lines += total_lines(act, exchange)
    if is_asker_awaited(act, exchange) and exchange.stage == "cards":
        own_cards = show_cards(act, Look())
        return replace(own_cards, lines=(*narration.lines, *own_cards.lines))
    show_exchange(act, narration)
    return Reply(
        tuple(narration.lines), private=True, buttons=tuple(narration.buttons), menus=tuple(narration.menus)
    )


@handles(TimeUp, bot_dice=True, beforehand=_seconds_since_step)
def answer_for_late_players(act: Act, action: TimeUp) -> Reply:
    """Answer for players whose time is over: the first selectable card, a pass, no Edges."""
    encounter = act.encounter
    exchange = require_current(encounter, action.at)
    seconds_left = reaction_seconds(encounter) - int(act.extra or 0)
    awaited_ids = awaited_players(encounter, exchange)
    names = " and ".join(name_of(encounter, number) for number in awaited_ids)
    if seconds_left > 0:
        forbid(f"Wait {times(seconds_left, 'second')}, because {names} can still answer.")
    if exchange.stage != "cards":
        narration = Narration([f"Time is up for {names}."])
        LATE_DECISIONS[exchange.stage](act, narration, exchange)
        return ask_next(act, narration)
    line = f"Time is up for {name_of(encounter, awaited_ids[0])}."
    return _answer_without_card(act, exchange, awaited_ids[0], line)


def _answer_without_card(act: Act, exchange: Exchange, player_number: int, line: str) -> Reply:
    settings = settings_of(act.encounter)
    if is_linking(exchange, act.encounter):
        seat = exchange.seat_of(player_number)
        assert seat is not None, "who links has cards in it"
        return link_for(act, exchange, player_number, seat.hidden.deck.buff_hand[0])
    if exchange.state is None or exchange.state.step != "draw":
        return pass_for(act, exchange, player_number, line)
    if isinstance(exchange.state, Check):
        check = exchange.state
        card = selectable(check.seat, settings)[0]
        return continue_after_selection(
            act, exchange, run_step(lambda: checks.select(check, card, settings, player_number)), line
        )
    return continue_after_selection(
        act, exchange, run_step(lambda: _select_first(exchange, player_number, act)), line
    )


def _select_first(exchange: Exchange, player_number: int, act: Act) -> Challenge:
    """Return the first card that the player may select, from their own hand or the opponent's."""
    settings = settings_of(act.encounter)
    challenge = exchange.challenge
    role = challenges.role_of(challenge, player_number)
    card_role = challenges.OTHER[role] if challenges.picks_for_opponent(challenge, role, settings) else role
    cards = selectable(challenge.seat(card_role), settings)
    if not cards:
        raise InvalidInput("There is no card to select.")
    return challenges.select(challenge, player_number, cards[0], settings)
