"""Where a friend is asked for, those on the side of who acts are offered, and not who acts."""

from __future__ import annotations

import pytest

from bot.actions import action_of, parts
from bot.games.fracd_earth.activation_actions import Activate
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.soluna.board import FACING_WORDS, facing_of, put_model, square_of
from bot.games.soluna.move_actions import Move as Step
from bot.games.soluna.move_actions import Turn
from bot.games.warzone.move_actions import Move
from bot.table.encounter import Encounter
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.arranging import arrange
from tests.bot.tables import Table
from tests.bot.waited import waited_for

FREE = {"warzone": "Hollow", "soluna": "Hollow Moon", "fracd_earth": "Prowlers"}

GUARD = ("Sgt Rook", "Adams", "Brandt", "Cole", "Dietz")

OFFERED = [
    ("soluna", "sol.grapple", "Ilka", "helpers", {"Tarn", "Brin"}),
    (
        "warzone",
        "wz.rally",
        "Crawler",
        "lender",
        {"Colonel Voss", "Sgt Rook"},
    ),
    ("warzone", "wz.board", "Colonel Voss", "vehicle", {"Crawler"}),
    ("warzone", "wz.board", "Crawler", "vehicle", set[str]()),
    ("fracd_earth", "fe.attack", "Rook", "support", {"Captain Vale", "Ember"}),
    ("fracd_earth", "fe.attack", "Rook", "group", {"Captain Vale", "Ember"}),
]


@pytest.mark.parametrize(("system", "command", "who", "field", "named"), OFFERED)
async def test_only_friends_of_who_acts_are_offered(
    table: Table, system: str, command: str, who: str, field: str, named: set[str]
) -> None:
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter(FREE[system]))
    await table.done("anna", NextStep())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    offers = looking.offers(action_of(command, {parts(command)[0].name: who}), field)
    assert {offer.label for offer in offers} == named


async def test_a_combined_defence_is_chosen_from_menus(table: Table) -> None:
    """Who was attacked, and by whom, is known: only the allies are asked, and the trait."""
    await table.done("anna", StartDemo("fracd_earth"))
    await table.done("bo", JoinEncounter("Prowlers"))
    await table.done("anna", NextStep())
    encounter = await table.encounter()
    first = "anna" in waited_for(encounter)
    who, foe, name, whom = ("anna", "bo", "Rook", "Sable") if first else ("bo", "anna", "Sable", "Rook")
    await table.done(who, Activate(name=name))
    asked = await table.done(who, Attack(name, whom, distance=0))
    together = next(button for button in asked.reply.buttons if button.label == "Together...")
    assert together.asks
    looking = Looking((await table.loaded()).book(), table.actor(foe))
    trait, allies = build_form(looking, together.action).controls
    assert (trait.shape, [choice.value for choice in trait.choices]) == ("radio", ["def", "manv"])
    side = encounter.find_model(whom).side
    assert [choice.label for choice in allies.choices] == [
        row.name for row in encounter.models(side) if row.name != whom
    ]
    assert allies.several


async def test_who_turns_is_offered_what_is_another_facing_enemies_first(table: Table) -> None:
    """A form handed in as it stands turns the model: it faces no way that it faces already."""
    await table.done("anna", StartDemo("soluna"))
    await table.done("bo", JoinEncounter("Hollow Moon"))
    await table.done("anna", NextStep())
    ahead = await turned(table)
    foes = [row.name for row in (await table.encounter()).models(2)]
    assert not set(foes) & set(ahead), "they stand before who looks at them"
    away = next(one for one in ahead if one in FACING_WORDS.values())
    await arrange(table, "anna", lambda encounter: look(encounter, away))
    assert (await turned(table))[: len(foes)] == foes


async def turned(table: Table) -> list[str]:
    """What Ilka may turn to: neither where it looks already, nor itself."""
    encounter = await table.encounter()
    offers = Looking(encounter.book, table.actor("anna")).offers(Turn("Ilka"), "face")
    assert not {"Ilka", FACING_WORDS[facing_of(encounter.find_model("Ilka"))]} & {one.label for one in offers}
    return [one.label for one in offers]


def look(encounter: Encounter, word: str) -> None:
    row = encounter.find_model("Ilka")
    square = square_of(row)
    assert square is not None
    facing = next(one for one, called in FACING_WORDS.items() if called == word)
    put_model(encounter, row.id, square, facing)


async def test_ground_that_nobody_enters_is_not_offered(table: Table) -> None:
    """Rules: WZ-TERR-01."""
    await table.done("anna", StartDemo("warzone"))
    await table.done("bo", JoinEncounter("Hollow"))
    await table.done("anna", NextStep())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    offers = [offer.label for offer in looking.offers(Move("Adams"), "terrain")]
    assert offers == ["normal", "limiting", "rough", "water"]


async def test_the_line_for_the_rest_names_each_field_once(table: Table) -> None:
    await table.done("anna", StartDemo("soluna"))
    await table.done("anna", NextStep())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    rest = build_form(looking, Step("Ilka")).controls[-1]
    assert (rest.label, rest.note) == ("More", "Enter other values like this: `to: ...`.")
