"""Fields that several actions of Warzone ask alike: see `bot.table.asking.fields`."""

from __future__ import annotations

from typing import Any

from bot.games.warzone import suggestions
from bot.table.asking import fields


def target_cover() -> Any:
    """What the target stands behind, as covers add up."""
    return fields.word_of(
        "What the target is in",
        (
            "none",
            "obscured",
            "soft",
            "hard",
            "impenetrable",
            "obscured+soft",
            "obscured+hard",
            "soft+hard",
            "obscured+soft+hard",
        ),
        default="none",
    )


def smoke_in_line() -> Any:
    """The highest level of smoke in the line."""
    return fields.whole("Highest smoke level in the line", 0, 20, default=0)


def off_front() -> Any:
    """Degrees off the front of the firer."""
    return fields.whole("Degrees off the firer's front", 0, 180, default=0)


def friends_apart() -> Any:
    """Inches between friends in the way, -1 for none there."""
    return fields.inches("Inches between friends in the way", 0.0, 200.0, default=-1.0)


def as_gunner() -> Any:
    """Whether it serves a mounted weapon."""
    return fields.switch("It serves a mounted weapon")


def from_behind() -> Any:
    """Whether a vehicle is attacked from behind."""
    return fields.switch("From behind a vehicle")


def no_enemy_seen() -> Any:
    """Whether no enemy is in sight of the model."""
    return fields.switch("No enemy in its sight")


def dire_level() -> Any:
    """The level of a Dire effect, 0 for none."""
    return fields.whole("Level of the Dire effect there", 0, 10, default=0)


def worst_ground() -> Any:
    """The worst ground of a way."""
    return fields.words("The worst ground; several with +", suggestions.terrain_kinds, default="normal")


def seen_from_fear() -> Any:
    """Which way it goes from what frightened it."""
    return fields.word_of(
        "Seen from what frightened it", ("away", "nearer", "other"), called="toward", default="other"
    )
