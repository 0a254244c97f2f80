"""Between encounters: salvage, relics, building, advancement, scouting, starting over."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.actions import Action
from bot.games.counterblast.campaign.campaigns import CounterblastCampaign
from bot.games.counterblast.campaign.downtime import BuildModel, RollRelic, UseRelic
from bot.games.counterblast.campaign.spoils import (
    BlessWeapon,
    DiscardItem,
    Improve,
    Restart,
    TradeSalvage,
    TradeScouting,
)
from bot.games.counterblast.setup.infiltration import Scout
from bot.games.counterblast.state.models import block_text, fighter, read_block
from bot.store.row_types import ProposalRow, VeteranRow
from bot.table.campaign.campaign_crews import Adjust, Buy, Lead
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.season import MyCrew
from bot.table.encounter import Encounter
from bot.table.offers.legal_actions import Looking
from bot.table.rosters.statblocks import SaveBlock
from bot.table.session.encounters import EndEncounter, NextStep
from rules.systems.counterblast.core.counters import ORDERS
from rules.systems.counterblast.core.profile import Profile
from tests.bot.arranging import arrange
from tests.bot.campaign.league import League
from tests.bot.campaign.test_report import confirmed

GRAK = (
    "Grak; lackey edokin, base M, 20 points; Mv 6, STR 2D+1, AGL 2D, INT 1D; Def 8, Life 2;"
    " weapons: Claws (natural, melee, reach 1, Pwr 5)"
)


async def give(league: League, account: str, amount: int, member: str = "", crew: str = "Edo") -> None:
    await league.done("anna", Adjust(league.scope, crew, account, amount, "to test", member))


@pytest.mark.rule("CB-SALV-05")
async def test_a_token_is_five_points(two: League) -> None:
    await give(two, "salvage tokens", 3)
    await two.done("bo", TradeSalvage(two.scope, "", 2))
    assert (await two.entrant("Edo")).counters == {"salvage tokens": 1, "requisition": 10}
    assert "The crew has only 1" in await two.refused("bo", TradeSalvage(two.scope, "", 2))


@pytest.mark.rule("CB-RELIC-01")
@pytest.mark.rule("CB-SALV-07")
async def test_two_tokens_are_a_roll_and_somebody_carries_what_is_found(two: League) -> None:
    await give(two, "salvage tokens", 3)
    await two.done("bo", RollRelic(two.scope, "", "Trapper"))
    trapper = await two.veteran("Trapper")
    assert sum(amount for key, amount in trapper.counters.items() if key.startswith("relic: ")) == 1
    assert (await two.entrant("Edo")).counters == {"salvage tokens": 1}
    assert "The crew has only 1" in await two.refused("bo", RollRelic(two.scope))


@pytest.mark.rule("CB-RELIC-01", "CB-RELIC-09")
async def test_the_odds_of_relics_between_games(two: League) -> None:
    await give(two, "salvage tokens", 2)
    await give(two, "relic: valuable_bauble", 1, "Trapper")
    before = (await two.entrant("Edo")).counters
    answer = await two.do("bo", RollRelic(two.scope, odds=True))
    # A d10: every relic stands for whole tens of percent, all together for 100.
    shares = [int(found) for line in answer.reply.lines for found in re.findall(r"(\d+)%", line)]
    assert sum(shares) == 100
    assert all(share % 10 == 0 for share in shares)
    answer = await two.do("bo", UseRelic(two.scope, "", "Trapper", "Valuable Bauble", odds=True))
    price = "If Trapper sells the Bauble, you get between 2 and 20 requisition points (11 on average)."
    assert price in answer.reply.lines
    assert (await two.entrant("Edo")).counters == before


@pytest.mark.rule("CB-RELIC-09")
async def test_a_bauble_is_sold_once(two: League) -> None:
    await give(two, "relic: valuable_bauble", 1, "Trapper")
    await two.done("bo", UseRelic(two.scope, "", "Trapper", "Valuable Bauble"))
    assert 2 <= (await two.entrant("Edo")).counters["requisition"] <= 20
    assert "no Valuable Bauble" in await two.refused(
        "bo", UseRelic(two.scope, "", "Trapper", "Valuable Bauble")
    )


@pytest.mark.rule("CB-RELIC-10")
@pytest.mark.rule("CB-CASU-03")
async def test_a_timebomb_worsens_one_roll_of_the_next_opponent(two: League) -> None:
    await give(two, "relic: timebomb", 1, "Trapper")
    await two.done("bo", UseRelic(two.scope, "", "Trapper", "Timebomb"))
    lost = (("GDF Ranger", "fled", 0), ("HOpR Bot", "fled", 0))
    await two.report("anna", await two.played("anna", *lost))
    rows = [row for row in (await two.book()).all(ProposalRow) if row.kind == "fate"]
    assert sorted("+1" in row.reason for row in rows) == [False, True]
    await confirmed(two)
    assert "timebombs set" not in (await two.entrant("Edo")).counters


@pytest.mark.rule("CB-SALV-09")
@pytest.mark.rule("CB-SALV-11")
async def test_building_uses_the_tokens_either_way(two: League) -> None:
    await give(two, "salvage tokens", 3)
    build = BuildModel(two.scope, "", "Edo Underling", ("Prime Leader",))
    before = len(list((await two.book()).all(type(await two.veteran("Trapper")))))
    asked = await two.table.do("bo", replace(build, odds=True))
    assert asked.reply.private
    assert not asked.changed
    assert asked.reply.lines[0].startswith("Edo's chance of building Edo Underling: ")
    assert [button.label for button in asked.reply.buttons] == ["Build"]
    done = await two.done("bo", build)
    after = len(list((await two.book()).all(type(await two.veteran("Trapper")))))
    assert after - before == ("has been built" in done.reply.text)
    assert "salvage tokens" not in (await two.entrant("Edo")).counters
    assert "3 Salvage Tokens to build" in await two.refused("bo", build)


@pytest.mark.rule("CB-CAMP-07")
async def test_upgrade_points_improve_a_member_for_good(two: League) -> None:
    improve = Improve(two.scope, "", "Prime Leader", "strength modifier")
    assert "1 upgrade point" in await two.refused("bo", improve)
    await give(two, "upgrade points", 2, "Prime Leader")
    before = read_block((await two.veteran("Prime Leader")).profile).profile.strength
    await two.done("bo", improve)
    leader = await two.veteran("Prime Leader")
    assert read_block(leader.profile).profile.strength.modifier == before.modifier + 1
    assert leader.counters == {"upgrade points": 1}


@pytest.mark.rule("CB-CAMP-07")
async def test_a_clubs_own_model_is_bought_and_improved_and_keeps_its_weapon(two: League) -> None:
    await two.table.done("anna", SaveBlock(GRAK))
    await give(two, "requisition", 20)
    bought = await two.done("bo", Buy(two.scope, "", "grak", "Fang"))
    assert bought.reply.lines[0].startswith("Fang")
    await give(two, "upgrade points", 1, "Fang")
    before = read_block((await two.veteran("Fang")).profile)
    await two.done("bo", Improve(two.scope, "", "Fang", "strength modifier"))
    after = read_block((await two.veteran("Fang")).profile)
    assert after.profile.strength.modifier == before.profile.strength.modifier + 1
    assert after.weapons == before.weapons
    assert [weapon.name for weapon in after.weapons] == ["Claws"]


@pytest.mark.rule("CB-STAT-11")
async def test_in_a_campaign_a_lackey_improves_and_stays_a_lackey(two: League) -> None:
    await give(two, "upgrade points", 1, "Trapper")
    before = read_block((await two.veteran("Trapper")).profile).profile
    await two.done("bo", Improve(two.scope, "", "Trapper", "strength modifier"))
    after = read_block((await two.veteran("Trapper")).profile).profile
    assert after.strength.modifier == before.strength.modifier + 1
    assert (before.is_hero, after.is_hero) == (False, False)
    assert "CB-CREW-03" in await two.refused("bo", Lead(two.scope, "", "Trapper"))


@pytest.mark.rule("CB-CAMP-07", "CB-BUILD-19", "CB-BUILD-21")
async def test_upgrade_points_buy_features_level_by_level_and_with_their_choice(two: League) -> None:
    await give(two, "upgrade points", 9, "Prime Leader")

    async def buys(what: str) -> int:
        await two.done("bo", Improve(two.scope, "", "Prime Leader", what))
        return (await two.veteran("Prime Leader")).counters.get("upgrade points", 0)

    def profile(row: VeteranRow) -> Profile:
        return read_block(row.profile).profile

    assert await buys("Sure Footed") == 8
    assert await buys("Sure Footed") == 7
    assert profile(await two.veteran("Prime Leader")).feature_level("sure_footed") == 2
    assert "Choose one of these for" in await two.refused(
        "bo", Improve(two.scope, "", "Prime Leader", "Knack")
    )
    assert await buys("Knack melee") == 5
    assert await buys("Knack technology") == 3
    assert profile(await two.veteran("Prime Leader")).feature_choices("knack") == ("melee", "technology")
    assert await buys("Dependable") == 2
    again = Improve(two.scope, "", "Prime Leader", "Dependable")
    assert (
        "You can only take Dependable once.\nRulebook: Building Heroes (pages 24 to 28; CB-BUILD-19)"
        in await two.refused("bo", again)
    )
    await give(two, "upgrade points", 10, "Prime Leader")
    assert await buys("Psionic") == 9
    assert str(profile(await two.veteran("Prime Leader")).psionic) == "4D+1"
    again = Improve(two.scope, "", "Prime Leader", "Psionic")
    assert "A psionic rating can have at most 4" in await two.refused("bo", again)


@pytest.mark.rule("CB-CAMP-07", "CB-BUILD-21")
@pytest.mark.parametrize(
    ("spelt", "left"),
    [
        (("AGL dice",), 9),
        (("agility dice",), 9),
        (("agility modifier", "STR modifier"), 10),
        (("STR modifier 2",), 10),
        (("Sure Footed 2",), 10),
        (("Sure Footed", "Sure Footed 2", "Sure Footed 3"), 9),
        (("psionic 1",), 9),
    ],
)
async def test_an_improvement_is_bought_in_each_spelling(
    two: League, spelt: tuple[str, ...], left: int
) -> None:
    await give(two, "upgrade points", 12, "Prime Leader")
    for what in spelt:
        await two.done("bo", Improve(two.scope, "", "Prime Leader", what))
    assert (await two.veteran("Prime Leader")).counters.get("upgrade points", 0) == left
    if spelt[-1].startswith("Sure"):
        lower = Improve(two.scope, "", "Prime Leader", "Sure Footed 1")
        assert "CB-BUILD-19" in await two.refused("bo", lower)


@pytest.mark.rule("CB-SALV-06")
async def test_building_is_offered_with_the_tokens_for_whom_they_are_enough(
    two: League,
) -> None:
    asked = BuildModel(two.scope)

    async def offered() -> set[str]:
        return {button.label for button in (await two.do("bo", MyCrew(two.scope))).reply.buttons}

    async def whom() -> list[str]:
        act = await two.table.desk.look(two.table.actor("bo"), asked)
        assert act is not None
        return [str(one.value) for one in Looking(act.book, act.actor).offers(asked, "who")]

    await give(two, "salvage tokens", 2)
    assert "Build" not in await offered()
    assert await whom() == []
    await give(two, "salvage tokens", 1)
    assert "Build" in await offered()
    assert "Edo Guardling" in await whom()
    assert "Prime Leader" not in await whom(), "that takes more"


@pytest.mark.rule("CB-SALV-09")
async def test_each_builder_counts_once(two: League) -> None:
    await give(two, "salvage tokens", 9)
    build = BuildModel(two.scope, "", "Edo Guardling", ("Prime Leader", "Prime Leader"))
    assert "Name each builder only once." in await two.refused("bo", build)


@pytest.mark.rule("CB-CAMP-07", "CB-SALV-08", "CB-SALV-10")
async def test_what_an_organiser_lets_pass_between_encounters(two: League) -> None:
    await give(two, "upgrade points", 99, "Prime Leader")
    improve = Improve(two.scope, "Edo", "Prime Leader", "strength modifier")
    for _ in range(20):
        answer = await two.do("anna", improve, reason="agreed")
    assert not answer.changed
    assert "; CB-" in answer.reply.text
    build = BuildModel(two.scope, "Edo", "GDF Ranger", ("Prime Leader",), foreign=True)
    assert "Salvage Tokens" in await two.refused("anna", build, reason="agreed")
    await give(two, "salvage tokens", 20)
    assert "You need Secret Plans to build" in await two.refused("bo", build)
    built = await two.done("anna", build, reason="agreed")
    assert "You need Secret Plans to build" in built.reply.text


@pytest.mark.rule("CB-CASU-08")
async def test_the_injured_spend_nothing_in_this_step(two: League) -> None:
    await give(two, "upgrade points", 2, "Prime Leader")
    await give(two, "no upgrades", 1, "Prime Leader")
    improve = Improve(two.scope, "", "Prime Leader", "strength modifier")
    assert "can't spend upgrade points now." in await two.refused("bo", improve)


@pytest.mark.rule("CB-MISS-33")
async def test_scouting_pays_for_the_next_encounter_only(two: League) -> None:
    await give(two, "scouting successes", 8)
    await two.done("bo", TradeScouting(two.scope, "", "Order token"))
    assert "but you have only 3" in await two.refused("bo", TradeScouting(two.scope, "", "Easier ground"))
    await two.done("bo", TradeScouting(two.scope, "", "Requisition points"))
    assert (await two.entrant("Edo")).counters == {"next: order": 1, "requisition": 10}
    await two.table.done("anna", PlayFixture(two.scope))
    sides = {side.name: side for side in (await two.table.encounter()).sides()}
    assert sides["Edo"].counters[ORDERS] == 3


@pytest.mark.rule("CB-RELIC-04")
@pytest.mark.parametrize("bearer", ["Prime Leader", "Trapper"])
async def test_an_ancient_text_gives_its_crew_an_order_token_whoever_carries_it(
    two: League, bearer: str
) -> None:
    await give(two, "relic: ancient_text", 1, bearer)
    await two.table.done("anna", PlayFixture(two.scope))
    sides = {side.name: side for side in (await two.table.encounter()).sides()}
    assert sides["Edo"].counters[ORDERS] == 3


@pytest.mark.rule("CB-RELIC-06")
async def test_which_weapon_is_the_relic_is_its_players_choice(two: League) -> None:
    choose = BlessWeapon(two.scope, "", "GDF Ranger", "Pulsar Rifle")
    assert "no Relic Weapon" in await two.refused("anna", choose)
    await give(two, "relic: relic_weapon", 1, "GDF Ranger", "Lancers")
    await give(two, "relic weapon: pulsar_pistol", 1, "GDF Ranger", "Lancers")
    await two.done("anna", choose)
    assert (await two.veteran("GDF Ranger")).counters == {
        "relic: relic_weapon": 1,
        "relic weapon: pulsar_rifle": 1,
    }
    assert "already" in await two.refused("anna", choose)


@pytest.mark.rule("CB-GEAR-05", "CB-GEAR-06")
async def test_a_hero_gives_an_item_up_for_its_points_and_a_lackey_keeps_it(two: League) -> None:
    before = (await two.veteran("Sally Starfield")).points
    done = await two.done("anna", DiscardItem(two.scope, "", "Sally", "Rocket Pack"))
    assert done.reply.lines[0] == "Sally Starfield sells Rocket Pack for 10 requisition points."
    sally = await two.veteran("Sally Starfield")
    assert (sally.points, "rocket_pack" in sally.profile) == (before - 10, False)
    assert (await two.entrant("Lancers")).counters == {"requisition": 10}
    assert "no item called" in await two.refused("anna", DiscardItem(two.scope, "", "Sally", "Rocket Pack"))
    ranger = DiscardItem(two.scope, "", "GDF Ranger", "Envirosuit")
    assert "CB-GEAR-05" in await two.refused("anna", ranger)


@pytest.mark.rule("CB-RELIC-02")
async def test_a_relic_used_up_in_the_encounter_is_gone_after_the_report(two: League) -> None:
    await give(two, "relic: beacon", 2, "Prime Leader")
    await give(two, "relic: boon", 1, "Prime Leader")

    def used(encounter: Encounter) -> None:
        counters = encounter.find_model("Prime Leader").counters
        counters.update({"relic: beacon": 1, "used:boon": 1})

    await two.table.done("anna", PlayFixture(two.scope))
    await two.table.done("anna", NextStep())
    await arrange(two.table, "anna", used)
    await two.report("anna", await two.table.done("anna", EndEncounter()))
    await confirmed(two)
    leader = await two.veteran("Prime Leader")
    assert (leader.counters["relic: beacon"], leader.counters["relic: boon"]) == (1, 1)


@pytest.mark.rule("CB-MISS-18")
async def test_what_the_invaded_suffer_is_over_after_the_encounter(two: League) -> None:
    await give(two, "next: casualty", 1)
    await give(two, "next: initiative", 1)
    await two.report("anna", await two.played("anna", ("Trapper", "casualty", 1)))
    fate = next(row for row in (await two.book()).all(ProposalRow) if row.kind == "fate")
    assert "-1" in fate.reason
    await confirmed(two)
    assert not any(key.startswith("next: ") for key in (await two.entrant("Edo")).counters)


@pytest.mark.rule("CB-CAMP-09")
@pytest.mark.parametrize(("keep", "left"), [(True, 3), (False, 0)])
async def test_a_crew_starts_over_with_the_points_of_the_beginning(
    league: League, keep: bool, left: int
) -> None:
    await league.begin("anna", "bo", start=200)
    await give(league, "campaign points", 3)
    await league.done("bo", Restart(league.scope, "", keep))
    counters = (await league.entrant("Edo")).counters
    assert counters.pop("campaign points", 0) == left
    assert counters == {"requisition": 200}
    assert (await league.veteran("Trapper")).status == "dismissed"


@pytest.mark.parametrize(
    "action",
    [
        TradeSalvage(0, "", 0),
        TradeSalvage(0, "", -3),
        UseRelic(0, "", "Nobody", "Timebomb"),
        UseRelic(0, "", "Trapper", "Boon"),
        BuildModel(0, "", "Nobody", ("Trapper",)),
        BuildModel(0, "", "Trapper", ()),
        BuildModel(0, "", "Trapper", ("Trapper",), level=9),
        Improve(0, "", "Trapper", "hat"),
        TradeScouting(0, "", "Order token", 0),
        TradeScouting(0, "", "hat"),
        Restart(0),
    ],
)
async def test_bad_wishes_are_refused(two: League, action: Action) -> None:
    await two.refused("bo", action, scope=two.scope)


@pytest.mark.rule("CB-MISS-33")
async def test_scouted_infiltrators_and_ground_hold_in_the_next_encounter(two: League) -> None:
    """Two Infiltrators; Rugged counts 1 less for every model of the Edo, for nobody else."""
    await give(two, "next: infiltrator", 2)
    await give(two, "next: rugged", 1)
    await two.table.done("anna", PlayFixture(two.scope))
    encounter = await two.table.encounter()
    trapper = fighter(encounter, encounter.find_model("Trapper"))
    assert [part.reason for part in trapper.footing] == ["Sure Footed", "scouted ground"]
    assert fighter(encounter, encounter.find_model("Sally")).footing == ()
    for name in ("Trapper", "Spawnguard"):
        await two.table.done("bo", Scout(name))
    assert "CB-MISS-33" in await two.table.refused("bo", Scout("Prime Leader"))
    encounter = await two.table.encounter()
    assert fighter(encounter, encounter.find_model("Trapper")).has_feature("infiltrator")


@pytest.mark.rule("CB-GEAR-46")
def test_fahz_jiin_costs_for_each_psionic_die() -> None:
    """Psionic 3D: 15 points."""
    plain, dosed = block_text("prime_leader"), block_text("prime_leader", (), ("fahz_jiin",))
    psionic = read_block(plain).profile.psionic
    assert psionic is not None
    assert CounterblastCampaign().cost_of(plain, dosed) == 5 * psionic.dice
