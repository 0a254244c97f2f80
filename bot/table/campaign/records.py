"""Records of a season: who took down which models, rivalries, and the places of each crew over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.replies.reply import Attachment, Button, Reply
from bot.store.row_types import EntrantRow, FixtureRow, LedgerRow, ResultRow
from bot.store.rows import ModelRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.campaign.campaign_games import CAMPAIGN
from bot.table.campaign.campaign_luck import CampaignLuck
from bot.table.campaign.charts import (
    CrewRound,
    Victor,
    chart,
    course_of,
    draw_casualties,
    draw_rise_and_fall,
    draw_takedowns,
    standings_over_rounds,
)
from bot.table.encounter import GONE, Encounter
from bot.table.game import GAMES, Game, TakesDown
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import FIT, Campaign
from bot.table.ledger.campaign_fields import InCampaign
from bot.table.ledger.campaign_rules import CampaignRules, get_rules, is_of_round
from rules.refusals import InvalidInput
from rules.wording import join_with_and, times


@dataclass(frozen=True, slots=True)
class Takedown:
    """A model that was taken down, and the model that did it; each with the name and the crew of its side."""

    victor: str
    victor_side: str
    victor_crew: int
    victim: str
    side: str
    crew: int


def takedowns(encounter: Encounter) -> Iterator[Takedown]:
    """Yield every model of a game that a model of another side took down, in their order in the game."""
    played_game = GAMES[encounter.row.system]
    models = {model.id: model for model in encounter.models(gone=True)}
    sides = {side.id: side for side in encounter.sides()}
    for model in models.values():
        victor = models.get(model.hurt_by)
        if victor is not None and model.hurt_side != model.side and _is_down(played_game, model):
            victor_side, victim_side = sides[model.hurt_side], sides[model.side]
            yield Takedown(
                victor.name,
                victor_side.name,
                victor_side.crew,
                model.name,
                victim_side.name,
                victim_side.crew,
            )


def _is_down(played_game: Game, model: ModelRow) -> bool:
    if model.status == GONE:
        return isinstance(played_game, TakesDown) and model.left_how in played_game.downed
    return bool(model.profile) and 0 < played_game.life(model) <= model.damage


NO_CASUALTY = ("dismissed", "joined")
MAX_READ = 100
"""The largest number of games that are read for takedowns, the latest ones."""
MAX_NAMED = 5
"""The largest number of members that are listed with the models they took down."""


@dataclass(frozen=True, slots=True)
class Records(InCampaign):
    """See a campaign's records: best games, streaks, rivalries and casualties."""

    command = "campaign.records"
    typed = "story records"
    titled = "Records"

    public: bool = fields.switch("Show to everyone")


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """A game that was reported with its two results, the winner's first; of a draw, the one with more points.

    drawn: whether neither crew won, whatever their points.
    """

    fixture: FixtureRow
    better: ResultRow
    other: ResultRow
    drawn: bool

    @property
    def lead(self) -> int:
        """Return by how many points it was won."""
        return self.better.points - self.other.points

    @property
    def winner(self) -> int:
        """Return the entrant that won, 0 for a draw."""
        return 0 if self.drawn else self.better.entrant


def games(camp: Campaign) -> list[ReportedGame]:
    """Return every game that was reported, oldest first."""
    reports, rules = [], get_rules(camp.row.system)
    for fixture in camp.fixtures():
        game_results = [result for result in camp.results() if result.fixture == fixture.id]
        if fixture.status == "played" and len(game_results) == 2:
            better, other = sorted(game_results, key=lambda one: (not rules.is_win(one.result), -one.points))
            reports.append(ReportedGame(fixture, better, other, not rules.is_win(better.result)))
    return reports


