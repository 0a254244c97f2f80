"""Attacks and defences: every modifier, reach and range, Teamwork and Combined attacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.deck import Prepared, prepare
from rules.systems.fracd_earth.modifiers import Modifiers, general_modifiers
from rules.systems.fracd_earth.movement import Cover
from rules.systems.fracd_earth.outcomes import edges
from rules.systems.fracd_earth.profile import INACTIVE, PRONE, Figure
from rules.systems.fracd_earth.settings import Settings
from rules.systems.fracd_earth.weapons import REACHES, Weapon
from rules.wording import possessive, times

MAX_QUICK_RANGE = 12
MID_INCHES = 4
"""A shot that goes no farther loses no card, whatever its range."""
MOVE_EDGE_INCHES = 2


def threatens(reach_inches: float, distance_inches: float, *, in_front: bool) -> bool:
    """Return whether a figure's weapon threatens a place.

    Adjacent places always; farther ones up to the Reach, in the 180 degree front only. Rules: FE-RCH-01.
    """
    return distance_inches <= 0 or (in_front and distance_inches <= reach_inches)


def wild_strike_allowed(reach_inches: float, closest_inches: float, *, in_front: bool, engages: bool) -> bool:
    """Return whether a figure that came within reach but does not engage may be struck. Rules: FE-RCH-02."""
    return not engages and threatens(reach_inches, closest_inches, in_front=in_front)


def must_stop(
    own_reach: float, opposing_reach: float, distance_inches: float, *, in_front: bool, charging: bool = False
) -> bool:
    """Return whether a figure moving into a fight has to stop here.

    In front of the opponent's reach, or with the opponent in its own; a charge goes on to its own reach.
    in_front: the mover is in the opponent's front. Rules: FE-RCH-03, FE-RCH-07.
    """
    if distance_inches <= own_reach:
        return True
    return not charging and threatens(opposing_reach, distance_inches, in_front=in_front)


def strike_refusal(weapon: Weapon, distance_inches: float) -> None:
    """Raise Forbidden unless the weapon reaches that far in a fight. Rules: FE-RCH-03, FE-ACT-02."""
    if weapon.reach_inches is None:
        raise Forbidden(f"{weapon.title} can't be used in a Fight.", "FE-ACT-02")
    if distance_inches > weapon.reach_inches:
        reach = f"the reach of {weapon.title} is {weapon.reach_inches:g} in"
        raise Forbidden(f"Move closer. The target is {distance_inches:g} in away, and {reach}.", "FE-RCH-03")


def enters_opponent(distance_inches: float, *, charging: bool) -> bool:
    """Return whether a move ends in a Slam Challenge: a charge into the opponent's own place.

    Raises Forbidden where a figure that does not charge goes there. Rules: FE-RCH-07.
    """
    if distance_inches >= 0:
        return False
    if not charging:
        raise Forbidden("Charge to move into an opponent's space.", "FE-RCH-07")
    return True


def inside_reach(attacker_reach: float, defender_reach: float) -> bool:
    """Return whether the attacker is two steps or more below the longer weapon. Rules: FE-RCH-04.

    Raises InvalidInput for a Reach that does not exist.
    """
    if attacker_reach not in REACHES or defender_reach not in REACHES:
        raise InvalidInput("A Reach must be 0, 1/2, 1 or 2 inches.")
    return REACHES.index(defender_reach) - REACHES.index(attacker_reach) >= 2


def readiest(weapon: Weapon, carried: tuple[Weapon, ...]) -> Weapon | None:
    """Return the weapon with which a defender is not an Easy Target; the first one if all are equal.

    Rules: FE-CMB-08, FE-RCH-04.
    """
    own_reach = weapon.reach_inches or 0
    return min(carried, key=lambda one: is_easy(own_reach, one.reach_inches or 0), default=None)


def is_easy(own_reach: float, opposing_reach: float) -> bool:
    """Return whether the defender's reach makes it an Easy Target in a Fight. Rules: FE-CMB-08, FE-RCH-04."""
    return (own_reach > 0 and opposing_reach == 0) or inside_reach(own_reach, opposing_reach)


@dataclass(frozen=True, slots=True)
class ClosingIn:
    """A Fight won at a reach disadvantage: the move instead of the primary success, then perhaps a strike."""

    inches: int
    strikes: bool
    edges_left: int


