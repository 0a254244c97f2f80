"""The season at a glance, and a crew's own panel: what waits, what is possible now, pressed and not typed."""

from __future__ import annotations

from bot.actions import raw_of
from bot.games.counterblast.campaign.downtime import OfferRansom, Release
from bot.store.row_types import FixtureRow
from bot.table.campaign.administration import Archive
from bot.table.campaign.campaign_crews import Adjust, Buy
from bot.table.campaign.campaign_report import RecordFixture
from bot.table.campaign.campaign_views import ShowEntrant
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign, Schedule
from bot.table.campaign.fixture_dates import MyReminders
from bot.table.campaign.season import MyCrew, Organise, Season
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from bot.table.rosters.crews import CreateCrew
from tests.bot.campaign.league import League
from tests.bot.campaign.test_mission_gains import held


async def shown(league: League, who: str = "cy") -> str:
    reply = (await league.do(who, Season(league.scope))).reply
    assert reply.private
    return reply.text


def joined(text: str) -> str:
    return " ".join(text.split())


async def recorded(league: League, crew: str, mine: int, theirs: int) -> None:
    report = await league.done("anna", RecordFixture(league.scope, fixture=crew, home=mine, away=theirs))
    await league.press("anna", report, "Confirm")


async def open_fixtures(league: League) -> list[FixtureRow]:
    return [one for one in (await league.book()).all(FixtureRow) if one.status == "open"]


async def test_what_waits_and_for_whom(league: League) -> None:
    await league.begin("anna", "bo", "cy", "dee")
    await league.done("anna", Schedule(league.scope))
    text = joined(await shown(league))
    assert text.startswith("**Rust Belt**, round 1 of 3")
    assert text.count("to be played") == 2
    await league.played("bo")
    assert joined(await shown(league)).count("begun but not reported yet") == 1


async def test_the_trend_is_counted_from_the_round_before(league: League) -> None:
    """Edo and Watch win round 1; in round 2 the first of them loses to the other and goes down."""
    await league.begin("anna", "bo", "cy", "dee")
    await league.done("anna", Schedule(league.scope))
    names = {(await league.entrant(name)).id: name for name in ("Lancers", "Edo", "Mekkus", "Watch")}
    for one in await open_fixtures(league):
        await recorded(league, names[one.home], 40, 1)
    text = await shown(league)
    assert " up)" not in text
    first = next(line for line in text.splitlines() if line.startswith("1. ")).split(" ")[1]
    await league.done("anna", Schedule(league.scope))
    await recorded(league, first, 1, 40)
    lines = (await shown(league)).splitlines()
    assert next(line for line in lines if f" {first} " in line).endswith(" down)")
    assert any(line.startswith("1. ") and line.endswith(" up)") for line in lines) or any(
        line.startswith("1. ") and first not in line for line in lines
    )


async def test_the_next_thing_to_do_is_a_button(league: League) -> None:
    await league.begin("anna", "bo")
    await league.press("anna", await league.do("anna", Season(league.scope)), "Pair round 1")
    labels = [button.label for button in (await league.do("anna", Season(league.scope))).reply.buttons]
    assert "Report a game" in labels
    report = await league.done("bo", RecordFixture(league.scope, fixture="Edo", home=20, away=3))
    labels = [button.label for button in (await league.do("anna", Season(league.scope))).reply.buttons]
    assert "Open the report" in labels
    await league.press("anna", report, "Confirm")
    text = joined(await shown(league))
    assert "the organiser has to pair round 2" in text
    assert "Edo (bo): can spend 200 requisition points and 7 upgrade points" in text


async def test_a_crew_is_one_press_away(two: League) -> None:
    menu = (await two.do("cy", Season(two.scope))).reply.menus[0]
    assert {choice.value for choice in menu.choices} == {"Edo", "Lancers"}


