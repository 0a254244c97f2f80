"""Forms made from the declarations of actions: opened by a button or a choice, handed in, opened again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import discord
from discord import ui

from bot.actions import ACTIONS, Action, BadId, Typed, part_of, part_of_doer, parts, raw_of
from bot.ids import Tag, fits, pack
from bot.panels.answer import actor_of, answer, changeable, closing, host_of, send
from bot.panels.door import Interaction, sent
from bot.panels.widgets import MAX_TITLE_LENGTH
from bot.replies.fit import ASK, ASKED, MAX_CHOICE_LENGTH, MAX_LABEL_LENGTH, has_room, shorten, with_typed
from bot.replies.reply import Button, Reply, say
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking.kinds import Number, Offer, TableKind
from bot.table.asking.reading import called
from bot.table.asking.server_kinds import CampaignKind, Crews, Elsewhere
from bot.table.handlers import HANDLERS, Place
from bot.table.journal_actions import SPECIAL
from bot.table.names import make_harmless, remove_formatting, remove_invisible
from bot.table.odds.attacks import add_chances
from bot.table.offers.forms import (
    CHANGE_LABEL,
    FURTHER_REST,
    FURTHER_TICK,
    REST_PART,
    SECOND_FORM,
    SEVERAL_TICK,
    AskForm,
    Chosen,
    FormControl,
    Unread,
    begin_draft,
    build_form,
    list_outside_parts,
    list_ticked_switches,
    make_change_buttons,
    read_form,
    title_of,
)
from bot.table.offers.legal_actions import Legal, Looking, not_asked_again
from bot.table.request import OVERRIDE
from bot.table.scoping import NEW_SCOPE_PLACES
from bot.table.session.drafts import DRAFT_OPENERS, Draft
from bot.table.session.possible_actions import WhatNow, make_action
from rules.refusals import Forbidden, InvalidInput

T = TypeVar("T")

GONE = say("Nothing was changed, because what you chose no longer exists.", private=True)

TEXT_INPUT = 4

WORKS_ON: Mapping[Place, type[Elsewhere]] = {Place.CREW: Crews, Place.CAMPAIGN: CampaignKind}
"""Where an action works on a crew or a campaign, and what names it there."""

MAX_BANDS = 5
"""Bands of a number that was left out, each offered as a button."""

MAX_WHICH = 25
"""Crews or campaigns of which one is chosen by a button."""


class AskModal(ui.Modal):
    """A form as Discord shows it; what is filled in arrives as an interaction of its own."""

    def __init__(self, form: AskForm, tag: Tag) -> None:
        super().__init__(title=shorten(form.title, MAX_TITLE_LENGTH), custom_id=pack(tag), timeout=None)
        for control in form.controls:
            self.add_item(
                ui.Label(
                    text=shorten(control.label, MAX_TITLE_LENGTH),
                    description=shorten(control.note, MAX_CHOICE_LENGTH) or None,
                    component=_component(control),
                )
            )
        self.stop()


def _component(control: FormControl) -> ui.Item[AskModal]:
    match control.shape:
        case "line":
            return ui.TextInput(
                custom_id=control.name,
                default=control.said[0] if control.said else None,
                max_length=control.longest,
                required=control.needed,
            )
        case "menu":
            return ui.Select(
                custom_id=control.name,
                min_values=1 if control.needed else 0,
                max_values=len(control.choices) if control.several else 1,
                required=control.needed,
                options=_options(control, discord.SelectOption, MAX_CHOICE_LENGTH),
            )
        case "radio":
            return ui.RadioGroup(
                custom_id=control.name,
                required=control.needed,
                options=_options(control, discord.RadioGroupOption, MAX_LABEL_LENGTH),
            )
        case "checks":
            return ui.CheckboxGroup(
                custom_id=control.name,
                min_values=0,
                max_values=len(control.choices),
                required=False,
                options=_options(control, discord.CheckboxGroupOption, MAX_LABEL_LENGTH),
            )


def _options(control: FormControl, make: Callable[..., T], longest: int) -> list[T]:
    """Return the choices of a part as Discord's, what is said of them ticked."""
    return [
        make(
            label=shorten(choice.label, longest),
            value=choice.value,
            description=shorten(choice.note, MAX_CHOICE_LENGTH) or None,
            default=choice.value in control.said,
        )
        for choice in control.choices
    ]


