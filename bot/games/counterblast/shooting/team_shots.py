"""Teamwork at the table: several models of a group shoot together at one target."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, fighter_of, settings, token_price
from bot.games.counterblast.core.contact import join_names
from bot.games.counterblast.core.fields import foe, friend, several
from bot.games.counterblast.core.narration import Telling, apply_attack
from bot.games.counterblast.core.wording import (
    at,
    cast_together,
    dice_words,
    find_worst,
    harm_lines,
    hurt,
    one_by_one,
    trace_lines,
    why_check,
    why_impact,
)
from bot.games.counterblast.shooting.arcs import attacked, require_mastery, with_arc_modifier
from bot.games.counterblast.shooting.shot_fields import (
    TeamWeapons,
    check_arc_of_fire,
    cloud_field,
    numbers_field,
    straight_field,
    suggest_group_bands,
    suggest_whole_group,
    weapons_field,
)
from bot.games.counterblast.shooting.shot_results import find_friends_hit_by_misses, team_stray_risk_lines
from bot.games.counterblast.shooting.shots import ask_direction, shot_price
from bot.games.counterblast.shooting.volleys import MODES
from bot.games.counterblast.state.ground import is_airless
from bot.games.counterblast.state.models import fighters
from bot.games.counterblast.state.sight import (
    InTheWay,
    Sighting,
    cover_by_board,
    find_cloud_cover,
    remember_sighting,
    seen,
)
from bot.games.counterblast.state.table_state import EncounterState
from bot.games.counterblast.state.vehicles import apply_vehicle_edges, find_moving_target
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, Rolled, in_steps
from bot.table.throw_purposes import each
from rules.effects import Effect
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.counterblast.core.conditions import end_attacker_conditions
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import MAX_COUNTED, Suffered
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import (
    Mark,
    Mode,
    PreparedShot,
    Volley,
    attack_rolls_together,
    prepare_joint_shot,
)
from rules.systems.counterblast.shooting.shots import at_one, shot_into_melee, wounds_by_shots
from rules.systems.counterblast.shooting.shots import shot as single
from rules.wording import possessive

MAX_TEAM = 12

TOGETHER: dict[str, Mode] = {key: MODES[key] for key in ("shoot", "aim", "run and gun", "overwatch")}
"""How several may shoot together."""


def _pairs(context: Asking) -> list[tuple[int, int]]:
    """Return each shooter with the target."""
    target = context.so_far.get("target")
    return [(model.id, target.id) for model in context.so_far.get("shooters") or ()] if target else []


def _measure_covers(context: Asking) -> Fact | None:
    """Return the cover of the target against each shooter; one that sees nothing of it bars the shot."""
    cover_facts, encounter = [], context.act.encounter
    for shooter, target in _pairs(context):
        sight = facts.sight(encounter, shooter, target)
        if sight is None:
            return None
        cover_facts.append(cover_by_board(encounter, shooter, target, sight))
    barring_fact = next((fact for fact in cover_facts if fact.barred), None)
    words = ", ".join(dict.fromkeys(fact.words for fact in cover_facts))
    return barring_fact or (
        Fact(tuple(float(fact.value) for fact in cover_facts), words) if cover_facts else None
    )


@dataclass(frozen=True, slots=True)
class TeamShot(Action):
    """Shoot together at one target.

    With one pool of dice. distances, cover: inches and 0 to 3, one for all or one each in their order, or
    empty for the last ones. One order token is for the whole team. straight: as in a Shoot. unaimed: those
    who shoot without aiming while the others aim.
    """

    command = "cb.team"
    typed = "cb team"
    titled = "Shoot together"
    said_first = (
        "shooters",
        "target",
        "distances",
        "cover",
        "friend",
        "weapon",
        "mode",
        "order",
        "odds",
        "cloud",
        "unaimed",
    )
    recalled = frozenset({"distances", "cover", "friend"})

    shooters: tuple[Fighter, ...] = several(
        "Shooters, separated by commas",
        names=suggest_whole_group,
        wire=str,
        mine=True,
        needed=True,
        freely=True,
    )
    target: Fighter = foe("Enemy", needed=True)
    distances: tuple[float, ...] = numbers_field(
        "Distance for all or each (default: last used)",
        200,
        "distance",
        "8 6 4",
        names=suggest_group_bands,
        called="distance",
        fact=True,
        measures=measuring.distances(_pairs),
        wanted=True,
        freely=True,
    )
    cover: tuple[float, ...] = numbers_field(
        'Cover for all or each, like "0 2 1"', 3, "cover rating", "0 2 1", fact=True, measures=_measure_covers
    )
    friend: Fighter | None = friend("Friend hit by missed shots in a melee", fact=True)
    order: bool = fields.token("Order token (+1 for all)")
    weapon: TeamWeapons = weapons_field("Preferred weapon")
    odds: bool = fields.odds()
    straight: bool | None = straight_field()
    cloud: InTheWay | None = cloud_field()
    mode: Mode = fields.one_of("Kind of shot", TOGETHER, called="how", default="shoot")
    unaimed: tuple[Fighter, ...] = several("Models that don't aim", names=suggest_whole_group, wire=str)


@dataclass(frozen=True, slots=True)
class _Joint:
    """A team's shot as it was declared: each shooter's own volley, and where it sees the target."""

    volleys: tuple[Volley, ...]
    places: tuple[Sighting, ...]

    @property
    def rolls(self) -> int:
        """Return how many full rolls it makes."""
        return attack_rolls_together(self.volleys)

    @property
    def team(self) -> list[Fighter]:
        """Return who shoots."""
        return [volley.shooter for volley in self.volleys]

    @property
    def aimed(self) -> bool:
        """Return whether all of them aim. Rules: CB-SHOOT-11."""
        return all(volley.mode == "aim" for volley in self.volleys)


@dataclass(frozen=True, slots=True)
class ReadyTeam:
    """A team's shot that may be fired, and what it costs. arc: lines that remind of narrow fields of fire."""

    joint: _Joint
    target: Fighter
    shot: PreparedShot
    due: tuple[Effect, ...] = ()
    arc: tuple[str, ...] = ()


