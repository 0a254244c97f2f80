"""Results of an attack: hit or held, countered, and hits that are resisted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.attack_situation import Counter, count_extra_marks, list_counter_weapons
from bot.games.fracd_earth.edge_actions import await_winner
from bot.games.fracd_earth.exchange import Exchange, Facts, require_current
from bot.games.fracd_earth.figures import describe_life, figure_of
from bot.games.fracd_earth.hide_tokens import remove_tokens
from bot.games.fracd_earth.narration import Narration, modifier_words, side_words, trait_word, why_lines
from bot.games.fracd_earth.players import deck_of, player_of, require_holder
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import DUE_HANDLERS, ask_next, begin_check, register_outcome
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.encounter import GONE
from bot.table.handlers import handles
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks, outcomes, protection
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.outcomes import AttackResult
from rules.systems.fracd_earth.protection import Hit
from rules.systems.fracd_earth.weapons import Weapon, read_weapon
from rules.wording import possessive, times


@register_outcome("attack")
def attack_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Hit or held, with the margin. Rules: FE-OUT-01 to FE-OUT-07, FE-DEF-03, FE-DEF-04, FE-DEF-05."""
    encounter, facts = act.encounter, dict(exchange.facts)
    settings = settings_of(encounter)
    challenge_result = challenges.result(exchange.challenge)
    result = outcomes.attack_result(challenge_result, settings)
    attacker, target = facts["names"]
    facts |= {"hit": result.hit, "shift": result.column_shift, "margin": challenge_result.margin}
    if result.hit:
        figure = figure_of(encounter, encounter.model(facts["attacker"]))
        opponent = figure_of(encounter, encounter.model(facts["target"]))
        facts["edges"] = outcomes.usable_edges(result.edges, figure, opponent)
        result_line = f"{attacker} hits {target} with {challenge_result.margin} to spare"
        result_line = f"{attacker} partly hits {target}" if challenge_result.partial else result_line
        result_line += f", earning {times(facts['edges'], 'Edge')}." if facts["edges"] else "."
        _ask_winner(act, narration, exchange, facts, result_line, exchange.players[0])
        return
    opponent = figure_of(encounter, encounter.model(facts["target"]))
    figure = figure_of(encounter, encounter.model(facts["attacker"]))
    facts["edges"] = outcomes.usable_edges(result.defence_edges, opponent, figure)
    margin_text = f"with {-challenge_result.margin} to spare" if challenge_result.margin else "on a tie"
    result_line = f"{target} holds {attacker} off {margin_text}"
    result_line += f", earning {times(facts['edges'], 'Edge')}." if facts["edges"] else "."
    can_counter = bool(list_counter_weapons(encounter, facts))
    totals = challenges.totals(exchange.challenge, settings)
    basic_defence = figure.profile.trait("def")
    counterattack = outcomes.counterattack(
        *totals, basic_defence, able=can_counter, wild_strike=facts["manner"] == "wild"
    )
    facts["counter"] = counterattack is not None
    _ask_winner(act, narration, exchange, facts, result_line, exchange.players[1])


