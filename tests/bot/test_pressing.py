"""Playing by presses: what the panel offers, the forms it opens, and what comes of them."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from discord.ui import Select

from bot.actions import ACTIONS, Action, part_of_doer, parts, raw_of
from bot.app import ALL_GAMES
from bot.games.counterblast.core.debts import ShowOwed
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.shooting.arcs import EVEN, WAITS
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.bag import DrawToken, PassDraw
from bot.games.fracd_earth.attack_actions import Attack as FracdAttack
from bot.games.infinity.attack_actions import Shoot as ShootSkill
from bot.games.infinity.hiding_actions import Reveal
from bot.games.soluna.attack_declaration import Attack as SolunaAttack
from bot.games.warzone.activation import Activate as ActivateUnit
from bot.games.warzone.close_combat_actions import Charge as WarzoneCharge
from bot.games.warzone.shots import Shoot as WarzoneShoot
from bot.ids import Tag
from bot.local.seen import Message, Modal
from bot.panels.asking import AskModal
from bot.replies.fit import MAX_CHOICES, rows
from bot.replies.reply import Menu, Reply
from bot.store.book import Book
from bot.store.rows import ModelRow
from bot.table.asking.table_kinds import Models
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.history import Undo
from bot.table.journal_actions import SPECIAL
from bot.table.offers.comparisons import Compare, encode_action
from bot.table.offers.forms import REST_PART, build_form, read_form, title_of
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import AddCondition, NoteModel
from bot.table.session.possible_actions import WhatNow, WhyNot, add_action_buttons, list_kinds
from tests.bot.arranging import arrange
from tests.bot.house import House, read
from tests.bot.tables import Table, all_lines, opened
from tests.bot.waited import waited_for
from tests.games import one_of_each

SYSTEMS = [game.key for game in ALL_GAMES]


async def panel(table: Table) -> Reply:
    encounter = await table.encounter()
    return add_action_buttons(encounter, game_of(encounter).panel(encounter))


ELSEWHERE: Mapping[Place, str] = {
    Place.PLAYED: "it only reads, and the panel has Log, Why and Help of its own",
    Place.SEAT: "who plays a seat is no step of the game; what is shown of it has buttons of its own",
    Place.NOWHERE: "it only reads, and the panel has Log, Why and Help of its own",
    Place.NEW_CREW: "a crew is made before a game",
    Place.CREW: "a crew is changed before a game",
    Place.LIBRARY: "statblocks are kept for all games",
    Place.NEW_ENCOUNTER: "it begins a game",
    Place.NEW_CAMPAIGN: "it begins a campaign",
    Place.CAMPAIGN: "it is played between games",
    Place.DICE: "the prompt for real dice has buttons of its own",
    Place.GAME: "where a game is played is no step of it; Play in a thread stands below its start",
    Place.HISTORY: "the panel has Undo and Redo of its own",
}
"""Where an action works that is not reached from a game's panel, each with the reason."""


def test_every_action_is_of_the_panel_or_an_exception_with_its_reason() -> None:
    for command, kind in ACTIONS.items():
        handler = HANDLERS.get(command)
        if handler is None or not kind.typed:
            continue
        of_the_table = handler.place in (Place.ENCOUNTER, Place.CHANNEL) and command not in SPECIAL
        assert of_the_table != (handler.place in ELSEWHERE), command


def told_in(*replies: Reply) -> str:
    """All that is told of what may not be done, without the breaks of lines."""
    assert all(reply.private for reply in replies)
    return " ".join(" ".join(line for reply in replies for line in all_lines(reply)).split())


@dataclass(frozen=True)
class Asked:
    """What Anna is told, before Begin or after it, of nobody in particular or of one model."""

    turn: int
    now: Reply
    told: str
    kinds: Sequence[type[Action]]


@pytest.fixture(scope="module", params=SYSTEMS)
def asked(
    request: pytest.FixtureRequest, migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[Asked]:
    """All that she is told in a demo of a game, asked once for all who look at it."""
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("asked") / "table.db"))
    found = []

    async def ask() -> None:
        async with opened(file) as table:
            await table.done("anna", StartDemo(request.param))
            for turn in (0, 1):
                encounter = await table.encounter()
                models = one_of_each(encounter.models())
                for who in (WhatNow(), *(WhatNow(f"#{model.id}") for model in models)):
                    now, why = [(await table.do("anna", one)).reply for one in (who, WhyNot(who.model))]
                    found.append(Asked(turn, now, told_in(now, why), list_kinds(encounter)))
                if not turn:
                    await table.do("anna", NextStep())

    asyncio.run(ask())
    return found


