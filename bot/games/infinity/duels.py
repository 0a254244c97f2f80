"""Duels of an Order: from its rows to duels and searches that the rules have prepared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.games.infinity import concealment, troops
from bot.games.infinity.order_rows import DISCOVER, NOTHING, SEARCHES, SENSOR, WAIT, Mark, Order, Reaction
from bot.store.rows import ModelRow
from bot.table.board import facts
from bot.table.encounter import Encounter, EncounterView
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, LettingPass, Passing
from rules.systems.infinity.armour import Save
from rules.systems.infinity.duel import ATTACKS as DUEL_ATTACKS
from rules.systems.infinity.duel import Combatant, Does, Duel, prepare_duel
from rules.systems.infinity.movement import Ground
from rules.systems.infinity.orders import Part, check_retreating
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.reactions import ENGAGE_INCHES, Activation, Exposure, allowed_reaction, may_wait
from rules.systems.infinity.reactions import Reaction as ReactionKind
from rules.systems.infinity.rolls import check_division
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.shooting import (
    FOUND,
    Hiding,
    Mode,
    check_sensor,
    discover_modifiers,
    discover_range_mod,
    sensor_modifiers,
)
from rules.systems.infinity.trooper import MARKERS, Condition, Trooper, in_zone

SHOWN_HIDING = {Condition.CAMOUFLAGED: Hiding.CAMOUFLAGE, Condition.TO_CAMOUFLAGED: Hiding.TO}
"""The public hiding of a Marker's kind; other skills of its figure must not show in a MOD."""

RANGE_MODS = (0, 3, -3, -6)
"""MODs of the table's range chart that the menu offers for a Discover."""


def agreed_modifiers(mod: int) -> tuple[Modifier, ...]:
    """Return a MOD that the table agreed on."""
    return (Modifier(mod, "entered by hand"),) if mod else ()


def modifiers_to_discover(
    trooper: Trooper,
    marker: Trooper,
    settings: Settings,
    *,
    range_mod: int = 0,
    cover: bool = False,
    mod: int = 0,
) -> tuple[Modifier, ...]:
    """Return every MOD to WIP of a Discover on this Marker, from public facts."""
    has_sensor = bool(trooper.levels(Skill.SENSOR, settings))
    hiding = next((kind for state, kind in SHOWN_HIDING.items() if marker.has(state)), Hiding.NONE)
    return (
        *discover_modifiers(hiding, range_mod=range_mod, cover=cover, sensor=has_sensor),
        *agreed_modifiers(mod),
    )


def search_modifiers(
    encounter: Encounter, order: Order, reaction: Reaction, settings: Settings
) -> tuple[Modifier, ...]:
    """Return every MOD to WIP of an ARO that searches."""
    if reaction.does == SENSOR:
        return sensor_modifiers(agreed_modifiers(reaction.mod))
    trooper, marker = troops.by_id(encounter, reaction.model), troops.by_id(encounter, order.model)
    return modifiers_to_discover(
        trooper, marker, settings, range_mod=reaction.mod, cover=reaction.enemy_cover
    )


def require_marker(encounter: EncounterView, trooper: Trooper, row: ModelRow) -> None:
    """Raise InvalidInput or Forbidden unless the row is an enemy Marker."""
    if not concealment.is_marker(encounter, row.id):
        raise InvalidInput(f"Choose a Marker. {row.name} isn't one.")
    if row.side == trooper.side:
        raise Forbidden(f"Choose an enemy Marker. {row.name} is on your side.")


def check_answer_to_marker(encounter: EncounterView, order: Order, reaction: Reaction) -> None:
    """Raise Forbidden for an ARO that a Marker does not allow, or that only a Marker does.

    Rules: INF-ORD-09, INF-SEN-01.
    """
    answer = reaction.does
    if order.attacks or not concealment.is_marker(encounter, order.model):  # who attacks has shown itself
        if answer in SEARCHES:
            raise Forbidden(
                "Choose another ARO. Discover and Sensor only work against a Marker.", "INF-ORD-09"
            )
        return
    row = encounter.model(order.model)
    if answer in ("shoot", "fight", "hack", "engage"):
        sentence = (
            f"You can't attack {row.name} because it is a Marker. Discover it, wait, or use a Skill"
            " that isn't an attack."
        )
        raise Forbidden(sentence, "INF-ORD-09")
    trooper = troops.by_id(encounter, reaction.model)
    if answer == DISCOVER and reaction.unseen:
        sentence = "Choose another ARO. You can't Discover a Marker without a line of fire to it."
        raise Forbidden(sentence, "INF-ORD-09")
    if answer != SENSOR:
        return
    check_sensor(trooper)
    if not any(encounter.condition(row.id, state) for state in FOUND):
        raise Forbidden(f"Choose another ARO. Sensor can't find {row.name}.", "INF-SEN-01")
    if not (in_zone(reaction.inches) or _has_sniffer(encounter, trooper)):
        sentence = f"Choose another ARO. {row.name} is too far away, because Sensor only reaches 8 in."
        raise Forbidden(sentence, "INF-SEN-01")


