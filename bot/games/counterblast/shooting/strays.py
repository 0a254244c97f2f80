"""Shots into a melee: the friend whom misses hit, and the chance that they do."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from bot.games.counterblast.core.fighters import fighter, fighters
from bot.games.counterblast.core.words import effect_word, hurt_words
from bot.games.counterblast.shooting.special_play import is_special, special_astray
from bot.replies.chances import percent
from bot.table.act import Act
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import MAX_COUNTED
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import PreparedShot, PreparedVolley, stray_candidates
from rules.systems.counterblast.shooting.shots import MISSED, Shot, friend_wounds


def friends_beside(act: Act, shooter: Fighter, target: Fighter) -> tuple[Fighter, ...]:
    """The shooter's friends in a melee with the target, whom misses may hit. Rules: CB-SHOOT-10."""
    if not target.engaged_with:
        return ()
    crew = tuple(one for one in fighters(act.encounter, shooter.side) if one.id != shooter.id)
    return stray_candidates(target, crew)


def whom_misses_hit(
    act: Act, shooter: Fighter, targets: Sequence[Fighter], named: Sequence[Fighter | None]
) -> list[Fighter | None]:
    """The friend at each target whom dice that miss hit: named, or the only one there is, None without any.

    named: who was named at each. Raises InvalidInput where somebody has to be named. Rules: CB-SHOOT-10.
    """
    near = [friends_beside(act, shooter, target) for target in targets]
    pairs = list(zip(named, near, strict=True))
    if any(one is None and len(some) > 1 for one, some in pairs):
        raise InvalidInput(_wanted(targets, near))
    return [one or next(iter(some), None) for one, some in pairs]


def _wanted(targets: Sequence[Fighter], near: Sequence[tuple[Fighter, ...]]) -> str:
    """What to name, and with two targets how both are named."""
    names = [", ".join(one.name for one in some) or "nobody" for some in near]
    if len(targets) == 1:
        return f"Which friend do misses hit? Say it with friend: {names[0]}."
    told = "; ".join(f"at {target.name}: {who}" for target, who in zip(targets, names, strict=True))
    return f"Which friend do misses hit at each target? Say both with friend: A, B. {told}."


def astray_lines(act: Act, rolls: Sequence[PreparedVolley], *, aimed: bool) -> list[str]:
    """Return for each friend in the melee the chances that misses hit it, wound it and take it down.

    Rules: CB-SHOOT-10.
    """
    strays = {one.stray.target: one for prepared in rolls for one in prepared.shots if one.stray}
    lines = []
    for number, one in strays.items():
        if is_special(one.weapon):
            each = [special_astray(act, one, aimed=aimed) for roll in rolls for one in _at(roll, number)]
            hit, harmed = (1 - prod(1 - chances[place] for chances in each) for place in (0, 1))
            lines.append(_special_line(act, number, one.weapon, hit, harmed))
        else:
            melees = tuple(prepared.into_melee for prepared in rolls)
            lines.append(_line(act, melees, number, one.weapon, aimed=aimed))
    return lines


def _at(prepared: PreparedVolley, friend: int) -> list[PreparedShot]:
    return [one for one in prepared.shots if one.stray and one.stray.target == friend]


def team_astray(act: Act, joint: PreparedShot, rolls: int, *, aimed: bool) -> list[str]:
    """Return the same for a team's one shot, rolled so often. Rules: CB-ACT-08, CB-SHOOT-10."""
    if joint.stray is None:
        return []
    melees = (((joint.shot, joint.stray),),) * rolls
    return [_line(act, melees, joint.stray.target, joint.weapon, aimed=aimed)]


Melees = tuple[tuple[tuple[Shot, Shot | None], ...], ...]
"""For every full roll the shots at each target, with the friend beside it."""


def _line(act: Act, melees: Melees, number: int, weapon: Weapon, *, aimed: bool) -> str:
    friend = fighter(act.encounter, act.encounter.model(number))
    odds = act.solve(friend_wounds, melees, aimed, number, MAX_COUNTED)
    hit, effect = odds.chance(lambda wounds: wounds != MISSED), effect_word(weapon)
    told = f"Misses hit {friend.name} {percent(hit).strip()}"
    if effect:
        return f"{told}, {effect} {percent(odds.chance(lambda wounds: wounds > 0)).strip()}"
    return f"{told}, {hurt_words(odds.map(lambda wounds: max(0, wounds)), friend)}"


def _special_line(act: Act, number: int, weapon: Weapon, hit: float, harmed: float) -> str:
    done = "gone" if weapon.has_effect("void") else effect_word(weapon) or "hurt"
    name = act.encounter.model(number).name
    return f"Misses hit {name} {percent(hit).strip()}, {done} {percent(harmed).strip()}"
