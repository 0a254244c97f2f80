"""All that there is can be reached by pressing: no menu leaves anything out, no press leads nowhere."""

from __future__ import annotations

import pytest

from bot.actions import ACTIONS, Action, part_of_doer
from bot.app import ALL_GAMES
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.core.wording import trace_lines
from bot.games.counterblast.melee.group_fights import BLOWS
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.missions.mission_choices import AskMission
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.psionics.powers import ChoosePowers
from bot.games.counterblast.setup.deployment import Deploy, Terrain
from bot.games.counterblast.shooting.volleys import Shoot
from bot.replies.fit import MAX_CHOICES, rows
from bot.replies.reply import Menu, Reply, Rolled
from bot.table.asking.kinds import TableKind
from bot.table.encounter import OVER, Encounter
from bot.table.game import game, game_of
from bot.table.offers.forms import build_form, open_parts
from bot.table.offers.legal_actions import Looking
from bot.table.rosters.builder import BuildCrew
from bot.table.rosters.crews import CreateCrew, RecruitMember
from bot.table.rosters.statblocks import list_statblocks
from bot.table.session.drafts import Draft
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.possible_actions import WhatNow, add_action_buttons, list_kinds
from bot.table.session.settings import Settings, known, words
from bot.table.waits import first_line
from rules.dice import Thrown
from rules.systems.counterblast.core.checks import build_check_die
from rules.systems.counterblast.core.counters import Counter
from tests.bot.arranging import Step, arrange
from tests.bot.counterblast.ring import active, change, touching, under
from tests.bot.house import House
from tests.bot.tables import Table

SYSTEMS = [game.key for game in ALL_GAMES]


def shown(reply: Reply) -> list[Menu]:
    menus = [row for row in rows(reply.buttons, reply.menus) if isinstance(row, Menu)]
    assert menus == list(reply.menus)
    assert all(len(menu.choices) <= MAX_CHOICES for menu in menus)
    return menus


def adding(reply: Reply) -> list[Menu]:
    """The menus whose choices are models to add."""
    return [menu for menu in shown(reply) if menu.fills == "profile"]


