"""Damage: groups of hits against protections, what each location loses, knockdown and other Mode tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.dice import Dice, Ranks
from rules.effects import Count, Effect, Gain, Leave
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Point, within_nine
from rules.systems.soluna.faces import ARTIFACT_GRID, FACES, HUMANOID_GRID, Counts, Grid, best_flips
from rules.systems.soluna.models import LOST_ITEM_HEALTH, LOST_POINTS, Condition, Model
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
    grid: Grid = HUMANOID_GRID

    def __post_init__(self) -> None:
        if len(self.values) != len(self.grid.squares) or any(value < 0 for value in self.values):
            raise InvalidInput("A target needs a value of 0 or more for every location in its grid.")

    def present(self) -> dict[str, int]:
        """Return the present value of every location; the Arsenal's is the Health of all that is carried."""
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


def build_target(
    model: Model, *, shield: bool = True, cover: int = 0, ignored: frozenset[str] = frozenset()
) -> Target:
    """Return the model as it is now, as a target. Rules: SU-DMG-04 (values before the attack)."""
    grid = model.profile.grid
    values = tuple(model.value(key) for key in grid.keys)
    return Target(values, model.carried(), shield, cover, ignored, grid)


def build_artifact_target(name: str, health: int) -> Target:
    """Return an Artifact or weapon on the table: one location, hit by every face.

    health: 1 or more. Rules: SU-TGT-06, SU-GRID-03.
    """
    if health < 1:
        raise InvalidInput(f"{name} is already ruined.")
    return Target((health,), grid=ARTIFACT_GRID)


def damage_artifact(name: str, health: int, power: int, settings: Settings) -> Damage:
    """Return the damage of so many dice to an Artifact; all faces hit. Rules: SU-TGT-06, SU-GRID-03."""
    return damage((power, 0, 0, 0, 0, 0), build_artifact_target(name, health), (), settings)


def find_useless_locations(target: Target, settings: Settings) -> frozenset[str]:
    """Return locations whose hits pass on before protections: ruined, ignored, Shield out of use.

    Rules: SU-GRID-04, SU-DMG-03.
    """
    empty_locations = {key for key, value in target.present().items() if not value} | target.ignored
    if not target.shield_usable and settings.ignored_shield_transfers:
        empty_locations.add("shield")
    return frozenset(empty_locations)


def landing_locations(target: Target, settings: Settings) -> tuple[str, ...]:
    """Return the location on which hits of each face 1 to 6 land, "" for none; useless ones pass on.

    Rules: SU-GRID-01, SU-GRID-04.
    """
    useless_locations = find_useless_locations(target, settings)
    struck_locations = (target.grid.struck(face, any_face=settings.single_square_any_face) for face in FACES)
    return tuple(target.grid.settle(place, useless_locations) if place else "" for place in struck_locations)


def striking_faces(target: Target, location: str, settings: Settings) -> tuple[int, ...]:
    """Return the faces whose hits land on the location, also those passed on; may be empty.

    Raises InvalidInput for a location that the target does not have. Rules: SU-GRID-01, SU-GRID-04.
    """
    target.grid.square(location)
    places = landing_locations(target, settings)
    return tuple(face for face, place in zip(FACES, places, strict=True) if place == location)


def group_hits(counts: Counts, target: Target, settings: Settings) -> dict[str, int]:
    """Return hits by location after those that passed on. Rules: SU-GRID-02, SU-GRID-04."""
    group_sizes: dict[str, int] = {}
    for place, hits in zip(landing_locations(target, settings), counts, strict=True):
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
    points_lost = _PointsLost(target, named)
    stopped = 0
    excess_hits: dict[str, int] = {}
    for location, hits in group_hits(counts, target, settings).items():
        stopped_here = min(hits, protection(target, location, settings))
        stopped += stopped_here
        excess_hits[location] = points_lost.take(location, hits - stopped_here)
    for location in target.grid.keys:
        excess = excess_hits.get(location, 0)
        if excess and settings.mid_attack_transfer:
            points_lost.pass_on(location, excess)
    lost = tuple((key, points) for key, points in points_lost.lost.items() if points)
    return Damage(
        lost, tuple((name, points) for name, points in points_lost.items.items() if points), stopped
    )


