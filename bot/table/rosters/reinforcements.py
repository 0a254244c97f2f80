"""Models that join an encounter after their crew did, and what models are given to carry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.rows import MemberRow, ModelRow, SideRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking
from bot.table.game import Equips, game_of
from bot.table.handlers import handles
from bot.table.names import checked_name
from bot.table.rosters.statblocks import own_blocks, statblock_meant, statblocks
from bot.table.session.arrivals import add_model
from bot.table.session.models import UNDO, mine
from rules.refusals import InvalidInput

MOST_AT_ONCE = 10


def any_recruit(asking: Asking) -> Iterable[str]:
    """Statblocks of the game, the server's own last."""
    if not asking.act.has_encounter:
        return ()
    return [one.name for one in statblocks(game_of(asking.act.encounter), asking.act.extra or ())]


def any_equipment(asking: Asking) -> Iterable[str]:
    """What models of the game can be given."""
    played = game_of(asking.act.encounter) if asking.act.has_encounter else None
    return played.equipment() if isinstance(played, Equips) else ()


@dataclass(frozen=True, slots=True)
class AddModel(Action):
    """Put a further model into a side.

    called: a name of its own; carries: equipment, by names with commas.
    """

    command = "model.add"
    typed = "model add"
    titled = "Put a model in"

    side: SideRow = fields.side("The side", needed=True)
    profile: str = fields.words("Its statblock", any_recruit, needed=True)
    called: str = fields.text("A name of its own", None)
    count: int = fields.whole("How many", 1, MOST_AT_ONCE, default=1)
    carries: str = fields.words("Further equipment, with commas", offering.completing(any_equipment))


@dataclass(frozen=True, slots=True)
class EquipModel(Action):
    """Give it something to carry.

    items: names with commas.
    """

    command = "model.equip"
    typed = "model equip"
    titled = "Give equipment"

    model: ModelRow = mine()
    items: str = fields.words(
        "Weapons and gear, with commas", offering.completing(any_equipment), needed=True
    )


def equipped(act: Act, profile: str, items: str) -> str:
    """A statblock with further equipment. Raises InvalidInput where the game knows none of that name."""
    names = tuple(part.strip() for part in items.split(",") if part.strip())
    if not names:
        return profile
    played = game_of(act.encounter)
    if not isinstance(played, Equips):
        raise InvalidInput("In this game a model carries what its statblock says.")
    return played.equip(profile, names)


def _may_add(act: Act, action: AddModel) -> None:
    """Refuses who plays no side."""
    act.require_player()


@handles(AddModel, beforehand=own_blocks, may=_may_add)
def add(act: Act, action: AddModel) -> Reply:
    """For who plays the side; everybody sees it."""
    encounter = act.encounter
    if encounter.row.status == "ended":
        raise InvalidInput("This encounter has ended.")
    side = action.side
    act.require_side(side.id)
    if not 1 <= action.count <= MOST_AT_ONCE:
        raise InvalidInput(f"Add 1 to {MOST_AT_ONCE} models at once.")
    played = game_of(encounter)
    called = checked_name(action.called) if action.called else ""
    block = statblock_meant(played, act.extra, action.profile, called)
    wanted, points = called or block.name, block.points
    said = ", ".join(filter(None, (f"{points} points each", block.note)))
    profile = equipped(act, block.profile, action.carries)
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
    before = model.profile
    model.profile = equipped(act, model.profile, action.items)
    if model.profile == before:
        raise InvalidInput("Name at least one item.")
    names = ", ".join(part.strip() for part in action.items.split(",") if part.strip())
    return say(f"{model.name} carries more: {names}.", buttons=[UNDO])
