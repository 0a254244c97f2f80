"""The faces of d6: which location each strikes (damage grids), and flips that turn dice to a location."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import MappingProxyType

from rules.refusals import Forbidden, InvalidInput
from rules.wording import times

FACES = (1, 2, 3, 4, 5, 6)
LOCATIONS = ("mind", "health", "body", "shield", "arsenal", "speed")
"""The six locations of a humanoid, by face 1 to 6."""

Counts = tuple[int, int, int, int, int, int]
"""The number of dice that show each face; place k is for face k + 1."""


@dataclass(frozen=True, slots=True)
class Square:
    """One location: the faces that strike it, and the location its arrow points at ("" for none)."""

    key: str
    faces: tuple[int, ...]
    arrow: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A damage grid; `squares` are in the order in which leftover hits pass on during an attack.

    Every location has a face and an arrow to another one; a grid of one square needs neither, and without a
    face it is struck by every face. A face that no square names strikes nothing.
    `keys` are the locations in that order.
    Raises InvalidInput. Rules: SU-GRID-01, SU-GRID-03.
    """

    squares: tuple[Square, ...]
    keys: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keys = tuple(square.key for square in self.squares)
        object.__setattr__(self, "keys", keys)
        struck_faces = [face for square in self.squares for face in square.faces]
        is_single = len(keys) == 1
        if not keys or len(set(keys)) != len(keys):
            raise InvalidInput("A damage grid needs at least one location and can list each only once.")
        if len(set(struck_faces)) != len(struck_faces) or not set(struck_faces) <= set(FACES):
            raise InvalidInput("Use each face from 1 to 6 for at most one location.")
        for square in self.squares:
            if not is_single and not square.faces:
                raise InvalidInput(f"Add the faces that hit {square.key}.")
            if not is_single and (square.arrow not in keys or square.arrow == square.key):
                raise InvalidInput(f"Point the arrow of {square.key} at another location in the grid.")

    def square(self, key: str) -> Square:
        """Return the location of that name. Raises InvalidInput."""
        for square in self.squares:
            if square.key == key:
                return square
        raise InvalidInput(f"Pick one of these locations: {', '.join(self.keys)} (there is no {key}).")

    def struck(self, face: int, *, any_face: bool = True) -> str:
        """Return the location that the face strikes, "" for none.

        any_face: a single square without a printed face is struck by every face.
        Rules: SU-GRID-01, SU-GRID-03.
        """
        if len(self.squares) == 1 and not self.squares[0].faces:
            return self.squares[0].key if any_face else ""
        for square in self.squares:
            if face in square.faces:
                return square.key
        return ""

    def settle(self, key: str, useless: Iterable[str]) -> str:
        """Return where hits on `key` end up if those locations are ruined or ignored; "" for nowhere.

        Rules: SU-GRID-04.
        """
        useless_keys = frozenset(useless)
        for _ in self.squares:
            if key not in useless_keys:
                return key
            key = self.square(key).arrow
            if not key:
                return ""
        return ""


HUMANOID_GRID = Grid(
    (
        Square("shield", (4,), "body"),
        Square("arsenal", (5,), "body"),
        Square("speed", (6,), "body"),
        Square("body", (3,), "health"),
        Square("mind", (1,), "health"),
        Square("health", (2,), "mind"),
    )
)
"""The printed grid of a humanoid. Rules: SU-GRID-01, SU-GRID-04."""

ARTIFACT_GRID = Grid((Square("health", ()),))
"""The grid of an Artifact or weapon that is attacked directly. Rules: SU-TGT-06, SU-GRID-03."""


def count_faces(faces: Iterable[int]) -> Counts:
    """Count the faces 1 to 6. Raises InvalidInput for other numbers. Rules: SU-GRID-02."""
    counts = [0] * 6
    for face in faces:
        if face not in FACES:
            raise InvalidInput(f"A D6 shows 1 to 6 (you entered {face}).")
        counts[face - 1] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4], counts[5])


IMPOSSIBLE_COST = 3
"""Cost of a turn that cannot be made: no face is left to turn to."""


