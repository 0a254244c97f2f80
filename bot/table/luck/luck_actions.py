"""Was that luck? Each side's and each player's, of the game that was played here last, when it is over."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
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
from bot.table.journal.log import build_document
from bot.table.luck.luck_report import (
    ToldLuck,
    build_luck,
    describe_overall,
    draw_luck,
    find_deciding_rolls,
    format_deciding_rolls,
    format_luck,
    format_rolls,
    format_wounds,
    list_falls,
)
from bot.table.luck.replayed_rolls import FallenGame, replay_game
from bot.table.owners import ANYONE
from rules.refusals import InvalidInput

MAX_KEPT = 128
"""The largest number of finished games whose rolls are kept in memory; these games can't change."""

MAX_ENTRIES = 5_000
"""Entries of a game that is played again; a longer one would take too long."""

_cached_games: OrderedDict[tuple[int, str], FallenGame] = OrderedDict()


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


async def load_fallen_game(store: Store, scope: int) -> Found:
    """Return how the finished game of a scope fell. Raises InvalidInput for one that runs, or is too long."""
    loaded = await store.load(scope) if scope else None
    row = loaded.book().get(EncounterRow) if loaded else None
    if loaded is None or row is None:
        raise InvalidInput("No game has been played in this channel yet.")
    if row.status != ENDED:
        raise InvalidInput("Wait until the game has ended to see how lucky each side was.")
    cache_key = _key(store, loaded)
    if cache_key not in _cached_games:
        entries = await store.written_entries(scope)
        if len(entries) > MAX_ENTRIES:
            raise InvalidInput(
                f"This game is too long to work out how lucky each side was ({len(entries)} entries)."
            )
        undone = await store.undone_among(scope, 1)
        people_meant = await store.meant(entries)
        people = numbers_of_people(people_meant)
        _cached_games[cache_key] = await replay_game(
            row.name, build_document(row, loaded, entries, people_meant), undone, people
        )
        while len(_cached_games) > MAX_KEPT:
            _cached_games.popitem(last=False)
    number = await numbers_of(store, scope)
    game = _cached_games[cache_key]
    return Found(game, {seq: number(seq) for seq in (*(roll.entry for roll in game.rolls), game.upto)})


async def is_known(store: Store, scope: int) -> bool:
    """Return whether it is known how the game of a scope fell, so that it need not be played again."""
    loaded = await store.load(scope)
    return loaded is not None and _key(store, loaded) in _cached_games


def _key(store: Store, loaded: Loaded) -> tuple[int, str]:
    """Return a key for a game in its present state and with its present names."""
    return loaded.scope.id, f"{loaded.scope.chain} {store.people.forgotten}"


async def _load_last_game(store: Store, actor: Actor, action: ShowLuck) -> Found:
    return await load_fallen_game(store, actor.reads)


@handles(ShowLuck, Place.PLAYED, beforehand=_load_last_game)
def luck(act: Act, action: ShowLuck) -> Reply:
    """Show the luck of sides and players, the rolls that decided, and a picture."""
    finished_game: Found = act.extra
    game = finished_game.game
    ids = sorted(
        {roll.side for roll in game.rolls} | {side for roll in game.rolls for side, _ in roll.against}
    )
    sides = [build_luck(game.sides[side], list_falls(game.rolls, side=side)) for side in ids]
    if not sides:
        return say(f"There are no rolls in {game.name} to judge luck by.", private=True)
    lines = [f"Luck in {game.name}: {format_rolls(len(game.rolls))}"]
    for side_luck in sides:
        lines += format_luck(side_luck)
    lines += _list_player_luck(game, len(sides))
    lines += [describe_overall(sides)]
    lines += _wounds(game, ids)
    deciding_rolls = find_deciding_rolls(game.rolls)
    lines += (
        [
            "Rolls that made the difference:",
            *format_deciding_rolls(deciding_rolls, finished_game.number, game.sides),
        ]
        if deciding_rolls
        else []
    )
    lines += _describe_left_out(game, finished_game.number)
    title = f"Luck in {game.name}"
    return Reply(tuple(lines), private=True, files=act.drawn(draw_luck, title, sides, game.rolls, tuple(ids)))


def _list_player_luck(game: FallenGame, sides: int) -> list[str]:
    people = sorted(
        {roll.player for roll in game.rolls} | {person for r in game.rolls for _, person in r.against}
    )
    known_people = [person for person in people if person in game.players]
    if len(known_people) <= sides:
        return []
    every: list[ToldLuck] = [
        build_luck(game.players[person], list_falls(game.rolls, player=person)) for person in known_people
    ]
    return [line for luck_told in every for line in format_luck(luck_told)]


def _wounds(game: FallenGame, sides: Sequence[int]) -> list[str]:
    lines = []
    for side in sides:
        dealt = [roll.wounds for roll in game.rolls if roll.wounds is not None and roll.wounds.by == side]
        if dealt:
            came, due = sum(wounds.came for wounds in dealt), sum(wounds.due for wounds in dealt)
            lines += [format_wounds(game.sides[side], came, due) + "."]
    return lines


def _describe_left_out(game: FallenGame, number: Mapping[int, int]) -> list[str]:
    lines = [f"Only rolls up to result {number[game.upto]} in /log are counted."] if game.upto else []
    if game.left_out:
        lines += [f"Rolls that aren't counted, because they have too many possible results: {game.left_out}."]
    return [*lines, "Only public rolls that weren't undone are counted."]


def _offer(encounter: Encounter) -> list[Button]:
    return [Button("How lucky were we?", ShowLuck(), anytime=True)]


FOLLOW_UPS[3] = _offer
