"""The window for reactions: what is about to happen, who may still react, and what closes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, Protocol, runtime_checkable

from bot.actions import Action, Raw, from_json, part_of_doer, raw_of, to_json
from bot.replies.reply import Button, Next, Reply
from bot.store.rows import PendingRow, SecretRow
from bot.table.act import Act, Actor, ActView, Barred
from bot.table.asking.reading import with_numbers
from bot.table.board.routes import planned
from bot.table.encounter import Encounter, EncounterView
from bot.table.game import game, game_of, time_to_react
from bot.table.owners import ASKED, in_play
from bot.table.waits import TimeLimit, Wait, player_of, players_of
from rules.dice import Source
from rules.measure import Point
from rules.refusals import Forbidden, InvalidInput
from rules.wording import join_with_and

WINDOW = "window"
"""Kind of the row; everyone may read it."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The cause of a reaction by other players.

    what: a sentence without its full stop. side: the side that does it. models: the models that may react, by
    number. model: the model that does it, and target: its target, 0 for none in particular. trigger: the
    game's word for it. during: names the activation for which a player may let everything pass at once; empty
    if that is not possible. for_sides: each model is one of a side that may react itself, and isn't named.
    """

    what: str
    side: int
    models: tuple[int, ...]
    model: int = 0
    target: int = 0
    trigger: str = ""
    during: str = ""
    for_sides: bool = False


@dataclass(frozen=True, slots=True)
class ReactionWindow:
    """A window for reactions, as its row keeps it.

    entry: the number in the log of what opened it, from which the time runs. cause: see there; its models are
    those that have not let it pass. held: the action that waits, with the person who asked it (`holder`,
    `name`) and the reason of an override; empty if nothing is held. passed: models that let everything pass
    during this activation.
    """

    entry: int
    cause: Cause
    held: str = ""
    holder: int = 0
    name: str = ""
    reason: str = ""
    passed: tuple[int, ...] = ()

    @property
    def action(self) -> Action | None:
        """Return the action that is held."""
        if not self.held:
            return None
        command, text = self.held.split(" ", 1)
        return from_json(command, text)


@runtime_checkable
class Reacts(Protocol):
    """A game in which models react to what another side's models do."""

    def goes_on(self, action: Action) -> bool:
        """Return whether an action goes on with the game, so that it waits while a window is open."""
        ...

    def cause_of(self, act: Act, action: Action) -> Cause | None:
        """Return the cause for reactions in an action that is about to happen; None if no model may react."""
        ...

    def may_react(self, encounter: EncounterView, cause: Cause) -> Sequence[int]:
        """Return those of the cause's models that may still react, or still owe what they declared."""
        ...

    def reaction_buttons(self, encounter: EncounterView, cause: Cause) -> Sequence[Button]:
        """Return the buttons by which these models react."""
        ...


@dataclass(frozen=True, slots=True)
class LetPass(Action):
    """Do not react. entry: of the window. during: let everything pass until the end of the activation."""

    command = "react.pass"
    decision_of = ASKED

    entry: int = 0
    during: bool = False


@dataclass(frozen=True, slots=True)
class GoOn(Action):
    """Go on with the action that was held, once all have reacted or the time is up."""

    command = "react.on"
    decision_of = in_play("the side whose action is waiting")

    entry: int = 0

    for_all = True


def window_of(encounter: EncounterView) -> ReactionWindow | None:
    """Return the last window that was opened, whether or not anybody may still react in it."""
    return encounter.worked_out(window_of, lambda: _read(encounter))


def _row(encounter: EncounterView) -> SecretRow | None:
    return next((row for row in encounter.book.all(SecretRow) if row.kind == WINDOW), None)


def _read(encounter: EncounterView) -> ReactionWindow | None:
    row = _row(encounter)
    if row is None:
        return None
    content: dict[str, Any] = json.loads(row.content)
    cause = content.pop("cause")
    cause["models"] = tuple(cause["models"])
    return ReactionWindow(**{**content, "passed": tuple(content["passed"])}, cause=Cause(**cause))


