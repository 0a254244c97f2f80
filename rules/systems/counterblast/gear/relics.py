"""Relics: the table, who carries them, what each does once or for good.

Owns what is particular to each relic. A model's relics are counters `fighter.RELIC` with the relic's key;
Alien Artifacts count in `Fighter.shield`, Relic Weapons in attacks.
"""

from __future__ import annotations

from rules.dice import Dice
from rules.effects import Assign, Count, Effect
from rules.refusals import Forbidden
from rules.systems.counterblast.core.checks import SIDES
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import LOST_TECH_NOW, RELIC, RELIC_WEAPON, TRINKET_NOW, Fighter
from rules.systems.counterblast.core.general import chart_roll
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import ChartRow
from rules.systems.counterblast.gear.items import USED
from rules.systems.counterblast.turn.orders import ORDERS, SPENT

PER_ENCOUNTER = ("ancient_text", "boon", "trinket", "lost_tech")
"""Relics that work once in every encounter. Rules: CB-RELIC-04, CB-RELIC-05, CB-RELIC-07, CB-RELIC-08."""

ROLL_TOKENS = 2
"""Salvage Tokens for one roll on the Relics Table. Rules: CB-RELIC-01, CB-SALV-07."""


def relic_roll(dice: Dice) -> str:
    """Roll on the Relics Table: d10. Gives the relic's key. Rules: CB-RELIC-01."""
    return load().charts["relics"].row(chart_roll(dice, 0, "relic")).key


def relic(key: str) -> ChartRow:
    """A relic's row by key. Raises LookupError. Rules: CB-RELIC-02."""
    return load().charts["relics"].named(key)


def give(model: Fighter, key: str, weapon: str = "") -> tuple[Effect, ...]:
    """Give a relic to a model: it takes no slot, and several of a kind are allowed.

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
    """How many relics of a kind a model has. Rules: CB-RELIC-02."""
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

    Whoever carries it: the points are the crew's. Rules: CB-RELIC-04.
    """
    return has(bearer, "ancient_text") * relic("ancient_text").value("order_points")


def unused(model: Fighter, key: str) -> bool:
    """Whether a model has a relic of a kind left for this encounter. Rules: CB-RELIC-02."""
    return has(model, key) > (model.count(USED.of(key)) if key in PER_ENCOUNTER else 0)


def recover_order(model: Fighter, spent: int) -> tuple[Effect, ...]:
    """An Ancient Text: one spent Order token comes back, once per encounter.

    spent: tokens spent so far in this encounter. Raises Forbidden. Rules: CB-RELIC-04.
    """
    if spent < 1:
        raise Forbidden("No Order token has been spent yet.", "CB-RELIC-04")
    return (
        *_once(model, "ancient_text", "CB-RELIC-04"),
        Count("side", model.side, ORDERS, 1),
        Count("side", model.side, SPENT, -1),
    )


def boon(model: Fighter) -> tuple[Effect, ...]:
    """A Boon: a failed check is rolled again, once per encounter; the second roll stands. Raises Forbidden.

    Rules: CB-RELIC-05, CB-CHECK-06.
    """
    return _once(model, "boon", "CB-RELIC-05")


def trinket(model: Fighter) -> tuple[Effect, ...]:
    """A Trinket: a critical failure is a plain failure, once per encounter. Raises Forbidden.

    The check is settled anew with the faces that fell; `after_trinket` ends it. Rules: CB-RELIC-07.
    """
    return (*_once(model, "trinket", "CB-RELIC-07"), Assign("model", model.id, TRINKET_NOW, 1))


def after_trinket(model: int) -> tuple[Effect, ...]:
    """The check whose critical failure was ignored is over. Rules: CB-RELIC-07."""
    return (Assign("model", model, TRINKET_NOW, 0),)


def lost_tech(model: Fighter) -> tuple[Effect, ...]:
    """Lost Tech: the next Engineering check has one success without rolling, once per encounter.

    Raises Forbidden. Rules: CB-RELIC-08.
    """
    if model.count(LOST_TECH_NOW):
        raise Forbidden(f"{model.name} is sure of its next Engineering check already.", "CB-RELIC-08")
    return (*_once(model, "lost_tech", "CB-RELIC-08"), Assign("model", model.id, LOST_TECH_NOW, 1))


def after_check(model: Fighter, skill: str) -> tuple[Effect, ...]:
    """The Engineering check that Lost Tech was used on is over. Rules: CB-RELIC-08."""
    sure = skill == "engineering" and model.count(LOST_TECH_NOW)
    return (Assign("model", model.id, LOST_TECH_NOW, 0),) if sure else ()


# ------------------------------------------------------------------------------------------- of one use


def _bauble_die(dice: Dice) -> int:
    return dice.face(SIDES, "bauble")


def bauble(dice: Dice) -> int:
    """Sell a Valuable Bauble between encounters: 2d10 requisition points. Rules: CB-RELIC-09."""
    return dice.total(relic("valuable_bauble").value("points_d10"), _bauble_die)


def after_bauble(model: Fighter) -> tuple[Effect, ...]:
    """The bauble is sold. Rules: CB-RELIC-09, CB-RELIC-02."""
    return _spend(model, "valuable_bauble", "CB-RELIC-09")


def timebomb(model: Fighter) -> tuple[Effect, ...]:
    """Set a Timebomb off: one Casualty roll of the opponent is worse by 1, see `aftermath`.

    Rules: CB-RELIC-10, CB-RELIC-02.
    """
    return _spend(model, "timebomb", "CB-RELIC-10")


def beacon(model: Fighter, *, rallied: bool) -> tuple[Effect, ...]:
    """Light a Beacon after a failed Rally: the model rallies. Raises Forbidden when it rallied anyway.

    Rules: CB-RELIC-11, CB-RELIC-02.
    """
    if rallied:
        raise Forbidden(f"{model.name} rallied by itself.", "CB-RELIC-11")
    return (*_spend(model, "beacon", "CB-RELIC-11"), *ended_by(model, Event.RALLIED))


def ultonium(target: Fighter) -> tuple[Effect, ...]:
    """Crystalized Ultonium: one psionic attack on its bearer has no effect; decided before it is rolled.

    Rules: CB-RELIC-12, CB-RELIC-02.
    """
    return _spend(target, "crystalized_ultonium", "CB-RELIC-12")
