"""How many dice a weapon throws, by turn, and Total Reaction.

Owns the Burst before close combat's bonuses; knows no targets but their number.
"""

from __future__ import annotations

from rules.refusals import Forbidden
from rules.systems.infinity.profile import Weapon
from rules.wording import times


def burst_of(weapon: Weapon, *, active: bool, total_reaction: bool = False, targets: int = 1) -> int:
    """Dice of one attack with the weapon: all of its Burst when active, 1 in ARO, all with Total Reaction.

    targets: 1 or more; Forbidden in ARO beyond one, and in any turn beyond the Burst.
    Rules: INF-F2F-07, INF-TRX-01.
    """
    if not active and targets > 1:
        rule = "INF-TRX-01" if total_reaction else "INF-F2F-07"
        raise Forbidden("In ARO all dice go to one target.", rule)
    if targets > weapon.burst:
        raise Forbidden(
            f"{weapon.name} throws {times(weapon.burst, 'die', 'dice')}: {targets} targets are too many.",
            "INF-F2F-07",
        )
    return weapon.burst if active or total_reaction else 1
