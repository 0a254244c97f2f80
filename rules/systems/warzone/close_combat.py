"""Close combat: who may strike, the modifiers of a strike, how many may attack one model, breaking away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.dice import Dice
from rules.effects import Count, Effect, Gain, Lose, Propose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.attacks import FUMBLE_MODIFIER, Attack, after_attack_roll, armour, damage_modifiers
from rules.systems.warzone.characteristic import opposition
from rules.systems.warzone.model import ATTACKS, Condition, Model
from rules.systems.warzone.morale import Act, check_may_act, state_modifiers
from rules.systems.warzone.movement import move_value
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.ranged import rampage_modifiers
from rules.systems.warzone.settings import Settings

Place = Literal["open", "wall", "doorway"]


@dataclass(frozen=True, slots=True)
class Strike:
    """A close combat attack as the table sees it.

    attackers: models that attack this target, this one included. secondary: the extra attack of a second
    weapon. from_rear: the attack comes from the target vehicle's rear arc. Its conditions say whether the
    attacker charged, fumbled or strikes from concealment. enemy_in_sight: the attacker sees an enemy.
    """

    attacker: Model
    target: Model
    weapon: Weapon
    attackers: int = 1
    secondary: bool = False
    from_rear: bool = False
    enemy_in_sight: bool = True


def strike_modifiers(strike: Strike) -> tuple[Modifier, ...]:
    """Return every modifier on CC for this attack. Raises Forbidden where it may not be made.

    Rules: WZ-CC-02 to WZ-CC-09, WZ-PRES-01, WZ-PRES-02.
    """
    attacker, target = strike.attacker, strike.target
    check_may_act(attacker, Act.FIGHT)
    if attacker.has(Condition.PRONE):
        raise Forbidden(f"{attacker.name} is prone and can't attack. Stand up first.", "WZ-CC-06")
    if strike.attackers < 1:
        raise InvalidInput("The number of attackers must be at least 1.")
    modifiers = []
    if strike.attackers > 1:
        amount = min(strike.attackers - 1, 3)
        modifiers.append(Modifier(amount, f"{strike.attackers} attackers", "WZ-CC-02"))
    if attacker.has(Condition.CHARGED):
        modifiers.append(Modifier(1, "charging", "WZ-CC-03"))
    if attacker.has(Condition.CONCEALED):
        modifiers.append(Modifier(2, "first attack from concealment", "WZ-CC-04"))
    modifiers += state_modifiers(attacker, enemy_in_sight=strike.enemy_in_sight)
    modifiers += rampage_modifiers(attacker)
    if attacker.has(Condition.MINIMIZED):
        modifiers.append(Modifier(-2, "minimizing presence", "WZ-CC-06"))
    if target.has(Condition.PRONE):
        modifiers.append(Modifier(4, "target prone", "WZ-CC-06"))
    if strike.secondary:
        modifiers.append(Modifier(-4, "secondary attack", "WZ-CC-08"))
    if attacker.has(Condition.FUMBLED):
        modifiers.append(Modifier(FUMBLE_MODIFIER, "first attack after a fumble", "WZ-CC-07"))
    return tuple(modifiers)


def prepare_strike(strike: Strike, settings: Settings) -> Attack:
    """Return the numbers of the attack, for `attacks.attack` or `vehicles.attack_vehicle`. Raises
    Forbidden.

    Rules: WZ-CC-01, WZ-CRIT-03, WZ-DMG-07.
    """
    weapon, attacker = strike.weapon, strike.attacker
    first_limit = attacker.profile.cc + total(strike_modifiers(strike))
    if not weapon.has("close"):
        raise Forbidden(f"{weapon.name} isn't a close combat weapon. Choose one that is.", "WZ-CC-01")
    fumbled = attacker.has(Condition.FUMBLED)
    extra_damage = damage_modifiers(weapon, attacker, strike.target, settings, from_rear=strike.from_rear)
    return Attack(
        shots=1,
        limit=first_limit - FUMBLE_MODIFIER if fumbled else first_limit,
        dm=weapon.dm + total(extra_damage),
        ar=armour(strike.target, settings),
        hits=weapon.hits,
        critical_dm=settings.cc_crit_dm,
        fumbled=fumbled,
    )


def after_striking(attacker: Model, settings: Settings, *, fumbled: bool) -> tuple[Effect, ...]:
    """Return the effects of a strike on the attacker: fumble, charge bonus, concealment.

    Rules: WZ-CRIT-04, WZ-CC-03, WZ-CC-04.
    """
    effects = list(after_attack_roll(attacker, fumbled=fumbled))
    if attacker.has(Condition.CHARGED) and settings.charge_bonus_scope == "first_attack":
        effects.append(Lose(attacker.id, Condition.CHARGED))
    if attacker.has(Condition.CONCEALED):
        effects.append(Lose(attacker.id, Condition.CONCEALED))
    effects.append(Count("model", attacker.id, ATTACKS, 1))
    return tuple(effects)


def charge(
    attacker: Model, target: Model, settings: Settings, *, across_cover: bool = False
) -> tuple[Effect, ...]:
    """Move into base contact; the attack is an action of its own unless set otherwise.

    across_cover: the enemy is on the other side of cover, and the bonus is lost. Raises Forbidden. Rules:
    WZ-CC-03, WZ-CC-09, WZ-MOVE-01, WZ-SYS-04, WZ-PANIC-04, WZ-BROKEN-05.
    """
    check_may_act(attacker, Act.CHARGE)
    if attacker.has(Condition.PRONE):
        raise Forbidden(f"{attacker.name} is prone and can't charge. Stand up first.", "WZ-MOVE-01")
    if move_value(attacker) <= 0:
        raise Forbidden(f"{attacker.name} can't move, so it can't charge.", "WZ-SYS-04")
    effects: list[Effect] = [Gain(attacker.id, Condition.ENGAGED), Gain(target.id, Condition.ENGAGED)]
    if not across_cover:
        effects.append(Gain(attacker.id, Condition.CHARGED, target.id, "activation"))
    if settings.charge_includes_attack:
        details = (("target", target.id), ("actions", 0))
        effects.append(Propose("fight", attacker.id, f"{attacker.name} attacks immediately.", details))
    return tuple(effects)


def attackers_allowed(
    defender_size: int, attacker_sizes: tuple[int, ...], settings: Settings, *, place: Place = "open"
) -> int:
    """Return how many of these attackers may attack one model at a time.

    attacker_sizes: SZ of all who want to, one or more; the largest counts. Against a wall half, in a
    doorway two of the defender's SZ or smaller, one that is larger. Rules: WZ-CC-10 to WZ-CC-12.
    """
    if not attacker_sizes:
        raise InvalidInput("The number of attackers must be at least 1.")
    largest = max(attacker_sizes)
    if place == "doorway":
        return 2 if largest <= defender_size else 1
    attacker_limit = max(1, defender_size - largest + 4)
    if place == "wall":
        attacker_limit = (attacker_limit + 1) // 2 if settings.wall_rounding == "up" else attacker_limit // 2
    return max(1, attacker_limit)


@dataclass(frozen=True, slots=True)
class BreakAway:
    """The totals without dice: that of the model which leaves, and those of the opponents who hold it.

    Empty `theirs`: no one holds it and no dice are thrown.
    """

    ours: tuple[int, ...]
    theirs: tuple[int, ...]
    reroll_ties: bool = True


def break_away(dice: Dice, numbers: BreakAway) -> bool:
    """Roll one opposition test per opponent; the first that is lost ends it.

    True when the model is free. Rules: WZ-BREAK-01, WZ-BREAK-03.
    """
    return all(
        dice.call(opposition, own_total, enemy_total, reroll_ties=numbers.reroll_ties)
        for own_total, enemy_total in zip(numbers.ours, numbers.theirs, strict=True)
    )


def side_modifiers(model: Model, settings: Settings) -> tuple[Modifier, ...]:
    """Return the modifiers on one side's CC + ST: nerves, rampage, MP, and half its CC when prone.

    Rules: WZ-BREAK-01, WZ-PRES-01, WZ-PRES-02.
    """
    modifiers = [*state_modifiers(model, enemy_in_sight=True), *rampage_modifiers(model)]
    if model.has(Condition.MINIMIZED):
        modifiers.append(Modifier(-2, "minimizing presence", "WZ-PRES-01"))
    if model.has(Condition.PRONE):
        cc = model.profile.cc
        kept_cc = (cc + 1) // 2 if settings.half_cc_rounding == "up" else cc // 2
        modifiers.append(Modifier(kept_cc - cc, "prone, half CC", "WZ-PRES-02"))
    return tuple(modifiers)


def leaver_modifiers(leaver: Model, opponent: Model, settings: Settings) -> tuple[Modifier, ...]:
    """Return `side_modifiers`, and +1 for each SZ by which the leaver is smaller. Rules: WZ-BREAK-02."""
    modifiers = side_modifiers(leaver, settings)
    size_difference = opponent.profile.sz - leaver.profile.sz
    if size_difference > 0:
        modifiers += (
            Modifier(size_difference, f"{size_difference} SZ smaller than the opponent", "WZ-BREAK-02"),
        )
    return modifiers


def prepare_break_away(leaver: Model, opponents: tuple[Model, ...], settings: Settings) -> BreakAway:
    """Return the totals. opponents: those in contact who do not let it go; a vehicle needs no test.

    Raises Forbidden. Rules: WZ-BREAK-01, WZ-BREAK-02, WZ-BREAK-04.
    """
    check_may_act(leaver, Act.BREAK_AWAY)
    holders = () if leaver.vehicle else opponents
    base = leaver.profile.cc + leaver.profile.st
    return BreakAway(
        ours=tuple(base + total(leaver_modifiers(leaver, model, settings)) for model in holders),
        theirs=tuple(
            model.profile.cc + model.profile.st + total(side_modifiers(model, settings)) for model in holders
        ),
        reroll_ties=settings.opposition_tie == "reroll",
    )


def after_break_away(
    leaver: Model, released_models: tuple[Model, ...], settings: Settings, *, broke_away: bool
) -> tuple[Effect, ...]:
    """Return who is no longer locked. released: opponents that no other model holds in close combat.

    Rules: WZ-BREAK-01, WZ-BREAK-03.
    """
    if not broke_away:
        return ()
    effects: list[Effect] = [Lose(model.id, Condition.ENGAGED) for model in (leaver, *released_models)]
    if settings.breakaway_includes_move:
        details = (("actions", 0),)
        effects.append(Propose("move", leaver.id, f"{leaver.name} can move immediately.", details))
    return tuple(effects)
