"""Attacks as the rules see them: the declared situation, who helps, and what a defender can counter with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.fracd_earth.drawing import require_no_exchange
from bot.games.fracd_earth.exchange import Facts
from bot.games.fracd_earth.figures import (
    activation_of,
    figure_of,
    find_weapon,
    list_weapons_in_hand,
    require_acting,
    require_active,
    trait_of,
)
from bot.games.fracd_earth.narration import trait_word
from bot.games.fracd_earth.settings import settings_of
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.encounter import Encounter, EncounterView
from bot.table.owners import in_play
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import combat, movement, turns
from rules.systems.fracd_earth.combat import Share, Situation, combined, quick_range
from rules.systems.fracd_earth.deck import Prepared, prepare
from rules.systems.fracd_earth.modifiers import general_modifiers
from rules.systems.fracd_earth.turns import Activation
from rules.systems.fracd_earth.weapons import Weapon, read_weapon


def cover_of(obstacle: movement.ObstacleKind | None, *, adjacent: bool = False) -> movement.Cover:
    """Return the cover of the obstacle that the line crosses. Rules: FE-OBS-07, FE-OBS-08."""
    return "none" if obstacle is None else movement.cover_from(obstacle, adjacent_and_sees=adjacent)


def lenient_situation(situation: Situation) -> dict[str, Any]:
    """Return what an organiser's override makes possible: seen, in range, a free line, focused."""
    max_range = situation.range_inches
    limit = (
        quick_range(max_range) if situation.trait == "shoot" and situation.manner == "quick" else max_range
    )
    lenient_distance = min(situation.distance_inches, limit)
    standing_facts = {"moving": False, "ran": False} if situation.manner == "focused" else {}
    return {"hidden": False, "distance": lenient_distance, "line": [], **standing_facts}


def situation_of(encounter: EncounterView, facts: dict[str, Any]) -> Situation:
    """Return the attack as the rules see it."""
    figure = figure_of(encounter, encounter.model(facts["attacker"]))
    target = figure_of(encounter, encounter.model(facts["target"]))
    weapon = read_weapon(facts["weapon"])
    weapon_title = facts.get("against", "")
    named_weapon = find_weapon(target, target.name, weapon_title, for_fight=True) if weapon_title else None
    readiest_weapon = combat.readiest(weapon, list_weapons_in_hand(target, named_weapon))
    manner = {"wild": "quick", "slam": "basic"}.get(facts["manner"], facts["manner"])
    return Situation(
        figure,
        target,
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
        (readiest_weapon.reach_inches or 0.0) if readiest_weapon is not None else 0.0,
        facts["behind"],
        facts["above"],
        facts["hidden"],
        crossed=tuple(facts.get("line", ())),
    )


def prepare_attacker(encounter: EncounterView, facts: dict[str, Any]) -> Prepared:
    """Return the attacker's cards, points and Effect shifts; a group uses its best. Rules: FE-TEAM-03."""
    prepared = combat.attack(situation_of(encounter, facts), settings_of(encounter))
    best_share = find_best_share(encounter, facts)
    if best_share is None:
        return prepared
    own_weapon = read_weapon(facts["weapon"])
    effect_shifts = prepared.effect_shifts + best_share.row_shift - own_weapon.row_shift
    return _add_extra_marks(
        encounter, replace(prepared, effect_shifts=effect_shifts), best_share.marks - own_weapon.rank
    )


def prepare_defender(encounter: Encounter, facts: dict[str, Any], trait: combat.DefenceTrait) -> Prepared:
    """Return the target's cards and points; a Combined defence takes the best cards of its members.

    Rules: FE-TEAM-03.
    """
    prepared = combat.defence(situation_of(encounter, facts), trait, settings_of(encounter))
    members = (facts["target"], *facts.get("defenders", ()))
    return _add_extra_marks(encounter, prepared, count_extra_marks(encounter, members, trait))


def count_extra_marks(encounter: Encounter, members: Sequence[int], trait: str) -> int:
    """Return how many cards more than its first the best of a group draws. Rules: FE-TEAM-03."""
    settings = settings_of(encounter)
    figures = [figure_of(encounter, encounter.model(number)) for number in members]
    mark_counts = [total(general_modifiers(figure, trait, settings).marks) for figure in figures]
    return max(mark_counts) - mark_counts[0]


def _add_extra_marks(encounter: EncounterView, side: Prepared, extra_marks: int) -> Prepared:
    if extra_marks <= 0:
        return side
    marks = (*side.marks, Modifier(extra_marks, "best of the group", "FE-TEAM-03"))
    points = [point for point in side.points if point.rule != "FE-DRAW-02"]
    return prepare(marks, points, settings_of(encounter), side.effect_shifts)