def test_every_action_of_the_table_is_reached_by_presses(asked: list[Asked]) -> None:
    """Each is in a menu that is shown, or told with why it may not be done; before Begin and after it."""
    for turn in (0, 1):
        told, shown = "", set[str]()
        for one in (one for one in asked if one.turn == turn):
            told += one.told
            offered = {choice.value for menu in one.now.menus for choice in menu.choices}
            menus = [row for row in rows(one.now.buttons, one.now.menus) if isinstance(row, Menu)]
            kept = {choice.value for menu in menus for choice in menu.choices[:MAX_CHOICES]}
            assert offered <= kept, "Discord leaves out what finds no room"
            shown |= kept | {button.action.command for button in one.now.buttons}
            kinds = one.kinds
        missing = [kind.command for kind in kinds if kind.command not in shown and title_of(kind) not in told]
        assert not missing
        assert shown & {kind.command for kind in kinds}


def test_a_question_is_no_reason_why_something_may_not_be_done(asked: list[Asked]) -> None:
    """What only needs to be said more exactly is offered; its form asks for it."""
    for one in (one for one in asked if one.turn):
        assert not re.search(r": (Which|Who|Say|Name) |\. Say (?!/)", one.told), one.told


READ_FIRST = {
    "inf.model.add": "a profile may always be typed",
}
"""What is offered though its handler must read something before it can be tried, and why that is right."""


def test_what_cannot_be_tried_beforehand_says_itself_who_may() -> None:
    for command, handler in HANDLERS.items():
        if handler.beforehand is None or handler.place is not Place.ENCOUNTER or not ACTIONS[command].typed:
            continue
        told = handler.may is not None or command in SPECIAL
        assert told != (command in READ_FIRST), command


