"""What an attack came to: Edges spent, counterattacks, hits that are to be resisted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.counter import Counter, counter_weapons
from bot.games.fracd_earth.exchange import Exchange, current
from bot.games.fracd_earth.figures import figure_of
from bot.games.fracd_earth.players import name_of, require_holder
from bot.games.fracd_earth.readings import seconds_of, settings_of
from bot.games.fracd_earth.situations import group_share, situation_of
from bot.games.fracd_earth.steps import CARDS, DECISIONS, LATE, ask, outcome
from bot.games.fracd_earth.telling import Telling, times
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import edges
from rules.systems.fracd_earth import outcome as outcomes
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.edges import Budget, Purchase
from rules.systems.fracd_earth.reach import close_in
from rules.systems.fracd_earth.weapons import Weapon, read_weapon

NO_HIT, CLOSE_IN = "no_hit", "close_in"
"""Entries of the Edges menu that are no Edges: give the hit up; move in instead and strike with the first."""


@dataclass(frozen=True, slots=True)
class Spend(Action):
    """Spend Edges. keys: what is bought, an Extra Hit perhaps twice as extra_hit:2; extra: further targets;
    apart: how far they stand from the main one (or, in a Fight, from the attacker).
    """

    command = "fe.edges"

    at: int = 0
    keys: tuple[str, ...] = ()
    extra: tuple[int, ...] = ()
    apart: float = 0.0
    step: int = 0


# ------------------------------------------------------------------------------------ the outcome


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
    choices = _open_to(act.encounter, exchange)
    if facts["hit"] or facts.get("counter") or choices or morphs:
        exchanges.keep(act.encounter, exchange)
        return
    exchanges.close(act.encounter, exchange)


# ------------------------------------------------------------------------------------ Edges


def _budget(facts: dict[str, Any]) -> Budget:
    """What the winner has to spend: a hit and Edges, or a held defence's Edges."""
    return Budget(facts["edges"], primary=facts["hit"], team=bool(facts["support"]))


def _open_to(encounter: Encounter, exchange: Exchange) -> list[Choice]:
    """Everything that can be bought, an Extra effect as often as it can be paid."""
    facts, settings = exchange.facts, settings_of(encounter)
    budget = _budget(facts)
    found = []
    for kind in settings.edges:
        if not facts["hit"] and not kind.inches:
            continue
        for count in range(1, 5):
            if count > 1 and kind.key not in budget.repeatable:
                break
            try:
                bought = edges.purchase(budget, (kind.key,) * count, settings)
            except Forbidden:
                break
            cost = edges.cost_of(kind, budget)
            note = "instead of the hit" if facts["hit"] and not bought.keeps_primary else ""
            label = f"{kind.name}{f' {count}' if count > 1 else ''}: {times(cost, 'Edge')}"
            found.append(Choice(label, kind.key if count == 1 else f"{kind.key}:{count}", note))
    if facts["hit"] and _at_reach_disadvantage(encounter, facts) and facts["margin"] > 0:
        note = "strike with the first Edge" if facts["edges"] else "instead of the hit"
        found.append(Choice("Move in", CLOSE_IN, note))
    return found


def _at_reach_disadvantage(encounter: Encounter, facts: dict[str, Any]) -> bool:
    situation = situation_of(encounter, facts)
    reach = situation.weapon.reach_inches
    return situation.trait == "fight" and reach is not None and reach < situation.defender_reach


