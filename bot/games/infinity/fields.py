"""Fields that several actions of Infinity ask alike: see `bot.table.asking.fields`."""

from __future__ import annotations

from typing import Any

from bot.table.asking import fields


def paying_order() -> Any:
    """Which Order pays."""
    return fields.word_of("Which Order pays", ("auto", "regular", "irregular", "lieutenant"), default="auto")


def further_mod() -> Any:
    """A modifier that the bot does not know of."""
    return fields.whole("Further MOD", -12, 12, default=0)


def arts_level() -> Any:
    """The Level of Martial Arts in use, below 0 the best."""
    return fields.whole("Level; none: the best", 0, 5, default=-1)


def ground_type() -> Any:
    """The type of the ground, for those who know it."""
    return fields.text("Its type: Mountain ...", 100)


def stood_on() -> Any:
    """The ground that the trooper stands on."""
    return fields.word_of("What it stands on", ("open", "difficult", "very difficult"), default="open")
