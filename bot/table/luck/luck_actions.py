"""Was that luck? Each side's and each player's, of the game that was played here last, when it is over."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.store.book import Loaded
from bot.store.journal import numbers_of_people
from bot.store.rows import EncounterRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.encounter import ENDED, Encounter
from bot.table.entries import numbers_of
from bot.table.game import FOLLOW_UPS
from bot.table.handlers import Place, handles
from bot.table.journal.log import document
from bot.table.luck.luck_report import (
    ToldLuck,
    closing,
    dealt_words,
    deciding,
    deciding_lines,
    falls_of,
    lines_of,
    luck_picture,
    rolls_words,
    told,
)
from bot.table.luck.replayed_rolls import FallenGame, played
from bot.table.owners import ANYONE
from rules.refusals import InvalidInput

MAX_KEPT = 128
"""The largest number of finished games whose rolls are kept in memory; these games can't change."""

MAX_ENTRIES = 5_000
"""Entries of a game that is played again; a longer one would take too long."""

_kept: OrderedDict[tuple[int, str], FallenGame] = OrderedDict()


@dataclass(frozen=True, slots=True)
class ShowLuck(Action):
    """See how lucky each side was in the last game here."""

    command = "odds.luck"
    typed = "odds luck"
    decision_of = ANYONE

    @property
    def looks(self) -> bool:
        """Return True: nothing is done."""
        return True


@dataclass(frozen=True, slots=True)
class Found:
    """A finished game as it fell, and the numbers of its entries as players read them."""

    game: FallenGame
    number: dict[int, int]


async def fell(store: Store, scope: int) -> Found:
    """Return how the finished game of a scope fell. Raises InvalidInput for one that runs, or is too long."""
    loaded = await store.load(scope) if scope else None
    row = loaded.book().get(EncounterRow) if loaded else None
    if loaded is None or row is None:
        raise InvalidInput("No game has been played in this channel yet.")
    if row.status != ENDED:
        raise InvalidInput("Wait until the game has ended to see how lucky each side was.")
    cache_key = _key(store, loaded)
    if cache_key not in _kept:
        entries = await store.written_entries(scope)
        if len(entries) > MAX_ENTRIES:
            raise InvalidInput(
                f"This game is too long for its luck to be worked out ({len(entries)} entries)."
            )
        undone = await store.undone_among(scope, 1)
        people_meant = await store.meant(entries)
        people = numbers_of_people(people_meant)
        _kept[cache_key] = await played(
            row.name, document(row, loaded, entries, people_meant), undone, people
        )
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)
    number = await numbers_of(store, scope)
    return Found(_kept[cache_key], {roll.entry: number(roll.entry) for roll in _kept[cache_key].rolls})


async def is_known(store: Store, scope: int) -> bool:
    """Return whether it is known how the game of a scope fell, so that it need not be played again."""
    loaded = await store.load(scope)
    return loaded is not None and _key(store, loaded) in _kept


def _key(store: Store, loaded: Loaded) -> tuple[int, str]:
    """Return a key for a game in its present state and with its present names."""
    return loaded.scope.id, f"{loaded.scope.chain} {store.people.forgotten}"


async def _last(store: Store, actor: Actor, action: ShowLuck) -> Found:
    return await fell(store, actor.reads)


@handles(ShowLuck, Place.PLAYED, beforehand=_last)
def luck(act: Act, action: ShowLuck) -> Reply:
    """Show the luck of sides and players, the rolls that decided, and a picture."""
    decided_luck: Found = act.extra
    game = decided_luck.game
    ids = sorted(
        {roll.side for roll in game.rolls} | {side for roll in game.rolls for side, _ in roll.against}
    )
    sides = [told(game.sides[side], falls_of(game.rolls, side=side)) for side in ids]
    if not sides:
        return say(f"There are no rolls in {game.name} to judge luck by.", private=True)
    lines = [f"Luck in {game.name}: {rolls_words(len(game.rolls))}"]
    for side_luck in sides:
        lines += lines_of(side_luck)
    lines += _players(game, len(sides))
    lines += [closing(sides)]
    lines += _wounds(game, ids)
    decided = deciding(game.rolls)
    lines += (
        ["Rolls that made the difference:", *deciding_lines(decided, decided_luck.number, game.sides)]
        if decided
        else []
    )
    lines += _left(game)
    title = f"Luck in {game.name}"
    return Reply(
        tuple(lines), private=True, files=act.drawn(luck_picture, title, sides, game.rolls, tuple(ids))
    )


def _players(game: FallenGame, sides: int) -> list[str]:
    people = sorted(
        {roll.player for roll in game.rolls} | {person for r in game.rolls for _, person in r.against}
    )
    known_people = [person for person in people if person in game.players]
    if len(known_people) <= sides:
        return []
    every: list[ToldLuck] = [
        told(game.players[person], falls_of(game.rolls, player=person)) for person in known_people
    ]
    return [line for luck_told in every for line in lines_of(luck_told)]


def _wounds(game: FallenGame, sides: Sequence[int]) -> list[str]:
    lines = []
    for side in sides:
        dealt = [roll.wounds for roll in game.rolls if roll.wounds is not None and roll.wounds.by == side]
        if dealt:
            came, due = sum(wounds.came for wounds in dealt), sum(wounds.due for wounds in dealt)
            lines += [dealt_words(game.sides[side], came, due) + "."]
    return lines


def _left(game: FallenGame) -> list[str]:
    lines = [f"Only rolls up to result {game.upto} in /log are counted."] if game.upto else []
    if game.left_out:
        lines += [f"{rolls_words(game.left_out)} had too many possible results to count."]
    return [*lines, "Only public rolls that weren't undone are counted."]


def _offer(encounter: Encounter) -> list[Button]:
    return [Button("How lucky were we?", ShowLuck(), anytime=True)]


FOLLOW_UPS[3] = _offer
