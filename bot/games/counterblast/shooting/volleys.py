"""A shot as players declare it: at one model or with its dice split over several, from words to the rules.

Owns `Shoot` and the one form in which every way of asking it is written; what is rolled is in `shoot_play`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.arms import firearms
from bot.games.counterblast.core.common import named, settings
from bot.games.counterblast.core.fields import mounting, off_middle, order
from bot.games.counterblast.core.fighters import weapon_named
from bot.games.counterblast.core.suggestions import firearm, next_name
from bot.games.counterblast.core.surroundings import DARK, VACUUM, airless
from bot.games.counterblast.melee.blows import named_with_dice, other_reading, raise_unclear
from bot.games.counterblast.shooting.cloud_marks import cover_from
from bot.games.counterblast.shooting.recalled import AS_BEFORE, Sighting, seen
from bot.games.counterblast.shooting.strays import whom_misses_hit
from bot.games.counterblast.shooting.suggestions import any_cloud, range_bands
from bot.games.counterblast.vehicles.vehicle_marks import as_target
from bot.table.act import Act
from bot.table.asking import fields, offering
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.allotment import even_shares
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import Mark, Mode, Volley, attack_rolls, shooting_pool

MODES: dict[str, Mode] = {
    "shoot": "shoot",
    "aim": "aim",
    "run and gun": "run_and_gun",
    "overwatch": "overwatch",
    "snap": "snap",
    "full auto": "full_auto",
}

MOST_TARGETS = 12
HOW = "Write further targets as in: Guardling 3 at 7 cover 1, Trapper 2 at 9 friend Smap"

_WORDS = re.compile(r"\s+(at|cover|with|friend)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shoot(Action):
    """Shoot at a model.

    Models by name or #number; distances in inches; dice: how many of them at the first target.

    also: further targets, as in: Guardling 3 at 7 cover 1, Trapper 2 at 9 friend Smap. more, measured: the
    same as numbers, three of each for every one (see `Further`). friend: whom misses hit in a melee, in the
    order of the targets. straight: yes or no, whether a moving vehicle comes or goes straight; empty: ask
    where it matters. bearing: degrees of the target from the middle of the weapon's arc. mount: how the
    weapon is mounted. cloud: one in the way, and after a colon how it lies. distance, cover: below 0 as they
    were before. target2, distance2, cover2, weapon2: the second target, as older
    buttons and entries name it.
    """

    command = "cb.shoot"
    typed = "cb shoot"
    said_first = (
        "shooter",
        "target",
        "distance",
        "cover",
        "weapon",
        "mode",
        "order",
        "friend",
        "dice",
        "also",
        "bearing",
        "mount",
        "cloud",
        "odds",
    )
    facts = frozenset({"distance", "cover", "distance2", "cover2", "friend", "measured"})

    shooter: str = fields.words("Who shoots", offering.own_model, needed=True, called="model")
    target: str = fields.words("At whom", offering.foe, needed=True)
    distance: float = fields.inches(
        "Inches between them; none: as before",
        0.0,
        200.0,
        default=float(AS_BEFORE),
        fact=True,
        bands=range_bands,
        wanted=True,
    )
    cover: int = fields.whole(
        "The target's cover, 0 to 3; none: as before", 0, 3, default=AS_BEFORE, fact=True, wanted=True
    )
    weapon: str = fields.words("With what; none: its first", firearm)
    mode: str = fields.word_of(
        "Aim, Run and Gun ...",
        ("shoot", "aim", "run and gun", "full auto", "overwatch", "snap"),
        called="how",
        default="shoot",
    )
    order: bool = order()
    friend: str = fields.words("Whom misses hit, in a melee", offering.own_model, fact=True)
    target2: str = ""
    distance2: float = 0.0
    cover2: int = 0
    dice: int = fields.whole("Dice at the first target; none: an even share", 1, 30, default=0)
    odds: bool = fields.odds()
    weapon2: str = ""
    straight: str = ""
    bearing: float = off_middle()
    mount: str = mounting()
    cloud: str = fields.words("A cloud in the way, and how it lies", any_cloud)
    also: str = fields.words("Further targets: Smap 2 at 7 cover 1, Trapper at 9 with Slugger", next_name)
    more: tuple[int, ...] = ()
    measured: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Further:
    """A further target: its number, dice (0: an even share), weapon; tenths of an inch, cover, friend.

    tenths, cover: below 0 as before. weapon: the place of a carried one, from 1; 0 for that of the first
    target. friend: the number of the model whom misses hit, 0 where there is only one or none.
    """

    target: int
    dice: int = 0
    weapon: int = 0
    tenths: int = AS_BEFORE
    cover: int = AS_BEFORE
    friend: int = 0

    @property
    def chosen(self) -> tuple[int, ...]:
        """What is decided of it, as `Shoot.more` keeps it."""
        return (self.target, self.dice, self.weapon)

    @property
    def measured(self) -> tuple[int, ...]:
        """What is seen of it, as `Shoot.measured` keeps it."""
        return (self.tenths, self.cover, self.friend)


@dataclass(frozen=True, slots=True)
class Declared:
    """A shot as it was declared: the volley of every full roll, and where each target was seen."""

    volleys: tuple[Volley, ...]
    places: tuple[Sighting, ...]

    @property
    def volley(self) -> Volley:
        """The volley of the first roll."""
        return self.volleys[0]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Every target, in the order declared."""
        return tuple(mark for volley in dict.fromkeys(self.volleys) for mark in volley.marks)

    @property
    def told(self) -> list[str]:
        """What was taken as it was before."""
        return [place.told for place in self.places if place.told]

    def ordered(self, *, order: bool) -> Declared:
        """The same with or without an order token."""
        return replace(self, volleys=tuple(replace(one, order_token=order) for one in self.volleys))


