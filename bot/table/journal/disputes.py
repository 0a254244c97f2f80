"""Disputes: a player questions an entry, everyone sees it, and the organiser decides; both stay in the
record.

They change nothing in the game. To follow a ruling, players undo, override or correct by hand as usual. No
undo touches them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Blank, Button, Reply, form, say
from bot.store.book import Book
from bot.store.journal import Entry
from bot.store.rows import QuestionRow
from bot.store.store import Store, running_game
from bot.table.act import Act, Actor, ActView, NotAllowed
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.entries import Numbers, numbers_of
from bot.table.handlers import handles
from bot.table.names import plain
from bot.table.owners import RULER, SELF
from bot.table.request import IN_PRIVATE
from bot.table.waits import organiser_of
from rules.refusals import InvalidInput, Missing

STANDS, WRONG = "stands", "wrong"
VERDICTS = {STANDS: "the result stands", WRONG: "the result was wrong"}

MAX_WORDS_LENGTH = 200
MAX_OPEN = 5
"""Questions of one person that wait for a ruling."""

MAX_COUNT = 60
"""Questions of one game."""

MAX_ENTRIES_SEARCHED = 20
"""Entries among which the last is looked for that can be questioned."""

MAX_TOLD = 3
"""Open questions that the panel names."""

QUESTION_FORM = form(
    "question",
    "Question this result",
    Blank("words", "What is wrong? (everyone can read it)", longest=MAX_WORDS_LENGTH),
)
RULING_FORM = form(
    "ruling", "Ruling", Blank("words", "Reason (everyone can read it)", longest=MAX_WORDS_LENGTH)
)


@dataclass(frozen=True, slots=True)
class Question(Action):
    """Question a result; everyone sees your question, and the organiser decides.

    number: the entry's in the log, 0 for the last; entry: its place in the journal, where a button asks.
    """

    command = "question"
    typed = "question"
    decision_of = SELF

    number: int = fields.whole("Number in /log (leave blank for the last result)", 1, None, default=0)
    words: str = fields.text("What is wrong", MAX_WORDS_LENGTH, needed=True)
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Rule(Action):
    """Decide whether a questioned result stands (organiser).

    question: its number, where a button asks.
    """

    command = "ruling"
    typed = "ruling"
    decision_of = RULER

    number: int = fields.whole("Number in /log (leave blank for the open question)", 1, None, default=0)
    verdict: str = fields.one_of("Does the result stand?", (STANDS, WRONG), needed=True)
    words: str = fields.text("Reason", MAX_WORDS_LENGTH, needed=True)
    question: int = 0


DISPUTE_NOUNS = {Question.command: "question", Rule.command: "ruling"}
"""The actions of a dispute, and what a verdict calls them."""


def question_button(seq: int) -> Button:
    """Return the button that questions an entry."""
    return Button("Question...", Question(entry=seq), anytime=True, form=QUESTION_FORM)


def can_be_questioned(entry: Entry, encounter: Encounter, user_id: int) -> bool:
    """Return whether this person may question this entry: a player, about a public result."""
    seat = encounter.seat_of(user_id)
    plays = seat is not None and seat.role != "spectator"
    return plays and not entry.quiet and entry.title != IN_PRIVATE and entry.command not in DISPUTE_NOUNS


async def _find_questioned_entry(store: Store, actor: Actor, action: Question) -> tuple[Entry | None, int]:
    loaded = await running_game(store, actor.channel_id)
    if loaded is None:
        return None, 0
    scope = loaded.scope.id
    number = await numbers_of(store, scope)
    if action.entry or action.number:
        seq = action.entry or _find_seq(action.number, number, loaded.scope.version)
        entry = await store.entry(scope, seq) if 0 < seq <= loaded.scope.version else None
    else:
        encounter = Encounter(loaded.book())
        latest_entries = reversed(await store.latest(scope, MAX_ENTRIES_SEARCHED))
        entry = next(
            (one for one in latest_entries if can_be_questioned(one, encounter, actor.user_id)), None
        )
    return entry, number(entry.seq) if entry else 0


def _find_seq(wanted_number: int, number: Numbers, last_seq: int) -> int:
    """Return the place of the entry with this number: behind secret ones, which have none. 0 for nothing."""
    return max(
        (seq for seq in range(max(1, wanted_number), last_seq + 1) if number(seq) == wanted_number), default=0
    )


def _require_player(act: ActView, action: Question) -> None:
    if act.seat is None or act.seat.role == "spectator":
        raise NotAllowed("Only players can question a result.")


@handles(Question, beforehand=_find_questioned_entry, may=_require_player)
def question_entry(act: Act, action: Question) -> Reply:
    """Question an entry, once per person while it waits for a ruling."""
    encounter, actor = act.encounter, act.actor
    _require_player(act, action)
    entry, number = act.extra
    if entry is None or not can_be_questioned(entry, encounter, actor.user_id):
        raise InvalidInput("Enter the number of a public result; /log shows the numbers.")
    words = _require_reason(action.words)
    rows = act.book.all(QuestionRow)
    questions = [row for row in rows if row.user_id == actor.user_id and not row.verdict]
    if any(row.entry == entry.seq for row in questions):
        raise InvalidInput(f"You have already questioned this. Wait until {organiser_of(encounter)} decides.")
    if len(questions) >= MAX_OPEN:
        raise InvalidInput("Wait until the organiser has decided the open questions.")
    if len(rows) >= MAX_COUNT:
        raise InvalidInput(
            f"Speak to {organiser_of(encounter)} instead; a game can have at most {MAX_COUNT} questions."
        )
    row = QuestionRow(act.book.scope, act.entry, actor.user_id, actor.name, entry.seq, number, words)
    act.book.add(row)
    lines = (f"{actor.name} questions a result: {words}", f"The result: {entry.title}")
    return say(
        *lines, f"{_describe_ruler(encounter)} has to decide.", buttons=_build_ruling_buttons(row)
    ).aside()


def _describe_ruler(encounter: Encounter) -> str:
    """Return who rules, at the beginning of a sentence: by name where it is known."""
    name = organiser_of(encounter)
    return "The organiser" if name == "the organiser" else name


def describe_open_question(encounter: Encounter) -> tuple[list[str], tuple[Button, ...]]:
    """Return the oldest question without a ruling, for the panel: who rules, and the buttons."""
    open_questions = sorted(
        (question for question in encounter.book.all(QuestionRow) if not question.verdict),
        key=lambda one: one.id,
    )
    if not open_questions:
        return [], ()
    first, *other_questions = open_questions
    others_text = f" this and {len(other_questions)} more" if other_questions else ""
    line = f"{first.name} questions a result. {_describe_ruler(encounter)} has to decide{others_text}."
    return [line], tuple(_build_ruling_buttons(first))


def _build_ruling_buttons(row: QuestionRow) -> list[Button]:
    return [
        Button(label, Rule(question=row.id, verdict=verdict), anytime=True, form=RULING_FORM)
        for verdict, label in ((STANDS, "The result stands..."), (WRONG, "The result was wrong..."))
    ]


@handles(Rule)
def rule(act: Act, action: Rule) -> Reply:
    """Rule once on each question; people who disagree can question the entry again."""
    if not act.is_organiser:
        raise NotAllowed(f"{_describe_ruler(act.encounter)} has to decide.")
    open_questions = [row for row in act.book.all(QuestionRow) if not row.verdict]
    questions = [
        row for row in open_questions if action.question in (0, row.id) and action.number in (0, row.number)
    ]
    if not questions:
        about = " about that result" if open_questions else ""
        raise InvalidInput(f"No question{about} is waiting for a decision.")
    words = _require_reason(action.words)
    if len({row.entry for row in questions}) > 1:
        numbers = ", ".join(map(str, sorted({row.number for row in questions})))
        raise Missing(f"Enter the number of one of these results: {numbers}.")
    for row in questions:
        row.verdict, row.ruling, row.ruled_by = action.verdict, words, act.actor.name
    reply = say(f"{act.actor.name} decides: {VERDICTS[action.verdict]}. {words}").aside()
    return reply if action.verdict == STANDS else reply.plus("Undo the result, or correct it by hand.")


def _require_reason(text: str) -> str:
    words = plain(text, MAX_WORDS_LENGTH)
    if not words:
        raise Missing("Enter the reason; everyone can read it.")
    return words


# ------------------------------------------------------------------------------------ the marks


def marks(book: Book) -> Mapping[int, str]:
    """Return what the log says of entries that were questioned, by their place in the journal."""
    marks_by_entry: dict[int, list[str]] = {}
    for row in book.all(QuestionRow):
        mark = f"[questioned by {row.name}: {row.words}]"
        if row.verdict:
            mark += f" [{row.ruled_by} decides: {VERDICTS[row.verdict]}. {row.ruling}]"
        marks_by_entry.setdefault(row.entry, []).append(mark)
    return {entry: " ".join(mark) for entry, mark in marks_by_entry.items()}


def warn_of_open_questions(encounter: Encounter) -> Sequence[str]:
    """Return the open questions that stay without a ruling if the game ends now, because its record is
    closed.
    """
    question_lines = list_open_questions(encounter)
    return [*question_lines, "Decide the open questions before the game ends."] if question_lines else []


def list_open_questions(encounter: Encounter) -> Sequence[str]:
    """Return the panel's lines about open questions."""
    rows = [row for row in encounter.book.all(QuestionRow) if not row.verdict]
    lines = [f"{row.name} questions result {row.number} in /log." for row in rows[:MAX_TOLD]]
    return [*lines, *([f"and {len(rows) - MAX_TOLD} more (see /log)"] if len(rows) > MAX_TOLD else [])]
