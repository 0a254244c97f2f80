"""Shots into a melee: the friend whom misses hit, and the chance that they do."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.core.words import effect_word
from bot.games.counterblast.shooting.special_play import is_special, special_astray
from bot.replies.chances import percent
from bot.table.act import Act
from rules.dice import Odds
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import PreparedShot, PreparedVolley, stray_candidates
from rules.systems.counterblast.shooting.shots import HARMED, friend_fate


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
        return f"Misses will hit a friend: name it with friend. {names[0]}."
    told = "; ".join(f"at {target.name}: {who}" for target, who in zip(targets, names, strict=True))
    return f"Misses will hit a friend: name one at each target with friend: A, B. {told}."


def astray_lines(act: Act, rolls: Sequence[PreparedVolley], *, aimed: bool) -> list[str]:
    """The chances that a shot into a melee hits a friend, and harms it, where one is there.

    Rules: CB-SHOOT-10.
    """
    strays = [one for prepared in rolls for one in prepared.shots if one.stray]
    if not strays:
        return []
    weapon = strays[0].weapon
    each = [_chances_of(act, prepared, aimed=aimed) for prepared in rolls]
    hit, harmed = (1 - prod(1 - one[place] for one in each) for place in (0, 1))
    return [astray_line(weapon, hit, harmed)]


def _chances_of(act: Act, prepared: PreparedVolley, *, aimed: bool) -> tuple[float, float]:
    """The chances that one full roll hits a friend, and that it harms one."""
    strays = [one for one in prepared.shots if one.stray]
    if strays and is_special(strays[0].weapon):
        each = [special_astray(act, one, aimed=aimed) for one in strays]
        return 1 - prod(1 - hit for hit, _ in each), 1 - prod(1 - harmed for _, harmed in each)
    return _chances(act.solve(friend_fate, prepared.into_melee, aimed)) if strays else (0.0, 0.0)


def team_astray(act: Act, joint: PreparedShot, rolls: int, *, aimed: bool) -> list[str]:
    """The same of a team's one shot, rolled so often. Rules: CB-ACT-08, CB-SHOOT-10."""
    if joint.stray is None:
        return []
    once = _chances(act.solve(friend_fate, ((joint.shot, joint.stray),), aimed))
    hit, harmed = (1 - (1 - chance) ** rolls for chance in once)
    return [astray_line(joint.weapon, hit, harmed)]


def _chances(odds: Odds[int]) -> tuple[float, float]:
    return odds.chance(bool), odds.chance(lambda fate: fate == HARMED)


def astray_line(weapon: Weapon, hit: float, harmed: float) -> str:
    """What misses may do: a friend is hit, and what a hit does that no shield stops."""
    done = "gone" if weapon.has_effect("void") else effect_word(weapon) or "hurt"
    return f"A friend is hit {percent(hit).strip()}, {done} {percent(harmed).strip()}"
