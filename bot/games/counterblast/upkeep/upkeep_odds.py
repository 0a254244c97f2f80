"""The odds of Upkeep's panic tests, to the asker alone: nothing is proposed, said or rolled by asking.

Where no Upkeep is open they are those of the one that would be proposed now.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from bot.games.counterblast.core.common import orders_of
from bot.games.counterblast.core.fighters import settings_of
from bot.games.counterblast.core.words import dice_words
from bot.games.counterblast.upkeep.upkeep_asked import UpkeepOdds
from bot.games.counterblast.upkeep.upkeep_draft import Upkeep, is_open, open_draft
from bot.games.counterblast.upkeep.upkeep_play import RollUpkeep, dice_of, near_a_leader
from bot.games.counterblast.upkeep.upkeep_scene import copy_of
from bot.replies.chances import percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.session.encounters import NextStep
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.panic import panicking
from rules.systems.counterblast.upkeep.upkeep import PanicTest, Scene
from rules.systems.counterblast.upkeep.upkeep_proposal import propose


@handles(UpkeepOdds)
def upkeep_odds(act: Act, action: UpkeepOdds) -> Reply:
    """Each model's chance to hold, with an order token where its crew has one, and that nobody panics.

    Rules: CB-PANIC-05, CB-PANIC-06, CB-ORDER-05.
    """
    open_one = _as_proposed(act)
    tests = open_one.unrolled
    if not tests:
        raise InvalidInput("Nobody is left to test for panic in this Upkeep.")
    scene = open_one.proposal.scene
    everybody = frozenset(model.id for model in scene.models)
    ordered = _tests(open_one, replace(scene, ordered=everybody))
    near = {model.id for model in near_a_leader(act, open_one)}
    commanded = _tests(open_one, replace(scene, commanded=everybody)) if near else {}
    lines = []
    for side, group in groupby(tests, key=lambda test: act.encounter.model(test.model).side):
        crew = list(group)
        lines.append(f"{act.encounter.side(side).name}, Panic Level {crew[0].level}")
        for test in crew:
            tokens = orders_of(act.encounter.side(side))
            lines += _lines(act, test, ordered.get(test.model) if tokens else None)
            if test.model in near:
                lines.append(f"  in Command Range {_in_range(act, commanded.get(test.model))}")
        if len(crew) > 1:
            alone = act.solve(panicking, tuple(dice_of(act, test).throw for test in crew))
            lines.append(f"Nobody of them panics: {percent(alone.chance(lambda count: not count)).strip()}")
    then = Button("Roll", RollUpkeep(), "main")
    if not is_open(act.encounter):
        then = Button("Upkeep", NextStep(), "main")
    buttons = () if open_one.proposal.vacant else (then,)
    return Reply((*lines, act.exactness, "Nothing is rolled."), private=True, buttons=buttons)


def _as_proposed(act: Act) -> Upkeep:
    """The Upkeep that is open, or on a copy the one that would be."""
    if is_open(act.encounter):
        return Upkeep.of(act)
    if act.encounter.row.turn < 1:
        raise InvalidInput("The first turn has not begun: /encounter next.")
    copy = copy_of(act)
    open_draft(copy.encounter)
    return Upkeep.of(copy)


def _tests(open_one: Upkeep, scene: Scene) -> dict[int, PanicTest]:
    """The tests as they would be in another scene, by model."""
    proposal = propose(scene, open_one.draft.corrections(), settings_of(open_one.encounter))
    return {test.model: test for test in proposal.tests}


def _lines(act: Act, test: PanicTest, ordered: PanicTest | None) -> list[str]:
    prepared = dice_of(act, test)
    lent = " (leader's INT)" if prepared is test.borrowed else ""
    name = act.encounter.model(test.model).name
    lines = [f"{name}{lent} holds: {_holds(act, test)}", f"  {dice_words(prepared, 'INT')}"]
    if ordered is not None and dice_of(act, ordered).throw != prepared.throw:
        lines.append(f"  with an order {_holds(act, ordered)}")
    return lines


def _holds(act: Act, test: PanicTest) -> str:
    panics = act.solve(panicking, (dice_of(act, test).throw,))
    return percent(panics.chance(lambda count: not count)).strip()


def _in_range(act: Act, test: PanicTest | None) -> str:
    return _holds(act, test) if test is not None else "it does not test"
