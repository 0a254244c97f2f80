"""Small rules without a game: every verb of the seam, and random pools for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from rules.dice import Dice, Die, Facet, Hand, Ranks, Stop

D6 = Ranks((1, 2, 3, 4, 5, 6))
D3 = Ranks((1, 2, 3))
PLAIN = Die(("hits",), tuple(Facet("hit" if face > 4 else "miss", (int(face > 4),)) for face in range(1, 7)))
SIX_AGAIN = Die(
    ("hits", "sum"),
    tuple(Facet(str(face), (int(face > 4), face), again=face == 6) for face in range(1, 7)),
    waves=2,
)


def hits(dice: Dice, n: int) -> int:
    return dice.pool(n, PLAIN, "hits")[0]


def pooled(dice: Dice, n: int, die: Die) -> tuple[int, ...]:
    return dice.pool(n, die, "pool")


def one_face(dice: Dice, sides: int) -> int:
    return dice.face(sides, "one")


def two_numbers(dice: Dice, sides: int) -> tuple[int, ...]:
    face = dice.face(sides, "one")
    return face, -face


def totalled(dice: Dice, n: int, sides: int) -> int:
    return dice.total(n, one_face, sides)


def totalled_pairs(dice: Dice, n: int, sides: int) -> tuple[int, ...]:
    return dice.total(n, two_numbers, sides)


def drawn(dice: Dice, bag: tuple[int, ...], n: int) -> tuple[int, ...]:
    return dice.draw(bag, n, "bag")


def walked(dice: Dice, hands: tuple[Hand, ...], limit: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Everything a sweep tells, the first `limit` ranks."""

    def step(
        state: tuple[tuple[int, tuple[int, ...]], ...], rank: int, counts: tuple[int, ...]
    ) -> tuple[tuple[int, tuple[int, ...]], ...] | Stop[tuple[tuple[int, tuple[int, ...]], ...]]:
        state = (*state, (rank, counts))
        return Stop(state) if len(state) == limit else state

    start: tuple[tuple[int, tuple[int, ...]], ...] = ()
    return dice.sweep(hands, step, start, "hands")


def higher(dice: Dice, left: int, right: int, die: Ranks = D6) -> int:
    """Which of two hands shows the best face, ties to neither."""

    def step(state: int, rank: int, counts: tuple[int, ...]) -> Stop[int]:
        return Stop((counts[0] > 0) - (counts[1] > 0))

    return dice.sweep(((left, die), (right, die)), step, 0, "higher")


def mixed(dice: Dice, n: int, die: Die, bag: tuple[int, ...]) -> tuple[int, ...]:
    """Every verb, one after another, the later ones depending on the earlier."""
    first = dice.call(pooled, n, die)
    more = dice.total(1 + abs(first[0]) % 2, one_face, 3)
    best = dice.call(higher, 1, more % 3, D3)
    taken = dice.draw(bag, min(sum(bag), more % 3), "bag")
    last = dice.face(2, "last") if best else 0
    return first[0], best, taken[0], last


def dice_of(waves: int = 1, sides: int = 4) -> st.SearchStrategy[Die]:
    """Dice of a few faces that add 0 to 2 to one tally, some faces again, some with another bonus die."""
    facet = st.builds(lambda add, again: Facet(str(add), (add,), again), st.integers(0, 2), st.booleans())
    facets = st.lists(facet, min_size=1, max_size=sides).map(tuple)
    plain = st.builds(lambda faces, most: Die(("a",), faces, waves=most), facets, st.integers(0, waves))
    return st.builds(
        lambda faces, bonus, most: Die(("a",), faces, bonus=bonus, waves=most),
        facets,
        st.none() | plain,
        st.integers(0, waves),
    )


bags = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple)
ranks = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple).map(Ranks)
hands = st.lists(st.tuples(st.integers(0, 2), ranks), min_size=1, max_size=2).map(tuple)
