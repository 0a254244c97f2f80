"""The first line of a game's panel: what it waits for, and from which players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.replies.reply import Button
from bot.store.rows import AskRow, PendingRow, ReadyRow, SeatRow, SideRow, WatcherRow
from bot.table.act import ANY_PLAYER, EACH_PLAYER, ENTERED_BY, Act
from bot.table.encounter import ENDED, SETUP, Encounter, EncounterView
from rules.wording import possessive

JOIN = "join"
"""Kind of the rows that hold a request to join."""


ONE_ENTERS = "Any player can enter rolls and answers for everyone."
"""The line of the panel and the status if one person enters everything."""

THE_ORGANISER = "the organiser"
"""Stands within a sentence for an organiser whose name is not known here."""

MAX_OPENING = 2
"""Lines at the head of the panel while it says two things at once."""


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """The end of a wait by the clock.

    entry: the entry by which someone was asked, from which the time to react runs. action: what another
    person may do when it is over.
    """

    entry: int
    action: Action


@dataclass(frozen=True, slots=True)
class Wait:
    """Something that the game waits for.

    whom: a name, empty for any player. what: the thing to do; it begins with a verb and has no full stop.
    owed: an answer without which nothing else goes on. side: whose model it is, by number, 0 where it isn't
    one model's. tells: `what` is a sentence or a question of its own instead. limit: see `TimeLimit`.
    """

    whom: str
    what: str
    owed: bool = False
    side: int = 0
    tells: bool = False
    limit: TimeLimit | None = None

    @property
    def sentence(self) -> str:
        """Return the panel's sentence."""
        return f"Waiting for {self.besides}" if self.whom else self.besides

    @property
    def besides(self) -> str:
        """Return the same below another."""
        if self.tells:
            return f"{self.whom}. {self.what}" if self.whom else f"Anyone can answer: {self.what}"
        stop = "" if self.what.endswith("...") else "."
        return f"{self.whom} to {self.what}{stop}" if self.whom else f"Anyone can {self.what}{stop}"


def players_of(encounter: EncounterView, sides: Iterable[int]) -> str:
    """Return the players of these sides, by name; the side itself if it has none."""
    wanted = set(sides)
    names = [seat.name for seat in encounter.seats() if seat.side in wanted and seat.role != "spectator"]
    if not names:
        names = [encounter.side(side).name for side in sorted(wanted)]
    return " and ".join(dict.fromkeys(names))


def player_of(encounter: EncounterView, model: int) -> str:
    """Return who plays a model, by name: its owner, else who plays its side."""
    row = encounter.model(model)
    owner = encounter.seat_of(row.owner_id) if row.owner_id else None
    return owner.name if owner is not None else players_of(encounter, [row.side])


def wait_of_model(
    encounter: Encounter, model: int, what: str, *, owed: bool = False, limit: TimeLimit | None = None
) -> Wait:
    """Return the wait for the player of a model, which knows the side of the model."""
    side = encounter.model(model).side
    return Wait(player_of(encounter, model), what, owed, side, limit=limit)


def organiser_of(encounter: Encounter) -> str:
    """Return who leads the game on, by name where it is known here."""
    organiser = encounter.row.organiser_id
    row = encounter.seat_of(organiser) or encounter.book.get(WatcherRow, organiser)
    return row.name if row is not None else THE_ORGANISER


def name_of(encounter: Encounter, user_id: int) -> str:
    """Return a person's name as it is known here, or else as Discord shows it, without a mention."""
    row = encounter.seat_of(user_id) or encounter.book.get(WatcherRow, user_id)
    return row.name if row is not None else f"<@{user_id}>"


def how_it_ends(act: Act) -> str:
    """Return how the game is ended by the person who asks, or who ends it."""
    if act.is_organiser:
        return "Use /encounter end"
    name = organiser_of(act.encounter)
    return f"{'The organiser' if name == THE_ORGANISER else name} can end the game now"


def people(encounter: Encounter, user_ids: Iterable[int]) -> str:
    """Return these people by name; the organiser speaks for a person who isn't known here."""
    known: list[AskRow | WatcherRow | SeatRow] = [*encounter.book.all(AskRow)]
    known += [*encounter.book.all(WatcherRow), *encounter.seats()]
    names = {one.user_id: one.name for one in known}
    return " and ".join(names.get(one) or organiser_of(encounter) for one in user_ids)


def asked_back(encounter: Encounter, moved: int) -> AskRow | None:
    """Return the last request to undo or redo that waits for an answer; None if the game has gone on since.

    moved: the entry by which the game last went on.
    """
    rows = [row for row in encounter.book.all(AskRow) if row.kind in ("undo", "redo") and not row.refused]
    return max((row for row in rows if row.entry > moved), key=lambda row: row.entry, default=None)


def one_side_left(encounter: Encounter) -> bool:
    """Return whether only one side, or none, has models in play, once the game has begun."""
    return bool(encounter.row.turn) and sum(bool(encounter.models(side.id)) for side in encounter.sides()) < 2


def to_end(encounter: Encounter, also: str = "") -> Wait:
    """Return a game that is over waits for its organiser to end it. also: what may be done instead."""
    return Wait(organiser_of(encounter), f"end the game{f', or press {also}' if also else ''}")


def first_line(encounter: Encounter, waits: Callable[[Encounter], Wait | None], moved: int) -> str:
    """Return the sentence; empty where nothing is waited for. waits: what the game says of itself. moved: see
    `asked_back`."""
    if encounter.row.status == ENDED:
        return ""
    wait = awaited(encounter, waits, moved)
    return wait.sentence if wait is not None else ""


