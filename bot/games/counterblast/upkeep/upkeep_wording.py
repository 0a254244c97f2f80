"""An open Upkeep as a player reads it: its numbered steps, what was corrected, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.counterblast.core.wording import dice_words, face_lines, why_check
from bot.games.counterblast.state.models import settings_of
from bot.games.counterblast.upkeep.upkeep_draft import OUTCOMES, Tested, Upkeep
from bot.games.counterblast.upkeep.upkeep_steps import described, is_last_turn
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.conditions import FLED
from rules.systems.counterblast.core.counters import ORDERS
from rules.systems.counterblast.core.panic import PanicResult, is_fearless
from rules.systems.counterblast.turn.activation import tokens_kept_by_new_leader
from rules.wording import times

CORRECTED = " (corrected)"

FEW = 5
"""So many conditions that end are told one by one."""

MAX_LETTERS = 1400
"""So long may the steps be before they are told in short; a message has room for some lines more."""


def step_lines(
    open_one: Upkeep, dice: dict[int, Prepared], score: Sequence[str], *, short: bool = False
) -> list[str]:
    """Return every step as far as it can be told: what comes after the dice only when they have fallen.

    dice: those of the tests to come. score: the points as they will stand. short: one line for all models
    with the same words, without faces and reasons.
    """
    tests = _tests_in_short(open_one, dice) if short else _tests(open_one, dice)
    lines = [*_removed(open_one), *_levels(open_one), *_all_tests(open_one, tests)]
    if open_one.is_ready:
        lines += [*_ends(open_one), "5. Score", *map(_without_place, score), *_bag(open_one)]
    return [*lines, *correction_lines(open_one, reasons=not short)]


def _without_place(line: str) -> str:
    """Return a side's points without the number of its place: the steps have numbers of their own."""
    place, dot, points = line.partition(". ")
    return points if dot and place.isdecimal() else line


def is_long(lines: Sequence[str]) -> bool:
    """Return whether these lines with those around them would not fit into a message."""
    return len("\n".join(lines)) > MAX_LETTERS


def correction_lines(open_one: Upkeep, *, reasons: bool = True) -> list[str]:
    """Return the corrections, each with its author and reason."""
    notes = open_one.draft.notes
    lines = ["Corrected:"] if notes else []
    for number, note in enumerate(notes, 1):
        lines.append(f"{number}. {described(open_one.encounter, note)}")
        lines += [f"  {note.by}: {note.reason}"] if reasons else []
    return lines


