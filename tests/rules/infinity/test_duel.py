from dataclasses import replace

import pytest

from rules.dice import Solver
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.armour import Losses, Save
from rules.systems.infinity.duel import Combatant, Does, prepare_duel, resolve
from rules.systems.infinity.rolls import Side, check_division
from rules.systems.infinity.shooting import Mode
from tests.rules.helpers import fed
from tests.rules.infinity.troops import trooper

ANGUS = Combatant(trooper(), Does.SHOOT, "Combi Rifle")
REMOTE_TEXT = "Remote: BS 11, PH 10, ARM 0, STR 1, TYPE REM; HMG B4 DAM 15 RANGE 8:-3 16:0 32:+3"
REMOTE = Combatant(trooper("Total Reaction", text=REMOTE_TEXT, number=2, side=2), Does.SHOOT, "HMG")


def throw(duel, faces):
    return fed(resolve, faces, duel.a, duel.b, duel.save_a, duel.save_b, opposed=duel.opposed)


@pytest.mark.rule("INF-TRX-01", "INF-TRX-04", "INF-F2F-07")
def test_total_reaction_from_profiles():
    # at 20 in the Combi Rifle has -3 and the HMG +3, as in the example
    duel = prepare_duel(ANGUS, REMOTE, 20)
    assert (duel.a, duel.b, duel.opposed) == (Side(3, 9), Side(4, 14), True)
    assert (duel.save_a, duel.save_b) == (Save(15, 1), Save(13, 0))
    assert throw(duel, [3, 17, 8, 2, 14, 13, 20, 15]) == Losses(a=1)
    plain = replace(REMOTE, trooper=trooper(text=REMOTE_TEXT, number=2, side=2))
    assert prepare_duel(ANGUS, plain, 20).b == Side(1, 14)


def test_every_mod_has_its_reason():
    hidden = replace(REMOTE, trooper=trooper("ODD", text=REMOTE_TEXT), cover=True)
    duel = prepare_duel(ANGUS, hidden, 20)
    assert [str(modifier) for modifier in duel.modifiers_a] == [
        "-3 range up to 32 in",
        "-3 target in cover",
        "-6 target with TO Camouflage",
    ]
    assert duel.a.value == 0
    assert duel.save_b.armour == 3


@pytest.mark.rule("INF-SS-03")
def test_a_sniper_in_cover_under_surprise():
    skills = "Surprise Shot L1, CH: TO Camouflage"
    sniper = Combatant(
        trooper(skills, "to_camouflaged", number=3),
        Does.SHOOT,
        "Combi Rifle",
        cover=True,
        surprise=True,
    )
    answer = replace(ANGUS, others=(Modifier(-3, "range"),))
    bare = replace(answer, trooper=trooper(text="Angus: BS 12; Combi Rifle B3 DAM 13"))
    duel = prepare_duel(sniper, replace(bare, others=()), 20)
    # -3 Surprise, -6 TO, -3 Cover
    assert duel.b.value == 0
    with pytest.raises(Forbidden):
        prepare_duel(replace(sniper, trooper=trooper(skills)), bare, 20)
    # not in ARO
    with pytest.raises(Forbidden):
        prepare_duel(bare, sniper, 20)


@pytest.mark.rule("INF-BS-06", "INF-F2F-06")
def test_dodging_through_a_zero_visibility_zone():
    dodge = Combatant(trooper(number=2), Does.DODGE, zero_visibility=True)
    duel = prepare_duel(ANGUS, dodge, 20)
    assert duel.b == Side(1, 10, attacks=False)
    shooting = replace(ANGUS, zero_visibility=True)
    assert prepare_duel(ANGUS, shooting, 10).b.value == 12 + 3 - 6
    assert prepare_duel(shooting, ANGUS, 10).a.value == 12 + 3


