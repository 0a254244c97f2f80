"""Edges: what the winner of an attack buys, who else is hit, and the hits that are to be resisted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, Kind, declared, number_in
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.attack_situation import (
    Counter,
    find_best_share,
    list_counter_weapons,
    situation_of,
)
from bot.games.fracd_earth.exchange import Exchange, Facts, require_current
from bot.games.fracd_earth.figures import figure_of, trait_of
from bot.games.fracd_earth.hide_tokens import is_hidden_from
from bot.games.fracd_earth.narration import Narration
from bot.games.fracd_earth.players import name_of, require_holder
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import CARDS, DECISIONS, LATE_DECISIONS, ask_next, describe_task
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.game import time_to_react
from bot.table.handlers import handles
from bot.table.owners import in_play
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import combat, outcomes
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.combat import close_in
from rules.systems.fracd_earth.library import EdgeKind
from rules.systems.fracd_earth.outcomes import Budget, Purchase
from rules.systems.fracd_earth.seat import morphable
from rules.systems.fracd_earth.weapons import Weapon, read_weapon
from rules.wording import times

NO_HIT, CLOSE_IN, HIT_BY = "no_hit", "close_in", "hit_by"
"""Entries of the Edges menu that are no Edges: give the hit up; move in instead and strike with the first; an
Extra Hit by a member of the team, with its number and the place of its weapon: hit_by:2:0.
"""

EXTRA_HIT = "extra_hit"

MAX_COUNTERS = 5


@dataclass(frozen=True, slots=True)
class Spend(Action):
    """Spend Edges. keys: what is bought, an Extra Hit perhaps twice as extra_hit:2; extra: further targets;
    apart: how far they stand from the main one (or, in a Fight, from the attacker).
    """

    command = "fe.edges"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    keys: tuple[str, ...] = declared(Kind(wire=tuple[str, ...], any_order=1), ())
    extra: tuple[int, ...] = fields.unordered()
    apart: float = 0.0
    step: int = 0


@dataclass(frozen=True, slots=True)
class Strike:
    """A hit: its author, its weapon, its target and its shifts."""

    by: int
    target: int
    weapon: Weapon
    effect_shifts: int
    abuse: int = 0
    column: int = 0


# ------------------------------------------------------------------------------------ what can be bought


def _read_budget(encounter: Encounter, facts: Facts) -> Budget:
    return Budget(
        facts["edges"],
        primary=facts["hit"],
        listed=_list_card_effects(encounter, facts),
        team=bool(facts["support"]),
    )


def _list_card_effects(encounter: Encounter, facts: Facts) -> tuple[str, ...]:
    """Return the effects that must be on the Crew Card and are: of abilities, effects or skills.

    Rules: FE-OUT-08.
    """
    card = figure_of(encounter, encounter.model(facts["attacker"])).profile
    names = [*read_weapon(facts["weapon"]).abilities, *(effect.title for effect in card.effects)]
    names += [skill.name for skill in card.skills]
    effect_names = {name.casefold() for name in names}
    kinds = settings_of(encounter).edges
    return tuple(kind.key for kind in kinds if kind.listed and kind.name.casefold() in effect_names)


def list_edge_choices(encounter: Encounter, exchange: Exchange) -> list[Choice]:
    """Return everything that can be bought, an Extra effect as often as it can be paid."""
    facts, settings = exchange.facts, settings_of(encounter)
    budget = _read_budget(encounter, facts)
    choices = []
    for kind in settings.edges:
        if facts["hit"] or kind.inches:
            choices += _build_choices(encounter, kind, budget, hit=facts["hit"])
    if facts["hit"] and outcomes.allowed(budget, (EXTRA_HIT,), settings):
        choices += _list_team_hits(encounter, facts)
    if facts["hit"] and _at_reach_disadvantage(encounter, facts) and facts["margin"] > 0:
        strike_note = "; the first Edge pays for a strike" if facts["edges"] else ""
        choices.append(Choice("Move in", CLOSE_IN, f"instead of the hit{strike_note}"))
    return choices


def _build_choices(encounter: Encounter, kind: EdgeKind, budget: Budget, *, hit: bool) -> list[Choice]:
    choices: list[Choice] = []
    for count in range(1, 5 if kind.key in budget.repeatable else 2):
        try:
            purchase = outcomes.purchase(budget, (kind.key,) * count, settings_of(encounter))
        except Forbidden:
            break
        cost = outcomes.cost_of(kind, budget) * count
        note = "instead of the hit" if hit and not purchase.keeps_primary else ""
        label = f"{kind.name}{f' {count}' if count > 1 else ''}: {times(cost, 'Edge')}"
        choices.append(Choice(label, kind.key if count == 1 else f"{kind.key}:{count}", note))
    return choices


def _list_team_hits(encounter: Encounter, facts: Facts) -> list[Choice]:
    """An Extra Hit by each member of the team, with each weapon of the same kind. Rules: FE-TEAM-02."""
    choices = []
    for number in facts["support"]:
        figure = figure_of(encounter, encounter.model(number))
        for place, weapon in enumerate(figure.profile.weapons):
            if trait_of(weapon) == facts["trait"]:
                name = encounter.model(number).name
                label = f"Extra Hit by {name} with {weapon.title}: 1 Edge"
                choices.append(Choice(label, f"{HIT_BY}:{number}:{place}"))
    return choices


def _at_reach_disadvantage(encounter: Encounter, facts: Facts) -> bool:
    situation = situation_of(encounter, facts)
    own_reach = situation.weapon.reach_inches
    return situation.trait == "fight" and own_reach is not None and own_reach < situation.defender_reach


def await_winner(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Wait for the winner of an attack; go on at once if nothing but the hit, or nothing at all, is left."""
    facts, seat = exchange.facts, exchange.seat_of(exchange.waits[0])
    choices = list_edge_choices(act.encounter, exchange)
    may_morph = seat is not None and isinstance(exchange.state, Challenge) and bool(morphable(seat))
    if choices or may_morph or facts.get("counter"):
        facts_after = facts | {"buys": bool(choices)}
        exchanges.save_exchange(act.encounter, replace(exchange, facts=facts_after))
    elif facts["hit"]:
        _carry_out(act, narration, exchange, ())
    else:
        exchanges.close(act.encounter, exchange)