async def looking(table: Table, who: str, action: Action) -> Looking:
    act = await table.desk.look(table.actor(who), action)
    assert act is not None
    return Looking(act.book, act.actor)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_every_setting_and_every_value_is_a_press_away(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    every = known(await table.encounter())
    told = (await table.do("anna", Settings())).reply
    listed = [choice.value for menu in shown(told) for choice in menu.choices]
    assert listed == [words(one.key) for one in every]
    for one in every:
        buttons = (await table.do("anna", Settings(words(one.key)))).reply.buttons
        others = [says.removesuffix(".") for value, says in one.choices if value != one.default]
        number = ["Enter a number..."] if one.number else []
        assert [button.label for button in buttons] == [*others, *number, "All settings"]
        assert all(button.form for button in buttons if button.label in number)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_the_whole_roster_is_in_menus(table: Table, system: str) -> None:
    crew = (await table.done("anna", CreateCrew("Wanderers", system))).scope
    offered: list[str] = []
    page = 0
    while True:
        told = (await table.do("anna", BuildCrew(crew, page=page))).reply
        offered += [choice.value for menu in adding(told) for choice in menu.choices]
        if "More models" not in [button.label for button in told.buttons]:
            break
        page += 1
    assert sorted(offered) == sorted(one.name for one in list_statblocks(game(system), []))
    taken = (await table.do("anna", RecruitMember(crew, offered[-1], built=True))).reply
    assert "Change a member" in [menu.prompt for menu in shown(taken)]


async def in_play(table: Table, name: str) -> str:
    """The game has begun, and one model acts; its number."""
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    number = (await table.encounter()).find_model(name).id
    await arrange(table, "anna", under("active", name))
    return f"#{number}"


async def labels(table: Table) -> list[str]:
    encounter = await table.encounter()
    return [
        button.label for button in add_action_buttons(encounter, game_of(encounter).panel(encounter)).buttons
    ]


async def offered(table: Table, who: str = "anna") -> dict[str, str]:
    """What is in the game's own menus, by its command."""
    told = (await table.do(who, WhatNow())).reply
    return {choice.value: choice.label for menu in told.menus for choice in menu.choices}


async def test_a_form_offers_no_more_moves_than_there_are_actions(table: Table) -> None:
    sally = await in_play(table, "Sally Starfield")
    for left in (["1", "2"], []):
        if not left:
            await table.done("anna", Move(sally))
        form = build_form(await looking(table, "anna", Move(sally)), Move(sally))
        moves = [choice.value for one in form.controls if one.name == "moves" for choice in one.choices]
        assert moves == left, "nothing is asked where only one Move is left"


async def test_an_enemy_is_chosen_among_enemies(table: Table) -> None:
    sally = await in_play(table, "Sally Starfield")
    form = build_form(await looking(table, "anna", Shoot(sally)), Shoot(sally))
    target = next(control for control in form.controls if control.name == "target")
    encounter = await table.encounter()
    sides = {encounter.find_model(choice.value).side for choice in target.choices}
    assert len(target.choices) == 8
    assert len(sides) == 1


async def test_a_critical_success_is_drawn_as_the_best_wherever_it_begins() -> None:
    thrown = Thrown("psionics", build_check_die(1, 8, critical_from=9), ((9, 10, 7, 6),), 0)
    (line,) = trace_lines([thrown])
    assert isinstance(line, Rolled)
    assert [die.verdict for die in line.dice] == ["best", "best", "hit", "miss"]


async def test_powers_are_chosen_before_one_is_offered(table: Table) -> None:
    leader = await in_play(table, "Prime Leader")
    before = await labels(table)
    assert "Choose powers" in before
    assert "Power" not in before
    await table.done("anna", ChoosePowers(leader, ("Blast",)))
    after = await labels(table)
    assert "Power" in after
    assert "Choose powers" not in after
    assert ChoosePowers.bare


async def test_what_is_set_up_before_the_first_turn_is_not_offered_in_play(table: Table) -> None:
    await table.done("anna", StartDemo())
    assert {Deploy.command, Terrain.command} <= set(await offered(table))
    await table.done("anna", NextStep())
    assert not {Deploy.command, Terrain.command} & set(await offered(table))
    assert "before the first turn" in await table.refused("anna", Deploy())


async def test_a_melee_is_offered_where_somebody_is_engaged(table: Table) -> None:
    await in_play(table, "Sally Starfield")
    assert Melee.command not in await offered(table)
    await table.done("anna", Engage("Sally Starfield", "Prime Leader"))
    assert Melee.command in await offered(table)


async def test_a_melee_of_several_is_a_button_while_several_may_still_strike(table: Table) -> None:
    await in_play(table, "Sally Starfield")
    await arrange(
        table,
        "anna",
        active("Dr. Helen Salinger"),
        touching(("Sally Starfield", "Prime Leader"), ("Dr. Helen Salinger", "Prime Leader")),
    )
    assert "Melee" in await labels(table)
    assert len((await table.do("anna", Draft(BLOWS))).reply.buttons) == 2

    def attacked(name: str) -> Step:
        return change(name, lambda row: row.counters.update({Counter.ATTACKS: 1}))

    await arrange(table, "anna", attacked("Sally Starfield"))
    assert "Melee" not in await labels(table)
    (left,) = (await table.do("anna", Draft(BLOWS))).reply.buttons
    assert left.label.startswith("Dr. Helen Salinger >"), "who has struck strikes no more"
    await arrange(table, "anna", attacked("Dr. Helen Salinger"))
    assert Melee.command not in await offered(table)
    found = (await looking(table, "anna", Melee())).legal(Melee)
    assert found.reason == "Sally Starfield has already attacked in this activation."
    assert found.whatever


@pytest.mark.parametrize("system", SYSTEMS)
async def test_a_wrong_side_is_undone_by_presses_before_the_game_begins(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    side = (await table.encounter()).sides()[1]
    await table.done("bo", JoinEncounter(side.name))
    encounter = await table.encounter()
    undo = next(one for one in game_of(encounter).panel(encounter).buttons if one.label == "Undo")
    await table.done("bo", undo.action)
    assert (await table.encounter()).captain(side.id) is None


@pytest.mark.parametrize("system", ["counterblast", "infinity", "warzone"])
async def test_a_game_that_is_over_waits_for_its_organiser_to_end_it(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))

    def over(encounter: Encounter) -> None:
        encounter.row.turn, encounter.row.status = 1, "playing"
        encounter.row.counters[OVER] = 1

    await arrange(table, "anna", over)
    encounter = await table.encounter()
    assert first_line(encounter, game_of(encounter).waits, 0) == "Waiting for anna to end the game."


async def test_a_mission_chosen_late_is_chosen_all_the_same(table: Table) -> None:
    """Others set the table up meanwhile: that is no reason to choose again."""
    await table.done("anna", StartDemo())
    asked = await table.do("anna", AskMission())
    assert all(menu.anytime for menu in asked.reply.menus)


@pytest.mark.parametrize("system", SYSTEMS)
async def test_what_was_typed_in_the_first_part_of_a_form_is_asked_again(table: Table, system: str) -> None:
    """`Change...` keeps it, and shows it: only who does it, or what it is done with, stands already."""
    await table.done("anna", StartDemo(system))
    tried = 0
    for kind in list_kinds(await table.encounter()):
        first = part_of_doer(kind.command)
        if first is None or first not in open_parts(kind.command) or first.wire is not str:
            continue
        if not isinstance(first.kind, TableKind) or (first.kind.suggests and not first.kind.notation):
            continue
        action = kind(**{first.name: "words of one's own"})
        form = build_form(await looking(table, "anna", action), action)
        said = next((control.said for control in form.controls if control.name == first.name), None)
        assert said == ("words of one's own",) or first.kind.choices, kind.command
        tried += 1
    assert tried


async def test_a_name_is_said_only_where_a_name_is_asked(table: Table) -> None:
    """Whatever is said to choose an action by, its first field holds what it can: a number is no name."""
    await table.done("anna", StartDemo("infinity"))
    numbers = [
        kind for kind in ACTIONS.values() if (first := part_of_doer(kind.command)) and first.wire is not str
    ]
    assert len(numbers) > 3
    for kind in numbers:
        for what in {kind.typed and kind.command, "inf.area"} - {""}:
            for button in (await table.do("anna", WhatNow("nobody of that name", what))).reply.buttons:
                answer = await table.do("anna", button.action)
                assert "went wrong in the bot" not in answer.reply.text


async def test_whose_dice_is_one_press(house: House) -> None:
    await house.slash("demo")
    told = await house.press(await house.press(await house.panel(), "Set up..."), "Real dice or the bot's")
    assert "real dice" in told.content.lower()
