"""Missions: chosen in secret and never told before their time; places, traps, tokens, points."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import pytest

from bot.actions import Action
from bot.games.counterblast.missions.mission_choices import ChooseSecretly, RevealMission, ShowMissions
from bot.games.counterblast.missions.mission_events import FoundIt, Subdue
from bot.games.counterblast.missions.objectives import LayPlaces, SearchPlace, TakeToken
from bot.games.counterblast.missions.scores import ScoreMission
from bot.games.counterblast.missions.traps import SpringTrap, TrapPlace
from bot.games.counterblast.state.missions import mark_found
from bot.games.counterblast.state.table_state import SideState
from bot.replies.reply import Reply
from bot.store.rows import ConditionRow, SecretRow, ThingRow
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import ShowLog
from bot.table.offers.legal_actions import Looking
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode, ShowDice
from bot.table.session.encounters import BEGIN, EndEncounter, JoinEncounter, NextStep, Ready, StartDemo
from bot.table.session.models import AddCondition, DamageModel, RemoveModel
from rules.systems.counterblast.core.counters import Counter
from tests.bot.arranging import Step, arrange
from tests.bot.counterblast.building.test_vehicle_build import built
from tests.bot.tables import Table, all_lines

SECRETS = ("abduction", "sabotage", "scouting", "recovery", "escort", "invasion", "Sally Starfield")


@pytest.fixture
async def game(table: Table) -> Table:
    """The sample crews: Anna has the Lancers (side 1), Bo the Edo (side 2)."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    return table


def public_lines(reply: Reply) -> list[str]:
    lines = [] if reply.private else [*reply.lines, *reply.why]
    return [*lines, *(line for further in reply.also for line in public_lines(further))]


async def points(table: Table, side: int) -> int:
    return (await table.encounter()).side(side).counters.get(SideState.objective_points.key, 0)


def storing(name: str, stored: int, *searchers: int) -> Step:
    """Successes at a place, as several turns of work would leave them; found there by these models."""

    def step(encounter: Encounter) -> None:
        place = next(row for row in encounter.book.all(ThingRow) if row.name == name)
        place.counters["stored"] = stored
        if searchers:
            mark_found(place, searchers)

    return step


def at_work(name: str) -> Step:
    """Active in the first turn, with both actions before it."""

    def step(encounter: Encounter) -> None:
        encounter.row.turn = max(1, encounter.row.turn)
        model = encounter.find_model(name)
        model.counters.pop(Counter.ACTIONS, None)
        if not encounter.condition(model.id, "active"):
            number = encounter.book.next_id(ConditionRow)
            encounter.book.add(ConditionRow(encounter.book.scope, number, model.id, "active"))

    return step


def blessed(name: str) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.find_model(name).counters["relic: boon"] = 1

    return step


def over(encounter: Encounter) -> None:
    """The last turn and its Upkeep are over."""
    encounter.row.counters["over"] = 1


# ------------------------------------------------------------------------------------ secrecy


@pytest.mark.rule("CB-MISS-01")
@pytest.mark.rule("CB-MISS-02")
@pytest.mark.parametrize(
    "choice",
    [
        ChooseSecretly("Abduction", target="Sally Starfield"),
        ChooseSecretly("Scouting"),
        ChooseSecretly("Sabotage"),
        ChooseSecretly("Recovery", seeks="Grenade"),
        ChooseSecretly("Invasion", place="the well"),
        ChooseSecretly("Escort", target="Trapper"),
    ],
)
async def test_nobody_else_learns_what_was_chosen(game: Table, choice: ChooseSecretly) -> None:
    answers = [await game.done("bo", choice)]
    log = await game.do("anna", ShowLog())
    shown = await game.do("anna", ShowMissions())
    encounter = await game.encounter()
    panel = game_of(encounter).panel(encounter)
    undone = await game.do("bo", Undo())
    redone = await game.do("bo", Redo())
    told = [line for answer in (*answers, undone, redone) for line in public_lines(answer.reply)]
    told += [*log.reply.lines, *shown.reply.lines, *panel.lines]
    for secret in (choice.mission, choice.target, choice.seeks, choice.place):
        assert not secret or not any(secret.casefold() in line.casefold() for line in told)
    assert answers[0].reply.private
    public = public_lines(answers[0].reply)
    assert public[0] == "Edo has chosen a mission."
    mine = await game.do("bo", ShowMissions())
    assert choice.mission in mine.reply.text


