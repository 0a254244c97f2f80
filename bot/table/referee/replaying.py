"""A game told again in its channel: step by step, and what happened since a person was last there.

While it runs, only to who asks, and only what that person saw; afterwards as anybody saw it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from bot.actions import Action
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.book import Loaded
from bot.store.journal import PUBLISHED, Entry
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import ENDED, Encounter
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE
from bot.table.referee.retold import EVERYBODY, WATCHER, Seer, Told, names_in, told_by_entry
from bot.table.session.coming_back import Since
from bot.table.session.ending import FOLLOW_UPS
from bot.table.session.what_now import what_now
from rules.refusals import InvalidInput

ME = "me"

MOST_TURNS = 25
"""Turns that a menu names."""

MOST_LINES = 30
"""Lines of one step that are shown at once."""

MOST_SINCE = 15
"""Steps that a summary tells; the last ones."""

LONGEST = 100
"""Letters of one step in a summary."""

NOTHING = "Nothing was played in this channel yet."


@dataclass(frozen=True, slots=True)
class Played:
    """The game of a channel, every entry of its journal, and which of them are undone."""

    loaded: Loaded
    entries: Sequence[Entry]
    undone: Container[int]

    @property
    def encounter(self) -> Encounter:
        """As it stands."""
        return Encounter(self.loaded.book())

    def told(self, seer: Seer) -> list[Told]:
        """Its steps as somebody saw them."""
        return list(told_by_entry(self._columns(), seer))

    def seers(self) -> Sequence[str]:
        """With whose eyes it may be seen: anybody's after the end."""
        if self.encounter.row.status != ENDED:
            return (ME, WATCHER)
        return (ME, WATCHER, EVERYBODY, *names_in(self._columns()))

    def _columns(self) -> Iterator[dict[str, Any]]:
        return ({name: getattr(entry, name) for name in PUBLISHED} for entry in self.entries)


def _seers(asking: Asking) -> Sequence[str]:
    """With whose eyes it may be seen."""
    found = asking.act.extra
    return found.seers() if isinstance(found, Played) else (ME, WATCHER)


def _seer(asking: Asking, text: str) -> str:
    """Who is named. Raises InvalidInput for anybody else, and while the game runs for others."""
    known = _seers(asking)
    if text not in known:
        runs = "" if EVERYBODY in known else " While the game runs, nobody sees what others saw."
        raise InvalidInput(f"As who? {', '.join(known)}.{runs}")
    return text


@dataclass(frozen=True, slots=True)
class Replay(Action):
    """Tell the game of this channel again, step by step, to you alone.

    at: which step, from 0; -1 for the last. seer: the place of who saw it among all who may be named, which
    buttons carry, since a name may be too long for one.
    """

    command = "replay"
    typed = "replay"
    decision_of = ANYONE

    who: str | None = fields.sought("As who saw it; somebody else only after the end", _seers, _seer)

    at: int = 0
    seer: int = -1


async def _played(store: Store, actor: Actor, action: Any) -> Played:
    loaded = await store.load(actor.reads)
    if loaded is None or loaded.scope.guild_id != actor.guild_id or not loaded.snapshot.get("encounters"):
        raise InvalidInput(NOTHING)
    return Played(loaded, await store.all_entries(actor.reads), await store.undone_among(actor.reads, 1))


@handles(Replay, Place.PLAYED, beforehand=_played)
def replay(act: Act, action: Replay) -> Reply:
    """One step, the way to those beside it, and a menu of turns."""
    played: Played = act.extra
    place = _place(played, action)
    who = played.seers()[place]
    steps = played.told(Seer(who) if place else Seer(act.actor.name, act.actor.user_id))
    if not steps:
        raise InvalidInput("You saw nothing of that game.")
    at = min(action.at, len(steps) - 1) if action.at >= 0 else len(steps) - 1
    step, last = steps[at], len(steps) - 1
    turn = f", turn {step.turn}" if step.turn else ""
    whose = f" as {who} saw it" if place else ""
    action = replace(action, who=None, seer=place)
    head = f"**{played.encounter.row.name}**{whose}: {at + 1} of {len(steps)}{turn}"
    more = len(step.lines) - MOST_LINES
    lines = (head, *step.lines[:MOST_LINES], *([f"... {more} lines more."] if more > 0 else []))

    def go(label: str, to: int, style: Any = "plain") -> Button:
        return Button(label, replace(action, at=to), style, anytime=True, disabled=not 0 <= to <= last)

    buttons = (go("Next", at + 1, "main"), go("Back", at - 1))
    return Reply(lines, True, buttons, _turns(action, steps), replaces=True)


def _place(played: Played, action: Replay) -> int:
    """The place of who is named among those with whose eyes it may be seen; 0 is who asks."""
    known = played.seers()
    if 0 <= action.seer < len(known):
        return action.seer
    return list(known).index(action.who or ME)


def _turns(action: Replay, steps: Sequence[Told]) -> tuple[Menu, ...]:
    """Where each turn begins."""
    begins = [
        (turn, next(group)[0]) for turn, group in groupby(enumerate(steps), key=lambda one: one[1].turn)
    ]
    if len(begins) < 2:
        return ()
    choices = [Choice(f"Turn {turn}" if turn else "Before the first turn", str(at)) for turn, at in begins]
    return (Menu("Go to", action, "at", tuple(choices[-MOST_TURNS:]), anytime=True),)


@handles(Since, Place.PLAYED, beforehand=_played)
def since(act: Act, action: Since) -> Reply:
    """Where it stands, and what was done behind the person's own last entry; of nothing, the last turn.

    What is undone is struck through, as in the log.
    """
    played: Played = act.extra
    if played.encounter.row.status == ENDED:
        raise InvalidInput("The game has ended. /replay tells it from its start.")
    steps = played.told(Seer(act.actor.name, act.actor.user_id))
    mine = [entry.seq for entry in played.entries if entry.actor_id == act.actor.user_id]
    new = [step for step in steps if step.seq > max(mine, default=0)] if mine else []
    head = "Since you were last here:"
    if not new:
        turn = steps[-1].turn if steps else 0
        new = [step for step in steps if step.turn == turn]
        head = f"Nothing since you were last here. Turn {turn}:" if mine else f"Turn {turn} so far:"
    told = [_short(step.lines[0], undone=step.seq in played.undone) for step in new[-MOST_SINCE:]]
    left = len(new) - len(told)
    before = [f"{left} steps before that."] if left else []
    first = next((at for at, step in enumerate(steps) if new and step.seq == new[0].seq), 0)
    way = Button("Step by step", Replay(at=first), anytime=True)
    stands = what_now(played.encounter, act.actor, played.loaded.scope.moved)
    return Reply((*stands, "", head, *before, *told), private=True, buttons=(way,), tappable=True)


def _short(line: str, *, undone: bool) -> str:
    short = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    return f"~~{short}~~ (undone)" if undone else short


def _offer(encounter: Encounter) -> list[Button]:
    """The button below the end of a game."""
    return [Button("Replay", Replay(), anytime=True)]


FOLLOW_UPS.append(_offer)
