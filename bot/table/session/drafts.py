"""Actions put together piece by piece in one private message, and the picker of several models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from bot.actions import ODDS, Action, BadId, Raw, action_of, doer, number_in, numbered, part_of, raw_of
from bot.replies.fit import has_room
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.book import Loaded
from bot.table.act import Act, ActView, NotAllowed
from bot.table.asking.reading import from_inside, inside, read
from bot.table.carrying import Carrier
from bot.table.handlers import HANDLERS, Place, may_ask_it, system_of
from bot.table.journal_actions import handles_specially
from bot.table.offers.forms import CHANGE
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE
from bot.table.request import Answer, Request
from rules.refusals import Forbidden, InvalidInput

OTHER_VERSION = "Start again; this form was made with an older version of the bot."

MAX_PIECES = 40
"""Pieces of one draft; its ids carry them all, and mostly have room for fewer."""

T = TypeVar("T")

BACK = "Back"
"""The button that goes a step back."""

MAX_BUTTONS = 9
"""Ways to go on that are buttons; where there are more they are a menu."""


@dataclass(frozen=True, slots=True)
class Draft(Action):
    """An action that is being put together.

    of: the kind of draft. about: its subject, in numbers that its maker knows. pieces: the choices, oldest
    first. more: the newest choices, after them. words: further text of the subject. does: the button that was
    pressed to carry it out, from 1, or 0.
    """

    command = "draft"
    decision_of = ANYONE

    of: str = ""
    about: tuple[int, ...] = ()
    pieces: tuple[int, ...] = ()
    more: tuple[int, ...] = ()
    words: str = ""
    does: int = 0

    def with_piece(self, number: int) -> Draft:
        """Return the draft with one piece more."""
        return replace(self, pieces=(*self.pieces, number))


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
    """The function that lays out drafts of a kind.

    system: their game; abouts: how many numbers describe the subject.
    """

    lay: Maker
    system: str
    abouts: tuple[int, ...] = (0,)

    def fits(self, draft: Draft, act: Act) -> bool:
        """Return whether it can lay this one: of another game or version, or made up, it cannot."""
        return len(draft.about) in self.abouts and act.encounter.row.system == self.system


MAKERS: dict[str, Making] = {}

OPENS: dict[str, Callable[[Action], Draft | None]] = {}
"""Commands whose press opens a draft and no form; None where the action, as it is, needs none."""


def makes(command: str, *abouts: int) -> Callable[[Maker], Maker]:
    """Register the function below, which lays out drafts of a kind.

    It refuses people who may not make one. abouts: how many numbers describe the subject; none if that is
    left out.
    """

    def register(maker: Maker) -> Maker:
        MAKERS[command] = Making(maker, system_of(maker.__module__), abouts or (0,))
        return maker

    return register


def said_in(draft: Draft, command: str) -> Action:
    """Return the action that the words of a draft hold, as it was written. Raises InvalidInput."""
    try:
        return from_inside(command, draft.words)
    except BadId as error:
        raise InvalidInput(OTHER_VERSION) from error


def placed(things: Sequence[T], place: int) -> T:
    """Return the thing at a place that a draft says. Raises InvalidInput where there is none."""
    if not 0 <= place < len(things):
        raise InvalidInput(OTHER_VERSION)
    return things[place]


@handles_specially(Draft, Place.ENCOUNTER)
async def draft(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Show the draft only to its maker, or carry out its action."""
    action, scope = request.action, loaded.scope
    assert isinstance(action, Draft)
    so_far, laid = _laid_out(Looking(loaded.book(), request.actor), action)
    if not action.does:
        return Answer(draft_reply(so_far, laid), scope.id, scope.version)
    if not 0 < action.does <= len(laid.ready):
        raise InvalidInput("Fill in everything first.")
    ready_action = laid.ready[action.does - 1].action
    outcome = await carrier.carry_out(
        HANDLERS[ready_action.command], loaded, replace(request, action=ready_action), ready_action
    )
    return replace(outcome, reply=_leading_back(outcome.reply, so_far)) if ready_action.looks else outcome


def _laid_out(looking: Looking, action: Draft) -> tuple[Draft, Laid]:
    """Return a draft with all its pieces, and as it lies before its maker. Raises InvalidInput, Forbidden."""
    so_far = replace(action, pieces=(*action.pieces, *action.more), more=(), does=0)
    act, maker = looking.act(so_far), MAKERS.get(action.of)
    if maker is None or len(so_far.pieces) > MAX_PIECES or not maker.fits(so_far, act):
        raise InvalidInput("This form can't be filled in here. Type the command instead.")
    laid = maker.lay(act, so_far)
    return laid.shortest or so_far, laid


