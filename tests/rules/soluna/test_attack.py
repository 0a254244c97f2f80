import pytest

from rules.effects import Count
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.soluna.attack import attack_roll, prepare
from rules.systems.soluna.damage import (
    Damage,
    Knockdown,
    after_damage,
    damage,
    due_knockdowns,
    group_hits,
    mode_test,
    striking_faces,
)
from rules.systems.soluna.faces import best_flips, count_faces, make_flips
from rules.systems.soluna.models import pay
from rules.systems.soluna.profile import Profile
from rules.systems.soluna.prospects import choices

from ..helpers import fed
from .scene import SABER, S, duel, model

HERA = Profile("Hera", mind=3, health=3, body=1, shield=1, speed=3, weapons=(SABER,))


@pytest.mark.rule("SU-ATK-02")
def test_an_attack_from_the_choice_of_weapon_to_the_knockdown():
    hera = model(HERA, 2, 2)
    # 1 to 3: weapon and target, the point paid (here forced: -2), Power and Accuracy
    payment = pay(0, 0, force=True)
    plan = prepare(
        duel(target=hera, t=(5, 3), weapon=0, payment=payment, accuracy_effects=(Modifier(1, "focus"),)), S
    )
    assert (plan.power, plan.accuracy) == (4, 2 + 1 - 2)
    # 4 and 5: roll, then flips
    counts = fed(attack_roll, [2, 2, 6, 2], plan.power)
    flipped = make_flips(counts, ((6, 2),), plan.accuracy)
    # 7 to 9: groups, protections (Body 1 only, Hera is next to Meena), damage
    assert group_hits(flipped, plan.target, S) == {"health": 4}
    harm = damage(flipped, plan.target, (), S)
    assert harm == Damage((("health", 3),), (), 1)
    # three of three Health: dead, no knockdown; with one less she is tested after the damage
    assert due_knockdowns(hera, harm, S) == ()
    less = damage(counts, plan.target, (), S)
    assert after_damage(hera, less) == (Count("model", 2, "lost_health", 2),)
    # 10: 2 of 3 Health, difficulty 2, three dice for Mind 3
    (test,) = due_knockdowns(hera, less, S)
    assert test == Knockdown("health", 3, 2)
    assert fed(mode_test, [5, 1, 5], test.dice, test.difficulty) is True


@pytest.mark.rule("SU-ATK-02", "SU-FLIP-03")
def test_with_negative_accuracy_the_target_flips_between_roll_and_grouping():
    hera = model(HERA, 2, 2, run=11)
    plan = prepare(duel(target=hera, t=(5, 3), weapon=0), S)
    assert plan.accuracy == 2 - 3
    # four hits on the Mind, one turned away by Hera: 3 - Body 1 = 2
    counts = fed(attack_roll, [1, 1, 1, 1], plan.power)
    spared = next(one for one in choices(counts, plan.accuracy, plan.target, (), S) if one.location == "mind")
    assert spared.damage.of("mind") == 2
    after = best_flips(count_faces([1, 1, 1, 1]), plan.accuracy, striking_faces(plan.target, "mind", S))
    assert after.counts[0] == 3
    with pytest.raises(Forbidden):
        make_flips(count_faces([1, 1, 1, 1]), ((1, 2),), max(0, plan.accuracy))
