"""Upkeep at the table: what is removed, who tests for panic, the tests, and the turn that follows.

Two presses: the first shows what Upkeep will do and asks what the bot cannot see, who is in Command Range;
the second rolls and ends the turn. Both are one step for undo.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.bag_play import DrawToken, require_done, side_name
from bot.games.counterblast.common import (
    MORE_TOKENS,
    UNDO,
    carry_through,
    left_to_act,
    losses_this_turn,
    read_bag,
    settings,
    write_bag,
)
from bot.games.counterblast.fighters import fighter, fighters, traits_of
from bot.games.counterblast.fires import end_of_turn_lines
from bot.games.counterblast.vehicle_marks import burning_aboard
from bot.games.counterblast.words import dice_words, face_lines, why_check
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.encounter import Encounter, set_counter
from bot.table.encounters import EndEncounter
from bot.table.handlers import handles
from rules.dice import Entry
from rules.effects import Assign, Leave
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast import bag, upkeep
from rules.systems.counterblast.checks import Prepared
from rules.systems.counterblast.crew import LEADER, leader_of, may_lead, name_leader
from rules.systems.counterblast.fighter import Until
from rules.systems.counterblast.orders import after_succession
from rules.systems.counterblast.panic import PanicResult, is_fearless, panic_test
from rules.systems.counterblast.upkeep import Crew, PanicTest, Scene

BEGUN = "upkeep"
"""Counter of the encounter: 1 when Upkeep has begun and its tests are not rolled."""

SUCCESSION = "succession"
"""Counter of the encounter: 1 while Upkeep waits for somebody who leads a crew from now on."""


@dataclass(frozen=True, slots=True)
class RollUpkeep(Action):
    """Roll the panic tests and end the turn. commanded: models in their leader's Command Range."""

    command = "cb.upkeep"

    commanded: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NameLeader(Action):
    """Name who leads a crew that lost its leader."""

    command = "cb.leader"

    model: int = 0


@dataclass(frozen=True, slots=True)
class UpkeepNamed(Action):
    """The next thing that Upkeep needs. near: who is in Command Range; leader: a successor; both by name."""

    command = "upkeep"

    near: str = ""
    leader: str = ""


def scene_of(encounter: Encounter, commanded: frozenset[int] = frozenset()) -> Scene:
    """What Upkeep looks at."""
    return Scene(
        encounter.row.turn,
        tuple(
            Crew(side.id, traits_of(side), side.counters.get(MORE_TOKENS, 0)) for side in encounter.sides()
        ),
        fighters(encounter),
        read_bag(encounter),
        losses_this_turn(encounter),
        commanded,
        expiring=tuple(
            (model.id, row.kind)
            for model in encounter.models()
            for row in encounter.conditions(model.id)
            if row.until == Until.UPKEEP
        ),
    )


def begin(act: Act) -> Reply:
    """Show what Upkeep does: removals at once, the tests when it is said who is in Command Range."""
    encounter = act.encounter
    waiting = [
        model.name
        for model in fighters(encounter)
        if not model.is_incapacitated and not model.count("activated")
    ]
    if not bag.phase_over(left_to_act(encounter)):
        with act.overridable():
            raise Forbidden(f"Not everybody has acted: {', '.join(waiting[:6])}.", "CB-BAG-07")
    if encounter.row.counters.get(BEGUN):
        raise InvalidInput("Upkeep has begun: press Roll, or undo it.")
    require_done(act)
    lines = [f"Upkeep, turn {encounter.row.turn}"]
    leaving = upkeep.step_removals(scene_of(encounter), settings(act))
    crews = {model.id: model for model in fighters(encounter)}
    for effect in leaving:
        if isinstance(effect, Leave):
            why = "nobody healed it" if crews[effect.model].is_down else "aboard"
            lines.append(f"Removed: {crews[effect.model].name} ({why})")
    proposals = carry_through(act, leaving)
    lines += [proposal.reason for proposal in proposals if proposal.action in ("fall", "stray")]
    encounter.row.counters[BEGUN] = 1
    act.minor = True
    if any(proposal.action == "leader" for proposal in proposals):
        return _ask_for_leader(encounter, lines)
    return _ask_for_range(act, lines)


