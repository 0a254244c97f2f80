"""Attacks: declared, answered with Def or Manv, and drawn for as a Challenge (or a Check at the helpless)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange, current
from bot.games.fracd_earth.figures import (
    activation_of,
    figure_of,
    keep_activation,
    keep_all,
    named,
    not_acting,
    own,
    pick_weapon,
    pointers,
    require_acting,
    several,
    trait_of,
)
from bot.games.fracd_earth.odds_play import Go, clash_odds
from bot.games.fracd_earth.players import deck_of, name_of, player_of
from bot.games.fracd_earth.readings import seconds_of, settings_of
from bot.games.fracd_earth.steps import DECISIONS, LATE, ask, begin_challenge, begin_check, proceed
from bot.games.fracd_earth.telling import Telling, draw_words, inches, why_lines
from bot.games.fracd_earth.veils import blind_sides, hidden_from, shown_by_attack
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import actions, combat, obstacles
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.actions import Activation
from rules.systems.fracd_earth.combat import Situation
from rules.systems.fracd_earth.draws import Prepared, prepare
from rules.systems.fracd_earth.profile import Figure
from rules.systems.fracd_earth.reach import quick_range
from rules.systems.fracd_earth.team import Share, combined
from rules.systems.fracd_earth.weapons import Weapon, read_weapon


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """Attack a figure. manner: basic, focused, quick, wild (a free strike at one passing by) or slam.

    support: allies who give their Main action; group: allies of a Combined attack; armour: columns that the
    target's armour shifts to the left; effective: the shooter's range, where it is not the weapon's; cover:
    the obstacle that the line crosses, beside: the attacker stands next to it and sees over; line: whose
    bases it crosses; away: allies who have the target out of range and reach; unseen: sides that do not see a
    hidden attacker.
    """

    command = "fe.attack"

    attacker: str = ""
    target: str = ""
    distance: float = 0.0
    weapon: str = ""
    manner: str = "basic"
    cover: str = "none"
    support: str = ""
    group: str = ""
    moving: bool = False
    platform: bool = False
    behind: bool = False
    above: bool = False
    effective: float = 0.0
    armour: int = 0
    odds: bool = False
    unseen: str = ""
    line: str = ""
    away: str = ""
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Defend(Action):
    """Answer an attack with Def or Manv."""

    command = "fe.defend"

    at: int = 0
    trait: str = "def"


MANNERS = ("basic", "focused", "quick", "wild", "slam")


@handles(Attack, bot_dice=True)
def attack(act: Act, action: Attack) -> Reply:
    """Declare it; the defender chooses how to answer. Rules: FE-CHAL-01, FE-DEF-01, FE-DEF-02, FE-ACT-03."""
    encounter = act.encounter
    exchanges.refuse_second(encounter)
    attacker, one = own(act, action.attacker)
    target, other = named(act, action.target)
    if attacker.side == target.side:
        raise InvalidInput(f"{target.name} is on {attacker.name}'s own side.")
    if action.manner not in MANNERS:
        raise InvalidInput(f"Manner is one of {', '.join(MANNERS)}.")
    weapon = pick_weapon(one, attacker.name, action.weapon, reach=action.distance)
    support, group = several(act, action.support), several(act, action.group)
    check_friends(act, attacker, [*support, *group])
    away = out_of_reach(act, action.away, [*support, *group])
    act.canonical = replace(
        action,
        attacker=f"#{attacker.id}",
        target=f"#{target.id}",
        weapon=weapon.title,
        support=pointers(support),
        group=pointers(group),
        line=pointers(several(act, action.line)),
        away=pointers(away),
        odds=False,
    )
    facts = _facts(act.canonical, attacker, target, weapon, support, group)
    facts["ran"] = activation_of(attacker).pace == "run"
    facts["hidden"] = hidden_from(encounter, target.id, attacker.side)
    facts |= {"cover": cover_of(action.cover, beside=action.beside), "obstacle": action.cover}
    facts["line"] = [row.name for row in several(act, action.line) if row not in (attacker, target)]
    facts["blind"] = blind_sides(encounter, attacker, action.unseen)
    situation = situation_of(encounter, facts)
    with act.overridable():
        combat.refuse_attack(situation)
    if act.overridden:
        facts |= _lenient(situation)
        situation = situation_of(encounter, facts)
    mine = attacker_side(encounter, facts)
    used = actions_used(encounter, attacker, action.manner, [*support, *group], away)
    if action.odds:
        return _odds(act, situation, mine, other, attacker)
    if takes_main(action.manner):
        require_acting(act, attacker)
    keep_all(used)
    return _declared(act, facts, situation, mine)


def _facts(
    action: Attack,
    attacker: ModelRow,
    target: ModelRow,
    weapon: Weapon,
    support: list[ModelRow],
    group: list[ModelRow],
) -> dict[str, Any]:
    return asdict(action) | {
        "attacker": attacker.id,
        "target": target.id,
        "weapon": str(weapon),
        "support": [row.id for row in support],
        "group": [row.id for row in group],
        "names": [attacker.name, target.name],
        "trait": trait_of(weapon),
    }


def check_friends(act: Act, attacker: ModelRow, friends: list[ModelRow]) -> None:
    """Raise Forbidden unless they are other figures of the same side."""
    for row in friends:
        if row.side != attacker.side or row.id == attacker.id:
            raise Forbidden(f"{row.name} cannot help {attacker.name}.", "FE-TEAM-01")
        act.require_model(row)


def out_of_reach(act: Act, text: str, friends: list[ModelRow]) -> list[ModelRow]:
    """Those of the helping allies who have the target neither in range nor in reach. Raises InvalidInput."""
    rows = several(act, text)
    for row in rows:
        if row not in friends:
            raise InvalidInput(f"{row.name} does not help here: name it under support too.")
    return rows


def cover_of(text: str, *, beside: bool = False) -> obstacles.Cover:
    """What the obstacle that the line crosses gives. Raises InvalidInput. Rules: FE-OBS-07, FE-OBS-08."""
    found = next((kind for kind in obstacles.OBSTACLES if kind == text), None)
    if found is None:
        if text != "none":
            raise InvalidInput(f"Cover is none, {', '.join(obstacles.OBSTACLES)}.")
        return "none"
    return obstacles.cover_from(found, adjacent_and_sees=beside)


def _lenient(situation: Situation) -> dict[str, Any]:
    """What an organiser let pass, made possible: seen, in range, standing still, nobody in the way."""
    reach = situation.range_inches
    limit = quick_range(reach) if situation.trait == "shoot" and situation.manner == "quick" else reach
    near = min(situation.distance_inches, limit)
    return {"hidden": False, "distance": near, "moving": False, "ran": False, "line": []}


def situation_of(encounter: Encounter, facts: dict[str, Any]) -> Situation:
    """The attack as the rules see it."""
    one = figure_of(encounter, encounter.model(facts["attacker"]))
    other = figure_of(encounter, encounter.model(facts["target"]))
    weapon = read_weapon(facts["weapon"])
    ready = next((w.reach_inches for w in other.profile.weapons if w.reach_inches is not None), 0.0)
    manner = {"wild": "quick", "slam": "basic"}.get(facts["manner"], facts["manner"])
    return Situation(
        one,
        other,
        weapon,
        facts["trait"],
        manner,
        facts["distance"],
        facts["effective"] or None,
        facts["cover"],
        len(facts["support"]),
        facts["moving"],
        facts["ran"],
        facts["platform"],
        ready or 0.0,
        facts["behind"],
        facts["above"],
        facts["hidden"],
        crossed=tuple(facts["line"]),
    )


def attacker_side(encounter: Encounter, facts: dict[str, Any]) -> Prepared:
    """The attacker's cards and points; a group takes its best skill. Rules: FE-TEAM-03."""
    found = combat.attack(situation_of(encounter, facts), settings_of(encounter))
    own_weapon = read_weapon(facts["weapon"])
    best = group_share(encounter, facts)
    if best is None or best.marks <= own_weapon.rank:
        return found
    more = Modifier(best.marks - own_weapon.rank, "best of the group", "FE-TEAM-03")
    basic = [point for point in found.points if point.rule != "FE-DRAW-02"]
    return prepare((*found.marks, more), basic, settings_of(encounter), found.effect_shifts)


