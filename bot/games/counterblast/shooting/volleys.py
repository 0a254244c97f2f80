"""Shots as players declare them, at one target or several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from bot.actions import Action, raw_of
from bot.games.counterblast.core.common import get_own_fighter, settings
from bot.games.counterblast.core.fields import (
    anybody,
    carried,
    find_weapon,
    firearms,
    first_firearm,
    foe,
    mounting,
    off_centre,
    order,
    who,
)
from bot.games.counterblast.shooting.shot_fields import (
    HOW,
    Aim,
    Measured,
    Share,
    cloud_field,
    friends,
    measures,
    place_of,
    range_bands,
    shares,
    straight_field,
    typed_targets_field,
)
from bot.games.counterblast.shooting.shot_results import find_friends_hit_by_misses
from bot.games.counterblast.state.ground import is_airless
from bot.games.counterblast.state.models import fighters
from bot.games.counterblast.state.sight import (
    AS_BEFORE,
    InTheWay,
    Sighting,
    cover_by_board,
    find_cloud_cover,
    inches_between,
    seen,
)
from bot.games.counterblast.state.table_state import EncounterState
from bot.games.counterblast.state.vehicles import apply_vehicle_edges
from bot.replies.fit import has_room
from bot.replies.reply import Button, Choice, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking
from bot.table.asking.reading import read_leniently
from bot.table.handlers import handles
from bot.table.odds.comparing import compare_variants
from bot.table.offers.forms import SEVERAL_BY_COMMAND, Several
from bot.table.owners import ANYONE
from bot.table.session.drafts import Draft, DraftView, register_maker, require_list_item
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.dice_pools import even_shares
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import Mark, Mode, Volley, attack_rolls, shooting_pool
from rules.systems.counterblast.shooting.special_attacks import Mounting
from rules.wording import join_with_and, times

T = TypeVar("T")

MODES: dict[str, Mode] = {
    "shoot": "shoot",
    "aim": "aim",
    "run and gun": "run_and_gun",
    "full auto": "full_auto",
    "overwatch": "overwatch",
    "snap": "snap",
}

MAX_TARGETS = 12


def _find_first_weapon_in_range(context: Asking, shooter: Fighter) -> Weapon:
    """Return the first weapon that reaches the target at the distance entered, or at the last known one."""
    inches, target = context.so_far["distance"], context.so_far["target"]
    if inches == AS_BEFORE and target is not None:
        inches = inches_between(context.act.encounter, shooter.id, target.id) or 0
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

    shooter: Fighter = who("Model", called="model")
    target: Fighter = foe("Enemy", needed=True)
    distance: float = fields.inches(
        "Distance (inches, default: last used)",
        0.0,
        200.0,
        default=float(AS_BEFORE),
        fact=True,
        bands=range_bands,
        wanted=True,
        measures=measuring.distance("shooter", "target"),
    )
    cover: int = fields.whole(
        "Cover (0 to 3, default: last used)",
        0,
        3,
        default=AS_BEFORE,
        fact=True,
        wanted=True,
        measures=measuring.seen("shooter", "target", cover_by_board),
    )
    weapon: Weapon = carried(
        "shooter",
        "Weapon (default: the first in range)",
        firearms,
        default=_find_first_weapon_in_range,
        wanted=True,
        alone=True,
    )
    mode: Mode = fields.one_of("Kind of shot", MODES, called="how", default="shoot")
    order: bool = order()
    friend: tuple[Fighter | None, ...] = friends("Friend hit by missed shots in a melee")
    target2: Fighter | None = foe("")
    distance2: float = 0.0
    cover2: int = 0
    dice: int = fields.whole("Dice at the first target (default: even shares)", 1, 30, default=0)
    odds: bool = fields.odds()
    weapon2: Weapon | None = carried("shooter", "")
    straight: bool | None = straight_field()
    bearing: float = off_centre()
    mount: Mounting | None = mounting()
    cloud: InTheWay | None = cloud_field()
    also: tuple[Aim, ...] = typed_targets_field('More targets: "Smap x2 at 7 cover 1"')
    more: tuple[Share, ...] = shares()
    measured: tuple[Measured, ...] = measures()


@dataclass(frozen=True, slots=True)
class Declared:
    """A shot as it was declared: the volley of every full roll, and where each target was seen."""

    volleys: tuple[Volley, ...]
    places: tuple[Sighting, ...]

    @property
    def volley(self) -> Volley:
        """Return the volley of the first roll."""
        return self.volleys[0]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Return every target, in the order declared."""
        return tuple(mark for volley in drop_repeats(self.volleys) for mark in volley.marks)

    @property
    def told(self) -> list[str]:
        return [place.told for place in self.places if place.told]


