"""Words for results: modifiers and their reasons, whose dice are thrown, what a roll is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from bot.replies.chances import bars, percent
from bot.replies.reply import Die as DieShown
from bot.replies.reply import Rolled, Verdict
from bot.table.luck.outcome_values import register_value, register_wounds
from bot.table.steps import Hurt
from bot.table.throw_purposes import Cast, Throw, Whose, cast_of, each
from rules.dice import Compared, Die, Entry, Heading, Odds, Part, Shown, Thrown, add_up
from rules.modifiers import Modifier
from rules.systems.counterblast.core import checks
from rules.systems.counterblast.core.checks import CheckResult, PreparedCheck
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import PreparedImpact
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.panic import PanicResult
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.bouts import fight, fight_wounds, melee
from rules.systems.counterblast.melee.engagement import disengage, free_attacks
from rules.systems.counterblast.shooting.shots import (
    shot,
    shot_into_melee,
    shot_wounds,
    volley,
    volley_into_melee,
)
from rules.systems.counterblast.shooting.special_attacks import GOO
from rules.systems.counterblast.shooting.templates import blast, engulf_wounds, line, wounds_on_line
from rules.wording import possessive, times

LOWER = "lower of two"
"""How the label of two dice ends of which the lower counts."""

QUIET = frozenset({Condition.ACTIVE})
"""Conditions that a summary does not mention."""


def life_words(model: Fighter) -> str:
    """Return what is left of a model's Life: 1 Life left, down, or nothing while it is whole."""
    if model.is_down:
        return "down"
    return f"{model.profile.life - model.damage} Life left" if model.damage else ""


def summary(model: Fighter) -> str:
    """Return a model in one line."""
    marks = [life_words(model)] if model.damage else []
    kinds = {kind for kind, _ in model.conditions if kind not in QUIET}
    marks += sorted(kinds | {Condition.ENGAGED} if model.is_engaged else kinds)
    name = f"{model.name}{' (leader)' if model.leader else ''}"
    return f"{name}: {', '.join(marks)}" if marks else name


def dice_words(prepared: PreparedCheck, ability: str) -> str:
    """Return a check's dice as a player reads them: AGL 2D+3 vs 8."""
    pool = prepared.throw
    dice = f"{pool.pool}D" if pool.pool > 0 else "lower of 2D, "
    return f"{ability} {dice}{pool.modifier:+d} vs {pool.target}"


def face_lines(trace: Iterable[Entry], label: str) -> list[str]:
    """Return the faces thrown under a label, each with what it came to."""
    lines: list[str] = []
    for entry in trace:
        if isinstance(entry, Thrown) and entry.waves and entry.label.startswith(label):
            first, *bonus = _build_throw(entry)
            lines += [first.partition(": ")[2], *bonus]
        elif isinstance(entry, Compared) and entry.label.startswith(label):
            lines.append(_build_comparison(entry).partition(": ")[2])
    return lines


def trace_lines(trace: Iterable[Entry], names: Sequence[str] = ()) -> list[str]:
    """Return every throw of a roll, one line for each wave of dice.

    names: whose dice they are, one for each sub-rule on the uppermost level, in order; one that throws
    nothing is not named.
    """
    lines = []
    owners = iter(names)
    owner: list[str] = []
    for entry in trace:
        entry_lines: Sequence[str] = []
        if isinstance(entry, Heading) and not entry.depth:
            owner = [f"{name}:" for name in islice(owners, 1)]
        elif isinstance(entry, Thrown) and entry.waves:
            entry_lines = _build_throw(entry)
        elif isinstance(entry, Compared):
            entry_lines = [_build_comparison(entry)]
        elif isinstance(entry, Shown):
            entry_lines = [Rolled(entry.label, [DieShown(entry.face, f"(d{entry.sides})", entry.sides)])]
        if entry_lines:
            lines += [*owner, *entry_lines]
            owner = []
    return lines


