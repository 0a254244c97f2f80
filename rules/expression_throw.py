"""One throw of a dice expression over the dice seam: re-rolls, explosions, dice kept, added up or counted.

Dice are thrown in waves, as at a table: all at first, then those thrown again, then those that exploded; the
labels of later waves end in `AGAIN` or `EXPLODED`. Knows no text and no other part of an expression.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from rules.dice import Dice, Die, Facet, Ranks, Stop
from rules.expression_nodes import MAX_CHAIN, Keep, Term

AGAIN = ", thrown again"
EXPLODED = ", exploded"

Known = tuple[int, ...]
Walk = tuple[int, int, int, Known]
"""Dice that exploded, places filled, what fills them, faces known before that were not placed yet."""


def thrown(dice: Dice, term: Term, label: str) -> int:
    """Throw the dice of a term; gives their sum, or how many count. No ledger: it belongs to no game."""
    if term.fate:
        label += " (1 is minus, 2 blank, 3 plus)"
    if not term.keep or term.keep.count == term.count:
        return dice.pool(term.count, term_die(term), label)[0]
    if term.reroll or term.explode is not None:
        chain = MAX_CHAIN - 1 if term.reroll else MAX_CHAIN
        return dice.call(kept, term, chain, label)
    return kept(dice, term, MAX_CHAIN, label)


@lru_cache(maxsize=256)
def term_die(term: Term, waves: int = MAX_CHAIN) -> Die:
    """The die of a throw without `keep`, with the one tally `total`: what is added up or counted."""
    if term.until:
        return _until_die(term, waves)
    later = replace(term, reroll=None)
    waves = min(waves, 1) if term.once else waves
    bonus = Die(("total",), _facets(later, bonus=term.fades), waves=waves, shift=term.each)
    if term.fades:
        return Die(("total",), _facets(later), bonus=bonus, waves=waves, shift=term.each)
    if not term.reroll:
        return bonus
    chain = waves if term.explode is not None else 1
    return Die(("total",), _facets(term), bonus=bonus, waves=chain, shift=term.each)


@lru_cache(maxsize=1024)
def _until_die(term: Term, waves: int) -> Die:
    """The die that is thrown again until it shows something else, or until nothing may follow it."""
    facets = _facets(term if waves else replace(term, reroll=None, explode=None))
    bonus = _until_die(term, waves - 1) if waves else None
    return Die(("total",), facets, bonus=bonus, waves=waves, shift=term.each)


def _facets(term: Term, *, bonus: bool = False) -> tuple[Facet, ...]:
    facets = []
    for face in range(1, term.sides + 1):
        shown = term.worth(face)
        if term.reroll and shown in term.reroll:
            facets.append(Facet("thrown again", (0,), again=True))
            continue
        again = term.explode is not None and shown >= term.explode
        worth = term.adds(face, bonus=bonus)
        word = {1: "counts", 0: "does not count", -1: "fails"}[worth] if _counts(term) else str(worth)
        facets.append(Facet(word, (worth,), again=again))
    return tuple(facets)


def _counts(term: Term) -> bool:
    return term.counting is not None or term.failing is not None


def kept(dice: Dice, term: Term, chain: int, label: str) -> int:
    """Throw the dice of a term and keep some.

    chain: how many dice may follow one that explodes. A die that exploded is worth all its faces together and
    is kept or dropped as one; since only the highest face explodes, it beats every die that did not.
    No ledger: it belongs to no game.
    """
    keep, lowest = _keep(term)
    if term.explode is not None and not chain:
        term = replace(term, explode=None)
    left, exploded = term.count, 0
    known: Known = ()
    here = label
    for _ in range(MAX_CHAIN if term.until else 1 if term.reroll else 0):
        left, more, best = dice.call(first_throw, replace(term, count=left), here)
        exploded += more
        known = tuple(sorted((*known, *best), reverse=not _keep(term)[1])[: _keep(term)[0]])
        here = label + AGAIN
        if not left:
            break
    exploded, filled, worth = _walk(dice, term, left, (exploded, 0, 0, known), here)
    open_places = keep - filled if lowest else min(keep, exploded)
    if not exploded or not open_places:
        return worth
    worth += open_places * term.adds(term.sides)
    here = label if label.endswith(EXPLODED) else label + EXPLODED
    if open_places == exploded:
        return worth + dice.pool(exploded, _bonus_die(term, chain - 1), here)[0]
    return worth + dice.call(kept, _exploded(term, exploded, open_places), chain - 1, here)


@lru_cache(maxsize=256)
def _bonus_die(term: Term, waves: int) -> Die:
    """The die that is thrown for one that exploded, where all of them stay."""
    return term_die(replace(term, count=1, reroll=None, keep=None), waves)


@lru_cache(maxsize=1024)
def _exploded(term: Term, count: int, places: int) -> Term:
    """The throw for dice that exploded, of which some stay."""
    return replace(term, count=count, reroll=None, keep=Keep(places, _keep(term)[1]))


@lru_cache(maxsize=256)
def _ranks(term: Term) -> Ranks:
    """The faces of a term's die, the ones that are kept first ranked best."""
    faces = range(1, term.sides + 1)
    return Ranks(tuple(reversed(faces)) if _keep(term)[1] else tuple(faces))


