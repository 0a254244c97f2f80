import pytest

from rules.systems.counterblast.terms import current, is_operational


@pytest.mark.rule("CB-STAT-05")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Marksmanship check", "agility"), ("Ranged check", "agility"), ("Melee check", "strength"),
        ("Melee skill dice", "strength"), ("Mechanical", "engineering"), ("Mechanics", "engineering"),
        ("repair check", "engineering"), ("Medical", "medicine"), ("Body Defense", "defense"),
        ("BD", "defense"), ("Body", "life"), ("Body  Points", "life"), ("1B", "life"),
        ("Command value", "leader's intellect"), ("command_points", "orders"),
        ("Seriously Wounded", "severely wounded"), ("Slice and Dice", "slash and dash"),
        ("Technology", "technology"),
    ],
)  # fmt: skip
def test_older_words_mean_the_present_ones(old, new):
    assert current(old) == new


@pytest.mark.rule("CB-STAT-05")
def test_whatever_is_no_attack_is_operational():
    attacks = frozenset({"fight", "shoot", "slash and dash"})
    assert is_operational("Move", attacks)
    assert not is_operational("Slice and Dice", attacks)
