"""Models of which an action takes several, gathered by pressing: who lies under a template, who helps.

One private message with a menu for each field, several at once: a form has room for few such menus, each
shows 25 at most, and nothing of it can be looked at again before it is done. What else was said stands in the
draft as the action itself (`bot.table.asking.inside`), in its one form and so in few characters; a piece
tells a model by how far its number is from that of who acts, and the place of the field. So an id mostly has
room for a dozen models and more beside all that a form can say; where there are too many, that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import ODDS, Action, Raw, action_of, doer, number_in, numbered, part_of, raw_of
from bot.replies.fit import has_room
from bot.replies.reply import Button, Choice
from bot.table.act import Act, NotAllowed
from bot.table.asking.inside import inside
from bot.table.asking.legal import Looking
from bot.table.asking.reading import read
from bot.table.asking.whose import may_ask_it
from bot.table.handlers import system_of
from bot.table.session.drafting import MAKERS, Draft, Laid, Making, said_in
from rules.refusals import InvalidInput

Pick = tuple[int, int]
"""A model that was chosen: the place of its field, and its number."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """One field of several models. prompt: of its menu; said: before the names of who was chosen.

    among: only who was chosen in one of these fields may be named.
    """

    name: str
    prompt: str
    said: str
    among: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathering:
    """How an action with such fields is put together.

    fields: by the settings of the table. told: what else was said, in lines. label: the button that does it.
    least: how many must be chosen before that stands there.
    """

    fields: Callable[[Act], Sequence[Gathered]]
    told: Callable[[Act, Any], Sequence[str]]
    label: str
    least: int = 0


_GATHERINGS: dict[str, Gathering] = {}


def gathers(kind: type[Action], gathering: Gathering) -> None:
    """Have an action put together so."""
    _GATHERINGS[kind.command] = gathering
    MAKERS[kind.command] = Making(_lay, system_of(kind.__module__))


def gathering(action: Action) -> Draft:
    """The draft that goes on from what an action says."""
    return Draft(action.command, words=inside(action))


def piece_of(action: Action, number: int, place: int = 0, fields: int = 1) -> int:
    """A model as a piece of such a draft. place: of its field among so many."""
    return (number - _base(action)) * fields + place


def _base(action: Action) -> int:
    """The number of who acts, from which those of all the others are counted; 0 where it is not said so."""
    who = doer(action.command)
    raw = raw_of(action).get(who.name) if who is not None else None
    if isinstance(raw, str):
        return number_in(raw) or 0
    return raw if isinstance(raw, int) else 0


def _lay(act: Act, draft: Draft) -> Laid:
    """Who is in each field so far, and who else may be. Raises InvalidInput, and NotAllowed for another's."""
    shape, said, looking = _GATHERINGS[draft.of], said_in(draft, draft.of), Looking(act.book, act.actor)
    if not (said.looks or may_ask_it(looking.act(said), said)):
        raise NotAllowed(looking.refusal(said))
    found = read(looking.act(said), said)
    fields = shape.fields(act)
    picks = _picked(draft, said, len(fields)) if draft.pieces else _said(found, fields)
    picks = [pick for pick in dict.fromkeys(picks) if _still(act, pick, picks, fields)]
    bare = _bare(said, found, fields)
    pieces = tuple(piece_of(bare, number, place, len(fields)) for place, number in picks)
    short = Draft(draft.of, words=inside(bare), pieces=pieces)
    if not has_room(Button("", replace(short, does=1), anytime=True)):
        raise InvalidInput("So many find no room here: choose fewer, or type it as a command.")
    whole = _with(bare, fields, picks)
    lists = [
        (one.prompt, tuple(_choices(looking, whole, fields, place, picks)))
        for place, one in enumerate(fields)
    ]
    return Laid(
        (*shape.told(act, found), *_told(act, fields, picks), "Only you see this."),
        ready=_ready(shape.label, whole) if len(picks) >= shape.least else (),
        lists=tuple(lists),
        shortest=short,
    )


def _picked(draft: Draft, said: Action, fields: int) -> list[Pick]:
    """What was chosen in the draft."""
    base = _base(said)
    return [(place, base + apart) for apart, place in (divmod(piece, fields) for piece in draft.pieces)]


def _said(found: Action, fields: Sequence[Gathered]) -> list[Pick]:
    """What was said before it."""
    return [(place, model.id) for place, one in enumerate(fields) for model in getattr(found, one.name)]


def _still(act: Act, pick: Pick, picks: Sequence[Pick], fields: Sequence[Gathered]) -> bool:
    """Whether a model is in play, and among those of whom it must be one."""
    place, number = pick
    return any(row.id == number for row in act.encounter.models()) and _fits(
        fields[place], number, fields, picks
    )


def _fits(one: Gathered, number: int, fields: Sequence[Gathered], picks: Sequence[Pick]) -> bool:
    """Whether a model is among those of whom it must be one in a field."""
    return not one.among or any(number == other and fields[place].name in one.among for place, other in picks)


def _bare(said: Action, found: Action, fields: Sequence[Gathered]) -> Action:
    """What was said besides, in its one form."""
    names = {one.name for one in fields}
    as_read = raw_of(found)
    kept = {name: as_read.get(name, raw) for name, raw in raw_of(said).items() if name not in names}
    return action_of(said.command, kept)


def _with(bare: Action, fields: Sequence[Gathered], picks: Sequence[Pick]) -> Action:
    """The action with who was chosen in each field."""
    chosen = {one.name: [number for at, number in picks if at == place] for place, one in enumerate(fields)}
    return replace(bare, **{name: _written(bare, name, numbers) for name, numbers in chosen.items()})


def _written(action: Action, name: str, numbers: Sequence[int]) -> Raw:
    """Models as a field of this action has them."""
    wire = part_of(action.command, name).wire
    if wire == tuple[int, ...]:
        return tuple(numbers)
    named = tuple(map(numbered, numbers))
    return named if wire == tuple[str, ...] else ", ".join(named)


def _told(act: Act, fields: Sequence[Gathered], picks: Sequence[Pick]) -> Iterator[str]:
    """Who was chosen in each field."""
    for place, one in enumerate(fields):
        names = [act.encounter.model(number).name for at, number in picks if at == place]
        if names:
            yield f"{one.said}: {', '.join(names)}."


def _choices(
    looking: Looking, whole: Action, fields: Sequence[Gathered], place: int, picks: Sequence[Pick]
) -> Iterator[Choice]:
    """Who else may be chosen in a field, likeliest first: nobody with whom it would be refused."""
    one, encounter = fields[place], looking.act(whole).encounter
    possible = not looking.refusal(whole)
    for offer in looking.offers(whole, one.name):
        number = encounter.find_model(str(offer.value)).id
        with_it = [*picks, (place, number)]
        if (place, number) in picks or not _fits(one, number, fields, picks):
            continue
        if not (possible and looking.refusal(_with(whole, fields, with_it))):
            yield Choice(offer.label, str(piece_of(whole, number, place, len(fields))), offer.note)


def _ready(label: str, whole: Action) -> tuple[Button, ...]:
    """What carries it out, its chances beside it; those alone where they were asked."""
    chances = replace(whole, **{ODDS: True}) if hasattr(whole, ODDS) else None
    does = () if whole.looks else (Button(label, whole, "main", anytime=True),)
    return (*does, Button("Odds", chances, anytime=True)) if chances is not None else does
