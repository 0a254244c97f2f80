"""Whatever throws dice is handled in steps, so that its odds come from what it does.

Found by handler: the functions of its game that it may come to are followed through their code, and where one
of them rolls, it throws dice. What is not handled in steps has no odds of its own, and stands below with the
reason. The list of these only ever grows shorter.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any

import pytest

from bot.table.handlers import HANDLERS, Handler
from bot.table.steps import Rolled, Steps, Weighed
from tests.games import SYSTEMS

ANSWERED = "answers what somebody else declared, whose odds are told where that is declared"
DECLARED = (
    "throws none of its own: what falls are attacks and AROs, whose odds were told where they were declared"
)
ACTIVATED = "heat or cold strikes whoever is activated, whatever it does then"
BY_LOT = "all sides throw alike, or draw from a bag that everybody counts"

REASONS: dict[str, dict[str, str]] = {
    "counterblast": {
        **dict.fromkeys(
            ("cb.defend", "cb.split", "cb.let-come", "cb.step-in", "cb.hold-back", "cb.psi.ultonium"),
            ANSWERED,
        ),
        **dict.fromkeys(("act", "bag.act", "bag.with", "cb.gear.along"), ACTIVATED),
        **dict.fromkeys(("bag.draw", "bag.redraw", "cb.deploy", "cb.dispute"), BY_LOT),
        "cb.charge.hits": "the blast has fallen: its odds stand with those of the charge that was set off",
        "upkeep": "says, corrects and rolls Upkeep in one line; its odds weigh the same tests",
    },
    "infinity": dict.fromkeys(("inf.hide", "inf.order", "inf.resolve"), DECLARED),
}
"""What throws outside the steps, by game."""


STEPS = {name for kind in (Weighed, Rolled, Steps) for name in vars(kind)}
"""The names of the steps, the same in all games."""

OWN_STEPS = {
    "infinity": {"declared"},
    "soluna": {"ended"},
    "warzone": {"after", "done", "rolls", "throw", "thrower"},
}
"""Further steps of a game's base classes. Only ever fewer: those of Warzone come after a nerve test."""


def own_steps(steps: Weighed[Any, Any]) -> set[str]:
    """What a handler does in methods of its own that others may call, beside the steps of all games."""
    classes = (kind for kind in type(steps).__mro__ if kind.__module__.startswith("bot.games."))
    methods = (vars(kind).items() for kind in classes)
    found = {name for each in methods for name, value in each if isinstance(value, FunctionType)}
    return {name for name in found if not name.startswith("_")} - STEPS


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from codes(part)


def functions_of(thing: Any, package: str) -> list[FunctionType]:
    """What runs where a name of a package is used: a function, or the methods of a class.

    Not what is written for a record: it names fields, whatever they are called, and only once it was called.
    """
    if isinstance(thing, MethodType):
        thing = thing.__func__
    thing = getattr(thing, "__wrapped__", thing)
    if not getattr(thing, "__module__", "").startswith(f"{package}."):
        return []
    if isinstance(thing, FunctionType):
        return [thing]
    if isinstance(thing, type):
        found = [getattr(part, "fget", part) for part in vars(thing).values()]
        return [
            part
            for part in found
            if isinstance(part, FunctionType) and part.__code__.co_filename != "<string>"
        ]
    return []


def throws(handler: Handler, package: str) -> bool:
    """Whether a handler comes to a function of its game that rolls."""
    todo, seen = functions_of(handler.run, package), set[FunctionType]()
    while todo:
        function = todo.pop()
        if function in seen:
            continue
        seen.add(function)
        for code in codes(function.__code__):
            if "roll" in code.co_names:
                return True
            for name in code.co_names:
                todo += functions_of(function.__globals__.get(name), package)
    return False


def loose(system: str) -> set[str]:
    """Actions of a game that throw dice and are not handled in steps."""
    package = f"bot.games.{system}"
    own = {
        command: handler
        for command, handler in HANDLERS.items()
        if (handler.home or handler.run.__module__).startswith(f"{package}.")
        and not isinstance(getattr(handler.run, "__self__", None), Weighed)
    }
    return {command for command, handler in own.items() if throws(handler, package)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_throws_dice_is_handled_in_steps(system: str) -> None:
    found = loose(system)
    assert found <= set(REASONS.get(system, {})), sorted(found - set(REASONS.get(system, {})))


@pytest.mark.parametrize("system", REASONS)
def test_no_exception_is_left_that_is_none(system: str) -> None:
    assert set(REASONS[system]) <= loose(system)


def test_what_rolls_is_found() -> None:
    """Dice are found although they fall three functions further on."""
    assert throws(HANDLERS["cb.defend"], "bot.games.counterblast")
    assert not throws(HANDLERS["cb.fire.start"], "bot.games.counterblast")


@pytest.mark.parametrize("system", SYSTEMS)
def test_handlers_of_all_games_have_the_same_steps(system: str) -> None:
    handlers = [getattr(one.run, "__self__", None) for one in HANDLERS.values() if one.system == system]
    every = [steps for steps in handlers if isinstance(steps, Weighed)]
    assert every, "each game rolls something"
    assert {name for steps in every for name in own_steps(steps)} == OWN_STEPS.get(system, set())


def test_a_step_of_another_name_is_found() -> None:
    class Resolving(type(HANDLERS["cb.check"].run.__self__)):  # type: ignore[misc, attr-defined]
        def resolve(self) -> None: ...

    Resolving.__module__ = "bot.games.counterblast.checks"
    assert own_steps(Resolving()) == {"resolve"}
