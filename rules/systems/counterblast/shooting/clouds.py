"""Clouds: smoke and ink, where they lie, what they hide, when they are gone.

Owns the frozen `Cloud`; who stands in or touches one is told by the players.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core.conditions import must_be_able
from rules.systems.counterblast.core.fighter import Fighter


@dataclass(frozen=True, slots=True)
class Cloud:
    """A cloud: the number of its template (diameter in inches), its Cover, the turn in which it was made."""

    inches: int
    cover: int
    began: int

    def is_gone(self, turn: int) -> bool:
        """Whether it is gone: at the end of the turn after the one it was made in.

        turn: the one that ends. Rules: CB-FEAT-33, CB-GEAR-27.
        """
        return turn > self.began


def smoke(model: Fighter, turn: int, *, thrown: int = 0) -> Cloud:
    """A Smoke Grenade, or a vehicle's launcher: free, an [R5] cloud that touches the user, Cover [2].

    thrown: clouds made in this activation already, one is allowed. Raises Forbidden.
    Rules: CB-GEAR-27, CB-VEH-49.
    """
    must_be_able(model)
    item = next((one for one in model.gear if one.key in ("smoke_grenade", "smoke_screen_launcher")), None)
    if item is None:
        raise Forbidden(f"{model.name} carries no Smoke Grenades.", "CB-GEAR-27")
    if thrown:
        forbid("One cloud of smoke in an activation.", "CB-GEAR-27")
    return Cloud(item.value("template_inches"), item.value("cover"), turn)


def ink(model: Fighter, turn: int) -> Cloud:
    """An Ink Cloud, 1 action: an [R3] cloud that touches the model, Cover [3]. Raises Forbidden.

    Rules: CB-FEAT-33.
    """
    must_be_able(model)
    if not model.has_feature("ink_cloud"):
        raise Forbidden(f"{model.name} has no Ink Cloud.", "CB-FEAT-33")
    return Cloud(3, 3, turn)


def cover_in(cloud: Cloud, *, inside_or_touching: bool) -> int:
    """The Cover of a model: that of the cloud when in it or touching it, else none.

    Rules: CB-FEAT-33, CB-GEAR-27.
    """
    return cloud.cover if inside_or_touching else 0


def blocks_sight(*, crosses: bool, viewer_touches: bool, target_touches: bool) -> bool:
    """Whether a cloud blocks a line of sight that crosses it: not for models in it or touching it.

    Rules: CB-FEAT-33, CB-GEAR-27.
    """
    return crosses and not viewer_touches and not target_touches
