"""Further targets of one attack: as people type them, as buttons carry them, as the shot is declared.

Owns how they are read and written; what is rolled is in `volleys` and `shoot_play`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.actions import Raw, declared
from bot.games.counterblast.core.common import fighter_of, named
from bot.games.counterblast.core.fields import weapon_said
from bot.games.counterblast.core.fighters import next_name
from bot.games.counterblast.melee.blow_words import named_with_dice, other_reading, raise_unclear
from bot.games.counterblast.shooting.recalled import AS_BEFORE
from bot.table.asking.kinds import Asking, Suggested, TableKind
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon

HOW = "Write further targets as in: Guardling 3 at 7 cover 1, Trapper 2 at 9 friend Smap"

FARTHEST, MOST_COVER = 200, 3

_WORDS = re.compile(r"\s+(at|cover|with|friend)\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;\n]")


@dataclass(frozen=True, slots=True)
class Share:
    """What is decided of a target. dice: 0 for an even share.

    weapon: the place of a carried one, from 1; 0 for that of the first target.
    """

    target: Fighter
    dice: int = 0
    weapon: int = 0

    def arm(self, shooter: Fighter, first: Weapon) -> Weapon:
        """With what it is shot at. first: the weapon of the first target."""
        return shooter.weapons[self.weapon - 1] if 0 < self.weapon <= len(shooter.weapons) else first

    @property
    def numbers(self) -> tuple[int, ...]:
        """As `Shoot.more` is written."""
        return (self.target.id, self.dice, self.weapon)


@dataclass(frozen=True, slots=True)
class Measured:
    """What is seen of a target; inches, cover: below 0 as before.

    friend: whom misses hit; None where there is only one, or none.
    """

    inches: float = AS_BEFORE
    cover: int = AS_BEFORE
    friend: Fighter | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """As `Shoot.measured` is written: tenths of an inch, the friend's number."""
        tenths = round(self.inches * 10) if self.inches >= 0 else AS_BEFORE
        return (tenths, self.cover, self.friend.id if self.friend else 0)


Aim = tuple[Share, Measured]
"""A target as it was declared."""


def place_of(shooter: Fighter, weapon: Weapon) -> int:
    """The place of a carried weapon, from 1; 0 for one that is not carried."""
    return next((place for place, own in enumerate(shooter.weapons, 1) if own.key == weapon.key), 0)


# ---------------------------------------------------------------- as buttons carry them


@dataclass(frozen=True, slots=True, kw_only=True)
class Threes(TableKind):
    """Things of which each is written as three whole numbers. made: the thing of such three."""

    made: Callable[[Asking, int, int, int], Any]

    def write(self, thing: Any) -> Raw:
        """The numbers of each, one after the other."""
        return tuple(
            number for one in thing or () for number in ((one,) if isinstance(one, int) else one.numbers)
        )

    def read(self, raw: Raw, asking: Asking) -> Any:
        """Each thing. Raises InvalidInput."""
        assert isinstance(raw, tuple)
        if len(raw) % 3:
            raise InvalidInput(f"{HOW}.")
        numbers = [int(one) for one in raw]
        threes = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
        return tuple(self.made(asking, *three) for three in threes)


def shares() -> Any:
    """Further targets, what is decided of each: a tuple."""

    def made(asking: Asking, target: int, dice: int, weapon: int) -> Share:
        return Share(named(asking.act, f"#{target}"), dice, weapon)

    return declared(Threes(wire=tuple[int, ...], made=made), ())


def measures() -> Any:
    """What is seen of each of them, in their order: a tuple."""

    def made(asking: Asking, tenths: int, cover: int, friend: int) -> Measured:
        inches = tenths / 10 if tenths >= 0 else AS_BEFORE
        return Measured(inches, cover, fighter_of(asking.act, friend) if friend else None)

    return declared(Threes(wire=tuple[int, ...], made=made), ())


# ---------------------------------------------------------------- as people type them


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed(Suggested):
    """Further targets in words: Smap 2 at 7 cover 1, Trapper at 9 with Slugger. A tuple of `Aim`."""

    def write(self, thing: Any) -> Raw:
        """In the words of which they are read."""
        return thing or None if isinstance(thing, str) else ", ".join(map(_words, thing or ())) or None

    def unsaid(self, default: Any, asking: Asking) -> Any:
        """None."""
        return ()

    def read(self, raw: Raw, asking: Asking) -> tuple[Aim, ...]:
        """Each of them. Raises InvalidInput."""
        parts = [part.strip() for part in _BETWEEN.split(str(raw)) if part.strip()]
        aims = tuple(_read(asking, part) for part in parts)
        first = [asking.so_far.get(name) for name in ("target", "target2")]
        whom = {one.id for one in (*first, *(share.target for share, _ in aims)) if one is not None}
        for part, (share, _) in zip(parts, aims, strict=True):
            other = other_reading(asking.act, _WORDS.split(part)[0]) if not share.dice else None
            if other is not None and other[0].id not in whom:
                raise_unclear(asking.act, share.target.id, *other)
        return aims


def typed_targets(about: str) -> Any:
    """Further targets as they are typed: a tuple of `Aim`."""
    return declared(Typed(help=about, names=next_name), ())


def _read(asking: Asking, text: str) -> Aim:
    """One as typed: Guardling 3 at 7 cover 1 with Pulsar Pistol friend Smap.

    A number that belongs to a name is part of the name; x2 are dice. Raises InvalidInput.
    """
    act, shooter = asking.act, asking.so_far.get("shooter")
    if shooter is None:
        raise InvalidInput("Say first who shoots.")
    head, *rest = _WORDS.split(text)
    said = {word.casefold(): value.strip() for word, value in zip(rest[::2], rest[1::2], strict=True)}
    if len(said) * 2 != len(rest):
        raise InvalidInput(f"{HOW}.")
    target, dice = named_with_dice(act, head)
    if dice == 0:
        raise InvalidInput("Give every target at least one die.")
    weapon = place_of(shooter, weapon_said(shooter, said["with"])) if "with" in said else 0
    friend = named(act, said["friend"]) if "friend" in said else None
    inches, cover = _number(said.get("at", ""), FARTHEST), _number(said.get("cover", ""), MOST_COVER)
    return Share(target, dice or 0, weapon), Measured(inches, round(cover), friend)


def _number(text: str, most: int) -> float:
    """A number of the typed form; AS_BEFORE where there is none. Raises InvalidInput."""
    if not text:
        return AS_BEFORE
    try:
        value = float(text.removesuffix("in").strip())
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:
        raise InvalidInput(f"{HOW}.")
    return value


def _words(aim: Aim) -> str:
    return " ".join(_said(*aim))


def _said(share: Share, at: Measured) -> Iterator[str]:
    yield f"#{share.target.id}"
    if share.dice:
        yield f"x{share.dice}"
    if at.inches >= 0:
        yield f"at {at.inches:g}"
    if at.cover >= 0:
        yield f"cover {at.cover}"
    if share.weapon:
        yield f"with @{share.weapon}"
    if at.friend:
        yield f"friend #{at.friend.id}"
