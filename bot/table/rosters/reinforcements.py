"""Models that join an encounter after their crew did, and what models are given to carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.rows import MemberRow, ModelRow, SideRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.game import Equips, Game, game_of
from bot.table.handlers import handles, players_only
from bot.table.journal.history import UNDO
from bot.table.names import checked_name
from bot.table.owners import side_in
from bot.table.rosters.asked import pieces, statblock
from bot.table.rosters.statblocks import Statblock, own_blocks
from bot.table.session.arrivals import add_model
from bot.table.session.models import mine
from rules.refusals import InvalidInput

MOST_AT_ONCE = 10


def _played(asking: Asking) -> Game:
    """The game that is played here. Raises InvalidInput."""
    return game_of(asking.act.encounter)


@dataclass(frozen=True, slots=True)
class AddModel(Action):
    """Put a further model into a side.

    called: a name of its own.
    """

    command = "model.add"
    typed = "model add"
    titled = "Put a model in"
    decision_of = side_in("side")

    side: SideRow = fields.side("The side", needed=True)
    profile: Statblock = statblock("Its statblock", _played, lambda asking: asking.act.extra or ())
    called: str = fields.text("A name of its own", None)
    count: int = fields.whole("How many", 1, MOST_AT_ONCE, default=1, checked=True)
    carries: tuple[str, ...] = pieces("Further equipment, with commas", _played)


@dataclass(frozen=True, slots=True)
class EquipModel(Action):
    """Give it something to carry."""

    command = "model.equip"
    typed = "model equip"
    titled = "Give equipment"

    model: ModelRow = mine()
    items: tuple[str, ...] = pieces("Weapons and gear, with commas", _played, needed=True)


def _equipped(act: Act, profile: str, items: Sequence[str]) -> str:
    played = game_of(act.encounter)
    return played.equip(profile, items) if items and isinstance(played, Equips) else profile


@handles(AddModel, beforehand=own_blocks, may=players_only)
def add(act: Act, action: AddModel) -> Reply:
    """For who plays the side; everybody sees it."""
    encounter = act.encounter
    if encounter.row.status == "ended":
        raise InvalidInput("This encounter has ended.")
    side = action.side
    act.require_side(side.id)
    block, played = action.profile, game_of(encounter)
    wanted, points = checked_name(action.called) if action.called else block.name, block.points
    said = ", ".join(filter(None, (f"{points} points each", block.note)))
    profile = _equipped(act, block.profile, action.carries)
    seats = [seat for seat in encounter.seats() if seat.side == side.id]
    owner = next((seat.user_id for seat in seats if seat.role == "captain"), act.actor.user_id)
    names = []
    for place in range(action.count):
        model = add_model(encounter, side.id, owner, wanted, profile)
        played.enlist(encounter, model, MemberRow(0, place, model.name, profile, points))
        names.append(model.name)
    return say(f"{side.name} gets {', '.join(names)}.", said, buttons=[UNDO])


@handles(EquipModel)
def equip(act: Act, action: EquipModel) -> Reply:
    """For who plays the model; everybody sees it."""
    model = action.model
    model.profile = _equipped(act, model.profile, action.items)
    return say(f"{model.name} carries more: {', '.join(action.items)}.", buttons=[UNDO])
