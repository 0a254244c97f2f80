import pytest

from rules.effects import Count, Gain, Harm, Leave
from rules.modifiers import Modifier, total
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import protection as p
from rules.systems.fracd_earth.checks import CheckResult
from rules.systems.fracd_earth.library import read_effects
from rules.systems.fracd_earth.outcomes import AttackResult
from rules.systems.fracd_earth.protection import Harmed, Hit
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from rules.systems.fracd_earth.turns import counts_for_victory, push_tokens, solo_order
from rules.systems.fracd_earth.weapons import SEVERITIES, severity_column
from tests.rules.fracd_earth.build import BOLT, RIFLE, card, figure

PARTIAL = Modifier(-1, "partial hit", "FE-OUT-01")
ARMOUR = Modifier(-1, "armour", "FE-PRO-03")


def harm(margin, severity="M", shifts=(), settings=DEFAULTS, target=None, rows=0):
    return p.harm(CheckResult(margin), Hit(3, severity, tuple(shifts), rows), target or figure(), settings)


@pytest.mark.rule("FE-PRO-01")
def test_target_number_and_trait():
    assert [p.target_number(force) for force in (1, 3, 12)] == [11, 13, 22]
    assert p.prepare_check(figure(), RIFLE, DEFAULTS).trait == 2  # dp
    assert p.prepare_check(figure(), BOLT, DEFAULTS).trait == 3  # Mind
    assert harm(1).avoided
    assert [harm(margin, "L").avoided for margin in (0, -1)] == [False, False]
    with pytest.raises(InvalidInput):
        p.target_number(0)


@pytest.mark.rule("FE-WPN-03")
def test_protection_or_resistance():
    assert p.kind_of_check(RIFLE) == "protection"
    assert p.kind_of_check(BOLT) == "resistance"


@pytest.mark.rule("FE-PRO-02", "FE-CMB-02", "FE-AOE-12")
def test_hard_cover():
    assert p.prepare_check(figure(), RIFLE, DEFAULTS, cover="hard").draw.cards == 2
    assert p.prepare_check(figure(), RIFLE, DEFAULTS, cover="soft").draw.cards == 1
    assert p.prepare_check(figure(), RIFLE, DEFAULTS, ducked=True).draw.cards == 2
    assert total(p.prepare_check(figure(), RIFLE, DEFAULTS, cover="hard", ducked=True).marks) == 1
    assert p.prepare_check(figure(), BOLT, DEFAULTS, cover="hard").draw.cards == 1


@pytest.mark.rule("FE-PRO-03", "FE-OUT-01")
def test_column_shift():
    assert harm(-1, "M", (PARTIAL, ARMOUR)).column == "VL"
    assert harm(-1, "M", (PARTIAL,)).column == "L"


@pytest.mark.rule("FE-OUT-10")
def test_abuse_columns():
    assert severity_column("M", 1) == "H"
    assert severity_column("M", 2) == "VH"


@pytest.mark.rule("FE-PRO-04")
def test_effect_shift():
    assert (harm(-1).level, harm(-1, rows=1).level) == (1, 2)
    assert harm(-12, rows=1).level == 4
    right = harm(-1, rows=1, settings=Settings(effect_shift="column_right"))
    assert (right.level, right.column) == (1, "H")


@pytest.mark.rule("FE-PRO-05")
def test_edges_of_the_table():
    assert severity_column("L", -3) == "VL"
    assert severity_column("H", 3) == "VH"
    assert severity_column("L", -2, clamp=False) is None
    assert harm(-1, "VL", (PARTIAL,), Settings(vl_underflow="no_effect")).avoided
    assert harm(-1, "VL", (PARTIAL,)).column == "VL"


@pytest.mark.rule("FE-PRO-06", "FE-WPN-02")
def test_effects_table():
    assert SEVERITIES == ("VL", "L", "M", "H", "VH")
    # level = min(4, 1 + MoF/3); damage = level + 0 1 2 3 4
    for margin, level in ((-1, 1), (-2, 1), (-3, 2), (-6, 3), (-9, 4), (-20, 4)):
        for place, column in enumerate(SEVERITIES):
            found = harm(margin, column)
            assert (found.level, found.column, found.damage) == (level, column, level + place)
            assert found.house
    # the known cell: VL at level 4 costs 4 points, 10 becomes 6
    assert p.after_harm(figure(1, capacity=10), harm(-9, "VL")) == (Harm(1, 4),)


