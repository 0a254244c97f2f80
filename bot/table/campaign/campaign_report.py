"""The report after an encounter is opened: everything it brought is proposed, or what points typed in bring.

Cancelling it, which is an undo, leaves nothing behind but the faces that were thrown, which wait for the same
report. How it is edited and confirmed is in `open_report`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.replies.reply import Button, Reply
from bot.store.row_types import EntrantRow, FixtureRow, ResultRow, VeteranRow
from bot.store.rows import EncounterRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_asked import InCampaign, any_entrant
from bot.table.campaign.campaign_book import PROPOSED, Campaign, written_whole
from bot.table.campaign.campaign_games import CAMPAIGN, FIXTURE, begun, campaign_of, fielded
from bot.table.campaign.campaign_rules import ENTRANT, Battle, rules_of
from bot.table.campaign.open_report import shown
from bot.table.encounter import ENDED, Encounter
from bot.table.handlers import Place, handles
from bot.table.rolling.realdice import REAL, dice_of
from bot.table.session.ending import FOLLOW_UPS
from rules.refusals import Forbidden, InvalidInput

MOST_POINTS = 1000


def _meeting(about: str, **more: Any) -> Any:
    """A fixture by its #number, or a crew whose open fixture is meant."""
    return fields.sought(about, any_entrant, _crew_or_fixture, written=_crew_or_number, **more)


def _crew_or_fixture(asking: Asking, text: str) -> FixtureRow | EntrantRow:
    camp = Campaign(asking.act)
    return camp.find_fixture(text) if text.startswith("#") else camp.find_entrant(text)


def _crew_or_number(one: FixtureRow | EntrantRow) -> str:
    return one.name if isinstance(one, EntrantRow) else f"#{one.id}"


def _downed(about: str) -> Any:
    """Members of both crews of the fixture that was said before."""

    def found(asking: Asking, text: str) -> VeteranRow:
        return Campaign(asking.act).named_among(_who_played(asking), text, "member who played")

    return fields.several(
        about,
        offering.completing(_named_who_played),
        found,
        written=written_whole,
    )


def _named_who_played(asking: Asking) -> list[str]:
    """Of a secret crew nobody is suggested but to its player."""
    camp = Campaign(asking.act)
    known = [row for row in _who_played(asking) if not camp.is_secret(row.entrant)]
    return [camp.called_among(known, row) for row in known]


def _who_played(asking: Asking) -> list[VeteranRow]:
    camp = Campaign(asking.act)
    fixture = _meant(camp, asking.so_far["fixture"])
    return [one for entrant in (fixture.home, fixture.away) for one in fielded(camp, entrant)]


def _meant(camp: Campaign, named: FixtureRow | EntrantRow | None) -> FixtureRow:
    """The fixture itself; the asker's own where none is named. Raises InvalidInput."""
    if named is None:
        return camp.own_fixture()
    return camp.fixture_of(named) if isinstance(named, EntrantRow) else named


def scored(about: str, **more: Any) -> Any:
    """A field for the points that a crew scored at the table, without those of an Underdog."""
    return fields.whole(about, 0, MOST_POINTS, needed=True, checked=True, **{"default": -1, **more})


def objectives(about: str, default: int = 0) -> Any:
    """A field for how many of the points that a crew scored are objective points."""
    return fields.whole(about, 0, MOST_POINTS, default=default, checked=True)


@dataclass(frozen=True, slots=True)
class OpenReport(InCampaign):
    """The report after an encounter: casualties, points, the rest.

    encounter: its scope; 0 for the last one played in the channel. fixture: the one meant, or the crew whose
    points are `home` then. home and away: points that are typed in, -1 for none; objective and
    their_objective: objective points among them. lost: members who went down in a game that the bot has not
    seen.
    """

    command = "campaign.after"
    typed = "campaign after"
    titled = "Report after a game"

    encounter: int = 0
    fixture: FixtureRow | EntrantRow | None = _meeting("")
    home: int = -1
    away: int = -1
    lost: tuple[VeteranRow, ...] = _downed("")
    objective: int = 0
    their_objective: int = 0


@dataclass(frozen=True, slots=True)
class RecordFixture(OpenReport):
    """Report a fixture by its points alone."""

    command = "campaign.record"
    typed = "campaign record"
    titled = "Report a game"

    fixture: FixtureRow | EntrantRow = _meeting("Whose fixture", called="crew", needed=True)
    home: int = scored("Points the crew scored (an Underdog's are added)", called="mine")
    away: int = scored("Points the opponent scored (an Underdog's are added)", called="theirs")
    lost: tuple[VeteranRow, ...] = _downed("Members of both crews who went down")
    objective: int = objectives("Objective points among the crew's points")
    their_objective: int = objectives("Objective points among the opponent's")


# ------------------------------------------------------------------------------------ opening


async def _known(store: Store, actor: Actor, action: OpenReport) -> tuple[Encounter | None, frozenset[int]]:
    """The encounter that is reported; for typed points the fixtures that were begun at a table."""
    if action.home >= 0 or action.away >= 0:
        return None, (await begun(store, actor, action)).begun
    return await _encounter(store, actor, action), frozenset()


