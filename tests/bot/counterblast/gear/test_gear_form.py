"""The form of `Use gear` as it stands."""

from __future__ import annotations

from bot.games.counterblast.gear.items import UseItem
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from tests.bot.counterblast.ring import ANNA, Ring, active, hurt


async def test_gear_used_as_its_form_stands_heals_no_enemy(ring: Ring) -> None:
    await ring.arrange(active("GDF Medical"), hurt("Prime", 1))
    encounter = await ring.table.encounter()
    medic = encounter.find_model("GDF Medical")
    looking = Looking((await ring.table.loaded()).book(), ring.table.actor(ANNA))
    form = build_form(looking, UseItem(f"#{medic.id}"))
    (target,) = [control for control in form.controls if control.name == "target"]
    assert target.said in ((), (f"#{medic.id}",), (medic.name,))
