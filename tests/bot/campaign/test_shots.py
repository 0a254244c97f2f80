"""Pictures of a story: who adds them and takes them away, how many, how large; they go with their people."""

from __future__ import annotations

import io
import json
from base64 import b64decode

import pytest
from PIL import Image

from bot.replies.photo import KEPT_BYTES, MAX_BYTES, SIDE, made_small
from bot.store import side_tables
from bot.store.row_types import ShotRow
from bot.table.campaign.story import ExportStory, ShowStory
from bot.table.campaign.story_files import MAX_CAMPAIGN_PICTURES, MAX_GAME_PICTURES, AddPicture, DropPicture
from bot.table.journal.history import Redo, Undo
from bot.table.session.privacy import DeleteMine, ExportMine
from rules.refusals import InvalidInput
from tests.bot.campaign.league import League
from tests.bot.campaign.test_season import joined, recorded


def photo(colour: str = "grey", size: tuple[int, int] = (64, 48), form: str = "PNG") -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", size, colour).save(stream, form)
    return stream.getvalue()


async def sent(league: League, who: str, colour: str = "grey") -> str:
    actor = league.table.actor(who)
    store = league.table.desk.store
    return await side_tables.keep_picture(store, actor.guild_id, actor.user_id, made_small(photo(colour)))


async def there(league: League, digest: str) -> bool:
    guild = league.table.actor("anna").guild_id
    return digest in await side_tables.stored_pictures(league.table.desk.store, guild, [digest])


# ------------------------------------------------------------------------------------ made small


def test_it_is_a_small_jpeg_without_what_the_camera_wrote() -> None:
    stream = io.BytesIO()
    marks = Image.Exif()
    marks[0x0112] = 6  # lies on its side
    marks[0x013B] = "Anna Secret"
    Image.effect_noise((1500, 1200), 90).convert("RGB").save(stream, "JPEG", exif=marks)
    small = made_small(stream.getvalue())
    assert len(small) <= KEPT_BYTES
    assert b"Anna" not in small
    with Image.open(io.BytesIO(small)) as seen:
        assert seen.format == "JPEG"
        assert seen.width < seen.height <= SIDE


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_these_are_taken(form: str) -> None:
    assert made_small(photo(form=form)).startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    "data",
    [b"no picture", photo(form="GIF"), photo(form="BMP"), photo()[:60], b"\xff\xd8\xff" + b"x" * 90, b""],
)
def test_those_are_not(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="JPEG, PNG or WebP"):
        made_small(data)


def test_nor_too_many_dots_or_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.replies.photo.MAX_PIXELS", 3_000)
    with pytest.raises(InvalidInput, match="million pixels"):
        made_small(photo())
    with pytest.raises(InvalidInput, match="at most 8 MB"):
        made_small(bytes(MAX_BYTES + 1))


# ------------------------------------------------------------------------------------ in a story


async def test_a_page_shows_it_with_its_words(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    digest = await sent(two, "bo")
    told = await two.done("bo", AddPicture(two.scope, digest, "The gate, after @everyone left"))
    assert told.reply.lines[0] == "bo added picture 1 to Edo - Lancers, round 1."
    page = (await two.do("cy", ShowStory(two.scope, "Edo", 1))).reply
    assert "- Picture 1 by bo: The gate, after everyone left" in joined(page.text)
    assert [(file.name, file.words) for file in page.files] == [
        ("picture-1.jpg", "The gate, after everyone left")
    ]
    html = (await two.do("cy", ExportStory(two.scope))).reply.files[0].data.decode()
    assert 'alt="The gate, after everyone left"' in html
    inside = html.partition("data:image/jpeg;base64,")[2].partition('"')[0]
    assert b64decode(inside) == page.files[0].data
    written = (await two.do("cy", ExportStory(two.scope, "markdown"))).reply.files
    assert "](picture-1.jpg)" in written[0].data.decode()
    assert [file.name for file in written[1:]] == ["picture-1.jpg"]


async def test_only_of_ones_own_game_and_only_so_many(two: League) -> None:
    digest = await sent(two, "bo")
    assert "no reported game" in await two.refused("bo", AddPicture(two.scope, digest, "soon"))
    await recorded(two, "Edo", 20, 3)
    other = await sent(two, "cy")
    assert "Only the players" in await two.refused("cy", AddPicture(two.scope, other, "mine", 0, "Edo"))
    assert "Enter a description of the picture" in await two.refused("bo", AddPicture(two.scope, digest, "@"))
    assert "it is no longer available" in await two.refused("bo", AddPicture(two.scope, "0" * 64, "nothing"))
    for number in range(MAX_GAME_PICTURES):
        digest = await sent(two, "bo", f"#0000{number}0")
        await two.done("bo", AddPicture(two.scope, digest, "another"))
        if not number:
            assert "has this picture" in await two.refused("bo", AddPicture(two.scope, digest, "again"))
    digest = await sent(two, "bo", "white")
    assert f"at most {MAX_GAME_PICTURES}" in await two.refused(
        "bo", AddPicture(two.scope, digest, "one more")
    )
    assert MAX_CAMPAIGN_PICTURES * KEPT_BYTES * 4 / 3 < 8_000_000, "the page fits into one file"


async def test_who_takes_it_out(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    digest = await sent(two, "bo")
    await two.done("bo", AddPicture(two.scope, digest, "the gate"))
    assert "Only bo or the organiser can remove" in await two.refused("cy", DropPicture(two.scope, 1))
    assert "no picture 7" in await two.refused("bo", DropPicture(two.scope, 7))
    await two.done("anna", DropPicture(two.scope, 1))
    assert not (await two.do("bo", ShowStory(two.scope, "Edo", 1))).reply.files
    await two.done("anna", Undo(), scope=two.scope)
    assert (await two.do("bo", ShowStory(two.scope, "Edo", 1))).reply.files
    await two.done("anna", Redo(), scope=two.scope)
    await two.done("bo", AddPicture(two.scope, digest, "the gate"))
    await two.done("bo", DropPicture(two.scope, 1))


# ------------------------------------------------------------------------------------ and goes


async def test_what_no_story_shows_is_one_picture_a_person_for_a_day(two: League) -> None:
    first, other = await sent(two, "bo", "red"), await sent(two, "cy", "red")
    assert first == other
    second = await sent(two, "bo", "blue")
    assert await there(two, first), "that of cy"
    await sent(two, "cy", "green")
    assert not await there(two, first)
    store = two.table.desk.store
    await side_tables.drop_unshown_pictures(store)
    assert await there(two, second)
    now = store.now()
    store._clock = lambda: now + 2 * side_tables.DAY_MS
    await side_tables.drop_unshown_pictures(store)
    assert not await there(two, second)


async def test_it_goes_with_its_person_and_its_words_stay(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    digest = await sent(two, "bo")
    await two.done("bo", AddPicture(two.scope, digest, "the gate"))
    whole = json.loads((await two.do("bo", ExportMine())).reply.files[0].data)
    assert b64decode(whole["pictures"][digest]).startswith(b"\xff\xd8")
    asked = await two.do("bo", DeleteMine())
    await two.press("bo", asked, asked.reply.buttons[0].label)
    assert not await there(two, digest)
    page = (await two.do("anna", ShowStory(two.scope, "Edo", 1))).reply
    assert "the gate (no longer available)" in joined(page.text)
    assert not page.files
    html = (await two.do("anna", ExportStory(two.scope))).reply.files[0].data.decode()
    assert "<img" not in html
    assert [row.digest for row in (await two.book()).all(ShotRow)] == [digest]
