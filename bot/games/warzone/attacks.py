"""Shared parts of attacks: their steps, their effects on models and vehicles, their odds and luck."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.warzone.common import Telling, is_out, pay, settings_for
from bot.games.warzone.fear import Preconditions, describe_ld_roller, report_ld_test
from bot.games.warzone.narration import (
    build_chance_bars,
    describe_sum,
    find_attack_thrower,
    format_short_sum,
    name_wounds,
)
from bot.games.warzone.state import model_state
from bot.games.warzone.steps import DeedStart, MultiRollDeed
from bot.games.warzone.units import squad_of
from bot.replies.chances import percent
from bot.replies.reply import Button
from bot.table.act import Act, ActView
from bot.table.luck.outcome_values import register_value, register_wounds
from bot.table.steps import Chances, Hurt
from rules.dice import Odds, Thrown
from rules.effects import Effect, Propose
from rules.modifiers import Modifier
from rules.systems.warzone.attacks import (
    FUMBLE_MODIFIER,
    Attack,
    after_wounds,
    armour_modifiers,
    attack,
    damage_modifiers,
)
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import SYSTEM_HITS, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import dire_due, ld_limit, ld_modifiers
from rules.systems.warzone.powers import after_recognition
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.templates import template_attack, template_wounds
from rules.systems.warzone.vehicles import LOCATIONS, Hull, after_hull, attack_vehicle, hull_of
from rules.wording import ordinal, possessive, times

BROKEN_SYSTEM_EFFECTS: dict[str, tuple[str, ...]] = {
    "steering": (
        "Roll a d20 before the vehicle turns. On 11+, it can't turn.",
        "Roll a d20 before the vehicle turns. On 6+, it can't turn.",
        "The vehicle can no longer turn.",
    ),
    "weapons": ("The vehicle's shots get -3 for each hit on its weapons.",),
    "engine": ("The vehicle gets -2 MV for each hit on its engine.",),
    "transmission": (
        "The vehicle can no longer reverse. Roll a d20 before each move. On 11+, it can't move.",
        "The vehicle can no longer reverse. Roll a d20 before each move. On 6+, it can't move.",
        "The vehicle can no longer move.",
    ),
    "cascade": ("Before the vehicle acts, roll a d20 for each cascade hit. Each 11+ costs an action.",),
    "structural": ("The vehicle gets -5 AR for each structural hit.",),
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """An attack ready to be rolled or solved. title: weapon and range; stat: the value tested."""

    attacker: Model
    target: Model
    weapon: Weapon
    numbers: Attack
    title: str
    stat: str
    base: int
    modifiers: tuple[Modifier, ...]
    from_rear: bool = False
    why: tuple[str, ...] = field(default=())


def explain_attack(prepared: Prepared, act: Act) -> list[str]:
    """Return every modifier of the attack and of the save, with its reason and rule."""
    numbers, target = prepared.numbers, prepared.target
    dm_modifiers = damage_modifiers(
        prepared.weapon, prepared.attacker, target, settings_for(act), from_rear=prepared.from_rear
    )
    return [
        f"{prepared.attacker.name} at {target.name}, {prepared.title}",
        *(describe_sum(prepared.stat, prepared.base, prepared.modifiers) if not numbers.automatic else []),
        *describe_sum("DM", prepared.weapon.dm, dm_modifiers),
        *describe_sum("AR", target.profile.ar, armour_modifiers(target, settings_for(act))),
        f"The save needs {numbers.ar - numbers.dm} or less. A natural 1 always saves. WZ-DMG-01",
        *prepared.why,
    ]


def heads(prepared: Prepared) -> list[str]:
    """Return the limits of the attack and save rolls."""
    numbers = prepared.numbers
    base = format_short_sum(prepared.stat, prepared.base, prepared.modifiers)
    first_limit = numbers.limit + (FUMBLE_MODIFIER if numbers.fumbled else 0)
    needs = [f"{prepared.title}: {first_limit} or less ({base})"]
    if numbers.automatic:
        needs = [f"No attack roll is needed ({prepared.title})"]
    elif numbers.fumbled and numbers.shots > 1:
        needs.append(f"Shots after the first: {numbers.limit} or less")
    save_text = f"Save: {numbers.ar - numbers.dm} or less (AR {numbers.ar} - DM {numbers.dm})"
    return [*needs, save_text]


def describe_critical_save(numbers: Attack, criticals: int) -> list[str]:
    """Return what a save needs after a natural 1, if there was one. Rules: WZ-CRIT-01."""
    if not numbers.critical_dm or not criticals:
        return []
    save_limit = numbers.ar - numbers.dm - numbers.critical_dm
    return [f"Save after a natural 1 to hit (DM +{numbers.critical_dm}): {save_limit} or less"]


@dataclass(frozen=True, slots=True)
class Struck:
    """An attack that was rolled.

    fumbled: by its last roll. slipped: by one before that. broken: systems of a vehicle, in words; throws: of
    how many it was.
    """

    fumbled: bool
    slipped: bool
    wounds: int
    hits: int
    criticals: int
    effects: tuple[Effect, ...]
    broken: tuple[str, ...]
    throws: int


def roll_attack(act: Act, prepared: Prepared) -> Struck:
    """Roll an attack on a model or a vehicle; nothing is altered.

    Rules: WZ-RC-01, WZ-CC-01, WZ-DMG-01, WZ-DMG-04, WZ-VEH-02.
    """
    target = prepared.target
    trace_start = len(act.dice.trace)
    cast = find_attack_thrower(prepared.attacker.name, target.name, prepared.weapon.name)
    if target.vehicle:
        same_margin = settings_for(act).chain_reroll == "same_margin"
        outcome = act.roll(cast, attack_vehicle, prepared.numbers, hull_of(target), same_margin)
        hits, criticals = _count_hits(act, trace_start, prepared.numbers)
        return Struck(
            outcome.fumbled,
            _has_earlier_fumble(act, trace_start),
            target.wounds_left - outcome.hull.wounds,
            hits,
            criticals,
            tuple(after_hull(target, outcome.hull)),
            tuple(describe_broken_systems(target, outcome.hull)),
            len(act.dice.trace) - trace_start,
        )
    result = act.roll(cast, attack, prepared.numbers)
    return Struck(
        result.fumbled,
        _has_earlier_fumble(act, trace_start),
        min(result.wounds, target.wounds_left),
        result.hits,
        result.criticals,
        tuple(after_wounds(target, result.wounds)),
        (),
        len(act.dice.trace) - trace_start,
    )


def carry_out_attack(
    telling: Telling, prepared: Prepared, rolled_attack: Struck, attacker_effects: Sequence[Effect]
) -> None:
    """Describe a rolled attack and carry it out. attacker_effects: its effects on the attacker."""
    act, target = telling.act, prepared.target
    critical_needs = describe_critical_save(prepared.numbers, rolled_attack.criticals)
    *needs, save_text = heads(prepared)
    slip_needs = (
        [f"Attack roll after a fumble: {prepared.numbers.limit + FUMBLE_MODIFIER} or less"]
        if rolled_attack.slipped
        else []
    )
    lines = [
        verdict(prepared, rolled_attack.hits, rolled_attack.wounds),
        *tally(prepared.numbers, rolled_attack.hits),
    ]
    telling.lines += [*lines, *rolled_attack.broken]
    telling.thrown(*needs, *slip_needs, save_text, *critical_needs, throws=rolled_attack.throws)
    telling.why += [*explain_attack(prepared, act), *(f"{line} WZ-CRIT-01" for line in critical_needs)]
    if rolled_attack.fumbled and not prepared.numbers.automatic:
        telling.next.append(f"{prepared.attacker.name} fumbled, so its next attack gets -4.")
    telling.follow((*attacker_effects, *rolled_attack.effects), source=prepared.attacker)
    propose_dire_test(telling, prepared.attacker, target, rolled_attack.wounds)


def _count_hits(act: Act, trace_start: int, numbers: Attack) -> tuple[int, int]:
    """Return the successes and critical successes of attack rolls on a vehicle since a place in the trace.

    Its rule keeps no count of them, which would double the hulls that its odds must tell apart.
    """
    if numbers.automatic:
        return numbers.shots, 0
    grades = _list_grades(act, trace_start)
    criticals = grades.count("critical success")
    return grades.count("success") + criticals, criticals


def _has_earlier_fumble(act: Act, trace_start: int) -> bool:
    """Return whether an attack roll since a place in the trace was at -4 for a fumble just before it."""
    return "critical failure" in _list_grades(act, trace_start)[:-1]


def _list_grades(act: Act, trace_start: int) -> list[str]:
    return [
        entry.words()[0][0][1]
        for entry in act.dice.trace[trace_start:]
        if isinstance(entry, Thrown) and entry.label == "attack"
    ]


def verdict(prepared: Prepared, hits: int, wounds: int) -> str:
    """Return the line that reports the result."""
    attacker, target = prepared.attacker.name, prepared.target
    if not hits:
        return f"{attacker} misses {target.name}."
    return f"{attacker} hits {target.name}: {fate(target, wounds)}."


def fate(target: Model, wounds: int) -> str:
    """Return in words what wounds do to a model: no wound, 1 wound (2 of 4 left), out."""
    if not wounds:
        return "no wound"
    if wounds >= target.wounds_left:
        return f"{times(target.wounds_left, 'wound')}, {'wrecked' if target.vehicle else 'out of play'}"
    return f"{times(wounds, 'wound')} ({target.wounds_left - wounds} of {target.profile.wd} left)"


def tally(numbers: Attack, hits: int) -> list[str]:
    """Return how many shots hit, where there was more than one."""
    if numbers.automatic or (numbers.shots == 1 and numbers.hits == 1):
        return []
    hits_suffix = f", causing {numbers.hits} hits{' each' * (hits > 1)}" if numbers.hits > 1 and hits else ""
    return [f"{hits} of {times(numbers.shots, 'shot')} hit{hits_suffix}"]


def describe_broken_systems(vehicle: Model, hull: Hull) -> list[str]:
    """Return systems that an attack broke, with what that means from now on. Rules: WZ-SYS-01."""
    lines = []
    for location, hits_after in zip(LOCATIONS, hull.hits, strict=True):
        if hits_after > vehicle.count(SYSTEM_HITS.of(location)) and hull.wounds:
            effects = BROKEN_SYSTEM_EFFECTS[location]
            lines.append(f"{location.capitalize()} ({ordinal(hits_after)} hit):")
            lines.append(f"  {effects[min(hits_after, len(effects)) - 1]}")
    return lines


def propose_dire_test(telling: Telling, attacker: Model, target: Model, wounds: int) -> None:
    """Propose a morale test for a model wounded by a Dire one, if it is in its area. Rules: WZ-MORALE-01."""
    if not dire_due(attacker, wounds, in_area=True) or target.side == attacker.side:
        return
    is_taken_out = wounds >= target.wounds_left
    if is_taken_out and not (target.squad and squad_of(telling.act.encounter, target.squad).models):
        return
    condition = (
        f"{possessive(target.name)} squad must take a morale test if {target.name} was in"
        if is_taken_out
        else f"{target.name} must take a morale test if it is in"
    )
    reason = f"{condition} {possessive(attacker.name)} Dire {attacker.profile.dire} area."
    details = (
        ("squad", target.squad if is_taken_out else 0),
        ("tested", 0 if is_taken_out else target.id),
        ("dire", attacker.profile.dire),
        ("source", attacker.id),
    )
    dire_tests = model_state(telling.act.encounter, attacker.id).dire_tests
    dire_tests[target.id] = 1 + (target.squad if is_taken_out else 0)
    telling.follow([Propose("dire", target.id, reason, details)])


# ------------------------------------------------------------------------------------------- odds


def wound_odds(act: ActView, prepared: Prepared) -> Odds[int]:
    """Return exact odds of an attack's wounds."""
    target = prepared.target
    if target.vehicle:
        same_margin = settings_for(act).chain_reroll == "same_margin"
        hulls = act.solve(attack_vehicle, prepared.numbers, hull_of(target), same_margin)
        return hulls.map(lambda done: target.wounds_left - done.hull.wounds)
    return act.solve(attack, prepared.numbers).map(lambda done: done.wounds)


