import pytest

from rules.effects import Gain, Propose
from rules.systems.infinity.movement import Ground
from rules.systems.infinity.reactions import GutsChoice, after_guts, guts, guts_choices, guts_due
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.states import State, after_wounds
from tests.rules.helpers import fed
from tests.rules.infinity.troops import trooper


@pytest.mark.rule("INF-GUT-01")
def test_one_roll_however_many_attacks():
    assert guts_due(trooper(), 1) is guts_due(trooper(), 4) is True
    assert guts_due(trooper(), 0) is False
    assert fed(guts, [12], 12) is True
    assert fed(guts, [11], 12) is True, "a plain success, not only a critical one"
    assert fed(guts, [13], 12) is False


@pytest.mark.rule("INF-GUT-02")
def test_failure_moves_or_drops_prone():
    (move,) = after_guts(trooper(), stood_firm=False, can_move=True, can_go_prone=True)
    assert isinstance(move, Propose)
    assert dict(move.details) == {"inches": 2}
    assert after_guts(trooper(), stood_firm=False, can_move=False, can_go_prone=True) == (Gain(1, "prone"),)
    assert after_guts(trooper(), stood_firm=False, can_move=False, can_go_prone=False) == ()
    assert after_guts(trooper(), stood_firm=True, can_move=True, can_go_prone=True) == ()


@pytest.mark.rule("INF-TER-02", "INF-TER-03")
@pytest.mark.parametrize("ground", [Ground.DIFFICULT, Ground.VERY_DIFFICULT])
def test_the_move_in_difficult_terrain(ground):
    (move,) = after_guts(trooper(), stood_firm=False, can_move=True, can_go_prone=True, ground=ground)
    assert dict(move.details) == {"inches": 1}


@pytest.mark.rule("INF-GUT-03", "INF-VAL-01")
def test_choosing():
    assert guts_choices(trooper()) == (GutsChoice.ROLL, GutsChoice.FAIL)
    every = (GutsChoice.ROLL, GutsChoice.FAIL, GutsChoice.PASS)
    assert guts_choices(trooper("Valor L1")) == guts_choices(trooper("Valor L3")) == every
    assert guts_choices(trooper("Valor L3"), Settings(cumulative_levels=False)) == every[:2]


@pytest.mark.rule("INF-GUT-04")
def test_who_makes_none():
    assert not guts_due(trooper("", "close_combat"), 1)
    assert not guts_due(trooper(), 1, State.UNCONSCIOUS)
    assert not guts_due(trooper(), 1, State.DEAD)
    assert not guts_due(trooper("", "unconscious"), 1)
    assert guts_due(trooper(), 1, State.DOGGED)


@pytest.mark.rule("INF-TRA-05")
def test_guts_come_before_the_change_of_form():
    model = trooper(text="Dogface: W 1, WIP 11; Skills Transmutation => Dog-Warrior: W 2, WIP 15")
    assert guts_due(model, 1)
    assert model.current.attribute("wip") == 11
    # the change comes with the effects at the end of the Order
    assert Gain(1, "transmuted") in after_wounds(model, 1)
