"""How results are told: faces with what they came to, whose dice are to be thrown, reasons on request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.replies.chances import bars
from bot.replies.reply import Die, Rolled, Verdict
from bot.table.throw_purposes import Cast, Throw, Whose, counted
from rules.dice import Compared, Entry, Heading, Odds, Shown, Thrown
from rules.modifiers import Modifier
from rules.systems.warzone.model import SYSTEM_HITS, Condition, Model
from rules.systems.warzone.vehicles import LOCATIONS
from rules.wording import possessive, times

UNMENTIONED_CONDITIONS = frozenset({Condition.MOVED, Condition.CHARGED, Condition.LEADING})
"""Conditions that a summary does not mention."""

_CONDITIONS_WITH_VALUE = frozenset({Condition.WAITING, Condition.IN_DIRE})
"""Conditions whose value is told."""

_ATTACK_WORDS = {
    "success": "hit",
    "failure": "miss",
    "critical success": "hit (natural 1)",
    "critical failure": "miss (fumble)",
}
_TEST_WORDS = {
    "success": "passed",
    "failure": "failed",
    "critical success": "passed (natural 1)",
    "critical failure": "failed (natural 20)",
}
DIE_SIDES = 20
_VERDICTS: Mapping[str, Verdict] = {
    "success": "hit",
    "failure": "miss",
    "critical success": "best",
    "critical failure": "miss",
    "saved": "hit",
    "wound": "miss",
}
_HEADINGS = {"deviation": "Deviation", "armour, critical": "Armour, critical hit"}


def format_condition(kind: str) -> str:
    """Return a condition as players read it."""
    return kind.replace("_", " ")


def list_states(model: Model) -> list[str]:
    """Return the nerves, what is broken, and everything else it is under, apart from its wounds."""
    states = [
        format_condition(kind) + (f" {value}" if value > 1 and kind in _CONDITIONS_WITH_VALUE else "")
        for kind, value in sorted(model.conditions)
        if kind not in UNMENTIONED_CONDITIONS
    ]
    states += [
        f"{location} x{model.count(SYSTEM_HITS.of(location))}"
        for location in LOCATIONS
        if model.count(SYSTEM_HITS.of(location))
    ]
    return states


def summarise(model: Model, *, is_leader: bool = False) -> str:
    """Return a model in one line."""
    wounds = [f"{model.damage} of {model.profile.wd} wounds taken"] if model.damage else []
    states = wounds + list_states(model)
    name = f"{model.name}{' (leader)' if is_leader else ''}"
    return f"{name}: {', '.join(states)}" if states else name


# ------------------------------------------------------------------------------------------- dice


def describe_throws(trace: Iterable[Entry]) -> list[str]:
    """Return every throw of a roll; throws of one kind that follow one another share a line."""
    lines: list[Rolled] = []
    last_heading = ""
    for entry in trace:
        heading, dice = _read_entry(entry)
        if not heading:
            continue
        if heading == last_heading and isinstance(entry, Thrown):
            lines[-1] = Rolled(heading, [*lines[-1].dice, *dice])
        else:
            lines.append(Rolled(heading, dice))
        last_heading = heading
    return list(lines)


def describe_contests(trace: Iterable[Entry], contest_bases: Sequence[Sequence[int]]) -> list[str]:
    """Return contests of totals, each die with what is added to it; ties for the highest rolled again.

    contest_bases: what everyone in each contest adds to the die, in the order of the rule. Rules: WZ-TEST-05.
    """
    lines: list[str] = []
    has_begun, contest_index = False, 0
    places = list(range(len(contest_bases[0])))
    for entry in trace:
        if isinstance(entry, Heading) and entry.label == "opposition":
            has_begun, contest_index = True, contest_index + has_begun
            places = list(range(len(contest_bases[contest_index])))
        if isinstance(entry, Compared):
            faces = [hand[0] for _, hand in entry.hands]
            totals = {
                place: contest_bases[contest_index][place] + face
                for place, face in zip(places, faces, strict=True)
            }
            lines.append(
                Rolled(
                    entry.label.capitalize(),
                    [
                        Die(face, f"{contest_bases[contest_index][place]:+d} = {totals[place]}", DIE_SIDES)
                        for place, face in zip(places, faces, strict=True)
                    ],
                )
            )
            places = [place for place in places if totals[place] == max(totals.values())]
    return lines


def _read_entry(entry: Entry) -> tuple[str, list[Die]]:
    if isinstance(entry, Thrown) and entry.waves:
        words = _ATTACK_WORDS if entry.label == "attack" else _TEST_WORDS
        heading = _HEADINGS.get(entry.label, entry.label.capitalize())
        return heading, [
            Die(face, words.get(word, word), DIE_SIDES, _VERDICTS.get(word, ""))
            for wave in entry.words()
            for face, word in wave
        ]
    if isinstance(entry, Compared):
        return entry.label.capitalize(), [
            Die(face, "", DIE_SIDES) for _, hand in entry.hands for face in hand
        ]
    if isinstance(entry, Shown):
        return entry.label.capitalize(), [Die(entry.face, "", entry.sides)]
    return "", []


# ------------------------------------------------------------------------------------------- reasons


def format_modifier(part: Modifier) -> str:
    """Return one modifier with its reason and rule."""
    return f"{part.amount:+d} {part.reason}{f' {part.rule}' if part.rule else ''}"


def describe_sum(name: str, base: int, parts: Sequence[Modifier]) -> list[str]:
    """Return a value, everything that changes it with its reason, and what it comes to."""
    result_value = base + sum(part.amount for part in parts)
    return [
        f"{name} {base}",
        *(format_modifier(part) for part in parts),
        *([f"= {result_value}"] if parts else []),
    ]


def format_short_sum(name: str, base: int, parts: Sequence[Modifier]) -> str:
    """Return a value with the sum of its modifiers: RC 8 +2."""
    modifier_total = sum(part.amount for part in parts)
    return f"{name} {base}{f' {modifier_total:+d}' if modifier_total else ''}"


# ------------------------------------------------------------------------------------------- chances


def build_chance_bars(odds: Odds[int], names: Sequence[str]) -> list[str]:
    """Return the chances of 0, 1, 2 ... as bars; the last name is for that many or more.

    Impossible results are left out, except the first and the last.
    """
    end_index = len(names) - 1
    chances = [odds.chance(lambda got, v=value: got == v) for value in range(end_index)]  # type: ignore[misc]
    rows = list(zip(names, [*chances, odds.chance(lambda got: got >= end_index)], strict=True))
    return bars([row for place, row in enumerate(rows) if row[1] or place in (0, end_index)])


def name_wounds(model: Model) -> list[str]:
    """Return names for numbers of wounds of a model, the last of which removes it."""
    wounds_left = max(1, model.wounds_left)
    removal_word = "wrecked" if model.vehicle else "out"
    last_name = f"{removal_word} ({wounds_left}+)" if wounds_left > 1 else removal_word
    return ["no wound", *(times(count, "wound") for count in range(1, wounds_left)), last_name]


LD_TESTS = ("leadership", "avoid")
"""The labels of LD tests that a rule makes on the way to something else."""


def find_attack_thrower(attacker: str, target: str, weapon: str) -> Cast:
    """Return who throws in an attack: the attacker its weapon, the target its armour and systems."""

    def of(throw: Throw) -> Whose:
        if throw.label.startswith("armour"):
            return Whose(target, "armour", f"against {possessive(attacker)} {weapon}")
        if throw.label == "attack":
            return Whose(attacker, weapon, f"at {target}")
        return Whose(target, throw.label, f"after a hit from {possessive(attacker)} {weapon}")

    return of


def find_sufferer_throws(model: str, cause: str, test_text: str = "") -> Cast:
    """Return who throws if something happens to one model: its LD test, its armour and its systems.

    cause: what its armour is thrown against; test_text: what its LD test is for.
    """

    def of(throw: Throw) -> Whose:
        if throw.label in LD_TESTS:
            return Whose(model, "LD test", test_text)
        return Whose(model, throw.label, f"against {cause}")

    return of


def find_template_thrower(
    attacker: str, weapon: str, aimed_at: str, models: Sequence[str], attacker_throws: int = 0
) -> Cast:
    """Return who throws when a template lands: the attacker, then everyone under it in order.

    attacker_throws: how many throws of the attacker come before the first save.
    """
    save_throwers = [Whose(name, "armour", f"against {possessive(attacker)} {weapon}") for name in models]

    def of(throw: Throw) -> Whose:
        if throw.label == "armour":
            return counted(*([save_throwers[0]] * attacker_throws), *save_throwers)(throw)
        if throw.label == "attack":
            return Whose(attacker, weapon, f"at {aimed_at}")
        return Whose(attacker, f"deviation {throw.label}", f"({weapon} at {aimed_at})")

    return of


def find_contest_thrower(bases: Sequence[int], throwers: Sequence[Whose]) -> Cast:
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
        return throwers[places[throw.hand]]

    return of


def find_opposed_thrower(model_name: str, foes: Sequence[str]) -> Cast:
    """Return who throws when one model opposes several in turn: it and the current foe."""

    def of(throw: Throw) -> Whose:
        past_tests = [
            entry for entry in throw.before if isinstance(entry, Heading) and entry.label == "opposition"
        ]
        foe = foes[min(max(0, len(past_tests) - 1), len(foes) - 1)]
        if throw.hand == 0:
            return Whose(model_name, "attempt to break away", f"from {foe}")
        return Whose(foe, "attempt to hold", model_name)

    return of
