"""The rows of a campaign: what was agreed, who takes part, who meets whom, what came of it, the ledger.

A campaign keeps copies of its crews, so that one transaction changes a crew together with everything else
that an encounter brought.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from bot.store.row import Counters, Row, Texts


@dataclass(slots=True)
class CampaignRow(Row):
    """What was agreed. `status` is open, running or ended; `round` 0 before the first.

    `encounters`: rounds agreed. `limit`: points fielded in one encounter, 0 for none. `report`: the fixture
    whose report is open, or 0. `second_id`: a second organiser, 0 for none. `archived`: put away, until it is
    brought back. `house`: rules of its own in words, by their numbers. `zone`: the time zone in which days
    are typed, by its name; empty for none.
    """

    table: ClassVar[str] = "campaigns"
    key_fields: ClassVar[tuple[str, ...]] = ("scope",)

    guild_id: int
    organiser_id: int
    system: str
    name: str
    commitment: str
    matching: str = "swiss"
    encounters: int = 3
    start_points: int = 0
    limit: int = 0
    status: str = "open"
    round: int = 0
    report: int = 0
    revealed_seed: str = ""
    settings: Texts = field(default_factory=dict)
    second_id: int = 0
    archived: bool = False
    house: Texts = field(default_factory=dict)
    zone: str = ""

    @property
    def organisers(self) -> tuple[int, ...]:
        """The organiser, and the second one if there is one."""
        return (self.organiser_id, self.second_id) if self.second_id else (self.organiser_id,)


@dataclass(slots=True)
class EntrantRow(Row):
    """A crew in a campaign with its player. `crew`: the scope it was copied from; `counters`: balances."""

    table: ClassVar[str] = "entrants"

    id: int
    owner_id: int
    owner: str
    name: str
    crew: int = 0
    status: str = "in"
    traits: Texts = field(default_factory=dict)
    counters: Counters = field(default_factory=dict)


@dataclass(slots=True)
class VeteranRow(Row):
    """A member of a crew in a campaign. `status`: fit, dead, captive or dismissed; `benched`: sits out.

    `counters`: its balances: upgrade points, injuries, encounters still missed, relics.
    """

    table: ClassVar[str] = "veterans"

    id: int
    entrant: int
    name: str
    profile: str
    points: int
    leader: bool = False
    benched: bool = False
    status: str = "fit"
    note: str = ""
    counters: Counters = field(default_factory=dict)


@dataclass(slots=True)
class FixtureRow(Row):
    """Two entrants who are to meet in a round; `away` 0: the home one rests. `status`: open, played, rest.

    `day`: when it is to be played, in seconds since 1970; 0 where nobody said.
    """

    table: ClassVar[str] = "fixtures"

    id: int
    round: int
    home: int
    away: int = 0
    status: str = "open"
    day: int = 0


@dataclass(slots=True)
class ResultRow(Row):
    """What a fixture brought one entrant. `status`: proposed or confirmed; `facts`: as its game writes them.

    `encounter`: the scope it was played in, 0 when entered by hand.
    """

    table: ClassVar[str] = "results"

    id: int
    fixture: int
    entrant: int
    opponent: int
    result: str
    points: int
    status: str = "proposed"
    encounter: int = 0
    facts: Texts = field(default_factory=dict)


@dataclass(slots=True)
class ProposalRow(Row):
    """One line of an open report: what is proposed for an entrant or one of its members (`member` 0).

    `kind` says what `text`, `amount` and `choice` mean; `was` and `editor`: what it was before somebody
    changed it, and who.
    """

    table: ClassVar[str] = "proposals"

    id: int
    entrant: int
    member: int
    kind: str
    text: str
    amount: int = 0
    choice: str = ""
    reason: str = ""
    was: str = ""
    editor: str = ""


@dataclass(slots=True)
class LedgerRow(Row):
    """One change of one account. `amount` is what a number changed by, 0 where words changed.

    `entry`: the journal's entry that made it.
    """

    table: ClassVar[str] = "ledger"

    id: int
    entry: int
    entrant: int
    member: int
    account: str
    before: str
    after: str
    amount: int
    actor_id: int
    actor: str
    cause: str


@dataclass(slots=True)
class TaleRow(Row):
    """What a player tells of a game, or of a crew where `fixture` is 0."""

    table: ClassVar[str] = "tales"

    id: int
    fixture: int
    entrant: int
    author_id: int
    author: str
    text: str


@dataclass(slots=True)
class ShotRow(Row):
    """A picture that a player adds to a game, and what it shows in words. `digest`: the picture's hash; the
    picture itself stands in `bot.store.pictures` and may be gone."""

    table: ClassVar[str] = "shots"

    id: int
    fixture: int
    entrant: int
    author_id: int
    author: str
    words: str
    digest: str


CAMPAIGN_TABLES: tuple[type[Row], ...] = (
    CampaignRow,
    EntrantRow,
    VeteranRow,
    FixtureRow,
    ResultRow,
    ProposalRow,
    LedgerRow,
    TaleRow,
    ShotRow,
)