async def _encounter(store: Store, actor: Actor, action: OpenReport) -> Encounter | None:
    """The one named, else the last one of this campaign in the channel."""
    scope = action.encounter or await store.last_in_channel(actor.channel_id, kind="encounter")
    loaded = await store.load(scope) if scope else None
    if loaded is None or loaded.scope.guild_id != actor.guild_id or loaded.book().get(EncounterRow) is None:
        return None
    found = Encounter(loaded.book())
    return found if found.setting(CAMPAIGN) == str(action.campaign) else None


def _as_at_the_table(act: Act) -> bool:
    """Whether an owner of its crews throws real dice here, or threw them in the encounter.

    What was said for the campaign goes before.
    """
    encounter: Encounter | None = act.extra[0]
    owners = {row.owner_id for row in act.book.all(EntrantRow)}
    if encounter is None:
        return False
    players = {seat.user_id for seat in encounter.players()} & owners
    modes = {one: dice_of(act.book, one) for one in players}
    real = {seat.user_id for seat in encounter.players() if seat.dice == REAL}
    return any(mode == REAL or (not mode and one in real) for one, mode in modes.items())


@handles(RecordFixture, Place.CAMPAIGN, beforehand=_known, by_hand=_as_at_the_table)
@handles(OpenReport, Place.CAMPAIGN, beforehand=_known, by_hand=_as_at_the_table)
def open_report(act: Act, action: OpenReport) -> Reply:
    """Propose everything that the encounter brought; shows the report again where it is open."""
    camp = Campaign(act)
    if camp.row.report and action.home < 0:
        again = shown(camp, f"Open report: {camp.versus(camp.fixture(camp.row.report))}")
        return replace(again, private=True)
    camp.require_quiet()
    encounter: Encounter | None
    encounter, at_table = act.extra
    fixture = _fixture(camp, action, encounter)
    camp.require_fixture(fixture)
    if fixture.status != "open":
        raise InvalidInput(f"{camp.versus(fixture)} is {fixture.status} already.")
    with act.overridable():
        if fixture.id in at_table:
            raise Forbidden(f"{camp.versus(fixture)} is played at a table: end it, then /campaign after.")
    if encounter is not None and encounter.row.status != ENDED:
        raise InvalidInput("The game still runs: /encounter end first.")
    scope = encounter.book.scope if encounter else 0
    act.canonical = replace(action, encounter=scope, fixture=action.fixture or fixture)
    rules = rules_of(camp.row.system)
    battle = _battle(camp, fixture, encounter, action)
    camp.row.report = fixture.id
    results = {entrant: _result(camp, battle, entrant) for entrant in battle.entrants}
    for entrant, (result, points, facts) in rules.results(camp, battle).items():
        row = results[entrant]
        row.result, row.points, row.facts = result, points, facts
    if action.lost and encounter is not None:
        raise InvalidInput("This game was played here: who went down is known.")
    dice = rules.propose(act, camp, battle, results)
    for veteran in {one.id: one for one in action.lost}.values():
        rules.propose_lost(act, camp, battle, veteran)
    act.minor = True
    return shown(camp, f"After {camp.versus(fixture)}", dice)


def _fixture(camp: Campaign, action: OpenReport, encounter: Encounter | None) -> FixtureRow:
    if encounter is not None and action.fixture is None:
        return camp.fixture(int(encounter.setting(FIXTURE, "0")))
    if action.home < 0 or action.away < 0:
        raise InvalidInput("No encounter of this campaign ended here. Or type the points: /campaign record.")
    return _meant(camp, action.fixture)


def _battle(camp: Campaign, fixture: FixtureRow, encounter: Encounter | None, action: OpenReport) -> Battle:
    if encounter is None:
        crews = (fixture.home, fixture.away)
        if isinstance(action.fixture, EntrantRow) and action.fixture.id == fixture.away:
            crews = (fixture.away, fixture.home)
        points = dict(zip(crews, (action.home, action.away), strict=True))
        typed = dict(zip(crews, (action.objective, action.their_objective), strict=True))
        require_objectives(camp, points, typed)
        return Battle(fixture, None, {}, points, typed)
    sides = {int(side.traits[ENTRANT]): side.id for side in encounter.sides() if ENTRANT in side.traits}
    return Battle(fixture, encounter, sides, {})


def require_objectives(camp: Campaign, points: Mapping[int, int], typed: Mapping[int, int]) -> None:
    """Refuse more objective points than points. points, typed: by entrant. Raises InvalidInput."""
    for entrant, objective in typed.items():
        if objective > points[entrant]:
            name = camp.entrant(entrant).name
            raise InvalidInput(
                f"{name} scored {points[entrant]} points, so its objective points are no more than that "
                f"(you entered {objective})."
            )


def _result(camp: Campaign, battle: Battle, entrant: int) -> ResultRow:
    number = camp.book.next_id(ResultRow)
    scope = battle.encounter.book.scope if battle.encounter else 0
    row = ResultRow(
        camp.book.scope,
        number,
        battle.fixture.id,
        entrant,
        battle.opponent(entrant),
        "",
        0,
        PROPOSED,
        scope,
    )
    return camp.book.add(row)


def _offer(encounter: Encounter) -> Sequence[Button]:
    scope = campaign_of(encounter)
    report = OpenReport(scope, encounter.book.scope)
    return (Button("After battle", report, "main", anytime=True),) if scope else ()


FOLLOW_UPS.append(_offer)
