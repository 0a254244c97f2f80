"""One attack as declared: whether it may be made, its Power and its Accuracy, with every modifier named."""

from __future__ import annotations

from dataclasses import dataclass

from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board, Facing, GravityDirection, Point, behind, reach
from rules.systems.soluna.models import STILL_PHASES, Clock, Condition, Counter, Model, Payment, phases_still
from rules.systems.soluna.profile import MAX_POWER, Weapon
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import (
    Eyes,
    Sight,
    Visible,
    effective_reach,
    plain_reach,
    sight_of,
    surroundings,
)
from rules.wording import times

UNARMED_REACH = 1


@dataclass(frozen=True, slots=True)
class Situation:
    """One attack as declared.

    target: the model attacked, None for a square, cover or Artifact. weapon: place among the attacker's
    weapons, None for bare hands. origin: where an area effect comes from, None for a plain attack. The tuples
    of modifiers are what abilities, Artifacts and surroundings give. dice: fewer dice than the Power, None
    for all. ignored: locations the attack passes over. names: (model id, name) of those that may be in the
    way, for replies. lunge: the attacker moves up before it strikes. Rules: SU-TGT-06.
    """

    board: Board
    attacker: Model
    square: Point
    target: Model | None
    weapon: int | None
    clock: Clock
    payment: Payment | None = None
    low_power: bool = False
    dice: int | None = None
    power_effects: tuple[Modifier, ...] = ()
    accuracy_effects: tuple[Modifier, ...] = ()
    target_reach_effects: tuple[Modifier, ...] = ()
    weapon_reach_effects: tuple[Modifier, ...] = ()
    ignored: frozenset[str] = frozenset()
    origin: Point | None = None
    names: tuple[tuple[int, str], ...] = ()
    lunge: bool = False

    @property
    def gear(self) -> Weapon | None:
        """Return the weapon, None for bare hands. Raises InvalidInput for a place that holds none."""
        if self.weapon is None:
            return None
        if not 0 <= self.weapon < len(self.attacker.profile.weapons):
            raise InvalidInput(f"Pick a weapon that {self.attacker.name} carries.")
        return self.attacker.profile.weapons[self.weapon]

    @property
    def melee(self) -> bool:
        """Return whether the attack is made with a melee weapon or bare hands. Rules: SU-TGT-05."""
        return self.gear is None or self.gear.melee

    @property
    def source(self) -> Point:
        """Return the square the attack comes from: the area's origin or the attacker's own."""
        return self.board.piece(self.attacker.id).square if self.origin is None else self.origin

    @property
    def weapon_reach(self) -> int:
        """Return the Reach of the weapon with effects in play, at least 1; bare hands have 1.

        Rules: SU-VIS-09, SU-TGT-05.
        """
        if self.gear is None:
            return UNARMED_REACH
        return max(1, self.gear.reach + total(self.weapon_reach_effects))

    @property
    def eyes(self) -> Eyes:
        """Return how the attacker sees this target."""
        traits = self.attacker.profile.traits
        return Eyes(
            sees_in_dark="sees in the dark" in traits,
            sightless="sightless" in traits,
            blinded=self.attacker.has(Condition.BLINDED),
            target_lit=self.target is not None and self.target.has(Condition.LIT),
        )


def melee_reach(model: Model) -> int:
    """Return the longest Reach among usable melee weapons, or 0. Rules: SU-MELEE-01, SU-GRID-05."""
    carried = model.carried()
    return max(
        (
            weapon.reach
            for place, weapon in enumerate(model.profile.weapons)
            if weapon.melee and carried[place][1]
        ),
        default=0,
    )


def reaches_with_melee(board: Board, model: Model, square: Point) -> bool:
    """Return whether a usable melee weapon of the model reaches the square, by printed reach."""
    piece = board.piece(model.id)
    distance = reach(piece.square, piece.facing, square)
    return distance is not None and distance <= melee_reach(model)


def in_melee(board: Board, attacker: Model, defender: Model) -> bool:
    """Return whether both have a melee weapon that reaches the other.

    It does not matter who acts in this phase. Rules: SU-MELEE-01.
    """
    if not (melee_reach(attacker) and melee_reach(defender)):
        return False
    return reaches_with_melee(board, attacker, board.piece(defender.id).square) and reaches_with_melee(
        board, defender, board.piece(attacker.id).square
    )