def ranged_weapon(shooter: Fighter, text: str, inches: float = 0) -> Weapon:
    """The weapon named, or the first that shoots at one model and reaches so far; @2 is the second carried.

    Raises InvalidInput.
    """
    if text[:1] == "@" and text[1:].isdecimal() and 0 < int(text[1:]) <= len(shooter.weapons):
        return shooter.weapons[int(text[1:]) - 1]
    if text:
        return weapon_named(shooter, text)
    fit = firearms(shooter)
    if not fit:
        raise InvalidInput(f"{shooter.name} has nothing to shoot with.")
    return next((weapon for weapon in fit if weapon.range_inches >= inches), fit[0])


def place_of(shooter: Fighter, weapon: Weapon) -> int:
    """The place of a carried weapon, from 1; 0 for one that is not carried."""
    return next((place for place, own in enumerate(shooter.weapons, 1) if own.key == weapon.key), 0)


# ---------------------------------------------------------------- read


def declared(act: Act, action: Shoot, shooter: Fighter) -> Declared:
    """The shot as the rules see it. Raises InvalidInput. Rules: CB-SHOOT-06, CB-SHOOT-07, CB-WEAP-34."""
    if action.mode not in MODES:
        raise InvalidInput(f"Ways to shoot: {', '.join(MODES)}.")
    target = named(act, action.target)
    further = _further(act, action, shooter)
    places = [seen(act.encounter, shooter, target, action.distance, action.cover)]
    weapon = ranged_weapon(shooter, action.weapon, places[0].inches)
    hidden, _ = cover_from(act.encounter, action.cloud)
    marks = [Mark(target, weapon, places[0].inches, action.dice, max(places[0].cover, hidden))]
    for one in further:
        other = named(act, f"#{one.target}")
        inches = one.tenths / 10 if one.tenths >= 0 else AS_BEFORE
        place = seen(act.encounter, shooter, other, inches, one.cover, places)
        places.append(place)
        arm = shooter.weapons[one.weapon - 1] if 0 < one.weapon <= len(shooter.weapons) else weapon
        marks.append(Mark(other, arm, place.inches, one.dice, place.cover))
    friends = _friends(act, action, shooter, marks, further)
    marks = [
        replace(mark, friend=friend) if friend else mark for mark, friend in zip(marks, friends, strict=True)
    ]
    straight = action.straight == "yes"
    marks = [as_target(act.encounter, shooter, mark, straight=straight) for mark in marks]
    return Declared(_volleys(act, action, shooter, marks), tuple(places))


