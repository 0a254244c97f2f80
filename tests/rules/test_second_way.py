"""The largest questions of each game, counted a second time from the rules and not by the solver.

Generating functions, closed forms and cards dealt by a fixed seed: nothing of the rules' own dice is used.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from random import Random

import pytest

from rules.dice import Solver
from rules.systems.counterblast.core.checks import Throw, throw
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.melee.bouts import Bout, wounds_by_bouts
from rules.systems.fracd_earth.deck import Draw, Prepared
from rules.systems.fracd_earth.playing import clash, unseen_side
from rules.systems.fracd_earth.settings import Settings
from rules.systems.infinity.armour import Losses, Save, dodge_attacks, exchange
from rules.systems.infinity.rolls import Side
from rules.systems.soluna.movement import contest
from rules.systems.warzone.attacks import Attack, attack
from rules.systems.warzone.templates import TemplateAttack, template_attack
from tests.rules.soluna.test_flips import location_hits

CLOSE = 1e-7
"""What the solver leaves out of a question, at most."""

# ---------------------------------------------------------------- Counterblast, by generating functions

Function = Callable[[complex], complex]


def check_of(dice: int, modifier: int, target: int, critical_from: int = 10) -> Function:
    """Successes less natural 1s: a critical face is a success and one more die, whose 1 only fails."""
    critical = 11 - critical_from
    good = sum(1 for face in range(2, critical_from) if face + modifier >= target)

    def function(z: complex) -> complex:
        bonus = (10 - critical - good + good * z) / (10 - critical * z)
        one = 1 / z + (9 - critical - good) + good * z + critical * z * bonus
        return (one / 10) ** dice

    return function


def spread(function: Function, low: int, high: int) -> dict[int, float]:
    """The chances behind a generating function, by its values on a circle."""
    points = high - low + 1
    roots = [cmath.exp(2j * cmath.pi * step / points) for step in range(points)]
    values = [function(root) * root**-low for root in roots]
    return {
        low + place: (sum(v * roots[-place * step % points] for step, v in enumerate(values)) / points).real
        for place in range(points)
    }


def test_generating_functions_by_hand() -> None:
    """One die against 7: a 1 takes one off, 7 to 9 give one, a 10 gives one or more."""
    one = spread(check_of(1, 0, 7), -4, 60)
    assert one[-1] == pytest.approx(0.1)
    assert one[0] == pytest.approx(0.5)
    assert one[1] == pytest.approx(0.3 + 0.1 * 0.6)
    assert one[2] == pytest.approx(0.1 * (0.3 + 0.1 * 0.6))


@pytest.mark.rule("CB-CHECK-01", "CB-CHECK-10", "CB-CHECK-11", "CB-ACT-08")
def test_a_team_of_twelve_who_are_all_unlike() -> None:
    team = [(2 + place % 3, place % 5 - 1, 6 + place % 4, 10 - place % 2) for place in range(12)]
    own = spread(lambda z: prod(check_of(*one)(z) for one in team), -40, 160)
    throws = tuple(Throw(dice, plus, goal, critical_from=low) for dice, plus, goal, low in team)
    odds = Solver().solve(throw, throws)
    for score in range(-8, 40):
        got = odds.chance(lambda got, s=score: got.score == s)
        assert got == pytest.approx(own[score], abs=CLOSE)


@pytest.mark.rule("CB-CHECK-09", "CB-CHECK-10", "CB-CHECK-11")
@pytest.mark.parametrize("dice", [32, 60])
def test_a_check_of_many_dice_with_its_criticals(dice: int) -> None:
    """First dice by their faces, bonus dice as the failures of natural 10s, of which each 10 has one."""
    good, bad = Fraction(4, 10), Fraction(4, 10)
    found: dict[tuple[int, int], float] = {}
    for tens in range(10):
        for ones in range(dice - tens + 1):
            rest = dice - tens - ones
            start = comb(dice, tens) * comb(dice - tens, ones) * 0.1 ** (tens + ones)
            for criticals in (2, 5, 9):
                if not 0 < tens <= criticals:
                    continue
                more = comb(criticals - 1, tens - 1) * 0.1 ** (criticals - tens)
                # The dice that end a chain succeed as often as any first die that is neither 1 nor 10.
                for hits in range(rest + 1):
                    first = comb(rest, hits) * float(good) ** hits * float(bad) ** (rest - hits)
                    for ends in range(tens + 1):
                        last = comb(tens, ends) * 0.4**ends * 0.5 ** (tens - ends)
                        key = criticals + hits + ends - ones, criticals
                        found[key] = found.get(key, 0.0) + start * more * first * last
    odds = Solver().solve(throw, (Throw(dice, 1, 7),), count=("criticals",))
    for score in (dice // 3, dice // 2, dice * 2 // 3):
        for criticals in (2, 5, 9):
            own = found[score, criticals]
            got = odds.chance(lambda got, s=score, c=criticals: (got.score, got.criticals) == (s, c))
            assert got == pytest.approx(own, rel=1e-5)
    assert odds.chance(lambda got: got.criticals >= 9) == pytest.approx(
        1 - sum(comb(dice + n - 1, n) * 0.9**dice * 0.1**n for n in range(9)), abs=1e-6
    )


@pytest.mark.rule("CB-FIGHT-05", "CB-FIGHT-06", "CB-FIGHT-10", "CB-FIGHT-11", "CB-FIGHT-14", "CB-SHIELD-01")
def test_a_melee_of_seven_on_one() -> None:
    """Each pairing by itself: the difference, then the full shielding, then all wounds together."""
    bouts = [(8 - place % 3, place % 2, 7, 3, 1, 8, 5 + place % 3, 4) for place in range(7)]
    wounds: dict[int, float] = {0: 1.0}
    for dice, plus, goal, back, theirs, high, power, shields in bouts:
        margin = spread(
            lambda z, d=dice, p=plus, g=goal, b=back, t=theirs, h=high: (
                check_of(d, p, g)(z) * check_of(b, t, h)(1 / z)
            ),
            -60,
            120,
        )
        stops = sum(1 for face in range(2, 10) if face >= power)
        # A natural 1 of a shield die only fails.
        stopped = spread(lambda z, s=stops, n=shields: ((9 - s + s * z) / (10 - z)) ** n, 0, 80)
        one: dict[int, float] = {}
        for ahead, p in margin.items():
            for off, q in stopped.items():
                left = max(0, ahead - off) if ahead > 0 else 0
                one[left] = one.get(left, 0.0) + p * q
        both: dict[int, float] = {}
        for before, p in wounds.items():
            for more, q in one.items():
                both[min(12, before + more)] = both.get(min(12, before + more), 0.0) + p * q
        wounds = both
    fought = tuple(
        Bout(1, Throw(dice, plus, goal), Throw(back, theirs, high), Impact(power=power, shields=shields))
        for dice, plus, goal, back, theirs, high, power, shields in bouts
    )
    odds = Solver().solve(wounds_by_bouts, fought, 12)
    for come in range(13):
        assert float(odds.chances.get(come, 0)) == pytest.approx(wounds.get(come, 0.0), abs=CLOSE)


# ---------------------------------------------------------------- Infinity, by the other side's best


def outcomes(mine: tuple[int, int], theirs: tuple[int, int]) -> dict[tuple[int, int], Fraction]:
    """Plain and Critical hits that survive of `mine`, as (dice, value): both up to 20, and they attack."""
    (dice, value), (others, beaten) = mine, theirs
    found: dict[tuple[int, int], Fraction] = {}
    for best in range(beaten):
        # Their best plain success is `best`, 0 for none, and nothing of theirs is a Critical.
        low = 20 - beaten + best
        reach = Fraction(low, 20) ** others - (Fraction(low - 1, 20) ** others if best else 0)
        above = max(0, value - 1 - best)
        for critical in range(dice + 1):
            for plain in range(dice + 1 - critical):
                rest = dice - critical - plain
                ways = factorial(dice) // (factorial(critical) * factorial(plain) * factorial(rest))
                chance = Fraction(ways * above**plain * (19 - above) ** rest, 20**dice)
                found[plain, critical] = found.get((plain, critical), Fraction(0)) + reach * chance
    return found


@pytest.mark.rule("INF-F2F-02", "INF-F2F-03", "INF-F2F-04", "INF-ROLL-06", "INF-ARM-01")
def test_bursts_of_ten_against_ten_with_double_action_ammunition() -> None:
    """A hit is saved for twice, a Critical costs one point and is saved for once more."""
    limit = 13 - 4
    lost: dict[int, Fraction] = {}
    for (plain, critical), p in outcomes((10, 14), (10, 12)).items():
        saves = 2 * plain + critical
        for failed in range(saves + 1):
            chance = (
                comb(saves, failed)
                * Fraction(limit, 20) ** failed
                * Fraction(20 - limit, 20) ** (saves - failed)
            )
            lost[critical + failed] = lost.get(critical + failed, Fraction(0)) + p * chance
    odds = Solver().solve(exchange, Side(10, 14), Side(10, 12), Save(13, 2), Save(13, 4, rolls=2))
    for points in range(1, 12):
        got = float(odds.chances.get(Losses(b=points), 0))
        assert got == pytest.approx(float(lost[points]), abs=CLOSE)


@pytest.mark.rule("INF-DOD-01", "INF-F2F-02", "INF-F2F-03", "INF-F2F-04", "INF-ROLL-06", "INF-ARM-01")
def test_one_dodge_against_ten_bursts() -> None:
    """The one die of the Dodge meets every die of every attack: points lost, face by face, die by die."""
    attacks = tuple((5 - place % 2, 9 + place % 5, 6 + place % 4) for place in range(10))
    lost: dict[int, float] = {}
    for face in range(1, 21):
        here: dict[int, float] = {0: 0.05}
        for dice, value, limit in attacks:
            # Up to 12 the Dodge succeeds and a hit must be higher; its own 12 is a Critical and stops all.
            plain = [shown for shown in range(1, value) if face > 12 or shown > face]
            critical = 1 if face != 12 else 0
            hurt = critical / 20 + (0 if face == 12 else len(plain) / 20 * limit / 20)
            for _ in range(dice):
                after: dict[int, float] = {}
                for points, p in here.items():
                    after[points] = after.get(points, 0.0) + p * (1 - hurt)
                    after[points + 1] = after.get(points + 1, 0.0) + p * hurt
                here = after
        for points, p in here.items():
            lost[points] = lost.get(points, 0.0) + p
    met = tuple((Side(dice, value), Save(13, 13 - limit)) for dice, value, limit in attacks)
    odds = Solver(work=50_000).solve(dodge_attacks, 12, met)
    for points in range(20):
        assert float(odds.chances.get(points, 0)) == pytest.approx(lost[points], abs=CLOSE)


# ---------------------------------------------------------------- sol'una, by counting arrangements


def largest_at_most(dice: int, size: int) -> Fraction:
    """The chance that of so many d6 no face shows more often than `size` times: six groups arranged."""
    ways = [Fraction(1)] + [Fraction(0)] * dice
    for _ in range(6):
        ways = [
            sum((ways[left - k] / factorial(k) for k in range(min(size, left) + 1)), Fraction(0))
            for left in range(dice + 1)
        ]
    return ways[dice] * factorial(dice) / 6**dice


@pytest.mark.rule("SU-GRAP-01", "SU-GRAP-02")
@pytest.mark.parametrize(("active", "passive"), [(12, 12), (12, 9), (7, 12)])
def test_grapples_of_many_dice(active: int, passive: int) -> None:
    def groups(dice: int) -> list[Fraction]:
        reached = [largest_at_most(dice, size) for size in range(dice + 1)]
        return [b - a for a, b in zip([Fraction(0), *reached], reached, strict=False)]

    mine, theirs = groups(active), groups(passive)
    wins = sum(p * sum(theirs[:size]) for size, p in enumerate(mine))
    odds = Solver().solve(contest, active, passive)
    assert odds.chance(lambda got: got.active > got.passive) == pytest.approx(float(wins), abs=CLOSE)


@pytest.mark.rule("SU-ATK-01", "SU-FLIP-01", "SU-FLIP-02", "SU-FLIP-03")
@pytest.mark.parametrize(
    ("dice", "accuracy", "faces"),
    [(8, 5, (4,)), (9, 7, (1, 2)), (8, -4, (1, 6)), (7, -5, (1, 2, 3, 4, 5))],
)
def test_flips_of_many_dice(dice: int, accuracy: int, faces: tuple[int, ...]) -> None:
    """Every throw of so many dice by its faces, and every way to share the flips out between them."""

    def turn(face: int) -> int:
        goals = [goal for goal in range(1, 7) if (goal in faces) == (accuracy > 0)]
        return min(0 if goal == face else 2 if goal + face == 7 else 1 for goal in goals)

    costs = [0 if (face in faces) == (accuracy > 0) else turn(face) for face in range(1, 7)]
    alike = {cost: costs.count(cost) for cost in (0, 1, 2)}
    found: dict[int, Fraction] = {}
    for near, far in product(range(dice + 1), repeat=2):
        if near + far > dice:
            continue
        stay = dice - near - far
        ways = factorial(dice) // (factorial(near) * factorial(far) * factorial(stay))
        weight = Fraction(ways * alike[0] ** stay * alike[1] ** near * alike[2] ** far, 6**dice)
        turned = max(
            one + two
            for one, two in product(range(near + 1), range(far + 1))
            if one + 2 * two <= abs(accuracy)
        )
        hits = stay + turned if accuracy > 0 else near + far - turned
        found[hits] = found.get(hits, Fraction(0)) + weight
    odds = Solver().solve(location_hits, dice, accuracy, faces)
    for hits, p in found.items():
        assert float(odds.chances.get(hits, 0)) == pytest.approx(float(p), abs=CLOSE)


# ---------------------------------------------------------------- Warzone, by formula and by the state


def fails(armour: int, damage: int) -> float:
    """The chance that a save fails: a 1 always saves, a 20 is nothing special."""
    return 1 - min(20, max(1, armour - damage)) / 20


@pytest.mark.rule("WZ-TMPL-01", "WZ-CRIT-02", "WZ-DMG-01", "WZ-DMG-02", "WZ-DMG-06")
def test_a_template_over_twenty_five_models() -> None:
    """Model by model, as the table asks: a natural 1 adds 4 for everyone, a 20 is never a hit."""
    for place in range(25):
        armour = 10 + place % 15
        own = 1 / 20 * (1 - (1 - fails(armour, 16)) ** 2) + 11 / 20 * (1 - (1 - fails(armour, 12)) ** 2)
        odds = Solver().solve(template_attack, TemplateAttack(12, 12, (armour,), hits=2))
        assert odds.chance(lambda got: any(got.wounds)) == pytest.approx(own, abs=CLOSE)


@pytest.mark.rule("WZ-TMPL-01", "WZ-CRIT-02")
def test_all_under_one_template_together() -> None:
    """That all ten are wounded: the one roll is theirs together, the saves are each one's own."""
    armours = tuple(12 + place for place in range(10))
    own = 1 / 20 * prod(fails(one, 16) for one in armours) + 11 / 20 * prod(fails(one, 12) for one in armours)
    odds = Solver().solve(template_attack, TemplateAttack(12, 12, armours))
    assert odds.chance(lambda got: len(got.wounds) == 10 and all(got.wounds)) == pytest.approx(own, abs=CLOSE)


