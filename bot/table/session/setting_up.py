"""What is set up before a game, by pressing: words for the dice, whose dice, and what its game adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import ACTIONS, Action
from bot.replies.reply import Button, Reply
from bot.table.act import NOT_SEATED, Act
from bot.table.asking.forms import open_parts, title_of
from bot.table.asking.legal import Looking
from bot.table.encounter import ENDED
from bot.table.game import SetsUp, game_of
from bot.table.handlers import HANDLERS, handles
from bot.table.owners import ANYONE
from bot.table.rolling.dice import DiceMode
from bot.table.rolling.words import AddWords, OpenWords, opens
from bot.table.session.settings import Settings
from bot.table.session.whereabouts import MoveEncounter
from rules.refusals import InvalidInput

ALWAYS = (AddWords.command, DiceMode.command, Settings.command)
"""What every game has."""

NO_SIDE_YET = "You play no side yet: /encounter join."


@dataclass(frozen=True, slots=True)
class SetUp(Action):
    """What can be set up by pressing, to the person who asks alone."""

    command = "encounter.setup"
    decision_of = ANYONE


@handles(SetUp)
def set_up(act: Act, action: SetUp) -> Reply:
    """A button for each thing that may be done now; why the rest may not."""
    encounter = act.encounter
    if encounter.row.status == ENDED:
        raise InvalidInput("This encounter has ended.")
    played = game_of(encounter)
    own: Sequence[str] = played.sets_up if isinstance(played, SetsUp) else ()
    looking = Looking(act.book, act.actor)
    more = (OpenWords.command,) if opens(encounter, act.actor.user_id) else ()
    ways = [(kind, _barred(looking, kind)) for kind in map(ACTIONS.__getitem__, (*own, *more, *ALWAYS))]
    buttons = [
        Button(title_of(kind), kind(), anytime=True, asks=bool(open_parts(kind.command)))
        for kind, reason in ways
        if not reason
    ]
    if act.is_organiser:
        buttons.append(Button("Another place", MoveEncounter(), anytime=True))
    words = len(encounter.words() or encounter.seals())
    real = [seat.name for seat in encounter.players() if seat.dice != "bot"]
    lines = [
        f"Setting up {encounter.row.name}:",
        f"Words in the dice: {words}",
        f"Real dice: {', '.join(real) or 'nobody'}",
        f"Settings changed: {len(encounter.row.settings)}",
        *(f"{', '.join(titles)}: {reason}" for reason, titles in _by_reason(ways).items()),
    ]
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


def _barred(looking: Looking, kind: type[Action]) -> str:
    """Why who asks may not set that up now; who has no seat is told to take one, whatever else bars it."""
    act, legal = looking.act(kind()), looking.legal(kind)
    untried = HANDLERS[kind.command].beforehand is not None
    if act.only_watches and (legal.reason or untried):
        return NOT_SEATED
    sideless = act.seat is None or not act.seat.side
    return NO_SIDE_YET if sideless and legal.reason and kind.command not in ALWAYS else legal.reason


def _by_reason(ways: Sequence[tuple[type[Action], str]]) -> dict[str, list[str]]:
    """What may not be done, under each reason."""
    found: dict[str, list[str]] = {}
    for kind, reason in ways:
        if reason:
            found.setdefault(reason, []).append(title_of(kind))
    return found
