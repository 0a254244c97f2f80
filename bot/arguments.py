"""The commands and options of the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

FAULT, WRONG_USE, UNDECIDED, STOPPED, UNREAD = 1, 2, 3, 130, 141
"""Exit statuses of failed or interrupted runs."""

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def build_parser() -> argparse.ArgumentParser:
    """Return the parser for all commands and options."""
    top = argparse.ArgumentParser(
        prog="python -m bot", description="Adjutant, a Discord bot for skirmish wargames."
    )
    top.add_argument(
        "--config", type=Path, default=None, help="settings file (default: config.toml if it exists)"
    )
    commands = top.add_subparsers(dest="command", required=True)
    _add_play_commands(commands)
    commands.add_parser("run", help="connect to Discord and run the bot")
    commands.add_parser("health", help="check whether the bot is running")
    commands.add_parser("check", help="check the token, permissions, intents, database, clock and disk")
    commands.add_parser("dice", help="upload the dice emojis that cards show (needed once)")
    _add_database_commands(commands)
    _add_export_commands(commands)
    argument_parser = commands.add_parser(
        "texts", help="print every text that can be shown, with its file and line"
    )
    argument_parser.add_argument(
        "--area", default="", help='an area, such as "infinity", "commands" or "panels" (default: all)'
    )
    argument_parser.add_argument("--docstrings", action="store_true", help="also print docstrings")
    return top


def _add_play_commands(commands: Commands) -> None:
    play = commands.add_parser("play", help="play in this terminal, without Discord")
    play.add_argument("--script", type=Path, default=None, help="run the commands in this file")
    play.add_argument("--json", action="store_true", help="print one JSON object for each reply")
    play.add_argument(
        "--seed", type=int, default=None, help="seed for the dice (the same seed gives the same rolls)"
    )
    play.add_argument("--database", default="", help="save the game in this file (default: don't save it)")
    play.add_argument("--pictures", type=Path, default=None, help="save pictures and files in this folder")
    table = commands.add_parser("table", help="play in browsers on phones and a television, without Discord")
    table.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (0.0.0.0 for everyone on the network)"
    )
    table.add_argument("--port", type=int, default=8420, help="port (0 chooses a free one)")
    table.add_argument("--database", default="table.db", help="file in which the game is saved")
    table.add_argument("--open", action="store_true", help="let everyone in without asking you")


def _add_database_commands(commands: Commands) -> None:
    commands.add_parser("migrate", help="update the database to this version of the bot")
    doctor = commands.add_parser("doctor", help="replay the journals and compare them with the database")
    doctor.add_argument(
        "--from",
        dest="first",
        type=int,
        default=0,
        help="number to continue from (shown when a check is stopped)",
    )
    backup = commands.add_parser("backup", help="back up the database while the bot is running")
    backup.add_argument("target", type=Path, nargs="?", help="file to write, or folder if you use --keep")
    backup.add_argument("--keep", type=int, help="write a dated copy into a folder and keep this many copies")
    restore = commands.add_parser("restore", help="replace the database with a backup (stop the bot first)")
    restore.add_argument("source", type=Path, help="backup file")
    copy = commands.add_parser("copy", help="copy everything into an empty SQLite or PostgreSQL database")
    copy.add_argument("source", metavar="FROM", help="file or URL of the database to copy")
    copy.add_argument("target", metavar="TO", help="file or URL of an empty or new database")


def _add_export_commands(commands: Commands) -> None:
    """Add the commands that read an exported game."""
    check = commands.add_parser("verify", help="check the dice and results of an exported game")
    check.add_argument("export", type=Path, help="file from /export")
    check.add_argument(
        "--head",
        action="append",
        default=[],
        metavar="CODE",
        help="record code from /dice show, short or full (repeat this option for several codes)",
    )
    replay = commands.add_parser("replay", help="print an exported game step by step")
    replay.add_argument("export", type=Path, help="file from /export")
    replay.add_argument(
        "--as",
        dest="name",
        default="watcher",
        help="whose view to show: a person's name, 'watcher' (default) or 'everybody'",
    )