@pytest.mark.rule("WZ-RC-01", "WZ-CRIT-01", "WZ-CRIT-04", "WZ-DMG-01", "WZ-RC-12")
def test_eight_shots_one_after_another() -> None:
    """After a natural 20 the next shot has 4 less to reach; a natural 1 hits with 4 DM more."""
    plain, hard = fails(24, 14), fails(24, 18)
    wounds: dict[tuple[int, bool], float] = {(0, True): 1.0}
    for _ in range(8):
        after: dict[tuple[int, bool], float] = {}
        for (so_far, marked), p in wounds.items():
            reach = 13 - 4 * marked
            for face in range(1, 21):
                hurt = hard if face == 1 else plain if face <= reach and face != 20 else 0.0
                for more, q in ((1, hurt), (0, 1 - hurt)):
                    key = so_far + more, face == 20
                    after[key] = after.get(key, 0.0) + p * q / 20
        wounds = after
    odds = Solver().solve(attack, Attack(8, 13, 14, 24, fumbled=True))
    for come in range(9):
        for marked in (False, True):
            got = odds.chance(lambda got, c=come, m=marked: (got.wounds, got.fumbled) == (c, m))
            assert got == pytest.approx(wounds.get((come, marked), 0.0), abs=CLOSE)


# ---------------------------------------------------------------- Frac'd Earth, by dealing cards

