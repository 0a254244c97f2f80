"""Logs: one line each, as text or as JSON, never with a token or what a player keeps secret."""

from __future__ import annotations

import json
import logging
import sys
from contextvars import ContextVar
from typing import Literal, TextIO

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

TALKATIVE = ("discord.http", "discord.gateway", "discord.webhook", "aiosqlite")
"""Libraries that write whole requests and statements at level debug, with their tokens and seeds."""


INTERACTION: ContextVar[int] = ContextVar("interaction", default=0)
"""The id of the interaction that is being answered, for every line that is logged meanwhile."""


def _with_interaction(record: logging.LogRecord) -> bool:
    number = INTERACTION.get()
    if number and not hasattr(record, "interaction"):
        record.interaction = number
    return True


class _Fields(logging.Formatter):
    def extras(self, record: logging.LogRecord) -> dict[str, object]:
        return {name: value for name, value in vars(record).items() if name not in _STANDARD}


class JsonLines(_Fields):
    """Each record as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        line: dict[str, object] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {
            name: value if isinstance(value, int | float) else str(value)
            for name, value in self.extras(record).items()
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class TextLines(_Fields):
    """Each record as words, with its fields behind it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text."""
        extras = " ".join(f"{name}={value}" for name, value in self.extras(record).items())
        text = (
            f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower()} {record.getMessage()} {extras}"
        ).replace("\n", " / ")
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return text.rstrip()


def set_up(level: str, form: Literal["text", "json"], stream: TextIO = sys.stderr) -> None:
    """Send all logs of the program to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    handler.addFilter(_with_interaction)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.INFO, root.level))
    logging.getLogger("discord.client").addFilter(_no_voice)


def set_up_at_home() -> None:
    """Send what is worth a word to standard error; that one's own machine is slow is not."""
    set_up("warning", "text")
    logging.getLogger("discord.gateway").setLevel(logging.ERROR)


def _no_voice(record: logging.LogRecord) -> bool:
    """discord.py warns of voice libraries, which this bot has no use for."""
    return "voice will NOT be supported" not in record.getMessage()
