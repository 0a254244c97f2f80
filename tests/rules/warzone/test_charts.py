from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Assign, Count, Gain, Leave, Lose, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.attacks import armour
from rules.systems.warzone.characteristic import check
from rules.systems.warzone.close_combat import Strike, strike_modifiers
from rules.systems.warzone.command import begin_activation, in_command
from rules.systems.warzone.model import expire
from rules.systems.warzone.morale import Act, check_may_act
from rules.systems.warzone.powers import (
    after_amok,
    after_backlash,
    after_domination,
    after_finding_nobody,
    after_rampage,
    after_reboot,
    after_recognition,
    after_regrouping,
    after_unhinged,
    check_rampage,
    find_row,
    reboot,
    reboot_limit,
    reboot_modifiers,
    roll_chart,
)
from rules.systems.warzone.ranged import Shot, shot_limit
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import look_up, obstacles
from tests.rules.helpers import brute, fed
from tests.rules.warzone.build import PLAIN, RIFLE, SWORD, model, squad

ROWS = {
    "amok": [
        (1, 6, "buffer_overflow"),
        (7, 12, "reboot"),
        (13, 18, "recognition_fault"),
        (19, 20, "system_reboot"),
    ],
    "unhinged": [
        (1, 11, "crippling_fear"),
        (12, 17, "forced_regression"),
        (18, 19, "derangement"),
        (20, 20, "horror"),
    ],
    "backlash": [
        (1, 10, "mind_scramble"),
        (11, 17, "mind_spike"),
        (18, 19, "mind_surge"),
        (20, 20, "mind_storm"),
    ],
    "rampage": [
        (1, 1, "reckless"),
        (2, 10, "lash_out"),
        (11, 15, "wracked"),
        (16, 19, "blinded"),
        (20, 20, "turns_on_summoner"),
    ],
    "wreck": [(1, 15, "terrain"), (16, 20, "explosion")],
    "passenger": [(1, 6, "unharmed"), (7, 11, "one_wound"), (12, 15, "two_wounds"), (16, 20, "killed")],
}


@pytest.mark.rule("WZ-AMOK-02", "WZ-UNH-02", "WZ-BACK-02", "WZ-RAMP-01", "WZ-WRECK-01", "WZ-WRECK-03")
@pytest.mark.parametrize("chart", ROWS)
def test_every_face_of_every_chart(chart):
    for low, high, key in ROWS[chart]:
        for face in range(low, high + 1):
            assert fed(roll_chart, [face], chart) == key
            assert find_row(chart, key) == look_up(chart, face)
    odds = Solver(exact=True).solve(roll_chart, chart).chances
    assert odds == brute(roll_chart, chart)
    assert odds == {key: Fraction(high - low + 1, 20) for low, high, key in ROWS[chart]}


def machine(number, conditions=(), counters=(), **more):
    return model(number, conditions, counters, traits=("machine",), **more)


# ------------------------------------------------------------------------------------------------- amok


@pytest.mark.rule("WZ-AMOK-02", "WZ-TURN-04")
def test_amok_takes_actions_of_the_next_activation():
    unit = squad(machine(1), machine(2), model(3))
    for face, lost in ((6, 1), (7, 2)):
        effects = after_amok(unit, fed(roll_chart, [face], "amok"))
        assert effects == tuple(Count("model", each, "lost_actions", lost) for each in (1, 2))
    alone = after_amok(unit, "reboot", lone_id=2)
    assert alone == (Count("model", 2, "lost_actions", 2),), "it tested for itself"
    assert len(after_amok(unit, "system_reboot", lone_id=2)) == 4, "the whole squad reboots"
    assert begin_activation(model(1, (), [("lost_actions", 2)]))[:2] == (
        Assign("model", 1, "actions", 1),
        Assign("model", 1, "lost_actions", 0),
    )
    assert begin_activation(model(1, (), [("lost_actions", 5)]))[0] == Assign("model", 1, "actions", 0)