TeamHit = tuple[Suffered, Suffered | None]
"""The results of one full roll for the target, and for the friend beside it."""


def _may_shoot_together(act: ActView, action: TeamShot) -> None:
    """Require two models of one crew that are active or on Overwatch. Rules: CB-ACT-08."""
    ready_sides = [
        model.side
        for model in fighters(act.encounter)
        if model.has(Condition.ACTIVE) or model.has(Condition.OVERWATCH)
    ]
    if len(ready_sides) == len(set(ready_sides)):
        forbid("To shoot together, two models of the same crew must be active or on Overwatch.", "CB-ACT-08")


@in_steps(TeamShot, may=_may_shoot_together)
class TeamShotHandler(Rolled[TeamShot, ReadyTeam, tuple[TeamHit, ...], Telling]):
    """Each pays its action; their successes count together."""

    label = "Shoot"

    def prepare(self, act: ActView, action: TeamShot) -> ReadyTeam:
        """Return the shot as the rules see it, with what it costs each. Raises InvalidInput, Forbidden."""
        team = _team(action)
        joint = _declare_joint_shot(act, action)
        act.canonical = replace(
            action,
            distances=tuple(place.inches for place in joint.places),
            cover=tuple(place.cover for place in joint.places),
            odds=False,
        )
        shot = prepare_joint_shot(joint.volleys, settings(act))
        model_weapons = list(zip(team, action.weapon.each, strict=True))
        if not act.action.looks:
            for model, weapon in model_weapons:
                require_mastery(act, model, weapon)
        arc_lines = [
            line for model, weapon in model_weapons for line in check_arc_of_fire(act, model, weapon)
        ]
        cost = [effect for volley in joint.volleys for effect in shot_price(act, volley, joint=True)]
        token = token_price(act, team[0], spent=action.order)
        return ReadyTeam(joint, action.target, shot, (*cost, *token), tuple(arc_lines))

    def asks(self, act: Act, action: TeamShot, ready: ReadyTeam) -> Reply | None:
        """Ask how a moving vehicle moves. Rules: CB-VEH-30."""
        joint = ready.joint
        vehicle = find_moving_target(tuple(mark for volley in joint.volleys for mark in volley.marks))
        if action.straight is not None or not vehicle:
            return None
        on_overwatch = joint.volleys[0].mode == "overwatch"
        return ask_direction(
            act.canonical, vehicle, f"{possessive(joint.team[0].name)} team", anytime=on_overwatch
        )

    def thrown(self, act: Act, action: TeamShot, ready: ReadyTeam) -> tuple[TeamHit, ...]:
        """Return every full roll of the team. Rules: CB-WEAP-34."""
        return tuple(_roll_once(act, ready) for _ in range(ready.joint.rolls))

    def settle(self, act: Act, action: TeamShot, ready: ReadyTeam, outcome: tuple[TeamHit, ...]) -> Telling:
        joint, telling = ready.joint, Telling()
        carry_through(act, ready.due)
        for volley, place in zip(joint.volleys, joint.places, strict=True):
            remember_sighting(act.encounter, volley.shooter.id, place)
        for suffered, stray in outcome:
            _strike_once(act, telling, ready, suffered, stray)
        overwatch = joint.volleys[0].mode == "overwatch"
        for model in joint.team:
            attacked(act, model.id)
            telling.follow(act, end_attacker_conditions(again(act, model), overwatch=overwatch))
        for model, part in zip(joint.team, ready.shot.parts, strict=True):
            telling.dice.append(f"{model.name}: {dice_words(part, 'AGL')}")
            telling.why += why_check(part, f"{model.name} at {ready.target.name}")
        telling.why += why_impact(ready.shot.impact)
        telling.why += [action.cloud.words] if action.cloud else []
        return telling

    def tell(self, act: Act, action: TeamShot, ready: ReadyTeam, told: Telling) -> Reply:
        sighting_notes = dict.fromkeys(place.told for place in ready.joint.places if place.told)
        dice_lines = [*told.dice, *sighting_notes, *ready.arc, *trace_lines(act.dice.trace)]
        lines = (*told.lines, "", *dice_lines, *told.proposal_lines())
        return Reply(lines, buttons=told.buttons(act, UNDO), why=tuple(told.why))

    def chances(self, act: ActView, action: TeamShot, ready: ReadyTeam) -> Chances:
        joint, shot, target = ready.joint, ready.shot, ready.target
        odds = act.solve(wounds_by_shots, at_one([shot.shot]) * joint.rolls, MAX_COUNTED)
        cover = max(mark.cover for volley in joint.volleys for mark in volley.marks)
        lines = (
            f"{join_names(joint.team)} -> {target.name}{f', cover {cover}' if cover else ''}",
            *(dice_words(part, "AGL") for part in shot.parts),
            *harm_lines(odds, shot.weapon, target),
            *team_stray_risk_lines(act, shot, joint.rolls, aimed=joint.aimed),
            *dict.fromkeys(place.told for place in joint.places if place.told),
        )
        hurts = (hurt(odds, shot.weapon, target),)
        return Chances(lines, *find_worst(odds, shot.weapon, target), solved=(odds,), hurts=hurts)


