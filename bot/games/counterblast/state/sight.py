"""Clouds on the table, and the distances and cover that were measured last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from bot.games.counterblast.state.table_state import ModelState
from bot.store.rows import ModelRow
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.surface import clouds_on, remove_cloud, require_board
from bot.table.encounter import Encounter, EncounterView, set_counter
from bot.table.names import find, find_free_name
from rules.counters import PerNumber, PerPart
from rules.effects import Assign, Count, Effect, Leave, Propose
from rules.measure import Sight
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.shooting.special_attacks import Cloud, blocks_sight, cover_in

Part = Literal["inches", "cover", "began"]
"""What is counted of a cloud."""
CLOUD: PerPart[Part] = PerPart("cloud:")
PARTS: tuple[Part, ...] = get_args(Part)
MAX_CLOUDS = 20

CROSSES, TARGET_IN, SHOOTER_IN, BOTH_IN = "crosses it", "target in it", "shooter in it", "both in it"
CLOUD_PASSAGES: tuple[str, ...] = (CROSSES, TARGET_IN, SHOOTER_IN, BOTH_IN)
"""How a shot and a cloud may lie; touching it counts as in it."""

PASSAGE_WORDS = {
    CROSSES: "the shot crosses it",
    TARGET_IN: "the target is in it",
    SHOOTER_IN: "the shooter is in it",
    BOTH_IN: "both models are in it",
}
"""The same in words, for people who ask why."""


def cloud_names(encounter: EncounterView) -> list[str]:
    """Return the clouds on the table, in the order of their names."""
    return CLOUD.things(encounter.row.counters)


def cloud_of(encounter: EncounterView, name: str) -> Cloud:
    """Return the cloud of exactly this name."""
    return Cloud(*(encounter.count(CLOUD.of(name, part)) for part in PARTS))


def add_cloud(encounter: Encounter, wanted: str, cloud: Cloud) -> str:
    """Put a cloud on the table under a name that is free; gives the name. Raises InvalidInput."""
    names = cloud_names(encounter)
    if len(names) >= MAX_CLOUDS:
        raise InvalidInput(f"The table can have at most {MAX_CLOUDS} clouds. Wait until one disappears.")
    name = find_free_name(wanted, names)
    _write(encounter, name, (cloud.inches, cloud.cover, cloud.began))
    return name


def _write(encounter: Encounter, name: str, values: Sequence[int]) -> None:
    for part, value in zip(PARTS, values, strict=True):
        set_counter(encounter.row.counters, CLOUD.of(name, part), value)


def cloud_lines(encounter: Encounter) -> list[str]:
    """Return every cloud: how wide, what cover it gives, when it is gone."""
    lines = []
    for name in cloud_names(encounter):
        cloud = cloud_of(encounter, name)
        lines.append(f"{name}: R{cloud.inches}, cover {cloud.cover}, until the end of turn {cloud.began + 1}")
    return lines


def list_spent_clouds(encounter: EncounterView, turn: int) -> list[str]:
    """Return the clouds that are gone as a turn ends. Rules: CB-GEAR-27, CB-FEAT-33."""
    return [name for name in cloud_names(encounter) if cloud_of(encounter, name).is_gone(turn)]


def clear_clouds(encounter: Encounter, names: Sequence[str]) -> None:
    """Remove clouds from the table and from the board."""
    for name in names:
        _write(encounter, name, (0, 0, 0))
        remove_cloud(encounter, name)


@dataclass(frozen=True, slots=True)
class InTheWay:
    """A cloud that the line of a shot meets: its name, one of WAYS, the Cover that it gives to the target."""

    name: str
    way: str
    cover: int

    def __str__(self) -> str:
        """As it is said, and read by `in_the_way`."""
        return f"{self.name}: {self.way}"

    @property
    def words(self) -> str:
        """Return its effect, for people who ask why."""
        return f"{self.name} ({PASSAGE_WORDS[self.way]}): cover {self.cover}. CB-GEAR-27"


def in_the_way(encounter: EncounterView, text: str) -> InTheWay:
    """Return the cloud of that name, after a colon one of WAYS; without a way the line crosses it.

    Raises InvalidInput. Rules: CB-GEAR-27, CB-FEAT-33, CB-LOS-02.
    """
    cloud_text, _, way_text = text.partition(":")
    name = find(cloud_text.strip(), cloud_names(encounter), str, "cloud")
    passage = find(way_text.strip(), CLOUD_PASSAGES, str, "way") if way_text.strip() else CROSSES
    cover = cover_in(cloud_of(encounter, name), inside_or_touching=passage in (TARGET_IN, BOTH_IN))
    return InTheWay(name, passage, cover)


def find_cloud_cover(cloud: InTheWay | None, *, seen: bool = True) -> int:
    """Return the Cover that a cloud gives to the target of a shot; 0 without one.

    seen: whether the shot needs sight. Raises Forbidden where the cloud blocks it. Rules: CB-GEAR-27.
    """
    if cloud is None:
        return 0
    target_in, shooter_in = cloud.way in (TARGET_IN, BOTH_IN), cloud.way in (SHOOTER_IN, BOTH_IN)
    if seen and blocks_sight(crosses=True, viewer_touches=shooter_in, target_touches=target_in):
        forbid(
            f"The cloud {cloud.name} blocks line of sight unless one of the models touches it.", "CB-GEAR-27"
        )
    return cloud.cover


def list_cloud_choices(encounter: EncounterView) -> list[str]:
    """Return every cloud with every way, as players choose them."""
    return [f"{name}: {passage}" for name in cloud_names(encounter) for passage in CLOUD_PASSAGES]


AS_BEFORE = -1
"""A distance or a cover that is not said again."""

APART = PerNumber("apart:")
"""Counters of the model with the lower id, by the other: tenths of an inch between the two, and 1."""
COVER = PerNumber("cover from:")
"""Counters of a model, by another: its cover against that one, and 1."""


MOVE_COUNTERS = (Counter.MOVES, Counter.HEIGHT, Counter.RIDES, Counter.UNDERGROUND)
"""Counters that change where a model moves: on the ground, up or down, into a vehicle or out of it."""

MOVING_PROPOSALS = ("move", "throw", "knockback", "lift")
"""Proposals by which a model is moved out of turn."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """How far a target is and what cover it has; told: what of it was said before and not again."""

    target: int
    inches: float
    cover: int
    told: str = ""


def seen(
    encounter: EncounterView,
    shooter: Fighter,
    target: Fighter,
    inches: float,
    cover: int,
    so_far: Sequence[Sighting] = (),
) -> Sighting:
    """Return distance and cover of a target as they were said, or as they were last. AS_BEFORE: not said.

    so_far: targets of the same attack; one that is named again stands where it was just said to stand. Raises
    InvalidInput for a distance that no one has entered yet.
    """
    earlier_sighting = next(
        (sighting for sighting in so_far if sighting.target == target.id and inches == cover == AS_BEFORE),
        None,
    )
    if earlier_sighting is not None:
        return replace(earlier_sighting, told="")
    parts = []
    if inches == AS_BEFORE:
        known_inches = inches_between(encounter, shooter.id, target.id)
        if known_inches is None:
            raise Missing(f"How far away is {target.name}?")
        inches = known_inches
        parts.append(f"{inches:g} in")
    if cover == AS_BEFORE:
        cover = find_cover(encounter, shooter.id, target.id)
        parts += [f"cover {cover}"] if cover else []
    sentence = f"{target.name}: {', '.join(parts)} (as before)" if parts else ""
    return Sighting(target.id, inches, cover, sentence)


def inches_between(encounter: EncounterView, one: int, other: int) -> float | None:
    """Return the distance of two models: by the board, or the last one entered since they moved, or None."""
    measured = facts.between(encounter, one, other)
    if measured is not None:
        return float(measured.value)
    first, second = sorted((one, other))
    stored = encounter.model(first).counters.get(APART.of(second), 0)
    return (stored - 1) / 10 if stored else None


def find_cover(encounter: EncounterView, shooter: int, target: int) -> int:
    """Return a target's cover against a shooter: by the board, or the last one entered, or where it hid,
    or 0. Raises Forbidden if the board shows no line of sight.
    """
    sight = facts.sight(encounter, shooter, target)
    if sight is not None:
        return int(cover_by_board(encounter, shooter, target, sight).meant())
    stored = encounter.model(target).counters.get(COVER.of(shooter), 0)
    return stored - 1 if stored else cover_where_hidden(encounter, target)


def cover_by_board(encounter: EncounterView, shooter: int, target: int, sight: Sight) -> Fact:
    """Return the cover by the board, or that nothing is seen.

    Rules: CB-FEAT-33, CB-GEAR-27, CB-TERR-04, CB-TERR-05.
    """
    if sight.is_blocked:
        return facts.unseen(encounter, target, sight)
    board = require_board(encounter)
    rating, by = facts.cover_rating(board, sight, MIN_COVERED_SHARE)
    names = cloud_names(encounter)
    for cloud in clouds_on(board):
        body = board.standing.get(target)
        if cloud.name in names and body is not None and cloud.touches(body):
            covered = cover_in(cloud_of(encounter, cloud.name), inside_or_touching=True)
            rating, by = max((rating, by), (covered, cloud.name), key=lambda one: one[0])
    rating = max(rating, cover_where_hidden(encounter, target))
    return Fact(rating, f"cover {rating}{': ' if by else ''}{by}")


MIN_COVERED_SHARE = 0.5
"""The share of a model that has to be covered."""


def cover_where_hidden(encounter: EncounterView, model: int) -> int:
    """Return the cover of the place where a model hides, or 0 if it doesn't."""
    return ModelState(encounter.model(model)).hiding_cover