def close_in(margin: int) -> ClosingIn:
    """Move in as the primary success and strike with the first Edge.

    margin: how much the engaging figure won by, 1 or more. Raises Forbidden. Rules: FE-RCH-05.
    """
    if margin < 1:
        raise Forbidden("Only the winner of the Fight can close in.", "FE-RCH-05")
    earned = edges(margin)
    return ClosingIn(MOVE_EDGE_INCHES, earned > 0, max(0, earned - 1))


def disengage(*, restrained: bool, opponent_engaged_elsewhere: bool, by_edge: bool = False) -> bool:
    """Return whether leaving a fight lets the opponent make a Quick attack (defended with Def or Manv).

    Raises Forbidden for a restrained figure. Rules: FE-DIS-01, FE-DIS-02.
    """
    if restrained:
        raise Forbidden("A Restrained figure can't move away.", "FE-DIS-01")
    return not by_edge and not opponent_engaged_elsewhere


def quick_range(effective_inches: float) -> float:
    """Return a Quick shot's range: 12 inches, or the effective range. Rules: FE-CMB-05, FE-RNG-02."""
    return min(MAX_QUICK_RANGE, effective_inches)


def breaks(weapon: Weapon) -> tuple[float, ...]:
    """Return the distances (inches) at which an attack with the weapon changes, the last its limit.

    A Fight ends with the Reach, a power with the Range; a shot also changes at half of it, a Quick one ends
    sooner. Rules: FE-RCH-03, FE-CMB-05, FE-CMB-07.
    """
    if weapon.reach_inches is not None:
        return (weapon.reach_inches,)
    full_range = float(weapon.range_inches or 0)
    if weapon.suit:
        return (full_range,)
    return tuple(sorted({max(float(MID_INCHES), full_range / 2), quick_range(full_range), full_range}))


def beyond_mid_range(distance_inches: float, effective_inches: float, *, power: bool = False) -> bool:
    """Return whether a shot or throw loses a card: beyond 4 inches and beyond half the range; never a
    power.

    Rules: FE-CMB-07.
    """
    return not power and distance_inches > MID_INCHES and 2 * distance_inches > effective_inches


MAX_SUPPORT = 3


def support(supporters: int) -> Modifier:
    """Return the cards for the primary attacker: one for each supporter, at most three. Raises InvalidInput.

    Rules: FE-TEAM-01, FE-CMB-09.
    """
    if not 0 <= supporters <= 50:
        raise InvalidInput("An attack can have 0 to 50 supporters.")
    reason = f"Teamwork from {times(supporters, 'ally', 'allies')}"
    return Modifier(min(supporters, MAX_SUPPORT), reason, "FE-TEAM-01")


def alternating(edges: int, members: tuple[int, ...], extras: tuple[int, ...]) -> int:
    """Spread further attacks over the team after the primary hit; gives the Edges left, one spent for each.

    members: the team, primary attacker included. extras: who strikes each further attack. Raises Forbidden
    for more attacks than Edges, InvalidInput for a figure outside the team. Rules: FE-TEAM-02.
    """
    if any(figure not in members for figure in extras):
        raise InvalidInput("Pick a member of the team. No one else shares its attacks.")
    if len(extras) > edges:
        raise Forbidden(
            f"Each further attack costs 1 Edge (you have {edges} and chose {times(len(extras), 'attack')}).",
            "FE-TEAM-02",
        )
    return edges - len(extras)


@dataclass(frozen=True, slots=True)
class Share:
    """The contribution of one member of a group to a Combined attack or defence."""

    force: int = 0
    marks: int = 0
    column_shift: int = 0
    row_shift: int = 0


def combined(shares: tuple[Share, ...]) -> Share:
    """Return the best of each value in the group; nothing is added up. Raises InvalidInput without members.

    Rules: FE-TEAM-03.
    """
    if not shares:
        raise InvalidInput("A group needs at least one member.")
    return Share(
        force=max(share.force for share in shares),
        marks=max(share.marks for share in shares),
        column_shift=max(share.column_shift for share in shares),
        row_shift=max(share.row_shift for share in shares),
    )


AttackTrait = Literal["cast", "fight", "shoot"]
DefenceTrait = Literal["def", "manv"]
Manner = Literal["basic", "focused", "quick"]

ATTACK_TRAITS: tuple[AttackTrait, ...] = ("cast", "fight", "shoot")


