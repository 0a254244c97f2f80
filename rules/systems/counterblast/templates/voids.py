"""Voids: a template or a rifle's shot whose victims escape to its edge or are gone; no wounds.

Owns the check to escape and what follows; where a template lands and who lies under it is in `templates`.
"""

from __future__ import annotations

from typing import Literal

from rules.dice import Dice
from rules.effects import Effect, Gain, Leave
from rules.refusals import Forbidden
from rules.systems.counterblast.core import ability
from rules.systems.counterblast.core.casualties import CASUALTY
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import LASTS
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.templates.templates import Cast, Under

VOID_TARGET = 7

Void = Literal["edge", "removed"]
VoidShot = Literal["missed", "edge", "removed"]


def void(dice: Dice, escape: Throw | None) -> Void:
    """A void template: a model that escapes is put at its edge and knocked down, any other is gone.

    escape: None for a model only partly covered, which is moved without a check.
    Rules: CB-WEAP-31, CB-WEAP-32, CB-TMPL-16, CB-TMPL-18.
    """
    if escape is None or throw(dice, (escape,), label="escape").net:
        return "edge"
    return "removed"


def void_shot(dice: Dice, throws: tuple[Throw, ...], escape: Throw | None) -> VoidShot:
    """A Void Rifle: AGL against Defense; a model that is hit counts as wholly covered by the void.

    escape: its Initiative check at 7, None for a model that can make no check and is gone when hit.
    Rules: CB-WEAP-32, CB-WEAP-31.
    """
    if not throw(dice, throws, label="attack").net:
        return "missed"
    return dice.call(void, escape) if escape is not None else "removed"


def prepare_void(cast: Cast, under: Under, settings: Settings = DEFAULTS) -> Prepared | None:
    """Prepare the check of a model under a void template: Initiative at 7 when wholly covered.

    Rules: CB-WEAP-31, CB-TMPL-16, CB-TMPL-18.
    """
    if under.partly or cast.indirect:
        return None
    if under.target.is_incapacitated:
        raise Forbidden(f"{under.target.name} can make no check and is gone.", "CB-COND-05")
    return ability.initiative_check(under.target, VOID_TARGET, settings=settings)


def after_void(target: Fighter, outcome: VoidShot) -> tuple[Effect, ...]:
    """Gone as a casualty, or at the edge and Prone. Rules: CB-WEAP-31, CB-WEAP-32, CB-TMPL-18."""
    if outcome == "missed":
        return ()
    if outcome == "removed":
        return (Leave(target.id, CASUALTY),)
    if target.has(Condition.PRONE):
        return ()
    return (Gain(target.id, Condition.PRONE, until=LASTS[Condition.PRONE], source="void"),)
