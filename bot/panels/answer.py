"""Answers an interaction, whatever happens, within Discord's three seconds.

The one place where replies go out: slow work is deferred, a lost connection is tried once more, an answer
that was accepted after all is taken as given, a fault is logged under the interaction's id and the person is
told that id.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, cast

import discord

from bot import meter
from bot.actions import Action, BadId
from bot.error_guard import guard_errors
from bot.ids import unpack
from bot.panels.channels import Seen, without_threads
from bot.panels.door import (
    InChannel,
    Interaction,
    InteractionDoor,
    OpenMenus,
    OpenMessage,
    files_of,
    is_private,
    left_on_a_crew,
    left_to_press,
    open_to,
    sent,
)
from bot.panels.named import with_named
from bot.panels.tapping import as_the_server_has_them
from bot.panels.widgets import Json, card_of, is_pressable, scopes_on
from bot.replies.fit import messages
from bot.replies.reply import Attachment, Button, Reply, say
from bot.replies.weight import Faces, weighed
from bot.store.book import own_place
from bot.store.errors import Busy, Lost, Unwritable
from bot.table.act import Actor
from bot.table.answering import refused
from bot.table.channels import NoChannels
from bot.table.desk import Desk
from bot.table.handlers import ANYWHERE, HANDLERS
from bot.table.names import plain, remove_formatting
from bot.table.offers.forms import CHANGE_LABEL
from bot.table.request import OVERRIDE, Answer, Request
from bot.table.scoping import find_game_read
from bot.table.session.drafts import BACK, Draft
from bot.table.session.lasting_controls import outlasts_games

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 1.5
"""How long an action may take before the interaction is acknowledged without its result."""

THINKING = 0.2
"""The part of that after which it is shown that the bot thinks where chances are asked for by a command."""

FAULT = "fault"
"""How an answer is marked that tells of a fault of the program."""

OF_THE_DATABASE = (Busy, Lost, Unwritable)
"""Errors of the database, which are never a fault of the program."""

GIVEN_BACK = "Here is your text, so that you can copy it:"


class Panels(Protocol):
    """The keeper of the live panels."""

    def changed(self, scope: int, *, quietly: bool = False, after: asyncio.Task[Any] | None = None) -> None:
        """Show the panel of a scope again because it changed; quietly if no one may notice.

        after: what answers who changed it; the panel stands below what that tells.
        """
        ...

    async def answer(
        self, scope: int, door: InteractionDoor, entry: int, files: Sequence[Attachment] = ()
    ) -> bool:
        """Show on the card of a game what an interaction did; whether it has one here, and that arrived."""
        ...

    def shows(self, scope: int) -> bool:
        """Return whether a card of this scope is in a channel."""
        ...

    def wrote(self, channel_id: int) -> None:
        """Count a message in a channel, and move a card down when it is far up."""
        ...

    async def settle(self) -> None:
        """Wait until every panel shows what was last changed."""
        ...

    async def close(self) -> None:
        """Stop, showing what is due as far as that is quick."""
        ...


class Commands(Protocol):
    """The keeper of the commands that Discord has."""

    async def look_at(self, scope: int, guild: int, tell: Callable[[str], Awaitable[object]]) -> None:
        """Look at a changed scope. tell: says to who changed it that Discord did not take what follows."""
        ...

    def ids(self, guild: int) -> Mapping[str, int]:
        """Return the numbers of the commands of a server, by their first word."""
        ...


class Events(Protocol):
    """Keeps the scheduled events of campaigns."""

    async def look_at(self, scope: int) -> None:
        """Bring the events up to date after a scope was changed."""
        ...


class Host(Protocol):
    """The parts of a client that answering needs.

    under_way: who is answering at present. patience: instead of `PATIENCE_SECONDS`, where it is not None.
    faces: the emojis of dice that Discord has.
    """

    desk: Desk
    panels: Panels
    commands: Commands
    calendar: Events
    under_way: set[asyncio.Task[Any]]
    faces: Faces
    menus: OpenMenus
    patience: float | None


def host_of(interaction: Interaction) -> Host:
    """Return the client as host."""
    return cast(Host, interaction.client)


def is_outside(interaction: Interaction) -> bool:
    """Return whether it comes from a direct message or from a server in which the bot is not a member."""
    return interaction.guild_id is None or not interaction.is_guild_integration()


def actor_of(interaction: Interaction) -> Actor:
    """Return the person and the place. Outside the bot's servers, people manage a place of their own."""
    user = interaction.user
    name = plain(user.display_name, 24) or "somebody"
    if is_outside(interaction):
        place = own_place(user.id)
        return Actor(user.id, name, place, place, manages=True, serves=True)
    return Actor(
        user_id=user.id,
        name=name,
        guild_id=interaction.guild_id or 0,
        channel_id=interaction.channel_id or 0,
        manages=interaction.permissions.manage_channels,
        serves=interaction.permissions.manage_guild,
        channels=Seen(interaction),
    )