@dataclass(frozen=True, slots=True)
class Situation:
    """One attack as declared.

    trait: Fight hand to hand, Shoot at a distance (throws too), Cast for powers. distance_inches: between
    bases. effective_inches: the shooter's range where it differs from the weapon's. cover: what the line of
    sight crosses. supporters: active allies who gave their Main action. moving: the attack is made while
    moving; ran: the figure runs this activation; platform: it is on a moving platform. defender_reach: that
    of the defender's weapon in a Fight. from_behind: the attacker is in the defender's blind side.
    on_foot_above: the attacker is afoot above the defender. crossed: whose bases the line of sight passes
    over, those that the attacker's base touches left out.
    """

    attacker: Figure
    defender: Figure
    weapon: Weapon
    trait: AttackTrait
    manner: Manner = "basic"
    distance_inches: float = 0
    effective_inches: float | None = None
    cover: Cover = "none"
    supporters: int = 0
    moving: bool = False
    ran: bool = False
    platform: bool = False
    defender_reach: float = 0
    from_behind: bool = False
    on_foot_above: bool = False
    hidden: bool = False
    skill: str = ""
    crossed: tuple[str, ...] = ()

    @property
    def range_inches(self) -> float:
        """Return how far the attack reaches."""
        if self.effective_inches is not None:
            return self.effective_inches
        return float(self.weapon.range_inches or self.weapon.reach_inches or 0)


def refuse_attack(situation: Situation) -> None:
    """Raise Forbidden where the attack is not allowed: out of range or reach, hidden, behind another figure's
    base, focused while moving; InvalidInput for what no attack has.

    Rules: FE-CMB-03, FE-CMB-05, FE-RNG-02, FE-RCH-03, FE-DET-01, FE-HID-01, FE-ACT-02, FE-ACT-07.
    """
    if situation.trait not in ATTACK_TRAITS:
        raise InvalidInput("Use Fight, Shoot or Cast for an attack.")
    if situation.distance_inches < 0:
        raise InvalidInput("A distance must be 0 inches or more.")
    if situation.hidden:
        raise Forbidden(f"Detect {situation.defender.name} first, because it is Hidden.", "FE-DET-01")
    if situation.manner == "focused" and (situation.moving or situation.ran):
        raise Forbidden("Stand still for a Focused attack, because it takes the Move action.", "FE-CMB-03")
    if situation.trait == "fight":
        if situation.crossed:
            raise InvalidInput(
                'Leave "Figures whose bases block the line of fire" blank. A Fight attack only needs reach.'
            )
        strike_refusal(situation.weapon, situation.distance_inches)
        return
    if situation.crossed:
        raise Forbidden(
            f"{possessive(situation.crossed[0])} base blocks line of sight to {situation.defender.name}.",
            "FE-ACT-07",
        )
    limit = situation.range_inches
    if situation.trait == "shoot" and situation.manner == "quick":
        limit = quick_range(limit)
        if situation.distance_inches > limit:
            raise Forbidden(f"Move closer. This Quick shot reaches at most {limit:g} in.", "FE-CMB-05")
    if situation.distance_inches > limit:
        raise Forbidden(f"The target is too far away. The range is {limit:g} in.", "FE-ACT-02")


def easy_target_reasons(situation: Situation) -> tuple[str, ...]:
    """Return why a Fight's defender is an Easy Target; else empty. Rules: FE-CMB-08, FE-RCH-04."""
    if situation.trait != "fight":
        return ()
    own_reach = situation.weapon.reach_inches or 0
    reasons = (
        (own_reach > 0 and situation.defender_reach == 0, "defender has no reach"),
        (situation.from_behind, "from behind"),
        (situation.weapon.touch, "weapon with Touch"),
        (situation.on_foot_above and situation.defender.has(PRONE), "above a Prone defender"),
        (inside_reach(own_reach, situation.defender_reach), "inside the defender's reach"),
    )
    return tuple(words for applies, words in reasons if applies)


def _easy_marks(situation: Situation, settings: Settings) -> tuple[Modifier, ...]:
    """Marks for the attacker; the defender's penalty is the same, turned round."""
    reasons = easy_target_reasons(situation)
    if not reasons:
        return ()
    if settings.easy_target == "per_reason":
        return tuple(Modifier(1, f"easy target: {words}", "FE-CMB-08") for words in reasons)
    return (Modifier(1, f"easy target: {', '.join(reasons)}", "FE-CMB-08"),)


