"""The buttons and menus of a message, as they are sent."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.local.checks.components import BUTTON, SELECTS
from bot.local.seen import walk


def items_of(view: ui.LayoutView | None) -> list[dict[str, Any]]:
    parts = walk(view.to_components()) if view is not None else []
    return [item for item in parts if item["type"] == BUTTON or item["type"] in SELECTS]