async def open_form(interaction: Interaction, tag: Tag, values: Sequence[str] = ()) -> None:
    """Show the form of an action; where nothing is to be filled in, the action is asked at once.

    values: the command of the action, where it was chosen from a menu.
    """
    action, insists = tag.action, False
    if isinstance(action, WhatNow) and (values or action.what):
        kind = ACTIONS.get(values[0] if values else action.what)
        if kind is None:
            await send(interaction, GONE)
            return
        action, insists = make_action(action, kind), not values
    try:
        action, question = await _somewhere(interaction, action, tag.scope)
        if question is not None:
            await send(interaction, question, tag.scope)
            return
        if action.bare:
            await answer(interaction, action.as_typed_action(), scope=tag.scope)
            return
        act_and_legal = await _seen(interaction, action, tag, insists=insists)
        put_together = DRAFT_OPENERS.get(action.command, _nothing)(action)
        if put_together is not None:
            await answer(interaction, put_together, scope=tag.scope)
            return
        form = await _form(interaction, action, tag, *act_and_legal) if act_and_legal is not None else None
    except Overridable as refusal:
        await send(interaction, _to_override(action, refusal), tag.scope)
        return
    except (InvalidInput, Forbidden) as refusal:
        await send(interaction, await closing(interaction, say(refusal.sentence, private=True)))
        return
    if form is None:
        await send(interaction, GONE)
    elif (only := _only_way(form)) is not None:
        await answer(interaction, only.as_typed_action(), scope=tag.scope)
    else:
        modal = AskModal(form, await _opened(interaction, form.action, tag))
        await sent(lambda: interaction.response.send_modal(modal))


async def hopeless(interaction: Interaction, tag: Tag, blanks: Collection[str]) -> str:
    """Return why a button is refused whatever is filled in, or empty text if it may pass."""
    command = tag.action.command
    if command in SPECIAL or HANDLERS[command].place is not Place.ENCOUNTER:
        return ""
    try:
        act = await host_of(interaction).desk.look(actor_of(interaction), tag.action, opens=True)
    except (InvalidInput, Forbidden) as refusal:
        return refusal.sentence
    if act is None or act.book.scope != tag.scope:
        return ""
    return Looking(act.book, act.actor).hopeless(tag.action, blanks, act.extra)


async def lets_nothing_pass(interaction: Interaction, tag: Tag) -> str:
    """Return why the person can't override a refusal; "" if they can, or if that is not known yet."""
    with suppress(InvalidInput, Forbidden):
        act = await host_of(interaction).desk.look(actor_of(interaction), tag.action)
        if act is not None and act.book.scope == tag.scope and act.has_organiser and not act.is_organiser:
            return "Only the organiser can override this, and has to give a reason."
    return ""


def _only_way(form: AskForm) -> Action | None:
    """The action where its form leaves nothing to be chosen; None where there is something.

    How it is told is nothing that must be chosen of a crew or campaign that is known.
    """
    others = [control for control in form.controls if control.shape != "checks"]
    if not form.controls or (not others and _is_elsewhere(form.action)):
        return form.action
    control, *other_controls = form.controls
    if other_controls or not control.needed or control.several or len(control.choices) != 1:
        return None
    only, problems = read_form(form.action, {control.name: [control.choices[0].value]})
    return None if problems else only


class Overridable(Forbidden):
    """A refusal that an organiser may override."""


def _refuse_first(act: Act, action: Action, legal: Legal) -> None:
    """Refuse what nothing that is filled in would change. Raises Forbidden, Overridable for an organiser.

    An organiser who has said more than who does it has read it before.
    """
    if not (legal.waivable and act.has_organiser and act.is_organiser):
        raise Forbidden(legal.reason)
    if raw_of(action).keys() <= not_asked_again(action.command):
        raise Overridable(legal.reason)


def _to_override(action: Action, refusal: Overridable) -> Reply:
    """The refusal to an organiser, with the button by which the form is opened nevertheless."""
    doer_part = part_of_doer(action.command)
    model = str(raw_of(action).get(doer_part.name, "")) if doer_part is not None else ""
    override = Button(OVERRIDE, WhatNow(model, action.command), anytime=True, asks=True)
    return say(refusal.sentence, private=True, buttons=[override])


def _nothing(action: Action) -> Draft | None:
    return None


def _is_elsewhere(action: Action) -> bool:
    """Return whether an action works on a crew or a campaign, which it names."""
    return HANDLERS[action.command].place in WORKS_ON


