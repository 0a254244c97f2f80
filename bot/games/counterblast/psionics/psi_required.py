"""What single psionic powers ask for beyond range and sight."""

from __future__ import annotations

from bot.games.counterblast.core.fighters import as_after
from bot.games.counterblast.psionics.power_choices import TK_TURN
from bot.games.counterblast.psionics.power_effects import Used
from bot.table.act import Act
from rules.effects import Assign
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.gear.skills import curable
from rules.systems.counterblast.psionics import shift_powers
from rules.systems.counterblast.psionics.force_powers import require_healing
from rules.systems.counterblast.psionics.mind_powers import require_identifiable


def require_power(act: Act, used: Used) -> None:
    """What single powers ask for beyond range and sight. Raises Forbidden, InvalidInput."""
    psionic, row = used.use.psionic, used.row
    if row.key == "calm_allies":
        for ally in used.targets:
            if ally.side != psionic.side:
                forbid(f"{ally.name} is no ally of {psionic.name}.", "CB-PSI-07")
            if not ally.has(Condition.PANICKED):
                raise InvalidInput(f"{ally.name} is not panicked.")
    elif row.key == "calm_attack":
        if not used.targets[0].has_feature("ferocious"):
            forbid(f"{used.targets[0].name} is not Ferocious: Calm does nothing to it.", "CB-PSI-08")
    elif row.power == "force_field":
        for ally in used.targets:
            if ally.side != psionic.side:
                forbid(f"{ally.name} is no ally of {psionic.name}.", "CB-PSI-12")
    elif row.power == "heal":
        require_healing(used.targets[0], (psionic, *used.helpers), used.inches)
    elif row.power == "deep_portal":
        shift_powers.require_portal(psionic, used.inches)
    elif row.power == "identify":
        require_identifiable(used.skill)
    elif row.key in ("telekinesis_self", "telekinesis_ally"):
        _require_lift(act, used)
    if row.power == "heal" and not curable(used.targets[0]):
        raise InvalidInput(f"{used.targets[0].name} has no wounds.")


def _require_lift(act: Act, used: Used) -> None:
    psionic = used.use.psionic
    if _is_stale(act, psionic):
        psionic = as_after(psionic, [Assign("model", psionic.id, shift_powers.TELEKINESIS, 0)])
    enemy = bool(used.targets) and used.targets[0].side != psionic.side
    shift_powers.require_telekinesis(psionic, moves_enemy=enemy)


def _is_stale(act: Act, psionic: Fighter) -> bool:
    """Whether what was lifted was lifted in an earlier turn."""
    return psionic.count(TK_TURN) != act.encounter.row.turn
