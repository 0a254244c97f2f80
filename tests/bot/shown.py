"""The buttons and menus of a message, as they are sent."""

from __future__ import annotations

from typing import Any

from discord import ui


def items_of(view: ui.View | None) -> list[dict[str, Any]]:
    """Each of them, row after row."""
    rows = view.to_components() if view is not None else []
    return [item for row in rows for item in row["components"]]