def gathered(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return one line for all names with the same words: the words, and their names."""
    by_text: dict[str, list[str]] = {}
    for text, name in pairs:
        by_text.setdefault(text, []).append(name)
    return [f"{text}: {', '.join(names)}" for text, names in by_text.items()]


def _removed(open_one: Upkeep) -> list[str]:
    encounter, proposal = open_one.encounter, open_one.proposal
    lost = [open_one.name(removal.model) for removal in proposal.removed if removal.how != FLED]
    fled = [open_one.name(removal.model) for removal in proposal.removed if removal.how == FLED]
    lines = [f"1. Removed: {', '.join(lost) or 'nobody'}"]
    lines += [f"  Ran off the table: {', '.join(fled)}"] if fled else []
    for note in open_one.draft.said("keep"):
        lines.append(f"  {described(encounter, note)}{CORRECTED}")
    lines += [f"  {reason}" for reason in open_one.follows]
    for number in proposal.named:
        lines.append(f"  {_served(open_one, number)}")
    lines += [
        f"  {encounter.side(side).name} has no leader and no order tokens" for side in open_one.draft.unled
    ]
    for gap in proposal.vacant:
        lines.append(f"{encounter.side(gap.side).name} has lost its leader. Who leads now?")
    return lines


def _served(open_one: Upkeep, number: int) -> str:
    encounter = open_one.encounter
    leader = next(model for model in open_one.proposal.scene.models if model.id == number)
    side = encounter.side(leader.side)
    old_orders = side.counters.get(ORDERS, 0)
    orders_kept = tokens_kept_by_new_leader(old_orders, leader, settings_of(encounter))
    tokens = f"{orders_kept} of {old_orders}" if old_orders else "no"
    return f"{leader.name} leads {side.name} ({tokens} order tokens left)"


def _levels(open_one: Upkeep) -> list[str]:
    sides_noted = {note.number for note in open_one.draft.said("level")}
    lines = ["2. Panic Levels"]
    for panic in open_one.proposal.levels:
        mark = CORRECTED if panic.side in sides_noted else ""
        lines.append(f"{open_one.encounter.side(panic.side).name}: Panic Level {panic.level}{mark}")
        lines += [f"  {part.amount:+d} {part.reason}" for part in panic.parts]
    return lines


def _tests(open_one: Upkeep, dice: dict[int, Prepared]) -> list[str]:
    draft, proposal = open_one.draft, open_one.proposal
    lines = []
    tested = {entry.test.model: entry for entry in open_one.tested()}
    counted = open_one.results()
    added = {note.number for note in draft.said("test")}
    for test in proposal.tests:
        mark = CORRECTED if test.model in added else ""
        if test.model in tested:
            lines += _result(open_one, tested[test.model], counted[test.model], mark)
        else:
            lent = " (leader's INT)" if dice[test.model] is test.borrowed else ""
            lines.append(f"{open_one.name(test.model)}{lent}: {dice_words(dice[test.model], 'INT')}{mark}")
    return [*lines, *(f"{name} is Fearless (no test)" for name in _fearless(open_one))]


def _tests_in_short(open_one: Upkeep, dice: dict[int, Prepared]) -> list[str]:
    counted = open_one.results()
    fallen = {entry.test.model for entry in open_one.tested()}
    lines = gathered(
        (
            outcome_words(counted[test.model])
            if test.model in fallen
            else dice_words(dice[test.model], "INT")
            + (" (leader's INT)" if dice[test.model] is test.borrowed else ""),
            open_one.name(test.model),
        )
        for test in open_one.proposal.tests
    )
    return [*lines, *gathered(("Fearless (no test)", name) for name in _fearless(open_one))]


def _all_tests(open_one: Upkeep, tests: Sequence[str]) -> list[str]:
    spared = (described(open_one.encounter, note) for note in open_one.draft.said("spare"))
    lines = [*tests, *(f"{spared_line}{CORRECTED}" for spared_line in spared)]
    head = "3. Tests" if lines else "3. Tests: none"
    panicked = ", ".join(map(open_one.name, open_one.panicked()))
    flights = [f"Panicked (Rally or run when they act): {panicked}"] if panicked and open_one.is_ready else []
    return [head, *lines, *flights]


def _result(open_one: Upkeep, tested: Tested, counted: PanicResult, mark: str) -> list[str]:
    name = open_one.name(tested.test.model) + (" (leader's INT)" if tested.rolled.lender else "")
    overturned = any(note.number == tested.test.model for note in open_one.draft.said("result"))
    if overturned:
        mark = f' (corrected from "{outcome_words(tested.result)}")'
    faces = "; ".join(face_lines(tested.trace, "panic")) or "no dice"
    return [f"{name}: {outcome_words(counted)}{mark}", f"  {dice_words(tested.prepared, 'INT')}: {faces}"]


def outcome_words(result: PanicResult) -> str:
    """Return the result of a panic test: holds; panics; panics and is shaken."""
    if result == OUTCOMES["holds"]:
        return "holds"
    return ("panics" if result.panicked else "holds") + (" and is shaken" if result.shaken else "")


def _fearless(open_one: Upkeep) -> list[str]:
    scared = {panic.side: panic.level for panic in open_one.proposal.levels}
    return [
        model.name
        for model in open_one.proposal.scene.models
        if scared[model.side] > model.profile.intellect.value
        and is_fearless(model)
        and not model.is_incapacitated
    ]


def _ends(open_one: Upkeep) -> list[str]:
    lines = ending_lines(open_one)
    lines += [f"{described(open_one.encounter, note)}{CORRECTED}" for note in open_one.draft.said("timer")]
    lines += [line for _, line in open_one.fires().values()]
    lines += [f"The cloud {name} disappears." for name in open_one.clouds()]
    lines += [f"{described(open_one.encounter, note)}{CORRECTED}" for note in open_one.draft.said("cloud")]
    return ["4. Effects that end", *lines] if lines else ["4. Effects that end: none"]


def ending_lines(open_one: Upkeep) -> list[str]:
    """Return which conditions end for whom, in one line for models with the same ones."""
    endings = [(open_one.name(ending.model), ending.condition) for ending in open_one.proposal.ending]
    if len(endings) <= FEW:
        return [f"{name}: {condition} ends" for name, condition in endings]
    return gathered((f"{condition} ends", name) for name, condition in endings)


def _bag(open_one: Upkeep) -> list[str]:
    encounter, bag = open_one.encounter, open_one.proposal.bag
    if is_last_turn(encounter):
        return [f"Turn {encounter.row.turn} is the last turn."]
    sides = encounter.sides()
    tokens = ", ".join(f"{side.name} {number}" for side, number in zip(sides, bag.tokens, strict=True))
    mark = CORRECTED if open_one.draft.said("bag") else ""
    drawn = CORRECTED if open_one.draft.said("drawer") else ""
    return [
        f"6. Bag: {times(bag.size, 'token')} ({tokens}){mark}",
        f"7. First draw: {sides[bag.drawer].name}{drawn}",
    ]


def why_lines(open_one: Upkeep, dice: dict[int, Prepared]) -> list[str]:
    """Return the parts of each test, and every correction with its author and reason."""
    lines = []
    ready = {tested.test.model: tested.prepared for tested in open_one.tested()} | dice
    for test in open_one.proposal.tests:
        lines += why_check(ready[test.model], f"{open_one.name(test.model)}, Panic Level {test.level}")
    return [*lines, *correction_lines(open_one)]
