"""Closing a window for reactions: no one reacts, the held action goes on, or the time is up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.actions import Action
from bot.replies.reply import Reply
from bot.store.book import Loaded
from bot.store.store import Store
from bot.table.act import Act, ActView
from bot.table.answering import Answered, Declined
from bot.table.carrying import Carrier, Settle
from bot.table.encounter import ENDED, Encounter, EncounterView
from bot.table.game import reaction_seconds
from bot.table.handlers import HANDLERS, Handler, Place
from bot.table.journal_actions import handles_specially
from bot.table.reaction_windows import (
    GoOn,
    LetPass,
    ReactionWindow,
    close_window,
    held_action,
    holder_of,
    keep_window,
    names_of_reactors,
    people_asked,
    reactors,
    wait_sentence,
    waits,
    window_lines,
    window_of,
)
from bot.table.request import Answer, Request
from rules.refusals import Forbidden, InvalidInput
from rules.wording import times

CLOSED = "Nothing was changed, because the time to react is over."


async def seconds_since(store: Store, scope: int, entry: int) -> int:
    """Return the seconds since an entry of the log was written, or put back by an undo or redo."""
    return max(0, store.now() - (await _written_ms(store, scope, entry) or store.now())) // 1000


async def _written_ms(store: Store, scope: int, entry: int) -> int:
    """Return when an entry was written or put back, in milliseconds since 1970, or 0 if it isn't there."""
    entry_then = await store.entry(scope, entry)
    if entry_then is None:
        return 0
    restored = await store.last_of_kind(scope, "undo", "redo")
    return max(entry_then.at_ms, restored.at_ms if restored else 0)


async def time_over_ms(store: Store, scope: int, encounter: Encounter) -> int:
    """Return when the time to react is over for those the game waits for, in milliseconds since 1970.

    0 if it waits for no reaction.
    """
    wait = waits(encounter) if encounter.row.turn and encounter.row.status != ENDED else None
    if wait is None or wait.limit is None:
        return 0
    asked_ms = await _written_ms(store, scope, wait.limit.entry)
    return asked_ms and asked_ms + reaction_seconds(encounter) * 1000


def let_pass(encounter: Encounter, models: Sequence[int], *, during: bool) -> None:
    """Remove models from the open window. The last one closes it, unless an action is held."""
    window = window_of(encounter)
    assert window is not None, "it is open"
    still_asked = tuple(number for number in reactors(encounter) if number not in models)
    passed = (*window.passed, *models) if during else window.passed
    keep_window(encounter, replace(window, cause=replace(window.cause, models=still_asked), passed=passed))
    if not still_asked and not window.held:
        close_window(encounter)


def _open(encounter: EncounterView, entry: int) -> ReactionWindow:
    window = window_of(encounter)
    if window is None or window.entry != entry or not (reactors(encounter) or window.held):
        raise Answered(CLOSED)
    return window


def _own_reactors(encounter: EncounterView, entry: int, user: int) -> tuple[int, ...]:
    """Return the person's models that may still react. Raises InvalidInput if there are none."""
    _open(encounter, entry)
    reactor_ids = reactors(encounter)
    if not reactor_ids:
        raise Answered(CLOSED)
    own_reactors = tuple(number for number in reactor_ids if encounter.plays(user, encounter.model(number)))
    if not own_reactors:
        raise InvalidInput(f"You have no model that can react. {wait_sentence(encounter)}")
    return own_reactors


def _may_let_pass(act: ActView, action: LetPass) -> None:
    """Refuse a person without a model that can react. See `May`."""
    _own_reactors(act.encounter, action.entry, act.actor.user_id)


def _may_go_on(act: ActView, action: GoOn) -> None:
    """Refuse a person of another side than the one that waits. See `May`."""
    _must_be_theirs(act.encounter, _open(act.encounter, action.entry), act.actor.user_id)


