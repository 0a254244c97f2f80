import pytest

from rules.systems.counterblast.core.library import means_now


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
        ("Operational action", "any action but an attack"), ("Technology", ""),
    ],
)  # fmt: skip
def test_older_words_mean_the_present_ones(old, new):
    assert means_now(old) == new
