"""What is bold, small or in columns, and that plain text has none of it."""

from __future__ import annotations

import pytest
from discord.utils import _bytes_to_base64_data

from bot.local.checks.emojis import check_emoji
from bot.local.faults import Trouble
from bot.local.world import Emoji
from bot.replies.dice_faces import draw_face, face_dice, face_names
from bot.replies.fit import FENCE
from bot.replies.parts import parts_of
from bot.replies.reply import (
    Attachment,
    Changed,
    Column,
    Die,
    Note,
    Question,
    Reply,
    Rolled,
    State,
    reply_from_json,
    reply_to_json,
)
from bot.replies.weight import emoji_name, in_words, weighed
from bot.table.game import REPLIES
from tests.bot.house import House
from tests.bot.typist import unweighed


def shown(*lines: str, **more: bool) -> list[str]:
    return list(weighed(Reply(lines, **more)).lines)  # type: ignore[arg-type]


def test_the_headline_is_bold_and_nothing_else() -> None:
    assert shown("Sally hits Smap", "dice 6 5 2") == ["**Sally hits Smap**", "dice 6 5 2"]


def test_a_roll_shows_its_faces_and_a_change_what_it_leads_to() -> None:
    roll = Rolled("Attack", [Die(9, "hit"), Die(5)], "1 hit")
    change = Changed("Life", 5, 2, 5)
    assert (roll, change) == ("Attack: 9 hit, 5 (1 hit)", "Life: 5 -> 2 of 5")
    told = shown("Skip hits", roll, change, State("Turn 2"))
    assert told == [
        "**Skip hits**",
        "Attack: **9** hit, **5** (1 hit)",
        "Life: ■■□□□ 5 -> **2** of 5",
        "-# Turn 2",
    ]


def test_dice_are_emojis_where_discord_has_all_of_them() -> None:
    roll = Rolled("Attack", [Die(9, "-> 8 success", 10, "hit"), Die(4, "-> 3 miss", 10, "miss")], "1 hit")
    faces = {"d10_9_hit": 1, "d10_4_miss": 2}
    reply = Reply(("Skip hits", roll))
    assert weighed(reply, faces).lines[1] == "Attack: <:d10_9_hit:1> <:d10_4_miss:2> (1 hit)"
    assert Rolled("dice", [Die(4, "+6 success")]) == "dice: 4+6 success"
    del faces["d10_4_miss"]
    assert weighed(reply, faces).lines[1] == "Attack: **9** -> 8 success, **4** -> 3 miss (1 hit)"
    assert reply_from_json(reply_to_json(reply)).lines == reply.lines


def test_every_face_has_a_picture_that_discord_takes() -> None:
    assert len(face_names()) == 150
    for die in (Die(1, "", 4), Die(10, "", 10, "best"), Die(20, "", 20, "miss")):
        assert emoji_name(die) in face_names()
        check_emoji(emoji_name(die), _bytes_to_base64_data(draw_face(die)), ())


async def test_cards_show_emojis_once_they_are_uploaded_and_numbers_when_discord_does_not_tell(
    house: House,
) -> None:
    for die in face_dice():
        image = _bytes_to_base64_data(draw_face(die)) if die.face == 1 else "data:image/png;base64,"
        made = Emoji(house.server.world.ids.next(), emoji_name(die), image)
        house.server.world.emojis[made.id] = made
    await house.restart()
    assert house.client.faces.keys() == face_names()
    house.server.faults.arm(Trouble.STATUS, "GET /applications/*/emojis", status=503)
    await house.restart()
    assert not house.client.faces


def test_parts_are_read_from_the_order_where_nothing_is_marked() -> None:
    parts = parts_of(Reply(("Skip hits", "4 hits", Note("Exact."), State("Turn 2")), side=1))
    assert (parts.headline, parts.body, parts.state) == ("Skip hits", ("4 hits", "Exact."), ("Turn 2",))
    assert (parts.notes, parts.question, parts.side) == (("Exact.",), "", 1)
    assert parts_of(Reply((Question("Bo: who reacts?"),))).question == "Bo: who reacts?"


@pytest.mark.parametrize(
    "lines",
    [
        ("A sentence alone is no headline.",),
        ("a" * 101, "and more"),
        ("2*3*4: 24", "as it is"),
        ("**Waiting for Bo**", "as it is"),
        ("ends with \\", "as it is"),
        ("> quoted", "as it is"),
        (),
    ],
)
def test_what_has_no_headline_stays_as_it_is(lines: tuple[str, ...]) -> None:
    assert shown(*lines) == list(lines)


