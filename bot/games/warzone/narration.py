"""How results are told: faces with what they came to, whose dice are to be thrown, reasons on request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.replies.chances import bars
from bot.replies.reply import Die, Rolled, Verdict
from bot.table.throw_purposes import Cast, Throw, Whose, counted
from rules.dice import Compared, Entry, Heading, Odds, Shown, Thrown
from rules.modifiers import Modifier
from rules.systems.warzone.model import SYSTEM, Condition, Model
from rules.systems.warzone.vehicles import LOCATIONS
from rules.wording import possessive, times

QUIET = frozenset({Condition.MOVED, Condition.CHARGED, Condition.LEADING})
"""Conditions that a summary does not mention."""

_GRADED = frozenset({Condition.WAITING, Condition.IN_DIRE})
"""Conditions whose value is told."""

_ATTACK = {
    "success": "hit",
    "failure": "miss",
    "critical success": "hit (natural 1)",
    "critical failure": "miss (fumble)",
}
_TEST = {
    "success": "passed",
    "failure": "failed",
    "critical success": "passed (natural 1)",
    "critical failure": "failed (natural 20)",
}
SIDES = 20
_VERDICTS: Mapping[str, Verdict] = {
    "success": "hit",
    "failure": "miss",
    "critical success": "best",
    "critical failure": "miss",
    "saved": "hit",
    "wound": "miss",
}
_HEADS = {"deviation": "Deviation", "armour, critical": "Armour, critical hit"}


def condition_word(kind: str) -> str:
    """Return a condition as players read it."""
    return kind.replace("_", " ")


def state_words(model: Model) -> list[str]:
    """Return the wounds, nerves, what is broken, and everything else it is under."""
    marks = [f"{model.damage} of {model.profile.wd} wounds taken"] if model.damage else []
    marks += [
        condition_word(kind) + (f" {value}" if value > 1 and kind in _GRADED else "")
        for kind, value in sorted(model.conditions)
        if kind not in QUIET
    ]
    marks += [
        f"{location} x{model.count(SYSTEM.of(location))}"
        for location in LOCATIONS
        if model.count(SYSTEM.of(location))
    ]
    return marks


def summary(model: Model, *, leads: bool = False) -> str:
    """Return a model in one line."""
    marks = state_words(model)
    name = f"{model.name}{' (leader)' if leads else ''}"
    return f"{name}: {', '.join(marks)}" if marks else name


# ------------------------------------------------------------------------------------------- dice


def trace_lines(trace: Iterable[Entry]) -> list[str]:
    """Return every throw of a roll; throws of one kind that follow one another share a line."""
    lines: list[Rolled] = []
    last = ""
    for entry in trace:
        head, dice = _entry(entry)
        if not head:
            continue
        if head == last and isinstance(entry, Thrown):
            lines[-1] = Rolled(head, [*lines[-1].dice, *dice])
        else:
            lines.append(Rolled(head, dice))
        last = head
    return list(lines)


def total_lines(trace: Iterable[Entry], tests: Sequence[Sequence[int]]) -> list[str]:
    """Return contests of totals, each die with what is added to it; ties for the highest rolled again.

    tests: what everyone in each contest adds to the die, in the order of the rule. Rules: WZ-TEST-05.
    """
    lines: list[str] = []
    has_begun, number = False, 0
    places = list(range(len(tests[0])))
    for entry in trace:
        if isinstance(entry, Heading) and entry.label == "opposition":
            has_begun, number = True, number + has_begun
            places = list(range(len(tests[number])))
        if isinstance(entry, Compared):
            faces = [hand[0] for _, hand in entry.hands]
            totals = {place: tests[number][place] + face for place, face in zip(places, faces, strict=True)}
            lines.append(
                Rolled(
                    entry.label.capitalize(),
                    [
                        Die(face, f"{tests[number][place]:+d} = {totals[place]}", SIDES)
                        for place, face in zip(places, faces, strict=True)
                    ],
                )
            )
            places = [place for place in places if totals[place] == max(totals.values())]
    return lines


def _entry(entry: Entry) -> tuple[str, list[Die]]:
    if isinstance(entry, Thrown) and entry.waves:
        words = _ATTACK if entry.label == "attack" else _TEST
        head = _HEADS.get(entry.label, entry.label.capitalize())
        return head, [
            Die(face, words.get(word, word), SIDES, _VERDICTS.get(word, ""))
            for wave in entry.words()
            for face, word in wave
        ]
    if isinstance(entry, Compared):
        return entry.label.capitalize(), [Die(face, "", SIDES) for _, hand in entry.hands for face in hand]
    if isinstance(entry, Shown):
        return entry.label.capitalize(), [Die(entry.face, "", entry.sides)]
    return "", []


# ------------------------------------------------------------------------------------------- reasons


def reason(part: Modifier) -> str:
    """Return one modifier with its reason and rule."""
    return f"{part.amount:+d} {part.reason}{f' {part.rule}' if part.rule else ''}"


def sum_lines(name: str, base: int, parts: Sequence[Modifier]) -> list[str]:
    """Return a value, everything that changes it with its reason, and what it comes to."""
    after = base + sum(part.amount for part in parts)
    return [f"{name} {base}", *(reason(part) for part in parts), *([f"= {after}"] if parts else [])]


def short_sum(name: str, base: int, parts: Sequence[Modifier]) -> str:
    """Return a value with the sum of its modifiers: RC 8 +2."""
    by = sum(part.amount for part in parts)
    return f"{name} {base}{f' {by:+d}' if by else ''}"


# ------------------------------------------------------------------------------------------- chances


def chance_lines(odds: Odds[int], names: Sequence[str]) -> list[str]:
    """Return the chances of 0, 1, 2 ... as bars; the last name is for that many or more.

    Impossible results are left out, except the first and the last.
    """
    last = len(names) - 1
    chances = [odds.chance(lambda got, v=value: got == v) for value in range(last)]  # type: ignore[misc]
    rows = list(zip(names, [*chances, odds.chance(lambda got: got >= last)], strict=True))
    return bars([row for place, row in enumerate(rows) if row[1] or place in (0, last)])


def wound_names(model: Model) -> list[str]:
    """Return names for numbers of wounds of a model, the last of which removes it."""
    wounds_left = max(1, model.wounds_left)
    end = "wrecked" if model.vehicle else "out"
    last = f"{end} ({wounds_left}+)" if wounds_left > 1 else end
    return ["no wound", *(times(count, "wound") for count in range(1, wounds_left)), last]


LD_TESTS = ("leadership", "avoid")
"""The labels of LD tests that a rule makes on the way to something else."""


def cast_of_attack(attacker: str, target: str, weapon: str) -> Cast:
    """Return who throws in an attack: the attacker its weapon, the target its armour and systems."""

    def of(throw: Throw) -> Whose:
        if throw.label.startswith("armour"):
            return Whose(target, "armour", f"against {possessive(attacker)} {weapon}")
        if throw.label == "attack":
            return Whose(attacker, weapon, f"at {target}")
        return Whose(target, throw.label, f"after a hit from {possessive(attacker)} {weapon}")

    return of


def endured(model: str, cause: str, test: str = "") -> Cast:
    """Return who throws if something happens to one model: its LD test, its armour and its systems.

    cause: what its armour is thrown against; test: what its LD test is for.
    """

    def of(throw: Throw) -> Whose:
        if throw.label in LD_TESTS:
            return Whose(model, "LD test", test)
        return Whose(model, throw.label, f"against {cause}")

    return of


def cast_of_template(
    attacker: str, weapon: str, aimed_at: str, models: Sequence[str], place: int = 0
) -> Cast:
    """Return who throws when a template lands: the attacker, then everyone under it in order.

    place: how many throws of the attacker come before the first save.
    """
    saves = [Whose(name, "armour", f"against {possessive(attacker)} {weapon}") for name in models]

    def of(throw: Throw) -> Whose:
        if throw.label == "armour":
            return counted(*([saves[0]] * place), *saves)(throw)
        if throw.label == "attack":
            return Whose(attacker, weapon, f"at {aimed_at}")
        return Whose(attacker, f"deviation {throw.label}", f"({weapon} at {aimed_at})")

    return of


def contested(bases: Sequence[int], casts: Sequence[Whose]) -> Cast:
    """Return who throws in a contest of totals: everyone, then those who tie for the highest.

    bases: what each adds to its die; both in the order in which the rule has them.
    """

    def of(throw: Throw) -> Whose:
        places = list(range(len(bases)))
        for entry in throw.before:
            if isinstance(entry, Compared):
                placed_hands = zip(places, entry.hands, strict=True)
                totals = {place: bases[place] + faces[0] for place, (_, faces) in placed_hands}
                places = [place for place in places if totals[place] == max(totals.values())]
        return casts[places[throw.hand]]

    return of


def opposed(model_name: str, foes: Sequence[str]) -> Cast:
    """Return who throws when one model opposes several in turn: it and the current foe."""

    def of(throw: Throw) -> Whose:
        tests = [
            entry for entry in throw.before if isinstance(entry, Heading) and entry.label == "opposition"
        ]
        foe = foes[min(max(0, len(tests) - 1), len(foes) - 1)]
        if throw.hand == 0:
            return Whose(model_name, "attempt to break away", f"from {foe}")
        return Whose(foe, "attempt to hold", model_name)

    return of
