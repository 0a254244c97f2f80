"""Power: how many dice an attack rolls, with every modifier named.

Owns weapon, effects, low power, gravity and the back of the target. Knows no Accuracy and no damage.
"""

from __future__ import annotations

from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import GravityDirection
from rules.systems.soluna.geometry import Facing, Point, behind
from rules.systems.soluna.profile import MAX_POWER
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.situation import Situation


def gravity_power(strength: int, direction: GravityDirection, attacker: Point, target: Point) -> int:
    """What gravity does to Power: raised along its direction, lowered against it, nothing across.

    An attack runs along the direction when it covers at least as many squares along it as to the side.
    Rules: SU-PWR-04.
    """
    if direction == "down" or not strength:
        return 0
    gx, gy = Facing[direction.upper()].value
    dx, dy = target[0] - attacker[0], target[1] - attacker[1]
    along, across = dx * gx + dy * gy, abs(dx * gy - dy * gx)
    if not along or abs(along) < across:
        return 0
    return strength if along > 0 else -strength


def half_power(power: int) -> int:
    """Half the Power, rounded up: a weapon low on power. Rules: SU-PWR-02."""
    return -(-power // 2)


def power_modifiers(situation: Situation, settings: Settings) -> tuple[Modifier, ...]:
    """The weapon's Power and everything that changes it, in the order applied; the sum may be below 1.

    Bare hands use the attacker's present Health. The square behind is judged from the attack's source.
    Rules: SU-TGT-05, SU-PWR-02, SU-PWR-03, SU-PWR-04, SU-PWR-05, SU-AREA-02.
    """
    gear = situation.gear
    if gear is None:
        base = Modifier(situation.attacker.value("health"), "bare hands: Health", "SU-TGT-05")
    else:
        base = Modifier(gear.power, gear.name, "SU-STAT-01")
    surroundings = _surroundings(situation)
    if not situation.low_power:
        return (base, *situation.power_effects, *surroundings)
    if settings.low_power_order == "weapon_only":
        return (base, _halved(base.amount), *situation.power_effects, *surroundings)
    first = (base, *situation.power_effects)
    if settings.low_power_order == "last":
        everything = (*first, *surroundings)
        return (*everything, _halved(total(everything)))
    return (*first, _halved(total(first)), *surroundings)


def _halved(power: int) -> Modifier:
    return Modifier(half_power(power) - power, "low on power", "SU-PWR-02")


def _surroundings(situation: Situation) -> tuple[Modifier, ...]:
    board, source, square = situation.board, situation.source, situation.square
    found = []
    pull = gravity_power(board.gravity, board.gravity_direction, source, square)
    if pull:
        found.append(Modifier(pull, "with gravity" if pull > 0 else "against gravity", "SU-PWR-04"))
    if situation.target is not None and behind(square, board.piece(situation.target.id).facing, source):
        found.append(Modifier(1, "from behind", "SU-PWR-05"))
    return tuple(found)


def dice_rolled(power: int, chosen: int | None) -> int:
    """Dice to roll: the Power, at least 1 and at most 30, or fewer when the attacker chooses so.

    Raises InvalidInput for a choice below 1, Forbidden for one above the Power.
    Rules: SU-PWR-01, SU-PWR-04.
    """
    most = min(max(1, power), MAX_POWER)
    if chosen is None:
        return most
    if chosen < 1:
        raise InvalidInput("An attack rolls at least one die.")
    if chosen > most:
        raise Forbidden(f"This attack has Power {most}; roll that many dice or fewer.", "SU-PWR-01")
    return chosen
