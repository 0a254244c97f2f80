"""Joining, watching and leaving an encounter, and what happens to the models of a player who leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, to_json
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form, say
from bot.store.rows import AskRow, SeatRow, SideRow, WatcherRow
from bot.store.store import Store
from bot.table.act import Act, Actor, ActView
from bot.table.answering import Answered
from bot.table.asking import fields
from bot.table.encounter import ENDED, NO_SIDE, Encounter
from bot.table.game import game_of
from bot.table.handlers import Place, handles
from bot.table.names import MAX_NAME_LENGTH
from bot.table.owners import ASKED, SELF, organiser
from bot.table.realdice import find_waiting_roll, witnesses
from bot.table.request import MAX_REASON_LENGTH, OVERRIDE_FORM
from bot.table.rosters.crews import IMPORT_FORM, CreateCrew, ImportCrew
from bot.table.rosters.gate import ask_organiser, find_faults, require_legal
from bot.table.session.arrivals import (
    CrewAndMembers,
    build_welcome,
    format_model_count,
    load_crew,
    muster_crew,
    muster_sample_crew,
    seat,
)
from bot.table.session.seen_secrets import seers, warned
from bot.table.side_access import played_by_another, tied_elsewhere
from bot.table.waits import JOIN, organiser_of
from rules.refusals import InvalidInput, Missing
from rules.wording import possessive, times

NO_OWNER = 0
"""Owner of a model without a player, until its side has a player again."""

ON, OFF = "on", "off"


@dataclass(frozen=True, slots=True)
class RemovePerson(Action):
    """Remove someone from the game (organiser)."""

    command = "encounter.remove"
    typed = "encounter remove"
    titled = "Remove someone"
    decision_of = organiser("remove someone", explained=True)

    person: int = fields.person("Person to remove", needed=True)
    why: str = fields.text("Reason (everyone can read it)", MAX_REASON_LENGTH, needed=True, called="reason")


@dataclass(frozen=True, slots=True)
class MentionMe(Action):
    """Choose whether this game mentions you when it's your turn (affects only you)."""

    command = "encounter.mention"
    typed = "encounter mention"
    titled = "Mention me"
    decision_of = SELF

    mentions: str = fields.one_of("Mention you when it's your turn", (ON, OFF), default=ON, needed=True)


@handles(MentionMe)
def set_mentions(act: Act, action: MentionMe) -> Reply:
    """Turn the mentions of the person who asks on or off. Raises InvalidInput without a seat."""
    seat = act.seat
    if seat is None or seat.role == "spectator":
        raise InvalidInput(f"Join {act.encounter.row.name} first with /encounter join.")
    muted = action.mentions == OFF
    if seat.muted == muted:
        raise InvalidInput(f"Mentions are already {action.mentions} for you in this game.")
    seat.muted = muted
    sentence_end = "no longer mentions you" if muted else "now mentions you when it's your turn"
    return say(f"This game {sentence_end}.", private=True)


def leave_seat(encounter: Encounter, row: SeatRow) -> list[str]:
    """Move everything that was played from a seat to the captain of its side, and return the lines to tell.

    If the captain leaves, the next player becomes captain. A side without players waits for one: its models
    have no owner, so its secrets stay hidden. The caller changes the seat itself.
    """
    lines = []
    pending = find_waiting_roll(encounter.book, row.user_id)
    if pending is not None and witnesses(pending, encounter.players()):
        raise InvalidInput(f"Finish {possessive(row.name)} roll first, or cancel it with /undo.")
    side, row.side = row.side, 0
    remaining = encounter.players(side) if side else []
    if remaining and row.role == "captain":
        remaining[0].role = "captain"
        lines.append(f"{remaining[0].name} is now captain of {encounter.side(side).name}.")
    for side_row in encounter.sides():
        models = [
            model for model in encounter.models(side_row.id, gone=True) if model.owner_id == row.user_id
        ]
        captain = encounter.captain(side_row.id)
        for model in models:
            model.owner_id = captain.user_id if captain else NO_OWNER
        in_play_count = sum(model.status != "gone" for model in models)
        if in_play_count and captain:
            lines.append(f"{captain.name} now also controls {format_model_count(in_play_count)}.")
        if captain is None and (models or side_row.id == side):
            for model in encounter.models(side_row.id, gone=True):
                model.owner_id = NO_OWNER
            lines.append(
                f"{side_row.name} needs a player. Anyone can ask to play {side_row.name} with "
                "/encounter join."
            )
    if pending is not None:
        encounter.book.remove(pending)
        lines.append("A roll that was waiting for dice has been cancelled.")
    return lines


