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
from bot.table.handlers import handles, require_player
from bot.table.journal.history import UNDO
from bot.table.names import MAX_NAME_LENGTH, check_name, find_free_name
from bot.table.owners import side_in
from bot.table.realdice import dice_of
from bot.table.rosters.crew_state import carried, explain_no_members, standing, taken_along
from bot.table.rosters.statblocks import Statblock, load_custom_models, pieces, statblock
from bot.table.session.models import your_model
from rules.refusals import InvalidInput, Missing
from rules.wording import join_with_and, times

MAX_MODELS = 120
"""Most models in one encounter."""

MAX_SIDES = 8
MAX_SEATS = 40

CrewAndMembers = tuple[CrewRow, list[MemberRow], str]
"""A crew, who is in it, and whose dice its owner throws with it."""


def format_model_count(count: int) -> str:
    """Return a number of models in words."""
    return times(count, "model")


REVEALERS: dict[str, Callable[[Encounter, int], None]] = {}
"""By game: how those of a side who come hidden show themselves, where both sides are known."""


async def load_crew(store: Store, actor: Actor, crew: int) -> CrewAndMembers | None:
    """Return a crew by its scope as it stands, with who can play; None for 0. Raises InvalidInput."""
    if not crew:
        return None
    crew_state = await standing(store, actor.guild_id, crew)
    crew_scope = await store.load(crew_state.campaign or crew)
    assert crew_scope is not None, "it was read"
    members = [member for member in crew_state.members if member.id not in crew_state.away]
    if not members and crew_state.campaign and crew_state.crew.owner_id == actor.user_id:
        raise InvalidInput(explain_no_members(crew_state))
    return crew_state.crew, members, dice_of(crew_scope.book(), crew_state.crew.owner_id)


def build_welcome(act: Act, side: SideRow) -> tuple[Reply, ...]:
    """Return the first question to a player who brought a side, in games that have one."""
    played_game = game_of(act.encounter)
    return (played_game.arrived(act, side),) if isinstance(played_game, Welcomes) else ()


def seat(act: Act, user_id: int, name: str, side: int, role: str, dice: str = "") -> SeatRow:
    """Seat a person, or change their seat. Raises InvalidInput if none is left.

    dice: whose dice they roll, empty for no change.
    """
    encounter = act.encounter
    row = encounter.seat_of(user_id)
    name = find_free_name(name, [seat.name for seat in encounter.seats() if seat.user_id != user_id])
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
    return encounter.book.add(SideRow(encounter.book.scope, number, find_free_name(name, side_names), crew))


def find_or_add_side(act: Act, side_or_name: SideRow | str | None) -> SideRow:
    """Return a side that the person decides for, a new one of that name, which they then play, or their own.

    Raises InvalidInput, NotAllowed.
    """
    encounter, seat = act.encounter, act.seat
    if isinstance(side_or_name, SideRow):
        if not act.decides_for(side_or_name.id):
            act.require_side(side_or_name.id)
        return side_or_name
    if side_or_name is None:
        if seat is None or not seat.side:
            hint = "" if encounter.row.turn else " A new name adds a new side."
            raise Missing(f"Enter the name of a side.{hint}")
        return encounter.side(seat.side)
    side = add_side(encounter, side_or_name)
    if seat is not None and not seat.side and seat.role != "spectator":
        seat.side, seat.role = side.id, "captain"
    return side


def add_model(encounter: Encounter, side: int, owner: int, name: str, profile: str) -> ModelRow:
    """Put a model into play under a name of its own. Raises InvalidInput where there are too many."""
    all_models = encounter.models(gone=True)
    if len(all_models) >= MAX_MODELS:
        raise InvalidInput(f"This game is full; it can have at most {MAX_MODELS} models.")
    number = encounter.book.next_id(ModelRow)
    unique_name = find_free_name(name[:MAX_NAME_LENGTH], [model.name for model in all_models])
    return encounter.book.add(ModelRow(encounter.book.scope, number, side, owner, unique_name, profile))