class _PointsLost:
    """The points lost so far in one attack, by location and by carried thing."""

    def __init__(self, target: Target, preferred_items: tuple[str, ...]) -> None:
        self.target = target
        self.values = target.present()
        self.health = _in_order(target.items, preferred_items)
        self.lost = dict.fromkeys(target.grid.keys, 0)
        self.items = dict.fromkeys(self.health, 0)

    def take(self, location: str, points: int) -> int:
        """Subtract the points from the location as far as it has them, and return the rest."""
        points_lost = min(points, self.values[location] - self.lost[location])
        self.lost[location] += points_lost
        if location == "arsenal":
            unassigned = points_lost
            for name, health in self.health.items():
                item_loss = min(unassigned, health - self.items[name])
                self.items[name] += item_loss
                unassigned -= item_loss
        return points - points_lost

    def pass_on(self, location: str, points: int) -> int:
        """Subtract the points along the arrows until they are used up, and return the rest."""
        for _ in self.target.grid.squares:
            location = self.target.grid.square(location).arrow
            if not location or not points:
                break
            if location not in self.target.ignored:
                points = self.take(location, points)
        return points


def _in_order(items: tuple[tuple[str, int], ...], preferred_items: tuple[str, ...]) -> Mapping[str, int]:
    health = dict(items)
    for name in preferred_items:
        if not health.get(name):
            hittable_items = ", ".join(key for key, points_left in health.items() if points_left) or "nothing"
            raise InvalidInput(f"Pick an item that can be hit ({hittable_items}). {name} can't be hit.")
    return {
        name: health[name]
        for name in (*preferred_items, *(key for key in health if key not in preferred_items))
    }


def is_fatal(harm: Damage, target: Target) -> bool:
    """Return whether the target is out of play: Health at 0, or without Health everything ruined.

    Rules: SU-GRID-07.
    """
    values = target.present()
    vital_locations = ("health",) if "health" in values else tuple(values)
    return bool(harm.lost) and all(harm.of(key) >= values[key] for key in vital_locations)


def after_damage(model: Model, harm: Damage) -> tuple[Effect, ...]:
    """Return the consequences: points lost, things ruined, unconscious at Mind 0, out of play at Health 0.

    A model whose grid has no Health is out of play when its last location is ruined.
    Rules: SU-DMG-05, SU-GRID-05, SU-GRID-06, SU-GRID-07.
    """
    effects: list[Effect] = [
        Count("model", model.id, LOST_POINTS.of(location), points)
        for location, points in harm.lost
        if location != "arsenal"
    ]
    names = [name for name, _ in model.carried()]
    effects += [
        Count("model", model.id, LOST_ITEM_HEALTH.of(names.index(name)), points)
        for name, points in harm.items
    ]
    if is_fatal(harm, build_target(model)):
        return (*effects, Leave(model.id, "killed"))
    if harm.of("mind") and harm.of("mind") >= model.value("mind"):
        effects += [Gain(model.id, Condition.UNCONSCIOUS, source="Mind 0"), Gain(model.id, Condition.PRONE)]
    return tuple(effects)


def list_ruined(model: Model, harm: Damage) -> tuple[str, ...]:
    """Return names of locations and carried things that the damage brought down to 0. Rules: SU-GRID-05."""
    places = [key for key, points in harm.lost if key != "arsenal" and points >= model.value(key)]
    carried_health = dict(model.carried())
    return (*places, *(name for name, points in harm.items if points >= carried_health[name]))


D6 = Ranks(FACES)
"""A d6 whose faces are told apart."""


def _largest(state: int, rank: int, counts: tuple[int, ...]) -> int:
    return max(state, counts[0])