def find_best_share(encounter: EncounterView, facts: dict[str, Any]) -> Share | None:
    """Return the best Force, skill and shifts of a Combined attack, or None without one.

    Rules: FE-TEAM-03.
    """
    if not facts["group"]:
        return None
    shares = [_share_of_weapon(read_weapon(facts["weapon"]))]
    for number in facts["group"]:
        ally = figure_of(encounter, encounter.model(number))
        shares += [
            _share_of_weapon(weapon) for weapon in ally.profile.weapons if trait_of(weapon) == facts["trait"]
        ]
    return combined(tuple(shares))


def _share_of_weapon(weapon: Weapon) -> Share:
    return Share(weapon.force, weapon.rank, weapon.column_shift, weapon.row_shift)


def require_allies(act: ActView, attacker: ModelRow, friends: Sequence[ModelRow]) -> None:
    """Raise Forbidden unless they are other figures of the same side, each helping in one way.

    Rules: FE-TEAM-01, FE-TEAM-03.
    """
    for place, row in enumerate(friends):
        if row in friends[:place]:
            raise Forbidden(f"List {row.name} only once (for Teamwork or a Combined attack).", "FE-TEAM-03")
        if row.side != attacker.side or row.id == attacker.id:
            raise Forbidden(f"Choose allies of {attacker.name}. {row.name} isn't one of them.", "FE-TEAM-01")
        require_active(act.encounter, row)
        act.require_model(row)


def require_group_weapons(act: ActView, group: Sequence[ModelRow], weapon: Weapon) -> None:
    """Raise Forbidden unless everyone in a Combined attack has something of the same kind.

    Rules: FE-TEAM-03.
    """
    for row in group:
        weapons = figure_of(act.encounter, row).profile.weapons
        if not any(trait_of(other) == trait_of(weapon) for other in weapons):
            trait = trait_word(trait_of(weapon))
            raise Forbidden(
                f"Leave {row.name} out of the Combined attack. It has no weapon that uses {trait}.",
                "FE-TEAM-03",
            )


def require_defenders(act: Act, target: ModelRow, rows: Sequence[ModelRow]) -> None:
    """Raise Forbidden unless each of these may defend together with a target. Rules: FE-TEAM-03."""
    require_allies(act, target, rows)


def require_helping(away_allies: Sequence[ModelRow], friends: Sequence[ModelRow]) -> None:
    """Raise InvalidInput unless those who have the target neither in range nor in reach help at all."""
    for row in away_allies:
        if row not in friends:
            raise InvalidInput(f"Also add {row.name} to the allies who give Teamwork. It isn't helping yet.")


def is_main_action(manner: str) -> bool:
    """Return whether an attack in that manner uses the Main action. Rules: FE-ACT-03, -05, FE-RCH-02."""
    return manner not in ("quick", "wild")


def require_may_attack(act: ActView, action: Any) -> None:
    """Refuse an attack while something is resolved, or one with the Main action of an idle figure.

    Rules: FE-ACT-01, FE-CHAL-01.
    """
    require_no_exchange(act, action)
    require_active(act.encounter, action.attacker)
    if is_main_action(action.manner):
        require_acting(act, action.attacker)


def collect_activations(
    encounter: EncounterView,
    attacker: ModelRow,
    manner: str,
    friends: Sequence[ModelRow] = (),
    away: Sequence[ModelRow] = (),
) -> list[tuple[ModelRow, Activation]]:
    """Return the actions used after the attack by everyone in it; empty before the game begins.

    away: friends with the target out of range and reach. Raises Forbidden.
    Rules: FE-ACT-03, FE-ACT-04, FE-ACT-05, FE-ACT-06, FE-MOV-02, FE-RCH-02.
    """
    require_active(encounter, attacker)
    if encounter.row.turn < 1:
        return []
    activation = activation_of(attacker)
    if is_main_action(manner):
        activation = turns.attack(activation, "focused" if manner == "focused" else "basic")
    else:
        activation = turns.react(activation)
    ally_activations = [
        (ally, turns.attack(activation_of(ally), "teamwork", opponent_near=ally not in away))
        for ally in friends
    ]
    return [(attacker, activation), *ally_activations]


@dataclass(frozen=True, slots=True)
class Counter(Action):
    """Counterattack with a weapon."""

    command = "fe.counter"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    weapon: str = ""
    step: int = 0


def list_counter_weapons(encounter: Encounter, facts: Facts, text: str = "") -> list[Weapon]:
    """Return the defender's weapons for a counterattack at that distance: the one named, or all.

    Raises InvalidInput for a weapon that it does not carry. Rules: FE-DEF-04.
    """
    target = encounter.model(facts["target"])
    figure = figure_of(encounter, target)
    if not figure.profile.weapons or facts["trait"] == "cast":
        return []
    weapons = (find_weapon(figure, target.name, text),) if text else figure.profile.weapons
    return [weapon for weapon in weapons if trait_of(weapon) == facts["trait"] and _reaches(weapon, facts)]


def _reaches(weapon: Weapon, facts: Facts) -> bool:
    is_fight = facts["trait"] == "fight"
    max_distance = weapon.reach_inches if is_fight else quick_range(weapon.range_inches or 0)
    return max_distance is not None and bool(facts["distance"] <= max_distance)
