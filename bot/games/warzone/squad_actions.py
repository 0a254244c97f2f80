"""A squad moves and fires in one form: each model as by its own actions, with its own dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, numbered, worded
from bot.games.warzone.activation import to_come, together
from bot.games.warzone.fields import Reach, format_cover, reach, several, target_cover, target_field
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

    models: tuple[Model, ...] = several(
        "Models that act (leave blank for the whole squad)", names=offering.own_model, any_order=1
    )
    moves: int = fields.whole("Moves per model before firing", 0, 3, default=0)
    target: Model | None = target_field("Target of the shots")
    distance: Reach | None = reach("Distance (inches, or PB, SR, MR, LR or ER)", fact=True)
    cover: frozenset[Cover] = target_cover()


@handles(SquadFire)
def squad_fire(act: Act, action: SquadFire) -> Reply:
    """Fire one model after another; if all act together, all move before they fire. Rules: WZ-TURN-03."""
    squad = _acting(act)
    act.require_side(squad.side)
    models = action.models or tuple(to_come(squad))
    _check(action, squad, models)
    action = act.canonical = replace(action, models=models)
    if together(act.encounter, squad) and action.moves and action.target is not None:
        raise Forbidden(
            "Leave the target blank for now. The whole squad has to move before it fires.", "WZ-TURN-03"
        )
    replies: list[Reply] = []
    for place, model in enumerate(models):
        for moved in range(action.moves):
            replies.append(_do(act, Move(_as_argument(model))))
            if reactors(act.encounter):
                remaining = replace(action, models=models[place + 1 :])
                return _joined_reply(
                    replies, _continue_buttons(action, model, action.moves - moved - 1, remaining)
                )
        if action.target is not None and _still_there(act, model, action.target):
            shot = Shoot(
                _as_argument(model),
                _as_argument(action.target),
                worded(str(action.distance)),
                worded(format_cover(action.cover)),
            )
            replies.append(_do(act, shot))
    return _joined_reply(replies, ())


def _acting(act: Act) -> Squad:
    turn = read_turn(act.encounter)
    if not turn.active:
        raise InvalidInput("No unit is active. Activate one first.")
    return squad_of(act.encounter, turn.active[-1])


def _check(action: SquadFire, squad: Squad, models: Sequence[Model]) -> None:
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
    named: Model = numbered(model.id)
    return named


def _still_there(act: Act, *models: Model) -> bool:
    present = {row.id for row in act.encounter.models()}
    return all(model.id in present for model in models)


def _do(act: Act, request: Action) -> Reply:
    action = read(act, request)
    return HANDLERS[action.command].run(act, action)


def _continue_buttons(action: SquadFire, model: Model, moves: int, others: SquadFire) -> tuple[Button, ...]:
    own_fire = replace(action, models=(model,), moves=moves)
    buttons = []
    if moves or own_fire.target is not None:
        buttons.append(Button(f"{model.name} continues", own_fire, "main", anytime=True))
    if others.models:
        buttons.append(Button("The other models continue", others, anytime=True))
    return tuple(buttons)


def _joined_reply(replies: Iterable[Reply], continue_buttons: tuple[Button, ...]) -> Reply:
    parts = list(replies)
    if not parts:
        raise InvalidInput("Choose other models. None of the ones you chose can act now.")
    lines: list[str] = []
    for reply in parts:
        lines += ["", *reply.lines] if lines else reply.lines
    buttons = dict.fromkeys(
        button for reply in parts for button in reply.buttons if button != UNDO and button.label != "Again"
    )
    last = parts[-1]
    whys = tuple(dict.fromkeys(why for reply in parts for why in reply.why))
    return replace(last, lines=tuple(lines), why=whys, buttons=(*continue_buttons, *buttons, UNDO))


def volley_button(squad: Squad) -> tuple[Button, ...]:
    """Return the form by which a squad moves and fires, or () for one model."""
    several_left = len(to_come(squad)) > 1
    return (Button("Move and fire...", SquadFire(), "plain", asks=True),) if several_left else ()