DEALS = 12_000
ACE, JACK = 1, 10


SUIT = [("card", value) for value in range(2, 11)] + [("card", JACK)] * 3 + [("ace", ACE)]
STANDARD_DECK = [*(SUIT * 4), ("card", 0), ("card", 12)]
"""The 54 cards as the rules name them: numbers, three court cards of 10, an Ace in each of four suits."""

MAX_OF_TWO = 1 + 12
"""What an Ace and what it is linked to come to at most."""


def buffed(worth: int, held: list[tuple[str, int]]) -> int:
    """The most with one Buff card: 2 to 4 join what is as high or higher, 5 to 7 what is as low or lower."""
    best = worth
    for kind, value in held:
        if kind != "card":
            continue
        joins = (2 <= value <= 4 and worth >= value) or (5 <= value <= 7 and worth <= value)
        best = max(best, value, worth + value if joins else 0)
    return best


def dealt(random: Random, cards: int, trait: int, *, penalty: bool) -> int:
    """One side's total: it keeps what comes to most, an Ace by what it comes to on average, then pushes."""
    held = random.sample(STANDARD_DECK, 5)
    pile = sorted(STANDARD_DECK, key=lambda _: random.random())
    comes_to = [buffed(worth, held) for worth in range(MAX_OF_TWO + 1)]
    drawn, rest = pile[:cards], pile[cards:]

    def hoped(card: tuple[str, int]) -> float:
        if card[0] == "ace":
            return sum(comes_to[1 + value] for _, value in rest) / len(rest)
        return comes_to[card[1]]

    kept = min(drawn, key=lambda card: card[1]) if penalty else max(drawn, key=hoped)
    if kept[0] == "ace":
        total = comes_to[1 + rest[0][1]]
        rest = rest[1:]
    else:
        total = comes_to[kept[1]]
    push = rest[0][1] if rest[0][0] == "card" else 1 + rest[1][1]
    return trait + total + push


@pytest.mark.rule("FE-CHAL-03", "FE-CHAL-05", "FE-CHAL-07", "FE-DECK-03", "FE-DECK-06", "FE-DECK-07")
@pytest.mark.parametrize(("theirs", "penalty"), [(4, False), (3, True)])
def test_a_clash_with_buff_cards_and_pushes_on_both_sides(theirs: int, penalty: bool) -> None:
    """Cards really dealt, four on one side: the band is four and a half standard errors wide."""
    random = Random(54)
    margins = [
        dealt(random, 4, 2, penalty=False) - dealt(random, theirs, 5, penalty=penalty) for _ in range(DEALS)
    ]
    settings = Settings()
    mine = unseen_side(Prepared(Draw(4, penalty=False, points=0), 2, (), ()), settings, push=True)
    other = unseen_side(Prepared(Draw(theirs, penalty=penalty, points=0), 5, (), ()), settings, push=True)
    odds = Solver().solve(clash, mine, other)
    for least in (-8, -3, 1, 5, 10):
        p = odds.chance(lambda margin, n=least: margin >= n)
        seen = sum(margin >= least for margin in margins) / DEALS
        assert abs(seen - p) < 4.5 * (p * (1 - p) / DEALS) ** 0.5
