"""Upkeep as steps over a frozen scene, and as a proposal that players correct."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.effects import Assign, Effect, Leave, Lose, Mend, Propose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import (
    Succession,
    count_extra_tokens,
    find_leader,
    find_succession,
    lose_leader,
    may_lead,
)
from rules.systems.counterblast.core.burning import Fire
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import FLED, recover_stunned, remove_casualties
from rules.systems.counterblast.core.counters import PANIC_LEVEL, TURN, Counter
from rules.systems.counterblast.core.fighter import Condition, CrewTraits, Fighter
from rules.systems.counterblast.core.panic import (
    PanicResult,
    after_panic_test,
    may_panic,
    must_test,
    panic_level,
    panic_parts,
    prepare_panic_test,
)
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.turn.bag import Bag, fill, first_of_next_turn

EACH_TURN: tuple[Counter, ...] = (
    Counter.ACTIVATED,
    Counter.ACTIONS,
    Counter.ATTACKS,
    Counter.MOVES,
    Counter.RALLIED,
)
"""Counters of a model that start again every turn."""


@dataclass(frozen=True, slots=True)
class Crew:
    """A side in Upkeep: its id, what its crew has, tokens in the bag beyond those of its Specialties.

    unled: its player named no one when its leader was lost. Rules: CB-CREW-05.
    """

    side: int
    traits: CrewTraits
    more_tokens: int = 0
    unled: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """The state of the game that Upkeep looks at.

    turn: the one that ends. crews: in the order in which players draw. models: in play. gone: removed from
    play in this turn, as they were. commanded: ids of models within their leader's Command Range. fires:
    burning areas by name. expiring: (model, condition) pairs that end in this Upkeep. bag: as it was left.
    ordered: ids of models for whose panic test an order token is spent.
    """

    turn: int
    crews: tuple[Crew, ...]
    models: tuple[Fighter, ...]
    bag: Bag
    gone: tuple[Fighter, ...] = ()
    commanded: frozenset[int] = frozenset()
    fires: tuple[tuple[str, Fire], ...] = ()
    expiring: tuple[tuple[int, str], ...] = ()
    ordered: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if len(self.crews) != self.bag.crews:
            raise InvalidInput("The bag and the Upkeep must be for the same crews.")

    def of_side(self, side: int) -> tuple[Fighter, ...]:
        """Return the side's models in play."""
        return tuple(model for model in self.models if model.side == side)

    def model(self, number: int) -> Fighter:
        """Return a model in play by id. Raises InvalidInput for one that is not."""
        for model in self.models:
            if model.id == number:
                return model
        raise InvalidInput("That model is not in play.")


# ------------------------------------------------------------------------------------------- 1: removals


def step_removals(
    scene: Scene,
    settings: Settings = DEFAULTS,
    *,
    kept_ids: frozenset[int] = frozenset(),
    fled: frozenset[int] = frozenset(),
) -> tuple[Effect, ...]:
    """Step 1: models that are down and unhealed leave play as casualties.

    One that is removed at a height is proposed to fall if it is at an edge; a side whose leader goes is asked
    for another. kept_ids: ids of models that stay anyway; fled: of those that ran off the table. Rules:
    CB-TURN-04, CB-CAS-03, CB-CAS-06, CB-FALL-02, CB-CREW-05, CB-CREW-06.
    """
    lying = tuple(model for model in scene.models if model.id not in kept_ids | fled)
    casualties = remove_casualties(lying, scene.turn, settings)
    leaving = (*casualties, *(Leave(model.id, FLED) for model in scene.models if model.id in fled))
    ids = frozenset(effect.model for effect in leaving if isinstance(effect, Leave))
    dropped = ids - fled
    falls = tuple(
        _fall(model) for model in scene.models if model.id in dropped and model.count(Counter.HEIGHT)
    )
    lost = (find_succession(crew.side, scene.models, ids) for crew in scene.crews)
    return (*leaving, *falls, *(effect for gap in lost if gap for effect in lose_leader(gap)))


