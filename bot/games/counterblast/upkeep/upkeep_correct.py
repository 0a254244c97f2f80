"""Correcting an open Upkeep: by the menu and its forms, or by `/upkeep` and its options.

Every correction has its author and a reason, is read by everybody, and changes no die that has fallen.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import orders_of
from bot.games.counterblast.ground.fires import fire_named
from bot.games.counterblast.setup.departures import NameLeader
from bot.games.counterblast.setup.lead_play import lead
from bot.games.counterblast.shooting.cloud_marks import cloud_names
from bot.games.counterblast.upkeep.upkeep_asked import (
    FORMS,
    STEPS,
    AskCorrection,
    Correct,
    SayFled,
    TakeBack,
    UpkeepOdds,
    described,
)
from bot.games.counterblast.upkeep.upkeep_checks import CHECKS
from bot.games.counterblast.upkeep.upkeep_draft import Note, Upkeep, is_open, write_draft
from bot.games.counterblast.upkeep.upkeep_odds import RollingUpkeep, upkeep_odds
from bot.games.counterblast.upkeep.upkeep_play import (
    ConfirmUpkeep,
    RollUpkeep,
    begin,
    confirm,
    opened,
    show,
)
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.names import find, plain
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.panic import may_panic
from rules.systems.counterblast.turn.orders import kept_after_succession

LONGEST_REASON = 100
LONGEST_LABEL = 80
NOBODY = "nobody"
OPPOSITE = {"test": "spare", "spare": "test"}

OPTIONS = ("keep", "level", "test", "spare", "result", "timer", "fire", "cloud", "score", "bag", "drawer")
"""The corrections by the names that the command has for them."""


@dataclass(frozen=True, slots=True)
class UpkeepNamed(Action):
    """Upkeep: propose it, correct its steps, roll, confirm.

    The open Upkeep by words: what is said, corrected, rolled and confirmed. Names with commas or =.
    """

    command = "upkeep"
    typed = "upkeep"

    near: str = fields.text("Who is in Command Range of their leader, with commas", None)
    leader: str = fields.words("Who leads a crew that lost its leader", offering.own_model)
    fled: str = fields.text("Panicked models that ran off the table, with commas", None)
    order: str = fields.text("Who gets +1 on the panic test for an order token, with commas", None)
    keep: str = fields.text("Who is not removed: NAME, or NAME=LIFE (0: stays down)", None)
    level: str = fields.text("A Panic Level: CREW=LEVEL", None)
    test: str = fields.words("Who tests as well", offering.any_model)
    spare: str = fields.words("Who does not test", offering.any_model)
    result: str = fields.text("A test overturned: NAME=holds, panics or shaken", None)
    timer: str = fields.text("What does not end: NAME=CONDITION", None)
    fire: str = fields.text("A fire after this turn: NAME=R, 0 for out", None)
    cloud: str = fields.text("A cloud that stays", None)
    score: str = fields.text("Objective points more or less: CREW=POINTS", None)
    bag: str = fields.text("Tokens in the next bag: CREW=TOKENS", None)
    drawer: str = fields.words("The crew that draws first", offering.any_side)
    back: int = fields.whole("The number of a correction to take back", 0, 50, default=0)
    reason: str = fields.text("Why it is corrected: everybody reads it", None)
    roll: bool = fields.switch("Roll what is to be rolled")
    confirm: bool = fields.switch("Carry it out and begin the next turn")
    odds: bool = fields.odds("Only show the chances that models hold")


@handles(UpkeepNamed)
def upkeep_named(act: Act, action: UpkeepNamed) -> Reply:
    """Propose the Upkeep or show it; or the same as pressing what is shown."""
    encounter = act.encounter
    if action.odds:
        if action != UpkeepNamed(odds=True):
            raise InvalidInput("One after the other: ask for the odds, or say something.")
        return upkeep_odds(act, UpkeepOdds())
    if action.leader and not is_open(encounter):
        act.canonical = NameLeader(encounter.find_model(action.leader).id)
        return lead(act, act.canonical)
    if not is_open(encounter):
        act.require_player()
        if action != UpkeepNamed():
            raise InvalidInput("Upkeep has not begun: /upkeep alone proposes it.")
        return begin(act)
    said = [kind for kind in OPTIONS if getattr(action, kind)]
    if action.confirm or (action.roll and (said or action.fled or action.order or action.leader)):
        if action != UpkeepNamed(confirm=True):
            raise InvalidInput("One after the other: correct, then roll, then confirm.")
        act.canonical = ConfirmUpkeep()
        return confirm(act, act.canonical)
    near = _models(act, action.near)
    if action.roll:
        return RollingUpkeep().run(act, RollUpkeep(near or ()))
    if action.leader:
        lead(act, NameLeader(encounter.find_model(action.leader).id))
    _say(act, near, _models(act, action.fled), _models(act, action.order))
    told = [_correct(act, _parsed(act, kind, getattr(action, kind), action.reason)) for kind in said]
    if action.back:
        take_back(act, TakeBack(action.back))
    return show(act, f"{'; '.join(told)}, corrected" if told else "", changed=act.minor)


def _models(act: Act, text: str) -> tuple[int, ...] | None:
    """Models by name; none for nobody, None where nothing is said."""
    if not text.strip():
        return None
    if text.strip().casefold() == NOBODY:
        return ()
    return tuple(sorted({act.encounter.find_model(part).id for part in text.split(",") if part.strip()}))


# ------------------------------------------------------------------------------------------- what is said


Said = tuple[int, ...] | None
"""The models that are named; None where nothing is said."""


def _say(act: Act, near: Said, fled: Said, ordered: Said) -> None:
    """Keep what only the players can see; dice that have fallen stay as they fell."""
    if near is None and fled is None and ordered is None:
        return
    open_one = opened(act)
    draft = open_one.draft
    for number in (*(near or ()), *(ordered or ())):
        if number in draft.rolled:
            raise InvalidInput(f"{open_one.name(number)} has tested: its dice stand. Overturn it: result.")
    for number in fled or ():
        _require_panicked(act, number)
    draft.near = draft.near if near is None else list(near)
    draft.fled = draft.fled if fled is None else list(fled)
    if ordered is not None:
        draft.ordered = [number for number in draft.ordered if number in draft.rolled] + list(ordered)
    write_draft(act.encounter, draft)
    for side in {act.encounter.model(number).side for number in ordered or ()}:
        _require_orders(act, side)
    act.minor = True


def _require_panicked(act: Act, number: int) -> None:
    with act.overridable():
        if act.encounter.condition(number, Condition.PANICKED) is None:
            name = act.encounter.model(number).name
            raise Forbidden(f"{name} is not panicked: only those who are run off.", "CB-CAS-06")


def _require_orders(act: Act, side: int) -> None:
    """Order tokens for panic tests: one each, of those that the crew will have. Rules: CB-ORDER-05."""
    act.require_side(side)
    open_one = Upkeep.of(act)
    held = orders_of(act.encounter.side(side))
    for number in open_one.proposal.named:
        leader = open_one.proposal.scene.model(number)
        if leader.side == side:
            held = kept_after_succession(held, leader)
    wanted = sum(act.encounter.model(number).side == side for number in open_one.draft.ordered)
    with act.overridable():
        if wanted > held:
            raise Forbidden(f"The crew has {held} order tokens, not {wanted}.", "CB-ORDER-03")


@handles(SayFled)
def say_fled(act: Act, action: SayFled) -> Reply:
    """They are removed with the others, and count for the Panic Level."""
    _say(act, None, action.models, None)
    return show(act)


# ------------------------------------------------------------------------------------------- corrections


@handles(Correct)
def correct(act: Act, action: Correct) -> Reply:
    """One thing is otherwise than proposed."""
    return show(act, f"{_correct(act, action)}, corrected")


@handles(TakeBack)
def take_back(act: Act, action: TakeBack) -> Reply:
    """A correction is dropped: the line is again as the rules have it."""
    draft = opened(act).draft
    if not 1 <= action.number <= len(draft.notes):
        raise InvalidInput(f"There is no correction {action.number}.")
    del draft.notes[action.number - 1]
    write_draft(act.encounter, draft)
    act.minor = True
    return show(act, "as it was")


def _correct(act: Act, action: Correct) -> str:
    """Keep a correction; gives it in words."""
    open_one = opened(act)
    reason = plain(action.reason, LONGEST_REASON)
    if not reason:
        raise InvalidInput("Say why, for everybody to read: reason.")
    if action.kind not in CHECKS:
        raise InvalidInput(f"What can be corrected: {', '.join(OPTIONS)}.")
    value = CHECKS[action.kind](open_one, action)
    note = Note(action.kind, action.about, value, act.actor.name, reason)
    draft = open_one.draft
    draft.notes = [one for one in draft.notes if not _replaces(note, one)]
    draft.notes.append(note)
    write_draft(act.encounter, draft)
    act.minor = True
    return described(act.encounter, note)


def _replaces(note: Note, earlier: Note) -> bool:
    if note.kind == "drawer" or OPPOSITE.get(note.kind) == earlier.kind:
        return earlier.kind == "drawer" or earlier.about == note.about
    same = (note.kind, note.about) == (earlier.kind, earlier.about)
    return same and (note.kind != "timer" or note.value == earlier.value)


def _parsed(act: Act, kind: str, text: str, reason: str) -> Correct:
    """A correction typed as NAME, NAME=VALUE or NAME VALUE."""
    name, _, value = text.rpartition("=") if "=" in text else (text, "", "")
    if not value and kind not in ("keep", "test", "spare", "cloud", "drawer"):
        name, _, value = text.strip().rpartition(" ")
        if not name:
            raise InvalidInput(f"Give a name and what it is to be: {kind}: NAME=VALUE.")
    encounter = act.encounter
    if kind == "fire":
        about = fire_named(encounter, name.strip()).name
    elif kind == "cloud":
        about = find(name.strip(), cloud_names(encounter), str, "cloud")
    elif kind in ("level", "score", "bag", "drawer"):
        about = str(encounter.find_side(name.strip()).id)
    else:
        about = str(encounter.find_model(name.strip()).id)
    if kind == "keep" and not value:
        value = "1"
    return Correct(kind, about, value.strip(), reason)


# ------------------------------------------------------------------------------------------- the menu


@handles(AskCorrection)
def ask_correction(act: Act, action: AskCorrection) -> Reply:
    """A button for each thing of a step that may be corrected; to the person who asks."""
    open_one = opened(act)
    if action.step not in STEPS:
        raise InvalidInput(f"The steps: {', '.join(STEPS)}.")
    offered = _offers(open_one, action.step)
    if not offered:
        return Reply((f"{STEPS[action.step]}: there is nothing.",), private=True)
    buttons = [
        Button(
            label[:LONGEST_LABEL],
            asked,
            form=FORMS.get(asked.kind, FORMS[""]) if isinstance(asked, Correct) else None,
        )
        for label, asked in offered
    ]
    return Reply((STEPS[action.step], "Everybody will read it."), private=True, buttons=tuple(buttons))


def _offers(open_one: Upkeep, step: str) -> list[tuple[str, Correct | TakeBack]]:
    proposal, name = open_one.proposal, open_one.name
    sides = open_one.encounter.sides()
    match step:
        case "removed":
            return [
                (f"Keep {name(one.model)}", Correct("keep", str(one.model)))
                for one in proposal.removed
                if one.model not in open_one.draft.fled
            ]
        case "levels":
            return [(f"{side.name}: level", Correct("level", str(side.id))) for side in sides]
        case "tests":
            return _tests(open_one)
        case "results":
            return _results(open_one)
        case "ends":
            held = [
                (f"Hold {name(one.model)}: {one.condition}", Correct("timer", str(one.model), one.condition))
                for one in proposal.ending
            ]
            fires = [(f"{fire}: size", Correct("fire", fire)) for fire in open_one.draft.fires]
            return [*held, *fires, *((f"{one} stays", Correct("cloud", one)) for one in open_one.clouds())]
        case "score":
            return [(f"{side.name}: points", Correct("score", str(side.id))) for side in sides]
        case "bag":
            return [(f"{side.name}: tokens", Correct("bag", str(side.id))) for side in sides]
        case "drawer":
            return [(f"{side.name} draw first", Correct("drawer", str(side.id))) for side in sides]
    return [
        (f"Drop {number}. {described(open_one.encounter, note)}", TakeBack(number))
        for number, note in enumerate(open_one.draft.notes, 1)
    ]


def _tests(open_one: Upkeep) -> list[tuple[str, Correct | TakeBack]]:
    due = {test.model for test in open_one.proposal.tests}
    scared = {panic.side for panic in open_one.proposal.levels if panic.level}
    more = [
        model
        for model in open_one.proposal.scene.models
        if model.id not in due and model.side in scared and may_panic(model)
    ]
    return [
        *((f"{open_one.name(number)} does not", Correct("spare", str(number))) for number in sorted(due)),
        *((f"{model.name} tests too", Correct("test", str(model.id))) for model in more),
    ]


def _results(open_one: Upkeep) -> list[tuple[str, Correct | TakeBack]]:
    counted = open_one.results()
    return [
        (f"{open_one.name(one.test.model)} {other}", Correct("result", str(one.test.model), other))
        for one in open_one.tested()
        for other in ("holds" if counted[one.test.model].panicked else "panics",)
    ]