async def answer(
    interaction: Interaction,
    action: Action,
    *,
    scope: int = 0,
    version: int = -1,
    reason: str = "",
    also: Callable[[Reply], Reply] = lambda reply: reply,
) -> None:
    """Ask the desk and send what it answers. Never raises.

    also: what is added where nothing was changed and only the person who asked sees it.
    """
    host = host_of(interaction)
    task = asyncio.current_task()
    assert task is not None, "interactions are handled in tasks"
    host.under_way.add(task)
    try:
        request = Request(action, actor_of(interaction), interaction.id, scope, version, reason)
        await _answer(host, interaction, request, also)
    finally:
        host.under_way.discard(task)


async def _answer(
    host: Host, interaction: Interaction, request: Request, also: Callable[[Reply], Reply]
) -> None:
    started = time.perf_counter()
    seconds = PATIENCE_SECONDS if host.patience is None else host.patience
    thinks = request.action.looks and interaction.message is None
    patience = _Patience(interaction, THINKING * seconds if thinks else seconds)
    try:
        answer = await _performed(host.desk, request)
    finally:
        late = await patience.ends()
    if answer.reply.private and not answer.changed and not answer.repeated:
        answer = replace(answer, reply=also(answer.reply))
    if answer.refusal:
        answer = replace(answer, reply=await closing(interaction, answer.reply))
    others = late and answer.repeated  # whoever took it before answers, and knows whether that arrived
    place = answer.scope, answer.version
    arrived = False
    if (answer.changed or answer.repeated) and not others and not answer.reply.private:
        arrived = await _show_on_card(host, interaction, answer, is_late=late)
    if answer.changed:
        quietly = answer.reply.private and not answer.loud
        if not arrived:
            host.panels.changed(answer.scope, quietly=quietly, after=asyncio.current_task())
        tell_person = partial(_tell_alone, interaction)
        with _besides():
            await host.commands.look_at(answer.scope, request.actor.guild_id, tell_person)
    if not arrived:
        reply = (
            _told_once(answer.reply) if answer.changed and host.panels.shows(answer.scope) else answer.reply
        )
        arrived = not others and await send(interaction, reply, *place, late=late, repeated=answer.repeated)
    others = others or (answer.repeated and arrived and not interaction.response.is_done())
    _count(request.action.command, answer, time.perf_counter() - started, arrived=arrived or others)
    if answer.changed or answer.refusal:
        with _besides():
            await _note_pressed(interaction, answer.scope)
    if answer.changed:
        host.menus.changed(answer.scope)
        with _besides():
            await host.calendar.look_at(answer.scope)
    if (answer.changed or answer.repeated) and not others:
        await _note(host.desk, request.interaction, arrived=arrived)