@dataclass(frozen=True, slots=True)
class Flip:
    """`dice` dice turned from one face to another, each for `cost` flips."""

    dice: int
    old: int
    new: int
    cost: int


@dataclass(frozen=True, slots=True)
class Flipped:
    """The dice after the flips, the flips in order, and the hits on the named location."""

    counts: Counts
    flips: tuple[Flip, ...]
    hits: int


def flip_cost(old: int, new: int) -> int:
    """Return the flips from one face to another: 0, 1, or 2 to the opposite face. Rules: SU-FLIP-01."""
    if old == new:
        return 0
    return 2 if old + new == 7 else 1


def cost_towards(face: int, faces: Iterable[int]) -> int:
    """Return the flips to bring a die onto one of the faces; NEVER when there is none. Rules: SU-FLIP-01."""
    return min((flip_cost(face, goal) for goal in faces), default=IMPOSSIBLE_COST)


def cost_away(face: int, faces: Iterable[int]) -> int:
    """Return the flips to bring a die off all of the faces; NEVER when they are all six.

    Rules: SU-FLIP-01, SU-FLIP-03.
    """
    faces_to_leave = set(faces)
    return cost_towards(face, [face_after for face_after in FACES if face_after not in faces_to_leave])


@cache
def _flip_costs(goals: tuple[int, ...], *, away: bool) -> tuple[int, ...]:
    """Flips for each face 1 to 6 to come onto the goals or, away, off them."""
    return tuple(cost_away(face, goals) if away else cost_towards(face, goals) for face in FACES)


def best_flips(counts: Counts, accuracy: int, faces: Iterable[int]) -> Flipped:
    """Return the best use of all flips for a named location, struck by `faces`.

    With Accuracy above 0 the attacker turns dice onto the location, cheap ones and small groups first;
    below 0 the target turns dice off it, each to the face that shows fewest. Useless flips are not made.
    Rules: SU-FLIP-01, SU-FLIP-02, SU-FLIP-03.
    """
    goals = tuple(sorted(set(faces)))
    flips_left = abs(accuracy)
    current = list(counts)
    moves: list[Flip] = []
    for cost in (1, 2):
        while flips_left >= cost:
            move = (
                _turn_to_goal(current, goals, cost) if accuracy > 0 else _turn_from_goal(current, goals, cost)
            )
            if move is None:
                break
            current[move.old - 1] -= 1
            current[move.new - 1] += 1
            flips_left -= cost
            moves.append(move)
    return Flipped(_as_counts(current), _merge_flips(moves), sum(current[face - 1] for face in goals))


def _turn_to_goal(current: list[int], goals: tuple[int, ...], cost: int) -> Flip | None:
    costs = _flip_costs(goals, away=False)
    candidates = [face for face in FACES if current[face - 1] and costs[face - 1] == cost]
    if not candidates:
        return None
    old = min(candidates, key=lambda face: (current[face - 1], face))
    return Flip(1, old, next(goal for goal in goals if flip_cost(old, goal) == cost), cost)


def _turn_from_goal(current: list[int], goals: tuple[int, ...], cost: int) -> Flip | None:
    costs = _flip_costs(goals, away=True)
    for old in goals:
        if current[old - 1] and costs[old - 1] == cost:
            free_faces = [face for face in FACES if face not in goals and flip_cost(old, face) == cost]
            return Flip(1, old, min(free_faces, key=lambda face: (current[face - 1], face)), cost)
    return None


def _merge_flips(moves: list[Flip]) -> tuple[Flip, ...]:
    dice: dict[tuple[int, int, int], int] = {}
    for move in moves:
        key = (move.old, move.new, move.cost)
        dice[key] = dice.get(key, 0) + 1
    return tuple(Flip(n, old, new, cost) for (old, new, cost), n in dice.items())


def turning_cost(old_counts: Counts, new_counts: Counts) -> int:
    """Return the fewest flips that turn one set of dice into another of as many dice.

    Each die that has to change takes one flip, and one more where only the opposite face is left for it.
    Rules: SU-FLIP-01.
    """
    change = [new - old for old, new in zip(old_counts, new_counts, strict=True)]
    dice_moved = sum(gain for gain in change if gain > 0)
    # dice that leave a face, and those that its opposite face wants, beyond what any other face could take
    opposite_turns = max(
        (into if into > 0 else 0) - (leaving if leaving < 0 else 0)
        for leaving, into in zip(change, reversed(change), strict=True)
    )
    return dice_moved + max(0, opposite_turns - dice_moved)


