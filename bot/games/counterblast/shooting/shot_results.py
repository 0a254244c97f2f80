"""Roll a shot: its dice, special weapons, and misses that stray into a melee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from bot.games.counterblast.core.common import again, fighter_of, settings
from bot.games.counterblast.core.narration import Telling, add_wounds, apply_attack
from bot.games.counterblast.core.wording import at, cast_automatic_hit, effect_word, hurt_words
from bot.games.counterblast.shooting.arcs import with_arc_modifier
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.table_state import EncounterState
from bot.replies.chances import bars, exactness, percent
from bot.table.act import Act, ActView
from bot.table.throw_purposes import Whose, each
from rules.dice import Dice, Odds, add_up
from rules.refusals import Missing
from rules.systems.counterblast.core.burning import find_protection, roll_burn
from rules.systems.counterblast.core.checks import Throw, throw
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import MAX_COUNTED, UNHURT, Impact, Suffered, impact_on, suffer
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import (
    PreparedShot,
    PreparedVolley,
    attack_rolls,
    stray_candidates,
)
from rules.systems.counterblast.shooting.shots import (
    MISSED,
    Shot,
    ShotResult,
    at_one,
    friend_hit,
    friend_wounds,
    overload,
    overload_wounds,
    straying,
    volley,
    volley_into_melee,
    wounds_by_shots,
)
from rules.systems.counterblast.shooting.special_attacks import ACID, acid_hit, after_acid, spit_acid
from rules.systems.counterblast.shooting.templates import VOID_TARGET, VoidShot, after_void, void, void_shot
from rules.wording import possessive, times


def is_special(weapon: Weapon) -> bool:
    """Return whether a direct shot with it is resolved here."""
    return weapon.key == ACID.key or weapon.has_effect("void")


@dataclass(frozen=True, slots=True)
class Overload:
    """A weapon that turned on its firer: the dice of it, and what came through."""

    ones: int
    wounds: int


def wound_odds(act: ActView, prepared_shot: PreparedShot, rolls: int = 0) -> Odds[int]:
    """Return the chances of each number of wounds; acid wounds once however well it hits.

    rolls: full rolls at this target, or 0 for as many as the weapon fires. Rules: CB-FEAT-03, CB-WEAP-34.
    """
    if prepared_shot.weapon.key != ACID.key:
        return act.solve(
            wounds_by_shots,
            at_one([prepared_shot.shot]) * (rolls or attack_rolls(prepared_shot.weapon)),
            MAX_COUNTED,
        )
    acid_odds = act.solve(spit_acid, prepared_shot.shot.throws, acid_hit(prepared_shot.target, settings(act)))
    is_protected = bool(find_protection(prepared_shot.target, "acid"))
    return acid_odds.map(lambda suffered: 0 if is_protected else suffered.through)


@dataclass(frozen=True, slots=True)
class SpecialHit:
    """The result of such a shot for one model: its net successes; the effect of the void or of acid."""

    target: int
    net: int
    fate: VoidShot = "missed"
    suffered: Suffered = UNHURT


def throw_special(
    act: Act, shooter: Fighter, prepared_shot: PreparedShot, *, aimed: bool
) -> tuple[SpecialHit, ...]:
    """Roll one such shot; dice that miss an engaged target are an attack of the same kind on the friend
    beside it. Rules: CB-SHOOT-10, CB-SHOOT-11.
    """
    target = prepared_shot.target
    if prepared_shot.stray is None:
        hits = act.roll(
            at(shooter.name, target.name), roll_net_successes, prepared_shot.shot.throws, "attack"
        )
        return (_roll_special_hit(act, shooter, target, prepared_shot.weapon, hits),)
    net_successes, stray_throws = act.roll(
        at(shooter.name, target.name), straying, prepared_shot.shot.throws, prepared_shot.stray, aimed
    )
    target_hits = (_roll_special_hit(act, shooter, target, prepared_shot.weapon, net_successes),)
    if not stray_throws:
        return target_hits
    friend = fighter(act.encounter, act.encounter.model(prepared_shot.stray.target))
    hits = act.roll(at(shooter.name, target.name, friend.name), roll_net_successes, stray_throws, "stray")
    return (*target_hits, _roll_special_hit(act, shooter, friend, prepared_shot.weapon, hits))


def roll_net_successes(dice: Dice, throws: tuple[Throw, ...], label: str) -> int:
    """Return the net successes of an attack. label: what its dice are called. Rules: CB-SHOOT-01."""
    return throw(dice, throws, label=label).net


def _roll_special_hit(act: Act, shooter: Fighter, target: Fighter, weapon: Weapon, net: int) -> SpecialHit:
    """Roll what acid or the void does to one model. Rules: CB-FEAT-03, CB-WEAP-32."""
    if not weapon.has_effect("void"):
        roller = cast_automatic_hit(target.name, possessive(shooter.name) + " acid")
        suffered = act.roll(roller, suffer, min(1, net), 0, acid_hit(target, settings(act)))
        return SpecialHit(target.id, net, suffered=suffered)
    if not net or target.is_incapacitated:
        return SpecialHit(target.id, net, "removed" if net else "missed")
    escape = Whose(target.name, "Initiative check", "to escape the void")
    return SpecialHit(target.id, net, act.roll(escape, void, _escape_throw(act, target)))


def strike_special(act: Act, telling: Telling, shooter: Fighter, weapon: Weapon, hit: SpecialHit) -> None:
    """Carry one such hit through, and tell it. Rules: CB-FEAT-03, CB-WEAP-31, CB-WEAP-32."""
    target = fighter(act.encounter, act.encounter.model(hit.target))
    if not weapon.has_effect("void"):
        effects = after_acid(target, hit.suffered, max(1, act.encounter.row.turn))
        apply_attack(act, telling, shooter, target, weapon, hit.suffered, effects)
        if again(act, target).has(Condition.CORRODED) and not target.has(Condition.CORRODED):
            telling.lines.append(f"{target.name} is now Corroded.")
        return
    telling.follow(act, after_void(target, hit.fate), by=shooter.id)
    words = {
        "missed": f"{shooter.name} misses {target.name}.",
        "edge": f"The void spits out {target.name}, which falls Prone.",
        "removed": f"The void swallows {target.name}, which is lost.",
    }
    telling.lines.append(words[hit.fate])


def _escape_throw(act: ActView, target: Fighter) -> Throw:
    return initiative_check(target, VOID_TARGET, settings=settings(act)).throw


def odds_of_void(act: ActView, prepared_shot: PreparedShot) -> Odds[VoidShot]:
    """Return the possible results of a shot of the void. Rules: CB-WEAP-31, CB-WEAP-32."""
    escape = None if prepared_shot.target.is_incapacitated else _escape_throw(act, prepared_shot.target)
    return act.solve(void_shot, prepared_shot.shot.throws, escape)


def void_odds(act: ActView, prepared_shot: PreparedShot) -> list[str]:
    """Return the chances of a shot of the void. Rules: CB-WEAP-31, CB-WEAP-32."""
    odds = odds_of_void(act, prepared_shot)
    words = (("missed", "missed"), ("edge", "spat out and Prone"), ("removed", "lost"))
    rows = [(label, odds.chance(lambda got, f=result_key: got == f)) for result_key, label in words]  # type: ignore[misc]
    return [*bars(rows), exactness(odds)]


def special_stray_chances(act: ActView, prepared_shot: PreparedShot, *, aimed: bool) -> tuple[float, float]:
    """Return the chances that such a shot hits the friend beside its target, and harms it; 0 without one.

    The void harms a target unless it escapes to the edge; acid hits once, and never a protected model. Rules:
    CB-SHOOT-10, CB-SHOOT-11, CB-FEAT-03, CB-WEAP-32.
    """
    if prepared_shot.stray is None:
        return 0.0, 0.0
    friend = fighter(act.encounter, act.encounter.model(prepared_shot.stray.target))
    hit = float(act.solve(friend_hit, prepared_shot.shot.throws, prepared_shot.stray, aimed).chance(bool))
    if prepared_shot.weapon.key != ACID.key:
        lost_chance = 1.0
        if not friend.is_incapacitated:
            lost_chance = act.solve(void, _escape_throw(act, friend)).chance(lambda fate: fate == "removed")
        return hit, hit * lost_chance
    if find_protection(friend, "acid"):
        return hit, 0.0
    return hit, hit * act.solve(roll_burn, acid_hit(friend, settings(act))).chance(bool)


def throw_overload(
    act: Act, shooter: Fighter, prepared: PreparedVolley, results: Sequence[ShotResult]
) -> Overload | None:
    """Roll net 1s of a full-auto attack against the shooter: 1 damage a success, its own shields helping.

    Rules: CB-WEAP-37.
    """
    ones = sum(result.net_ones for result in results)
    if not ones:
        return None
    weapon = prepared.shots[0].weapon
    impact = _overload_impact(act, shooter, weapon)
    roller = cast_automatic_hit(shooter.name, f"its own {weapon.name}")
    suffered = act.roll(roller, overload, ones, shooter.defense, impact)
    return Overload(ones, suffered.through)


def overload_lines(act: ActView, shooter: Fighter, rolls: Sequence[PreparedVolley]) -> list[str]:
    """Return the chances that a weapon at full auto turns on its firer; nothing for other shots.

    Rules: CB-WEAP-37.
    """
    risky_rolls = [roll for roll in rolls if any(shot.shot.counts_ones for shot in roll.shots)]
    if not risky_rolls:
        return []
    weapon = risky_rolls[0].shots[0].weapon
    impact = _overload_impact(act, shooter, weapon)
    attacks = Counter(tuple(shot.shot.throws for shot in roll.shots) for roll in risky_rolls)
    parts = (
        (repeats, 1, overload_wounds, (dice, shooter.defense, impact)) for dice, repeats in attacks.items()
    )
    odds = act.solve(add_up, *parts)
    return [f"Risk to {shooter.name} from an overload: {hurt_words(odds, shooter)}"]


def _overload_impact(act: ActView, shooter: Fighter, weapon: Weapon) -> Impact:
    """Return what one success of an overload does to the firer. Rules: CB-WEAP-37."""
    prepared_impact = impact_on(
        None, shooter, weapon, settings(act), vacuum=bool(EncounterState(act.encounter.row).vacuum)
    )
    return replace(prepared_impact.impact, damage=1, extra=0)


def strike_overload(
    act: Act, telling: Telling, shooter: Fighter, weapon: Weapon, overload_result: Overload
) -> None:
    """Carry it through, and tell it. Rules: CB-WEAP-37."""
    telling.lines.append(
        f"The {weapon.name} overloads: {times(overload_result.ones, 'die', 'dice')} against the shooter."
    )
    add_wounds(act, telling, again(act, shooter), overload_result.wounds, "from the overload")


def friends_in_melee(act: ActView, shooter: Fighter, target: Fighter) -> tuple[Fighter, ...]:
    """Return the shooter's friends in a melee with the target, whom misses may hit. Rules: CB-SHOOT-10."""
    if not target.engaged_with:
        return ()
    crew = tuple(model for model in fighters(act.encounter, shooter.side) if model.id != shooter.id)
    return stray_candidates(target, crew)


