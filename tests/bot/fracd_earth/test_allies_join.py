"""Who joins an attack is pressed: a Combined attack, Teamwork, bases in the line, in one private message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.actions import Action
from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.attack_actions import Attack
from bot.table.offers.forms import begin_draft
from bot.table.offers.legal_actions import Looking
from bot.table.request import Answer
from bot.table.session.drafts import Draft
from bot.table.session.models import RemoveModel
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.fracd_earth.test_offered import acts


async def _draft(duel: Duel, kind: Callable[[str], Action]) -> Draft:
    """How what Captain Vale does goes on that is ticked to be done with others."""
    await acts(duel, "Captain Vale")
    action = kind(f"#{(await duel.encounter()).find_model('Captain Vale').id}")
    looking = Looking((await duel.table.loaded()).book(), duel.table.actor(ANNA))
    begins = begin_draft(looking.act(action), action)
    assert isinstance(begins, Draft)
    return begins


async def _begun(duel: Duel, **said: object) -> Draft:
    return await _draft(duel, lambda vale: Attack(vale, "Thug", 12.0, **said))  # type: ignore[arg-type]


def _menus(answer: Answer) -> dict[str, dict[str, str]]:
    return {menu.prompt: {one.label: one.value for one in menu.choices} for menu in answer.reply.menus}


async def _pick(duel: Duel, answer: Answer, prompt: str, *names: str) -> Answer:
    menu = next(one for one in answer.reply.menus if one.prompt == prompt)
    values = tuple(int(one.value) for one in menu.choices if one.label in names)
    return await duel.table.do(ANNA, replace(menu.action, more=values))


async def test_allies_of_an_attack_are_chosen_from_menus(duel: Duel) -> None:
    answer = await duel.table.do(ANNA, await _begun(duel, moving=True))
    menus = _menus(answer)
    assert answer.reply.private
    assert "For which allies is the target out of range and reach?" not in menus, "nobody helps yet"
    assert list(menus) == ["Allies in the Combined attack", "Allies who give Teamwork"], (
        "a base in the line would be refused"
    )
    assert answer.reply.lines[1] == "12 in, moving", "what the form said stands there"
    assert not {"Captain Vale", "Thug"} & menus["Allies who give Teamwork"].keys()
    answer = await _pick(duel, answer, "Allies who give Teamwork", "Rook", "Ember")
    assert "Teamwork: Rook, Ember." in answer.reply.lines
    assert _menus(answer)["For which allies is the target out of range and reach?"].keys() == {
        "Rook",
        "Ember",
    }
    answer = await _pick(duel, answer, "For which allies is the target out of range and reach?", "Ember")
    assert "Out of range and reach: Ember." in answer.reply.lines
    answer = await duel.table.press(ANNA, answer, "Back")
    answer = await duel.table.press(ANNA, answer, "Back")
    assert "Teamwork: Rook." in answer.reply.lines
    answer = await duel.table.press(ANNA, answer, "Attack")
    assert answer.changed
    assert answer.reply.lines[0] == "Captain Vale shoots at Thug."
    (kept,) = await duel.table.desk.store.latest(answer.scope, 1)
    assert kept.command == Attack.command
    assert '"moving":true' in kept.input


@pytest.mark.rule("FE-TEAM-01", "FE-TEAM-03")
async def test_whom_the_attack_could_not_have_is_not_offered(duel: Duel) -> None:
    answer = await duel.table.do(ANNA, await _begun(duel))
    answer = await _pick(duel, answer, "Allies who give Teamwork", "Rook")
    assert "Allies in the Combined attack" not in _menus(answer), "it gives its Main action once"
    both = Attack("Captain Vale", "Thug", 12.0, support="Rook", group="Rook")  # type: ignore[arg-type]
    assert "Rook only once (for Teamwork or a Combined attack)" in await duel.table.refused(ANNA, both)


async def test_it_is_nobody_elses_to_put_together(duel: Duel) -> None:
    assert "not yours" in await duel.table.refused(BO, await _begun(duel))


async def test_an_attack_at_the_ground_takes_teamwork_too(duel: Duel) -> None:
    area = await _draft(duel, lambda vale: AreaAttack(vale, 12.0))  # type: ignore[arg-type]
    answer = await duel.table.do(ANNA, area)
    assert list(_menus(answer)) == ["Allies who give Teamwork"]


async def test_all_that_the_form_said_stands_there(duel: Duel) -> None:
    said = {
        "manner": "focused",
        "cover": "hard",
        "behind": True,
        "armour": 2,
        "effective": 20.5,
        "line": "Thug",
    }
    answer = await duel.table.do(ANNA, await _begun(duel, **said))
    told = " ".join(" ".join(answer.reply.lines[1:-1]).split())
    assert told == "12 in, manner focused, cover hard, behind, range 20.5, armour 2, line Thug"


async def test_who_left_play_joins_no_more(duel: Duel) -> None:
    answer = await duel.table.do(ANNA, await _begun(duel))
    answer = await _pick(duel, answer, "Allies who give Teamwork", "Rook", "Ember")
    answer = await _pick(duel, answer, "For which allies is the target out of range and reach?", "Rook")
    joined = answer.reply.menus[0].action
    await duel.table.do(ANNA, RemoveModel("Rook"))
    lines = (await duel.table.do(ANNA, joined)).reply.lines
    assert "Teamwork: Ember." in lines
    assert "Rook" not in " ".join(lines)