def attack_chances(
    act: ActView, prepared: Prepared, hurdle: Preconditions, measured: Sequence[str] = ()
) -> Chances:
    """Return the chances of every number of wounds, and of a vehicle's systems. measured: table facts."""
    target, odds = prepared.target, wound_odds(act, prepared)
    lines = [
        f"{prepared.attacker.name} -> {target.name}",
        *measured,
        *heads(prepared),
        *build_chance_bars(odds, name_wounds(target)),
    ]
    if target.vehicle:
        lines += _describe_system_odds(act, prepared)
    lines += describe_recognition_odds(act, prepared.attacker, target)
    kill_chance = odds.chance(lambda wounds: wounds >= target.wounds_left)
    aim_text = "wrecked" if target.vehicle else "out"
    hurts = (Hurt(target.id, kill_chance, odds.mean(lambda wounds: min(wounds, target.wounds_left))),)
    return Chances(
        (*lines, *hurdle.lines), aim_text, kill_chance, (odds,), not_yet=hurdle.not_yet, hurts=hurts
    )


def add_blow_back(act: ActView, chances: Chances, blow_back: Prepared) -> Chances:
    """Add to the chances of a blow those of the blow that is struck back at the same time."""
    target, odds = blow_back.target, wound_odds(act, blow_back)
    wound_chance = odds.chance(lambda wounds: wounds > 0)
    kill_chance = odds.chance(lambda wounds: wounds >= target.wounds_left)
    lines = (
        f"{blow_back.attacker.name} strikes back:",
        f"{target.name}: {percent(wound_chance).strip()} chance to be wounded, "
        f"{percent(kill_chance).strip()} to be taken out",
    )
    back_hurt = Hurt(target.id, kill_chance, odds.mean(lambda wounds: min(wounds, target.wounds_left)))
    return replace(
        chances,
        lines=(*chances.lines, *lines),
        solved=(*chances.solved, odds),
        hurts=(*chances.hurts, back_hurt),
    )


