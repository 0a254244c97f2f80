"""Missions counted: after each Upkeep, when the game is over, by what its players alone can see."""

from __future__ import annotations

import pytest

from bot.games.counterblast.missions.mission_choices import ChooseSecretly, RevealMission, ShowMissions
from bot.games.counterblast.missions.mission_events import Control, Subdue
from bot.games.counterblast.missions.scores import HIDDEN_CONTROL, DetailPlans, ScoreMission, StopGame
from bot.games.counterblast.state.models import with_equipment
from bot.games.counterblast.state.table_state import SideState
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.session.arrivals import add_side
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import AddCondition, DamageModel, RemoveModel
from bot.table.session.settings import Settings
from tests.bot.arranging import Step, arrange
from tests.bot.campaign.test_missions import over, points
from tests.bot.tables import Table


@pytest.fixture
async def game(table: Table) -> Table:
    """The sample crews: Anna has the Lancers (side 1), Bo the Edo (side 2)."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    return table


def everybody_acted(encounter: Encounter) -> None:
    for model in encounter.models():
        model.counters["activated"] = 1


def last_turn(encounter: Encounter) -> None:
    encounter.row.turns = encounter.row.turn


async def upkeep(game: Table, *steps: Step):  # type: ignore[no-untyped-def]
    await arrange(game, "anna", everybody_acted, *steps)
    await game.done("anna", NextStep())
    return await game.done("anna", ConfirmUpkeep())


def labels(answer) -> list[str]:  # type: ignore[no-untyped-def]
    return [button.label for button in answer.reply.buttons]


# ------------------------------------------------------------------------------------ Invasion


@pytest.mark.rule("CB-MISS-16")
async def test_an_invasion_is_counted_once_after_each_upkeep(game: Table) -> None:
    await game.done("bo", ChooseSecretly("Invasion"))
    await game.done("anna", NextStep())
    assert "Finish the Upkeep first." in await game.refused("bo", Control(("Trapper",)))
    ended = await upkeep(game)
    assert HIDDEN_CONTROL in ended.reply.buttons
    assert not any(label.startswith("Control") for label in labels(ended))
    asked = await game.do("bo", Control())
    assert asked.reply.private
    assert not asked.changed
    encounter = await game.encounter()
    two = [f"#{encounter.find_model(name).id}" for name in ("Trapper", "Spawnguard")]
    one = f"#{encounter.find_model('Smap').id}"
    held = await game.choose("bo", asked, *two, one)
    assert held.reply.lines[0] == "Edo holds the marker and scores 1 objective point."
    assert "Edo's mission: Invasion." in held.reply.lines
    assert "You have already scored the marker for the Upkeep of turn" in await game.refused(
        "bo", Control(("Trapper",))
    )
    ended = await upkeep(game)
    assert "Score the marker: Edo" in labels(ended)
    assert HIDDEN_CONTROL not in ended.reply.buttons
    even = await game.done("bo", Control(("Trapper", "Smap")))
    assert even.reply.lines[0] == "Edo doesn't hold the marker."
    await upkeep(game)
    await game.done("bo", AddCondition("Spawnguard", "panicked"))
    await game.done("bo", Control(("Trapper", "Spawnguard", "Smap")))
    assert await points(game, 2) == 1


@pytest.mark.rule("CB-MISS-16")
@pytest.mark.parametrize(("there", "left"), [(("Trapper",), 3), (("Smap",), 1), ((), 1)])
async def test_an_invader_who_is_gone_at_the_end_loses_what_the_invasion_earned_and_no_more(
    game: Table, there: tuple[str, ...], left: int
) -> None:
    def given(encounter: Encounter) -> None:
        SideState(encounter.side(2)).objective_points = 1

    await arrange(game, "anna", given)
    await game.done("bo", ChooseSecretly("Invasion"))
    await game.done("anna", NextStep())
    await upkeep(game)
    await game.done("bo", Control(("Trapper",)))
    assert await points(game, 2) == 2
    ended = await upkeep(game, last_turn)
    assert ended.reply.lines[-1] == "Score Edo's mission, then end the game."
    asked = await game.press("bo", ended, "Score Edo's mission")
    assert asked.reply.private
    assert "Which models are within 6 in of the marker?" in asked.reply.lines
    if there:
        encounter = await game.encounter()
        await game.choose("bo", asked, *(f"#{encounter.find_model(name).id}" for name in there))
    else:
        await game.press("bo", asked, "Nobody")
    assert await points(game, 2) == left


@pytest.mark.rule("CB-MISS-16")
async def test_the_upkeep_that_ends_the_game_says_who_is_there_at_the_end(game: Table) -> None:
    await game.done("bo", ChooseSecretly("Invasion"))
    await game.done("anna", NextStep())
    await upkeep(game, last_turn)
    await game.done("bo", Control(("Trapper",)))
    scored = await game.done("bo", ScoreMission())
    assert scored.reply.lines[:2] == (
        "Edo, Invasion: 0 objective points.",
        "Scored in earlier turns: 1 objective point",
    )
    assert await points(game, 2) == 1


# ------------------------------------------------------------------------------------ the moment


@pytest.mark.rule("CB-SCORE-09")
async def test_missions_are_counted_when_the_last_turn_is_over(game: Table) -> None:
    await game.done("anna", ChooseSecretly("Scouting"))
    await game.done("bo", ChooseSecretly("Sabotage"))
    assert "Begin the game first" in await game.refused("bo", ScoreMission())
    await game.done("anna", NextStep())
    assert "CB-SCORE-09" in await game.refused("bo", ScoreMission())
    assert "Join this game" in await game.refused("cy", StopGame())
    asked = await game.do("anna", StopGame())
    assert asked.reply.private
    assert not asked.changed, "one press ends nothing"
    stopped = await game.press("anna", asked, "End it and score")
    assert labels(stopped) == ["Score Lancers' mission", "Score Edo's mission", "End the game...", "Undo"]
    assert "The last turn is over" in await game.refused("anna", StopGame())
    encounter = await game.encounter()
    assert "Score Edo's mission" in [button.label for button in game_of(encounter).panel(encounter).buttons]
    assert "You don't play Lancers." in (await game.press("bo", stopped, "Score Lancers' mission")).reply.text
    counted = await game.press("bo", stopped, "Score Edo's mission")
    assert "Edo's mission: Sabotage." in counted.reply.lines
    assert labels(counted) == ["Score Lancers' mission", "End the game...", "Undo"]


@pytest.mark.rule("CB-MISS-09")
async def test_a_thwarted_abduction_pays_the_targets_player_alone(game: Table) -> None:
    def third(encounter: Encounter) -> None:
        add_side(encounter, "Raiders")

    await arrange(game, "anna", third)
    await game.done("bo", ChooseSecretly("Abduction", target="Smap"))
    await game.done("anna", NextStep())
    await arrange(game, "anna", over)
    await game.done("bo", ScoreMission())
    assert [await points(game, side) for side in (1, 2, 3)] == [1, 0, 0]


@pytest.mark.rule("CB-MISS-13")
async def test_a_failed_escort_pays_every_opponent(game: Table) -> None:
    def third(encounter: Encounter) -> None:
        add_side(encounter, "Raiders")

    await arrange(game, "anna", third)
    await game.done("bo", ChooseSecretly("Escort", target="Trapper"))
    await game.done("anna", NextStep())
    await arrange(game, "anna", over)
    asked = await game.do("bo", ScoreMission())
    await game.press("bo", asked, "No")
    assert [await points(game, side) for side in (1, 2, 3)] == [3, 0, 3]


@pytest.mark.rule("CB-MISS-09", "CB-MISS-13")
@pytest.mark.parametrize(("before", "mine"), [(True, 5), (False, 3)])
async def test_a_mission_shown_before_the_first_turn_is_declared(
    game: Table, before: bool, mine: int
) -> None:
    await game.done("bo", ChooseSecretly("Escort", target="Trapper"))
    if before:
        await game.done("bo", RevealMission())
    await game.done("anna", NextStep())
    if not before:
        await game.done("bo", RevealMission())
    await arrange(game, "anna", over)
    await game.done("bo", ScoreMission(inches=2))
    assert await points(game, 2) == mine


@pytest.mark.rule("CB-MISS-08")
@pytest.mark.parametrize(
    ("reading", "wounds", "melee", "subdued"),
    [
        ("last_life_by_melee", 9, True, True),
        ("last_life_by_melee", 9, False, False),
        ("last_life", 9, False, True),
        ("last_life", 0, True, True),
        ("last_life", 0, False, False),
        ("any_melee", 0, True, True),
        ("any_melee", 9, False, False),
    ],
)
async def test_what_subdues_is_as_the_table_reads_it(
    game: Table, reading: str, wounds: int, melee: bool, subdued: bool
) -> None:
    if reading != "last_life_by_melee":
        await game.done("anna", Settings("abduction by", reading))
    await game.done("bo", ChooseSecretly("Abduction", target="Smap"))
    await game.done("anna", NextStep())
    if wounds:
        await game.done("anna", DamageModel("Smap", wounds))
    if not subdued:
        assert "CB-MISS-08" in await game.refused("bo", Subdue("Trapper", by_melee=melee))
        return
    await game.done("bo", Subdue("Trapper", by_melee=melee))
    row = (await game.encounter()).find_model("Smap", gone=True)
    assert (row.left_how, row.damage) == ("captive", 0)


# ------------------------------------------------------------------------------------ Secret Plans


@pytest.mark.rule("CB-MISS-10")
async def test_secret_plans_of_a_captive_are_taken_and_their_detail_stays(game: Table) -> None:
    def planned(encounter: Encounter) -> None:
        row = encounter.find_model("Smap")
        row.profile = with_equipment(row.profile, ["Secret Plans"])

    await arrange(game, "anna", planned)
    await game.done("bo", ChooseSecretly("Abduction", target="Smap"))
    await game.done("anna", NextStep())
    await game.done("anna", DamageModel("Smap", 9))
    await game.done("bo", Subdue("Trapper"))
    assert "Your crew has no Secret Plans." in await game.refused("bo", DetailPlans("HOpR Bot"))
    await arrange(game, "anna", over)
    scored = await game.done("bo", ScoreMission(home="yes"))
    assert scored.reply.lines[0] == "Edo, Abduction: 4 objective points."
    assert "What do the Secret Plans describe?" in scored.reply.lines
    assert "There is no robot" in await game.refused("bo", DetailPlans("Sally Starfield"))
    done = await game.done("bo", DetailPlans("HOpR Bot"))
    assert done.reply.lines[0] == "Edo's Secret Plans describe HOpR Bot."
    assert "The Secret Plans already describe" in await game.refused("bo", DetailPlans("Grenade"))


@pytest.mark.rule("CB-MISS-10")
async def test_no_plans_are_taken_from_who_has_none(game: Table) -> None:
    await game.done("bo", ChooseSecretly("Abduction", target="Smap"))
    await game.done("anna", NextStep())
    await game.done("anna", DamageModel("Smap", 9))
    await game.done("bo", Subdue("Trapper"))
    await arrange(game, "anna", over)
    scored = await game.done("bo", ScoreMission(home="yes"))
    assert scored.reply.lines[0] == "Edo, Abduction: 3 objective points."
    assert "Your crew has no Secret Plans." in await game.refused("bo", DetailPlans("HOpR Bot"))


# ------------------------------------------------------------------------------------ a group's own missions


@pytest.mark.rule("CB-MISS-01")
async def test_missions_of_a_groups_own_making_are_offered_by_a_setting_and_scored_as_agreed(
    game: Table,
) -> None:
    assert "There is no mission called Colonize." in await game.refused("bo", ChooseSecretly("Colonize"))
    await game.done("anna", Settings("custom missions", "on"))
    await game.done("bo", ChooseSecretly("Colonize"))
    assert "Colonize" in (await game.do("bo", ShowMissions())).reply.text
    assert "Colonize" not in (await game.do("anna", ShowMissions())).reply.text
    await game.done("anna", NextStep())
    await arrange(game, "anna", over)
    assert "Enter the points your mission earned (0 to" in await game.refused("bo", ScoreMission())
    await game.done("bo", ScoreMission(points=4))
    assert await points(game, 2) == 4


async def test_what_was_escorted_and_lost_needs_no_question(game: Table) -> None:
    await game.done("bo", ChooseSecretly("Escort", target="Trapper"))
    await game.done("anna", NextStep())
    await game.done("bo", RemoveModel("Trapper", "fled"))
    await arrange(game, "anna", over)
    await game.done("bo", ScoreMission())
    assert await points(game, 1) == 3
