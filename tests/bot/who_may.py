"""The permission matrix, as the actions declare it: `bot.table.owners`.

To write the readers' page anew:
    python -m tests.bot.who_may
"""

from __future__ import annotations

from bot.actions import ACTIONS
from bot.app import ALL_GAMES
from bot.table.handlers import system_of
from bot.table.owners import Role, permissions
from tests.source import ROOT

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


PAGE = ROOT / "docs" / "permissions.md"

HEAD = """# Who decides what

`python -m tests.bot.who_may` writes this page from the declarations in the code. Buttons and forms follow the
same rules as commands. An action without a command is listed under the name of its button. The organiser can
decide for others by giving a reason that everyone can read. With the setting `entered by: any player`, any
player can decide for others too. This setting doesn't apply to secrets, which stay with each side's own
players.
"""


def page() -> str:
    """The page for readers: for each game, who decides which commands."""
    whole = HEAD
    for key, name in {"": "In every game", **{game.key: game.name for game in ALL_GAMES}}.items():
        deciders: dict[str, list[str]] = {}
        for command, owner in permissions().items():
            kind = ACTIONS[command]
            called = f"`/{kind.typed}`" if kind.typed else kind.titled
            if called and kind.__module__.startswith("bot.") and system_of(kind.__module__) == key:
                deciders.setdefault(owner.note or owner.role.value, []).append(called)
        rows = [f"| {who} | {', '.join(sorted(commands))} |" for who, commands in sorted(deciders.items())]
        whole += "\n".join(("", f"## {name}", "", "| who decides | what |", "|---|---|", *rows, ""))
    return whole


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
