"""The command line: playing, serving, checking, looking after the database, and replaying games."""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.engine import URL

from bot import logs
from bot.arguments import FAULT, STOPPED, UNDECIDED, WRONG_USE
from bot.config import Config, ConfigError, read_token
from bot.progress import progress
from bot.store.backups import backup, dated
from bot.store.engine import database_url, is_sqlite
from bot.store.errors import StoreError
from bot.store.migration import migrate, serving_alone
from bot.supervise import CannotRun, supervise

if TYPE_CHECKING:
    from bot.client import Adjutant
    from bot.local.feed import Idle
    from bot.local.server import LocalServer
    from bot.overview import Look
    from bot.table.desk import Desk
    from bot.table.referee.checks import Verdict

T = TypeVar("T")


def carry_out(namespace: argparse.Namespace, config: Config) -> int:
    """Do what the command line asks for; the exit status. Raises ConfigError, StoreError."""
    try:
        return COMMANDS[namespace.command](namespace, config)
    except CannotRun as error:
        print(error, file=sys.stderr)
        return FAULT


def _play(namespace: argparse.Namespace, config: Config) -> int:
    if namespace.json and namespace.script is None:
        print("Add --script FILE; --json only works with a script.", file=sys.stderr)
        return WRONG_USE
    logs.set_up_at_home()
    if namespace.database:
        return asyncio.run(_play_on(namespace, config, namespace.database))
    with tempfile.TemporaryDirectory(prefix="adjutant-") as folder:
        return asyncio.run(_play_on(namespace, config, str(Path(folder) / "table.db")))


async def _play_on(namespace: argparse.Namespace, config: Config, database: str) -> int:
    from bot.local.terminal import play

    url = database_url(database)
    await migrate(url)
    seed = _seed_of(namespace.script) if namespace.seed is None else namespace.seed

    @asynccontextmanager
    async def start_bot(server: LocalServer) -> AsyncIterator[Idle]:
        async with at_the_table(server, url, config, seed, unhurried=bool(namespace.script)) as seated:
            yield seated.idle

    return await play(start_bot, script=namespace.script, as_json=namespace.json, pictures=namespace.pictures)


def _run_table(namespace: argparse.Namespace, config: Config) -> int:
    if not is_sqlite(database_url(namespace.database)):
        print("Enter a file to save the game in, such as --database evening.db", file=sys.stderr)
        return WRONG_USE
    logs.set_up_at_home()
    with serving_alone(database_url(namespace.database)):
        return asyncio.run(_table_on(namespace, config))


async def _table_on(namespace: argparse.Namespace, config: Config) -> int:
    from bot.page.serve import Opening, serve

    url = database_url(namespace.database)

    @asynccontextmanager
    async def start_bot(server: LocalServer) -> AsyncIterator[Look]:
        from bot.table.session.overview import GameOverviews

        await migrate(url)
        async with at_the_table(server, url, config) as seated:
            yield GameOverviews(seated.desk.store)

    path = Path(f"{url.database}.page")
    return await serve(start_bot, Opening(path, namespace.host, namespace.port, namespace.open))


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """The bot at a local server. idle: waits until it has come to rest."""

    idle: Idle
    desk: Desk


@asynccontextmanager
async def at_the_table(
    server: LocalServer, url: URL, config: Config, seed: int | None = None, *, unhurried: bool = False
) -> AsyncIterator[SeatedBot]:
    """Connect the bot to a local server. unhurried: no one watches, and nothing depends on the clock."""
    from bot.app import make_client, open_desk
    from bot.local.interactions import UNHURRIED

    hurry: dict[str, Any] = {"pause": 0.0, "patience": UNHURRIED} if unhurried else {"pause": 0.3}

    async with open_desk(url, _seeds(seed)) as desk:
        with server.client_settings():
            client = make_client(desk, config, **hurry, everything=True, guild_ready_timeout=0.0)
            running = asyncio.create_task(client.start(server.token))
            is_ready = asyncio.create_task(client.wait_until_ready())
            await asyncio.wait({running, is_ready}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                is_ready.cancel()
                running.result()
            try:
                for channel in tuple(server.world.channels):
                    scope = await desk.store.running_encounter(channel)
                    if scope:
                        client.panels.changed(scope, quietly=True)
                await client.panels.settle()
                yield SeatedBot(client.settle, desk)
            finally:
                await client.close()
                with suppress(asyncio.CancelledError):
                    await running


def _seed_of(script: Path | None) -> int | None:
    """The seed that a script names; None where it names none or cannot be read, which `play` tells."""
    from bot.local.script import seed_of

    try:
        return seed_of(script.read_text(encoding="utf-8").splitlines()) if script else None
    except (OSError, UnicodeDecodeError):
        return None


def _seeds(seed: int | None) -> Callable[[], bytes] | None:
    """Secrets that come again with the same number, for games that are to be repeated; never in service."""
    if seed is None:
        return None
    source = random.Random(seed)
    return lambda: source.randbytes(32)


def _run(namespace: argparse.Namespace, config: Config) -> int:
    secret = read_token(config)
    if is_sqlite(database_url(config.database)) and 0 < len(config.shard_ids) < config.shards:
        raise ConfigError("Use PostgreSQL for several processes; an SQLite file only works with one.")
    logs.set_up(config.log_level, "json" if config.log_format == "json" else "text")
    with serving_alone(database_url(config.database)):
        asyncio.run(_serve(config, secret))
    return 0


async def _serve(config: Config, secret: str) -> None:
    from bot.app import make_client, open_desk
    from bot.health import beat
    from bot.retention_task import every_day
    from bot.store.store import Keeping

    url = database_url(config.database)
    await migrate(url)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signal_number, stop.set)
    with _metrics(config) as watched:
        async with open_desk(url) as desk, beat(config.health_file):
            gc.freeze()  # the program is no garbage, and to look through it keeps everybody waiting
            desk.store.keeping = Keeping(
                config.forget_servers_days, config.forget_people_days, config.forget_copies_days
            )
            letting_go = asyncio.create_task(every_day(desk.store), name="deleting old data")
            try:
                await supervise(lambda: watched(make_client(desk, config)), secret, stop=stop)
            finally:
                letting_go.cancel()
                await asyncio.gather(letting_go, return_exceptions=True)


