"""Whether an attack may be made: rows behind, sight, visibility, reach, melee and ranged weapons.

Owns every refusal of an attack except the price in Combat Points; gives the distance and sight it found.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.geometry import reach
from rules.systems.soluna.melee import in_melee
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Sight, see
from rules.systems.soluna.situation import Situation
from rules.systems.soluna.visibility import Visible, effective_reach, plain_reach, surroundings


@dataclass(frozen=True, slots=True)
class Distance:
    """How the target is seen: reach before (`plain`) and after visibility (`effective`), light, lines."""

    plain: int
    effective: int
    visible: Visible
    sight: Sight


def distance(situation: Situation, settings: Settings) -> Distance:
    """Reach and sight from attacker to target. Raises Forbidden for squares behind and for unseen ones.

    Rules: SU-TGT-02, SU-TGT-03, SU-REACH-01, SU-VIS-07, SU-VIS-09.
    """
    board, target = situation.board, situation.target
    piece = board.piece(situation.attacker.id)
    if target is not None and board.piece(target.id).square != situation.square:
        raise InvalidInput(f"{target.name} does not stand on that square.")
    if target is not None and target.id == situation.attacker.id:
        raise InvalidInput("A model does not attack itself.")
    printed = reach(piece.square, piece.facing, situation.square)
    if printed is None:
        raise Forbidden("The target is behind the attacker; turn to face it first.", "SU-TGT-02")
    sight = see(board, piece.square, situation.square, settings)
    if sight is Sight.NONE:
        raise Forbidden("No line of sight to the target; move to where you see it.", "SU-TGT-03")
    plain = plain_reach(printed, total(situation.target_reach_effects))
    around = surroundings(board, piece.square, situation.square, situation.eyes)
    return Distance(plain, effective_reach(plain, around.factors, settings), around, sight)


def check_weapon(situation: Situation, found: Distance, settings: Settings) -> None:
    """Raises Forbidden when this weapon cannot be used on this target.

    Rules: SU-TGT-01, SU-TGT-04, SU-TGT-05, SU-VIS-02, SU-VIS-04, SU-MELEE-01, SU-GRID-05, SU-REACH-02.
    """
    gear, attacker, target = situation.gear, situation.attacker, situation.target
    if gear is not None and situation.weapon is not None and not attacker.carried()[situation.weapon][1]:
        raise Forbidden(f"{gear.name} is ruined; use another weapon.", "SU-GRID-05")
    groping = found.visible.groping
    if groping and found.plain > 1:
        raise Forbidden(f"In {groping.reason} only targets at reach 1 can be attacked.", groping.rule)
    if not situation.melee and target and in_melee(situation.board, attacker, target):
        raise Forbidden("In melee only melee weapons are used against each other.", "SU-MELEE-01")
    least = settings.ranged_min_reach
    if not situation.melee and found.plain < least:
        raise Forbidden(
            f"The target is at reach {found.plain}: a ranged weapon needs {least} or more.", "SU-TGT-04"
        )
    own = situation.weapon_reach
    if found.effective > own and (situation.melee or not settings.long_reach_option):
        rule = "SU-OPT-02" if settings.long_reach_option else "SU-TGT-01"
        raise Forbidden(f"The target is at reach {found.effective}, the weapon has Reach {own}.", rule)


def check_target(situation: Situation, settings: Settings) -> Distance:
    """Reach and sight of an attack that may be declared. Raises Forbidden with the reason.

    Rules: SU-TGT-01 to SU-TGT-06, SU-VIS-02, SU-VIS-04, SU-MELEE-01, SU-OPT-01, SU-OPT-02.
    """
    found = distance(situation, settings)
    check_weapon(situation, found, settings)
    return found


def overreach(effective: int, weapon_reach: int) -> int:
    """Started multiples of its Reach that a target lies beyond a weapon, 0 or more; both 1 or more.

    Rules: SU-OPT-01.
    """
    return max(0, -(-effective // weapon_reach) - 1)
