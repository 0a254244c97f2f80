"""One real rule of every game, rolled, fed with faces and solved: the three agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules.dice import Entered, MoreDice, Odds, Recorded, Roller, Solver, solve
from rules.systems.counterblast.core.checks import CheckResult, Throw, throw
from rules.systems.counterblast.core.impacts import Impact, Suffered
from rules.systems.counterblast.melee.bouts import Bout, fight
from rules.systems.fracd_earth import chances
from rules.systems.fracd_earth.checks import CheckResult as CardCheck
from rules.systems.fracd_earth.deck import Deck, draw_for
from rules.systems.fracd_earth.settings import DEFAULTS
from rules.systems.infinity.armour import Losses, Save, exchange
from rules.systems.infinity.rolls import Side
from rules.systems.soluna.damage import Damage, Target, striking_faces
from rules.systems.soluna.prospects import prospect
from rules.systems.soluna.settings import Settings as SolunaSettings
from rules.systems.warzone.attacks import Attack, AttackResult, attack
from tests.rules.fracd_earth.build import cards, faces_of, kind_of
from tests.rules.helpers import brute, fed
from tests.rules.soluna.scene import attack as soluna_attack
from tests.rules.sources import Chance, fits

Rule = Callable[..., Any]


def agree(rule: Rule, *args: Any, rolls: int = 1500, **kwargs: Any) -> Odds[Any]:
    """Roll the rule often, feed every roll's faces back, and compare the counts with the odds; gives them."""
    exact = Solver(exact=True).solve(rule, *args, **kwargs)
    floats = solve(rule, *args, **kwargs)
    assert sum(exact.chances.values()) == 1
    assert float(sum(floats.chances.values())) + floats.error == pytest.approx(1)
    for outcome, p in exact.chances.items():
        assert float(floats.chances.get(outcome, 0.0)) == pytest.approx(float(p), abs=floats.error + 1e-12)
    seen: Counter[Any] = Counter()
    source = Chance(rolls)
    for turn in range(rolls):
        roller = Roller(source)
        outcome = rule(roller, *args, **kwargs)
        seen[outcome] += 1
        if turn < 50:
            _fed_again(roller, outcome, rule, *args, **kwargs)
    assert fits(seen, exact.chances)
    return exact


def _fed_again(roller: Roller, outcome: Any, rule: Rule, *args: Any, **kwargs: Any) -> None:
    """The same faces, typed in or replayed, give the same; one fewer is asked for, one more is left over."""
    faces = [face for _, face in roller.record]
    assert fed(rule, faces, *args, **kwargs) == outcome
    again = Roller(Recorded(roller.record, Entered(())))
    assert rule(again, *args, **kwargs) == outcome
    assert again.trace == roller.trace
    if faces:
        with pytest.raises(MoreDice) as asked:
            fed(rule, faces[:-1], *args, **kwargs)
        assert asked.value.sides == roller.record[-1][0]
    entered = Entered([*faces, 1])
    rule(Roller(entered), *args, **kwargs)
    assert entered.left == 1


def test_counterblast_check() -> None:
    """2D+1 against 7: 6 and better succeed, a 10 earns one more die, a natural 1 takes a success."""
    assert fed(throw, [10, 1, 9], (Throw(2, 1, 7),)) == CheckResult(1)
    odds = agree(throw, (Throw(2, 1, 7),))
    assert dict(odds.chances) == brute(throw, (Throw(2, 1, 7),))
    one = agree(throw, (Throw(1, 0, 7),)).map(lambda result: result.score).chances
    assert one[-1] == Fraction(1, 10)
    assert one[0] == Fraction(5, 10)
    assert one[1] == Fraction(3, 10) + Fraction(1, 10) * Fraction(6, 10)
    assert one[2] == Fraction(1, 10) * (Fraction(3, 10) + Fraction(1, 10) * Fraction(6, 10))


def test_counterblast_opposed_melee_with_shields() -> None:
    bout = Bout(1, Throw(4, 1, 6), Throw(2, 0, 6), Impact(power=6, damage=2, shields=2, tough=True))
    # attack 3 hits of 4, defence 1: margin 2, 4 damage; shields stop 1; tough ignores 1 of 3
    assert fed(fight, [9, 8, 5, 2, 6, 2, 6, 5, 7, 2, 3], bout) == Suffered(2, 1, 1, 2)
    unhurt = solve(fight, bout).chance(lambda outcome: outcome.hits == 0)
    assert unhurt == pytest.approx(float(_not_ahead(_scores(4, 5), _scores(2, 6))))
    small = Bout(1, Throw(2, 1, 6), Throw(1, 0, 6), Impact(power=6, shields=1))
    odds = agree(fight, small)
    unhurt = sum(p for outcome, p in odds.chances.items() if outcome.hits == 0)
    assert unhurt == _not_ahead(_scores(2, 5), _scores(1, 6))


def _not_ahead(mine: dict[int, Fraction], theirs: dict[int, Fraction]) -> Fraction:
    return sum((p * q for a, p in mine.items() for b, q in theirs.items() if a <= b), Fraction(0))


