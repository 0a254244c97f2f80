"""One throw of a dice expression over the dice seam: re-rolls, explosions, dice kept, added up or counted.

Dice are thrown in waves, as at a table: all at first, then those thrown again, then those that exploded; the
labels of later waves end in `REROLLED_LABEL` or `EXPLODED_LABEL`. Knows no text and no other part of
an expression.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from rules.dice import Dice, Die, Facet, Ranks, Stop, best_of
from rules.notation.nodes import FATE_SIDES, MAX_CHAIN, Term

REROLLED_LABEL = ", re-rolled"
EXPLODED_LABEL = ", exploded"

FaceCounts = tuple[tuple[int, int], ...]
"""Faces that dice show, each with how many do."""


def throw_term(dice: Dice, term: Term, label: str) -> int:
    """Throw the dice of a term; gives their sum, or how many count. No ledger: it belongs to no game."""
    if term.fate:
        has_three_sides = term.sides == FATE_SIDES
        face_words = (
            "2 is blank, 3 is plus" if has_three_sides else f"{term.sides} is plus, the others are blank"
        )
        label += f" (1 is minus, {face_words})"
    if term.chained:
        die_term = as_single_die(term)
        if not term.keep:
            return dice.total(term.count, throw_chain, die_term, label)
        return dice.call(
            best_of,
            term.count,
            term.keep.count,
            term.keep.lowest,
            throw_chain,
            (die_term, label),
            term.keep.skip,
        )
    if term.apart:
        return dice.call(throw_and_keep_singly, term, label)
    if not term.keep or term.keep.count == term.count:
        return dice.pool(term.count, build_term_die(term), label)[0]
    if term.reroll:
        return dice.call(throw_and_keep_singly, term, label)
    return dice.call(throw_and_keep, term, label)


def as_single_die(term: Term) -> Term:
    """Return the throw of one of its dice."""
    return replace(term, count=1, keep=None)


def throw_chain(dice: Dice, term: Term, label: str) -> int:
    """Throw one die with all that it earns, and look at them as one. No ledger: it belongs to no game."""
    bare_term = replace(term, counting=None, failing=None, double=None, only=None, each=0)
    return term.judged(dice.pool(1, build_term_die(bare_term), label)[0] + term.each)


def throw_and_keep_singly(dice: Dice, term: Term, label: str) -> int:
    """Throw dice, with re-rolls and the dice that they earn, and keep some, looking at each die separately.

    The solver knows a shorter way: `rules.notation.closed_forms`. No ledger: it belongs to no game.
    """
    first_faces = _throw_with_rerolls(dice, term, label)
    bonus: FaceCounts = ()
    bonus_faces = first_faces
    for _ in range(0 if term.explode is None else 1 if term.once else MAX_CHAIN):
        earned_dice = sum(n for face, n in bonus_faces if term.explode and term.worth(face) in term.explode)
        if not earned_dice:
            break
        bonus_faces = _throw_faces(dice, term, earned_dice, label + EXPLODED_LABEL)
        bonus += bonus_faces
    assert term.keep is not None
    values = [term.value(face) for face, n in first_faces for _ in range(n)]
    values += [term.value(face, bonus=True) for face, n in bonus for _ in range(n)]
    values.sort(reverse=not term.keep.lowest)
    return sum(map(term.judged, values[term.keep.skip : term.keep.skip + term.keep.count]))


def _throw_with_rerolls(dice: Dice, term: Term, label: str) -> FaceCounts:
    faces = _throw_faces(dice, term, term.count, label)
    kept_faces: FaceCounts = ()
    for _ in range(MAX_CHAIN if term.until else 1):
        reroll_count = sum(n for face, n in faces if term.reroll and term.worth(face) in term.reroll)
        if not reroll_count:
            break
        kept_faces += tuple(
            (face, n) for face, n in faces if not (term.reroll and term.worth(face) in term.reroll)
        )
        faces = _throw_faces(dice, term, reroll_count, label + REROLLED_LABEL)
    return kept_faces + faces


def _throw_faces(dice: Dice, term: Term, count: int, label: str) -> FaceCounts:
    def step(state: FaceCounts, rank: int, counts: tuple[int, ...]) -> FaceCounts:
        return (*state, (rank, counts[0]))

    start: FaceCounts = ()
    return dice.sweep(((count, Ranks(tuple(range(1, term.sides + 1)))),), step, start, label)


@lru_cache(maxsize=256)
def build_term_die(term: Term, waves: int = MAX_CHAIN) -> Die:
    """Return the die of a throw without `keep`, with the one tally `total`: what is added up or counted."""
    if term.until:
        return _build_until_die(term, waves)
    rerolled_term = replace(term, reroll=None)
    waves = min(waves, 1) if term.once else waves
    bonus = Die(("total",), _build_facets(rerolled_term, bonus=term.fades), waves=waves, shift=term.each)
    if term.fades:
        return Die(("total",), _build_facets(rerolled_term), bonus=bonus, waves=waves, shift=term.each)
    if not term.reroll:
        return bonus
    chain = waves if term.explode is not None else 1
    return Die(("total",), _build_facets(term), bonus=bonus, waves=chain, shift=term.each)


@lru_cache(maxsize=1024)
def _build_until_die(term: Term, waves: int) -> Die:
    """Return the die that is thrown again until it shows something else, or until nothing may follow it."""
    facets = _build_facets(term if waves else replace(term, reroll=None, explode=None))
    bonus = _build_until_die(term, waves - 1) if waves else None
    return Die(("total",), facets, bonus=bonus, waves=waves, shift=term.each)


def _build_facets(term: Term, *, bonus: bool = False) -> tuple[Facet, ...]:
    facets = []
    for face in range(1, term.sides + 1):
        shown_value = term.worth(face)
        if term.reroll and shown_value in term.reroll:
            facets.append(Facet("re-rolled", (0,), again=True))
            continue
        explodes = term.explode is not None and shown_value in term.explode
        added_value = term.adds(face, bonus=bonus)
        words = {2: "counts twice", 1: "counts", 0: "does not count", -1: "fails"}
        facets.append(
            Facet(
                words[added_value] if _is_counting(term) else str(added_value), (added_value,), again=explodes
            )
        )
    return tuple(facets)


def _is_counting(term: Term) -> bool:
    return term.counting is not None or term.failing is not None


def throw_and_keep(dice: Dice, term: Term, label: str) -> int:
    """Throw plain dice and keep some: the places are filled with the best faces. No ledger.

    The solver knows a shorter way: `rules.notation.closed_forms`.
    """
    assert term.keep is not None
    skipped_places, lowest = term.keep.skip, term.keep.lowest
    end_place = skipped_places + term.keep.count
    faces = range(1, term.sides + 1)
    ranks = Ranks(tuple(reversed(faces)) if lowest else tuple(faces))

    def step(
        state: tuple[int, int], rank: int, counts: tuple[int, ...]
    ) -> tuple[int, int] | Stop[tuple[int, int]]:
        filled_places, kept_total = state
        new_filled_places = min(filled_places + counts[0], end_place)
        face = ranks.ranks[rank - 1]  # the faces ranked either way: each is its own inverse
        number = max(0, new_filled_places - max(filled_places, skipped_places))
        new_state = new_filled_places, kept_total + number * term.adds(face)
        return Stop(new_state) if new_filled_places == end_place else new_state

    return dice.sweep(((term.count, ranks),), step, (0, 0), label)[1]
