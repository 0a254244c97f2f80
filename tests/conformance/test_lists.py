"""The order of names buys nothing: every list of every action says whether its order decides.

Where it does not, all orders are one decision, and every model gets the same faces in each of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import pytest

from bot.actions import ACTIONS, Part, action_of, parts, with_sorted_lists
from bot.app import ALL_GAMES
from bot.games.counterblast.shooting.team_shots import TeamShot

assert ALL_GAMES, "every game has registered what it handles"

FIRST, EACH, DRAWN = "the first one leads", "one for each, in turn", "in the order in which it happens"
NONE_ROLLS = "no dice, and each order is kept as it was said"
ORDERED: dict[str, str] = {
    "act who": FIRST,
    "bag.act models": FIRST,
    "campaign.buy equipment": "the first weapon is meant where none is named",
    "cb.deploy.order sides": DRAWN,
    "cb.engulf whole": "on a line the nearest first",
    "cb.shoot friend": EACH,
    "cb.shoot measured": EACH,
    "cb.shoot more": "after the first target; a shot writes its targets by number",
    "cb.veh.drive turns": EACH,
    "crew.recruit equipment": "the first weapon is meant where none is named",
    "dice.enter faces": DRAWN,
    "draft about": NONE_ROLLS,
    "draft more": NONE_ROLLS,
    "draft pieces": NONE_ROLLS,
    "fe.activate figure": "one figure alone",
    "games.choose systems": NONE_ROLLS,
    "model.add carries": "the first weapon is meant where none is named",
    "model.equip items": "the first weapon is meant where none is named",
    "odds.compare of": NONE_ROLLS,
}
"""Lists whose order decides, and why."""


def is_list(part: Part) -> bool:
    joined = getattr(part.kind, "joins", "") not in ("", "+")
    return joined or part.wire in (tuple[int, ...], tuple[str, ...])


def lists() -> dict[str, Part]:
    """Every list of every action of the product."""
    return {
        f"{command} {part.name}": part
        for command, kind in sorted(ACTIONS.items())
        if kind.__module__.startswith("bot.")
        for part in parts(command)
        if is_list(part)
    }


def test_every_list_says_whether_its_order_decides() -> None:
    undeclared = {name for name, part in lists().items() if not part.kind.any_order}
    assert sorted(undeclared - set(ORDERED)) == [], "any_order, or here with the reason"
    assert sorted(set(ORDERED) - undeclared) == []


@dataclass(frozen=True)
class Thing:
    """Something with a number."""

    id: int
    name: str = "thing"
    key: str = "thing"


@pytest.mark.parametrize("name", [name for name, part in lists().items() if part.kind.any_order])
def test_all_orders_of_a_list_are_one_decision(name: str) -> None:
    command, field = name.split()
    part, each = lists()[name], lists()[name].kind.any_order
    if part.wire == tuple[int, ...] and each > 1:
        things: list[Any] = [tuple(range(number, number + each)) for number in (30, 10, 20)]
    elif part.wire == tuple[int, ...]:
        things = [(Thing(30),), (Thing(10),), (Thing(20),)]
    else:
        things = [(word,) for word in ("#30", "#10", "#20")]
    found = set()
    for order in permutations(things):
        value = tuple(one for thing in order for one in thing)
        asked = replace(action_of(command, {}), **{field: value})
        if part.kind.but_where is not None and field == "under":
            asked = replace(asked, weapon=type("Weapon", (), {"template": "M", "name": "Grenade"})())
        found.add(getattr(with_sorted_lists(asked), field))
    assert len(found) == 1


def test_what_stands_beside_a_list_goes_with_it() -> None:
    team = TeamShot((Thing(9), Thing(4)), Thing(1), (8.0, 6.0), (0.0, 2.0))
    ordered = with_sorted_lists(team)
    assert [one.id for one in ordered.shooters] == [4, 9]
    assert (ordered.distances, ordered.cover) == ((6.0, 8.0), (2.0, 0.0))
