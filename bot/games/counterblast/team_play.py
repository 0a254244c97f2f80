"""Teamwork at the table: several models of a group shoot together at one target."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.arc_play import attacked, require_mastery, with_arc_modifier
from bot.games.counterblast.attacks import Telling, strike
from bot.games.counterblast.bearings import within_arc
from bot.games.counterblast.cloud_marks import cover_from
from bot.games.counterblast.common import (
    UNDO,
    again,
    named,
    order_buttons,
    otherwise,
    own,
    pay,
    settings,
    spend_order,
)
from bot.games.counterblast.contact import names
from bot.games.counterblast.marks import DARK, VACUUM, airless
from bot.games.counterblast.shoot_play import ask_way
from bot.games.counterblast.strays import team_astray, whom_misses_hit
from bot.games.counterblast.throwers import at, one_by_one, together
from bot.games.counterblast.vehicle_marks import as_target, crossing
from bot.games.counterblast.volleys import ranged_weapon
from bot.games.counterblast.words import (
    dice_words,
    exactness,
    harm_lines,
    trace_lines,
    why_check,
    why_impact,
    worst_words,
)
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.throws import each
from rules.refusals import InvalidInput
from rules.systems.counterblast.casualties import after_attacking
from rules.systems.counterblast.fighter import Fighter
from rules.systems.counterblast.profile import Weapon
from rules.systems.counterblast.shields import MAX_COUNTED
from rules.systems.counterblast.shooting import (
    Mark,
    PreparedShot,
    Volley,
    attack_rolls_together,
    prepare_joint_shot,
)
from rules.systems.counterblast.shots import shot, shot_into_melee, wounds_by_shots

MOST_TEAM = 12


@dataclass(frozen=True, slots=True)
class TeamShot(Action):
    """Models of one group shoot at one target with one pool of dice.

    shooters: names with commas between. distances: inches, one for all or one for each in their order.
    weapon: what those shoot with who carry it; empty: the first of each. friend: whom misses hit in a melee.
    One order token is for the whole team. straight, cloud: as in a Shoot.
    """

    command = "cb.team"
    facts = frozenset({"distances", "cover", "friend"})

    shooters: str = ""
    target: str = ""
    distances: str = ""
    cover: int = 0
    friend: str = ""
    order: bool = False
    weapon: str = ""
    odds: bool = False
    straight: str = ""
    cloud: str = ""


@handles(TeamShot)
def team_shot(act: Act, action: TeamShot) -> Reply:
    """Each pays its action; their successes count together."""
    parts = [part for part in action.shooters.split(",") if part.strip()]
    if not 2 <= len(parts) <= MOST_TEAM:
        raise InvalidInput(f"Name 2 to {MOST_TEAM} shooters, with commas between.")
    team = [named(act, part) if action.odds else own(act, part) for part in parts]
    if len({model.id for model in team}) < len(team) or len({model.side for model in team}) > 1:
        raise InvalidInput("Name each shooter once, all of one crew.")
    target = named(act, action.target)
    act.canonical = replace(
        action,
        shooters=",".join(f"#{model.id}" for model in team),
        target=f"#{target.id}",
        distances=" ".join(f"{one:g}" for one in _distances(action.distances, len(team))),
        friend=f"#{named(act, action.friend).id}" if action.friend else "",
        odds=False,
    )
    volleys = _volleys(act, action, team, target)
    ready = prepare_joint_shot(volleys, settings(act))
    if action.odds:
        return _odds_reply(act, act.canonical, team, target, ready, attack_rolls_together(volleys))
    for model in team:
        require_mastery(act, model, _weapon(model, action.weapon))
    across = crossing(tuple(mark for one in volleys for mark in one.marks))
    if across and not action.straight:
        return ask_way(act.canonical, across, f"{team[0].name}'s team")
    arcs = [line for model in team for line in within_arc(act, model, _weapon(model, action.weapon))]
    for model in team:
        pay(act, model, "shoot", joint=True)
    if action.order:
        spend_order(act, team[0].side)
    rolls = attack_rolls_together(volleys)
    reply = _shoot(act, team, target, [ready] * rolls, arcs)
    _, clouded = cover_from(act.encounter, action.cloud)
    return replace(reply, why=(*reply.why, clouded)) if clouded else reply


def _volleys(act: Act, action: TeamShot, team: list[Fighter], target: Fighter) -> tuple[Volley, ...]:
    counters = act.encounter.row.counters
    inches = _distances(action.distances, len(team))
    (friend,) = whom_misses_hit(act, team[0], [target], [action.friend])
    hidden, _ = cover_from(act.encounter, action.cloud)
    cover = max(action.cover, hidden)

    def mark(model: Fighter, far: float) -> Mark:
        return Mark(target, _weapon(model, action.weapon), far, cover=cover, friend=friend)

    return tuple(
        Volley(
            model,
            (as_target(act.encounter, model, mark(model, far), straight=action.straight == "yes"),),
            dark=bool(counters.get(DARK)),
            vacuum=bool(counters.get(VACUUM)),
            underwater=airless(act.encounter, model),
            order_token=action.order,
        )
        for model, far in zip(team, inches, strict=True)
    )


def _weapon(model: Fighter, text: str) -> Weapon:
    """The weapon that is named, for those who carry it; for others their first."""
    named_here = any(text.casefold() in weapon.name.casefold() for weapon in model.weapons)
    return ranged_weapon(model, text if named_here else "")


def _distances(text: str, count: int) -> tuple[float, ...]:
    """One distance for all, or one for each. Raises InvalidInput."""
    try:
        given = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        given = []
    if len(given) not in (1, count) or not all(0 <= one <= 200 for one in given):
        raise InvalidInput(f"Type one distance for all, or {count} of them, as in: 8 6 4.")
    return tuple(given * count if len(given) == 1 else given)


def _shoot(
    act: Act, team: list[Fighter], target: Fighter, rolls: list[PreparedShot], arcs: list[str]
) -> Reply:
    telling = Telling()
    ready = rolls[0]
    for one in rolls:
        _roll(act, telling, team, again(act, target), one)
    for model in team:
        attacked(act, model.id)
        telling.follow(act, after_attacking(again(act, model)))
    telling.lines.append("")
    for model, part in zip(team, ready.parts, strict=True):
        telling.lines.append(f"{model.name}: {dice_words(part, 'AGL')}")
        telling.why += why_check(part, f"{model.name} at {target.name}")
    telling.lines += [*arcs, *trace_lines(act.dice.trace), *telling.proposal_lines()]
    telling.why += why_impact(ready.impact)
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def _roll(act: Act, telling: Telling, team: list[Fighter], target: Fighter, ready: PreparedShot) -> None:
    """One full roll of the team, and what strays from it. Rules: CB-SHOOT-10, CB-WEAP-34."""
    leader = replace(team[0], name=f"{team[0].name}'s team")
    names = [model.name for model in team]
    if ready.stray is not None:
        friend: Fighter | None = named(act, f"#{ready.stray.target}")
        attack = one_by_one("attack", f"at {target.name}", names)
        whose = at(leader.name, target.name, friend.name if friend else "", attack)
        suffered, beside = act.roll(each(whose, whose), shot_into_melee, ready.shot, ready.stray, False)
    else:
        friend, beside = None, None
        attack = together("attack", f"at {target.name}", ready.shot.throws, names)
        suffered = act.roll(at(leader.name, target.name, attack=attack), shot, ready.shot).suffered
    strike(act, telling, leader, target, ready.weapon, suffered)
    if beside is not None and beside.hits and friend is not None:
        strike(act, telling, leader, friend, ready.weapon, beside)
    with_arc_modifier(act, telling, ready.parts[0].throw.modifier)


def _odds_reply(
    act: Act, action: TeamShot, team: list[Fighter], target: Fighter, ready: PreparedShot, rolls: int
) -> Reply:
    odds = act.solve(wounds_by_shots, (ready.shot,) * rolls, MAX_COUNTED)
    lines = [f"{names(team)} -> {target.name}"]
    lines += [dice_words(part, "AGL") for part in ready.parts]
    lines += [*harm_lines(odds, ready.weapon, target), *team_astray(act, ready, rolls, aimed=False)]
    other = otherwise(act, team[0].side, order=action.order)
    if other:
        turned = replace(action, order=not action.order)
        joint = prepare_joint_shot(_volleys(act, turned, team, target), settings(act))
        wounds = act.solve(wounds_by_shots, (joint.shot,) * rolls, MAX_COUNTED)
        lines.append(f"{other}: {worst_words(wounds, joint.weapon, target)}")
    buttons = order_buttons(act, team[0].side, "Shoot", action)
    return Reply((*lines, exactness(odds), "Nothing is rolled."), private=True, buttons=tuple(buttons))