def group_share(encounter: Encounter, facts: dict[str, Any]) -> Share | None:
    """The best Force and skill of a Combined attack, None where nobody combines. Rules: FE-TEAM-03."""
    if not facts["group"]:
        return None
    shares = [Share(read_weapon(facts["weapon"]).force, read_weapon(facts["weapon"]).rank)]
    for number in facts["group"]:
        friend = figure_of(encounter, encounter.model(number))
        fitting = [each for each in friend.profile.weapons if trait_of(each) == facts["trait"]]
        shares += [Share(each.force, each.rank) for each in fitting]
    return combined(tuple(shares))


def _odds(act: Act, situation: Situation, mine: Prepared, other: Figure, attacker: ModelRow) -> Reply:
    """Before it is declared, to the attacker's player alone. Rules: FE-CHAL-03."""
    settings = settings_of(act.encounter)
    if act.overridden:
        raise InvalidInput("Chances are told for what the rules allow.")
    theirs = prepare((), (Modifier(10, "target number"),), settings)
    if combat.may_defend(other):
        answers = [combat.defence(situation, trait, settings) for trait in ("def", "manv")]
        theirs = max(answers, key=lambda each: each.trait + 2 * _net(each))
    said = not_acting(act.encounter, attacker) if takes_main(situation.manner) else ""
    go = Go("Attack", act.canonical, said)
    return clash_odds(act, player_of(act.encounter, attacker), mine, theirs, go)


