"""What a first evening at the table found: free shots, things to remember, menus that lead nowhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.core.checks import Check, Rally
from bot.games.counterblast.core.common import read_bag, write_bag
from bot.games.counterblast.ground.flames import StartFire
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.counterblast.missions.scores import ScoreMission
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.psionics.powers import ChoosePowers
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.bag import DrawToken, PassDraw
from bot.games.counterblast.vehicles.collisions import Ram
from bot.games.counterblast.vehicles.driving import Drive
from bot.table.campaign.campaign_views import ShowStandings
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember, ShowCrew
from bot.table.session.encounters import JoinEncounter, StartDemo
from rules.wording import possessive
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, under
from tests.bot.tables import Table
from tests.bot.waited import waited_for


async def panel(ring: Ring) -> list[str]:
    encounter = await ring.table.encounter()
    return [waited_for(encounter), *game_of(encounter).panel(encounter).lines]


@pytest.mark.rule("CB-CHARGE-04")
async def test_a_snap_attack_without_a_charge_is_no_free_shot(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    for shooter in ("Skip", "Wanda"):
        said = await ring.refused(ANNA, Shoot(shooter, "Prime", 5, mode="snap"))
        assert said.startswith("You can only make a snap attack when an enemy charges. Choose Shoot instead.")
        assert "CB-CHARGE-04" in said


async def test_the_panel_tells_how_many_actions_are_left(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    assert not any(line.startswith("Actions left") for line in await panel(ring))
    await ring.ask(ANNA, Shoot("Skip", "Prime", 5), 2, 2, 2, 2)
    said = await panel(ring)
    assert said[said.index("Acting: Skip Westmoreland") + 1] == "Actions left: 1"
    await ring.arrange(active("Smap"))
    assert "Actions left: Skip Westmoreland (1), Smap (2)" in " ".join(await panel(ring))


async def test_whose_side_it_is_stands_in_the_refusal(ring: Ring) -> None:
    drawer, other = (ANNA, BO) if "to draw for Lancers" in (await panel(ring))[0] else (BO, ANNA)
    said = await ring.refused(other, DrawToken())
    assert said.startswith(f"Only {drawer} can do this for {'Lancers' if drawer == ANNA else 'Edo'}.")


async def test_rally_odds_tell_what_an_order_is_worth(ring: Ring) -> None:
    await ring.arrange(active("Skip"), under("panicked", "Skip"))
    lines = await ring.ask(ANNA, Rally("Skip", odds=True))
    # INT 2D+1 at 7, with the token 2D+2: no net success is what keeps it panicked.
    assert lines == [
        "Skip Westmoreland rallies: 75%",
        "INT 2D+1 vs 7",
        "With an order token: rallies 84%",
        "Exact.",
        "No dice were rolled.",
    ]
    assert ring.labels == ["Roll", "Roll with an order token", "Compare", "Change..."]


@pytest.mark.rule("CB-PSI-01")
async def test_powers_once_chosen_are_shown_without_a_menu(ring: Ring) -> None:
    await ring.ask(BO, ChoosePowers("Prime", ("blast", "heal")))
    lines = await ring.ask(BO, ChoosePowers("Prime"))
    assert lines[1:] == [
        "Chosen: Blast, Heal.",
        "The powers stay the same for this game. Use one with /psi use.",
    ]
    assert ring.answer.reply.menus == ()


async def test_a_portal_says_where_it_ends_before_it_opens(ring: Ring) -> None:
    await ring.ask(BO, ChoosePowers("Prime", ("deep_portal",)))
    await ring.arrange(active("Prime"))
    assert "Enter the distance to the far end of the Deep Portal." in await ring.refused(
        BO, UsePower("Prime", "Deep Portal")
    )
    assert (await ring.model("Prime")).count("actions spent") == 0


async def test_a_fire_without_a_name_is_called_fire_once(ring: Ring) -> None:
    assert (await ring.ask(ANNA, StartFire()))[0] == "Fire R3 is on the table."
    assert (await ring.ask(ANNA, StartFire(name="Pyre")))[0] == "Pyre (fire R3) is on the table."


async def test_a_crew_is_counted_and_its_alignment_named(table: Table) -> None:
    crew = (await table.done(ANNA, CreateCrew("Rockets"))).scope
    await table.done(ANNA, RecruitMember(crew, "Sally Starfield"))
    lines = (await table.do(ANNA, ShowCrew(crew))).reply.lines
    assert lines[0] == "Rockets: 1 member, 58 points."
    assert "This crew can align with Galactic Council of Worlds." in lines
    said = await table.refused(ANNA, RecruitMember(crew, "GDF Ranger", equipment="Med Gel"))
    assert "These items take 2 gear slots, but the model has only 1." in said


@pytest.mark.rule("CB-MISS-01")
async def test_the_panel_reminds_of_missions_while_they_can_be_chosen(table: Table) -> None:
    await table.done(ANNA, StartDemo())
    await table.done(BO, JoinEncounter("Edo"))
    encounter = await table.encounter()
    said = game_of(encounter).panel(encounter).text
    assert "No mission chosen yet: Lancers, Edo" in said.splitlines()
    await table.done(BO, ChooseSecretly("Invasion"))
    encounter = await table.encounter()
    said = game_of(encounter).panel(encounter).text
    assert "No mission chosen yet: Lancers" in said.splitlines()
    assert "Invasion" not in said
    await table.done(ANNA, ChooseSecretly("Sabotage"))
    encounter = await table.encounter()
    panel = game_of(encounter).panel(encounter)
    assert "mission" not in panel.text
    assert [button.label for button in panel.buttons] == ["Ready", "Mission", "Set up...", "Undo"]


@pytest.mark.rule("CB-CREW-01")
async def test_a_crew_without_a_hero_joins_no_campaign(table: Table) -> None:
    crew = (await table.done(ANNA, CreateCrew("Watch"))).scope
    await table.done(ANNA, RecruitMember(crew, "GDF Ranger", 3))
    campaign = (await table.done(ANNA, CreateCampaign("Belt", encounters=3))).scope
    assert ("Add a Hero, because a crew needs at least one.") in await table.refused(
        ANNA, JoinCampaign(campaign, crew)
    )
    await table.done(ANNA, RecruitMember(crew, "Sally Starfield"))
    await table.do(ANNA, AppointLeader(crew, "Sally Starfield"))
    await table.done(ANNA, JoinCampaign(campaign, crew))
    lines = (await table.do(ANNA, ShowStandings(campaign))).reply.lines
    assert lines[1:3] == (
        "1. Watch: CP 0 OP 0 BP 0 (0)",
        "CP = campaign points, OP = objective points, BP = battle points, number in brackets = games played",
    )


@pytest.mark.rule("CB-BAG-04")
async def test_who_draws_twice_is_told_that_a_token_waits(ring: Ring) -> None:
    drawer, other = (ANNA, BO) if "to draw for Lancers" in (await panel(ring))[0] else (BO, ANNA)
    await ring.ask(drawer, DrawToken())
    side = (await panel(ring))[0].partition("choose who acts for ")[2].removesuffix(".")
    for who in (drawer, other):
        said = await ring.refused(who, DrawToken())
        assert said.startswith(f"One of {possessive(side)} tokens was drawn. First choose who acts.")


@pytest.mark.rule("CB-VEH-25")
async def test_a_vehicle_that_a_collision_stopped_touches_nobody_afterwards(ring: Ring) -> None:
    await ring.arrange(block("Prime", "scutter"), active("Prime"), block("Skip", "strider"))
    await ring.ask(BO, Drive("Prime", 6))
    await ring.ask(BO, Ram("Prime", 5, ("Skip",)), 2, 2)
    said = await ring.refused(BO, Ram("Prime", 5, ("Smap",)))
    assert "has already collided and stopped. Undo that, then enter every model it hit." in said
    assert "CB-VEH-25" in said


async def test_check_odds_tell_what_an_order_is_worth(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Check("Skip", "STR", odds=True))
    # Three dice at 7, with the token one higher: the token is worth more than nothing.
    without = next(line for line in lines if line.startswith("fails"))
    worth = next(line for line in lines if line.startswith("With an order token: at least 1 success "))
    assert int(worth.split()[-1][:-1]) > 100 - int(without.split()[1][:-1])
    assert lines[-1] == "No dice were rolled."


async def test_without_a_mission_the_refusal_names_no_way_that_is_closed(ring: Ring) -> None:
    said = await ring.refused(ANNA, ScoreMission())
    assert said.startswith("Lancers has no mission. Missions can only be chosen before the first turn.")


@pytest.mark.rule("CB-VEH-36")
async def test_a_wreck_explodes_before_anybody_goes_on(ring: Ring) -> None:
    await ring.arrange(
        block("Prime", "scutter"),
        active("Prime"),
        change("Prime", lambda row: row.counters.update({"explodes": 1})),
    )
    asked = await ring.table.do(BO, PassDraw())
    assert "Prime Leader explodes." in asked.reply.text
    assert not asked.changed
    assert [button.label for button in asked.reply.buttons] == ["Explode..."]


def no_tokens(encounter: Encounter) -> None:
    write_bag(encounter, replace(read_bag(encounter), tokens=(0, 0), drawn=0))


@pytest.mark.rule("CB-BAG-07")
async def test_an_empty_bag_leads_to_upkeep_though_somebody_did_not_act(ring: Ring) -> None:
    await ring.arrange(no_tokens, active("Skip"))
    assert "Draw" not in (await panel(ring))[0]
    lines = await ring.ask(ANNA, PassDraw())
    assert lines[-1] == "The bag is empty. Go on to Upkeep."
    assert ring.labels == ["Upkeep", "Undo"]
    assert (await panel(ring))[0] == "Anyone can begin the Upkeep."
    assert (await ring.press(ANNA, "Upkeep"))[0].startswith("Upkeep of turn")
