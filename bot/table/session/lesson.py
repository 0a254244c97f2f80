"""Show me: the next step of a game to try, done before the reader's eyes, with where it would be pressed.

Each step is an action of the game as anybody would ask it, chosen from what the table offers now; so the game
is a real one, and the reader can take over, or leave, at any time. Knows no rule of any game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from bot.actions import ACTIONS, Action, BadId, done_by, part_of, part_of_doer, parts, with_text
from bot.replies.reply import Button, Menu, Reply, reply_from_json
from bot.store.book import Loaded
from bot.table.act import Actor
from bot.table.answering import Declined
from bot.table.carrying import Carrier
from bot.table.encounter import ENDED, Encounter
from bot.table.game import Hints, Shortens, game_of
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.history import Undo
from bot.table.journal_actions import SPECIAL, handles_specially
from bot.table.offers.forms import title_of
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE
from bot.table.request import Answer, Request
from bot.table.session.encounters import LESSONS, JoinEncounter, NextStep
from bot.table.session.possible_actions import list_acting
from bot.table.session.whereabouts import MoveEncounter
from rules.dice import DiceError, TooLarge
from rules.refusals import Forbidden, InvalidInput

MAX_STEPS = 30
MAX_TRIES = 12
"""Ways to go on that are tried for one step."""

START = "start"
FRESH = ""
MOVED = "moved"
ODDS = "odds"
ROLLED = "rolled"
UNDONE = "undone"
AGAIN = "again"
SHORT = "short"
ENDING = "ending"
OVER = "over"
LEFT = "left"

SKIPPED_COMMANDS = frozenset(
    {
        Undo.command,
        JoinEncounter.command,
        MoveEncounter.command,
        "redo",
        "log",
        "now",
        "why",
        "lesson",
        "fresh",
    }
)
"""Commands of buttons that lead nowhere in a lesson."""

MAX_ACTING = 3
"""Models that are tried where several may act."""

LINE_WIDTH = 38

MOVE_TITLES = ("Move", "Order")
"""The names of a move on the buttons of the games."""

TARGET_FIELDS = frozenset({"target", "opponent", "second"})
"""Names of fields for the model that an action is done to."""

INTRODUCTION = (
    "This lesson plays a round of this game, one step at a time, and says which buttons you would press. "
    "Nothing happens until you press Next step. You can undo each step, and leave at any time."
)

CLOSING = (
    "You can play on from here. The panel shows the likely actions, and More... shows all others. /help "
    "tells you what the game is waiting for, and /undo undoes the last action."
)

REFUSALS = (Declined, Forbidden, InvalidInput, DiceError, TooLarge, BadId)


@dataclass(frozen=True, slots=True)
class ShowMe(Action):
    """Do the next step of the game before the reader's eyes, and tell where it is pressed.

    stage: what was shown last. steps: how many so far.
    """

    command = "lesson"
    decision_of = ANYONE

    stage: str = FRESH
    steps: int = 0


@dataclass(frozen=True, slots=True)
class _Step:
    """A possible next step. where: what to press. hint: what to know. opens: the button's label, if known."""

    action: Action
    where: str
    hint: str
    stage: str
    opens: str = ""


LESSONS.append(ShowMe(START))