def _ask_edges(act: Act, narration: Narration, exchange: Exchange) -> None:
    """The menu of what Edges buy, for the winner. Rules: FE-OUT-08, FE-OUT-09."""
    facts, spend_action = exchange.facts, Spend(exchange.id, step=exchange.entry)
    encounter = act.encounter
    player_name = name_of(encounter, exchange.waits[0])
    choices = list_edge_choices(encounter, exchange)
    prompt = describe_task(exchange, encounter)
    if facts["hit"]:
        narration.buttons.append(Button("Hit", spend_action, "main", anytime=True))
    else:
        if facts.get("counter"):
            narration.buttons += _counter_buttons(exchange, list_counter_weapons(encounter, facts))
        narration.buttons.append(Button("Do nothing more", spend_action, anytime=True))
    narration.lines.append(f"{player_name}: {prompt} ({time_to_react(encounter)}).")
    if choices:
        max_choices = min(len(choices), 5)
        menu = Menu(
            "Buy effects with Edges", spend_action, "keys", tuple(choices), 1, max_choices, anytime=True
        )
        narration.menus.append(menu)
    if any(seat is not None and seat.entry.caster for seat in map(exchange.seat_of, exchange.players)):
        narration.buttons.append(CARDS)


DECISIONS["edges"] = _ask_edges


def _counter_buttons(exchange: Exchange, weapons: Sequence[Weapon]) -> list[Button]:
    """Strike or shoot back with a weapon, which is named where there is a choice."""
    return [
        Button(
            "Counterattack" if len(weapons) == 1 else f"Counterattack: {weapon.title}",
            Counter(exchange.id, weapon.title, exchange.entry),
            "main",
            anytime=True,
        )
        for weapon in weapons[:MAX_COUNTERS]
    ]


def _spend_late(act: Act, narration: Narration, exchange: Exchange) -> None:
    _carry_out(act, narration, exchange, ())


LATE_DECISIONS["edges"] = _spend_late


# ------------------------------------------------------------------------------------ buying


@handles(Spend, bot_dice=True)
def spend(act: Act, action: Spend) -> Reply:
    """Spend the winner's Edges; then hits are resisted. Rules: FE-OUT-08 to FE-OUT-12, FE-TEAM-02,
    FE-RCH-05.
    """
    exchange = require_current(act.encounter, action.at, action.step)
    if exchange.stage not in ("edges", "targets"):
        raise InvalidInput("There are no Edges to spend right now.")
    require_holder(act, exchange.waits[0])
    narration = Narration()
    if exchange.stage == "targets":
        _pick_targets(act, narration, exchange, action.extra, action.apart)
    else:
        _carry_out(act, narration, exchange, action.keys)
    return ask_next(act, narration)


def _parse_keys(keys: Sequence[str]) -> tuple[str, ...]:
    bought_keys: list[str] = []
    for key in keys:
        name, _, count = key.partition(":")
        times_bought = number_in(count or "1", "")
        if times_bought is None or not 1 <= times_bought <= 5:
            raise InvalidInput("Buy an effect 1 to 5 times.")
        bought_keys += [name] * (times_bought if not count or name not in keys else times_bought - 1)
    return tuple(bought_keys)


