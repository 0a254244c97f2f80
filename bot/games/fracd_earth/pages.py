"""What /help tells of Frac'd Earth: screens that fit a phone, by their topic."""

from __future__ import annotations

PAGES: dict[str, tuple[str, ...]] = {
    "Frac'd Earth": (
        "/demo fracd_earth, then Begin.",
        "Your cards: /fe hand, to you alone.",
        "1. Choose who acts, then /fe attack",
        "2. The defender: Def or Manv",
        "3. Select, buff, push: your menu and",
        "   buttons; Chances tells the odds",
        "4. Spend Edges from the menu",
        "/fe now: what waits, and for whom.",
    ),
}