def second_line(encounter: Encounter, waits: Callable[[Encounter], Wait | None], moved: int) -> str:
    """Return what else the game waits for while a request is open; otherwise empty."""
    if encounter.row.status == ENDED or _word(encounter, moved) is None:
        return ""
    wait = _next(encounter, waits)
    if wait is None:
        return ""
    return f"Also waiting for {wait.besides}" if wait.whom else wait.besides


def awaited(encounter: Encounter, waits: Callable[[Encounter], Wait | None], moved: int) -> Wait | None:
    """Return what the game waits for first; None for nothing. See `first_line`."""
    return _word(encounter, moved) or _next(encounter, waits)


def people_named(encounter: Encounter, whom: str) -> tuple[int, ...]:
    """Return the ids of the players named in a wait, or none if two of them have the same name."""
    players = {seat.user_id: seat.name for seat in encounter.players()}
    found = [one for one, name in players.items() if f" and {name} and " in f" and {whom} and "]
    return tuple(found) if len({players[one] for one in found}) == len(found) else ()


def named_for(button: Button, names: Sequence[str]) -> Button:
    """Return a button with the names of those who alone may press it."""
    if not names:
        return button
    only, label = f"only {' and '.join(names)}", button.label
    return replace(button, label=f"{label[:-1]}, {only})" if label.endswith(")") else f"{label} ({only})")


def for_others(button: Button, names: Sequence[str]) -> Button:
    """Return the same button, which is not lit."""
    named = named_for(button, names)
    return replace(named, style="plain") if names and button.style == "main" else named


def _next(encounter: Encounter, waits: Callable[[Encounter], Wait | None]) -> Wait | None:
    wait = _real_dice(encounter)
    if wait is not None:
        return wait
    asked = waits(encounter)
    answered = asked if asked is not None and asked.owed else _players(encounter, asked)
    return answered or asked or _begin(encounter)


def opening(encounter: Encounter, waits: Callable[[Encounter], Wait | None], moved: int) -> Sequence[str]:
    """Return the first lines of what is shown of a game, with further lines if there is room."""
    first = first_line(encounter, waits, moved)
    lines = [first] if first else []
    besides = second_line(encounter, waits, moved)
    more = [besides] if besides else []
    said = [*lines, *more] if len(lines) + len(more) <= MAX_OPENING else lines
    together = encounter.setting(ENTERED_BY, EACH_PLAYER) == ANY_PLAYER and encounter.row.status != ENDED
    return [*said, *[ONE_ENTERS]] if together else said


def _word(encounter: Encounter, moved: int) -> Wait | None:
    row = asked_back(encounter, moved)
    if row is None:
        return None
    return Wait(
        people(encounter, map(int, row.of.split())), f"answer {possessive(row.name)} {row.kind} request"
    )


def _real_dice(encounter: Encounter) -> Wait | None:
    """Real dice, from who throws them; from who rolls, where a version before asked for them."""
    for row in encounter.book.all(PendingRow):
        if row.wanted:
            return Wait(row.thrower, f"roll {row.wanted}")
        seat = encounter.seat_of(row.user_id)
        if seat is not None:
            return Wait(seat.name, "enter the dice")
    return None


def _players(encounter: Encounter, asked: Wait | None) -> Wait | None:
    """Return that each side needs a player, before the first turn; otherwise what any player does next.

    asked: what the game waits for.
    """
    if encounter.row.turn:
        return None
    sides = [side.id for side in encounter.sides() if encounter.models(side.id)]
    free = [encounter.side(side).name for side in sides if encounter.captain(side) is None]
    if len(sides) < 2:
        return Wait("another player", "press Join...")
    if free:
        following = asked.what if asked is not None and not asked.whom else f"press {beginning(encounter)}"
        return Wait(f"a player for {free[0]}", f"Press Join..., or {following}.", tells=True)
    return None


def unready(encounter: Encounter) -> list[SideRow]:
    """Return the sides whose players have not pressed Ready.

    Empty while one person plays alone, or if one person enters for all players.
    """
    one_enters = encounter.setting(ENTERED_BY, EACH_PLAYER) == ANY_PLAYER
    if one_enters or len({seat.user_id for seat in encounter.players() if seat.side}) < 2:
        return []
    said = {(row.user_id, row.side) for row in encounter.book.all(ReadyRow)}
    played = {side.id: encounter.players(side.id) for side in encounter.sides() if encounter.models(side.id)}
    waiting = [number for number, seats in played.items() if seats]
    ready = {number for number in waiting if any((seat.user_id, number) in said for seat in played[number])}
    return [encounter.side(number) for number in waiting if number not in ready] if len(waiting) > 1 else []


def beginning(encounter: Encounter, label: str = "Begin") -> str:
    """Return the button that leads on to the first turn: Ready while several sides are still choosing."""
    return "Ready" if len(unready(encounter)) > 1 else label


def _begin(encounter: Encounter) -> Wait | None:
    """Begin, from the organiser; Ready, from the sides that are still choosing."""
    if encounter.row.turn:
        return None
    choosing = unready(encounter) if encounter.row.status == SETUP else []
    if choosing:
        return Wait(players_of(encounter, [side.id for side in choosing]), f"press {beginning(encounter)}")
    return Wait(organiser_of(encounter), "press Begin")
