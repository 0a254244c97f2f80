"""What players do with a model by hand: damage, healing, conditions, notes, handing it over."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import GONE, IN_PLAY, Encounter
from bot.table.game import Afflicts, Credits, Loses, TakesBack, game_of
from bot.table.handlers import handles
from bot.table.journal.history import Undo
from bot.table.names import LONGEST_NOTE, checked_name, find, free_name, plain
from rules.effects import Gain, Harm, Leave, Lose, Mend
from rules.refusals import InvalidInput

MOST_WOUNDS = 99


@dataclass(frozen=True, slots=True)
class DamageModel(Action):
    """Give a model wounds by hand. by: the model or the side whose doing it is."""

    command = "model.damage"

    model: str = ""
    wounds: int = 1
    by: str = ""


@dataclass(frozen=True, slots=True)
class HealModel(Action):
    """Take wounds off a model by hand."""

    command = "model.heal"

    model: str = ""
    wounds: int = 1


@dataclass(frozen=True, slots=True)
class ShowModel(Action):
    """Show a model's statblock and state."""

    command = "model.show"

    model: str = ""


@dataclass(frozen=True, slots=True)
class NoteModel(Action):
    """Write a note on a model; an empty one wipes it."""

    command = "model.note"

    model: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class RenameModel(Action):
    """Give a model a name of its own."""

    command = "model.rename"

    model: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class HandOver(Action):
    """Let somebody else in the encounter play a model."""

    command = "model.owner"

    model: str = ""
    user_id: int = 0


@dataclass(frozen=True, slots=True)
class RemoveModel(Action):
    """Take a model out of play by hand; `how` is the game's word for it."""

    command = "model.remove"

    model: str = ""
    how: str = "removed"


@dataclass(frozen=True, slots=True)
class ReturnModel(Action):
    """Bring a model back that was taken out of play."""

    command = "model.return"

    model: str = ""


@dataclass(frozen=True, slots=True)
class AddCondition(Action):
    """Put a model under a condition by hand."""

    command = "condition.add"

    model: str = ""
    condition: str = ""
    value: int = 0


@dataclass(frozen=True, slots=True)
class ClearCondition(Action):
    """End a condition by hand; all of them where none is named."""

    command = "condition.clear"

    model: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class ListConditions(Action):
    """Show who is under what."""

    command = "condition.list"


UNDO = Button("Undo", Undo(), anytime=True)


def _mine(act: Act, name: str, *, gone: bool = False) -> ModelRow:
    model = act.encounter.find_model(name, gone=gone, user=act.actor.user_id)
    act.require_model(model)
    return model


@handles(DamageModel)
def damage(act: Act, action: DamageModel) -> Reply:
    """Wounds given by hand, with what follows from them."""
    model = _mine(act, action.model)
    if not 1 <= action.wounds <= MOST_WOUNDS:
        raise InvalidInput(f"Damage is 1 to {MOST_WOUNDS} wounds.")
    who, side = _doer(act, action.by) if action.by else ("", 0)
    act.encounter.apply([Harm(model.id, action.wounds)])
    played = game_of(act.encounter)
    followed = played.harmed(act, model)
    if isinstance(played, Credits) and side:
        played.credit(act, model, side)
    by = f" by {who}" if who else ""
    return say(
        f"{model.name} takes {action.wounds}{by}: {model.damage}/{played.life(model)} wounds.",
        *followed,
        buttons=[UNDO],
    )


def _doer(act: Act, text: str) -> tuple[str, int]:
    """The name and the side of who is meant: a side, or a model, also one that left. Raises InvalidInput."""
    wanted = " ".join(text.split()).casefold()
    for side in act.encounter.sides():
        if side.name.casefold() == wanted:
            return side.name, side.id
    model = act.encounter.find_model(text, gone=True)
    return model.name, model.side


@handles(HealModel)
def heal(act: Act, action: HealModel) -> Reply:
    """Wounds taken off by hand, never more than the model has."""
    model = _mine(act, action.model)
    if not 1 <= action.wounds <= MOST_WOUNDS:
        raise InvalidInput(f"Healing is 1 to {MOST_WOUNDS} wounds.")
    if not model.damage:
        raise InvalidInput(f"{model.name} has no wounds.")
    healed = min(action.wounds, model.damage)
    act.encounter.apply([Mend(model.id, healed)])
    played = game_of(act.encounter)
    return say(
        f"{model.name} heals {healed}: {model.damage}/{played.life(model)} wounds.",
        *played.harmed(act, model),
        buttons=[UNDO],
    )


@handles(ShowModel)
def show(act: Act, action: ShowModel) -> Reply:
    """Statblock and state, to the person who asks."""
    model = act.encounter.find_model(action.model, gone=True)
    lines = list(game_of(act.encounter).model_lines(act.encounter, model))
    if model.note:
        lines.append(f"Note: {model.note}")
    return Reply(tuple(lines), private=True)


