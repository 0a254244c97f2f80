"""One shot at several targets put together by pressing: die by die, each at its distance, in its cover.

The target that a form names has the first die, or as many as it says. What is not asked for one target
after the other (a cloud, a mount, an arc) is said behind it, in the form that `How...` opens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, raw_of
from bot.games.counterblast.core.common import played, settings
from bot.games.counterblast.core.fields import first_firearm, weapon_said
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.shooting.further import Measured, Share
from bot.games.counterblast.shooting.recalled import AS_BEFORE, inches_between
from bot.games.counterblast.shooting.volleys import MODES, Shoot
from bot.replies.fit import has_room
from bot.replies.reply import Button, Choice
from bot.table.act import Act
from bot.table.asking.reading import read_leniently
from bot.table.asking.several import SEVERAL, Several
from bot.table.session.drafting import Draft, Laid, makes, placed
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import Mode, shooting_pool
from rules.wording import times

VOLLEY = "cb.volley"

PLACE = 10
"""A piece is the target's number times this, plus what is said of it."""

DIE, COVER, FIRST_BAND = 0, 1, 2
"""One die more; one cover more; and a first die, within the first of the weapon's bands, or a further one."""


@dataclass(frozen=True, slots=True)
class Aimed:
    """A target as far as it is put together: dice, inches (below 0 as they were before), cover."""

    target: Fighter
    dice: int = 0
    inches: float = AS_BEFORE
    cover: int = 0


HOW = tuple(MODES)
"""How a shot is fired, by its place."""

FAR = ("cloud", "mount", "bearing", "straight", "friend")
"""What a form says of the one target that it names, and that a draft cannot keep for several."""


@makes(VOLLEY, 2, 3)
def volley(act: Act, draft: Draft) -> Laid:
    """The dice of one shooter. about: who shoots, with an order token or without, how; words: the weapon."""
    number, order, how = (*draft.about, 0)[:3]
    shooter, mode = played(act, number), MODES[placed(HOW, how)]
    weapon = weapon_said(shooter, draft.words) if draft.words else first_firearm(shooter)
    bands = _bands(weapon)
    aims = _aims(act, draft.pieces, bands)
    left = _left(act, shooter, weapon, mode, sum(aim.dice for aim in aims.values()))
    terms = [weapon.name, *([HOW[how]] if how else []), *(["with an order"] if order else [])]
    lines = [f"{shooter.name}: {times(left, 'die', 'dice')} left", f"{', '.join(terms)}. Only you see this."]
    lines += [_told(act, shooter, aim) for aim in aims.values()]
    choices = tuple(_choices(act, shooter, aims, bands, left))
    if left or not aims:
        return Laid(tuple(lines), "One die at, or cover", choices)
    shot = replace(_shot(shooter, weapon, list(aims.values()), order=bool(order)), mode=mode)
    other = replace(draft, about=(number, 1 - order, how))
    ready = (
        Button("Shoot", shot, "main", anytime=True),
        Button("Odds", replace(shot, odds=True), anytime=True),
        Button("No order" if order else "Order +1", other, anytime=True),
        *([how_else] if has_room(how_else := Button("How...", shot, anytime=True, asks=True)) else []),
    )
    return Laid(tuple(lines), "One die at, or cover", choices, ready)


def _left(act: Act, shooter: Fighter, weapon: Weapon, mode: Mode, given: int) -> int:
    """How many dice are left of those of a shot. Raises InvalidInput where more are given."""
    dice = shooting_pool(shooter, weapon, mode, settings(act)).available
    if given > dice:
        raise InvalidInput(f"{shooter.name} has {times(dice, 'die', 'dice')}, not {given}.")
    return dice - given


def _bands(weapon: Weapon) -> list[float]:
    """The distances at which something changes."""
    return sorted({weapon.short_range_inches, float(weapon.range_inches)})


def _aims(act: Act, pieces: tuple[int, ...], bands: list[float]) -> dict[int, Aimed]:
    found: dict[int, Aimed] = {}
    for piece in pieces:
        number, what = divmod(piece, PLACE)
        aim = found.get(number) or Aimed(_in_play(act, number))
        if what == COVER:
            aim = replace(aim, cover=min(3, aim.cover + 1))
        else:
            far = bands[what - FIRST_BAND] if FIRST_BAND <= what < FIRST_BAND + len(bands) else aim.inches
            aim = replace(aim, dice=aim.dice + 1, inches=far)
        found[number] = aim
    return found


