"""Options that the commands of sol'una share."""

from __future__ import annotations

from bot.commands.options import Choices, It, choices, encounter_of, model_chosen
from bot.games.soluna.fighters import model_of, models_of
from bot.games.soluna.ground import ARTIFACT, OBJECT, square_of, things
from bot.games.soluna.plans import HANDS
from bot.games.soluna.squares import FACING_WORDS, at
from bot.table.names import suggestions
from rules.systems.soluna.grid import LOCATIONS
from rules.systems.soluna.models import Model

SYSTEM = "soluna"


async def _chosen(interaction: It, *keys: str) -> Model | None:
    """The model that was chosen in an earlier option."""
    found = await model_chosen(interaction, SYSTEM, *keys)
    return model_of(*found) if found else None


async def carried_weapon(interaction: It, typed: str) -> Choices:
    """Weapons of the attacker, and bare hands."""
    model = await _chosen(interaction, "attacker")
    if model is None:
        return []
    return choices(suggestions(typed, [*(weapon.name for weapon in model.profile.weapons), HANDS]))


async def carried_thing(interaction: It, typed: str) -> Choices:
    """What the target carries."""
    model = await _chosen(interaction, "target")
    return choices(suggestions(typed, [name for name, left in model.carried() if left])) if model else []


async def value_key(interaction: It, typed: str) -> Choices:
    """Locations of the model, and what it carries."""
    model = await _chosen(interaction, "model")
    if model is None:
        return []
    keys = [key for key in model.profile.grid.keys if key != "arsenal"]
    return choices(suggestions(typed, [*keys, *(name for name, _ in model.carried())]))


async def any_object(interaction: It, typed: str) -> Choices:
    """Objects and Artifacts on the board."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    names = [row.name for kind in (OBJECT, ARTIFACT) for row in things(encounter, kind)]
    return choices(suggestions(typed, names))


async def any_target(interaction: It, typed: str) -> Choices:
    """Models of all sides, objects and Artifacts."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    names = [model.name for model in models_of(encounter)]
    names += [row.name for kind in (OBJECT, ARTIFACT) for row in things(encounter, kind)]
    return choices(suggestions(typed, names))


async def several_models(interaction: It, typed: str) -> Choices:
    """Models with commas between them: what was typed, and the next one."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    before, _, last = typed.rpartition(",")
    head = f"{before.strip()}, " if before.strip() else ""
    names = [model.name for model in encounter.models() if model.name not in head]
    return choices(head + name for name in suggestions(last, names))


async def facing(interaction: It, typed: str) -> Choices:
    """Facings, and models to look at."""
    encounter = await encounter_of(interaction, SYSTEM)
    names = [model.name for model in encounter.models()] if encounter else []
    return choices(suggestions(typed, [*FACING_WORDS.values(), *names]))


async def own_square(interaction: It, typed: str) -> Choices:
    """The square where the model stands now, to begin from."""
    encounter = await encounter_of(interaction, SYSTEM)
    model = await _chosen(interaction, "model")
    if encounter is None or model is None:
        return []
    square = square_of(encounter.model(model.id))
    return choices([typed] if typed else [at(square)] if square else [])


async def location(interaction: It, typed: str) -> Choices:
    """Damage locations."""
    return choices(suggestions(typed, LOCATIONS))