def drop_repeats(rolls: Sequence[T]) -> Iterable[T]:
    """Return the rolls, equal ones once; a single one is compared with nothing."""
    return dict.fromkeys(rolls) if len(rolls) > 1 else rolls


def declared(act: ActView, action: Shoot) -> Declared:
    """Return the shot for the rules. Raises InvalidInput. Rules: CB-SHOOT-06, CB-SHOOT-07, CB-WEAP-34."""
    encounter, shooter, aims = act.encounter, action.shooter, _collect_aims(action)
    places: list[Sighting] = []
    for share, measured in aims:
        places.append(seen(encounter, shooter, share.target, measured.inches, measured.cover, places))
    covers = [place.cover for place in places]
    covers[0] = max(covers[0], find_cloud_cover(action.cloud))
    friends = find_friends_hit_by_misses(
        act, shooter, [share.target for share, _ in aims], _named(action, aims)
    )
    marks = [
        Mark(share.target, share.arm(shooter, action.weapon), place.inches, share.dice, cover, friend)
        for (share, _), place, cover, friend in zip(aims, places, covers, friends, strict=True)
    ]
    straight = bool(action.straight)
    marks = [apply_vehicle_edges(encounter, shooter, mark, straight=straight) for mark in marks]
    return _sort_targets(Declared(_build_volleys(act, action, marks), tuple(places)))


def _sort_targets(declaration: Declared) -> Declared:
    """The targets by number, since who is named first decides no more than the weapon that is fired."""
    marks_in_order = declaration.marks
    if len({mark.weapon for mark in marks_in_order}) > 1:
        return declaration
    order = sorted(range(len(marks_in_order)), key=lambda place: marks_in_order[place].target.id)
    places = tuple(declaration.places[place] for place in order)
    if len(set(declaration.volleys)) > 1:
        return Declared(tuple(declaration.volleys[place] for place in order), places)
    joined_volley = replace(declaration.volley, marks=tuple(marks_in_order[place] for place in order))
    return Declared((joined_volley,) * len(declaration.volleys), places)


def _collect_aims(action: Shoot) -> list[Aim]:
    """Every target, however it was said. Raises InvalidInput."""
    if len(action.more) != len(action.measured):
        raise InvalidInput(f"{HOW}.")
    first = Share(action.target, action.dice), Measured(action.distance, action.cover)
    aims = [first, *_build_second_aim(action), *zip(action.more, action.measured, strict=True), *action.also]
    if len(aims) > MAX_TARGETS:
        raise InvalidInput(f"You can shoot at up to {MAX_TARGETS} targets in one attack.")
    return aims


def _build_second_aim(action: Shoot) -> list[Aim]:
    """The second target as it had options of its own; a second pistol fired at the first one without them."""
    if action.target2 is None and action.weapon2 is None:
        return []
    weapon = place_of(action.shooter, action.weapon2) if action.weapon2 else 0
    if action.target2 is None:
        return [(Share(action.target, weapon=weapon), Measured(action.distance, action.cover))]
    return [(Share(action.target2, weapon=weapon), Measured(action.distance2, action.cover2))]


def _named(action: Shoot, aims: Sequence[Aim]) -> list[Fighter | None]:
    in_order = (*action.friend, *(None for _ in aims))
    return [measured.friend or named for (_, measured), named in zip(aims, in_order, strict=False)]


