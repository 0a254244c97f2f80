"""What is set up before a game begins, and what waits until it has begun."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from bot.actions import ACTIONS, Action
from bot.replies.reply import Button, Reply, Style
from bot.table.act import NOT_SEATED, Act, Barred
from bot.table.board.surface import has_board
from bot.table.encounter import ENDED, SETUP, Encounter
from bot.table.game import OnBoard, SetsUp, concealed_from, game_of
from bot.table.handlers import HANDLERS, handles
from bot.table.journal.history import UNDO
from bot.table.offers.forms import open_parts, title_of
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE
from bot.table.rolling.dice_settings import AddWords, DiceMode, OpenWords, opens
from bot.table.session.board_actions import ChooseTable, HideModel, deploying
from bot.table.session.encounters import BEGIN, READY, AskEnd, JoinEncounter
from bot.table.session.settings import Settings
from bot.table.session.whereabouts import MoveEncounter
from bot.table.waits import beginning
from rules.refusals import InvalidInput

ALWAYS = (AddWords.command, DiceMode.command, Settings.command)
"""Preparations that every game has."""

NO_SIDE_YET = "Join a side first with /encounter join."


@dataclass(frozen=True, slots=True)
class SetUp(Action):
    """What can be set up by pressing, to the person who asks alone."""

    command = "encounter.setup"
    decision_of = ANYONE


@handles(SetUp)
def set_up(act: Act, action: SetUp) -> Reply:
    """Show a button for each thing that may be done now, and why the rest may not."""
    encounter = act.encounter
    if encounter.row.status == ENDED:
        raise InvalidInput("This game has ended.")
    played = game_of(encounter)
    set_up_commands: Sequence[str] = played.sets_up if isinstance(played, SetsUp) else ()
    looking = Looking(act.book, act.actor)
    opening_commands = (OpenWords.command,) if opens(encounter, act.actor.user_id) else ()
    boards = isinstance(played, OnBoard) and encounter.row.status == SETUP and not has_board(encounter)
    hides = has_board(encounter) and bool(concealed_from(encounter, act.actor.user_id))
    first = (ChooseTable.command,) * boards + (HideModel.command,) * hides
    commands = (*first, *set_up_commands, *opening_commands, *ALWAYS)
    barred_kinds = [(kind, _barred(looking, kind)) for kind in map(ACTIONS.__getitem__, commands)]
    buttons = [
        Button(title_of(kind), kind(), anytime=True, asks=bool(open_parts(kind.command)))
        for kind, reason in barred_kinds
        if not reason
    ]
    if act.is_organiser:
        buttons.append(Button("Move the game...", MoveEncounter(), anytime=True))
    words = len(encounter.words() or encounter.seals())
    real = [seat.name for seat in encounter.players() if seat.dice != "bot"]
    lines = [
        f"Setting up {encounter.row.name}:",
        f"Secret phrases for the dice: {words}",
        f"Players who roll real dice: {', '.join(real) or 'none'}",
        f"House rules changed: {len(encounter.row.settings)}",
        *(f"{', '.join(titles)}: {reason}" for reason, titles in _by_reason(barred_kinds).items()),
    ]
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


def _barred(looking: Looking, kind: type[Action]) -> str:
    """Return why the person may not set that up now; without a seat, that comes first."""
    act, legal = looking.act(kind()), looking.legal(kind)
    untried = HANDLERS[kind.command].beforehand is not None
    if act.only_watches and (legal.reason or untried):
        return NOT_SEATED
    sideless = act.seat is None or not act.seat.side
    return NO_SIDE_YET if sideless and legal.reason and kind.command not in ALWAYS else legal.reason


def _by_reason(barred_kinds: Sequence[tuple[type[Action], str]]) -> dict[str, list[str]]:
    by_reason: dict[str, list[str]] = {}
    for kind, reason in barred_kinds:
        if reason:
            by_reason.setdefault(reason, []).append(title_of(kind))
    return by_reason


END = Button("End the game...", AskEnd(), "main", anytime=True)
"""Ends a game that is over, asked first; only its organiser may."""


def ask_first(left: Sequence[str], label: str, action: Action) -> Reply | None:
    """Return the question whether something ends although things are left to do; None if nothing is.

    label, action: the button that ends it anyway.
    """
    if not left:
        return None
    end_button = Button(label, action, "main")
    verb = "begin" if label == "Begin" else "continue"
    return Reply((*left, f"Press {label} to {verb} anyway."), private=True, buttons=(end_button,))


def join_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return a place, while a side is free or still to come."""
    sides = [side for side in encounter.sides() if encounter.models(side.id)]
    played = {seat.side for seat in encounter.seats() if seat.role == "captain"}
    has_free_side = len(sides) < 2 or any(side.id not in played for side in encounter.sides())
    style: Style = "main" if len(sides) < 2 else "plain"
    return (Button("Join...", JoinEncounter(), style, anytime=True),) if has_free_side else ()


def begin_buttons(encounter: Encounter, label: str = "Begin") -> tuple[Button, ...]:
    """Return Ready while several sides are still choosing, then Begin: the last one begins at once."""
    begin_label = beginning(encounter, label)
    return (READY if begin_label == READY.label else Button(begin_label, BEGIN, "main", anytime=True),)


def opening_buttons(
    encounter: Encounter, *others: Button, is_ready: bool = True, label: str = "Begin"
) -> tuple[Button, ...]:
    """Begin once two sides have models, a place while a side is free; what is set up; Undo, as in the game.

    A side without a model on the board is deployed first. is_ready: what else the game needs is there.
    label: what the beginning is called.
    """
    sides = [side for side in encounter.sides() if encounter.models(side.id)]
    begin = begin_buttons(encounter, label) if len(sides) > 1 and is_ready else ()
    deploy = [button for button in deploying(encounter) if button.style == "main"]
    style: Style = "plain" if deploy else "main"
    return (
        *deploy,
        *(replace(button, style=style) for button in begin),
        *others,
        *join_buttons(encounter),
        Button("Set up...", SetUp(), anytime=True),
        UNDO,
    )


SENTENCE = "Begin the game first; no model can act yet."


def wait_for_begin(act: Act, action: Action, anytime: Container[str], rule: str) -> None:
    """Refuse, before the first turn, whatever is not listed; an organiser may let it pass.

    anytime: commands that need not wait. Chances may be asked at any time. Raises Barred.
    """
    if act.encounter.row.turn or action.command in anytime or action.looks:
        return
    with act.overridable():
        raise Barred(SENTENCE, rule, *begin_buttons(act.encounter))