@handles(RemovePerson)
def remove_person(act: Act, action: RemovePerson) -> Reply:
    """Remove a person from the game as the organiser. They come back only if someone lets them in."""
    encounter, user = act.encounter, action.person
    if encounter.row.status == ENDED:
        raise InvalidInput("This game has ended.")
    if user in encounter.row.organisers:
        raise InvalidInput(
            "An organiser can't be removed. To give up your own seat, use /encounter join watch:true."
        )
    if not action.why:
        raise InvalidInput("Enter a reason for removing this person; everyone can read it.")
    row, watcher = encounter.seat_of(user), encounter.book.get(WatcherRow, user)
    request = encounter.book.get(AskRow, user)
    if row is None and watcher is None and request is None:
        raise Missing("Choose someone in this game; /encounter status lists everyone.")
    known_row = row or watcher or request
    assert known_row is not None, "one of them is there"
    name = known_row.name
    side = row.side if row is not None else request.about if request is not None else 0
    lines = leave_seat(encounter, row) if row is not None and row.role != "spectator" else []
    for held_row in (row, watcher, request):
        if held_row is not None:
            encounter.book.remove(held_row)
    encounter.book.add(AskRow(encounter.book.scope, user, name, "join", "", act.entry, side, refused=True))
    reply = say(
        f"{name} has been removed from the game.",
        f"{possessive(act.actor.name)} reason: {action.why}",
        *lines,
        f"{name} can only come back if someone lets them in.",
    )
    return reply.aside() if row is None else reply


MAX_REQUESTS = 12
"""Most people who wait to be let in at once."""

MAX_WATCHERS = 60

CREW_FORM = form("crew.create", "Create a crew", Blank("name", "Name", longest=MAX_NAME_LENGTH))

MAX_STATUS_REQUESTS = 5
"""Most requests that can be answered below the status."""


MAX_PANEL_REQUESTS = 2
"""Most of them that can be answered on the panel."""


@dataclass(frozen=True, slots=True)
class JoinEncounter(Action):
    """Join the game.

    Where nothing is said, what there is is offered. anyway: ask the organisers to let an illegal crew pass.
    """

    command = "encounter.join"
    typed = "encounter join"
    titled = "Join..."
    decision_of = SELF

    side: SideRow | None = fields.side("Side you want to play")
    crew: int = fields.own_crew("Crew you want to bring")
    watch: bool = fields.switch("Watch the game without playing")
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class BringCrew(Action):
    """Join a game with a crew, from a reply about the crew. game, crew: their scopes."""

    command = "encounter.bring"
    decision_of = SELF

    game: int = 0
    crew: int = 0


@dataclass(frozen=True, slots=True)
class Admit(Action):
    """Answer a person who asked to join. ask: the number of the request; yes: let them in."""

    command = "encounter.admit"
    decision_of = ASKED

    ask: int = 0
    yes: bool = True


@dataclass(frozen=True, slots=True)
class JoinWithSample(Action):
    """Join with a sample crew. number: which of the game's, from 0."""

    command = "encounter.sample"
    decision_of = SELF

    number: int = 0


@dataclass(frozen=True, slots=True)
class CrewsToBring:
    """Crews that a person could bring: the one that was named, and all their own, by scope and name."""

    named: CrewAndMembers | None
    crews: tuple[tuple[int, str, str], ...]


async def _load_crews(store: Store, actor: Actor, action: JoinEncounter | BringCrew) -> CrewsToBring:
    all_crews = await store.crews(actor.guild_id) if not action.crew else []
    own_crews = tuple(
        (scope, name, system) for scope, name, system, owner in all_crews if owner == actor.user_id
    )
    return CrewsToBring(await load_crew(store, actor, action.crew), own_crews)


def _require_may_join(act: ActView, action: JoinEncounter) -> None:
    """Refuse a person who already plays, unless something was chosen. Raises InvalidInput."""
    row = act.seat
    has_choice = action.watch or action.crew or action.side is not None
    if row is not None and row.side and row.role != "spectator" and not has_choice:
        raise InvalidInput(f"You already play {act.encounter.side(row.side).name}.")


