"""The d20 against an Attribute, with MODs and Criticals; the Face to Face Roll of both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cache

from rules.dice import Dice, Die, Facet, Ranks, Stop
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.wording import times

SIDES = 20
CRITICAL_RANK = 20
"""Rank of a Critical; plain successes rank as the value they show, 1 to 19."""

MAX_BURST = 20
"""More dice in one attack than any weapon with every bonus throws."""


class Reading(IntEnum):
    """The results of one die of a roll."""

    FAILURE = 0
    SUCCESS = 1
    CRITICAL = 2


@dataclass(frozen=True, slots=True)
class Hits:
    """Successes that count: plain ones, and Criticals."""

    plain: int = 0
    critical: int = 0

    def __bool__(self) -> bool:
        return self.plain + self.critical > 0

    @property
    def total(self) -> int:
        """Return plain and Critical hits together. Rules: INF-F2F-05."""
        return self.plain + self.critical


NO_HITS = Hits()


def applied(modifiers: Iterable[Modifier], settings: Settings = DEFAULT) -> int:
    """Return the sum of all MODs of one roll, limited to the cap on either side. Rules: INF-ROLL-02."""
    return max(-settings.mod_cap, min(settings.mod_cap, total(modifiers)))


def modified(attribute: int, modifiers: Iterable[Modifier], settings: Settings = DEFAULT) -> int:
    """Return the value to roll against: Attribute plus the capped MODs; it may be below 1 or above 20.

    Rules: INF-ROLL-01, INF-ROLL-02.
    """
    return attribute + applied(modifiers, settings)


def excess(value: int) -> int:
    """Return what is added to every die because the modified Attribute exceeds 20. Rules: INF-ROLL-04."""
    return max(0, value - SIDES)


def rank(value: int, face: int) -> int:
    """Return a face's rank (1 to 20) against an Attribute: 0 failure, 1 to 19 success, 20 Critical.

    Rules: INF-ROLL-01, INF-ROLL-03, INF-ROLL-04, INF-ROLL-05.
    """
    if value <= 0:
        return 0
    adjusted_face = face + excess(value)
    if adjusted_face < min(value, SIDES):
        return adjusted_face
    return CRITICAL_RANK if face == value or value > SIDES else 0


def reading(value: int, face: int) -> Reading:
    """Return failure, success or Critical of a face against a modified Attribute. Rules: INF-ROLL-05."""
    worth = rank(value, face)
    if worth == CRITICAL_RANK:
        return Reading.CRITICAL
    return Reading.SUCCESS if worth else Reading.FAILURE


_FACETS = {
    Reading.FAILURE: Facet("failure", (0, 0)),
    Reading.SUCCESS: Facet("success", (1, 0)),
    Reading.CRITICAL: Facet("critical", (0, 1)),
}


@cache
def attribute_die(value: int) -> Die:
    """Return the d20 of a Normal Roll, with the tallies plain and critical."""
    facets = tuple(_FACETS[reading(value, face)] for face in range(1, SIDES + 1))
    return Die(("plain", "critical"), facets, shift=excess(value))


def normal_rolls(dice: Dice, burst: int, value: int, *, label: str = "roll") -> Hits:
    """Roll several dice against one modified Attribute, unopposed, and none if none can succeed.

    burst: 0 to 20 dice. Rules: INF-ROLL-01, INF-ROLL-03, INF-ROLL-04, INF-ROLL-05, INF-TRX-02.
    """
    if burst <= 0 or value <= 0:
        return Hits()
    return Hits(*dice.pool(burst, attribute_die(value), label))


def normal_roll(dice: Dice, value: int, *, label: str = "roll") -> Reading:
    """Roll one die against a modified Attribute; automatic failure, without a die, below 1.

    Rules: INF-ROLL-01, INF-ROLL-03, INF-ROLL-04, INF-ROLL-05.
    """
    hits = normal_rolls(dice, 1, value, label=label)
    if hits.critical:
        return Reading.CRITICAL
    return Reading.SUCCESS if hits.plain else Reading.FAILURE


def round_up(part: int, whole: int) -> int:
    """Return part / whole, rounded up; whole is at least 1. Rules: INF-ROLL-07."""
    return -(-part // whole)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a roll: so many dice against a modified Attribute.

    burst: 0 to 20 dice. value: the Attribute with all MODs. attacks: False for a Dodge or the like, whose
    success cancels but hits no one. Raises InvalidInput for a burst out of range. Rules: INF-F2F-02,
    INF-F2F-06.
    """

    burst: int
    value: int
    attacks: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.burst <= MAX_BURST:
            raise InvalidInput(
                f"The Burst must be between 0 and {MAX_BURST} dice (you entered {self.burst})."
            )

    @property
    def thrown(self) -> int:
        """Return the dice worth throwing: none where no die can succeed. Rules: INF-ROLL-03."""
        return self.burst if self.value > 0 else 0


