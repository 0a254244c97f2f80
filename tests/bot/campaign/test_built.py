"""A Hero of one's own for a crew in a campaign: built by menus as at home, bought from the purse."""

from __future__ import annotations

import pytest

from bot.games.counterblast.building.hero_building import NameThing, ShowDraft, StartHero
from bot.games.counterblast.building.hero_drafts import BuyBuilt, FinishHero
from bot.games.counterblast.state.models import fighter
from bot.replies.reply import Button
from bot.store.row_types import VeteranRow
from bot.store.rows import CrewRow
from bot.table.campaign.campaign_crews import Adjust, LeaveCampaign
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import RecordFixture
from bot.table.campaign.campaigns import JoinCampaign
from bot.table.campaign.season import MyCrew
from bot.table.journal.history import Undo
from bot.table.rosters.crews import BringHome, ShowCrew
from bot.table.rosters.printing import PrintCrew
from tests.bot.campaign.league import League

HUMAN, STR_DIE, PISTOL = 13, 3, 5
"""Points: of the template (CB-BUILD-02), of a second die of STR (CB-BUILD-16), of a Particle Beam Pistol."""


async def purse(league: League) -> int:
    return (await league.entrant("Edo")).counters.get("requisition", 0)


async def paid(league: League, points: int) -> None:
    now = await purse(league)
    await league.done("anna", Adjust(league.scope, "Edo", "requisition", points - now, "to test"))


async def built(league: League, *things: str, name: str = "Zed") -> list[Button]:
    """Bo builds a Human for Edo; the buttons below it."""
    await league.done("bo", StartHero(league.crews["bo"], "Human", name))
    for thing in things:
        await league.done("bo", NameThing(league.crews["bo"], thing))
    return list((await league.do("bo", ShowDraft(league.crews["bo"]))).reply.buttons)


async def named(league: League, name: str) -> list[VeteranRow]:
    return [row for row in (await league.book()).all(VeteranRow) if row.name == name]


@pytest.mark.rule("CB-BUILD-01", "CB-CAMP-05")
async def test_it_is_built_by_menus_and_bought_from_the_purse(two: League) -> None:
    await paid(two, 30)
    panel = await two.do("bo", MyCrew(two.scope))
    (build,) = [one for one in panel.reply.buttons if one.label == "Build a Hero..."]
    assert (build.action, build.asks) == (StartHero(two.crews["bo"]), True)
    begun = await two.done("bo", StartHero(two.crews["bo"], "Human", "Zed"))
    assert begun.reply.replaces
    assert "Price in Rust Belt: 13 requisition points (you have 30)" in begun.reply.lines
    menu = await two.press("bo", begun, "Weapon...")
    assert "Price in Rust Belt: 13 requisition points (you have 30)" in menu.reply.lines
    dear = [one for one in menu.reply.menus[0].choices if "too dear for Rust Belt" in one.note]
    assert not dear, "what can be paid stands first"
    key = next(one.value for one in menu.reply.menus[0].choices if one.label == "Particle Beam Pistol")
    await two.table.choose("bo", menu, key)
    at = await two.done("bo", NameThing(two.crews["bo"], "STR dice"))
    assert "Finish" not in [one.label for one in at.reply.buttons]
    bought = await two.press("bo", at, f"Buy for {HUMAN + STR_DIE + PISTOL} points")
    assert bought.reply.lines[0] == "Zed joins Edo for 21 points."
    assert "You lose 7 unspent Upgrade Points." in bought.reply.lines
    assert await purse(two) == 30 - 21
    (zed,) = await named(two, "Zed")
    assert zed.points == 21
    assert "bought for 21 points" in {row.cause for row in await two.ledger() if row.member == zed.id}


async def test_who_was_bought_is_shown_printed_and_fielded_like_anybody(two: League) -> None:
    await paid(two, 100)
    await built(two, "Particle Beam Pistol")
    await two.done("bo", BuyBuilt(two.scope))
    assert " Zed" in (await two.do("bo", ShowCrew(two.crews["bo"]))).reply.text
    assert any("Zed" in file.words for file in (await two.do("bo", PrintCrew(two.crews["bo"]))).reply.files)
    await two.table.done("bo", PlayFixture(two.scope))
    encounter = await two.table.encounter()
    zed = fighter(encounter, encounter.find_model("Zed"))
    assert [one.name for one in zed.weapons] == ["Particle Beam Pistol"]
    assert zed.profile.is_hero


