"""Turns: cards dealt and redrawn, initiative, what begins and ends with a turn."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.activation_actions import build_next_choices, list_able_sides
from bot.games.fracd_earth.fields import acting_figure
from bot.games.fracd_earth.figures import activation_of, figure_of, keep_activation
from bot.games.fracd_earth.players import (
    INITIATIVE_CARDS,
    deal,
    deck_of,
    draw_initiative,
    hidden_values_of,
    keep_deck,
    keep_hidden,
    player_of,
    player_rows,
    pushes_of,
    set_priority,
    shuffle_for,
)
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.state import FigureState, encounter_state
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import format_names
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.fracd_earth import store, turns
from rules.systems.fracd_earth.profile import REDRAW
from rules.systems.fracd_earth.turns import Activation
from rules.wording import join_with_and


@dataclass(frozen=True, slots=True)
class Redraw(Action):
    """Draw again for initiative after a pass.

    A figure that passed last turn: one initiative card is discarded, another drawn.
    """

    command = "fe.redraw"
    typed = "fe redraw"
    titled = "Draw initiative again"

    figure: ModelRow = acting_figure("Figure that passed last turn")


def next_step(act: Act) -> Reply:
    """Begin the game, or the next turn once everyone has acted."""
    encounter = act.encounter
    if encounter.row.status == "ended":
        raise InvalidInput("This game has ended.")
    exchanges.refuse_while_busy(encounter)
    if act.seat is not None and act.seat.dice == "real":
        raise InvalidInput("Use /dice mode bot first, because the bot shuffles the cards for this game.")
    if len([side for side in encounter.sides() if encounter.models(side.id)]) < 2:
        raise InvalidInput("Add figures to two sides before you begin.")
    lines: list[str] = []
    if encounter.row.status == "playing":
        waiting_names = [row.name for row in encounter.models() if not FigureState(row).activated]
        if encounter_state(encounter).acting:
            waiting_names.insert(0, encounter.model(encounter_state(encounter).acting).name)
        if waiting_names:
            forbid(
                f"Wait for the rest to act: {format_names(list(dict.fromkeys(waiting_names)))}.", "FE-TURN-01"
            )
        lines = _end_turn(encounter)
    else:
        encounter.row.status = "playing"
    encounter.row.turn += 1
    dealt_names = deal(act)
    _start_turn(act)
    draw_lines = draw_initiative(act, list_able_sides(encounter))
    if dealt_names:
        lines.append(f"Cards are dealt to {join_with_and(dealt_names)}.")
        token_texts = [f"{side.name} {pushes_of(encounter, side.id)}" for side in encounter.sides()]
        lines.append(f"Push tokens: {', '.join(token_texts)}")
    head = f"Turn {encounter.row.turn}. {draw_lines[0]}"
    buttons, menus = build_next_choices(encounter)
    return Reply(
        (head, *draw_lines[1:], *lines), buttons=(*buttons, *_redraw_buttons(encounter), UNDO), menus=menus
    )


def _start_turn(act: Act) -> None:
    """Refill the Buff Hands and reset the activations. Rules: FE-HAND-01, FE-ACT-01."""
    encounter = act.encounter
    settings = settings_of(encounter)
    for row in player_rows(encounter):
        deck = deck_of(encounter, row.id)
        missing_count = max(0, settings.buff_hand_size - len(deck.buff_hand))
        try:
            keep_deck(
                encounter, row.id, turns.start_turn(deck, settings, shuffle_for(act, deck, missing_count))
            )
        except Forbidden:
            continue
    for model in encounter.models():
        keep_activation(model, Activation())
        state = FigureState(model)
        state.activated, state.tried_to_interrupt, state.interrupts = False, 0, 0


def _end_turn(encounter: Encounter) -> list[str]:
    """Put figures that took no action on Wait, with a redraw. Rules: FE-TURN-03."""
    passed_names = []
    for model in encounter.models():
        activation = activation_of(model)
        encounter.apply(turns.end_of_turn(figure_of(encounter, model), activation))
        passed_names += [model.name] if activation.passed else []
    encounter_state(encounter).acting = 0
    return [f"Passed and waiting: {', '.join(passed_names)}"] if passed_names else []


def _redraw_buttons(encounter: Encounter) -> list[Button]:
    rows = [row for row in encounter.models() if encounter.condition(row.id, REDRAW) is not None]
    return [Button(f"Redraw initiative for {row.name}", Redraw(row)) for row in rows[:3]]


@handles(Redraw, bot_dice=True)
def redraw(act: Act, action: Redraw) -> Reply:
    """Redraw before anyone acts; the lowest card is replaced. Rules: FE-TURN-03."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    row = action.figure
    figure = figure_of(encounter, row)
    if encounter_state(encounter).acting or any(FigureState(model).activated for model in encounter.models()):
        raise Forbidden("You can't redraw now, because a figure has already acted.", "FE-TURN-03")
    number = player_of(encounter, row)
    hidden_values = hidden_values_of(encounter, number)
    drawn_cards = tuple(hidden_values.get(INITIATIVE_CARDS, ()))
    if not drawn_cards:
        raise InvalidInput("There is no initiative card to replace, because none was drawn.")
    deck = deck_of(encounter, number)
    lowest_card = min(drawn_cards, key=lambda card: settings.deck[card].value)
    cards_after, deck = turns.redraw(
        figure, drawn_cards, lowest_card, deck, settings, shuffle_for(act, deck, 1)
    )
    keep_hidden(
        encounter,
        number,
        hidden_values | {INITIATIVE_CARDS: list(cards_after), "deck": json.loads(store.write(deck))},
    )
    encounter.apply(turns.after_redraw(figure))
    draw_lines = set_priority(act, list_able_sides(encounter))
    lines = (f"{row.name} redraws. {draw_lines[0]}", *draw_lines[1:])
    buttons, menus = build_next_choices(encounter)
    return Reply(lines, buttons=(*buttons, UNDO), menus=menus)