@dataclass(frozen=True, slots=True)
class FaceToFace:
    """Successes of either side that survive; at most one side has any. Rules: INF-F2F-02, INF-F2F-03."""

    a: Hits = NO_HITS
    b: Hits = NO_HITS

    @property
    def winner(self) -> int:
        """Return 1 if side a has survivors, 2 if side b has, and 0 if neither achieves anything."""
        return 1 if self.a else 2 if self.b else 0


@cache
def _ranked(value_a: int, value_b: int) -> tuple[Ranks, Ranks]:
    """Return how the faces of both sides rank against each other; value 0 means a side without dice.

    A run of values that only one side can show is one rank, and successes below the lowest face of a side
    that cannot fail are ranked 0: neither changes what survives, both spare the solver work.
    """
    ranks = [[rank(value, face) for face in range(1, SIDES + 1)] for value in (value_a, value_b)]
    floor = max(1 + excess(value_a), 1 + excess(value_b))
    place: dict[int, int] = {}
    last: tuple[bool, bool] | None = None
    current = 0
    for worth in range(floor, CRITICAL_RANK):
        sides = (worth in ranks[0], worth in ranks[1])
        if sides != last or all(sides):
            current += 1
        last = sides
        place[worth] = current
    place[CRITICAL_RANK] = CRITICAL_RANK
    a, b = (Ranks(tuple(place.get(worth, 0) for worth in faces)) for faces in ranks)
    return a, b


# The state of a comparison is one number, so that the solver keeps few and small keys:
# who leads (0 nobody, 1 side a, 2 side b), then Criticals and plain successes that count so far.
_BITS = 5
_MASK = (1 << _BITS) - 1
_LEAD_A = 1 << 2 * _BITS
_LEAD_B = 2 << 2 * _BITS
_Compare = Callable[[int, int, tuple[int, ...]], int | Stop[int]]


@cache
def _comparison(burst_a: int, burst_b: int) -> _Compare:
    """The step of a sweep over both sides' successes, from Criticals down; stops when all is decided."""
    final: dict[int, Stop[int]] = {}
    complete: dict[int, Stop[int]] = {}
    for lead, burst in ((_LEAD_A, burst_a), (_LEAD_B, burst_b)):
        for critical in range(burst + 1):
            for plain_hits in range(burst + 1 - critical):
                state = lead + (critical << _BITS) + plain_hits
                final[state] = Stop(state)
                if critical + plain_hits == burst:
                    complete[state] = final[state]
    nobody = Stop(0)

    def compare(state: int, worth: int, counts: tuple[int, ...]) -> int | Stop[int]:
        a, b = counts
        if state >= _LEAD_B:
            if a:
                return final[state]
            state += b
        elif state:
            if b:
                return final[state]
            state += a
        elif a and b:
            return nobody
        else:
            gain = a or b
            state = (_LEAD_A if a else _LEAD_B) + (gain << _BITS if worth == CRITICAL_RANK else gain)
        return complete.get(state, state)

    return compare


def face_to_face(dice: Dice, a: Side, b: Side, *, label: str = "face to face") -> FaceToFace:
    """Roll for both sides; a success counts only if it beats the best success of the other.

    Criticals beat every plain success; Criticals on both sides, or equal best successes, leave nothing.
    The first dice thrown are those of side a.
    Rules: INF-F2F-02, INF-F2F-03, INF-F2F-04, INF-F2F-05, INF-TRX-03.
    """
    hands = _ranked(a.value if a.thrown else 0, b.value if b.thrown else 0)
    step = _comparison(a.thrown, b.thrown)
    state = dice.sweep(((a.thrown, hands[0]), (b.thrown, hands[1])), step, 0, label)
    hits = Hits(state & _MASK, state >> _BITS & _MASK)
    if state >= _LEAD_B:
        return FaceToFace(b=hits)
    return FaceToFace(a=hits)


class Fate(StrEnum):
    """The result of one die of a Face to Face Roll, in words for replies."""

    FAILURE = "failure"
    CANCELLED = "cancelled"
    SUCCESS = "success"
    CRITICAL = "critical"


def fates(
    value: int, faces: tuple[int, ...], other_value: int, other_faces: tuple[int, ...]
) -> tuple[Fate, ...]:
    """Return the result of each die of a side; no faces on the other side means that it threw none.

    For telling what happened: `face_to_face` decides. Rules: INF-F2F-02, INF-F2F-03, INF-F2F-04.
    """
    best = max((rank(other_value, face) for face in other_faces), default=0)
    outcomes = []
    for face in faces:
        worth = rank(value, face)
        if not worth:
            outcomes.append(Fate.FAILURE)
        elif worth <= best:
            outcomes.append(Fate.CANCELLED)
        else:
            outcomes.append(Fate.CRITICAL if worth == CRITICAL_RANK else Fate.SUCCESS)
    return tuple(outcomes)


