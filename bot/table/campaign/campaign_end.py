"""How a campaign ends: asked first, taken back if wished, and only then are its dice laid open for good."""

from __future__ import annotations

from dataclasses import dataclass

from bot.replies.reply import Button, Reply, say
from bot.table.act import Act
from bot.table.campaign.campaign_asked import InCampaign
from bot.table.campaign.campaign_book import ENDED, Campaign, amount_words
from bot.table.campaign.campaign_views import ShowStandings, standings_lines
from bot.table.campaign.campaigns import ranked
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from rules.refusals import InvalidInput, forbid


@dataclass(frozen=True, slots=True)
class AskEndCampaign(InCampaign):
    """Show the standings, and ask whether to end it.

    Once it has ended: ask whether to show the seed.
    """

    command = "campaign.ask_end"
    typed = "campaign end"
    titled = "End the campaign"


@dataclass(frozen=True, slots=True)
class EndCampaign(InCampaign):
    """End it, as the answer to `AskEndCampaign`: final standings. An undo goes on with it."""

    command = "campaign.end"


@dataclass(frozen=True, slots=True)
class ShowSeed(InCampaign):
    """Show the seed of an ended campaign's dice; from then on nothing of it is taken back."""

    command = "campaign.seed"


SEED_IS_LAST = "Then nothing is taken back any more."


@handles(AskEndCampaign, Place.CAMPAIGN)
def ask_end(act: Act, action: AskEndCampaign) -> Reply:
    """To the organiser alone; nothing changes."""
    camp = Campaign(act)
    camp.require_organiser()
    row = camp.row
    if row.status == ENDED:
        if row.revealed_seed:
            raise InvalidInput(f"{row.name} has ended, and its seed is shown.")
        buttons = [Button("Show the seed", ShowSeed(row.scope), "danger"), UNDO]
        return say(
            f"{row.name} has ended.",
            "Show the seed of its dice?",
            SEED_IS_LAST,
            private=True,
            buttons=buttons,
        )
    camp.require_quiet()
    played = sum(one.status == "played" for one in camp.fixtures())
    still = [f"Still open: {camp.versus(one)}" for one in camp.fixtures() if one.status == "open"]
    return say(
        f"End {row.name} now?",
        f"{camp.rounds.capitalize()}, {amount_words(played, 'fixtures')} played.",
        *still,
        f"As it stands: {_outcome(camp)}",
        "Undo takes it back, until the seed",
        "of its dice is shown.",
        private=True,
        buttons=[
            Button("End the campaign", EndCampaign(row.scope), "danger"),
            Button("Standings", ShowStandings(row.scope)),
        ],
    )


@handles(EndCampaign, Place.CAMPAIGN)
def end(act: Act, action: EndCampaign) -> Reply:
    """Final standings; equal in everything they share the win."""
    camp = Campaign(act)
    camp.require_quiet()
    camp.require_organiser()
    still = [one for one in camp.fixtures() if one.status == "open"]
    if still:
        forbid(f"Still open: {'; '.join(camp.versus(one) for one in still)}.")
    camp.row.status = ENDED
    return say(
        _outcome(camp),
        *standings_lines(camp, ranked(camp)),
        "The seed of its dice is shown last.",
        buttons=[Button("Show the seed", ShowSeed(camp.row.scope)), UNDO],
    )


def _outcome(camp: Campaign) -> str:
    """Who wins as the table stands; nobody where no fixture was played."""
    name = camp.row.name
    first = [one.name for rank, one in ranked(camp) if rank == 1]
    if not first or not any(one.status == "played" for one in camp.fixtures()):
        return f"{name} ends without a winner: nothing was played."
    return (
        f"{first[0]} wins {name}." if len(first) == 1 else f"{' and '.join(first)} share the win of {name}."
    )


@handles(ShowSeed, Place.CAMPAIGN)
def show_seed(act: Act, action: ShowSeed) -> Reply:
    """The seed that the SHA-256 was shown of when the campaign was made."""
    camp = Campaign(act)
    camp.require_organiser()
    row = camp.row
    if row.status != ENDED:
        raise InvalidInput(f"{row.name} still runs: its seed is shown after the end, /campaign end.")
    if row.revealed_seed:
        raise InvalidInput(f"The seed of {row.name} is shown already.")
    row.revealed_seed = act.seed.hex()
    return say(
        f"The seed of the dice of {row.name}:",
        f"`{row.revealed_seed}`",
        "Its SHA-256 was shown at the start:",
        f"`{row.commitment}`",
    )
