"""What an attack came to: hit or held, by how much, and who has something to choose then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.counter import counter_weapons
from bot.games.fracd_earth.exchange import Exchange
from bot.games.fracd_earth.figures import figure_of
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.spend_play import open_to
from bot.games.fracd_earth.steps import outcome
from bot.games.fracd_earth.telling import Telling
from bot.table.act import Act
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import edges
from rules.systems.fracd_earth import outcome as outcomes
from rules.systems.fracd_earth import seat as seats
from rules.wording import times


@outcome("attack")
def attack_outcome(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Hit or held, with the margin. Rules: FE-OUT-01 to FE-OUT-07, FE-DEF-03, FE-DEF-04, FE-DEF-05."""
    encounter, facts = act.encounter, dict(exchange.facts)
    settings = settings_of(encounter)
    found = challenges.result(exchange.challenge)
    came = outcomes.attack_result(found, settings)
    attacker, target = facts["names"]
    facts |= {"hit": came.hit, "shift": came.column_shift, "margin": found.margin}
    if came.hit:
        one = figure_of(encounter, encounter.model(facts["attacker"]))
        other = figure_of(encounter, encounter.model(facts["target"]))
        facts["edges"] = edges.usable_edges(came.edges, one, other)
        head = f"{attacker} hits {target} by {found.margin}"
        head = f"{attacker} hits {target} in part" if found.partial else head
        head += f": {times(facts['edges'], 'Edge')}." if facts["edges"] else "."
        _decide(act, telling, exchange, facts, head, exchange.players[0])
        return
    other = figure_of(encounter, encounter.model(facts["target"]))
    one = figure_of(encounter, encounter.model(facts["attacker"]))
    facts["edges"] = edges.usable_edges(came.defence_edges, other, one)
    how = f"by {-found.margin}" if found.margin else "on equal totals"
    head = f"{target} holds {attacker} off {how}"
    head += f": {times(facts['edges'], 'Edge')}." if facts["edges"] else "."
    able = bool(counter_weapons(encounter, facts))
    totals = challenges.totals(exchange.challenge, settings)
    basic = one.profile.trait("def")
    counter = outcomes.counterattack(*totals, basic, able=able, wild_strike=facts["manner"] == "wild")
    facts["counter"] = counter is not None
    _decide(act, telling, exchange, facts, head, exchange.players[1])


@outcome("slam")
def slam_outcome(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Who came out ahead; what a Slam does is not in the rules, so nobody is harmed. Rules: FE-RCH-07."""
    encounter, facts = act.encounter, exchange.facts
    attacker, target = facts["names"]
    if isinstance(exchange.state, challenges.Challenge):
        margin = challenges.result(exchange.challenge).margin
    else:
        margin = seats.total(exchange.check.seat, settings_of(encounter)) - 10
    one, other = (figure_of(encounter, encounter.model(facts[who])) for who in ("attacker", "target"))
    earned = outcomes.edges(abs(margin))
    earned = edges.usable_edges(earned, one, other) if margin > 0 else edges.usable_edges(earned, other, one)
    more = f": {times(earned, 'Edge')}" if earned else ""
    if margin:
        first, second = (attacker, target) if margin > 0 else (target, attacker)
        head = f"Slam: {first} beats {second} by {abs(margin)}{more}."
    else:
        head = f"Slam: {attacker} and {target} are equal."
    telling.lines.insert(0, head)
    telling.lines.append("What a Slam does, the table says.")
    exchanges.close(encounter, exchange)


@outcome("helpless")
def helpless_outcome(act: Act, telling: Telling, exchange: Exchange) -> None:
    """An attack at who cannot defend. Rules: FE-DEF-02."""
    encounter, facts = act.encounter, dict(exchange.facts)
    total = seats.total(exchange.check.seat, settings_of(encounter))
    came = outcomes.inactive_target_result(total, all_or_nothing=exchange.check.all_or_nothing)
    attacker, target = facts["names"]
    one = figure_of(encounter, encounter.model(facts["attacker"]))
    other = figure_of(encounter, encounter.model(facts["target"]))
    facts |= {"hit": came.hit, "shift": came.column_shift, "margin": total - 10}
    facts["edges"] = edges.usable_edges(came.edges, one, other)
    if not came.hit:
        telling.lines.insert(0, f"{attacker} misses {target}: {total} of 10.")
        exchanges.close(encounter, exchange)
        return
    head = f"{attacker} hits {target}{' in part' if came.column_shift else ''}"
    head += f": {times(facts['edges'], 'Edge')}." if facts["edges"] else "."
    _decide(act, telling, exchange, facts, head, exchange.players[0])


def _decide(
    act: Act, telling: Telling, exchange: Exchange, facts: dict[str, Any], head: str, who: int
) -> None:
    """Tell the outcome first; wait for whoever has something to choose."""
    telling.lines.insert(0, head)
    exchange = replace(exchange, facts=facts, stage="edges", waits=(who,))
    seat = exchange.seat_of(who)
    morphs = seat is not None and seat.entry.caster and isinstance(exchange.state, challenges.Challenge)
    choices = open_to(act.encounter, exchange)
    if facts["hit"] or facts.get("counter") or choices or morphs:
        exchanges.keep(act.encounter, exchange)
        return
    exchanges.close(act.encounter, exchange)