async def test_what_it_cannot_pay_is_refused_and_marked(two: League) -> None:
    await paid(two, 16)
    await built(two)
    menu = await two.press("bo", await two.do("bo", ShowDraft(two.crews["bo"])), "Raise...")
    notes = {one.label: one.note for one in menu.reply.menus[0].choices}
    assert "too expensive for" not in notes["STR dice"], "13 and 3 are 16"
    await two.done("bo", NameThing(two.crews["bo"], "Particle Pistol"))  # as the printed lists call it
    shown = (await two.do("bo", ShowDraft(two.crews["bo"]))).reply
    assert "Price in Rust Belt: 18 requisition points (you have 16)" in shown.lines
    assert "costs 18 requisition points, but Edo has only 16" in await two.refused("bo", BuyBuilt(two.scope))


@pytest.mark.rule("CB-CAMP-05", "CB-MISS-18")
async def test_each_model_costs_one_more_after_an_invasion(two: League) -> None:
    await paid(two, 50)
    await two.done("anna", Adjust(two.scope, "Edo", "next: reinforcements", 1, "invaded"))
    labels = [one.label for one in await built(two)]
    assert f"Buy for {HUMAN + 1} points" in labels
    await two.done("bo", BuyBuilt(two.scope))
    assert await purse(two) == 50 - HUMAN - 1


async def test_once_as_it_stands_and_again_when_it_is_taken_back(two: League) -> None:
    await paid(two, 100)
    await built(two)
    await two.done("bo", BuyBuilt(two.scope))
    assert "You have already bought Zed." in await two.refused("bo", BuyBuilt(two.scope))
    labels = [one.label for one in (await two.do("bo", ShowDraft(two.crews["bo"]))).reply.buttons]
    assert not [one for one in labels if one.startswith("Buy")]
    await two.done("bo", Undo(), scope=two.scope)
    assert await purse(two) == 100
    await two.done("bo", BuyBuilt(two.scope))
    await built(two, name="Zoe")
    await two.done("bo", BuyBuilt(two.scope))
    assert [one.points for one in (*await named(two, "Zed"), *await named(two, "Zoe"))] == [HUMAN, HUMAN]


async def test_nobody_else_buys_it_and_nobody_in_between_a_game_and_its_report(two: League) -> None:
    await paid(two, 100)
    await built(two)
    assert "Choose one of these crews: " in await two.refused("cy", BuyBuilt(two.scope))
    assert "You aren't building a model for" in await two.refused("anna", BuyBuilt(two.scope))
    others = (await two.do("anna", MyCrew(two.scope, "Edo"), reason="bo is away")).reply
    assert "Build a Hero..." not in [one.label for one in others.buttons]
    await two.table.done("bo", PlayFixture(two.scope))
    assert "end the game, then use /campaign after" in await two.refused("bo", BuyBuilt(two.scope))


async def test_none_is_bought_while_a_report_is_open(two: League) -> None:
    await paid(two, 100)
    await built(two)
    await two.done("bo", RecordFixture(two.scope, 0, "Edo", 9, 4))
    assert "The report of Edo - Lancers is open" in await two.refused("bo", BuyBuilt(two.scope))


async def test_it_is_finished_at_home_and_bought_in_a_campaign(two: League) -> None:
    await paid(two, 100)
    crew = two.crews["bo"]
    await built(two)
    assert "Buy the model with /hero show, because" in await two.refused("bo", FinishHero(crew))
    await two.done("bo", LeaveCampaign(two.scope))
    assert "Use /crew home to bring" in await two.refused("bo", FinishHero(crew))
    await two.table.done("bo", BringHome(crew))
    await two.table.done("bo", FinishHero(crew))


async def test_who_is_being_built_stays_at_home(league: League) -> None:
    """The campaign's copy, and what comes home, neither keeps an old one nor takes the place of a new one."""
    await league.begin("anna")
    await league.crew("bo")
    crew = league.crews["bo"]
    await league.table.done("bo", StartHero(crew, "Human", "Zed"))
    await league.done("bo", JoinCampaign(league.scope, crew))
    assert not (await league.entrant("Edo")).traits
    await league.done("bo", NameThing(crew, "Life"))
    before = (await drafted(league)).traits["draft"]
    await league.done("bo", LeaveCampaign(league.scope))
    await league.table.done("bo", BringHome(crew))
    assert (await drafted(league)).traits["draft"] == before


async def drafted(league: League) -> CrewRow:
    loaded = await league.table.desk.store.load(league.crews["bo"])
    row = loaded.book().get(CrewRow) if loaded is not None else None
    assert row is not None
    return row
