"""What comes to the table: crews, the sides that they become, models, and seats for people."""

from __future__ import annotations

from collections.abc import Callable

from bot.replies.reply import Reply
from bot.store.rows import CrewRow, MemberRow, ModelRow, SeatRow, SideRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.encounter import Encounter
from bot.table.game import Game, SampleCrew, Welcomes, game, game_of
from bot.table.names import LONGEST_NAME, free_name
from bot.table.rolling.realdice import dice_of
from bot.table.rosters.standing import carried, standing, taken_along
from rules.refusals import InvalidInput

MOST_MODELS = 120
"""Most models in one encounter."""

MOST_SIDES = 8
MOST_SEATS = 40

CrewAndMembers = tuple[CrewRow, list[MemberRow], str]
"""A crew, who is in it, and whose dice its owner throws with it."""


def counted_models(count: int) -> str:
    """So many models, in words."""
    return "1 model" if count == 1 else f"{count} models"


SHOWN_BY: dict[str, Callable[[Encounter, int], None]] = {}
"""By game: how those of a side who come hidden show themselves, where both sides are known."""


async def crew_given(store: Store, actor: Actor, crew: int) -> CrewAndMembers | None:
    """A crew by its scope as it stands, with who can play; None for 0. Raises InvalidInput."""
    if not crew:
        return None
    now = await standing(store, actor.guild_id, crew)
    loaded = await store.load(now.campaign or crew)
    assert loaded is not None, "it was read"
    members = [one for one in now.members if one.id not in now.away]
    return now.crew, members, dice_of(loaded.book(), now.crew.owner_id)


def welcomed(act: Act, side: SideRow) -> tuple[Reply, ...]:
    """What who brought a side is asked at once, in games that ask anything."""
    played = game_of(act.encounter)
    return (played.arrived(act, side),) if isinstance(played, Welcomes) else ()


def seat(act: Act, user_id: int, name: str, side: int, role: str, dice: str = "") -> SeatRow:
    """Give a person a seat, or another one. Raises InvalidInput where there is none left.

    dice: whose are thrown for it, empty for those that were.
    """
    encounter = act.encounter
    row = encounter.seat_of(user_id)
    if row is None:
        if len(encounter.seats()) >= MOST_SEATS:
            raise InvalidInput("This encounter has no place left.")
        number = encounter.book.next_id(SeatRow)
        row = encounter.book.add(SeatRow(encounter.book.scope, number, user_id, name, side, role))
    row.side, row.role, row.name, row.since = side, role, name, act.entry
    row.dice = dice or row.dice
    return row


def add_side(encounter: Encounter, name: str, crew: int = 0) -> SideRow:
    """Make a side. Raises InvalidInput where there are too many."""
    if len(encounter.sides()) >= MOST_SIDES:
        raise InvalidInput(f"An encounter has at most {MOST_SIDES} sides.")
    taken = [side.name for side in encounter.sides()]
    number = encounter.book.next_id(SideRow)
    return encounter.book.add(SideRow(encounter.book.scope, number, free_name(name, taken), crew))


def add_model(encounter: Encounter, side: int, owner: int, name: str, profile: str) -> ModelRow:
    """Put a model into play under a name of its own. Raises InvalidInput where there are too many."""
    everybody = encounter.models(gone=True)
    if len(everybody) >= MOST_MODELS:
        raise InvalidInput(f"An encounter holds at most {MOST_MODELS} models.")
    number = encounter.book.next_id(ModelRow)
    unique = free_name(name[:LONGEST_NAME], [model.name for model in everybody])
    return encounter.book.add(ModelRow(encounter.book.scope, number, side, owner, unique, profile))


def muster(act: Act, played: Game, crew: CrewRow, members: list[MemberRow], owner: int) -> SideRow:
    """Bring a crew into the encounter as a side; the crew itself stays as it is."""
    encounter = act.encounter
    if crew.system != encounter.row.system:
        raise InvalidInput(f"{crew.name} is a crew of {game(crew.system).name}.")
    if not members:
        raise InvalidInput(f"{crew.name} has nobody in it. Recruit first: /crew recruit.")
    if any(side.crew == crew.scope for side in encounter.sides()):
        raise InvalidInput(f"{crew.name} is in this encounter already.")
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
    listed = {one.key: one for one in played.recruits()}
    for place, key in enumerate(sample.recruits):
        recruit = listed[key]
        model = add_model(encounter, side.id, owner, recruit.name, played.profile(key))
        member = MemberRow(0, place, recruit.name, model.profile, recruit.points, leader=place == 0)
        played.enlist(encounter, model, member)
    played.side_ready(encounter, side.id)
    return side
