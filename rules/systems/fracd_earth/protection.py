"""Protection and Resistance Checks: the TN, the Severity column, the Effects Table, damage.

Owns what follows a hit. The Check itself is drawn through `checks` (or solved through `chances`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.counters import CounterName
from rules.effects import Count, Effect, Gain, Harm, Leave
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.checks import CheckResult
from rules.systems.fracd_earth.deck import Prepared, prepare
from rules.systems.fracd_earth.modifiers import general_modifiers
from rules.systems.fracd_earth.movement import Cover, protection_mark
from rules.systems.fracd_earth.outcomes import AttackResult
from rules.systems.fracd_earth.profile import STUNNED, Figure
from rules.systems.fracd_earth.settings import Settings
from rules.systems.fracd_earth.weapons import SEVERITIES, Severity, Weapon, severity_column

BASE_TN = 10
OUT_OF_ACTION = "out of action"
SECOND_DAMAGE = CounterName("second_damage")


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit to be resisted.

    `column_shifts` are those of the attack with their reasons (-1 after a partial hit, +1 Abuse ...) and of
    the target's armour; `effect_shifts` are row shifts. `second_track`: damage goes to the second track.
    """

    force: int
    severity: Severity | None
    column_shifts: tuple[Modifier, ...] = ()
    effect_shifts: int = 0
    second_track: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.force <= 40:
            raise InvalidInput(f"Force must be between 1 and 40 (you entered {self.force}).")
        if not -4 <= self.effect_shifts <= 10:
            raise InvalidInput("Effect shifts must be between -4 and 10.")


@dataclass(frozen=True, slots=True)
class Harmed:
    """The effect of a hit. `avoided`: nothing. `applies`: an All or Nothing effect takes hold.

    Otherwise `level` (row) and `column` of the Effects Table give `damage` and `conditions`. `overkill` marks
    a Henchman's or Minion's failure. `house`: the figures are not the publisher's.
    """

    avoided: bool = False
    applies: bool = False
    level: int = 0
    column: Severity | None = None
    damage: int = 0
    conditions: tuple[tuple[str, int], ...] = ()
    overkill: bool = False
    house: bool = False


def hit_of(
    weapon: Weapon,
    attack: AttackResult,
    *,
    abuse: int = 0,
    armour: int = 0,
    effect_shifts: int = 0,
    second_track: bool = False,
    group: int = 0,
) -> Hit:
    """Return a hit of an attack that was won.

    abuse: columns to the right bought with Edges, 0 to 2. armour: columns to the left by the target's armour
    or abilities, 0 to 4. effect_shifts: rows, such as that of a Focused attack. group: columns to the right
    by which the best weapon of a group shifts more than this one. Raises InvalidInput for an attack that
    missed. Rules: FE-PRO-03, FE-PRO-04, FE-OUT-01, FE-OUT-10, FE-TEAM-03.
    """
    if not attack.hit:
        raise InvalidInput("That attack missed, so there is no hit to resolve.")
    if not 0 <= abuse <= 2 or not 0 <= armour <= 4:
        raise InvalidInput("Abuse can shift up to 2 columns, and armour up to 4.")
    shifts = (
        Modifier(attack.column_shift, "partial hit", "FE-OUT-01"),
        Modifier(abuse, "abuse", "FE-OUT-10"),
        Modifier(weapon.column_shift, "ability", "FE-PRO-03"),
        Modifier(group, "best of the group", "FE-TEAM-03"),
        Modifier(-armour, "armour", "FE-PRO-03"),
    )
    named = tuple(shift for shift in shifts if shift.amount)
    return Hit(weapon.force, weapon.severity, named, effect_shifts, second_track)


def target_number(force: int) -> int:
    """Return the TN of the Check: 10 + Force, 1 to 40. Raises InvalidInput. Rules: FE-PRO-01."""
    if not 1 <= force <= 40:
        raise InvalidInput(f"Force must be between 1 and 40 (you entered {force}).")
    return BASE_TN + force


