"""A shot as players declare it: at one model or with its dice split over several, from things to the rules.

Owns `Shoot` and the one form in which every way of asking it is written; what is rolled is in `shoot_play`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.actions import Action
from bot.games.counterblast.core.common import settings
from bot.games.counterblast.core.fields import (
    carried,
    firearms,
    first_firearm,
    foe,
    mounting,
    off_middle,
    order,
    who,
)
from bot.games.counterblast.core.surroundings import DARK, VACUUM, airless
from bot.games.counterblast.shooting.cloud_marks import InTheWay, cover_from
from bot.games.counterblast.shooting.further import (
    HOW,
    Aim,
    Measured,
    Share,
    measures,
    place_of,
    shares,
    typed_targets,
)
from bot.games.counterblast.shooting.recalled import AS_BEFORE, Sighting, inches_between, seen
from bot.games.counterblast.shooting.shot_fields import cloud_between, friends, moving_straight
from bot.games.counterblast.shooting.strays import whom_misses_hit
from bot.games.counterblast.shooting.suggestions import range_bands
from bot.games.counterblast.vehicles.vehicle_state import as_target
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.dice_pools import even_shares
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import Mark, Mode, Volley, attack_rolls, shooting_pool
from rules.systems.counterblast.shooting.special_attacks import Mounting

T = TypeVar("T")

MODES: dict[str, Mode] = {
    "shoot": "shoot",
    "aim": "aim",
    "run and gun": "run_and_gun",
    "full auto": "full_auto",
    "overwatch": "overwatch",
    "snap": "snap",
}

MOST_TARGETS = 12


def _first_that_reaches(asking: Asking, shooter: Fighter) -> Weapon:
    """The first weapon that reaches the target, as far as it was said to be, or was before."""
    inches, target = asking.so_far["distance"], asking.so_far["target"]
    if inches == AS_BEFORE and target is not None:
        inches = inches_between(asking.act.encounter, shooter.id, target.id) or 0
    return first_firearm(shooter, inches)


@dataclass(frozen=True, slots=True)
class Shoot(Action):
    """Shoot at a model.

    distance: in inches; cover: below 0 both are as they were before. dice: how many of them at the first
    target, 0 for an even share. also: further targets. more, measured: the same as they are kept, what is
    decided of each and what is seen of it. friend: whom misses hit in a melee, in the order of the targets.
    straight: whether a moving vehicle comes or goes straight; None: ask where it matters.
    bearing: degrees of the target from the middle of the weapon's arc. mount: how the weapon is mounted.
    target2, distance2, cover2, weapon2: the second target, as older buttons and entries name it.
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
    facts = frozenset({"distance2", "cover2", "measured"})
    recalled = frozenset({"distance", "cover", "friend"}) | facts

    shooter: Fighter = who("Who shoots", called="model")
    target: Fighter = foe("At whom", needed=True)
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
    weapon: Weapon = carried("shooter", "With what; none: its first", firearms, default=_first_that_reaches)
    mode: Mode = fields.one_of("Aim, Run and Gun ...", MODES, called="how", default="shoot")
    order: bool = order()
    friend: tuple[Fighter | None, ...] = friends("Whom misses hit, in a melee")
    target2: Fighter | None = foe("")
    distance2: float = 0.0
    cover2: int = 0
    dice: int = fields.whole("Dice at the first target; none: an even share", 1, 30, default=0)
    odds: bool = fields.odds()
    weapon2: Weapon | None = carried("shooter", "")
    straight: bool | None = moving_straight()
    bearing: float = off_middle()
    mount: Mounting | None = mounting()
    cloud: InTheWay | None = cloud_between()
    also: tuple[Aim, ...] = typed_targets("Further targets: Smap 2 at 7 cover 1, Trapper at 9 with Slugger")
    more: tuple[Share, ...] = shares()
    measured: tuple[Measured, ...] = measures()


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
        return tuple(mark for volley in each_once(self.volleys) for mark in volley.marks)

    @property
    def told(self) -> list[str]:
        """What was taken as it was before."""
        return [place.told for place in self.places if place.told]


def each_once(rolls: Sequence[T]) -> Iterable[T]:
    """The rolls, equal ones once; one alone is compared with nothing."""
    return dict.fromkeys(rolls) if len(rolls) > 1 else rolls


def declared(act: Act, action: Shoot) -> Declared:
    """The shot as the rules see it. Raises InvalidInput. Rules: CB-SHOOT-06, CB-SHOOT-07, CB-WEAP-34."""
    encounter, shooter, aims = act.encounter, action.shooter, _aims(action)
    places: list[Sighting] = []
    for share, at in aims:
        places.append(seen(encounter, shooter, share.target, at.inches, at.cover, places))
    covers = [place.cover for place in places]
    covers[0] = max(covers[0], cover_from(action.cloud))
    beside = whom_misses_hit(act, shooter, [share.target for share, _ in aims], _named(action, aims))
    marks = [
        Mark(share.target, share.arm(shooter, action.weapon), place.inches, share.dice, cover, friend)
        for (share, _), place, cover, friend in zip(aims, places, covers, beside, strict=True)
    ]
    straight = bool(action.straight)
    marks = [as_target(encounter, shooter, mark, straight=straight) for mark in marks]
    return _in_one_order(Declared(_volleys(act, action, marks), tuple(places)))