@handles(JoinEncounter, beforehand=_load_crews, may=_require_may_join)
def join_encounter(act: Act, action: JoinEncounter) -> Reply:
    """Join with a crew, on a side, or to watch; if nothing was chosen, offer the choices."""
    if act.encounter.row.status == ENDED:
        raise InvalidInput("This game has ended.")
    if action.watch:
        return _watch(act)
    if act.extra.named is not None:
        return _bring_crew(act, ask_if_illegal=action.anyway and not act.is_organiser)
    free_sides = [side for side in act.encounter.sides() if not act.encounter.captain(side.id)]
    if action.side is None and len(free_sides) != 1:
        return _offer_ways(act, free_sides)
    return _take_seat(act, action)


@handles(BringCrew, Place.GAME, beforehand=_load_crews)
def bring_crew(act: Act, action: BringCrew) -> Reply:
    """Join with the crew, as the menu of crews does."""
    if act.extra.named is None:
        raise Missing("Use /encounter join and choose the crew that you want to bring.")
    return _bring_crew(act, ask_if_illegal=False)


@handles(JoinWithSample)
def join_with_sample(act: Act, action: JoinWithSample) -> Reply:
    """Join with a sample crew as a new side."""
    played_game = game_of(act.encounter)
    samples = played_game.sample_crews()
    if not 0 <= action.number < len(samples):
        raise Missing("Choose one of the sample crews.")
    _require_setup(act)
    lines = _leave_other_side(act, 0)
    side = muster_sample_crew(act, played_game, samples[action.number], act.actor.user_id)
    return _seat_with_crew(act, side, lines)


# ------------------------------------------------------------------------------------ what is offered


def _offer_ways(act: Act, free_sides: Sequence[SideRow]) -> Reply:
    """Show the person who asks the free sides, their own crews, sample crews and how to make one, or else
    whose consent they need.
    """
    encounter = act.encounter
    _require_may_join(act, JoinEncounter())
    buttons = [Button(f"Play {side.name}", JoinEncounter(side), anytime=True) for side in free_sides]
    if encounter.row.status != "setup":
        other_sides = [side for side in encounter.sides() if side not in free_sides]
        buttons += [
            Button(f"Ask to play {other_side.name}", JoinEncounter(other_side), anytime=True)
            for other_side in other_sides
        ]
        if not buttons:
            raise InvalidInput(NO_SIDE)
        return Reply(
            ("The game has begun. Which side do you want to play?",), private=True, buttons=tuple(buttons)
        )
    played_game = game_of(encounter)
    samples = enumerate(played_game.sample_crews())
    buttons += [
        Button(f"Play {sample_crew.name} (sample crew)", JoinWithSample(place), anytime=True)
        for place, sample_crew in samples
    ]
    create_button = Button(
        "Create a crew...", CreateCrew(system=played_game.key, built=True), anytime=True, form=CREW_FORM
    )
    import_button = Button("Import a list...", ImportCrew(), anytime=True, form=IMPORT_FORM)
    crews_in_game = {side.crew for side in encounter.sides()}
    choices = [
        Choice(name, str(scope))
        for scope, name, system in act.extra.crews
        if system == played_game.key and scope not in crews_in_game
    ]
    menu = Menu("Join with a crew", JoinEncounter(), "crew", tuple(choices[-25:]), anytime=True)
    lines = (
        f"How do you want to join {encounter.row.name}?",
        "You don't have a crew that you can bring." if not choices else "",
    )
    return Reply(
        tuple(filter(None, lines)),
        private=True,
        buttons=(*buttons, create_button, import_button),
        menus=(menu,) if choices else (),
    )


# ------------------------------------------------------------------------------------ to watch


def _watch(act: Act) -> Reply:
    """Add a watcher. A person with a seat gives it up."""
    encounter, actor = act.encounter, act.actor
    if encounter.watches(actor.user_id):
        raise InvalidInput("You are already watching.")
    row = act.seat
    if row is not None:
        lines = leave_seat(encounter, row)
        row.side, row.role, row.since = 0, "spectator", act.entry
        return say(f"{actor.name} is now a spectator.", *lines)
    if len(encounter.book.all(WatcherRow)) >= MAX_WATCHERS:
        raise InvalidInput("The list of spectators is full, but you can still read everything public here.")
    encounter.book.add(WatcherRow(encounter.book.scope, actor.user_id, actor.name))
    return say(f"{actor.name} is watching.").aside()


# ------------------------------------------------------------------------------------ with a crew