async def test_every_choice_looks_alike_from_outside(game: Table) -> None:
    one = await game.done("anna", ChooseSecretly("Abduction", target="Trapper"))
    two = await game.done("bo", ChooseSecretly("Sabotage"))
    seen = [public_lines(answer.reply) for answer in (one, two)]
    assert seen == [[f"{side} has chosen a mission."] for side in ("Lancers", "Edo")]


async def test_the_hash_is_that_of_what_is_revealed(game: Table) -> None:
    await game.done("bo", ChooseSecretly("Sabotage"))
    promised = (await game.do("anna", ShowDice())).reply.lines
    at = promised.index("Edo's mission is still secret. Its SHA-256:")
    assert "You don't play a side here. Join with /encounter join" in await game.refused(
        "cy", RevealMission()
    )
    revealed = await game.done("bo", RevealMission())
    assert revealed.reply.lines == ("Edo's mission: Sabotage.", "Declared before the first turn")
    told = (await game.do("anna", ShowDice())).reply.lines
    content = told[at].split("`")[1]
    assert hashlib.sha256(content.encode()).hexdigest() == promised[at + 1].strip("`")
    assert "Everyone already knows your mission." in await game.refused("bo", RevealMission())


async def test_the_end_reveals_everything_that_was_hidden(game: Table) -> None:
    await game.done("bo", ChooseSecretly("Escort", target="Trapper"))
    await game.done("anna", NextStep())
    ended = await game.done("anna", EndEncounter())
    assert any(line.startswith("Edo's mission was Escort (Target: Trapper") for line in ended.reply.lines)


@pytest.mark.parametrize(
    ("who", "action", "why"),
    [
        ("bo", ChooseSecretly("Chess"), "There is no mission called Chess."),
        ("bo", ChooseSecretly("Abduction"), "as the target"),
        ("bo", ChooseSecretly("Abduction", target="Trapper"), "enemy"),
        ("bo", ChooseSecretly("Escort", target="Smap"), "your own"),
        ("bo", ChooseSecretly("Recovery"), "what to look for"),
        ("bo", ChooseSecretly("Recovery", seeks="Strider"), "25%"),
        ("bo", ChooseSecretly("Sabotage", side="Lancers"), "You don't play"),
        ("cy", ChooseSecretly("Sabotage"), "You don't play a side here. Join with /encounter join."),
        ("bo", LayPlaces("1 1 1"), "Choose one with /mission choose"),
        ("bo", ScoreMission(), "Begin the game first"),
    ],
)
async def test_bad_choices_are_refused_in_private(game: Table, who: str, action: Action, why: str) -> None:
    assert why in await game.refused(who, action)


async def test_no_organiser_overrides_a_secret(game: Table) -> None:
    """Anna organises; a reason would make a reply public."""
    await game.done("anna", NextStep())
    answer = await game.do("anna", ChooseSecretly("Sabotage"), reason="please")
    assert answer.reply.private
    assert not answer.changed
    assert "too late" in answer.reply.text


# ------------------------------------------------------------------------------------ places