def still_strikes(
    *, fell_now: bool, in_melee_with_striker: bool, has_acted: bool, settings: Settings
) -> bool:
    """Return whether a model put out of action in this phase still makes its melee attack, as it was
    before.

    fell_now: it fell in this very phase; has_acted: it had its Action already. Rules: SU-MELEE-01.
    """
    return settings.melee_simultaneous and fell_now and in_melee_with_striker and not has_acted


@dataclass(frozen=True, slots=True)
class Distance:
    """How the target is seen: reach before (`plain`) and after visibility (`effective`), light, lines."""

    plain: int
    effective: int
    visible: Visible
    sight: Sight


def measure_distance(situation: Situation, settings: Settings) -> Distance:
    """Reach and sight from attacker to target. Raises Forbidden for squares behind and for unseen ones.

    Rules: SU-TGT-02, SU-TGT-03, SU-REACH-01, SU-VIS-07, SU-VIS-09.
    """
    board, target = situation.board, situation.target
    piece = board.piece(situation.attacker.id)
    if target is not None and board.piece(target.id).square != situation.square:
        raise InvalidInput(f"Pick the square that {target.name} is on.")
    if target is not None and target.id == situation.attacker.id:
        raise InvalidInput("Pick another target. A model can't attack itself.")
    printed_reach = reach(piece.square, piece.facing, situation.square)
    if printed_reach is None:
        raise Forbidden("Turn to face the target first. It is behind the attacker.", "SU-TGT-02")
    sight = sight_of(board, piece.square, situation.square, settings)
    if sight is Sight.NONE:
        raise Forbidden("Move to where you can see the target. There is no line of sight.", "SU-TGT-03")
    base_reach = plain_reach(printed_reach, total(situation.target_reach_effects))
    visibility = surroundings(board, piece.square, situation.square, situation.eyes)
    return Distance(base_reach, effective_reach(base_reach, visibility.factors, settings), visibility, sight)


def check_weapon(situation: Situation, target_distance: Distance, settings: Settings) -> None:
    """Check that this weapon can be used on this target. Raises Forbidden.

    Rules: SU-TGT-01, SU-TGT-04, SU-TGT-05, SU-VIS-02, SU-VIS-04, SU-MELEE-01, SU-GRID-05, SU-REACH-02.
    """
    gear, attacker, target = situation.gear, situation.attacker, situation.target
    if gear is not None and situation.weapon is not None and not attacker.carried()[situation.weapon][1]:
        raise Forbidden(f"Use another weapon. {gear.name} is ruined.", "SU-GRID-05")
    groping = target_distance.visible.groping
    if groping and target_distance.plain > 1:
        raise Forbidden(
            f"Pick a target at reach 1, because that is the limit in {groping.reason}.", groping.rule
        )
    if not situation.melee and target and in_melee(situation.board, attacker, target):
        raise Forbidden("Use a melee weapon. You are in melee with this target.", "SU-MELEE-01")
    min_reach = settings.ranged_min_reach
    if not situation.melee and target_distance.plain < min_reach:
        raise Forbidden(
            f"The target is too close. It is at reach {target_distance.plain}, and a ranged weapon needs "
            f"{min_reach} or more.",
            "SU-TGT-04",
        )
    own_reach = situation.weapon_reach
    if target_distance.effective > own_reach and (situation.melee or not settings.long_reach_option):
        rule = "SU-OPT-02" if settings.long_reach_option else "SU-TGT-01"
        is_changed = target_distance.effective != target_distance.plain
        effective_text = f" (counts as {target_distance.effective})" if is_changed else ""
        raise Forbidden(
            (
                f"The target is too far away. It is at reach {target_distance.plain}{effective_text}, and "
                f"{'bare hands have' if gear is None else 'the weapon has'} Reach {own_reach}."
            ),
            rule,
        )


def check_target(situation: Situation, settings: Settings) -> Distance:
    """Reach and sight of an attack that may be declared. Raises Forbidden with the reason.

    Rules: SU-TGT-01 to SU-TGT-06, SU-VIS-02, SU-VIS-04, SU-MELEE-01, SU-OPT-01, SU-OPT-02.
    """
    target_distance = measure_distance(situation, settings)
    check_weapon(situation, target_distance, settings)
    return target_distance