def _told_once(reply: Reply) -> Reply:
    """Return a private reply without what everyone reads on the card."""
    if not reply.private:
        return reply
    return replace(reply, also=tuple(part for part in reply.also if part.private or part.files))


class _Patience:
    """Acknowledges an interaction without its result where that takes longer than so many seconds."""

    def __init__(self, interaction: Interaction, seconds: float) -> None:
        self._interaction = interaction
        self._acknowledged: asyncio.Task[bool] | None = None
        self._timer = asyncio.get_running_loop().call_later(seconds, self._acknowledge)

    def _acknowledge(self) -> None:
        self._acknowledged = asyncio.ensure_future(sent(lambda: _acknowledge(self._interaction)))

    async def ends(self) -> bool:
        """Return whether the interaction was acknowledged or no longer will be."""
        self._timer.cancel()
        return self._acknowledged is not None and await self._acknowledged


def _besides() -> AbstractContextManager[None]:
    """What is looked up when all is done may fail: what was done is answered as what it is."""
    return guard_errors(log, "answering", "could not complete the answer")


async def _show_on_card(host: Host, interaction: Interaction, answer: Answer, *, is_late: bool) -> bool:
    """Show an answer on the card of its game; whether it has one here, and that arrived."""
    files = [file for part in (answer.reply, *answer.reply.also) if not part.private for file in part.files]
    door = InteractionDoor(interaction, late=is_late)
    arrived = False
    with _besides():
        arrived = await host.panels.answer(answer.scope, door, answer.version, files)
    if arrived and interaction.message is not None:
        host.menus.forget(interaction.message.id)
    for extra_part in answer.reply.also if arrived and not answer.repeated else ():
        if extra_part.private:
            shown = await _at_this_door(interaction, extra_part, answer.scope, answer.version)
            await _follow(interaction, shown, answer.scope, answer.version)
    return arrived


def _count(command: str, answer: Answer, seconds: float, *, arrived: bool) -> None:
    outcome = _outcome(answer)
    log.info(
        "answered", extra={"command": command, "outcome": outcome, "milliseconds": round(seconds * 1000)}
    )
    meter_used = meter.listener()
    if meter_used is not None:
        meter_used.answered(command, outcome, answer.refusal if outcome == "refused" else "", seconds)
        if not arrived:
            meter_used.lost()


def _outcome(answer: Answer) -> meter.Outcome:
    if answer.refusal:
        return "fault" if answer.refusal == FAULT else "refused"
    return "repeated" if answer.repeated else "done" if answer.changed else "shown"


async def _tell_alone(interaction: Interaction, sentence: str) -> None:
    await _follow(
        interaction, say(sentence, "/games shows when the bot will try again.", private=True), 0, -1
    )


async def _note(desk: Desk, interaction_id: int, *, arrived: bool) -> None:
    if arrived:
        desk.store.deliveries.arrived([interaction_id])
        return
    with _besides():
        entry = await desk.store.answered(interaction_id)
        if entry is not None:
            desk.store.deliveries.missed(entry)


async def _acknowledge(interaction: Interaction) -> None:
    if interaction.message is None:
        await interaction.response.defer(ephemeral=True, thinking=True)
    else:
        await interaction.response.defer()


async def _performed(desk: Desk, request: Request) -> Answer:
    try:
        return await desk.perform(request)
    except Exception as error:
        refusal = told_of(error, request.interaction, "answering", command=request.action.command)
        return Answer(refusal, refusal=type(error).__name__ if isinstance(error, OF_THE_DATABASE) else FAULT)


def told_of(error: Exception, interaction_id: int, where: meter.Where, **fields: object) -> Reply:
    """Return the reply to a person for an unexpected error. It counts as a fault of the program, unless
    the database is away or can't be written to.
    """
    if isinstance(error, OF_THE_DATABASE):
        log.warning(
            "the database could not be used", extra={"error": f"{type(error).__name__}: {error}", **fields}
        )
        return refused(error)
    log.error("an interaction failed", extra={"interaction": interaction_id, **fields}, exc_info=error)
    meter.failed(where)
    return fault(interaction_id)