def _bring_crew(act: Act, *, ask_if_illegal: bool) -> Reply:
    """Bring a crew as a side of its own. ask_if_illegal: ask the organisers to allow it."""
    encounter, actor = act.encounter, act.actor
    crew, members, dice = act.extra.named
    if crew.owner_id != actor.user_id:
        raise InvalidInput(f"{crew.name} is not your crew.")
    _require_setup(act)
    action = JoinEncounter(crew=crew.scope)
    if ask_if_illegal and find_faults(crew, members):
        return ask_organiser(act, crew, members, action)
    require_legal(act, crew, members, replace(action, anyway=True))
    lines = _leave_other_side(act, 0)
    side = muster_crew(act, game_of(encounter), crew, members, actor.user_id)
    return _seat_with_crew(act, side, lines, dice)


def _require_setup(act: Act) -> None:
    """Crews come before the game begins, from people who were not turned away."""
    if act.encounter.row.status != "setup":
        raise InvalidInput("It's too late to bring a crew, because the game has begun. Join a side instead.")
    encounter = act.encounter
    request = encounter.book.get(AskRow, act.actor.user_id)
    if request is not None and request.kind == JOIN and request.refused:
        other_sides = [side.name for side in encounter.sides() if side.id != request.about]
        if other_sides:
            way = f"You can still ask to play {' or '.join(other_sides)}."
        elif encounter.sides():
            way = _format_still_open(encounter, request)
        else:
            way = "You can ask to play a side once there is one."
        act.require(False, f"You were not let in, so you can't bring a crew. {way}")


def _seat_with_crew(act: Act, side: SideRow, lines: list[str], dice: str = "") -> Reply:
    actor = act.actor
    name = seat(act, actor.user_id, actor.name, side.id, "captain", dice).name
    count_words = format_model_count(len(act.encounter.models(side.id)))
    return replace(
        say(f"{name} joins with {side.name}: {count_words}.", *lines), also=build_welcome(act, side)
    )


def _leave_other_side(act: Act, side: int) -> list[str]:
    """Require the organiser for a change of sides, and return what the person gives up."""
    tied_side = tied_elsewhere(act.encounter, act.actor.user_id, side)
    if tied_side is None:
        return []
    act.require(False, explain_tie(act.encounter, act.actor.user_id, tied_side))
    row = act.seat
    return leave_seat(act.encounter, row) if row is not None and row.side else []


def explain_tie(encounter: Encounter, user_id: int, tied_side: SideRow) -> str:
    """Return why a person who has played for a side can't join another."""
    row = encounter.seat_of(user_id)
    if row is not None and row.side == tied_side.id:
        return f"You can't change sides; you play {tied_side.name}."
    return f"You can't join another side, because you have played for {tied_side.name} in this game."


# ------------------------------------------------------------------------------------ on a side


def _take_seat(act: Act, action: JoinEncounter) -> Reply:
    encounter, user = act.encounter, act.actor.user_id
    side = action.side or _find_free_side(encounter)
    row = act.seat
    if row is not None and row.side == side.id and row.role != "spectator":
        raise InvalidInput(f"You already play {side.name}.")
    captain = encounter.captain(side.id)
    if not _needs_consent(act, side):
        lines = _leave_other_side(act, side.id)
        return _seat_on_side(act, user, act.actor.name, side, lines)
    if act.overrides:
        lines = _leave_other_side(act, side.id)
        if captain is not None:
            act.require(False, f"First ask {captain.name}, who plays {side.name}.")
        return _seat_on_side(act, user, act.actor.name, side, lines)
    tied_side = tied_elsewhere(encounter, user, side.id)
    act.require(
        tied_side is None or not act.is_organiser,
        explain_tie(encounter, user, tied_side) if tied_side else "",
    )
    return _ask_to_join(act, side, action)


def _find_free_side(encounter: Encounter) -> SideRow:
    """Return the only side without a captain. Raises InvalidInput."""
    sides = encounter.sides()
    if not sides:
        raise InvalidInput(NO_SIDE)
    open_sides = [side for side in sides if not encounter.captain(side.id)]
    if len(open_sides) == 1:
        return open_sides[0]
    raise Missing(f"Choose one of these sides: {', '.join(row.name for row in sides)}.")