def _ask_for_leader(encounter: Encounter, lines: list[str]) -> Reply:
    """Who may lead now; Upkeep goes on when it has been said."""
    buttons = []
    for side in encounter.sides():
        crew = fighters(encounter, side.id)
        if side.counters.get(LEADER) or not crew:
            continue
        candidates = [model for model in crew if may_lead(model, crew)]
        if candidates:
            lines.append(f"{side.name} lost its leader. Who leads now?")
            buttons += [Button(model.name, NameLeader(model.id)) for model in candidates[:10]]
    set_counter(encounter.row.counters, SUCCESSION, int(bool(buttons)))
    return Reply(tuple(lines), buttons=(*buttons, UNDO))


@handles(NameLeader)
def lead(act: Act, action: NameLeader) -> Reply:
    """The successor serves from this moment; the crew's order tokens are trimmed."""
    encounter = act.encounter
    model = fighter(encounter, encounter.model(action.model))
    act.require_side(model.side)
    side = encounter.side(model.side)
    if side.counters.get(LEADER):
        raise Forbidden("The crew has a leader.", "CB-CREW-05")
    before = side.counters.get("orders", 0)
    with act.overridable():
        carry_through(act, name_leader(model, fighters(encounter, model.side)))
    carry_through(act, after_succession(side.id, before, model, settings(act)))
    lines = [
        f"{model.name} leads {side.name} now.",
        f"Order tokens: {side.counters.get('orders', 0)} of {before}.",
    ]
    if not encounter.row.counters.get(BEGUN):
        return Reply(tuple(lines), buttons=(UNDO,))
    act.minor = True
    still = [
        one
        for one in encounter.sides()
        if not one.counters.get(LEADER) and any(m.profile.is_hero for m in fighters(encounter, one.id))
    ]
    if still:
        return _ask_for_leader(encounter, lines)
    set_counter(encounter.row.counters, SUCCESSION, 0)
    return _ask_for_range(act, lines)


def _ask_for_range(act: Act, lines: list[str]) -> Reply:
    encounter = act.encounter
    levels = upkeep.panic_levels(scene_of(encounter))
    everybody = frozenset(model.id for model in fighters(encounter))
    due = upkeep.panic_tests_due(scene_of(encounter, everybody), levels, settings(act))
    for panic in levels:
        lines.append(f"{encounter.side(panic.side).name}: panic level {panic.level}")
        lines += [f"  {part.amount:+d} {part.reason}" for part in panic.parts]
        mine = [
            encounter.model(test.model).name for test in due if encounter.model(test.model).side == panic.side
        ]
        lines.append(f"  Test: {', '.join(mine)}" if mine else "  Nobody tests.")
    near = [test for test in due if dice_of(act, test) is test.borrowed]
    menus: tuple[Menu, ...] = ()
    if near:
        leaders = {leader_of(encounter.model(test.model).side, fighters(encounter)) for test in near}
        lines.append(f"Who is in Command Range of {', '.join(sorted(m.name for m in leaders if m))}?")
        choices = tuple(Choice(encounter.model(test.model).name, str(test.model)) for test in near[:25])
        menus = (Menu("In Command Range, then roll", RollUpkeep(), "commanded", choices, 1, len(choices)),)
    label = "Nobody is: roll" if near else "Roll on" if due else "End the turn"
    return Reply(tuple(lines), buttons=(Button(label, RollUpkeep(), "main"), UNDO), menus=menus)