def _build_comparison(entry: Compared) -> Rolled:
    faces = [face for _, hand in entry.hands for face in hand]
    note = f"the {min(faces)} counts" if entry.label.endswith(LOWER) else ""
    return Rolled(entry.label, [DieShown(face, "", 10) for face in faces], note)


def _build_throw(entry: Thrown) -> list[Rolled]:
    return [
        Rolled("bonus" if number else entry.label, [_build_die(face, word, entry.die) for face, word in wave])
        for number, wave in enumerate(entry.words())
    ]


_VERDICTS: Mapping[str, Verdict] = {
    "natural 10": "best",
    "critical success": "best",
    "success": "hit",
    "stops": "hit",
    "miss": "miss",
    "fails": "miss",
    "natural 1": "miss",
}


def _build_die(face: int, word: str, die: Die) -> DieShown:
    shift_text = f"-> {face + die.shift} " if die.shift else ""
    result_text = f"({word})" if word in ("natural 1", "natural 10") else f"{shift_text}{word}"
    return DieShown(face, result_text, len(die.facets), _VERDICTS.get(word, ""))


def reasons(title: str, parts: Sequence[Modifier]) -> list[str]:
    """Return the modifiers with their reasons and rules, under a title; nothing where there are none."""
    return [f"{title}:", *(reason(part) for part in parts)] if parts else []


def reason(part: Modifier) -> str:
    """Return one modifier with its reason and rule."""
    rule = f" {part.rule}" if part.rule else ""
    return f"{part.amount:+d} {part.reason}{rule}"


def why_check(prepared: PreparedCheck, title: str) -> list[str]:
    """Return everything that made a check."""
    return [
        title,
        *reasons("Dice", prepared.dice),
        *reasons("Advantage", [edge for edge in prepared.edges if edge.amount > 0]),
        *reasons("Disadvantage", [edge for edge in prepared.edges if edge.amount < 0]),
        *reasons("Each die", prepared.modifiers),
        *reasons("Target", prepared.targets),
        *(
            ["One failed die is rolled again because of the Extraction Tool. CB-GEAR-33"]
            if prepared.throw.second_try
            else []
        ),
        *prepared.faces.reasons,
    ]


def why_impact(impact: PreparedImpact) -> list[str]:
    """Explain the effect of hits, and every shield die."""
    power = impact.impact.power
    lines = [f"Power {power}, damage {impact.impact.damage}" if power is not None else "Shields don't help"]
    tough = (
        ["Each remaining wound is ignored on a 7+ because of Tough. CB-FEAT-59"]
        if impact.impact.tough
        else []
    )
    shields = reasons("Shield dice", impact.shields)
    damage = reasons("Damage", impact.damage)
    return [*lines, *shields, *tough, *damage, *reasons("Damage from critical successes", impact.criticals)]


def chance_lines(odds: Odds[int], names: Sequence[str]) -> list[str]:
    """Return the chances of 0, 1, 2 ... as bars; the last name is for that many or more."""
    last = len(names) - 1
    chances = [odds.chance(lambda got, v=value: got == v) for value in range(last)]  # type: ignore[misc]
    return bars(list(zip(names, [*chances, odds.chance(lambda got: got >= last)], strict=True)))


def effect_word(weapon: Weapon) -> str:
    """Return the effect of a weapon without damage; "" for one that wounds.

    Rules: CB-FEAT-49, CB-WEAP-29, CB-FEAT-25.
    """
    if weapon.damage:
        return ""
    if weapon.key == GOO.key:
        return "pinned"
    return "drained" if weapon.has_effect("emp") else "stunned"


def wound_odds(odds: Odds[int], life: int, last: str = "goes down") -> list[str]:
    """Return the chances of every number of wounds, as bars. last: what as many as its Life mean."""
    names = ["no wound", *(times(count, "wound") for count in range(1, life)), f"{last} ({life}+)"]
    return chance_lines(odds, names)


def harm_lines(odds: Odds[int], weapon: Weapon, target: Fighter) -> list[str]:
    """Return the chances of every number of wounds, or of what the weapon does instead, as bars."""
    effect, life = effect_word(weapon), max(1, target.life_left)
    if effect:
        return chance_lines(odds, [f"not {effect}", effect])
    return wound_odds(odds, life)


