"""Which things of an open Upkeep may be corrected, step by step, as it is proposed now."""

from __future__ import annotations

from bot.games.counterblast.upkeep.upkeep_apply import is_last_turn
from bot.games.counterblast.upkeep.upkeep_asked import STEPS, Correct, TakeBack, described
from bot.games.counterblast.upkeep.upkeep_draft import Upkeep
from rules.systems.counterblast.core.panic import may_panic

AFTER_DICE = ("ends", "score", "bag", "drawer")
"""The steps that are told when all dice have fallen and it is known who leads."""

NEXT_TURN = ("bag", "drawer")
"""The steps of which there is nothing in the last turn."""


def open_steps(open_one: Upkeep) -> list[str]:
    """The steps in which something may be corrected now, in their order."""
    return [step for step in STEPS if offers(open_one, step)]


def offers(open_one: Upkeep, step: str) -> list[tuple[str, Correct | TakeBack]]:
    """What may be corrected of a step, each in words; nothing of what waits for dice that have not fallen."""
    if step in AFTER_DICE and not open_one.is_ready:
        return []
    if step in NEXT_TURN and is_last_turn(open_one.encounter):
        return []
    proposal, name = open_one.proposal, open_one.name
    sides = open_one.encounter.sides()
    match step:
        case "removed":
            return [
                (f"Keep {name(one.model)}", Correct("keep", str(one.model)))
                for one in proposal.removed
                if one.model not in open_one.draft.fled
            ]
        case "levels":
            return [(f"{side.name}: level", Correct("level", str(side.id))) for side in sides]
        case "tests":
            return _tests(open_one)
        case "results":
            return _results(open_one)
        case "ends":
            held = [
                (f"Hold {name(one.model)}: {one.condition}", Correct("timer", str(one.model), one.condition))
                for one in proposal.ending
            ]
            fires = [(f"{fire}: size", Correct("fire", fire)) for fire in open_one.draft.fires]
            return [*held, *fires, *((f"{one} stays", Correct("cloud", one)) for one in open_one.clouds())]
        case "score":
            return [(f"{side.name}: points", Correct("score", str(side.id))) for side in sides]
        case "bag":
            return [(f"{side.name}: tokens", Correct("bag", str(side.id))) for side in sides]
        case "drawer":
            return [(f"{side.name} draw first", Correct("drawer", str(side.id))) for side in sides]
    return [
        (f"Drop {number}. {described(open_one.encounter, note)}", TakeBack(number))
        for number, note in enumerate(open_one.draft.notes, 1)
    ]


def _tests(open_one: Upkeep) -> list[tuple[str, Correct | TakeBack]]:
    due = {test.model for test in open_one.proposal.tests}
    scared = {panic.side for panic in open_one.proposal.levels if panic.level}
    more = [
        model
        for model in open_one.proposal.scene.models
        if model.id not in due and model.side in scared and may_panic(model)
    ]
    return [
        *((f"{open_one.name(number)} does not", Correct("spare", str(number))) for number in sorted(due)),
        *((f"{model.name} tests too", Correct("test", str(model.id))) for model in more),
    ]


def _results(open_one: Upkeep) -> list[tuple[str, Correct | TakeBack]]:
    counted = open_one.results()
    return [
        (f"{open_one.name(one.test.model)} {other}", Correct("result", str(one.test.model), other))
        for one in open_one.tested()
        for other in ("holds" if counted[one.test.model].panicked else "panics",)
    ]
