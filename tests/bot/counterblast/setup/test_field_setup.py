"""Setup, reserves, score, settings, further models: before, around and after the turns."""

from __future__ import annotations

import pytest

from bot.games.counterblast.missions.mission_choices import ChooseSecretly, RevealMission
from bot.games.counterblast.missions.scores import ChooseHunt, ScorePoints, ScoreSquares, ShowScore
from bot.games.counterblast.setup.deployment import CrewCheck, Deploy, Dispute, PlacePiece, Terrain
from bot.games.counterblast.setup.infiltration import CallIn, Reserve, SetUpSpot, Watch
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.bag import PassDraw
from bot.games.counterblast.upkeep.leaders import NominateLeader
from bot.table.encounter import Encounter
from bot.table.session.arrivals import AddModel, EquipModel
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.settings import Settings
from rules.systems.counterblast.core.fighter import Condition, Until
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, block, under
from tests.bot.tables import Table

SKIP, SMAP, SALLY = "Skip", "Smap", "Sally"


@pytest.fixture
async def early(table: Table) -> Ring:
    """Before the first turn: Anna's Lancers against Bo's Edo."""
    ring = Ring(table)
    await table.done(ANNA, StartDemo())
    await table.done(BO, JoinEncounter("Edo"))
    from bot.table.rolling.dice_settings import DiceMode

    await table.done(ANNA, DiceMode("real"))
    await table.done(BO, DiceMode("real"))
    return ring


def turn(number: int) -> Step:
    def step(encounter) -> None:
        encounter.row.turn = number

    return step


def specialty(side: int, key: str) -> Step:
    def step(encounter) -> None:
        encounter.side(side).traits["specialties"] = key

    return step


# ------------------------------------------------------------------------------------------- setup


@pytest.mark.rule("CB-SETUP-04", "CB-SETUP-06")
async def test_four_dice_for_a_table_of_nine_square_feet_then_the_order(early: Ring) -> None:
    lines = await early.ask(ANNA, Terrain(3, 3), 4, 5, 6, 7, 3, 8)
    assert lines[0] == "Terrain: 22 pieces (4 dice)."
    assert "Place pieces one at a time, in this order: Edo, Lancers." in lines
    lines = await early.ask(ANNA, Terrain(4, 4, average=True), 5, 5, 9, 2)
    assert lines[0] == "Terrain: 40 pieces (average)."
    assert "Place pieces one at a time, in this order: Lancers, Edo." in lines


@pytest.mark.rule("CB-SETUP-05", "CB-SETUP-06")
async def test_pieces_are_placed_in_turn_and_large_ones_count_more(early: Ring) -> None:
    assert (
        "There is no terrain left to place. To roll for more, press Terrain or use /game terrain."
        in await early.refused(BO, PlacePiece())
    )
    await early.ask(ANNA, Terrain(1, 2, average=True), 3, 8)
    assert "Only bo can do this for Edo." in await early.refused(ANNA, PlacePiece())
    assert "A terrain piece can count as 1 to" in await early.refused(BO, PlacePiece(4))
    lines = await early.press(BO, "Piece placed (counts as 3)")
    assert lines[:2] == ["Edo places a piece (2 left).", "Lancers places the next piece."]
    lines = await early.press(ANNA, "Piece placed (counts as 1)")
    assert lines[:2] == ["Lancers places a piece (1 left).", "Edo places the next piece."]
    lines = await early.ask(BO, PlacePiece(2))
    assert lines[:2] == ["Edo places a piece (0 left).", "All terrain is placed."]
    assert (
        "There is no terrain left to place. To roll for more, press Terrain or use /game terrain."
        in await early.refused(ANNA, PlacePiece())
    )


@pytest.mark.rule("CB-SETUP-08", "CB-SETUP-09", "CB-SETUP-10")
async def test_the_winner_chooses_who_deploys_first(early: Ring) -> None:
    await early.arrange(block(SKIP, "scout"))
    lines = await early.ask(ANNA, Deploy(), 4, 4, 3, 9)
    assert lines[0] == "Edo chooses who deploys first."
    mine = early.answer
    assert "can do this for Edo" in (await early.press(ANNA, "Lancers deploys first"))[0]
    early.answer = mine
    lines = await early.press(BO, "Lancers deploys first")
    assert lines[0] == "Lancers deploys first."
    assert [line for line in lines if line[0] in "123"] == [
        "1. Lancers deploys within 12 in of the middle of its table edge (in Escort, of its corner).",
        "2. Edo deploys within 12 in of the middle of its table edge (in Escort, of its corner).",
        (
            "3. Lancers sets up its Infiltrators (Skip Westmoreland) more than 8 in from objectives, enemies "
            "and enemy deployment zones."
        ),
    ]


