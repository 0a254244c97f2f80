"""Salvage and relics: tokens, what is built from them, and the ten relics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rules.counters import CounterName
from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Propose
from rules.refusals import Forbidden, InvalidInput, Missing, forbid
from rules.systems.counterblast.core.checks import SIDES, CheckResult, PreparedCheck, Throw, throw
from rules.systems.counterblast.core.conditions import CASUALTY, Event, end_conditions
from rules.systems.counterblast.core.counters import (
    LOST_TECH_NOW,
    ORDERS,
    ORDERS_SPENT,
    RELIC,
    RELIC_WEAPON,
    TRINKET_NOW,
)
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import chart_roll
from rules.systems.counterblast.core.impacts import teamwork
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import ChartRow, Profile
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.gear.items import USED
from rules.systems.counterblast.gear.skills import MAX_NEEDED, Job, prepare_job
from rules.wording import times

TOKENS = CounterName("salvage tokens")
"""Counter of a side: Salvage Tokens in its haul."""

TOKEN_POINTS = 5
BUILDERS = 3

Ground = Literal["casualty", "man_made", "natural"]


# ------------------------------------------------------------------------------------------- in play


def leaves_wreck(model: Fighter, removal: str) -> bool:
    """Return whether a model that leaves play leaves a Salvage token where it was: Robots, vehicles and other
    machines that are casualties, not those that flee. Rules: CB-SALV-01.
    """
    return removal == CASUALTY and model.profile.is_mechanical


def after_wreck(model: Fighter, removal: str, token: str) -> tuple[Effect, ...]:
    """Lay a token of this name where the machine was. Rules: CB-SALV-01, CB-SALV-04."""
    if not leaves_wreck(model, removal):
        return ()
    reason = f"{model.name} leaves a Salvage Token where it was."
    return (Propose("salvage_token", model.id, reason, (("token", token),)),)


def prepare_search(
    model: Fighter, ground: Ground, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare a search for Salvage, a skill check action anywhere: Technology at the ground's target.

    Raises InvalidInput for other ground. Rules: CB-SALV-02, CB-SALV-03, CB-SPEC-19.
    """
    try:
        target = load().charts["salvage_search"].named(ground).value("target")
    except LookupError:
        raise Missing("Choose what to search: a casualty, man-made terrain or natural terrain.") from None
    job = Job("technology", target, MAX_NEEDED, purpose="salvage")
    return prepare_job(model, job, order_token=order_token, settings=settings)


def search(dice: Dice, throws: tuple[Throw, ...]) -> int:
    """Roll a search: each success finds one Salvage Token. Rules: CB-SALV-02."""
    return throw(dice, throws, label="search").net


def haul(carried: Iterable[tuple[str, int]], members: Iterable[int]) -> int:
    """Return the tokens that join a crew's haul at the end: those held by its models.

    carried: (token, id of the model that holds it). members: ids of the crew's models in play.
    Rules: CB-SALV-04.
    """
    crew = frozenset(members)
    return sum(holder in crew for _, holder in carried)


# ---------------------------------------------------------------------------------- between encounters


def points_for(tokens: int) -> int:
    """Return the Requisition points for traded tokens: 5 each. Rules: CB-SALV-05."""
    return tokens * TOKEN_POINTS


def spend(side: int, have: int, tokens: int) -> tuple[Effect, ...]:
    """Return the effects of spending a crew's tokens. Raises Forbidden for too many. Rules: CB-SALV-05,
    CB-SALV-07.
    """
    if not 0 < tokens <= have:
        held_text = f"only {times(have, 'Salvage Token')}" if have else "no Salvage Tokens"
        raise Forbidden(f"The crew has {held_text}, but this takes {tokens}.", "CB-SALV-05")
    return (Count("side", side, TOKENS, -tokens),)


def build_level(profile: Profile, settings: Settings = DEFAULTS, override: int = 0) -> int:
    """Return the level of a model on the Salvage Use Table: by its points, or its rank by the setting.

    override: 1 to 3 entered by hand, 0 for none. Raises InvalidInput. Rules: CB-SALV-10.
    """
    if override:
        if not 1 <= override <= 3:
            raise InvalidInput("A level must be between 1 and 3.")
        return override
    if settings.build_level == "rank":
        return profile.level
    return load().charts["build_level"].row(profile.points).value("level")


@dataclass(frozen=True, slots=True)
class Plan:
    """The requirements for building a model from Salvage: tokens, the target of the check, successes."""

    tokens: int
    target: int
    successes: int


def plan(profile: Profile, *, foreign: bool, settings: Settings = DEFAULTS, override: int = 0) -> Plan:
    """Return what building this model takes; another faction's takes more. Rules: CB-SALV-10."""
    row = load().charts["salvage_use"].row(build_level(profile, settings, override))
    prefix = "other_" if foreign else ""
    return Plan(row.value(f"{prefix}tokens"), row.value(f"{prefix}target"), row.value(f"{prefix}successes"))


