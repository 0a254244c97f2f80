import pytest

from rules.effects import Assign, Count, Lose, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.command import (
    Unit,
    activate,
    begin_activation,
    command_distance,
    finish_activation,
    in_command,
    lent_leadership,
    must_return,
    order_unit,
    remove_unit,
    spend_actions,
    start_turn,
)
from rules.systems.warzone.model import expire
from rules.systems.warzone.morale import Act
from rules.systems.warzone.settings import Settings
from tests.rules.warzone.build import PLAIN, model, squad

UNITS = (Unit(1, 1), Unit(2, 1), Unit(3, 1), Unit(4, 2))


def leader(*traits, **more):
    return model(9, traits=traits, **more)


@pytest.mark.rule("WZ-CMD-01")
def test_command_distances():
    grunt = model(1)
    distances = [command_distance(leader(rank), grunt) for rank in ("leader", "officer", "individual")]
    assert distances == [6, 8, 8]
    assert command_distance(leader("leader", "force_commander"), grunt) == 10
    assert command_distance(leader(), grunt) == 0
    assert command_distance(leader("leader"), model(1, traits=("sniper",))) == 10
    assert command_distance(leader("force_commander"), model(1, movement="flyer")) == 6
    assert command_distance(leader("leader"), model(1, traits=("para_deploy",))) is None


@pytest.mark.rule("WZ-CMD-02", "WZ-CMD-03")
def test_in_command():
    chief = leader("leader")
    assert in_command(chief, model(1), 6)
    assert not in_command(chief, model(1), 6.1)
    assert in_command(chief, model(1, traits=("sniper",)), 10)
    assert in_command(chief, chief, 0)
    assert in_command(chief, model(1, traits=("para_deploy",)), 40)
    flyer = model(1, movement="flyer")
    assert in_command(chief, flyer, 6, 1)
    assert in_command(chief, flyer, 6, -1)
    assert not in_command(chief, flyer, 6, 2)
    assert not in_command(chief, flyer, 6.5, 0)


@pytest.mark.rule("WZ-RALLY-07")
def test_who_lends_leadership_and_how_far():
    lead = model(1, ld=10, traits=("leader",))
    for rank, inches in (("leader", 6), ("officer", 8), ("individual", 8), ("force_commander", 10)):
        lender = leader(rank, ld=13)
        assert lent_leadership(lender, lead, inches) == 13
        with pytest.raises(Forbidden, match=f"used only within {inches} in"):
            lent_leadership(lender, lead, inches + 0.5)
    with pytest.raises(Forbidden, match="no command distance"):
        lent_leadership(leader(ld=13), lead, 0)
    with pytest.raises(Forbidden, match="no command distance"):
        lent_leadership(leader(ld=13), model(1, traits=("leader", "para_deploy")), 0)
    assert lent_leadership(model(9, ["leading"], ld=13), lead, 6) == 13
    with pytest.raises(Forbidden, match="unconscious"):
        lent_leadership(model(9, ["unconscious"], ld=13, traits=("officer",)), lead, 0)
    with pytest.raises(InvalidInput, match="another side"):
        lent_leadership(model(9, side=2, traits=("officer",)), lead, 0)
    with pytest.raises(InvalidInput, match="can't lend LD to itself"):
        lent_leadership(lead, lead, 0)


@pytest.mark.rule("WZ-CMD-04")
def test_out_of_command():
    chief, grunt = leader("leader"), model(1)
    unit = squad(chief, grunt, leader=9)
    assert must_return(grunt, unit, PLAIN, commanded=False)
    assert not must_return(grunt, unit, PLAIN, commanded=True)
    assert not must_return(model(1, ["engaged"]), unit, PLAIN, commanded=False)
    assert not must_return(model(1, ["broken"]), unit, PLAIN, commanded=False)
    assert not must_return(grunt, squad(grunt), PLAIN, commanded=False)
    assert not must_return(grunt, unit, Settings(out_of_command="mark_only"), commanded=False)


