"""Pictures that players add to the story of their games, each with words for who does not see it.

Owns who may add and take away, and how many there are. The picture itself stands beside the state, so that
it can go with its person; the state has its words and its hash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.replies.reply import Attachment, Reply, say
from bot.store.row_types import EntrantRow, FixtureRow, ShotRow
from bot.store.side_tables import stored_pictures
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields
from bot.table.campaign.campaign_asked import InCampaign, own_or_entrant
from bot.table.campaign.campaign_book import Campaign
from bot.table.campaign.story_files import Shot
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import plain
from rules.refusals import InvalidInput

MOST_OF_A_GAME = 4
MOST_OF_A_CAMPAIGN = 24
LONGEST_WORDS = 300

Pictures = Mapping[str, bytes]
"""The pictures that are still kept, by their hash."""


@dataclass(frozen=True, slots=True)
class AddPicture(InCampaign):
    """Add a picture to a game that you played, with words for who does not see it."""

    command = "story.picture"
    typed = "story picture"
    titled = "A picture"

    picture: str = fields.pictured("A JPEG, PNG or WebP file", called="file", needed=True)
    text: str = fields.text("What it shows, in words", LONGEST_WORDS, needed=True)
    number: int = fields.whole("Of which round; none: your last game", 1, 100, default=0, called="round")
    crew: EntrantRow = own_or_entrant("The crew, if not yours")


@dataclass(frozen=True, slots=True)
class DropPicture(InCampaign):
    """Take a picture out of the story: your own, or any as the organiser."""

    command = "story.drop"
    typed = "story drop"
    titled = "Take a picture out"

    number: int = fields.whole("Its number, as its page tells it", 1, 100_000, default=0, needed=True)


async def pictures(store: Store, actor: Actor, action: InCampaign) -> Pictures:
    """The pictures of a campaign that are still kept."""
    loaded = await store.load(action.campaign) if action.campaign else None
    if loaded is None or loaded.scope.guild_id != actor.guild_id:
        return {}
    return await stored_pictures(store, actor.guild_id, (row.digest for row in loaded.book().all(ShotRow)))


async def _sent(store: Store, actor: Actor, action: AddPicture) -> bool:
    return action.picture in await stored_pictures(store, actor.guild_id, [action.picture])


@handles(AddPicture, Place.CAMPAIGN, beforehand=_sent)
def add_picture(act: Act, action: AddPicture) -> Reply:
    """Kept with the game, under the name of who adds it."""
    camp, entrant = Campaign(act), action.crew
    fixture = camp.own_game(entrant, action.number)
    camp.require_fixture(fixture)
    words = plain(action.text, LONGEST_WORDS)
    if not words:
        raise InvalidInput("Say in words what the picture shows.")
    rows = camp.book.all(ShotRow)
    if sum(one.fixture == fixture.id for one in rows) >= MOST_OF_A_GAME:
        raise InvalidInput(f"A game has at most {MOST_OF_A_GAME} pictures.")
    if len(rows) >= MOST_OF_A_CAMPAIGN:
        raise InvalidInput(f"A campaign has at most {MOST_OF_A_CAMPAIGN} pictures.")
    if any(one.fixture == fixture.id and one.digest == action.picture for one in rows):
        raise InvalidInput("That game has this picture already.")
    if not act.extra:
        raise InvalidInput("The picture is not here any more. Send it again: /story picture.")
    actor = act.actor
    number = camp.book.next_id(ShotRow)
    by, shows = (actor.user_id, actor.name), (words, action.picture)
    camp.book.add(ShotRow(camp.book.scope, number, fixture.id, entrant.id, *by, *shows))
    told = f"{actor.name} adds picture {number} to {camp.versus(fixture)}, round {fixture.round}."
    return say(told, words, buttons=[UNDO])


@handles(DropPicture, Place.CAMPAIGN)
def drop_picture(act: Act, action: DropPicture) -> Reply:
    """Who added it may, and who organises the campaign."""
    camp = Campaign(act)
    row = next((one for one in camp.book.all(ShotRow) if one.id == action.number), None)
    if row is None:
        raise InvalidInput(f"The story has no picture {action.number}: /story show tells them.")
    if row.author_id != act.actor.user_id and not act.is_organiser:
        raise NotAllowed(f"Only {row.author} or the organiser takes picture {row.id} out.")
    camp.book.remove(row)
    told = f"{act.actor.name} takes picture {row.id} out of {camp.versus(camp.fixture(row.fixture))}."
    return say(told, buttons=[UNDO])


def shots_of(camp: Campaign, fixture: FixtureRow, there: Pictures) -> tuple[Shot, ...]:
    """The pictures of a game, those too that are gone: their words stay."""
    return tuple(
        Shot(one.id, one.author, one.words, there.get(one.digest, b""))
        for one in camp.book.all(ShotRow)
        if one.fixture == fixture.id
    )


def as_files(shots: Sequence[Shot]) -> tuple[Attachment, ...]:
    """The pictures that are there, each with its words."""
    return tuple(Attachment(one.file, one.words, one.data) for one in shots if one.data)