def _volleys(act: Act, action: Shoot, shooter: Fighter, marks: list[Mark]) -> tuple[Volley, ...]:
    """Every full roll: a weapon that fires twice has one for each of two targets, where no dice are named."""
    row = act.encounter.row.counters
    whole = Volley(
        shooter,
        tuple(marks),
        MODES[action.mode],
        dark=bool(row.get(DARK)),
        vacuum=bool(row.get(VACUUM)),
        underwater=airless(act.encounter, shooter),
        order_token=action.order,
    )
    rolls = attack_rolls(marks[0].weapon)
    apart = len(marks) == rolls > 1 and not any(mark.dice for mark in marks)
    if apart and len({mark.weapon for mark in marks}) == 1:
        return tuple(replace(whole, marks=(mark,)) for mark in marks)
    if len(marks) > 1:
        whole = replace(whole, marks=_shared(act, action, shooter, marks))
    return (whole,) * rolls


def _shared(act: Act, action: Shoot, shooter: Fighter, marks: list[Mark]) -> tuple[Mark, ...]:
    """The marks with the dice between them: as many as named at each, the others evenly.

    Raises InvalidInput. Rules: CB-SHOOT-06, CB-SHOOT-07.
    """
    if len({(mark.target.id, mark.weapon) for mark in marks}) < len(marks):
        raise InvalidInput("Name each target once.")
    available = shooting_pool(shooter, marks[0].weapon, MODES[action.mode], settings(act)).available
    unnamed = [place for place, mark in enumerate(marks) if not mark.dice]
    given = sum(mark.dice for mark in marks)
    if available < len(marks):
        raise InvalidInput(f"{shooter.name} has {_dice(available)}: too few for {len(marks)} targets.")
    if unnamed and available - given < len(unnamed):
        most, said = available - len(unnamed), [mark.target.name for mark in marks if mark.dice]
        limits = f"{_upto(len(said), most)} at {_both(said)}"
        raise InvalidInput(f"{shooter.name} has {_dice(available)}: {limits}.")
    if not unnamed and given != available:
        said = [f"{mark.dice} at {mark.target.name}" for mark in marks]
        raise InvalidInput(f"{shooter.name} shares out all its {_dice(available)}, not {_both(said)}.")
    shares = dict(zip(unnamed, even_shares(available - given, len(unnamed)), strict=True))
    return tuple(replace(mark, dice=shares.get(place, mark.dice)) for place, mark in enumerate(marks))


def _upto(least: int, most: int) -> str:
    return f"{least} to {most}" if most > least else f"{most}"


def _both(words: list[str]) -> str:
    return " and ".join(words)


def _dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"


def _friends(
    act: Act, action: Shoot, shooter: Fighter, marks: list[Mark], further: list[Further]
) -> list[Fighter | None]:
    """Whom misses hit at each target."""
    typed = [part.strip() for part in action.friend.split(",")] + [""] * len(marks)
    own = ["", *(f"#{one.friend}" if one.friend else "" for one in further)]
    words = [mine or other for mine, other in zip(own, typed, strict=False)]
    return whom_misses_hit(act, shooter, [mark.target for mark in marks], words)


