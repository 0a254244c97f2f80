"""Models that act as a pair: Bonded Heroes and Beasts, owners and their Watchdogs.

Owns who is activated with whom, the pair's Teamwork, the leash. Whom a model is paired with is told by the
table.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.effects import Assign, Effect, Gain, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core.conditions import LASTS
from rules.systems.counterblast.core.fighter import Condition, Counter, Fighter
from rules.systems.counterblast.core.panic import frightened

LEASH_INCHES = 6
PAIR = Modifier(1, "the pair", "CB-FEAT-09")


# ------------------------------------------------------------------------------------------- Bonded


def require_bond(hero: Fighter, beast: Fighter, bonded: frozenset[int] = frozenset()) -> None:
    """Refuse, with Forbidden, a pair that is no Bonded Hero with a Bonded Beast of its crew, or one of whom
    belongs to another pair. bonded: ids of models in pairs. Rules: CB-FEAT-08.
    """
    if not hero.profile.is_hero or hero.profile.is_beast:
        raise Forbidden(f"{hero.name} is no Hero to be bonded with a Beast.", "CB-FEAT-08")
    if not beast.profile.is_beast:
        raise Forbidden(f"{beast.name} is no Beast.", "CB-FEAT-08")
    for model in (hero, beast):
        if not model.has_feature("bonded"):
            forbid(f"{model.name} is not Bonded.", "CB-FEAT-08")
        if model.id in bonded:
            raise Forbidden(f"{model.name} belongs to another pair.", "CB-FEAT-08")
    if hero.side != beast.side:
        raise Forbidden("A pair belongs to one crew.", "CB-FEAT-08")


def bonds(models: tuple[Fighter, ...]) -> tuple[tuple[Fighter, Fighter], ...]:
    """The pairs that these models can be bonded as, each Hero with each Beast. Rules: CB-FEAT-08."""
    able = [model for model in models if model.has_feature("bonded")]
    beasts = [model for model in able if model.profile.is_beast]
    heroes = [model for model in able if model.profile.is_hero and model not in beasts]
    return tuple((hero, beast) for hero in heroes for beast in beasts)


def after_partner_activated(partner: Fighter) -> tuple[Effect, ...]:
    """When one of a pair is activated the other may be too, without a token and outside group limits.

    Rules: CB-FEAT-08, CB-GEAR-50.
    """
    if partner.is_incapacitated or partner.count(Counter.ACTIVATED):
        return ()
    return (Propose("activate", partner.id, f"{partner.name} may act with its partner, free."),)


def pair_modifier(model: Fighter, members: Iterable[Fighter]) -> tuple[Modifier, ...]:
    """+1 for a model whose partner takes part in the same shared action, beside the usual Teamwork.

    So the pair alone has +1 each, with a third model the pair +2 and the third +1. Bonded pairs and a
    Watchdog with its owner count alike. members: all who take part. Rules: CB-FEAT-09, CB-GEAR-50, CB-ACT-09.
    """
    partner = model.count(Counter.PARTNER)
    return (PAIR,) if partner and any(member.id == partner for member in members) else ()


# ------------------------------------------------------------------------------------------- Watchdog


def leash(owner: Fighter, dog: Fighter, inches: float) -> tuple[Effect, ...]:
    """A Watchdog more than 6 in from its owner becomes Panicked. Rules: CB-GEAR-50."""
    if owner.side != dog.side or inches <= LEASH_INCHES:
        return ()
    return frightened(dog, "away from its owner")


def is_watchdog_of(owner: Fighter, dog: Fighter) -> bool:
    """Whether the one may own the other as its Watchdog. Rules: CB-GEAR-49."""
    return owner.has_gear("watchdog") and dog.profile.is_beast and owner.side == dog.side


def after_owner_removed(dog: Fighter) -> tuple[Effect, ...]:
    """A Watchdog whose owner left play runs for the nearest table edge: it is Panicked, Fearless or not.

    Rules: CB-GEAR-50, CB-PANIC-10.
    """
    reason = f"{dog.name} lost its owner and runs for the nearest table edge."
    panics = Gain(dog.id, Condition.PANICKED, until=LASTS[Condition.PANICKED], source="its owner is gone")
    return (*(() if dog.has(Condition.PANICKED) else (panics,)), Propose("stray", dog.id, reason))


def stray_acts(dog: Fighter) -> tuple[Effect, ...]:
    """A Watchdog without its owner is activated: it cannot Rally and runs. Rules: CB-GEAR-50, CB-PANIC-10."""
    panics = tuple(effect for effect in after_owner_removed(dog) if isinstance(effect, Gain))
    reason = f"{dog.name} has no owner: it only runs."
    return (*panics, Assign("model", dog.id, Counter.RALLIED, 1), Propose("flee", dog.id, reason))
