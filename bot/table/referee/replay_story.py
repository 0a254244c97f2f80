"""A game told again from its journal, step by step, as one person, a watcher or everyone saw it."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from bot.actions import ACTIONS, Action
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.book import Loaded
from bot.store.journal import PUBLISHED, Entry
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import ENDED, Encounter
from bot.table.game import FOLLOW_UPS
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE
from bot.table.referee import checks
from bot.table.referee.checks import READ_ERRORS, Forged
from bot.table.referee.film import board_after
from bot.table.session.possible_actions import Since, build_status_lines
from rules.refusals import InvalidInput
from rules.wording import times

WATCHER, EVERYBODY = "watcher", "everybody"
"""Views that belong to no person at the table: a watcher's, and everything after the end."""

VIEWERS = {WATCHER: "a watcher", EVERYBODY: "everyone"}
"""How sentences name those who have these views."""


@dataclass(frozen=True, slots=True)
class Seer:
    """With whose eyes a game is seen: a name, or the number of a person where it is known."""

    name: str = WATCHER
    user: int = 0

    def asked(self, entry: Mapping[str, Any]) -> bool:
        """Return whether what was answered in private was answered to them."""
        if self.user:
            return bool(_asker(entry)[0] == self.user)
        return self.name in (EVERYBODY, people_of(entry)[0])


@dataclass(frozen=True, slots=True)
class Told:
    """An entry as one person saw it. seq: its place in the journal; turn: the turn after it."""

    seq: int
    turn: int
    lines: tuple[str, ...]


def retold(data: bytes, name: str = WATCHER) -> list[str]:
    """Return the lines of an export as one person saw it. name: a person's name, `watcher` or `everybody`.

    Raises Forged for a file that was changed, and for a name that isn't in it.
    """
    written = checks.read_export(data)
    export = checks.restore_names(written)
    checks.check_export(written, export)
    entries: list[dict[str, Any]] = export["entries"]
    people = names_in(entries)
    if name not in (*people, WATCHER, EVERYBODY):
        choices = f"{', '.join(people)}, {WATCHER} or {EVERYBODY}"
        raise Forged(f"No one in this file is called {name}. Choose {choices}.")
    try:
        steps = list(told_by_entry(entries, Seer(name)))
    except READ_ERRORS as error:
        raise Forged(f"This file isn't an export, or it was changed: {error}") from None
    return [line for step in steps for line in (step.lines[0], *(f"    {one}" for one in step.lines[1:]))]


