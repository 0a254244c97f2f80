"""The live panel: one message that keeps up, moves down when it is old, and never holds play up."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.local.faults import Trouble
from bot.local.people import Person
from bot.local.seen import Message
from bot.panels import board
from bot.panels.door import InteractionDoor
from bot.panels.ping import post
from bot.store.errors import Lost
from bot.table.act import Actor
from bot.table.game import DAY_MS
from bot.table.request import Request
from bot.table.session.models import DamageModel
from tests.bot.house import House

EDITS = "PATCH /channels/*/messages/*"
POSTS = "POST /channels/*/messages"
IDS = itertools.count(70_000)


def panels(house: House) -> list[Message]:
    return [one for one in house.public if "COUNTERBLAST  " in one.content]


def labels(message: Message) -> list[str]:
    return [one.label for one in message.controls]


def pressable(house: House) -> list[int]:
    """The public messages on which something can be pressed."""
    return [one.id for one in house.public if one.controls]


async def hurt(house: House) -> None:
    scope = await house.desk.store.running_encounter(house.anna.here)
    await house.desk.perform(Request(DamageModel("Smap"), actor(house.anna, house), next(IDS), scope))
    house.client.panels.changed(scope)
    await house.quiet()


def actor(person: Person, house: House) -> Actor:
    return Actor(person.id, person.name, house.server.world.channels[person.here].guild_id or 0, person.here)


async def test_a_card_is_edited_while_a_model_acts_and_closed_by_the_next(house: House) -> None:
    """The newest card is the panel; nothing else in the channel can be pressed."""
    await house.slash("demo")
    first = await house.begin(await house.panel())
    assert "turn 1 of 8" in first.content
    drawn = await house.press(first, "Draw")
    assert drawn.content.splitlines()[0] in (
        "Anna draws a token for Lancers.",
        "Anna draws a token for Edo.",
    )
    name = next(label for label in labels(drawn) if label in ("Sally Starfield", "Prime Leader"))
    acts = await house.press(drawn, name)
    assert acts.id == drawn.id
    assert "Draw" not in labels(acts)
    done = await house.press(acts, "End activation")
    assert done.id == drawn.id
    assert "Before: " in done.content
    following = await house.press(done, "Draw")
    assert following.id > drawn.id
    closed = next(one for one in house.public if one.id == drawn.id)
    assert closed.controls == ()
    assert f"{name} acts" in closed.content
    assert pressable(house) == [following.id]


def colour(message: Message) -> Any:
    return message.components[0].get("accent_color")


async def test_a_closed_card_keeps_the_colour_of_who_acted(house: House) -> None:
    """Also where another side's card closes it; and a card's words name the side that is waited for."""
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    card = await house.begin(await house.panel())
    acted: dict[int, Any] = {}
    closed: set[Any] = set()
    for _ in range(40):
        stands = await house.desk.store.panel(1)
        assert stands is not None
        who, side = (house.bo, "Edo") if stands.awaited == str(house.bo.id) else (house.anna, "Lancers")
        assert f"{side}. Waiting for {who.display_name} to " in card.content
        wanted = ("End activation", "Draw", *labels(card)[1:])
        card = await house.press(card, next(one for one in wanted if one in labels(card)), who)
        acted |= {card.id: colour(card)} if " acts: " in card.content.splitlines()[0] else {}
        closed = {acted[one.id] for one in house.public if one.id in acted and not one.controls}
        assert all(colour(one) == acted[one.id] for one in house.public if one.id in acted)
        if len(closed) == 2:
            return
    raise AssertionError("both sides should have acted")


async def test_settling_waits_until_the_card_before_is_closed(house: House) -> None:
    """Also where the answer came before: what a script shows does not depend on the machine's speed."""
    await house.slash("demo")
    await house.begin(await house.panel())
    house.server.faults.arm(Trouble.LATE, EDITS, seconds=0.2)
    outcome = await house.anna.slash("bag draw")
    await outcome.acknowledged(5)
    await house.client.panels.settle()
    assert pressable(house) == [(await house.panel()).id]


async def test_a_private_menu_goes_when_it_is_answered(house: House) -> None:
    await house.slash("demo")
    await house.slash("mission choose", mission="Sabotage")
    asked = await house.press(await house.panel(), "Begin")
    assert asked.ephemeral
    begun = await house.press(asked, "Begin anyway")
    assert not begun.ephemeral
    assert asked.id not in house.server.world.channels[asked.channel_id].messages


