"""An Upkeep as it would be carried out: what the rules give, and what the players corrected of it.

Owns how corrections change the steps of `upkeep`. It rolls nothing: results of dice come in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.effects import Assign, Effect, Leave, Lose, Mend
from rules.modifiers import Modifier
from rules.systems.counterblast.building.crew import Succession, leader_of, may_lead
from rules.systems.counterblast.core.fighter import Counter, Fighter
from rules.systems.counterblast.core.panic import PanicResult
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.turn.bag import Bag
from rules.systems.counterblast.upkeep.upkeep import (
    CrewPanic,
    PanicTest,
    Scene,
    next_bag,
    panic_levels,
    panic_tests_due,
    step_end_of_turn,
    step_removals,
    without,
)


@dataclass(frozen=True, slots=True)
class Corrections:
    """What the players say of an Upkeep, by ids of models and sides.

    fled: Panicked models that ran off the table. successors: who leads from now on, where a crew lost its
    leader. kept: models that are not removed, with the Life they have again, 0 for one that stays down.
    levels: Panic Levels of sides. tested, spared: who tests, or does not, other than the rules say. outcomes:
    panic tests overturned. held: (model, condition) pairs that do not end. tokens: of sides in the next bag.
    drawer: the side that draws first, 0 for whom the rules name. unled: sides that name no successor.
    """

    fled: frozenset[int] = frozenset()
    successors: frozenset[int] = frozenset()
    kept: tuple[tuple[int, int], ...] = ()
    levels: tuple[tuple[int, int], ...] = ()
    tested: frozenset[int] = frozenset()
    spared: frozenset[int] = frozenset()
    outcomes: tuple[tuple[int, PanicResult], ...] = ()
    held: frozenset[tuple[int, str]] = frozenset()
    tokens: tuple[tuple[int, int], ...] = ()
    drawer: int = 0
    unled: frozenset[int] = frozenset()


NONE = Corrections()


@dataclass(frozen=True, slots=True)
class UpkeepProposal:
    """What an Upkeep would do, step by step; nothing of it is done.

    scene: the table once models are healed, removed and named leader. healed, leaving: the effects of that.
    vacant: crews that have to say who leads them first. named: ids of leaders who begin to serve. ending:
    conditions that end with the turn.
    """

    scene: Scene
    healed: tuple[Effect, ...]
    leaving: tuple[Effect, ...]
    vacant: tuple[Succession, ...]
    named: tuple[int, ...]
    levels: tuple[CrewPanic, ...]
    tests: tuple[PanicTest, ...]
    ending: tuple[Lose, ...]
    bag: Bag

    @property
    def removed(self) -> tuple[Leave, ...]:
        """Who leaves play in step 1, and how. Rules: CB-CAS-03."""
        return tuple(effect for effect in self.leaving if isinstance(effect, Leave))


def propose(scene: Scene, corrections: Corrections = NONE, settings: Settings = DEFAULTS) -> UpkeepProposal:
    """The whole Upkeep of a turn with its corrections, up to the dice of the panic tests.

    Rules: CB-TURN-04, CB-CAS-03, CB-CREW-05, CB-PANIC-01, CB-PANIC-04, CB-BAG-02, CB-BAG-08.
    """
    kept = dict(corrections.kept)
    healed = tuple(e for model in scene.models if kept.get(model.id) for e in _heal(model, kept[model.id]))
    standing = replace(scene, models=tuple(_healed(model, kept.get(model.id, 0)) for model in scene.models))
    leaving = step_removals(standing, settings, kept=frozenset(kept), fled=corrections.fled)
    left = without(standing, [effect.model for effect in leaving if isinstance(effect, Leave)])
    after, named = _led(left, corrections.successors)
    levels = tuple(_level(panic, dict(corrections.levels)) for panic in panic_levels(after))
    return UpkeepProposal(
        after,
        healed,
        leaving,
        _vacant(after, corrections.unled),
        named,
        levels,
        panic_tests_due(after, levels, settings, added=corrections.tested, spared=corrections.spared),
        _ending(after, corrections.held),
        _bag(after, corrections),
    )


def results_of(
    proposal: UpkeepProposal, rolled: Iterable[tuple[int, PanicResult]], corrections: Corrections = NONE
) -> tuple[tuple[int, PanicResult], ...]:
    """What the panic tests came to, of those that count, overturned where players say so.

    Rules: CB-PANIC-06, CB-PANIC-07.
    """
    due = {test.model for test in proposal.tests}
    overturned = dict(corrections.outcomes)
    return tuple((model, overturned.get(model, result)) for model, result in rolled if model in due)


def _heal(model: Fighter, life: int) -> tuple[Effect, ...]:
    mended = max(0, model.damage - (model.profile.life - life))
    return (Mend(model.id, mended), Assign("model", model.id, Counter.DOWN, 0))


def _healed(model: Fighter, life: int) -> Fighter:
    return replace(model, damage=min(model.damage, model.profile.life - life)) if life else model


def _led(scene: Scene, successors: frozenset[int]) -> tuple[Scene, tuple[int, ...]]:
    """The scene with the leaders who were named for crews that have none."""
    led = {crew.side for crew in scene.crews if leader_of(crew.side, scene.models)}
    named = tuple(model.id for model in scene.models if model.id in successors and model.side not in led)
    models = tuple(replace(one, leader=True) if one.id in named else one for one in scene.models)
    return replace(scene, models=models), named


def _vacant(scene: Scene, unled: frozenset[int]) -> tuple[Succession, ...]:
    """The crews that have to say who leads them; a player may name nobody. Rules: CB-CREW-05."""
    found = []
    for crew in scene.crews:
        if crew.unled or crew.side in unled:
            continue
        members = scene.of_side(crew.side)
        candidates = tuple(model.id for model in members if may_lead(model, members))
        if candidates and leader_of(crew.side, members) is None:
            found.append(Succession(crew.side, candidates))
    return tuple(found)


def _level(panic: CrewPanic, levels: dict[int, int]) -> CrewPanic:
    level = levels.get(panic.side, panic.level)
    if level == panic.level:
        return panic
    part = Modifier(level - panic.level, "corrected", "")
    return CrewPanic(panic.side, level, (*panic.parts, part))


def _ending(scene: Scene, held: frozenset[tuple[int, str]]) -> tuple[Lose, ...]:
    present = {model.id for model in scene.models}
    effects = (effect for effect in step_end_of_turn(scene) if isinstance(effect, Lose))
    ending = (one for one in effects if one.model in present and (one.model, one.condition) not in held)
    return tuple(dict.fromkeys(ending))


def _bag(scene: Scene, corrections: Corrections) -> Bag:
    bag = next_bag(scene)
    said = dict(corrections.tokens)
    sides = [crew.side for crew in scene.crews]
    tokens = tuple(said.get(side, number) for side, number in zip(sides, bag.tokens, strict=True))
    drawer = sides.index(corrections.drawer) if corrections.drawer in sides else bag.drawer
    return replace(bag, tokens=tokens, drawer=drawer)
