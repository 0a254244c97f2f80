"""What is for one encounter ends with its report; what a member brings and costs; who stands before whom."""

from __future__ import annotations

import pytest

from bot.games.counterblast.building.hero_bought import BuyBuilt
from bot.games.counterblast.building.hero_play import NameThing, StartHero
from bot.games.counterblast.campaign.build_play import BuildModel
from bot.table.campaign.campaign_crews import Adjust, Equip
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import ConfirmReport, RecordFixture
from bot.table.campaign.campaign_views import ShowStandings
from rules.systems.counterblast.building.equipment import Fault
from tests.bot.campaign.league import League


async def give(league: League, account: str, amount: int, member: str = "") -> None:
    await league.done("anna", Adjust(league.scope, "Edo", account, amount, "to test", member))


async def reported(league: League) -> None:
    await league.done("bo", RecordFixture(league.scope, 0, "Edo", 3, 3))
    await league.done("bo", ConfirmReport(league.scope))


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
    assert "One model of another faction" in await two.refused("bo", wish)
    await reported(two)
    assert "builds Smap" in (await two.do("bo", wish)).reply.text


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
    monkeypatch.setattr("bot.games.counterblast.building.hero_bought.draft_faults", lambda draft: wrong)
    assert "One weapon too many.\nRule CB-WEAP-38." in await two.refused("bo", BuyBuilt(two.scope))


async def test_a_dog_is_bought_with_its_owner_at_its_own_price(two: League) -> None:
    await give(two, "requisition", 100)
    crew = two.crews["bo"]
    await two.done("bo", StartHero(crew, "Human", "Zed"))
    await two.done("bo", NameThing(crew, "Watchdog"))
    await two.done("bo", BuyBuilt(two.scope))
    both = [await two.veteran("Zed"), await two.veteran("Zed's dog")]
    assert all(one.points > 0 for one in both)
    assert (await two.entrant("Edo")).counters["requisition"] == 100 - sum(one.points for one in both)
