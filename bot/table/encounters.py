"""Starting, joining, showing, leading on and ending an encounter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.store.rows import CrewRow, EncounterRow, MemberRow, ModelRow, SeatRow, SideRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.encounter import Encounter
from bot.table.game import GAMES, Game, game, game_of
from bot.table.handlers import Place, handles
from bot.table.names import LONGEST_NAME, checked_name, find, free_name
from bot.table.realdice import dice_of
from rules.fair import commitment
from rules.refusals import InvalidInput

MOST_TURNS = 50
MOST_MODELS = 120
"""Most models in one encounter."""

DRAFT = "draft"
"""Traits of a crew that begin so are of members still being made; they do not come to the table."""

MOST_SIDES = 8
MOST_SEATS = 40

CrewAndMembers = tuple[CrewRow, list[MemberRow], str]
"""A crew, who is in it, and whose dice its owner throws with it."""

FOLLOW_UPS: list[Callable[[Encounter], Sequence[Button]]] = []
"""What is offered when an encounter has ended, by whatever it belongs to."""


@dataclass(frozen=True, slots=True)
class StartEncounter(Action):
    """Start an encounter. turns 0: the game's own number. crew: the scope of a crew to bring, or 0."""

    command = "encounter.start"

    system: str = "counterblast"
    turns: int = 0
    crew: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class StartDemo(Action):
    """Start an encounter with the game's two sample crews, ready to play."""

    command = "demo"

    system: str = "counterblast"


@dataclass(frozen=True, slots=True)
class JoinEncounter(Action):
    """Take a place. side: a side's name, or empty; crew: a crew to bring, or 0; watch: as a spectator."""

    command = "encounter.join"

    side: str = ""
    crew: int = 0
    watch: bool = False


@dataclass(frozen=True, slots=True)
class ShowEncounter(Action):
    """Show where the encounter stands, to the person who asks."""

    command = "encounter.status"


@dataclass(frozen=True, slots=True)
class NextStep(Action):
    """Lead the encounter on to its next step."""

    command = "encounter.next"


@dataclass(frozen=True, slots=True)
class AskEnd(Action):
    """Show the result as it stands and ask whether the encounter is to end."""

    command = "encounter.ask_end"


@dataclass(frozen=True, slots=True)
class EndEncounter(Action):
    """End the encounter, as the answer to `AskEnd`: the result, and the seed of its dice."""

    command = "encounter.end"


async def _crew_given(
    store: Store, actor: Actor, action: StartEncounter | JoinEncounter
) -> CrewAndMembers | None:
    """The crew that the action names, read from its own scope."""
    if not action.crew:
        return None
    loaded = await store.load(action.crew)
    book = loaded.book() if loaded and loaded.scope.guild_id == actor.guild_id else None
    row = book.get(CrewRow) if book else None
    if book is None or row is None:
        raise InvalidInput("There is no such crew. /crew list shows them.")
    return row, book.all(MemberRow), dice_of(book, row.owner_id)


def _begin(act: Act, system: str, turns: int, name: str) -> tuple[Encounter, Game]:
    played = game(system)
    if turns and not 1 <= turns <= MOST_TURNS:
        raise InvalidInput(f"A game lasts 1 to {MOST_TURNS} turns, not {turns}.")
    actor = act.actor
    act.book.add(
        EncounterRow(
            act.book.scope,
            channel_id=actor.channel_id,
            guild_id=actor.guild_id,
            system=system,
            name=checked_name(name) if name else played.name,
            organiser_id=actor.user_id,
            commitment=commitment(act.seed),
            turns=turns or played.turns,
        )
    )
    return act.encounter, played


def _models(count: int) -> str:
    return "1 model" if count == 1 else f"{count} models"


