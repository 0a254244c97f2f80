"""Shots into a melee: the friend whom misses hit, and the chance that they do."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from bot.games.counterblast.common import named
from bot.games.counterblast.fighters import fighters
from bot.games.counterblast.special_play import is_special, special_astray
from bot.replies.chances import percent
from bot.table.act import Act
from rules.refusals import InvalidInput
from rules.systems.counterblast.fighter import Fighter
from rules.systems.counterblast.shooting import PreparedVolley, attack_rolls, stray_candidates
from rules.systems.counterblast.shots import friend_hurt


def friends_beside(act: Act, shooter: Fighter, target: Fighter) -> tuple[Fighter, ...]:
    """The shooter's friends in a melee with the target, whom misses may hit. Rules: CB-SHOOT-10."""
    if not target.engaged_with:
        return ()
    crew = tuple(one for one in fighters(act.encounter, shooter.side) if one.id != shooter.id)
    return stray_candidates(target, crew)


def whom_misses_hit(
    act: Act, shooter: Fighter, targets: Sequence[Fighter], text: str
) -> list[Fighter | None]:
    """The friend at each target whom dice that miss hit: named, or the only one there is, None without any.

    text: names in the order of the targets, with commas between. Raises InvalidInput where somebody has to be
    named. Rules: CB-SHOOT-10.
    """
    words = [part.strip() for part in text.split(",")] + [""] * len(targets)
    near = [friends_beside(act, shooter, target) for target in targets]
    pairs = list(zip(words, near, strict=False))
    if any(not word and len(some) > 1 for word, some in pairs):
        raise InvalidInput(_wanted(targets, near))
    return [named(act, word) if word else next(iter(some), None) for word, some in pairs]


def _wanted(targets: Sequence[Fighter], near: Sequence[tuple[Fighter, ...]]) -> str:
    """What to name, and with two targets how both are named."""
    names = [", ".join(one.name for one in some) or "nobody" for some in near]
    if len(targets) == 1:
        return f"Misses will hit a friend: name it with friend. {names[0]}."
    told = "; ".join(f"at {target.name}: {who}" for target, who in zip(targets, names, strict=True))
    return f"Misses will hit a friend: name one at each target with friend: A, B. {told}."


def astray_lines(act: Act, prepared: PreparedVolley, *, aimed: bool) -> list[str]:
    """The chance that a shot into a melee hits a friend, where one is there. Rules: CB-SHOOT-10."""
    strays = [one for one in prepared.shots if one.stray]
    if not strays:
        return []
    if is_special(strays[0].weapon):
        spared = prod(1 - special_astray(act, one, aimed=aimed) for one in strays)
    else:
        spared = 1 - act.solve(friend_hurt, prepared.into_melee, aimed).chance(bool)
    whole = 1 - spared ** attack_rolls(strays[0].weapon)
    return [f"Hits a friend instead: {percent(whole).strip()}"]
