"""People are written and hashed by pseudonyms; once their names are gone nothing names them, and all fits."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, select

from bot.store import side_tables, store, vocabulary
from bot.store.doctor import examine
from bot.store.journal import compact
from bot.store.people import OPEN, Named, Pen, People, alias_of, token_of
from bot.store.retention import forget_person, forget_server, names_of, note_servers, places_of
from bot.store.schema import metadata, names, people, scopes
from bot.store.side_tables import Registration
from bot.store.store import Store
from bot.store.vocabulary import words_of_the_program
from bot.table.campaign.administration import SecondOrganiser
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.journal.log import Export
from bot.table.referee.checks import Forged
from bot.table.referee.game_replay import referee
from bot.table.referee.replay_story import EVERYBODY, retold
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import EndEncounter, JoinEncounter, StartDemo
from bot.table.session.models import NoteModel
from tests.bot.house import House
from tests.bot.own.evening import ANNA, BO, evening, exports, heads, whole_file
from tests.bot.tables import Table, opened, url_of
from tests.played import Played

EXAMPLES = (
    "campaign",
    "first_game",
    "fracd_duel",
    "infinity_turn",
    "season",
    "season_infinity",
    "soluna_fight",
    "warzone_battle",
)


async def test_no_number_and_no_name_stands_but_in_the_two_tables_of_people(file: Path) -> None:
    async with opened(file) as table:
        await evening(table)
    with closing(sqlite3.connect(file)) as connection:
        for text in (ANNA[0], BO[0], str(ANNA[1]), str(BO[1])):
            holding = {
                name
                for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                if any(text in repr(row) for row in connection.execute(f"SELECT * FROM {name}"))
            }
            assert holding == {"people" if text.isdigit() else "names"}
    assert (await examine(url_of(file))).faults == ()


@pytest.mark.parametrize("game", EXAMPLES)
def test_nobody_stands_in_plain_letters_after_a_game(game: str, played: Played, tmp_path: Path) -> None:
    """Nor in what was looked up for an entry in a campaign or crew of people who have no part in its game."""
    with closing(sqlite3.connect(played.database(game, tmp_path / "game.db"))) as connection:
        people = [str(user) for (user,) in connection.execute("SELECT user_id FROM people")]
        called = [name for (name,) in connection.execute("SELECT name FROM names WHERE NOT word")]
        assert people
        assert called
        plain = re.compile("|".join(people + [rf"\b{re.escape(name)}\b" for name in called]))
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for table in {name for (name,) in tables} - {"people", "names"}:
            for row in connection.execute(f"SELECT * FROM {table}"):
                assert not plain.search(" ".join(map(str, row))), (table, row)


async def test_what_is_read_is_as_it_was_said_also_after_a_restart(file: Path) -> None:
    async with opened(file) as table:
        await evening(table)
        before = [await table.desk.store.load(number) for number in range(1, 5)]
        said = [await table.desk.store.all_entries(number) for number in range(1, 5)]
    async with opened(file) as table:
        for number, (loaded, entries) in enumerate(zip(before, said, strict=True), 1):
            again = await table.desk.store.load(number)
            assert again is not None
            assert loaded is not None
            assert again.snapshot == loaded.snapshot
            assert await table.desk.store.all_entries(number) == entries
        assert any(ANNA[0] in entry.reply for entry in said[0])
        assert {entry.actor_id for entry in said[0]} == {ANNA[1], BO[1]}
        assert await names_of(table.desk.store, ANNA[1]) == [ANNA[0]]
        assert {place.kind for place in await places_of(table.desk.store, ANNA[1])} >= {"encounter", "crew"}


async def test_a_name_whose_writing_was_taken_back_is_written_when_it_is_asked_again(file: Path) -> None:
    outcomes = iter((True, False))  # the crew's scope is made, who it is of is not written

    def commit(_connection: object) -> None:
        if not next(outcomes, True):
            raise RuntimeError("the disk is full")

    async with opened(file) as table:
        table.ids[ANNA[0]] = ANNA[1]
        event.listen(table.desk.store._writer.engine, "commit", commit)
        with pytest.raises(RuntimeError):
            await table.do(ANNA[0], CreateCrew("Lancers"))
        number = (await table.done(ANNA[0], CreateCrew("Lancers"))).scope
    async with opened(file) as table:
        (entry,) = await table.desk.store.all_entries(number)
        assert (entry.actor, entry.actor_id) == ANNA


async def test_after_a_person_is_forgotten_nothing_names_them(file: Path) -> None:
    async with opened(file) as table:
        await evening(table)
        seen = await heads(table)
        before = await exports(table)
        done = await forget_person(table.desk.store, ANNA[1])
        assert done.names == 1
        after = await exports(table)
        assert whole_file(file).count(ANNA[0].encode()) == whole_file(file).count(str(ANNA[1]).encode()) == 0
        assert await names_of(table.desk.store, ANNA[1]) == []
        assert await places_of(table.desk.store, ANNA[1]) == []
        for number in range(1, 5):
            assert ANNA[0] not in repr(await table.desk.store.load(number))
            assert ANNA[0] not in repr(await table.desk.store.all_entries(number))
    assert ANNA[0].encode() not in file.read_bytes()
    assert (await examine(url_of(file))).faults == ()
    for export in before:
        verdict = await referee(export, seen)
        assert verdict.whole
        assert verdict.heads == len(seen)
        assert ANNA[0] in repr(retold(export, EVERYBODY))
    assert len(after) == len(before) == 1
    for export in after:
        assert ANNA[0].encode() not in export
        assert str(ANNA[1]).encode() not in export
        assert BO[0].encode() in export
        verdict = await referee(export, seen)
        assert verdict.heads == len(seen)
        assert verdict.refereed == verdict.entries
        assert verdict.rewritten == ()
        assert "Somebody" in repr(retold(export, EVERYBODY))


async def test_who_was_only_read_of_since_the_start_is_out_of_memory_too(file: Path) -> None:
    """They did nothing since, so that nobody looked their names up: only what stands for them was read."""
    async with opened(file) as table:
        await evening(table)
    async with opened(file) as table:
        store = table.desk.store
        await _everything(store)
        await forget_person(store, ANNA[1])
        after = await _everything(store)
        assert ANNA[0] not in after
        assert str(ANNA[1]) not in after
        assert BO[0] in after


async def test_what_was_being_looked_up_while_somebody_was_forgotten_is_not_remembered(file: Path) -> None:
    async with opened(file) as table:
        await evening(table)
    async with opened(file) as table:
        store = table.desk.store
        assert isinstance(store.people, People)
        async with store.reading() as connection:
            (alias,) = (await connection.execute(select(people.c.alias))).first() or (0,)
            (token,) = (await connection.execute(select(names.c.token))).first() or ("",)

            def look_up_slowly(sync: Connection, values: list[object]) -> None:
                def forget(*_: object) -> None:
                    store.people.forgotten += 1

                event.listen(sync, "after_cursor_execute", forget)
                store.people.look_up(sync, values)

            await connection.run_sync(lambda sync: look_up_slowly(sync, [alias, token]))
        assert not store.people.ids
        assert not store.people.tokens


async def _everything(store: Store) -> str:
    """All scopes, and all that was said in them."""
    async with store.reading() as connection:
        numbers = [row[0] for row in await connection.execute(select(scopes.c.id))]
    return repr([(await store.load(number), await store.all_entries(number)) for number in numbers])


async def test_who_comes_back_is_somebody_new(file: Path) -> None:
    async with opened(file) as table:
        await evening(table)
        await forget_person(table.desk.store, ANNA[1])
        await table.done(table.actor(ANNA[0]), CreateCrew("The Second Life"))
        assert len(await places_of(table.desk.store, ANNA[1])) == 1
    assert (await examine(url_of(file))).faults == ()


async def test_a_name_that_was_typed_before_it_was_known_goes_too_and_the_entry_says_so(file: Path) -> None:
    async with opened(file) as table:
        table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
        await table.done(BO[0], CreateCrew(f"{ANNA[0]}'s friends"))
        seen = (await table.desk.store.load(1)).scope.chain  # type: ignore[union-attr]
        await table.done(ANNA[0], CreateCrew("Others"))
        assert ANNA[0].encode() in whole_file(file)
        done = await forget_person(table.desk.store, ANNA[1])
        assert done.altered == 1
        (first,) = await table.desk.store.written_entries(1)
        assert first.stood == seen
        assert ANNA[0].encode() not in whole_file(file)
        now = await table.desk.store.load(1)
        assert now is not None
        assert "Somebody" in repr(now.snapshot)
    assert (await examine(url_of(file))).faults == ()


async def test_a_small_name_goes_also_where_a_sentence_begins_with_it(file: Path) -> None:
    async with opened(file) as table:
        table.ids.update({"zelma": ANNA[1], BO[0]: BO[1]})
        await table.done(BO[0], CreateCrew("Zelma's first friends"))
        await table.done("zelma", CreateCrew("Others"))
        await table.done(BO[0], CreateCrew("Zelma's last friends and zelma"))
        kept = repr([await table.desk.store.load(number) for number in (1, 3)])
        assert "Zelma's first friends" in kept
        assert "Zelma's last friends and zelma" in kept
        await forget_person(table.desk.store, ANNA[1])
        assert b"zelma" not in whole_file(file).lower()
    assert (await examine(url_of(file))).faults == ()


async def test_a_server_goes_with_all_that_is_kept_of_it_and_whoever_played_only_there(file: Path) -> None:
    async with opened(file) as table:
        await evening(table)
        away = table.actor(BO[0], guild=77, channel=78)
        await table.done(away, CreateCrew("Elsewhere"))
        await side_tables.save_registration(table.desk.store, Registration(900, due_ms=1))
        await side_tables.keep_picture(table.desk.store, 900, BO[1], b"a picture")
        await note_servers(table.desk.store, [77], lambda _: True, 1)
        assert await forget_server(table.desk.store, 900) > 3
        assert await names_of(table.desk.store, ANNA[1]) == []
        assert await names_of(table.desk.store, BO[1]) == [BO[0]]
        assert ANNA[0].encode() not in whole_file(file)
        assert [place.name for place in await places_of(table.desk.store, BO[1])] == ["Elsewhere"]
    report = await examine(url_of(file))
    assert (report.scopes, report.faults) == (1, ())
    of_a_server = {name for name, one in metadata.tables.items() if "guild_id" in one.columns}
    assert of_a_server >= {"scopes", "registrations", "pictures", "departures", "crews"}
    with closing(sqlite3.connect(file)) as connection:
        for name in of_a_server:
            assert not connection.execute(f"SELECT * FROM {name} WHERE guild_id = 900").fetchall(), name


async def test_who_was_only_named_in_a_server_goes_with_it(file: Path) -> None:
    """Somebody was named second organiser, and no more: their number is in the journal alone."""
    async with opened(file) as table:
        table.ids.update({ANNA[0]: ANNA[1]})
        campaign = (await table.done(ANNA[0], CreateCampaign("The Long War"))).scope
        await table.done(ANNA[0], SecondOrganiser(campaign, BO[1]))
        await table.done(ANNA[0], SecondOrganiser(campaign))
        await forget_server(table.desk.store, 900)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT user_id FROM people").fetchall() == []
        assert connection.execute("SELECT name FROM names").fetchall() == []


TOKEN = "doesn't match its token"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "UPDATE names SET name = 'Nobody' WHERE name = 'Zwetschke'",
            TOKEN,
        ),
        ("UPDATE people SET user_id = user_id + 1", "doesn't belong to the person"),
        ("DELETE FROM people", TOKEN),
        (
            "UPDATE journal SET stood = chain FROM (SELECT chain FROM scopes LIMIT 1) WHERE seq = 2",
            "is broken",
        ),
    ],
)
async def test_the_doctor_sees_whom_somebody_renamed(file: Path, change: str, said: str) -> None:
    async with opened(file) as table:
        await evening(table)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(change)
        connection.commit()
    assert any(said in fault for fault in (await examine(url_of(file))).faults)


# ------------------------------------------------------------------------------------ forged names


async def test_nobody_gives_an_export_other_names(file: Path) -> None:
    async with opened(file) as table:
        await evening(table)
        (export,) = await exports(table)
    held = json.loads(export)

    async def refused(change: dict[str, Any]) -> str:
        data = compact(held | {"people": held["people"] | change})
        with pytest.raises(Forged) as forged:
            await referee(data.encode())
        return str(forged.value)

    names = held["people"]["names"]
    other = [[names[0][0], "Nobody", names[0][2]], *names[1:]]
    assert "Nobody is not the name in the original record" in await refused({"names": other})
    swapped = [[names[0][0], *names[1][1:]], [names[1][0], *names[0][1:]], *names[2:]]
    assert "is not the name in the original record" in await refused({"names": swapped})
    salt = "00" * 16
    more = [*names, [token_of(salt, "Zoe"), "Zoe", salt]]
    assert "who isn't mentioned in any entry" in await refused({"names": more})


# ------------------------------------------------------------------------------------ pens


def pen(*called: tuple[int, str], word: bool = False) -> Pen:
    aliases = {user: alias_of("s", user) for user, _ in called}
    named = [Named(token_of("s", name), name, aliases[user], "s", word) for user, name in called]
    return Pen(aliases, named)


USER = 123456789012345678


def test_names_are_found_as_words_and_no_further() -> None:
    written = pen((USER, "Al"), (USER, "Al Bo"))
    assert written.text("Alarm: Albert signals") == "Alarm: Albert signals"
    assert written.text("Al Bo, Al's and Al.").count(OPEN) == 3
    assert written.text("one\\nAl").count(OPEN) == 1
    assert written.text(f"<@{USER}> and {USER}1") == f"<@{alias_of('s', USER)}> and {USER}1"
    assert (
        written.text(f'{{"who":[{USER},"Al"]}}')
        == f'{{"who":[{alias_of("s", USER)},"{token_of("s", "Al")}"]}}'
    )


def test_a_name_that_is_a_word_of_the_program_is_replaced_only_where_a_name_stands() -> None:
    written = pen((USER, "play"), word=True)
    assert written.text('{"status":"play"}') == '{"status":"play"}'
    assert written.name(USER, "play") == token_of("s", "play")


def test_what_is_written_is_read_back() -> None:
    people = People()
    alias, token = alias_of("s", USER), token_of("s", "Al")
    people.ids[alias], people.tokens[token] = USER, "Al"
    for text in ("Al", f"Al {USER}", f'["Al",{USER}]', "", "nobody"):
        assert people.read(pen((USER, "Al")).text(text)) == text
    assert people.read(alias) == USER
    assert people.read(7) == 7
    assert people.read("\ue000" + "0" * 16 + "\ue001") == "Somebody 0000"


async def test_a_typed_number_too_large_for_anybody_is_nobodys(table: Table) -> None:
    """As long as a number of Discord's, and larger than any that a database keeps."""
    await table.done("anna", StartDemo())
    await table.done("anna", NoteModel("Smap", "9999999999999999999"))
    await table.done("anna", EndEncounter())
    data = (await table.do("anna", Export())).reply.files[0].data
    assert (await referee(data)).whole
    assert "9999999999999999999" in "\n".join(retold(data, EVERYBODY))


