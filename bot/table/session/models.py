"""Changes of models by hand: damage, healing, conditions, notes, a new player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.rows import ModelRow, SideRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.asking.descriptions import group
from bot.table.asking.kinds import Asking
from bot.table.encounter import GONE, IN_PLAY, EncounterView
from bot.table.game import Afflicts, Loses, TakesBack, game_of
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import MAX_NOTE_LENGTH, check_name, find, find_free_name, plain
from bot.table.owners import ANYONE
from rules.effects import Gain, Harm, Leave, Lose, Mend
from rules.refusals import InvalidInput
from rules.wording import join_with_and, possessive, times

group("model", "Models in the game")
group("condition", "Conditions on models")

MAX_WOUNDS = 99
MAX_GRADE = 20
WAYS_TO_LEAVE = ("removed", "casualty", "fled")


def your_model(hint: str = "Model", *, needed: bool = True, gone: bool = False) -> Any:
    """Return a field for a model that the person plays."""
    return fields.own_model(hint, mine=True, needed=needed, gone=gone)


# ------------------------------------------------------------------------------------ what is named


def format_condition(kind: str) -> str:
    """Return a condition as people read it."""
    return kind.replace("_", " ")


def _list_conditions(context: Asking) -> Sequence[str]:
    return list(game_of(context.act.encounter).conditions()) if context.act.has_encounter else ()


def _list_present(context: Asking) -> Sequence[str]:
    return list_removable_conditions(context.act.encounter, context.before("model"))


def _find_present(context: Asking, text: str) -> str:
    present_conditions = _list_present(context)
    if not present_conditions:
        raise InvalidInput(f"{context.before('model').name} has no conditions.")
    return find(text, present_conditions, format_condition, "condition")


def _find_doer(context: Asking, text: str) -> SideRow | ModelRow:
    """Return the named side or model, also one that left. Raises InvalidInput."""
    typed_name = " ".join(text.split()).casefold()
    for side in context.act.encounter.sides():
        if side.name.casefold() == typed_name:
            return side
    return context.act.encounter.find_model(text, gone=True)


def doer_field() -> Any:
    """Return a field for the model or side that wounded or removed another."""
    return fields.sought(
        "Model or side that caused this",
        offering.any_model,
        _find_doer,
        written=lambda row: row.name if isinstance(row, SideRow) else f"#{row.id}",
    )


# ------------------------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class DamageModel(Action):
    """Add wounds to a model.

    by: the model or the side that caused them.
    """

    command = "model.damage"
    typed = "model damage"
    titled = "Add wounds"
    waits_for_dice = True

    model: ModelRow = your_model()
    wounds: int = fields.whole("Number of wounds", 1, MAX_WOUNDS, default=1, checked=True)
    by: SideRow | ModelRow | None = doer_field()


@dataclass(frozen=True, slots=True)
class HealModel(Action):
    """Heal a model's wounds."""

    command = "model.heal"
    typed = "model heal"
    titled = "Heal wounds"
    waits_for_dice = True

    model: ModelRow = your_model()
    wounds: int = fields.whole("Number of wounds", 1, MAX_WOUNDS, default=1, checked=True)


@dataclass(frozen=True, slots=True)
class ShowModel(Action):
    """Show a model's statblock and state (visible only to you)."""

    command = "model.show"
    typed = "model show"
    titled = "Show"
    decision_of = ANYONE

    model: ModelRow = fields.model("Model", needed=True, gone=True)


@dataclass(frozen=True, slots=True)
class NoteModel(Action):
    """Write a note about a model."""

    command = "model.note"
    typed = "model note"
    titled = "Note"

    model: ModelRow = your_model(gone=True)
    text: str = fields.text("Note (leave blank to remove the note)", None)


@dataclass(frozen=True, slots=True)
class RenameModel(Action):
    """Rename a model."""

    command = "model.rename"
    typed = "model rename"
    titled = "Rename"

    model: ModelRow = your_model()
    name: str = fields.text("New name", None, needed=True)


@dataclass(frozen=True, slots=True)
class HandOverModel(Action):
    """Hand a model over to another player."""

    command = "model.owner"
    typed = "model owner"
    titled = "Hand a model over"

    model: ModelRow = your_model()
    user_id: int = fields.person("The model's new player", called="player", needed=True)


@dataclass(frozen=True, slots=True)
class RemoveModel(Action):
    """Remove a model from play.

    how: the game's word for it.
    """

    command = "model.remove"
    typed = "model remove"
    titled = "Remove from play"
    waits_for_dice = True

    model: ModelRow = your_model()
    how: str = fields.words(
        "Reason: casualty, fled or removed", lambda asking: WAYS_TO_LEAVE, default=WAYS_TO_LEAVE[0]
    )
    by: SideRow | ModelRow | None = doer_field()


