"""Was that luck? Each crew's over the finished games of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply
from bot.store.row_types import CampaignRow, EntrantRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.campaign.campaign_games import CAMPAIGN
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import NO_CAMPAIGN
from bot.table.ledger.campaign_fields import InCampaign
from bot.table.luck.luck_actions import fell, is_known
from bot.table.luck.luck_report import closing, falls_of, lines_of, luck_picture, told
from bot.table.luck.replayed_rolls import FallenGame
from rules.refusals import InvalidInput
from rules.wording import times

MAX_AT_ONCE = 6
"""Games that are played again for one question; those that were before are known."""


@dataclass(frozen=True, slots=True)
class CampaignLuck(InCampaign):
    """See how lucky each crew has been over all its games."""

    command = "campaign.luck"
    typed = "campaign luck"
    titled = "Luck in a campaign"


@dataclass(frozen=True, slots=True)
class FallenSeason:
    """A campaign: its name, who plays in it, its games as they fell, and how many were left for later."""

    name: str
    entrants: Sequence[EntrantRow]
    games: Sequence[FallenGame]
    left: int


async def _season(store: Store, actor: Actor, action: Action) -> FallenSeason:
    number = int(getattr(action, "campaign", 0))
    loaded = await store.load(number) if number else None
    row = loaded.book().get(CampaignRow) if loaded else None
    if loaded is None or row is None or loaded.scope.guild_id != actor.guild_id:
        raise InvalidInput(NO_CAMPAIGN)
    games, left, fresh = [], 0, 0
    for scope in await store.finished_with(actor.guild_id, CAMPAIGN, str(number)):
        if not await is_known(store, scope):
            fresh += 1
        if fresh > MAX_AT_ONCE:
            left += 1
            continue
        games.append((await fell(store, scope)).game)
    return FallenSeason(row.name, loaded.book().all(EntrantRow), games, left)


@handles(CampaignLuck, Place.NOWHERE, beforehand=_season)
def luck(act: Act, action: CampaignLuck) -> Reply:
    """Show a few lines for each crew, and a picture."""
    season: FallenSeason = act.extra
    every = [
        told(
            entrant.name,
            [fall for game in season.games for fall in falls_of(game.rolls, player=entrant.owner_id)],
        )
        for entrant in season.entrants
    ]
    every = [one for one in every if one.rolls]
    if not every:
        raise InvalidInput(f"Finish a game in {season.name} first; there is no luck to show yet.")
    lines = [f"Luck in {season.name} over {times(len(season.games), 'game')}"]
    for one in every:
        lines += lines_of(one)
    lines += [closing(every)]
    if season.left:
        lines += [f"Use this command again to count {times(season.left, 'more game')}."]
    lines += ["Only public rolls that weren't undone are counted."]
    ids = tuple(range(1, len(every) + 1))
    return Reply(
        tuple(lines),
        private=True,
        files=act.drawn(luck_picture, f"Luck in {season.name}", every[: len(ids)], (), ids),
    )