async def test_words_of_ones_own_are_not_asked_for_what_is_barred_whatever_they_are(table: Table) -> None:
    """Nothing was questioned, so nothing is ruled; the places of a mission are laid before the first turn."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    for turn in (0, 1):
        reply = (await table.do("anna", WhatNow())).reply
        offered = {choice.value for menu in reply.menus for choice in menu.choices}
        assert "ruling" not in offered
        assert not turn or "mission.places" not in offered
        assert "roll" in offered, "dice may always be thrown"
        if not turn:
            await table.done("anna", NextStep())


async def test_an_order_is_not_offered_to_be_done_where_none_is_under_way(table: Table) -> None:
    await table.done("anna", StartDemo("infinity"))
    await table.done("bo", JoinEncounter("Nightfall"))
    for who in ("anna", "bo"):
        reply = (await table.do(who, WhatNow())).reply
        assert "inf.resolve" not in {choice.value for menu in reply.menus for choice in menu.choices}


async def test_who_is_kept_off_the_table_is_reached_by_its_own_side_alone(table: Table) -> None:
    """A trooper in Hidden Deployment is revealed, or given an Order, by presses."""
    await table.done("anna", StartDemo("infinity"))
    await table.done("bo", JoinEncounter("Nightfall"))
    named = {}
    for who in ("anna", "bo"):
        (menu,) = [
            one for one in (await table.do(who, WhatNow())).reply.menus if one.prompt == "Which model?"
        ]
        named |= {choice.label: (who, choice.value) for choice in menu.choices if "(hidden)" in choice.label}
    assert [(label, who) for label, (who, _) in named.items()] == [("Wraith (hidden)", "anna")]
    _, wraith = named["Wraith (hidden)"]
    reply = (await table.do("anna", WhatNow(wraith))).reply
    assert reply.private
    offered = {choice.value for menu in reply.menus for choice in menu.choices}
    offered |= {button.action.command for button in reply.buttons}
    assert {"inf.reveal", "inf.hide"} <= offered
    assert "Wraith" not in (await table.refused("bo", WhatNow(wraith)))
    assert (await table.done("anna", Reveal(wraith))).reply.lines[0].startswith("Wraith")


async def test_words_for_what_is_named_are_no_model_of_that_name(table: Table) -> None:
    """A squad is called like its one model; to make a squad is not what that model does."""
    await table.done("anna", StartDemo("warzone"))
    for model in (await table.encounter()).models():
        reply = (await table.do("anna", WhatNow(f"#{model.id}"))).reply
        assert "wz.squad" not in {choice.value for menu in reply.menus for choice in menu.choices}
    reply = (await table.do("anna", WhatNow())).reply
    assert "wz.squad" in {choice.value for menu in reply.menus for choice in menu.choices}


async def test_who_only_watches_is_offered_nothing_that_only_players_do(table: Table) -> None:
    """Words and persons cannot be tried beforehand; who may say them can."""
    await table.done("anna", StartDemo())
    for who, may in (("cy", False), ("anna", True)):
        reply = (await table.do(who, WhatNow())).reply
        offered = {choice.value for menu in reply.menus for choice in menu.choices}
        for command in ("dice.words", "encounter.remove", "model.add"):
            assert (command in offered) is may, command


async def test_odds_offer_the_deed_to_who_plays(table: Table) -> None:
    action = Shoot("Smap", "Trapper", distance=7, odds=True)
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    assert (await table.do("anna", action)).reply.buttons
    watched = await table.do("cy", action)
    assert [button.label for button in watched.reply.buttons] == ["Compare"]


@pytest.mark.parametrize(
    ("system", "kind"),
    [
        ("counterblast", Shoot),
        ("infinity", ShootSkill),
        ("warzone", WarzoneShoot),
        ("soluna", SolunaAttack),
        ("fracd_earth", FracdAttack),
    ],
)
async def test_odds_of_what_is_the_other_sides_offer_neither_the_deed_nor_its_form(
    table: Table, system: str, kind: type[Action]
) -> None:
    await table.done("anna", StartDemo(system))
    (_, other) = (await table.encounter()).sides()
    await table.done("bo", JoinEncounter(other.name))
    await table.done("anna", NextStep())
    mine, name = (await table.encounter()).models(1), parts(kind.command)[0].name
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    ways = (looking.legal(kind, {name: f"#{one.id}", "odds": True}) for one in mine)
    asked = next(one.action for one in ways if not one.reason)
    own = {button.label for button in (await table.do("anna", asked)).reply.buttons}
    assert "Change..." in own
    for by in (asked, Compare(encode_action(asked))):
        theirs = [button.label for button in (await table.do("bo", by)).reply.buttons]
        assert set(theirs) <= {"Compare", "Odds"}, theirs


async def test_an_act_is_offered_to_whoever_acts(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    before = await panel(table)
    assert [button.label for button in before.buttons if button.asks] == []
    assert before.buttons[-1].action == WhatNow()
    await table.done("anna", NextStep())
    answer = await table.done("anna", DrawToken())
    side = answer.reply.lines[0].removeprefix("anna draws a token for ").rstrip(".")
    who, name = ("anna", "Sally Starfield") if side == "Lancers" else ("bo", "Trapper")
    await table.done(
        who, Activate((next(m.id for m in (await table.encounter()).models() if m.name == name),))
    )
    shown = await panel(table)
    labels = [button.label for button in shown.buttons]
    assert "Shoot" in labels
    assert labels.index("Shoot") < labels.index("More...") < labels.index("End activation")
    number = next(model.id for model in (await table.encounter()).models() if model.name == name)
    asked = next(button for button in shown.buttons if button.label == "Shoot")
    assert asked.action == Shoot(f"#{number}")
    assert asked.asks
    assert "Rally" not in labels, "nobody is panicked"


async def test_what_costs_an_action_is_not_offered_to_who_has_none_left(table: Table) -> None:
    """Neither a fight of which nobody has said that the two touch, nor a power of one who has chosen none."""
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    due = {"Lancers": ["Sally", "Skip", "Smap", "Wanda"], "Edo": ["Trapper", "Spawnguard", "Spawnling"]}
    while "Sally" in due["Lancers"] or "Trapper" in due["Edo"]:
        drawn = (await table.done("anna", DrawToken())).reply.lines[0]
        name = due[drawn.removeprefix("anna draws a token for ").rstrip(".")].pop(0)
        who = (await table.encounter()).find_model(name)
        await table.done("anna", Activate((who.id,)))
        assert {"Fight", "Move"} <= {button.label for button in (await panel(table)).buttons}
        await table.done("anna", Move(name, 2))
        assert not [button.label for button in (await panel(table)).buttons if button.asks], name
        await table.done("anna", PassDraw())


@pytest.mark.parametrize(
    ("system", "kind"),
    [
        ("counterblast", Shoot),
        ("counterblast", Charge),
        ("infinity", ShootSkill),
        ("warzone", WarzoneShoot),
        ("soluna", SolunaAttack),
        ("fracd_earth", FracdAttack),
    ],
)
async def test_foes_are_offered_before_friends(table: Table, system: str, kind: type[Action]) -> None:
    await table.done("anna", StartDemo(system))
    models = (await table.encounter()).models()
    for actor in (models[0], models[-1]):
        name = parts(kind.command)[0].name
        looking = Looking((await table.loaded()).book(), table.actor("anna"))
        offers = looking.offers(kind(**{name: f"#{actor.id}"}), "target")
        sides = {model.name: model.side for model in models}
        found = [sides[offer.label] for offer in offers if offer.label in sides]
        assert found == sorted(found, key=lambda side: side == actor.side)
        assert found[0] != actor.side


async def test_whoever_may_get_the_next_order_is_chosen_on_the_panel(table: Table) -> None:
    await table.done("anna", StartDemo("infinity"))
    before = await panel(table)
    assert not before.menus
    await table.done("anna", NextStep())
    first = next(button for button in (await panel(table)).buttons if button.label == "Play first")
    assert first.action is not None
    await table.done("anna", first.action)
    await table.done("anna", NextStep())
    shown = await panel(table)
    (who,) = shown.menus
    assert who.prompt == "Who acts?"
    told = (await table.do("anna", WhatNow(who.choices[0].value))).reply
    assert told.private
    assert "Shoot" in [button.label for button in told.buttons]


async def test_squares_to_walk_to_are_offered(table: Table) -> None:
    await table.done("anna", StartDemo("soluna"))
    await table.done("anna", NextStep())
    shown = await panel(table)
    move = next(button for button in shown.buttons if button.label == "Move")
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    assert move.action is not None
    form = build_form(looking, move.action)
    where = next(control for control in form.controls if control.name == "to")
    assert len(where.choices) == 25
    assert "to" in form.controls[-1].note, "any other square is typed"
    assert not looking.refusal(read_form(form.action, {"to": list(where.said)})[0])


async def test_whoever_finds_no_place_in_a_full_menu_is_written(table: Table) -> None:
    await table.done("anna", StartDemo())
    book = (await table.loaded()).book()
    rows = book.all(ModelRow)
    forms = []
    for number in (len(rows), len(rows) + MAX_CHOICES):
        for added in range(len(book.all(ModelRow)) + 1, number + 1):
            book.add(replace(rows[0], id=added, name=f"Sally {added}"))
        forms.append(build_form(Looking(Book(book.scope, book.snapshot()), table.actor("anna")), NoteModel()))
    few, many = ({control.name: control for control in form.controls} for form in forms)
    assert len(few["model"].choices) == len(rows) < MAX_CHOICES == len(many["model"].choices)
    assert REST_PART not in few
    assert "model" in many[REST_PART].note


@pytest.mark.parametrize("distance", [float("nan"), float("inf"), 1e9, -1e9])
async def test_what_nobody_can_measure_is_no_distance(table: Table, distance: float) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    refused = await table.refused("anna", Shoot("Sally Starfield", "Trapper", distance=distance))
    assert refused == "Distance is too large. Enter a smaller number."


async def test_several_models_are_chosen_at_once(table: Table) -> None:
    await table.done("anna", StartDemo())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    thrown = Template("Skip Westmoreland", "Grenade", distance=6, under="Trapper, Prime Leader")
    form = build_form(looking, thrown)
    under = next(control for control in form.controls if control.name == "under")
    assert under.said == ("Trapper", "Prime Leader")
    selects = [one for one in AskModal(form, Tag(thrown, 1)).walk_children() if isinstance(one, Select)]
    most = {select.custom_id: select.max_values for select in selects}
    assert most["under"] == len(under.choices)
    asked, wrong = read_form(form.action, {"under": ["Smap", "Trapper"]})
    assert not wrong
    assert raw_of(asked)["under"] == "Smap, Trapper"


async def test_what_is_taken_out_of_the_last_line_is_said_no_more(table: Table) -> None:
    """It stood there again when the form was opened by Change..., whatever was deleted."""
    await table.done("anna", StartDemo())
    looking = Looking((await table.loaded()).book(), table.actor("anna"))
    shot = Shoot("Skip Westmoreland", "Trapper", 7, mode="aim", bearing=20.0, order=True)
    form = build_form(looking, shot)
    values = {one.name: list(one.said) for one in form.controls}
    assert values[REST_PART] == ["how: aim  bearing: 20"]
    assert raw_of(read_form(form.action, values)[0]) == raw_of(shot)
    less, wrong = read_form(form.action, {**values, REST_PART: ["how: aim"]})
    assert not wrong
    assert raw_of(less) == {name: raw for name, raw in raw_of(shot).items() if name != "bearing"}
    assert not {"mode", "bearing"} & raw_of(read_form(form.action, {**values, REST_PART: [""]})[0]).keys()


def test_likely_acts_are_known() -> None:
    for game in ALL_GAMES:
        assert all(command in ACTIONS for command in game.likely)  # type: ignore[attr-defined]


async def shot(house: House) -> tuple[Message, str]:
    """A game in which Anna's model may shoot: the panel, and who acts."""
    begun = await house.begin(await house.slash("demo"))
    drawn = await house.press(begun, "Draw")
    return drawn, drawn.controls[1].label


