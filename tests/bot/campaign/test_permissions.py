"""Who may do what in a campaign: its organiser, a crew's player, the others, who manages the channel."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.actions import ACTIONS, Action
from bot.games.counterblast.campaign.downtime import BuildModel, OfferRansom, Release, RollRelic, UseRelic
from bot.games.counterblast.campaign.spoils import (
    BlessWeapon,
    DiscardItem,
    Improve,
    Restart,
    TakeRecruit,
    TradeSalvage,
    TradeScouting,
)
from bot.table.act import Actor
from bot.table.campaign.administration import (
    Archive,
    HandOverCampaign,
    HouseRule,
    PairByHand,
    Restore,
    SecondOrganiser,
    SwapFixtures,
)
from bot.table.campaign.campaign_crews import Adjust, Bench, Buy, Dismiss, Equip, Lead, LeaveCampaign
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_luck import CampaignLuck
from bot.table.campaign.campaign_report import (
    CancelReport,
    ConfirmReport,
    EditLine,
    OpenReport,
    PickLine,
    RecordFixture,
)
from bot.table.campaign.campaign_views import (
    ListCampaigns,
    PrintCampaign,
    ShowCampaign,
    ShowEntrant,
    ShowLedger,
    ShowStandings,
)
from bot.table.campaign.campaigns import (
    AskEndCampaign,
    CampaignSetting,
    CreateCampaign,
    EndCampaign,
    JoinCampaign,
    Schedule,
    ShowSeed,
)
from bot.table.campaign.corrections import AskCorrection, CorrectResult
from bot.table.campaign.fixture_dates import MyReminders, Remind, SetDay, SetZone, StopReminding
from bot.table.campaign.records import Records
from bot.table.campaign.season import MyCrew, Organise, Season, StartCampaign
from bot.table.campaign.story import ExportStory, ShowStory, TellTale
from bot.table.campaign.story_files import AddPicture, DropPicture
from bot.table.handlers import HANDLERS
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import CampaignDice, ShowCampaignDice
from tests.bot.campaign.league import League

ROLES = ("anna", "bo", "cy", "zed", "mod")
"""The organiser and opponent, who plays the Edo, two strangers, who manages the channel."""

ALL, ORGANISERS = frozenset(ROLES), frozenset({"anna", "mod"})
FIRST, MODERATOR = frozenset({"anna"}), frozenset({"mod"})
OWNER = frozenset({"bo"})


@dataclass(frozen=True)
class Case:
    """An action and who may ask it, and who may with a reason that everybody reads."""

    action: Action
    may: frozenset[str]
    with_reason: frozenset[str] = frozenset()


def cases(scope: int) -> list[Case]:
    """What is asked of a campaign in which the Edo have an open fixture, points and tokens to spend."""
    own: list[Action] = [
        Bench(scope, "Edo", ("Trapper",)),
        Lead(scope, "Edo", "Spawnguard"),
        Buy(scope, "Edo", "Trapper"),
        Equip(scope, "Edo", "Trapper", "Grenade"),
        Dismiss(scope, "Edo", "Trapper"),
        TradeSalvage(scope, "Edo", 1),
        RollRelic(scope, "Edo"),
        UseRelic(scope, "Edo", "Prime Leader", "Timebomb"),
        BuildModel(scope, "Edo", "Trapper", ("Prime Leader",)),
        Improve(scope, "Edo", "Prime Leader", "strength modifier"),
        TradeScouting(scope, "Edo", "Order token"),
        TakeRecruit(scope, "Edo", "Edo Guardling"),
        DiscardItem(scope, "Edo", "Prime Leader", "Edo Mantle"),
        BlessWeapon(scope, "Edo", "Prime Leader", "Tentacle"),
        Restart(scope, "Edo"),
    ]
    organised: list[Action] = [
        HandOverCampaign(scope, 777),
        SecondOrganiser(scope, 777),
        HouseRule(scope, "No proxies"),
        SetZone(scope, "Europe/Berlin"),
        Archive(scope),
    ]
    return [
        *(Case(action, OWNER, ORGANISERS) for action in own),
        *(Case(action, FIRST, MODERATOR) for action in organised),
        Case(LeaveCampaign(scope, "Edo"), OWNER | ORGANISERS),
        Case(Adjust(scope, "Edo", "requisition", 1, "a wreck"), FIRST, MODERATOR),
        Case(CampaignSetting(scope, "mighty from", "5"), FIRST, MODERATOR),
        Case(EndCampaign(scope), frozenset(), ORGANISERS),
        Case(OpenReport(scope, 0, "Edo", 3, 2), OWNER | ORGANISERS),
        Case(RecordFixture(scope, 0, "Edo", 3, 2), OWNER | ORGANISERS),
        Case(CampaignDice(scope, "real"), OWNER | ORGANISERS),
    ]


READS = (
    CampaignLuck,
    ListCampaigns,
    PrintCampaign,
    StartCampaign,
    ShowCampaignDice,
    ShowCampaign,
    ShowEntrant,
    ShowLedger,
    ShowStandings,
    PickLine,
    Season,
    MyCrew,
    ShowStory,
    ExportStory,
    MyReminders,
    Records,
)
ELSEWHERE = (
    CreateCampaign,
    JoinCampaign,
    Schedule,
    PlayFixture,
    EditLine,
    ConfirmReport,
    CancelReport,
    AskEndCampaign,
    ShowSeed,
    OfferRansom,
    Release,
    AskCorrection,
    CorrectResult,
    Organise,
    PairByHand,
    SwapFixtures,
    Restore,
    TellTale,
    AddPicture,
    DropPicture,
    SetDay,
    Remind,
    StopReminding,
)
"""Who may is shown in test_campaigns, test_report, test_season, test_life, test_story,
test_shots and test_reminders."""

CAMPAIGNS: set[type[Action]] = {*READS, *ELSEWHERE, *(type(case.action) for case in cases(1))}


@pytest.fixture
async def rich(league: League) -> League:
    """Anna and Bo are to meet; the Edo have something of everything."""
    await league.begin("anna", "bo", aligned={"bo": "edofleini"}, start=300)
    await league.done("anna", Schedule(league.scope))
    for account, amount in (
        ("requisition", 300),
        ("salvage tokens", 9),
        ("scouting successes", 9),
        ("free recruits", 1),
    ):
        await league.done("anna", Adjust(league.scope, "Edo", account, amount, "to test"))
    for account in ("upgrade points", "relic: timebomb", "relic weapon: arc_rod"):
        await league.done("anna", Adjust(league.scope, "Edo", account, 3, "to test", "Prime Leader"))
    return league


def role(league: League, name: str) -> Actor:
    return league.table.actor(name, manages=name == "mod")


@pytest.mark.parametrize("place", range(len(cases(1))), ids=[case.action.command for case in cases(1)])
async def test_who_may(rich: League, place: int) -> None:
    case = cases(rich.scope)[place]
    version = (await rich.table.desk.store.load(rich.scope)).scope.version  # type: ignore[union-attr]
    for name in ROLES:
        who = role(rich, name)
        if name in case.may:
            continue
        await rich.refused(who, case.action)
        if name not in case.with_reason:
            await rich.refused(who, case.action, reason="because I say so")
    loaded = await rich.table.desk.store.load(rich.scope)
    assert loaded is not None
    assert loaded.scope.version == version
    if case.may:
        done = await rich.done(role(rich, sorted(case.may)[-1]), case.action)
        assert not any(line.startswith("Override") for line in done.reply.lines)
    else:
        done = await rich.done(role(rich, "mod"), case.action, reason="their boat is late")
    if case.with_reason and case.may:
        await rich.done(role(rich, "mod"), Undo(), scope=rich.scope, reason="again")
        by = sorted(case.with_reason)[0]
        done = await rich.done(role(rich, by), case.action, reason="their boat is late")
    if case.with_reason:
        assert any(line.endswith(": their boat is late") for line in done.reply.lines)
        assert not done.reply.private


async def test_who_may_not_ask_is_not_told_who_there_is(rich: League) -> None:
    scope = rich.scope
    for action, who, refused in (
        (Lead(scope, "Edo", "Zzqx"), "cy", "not yours"),
        (Lead(scope, "Edo", "Zzqx"), "anna", "not yours"),
        (Bench(scope, "Edo", ("Zzqx",)), "cy", "not yours"),
        (Equip(scope, "Edo", "Zzqx", "Grenade"), "cy", "not yours"),
        (Improve(scope, "Edo", "Zzqx", "strength modifier"), "cy", "not yours"),
        (BuildModel(scope, "Edo", "Trapper", ("Zzqx",)), "cy", "not yours"),
        (Adjust(scope, "Edo", "requisition", 1, "a wreck", "Zzqx"), "cy", "Only the organiser"),
    ):
        said = await rich.refused(role(rich, who), action)
        assert refused in said
        assert "Prime Leader" not in said


async def test_everybody_reads_and_nobody_is_asked_for_more(rich: League) -> None:
    before = rich.table.state()
    for name in ROLES:
        for action in (
            ShowCampaign(rich.scope),
            ShowEntrant(rich.scope, "Edo"),
            ShowLedger(rich.scope, "Edo"),
            PrintCampaign(rich.scope),
            ShowStandings(rich.scope),
            CampaignLuck(rich.scope),
            ShowCampaignDice(rich.scope),
        ):
            assert (await rich.table.do(role(rich, name), action)).reply.private
    assert rich.table.state() == before


def test_every_action_of_campaigns_is_here() -> None:
    ours = {
        kind
        for command, kind in ACTIONS.items()
        if command.startswith(("campaign.", "spoils.", "story.")) and command in HANDLERS
    }
    assert ours == CAMPAIGNS