@contextmanager
def _metrics(config: Config) -> Iterator[Callable[[Adjutant], Adjutant]]:
    """Serve metrics where a port is named; gives what shows them the client."""
    if not config.metrics_port:
        yield lambda client: client
        return
    from bot.metrics import served

    url = database_url(config.database)
    file = Path(url.database) if is_sqlite(url) and url.database else None
    with served(config.metrics_host, config.metrics_port, file) as metrics:

        def watched(client: Adjutant) -> Adjutant:
            metrics.watch(client)
            return client

        yield watched


def _migrate(namespace: argparse.Namespace, config: Config) -> int:
    migration = asyncio.run(migrate(database_url(config.database)))
    if migration.before == migration.after:
        print(f"The database is already at revision {migration.after}.")
    elif not migration.before:
        print(f"The database was set up at revision {migration.after}.")
    else:
        print(f"The database was updated from revision {migration.before} to {migration.after}.")
        if migration.copy:
            print(f"Copy from before the update: {migration.copy}")
    return 0


def _check(namespace: argparse.Namespace, config: Config) -> int:
    from bot.check import check

    marks = {"fine": "fine ", "look": "look ", "wrong": "WRONG"}
    findings = asyncio.run(check(config))
    for finding in findings:
        print(f"{marks[finding.weight]}  {finding.about}: {finding.sentence}")
    problems = sum(finding.weight == "wrong" for finding in findings)
    print(
        "Everything is in order."
        if not problems
        else f"{problems} {'problem' if problems == 1 else 'problems'} found."
    )
    return FAULT if problems else 0


def _dice(namespace: argparse.Namespace, config: Config) -> int:
    import aiohttp
    import discord

    try:
        count = asyncio.run(give_dice(read_token(config)))
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        print(f"Not all dice emojis were added ({error}). Run this again to add the rest.", file=sys.stderr)
        return FAULT
    print(f"Dice emojis added: {count}." if count else "All dice emojis are already uploaded.")
    print("The bot will show them the next time it starts.")
    return 0


async def give_dice(secret: str) -> int:
    """Upload the emojis of dice that Discord does not have yet; how many these were."""
    import discord

    from bot.replies.dice_faces import draw_face, face_dice
    from bot.replies.weight import emoji_name

    client = discord.Client(intents=discord.Intents.none())
    try:
        await client.login(secret)
        uploaded = {emoji.name for emoji in await client.fetch_application_emojis()}
        missing = [die for die in face_dice() if emoji_name(die) not in uploaded]
        with progress("Uploading", " dice") as show_progress:
            for place, die in enumerate(missing, 1):
                await client.create_application_emoji(name=emoji_name(die), image=draw_face(die))
                show_progress(place, len(missing))
        return len(missing)
    finally:
        await client.close()


def _doctor(namespace: argparse.Namespace, config: Config) -> int:
    from bot.store.doctor import Stopped, examine

    try:
        with progress("Replaying", " journals") as show_progress:
            report = asyncio.run(examine(database_url(config.database), show_progress, namespace.first))
    except Stopped as stopped:
        print(stopped, file=sys.stderr)
        return STOPPED
    print(f"Journals replayed: {report.scopes}. Entries: {report.entries}.")
    for fault in report.faults:
        print(fault)
    print(
        f"Problems found: {len(report.faults)}." if report.faults else "Everything agrees with the journals."
    )
    return FAULT if report.faults else 0