async def test_a_shot_is_pressed(house: House) -> None:
    drawn, name = await shot(house)
    await house.press(drawn, drawn.controls[1].label)
    live = await house.panel()
    modal = await (await house.anna.press(live, "Shoot")).modal()
    assert modal.title == "Shoot"
    target = next(field for field in modal.fields if field.custom_id == "target")
    assert any(option.default for option in target.options), "the likeliest is filled in"
    missed = next(option.value for option in target.options if not option.default)
    told = await (
        await house.anna.submit(modal, {"target": [missed], "rest.": "distance: 7", "also.": ["odds"]})
    ).message()
    assert told.ephemeral
    assert "No dice were rolled." in told.text
    again = await (await house.anna.press(told, "Change...")).modal()
    chosen = next(field for field in again.fields if field.custom_id == "target")
    assert [option.value for option in chosen.options if option.default] == [missed]
    result = await house.submit(again, {"also.": []})
    assert not result.ephemeral
    assert name in result.content


async def test_begin_is_good_until_the_game_begins_whoever_comes_meanwhile(house: House) -> None:
    """The first message that newcomers see; a second press says that it has begun."""
    first = await house.slash("demo", system="soluna")
    await house.press(first, "Join...", who=house.bo)
    asked = await house.press(first, "Begin", stale=True)
    assert asked.ephemeral
    assert "isn't ready yet" in asked.content
    await house.everybody_ready(await house.panel(), house.anna)
    assert not (await house.press(first, "Begin")).ephemeral
    late = await house.press(first, "Begin", stale=True)
    assert late.ephemeral
    assert late.content.startswith("Nothing was changed, because the game has already begun.")
    assert "begins" in late.content.splitlines()[-1]