async def _somewhere(interaction: Interaction, action: Action, scope: int) -> tuple[Action, Reply | None]:
    """The action with the crew or campaign that it works on; where several may be meant, who asks is asked.

    scope: that of the reply below which it was pressed; a crew's or campaign's own is meant.
    """
    place = HANDLERS[action.command].place
    if place not in WORKS_ON:
        return action, None
    store, actor = host_of(interaction).desk.store, actor_of(interaction)
    game = await store.load(scope) if scope else None
    for part in parts(action.command):
        if not isinstance(part.kind, Elsewhere) or getattr(action, part.name):
            continue
        if game is not None and isinstance(part.kind, WORKS_ON[place]) and game.scope.kind == part.name:
            action = replace(action, **{part.name: scope})
            continue
        names = await part.kind.names(store, actor)
        if len(names) > 1 and isinstance(part.kind, CampaignKind):
            with suppress(InvalidInput):
                action = replace(action, **{part.name: await part.kind.located(store, actor, "") or 0})
                continue
        if len(names) > 1:
            name_buttons = [
                Button(name, replace(action, **{part.name: await part.kind.located(store, actor, name)}))
                for name in names[-MAX_WHICH:]
            ]
            buttons = tuple(replace(button, anytime=True, asks=True) for button in name_buttons)
            head = f'Choose the {called(part)} for "{title_of(type(action))}".'
            return action, Reply((head,), private=True, buttons=buttons)
        located = await part.kind.located(store, actor, names[0] if names else "")
        action = replace(action, **{part.name: located or 0})
    return action, None


async def _opened(interaction: Interaction, action: Action, tag: Tag) -> Tag:
    if tag.version < 0 and tag.scope:
        scope = await host_of(interaction).desk.store.load(tag.scope)
        opened = Tag(action, tag.scope, scope.scope.version if scope else -1, ASKED)
        if opened.version >= 0 and fits(opened):
            return opened
    return Tag(action, tag.scope, tag.version, ASK)


async def _seen(
    interaction: Interaction, action: Action, tag: Tag, *, insists: bool
) -> tuple[Act, Looking] | None:
    desk, actor = host_of(interaction).desk, actor_of(interaction)
    act = await desk.look(actor, action, opens=True)
    is_here = HANDLERS[action.command].place not in (*NEW_SCOPE_PLACES, *WORKS_ON)
    if act is None or (tag.scope and is_here and act.book.scope not in (0, tag.scope)):
        return None
    legality = Looking(act.book, act.actor)
    values = raw_of(action)
    legal = await asyncio.to_thread(legality.legal, type(action), values, act.extra)
    if not insists and legality.refused_first(legal, values, act.extra):
        _refuse_first(act, action, legal)
    return act, legality


async def _form(interaction: Interaction, action: Action, tag: Tag, act: Act, legality: Looking) -> AskForm:
    store, actor = host_of(interaction).desk.store, actor_of(interaction)
    action, preset = await _chosen_from(store, actor, action, act)
    return await asyncio.to_thread(_made, legality, action, act.extra, preset, tag.typed)


def _made(legality: Looking, action: Action, extra: Any, preset: Chosen, typed: Typed) -> AskForm:
    form = build_form(legality, action, extra, preset, typed)
    return add_chances(legality.act(form.action), form)


async def _chosen_from(store: Store, actor: Actor, action: Action, act: Act) -> tuple[Action, Chosen]:
    offers_by_field: dict[str, Sequence[Offer]] = {}
    for part in list_outside_parts(action.command):
        assert isinstance(part.kind, Elsewhere)
        if act.has_encounter and isinstance(part.kind, Crews) and part.kind.between:
            continue
        offers = await part.kind.chosen_from(store, actor)
        values = {offer.value for offer in offers}
        if part.default and not raw_of(action) and part.default not in values:
            action = replace(action, **{part.name: offers[0].value})
        if part.default:
            values.add(getattr(action, part.name))
        if len(values) > bool(part.default):
            offers_by_field[part.name] = offers
    return action, offers_by_field


async def handed_in(interaction: Interaction, tag: Tag, components: Any) -> None:
    """Ask the action with what was filled in; what is refused can be changed in the form again.

    Where it was ticked to be at several it goes on piece by piece.
    """
    action, unread = tag.action, list[Unread]()
    since = await host_of(interaction).desk.since(tag.scope, tag.version) if tag.part == ASKED else ()
    texts = _texts(components)
    try:
        values = _values(action.command, components)
        action, unread = read_form(action, values)
        if unread:
            raise InvalidInput("\n".join(problem.sentence for problem in unread))
        typed_action = action.as_typed_action()
        legality = await _looking(interaction, typed_action)
        if SEVERAL_TICK in list_ticked_switches(values):
            await answer(interaction, _severally(legality, action), scope=tag.scope)
            return
        if FURTHER_TICK in list_ticked_switches(values):
            second = Button("More options...", action, "main", anytime=True, asks=True, typed=SECOND_FORM)
            if has_room(second):
                reply = say(
                    f'Fill in more options for "{title_of(type(action))}".', private=True, buttons=[second]
                )
                await send(interaction, reply, tag.scope)
                return
    except (InvalidInput, Forbidden, BadId, ValueError) as refusal:
        words = (
            "Open the form again; this one is from an older version of the bot."
            if isinstance(refusal, ValueError)
            else refusal.sentence
        )
        wrong_told = say(*words.split("\n"), private=True)
        changes = _changes(None, action, tuple((field.name, field.text) for field in unread))
        await send(interaction, changeable(interaction, wrong_told, changes, texts), tag.scope)
        return

    def also(reply: Reply) -> Reply:
        buttons = [] if legality is None else _numbers_left(legality, typed_action)
        shown_reply = reply if typed_action.looks else _with_since(reply, since)
        shown_reply = replace(shown_reply, buttons=(*buttons, *shown_reply.buttons))
        return changeable(interaction, shown_reply, _changes(legality, action), texts)

    version = -1 if tag.part == ASKED else tag.version
    await answer(interaction, typed_action, scope=tag.scope, version=version, also=also)