def _file(config: Config) -> Path:
    """Return the database's file. Raises StoreError where it is none."""
    url = database_url(config.database)
    if not is_sqlite(url) or not url.database:
        raise StoreError(
            "For PostgreSQL, use pg_dump or python -m bot copy FROM FILE; "
            "backup and restore work only for an SQLite file."
        )
    return Path(url.database)


def _backup(namespace: argparse.Namespace, config: Config) -> int:
    path = _file(config)
    if namespace.keep is None and namespace.target is None:
        print("Enter a file (backup FILE) or a folder (backup --keep 7 FOLDER).", file=sys.stderr)
        return WRONG_USE
    with progress("Copying", " pages") as show_progress:
        if namespace.keep is not None:
            target = dated(path, namespace.target or path.parent / "backups", namespace.keep, show_progress)
        else:
            target = namespace.target
            backup(path, target, show_progress)
    print(f"Copied to {target}.")
    return 0


NOT_LOOKED_THROUGH = (
    "Stopped. All rows have been copied, but not all have been checked. Set `database` to the copy, then run "
    "python -m bot doctor --from {scope}"
)


def _copy(namespace: argparse.Namespace, config: Config) -> int:
    from bot.store import copying, doctor

    source, target = database_url(namespace.source), database_url(namespace.target)
    try:
        with progress("Copying", " rows") as show_progress:
            copied = asyncio.run(copying.copy(source, target, show_progress))
    except copying.CopyStopped as stopped:
        print(NOT_LOOKED_THROUGH.format(scope=0) if stopped.is_whole else stopped, file=sys.stderr)
        return STOPPED
    print(f"Rows copied: {copied.rows}.")
    try:
        with progress("Replaying", " journals") as show_progress:
            report = asyncio.run(doctor.examine(target, show_progress))
    except doctor.Stopped as stopped:
        print(NOT_LOOKED_THROUGH.format(scope=stopped.scope), file=sys.stderr)
        return STOPPED
    for fault in report.faults:
        print(fault)
    if report.faults:
        print(
            f"Problems found in the copy: {len(report.faults)}. Check the original with python -m bot doctor."
        )
        return FAULT
    print(f"The copy was checked and is in order. Journals: {report.scopes}. Entries: {report.entries}.")
    return 0


def _restore(namespace: argparse.Namespace, config: Config) -> int:
    from bot.store.backups import restore

    path = _file(config)
    with progress("Copying", " pages") as show_progress:
        aside = restore(namespace.source, path, show_progress)
    if aside:
        print(f"The old database was kept as {aside}")
    print(f"{path} was restored from {namespace.source}.")
    return 0


def _verify(namespace: argparse.Namespace, config: Config) -> int:
    import bot.app  # noqa: F401 (the games that are refereed)
    from bot.table.referee.game_replay import referee
    from bot.table.referee.verdict_text import verdict_lines

    def refereed(data: bytes) -> Verdict:
        with progress("Replaying", " entries") as told_so_far:
            return asyncio.run(referee(data, namespace.head, told_so_far))

    verdict = _of_export(namespace.export, refereed)
    if verdict is None:
        return FAULT
    print("\n".join(verdict_lines(verdict)))
    return 0 if verdict.whole else UNDECIDED


def _replay(namespace: argparse.Namespace, config: Config) -> int:
    import bot.app  # noqa: F401 (the games that are told)
    from bot.table.referee.replay_story import retold

    lines = _of_export(namespace.export, lambda data: retold(data, namespace.name))
    if lines is None:
        return FAULT
    print("\n".join(lines))
    return 0


def _texts(namespace: argparse.Namespace, config: Config) -> int:
    from bot.texts import TextKind, texts

    shown_texts = [
        text for text in texts(namespace.area) if namespace.docstrings or text.kind is not TextKind.DOCSTRING
    ]
    if not shown_texts:
        print(
            f'Choose another area, such as "counterblast" or "panels"; there is no "{namespace.area}".',
            file=sys.stderr,
        )
        return WRONG_USE
    path = ""
    for text in shown_texts:
        if text.path != path:
            path = text.path
            print(f"\n{path}")
        print(f"{text.line:5}  {text.template}{f'  ({text.used_in})' if text.used_in else ''}")
    return 0


def _of_export(file: Path, work: Callable[[bytes], T]) -> T | None:
    """What is made of an export; None, and said why, where it cannot be read or is none."""
    from bot.table.referee.checks import MAX_EXPORT_BYTES, Forged

    try:
        with file.open("rb") as export:
            return work(export.read(MAX_EXPORT_BYTES + 1))
    except OSError as error:
        print(f"{file} can't be read: {error.strerror}.", file=sys.stderr)
    except Forged as error:
        print(error, file=sys.stderr)
    return None


COMMANDS = {
    "play": _play,
    "table": _run_table,
    "run": _run,
    "check": _check,
    "dice": _dice,
    "migrate": _migrate,
    "doctor": _doctor,
    "backup": _backup,
    "copy": _copy,
    "restore": _restore,
    "texts": _texts,
    "verify": _verify,
    "replay": _replay,
}
