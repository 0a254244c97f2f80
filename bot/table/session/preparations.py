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
from bot.table.rolling.dice_settings import AddWords, DiceMode, OpenWords, can_reveal_phrase
from bot.table.session.board_actions import ChooseTable, HideModel, build_deploy_buttons
from bot.table.session.encounters import BEGIN, READY, AskEnd, JoinEncounter
from bot.table.session.settings import Settings
from bot.table.session.whereabouts import MoveEncounter
from bot.table.waits import beginning
from rules.refusals import InvalidInput

COMMON_PREPARATIONS = (AddWords.command, DiceMode.command, Settings.command)
"""Preparations that every game has."""

NO_SIDE_YET = "Join a side first with /encounter join."


@dataclass(frozen=True, slots=True)
class SetUp(Action):
    """What can be set up by pressing, to the person who asks alone."""

    command = "encounter.setup"
    decision_of = ANYONE


@handles(SetUp)
def show_setup(act: Act, action: SetUp) -> Reply:
    """Show a button for each thing that may be done now, and why the rest may not."""
    encounter = act.encounter
    if encounter.row.status == ENDED:
        raise InvalidInput("This game has ended.")
    played_game = game_of(encounter)
    set_up_commands: Sequence[str] = played_game.sets_up if isinstance(played_game, SetsUp) else ()
    looking = Looking(act.book, act.actor)
    opening_commands = (OpenWords.command,) if can_reveal_phrase(encounter, act.actor.user_id) else ()
    needs_board = (
        isinstance(played_game, OnBoard) and encounter.row.status == SETUP and not has_board(encounter)
    )
    may_hide = has_board(encounter) and bool(concealed_from(encounter, act.actor.user_id))
    first_commands = (ChooseTable.command,) * needs_board + (HideModel.command,) * may_hide
    commands = (*first_commands, *set_up_commands, *opening_commands, *COMMON_PREPARATIONS)
    barred_kinds = [(kind, _find_refusal(looking, kind)) for kind in map(ACTIONS.__getitem__, commands)]
    buttons = [
        Button(title_of(kind), kind(), anytime=True, asks=bool(open_parts(kind.command)))
        for kind, reason in barred_kinds
        if not reason
    ]
    if act.is_organiser:
        buttons.append(Button("Move the game...", MoveEncounter(), anytime=True))
    words = len(encounter.words() or encounter.seals())
    real_dice_names = [seat.name for seat in encounter.players() if seat.dice != "bot"]
    lines = [
        f"Setting up {encounter.row.name}:",
        f"Secret phrases for the dice: {words}",
        f"Players who roll real dice: {', '.join(real_dice_names) or 'none'}",
        f"House rules changed: {len(encounter.row.settings)}",
        *(f"{', '.join(titles)}: {reason}" for reason, titles in _group_by_reason(barred_kinds).items()),
    ]
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


def _find_refusal(looking: Looking, kind: type[Action]) -> str:
    """Return why the person may not set that up now; without a seat, that comes first."""
    act, legal = looking.act(kind()), looking.legal(kind)
    is_untried = HANDLERS[kind.command].beforehand is not None
    if act.only_watches and (legal.reason or is_untried):
        return NOT_SEATED
    has_no_side = act.seat is None or not act.seat.side
    return (
        NO_SIDE_YET
        if has_no_side and legal.reason and kind.command not in COMMON_PREPARATIONS
        else legal.reason
    )


def _group_by_reason(barred_kinds: Sequence[tuple[type[Action], str]]) -> dict[str, list[str]]:
    titles_by_reason: dict[str, list[str]] = {}
    for kind, reason in barred_kinds:
        if reason:
            titles_by_reason.setdefault(reason, []).append(title_of(kind))
    return titles_by_reason


END_BUTTON = Button("End the game...", AskEnd(), "main", anytime=True)
"""Ends a game that is over, after a confirmation; only its organiser may."""


def build_question(left_to_do: Sequence[str], label: str, action: Action) -> Reply | None:
    """Return the question whether something ends although things are left to do; None if nothing is.

    label, action: the button that ends it anyway.
    """
    if not left_to_do:
        return None
    end_button = Button(label, action, "main")
    verb = "begin" if label == "Begin" else "continue"
    return Reply((*left_to_do, f"Press {label} to {verb} anyway."), private=True, buttons=(end_button,))


def build_join_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return the Join button while a side is free or can still be added."""
    sides = [side for side in encounter.sides() if encounter.models(side.id)]
    played_sides = {seat.side for seat in encounter.seats() if seat.role == "captain"}
    has_free_side = len(sides) < 2 or any(side.id not in played_sides for side in encounter.sides())
    style: Style = "main" if len(sides) < 2 else "plain"
    return (Button("Join...", JoinEncounter(), style, anytime=True),) if has_free_side else ()


def build_begin_buttons(encounter: Encounter, label: str = "Begin") -> tuple[Button, ...]:
    """Return Ready while several sides are still choosing, then Begin: the last one begins at once."""
    begin_label = beginning(encounter, label)
    return (READY if begin_label == READY.label else Button(begin_label, BEGIN, "main", anytime=True),)


def build_opening_buttons(
    encounter: Encounter, *extra_buttons: Button, is_ready: bool = True, label: str = "Begin"
) -> tuple[Button, ...]:
    """Return Begin once two sides have models, Join while a side is free, Set up, and Undo, as in the game.

    A side without a model on the board is deployed first. is_ready: what else the game needs is there.
    label: what the beginning is called.
    """
    sides = [side for side in encounter.sides() if encounter.models(side.id)]
    begin_buttons = build_begin_buttons(encounter, label) if len(sides) > 1 and is_ready else ()
    deploy_buttons = [button for button in build_deploy_buttons(encounter) if button.style == "main"]
    style: Style = "plain" if deploy_buttons else "main"
    return (
        *deploy_buttons,
        *(replace(button, style=style) for button in begin_buttons),
        *extra_buttons,
        *build_join_buttons(encounter),
        Button("Set up...", SetUp(), anytime=True),
        UNDO,
    )


BEGIN_FIRST = "Begin the game first; no model can act yet."


def require_begun(act: Act, action: Action, exempt_commands: Container[str], rule: str) -> None:
    """Refuse, before the first turn, whatever is not listed; an organiser may let it pass.

    exempt_commands: commands that need not wait. Chances may be asked at any time. Raises Barred.
    """
    if act.encounter.row.turn or action.command in exempt_commands or action.looks:
        return
    with act.overridable():
        raise Barred(BEGIN_FIRST, rule, *build_begin_buttons(act.encounter))
