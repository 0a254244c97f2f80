"""Joining: who is asked, what a seat shows, who is removed; nobody is locked out of their own game."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from bot.actions import with_text
from bot.games.counterblast.missions.mission_choices import ChooseSecretly, ShowMissions
from bot.store.doctor import examine
from bot.store.rows import AskRow, TieRow
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaigns import Schedule
from bot.table.desk import CHANNEL_FREE_MS
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import ShowLog
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember
from bot.table.session.encounters import (
    EndEncounter,
    JoinEncounter,
    NextStep,
    ShowEncounter,
    StartDemo,
    StartEncounter,
)
from bot.table.session.joining import MAX_REQUESTS, Admit, JoinWithSample, RemovePerson
from bot.table.session.models import DamageModel, HandOverModel
from bot.table.session.possible_actions import build_status_lines
from tests.bot.campaign.league import League
from tests.bot.house import House
from tests.bot.tables import Table, opened, url_of
from tests.games import SYSTEMS

EDO = JoinEncounter("Edo")
WATCH = JoinEncounter(watch=True)


@pytest.fixture
async def game(table: Table) -> Table:
    """Anna started it and plays the Lancers, Bo the Edo; it has begun."""
    await table.done("anna", StartDemo())
    await table.done("bo", EDO)
    await table.done("anna", NextStep())
    return table


async def seats(table: Table) -> dict[str, tuple[int, str]]:
    return {row.name: (row.side, row.role) for row in (await table.encounter()).seats()}


async def owners(table: Table, side: int) -> set[int]:
    return {row.owner_id for row in (await table.encounter()).models(side)}


# ------------------------------------------------------------------------------------ asked


async def test_a_stranger_takes_nothing_of_a_running_game(game: Table) -> None:
    """The whole raid: join, undo everything, start a game of one's own, and the organiser shut out."""
    await game.done("bo", DamageModel("Trapper"))
    before = game.state()
    joined = await game.done("cy", EDO)
    assert joined.reply.lines == ("cy asks to play Edo.", "bo or anna has to decide.")
    assert game.state() == before
    assert "Only players" in await game.refused("cy", Undo(10))
    assert "Only players" in await game.refused("cy", Redo())
    assert "A game is already running in this channel" in await game.refused("cy", StartDemo())
    assert "Only the organiser" in await game.refused("cy", EndEncounter())
    assert "Only the organiser" in await game.refused("cy", RemovePerson(game.ids["bo"], "too loud"))
    await game.done("anna", EndEncounter())


async def test_a_rival_undoes_no_start_and_nothing_of_the_other_alone(game: Table) -> None:
    before = game.state()
    asked = await game.done("bo", Undo(10))
    assert asked.reply.lines[0] == "bo asks anna to agree to undo this:"
    assert not any("a sample game" in line for line in asked.reply.lines)
    assert game.state() == before
    await game.press("anna", asked, "Agree")
    assert (await game.encounter()).row.status == "setup"
    assert "bo" not in await seats(game)
    assert "Only players" in await game.refused("bo", Undo(10))


async def test_no_player_undoes_the_start(table: Table) -> None:
    """Not even one who has a seat from the start, as in a campaign."""
    league = League(table)
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    started = await table.done("anna", PlayFixture(league.scope))
    assert "Only the organiser can undo or redo the start" in await table.refused(
        "bo", Undo(), scope=started.scope
    )
    await table.done("anna", Undo(), scope=started.scope)


async def test_an_undo_that_was_not_agreed_to_bars_nobody_from_joining(table: Table) -> None:
    """Only who was not let in to play waits for an answer; another request that was refused says nothing."""
    await table.done("anna", StartEncounter("warzone"))
    await table.done("bo", JoinWithSample(1))
    asked = await table.done("anna", Undo())
    await table.press("bo", asked, "Don't agree")
    joined = await table.done("anna", JoinWithSample(0))
    assert joined.reply.lines[0] == "anna joins with Republic: 7 models."


