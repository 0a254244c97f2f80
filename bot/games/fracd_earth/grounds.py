"""What a figure goes through, by the words for it: grounds, obstacles, things that stand on a table."""

from __future__ import annotations

from rules.refusals import InvalidInput
from rules.systems.fracd_earth import movement
from rules.systems.fracd_earth.obstacles import OBSTACLES, THINGS, Ground, ground_of

GROUNDS = (*movement.WORST, "soft obstacle", "dense obstacle")
"""What a figure goes through, as it may be typed."""


def grounds_of(text: str) -> tuple[Ground, ...]:
    """Grounds and obstacles typed with commas, by their first letters. Raises InvalidInput."""
    return tuple(_ground(part.strip().casefold()) for part in text.split(",") if part.strip())


def _ground(word: str) -> Ground:
    """One ground, that inside an obstacle, or that of a thing. Rules: FE-OBS-03, FE-OBS-04."""
    word = _thing(word)
    ground = next((each for each in movement.WORST if each.startswith(word)), None)
    if ground is not None:
        return ground
    kind = next((each for each in OBSTACLES if each.startswith(word.removesuffix(" obstacle"))), None)
    if kind is None:
        raise InvalidInput(f"Ground is one of {', '.join(GROUNDS)}; or a thing: hedge, fence, stairs, mud.")
    return ground_of(kind)


def _thing(word: str) -> str:
    """What a thing is by its name, of one or of several: wall, hedges, thick mud; other words as they are."""
    name = word.removeprefix("thick ").removeprefix("dense ")
    for end in ("", "s", "es"):
        found = THINGS.get(name.removesuffix(end))
        if found is not None:
            return found
    return word