def _has_sniffer(encounter: EncounterView, trooper: Trooper) -> bool:
    """Return whether an ally's Sniffer may carry its Sensor farther. Rules: INF-SEN-05."""
    return any(
        other.levels(Skill.SNIFFER)
        for other in troops.troopers(encounter, trooper.side)
        if other.id != trooper.id
    )


DOES_BY_SKILL = {
    "shoot": Does.SHOOT,
    "fight": Does.FIGHT,
    "dodge": Does.DODGE,
    "change facing": Does.CHANGE_FACING,
    "engage": Does.ENGAGE,
    "hack": Does.HACK,
    "reset": Does.RESET,
    DISCOVER: Does.NOTHING,
    SENSOR: Does.NOTHING,
    NOTHING: Does.NOTHING,
    WAIT: Does.NOTHING,
}
"""Skills that lead to a roll against another model, by the word that an action uses."""

EVASIONS = frozenset({Does.DODGE, Does.CHANGE_FACING, Does.ENGAGE})


@dataclass(frozen=True, slots=True)
class Pair:
    """The active trooper and one enemy in an Order, ready to roll; side a of the duel is the active one.

    touched: who else is under the enemy's template, each with its save.
    """

    active: Combatant
    enemy: Combatant
    duel: Duel
    inches: float
    touched: tuple[tuple[Combatant, Save], ...] = ()


def active_trooper(encounter: EncounterView, order: Order) -> Trooper:
    """Return whose Order it is, in the state in which it began: a Surprise Shot starts from that.

    A Marker that attacks shows itself; any other keeps its public name.
    """
    trooper = (troops.by_id if order.attacks else troops.as_shown)(encounter, order.model)
    if not order.was:
        return trooper
    return replace(trooper, conditions=trooper.conditions | {(order.was, 0)})


def _active_combatant(trooper: Trooper, order: Order, mark: Mark | None, enemy_cover: bool) -> Combatant:
    does = DOES_BY_SKILL.get(order.skill, Does.NOTHING)
    if does in DUEL_ATTACKS and mark is None:
        does = Does.NOTHING
    return Combatant(
        trooper=trooper,
        does=does,
        weapon=order.weapon if order.attacks else "",
        aimed=mark.dice if mark and mark.dice else None,
        cover=enemy_cover,
        line_of_fire=order.sight and order.mode != "speculative",
        mode=Mode(order.mode) if does is Does.SHOOT else Mode.DIRECT,
        surprise=order.surprise,
        visibility=order.visibility,
        martial_arts=order.martial_arts,
        berserk=order.berserk,
        assault=order.assault,
        allies=order.allies,
        others=agreed_modifiers(order.mod),
    )


def _enemy_combatant(trooper: Trooper, order: Order, reaction: Reaction) -> Combatant:
    mark = order.mark(reaction.model)
    return Combatant(
        trooper=trooper,
        does=DOES_BY_SKILL[reaction.does],
        weapon=reaction.weapon,
        cover=mark.cover if mark else reaction.cover,
        line_of_fire=not reaction.unseen,
        zero_visibility=order.zero_visibility,
        visibility=order.visibility,
        martial_arts=reaction.martial_arts,
        berserk=reaction.berserk,
        ground=Ground(reaction.ground),
        alerted=reaction.alerted,
    )


def default_reaction(order: Order, mark: Mark, skill: str = NOTHING, weapon: str = "") -> Reaction:
    """Return a target's reaction with all that the attack itself says."""
    unseen = mark.unseen or order.mode == "speculative" or not order.sight
    return Reaction(mark.model, skill, weapon, mark.inches, mark.cover, order.cover, unseen)


