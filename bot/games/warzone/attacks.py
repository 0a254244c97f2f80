"""Shared parts of attacks: their steps, their effects on models and vehicles, their odds and luck."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.warzone.common import Telling, is_out, pay, settings_for
from bot.games.warzone.fear import Hurdle, by_ld, tell_ld
from bot.games.warzone.narration import (
    cast_of_attack,
    chance_lines,
    short_sum,
    sum_lines,
    wound_names,
)
from bot.games.warzone.state import model_state
from bot.games.warzone.steps import Begin, Performing
from bot.replies.chances import percent
from bot.replies.reply import Button
from bot.table.act import Act, ActView
from bot.table.luck.outcome_values import counts, deals
from bot.table.steps import Chances, Hurt
from rules.dice import Odds, Thrown
from rules.effects import Effect, Propose
from rules.modifiers import Modifier
from rules.systems.warzone.attacks import (
    FUMBLED,
    Attack,
    after_wounds,
    armour_modifiers,
    attack,
    damage_modifiers,
)
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import SYSTEM, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import dire_due, ld_limit, ld_modifiers
from rules.systems.warzone.powers import after_recognition
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.templates import template_attack, template_wounds
from rules.systems.warzone.vehicles import LOCATIONS, Hull, after_hull, attack_vehicle, hull_of
from rules.wording import ordinal, possessive, times

BROKEN_SYSTEM: dict[str, tuple[str, ...]] = {
    "steering": (
        "Roll a d20 before the vehicle turns. On 11+, it can't turn.",
        "Roll a d20 before the vehicle turns. On 6+, it can't turn.",
        "The vehicle can no longer turn.",
    ),
    "weapons": ("The vehicle's shots get -3 for each hit on its weapons.",),
    "engine": ("The vehicle gets -2 MV for each hit on its engine.",),
    "transmission": (
        "Roll a d20 before each move. On 11+, the vehicle can't move. It can no longer reverse.",
        "Roll a d20 before each move. On 6+, the vehicle can't move. It can no longer reverse.",
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


def why_attack(prepared: Prepared, act: Act) -> list[str]:
    """Return every modifier of the attack and of the save, with its reason and rule."""
    numbers, target = prepared.numbers, prepared.target
    dm = damage_modifiers(
        prepared.weapon, prepared.attacker, target, settings_for(act), from_rear=prepared.from_rear
    )
    return [
        f"{prepared.attacker.name} at {target.name}, {prepared.title}",
        *(sum_lines(prepared.stat, prepared.base, prepared.modifiers) if not numbers.automatic else []),
        *sum_lines("DM", prepared.weapon.dm, dm),
        *sum_lines("AR", target.profile.ar, armour_modifiers(target, settings_for(act))),
        f"The save needs {numbers.ar - numbers.dm} or less. A natural 1 always saves WZ-DMG-01",
        *prepared.why,
    ]


def heads(prepared: Prepared) -> list[str]:
    """Return what the dice must show."""
    numbers = prepared.numbers
    base = short_sum(prepared.stat, prepared.base, prepared.modifiers)
    first = numbers.limit + (FUMBLED if numbers.fumbled else 0)
    needs = [f"{prepared.title}: {first} or less ({base})"]
    if numbers.automatic:
        needs = [f"No attack roll is needed ({prepared.title})"]
    elif numbers.fumbled and numbers.shots > 1:
        needs.append(f"Shots after the first: {numbers.limit} or less")
    save = f"Save: {numbers.ar - numbers.dm} or less (AR {numbers.ar} - DM {numbers.dm})"
    return [*needs, save]


def critical_heads(numbers: Attack, criticals: int) -> list[str]:
    """Return what a save needs after a natural 1, if there was one. Rules: WZ-CRIT-01."""
    if not numbers.critical_dm or not criticals:
        return []
    save = numbers.ar - numbers.dm - numbers.critical_dm
    return [f"Save after a natural 1 to hit (DM +{numbers.critical_dm}): {save} or less"]


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


def throw_attack(act: Act, prepared: Prepared) -> Struck:
    """Roll an attack on a model or a vehicle; nothing is altered.

    Rules: WZ-RC-01, WZ-CC-01, WZ-DMG-01, WZ-DMG-04, WZ-VEH-02.
    """
    target = prepared.target
    begin = len(act.dice.trace)
    cast = cast_of_attack(prepared.attacker.name, target.name, prepared.weapon.name)
    if target.vehicle:
        same_margin = settings_for(act).chain_reroll == "same_margin"
        outcome = act.roll(cast, attack_vehicle, prepared.numbers, hull_of(target), same_margin)
        hits, criticals = _hits_thrown(act, begin, prepared.numbers)
        return Struck(
            outcome.fumbled,
            _slipped(act, begin),
            target.wounds_left - outcome.hull.wounds,
            hits,
            criticals,
            tuple(after_hull(target, outcome.hull)),
            tuple(system_lines(target, outcome.hull)),
            len(act.dice.trace) - begin,
        )
    result = act.roll(cast, attack, prepared.numbers)
    return Struck(
        result.fumbled,
        _slipped(act, begin),
        min(result.wounds, target.wounds_left),
        result.hits,
        result.criticals,
        tuple(after_wounds(target, result.wounds)),
        (),
        len(act.dice.trace) - begin,
    )


def carry_attack(telling: Telling, prepared: Prepared, struck: Struck, also: Sequence[Effect]) -> None:
    """Describe a rolled attack and carry it out. also: its effects on the attacker."""
    act, target = telling.act, prepared.target
    natural = critical_heads(prepared.numbers, struck.criticals)
    *needs, save = heads(prepared)
    slip = (
        [f"Attack roll after a fumble: {prepared.numbers.limit + FUMBLED} or less"] if struck.slipped else []
    )
    lines = [verdict(prepared, struck.hits, struck.wounds), *tally(prepared.numbers, struck.hits)]
    telling.lines += [*lines, *struck.broken]
    telling.thrown(*needs, *slip, save, *natural, throws=struck.throws)
    telling.why += [*why_attack(prepared, act), *(f"{line} WZ-CRIT-01" for line in natural)]
    if struck.fumbled and not prepared.numbers.automatic:
        telling.next.append(f"{prepared.attacker.name} fumbled, so its next attack gets -4.")
    telling.follow((*also, *struck.effects), source=prepared.attacker)
    offer_dire(telling, prepared.attacker, target, struck.wounds)


def _hits_thrown(act: Act, begin: int, numbers: Attack) -> tuple[int, int]:
    """Attack rolls on a vehicle since a place in the trace: successes, and critical ones among them.

    Its rule keeps no count of them, which would double the hulls that its odds must tell apart.
    """
    if numbers.automatic:
        return numbers.shots, 0
    words = _grades(act, begin)
    criticals = words.count("critical success")
    return words.count("success") + criticals, criticals


def _slipped(act: Act, begin: int) -> bool:
    """Return whether an attack roll since a place in the trace was at -4 for a fumble just before it."""
    return "critical failure" in _grades(act, begin)[:-1]


def _grades(act: Act, begin: int) -> list[str]:
    return [
        entry.words()[0][0][1]
        for entry in act.dice.trace[begin:]
        if isinstance(entry, Thrown) and entry.label == "attack"
    ]


def verdict(prepared: Prepared, hits: int, wounds: int) -> str:
    """Return the line that says it all."""
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
    hits_text = f", causing {numbers.hits} hits{' each' * (hits > 1)}" if numbers.hits > 1 and hits else ""
    return [f"{hits} of {times(numbers.shots, 'shot')} hit{hits_text}"]


def system_lines(vehicle: Model, hull: Hull) -> list[str]:
    """Return systems that an attack broke, with what that means from now on. Rules: WZ-SYS-01."""
    lines = []
    for location, after in zip(LOCATIONS, hull.hits, strict=True):
        if after > vehicle.count(SYSTEM.of(location)) and hull.wounds:
            words = BROKEN_SYSTEM[location]
            lines.append(f"{location.capitalize()} ({ordinal(after)} hit):")
            lines.append(f"  {words[min(after, len(words)) - 1]}")
    return lines


def offer_dire(telling: Telling, attacker: Model, target: Model, wounds: int) -> None:
    """Ask the table whether a model that a Dire one wounded is inside its area. Rules: WZ-MORALE-01."""
    if not dire_due(attacker, wounds, in_area=True) or target.side == attacker.side:
        return
    loss = wounds >= target.wounds_left
    reason = (
        f"{target.name} must take a morale test if it is in {possessive(attacker.name)} "
        f"Dire {attacker.profile.dire} area."
    )
    details = (
        ("squad", target.squad if loss else 0),
        ("tested", 0 if loss else target.id),
        ("dire", attacker.profile.dire),
        ("source", attacker.id),
    )
    tests = model_state(telling.act.encounter, attacker.id).dire_tests
    tests[target.id] = 1 + (target.squad if loss else 0)
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


def attack_chances(act: ActView, prepared: Prepared, hurdle: Hurdle, measured: Sequence[str] = ()) -> Chances:
    """Return the chances of every number of wounds, and of a vehicle's systems. measured: table facts."""
    target, odds = prepared.target, wound_odds(act, prepared)
    lines = [
        f"{prepared.attacker.name} -> {target.name}",
        *measured,
        *heads(prepared),
        *chance_lines(odds, wound_names(target)),
    ]
    if target.vehicle:
        lines += _system_odds(act, prepared)
    lines += recognition_odds(act, prepared.attacker, target)
    kill_chance = odds.chance(lambda wounds: wounds >= target.wounds_left)
    aim = "wrecked" if target.vehicle else "out"
    hurts = (Hurt(target.id, kill_chance, odds.mean(lambda wounds: min(wounds, target.wounds_left))),)
    return Chances((*lines, *hurdle.lines), aim, kill_chance, (odds,), not_yet=hurdle.not_yet, hurts=hurts)