@pytest.mark.rule("FE-PRO-06")
def test_table_with_conditions():
    rows = "[[level]]\ndamage=[1,1,1,1,1]\nconditions=[[],[],['penalty fight:2'],[],[]]"
    table = read_effects(f"margin_per_level=3\n{rows}")
    found = harm(-1, settings=Settings(effects=table))
    assert found.conditions == (("penalty fight", 2),)
    assert Gain(1, "penalty fight", 2, source="rifle") in p.after_harm(figure(), found, source="rifle")


@pytest.mark.rule("FE-PRO-07")
def test_out_of_action():
    hurt = figure(3, capacity=5, damage=2)
    assert p.after_harm(hurt, Harmed(damage=2)) == (Harm(3, 2),)
    assert p.after_harm(hurt, Harmed(damage=3)) == (Harm(3, 3), Leave(3, "out of action"))
    assert p.after_harm(hurt, Harmed(damage=9))[-1] == Leave(3, "out of action")
    assert p.after_harm(hurt, Harmed(avoided=True)) == ()
    two = figure(4, second_capacity=4, second_damage=2)
    effects = p.after_harm(two, Harmed(damage=2), second_track=True)
    assert effects == (Count("model", 4, "second_damage", 2), Leave(4, "out of action"))


@pytest.mark.rule("FE-PRO-08")
def test_partial_protection():
    found = harm(0, "M")
    assert (found.column, found.level, found.damage) == ("L", 1, 2)
    assert harm(0, None).applies
    assert harm(1, None).avoided


@pytest.mark.rule("FE-CREW-01", "FE-CREW-02")
def test_henchmen_and_minions():
    for rank in ("henchman", "minion"):
        target = figure(5, rank=rank)
        assert p.is_all_or_nothing(target, Hit(3, "M"))
        found = harm(-1, "VL", target=target)
        assert (found.level, found.damage, found.overkill) == (4, 4, True)
        assert ("stunned", 0) in found.conditions
        tie = harm(0, "M", target=target)
        assert (tie.column, tie.damage) == ("M", 6)  # AoN: equal fails, no shift
        assert harm(1, "VH", target=target).avoided
        assert not counts_for_victory(target.profile)
    assert counts_for_victory(figure().profile)
    assert not harm(-1).overkill


@pytest.mark.rule("FE-CREW-03", "FE-HAND-03")
def test_underdog():
    assert push_tokens((37, 32), DEFAULTS) == (10, 11)
    assert push_tokens((37, 37), DEFAULTS) == (10, 10)
    assert push_tokens((30, 37), Settings(push_tokens=4, underdog_pushes=2)) == (6, 4)
    with pytest.raises(InvalidInput):
        push_tokens((37,), DEFAULTS)


def test_solo_deck():
    found = solo_order(card("8C"), DEFAULTS.deck)
    assert (found.action, found.order, found.prefers) == ("attack", 8, "fight")
    assert solo_order(card("7S"), DEFAULTS.deck).prefers == "shoot"
    with pytest.raises(InvalidInput):
        solo_order(card("VOID"), DEFAULTS.deck)


@pytest.mark.rule("FE-PRO-03", "FE-OUT-10")
def test_hit_of_an_attack():
    partial = p.hit_of(RIFLE, AttackResult(True, -1), armour=1)
    assert (partial.force, partial.severity) == (3, "M")
    assert p.harm(CheckResult(-1), partial, figure(), DEFAULTS).column == "VL"
    abused = p.hit_of(RIFLE, AttackResult(True), abuse=1, effect_shifts=1)
    found = p.harm(CheckResult(-1), abused, figure(), DEFAULTS)
    assert (found.column, found.level) == ("H", 2)
    with pytest.raises(InvalidInput):
        p.hit_of(RIFLE, AttackResult(False))