def pair_of(encounter: EncounterView, order: Order, reaction: Reaction, settings: Settings) -> Pair:
    """Return the duel of one reaction. Raises Forbidden and InvalidInput for what cannot be."""
    if DOES_BY_SKILL[reaction.does] in EVASIONS:
        order = order.as_aimed(reaction.model)
    trooper = active_trooper(encounter, order)
    enemy_trooper = troops.by_id(encounter, reaction.model)
    mark = order.mark(reaction.model)
    is_covered = reaction.enemy_cover or (mark is not None and order.cover)
    active = _active_combatant(trooper, order, mark, is_covered)
    enemy = _enemy_combatant(enemy_trooper, order, reaction)
    inches = mark.inches if mark else reaction.inches
    duel = prepare_duel(active, enemy, inches, settings)
    bystanders = [Combatant(troops.by_id(encounter, number), Does.NOTHING) for number in reaction.under]
    saves = [prepare_duel(combatant, enemy, inches, settings).save_a for combatant in bystanders]
    return Pair(active, enemy, duel, inches, tuple(zip(bystanders, saves, strict=True)))


def pairs_of(
    encounter: EncounterView, order: Order, reactions: tuple[Reaction, ...], settings: Settings
) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """Return every roll of an Order, and a sentence for each ARO that turns out to be impossible.

    Targets without a reaction do nothing. Raises what the attack itself may not do.
    """
    reacting_ids = {reaction.model for reaction in reactions}
    default_reactions = tuple(
        default_reaction(order, mark) for mark in order.marks if mark.model not in reacting_ids
    )
    pairs, refusal_sentences = [], []
    for reaction in (*reactions, *default_reactions):
        is_bystander = order.mark(reaction.model) is None
        if is_bystander and (reaction.does in SEARCHES or evades_template(order, reaction)):
            continue
        try:
            pairs.append(pair_of(encounter, order, reaction, settings))
        except (Forbidden, InvalidInput) as refusal:
            mark = order.mark(reaction.model)
            if mark is not None:
                pairs.append(pair_of(encounter, order, default_reaction(order, mark), settings))
            if reaction.does != NOTHING:
                refusal_sentences.append(refusal.sentence)
    check_burst(order, pairs)
    return tuple(pairs), tuple(refusal_sentences)


def evades_template(order: Order, reaction: Reaction) -> bool:
    """Return whether an ARO evades a template that is aimed at another model. Rules: INF-BS-08."""
    return reaction.model in order.under and DOES_BY_SKILL[reaction.does] in EVASIONS


def pairs_under_template(
    encounter: Encounter, order: Order, reactions: tuple[Reaction, ...], settings: Settings
) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """Return a pair for everyone else under the template, and a sentence for each impossible Dodge.

    Models that do not evade are in it; their own attack is a separate roll. Rules: INF-BS-08, INF-DOD-06.
    """
    evasions = {reaction.model: reaction for reaction in reactions if evades_template(order, reaction)}
    pairs, refusal_sentences = [], []
    for model_id in order.under:
        aimed_order = order.as_aimed(model_id)
        idle_reaction = default_reaction(aimed_order, aimed_order.marks[0])
        try:
            pairs.append(pair_of(encounter, aimed_order, evasions.get(model_id, idle_reaction), settings))
        except (Forbidden, InvalidInput) as refusal:
            refusal_sentences.append(refusal.sentence)
            pairs.append(pair_of(encounter, aimed_order, idle_reaction, settings))
    return tuple(pairs), tuple(refusal_sentences)


def check_burst(order: Order, pairs: list[Pair]) -> None:
    """Raise Forbidden where more dice are aimed than the attack throws. Rules: INF-F2F-07, INF-F2F-08."""
    attacking_pairs = [pair for pair in pairs if pair.active.attacks]
    if order.skill in ("shoot", "hack") and attacking_pairs:
        check_division(
            attacking_pairs[0].active.used_weapon().burst, (pair.duel.a.burst for pair in attacking_pairs)
        )


ZONE_INCHES, FAR_INCHES = 8.0, 99.0
"""Inches if no one measured: near enough for the Zone of Control, as the reacting player says, or not."""


