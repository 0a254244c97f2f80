"""Shows how lucky each crew was in the finished games of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.row_types import CampaignRow, EntrantRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.campaign.campaign_games import CAMPAIGN
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import NO_CAMPAIGN
from bot.table.ledger.campaign_fields import InCampaign
from bot.table.luck.luck_actions import is_known, load_fallen_game
from bot.table.luck.luck_report import build_luck, describe_overall, draw_luck, format_luck, list_falls
from bot.table.luck.replayed_rolls import FallenGame
from rules.refusals import InvalidInput
from rules.wording import times

MAX_AT_ONCE = 6
"""The largest number of games replayed for one request, without those that were replayed earlier."""


@dataclass(frozen=True, slots=True)
class CampaignLuck(InCampaign):
    """See how lucky each crew has been over all its games."""

    command = "campaign.luck"
    typed = "campaign luck"
    titled = "Luck in a campaign"


@dataclass(frozen=True, slots=True)
class SeasonLuck:
    """A campaign: its name, its crews, the rolls of its games, and how many games were left for later."""

    name: str
    entrants: Sequence[EntrantRow]
    games: Sequence[FallenGame]
    left: int


async def _read_season(store: Store, actor: Actor, action: Action) -> SeasonLuck:
    campaign_scope = int(getattr(action, "campaign", 0))
    loaded = await store.load(campaign_scope) if campaign_scope else None
    row = loaded.book().get(CampaignRow) if loaded else None
    if loaded is None or row is None or loaded.scope.guild_id != actor.guild_id:
        raise InvalidInput(NO_CAMPAIGN)
    games, games_left_out, new_games = [], 0, 0
    for scope in await store.finished_with(actor.guild_id, CAMPAIGN, str(campaign_scope)):
        if not await is_known(store, scope):
            new_games += 1
        if new_games > MAX_AT_ONCE:
            games_left_out += 1
            continue
        games.append((await load_fallen_game(store, scope)).game)
    return SeasonLuck(row.name, loaded.book().all(EntrantRow), games, games_left_out)


@handles(CampaignLuck, Place.NOWHERE, beforehand=_read_season)
def luck(act: Act, action: CampaignLuck) -> Reply:
    """Show a few lines for each crew, and a picture."""
    season: SeasonLuck = act.extra
    summaries = [
        build_luck(
            entrant.name,
            [fall for game in season.games for fall in list_falls(game.rolls, player=entrant.owner_id)],
        )
        for entrant in season.entrants
    ]
    summaries = [summary for summary in summaries if summary.rolls]
    left_lines = (
        [f"Use this command again to count {times(season.left, 'more game')}."] if season.left else []
    )
    if not season.games:
        raise InvalidInput(f"Finish a game in {season.name} first; there is no luck to show yet.")
    if not summaries:
        counted_games = times(len(season.games), "finished game")
        sentence = f"There are no public rolls to judge luck by in {counted_games} of {season.name}."
        return say(sentence, *left_lines, private=True)
    lines = [f"Luck in {season.name} over {times(len(season.games), 'game')}"]
    for summary in summaries:
        lines += format_luck(summary)
    lines += [describe_overall(summaries)]
    lines += left_lines
    lines += ["Only public rolls that weren't undone are counted."]
    ids = tuple(range(1, len(summaries) + 1))
    return Reply(
        tuple(lines),
        private=True,
        files=act.drawn(draw_luck, f"Luck in {season.name}", summaries[: len(ids)], (), ids),
    )
