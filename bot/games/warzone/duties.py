"""Duties, permissions, reactions and debts beside the actions of the acting unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.actions import Action
from bot.games.warzone.activation import acts_now
from bot.games.warzone.blast_actions import where_it_lands
from bot.games.warzone.break_away_actions import let_or_hold, to_let_go
from bot.games.warzone.close_combat_actions import both_strike_button, strike_button
from bot.games.warzone.common import ATTACK_GRANT, TOGETHER, may_react
from bot.games.warzone.morale_actions import dire_buttons
from bot.games.warzone.move_actions import flee_button, how_far_now, move_button
from bot.games.warzone.power_actions import who_else_is_near
from bot.games.warzone.reactions import react_buttons
from bot.games.warzone.shooting_actions import fire_button
from bot.games.warzone.state import ModelState, WreckBlast, state_of
from bot.games.warzone.unhinged_actions import (
    attack_button,
    direction_button,
    nobody_button,
    reboot_button,
    who_regroups,
)
from bot.games.warzone.units import carried_weapon, model_of, models_of, read_turn, squad_of, squads_of
from bot.games.warzone.vehicle_actions import who_is_near
from bot.games.warzone.waiting_actions import dive_ends, spot_button
from bot.replies.reply import Button, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.answering import Answered
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.owners import in_play
from bot.table.waits import player_of, players_of
from rules.systems.warzone.model import ACTIONS, Condition, Model, Squad
from rules.systems.warzone.morale import Act as Deed
from rules.wording import possessive

AT_ONCE: Mapping[str, Callable[[Model, int], Button]] = MappingProxyType(
    {
        Deed.SHOOT.value: fire_button,
        Deed.SPOT.value: spot_button,
        Deed.MOVE.value: lambda model, _: move_button(model),
        Deed.FIGHT.value: strike_button,
        TOGETHER: both_strike_button,
        ATTACK_GRANT: attack_button,
    }
)
"""Buttons for what a model may do at once, by the permission, with the number of its target."""


def beside_round(encounter: Encounter) -> list[Button]:
    """Repeat, while a unit acts, what was below a reply that may have scrolled away.

    Rules: WZ-TURN-03, WZ-WAIT-02, WZ-WAIT-03, WZ-AMOK-04, WZ-BROKEN-01, WZ-UNH-05, WZ-CMD-04, WZ-MORALE-01.
    """
    turn = read_turn(encounter)
    if not turn.active:
        return []
    acting, everybody = squad_of(encounter, turn.active[-1]), models_of(encounter)
    waiting = [model for model in everybody if model.side != acting.side and may_react(model)]
    actor = acting.models[0] if len(acting.models) == 1 else acts_now(encounter, acting)
    at_once = [button for model in everybody for button in _at_once(model)]
    return [*_duties(encounter, acting), *at_once, *react_buttons(waiting, actor), *dire_buttons(encounter)]


def _duties(encounter: Encounter, acting: Squad) -> Iterator[Button]:
    if any(model.has(Condition.REBOOTED) for model in acting.models) and not any(
        model.has(Condition.LEADING) for model in acting.models
    ):
        yield reboot_button(acting)
    model = acts_now(encounter, acting)
    if model is None:
        return
    if model.has(Condition.DERANGED) and not state_of(model).direction_rolled:
        yield direction_button(model)
    if model.broken and model.count(ACTIONS) and not state_of(model).deeds:
        yield flee_button(encounter, model)
    if state_of(model).out_of_command:
        yield how_far_now(model)


def _at_once(model: Model) -> Iterator[Button]:
    for word, button in AT_ONCE.items():
        if state_of(model).grants[word]:
            yield button(model, state_of(model).granted_at[word])
    if state_of(model).grants[ATTACK_GRANT] and state_of(model).direction_rolled:
        yield nobody_button(model)


@dataclass(frozen=True, slots=True)
class ShowOwed(Action):
    """Show the question that has to be answered first again, only to the person."""

    command = "wz.struck"
    decision_of = in_play("the side that has to answer the question")


@dataclass(frozen=True, slots=True)
class Debt:
    """A question that must be answered. label: what its button says. whom: the person by name; "" for anyone.

    row: of that model who plays it says it. side: anyone who plays on it; with neither, any player.
    """

    label: str
    line: str
    whom: str
    buttons: tuple[Button, ...]
    menus: tuple[Menu, ...] = ()
    row: ModelRow | None = None
    side: int = 0


def answer_button(debt: Debt) -> Button:
    """Return the button that shows the question to the person who answers it."""
    return Button(debt.label, ShowOwed(), "main", anytime=True)


@handles(ShowOwed)
def show_owed(act: Act, action: ShowOwed) -> Reply:
    """Return the first that is open, to who may answer it."""
    debt = first_owed(act.encounter)
    if debt is None:
        raise Answered("That question has already been answered, so nothing has changed.")
    if debt.row is not None:
        act.require_model(debt.row)
    elif debt.side:
        act.require_side(debt.side)
    else:
        act.require_player()
    return Reply((debt.line,), private=True, buttons=debt.buttons, menus=debt.menus)


def first_owed(encounter: Encounter) -> Debt | None:
    """Return what has to be said first; None where nothing is open.

    Rules: WZ-TMPL-02, WZ-WRECK-01, WZ-BACK-04, WZ-DIVE-01, WZ-BREAK-01, WZ-AMOK-05.
    """
    return next(_debts(encounter), None)


def _debts(encounter: Encounter) -> Iterator[Debt]:
    for row in encounter.models(gone=True):
        yield from _struck(encounter, row)
    for row in encounter.models():
        if ModelState(row).diving:
            line = f"{row.name} dives for cover. Where does it end up?"
            label = f"Choose where {possessive(row.name)} dive ends..."
            dive_buttons = dive_ends(model_of(encounter, row))
            yield Debt(label, line, player_of(encounter, row.id), dive_buttons, row=row)
        for number in sorted(ModelState(row).asked_to_let_go):
            leaver = model_of(encounter, encounter.model(number))
            enemies = [
                model_of(encounter, model)
                for model in encounter.models(row.side)
                if ModelState(model).asked_to_let_go[number]
            ]
            answer_buttons = let_or_hold(leaver, enemies)
            label = f"Decide whether {leaver.name} may leave..."
            players = players_of(encounter, [row.side])
            yield Debt(label, to_let_go(leaver), players, answer_buttons, side=row.side)
    for squad in squads_of(encounter):
        leader = squad.leading
        if leader is not None and state_of(leader).regroups:
            question = who_regroups(squad, leader)
            row = encounter.model(leader.id)
            line = f"{leader.name} now leads {squad.name}. Which models are within command distance?"
            yield _menu_debt(f"Choose models near {leader.name}...", line, question, encounter, row)


def _struck(encounter: Encounter, row: ModelRow) -> Iterator[Debt]:
    for name in sorted(ModelState(row).astray):
        firer = model_of(encounter, row)
        weapon = next((carried for carried in firer.profile.weapons if carried.name == name), None)
        if weapon is not None:
            line = f"{possessive(row.name)} {name} template deviated. Which models are under it?"
            question = where_it_lands(encounter, firer, carried_weapon(firer, weapon))
            yield _menu_debt("Choose models under the template...", line, question, encounter, row)
    if storm := ModelState(row).mind_storm:
        question = who_else_is_near(encounter, model_of(encounter, row), storm - 1)
        line = f"Which other models are in {possessive(row.name)} Mind Storm?"
        yield _menu_debt("Choose models in the Mind Storm...", line, question, encounter, row)
    if ModelState(row).wreck_blast == WreckBlast.OWED and row.left_how == "wrecked":
        menu, nobody = who_is_near(encounter, model_of(encounter, row))
        line = f"{row.name} blows up. Which models are within 1 in?"
        yield Debt(f"Choose models near {row.name}...", line, "", (nobody,), (menu,) if menu.choices else ())


def _menu_debt(
    label: str, line: str, question: tuple[Menu, Button], encounter: Encounter, row: ModelRow
) -> Debt:
    menu, nobody = question
    return Debt(label, line, player_of(encounter, row.id), (nobody,), (menu,) if menu.choices else (), row)
