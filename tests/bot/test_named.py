"""Whatever tells somebody to type a command can be pressed: refusals and replies of all games."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import pytest

from bot.actions import ACTIONS, action_of
from bot.app import ALL_GAMES
from bot.panels.named import MAX_NAMED, OFFERS_ITSELF, named_in, press_for, with_named
from bot.panels.tapping import NAMED, typed_kinds
from bot.replies.fit import has_room
from bot.replies.reply import Button, Choice, Menu, Reply, say
from bot.table.asking.descriptions import GAME_WORDS, GROUPS
from bot.table.game import GAMES
from bot.table.handlers import HANDLERS
from bot.table.journal.history import Undo
from bot.table.offers.forms import title_of
from bot.table.session.encounters import AskEnd
from bot.table.session.joining import JoinEncounter
from tests.bot.house import House, read
from tests.source import ROOT, about

MAX_TITLE_LENGTH = 26

NOT_PRESSED: Mapping[str, str] = {
    "do": "a line to be typed is what it is",
    "crew own import": "it takes a file, or a text from elsewhere",
    "board import": "it takes a file",
    "board photo": "it takes a file",
    "story picture": "it takes a file",
}
"""Commands that texts name and nothing presses, each with its reason."""

NO_REPLIES = ("bot/local", "bot/page")
"""Where a slash begins an address."""


def texts() -> Iterator[tuple[str, str]]:
    """Every text in the source of the bot and the rules that names what may be a command, and where."""
    for file, source in about(NAMED.pattern, ROOT / "bot", ROOT / "rules").items():
        place = file.relative_to(ROOT).as_posix()
        if not place.startswith(NO_REPLIES):
            for node in source.every(ast.Constant):
                if isinstance(node.value, str):
                    yield place, node.value


def test_every_command_that_a_text_names_exists_and_has_a_press() -> None:
    seen = 0
    for place, text in texts():
        for found in NAMED.finditer(text):
            named = found[1]
            paths = {" ".join(named.split()[:count]) for count in (3, 2, 1)}
            action = next(named_in(f"/{named}"), None)
            if paths & set(NOT_PRESSED) or (action is None and paths & {*GROUPS, *GAME_WORDS}):
                continue
            assert action is not None, f"{place}: there is no command /{named}"
            button = press_for(action)
            assert button is not None, f"{place}: nothing presses /{named}"
            assert has_room(button)
            seen += 1
    assert seen > 200
    assert all(path == "do" or path in typed_kinds() for path in NOT_PRESSED)


def test_each_command_that_is_named_has_one_button() -> None:
    told = with_named(say("Take a side: /encounter join, then /encounter", "end. Or /encounter join."))
    assert [type(button.action) for button in told.buttons] == [JoinEncounter, AskEnd]
    assert all(button.anytime for button in told.buttons)


def test_what_offers_itself_is_pressed_without_a_form() -> None:
    for command in OFFERS_ITSELF:
        button = press_for(action_of(command, {}))
        assert button is not None, command
        assert not button.asks, command


def test_what_can_be_pressed_already_gets_no_second_button() -> None:
    known = say("/undo takes it back.", buttons=(Button("Undo", Undo()),))
    assert with_named(known) == known


def test_a_switch_that_is_named_is_set() -> None:
    (button,) = with_named(say("Give it up with /encounter join watch:true.")).buttons
    assert button.action == JoinEncounter(watch=True)
    assert not button.asks


def test_a_full_reply_stays_as_it_is() -> None:
    menus = tuple(Menu(f"{n}?", JoinEncounter(), "side", (Choice("a", "a"),), anytime=True) for n in range(5))
    full = Reply(("/encounter join",), menus=menus)
    assert with_named(full) == full
    many = with_named(say(" ".join(f"/{kind.typed}" for kind in list(ACTIONS.values()) if kind.typed)))
    assert len(many.buttons) == MAX_NAMED


def test_pages_of_help_are_tapped_where_they_stand() -> None:
    page = Reply(("/encounter join",), tappable=True)
    assert with_named(page) == page


async def test_from_an_empty_channel_to_a_crew_that_plays_without_a_command(house: House) -> None:
    nothing = await house.slash("encounter status")
    form = await (await house.anna.press(nothing, "Start a game")).modal()
    begun = await house.submit(form, {})
    assert begun.content.startswith("Counterblast: the game has been created.")
    lists = await house.slash("crew list")
    form = await (await house.anna.press(lists, "Create a crew")).modal()
    made = await house.submit(form, {"name": "Foxes"})
    built = await house.press(made, "Build...")
    lackeys = next(one for one in built.controls if one.placeholder.startswith("Add a model (Lackeys)"))
    taken = read(await (await house.anna.select(built, lackeys.custom_id, "GDF Ranger")).message())
    assert "GDF Ranger joins Foxes." in taken.content


async def test_where_several_crews_may_be_meant_one_is_chosen(house: House) -> None:
    for name in ("Foxes", "Owls"):
        await house.slash("crew create", name=name)
    empty = await house.slash("encounter start", crew="Foxes")
    assert "Add a model to" in empty.content
    which = await house.press(empty, "Recruit")
    assert which.ephemeral
    assert [control.label for control in which.controls] == ["Foxes", "Owls"]
    form = await (await house.anna.press(which, "Owls")).modal()
    assert "Smap joins Owls." in (await house.submit(form, {"profile": "Smap"})).content


async def test_a_season_is_one_press_away_and_a_campaign_asked_for_only_where_several_run(
    house: House,
) -> None:
    """Nothing of it is left to say but whether everybody sees it; one that is put away is not meant."""
    for name in ("Rust", "Dust"):
        await house.slash("campaign create", name=name)
    await house.slash("crew create", name="Foxes")
    recruit = {"crew": "Foxes", "who": "Sally Starfield"}
    await (await house.typed("crew recruit", options=recruit)).message()
    await house.slash("crew leader", crew="Foxes", member="Sally Starfield")
    joined = await house.slash("campaign join", crew="Foxes", campaign="Rust")
    assert (await house.press(joined, "Season")).content.startswith("**Rust**")
    kept = await house.slash("crew leader", crew="Foxes", member="Sally Starfield")
    which = await house.press(kept, "Season")
    assert [control.label for control in which.controls] == ["Rust", "Dust"]
    assert (await house.press(which, "Rust")).content.startswith("**Rust**")
    await house.slash("organise archive", campaign="Dust")
    assert (await house.press(kept, "Season")).content.startswith("**Rust**")
    assert "Dust has been restored" in (await house.slash("organise restore")).content


async def test_a_form_of_a_crew_opens_below_what_is_told_of_its_campaign(house: House) -> None:
    await house.slash("campaign create", name="Rust")
    await house.slash("crew create", name="Foxes")
    recruit = {"crew": "Foxes", "who": "Sally Starfield"}
    await (await house.typed("crew recruit", options=recruit)).message()
    await house.slash("crew leader", crew="Foxes", member="Sally Starfield")
    await house.slash("campaign join", crew="Foxes")
    mine = await house.slash("campaign mine")
    form = await (await house.anna.press(mine, "Build a Hero...")).modal()
    told = await house.submit(form, {"name": "Zed"})
    assert "You are now building Zed" in told.content


def test_titles_can_be_told_apart_and_pressed() -> None:
    """Of one game no two are alike, and a script that chooses one by its title finds it."""
    for system in (game.key for game in ALL_GAMES):
        titles = [
            title_of(kind)
            for kind in typed_kinds().values()
            if (handler := HANDLERS.get(kind.command)) is not None and handler.system in ("", system)
        ]
        assert len(titles) == len(set(titles)), system
        assert not [title for title in titles if "," in title or len(title) > MAX_TITLE_LENGTH]
        assert all(title[0].isupper() for title in titles)


@pytest.mark.parametrize("system", sorted(GAMES))
async def test_a_refusal_that_names_a_command_is_pressed(house: House, system: str) -> None:
    await house.slash("demo", system=system)
    refused = await house.slash("export")
    (end,) = refused.controls
    asked = await house.press(refused, end.label)
    assert "End the game" in [control.label for control in asked.controls]


async def test_a_kept_crew_is_chosen_in_the_form_that_starts_a_game(house: House) -> None:
    await house.slash("crew create", name="Foxes")
    await house.typed("crew recruit", options={"crew": "Foxes", "who": "Sally Starfield"})
    await house.slash("crew leader", crew="Foxes", member="Sally Starfield")
    nobody = await (
        await house.bo.press(await house.slash("encounter status", house.bo), "Start a game")
    ).modal()
    assert not [field for field in nobody.fields if field.custom_id == "crew"], "bo has no crew"
    form = await (await house.anna.press(await house.slash("encounter status"), "Start a game")).modal()
    crew = next(field for field in form.fields if field.custom_id == "crew")
    assert [option.label for option in crew.options] == ["Foxes"]
    begun = await house.submit(form, {"crew": crew.options[0].value})
    assert "Foxes: 1 model" in begun.content
