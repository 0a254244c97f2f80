"""What /help tells of Infinity: screens that fit a phone, by their topic."""

from __future__ import annotations

PAGES: dict[str, tuple[str, ...]] = {
    "Infinity": (
        "/demo infinity, then Begin.",
        "1. /inf order, shoot, cc, assault ...",
        "   declare a Skill",
        "2. The others: React, in secret, or",
        "   Nobody reacts; more with /inf aro",
        "3. A second Skill, or Done: dice fall",
        "Hidden troopers and Markers:",
        "/inf mine shows yours, to you alone.",
    ),
}
