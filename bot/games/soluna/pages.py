"""What /help tells of sol'una: screens that fit a phone, by their topic."""

from __future__ import annotations

PAGES: dict[str, tuple[str, ...]] = {
    "sol'una": (
        "/demo soluna, then Begin.",
        "/sol board show draws the board.",
        "The fastest acts first: /sol move,",
        "attack, lunge, grapple, pass.",
        "After the dice, choose your flips from",
        "the menu: the best are proposed.",
        "/sol look: what a model reaches, sees,",
        "or can walk to.",
    ),
}
