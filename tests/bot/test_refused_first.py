"""What is refused whatever is filled in is refused when it is pressed: nobody fills in a form for nothing."""

from __future__ import annotations

import pytest

from bot.local.seen import Message
from bot.table.request import OVERRIDE
from tests.bot.house import House, read


async def test_somebody_elses_crew_takes_nobody_in(house: House) -> None:
    await house.slash("crew create", house.bo, name="Foxes")
    recruit = {"crew": "Foxes", "who": "Sally Starfield"}
    refused = await (await house.typed("crew recruit", options=recruit)).message()
    assert read(refused).content == "Foxes is not your crew."
    joined = await (await house.typed("crew recruit", house.bo, options=recruit)).message()
    assert "Sally Starfield joins Foxes" in read(joined).content


async def test_a_crew_that_plays_in_a_campaign_is_not_changed_by_a_form(house: House) -> None:
    made = await house.slash("crew create", name="Foxes")
    recruit = {"crew": "Foxes", "who": "Sally Starfield"}
    await (await house.typed("crew recruit", options=recruit)).message()
    await house.slash("campaign create", name="Rust")
    await house.slash("campaign join", crew="Foxes")
    assert "to change it there." in (await house.press(made, "Build...")).content


async def bos_turn(house: House) -> Message:
    """The panel of a game of which one of bo's acts."""
    await house.slash("demo", system="soluna")
    await house.slash("encounter join", house.bo, side="Hollow Moon")
    await house.press(await house.everybody_ready(await house.panel(), house.anna), "Begin")
    panel = await house.panel()
    assert "Waiting for Bo to act with Vey." in panel.content
    return panel


async def test_an_act_of_the_other_side_is_refused_before_its_form(house: House) -> None:
    panel, before = await bos_turn(house), len(house.public)
    for who in (house.anna, house.server.person("cy", "Cy")):
        for label in ("Lunge", "Move", "Turn"):
            told = await house.press(panel, label, who)
            assert told.ephemeral
            how = " Join the game with /encounter join." if who is not house.anna else ""
            assert told.content == "Vey is not yours; Bo controls this model." + how
    assert await (await house.bo.press(panel, "Lunge")).modal()
    assert len(house.public) == before


async def test_a_form_that_can_neither_be_done_nor_weighed_is_not_opened(house: House) -> None:
    """Who has chosen no power can use none, nor ask what one may come to."""
    await house.slash("demo")
    await house.begin(await house.panel())
    await house.slash("condition add", model="Prime Leader", condition="active")
    await house.slash("psi know", model="Prime Leader", powers="Blast")
    panel = await house.panel()
    assert await (await house.anna.press(panel, "Power")).modal()
    await house.slash("undo")
    told = await house.press(panel, "Power", stale=True)
    assert told.content == "First choose Prime Leader's powers with /psi know."


async def test_a_button_with_blanks_is_refused_before_they_are_filled_in(house: House) -> None:
    """Nobody but the organiser rules, whatever is written; who may, has the blanks."""
    await house.slash("demo", system="soluna")
    await house.slash("encounter join", house.bo, side="Hollow Moon")
    await house.press(await house.everybody_ready(await house.panel(), house.anna), "Begin")
    asked = await house.slash("question", house.bo, words="Was that in reach?")
    told = await house.press(asked, "The result was wrong... (only Anna)", house.bo)
    assert told.content == "Anna has to decide."
    assert await (await house.anna.press(asked, "The result was wrong... (only Anna)")).modal()


async def test_who_lets_nothing_pass_writes_no_reason(house: House) -> None:
    """Everybody sees the button below what is asked of somebody; the organiser alone gives a reason."""
    await house.slash("demo", system="soluna")
    await house.slash("encounter join", house.bo, side="Hollow Moon")
    await house.press(await house.everybody_ready(await house.panel(), house.anna), "Begin")
    asked = await house.slash("undo", house.bo)
    assert asked.content.startswith("Bo asks Anna to agree to undo this:")
    told = await house.press(asked, OVERRIDE, house.bo)
    assert told.content == "Only the organiser can override this, and has to give a reason."
    assert await (await house.anna.press(asked, OVERRIDE)).modal()


async def test_a_question_stands_on_the_panel_until_it_is_ruled_on(house: House) -> None:
    await house.slash("demo", system="soluna")
    await house.slash("encounter join", house.bo, side="Hollow Moon")
    await house.press(await house.everybody_ready(await house.panel(), house.anna), "Begin")
    before = await house.panel()
    await house.slash("question", house.bo, words="Was that in reach?")
    panel = await house.panel()
    assert "Waiting for Bo to act with Vey.**\n" in panel.content
    assert "Bo questions a result: Was that in reach?" in panel.content
    assert [one.label for one in panel.controls][:3] == [
        "Undo",
        "The result stands... (only Anna)",
        "The result was wrong... (only Anna)",
    ]
    form = await (await house.anna.press(panel, "The result stands... (only Anna)")).modal()
    await house.submit(form, {"words": "It was"})
    ruled = await house.panel()
    assert "questions" not in ruled.content.partition("Before: ")[0]
    assert [one.label for one in ruled.controls] == [one.label for one in before.controls]


async def test_an_organiser_may_insist_and_gives_a_reason(house: House) -> None:
    panel = await bos_turn(house)
    refused = await house.press(panel, "Move")
    assert [control.label for control in refused.controls] == [OVERRIDE]
    form = await (await house.anna.press(refused, OVERRIDE)).modal()
    told = await house.submit(form, {"to": "5,8"})
    assert told.content == "Vey is not yours; Bo controls this model."
    assert [control.label for control in told.controls] == [OVERRIDE], "no other square helps"
    why = await (await house.anna.press(told, OVERRIDE)).modal()
    (reason,) = why.fields
    moved = await house.submit(why, {reason.custom_id: "Bo is away"})
    assert "Override by Anna: Bo is away" in moved.content


async def test_what_may_be_asked_of_the_chances_has_its_form_although_it_may_not_be_done(
    house: House,
) -> None:
    """Whoever plays may ask the odds of what is too late; what has none is refused at once."""
    panel = await bos_turn(house)
    await house.slash("sol pass", house.bo, model="Vey")
    assert await (await house.bo.press(panel, "Lunge", stale=True)).modal()
    told = await house.press(panel, "Turn", house.bo, stale=True)
    assert told.content.startswith("Choose another model. Vey ")


@pytest.mark.parametrize(
    ("system", "line"),
    [
        ("counterblast", "shoot"),
        ("infinity", "shoot"),
        ("warzone", "spot"),
        ("fracd_earth", "attack"),
    ],
)
async def test_where_nobody_acts_the_form_asks_who(house: House, system: str, line: str) -> None:
    await house.slash("demo", system=system)
    form = await (await house.anna.slash("do", {"line": line})).modal()
    assert len(form.fields) > 1
