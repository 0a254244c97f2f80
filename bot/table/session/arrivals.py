"""Arrivals at the table: crews and their sides, seats for people, and models that join later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.rows import CrewRow, MemberRow, ModelRow, SeatRow, SideRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import Encounter
from bot.table.game import Equips, Game, SampleCrew, Welcomes, game, game_of
from bot.table.handlers import handles, players_only
from bot.table.journal.history import UNDO
from bot.table.names import MAX_NAME_LENGTH, checked_name, free_name
from bot.table.owners import side_in
from bot.table.realdice import dice_of
from bot.table.rosters.crew_state import carried, standing, taken_along
from bot.table.rosters.statblocks import Statblock, own_blocks, pieces, statblock
from bot.table.session.models import mine
from rules.refusals import InvalidInput
from rules.wording import times

MAX_MODELS = 120
"""Most models in one encounter."""

MAX_SIDES = 8
MAX_SEATS = 40

CrewAndMembers = tuple[CrewRow, list[MemberRow], str]
"""A crew, who is in it, and whose dice its owner throws with it."""


def counted_models(count: int) -> str:
    """Return so many models, in words."""
    return times(count, "model")


SHOWN_BY: dict[str, Callable[[Encounter, int], None]] = {}
"""By game: how those of a side who come hidden show themselves, where both sides are known."""


async def crew_given(store: Store, actor: Actor, crew: int) -> CrewAndMembers | None:
    """Return a crew by its scope as it stands, with who can play; None for 0. Raises InvalidInput."""
    if not crew:
        return None
    standing_crew = await standing(store, actor.guild_id, crew)
    crew_scope = await store.load(standing_crew.campaign or crew)
    assert crew_scope is not None, "it was read"
    members = [member for member in standing_crew.members if member.id not in standing_crew.away]
    return standing_crew.crew, members, dice_of(crew_scope.book(), standing_crew.crew.owner_id)


def welcomed(act: Act, side: SideRow) -> tuple[Reply, ...]:
    """Return the first question to a player who brought a side, in games that have one."""
    played = game_of(act.encounter)
    return (played.arrived(act, side),) if isinstance(played, Welcomes) else ()


def seat(act: Act, user_id: int, name: str, side: int, role: str, dice: str = "") -> SeatRow:
    """Seat a person, or change their seat. Raises InvalidInput if none is left.

    dice: whose dice they roll, empty for no change.
    """
    encounter = act.encounter
    row = encounter.seat_of(user_id)
    name = free_name(name, [seat.name for seat in encounter.seats() if seat.user_id != user_id])
    if row is None:
        if len(encounter.seats()) >= MAX_SEATS:
            raise InvalidInput(f"This game is full; it can have at most {MAX_SEATS} people.")
        number = encounter.book.next_id(SeatRow)
        row = encounter.book.add(SeatRow(encounter.book.scope, number, user_id, name, side, role))
    row.side, row.role, row.name, row.since = side, role, name, act.entry
    row.dice = dice or row.dice
    return row


def add_side(encounter: Encounter, name: str, crew: int = 0) -> SideRow:
    """Make a side. Raises InvalidInput where there are too many."""
    if len(encounter.sides()) >= MAX_SIDES:
        raise InvalidInput(f"This game is full; it can have at most {MAX_SIDES} sides.")
    side_names = [side.name for side in encounter.sides()]
    number = encounter.book.next_id(SideRow)
    return encounter.book.add(SideRow(encounter.book.scope, number, free_name(name, side_names), crew))


def add_model(encounter: Encounter, side: int, owner: int, name: str, profile: str) -> ModelRow:
    """Put a model into play under a name of its own. Raises InvalidInput where there are too many."""
    everybody = encounter.models(gone=True)
    if len(everybody) >= MAX_MODELS:
        raise InvalidInput(f"This game is full; it can have at most {MAX_MODELS} models.")
    number = encounter.book.next_id(ModelRow)
    unique = free_name(name[:MAX_NAME_LENGTH], [model.name for model in everybody])
    return encounter.book.add(ModelRow(encounter.book.scope, number, side, owner, unique, profile))


def muster(act: Act, played: Game, crew: CrewRow, members: list[MemberRow], owner: int) -> SideRow:
    """Bring a crew into the encounter as a side; the crew itself stays as it is."""
    encounter = act.encounter
    if crew.system != encounter.row.system:
        raise InvalidInput(f"Choose another crew; {crew.name} is a crew for {game(crew.system).name}.")
    if not members:
        raise InvalidInput(f"Add a model to {crew.name} first with /crew recruit.")
    if any(side.crew == crew.scope for side in encounter.sides()):
        raise InvalidInput(f"{crew.name} is already in this game.")
    side = add_side(encounter, crew.name, crew.scope)
    side.traits = taken_along(crew.traits)
    for member in members:
        model = add_model(encounter, side.id, owner, member.name, member.profile)
        model.counters = carried(crew.system, member)
        played.enlist(encounter, model, member)
    played.side_ready(encounter, side.id)
    return side


def muster_sample(act: Act, played: Game, sample: SampleCrew, owner: int) -> SideRow:
    """Bring a crew to try into the encounter as a side; its first member leads."""
    encounter = act.encounter
    side = add_side(encounter, sample.name)
    listed = {recruit.key: recruit for recruit in played.recruits()}
    for place, key in enumerate(sample.recruits):
        recruit = listed[key]
        model = add_model(encounter, side.id, owner, recruit.name, played.profile(key))
        member = MemberRow(0, place, recruit.name, model.profile, recruit.points, leader=place == 0)
        played.enlist(encounter, model, member)
    played.side_ready(encounter, side.id)
    return side


MAX_AT_ONCE = 10


def _played(context: Asking) -> Game:
    """Return the game that is played here. Raises InvalidInput."""
    return game_of(context.act.encounter)


@dataclass(frozen=True, slots=True)
class AddModel(Action):
    """Add a model to a side.

    called: a name of its own.
    """

    command = "model.add"
    typed = "model add"
    titled = "Add a model"
    decision_of = side_in("side")

    side: SideRow = fields.side("Side", needed=True)
    profile: Statblock = statblock("Model to add", _played, lambda asking: asking.act.extra or ())
    called: str = fields.text("Name of the model", None)
    count: int = fields.whole("Number of models", 1, MAX_AT_ONCE, default=1, checked=True)
    carries: tuple[str, ...] = pieces("Extra equipment, separated by commas", _played)


@dataclass(frozen=True, slots=True)
class EquipModel(Action):
    """Add equipment to a model."""

    command = "model.equip"
    typed = "model equip"
    titled = "Add equipment"
    waits_for_dice = True

    model: ModelRow = mine()
    items: tuple[str, ...] = pieces("Weapons and gear, separated by commas", _played, needed=True)


def _equipped(act: Act, profile: str, items: Sequence[str]) -> str:
    played = game_of(act.encounter)
    return played.equip(profile, items) if items and isinstance(played, Equips) else profile


@handles(AddModel, beforehand=own_blocks, may=players_only)
def add(act: Act, action: AddModel) -> Reply:
    """Add a model for a side's player; everyone sees it."""
    encounter = act.encounter
    if encounter.row.status == "ended":
        raise InvalidInput("This game has ended.")
    side = action.side
    act.require_side(side.id)
    block, played = action.profile, game_of(encounter)
    name, points = checked_name(action.called) if action.called else block.name, block.points
    details = ", ".join(
        filter(None, (f"{times(points, 'point')}{' each' if action.count > 1 else ''}", block.note))
    )
    profile = _equipped(act, block.profile, action.carries)
    seats = [seat for seat in encounter.seats() if seat.side == side.id]
    owner = next((seat.user_id for seat in seats if seat.role == "captain"), act.actor.user_id)
    names = []
    for place in range(action.count):
        model = add_model(encounter, side.id, owner, name, profile)
        played.enlist(encounter, model, MemberRow(0, place, model.name, profile, points))
        names.append(model.name)
    return say(f"{side.name} gets {', '.join(names)}.", details, buttons=[UNDO])


@handles(EquipModel)
def equip(act: Act, action: EquipModel) -> Reply:
    """Add equipment for a model's player; everyone sees it."""
    model = action.model
    model.profile = _equipped(act, model.profile, action.items)
    return say(f"{model.name} now also carries {', '.join(action.items)}.", buttons=[UNDO])