def keep_window(encounter: Encounter, window: ReactionWindow) -> None:
    """Write the window into its row."""
    row = _row(encounter)
    if row is None:
        number = encounter.book.next_id(SecretRow)
        row = encounter.book.add(SecretRow(encounter.book.scope, number, 0, 0, WINDOW, "", revealed=True))
    row.side = window.cause.side
    row.content = json.dumps(asdict(window), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def close_window(encounter: Encounter) -> None:
    """Close the window; what models let pass for the whole activation is kept."""
    window, row = window_of(encounter), _row(encounter)
    if window is None or row is None:
        return
    if window.passed:
        no_cause = replace(window.cause, models=(), model=0)
        keep_window(encounter, ReactionWindow(window.entry, no_cause, passed=window.passed))
    else:
        encounter.book.remove(row)


def open_window(act: Act, cause: Cause, held_action: Action | None = None) -> bool:
    """Open a window for the models that another person plays; return whether there are any.

    held_action: the action that waits until the window is closed.
    """
    encounter = act.encounter
    reactor_ids, passed = _asked(act, cause)
    if not reactor_ids:
        return False
    window = ReactionWindow(act.entry, replace(cause, models=reactor_ids), passed=passed)
    if held_action is not None:
        actor = act.actor
        text = f"{held_action.command} {to_json(held_action)}"
        window = replace(window, held=text, holder=actor.user_id, name=actor.name, reason=act.reason)
    keep_window(encounter, window)
    return True


def _asked(act: Act, cause: Cause) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the models of another player, and those that let everything pass in this activation."""
    before = window_of(act.encounter)
    is_same = before is not None and cause.during and before.cause.during == cause.during
    passed = before.passed if before is not None and is_same else ()
    return tuple(number for number in played_by_others(act, cause.models) if number not in passed), passed


def played_by_others(act: ActView, models: Iterable[int]) -> tuple[int, ...]:
    """Return those of these models that another person plays and the person who asks does not.

    None if one person enters for all players here.
    """
    if act.enters_for_everybody:
        return ()
    encounter, user = act.encounter, act.actor.user_id
    seated = {seat.user_id for seat in encounter.players()}
    numbers = []
    for number in models:
        row = encounter.model(number)
        captain = encounter.captain(row.side)
        people = {row.owner_id, captain.user_id if captain is not None else 0}
        if user not in people and not people.isdisjoint(seated):
            numbers.append(number)
    return tuple(numbers)


def reactors(encounter: EncounterView) -> tuple[int, ...]:
    """Return the models that may still react in the open window; empty if none is open."""
    window, played = window_of(encounter), _reacting(encounter)
    if window is None or played is None or not window.cause.models:
        return ()
    return tuple(played.may_react(encounter, window.cause))


def _reacting(encounter: EncounterView) -> Reacts | None:
    return _reacts(encounter.row.system)


@cache
def _reacts(system: str) -> Reacts | None:
    played = game(system)
    return played if isinstance(played, Reacts) else None


def held_action(encounter: EncounterView) -> Action | None:
    """Return the action that is held; None if there is none, or the model that does it left play."""
    window = window_of(encounter)
    if window is None or not window.held:
        return None
    number = window.cause.model
    able = not number or any(row.id == number for row in encounter.models())
    return window.action if able else None


def held_way(encounter: Encounter) -> tuple[int, Sequence[Point]] | None:
    """Return the model whose move on the board is held, with the corners of its way; None if none is."""
    window, words = window_of(encounter), getattr(held_action(encounter), "where", None)
    if window is None or not words:
        return None
    try:
        return window.cause.model, planned(encounter, window.cause.model, str(words)).points
    except InvalidInput:
        return None


# ------------------------------------------------------------------------------------ what waits


def require_closed(act: ActView, action: Action) -> None:
    """Refuse actions that go on with the game while a model may react, or while a declared action is held.

    Changes of others' rolls by hand wait for a held action too. An organiser may let it pass.
    Raises Barred.
    """
    encounter = act.encounter
    window = window_of(encounter)
    if window is None or action.looks:
        return
    played = _reacting(encounter)
    if played is None:
        return
    reactor_ids = reactors(encounter)
    by_hand = action.waits_for_dice and bool(window.held)
    if not (by_hand or played.goes_on(action)):
        return
    if not by_hand and any(act.plays_on(encounter.model(number).side) for number in reactor_ids):
        return
    with act.overridable():
        if reactor_ids and not by_hand:
            raise Barred(f"{wait_sentence(encounter)} Wait for the answer.", "", *window_buttons(encounter))
        held_one = held_action(encounter) if by_hand or act.plays_on(window.cause.side) else None
        if held_one is not None and held_one.command != action.command:
            raise Barred(f"{window.cause.what}. Finish that first.", "", *window_buttons(encounter))


def hold(act: Act, asked_action: Action, action: Action, attempt: Callable[[Act], Reply]) -> Reply | None:
    """Delay an action to which a model may react before it happens. Returns None if no model may.

    asked_action: as it was asked; it is held with its models by number. attempt: tries it on an act without
    dice; one that is refused, or only asks something, is not held.
    """
    encounter = act.encounter
    played = _reacting(encounter)
    cause = played.cause_of(act, action) if played is not None and not act.book.is_touched else None
    if cause is None or not _asked(act, cause)[0]:
        return None
    asked_action = with_numbers(asked_action, action)
    if not _would_happen(act, asked_action, attempt):
        return None
    open_window(act, cause, asked_action)
    act.canonical = asked_action
    return window_reply(act.encounter).minor()


class _WouldRoll(Exception):
    """Dice would be thrown: nothing refused the action."""


def _no_dice(act: Act) -> Source:
    raise _WouldRoll


def _would_happen(act: Act, asked_action: Action, attempt: Callable[[Act], Reply]) -> bool:
    """Return whether an action would do something, tried on rows that are put back."""
    trial = Act(act.book, act.actor, asked_action, _no_dice, reason=act.reason, extra=act.extra, tries=True)
    trial.entry, trial.moved = act.entry, act.moved
    try:
        attempt(trial)
        return act.book.is_touched
    except _WouldRoll:
        return True
    except (InvalidInput, Forbidden):
        return False
    finally:
        act.book.put_back()


def require_no_dice(act: ActView) -> None:
    """Refuse what would change a roll that waits for real dice. Raises InvalidInput."""
    row = next(iter(act.book.all(PendingRow)), None)
    if row is not None:
        raise InvalidInput(f"Wait until {row.thrower or 'someone'} has entered the dice, or cancel the roll.")


# ------------------------------------------------------------------------------------ what is said


def people_asked(encounter: EncounterView, models: Iterable[int]) -> str:
    """Return the people who play these models, by name."""
    return " and ".join(dict.fromkeys(player_of(encounter, number) for number in models))


def wait_words(encounter: EncounterView) -> str:
    """Return who may still react, with which models, without a full stop."""
    return f"{people_asked(encounter, reactors(encounter))} can react{_with_models(encounter)}"


def _with_models(encounter: EncounterView) -> str:
    window, reactor_ids = window_of(encounter), reactors(encounter)
    is_for_sides = window is not None and window.cause.for_sides
    return "" if is_for_sides else f" with {names_of_reactors(encounter, reactor_ids)}"


def names_of_reactors(encounter: EncounterView, models: Sequence[int]) -> str:
    """Return the names of these models, or of their sides if the sides react themselves."""
    window, rows = window_of(encounter), [encounter.model(number) for number in models]
    if window is not None and window.cause.for_sides:
        return join_with_and([encounter.side(row.side).name for row in rows])
    return join_with_and([row.name for row in rows])


def wait_sentence(encounter: EncounterView) -> str:
    """Return who may still react, with which models, as a sentence."""
    return f"{wait_words(encounter)}."


def window_wait(encounter: Encounter) -> Wait | None:
    """Return what the open window waits for, as the panel says it."""
    window = window_of(encounter)
    if window is None:
        return None
    reactor_ids = reactors(encounter)
    if reactor_ids:
        because = f"because {window.cause.what} ({time_to_react(encounter)})"
        return Wait(
            people_asked(encounter, reactor_ids),
            f"decide whether to react{_with_models(encounter)}, {because}",
            owed=True,
            limit=TimeLimit(window.entry, GoOn(window.entry)),
        )
    if held_action(encounter) is not None:
        return Wait(players_of(encounter, [window.cause.side]), "press Go on", owed=True)
    return None


def waits(encounter: Encounter) -> Wait | None:
    """Return what the game waits for: the open window first, then what the game says."""
    return encounter.worked_out(waits, lambda: window_wait(encounter) or game_of(encounter).waits(encounter))


def window_reply(encounter: Encounter) -> Reply:
    """Return the question to those who may react: what is about to happen, who may react, and how long."""
    window = window_of(encounter)
    assert window is not None, "it has just been opened"
    lines = (f"{window.cause.what}.", *window_lines(encounter))
    return Reply(lines, buttons=window_buttons(encounter))


def window_lines(encounter: Encounter) -> tuple[str, ...]:
    """Return the lines about who may react and for how long; empty if no model may."""
    if not reactors(encounter):
        return ()
    return (Next(f"{wait_words(encounter)} ({time_to_react(encounter)})."),)


def window_buttons(encounter: EncounterView) -> tuple[Button, ...]:
    """Return the buttons that close the window: each reaction, no reaction; then going on."""
    window, played = window_of(encounter), _reacting(encounter)
    if window is None or played is None:
        return ()
    if not reactors(encounter):
        go_on = Button("Go on", GoOn(window.entry), "main", anytime=True)
        return (go_on,) if held_action(encounter) is not None else ()
    lasting = Button("Nobody reacts in this activation", LetPass(window.entry, during=True), anytime=True)
    return (
        *played.reaction_buttons(encounter, window.cause),
        Button("Nobody reacts", LetPass(window.entry), "main", anytime=True),
        *([lasting] if window.cause.during else []),
    )


def without_waiting(encounter: Encounter, buttons: Sequence[Button]) -> tuple[Button, ...]:
    """Return the panel's buttons without those that wait until the window is closed."""
    played = _reacting(encounter) if window_buttons(encounter) else None
    if played is None:
        return tuple(buttons)
    reactor_names = {f"#{number}" for number in reactors(encounter)}
    return tuple(
        button
        for button in buttons
        if not played.goes_on(button.action) or not reactor_names.isdisjoint(_names(button.action))
    )


def _names(action: Action) -> list[Raw]:
    part = part_of_doer(action.command)
    return [raw_of(action).get(part.name)] if part is not None else []


def holder_of(window: ReactionWindow, actor: Actor) -> Actor:
    """Return the person whose action is held, as if that person asked it here."""
    if window.holder == actor.user_id:
        return actor
    return replace(actor, user_id=window.holder, name=window.name, manages=bool(window.reason))
