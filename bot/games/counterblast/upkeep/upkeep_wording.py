"""An open Upkeep as a player reads it: its numbered steps, what was corrected, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.counterblast.core.wording import dice_words, face_lines, why_check
from bot.games.counterblast.state.models import settings_of
from bot.games.counterblast.upkeep.upkeep_draft import OUTCOMES, Tested, Upkeep
from bot.games.counterblast.upkeep.upkeep_steps import describe_correction, is_last_turn
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import FLED
from rules.systems.counterblast.core.counters import ORDERS
from rules.systems.counterblast.core.panic import PanicResult, is_fearless
from rules.systems.counterblast.turn.activation import tokens_kept_by_new_leader
from rules.wording import times

CORRECTED_MARK = " (corrected)"

MAX_SEPARATE_ENDINGS = 5
"""The most conditions that end in lines of their own."""

MAX_CHARACTERS = 1400
"""The length from which the steps are shortened; a message has room for a few more lines."""


def step_lines(
    open_upkeep: Upkeep, dice: dict[int, PreparedCheck], score: Sequence[str], *, short: bool = False
) -> list[str]:
    """Return the steps that are known so far: those after the dice only once all are rolled.

    dice: those of the tests to come. score: the points as they will stand. short: one line for all models
    with the same words, without faces and reasons.
    """
    tests = _short_test_lines(open_upkeep, dice) if short else _test_lines(open_upkeep, dice)
    lines = [*_removal_lines(open_upkeep), *_level_lines(open_upkeep), *_test_step_lines(open_upkeep, tests)]
    if open_upkeep.is_ready:
        lines += [
            *_ending_step_lines(open_upkeep),
            "5. Score",
            *map(_strip_place, score),
            *_bag_lines(open_upkeep),
        ]
    return [*lines, *correction_lines(open_upkeep, reasons=not short)]


def _strip_place(line: str) -> str:
    """Return a side's points without the number of its place: the steps have numbers of their own."""
    place, separator, points = line.partition(". ")
    return points if separator and place.isdecimal() else line


def is_long(lines: Sequence[str]) -> bool:
    """Return whether these lines with those around them would not fit into a message."""
    return len("\n".join(lines)) > MAX_CHARACTERS


def correction_lines(open_upkeep: Upkeep, *, reasons: bool = True) -> list[str]:
    """Return the corrections, each with its author and reason."""
    notes = open_upkeep.draft.notes
    lines = ["Corrected:"] if notes else []
    for number, note in enumerate(notes, 1):
        lines.append(f"{number}. {describe_correction(open_upkeep.encounter, note)}")
        lines += [f"  {note.by}: {note.reason}"] if reasons else []
    return lines


