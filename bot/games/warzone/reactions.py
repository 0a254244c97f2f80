"""Reactions of models on wait when an enemy moves, charges or fires a template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.actions import Action
from bot.games.warzone.common import MUTUAL_STRIKE_GRANT, Telling, enemies_on_wait, find_model, may_react
from bot.games.warzone.fields import no_enemy_seen_field, target_field, who
from bot.games.warzone.state import state_of
from bot.games.warzone.units import model_of, read_turn, settings_of
from bot.replies.reply import Button
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.reaction_windows import Cause, open_window, played_by_others, window_buttons, window_lines
from rules.refusals import is_allowed
from rules.systems.warzone.model import Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.waiting import Reaction, Trigger, needs_test_to_react, reactions


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Put a model on wait with its last action.

    For the enemy's turn.
    """

    command = "wz.wait"
    typed = "wz wait"

    model: Model = who("Model that waits")


@dataclass(frozen=True, slots=True)
class React(Action):
    """React with a model on wait.

    enemy: may have left play before its template lands. hidden: no enemy is in its line of sight.
    """

    command = "wz.react"
    typed = "wz react"

    model: Model = who("Model that reacts")
    how: Reaction = fields.one_of(
        "Reaction",
        ("fire", "spot", "dive", "countercharge", "brace", "withdraw"),
        needed=True,
        default="fire",
    )
    enemy: Model = target_field("Enemy to react to", gone=True, needed=True)
    trigger: Trigger | None = fields.one_of(
        "Enemy action (blank for what just happened)", ("move", "charge", "template"), called="to"
    )
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class Dive(Action):
    """How a dive for cover ended. prone: it took the full distance; clear: it is out from under it."""

    command = "wz.dive"

    model: Model = who()
    prone: bool = False
    clear: bool = True


MAX_MODELS_WITH_BUTTONS = 4
"""Models on wait that get buttons of their own; others use the command."""

REACTION_VERBS: dict[Reaction, str] = {
    "fire": "fires",
    "spot": "tries to spot",
    "dive": "dives",
    "countercharge": "countercharges",
    "brace": "braces",
    "withdraw": "withdraws",
}
_ONLY_FOR_CHARGED_MODEL = frozenset({"countercharge", "brace", "withdraw"})


COMMANDS_THAT_WAIT = frozenset(
    {
        "encounter.next", "wz.activate", "wz.aim", "wz.attack", "wz.board", "wz.break", "wz.channel",
        "wz.charge", "wz.conceal", "wz.concentrate", "wz.deranged", "wz.dominate", "wz.done", "wz.explode",
        "wz.fight", "wz.jump", "wz.move", "wz.next", "wz.presence", "wz.rally", "wz.rampage", "wz.shoot",
        "wz.spot", "wz.template", "wz.terrain", "wz.volley", "wz.wait",
    }
)  # fmt: skip
"""Commands that wait while an enemy on wait may react. Rules: WZ-WAIT-02."""

REACTION_GRANTS: tuple[str, ...] = (Deed.SHOOT.value, Deed.SPOT.value, MUTUAL_STRIKE_GRANT)
"""Debts of a model that has reacted: the shot, the spotting, the blows of both."""


def offer_reactions(telling: Telling, mover: Model, trigger: Trigger, target: Model | None = None) -> None:
    """Ask every enemy on wait before anything else happens. target: of a charge.

    Rules: WZ-WAIT-02 to WZ-WAIT-04.
    """
    act, target_id = telling.act, target.id if target is not None else 0
    waiting_ids = tuple(enemy.id for enemy in enemies_on_wait(act, mover))
    deed_text = f"charged {target.name}" if target is not None else "moved"
    turn = read_turn(act.encounter)
    activation_key = f"{act.encounter.row.turn}: {turn.active[-1]}" if turn.active else ""
    cause = Cause(
        f"{mover.name} has {deed_text}", mover.side, waiting_ids, mover.id, target_id, trigger, activation_key
    )
    cause = replace(cause, models=tuple(find_possible_reactors(act.encounter, cause)))
    ids_of_other_players = played_by_others(act, cause.models)
    cause_for_own_models = replace(
        cause, models=tuple(target_id for target_id in cause.models if target_id not in ids_of_other_players)
    )
    if open_window(act, cause):
        telling.next += window_lines(act.encounter)
        telling.buttons += window_buttons(act.encounter)
    telling.buttons += build_reaction_buttons(act.encounter, cause_for_own_models)
    if cause_for_own_models.models:
        names = ", ".join(find_model(act, target_id).name for target_id in cause_for_own_models.models)
        telling.next.append(f"Waiting models that can react: {names}.")