def _further(act: Act, action: Shoot, shooter: Fighter) -> list[Further]:
    """The further targets, however they were said. Raises InvalidInput."""
    if len(action.more) % 3 or len(action.more) != len(action.measured):
        raise InvalidInput(f"{HOW}.")
    found = [
        Further(*one, *at) for one, at in zip(_threes(action.more), _threes(action.measured), strict=True)
    ]
    if action.target2 or action.weapon2:
        found.insert(0, _second(act, action, shooter))
    parts = [part.strip() for part in re.split(r"[,;\n]", action.also) if part.strip()]
    typed = [read_further(act, shooter, part) for part in parts]
    whom = {named(act, action.target).id, *(one.target for one in (*found, *typed))}
    for part, one in zip(parts, typed, strict=True):
        other = other_reading(act, _WORDS.split(part)[0]) if not one.dice else None
        if other is not None and other[0].id not in whom:
            raise_unclear(act, one.target, *other)
    found += typed
    if len(found) >= MOST_TARGETS:
        raise InvalidInput(f"At most {MOST_TARGETS} targets in one attack.")
    return found


def _threes(numbers: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [numbers[place : place + 3] for place in range(0, len(numbers), 3)]


def _second(act: Act, action: Shoot, shooter: Fighter) -> Further:
    """The second target as it had options of its own; a second pistol fired at the first one without them."""
    inches, cover = (action.distance2, action.cover2) if action.target2 else (action.distance, action.cover)
    return Further(
        named(act, action.target2 or action.target).id,
        tenths=round(inches * 10) if inches >= 0 else AS_BEFORE,
        cover=cover,
        weapon=place_of(shooter, weapon_named(shooter, action.weapon2)) if action.weapon2 else 0,
    )


def read_further(act: Act, shooter: Fighter, text: str) -> Further:
    """One further target as typed: Guardling 3 at 7 cover 1 with Pulsar Pistol friend Smap.

    A number that belongs to a name is part of the name; x2 are dice. Raises InvalidInput.
    """
    head, *rest = _WORDS.split(text)
    said = {word.casefold(): value.strip() for word, value in zip(rest[::2], rest[1::2], strict=True)}
    if len(said) * 2 != len(rest):
        raise InvalidInput(f"{HOW}.")
    target, dice = named_with_dice(act, head)
    if dice == 0:
        raise InvalidInput("Give every target at least one die.")
    arm = place_of(shooter, weapon_named(shooter, said["with"])) if "with" in said else 0
    friend = named(act, said["friend"]).id if "friend" in said else 0
    inches, cover = _number(said.get("at", ""), 200), _number(said.get("cover", ""), 3)
    tenths = AS_BEFORE if inches == AS_BEFORE else round(inches * 10)
    return Further(target.id, dice or 0, arm, tenths, round(cover), friend)


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


# ---------------------------------------------------------------- written


def canonical(action: Shoot, said: Declared) -> Shoot:
    """The action in one form, whatever was typed or left out: models by number, weapons by their place."""
    shooter, (first, *others) = said.volley.shooter, said.marks
    apart = len(set(said.volleys)) > 1
    further = [
        Further(
            mark.target.id,
            0 if apart else mark.dice,
            0 if mark.weapon == first.weapon else place_of(shooter, mark.weapon),
            round(mark.inches * 10),
            place.cover,
            mark.friend.id if mark.friend else 0,
        )
        for mark, place in zip(others, said.places[1:], strict=True)
    ]
    place = place_of(shooter, first.weapon)
    return replace(
        action,
        shooter=f"#{shooter.id}",
        target=f"#{first.target.id}",
        distance=first.inches,
        cover=said.places[0].cover,
        weapon=f"@{place}" if place else first.weapon.name,
        dice=first.dice if others and not apart else 0,
        friend=f"#{first.friend.id}" if first.friend else "",
        target2="",
        distance2=0.0,
        cover2=0,
        weapon2="",
        also="",
        more=tuple(number for one in further for number in one.chosen),
        measured=tuple(number for one in further for number in one.measured),
        odds=False,
    )
