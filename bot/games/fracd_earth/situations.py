"""Attacks as the rules see them: what was declared, made into a `Situation`, and what a group adds to a side.

Owns how the facts of an attack are read. Who may declare what, and what it costs, is decided elsewhere.
"""

from __future__ import annotations

from typing import Any

from bot.games.fracd_earth.figures import figure_of, in_hand, trait_of
from bot.games.fracd_earth.readings import settings_of
from bot.table.encounter import Encounter
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import combat, obstacles
from rules.systems.fracd_earth.combat import Situation
from rules.systems.fracd_earth.draws import Prepared, prepare
from rules.systems.fracd_earth.reach import quick_range
from rules.systems.fracd_earth.team import Share, combined
from rules.systems.fracd_earth.weapons import read_weapon


def cover_of(text: str, *, beside: bool = False) -> obstacles.Cover:
    """What the obstacle that the line crosses gives. Raises InvalidInput. Rules: FE-OBS-07, FE-OBS-08."""
    found = next((kind for kind in obstacles.OBSTACLES if kind == text), None)
    if found is None:
        if text != "none":
            raise InvalidInput(f"Cover is none, {', '.join(obstacles.OBSTACLES)}.")
        return "none"
    return obstacles.cover_from(found, adjacent_and_sees=beside)


def lenient(situation: Situation) -> dict[str, Any]:
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
    ready = next(iter(in_hand(other, other.name, facts["against"])), None)
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
        (ready.reach_inches or 0.0) if ready is not None else 0.0,
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