@pytest.mark.rule("CB-MISS-20")
@pytest.mark.rule("CB-MISS-26")
@pytest.mark.rule("CB-MISS-30")
@pytest.mark.parametrize(
    ("choice", "good", "bad"),
    [
        (ChooseSecretly("Sabotage"), "24 24 12", ("24 24 11",)),
        (
            ChooseSecretly("Scouting"),
            "6 20 12; 18 20 12; 30 20 12",
            ("6 20 12", "6 20 12; 17 20 12; 30 20 12"),
        ),
        (
            ChooseSecretly("Recovery", seeks="Grenade"),
            "6 20 12; 12 20 12; 18 20 12",
            ("6 20 12; 12 20 12", "6 20 12; 11 20 12; 18 20 12", "6 20 11; 12 20 12; 18 20 12"),
        ),
        (ChooseSecretly("Escort", target="Trapper"), "4 4 12", ("4 4 13", "4 4 1; 5 5 1")),
        (ChooseSecretly("Invasion"), "4 4 0", ("4 4 1",)),
    ],
)
async def test_places_keep_their_distances(
    game: Table, choice: ChooseSecretly, good: str, bad: Sequence[str]
) -> None:
    await game.done("bo", choice)
    for spots in (*bad, "", "here", "1 2", "1 2 3 4", "1 2 x", "-1 2 12", "nan 2 12"):
        await game.refused("bo", LayPlaces(spots))
    await game.done("bo", LayPlaces(good))
    assert "Your places are already set up" in await game.refused("bo", LayPlaces(good))


@pytest.mark.rule("CB-MISS-27")
@pytest.mark.rule("CB-MISS-29")
async def test_sabotage_adds_up_and_scores(game: Table) -> None:
    await game.done("anna", ChooseSecretly("Sabotage"))
    await game.done("anna", LayPlaces("24 24 12"))
    assert "Begin the game first" in await game.refused("anna", SearchPlace("HOpR Bot", place="Lancers A"))
    await arrange(game, "anna", at_work("HOpR Bot"))
    assert "in base contact" in await game.refused(
        "anna", SearchPlace("HOpR Bot", place="Lancers A", inches=1)
    )
    odds = await game.do("anna", SearchPlace("HOpR Bot", place="Lancers A", odds=True))
    assert "Exact." in odds.reply.text
    assert not odds.changed
    for _ in range(3):
        await arrange(game, "anna", at_work("HOpR Bot"))
        await game.done("anna", SearchPlace("HOpR Bot", place="Lancers A"))
    place = next(row for row in (await game.encounter()).book.all(ThingRow) if row.name == "Lancers A")
    stored = place.counters.get("stored", 0)
    assert "Missions are scored after the last turn" in await game.refused("anna", ScoreMission())
    await arrange(game, "anna", over)
    await game.done("anna", ScoreMission())
    assert await points(game, 1) == stored
    assert "Your mission has already been scored" in await game.refused("anna", ScoreMission())


@pytest.mark.rule("CB-MISS-22")
@pytest.mark.rule("CB-MISS-23")
@pytest.mark.rule("CB-MISS-24")
async def test_recovery_finds_at_ten_and_equipment_is_carried_at_once(game: Table) -> None:
    await game.done("anna", ChooseSecretly("Recovery", seeks="Grenade"))
    await game.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    await game.done("anna", NextStep())
    assert "10 successes" in await game.refused("anna", FoundIt("Smap"))
    await arrange(game, "anna", storing("Lancers A", 9))
    assert "10 successes" in await game.refused("anna", FoundIt("Smap"))
    await arrange(game, "anna", storing("Lancers B", 1, 3))
    assert "Only one of the searchers can take" in await game.refused("anna", FoundIt("HOpR Bot"))
    found = await game.done("anna", FoundIt("Smap"))
    assert "takes what was found" in found.reply.text
    assert "grenade" in (await game.encounter()).find_model("Smap").profile
    assert "already" in await game.refused("anna", FoundIt("Smap"))
    await arrange(game, "anna", over)
    await game.done("anna", ScoreMission(home="yes"))
    assert await points(game, 1) == 6


@pytest.mark.rule("CB-MISS-23")
async def test_a_crew_member_that_is_found_joins(game: Table) -> None:
    await game.done("anna", ChooseSecretly("Recovery", seeks="GDF Ranger"))
    await game.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    await game.done("anna", NextStep())
    await arrange(game, "anna", storing("Lancers A", 10, 3))
    await game.done("anna", FoundIt("Smap"))
    assert (await game.encounter()).find_model("GDF Ranger").side == 1


