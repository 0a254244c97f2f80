"""What is only asked (`asks`, `odds`) is refused as the action is, and offers only what may be done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import Action
from bot.games.fracd_earth.activation_actions import Use
from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.detect_actions import Detect
from bot.games.fracd_earth.figures import activation_of, keep_activation
from bot.games.fracd_earth.move_actions import HalfMove, Move, Surge
from bot.table.encounter import Encounter
from bot.table.session.models import AddCondition
from rules.systems.fracd_earth.turns import Activation
from tests.bot.fracd_earth.duel import ANNA, BO, Duel


async def acts(duel: Duel, name: str, **used: object) -> None:
    """A figure acts and has used so much."""

    def free(encounter: Encounter) -> None:
        row = encounter.find_model(name)
        encounter.row.counters["acting"] = row.id
        keep_activation(row, replace(Activation(), **used))  # type: ignore[arg-type]

    await duel.arrange(free)


async def used_by(duel: Duel, name: str, **used: object) -> None:
    def spend(encounter: Encounter) -> None:
        keep_activation(encounter.find_model(name), replace(Activation(), **used))  # type: ignore[arg-type]

    await duel.arrange(spend)


VALE, ROOK, EMBER = "Captain Vale", "Rook", "Ember"

SHOT = Attack(VALE, "Sable", 6)
HELPED = replace(SHOT, support=ROOK)
FIRE = AreaAttack(EMBER, 6, 4)
LOOK = Detect(VALE, "trap")


@pytest.mark.rule(
    "FE-ACT-01", "FE-ACT-04", "FE-ACT-06", "FE-ACT-08", "FE-MOV-02", "FE-MOV-03", "FE-MOV-04", "FE-MOV-05"
)
@pytest.mark.parametrize(
    ("who", "used", "action", "said"),
    [
        (ROOK, {"halves": 2}, Move(ROOK), "The Move action has already been used."),
        (ROOK, {"pace": "run"}, Move(ROOK, "run"), "The Move action has already been used."),
        (
            ROOK,
            {"main": "basic"},
            Move(ROOK, "rush"),
            "You can't Rush, because the Main action has already been used.",
        ),
        (ROOK, {"main": "focused"}, Move(ROOK), "because the Focused attack took the Move action"),
        (
            ROOK,
            {"halves": 1},
            Move(ROOK, "crawl"),
            "because a Crawl takes the whole Move action.",
        ),
        (ROOK, {"halves": 2}, HalfMove(ROOK, "cross", 2), "Both halves of the Move action have already"),
        (
            ROOK,
            {"halves": 1},
            HalfMove(ROOK, "cross", 3),
            "That takes a whole Move, and half of it has already been used.",
        ),
        (
            ROOK,
            {"halves": 1},
            HalfMove(ROOK, "climb"),
            "That takes a whole Move, and half of it has already been used.",
        ),
        (ROOK, {"pace": "move"}, HalfMove(ROOK, "swim"), "The Move action has already been used."),
        (VALE, {"pace": "rush"}, SHOT, "after a Rush, because it takes the Main action"),
        (VALE, {"main": "basic"}, SHOT, "The Main action has already been used."),
        (VALE, {"pace": "move"}, replace(SHOT, manner="focused"), "takes the Move action too"),
        (EMBER, {"pace": "rush"}, FIRE, "after a Rush, because it takes the Main action"),
        (EMBER, {"main": "teamwork"}, FIRE, "The Main action has already been used."),
        (VALE, {"compatible": "command"}, LOOK, "only one Compatible action"),
    ],
)
async def test_what_is_used_up_is_refused_when_asked_too(
    duel: Duel, who: str, used: dict[str, object], action: Action, said: str
) -> None:
    await acts(duel, who, **used)
    field = "asks" if hasattr(action, "asks") else "odds"
    asked = replace(action, **{field: True})  # type: ignore[arg-type]
    refused = await duel.table.refused(ANNA, asked)
    assert said in refused
    assert refused == await duel.table.refused(ANNA, action)


@pytest.mark.rule("FE-ACT-06", "FE-MOV-03")
@pytest.mark.parametrize(
    ("used", "said"),
    [
        (
            {"pace": "rush"},
            "You can't attack or give Teamwork after a Rush, because it takes the Main action.",
        ),
        ({"main": "basic"}, "The Main action has already been used."),
    ],
)
async def test_a_supporter_who_cannot_help_is_refused_in_the_odds(
    duel: Duel, used: dict[str, object], said: str
) -> None:
    await acts(duel, VALE)
    await used_by(duel, ROOK, **used)
    for action in (HELPED, replace(SHOT, weapon="Sabre", distance=0.5, group=ROOK)):
        assert said in await duel.table.refused(ANNA, replace(action, odds=True))
        assert said in await duel.table.refused(ANNA, action)


@pytest.mark.rule("FE-MOV-04")
async def test_a_prone_figure_crawls_when_asked_too_whatever_else_it_did(duel: Duel) -> None:
    await acts(duel, ROOK, halves=1)
    await duel.ask(ANNA, AddCondition(ROOK, "prone"))
    for action in (Move(ROOK), Move(ROOK, asks=True)):
        assert "The figure is Prone" in await duel.table.refused(ANNA, action)


@pytest.mark.rule("FE-MOV-05")
async def test_who_stands_does_not_stand_up(duel: Duel) -> None:
    await acts(duel, ROOK)
    for action in (HalfMove(ROOK, "stand"), HalfMove(ROOK, "stand", asks=True)):
        assert await duel.table.refused(ANNA, action) == "Rook doesn't need to stand up. It is not Prone."
    await duel.ask(ANNA, AddCondition(ROOK, "prone"))
    await duel.ask(ANNA, HalfMove(ROOK, "stand"))
    assert duel.first == "Rook stands up (a Half-Move)."


@pytest.mark.rule("FE-MOV-05")
async def test_what_is_left_is_told_and_nothing_is_used(duel: Duel) -> None:
    await acts(duel, ROOK, halves=1)
    for pace, far in (("move", "3 in"), ("run", "4 1/2 in"), ("rush", "6 in")):
        told = await duel.ask(ANNA, Move(ROOK, pace, asks=True))
        assert told.reply.lines[0] == f"Rook: {pace} {far}."
        assert not told.changed
    assert activation_of((await duel.encounter()).find_model(ROOK)) == Activation(halves=1)
    await acts(duel, ROOK, pace="run")
    told = await duel.ask(ANNA, HalfMove(ROOK, "lock", asks=True))
    assert "Its Run is then halved, to at most 4 1/2 in." in told.reply.lines


@pytest.mark.rule("FE-META-01")
async def test_a_surge_takes_the_move_action(duel: Duel) -> None:
    await acts(duel, "Sable")
    asked = await duel.ask(BO, Surge("Sable", "90"))
    assert asked.reply.private
    assert asked.reply.lines[0] == "Sable surges up to 18 in."
    assert not (await duel.ask(ANNA, Surge("Sable", "90"))).reply.buttons
    duel.answer = await duel.table.press(BO, asked, "Surge")
    assert duel.first == "Sable surges up to 18 in."
    assert not duel.answer.reply.private
    assert activation_of((await duel.encounter()).find_model("Sable")) == Activation(pace="move")
    for action in (Surge("Sable"), Surge("Sable", go=True)):
        assert "The Move action has already been used." in await duel.table.refused(BO, action)
    await acts(duel, "Sable", halves=1)
    assert "A surge takes the whole Move action, and" in await duel.table.refused(BO, Surge("Sable"))
    await acts(duel, "Sable")
    await duel.ask(BO, AddCondition("Sable", "prone"))
    assert "The figure is Prone" in await duel.table.refused(BO, Surge("Sable"))


@pytest.mark.rule("FE-ACT-01")
async def test_before_its_activation_one_may_ask_but_is_offered_no_button(duel: Duel) -> None:
    """To ask ahead is to plan; what cannot be done yet is said, and no button offers it."""
    for action in (SHOT, HELPED, FIRE, LOOK):
        told = await duel.ask(ANNA, replace(action, odds=True))
        assert {button.label for button in told.reply.buttons} <= {"Compare", "Change..."}
        assert any("activation (no figure is acting)." in line for line in told.reply.lines)
    told = await duel.ask(ANNA, Move(ROOK, asks=True))
    assert "It is not Rook's activation (no figure is acting)." in told.reply.lines
    for action, label in (
        (replace(SHOT, manner="quick"), "Attack"),
        (replace(LOOK, sense="alertness"), "Draw"),
    ):
        told = await duel.ask(ANNA, replace(action, odds=True))
        assert [button.label for button in told.reply.buttons] in ([label], [label, "Compare", "Change..."])
    await acts(duel, VALE)
    told = await duel.ask(ANNA, replace(SHOT, odds=True))
    assert [button.label for button in told.reply.buttons] == ["Attack", "Compare", "Change..."]
    await duel.table.press(ANNA, told, "Attack")
    assert (await duel.running()) is not None


@pytest.mark.rule("FE-ACT-01", "FE-MOV-03")
async def test_an_override_carries_the_action_through(duel: Duel) -> None:
    """What an organiser let pass is done with all that it takes."""
    await acts(duel, VALE, pace="rush")
    await duel.ask(ANNA, SHOT, reason="as agreed")
    assert (
        "Overridden: You can't attack or give Teamwork after a Rush, because it takes the Main action."
        in duel.answer.reply.lines
    )
    row = (await duel.encounter()).find_model(VALE)
    assert activation_of(row) == Activation(main="basic", pace="rush")
    await duel.press(BO, "Defence 5")
    await acts(duel, ROOK, compatible="command")
    await duel.ask(ANNA, Use(ROOK, "reaction"))
    assert activation_of((await duel.encounter()).find_model(ROOK)).reactions == 1