async def test_who_is_waited_for_is_mentioned_once(house: House) -> None:
    """Only that person, and nobody who presses."""
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    card = await house.begin(await house.panel())
    people = {house.anna.id, house.bo.id}
    for _ in range(12):
        stands = await house.desk.store.panel(1)
        assert stands is not None
        waited = {int(one) for one in stands.awaited.split()}
        who = house.bo if waited == {house.bo.id} else house.anna
        press = next(
            label for label in ("Draw", "End activation", *labels(card)[1:]) if label in labels(card)
        )
        before = {one.id for one in house.public}
        card = await house.press(card, press, who)
        after = await house.desk.store.panel(1)
        assert after is not None
        now = {int(one) for one in after.awaited.split()}
        pinged = {one for message in house.public if message.id not in before for one in message.pings}
        assert pinged == (now if now != waited and who.id not in now else set())
        assert pinged <= people


async def test_nobody_is_mentioned_where_nobody_wants_it_or_one_plays_both_sides(house: House) -> None:
    await house.slash("demo")
    card = await house.begin(await house.panel())
    for _ in range(4):
        card = await house.press(card, "Draw" if "Draw" in labels(card) else labels(card)[1])
    assert not [one for one in house.public if one.pings]


async def test_a_player_turns_mentions_off_for_themselves(house: House) -> None:
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    await house.begin(await house.panel())
    for who in (house.anna, house.bo):
        told = await who.slash("encounter mention", {"mentions": "off"})
        assert (await told.message()).ephemeral
    before = {one.id for one in house.public}
    for _ in range(6):
        stands = await house.desk.store.panel(1)
        assert stands is not None
        who = house.bo if stands.awaited == str(house.bo.id) else house.anna
        card = await house.panel()
        press = next(one for one in ("Draw", "End activation", *labels(card)[1:]) if one in labels(card))
        await house.press(card, press, who)
    assert not [one for one in house.public if one.id not in before and one.pings]
    again = await (await house.bo.slash("encounter mention", {"mentions": "off"})).message()
    assert "already off" in again.text


async def test_the_menu_of_a_person_shows_their_crews(house: House) -> None:
    empty = await (await house.anna.use_on_person("Their crews", house.bo)).message()
    assert "has no crews here" in empty.text
    await house.slash("crew create", house.bo, name="Red", system="counterblast")
    shown = await (await house.anna.use_on_person("Their crews", house.bo)).message()
    assert shown.ephemeral
    assert "Red (Counterblast)" in shown.text


async def test_a_card_goes_below_what_others_wrote(house: House) -> None:
    await house.slash("demo")
    first = await house.begin(await house.panel())
    for _ in range(board.FAR_UP - 1):
        await house.bo.say("chat")
    drawn = await house.press(first, "Draw")
    assert drawn.id == first.id
    await house.bo.say("chat")
    await asyncio.sleep(0.1)
    moved = await house.panel()
    assert moved.id > first.id
    assert pressable(house) == [moved.id]