def _needs_consent(act: Act, side: SideRow) -> bool:
    """Return whether joining needs consent.

    A side that no one has played yet is free before the game begins.
    """
    encounter, user = act.encounter, act.actor.user_id
    if encounter.captain(side.id) is not None:
        return True
    if act.organises:
        return False
    request = encounter.book.get(AskRow, user)
    if encounter.row.status != "setup" or (request is not None and request.kind == JOIN):
        return True
    tied_side = tied_elsewhere(encounter, user, side.id)
    return tied_side is not None or played_by_another(encounter, user, side.id)


def _seat_on_side(act: Act, user_id: int, name: str, side: SideRow, lines: list[str]) -> Reply:
    """Seat the person: as captain with all models if the side has no captain, or else as a player."""
    encounter = act.encounter
    watcher = encounter.book.get(WatcherRow, user_id)
    request = encounter.book.get(AskRow, user_id)
    for row in (watcher, request if request is not None and request.kind == JOIN else None):
        if row is not None:
            encounter.book.remove(row)
    seen_by = seers(encounter, side.id, user_id)
    if encounter.captain(side.id):
        name = seat(act, user_id, name, side.id, "player").name
        return warned(act, side, seen_by, say(f"{name} joins {side.name}.", *lines))
    name = seat(act, user_id, name, side.id, "captain").name
    for model in encounter.models(side.id, gone=True):
        model.owner_id = user_id
    return warned(act, side, seen_by, say(f"{name} now plays {side.name}.", *lines))


# ------------------------------------------------------------------------------------ asking


def _ask_to_join(act: Act, side: SideRow, action: JoinEncounter) -> Reply:
    """Store the request and ask the people who decide. A new request replaces an older one."""
    encounter, actor = act.encounter, act.actor
    earlier_request = encounter.book.get(AskRow, actor.user_id)
    if earlier_request is not None and earlier_request.kind == JOIN:
        if earlier_request.refused and earlier_request.about == side.id:
            raise InvalidInput(f"You were not let in. {_format_still_open(encounter, earlier_request)}")
        if earlier_request.about == side.id:
            raise InvalidInput(
                f"You have already asked. {_name_deciders(encounter, earlier_request)} has to decide."
            )
    other_requests = [request for request in encounter.book.all(AskRow) if request.user_id != actor.user_id]
    if sum(request.kind == JOIN and not request.refused for request in other_requests) >= MAX_REQUESTS:
        raise InvalidInput("Try again later; many people are already waiting to be let in.")
    if earlier_request is not None:
        encounter.book.remove(earlier_request)
    row = AskRow(
        encounter.book.scope,
        actor.user_id,
        actor.name,
        JOIN,
        f"{action.command} {to_json(action)}",
        act.entry,
        side.id,
    )
    encounter.book.add(row)
    return say(*_format_request(encounter, row), buttons=_make_answer_buttons(encounter, row)).aside()


def _format_still_open(encounter: Encounter, row: AskRow) -> str:
    return f"{_name_deciders(encounter, row)} can still let you in with /encounter status."


def _format_request(encounter: Encounter, row: AskRow) -> list[str]:
    side = encounter.side(row.about)
    lines = [f"{row.name} asks to play {side.name}.", f"{_name_deciders(encounter, row)} has to decide."]
    tied_side = tied_elsewhere(encounter, row.user_id, side.id)
    if tied_side is not None:
        lines.append(
            f"{row.name} has played for {tied_side.name}. To let {row.name} in, enter a reason; "
            "everyone can read it."
        )
    return lines


def _make_answer_buttons(encounter: Encounter, row: AskRow) -> tuple[Button, ...]:
    let_in, turn_away = Admit(row.entry), Admit(row.entry, yes=False)
    if tied_elsewhere(encounter, row.user_id, row.about) is not None:
        let_button = Button("Let in...", let_in, "main", anytime=True, form=OVERRIDE_FORM)
    else:
        let_button = Button("Let in", let_in, "main", anytime=True)
    return (let_button, Button("Don't let in", turn_away, anytime=True))


def _name_deciders(encounter: Encounter, row: AskRow) -> str:
    """Return the people who answer a request: the organiser, or the captain if the person has played for no
    other side.
    """
    organiser_id = encounter.row.organiser_id
    captain = encounter.captain(row.about)
    names = [organiser_of(encounter)]
    tied_side = tied_elsewhere(encounter, row.user_id, row.about)
    if captain is not None and tied_side is None and captain.user_id != organiser_id:
        names = [captain.name, *names]
    return " or ".join(names)