def _ask_edges(act: Act, telling: Telling, exchange: Exchange) -> None:
    """The menu of what Edges buy, for the winner. Rules: FE-OUT-08, FE-OUT-09."""
    facts, spends = exchange.facts, Spend(exchange.id, step=exchange.entry)
    encounter = act.encounter
    who = name_of(encounter, exchange.waits[0])
    choices = _open_to(encounter, exchange)
    if facts["hit"]:
        what = f"{times(facts['edges'], 'Edge')} and the hit to spend" if facts["edges"] else "Hit, or a move"
        telling.buttons.append(Button("Hit", spends, "main", anytime=True))
    else:
        what = "counterattack or not" if facts.get("counter") else "Edges to spend"
        if facts.get("counter"):
            weapons = counter_weapons(encounter, facts)
            telling.buttons += [
                _counter_button(exchange, weapon, alone=len(weapons) == 1) for weapon in weapons[:5]
            ]
        telling.buttons.append(Button("No more", spends, anytime=True))
    telling.lines.append(f"{who}: {what} ({seconds_of(encounter)} s).")
    if choices:
        most = min(len(choices), 5)
        telling.menus.append(
            Menu("Buy instead or besides", spends, "keys", tuple(choices), 1, most, anytime=True)
        )
    if any(seat is not None and seat.entry.caster for seat in map(exchange.seat_of, exchange.players)):
        telling.buttons.append(CARDS)


DECISIONS["edges"] = _ask_edges


def _counter_button(exchange: Exchange, weapon: Weapon, *, alone: bool) -> Button:
    """Strike or shoot back with a weapon, which is named where there is a choice."""
    label = "Counterattack" if alone else f"Counterattack: {weapon.title}"
    return Button(label, Counter(exchange.id, weapon.title, exchange.entry), "main", anytime=True)