def fault(interaction_id: int) -> Reply:
    """Return the reply to a person when the program failed."""
    return say(
        "Something went wrong in the bot. Nothing was changed.",
        f"Try again. If it fails again, please report this number: {interaction_id}.",
        private=True,
    )


async def send(
    interaction: Interaction,
    reply: Reply,
    scope: int = 0,
    version: int = -1,
    *,
    late: bool = False,
    repeated: bool = False,
) -> bool:
    """Send a reply with all that belongs to it, a long one as several messages; whether it arrived.

    Never raises.

    late: the interaction was acknowledged, even if the library did not hear that it was. repeated: the
    interaction was delivered before, and the first delivery takes care of the rest.
    """
    reply, *later_messages = messages(await _at_this_door(interaction, reply, scope, version), scope, version)
    place, shown = (scope, version), list[int]()
    is_late = late or interaction.response.is_done()
    arrived = await (_send_late if is_late else _send_now)(interaction, reply, *place, shown)
    if repeated:
        return arrived
    is_menu = not later_messages and _is_menu(interaction, reply)
    if is_menu and reply.private and arrived:
        await host_of(interaction).menus.withdraw(
            actor_of(interaction), gone=_takes_place(interaction, reply)
        )
    await _note_open(interaction, shown, reply, *place, is_menu=is_menu)
    if not arrived and not reply.private:
        arrived = await _send_to_channel(interaction, reply, scope, version)
    for one in reply.also:
        later_messages += messages(await _at_this_door(interaction, one, scope, version), scope, version)
    for message in later_messages:
        await _follow(interaction, message, *place)
    return arrived


async def _note_open(
    interaction: Interaction, shown: Sequence[int], reply: Reply, scope: int, version: int, *, is_menu: bool
) -> None:
    """Remember a reply that can be pressed. shown: the number of its message, where it is known."""
    for number in shown:
        host_of(interaction).menus.forget(number)
    written = card_of(reply, scope, version).to_components() if shown else []
    if is_pressable(written) and (reply.private or await _outlasts_games(interaction, scope)):
        for number in shown:
            is_public = not reply.private
            _remember(interaction, number, scope, written, is_public=is_public, is_menu=is_menu)


async def _outlasts_games(interaction: Interaction, scope: int) -> bool:
    """Return whether a scope is a crew or a campaign, on a server."""
    loaded = await host_of(interaction).desk.store.load(scope) if scope else None
    return loaded is not None and outlasts_games(loaded.scope) and not is_outside(interaction)


def _remember(
    interaction: Interaction, number: int, scope: int, written: list[Json], *, is_public: bool, is_menu: bool
) -> None:
    actor = replace(actor_of(interaction), channels=NoChannels())
    hook = InChannel(interaction.client, actor.channel_id) if is_public else interaction.followup
    until = None if is_public else interaction.expires_at
    is_menu &= not is_public
    message = OpenMessage(number, actor, hook, until, scope, written, is_menu=is_menu, is_public=is_public)
    host_of(interaction).menus.opened(message)


async def _note_pressed(interaction: Interaction, scope: int) -> None:
    """Look again at the public message that was pressed, about a crew or a campaign.

    A bot that was restarted remembers none.
    """
    pressed = interaction.message
    if pressed is None or is_private(interaction) or host_of(interaction).menus.knows(pressed.id):
        return
    written = [cast(Json, part.to_dict()) for part in pressed.components]
    if await _outlasts_games(interaction, scope) and all(one == scope for one in scopes_on(written)):
        _remember(interaction, pressed.id, scope, written, is_public=True, is_menu=False)
        host_of(interaction).menus.changed(scope)