def _scores(dice: int, least: int) -> dict[int, Fraction]:
    """Scores of Counterblast dice that succeed from the face `least` up, reckoned without the dice seam."""

    def bonus(waves: int) -> dict[int, Fraction]:
        """What a bonus die and its own add: 1 only fails."""
        further = bonus(waves - 1) if waves else {0: Fraction(1)}
        found = {0: Fraction(least - 1, 10), 1: Fraction(10 - least, 10)}
        for value, p in further.items():
            found[value + 1] = found.get(value + 1, Fraction(0)) + p / 10
        return found

    one = {-1: Fraction(1, 10), 0: Fraction(least - 2, 10), 1: Fraction(10 - least, 10)}
    for value, p in bonus(11).items():
        one[value + 1] = one.get(value + 1, Fraction(0)) + p / 10
    scores = {0: Fraction(1)}
    for _ in range(dice):
        after: dict[int, Fraction] = {}
        for a, p in scores.items():
            for b, q in one.items():
                after[a + b] = after.get(a + b, Fraction(0)) + p * q
        scores = after
    return scores


def test_infinity_face_to_face_with_armour() -> None:
    # 11 beats 8 and the reaction's 9; two hits, one fails its save of 13 - 3 = 10 or less
    shots, reply = Side(3, 13), Side(1, 12)
    assert fed(exchange, [11, 12, 17, 9, 10, 11], shots, reply, Save(13, 3), Save(13, 3)) == Losses(b=1)
    agree(exchange, shots, reply, Save(13, 1), Save(14, 4, 2))
    small = (Side(1, 13), Side(1, 11), Save(13, 3), Save(13, 0))
    assert dict(agree(exchange, *small).chances) == brute(exchange, *small)


def test_warzone_shot_with_armour() -> None:
    shot = Attack(shots=1, limit=12, dm=10, ar=20)
    assert fed(attack, [12, 11], shot) == AttackResult(1, 0, 1, fumbled=False)
    assert fed(attack, [1, 7], shot) == AttackResult(1, 1, 1, fumbled=False)
    odds = agree(attack, shot)
    assert dict(odds.chances) == brute(attack, shot)
    wounds = odds.map(lambda result: result.wounds).chances
    assert wounds[1] == Fraction(11, 20) * Fraction(10, 20) + Fraction(1, 20) * Fraction(14, 20)
    agree(attack, Attack(shots=3, limit=9, dm=12, ar=18, fumbled=True))


def test_soluna_attack_with_best_flips() -> None:
    settings = SolunaSettings()
    target = Target((1, 3, 1, 1, 3, 2), (("saber", 2),), shield_usable=False)
    args = (1, "health", target, (), settings)
    faces = striking_faces(target, "health", settings)
    assert faces == (2,)
    assert fed(soluna_attack, [2, 2, 6], 3, *args).of("health") > fed(soluna_attack, [2, 4, 6], 3, *args).of(
        "health"
    )
    odds = agree(soluna_attack, 3, *args)
    assert all(isinstance(outcome, Damage) for outcome in odds.chances)
    assert dict(odds.chances) == brute(soluna_attack, 3, *args)
    short = agree(prospect, 4, 2, target, settings)
    assert dict(short.chances) == brute(prospect, 4, 2, target, settings)
    away = agree(prospect, 4, -1, target, settings)
    plain = agree(prospect, 4, 0, target, settings)
    assert away.mean(lambda one: one.lost[5]) < plain.mean(lambda one: one.lost[5])


def test_fracd_earth_check_from_a_part_used_deck() -> None:
    used = cards("9H 8S KD 2C")
    held = cards("AS 5D")
    rest = tuple(n for n in range(len(DEFAULTS.deck)) if n not in used + held)
    deck = Deck(rest[:14], buff_hand=held, discards=(*used, *rest[14:]), pushes=1)
    supply = chances.own_supply(deck, DEFAULTS)
    assert sum(supply.pile) == 14
    for net, push in ((0, False), (1, True), (-1, False)):
        hand = chances.hand_of(draw_for(net, DEFAULTS), 4, deck, DEFAULTS, push=push)
        odds = agree(chances.check, supply, hand, 10)
        assert dict(odds.chances) == brute(chances.check, supply, hand, 10)
    single = chances.hand_of(draw_for(0, DEFAULTS), 4, deck, DEFAULTS)
    nine = next(card for card in deck.pile if not DEFAULTS.deck[card].link)
    kind = kind_of(nine)
    faces = faces_of(supply.pile, (kind,))
    assert fed(chances.check, faces, supply, single, 10) == CardCheck(4 + kind - 10)
    # from a pile that is almost used up the discards follow
    almost = Deck(rest[:1], buff_hand=held, discards=(*used, *rest[1:]), pushes=0)
    two = chances.hand_of(draw_for(1, DEFAULTS), 4, almost, DEFAULTS)
    scarce = chances.own_supply(almost, DEFAULTS)
    assert dict(agree(chances.check, scarce, two, 10).chances) == brute(chances.check, scarce, two, 10)