def remember_sighting(encounter: Encounter, shooter: int, place: Sighting) -> None:
    """Store what was entered about two models, inches to the tenth; the board knows its own."""
    if facts.between(encounter, shooter, place.target) is not None:
        return
    first, second = sorted((shooter, place.target))
    set_counter(encounter.model(first).counters, APART.of(second), round(place.inches * 10) + 1)
    set_counter(encounter.model(place.target).counters, COVER.of(shooter), place.cover + 1)


def hide_behind(encounter: Encounter, model: int, cover: int) -> None:
    """Store the cover of the place where a model hides."""
    ModelState(encounter.model(model)).hiding_cover = cover


def forget_moved(encounter: Encounter, effects: Iterable[Effect]) -> None:
    """Forget what was said of every model that these effects move, or take out of play."""
    for effect in effects:
        if isinstance(effect, Count | Assign) and effect.owner == "model" and effect.key in MOVE_COUNTERS:
            forget_sightings(encounter, effect.id)
        elif isinstance(effect, Leave) or (isinstance(effect, Propose) and effect.action in MOVING_PROPOSALS):
            forget_sightings(encounter, effect.model)


def forget_sightings(encounter: Encounter, model: int) -> None:
    """Forget what was entered about a model that has moved, with its riders, and about others as seen
    from them. 0: no one.
    """
    everybody = encounter.models(gone=True)
    for row in everybody:
        if model and row.counters.get(Counter.RIDES, 0) == model:
            _forget_one_model(everybody, row.id)
    _forget_one_model(everybody, model)


def _forget_one_model(everybody: Sequence[ModelRow], model: int) -> None:
    for row in everybody:
        keys_about_model = (APART.of(model), COVER.of(model))
        if row.id == model:
            keys = [
                key
                for key in row.counters
                if APART.counts(key) or COVER.counts(key) or key == ModelState.hiding_cover.key
            ]
        else:
            keys = [key for key in row.counters if key in keys_about_model]
        for key in keys:
            del row.counters[key]