def find_recognition_modifiers(attacker: Model, target: Model) -> tuple[Modifier, ...] | None:
    """Return modifiers of the LD test of a machine under Recognition Fault; None for no test.

    Rules: WZ-AMOK-03.
    """
    if not attacker.has(Condition.RECOGNITION_FAULT) or target.side == attacker.side:
        return None
    return ld_modifiers(attacker, enemy_in_sight=True)


def describe_recognition_odds(act: ActView, attacker: Model, target: Model) -> list[str]:
    """Return a line that the attacker must pass that test first, if it must."""
    modifiers = find_recognition_modifiers(attacker, target)
    if modifiers is None:
        return []
    pass_chance = act.solve(check, ld_limit(attacker, modifiers)).chance(lambda grade: grade.passed)
    return [f"{attacker.name} must pass an LD test first ({percent(pass_chance).strip()} chance of passing)"]


def _describe_system_odds(act: ActView, prepared: Prepared) -> list[str]:
    hull = hull_of(prepared.target)
    same_margin = settings_for(act).chain_reroll == "same_margin"
    hulls = act.solve(attack_vehicle, prepared.numbers, hull, same_margin)
    lines = []
    for place, location in enumerate(LOCATIONS):
        chance = hulls.chance(lambda result, k=place: result.hull.hits[k] > hull.hits[k])  # type: ignore[misc]
        if chance:
            lines.append(f"{location}: {percent(chance).strip()}")
    return lines


