"""Fields of shots: clouds, bearings, distances, further targets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from bot.actions import Raw, declared
from bot.games.counterblast.core.common import fighter_of, find_fighter
from bot.games.counterblast.core.fields import (
    find_other_reading,
    find_target_and_dice,
    find_weapon,
    first_firearm,
    raise_unclear,
)
from bot.games.counterblast.state.models import (
    WHO_ATTACKS,
    complete_next_name,
    fighter,
    fighters,
    find_said_fighter,
    game_of,
    kept,
)
from bot.games.counterblast.state.sight import AS_BEFORE, InTheWay, in_the_way, list_cloud_choices
from bot.table.act import Act, ActView
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Offer, Suggested, TableKind, nothing
from bot.table.asking.table_kinds import SeveralModels
from bot.table.encounter import set_counter
from rules.counters import PerWord
from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.special_attacks import (
    ALL_ROUND,
    Mounting,
    field_of_fire,
    require_bearing,
)
from rules.systems.counterblast.shooting.templates import is_burst
from rules.wording import possessive

suggest_clouds = kept(list_cloud_choices)


def suggest_whole_group(context: Asking) -> Sequence[str]:
    """Return all of a side who act together, the person's own first, or else the next name."""
    names, encounter = complete_next_name(context), game_of(context)
    if context.typed or encounter is None:
        return names
    active_models = [
        model for model in fighters(encounter) if model.has(Condition.ACTIVE) and not model.is_incapacitated
    ]
    sides = sorted({model.side for model in active_models}, key=lambda side: not context.act.plays_on(side))
    groups = [[model.name for model in active_models if model.side == side] for side in sides]
    return [", ".join(group) for group in groups if len(group) > 1] or names


def suggest_group_bands(context: Asking) -> Sequence[Offer]:
    """Return how far all who shoot together may be until something changes. Rules: CB-WEAP-12."""
    team: tuple[Fighter, ...] = context.so_far.get("shooters") or ()
    guns = [gun for model in team for gun in model.weapons if gun.range_inches]
    limits = sorted({limit for gun in guns for limit in gun.distance_limits})
    return [Offer(f"{limit:g}", f"to {limit:g} in") for limit in limits]


def range_bands(context: Asking) -> Sequence[Offer]:
    """Return how far a shot may go until something changes, with what holds there. Rules: CB-WEAP-12."""
    model = find_said_fighter(context, *WHO_ATTACKS)
    if model is None:
        return []
    chosen_weapon = context.so_far.get("weapon")
    guns = [weapon for weapon in model.weapons if weapon.range_inches and chosen_weapon in (None, weapon)]
    limits = {limit for gun in guns for limit in gun.distance_limits}
    return [
        Offer(limit, f"to {limit:g} in", "; ".join(_describe_range(gun, limit) for gun in guns)[:100])
        for limit in sorted(limits)
    ]


def _describe_range(gun: Weapon, inches: float) -> str:
    if inches > gun.range_inches:
        return f"{gun.name}: out of range"
    return f"{gun.name}: {'short' if inches <= gun.short_range_inches else 'long'}"


def cloud_field() -> Any:
    """Declare a field for a cloud in the way of a shot: `InTheWay`, or None."""

    def find(context: Asking, text: str) -> InTheWay:
        return in_the_way(context.act.encounter, text)

    return fields.sought("Cloud in the way", suggest_clouds, find, fact=True)


