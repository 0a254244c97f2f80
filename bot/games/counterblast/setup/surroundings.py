"""The whole table: darkness, vacuum, water, gravity, climate, cover, and a list of all that is kept of it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.fields import flag, who
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.gear.tasks import task_lines
from bot.games.counterblast.ground.places import cover_kind
from bot.games.counterblast.state.ground import area_names, fire_lines, mark_lines, read_area, structure_lines
from bot.games.counterblast.state.sight import cloud_lines
from bot.games.counterblast.state.table_state import EncounterState, ModelState
from bot.games.counterblast.templates.coverage import bomb_lines
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.owners import ANYONE, PLAYER
from bot.table.reaction_windows import require_no_dice
from rules.refusals import refuse_typed
from rules.systems.counterblast.core.burning import find_protection
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.movement.environment import water
from rules.systems.counterblast.movement.ground import COVER_KINDS, cover_rating, has_cover


@dataclass(frozen=True, slots=True)
class SetTable(Action):
    """Set darkness, air, water, gravity and climate.

    -1 leaves it as it is.
    """

    command = "cb.table"
    typed = "cb field table"
    titled = "Surroundings"
    decision_of = PLAYER

    dark: int = flag("It is dark", EncounterState.dark.key)
    vacuum: int = flag("There is no air", EncounterState.vacuum.key)
    underwater: int = flag("Everything is under water", EncounterState.underwater.key)
    gravity: int = fields.whole("Low Gravity rating", 0, 3, default=-1, checked=True)
    climate: int = fields.whole("Grade of severe heat or cold", 0, 3, default=-1, checked=True)


@dataclass(frozen=True, slots=True)
class InWater(Action):
    """Set how deep in the water a model is.

    depth: 0 for out of it. tall: its own height. Both in inches.
    """

    command = "cb.water"
    typed = "cb field water"
    titled = "Enter or leave water"

    model: Fighter = who()
    depth: float = fields.inches("Water depth (inches, 0 for none)", 0.0, 100.0, default=0.0, needed=True)
    tall: float = fields.inches("Model's height (inches)", 0.5, 30.0, default=1.5)


def _known_kind(context: Asking, text: str) -> str:
    """Return a kind of terrain whose Cover is known. Raises InvalidInput. Rules: CB-TERR-06."""
    kind = text.strip().casefold()
    cover_rating(kind)
    return kind


@dataclass(frozen=True, slots=True)
class ShowCover(Action):
    """Show how much cover terrain gives.

    kind: of terrain, or "" for the whole table of ratings. hidden: percent of the model that it hides.
    """

    command = "cb.cover"
    typed = "cb field cover"
    titled = "Cover"
    decision_of = ANYONE

    kind: str | None = fields.sought("Kind of terrain", cover_kind, _known_kind)
    hidden: int = fields.whole("Hidden part of the model (percent)", 0, 100, default=100, checked=True)


@dataclass(frozen=True, slots=True)
class ShowField(Action):
    """Show the ground and its dangers.

    Marks, fires, hazards, structures, tasks.
    """

    command = "cb.field"
    typed = "cb field show"
    titled = "The ground"
    decision_of = ANYONE


@handles(SetTable)
def set_table(act: Act, action: SetTable) -> Reply:
    """Set darkness, vacuum, water, gravity and climate, which affect every roll that they touch."""
    counters = act.encounter.row.counters
    old_counters = dict(counters)
    entered_values = {
        EncounterState.dark.key: action.dark,
        EncounterState.vacuum.key: action.vacuum,
        EncounterState.underwater.key: action.underwater,
        EncounterState.low_gravity.key: action.gravity,
        EncounterState.climate.key: action.climate,
    }
    for key, value in entered_values.items():
        if value < 0:
            continue
        flooded_turn = counters.get(EncounterState.underwater.key) or max(1, act.encounter.row.turn)
        set_counter(counters, key, flooded_turn if value and key == EncounterState.underwater.key else value)
    lines = mark_lines(act.encounter)
    if counters != old_counters:
        require_no_dice(act)
    if counters == old_counters:
        return Reply(tuple(lines or ["Nothing special applies to the whole table."]), private=True)
    return finish(act, Telling([f"Conditions for the whole table: {', '.join(lines) or 'none'}."]))


@handles(InWater)
def set_water_depth(act: Act, action: InWater) -> Reply:
    """Enter the effects of water on the model from now on."""
    model = action.model
    counters = act.encounter.model(model.id).counters
    water_here = water(model, action.depth, action.tall)
    is_submerged = action.depth > 0 and water_here.submerged
    set_counter(counters, ModelState.water_depth.key, round(action.depth * 10))
    set_counter(counters, ModelState.height_in_water.key, round(action.tall * 10) if action.depth else 0)
    first_turn = counters.get(ModelState.underwater_turn.key, 0) or max(1, act.encounter.row.turn)
    set_counter(counters, ModelState.underwater_turn.key, first_turn if is_submerged else 0)
    if not action.depth:
        return finish(act, Telling([f"{model.name} is out of the water."]))
    telling = Telling(
        [f"{model.name} is {'under' if is_submerged else 'in'} water ({action.depth:g} in deep)."]
    )
    telling.lines += [f"The water is Rugged [{piece.rating}]." for piece in water_here.rugged]
    telling.lines += (
        [f"The water counts as low gravity [{water_here.gravity}]."] if water_here.gravity else []
    )
    breathing_gear = find_protection(model, "deep_water")
    if is_submerged:
        telling.lines.append(
            f"{model.name} can breathe ({breathing_gear})."
            if breathing_gear
            else f"{model.name} can't breathe and takes a wound each turn, starting next turn."
        )
    return finish(act, telling)


@handles(ShowCover)
def show_cover(act: Act, action: ShowCover) -> Reply:
    """Show cover: at least half of the model must be hidden. Rules: CB-TERR-04, CB-TERR-06."""
    kind = action.kind
    if kind:
        cover_text = (
            f"cover [{cover_rating(kind)}]"
            if has_cover(action.hidden)
            else "no cover (less than half is hidden)"
        )
        return Reply((f"{kind}: {cover_text}",), private=True)
    refuse_typed("Choose what the model is behind.", action.hidden != 100)
    lines = ["Cover if at least half of the model is hidden:"]
    for rating in (1, 2, 3):
        kinds = ", ".join(kind for kind, kind_rating in COVER_KINDS.items() if kind_rating == rating)
        lines.append(f"[{rating}] {kinds}")
    lines.append("If models are in the way, agree on the cover with the other players. We suggest 1.")
    return Reply(tuple(lines), private=True)


@handles(ShowField)
def show_field(act: Act, action: ShowField) -> Reply:
    """Show it to the person who asks."""
    encounter = act.encounter
    lines = [
        *mark_lines(encounter),
        *fire_lines(encounter),
        *cloud_lines(encounter),
        *bomb_lines(encounter),
        *(read_area(encounter, name).words for name in area_names(encounter)),
        *structure_lines(encounter),
        *task_lines(encounter),
    ]
    return Reply(tuple(lines or ["There is nothing special on the ground."]), private=True)