def _keep(term: Term) -> tuple[int, bool]:
    """How many dice are kept, and whether the lowest."""
    assert term.keep is not None
    return term.keep.count, term.keep.lowest


def first_throw(dice: Dice, term: Term, label: str) -> tuple[int, int, Known]:
    """Throw dice of which some are thrown again: gives how many, how many exploded, the best of the others.

    No ledger: it belongs to no game.
    """
    ranks, keep = _ranks(term), _keep(term)[0]

    def step(state: tuple[int, int, Known], rank: int, counts: tuple[int, ...]) -> tuple[int, int, Known]:
        again, exploded, known = state
        face = ranks.ranks[rank - 1]  # the faces ranked either way: each is its own inverse
        if term.reroll and term.worth(face) in term.reroll:
            return again + counts[0], exploded, known
        if term.explode is not None and face == term.sides:
            return again, exploded + counts[0], known
        return again, exploded, known + (face,) * min(counts[0], keep - len(known))

    start: tuple[int, int, Known] = (0, 0, ())
    return dice.sweep(((term.count, ranks),), step, start, label)


def _walk(dice: Dice, term: Term, count: int, start: Walk, label: str) -> tuple[int, int, int]:
    """Throw dice and fill the places of those kept with the best faces, thrown now or known before.

    Gives how many exploded in all, how many places are filled, and what fills them.
    """
    ranks = _ranks(term)
    keep, lowest = _keep(term)

    def fill(state: Walk, face: int, number: int) -> Walk:
        exploded, filled, worth, known = state
        room = (keep if lowest else max(0, keep - exploded)) - filled
        number = min(number, room)
        return exploded, filled + number, worth + number * term.adds(face), known

    def fill_known(state: Walk, rank: int) -> Walk:
        while state[3] and ranks.ranks[state[3][0] - 1] > rank:
            exploded, filled, worth, known = state
            state = fill((exploded, filled, worth, known[1:]), known[0], 1)
        return state

    def step(state: Walk, rank: int, counts: tuple[int, ...]) -> Walk | Stop[Walk]:
        state = fill_known(state, rank)
        face = ranks.ranks[rank - 1]  # the faces ranked either way: each is its own inverse
        if term.explode is not None and face == term.sides:
            state = (state[0] + counts[0], *state[1:])
        else:
            state = fill(state, face, counts[0])
        full = state[1] >= (keep if lowest else keep - state[0])
        return Stop((*state[:3], ())) if full else state

    if count:
        start = dice.sweep(((count, ranks),), step, start, label)
    exploded, filled, worth, _ = fill_known(start, 0)
    return exploded, filled, worth
