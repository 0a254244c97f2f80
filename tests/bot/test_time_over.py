"""When the time to react is over, the card changes by itself, and only then offers to go on."""

from __future__ import annotations

import pytest

from bot.local.seen import Message
from bot.panels.time_over import TimeOver
from tests.bot.house import House

BUTTON = "Time is up"


def labels(message: Message) -> list[str]:
    return [one.label.partition(" (")[0] for one in message.controls]


async def asked(house: House) -> Message:
    """Bo is asked for his AROs; the card then, which has stood for no time."""
    await house.slash("demo", system="infinity")
    await house.slash("encounter join", house.bo, side="Nightfall")
    began = await house.press(await house.everybody_ready(await house.panel(), house.anna), "Begin")
    winner = house.anna if began.content.startswith("Vanguard") else house.bo
    label = "Play first (only Anna)" if winner is house.anna else "Play second (only Bo)"
    first = await house.press(began, label, winner)
    await house.press(first, "First turn")
    await house.slash("inf shoot", model="Angus", target="Tracker", distance=12.0)
    return await house.panel()


async def after(house: House, seconds: int) -> Message:
    """Let the time pass; the card then."""
    now_ms = house.desk.store.now() + seconds * 1000
    house.desk.store._clock = lambda: now_ms
    await house.client.time_over.look()
    return await house.panel()


async def test_the_button_comes_when_the_time_is_over_and_mentions_nobody(house: House) -> None:
    card = await asked(house)
    house.client.panels._oldest_ms = -1
    assert "React" in labels(card)
    assert BUTTON not in labels(card)
    over_s = house.desk.store.now() // 1000 + 60
    assert f"The time to react ends <t:{over_s}:R>." in card.content
    assert BUTTON not in labels(await after(house, 59))
    messages = len(house.public)
    late = await after(house, 1)
    assert (late.id, late.pings) == (card.id, card.pings)
    assert len(house.public) == messages
    assert BUTTON in labels(late)
    assert "The time to react ends" not in late.content
    assert await after(house, 1) == late
    button = next(one.label for one in late.controls if one.label.startswith(BUTTON))
    assert button == "Time is up (only Anna)"
    assert "wait" not in (await house.press(late, button)).content.split("\n")[0].casefold()


async def test_a_game_that_could_not_be_read_is_tried_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asked(house)
    store = house.desk.store
    now_ms = store.now() + 60_000
    store._clock = lambda: now_ms

    async def fail(_: int) -> None:
        raise OSError("the database is away")

    with monkeypatch.context() as away:
        away.setattr(store, "load", fail)
        over = TimeOver(store, lambda _: None)
        with pytest.raises(OSError):
            await over.look()
    assert await over.look() == 1
    assert await over.look() == 0


async def test_a_process_shows_the_cards_of_its_own_servers_alone(house: House) -> None:
    await asked(house)
    store, changed = house.desk.store, list[int]()
    now_ms = store.now() + 60_000
    store._clock = lambda: now_ms
    await TimeOver(store, changed.append, lambda _: False).look()
    assert not changed
    await TimeOver(store, changed.append, lambda _: True).look()
    assert len(changed) == 1


async def test_a_restarted_bot_knows_when_the_time_is_over(house: House) -> None:
    card = await asked(house)
    await house.restart()
    assert BUTTON not in labels(await house.panel())
    late = await after(house, 60)
    assert late.id == card.id
    assert BUTTON in labels(late)


async def test_nothing_is_edited_when_the_answer_came_first(house: House) -> None:
    await house.press(await asked(house), "Nobody reacts", house.bo)
    before = await house.panel()
    assert await after(house, 60) == before


async def test_nothing_is_edited_when_the_game_has_ended(house: House) -> None:
    await asked(house)
    asks = await house.slash("encounter end")
    await house.press(asks, asks.controls[0].label)
    before = house.public
    await after(house, 60)
    assert "ended" in before[-1].content
    assert house.public == before


async def test_an_undo_gives_the_time_again(house: House) -> None:
    await house.press(await asked(house), "Nobody reacts", house.bo)
    await after(house, 50)
    await house.slash("undo", house.bo)
    assert "React" in labels(await house.panel())
    assert BUTTON not in labels(await after(house, 50))
    assert BUTTON in labels(await after(house, 10))


async def test_a_deleted_card_comes_again_and_mentions_nobody(house: House) -> None:
    card = await asked(house)
    del house.server.world.channels[card.channel_id].messages[card.id]
    late = await after(house, 60)
    assert late.id > card.id
    assert BUTTON in labels(late)
    assert not late.pings


async def test_a_card_that_cannot_be_shown_is_tried_every_minute_for_an_hour(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asked(house)
    tried: list[int] = []
    looks = TimeOver(house.desk.store, tried.append)
    over_ms = house.desk.store.now() + 60_000
    clock = [over_ms]
    monkeypatch.setattr(house.desk.store, "_clock", lambda: clock[0])
    assert [await looks.look(), await looks.look()] == [1, 0]
    assert len(tried) == 1
    for later_ms, times_tried in ((59_999, 1), (60_000, 2), (3_600_000, 2)):
        clock[0] = over_ms + later_ms
        await looks.look()
        assert len(tried) == times_tried