async def test_a_form_that_was_overtaken_says_what_happened(house: House) -> None:
    drawn, name = await shot(house)
    await house.press(drawn, drawn.controls[1].label)
    modal = await (await house.anna.press(await house.panel(), "Shoot")).modal()
    target = next(field for field in modal.fields if field.custom_id == "target")
    chosen = next(option.value for option in target.options if option.default)
    await house.press(await house.panel(), "End activation")
    late = read(await house.submit(modal, {"target": [chosen], "rest.": "distance: 7"}))
    assert late.ephemeral
    assert late.content.startswith(f"Activate {name} first.")
    _, _, since = late.content.partition("Since you opened the form:")
    assert "anna: " in since.lower()
    assert name in since
    again = await (await house.anna.press(late, "Change...")).modal()
    kept = next(field for field in again.fields if field.custom_id == "target")
    assert [option.value for option in kept.options if option.default] == [chosen]
    refused = await house.submit(again, {})
    assert "Since the form" not in refused.content, "nothing happened since this one was opened"


async def test_a_button_that_came_too_late_says_what_happened(house: House) -> None:
    drawn, name = await shot(house)
    await house.press(drawn, drawn.controls[1].label)
    live = await house.panel()
    await house.press(live, "End activation")
    await house.panel()
    late = await house.press(live, "End activation", stale=True)
    assert late.ephemeral
    first, *since = late.content.splitlines()
    assert "moved on" in first
    assert any(name in line for line in since)
    assert (await house.press(late, "More...")).id == late.id


async def test_a_stranger_is_refused_at_the_press_and_not_after_a_form(house: House) -> None:
    drawn, name = await shot(house)
    await house.press(drawn, drawn.controls[1].label)
    told = read(await (await house.bo.press(await house.panel(), "Shoot")).message())
    assert told.ephemeral
    assert f"{name} is not yours" in told.content


def ticked(modal: Modal) -> dict[str, list[str]]:
    """What is chosen in each part of a form."""
    return {
        field.custom_id: [one.value for one in field.options if one.default]
        for field in modal.fields
        if field.options
    }


def lines_of(modal: Modal) -> dict[str, str]:
    """What stands in the lines of a form."""
    return {field.custom_id: field.value for field in modal.fields if field.value and not field.options}


async def test_a_distance_that_was_left_out_is_said_by_one_press(house: House) -> None:
    drawn, name = await shot(house)
    await house.press(drawn, drawn.controls[1].label)
    modal = await (await house.anna.press(await house.panel(), "Shoot")).modal()
    asked = await house.submit(modal, {"cover": "1"})
    assert asked.content.startswith("How far away is ")
    bands = [control.label for control in asked.controls]
    assert bands[-1] == "Change..." or bands[-2:] == ["Change...", "Several..."]
    assert bands[0].startswith("to ")
    done = await house.press(asked, bands[0])
    assert not done.ephemeral
    assert name in done.content