def _fall(model: Fighter) -> Propose:
    height = model.count(Counter.HEIGHT)
    reason = (
        f"{model.name} is removed at a height of {height} in. If it was within 1 in of an edge, it falls "
        "onto what is below."
    )
    return Propose("fall", model.id, reason, (("height", height),))


def without(scene: Scene, removed: Iterable[int]) -> Scene:
    """Return the scene after models were removed: they count as gone this turn. Rules: CB-PANIC-03."""
    ids = frozenset(removed)
    return replace(
        scene,
        models=tuple(model for model in scene.models if model.id not in ids),
        gone=(*scene.gone, *(model for model in scene.models if model.id in ids)),
    )


# ------------------------------------------------------------------------------------------- 2: Panic Level


@dataclass(frozen=True, slots=True)
class CrewPanic:
    """A side's Panic Level with everything that made it."""

    side: int
    level: int
    parts: tuple[Modifier, ...]


def panic_levels(scene: Scene) -> tuple[CrewPanic, ...]:
    """Step 2: every crew's Panic Level, from the models gone this turn.

    Rules: CB-TURN-04, CB-PANIC-01, CB-PANIC-02, CB-PANIC-03, CB-SPEC-05.
    """
    levels = []
    for crew in scene.crews:
        lost = tuple(model for model in scene.gone if model.side == crew.side)
        level = panic_level(lost, crew.traits)
        levels.append(CrewPanic(crew.side, level, panic_parts(lost, crew.traits)))
    return tuple(levels)


# ------------------------------------------------------------------------------------------- 3: panic tests


@dataclass(frozen=True, slots=True)
class PanicTest:
    """A panic test to be made: the model, the Panic Level, its own dice, and its leader's where it may
    borrow them."""

    model: int
    level: int
    own: PreparedCheck
    borrowed: PreparedCheck | None = None


def lender(scene: Scene, model: Fighter) -> Fighter | None:
    """Return the leader whose INT the model may use: able, not itself, and near. Rules: CB-PANIC-05."""
    leader = find_leader(model.side, scene.models)
    if leader is None or leader.id == model.id or leader.is_incapacitated:
        return None
    return leader if model.id in scene.commanded else None


def panic_tests_due(
    scene: Scene,
    levels: Iterable[CrewPanic],
    settings: Settings = DEFAULTS,
    *,
    added: frozenset[int] = frozenset(),
    spared: frozenset[int] = frozenset(),
) -> tuple[PanicTest, ...]:
    """Step 3: who must test, with the leader's INT offered to those in Command Range.

    levels: as the table confirmed them. All tests of a crew are simultaneous. added, spared: ids of models
    that the players let test, or not, other than the rules say.
    Rules: CB-TURN-04, CB-PANIC-04, CB-PANIC-05, CB-ORDER-05.
    """
    tests_due = []
    for panic in levels:
        for model in scene.of_side(panic.side):
            leader = lender(scene, model)
            newly_due = model.id in added and panic.level > 0 and may_panic(model)
            if model.id in spared or not (newly_due or must_test(model, panic.level, leader, settings)):
                continue
            tests_due.append(_test(scene, model, panic.level, leader, settings))
    return tuple(tests_due)


def _test(scene: Scene, model: Fighter, level: int, leader: Fighter | None, settings: Settings) -> PanicTest:
    token = model.id in scene.ordered
    own_test = prepare_panic_test(
        model, level, order_token=token, agreed=True, settings=_own_int_settings(settings)
    )
    if leader is None:
        return PanicTest(model.id, level, own_test)
    lent = prepare_panic_test(model, level, leader, order_token=token, agreed=True, settings=settings)
    return PanicTest(model.id, level, own_test, lent)


def _own_int_settings(settings: Settings) -> Settings:
    """The settings for a test with its own INT, which no leader's INT excuses."""
    return replace(settings, leader_int_for_eligibility=False)