def straight_field() -> Any:
    """Return a field: does a vehicle move straight at the shooter or away? None if that wasn't entered."""
    return fields.one_of("", {"yes": True, "no": False}, fact=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendsHitByMisses(SeveralModels):
    """A friend at each target, in their order, with commas between: a tuple; None where none is named."""

    any_order: int = 0

    def write(self, thing: Any) -> Raw:
        if isinstance(thing, str):
            return thing or None
        return ", ".join(f"#{model.id}" if model else "" for model in thing or ()) or None

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return every friend. Raises InvalidInput."""
        names = [name.strip() for name in str(raw).split(",")]
        return tuple(super(SeveralModels, self).read(name, context) if name else None for name in names)


def friends(about: str) -> Any:
    """Return a field for the friends whom misses hit at each target, in their order."""
    return declared(FriendsHitByMisses(help=about, names=offering.own_model, view=fighter, fact=True), ())


# ---------------------------------------------------------------- of each of a team


@dataclass(frozen=True, slots=True, kw_only=True)
class PerShooter(Suggested):
    """A value for all who shoot, or for each of them in their order, in one text.

    found: reads the value from a text for these shooters. written: writes it.
    """

    found: Callable[[tuple[Fighter, ...], str], Any]
    written: Callable[[Any], str]
    each_of: str = "shooters"

    asks_table: ClassVar[bool] = True

    def write(self, thing: Any) -> Raw:
        return (self.written(thing) if thing and not isinstance(thing, str) else thing) or None

    def read(self, raw: Raw, context: Asking) -> Any:
        """Read it for every shooter. Raises InvalidInput."""
        return self.found(context.so_far.get(self.each_of) or (), str(raw))

    def unsaid(self, default: Any, context: Asking) -> Any:
        return self.read("", context)

    def permuted(self, value: Any, places: Sequence[int]) -> Any:
        if isinstance(value, TeamWeapons):
            return replace(value, each=tuple(value.each[place] for place in places))
        return super(PerShooter, self).permuted(value, places)

    @property
    def suggests(self) -> bool:
        return self.names is not nothing


def numbers_field(help_text: str, max_number: float, quantity: str, example: str, **options: Any) -> Any:
    """Return a number for each of a team: a tuple; AS_BEFORE for all where nothing is said."""

    def find(team: tuple[Fighter, ...], text: str) -> tuple[float, ...]:
        numbers = _parse_numbers(text)
        if not numbers:
            return (AS_BEFORE,) * len(team)
        if len(numbers) not in (1, len(team)) or not all(0 <= number <= max_number for number in numbers):
            raise Missing(
                f"Enter one {quantity} (0 to {max_number:g}) for all, "
                f"or one for each of the {len(team)} models, such as `{example}`."
            )
        return tuple(numbers * len(team) if len(numbers) == 1 else numbers)

    return declared(PerShooter(help=help_text, found=find, written=_write_numbers, **options), "")


def _parse_numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        return [-1.0]


def _write_numbers(numbers: tuple[float, ...]) -> str:
    """Return one number if all are the same, or nothing if all are as before."""
    if all(number == AS_BEFORE for number in numbers):
        return ""
    return " ".join(f"{number:g}" for number in (numbers[:1] if len(set(numbers)) == 1 else numbers))


@dataclass(frozen=True, slots=True)
class TeamWeapons:
    """The weapon of each of a team: the one that was named of those who carry it, the first of the others."""

    said: str
    each: tuple[Weapon, ...]

    def __str__(self) -> str:
        """Return the text as it was entered."""
        return self.said


def weapons_field(help_text: str) -> Any:
    """Return a field for a team's weapons: `Arms`."""

    def find(team: tuple[Fighter, ...], text: str) -> TeamWeapons:
        return TeamWeapons(text, tuple(_choose_weapon(model, text) for model in team))

    return declared(PerShooter(help=help_text, found=find, written=str), "")


def _choose_weapon(model: Fighter, text: str) -> Weapon:
    is_carried = text and any(text.casefold() in weapon.name.casefold() for weapon in model.weapons)
    return find_weapon(model, text) if is_carried else first_firearm(model)


MOUNTED = PerWord("mounted: ")
"""Counters of a model by the key of a weapon: how that is mounted, by its place in `WAYS`."""

WAYS: tuple[Mounting, ...] = ("carried", "pintle", "turret")


def check_arc_of_fire(
    act: ActView, model: Fighter, weapon: Weapon, bearing: float = 0.0, mount: Mounting | None = None
) -> list[str]:
    """Refuse a target outside the weapon's field of fire. Return the line that reminds of a narrow one.

    bearing: degrees from the middle of the arc. mount: None for as it is known. A burst goes off all round.
    Raises Forbidden. Rules: CB-FEAT-28, CB-VEH-08.
    """
    if is_burst(weapon):
        return []
    mounting_index = act.encounter.model(model.id).counters.get(MOUNTED.of(weapon.key), 0)
    mounting = mount or WAYS[mounting_index]
    require_bearing(model, weapon, bearing, mounting)
    degrees = field_of_fire(model, mounting)
    if degrees == ALL_ROUND:
        return []
    return [f"{possessive(model.name)} arc of fire: {degrees} degrees."]


def store_mounting(act: Act, model: Fighter, weapon: Weapon, mount: Mounting | None) -> None:
    """Store how a weapon is mounted, if that was entered."""
    if mount:
        set_counter(act.encounter.model(model.id).counters, MOUNTED.of(weapon.key), WAYS.index(mount))


HOW = "Add targets with dice and inches like this: `Guardling x3 at 7 cover 1, Trapper x2 at 9 friend Smap`"

FARTHEST, MAX_COVER = 200, 3

_KEYWORDS = re.compile(r"\s+(at|cover|with|friend)\s+", re.IGNORECASE)
_SEPARATORS = re.compile(r"[,;\n]")


@dataclass(frozen=True, slots=True)
class Share:
    """What is decided of a target. dice: 0 for an even share.

    weapon: the place of a carried one, from 1, or 0 for the first target's.
    """

    target: Fighter
    dice: int = 0
    weapon: int = 0

    def arm(self, shooter: Fighter, first: Weapon) -> Weapon:
        """Return the weapon that shoots at it. first: the weapon of the first target."""
        return shooter.weapons[self.weapon - 1] if 0 < self.weapon <= len(shooter.weapons) else first

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return it as `Shoot.more` is written."""
        return (self.target.id, self.dice, self.weapon)


@dataclass(frozen=True, slots=True)
class Measured:
    """What is seen of a target; inches, cover: below 0 as before.

    friend: whom misses hit, or None if there is at most one.
    """

    inches: float = AS_BEFORE
    cover: int = AS_BEFORE
    friend: Fighter | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return it as `Shoot.measured` is written: tenths of an inch, the friend's number."""
        tenths = round(self.inches * 10) if self.inches >= 0 else AS_BEFORE
        return (tenths, self.cover, self.friend.id if self.friend else 0)


Aim = tuple[Share, Measured]
"""A target as it was declared."""


def place_of(shooter: Fighter, weapon: Weapon) -> int:
    """Return the place of a carried weapon, from 1, or 0 for one that is not carried."""
    return next(
        (
            place
            for place, carried_weapon in enumerate(shooter.weapons, 1)
            if carried_weapon.key == weapon.key
        ),
        0,
    )


# ---------------------------------------------------------------- as buttons carry them


@dataclass(frozen=True, slots=True, kw_only=True)
class Triples(TableKind):
    """Things of which each is written as three whole numbers. made: the thing of such three."""

    made: Callable[[Asking, int, int, int], Any]

    def write(self, thing: Any) -> Raw:
        return tuple(
            number for part in thing or () for number in ((part,) if isinstance(part, int) else part.numbers)
        )

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return each thing. Raises InvalidInput."""
        assert isinstance(raw, tuple)
        if len(raw) % 3:
            raise InvalidInput(f"{HOW}.")
        numbers = [int(part) for part in raw]
        triples = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
        return tuple(self.made(context, *triple) for triple in triples)


def shares() -> Any:
    """Return further targets, what is decided of each: a tuple."""

    def make(context: Asking, target: int, dice: int, weapon: int) -> Share:
        return Share(find_fighter(context.act, f"#{target}"), dice, weapon)

    return declared(Triples(wire=tuple[int, ...], made=make), ())


def measures() -> Any:
    """Return what is seen of each of them, in their order: a tuple."""

    def make(context: Asking, tenths: int, cover: int, friend: int) -> Measured:
        inches = tenths / 10 if tenths >= 0 else AS_BEFORE
        return Measured(inches, cover, fighter_of(context.act, friend) if friend else None)

    return declared(Triples(wire=tuple[int, ...], made=make), ())


# ---------------------------------------------------------------- as people type them


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed(Suggested):
    """Further targets in words: Smap x2 at 7 cover 1, Trapper at 9 with Slugger. A tuple of `Aim`."""

    def write(self, thing: Any) -> Raw:
        return thing or None if isinstance(thing, str) else ", ".join(map(_write_aim, thing or ())) or None

    def unsaid(self, default: Any, context: Asking) -> Any:
        return ()

    def read(self, raw: Raw, context: Asking) -> tuple[Aim, ...]:
        """Return each of them. Raises InvalidInput."""
        parts = [part.strip() for part in _SEPARATORS.split(str(raw)) if part.strip()]
        aims = tuple(_read_target(context, part) for part in parts)
        named_targets = [context.so_far.get(name) for name in ("target", "target2")]
        target_ids = {
            model.id for model in (*named_targets, *(share.target for share, _ in aims)) if model is not None
        }
        for part, (share, _) in zip(parts, aims, strict=True):
            other_match = (
                find_other_reading(context.act, _KEYWORDS.split(part)[0]) if not share.dice else None
            )
            if other_match is not None and other_match[0].id not in target_ids:
                raise_unclear(context.act, share.target.id, *other_match)
        return aims


def typed_targets_field(help_text: str) -> Any:
    """Return further targets as they are typed: a tuple of `Aim`."""
    return declared(Typed(help=help_text, names=complete_next_name), ())


def _read_target(context: Asking, text: str) -> Aim:
    """Read one target as typed: Guardling 3 at 7 cover 1 with Pulsar Pistol friend Smap.

    A number that belongs to a name is part of the name; x2 are dice. Raises InvalidInput.
    """
    act, shooter = context.act, context.so_far.get("shooter")
    if shooter is None:
        raise Missing("First choose the model that shoots.")
    model_text, *parts = _KEYWORDS.split(text)
    values = {word.casefold(): value.strip() for word, value in zip(parts[::2], parts[1::2], strict=True)}
    if len(values) * 2 != len(parts):
        raise InvalidInput(f"{HOW}.")
    target, dice = find_target_and_dice(act, model_text)
    if dice == 0:
        raise InvalidInput("Each target needs at least one die.")
    weapon = place_of(shooter, find_weapon(shooter, values["with"])) if "with" in values else 0
    friend = find_fighter(act, values["friend"]) if "friend" in values else None
    inches = _read_number(values.get("at", ""), FARTHEST)
    cover = _read_number(values.get("cover", ""), MAX_COVER)
    return Share(target, dice or 0, weapon), Measured(inches, round(cover), friend)


def _read_number(text: str, max_value: int) -> float:
    """Return a number of the typed form; AS_BEFORE where there is none. Raises InvalidInput."""
    if not text:
        return AS_BEFORE
    try:
        value = float(text.removesuffix("in").strip())
    except ValueError:
        value = -1.0
    if not 0 <= value <= max_value:
        raise InvalidInput(f"{HOW}.")
    return value


def _write_aim(aim: Aim) -> str:
    return " ".join(_aim_parts(*aim))


def _aim_parts(share: Share, measured: Measured) -> Iterator[str]:
    yield f"#{share.target.id}"
    if share.dice:
        yield f"x{share.dice}"
    if measured.inches >= 0:
        yield f"at {measured.inches:g}"
    if measured.cover >= 0:
        yield f"cover {measured.cover}"
    if share.weapon:
        yield f"with @{share.weapon}"
    if measured.friend:
        yield f"friend #{measured.friend.id}"