async def test_who_asks_to_join_stands_on_the_panel_and_is_answered_there(house: House) -> None:
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    await house.begin(await house.panel())
    for name in ("Cy", "Di", "Ed"):
        person = house.server.person(name.lower(), name)
        await house.slash("encounter join", person, side="Edo")
    panel = await house.panel()
    assert [line.strip("*") for line in panel.content.split("\n")][:7] == [
        "Ed asks to play Edo.",
        "Bo or Anna has to decide.",
        "■ Lancers. Waiting for Anna to draw for Lancers.",
        "Cy asks to play Edo. Bo or Anna has to decide.",
        "Di asks to play Edo. Bo or Anna has to decide.",
        "1 more person asks to join. See /encounter status.",
        "COUNTERBLAST  turn 1 of 8",
    ]
    labels = [one.label for one in panel.controls]
    assert labels == [
        "Undo",
        "Let in",
        "Don't let in",
        "Let Cy in",
        "Don't let Cy in",
        "Let Di in",
        "Don't let Di in",
        "Draw",
        "Log",
        "More...",
    ]
    assert "can decide that" in (await house.press(panel, "Let Cy in", house.server.people["cy"])).content
    assert "Cy joins Edo." in (await house.press(panel, "Let Cy in", house.bo)).content
    assert "decided not to let Di play" in (await house.press(await house.panel(), "Don't let Di in")).content
    panel = await house.panel()
    assert [one.label for one in panel.controls][1:3] == ["Let Ed in", "Don't let Ed in"]


async def test_only_who_answers_a_request_is_told_of_it(game: Table) -> None:
    """Of the requests on the panel, which shows two."""
    for who in ("cy", "dee", "eve"):
        await game.done(who, EDO)
    encounter = await game.encounter()

    def told(who: str) -> list[str]:
        lines = build_status_lines(encounter, game.actor(who), 0)
        return [line for line in lines if "has asked to play" in line]

    asked = [f"{who} has asked to play. Answer on the panel." for who in ("cy", "dee")]
    assert [told(who) for who in ("anna", "bo", "cy")] == [asked, asked, []]


async def test_a_captain_is_not_offered_to_let_in_who_played_for_another_side(game: Table) -> None:
    await game.press("anna", await game.done("cy", JoinEncounter("Lancers")), "Let in")
    await game.done("cy", WATCH)
    await game.done("cy", EDO)
    shown = [(await game.do(who, ShowEncounter())).reply.buttons for who in ("anna", "bo")]
    assert ["Let cy in" in [button.label for button in buttons] for buttons in shown] == [True, False]


@pytest.mark.parametrize("decider", ["bo", "anna"])
async def test_the_captain_or_the_organiser_lets_in(game: Table, decider: str) -> None:
    asked = await game.done("cy", EDO)
    for who in ("cy", "dan"):
        assert "can decide that" in (await game.press(who, asked, "Let in")).reply.text
    let = await game.press(decider, asked, "Let in")
    assert let.reply.lines == ("cy joins Edo.", f"{decider} lets cy in.")
    assert (await seats(game))["cy"] == (2, "player")
    assert "That request is no longer open" in (await game.press(decider, asked, "Let in")).reply.text
    assert (await examine(url_of(game.file))).faults == ()


async def test_nobody_is_let_into_a_game_that_is_over(game: Table) -> None:
    asked = await game.done("cy", EDO)
    await game.done("anna", EndEncounter())
    late = await game.press("bo", asked, "Let in")
    assert not late.changed
    assert late.reply.text == "This game has ended."


async def test_nobody_is_let_into_a_side_that_was_taken_back(table: Table) -> None:
    await table.done("anna", StartEncounter())
    await table.done("bo", JoinWithSample(0))
    asked = await table.done("cy", JoinEncounter("Lancers"))
    await table.done("bo", Undo())
    late = await table.press("anna", asked, "Let in")
    assert not late.changed
    assert "That side is no longer in the game." in late.reply.text


async def test_a_request_outlives_a_restart(file: Path) -> None:
    async with opened(file) as table:
        await table.done("anna", StartDemo())
        await table.done("bo", EDO)
        asked = await table.done("cy", EDO)
        ids = table.ids
    async with opened(file, 50) as again:
        again.ids.update(ids)
        again.interactions = itertools.count(20_001)
        shown = await again.do("bo", ShowEncounter())
        assert "cy asks to play Edo." in shown.reply.lines
        assert [button.label for button in shown.reply.buttons] == ["Let cy in"]
        assert not (await again.do("cy", ShowEncounter())).reply.buttons
        assert (await again.press("bo", asked, "Let in")).changed