async def _at_this_door(interaction: Interaction, reply: Reply, scope: int, version: int) -> Reply:
    """The reply with weight; the commands that it names can be pressed or tapped, as the server has them.

    A private one has no button that the person who asked would be refused.
    """
    ids = host_of(interaction).commands.ids(interaction.guild_id or 0)
    reply = as_the_server_has_them(with_named(without_threads(reply, interaction.channel)), ids)
    if reply.private and reply.buttons:
        with _besides():
            reply = await _for_who_asked(interaction, reply, scope, version)
    return weighed(_carried(reply) if is_outside(interaction) else reply, host_of(interaction).faces)


async def _for_who_asked(interaction: Interaction, reply: Reply, scope: int, version: int) -> Reply:
    """Return a private reply without the buttons that would be refused at once."""
    store, actor = host_of(interaction).desk.store, replace(actor_of(interaction), channels=NoChannels())
    loaded = await store.load(await find_game_read(store, actor))
    return replace(reply, buttons=open_to(store, loaded, actor, reply.buttons, scope, version))


def _carried(reply: Reply) -> Reply:
    """Return the reply without the buttons of what needs a server."""
    buttons = (button for button in reply.buttons if HANDLERS[button.action.command].place in ANYWHERE)
    return replace(reply, buttons=tuple(buttons))


def changeable(
    interaction: Interaction, reply: Reply, changes: Sequence[Button], texts: Sequence[str]
) -> Reply:
    """Return a private answer to a form, with the buttons that ask in another way.

    It takes the place of the answer whose own `Change...` opened the form. texts: what was written into the
    form, which is given back where no button has room for it.
    """
    labels = {button.label for button in changes}
    if CHANGE_LABEL not in labels and any(texts):
        reply = reply.plus(
            GIVEN_BACK, *(remove_formatting(line) for text in texts for line in text.splitlines())
        )
    others = [button for button in reply.buttons if button.label not in labels]
    return in_place(interaction, replace(reply, buttons=(*others, *changes)))


async def closing(interaction: Interaction, refusal: Reply) -> Reply:
    """Show a refusal in the place of the private message that was pressed, if nothing else on it can be
    pressed any longer.
    """
    store, actor, pressed = host_of(interaction).desk.store, actor_of(interaction), interaction.message
    if pressed is None or not is_private(interaction) or refusal.replaces:
        return refusal
    is_over = False
    with _besides():
        written = [cast(Json, part.to_dict()) for part in pressed.components]
        about = {*scopes_on(written)} - {0}
        loaded = await store.load(about.pop() if len(about) == 1 else await find_game_read(store, actor))
        if loaded is not None and outlasts_games(loaded.scope):
            is_over = not is_pressable(await left_on_a_crew(store, loaded, actor, written, is_public=False))
        elif loaded is not None:
            is_over = not is_pressable(left_to_press(store, loaded, actor, written))
    return replace(refusal, replaces=is_over)


def in_place(interaction: Interaction, reply: Reply) -> Reply:
    """Show a private reply in the place of an answer that can be changed."""
    return replace(reply, replaces=reply.replaces or _can_be_changed(interaction))


def weighed_there(interaction: Interaction, odds: Reply) -> Reply:
    """Show odds in the place of the private answer below which they were asked, if they lead on.

    A step back to what was put together stays.
    """
    back = _to_draft(interaction)
    odds = replace(odds, buttons=(*(b for b in odds.buttons if not back or b.label != CHANGE_LABEL), *back))
    return replace(odds, replaces=True) if odds.buttons or odds.menus else in_place(interaction, odds)


def _to_draft(interaction: Interaction) -> list[Button]:
    for button in _pressed_buttons(interaction):
        if button.label == BACK and button.custom_id:
            with suppress(BadId):
                tag = unpack(button.custom_id)
                return [Button(BACK, tag.action, anytime=True)] if isinstance(tag.action, Draft) else []
    return []


