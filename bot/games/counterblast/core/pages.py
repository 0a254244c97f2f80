"""What /help tells of Counterblast, by topic."""

from __future__ import annotations

from bot.table.help_page import HelpPage

PAGES = {
    "a turn": HelpPage(
        (
            "A turn of Counterblast:",
            "1. Draw a token: the panel, /bag draw",
            "2. Choose who acts: the menu, /act",
            "3. Act: /cb shoot, fight, template,",
            "   check, rally, move. The bot knows",
            "   the statblocks; you say distances,",
            "   cover, who is in contact.",
            "4. Done: the panel, /bag pass",
            "When all have acted: /upkeep proposes;",
            "correct it, roll, confirm.",
            "",
        ),
        ("turn", "upkeep"),
    ),
    "fighting": HelpPage(
        ("order:true: an order token for +1,", "odds:true shows the chances.", ""),
        ("core", "shooting", "templates", "melee"),
    ),
    "moving": HelpPage(rooms=("movement",)),
    "ground": HelpPage(rooms=("ground",)),
    "setting up": HelpPage(
        ("Before the first turn. House rules:", "/encounter settings.", ""),
        ("setup",),
    ),
    "gear": HelpPage(
        ("/gear show MODEL lists what it carries", "and the command of each thing.", ""),
        ("gear",),
    ),
    "powers": HelpPage(rooms=("psionics",)),
    "vehicles": HelpPage(
        ("Critical Damage and burning come as", "buttons when they are owed.", ""),
        ("vehicles",),
    ),
    "missions": HelpPage(rooms=("missions",)),
    "heroes": HelpPage(("Heroes and vehicles of your own:", ""), ("building",)),
    "spoils": HelpPage(("Between the games of a campaign:", ""), ("campaign",)),
}