def _late(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Nothing is bought; a hit stands."""
    settle(act, telling, exchange, ())


LATE["edges"] = _late


@handles(Spend, bot_dice=True)
def spend(act: Act, action: Spend) -> Reply:
    """What the winner buys; then hits are resisted. Rules: FE-OUT-08 to FE-OUT-12, FE-TEAM-02, FE-RCH-05."""
    exchange = current(act.encounter, action.at, action.step)
    if exchange.stage not in ("edges", "targets"):
        raise InvalidInput("There are no Edges to spend now.")
    require_holder(act, exchange.waits[0])
    telling = Telling()
    if exchange.stage == "targets":
        _pick_targets(act, telling, exchange, action.extra, action.apart)
    else:
        settle(act, telling, exchange, action.keys)
    return ask(act, telling)


def _wanted(keys: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for key in keys:
        name, _, count = key.partition(":")
        if count and not (count.isdecimal() and 1 <= int(count) <= 5):
            raise InvalidInput("Buy an effect once to five times.")
        more = int(count or 1)
        found += [name] * (more if not count or name not in keys else more - 1)
    return tuple(found)


def settle(act: Act, telling: Telling, exchange: Exchange, keys: tuple[str, ...]) -> None:
    """Carry out what was bought, discard the cards, owe the Checks."""
    facts, settings = exchange.facts, settings_of(act.encounter)
    if CLOSE_IN in keys:
        _move_in(act, telling, exchange, keys)
        return
    wanted = _wanted(tuple(key for key in keys if key != NO_HIT))
    if not facts["hit"] and any(not edges.kind_of(key, settings).inches for key in wanted):
        raise Forbidden("A defence buys moves; a hit needs a counterattack.", "FE-DEF-04")
    bought = edges.purchase(_budget(facts), wanted, settings, give_up_primary=NO_HIT in keys)
    winner = facts["names"][0 if facts["hit"] else 1]
    if not wanted:
        telling.lines.append("The hit stands." if bought.hits else f"{winner} does no more.")
    else:
        names = [edges.kind_of(key, settings).name for key in wanted]
        paid = "" if bought.keeps_primary or not facts["hit"] else ", no hit" if not bought.hits else ""
        telling.lines.append(f"{winner}: {', '.join(names)}{paid}.")
    if wanted and bought.edges_left:
        telling.lines.append(f"{times(bought.edges_left, 'Edge')} left unspent.")
    if bought.inches:
        telling.lines.append(f"{winner} may move {bought.inches} in, not behind.")
    _after_purchase(act, telling, exchange, bought)


def _after_purchase(act: Act, telling: Telling, exchange: Exchange, bought: Purchase) -> None:
    facts = exchange.facts | {"abuse": bought.column_shift, "hits": bought.hits}
    if bought.targets:
        waiting = replace(
            exchange, stage="targets", facts=facts | {"targets": bought.targets}, entry=act.entry
        )
        exchanges.keep(act.encounter, waiting)
        return
    _finish(act, exchange, facts, [facts["target"]] * bought.hits)


def _move_in(act: Act, telling: Telling, exchange: Exchange, keys: tuple[str, ...]) -> None:
    """Rules: FE-RCH-05."""
    if len(keys) > 1:
        raise InvalidInput("Moving in is chosen by itself.")
    if not _at_reach_disadvantage(act.encounter, exchange.facts):
        raise Forbidden("Only who engages at a reach disadvantage moves in.", "FE-RCH-05")
    closing = close_in(exchange.facts["margin"])
    name = exchange.facts["names"][0]
    telling.lines.append(
        f"{name} moves in up to {closing.inches} in{' and strikes' if closing.strikes else ''}."
    )
    facts = exchange.facts | {"abuse": 0}
    _finish(act, exchange, facts, [facts["target"]] if closing.strikes else [])


def _ask_targets(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Who else is hit. Rules: FE-OUT-12."""
    facts, encounter = exchange.facts, act.encounter
    enemies = [
        row
        for row in encounter.models()
        if row.side != encounter.model(facts["attacker"]).side and row.id != facts["target"]
    ]
    where = "in the weapon's reach" if facts["trait"] == "fight" else f"within 3 in of {facts['names'][1]}"
    telling.lines.append(f"Who else is hit, {where}?")
    choices = tuple(Choice(row.name, str(row.id)) for row in enemies[:25])
    spends = Spend(exchange.id, step=exchange.entry)
    if choices:
        most = min(int(facts["targets"]), len(choices))
        prompt = f"Second target, {where}"
        telling.menus.append(Menu(prompt, spends, "extra", choices, 1, most, anytime=True))
    telling.buttons.append(Button("Nobody else", spends, anytime=True))


DECISIONS["targets"] = _ask_targets


def _late_targets(act: Act, telling: Telling, exchange: Exchange) -> None:
    _pick_targets(act, telling, exchange, (), 0.0)


LATE["targets"] = _late_targets


def _pick_targets(
    act: Act, telling: Telling, exchange: Exchange, extra: tuple[int, ...], apart: float
) -> None:
    """Rules: FE-OUT-12."""
    facts, encounter = exchange.facts, act.encounter
    weapon = read_weapon(facts["weapon"])
    if len(extra) > facts["targets"]:
        raise Forbidden(f"{times(facts['targets'], 'further target')} only.", "FE-OUT-12")
    side = encounter.model(facts["attacker"]).side
    rows = [encounter.model(number) for number in extra]
    if any(row.side == side or row.id == facts["target"] for row in rows):
        raise InvalidInput("A further target is another enemy.")
    for _ in rows:
        edges.extra_target_refusal(facts["trait"], apart, apart, weapon.reach_inches or 0.0)
    names = ", ".join(row.name for row in rows)
    telling.lines.append(f"Also hit: {names}." if rows else "Nobody else is hit.")
    _finish(act, exchange, facts, [facts["target"]] * facts["hits"] + [row.id for row in rows])


def _finish(act: Act, exchange: Exchange, facts: dict[str, Any], targets: list[int]) -> None:
    """Discard, and owe a Check for every hit."""
    encounter = act.encounter
    exchanges.close(encounter, exchange)
    best = group_share(encounter, facts)
    weapon = read_weapon(facts["weapon"])
    hits = [
        {
            "kind": "protect",
            "target": number,
            "by": facts["names"][0],
            "weapon": str(replace(weapon, force=max(weapon.force, best.force)) if best else weapon),
            "shift": facts["shift"],
            "abuse": facts["abuse"] if place == 0 else 0,
            "armour": facts["armour"],
            "effect_shifts": facts["effect_shifts"],
            "cover": facts["cover"],
            "ducked": False,
        }
        for place, number in enumerate(targets)
    ]
    exchanges.owe(encounter, [*exchanges.due(encounter), *hits])
