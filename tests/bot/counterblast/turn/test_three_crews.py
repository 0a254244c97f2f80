"""Three crews at one table: a melee against two of them, its dice hidden until both have answered."""

from __future__ import annotations

import pytest

from bot.games.counterblast.melee.melees import Melee
from bot.store.rows import SeatRow
from bot.table.encounter import Encounter
from bot.table.session.arrivals import add_side
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, touching

CARA = "cara"
BLOWS = "Smap>Spawnguard 1, Smap>Trapper 1, Wanda>Spawnguard, Wanda>Trapper"


async def three(ring: Ring, *, hidden: bool = True) -> None:
    """Cara leads the Raiders; the Trapper is one of them. Smap and Wanda hold it and the Spawnguard."""
    cara = ring.table.actor(CARA).user_id

    def join(encounter: Encounter) -> None:
        side = add_side(encounter, "Raiders")
        encounter.book.add(SeatRow(encounter.book.scope, 9, cara, CARA, side.id, "captain"))
        encounter.find_model("Trapper").side = side.id
        if hidden:
            encounter.row.settings["melee_dice"] = "hidden"

    pairs = [(one, other) for one in ("Smap", "Wanda") for other in ("Spawnguard", "Trapper")]
    await ring.arrange(join, active("Smap", "Wanda"), touching(*pairs))


@pytest.mark.rule("CB-FIGHT-02", "CB-FIGHT-03", "CB-FIGHT-14")
async def test_both_crews_answer_before_any_dice_are_seen(ring: Ring) -> None:
    await three(ring)
    asked = await ring.table.done(ANNA, Melee(text=BLOWS))
    assert asked.reply.private
    (public,) = asked.reply.also
    assert "Edo: choose how to defend." in public.lines
    assert "Raiders: choose how to defend." in public.lines
    assert not any(": 1 die, " in line for line in public.lines)
    splits = [button for button in public.buttons if button.label == "Split evenly"]
    assert len(splits) == 2
    wrong = await ring.table.do(CARA, splits[0].action, scope=asked.scope)
    assert "Only bo can do this for Edo." in wrong.reply.text
    first = await ring.table.do(BO, splits[0].action, scope=asked.scope)
    assert first.reply.lines[0] == "Edo has answered."
    assert not any(": 1 die, " in line for line in first.reply.lines)
    again = await ring.table.do(BO, splits[0].action, scope=asked.scope)
    assert "This side has already answered" in again.reply.text
    last = await ring.table.do(CARA, splits[1].action, scope=asked.scope)
    assert last.reply.lines[0].startswith("Melee: Spawnguard ")