@pytest.mark.rule("CB-MISS-21")
async def test_a_trap_is_secret_springs_once_and_not_after_a_search(game: Table) -> None:
    await game.done("anna", ChooseSecretly("Recovery", seeks="Grenade"))
    await game.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    assert "That place is yours." in await game.refused("anna", TrapPlace("Lancers A"))
    trapped = await game.done("bo", TrapPlace("Lancers B"))
    assert not any("Lancers B" in line for line in public_lines(trapped.reply))
    assert (
        "You have already trapped one of Lancers' places. To choose again, undo that trap first."
        in await game.refused("bo", TrapPlace("Lancers C"))
    )
    await game.done("anna", NextStep())
    assert "no trap" in await game.refused("bo", SpringTrap("Lancers A", ("Smap",)))
    assert "no trap" in await game.refused("anna", SpringTrap("Lancers B", ("Smap",)))
    sprung = await game.done("bo", SpringTrap("Lancers B", ("Smap",), partly=("HOpR Bot",)))
    assert "HOpR Bot tries to escape" in "\n".join(sprung.reply.why)
    assert "springs a trap" in sprung.reply.lines[0]
    assert "no trap" in await game.refused("bo", SpringTrap("Lancers B", ("Smap",)))


async def names(game: Table, who: str, action: Action, field: str) -> list[str]:
    """What is offered in a field of an action to one person."""
    act = await game.desk.look(game.actor(who), action)
    assert act is not None
    return [str(offer.value) for offer in Looking(act.book, act.actor).offers(action, field)]


@pytest.mark.rule("CB-MISS-21")
async def test_places_are_offered_that_can_be_trapped_and_then_sprung(game: Table) -> None:
    await game.done("anna", ChooseSecretly("Recovery", seeks="Grenade"))
    await game.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    assert await names(game, "anna", TrapPlace(), "place") == []
    assert await names(game, "bo", TrapPlace(), "place") == ["Lancers A", "Lancers B", "Lancers C"]
    assert await names(game, "bo", SpringTrap(), "place") == []
    await game.done("bo", TrapPlace("Lancers B"))
    assert await names(game, "bo", TrapPlace(), "place") == []
    await game.done("anna", NextStep())
    assert await names(game, "anna", SpringTrap(), "place") == [], "theirs, and no word of them"
    assert await names(game, "bo", SpringTrap(), "place") == ["Lancers B"]
    await game.done("bo", SpringTrap("Lancers B", ("Smap",)))
    assert await names(game, "bo", SpringTrap(), "place") == []


@pytest.mark.rule("CB-MISS-19")
async def test_a_recovery_seeks_nobody_who_plays_and_offers_what_is_worth_little_enough(game: Table) -> None:
    offered = await names(game, "anna", ChooseSecretly("Recovery"), "seeks")
    assert {"Grenade", "GDF Ranger"} <= set(offered)
    assert not {"Smap", "Sally Starfield", "Strider"} & set(offered)
    told = await game.refused("anna", ChooseSecretly("Recovery", seeks="Smap"))
    assert told == "Choose something else to look for. Smap is already in this game."


@pytest.mark.rule("CB-MISS-01", "CB-MISS-20", "CB-MISS-21")
async def test_missions_are_asked_for_before_places_and_places_before_traps(game: Table) -> None:
    async def asked(who: str) -> str:
        return (await game.do(who, BEGIN)).reply.text

    await game.done("anna", ChooseSecretly("Recovery", seeks="Grenade"))
    await game.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    await game.done("anna", Ready())
    told = await asked("bo")
    assert "No mission chosen yet: Edo" in told
    assert "trap" not in told
    await game.done("bo", ChooseSecretly("Sabotage"))
    told = await asked("bo")
    assert told.index("has not set up the places for") < told.index("can still trap a place")
    await game.done("bo", LayPlaces("6 30 12"))
    assert "can still trap a place" in await asked("bo")
    await game.done("bo", TrapPlace("Lancers B"))
    assert "can still trap a place" not in await asked("bo")