def find_friends_hit_by_misses(
    act: ActView, shooter: Fighter, targets: Sequence[Fighter], named_friends: Sequence[Fighter | None]
) -> list[Fighter | None]:
    """Return the friend at each target that misses hit: the one named, the only one, or None.

    named_friends: who was named at each. Raises Missing if someone has to be named. Rules: CB-SHOOT-10.
    """
    bystanders = [friends_in_melee(act, shooter, target) for target in targets]
    pairs = list(zip(named_friends, bystanders, strict=True))
    if any(friend is None and len(candidates) > 1 for friend, candidates in pairs):
        raise Missing(_friend_question(targets, bystanders))
    return [friend or next(iter(candidates), None) for friend, candidates in pairs]


def _friend_question(targets: Sequence[Fighter], bystanders: Sequence[tuple[Fighter, ...]]) -> str:
    names = [", ".join(friend.name for friend in candidates) or "nobody" for candidates in bystanders]
    if len(targets) == 1:
        return f"Which friend is hit by shots that miss? Choose one of these: {names[0]}."
    listing = "; ".join(
        f"at {target.name}: {names_here}" for target, names_here in zip(targets, names, strict=True)
    )
    return (
        "Which friends are hit by shots that miss? Name one for each target, separated by commas "
        f"({listing})."
    )