async def test_who_was_not_let_in_does_not_ask_again_and_may_be_let_in_later(game: Table) -> None:
    asked = await game.done("cy", EDO)
    assert "You have already asked. bo or anna has to decide" in await game.refused("cy", EDO)
    no = await game.press("anna", asked, "Don't let in")
    assert no.reply.lines == ("anna decided not to let cy play Edo.",)
    again = next(one for one in asked.reply.buttons if one.label == "Don't let in").action
    assert "Nothing was changed, because" in await game.refused("bo", again), "the log tells it once"
    assert "You were not let in" in await game.refused("cy", EDO)
    status = await game.do("bo", ShowEncounter())
    assert "cy asked to play Edo but was not let in." in status.reply.lines
    assert (await game.press("bo", status, "Let cy in")).changed
    assert (await seats(game))["cy"] == (2, "player")


async def test_who_was_not_let_in_brings_no_crew_either(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", EDO)
    await table.press("bo", await table.done("cy", EDO), "Don't let in")
    assert "You were not let in" in await table.refused("cy", JoinWithSample())


async def test_requests_are_bounded(game: Table) -> None:
    for number in range(MAX_REQUESTS):
        await game.done(f"cy{number}", EDO)
    assert "Try again later; many people are already waiting to be let in" in await game.refused("dan", EDO)
    await game.done("cy0", JoinEncounter("Lancers"))
    assert len((await game.encounter()).book.all(AskRow)) == MAX_REQUESTS


async def test_asking_makes_nothing_stale_and_is_no_step(game: Table) -> None:
    hurt = await game.done("bo", DamageModel("Trapper"))
    undone = await game.done("bo", Undo())
    await game.done("cy", EDO)
    await game.done("dan", WATCH)
    assert (await game.press("bo", undone, "Redo")).reply.lines[0].startswith("Redone: Trapper takes 1")
    version = hurt.version
    assert "moved on" in await game.refused("bo", DamageModel("Trapper"), scope=hurt.scope, version=version)
    assert (await game.done("bo", Undo())).reply.lines[0].startswith("Undone: ~~Trapper takes 1")
    assert (await game.encounter()).watches(game.ids["dan"])


async def test_before_it_begins_a_side_that_nobody_had_is_free(table: Table) -> None:
    await table.done("anna", StartDemo())
    assert (await table.done("bo", EDO)).reply.lines == ("bo now plays Edo.",)
    asked = await table.done("cy", JoinEncounter("Lancers"))
    assert asked.reply.lines == ("cy asks to play Lancers.", "anna has to decide.")


async def test_a_side_that_is_free_in_a_running_game_is_the_organisers_to_give(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    asked = await table.done("bo", EDO)
    assert asked.reply.lines == ("bo asks to play Edo.", "anna has to decide.")
    let = await table.press("anna", asked, "Let in")
    assert let.reply.lines[0] == "bo now plays Edo."
    assert await owners(table, 2) == {table.ids["bo"]}


# ------------------------------------------------------------------------------------ one side for good


async def test_watching_leaving_and_undoing_wash_nobody_clean(game: Table) -> None:
    """A captain who has seen what his side hides comes to no other side, whatever he does in between."""
    await game.done("bo", WATCH)
    watches = (await seats(game))["bo"]
    assert watches == (0, "spectator")
    asked = await game.done("bo", JoinEncounter("Lancers"))
    assert "bo has played for Edo. To let bo in, enter a reason; everyone can read it." in asked.reply.lines
    plain = await game.press("anna", asked, "Let in...")
    assert not plain.changed
    assert "can't join another side, because they have played for" in plain.reply.text
    let = await game.press("anna", asked, "Let in...", reason="we are only two")
    assert let.reply.lines[0] == "bo joins Lancers."
    assert "Override by anna: we are only two" in let.reply.lines
    await game.done("bo", WATCH)
    asked = await game.done("bo", EDO)
    assert (
        "bo has played for Lancers. To let bo in, enter a reason; everyone can read it." in asked.reply.lines
    )


async def test_the_captain_of_the_other_side_cannot_take_in_who_knows_secrets(table: Table) -> None:
    await table.done("org", StartDemo())
    await table.done("org", WATCH)
    await table.done("anna", JoinEncounter("Lancers"))
    await table.done("bo", EDO)
    await table.done("bo", WATCH)
    asked = await table.done("bo", JoinEncounter("Lancers"))
    assert asked.reply.lines[1] == "org has to decide."
    refused = await table.press("anna", asked, "Let in...", reason="he is my friend")
    assert not refused.changed
    assert "can decide that" in refused.reply.text


async def test_the_organiser_overrides_for_himself_and_everybody_reads_it(game: Table) -> None:
    refusal = await game.do("anna", EDO)
    assert "You can't change sides; you play" in refusal.reply.text
    changed = await game.press("anna", refusal, "Override...", reason="bo is ill")
    assert "Override by anna: bo is ill" in changed.reply.lines
    assert (await seats(game))["anna"] == (2, "player")
    assert await owners(game, 1) == {0}


async def test_a_seat_that_was_undone_still_ties(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", EDO)
    await table.done("bo", Undo())
    assert (table.ids["bo"], 2) in {
        (row.user_id, row.side) for row in (await table.encounter()).book.all(TieRow)
    }
    assert (await table.done("bo", EDO)).reply.lines == ("bo now plays Edo.",)
    await table.done("bo", Undo())
    asked = await table.done("bo", JoinEncounter("Lancers"))
    assert "bo has played for Edo. To let bo in, enter a reason; everyone can read it." in asked.reply.lines


async def test_one_person_with_both_sides_changes_as_they_like(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", EDO)
    await table.done("anna", NextStep())
    await table.done("anna", JoinEncounter("Lancers"))
    await table.done("anna", DamageModel("Trapper"))
    await table.done("anna", DamageModel("Smap"))


async def test_who_brings_a_crew_after_playing_another_side_needs_the_organiser(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", EDO)
    crew = (await table.done("bo", CreateCrew("Wolves"))).scope
    await table.done("bo", RecruitMember(crew, "sally"))
    await table.do("bo", AppointLeader(crew, "Sally"))
    assert await table.refused("bo", JoinEncounter(crew=crew)) == "You can't change sides; you play Edo."
    await table.done("bo", WATCH)
    assert "You can't join another side, because you have played for" in await table.refused(
        "bo", JoinEncounter(crew=crew)
    )


# ------------------------------------------------------------------------------------ what is left behind


async def test_what_a_side_hides_goes_by_a_seat_that_was_granted(table: Table) -> None:
    game = table
    await table.done("anna", StartDemo())
    await table.done("bo", EDO)
    await table.done("bo", ChooseSecretly("Scouting"))
    await table.done("anna", NextStep())
    shown = (await game.do("bo", ShowMissions())).reply.text
    await game.done("bo", WATCH)
    for who in ("anna", "bo", "cy"):
        assert (await game.do(who, ShowMissions())).reply.text != shown
    asked = await game.done("cy", EDO)
    assert "Scouting" not in (await game.do("cy", ShowMissions())).reply.text
    await game.press("anna", asked, "Let in")
    assert (await game.do("cy", ShowMissions())).reply.text == shown


async def test_a_free_side_that_somebody_had_is_asked_for_even_before_the_game(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", EDO)
    await table.done("bo", ChooseSecretly("Scouting"))
    await table.done("bo", WATCH)
    asked = await table.done("cy", EDO)
    assert asked.reply.lines == ("cy asks to play Edo.", "anna has to decide.")


async def test_who_leaves_hands_everything_to_the_captain_of_the_side(game: Table) -> None:
    await game.press("bo", await game.done("cy", EDO), "Let in")
    await game.done("bo", HandOverModel("Trapper", game.ids["cy"]))
    left = await game.done("bo", WATCH)
    assert left.reply.lines[:2] == ("bo is now a spectator.", "cy is now captain of Edo.")
    assert await owners(game, 2) == {game.ids["cy"]}
    last = await game.done("cy", WATCH)
    assert "Edo needs a player. Anyone can ask to play Edo with /encounter join." in last.reply.lines
    assert await owners(game, 2) == {0}
    assert "no one controls this model" in await game.refused("bo", DamageModel("Trapper"))
    await game.done("anna", DamageModel("Trapper"), reason="as we saw")


async def test_the_organiser_removes_a_person(game: Table) -> None:
    bo = game.ids["bo"]
    for who in ("bo", "cy"):
        assert "Only the organiser" in await game.refused(who, RemovePerson(game.ids["anna"], "too loud"))
    assert (
        "An organiser can't be removed. To give up your own seat, use /encounter join watch:true"
        in await game.refused("anna", RemovePerson(game.ids["anna"], "too loud"))
    )
    assert "Choose someone in this game; /encounter status lists everyone" in await game.refused(
        "anna", RemovePerson(4711, "too loud")
    )
    removed = await game.done("anna", RemovePerson(bo, "too loud"))
    assert removed.reply.lines == (
        "bo has been removed from the game.",
        "anna's reason: too loud",
        "Edo needs a player. Anyone can ask to play Edo with /encounter join.",
        "bo can only come back if someone lets them in.",
    )
    assert "bo" not in await seats(game)
    assert await game.refused("bo", NextStep()) == "Join this game first with /encounter join."
    assert "Only players" in await game.refused("bo", Undo())
    assert "You were not let in" in await game.refused("bo", EDO)
    await game.done("anna", Undo())
    assert (await seats(game))["bo"] == (2, "captain")
    assert await owners(game, 2) == {bo}


async def test_who_was_removed_before_the_game_begins_asks_for_a_free_side(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", EDO)
    await table.done("anna", RemovePerson(table.ids["bo"], "too loud"))
    assert "You were not let in." in await table.refused("bo", EDO)
    await table.done("cy", WATCH)
    await table.done("anna", RemovePerson(table.ids["cy"], "too loud"))
    assert (await table.done("cy", EDO)).reply.lines[0] == "cy asks to play Edo."
    crew = (await table.done("cy", CreateCrew("Wolves"))).scope
    await table.done("cy", RecruitMember(crew, "sally"))
    assert (await examine(url_of(table.file))).faults == ()


async def test_who_was_turned_away_is_sent_only_where_asking_helps(table: Table) -> None:
    await table.done("anna", StartEncounter("counterblast"))
    await table.done("bo", WATCH)
    await table.done("anna", RemovePerson(table.ids["bo"], "too loud"))
    sample = JoinWithSample(1)
    assert "You can ask to play a side once there is one." in await table.refused("bo", sample)
    await table.done("cy", sample)
    assert "You can still ask to play Edo." in await table.refused("bo", sample)
    await table.press("anna", await table.done("bo", EDO), "Don't let in")
    assert "cy or anna can still let you in with /encounter status." in await table.refused("bo", sample)
    await table.done("anna", JoinWithSample(0))
    assert "You can still ask to play Lancers." in await table.refused("bo", sample)


async def test_the_start_that_its_organiser_took_back_stays_his(game: Table) -> None:
    bo, anna = "bo", "anna"
    await game.agreed(anna, Undo(10))
    gone = await game.done(anna, Undo())
    assert "a sample game" in gone.reply.lines[0]
    for who in (bo, "cy"):
        answer = await game.do(who, Redo(), scope=gone.scope)
        assert not answer.changed
        assert "Only the organiser can undo or redo the start" in answer.reply.text
        assert (
            "has just undone the start of a game and may redo it. A channel manager can start one now"
            in await game.refused(who, StartDemo())
        )
    await game.done(anna, Redo())
    assert (await game.encounter()).row.organiser_id == game.ids[anna]


async def test_a_channel_is_free_again_after_a_while(game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await game.agreed("anna", Undo(10))
    await game.done("anna", Undo())
    assert "Wait 15 min to start another game" in await game.refused("bo", StartDemo())
    late = game.desk.store.now() + CHANNEL_FREE_MS
    monkeypatch.setattr(game.desk.store, "_clock", lambda: late)
    await game.done("bo", StartDemo())


async def test_who_may_manage_the_channel_starts_at_once(game: Table) -> None:
    await game.agreed("anna", Undo(10))
    await game.done("anna", Undo())
    await game.done(game.actor("mod", manages=True), StartDemo())


async def test_the_log_tells_who_watches_and_who_asks(game: Table) -> None:
    await game.done("cy", WATCH)
    await game.done("dan", EDO)
    lines = (await game.do("anna", ShowLog())).reply.lines
    assert lines[-2].endswith("cy: cy is watching.")
    assert lines[-1].endswith("dan: dan asks to play Edo.")
    assert "Watching: cy" in (await game.do("anna", ShowEncounter())).reply.lines
    assert not (await game.do("dan", Admit(7))).changed


# ------------------------------------------------------------------------------------ what is offered


async def test_who_has_no_crew_is_offered_what_there_is(table: Table) -> None:
    started = await table.done("anna", StartEncounter())
    offered = await table.press("anna", started, "Join...")
    assert offered.reply.private
    assert offered.reply.lines == (
        "How do you want to join Counterblast?",
        "You don't have a crew that you can bring.",
    )
    assert [button.label for button in offered.reply.buttons] == [
        "Play Lancers (sample crew)",
        "Play Edo (sample crew)",
        "Create a crew...",
        "Import a list...",
    ]
    came = await table.press("anna", offered, "Play Lancers (sample crew)")
    assert came.reply.lines == ("anna joins with Lancers: 7 models.",)
    assert (await seats(table))["anna"] == (1, "captain")
    assert await table.refused("anna", JoinEncounter()) == "You already play Lancers."


async def test_a_crew_is_made_and_brought_by_pressing(table: Table) -> None:
    await table.done("anna", StartEncounter())
    make = (await table.do("bo", JoinEncounter())).reply.buttons[-2]
    assert make.form is not None
    made = await table.done("bo", with_text(make.action, {"name": "Wild"}))
    await table.done("bo", RecruitMember(made.scope, "Prime Leader"))
    await table.do("bo", AppointLeader(made.scope, "Prime Leader"))
    menu = (await table.do("bo", JoinEncounter())).reply.menus[0]
    assert [choice.label for choice in menu.choices] == ["Wild"]
    assert not (await table.do("cy", JoinEncounter())).reply.menus
    came = await table.done("bo", with_text(menu.action, {menu.fills: (menu.choices[0].value,)}))
    assert came.reply.lines == ("bo joins with Wild: 1 model.",)
    assert "Choose one of the sample crews" in await table.refused("cy", JoinWithSample(7))


@pytest.mark.parametrize("system", [one for one in SYSTEMS if one != "counterblast"])
async def test_every_game_has_a_crew_to_try(table: Table, system: str) -> None:
    started = await table.done("anna", StartEncounter(system))
    for who in ("anna", "bo"):
        asked = await table.press(who, started, "Join...")
        label = asked.reply.buttons[["anna", "bo"].index(who)].label
        assert (await table.press(who, asked, label)).changed
    assert {row.role for row in (await table.encounter()).seats()} == {"captain"}


async def test_of_two_free_sides_one_is_chosen_and_of_a_running_game_somebody_is_asked(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", JoinEncounter(watch=True))
    offered = await table.do("bo", JoinEncounter())
    assert [button.label for button in offered.reply.buttons][:2] == ["Play Lancers", "Play Edo"]
    assert (await table.press("bo", offered, "Play Edo")).reply.lines == ("bo now plays Edo.",)
    await table.done("cy", JoinEncounter("Lancers"))
    await table.done("bo", NextStep())
    offered = await table.do("dee", JoinEncounter())
    assert [button.label for button in offered.reply.buttons] == ["Ask to play Lancers", "Ask to play Edo"]
    assert "dee asks to play Edo." in (await table.press("dee", offered, "Ask to play Edo")).reply.lines
    assert "because the game has begun" in await table.refused("eve", JoinWithSample(0))


async def test_who_starts_without_a_crew_is_asked_for_a_side_as_others_are(table: Table) -> None:
    started = (await table.done("anna", StartEncounter(system="infinity"))).reply
    assert "You and other players can join with /encounter join. Then press Begin." in started.lines
    assert started.buttons[0].label == "Join..."
