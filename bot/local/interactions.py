"""Interactions between a person and the bot: opened here, answered once, followed up for fifteen minutes.

Owns their state and every refusal about when and how they may be answered. Knows nothing of HTTP or of what a
person's client checks before sending.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from bot.local import wire
from bot.local.checks import answers
from bot.local.checks.answers import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT
from bot.local.checks.messages import ANSWER_FLAGS, EDIT_FLAGS
from bot.local.clock import Timer
from bot.local.compose import Composer, Received
from bot.local.refusals import Refused
from bot.local.seen import EPHEMERAL, LOADING, Event, EventKind, Json, Message, Modal, Suggestion, User
from bot.local.world import Channel, World

ANSWER_SECONDS = 3.0
UNHURRIED = 60.0
"""The same for a script, which has to give the same result however slow the machine is."""

TOKEN_SECONDS = 15 * 60.0

MAX_FOLLOW_UPS = 5
"""Messages that may follow an answer in a guild in which the bot is not a member."""

Deliver = Callable[["Interaction"], Awaitable[None]]


@dataclass(slots=True, eq=False)
class Interaction:
    """One interaction: `callback` is the type of its answer, `original` the message that @original means.

    `events` is all that it caused, `news` is set whenever that grows.
    """

    id: int
    token: str
    kind: int
    person: User
    channel: Channel
    name: str
    data: Json
    source: Message | None = None
    opener: Interaction | None = None
    option_type: int = 3
    created: float = 0.0
    callback: int | None = None
    original: int | None = None
    made: set[int] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    timer: Timer | None = None


class Interactions:
    """All interactions of the last fifteen minutes, by id and by token."""

    def __init__(
        self, world: World, composer: Composer, deliver: Deliver, seconds: float = ANSWER_SECONDS
    ) -> None:
        self._world = world
        self._composer = composer
        self._deliver = deliver
        self._seconds = seconds
        self._by_id: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}
        world.listeners.append(self._noted)

    def _noted(self, event: Event) -> None:
        if event.interaction_id is None:
            return
        interaction = self._by_id.get(event.interaction_id)
        if interaction is not None:
            interaction.events.append(event)
            interaction.news.set()

    async def open(
        self,
        kind: int,
        person: User,
        channel: Channel,
        name: str,
        data: Json,
        *,
        source: Message | None = None,
        opener: Interaction | None = None,
        option_type: int = 3,
        deliveries: int = 1,
    ) -> Interaction:
        """Make an interaction of `kind` (2 command, 3 press, 4 autocomplete, 5 form) and hand it over."""
        now_seconds = self._world.clock.now()
        self._forget_before(now_seconds - TOKEN_SECONDS - 60)
        interaction = Interaction(
            id=self._world.ids.next(),
            token=secrets.token_urlsafe(48),
            kind=kind,
            person=person,
            channel=channel,
            name=name,
            data=data,
            source=source,
            opener=opener,
            option_type=option_type,
            created=now_seconds,
        )
        self._by_id[interaction.id] = interaction
        self._by_token[interaction.token] = interaction
        interaction.timer = self._world.clock.call_later(self._seconds, lambda: self._overdue(interaction))
        for _ in range(deliveries):
            await self.deliver(interaction)
        return interaction

    async def deliver(self, interaction: Interaction) -> None:
        """Hand an interaction to the bot, for the first time or again."""
        await self._deliver(interaction)

    def _forget_before(self, moment: float) -> None:
        while self._by_id:
            oldest = next(iter(self._by_id.values()))
            if oldest.created >= moment:
                return
            del self._by_id[oldest.id]
            del self._by_token[oldest.token]

    def _overdue(self, interaction: Interaction) -> None:
        if interaction.callback is None:
            self._tell(interaction, EventKind.UNANSWERED)

    def _tell(
        self,
        interaction: Interaction,
        kind: EventKind,
        *,
        modal: Modal | None = None,
        choices: tuple[Suggestion, ...] = (),
    ) -> None:
        self._world.publish(
            Event(
                kind,
                self._world.clock.now(),
                interaction.channel.id,
                modal=modal,
                choices=choices,
                interaction_id=interaction.id,
                only_for=interaction.person.id,
                user=interaction.person,
            )
        )

    def get(self, interaction_id: int) -> Interaction | None:
        """Return the interaction with this id while it is remembered."""
        return self._by_id.get(interaction_id)

    def all(self) -> list[Interaction]:
        """Return every interaction that is remembered, the oldest first."""
        return list(self._by_id.values())

    def with_token(self, token: str) -> Interaction:
        """Return the interaction with this webhook token; 50027 if unknown or over fifteen minutes old."""
        interaction = self._by_token.get(token)
        if interaction is None or self._world.clock.now() - interaction.created > TOKEN_SECONDS:
            raise Refused(401, 50027)
        if interaction.callback is None:
            raise Refused(404, 10015)
        return interaction

    def answer(self, interaction_id: int, token: str, body: Json, files: Sequence[Received]) -> Json:
        """Accept the callback of an interaction and return the body of a reply `with_response`."""
        interaction = self._by_id.get(interaction_id)
        if interaction is None or interaction.token != token:
            raise Refused(404, 10062)
        if interaction.callback is not None:
            raise Refused(400, 40060)
        if self._world.clock.now() - interaction.created > self._seconds:
            raise Refused(404, 10062)
        kind = answers.check_type(body, interaction.kind, has_source=interaction.source is not None)
        data: Json = body.get("data") or {}
        message = self._take(interaction, kind, data, files)
        interaction.callback = kind
        assert interaction.timer is not None
        self._world.clock.forget(interaction.timer)
        self._announce(interaction, kind, data, message)
        return self._receipt(interaction, kind, message)

    def _take(
        self, interaction: Interaction, kind: int, data: Json, files: Sequence[Received]
    ) -> Message | None:
        """Check an answer and make the message it leads to; changes nothing."""
        match kind:
            case answers.MESSAGE:
                return self._fresh(interaction, data, files, ephemeral=_wants_ephemeral(data), path=("data",))
            case answers.DEFER:
                answers.check_deferral(data)
                return self._thinking(interaction, ephemeral=_wants_ephemeral(data))
            case answers.UPDATE:
                return self._composer.edited(
                    self._source(interaction), data, files, allowed_flags=EDIT_FLAGS, path=("data",)
                )
            case answers.DEFER_UPDATE:
                self._source(interaction)
            case answers.CHOICES:
                answers.check_choices(data, interaction.option_type)
            case answers.MODAL:
                answers.check_modal(data)
        return None

    def _announce(self, interaction: Interaction, kind: int, data: Json, message: Message | None) -> None:
        match kind:
            case answers.MESSAGE | answers.DEFER:
                assert message is not None
                interaction.original = message.id
                interaction.made.add(message.id)
                self._world.post(message, cause=interaction.id)
            case answers.UPDATE:
                assert message is not None
                interaction.original = message.id
                self._world.edit(message, cause=interaction.id)
            case answers.DEFER_UPDATE:
                interaction.original = self._source(interaction).id
                self._tell(interaction, EventKind.ACKNOWLEDGED)
            case answers.CHOICES:
                choices = tuple(Suggestion(choice["name"], choice["value"]) for choice in data["choices"])
                self._tell(interaction, EventKind.CHOICES, choices=choices)
            case answers.MODAL:
                components = wire.numbered(self._world, data["components"], {})
                modal = Modal(
                    interaction.id,
                    interaction.channel.id,
                    interaction.person.id,
                    data["custom_id"],
                    data["title"],
                    components,
                )
                self._tell(interaction, EventKind.MODAL, modal=modal)

    def _receipt(self, interaction: Interaction, kind: int, message: Message | None) -> Json:
        receipt: Json = {"interaction": {"id": str(interaction.id), "type": interaction.kind}}
        if interaction.original is not None:
            shown = interaction.channel.messages[interaction.original]
            receipt["interaction"] |= {
                "response_message_id": str(shown.id),
                "response_message_loading": shown.loading,
                "response_message_ephemeral": shown.ephemeral,
            }
        if message is not None and kind in (answers.MESSAGE, answers.UPDATE):
            receipt["resource"] = {"type": kind, "message": self.message_json(message)}
        return receipt

    def _source(self, interaction: Interaction) -> Message:
        assert interaction.source is not None
        current = interaction.channel.messages.get(interaction.source.id)
        if current is None:
            raise Refused(404, 10008)
        return current

    def _fresh(
        self,
        interaction: Interaction,
        body: Json,
        files: Sequence[Received],
        *,
        ephemeral: bool,
        path: tuple[str | int, ...] = (),
    ) -> Message:
        return self._composer.new(
            body,
            files,
            channel_id=interaction.channel.id,
            author=self._world.bot,
            allowed_flags=ANSWER_FLAGS,
            only_for=interaction.person.id if ephemeral else None,
            interaction_id=interaction.id,
            path=path,
        )

    def _thinking(self, interaction: Interaction, *, ephemeral: bool) -> Message:
        return Message(
            id=self._world.ids.next(),
            channel_id=interaction.channel.id,
            author=self._world.bot,
            flags=LOADING | (EPHEMERAL if ephemeral else 0),
            only_for=interaction.person.id if ephemeral else None,
            interaction_id=interaction.id,
            created=self._world.clock.now(),
        )

    def follow_up(self, interaction: Interaction, body: Json, files: Sequence[Received]) -> Message:
        """Send a further message; the first one after a deferral takes the place of "thinking"."""
        self._refuse_archived(interaction.channel)
        waiting = interaction.channel.messages.get(interaction.original or 0)
        if waiting is not None and waiting.loading:
            fresh = self._fresh(interaction, body, files, ephemeral=waiting.ephemeral)
            return self._world.edit(
                replace(fresh, id=waiting.id, created=waiting.created), cause=interaction.id
            )
        foreign = interaction.channel.guild_id is not None and "1" in self._owners(interaction)
        if foreign and len(interaction.made) == MAX_FOLLOW_UPS:
            raise Refused(400, 40094)
        message = self._fresh(interaction, body, files, ephemeral=_wants_ephemeral(body))
        interaction.made.add(message.id)
        return self._world.post(message, cause=interaction.id)

    def message_of(self, interaction: Interaction, key: str) -> Message:
        """Return a message of this interaction's token, by id or "@original"; 10008 for any other."""
        number = interaction.original if key == "@original" else int(key) if key.isdigit() else None
        if number is None or (number != interaction.original and number not in interaction.made):
            raise Refused(404, 10008)
        message = interaction.channel.messages.get(number)
        if message is None:
            raise Refused(404, 10008)
        return message

    def edit(self, interaction: Interaction, key: str, body: Json, files: Sequence[Received]) -> Message:
        """Edit one of its messages."""
        self._refuse_archived(interaction.channel)
        message = self.message_of(interaction, key)
        changed = self._composer.edited(message, body, files, allowed_flags=EDIT_FLAGS)
        return self._world.edit(changed, cause=interaction.id)

    def delete(self, interaction: Interaction, key: str) -> None:
        """Delete one of its messages."""
        self._refuse_archived(interaction.channel)
        self._world.delete(self.message_of(interaction, key), cause=interaction.id)

    def _refuse_archived(self, channel: Channel) -> None:
        if channel.archived:
            raise Refused(400, 50083)

    def message_json(self, message: Message) -> Json:
        """Return a message object, with its origin while that is remembered."""
        interaction = self._by_id.get(message.interaction_id or 0)
        return wire.message(
            self._world,
            message,
            metadata=None if interaction is None else self._metadata(interaction, message.id),
        )

    def _metadata(self, interaction: Interaction, message_id: int) -> Json:
        metadata: Json = {
            "id": str(interaction.id),
            "type": interaction.kind,
            "user": wire.user(interaction.person),
            "authorizing_integration_owners": self._owners(interaction),
        }
        if interaction.kind == COMMAND:
            metadata["name"] = interaction.name
        if interaction.kind == COMPONENT and interaction.source is not None:
            metadata["interacted_message_id"] = str(interaction.source.id)
        if interaction.kind == SUBMIT and interaction.opener is not None:
            metadata["triggering_interaction_metadata"] = self._metadata(interaction.opener, message_id)
        if interaction.original not in (None, message_id):
            metadata["original_response_message_id"] = str(interaction.original)
        return metadata

    def _owners(self, interaction: Interaction) -> Json:
        """Return the guild or the person that installed the command behind an interaction."""
        guild = self._world.guild_of(interaction.channel)
        if guild is None or self._world.has_bot(guild):
            return {"0": str(0 if guild is None else guild.id)}
        owners = interaction.opener or (
            self._by_id.get(interaction.source.interaction_id or 0) if interaction.source else None
        )
        return {"1": str(interaction.person.id)} if owners is None else self._owners(owners)

    def payload(self, interaction: Interaction) -> Json:
        """Return INTERACTION_CREATE's data."""
        world, channel = self._world, interaction.channel
        guild = world.guild_of(channel)
        payload: Json = {
            "id": str(interaction.id),
            "application_id": str(world.bot.id),
            "type": interaction.kind,
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            "channel_id": str(channel.id),
            "channel": wire.channel(channel),
            "app_permissions": wire.permissions(world.permissions(world.bot.id, channel)),
            "locale": "en-US",
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": wire.ATTACHMENT_SIZE_LIMIT,
            "context": 1 if guild is None else 0,
            "authorizing_integration_owners": self._owners(interaction),
        }
        if interaction.source is not None and interaction.kind in (COMPONENT, SUBMIT):
            payload["message"] = self.message_json(interaction.source)
        if guild is None:
            payload["user"] = wire.user(interaction.person)
            return payload
        permissions = wire.permissions(world.permissions(interaction.person.id, channel))
        payload["channel"]["permissions"] = permissions
        payload["guild_id"] = str(guild.id)
        payload["guild_locale"] = "en-US"
        payload["guild"] = {"id": str(guild.id), "features": [], "locale": "en-US"}
        payload["member"] = {**wire.member(guild.members[interaction.person.id]), "permissions": permissions}
        return payload


def _wants_ephemeral(data: Json) -> bool:
    return bool((data.get("flags") or 0) & EPHEMERAL)


__all__ = ["AUTOCOMPLETE", "COMMAND", "COMPONENT", "SUBMIT", "Interaction", "Interactions"]