def list_options(
    encounter: EncounterView, order: Order, reaction: Reaction, settings: Settings, *, measured: bool = False
) -> list[tuple[str, Reaction]]:
    """Return a trooper's legal choices in its place, with doing nothing last.

    measured: how far it is is known.

    reaction: how it lies to the active trooper. Its choices include what no one measured: for a shot the
    range band, and for Skills without line of fire whether it is near enough.
    """
    trooper = troops.by_id(encounter, reaction.model)
    is_target = order.mark(trooper.id) is not None
    in_reach = not measured or in_zone(reaction.inches)
    candidates = [
        *_list_attacks(
            trooper,
            order,
            reaction,
            is_target=is_target,
            distance_known=is_target or measured,
            may_fight=_may_fight(encounter, order, trooper, is_target=is_target),
        )
    ]
    is_hacked = is_target and order.skill == "hack"
    candidates.append(
        ("Reset", replace(reaction, does="reset"))
        if is_hacked
        else ("Dodge", replace(reaction, does="dodge"))
    )
    if reaction.unseen:
        candidates.append(("Change Facing", replace(reaction, does="change facing")))
    elif not is_target:
        if trooper.id in order.under and not measured:
            candidates.append(("Dodge without line of fire", replace(reaction, does="dodge", unseen=True)))
        facing_change = replace(reaction, does="change facing", unseen=True, inches=ZONE_INCHES)
        candidates += [("Change Facing (enemy within 8 in)", facing_change)] if in_reach else []
    candidates += _list_searches(trooper, reaction, in_reach=in_reach, measured=measured)
    if order.skill != "fight":
        inches = reaction.inches if is_target or measured else float(ENGAGE_INCHES)
        candidates.append(("Engage", replace(reaction, does="engage", inches=inches)))
    legal_choices = [
        (label, aro) for label, aro in candidates if _is_allowed(encounter, order, aro, settings)
    ]
    wait_choices = _list_waits(trooper, order, reaction, settings, distance_known=is_target or measured)
    return [*legal_choices, *wait_choices, ("Nothing", replace(reaction, does=NOTHING))]


def _may_fight(encounter: EncounterView, order: Order, trooper: Trooper, *, is_target: bool) -> bool:
    """Return whether a trooper touches the active one, as far as that is known. Rules: INF-CC-01."""
    if (order.skill == "fight" and is_target) or (Condition.CLOSE_COMBAT, order.model) in trooper.conditions:
        return True
    touches = facts.in_contact(encounter, trooper.id, order.model)
    return trooper.has(Condition.CLOSE_COMBAT) if touches is None else touches


def _list_attacks(
    trooper: Trooper,
    order: Order,
    reaction: Reaction,
    *,
    is_target: bool,
    distance_known: bool,
    may_fight: bool,
) -> Iterator[tuple[str, Reaction]]:
    in_melee = order.skill == "fight" and is_target
    for weapon in trooper.current.weapons:
        if weapon.close:
            if may_fight:
                fight_reaction = replace(
                    reaction, does="fight", weapon=weapon.name, martial_arts=best_level(trooper)
                )
                yield f"Fight with {weapon.name}", fight_reaction
                if trooper.current.has(Skill.BERSERK):
                    yield f"Fight with {weapon.name}, using Berserk", replace(fight_reaction, berserk=True)
            continue
        if weapon.hacking:
            if distance_known and not is_target and not in_zone(reaction.inches):
                continue
            hack_reaction = reaction if is_target else replace(reaction, unseen=True, inches=ZONE_INCHES)
            place_text = "" if is_target else " (enemy within 8 in)"
            yield (
                f"Hack with {weapon.name}{place_text}",
                replace(hack_reaction, does="hack", weapon=weapon.name),
            )
            continue
        if in_melee and not order.assault:
            continue
        shot_reaction = replace(reaction, does="shoot", weapon=weapon.name)
        if distance_known or not weapon.bands:
            yield f"Shoot with {weapon.name}", shot_reaction
            continue
        for band in weapon.bands:
            band_shot = replace(shot_reaction, inches=float(band.limit))
            yield f"Shoot with {weapon.name} up to {band.limit} in ({band.mod:+d})", band_shot