@register_outcome("slam")
def slam_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Report who wins a Slam; the rules give it no effect, so no one is harmed. Rules: FE-RCH-07."""
    encounter, facts = act.encounter, exchange.facts
    attacker, target = facts["names"]
    if isinstance(exchange.state, challenges.Challenge):
        margin = challenges.result(exchange.challenge).margin
    else:
        margin = seats.total(exchange.check.seat, settings_of(encounter)) - 10
    figure, opponent = (figure_of(encounter, encounter.model(facts[role])) for role in ("attacker", "target"))
    earned_edges = outcomes.edges(abs(margin))
    earned_edges = (
        outcomes.usable_edges(earned_edges, figure, opponent)
        if margin > 0
        else outcomes.usable_edges(earned_edges, opponent, figure)
    )
    edge_text = f", earning {times(earned_edges, 'Edge')}" if earned_edges else ""
    if margin:
        winner, loser = (attacker, target) if margin > 0 else (target, attacker)
        result_line = f"Slam: {winner} beats {loser} by {abs(margin)}{edge_text}."
    else:
        result_line = f"Slam: {attacker} and {target} tie."
    narration.lines.insert(0, result_line)
    narration.lines.append("Decide together what the Slam does.")
    exchanges.close(encounter, exchange)


@register_outcome("helpless")
def helpless_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Settle an attack on a figure that can't defend. Rules: FE-DEF-02."""
    encounter, facts = act.encounter, dict(exchange.facts)
    total = seats.total(exchange.check.seat, settings_of(encounter))
    attack_result = outcomes.inactive_target_result(total, all_or_nothing=exchange.check.all_or_nothing)
    attacker, target = facts["names"]
    figure = figure_of(encounter, encounter.model(facts["attacker"]))
    opponent = figure_of(encounter, encounter.model(facts["target"]))
    facts |= {"hit": attack_result.hit, "shift": attack_result.column_shift, "margin": total - 10}
    facts["edges"] = outcomes.usable_edges(attack_result.edges, figure, opponent)
    if not attack_result.hit:
        needed = 11 if exchange.check.all_or_nothing else 10
        narration.lines.insert(0, f"{attacker} misses {target} with a total of {total} (needs {needed}).")
        exchanges.close(encounter, exchange)
        return
    result_line = f"{attacker} {'partly hits' if attack_result.column_shift else 'hits'} {target}"
    result_line += f", earning {times(facts['edges'], 'Edge')}." if facts["edges"] else "."
    _ask_winner(act, narration, exchange, facts, result_line, exchange.players[0])


def _ask_winner(
    act: Act, narration: Narration, exchange: Exchange, facts: dict[str, Any], result_line: str, player: int
) -> None:
    narration.lines.insert(0, result_line)
    await_winner(act, narration, replace(exchange, facts=facts, stage="edges", waits=(player,)))


@handles(Counter)
def counter(act: Act, action: Counter) -> Reply:
    """Hit the attacker instead; the rest of the margin buys Edges. Rules: FE-DEF-04, FE-DEF-05."""
    encounter = act.encounter
    exchange = require_current(encounter, action.at, action.step)
    if exchange.stage != "edges" or exchange.facts["hit"]:
        raise InvalidInput("There is no attack to counter right now.")
    require_holder(act, exchange.waits[0])
    facts = exchange.facts
    weapon = next(iter(list_counter_weapons(encounter, facts, action.weapon)), None)
    figure = figure_of(encounter, encounter.model(facts["attacker"]))
    defender = figure_of(encounter, encounter.model(facts["target"]))
    totals = challenges.totals(exchange.challenge, settings_of(encounter))
    basic_defence = figure.profile.trait("def")
    counterattack = outcomes.must_counter(
        *totals, basic_defence, able=weapon is not None, wild_strike=facts["manner"] == "wild"
    )
    assert weapon is not None, "without one it is refused"
    margin = totals[1] - totals[0] - basic_defence
    count = outcomes.usable_edges(counterattack.edges, defender, figure)
    counter_facts = _counter_facts(facts, weapon) | {"edges": count, "margin": margin}
    names = counter_facts["names"]
    edge_text = f", earning {times(count, 'Edge')}" if count else ""
    narration = Narration([f"{names[0]} counters and hits {names[1]}{edge_text}."])
    narration.lines.append(
        f"Counterattack margin: {totals[1]} - {totals[0]} - {basic_defence} "
        f"({possessive(names[1])} Defence) = {margin}."
    )
    next_exchange = replace(exchange, facts=counter_facts, waits=(exchange.players[1],), entry=act.entry)
    await_winner(act, narration, next_exchange)
    return ask_next(act, narration)


def _counter_facts(facts: Facts, weapon: Weapon) -> Facts:
    """The facts of the attack turned round: nothing of how it was made helps or hinders who strikes back."""
    attack_weapon = read_weapon(facts["weapon"])
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
        "against": attack_weapon.title if attack_weapon.reach_inches is not None else "",
        "line": [],
        "effect_shifts": weapon.row_shift,
        "armour": 0,
        "cover": "none",
    }