def draft_choices(looking: Looking, draft: Draft, choices: Sequence[str]) -> list[str]:
    """Return which of these choices of a draft are still open; "" is the draft as it is."""
    try:
        _, laid = _laid_out(looking, draft)
    except (InvalidInput, Forbidden):
        return []
    menus = [*laid.menus, *laid.lists, (laid.prompt, laid.pieces)]
    open_values = {choice.value for _, menu in menus for choice in menu}
    ready = laid.ready[draft.does - 1 :][:1] if draft.does else laid.ready
    if any(looking.objection(button) is None for button in ready) or (open_values and not draft.does):
        open_values.add("")
    return [choice for choice in choices if choice in open_values]


def _leading_back(odds: Reply, so_far: Draft) -> Reply:
    """Return a draft's odds in its place, with a step back to it instead of a form."""
    others = [button for button in odds.buttons if button.label != CHANGE]
    return replace(odds, buttons=(*others, Button(BACK, so_far, anytime=True)), replaces=True)


def draft_reply(so_far: Draft, laid: Laid) -> Reply:
    """Return one private message: the draft, the next choices, a step back, and its button."""
    buttons = [_carrying_out(so_far, place, button) for place, button in enumerate(laid.ready, 1)]
    has_buttons = len(laid.pieces) <= MAX_BUTTONS
    if has_buttons:
        buttons += [
            Button(choice.label, so_far.with_piece(int(choice.value)), anytime=True) for choice in laid.pieces
        ]
    if so_far.pieces:
        buttons.append(Button(BACK, replace(so_far, pieces=so_far.pieces[:-1]), anytime=True))
    single = (*laid.menus, *([] if has_buttons else [(laid.prompt, laid.pieces)]))
    menus = [Menu(prompt, so_far, "more", choices, anytime=True) for prompt, choices in single]
    menus += [
        Menu(prompt, so_far, "more", choices, 1, len(choices), anytime=True)
        for prompt, choices in laid.lists
        if choices
    ]
    lines = tuple(laid.lines)
    return Reply(lines, private=True, buttons=tuple(buttons), menus=tuple(menus), replaces=True)


def _carrying_out(so_far: Draft, place: int, button: Button) -> Button:
    """Return the button that carries a draft out, by way of the draft if it is too long."""
    stepped = Button(button.label, replace(so_far, does=place), button.style, anytime=True)
    if has_room(button) and not (button.action.looks and has_room(stepped)):
        return button
    return stepped


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
    """The way an action with several values is put together.

    fields: by the settings of the table. told: the other fields, in lines. label: the button that does it.
    least: how many choices are needed before that button appears.
    """

    fields: Callable[[ActView], Sequence[Gathered]]
    told: Callable[[Act, Any], Sequence[str]]
    label: str
    least: int = 0


_GATHERINGS: dict[str, Gathering] = {}


def gathers(kind: type[Action], gathering: Gathering) -> None:
    """Declare that an action is put together in this way."""
    _GATHERINGS[kind.command] = gathering
    MAKERS[kind.command] = Making(_lay, system_of(kind.__module__))


def gathering(action: Action) -> Draft:
    """Return the draft that goes on from what an action says."""
    return Draft(action.command, words=inside(action))


def piece_of(action: Action, number: int, place: int = 0, fields: int = 1) -> int:
    """Return a model as a piece of such a draft. place: of its field among so many."""
    return (number - _base(action)) * fields + place


def _base(action: Action) -> int:
    doer_part = doer(action.command)
    raw = raw_of(action).get(doer_part.name) if doer_part is not None else None
    if isinstance(raw, str):
        return number_in(raw) or 0
    return raw if isinstance(raw, int) else 0


