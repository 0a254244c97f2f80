import pytest

from rules.dice import Solver
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.general import roll_off
from rules.systems.counterblast.turn.bag import (
    Bag,
    after_draw,
    draw,
    fill,
    first_of_game,
    first_of_next_turn,
    is_idle,
    must_use,
    pass_on,
    phase_over,
    put_back,
    use,
)
from tests.rules.helpers import fed


@pytest.mark.rule("CB-BAG-01")
def test_the_winner_of_the_roll_off_draws_or_passes():
    assert fed(roll_off, [4, 9], 2) == 1
    assert first_of_game(1, True, 2) == 1
    assert first_of_game(1, False, 2) == 0


@pytest.mark.rule("CB-BAG-02", "CB-SPEC-10", "CB-SPEC-22")
def test_one_token_for_each_model_and_the_extra_ones():
    assert fill((6, 4), (0, 2)).tokens == (6, 6)
    assert fill((6, 4), first=1).drawer == 1
    with pytest.raises(InvalidInput):
        fill((6,))
    with pytest.raises(InvalidInput):
        fill((6, -1))


@pytest.mark.rule("CB-BAG-03")
def test_the_tokens_owner_activates_whoever_drew():
    bag = fill((3, 2))
    # the fourth of five tokens is one of the second crew
    crew = fed(draw, [4], bag)
    assert crew == 1
    drawn = after_draw(bag, crew)
    assert (drawn.tokens, drawn.drawn, drawn.drawer) == ((3, 1), 1, 0)
    assert Solver().solve(draw, bag).chances[0] == pytest.approx(0.6)
    with pytest.raises(Forbidden, match=r"A token has already been drawn\. Finish that activation first"):
        fed(draw, [1], drawn)
    with pytest.raises(Forbidden, match="empty"):
        fed(draw, [], Bag((0, 0)))
    with pytest.raises(Forbidden):
        after_draw(Bag((0, 2)), 0)


@pytest.mark.rule("CB-ORDER-04")
def test_a_redraw_puts_the_token_back_once():
    drawn = after_draw(fill((3, 2)), 1)
    back = put_back(drawn)
    assert (back.tokens, back.drawn, back.drawer) == ((3, 2), None, 0)
    with pytest.raises(Forbidden, match="You have to keep the second token you draw"):
        put_back(after_draw(back, 0))
    with pytest.raises(Forbidden, match="Draw a token first"):
        put_back(fill((3, 2)))
    assert not pass_on(after_draw(back, 0), (2, 2)).redrawn


@pytest.mark.rule("CB-BAG-03", "CB-BAG-04")
def test_a_token_activates_once():
    drawn = after_draw(fill((3, 2)), 1)
    assert must_use(drawn, (3, 2))
    assert not must_use(drawn, (3, 0))
    acting = use(drawn)
    assert not must_use(acting, (3, 2))
    with pytest.raises(Forbidden, match=r"This token's activation has begun\. End that activation first"):
        use(acting)
    with pytest.raises(Forbidden, match="The activation has begun, so you can't draw again"):
        put_back(acting)
    after = pass_on(acting, (3, 1))
    with pytest.raises(Forbidden, match="Draw a token"):
        use(after)
    assert must_use(after_draw(after, 1), (3, 1))


@pytest.mark.rule("CB-BAG-04")
def test_the_draw_alternates_whichever_crew_was_drawn():
    drawn = after_draw(fill((3, 2)), 0)
    assert pass_on(drawn, (2, 2)).drawer == 1
    with pytest.raises(Forbidden):
        pass_on(fill((3, 2)), (3, 2))


@pytest.mark.rule("CB-BAG-05")
def test_players_without_models_left_pass():
    assert pass_on(after_draw(fill((3, 2)), 0), (2, 0)).drawer == 0
    assert pass_on(after_draw(fill((3, 2, 2)), 0), (2, 0, 1)).drawer == 2
    assert is_idle(after_draw(fill((3, 2)), 1), (2, 0))
    assert not is_idle(after_draw(fill((3, 2)), 1), (2, 1))


@pytest.mark.rule("CB-BAG-06")
def test_surplus_tokens_stay_in_the_bag():
    # a group of three used one token; two of its crew's tokens are left over and only change the odds
    after = pass_on(after_draw(fill((3, 1)), 0), (0, 1))
    assert after.tokens == (2, 1)
    assert Solver().solve(draw, after).chances[0] == pytest.approx(2 / 3)
    assert is_idle(after_draw(after, 0), (0, 1))


@pytest.mark.rule("CB-BAG-07", "CB-TURN-02")
def test_the_phase_ends_with_the_last_model_not_the_last_token():
    assert phase_over((0, 0))
    assert not phase_over((0, 1))


@pytest.mark.rule("CB-BAG-08")
def test_who_did_not_draw_last_draws_first():
    assert first_of_next_turn(pass_on(after_draw(fill((3, 2)), 0), (2, 2))) == 1
    alone = pass_on(after_draw(fill((3, 2), first=1), 0), (0, 0))
    assert first_of_next_turn(alone) == 0
    assert first_of_next_turn(after_draw(fill((1, 1, 1), first=1), 0)) == 2