@handles(NoteModel)
def note(act: Act, action: NoteModel) -> Reply:
    """Write or wipe the note."""
    model = _mine(act, action.model, gone=True)
    if len(action.text) > LONGEST_NOTE:
        raise InvalidInput(f"A note has at most {LONGEST_NOTE} letters; this one has {len(action.text)}.")
    model.note = plain(action.text)
    said = f"{model.name}: {model.note}" if model.note else f"{model.name}: no note."
    return say(said, buttons=[UNDO])


@handles(RenameModel)
def rename(act: Act, action: RenameModel) -> Reply:
    """A name that no other model has."""
    model = _mine(act, action.model)
    name = checked_name(action.name)
    others = [other.name for other in act.encounter.models(gone=True) if other.id != model.id]
    if free_name(name, others) != name:
        raise InvalidInput(f"A model is called {name} already.")
    others = [other.name for other in act.encounter.models() if other.id != model.id]
    meant = [other for other in others if name.casefold() in other.casefold()]
    before, model.name = model.name, name
    lines = [f"{before} is called {name} now."]
    if meant:
        lines.append(f"{name} means it alone: type more of {' and '.join(meant)}.")
    return say(*lines, buttons=[UNDO])


@handles(HandOver)
def hand_over(act: Act, action: HandOver) -> Reply:
    """Whoever gets it must have a place in the encounter."""
    model = _mine(act, action.model)
    seat = act.encounter.seat_of(action.user_id)
    if seat is None or seat.role == "spectator":
        raise InvalidInput("That person does not play here. They join with /encounter join.")
    model.owner_id = seat.user_id
    return say(f"{seat.name} plays {model.name} now.", buttons=[UNDO])


@handles(RemoveModel)
def remove(act: Act, action: RemoveModel) -> Reply:
    """Out of play, conditions gone."""
    model = _mine(act, action.model)
    how = plain(action.how, 20) or "removed"
    played, followed = game_of(act.encounter), Reply(())
    if isinstance(played, Loses):
        followed = played.leave(act, model, how)
    else:
        act.encounter.apply([Leave(model.id, how)])
    return _with_more(f"{model.name} is out of play ({model.left_how}).", followed)


@handles(ReturnModel)
def return_model(act: Act, action: ReturnModel) -> Reply:
    """Back in play, with the wounds it had."""
    model = _mine(act, action.model, gone=True)
    if model.status != GONE:
        raise InvalidInput(f"{model.name} is in play.")
    model.status, model.left_how = IN_PLAY, ""
    played = game_of(act.encounter)
    followed = played.returned(act, model) if isinstance(played, TakesBack) else ()
    return say(f"{model.name} is back in play.", *followed, buttons=[UNDO])


def condition_words(kind: str) -> str:
    """A condition as people read it."""
    return kind.replace("_", " ")


def conditions_under(encounter: Encounter, model: ModelRow) -> list[str]:
    """What a model is under, as far as it may be ended by hand."""
    played = game_of(encounter)
    if isinstance(played, Afflicts):
        return list(played.under(encounter, model))
    return [row.kind for row in encounter.conditions(model.id)]


@handles(AddCondition)
def add_condition(act: Act, action: AddCondition) -> Reply:
    """Only conditions that the game knows."""
    model = _mine(act, action.model)
    played = game_of(act.encounter)
    kind = find(action.condition, list(played.conditions()), str, "condition")
    if not 0 <= action.value <= 20:
        raise InvalidInput("A condition's grade is 0 to 20.")
    followed = Reply(())
    if isinstance(played, Afflicts):
        followed = played.afflict(act, model, kind, action.value)
    else:
        act.encounter.apply([Gain(model.id, kind, action.value, source="by hand")])
    grade = f" {action.value}" if action.value else ""
    return _with_more(f"{model.name} has the condition {condition_words(kind)}{grade}.", followed)


def _with_more(said: str, followed: Reply) -> Reply:
    """What was done by hand, and what followed from it."""
    return Reply((said, *followed.lines), buttons=(*followed.buttons, UNDO), why=followed.why)


@handles(ClearCondition)
def clear_condition(act: Act, action: ClearCondition) -> Reply:
    """Only what the model is under."""
    model = _mine(act, action.model)
    played, under = game_of(act.encounter), conditions_under(act.encounter, model)
    if not under:
        raise InvalidInput(f"{model.name} is under no condition.")
    ended, followed = (
        [find(action.condition, under, str, "condition")] if action.condition else under,
        Reply(()),
    )
    if isinstance(played, Afflicts):
        followed = played.relieve(act, model, ended)
    else:
        act.encounter.apply([Lose(model.id, kind) for kind in ended])
    return _with_more(f"{model.name} has no more: {', '.join(map(condition_words, ended))}.", followed)


@handles(ListConditions)
def list_conditions(act: Act, action: ListConditions) -> Reply:
    """Everybody who is under something."""
    lines = []
    for model in act.encounter.models():
        under = [
            f"{condition_words(row.kind)}{f' {row.value}' if row.value else ''}"
            f"{f' (until {row.until})' if row.until else ''}"
            for row in act.encounter.conditions(model.id)
        ]
        if under:
            lines.append(f"{model.name}: {', '.join(under)}")
    return Reply(tuple(lines or ["Nobody is under any condition."]), private=True)