@handles_specially(ShowMe, Place.ENCOUNTER)
async def show_me(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Carry out the first possible way to go on, as if it had been pressed."""
    action = request.action
    assert isinstance(action, ShowMe)
    scope = loaded.scope
    encounter = Encounter(loaded.book())
    if encounter.row.status == ENDED:
        raise InvalidInput("This game is over. /demo starts another one.")
    seat = encounter.seat_of(request.actor.user_id)
    if seat is None or seat.role == "spectator":
        raise InvalidInput(
            "Only players of this game can use its lesson. To try a game yourself, use /demo in another "
            "channel."
        )
    if action.stage == START:
        return Answer(_introduce(), scope.id, scope.version)
    if action.stage in (OVER, LEFT) or action.steps >= MAX_STEPS:
        return Answer(_build_goodbye(action), scope.id, scope.version)
    entries = await carrier.store.latest(scope.id, 1)
    last_reply = reply_from_json(entries[-1].reply) if entries else Reply(())
    for number, step in enumerate(_list_steps(encounter, request.actor, action.stage, last_reply)):
        if number == MAX_TRIES:
            break
        answer_and_step = await _try_step(carrier, loaded, request, step)
        if answer_and_step is not None:
            return _answer_step(*answer_and_step, action.steps + 1)
    return Answer(_build_goodbye(replace(action, stage=OVER)), scope.id, scope.version)


async def _try_step(
    carrier: Carrier, loaded: Loaded, request: Request, step: _Step
) -> tuple[Answer, _Step] | None:
    """Return the step carried out, or the first choice of a private menu that it opens, with the button
    that is pressed there; None if neither is possible.
    """
    try:
        answer = await _carry_out(carrier, loaded, replace(request, action=step.action, version=-1))
        if answer.changed or step.action.looks:
            return answer, step
        menus = answer.reply.menus if answer.reply.private else ()
        opener_label = step.opens or title_of(type(step.action))
        for choice in _list_choices(menus, f"that {opener_label} opens", step.stage):
            follow_up = await _carry_out(carrier, loaded, replace(request, action=choice.action, version=-1))
            if follow_up.changed:
                return follow_up, choice
            for button in (candidate for candidate in follow_up.reply.buttons if candidate.style == "main"):
                draft_answer = await _carry_out(
                    carrier, loaded, replace(request, action=button.action, version=-1)
                )
                if draft_answer.changed:
                    return draft_answer, replace(choice, where=f"{choice.where} Then press {button.label}.")
    except REFUSALS:
        return None
    return None


async def _carry_out(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    special_handler = SPECIAL.get(request.action.command)
    if special_handler is not None:
        return await special_handler(carrier, loaded, request)
    handler = HANDLERS[request.action.command]
    if handler.place is not Place.ENCOUNTER:
        raise InvalidInput("You can't do that during the lesson.")
    return await carrier.carry_out(handler, loaded, request, request.action)


def _answer_step(answer: Answer, step: _Step, steps: int) -> Answer:
    lines = [*wrap(f"**Lesson, step {steps}.** {step.where}", LINE_WIDTH), *wrap(step.hint, LINE_WIDTH)]
    buttons = [Button("Next step", ShowMe(step.stage, steps), "main", anytime=True)]
    buttons.append(Button("Leave", ShowMe(LEFT, steps), anytime=True))
    reply = replace(answer.reply, replaces=False, also=())
    lesson_reply = Reply(
        tuple(lines), private=True, buttons=tuple(buttons), also=(reply, *answer.reply.also), replaces=True
    )
    return replace(answer, reply=lesson_reply, loud=answer.changed)


def _introduce() -> Reply:
    """Return what Show me will do, before it does anything."""
    buttons = (
        Button("Next step", ShowMe(), "main", anytime=True),
        Button("Leave", ShowMe(LEFT), anytime=True),
    )
    return Reply(tuple(wrap(INTRODUCTION, LINE_WIDTH)), private=True, buttons=buttons, replaces=True)


def _build_goodbye(action: ShowMe) -> Reply:
    """Return the end of the lesson: how the game goes on."""
    headline = (
        "You have left the lesson." if action.stage == LEFT else "**You have seen a round of the game.**"
    )
    lines = [headline, *wrap(CLOSING, LINE_WIDTH)]
    show_more = Button("Show me more of the game", ShowMe(START), anytime=True)
    return Reply(tuple(lines), private=True, buttons=(show_more,), replaces=True, tappable=True)


# ------------------------------------------------------------------------------------ what comes next


def _list_steps(encounter: Encounter, actor: Actor, stage: str, last_reply: Reply) -> Iterator[_Step]:
    if stage == ROLLED:
        hint = "You can undo your last step. If you then repeat the action, it gets the same dice."
        yield _Step(Undo(), "Press Undo below the result.", hint, UNDONE)
    played_game, looking = game_of(encounter), Looking(encounter.book, actor)
    if isinstance(played_game, Shortens) and stage in (AGAIN, SHORT, ENDING):
        yield from _end_round(encounter, played_game, looking, stage, last_reply)
    acting_models = [
        candidate for candidate in list_acting(encounter) if encounter.plays(actor.user_id, candidate)
    ][:MAX_ACTING]
    for model in acting_models:
        model_word = f"#{model.id}"
        if stage == FRESH:
            yield from _list_moves(encounter, looking, model_word)
        if stage in (FRESH, MOVED, ODDS, UNDONE):
            yield from _list_rolls(encounter, looking, model_word, MOVED if stage == FRESH else stage)
    next_stage = AGAIN if stage in (ROLLED, UNDONE, AGAIN) else FRESH
    hints = _hints_of(played_game)
    yield from _list_offered(last_reply, "below the result", looking, next_stage, hints)
    panel = played_game.panel(encounter)
    yield from _list_choices(panel.menus, "on the panel", next_stage)
    if not encounter.row.turn:
        hint = "You can begin at once. If there are still choices to make, the game asks you first."
        yield _Step(NextStep(), "Press Begin on the panel.", hint, FRESH)
    panel_stage = OVER if stage == AGAIN else FRESH
    yield from _list_presses(panel.buttons, "on the panel", looking, panel_stage, hints)


def _end_round(
    encounter: Encounter, played_game: Shortens, looking: Looking, stage: str, last_reply: Reply
) -> Iterator[_Step]:
    """Yield steps that end a round: others pass, its end is proposed, and carried out."""
    hints = _hints_of(played_game)
    if stage == AGAIN:
        hint = (
            "The turn continues until all models have acted. To show you how it ends, the other models pass."
        )
        instruction = "Normally, you would press Draw and the other models would act."
        yield _Step(played_game.shortens, instruction, hint, SHORT)
    elif stage == SHORT:
        main_buttons = [
            button for button in game_of(encounter).panel(encounter).buttons if button.style == "main"
        ]
        yield from _list_presses(main_buttons, "on the panel", looking, ENDING, hints)
    else:
        end_buttons = [button for button in last_reply.buttons if button.label == played_game.ends_with]
        yield from _list_presses(end_buttons, "below the result", looking, OVER, hints)
        main_buttons = [button for button in last_reply.buttons if button.style == "main"]
        yield from _list_presses(main_buttons, "below the result", looking, ENDING, hints)


def _hints_of(played_game: object) -> Mapping[str, str]:
    return played_game.hints if isinstance(played_game, Hints) else {}


def _format_entries(action: Action) -> str:
    words, doer_part = [], part_of_doer(action.command)
    for part in parts(action.command):
        value = getattr(action, part.name)
        value = part.kind.write(value) if isinstance(value, frozenset) else value
        if part != doer_part and part.kind.help and value not in (part.unsaid, None, "", ()):
            value_text = f"{value:g}" if isinstance(value, float) else value
            label = (part.kind.called or part.name).replace("_", " ").capitalize()
            words.append(label if value is True else f"{label}: {value_text}")
    return ", ".join(words)


def _describe_form(action: Action, *, odds: bool = False) -> str:
    entries = _format_entries(action)
    filled_words = f" with {entries}" if entries else "" if odds else " as it is"
    ticked_words = ", tick Odds" if odds else ""
    return f"Press {title_of(type(action))} on the panel{ticked_words} and submit the form{filled_words}."


def _list_kinds(encounter: Encounter, *, moves: bool) -> list[type[Action]]:
    kinds = [ACTIONS[command] for command in game_of(encounter).likely]
    if moves:
        return [kind for kind in kinds if title_of(kind) in MOVE_TITLES]
    part_names = {kind: {part.name for part in parts(kind.command)} for kind in kinds}
    with_odds = [kind for kind in kinds if "odds" in part_names[kind] and title_of(kind) not in MOVE_TITLES]
    return sorted(with_odds, key=lambda kind: not part_names[kind] & TARGET_FIELDS)


def _list_moves(encounter: Encounter, looking: Looking, model_word: str) -> Iterator[_Step]:
    for kind in _list_kinds(encounter, moves=True):
        legal = looking.legal(kind, done_by(kind.command, model_word))
        if not legal.reason:
            hint = "You are only offered what the rules allow. Enter distances unless a board measures them."
            yield _Step(legal.action.as_typed_action(), _describe_form(legal.action), hint, MOVED)


def _list_rolls(encounter: Encounter, looking: Looking, model_word: str, stage: str) -> Iterator[_Step]:
    """Something with dice: its chances, then the dice, and after an undo the same dice again."""
    for kind in _list_kinds(encounter, moves=False):
        legal = looking.legal(kind, done_by(kind.command, model_word))
        if legal.reason:
            continue
        action = legal.action.as_typed_action()
        if stage == MOVED:
            part = part_of(kind.command, "odds").name
            instruction = _describe_form(action, odds=True)
            hint = "No dice were rolled. Only you see these exact chances."
            yield _Step(replace(action, **{part: True}), instruction, hint, ODDS)
        elif stage == ODDS:
            instruction = f"Press {title_of(kind)} below the chances, or submit the form again without Odds."
            yield _Step(
                action,
                instruction,
                "Press Why below the result to see each modifier and where it comes from.",
                ROLLED,
            )
        else:
            hint = (
                "The action gets the same dice as before, so no one can undo a bad roll to get a better one."
            )
            yield _Step(action, _describe_form(action), hint, AGAIN)


def _list_offered(
    reply: Reply, place: str, looking: Looking, stage: str, hints: Mapping[str, str]
) -> Iterator[_Step]:
    if not reply.private:
        yield from _list_choices(reply.menus, place, stage)
        yield from _list_presses(reply.buttons, place, looking, stage, hints)


def _list_choices(menus: Sequence[Menu], place: str, stage: str) -> Iterator[_Step]:
    for menu in menus:
        if menu.asks or menu.action.command in SKIPPED_COMMANDS:
            continue
        for choice in menu.choices[:3]:
            values = (
                tuple(option.value for option in menu.choices[: menu.least])
                if menu.least > 1
                else (choice.value,)
            )
            instruction = f"Choose {choice.label} in the menu “{menu.prompt}” {place}."
            yield _Step(
                with_text(menu.action, {menu.fills: values}),
                instruction,
                "The player concerned makes this choice.",
                stage,
            )


def _list_presses(
    buttons: Sequence[Button], place: str, looking: Looking, stage: str, hints: Mapping[str, str]
) -> Iterator[_Step]:
    for button in sorted(buttons, key=lambda button: button.style != "main"):
        action = button.action
        if button.disabled or button.form or button.label == "Again" or action.command in SKIPPED_COMMANDS:
            continue
        if button.asks:
            doer_part = part_of_doer(action.command)
            values = done_by(action.command, getattr(action, doer_part.name)) if doer_part is not None else {}
            legal = looking.legal(type(action), values)
            if legal.reason:
                continue
            action = legal.action.as_typed_action()
        instruction = f"Press {button.label} {place}."
        yield _Step(action, instruction, _find_hint(hints, button.label), stage, button.label)


def _find_hint(hints: Mapping[str, str], label: str) -> str:
    matching_hints = (words for label_start, words in hints.items() if label.startswith(label_start))
    return next(matching_hints, "The panel always has the button that continues the game.")
