"""Before the first turn: the table is set up and looked at, odds are asked; nobody acts."""

from __future__ import annotations

import pytest

from bot.actions import ACTIONS, Action
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.core.debts import ANYTIME
from bot.games.counterblast.gear.items import UseItem
from bot.games.counterblast.ground.hazards import Enter
from bot.games.counterblast.ground.walls import AddStructure
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.movement.hiding import Hide
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.setup.deployment import Terrain
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.vehicles.driving import Drive
from bot.table.handlers import HANDLERS, Place
from bot.table.session.encounters import JoinEncounter, Ready, StartDemo
from tests.bot.counterblast.ring import ANNA, BO
from tests.bot.tables import Table

WAIT: dict[str, Action] = {
    "shoot": Shoot("Sally", "Trapper", 5),
    "snap": Shoot("Sally", "Trapper", 5, mode="snap"),
    "overwatch": Shoot("Sally", "Trapper", 5, mode="overwatch"),
    "team": TeamShot("Sally, Skip", "Trapper", "5"),
    "template": Template("Skip", "Grenade", distance=5),
    "fight": Fight("Sally", "Trapper"),
    "charge": Charge("Sally", "Trapper", 6),
    "psi": UsePower("Wanda", "Blast", "Trapper", "5"),
    "drive": Drive("Sally"),
    "move": Move("Sally"),
    "hide": Hide("Sally"),
    "enter": Enter("Sally", "slick"),
    "use": UseItem("Sally", "Med Gel"),
}

MAY: dict[str, Action] = {
    "odds": Shoot("Sally", "Trapper", 5, odds=True),
    "terrain": Terrain(4, 4),
    "wall": AddStructure("Gate", "Normal wall"),
    "contact": Engage("Sally", "Trapper"),
}


@pytest.fixture
async def unbegun(table: Table) -> Table:
    await table.done(ANNA, StartDemo())
    await table.done(BO, JoinEncounter("Edo"))
    await table.done(BO, Ready())
    return table


@pytest.mark.rule("CB-TURN-02", "CB-COND-07")
@pytest.mark.parametrize("name", WAIT)
async def test_nobody_acts_before_the_first_turn(unbegun: Table, name: str) -> None:
    before = unbegun.state()
    answer = await unbegun.do(ANNA, WAIT[name])
    assert answer.reply.lines == (
        "Begin the game first; no model can act yet.",
        "Rulebook: Turns (pages 11 to 13; CB-TURN-02).",
    )
    assert answer.reply.private
    assert answer.reply.buttons[0].label == "Begin"
    assert unbegun.state() == before
    asked = await unbegun.press(ANNA, answer, "Begin")
    begun = await unbegun.press(ANNA, asked, "Begin anyway")
    assert begun.reply.lines[0].startswith("Turn 1")


@pytest.mark.parametrize("name", MAY)
async def test_the_table_is_set_up_before_it(unbegun: Table, name: str) -> None:
    answer = await unbegun.do(ANNA, MAY[name])
    assert "has not begun" not in answer.reply.text


async def test_who_lets_a_shot_pass_before_it_is_not_told_that_infantry_may_drive(unbegun: Table) -> None:
    answer = await unbegun.done(ANNA, Shoot("Sally", "Trapper", 5), reason="to try it")
    assert "Override by anna: to try it" in answer.reply.text
    assert "drive" not in answer.reply.text
    assert "drive" not in " ".join(button.label for button in answer.reply.buttons).casefold()


def test_every_command_that_may_be_asked_before_it_is_one_of_the_game() -> None:
    own = {
        key for key, one in HANDLERS.items() if one.system == "counterblast" and one.place is Place.ENCOUNTER
    }
    assert own >= ANYTIME
    assert set(ACTIONS) >= ANYTIME
