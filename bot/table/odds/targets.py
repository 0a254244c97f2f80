"""A target on the board: how far it is, how it is seen, and what the attacks on it may come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, parts, raw_of
from bot.replies.chances import EXACT, bars, exactness
from bot.replies.reply import Button, Column, Note, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.board import facts
from bot.table.handlers import handles
from bot.table.odds.attacks import share_time, weigh
from bot.table.odds_budget import OddsTooLarge
from bot.table.offers.comparisons import list_possible_values
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE
from bot.table.session.possible_actions import build_attack_buttons
from rules.dice import Odds
from rules.refusals import Forbidden, InvalidInput


@dataclass(frozen=True, slots=True)
class MeasureModels(Action):
    """Measure the distance, sight and cover between two models (visible only to you)."""

    command = "board.measure"
    typed = "board measure"
    titled = "Measure"
    decision_of = ANYONE

    model: ModelRow = fields.own_model("Model to measure from", needed=True)
    to: ModelRow = fields.foe("Model to measure to", needed=True)


@handles(MeasureModels)
def measure_models(act: Act, action: MeasureModels) -> Reply:
    """Show only the person who asks the distance, sight and cover, and the attacks that are possible."""
    head, lines = facts.measured_lines(act.encounter, action.model, action.to)
    attacks, barred = build_attack_buttons(act, action.model, action.to)
    view = facts.sight(act.encounter, action.model.id, action.to.id)
    if view is not None and view.is_blocked:
        barred = tuple(reason for reason in barred if not facts.tells_sight(reason))
    buttons = _add_weapon_variants(act, attacks)
    return Reply((*head, *_list_chances(act, buttons), *barred, *lines), private=True, buttons=buttons)


MAX_BUTTONS = 8


def _add_weapon_variants(act: Act, buttons: Sequence[Button]) -> tuple[Button, ...]:
    """Return buttons of attacks, each followed by those with the further weapons that can be used."""
    looking, armed_buttons = Looking(act.book, act.actor), list[Button]()
    for button in buttons:
        armed_buttons.append(button)
        weapon = next((part for part in parts(button.action.command) if part.name == "weapon"), None)
        for raw, label in (
            list(list_possible_values(act, button.action, weapon))[1:] if weapon is not None else ()
        ):
            armed = replace(button.action, **{weapon.name: raw})  # type: ignore[union-attr]
            if not looking.legal(type(armed), raw_of(armed)).reason:
                armed_buttons.append(replace(button, label=f"{button.label} ({label})", action=armed))
    return tuple(armed_buttons[:MAX_BUTTONS])


def _list_chances(act: Act, buttons: Sequence[Button]) -> list[Column | Note]:
    """Return the chance of each attack as its form is filled in at first; too long ones are left out."""
    chances, solved, looking = list[tuple[str, float]](), list[Odds[Any]](), Looking(act.book, act.actor)
    for number, button in enumerate(() if act.tries else buttons):
        values = {part.name: getattr(button.action, part.name) for part in parts(button.action.command)}
        stated = {name: value for name, value in values.items() if value}
        try:
            with share_time(act, len(buttons) - number):
                weight = weigh(act, looking.legal(type(button.action), stated).action)
        except (InvalidInput, Forbidden, OddsTooLarge):
            continue
        chances.append((f"{button.label}: {weight.chances.aim}", weight.chances.chance))
        solved += weight.solved
    exact = all(odds.error < EXACT and not odds.rolls for odds in solved)
    return [*map(Column, bars(chances) if chances else ()), *([] if exact else [exactness(*solved)])]