def _can_be_changed(interaction: Interaction) -> bool:
    """Return whether what was pressed is an answer to the person alone that has `Change...`."""
    return any(button.label == CHANGE_LABEL for button in _pressed_buttons(interaction))


def _pressed_buttons(interaction: Interaction) -> list[discord.Button]:
    """Return the buttons of what was pressed, where it is an answer to the person alone."""
    pressed = interaction.message
    if pressed is None or not is_private(interaction):
        return []
    parts: list[discord.Component] = list(pressed.components)
    parts += [child for part in parts if isinstance(part, discord.Container) for child in part.children]
    rows = [row for row in parts if isinstance(row, discord.ActionRow)]
    return [child for row in rows for child in row.children if isinstance(child, discord.Button)]


def _is_menu(interaction: Interaction, reply: Reply) -> bool:
    """Return whether a press brought a reply with more buttons than a way around a refusal."""
    leads_on = reply.menus or any(button.label != OVERRIDE for button in reply.buttons)
    return interaction.message is not None and bool(leads_on)


def _takes_place(interaction: Interaction, reply: Reply) -> bool:
    """Whether a reply takes the place of the message that was pressed: one that the same people see."""
    pressed = interaction.message
    return reply.replaces and pressed is not None and is_private(interaction) == reply.private


async def _shown(sending: Callable[[], Awaitable[Any]], shown: list[int]) -> bool:
    """Send a reply, and note the number of its message; whether it arrived."""

    async def noted() -> None:
        message = await sending()
        if message is not None:
            is_answer = isinstance(message, discord.InteractionCallbackResponse)
            shown.append(message.message_id if is_answer else message.id)

    return await sent(noted)


async def _send_now(
    interaction: Interaction, reply: Reply, scope: int, version: int, shown: list[int]
) -> bool:
    """As the answer itself: in the place of what was pressed, or as a message of its own, if that is gone."""
    if _takes_place(interaction, reply) and await _shown(
        lambda: interaction.response.edit_message(
            content=None, view=card_of(reply, scope, version), attachments=files_of(reply.files)
        ),
        shown,
    ):
        return True
    return await _shown(
        lambda: interaction.response.send_message(
            ephemeral=reply.private, view=card_of(reply, scope, version), files=files_of(reply.files)
        ),
        shown,
    )


async def _send_late(
    interaction: Interaction, reply: Reply, scope: int, version: int, shown: list[int]
) -> bool:
    """After an acknowledgement: a private one is replaced by a private reply, and followed by a public one.

    Where a message was pressed, the reply takes its place or follows; it follows if that message is gone.
    """
    pressed = interaction.message is not None
    replaces = _takes_place(interaction, reply) or (reply.private and not pressed)
    if replaces and await _shown(
        lambda: interaction.edit_original_response(
            content=None, view=card_of(reply, scope, version), attachments=files_of(reply.files)
        ),
        shown,
    ):
        return True
    if not pressed:
        await sent(lambda: interaction.edit_original_response(content="The answer is below."))
    return await _followed(interaction, reply, scope, version, shown)


async def _follow(interaction: Interaction, reply: Reply, scope: int, version: int) -> None:
    shown: list[int] = []
    await _followed(interaction, reply, scope, version, shown)
    await _note_open(interaction, shown, reply, scope, version, is_menu=_is_menu(interaction, reply))


async def _followed(
    interaction: Interaction, reply: Reply, scope: int, version: int, shown: list[int]
) -> bool:
    return await _shown(
        lambda: interaction.followup.send(
            ephemeral=reply.private,
            view=card_of(reply, scope, version),
            files=files_of(reply.files),
            wait=True,
        ),
        shown,
    )


async def _send_to_channel(interaction: Interaction, reply: Reply, scope: int, version: int) -> bool:
    channel = interaction.channel
    if not isinstance(channel, discord.abc.Messageable):
        return False
    return await sent(lambda: channel.send(view=card_of(reply, scope, version), files=files_of(reply.files)))