A = TypeVar("A", bound=Action)

FAULT = "Recognition Fault"


@dataclass(frozen=True, slots=True)
class ReadyAttack:
    """An attack that may be made. said: what was measured for it; fault: modifiers of a machine's LD test.

    back: the blow of who strikes back at once.
    """

    begin: DeedStart
    blow: Prepared
    said: tuple[str, ...]
    fault: tuple[Modifier, ...] | None = None
    back: Prepared | None = None


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """The rolls of an attack. known: the result of the recognition test, None without one."""

    known: Grade | None
    blows: tuple[Struck, ...] = ()


class Attacking(MultiRollDeed[A, ReadyAttack, AttackOutcome], Generic[A]):
    """An attack on one model."""

    @abstractmethod
    def after(self, act: Act, blow: Prepared, *, fumbled: bool) -> Sequence[Effect]:
        """Return the effects of a blow on its attacker."""

    def rolls(self, act: Act, action: A, ready: ReadyAttack) -> AttackOutcome:
        recognition = roll_recognition(act, ready.blow.attacker, ready.fault)
        if recognition is not None and not recognition.passed:
            return AttackOutcome(recognition)
        blows = (ready.blow, *([ready.back] if ready.back is not None else []))
        return AttackOutcome(recognition, tuple(roll_attack(act, blow) for blow in blows))

    def done(self, telling: Telling, action: A, ready: ReadyAttack, result: AttackOutcome) -> None:
        act, blow = telling.act, ready.blow
        if not report_recognition(telling, blow.attacker, ready.fault, result.known):
            return
        telling.dice += ready.said
        if ready.back is not None:
            pay(act, ready.back.attacker, Deed.FIGHT)
        blows = (blow, *([ready.back] if ready.back is not None else []))
        for prepared_blow, rolled_attack in zip(blows, result.blows, strict=True):
            carry_out_attack(
                telling,
                prepared_blow,
                rolled_attack,
                self.after(act, prepared_blow, fumbled=rolled_attack.fumbled),
            )
        telling.more = () if is_out(act, blow.target) else (Button("Again", act.canonical),)

    def chances(self, act: ActView, action: A, ready: ReadyAttack) -> Chances:
        chances = attack_chances(act, ready.blow, ready.begin.hurdle, ready.said)
        return chances if ready.back is None else add_blow_back(act, chances, ready.back)


