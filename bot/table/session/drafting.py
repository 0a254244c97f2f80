"""What fits no form is put together piece by piece: one private message, edited, with a step back.

A draft is an action that alters nothing: it holds the pieces that were chosen so far, and each button of its
message asks the draft with one piece more, or one less. What it puts together is said by its maker, one for
each kind of draft; the last button asks the action that it was made for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.actions import Action, BadId
from bot.replies.fit import has_room
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.book import Loaded
from bot.table.act import Act
from bot.table.asking.forms import CHANGE
from bot.table.asking.inside import from_inside
from bot.table.asking.legal import Looking
from bot.table.carrying import Carrier
from bot.table.handlers import HANDLERS, Place, system_of
from bot.table.owners import ANYONE
from bot.table.request import Answer, Request
from bot.table.specially import handles_specially
from rules.refusals import InvalidInput

OTHER_VERSION = "That is of an older version. Begin it anew."

MOST_PIECES = 40
"""Pieces of one draft; its ids carry them all, and mostly have room for fewer."""

T = TypeVar("T")

BACK = "Back"
"""The button that goes a step back."""

MOST_BUTTONS = 9
"""Ways to go on that are buttons; where there are more they are a menu."""


@dataclass(frozen=True, slots=True)
class Draft(Action):
    """Something that is put together, as far as it is.

    of: the kind of draft. about: what it is about, in numbers that its maker knows. pieces: what was chosen,
    oldest first. more: what was just chosen, behind them. words: what it is about besides. does: which of the
    buttons that carry it out was pressed, from 1; 0 for none.
    """

    command = "draft"
    decision_of = ANYONE

    of: str = ""
    about: tuple[int, ...] = ()
    pieces: tuple[int, ...] = ()
    more: tuple[int, ...] = ()
    words: str = ""
    does: int = 0

    def with_piece(self, piece: int) -> Draft:
        """The draft with one piece more."""
        return replace(self, pieces=(*self.pieces, piece))


@dataclass(frozen=True, slots=True)
class Laid:
    """A draft as it lies before who makes it.

    lines: what it is, the first alone says how far it is. pieces: what may come next, the value a number.
    ready: what carries it out, nothing before it is whole. lists, menus: what may come next, by the question
    that it answers; of lists several at once. shortest: the draft as it goes on, in fewer characters.
    """

    lines: tuple[str, ...]
    prompt: str = "What next?"
    pieces: tuple[Choice, ...] = ()
    ready: tuple[Button, ...] = ()
    lists: tuple[tuple[str, tuple[Choice, ...]], ...] = ()
    menus: tuple[tuple[str, tuple[Choice, ...]], ...] = ()
    shortest: Draft | None = None


Maker = Callable[[Act, Draft], Laid]


@dataclass(frozen=True, slots=True)
class Making:
    """What lays out drafts of a kind. system: of which game; abouts: how many numbers they may be about."""

    lay: Maker
    system: str
    abouts: tuple[int, ...] = (0,)

    def fits(self, draft: Draft, act: Act) -> bool:
        """Whether it can lay this one: of another game or version, or made up, it cannot."""
        return len(draft.about) in self.abouts and act.encounter.row.system == self.system


MAKERS: dict[str, Making] = {}

OPENS: dict[str, Callable[[Action], Draft | None]] = {}
"""Commands whose press opens a draft and no form; None where the action, as it is, needs none."""


def makes(of: str, *abouts: int) -> Callable[[Maker], Maker]:
    """Register the function below as what lays out drafts of a kind. It refuses who may not make one.

    abouts: how many numbers they are about; none where that is not said.
    """

    def register(maker: Maker) -> Maker:
        MAKERS[of] = Making(maker, system_of(maker.__module__), abouts or (0,))
        return maker

    return register


def said_in(draft: Draft, command: str) -> Action:
    """The action that the words of a draft hold, as it was written. Raises InvalidInput."""
    try:
        return from_inside(command, draft.words)
    except BadId as error:
        raise InvalidInput(OTHER_VERSION) from error


def placed(things: Sequence[T], place: int) -> T:
    """The thing at a place that a draft says. Raises InvalidInput where there is none."""
    if not 0 <= place < len(things):
        raise InvalidInput(OTHER_VERSION)
    return things[place]


@handles_specially(Draft, Place.ENCOUNTER)
async def draft(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """The draft as it lies, to who makes it alone; or what it was made for, carried out."""
    action, at = request.action, loaded.scope
    assert isinstance(action, Draft)
    so_far = replace(action, pieces=(*action.pieces, *action.more), more=(), does=0)
    act, making = Looking(loaded.book(), request.actor).act(so_far), MAKERS.get(action.of)
    if making is None or len(so_far.pieces) > MOST_PIECES or not making.fits(so_far, act):
        raise InvalidInput("That cannot be put together here.")
    laid = making.lay(act, so_far)
    so_far = laid.shortest or so_far
    if not action.does:
        return Answer(shown(so_far, laid), at.id, at.version)
    if not 0 < action.does <= len(laid.ready):
        raise InvalidInput("That is not whole yet.")
    asked = laid.ready[action.does - 1].action
    done = await carrier.carry_out(HANDLERS[asked.command], loaded, replace(request, action=asked), asked)
    return replace(done, reply=_leading_back(done.reply, so_far)) if asked.looks else done


def _leading_back(odds: Reply, so_far: Draft) -> Reply:
    """The odds of a draft in its place, with the step back to it instead of a form."""
    others = [one for one in odds.buttons if one.label != CHANGE]
    return replace(odds, buttons=(*others, Button(BACK, so_far, anytime=True)), replaces=True)


def shown(so_far: Draft, laid: Laid) -> Reply:
    """One private message: how it stands, what may come next, a step back, and what carries it out."""
    buttons = [_carrying_out(so_far, place, one) for place, one in enumerate(laid.ready, 1)]
    few = len(laid.pieces) <= MOST_BUTTONS
    if few:
        buttons += [Button(one.label, so_far.with_piece(int(one.value)), anytime=True) for one in laid.pieces]
    if so_far.pieces:
        buttons.append(Button(BACK, replace(so_far, pieces=so_far.pieces[:-1]), anytime=True))
    single = (*laid.menus, *([] if few else [(laid.prompt, laid.pieces)]))
    menus = [Menu(prompt, so_far, "more", each, anytime=True) for prompt, each in single]
    menus += [
        Menu(prompt, so_far, "more", choices, 1, len(choices), anytime=True)
        for prompt, choices in laid.lists
        if choices
    ]
    lines = tuple(laid.lines)
    return Reply(lines, private=True, buttons=tuple(buttons), menus=tuple(menus), replaces=True)


def _carrying_out(so_far: Draft, place: int, ready: Button) -> Button:
    """The button that carries a draft out: by way of the draft where it is too long, or leads back to it."""
    through = Button(ready.label, replace(so_far, does=place), ready.style, anytime=True)
    if has_room(ready) and not (ready.action.looks and has_room(through)):
        return ready
    return through