def _lay(act: Act, draft: Draft) -> Laid:
    """Return who is in each field so far, and who else may be. Raises InvalidInput, NotAllowed."""
    shape, action, looking = _GATHERINGS[draft.of], said_in(draft, draft.of), Looking(act.book, act.actor)
    if not (action.looks or may_ask_it(looking.act(action), action)):
        raise NotAllowed(looking.refusal(action))
    read_action = read(looking.act(action), action)
    fields = shape.fields(act)
    picks = _picked(draft, action, len(fields)) if draft.pieces else _picks_of_action(read_action, fields)
    picks = [pick for pick in dict.fromkeys(picks) if _still(act, pick, picks, fields)]
    bare_action = _bare(action, read_action, fields)
    numbers = tuple(piece_of(bare_action, number, place, len(fields)) for place, number in picks)
    short_draft = Draft(draft.of, words=inside(bare_action), pieces=numbers)
    if not has_room(Button("", replace(short_draft, does=1), anytime=True)):
        raise InvalidInput("Choose fewer models, or type this as a command; there is no room for so many.")
    full_action = _with(bare_action, fields, picks)
    lists = [
        (gathered.prompt, tuple(_choices(looking, full_action, fields, place, picks)))
        for place, gathered in enumerate(fields)
    ]
    return Laid(
        (*shape.told(act, read_action), *_pick_lines(act, fields, picks), "Only you can see this."),
        ready=_ready(shape.label, full_action) if len(picks) >= shape.least else (),
        lists=tuple(lists),
        shortest=short_draft,
    )


def _picked(draft: Draft, action: Action, fields: int) -> list[Pick]:
    base = _base(action)
    return [(place, base + offset) for offset, place in (divmod(number, fields) for number in draft.pieces)]


def _picks_of_action(action: Action, fields: Sequence[Gathered]) -> list[Pick]:
    return [
        (place, model.id) for place, gathered in enumerate(fields) for model in getattr(action, gathered.name)
    ]


def _still(act: Act, pick: Pick, picks: Sequence[Pick], fields: Sequence[Gathered]) -> bool:
    """Return whether a model is in play and among those that fit."""
    place, number = pick
    return any(row.id == number for row in act.encounter.models()) and _fits(
        fields[place], number, fields, picks
    )


def _fits(gathered: Gathered, number: int, fields: Sequence[Gathered], picks: Sequence[Pick]) -> bool:
    """Return whether a model is among those that fit a field."""
    return not gathered.among or any(
        number == other and fields[place].name in gathered.among for place, other in picks
    )


def _bare(action: Action, read_action: Action, fields: Sequence[Gathered]) -> Action:
    names = {field.name for field in fields}
    as_read = raw_of(read_action)
    kept_values = {name: as_read.get(name, raw) for name, raw in raw_of(action).items() if name not in names}
    return action_of(action.command, kept_values)


def _with(bare_action: Action, fields: Sequence[Gathered], picks: Sequence[Pick]) -> Action:
    models = {
        gathered.name: [number for field, number in picks if field == place]
        for place, gathered in enumerate(fields)
    }
    return replace(
        bare_action, **{name: _raw_models(bare_action, name, numbers) for name, numbers in models.items()}
    )


def _raw_models(action: Action, name: str, numbers: Sequence[int]) -> Raw:
    wire = part_of(action.command, name).wire
    if wire == tuple[int, ...]:
        return tuple(numbers)
    names = tuple(map(numbered, numbers))
    return names if wire == tuple[str, ...] else ", ".join(names)


def _pick_lines(act: Act, fields: Sequence[Gathered], picks: Sequence[Pick]) -> Iterator[str]:
    for place, gathered in enumerate(fields):
        names = [act.encounter.model(number).name for field, number in picks if field == place]
        if names:
            yield f"{gathered.said}: {', '.join(names)}."


def _choices(
    looking: Looking, full_action: Action, fields: Sequence[Gathered], place: int, picks: Sequence[Pick]
) -> Iterator[Choice]:
    """Return the further choices for a field, likeliest first, without models that would be refused."""
    gathered, encounter = fields[place], looking.act(full_action).encounter
    possible = not looking.refusal(full_action)
    for offer in looking.offers(full_action, gathered.name):
        number = encounter.find_model(str(offer.value)).id
        with_it = [*picks, (place, number)]
        if (place, number) in picks or not _fits(gathered, number, fields, picks):
            continue
        if not (possible and looking.refusal(_with(full_action, fields, with_it))):
            yield Choice(offer.label, str(piece_of(full_action, number, place, len(fields))), offer.note)


def _ready(label: str, full_action: Action) -> tuple[Button, ...]:
    """Return the button that carries it out with its chances, or only the chances if those were asked."""
    chances = replace(full_action, **{ODDS: True}) if hasattr(full_action, ODDS) else None
    buttons = () if full_action.looks else (Button(label, full_action, "main", anytime=True),)
    return (*buttons, Button("Odds", chances, anytime=True)) if chances is not None else buttons
