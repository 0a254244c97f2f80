"""Damage: groups of hits against protections, what each location loses, knockdown and other Mode tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.dice import Dice, Ranks
from rules.effects import Count, Effect, Gain, Leave
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Point, within_nine
from rules.systems.soluna.faces import ARTIFACT, FACES, HUMANOID, Counts, Grid, best_flips
from rules.systems.soluna.models import LOST, LOST_ITEM, Condition, Model
from rules.systems.soluna.settings import Settings
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an attack: present values by location in grid order, and the carried things' Health.

    items: (name, Health left) in carried order; the Arsenal's own value is not read. shield_usable: False
    against Blast and from the nine squares around. cover: Body added by cover. ignored: locations the attack
    passes over. Rules: SU-GRID-03, SU-GRID-04, SU-DMG-01, SU-DMG-02, SU-COV-02.
    """

    values: tuple[int, ...]
    items: tuple[tuple[str, int], ...] = ()
    shield_usable: bool = True
    cover: int = 0
    ignored: frozenset[str] = frozenset()
    grid: Grid = HUMANOID

    def __post_init__(self) -> None:
        if len(self.values) != len(self.grid.squares) or any(value < 0 for value in self.values):
            raise InvalidInput("A target needs a value of 0 or more for every location in its grid.")

    def present(self) -> dict[str, int]:
        """Present value of every location; the Arsenal's is the Health of all that is carried."""
        values = dict(zip(self.grid.keys, self.values, strict=True))
        if "arsenal" in values:
            values["arsenal"] = sum(health for _, health in self.items)
        return values


@dataclass(frozen=True, slots=True)
class Damage:
    """The damage of an attack: points lost as (location, points), only those above 0.

    items: how the Arsenal's points are shared among the carried things.
    stopped: hits that protections took off, over all groups.
    """

    lost: tuple[tuple[str, int], ...] = ()
    items: tuple[tuple[str, int], ...] = ()
    stopped: int = 0

    def of(self, location: str) -> int:
        """Return the points that the location lost."""
        return dict(self.lost).get(location, 0)

    @property
    def total(self) -> int:
        """Return all points lost, those of carried things among the Arsenal's. Rules: SU-LUNGE-02."""
        return sum(points for _, points in self.lost)


def shield_usable(attacker: Point, target: Point, *, blast: bool) -> bool:
    """Return whether the Shield helps: not from the same or a neighbouring square, and not against Blast.

    Rules: SU-DMG-03.
    """
    return not blast and not within_nine(attacker, target)


def target_of(
    model: Model, *, shield: bool = True, cover: int = 0, ignored: frozenset[str] = frozenset()
) -> Target:
    """Return the model as it is now, as a target. Rules: SU-DMG-04 (values before the attack)."""
    grid = model.profile.grid
    values = tuple(model.value(key) for key in grid.keys)
    return Target(values, model.carried(), shield, cover, ignored, grid)


def artifact(name: str, health: int) -> Target:
    """Return an Artifact or weapon on the table: one location, hit by every face.

    health: 1 or more. Rules: SU-TGT-06, SU-GRID-03.
    """
    if health < 1:
        raise InvalidInput(f"{name} is already ruined.")
    return Target((health,), grid=ARTIFACT)


def on_artifact(name: str, health: int, power: int, settings: Settings) -> Damage:
    """Return the damage of so many dice to an Artifact; all faces hit. Rules: SU-TGT-06, SU-GRID-03."""
    return damage((power, 0, 0, 0, 0, 0), artifact(name, health), (), settings)


def useless(target: Target, settings: Settings) -> frozenset[str]:
    """Return locations whose hits pass on before protections: ruined, ignored, Shield out of use.

    Rules: SU-GRID-04, SU-DMG-03.
    """
    empty_locations = {key for key, value in target.present().items() if not value} | target.ignored
    if not target.shield_usable and settings.ignored_shield_transfers:
        empty_locations.add("shield")
    return frozenset(empty_locations)


def landings(target: Target, settings: Settings) -> tuple[str, ...]:
    """Return the location on which hits of each face 1 to 6 land, "" for none; useless ones pass on.

    Rules: SU-GRID-01, SU-GRID-04.
    """
    useless_locations = useless(target, settings)
    struck = (target.grid.struck(face, any_face=settings.single_square_any_face) for face in FACES)
    return tuple(target.grid.settle(place, useless_locations) if place else "" for place in struck)


def striking_faces(target: Target, location: str, settings: Settings) -> tuple[int, ...]:
    """Return the faces whose hits land on the location, also those passed on; may be empty.

    Raises InvalidInput for a location that the target does not have. Rules: SU-GRID-01, SU-GRID-04.
    """
    target.grid.square(location)
    places = landings(target, settings)
    return tuple(face for face, place in zip(FACES, places, strict=True) if place == location)