def with_blow_back(act: ActView, chances: Chances, blow_back: Prepared) -> Chances:
    """Add to the chances of a blow what the one that falls at the same time does to who strikes it."""
    target, odds = blow_back.target, wound_odds(act, blow_back)
    hurt = odds.chance(lambda wounds: wounds > 0)
    kill_chance = odds.chance(lambda wounds: wounds >= target.wounds_left)
    lines = (
        f"{blow_back.attacker.name} strikes back:",
        f"{target.name}: {percent(hurt).strip()} chance to be wounded, "
        f"{percent(kill_chance).strip()} to be taken out",
    )
    back_hurt = Hurt(target.id, kill_chance, odds.mean(lambda wounds: min(wounds, target.wounds_left)))
    return replace(
        chances,
        lines=(*chances.lines, *lines),
        solved=(*chances.solved, odds),
        hurts=(*chances.hurts, back_hurt),
    )


def recognition_of(attacker: Model, target: Model) -> tuple[Modifier, ...] | None:
    """Return modifiers of the LD test of a machine under Recognition Fault; None for no test.

    Rules: WZ-AMOK-03.
    """
    if not attacker.has(Condition.RECOGNITION_FAULT) or target.side == attacker.side:
        return None
    return ld_modifiers(attacker, enemy_in_sight=True)