def prepare_check(
    target: Figure,
    weapon: Weapon,
    settings: Settings,
    *,
    cover: Cover = "none",
    ducked: bool = False,
    marks: int = 0,
) -> Prepared:
    """Return the target's cards and trait with every reason: armour or Attribute, Hard Cover, marks.

    cover: against this attack; ducked: an Edge of an avoidance paid for hard cover, which counts once with
    other Hard Cover. Rules: FE-PRO-01, FE-PRO-02, FE-WPN-03, FE-AOE-12, FE-CMB-02.
    """
    modifiers = general_modifiers(target, weapon.versus, settings)
    if weapon.by_armour:
        modifiers = modifiers.plus(protection_mark("hard" if ducked else cover))
    modifiers = modifiers.plus(Modifier(marks, "group", "FE-TEAM-03"))
    return prepare(modifiers.marks, modifiers.points, settings)


def is_all_or_nothing(target: Figure, hit: Hit) -> bool:
    """Return whether the Check must exceed its TN: Henchmen, Minions, effects without a column.

    Rules: FE-CREW-01, FE-CREW-02, FE-PRO-08, FE-WPN-02.
    """
    return target.profile.rank != "figure" or hit.severity is None


def level_of(failure_margin: int, shifts: int, settings: Settings) -> int:
    """Return the Level (row): 1, and one for each full step of the Margin of Failure and shift, within the
    table.

    Rules: FE-PRO-04, FE-PRO-06.
    """
    table = settings.effects
    return min(table.levels, max(1, 1 + failure_margin // table.margin_per_level + shifts))


def harm(result: CheckResult, hit: Hit, target: Figure, settings: Settings) -> Harmed:
    """Return the effect of the hit after its Check.

    Above the TN nothing; equal to it the effect one column further left; below it by the Effects Table.
    Rules: FE-PRO-01, FE-PRO-03, FE-PRO-04, FE-PRO-05, FE-PRO-06, FE-PRO-08, FE-CREW-01, FE-CREW-02.
    """
    if result.margin > 0:
        return Harmed(avoided=True)
    strict = is_all_or_nothing(target, hit)
    if hit.severity is None:
        return Harmed(applies=True, overkill=target.profile.rank != "figure")
    row = hit.effect_shifts if settings.effect_shift == "row" else 0
    shifts = sum(shift.amount for shift in hit.column_shifts)
    shifts += hit.effect_shifts - row
    shifts -= 1 if result.margin == 0 and not strict else 0
    column = severity_column(hit.severity, shifts, clamp=settings.vl_underflow == "clamp")
    if column is None:
        return Harmed(avoided=True)
    if target.profile.rank != "figure":
        return _from_table(settings.effects.levels, column, settings, overkill=True)
    return _from_table(level_of(result.failure_margin, row, settings), column, settings)


def _from_table(level: int, column: Severity, settings: Settings, *, overkill: bool = False) -> Harmed:
    table, place = settings.effects, SEVERITIES.index(column)
    conditions = table.conditions[level - 1][place]
    if overkill and (STUNNED, 0) not in conditions:
        conditions = (*conditions, (STUNNED, 0))
    return Harmed(
        level=level,
        column=column,
        damage=table.damage[level - 1][place],
        conditions=conditions,
        overkill=overkill,
        house=table.house,
    )


def after_harm(
    target: Figure, harmed: Harmed, *, second_track: bool = False, source: str = ""
) -> tuple[Effect, ...]:
    """Return the effects on the game: points lost, conditions, Out of Action at 0 points or less.

    Rules: FE-PRO-06, FE-PRO-07.
    """
    effects: list[Effect] = []
    profile = target.profile
    if harmed.damage and second_track and profile.second_capacity:
        effects.append(Count("model", target.id, SECOND_DAMAGE, harmed.damage))
        capacity_left = profile.second_capacity - target.second_damage - harmed.damage
    else:
        effects += [Harm(target.id, harmed.damage)] if harmed.damage else []
        capacity_left = profile.capacity - target.damage - harmed.damage
    effects += [Gain(target.id, kind, grade, source=source) for kind, grade in harmed.conditions]
    if harmed.damage and capacity_left <= 0:
        effects.append(Leave(target.id, OUT_OF_ACTION))
    return tuple(effects)


Kind = Literal["protection", "resistance"]


def kind_of_check(weapon: Weapon) -> Kind:
    """Return Protection for armour, Resistance for an Attribute. Rules: FE-WPN-03."""
    return "protection" if weapon.by_armour else "resistance"
