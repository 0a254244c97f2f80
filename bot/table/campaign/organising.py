"""What an organiser does beside the rounds, by pressing: what is possible now, each from a form."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, raw_of
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking.forms import title_of
from bot.table.asking.legal import Looking
from bot.table.campaign.campaign_asked import InCampaign
from bot.table.campaign.campaign_book import Campaign
from bot.table.campaign.campaign_crews import Adjust
from bot.table.campaign.campaign_end import AskEndCampaign
from bot.table.campaign.campaign_games import begun
from bot.table.campaign.campaigns import CampaignSetting
from bot.table.campaign.corrections import AskCorrection
from bot.table.campaign.days import SetZone
from bot.table.campaign.life import (
    Archive,
    HandOverCampaign,
    HouseRule,
    PairByHand,
    Restore,
    SecondOrganiser,
    SwapFixtures,
)
from bot.table.handlers import Place, handles

WAYS: tuple[type[InCampaign], ...] = (
    SwapFixtures,
    PairByHand,
    AskCorrection,
    Adjust,
    HouseRule,
    CampaignSetting,
    SetZone,
    SecondOrganiser,
    HandOverCampaign,
    Archive,
    Restore,
    AskEndCampaign,
)

UNTRIED = {SecondOrganiser}
"""What is possible for somebody, and without a name says that nothing changes."""


@dataclass(frozen=True, slots=True)
class Organise(InCampaign):
    """What the organiser may do now, to him alone."""

    command = "campaign.organise"
    titled = "Organise..."


@handles(Organise, Place.CAMPAIGN, beforehand=begun)
def organise(act: Act, action: Organise) -> Reply:
    """Buttons of what would not be refused; who organises, and what holds in the house, above them."""
    camp = Campaign(act)
    camp.require_organiser()
    looking = Looking(act.book, act.actor)
    reported = any(one.status == "played" for one in camp.fixtures())
    asked: list[Action] = [kind(camp.book.scope) for kind in WAYS if reported or kind is not AskCorrection]
    buttons = [
        Button(title_of(type(one)), one, anytime=True, asks=True)
        for one in asked
        if type(one) in UNTRIED or not looking.legal(type(one), raw_of(one), act.extra).reason
    ]
    rules = [f"House rule {number}: {camp.row.house[number]}" for number in sorted(camp.row.house, key=int)]
    lines = [f"**{camp.row.name}**, {camp.rounds}: what its organiser may do", *rules]
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))