def names_in(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of all people who did something."""
    return sorted({who for entry in entries for who in people_of(entry)})


def told_by_entry(entries: Iterable[Mapping[str, Any]], seer: Seer) -> Iterator[Told]:
    """Yield each entry that the person saw: its number in the log, its author and its result."""
    number = turn = 0
    for entry in entries:
        secret = is_secret(entry)
        number += not secret
        turn = _turn_after(entry, turn)
        told = list(_told(entry, seer))
        if told:
            head = "(secret)" if secret else str(number)
            yield Told(entry["seq"], turn, (f"{head} {people_of(entry)[0]}: {told[0]}", *told[1:]))


def people_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return who asked it, and whose it is where that is another."""
    return tuple(dict.fromkeys((str(_asker(entry)[1]), str(entry["actor"]))))


def _asker(entry: Mapping[str, Any]) -> tuple[int, str]:
    number, name = json.loads(entry["asked"])["who"]
    return number, name


def is_secret(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry is secret, and so has no number in the log."""
    known = ACTIONS.get(entry["command"])
    return bool(entry["minor"]) and known is not None and known.secret


def _turn_after(entry: Mapping[str, Any], turn: int) -> int:
    for table, _, second in json.loads(entry["changes"]):
        if table == "encounters" and isinstance(second, dict) and "turn" in second:
            return int(second["turn"][1])
    return turn


def _told(entry: Mapping[str, Any], seer: Seer) -> Iterator[str]:
    if "reply" not in entry:
        if seer.asked(entry) or seer.name in people_of(entry) or not is_secret(entry):
            yield entry["title"]
        return
    mine = seer.asked(entry)
    reply = json.loads(entry["reply"])
    for part in (reply, *reply.get("also", ())):
        if mine or not (part.get("private") or is_secret(entry)):
            yield from part["lines"]


ME = "me"

MAX_TURNS = 25
"""Turns that a menu names."""

MAX_LINES = 30
"""Lines of one step that are shown at once."""

MAX_SINCE = 15
"""Steps that a summary tells; the last ones."""

MAX_LENGTH = 100
"""Letters of one step in a summary."""

NOTHING = "Nothing has been played in this channel yet."


@dataclass(frozen=True, slots=True)
class Played:
    """The game of a channel, every entry of its journal, and which of them are undone."""

    loaded: Loaded
    entries: Sequence[Entry]
    undone: Container[int]

    @property
    def encounter(self) -> Encounter:
        """Return the encounter as it is."""
        return Encounter(self.loaded.book())

    def told(self, seer: Seer) -> list[Told]:
        """Return the steps as one person saw them."""
        return list(told_by_entry(self._columns(), seer))

    def seers(self) -> Sequence[str]:
        """Return whose views are allowed: anyone's after the end."""
        if self.encounter.row.status != ENDED:
            return (ME, WATCHER)
        return (ME, WATCHER, EVERYBODY, *names_in(self._columns()))

    def _columns(self) -> Iterator[dict[str, Any]]:
        return ({name: getattr(entry, name) for name in PUBLISHED} for entry in self.entries)


def _seers(context: Asking) -> Sequence[str]:
    found = context.act.extra
    return found.seers() if isinstance(found, Played) else (ME, WATCHER)


def _seer(context: Asking, text: str) -> str:
    """Return the named person. Raises InvalidInput for anyone else, and for others while the game runs."""
    known = _seers(context)
    if text not in known:
        runs = "" if EVERYBODY in known else " You can see other people's views when the game has ended."
        raise InvalidInput(f"Choose one of these people: {', '.join(known)}.{runs}")
    return text


@dataclass(frozen=True, slots=True)
class Replay(Action):
    """Replay this channel's game, step by step (visible only to you).

    at: which step, from 0; -1 for the last. seer: the place of who saw it among all who may be named, which
    buttons carry, since a name may be too long for one.
    """

    command = "replay"
    typed = "replay"
    decision_of = ANYONE

    who: str | None = fields.sought(
        "Person whose view you want to see (until the game ends, only yours or a watcher's)", _seers, _seer
    )

    at: int = 0
    seer: int = -1


async def _played(store: Store, actor: Actor, action: Any) -> Played:
    loaded = await store.load(actor.reads)
    if loaded is None or loaded.scope.guild_id != actor.guild_id or not loaded.snapshot.get("encounters"):
        raise InvalidInput(NOTHING)
    return Played(loaded, await store.all_entries(actor.reads), await store.undone_among(actor.reads, 1))


@handles(Replay, Place.PLAYED, beforehand=_played, threaded=True)
def replay(act: Act, action: Replay) -> Reply:
    """Show one step, the way to its neighbours, and a menu of turns."""
    played: Played = act.extra
    place = _place(played, action)
    who = played.seers()[place]
    steps = played.told(Seer(who) if place else Seer(act.actor.name, act.actor.user_id))
    if not steps:
        raise InvalidInput("You weren't part of that game, so there is nothing to show you.")
    at = min(action.at, len(steps) - 1) if action.at >= 0 else len(steps) - 1
    step, last = steps[at], len(steps) - 1
    turn = f", turn {step.turn}" if step.turn else ""
    whose = f" as {VIEWERS.get(who, who)} saw it" if place else ""
    action = replace(action, who=None, seer=place)
    head = f"**{played.encounter.row.name}**{whose}: step {at + 1} of {len(steps)}{turn}"
    more = len(step.lines) - MAX_LINES
    lines = (head, *step.lines[:MAX_LINES], *([f"and {times(more, 'more line')}"] if more > 0 else []))

    def go(label: str, to: int, style: Any = "plain") -> Button:
        return Button(label, replace(action, at=to), style, anytime=True, disabled=not 0 <= to <= last)

    buttons = (go("Next", at + 1, "main"), go("Back", at - 1))
    then = None if act.tries else board_after(played.loaded.scope.id, played.entries, step.seq)
    pictures, turns = (then,) if then else (), _turns(action, steps)
    return Reply(lines, True, buttons, turns, pictures, replaces=True, tappable=True)


def _place(played: Played, action: Replay) -> int:
    known = played.seers()
    if 0 <= action.seer < len(known):
        return action.seer
    return list(known).index(action.who or ME)


def _turns(action: Replay, steps: Sequence[Told]) -> tuple[Menu, ...]:
    begins = [
        (turn, next(group)[0]) for turn, group in groupby(enumerate(steps), key=lambda one: one[1].turn)
    ]
    if len(begins) < 2:
        return ()
    choices = [Choice(f"Turn {turn}" if turn else "Before the first turn", str(at)) for turn, at in begins]
    return (Menu("Go to", action, "at", tuple(choices[-MAX_TURNS:]), anytime=True),)


@handles(Since, Place.PLAYED, beforehand=_played)
def since(act: Act, action: Since) -> Reply:
    """Show the state, and what was done since the person's own last entry, or else the last turn.

    What is undone is struck through, as in the log.
    """
    played: Played = act.extra
    if played.encounter.row.status == ENDED:
        raise InvalidInput("The game has ended. Use /replay to see it from the start.")
    steps = played.told(Seer(act.actor.name, act.actor.user_id))
    mine = [entry.seq for entry in played.entries if entry.actor_id == act.actor.user_id]
    new = [step for step in steps if step.seq > max(mine, default=0)] if mine else []
    head = "Since you were last here:"
    if not new:
        turn = steps[-1].turn if steps else 0
        new = [step for step in steps if step.turn == turn]
        so_far = f"Turn {turn} so far:" if turn else "So far:"
        head = f"Nothing new since you were last here. {so_far}" if mine else so_far
    told = [_short(step.lines[0], undone=step.seq in played.undone) for step in new[-MAX_SINCE:]]
    left = len(new) - len(told)
    before = [f"Earlier steps not shown: {left}."] if left else []
    first = next((at for at, step in enumerate(steps) if new and step.seq == new[0].seq), 0)
    way = Button("Step by step", Replay(at=first), anytime=True)
    stands = build_status_lines(played.encounter, act.actor, played.loaded.scope.moved)
    return Reply((*stands, "", head, *before, *told), private=True, buttons=(way,), tappable=True)


def _short(line: str, *, undone: bool) -> str:
    short = line if len(line) <= MAX_LENGTH else f"{line[: MAX_LENGTH - 1]}…"
    return f"~~{short}~~ (undone)" if undone else short


def _offer(encounter: Encounter) -> list[Button]:
    return [Button("Replay", Replay(), anytime=True)]


FOLLOW_UPS[4] = _offer
