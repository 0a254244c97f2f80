"""A disk that is full, a database that is read-only, locked or damaged: refused in a sentence, then over."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.panels import undelivered
from bot.store.deliveries import Deliveries, Serves
from bot.store.doctor import examine
from bot.store.errors import Lost, StoreError
from bot.store.journal import Entry
from bot.table.session.encounters import StartDemo
from bot.table.session.models import DamageModel
from tests.bot.house import House, told_at_every_door
from tests.bot.tables import Table, contents, opened, url_of
from tests.faults.campaign import files
from tests.faults.campaign.kills import campaign
from tests.faults.test_undelivered import stored_and_killed, told


@pytest.mark.parametrize(
    ("trouble", "said"),
    [(files.full, "The bot's disk is full."), (files.read_only, "The database is read-only.")],
)
async def test_what_cannot_be_written_is_refused_and_play_goes_on_when_it_can(
    table: Table, trouble: object, said: str
) -> None:
    await table.done("anna", StartDemo())
    over = await trouble(table)  # type: ignore[operator]
    written, refused = await files.until_refused(table)
    assert refused.reply.lines == (said, "Nothing was changed. Please tell the person who runs the bot.")
    assert refused.reply.private
    assert len(contents(table.file, "journal")["journal"]) == 1 + written
    await over()
    await table.done("anna", DamageModel("Smap", 1))
    assert len(contents(table.file, "journal")["journal"]) == 2 + written
    assert (await examine(url_of(table.file))).faults == ()


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("crowded", [False, True])
async def test_nothing_is_written_into_a_file_that_was_taken_away(
    file: Path, tmp_path: Path, replaced: bool, crowded: bool
) -> None:
    """The system lets a program go on with a file that nobody will find again."""
    async with opened(file, crowded=crowded) as table:
        await table.done("anna", StartDemo())
        await table.done("anna", DamageModel("Smap", 1))
        aside = file.rename(tmp_path / "aside.db")
        if replaced:
            file.write_bytes(aside.read_bytes())
        for action in (DamageModel("Smap", 1), DamageModel("Trapper", 1)):
            answer = await table.do("anna", action)
            assert answer.reply.lines == (
                "The database file no longer exists.",
                "Nothing was changed. Please tell the person who runs the bot.",
            )
        file.unlink(missing_ok=True)
        aside.rename(file)
        await table.done("anna", DamageModel("Smap", 1))
    assert len(contents(file, "journal")["journal"]) == 3
    assert (await examine(url_of(file))).faults == ()


async def test_a_file_that_is_damaged_is_told_by_play_and_by_the_doctor(file: Path) -> None:
    async with opened(file) as table:
        await table.done("anna", StartDemo())
    files.damage(file)
    async with opened(file) as table:
        table.ids["anna"] = 100
        answer = await table.do("anna", DamageModel("Smap", 1))
        assert answer.reply.lines[0] == "The database file is damaged."
        assert answer.reply.private
    with pytest.raises(StoreError, match="can't be read"):
        await examine(url_of(file))


async def test_a_bot_that_starts_on_a_damaged_file_says_so_at_every_door(house: House) -> None:
    nothing = await house.slash("encounter status")
    form = await (await house.anna.press(nothing, "Start a game")).modal()
    begun = await house.slash("demo")
    await house.stop()
    files.damage(house.file)
    await house.start()
    told = await told_at_every_door(house, begun, form, "Begin")
    assert told == {"The database file is damaged."}
    assert await house.anna.autocomplete("model damage", {"model": "S"}, focused="model") == []


async def test_what_cannot_be_looked_up_at_the_start_is_told_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.slash("demo")
    await stored_and_killed(house, DamageModel("Smap"))
    monkeypatch.setattr(undelivered, "LOOK_SECONDS", 0.05)
    real = Deliveries._unanswered
    away = iter([True, True])

    async def unanswered(self: Deliveries, serves: Serves) -> list[Entry]:
        if next(away, False):
            raise Lost
        return await real(self, serves)

    monkeypatch.setattr(Deliveries, "_unanswered", unanswered)
    before = {one.id for one in house.public}
    await house.start()
    assert len(await told(house, before)) == 1


@pytest.mark.both_databases
def test_nothing_is_lost_or_doubled_by_kills_under_load(file: Path, tmp_path: Path) -> None:
    from contextlib import nullcontext

    tally = campaign(lambda: nullcontext(file), tmp_path, 5, 7)
    assert tally.is_clean, tally
    assert tally.kills == 5
    assert tally.answered > 0