@lru_cache(maxsize=16)
def flip_outcomes(counts: Counts, flips: int, most: int) -> Mapping[Counts, int]:
    """Return all sets of dice that up to so many flips can make of these, with the fewest flips for each.

    The dice as they are belong to it. Empty where there is more than `most`. Rules: SU-FLIP-01, SU-FLIP-02.
    """
    costs: dict[Counts, int] = {}
    for new_counts in _reachable_counts(counts, flips):
        cost = turning_cost(counts, new_counts)
        if cost <= flips:
            costs[new_counts] = cost
            if len(costs) > most:
                return MappingProxyType({})
    return MappingProxyType(costs)


def _reachable_counts(counts: Counts, flips: int) -> Iterator[Counts]:
    """Sets of as many dice in which at most so many dice are other ones."""

    def extend_counts(fixed: tuple[int, ...], dice: int, leaving: int, arriving: int) -> Iterator[Counts]:
        place = len(fixed)
        old = counts[place]
        if place == 5:
            if leaving + max(0, old - dice) <= flips and arriving + max(0, dice - old) <= flips:
                yield (*fixed, dice)  # type: ignore[misc]
            return
        for new in range(max(0, old - flips + leaving), min(dice, old + flips - arriving) + 1):
            step = (*fixed, new)
            yield from extend_counts(
                step, dice - new, leaving + max(0, old - new), arriving + max(0, new - old)
            )

    return extend_counts((), sum(counts), 0, 0)


def flips_between(old_counts: Counts, new_counts: Counts) -> tuple[Flip, ...]:
    """Return the turns from one set of dice to another with the fewest flips. Rules: SU-FLIP-01."""
    current = list(old_counts)
    moves: list[Flip] = []
    for _ in range(sum(max(0, old - new) for old, new in zip(old_counts, new_counts, strict=True))):
        cost = turning_cost(_as_counts(current), new_counts)
        leaving = (face for face in FACES if current[face - 1] > new_counts[face - 1])
        arriving = [face for face in FACES if current[face - 1] < new_counts[face - 1]]
        old, new = next(
            (old_face, new_face)
            for old_face in leaving
            for new_face in arriving
            if _is_shortest_turn(current, new_counts, old_face, new_face, cost)
        )
        current[old - 1] -= 1
        current[new - 1] += 1
        moves.append(Flip(1, old, new, flip_cost(old, new)))
    return _merge_flips(moves)


def _is_shortest_turn(current: list[int], goal_counts: Counts, old: int, new: int, cost: int) -> bool:
    """Return whether turning one die so leaves just as much less to do as it costs."""
    flipped = list(current)
    flipped[old - 1] -= 1
    flipped[new - 1] += 1
    return turning_cost(_as_counts(flipped), goal_counts) == cost - flip_cost(old, new)


def _as_counts(faces: Sequence[int]) -> Counts:
    return faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]


def make_flips(counts: Counts, turns: tuple[tuple[int, int], ...], allowed_flips: int) -> Counts:
    """Return the dice after flips that a player chose, as (old face, new face) for one die each.

    allowed_flips: 0 or more; fewer may be used. Raises InvalidInput when no die shows the old face, Forbidden
    when the flips cost more than allowed. Rules: SU-FLIP-01, SU-FLIP-02, SU-FLIP-03.
    """
    count_faces(face for turn in turns for face in turn)
    cost = sum(flip_cost(old, new) for old, new in turns)
    if cost > allowed_flips:
        raise Forbidden(f"Use at most {times(allowed_flips, 'flip')} (these take {cost}).", "SU-FLIP-02")
    current = list(counts)
    for old, new in turns:
        if not current[old - 1]:
            raise InvalidInput(f"Choose a face that a die shows. No die shows a {old}.")
        current[old - 1] -= 1
        current[new - 1] += 1
    return _as_counts(current)
