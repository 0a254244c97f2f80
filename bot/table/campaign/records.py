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
    rise_and_fall,
    standings_over_rounds,
    toll,
    took_down,
)
from bot.table.encounter import GONE, Encounter
from bot.table.game import GAMES, Game, TakesDown
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import FIT, Campaign
from bot.table.ledger.campaign_fields import InCampaign
from bot.table.ledger.campaign_rules import CampaignRules, is_of, rules_of
from rules.refusals import InvalidInput
from rules.wording import times


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
    played = GAMES[encounter.row.system]
    models = {model.id: model for model in encounter.models(gone=True)}
    sides = {side.id: side for side in encounter.sides()}
    for model in models.values():
        victor = models.get(model.hurt_by)
        if victor is not None and model.hurt_side != model.side and _is_down(played, model):
            theirs, own = sides[model.hurt_side], sides[model.side]
            yield Takedown(victor.name, theirs.name, theirs.crew, model.name, own.name, own.crew)


def _is_down(played: Game, model: ModelRow) -> bool:
    if model.status == GONE:
        return isinstance(played, TakesDown) and model.left_how in played.downed
    return bool(model.profile) and 0 < played.life(model) <= model.damage


LEFT_CREW = ("dismissed", "joined")
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
    reports, rules = [], rules_of(camp.row.system)
    for fixture in camp.fixtures():
        both = [result for result in camp.results() if result.fixture == fixture.id]
        if fixture.status == "played" and len(both) == 2:
            better, other = sorted(both, key=lambda one: (not rules.is_win(one.result), -one.points))
            reports.append(ReportedGame(fixture, better, other, not rules.is_win(better.result)))
    return reports


def hurt(camp: Campaign, entrant: int, round_number: int) -> int:
    """Return how many members of a crew were hurt or lost by what was reported of a round."""
    rules = rules_of(camp.row.system)
    members = {
        row.member
        for row in camp.ledger(entrant)
        if row.member
        and is_of(row.cause, f"round {round_number}")
        and _costs(rules, row)
        and not (row.account == "status" and row.after in (FIT, *LEFT_CREW))
    }
    return len(members)


def _costs(rules: CampaignRules, row: LedgerRow) -> bool:
    """Return whether an entry of a member's account is a wound or a loss."""
    return bool(row.before) if row.account == "status" else row.amount > 0 and rules.costs(row.account)


