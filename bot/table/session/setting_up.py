"""What is set up before a game, by pressing: words for the dice, whose dice, and what its game adds."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import ACTIONS, Action
from bot.replies.fit import folded
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking.forms import open_parts, title_of
from bot.table.asking.legal import Looking
from bot.table.encounter import ENDED
from bot.table.game import SetsUp, game_of
from bot.table.handlers import handles
from bot.table.rolling.dice import DiceMode
from bot.table.rolling.words import AddWords, OpenWords, opens
from bot.table.session.settings import Settings
from bot.table.session.whereabouts import MoveEncounter
from rules.records import dataclass
from rules.refusals import InvalidInput

ALWAYS = (AddWords.command, DiceMode.command, Settings.command)
"""What every game has."""


@dataclass(frozen=True, slots=True)
class SetUp(Action):
    """What can be set up by pressing, to the person who asks alone."""

    command = "encounter.setup"


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
    ways = [(ACTIONS[command], looking.legal(ACTIONS[command])) for command in (*own, *more, *ALWAYS)]
    buttons = [
        Button(title_of(kind), kind(), anytime=True, asks=bool(open_parts(kind.command)))
        for kind, legal in ways
        if not legal.reason
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
        *(f"{title_of(kind)}: {legal.reason}" for kind, legal in ways if legal.reason),
    ]
    return Reply(tuple(folded(lines)), private=True, buttons=tuple(buttons))
