"""Salvage: tokens from wrecks and searches, and what they are good for between encounters.

Owns how tokens come in and go out. Holding them in play follows `objectives`; relics are in `relics`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rules.counters import CounterName
from rules.dice import Dice
from rules.effects import Count, Effect, Propose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.casualties import CASUALTY
from rules.systems.counterblast.core.checks import CheckResult, Prepared, Throw, throw
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.weapons import teamwork
from rules.systems.counterblast.gear.skills import MOST_NEEDED, Job, prepare_job
from rules.wording import times

TOKENS = CounterName("salvage tokens")
"""Counter of a side: Salvage Tokens in its haul."""

TOKEN_POINTS = 5
BUILDERS = 3

Ground = Literal["casualty", "man_made", "natural"]


# ------------------------------------------------------------------------------------------- in play


def leaves_wreck(model: Fighter, how: str) -> bool:
    """Whether a model that leaves play leaves a Salvage token where it was: Robots, vehicles and other
    machines that are casualties, not those that flee. Rules: CB-SALV-01.
    """
    return how == CASUALTY and model.profile.is_mechanical


def after_wreck(model: Fighter, how: str, token: str) -> tuple[Effect, ...]:
    """A token of this name is to be laid where the machine was. Rules: CB-SALV-01, CB-SALV-04."""
    if not leaves_wreck(model, how):
        return ()
    reason = f"{model.name} leaves a Salvage token where it stood."
    return (Propose("salvage_token", model.id, reason, (("token", token),)),)


def prepare_search(
    model: Fighter, ground: Ground, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> Prepared:
    """Prepare a search for Salvage, a skill check action anywhere: Technology at the ground's target.

    Raises InvalidInput for other ground. Rules: CB-SALV-02, CB-SALV-03, CB-SPEC-19.
    """
    try:
        target = load().charts["salvage_search"].named(ground).value("target")
    except LookupError:
        raise InvalidInput("Search a casualty, something man-made or natural ground.") from None
    job = Job("technology", target, MOST_NEEDED, purpose="salvage")
    return prepare_job(model, job, order_token=order_token, settings=settings)


def search(dice: Dice, throws: tuple[Throw, ...]) -> int:
    """Roll a search: each success finds one Salvage Token. Rules: CB-SALV-02."""
    return throw(dice, throws, label="search").net


def haul(held: Iterable[tuple[str, int]], members: Iterable[int]) -> int:
    """Tokens that join a crew's haul at the end: those held by its models.

    held: (token, id of the model that holds it). members: ids of the crew's models in play.
    Rules: CB-SALV-04.
    """
    crew = frozenset(members)
    return sum(holder in crew for _, holder in held)


# ---------------------------------------------------------------------------------- between encounters


def points_for(tokens: int) -> int:
    """Requisition points for traded tokens: 5 each. Rules: CB-SALV-05."""
    return tokens * TOKEN_POINTS


def spend(side: int, have: int, tokens: int) -> tuple[Effect, ...]:
    """Take tokens from a crew's haul. Raises Forbidden for too many. Rules: CB-SALV-05, CB-SALV-07."""
    if not 0 < tokens <= have:
        token = "Salvage Token" if have == 1 else "Salvage Tokens"
        raise Forbidden(f"The crew has {have} {token}, not {tokens}.", "CB-SALV-05")
    return (Count("side", side, TOKENS, -tokens),)


def build_level(profile: Profile, settings: Settings = DEFAULTS, override: int = 0) -> int:
    """The level of a model on the Salvage Use Table: by its points, or its rank by the setting.

    override: 1 to 3 entered by hand, 0 for none. Raises InvalidInput. Rules: CB-SALV-10.
    """
    if override:
        if not 1 <= override <= 3:
            raise InvalidInput("A level is 1 to 3.")
        return override
    if settings.build_level == "rank":
        return profile.level
    return load().charts["build_level"].row(profile.points).value("level")


@dataclass(frozen=True, slots=True)
class Plan:
    """What building a model from Salvage takes: tokens, the target of the check, successes."""

    tokens: int
    target: int
    successes: int


def plan(profile: Profile, *, foreign: bool, settings: Settings = DEFAULTS, override: int = 0) -> Plan:
    """What building this model takes; one of another faction takes more. Rules: CB-SALV-10."""
    row = load().charts["salvage_use"].row(build_level(profile, settings, override))
    prefix = "other_" if foreign else ""
    return Plan(row.value(f"{prefix}tokens"), row.value(f"{prefix}target"), row.value(f"{prefix}successes"))


def require_building(
    profile: Profile,
    faction: str,
    tokens: int,
    wanted: Plan,
    *,
    plans: Iterable[str] = (),
    foreign_built: int = 0,
) -> None:
    """Refuse, with Forbidden, to build a model without the tokens, or one of another faction without its
    Secret Plans or as a second one between the same two encounters.

    faction: the crew's. plans: keys of models that its Secret Plans detail. foreign_built: models of other
    factions built since the last encounter. Rules: CB-SALV-06, CB-SALV-08, CB-GEAR-48.
    """
    if tokens < wanted.tokens:
        raise Forbidden(f"Building {profile.name} takes {times(wanted.tokens, 'token')}.", "CB-SALV-10")
    if faction in profile.affiliations:
        return
    if profile.key not in set(plans):
        forbid(f"Building {profile.name} needs Secret Plans for it.", "CB-SALV-08")
    if foreign_built:
        forbid("One model of another faction is built between encounters.", "CB-SALV-08")


def prepare_building(
    builders: tuple[Fighter, ...], wanted: Plan, settings: Settings = DEFAULTS
) -> tuple[Prepared, ...]:
    """Prepare the one Teamwork check of up to three members with Engineering.

    Raises Forbidden for more than three or none. Rules: CB-SALV-09, CB-SPEC-20, CB-ACT-09.
    """
    if not 1 <= len(builders) <= BUILDERS:
        raise Forbidden(f"One to {BUILDERS} members build together.", "CB-SALV-09")
    job = Job("engineering", wanted.target, wanted.successes, purpose="build")
    bonus = teamwork(len(builders))
    return tuple(prepare_job(model, job, modifiers=bonus, settings=settings) for model in builders)


def build(dice: Dice, throws: tuple[Throw, ...], wanted: Plan) -> bool:
    """Roll the building check: all or nothing. Rules: CB-SALV-09, CB-SALV-11."""
    result: CheckResult = throw(dice, throws, label="build")
    return result.net >= wanted.successes


def after_building(side: int, have: int, wanted: Plan) -> tuple[Effect, ...]:
    """The tokens are used, built or failed; each further attempt pays anew.

    Rules: CB-SALV-09, CB-SALV-11.
    """
    return spend(side, have, wanted.tokens)
