"""What is suggested in sol'una's fields: weapons, things carried, targets, squares, facings."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.soluna.fighters import model_of, models_of
from bot.games.soluna.ground import ARTIFACT, OBJECT, square_of, things
from bot.games.soluna.squares import FACING_WORDS, at
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import model_said
from bot.table.encounter import Encounter
from rules.systems.soluna.grid import LOCATIONS
from rules.systems.soluna.models import Model

HANDS = "hands"
"""How an attack without a weapon is called."""


def _encounter(asking: Asking) -> Encounter | None:
    here = asking.act.encounter if asking.act.has_encounter else None
    return here if here is not None and here.row.system == "soluna" else None


def _said(asking: Asking, name: str) -> Model | None:
    encounter, row = _encounter(asking), model_said(asking, name)
    return model_of(encounter, row) if encounter is not None and row is not None else None


def carried_weapon(asking: Asking) -> Sequence[str]:
    """Weapons of the attacker, and bare hands."""
    model = _said(asking, "attacker")
    return [*(weapon.name for weapon in model.profile.weapons), HANDS] if model else []


def carried_thing(asking: Asking) -> Sequence[str]:
    """What the target carries and still has."""
    model = _said(asking, "target")
    return [name for name, left in model.carried() if left] if model else []


def value_key(asking: Asking) -> Sequence[str]:
    """Locations of the model, and what it carries."""
    model = _said(asking, "model")
    if model is None:
        return []
    keys = [key for key in model.profile.grid.keys if key != "arsenal"]
    return [*keys, *(name for name, _ in model.carried())]


def any_object(asking: Asking) -> Sequence[str]:
    """Objects and Artifacts on the board."""
    encounter = _encounter(asking)
    if encounter is None:
        return []
    return [row.name for kind in (OBJECT, ARTIFACT) for row in things(encounter, kind)]


def any_target(asking: Asking) -> Sequence[str]:
    """Models of all sides, objects and Artifacts."""
    encounter = _encounter(asking)
    return [*(model.name for model in models_of(encounter)), *any_object(asking)] if encounter else []


def facing(asking: Asking) -> Sequence[str]:
    """Facings, and models to look at."""
    encounter = _encounter(asking)
    return [*FACING_WORDS.values(), *(model.name for model in encounter.models())] if encounter else []


def own_square(asking: Asking) -> Sequence[str]:
    """The square where the model stands now, to begin from."""
    row = model_said(asking, "model")
    square = square_of(row) if row is not None and _encounter(asking) is not None else None
    return [asking.typed] if asking.typed else [at(square)] if square else []


def location(asking: Asking) -> Sequence[str]:
    """Damage locations."""
    return LOCATIONS