def overreach(effective: int, weapon_reach: int) -> int:
    """Return the started multiples of its Reach that a target is beyond a weapon, 0 or more.

    Rules: SU-OPT-01.
    """
    return max(0, -(-effective // weapon_reach) - 1)


SIZE_MODIFIERS = {0: -3, 1: -1, 3: 1, 4: 3}
MOVING_RUN = 5
FAST_RUN = 10


def size_modifier(size: int) -> int:
    """Return the Accuracy for the target's Size, 0 or more; above 4 as 4. Rules: SU-ACC-02, SU-STAT-02."""
    return SIZE_MODIFIERS.get(min(size, 4), 0)


def sight_modifier(sight: Sight) -> Modifier | None:
    """Return the Accuracy for blocked sight lines. Rules: SU-ACC-03, SU-ACC-04, SU-LOS-05."""
    if sight is Sight.PARTLY:
        return Modifier(-2, "partly obstructed", "SU-ACC-03")
    if sight is Sight.HIDDEN:
        return Modifier(-4, "hidden", "SU-ACC-04")
    return None


def movement_modifier(run: int) -> Modifier | None:
    """Return the Accuracy for the squares of the target's unbroken run. Rules: SU-ACC-07, SU-ACC-08."""
    if run > FAST_RUN:
        return Modifier(-3, "fast-moving target", "SU-ACC-08")
    if run >= MOVING_RUN:
        return Modifier(-1, "moving target", "SU-ACC-07")
    return None


def injury_modifier(attacker: Model) -> Modifier | None:
    """Return the Accuracy for what the attacker has lost from Mind and Health. Rules: SU-ACC-09."""
    pairs = (attacker.lost("mind") + attacker.lost("health")) // 2
    return Modifier(-pairs, "injured attacker", "SU-ACC-09") if pairs else None


def still_modifier(attacker: bool, target: bool, settings: Settings) -> Modifier | None:
    """Return Accuracy when attacker or target has not changed square for five phases. Rules: SU-ACC-06."""
    stationary_count = int(attacker) + int(target)
    if not stationary_count:
        return None
    words = (
        "both stationary"
        if stationary_count == 2
        else "stationary attacker"
        if attacker
        else "stationary target"
    )
    return Modifier(2 * stationary_count if settings.stationary_each else 2, words, "SU-ACC-06")


def accuracy_modifiers(
    situation: Situation, target_distance: Distance, settings: Settings
) -> tuple[Modifier, ...]:
    """Return the weapon's Accuracy and everything that changes it; no lower limit.

    Where the attacker only gropes there is no Accuracy: one entry of 0 that says why.
    Rules: SU-ACC-01 to SU-ACC-10, SU-GRAP-04, SU-OPT-01, SU-OPT-02, SU-VIS-02, SU-VIS-04, SU-TGT-05.
    """
    groping = target_distance.visible.groping
    if groping:
        return (Modifier(0, f"no Accuracy in {groping.reason}", groping.rule),)
    gear, attacker, target = situation.gear, situation.attacker, situation.target
    if gear is None:
        modifiers: list[Modifier | None] = [Modifier(0, "bare hands", "SU-TGT-05")]
    else:
        modifiers = [Modifier(gear.accuracy, gear.name, "SU-ACC-01")]
    modifiers += situation.accuracy_effects
    modifiers.append(sight_modifier(target_distance.sight))
    are_stationary = [
        model is not None and phases_still(model, situation.clock, settings) >= STILL_PHASES
        for model in (attacker, target)
    ]
    modifiers.append(still_modifier(are_stationary[0] and not situation.lunge, are_stationary[1], settings))
    if target is not None:
        modifiers += _target_modifiers(target, melee=situation.melee)
    modifiers.append(injury_modifier(attacker))
    if situation.payment is not None:
        modifiers.append(situation.payment.modifier)
    if settings.long_reach_option and not situation.melee:
        excess_multiples = overreach(target_distance.effective, situation.weapon_reach)
        modifiers.append(
            Modifier(-excess_multiples, "beyond Reach", "SU-OPT-01") if excess_multiples else None
        )
    return tuple(modifier for modifier in modifiers if modifier is not None)


def _target_modifiers(target: Model, *, melee: bool) -> list[Modifier | None]:
    size = size_modifier(target.profile.size)
    return [
        Modifier(size, f"target of Size {target.profile.size}", "SU-ACC-02") if size else None,
        Modifier(-2, "prone target", "SU-ACC-05") if target.has(Condition.PRONE) else None,
        movement_modifier(target.counter(Counter.RUN)),
        Modifier(2, "grappled target", "SU-GRAP-04") if melee and target.has(Condition.GRAPPLED) else None,
    ]


def gravity_power(strength: int, direction: GravityDirection, attacker: Point, target: Point) -> int:
    """Return gravity's effect on Power: raised along its direction, lowered against it, else unchanged.

    An attack runs along the direction when it covers at least as many squares along it as to the side.
    Rules: SU-PWR-04.
    """
    if direction == "down" or not strength:
        return 0
    gx, gy = Facing[direction.upper()].value
    dx, dy = target[0] - attacker[0], target[1] - attacker[1]
    parallel, sideways = dx * gx + dy * gy, abs(dx * gy - dy * gx)
    if not parallel or abs(parallel) < sideways:
        return 0
    return strength if parallel > 0 else -strength


def half_power(power: int) -> int:
    """Return half the Power, rounded up: a weapon low on power. Rules: SU-PWR-02."""
    return -(-power // 2)


def power_modifiers(situation: Situation, settings: Settings) -> tuple[Modifier, ...]:
    """Return the weapon's Power and everything that changes it, in the order applied; the sum may be below
    1.

    Bare hands use the attacker's present Health. The square behind is judged from the attack's source.
    Rules: SU-TGT-05, SU-PWR-02, SU-PWR-03, SU-PWR-04, SU-PWR-05, SU-AREA-02.
    """
    gear = situation.gear
    if gear is None:
        base = Modifier(situation.attacker.value("health"), "Health (with bare hands)", "SU-TGT-05")
    else:
        base = Modifier(gear.power, gear.name, "SU-STAT-01")
    surroundings = _surroundings_modifiers(situation)
    if not situation.low_power:
        return (base, *situation.power_effects, *surroundings)
    if settings.low_power_order == "weapon_only":
        return (base, _low_power_modifier(base.amount), *situation.power_effects, *surroundings)
    base_modifiers = (base, *situation.power_effects)
    if settings.low_power_order == "last":
        all_modifiers = (*base_modifiers, *surroundings)
        return (*all_modifiers, _low_power_modifier(total(all_modifiers)))
    return (*base_modifiers, _low_power_modifier(total(base_modifiers)), *surroundings)


def _low_power_modifier(power: int) -> Modifier:
    return Modifier(half_power(power) - power, "low on power", "SU-PWR-02")


def _surroundings_modifiers(situation: Situation) -> tuple[Modifier, ...]:
    board, source, square = situation.board, situation.source, situation.square
    modifiers = []
    gravity_amount = gravity_power(board.gravity, board.gravity_direction, source, square)
    if gravity_amount:
        modifiers.append(
            Modifier(gravity_amount, "with gravity" if gravity_amount > 0 else "against gravity", "SU-PWR-04")
        )
    if situation.target is not None and behind(square, board.piece(situation.target.id).facing, source):
        modifiers.append(Modifier(1, "from behind", "SU-PWR-05"))
    return tuple(modifiers)


def dice_rolled(power: int, chosen_dice: int | None) -> int:
    """Return the dice to roll: the Power, at least 1 and at most 30, or fewer when the attacker chooses so.

    Raises InvalidInput for a choice below 1, Forbidden for one above the Power.
    Rules: SU-PWR-01, SU-PWR-04.
    """
    max_dice = min(max(1, power), MAX_POWER)
    if chosen_dice is None:
        return max_dice
    if chosen_dice < 1:
        raise InvalidInput("Roll at least one die for an attack.")
    if chosen_dice > max_dice:
        raise Forbidden(
            f"Roll at most {times(max_dice, 'die', 'dice')} (the Power of this attack).", "SU-PWR-01"
        )
    return chosen_dice
