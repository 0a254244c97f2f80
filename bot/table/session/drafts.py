"""Actions put together piece by piece in one private message, and the picker of several models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from bot.actions import (
    ODDS,
    Action,
    BadId,
    Raw,
    action_of,
    number_in,
    part_of,
    part_of_doer,
    raw_of,
    reference_by_number,
)
from bot.replies.fit import has_room
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.book import Loaded
from bot.table.act import Act, ActView, NotAllowed
from bot.table.asking.reading import from_inside, inside, read
from bot.table.carrying import Carrier
from bot.table.handlers import HANDLERS, Place, may_ask_odds, system_of
from bot.table.journal_actions import handles_specially
from bot.table.offers.forms import CHANGE_LABEL
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE
from bot.table.request import Answer, Request
from rules.refusals import Forbidden, InvalidInput

OTHER_VERSION = "Start again; this form was made with an older version of the bot."

MAX_DRAFT_PIECES = 40
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
class DraftView:
    """A draft as its maker sees it.

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


LayOutDraft = Callable[[Act, Draft], DraftView]


@dataclass(frozen=True, slots=True)
class DraftMaker:
    """The function that lays out drafts of a kind.

    system: their game; abouts: how many numbers describe the subject.
    """

    lay: LayOutDraft
    system: str
    abouts: tuple[int, ...] = (0,)

    def fits(self, draft: Draft, act: Act) -> bool:
        """Return whether it can lay this one: of another game or version, or made up, it cannot."""
        return len(draft.about) in self.abouts and act.encounter.row.system == self.system


MAKERS: dict[str, DraftMaker] = {}

DRAFT_OPENERS: dict[str, Callable[[Action], Draft | None]] = {}
"""Commands whose press opens a draft and no form; None where the action, as it is, needs none."""


def register_maker(command: str, *subject_lengths: int) -> Callable[[LayOutDraft], LayOutDraft]:
    """Register the function below, which lays out drafts of a kind.

    It refuses people who may not make one. subject_lengths: how many numbers describe the subject; none if
    that is left out.
    """

    def register(maker: LayOutDraft) -> LayOutDraft:
        MAKERS[command] = DraftMaker(maker, system_of(maker.__module__), subject_lengths or (0,))
        return maker

    return register


def read_draft_action(draft: Draft, command: str) -> Action:
    """Return the action that the words of a draft hold, as it was written. Raises InvalidInput."""
    try:
        return from_inside(command, draft.words)
    except BadId as error:
        raise InvalidInput(OTHER_VERSION) from error


def require_list_item(items: Sequence[T], place: int) -> T:
    """Return the item at a place that a draft names. Raises InvalidInput if there is none."""
    if not 0 <= place < len(items):
        raise InvalidInput(OTHER_VERSION)
    return items[place]