@dataclass(frozen=True, slots=True)
class ReturnModel(Action):
    """Bring a model back into play."""

    command = "model.return"
    typed = "model return"
    titled = "Bring a model back"
    waits_for_dice = True

    model: ModelRow = fields.gone_model("Model", mine=True, needed=True)


@dataclass(frozen=True, slots=True)
class AddCondition(Action):
    """Add a condition to a model."""

    command = "condition.add"
    typed = "condition add"
    titled = "Add a condition"
    waits_for_dice = True

    model: ModelRow = your_model()
    condition: str = fields.among("Condition", _list_conditions, format_condition, needed=True)
    value: int = fields.whole(
        "Level (if the condition has one)", 0, MAX_GRADE, default=0, called="grade", checked=True
    )


@dataclass(frozen=True, slots=True)
class ClearCondition(Action):
    """Remove one condition, or all of them, from a model."""

    command = "condition.clear"
    typed = "condition clear"
    titled = "Remove a condition"
    waits_for_dice = True

    model: ModelRow = your_model()
    condition: str | None = fields.sought(
        "Condition (leave blank to remove all)",
        lambda asking: map(format_condition, _list_present(asking)),
        _find_present,
    )


@dataclass(frozen=True, slots=True)
class ListConditions(Action):
    """Show all models that have conditions (visible only to you)."""

    command = "condition.list"
    typed = "condition list"
    titled = "Conditions"
    decision_of = ANYONE


@handles(DamageModel)
def damage(act: Act, action: DamageModel) -> Reply:
    """Add wounds by hand, with their consequences."""
    model = action.model
    act.encounter.apply([Harm(model.id, action.wounds)])
    credit = _credit(act, model, action.by, " from")
    played_game = game_of(act.encounter)
    consequences = played_game.harmed(act, model)
    return say(
        f"{model.name} takes {times(action.wounds, 'wound')}{credit} "
        f"({_format_life_left(act, model)} life left).",
        *consequences,
        buttons=[UNDO],
    )


def _format_life_left(act: Act, model: ModelRow) -> str:
    """Return how much of its life a model has left."""
    life = game_of(act.encounter).life(model)
    return f"{max(0, life - model.damage)} of {life}"


def _credit(act: Act, model: ModelRow, doer: SideRow | ModelRow | None, lead_in: str) -> str:
    """Store who hurt a model, where that was entered; return it in words."""
    if doer is None:
        return ""
    if isinstance(doer, SideRow):
        act.encounter.credit(model, side=doer.id)
    else:
        act.encounter.credit(model, doer.id)
    return f"{lead_in} {doer.name}"


@handles(HealModel)
def heal(act: Act, action: HealModel) -> Reply:
    """Remove wounds by hand, never more than the model has."""
    model = action.model
    if not model.damage:
        raise InvalidInput(f"{model.name} has no wounds to heal.")
    healed_wounds = min(action.wounds, model.damage)
    act.encounter.apply([Mend(model.id, healed_wounds)])
    played_game = game_of(act.encounter)
    return say(
        f"{model.name} heals {times(healed_wounds, 'wound')} ({_format_life_left(act, model)} life left).",
        *played_game.harmed(act, model),
        buttons=[UNDO],
    )


@handles(ShowModel)
def show(act: Act, action: ShowModel) -> Reply:
    """Show statblock and state to the person who asks."""
    model = action.model
    lines = list(game_of(act.encounter).model_lines(act.encounter, model))
    if model.note:
        lines.append(f"Note: {model.note}")
    return Reply(tuple(lines), private=True)


@handles(NoteModel)
def note(act: Act, action: NoteModel) -> Reply:
    """Write or remove the note."""
    model = action.model
    if len(action.text) > MAX_NOTE_LENGTH:
        raise InvalidInput(
            f"The note can have at most {MAX_NOTE_LENGTH} characters (you entered {len(action.text)})."
        )
    model.note = plain(action.text)
    sentence = f"{model.name}: {model.note}" if model.note else f"{possessive(model.name)} note was removed."
    return say(sentence, buttons=[UNDO])


