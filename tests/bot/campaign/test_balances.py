"""What is for one encounter ends with its report; what a member brings and costs; who stands before whom."""

from __future__ import annotations

import pytest

from bot.games.counterblast.building.hero_building import NameThing, StartHero
from bot.games.counterblast.building.hero_drafts import BuyBuilt
from bot.games.counterblast.campaign.downtime import BuildModel
from bot.games.counterblast.campaign.results import recount_results
from bot.games.counterblast.state.table_state import SideState
from bot.store.row_types import FixtureRow, ResultRow
from bot.table.campaign.campaign_crews import Adjust, Buy, Equip
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import ConfirmReport, RecordFixture
from bot.table.campaign.campaign_views import ShowStandings
from bot.table.ledger.campaign_book import Campaign
from rules.systems.counterblast.building.equipment import Fault
from tests.bot.campaign.league import League


async def give(league: League, account: str, amount: int, member: str = "") -> None:
    await league.done("anna", Adjust(league.scope, "Edo", account, amount, "to test", member))


async def reported(league: League) -> None:
    await league.done("bo", RecordFixture(league.scope, 0, "Edo", 3, 3))
    await league.done("anna", ConfirmReport(league.scope))


async def test_successes_of_a_scouting_are_traded_before_the_next_encounter_or_never(two: League) -> None:
    await give(two, "scouting successes", 8)
    await reported(two)
    assert "scouting successes" not in (await two.entrant("Edo")).counters


@pytest.mark.rule("CB-SALV-08")
async def test_one_foreign_model_is_built_between_two_encounters_and_one_after_the_next(two: League) -> None:
    await give(two, "salvage tokens", 40)
    await give(two, "requisition", 60)
    await two.done("bo", Equip(two.scope, "", "Prime Leader", "Secret Plans"))
    await give(two, "foreign models built", 1)
    wish = BuildModel(two.scope, "", "Smap", ("Prime Leader",), True, odds=True)
    assert "Between encounters, you can build only one model of another faction." in await two.refused(
        "bo", wish
    )
    await reported(two)
    assert "chance of building Smap" in (await two.do("bo", wish)).reply.text


@pytest.mark.rule("CB-CAMP-04")
async def test_each_account_breaks_the_ties_of_the_one_before_whatever_order_they_joined_in(
    league: League,
) -> None:
    """Equal in Campaign and Objective Points the Battle Points count; the Objective Points before those."""
    await league.begin("anna", "bo", "cy")
    points = {"Lancers": (3, 1, 2), "Edo": (3, 1, 5), "Mekkus": (3, 2, 0)}
    for crew, amounts in points.items():
        for account, amount in zip(("campaign", "objective", "battle"), amounts, strict=True):
            if amount:
                await league.done("anna", Adjust(league.scope, crew, f"{account} points", amount, "to test"))
    lines = (await league.do("cy", ShowStandings(league.scope))).reply.lines[1:4]
    assert [line.split(":")[0] for line in lines] == ["1. Mekkus", "2. Edo", "3. Lancers"]


@pytest.mark.rule("CB-MISS-18")
async def test_an_item_costs_one_more_after_an_invasion_and_is_worth_what_it_was(two: League) -> None:
    await give(two, "requisition", 100)
    prices = []
    for member in ("Trapper", "Spawnguard"):
        before, worth = (await two.entrant("Edo")).counters["requisition"], (await two.veteran(member)).points
        await two.done("bo", Equip(two.scope, "", member, "Med Gel"))
        after = (await two.entrant("Edo")).counters["requisition"]
        prices.append((before - after, (await two.veteran(member)).points - worth))
        await give(two, "next: equipment", 1)
    (usual, points), (dearer, same) = prices
    assert (usual, dearer, same) == (points, points + 1, points)


@pytest.mark.rule("CB-RELIC-06")
async def test_which_weapon_is_a_relic_is_known_at_the_table(two: League) -> None:
    relic = {"relic: relic_weapon": 1, "relic weapon: arc_rod": 1}
    for account in relic:
        await give(two, account, 1, "Prime Leader")
    await two.table.done("bo", PlayFixture(two.scope))
    model = (await two.table.encounter()).find_model("Prime Leader")
    assert relic.items() <= model.counters.items()


@pytest.mark.rule("CB-BUILD-01")
async def test_what_the_rules_forbid_is_not_bought(two: League, monkeypatch: pytest.MonkeyPatch) -> None:
    """A draft that was right when it was begun, and is not by what the campaign's crew is."""
    await give(two, "requisition", 100)
    await two.done("bo", StartHero(two.crews["bo"], "Human", "Zed"))
    wrong = (Fault("One weapon too many.", "CB-WEAP-38"),)
    monkeypatch.setattr("bot.games.counterblast.building.hero_drafts.list_draft_faults", lambda draft: wrong)
    assert "One weapon too many.\nRulebook: Weapons (pages 39 to 44; CB-WEAP-38)." in await two.refused(
        "bo", BuyBuilt(two.scope)
    )


async def test_a_dog_is_bought_with_its_owner_at_its_own_price(two: League) -> None:
    await give(two, "requisition", 100)
    crew = two.crews["bo"]
    await two.done("bo", StartHero(crew, "Human", "Zed"))
    await two.done("bo", NameThing(crew, "Watchdog"))
    await two.done("bo", BuyBuilt(two.scope))
    both = [await two.veteran("Zed"), await two.veteran("Zed's dog")]
    assert all(one.points > 0 for one in both)
    assert (await two.entrant("Edo")).counters["requisition"] == 100 - sum(one.points for one in both)


@pytest.mark.rule("CB-UNDER-01", "CB-UNDER-02")
@pytest.mark.parametrize("strong", ["home", "away"])
async def test_whoever_is_behind_is_the_underdog_at_home_or_away(two: League, strong: str) -> None:
    """Five Trappers more on one side are 100 points, of which the other has nothing unspent."""
    (fixture,) = (await two.book()).all(FixtureRow)
    names = {(await two.entrant(name)).id: name for name in ("Lancers", "Edo")}
    ahead = names[fixture.home if strong == "home" else fixture.away]
    await two.done("anna", Adjust(two.scope, ahead, "requisition", 100, "to test"))
    for _ in range(5):
        await two.done({"Lancers": "anna", "Edo": "bo"}[ahead], Buy(two.scope, "", "Trapper"))
    await two.table.done("anna", PlayFixture(two.scope))
    given = {
        side.name: side.counters.get(SideState.underdog_points.key, 0)
        for side in (await two.table.encounter()).sides()
    }
    assert given == {name: 0 if name == ahead else 10 for name in names.values()}


@pytest.mark.rule("CB-CAMP-03", "CB-CAMP-04")
async def test_a_corrected_total_leaves_no_more_objective_points_than_it_has(two: League) -> None:
    """9 of which 3 are the mission's; as 2 in all both are the mission's, and none are the battle's."""
    loaded = await two.table.desk.look(two.table.actor("anna"), ShowStandings(two.scope))
    assert loaded is not None
    facts = {"objective": "3", "battle": "6"}
    rows = (
        ResultRow(two.scope, 1, 1, 1, 2, "Victory", 9, facts=facts),
        ResultRow(two.scope, 2, 1, 2, 1, "Defeat", 4, facts={"objective": "0", "battle": "4"}),
    )
    fresh = recount_results(Campaign(loaded), rows, {1: 2, 2: 4}, {})
    assert fresh[1].facts == {"objective": "2", "battle": "0"}
    assert fresh[2].facts == {"objective": "0", "battle": "4"}
    assert facts == {"objective": "3", "battle": "6"}
