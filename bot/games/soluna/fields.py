"""Fields that several actions of sol'una ask alike: see `bot.table.asking.fields`."""

from __future__ import annotations

from typing import Any

from bot.table.asking import fields, offering


def adjacent_helpers() -> Any:
    """Others next to the model who help it."""
    return fields.words("Others next to it, with commas", offering.several_models)


def forced_point() -> Any:
    """Whether the Combat Point is forced."""
    return fields.switch("Force the Combat Point")


def fewer_dice() -> Any:
    """Dice that are thrown, 0 for as many as the Power gives."""
    return fields.whole("Fewer dice than its Power", 1, 30, default=0)