def _net(side: Prepared) -> int:
    return sum(mark.amount for mark in side.marks)


def takes_main(manner: str) -> bool:
    """Whether an attack in that manner takes the Main action. Rules: FE-ACT-03, FE-ACT-05, FE-RCH-02."""
    return manner not in ("quick", "wild")


def actions_used(
    encounter: Encounter, attacker: ModelRow, manner: str, friends: list[ModelRow], away: list[ModelRow]
) -> list[tuple[ModelRow, Activation]]:
    """What everybody in the attack will have used after it; nothing before the game begins.

    away: friends with the target out of range and reach. Raises Forbidden.
    Rules: FE-ACT-03, FE-ACT-04, FE-ACT-05, FE-ACT-06, FE-MOV-02, FE-RCH-02.
    """
    if encounter.row.turn < 1:
        return []
    used = activation_of(attacker)
    if takes_main(manner):
        used = actions.attack(used, "focused" if manner == "focused" else "basic")
    else:
        used = actions.react(used)
    helping = [
        (friend, actions.attack(activation_of(friend), "teamwork", opponent_near=friend not in away))
        for friend in friends
    ]
    return [(attacker, used), *helping]


def _declared(act: Act, facts: dict[str, Any], situation: Situation, mine: Prepared) -> Reply:
    encounter = act.encounter
    attacker, target = encounter.model(facts["attacker"]), encounter.model(facts["target"])
    weapon = read_weapon(facts["weapon"])
    verb = {"fight": "strikes at", "shoot": "shoots at", "cast": "casts at"}[facts["trait"]]
    head = f"{attacker.name} {verb} {target.name}."
    if facts["manner"] == "slam":
        head = f"{attacker.name} slams into {target.name}."
    telling = Telling([head, f"{weapon.title}, {inches(situation.distance_inches)}: {draw_words(mine)}"])
    telling.why += why_lines(attacker.name, mine)
    if facts["obstacle"] != facts["cover"]:
        beside = "the attacker is next to it FE-OBS-08" if facts["beside"] else "nothing agreed FE-TER-07"
        telling.why.append(f"  {facts['obstacle']} obstacle gives nothing: {beside}")
    telling.lines += shown_by_attack(encounter, attacker, facts["blind"])
    facts["effect_shifts"] = mine.effect_shifts
    if combat.may_defend(situation.defender):
        player = player_of(encounter, target)
        waiting = Exchange("attack", facts, None, "defend", (player,), act.entry, act.entry)
        exchanges.keep(encounter, waiting)
        return ask(act, telling)
    telling.lines.append(f"{target.name} is Inactive: a Check, 10 hits.")
    number = player_of(encounter, attacker)
    facts["traits"] = [facts["trait"].capitalize()]
    seat = seats.sit(number, mine, deck_of(encounter, number), combined=bool(facts["group"]))
    begun = begin_check(act, telling, Exchange("helpless", facts), seat, 10, strictly=weapon.all_or_nothing)
    return proceed(act, telling, begun)


