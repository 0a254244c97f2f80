import pytest

from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.deck import Draw, draw_for, prepare
from rules.systems.fracd_earth.settings import DEFAULTS, Settings


def marks(*amounts):
    return tuple(Modifier(amount, "reason") for amount in amounts)


@pytest.mark.rule("FE-DRAW-01")
def test_cards_drawn():
    assert prepare(marks(1), (), DEFAULTS).draw == Draw(2, False, 0)
    assert prepare(marks(2, -1), (), DEFAULTS).draw == Draw(2, False, 0)
    assert prepare((), (), DEFAULTS).draw == Draw(1, False, 0)
    assert draw_for(3, DEFAULTS) == Draw(4, False, 0)


@pytest.mark.rule("FE-DRAW-02")
def test_marks_beyond_three():
    assert draw_for(4, DEFAULTS) == Draw(4, False, 2)
    assert draw_for(-5, DEFAULTS) == Draw(4, True, -4)
    side = prepare(marks(4), (Modifier(6, "fight"),), DEFAULTS)
    assert side.trait == 8
    assert Modifier(2, "for marks beyond three", "FE-DRAW-02") in side.points


@pytest.mark.rule("FE-DRAW-03")
def test_penalty_hand():
    assert draw_for(-2, DEFAULTS) == Draw(3, True, 0)
    assert prepare(marks(-2, 1), (), DEFAULTS).draw == Draw(2, True, 0)
    fewer = Settings(penalty_hand="fewer")
    assert draw_for(-2, fewer) == Draw(1, False, 0)
    assert draw_for(-5, fewer) == Draw(1, False, -4)


def test_bounds():
    with pytest.raises(InvalidInput):
        draw_for(41, DEFAULTS)
    with pytest.raises(InvalidInput):
        prepare((), (Modifier(61, "much"),), DEFAULTS)