@pytest.mark.parametrize("what", ["card", "set_panel", "load"])
async def test_a_card_is_kept_although_the_database_was_away_for_a_moment(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    await house.slash("demo")
    first = await house.panel()
    monkeypatch.setattr(board, "AWAY_PAUSES", (0.0, 0.0))
    real, away = getattr(house.desk.store, what), iter([True, True])

    async def asked(*given: Any) -> Any:
        if next(away, False):
            raise Lost
        return await real(*given)

    monkeypatch.setattr(house.client.panels, "_is_stale", lambda stands: True)
    monkeypatch.setattr(house.desk.store, what, asked)
    house.client.panels.changed(1)
    second = await house.panel()
    assert second.id != first.id
    assert panels(house) == [second]


def edits(house: House) -> int:
    """How often a message of the channel was edited; deferred answers go another way."""
    return sum(
        one.method == "PATCH" and one.template.startswith("/channels/") for one in house.server.requests
    )


async def test_changes_that_come_together_are_shown_together(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.slash("demo")
    await house.panel()
    count, panels = edits(house), house.client.panels
    with monkeypatch.context() as forgetful:
        forgetful.setattr(panels, "_shown", Forgetful())
        for _ in range(10):
            panels.changed(1)
        await house.panel()
    assert 0 < edits(house) - count <= 2


class Forgetful(dict[int, tuple[int, bytes]]):
    """What cards show, of which nothing is remembered."""

    def __setitem__(self, scope: int, shown: tuple[int, bytes]) -> None:
        pass


async def test_a_card_that_shows_the_same_is_not_edited(house: House) -> None:
    """Whoever sees an edit would know that something was done in secret."""
    await house.slash("demo")
    await house.panel()
    count = edits(house)
    house.client.panels.changed(1, quietly=True)
    await house.panel()
    assert edits(house) == count


async def test_where_many_tables_change_at_once_one_panel_is_shown_after_the_other(house: House) -> None:
    """All panels together stay below what Discord takes of one bot, from the first on."""
    drawn: list[int] = []
    waited: list[float] = []
    began = asyncio.get_running_loop().time()

    async def draw(scope: int) -> None:
        drawn.append(scope)

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    many = board.PanelKeeper(
        house.client, house.desk.store, draw, lambda: 0, minutes=50, pause=1.0, sleep=sleep
    )
    tables = 3 * board.EDITS_A_SECOND
    for scope in range(tables):
        many.changed(scope)
        many.changed(scope)
    await many.settle()
    assert sorted(drawn) == list(range(tables))
    assert waited.count(1.0) == tables
    assert many._free_at >= began + tables / board.EDITS_A_SECOND
    many.changed(1)
    await many.settle()
    assert waited[-1] == 1.0


async def test_a_panel_lets_those_go_first_who_wait_for_answers_at_other_tables(house: House) -> None:
    """It is shown when they are answered, and where that never ends, a little later all the same.

    That holds no other panel up.
    """
    drawn: list[tuple[int, int]] = []
    asked = [asyncio.get_running_loop().create_future() for _ in range(3)]
    mine, other, for_ever = (asyncio.create_task(asyncio.wait({one})) for one in asked)
    waiting = {mine, other}
    slept = 0
    waits: list[float] = []

    async def draw(scope: int) -> None:
        drawn.append((scope, slept))

    async def sleep(seconds: float) -> None:
        nonlocal slept
        slept += 1
        waits.append(seconds)
        if slept == board.GIVES_WAY - 1:
            waiting.discard(other)

    panel = board.PanelKeeper(
        house.client,
        house.desk.store,
        draw,
        lambda: 0,
        minutes=50,
        patience=0.0,
        sleep=sleep,
        answering=lambda: waiting,
    )
    panel.changed(1, after=mine)
    await panel.settle()
    assert drawn.pop() == (1, board.GIVES_WAY - 1), "its own answer is waited for by itself"
    waiting, slept = {for_ever}, board.GIVES_WAY
    panel._free_at = 0.0
    panel.changed(2)
    await panel.settle()
    assert drawn.pop() == (2, 2 * board.GIVES_WAY)
    waits.clear()
    for scope in range(10):
        panel.changed(scope)
    await panel.settle()
    assert max(seconds for seconds in waits if seconds < board.PAUSE_SECONDS) <= 10 / board.EDITS_A_SECOND
    for one in asked:
        one.set_result(None)
    await asyncio.wait({mine, other, for_ever})


async def test_a_panel_that_is_old_is_posted_anew(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.slash("demo")
    first = await house.panel()
    assert isinstance(house.client.panels, board.PanelKeeper)
    stands = await house.desk.store.panel(1)
    assert stands is not None
    posted = stands.posted_ms
    later = posted + house.config.panel_minutes * 60_000
    monkeypatch.setattr(house.client.panels, "_clock", lambda: later)
    await hurt(house)
    assert (await house.panel()).id == first.id
    monkeypatch.setattr(house.client.panels, "_clock", lambda: later + 1)
    await hurt(house)
    assert (await house.panel()).id > first.id
    assert len(panels(house)) == 1


async def test_a_deleted_panel_is_posted_anew(house: House) -> None:
    await house.slash("demo")
    first = await house.panel()
    house.server.world.delete(first)
    await hurt(house)
    assert (await house.panel()).id > first.id
    assert len(panels(house)) == 1


@pytest.mark.parametrize("status", [403, 404, 503])
async def test_an_edit_that_is_refused_is_a_new_panel(house: House, status: int) -> None:
    await house.slash("demo")
    first = await house.panel()
    house.server.faults.arm(Trouble.STATUS, EDITS, status=status)
    await hurt(house)
    assert (await house.panel()).id > first.id
    assert len(panels(house)) == 1


@pytest.mark.parametrize("trouble", [Trouble.DROP_BEFORE, Trouble.DROP_AFTER, Trouble.BUCKET_429])
async def test_an_edit_that_is_lost_is_made_again(house: House, trouble: Trouble) -> None:
    await house.slash("demo")
    await house.slash("encounter next")
    first = await house.panel()
    house.server.faults.arm(trouble, EDITS, seconds=0.01)
    await hurt(house)
    shown = await house.panel()
    assert shown.id == first.id
    assert "Life left: Smap (1)" in shown.content


@pytest.mark.parametrize("trouble", [Trouble.DROP_BEFORE, Trouble.DROP_AFTER])
async def test_a_card_whose_posting_is_lost_stands_once(house: House, trouble: Trouble) -> None:
    await house.slash("demo")
    house.server.world.delete(await house.panel())
    house.server.faults.arm(trouble, POSTS)
    await hurt(house)
    assert panels(house) == [await house.panel()]


async def test_play_goes_on_where_the_bot_may_not_post(house: House) -> None:
    await house.slash("demo")
    first = await house.panel()
    house.server.faults.arm(Trouble.STATUS, POSTS, status=403, times=9)
    begun = await house.begin(first)
    assert begun.id > first.id
    assert panels(house) == [begun]


@pytest.fixture
async def hasty(file: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A bot that gives an edit a second: more than any takes that nobody holds up."""
    monkeypatch.setattr(board.PanelKeeper.__init__, "__defaults__", (1.0, 1.0, asyncio.sleep))
    async with House.open(file) as house:
        yield house


@pytest.mark.parametrize("trouble", [Trouble.BUCKET_429, Trouble.HANG])
async def test_an_edit_that_takes_too_long_is_a_new_panel(hasty: House, trouble: Trouble) -> None:
    await hasty.slash("demo")
    first = await hasty.panel()
    hasty.server.faults.arm(trouble, EDITS, seconds=60)
    await hurt(hasty)
    second = await hasty.panel()
    assert second.id > first.id
    await hurt(hasty)
    assert (await hasty.panel()).id == second.id


async def test_too_many_edits_of_an_old_message_are_a_new_panel(hasty: House) -> None:
    await hasty.slash("demo")
    first = await hasty.panel()
    hasty.server.clock.advance(3700)
    for _ in range(7):
        await hurt(hasty)
    assert any(one.status == 429 and one.answer["code"] == 30046 for one in hasty.server.requests)
    shown = await hasty.panel()
    assert shown.id > first.id
    assert "COUNTERBLAST  " in shown.content


async def test_the_panel_of_an_ended_game_begins_the_next_and_nothing_else(house: House) -> None:
    await house.slash("demo")
    await house.press(await house.slash("encounter end"), "End the game")
    shown = await house.panel()
    assert "ended" in shown.content
    assert labels(shown) == ["Export", "How lucky were we?", "Replay", "Start a game"]


async def test_the_panel_survives_a_restart(house: House) -> None:
    demo = await house.slash("demo")
    first = await house.panel()
    await house.restart()
    began = await house.begin(first)
    assert began.content.startswith("Turn 1 of 8")
    assert pressable(house) == [began.id]
    stale = await house.press(demo, "Begin", stale=True)
    assert stale.ephemeral
    assert stale.content.startswith("Nothing was changed, because the game has already begun.")
    undone = await house.press(await house.panel(), "Undo")
    assert "Undone" in undone.content
    begun = await house.begin(await house.panel())
    assert begun.content.startswith("Turn 1 of 8")
    log = await house.press(await house.panel(), "Log")
    assert log.ephemeral
    assert "Turn 1 of 8" in log.content


async def test_views_are_not_kept(house: House) -> None:
    message = await house.slash("demo")
    for _ in range(15):
        message = await house.slash("model damage", model="Smap")
        message = await house.press(message, "Undo")
        await house.panel()
    await house.slash("model damage", house.bo, model="Smap")
    refusal = await house.slash("encounter join", house.bo, watch=True)
    assert refusal.content
    await house.quiet()
    store = house.client._connection._view_store
    assert not store._views
    assert not store._modals
    assert not store._synced_message_views
    assert not house.client.under_way


async def test_a_player_is_reminded_once_after_the_time_that_was_chosen(house: House) -> None:
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    await house.begin(await house.panel())
    now = house.desk.store.now()
    house.desk.store.now = lambda: now + 2 * DAY_MS  # type: ignore[method-assign]
    reminding = house.client.reminding
    assert await reminding.look() == 0
    await house.slash("encounter settings", setting="remind", value="week")
    assert await reminding.look() == 0
    await house.slash("encounter settings", setting="remind", value="days")
    await house.quiet()
    stands = await house.desk.store.panel(1)
    assert stands is not None
    house.desk.store.now = lambda: stands.awaited_ms + 2 * DAY_MS  # type: ignore[method-assign]
    assert [await reminding.look(), await reminding.look()] == [1, 0]
    told = house.public[-1]
    assert "The game has been waiting for 2 days." in told.text
    assert list(told.pings) == [int(one) for one in stands.awaited.split()]


async def test_a_double_tap_on_the_undo_of_a_card_takes_one_step_back(house: House) -> None:
    await house.slash("demo")
    drawn = await house.press(await house.begin(await house.panel()), "Draw")
    taps = [await house.anna.press(drawn, "Undo") for _ in range(2)]
    for tap in taps:
        await tap.settle()
    await house.quiet()
    assert "already been undone" in (await taps[1].message()).text
    assert "Draw" in labels(await house.panel())


async def test_a_right_click_on_a_card_explains_undoes_and_questions(house: House) -> None:
    await house.slash("demo")
    card = await house.begin(await house.panel())
    drawn = await house.press(card, "Draw")
    form = await (await house.anna.use_on("Question this", drawn)).modal()
    assert [one.custom_id for one in form.fields] == ["words"]
    undone = await house.anna.use_on("Undo", drawn)
    await undone.settle()
    await house.quiet()
    assert "Draw" in labels(await house.panel())
    said = await house.anna.say("Hello")
    nothing = await (await house.anna.use_on("Why?", said)).message()
    assert "I can't find a result in this message" in nothing.text


async def test_play_goes_on_when_a_player_has_left_the_server(house: House) -> None:
    """The card says in words who is waited for, and the organiser decides with a reason."""
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    card = await house.begin(await house.panel())
    (guild,) = house.server.world.guilds.values()
    del guild.members[house.bo.id]
    for _ in range(6):
        if "Waiting for Bo" in card.content:
            break
        card = await house.press(card, labels(card)[1] if "Draw" not in labels(card) else "Draw")
    assert "Waiting for Bo" in card.content
    refused = await house.press(card, labels(card)[1])
    assert "Override..." in labels(refused)


@pytest.mark.parametrize(
    ("trouble", "more"),
    [
        (Trouble.STATUS, {"status": 403}),
        (Trouble.STATUS, {"status": 404}),
        (Trouble.STATUS, {"status": 503, "times": 6}),
        (Trouble.DROP_BEFORE, {}),
        (Trouble.DROP_AFTER, {}),
        (Trouble.BUCKET_429, {"seconds": 60}),
    ],
)
async def test_a_mention_always_brings_a_card(
    hasty: House, monkeypatch: pytest.MonkeyPatch, trouble: Trouble, more: dict[str, Any]
) -> None:
    """The words that mention somebody arrive before the card: the card may fail alone."""

    async def troubled(*args: Any, **options: Any) -> int:
        hasty.server.faults.arm(trouble, EDITS, **more)
        return await post(*args, **options)

    await hasty.slash("demo", system="soluna")
    await hasty.slash("encounter join", hasty.bo)
    monkeypatch.setattr(board, "post", troubled)
    await hasty.begin(await hasty.panel())
    await hasty.quiet()
    stands = await hasty.desk.store.panel(1)
    assert stands is not None
    assert any(one.pings or "the game is waiting for you" in one.content for one in hasty.public)
    assert pressable(hasty) == [stands.message_id]


async def test_a_mention_without_any_card_leaves_the_old_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*args: Any, **options: Any) -> int:
        return 0

    await house.slash("demo", system="soluna")
    await house.slash("encounter join", house.bo)
    card = await house.panel()
    monkeypatch.setattr(board, "post", lost)
    monkeypatch.setattr(InteractionDoor, "follow", lost)
    await house.begin(card)
    await house.quiet()
    assert card.id in pressable(house)
    assert "turn 1" in house.server.world.channels[card.channel_id].messages[card.id].text


async def test_a_new_game_closes_the_card_of_the_game_before(house: House) -> None:
    """Its buttons would be refused, as a game is running; the ended game is still told of."""
    for system in ("warzone", "infinity", "soluna"):
        await house.slash("demo", system=system)
        await house.quiet()
        assert pressable(house) == [(await house.panel()).id]
        await house.press(await house.slash("encounter end"), "End the game")
        await house.quiet()
    assert len([one for one in house.public if "has ended" in one.content or "ended" in one.content]) == 3