async def asked_in_a_line(interaction: Interaction, action: Action) -> None:
    """Ask what one line said; where nothing but a number is missing, its bands are a press away."""
    legality = await _looking(interaction, action)

    def also(reply: Reply) -> Reply:
        buttons = [] if legality is None else _numbers_left(legality, action)
        return (
            replace(reply, buttons=(*buttons, *reply.buttons, *make_change_buttons(action)))
            if buttons
            else reply
        )

    await answer(interaction, action, also=also)


async def _looking(interaction: Interaction, action: Action) -> Looking | None:
    """The table as who asks sees it; None where an action needs more than that to be tried."""
    if HANDLERS[action.command].beforehand is not None:
        return None
    try:
        act = await host_of(interaction).desk.look(actor_of(interaction), action)
    except InvalidInput:
        return None
    return Looking(act.book, act.actor) if act is not None else None


def _numbers_left(legality: Looking, action: Action) -> list[Button]:
    """Where an action is refused for nothing but a number that was not said: its bands, each a press."""
    for part in parts(action.command):
        if not isinstance(part.kind, Number) or getattr(action, part.name) != part.default:
            continue
        bands = [
            (offer.label, replace(action, **{part.name: offer.value}))
            for offer in legality.offers(action, part.name)
        ]
        bands = [(label, band) for label, band in bands[:MAX_BANDS] if not legality.refusal(band)]
        if bands and legality.refusal(action):
            return [
                button for label, action in bands if has_room(button := Button(label, action, anytime=True))
            ]
    return []


def _with_since(reply: Reply, since: Sequence[str]) -> Reply:
    return reply.plus("Since you opened the form:", *map(remove_formatting, since)) if since else reply


def _changes(legality: Looking | None, action: Action, unread: Typed = ()) -> list[Button]:
    """The button that opens the form again, filled in with what was said, and the one for several."""
    change = with_typed(Button(CHANGE_LABEL, action, anytime=True, asks=True), unread)
    with suppress(InvalidInput, Forbidden):
        button = Button("Several...", _severally(legality, action), anytime=True)
        return [*change, *([button] if has_room(button) else [])]
    return change


def _values(command: str, components: Any) -> Mapping[str, Sequence[str]]:
    """What was filled in, by the names of the parts; what was typed is cleaned."""
    values: dict[str, Sequence[str]] = {}
    for label in components:
        part = label.get("component") or {}
        name = str(part.get("custom_id", ""))
        if "values" in part:
            values[name] = [str(value) for value in part["values"]]
        elif part.get("type") == TEXT_INPUT:
            values[name] = [_cleaned(command, name, str(part.get("value") or ""))]
        else:
            value = part.get("value")
            values[name] = [] if value is None else [str(value)]
    return values


def _severally(legality: Looking | None, action: Action) -> Action:
    """The draft that goes on from what was said. Raises InvalidInput where there is none, Forbidden."""
    draft = begin_draft(legality.act(action), action) if legality is not None else None
    if draft is None:
        raise InvalidInput(
            'Untick "Several targets" or clear some fields; not all fields work with several targets.'
        )
    return draft


def _texts(components: Any) -> list[str]:
    inner = (label.get("component") or {} for label in components)
    return [
        remove_invisible(str(part.get("value") or "")) for part in inner if part.get("type") == TEXT_INPUT
    ]


def _cleaned(command: str, name: str, text: str) -> str:
    if name in (REST_PART, FURTHER_REST):
        return remove_invisible(text)
    kind = part_of(command, name).kind
    notation = isinstance(kind, TableKind) and kind.notation
    return remove_invisible(text) if notation else make_harmless(text)