@pytest.mark.rule("WZ-AMOK-02", "WZ-AMOK-03")
def test_recognition_fault():
    unit = squad(machine(1))
    gained = after_amok(unit, fed(roll_chart, [13], "amok"))
    assert gained == (Gain(1, "recognition_fault", 0, "the end of its next activation"),)
    assert Lose(1, "recognition_fault") in expire(machine(1, ["recognition_fault"]), "activation")
    assert after_recognition(machine(1), fed(check, [10], 10)) == ()
    assert after_recognition(machine(1), fed(check, [11], 10)) == (Count("model", 1, "actions", -1),)
    turned = after_recognition(machine(1), fed(check, [20], 25))
    assert [effect.action for effect in turned] == ["attack_nearest_friend"]


@pytest.mark.rule("WZ-AMOK-02", "WZ-AMOK-04")
def test_system_reboot():
    unit = squad(machine(1, ai=2, cybernetics=1), machine(2, ai=2))
    effects = after_amok(unit, fed(roll_chart, [19], "amok"))
    for number in (1, 2):
        assert Count("model", number, "lost_actions", 2) in effects
        assert Gain(number, "system_reboot", 0, "the end of its next activation") in effects
    assert reboot_limit(unit.models[0], enemy_in_sight=True) == 7
    assert reboot_modifiers(unit.models[1], enemy_in_sight=True)[-1].amount == -2
    lost = machine(1, ["system_reboot"])
    leader = model(3, traits=("leader",))
    assert not in_command(leader, lost, 1)
    assert not in_command(machine(4, ["system_reboot"]), machine(4, ["system_reboot"]), 0)
    assert any(isinstance(effect, Propose) and effect.action == "reboot" for effect in begin_activation(lost))


@pytest.mark.rule("WZ-AMOK-04", "WZ-AMOK-05")
def test_one_after_another_until_one_leads():
    limits = (7, 8, 9)
    assert fed(reboot, [8, 8], limits) == 1
    assert fed(reboot, [8, 9, 10], limits) == -1
    assert Solver(exact=True).solve(reboot, limits).chances == brute(reboot, limits)
    models = tuple(machine(number, ["system_reboot"]) for number in (1, 2, 3))
    assert after_reboot(models, 1) == (Lose(2, "system_reboot"), Gain(2, "leading"))
    outside, *inside = after_regrouping(models[1], (models[0], models[2]), frozenset({3}))
    assert inside == [Lose(3, "system_reboot"), Assign("model", 3, "actions", 1)]
    assert outside.action == "move"
    assert "M2's command distance" in outside.reason
    failed = after_reboot(models, -1)
    assert [effect.action for effect in failed] == ["move"] * 3
    assert all("nearest squad member" in effect.reason for effect in failed)
    leading = machine(2, ["leading"])
    assert squad(machine(1), leading, leader=1).leading is leading
    assert Lose(2, "leading") in begin_activation(leading)


# --------------------------------------------------------------------------------------------- unhinged


@pytest.mark.rule("WZ-UNH-02", "WZ-UNH-01", "WZ-UNH-03")
def test_unhinged_rows():
    broken = model(1, ["broken"])
    assert after_unhinged(broken, fed(roll_chart, [11], "unhinged")) == (
        Gain(1, "crippling_fear", 0, "rally"),
    )
    assert after_unhinged(broken, fed(roll_chart, [12], "unhinged")) == (
        Gain(1, "forced_regression", 0, "rally"),
    )
    assert after_unhinged(broken, fed(roll_chart, [18], "unhinged")) == (Gain(1, "derangement", 0, "rally"),)
    assert after_unhinged(broken, fed(roll_chart, [20], "unhinged")) == (Leave(1, "horror"),)


@pytest.mark.rule("WZ-UNH-05")
def test_a_deranged_model_looks_for_somebody_to_attack():
    mad = model(1, ["broken", "derangement"], weapons=(RIFLE, SWORD))
    assert after_finding_nobody(mad) == (Count("model", 1, "actions", -1),)
    assert any(isinstance(e, Propose) and e.action == "derangement" for e in begin_activation(mad))