@handles(RollUpkeep)
def roll_upkeep(act: Act, action: RollUpkeep) -> Reply:
    """Tests, what else ends with the turn, and the next turn's bag."""
    encounter = act.encounter
    act.require_player()
    if not encounter.row.counters.get(BEGUN):
        raise InvalidInput("Upkeep has not begun: /encounter next.")
    if encounter.row.counters.get(SUCCESSION):
        raise InvalidInput("A crew lost its leader. Say first who leads now: /upkeep leader.")
    chosen = settings(act)
    scene = scene_of(encounter, frozenset(action.commanded))
    levels = upkeep.panic_levels(scene)
    carry_through(act, upkeep.step_levels(scene))
    lines, why = [f"Upkeep of turn {encounter.row.turn}"], []
    results = []
    for test in upkeep.panic_tests_due(scene, levels, chosen):
        prepared = dice_of(act, test)
        mark = len(act.dice.trace)
        result = act.roll(panic_test, (prepared.throw,))
        results.append((test.model, result))
        lent = prepared is test.borrowed
        lines += _test_lines(encounter, test.model, prepared, result, act.dice.trace[mark:], lent=lent)
        why += why_check(prepared, f"{encounter.model(test.model).name}, panic level {test.level}")
    carry_through(act, upkeep.step_tests(scene, results))
    lines += _fearless(encounter, scene, levels)
    scene = scene_of(encounter)
    carry_through(act, upkeep.step_end_of_turn(scene))
    lines += end_of_turn_lines(act)
    carry_through(act, upkeep.step_reset(scene))
    set_counter(encounter.row.counters, BEGUN, 0)
    lines += _new_turn(act)
    starts = Telling(proposals=burning_aboard(encounter))
    lines += starts.proposal_lines()
    return Reply(tuple(lines), buttons=(*starts.buttons(act), *_after(encounter)), why=tuple(why))


@handles(UpkeepNamed)
def next_of_upkeep(act: Act, action: UpkeepNamed) -> Reply:
    """Begin Upkeep, name a leader, or roll: the same as pressing the buttons that are shown."""
    encounter = act.encounter
    if action.leader:
        act.canonical = NameLeader(encounter.find_model(action.leader).id)
        return lead(act, act.canonical)
    if not encounter.row.counters.get(BEGUN):
        act.require_player()
        return begin(act)
    near = sorted({encounter.find_model(part).id for part in action.near.split(",") if part.strip()})
    act.canonical = RollUpkeep(tuple(near))
    return roll_upkeep(act, act.canonical)


def dice_of(act: Act, test: PanicTest) -> Prepared:
    """The dice that a model tests with: its leader's INT only where that is offered and better than its own.

    Rules: CB-PANIC-05.
    """
    if test.borrowed is None:
        return test.own
    own, lent = (act.solve(panic_test, (one.throw,)).chance(_holds) for one in (test.own, test.borrowed))
    return test.borrowed if lent > own else test.own


def _holds(result: PanicResult) -> bool:
    return not result.panicked


def _test_lines(
    encounter: Encounter,
    model: int,
    prepared: Prepared,
    result: PanicResult,
    trace: list[Entry],
    *,
    lent: bool,
) -> list[str]:
    who = encounter.model(model).name + (" (leader's INT)" if lent else "")
    outcome = "holds" if _holds(result) else "panics, shaken" if result.shaken else "panics"
    faces = "; ".join(face_lines(trace, "panic")) or "no dice"
    return [f"{who}: {outcome}", f"  {dice_words(prepared, 'INT')}: {faces}"]


def _fearless(encounter: Encounter, scene: Scene, levels: tuple[upkeep.CrewPanic, ...]) -> list[str]:
    scared = {panic.side: panic.level for panic in levels}
    return [
        f"{model.name} is fearless: no test"
        for model in scene.models
        if scared[model.side] > model.profile.intellect.value
        and is_fearless(model)
        and not model.is_incapacitated
    ]


def _new_turn(act: Act) -> list[str]:
    encounter = act.encounter
    scene = scene_of(encounter)
    following = upkeep.next_bag(scene)
    effects = upkeep.step_new_turn(scene, encounter.row.turns)
    carry_through(act, [effect for effect in effects if not _is_turn(effect)])
    if encounter.row.turns and encounter.row.turn >= encounter.row.turns:
        encounter.row.counters["over"] = 1
        return [f"Turn {encounter.row.turn} was the last.", "Count the points: /encounter end."]
    for token in encounter.tokens("initiative"):
        encounter.book.remove(token)
    encounter.row.turn += 1
    write_bag(encounter, following)
    return [
        f"Turn {encounter.row.turn}. Bag: {following.size} tokens.",
        f"First draw: {side_name(encounter, following.drawer)}.",
    ]


def _is_turn(effect: object) -> bool:
    return isinstance(effect, Assign) and effect.owner == "encounter" and effect.key == upkeep.TURN


def _after(encounter: Encounter) -> tuple[Button, ...]:
    if encounter.row.counters.get("over"):
        return (Button("End", EndEncounter(), "main"), UNDO)
    return (Button("Draw", DrawToken(), "main"), UNDO)
