"""Encounters: started when every side is ready, shown, led on and ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.store.book import Book
from bot.store.rows import CrewRow, EncounterRow, ReadyRow, SeatRow, SideRow
from bot.store.store import Store, running_game
from bot.table.act import RUNS_ALREADY, Act, Actor, ActView, Barred
from bot.table.answering import Answered
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.encounter import NO_SIDE, SETUP, Encounter
from bot.table.game import AsksFirst, Game, game, game_of
from bot.table.handlers import Place, handles
from bot.table.journal.disputes import list_open_questions, warn_of_open_questions
from bot.table.names import check_name
from bot.table.offers.forms import title_of
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE, PLAYER, SELF, organiser
from bot.table.reaction_windows import waits
from bot.table.realdice import ask_waiting_roll_first
from bot.table.request import OVERRIDE_FORM
from bot.table.rolling.dice_settings import VERIFY, open_all
from bot.table.rosters.builder import PLAY_BUTTONS
from bot.table.rosters.crews import Around
from bot.table.rosters.gate import require_legal
from bot.table.session.arrivals import (
    CrewAndMembers,
    build_welcome,
    format_model_count,
    load_crew,
    muster_crew,
    muster_sample_crew,
    seat,
)
from bot.table.session.end_summary import (
    Course,
    draw_end_picture,
    format_counts_by_turn,
    format_losses,
    format_worst_moments,
    has_turns,
    list_follow_ups,
    load_course,
)
from bot.table.session.joining import BringCrew, build_status_requests, format_watchers
from bot.table.session.joining import JoinEncounter as JoinEncounter
from bot.table.session.whereabouts import MoveEncounter
from bot.table.waits import opening, unready
from rules.dice import commitment
from rules.refusals import InvalidInput
from rules.wording import join_with_and


@dataclass(frozen=True, slots=True)
class Ready(Action):
    """Mark your side as ready to begin."""

    command = "encounter.ready"
    titled = "Ready"
    decision_of = PLAYER


READY = Button("Ready", Ready(), "main", anytime=True)


@handles(Ready)
def declare_ready(act: Act, action: Ready) -> Reply:
    """Note it beside the game, because it is not a step."""
    encounter, seat = act.encounter, act.seat
    if encounter.row.status != SETUP:
        raise InvalidInput("You no longer need to press Ready, because the game has already begun.")
    if seat is None or not seat.side:
        raise InvalidInput("Join a side first with /encounter join.")
    if not _note_ready(encounter, seat):
        raise InvalidInput(f"You have already pressed Ready. {_format_waiting(encounter)}")
    side = encounter.side(seat.side)
    announcement = Reply(
        (f"{seat.name} is ready to begin ({side.name}).", _format_waiting(encounter))
    ).aside()
    return replace(announcement, also=_ask_left_to_do(act))


def _ask_left_to_do(act: Act) -> tuple[Reply, ...]:
    """Return what the ready player could still do, for that player alone: the question that Begin asks."""
    played_game = game_of(act.encounter)
    question = played_game.before_next(act) if isinstance(played_game, AsksFirst) else None
    buttons = (
        [button for button in question.buttons if not isinstance(button.action, NextStep)]
        if question is not None
        else []
    )
    return (replace(question, buttons=tuple(buttons)),) if question is not None and buttons else ()


def _note_ready(encounter: Encounter, seat: SeatRow) -> bool:
    """Note that a player is ready; whether that was new."""
    row = encounter.book.get(ReadyRow, seat.user_id)
    if row is not None and row.side == seat.side:
        return False
    if row is not None:
        encounter.book.remove(row)
    encounter.book.add(ReadyRow(encounter.book.scope, seat.user_id, seat.side))
    return True


def _note_all_ready(encounter: Encounter) -> None:
    """Note, as the game begins, that every side is ready; a step that only asks notes nothing."""
    for side in unready(encounter) if encounter.row.status == SETUP else ():
        _note_ready(encounter, encounter.players(side.id)[0])


def _format_waiting(encounter: Encounter) -> str:
    names = [_format_players(encounter, side) for side in unready(encounter)]
    return f"Not ready yet: {', '.join(names)}." if names else "Everyone is ready. Press Begin."


def _format_players(encounter: Encounter, side: SideRow) -> str:
    return f"{join_with_and([seat.name for seat in encounter.players(side.id)])} ({side.name})"


def require_ready(act: Act) -> None:
    """Refuse to begin while a side with another player is still choosing. Raises Barred.

    The person who begins is ready, and so are all if an organiser let it pass: see `_note_all_ready`.
    """
    encounter, user = act.encounter, act.actor.user_id
    if encounter.row.status != SETUP:
        return
    unready_sides = unready(encounter)
    other_sides = [
        side for side in unready_sides if user not in {seat.user_id for seat in encounter.players(side.id)}
    ]
    if other_sides:
        names = join_with_and([_format_players(encounter, side) for side in other_sides])
        verb = "isn't" if len(other_sides) == 1 and " and " not in names else "aren't"
        own_side = encounter.book.get(ReadyRow, user) is None and act.seat is not None and act.seat.side
        buttons = (READY,) if own_side else ()
        with act.overridable():
            raise Barred(f"{names} {verb} ready yet. The game begins when every side is ready.", "", *buttons)


group("encounter", "The game in this channel")

MAX_TURNS = 50


THREAD_BUTTON = Button("Play in a thread", MoveEncounter(thread=True), anytime=True)
"""Offered where a game begins: it is played in a thread of its own."""

LESSONS: list[Action] = []
"""Functions that show a sample game, step by step."""


@dataclass(frozen=True, slots=True)
class StartEncounter(Action):
    """Start a game in this channel.

    turns: 0 for the game's own number. crew: the scope of a crew to bring, or 0.
    """

    command = "encounter.start"
    typed = "encounter start"
    titled = "Start a game"
    decision_of = SELF

    system: str = fields.system()
    turns: int = fields.whole("Number of turns", 1, MAX_TURNS, default=0)
    crew: int = fields.own_crew("Your crew")
    name: str = fields.text("Name of the game", None)


@dataclass(frozen=True, slots=True)
class StartDemo(Action):
    """Try a game with two sample crews."""

    command = "demo"
    typed = "demo"
    titled = "Try a game"
    decision_of = SELF

    system: str = fields.system()


START_GAME = Button(title_of(StartEncounter), StartEncounter(), anytime=True, asks=True)
START_DEMO = Button(title_of(StartDemo), StartDemo(), anytime=True, asks=True)
"""Begin a game, its form first: what is played here is chosen there."""


def make_next_game_button(encounter: Encounter) -> Button:
    """Return the button that starts another game of the same kind."""
    return replace(START_GAME, action=StartEncounter(encounter.row.system))


def build_end_buttons(encounter: Encounter) -> list[Button]:
    """Return what is offered when an encounter has ended, the next one last."""
    return [*list_follow_ups(encounter), make_next_game_button(encounter)]


@dataclass(frozen=True, slots=True)
class ShowEncounter(Action):
    """Show the state of the game (visible only to you)."""

    command = "encounter.status"
    typed = "encounter status"
    titled = "Status"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class NextStep(Action):
    """Advance the game: begin it, end the turn, or start the next turn.

    asks: first ask if something is still to be done. begins: it only begins the game, and stays valid until
    that is done, even if more players join.
    """

    command = "encounter.next"
    typed = "encounter next"
    titled = "Advance the game"
    decision_of = PLAYER

    asks: bool = False
    begins: bool = False

    def as_typed_action(self) -> NextStep:
        """Return the action that asks first."""
        return replace(self, asks=True)


BEGIN = NextStep(asks=True, begins=True)
"""Asked by a button that is good until the game begins."""


@dataclass(frozen=True, slots=True)
class AskEnd(Action):
    """End the game (shows the result and asks you to confirm)."""

    command = "encounter.ask_end"
    typed = "encounter end"
    titled = "End the game..."
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class EndEncounter(Action):
    """End the encounter, as the answer to `AskEnd`: the result, and the seed of its dice."""

    command = "encounter.end"
    decision_of = organiser("end the game")


def _may_begin(act: ActView, action: Action) -> None:
    if act.has_encounter:
        raise InvalidInput("\n".join(RUNS_ALREADY))


def build_play_buttons(crew: CrewRow, facts: Around) -> list[Button]:
    """Return a button that brings the crew into the game here or starts one with it, or no button."""
    label, current_game = "Play with this crew", facts.running
    if current_game is None:
        return [Button(label, StartEncounter(crew.system, crew=crew.scope), "main", anytime=True)]
    if current_game.system != crew.system or current_game.status != SETUP or crew.scope in facts.brought:
        return []
    return [Button(label, BringCrew(current_game.scope, crew.scope), "main", anytime=True)]


PLAY_BUTTONS.append(build_play_buttons)


def _create_encounter(act: Act, system: str, turns: int, name: str) -> tuple[Encounter, Game]:
    _may_begin(act, act.action)
    played_game = game(system)
    if turns and not 1 <= turns <= MAX_TURNS:
        raise InvalidInput(f"A game must last 1 to {MAX_TURNS} turns (you entered {turns}).")
    actor = act.actor
    act.book.add(
        EncounterRow(
            act.book.scope,
            channel_id=actor.channel_id,
            guild_id=actor.guild_id,
            system=system,
            name=check_name(name) if name else played_game.name,
            organiser_id=actor.user_id,
            commitment=commitment(act.seed),
            turns=turns or played_game.turns,
        )
    )
    return act.encounter, played_game


async def _load_crew(store: Store, actor: Actor, action: StartEncounter) -> CrewAndMembers | None:
    return await load_crew(store, actor, action.crew)


@handles(StartEncounter, Place.NEW_ENCOUNTER, beforehand=_load_crew, may=_may_begin)
def start_encounter(act: Act, action: StartEncounter) -> Reply:
    """Start an encounter; its dice are bound before anything is rolled."""
    encounter, played_game = _create_encounter(act, action.system, action.turns, action.name)
    lines = [f"{encounter.row.name}: the game has been created."]
    side, dice, also = 0, "", tuple[Reply, ...]()
    if act.extra is not None:
        crew, members, dice = act.extra
        if crew.owner_id != act.actor.user_id:
            raise InvalidInput(f"{crew.name} is not your crew.")
        require_legal(act, crew, members)
        crew_side = muster_crew(act, played_game, crew, members, act.actor.user_id)
        side, also = crew_side.id, build_welcome(act, crew_side)
        lines.append(f"{crew.name}: {format_model_count(len(encounter.models(side)))}.")
    seat(act, act.actor.user_id, act.actor.name, side, "captain" if side else "player", dice)
    subject = "Others" if side else "You and other players"
    lines += [f"{subject} can join with /encounter join. Then press Begin.", VERIFY]
    join_buttons = () if side else (Button("Join...", JoinEncounter(), "main", anytime=True),)
    return replace(say(*lines, buttons=(*join_buttons, THREAD_BUTTON)), also=also)


@handles(StartDemo, Place.NEW_ENCOUNTER, may=_may_begin)
def start_demo(act: Act, action: StartDemo) -> Reply:
    """Start an encounter with the two sample crews.

    The person who starts it plays both until another joins.
    """
    encounter, played_game = _create_encounter(act, action.system, 0, "")
    lines = [f"This is a sample game of {played_game.name}."]
    for sample in played_game.sample_crews():
        side = muster_sample_crew(act, played_game, sample, act.actor.user_id)
        lines.append(f"{side.name}: {format_model_count(len(encounter.models(side.id)))}.")
    seat(act, act.actor.user_id, act.actor.name, encounter.sides()[0].id, "captain")
    lines.append(f"{act.actor.name} plays both sides until someone joins. Press Begin to start.")
    begin_button = Button("Begin", BEGIN, "main", anytime=True)
    lessons = [Button("Show me how to play", lesson, anytime=True) for lesson in LESSONS]
    return say(*lines, VERIFY, buttons=[begin_button, *lessons, THREAD_BUTTON])


@handles(ShowEncounter, prepare=lambda act, action: act.encounter)
def show(act: Act, action: ShowEncounter) -> Reply:
    """Show the state of the game, with a line for every model."""
    encounter = act.encounter
    played_game = game_of(encounter)
    lines = [*opening(encounter, waits, act.moved), *played_game.panel(encounter).lines]
    for side in encounter.sides():
        people = [seat.name for seat in encounter.players(side.id)]
        lines.append(f"**{side.name}** ({', '.join(people) or 'nobody'})")
        lines += [played_game.model_summary(encounter, model) for model in encounter.models(side.id)]
    request_lines, buttons = build_status_requests(act)
    return Reply((*lines, *format_watchers(encounter), *request_lines), private=True, buttons=buttons)


@handles(NextStep)
def next_step(act: Act, action: NextStep) -> Reply:
    """Advance the game."""
    if action.begins and act.encounter.row.turn:
        raise Answered("Nothing was changed, because the game has already begun.")
    if not act.encounter.sides():
        raise InvalidInput(NO_SIDE)
    played_game = game_of(act.encounter)
    require_ready(act)
    act.canonical = NextStep()
    first_throw = ask_waiting_roll_first(act)
    if first_throw is not None:
        return first_throw
    should_ask = action.asks and not act.tries
    question = played_game.before_next(act) if should_ask and isinstance(played_game, AsksFirst) else None
    if question and not _is_refused(act):
        return question
    _note_all_ready(act.encounter)
    words = open_all(act)
    return played_game.next_step(act).plus(*words)


def _is_refused(act: Act) -> bool:
    """Return whether the game can't go on at all, so that no question about open things is asked."""
    return bool(Looking(Book(act.book.scope, act.book.snapshot()), act.actor).refusal(NextStep()))


