"""Who helps in an attack, and what everybody in it will have used afterwards.

Owns the costs of attacks; whoever only asks for chances goes through the same functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.games.fracd_earth.drawing import nothing_else
from bot.games.fracd_earth.figures import (
    activation_of,
    figure_of,
    require_acting,
    require_active,
    trait_of,
)
from bot.games.fracd_earth.traits import trait_word
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import actions
from rules.systems.fracd_earth.actions import Activation
from rules.systems.fracd_earth.weapons import Weapon


def check_friends(act: Act, attacker: ModelRow, friends: Sequence[ModelRow]) -> None:
    """Raise Forbidden unless they are other figures of the same side, each helping in one way.

    Rules: FE-TEAM-01, FE-TEAM-03.
    """
    for place, row in enumerate(friends):
        if row in friends[:place]:
            raise Forbidden(f"{row.name} gives its action once: Teamwork or Combined.", "FE-TEAM-03")
        if row.side != attacker.side or row.id == attacker.id:
            raise Forbidden(f"{row.name} cannot help {attacker.name}.", "FE-TEAM-01")
        require_active(act.encounter, row)
        act.require_model(row)


def check_group(act: Act, group: Sequence[ModelRow], weapon: Weapon) -> None:
    """Raise Forbidden unless everybody in a Combined attack has something of the same kind.

    Rules: FE-TEAM-03.
    """
    for row in group:
        weapons = figure_of(act.encounter, row).profile.weapons
        if not any(trait_of(each) == trait_of(weapon) for each in weapons):
            trait = trait_word(trait_of(weapon))
            raise Forbidden(f"{row.name} has no weapon for {trait}: it cannot combine.", "FE-TEAM-03")


def check_defenders(act: Act, target: ModelRow, rows: Sequence[ModelRow]) -> None:
    """Raise Forbidden unless each of these may defend together with a target. Rules: FE-TEAM-03."""
    check_friends(act, target, rows)


def check_away(away: Sequence[ModelRow], friends: Sequence[ModelRow]) -> None:
    """Raise InvalidInput unless those who have the target neither in range nor in reach help at all."""
    for row in away:
        if row not in friends:
            raise InvalidInput(f"{row.name} does not help here: name it under support too.")


def takes_main(manner: str) -> bool:
    """Whether an attack in that manner takes the Main action. Rules: FE-ACT-03, FE-ACT-05, FE-RCH-02."""
    return manner not in ("quick", "wild")


def may_attack(act: Act, action: Any) -> None:
    """Refuses an attack while something is resolved, or that takes the Main action of one who does not act.

    Rules: FE-ACT-01, FE-CHAL-01.
    """
    nothing_else(act, action)
    require_active(act.encounter, action.attacker)
    if takes_main(action.manner):
        require_acting(act, action.attacker)


def actions_used(
    encounter: Encounter,
    attacker: ModelRow,
    manner: str,
    friends: Sequence[ModelRow] = (),
    away: Sequence[ModelRow] = (),
) -> list[tuple[ModelRow, Activation]]:
    """What everybody in the attack will have used after it; nothing before the game begins.

    away: friends with the target out of range and reach. Raises Forbidden.
    Rules: FE-ACT-03, FE-ACT-04, FE-ACT-05, FE-ACT-06, FE-MOV-02, FE-RCH-02.
    """
    require_active(encounter, attacker)
    if encounter.row.turn < 1:
        return []
    used = activation_of(attacker)
    if takes_main(manner):
        used = actions.attack(used, "focused" if manner == "focused" else "basic")
    else:
        used = actions.react(used)
    helping = [
        (friend, actions.attack(activation_of(friend), "teamwork", opponent_near=friend not in away))
        for friend in friends
    ]
    return [(attacker, used), *helping]
