"""How the desk words its answers: refusals, repeats, overrides, and the question which model was meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from bot.actions import Action, BadId, action_of, raw_of
from bot.ids import Tag, pack
from bot.replies.fit import FENCE
from bot.replies.reply import Button, Note, Reply, reply_from_json, say
from bot.store.errors import Busy, Lost, Occupied, Stale, Unwritable
from bot.store.journal import Entry
from bot.table.act import RUNS_ALREADY, Act, Barred
from bot.table.channels import ChannelRefusal
from bot.table.names import Unclear, remove_formatting, remove_invisible
from bot.table.request import OVERRIDE, OVERRIDE_FORM, Answer
from rules.dice import TooLarge
from rules.refusals import Forbidden, InvalidInput
from rules.sections import format_rulebook_line
from rules.wording import join_with_and

AS_BEFORE = "Nothing changed."

UNDO = "undo"
"""The command of the action that takes the last one back."""

TOO_LONG = "To override this refusal, enter a shorter text; the one you entered is too long for a button."
"""The refusal for an organiser whose action does not fit into a button."""


ON = "now"
"""The command of the action that shows what may be done now."""


class Answered(InvalidInput):
    """A button that was answered before. The message says by which person, and leads on."""


class Declined(Exception):
    """A refusal with its reply ready."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.text)
        self.reply = reply


def too_late(sentence: str, since: Sequence[str]) -> Declined:
    """Describe what has happened since to a person who pressed too late, with a button for what they can do
    now.
    """
    more_button = (Button("More...", action_of(ON, {}), anytime=True),) if since else ()
    return withdrawn(say(sentence, *map(remove_formatting, since), private=True, buttons=more_button))


def withdrawn(reply: Reply) -> Declined:
    """Return a refusal that replaces the private menu that was pressed, because the menu is void."""
    return Declined(replace(reply, replaces=True))


def answered(entry: Entry) -> Answer:
    """Return the answer to an interaction that is already in the journal."""
    return Answer(reply_from_json(entry.reply), entry.scope, entry.seq, repeated=True)


def refused(refusal: Exception) -> Reply:
    """Return the reply to a person whose action was refused."""
    match refusal:
        case Declined():
            return refusal.reply
        case Forbidden():
            buttons = refusal.buttons if isinstance(refusal, Barred) else ()
            return say(*_sentences(refusal), private=True, buttons=buttons)
        case ChannelRefusal():
            return say(*refusal.sentence.split("\n"), private=True)
        case InvalidInput():
            return say(*_lines(refusal.sentence), private=True)
        case TooLarge():
            return say("Use fewer dice; this roll has too many possible results.", private=True)
        case Occupied():
            return say(*RUNS_ALREADY, private=True)
        case Busy():
            return say(
                "Try again in a moment; another program is using the database.",
                "Nothing was changed.",
                private=True,
            )
        case Unwritable():
            return say(
                f"{refusal.reason}.",
                "Nothing was changed. Please tell the person who runs the bot.",
                private=True,
            )
        case Lost():
            return say(
                "Wait a minute; the database can't be reached at the moment.",
                "Then look in /log to see whether your action was carried out. If it wasn't, try again.",
                private=True,
            )
        case Stale():
            return say("Try again in a moment; this game is very busy.", "Nothing was changed.", private=True)
    return say(remove_formatting(str(refusal)), private=True)


def _lines(sentence: str) -> list[str]:
    """Return the lines of a refusal, which may repeat what was typed; a code block keeps its columns."""
    lines = sentence.split("\n")
    if len(lines) > 1 and lines[-1].strip(" ").startswith("^"):
        lines = [*lines[:-2], FENCE, *lines[-2:], FENCE]
    if lines.count(FENCE) != 2:
        return [remove_formatting(line) for line in lines]
    start, end = (place for place, line in enumerate(lines) if line == FENCE)
    table_lines = [remove_invisible(line).replace("`", "'") for line in lines[start + 1 : end]]
    other_lines = [remove_formatting(line) for line in (*lines[:start], *lines[end + 1 :])]
    return [*other_lines[:start], FENCE, *table_lines, FENCE, *other_lines[start:]]


def _sentences(refusal: Forbidden) -> Sequence[str]:
    sentences = _lines(refusal.sentence)
    return [*sentences, format_rulebook_line(refusal.rule)] if refusal.rule else sentences


def forbidden(refusal: Forbidden, act: Act) -> Reply:
    """Return the refusal; an organiser can override it if that helps and fits into a button."""
    buttons = refusal.buttons if isinstance(refusal, Barred) else ()
    if not (refusal.waivable and act.has_organiser and act.is_organiser):
        return say(*_sentences(refusal), private=True, buttons=buttons)
    shorter = () if act.action.looks else (act.canonical,)
    for action in (act.action, *shorter):
        try:
            pack(Tag(action, act.book.scope, -1, "form-override"))
        except BadId:
            continue
        override = Button(OVERRIDE, action, anytime=True, form=OVERRIDE_FORM)
        return say(*_sentences(refusal), private=True, buttons=[*buttons, override])
    return say(*_sentences(refusal), TOO_LONG, private=True, buttons=buttons)


