"""A campaign is started from usual shapes: each opens a form that makes it with a name alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.app import ALL_GAMES
from bot.store.row_types import CampaignRow
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.campaign.season import PRESETS, StartCampaign
from bot.table.game import game
from bot.table.ledger.campaign_rules import get_rules
from bot.table.offers.forms import build_form, read_form
from bot.table.offers.legal_actions import Looking
from tests.bot.tables import Table

SIZES = {
    system: {"Three evenings": (200, 250), "A league": (200, 300), "A weekend": (150, 150)}
    for system in ("counterblast", "infinity", "warzone")
} | {
    "soluna": {"Three evenings": (0, 0), "A league": (0, 0), "A weekend": (0, 0)},
    "fracd_earth": {"Three evenings": (40, 50), "A league": (40, 60), "A weekend": (30, 30)},
}


@pytest.mark.parametrize("system", [one.key for one in ALL_GAMES])
async def test_every_shape_makes_a_campaign_of_every_game(table: Table, system: str) -> None:
    reply = (await table.do("anna", StartCampaign(system))).reply
    assert reply.private
    for preset, button in zip(PRESETS, reply.buttons, strict=False):
        assert button.asks
        assert isinstance(button.action, CreateCampaign)
        made = await table.done("anna", replace(button.action, name=preset.name))
        loaded = await table.desk.store.load(made.scope)
        assert loaded is not None
        row = loaded.book().get(CampaignRow)
        assert row is not None
        kept = (row.system, row.matching, row.encounters, row.start_points, row.limit)
        assert kept == (system, preset.matching, preset.encounters, *SIZES[system][preset.name])


@pytest.mark.parametrize("system", [one.key for one in ALL_GAMES])
async def test_its_points_are_those_of_the_games_crews(table: Table, system: str) -> None:
    """A usual start takes three to twelve of the statblocks; where they have no points, none are agreed."""
    played, prices = game(system), [one.points for one in game(system).recruits()]
    reply = (await table.do("anna", StartCampaign(system))).reply
    told = " ".join(reply.lines)
    if not any(prices):
        assert "crews of any size" in told
        assert not any(figure in told for figure in ("150", "200", "250"))
        return
    start = get_rules(system).usual_points
    assert 3 <= start / (sum(prices) / len(prices)) <= 12, played.name
    assert f"crews start with {start} points and" in told


async def test_the_form_has_everything_filled_in_but_the_name(table: Table) -> None:
    reply = (await table.do("anna", StartCampaign())).reply
    action = reply.buttons[0].action
    act = await table.desk.look(table.actor("anna"), action)
    assert act is not None
    form = build_form(Looking(act.book, act.actor), action, act.extra)
    needed = [control.name for control in form.controls if control.needed and not control.said]
    assert needed == ["name"]
    stands = {control.name: control.said for control in form.controls}
    assert (stands["encounters"], stands["matching"]) == (("3",), ("swiss",))
    given = {control.name: control.said for control in form.controls} | {"name": ("Autumn",)}
    asked, _ = read_form(action, given)
    assert asked == replace(action, name="Autumn")


async def test_another_game_is_chosen_in_the_same_message(table: Table) -> None:
    asked = await table.do("anna", StartCampaign())
    other = await table.choose("anna", asked, "warzone")
    assert other.reply.replaces
    assert other.reply.lines[0].startswith("Which format should the")
    assert [one.value for one in other.reply.menus[0].choices].count("counterblast") == 1
    assert other.reply.buttons[0].action == replace(asked.reply.buttons[0].action, system="warzone")
