"""One throw of a dice expression over the dice seam: re-rolls, explosions, dice kept, added up or counted.

Dice are thrown in waves, as at a table: all at first, then those thrown again, then those that exploded; the
labels of later waves end in `AGAIN` or `EXPLODED`. Knows no text and no other part of an expression.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from rules.dice import Dice, Die, Facet, Ranks, Stop, best_of
from rules.notation.nodes import FATE_SIDES, MAX_CHAIN, Term

AGAIN = ", re-rolled"
EXPLODED = ", exploded"

Shown = tuple[tuple[int, int], ...]
"""Faces that dice show, each with how many do."""


def thrown(dice: Dice, term: Term, label: str) -> int:
    """Throw the dice of a term; gives their sum, or how many count. No ledger: it belongs to no game."""
    if term.fate:
        fate = term.sides == FATE_SIDES
        others = "2 is blank, 3 is plus" if fate else f"{term.sides} is plus, the others are blank"
        label += f" (1 is minus, {others})"
    if term.chained:
        die_term = one_die(term)
        if not term.keep:
            return dice.total(term.count, one_chain, die_term, label)
        return dice.call(
            best_of,
            term.count,
            term.keep.count,
            term.keep.lowest,
            one_chain,
            (die_term, label),
            term.keep.skip,
        )
    if term.apart:
        return dice.call(singly, term, label)
    if not term.keep or term.keep.count == term.count:
        return dice.pool(term.count, term_die(term), label)[0]
    if term.reroll:
        return dice.call(singly, term, label)
    return dice.call(some_kept, term, label)


def one_die(term: Term) -> Term:
    """Return the throw of one of its dice."""
    return replace(term, count=1, keep=None)


def one_chain(dice: Dice, term: Term, label: str) -> int:
    """Throw one die with all that it earns, and look at them as one. No ledger: it belongs to no game."""
    stripped = replace(term, counting=None, failing=None, double=None, only=None, each=0)
    return term.judged(dice.pool(1, term_die(stripped), label)[0] + term.each)


def singly(dice: Dice, term: Term, label: str) -> int:
    """Throw dice, with re-rolls and the dice that they earn, and keep some, looking at each die separately.

    The solver knows a shorter way: `rules.notation.closed_forms`. No ledger: it belongs to no game.
    """
    first = _settled(dice, term, label)
    bonus: Shown = ()
    wave = first
    for _ in range(0 if term.explode is None else 1 if term.once else MAX_CHAIN):
        earned = sum(n for face, n in wave if term.explode and term.worth(face) in term.explode)
        if not earned:
            break
        wave = _faces(dice, term, earned, label + EXPLODED)
        bonus += wave
    assert term.keep is not None
    values = [term.value(face) for face, n in first for _ in range(n)]
    values += [term.value(face, bonus=True) for face, n in bonus for _ in range(n)]
    values.sort(reverse=not term.keep.lowest)
    return sum(map(term.judged, values[term.keep.skip : term.keep.skip + term.keep.count]))


def _settled(dice: Dice, term: Term, label: str) -> Shown:
    faces = _faces(dice, term, term.count, label)
    stand: Shown = ()
    for _ in range(MAX_CHAIN if term.until else 1):
        reroll_count = sum(n for face, n in faces if term.reroll and term.worth(face) in term.reroll)
        if not reroll_count:
            break
        stand += tuple(
            (face, n) for face, n in faces if not (term.reroll and term.worth(face) in term.reroll)
        )
        faces = _faces(dice, term, reroll_count, label + AGAIN)
    return stand + faces


def _faces(dice: Dice, term: Term, count: int, label: str) -> Shown:
    def step(state: Shown, rank: int, counts: tuple[int, ...]) -> Shown:
        return (*state, (rank, counts[0]))

    start: Shown = ()
    return dice.sweep(((count, Ranks(tuple(range(1, term.sides + 1)))),), step, start, label)


@lru_cache(maxsize=256)
def term_die(term: Term, waves: int = MAX_CHAIN) -> Die:
    """Return the die of a throw without `keep`, with the one tally `total`: what is added up or counted."""
    if term.until:
        return _until_die(term, waves)
    rerolled_term = replace(term, reroll=None)
    waves = min(waves, 1) if term.once else waves
    bonus = Die(("total",), _facets(rerolled_term, bonus=term.fades), waves=waves, shift=term.each)
    if term.fades:
        return Die(("total",), _facets(rerolled_term), bonus=bonus, waves=waves, shift=term.each)
    if not term.reroll:
        return bonus
    chain = waves if term.explode is not None else 1
    return Die(("total",), _facets(term), bonus=bonus, waves=chain, shift=term.each)


@lru_cache(maxsize=1024)
def _until_die(term: Term, waves: int) -> Die:
    """Return the die that is thrown again until it shows something else, or until nothing may follow it."""
    facets = _facets(term if waves else replace(term, reroll=None, explode=None))
    bonus = _until_die(term, waves - 1) if waves else None
    return Die(("total",), facets, bonus=bonus, waves=waves, shift=term.each)


def _facets(term: Term, *, bonus: bool = False) -> tuple[Facet, ...]:
    facets = []
    for face in range(1, term.sides + 1):
        shown = term.worth(face)
        if term.reroll and shown in term.reroll:
            facets.append(Facet("re-rolled", (0,), again=True))
            continue
        explodes = term.explode is not None and shown in term.explode
        worth = term.adds(face, bonus=bonus)
        words = {2: "counts twice", 1: "counts", 0: "does not count", -1: "fails"}
        facets.append(Facet(words[worth] if _counts(term) else str(worth), (worth,), again=explodes))
    return tuple(facets)


def _counts(term: Term) -> bool:
    return term.counting is not None or term.failing is not None


def some_kept(dice: Dice, term: Term, label: str) -> int:
    """Throw plain dice and keep some: the places are filled with the best faces. No ledger.

    The solver knows a shorter way: `rules.notation.closed_forms`.
    """
    assert term.keep is not None
    skip, lowest = term.keep.skip, term.keep.lowest
    last = skip + term.keep.count
    faces = range(1, term.sides + 1)
    ranks = Ranks(tuple(reversed(faces)) if lowest else tuple(faces))

    def step(
        state: tuple[int, int], rank: int, counts: tuple[int, ...]
    ) -> tuple[int, int] | Stop[tuple[int, int]]:
        filled, worth = state
        new_filled = min(filled + counts[0], last)
        face = ranks.ranks[rank - 1]  # the faces ranked either way: each is its own inverse
        number = max(0, new_filled - max(filled, skip))
        after = new_filled, worth + number * term.adds(face)
        return Stop(after) if new_filled == last else after

    return dice.sweep(((term.count, ranks),), step, (0, 0), label)[1]