def read_hit(facts: dict[str, Any]) -> Hit:
    """Return the hit as the rules see it."""
    weapon = read_weapon(facts["weapon"])
    return protection.hit_of(
        weapon,
        AttackResult(hit=True, column_shift=facts["shift"]),
        abuse=facts["abuse"],
        armour=facts["armour"],
        effect_shifts=facts["effect_shifts"],
        group=facts.get("column", 0),
        second_track=any("second" in text.casefold() for text in weapon.abilities),
    )


def begin_protection(act: Act, narration: Narration, facts: Facts) -> None:
    """Begin the Check against 10 + Force of a target, together with those who defended with it.

    Rules: FE-PRO-01, FE-PRO-02, FE-WPN-03, FE-CREW-01, FE-DECK-09, FE-TEAM-03.
    """
    encounter = act.encounter
    row = encounter.model(facts["target"])
    if row.status == GONE:
        narration.lines.append(f"{row.name} is out of play and no longer makes Checks.")
        return
    figure = figure_of(encounter, row)
    weapon = read_weapon(facts["weapon"])
    hit = read_hit(facts)
    group = facts.get("group", [])
    prepared = protection.prepare_check(
        figure,
        weapon,
        settings_of(encounter),
        cover=facts["cover"],
        ducked=facts["ducked"],
        marks=count_extra_marks(encounter, (row.id, *group), weapon.versus),
    )
    tn = protection.target_number(weapon.force)
    all_or_nothing = protection.is_all_or_nothing(figure, hit)
    number = player_of(encounter, row)
    check_name = protection.kind_of_check(weapon)
    facts = facts | {"names": [row.name], "traits": [weapon.versus], "id": row.id}
    narration.lines.append(
        f"{row.name} makes a {check_name.capitalize()} Check with {trait_word(weapon.versus)} "
        f"(TN {tn}{', all or nothing' if all_or_nothing else ''})."
    )
    narration.lines.append(f"  {side_words(prepared)}")
    narration.why += why_lines(row.name, prepared)
    seat = seats.sit(number, prepared, deck_of(encounter, number), combined=bool(group))
    new_exchange = Exchange("protect", facts, id=act.entry, entry=act.entry)
    exchange = begin_check(act, narration, new_exchange, seat, tn, all_or_nothing=all_or_nothing)
    exchanges.save_exchange(encounter, exchange)


DUE_HANDLERS["protect"] = begin_protection


@register_outcome("protect")
def protect_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Avoid the hit, or lose points by the table. Rules: FE-PRO-01, FE-PRO-03 to FE-PRO-08, FE-CREW-01."""
    encounter, facts = act.encounter, exchange.facts
    settings = settings_of(encounter)
    row, attacker = encounter.model(facts["id"]), encounter.model(facts["by"])
    figure = figure_of(encounter, row)
    hit = read_hit(facts)
    result = checks.resolve(exchange.check, settings)
    harm = protection.harm(result, hit, figure, settings)
    exchanges.close(encounter, exchange)
    narration.why += [f"  column {modifier_words(shift)}" for shift in hit.column_shifts]
    if harm.avoided:
        narration.lines.insert(0, f"{row.name} completely resists {possessive(attacker.name)} attack.")
        return
    if harm.applies:
        narration.lines.insert(0, f"{row.name} is affected by {read_weapon(facts['weapon']).title}.")
        return
    effects = protection.after_harm(figure, harm, second_track=hit.second_track, source=attacker.name)
    encounter.apply(effects, by=attacker.id)
    figure_after = figure_of(encounter, row)
    is_out = row.status == GONE
    if is_out:
        remove_tokens(encounter, row.id)
    life_left = "out of action" if is_out else describe_life(figure_after)
    narration.lines.insert(0, f"{row.name} takes {harm.damage} damage ({life_left}).")
    overkill_text = "Overkill, " if harm.overkill else ""
    house_text = " (house table)" if harm.house else ""
    narration.lines.append(
        f"Effects Table: {overkill_text}level {harm.level}, column {harm.column}{house_text}"
    )
    kinds = [f"{kind}{f' {grade}' if grade else ''}" for kind, grade in harm.conditions]
    if kinds and not is_out:
        narration.lines.append(f"{row.name} is {', '.join(kinds)}.")