def _team(action: TeamShot) -> tuple[Fighter, ...]:
    team = action.shooters
    if not 2 <= len(team) <= MAX_TEAM:
        raise Missing(f"Name 2 to {MAX_TEAM} models that shoot, separated by commas.")
    if len({model.id for model in team}) < len(team) or len({model.side for model in team}) > 1:
        raise InvalidInput("Name each model once. They must all belong to the same crew.")
    return team


def _unaimed_ids(action: TeamShot) -> set[int]:
    """Return those who shoot without aiming while others of the team aim. Raises InvalidInput."""
    unaimed_ids = {model.id for model in action.unaimed}
    if unaimed_ids and action.mode != "aim":
        raise InvalidInput(
            '"Models that don\'t aim" only matters if others aim. Choose Aim, or leave the field blank.'
        )
    if not unaimed_ids < {model.id for model in action.shooters} and unaimed_ids:
        raise InvalidInput(
            'In "Models that don\'t aim", name some of the shooters, but not all of them. If none of them '
            "aims, choose Shoot."
        )
    return unaimed_ids


def _declare_joint_shot(act: ActView, action: TeamShot) -> _Joint:
    """Return the shot as the rules see it. Raises InvalidInput. Rules: CB-ACT-08."""
    counters, target, team = act.encounter.row.counters, action.target, action.shooters
    places = tuple(
        seen(act.encounter, model, target, inches, int(cover))
        for model, inches, cover in zip(team, action.distances, action.cover, strict=True)
    )
    unaimed_ids = _unaimed_ids(action)
    (friend,) = find_friends_hit_by_misses(act, team[0], [target], [action.friend])
    cloud_cover = find_cloud_cover(action.cloud)

    def mark(model: Fighter, weapon: Weapon, place: Sighting) -> Mark:
        unadjusted_mark = Mark(
            target, weapon, place.inches, cover=max(place.cover, cloud_cover), friend=friend
        )
        return apply_vehicle_edges(act.encounter, model, unadjusted_mark, straight=bool(action.straight))

    volleys = tuple(
        Volley(
            model,
            (mark(model, weapon, place),),
            "shoot" if model.id in unaimed_ids else action.mode,
            dark=bool(counters.get(EncounterState.dark.key)),
            vacuum=bool(counters.get(EncounterState.vacuum.key)),
            underwater=is_airless(act.encounter, model),
            order_token=action.order,
        )
        for model, weapon, place in zip(team, action.weapon.each, places, strict=True)
    )
    return _Joint(volleys, places)