def _in_play(act: Act, number: int) -> Fighter:
    """A target that was chosen. Raises InvalidInput where it left play meanwhile."""
    target = next((one for one in fighters(act.encounter) if one.id == number and not one.is_down), None)
    if target is None:
        raise InvalidInput("One of them is not in play any more. Begin anew: Shoot.")
    return target


def _told(act: Act, shooter: Fighter, aim: Aimed) -> str:
    far = f"to {aim.inches:g} in"
    if aim.inches == AS_BEFORE:
        known = inches_between(act.encounter, shooter.id, aim.target.id)
        far = "as before" if known is None else f"{known:g} in, as before"
    return f"  {aim.dice} at {aim.target.name}, {far}, cover {aim.cover}"


def _choices(
    act: Act, shooter: Fighter, aims: dict[int, Aimed], bands: list[float], left: int
) -> Iterator[Choice]:
    """Who has dice already first: one die more, one cover more; then everybody else at each distance."""
    for number, aim in aims.items():
        if left > 0:
            yield Choice(f"{aim.target.name}: one die more", str(number * PLACE + DIE))
        if aim.cover < 3:
            yield Choice(f"{aim.target.name}: cover {aim.cover + 1}", str(number * PLACE + COVER))
    if left <= 0:
        return
    foes = [one for one in fighters(act.encounter) if one.side != shooter.side and not one.is_down]
    for one in foes:
        if one.id in aims:
            continue
        known = inches_between(act.encounter, shooter.id, one.id)
        if known is not None:
            yield Choice(f"{one.name}: {known:g} in, as before", str(one.id * PLACE + DIE))
            continue
        for place, limit in enumerate(bands):
            yield Choice(f"{one.name}: to {limit:g} in", str(one.id * PLACE + FIRST_BAND + place))


def _shot(shooter: Fighter, weapon: Weapon, aims: list[Aimed], *, order: bool) -> Shoot:
    first, *others = aims
    return Shoot(
        shooter,
        first.target,
        first.inches,
        first.cover,
        weapon,
        order=order,
        dice=first.dice if others else 0,
        more=tuple(Share(one.target, one.dice) for one in others),
        measured=tuple(Measured(one.inches, one.cover) for one in others),
    )


def _several(act: Act, action: Action) -> Draft | None:
    """A shot that is asked by somebody, shared out over more than one target. Raises InvalidInput."""
    said, found = raw_of(action), read_leniently(act, action, "")
    shooter, weapon = found["shooter"], found["weapon"]
    if shooter is None or weapon is None or {"also", "more"} & said.keys():
        return None
    for name in FAR:
        if name in said:
            raise InvalidInput(f"At several, {name} is said at the end: How...")
    mode = str(said.get("mode", HOW[0]))
    _left(act, shooter, weapon, MODES[mode], found["dice"] or 0)
    about = (shooter.id, int("order" in said), HOW.index(mode))
    return Draft(VOLLEY, about, _first(act, found, _bands(weapon)), words=str(said.get("weapon", "")))


def _first(act: Act, found: Mapping[str, Any], bands: list[float]) -> tuple[int, ...]:
    """The dice at the target that a form named, in its cover; none where nobody has said how far it is."""
    shooter, target, inches, cover = (found[name] for name in ("shooter", "target", "distance", "cover"))
    if target is None or inches is None or cover is None:
        return ()
    reached = [place for place, limit in enumerate(bands) if inches <= limit]
    if not reached:
        raise InvalidInput(f"{target.name} is out of range: {bands[-1]:g} in at most.")
    if inches == AS_BEFORE and inches_between(act.encounter, shooter.id, target.id) is None:
        return ()
    die = DIE if inches == AS_BEFORE else FIRST_BAND + reached[0]
    more = (DIE,) * (found["dice"] - 1) + (COVER,) * max(0, cover)
    return tuple(target.id * PLACE + what for what in (die, *more))


SEVERAL[Shoot.command] = Several(
    "Several targets", "The dice are shared out next", _several, frozenset({"also", "dice"})
)