def muster_crew(act: Act, played_game: Game, crew: CrewRow, members: list[MemberRow], owner: int) -> SideRow:
    """Bring a crew into the encounter as a side; the crew itself stays as it is."""
    encounter = act.encounter
    if crew.system != encounter.row.system:
        raise InvalidInput(f"Choose another crew; {crew.name} is a crew for {game(crew.system).name}.")
    if not members and crew.owner_id == act.actor.user_id:
        raise InvalidInput(f"Add a model to {crew.name} first with /crew recruit.")
    if not members:
        raise InvalidInput(f"Choose another crew; {crew.name} has no models that can play.")
    if any(side.crew == crew.scope for side in encounter.sides()):
        raise InvalidInput(f"{crew.name} is already in this game.")
    side = add_side(encounter, crew.name, crew.scope)
    side.traits = taken_along(crew.traits)
    for member in members:
        model = add_model(encounter, side.id, owner, member.name, member.profile)
        model.counters = carried(crew.system, member)
        played_game.enlist(encounter, model, member)
    played_game.side_ready(encounter, side.id)
    return side


def muster_sample_crew(act: Act, played_game: Game, sample: SampleCrew, owner: int) -> SideRow:
    """Bring a crew to try into the encounter as a side; its first member leads."""
    encounter = act.encounter
    side = add_side(encounter, sample.name)
    recruits_by_key = {recruit.key: recruit for recruit in played_game.recruits()}
    for place, key in enumerate(sample.recruits):
        recruit = recruits_by_key[key]
        model = add_model(encounter, side.id, owner, recruit.name, played_game.profile(key))
        member = MemberRow(0, place, recruit.name, model.profile, recruit.points, leader=place == 0)
        played_game.enlist(encounter, model, member)
    played_game.side_ready(encounter, side.id)
    return side


MAX_MODELS_AT_ONCE = 10


def _find_game(context: Asking) -> Game:
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
    profile: Statblock = statblock("Model to add", _find_game, lambda asking: asking.act.extra or ())
    called: str = fields.text("Name of the model", None)
    count: int = fields.whole("Number of models", 1, MAX_MODELS_AT_ONCE, default=1, checked=True)
    carries: tuple[str, ...] = pieces("Extra equipment, separated by commas", _find_game)


@dataclass(frozen=True, slots=True)
class EquipModel(Action):
    """Add equipment to a model."""

    command = "model.equip"
    typed = "model equip"
    titled = "Add equipment"
    waits_for_dice = True

    model: ModelRow = your_model()
    items: tuple[str, ...] = pieces("Weapons and gear, separated by commas", _find_game, needed=True)


def _equip_profile(act: Act, profile: str, items: Sequence[str]) -> str:
    played_game = game_of(act.encounter)
    return played_game.equip(profile, items) if items and isinstance(played_game, Equips) else profile


@handles(AddModel, beforehand=load_custom_models, may=require_player)
def add_new_models(act: Act, action: AddModel) -> Reply:
    """Add a model for a side's player; everyone sees it."""
    encounter = act.encounter
    if encounter.row.status == "ended":
        raise InvalidInput("This game has ended.")
    side = action.side
    act.require_side(side.id)
    block, played_game = action.profile, game_of(encounter)
    name, points = check_name(action.called) if action.called else block.name, block.points
    details = ", ".join(
        filter(None, (f"{times(points, 'point')}{' each' if action.count > 1 else ''}", block.note))
    )
    profile = _equip_profile(act, block.profile, action.carries)
    seats = [seat for seat in encounter.seats() if seat.side == side.id]
    owner = next((seat.user_id for seat in seats if seat.role == "captain"), act.actor.user_id)
    names = []
    for place in range(action.count):
        model = add_model(encounter, side.id, owner, name, profile)
        played_game.enlist(encounter, model, MemberRow(0, place, model.name, profile, points))
        names.append(model.name)
    return say(f"Added to {side.name}: {', '.join(names)}.", details, buttons=[UNDO])


@handles(EquipModel)
def equip_model(act: Act, action: EquipModel) -> Reply:
    """Add equipment for a model's player; everyone sees it."""
    model = action.model
    model.profile = _equip_profile(act, model.profile, action.items)
    return say(f"{model.name} now also carries {join_with_and(action.items)}.", buttons=[UNDO])
