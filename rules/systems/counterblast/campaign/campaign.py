"""A campaign between its encounters: what was agreed, points to spend, the Underdog.

Owns the arithmetic of the campaign. Who meets whom is in `rules.pairings`; casualties are in `aftermath`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rules.pairings import MAX_PLAYERS
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

POINTS_PER_VICTORY = 10

Matching = Literal["swiss", "round_robin"]


@dataclass(frozen=True, slots=True)
class Campaign:
    """What the players agreed.

    encounters: 3 to 10. players: their ids, 2 to 16. start_points: of each crew. crew_limit: points that may
    be fielded in each encounter. Raises InvalidInput. Rules: CB-CAMP-01, CB-CAMP-02.
    """

    encounters: int
    players: tuple[int, ...]
    start_points: int
    crew_limit: int
    matching: Matching = "swiss"

    def __post_init__(self) -> None:
        if not 3 <= self.encounters <= 10:
            raise InvalidInput("A campaign has 3 to 10 encounters.")
        if not 2 <= len(self.players) <= MAX_PLAYERS or len(set(self.players)) < len(self.players):
            raise InvalidInput(f"A campaign has 2 to {MAX_PLAYERS} players, each named once.")
        if self.start_points < 1 or self.crew_limit < 1:
            raise InvalidInput("Crews have 1 point or more.")


# ------------------------------------------------------------------------------------------- points to spend


def reinforcements(victory_points: int) -> int:
    """Requisition points after an encounter: 10 for each Victory Point. Rules: CB-CAMP-05."""
    return POINTS_PER_VICTORY * max(0, victory_points)


def upgrade_points(
    profile: Profile, *, took_part: bool, survived: bool, injured: bool = False, settings: Settings = DEFAULTS
) -> int:
    """Upgrade points that a member earns by an encounter: a Hero 2 (1 by the setting), a Lackey 1.

    survived: it is not Dead; a casualty that lives counts. injured: it loses those of this encounter.
    Spend them with `draft.improving`. Rules: CB-CAMP-06, CB-CASU-08, CB-CASU-09.
    """
    if not took_part or not survived or injured:
        return 0
    return settings.hero_up_per_game if profile.is_hero else 1


@dataclass(frozen=True, slots=True)
class FreshStart:
    """A crew that starts over: its points, and the Campaign Points kept. Rules: CB-CAMP-09."""

    points: int
    campaign_points: int


def disband(campaign: Campaign, campaign_points: int, *, keep: bool, between: bool = True) -> FreshStart:
    """Start over between encounters with the points of the campaign's beginning.

    campaign_points: what it has. keep: keep them. Raises Forbidden during an encounter. Rules: CB-CAMP-09.
    """
    if not between:
        raise Forbidden("A crew is disbanded between encounters.", "CB-CAMP-09")
    return FreshStart(campaign.start_points, campaign_points if keep else 0)


# ------------------------------------------------------------------------------------------- Underdog


@dataclass(frozen=True, slots=True)
class Underdog:
    """What an Underdog gets."""

    battle_points: int = 0
    campaign_points: int = 0


def behind(fielded: int, unspent: int, opponents: Iterable[int]) -> int:
    """How many points a player is behind; below 0 where ahead.

    fielded: the own crew's points. unspent: own points not spent, those of the beginning among them, and
    those of fit members left out: they count as if they were fielded. opponents: points of all opposing
    crews; the largest counts. Rules: CB-UNDER-01.
    """
    return max(opponents) - fielded - unspent


def underdog(difference: int, settings: Settings = DEFAULTS) -> Underdog:
    """What a player gets who is so many points behind; see `behind`. Rules: CB-UNDER-01 to CB-UNDER-06."""
    row = load().charts["underdog"].row(max(0, difference))
    if not row.value("battle_points"):
        return Underdog()
    return Underdog(settings.underdog_battle_points, row.value("campaign_points"))