@pytest.mark.rule("CB-SETUP-09", "CB-SETUP-10")
async def test_infiltrators_keep_away_and_others_stay_in_their_zone(early: Ring) -> None:
    await early.arrange(block(SKIP, "scout"))
    assert "CB-SETUP-09" in await early.refused(ANNA, SetUpSpot(SMAP))
    assert (await early.ask(ANNA, SetUpSpot(SMAP, inside=True)))[0] == "You can set up Smap at this spot."
    assert "CB-SETUP-10" in await early.refused(ANNA, SetUpSpot(SKIP, zone=8))
    assert "CB-SETUP-10" in await early.refused(ANNA, SetUpSpot(SKIP, objective=3))
    assert (await early.ask(ANNA, SetUpSpot(SKIP, zone=9, enemy=8.5)))[
        0
    ] == "You can set up Skip Westmoreland at this spot."


@pytest.mark.rule("CB-SETUP-07")
async def test_the_default_zone_is_measured_from_the_middle_of_the_edge(early: Ring) -> None:
    assert (await early.ask(ANNA, SetUpSpot(SMAP, middle=12)))[0] == "You can set up Smap at this spot."
    assert "CB-SETUP-09" in await early.refused(ANNA, SetUpSpot(SMAP, middle=12.5))


@pytest.mark.rule("CB-MISS-12")
async def test_an_escort_deploys_in_its_corner(early: Ring) -> None:
    await early.ask(BO, ChooseSecretly("Escort", target="Trapper"))
    near = await early.ask(BO, SetUpSpot("Trapper", corner=12))
    assert near[0] == "You can set up Trapper at this spot."
    assert "CB-MISS-12" in await early.refused(BO, SetUpSpot("Trapper", corner=12.5))
    assert "CB-SETUP-09" in await early.refused(BO, SetUpSpot("Trapper", middle=3))
    await early.arrange(block("Spawnguard", "scout"))
    far = await early.ask(BO, SetUpSpot("Spawnguard", corner=30, enemy=9))
    assert far[0] == "You can set up Spawnguard at this spot."
    assert "CB-SETUP-10" in await early.refused(BO, SetUpSpot("Spawnguard", corner=30, enemy=7))


@pytest.mark.rule("CB-SETUP-10", "CB-FEAT-31", "CB-FEAT-32")
async def test_an_infiltrator_waits_in_reserve_until_its_leader_calls(early: Ring) -> None:
    await early.arrange(block(SKIP, "scout"), block(SMAP, "scout"))
    await early.ask(ANNA, Watch(SMAP))
    assert (await early.model(SMAP)).has(Condition.OVERWATCH)
    await early.ask(ANNA, Reserve(SKIP))
    assert "CB-SETUP-10" in await early.refused(ANNA, Reserve(SALLY))
    await early.arrange(turn(1))
    assert "CB-FEAT-32" in await early.refused(ANNA, CallIn(SKIP))
    await early.arrange(turn(2))
    lines = await early.ask(ANNA, CallIn(SKIP), 2, 2)
    assert lines[0] == "Skip Westmoreland doesn't arrive."
    assert "CB-FEAT-32" in await early.refused(ANNA, CallIn(SKIP))
    await early.arrange(turn(3))
    lines = await early.ask(ANNA, CallIn(SKIP), 5, 2)
    assert lines[0] == "Skip Westmoreland can enter from any table edge."
    assert "not in reserve" in await early.refused(ANNA, CallIn(SKIP))


@pytest.mark.rule("CB-SCORE-03", "CB-FEAT-32")
async def test_who_stays_in_reserve_counts_as_fled(early: Ring) -> None:
    await early.arrange(block(SKIP, "clipper"), block(SMAP, "clipper"))
    await early.ask(ANNA, Reserve(SKIP))
    await early.ask(ANNA, Reserve(SMAP))
    lines = await early.ask(BO, ShowScore())
    assert "1. Edo: 1 (1 in reserve)" in lines


@pytest.mark.rule("CB-CREW-03", "CB-ORDER-01")
async def test_a_leader_is_named_before_the_game_and_gives_the_orders(early: Ring) -> None:
    await early.arrange(block(SMAP, "undermind"))
    lines = await early.ask(ANNA, NominateLeader(SMAP))
    tokens = 2 * (await early.model(SMAP)).profile.intellect.dice
    assert lines[:2] == ["Smap is now the leader of Lancers.", f"Order tokens: {tokens}"]
    assert await early.orders(1) == tokens
    assert "CB-CREW-03" in await early.refused(ANNA, NominateLeader("HOpR"))


