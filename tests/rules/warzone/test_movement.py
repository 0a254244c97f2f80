from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Count, Gain, Harm, Leave, Lose, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.movement import (
    Allowance,
    Fall,
    Ground,
    JumpDown,
    JumpedDown,
    Landing,
    after_fall,
    after_long_jump,
    after_move,
    change_presence,
    check_gap,
    check_turn,
    fall,
    jump_down,
    knock_prone,
    long_jump,
    long_jump_needed,
    move_allowance,
    prepare_fall,
)
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import MOVEMENTS, TERRAINS
from tests.rules.helpers import brute, fed
from tests.rules.warzone.build import PLAIN, model

# turning, then inches of MV 8 in normal, limiting, rough, impassable, water; None: may not enter
TABLE = {
    "foot": (360, 8, 8, 4, None, 4),
    "bike": (180, 8, None, 8, None, 4),
    "wheeled": (90, 8, 7, 7, None, 7),
    "tracked": (180, 8, 8, 8, None, 8),
    "walker": (180, 8, 8, 8, 8, 8),
    "skimmer": (360, 8, 8, 8, 8, 9),
    "flyer": (90, 8, 8, 8, 8, 8),
}


def inches(terrain, settings=PLAIN, gait="move", conditions=(), counters=(), **more):
    ground = {key: more.pop(key) for key in ("obstacle_inches", "deep_water") if key in more}
    terrains = frozenset(terrain.split())
    mover = model(1, conditions, counters, **({"mv": 8} | more))
    return move_allowance(mover, settings, Ground(terrains, **ground), gait).inches


@pytest.mark.rule("WZ-TERR-01")
@pytest.mark.parametrize("movement", MOVEMENTS)
@pytest.mark.parametrize("terrain", TERRAINS)
def test_terrain_table(movement, terrain):
    order = ("normal", "limiting", "rough", "impassable", "water")
    expected = TABLE[movement][1 + order.index(terrain)]
    if expected is None:
        with pytest.raises(Forbidden):
            inches(terrain, movement=movement)
    else:
        assert inches(terrain, movement=movement, obstacle_inches=1) == expected


@pytest.mark.rule("WZ-TERR-08", "WZ-TERR-01")
@pytest.mark.parametrize("movement", MOVEMENTS)
def test_turning(movement):
    limit = TABLE[movement][0]
    check_turn(model(1, movement=movement), limit)
    if limit < 360:
        with pytest.raises(Forbidden) as refusal:
            check_turn(model(1, movement=movement), limit + 1)
        assert refusal.value.rule == "WZ-TERR-08"


@pytest.mark.rule("WZ-TERR-02")
def test_terrain_leaves_one_inch():
    assert inches("rough", mv=1) == 1
    assert inches("rough", mv=1, movement="wheeled") == 1
    assert inches("rough", mv=0) == 0


@pytest.mark.rule("WZ-TERR-03")
def test_walker_stride():
    assert inches("impassable", movement="walker", sz=5, obstacle_inches=2.5) == 8
    with pytest.raises(Forbidden) as refusal:
        inches("impassable", movement="walker", sz=5, obstacle_inches=2.6)
    assert refusal.value.rule == "WZ-TERR-03"


@pytest.mark.rule("WZ-TERR-04")
def test_no_terrain_limits_a_flyer_at_whatever_altitude():
    for terrain in TERRAINS:
        assert inches(terrain, movement="flyer") == 8


@pytest.mark.rule("WZ-TERR-05")
def test_impassable_water():
    for movement in ("bike", "wheeled", "tracked"):
        with pytest.raises(Forbidden):
            inches("water", movement=movement, deep_water=True)
    with pytest.raises(Forbidden):
        inches("water", movement="walker", deep_water=True)
    assert inches("water", movement="foot", deep_water=True) == 4
    assert inches("water", movement="skimmer", deep_water=True) == 9


@pytest.mark.rule("WZ-TERR-06")
def test_limiting_terrain_on_foot():
    ground = Ground(frozenset({"limiting"}))
    assert move_allowance(model(1), PLAIN, ground) == Allowance(5, crossing=True)
    assert move_allowance(model(1), Settings(limiting_terrain_foot="normal"), ground) == Allowance(5)


@pytest.mark.rule("WZ-TERR-07")
def test_worst_terrain_counts_and_halves_stay_exact():
    assert inches("normal rough", mv=5) == 2.5
    assert inches("normal water", movement="skimmer") == 8
    assert inches("rough", Settings(half_mv_rounding="up"), mv=5) == 3
    assert inches("rough", Settings(half_mv_rounding="down"), mv=5) == 2


@pytest.mark.rule("WZ-MOVE-01", "WZ-UNH-03", "WZ-SYS-04")
def test_move_action():
    assert inches("normal", mv=5) == 5
    assert inches("normal", conditions=["minimized"]) == 8
    assert inches("normal", Settings(mp_move_percent=50), conditions=["minimized"]) == 4
    assert inches("normal", conditions=["broken", "crippling_fear"]) == 4
    assert inches("normal", counters=[("system.engine", 1)]) == 6
    assert inches("normal", counters=[("system.engine", 3)]) == 2
    assert inches("normal", counters=[("system.engine", 5)]) == 0
    with pytest.raises(Forbidden):
        inches("normal", conditions=["prone"])