@handles(RenameModel)
def rename(act: Act, action: RenameModel) -> Reply:
    """Rename a model; no other may have that name."""
    model = action.model
    name = check_name(action.name)
    other_names = [other.name for other in act.encounter.models(gone=True) if other.id != model.id]
    if find_free_name(name, other_names) != name:
        raise InvalidInput(f"Choose another name; there is already a model called {name}.")
    other_names = [other.name for other in act.encounter.models() if other.id != model.id]
    matching_names = [other for other in other_names if name.casefold() in other.casefold()]
    name_before, model.name = model.name, name
    lines = [f"{name_before} is now called {name}."]
    if matching_names:
        lines.append(
            f"If you type {name}, you now choose this model. To choose another, type more of its name: "
            f"{' or '.join(matching_names)}."
        )
    return say(*lines, buttons=[UNDO])


@handles(HandOverModel)
def hand_over(act: Act, action: HandOverModel) -> Reply:
    """Hand a model over. Its new player needs a seat in the encounter."""
    model = action.model
    seat = act.encounter.seat_of(action.user_id)
    if seat is None or seat.role == "spectator":
        raise InvalidInput("That person has to join the game first with /encounter join.")
    model.owner_id = seat.user_id
    return say(f"{seat.name} now controls {model.name}.", buttons=[UNDO])


@handles(RemoveModel)
def remove(act: Act, action: RemoveModel) -> Reply:
    """Remove a model from play, with its conditions."""
    model = action.model
    reason = plain(action.how, 20) or "removed"
    played_game, consequences = game_of(act.encounter), Reply(())
    if isinstance(played_game, Loses):
        consequences = played_game.leave(act, model, reason)
    else:
        act.encounter.apply([Leave(model.id, reason)])
    credit = _credit(act, model, action.by, ", caused by")
    return _add_consequences(f"{model.name} is out of play ({model.left_how}{credit}).", consequences)


@handles(ReturnModel)
def return_model(act: Act, action: ReturnModel) -> Reply:
    """Return a model to play, with the wounds it had."""
    model = action.model
    if model.status != GONE:
        raise InvalidInput(f"{model.name} is already in play.")
    model.status, model.left_how = IN_PLAY, ""
    act.encounter.credit(model)
    played_game = game_of(act.encounter)
    consequences = played_game.returned(act, model) if isinstance(played_game, TakesBack) else ()
    return say(f"{model.name} is back in play.", *consequences, buttons=[UNDO])


def list_removable_conditions(encounter: EncounterView, model: ModelRow) -> list[str]:
    """Return the conditions of a model that can be removed by hand."""
    played_game = game_of(encounter)
    if isinstance(played_game, Afflicts):
        return list(played_game.under(encounter, model))
    return [row.kind for row in encounter.conditions(model.id)]


@handles(AddCondition)
def add_condition(act: Act, action: AddCondition) -> Reply:
    """Add a condition of the game."""
    model, kind, played_game = action.model, action.condition, game_of(act.encounter)
    consequences = Reply(())
    if isinstance(played_game, Afflicts):
        consequences = played_game.afflict(act, model, kind, action.value)
    else:
        act.encounter.apply([Gain(model.id, kind, action.value, source="by hand")])
    grade = f" {action.value}" if action.value else ""
    return _add_consequences(
        f"{model.name} now has the condition {format_condition(kind)}{grade}.", consequences
    )


def _add_consequences(sentence: str, consequences: Reply) -> Reply:
    return Reply((sentence, *consequences.lines), buttons=(*consequences.buttons, UNDO), why=consequences.why)


@handles(ClearCondition)
def clear_condition(act: Act, action: ClearCondition) -> Reply:
    """Remove a condition that the model has."""
    model = action.model
    played_game, condition_names = game_of(act.encounter), list_removable_conditions(act.encounter, model)
    if not condition_names:
        raise InvalidInput(f"{model.name} has no conditions.")
    kinds, consequences = [action.condition] if action.condition else condition_names, Reply(())
    if isinstance(played_game, Afflicts):
        consequences = played_game.relieve(act, model, kinds)
    else:
        act.encounter.apply([Lose(model.id, kind) for kind in kinds])
    ended_words = (
        f"condition{'s' if len(kinds) > 1 else ''} {join_with_and(list(map(format_condition, kinds)))}"
    )
    return _add_consequences(f"{model.name} no longer has the {ended_words}.", consequences)


@handles(ListConditions)
def list_conditions(act: Act, action: ListConditions) -> Reply:
    """List all models with conditions."""
    lines = []
    for model in act.encounter.models():
        conditions = [
            f"{format_condition(row.kind)}{f' {row.value}' if row.value else ''}"
            f"{f' (until {row.until})' if row.until else ''}"
            for row in act.encounter.conditions(model.id)
        ]
        if conditions:
            lines.append(f"{model.name}: {', '.join(conditions)}")
    return Reply(tuple(lines or ["No models have any conditions."]), private=True)