def test_a_page_of_help_stays_as_it_is() -> None:
    assert shown("Undo takes", "a step back", tappable=True) == ["Undo takes", "a step back"]


def test_notes_are_small_and_columns_stand_in_one_block() -> None:
    told = shown("Odds", Column("down   24% ##"), Column("wounds 40%"), Note("Exact."), Note(""))
    assert told == ["**Odds**", FENCE, "down   24% ##", "wounds 40%", FENCE, "-# Exact.", ""]


def test_columns_within_a_block_are_not_fenced_twice() -> None:
    lines = ("Board", FENCE, Column("a b"), FENCE, Column("c d"))
    assert shown(*lines) == ["**Board**", FENCE, "a b", FENCE, FENCE, "c d", FENCE]


def test_the_eye_reads_the_words_of_before() -> None:
    lines = ("Sally shoots Trapper", "at 8 in", Column("down 24%"), Note("Exact."))
    assert unweighed("\n".join(shown(*lines))) == "\n".join(lines)


def test_parts_are_kept_by_the_journal() -> None:
    more = (Rolled("Attack", [Die(9, "hit")]), Changed("Life", 5, 2), Question("Who?"), State("Turn 2"))
    reply = Reply(("Head", Column("a  1"), "plain", Note("Exact."), *more), plain=True)
    again = reply_from_json(reply_to_json(reply))
    assert [type(line) for line in again.lines] == [str, Column, str, Note, *map(type, more)]
    assert again == reply
    assert parts_of(again).rolls[0].dice == (Die(9, "hit"),)
    assert parts_of(again).changes[0].after == 2


def test_plain_text_has_no_weight_no_bars_and_no_pictures() -> None:
    picture = Attachment("board.png", "Smap can only have base 3,4.\nTrapper lies on 5,5.", b"")
    file = Attachment("game.json", "The journal.", b"{}")
    told = in_words(Reply(("**Head**", FENCE, "#.#", FENCE, Column("down   24% ##")), files=(picture, file)))
    assert told.lines == ("Head", "down 24%", "Smap can only have base 3,4.", "Trapper lies on 5,5.")
    assert told.files == (file,)
    assert weighed(told) is told
    kept = in_words(Reply(("Head", FENCE, "one", FENCE)))
    assert kept.lines == ("Head", "one")


async def test_a_game_is_told_in_plain_text_where_its_organiser_wants_it(house: House) -> None:
    await house.slash("demo", system="soluna")
    raw = await (await house.typed("sol board show")).message()
    assert raw.text.startswith("**Board of ")
    assert FENCE in raw.text
    assert [file.filename for file in raw.attachments] == ["board.png"]
    refused = await house.slash("encounter settings", house.bo, setting=REPLIES.key, value="plain text")
    assert refused.only_for is not None
    await house.slash("encounter settings", setting=REPLIES.key, value="plain text")
    plain = await (await house.typed("sol board show")).message()
    assert not plain.attachments
    assert "**" not in plain.text
    assert FENCE not in plain.text
    words = " ".join((raw.attachments[0].description or "").split())
    places = words.removesuffix(".").replace(", Body", "").split("; ")[1:]
    said = plain.text.replace(": Body", "")
    for place in places:
        for word in place.split():
            assert word.rstrip(",") in said, (place, said)
    await house.client.panels.settle()
    stands = await house.desk.store.panel(1)
    assert stands is not None
    panel = house.server.world.channels[stands[0]].messages[stands[1]]
    assert "**" not in panel.text


async def test_what_tells_of_a_game_told_in_plain_text_has_no_weight(house: House) -> None:
    """The log, a replay, Why, luck: they read the game without working on it, before its end and after."""
    begun = await house.press(await house.slash("demo", system="infinity"), "Begin")
    first = await house.press(begun, "Play first")
    paths = ("log", "replay", "odds luck")
    whole = [(await (await house.typed(path)).message()).text for path in paths[:2]]
    assert all("**" in one for one in whole)
    await house.slash("encounter settings", setting=REPLIES.key, value="plain text")
    told = [await (await house.anna.press(first, "Why")).message()]
    told += [await (await house.typed(path)).message() for path in (*paths, "since")]
    await house.press(await house.slash("encounter end"), "End the game")
    told += [await (await house.typed(path)).message() for path in paths]
    for one in told:
        assert not one.attachments, one.text
        assert not [mark for mark in ("**", FENCE, "-# ") if mark in one.text], one.text