async def test_what_cannot_be_is_said_beside_change_with_the_rest_kept(house: House) -> None:
    drawn, _ = await shot(house)
    await house.press(drawn, drawn.controls[1].label)
    modal = await (await house.anna.press(await house.panel(), "Shoot")).modal()
    wrong = await house.submit(modal, {"cover": "2", "rest.": "dice: many"})
    assert wrong.ephemeral
    assert "Enter a number for Dice (you entered many)." in wrong.content
    again = await (await house.anna.press(wrong, "Change...")).modal()
    assert {"cover": ["2"]}.items() <= ticked(again).items()
    assert lines_of(again) == {"rest.": "dice: many"}, "what was typed stands there again"
    still = await house.submit(again, {"rest.": "dice: few"})
    assert (still.id, still.ephemeral) == (wrong.id, True), "one private message, edited"
    assert "Enter a number for Dice (you entered few)." in still.content
    for number, shown in (("nan", "nan"), ("inf", "inf"), ("1e999", "inf")):
        far = await house.submit(modal, {"rest.": f"distance: {number}"})
        assert f"Distance must be between 0 and 200 (you entered {shown})." in far.content
        again = await (await house.anna.press(far, "Change...")).modal()
        assert lines_of(again) == {"rest.": f"distance: {number}"}
    nobody = await house.submit(modal, {"rest.": "wings: 2"})
    assert "There is no option called wings here." in nobody.content
    assert [control.label for control in nobody.controls] == ["Change..."]
    again = await (await house.anna.press(nobody, "Change...")).modal()
    assert lines_of(again) == {"rest.": "wings: 2"}


async def test_a_form_of_blanks_that_was_refused_is_opened_again_with_what_was_said(house: House) -> None:
    asked = await house.slash("encounter start", system="warzone")
    asked = await house.press(asked, "Join...")
    modal = await (await house.anna.press(asked, "Create a crew...")).modal()
    for _ in range(2):
        said = await house.submit(modal, {"name": "Foxes"})
    assert "Foxes" in said.content
    again = await (await house.anna.press(said, "Change...")).modal()
    assert [field.value for field in again.fields] == ["Foxes"]
    assert (await house.submit(again)).id == said.id
    made = await house.submit(again, {"name": "Owls"})
    assert made.content.startswith("Owls")


async def test_what_a_recovery_looks_for_is_said_again_where_nobody_knows_it(house: House) -> None:
    await house.slash("demo")
    asked = await house.press(await house.panel(), "Mission")
    menu = next(one for one in asked.controls if one.placeholder == "Lancers: choose a mission")
    chosen = read(await (await house.anna.select(asked, menu.custom_id, "Recovery")).message())
    modal = await (await house.anna.press(chosen, "Choose what to look for...")).modal()
    wrong = await house.submit(modal, {"seeks": "a golden cup"})
    assert "golden cup" in wrong.content
    again = await (await house.anna.press(wrong, "Change...")).modal()
    assert lines_of(again) == {"seeks": "a golden cup"}
    done = await house.submit(again, {"seeks": "Knife"})
    assert done.content.startswith("Your mission: Recovery.")


async def test_odds_of_what_is_put_together_stand_in_its_place(house: House) -> None:
    """One private message from the first die to the chances, their other ways, and back."""
    drawn, _ = await shot(house)
    await house.press(drawn, drawn.controls[1].label)
    modal = await (await house.anna.press(await house.panel(), "Shoot")).modal()
    draft = await house.submit(modal, {"also.": ["several."]})
    assert draft.ephemeral
    while "Odds" not in [one.label for one in draft.controls]:
        menu = next((one for one in draft.controls if one.options), None)
        if menu is None:
            draft = await house.press(draft, draft.controls[0].label)
        else:
            draft = read(
                await (await house.anna.select(draft, menu.custom_id, menu.options[0].value)).message()
            )
    odds = await house.press(draft, "Odds")
    assert (odds.id, odds.ephemeral) == (draft.id, True)
    assert "No dice were rolled" in odds.content
    labels = [one.label for one in odds.controls]
    assert "Change..." not in labels
    if "Compare" in labels:
        odds = await house.press(odds, "Compare")
        assert odds.id == draft.id
    await house.restart()
    back = await house.press(odds, "Back")
    assert (back.id, back.content) == (draft.id, draft.content), "after a restart too"


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_set_up_has_a_name_to_press(system: str) -> None:
    (played,) = [game for game in ALL_GAMES if game.key == system]
    assert all(title_of(ACTIONS[command]) for command in getattr(played, "sets_up", ()))