@pytest.mark.rule("CB-MISS-21")
async def test_a_trap_is_lost_once_its_place_is_searched(game: Table) -> None:
    await game.done("anna", ChooseSecretly("Recovery", seeks="Grenade"))
    await game.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    await game.done("bo", TrapPlace("Lancers B"))
    await arrange(game, "anna", at_work("Smap"))
    asked = await game.do("anna", SearchPlace("Smap", place="Lancers B", inches=1))
    assert asked.reply.lines[0] == "Smap is about to search Lancers B."
    assert "its trap is lost" not in asked.reply.text
    searched = await game.press("bo", asked, "Nobody reacts")
    assert "Edo won't react." in searched.reply.lines
    assert "its trap is lost" in await game.refused("bo", SpringTrap("Lancers B", ("Smap",)))
    shown = await game.do("bo", ShowMissions())
    assert "Trap at Lancers B (lost, because it was searched)" in shown.reply.lines


@pytest.mark.rule("CB-MISS-21")
@pytest.mark.parametrize("trapped", ["Lancers A", "Lancers B"])
async def test_who_set_a_trap_is_asked_before_any_first_search(game: Table, trapped: str) -> None:
    """The question is the same whether or not the place is trapped, so that nothing is told by it."""
    await game.done("anna", ChooseSecretly("Recovery", seeks="Grenade"))
    await game.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    await game.done("bo", TrapPlace(trapped))
    await game.done("anna", NextStep())
    before = await game.do("bo", ShowMissions())
    assert f"Trap at {trapped}" in before.reply.lines
    assert [button.label for button in before.reply.buttons] == ["Spring a trap"]
    others = await game.do("anna", ShowMissions())
    assert not others.reply.buttons
    assert "Trap at" not in others.reply.text
    await arrange(game, "anna", at_work("Smap"))
    asked = await game.do("anna", SearchPlace("Smap", place="Lancers B", inches=1))
    assert asked.reply.lines == ("Smap is about to search Lancers B.", "bo can react (60 seconds).")
    assert [button.label for button in asked.reply.buttons] == ["Spring a trap", "Nobody reacts"]
    if trapped == "Lancers B":
        sprung = await game.done("bo", SpringTrap("Lancers B", ("Smap",)))
        assert "Edo springs a trap at Lancers B." in sprung.reply.lines
        assert (await game.do("anna", ShowMissions())).reply.text.count("Trap at") == 0
    else:
        await game.press("bo", asked, "Nobody reacts")
        await arrange(game, "anna", at_work("Smap"))
        assert "about to search" in (await game.do("anna", SearchPlace("Smap", place="Lancers A"))).reply.text


@pytest.mark.rule("CB-RELIC-05", "CB-MISS-27")
async def test_a_boon_is_offered_after_a_search_that_found_nothing(game: Table) -> None:
    await game.done("anna", ChooseSecretly("Sabotage"))
    await game.done("anna", LayPlaces("24 24 12"))
    await game.done("anna", DiceMode("real"))
    search, seen = SearchPlace("HOpR Bot", place="Lancers A"), []
    for face in (2, 9):
        await arrange(game, "anna", at_work("HOpR Bot"), blessed("HOpR Bot"))
        answer = await game.do("anna", search)
        while found := re.search(r"throws (\d+) d", answer.reply.text):
            answer = await game.do("anna", EnterFaces((face,) * int(found[1])))
        seen.append("Use HOpR Bot's Boon" in [button.label for button in answer.reply.buttons])
    assert seen == [True, False]


# ------------------------------------------------------------------------------------ the rest


