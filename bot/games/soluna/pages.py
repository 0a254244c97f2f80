"""What /help tells of sol'una, by topic."""

from __future__ import annotations

from bot.table.help_page import EVERYWHERE, HelpPage

PAGES = {
    "sol'una": HelpPage(
        (
            "/demo soluna, then Begin.",
            "/sol board show draws the board.",
            "The fastest acts first: /sol move,",
            "attack, lunge, grapple, pass.",
            "After the dice, choose your flips from",
            "the menu: the best are proposed.",
            "/sol look: what a model reaches, sees,",
            "or can walk to.",
            "",
        ),
        (EVERYWHERE,),
    ),
}