async def test_what_is_leafed_through_stays_one_message(house: House) -> None:
    """More..., the log and a board are edited where they stand: nothing piles up."""
    begun = await house.slash("demo", system="soluna")
    await house.press(begun, "Begin")
    more = await house.press(await house.panel(), "More...")
    for label in ("Why aren't other actions possible?", "What you can do", "Another model..."):
        again = await house.press(more, label)
        assert (again.id, again.ephemeral) == (more.id, True)
        assert again.content != more.content
        more = again
    (who,) = [one for one in more.controls if one.placeholder == "Which model?"]
    chosen = read(await (await house.anna.select(more, who.custom_id, who.options[0].value)).message())
    assert chosen.id == more.id
    board = await house.press(await house.panel(), "Board")
    assert (await house.press(board, "Refresh")).id == board.id
    log = await house.slash("log")
    assert log.ephemeral


async def test_a_hand_of_cards_is_one_message(house: House) -> None:
    await house.press(await house.slash("demo", system="fracd_earth"), "Begin")
    hand = await house.press(await house.panel(), "Cards")
    assert hand.ephemeral
    for label in ("Refresh", "Chances: Wardens", "Cards", "Chances: Prowlers"):
        again = await house.press(hand, label)
        assert again.id == hand.id
        hand = again


async def test_compare_and_change_stay_in_the_message_of_the_odds(house: House) -> None:
    """One private message: odds, their other ways, back again; and the form, filled in as they were asked."""
    await house.begin(await house.slash("demo"))
    odds = await house.slash("cb shoot", model="Smap", target="Trapper", distance=7.0, odds=True)
    before = odds.content
    compared = await house.press(odds, "Compare")
    assert (compared.id, compared.ephemeral) == (odds.id, True)
    assert "Shoot, by target" in compared.content
    again = await house.press(compared, "Odds")
    assert (again.id, again.content) == (odds.id, before)
    modal = await (await house.anna.press(again, "Change...")).modal()
    assert modal.title == "Shoot"
    assert "odds" in ticked(modal)["also."]


async def test_a_number_that_a_line_lacks_is_one_press_and_its_odds_stay_there(house: House) -> None:
    await house.begin(await house.slash("demo"))
    asked = await house.slash("do", line="shoot model:smap trapper odds")
    assert "How far away is" in asked.content
    assert [one.label for one in asked.controls][-1] == "Change..."
    odds = await house.press(asked, "to 8 in")
    assert odds.id == asked.id
    assert "No dice were rolled" in odds.content
    assert "Change..." in [one.label for one in odds.controls]


OTHERS_OF_MINE = {
    "fe.activate": "who acts is named by the one field",
    "wz.activate": "a unit acts, whoever of it is named",
    "wz.squad": "several are put together",
}
"""Actions of a model of one's own that no field names first, and why."""


def test_what_a_model_does_is_offered_to_who_does_it() -> None:
    """The one field that only who plays it may name tells who acts, wherever it stands: a doctor heals."""
    for command, kind in ACTIONS.items():
        mine = [part for part in parts(command) if isinstance(part.kind, Models) and part.kind.mine]
        if kind.typed and len(mine) == 1 and command not in OTHERS_OF_MINE:
            assert part_of_doer(command) == mine[0], command


async def test_a_doctor_is_offered_to_heal(table: Table) -> None:
    await table.done("anna", StartDemo("infinity"))
    await table.done("anna", NextStep())
    first = next(button for button in (await panel(table)).buttons if button.label == "Play first")
    assert first.action is not None
    await table.done("anna", first.action)
    await table.done("anna", NextStep())
    encounter = await table.encounter()
    acting = game_of(encounter).acting(encounter)
    side = acting[0].side
    doctors = {"Vanguard": ("Doc Ruiz", "Angus"), "Nightfall": ("Seedling", "Tracker")}
    doctor, fallen = doctors[encounter.side(side).name]
    await table.done("anna", AddCondition(fallen, "unconscious"))
    told = (await table.do("anna", WhatNow(f"#{encounter.find_model(doctor).id}"))).reply
    offered = {choice.value for menu in told.menus for choice in menu.choices}
    assert ("inf.heal" in offered) == (doctor == "Doc Ruiz")


