"""Checks of several unlike throws: the shorter way to their chances, beside every die in turn."""

import pytest

from rules.dice import Solver
from rules.systems.counterblast.core.checks import Throw, throw
from tests.rules.helpers import brute

TEAMS = [
    ((Throw(1, 0, 7), Throw(1, 2, 7)), ()),
    ((Throw(1, 0, 7), Throw(1, 2, 7)), ("criticals", "misses")),
    ((Throw(1, 0, 7, dependable=True), Throw(1, 1, 6)), ()),
    ((Throw(1, 0, 7, dependable=True), Throw(1, 1, 6, dependable=True)), ("criticals",)),
]


@pytest.mark.rule("CB-CHECK-01", "CB-ACT-08", "CB-SPEC-06")
@pytest.mark.parametrize(("team", "count"), TEAMS, ids=str)
def test_a_team_is_added_up_as_its_dice_fall(team: tuple[Throw, ...], count: tuple[str, ...]) -> None:
    expected = brute(throw, team, count=count)
    solved = Solver(exact=True).solve(throw, team, count=count)
    assert dict(solved.chances) == expected


@pytest.mark.parametrize("count", [(), ("criticals",)])
def test_a_team_with_empty_pools_and_wider_criticals_comes_to_what_the_rule_does(
    count: tuple[str, ...],
) -> None:
    team = (Throw(2, 0, 7, critical_from=9), Throw(0, 1, 6), Throw(2, 2, 8, dependable=True))
    walked = Solver().walked(throw, (team,), {"count": count})
    solved = Solver().solve(throw, team, count=count)
    for outcome in {*walked, *solved.chances}:
        assert solved.chances.get(outcome, 0) == pytest.approx(walked.get(outcome, 0), abs=1e-8)


def test_twelve_unlike_with_criticals_are_a_small_question() -> None:
    """Counted work: the table works out three million possibilities."""
    team = tuple(Throw(2 + n % 3, n % 5, 7, critical_from=10 - n % 2) for n in range(12))
    assert (
        Solver(work=600_000).solve(throw, team, count=("criticals",)).chance(lambda got: got.net > 2) > 0.99
    )