def _must_be_theirs(encounter: EncounterView, window: ReactionWindow, user: int) -> None:
    seat = encounter.seat_of(user)
    if seat is None or seat.side != window.cause.side:
        raise InvalidInput(f"Only {encounter.side(window.cause.side).name} can continue this action.")


@handles_specially(LetPass, Place.ENCOUNTER, may=_may_let_pass)
async def nobody_reacts(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Decline to react with the person's models; after the last one the held action happens."""
    action = request.action
    assert isinstance(action, LetPass)
    encounter = Encounter(loaded.book())
    window, reactor_ids = _open(encounter, action.entry), reactors(encounter)
    own_reactors = _own_reactors(encounter, action.entry, request.actor.user_id)
    names = names_of_reactors(encounter, own_reactors)
    sentence = f"{names} won't react{' in this activation' if action.during else ''}."
    if window.action is None or len(own_reactors) < len(reactor_ids):
        return await _close(carrier, loaded, request, own_reactors, sentence, during=action.during)
    return await _go_on(carrier, loaded, request, own_reactors, sentence, during=action.during)


@handles_specially(GoOn, Place.ENCOUNTER, may=_may_go_on)
async def go_on(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Go on with the action, because everyone has reacted or the others' time is over."""
    action = request.action
    assert isinstance(action, GoOn)
    encounter = Encounter(loaded.book())
    window = _open(encounter, action.entry)
    _must_be_theirs(encounter, window, request.actor.user_id)
    reactor_ids, sentence = reactors(encounter), ""
    if reactor_ids:
        seconds_gone = await seconds_since(carrier.store, loaded.scope.id, window.entry)
        seconds_left = reaction_seconds(encounter) - seconds_gone
        if seconds_left > 0:
            raise Forbidden(f"Wait {times(seconds_left, 'more second')}. {wait_sentence(encounter)}")
        sentence = f"{people_asked(encounter, reactor_ids)} ran out of time to react."
    if window.action is None:
        return await _close(carrier, loaded, request, reactor_ids, sentence)
    return await _go_on(carrier, loaded, request, reactor_ids, sentence)


async def _close(
    carrier: Carrier,
    loaded: Loaded,
    request: Request,
    models: Sequence[int],
    sentence: str,
    *,
    during: bool = False,
) -> Answer:
    """Close for models without a held action; while others may still react it is a minor step."""

    def run(act: Act, action: Action) -> Reply:
        let_pass(act.encounter, models, during=during)
        if reactors(act.encounter):
            return Reply((sentence, *window_lines(act.encounter))).minor()
        close_window(act.encounter)
        return Reply((sentence,))

    handler = Handler(run, Place.ENCOUNTER)
    return await carrier.carry_out(handler, loaded, request, request.action)


async def _go_on(
    carrier: Carrier,
    loaded: Loaded,
    request: Request,
    models: Sequence[int],
    sentence: str,
    *,
    during: bool = False,
) -> Answer:
    """Do what was held, as the person who asked it; if it can no longer be done, say why and close."""
    book = loaded.book()
    encounter = Encounter(book)
    window, held_back = window_of(encounter), held_action(encounter)
    assert window is not None, "it is open"
    reason = f"{encounter.model(window.cause.model).name} is out of play." if held_back is None else ""
    let_pass(encounter, models, during=during)
    close_window(encounter)
    if held_back is not None:
        held_request = replace(
            request, action=held_back, actor=holder_of(window, request.actor), reason=window.reason
        )
        try:
            return await carrier.carry_out(
                HANDLERS[held_back.command],
                loaded,
                held_request,
                held_back,
                book=book,
                settle=Settle(sentence),
            )
        except (Declined, InvalidInput, Forbidden) as refusal:
            reason = refusal.reply.lines[0] if isinstance(refusal, Declined) else refusal.sentence
    line = " ".join(
        filter(
            None,
            (sentence, f"The action that was waiting has been cancelled ({window.cause.what}).", reason),
        )
    )
    return await _close(carrier, loaded, request, models, line, during=during)