def _record_count(state: Counts, rank: int, counts: tuple[int, ...]) -> Counts:
    faces = list(state)
    faces[rank - 1] = counts[0]
    return faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]


def faces_of(dice: Dice, n: int, label: str) -> Counts:
    """Throw n d6 and return how many show each face. Rules: SU-GRID-02."""
    return dice.sweep(((n, D6),), _record_count, (0, 0, 0, 0, 0, 0), label)


def largest_group(dice: Dice, n: int, label: str) -> int:
    """Throw n d6 and return how many show the commonest face. Rules: SU-MODE-01."""
    return dice.sweep(((n, D6),), _largest, 0, label)


def mode_test(dice: Dice, n: int, difficulty: int, flips: int = 0, label: str = "Mode test") -> bool:
    """Roll a Mode test with n dice, 0 or more: success with `difficulty` or more like faces.

    Difficulty 0 succeeds without a roll. flips: bought with dice beforehand, see `dice_after_trade`.
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


def dice_after_trade(n: int, flips: int, settings: Settings, *, psionic: bool = False) -> int:
    """Return the dice left to roll after two were given up for each flip; 1 or more must be left.

    psionic: a test of psionics, where this is always allowed. Raises Forbidden. Rules: SU-MODE-02.
    """
    if flips < 0:
        raise InvalidInput("Use 0 or more flips.")
    if flips and not (psionic or settings.mode_test_trade_dice):
        raise Forbidden("You can trade dice for flips only in psionics tests.", "SU-MODE-02")
    remaining_dice = n - 2 * flips
    if flips and remaining_dice < 1:
        max_flips = max(0, n - 1) // 2
        flips_text = f"buy at most {times(max_flips, 'flip')}" if max_flips else "buy none"
        raise Forbidden(
            "Each flip costs two dice and you must keep at least one die, so you can "
            f"{flips_text} with {times(n, 'die', 'dice')}.",
            "SU-MODE-02",
        )
    return remaining_dice


def certain_result(n: int, difficulty: int) -> bool | None:
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
        return certain_result(self.dice, self.difficulty) is False


def difficulty(value: int, points_lost: int, settings: Settings) -> int:
    """Return the difficulty by the part of a value that was lost: `lost` of `value`, which is 1 or more.

    Rules: SU-KO-02.
    """
    if value < 1 or not 0 <= points_lost <= value:
        raise InvalidInput("A location can't lose fewer than 0 points, or more than it has.")
    part = Fraction(points_lost, value)
    return next(grade for max_part, grade in settings.ko_table if part <= max_part)


def due_knockdowns(model: Model, harm: Damage, settings: Settings) -> tuple[Knockdown, ...]:
    """Return the knockdown tests that the damage calls for; `model` is as it was before the attack.

    None for a model that dies or whose Mind falls to 0, and none that cannot fail: at difficulty 0, or 1 with
    a die. Rules: SU-KO-01, SU-KO-02.
    """
    mind_left = model.value("mind") - harm.of("mind")
    if mind_left <= 0 or harm.of("health") >= model.value("health"):
        return ()
    dice = model.value("mind") if settings.ko_dice == "mind_before" else mind_left
    tests = []
    for location in ("mind", "health"):
        points_lost = harm.of(location)
        if not points_lost:
            continue
        base = model.value(location) if settings.ko_base == "before" else model.profile.attribute(location)
        grade = difficulty(base, points_lost, settings)
        if not certain_result(dice, grade):
            tests.append(Knockdown(location, dice, grade))
    if settings.ko_both == "highest" and tests:
        return (max(tests, key=lambda test: test.difficulty),)
    return tuple(tests)


def after_knockdown(model: int, *, still_standing: bool) -> tuple[Effect, ...]:
    """Make a model that fails its test fall prone. Rules: SU-KO-01, SU-KO-03."""
    return () if still_standing else (Gain(model, Condition.PRONE, source="knocked down"),)