@pytest.mark.rule("WZ-MOVE-03", "WZ-MOVE-04")
def test_crawl_and_climb():
    assert inches("normal", gait="crawl", conditions=["prone"], mv=5) == 2.5
    assert inches("rough", gait="crawl", mv=8) == 2
    assert inches("rough", gait="climb", mv=5) == 2.5
    with pytest.raises(Forbidden) as refusal:
        inches("normal", gait="climb", conditions=["prone"])
    assert refusal.value.rule == "WZ-MOVE-01"
    assert Gain(1, "climbing", 0, "its next move") in after_move(model(1), "climb")
    assert Lose(1, "climbing") in after_move(model(1, ["climbing"]))


@pytest.mark.rule("WZ-MOVE-02", "WZ-PRES-01", "WZ-PRES-03")
def test_changing_presence():
    cost = Count("model", 1, "actions", -1)
    assert change_presence(model(1), "minimized") == (cost, Gain(1, "minimized"))
    assert change_presence(model(1, ["minimized"]), "standing") == (cost, Lose(1, "minimized"))
    assert change_presence(model(1, ["prone"]), "standing") == (cost, Lose(1, "prone"))
    both = change_presence(model(1, ["prone"]), "minimized")
    assert set(both) == {cost, Lose(1, "prone"), Gain(1, "minimized")}
    assert change_presence(model(1), "prone") == (cost, Gain(1, "prone"))
    assert knock_prone(model(1)) == (Gain(1, "prone"),)
    assert knock_prone(model(1, ["prone"])) == ()
    with pytest.raises(Forbidden):
        change_presence(model(1), "standing")
    with pytest.raises(Forbidden):
        change_presence(model(1, ["panicked"]), "minimized")


@pytest.mark.rule("WZ-SPACE-01", "WZ-SPACE-02", "WZ-SPACE-04")
def test_gaps():
    for between, needed in (("same_squad", 0), ("friends", 1), ("enemies", 4)):
        check_gap(between, needed)
        if needed:
            with pytest.raises(Forbidden):
                check_gap(between, needed - 0.1)
        with pytest.raises(Forbidden) as refusal:
            check_gap(between, needed, overlaps_at_end=True)
        assert refusal.value.rule == "WZ-SPACE-01"


@pytest.mark.rule("WZ-JUMP-01", "WZ-JUMP-02")
def test_jumping_across():
    jumper = model(1, mv=5)
    assert not long_jump_needed(jumper, 2.5)
    assert long_jump_needed(jumper, 2.6)
    assert long_jump_needed(jumper, 5)
    with pytest.raises(Forbidden):
        long_jump_needed(jumper, 5.1)
    assert [fed(long_jump, [face]) for face in (1, 18, 19, 20)] == [
        Landing.ACROSS,
        Landing.ACROSS,
        Landing.FAR_END,
        Landing.START,
    ]
    assert Solver(exact=True).solve(long_jump).chances == brute(long_jump)
    assert brute(long_jump)[Landing.ACROSS] == Fraction(18, 20)
    assert after_long_jump(jumper, Landing.ACROSS, 4) == ()
    assert after_long_jump(jumper, Landing.START, 0) == (Gain(1, "prone"),)
    dropped = after_long_jump(jumper, Landing.FAR_END, 3.5)[0]
    assert isinstance(dropped, Propose)
    assert dropped.details == (("inches", 4),)


@pytest.mark.rule("WZ-FALL-01", "WZ-JUMP-03", "WZ-FALL-02")
def test_falls():
    assert prepare_fall(5, 2, 22, PLAIN) == Fall(2, 9, 22)
    assert prepare_fall(3, 2, 22, PLAIN) == Fall(1, 7, 22)
    assert prepare_fall(4, 1, 22, PLAIN) == Fall(4, 9, 22)
    assert prepare_fall(4.2, 2, 22, PLAIN) == Fall(2, 9, 22)
    assert prepare_fall(2, 0, 22, PLAIN) == Fall(2, 7, 22)
    assert prepare_fall(2, 2, 22, PLAIN).hits == 0
    assert prepare_fall(5, 2, 22, Settings(fall_multiplier="product")) == Fall(1, 18, 22)
    assert fed(fall, [13, 14], Fall(2, 9, 22)) == 1  # 13 or less saves
    assert fed(fall, [], Fall(0, 0, 22)) == 0


@pytest.mark.rule("WZ-FALL-02", "WZ-DMG-04")
def test_after_a_fall():
    tough = model(1, wd=3)
    hit = Fall(1, 7, 22)
    assert after_fall(tough, hit, 1, PLAIN) == (Harm(1, 1), Gain(1, "prone"))
    assert after_fall(tough, hit, 0, PLAIN) == (Gain(1, "prone"),)
    assert after_fall(tough, hit, 0, Settings(fall_prone=False)) == ()
    assert after_fall(tough, Fall(0, 0, 22), 0, PLAIN) == ()
    assert after_fall(model(1), hit, 1, PLAIN) == (Harm(1, 1), Leave(1, "casualty"))


@pytest.mark.rule("WZ-JUMP-03", "WZ-JUMP-04")
def test_jumping_down():
    low = JumpDown(10, prepare_fall(2, 2, 22, PLAIN))
    assert fed(jump_down, [], low) == JumpedDown(True)
    high = JumpDown(10, Fall(2, 9, 22))
    assert fed(jump_down, [10, 13, 14], high) == JumpedDown(True, 1)
    assert fed(jump_down, [11], high) == JumpedDown(False)
    on_fail = JumpDown(10, Fall(2, 9, 22), on_fail=True)
    assert fed(jump_down, [10], on_fail) == JumpedDown(True, 0)
    assert fed(jump_down, [11, 14, 14], on_fail) == JumpedDown(True, 2)
    for numbers in (high, on_fail):
        assert Solver(exact=True).solve(jump_down, numbers).chances == brute(jump_down, numbers)