def _read_team_strikes(encounter: Encounter, facts: Facts, keys: Sequence[str]) -> list[tuple[int, Weapon]]:
    """Return who of the team strikes further hits, with what. Raises Forbidden, InvalidInput. Rules:
    FE-TEAM-02.
    """
    choices = []
    for key in keys:
        member_text, _, weapon_text = key.removeprefix(f"{HIT_BY}:").partition(":")
        number, place = number_in(member_text, ""), number_in(weapon_text, "")
        if number is None or place is None or number not in facts["support"]:
            raise InvalidInput("Pick a member of the team. No one else shares its attacks.")
        weapons = figure_of(encounter, encounter.model(number)).profile.weapons
        if place >= len(weapons) or trait_of(weapons[place]) != facts["trait"]:
            raise InvalidInput("Pick a weapon that this member can use for this attack.")
        choices.append((number, weapons[place]))
    members = (facts["attacker"], *facts["support"])
    combat.alternating(facts["edges"], members, tuple(number for number, _ in choices))
    return choices


def _carry_out(act: Act, narration: Narration, exchange: Exchange, keys: tuple[str, ...]) -> None:
    """Carry out what was bought, discard the cards, owe the Checks."""
    encounter, facts, settings = act.encounter, exchange.facts, settings_of(act.encounter)
    team_keys = [key for key in keys if key.startswith(f"{HIT_BY}:")]
    team_strikes = _read_team_strikes(encounter, facts, team_keys)
    bought_keys = _parse_keys([key for key in keys if key not in (NO_HIT, CLOSE_IN, *team_keys)])
    if not facts["hit"] and any(not outcomes.kind_of(key, settings).inches for key in bought_keys):
        raise Forbidden("Without a counterattack, you can only buy moves.", "FE-DEF-04")
    budget = _read_budget(encounter, facts)
    if CLOSE_IN in keys:
        budget = _move_in(act, narration, facts, budget)
    all_keys = (*bought_keys, *(EXTRA_HIT for _ in team_strikes))
    purchase = outcomes.purchase(budget, all_keys, settings, give_up_primary=NO_HIT in keys)
    names = [outcomes.kind_of(key, settings).name for key in bought_keys]
    names += [f"Extra Hit by {encounter.model(number).name}" for number, _ in team_strikes]
    _describe_purchase(narration, facts, budget, purchase, names)
    facts_after = facts | {
        "abuse": purchase.column_shift,
        "hits": purchase.hits - len(team_strikes),
        "strikes": [[number, str(weapon)] for number, weapon in team_strikes],
    }
    if purchase.targets:
        facts_after |= {"targets": purchase.targets}
        exchanges.save_exchange(
            encounter, replace(exchange, stage="targets", facts=facts_after, entry=act.entry)
        )
        return
    _finish(act, exchange, facts_after, ())


def _describe_purchase(
    narration: Narration, facts: Facts, budget: Budget, purchase: Purchase, names: list[str]
) -> None:
    winner = facts["names"][0 if facts["hit"] else 1]
    if names:
        gave_up_hit = budget.primary and facts["hit"] and not purchase.hits
        narration.lines.append(f"{winner}: {', '.join(names)}{', no hit' if gave_up_hit else ''}.")
        if purchase.edges_left:
            narration.lines.append(f"Edges left over: {purchase.edges_left}.")
    elif purchase.hits or not facts["hit"]:
        narration.lines.append("The hit counts." if purchase.hits else f"{winner} does nothing more.")
    elif budget.primary:
        narration.lines.append(f"{winner} gives up the hit.")
    if purchase.inches:
        directions = "towards the opponent, away, left or right, but not behind the opponent"
        narration.lines.append(f"{winner} may move {times(purchase.inches, 'inch', 'inches')} {directions}.")


def _move_in(act: Act, narration: Narration, facts: Facts, budget: Budget) -> Budget:
    """The move instead of the primary success, and what is left to spend after the strike. Raises Forbidden.

    Rules: FE-RCH-05.
    """
    if not facts["hit"] or not _at_reach_disadvantage(act.encounter, facts):
        raise Forbidden("You can only move in if you engage at a reach disadvantage.", "FE-RCH-05")
    move = close_in(facts["margin"])
    may_strike = move.strikes and facts["edges"] > 0
    strike_text = " and strike" if may_strike else ""
    distance = times(move.inches, "inch", "inches")
    narration.lines.append(f"{facts['names'][0]} may move in by up to {distance}{strike_text}.")
    edges_left = move.edges_left if may_strike else 0
    return replace(budget, edges=edges_left, primary=may_strike)


# ------------------------------------------------------------------------------------ further targets


