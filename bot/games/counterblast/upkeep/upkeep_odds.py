"""The dice of Upkeep: panic tests and fires, rolled where they are due, or weighed to the asker alone.

Nothing is proposed, said or rolled by asking. Where no Upkeep is open the odds are those of the one that
would be proposed now.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby

from bot.games.counterblast.core.common import orders_of
from bot.games.counterblast.core.debts import is_upkeep_open
from bot.games.counterblast.core.wording import dice_words
from bot.games.counterblast.state.ground import read_fire, roll_growth
from bot.games.counterblast.state.models import settings_of
from bot.games.counterblast.upkeep.upkeep_actions import (
    RollUpkeep,
    choose_dice,
    list_models_near_leader,
    own_sides,
    require_leaders,
    require_models,
    require_open_upkeep,
    require_side,
    show_upkeep,
)
from bot.games.counterblast.upkeep.upkeep_draft import (
    Rolled,
    Upkeep,
    copy_act,
    open_draft,
    read_draft,
    write_draft,
)
from bot.games.counterblast.upkeep.upkeep_steps import UpkeepOdds
from bot.replies.chances import exactness, percent
from bot.replies.reply import Button, Note, Reply
from bot.table.act import Act, ActView
from bot.table.handlers import handles
from bot.table.session.encounters import NextStep
from bot.table.steps import Chances, Weighed, in_steps
from bot.table.throw_purposes import Whose
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import find_leader
from rules.systems.counterblast.core.burning import Growth, roll_fire_growth
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.panic import panic_test, panicking
from rules.systems.counterblast.turn.upkeep import PanicTest, Scene, propose


@dataclass(frozen=True, slots=True)
class ReadyTest:
    """A panic test that is due, with the better of its dice. lender: whose INT they are, 0 for its own."""

    model: int
    prepared: PreparedCheck
    lender: int


@dataclass(frozen=True, slots=True)
class ReadyUpkeep:
    """The tests and the fires whose dice have not fallen. near: who is said to be in Command Range."""

    open_one: Upkeep
    near: tuple[int, ...]
    tests: tuple[ReadyTest, ...]
    fires: tuple[str, ...]


@in_steps(RollUpkeep)
class RollingUpkeep(Weighed[RollUpkeep, ReadyUpkeep]):
    """Roll the tests and fires whose dice have not fallen; those that have are never rolled again."""

    def prepare(self, act: ActView, action: RollUpkeep) -> ReadyUpkeep:
        """Return all that is due, once every crew has a leader. Raises InvalidInput, NotAllowed."""
        upkeep = require_open_upkeep(act)
        require_models(act, action.commanded)
        draft, turn = upkeep.draft, act.encounter.row.turn
        in_range = tuple(sorted({*draft.near, *action.commanded}))
        if in_range != tuple(draft.near):
            copy = copy_act(act)
            write_draft(copy.encounter, replace(draft, near=list(in_range)))
            upkeep = Upkeep.of(copy)
        require_leaders(upkeep)
        if not upkeep.needs_dice:
            raise InvalidInput("There is nothing left to roll. Confirm the Upkeep.")
        side_of = {test.model: act.encounter.model(test.model).side for test in upkeep.proposal.tests}
        sides = own_sides(act)
        panic_tests = tuple(test for test in upkeep.unrolled if side_of[test.model] in sides)
        if not panic_tests and not upkeep.unrolled_fires:
            require_side(act, side_of[upkeep.unrolled[0].model])
        rolled_count = sum(side_of.get(number) in sides for number in draft.rolled)
        act.canonical = RollUpkeep(turn=turn, fallen=rolled_count, sides=tuple(sorted(sides)))
        tests = tuple(_prepare_test(act, upkeep, test) for test in panic_tests)
        return ReadyUpkeep(upkeep, in_range, tests, tuple(upkeep.unrolled_fires))

    def do(self, act: Act, action: RollUpkeep, ready: ReadyUpkeep) -> Reply:
        draft = read_draft(act.encounter)
        draft.near = list(ready.near)
        for test in ready.tests:
            record_start, throw = len(act.dice.record), test.prepared.throw
            roller = Whose(act.encounter.model(test.model).name, "panic test", f"against {throw.target}")
            act.roll(roller, panic_test, (throw,))
            faces = tuple(face for _, face in act.dice.record[record_start:])
            draft.rolled[test.model] = Rolled(
                throw.pool, throw.modifier, throw.critical_from, throw.dependable, test.lender, faces
            )
        for name in ready.fires:
            draft.fires[name] = roll_growth(act, name)
        write_draft(act.encounter, draft)
        return show_upkeep(act, "The dice are rolled")

    def chances(self, act: ActView, action: RollUpkeep, ready: ReadyUpkeep) -> Chances:
        return upkeep_chances(act, ready.open_one)


def _prepare_test(act: ActView, upkeep: Upkeep, test: PanicTest) -> ReadyTest:
    prepared = choose_dice(act, test)
    leader = find_leader(act.encounter.model(test.model).side, upkeep.proposal.scene.models)
    return ReadyTest(test.model, prepared, leader.id if leader and prepared is test.borrowed else 0)


@handles(UpkeepOdds)
def upkeep_odds(act: Act, action: UpkeepOdds) -> Reply:
    """Show the odds of the dice that are due, and a button that rolls them."""
    upkeep = _propose_now(act)
    if not upkeep.needs_dice:
        raise InvalidInput("There is nothing left to roll in this Upkeep.")
    chances = upkeep_chances(act, upkeep)
    next_button = Button("Roll", RollUpkeep(), "main")
    if not is_upkeep_open(act.encounter):
        next_button = Button("Upkeep", NextStep(), "main")
    buttons = () if upkeep.proposal.vacant else (next_button,)
    lines = (*chances.lines, exactness(*chances.solved), Note("No dice were rolled."))
    return Reply(lines, private=True, buttons=buttons)


def upkeep_chances(act: ActView, upkeep: Upkeep) -> Chances:
    """Return each model's chance to hold, also with an order token, that no one panics, and of fires.

    Rules: CB-PANIC-05, CB-PANIC-06, CB-ORDER-05, CB-BURN-03.
    """
    tests, scene, mark = upkeep.unrolled, upkeep.proposal.scene, len(act.told)
    everybody = frozenset(model.id for model in scene.models)
    ordered = _index_tests(upkeep, replace(scene, ordered=everybody))
    in_range = {model.id for model in list_models_near_leader(act, upkeep)}
    commanded = _index_tests(upkeep, replace(scene, commanded=everybody)) if in_range else {}
    lines = []
    for side, group in groupby(tests, key=lambda test: act.encounter.model(test.model).side):
        crew = list(group)
        lines.append(f"{act.encounter.side(side).name}, Panic Level {crew[0].level}")
        for test in crew:
            tokens = orders_of(act.encounter.side(side))
            lines += _describe_test(act, test, ordered.get(test.model) if tokens else None)
            if test.model in in_range:
                lines.append(f"  in Command Range: {_format_chance_in_range(act, commanded.get(test.model))}")
        if len(crew) > 1:
            panic_count = act.solve(panicking, tuple(choose_dice(act, test).throw for test in crew))
            calm_chance = percent(panic_count.chance(lambda count: not count)).strip()
            lines.append(f"Chance that none of these panic: {calm_chance}")
    lines += [_fire_line(act, upkeep, name) for name in upkeep.unrolled_fires]
    return Chances(tuple(lines), solved=tuple(act.told[mark:]))


def _fire_line(act: ActView, upkeep: Upkeep, name: str) -> str:
    """Rules: CB-BURN-03, CB-HAZ-03."""
    fire = read_fire(upkeep.encounter, name)
    odds = act.solve(roll_fire_growth, fire.age(act.encounter.row.turn), fire.kind)
    words = {Growth.GROWS: "grows", Growth.STEADY: "stays", Growth.OUT: "goes out"}
    parts = [
        f"{label} {percent(odds.chance(lambda got, kind=kind: got is kind)).strip()}"  # type: ignore[misc]
        for kind, label in words.items()
    ]
    return f"{name}: {', '.join(parts)}"


def _propose_now(act: Act) -> Upkeep:
    if is_upkeep_open(act.encounter):
        return Upkeep.of(act)
    if act.encounter.row.turn < 1:
        raise InvalidInput("Start the first turn with /encounter next.")
    copy = copy_act(act)
    open_draft(copy.encounter)
    return Upkeep.of(copy)


def _index_tests(upkeep: Upkeep, scene: Scene) -> dict[int, PanicTest]:
    proposal = propose(scene, upkeep.draft.corrections(), settings_of(upkeep.encounter))
    return {test.model: test for test in proposal.tests}


def _describe_test(act: ActView, test: PanicTest, ordered: PanicTest | None) -> list[str]:
    prepared = choose_dice(act, test)
    lent = " with the leader's INT" if prepared is test.borrowed else ""
    name = act.encounter.model(test.model).name
    lines = [
        f"Chance that {name} holds{lent}: {_format_hold_chance(act, test)}",
        f"  {dice_words(prepared, 'INT')}",
    ]
    if ordered is not None and choose_dice(act, ordered).throw != prepared.throw:
        lines.append(f"  with an order token: {_format_hold_chance(act, ordered)}")
    return lines


def _format_hold_chance(act: ActView, test: PanicTest) -> str:
    panics = act.solve(panicking, (choose_dice(act, test).throw,))
    return percent(panics.chance(lambda count: not count)).strip()


def _format_chance_in_range(act: ActView, test: PanicTest | None) -> str:
    return _format_hold_chance(act, test) if test is not None else "no test needed"