async def test_only_who_acts_with_another_is_offered_to_shoot_together(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    drawn = (await table.done("anna", DrawToken())).reply.lines[0]
    name, other = ("Sally", "HOpR Bot") if "Lancers" in drawn else ("Spawnguard", "Edo Underling")
    encounter = await table.encounter()
    first, second = encounter.find_model(name).id, encounter.find_model(other).id
    for group, offered in (((first,), False), ((first, second), True)):
        await table.done("anna", Activate(group))
        told = (await table.do("anna", WhatNow())).reply
        assert ("cb.team" in {choice.value for menu in told.menus for choice in menu.choices}) == offered
        told = (await table.do("anna", WhatNow(f"#{first}"))).reply
        assert offered or "cb.team" not in {choice.value for menu in told.menus for choice in menu.choices}
        await table.done("anna", Undo())


async def test_who_has_no_side_lays_no_mission_places(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    for who in ("anna", "bo"):
        await table.do(who, ChooseSecretly("scouting"))
    for who, offered in (("anna", True), ("cy", False)):
        told = (await table.do(who, WhatNow())).reply
        assert ("mission.places" in {one.value for menu in told.menus for one in menu.choices}) == offered


async def test_what_is_changed_when_it_may_be_done_no_more_offers_no_friends(table: Table) -> None:
    """The odds of a charge, changed once it was made: nobody of the own side is meant."""
    await table.done("anna", StartDemo("warzone"))
    await table.done("bo", JoinEncounter("Hollow"))
    await table.done("anna", NextStep())
    encounter = await table.encounter()
    name, unit = ("Adams", "Guard") if "anna" in waited_for(encounter) else ("Ash", "Husks")
    who = "anna" if unit == "Guard" else "bo"
    foe = "Maelgor" if who == "anna" else "Colonel Voss"
    await table.done(who, ActivateUnit(unit))
    await table.done(who, WarzoneCharge(name, foe))
    looking = Looking((await table.loaded()).book(), table.actor(who))
    form = build_form(looking, WarzoneCharge(name, foe, odds=True))
    (whom,) = [control for control in form.controls if control.name == "target"]
    side = encounter.find_model(foe).side
    assert {choice.label for choice in whom.choices} == {row.name for row in encounter.models(side)}


@pytest.mark.rule("CB-ACT-06")
async def test_of_a_group_only_who_has_not_finished_acts_on(table: Table) -> None:
    """The panel offers the other's acts at once, waits for it alone, and counts no actions that are lost."""
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    drawn = (await table.done("anna", DrawToken())).reply.lines[0]
    names = ("Smap", "HOpR Bot") if "Lancers" in drawn else ("Edo Underling", "Edo Spawnling")
    encounter = await table.encounter()
    first, second = [encounter.find_model(name) for name in names]
    await table.done("anna", Activate((first.id, second.id)))
    assert [one.prompt for one in (await panel(table)).menus] == ["Who acts?"]
    await table.done("anna", Move(names[0], 1))
    await table.done("anna", Move(names[1], 1))
    shown = await panel(table)
    assert not shown.menus
    assert f"Actions left: {second.name} (1)" in shown.lines
    assert waited_for(await table.encounter()) == f"Waiting for anna to act with {second.name}."
    asked = (await table.do("anna", DrawToken(asks=True))).reply
    assert asked.lines[0] == f"{second.name} has 1 action left."
    assert not any(first.name in line for line in asked.lines)


async def test_who_of_a_group_has_no_action_left_is_not_waited_for(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    drawn = (await table.done("anna", DrawToken())).reply.lines[0]
    names = ("Smap", "HOpR Bot") if "Lancers" in drawn else ("Edo Underling", "Edo Spawnling")
    group = [(await table.encounter()).find_model(name) for name in names]
    await table.done("anna", Activate(tuple(one.id for one in group)))
    await table.done("anna", Move(names[0], 2))
    assert waited_for(await table.encounter()) == f"Waiting for anna to act with {group[1].name}."
    assert not (await panel(table)).menus


async def test_what_is_owed_is_the_panels_first_line_and_button(table: Table) -> None:
    """An arc that leaps on: before it nothing leads on, so neither Draw nor Done is offered."""
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())

    def owes(encounter: Encounter) -> None:
        encounter.find_model("Prime Leader").counters[
            WAITS.of(encounter.find_model("Smap").id, "Arc Rod")
        ] = EVEN

    await arrange(table, "anna", owes)
    shown = await panel(table)
    owed = [button.label for button in shown.buttons]
    assert owed[:2] == ["Arc from Smap...", "No model within 2 in"]
    assert not {"Answer...", "Draw", "End activation"} & {*owed}
    said = waited_for(await table.encounter())
    assert said == "Waiting for Edo. Which model does the arc from Smap reach?"
    answer = await table.do("anna", ShowOwed())
    assert (await table.press("anna", answer, "No model within 2 in")).changed
    assert not {*owed[:2]} & {button.label for button in (await panel(table)).buttons}
