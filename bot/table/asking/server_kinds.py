"""Kinds of fields that name something outside the scope: a crew, a campaign, a game, a file, a person."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.actions import MAX_NUMBER, Raw, number_in
from bot.lists.reader import read_file
from bot.replies.photo import made_small
from bot.store import side_tables
from bot.store.side_tables import shown_games
from bot.table.asking.kinds import MAX_CHOICES, Offer, TableKind
from bot.table.game import GAMES, Game
from bot.table.names import find
from rules.refusals import InvalidInput, Missing

if TYPE_CHECKING:
    from bot.store.store import Store
    from bot.table.act import Actor


NONE_RUNS = "There is no campaign here yet. Create one with /campaign create."
ALL_AWAY = (
    "Restore a campaign with /organise restore, or create one with /campaign create; all campaigns here are "
    "archived."
)
NONE_AWAY = "There is no archived campaign here. /campaign list shows all campaigns."

MAX_NAMED = 6
"""Campaigns that are named if several may be meant."""

MIN_NUMBER_LENGTH = 15
"""Digits of the number that Discord gives a channel, at the least: fewer are a name."""

PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!")
"""How files begin that hold packed ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere(TableKind):
    """Something that is looked up in the store by what was typed."""

    async def located(self, store: Store, actor: Actor, typed: str) -> Raw:
        """Return the typed text in its written form, even if nothing was typed. Raises InvalidInput."""
        raise NotImplementedError

    async def names(self, store: Store, actor: Actor) -> Sequence[str]:
        """Return what may be named by the person who asks."""
        raise NotImplementedError

    async def chosen_from(self, store: Store, actor: Actor) -> Sequence[Offer]:
        """Return what a form lets the person who asks choose from, where it is asked there."""
        return ()

    @property
    def in_forms(self) -> bool:
        """Return whether a form asks for it; elsewhere the form is about one that is known before."""
        return False

    @property
    def suggests(self) -> bool:
        """Return True: there are always suggestions."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Crews(Elsewhere):
    """A crew of the server by name: the number of its scope. mine: the asker's own are offered.

    between: it is named between games; a form in one does not ask for it.
    """

    mine: bool = False
    between: bool = False

    async def located(self, store: Store, actor: Actor, typed: str) -> Raw:
        """Return the crew's scope; None where none is named. Raises InvalidInput."""
        if not typed:
            return None
        return find(typed, await store.crews(actor.guild_id), lambda crew: crew[1], "crew")[0]

    async def names(self, store: Store, actor: Actor) -> Sequence[str]:
        """Return crews of the server."""
        crews = await store.crews(actor.guild_id)
        return [name for _, name, _, owner in crews if not self.mine or owner == actor.user_id]

    async def chosen_from(self, store: Store, actor: Actor) -> Sequence[Offer]:
        """Return the person's own, each with its game."""
        crews = await store.crews(actor.guild_id)
        return [
            Offer(scope, name, GAMES[system].name if system in GAMES else "")
            for scope, name, system, owner in crews
            if owner == actor.user_id
        ]

    @property
    def in_forms(self) -> bool:
        """Return where one's own may be left out."""
        return self.mine and not self.needed


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignKind(Elsewhere):
    """A campaign of the server by name: the number of its scope.

    running: where none is named, the one that runs is meant; elsewhere none. archived: one that is put away.
    """

    running: bool = True
    archived: bool = False

    async def located(self, store: Store, actor: Actor, typed: str) -> Raw:
        """Return the campaign's scope. Raises InvalidInput where none or several may be meant."""
        if not typed and not self.running:
            return None
        all_campaigns = await store.campaigns(actor.guild_id)
        if typed:
            return find(typed, all_campaigns, lambda row: row[1], "campaign")[0]
        campaigns = [campaign for campaign in all_campaigns if (campaign[2] == "archived") == self.archived]
        running = [row for row in campaigns if row[2] != "ended"] or campaigns
        if len(running) == 1:
            return running[0][0]
        if not running:
            raise Missing(NONE_AWAY if self.archived else ALL_AWAY if all_campaigns else NONE_RUNS)
        names = ", ".join(row[1] for row in running[-MAX_NAMED:])
        if len(running) > MAX_NAMED:
            raise Missing(f"Choose a campaign, such as {names}. /campaign list shows all campaigns.")
        raise Missing(f"Choose one of these campaigns: {names}.")

    async def names(self, store: Store, actor: Actor) -> Sequence[str]:
        """Return the campaigns of the server."""
        return [name for _, name, _ in await store.campaigns(actor.guild_id)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChannels(Elsewhere):
    """A channel or thread of the server by name, as the person who asks sees it: its number."""

    async def located(self, store: Store, actor: Actor, typed: str) -> Raw:
        """Return its number; None where none is named. Raises InvalidInput."""
        typed_name = typed.strip().removeprefix("<").removesuffix(">").removeprefix("#")
        if not typed_name:
            return None
        number = number_in(typed_name, "")
        if number is not None and number < MAX_NUMBER and len(typed_name) >= MIN_NUMBER_LENGTH:
            return number
        return find(typed_name, list(actor.channels.listed()), lambda where: where.name, "channel").id

    async def names(self, store: Store, actor: Actor) -> Sequence[str]:
        """Return the channels that the person sees and in which a game can be played; numbers where two share
        a name.
        """
        channels = actor.channels.listed()
        counts = Counter(channel.name for channel in channels)
        return [f"#{where.name}" if counts[where.name] == 1 else str(where.id) for where in channels]


@dataclass(frozen=True, slots=True, kw_only=True)
class Games(Elsewhere):
    """A game by its key; where none is said, the first that the server plays. meant: which games."""

    meant: Callable[[Game], bool] = lambda game: True

    def listed(self) -> Sequence[Offer]:
        """Return all of them, each by its name."""
        return [Offer(game.key, game.name) for game in GAMES.values() if self.meant(game)]

    @property
    def in_forms(self) -> bool:
        """Return True: it is always in forms."""
        return True

    @property
    def suggests(self) -> bool:
        """Return whether Discord's own list is too short for them."""
        return len(self.listed()) > MAX_CHOICES

    async def located(self, store: Store, actor: Actor, typed: str) -> Raw:
        """Return the game that was said, else the first that the server plays."""
        return typed or (await self.chosen_from(store, actor))[0].value

    async def names(self, store: Store, actor: Actor) -> Sequence[str]:
        """Return those that the server plays."""
        return [str(offer.value) for offer in await self.chosen_from(store, actor)]

    async def chosen_from(self, store: Store, actor: Actor) -> Sequence[Offer]:
        """Return those that the server shows; all where it shows none of them."""
        shown_keys = await shown_games(store, actor.guild_id)
        return [offer for offer in self.listed() if offer.value in shown_keys] or self.listed()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached(TableKind):
    """The text of a file, `most` bytes at most. what: what the file holds, in words."""

    what: str = "The file"

    def text_in(self, size: int, data: bytes | None = None) -> str:
        """Return the text of a file of that size, or "" before it is read. Raises InvalidInput."""
        max_bytes = int(self.most or 0)
        if max(size, len(data or b"")) > max_bytes:
            raise InvalidInput(
                f"Use a smaller file. {self.what} can be at most {max_bytes // 1000} kB "
                f"(yours is {-(-size // 1000)} kB)."
            )
        if not size or data == b"":
            raise InvalidInput("The file is empty.")
        if data is None:
            return ""
        if data.startswith(PACKED):
            raise InvalidInput("Attach the text or JSON file itself, not an archive.")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InvalidInput("Save the file as UTF-8 text, or paste the text.") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFile(Attached):
    """A list of models in any format: as neutral JSON, whatever the file's name says."""

    def text_in(self, size: int, data: bytes | None = None) -> str:
        """Return the list of a file of that size, empty before it is read. Raises InvalidInput."""
        if data:
            return read_file(data).to_json()
        return super(ListFile, self).text_in(size, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictured(Attached):
    """The hash of a picture: it is made small and kept beside the state before the action is asked."""

    async def kept_of(self, store: Store, actor: Actor, data: bytes) -> str:
        """Store a picture that was sent. Raises InvalidInput if it isn't a picture."""
        if not data:
            raise InvalidInput("The file is empty.")
        small = await asyncio.to_thread(made_small, data)
        return await side_tables.keep_picture(store, actor.guild_id, actor.user_id, small)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonKind(TableKind):
    """A person in the server."""