@handles_specially(Draft, Place.ENCOUNTER)
async def handle_draft(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Show the draft only to its maker, or carry out its action."""
    action, scope = request.action, loaded.scope
    assert isinstance(action, Draft)
    full_draft, view = _lay_out(Looking(loaded.book(), request.actor), action)
    if not action.does:
        return Answer(build_draft_reply(full_draft, view), scope.id, scope.version)
    if not 0 < action.does <= len(view.ready):
        raise InvalidInput("Fill in everything first.")
    ready_action = view.ready[action.does - 1].action
    outcome = await carrier.carry_out(
        HANDLERS[ready_action.command], loaded, replace(request, action=ready_action), ready_action
    )
    return (
        replace(outcome, reply=_add_back_button(outcome.reply, full_draft)) if ready_action.looks else outcome
    )


def _lay_out(looking: Looking, action: Draft) -> tuple[Draft, DraftView]:
    """Return a draft with all its pieces, and as it lies before its maker. Raises InvalidInput, Forbidden."""
    full_draft = replace(action, pieces=(*action.pieces, *action.more), more=(), does=0)
    act, maker = looking.act(full_draft), MAKERS.get(action.of)
    if maker is None or len(full_draft.pieces) > MAX_DRAFT_PIECES or not maker.fits(full_draft, act):
        raise InvalidInput("This form can't be filled in here. Type the command instead.")
    view = maker.lay(act, full_draft)
    return view.shortest or full_draft, view


def list_open_choices(looking: Looking, draft: Draft, choices: Sequence[str]) -> list[str]:
    """Return which of these choices of a draft are still open; "" is the draft as it is."""
    try:
        _, view = _lay_out(looking, draft)
    except (InvalidInput, Forbidden):
        return []
    menus = [*view.menus, *view.lists, (view.prompt, view.pieces)]
    open_values = {choice.value for _, menu in menus for choice in menu}
    ready_buttons = view.ready[draft.does - 1 :][:1] if draft.does else view.ready
    if any(looking.objection(button) is None for button in ready_buttons) or (open_values and not draft.does):
        open_values.add("")
    return [choice for choice in choices if choice in open_values]


def _add_back_button(odds: Reply, full_draft: Draft) -> Reply:
    """Return a draft's odds in its place, with a step back to it instead of a form."""
    other_buttons = [button for button in odds.buttons if button.label != CHANGE_LABEL]
    return replace(odds, buttons=(*other_buttons, Button(BACK, full_draft, anytime=True)), replaces=True)


def build_draft_reply(full_draft: Draft, view: DraftView) -> Reply:
    """Return one private message: the draft, the next choices, a step back, and its button."""
    buttons = [
        _make_carry_out_button(full_draft, place, button) for place, button in enumerate(view.ready, 1)
    ]
    has_buttons = len(view.pieces) <= MAX_BUTTONS
    if has_buttons:
        buttons += [
            Button(choice.label, full_draft.with_piece(int(choice.value)), anytime=True)
            for choice in view.pieces
        ]
    if full_draft.pieces:
        buttons.append(Button(BACK, replace(full_draft, pieces=full_draft.pieces[:-1]), anytime=True))
    single_menus = (*view.menus, *([] if has_buttons else [(view.prompt, view.pieces)]))
    menus = [Menu(prompt, full_draft, "more", choices, anytime=True) for prompt, choices in single_menus]
    menus += [
        Menu(prompt, full_draft, "more", choices, 1, len(choices), anytime=True)
        for prompt, choices in view.lists
        if choices
    ]
    lines = tuple(view.lines)
    return Reply(lines, private=True, buttons=tuple(buttons), menus=tuple(menus), replaces=True)


def _make_carry_out_button(full_draft: Draft, place: int, button: Button) -> Button:
    """Return the button that carries a draft out, by way of the draft if it is too long."""
    draft_button = Button(button.label, replace(full_draft, does=place), button.style, anytime=True)
    if has_room(button) and not (button.action.looks and has_room(draft_button)):
        return button
    return draft_button


Pick = tuple[int, int]
"""A model that was chosen: the place of its field, and its number."""


@dataclass(frozen=True, slots=True)
class PickField:
    """One field of several models. prompt: of its menu; said: before the names of who was chosen.

    among: only who was chosen in one of these fields may be named.
    """

    name: str
    prompt: str
    said: str
    among: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picker:
    """The way an action with several values is put together.

    fields: by the settings of the table. told: the other fields, in lines. label: the button that does it.
    least: how many choices are needed before that button appears.
    """

    fields: Callable[[ActView], Sequence[PickField]]
    told: Callable[[Act, Any], Sequence[str]]
    label: str
    least: int = 0


_PICKERS: dict[str, Picker] = {}


def register_picker(kind: type[Action], picker: Picker) -> None:
    """Declare that an action is put together in this way."""
    _PICKERS[kind.command] = picker
    MAKERS[kind.command] = DraftMaker(_lay_out_picker, system_of(kind.__module__))


def make_picker_draft(action: Action) -> Draft:
    """Return the draft that goes on from what an action says."""
    return Draft(action.command, words=inside(action))


def encode_piece(action: Action, model_id: int, place: int = 0, fields: int = 1) -> int:
    """Return a model as a piece of such a draft. place: of its field among so many."""
    return (model_id - _find_doer_id(action)) * fields + place


def _find_doer_id(action: Action) -> int:
    doer_part = part_of_doer(action.command)
    raw = raw_of(action).get(doer_part.name) if doer_part is not None else None
    if isinstance(raw, str):
        return number_in(raw) or 0
    return raw if isinstance(raw, int) else 0


def _lay_out_picker(act: Act, draft: Draft) -> DraftView:
    """Return who is in each field so far, and who else may be. Raises InvalidInput, NotAllowed."""
    shape = _PICKERS[draft.of]
    action = read_draft_action(draft, draft.of)
    looking = Looking(act.book, act.actor)
    if not (action.looks or may_ask_odds(looking.act(action), action)):
        raise NotAllowed(looking.refusal(action))
    read_action = read(looking.act(action), action)
    fields = shape.fields(act)
    picks = _decode_picks(draft, action, len(fields)) if draft.pieces else _list_picks(read_action, fields)
    picks = [pick for pick in dict.fromkeys(picks) if _is_still_valid(act, pick, picks, fields)]
    bare_action = _strip_picks(action, read_action, fields)
    numbers = tuple(encode_piece(bare_action, number, place, len(fields)) for place, number in picks)
    short_draft = Draft(draft.of, words=inside(bare_action), pieces=numbers)
    if not has_room(Button("", replace(short_draft, does=1), anytime=True)):
        raise InvalidInput("Choose fewer models, or type this as a command; there is no room for so many.")
    full_action = _add_picks(bare_action, fields, picks)
    lists = [
        (pick_field.prompt, tuple(_list_choices(looking, full_action, fields, place, picks)))
        for place, pick_field in enumerate(fields)
    ]
    return DraftView(
        (*shape.told(act, read_action), *_format_picks(act, fields, picks), "Only you can see this."),
        ready=_make_ready_buttons(shape.label, full_action) if len(picks) >= shape.least else (),
        lists=tuple(lists),
        shortest=short_draft,
    )


def _decode_picks(draft: Draft, action: Action, fields: int) -> list[Pick]:
    base = _find_doer_id(action)
    return [(place, base + offset) for offset, place in (divmod(number, fields) for number in draft.pieces)]


def _list_picks(action: Action, fields: Sequence[PickField]) -> list[Pick]:
    return [
        (place, model.id)
        for place, pick_field in enumerate(fields)
        for model in getattr(action, pick_field.name)
    ]


def _is_still_valid(act: Act, pick: Pick, picks: Sequence[Pick], fields: Sequence[PickField]) -> bool:
    """Return whether a model is in play and among those that fit."""
    place, model_id = pick
    return any(row.id == model_id for row in act.encounter.models()) and _is_fitting(
        fields[place], model_id, fields, picks
    )


def _is_fitting(
    pick_field: PickField, model_id: int, fields: Sequence[PickField], picks: Sequence[Pick]
) -> bool:
    """Return whether a model is among those that fit a field."""
    return not pick_field.among or any(
        model_id == picked_id and fields[place].name in pick_field.among for place, picked_id in picks
    )


def _strip_picks(action: Action, read_action: Action, fields: Sequence[PickField]) -> Action:
    names = {field.name for field in fields}
    read_values = raw_of(read_action)
    kept_values = {
        name: read_values.get(name, raw) for name, raw in raw_of(action).items() if name not in names
    }
    return action_of(action.command, kept_values)


def _add_picks(bare_action: Action, fields: Sequence[PickField], picks: Sequence[Pick]) -> Action:
    models = {
        pick_field.name: [number for field, number in picks if field == place]
        for place, pick_field in enumerate(fields)
    }
    return replace(
        bare_action, **{name: _raw_models(bare_action, name, numbers) for name, numbers in models.items()}
    )


def _raw_models(action: Action, name: str, numbers: Sequence[int]) -> Raw:
    wire = part_of(action.command, name).wire
    if wire == tuple[int, ...]:
        return tuple(numbers)
    names = tuple(map(reference_by_number, numbers))
    return names if wire == tuple[str, ...] else ", ".join(names)


def _format_picks(act: Act, fields: Sequence[PickField], picks: Sequence[Pick]) -> Iterator[str]:
    for place, pick_field in enumerate(fields):
        names = [act.encounter.model(number).name for field, number in picks if field == place]
        if names:
            yield f"{pick_field.said}: {', '.join(names)}."


def _list_choices(
    looking: Looking, full_action: Action, fields: Sequence[PickField], place: int, picks: Sequence[Pick]
) -> Iterator[Choice]:
    """Return the further choices for a field, likeliest first, without models that would be refused."""
    pick_field, encounter = fields[place], looking.act(full_action).encounter
    is_possible = not looking.refusal(full_action)
    for offer in looking.offers(full_action, pick_field.name):
        model_id = encounter.find_model(str(offer.value)).id
        further_picks = [*picks, (place, model_id)]
        if (place, model_id) in picks or not _is_fitting(pick_field, model_id, fields, picks):
            continue
        if not (is_possible and looking.refusal(_add_picks(full_action, fields, further_picks))):
            yield Choice(
                offer.label, str(encode_piece(full_action, model_id, place, len(fields))), offer.note
            )


def _make_ready_buttons(label: str, full_action: Action) -> tuple[Button, ...]:
    """Return the button that carries it out with its chances, or only the chances if those were asked."""
    chances = replace(full_action, **{ODDS: True}) if hasattr(full_action, ODDS) else None
    buttons = () if full_action.looks else (Button(label, full_action, "main", anytime=True),)
    return (*buttons, Button("Odds", chances, anytime=True)) if chances is not None else buttons
