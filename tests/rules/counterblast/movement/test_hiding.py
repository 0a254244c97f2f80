import pytest

from rules.effects import Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.movement.movement import (
    after_moving_into_view,
    after_spot,
    hide,
    prepare_scan,
    prepare_spot,
    spot,
)
from tests.rules.counterblast.arena import armed
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed

LURKER = model(2, 2, under=(Condition.HIDDEN,))


@pytest.mark.rule("CB-HIDE-01")
def test_hiding_needs_terrain_and_no_enemys_sight():
    (gained,) = hide(model(), out_of_sight=True, at_terrain=True)
    assert gained.condition == Condition.HIDDEN
    with pytest.raises(Forbidden, match="An enemy sees"):
        hide(model(), out_of_sight=False, at_terrain=True)
    with pytest.raises(Forbidden, match="touch terrain"):
        hide(model(), out_of_sight=True, at_terrain=False)
    with pytest.raises(Forbidden, match="engaged"):
        hide(armed(1, 1, engaged=(2,)), out_of_sight=True, at_terrain=True)


@pytest.mark.rule("CB-HIDE-03")
def test_who_moves_into_view_is_hidden_no_more():
    assert after_moving_into_view(LURKER) == (Lose(2, Condition.HIDDEN),)


@pytest.mark.rule("CB-HIDE-04")
def test_spotting_is_intellect_at_7_or_5_for_beasts():
    assert prepare_spot(model(intellect="2D+1"), LURKER).throw == Throw(2, 1, 7)
    beast = model(types=("beast",))
    assert prepare_spot(beast, LURKER).throw.target == 5
    assert prepare_spot(model(types=("human", "cavalry")), LURKER).throw.target == 5
    other = Settings(spot_easy_for="hidden")
    assert prepare_spot(beast, LURKER, settings=other).throw.target == 7
    hidden_beast = model(2, 2, types=("beast",), under=(Condition.HIDDEN,))
    assert prepare_spot(model(), hidden_beast, settings=other).throw.target == 5
    with pytest.raises(Forbidden, match="no line of sight"):
        prepare_spot(model(), LURKER, sighted=False)
    with pytest.raises(Forbidden, match="not Hidden"):
        prepare_spot(model(), model(2, 2))
    assert fed(spot, [7], (Throw(1, 0, 7),))
    assert not fed(spot, [6], (Throw(1, 0, 7),))


@pytest.mark.rule("CB-HIDE-05", "CB-HIDE-06", "CB-GEAR-38")
def test_a_scanner_spots_within_8_in_without_sight_a_scope_does_not():
    scanner = model(gear=("scanner",), features=("tech_savvy",), types=("beast",))
    assert prepare_scan(scanner, LURKER, 8).throw == Throw(2, 0, 7)
    with pytest.raises(Forbidden, match="reaches 8 in"):
        prepare_scan(scanner, LURKER, 8.5)
    with pytest.raises(Forbidden, match="no Scanner"):
        prepare_scan(model(gear=("scope",)), LURKER, 4)
    with pytest.raises(InvalidInput):
        prepare_scan(scanner, LURKER, -1)
    assert prepare_spot(model(gear=("scope",)), LURKER).throw == Throw(1, 0, 7)


@pytest.mark.rule("CB-HIDE-07")
def test_a_spotted_model_is_revealed():
    assert after_spot(LURKER, True) == (Lose(2, Condition.HIDDEN),)
    assert after_spot(LURKER, False) == ()