def with_override(reply: Reply, act: Act) -> Reply:
    """Return the reply with the refusals that an organiser ignored, the reason, and who it was entered
    for.
    """
    if act.seen_facts:
        reply = reply.plus(*map(Note, act.seen_facts))
    notes: list[str] = []
    if act.entered_for:
        notes.append(f"{act.actor.name} entered this for {join_with_and(act.entered_for)}.")
    if act.overridden:
        refused = dict.fromkeys(
            remove_formatting(" ".join(refusal.sentence.split())) for refusal in act.overridden
        )
        notes += [
            f"Override by {act.actor.name}: {act.reason}",
            *(f"Overridden: {sentence}" for sentence in refused),
        ]
    if not notes:
        return reply
    if not act.overridden:
        return reply if reply.private else reply.plus(*notes)
    if reply.private and reply.also:
        return replace(reply, also=(reply.also[0].plus(*notes), *reply.also[1:]))
    if reply.private and (reply.buttons or reply.menus) and not act.book.is_touched:
        return replace(reply, also=(say(*notes),))  # it only asks, beside the card
    return replace(reply.plus(*notes), private=False)


def as_before(reply: Reply) -> Reply:
    """Return the reply of an action that changed nothing: it says so and offers no undo of an earlier action.

    A reply that asks for something, with further buttons or a menu, is left as it is.
    """
    only_undo = bool(reply.buttons) and all(button.action.command == UNDO for button in reply.buttons)
    if reply.private or reply.menus or not only_undo:
        return reply
    return replace(reply, buttons=()).plus(AS_BEFORE)


def bound(reply: Reply, entry: int) -> Reply:
    """Return the reply with each Undo bound to this entry, so that it never takes back what is done later."""

    def for_it(button: Button) -> Button:
        if button.action.command != UNDO or "entry" in (raw := raw_of(button.action)):
            return button
        return replace(button, action=action_of(UNDO, {**raw, "entry": entry}), anytime=True)

    buttons = tuple(map(for_it, reply.buttons))
    return replace(reply, buttons=buttons, also=tuple(bound(further, entry) for further in reply.also))


AFTER_UNDONE = "; another roll was undone before this one"


def dice_note(repeated: int, *, instead: bool, by_hand: bool) -> str:
    """Return whose dice fell, in words; empty where nothing is to be said.

    repeated: the number of the entry whose dice fell again, 0 for none. instead: this roll stands where
    another one was undone, or is the first since.
    """
    if repeated:
        return f"These are the same dice as in the undone roll{' (real dice)' if by_hand else ''}."
    if by_hand:
        return f"These are real dice{AFTER_UNDONE if instead else ''}."
    return f"These are new dice{AFTER_UNDONE}." if instead else ""


_PARTS = re.compile(r"([,;>])")
"""Between the names of a list."""


def which(unclear: Unclear, action: Action) -> Reply:
    """Return the question which thing is meant, for the person who asked.

    It has no buttons if no field holds the name.
    """
    buttons = []
    for label, number in unclear.choices:
        named_action = _named(action, unclear, f"#{number}")
        if named_action is not None:
            buttons.append(Button(label, named_action, anytime=True))
    return say(unclear.sentence, private=True, buttons=buttons)


def _named(action: Action, unclear: Unclear, number: str) -> Action | None:
    """Return the action with the number in place of the name, or None if no field has it."""
    texts = {part.name: getattr(action, part.name) for part in fields(action)}
    holding = [name for name, value in texts.items() if _with(value, unclear.text, number) != value]
    if not holding:
        return None
    name = holding[0] if unclear.first else holding[-1]
    changed: dict[str, Any] = {name: _with(texts[name], unclear.text, number)}
    return replace(action, **changed)


def _with(value: object, text: str, number: str) -> object:
    """Return the action with the number in place of the name, in the first field that holds it."""
    if isinstance(value, tuple):
        place = next((index for index, name in enumerate(value) if _same(name, text)), None)
        return value if place is None else (*value[:place], number, *value[place + 1 :])
    if not isinstance(value, str):
        return value
    parts = _PARTS.split(value)
    place = next((index for index, part in enumerate(parts) if _same(part, text)), None)
    if place is None:
        return value
    return "".join((*parts[:place], number, *parts[place + 1 :]))


def _same(value: object, text: str) -> bool:
    return isinstance(value, str) and " ".join(value.split()).casefold() == " ".join(text.split()).casefold()