def group_names_by_text(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return one line for all names with the same words: the words, and their names."""
    names_by_text: dict[str, list[str]] = {}
    for text, name in pairs:
        names_by_text.setdefault(text, []).append(name)
    return [f"{text}: {', '.join(names)}" for text, names in names_by_text.items()]


def _removal_lines(open_upkeep: Upkeep) -> list[str]:
    encounter, proposal = open_upkeep.encounter, open_upkeep.proposal
    removed_names = [open_upkeep.name(removal.model) for removal in proposal.removed if removal.how != FLED]
    fled_names = [open_upkeep.name(removal.model) for removal in proposal.removed if removal.how == FLED]
    lines = [f"1. Removed: {', '.join(removed_names) or 'nobody'}"]
    lines += [f"  Ran off the table: {', '.join(fled_names)}"] if fled_names else []
    for note in open_upkeep.draft.said("keep"):
        lines.append(f"  {describe_correction(encounter, note)}{CORRECTED_MARK}")
    lines += [f"  {reason}" for reason in open_upkeep.follows]
    for number in proposal.named:
        lines.append(f"  {_describe_new_leader(open_upkeep, number)}")
    lines += [
        f"  {encounter.side(side).name} has no leader and no order tokens" for side in open_upkeep.draft.unled
    ]
    for vacancy in proposal.vacant:
        lines.append(f"{encounter.side(vacancy.side).name} has lost its leader. Who leads now?")
    return lines


def _describe_new_leader(open_upkeep: Upkeep, number: int) -> str:
    encounter = open_upkeep.encounter
    leader = next(model for model in open_upkeep.proposal.scene.models if model.id == number)
    side = encounter.side(leader.side)
    old_order_tokens = side.counters.get(ORDERS, 0)
    kept_order_tokens = tokens_kept_by_new_leader(old_order_tokens, leader, settings_of(encounter))
    tokens = f"{kept_order_tokens} of {old_order_tokens}" if old_order_tokens else "no"
    return f"{leader.name} leads {side.name} ({tokens} order tokens left)"


def _level_lines(open_upkeep: Upkeep) -> list[str]:
    corrected_sides = {note.number for note in open_upkeep.draft.said("level")}
    lines = ["2. Panic Levels"]
    for panic_level in open_upkeep.proposal.levels:
        mark = CORRECTED_MARK if panic_level.side in corrected_sides else ""
        lines.append(
            f"{open_upkeep.encounter.side(panic_level.side).name}: Panic Level {panic_level.level}{mark}"
        )
        lines += [f"  {part.amount:+d} {part.reason}" for part in panic_level.parts]
    return lines


def _test_lines(open_upkeep: Upkeep, dice: dict[int, PreparedCheck]) -> list[str]:
    draft, proposal = open_upkeep.draft, open_upkeep.proposal
    lines = []
    entries_by_model = {entry.test.model: entry for entry in open_upkeep.tested()}
    results = open_upkeep.results()
    added_ids = {note.number for note in draft.said("test")}
    for test in proposal.tests:
        mark = CORRECTED_MARK if test.model in added_ids else ""
        if test.model in entries_by_model:
            lines += _result_lines(open_upkeep, entries_by_model[test.model], results[test.model], mark)
        else:
            lender_text = " (leader's INT)" if dice[test.model] is test.borrowed else ""
            lines.append(
                f"{open_upkeep.name(test.model)}{lender_text}: {dice_words(dice[test.model], 'INT')}{mark}"
            )
    return [*lines, *(f"{name} is Fearless (no test)" for name in _list_fearless(open_upkeep))]


def _short_test_lines(open_upkeep: Upkeep, dice: dict[int, PreparedCheck]) -> list[str]:
    results = open_upkeep.results()
    rolled_ids = {entry.test.model for entry in open_upkeep.tested()}
    lines = group_names_by_text(
        (
            describe_outcome(results[test.model])
            if test.model in rolled_ids
            else dice_words(dice[test.model], "INT")
            + (" (leader's INT)" if dice[test.model] is test.borrowed else ""),
            open_upkeep.name(test.model),
        )
        for test in open_upkeep.proposal.tests
    )
    return [
        *lines,
        *group_names_by_text(("Fearless (no test)", name) for name in _list_fearless(open_upkeep)),
    ]


def _test_step_lines(open_upkeep: Upkeep, tests: Sequence[str]) -> list[str]:
    spared_lines = (
        describe_correction(open_upkeep.encounter, note) for note in open_upkeep.draft.said("spare")
    )
    lines = [*tests, *(f"{spared_line}{CORRECTED_MARK}" for spared_line in spared_lines)]
    heading = "3. Tests" if lines else "3. Tests: none"
    panicked_names = ", ".join(map(open_upkeep.name, open_upkeep.panicked()))
    panicked_lines = (
        [f"Panicked (Rally or run when they act): {panicked_names}"]
        if panicked_names and open_upkeep.is_ready
        else []
    )
    return [heading, *lines, *panicked_lines]


def _result_lines(open_upkeep: Upkeep, entry: Tested, result: PanicResult, mark: str) -> list[str]:
    name = open_upkeep.name(entry.test.model) + (" (leader's INT)" if entry.rolled.lender else "")
    is_corrected = any(note.number == entry.test.model for note in open_upkeep.draft.said("result"))
    if is_corrected:
        mark = f' (corrected from "{describe_outcome(entry.result)}")'
    faces = "; ".join(face_lines(entry.trace, "panic")) or "no dice"
    return [f"{name}: {describe_outcome(result)}{mark}", f"  {dice_words(entry.prepared, 'INT')}: {faces}"]


def describe_outcome(result: PanicResult) -> str:
    """Return the result of a panic test: holds; panics; panics and is shaken."""
    if result == OUTCOMES["holds"]:
        return "holds"
    return ("panics" if result.panicked else "holds") + (" and is shaken" if result.shaken else "")


def _list_fearless(open_upkeep: Upkeep) -> list[str]:
    levels_by_side = {panic_level.side: panic_level.level for panic_level in open_upkeep.proposal.levels}
    return [
        model.name
        for model in open_upkeep.proposal.scene.models
        if levels_by_side[model.side] > model.profile.intellect.value
        and is_fearless(model)
        and not model.is_incapacitated
    ]


def _ending_step_lines(open_upkeep: Upkeep) -> list[str]:
    lines = ending_lines(open_upkeep)
    lines += [
        f"{describe_correction(open_upkeep.encounter, note)}{CORRECTED_MARK}"
        for note in open_upkeep.draft.said("timer")
    ]
    lines += [line for _, line in open_upkeep.fires().values()]
    lines += [f"The cloud {name} disappears." for name in open_upkeep.clouds()]
    lines += [
        f"{describe_correction(open_upkeep.encounter, note)}{CORRECTED_MARK}"
        for note in open_upkeep.draft.said("cloud")
    ]
    heading = "4. Effects that end or change"
    return [heading, *lines] if lines else [f"{heading}: none"]


def ending_lines(open_upkeep: Upkeep) -> list[str]:
    """Return which conditions end for whom, in one line for models with the same ones."""
    endings = [(open_upkeep.name(ending.model), ending.condition) for ending in open_upkeep.proposal.ending]
    if len(endings) <= MAX_SEPARATE_ENDINGS:
        return [f"{name}: {condition} ends" for name, condition in endings]
    return group_names_by_text((f"{condition} ends", name) for name, condition in endings)


def _bag_lines(open_upkeep: Upkeep) -> list[str]:
    encounter, bag = open_upkeep.encounter, open_upkeep.proposal.bag
    if is_last_turn(encounter):
        return [f"Turn {encounter.row.turn} is the last turn."]
    sides = encounter.sides()
    tokens = ", ".join(f"{side.name} {number}" for side, number in zip(sides, bag.tokens, strict=True))
    bag_mark = CORRECTED_MARK if open_upkeep.draft.said("bag") else ""
    drawer_mark = CORRECTED_MARK if open_upkeep.draft.said("drawer") else ""
    return [
        f"6. Bag: {times(bag.size, 'token')} ({tokens}){bag_mark}",
        f"7. First draw: {sides[bag.drawer].name}{drawer_mark}",
    ]


def explain_upkeep(open_upkeep: Upkeep, dice: dict[int, PreparedCheck]) -> list[str]:
    """Return the parts of each test, and every correction with its author and reason."""
    lines = []
    checks_by_model = {entry.test.model: entry.prepared for entry in open_upkeep.tested()} | dice
    for test in open_upkeep.proposal.tests:
        lines += why_check(
            checks_by_model[test.model], f"{open_upkeep.name(test.model)}, Panic Level {test.level}"
        )
    return [*lines, *correction_lines(open_upkeep)]
