"""The panel of a season: usual formats to start with, the season at a glance, buttons to organise it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, raw_of
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.row_types import EntrantRow, FixtureRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.kinds import Offer
from bot.table.asking.server_kinds import Games
from bot.table.campaign.administration import (
    Archive,
    HandOverCampaign,
    HouseRule,
    PairByHand,
    Restore,
    SecondOrganiser,
    SwapFixtures,
)
from bot.table.campaign.campaign_crews import Adjust, Bench, Buy, Dismiss, Equip, Lead
from bot.table.campaign.campaign_games import Around, begun
from bot.table.campaign.campaign_report import OpenReport, RecordFixture
from bot.table.campaign.campaign_views import MyCrew as MyCrew
from bot.table.campaign.campaign_views import Season as Season
from bot.table.campaign.campaign_views import (
    ShowCampaign,
    ShowEntrant,
    ShowLedger,
    ShowStandings,
    crew_lines,
    list_house_rules,
)
from bot.table.campaign.campaigns import AskEndCampaign, CampaignSetting, CreateCampaign, Schedule, ranked
from bot.table.campaign.charts import course_of
from bot.table.campaign.corrections import AskCorrection
from bot.table.campaign.fixture_dates import MyReminders, SetDay, SetZone, format_moment
from bot.table.campaign.records import Records
from bot.table.campaign.story import ShowStory
from bot.table.game import game
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import ENDED, Campaign
from bot.table.ledger.campaign_fields import ForEntrant, InCampaign
from bot.table.ledger.campaign_rules import get_rules
from bot.table.offers.forms import title_of
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE
from bot.table.rosters.printing import PrintCrew
from rules.wording import join_with_and, ordinal

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

OFFERED_UNTRIED = {SecondOrganiser}
"""Actions that are offered without a trial, because without a name they change nothing."""


@dataclass(frozen=True, slots=True)
class Organise(InCampaign):
    """Show only the organiser what can be organised now."""

    command = "campaign.organise"
    titled = "Organise..."


@handles(Organise, Place.CAMPAIGN, beforehand=begun)
def organise(act: Act, action: Organise) -> Reply:
    """Show the buttons that would not be refused, with the organisers and the house rules above them."""
    camp = Campaign(act)
    camp.require_organiser()
    looking = Looking(act.book, act.actor)
    has_results = any(fixture.status == "played" for fixture in camp.fixtures())
    actions: list[Action] = [
        kind(camp.book.scope) for kind in WAYS if has_results or kind is not AskCorrection
    ]
    buttons = [
        Button(title_of(type(offered_action)), offered_action, anytime=True, asks=True)
        for offered_action in actions
        if type(offered_action) in OFFERED_UNTRIED
        or not looking.legal(type(offered_action), raw_of(offered_action), act.extra).reason
    ]
    lines = [f"Organising **{camp.row.name}** ({camp.rounds})", *list_house_rules(camp)]
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


MAX_SHOWN = 16
"""Crews of the table that the panel shows; the rest are a press away."""
MAX_WAITING = 16


# ------------------------------------------------------------------------------------ what is seen


def trends(camp: Campaign) -> dict[int, int]:
    """Return how many places each earlier crew has gone up, or down if below 0, by the last round."""
    course = course_of(camp)
    places_by_crew = {entrant.id: course.places(entrant.id) for entrant in camp.entrants()}
    if len(course.rounds) < 2:
        return {}
    earlier_round, last_round = course.rounds[-2:]
    return {
        entrant_id: places[earlier_round] - places[last_round]
        for entrant_id, places in places_by_crew.items()
        if {earlier_round, last_round} <= set(places)
    }


def table_lines(camp: Campaign, max_lines: int) -> list[str]:
    """Return the table: rank, name, what counts first, and how many places each crew rose or fell."""
    account, moves = get_rules(camp.row.system).ranked[0], trends(camp)
    lines = []
    for rank, entrant in ranked(camp)[:max_lines]:
        trend = moves.get(entrant.id, 0)
        trend_text = f" ({abs(trend)} {'up' if trend > 0 else 'down'})" if trend else ""
        lines.append(f"{rank}. {entrant.name} {entrant.counters.get(account, 0)}{trend_text}")
    hidden_count = len(camp.entrants()) - max_lines
    return [*lines, f"and {hidden_count} more"] if hidden_count > 0 else lines


def waiting(camp: Campaign, begun_fixtures: frozenset[int]) -> Iterator[str]:
    """Yield what has to be done before the season goes on, with who does it; nothing once it has ended."""
    row, rules = camp.row, get_rules(camp.row.system)
    if row.status == ENDED:
        return
    for fixture in camp.reported():
        lines = camp.proposals(fixture)
        deciders = sorted({camp.entrant(line.entrant).owner for line in lines if rules.is_open(line)})
        waiting_text = (
            f"waiting for {' and '.join(deciders)} to choose" if deciders else "waiting to be confirmed"
        )
        yield f"report of {camp.versus(fixture)}: {waiting_text}"
    for fixture in camp.fixtures():
        if fixture.status == "open" and not fixture.report:
            names = " and ".join(camp.entrant(one).owner for one in (fixture.home, fixture.away))
            state = "begun but not reported yet" if fixture.id in begun_fixtures else "to be played"
            date_text = f", {format_moment(fixture.day)}" if fixture.day else ""
            yield f"{camp.versus(fixture)}: {state} ({names}){date_text}"
    if len(camp.entrants()) >= 2 and not any(one.status == "open" for one in camp.fixtures()):
        is_over = row.round >= row.encounters
        yield (
            "the organiser can end the campaign, because all games have been played"
            if is_over
            else f"the organiser has to pair round {row.round + 1}"
        )
    for entrant in camp.entrants():
        unspent = rules.unspent(camp, entrant)
        tasks = [f"can spend {join_with_and(unspent)}"] if unspent else []
        tasks += [] if _has_leader(camp, entrant) else ["has to choose a leader"]
        if tasks:
            yield f"{entrant.name} ({entrant.owner}): {'; '.join(tasks)}"


def _has_leader(camp: Campaign, entrant: EntrantRow) -> bool:
    members = camp.veterans(entrant.id)
    return not members or any(veteran.leader for veteran in members)


@handles(Season, Place.CAMPAIGN, beforehand=begun)
def season(act: Act, action: Season) -> Reply:
    """Show one panel from which everything else is one press away."""
    camp, server_facts = Campaign(act), act.extra
    assert isinstance(server_facts, Around), "it is read beforehand"
    row = camp.row
    state = ENDED if row.status == ENDED else camp.rounds
    lines = [f"**{row.name}**, {state}", *table_lines(camp, MAX_SHOWN)]
    tasks = list(waiting(camp, server_facts.begun))
    lines += ["Still to do:", *(f"- {task}" for task in tasks[:MAX_WAITING])] if tasks else []
    lines += [f"and {len(tasks) - MAX_WAITING} more"] if len(tasks) > MAX_WAITING else []
    if not camp.entrants():
        lines.append("There are no crews yet. Use /campaign join to join with yours.")
    elif not (action.public or row.round or row.status == ENDED or _has_crew(camp)):
        lines.append("Use /campaign join to join with your crew.")
    menus = _crew_menus(camp, public=action.public)
    return Reply(tuple(lines), private=not action.public, buttons=tuple(_buttons(camp, action)), menus=menus)


def _crew_menus(camp: Campaign, *, public: bool) -> tuple[Menu, ...]:
    choices = tuple(
        Choice(entrant.name, entrant.name, f"{ordinal(rank)} place, played by {entrant.owner}")
        for rank, entrant in ranked(camp)
        if public or not camp.is_secret(entrant.id)
    )
    show_action = ShowEntrant(camp.book.scope)
    return (Menu("Show a crew", show_action, "crew", choices[:25], anytime=True),) if choices else ()


def _own_entrant(camp: Campaign) -> EntrantRow | None:
    entrants = [entrant for entrant in camp.entrants() if entrant.owner_id == camp.act.actor.user_id]
    return entrants[0] if len(entrants) == 1 else None


def _has_crew(camp: Campaign) -> bool:
    """Return whether the person has a crew in the campaign."""
    return any(entrant.owner_id == camp.act.actor.user_id for entrant in camp.entrants())


def _buttons(camp: Campaign, action: Season) -> Iterator[Button]:
    """Return the buttons of a season panel.

    A public panel has buttons for everyone; some refuse a person who may not use them.
    """
    scope, row = camp.book.scope, camp.row
    is_organiser, is_public = camp.act.is_organiser, action.public
    if is_public or _has_crew(camp):
        yield Button("My crew", MyCrew(scope), "main", anytime=True)
    yield Button("Fixtures", ShowCampaign(scope), anytime=True)
    yield Button("Standings", ShowStandings(scope), anytime=True)
    unplayed = [fixture for fixture in camp.fixtures() if fixture.status == "open"]
    if camp.reported():
        yield Button("Open the report", OpenReport(scope), "main", anytime=True)
    if any(not fixture.report for fixture in unplayed):
        yield Button("Report a game", RecordFixture(scope), anytime=True, asks=True)
    elif unplayed or not (is_organiser or is_public):
        pass
    elif row.status != ENDED and row.round < row.encounters and len(camp.entrants()) >= 2:
        yield Button(f"Pair round {row.round + 1}", Schedule(scope), "main")
    elif row.status != ENDED and row.round:
        yield Button("End the campaign", AskEndCampaign(scope), anytime=True)
    yield Button("Remind me", MyReminders(scope), anytime=True)
    yield Button("Story", ShowStory(scope), anytime=True)
    if any(fixture.status == "played" for fixture in camp.fixtures()):
        yield Button("Records", Records(scope), anytime=True)
    yield Button("Ledger", ShowLedger(scope), anytime=True)
    if is_organiser and not is_public:
        yield Button("Organise...", Organise(scope), anytime=True)


# ------------------------------------------------------------------------------------ one's own crew


def between(camp: Campaign, entrant: EntrantRow) -> Sequence[Action]:
    """Return what a crew may do between games: of every table, then of its game."""
    scope, is_own = camp.book.scope, entrant.owner_id == camp.act.actor.user_id
    usual_kinds: tuple[type[ForEntrant], ...] = (Buy, Equip, Bench, Lead, Dismiss)
    kinds = (*usual_kinds, *get_rules(camp.row.system).between_games())
    return [kind(scope) if is_own and _own_entrant(camp) else kind(scope, entrant) for kind in kinds]


@handles(MyCrew, Place.CAMPAIGN, beforehand=begun)
def my_crew(act: Act, action: MyCrew) -> Reply:
    """Show the crew with buttons for what is possible now and forms that are filled in."""
    camp, entrant = Campaign(act), action.crew
    if camp.is_secret(entrant.id) or not camp.may_for(entrant):
        camp.require_owner(entrant)
    scope = camp.book.scope
    buttons, unspent_texts = [], [*get_rules(camp.row.system).unspent(camp, entrant)]
    looking = Looking(act.book, replace(act.actor, user_id=entrant.owner_id))
    buttons += [
        Button(title_of(type(offered_action)), offered_action, anytime=True, asks=True)
        for offered_action in between(camp, entrant)
        if not looking.legal(type(offered_action), raw_of(offered_action), act.extra).reason
    ]
    if entrant.crew and entrant.owner_id == act.actor.user_id:
        buttons += get_rules(camp.row.system).beside(entrant.crew)
    buttons.append(Button("Ledger", ShowLedger(scope, entrant), anytime=True))
    if entrant.crew:
        buttons.append(Button("Sheet", PrintCrew(entrant.crew), anytime=True))
    secret_line = f"The list of {entrant.name} ({entrant.owner}) is secret."
    first_lines = [secret_line] if camp.is_secret(entrant.id) else crew_lines(camp, entrant)
    lines = [*first_lines, *([f"Left to spend: {', '.join(unspent_texts)}"] if unspent_texts else [])]
    next_fixture = _next_fixture(camp, entrant)
    if next_fixture:
        lines.append(f"Next: {camp.versus(next_fixture)}, round {next_fixture.round}")
        lines += [format_moment(next_fixture.day)] if next_fixture.day else []
        buttons.append(
            Button("Date of the game", SetDay(scope, fixture=next_fixture), anytime=True, asks=True)
        )
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


def _next_fixture(camp: Campaign, entrant: EntrantRow) -> FixtureRow | None:
    fixtures = [
        fixture
        for fixture in camp.fixtures()
        if fixture.status == "open" and entrant.id in (fixture.home, fixture.away)
    ]
    return fixtures[0] if fixtures else None


@dataclass(frozen=True, slots=True)
class StartCampaign(Action):
    """Start a campaign in one of the usual formats."""

    command = "campaign.start"
    typed = "campaign start"
    titled = "Start a campaign"
    decision_of = ANYONE

    system: str = fields.system()


@dataclass(frozen=True, slots=True)
class Preset:
    """A usual format of a campaign.

    start and limit: the points that a new crew can spend and the most that it can field, as shares of what
    a crew of the game usually starts with.
    """

    name: str
    matching: str
    encounters: int
    start: float
    limit: float


PRESETS = (
    Preset("Three evenings", "swiss", 3, 1, 1.25),
    Preset("A league", "round robin", 5, 1, 1.5),
    Preset("A weekend", "swiss", 4, 0.75, 0.75),
)


def preset_campaign(preset: Preset, system: str) -> CreateCampaign:
    """Return an action that creates a campaign in this format, still without a name."""
    usual_points = get_rules(system).usual_points
    start, limit = (round(usual_points * share) for share in (preset.start, preset.limit))
    return CreateCampaign("", system, preset.matching, preset.encounters, start, limit)


def _describe(campaign: CreateCampaign) -> str:
    pairing_text = "Swiss" if campaign.matching == "swiss" else "everyone plays everyone"
    if not campaign.limit:
        crews = "crews of any size"
    elif campaign.start == campaign.limit:
        crews = f"crews of up to {campaign.start} points in every game"
    else:
        crews = f"crews start with {campaign.start} points and play with up to {campaign.limit}"
    return f"{campaign.encounters} rounds, {pairing_text}; {crews}"


async def _read_games(store: Store, actor: Actor, action: StartCampaign) -> Sequence[Offer]:
    return await Games().chosen_from(store, actor)


@handles(StartCampaign, Place.NOWHERE, beforehand=_read_games)
def start(act: Act, action: StartCampaign) -> Reply:
    """Show the form of a new campaign only to the person; every figure can still be changed."""
    lines = [f"Which format should the {game(action.system).name} campaign have?"]
    campaigns = {preset.name: preset_campaign(preset, action.system) for preset in PRESETS}
    lines += [f"{name}: {_describe(one)}" for name, one in campaigns.items()]
    buttons = [Button(name, one, anytime=True, asks=True) for name, one in campaigns.items()]
    buttons.append(Button("Another format", CreateCampaign("", action.system), anytime=True, asks=True))
    other_games = tuple(Choice(one.label, str(one.value)) for one in act.extra if one.value != action.system)
    menu = Menu("Another game", StartCampaign(), "system", other_games, anytime=True)
    menus = (menu,) if other_games else ()
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), menus=menus, replaces=True)
