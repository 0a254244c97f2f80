"""Campaigns: how they are created, joined, paired and ended, with their settings and standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.lookalikes import look_of
from bot.replies.reply import Button, Reply, say
from bot.store.row_types import CampaignRow, EntrantRow, FixtureRow
from bot.store.rows import CrewRow, MemberRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.campaign.campaign_views import Season, ShowStandings, legend, standings_lines
from bot.table.campaign.charts import chart, standings_over_rounds
from bot.table.game import SECRET_CREWS, Game, game, list_settings
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import ENDED, PURSE, Campaign, format_amount
from bot.table.ledger.campaign_fields import InCampaign, get_game
from bot.table.ledger.campaign_rules import AVERAGE, CAMPAIGN_SETTINGS, LATE_JOINERS, get_rules, get_setting
from bot.table.names import check_name
from bot.table.owners import SELF
from bot.table.realdice import dice_of, set_thrower
from bot.table.rosters.crew_state import NO_CREW, Standing, explain_no_members, standing, taken_along
from bot.table.rosters.crews import CreateCrew, counted
from bot.table.rosters.gate import ask_organiser, find_faults, require_legal
from bot.table.session.settings import changed, choice_lines, setting, setting_value
from bot.table.setting import Setting
from rules.dice import commitment
from rules.pairings import MAX_PLAYERS, pair_round_robin, pair_swiss
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.wording import join_with_and, possessive, times

group("campaign", "Campaigns: create, join and play")

LATE = "joined late"
"""The beginning of the cause in the ledger for the share that a late joiner gets."""
MATCHINGS = ("swiss", "round robin")
MAX_ENCOUNTERS = 30
MAX_POINTS = 10_000
TOO_FEW_POINTS = 2
"""Points of a line of the chart below which there is nothing to see: the start and one round."""


@dataclass(frozen=True, slots=True)
class CreateCampaign(Action):
    """Create a campaign."""

    command = "campaign.create"
    typed = "campaign create"
    titled = "Create a campaign"
    decision_of = SELF

    name: str = fields.text("Name of the campaign", None, needed=True)
    system: str = fields.system()
    matching: str = fields.one_of("Pairing method", MATCHINGS, default=MATCHINGS[0])
    encounters: int = fields.whole("Games each crew plays", 1, MAX_ENCOUNTERS, default=3)
    start: int = fields.whole("Points a new crew can spend", 0, MAX_POINTS, default=0, checked=True)
    limit: int = fields.whole("Maximum points for a crew in one game", 0, MAX_POINTS, default=0, checked=True)


@dataclass(frozen=True, slots=True)
class JoinCampaign(InCampaign):
    """Join a campaign with your crew; the campaign keeps a copy of it.

    anyway: ask the organisers to let an illegal crew pass.
    """

    command = "campaign.join"
    typed = "campaign join"
    titled = "Join with a crew"

    crew: int = fields.own_crew("Your crew", needed=True)
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Schedule(InCampaign):
    """Pair the next round.

    For a round robin, all rounds are paired at once.
    """

    command = "campaign.schedule"
    typed = "campaign schedule"
    titled = "Pair the next round"


@dataclass(frozen=True, slots=True)
class CampaignSetting(InCampaign):
    """View or change the house rules for all games in a campaign."""

    command = "campaign.settings"
    typed = "campaign settings"
    titled = "Settings for all games"

    setting: Setting | None = setting(lambda asking: _campaign_settings(get_game(asking)))
    value: str | None = setting_value('New value, or "default"', "setting")


# ------------------------------------------------------------------------------------ made and joined


async def _read_campaigns(store: Store, actor: Actor, action: Action) -> list[tuple[int, str, str]]:
    return await store.campaigns(actor.guild_id)


@handles(CreateCampaign, Place.NEW_CAMPAIGN, beforehand=_read_campaigns)
def create(act: Act, action: CreateCampaign) -> Reply:
    """Create a campaign, whose dice are bound before anything is rolled."""
    name = check_name(action.name, "campaign's name")
    if any(look_of(known) == look_of(name) for _, known, _ in act.extra):
        raise InvalidInput(f"Choose another name; there is already a campaign called {name}.")
    row = act.book.add(
        CampaignRow(
            act.book.scope,
            act.actor.guild_id,
            act.actor.user_id,
            action.system,
            name,
            commitment(act.seed),
            action.matching,
            action.encounters,
            action.start,
            action.limit,
        )
    )
    get_rules(action.system).require_agreed(row)
    agreement_lines = [
        f"Each crew plays {times(row.encounters, 'game')}. Pairing: {row.matching.capitalize()}."
    ]
    agreement_lines += [f"Crews start with {row.start_points} points."] if row.start_points else []
    agreement_lines += [f"Crews play with up to {row.limit} points."] if row.limit else []
    rules = get_rules(action.system)
    known = {
        campaign_setting.key: campaign_setting for campaign_setting in _campaign_settings(game(row.system))
    }
    buttons = [
        Button(label, CampaignSetting(row.scope, known[key], value), anytime=True)
        for label, key, value in rules.asks()
    ]
    asked_titles = ", ".join(dict.fromkeys(known[key].title for _, key, _ in rules.asks()))
    return say(
        f"{name} is a new {game(row.system).name} campaign.",
        *agreement_lines,
        "Use /campaign join to join with your crew.",
        *([f"The organiser can also change this setting: {asked_titles}."] if buttons else []),
        buttons=[*buttons, UNDO],
    )


async def _read_crew(store: Store, actor: Actor, action: JoinCampaign) -> tuple[Standing, str] | None:
    if not action.crew:
        return None
    crew_standing = await standing(store, actor.guild_id, action.crew)
    loaded = await store.load(action.crew)
    if loaded is None or crew_standing.crew.status != "kept":
        raise InvalidInput(NO_CREW)
    return crew_standing, dice_of(loaded.book(), crew_standing.crew.owner_id)


@handles(JoinCampaign, Place.CAMPAIGN, beforehand=_read_crew)
def join(act: Act, action: JoinCampaign) -> Reply:
    """Join with one crew for each player, before the first round."""
    camp = Campaign(act)
    camp.require_running()
    if act.extra is None:
        return _refuse_without_crew(camp, "You don't have a crew here yet.")
    crew_standing: Standing
    crew_standing, dice = act.extra
    crew, members = crew_standing.crew, list(crew_standing.members)
    if crew.owner_id == act.actor.user_id and crew.system != camp.row.system:
        return _refuse_without_crew(camp, f"{crew.name} is a crew for {game(crew.system).name}.")
    former_entrant = _find_former_entrant(camp, crew)
    if former_entrant is not None:
        return _bring_back(camp, former_entrant)
    _require_joinable(act, camp, crew_standing)
    if action.anyway and not act.is_organiser and find_faults(crew, members):
        return ask_organiser(act, crew, members, replace(action, anyway=False))
    require_legal(act, crew, members, replace(action, anyway=True))
    entrant = _copy_crew(camp, crew, members)
    if dice:
        set_thrower(act.book, crew.owner_id, dice)
    size = sum(member.points for member in members)
    unspent_points = max(0, camp.row.start_points - size)
    camp.post(entrant.id, PURSE, unspent_points, "not spent at the start")
    late_lines = _pay_late_joiner(camp, entrant.id)
    strength_text = "" if camp.row.system in SECRET_CREWS else f" ({counted(members)[:-1]})"
    unspent_lines = (
        [f"You can still spend {unspent_points} of {camp.row.start_points} points with /campaign buy."]
        if unspent_points
        else []
    )
    rules = get_rules(camp.row.system)
    custom_names = [member.name for member in members if rules.is_own(member.profile)]
    return say(
        f"{crew.name} joins {camp.row.name}.",
        f"{act.actor.name} plays this crew{strength_text}.",
        *([f"Custom models: {', '.join(custom_names)}."] if custom_names else []),
        *unspent_lines,
        *late_lines,
        *(["The organiser can use /organise pair to find this crew an opponent."] if camp.row.round else []),
        "The campaign now has its own copy of the crew, which /season shows.",
        buttons=[UNDO],
    )


def _copy_crew(camp: Campaign, crew: CrewRow, members: Sequence[MemberRow]) -> EntrantRow:
    act, entrant_id = camp.act, camp.book.next_id(EntrantRow)
    entrant = EntrantRow(camp.book.scope, entrant_id, crew.owner_id, act.actor.name, crew.name, crew.scope)
    entrant.traits = taken_along(crew.traits)
    camp.book.add(entrant)
    camp.write(entrant_id, "status", "", entrant.status, "joined")
    for account, amount in sorted(crew.counters.items()):
        camp.post(entrant_id, account, amount, "joined")
    for member in members:
        camp.enrol(
            entrant,
            member.name,
            member.profile,
            member.points,
            "joined",
            leader=member.leader,
            note=member.note,
            counters=member.counters,
        )
    return entrant


def _refuse_without_crew(camp: Campaign, reason: str) -> Reply:
    """Refuse privately with a form for a crew of the campaign's game."""
    game_name, row = game(camp.row.system).name, camp.row
    lines = (
        reason,
        f"The campaign {row.name} is for {game_name}.",
        "Create a crew for that game, add a model, then join.",
    )
    create_button = Button(
        "Create a crew...", CreateCrew(system=row.system, built=True), anytime=True, asks=True
    )
    join_button = Button("Join with a crew", JoinCampaign(row.scope), anytime=True, asks=True)
    return Reply(lines, private=True, buttons=(create_button, join_button))