def require_building(
    profile: Profile,
    faction: str,
    tokens: int,
    plan: Plan,
    *,
    plans: Iterable[str] = (),
    foreign_built: int = 0,
) -> None:
    """Refuse, with Forbidden, to build a model without the tokens, or one of another faction without its
    Secret Plans or as a second one between the same two encounters.

    faction: the crew's. plans: keys of models that its Secret Plans detail. foreign_built: models of other
    factions built since the last encounter. Rules: CB-SALV-06, CB-SALV-08, CB-GEAR-48.
    """
    if tokens < plan.tokens:
        raise Forbidden(
            f"You need {times(plan.tokens, 'Salvage Token')} to build {profile.name}.", "CB-SALV-10"
        )
    if faction in profile.affiliations:
        return
    if profile.key not in set(plans):
        forbid(f"You need Secret Plans to build {profile.name}.", "CB-SALV-08")
    if foreign_built:
        forbid("Between encounters, you can build only one model of another faction.", "CB-SALV-08")


def prepare_building(
    builders: tuple[Fighter, ...], plan: Plan, settings: Settings = DEFAULTS
) -> tuple[PreparedCheck, ...]:
    """Prepare the one Teamwork check of up to three members with Engineering.

    Raises Forbidden for more than three or none. Rules: CB-SALV-09, CB-SPEC-20, CB-ACT-09.
    """
    if not 1 <= len(builders) <= BUILDERS:
        raise Forbidden(f"Choose 1 to {BUILDERS} members as builders.", "CB-SALV-09")
    job = Job("engineering", plan.target, plan.successes, purpose="build")
    bonus = teamwork(len(builders))
    return tuple(prepare_job(model, job, modifiers=bonus, settings=settings) for model in builders)


def build(dice: Dice, throws: tuple[Throw, ...], plan: Plan) -> bool:
    """Roll the building check: all or nothing. Rules: CB-SALV-09, CB-SALV-11."""
    result: CheckResult = throw(dice, throws, label="build")
    return result.net >= plan.successes


def after_building(side: int, have: int, plan: Plan) -> tuple[Effect, ...]:
    """Return the effects of trying to build: success or not, each attempt uses up its tokens.

    Rules: CB-SALV-09, CB-SALV-11.
    """
    return spend(side, have, plan.tokens)


PER_ENCOUNTER = ("ancient_text", "boon", "trinket", "lost_tech")
"""Relics that work once in every encounter. Rules: CB-RELIC-04, CB-RELIC-05, CB-RELIC-07, CB-RELIC-08."""

ROLL_TOKENS = 2
"""Salvage Tokens for one roll on the Relics Table. Rules: CB-RELIC-01, CB-SALV-07."""


def relic_roll(dice: Dice) -> str:
    """Roll on the Relics Table: d10. Gives the relic's key. Rules: CB-RELIC-01."""
    return load().charts["relics"].row(chart_roll(dice, 0, "relic")).key


def relic(key: str) -> ChartRow:
    """Return a relic's row by key. Raises LookupError. Rules: CB-RELIC-02."""
    return load().charts["relics"].named(key)


def give(model: Fighter, key: str, weapon: str = "") -> tuple[Effect, ...]:
    """Return the effects of giving a relic to a model: it needs no slot, and several of a kind are allowed.

    weapon: for a Relic Weapon, which carried weapon it is, nothing for the unarmed. Raises Forbidden for one
    that it does not carry.
    Rules: CB-RELIC-02, CB-RELIC-06.
    """
    relic(key)
    mark: tuple[Effect, ...] = ()
    if key == "relic_weapon" and weapon:
        model.weapon(weapon)
        mark = (Count("model", model.id, RELIC_WEAPON.of(weapon), 1),)
    return (Count("model", model.id, RELIC.of(key), 1), *mark)


def has(model: Fighter, key: str) -> int:
    """Return how many relics of a kind a model has. Rules: CB-RELIC-02."""
    return model.count(RELIC.of(key))


def _once(model: Fighter, key: str, rule: str) -> tuple[Effect, ...]:
    """Use a relic that works once per encounter, one for each of the kind."""
    if has(model, key) <= model.count(USED.of(key)):
        raise Forbidden(f"{model.name} has no {relic(key).name} left for this encounter.", rule)
    return (Count("model", model.id, USED.of(key), 1),)


def _spend(model: Fighter, key: str, rule: str) -> tuple[Effect, ...]:
    """Use up a relic of one use."""
    if not has(model, key):
        raise Forbidden(f"{model.name} has no {relic(key).name}.", rule)
    return (Count("model", model.id, RELIC.of(key), -1),)


