"""What /help tells of Frac'd Earth, by topic."""

from __future__ import annotations

from bot.table.help_page import EVERYWHERE, HelpPage

PAGES = {
    "Frac'd Earth": HelpPage(
        (
            "/demo fracd_earth, then Begin.",
            "Your cards: /fe hand, to you alone.",
            "1. Choose who acts, then /fe attack",
            "2. The defender: Defence or Manoeuvre",
            "3. Select, buff, push: your menu and",
            "   buttons; Chances tells the odds",
            "4. Spend Edges from the menu",
            "/fe now: what waits, and for whom.",
            "",
        ),
        (EVERYWHERE,),
    ),
    "Frac'd Earth's figures": HelpPage(rooms=("roster_play",)),
}
