"""Duties, permissions, reactions and debts beside the actions of the acting unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.actions import Action
from bot.games.warzone.activation import find_acting_model
from bot.games.warzone.blast_actions import build_landing_controls
from bot.games.warzone.break_away_actions import build_answer_buttons, write_let_go_question
from bot.games.warzone.close_combat_actions import build_mutual_strike_button, build_strike_button
from bot.games.warzone.common import ANY_ATTACK_GRANT, MUTUAL_STRIKE_GRANT, may_react
from bot.games.warzone.morale_actions import list_dire_buttons
from bot.games.warzone.move_actions import build_command_distance_button, build_flee_button, build_move_button
from bot.games.warzone.power_actions import build_storm_question
from bot.games.warzone.reactions import build_react_buttons
from bot.games.warzone.shooting_actions import build_fire_button
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

GRANT_BUTTONS: Mapping[str, Callable[[Model, int], Button]] = MappingProxyType(
    {
        Deed.SHOOT.value: build_fire_button,
        Deed.SPOT.value: spot_button,
        Deed.MOVE.value: lambda model, _: build_move_button(model),
        Deed.FIGHT.value: build_strike_button,
        MUTUAL_STRIKE_GRANT: build_mutual_strike_button,
        ANY_ATTACK_GRANT: attack_button,
    }
)
"""Buttons for what a model may do at once, by the permission, with the number of its target."""


def list_extra_buttons(encounter: Encounter) -> list[Button]:
    """Repeat, while a unit acts, what was below a reply that may have scrolled away.

    Rules: WZ-TURN-03, WZ-WAIT-02, WZ-WAIT-03, WZ-AMOK-04, WZ-BROKEN-01, WZ-UNH-05, WZ-CMD-04, WZ-MORALE-01.
    """
    turn = read_turn(encounter)
    if not turn.active:
        return []
    acting_squad, everybody = squad_of(encounter, turn.active[-1]), models_of(encounter)
    waiting_models = [model for model in everybody if model.side != acting_squad.side and may_react(model)]
    actor = (
        acting_squad.models[0]
        if len(acting_squad.models) == 1
        else find_acting_model(encounter, acting_squad)
    )
    grant_buttons = [button for model in everybody for button in _list_grant_buttons(model)]
    return [
        *_list_duty_buttons(encounter, acting_squad),
        *grant_buttons,
        *build_react_buttons(waiting_models, actor),
        *list_dire_buttons(encounter),
    ]


def _list_duty_buttons(encounter: Encounter, acting_squad: Squad) -> Iterator[Button]:
    if any(model.has(Condition.REBOOTED) for model in acting_squad.models) and not any(
        model.has(Condition.LEADING) for model in acting_squad.models
    ):
        yield reboot_button(acting_squad)
    model = find_acting_model(encounter, acting_squad)
    if model is None:
        return
    if model.has(Condition.DERANGED) and not state_of(model).direction_rolled:
        yield direction_button(model)
    if model.broken and model.count(ACTIONS) and not state_of(model).deeds:
        yield build_flee_button(encounter, model)
    if state_of(model).out_of_command:
        yield build_command_distance_button(model)


def _list_grant_buttons(model: Model) -> Iterator[Button]:
    for grant_key, button in GRANT_BUTTONS.items():
        if state_of(model).grants[grant_key]:
            yield button(model, state_of(model).granted_at[grant_key])
    if state_of(model).grants[ANY_ATTACK_GRANT] and state_of(model).direction_rolled:
        yield nobody_button(model)


@dataclass(frozen=True, slots=True)
class ShowOwed(Action):
    """Show the question that has to be answered first again, only to the person."""

    command = "wz.struck"
    decision_of = in_play("the side that has to answer the question")


@dataclass(frozen=True, slots=True)
class OpenQuestion:
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


def build_answer_button(debt: OpenQuestion) -> Button:
    """Return the button that shows the question to the person who answers it."""
    return Button(debt.label, ShowOwed(), "main", anytime=True)


@handles(ShowOwed)
def show_owed(act: Act, action: ShowOwed) -> Reply:
    """Show the first open question to someone who may answer it."""
    debt = find_first_debt(act.encounter)
    if debt is None:
        raise Answered("That question has already been answered, so nothing has changed.")
    if debt.row is not None:
        act.require_model(debt.row)
    elif debt.side:
        act.require_side(debt.side)
    else:
        act.require_player()
    return Reply((debt.line,), private=True, buttons=debt.buttons, menus=debt.menus)


def find_first_debt(encounter: Encounter) -> OpenQuestion | None:
    """Return the question that has to be answered first; None if nothing is open.

    Rules: WZ-TMPL-02, WZ-WRECK-01, WZ-BACK-04, WZ-DIVE-01, WZ-BREAK-01, WZ-AMOK-05.
    """
    return next(_list_debts(encounter), None)


def _list_debts(encounter: Encounter) -> Iterator[OpenQuestion]:
    for row in encounter.models(gone=True):
        yield from _list_template_debts(encounter, row)
    for row in encounter.models():
        if ModelState(row).diving:
            line = f"{row.name} dives for cover. Where does it end up?"
            label = f"Choose where {possessive(row.name)} dive ends..."
            dive_buttons = dive_ends(model_of(encounter, row))
            yield OpenQuestion(label, line, player_of(encounter, row.id), dive_buttons, row=row)
        for number in sorted(ModelState(row).asked_to_let_go):
            leaver = model_of(encounter, encounter.model(number))
            enemies = [
                model_of(encounter, model)
                for model in encounter.models(row.side)
                if ModelState(model).asked_to_let_go[number]
            ]
            answer_buttons = build_answer_buttons(leaver, enemies)
            label = f"Decide whether {leaver.name} may leave..."
            players = players_of(encounter, [row.side])
            yield OpenQuestion(label, write_let_go_question(leaver), players, answer_buttons, side=row.side)
    for squad in squads_of(encounter):
        leader = squad.leading
        if leader is not None and state_of(leader).regroups:
            question = who_regroups(squad, leader)
            row = encounter.model(leader.id)
            line = f"{leader.name} now leads {squad.name}. Which models are within command distance?"
            yield _build_menu_debt(f"Choose models near {leader.name}...", line, question, encounter, row)


def _list_template_debts(encounter: Encounter, row: ModelRow) -> Iterator[OpenQuestion]:
    for name in sorted(ModelState(row).astray):
        firer = model_of(encounter, row)
        weapon = next((carried for carried in firer.profile.weapons if carried.name == name), None)
        if weapon is not None:
            line = f"{possessive(row.name)} {name} template deviated. Which models are under it?"
            question = build_landing_controls(encounter, firer, carried_weapon(firer, weapon))
            yield _build_menu_debt("Choose models under the template...", line, question, encounter, row)
    if storm := ModelState(row).mind_storm:
        question = build_storm_question(encounter, model_of(encounter, row), storm - 1)
        line = f"Which other models are in {possessive(row.name)} Mind Storm?"
        yield _build_menu_debt("Choose models in the Mind Storm...", line, question, encounter, row)
    if ModelState(row).wreck_blast == WreckBlast.OWED and row.left_how == "wrecked":
        menu, no_models_button = who_is_near(encounter, model_of(encounter, row))
        line = f"{row.name} blows up. Which models are within 1 in?"
        yield OpenQuestion(
            f"Choose models near {row.name}...",
            line,
            "",
            (no_models_button,),
            (menu,) if menu.choices else (),
        )


def _build_menu_debt(
    label: str, line: str, question: tuple[Menu, Button], encounter: Encounter, row: ModelRow
) -> OpenQuestion:
    menu, no_models_button = question
    return OpenQuestion(
        label, line, player_of(encounter, row.id), (no_models_button,), (menu,) if menu.choices else (), row
    )
