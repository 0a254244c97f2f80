"""What /help tells of Ultimate Warzone: screens that fit a phone, by their topic."""

from __future__ import annotations

PAGES: dict[str, tuple[str, ...]] = {
    "Warzone": (
        "/demo warzone, then Begin.",
        "1. Choose which unit acts: the menu",
        "2. /wz move, aim, shoot, fight,",
        "   charge, channel: each costs actions",
        "3. Done, then the other side",
        "Owed morale tests are buttons, and",
        "come before the next unit acts.",
        "/wz model add types your own.",
    ),
}