# ---------------------------------------------------------------------------------- once an encounter


def extra_orders(bearer: Fighter) -> int:
    """Order tokens that its Ancient Texts give its crew at the start, above the usual number.

    The points are the crew's, whichever model carries it. Rules: CB-RELIC-04.
    """
    return has(bearer, "ancient_text") * relic("ancient_text").value("order_points")


def unused(model: Fighter, key: str) -> bool:
    """Return whether a model has a relic of a kind left for this encounter. Rules: CB-RELIC-02."""
    return has(model, key) > (model.count(USED.of(key)) if key in PER_ENCOUNTER else 0)


def recover_order(model: Fighter, spent: int) -> tuple[Effect, ...]:
    """Use an Ancient Text: one spent Order token comes back, once per encounter.

    spent: tokens spent so far in this encounter. Raises Forbidden. Rules: CB-RELIC-04.
    """
    if spent < 1:
        raise Forbidden("You haven't spent an order token yet, so you can't get one back.", "CB-RELIC-04")
    return (
        *_once(model, "ancient_text", "CB-RELIC-04"),
        Count("side", model.side, ORDERS, 1),
        Count("side", model.side, ORDERS_SPENT, -1),
    )


def boon(model: Fighter) -> tuple[Effect, ...]:
    """Use a Boon: re-roll a failed check, once per encounter; the second roll counts. Raises Forbidden.

    Rules: CB-RELIC-05, CB-CHECK-06.
    """
    return _once(model, "boon", "CB-RELIC-05")


def trinket(model: Fighter) -> tuple[Effect, ...]:
    """Use a Trinket: a critical failure is a plain failure, once per encounter. Raises Forbidden.

    The check is settled again with the same faces; `after_trinket` ends it. Rules: CB-RELIC-07.
    """
    return (*_once(model, "trinket", "CB-RELIC-07"), Assign("model", model.id, TRINKET_NOW, 1))


def after_trinket(model: int) -> tuple[Effect, ...]:
    """End the check whose critical failure was ignored. Rules: CB-RELIC-07."""
    return (Assign("model", model, TRINKET_NOW, 0),)


def lost_tech(model: Fighter) -> tuple[Effect, ...]:
    """Use Lost Tech: the next Engineering check has one success without rolling, once per encounter.

    Raises Forbidden. Rules: CB-RELIC-08.
    """
    if model.count(LOST_TECH_NOW):
        raise Forbidden(f"{model.name} already gets a success on its next Engineering check.", "CB-RELIC-08")
    return (*_once(model, "lost_tech", "CB-RELIC-08"), Assign("model", model.id, LOST_TECH_NOW, 1))


def after_check(model: Fighter, skill: str) -> tuple[Effect, ...]:
    """End the Engineering check on which Lost Tech was used. Rules: CB-RELIC-08."""
    sure = skill == "engineering" and model.count(LOST_TECH_NOW)
    return (Assign("model", model.id, LOST_TECH_NOW, 0),) if sure else ()


# ------------------------------------------------------------------------------------------- of one use


def _bauble_die(dice: Dice) -> int:
    return dice.face(SIDES, "bauble")


def bauble(dice: Dice) -> int:
    """Sell a Valuable Bauble between encounters: 2d10 requisition points. Rules: CB-RELIC-09."""
    return dice.total(relic("valuable_bauble").value("points_d10"), _bauble_die)


def after_bauble(model: Fighter) -> tuple[Effect, ...]:
    """Sell the bauble. Rules: CB-RELIC-09, CB-RELIC-02."""
    return _spend(model, "valuable_bauble", "CB-RELIC-09")


def timebomb(model: Fighter) -> tuple[Effect, ...]:
    """Return the effects of a Timebomb: one Casualty roll of the opponent is worse by 1, see `aftermath`.

    Rules: CB-RELIC-10, CB-RELIC-02.
    """
    return _spend(model, "timebomb", "CB-RELIC-10")


def beacon(model: Fighter, *, rallied: bool) -> tuple[Effect, ...]:
    """Light a Beacon after a failed Rally: the model rallies. Raises Forbidden when it rallied anyway.

    Rules: CB-RELIC-11, CB-RELIC-02.
    """
    if rallied:
        raise Forbidden(f"{model.name} has already rallied.", "CB-RELIC-11")
    return (*_spend(model, "beacon", "CB-RELIC-11"), *end_conditions(model, Event.RALLIED))


def ultonium(target: Fighter) -> tuple[Effect, ...]:
    """Use Crystalized Ultonium: one psionic attack on its bearer has no effect; chosen before it is rolled.

    Rules: CB-RELIC-12, CB-RELIC-02.
    """
    return _spend(target, "crystalized_ultonium", "CB-RELIC-12")