def hurt(camp: Campaign, entrant: int, round_number: int) -> int:
    """Return how many members of a crew were hurt or lost by what was reported of a round."""
    rules = get_rules(camp.row.system)
    members = {
        row.member
        for row in camp.ledger(entrant)
        if row.member
        and is_of_round(row.cause, f"round {round_number}")
        and _costs(rules, row)
        and not (row.account == "status" and row.after in (FIT, *NO_CASUALTY))
    }
    return len(members)


def _costs(rules: CampaignRules, row: LedgerRow) -> bool:
    """Return whether an entry of a member's account is a wound or a loss."""
    return bool(row.before) if row.account == "status" else row.amount > 0 and rules.costs(row.account)


def count_casualties(camp: Campaign) -> dict[tuple[str, str], int]:
    """Return how many of each crew were hurt or lost in games against each other one, by their names.

    A crew that met two others in one round is left out for it: its ledger does not tell them apart.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for game in games(camp):
        for result, opponent_result in ((game.better, game.other), (game.other, game.better)):
            same_round_fixtures = [
                fixture
                for fixture in camp.fixtures(game.fixture.round)
                if result.entrant in (fixture.home, fixture.away) and fixture.status == "played"
            ]
            if len(same_round_fixtures) == 1 and not camp.is_secret(result.entrant):
                names = camp.entrant(result.entrant).name, camp.entrant(opponent_result.entrant).name
                counts[names] += hurt(camp, result.entrant, game.fixture.round)
    return dict(counts)


def rounds_of(camp: Campaign, entrant: EntrantRow) -> list[CrewRound]:
    """Return the rounds that were played after which a crew took part, with its place in the table."""
    crew_rounds = []
    for round_number, place in course_of(camp).places(entrant.id).items():
        results = [
            game_result
            for game_result in camp.results(entrant.id)
            if camp.fixture(game_result.fixture).round == round_number
        ]
        lost_count = 0 if camp.is_secret(entrant.id) else hurt(camp, entrant.id, round_number)
        if results:
            result = "; ".join(game_result.result for game_result in results)
            against = " and ".join(camp.entrant(game_result.opponent).name for game_result in results)
            points = sum(game_result.points for game_result in results)
            crew_rounds.append(CrewRound(round_number, place, result, against, points, lost_count))
        else:
            crew_rounds.append(CrewRound(round_number, place, "", "", 0, 0))
    return crew_rounds


def _record_lines(camp: Campaign, reports: list[ReportedGame]) -> Iterator[str]:
    results_with_rounds = [
        (row, report.fixture.round) for report in reports for row in (report.better, report.other)
    ]
    best, round_number = max(results_with_rounds, key=lambda pair: pair[0].points)
    yield f"Most points: {camp.entrant(best.entrant).name}, {best.points} in round {round_number}"
    biggest_win = max((report for report in reports if report.winner), key=lambda one: one.lead, default=None)
    if biggest_win is not None and biggest_win.lead > 0:
        names = camp.entrant(biggest_win.better.entrant).name, camp.entrant(biggest_win.other.entrant).name
        score = f"{biggest_win.better.points}:{biggest_win.other.points}"
        yield f"Biggest win: {names[0]} over {names[1]}, {score} in round {biggest_win.fixture.round}"
    yield from _streak_lines(camp, reports)
    yield from _rivalry_lines(camp, reports)


def _streak_lines(camp: Campaign, reports: list[ReportedGame]) -> Iterator[str]:
    longest_runs: dict[str, int] = {}
    for entrant in camp.book.all(EntrantRow):
        run = 0
        for report in reports:
            if entrant.id in (report.better.entrant, report.other.entrant):
                run = run + 1 if report.winner == entrant.id else 0
                longest_runs[entrant.name] = max(run, longest_runs.get(entrant.name, 0))
    longest_run = max(longest_runs.values(), default=0)
    if longest_run > 1:
        names = join_with_and([name for name, run in longest_runs.items() if run == longest_run])
        yield f"Most wins in a row: {names} ({longest_run})"


def _rivalry_lines(camp: Campaign, reports: list[ReportedGame]) -> Iterator[str]:
    games_by_pair: dict[tuple[int, int], list[ReportedGame]] = {}
    for report in reports:
        pair = (min(report.fixture.home, report.fixture.away), max(report.fixture.home, report.fixture.away))
        games_by_pair.setdefault(pair, []).append(report)
    for (first_crew, second_crew), pair_games in games_by_pair.items():
        if len(pair_games) > 1:
            wins = [sum(game.winner == crew for game in pair_games) for crew in (first_crew, second_crew)]
            names = camp.entrant(first_crew).name, camp.entrant(second_crew).name
            yield f"Rivals: of {len(pair_games)} games, {names[0]} won {wins[0]} and {names[1]} won {wins[1]}"


async def _read_takedowns(store: Store, actor: Actor, action: Records) -> list[Takedown]:
    """Return who was taken down in the games of a campaign that were played here."""
    scopes = await store.finished_with(actor.guild_id, CAMPAIGN, str(action.campaign))
    games = [await store.load(scope) for scope in scopes[-MAX_READ:]]
    return [takedown for game in games if game is not None for takedown in takedowns(Encounter(game.book()))]


def _top_victors(camp: Campaign, all_takedowns: Sequence[Takedown]) -> list[Victor]:
    crews = {entrant.crew for entrant in camp.book.all(EntrantRow) if not camp.is_secret(entrant.id)}
    victims_by_victor: dict[tuple[str, str], Counter[str]] = {}
    for takedown in all_takedowns:
        if takedown.victor_crew in crews and takedown.crew in crews:
            victims_by_victor.setdefault((takedown.victor, takedown.victor_side), Counter())[
                takedown.victim
            ] += 1
    top_victors = sorted(victims_by_victor.items(), key=lambda pair: (-pair[1].total(), pair[0]))[:MAX_NAMED]
    return [Victor(name, side, tuple(victims.most_common())) for (name, side), victims in top_victors]


@handles(Records, Place.CAMPAIGN, beforehand=_read_takedowns)
def records(act: Act, action: Records) -> Reply:
    """Show the records in words, and in pictures that say the same."""
    camp = Campaign(act)
    reports = games(camp)
    if not reports:
        raise InvalidInput(f"First report a game of {camp.row.name} with /campaign after.")
    counts = count_casualties(camp)
    lines = [f"Records of {camp.row.name} ({times(len(reports), 'game')})"]
    lines += _record_lines(camp, reports)
    worst_counts = sorted(((count, pair) for pair, count in counts.items() if count), reverse=True)[:5]
    lines += ["Casualties:"] if worst_counts else []
    lines += [f"- {name}: {count} against {opponent}" for count, (name, opponent) in worst_counts]
    victors = _top_victors(camp, act.extra)
    lines += ["Models that took down the most enemies:"] if victors else []
    lines += [f"- {victor.name} ({victor.side}): {victor.names}" for victor in victors]
    names = [entrant.name for entrant in camp.book.all(EntrantRow)]
    rounds = standings_over_rounds(camp)
    files = act.drawn(chart, f"{camp.row.name}, points after each round", rounds)
    if worst_counts:
        files += act.drawn(draw_casualties, f"{camp.row.name}: casualties by opponent", names, counts)
    if victors:
        files += act.drawn(draw_takedowns, f"{camp.row.name}: models taken down", victors)
    luck_button = Button("Luck", CampaignLuck(camp.book.scope), anytime=True)
    return Reply(tuple(lines), private=not action.public, files=files, buttons=(luck_button,))


def pictures_of(act: Act, camp: Campaign, entrant: EntrantRow) -> tuple[Attachment, ...]:
    """Return a crew's rise and fall; no picture before a round is played."""
    rounds, crews = rounds_of(camp, entrant), len(camp.book.all(EntrantRow))
    return act.drawn(draw_rise_and_fall, entrant.name, crews, rounds) if rounds else ()