def _build_volleys(act: ActView, action: Shoot, marks: Sequence[Mark]) -> tuple[Volley, ...]:
    """Every full roll: a weapon that fires twice has one for each of two targets, where no dice are named."""
    counters = act.encounter.row.counters
    full_volley = Volley(
        action.shooter,
        tuple(marks),
        action.mode,
        dark=bool(counters.get(EncounterState.dark.key)),
        vacuum=bool(counters.get(EncounterState.vacuum.key)),
        underwater=is_airless(act.encounter, action.shooter),
        order_token=action.order,
    )
    rolls = attack_rolls(marks[0].weapon)
    fires_separately = len(marks) == rolls > 1 and not any(mark.dice for mark in marks)
    if fires_separately and len({mark.weapon for mark in marks}) == 1:
        return tuple(replace(full_volley, marks=(mark,)) for mark in marks)
    if len(marks) > 1:
        full_volley = replace(full_volley, marks=_share_dice(act, action, marks))
    return (full_volley,) * rolls


def _share_dice(act: ActView, action: Shoot, marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """The marks with the dice between them: as many as named at each, the others evenly.

    Raises InvalidInput. Rules: CB-SHOOT-06, CB-SHOOT-07.
    """
    shooter = action.shooter
    if len({(mark.target.id, mark.weapon) for mark in marks}) < len(marks):
        raise InvalidInput("Name each target only once, unless you shoot at it with two different pistols.")
    available = shooting_pool(shooter, marks[0].weapon, action.mode, settings(act)).available
    unnamed = [place for place, mark in enumerate(marks) if not mark.dice]
    dice_given = sum(mark.dice for mark in marks)
    if available < len(marks):
        raise InvalidInput(
            f"{shooter.name} has {_format_dice(available)}, which isn't enough for {len(marks)} targets."
        )
    if unnamed and available - dice_given < len(unnamed):
        max_dice, names = available - len(unnamed), [mark.target.name for mark in marks if mark.dice]
        limits = f"{_format_span(len(names), max_dice)} of them against {join_with_and(names)}"
        raise InvalidInput(
            f"{shooter.name} has {_format_dice(available)}. Use {limits}, so that every target gets at least "
            "one die."
        )
    if not unnamed and dice_given != available:
        names = [f"{mark.dice} at {mark.target.name}" for mark in marks]
        raise InvalidInput(
            f"{shooter.name} must use exactly {_format_dice(available)} (you entered {join_with_and(names)})."
        )
    shares = dict(zip(unnamed, even_shares(available - dice_given, len(unnamed)), strict=True))
    return tuple(replace(mark, dice=shares.get(place, mark.dice)) for place, mark in enumerate(marks))


def _format_span(lowest: int, highest: int) -> str:
    return f"{lowest} to {highest}" if highest > lowest else f"{highest}"


def _format_dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"


def canonical(action: Shoot, said: Declared) -> Shoot:
    """Return the action in normal form: measured, the dice shared, each target once."""
    first_mark, *other_marks = said.marks
    has_own_rolls = len(set(said.volleys)) > 1
    return replace(
        action,
        target=first_mark.target,
        distance=first_mark.inches,
        cover=said.places[0].cover,
        dice=first_mark.dice if other_marks and not has_own_rolls else 0,
        friend=(first_mark.friend,) if first_mark.friend else (),
        target2=None,
        distance2=0.0,
        cover2=0,
        weapon2=None,
        also=(),
        more=tuple(
            _build_share(action.shooter, first_mark, mark, has_own_roll=has_own_rolls) for mark in other_marks
        ),
        measured=tuple(
            Measured(mark.inches, place.cover, mark.friend)
            for mark, place in zip(other_marks, said.places[1:], strict=True)
        ),
        odds=False,
    )


def _build_share(shooter: Fighter, first_mark: Mark, mark: Mark, *, has_own_roll: bool) -> Share:
    """Return the stored choices for a further target. has_own_roll: it has a full roll of its own."""
    weapon = 0 if mark.weapon == first_mark.weapon else place_of(shooter, mark.weapon)
    return Share(mark.target, 0 if has_own_roll else mark.dice, weapon)


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


MODE_WORDS = tuple(MODES)
"""How a shot is fired, by its place."""

UNSHAREABLE_FIELDS = {
    "cloud": "cloud",
    "mount": "mount",
    "bearing": "angle",
    "straight": "direction",
    "friend": "friend",
}
"""Fields of a form for its one target that a draft cannot store for several."""


@register_maker(VOLLEY, 2, 3)
def volley(act: Act, draft: Draft) -> DraftView:
    """Return one shooter's dice. about: who shoots, with an order token or not, how; words: the weapon."""
    shooter_id, order, mode_place = (*draft.about, 0)[:3]
    shooter, mode = get_own_fighter(act, shooter_id), MODES[require_list_item(MODE_WORDS, mode_place)]
    weapon = find_weapon(shooter, draft.words) if draft.words else first_firearm(shooter)
    bands = weapon.distance_limits
    aims = _read_aims(act, draft.pieces, bands)
    dice_left = _count_dice_left(act, shooter, weapon, mode, sum(aim.dice for aim in aims.values()))
    terms = [
        weapon.name,
        *([MODE_WORDS[mode_place]] if mode_place else []),
        *(["with an order token"] if order else []),
    ]
    lines = [
        f"{shooter.name}: {times(dice_left, 'die', 'dice')} left",
        f"{', '.join(terms)}. Only you see this.",
    ]
    lines += [_describe_aim(act, shooter, aim) for aim in aims.values()]
    choices = tuple(_list_choices(act, shooter, aims, bands, dice_left))
    if dice_left or not aims:
        return DraftView(tuple(lines), "Add one die or raise cover", choices)
    shot = replace(_build_shot(shooter, weapon, list(aims.values()), order=bool(order)), mode=mode)
    toggled_draft = replace(draft, about=(shooter_id, 1 - order, mode_place))
    ready = (
        Button("Shoot", shot, "main", anytime=True),
        Button("Odds", replace(shot, odds=True), anytime=True),
        Button(
            "Don't spend an order token" if order else "Spend an order token (+1)",
            toggled_draft,
            anytime=True,
        ),
        *(
            [options_button]
            if has_room(options_button := Button("Options...", shot, anytime=True, asks=True))
            else []
        ),
    )
    return DraftView(tuple(lines), "Add one die or raise cover", choices, ready)


def _count_dice_left(act: Act, shooter: Fighter, weapon: Weapon, mode: Mode, dice_given: int) -> int:
    """Return how many dice are left of those of a shot. Raises InvalidInput where more are given."""
    dice = shooting_pool(shooter, weapon, mode, settings(act)).available
    if dice_given > dice:
        available_text = times(dice, "die", "dice")
        raise InvalidInput(f"{shooter.name} has only {available_text} (you entered {dice_given}).")
    return dice - dice_given


def _read_aims(act: Act, pieces: tuple[int, ...], bands: tuple[float, ...]) -> dict[int, Aimed]:
    aims: dict[int, Aimed] = {}
    for piece in pieces:
        target_id, choice = divmod(piece, PLACE)
        aim = aims.get(target_id) or Aimed(_require_in_play(act, target_id))
        if choice == COVER:
            aim = replace(aim, cover=min(3, aim.cover + 1))
        else:
            inches = (
                bands[choice - FIRST_BAND] if FIRST_BAND <= choice < FIRST_BAND + len(bands) else aim.inches
            )
            aim = replace(aim, dice=aim.dice + 1, inches=inches)
        aims[target_id] = aim
    return aims


def _require_in_play(act: Act, model_id: int) -> Fighter:
    """A target that was chosen. Raises InvalidInput where it left play meanwhile."""
    target = next(
        (model for model in fighters(act.encounter) if model.id == model_id and not model.is_down), None
    )
    if target is None:
        raise InvalidInput("One of these models is no longer in play. Press Shoot again.")
    return target


def _describe_aim(act: Act, shooter: Fighter, aim: Aimed) -> str:
    distance = f"up to {aim.inches:g} in"
    if aim.inches == AS_BEFORE:
        measured = inches_between(act.encounter, shooter.id, aim.target.id)
        distance = "same distance as before" if measured is None else f"{measured:g} in (as before)"
    dice = times(aim.dice, "die", "dice")
    return f"  {dice} against {aim.target.name}, {distance}, cover {aim.cover}"


def _list_choices(
    act: Act, shooter: Fighter, aims: dict[int, Aimed], bands: tuple[float, ...], dice_left: int
) -> Iterator[Choice]:
    for target_id, aim in aims.items():
        if dice_left > 0:
            yield Choice(f"{aim.target.name}: one more die", str(target_id * PLACE + DIE))
        if aim.cover < 3:
            yield Choice(f"{aim.target.name}: cover {aim.cover + 1}", str(target_id * PLACE + COVER))
    if dice_left <= 0:
        return
    foes = [model for model in fighters(act.encounter) if model.side != shooter.side and not model.is_down]
    for enemy in foes:
        if enemy.id in aims:
            continue
        measured = inches_between(act.encounter, shooter.id, enemy.id)
        if measured is not None:
            yield Choice(f"{enemy.name}: {measured:g} in (as before)", str(enemy.id * PLACE + DIE))
            continue
        for place, limit in enumerate(bands):
            yield Choice(f"{enemy.name}: up to {limit:g} in", str(enemy.id * PLACE + FIRST_BAND + place))


def _build_shot(shooter: Fighter, weapon: Weapon, aims: list[Aimed], *, order: bool) -> Shoot:
    first, *other_aims = aims
    return Shoot(
        shooter,
        first.target,
        first.inches,
        first.cover,
        weapon,
        order=order,
        dice=first.dice if other_aims else 0,
        more=tuple(Share(other.target, other.dice) for other in other_aims),
        measured=tuple(Measured(other.inches, other.cover) for other in other_aims),
    )


def _build_draft(act: Act, action: Action) -> Draft | None:
    raw, values = raw_of(action), read_leniently(act, action, "")
    shooter, weapon = values["shooter"], values["weapon"]
    if shooter is None or weapon is None or {"also", "more"} & raw.keys():
        return None
    for name, words in UNSHAREABLE_FIELDS.items():
        if name in raw:
            raise InvalidInput(f'Share out the dice first. Then choose the {words} under "Options...".')
    mode = str(raw.get("mode", MODE_WORDS[0]))
    _count_dice_left(act, shooter, weapon, MODES[mode], values["dice"] or 0)
    subject = (shooter.id, int("order" in raw), MODE_WORDS.index(mode))
    return Draft(
        VOLLEY,
        subject,
        _build_first_pieces(act, values, weapon.distance_limits),
        words=str(raw.get("weapon", "")),
    )


def _build_first_pieces(act: Act, values: Mapping[str, Any], bands: tuple[float, ...]) -> tuple[int, ...]:
    shooter, target, inches, cover = (values[name] for name in ("shooter", "target", "distance", "cover"))
    if target is None or inches is None or cover is None:
        return ()
    bands_in_range = [place for place, limit in enumerate(bands) if inches <= limit]
    if not bands_in_range:
        raise InvalidInput(f"{target.name} is out of range (at most {bands[-1]:g} in).")
    if inches == AS_BEFORE and inches_between(act.encounter, shooter.id, target.id) is None:
        return ()
    die = DIE if inches == AS_BEFORE else FIRST_BAND + bands_in_range[0]
    extra_pieces = (DIE,) * (values["dice"] - 1) + (COVER,) * max(0, cover)
    return tuple(target.id * PLACE + piece for piece in (die, *extra_pieces))


SEVERAL_BY_COMMAND[Shoot.command] = Several(
    "Several targets", "Next, you share out the dice", _build_draft, frozenset({"also", "dice"})
)


@dataclass(frozen=True, slots=True)
class CompareShots(Action):
    """Compare the weapons for one target."""

    command = "cb.compare"
    decision_of = ANYONE

    shooter: Fighter = anybody("", needed=True)
    target: Fighter = anybody("", needed=True)
    distance: float = 0.0
    cover: int = 0

    @property
    def looks(self) -> bool:
        return True


@handles(CompareShots)
def compare(act: Act, action: CompareShots) -> Reply:
    """Return the shot with each of its weapons. Raises InvalidInput, Forbidden."""
    shot = Shoot(action.shooter, action.target, action.distance, action.cover)
    return compare_variants(act, shot, "weapon")
