"""Psionics: how many powers, how often, the checks and attacks that use them, and shields against them.

Owns what all powers share. The effects of each are in `mind_powers`, `force_powers`, `shift_powers`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.dice import Dice
from rules.effects import Assign, Effect
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.building.crew import get_command_range
from rules.systems.counterblast.core import dice_pools
from rules.systems.counterblast.core.checks import ORDER_TOKEN, CheckResult, PreparedCheck, Throw, throw
from rules.systems.counterblast.core.conditions import list_check_edges, require_able, require_targetable
from rules.systems.counterblast.core.counters import TRINKET_NOW, Counter
from rules.systems.counterblast.core.dice_pools import Pool, allotted, even_shares
from rules.systems.counterblast.core.fighter import BORROWED_POWER, Fighter
from rules.systems.counterblast.core.impacts import (
    Impact,
    Suffered,
    damage_die,
    shield_dice,
    suffer,
    teamwork,
)
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Power
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.turn.activation import pair_modifier
from rules.wording import possessive

COMMAND_TEAM = frozenset({"calm", "frighten", "power_blast", "telekinesis"})
"""Powers whose helpers must be in the source's Command Range; other powers use their own range."""


# ------------------------------------------------------------------------------------------- powers known


def knows(psionic: Fighter, power: str) -> bool:
    """Return whether a model may use a power: chosen, borrowed by a Probe, or any for a Deep Savant.

    Rules: CB-PSI-01, CB-PSI-19, CB-FEAT-46.
    """
    if psionic.profile.psionic is None:
        return False
    has_deep_study = "deep" in psionic.choices("savant")
    return has_deep_study or power in psionic.profile.powers or psionic.has(BORROWED_POWER.of(power))


# ------------------------------------------------------------------------------------------- shields


def strength_row(dice: int) -> tuple[int, int]:
    """Return the Power of a psionic attack and what it takes off the target's shield, by dice of the rating.

    dice: 1 or more; above 4 as 4. Rules: CB-PSI-03.
    """
    row = load().charts["psionic_power"].row(dice)
    return row.value("power"), row.value("shield")


def shield_against(target: Fighter, dice: int, settings: Settings = DEFAULTS) -> tuple[Modifier, ...]:
    """Return every source of the target's shield dice against a psionic attack, and the reduction.

    A Lead Helmet counts more against psionics. Rules: CB-PSI-03, CB-PSI-04, CB-GEAR-18, CB-SHIELD-03.
    """
    sources = list(target.shield_parts())
    for item in target.gear:
        if item.extra_psionic_shield:
            extra = settings.lead_helmet_psionic - item.shield
            sources.append(Modifier(extra, item.name, "CB-GEAR-18"))
    reduction = strength_row(dice)[1]
    if reduction:
        sources.append(Modifier(reduction, f"psionic rating of {dice}D", "CB-PSI-03"))
    return tuple(sources)


def psionic_impact(
    psionic: Fighter, target: Fighter, *, damage: int = 1, settings: Settings = DEFAULTS
) -> Impact:
    """Return the effect of each psionic success: damage, or an effect if `damage` is 0; shields help.

    Rules: CB-PSI-03, CB-PSI-04, CB-PSI-17, CB-PSI-21, CB-FEAT-59.
    """
    dice = dice_pools.rating_of(psionic, "PSI").dice
    return Impact(
        power=strength_row(dice)[0],
        damage=damage,
        shields=shield_dice(shield_against(target, dice, settings)),
        tough=target.has_feature("tough"),
        stuns=damage == 0,
        ones_cancel=settings.shield_ones_cancel,
    )


# ------------------------------------------------------------------------------------------- using a power


@dataclass(frozen=True, slots=True)
class Aim:
    """One target of a power: the model, its distance, whether it is seen, and how many dice (0: all)."""

    target: Fighter
    inches: float = 0
    sighted: bool = True
    dice: int = 0


@dataclass(frozen=True, slots=True)
class Use:
    """The use of a power: its user, its row of the library, and its targets.

    team: models that take part, the source included; with three the +1 of a group. order_token: one is
    spent. extra: further modifiers, named by the table.
    """

    psionic: Fighter
    power: str
    aims: tuple[Aim, ...] = ()
    team: int = 1
    order_token: bool = False
    extra: tuple[Modifier, ...] = ()

    @property
    def row(self) -> Power:
        """Return the row of the library. Raises UnknownEntry."""
        return load().powers[self.power]