@pytest.mark.rule("WZ-TURN-03", "WZ-TURN-04", "WZ-WAIT-01")
def test_actions():
    begun = begin_activation(model(1, [("waiting", 1)]))
    assert Assign("model", 1, "actions", 3) in begun
    assert Lose(1, "waiting") in begun
    ready = model(1, (), [("actions", 2)])
    assert spend_actions(ready, Act.SHOOT, 2) == (
        Count("model", 1, "actions", -2),
        Count("model", 1, "non_moves", 2),
    )
    assert spend_actions(ready, Act.MOVE) == (Count("model", 1, "actions", -1),)
    with pytest.raises(Forbidden) as refusal:
        spend_actions(ready, Act.MOVE, 3)
    assert refusal.value.rule == "WZ-TURN-03"
    with pytest.raises(InvalidInput):
        spend_actions(ready, Act.MOVE, 0)
    assert Assign("model", 1, "actions", 0) in expire(ready, "activation")
    assert begin_activation(model(1, ["unconscious"]))[0] == Assign("model", 1, "actions", 0)
    robbed = begin_activation(model(1, (), [("lost_actions", 5)]))
    assert robbed[:2] == (Assign("model", 1, "actions", 0), Assign("model", 1, "lost_actions", 0))


@pytest.mark.rule("WZ-BROKEN-01")
def test_a_broken_model_is_told_to_flee():
    begun = begin_activation(model(1, ["broken"]))
    assert [effect.action for effect in begun if isinstance(effect, Propose)] == ["flee"]


@pytest.mark.rule("WZ-TURN-02")
def test_sides_alternate_and_an_empty_side_is_skipped():
    turn = start_turn(1, (1, 2), UNITS, 2, PLAIN)
    assert (turn.to_move, turn.order) == (2, (2, 1))
    with pytest.raises(Forbidden):
        activate(turn, 1)
    turn = activate(turn, 4)
    with pytest.raises(Forbidden):
        activate(turn, 1)
    turn = finish_activation(turn)
    seen = []
    while not turn.over:
        seen.append(turn.to_move)
        with pytest.raises(Forbidden):
            activate(turn, 4)
        turn = finish_activation(activate(turn, turn.left(turn.to_move)[0]))
    assert seen == [1, 1, 1]
    with pytest.raises(Forbidden):
        finish_activation(turn)
    fresh = start_turn(2, (1, 2), turn.units, 1, PLAIN)
    assert fresh.to_move == 1
    assert fresh.left(1) == (1, 2, 3)
    assert not fresh.over


@pytest.mark.rule("WZ-TURN-02")
def test_who_starts():
    chosen = start_turn(1, (1, 2), UNITS, 2, Settings(initiative_choice=True), first=1)
    assert chosen.to_move == 1
    with pytest.raises(Forbidden):
        start_turn(1, (1, 2), UNITS, 2, PLAIN, first=1)
    with pytest.raises(InvalidInput):
        start_turn(1, (1, 2), UNITS, 3, PLAIN)
    assert start_turn(1, (1, 2), UNITS[:3], 2, PLAIN).to_move == 1


@pytest.mark.rule("WZ-ORDER-01")
def test_orders_out_of_turn():
    chief = model(9, (), [("actions", 3)], traits=("commander",))
    turn = activate(start_turn(1, (1, 2), UNITS, 1, PLAIN), 1)
    ordered, effects = order_unit(turn, chief, 2)
    assert effects == (Count("model", 9, "ordered", 1),)
    assert ordered.active == (1, 2)
    back = finish_activation(ordered)
    assert back.active == (1,)
    assert back.unit(2).activated
    assert back.to_move == 1
    done = finish_activation(back)
    assert done.to_move == 2
    assert done.left(1) == (3,)
    refused = [
        (turn, model(9, (), [("actions", 3)]), 2),
        (turn, model(9, (), [("actions", 3), ("ordered", 1)], traits=("commander",)), 2),
        (turn, chief, 4),
        (turn, chief, 1),
        (back, chief, 2),
        (turn, model(9, (), [("actions", 3)], squad=3, traits=("commander",)), 2),
    ]
    for state, commander, unit in refused:
        with pytest.raises(Forbidden):
            order_unit(state, commander, unit)
    assert Assign("model", 9, "ordered", 0) in expire(model(9, (), [("ordered", 1)]), "turn")


@pytest.mark.rule("WZ-TURN-02")
def test_a_unit_that_is_gone():
    turn = activate(start_turn(1, (1, 2), UNITS, 1, PLAIN), 1)
    assert remove_unit(turn, 2).to_move == 1
    assert remove_unit(turn, 1).to_move == 2
    assert remove_unit(turn, 1).active == ()
    waiting = finish_activation(turn)
    assert waiting.to_move == 2
    assert remove_unit(waiting, 4).to_move == 1