def roll_recognition(act: Act, attacker: Model, modifiers: tuple[Modifier, ...] | None) -> Grade | None:
    """Roll the LD test of a machine under Recognition Fault, or None. Rules: WZ-AMOK-03."""
    if modifiers is None:
        return None
    return act.roll(
        describe_ld_roller(attacker, modifiers, f"{FAULT} test"),
        check,
        ld_limit(attacker, modifiers),
        label="leadership",
    )


def report_recognition(
    telling: Telling, attacker: Model, modifiers: tuple[Modifier, ...] | None, grade: Grade | None
) -> bool:
    """Report that test and its result, and return whether the attack follows."""
    if modifiers is None or grade is None:
        return True
    report_ld_test(telling, attacker, modifiers, FAULT)
    if grade.passed:
        return True
    if grade is Grade.FUMBLE:
        telling.lines.append(f"{attacker.name} mistakes a friend for an enemy and loses the action.")
        telling.follow(after_recognition(attacker, grade))
    else:
        telling.lines.append(f"{attacker.name} doesn't recognise the enemy and loses the action.")
    return False


register_wounds(attack, lambda result: result.wounds)
register_wounds(
    template_attack, lambda result: sum(result.wounds), query=lambda numbers: (template_wounds, (numbers,))
)
register_value(attack_vehicle, lambda result: -result.hull.wounds)
register_value(Grade, lambda grade: grade.passed)
