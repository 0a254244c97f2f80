"""Where only some models can be meant, they alone are offered; where nobody can, that is the reason."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.counterblast.gear.tasks import Treat
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.movement.hiding import Spot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.activations import PairUp
from bot.games.counterblast.vehicles.riders import Board
from bot.table.offers.legal_actions import Looking
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, Ring, active, block, hurt, under

WANDA = "Wanda Whitestar"


async def looking(ring: Ring) -> Looking:
    return Looking((await ring.table.loaded()).book(), ring.table.actor(ANNA))


@pytest.mark.parametrize(
    ("action", "field", "nobody", "fits", "who"),
    [
        (Spot("Smap"), "target", "No model is Hidden.", under("hidden", "Trapper"), ["Trapper"]),
        (
            Treat("Smap"),
            "patient",
            "No model here has lost any Life, so none needs help.",
            hurt("Wanda", 1),
            [WANDA],
        ),
        (
            PairUp("Smap"),
            "second",
            "There is no Beast here to pair.",
            block("Wanda", "eye_slug"),
            [WANDA],
        ),
        (
            Board(passenger="Smap"),
            "vehicle",
            "No vehicle here can carry passengers.",
            block("Wanda", "rocket_bike"),
            [WANDA],
        ),
    ],
    ids=["spot", "treat", "pair", "board"],
)
async def test_only_who_fits_is_offered(
    ring: Ring, action: Action, field: str, nobody: str, fits: Step, who: list[str]
) -> None:
    await ring.arrange(active("Smap"))
    before = await looking(ring)
    assert before.offers(action, field) == []
    said = {name: "Smap" for name in ("spotter", "worker", "first", "passenger") if getattr(action, name, "")}
    assert before.legal(type(action), said).reason == nobody
    await ring.arrange(fits)
    after = await looking(ring)
    assert [one.label for one in after.offers(action, field)] == who
    assert after.legal(type(action), said).reason != nobody


async def test_a_beast_makes_a_pair_with_who_is_none(ring: Ring) -> None:
    await ring.arrange(block("Wanda", "eye_slug"), block("Trapper", "eye_slug"))
    offered = [one.label for one in (await looking(ring)).offers(PairUp("Wanda"), "second")]
    assert "Smap" in offered
    assert not {WANDA, "Trapper"} & set(offered)


async def test_one_weapon_with_reach_is_enough_to_slash_and_dash(ring: Ring) -> None:
    await ring.arrange(block("Sally", "sally_starfield", "club", "arc_halberd"), active("Sally"))
    assert (await looking(ring)).barred(Fight("Sally", how="slash and dash")) == ""


async def test_who_was_let_carry_somebody_once_is_offered(ring: Ring) -> None:
    await ring.arrange(active("Smap"), block("Trapper", "rocket_bike"))
    board = Board(passenger="Smap")
    assert [one.label for one in (await looking(ring)).offers(board, "vehicle")] == ["Trapper"]
    await ring.table.done(ANNA, Board("Wanda", "Smap"), reason="a stretcher")
    assert [one.label for one in (await looking(ring)).offers(board, "vehicle")] == [WANDA, "Trapper"]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Shoot("Smap", mode="overwatch"), "Smap is not on Overwatch."),
        (Shoot("Smap", mode="full auto"), "Smap has no weapon with full auto."),
        (Fight("Smap", how="slash and dash"), "Smap needs a weapon with Reach to Slash and Dash."),
    ],
    ids=["overwatch", "full auto", "slash and dash"],
)
async def test_what_nobody_can_be_the_target_of_is_refused_by_who_acts(
    ring: Ring, action: Action, reason: str
) -> None:
    await ring.arrange(active("Smap"))
    assert (await looking(ring)).barred(action) == reason