async def test_one_is_offered_what_is_possible_and_the_form_what_can_be_had(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    reply = (await two.do("bo", MyCrew(two.scope))).reply
    assert reply.private
    buttons = {button.label: button for button in reply.buttons}
    assert "Buy a member" in buttons
    assert "Trade salvage" not in buttons
    await two.done("anna", Adjust(two.scope, "Edo", "salvage tokens", 2, "to test"))
    labels = [button.label for button in (await two.do("bo", MyCrew(two.scope))).reply.buttons]
    assert "Trade salvage" in labels
    action = buttons["Buy a member"].action
    act = await two.table.desk.look(two.table.actor("bo"), action)
    assert act is not None
    form = build_form(Looking(act.book, act.actor), action, act.extra)
    whom = next(control for control in form.controls if control.name == "who")
    assert whom.choices
    for choice in whom.choices[:3]:
        done = await two.done("bo", Buy(two.scope, "", choice.value))
        await two.press("bo", done, "Undo")


async def test_it_is_private_and_the_organiser_decides_for_somebody_visibly(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    assert "not yours" in await two.refused("cy", MyCrew(two.scope, "Edo"))
    reply = (await two.do("anna", MyCrew(two.scope, "Edo"), reason="bo is away")).reply
    assert {raw_of(button.action).get("crew") for button in reply.buttons if button.asks} == {"Edo"}
    done = await two.done("anna", Buy(two.scope, "Edo", "Trapper"), reason="bo is away")
    assert any("bo is away" in line for line in done.reply.lines)
    assert not done.reply.private


async def test_a_ransom_is_offered_taken_and_in_the_ledger(two: League) -> None:
    await held(two)
    await two.done("anna", Adjust(two.scope, "Lancers", "requisition", 30, "to test"))
    before = {name: (await two.entrant(name)).counters.get("requisition", 0) for name in ("Lancers", "Edo")}
    assert "requisition points (you entered 999" in await two.refused(
        "anna", OfferRansom(two.scope, "", "GDF Ranger", 999)
    )
    await two.done("anna", OfferRansom(two.scope, "", "GDF Ranger", 9))
    withdrawn = (await two.done("anna", OfferRansom(two.scope, "", "GDF Ranger", 0))).reply
    assert withdrawn.text == "Lancers withdraws the offer for GDF Ranger."
    offered = await two.done("anna", OfferRansom(two.scope, "", "GDF Ranger", 12))
    assert "There is no captive" in await two.refused("anna", Release(two.scope, "", "GDF Ranger"))
    assert "not yours" in await two.refused("anna", Release(two.scope, "Edo", "GDF Ranger"))
    await two.press("bo", offered, "Free the captive")
    assert (await two.veteran("GDF Ranger")).status == "fit"
    assert (await two.veteran("GDF Ranger")).counters == {}
    assert (await two.entrant("Lancers")).counters["requisition"] == before["Lancers"] - 12
    assert (await two.entrant("Edo")).counters["requisition"] == before["Edo"] + 12


async def test_who_offers_nothing_may_be_let_go_all_the_same(two: League) -> None:
    await held(two)
    done = await two.done("bo", Release(two.scope, "", "GDF Ranger"))
    assert "asks for no ransom." in done.reply.text
    assert (await two.veteran("GDF Ranger")).status == "fit"


async def test_the_organiser_sees_what_somebody_may_do_now_and_no_more(two: League) -> None:
    shown = await two.do("anna", ShowEntrant(two.scope, "Edo"))
    reply = (await two.press("anna", shown, "Act for bo")).reply
    assert reply.private
    labels = {button.label for button in reply.buttons}
    assert "Members who sit out" in labels
    assert "Trade salvage" not in labels
    await two.done("anna", Adjust(two.scope, "Edo", "salvage tokens", 2, "to test"))
    again = await two.do("anna", MyCrew(two.scope, "Edo"))
    assert "Trade salvage" in {button.label for button in again.reply.buttons}
    assert "it belongs to bo" in await two.refused("anna", Buy(two.scope, "Edo", "Trapper"))
    strangers = await two.do("cy", ShowEntrant(two.scope, "Edo"))
    assert [button.label for button in strangers.reply.buttons] == ["Ledger"]


async def test_who_has_no_crew_in_it_is_led_to_bring_one_until_it_begins(league: League) -> None:
    await league.begin("anna", "bo")
    assert "Use /campaign join to join with your crew." in await shown(league)
    assert "Join with a crew" not in await shown(league, "bo")
    await league.done("anna", Schedule(league.scope))
    assert "Join with a crew" not in await shown(league)


async def test_who_has_no_crew_of_its_game_makes_one_by_pressing(league: League) -> None:
    """None at all, or one of another game: either way to a form that makes one of the right game."""
    made = await league.table.done("anna", CreateCampaign("Rust Belt", "warzone"))
    league.scope = made.scope
    other = await league.table.done("bo", CreateCrew("Foxes", "soluna"))
    for crew in (0, other.scope):
        asked = await league.do("bo", JoinCampaign(league.scope, crew))
        assert asked.reply.private
        assert "Ultimate Warzone" in asked.reply.text
        make = asked.reply.buttons[0]
        assert (make.action, make.asks) == (CreateCrew(system="warzone", built=True), True)
        assert asked.reply.buttons[1].action == JoinCampaign(league.scope)


async def test_what_an_organiser_does_beside_the_rounds_is_a_press_away(league: League) -> None:
    """To him alone, and what is possible now: nothing is corrected before a game is reported."""
    await league.begin("anna", "bo", "cy")
    assert "Organiser" not in (await league.do("bo", Season(league.scope))).reply.text
    for who in ("bo", "dee"):
        labels = [one.label for one in (await league.do(who, Season(league.scope))).reply.buttons]
        assert not {"Organise...", "Pair round 1"} & set(labels)
        assert ("My crew" in labels) == (who == "bo")
    assert "Only the organiser" in await league.refused("bo", Organise(league.scope))
    panel = await league.press("anna", await league.do("anna", Season(league.scope)), "Organise...")
    assert panel.reply.private
    before = [one.label for one in panel.reply.buttons]
    ways = {"Campaign house rules", "Second campaign organiser", "Hand the campaign over", "Archive"}
    assert ways <= set(before)
    assert "Restore" not in before
    assert not {"Swap opponents", "Correct a result"} & set(before), "no round is paired"
    await league.done("anna", Schedule(league.scope))
    fixture = next(one for one in (await league.book()).all(FixtureRow) if one.status == "open")
    report = await league.done("anna", RecordFixture(league.scope, 0, f"#{fixture.id}", 5, 2))
    await league.press("anna", report, "Confirm")
    after = [one.label for one in (await league.do("anna", Organise(league.scope))).reply.buttons]
    assert {"Correct a result", "Add a fixture"} <= set(after)
    await league.done("anna", Archive(league.scope))
    away = [one.label for one in (await league.do("anna", Organise(league.scope))).reply.buttons]
    assert "Restore" in away
    assert "Archive" not in away


async def test_reminders_are_offered_to_who_plays(league: League) -> None:
    await league.begin("anna", "bo")
    for who, there in (("bo", True), ("cy", False)):
        reply = (await league.do(who, MyReminders(league.scope))).reply
        assert ("A day before my game" in [one.label for one in reply.buttons]) == there
        assert ("Join with a crew to get reminders about its games" in reply.text) != there
