"""Odds are refused where the action is; only for whose round it is they are told, without a button."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import Action
from bot.games.warzone.activation import ActNext
from bot.games.warzone.break_away_actions import BreakAway
from bot.games.warzone.close_combat_actions import Charge, Fight, SetContact
from bot.games.warzone.jump_actions import Jump
from bot.games.warzone.move_actions import Move, SetPresence
from bot.games.warzone.power_actions import Channel
from bot.games.warzone.rally_actions import Rally
from bot.games.warzone.shooting_actions import AttackTerrain
from bot.games.warzone.shots import Shoot, Template
from bot.games.warzone.unit_actions import CheckCommandDistance
from bot.games.warzone.waiting_actions import Conceal, Spot
from tests.bot.warzone.skirmish import MORTAR, RIFLE, SWORD, Skirmish

DEEDS: tuple[Action, ...] = (
    Shoot("Rex", "Bex", "8"),
    Template("Rex", "Bex", "8"),
    AttackTerrain("Rex", "Stone", "Rifle"),
    Charge("Rex", "Bex"),
    Move("Rex"),
    Jump("Rex", across=1),
    Jump("Rex", down=5),
    Spot("Rex", "Hid"),
    Channel("Rex", 1),
    Rally("Rex"),
    Fight("Rex", "Bex"),
    BreakAway("Rex"),
)


async def refused_alike(game: Skirmish, action: Action) -> str:
    """What is said to the action, which is what is said to its odds."""
    said = await game.refused(action)
    assert await game.refused(replace(action, odds=True)) == said  # type: ignore[call-arg]
    return said


async def table(game: Skirmish) -> None:
    """Rex, who leads and channels, and Sam are a squad of Red; Bex and Hid, concealed, are Blue's."""
    await game.add("Red", "Ren", "leader", RIFLE, SWORD, MORTAR, squad="Pair")
    await game.add("Blue", "Hid")
    await game.bo(Conceal("Hid"))


def of(action: Action, name: str) -> Action:
    """The same deed of can't lend LD to itself."""
    first = next(
        field for field in ("firer", "attacker", "model", "spotter", "leader") if hasattr(action, field)
    )
    return replace(action, **{first: name})  # type: ignore[arg-type]


@pytest.mark.rule("WZ-TURN-03")
@pytest.mark.parametrize("action", DEEDS, ids=lambda action: type(action).__name__)
async def test_without_actions_there_are_no_odds(game: Skirmish, action: Action) -> None:
    await table(game)
    if isinstance(action, Rally):
        await game.under("Ren", "panicked")
    if isinstance(action, Fight | BreakAway):
        await game.do(SetContact("Ren", "Bex"))
    await game.begin()
    await game.act("Pair")
    deed = of(action, "Ren")
    odds = await game.asks(replace(deed, odds=True))  # type: ignore[call-arg]
    assert odds.buttons, "it could be done now"
    for _ in range(3):
        await spend(game)
    assert "has 0 left" in await refused_alike(game, deed)


async def spend(game: Skirmish) -> None:
    """One action of Ren's that leaves it as it stands."""
    model = await game.model("Ren")
    to = "standing" if model.has("minimized") else "minimized"
    if model.panicked:
        to = "standing" if model.has("prone") else "prone"
    await game.do(SetPresence("Ren", to))


@pytest.mark.rule("WZ-TURN-02")
async def test_out_of_its_round_odds_are_told_without_a_button(game: Skirmish) -> None:
    await table(game)
    await game.begin()
    for action in DEEDS[:9]:
        odds = await game.asks(replace(of(action, "Ren"), odds=True))  # type: ignore[call-arg]
        assert "You can't do this yet, because Pair isn't active." in odds.lines
        assert {button.label for button in odds.buttons} <= {"Compare", "Change..."}
        assert "isn't active" in await game.refused(of(action, "Ren"))


@pytest.mark.rule("WZ-CMD-04", "WZ-TURN-03")
async def test_out_of_command_or_finished_odds_are_refused(game: Skirmish) -> None:
    await table(game)
    await game.add("Red", "Sam", RIFLE, SWORD, squad="Pair")
    await game.do(CheckCommandDistance("Sam", 7))
    await game.begin()
    await game.act("Pair")
    assert "out of command" in await refused_alike(game, Shoot("Sam", "Bex", "8"))
    await game.do(CheckCommandDistance("Sam", 6))
    await game.do(Shoot("Sam", "Bex", "8"), 20)
    await game.do(ActNext("Ren"))
    assert "have acted since Sam did" in await refused_alike(game, Shoot("Sam", "Bex", "8"))


@pytest.mark.rule("WZ-PRES-02", "WZ-BACK-03", "WZ-BROKEN-01", "WZ-CC-01", "WZ-BREAK-03")
async def test_what_its_state_forbids_has_no_odds(game: Skirmish) -> None:
    await table(game)
    await game.begin()
    await game.act("Pair")
    assert "isn't in base contact" in await refused_alike(game, Fight("Ren", "Bex"))
    await game.under("Ren", "broken")
    assert (
        "is Broken. Its first action must be a move directly away from what broke its morale."
        in await refused_alike(game, Shoot("Ren", "Bex", "8"))
    )
    assert "is Broken and can't move towards what broke its morale." in await refused_alike(
        game, Move("Ren", bearing="nearer")
    )
    assert "can't charge" in await refused_alike(game, Charge("Ren", "Bex"))
    assert "and can't spot." in await refused_alike(game, Spot("Ren", "Hid"))
    await game.under("Ren", "unconscious")
    assert "unconscious" in await refused_alike(game, Shoot("Ren", "Bex", "8"))
    assert "unconscious" in await refused_alike(game, AttackTerrain("Ren", "Stone", "Rifle"))
    await game.under("Rex", "prone")
    assert "prone" in await refused_alike(game, Shoot("Rex", "Bex", "8"))
    assert "prone" in await refused_alike(game, Charge("Rex", "Bex"))
    await game.do(SetContact("Rex", "Bex"))
    assert "in close combat" in await refused_alike(game, Move("Rex"))