def find_worst(odds: Odds[int], weapon: Weapon, target: Fighter) -> tuple[str, float]:
    """Return the worst that a weapon does to a model, going down or what it does instead, with its chance."""
    effect, life = effect_word(weapon), max(1, target.life_left)
    min_wounds = 1 if effect else life
    return effect or "goes down", odds.chance(lambda got: got >= min_wounds)


def worst_words(odds: Odds[int], weapon: Weapon, target: Fighter) -> str:
    """Return the same in words."""
    word, chance = find_worst(odds, weapon, target)
    return f"{word} {percent(chance).strip()}"


def hurt(odds: Odds[int], weapon: Weapon, target: Fighter) -> Hurt:
    """Return the harm of so many wounds; a weapon with another effect wounds no one."""
    if effect_word(weapon):
        return Hurt(target.id, 0.0, 0.0)
    life = max(1, target.life_left)
    return Hurt(target.id, odds.chance(lambda got: got >= life), odds.mean(lambda got: min(got, life)))


def hurt_words(odds: Odds[int], target: Fighter, weapon: Weapon | None = None) -> str:
    """Return the chance that wounds hurt a model and that they take it down, or of a weapon's effect."""
    if weapon is not None and effect_word(weapon):
        return worst_words(odds, weapon, target)
    life = max(1, target.life_left)
    fall_chance = odds.chance(lambda wounds: wounds >= life)
    return f"hurt {percent(odds.chance(bool)).strip()}, down {percent(fall_chance).strip()}"


def power_title(key: str) -> str:
    """Return the title of a power: Calm, for both ways of using it."""
    return load().power_uses(key)[0].name.partition(" (")[0]


SAVE_LABELS = ("shield", "tough")
"""How the labels of dice begin that stop wounds."""


def at(striker: str, struck: str, beside: str = "", attack: Cast | None = None) -> Cast:
    """Return who throws in an attack: the striker attack and damage, the target defence and shields.

    beside: the friend whom stray dice may hit, who throws the shields against them. attack: for the first
    dice, where they are more than its attack. Rules: CB-SHOOT-10.
    """

    def owner(throw: Throw) -> Whose:
        label = _strip_label(throw.label)
        if label in SAVE_LABELS:
            return Whose(beside if _has_strayed(throw.before) else struck, label, f"against {striker}")
        if label == "defence":
            return Whose(struck, label, f"against {striker}")
        if label == "escape":
            return Whose(struck, label, f"from {possessive(striker)} attack")
        if label == "stray":
            return Whose(striker, "misses", f"that may hit {beside}")
        return attack(throw) if attack and label == "attack" else Whose(striker, label, f"at {struck}")

    return owner


def cast_automatic_hit(struck: str, source: str) -> Cast:
    """Return who throws for an automatic hit: the model that it hits, against its source."""

    def owner(throw: Throw) -> Whose:
        label = _strip_label(throw.label)
        return Whose(struck, label, f"against {source}" if label in SAVE_LABELS else f"from {source}")

    return owner


def cast_crash(mover: str, struck: Sequence[str], what: str) -> Cast:
    """Return who throws when one falls or runs into others: first its dice, then those of each it hits."""
    first = Whose(mover, "damage", f"from the {what}")
    return each(first, *(Whose(name, "damage", f"from {possessive(mover)} {what}") for name in struck))


def cast_by_label(first: Whose | Cast, **others: Whose | Cast) -> Cast:
    """Return one cast for each label of the rule; the first for those that are not named."""

    def owner(throw: Throw) -> Whose:
        return cast_of(others.get(_strip_label(throw.label).replace(" ", "_"), first))(throw)

    return owner


