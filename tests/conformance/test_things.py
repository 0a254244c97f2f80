"""Fields are things: what names something on the table is read at the door, and by nobody else."""

from __future__ import annotations

import bot.app
from bot.actions import ACTIONS, parts
from bot.table.asking.kinds import Listed, Suggested

assert bot.app.ALL_GAMES

NAMED_NOW = "what it is called from now on"
NEW = "may be one that there is not yet"

WORDS: dict[str, str] = {
    "board.hide who": "a secret that is no row before it is revealed",
    "board.move where": "a way has a notation of its own",
    "board.place where": "a place has a notation of its own",
    "board.table table": "a size may stand for a name",
    "book thing": "looked for in the figures of a game, not at the table: nearly right is answered too",
    "cb.structure name": NAMED_NOW,
    "crew.trait value": "what may be said depends on the trait, and lists have signs of their own",
    "model.remove how": "the usual ways to leave play, or any other words",
    "why model": "may have left the game, or its scope, long ago",
    "wz.add squad": NEW,
    "fe.sustain power": NEW,
    "wz.squad name": NAMED_NOW,
}
"""Fields that hold words of which some are suggested, each with the reason why they are words."""


def test_what_names_a_thing_is_read_into_it() -> None:
    found = {
        f"{command} {part.name}"
        for command, action in ACTIONS.items()
        if action.__module__.startswith("bot.")
        for part in parts(command)
        if type(part.kind) in (Suggested, Listed)
    }
    assert sorted(found - set(WORDS)) == [], "a name is read by a kind of its own, or has a reason"
    assert sorted(set(WORDS) - found) == [], "is a thing now"
