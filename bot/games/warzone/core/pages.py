"""What /help tells of Ultimate Warzone, by topic."""

from __future__ import annotations

from bot.table.help_page import EVERYWHERE, HelpPage

PAGES = {
    "Warzone": HelpPage(
        (
            "/demo warzone, then Begin.",
            "1. Choose which unit acts: the menu",
            "2. /wz move, aim, shoot, fight,",
            "   charge, channel: each costs actions",
            "3. Done, then the other side",
            "Owed morale tests are buttons, and",
            "come before the next unit acts.",
            "/wz model add types your own.",
            "",
        ),
        (EVERYWHERE,),
    ),
    "Warzone's nerves and powers": HelpPage(rooms=("nerves", "powers", "vehicles", "roster")),
}
