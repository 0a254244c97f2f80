"""Correcting an open Upkeep: by the menu and its forms, or by `/upkeep` and its options.

Every correction has an author and a public reason, and changes no rolled die.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bot.actions import Action
from bot.games.counterblast.core.common import orders_of
from bot.games.counterblast.core.crews import NameLeader
from bot.games.counterblast.core.debts import is_upkeep_open
from bot.games.counterblast.state.ground import fire_named
from bot.games.counterblast.state.sight import cloud_names
from bot.games.counterblast.upkeep.leaders import appoint_leader
from bot.games.counterblast.upkeep.upkeep_actions import (
    ConfirmUpkeep,
    RollUpkeep,
    begin_upkeep,
    confirm,
    corrected_side,
    may_correct,
    require_models,
    require_open_upkeep,
    require_side,
    show_upkeep,
)
from bot.games.counterblast.upkeep.upkeep_draft import Note, Upkeep, UpkeepDraft, write_draft
from bot.games.counterblast.upkeep.upkeep_odds import RollingUpkeep, upkeep_odds
from bot.games.counterblast.upkeep.upkeep_steps import (
    CORRECTION_CHECKS,
    CORRECTION_FORMS,
    STEP_TITLES,
    AskCorrection,
    Correct,
    ReportFled,
    UpkeepOdds,
    WithdrawCorrection,
    describe_correction,
    list_corrections,
)
from bot.replies.reply import Button, Form, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Names, nothing
from bot.table.asking.table_kinds import split
from bot.table.handlers import handles
from bot.table.names import find, plain
from bot.table.owners import in_play
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.turn.activation import tokens_kept_by_new_leader
from rules.wording import times

MAX_REASON_LENGTH = 100
MAX_LABEL_LENGTH = 80
NOBODY = "nobody"
ModelIds = tuple[int, ...] | None
"""The models that are named, by their numbers; None where nothing is said."""

OPPOSITE = {"test": "spare", "spare": "test"}

OPTIONS = ("keep", "level", "test", "spare", "result", "timer", "fire", "cloud", "score", "bag", "drawer")
"""The corrections by the names that the command has for them."""


@dataclass(frozen=True, slots=True)
class TypedCorrection:
    """What is to be otherwise. name: of the model, side, fire or cloud; about: as the Upkeep keeps it."""

    kind: str
    name: str
    about: str
    value: str = ""

    @property
    def typed(self) -> str:
        """Return it as it is typed."""
        return f"{self.name}={self.value}" if self.value else self.name


def _correction_field(kind: str, label: str, names: Names = nothing) -> Any:
    return fields.sought(
        label,
        names,
        lambda context, text: _parse_correction(context.act, kind, text),
        written=lambda one: one.typed,
    )


def _parse_correction(act: ActView, kind: str, text: str) -> TypedCorrection:
    name, _, value = text.rpartition("=") if "=" in text else (text, "", "")
    if not value and kind not in ("keep", "test", "spare", "cloud", "drawer"):
        name, _, value = text.strip().rpartition(" ")
        if not name:
            raise Missing(f"Enter a name and the new value like this: `{kind}:NAME=VALUE`.")
    encounter, name, value = act.encounter, name.strip(), value.strip()
    if kind == "fire":
        fire = fire_named(encounter, name).name
        return TypedCorrection(kind, fire, fire, value)
    if kind == "cloud":
        cloud = find(name, cloud_names(encounter), str, "cloud")
        return TypedCorrection(kind, cloud, cloud, value)
    if kind in ("level", "score", "bag", "drawer"):
        side = encounter.find_side(name)
        return TypedCorrection(kind, side.name, str(side.id), value)
    model = encounter.find_model(name)
    return TypedCorrection(kind, f"#{model.id}", str(model.id), value or ("1" if kind == "keep" else ""))


def _models_field(label: str) -> Any:
    return fields.sought(label, nothing, _read_model_ids, written=_write_model_ids)


def _read_model_ids(context: Asking, text: str) -> tuple[int, ...]:
    if text.strip().casefold() == NOBODY:
        return ()
    return tuple(sorted({context.act.encounter.find_model(name).id for name in split(text)}))


def _write_model_ids(models: tuple[int, ...]) -> str:
    return ", ".join(f"#{number}" for number in models) or NOBODY


@dataclass(frozen=True, slots=True)
class UpkeepNamed(Action):
    """Run the Upkeep: correct its steps, roll and confirm.

    The open Upkeep by words: what is said, corrected, rolled and confirmed. Names with commas or =.
    """

    command = "upkeep"
    typed = "upkeep"
    decision_of = in_play("the side that a step of the Upkeep affects")

    near: ModelIds = _models_field("Models in Command Range of their leader, separated by commas")
    leader: ModelRow | None = fields.own_model("New leader for a crew that has lost its leader")
    fled: ModelIds = _models_field("Panicked models that ran off the table, separated by commas")
    order: ModelIds = _models_field(
        "Models that spend an order token (+1) on their test, separated by commas"
    )
    keep: TypedCorrection | None = _correction_field(
        "keep", "Model to keep in play: NAME, or NAME=LIFE (LIFE is 0 if the model stays down)"
    )
    level: TypedCorrection | None = _correction_field("level", "Corrected Panic Level: CREW=LEVEL")
    test: TypedCorrection | None = _correction_field(
        "test", "Model that also takes a panic test", offering.any_model
    )
    spare: TypedCorrection | None = _correction_field(
        "spare", "Model that takes no panic test", offering.any_model
    )
    result: TypedCorrection | None = _correction_field(
        "result", "Corrected test result: NAME=holds, panics or shaken"
    )
    timer: TypedCorrection | None = _correction_field("timer", "Condition that doesn't end: NAME=CONDITION")
    fire: TypedCorrection | None = _correction_field(
        "fire", "Size of a fire after this turn: NAME=INCHES (0 if it is out)"
    )
    cloud: TypedCorrection | None = _correction_field("cloud", "Cloud that stays on the table")
    score: TypedCorrection | None = _correction_field(
        "score", "Objective points to add (below 0 to take away): CREW=POINTS"
    )
    bag: TypedCorrection | None = _correction_field(
        "bag", "A crew's tokens in the bag next turn: CREW=TOKENS"
    )
    drawer: TypedCorrection | None = _correction_field("drawer", "Crew that draws first", offering.any_side)
    back: int = fields.whole("Number of the correction to withdraw", 0, 50, default=0)
    reason: str = fields.text("Reason for the correction (everyone can read it)", None, fact=True)
    roll: bool = fields.switch("Roll the dice now")
    confirm: bool = fields.switch("Confirm and begin the next turn")
    odds: bool = fields.odds("Only show the chances of the panic tests and fires")

    @property
    def decides(self) -> str:
        return "correction" if self.reason else ""


@handles(UpkeepNamed)
def upkeep_named(act: Act, action: UpkeepNamed) -> Reply:
    """Propose the Upkeep or show it; or the same as pressing what is shown."""
    encounter = act.encounter
    if action.odds:
        if action != UpkeepNamed(odds=True):
            raise InvalidInput("Leave the other options blank to see the odds.")
        return upkeep_odds(act, UpkeepOdds())
    if action.leader and not is_upkeep_open(encounter):
        act.canonical = NameLeader(action.leader.id)
        return appoint_leader(act, act.canonical)
    if not is_upkeep_open(encounter):
        act.require_player()
        if action != UpkeepNamed():
            raise InvalidInput("Begin the Upkeep first with /upkeep.")
        return begin_upkeep(act)
    notes = [option for option in (getattr(action, kind) for kind in OPTIONS) if option is not None]
    others = (action.fled, action.order, action.leader)
    if action.confirm or (
        action.roll and (notes or action.back or any(other is not None for other in others))
    ):
        if action != UpkeepNamed(confirm=True):
            raise InvalidInput("Correct, roll and confirm with separate commands, in that order.")
        act.canonical = ConfirmUpkeep()
        return confirm(act, act.canonical)
    if action.roll:
        return RollingUpkeep().run(act, RollUpkeep(action.near or ()))
    if action.leader:
        appoint_leader(act, NameLeader(action.leader.id))
    _store_entries(act, action.near, action.fled, action.order)
    changed = bool(notes or action.back or action.leader or any(other is not None for other in others))
    corrected = [_correct(act, Correct(note.kind, note.about, note.value, action.reason)) for note in notes]
    sentences = [f"{'; '.join(corrected)} (corrected)"] if corrected else []
    if action.back:
        sentences.append(_withdraw(act, WithdrawCorrection(action.back, action.reason)))
    return show_upkeep(act, ". ".join(sentences), changed=changed).minor(changed)


# ------------------------------------------------------------------------------------------- what is said


def _store_entries(act: Act, in_range: ModelIds, fled: ModelIds, ordered: ModelIds) -> None:
    if in_range is None and fled is None and ordered is None:
        return
    upkeep = require_open_upkeep(act)
    draft = upkeep.draft
    require_models(act, (*(in_range or ()), *(fled or ()), *(ordered or ())))
    for number in (*(in_range or ()), *(ordered or ())):
        if number in draft.rolled:
            raise InvalidInput(
                f"{upkeep.name(number)} has already rolled its test. You can still correct the result "
                '("Step 3: test results").'
            )
    for number in fled or ():
        _require_panicked(act, number)
    draft.near = draft.near if in_range is None else [*_keep_other_players_models(act, draft.near), *in_range]
    draft.fled = draft.fled if fled is None else [*_keep_other_players_models(act, draft.fled), *fled]
    if ordered is not None:
        rolled = [number for number in draft.ordered if number in draft.rolled]
        draft.ordered = list(
            dict.fromkeys([*rolled, *_keep_other_players_models(act, draft.ordered), *ordered])
        )
    write_draft(act.encounter, draft)
    for side in {act.encounter.model(number).side for number in ordered or ()}:
        _require_orders(act, side)


def _keep_other_players_models(act: Act, models: Iterable[int]) -> list[int]:
    return [number for number in models if not act.decides_for(act.encounter.model(number).side)]


def _require_panicked(act: Act, number: int) -> None:
    with act.overridable():
        if act.encounter.condition(number, Condition.PANICKED) is None:
            name = act.encounter.model(number).name
            raise Forbidden(f"{name} is not Panicked, so it can't run off the table.", "CB-CAS-06")


def _require_orders(act: Act, side: int) -> None:
    """Order tokens for panic tests: one each, of those that the crew will have. Rules: CB-ORDER-05."""
    act.require_side(side)
    upkeep = Upkeep.of(act)
    orders_left = orders_of(act.encounter.side(side))
    for number in upkeep.proposal.named:
        leader = upkeep.proposal.scene.model(number)
        if leader.side == side:
            orders_left = tokens_kept_by_new_leader(orders_left, leader)
    needed = sum(act.encounter.model(number).side == side for number in upkeep.draft.ordered)
    with act.overridable():
        if needed > orders_left:
            raise Forbidden(
                f"The crew has {times(orders_left, 'order token')} (you need {needed}).", "CB-ORDER-03"
            )


@handles(ReportFled)
def report_fled(act: Act, action: ReportFled) -> Reply:
    """Remove them with the others; they count for the Panic Level."""
    _store_entries(act, None, action.models, None)
    return show_upkeep(act).minor()


# ------------------------------------------------------------------------------------------- corrections


@handles(Correct)
def correct(act: Act, action: Correct) -> Reply:
    """Correct one thing of the proposal."""
    return show_upkeep(act, f"{_correct(act, action)} (corrected)").minor()


@handles(WithdrawCorrection)
def withdraw_correction(act: Act, action: WithdrawCorrection) -> Reply:
    """Drop a correction: the line is again as the rules have it."""
    return show_upkeep(act, _withdraw(act, action)).minor()


def _withdraw(act: Act, action: WithdrawCorrection) -> str:
    draft = require_open_upkeep(act).draft
    if not 1 <= action.number <= len(draft.notes):
        raise InvalidInput(f"There is no correction number {action.number}.")
    note, reason = draft.notes[action.number - 1], plain(action.reason, MAX_REASON_LENGTH)
    _require_own(act, note.kind, note.about)
    if not reason and _is_anothers(act, note):
        raise InvalidInput(
            f"{note.by} made this correction. To withdraw it, add a reason that everyone can read."
        )
    del draft.notes[action.number - 1]
    write_draft(act.encounter, draft)
    return f"Correction withdrawn ({act.actor.name}: {reason})" if reason else "Correction withdrawn"


def _is_anothers(act: Act, note: Note) -> bool:
    return note.by != act.actor.name


def _correct(act: Act, action: Correct) -> str:
    upkeep = require_open_upkeep(act)
    reason = plain(action.reason, MAX_REASON_LENGTH)
    if not reason:
        raise InvalidInput("Add a reason. Everyone will be able to read it.")
    if action.kind not in CORRECTION_CHECKS:
        raise InvalidInput(f"Choose what to correct: {', '.join(OPTIONS)}.")
    _require_own(act, action.kind, action.about)
    value = CORRECTION_CHECKS[action.kind](upkeep, action)
    note = Note(action.kind, action.about, value, act.actor.name, reason)
    draft = upkeep.draft
    draft.notes = [earlier for earlier in draft.notes if not _replaces(note, earlier)]
    draft.notes.append(note)
    write_draft(act.encounter, draft)
    return describe_correction(act.encounter, note)


def _require_own(act: Act, kind: str, subject: str) -> None:
    """Refuse a correction of what belongs to another side. Raises NotAllowed."""
    side = corrected_side(act.encounter, kind, subject)
    if side:
        require_side(act, side)


def _replaces(note: Note, other: Note) -> bool:
    if note.kind == "drawer" or OPPOSITE.get(note.kind) == other.kind:
        return other.kind == "drawer" or other.about == note.about
    matches = (note.kind, note.about) == (other.kind, other.about)
    return matches and (note.kind != "timer" or note.value == other.value)


# ------------------------------------------------------------------------------------------- the menu


def _is_own(act: Act, draft: UpkeepDraft, request: Correct | WithdrawCorrection) -> bool:
    """Return whether a correction, or taking one back, is the decision of the person who asks."""
    correction = request if isinstance(request, Correct) else draft.notes[request.number - 1]
    return may_correct(act, correction.kind, correction.about)


def _build_form(act: Act, upkeep: Upkeep, request: Correct | WithdrawCorrection) -> Form | None:
    """What is filled in for it: why alone, to take another's correction back; nothing for one's own."""
    if isinstance(request, Correct):
        return CORRECTION_FORMS.get(request.kind, CORRECTION_FORMS[""])
    return CORRECTION_FORMS[""] if _is_anothers(act, upkeep.draft.notes[request.number - 1]) else None


@handles(AskCorrection)
def ask_correction(act: Act, action: AskCorrection) -> Reply:
    """Return a button for each thing of a step that may be corrected; to the person who asks."""
    upkeep = require_open_upkeep(act)
    draft = upkeep.draft
    if action.step not in STEP_TITLES:
        raise Missing(f"Choose one of these steps: {', '.join(STEP_TITLES)}.")
    own_corrections = [
        (label, request)
        for label, request in list_corrections(upkeep, action.step)
        if _is_own(act, draft, request)
    ]
    if not own_corrections:
        return Reply(("There is nothing to correct in this step.",), private=True)
    buttons = [
        Button(label[:MAX_LABEL_LENGTH], request, form=_build_form(act, upkeep, request))
        for label, request in own_corrections
    ]
    return Reply(
        (STEP_TITLES[action.step], "Everyone can read your reason."), private=True, buttons=tuple(buttons)
    )