def _team_as_shooter(ready: ReadyTeam) -> Fighter:
    first_model = ready.joint.team[0]
    return replace(first_model, name=f"{possessive(first_model.name)} team")


def _roll_once(act: Act, ready: ReadyTeam) -> TeamHit:
    """Roll once for the team, and for what strays from it. Rules: CB-SHOOT-10, CB-SHOOT-11, CB-WEAP-34."""
    shot, target = ready.shot, ready.target
    team_names = [model.name for model in ready.joint.team]
    if shot.stray is None:
        attack = cast_together("attack", f"at {target.name}", shot.shot.throws, team_names)
        return act.roll(
            at(_team_as_shooter(ready).name, target.name, attack=attack), single, shot.shot
        ).suffered, None
    friend = fighter_of(act, shot.stray.target)
    attack = one_by_one("attack", f"at {target.name}", team_names)
    roller = at(_team_as_shooter(ready).name, target.name, friend.name, attack)
    return act.roll(each(roller, roller), shot_into_melee, shot.shot, shot.stray, ready.joint.aimed)


def _strike_once(
    act: Act, telling: Telling, ready: ReadyTeam, suffered: Suffered, stray_suffered: Suffered | None
) -> None:
    """Carry one full roll through, and tell it."""
    shot, leader = ready.shot, _team_as_shooter(ready)
    apply_attack(act, telling, leader, again(act, ready.target), shot.weapon, suffered)
    if stray_suffered is not None and stray_suffered.hits and shot.stray is not None:
        apply_attack(act, telling, leader, fighter_of(act, shot.stray.target), shot.weapon, stray_suffered)
    with_arc_modifier(act, telling, shot.parts[0].throw.modifier)
