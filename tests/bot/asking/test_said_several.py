"""Where several may be said, a form has a menu in which several are chosen, whatever they are."""

from __future__ import annotations

import pytest

from bot.actions import action_of, parts, raw_of
from bot.games.counterblast.templates.template_attacks import Template
from bot.table.offers.forms import FormControl, build_form, read_form
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import RenameModel
from tests.bot.asking.test_friends import FREE
from tests.bot.tables import Table

SEVERAL = [
    ("counterblast", "cb.repair", "HOpR", "helpers", ("Sally Starfield", "Skip Westmoreland")),
    ("fracd_earth", "fe.move", "Rook", "ground", ("rough", "hedge")),
    ("warzone", "wz.move", "Adams", "terrain", ("normal", "rough")),
]


async def control_of(table: Table, system: str, command: str, who: str, field: str) -> FormControl:
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter(FREE.get(system)))
    await table.done("anna", NextStep())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    form = build_form(looking, action_of(command, {parts(command)[0].name: who}))
    return next(one for one in form.controls if one.name == field)


@pytest.mark.parametrize(("system", "command", "who", "field", "chosen"), SEVERAL)
async def test_several_are_chosen_at_once(
    table: Table, system: str, command: str, who: str, field: str, chosen: tuple[str, ...]
) -> None:
    control = await control_of(table, system, command, who, field)
    assert (control.shape, control.several) == ("menu", True)
    assert set(chosen) <= {choice.value for choice in control.choices}
    action, wrong = read_form(action_of(command, {}), {field: chosen})
    assert not wrong
    said = raw_of(action)[field]
    assert said == chosen or said == ", ".join(chosen)


async def test_of_a_name_that_two_sides_share_the_one_that_was_chosen_is_meant(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("bo", RenameModel("Trapper", "Smap 2"))
    encounter = await table.encounter()
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    offers = {one.label: one.value for one in looking.offers(Template("Skip"), "under")}  # type: ignore[call-arg]
    mine, theirs = (f"#{encounter.find_model(name).id}" for name in ("Smap (Lancers)", "Smap 2 (Edo)"))
    assert (offers["Smap, Lancers"], offers["Smap 2, Edo"]) == (mine, theirs)
    action, wrong = read_form(Template("Skip"), {"under": (mine, theirs)})  # type: ignore[call-arg]
    assert not wrong
    assert raw_of(action)["under"] == f"{mine}, {theirs}"