def _ask_defender(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Def or Manv, the target's choice. Rules: FE-CMB-10, FE-DEF-01."""
    encounter = act.encounter
    who = name_of(encounter, exchange.waits[0])
    target = figure_of(encounter, encounter.model(exchange.facts["target"]))
    telling.lines.append(f"{who}: Def or Manv ({seconds_of(encounter)} s)?")
    for trait in ("def", "manv"):
        label = f"{trait.capitalize()} {target.profile.trait(trait)}"
        telling.buttons.append(Button(label, Defend(exchange.id, trait), "main"))


DECISIONS["defend"] = _ask_defender


@handles(Defend, bot_dice=True)
def defend(act: Act, action: Defend) -> Reply:
    """The target's player answers; then both draw. Rules: FE-DEF-01, FE-CMB-10."""
    exchange = current(act.encounter, action.at)
    if exchange.stage != "defend" or action.trait not in ("def", "manv"):
        raise InvalidInput("There is no attack to answer.")
    act.require_model(act.encounter.model(exchange.facts["target"]))
    telling = Telling()
    _defended(act, telling, exchange, action.trait)
    return ask(act, telling)


def _defended(act: Act, telling: Telling, exchange: Exchange, trait: str) -> None:
    encounter, facts = act.encounter, dict(exchange.facts)
    settings = settings_of(encounter)
    attacker, target = encounter.model(facts["attacker"]), encounter.model(facts["target"])
    mine = attacker_side(encounter, facts)
    theirs = combat.defence(situation_of(encounter, facts), trait, settings)  # type: ignore[arg-type]
    facts["traits"] = [facts["trait"].capitalize(), trait.capitalize()]
    if encounter.row.turn:
        keep_activation(target, actions.react(activation_of(target)))
    numbers = player_of(encounter, attacker), player_of(encounter, target)
    active, reactive = (
        seats.sit(
            number,
            side,
            deck_of(encounter, number),
            combined=bool(facts["group"]) and row is attacker,
            caster=is_caster(figure_of(encounter, row)),
        )
        for number, side, row in zip(numbers, (mine, theirs), (attacker, target), strict=True)
    )
    strictly = read_weapon(facts["weapon"]).all_or_nothing
    telling.lines += [
        f"{target.name} answers with {trait.capitalize()}.",
        f"{attacker.name}: {draw_words(mine)}, adds {mine.trait}",
        f"{target.name}: {draw_words(theirs)}, adds {theirs.trait}",
    ]
    telling.why += [*why_lines(attacker.name, mine), *why_lines(target.name, theirs)]
    begun = begin_challenge(act, telling, replace(exchange, facts=facts), active, reactive, strictly=strictly)
    exchanges.keep(encounter, replace(begun, entry=act.entry))


def is_caster(figure: Figure) -> bool:
    """Whether the figure may Morph. Rules: FE-CHAL-09."""
    return figure.profile.trait("cast") > 0


def _late(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Who does not choose defends with the better trait."""
    target = figure_of(act.encounter, act.encounter.model(exchange.facts["target"])).profile
    better = "manv" if target.trait("manv") > target.trait("def") else "def"
    _defended(act, telling, exchange, better)


LATE["defend"] = _late