def _ask_targets(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Ask who else is hit, in a public menu that does not show what one side has detected.

    Rules: FE-OUT-12, FE-DET-01.
    """
    facts, encounter = exchange.facts, act.encounter
    side = encounter.model(facts["attacker"]).side
    two_sides = len(encounter.sides()) < 3
    enemies = [
        row
        for row in encounter.models()
        if row.side != side
        and row.id != facts["target"]
        and not (two_sides and is_hidden_from(encounter, row.id, side))
    ]
    is_fight, target = facts["trait"] == "fight", facts["names"][1]
    place = "within the weapon's reach" if is_fight else f"within 3 in of {target}"
    narration.lines.append(f"Choose who else is hit {place}.")
    choices = tuple(Choice(row.name, str(row.id)) for row in enemies[:25])
    spend_action = Spend(exchange.id, step=exchange.entry)
    if choices:
        max_targets = min(int(facts["targets"]), len(choices))
        prompt = f"Further targets ({place})"
        narration.menus.append(Menu(prompt, spend_action, "extra", choices, 1, max_targets, anytime=True))
    narration.buttons.append(Button("No one else", spend_action, anytime=True))


DECISIONS["targets"] = _ask_targets


def _late_targets(act: Act, narration: Narration, exchange: Exchange) -> None:
    _pick_targets(act, narration, exchange, (), 0.0)


LATE_DECISIONS["targets"] = _late_targets


def _pick_targets(
    act: Act, narration: Narration, exchange: Exchange, target_ids: tuple[int, ...], distance: float
) -> None:
    """Rules: FE-OUT-12, FE-DET-01."""
    facts, encounter = exchange.facts, act.encounter
    weapon = read_weapon(facts["weapon"])
    if len(target_ids) > facts["targets"]:
        raise Forbidden(f"You can choose only {times(facts['targets'], 'further target')}.", "FE-OUT-12")
    side = encounter.model(facts["attacker"]).side
    rows = [encounter.model(number) for number in dict.fromkeys(target_ids)]
    for row in rows:
        if row.side == side or row.id == facts["target"] or row not in encounter.models():
            raise InvalidInput("Pick another enemy that is in play.")
        if is_hidden_from(encounter, row.id, side):
            raise Forbidden(f"Detect {row.name} first, because it is Hidden.", "FE-DET-01")
        outcomes.extra_target_refusal(facts["trait"], distance, distance, weapon.reach_inches or 0.0)
    names = ", ".join(row.name for row in rows)
    narration.lines.append(f"Also hit: {names}." if rows else "No one else is hit.")
    _finish(act, exchange, facts, tuple(row.id for row in rows))


# ------------------------------------------------------------------------------------ hits


def _finish(act: Act, exchange: Exchange, facts: Facts, extra_targets: tuple[int, ...]) -> None:
    """Discard, and owe a Check for every hit: those on the main target first, then those on further ones."""
    encounter = act.encounter
    exchanges.close(encounter, exchange)
    main_strike = _build_own_strike(encounter, facts)
    hits = [replace(main_strike, abuse=facts["abuse"] if not place else 0) for place in range(facts["hits"])]
    hits += [_build_team_strike(encounter, facts, number, text) for number, text in facts.get("strikes", ())]
    hits += [replace(main_strike, target=number) for number in extra_targets]
    due_checks = [_build_due_check(facts, hit) for hit in hits]
    exchanges.owe(encounter, [*exchanges.read_due(encounter), *due_checks])


def _build_own_strike(encounter: Encounter, facts: Facts) -> Strike:
    """Return a hit by the attacker; of a group with the best Force and column. Rules: FE-TEAM-03."""
    weapon, best_share = read_weapon(facts["weapon"]), find_best_share(encounter, facts)
    column = 0
    if best_share is not None:
        column = best_share.column_shift - weapon.column_shift
        weapon = replace(weapon, force=max(weapon.force, best_share.force))
    return Strike(facts["attacker"], facts["target"], weapon, facts["effect_shifts"], column=column)


def _build_team_strike(encounter: Encounter, facts: Facts, number: int, text: str) -> Strike:
    """Return a hit by a member of the team, with its own weapon. Rules: FE-TEAM-02."""
    weapon = read_weapon(text)
    return Strike(number, facts["target"], weapon, weapon.row_shift)


def _build_due_check(facts: Facts, hit: Strike) -> Facts:
    is_main_target = hit.target == facts["target"]
    return {
        "kind": "protect",
        "target": hit.target,
        "by": hit.by,
        "weapon": str(hit.weapon),
        "shift": facts["shift"],
        "abuse": hit.abuse,
        "armour": facts["armour"],
        "effect_shifts": hit.effect_shifts,
        "column": hit.column,
        "cover": facts["cover"],
        "ducked": False,
        "group": facts.get("defenders", []) if is_main_target else [],
    }