def groups(counts: Counts, target: Target, settings: Settings) -> dict[str, int]:
    """Return hits by location after those that passed on. Rules: SU-GRID-02, SU-GRID-04."""
    group_sizes: dict[str, int] = {}
    for place, hits in zip(landings(target, settings), counts, strict=True):
        if hits and place:
            group_sizes[place] = group_sizes.get(place, 0) + hits
    return group_sizes


def protection(target: Target, location: str, settings: Settings) -> int:
    """Return hits taken off a group on that location: Shield, where it helps, and Body with what cover adds.

    Rules: SU-DMG-01, SU-DMG-02, SU-DMG-03, SU-DMG-04, SU-COV-02.
    """
    values = target.present()
    total = target.cover
    for layer in ("shield", "body"):
        if layer in target.ignored or (layer == "shield" and not target.shield_usable):
            continue
        if layer != location or settings.protect_self:
            total += values.get(layer, 0)
    return total


def damage(counts: Counts, target: Target, named: tuple[str, ...], settings: Settings) -> Damage:
    """Return the damage of flipped dice to a target.

    named: carried things the attacker wants hit, first choice first; the others follow in carried order.
    Raises InvalidInput for a thing that is not carried.
    Rules: SU-GRID-02, SU-GRID-04, SU-GRID-05, SU-DMG-01, SU-DMG-02, SU-DMG-04, SU-DMG-05.
    """
    wound = _Wound(target, named)
    stopped = 0
    left_over: dict[str, int] = {}
    for location, hits in groups(counts, target, settings).items():
        stop = min(hits, protection(target, location, settings))
        stopped += stop
        left_over[location] = wound.take(location, hits - stop)
    for location in target.grid.keys:
        carried_over = left_over.get(location, 0)
        if carried_over and settings.mid_attack_transfer:
            wound.pass_on(location, carried_over)
    lost = tuple((key, points) for key, points in wound.lost.items() if points)
    return Damage(lost, tuple((name, points) for name, points in wound.items.items() if points), stopped)


class _Wound:
    """The points lost so far in one attack, by location and by carried thing."""

    def __init__(self, target: Target, named: tuple[str, ...]) -> None:
        self.target = target
        self.values = target.present()
        self.health = _in_order(target.items, named)
        self.lost = dict.fromkeys(target.grid.keys, 0)
        self.items = dict.fromkeys(self.health, 0)

    def take(self, location: str, points: int) -> int:
        """The location loses what it can; gives the points left over."""
        points_lost = min(points, self.values[location] - self.lost[location])
        self.lost[location] += points_lost
        if location == "arsenal":
            unassigned = points_lost
            for name, health in self.health.items():
                share = min(unassigned, health - self.items[name])
                self.items[name] += share
                unassigned -= share
        return points - points_lost

    def pass_on(self, location: str, points: int) -> int:
        """Points move along the arrows until they are used up; gives those that found nothing."""
        for _ in self.target.grid.squares:
            location = self.target.grid.square(location).arrow
            if not location or not points:
                break
            if location not in self.target.ignored:
                points = self.take(location, points)
        return points


def _in_order(items: tuple[tuple[str, int], ...], named: tuple[str, ...]) -> Mapping[str, int]:
    health = dict(items)
    for name in named:
        if not health.get(name):
            standing = ", ".join(key for key, points_left in health.items() if points_left) or "nothing"
            raise InvalidInput(f"Pick an item that can be hit ({standing}). {name} can't be hit.")
    return {name: health[name] for name in (*named, *(key for key in health if key not in named))}


def is_fatal(harm: Damage, target: Target) -> bool:
    """Return whether the target is out of play: Health at 0, or without Health everything ruined.

    Rules: SU-GRID-07.
    """
    values = target.present()
    vital = ("health",) if "health" in values else tuple(values)
    return bool(harm.lost) and all(harm.of(key) >= values[key] for key in vital)


def after_damage(model: Model, harm: Damage) -> tuple[Effect, ...]:
    """Return the consequences: points lost, things ruined, unconscious at Mind 0, out of play at Health 0.

    A model whose grid has no Health is out of play when its last location is ruined.
    Rules: SU-DMG-05, SU-GRID-05, SU-GRID-06, SU-GRID-07.
    """
    effects: list[Effect] = [
        Count("model", model.id, LOST.of(location), points)
        for location, points in harm.lost
        if location != "arsenal"
    ]
    names = [name for name, _ in model.carried()]
    effects += [
        Count("model", model.id, LOST_ITEM.of(names.index(name)), points) for name, points in harm.items
    ]
    if is_fatal(harm, target_of(model)):
        return (*effects, Leave(model.id, "killed"))
    if harm.of("mind") and harm.of("mind") >= model.value("mind"):
        effects += [Gain(model.id, Condition.UNCONSCIOUS, source="Mind 0"), Gain(model.id, Condition.PRONE)]
    return tuple(effects)


def ruined(model: Model, harm: Damage) -> tuple[str, ...]:
    """Return names of locations and carried things that the damage brought down to 0. Rules: SU-GRID-05."""
    places = [key for key, points in harm.lost if key != "arsenal" and points >= model.value(key)]
    intact = dict(model.carried())
    return (*places, *(name for name, points in harm.items if points >= intact[name]))


