"""A template onto several, put together by pressing: who lies under it, and nothing that was said is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import raw_of
from bot.games.warzone.blast_actions import Blast
from bot.games.warzone.shots import Template
from bot.replies.reply import Menu, Reply
from bot.table.offers.forms import begin_draft
from bot.table.offers.legal_actions import Looking
from bot.table.session.drafts import Draft
from rules.systems.warzone.model import Condition
from tests.bot.warzone.skirmish import MORTAR, Skirmish

SAID = {"cover": "soft", "weapon": "Mortar", "smoke": 2, "angle": 30, "gap": 2.5, "hidden": True}


async def _draft(game: Skirmish, template: Template) -> Draft:
    """How a template goes on that is ticked to be at several."""
    looking = Looking((await game.table.loaded()).book(), game.table.actor("anna"))
    begins = begin_draft(looking.act(template), template)
    assert isinstance(begins, Draft)
    return begins


async def _begun(game: Skirmish, **said: object) -> Draft:
    await game.add("Red", "Gunner", MORTAR)
    await game.add("Blue", "Bud", WD=2)
    await game.begin()
    await game.act("Gunner")
    gunner = await game.number("Gunner")
    return await _draft(game, Template(f"#{gunner}", "Bex", "8", **said))  # type: ignore[arg-type]


def _labels(reply: Reply) -> list[str]:
    return [one.label for one in reply.buttons]


def _named(menu: Menu) -> list[str]:
    return [one.label for one in menu.choices]


async def _pick(game: Skirmish, *names: str) -> Reply:
    """Choose these in the one menu of the draft."""
    assert game.last
    (menu,) = game.last.reply.menus
    values = {one.label: one.value for one in menu.choices}
    return await game.choose(*(values[name] for name in names))


@pytest.mark.rule("WZ-TMPL-01")
async def test_who_lies_under_it_is_pressed(game: Skirmish) -> None:
    begun = await _begun(game)
    reply = await game.asks(begun)
    assert reply.replaces
    assert reply.lines == (
        "Gunner: Mortar at Bex",
        "8 in, no cover",
        "Models under the template: Bex.",
        "Only you can see this.",
    )
    assert _labels(reply) == ["Fire", "Odds", "Back"]
    assert [menu.prompt for menu in reply.menus] == ["Which models are under the template, even partly?"]
    assert _named(reply.menus[0]) == ["Bud", "Rex", "Gunner"], "enemies first, and none twice"
    reply = await _pick(game, "Bud", "Rex")
    assert "Models under the template: Bex, Bud, Rex." in reply.lines
    assert game.last
    back = await game.table.press("anna", game.last, "Back")
    assert "Models under the template: Bex, Bud." in back.reply.lines
    assert _named(back.reply.menus[0]) == ["Rex", "Gunner"]
    for _ in range(2):
        back = await game.table.press("anna", back, "Back")
    assert _labels(back.reply) == [], "nothing is fired that is over nobody"


async def test_whom_it_covers_in_part_is_all_that_was_said_to_lie_under_it(game: Skirmish) -> None:
    reply = await game.asks(await _begun(game, partly="Bud"))
    assert "Models under the template: Bex." not in reply.lines


@pytest.mark.rule("WZ-TMPL-01")
async def test_it_fires_as_it_was_put_together(game: Skirmish) -> None:
    await game.asks(await _begun(game))
    await _pick(game, "Bud")
    reply = await game.press("Fire", 8, 11, 10)
    assert reply.lines[:3] == ("Gunner hits Bex.", "Bex: 1 wound, out of play", "Bud: no wound")
    assert game.last
    (fired,) = await game.table.desk.store.latest(game.last.scope, 1)
    assert fired.command == Template.command, "the journal holds the shot, and no draft"


async def test_nothing_that_the_form_said_is_lost(game: Skirmish) -> None:
    await game.asks(await _begun(game, **SAID))
    reply = await _pick(game, "Bud", "Rex")
    assert "8 in, soft cover, smoke level 2, 30" in " ".join(reply.lines)
    fire = next(one for one in reply.buttons if one.label == "Fire").action
    if isinstance(fire, Draft):
        answer = await game.table.do("anna", fire)
        assert answer.changed or "dice" in answer.reply.text
        return
    said = raw_of(fire)
    assert said["weapon"] == "#1"
    assert {name: said[name] for name in SAID if name != "weapon"} == {
        name: value for name, value in SAID.items() if name != "weapon"
    }
    numbers = [await game.number(name) for name in ("Bex", "Bud", "Rex")]
    assert said["under"] == ", ".join(f"#{number}" for number in numbers)


async def test_its_odds_lead_back_to_it(game: Skirmish) -> None:
    reply = await game.asks(await _begun(game))
    assert game.last
    answer = await game.table.press("anna", game.last, "Odds")
    assert "No dice were rolled." in answer.reply.lines
    assert answer.reply.replaces
    assert not answer.changed
    assert [one.label for one in answer.reply.buttons][-1] == "Back"
    back = await game.table.press("anna", answer, "Back")
    assert back.reply.lines == reply.lines


@pytest.mark.rule("WZ-TMPL-01")
async def test_it_asks_who_counts_by_the_settings_of_the_table(game: Skirmish) -> None:
    draft = await _begun(game)
    await game.setting("partial cover counts", "no")
    reply = await game.asks(draft)
    assert [menu.prompt for menu in reply.menus] == ["Which models are completely under the template?"]


async def test_it_is_refused_as_the_shot_is(game: Skirmish) -> None:
    draft = await _begun(game)
    assert "is not yours" in await game.refused(draft, "bo")
    unarmed = await _draft(game, Template(f"#{await game.number('Rex')}", "Bex", "8"))
    assert "has no template weapon" in await game.refused(unarmed)
    await game.under("Bex", Condition.WAITING)
    reply = await game.asks(draft)
    (fire, *_) = reply.buttons
    answer = await game.table.do("anna", fire.action)
    assert "bo can react with Bex (60 seconds)." in answer.reply.lines, (
        "a model on wait is asked first, as ever"
    )


async def test_without_a_target_there_is_nothing_to_go_on_from(game: Skirmish) -> None:
    looking = Looking((await game.table.loaded()).book(), game.table.actor("anna"))
    nobody = Template("Rex")  # type: ignore[call-arg]
    assert begin_draft(looking.act(nobody), nobody) is None


async def _astray(game: Skirmish) -> None:
    """A template deviates at a table of 28 models."""
    await game.add("Blue", "Grunt", count=20)
    await game.add("Blue", "Husk", count=5)
    await game.begin()
    await game.act("Gunner")
    await game.do(Template("Gunner", "Bex", "8"), 20, 14, 6)


@pytest.mark.rule("WZ-TMPL-02")
async def test_a_template_astray_finds_everybody_at_a_crowded_table(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await _astray(game)
    assert game.last
    (menu,) = game.last.reply.menus
    assert len(menu.choices) == 28
    assert [one.label for one in menu.choices][-2:] == ["Rex", "Gunner"], "enemies first"
    values = {one.label: one.value for one in menu.choices}
    reply = await game.choose(values["Grunt 2"], values["Rex"])
    assert reply.private
    assert "Models under the template: Grunt 2, Rex." in reply.lines
    assert [len(one.choices) for one in reply.menus] == [26]
    reply = await game.press("Roll", 11, 11)
    assert reply.lines[0] == "The Mortar template lands on Rex, Grunt 2."


async def test_only_the_firers_player_puts_it_together_where_it_lands(game: Skirmish) -> None:
    await game.add("Red", "Gunner", MORTAR)
    await _astray(game)
    assert game.last
    (menu,) = game.last.reply.menus
    assert isinstance(menu.action, Draft)
    assert menu.action.of == Blast.command
    assert "not yours" in await game.refused(menu.action, "bo")


async def test_too_many_for_one_message_is_said_and_what_was_chosen_stays(game: Skirmish) -> None:
    draft = await _begun(game, **SAID)
    await game.add("Blue", "Grunt", count=20)
    (menu,) = (await game.asks(draft)).menus
    every = tuple(int(one.value) for one in menu.choices)
    assert isinstance(menu.action, Draft)
    assert (
        "Choose fewer models, or type this as a command; there is no room for so many"
        in await game.refused(replace(menu.action, more=every))
    )
    few = await game.asks(replace(menu.action, more=every[:8]))
    assert "Fire" in _labels(few)
    assert len(fired_at(few)) == 9
    whole = await game.table.press("anna", game.last, "Odds")  # type: ignore[arg-type]
    assert "No dice were rolled." in whole.reply.lines


def fired_at(reply: Reply) -> list[str]:
    """Who lies under it, as the draft tells it."""
    told = " ".join(reply.lines).split("Models under the template: ")[1]
    return told.split(".")[0].split(", ")
