"""Groups: how many a model directs, and the order tokens that make a group larger."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.common import USED
from bot.games.counterblast.turn.activation_actions import ActNamed
from bot.table.encounter import Encounter
from tests.bot.counterblast.ring import ANNA, BO, Ring, block


def drawn(side: int):
    def step(encounter: Encounter) -> None:
        encounter.row.counters["drawn"] = side
        encounter.row.counters.pop(USED, None)

    return step


@pytest.mark.rule("CB-ACT-05")
async def test_a_lackey_that_leads_four_is_refused_by_its_own_rule(ring: Ring) -> None:
    names = ("Edo Underling", "Edo Underling 2", "Edo Guardling", "Edo Guardling 2", "Trapper")
    await ring.arrange(drawn(2), *(block(name, "edo_underling") for name in names))
    said = await ring.refused(BO, ActNamed(", ".join(names)))
    assert said.startswith(
        "Edo Underling can direct up to 3 Lackeys (you chose 4).\n"
        "Rulebook: Actions (pages 11 and 12; CB-ACT-05)"
    )


@pytest.mark.rule("CB-ACT-04", "CB-ORDER-06")
async def test_a_group_that_takes_an_order_token_is_offered_it(ring: Ring) -> None:
    """Sally's level is 2: one token adds two Lackeys to her three."""
    names = ("Skip", "Smap", "Wanda", "HOpR", "GDF Medical Officer")
    await ring.arrange(drawn(1), *(block(name, "gdf_ranger") for name in names))
    before = await ring.orders(1)
    answer = await ring.table.do(ANNA, ActNamed(", ".join(("Sally", *names))))
    assert answer.reply.private
    assert answer.reply.lines[:2] == (
        "Sally Starfield can direct up to 3 Lackeys (you chose 5).",
        "Rulebook: Actions (pages 11 and 12; CB-ACT-04).",
    )
    assert answer.reply.buttons[0].label == "Spend 1 order token"
    assert await ring.orders(1) == before
    done = await ring.table.press(ANNA, answer, "Spend 1 order token")
    assert done.changed
    assert await ring.orders(1) == before - 1
    assert done.reply.lines[0] == "Sally Starfield and 5 others act together."
    assert sum(" acts: " in line for line in done.reply.lines) == 6


@pytest.mark.rule("CB-ACT-04")
async def test_no_token_is_offered_where_it_would_not_help(ring: Ring) -> None:
    """A token would make the group large enough; a Hero among them is directed by nobody all the same."""
    names = ("Skip", "Smap", "Wanda", "HOpR", "Dr. Helen Salinger")
    await ring.arrange(drawn(1), *(block(name, "gdf_ranger") for name in names[:-1]))
    said = await ring.refused(ANNA, ActNamed(", ".join(("Sally", *names))))
    assert "is a Hero, so no model can direct it." in said


@pytest.mark.rule("CB-ORDER-06")
async def test_the_same_group_may_be_typed_with_its_token(ring: Ring) -> None:
    names = ("Skip", "Smap", "Wanda", "HOpR")
    await ring.arrange(drawn(1), *(block(name, "gdf_ranger") for name in names))
    before = await ring.orders(1)
    await ring.ask(ANNA, ActNamed(", ".join(("Sally", *names)), 1))
    assert await ring.orders(1) == before - 1


@pytest.mark.rule("CB-ORDER-06")
async def test_no_token_is_offered_that_nobody_has(ring: Ring) -> None:
    names = ("Skip", "Smap", "Wanda", "HOpR")
    await ring.arrange(
        drawn(1),
        *(block(name, "gdf_ranger") for name in names),
        lambda encounter: encounter.side(1).counters.update(orders=0),
    )
    answer = await ring.table.do(ANNA, ActNamed(", ".join(("Sally", *names))))
    assert [button.label for button in answer.reply.buttons] == ["Override..."]
