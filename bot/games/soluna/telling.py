"""A reply that is being put together: what happened first, then the dice, then what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.replies.reply import Attachment, Button, Menu, Reply
from bot.table.act import Act
from bot.table.journal.log import WhyEntry


@dataclass(slots=True)
class Telling:
    """lines: what happened, the first line alone telling it; dice: faces and flips; then: what is next."""

    lines: list[str] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    then: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)

    def reply(self, act: Act, *more: Button, menus: Sequence[Menu] = ()) -> Reply:
        """The reply with its own buttons, the given ones and why."""
        lines = [*self.lines, *(["", *self.dice] if self.dice else []), *self.then]
        why = [Button("Why", WhyEntry(act.entry), anytime=True)] if self.why else []
        return Reply(
            tuple(lines),
            buttons=(*self.buttons, *more, *why),
            menus=tuple(menus),
            files=tuple(self.files),
            why=tuple(self.why),
        )
