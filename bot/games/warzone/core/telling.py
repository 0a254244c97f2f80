"""A reply of Warzone being put together: what happened, the dice, and what has to be done next.

A game's rules propose what follows by kind; whoever knows how to do that kind registers it here, either as
something done at once (`at_once`) or as a button or menu (`offers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from bot.games.warzone.core.acting import all_spent, go_on, next_menu
from bot.games.warzone.core.common import actions_words, again, carry_through
from bot.games.warzone.core.turn_actions import Done
from bot.games.warzone.core.words import total_lines, trace_lines
from bot.replies.reply import Button, Menu, Reply
from bot.table.act import Act
from bot.table.journal.history import UNDO
from bot.table.journal.log import WhyEntry
from rules.dice import Entry
from rules.effects import Effect, Propose
from rules.systems.warzone.model import ACTIONS, Model

AtOnce = Callable[["Telling", Propose], None]
Offer = Callable[[Act, Propose], "Button | Menu | None"]

AT_ONCE: dict[str, AtOnce] = {}
"""For each kind of proposal that needs nothing from the players: what carries it out."""

OFFERS: dict[str, Offer] = {}
"""For each kind of proposal that needs them: the button or menu for it."""


def at_once(kind: str) -> Callable[[AtOnce], AtOnce]:
    """Register the function below as what carries a kind of proposal out."""

    def register(run: AtOnce) -> AtOnce:
        AT_ONCE[kind] = run
        return run

    return register


def offers(kind: str) -> Callable[[Offer], Offer]:
    """Register the function below as what makes the button or menu of a kind of proposal."""

    def register(make: Offer) -> Offer:
        OFFERS[kind] = make
        return make

    return register


@dataclass(slots=True)
class Telling:
    """A reply under way. lines: the result. dice: what was rolled, told below it. next: what follows.

    more: what whoever acted may do next, while it can act.
    """

    act: Act
    lines: list[str] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    next: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    menus: list[Menu] = field(default_factory=list)
    more: tuple[Button, ...] = ()
    _shown: int = 0

    def follow(self, effects: Iterable[Effect], source: Model | None = None, *, by: int = 0) -> None:
        """Apply effects; what they propose is carried out now, or offered. See `carry_through`."""
        for proposal in carry_through(self.act, effects, source, by=by):
            run = AT_ONCE.get(proposal.action)
            if run is not None:
                run(self, proposal)
                continue
            if proposal.reason not in self.next:
                self.next.append(proposal.reason)
            make = OFFERS.get(proposal.action)
            offered = make(self.act, proposal) if make else None
            if isinstance(offered, Button):
                self.buttons += [] if offered in self.buttons else [offered]
            elif offered is not None and offered not in self.menus:
                self.menus.append(offered)

    def ask(self, menu: Menu, otherwise: Button) -> None:
        """Ask with a menu, or a button for none of it; the same question once."""
        self.menus += [menu] if menu.choices and menu not in self.menus else []
        self.buttons += [] if otherwise in self.buttons else [otherwise]

    def note(self, words: str) -> None:
        """Tell what follows, where there is something to tell."""
        if words:
            self.next.append(words)

    def thrown(self, *heads: str, throws: int | None = None, adding: Sequence[Sequence[int]] = ()) -> None:
        """Tell the faces thrown since the last time, or so many throws of them, under these lines.

        adding: of contests, what everybody adds to the die.
        """
        trace: list[Entry] = self.act.dice.trace
        until = len(trace) if throws is None else self._shown + throws
        now = trace[self._shown : until]
        self.dice += [*heads, *(total_lines(now, adding) if adding else trace_lines(now))]
        self._shown = until

    def reply(self, *more: Button) -> Reply:
        """The reply: result, dice, what follows; buttons of what follows, then the given ones, undo, why."""
        lines = list(self.lines)
        if self.dice:
            lines += ["", *self.dice]
        if self.next:
            lines += ["", *self.next]
        why = [Button("Why", WhyEntry(self.act.entry), anytime=True)] if self.why else []
        return Reply(
            tuple(lines),
            buttons=(*self.buttons, *more, UNDO, *why),
            menus=tuple(self.menus),
            why=tuple(self.why),
        )

    def closing(self, model: Model, *more: Button) -> Reply:
        """The reply with what is left to the one who acted, or who acts next when it has spent its actions.

        The given buttons stand only while it can act. Rules: WZ-TURN-03.
        """
        encounter = self.act.encounter
        self.note(actions_words(self.act, model))
        can = encounter.row.turn < 1 or again(self.act, model).count(ACTIONS) > 0
        self.next += go_on(encounter, model)
        self.menus += [menu for menu in next_menu(encounter) if menu not in self.menus]
        over = [] if can or not all_spent(encounter) else [Button("Done", Done(), "main")]
        return self.reply(*(more if can else ()), *over)