def attack(situation: Situation, settings: Settings) -> Prepared:
    """Return the attacker's cards and trait, with every reason, and the Effect shifts of manner and weapon.

    Raises Forbidden, InvalidInput. Rules: FE-CMB-03, FE-CMB-04, FE-CMB-06, FE-CMB-07, FE-CMB-08, FE-CMB-09,
    FE-CMB-11, FE-MOV-02, FE-RNG-01, FE-MOD-06, FE-ACT-03, FE-ACT-04, FE-ACT-05, FE-PRO-04.
    """
    refuse_attack(situation)
    modifiers = general_modifiers(
        situation.attacker, situation.trait, settings, skill=situation.skill, rank=situation.weapon.rank
    )
    modifiers = modifiers.plus(
        *manner_marks(
            situation.trait,
            situation.manner,
            moving=situation.moving,
            ran=situation.ran,
            platform=situation.platform,
        )
    )
    power = situation.trait == "cast"
    long_range = beyond_mid_range(situation.distance_inches, situation.range_inches, power=power)
    if situation.trait != "fight" and long_range:
        modifiers = modifiers.plus(Modifier(-1, "beyond mid-range", "FE-CMB-07"))
    if settings.easy_target != "defender_penalty":
        modifiers = modifiers.plus(*_easy_marks(situation, settings))
    modifiers = modifiers.plus(support(situation.supporters))
    shifts = int(situation.manner == "focused") + situation.weapon.row_shift
    return prepare(modifiers.marks, modifiers.points, settings, effect_shifts=shifts)


def manner_marks(
    trait: str, manner: Manner, *, moving: bool = False, ran: bool = False, platform: bool = False
) -> tuple[Modifier, ...]:
    """Return the marks for the manner: focused [+]; quick, moving, platform one [-] together; Run [-].

    Rules: FE-CMB-03, FE-CMB-04, FE-RNG-01, FE-MOV-02.
    """
    hasty = (("quick", manner == "quick"), ("moving", moving), ("platform", platform and trait == "shoot"))
    reasons = [words for words, applies in hasty if applies]
    rule = "FE-RNG-01" if reasons == ["platform"] else "FE-CMB-04"
    return (
        Modifier(int(manner == "focused"), "focused", "FE-CMB-03"),
        Modifier(-1 if reasons else 0, ", ".join(reasons), rule),
        Modifier(-1 if ran and manner != "quick" else 0, "running", "FE-MOV-02"),
    )


def may_defend(figure: Figure) -> bool:
    """Return whether the target may react with its free Def or Manv, if it isn't Inactive. Rules: FE-DEF-01,
    FE-DEF-02, FE-ACT-10.
    """
    return not figure.has(INACTIVE)


def defence(situation: Situation, trait: DefenceTrait, settings: Settings) -> Prepared:
    """Return the defender's cards and trait, with every reason.

    trait: Def or Manv, its choice. Raises Forbidden for an Inactive target: make a Check instead.
    Rules: FE-CMB-01, FE-CMB-02, FE-CMB-08, FE-CMB-10, FE-DEF-01, FE-DEF-02, FE-MOD-06.
    """
    if trait not in ("def", "manv"):
        raise InvalidInput("A target can only defend with Def or Manv.")
    if not may_defend(situation.defender):
        raise Forbidden(
            (f"{situation.defender.name} is Inactive and can't defend. The attacker makes a Check instead."),
            "FE-DEF-02",
        )
    modifiers = general_modifiers(situation.defender, trait, settings)
    if situation.cover != "none":
        modifiers = modifiers.plus(Modifier(1, "concealed", "FE-CMB-02"))
    if settings.easy_target == "defender_penalty" and _easy_marks(situation, settings):
        reasons = ", ".join(easy_target_reasons(situation))
        modifiers = modifiers.plus(Modifier(-1, f"easy target: {reasons}", "FE-CMB-08"))
    modifiers = _with_size(modifiers, situation, trait, settings)
    return prepare(modifiers.marks, modifiers.points, settings)


def _with_size(
    modifiers: Modifiers, situation: Situation, trait: DefenceTrait, settings: Settings
) -> Modifiers:
    difference = situation.attacker.profile.size - situation.defender.profile.size
    if settings.size_mod == "cards":
        return modifiers.plus(Modifier(difference, "size", "FE-CMB-01"))
    value = situation.defender.profile.trait(trait)
    return modifiers.plus_points(Modifier(max(difference, -value), "size", "FE-CMB-01"))