D6 = Ranks(FACES)
"""A d6 whose faces are told apart."""


def _largest(state: int, rank: int, counts: tuple[int, ...]) -> int:
    return max(state, counts[0])


def _count(state: Counts, rank: int, counts: tuple[int, ...]) -> Counts:
    faces = list(state)
    faces[rank - 1] = counts[0]
    return faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]


def faces_of(dice: Dice, n: int, label: str) -> Counts:
    """Throw n d6; how many show each face. Rules: SU-GRID-02."""
    return dice.sweep(((n, D6),), _count, (0, 0, 0, 0, 0, 0), label)


def largest_group(dice: Dice, n: int, label: str) -> int:
    """Throw n d6; how many show the commonest face. Rules: SU-MODE-01."""
    return dice.sweep(((n, D6),), _largest, 0, label)


def mode_test(dice: Dice, n: int, difficulty: int, flips: int = 0, label: str = "Mode test") -> bool:
    """Roll a Mode test with n dice, 0 or more: success with `difficulty` or more like faces.

    Difficulty 0 succeeds without a roll. flips: bought with dice beforehand, see `traded_dice`.
    Rules: SU-MODE-01, SU-MODE-02.
    """
    if difficulty <= 0:
        return True
    if n <= 0:
        return False
    if not flips:
        return largest_group(dice, n, label) >= difficulty
    counts = faces_of(dice, n, label)
    return max(best_flips(counts, flips, (face,)).hits for face in FACES) >= difficulty


def traded_dice(n: int, flips: int, settings: Settings, *, psionic: bool = False) -> int:
    """Return the dice left to roll after two were given up for each flip; 1 or more must be left.

    psionic: a test of psionics, where this is always allowed. Raises Forbidden. Rules: SU-MODE-02.
    """
    if flips < 0:
        raise InvalidInput("Use 0 or more flips.")
    if flips and not (psionic or settings.mode_test_trade_dice):
        raise Forbidden("You can trade dice for flips only in psionics tests.", "SU-MODE-02")
    remaining_dice = n - 2 * flips
    if flips and remaining_dice < 1:
        most = max(0, n - 1) // 2
        raise Forbidden(
            f"Each flip costs two dice, so you can buy at most {times(most, 'flip')} with "
            f"{times(n, 'die', 'dice')}.",
            "SU-MODE-02",
        )
    return remaining_dice


def certain(n: int, difficulty: int) -> bool | None:
    """Return the result of a Mode test with n dice if it is certain, else None.

    More than six dice always show some equal faces. Rules: SU-MODE-01, SU-KO-02.
    """
    if difficulty <= -(-n // len(FACES)):
        return True
    return False if n < difficulty else None


@dataclass(frozen=True, slots=True)
class Knockdown:
    """A knockdown test that is due: the location hurt, the dice to roll, the like faces needed."""

    location: str
    dice: int
    difficulty: int

    @property
    def hopeless(self) -> bool:
        """Return whether no throw of these dice passes it."""
        return certain(self.dice, self.difficulty) is False


def difficulty(value: int, lost: int, settings: Settings) -> int:
    """Return the difficulty by the part of a value that was lost: `lost` of `value`, which is 1 or more.

    Rules: SU-KO-02.
    """
    if value < 1 or not 0 <= lost <= value:
        raise InvalidInput("A location can't lose fewer than 0 points, or more than it has.")
    part = Fraction(lost, value)
    return next(grade for most, grade in settings.ko_table if part <= most)


def knockdowns(model: Model, harm: Damage, settings: Settings) -> tuple[Knockdown, ...]:
    """Return the knockdown tests that the damage calls for; `model` is as it was before the attack.

    None for a model that dies or whose Mind falls to 0, and none that cannot fail: at difficulty 0, or 1 with
    a die. Rules: SU-KO-01, SU-KO-02.
    """
    mind = model.value("mind") - harm.of("mind")
    if mind <= 0 or harm.of("health") >= model.value("health"):
        return ()
    dice = model.value("mind") if settings.ko_dice == "mind_before" else mind
    tests = []
    for location in ("mind", "health"):
        lost = harm.of(location)
        if not lost:
            continue
        base = model.value(location) if settings.ko_base == "before" else model.profile.attribute(location)
        grade = difficulty(base, lost, settings)
        if not certain(dice, grade):
            tests.append(Knockdown(location, dice, grade))
    if settings.ko_both == "highest" and tests:
        return (max(tests, key=lambda test: test.difficulty),)
    return tuple(tests)


def after_knockdown(model: int, *, still_standing: bool) -> tuple[Effect, ...]:
    """Make a model that fails its test fall prone. Rules: SU-KO-01, SU-KO-03."""
    return () if still_standing else (Gain(model, Condition.PRONE, source="knocked down"),)
