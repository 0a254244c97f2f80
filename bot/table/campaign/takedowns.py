"""Who took down whom in a game, from what is stored with every wound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.store.rows import ModelRow
from bot.table.encounter import GONE, Encounter
from bot.table.game import GAMES, Game, TakesDown


@dataclass(frozen=True, slots=True)
class Takedown:
    """A model that was taken down, and the model that did it; each with the name and the crew of its side."""

    victor: str
    victor_side: str
    victor_crew: int
    victim: str
    side: str
    crew: int


def takedowns(encounter: Encounter) -> Iterator[Takedown]:
    """Yield every model of a game that a model of another side took down, in their order in the game."""
    played = GAMES[encounter.row.system]
    models = {model.id: model for model in encounter.models(gone=True)}
    sides = {side.id: side for side in encounter.sides()}
    for model in models.values():
        victor = models.get(model.hurt_by)
        if victor is not None and model.hurt_side != model.side and _is_down(played, model):
            theirs, own = sides[model.hurt_side], sides[model.side]
            yield Takedown(victor.name, theirs.name, theirs.crew, model.name, own.name, own.crew)


def _is_down(played: Game, model: ModelRow) -> bool:
    if model.status == GONE:
        return isinstance(played, TakesDown) and model.left_how in played.downed
    return bool(model.profile) and 0 < played.life(model) <= model.damage