@handles(AskEnd)
def ask_end(act: Act, action: AskEnd) -> Reply:
    """Show only the organiser what the result would be; nothing ends until it is confirmed."""
    encounter = act.encounter
    act.require(act.is_organiser, "Only the organiser can end the game.")
    if encounter.row.status == "ended":
        raise InvalidInput("This game has ended.")
    end_button = Button(
        "End the game", EndEncounter(), "danger", form=None if act.organises else OVERRIDE_FORM
    )
    return say(
        f"End {encounter.row.name} now?",
        *game_of(encounter).standing(encounter),
        *warn_of_open_questions(encounter),
        "Ending the game can't be undone. It reveals everything that was hidden.",
        private=True,
        buttons=[end_button, Button("Status", ShowEncounter())],
    )


@dataclass(frozen=True, slots=True)
class _Past:
    """The course of a game, and the people in its journal, in the order of their numbers."""

    course: Course = field(default_factory=Course)
    people: Sequence[int] = ()


async def _load_past(store: Store, actor: Actor, action: EndEncounter) -> _Past:
    loaded = await running_game(store, actor.channel_id)
    if loaded is None:
        return _Past()
    scope, encounter = loaded.scope.id, Encounter(loaded.book())
    game = game_of(encounter)
    lives = {model.id: game.life(model) for model in encounter.models(gone=True)}
    course = await load_course(store, scope, lives)
    return _Past(course, await store.people_of(scope, actor.user_id))


@handles(EndEncounter, beforehand=_load_past)
def end_encounter(act: Act, action: EndEncounter) -> Reply:
    """End the game: show the result and how it went, and let everyone check the dice."""
    encounter = act.encounter
    encounter.row.status = "ended"
    encounter.row.revealed_seed = act.seed.hex()
    past: _Past = act.extra
    course = past.course
    encounter.row.people = " ".join(map(str, past.people))
    picture = draw_end_picture(encounter, course)
    reply = say(
        f"{encounter.row.name}: the game has ended.",
        *game_of(encounter).ending(encounter),
        *format_losses(encounter),
        *format_worst_moments(encounter, course),
        *(() if picture is None or has_turns(picture) else format_counts_by_turn(encounter, course)),
        *list_open_questions(encounter),
        VERIFY,
        buttons=build_end_buttons(encounter),
    )
    return replace(reply, files=(picture,) if picture else ())