def tolls(camp: Campaign) -> dict[tuple[str, str], int]:
    """Return how many of each crew were hurt or lost in games against each other one, by their names.

    A crew that met two others in one round is left out for it: its ledger does not tell them apart.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for game in games(camp):
        for result, theirs in ((game.better, game.other), (game.other, game.better)):
            same = [
                f
                for f in camp.fixtures(game.fixture.round)
                if result.entrant in (f.home, f.away) and f.status == "played"
            ]
            if len(same) == 1 and not camp.is_secret(result.entrant):
                names = camp.entrant(result.entrant).name, camp.entrant(theirs.entrant).name
                counts[names] += hurt(camp, result.entrant, game.fixture.round)
    return dict(counts)


def rounds_of(camp: Campaign, entrant: EntrantRow) -> list[CrewRound]:
    """Return the rounds that were played after which a crew took part, with its place in the table."""
    found = []
    for number, place in course_of(camp).places(entrant.id).items():
        results = [one for one in camp.results(entrant.id) if camp.fixture(one.fixture).round == number]
        lost = 0 if camp.is_secret(entrant.id) else hurt(camp, entrant.id, number)
        if results:
            result = "; ".join(one.result for one in results)
            against = " and ".join(camp.entrant(one.opponent).name for one in results)
            points = sum(one.points for one in results)
            found.append(CrewRound(number, place, result, against, points, lost))
        else:
            found.append(CrewRound(number, place, "", "", 0, 0))
    return found


def _records(camp: Campaign, played: list[ReportedGame]) -> Iterator[str]:
    scored = [(row, report.fixture.round) for report in played for row in (report.better, report.other)]
    best, number = max(scored, key=lambda pair: pair[0].points)
    yield f"Most points: {camp.entrant(best.entrant).name}, {best.points} in round {number}"
    wide = max((report for report in played if report.winner), key=lambda one: one.lead, default=None)
    if wide is not None and wide.lead > 0:
        names = camp.entrant(wide.better.entrant).name, camp.entrant(wide.other.entrant).name
        score = f"{wide.better.points}:{wide.other.points}"
        yield f"Biggest win: {names[0]} over {names[1]}, {score} in round {wide.fixture.round}"
    yield from _runs(camp, played)
    yield from _rivals(camp, played)


def _runs(camp: Campaign, played: list[ReportedGame]) -> Iterator[str]:
    longest: dict[str, int] = {}
    for entrant in camp.book.all(EntrantRow):
        run = 0
        for report in played:
            if entrant.id in (report.better.entrant, report.other.entrant):
                run = run + 1 if report.winner == entrant.id else 0
                longest[entrant.name] = max(run, longest.get(entrant.name, 0))
    most = max(longest.values(), default=0)
    if most > 1:
        names = " and ".join(name for name, run in longest.items() if run == most)
        yield f"Most wins in a row: {names} ({most})"


def _rivals(camp: Campaign, played: list[ReportedGame]) -> Iterator[str]:
    met: dict[tuple[int, int], list[ReportedGame]] = {}
    for report in played:
        pair = (min(report.fixture.home, report.fixture.away), max(report.fixture.home, report.fixture.away))
        met.setdefault(pair, []).append(report)
    for (first, second), between in met.items():
        if len(between) > 1:
            wins = [sum(one.winner == crew for one in between) for crew in (first, second)]
            names = camp.entrant(first).name, camp.entrant(second).name
            yield f"Rivals: of {len(between)} games, {names[0]} won {wins[0]} and {names[1]} won {wins[1]}"


async def _takedowns(store: Store, actor: Actor, action: Records) -> list[Takedown]:
    """Return who was taken down in the games of a campaign that were played here."""
    scopes = await store.finished_with(actor.guild_id, CAMPAIGN, str(action.campaign))
    games = [await store.load(scope) for scope in scopes[-MAX_READ:]]
    return [down for game in games if game is not None for down in takedowns(Encounter(game.book()))]


def _victors(camp: Campaign, downs: Sequence[Takedown]) -> list[Victor]:
    crews = {entrant.crew for entrant in camp.book.all(EntrantRow) if not camp.is_secret(entrant.id)}
    found: dict[tuple[str, str], Counter[str]] = {}
    for takedown in downs:
        if takedown.victor_crew in crews and takedown.crew in crews:
            found.setdefault((takedown.victor, takedown.victor_side), Counter())[takedown.victim] += 1
    ranked = sorted(found.items(), key=lambda pair: (-pair[1].total(), pair[0]))[:MAX_NAMED]
    return [Victor(name, side, tuple(whom.most_common())) for (name, side), whom in ranked]


@handles(Records, Place.CAMPAIGN, beforehand=_takedowns)
def records(act: Act, action: Records) -> Reply:
    """Show the records in words, and in pictures that say the same."""
    camp = Campaign(act)
    played = games(camp)
    if not played:
        raise InvalidInput(f"First report a game of {camp.row.name} with /campaign after.")
    counts = tolls(camp)
    lines = [f"Records of {camp.row.name} ({times(len(played), 'game')})"]
    lines += _records(camp, played)
    worst = sorted(((count, pair) for pair, count in counts.items() if count), reverse=True)[:5]
    lines += ["Casualties:"] if worst else []
    lines += [f"- {name}: {count} against {other}" for count, (name, other) in worst]
    victors = _victors(camp, act.extra)
    lines += ["Models that took down the most enemies:"] if victors else []
    lines += [f"- {victor.name} ({victor.side}): {victor.names}" for victor in victors]
    names = [entrant.name for entrant in camp.book.all(EntrantRow)]
    rounds = standings_over_rounds(camp)
    files = act.drawn(chart, f"{camp.row.name}: points after each round", rounds)
    if worst:
        files += act.drawn(toll, f"{camp.row.name}: casualties by opponent", names, counts)
    if victors:
        files += act.drawn(took_down, f"{camp.row.name}: models taken down", victors)
    luck = Button("Luck", CampaignLuck(camp.book.scope), anytime=True)
    return Reply(tuple(lines), private=not action.public, files=files, buttons=(luck,))


def pictures_of(act: Act, camp: Campaign, entrant: EntrantRow) -> tuple[Attachment, ...]:
    """Return a crew's rise and fall; no picture before a round is played."""
    rounds, crews = rounds_of(camp, entrant), len(camp.book.all(EntrantRow))
    return act.drawn(rise_and_fall, entrant.name, crews, rounds) if rounds else ()
