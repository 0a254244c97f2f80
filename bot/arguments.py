"""What can be asked of the program on its command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

FAULT, WRONG_USE, UNDECIDED, STOPPED, UNREAD = 1, 2, 3, 130, 141
"""How the program ends, other than well."""

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def parser() -> argparse.ArgumentParser:
    """Everything that can be asked of the program."""
    top = argparse.ArgumentParser(prog="python -m bot", description="Adjutant, the assistant at the table.")
    top.add_argument(
        "--config", type=Path, default=None, help="settings file (default: config.toml if there)"
    )
    commands = top.add_subparsers(dest="command", required=True)
    _play_here(commands)
    commands.add_parser("run", help="connect to Discord and serve")
    commands.add_parser("health", help="tell whether a running bot is alive")
    commands.add_parser("check", help="look at token, permissions, intents, database, clock and disk")
    _keep(commands)
    _read_again(commands)
    shown = commands.add_parser("texts", help="print every sentence that can be shown, with its place")
    shown.add_argument(
        "--area", default="", help="a game's key, or commands, panels, table, ... (default: all)"
    )
    shown.add_argument("--docstrings", action="store_true", help="print docstrings as well")
    return top


def _play_here(commands: Commands) -> None:
    """What is played without Discord."""
    play = commands.add_parser("play", help="play in this terminal, without Discord")
    play.add_argument("--script", type=Path, default=None, help="play the lines of a file")
    play.add_argument("--json", action="store_true", help="print one JSON object for each reply")
    play.add_argument(
        "--seed",
        type=int,
        default=None,
        help="dice that come again with the same number, before what the script says",
    )
    play.add_argument("--database", default="", help="keep the game in this file (default: a passing one)")
    play.add_argument("--pictures", type=Path, default=None, help="where pictures and files are saved")
    table = commands.add_parser("table", help="play in browsers: phones and a television, without Discord")
    table.add_argument("--host", default="127.0.0.1", help="where to listen (0.0.0.0: for everybody near)")
    table.add_argument("--port", type=int, default=8420, help="0 takes a free one")
    table.add_argument("--database", default="table.db", help="the file that keeps the game")
    table.add_argument("--open", action="store_true", help="whoever comes gets a seat without being let in")


def _keep(commands: Commands) -> None:
    """What looks after the database."""
    commands.add_parser("migrate", help="bring the database to this version")
    doctor = commands.add_parser("doctor", help="replay the journals and compare them with the tables")
    doctor.add_argument("--from", dest="first", type=int, default=0, help="go on where it was stopped")
    copy = commands.add_parser("backup", help="copy the database while it is in use")
    copy.add_argument("target", type=Path, nargs="?", help="the file to write, or with --keep the folder")
    copy.add_argument("--keep", type=int, help="write a dated copy into a folder and keep so many of them")
    back = commands.add_parser("restore", help="put a back-up in the database's place; the bot is stopped")
    back.add_argument("source", type=Path, help="the back-up")
    move = commands.add_parser("copy", help="copy everything into an empty database, of SQLite or PostgreSQL")
    move.add_argument("source", metavar="FROM", help="a file, or a URL")
    move.add_argument("target", metavar="TO", help="a file, or a URL; empty, or not there yet")


def _read_again(commands: Commands) -> None:
    """What is done with the file of an exported game."""
    check = commands.add_parser("verify", help="referee an exported game again")
    check.add_argument("export", type=Path, help="the file that /export gave")
    check.add_argument(
        "--head",
        action="append",
        default=[],
        metavar="HASH",
        help="a head that the channel showed of its record, short or whole; may be given several times",
    )
    again = commands.add_parser("replay", help="tell an exported game again")
    again.add_argument("export", type=Path, help="the file that /export gave")
    again.add_argument(
        "--as",
        dest="name",
        default="watcher",
        help="as who saw it: a person's name, watcher (default) or everybody",
    )
