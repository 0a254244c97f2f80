"""Attacks as the rules see them: what was declared, made into a `Situation`, and what a group adds to a side.

Owns how the facts of an attack are read. Who may declare what, and what it costs, is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.games.fracd_earth.figures import figure_of, in_hand, trait_of, weapon_named
from bot.games.fracd_earth.readings import settings_of
from bot.table.encounter import Encounter
from rules.modifiers import Modifier, total
from rules.systems.fracd_earth import combat, obstacles
from rules.systems.fracd_earth.combat import Situation
from rules.systems.fracd_earth.draws import Prepared, prepare
from rules.systems.fracd_earth.general import general_modifiers
from rules.systems.fracd_earth.reach import quick_range
from rules.systems.fracd_earth.team import Share, combined
from rules.systems.fracd_earth.weapons import Weapon, read_weapon


def cover_of(obstacle: obstacles.ObstacleKind | None, *, beside: bool = False) -> obstacles.Cover:
    """What the obstacle that the line crosses gives. Rules: FE-OBS-07, FE-OBS-08."""
    return "none" if obstacle is None else obstacles.cover_from(obstacle, adjacent_and_sees=beside)


def lenient(situation: Situation) -> dict[str, Any]:
    """What an organiser let pass, made possible: seen, in range, in a free line, standing still to focus."""
    reach = situation.range_inches
    limit = quick_range(reach) if situation.trait == "shoot" and situation.manner == "quick" else reach
    near = min(situation.distance_inches, limit)
    still = {"moving": False, "ran": False} if situation.manner == "focused" else {}
    return {"hidden": False, "distance": near, "line": [], **still}


def situation_of(encounter: Encounter, facts: dict[str, Any]) -> Situation:
    """The attack as the rules see it."""
    one = figure_of(encounter, encounter.model(facts["attacker"]))
    other = figure_of(encounter, encounter.model(facts["target"]))
    weapon = read_weapon(facts["weapon"])
    said = facts.get("against", "")
    named = weapon_named(other, other.name, said, fights=True) if said else None
    ready = next(iter(in_hand(other, named)), None)
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
        crossed=tuple(facts.get("line", ())),
    )


def attacker_side(encounter: Encounter, facts: dict[str, Any]) -> Prepared:
    """The attacker's cards, points and Effect shifts; a group takes the best of each. Rules: FE-TEAM-03."""
    found = combat.attack(situation_of(encounter, facts), settings_of(encounter))
    best = group_share(encounter, facts)
    if best is None:
        return found
    own = read_weapon(facts["weapon"])
    shifts = found.effect_shifts + best.row_shift - own.row_shift
    return _with_best(encounter, replace(found, effect_shifts=shifts), best.marks - own.rank)


def defender_side(encounter: Encounter, facts: dict[str, Any], trait: combat.DefenceTrait) -> Prepared:
    """The target's cards and points; a Combined defence takes the best cards of its members.

    Rules: FE-TEAM-03.
    """
    found = combat.defence(situation_of(encounter, facts), trait, settings_of(encounter))
    members = (facts["target"], *facts.get("defenders", ()))
    return _with_best(encounter, found, best_marks(encounter, members, trait))


def best_marks(encounter: Encounter, members: Sequence[int], trait: str) -> int:
    """By how many cards the best of a group draws more with that trait than its first. Rules: FE-TEAM-03."""
    settings = settings_of(encounter)
    figures = [figure_of(encounter, encounter.model(number)) for number in members]
    marks = [total(general_modifiers(figure, trait, settings).marks) for figure in figures]
    return max(marks) - marks[0]


def _with_best(encounter: Encounter, side: Prepared, more: int) -> Prepared:
    """A side with the cards by which the best of its group has more."""
    if more <= 0:
        return side
    marks = (*side.marks, Modifier(more, "best of the group", "FE-TEAM-03"))
    basic = [point for point in side.points if point.rule != "FE-DRAW-02"]
    return prepare(marks, basic, settings_of(encounter), side.effect_shifts)


def group_share(encounter: Encounter, facts: dict[str, Any]) -> Share | None:
    """The best Force, skill and shifts of a Combined attack, None where nobody combines.

    Rules: FE-TEAM-03.
    """
    if not facts["group"]:
        return None
    shares = [_share(read_weapon(facts["weapon"]))]
    for number in facts["group"]:
        friend = figure_of(encounter, encounter.model(number))
        shares += [_share(each) for each in friend.profile.weapons if trait_of(each) == facts["trait"]]
    return combined(tuple(shares))


def _share(weapon: Weapon) -> Share:
    return Share(weapon.force, weapon.rank, weapon.column_shift, weapon.row_shift)