def may_admit(encounter: Encounter, row: AskRow, user_id: int) -> bool:
    """Return whether a person answers a request: an organiser, or the captain if the person who asks has
    played for no other side.
    """
    captain = encounter.captain(row.about)
    is_captain = captain is not None and captain.user_id == user_id
    is_tied = tied_elsewhere(encounter, row.user_id, row.about) is not None
    return user_id in encounter.row.organisers or (is_captain and not is_tied)


@handles(Admit)
def admit(act: Act, action: Admit) -> Reply:
    """Admit a person as the captain or the organiser, or turn them away."""
    encounter, actor = act.encounter, act.actor
    row = next((ask for ask in encounter.book.all(AskRow) if ask.entry == action.ask), None)
    if row is None or row.kind != JOIN:
        raise InvalidInput("That request is no longer open.")
    if encounter.row.status == ENDED:
        raise InvalidInput("This game has ended.")
    if encounter.book.get(SideRow, row.about) is None:
        raise InvalidInput("That side is no longer in the game.")
    side = encounter.side(row.about)
    tied_side = tied_elsewhere(encounter, row.user_id, side.id)
    act.require(
        may_admit(encounter, row, actor.user_id), f"Only {_name_deciders(encounter, row)} can decide that."
    )
    if not action.yes:
        if row.refused:
            raise Answered(f"Nothing was changed, because {row.name} had already been refused.")
        row.refused = True
        return say(f"{actor.name} decided not to let {row.name} play {side.name}.").aside()
    if tied_side is not None:
        act.require(
            False,
            f"{row.name} can't join another side, because they have played for {tied_side.name} "
            "in this game.",
        )
    seat_before = encounter.seat_of(row.user_id)
    lines = leave_seat(encounter, seat_before) if seat_before is not None and seat_before.side else []
    return _seat_on_side(act, row.user_id, row.name, side, [f"{actor.name} lets {row.name} in.", *lines])


# ------------------------------------------------------------------------------------ the status


def format_watchers(encounter: Encounter) -> list[str]:
    """Return who watches."""
    names = [row.name for row in encounter.seats() if row.role == "spectator"]
    names += [row.name for row in encounter.book.all(WatcherRow)]
    return [f"Watching: {', '.join(names)}"] if names else []


def list_requests(encounter: Encounter) -> list[AskRow]:
    """Return the requests to join that wait for an answer, the oldest first."""
    rows = [row for row in encounter.book.all(AskRow) if row.kind == JOIN and not row.refused]
    rows = [row for row in rows if encounter.book.get(SideRow, row.about) is not None]
    return sorted(rows, key=lambda row: row.entry)


def build_panel_requests(encounter: Encounter) -> tuple[list[str], tuple[Button, ...]]:
    """Return who asks to join and who decides, for the panel: the first requests, with what answers them."""
    rows = list_requests(encounter)
    lines, buttons = list[str](), list[Button]()
    for row in rows[:MAX_PANEL_REQUESTS]:
        lines.append(
            f"{row.name} asks to play {encounter.side(row.about).name}. "
            f"{_name_deciders(encounter, row)} has to decide."
        )
        let_button, refuse_button = _make_answer_buttons(encounter, row)
        buttons += [
            replace(let_button, label=f"Let {row.name} in"),
            replace(refuse_button, label=f"Don't let {row.name} in"),
        ]
    hidden_count = len(rows) - MAX_PANEL_REQUESTS
    if hidden_count > 0:
        lines.append(
            f"{times(hidden_count, 'more person asks', 'more people ask')} to join. See /encounter status."
        )
    return lines, tuple(buttons)


def build_status_requests(act: Act) -> tuple[list[str], tuple[Button, ...]]:
    """Return who asks to join, with buttons for the first requests if the person decides."""
    encounter = act.encounter
    lines: list[str] = []
    buttons: list[Button] = []
    for row in encounter.book.all(AskRow):
        if row.kind != JOIN or encounter.book.get(SideRow, row.about) is None:
            continue
        side = encounter.side(row.about)
        request_text = "asked to play {} but was not let in" if row.refused else "asks to play {}"
        lines.append(f"{row.name} {request_text.format(side.name)}.")
        may_decide = act.is_organiser or may_admit(encounter, row, act.actor.user_id)
        if may_decide and len(buttons) < MAX_STATUS_REQUESTS:
            let_button = _make_answer_buttons(encounter, row)[0]
            buttons.append(
                Button(f"Let {row.name} in", let_button.action, anytime=True, form=let_button.form)
            )
    return lines, tuple(buttons)