def find_possible_reactors(encounter: Encounter, cause: Cause) -> Sequence[int]:
    """Return the models of a window that may still react, or owe what they declared. Rules: WZ-WAIT-02."""
    models_by_id = {row.id: model_of(encounter, row) for row in encounter.models()}
    if cause.model and cause.model not in models_by_id:
        return ()
    mover = _find_mover(encounter, cause)
    return [
        number
        for number in cause.models
        if number in models_by_id
        and (
            _owes_reaction(models_by_id[number], mover)
            or _list_reactions(encounter, models_by_id[number], mover, cause)
        )
    ]


def build_reaction_buttons(encounter: Encounter, cause: Cause) -> Sequence[Button]:
    """Return the buttons by which the models of a window react, of the first few of them."""
    mover, trigger = _find_mover(encounter, cause), cast(Trigger, cause.trigger)
    models = [
        model_of(encounter, encounter.model(number)) for number in find_possible_reactors(encounter, cause)
    ]
    return [
        Button(
            f"{model.name} {REACTION_VERBS[reaction]}", React(model, reaction, mover, trigger), anytime=True
        )
        for model in models[:MAX_MODELS_WITH_BUTTONS]
        for reaction in _list_reactions(encounter, model, mover, cause)
    ]


def _find_mover(encounter: Encounter, cause: Cause) -> Model:
    """The model that gives cause: the one that acts, or a wreck that blows up."""
    return model_of(encounter, encounter.model(cause.model or cause.target))


def _owes_reaction(model: Model, mover: Model) -> bool:
    """Return whether a model has declared what it still has to do to the mover, or where its dive ends."""
    has_grant = any(
        state_of(model).grants[grant_key] and state_of(model).granted_at[grant_key] == mover.id
        for grant_key in REACTION_GRANTS
    )
    return has_grant or bool(state_of(model).diving)


def build_react_buttons(waiting_models: Sequence[Model], mover: Model | None) -> list[Button]:
    """Return the form of a reaction if a model is on wait, with its name if it is the only one."""
    action = React() if mover is None else React(enemy=mover)
    if len(waiting_models) == 1:
        action = replace(action, model=waiting_models[0])
    return [Button("React...", action, anytime=True, asks=True)] if waiting_models else []


def _list_reactions(encounter: Encounter, model: Model, mover: Model, cause: Cause) -> list[Reaction]:
    settings, trigger = settings_of(encounter), cast(Trigger, cause.trigger)
    if not may_react(model):
        return []
    return [
        reaction
        for reaction in reactions(trigger, settings)
        if (reaction not in _ONLY_FOR_CHARGED_MODEL or model.id == cause.target)
        and is_allowed(needs_test_to_react, model, reaction, trigger, mover, settings)
    ]


def build_template_cause(firer: Model, models_under: Sequence[Model]) -> Cause | None:
    """Return what a template gives cause for: models on wait under it may dive. Rules: WZ-DIVE-01."""
    event = f"{firer.name} is about to fire a template weapon"
    divers = _find_divers(models_under)
    return Cause(event, firer.side, divers, firer.id, trigger="template") if divers else None


def build_blast_cause(wreck: Model, near_models: Sequence[Model]) -> Cause | None:
    """Return what a wreck that blows up gives cause for: models near it may dive. Rules: WZ-DIVE-01."""
    event = f"{wreck.name} is about to blow up"
    divers = _find_divers(near_models)
    return Cause(event, wreck.side, divers, target=wreck.id, trigger="template") if divers else None


def _find_divers(models: Sequence[Model]) -> tuple[int, ...]:
    return tuple(model.id for model in models if may_react(model) and not state_of(model).dived_clear)


def build_dive_buttons(models: Sequence[Model], source: Model) -> list[Button]:
    """Return buttons for all on wait under a template or beside an explosion, on any side. Rules:
    WZ-DIVE-01.
    """
    return [
        Button(f"{model.name} dives", React(model, "dive", source, "template"), anytime=True)
        for model in models
        if may_react(model)
    ]
