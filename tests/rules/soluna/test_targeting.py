import pytest

from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.attack import prepare
from rules.systems.soluna.board import Board, Facing
from rules.systems.soluna.damage import build_artifact_target, damage
from rules.systems.soluna.faces import count_faces
from rules.systems.soluna.models import Clock
from rules.systems.soluna.profile import Profile
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.situation import Situation, check_target, overreach

from .scene import MEENA, RING, SABER, XUL, S, duel, model, stand

LONG = Settings(long_reach_option=True)


def refused(situation, settings=S):
    with pytest.raises(Forbidden) as refusal:
        check_target(situation, settings)
    return refusal.value.rule


@pytest.mark.rule("SU-TGT-01")
def test_within_reach():
    assert check_target(duel(t=(5, 6)), S).effective == 4
    assert refused(duel(t=(5, 7))) == "SU-TGT-01"
    assert refused(duel(board=Board(20, 20, light="dark"))) == "SU-TGT-01"


@pytest.mark.rule("SU-TGT-02")
def test_rows_behind():
    assert refused(duel(t=(6, 1))) == "SU-TGT-02"
    assert refused(duel(t=(5, 0))) == "SU-TGT-02"
    assert check_target(duel(t=(5, 1), weapon=0), S).plain == 1


@pytest.mark.rule("SU-TGT-04")
def test_ranged_weapons_need_room():
    assert refused(duel(t=(5, 4))) == "SU-TGT-04"
    assert refused(duel(t=(5, 3))) == "SU-TGT-04"
    assert check_target(duel(t=(5, 5)), S).plain == 3
    assert check_target(duel(t=(5, 4)), Settings(ranged_min_reach=1)).plain == 2
    assert check_target(duel(t=(5, 4), weapon=0), S).plain == 2
    # counted before visibility: reach 2 in darkness is 4, and still too close
    assert refused(duel(t=(5, 4), board=Board(20, 20, light="dark"))) == "SU-TGT-04"


@pytest.mark.rule("SU-TGT-05")
def test_bare_hands():
    plan = prepare(duel(t=(5, 3), weapon=None), S)
    assert (plan.power, plan.accuracy) == (3, 0)
    hurt = model(lost_health=1)
    assert prepare(duel(hurt, t=(5, 3), weapon=None), S).power == 2
    assert refused(duel(t=(5, 4), weapon=None)) == "SU-TGT-01"
    for light in ("total_dark", "extreme_bright"):
        assert prepare(duel(t=(5, 3), weapon=None, board=Board(20, 20, light=light)), S).power == 3


@pytest.mark.rule("SU-TGT-06")
def test_squares_and_artifacts_are_targets_too():
    board = stand(Board(20, 20), (model(), (5, 2), Facing.NORTH))
    plan = prepare(Situation(board, model(), (5, 6), None, 1, Clock()), S)
    assert (plan.power, plan.target) == (4, None)
    with pytest.raises(Forbidden):  # without a weapon only at reach 1
        prepare(Situation(board, model(), (5, 6), None, None, Clock()), S)
    assert prepare(Situation(board, model(), (5, 3), None, None, Clock()), S).power == 3
    assert damage(count_faces([1, 6, 2, 2]), build_artifact_target("Orb", 3), (), S).of("health") == 3
    with pytest.raises(InvalidInput, match="already ruined"):
        build_artifact_target("Orb", 0)


def test_ruined_weapons_and_wrong_squares():
    with pytest.raises(Forbidden, match="ruined"):
        check_target(duel(model(lost_item_1=1)), S)
    situation = duel()
    with pytest.raises(InvalidInput):
        check_target(Situation(situation.board, model(), (9, 9), situation.target, 1, Clock()), S)
    with pytest.raises(InvalidInput):
        check_target(duel(weapon=7), S)


@pytest.mark.rule("SU-MELEE-01")
def test_in_melee_only_melee_weapons():
    fencer = Profile("Fencer", mind=2, health=3, weapons=(SABER,))
    loose = Settings(ranged_min_reach=1)
    assert refused(duel(target=model(fencer, 2, 2), t=(5, 4)), loose) == "SU-MELEE-01"
    check_target(duel(target=model(fencer, 2, 2), t=(5, 4), weapon=0), loose)
    check_target(duel(target=model(fencer, 2, 2), t=(5, 3), weapon=None), loose)
    # the other has no melee weapon, has lost it, faces away, or stands too far
    check_target(duel(t=(5, 4)), loose)
    check_target(duel(target=model(fencer, 2, 2, lost_item_0=2), t=(5, 4)), loose)
    check_target(duel(target=model(fencer, 2, 2), t=(5, 4), target_facing=Facing.NORTH), loose)
    check_target(duel(target=model(fencer, 2, 2), t=(5, 5)), loose)
    # the shooter has none itself
    shooter = Profile("Shooter", mind=2, health=3, weapons=(RING,))
    check_target(duel(model(shooter), model(fencer, 2, 2), t=(5, 4), weapon=0), loose)


@pytest.mark.rule("SU-OPT-01")
def test_beyond_reach():
    # Focus Ring, Reach 4
    assert [overreach(r, 4) for r in (1, 4, 5, 8, 9, 12, 13)] == [0, 0, 1, 1, 2, 2, 3]
    plan = prepare(duel(t=(5, 11)), LONG)  # reach 9
    assert [(m.amount, m.rule) for m in plan.accuracy_modifiers][-1] == (-2, "SU-OPT-01")
    assert plan.accuracy == 1 - 2
    assert refused(duel(t=(5, 11))) == "SU-TGT-01"
    # the reach after visibility counts: 4 in darkness is 8
    assert prepare(duel(board=Board(20, 20, light="dark")), LONG).accuracy == 0


@pytest.mark.rule("SU-OPT-02")
def test_never_for_melee_weapons():
    assert refused(duel(t=(5, 5), weapon=0), LONG) == "SU-OPT-02"
    assert MEENA.weapons[0].melee
    assert XUL.weapons == ()
