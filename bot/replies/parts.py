"""The parts of a reply by their meaning, from which every renderer draws: Discord, the page, plain text.

A line that a handler marked counts as marked. Otherwise the first line is the headline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.reply import Attachment, Button, Changed, Column, Menu, Note, Question, Reply, Rolled, State

MAX_HEADLINE_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one reply.

    headline: the result, empty if the reply is one sentence or a table. body: all other lines in their
    order, each of its own kind. side: the side that the reply is coloured for, 0 for none.
    """

    headline: str
    body: tuple[str, ...]
    state: tuple[State, ...]
    side: int
    pictures: tuple[Attachment, ...]
    actions: tuple[Button, ...]
    choices: tuple[Menu, ...]
    why: tuple[str, ...]

    @property
    def rolls(self) -> tuple[Rolled, ...]:
        """Return the rolls, with each die and its result."""
        return tuple(line for line in self.body if isinstance(line, Rolled))

    @property
    def changes(self) -> tuple[Changed, ...]:
        """Return the changes, each with the number before and after."""
        return tuple(line for line in self.body if isinstance(line, Changed))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Return the lines in smaller print."""
        return tuple(line for line in self.body if isinstance(line, Note))

    @property
    def question(self) -> str:
        """Return the question that is asked, or empty text."""
        lines = (self.headline, *self.body)
        return next((line for line in lines if isinstance(line, Question)), "")


def parts_of(reply: Reply) -> Parts:
    """Return the parts of a reply."""
    told_lines = [line for line in reply.lines if not isinstance(line, State)]
    head = 1 if has_headline(told_lines) else 0
    return Parts(
        headline=told_lines[0] if head else "",
        body=tuple(told_lines[head:]),
        state=tuple(line for line in reply.lines if isinstance(line, State)),
        side=reply.side,
        pictures=reply.files,
        actions=reply.buttons,
        choices=reply.menus,
        why=reply.why,
    )


def has_headline(lines: Sequence[str]) -> bool:
    """Return whether the first line is a headline: a question, or a sentence with more below it."""
    if not lines or isinstance(lines[0], Note | Column):
        return False
    return isinstance(lines[0], Question) or (len(lines) > 1 and len(lines[0]) <= MAX_HEADLINE_LENGTH)
