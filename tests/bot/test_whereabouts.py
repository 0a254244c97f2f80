"""Where a game is played: threads, moving, the list of a server's games, games and threads that sleep.

The whole bot on the local server, which knows who may see and do what in a channel.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.local.people import Person
from bot.local.seen import EventKind, Message
from bot.local.world import Channel, Permission
from bot.store.doctor import examine
from tests.bot.house import House, read
from tests.bot.tables import url_of

pytestmark = pytest.mark.both_databases

P = Permission
DAY = 86_400_000


def channel(house: House, name: str) -> Channel:
    return next(one for one in house.server.world.channels.values() if one.name == name)


def deny(house: House, name: str, permission: Permission, *who: Person) -> None:
    for one in who or [None]:
        user = house.server.world.bot if one is None else one.user
        house.server.world.overwrite(channel(house, name), user, deny=permission)


def shown(house: House, name: str) -> list[Message]:
    return [read(one) for one in channel(house, name).messages.values() if not one.ephemeral]


async def moved(house: House, name: str) -> Message:
    """Move the game by the command, and confirm it."""
    return await house.press(await house.slash("encounter move", channel=f"#{name}"), "Move the game")


async def whole(file: Path) -> None:
    assert not (await examine(url_of(file))).faults


@pytest.fixture
async def hall(house: House) -> House:
    house.server.channel("hall")
    return house


# ------------------------------------------------------------------------------------ a thread


async def test_a_game_is_played_in_a_thread_made_by_a_button(house: House, file: Path) -> None:
    start = await house.slash("demo")
    told = await house.press(start, "Play in a thread")
    thread = channel(house, "Counterblast")
    assert thread.is_thread
    assert f"moved Counterblast to <#{thread.id}>." in told.content
    panel = await house.panel()
    assert panel.channel_id == thread.id
    assert any(f"game is now in <#{thread.id}>" in one.content for one in shown(house, "table"))
    house.anna.go(thread.id)
    assert "turn" in (await house.begin(panel)).content or (await house.panel()).channel_id == thread.id
    await whole(file)


@pytest.mark.parametrize("missing", [P.CREATE_PUBLIC_THREADS, P.SEND_MESSAGES_IN_THREADS])
async def test_where_the_bot_may_make_no_thread_a_sentence_says_so(house: House, missing: Permission) -> None:
    deny(house, "table", missing)
    start = await house.slash("demo")
    assert "Play in a thread" not in [one.label for one in start.controls]
    told = await house.slash("encounter move", thread=True)
    assert told.content.startswith("Grant the bot the permissions Create Public Threads")
    assert told.ephemeral
    assert not [one for one in house.server.world.channels.values() if one.is_thread]
    assert (await house.panel()).channel_id == house.anna.here


async def test_no_thread_is_offered_within_a_thread_and_none_is_made(house: House) -> None:
    start = await house.slash("demo")
    await house.press(start, "Play in a thread")
    house.anna.go("Counterblast")
    asked = await house.slash("encounter move")
    assert not [one for one in asked.controls if one.is_button]
    (menu,) = asked.controls
    assert [one.label for one in menu.options] == ["#table"], "not where it is played, but above it"
    told = await house.slash("encounter move", thread=True)
    assert "Use this in a server's text channel; a thread can't be created here" in told.content
    assert sum(one.is_thread for one in house.server.world.channels.values()) == 1


async def test_a_game_that_begins_in_a_thread_offers_no_other(house: House) -> None:
    await house.press(await house.slash("demo"), "Play in a thread")
    house.anna.go("Counterblast")
    await house.press(await house.slash("encounter end"), "End the game")
    again = await house.slash("demo")
    assert "Play in a thread" not in [one.label for one in again.controls]
    assert "Begin" in [one.label for one in again.controls]


async def test_where_to_offers_what_is_free_the_near_threads_first(hall: House) -> None:
    """However many channels there are; neither what is archived, nor where a game is played."""
    world = hall.server.world
    for number in range(30):
        hall.server.channel(f"room-{number}")
    table, annas = channel(hall, "table"), hall.anna.user
    for name in ("near", "asleep"):
        world.add_thread(table, name, owner=annas)
    world.add_thread(channel(hall, "hall"), "far", owner=annas)
    channel(hall, "asleep").archived = True
    world.tell(EventKind.CHANNEL, channel(hall, "asleep").id)
    hall.bo.go("hall")
    await hall.slash("demo", hall.bo)
    await hall.slash("demo")
    asked = await hall.slash("encounter move")
    offered = [one.label for menu in asked.controls for one in menu.options]
    assert offered[0] == "#near"
    assert {"#room-29", "#far"} <= set(offered)
    assert not {"#table", "#hall", "#asleep"} & set(offered)


async def test_only_the_organiser_makes_a_thread(house: House) -> None:
    told = await house.press(await house.slash("demo"), "Play in a thread", house.bo)
    assert told.content == "Only the organiser can move the game."
    assert not [one for one in house.server.world.channels.values() if one.is_thread]


# ------------------------------------------------------------------------------------ moving


async def test_a_game_is_moved_with_panel_log_and_undo(hall: House, file: Path) -> None:
    await hall.begin(await hall.slash("demo"))
    asked = await hall.slash("encounter move", channel="#hall")
    assert asked.content.startswith("Move Counterblast to <#")
    assert (await hall.panel()).channel_id == channel(hall, "table").id
    told = await hall.press(asked, "Move the game")
    assert told.content.startswith(f"Anna moved Counterblast to <#{channel(hall, 'hall').id}>.")
    panel = await hall.panel()
    assert panel.channel_id == channel(hall, "hall").id
    assert [one for one in shown(hall, "table") if one.content.startswith("The game is now in <#")]
    hall.anna.go("hall")
    drawn = await hall.press(panel, "Draw")
    assert "draws" in drawn.content
    undone = await hall.slash("undo")
    assert "Undone: ~~" in undone.content
    assert "draws" in undone.content
    assert "Undone" in (await hall.slash("undo")).content
    assert (await hall.panel()).channel_id == channel(hall, "hall").id
    assert "Redone" in (await hall.slash("redo")).content
    assert "moved Counterblast to <#" in (await hall.slash("log")).content
    await whole(file)


async def test_taking_everything_back_and_again_leaves_the_game_where_it_is(hall: House, file: Path) -> None:
    await hall.slash("demo")
    await moved(hall, "hall")
    hall.anna.go("hall")
    assert "Undone" in (await hall.slash("undo")).content
    assert (
        "There is no game in this channel. Start one with /encounter start, or try /demo"
        in (await hall.slash("encounter status")).content
    )
    assert "Redone" in (await hall.slash("redo")).content
    assert "no game" not in (await hall.slash("encounter status")).content
    assert (await hall.panel()).channel_id == channel(hall, "hall").id
    await whole(file)


async def test_a_place_where_a_game_is_played_is_refused(hall: House) -> None:
    await hall.slash("demo")
    hall.anna.go("hall")
    await hall.slash("demo")
    told = await hall.slash("encounter move", channel="#table")
    assert (
        told.content == f"Choose another channel; there is already a game in <#{channel(hall, 'table').id}>."
    )
    assert told.ephemeral


async def test_a_place_that_fills_while_it_is_asked_is_refused(hall: House, file: Path) -> None:
    await hall.slash("demo")
    asked = await hall.slash("encounter move", channel="#hall")
    hall.bo.go("hall")
    await hall.slash("demo", hall.bo)
    assert (
        "Choose another channel; there is "
        "already a game in" in (await hall.press(asked, "Move the game")).content
    )
    await whole(file)


async def test_the_same_place_and_places_that_are_not_seen_are_refused(hall: House) -> None:
    await hall.slash("demo", hall.bo)
    move = "encounter move"
    assert "already" in (await hall.slash(move, hall.bo, channel="#table")).content
    deny(hall, "hall", P.VIEW_CHANNEL, hall.bo)
    number = str(channel(hall, "hall").id)
    assert (
        "Choose a channel or thread that you can see."
        in (await hall.slash(move, hall.bo, channel=number)).content
    )
    assert "hall" not in (await hall.slash(move, hall.bo)).content
    assert (
        "Choose a channel or thread that you can see."
        in (await hall.slash(move, hall.bo, channel="123456789012345678")).content
    )


async def test_the_bot_has_to_write_there(hall: House) -> None:
    await hall.slash("demo")
    deny(hall, "hall", P.SEND_MESSAGES)
    number = str(channel(hall, "hall").id)
    assert (
        "Grant the bot the permissions View Channel and Send Messages for"
        in (await hall.slash("encounter move", channel=number)).content
    )


async def test_what_is_pressed_where_the_game_was_says_where_it_is(hall: House) -> None:
    start = await hall.slash("demo")
    await moved(hall, "hall")
    place = f"<#{channel(hall, 'hall').id}>"
    told = await hall.press(start, "Begin")
    assert told.content == f"Nothing was changed, because Counterblast is now played in {place}."
    told = await hall.slash("encounter status")
    assert f"Counterblast is being played in {place}." in told.content
    asked: dict[str, dict[str, str]] = {"help": {}, "do": {"line": "draw"}}
    for path, options in asked.items():
        assert f"Counterblast is being played in {place}." in (await hall.slash(path, **options)).content, (
            path
        )
    deny(hall, "hall", P.VIEW_CHANNEL, hall.bo)
    assert place not in (await hall.slash("encounter status", hall.bo)).content
    for path, options in asked.items():
        assert place not in (await hall.slash(path, hall.bo, **options)).content, path


async def test_where_the_game_was_another_can_begin(hall: House) -> None:
    await hall.slash("demo")
    await moved(hall, "hall")
    assert "a sample game" in (await hall.slash("demo", system="soluna")).content


async def test_a_game_whose_channel_is_gone_is_fetched(hall: House, file: Path) -> None:
    hall.anna.go("hall")
    await hall.slash("demo")
    hall.anna.go("table")
    hall.server.world.remove_channel(channel(hall, "hall"))
    listed = await hall.slash("encounter list")
    assert "in a deleted channel" in listed.content
    assert "gone" not in (await hall.slash("encounter list", hall.bo)).content
    one = read(await (await hall.anna.select(listed, "Show or move a game", "Counterblast")).message())
    await hall.press(await hall.press(one, "Move the game here"), "Move the game")
    assert (await hall.panel()).channel_id == hall.anna.here
    await whole(file)


# ------------------------------------------------------------------------------------ the list


async def test_the_list_shows_what_runs_sleeps_and_is_over(hall: House) -> None:
    hall.anna.go("hall")
    await hall.slash("demo", system="soluna")
    await hall.press(await hall.slash("encounter end"), "End the game")
    hall.anna.go("table")
    assert "no game" not in (await hall.slash("demo")).content
    listed = await hall.slash("encounter list")
    assert listed.ephemeral
    assert listed.content.index("Counterblast**, not begun yet") < listed.content.index("sol'una**, ended ")
    assert f"<#{channel(hall, 'hall').id}>" in listed.content


async def test_a_list_tells_nothing_of_channels_that_are_not_seen(hall: House) -> None:
    hall.anna.go("hall")
    await hall.slash("demo")
    deny(hall, "hall", P.VIEW_CHANNEL, hall.bo)
    told = await hall.slash("encounter list", hall.bo)
    assert "Counterblast" not in told.content
    assert str(channel(hall, "hall").id) not in told.content
    assert {control.label for control in told.controls} == {"Start a game", "Try a game"}


async def test_a_private_thread_is_its_members_alone(hall: House) -> None:
    world = hall.server.world
    thread = world.add_thread(channel(hall, "table"), "cellar", hall.anna.user, private=True)
    thread.joined.add(world.bot.id)
    hall.anna.go(thread.id)
    await hall.slash("demo")
    hall.anna.go("table")
    assert f"<#{thread.id}>" in (await hall.slash("encounter list")).content
    assert f"<#{thread.id}>" not in (await hall.slash("encounter list", hall.bo)).content
    thread.joined.add(hall.bo.id)
    assert f"<#{thread.id}>" in (await hall.slash("encounter list", hall.bo)).content


async def test_games_of_other_servers_are_never_listed(hall: House) -> None:
    await hall.slash("demo")
    world = hall.server.world
    other = world.add_guild("Elsewhere")
    world.add_channel("den", other)
    await hall.restart()
    cy = hall.server.person("cy", guild=other)
    told = await hall.slash("encounter list", cy)
    assert told.content.startswith("There are no games on this server that you can see")


async def test_a_list_has_pages(hall: House) -> None:
    for number in range(10):
        hall.anna.go(hall.server.channel(f"room-{number}"))
        await hall.slash("demo", system="soluna")
    first = await hall.slash("encounter list")
    assert first.content.startswith("Games on this server, page 1 of 2:")
    second = await hall.press(first, "Next")
    assert second.content.startswith("Games on this server, page 2 of 2:")
    assert second.content.count("**sol'una**") == 2


# ------------------------------------------------------------------------------------ sleeping


async def test_a_game_sleeps_400_days_and_is_woken(hall: House, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.anna.go("hall")
    await hall.begin(await hall.slash("demo"))
    panel = await hall.panel()
    await hall.restart()
    later = hall.desk.store.now() + 400 * DAY
    monkeypatch.setattr(hall.desk.store, "_clock", lambda: later)
    hall.anna.go("table")
    listed = await hall.slash("encounter list")
    assert "Counterblast**, turn 1, inactive since 14 Nov 2023" in listed.content
    one = read(await (await hall.anna.select(listed, "Show or move a game", "Counterblast")).message())
    told = await hall.press(one, "Show the panel")
    assert told.content.startswith("Counterblast's panel has been posted again in")
    awake = await hall.panel()
    assert awake.channel_id == panel.channel_id
    assert awake.content.partition("Record")[0] == panel.content.partition("Record")[0]
    assert "sleeps" not in (await hall.slash("encounter list")).content
    hall.anna.go("hall")
    assert "draws" in (await hall.press(awake, "Draw")).content


async def test_who_only_sees_the_channel_moves_and_shows_no_game_that_is_awake(house: House) -> None:
    await house.begin(await house.slash("demo"))
    cy = house.server.person("cy")
    listed = await house.slash("encounter list", cy)
    one = read(await (await cy.select(listed, "Show or move a game", "Counterblast")).message())
    assert [button.label for button in one.controls] == ["Show the panel", "All games"]
    before = await house.panel()
    told = await house.press(one, "Show the panel", cy)
    assert told.content.startswith(f"Only players of this game can show its panel again in <#{cy.here}>")
    assert (await house.panel()).id == before.id
    assert "was resumed" not in (await house.slash("log")).content
    listed = await house.slash("encounter list")
    one = read(await (await house.anna.select(listed, "Show or move a game", "Counterblast")).message())
    await house.press(one, "Show the panel")
    assert "Counterblast's panel was posted again" in (await house.slash("log")).content


async def test_the_buttons_of_a_game_that_sleeps_are_good(
    hall: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hall.begin(await hall.slash("demo"))
    panel = await hall.panel()
    await hall.restart()
    later = hall.desk.store.now() + 400 * DAY
    monkeypatch.setattr(hall.desk.store, "_clock", lambda: later)
    assert "draws" in (await hall.press(panel, "Draw")).content


async def test_an_archived_thread_is_woken_by_its_panel(house: House) -> None:
    await house.press(await house.slash("demo"), "Play in a thread")
    thread = channel(house, "Counterblast")
    first = await house.panel()
    thread.archived = True
    listed = await house.slash("encounter list")
    assert f"<#{thread.id}>" in listed.content
    one = read(await (await house.anna.select(listed, "Show or move a game", "Counterblast")).message())
    await house.press(one, "Show the panel")
    assert (await house.panel()).channel_id == thread.id
    assert not thread.archived
    assert (await house.panel()).id != first.id


async def test_who_does_not_see_a_game_does_not_wake_it(hall: House) -> None:
    hall.anna.go("hall")
    await hall.slash("demo")
    hall.anna.go("table")
    listed = await hall.slash("encounter list", hall.bo)
    one = read(await (await hall.bo.select(listed, "Show or move a game", "Counterblast")).message())
    deny(hall, "hall", P.VIEW_CHANNEL, hall.bo)
    told = await hall.press(one, "Show the panel", hall.bo)
    assert told.content == (
        "Choose another game with /encounter list; that one no longer exists, or you can't see its channel."
    )
