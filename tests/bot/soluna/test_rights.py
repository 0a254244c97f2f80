"""Who only watches changes nothing; /sol leaves other games alone; random play undone is the start again."""

from __future__ import annotations

import random

from bot.actions import ACTIONS, Action
from bot.games.soluna.attack_declaration import Attack
from bot.games.soluna.board import board_of
from bot.games.soluna.board_actions import AddObject, NewBoard
from bot.games.soluna.close_actions import Grapple, Lunge
from bot.games.soluna.flip_actions import MakeFlips
from bot.games.soluna.model_actions import AddModel
from bot.games.soluna.move_actions import Move, Pass, Turn
from bot.table.handlers import HANDLERS
from bot.table.journal.history import Undo
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.soluna.yard import MEENA
from tests.bot.tables import Table


def ours() -> list[Action]:
    return [kind() for key, kind in sorted(ACTIONS.items()) if key.startswith("sol.") and key in HANDLERS]


async def test_who_watches_changes_nothing(table: Table) -> None:
    await table.done("anna", StartDemo("soluna"))
    await table.done("anna", NextStep())
    await table.done("carl", JoinEncounter(watch=True))
    before = table.state()
    named: list[Action] = [Move("Vey", "6,7"), Attack("Vey", "Brin"), AddObject("box", "0,0"), Pass("Vey")]
    for action in [*ours(), *named]:
        for who in ("carl", "dora"):
            answer = await table.do(who, action)
            assert not answer.changed, action
            assert answer.reply.private
    assert table.state() == before


async def test_other_games_are_left_alone(table: Table) -> None:
    await table.done("anna", StartDemo("counterblast"))
    before = table.state()
    for action in [*ours(), NewBoard("9x9"), AddModel(MEENA, "Lancers"), Move("Sally", "3,3")]:
        assert not (await table.do("anna", action)).changed, action
    assert table.state() == before


async def test_random_play_undone_is_the_start_again(table: Table) -> None:
    await table.done("anna", StartDemo("soluna"))
    await table.done("anna", NextStep())
    start = table.state()
    dice = random.Random(4)
    done = 0
    for _ in range(160):
        encounter = await table.encounter()
        names = [model.name for model in encounter.models()]
        board = board_of(encounter)
        square = f"{dice.randrange(board.width)},{dice.randrange(board.height)}"
        one, other = dice.choice(names), dice.choice(names)
        actions: list[Action] = [
            Move(one, square),
            Turn(one, dice.choice(("north", "east", "south", "west", other))),
            Attack(one, other, force=True),
            Attack(one, square),
            Lunge(one, other),
            Grapple(one, other),
            MakeFlips(0, dice.choice(("health", "mind", "body", "none"))),
            NextStep(),
        ]
        answer = await table.do("anna", dice.choice(actions))
        assert "went wrong in the bot" not in answer.reply.text
        done += answer.changed
    assert done > 25
    while table.state() != start:
        assert (await table.do("anna", Undo())).changed