def test_a_process_of_its_own_reads_the_words_or_this_one_where_none_can_be_started_or_comes_to_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words, read = words_of_the_program(), words_of_the_program.__wrapped__
    assert "\nTrapper\n" in words
    monkeypatch.setattr(vocabulary, "_read", lambda: "read here")
    assert read() == words
    with monkeypatch.context() as hurried:
        hurried.setattr(vocabulary, "PATIENCE_SECONDS", 0.0)
        assert read() == "read here"
    monkeypatch.setattr(sys, "executable", "/nowhere")
    assert read() == "read here"


async def test_who_is_known_is_met_again_without_a_write(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(file) as table:
        table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
        await table.done(ANNA[0], StartDemo())
    written: list[object] = []
    meet = store.meet
    monkeypatch.setattr(store, "meet", lambda *asked: written.append(asked) or meet(*asked))
    async with opened(file) as table:
        table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
        await table.done(ANNA[0], NoteModel("Smap", "seen"), interaction=77)
        assert not written
        await table.done(BO[0], JoinEncounter("Edo"), interaction=78)
        assert len(written) == 1
    assert (await examine(url_of(file))).faults == ()


async def test_what_is_read_off_all_files_is_there_before_the_first_who_is_new(house: House) -> None:
    words_of_the_program.cache_clear()
    await house.client.setup_hook()
    await house.client.on_ready()
    assert words_of_the_program.cache_info().currsize == 1