def _list_searches(
    trooper: Trooper, reaction: Reaction, *, in_reach: bool, measured: bool
) -> Iterator[tuple[str, Reaction]]:
    """Discover with each MOD that the range chart may give, and Sensor. Rules: INF-ORD-09."""
    measured_mod = discover_range_mod(reaction.inches) if measured else None
    for mod in RANGE_MODS if measured_mod is None else (measured_mod,):
        label = f"Discover, range MOD {mod:+d}" if mod else "Discover"
        yield label, replace(reaction, does=DISCOVER, mod=mod)
    if trooper.levels(Skill.SENSOR) and in_reach:
        yield "Sensor (within 8 in)", replace(reaction, does=SENSOR, unseen=True, inches=ZONE_INCHES)


def _list_waits(
    trooper: Trooper, order: Order, reaction: Reaction, settings: Settings, *, distance_known: bool
) -> Iterator[tuple[str, Reaction]]:
    """Holding the ARO until the second Skill, where a rule lets it wait. Rules: INF-ORD-07, INF-SIX-06."""
    if order.window != 1 or trooper.id < 0 or Part.ENTIRE in order.parts:
        return
    levels = trooper.levels(Skill.SIXTH_SENSE, settings)
    is_marker = order.was in MARKERS
    wait_options = [("Wait", reaction.unseen, reaction.inches)]
    if not distance_known:
        wait_options = [("Wait (with line of fire)", False, FAR_INCHES)] if is_marker else []
        wait_options += [("Wait (with line of fire, within 8 in)", False, ZONE_INCHES)] if levels else []
        wait_options.append(("Wait (no line of fire, within 8 in)", True, ZONE_INCHES))
    for label, unseen, inches in wait_options:
        if may_wait(Activation(Exposure(not unseen, inches), marker=is_marker, sixth_sense=levels)):
            yield label, replace(reaction, does=WAIT, unseen=unseen, inches=inches)


def best_level(trooper: Trooper) -> int:
    """Return the highest Level of Martial Arts on the profile, 0 without. Rules: INF-CCS-04."""
    return max(trooper.levels(Skill.MARTIAL_ARTS), default=0)


def _is_allowed(encounter: EncounterView, order: Order, reaction: Reaction, settings: Settings) -> bool:
    with LettingPass(Passing([], rules=set(order.passed))):
        try:
            check_reaction(encounter, order, reaction, settings)
        except (Forbidden, InvalidInput):
            return False
    return True


def check_reaction(encounter: EncounterView, order: Order, reaction: Reaction, settings: Settings) -> None:
    """Raise Forbidden or InvalidInput for an ARO that cannot be. Rules: INF-ORD-05, INF-RET-02."""
    trooper = troops.by_id(encounter, reaction.model)
    if trooper.is_null:
        raise Forbidden(
            f"Choose another trooper. {trooper.current.name} can't act in its current state.", "INF-WND-02"
        )
    if reaction.does in (NOTHING, WAIT):
        return
    check_retreating(trooper, reaction.does, settings)
    check_answer_to_marker(encounter, order, reaction)
    _check_sight(order, reaction, trooper, settings)
    pair_of(encounter, order, reaction, settings)


def _check_sight(order: Order, reaction: Reaction, trooper: Trooper, settings: Settings) -> None:
    """Raise Forbidden for an ARO that needs a line of fire and has none. Rules: INF-ORD-05, INF-SIX-06."""
    mark = order.mark(reaction.model)
    is_attacked = order.attacks and order.affects(reaction.model)
    inches = mark.inches if mark else reaction.inches
    exposure = Exposure(not reaction.unseen, inches)
    levels = trooper.levels(Skill.SIXTH_SENSE, settings)
    allowed_kind = allowed_reaction(exposure, attacked=is_attacked, sixth_sense=levels)
    blind_skills = {"change facing", "hack", "reset", SENSOR} | (
        {"dodge", "engage"} if is_attacked else set()
    )
    if allowed_kind is ReactionKind.BLIND and reaction.does not in blind_skills:
        raise Forbidden(
            f"Choose Change Facing or Reset. {trooper.current.name} has no line of fire.", "INF-ORD-05"
        )


def late_reaction(
    encounter: Encounter, order: Order, mark: Mark, late_choice: str, settings: Settings
) -> Reaction:
    """Return the reaction of a target whose player chose nothing in time, as agreed, if it is possible."""
    default = default_reaction(order, mark)
    if late_choice == "shoot" and order.mark(mark.model) is None:
        return default  # nobody measured how far it would shoot
    for _, reaction in list_options(encounter, order, default, settings):
        if reaction.does == late_choice:
            return reaction
    return default