def step_tests(scene: Scene, results: Iterable[tuple[int, PanicResult]]) -> tuple[Effect, ...]:
    """Return the effects of the panic tests, by id of the model. Rules: CB-TURN-04, CB-PANIC-06,
    CB-PANIC-07.
    """
    return tuple(
        effect for number, result in results for effect in after_panic_test(scene.model(number), result)
    )


def flights(scene: Scene) -> tuple[int, ...]:
    """Return the ids of the Panicked models in play: unless they rally they run for the edge when activated.

    Rules: CB-PANIC-09, CB-PANIC-10.
    """
    return tuple(model.id for model in scene.models if model.has(Condition.PANICKED))


# ------------------------------------------------------------------------------------------- 4: end of turn


def step_end_of_turn(scene: Scene) -> tuple[Effect, ...]:
    """Step 4: everything else that ends or happens with the turn.

    Fires are proposed to be rolled for, force fields and whatever else expires end, the stunned recover.
    Rules: CB-TURN-04, CB-BURN-03, CB-COND-04.
    """
    fires = tuple(
        Propose(
            "fire_growth",
            0,
            f"Roll d10 + {fire.age(scene.turn)} to see whether {name} grows or goes out.",
            (("area", name), ("age", fire.age(scene.turn))),
        )
        for name, fire in scene.fires
    )
    warded = tuple((model.id, Condition.WARDED) for model in scene.models if model.has(Condition.WARDED))
    ended = dict.fromkeys((*warded, *scene.expiring))
    return (*fires, *(Lose(number, condition) for number, condition in ended), *recover_stunned(scene.models))


# ------------------------------------------------------------------------------------------- 5 to 7


def step_reset_panic(scene: Scene) -> tuple[Effect, ...]:
    """Step 5: every Panic Level is 0 again. Rules: CB-TURN-04, CB-PANIC-08."""
    return tuple(Assign("side", crew.side, PANIC_LEVEL, 0) for crew in scene.crews)


def next_bag(scene: Scene) -> Bag:
    """Return the bag of the next turn, and who draws from it first: steps 6 and 7.

    One token for each model in play, down or not, and the crews' extra ones.
    Rules: CB-TURN-04, CB-BAG-02, CB-BAG-08, CB-SPEC-10, CB-SPEC-22.
    """
    return fill(
        tuple(len(scene.of_side(crew.side)) for crew in scene.crews),
        tuple(count_extra_tokens(crew.traits) + crew.more_tokens for crew in scene.crews),
        first_of_next_turn(scene.bag),
    )


def step_new_turn(scene: Scene, turns: int) -> tuple[Effect, ...]:
    """Return the effects of the end of a turn: models start again, and the next turn begins or the game
    ends.

    turns: the length of the game. Rules: CB-TURN-01, CB-TURN-03, CB-TURN-04, CB-SCORE-09.
    """
    fresh = tuple(
        Assign("model", model.id, key, 0) for model in scene.models for key in EACH_TURN if model.count(key)
    )
    if scene.turn >= turns:
        return (*fresh, Propose("score", 0, f"Turn {scene.turn} was the last turn. Score the game."))
    return (*fresh, Assign("encounter", 0, TURN, scene.turn + 1))


@dataclass(frozen=True, slots=True)
class Corrections:
    """The players' corrections of an Upkeep, by ids of models and sides.

    fled: Panicked models that ran off the table. successors: who leads from now on, where a crew lost its
    leader. kept: models that are not removed, with the Life they have again, 0 for one that stays down.
    levels: Panic Levels of sides. tested, spared: who tests, or does not, other than the rules say. outcomes:
    panic tests overturned. held: (model, condition) pairs that do not end. tokens: of sides in the next bag.
    drawer: the side that draws first, or 0 for the one that the rules name. unled: sides that name no
    successor.
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
    """A proposed Upkeep, step by step; it changes nothing yet.

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
        """Return the models that leave play in step 1, each with the reason. Rules: CB-CAS-03."""
        return tuple(effect for effect in self.leaving if isinstance(effect, Leave))