@pytest.mark.rule("CB-MISS-08")
@pytest.mark.rule("CB-MISS-09")
@pytest.mark.parametrize(
    ("declared", "home", "mine", "theirs"), [(False, True, 3, 0), (True, True, 5, 0), (False, False, 0, 0)]
)
async def test_an_abduction_scores_at_home(
    game: Table, declared: bool, home: bool, mine: int, theirs: int
) -> None:
    await game.done("bo", ChooseSecretly("Abduction", target="Smap", declared=declared))
    await game.done("anna", NextStep())
    assert "still has Life" in await game.refused("bo", Subdue("Trapper"))
    await game.done("anna", DamageModel("Smap", 9))
    assert "A model is captured only if it loses its last Life in melee." in await game.refused(
        "bo", Subdue("Trapper", by_melee=False)
    )
    await game.done("bo", Subdue("Trapper"))
    await arrange(game, "anna", over)
    asked = await game.do("bo", ScoreMission())
    assert asked.reply.private
    assert not asked.changed
    await game.press("bo", asked, "Yes" if home else "No")
    assert (await points(game, 2), await points(game, 1)) == (mine, theirs)


@pytest.mark.rule("CB-MISS-03")
@pytest.mark.rule("CB-MISS-09")
async def test_a_captive_is_dropped_with_its_holder_and_the_abduction_thwarted(game: Table) -> None:
    await game.done("bo", ChooseSecretly("Abduction", target="Smap"))
    await game.done("anna", NextStep())
    await game.done("anna", DamageModel("Smap", 9))
    await game.done("bo", Subdue("Trapper"))
    await game.done("bo", TakeToken("captive 3", drop=True))
    await arrange(game, "anna", over)
    await game.done("bo", ScoreMission())
    assert (await points(game, 2), await points(game, 1)) == (0, 1)


@pytest.mark.rule("CB-MISS-13")
@pytest.mark.parametrize(("inches", "mine", "theirs"), [(2.0, 3, 0), (2.5, 0, 3), (-1.0, 0, 3)])
async def test_an_escort_arrives_or_not(game: Table, inches: float, mine: int, theirs: int) -> None:
    await game.done("bo", ChooseSecretly("Escort", target="Trapper"))
    await game.done("anna", NextStep())
    await arrange(game, "anna", over)
    if inches < 0:
        await game.done("bo", RemoveModel("Trapper", "fled"))
    else:
        assert "within 2 in" in (await game.do("bo", ScoreMission())).reply.text
    await game.done("bo", ScoreMission(inches=inches))
    assert (await points(game, 2), await points(game, 1)) == (mine, theirs)


@pytest.mark.rule("CB-MISS-03")
async def test_tokens_are_taken_kept_and_refused_to_the_panicked(game: Table) -> None:
    await game.done("anna", TakeToken("Crate"))
    await game.done("anna", TakeToken("Crate", "Smap"))
    assert "holds Crate" in await game.refused("bo", TakeToken("Crate", "Trapper"))
    assert "not yours" in await game.refused("bo", TakeToken("Crate", drop=True))
    await game.done("anna", TakeToken("Crate", drop=True))
    await game.done("bo", AddCondition("Trapper", "panicked"))
    assert "can't hold a token while it is" in await game.refused("bo", TakeToken("Crate", "Trapper"))
    await game.done("bo", RemoveModel("Trapper", "fled"))
    assert "out of play" in await game.refused("bo", TakeToken("Crate", "Trapper"))


@pytest.mark.rule("CB-VEH-53")
async def test_a_vehicle_takes_tokens_with_pincers_only(game: Table) -> None:
    await arrange(game, "anna", built("Smap", "mech"), built("Skip", "mech", ("mounted_pincers",)))
    assert "no Pincers" in await game.refused("anna", TakeToken("Crate", "Smap"))
    await game.done("anna", TakeToken("Crate", "Skip"))


async def test_secrets_stay_in_rows_of_their_own(game: Table) -> None:
    chosen = await game.done("bo", ChooseSecretly("Abduction", target="Sally Starfield"))
    rows = (await game.encounter()).book.all(SecretRow)
    assert [row.side for row in rows] == [2]
    assert not rows[0].revealed
    public = "\n".join(public_lines(chosen.reply))
    assert not any(secret in public.casefold() for secret in SECRETS)
    assert "Target: Sally Starfield" in all_lines(chosen.reply)