def _seat(encounter: Encounter, actor: Actor, side: int, role: str, dice: str = "") -> SeatRow:
    """Give somebody a place. dice: whose are thrown for it, empty for those that were."""
    seat = encounter.seat_of(actor.user_id)
    if seat is None:
        if len(encounter.seats()) >= MOST_SEATS:
            raise InvalidInput("This encounter has no place left.")
        number = encounter.book.next_id(SeatRow)
        seat = encounter.book.add(
            SeatRow(encounter.book.scope, number, actor.user_id, actor.name, side, role)
        )
    seat.side, seat.role, seat.name = side, role, actor.name
    seat.dice = dice or seat.dice
    return seat


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
    side.traits = {key: text for key, text in crew.traits.items() if not key.startswith(DRAFT)}
    for member in members:
        model = add_model(encounter, side.id, owner, member.name, member.profile)
        played.enlist(encounter, model, member)
    played.side_ready(encounter, side.id)
    return side


@handles(StartEncounter, Place.NEW_ENCOUNTER, beforehand=_crew_given)
def start(act: Act, action: StartEncounter) -> Reply:
    """Start an encounter; its dice are bound before anything is rolled."""
    encounter, played = _begin(act, action.system, action.turns, action.name)
    lines = [f"{encounter.row.name}: encounter started.", *dice_lines(encounter)]
    side, dice = 0, ""
    if act.extra is not None:
        crew, members, dice = act.extra
        if crew.owner_id != act.actor.user_id:
            raise InvalidInput(f"{crew.name} is not your crew.")
        side = muster(act, played, crew, members, act.actor.user_id).id
        lines.append(f"{crew.name}: {_models(len(encounter.models(side)))}.")
    _seat(encounter, act.actor, side, "captain" if side else "player", dice)
    lines.append("Others: /encounter join. Then: Begin.")
    return say(*lines, buttons=[Button("Begin", NextStep(), "main")])


@handles(StartDemo, Place.NEW_ENCOUNTER)
def demo(act: Act, action: StartDemo) -> Reply:
    """Start an encounter with the two sample crews; who starts it plays both until somebody joins."""
    encounter, played = _begin(act, action.system, 0, "")
    lines = [f"{played.name}: a game to try.", *dice_lines(encounter)]
    for sample in played.sample_crews():
        side = add_side(encounter, sample.name)
        for place, key in enumerate(sample.recruits):
            recruit = next(one for one in played.recruits() if one.key == key)
            model = add_model(encounter, side.id, act.actor.user_id, recruit.name, played.profile(key))
            member = MemberRow(0, place, recruit.name, model.profile, recruit.points, leader=place == 0)
            played.enlist(encounter, model, member)
        played.side_ready(encounter, side.id)
        lines.append(f"{side.name}: {_models(len(encounter.models(side.id)))}.")
    _seat(encounter, act.actor, encounter.sides()[0].id, "captain")
    lines.append("You play both sides until somebody")
    lines.append("takes one: /encounter join. Now: Begin.")
    return say(*lines, buttons=[Button("Begin", NextStep(), "main")])


def dice_lines(encounter: Encounter) -> list[str]:
    """How the dice of an encounter are bound."""
    return ["Dice are bound by this SHA-256:", f"`{encounter.row.commitment}`"]


@handles(JoinEncounter, beforehand=_crew_given)
def join(act: Act, action: JoinEncounter) -> Reply:
    """Take a place: with a crew, on a side, or to watch."""
    encounter, actor = act.encounter, act.actor
    if encounter.row.status == "ended":
        raise InvalidInput("This encounter has ended.")
    if action.watch:
        if act.seat is not None and act.seat.role == "spectator":
            raise InvalidInput("You watch already.")
        _seat(encounter, actor, 0, "spectator")
        return say(f"{actor.name} watches.")
    if act.extra is not None:
        crew, members, dice = act.extra
        if crew.owner_id != actor.user_id:
            raise InvalidInput(f"{crew.name} is not your crew.")
        if encounter.row.status != "setup":
            raise InvalidInput("The game has begun; a crew joins before that.")
        side = muster(act, game_of(encounter), crew, members, actor.user_id)
        _seat(encounter, actor, side.id, "captain", dice)
        shown = _models(len(encounter.models(side.id)))
        return say(f"{actor.name} joins with {side.name}: {shown}.")
    return _join_side(act, action.side)


