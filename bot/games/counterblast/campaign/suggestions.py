"""What is suggested in fields of this room: what a member carries, what upgrade points and scouting buy."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.building.upgrade_words import upgrades
from bot.games.counterblast.core.fighters import Block, read_block
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_asked import own_veterans
from rules.systems.counterblast.core.library import load


def _said(asking: Asking) -> Block | None:
    """The statblock of the member that was said."""
    wanted = asking.so_far["member"]
    found = next((row for row in own_veterans(asking) if row.name == wanted), None)
    return read_block(found.profile) if found else None


def carried_weapons(asking: Asking) -> Sequence[str]:
    """Weapons of the member that was said."""
    block = _said(asking)
    return [weapon.name for weapon in block.weapons] if block else []


def carried_items(asking: Asking) -> Sequence[str]:
    """Weapons and gear of the member that was said."""
    block = _said(asking)
    if block is None:
        return []
    return [*(weapon.name for weapon in block.weapons), *(item.name for item in block.gear)]


def bought(asking: Asking) -> Sequence[str]:
    """Dice, modifiers and Features."""
    return list(upgrades())


def scouting_goods(asking: Asking) -> Sequence[str]:
    """What scouting successes buy."""
    return [row.name for row in load().charts["scouting_trade"].rows]
