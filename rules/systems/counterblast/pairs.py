"""Models that act as a pair: Bonded Heroes and Beasts, owners and their Watchdogs.

Owns who is activated with whom, the pair's Teamwork, the leash. Whom a model is paired with is told by the
table.
"""

from __future__ import annotations

from rules.effects import Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.conditions import must_be_able
from rules.systems.counterblast.fighter import Counter, Fighter
from rules.systems.counterblast.panic import frightened
from rules.systems.counterblast.weapons import teamwork

LEASH_INCHES = 6
PAIR = Modifier(1, "the pair", "CB-FEAT-09")


# ------------------------------------------------------------------------------------------- Bonded


def require_bond(hero: Fighter, beast: Fighter, bonded: frozenset[int] = frozenset()) -> None:
    """Refuse, with Forbidden, a pair that is no Bonded Hero with a Bonded Beast of its crew, or one of whom
    belongs to another pair. bonded: ids of models in pairs. Rules: CB-FEAT-08.
    """
    if not hero.profile.is_hero or "beast" in hero.profile.types:
        raise Forbidden(f"{hero.name} is no Hero to be bonded with a Beast.", "CB-FEAT-08")
    if "beast" not in beast.profile.types:
        raise Forbidden(f"{beast.name} is no Beast.", "CB-FEAT-08")
    for model in (hero, beast):
        if not model.has_feature("bonded"):
            raise Forbidden(f"{model.name} is not Bonded.", "CB-FEAT-08")
        if model.id in bonded:
            raise Forbidden(f"{model.name} belongs to another pair.", "CB-FEAT-08")
    if hero.side != beast.side:
        raise Forbidden("A pair belongs to one crew.", "CB-FEAT-08")


def after_partner_activated(partner: Fighter) -> tuple[Effect, ...]:
    """When one of a pair is activated the other may be too, without a token and outside group limits.

    Rules: CB-FEAT-08, CB-GEAR-50.
    """
    if partner.is_incapacitated or partner.count(Counter.ACTIVATED):
        return ()
    return (Propose("activate", partner.id, f"{partner.name} may act with its partner, free."),)


def blocks_sight(viewer: Fighter, other: Fighter, pairs: tuple[tuple[int, int], ...]) -> bool:
    """Whether a model in the way blocks the viewer's line of sight; the two of a pair do not block each
    other. pairs: ids of each pair. Rules: CB-FEAT-08.
    """
    return not any({viewer.id, other.id} == set(pair) for pair in pairs)


def pair_teamwork(members: int, *, in_pair: bool) -> tuple[Modifier, ...]:
    """The Teamwork bonus of one model in a shared action of so many members, of whom two are a pair.

    The pair alone: +1 each. With a third model: the pair +2, the third +1. Larger groups add as usual. Both
    Bonded pairs and a Watchdog with its owner count. Pass it as the action's further modifiers, and the
    number of members as 1 so that the usual bonus is not added again.
    Raises InvalidInput below two members. Rules: CB-FEAT-09, CB-GEAR-50, CB-ACT-09.
    """
    if members < 2:
        raise InvalidInput("Teamwork takes two models or more.")
    return (*((PAIR,) if in_pair else ()), *teamwork(members))


# ------------------------------------------------------------------------------------------- Watchdog


def leash(owner: Fighter, dog: Fighter, inches: float) -> tuple[Effect, ...]:
    """A Watchdog more than 6 in from its owner becomes Panicked. Rules: CB-GEAR-50."""
    if owner.side != dog.side or inches <= LEASH_INCHES:
        return ()
    return frightened(dog, "away from its owner")


def after_owner_removed(dog: Fighter) -> tuple[Effect, ...]:
    """A Watchdog whose owner left play runs to the nearest table edge: it is Panicked, and stays so.

    Rules: CB-GEAR-50, CB-PANIC-10.
    """
    reason = f"{dog.name} lost its owner and runs for the nearest table edge."
    return (*frightened(dog, "its owner is gone"), Propose("flee", dog.id, reason))


def require_able_pair(one: Fighter, other: Fighter) -> None:
    """Raise Forbidden for a shared action of a pair of whom one cannot act. Rules: CB-FEAT-09, CB-COND-04."""
    must_be_able(one)
    must_be_able(other)