@dataclass(frozen=True, slots=True)
class PreparedPower:
    """A power ready to be rolled: one check for each target, with its reasons and what hits do."""

    checks: tuple[PreparedCheck, ...]
    impacts: tuple[Impact, ...] = ()

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Return the dice of each target."""
        return tuple(check.throw for check in self.checks)


def require_use(use: Use) -> None:
    """Refuse, with Forbidden, a power that may not be used now.

    The model is able and knows the power; every target in range, and in sight where the power needs it;
    several targets only where it allows them. `activation` accounts for its price: a power costs its actions,
    an attack is the one attack. Rules: CB-PSI-01, CB-PSI-02, CB-PSI-06.
    """
    psionic, row = use.psionic, use.row
    require_able(psionic)
    dice_pools.rating_of(psionic, "PSI")
    if not knows(psionic, row.power):
        forbid(f"{psionic.name} doesn't know {row.name}.", "CB-PSI-01")
    if len(use.aims) > 1 and not row.several_targets:
        forbid(f"{row.name} can have only one target.", row.rules[0])
    if len({aim.target.id for aim in use.aims}) < len(use.aims):
        raise InvalidInput("List each target only once.")
    for aim in use.aims:
        _require_aim(use, aim)


def _require_aim(use: Use, aim: Aim) -> None:
    row, target = use.row, aim.target
    if aim.inches < 0:
        raise InvalidInput("A distance can't be below 0 in.")
    if aim.inches > row.range_inches and target.id != use.psionic.id:
        aim_words = (
            f"reaches {row.range_inches} in (you entered {aim.inches:g} in)"
            if row.range_inches
            else "needs base contact"
        )
        forbid(f"{row.name} {aim_words}.", row.rules[0])
    if row.line_of_sight and not aim.sighted:
        forbid(f"{use.psionic.name} can't see {target.name}.", row.rules[0])
    if row.attack or row.power in ("probe", "scan"):
        if target.side == use.psionic.side:
            forbid(f"Choose an enemy. {target.name} belongs to the same crew.", row.rules[0])
        if row.power != "scan":
            require_targetable(target)


def actions_of(power: str) -> tuple[str, int]:
    """Return the action that a power is, "psionic" or "psionic_attack", and its cost of 1 or 2 actions.

    Rules: CB-PSI-02, CB-PSI-15.
    """
    row = load().powers[power]
    return ("psionic_attack" if row.attack else "psionic"), row.actions


def psionic_modifiers(use: Use) -> tuple[Modifier, ...]:
    """Return what is added to each die of a power.

    Rules: CB-GEAR-44, CB-GEAR-45, CB-VEH-48, CB-SPEC-18, CB-ACT-09, CB-ORDER-05, CB-PSI-23.
    """
    psionic = use.psionic
    _, rated = dice_pools.rating_parts(dice_pools.rating_of(psionic, "PSI"), "PSI")
    modifiers = [*rated, *psionic.gear_modifiers("psionics"), *psionic.standing_modifiers("psionics")]
    modifiers += dice_pools.crew_modifiers(psionic, "PSI", "psionics")
    modifiers += teamwork(use.team)
    modifiers += use.extra
    if use.order_token:
        modifiers.append(ORDER_TOKEN)
    return tuple(modifiers)


def prepare_power(use: Use, settings: Settings = DEFAULTS) -> PreparedPower:
    """Prepare a power: one check for each target, the dice allotted before anything is rolled.

    An action rolls at the power's own target number, an attack at each target's Defense. Where no dice are
    named for several targets they are shared out evenly. Without a target
    model (a power on oneself) a single check is prepared. Raises Forbidden, InvalidInput.
    Rules: CB-PSI-02, CB-PSI-04, CB-PSI-06, CB-CHECK-08, CB-FEAT-11, CB-FEAT-63.
    """
    require_use(use)
    psionic, row = use.psionic, use.row
    dice, _ = dice_pools.rating_parts(dice_pools.rating_of(psionic, "PSI"), "PSI")
    edges = (
        *dice_pools.feature_edges(psionic, "PSI", "psionics", "", settings),
        *list_check_edges(psionic, intellect=False, needs_sight=row.line_of_sight),
    )
    pool = Pool(dice, edges, settings.advantage_stacks)
    aims = use.aims or (Aim(psionic),)
    dealt = tuple(aim.dice for aim in aims)
    if len(aims) > 1 and not any(dealt):
        dealt = even_shares(pool.available, len(aims))
    shares = pool.share(dealt, psionic.name)
    if min(shares) < 1:
        raise InvalidInput("Each target needs at least one die.")
    checks = tuple(
        _prepare_share(use, pool, aim.target, share) for aim, share in zip(aims, shares, strict=True)
    )
    impacts = tuple(
        psionic_impact(psionic, aim.target, damage=row.damage, settings=settings)
        for aim in aims
        if row.shielded
    )
    return PreparedPower(checks, impacts)


def _prepare_share(use: Use, pool: Pool, target: Fighter, dice: int) -> PreparedCheck:
    row, psionic = use.row, use.psionic
    if row.target is None:
        number = Modifier(target.defense, f"{possessive(target.name)} Defense", "CB-STAT-08")
    else:
        number = Modifier(row.target, row.name, row.rules[0])
    return allotted(
        pool,
        dice,
        modifiers=psionic_modifiers(use),
        targets=(number, *dice_pools.knack(psionic, "psionics")),
        faces=dice_pools.faces_of(
            psionic, "psionics", with_equipment=bool(psionic.gear_modifiers("psionics"))
        ),
        lucky=psionic.count(TRINKET_NOW) > 0,
    )


# ------------------------------------------------------------------------------------------- teamwork


def helper_range(power: str, source: Fighter) -> int:
    """Return how far from the source helpers may stand who work together on a power, in inches.

    Command Range of the source for Calm, Frighten, Power Blast and Telekinesis; the power's own range for
    others; base contact with the target (0) for Heal. Raises UnknownEntry. Rules: CB-PSI-06.
    """
    row = load().powers[power]
    return get_command_range(source) if row.power in COMMAND_TEAM else row.range_inches


def prepare_team(
    uses: tuple[tuple[Use, float], ...], settings: Settings = DEFAULTS
) -> tuple[PreparedCheck, ...]:
    """Prepare one power used by several models together at one target: their dice form one check.

    uses: the source first, each with its distance in inches to the source (for Heal: to the target). All must
    know the power. Raises Forbidden for one too far away.
    Rules: CB-PSI-06, CB-ACT-08, CB-ACT-09, CB-FEAT-09.
    """
    if len(uses) < 2:
        raise InvalidInput("Teamwork needs at least two models.")
    source = uses[0][0]
    team = tuple(use.psionic for use, _ in uses)
    reach = helper_range(source.power, source.psionic)
    prepared = []
    for use, inches in uses:
        if use is not source and inches > reach:
            place = f"within {reach} in of {source.psionic.name}" if reach else "in contact with the patient"
            forbid(f"{use.psionic.name} must be {place} to help.", "CB-PSI-06")
        if use.power != source.power:
            raise Forbidden("In Teamwork, all models must use the same power.", "CB-ACT-08")
        extra = (*use.extra, *pair_modifier(use.psionic, team))
        team_use = replace(use, aims=source.aims, team=len(team), extra=extra)
        prepared.append(prepare_power(team_use, settings).checks[0])
    return tuple(prepared)


# ------------------------------------------------------------------------------------------- rolling


def use_power(dice: Dice, throws: tuple[Throw, ...], criticals: bool = False) -> CheckResult:
    """Roll a psionic check; critical successes are told where the power asks for them.

    Rules: CB-CHECK-01, CB-PSI-02.
    """
    return throw(dice, throws, count=("criticals",) if criticals else (), label="psionics")


@dataclass(frozen=True, slots=True)
class Strike:
    """One target of a psionic attack: the dice, and what hits do."""

    target: int
    throws: tuple[Throw, ...]
    impact: Impact


@dataclass(frozen=True, slots=True)
class Struck:
    """The result of a psionic attack for one target, and the net 1s of its dice."""

    suffered: Suffered
    net_ones: int = 0
    critical: bool = False


def strike(dice: Dice, aimed: Strike, criticals: bool = False) -> Struck:
    """Roll a psionic attack at one target: dice at its Defense, then its shields, lowered.

    criticals: a critical success is told, hit or shielded. Rules: CB-PSI-04, CB-PSI-16, CB-PSI-17, CB-PSI-21.
    """
    rolled = use_power(dice, aimed.throws, criticals)
    suffered = suffer(dice, rolled.net, 0, aimed.impact)
    return Struck(suffered, rolled.net_ones, bool(rolled.net and rolled.criticals))


def backlash(dice: Dice, net_ones: int, defense: int, impact: Impact) -> Suffered:
    """Roll the backlash of a botched attack: one die for each net 1 at the psionic's own Defense.

    net_ones: 1 or more for dice to be rolled. Rules: CB-PSI-18, CB-PSI-22.
    """
    if net_ones < 1:
        return Suffered(0)
    hits = dice.pool(net_ones, damage_die(0, defense), "backlash")[0]
    return suffer(dice, hits, 0, impact)


def backlash_impact(psionic: Fighter, settings: Settings = DEFAULTS) -> Impact:
    """Return the effect of each backlash die on the psionic. Rules: CB-PSI-18, CB-PSI-22."""
    return psionic_impact(psionic, psionic, settings=settings)


# ------------------------------------------------------------------------------------------- Fahz Jiin


def fahz_jiin_rerolls(psionic: Fighter) -> int:
    """Return failed dice of Psionic checks that a Fahz Jiin lets it roll again: one for each psionic die.

    Roll them with `checks.reroll_failed_dice`. Rules: CB-GEAR-46, CB-PSI-05.
    """
    if not psionic.has_gear("fahz_jiin") or psionic.profile.psionic is None:
        return 0
    return psionic.profile.psionic.value if psionic.count(Counter.FAHZ_JIIN) < 2 else 0


def take_fahz_jiin(psionic: Fighter) -> tuple[Effect, ...]:
    """Begin the one activation of this encounter in which it works. Raises Forbidden. Rules: CB-GEAR-46."""
    if not psionic.has_gear("fahz_jiin"):
        raise Forbidden(f"{psionic.name} carries no Fahz Jiin.", "CB-GEAR-46")
    if psionic.count(Counter.FAHZ_JIIN):
        forbid("Fahz Jiin only works in one activation per encounter.", "CB-GEAR-46")
    return (Assign("model", psionic.id, Counter.FAHZ_JIIN, 1),)
