"""Prepare a melee: dice, modifiers and weapons of everyone in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from rules.dice import Solver, TooLarge
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, Missing, forbid, if_allowed
from rules.systems.counterblast.core import dice_pools
from rules.systems.counterblast.core.checks import ORDER_TOKEN, PreparedCheck
from rules.systems.counterblast.core.conditions import (
    list_attacker_edges,
    list_check_edges,
    list_target_edges,
    require_able,
    require_targetable,
)
from rules.systems.counterblast.core.dice_pools import Pool, allotted, even_shares
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import (
    BARE_HANDS,
    MASTERED,
    chameleon,
    dark_penalty,
    impact_on,
    is_working,
    melee_weapon,
    must_work,
    needs_air,
    needs_handling,
    target_number,
    teamwork,
    to_hit_bonus,
)
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.melee.bouts import (
    Blow,
    Bout,
    Melee,
    PreparedBlow,
    PreparedMelee,
    fight_wounds,
)
from rules.systems.counterblast.turn.activation import pair_modifier
from rules.wording import possessive

WORK = 200_000
"""Possibilities up to which all weapons of a fight are compared; in a larger one they count as equal."""

Worth = tuple[float, float]


def fit_weapons(model: Fighter) -> tuple[Weapon, ...]:
    """Return what a model may fight with, in the order in which it carries it, its bare hands last.

    An Arc weapon in strange hands that was not mastered does not count as long as it carries another.
    Rules: CB-FIGHT-01, CB-WEAP-11, CB-WEAP-24, CB-FEAT-25.
    """
    fit = [weapon for weapon in model.weapons if weapon.melee and is_working(model, weapon)]
    ready = [weapon for weapon in fit if model.count(MASTERED) or not needs_handling(model, weapon)]
    return (*(ready or fit), BARE_HANDS)


def harm(blows: Iterable[PreparedBlow]) -> Worth:
    """Return the Life that blows are expected to take, and how often they do anything at all.

    Of a weapon that does no damage only the second counts.
    """
    life, effect_chance = 0.0, 0.0
    for blow in blows:
        expected_wounds, anything = _expected(blow.bout, max(1, blow.defender.life_left))
        life += expected_wounds if blow.weapon.damage else 0.0
        effect_chance += anything
    return round(life, 9), round(effect_chance, 9)


@lru_cache(maxsize=4096)
def _expected(bout: Bout, life: int) -> Worth:
    try:
        odds = Solver(work=WORK).solve(fight_wounds, bout)
    except TooLarge:
        return 0.0, 0.0
    mean = sum(float(chance) * min(wounds, life) for wounds, chance in odds.chances.items())
    return mean, float(odds.chance(bool))


def best(weapons: tuple[Weapon, ...], worth: Callable[[Weapon], Worth | None]) -> Weapon:
    """Return the weapon of the greatest worth, the first of equal ones. None: it cannot be used now."""
    weighed = [(worth(weapon), weapon) for weapon in weapons] if len(weapons) > 1 else []
    usable = [(value, weapon) for value, weapon in weighed if value is not None]
    return max(usable, key=lambda pair: pair[0], default=(None, weapons[0]))[1]


# ---------------------------------------------------------------- pools


def attack_pool(
    fighter: Fighter, weapon: Weapon, settings: Settings, edges: tuple[Modifier, ...] = ()
) -> Pool:
    """Return the dice an attacker shares out: STR, its weapon's dice, what its own state adds or takes.

    Rules: CB-FIGHT-02, CB-FIGHT-12, CB-FIGHT-13, CB-WEAP-17, CB-FEAT-54, CB-HIDE-08.
    """
    feature_edges = dice_pools.feature_edges(fighter, "STR", "melee", "", settings)
    general = (*list_attacker_edges(fighter, melee=True), *feature_edges, *edges)
    return Pool(_strength_dice(fighter, weapon), general, settings.advantage_stacks)


def defence_pool(fighter: Fighter, weapon: Weapon, settings: Settings, *, halved: bool = False) -> Pool:
    """Return the dice that a defender divides among its attackers: STR and its weapon's dice. A model that
    leaves the melee has half of them, at least 1. A model that can make no check has none: see
    `prepare_melee`.

    Rules: CB-FIGHT-03, CB-FIGHT-12, CB-DISENG-03, CB-PANIC-11, CB-FEAT-54.
    """
    dice = _strength_dice(fighter, weapon)
    if halved:
        full_dice = sum(part.amount for part in dice)
        dice = (Modifier(max(1, full_dice // 2), f"half of {full_dice} dice", "CB-DISENG-03"),)
    feature_edges = dice_pools.feature_edges(fighter, "STR", "melee", "", settings)
    general = (*list_check_edges(fighter, intellect=False, needs_sight=False), *feature_edges)
    return Pool(dice, general, settings.advantage_stacks)


def _strength_dice(fighter: Fighter, weapon: Weapon) -> tuple[Modifier, ...]:
    dice, _ = dice_pools.rating_parts(fighter.profile.strength, "STR")
    if weapon.strength_dice:
        return (*dice, Modifier(weapon.strength_dice, weapon.name, "CB-WEAP-17"))
    return dice


def _common_modifiers(
    fighter: Fighter, opponent: Fighter, weapon: Weapon, melee: Melee
) -> tuple[Modifier, ...]:
    _, rating_modifiers = dice_pools.rating_parts(fighter.profile.strength, "STR")
    modifiers = [*rating_modifiers, *fighter.standing_modifiers("melee"), *fighter.relic_weapon(weapon)]
    if weapon.strength_modifier:
        modifiers.append(Modifier(weapon.strength_modifier, weapon.name, "CB-WEAP-39"))
    if weapon.melee_modifier:
        modifiers.append(Modifier(weapon.melee_modifier, f"{weapon.name} in melee", "CB-WEAP-11"))
    if fighter.flies and not opponent.flies:
        modifiers.append(Modifier(1, "flying", "CB-FIGHT-12"))
    modifiers += dice_pools.crew_modifiers(fighter, "STR", "melee")
    if fighter.crew.has("pirates") and fighter.side in melee.outnumbering:
        modifiers.append(Modifier(1, "Pirates outnumber the enemy", "CB-SPEC-16"))
    if fighter.id in melee.orders:
        modifiers.append(ORDER_TOKEN)
    return tuple(modifiers)


def armed(melee: Melee, settings: Settings = DEFAULTS) -> Melee:
    """Return the melee with a weapon for each unarmed choice: the model's best or, by the setting, its
    first.

    Defenders choose what holds off most, then attackers what harms most; one weapon for all blows of a model.
    Rules: CB-FIGHT-01, CB-WEAP-10.
    """
    armed_melee = replace(melee, blows=tuple(_first_arms(blow, settings) for blow in melee.blows))
    if settings.melee_weapon == "first":
        return armed_melee
    for number in dict.fromkeys(blow.defender.id for blow in melee.blows if blow.defence_weapon is None):
        armed_melee = _with_best(armed_melee, number, settings, defends=True)
    for number in dict.fromkeys(one.attacker.id for one in melee.blows if one.weapon is None):
        armed_melee = _with_best(armed_melee, number, settings, defends=False)
    return armed_melee


def _first_arms(blow: Blow, settings: Settings) -> Blow:
    attack_weapon = blow.weapon or melee_weapon(blow.attacker, settings=settings)
    other = blow.defence_weapon or melee_weapon(blow.defender, settings=settings)
    return replace(blow, weapon=attack_weapon, defence_weapon=other)


def _with_best(melee: Melee, number: int, settings: Settings, *, defends: bool) -> Melee:
    """Return the melee in which one model has the weapon that serves it best."""
    places = [
        place
        for place, blow in enumerate(melee.blows)
        if number == (blow.defender if defends else blow.attacker).id
    ]
    first = melee.blows[places[0]]

    def holding(weapon: Weapon) -> Melee:
        blows = list(melee.blows)
        for place in places:
            given = (
                replace(blows[place], defence_weapon=weapon)
                if defends
                else replace(blows[place], weapon=weapon)
            )
            blows[place] = given
        return replace(melee, blows=tuple(blows))

    def worth(weapon: Weapon) -> Worth | None:
        ready = if_allowed(_prepared_blows, holding(weapon), places, settings)
        if ready is None:
            return None
        life, effect_chance = harm(ready)
        return (-life, -effect_chance) if defends else (life, effect_chance)

    return holding(best(fit_weapons(first.defender if defends else first.attacker), worth))


def attack_modifiers(blow: Blow, melee: Melee, team: int, settings: Settings) -> tuple[Modifier, ...]:
    """Return everything added to each attack die of a blow.

    team: models of the group that attack the same defender.
    Rules: CB-FIGHT-12, CB-CHARGE-07, CB-WEAP-08, CB-WEAP-11, CB-WEAP-20, CB-WEAP-39, CB-ACT-09, CB-ENV-01,
    CB-FEAT-09, CB-FEAT-14, CB-SPEC-12, CB-SPEC-16, CB-ORDER-05.
    """
    weapon = blow.arm
    modifiers = list(_common_modifiers(blow.attacker, blow.defender, weapon, melee))
    if blow.charging and blow.inches <= 0:
        modifiers.append(Modifier(1, "charge", "CB-CHARGE-07"))
        if weapon.charge_modifier:
            modifiers.append(Modifier(weapon.charge_modifier, f"{weapon.name} on a charge", "CB-WEAP-20"))
    if blow.defender.has(Condition.PANICKED):
        modifiers.append(Modifier(1, "opponent Panicked", "CB-FIGHT-12"))
    modifiers += dark_penalty(blow.attacker, dark=melee.dark, short=True, melee=True, settings=settings)
    modifiers += chameleon(blow.attacker, blow.defender)
    modifiers += to_hit_bonus(blow.defender, weapon, settings)
    if settings.melee_teamwork:
        modifiers += teamwork(team)
        allies = (other.attacker for other in melee.blows if other.defender.id == blow.defender.id)
        modifiers += pair_modifier(blow.attacker, allies) if melee.group else ()
    return (*modifiers, *melee.attack_modifiers)


def defence_modifiers(blow: Blow, weapon: Weapon, melee: Melee, settings: Settings) -> tuple[Modifier, ...]:
    """Return modifiers of each defence die against a blow. Rules: CB-FIGHT-12, CB-FIGHT-01, CB-SPEC-12."""
    modifiers = _common_modifiers(blow.defender, blow.attacker, weapon, melee)
    if settings.panicked_bonus_when_defending and blow.attacker.has(Condition.PANICKED):
        return (*modifiers, Modifier(1, "opponent Panicked", "CB-FIGHT-12"))
    return modifiers


# ---------------------------------------------------------------- preparation


def prepare_melee(melee: Melee, settings: Settings = DEFAULTS) -> PreparedMelee:
    """Check a declared melee and work out every pairing.

    Raises Forbidden for what the rules do not allow and InvalidInput for values out of range.
    Rules: CB-FIGHT-01 to CB-FIGHT-05, CB-FIGHT-12 to CB-FIGHT-14, CB-WEAP-07.
    """
    if not melee.blows:
        raise Missing("Choose at least one attacker and a target.")
    return _prepared(armed(melee, settings), settings)


def _prepared(melee: Melee, settings: Settings) -> PreparedMelee:
    return PreparedMelee(_prepared_blows(melee, range(len(melee.blows)), settings))


def _prepared_blows(melee: Melee, places: Iterable[int], settings: Settings) -> tuple[PreparedBlow, ...]:
    for blow in melee.blows:
        must_be_legal(blow, melee)
    _lending_is_legal(melee)
    attacks = _attack_shares(melee, settings)
    defences = _defence_shares(melee, settings)
    team = Counter(blow.defender.id for blow in melee.blows) if melee.group else Counter()
    return tuple(
        _prepare_blow(blow, melee, attacks[place], defences[place], team[blow.defender.id], settings)
        for place, blow in ((place, melee.blows[place]) for place in places)
    )


def _attack_shares(melee: Melee, settings: Settings) -> list[tuple[Pool, int]]:
    shares: dict[int, tuple[Pool, int]] = {}
    places = sorted(range(len(melee.blows)), key=lambda place: melee.blows[place].attacker.id)
    for _, group in groupby(places, key=lambda place: melee.blows[place].attacker.id):
        own_blows = list(group)
        first = melee.blows[own_blows[0]]
        pool = attack_pool(first.attacker, first.arm, settings, melee.attack_edges)
        shares_given = pool.share(tuple(melee.blows[place].dice for place in own_blows), first.attacker.name)
        shares.update({place: (pool, dice) for place, dice in zip(own_blows, shares_given, strict=True)})
    if any(dice < 1 for _, dice in shares.values()):
        raise InvalidInput("Each attack needs at least one die.")
    return [shares[place] for place in range(len(melee.blows))]


def _defence_shares(melee: Melee, settings: Settings) -> list[tuple[Pool, int]]:
    shares: dict[int, tuple[Pool, int]] = {}
    places = sorted(range(len(melee.blows)), key=lambda place: melee.blows[place].defender.id)
    for _, group in groupby(places, key=lambda place: melee.blows[place].defender.id):
        own_blows = list(group)
        first = melee.blows[own_blows[0]]
        weapon = first.defence_weapon or melee_weapon(first.defender)
        halved = first.defender.id in melee.halved
        pool = defence_pool(first.defender, weapon, settings, halved=halved)
        named_dice = [melee.blows[place].defence for place in own_blows]
        if all(dice is None for dice in named_dice):
            shares_given = even_shares(pool.available, len(own_blows))
        else:
            named = tuple(dice or 0 for dice in named_dice)
            shares_given = pool.share(named, first.defender.name, all_dice=False)
        shares.update({place: (pool, dice) for place, dice in zip(own_blows, shares_given, strict=True)})
    return [shares[place] for place in range(len(melee.blows))]


def _prepare_blow(
    blow: Blow,
    melee: Melee,
    attack: tuple[Pool, int],
    defence: tuple[Pool, int],
    team: int,
    settings: Settings,
) -> PreparedBlow:
    attacker, defender, weapon = blow.attacker, blow.defender, blow.arm
    prepared = allotted(
        *attack,
        edges=list_target_edges(defender, melee=True),
        modifiers=attack_modifiers(blow, melee, team, settings),
        targets=(*target_number(attacker, defender, weapon, near=True), *dice_pools.knack(attacker, "melee")),
        faces=dice_pools.faces_of(attacker, "melee", with_equipment=not weapon.is_natural),
    )
    defended = _prepare_defence(blow, melee, defence, settings)
    impact = impact_on(attacker, defender, weapon, settings, melee=True, vacuum=melee.vacuum)
    bout = Bout(defender.id, prepared.throw, defended.throw if defended else None, impact.impact)
    return PreparedBlow(bout, attacker, defender, weapon, prepared, defended, impact)


def _prepare_defence(
    blow: Blow, melee: Melee, defence: tuple[Pool, int], settings: Settings
) -> PreparedCheck | None:
    pool, dice = defence
    lent = tuple(Modifier(1, f"lent by {lender.name}", "CB-FIGHT-04") for lender in blow.lenders)
    if dice < 1 and not lent:
        return None
    defender = blow.defender
    weapon = blow.defence_weapon or melee_weapon(defender)
    return allotted(
        pool,
        dice,
        lent=lent,
        modifiers=defence_modifiers(blow, weapon, melee, settings),
        targets=(
            Modifier(blow.attacker.defense, f"{possessive(blow.attacker.name)} Defense", "CB-FIGHT-05"),
            *dice_pools.knack(defender, "melee"),
        ),
        faces=dice_pools.faces_of(defender, "melee", with_equipment=not weapon.is_natural),
    )


# ---------------------------------------------------------------- what is allowed


def must_be_legal(blow: Blow, melee: Melee) -> None:
    """Raise Forbidden for a blow that the rules do not allow. Rules: CB-FIGHT-01, CB-WEAP-07, CB-WEAP-33,
    CB-COND-04.
    """
    attacker, defender, weapon = blow.attacker, blow.defender, blow.arm
    require_able(attacker)
    require_targetable(defender)
    if attacker.id == defender.id:
        raise Forbidden(f"{attacker.name} can't attack itself.", "CB-FIGHT-01")
    must_work(attacker, weapon)
    needs_air(weapon, vacuum=melee.vacuum, underwater=melee.underwater)
    if not weapon.melee:
        raise Forbidden(f"{weapon.name} can't be used in melee.", "CB-WEAP-11")
    if blow.inches < 0:
        raise InvalidInput("A distance can't be below 0 in.")
    if blow.inches > weapon.reach_inches:
        limit_text = (
            f"only reaches {weapon.reach_inches} in"
            if weapon.reach_inches
            else "can only attack in base contact"
        )
        forbid(f"{weapon.name} {limit_text} (you entered {blow.inches:g} in).", "CB-WEAP-07")
    touching = attacker.is_engaged_with(defender) or blow.inches > 0 or blow.charging
    if melee.must_be_engaged and not touching:
        forbid(f"{attacker.name} and {defender.name} are not in contact.", "CB-FIGHT-01")


def _lending_is_legal(melee: Melee) -> None:
    attacked = {blow.defender.id for blow in melee.blows}
    lent: set[int] = set()
    for blow in melee.blows:
        for lender in blow.lenders:
            require_able(lender)
            if lender.id in attacked:
                raise Forbidden(f"{lender.name} is being attacked, so it can't lend a die.", "CB-FIGHT-04")
            if lender.id in lent:
                raise Forbidden(f"{lender.name} can lend only one die.", "CB-FIGHT-04")
            if lender.side != blow.defender.side or not lender.is_engaged_with(blow.attacker):
                raise Forbidden(
                    f"Only a friend engaged with {blow.attacker.name} can lend a die.", "CB-FIGHT-04"
                )
            lent.add(lender.id)