def _join_side(act: Act, name: str) -> Reply:
    encounter, actor = act.encounter, act.actor
    sides = encounter.sides()
    if not sides:
        raise InvalidInput("No side is here yet. Bring a crew: /encounter join crew.")
    open_sides = [side for side in sides if not _captain(encounter, side.id)]
    if name:
        side = find(name, sides, lambda row: row.name, "side")
    elif len(open_sides) == 1:
        side = open_sides[0]
    else:
        raise InvalidInput(f"Which side? {', '.join(row.name for row in sides)}.")
    seat = act.seat
    if seat is not None and seat.side == side.id and seat.role != "spectator":
        raise InvalidInput(f"You play {side.name} already.")
    if seat is not None and seat.side and encounter.row.status == "playing":
        act.require(False, f"You play {encounter.side(seat.side).name}: nobody changes sides in a game.")
    if _captain(encounter, side.id):
        _seat(encounter, actor, side.id, "player")
        return say(f"{actor.name} joins {side.name}.")
    _seat(encounter, actor, side.id, "captain")
    for model in encounter.models(side.id, gone=True):
        model.owner_id = actor.user_id
    return say(f"{actor.name} plays {side.name} now.")


def _captain(encounter: Encounter, side: int) -> SeatRow | None:
    return next((seat for seat in encounter.seats() if seat.side == side and seat.role == "captain"), None)


@handles(ShowEncounter)
def show(act: Act, action: ShowEncounter) -> Reply:
    """Where the game stands, every model in a line."""
    encounter = act.encounter
    played = game_of(encounter)
    lines = list(played.panel(encounter).lines)
    for side in encounter.sides():
        people = [seat.name for seat in encounter.seats() if seat.side == side.id]
        lines.append(f"**{side.name}** ({', '.join(people) or 'nobody'})")
        lines += [played.model_summary(encounter, model) for model in encounter.models(side.id)]
    return Reply(tuple(lines), private=True)


@handles(NextStep)
def next_step(act: Act, action: NextStep) -> Reply:
    """Lead on, as the game says."""
    act.require_player()
    if not act.encounter.sides():
        raise InvalidInput("No side is here yet. Bring a crew: /encounter join crew.")
    return game_of(act.encounter).next_step(act)


@handles(AskEnd)
def ask_end(act: Act, action: AskEnd) -> Reply:
    """What the result would be, to the organiser alone; nothing ends until it is confirmed."""
    encounter = act.encounter
    _require_ender(act)
    if encounter.row.status == "ended":
        raise InvalidInput("This encounter has ended.")
    return say(
        f"End {encounter.row.name} now?",
        *game_of(encounter).standing(encounter),
        "No undo after this: the dice's seed",
        "is shown, and what was hidden.",
        private=True,
        buttons=[Button("End the game", EndEncounter(), "danger"), Button("Status", ShowEncounter())],
    )


def _require_ender(act: Act) -> None:
    act.require(act.is_organiser, "Only the organiser ends the encounter.")


@handles(EndEncounter)
def end(act: Act, action: EndEncounter) -> Reply:
    """End it: the result, and the seed with which every roll can be checked."""
    encounter = act.encounter
    _require_ender(act)
    encounter.row.status = "ended"
    encounter.row.revealed_seed = act.seed.hex()
    played = game_of(encounter)
    return say(
        f"{encounter.row.name}: encounter ended.",
        *played.ending(encounter),
        "The seed of the dice was:",
        f"`{encounter.row.revealed_seed}`",
        "Check them: /export, then bot verify.",
        buttons=[button for follow in FOLLOW_UPS for button in follow(encounter)],
    )


def systems() -> list[tuple[str, str]]:
    """Key and name of every game."""
    return [(one.key, one.name) for one in GAMES.values()]
