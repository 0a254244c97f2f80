"""Buttons of a Challenge or Check hold until it goes on, whatever else happens at the table."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.attack_actions import Attack
from bot.table.journal.history import Undo
from bot.table.session.encounters import JoinEncounter
from bot.table.session.models import NoteModel
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.fracd_earth.test_previews import VALE, acts

CLEO = "cleo"

MEANWHILE: list[tuple[str, Action]] = [(CLEO, JoinEncounter(watch=True)), (BO, NoteModel("Sable", "tired"))]


async def shot(duel: Duel) -> None:
    """Vale's carbine against Sable behind something soft: 9 and 5 for Vale, 5 and 5 for Sable."""
    await duel.stack(ANNA, top="9S 3S", buff="2H 3H 6H 8H 10H")
    await duel.stack(BO, top="5S 2S 6D 3D", buff="4C 7C 8C 9C 10C")
    await acts(duel, VALE)
    await duel.ask(ANNA, Attack(VALE, "Sable", 6, cover="soft"))


@pytest.mark.parametrize(("who", "meanwhile"), MEANWHILE)
async def test_somebody_joins_or_writes_a_note_in_the_middle_of_it(
    duel: Duel, who: str, meanwhile: Action
) -> None:
    table = duel.table

    async def goes_on(presser: str, label: str) -> None:
        """What was offered before is pressed after; then it is over."""
        offered = duel.answer
        duel.answer = await table.press(presser, offered, label)
        assert duel.answer.changed, duel.answer.reply.text
        again = await table.press(presser, offered, label)
        assert not again.changed
        assert "nothing was changed" in again.reply.text.lower()

    await shot(duel)
    before = duel.answer
    await table.done(who, meanwhile)
    assert duel.answer is before
    await goes_on(BO, "Defence 5")
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    await table.done("dan", JoinEncounter(watch=True))
    for presser in (BO, ANNA):
        await goes_on(presser, "Pass")
    await table.done("eve", JoinEncounter(watch=True))
    await goes_on(BO, "Push")
    await goes_on(ANNA, "Pass")
    # 14 against 10 and the Push of 6.
    assert duel.first == "Sable holds Captain Vale off with 2 to spare."


async def test_a_menu_of_edges_and_a_form_hold_too(duel: Duel) -> None:
    await shot(duel)
    await duel.press(BO, "Defence 5")
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    won = duel.answer
    assert all(menu.anytime for menu in won.reply.menus)
    await duel.table.done(CLEO, JoinEncounter(watch=True))
    await duel.choose(ANNA, "Buy", "abuse")
    assert duel.first == "Captain Vale: Abuse."
    late = await duel.table.press(ANNA, won, "Hit")
    assert "nothing was changed" in late.reply.text.lower()
    await duel.press(BO, "Pass")
    await acts(duel, "Ember")
    await duel.stack(ANNA, top="2S 3S")
    await duel.ask(ANNA, AreaAttack("Ember", 6, 4))
    await duel.select(ANNA, "3S")
    await duel.press(ANNA, "Pass")
    missed = duel.answer
    await duel.table.done("dan", JoinEncounter(watch=True))
    duel.answer = await duel.table.press(BO, missed, "Don't shift it")
    assert duel.first == "The area doesn't shift."
    assert "nothing was changed" in (await duel.table.press(BO, missed, "Don't shift it")).reply.text.lower()


async def test_a_button_holds_again_once_its_step_was_taken_back(duel: Duel) -> None:
    await shot(duel)
    asked = duel.answer
    await duel.table.press(BO, asked, "Defence 5")
    await duel.table.agreed(BO, Undo())
    duel.answer = await duel.table.press(BO, asked, "Manoeuvre 6")
    assert duel.first == "Sable defends with Manoeuvre."