@pytest.mark.rule("CB-SETUP-03", "CB-CREW-17", "CB-SPEC-01")
async def test_crews_are_compared_with_what_was_agreed(early: Ring) -> None:
    await early.ask(BO, ChooseSecretly("Escort", target="Trapper"))
    lines = await early.ask(ANNA, CrewCheck(300))
    assert "  mission: chosen in secret" in lines
    assert "  mission: none chosen" in lines
    await early.ask(BO, RevealMission())
    lines = await early.ask(ANNA, CrewCheck(300))
    assert "**Lancers** 304 points (small game), 4 over the limit" in lines
    assert "  mission: Escort" in lines
    assert "  leader: Sally Starfield" in lines
    assert "  Specialties: 0 of 2" in lines


@pytest.mark.rule("CB-GEN-01")
async def test_a_dispute_is_settled_by_the_highest_die(ring: Ring) -> None:
    lines = await ring.ask(ANNA, Dispute(), 6, 6, 3, 9)
    assert lines[0] == "Edo wins the dispute."


# ------------------------------------------------------------------------------------------- score


@pytest.mark.rule("CB-SCORE-05", "CB-SCORE-06", "CB-SCORE-09")
async def test_objective_points_decide_by_the_table(ring: Ring) -> None:
    lines = await ring.ask(BO, ScorePoints("Edo", 6))
    assert lines[:2] == ["Edo scores 6 objective points and now has 6.", "1. Edo: 6 (6 objectives)"]
    assert "Mighty Victory for Edo." in lines
    lines = await ring.ask(BO, ScorePoints("Edo", -2))
    assert lines[0] == "Edo loses 2 objective points and now has 4."
    assert "Victory for Edo." in lines
    assert "can do this for Edo" in await ring.refused(ANNA, ScorePoints("Edo", -4))
    await ring.ask(ANNA, ScorePoints("Lancers", 2))
    assert "Draw." in await ring.ask(ANNA, ShowScore())


@pytest.mark.rule("CB-SCORE-06")
async def test_five_is_mighty_where_the_table_says_so(ring: Ring) -> None:
    await ring.ask(BO, ScorePoints("Edo", 5))
    assert "Victory for Edo." in await ring.ask(BO, ShowScore())
    await ring.ask(ANNA, Settings("mighty from", "5"))
    assert "Mighty Victory for Edo." in await ring.ask(BO, ShowScore())


def in_turn(number: int) -> Step:
    """The game stands in this turn; 0: it has not begun."""

    def step(encounter: Encounter) -> None:
        encounter.row.turn = number

    return step


@pytest.mark.rule("CB-SPEC-23", "CB-SPEC-07", "CB-SPEC-08")
async def test_survey_squares_and_hunting_bonus(ring: Ring) -> None:
    assert "CB-SPEC-23" in await ring.refused(ANNA, ScoreSquares("Lancers", 3))
    await ring.arrange(specialty(1, "survey_team"))
    await ring.ask(ANNA, ScoreSquares("Lancers", 3))
    await ring.arrange(in_turn(0))
    await ring.ask(ANNA, Terrain(3, 3, average=True), 3, 8)
    await ring.arrange(in_turn(1))
    assert "9" in await ring.refused(ANNA, ScoreSquares("Lancers", 10))
    assert "1. Lancers: 3 (3 Survey Team)" in await ring.ask(ANNA, ShowScore())

    def killed(encounter) -> None:
        row = encounter.find_model("Spawnguard")
        row.status, row.left_how, row.hurt_side = "gone", "casualty", 1

    await ring.arrange(specialty(1, "hunting_party"), killed)
    await ring.ask(ANNA, ChooseHunt("Lancers", "bounty hunters"))
    assert "1. Lancers: 3 (2 battle, 1 Hunting Party)" in await ring.ask(ANNA, ShowScore())


@pytest.mark.rule("CB-SCORE-08", "CB-SCORE-02")
async def test_three_players_are_ranked(ring: Ring) -> None:
    def third(encounter) -> None:
        from bot.table.session.arrivals import add_side

        add_side(encounter, "Raiders").counters["objective points"] = 4
        row = encounter.find_model("Spawnguard")
        row.status, row.left_how, row.hurt_side = "gone", "casualty", 1

    await ring.arrange(third)
    lines = await ring.ask(ANNA, EndEncounter())
    assert lines[1:4] == ["1. Raiders: 4 (4 objectives)", "2. Lancers: 2 (2 battle)", "3. Edo: 0"]
    assert not any("Draw" in line for line in lines)


# ------------------------------------------------------------------------------------------- timers