def recognition_odds(act: ActView, attacker: Model, target: Model) -> list[str]:
    """Return that such a test comes first, if it does."""
    modifiers = recognition_of(attacker, target)
    if modifiers is None:
        return []
    passes = act.solve(check, ld_limit(attacker, modifiers)).chance(lambda grade: grade.passed)
    return [f"{attacker.name} must pass an LD test first ({percent(passes).strip()} chance of passing)"]


def _system_odds(act: ActView, prepared: Prepared) -> list[str]:
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

    begin: Begin
    blow: Prepared
    said: tuple[str, ...]
    fault: tuple[Modifier, ...] | None = None
    back: Prepared | None = None


@dataclass(frozen=True, slots=True)
class Attacked:
    """What was rolled for it. known: whether a machine knew its foe, None where it need not ask."""

    known: Grade | None
    blows: tuple[Struck, ...] = ()


class Attacking(Performing[A, ReadyAttack, Attacked], Generic[A]):
    """An attack on one model."""

    @abstractmethod
    def after(self, act: Act, blow: Prepared, *, fumbled: bool) -> Sequence[Effect]:
        """Return the effects of a blow on its attacker."""

    def rolls(self, act: Act, action: A, ready: ReadyAttack) -> Attacked:
        """Return the machine's test, then the blow, then the one back."""
        recognition = throw_fault(act, ready.blow.attacker, ready.fault)
        if recognition is not None and not recognition.passed:
            return Attacked(recognition)
        blows = (ready.blow, *([ready.back] if ready.back is not None else []))
        return Attacked(recognition, tuple(throw_attack(act, blow) for blow in blows))

    def done(self, telling: Telling, action: A, ready: ReadyAttack, result: Attacked) -> None:
        """Strike each blow; both were prepared before the first."""
        act, blow = telling.act, ready.blow
        if not carry_fault(telling, blow.attacker, ready.fault, result.known):
            return
        telling.dice += ready.said
        if ready.back is not None:
            pay(act, ready.back.attacker, Deed.FIGHT)
        blows = (blow, *([ready.back] if ready.back is not None else []))
        for one_blow, struck in zip(blows, result.blows, strict=True):
            carry_attack(telling, one_blow, struck, self.after(act, one_blow, fumbled=struck.fumbled))
        telling.more = () if is_out(act, blow.target) else (Button("Again", act.canonical),)

    def chances(self, act: ActView, action: A, ready: ReadyAttack) -> Chances:
        """Return those of the blow, and of the one that is struck back at once."""
        chances = attack_chances(act, ready.blow, ready.begin.hurdle, ready.said)
        return chances if ready.back is None else with_blow_back(act, chances, ready.back)


def throw_fault(act: Act, attacker: Model, fault: tuple[Modifier, ...] | None) -> Grade | None:
    """Roll the LD test of a machine under Recognition Fault, or None. Rules: WZ-AMOK-03."""
    if fault is None:
        return None
    return act.roll(
        by_ld(attacker, fault, f"{FAULT} test"), check, ld_limit(attacker, fault), label="leadership"
    )


def carry_fault(
    telling: Telling, attacker: Model, fault: tuple[Modifier, ...] | None, grade: Grade | None
) -> bool:
    """Report that test and its result, and return whether the attack follows."""
    if fault is None or grade is None:
        return True
    tell_ld(telling, attacker, fault, FAULT)
    if grade.passed:
        return True
    if grade is Grade.FUMBLE:
        telling.lines.append(f"{attacker.name} mistakes a friend for an enemy and loses the action.")
        telling.follow(after_recognition(attacker, grade))
    else:
        telling.lines.append(f"{attacker.name} doesn't recognise the enemy and loses the action.")
    return False


deals(attack, lambda result: result.wounds)
deals(template_attack, lambda result: sum(result.wounds), query=lambda numbers: (template_wounds, (numbers,)))
counts(attack_vehicle, lambda result: -result.hull.wounds)
counts(Grade, lambda grade: grade.passed)
