"""Counterattacks: the attacker is hit instead."""

from __future__ import annotations

from dataclasses import replace

from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.counter import Counter, counter_weapons
from bot.games.fracd_earth.exchange import Facts, current
from bot.games.fracd_earth.figures import figure_of
from bot.games.fracd_earth.players import require_holder
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import ask
from bot.games.fracd_earth.telling import Telling
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import edges
from rules.systems.fracd_earth import outcome as outcomes
from rules.systems.fracd_earth.weapons import Weapon, read_weapon
from rules.wording import times


@handles(Counter)
def counter(act: Act, action: Counter) -> Reply:
    """The attacker is hit instead; Edges of what is left over. Rules: FE-DEF-04, FE-DEF-05."""
    encounter = act.encounter
    exchange = current(encounter, action.at, action.step)
    if exchange.stage != "edges" or exchange.facts["hit"]:
        raise InvalidInput("There is nothing to counter now.")
    require_holder(act, exchange.waits[0])
    facts = exchange.facts
    weapon = next(iter(counter_weapons(encounter, facts, action.weapon)), None)
    one = figure_of(encounter, encounter.model(facts["attacker"]))
    other = figure_of(encounter, encounter.model(facts["target"]))
    totals = challenges.totals(exchange.challenge, settings_of(encounter))
    basic = one.profile.trait("def")
    earned = outcomes.must_counter(
        *totals, basic, able=weapon is not None, wild_strike=facts["manner"] == "wild"
    )
    assert weapon is not None, "without one it is refused"
    left = totals[1] - totals[0] - basic
    count = edges.usable_edges(earned.edges, other, one)
    turned = _turned(facts, weapon) | {"edges": count, "margin": left}
    names = turned["names"]
    more = f": {times(count, 'Edge')}" if count else ""
    telling = Telling([f"{names[0]} counters and hits {names[1]}{more}."])
    telling.lines.append(f"{totals[1]} less {totals[0]} less Def {basic}: {left} left.")
    waiting = replace(exchange, facts=turned, waits=(exchange.players[1],), entry=act.entry)
    exchanges.keep(encounter, waiting)
    return ask(act, telling)


def _turned(facts: Facts, weapon: Weapon) -> Facts:
    """The facts of the attack turned round: nothing of how it was made helps or hinders who strikes back."""
    used = read_weapon(facts["weapon"])
    return facts | {
        "attacker": facts["target"],
        "target": facts["attacker"],
        "names": facts["names"][::-1],
        "weapon": str(weapon),
        "hit": True,
        "shift": 0,
        "counter": False,
        "support": [],
        "group": [],
        "defenders": [],
        "against": used.title if used.reach_inches is not None else "",
        "line": [],
        "effect_shifts": weapon.row_shift,
        "armour": 0,
        "cover": "none",
    }