@dataclass(frozen=True, slots=True)
class Dodged:
    """One Dodge against several attacks: what each of them still hits, and whether the Dodge took effect.

    `clean` is True where the Dodge succeeded and no attack reached it. Rules: INF-DOD-01, INF-DOD-03.
    """

    clean: bool
    hits: tuple[Hits, ...]


@cache
def _against(worth: int, value: int) -> Die:
    """The d20 of an attack met by a Dodge of that rank: plain, critical, and whether it reaches the Dodge."""
    facets = []
    for face in range(1, SIDES + 1):
        face_rank = rank(value, face)
        reaches = int(0 < worth <= face_rank)
        if face_rank > worth:
            critical = face_rank == CRITICAL_RANK
            facets.append(
                Facet("critical" if critical else "hit", (int(not critical), int(critical), reaches))
            )
        else:
            facets.append(Facet("cancelled" if face_rank else "failure", (0, 0, reaches)))
    return Die(("plain", "critical", "reaches"), tuple(facets), shift=excess(value))


def dodge_die(dice: Dice, value: int, *, label: str = "dodge") -> int:
    """Roll the one die of a Dodge: its rank, 0 for a failure, 20 for a Critical. Rules: INF-DOD-01."""
    return rank(value, dice.face(SIDES, label)) if value > 0 else 0


def attack_dodged(dice: Dice, attack: Side, worth: int, *, label: str = "attack") -> tuple[int, int, int]:
    """Roll an attack against a Dodge of that rank: plain hits, Critical hits, dice that reach the Dodge.

    Rules: INF-DOD-01, INF-F2F-02, INF-F2F-03, INF-F2F-04.
    """
    plain_hits, critical, reaching = dice.pool(attack.thrown, _against(worth, attack.value), label)
    return plain_hits, critical, reaching


def dodge_all(dice: Dice, dodge: int, attacks: tuple[Side, ...]) -> Dodged:
    """Roll one Dodge first and let it oppose all dice of all attacks, each attack separately.

    dodge: modified PH. Rules: INF-DOD-01, INF-F2F-06, INF-F2F-08.
    """
    worth = dodge_die(dice, dodge)
    clean = worth > 0
    hits = []
    for attack in attacks:
        plain_hits, critical, reaching = attack_dodged(dice, attack, worth)
        hits.append(Hits(plain_hits, critical))
        clean = clean and not reaching
    return Dodged(clean, tuple(hits))


def landed(value: int, faces: tuple[int, ...], best_answer: int = 0) -> tuple[int, ...]:
    """Return the ranks of the attack dice that a target's best answer leaves. Rules: INF-BS-08."""
    return tuple(worth for worth in (rank(value, face) for face in faces) if worth > best_answer)


def dodge_landed(dice: Dice, dodge: int, ranks: tuple[int, ...]) -> Dodged:
    """Dodge a template that has landed: one die against each attack die that its target's answer left.

    dodge: modified PH, 0 or less for who does not dodge. Rules: INF-BS-08, INF-DOD-01, INF-F2F-02.
    """
    worth = dodge_die(dice, dodge)
    landing_ranks = [landed for landed in ranks if landed > worth]
    critical = landing_ranks.count(CRITICAL_RANK)
    clean = worth > 0 and not any(one >= worth for one in ranks)
    return Dodged(clean, (Hits(len(landing_ranks) - critical, critical),))


def best_rank(dice: Dice, side: Side) -> int:
    """Throw a side's dice: the rank of its best success, 0 without one. Rules: INF-BS-08."""
    return max((rank(side.value, dice.face(SIDES, "answer")) for _ in range(side.thrown)), default=0)


def dodges_all(dice: Dice, dodge: int, attacks: tuple[Side, ...]) -> bool:
    """Return whether one Dodge meets every attack: `dodge_all` for odds. Rules: INF-DOD-01."""
    worth = dice.call(dodge_die, dodge)
    return worth > 0 and not any(dice.call(_reached, attack, worth) for attack in attacks)


def _reached(dice: Dice, attack: Side, worth: int) -> bool:
    return attack_dodged(dice, attack, worth)[2] > 0


def check_division(burst: int, aimed: Iterable[int]) -> None:
    """Raise Forbidden where more dice are aimed at the targets together than the weapon throws.

    Rules: INF-F2F-07, INF-F2F-08.
    """
    dice = sum(aimed)
    if dice > burst:
        raise Forbidden(
            f"Aim at most {times(burst, 'die', 'dice')}, because the Burst is {burst} (you aimed {dice}).",
            "INF-F2F-07",
        )
