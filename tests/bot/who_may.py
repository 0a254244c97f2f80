"""The permission matrix, as the actions declare it: `bot.table.owners`."""

from __future__ import annotations

from bot.actions import ACTIONS
from bot.table.owners import Role, permissions

OWNERS = {
    command: owner
    for command, owner in permissions().items()
    if ACTIONS[command].__module__.startswith("bot.games.")
}
"""Every action of a game with its owner."""

PLAYED = (Role.PLAYER, Role.MODEL, Role.SIDE)
"""Who decides at the table."""

ONE_SIDE = (Role.MODEL, Role.SIDE)
"""Of these, the owners that never include both sides."""


def commands_of(role: Role) -> list[str]:
    """The actions of the games that have this kind of owner."""
    return [command for command, owner in OWNERS.items() if owner.role is role]
