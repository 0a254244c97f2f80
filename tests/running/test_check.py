"""`python -m bot check`: one sentence for each thing that is wrong, and the exit code."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import discord
import pytest

from bot import __main__ as command_line
from bot import check, programs
from bot.config import TOKEN_VARIABLE, Config
from bot.local import wire
from bot.local.faults import Trouble
from bot.local.server import LocalServer
from bot.local.world import EVERYONE, Emoji, Permission
from bot.progress import progress
from bot.replies.dice_faces import face_dice
from bot.replies.weight import emoji_name
from bot.store import doctor
from bot.store.doctor import Stopped, examine
from bot.table.rosters.crews import CreateCrew
from tests.bot.tables import opened, url_of


async def found(
    file: Path, server: LocalServer | None = None, secret: str = "", **settings: object
) -> dict[str, str]:
    """What is found of each thing, the worst of it."""
    config = Config(database=str(file), **settings)  # type: ignore[arg-type]
    if server is None:
        listed = await check.check(config, {})
    else:
        with server.client_settings():
            listed = await check.check(config, {TOKEN_VARIABLE: secret or server.token})
    weights = ("fine", "look", "wrong")
    return {
        one.about: f"{one.weight}: {one.sentence}"
        for one in sorted(listed, key=lambda one: weights.index(one.weight))
    }


async def test_nothing_is_wrong(file: Path) -> None:
    async with LocalServer() as server:
        said = await found(file, server)
    assert said.pop("dice") == (
        "look: Run python -m bot dice to add 150 emojis; until then, cards show dice as numbers."
    )
    assert {words.split(":")[0] for words in said.values()} == {"fine"}
    assert set(said) == {"token", "clock", "permissions", "database", "disk"}
    assert server.token not in str(said)


async def test_tokens(file: Path, tmp_path: Path) -> None:
    said = await found(file)
    assert said["token"].startswith(f"wrong: There is no token for Discord. Set {TOKEN_VARIABLE}")
    assert "permissions" not in said
    async with LocalServer() as server:
        said = await found(file, server, secret="another")
        assert said["token"] == (
            "wrong: Copy the token from the application's page again; Discord doesn't recognise this one."
        )
        assert "another" not in str(said).replace("another one", "")
        kept = tmp_path / "token"
        kept.write_text(server.token)
        kept.chmod(0o644)
        said = await found(file, server, token_file=str(kept))
        assert "look: Protect the token file" in said["token"]


async def test_discord_out_of_reach(file: Path) -> None:
    async with LocalServer() as server:
        url = server.url
    with server.client_settings():
        listed = await check.check(Config(database=str(file)), {TOKEN_VARIABLE: "x.y.z"})
    said = {one.about: one.sentence for one in listed if one.weight == "wrong"}
    assert said["Discord"].startswith("Check the network, DNS and firewall; Discord can't be reached (")
    assert url.startswith("http")
    assert "database" not in said


async def test_permissions_servers_and_intents(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with LocalServer() as server:
        home = server.world.home
        home.roles[home.id].permissions = EVERYONE & ~Permission.ATTACH_FILES & ~Permission.SEND_MESSAGES
        said = await found(file, server, guilds=(77,))
        assert said["permissions"] == (
            "wrong: Give the bot's role these permissions in The Cellar: Send Messages, Attach Files."
        )
        assert said["servers"].startswith("wrong: Invite the bot to server 77 (listed in the settings): http")
        server.allow(server.world.bot, Permission.ADMINISTRATOR)
        assert (await found(file, server))["permissions"].startswith("fine")
        original = wire.application
        monkeypatch.setattr(wire, "application", lambda world: original(world) | {"flags": 1 << 19})
        said = await found(file, server)
        assert said["intents"] == (
            "look: Turn off the message content intent in the developer portal; the bot doesn't use it."
        )


async def test_commands_that_are_not_allowed_and_no_server(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Answer(NamedTuple):
        status: int = 403
        reason: str = "Forbidden"

    async def refused(*_: object) -> None:
        raise discord.Forbidden(Answer(), "Missing Access")  # type: ignore[arg-type]

    async def none(*_: object) -> list[object]:
        return []

    async with LocalServer() as server:
        monkeypatch.setattr(discord.http.HTTPClient, "get_guild_commands", refused)
        said = await found(file, server)
        assert "again and allow commands" in said["permissions"]
        assert "applications.commands" in said["permissions"]
        monkeypatch.setattr(discord.http.HTTPClient, "get_guilds", none)
        assert "Invite the bot to a server" in (await found(file, server))["servers"]


async def test_a_wrong_clock(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def with_clock(off: float) -> str:
        class Clock:
            time = staticmethod(lambda: time.time() + off)

        monkeypatch.setattr(check, "time", Clock)
        async with LocalServer() as server:
            return (await found(file, server))["clock"]

    said = await with_clock(-3600)
    assert said.startswith("wrong: Synchronise the clock over the network (NTP); it is 3")
    assert said.endswith("seconds behind Discord's clock.")
    assert "seconds ahead of Discord's" in await with_clock(60)
    assert (await with_clock(2)).startswith("fine")


async def test_databases(file: Path, tmp_path: Path) -> None:
    async def of(path: Path) -> str:
        return (await found(path))["database"]

    assert await of(tmp_path / "new.db") == (
        "fine: The database doesn't exist yet; it will be created when the bot first starts."
    )
    assert "it will be created when the bot first starts" in await of(tmp_path / "none" / "new.db")
    assert not (tmp_path / "none").exists()
    assert "is a folder" in await of(tmp_path)
    nothing = tmp_path / "nothing.db"
    with closing(sqlite3.connect(nothing)) as connection:
        connection.execute("VACUUM")
    assert await of(nothing) == "fine: The database is empty; the bot will set it up when it starts."
    words = tmp_path / "words.db"
    words.write_text("Dear diary, " * 100)
    assert "is not an SQLite database" in await of(words)
    for revision, said in (("9999", "wrong: Update the program; the database is from a newer"),):
        other = Path(shutil.copy(file, tmp_path / f"{revision}.db"))
        with closing(sqlite3.connect(other)) as connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
            connection.commit()
        assert said in await of(other)
    torn = Path(shutil.copy(file, tmp_path / "torn.db"))
    data = bytearray(torn.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 2000] = os.urandom(2000)
    torn.write_bytes(data)
    assert (await of(torn)).startswith("wrong: The database ")
    assert "\n" not in await of(torn)
    with closing(sqlite3.connect(Path(shutil.copy(file, tmp_path / "page.db")))) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'models'").fetchone()
    data = bytearray(file.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = os.urandom(4096)
    (tmp_path / "page.db").write_bytes(data)
    said = await of(tmp_path / "page.db")
    assert said.startswith("wrong: Restore a backup (python -m bot restore); the database file is damaged (")
    assert "\n" not in said


async def test_a_full_disk_and_a_closed_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        free: int = 5 * 2**20

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda folder: Usage())
        said = await found(file)
        assert said["disk"].startswith("wrong: Free some space; ")
        assert said["disk"].endswith(f"the bot needs 200 MiB, and the disk at {file.parent} has 5 MiB left.")
    said = await found(file, health_file=str(file.parent / "none" / "alive"))
    missing = f"look: The folder {file.parent / 'none'} doesn't exist yet"
    assert said["health"] == f"{missing}; it will be created when the bot first starts."
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    said = await found(file, health_file=str(file.parent / "none" / "alive"))
    folder = file.parent / "none"
    assert said["health"] == (
        f"wrong: Give the bot's user write access to {folder}; the bot writes its health_file there."
    )
    assert said["database"].endswith("is read-only; give the bot's user write access to it.")


@pytest.fixture
def elsewhere() -> Iterator[LocalServer]:
    """A local server on a loop of its own, for what runs a loop itself."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = LocalServer()
    asyncio.run_coroutine_threadsafe(server.start(), loop).result()
    with server.client_settings():
        yield server
    asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_the_command_line_tells_it_and_ends_with_a_status(
    elsewhere: LocalServer,
    file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(f"database = '{file}'")
    monkeypatch.setenv(TOKEN_VARIABLE, elsewhere.token)
    assert command_line.main(["--config", str(settings), "check"]) == 0
    told = capsys.readouterr().out
    assert told.endswith("Everything is in order.\n")
    assert elsewhere.token not in told
    monkeypatch.delenv(TOKEN_VARIABLE)
    assert command_line.main(["--config", str(settings), "check"]) == 1
    assert "WRONG  token: There is no token for Discord. Set ADJUTANT_TOKEN" in (
        told := capsys.readouterr().out
    )
    assert told.endswith("1 problem found.\n")


# ------------------------------------------------------------------------------------ long work


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_how_far_it_is_is_shown_on_a_terminal_only() -> None:
    screen, pipe = Terminal(), io.StringIO()
    for stream in (screen, pipe):
        with progress("Replaying", " journals", stream) as told:
            for done in range(1, 4):
                told(done, 3)
    assert "Replaying" in screen.getvalue()
    assert pipe.getvalue() == ""


async def test_the_doctor_is_stopped_and_goes_on_where_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(file) as table:
        for number in range(4):
            await table.done("anna", CreateCrew(f"Crew {number}"))
    whole = await examine(url_of(file))
    assert (whole.scopes, whole.entries) == (4, 4)
    seen: list[int] = []
    original = doctor.examine_scope

    def stop(loaded: object, *more: object) -> list[str]:
        seen.append(loaded.scope.id)  # type: ignore[attr-defined]
        if len(seen) == 3:
            raise asyncio.CancelledError
        return original(loaded, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(doctor, "examine_scope", stop)
    with pytest.raises(Stopped, match="doctor --from") as stopped:
        await examine(url_of(file))
    rest = await examine(url_of(file), first=stopped.value.scope)
    assert rest.scopes == 2
    assert seen[2] == stopped.value.scope == seen[3]


async def test_dice_that_discord_did_not_take_are_added_the_next_time(file: Path) -> None:
    async with LocalServer() as server:
        for die in [*face_dice()][2:]:
            made = Emoji(server.world.ids.next(), emoji_name(die), "data:image/png;base64,")
            server.world.emojis[made.id] = made
        server.faults.arm(Trouble.STATUS, "POST /applications/*/emojis", status=403)
        with server.client_settings():
            with pytest.raises(discord.Forbidden):
                await programs.give_dice(server.token)
            assert await programs.give_dice(server.token) == 2
        assert (await found(file, server))["dice"].startswith("fine")