def propose(scene: Scene, corrections: Corrections = NONE, settings: Settings = DEFAULTS) -> UpkeepProposal:
    """Return the whole Upkeep of a turn with its corrections, up to the dice of the panic tests.

    Rules: CB-TURN-04, CB-CAS-03, CB-CREW-05, CB-PANIC-01, CB-PANIC-04, CB-BAG-02, CB-BAG-08.
    """
    healed_to = dict(corrections.kept)
    healed = tuple(
        e for model in scene.models if healed_to.get(model.id) for e in _heal(model, healed_to[model.id])
    )
    standing = replace(
        scene, models=tuple(_healed(model, healed_to.get(model.id, 0)) for model in scene.models)
    )
    leaving = step_removals(standing, settings, kept_ids=frozenset(healed_to), fled=corrections.fled)
    survivors = without(standing, [effect.model for effect in leaving if isinstance(effect, Leave)])
    after, named = _with_leaders(survivors, corrections.successors)
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
    """Return the results of the panic tests that count, as corrected by the players.

    Rules: CB-PANIC-06, CB-PANIC-07.
    """
    tested_models = {test.model for test in proposal.tests}
    overturned = dict(corrections.outcomes)
    return tuple((model, overturned.get(model, result)) for model, result in rolled if model in tested_models)


def _heal(model: Fighter, life: int) -> tuple[Effect, ...]:
    mended = max(0, model.damage - (model.profile.life - life))
    return (Mend(model.id, mended), Assign("model", model.id, Counter.DOWN, 0))


def _healed(model: Fighter, life: int) -> Fighter:
    return replace(model, damage=min(model.damage, model.profile.life - life)) if life else model


def _with_leaders(scene: Scene, successors: frozenset[int]) -> tuple[Scene, tuple[int, ...]]:
    """The scene with the leaders who were named for crews that have none."""
    led = {crew.side for crew in scene.crews if find_leader(crew.side, scene.models)}
    named = tuple(model.id for model in scene.models if model.id in successors and model.side not in led)
    models = tuple(
        replace(fighter, leader=True) if fighter.id in named else fighter for fighter in scene.models
    )
    return replace(scene, models=models), named


def _vacant(scene: Scene, unled: frozenset[int]) -> tuple[Succession, ...]:
    """Return the crews that have to choose a leader; their players may name no one. Rules: CB-CREW-05."""
    successions = []
    for crew in scene.crews:
        if crew.unled or crew.side in unled:
            continue
        members = scene.of_side(crew.side)
        candidates = tuple(model.id for model in members if may_lead(model, members))
        if candidates and find_leader(crew.side, members) is None:
            successions.append(Succession(crew.side, candidates))
    return tuple(successions)


def _level(panic: CrewPanic, levels: dict[int, int]) -> CrewPanic:
    level = levels.get(panic.side, panic.level)
    if level == panic.level:
        return panic
    part = Modifier(level - panic.level, "corrected", "")
    return CrewPanic(panic.side, level, (*panic.parts, part))


def _ending(scene: Scene, kept: frozenset[tuple[int, str]]) -> tuple[Lose, ...]:
    present = {model.id for model in scene.models}
    effects = (effect for effect in step_end_of_turn(scene) if isinstance(effect, Lose))
    ending = (loss for loss in effects if loss.model in present and (loss.model, loss.condition) not in kept)
    return tuple(dict.fromkeys(ending))


def _bag(scene: Scene, corrections: Corrections) -> Bag:
    bag = next_bag(scene)
    corrected_tokens = dict(corrections.tokens)
    sides = [crew.side for crew in scene.crews]
    tokens = tuple(corrected_tokens.get(side, number) for side, number in zip(sides, bag.tokens, strict=True))
    drawer = sides.index(corrections.drawer) if corrections.drawer in sides else bag.drawer
    return replace(bag, tokens=tokens, drawer=drawer)