def _find_former_entrant(camp: Campaign, crew: CrewRow) -> EntrantRow | None:
    """Return the person's crew if it took part and left. Raises InvalidInput for another person's crew."""
    if camp.act.actor.user_id != crew.owner_id:
        raise InvalidInput(f"{crew.name} is not your crew.")
    rows = camp.book.all(EntrantRow)
    return next((row for row in rows if row.crew == crew.scope and row.status == "left"), None)


def _bring_back(camp: Campaign, former_entrant: EntrantRow) -> Reply:
    if any(entrant.owner_id == former_entrant.owner_id for entrant in camp.entrants()):
        raise InvalidInput("You can only have one crew in a campaign.")
    camp.write(former_entrant.id, "status", former_entrant.status, "in", "came back")
    former_entrant.status = "in"
    has_open_fixtures = any(fixture.status == "open" for fixture in camp.fixtures())
    opponent_lines = (
        [
            (
                "The crew has no game to play at the moment. The organiser can use /organise pair to find it "
                "an opponent."
            )
        ]
        if has_open_fixtures
        else []
    )
    return say(
        f"{former_entrant.name} is back in {camp.row.name}. The crew is as it was when it left.",
        *opponent_lines,
        buttons=[UNDO],
    )


def _pay_late_joiner(camp: Campaign, entrant_id: int) -> list[str]:
    """Return what a late crew gets if that was agreed: the average of what the others earned."""
    if not camp.row.round or get_setting(camp.row, LATE_JOINERS) != AVERAGE:
        return []
    other_ids = {entrant.id for entrant in camp.entrants() if entrant.id != entrant_id}
    earned_points = sum(
        row.amount
        for row in camp.ledger()
        if row.entrant in other_ids and row.account == PURSE and row.cause.startswith("round ")
    )
    share = max(0, earned_points // len(other_ids)) if other_ids else 0
    camp.post(entrant_id, PURSE, share, f"{LATE}, house rule: late joiners get the average")
    return [f"The crew gets {times(share, 'requisition point')}, the average that the other crews earned."]


def _require_joinable(act: Act, camp: Campaign, crew_standing: Standing) -> None:
    row, entrants = camp.row, camp.entrants()
    crew, members = crew_standing.crew, list(crew_standing.members)
    if crew.owner_id != act.actor.user_id:
        raise InvalidInput(f"{crew.name} is not your crew.")
    if not members:
        raise InvalidInput(explain_no_members(crew_standing))
    if any(entrant.crew == crew.scope or look_of(entrant.name) == look_of(crew.name) for entrant in entrants):
        raise InvalidInput(f"{row.name} already has a crew called {crew.name}.")
    if len(entrants) >= MAX_PLAYERS:
        raise InvalidInput(f"This campaign is full; it can have at most {MAX_PLAYERS} crews.")
    with act.overridable():
        if any(entrant.owner_id == act.actor.user_id for entrant in entrants):
            raise Forbidden("You can only have one crew in a campaign.")
        if row.round and get_setting(row, LATE_JOINERS) == "no":
            raise Forbidden(
                f"{row.name} has already begun. Its organiser can use /campaign settings to let crews join "
                "late."
            )
        get_rules(row.system).require_crew(row, crew, members)


# ------------------------------------------------------------------------------------ rounds


@handles(Schedule, Place.CAMPAIGN, bot_dice=True)
def schedule(act: Act, action: Schedule) -> Reply:
    """Pair a round: by lot first, by the standings afterwards; a round robin all at once."""
    camp = Campaign(act)
    camp.require_running()
    camp.require_organiser()
    row, entrants = camp.row, camp.entrants()
    if len(entrants) < 2:
        raise InvalidInput("At least two crews have to join first with /campaign join.")
    open_fixtures = [fixture for fixture in camp.fixtures() if fixture.status == "open"]
    if open_fixtures:
        raise InvalidInput(
            f"Play and report these games first: {'; '.join(camp.versus(other) for other in open_fixtures)}."
        )
    if row.round >= row.encounters:
        forbid(f"All rounds of {row.name} are already paired ({row.encounters} of {row.encounters}).")
    with act.overridable():
        get_rules(row.system).require_meetings(row, len(entrants))
    if row.matching == "round robin":
        return _pair_all_rounds(act, camp, [entrant.id for entrant in entrants])
    table = [entrant.id for _, entrant in ranked(camp)]
    ordered_ids = table if row.round else _shuffle(act, [entrant.id for entrant in entrants])
    past_pairs = [
        [(other.home, other.away) for other in camp.fixtures(number) if other.away]
        for number in range(1, row.round + 1)
    ]
    rested_ids = [other.home for other in camp.fixtures() if not other.away]
    row.round, row.status = row.round + 1, "running"
    pairing = pair_swiss(ordered_ids, past_pairs, rested_ids)
    _add_round(camp, row.round, pairing.pairs, pairing.rests)
    pairing_text = "paired by the standings" if row.round > 1 else "paired at random"
    buttons = [UNDO, Button("Season", Season(row.scope), anytime=True)]
    return say(
        f"{row.name}: round {row.round} of {row.encounters}, {pairing_text}.",
        *_round_lines(camp),
        buttons=buttons,
    )


def _shuffle(act: Act, entrant_ids: list[int]) -> list[int]:
    order = act.dice.shuffle(len(entrant_ids), "lot")
    return [entrant_ids[place] for place in order]


def _pair_all_rounds(act: Act, camp: Campaign, entrant_ids: list[int]) -> Reply:
    row = camp.row
    rounds = pair_round_robin(_shuffle(act, entrant_ids))
    rounds_before = row.round
    for new_round, pairing in enumerate(rounds[: max(1, row.encounters - rounds_before)], rounds_before + 1):
        _add_round(camp, new_round, pairing.pairs, pairing.rests)
        row.round = new_round
    row.status = "running"
    lines = [
        line for number in range(rounds_before + 1, row.round + 1) for line in _round_lines(camp, number)
    ]
    buttons = [UNDO, Button("Season", Season(row.scope), anytime=True)]
    return say(
        f"{row.name}: {format_amount(row.round - rounds_before, 'rounds')}, paired at random.",
        *lines,
        buttons=buttons,
    )


def _add_round(
    camp: Campaign, round_number: int, pairs: tuple[tuple[int, int], ...], resting_id: int
) -> None:
    for home, away in (*pairs, *(((resting_id, 0),) if resting_id else ())):
        status = "open" if away else "rest"
        fixture_id = camp.book.next_id(FixtureRow)
        camp.book.add(FixtureRow(camp.book.scope, fixture_id, round_number, home, away, status))


def _round_lines(camp: Campaign, round_number: int = 0) -> list[str]:
    heading = [f"Round {round_number}:"] if round_number else []
    return [*heading, *(camp.versus(fixture) for fixture in camp.fixtures(round_number or camp.row.round))]


def ranked(camp: Campaign) -> list[tuple[int, EntrantRow]]:
    """Return all entrants with their rank, best first; entrants that are equal in everything that counts
    share one.
    """
    accounts = get_rules(camp.row.system).ranked

    def worth(entrant: EntrantRow) -> tuple[int, ...]:
        return tuple(entrant.counters.get(account, 0) for account in accounts)

    ordered_entrants = sorted(camp.entrants(), key=worth, reverse=True)
    all_rank_values = [worth(ranked_entrant) for ranked_entrant in ordered_entrants]
    return [
        (all_rank_values.index(worth(ranked_entrant)) + 1, ranked_entrant)
        for ranked_entrant in ordered_entrants
    ]


# ------------------------------------------------------------------------------------ settings, standings


def _campaign_settings(played_game: Game) -> Sequence[Setting]:
    """Return all settings of a campaign of this game."""
    return (*CAMPAIGN_SETTINGS, *list_settings(played_game))


@handles(CampaignSetting, Place.CAMPAIGN)
def settings(act: Act, action: CampaignSetting) -> Reply:
    """Show or change the house rules for all encounters and between them."""
    camp = Campaign(act)
    chosen_settings, value = camp.row.settings, action.value
    if action.setting is None:
        rules = changed(_campaign_settings(game(camp.row.system)), chosen_settings)
        lines = [f"- {rule}" for rule in rules] or ["All settings have their default values."]
        return say(f"House rules of {camp.row.name}", *lines, private=True)
    camp.require_quiet()
    camp.require_organiser()
    setting = action.setting
    value_before = chosen_settings.get(setting.key, setting.default)
    if value is None:
        return say(setting.title, *choice_lines(setting, value_before), private=True)
    chosen_settings[setting.key] = value
    if value == setting.default:
        del chosen_settings[setting.key]
    return say(
        f"House rule changed in {camp.row.name}: {setting.title}. {setting.says(value)}",
        f"Before: {setting.says(value_before)}",
        buttons=[UNDO],
    )


@handles(ShowStandings, Place.CAMPAIGN)
def show_standings(act: Act, action: ShowStandings) -> Reply:
    """Show the table, with its tie-breakers."""
    camp = Campaign(act)
    played_count = sum(fixture.status == "played" for fixture in camp.fixtures())
    head = f"{camp.row.name}: {camp.rounds}"
    rounds = standings_over_rounds(camp)
    has_chart = max((len(points) for points in rounds.values()), default=0) > TOO_FEW_POINTS
    lines = (
        head,
        *standings_lines(camp, ranked(camp)),
        *legend(camp),
        f"Fixtures played: {played_count}.",
    )
    files = act.drawn(chart, f"{camp.row.name}, points after each round", rounds) if has_chart else ()
    return Reply(lines, private=not action.public, files=files)


@dataclass(frozen=True, slots=True)
class AskEndCampaign(InCampaign):
    """End a campaign (asks first).

    Once it has ended: ask whether to show the seed.
    """

    command = "campaign.ask_end"
    typed = "campaign end"
    titled = "End the campaign"


@dataclass(frozen=True, slots=True)
class EndCampaign(InCampaign):
    """End the campaign, as the answer to `AskEndCampaign`. An undo lets it go on."""

    command = "campaign.end"


@dataclass(frozen=True, slots=True)
class ShowSeed(InCampaign):
    """Reveal the seed of a campaign that has ended, to verify its dice. After that nothing can be undone."""

    command = "campaign.seed"


OPEN_DICE = "Let everyone verify the dice"
NO_UNDO_AFTER_SEED = "After that, nothing in this campaign can be undone."


@handles(AskEndCampaign, Place.CAMPAIGN)
def ask_end(act: Act, action: AskEndCampaign) -> Reply:
    """Ask only the organiser; nothing changes."""
    camp = Campaign(act)
    camp.require_organiser()
    row = camp.row
    if row.status == ENDED:
        if row.revealed_seed:
            raise InvalidInput(f"{row.name} has already ended, and everyone can verify its dice.")
        buttons = [Button(OPEN_DICE, ShowSeed(row.scope), "danger"), UNDO]
        return say(
            f"{row.name} has ended.",
            "Let everyone verify its dice?",
            NO_UNDO_AFTER_SEED,
            private=True,
            buttons=buttons,
        )
    camp.require_running()
    played_count = sum(fixture.status == "played" for fixture in camp.fixtures())
    open_lines = [
        f"Not played yet: {camp.versus(fixture)}" for fixture in camp.fixtures() if fixture.status == "open"
    ]
    return say(
        f"End {row.name} now?",
        f"{camp.rounds.capitalize()}, {format_amount(played_count, 'fixtures')} played.",
        *open_lines,
        f"Result: {_outcome_sentence(camp)}",
        "You can undo this until everyone is allowed to verify the dice.",
        private=True,
        buttons=[
            Button("End the campaign", EndCampaign(row.scope), "danger"),
            Button("Standings", ShowStandings(row.scope)),
        ],
    )


@handles(EndCampaign, Place.CAMPAIGN)
def end(act: Act, action: EndCampaign) -> Reply:
    """End with final standings; crews that are equal in everything share the win."""
    camp = Campaign(act)
    camp.require_running()
    camp.require_organiser()
    open_fixtures = [fixture for fixture in camp.fixtures() if fixture.status == "open"]
    if open_fixtures:
        names = "; ".join(camp.versus(fixture) for fixture in open_fixtures)
        forbid(f"Play and report these games first: {names}.")
    camp.row.status = ENDED
    return say(
        _outcome_sentence(camp),
        *standings_lines(camp, ranked(camp)),
        "When you no longer need to undo anything, let everyone verify the dice.",
        buttons=[Button(OPEN_DICE, ShowSeed(camp.row.scope)), UNDO],
    )


def _outcome_sentence(camp: Campaign) -> str:
    """Return the winners by the table, or none if no fixture was played."""
    name = camp.row.name
    winners = [entrant.name for rank, entrant in ranked(camp) if rank == 1]
    if not winners or not any(fixture.status == "played" for fixture in camp.fixtures()):
        return f"{name} ends without a winner because no game was played."
    return (
        f"{winners[0]} wins {name}."
        if len(winners) == 1
        else f"{join_with_and(winners)} share the win in {name}."
    )


@handles(ShowSeed, Place.CAMPAIGN)
def show_seed(act: Act, action: ShowSeed) -> Reply:
    """Open the seed of the campaign's dice, which /dice show then shows."""
    camp = Campaign(act)
    camp.require_organiser()
    row = camp.row
    if row.status != ENDED:
        raise InvalidInput(f"End {row.name} first with /campaign end; after that its dice can be verified.")
    if row.revealed_seed:
        raise InvalidInput(f"Everyone can already verify {possessive(row.name)} dice with /dice show.")
    row.revealed_seed = act.seed.hex()
    return say(
        f"Everyone can now verify {possessive(row.name)} dice.", "Use /dice show and choose the campaign."
    )