def _in_one_order(said: Declared) -> Declared:
    """The targets by number, since who is named first decides no more than the weapon that is fired."""
    marks = said.marks
    if len({mark.weapon for mark in marks}) > 1:
        return said
    order = sorted(range(len(marks)), key=lambda place: marks[place].target.id)
    places = tuple(said.places[place] for place in order)
    if len(set(said.volleys)) > 1:
        return Declared(tuple(said.volleys[place] for place in order), places)
    whole = replace(said.volley, marks=tuple(marks[place] for place in order))
    return Declared((whole,) * len(said.volleys), places)


def _aims(action: Shoot) -> list[Aim]:
    """Every target, however it was said. Raises InvalidInput."""
    if len(action.more) != len(action.measured):
        raise InvalidInput(f"{HOW}.")
    first = Share(action.target, action.dice), Measured(action.distance, action.cover)
    aims = [first, *_second(action), *zip(action.more, action.measured, strict=True), *action.also]
    if len(aims) > MOST_TARGETS:
        raise InvalidInput(f"At most {MOST_TARGETS} targets in one attack.")
    return aims


def _second(action: Shoot) -> list[Aim]:
    """The second target as it had options of its own; a second pistol fired at the first one without them."""
    if action.target2 is None and action.weapon2 is None:
        return []
    weapon = place_of(action.shooter, action.weapon2) if action.weapon2 else 0
    if action.target2 is None:
        return [(Share(action.target, weapon=weapon), Measured(action.distance, action.cover))]
    return [(Share(action.target2, weapon=weapon), Measured(action.distance2, action.cover2))]


def _named(action: Shoot, aims: Sequence[Aim]) -> list[Fighter | None]:
    """Who was named at each target as the friend whom misses hit."""
    in_order = (*action.friend, *(None for _ in aims))
    return [at.friend or named for (_, at), named in zip(aims, in_order, strict=False)]


def _volleys(act: Act, action: Shoot, marks: Sequence[Mark]) -> tuple[Volley, ...]:
    """Every full roll: a weapon that fires twice has one for each of two targets, where no dice are named."""
    row = act.encounter.row.counters
    whole = Volley(
        action.shooter,
        tuple(marks),
        action.mode,
        dark=bool(row.get(DARK)),
        vacuum=bool(row.get(VACUUM)),
        underwater=airless(act.encounter, action.shooter),
        order_token=action.order,
    )
    rolls = attack_rolls(marks[0].weapon)
    apart = len(marks) == rolls > 1 and not any(mark.dice for mark in marks)
    if apart and len({mark.weapon for mark in marks}) == 1:
        return tuple(replace(whole, marks=(mark,)) for mark in marks)
    if len(marks) > 1:
        whole = replace(whole, marks=_shared(act, action, marks))
    return (whole,) * rolls


def _shared(act: Act, action: Shoot, marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """The marks with the dice between them: as many as named at each, the others evenly.

    Raises InvalidInput. Rules: CB-SHOOT-06, CB-SHOOT-07.
    """
    shooter = action.shooter
    if len({(mark.target.id, mark.weapon) for mark in marks}) < len(marks):
        raise InvalidInput("Name each target once.")
    available = shooting_pool(shooter, marks[0].weapon, action.mode, settings(act)).available
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


def canonical(action: Shoot, said: Declared) -> Shoot:
    """The action in one form, whatever was typed or left out: measured, the dice shared, each target once."""
    first, *others = said.marks
    apart = len(set(said.volleys)) > 1
    return replace(
        action,
        target=first.target,
        distance=first.inches,
        cover=said.places[0].cover,
        dice=first.dice if others and not apart else 0,
        friend=(first.friend,) if first.friend else (),
        target2=None,
        distance2=0.0,
        cover2=0,
        weapon2=None,
        also=(),
        more=tuple(_share(action.shooter, first, mark, apart=apart) for mark in others),
        measured=tuple(
            Measured(mark.inches, place.cover, mark.friend)
            for mark, place in zip(others, said.places[1:], strict=True)
        ),
        odds=False,
    )


def _share(shooter: Fighter, first: Mark, mark: Mark, *, apart: bool) -> Share:
    """What was decided of a further target. apart: it has a full roll of its own."""
    weapon = 0 if mark.weapon == first.weapon else place_of(shooter, mark.weapon)
    return Share(mark.target, 0 if apart else mark.dice, weapon)