@pytest.mark.rule("INF-F2F-01")
def test_who_shoots_somebody_else_is_not_opposed():
    # A shoots B, C shoots A: towards C all that A does is nothing
    other = prepare_duel(replace(ANGUS, does=Does.NOTHING), REMOTE, 20)
    assert (other.a.burst, other.b.burst, other.opposed) == (0, 4, False)
    assert prepare_duel(ANGUS, Combatant(trooper(), Does.NOTHING), 20).opposed is False


@pytest.mark.rule("INF-F2F-07", "INF-F2F-08")
def test_a_divided_burst_meets_each_target_by_itself():
    one = replace(REMOTE, trooper=trooper(text=REMOTE_TEXT, number=2, side=2))
    for aimed in (2, 1):
        duel = prepare_duel(replace(ANGUS, aimed=aimed), one, 20)
        assert (duel.a.burst, duel.b.burst, duel.opposed) == (aimed, 1, True)
    check_division(3, (2, 1))
    with pytest.raises(Forbidden, match="Aim at most 3 dice"):
        check_division(3, (3, 1))


@pytest.mark.rule("INF-CCS-11", "INF-CCS-07")
def test_berserk_duel():
    text = "Wild: CC 18, PH 12, ARM 1; Axe CC B1 DAM PH; Skills Berserk"
    wild = Combatant(trooper(text=text), Does.FIGHT, "Axe", berserk=True)
    knife = Combatant(trooper(), Does.FIGHT, "Knife")
    duel = prepare_duel(wild, knife, 0)
    assert (duel.a, duel.b, duel.opposed) == (Side(1, 24), Side(1, 13), False)
    assert (duel.save_a, duel.save_b) == (Save(9, 1), Save(12, 1))
    # both may be hit: 10 counts 14 and hits, save 11 or less fails; 12 hits, save 8 or less fails
    assert throw(duel, [10, 11, 12, 8]) == Losses(1, 1)


@pytest.mark.rule("INF-CCS-06", "INF-CC-01")
def test_close_combat_answered_by_a_dodge():
    text = "Master: CC 20, PH 13; Blade CC B1 DAM PH; Skills Martial Arts L5"
    master = Combatant(trooper(text=text), Does.FIGHT, "Blade", martial_arts=5)
    duel = prepare_duel(master, Combatant(trooper(number=2), Does.DODGE), 0)
    assert duel.opposed
    assert duel.b == Side(1, 10 - 6, attacks=False)


def test_what_a_trooper_cannot_do():
    with pytest.raises(Forbidden, match="can't act"):
        prepare_duel(replace(ANGUS, trooper=trooper("", "unconscious")), REMOTE, 20)
    with pytest.raises(Forbidden, match="Choose 1 to 3"):
        prepare_duel(replace(ANGUS, aimed=4), REMOTE, 20)
    with pytest.raises(Forbidden, match="close combat"):
        prepare_duel(replace(ANGUS, weapon="Knife"), REMOTE, 20)
    assert prepare_duel(replace(ANGUS, aimed=2), REMOTE, 20).a.burst == 2


@pytest.mark.rule("INF-BS-07")
def test_speculative_fire_at_a_dodger_out_of_sight():
    lob = replace(ANGUS, weapon="Grenade", mode=Mode.SPECULATIVE, line_of_fire=False)
    dodge = Combatant(trooper(number=2), Does.DODGE, line_of_fire=False, cover=True)
    duel = prepare_duel(lob, dodge, 12)
    assert (duel.a.value, duel.b.value, duel.save_b.armour) == (6, 7, 1)


def test_a_duel_is_solved_as_it_is_thrown():
    duel = prepare_duel(ANGUS, REMOTE, 20)
    odds = Solver().solve(resolve, duel.a, duel.b, duel.save_a, duel.save_b, opposed=duel.opposed)
    assert odds.error < 1e-8
    assert odds.chance(lambda losses: losses.a > 0) > odds.chance(lambda losses: losses.b > 0)