def cast_together(what: str, against: str, throws: Sequence[checks.Throw], names: Sequence[str]) -> Cast:
    """Return who throws in a joint check: models with equal dice throw them together.

    throws and names: of each who takes part, in order. Rules: CB-ACT-08.
    """
    dice = [checks.build_plain_die(throw) for throw in throws]

    def owner(throw: Throw) -> Whose:
        same_die = [_die_key(throw.die) == _die_key(die) for die in dice]
        places = [place for place, matches in enumerate(same_die) if matches] or range(len(names))
        pools = [f"{names[place]} {throws[place].pool}" for place in places]
        throwers = " and ".join(names[place] for place in places)
        shares = ", ".join(pools) if len(pools) > 1 and not throw.wave else ""
        return Whose(throwers, what, against, bound=" and ".join(names), shares=shares)

    return owner


def _die_key(die: Die | None) -> tuple[int, list[str]]:
    return (die.shift, [facet.word for facet in die.facets]) if die else (0, [])


def one_by_one(what: str, against: str, names: Sequence[str]) -> Cast:
    """Return who throws in a joint check in which each throws separately, in turn. Rules: CB-SHOOT-10."""

    def owner(throw: Throw) -> Whose:
        groups_begun = sum(
            isinstance(entry, Heading) and entry.label.strip() == "together" for entry in throw.before
        )
        return Whose(names[max(0, groups_begun - 1)], what, against)

    return owner


def cast_roll_off(names: Sequence[str], what: str, against: str) -> Cast:
    """Return who throws in a roll-off: those who tie throw again in their group, higher ones first."""

    def owner(throw: Throw) -> Whose:
        groups = [list(range(len(names)))]
        for entry in throw.before:
            if isinstance(entry, Compared):
                die_of = dict(zip(groups.pop(0), (faces[0] for _, faces in entry.hands), strict=True))
                equal = [[name for name in die_of if die_of[name] == face] for face in set(die_of.values())]
                groups[:0] = sorted(
                    (tied for tied in equal if len(tied) > 1), key=lambda tied: -die_of[tied[0]]
                )
        if throw.label != "roll-off":
            return Whose(" and ".join(names), throw.label, against)
        return Whose(names[groups[0][throw.hand]], what, against)

    return owner


def _strip_label(label: str) -> str:
    """Return the label without how it is thrown: attack of "attack, lower of two"."""
    return label.partition(",")[0]


def _has_strayed(earlier: Sequence[Entry]) -> bool:
    return any(isinstance(entry, Thrown | Compared) and entry.label.startswith("stray") for entry in earlier)


WOUND_CAP = 1_000
"""Wounds up to which they are told apart: more than any throw comes to."""


def _build_sum_query(
    rule: Callable[..., int], items: tuple[Any, ...], *more: Any
) -> tuple[Any, tuple[Part, ...]]:
    return add_up, tuple((1, 1, rule, (item, *more)) for item in items)


register_wounds(shot, lambda fell: fell.suffered.through)
register_wounds(
    volley,
    lambda fell: sum(one.suffered.through for one in fell),
    query=lambda shots: _build_sum_query(shot_wounds, shots),
)
register_wounds(
    volley_into_melee,
    lambda fell: sum(one.suffered.through for one, _ in fell),
    value_of=lambda fell: sum(one.suffered.through - beside.through for one, beside in fell),
)
register_wounds(
    shot_into_melee, lambda fell: fell[0].through, value_of=lambda fell: fell[0].through - fell[1].through
)
register_wounds(fight, lambda fell: fell.through)
register_wounds(
    melee,
    lambda fell: sum(one.through for one in fell),
    query=lambda bouts: _build_sum_query(fight_wounds, bouts),
)
register_wounds(
    blast,
    lambda fell: sum(one.through for one in fell),
    query=lambda victims: _build_sum_query(engulf_wounds, victims, WOUND_CAP),
)
register_wounds(
    line,
    lambda fell: sum(one.through for one in fell),
    query=lambda victims: (wounds_on_line, (victims, WOUND_CAP)),
)
register_value(
    disengage,
    lambda lost: -sum(lost),
    lambda leaver, enemies: (add_up, ((1, -1, free_attacks, (leaver, enemies)),)),
)
register_value(CheckResult, lambda result: result.net)
register_value(PanicResult, lambda result: not result.panicked)