def stray_risk_lines(act: ActView, rolls: Sequence[PreparedVolley], *, aimed: bool) -> list[str]:
    """Return for each friend in the melee the chances that misses hit it, wound it and take it down.

    Rules: CB-SHOOT-10.
    """
    shots_by_friend = {shot.stray.target: shot for prepared in rolls for shot in prepared.shots if shot.stray}
    lines = []
    for number, prepared_shot in shots_by_friend.items():
        if is_special(prepared_shot.weapon):
            chances_by_shot = [
                special_stray_chances(act, stray_shot, aimed=aimed)
                for roll in rolls
                for stray_shot in _shots_straying_at(roll, number)
            ]
            hit_chance, harm_chance = (
                1 - prod(1 - chances[place] for chances in chances_by_shot) for place in (0, 1)
            )
            lines.append(_special_risk_line(act, number, prepared_shot.weapon, hit_chance, harm_chance))
        else:
            melees = tuple(prepared.into_melee for prepared in rolls)
            lines.append(_stray_risk_line(act, melees, number, prepared_shot.weapon, aimed=aimed))
    return lines


def _shots_straying_at(prepared: PreparedVolley, friend: int) -> list[PreparedShot]:
    return [shot for shot in prepared.shots if shot.stray and shot.stray.target == friend]