# ------------------------------------------------------------------------------------ backlash, rampage


@pytest.mark.rule("WZ-BACK-02", "WZ-BACK-03", "WZ-BACK-04")
def test_backlash_rows():
    mage = model(1, sz=3)

    def row(face):
        return after_backlash(mage, fed(roll_chart, [face], "backlash"), 4)

    assert row(10) == (Gain(1, "mind_scramble", 0, "turn"),)
    assert row(11) == (Assign("model", 1, "actions", 0),)
    assert row(18) == (Gain(1, "unconscious", 0, "woken"), Gain(1, "prone"))
    assert row(20)[0].details == (("inches", 3), ("magnitude", 4))


@pytest.mark.rule("WZ-RAMP-01", "WZ-RAMP-02")
def test_rampage_rows():
    beast = model(1)

    def row(face, summoner=7):
        return after_rampage(beast, fed(roll_chart, [face], "rampage"), summoner)

    assert row(1) == (Gain(1, "reckless", 0, "turn"),)
    assert row(2)[0].action == "attack_nearest"
    assert row(2)[0].details == (("uses_activation", 1),)
    assert row(11) == (Gain(1, "wracked", 0, "dominated"),)
    blinded = (Count("model", 1, "lost_actions", 1), Gain(1, "blinded", 0, "the end of its next activation"))
    assert row(16) == blinded
    assert row(20)[0].details == (("target", 7), ("all_actions", 1), ("uses_activation", 1))
    assert row(20, summoner=None) == blinded


@pytest.mark.rule("WZ-RAMP-01", "WZ-RAMP-02")
def test_rampage_results_in_play():
    def numbers(*conditions):
        beast = model(1, conditions)
        shot = Shot(beast, model(2, side=2), RIFLE, 10)
        strike = Strike(beast, model(2, side=2), SWORD)
        return (
            shot_limit(shot, PLAIN),
            sum(each.amount for each in strike_modifiers(strike)),
            armour(beast, PLAIN),
        )

    assert numbers() == (10, 0, 22)
    assert numbers("reckless") == (13, 3, 19)
    assert numbers("wracked") == (7, -3, 22)
    check_may_act(model(1, ["blinded"]), Act.SHOOT)
    with pytest.raises(Forbidden):
        check_may_act(model(1, ["blinded"], [("attacks", 1)]), Act.FIGHT)
    assert expire(model(1, ["reckless"]), "turn") == (Lose(1, "reckless"),)
    assert expire(model(1, ["wracked"]), "turn") == ()
    assert after_domination(model(1, ["wracked"])) == (Lose(1, "wracked"),)
    assert Lose(1, "blinded") in expire(model(1, ["blinded"]), "activation")
    check_rampage(model(1), PLAIN, dominated=True)
    with pytest.raises(Forbidden):
        check_rampage(model(1), Settings(rampage_trigger="no_domination"), dominated=True)


@pytest.mark.rule("WZ-TERRAIN-01")
def test_obstacles():
    rows = {key: (row.ar, row.wd, row.types) for key, row in obstacles().items()}
    c, r, x = "concussive", "radiant", "rending"
    assert rows == {
        "thatch": (12, 2, (c, r, x)),
        "light_wood": (16, 3, (c, r)),
        "treated_timber": (18, 3, (c, r)),
        "reinforced_timber": (20, 4, (c,)),
        "stone": (22, 5, (c,)),
        "metal": (24, 6, (r,)),
        "reinforced_metal": (26, 7, ()),
        "barbed_wire": (25, 2, ()),
        "sandbags": (24, 3, ()),
        "dragons_teeth": (25, 4, ()),
        "trenches": (26, 8, ()),
    }
    assert {key for key, row in obstacles().items() if row.impenetrable} == {"sandbags", "dragons_teeth"}
