"""What /help tells of Infinity, by topic."""

from __future__ import annotations

from bot.table.help_page import EVERYWHERE, HelpPage

PAGES = {
    "Infinity": HelpPage(
        (
            "/demo infinity, then Begin.",
            "1. /inf order, shoot, cc, assault ...",
            "   declare a Skill",
            "2. The others: React, in secret, or",
            "   Nobody reacts; more with /inf aro",
            "3. A second Skill, or Done: dice fall",
            "Hidden troopers and Markers:",
            "/inf mine shows yours, to you alone.",
            "",
        ),
        (EVERYWHERE,),
    ),
    "Infinity's troopers": HelpPage(rooms=("troop_play", "library_play")),
}