@pytest.mark.rule("CB-COND-01", "CB-FEAT-25")
async def test_conditions_end_when_their_time_has_come(ring: Ring) -> None:
    def until(kind: str, when: str) -> Step:
        def step(encounter) -> None:
            row = encounter.condition(encounter.find_model(SKIP).id, kind)
            row.until = when

        return step

    def drawn(encounter) -> None:
        encounter.row.counters["drawn"] = 1

    await ring.arrange(
        under("scanned", SKIP),
        until("scanned", Until.NEXT_ACTIVATION),
        under("blinded", SKIP),
        until("blinded", Until.NEXT_ACTIVATION_END),
        under("calmed", SKIP),
        drawn,
    )
    await ring.ask(ANNA, Activate(((await ring.model(SKIP)).id,)))
    skip = await ring.model(SKIP)
    assert not skip.has("scanned")
    assert skip.has("blinded")
    await ring.ask(ANNA, PassDraw())
    skip = await ring.model(SKIP)
    assert not skip.has("blinded")
    assert skip.has("calmed")


# ------------------------------------------------------------------------------------------- settings


async def test_the_organiser_chooses_house_rules_that_everybody_is_told(ring: Ring) -> None:
    assert "All settings have their default values." in await ring.ask(BO, Settings())
    assert ring.answer.reply.private
    shown = await ring.ask(BO, Settings("short jump"))
    assert shown[0] == "Jumps that are too short"
    assert "- The model falls." in shown
    assert shown[-1] == "Rulebook: page 16."
    assert "Only the organiser" in await ring.refused(BO, Settings("short jump", "fall"))
    lines = await ring.ask(ANNA, Settings("Jumps that are too short", "The model falls"))
    assert lines == [
        "House rule changed: Jumps that are too short. The model falls.",
        "Before: The model stays at the edge and loses the action.",
    ]
    assert not ring.answer.reply.private
    assert (await ring.ask(BO, Settings()))[2] == "- Jumps that are too short. The model falls."
    assert "stay, fall" in await ring.refused(ANNA, Settings("short jump", "fly"))
    await ring.ask(ANNA, Settings("short jump", "default"))
    assert (await ring.table.encounter()).row.settings == {}


@pytest.mark.rule("CB-ACT-05", "CB-SPEC-07")
async def test_some_settings_take_any_number(ring: Ring) -> None:
    await ring.ask(ANNA, Settings("lackey group max", "5"))
    await ring.ask(ANNA, Settings("hunting bonus", "2"))
    assert "a number from 0 to 20" in await ring.refused(ANNA, Settings("lackey group max", "21"))
    from bot.games.counterblast.state.models import settings_of

    chosen = settings_of(await ring.table.encounter())
    assert (chosen.lackey_group_max, chosen.hunting_bonus) == (5, 2)


async def test_every_house_rule_changes_the_rules(ring: Ring) -> None:
    from bot.games.counterblast.settings import SETTINGS
    from bot.games.counterblast.state.models import settings_of
    from rules.systems.counterblast.core.settings import DEFAULTS

    for setting in SETTINGS:
        for value in (*setting.values[1:], *(["4"] if setting.number else [])):
            await ring.ask(ANNA, Settings(setting.key, value))
            chosen = settings_of(await ring.table.encounter())
            assert getattr(chosen, setting.key) != getattr(DEFAULTS, setting.key), (setting.key, value)


# ------------------------------------------------------------------------------------------- further models


async def test_a_further_model_joins_with_equipment(ring: Ring) -> None:
    both = AddModel("Edo", "Edo Underling", "Late", 2, "medkit, Scanner")
    assert "CB-GEAR-10" in await ring.refused(BO, both)
    lines = await ring.ask(BO, AddModel("Edo", "Edo Underling", "Late", 2, "medkit"))
    assert lines[0] == "Added to Edo: Late, Late 2."
    assert (await ring.model("Late 2")).has_gear("medkit")
    assert "can do this for Lancers" in await ring.refused(BO, AddModel("Lancers", "Smap"))
    assert "There is no piece of equipment called spoon." in await ring.refused(
        BO, AddModel("Edo", "Trapper", carries="spoon")
    )


async def test_a_model_is_given_more_to_carry(ring: Ring) -> None:
    lines = await ring.ask(ANNA, EquipModel(SKIP, "Grenade"))
    assert lines[0] == "Skip Westmoreland now also carries Grenade."
    assert [weapon.key for weapon in (await ring.model(SKIP)).weapons].count("grenade") == 2
    assert "at least one" in await ring.refused(ANNA, EquipModel(SKIP, " , "))


async def test_the_game_begins_by_telling_its_house_rules(early: Ring) -> None:
    await early.ask(ANNA, Settings("short jump", "fall"))
    assert "House rule: Jumps that are too short. The model falls." in await early.ask(ANNA, NextStep(), 5, 2)