def team_stray_risk_lines(act: ActView, joint: PreparedShot, rolls: int, *, aimed: bool) -> list[str]:
    """Return the same for a team's one shot, rolled so often. Rules: CB-ACT-08, CB-SHOOT-10."""
    if joint.stray is None:
        return []
    melees = (((joint.shot, joint.stray),),) * rolls
    return [_stray_risk_line(act, melees, joint.stray.target, joint.weapon, aimed=aimed)]


Melees = tuple[tuple[tuple[Shot, Shot | None], ...], ...]
"""For every full roll the shots at each target, with the friend beside it."""


def _stray_risk_line(act: ActView, melees: Melees, number: int, weapon: Weapon, *, aimed: bool) -> str:
    friend = fighter(act.encounter, act.encounter.model(number))
    odds = act.solve(friend_wounds, melees, aimed, number, MAX_COUNTED)
    hit_chance, effect = odds.chance(lambda wounds: wounds != MISSED), effect_word(weapon)
    hit_text = f"Risk to {friend.name} from misses: hit {percent(hit_chance).strip()}"
    if effect:
        return f"{hit_text}, {effect} {percent(odds.chance(lambda wounds: wounds > 0)).strip()}"
    return f"{hit_text}, {hurt_words(odds.map(lambda wounds: max(0, wounds)), friend)}"


def _special_risk_line(
    act: ActView, number: int, weapon: Weapon, hit_chance: float, harm_chance: float
) -> str:
    fate_word = "lost" if weapon.has_effect("void") else effect_word(weapon) or "hurt"
    name = act.encounter.model(number).name
    hit_text = f"Risk to {name} from misses: hit {percent(hit_chance).strip()}"
    return f"{hit_text}, {fate_word} {percent(harm_chance).strip()}"


@dataclass(frozen=True, slots=True)
class Fallen:
    """The results of one full roll: for each target and the friend beside it, or by a special weapon.

    overload: a weapon that turned on its firer.
    """

    hits: tuple[tuple[ShotResult, Suffered], ...] = ()
    special: tuple[tuple[SpecialHit, ...], ...] = ()
    overload: Overload | None = None


def throw_volley(act: Act, shooter: Fighter, prepared: PreparedVolley, *, aimed: bool) -> Fallen:
    """Roll a whole volley, what strays into a melee, and a weapon that overloads: the dice alone.

    Rules: CB-SHOOT-01, CB-SHOOT-10, CB-WEAP-37.
    """
    if is_special(prepared.shots[0].weapon):
        return Fallen(
            special=tuple(throw_special(act, shooter, shot, aimed=aimed) for shot in prepared.shots)
        )
    friend_names = [fighter_of(act, shot.stray.target).name if shot.stray else "" for shot in prepared.shots]
    rollers = [
        at(shooter.name, prepared_shot.target.name, friend)
        for prepared_shot, friend in zip(prepared.shots, friend_names, strict=True)
    ]
    if any(friend_names):
        hits = act.roll(each(*rollers, *rollers), volley_into_melee, prepared.into_melee, aimed)
    else:
        hits = tuple((result, UNHURT) for result in act.roll(each(*rollers), volley, prepared.rolls))
    return Fallen(hits, overload=throw_overload(act, shooter, prepared, [result for result, _ in hits]))


def strike_volley(
    act: Act, telling: Telling, shooter: Fighter, prepared: PreparedVolley, results: Fallen
) -> None:
    """Carry one full roll through, and tell it."""
    for prepared_shot, special_hits in zip(prepared.shots, results.special, strict=False):
        for hit in special_hits:
            strike_special(act, telling, shooter, prepared_shot.weapon, hit)
    for prepared_shot, (result, stray_suffered) in zip(prepared.shots, results.hits, strict=False):
        apply_attack(
            act, telling, shooter, again(act, prepared_shot.target), prepared_shot.weapon, result.suffered
        )
        if prepared_shot.stray is not None and stray_suffered.hits:
            neighbour = fighter_of(act, prepared_shot.stray.target)
            apply_attack(act, telling, shooter, neighbour, prepared_shot.weapon, stray_suffered)
        with_arc_modifier(act, telling, prepared_shot.parts[0].throw.modifier)
    if results.overload is not None:
        strike_overload(act, telling, shooter, prepared.shots[0].weapon, results.overload)
