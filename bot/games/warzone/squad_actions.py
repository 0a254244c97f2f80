"""A squad moves and fires in one form: each model as by its own actions, with its own dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, reference_by_name, reference_by_number
from bot.games.warzone.activation import to_come, together
from bot.games.warzone.fields import (
    Reach,
    format_cover,
    model_list_field,
    reach_field,
    target_cover_field,
    target_field,
)
from bot.games.warzone.move_actions import Move
from bot.games.warzone.shots import Shoot
from bot.games.warzone.units import first_weapon, read_turn, squad_of
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.asking.reading import read
from bot.table.handlers import HANDLERS, handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.reaction_windows import reactors
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.warzone.model import Model, Squad
from rules.systems.warzone.ranged import Cover


@dataclass(frozen=True, slots=True)
class SquadFire(Action):
    """Move models of the acting squad, then fire at one target.

    models: of the squad, none for all that have actions left. moves: how many moves each makes first. target:
    None if they only move. distance, cover: the same for all of them.
    """

    command = "wz.volley"
    typed = "wz model volley"
    titled = "Move and fire"
    decision_of = in_play("the players of the squad that acts")

    models: tuple[Model, ...] = model_list_field(
        "Models that act (leave blank for the whole squad)", names=offering.own_model, any_order=1
    )
    moves: int = fields.whole("Moves per model before firing", 0, 3, default=0)
    target: Model | None = target_field("Target of the shots")
    distance: Reach | None = reach_field("Distance (inches, or PB, SR, MR, LR or ER)", fact=True)
    cover: frozenset[Cover] = target_cover_field()


@handles(SquadFire)
def squad_fire(act: Act, action: SquadFire) -> Reply:
    """Fire one model after another; if all act together, all move before they fire. Rules: WZ-TURN-03."""
    squad = _find_acting_squad(act)
    act.require_side(squad.side)
    models = action.models or tuple(to_come(squad))
    _check_squad_fire(action, squad, models)
    action = act.canonical = replace(action, models=models)
    if together(act.encounter, squad) and action.moves and action.target is not None:
        raise Forbidden(
            "Leave the target blank for now. The whole squad has to move before it fires.", "WZ-TURN-03"
        )
    replies_so_far: list[Reply] = []
    for place, model in enumerate(models):
        for moves_made in range(action.moves):
            replies_so_far.append(_run(act, Move(_as_argument(model))))
            if reactors(act.encounter):
                remaining = replace(action, models=models[place + 1 :])
                return _join_replies(
                    replies_so_far,
                    _build_continue_buttons(action, model, action.moves - moves_made - 1, remaining),
                )
        if action.target is not None and _are_in_play(act, model, action.target):
            shot = Shoot(
                _as_argument(model),
                _as_argument(action.target),
                reference_by_name(str(action.distance)),
                reference_by_name(format_cover(action.cover)),
            )
            replies_so_far.append(_run(act, shot))
    return _join_replies(replies_so_far, ())


def _find_acting_squad(act: Act) -> Squad:
    turn = read_turn(act.encounter)
    if not turn.active:
        raise InvalidInput("No unit is active. Activate one first.")
    return squad_of(act.encounter, turn.active[-1])


def _check_squad_fire(action: SquadFire, squad: Squad, models: Sequence[Model]) -> None:
    """Refuse models of other squads, or with nothing to fire, and options that would do nothing.

    Raises InvalidInput.
    """
    for model in models if action.target is not None else ():
        first_weapon(model, close=False)
    for model in action.models:
        if model.id not in {member.id for member in squad.models}:
            raise InvalidInput(f"Choose models of {squad.name}. {model.name} isn't in it.")
    if action.target is None:
        if action.distance is not None or action.cover:
            raise InvalidInput("Choose a target, or leave the distance and cover blank.")
        if not action.moves:
            raise Missing("Choose a number of moves, or a target to fire at.")
    elif action.distance is None:
        raise Missing("How far away is the target? Enter the distance.")


def _as_argument(model: Model) -> Model:
    argument: Model = reference_by_number(model.id)
    return argument


def _are_in_play(act: Act, *models: Model) -> bool:
    ids_in_play = {row.id for row in act.encounter.models()}
    return all(model.id in ids_in_play for model in models)


def _run(act: Act, request: Action) -> Reply:
    action = read(act, request)
    return HANDLERS[action.command].run(act, action)


def _build_continue_buttons(
    action: SquadFire, model: Model, moves: int, remaining: SquadFire
) -> tuple[Button, ...]:
    rest_of_own = replace(action, models=(model,), moves=moves)
    buttons = []
    if moves or rest_of_own.target is not None:
        buttons.append(Button(f"{model.name} continues", rest_of_own, "main", anytime=True))
    if remaining.models:
        buttons.append(Button("The other models continue", remaining, anytime=True))
    return tuple(buttons)


def _join_replies(replies: Iterable[Reply], continue_buttons: tuple[Button, ...]) -> Reply:
    parts = list(replies)
    if not parts:
        raise InvalidInput("End the activation with /wz done. No model of the squad has actions left.")
    lines: list[str] = []
    for reply in parts:
        lines += ["", *reply.lines] if lines else reply.lines
    buttons = dict.fromkeys(
        button for reply in parts for button in reply.buttons if button != UNDO and button.label != "Again"
    )
    last_reply = parts[-1]
    reasons = tuple(dict.fromkeys(reason for reply in parts for reason in reply.why))
    return replace(last_reply, lines=tuple(lines), why=reasons, buttons=(*continue_buttons, *buttons, UNDO))


def build_volley_buttons(squad: Squad) -> tuple[Button, ...]:
    """Return the form by which a squad moves and fires, or () for one model."""
    has_several_left = len(to_come(squad)) > 1
    return (Button("Move and fire...", SquadFire(), "plain", asks=True),) if has_several_left else ()
