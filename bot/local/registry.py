"""The commands that the bot has registered, globally and for single guilds.

Owns their ids, versions and the daily number of new ones. Checks nothing else about them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from bot.local.checks.commands import check_commands
from bot.local.commands import Command, leaves
from bot.local.refusals import Refused
from bot.local.seen import Json
from bot.local.world import World

USER_MENU, MESSAGE_MENU = 2, 3
"""The type of commands in the menu of a message."""

DAY_SECONDS = 24 * 3600.0
MAX_CREATES_PER_DAY = 200

_passed: deque[Sequence[Json]] = deque(maxlen=4)
"""Lists of commands that were found good lately: every client of a process registers the same."""

Scope = int | None  # a guild's id, or None for global


class Registry:
    """What is registered now, by scope."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._stored: dict[Scope, dict[tuple[int, str], Json]] = {}
        self._created: dict[Scope, deque[float]] = {}
        self._typed: dict[Scope, dict[str, Command]] = {}

    def all(self, scope: Scope) -> list[Json]:
        """Return the definitions of one scope, as registered."""
        return list(self._stored.get(scope, {}).values())

    def find(self, scope: Scope, command_id: str) -> Json:
        """Return one definition by id; 10063 if there is none."""
        for command in self.all(scope):
            if command["id"] == command_id:
                return command
        raise Refused(404, 10063)

    def overwrite(self, scope: Scope, payloads: Sequence[Json]) -> list[Json]:
        """Replace all commands of a scope; one that keeps its name and type keeps its id."""
        _check_once(payloads)
        old_commands = self._stored.get(scope, {})
        registered = [self._completed(scope, number, old_commands.get(_key(number))) for number in payloads]
        self._count(scope, sum(1 for payload in payloads if _key(payload) not in old_commands))
        self._stored[scope] = {_key(command): command for command in registered}
        self._typed.clear()
        return registered

    def upsert(self, scope: Scope, payload: Json) -> Json:
        """Register one command, in the place of one with its name and type."""
        others = [command for command in self.all(scope) if _key(command) != _key(payload)]
        return self.overwrite(scope, [*others, payload])[-1]

    def delete(self, scope: Scope, command_id: str) -> None:
        """Remove one command."""
        deleted = self.find(scope, command_id)
        del self._stored[scope][_key(deleted)]
        self._typed.clear()

    def typed(self, scope: Scope) -> dict[str, Command]:
        """Return what can be typed in a guild (None: in direct messages), by path; the guild's own first."""
        if scope not in self._typed:
            merged = dict(self._stored.get(None, {}))
            if scope is not None:
                merged.update(self._stored.get(scope, {}))
            self._typed[scope] = {leave.path: leave for leave in leaves(merged.values())}
        return self._typed[scope]

    def menu(self, scope: Scope, kind: int, name: str) -> Json | None:
        """Return the command of that name in the menu of people or messages, or None."""
        by_key = {**self._stored.get(None, {}), **self._stored.get(scope, {})}
        return by_key.get((kind, name))

    def _completed(self, scope: Scope, payload: Json, old: Json | None) -> Json:
        given_fields = {key: value for key, value in payload.items() if value is not None}
        completed: Json = {
            "type": 1,
            "description": "",
            "default_member_permissions": None,
            "name_localizations": None,
            "description_localizations": None,
            "nsfw": False,
            "contexts": None,
            "integration_types": [0],
            **given_fields,
            "id": old["id"] if old else str(self._world.ids.next()),
            "application_id": str(self._world.bot.id),
        }
        if completed["default_member_permissions"] is not None:
            completed["default_member_permissions"] = str(completed["default_member_permissions"])
        if scope is not None:
            completed["guild_id"] = str(scope)
        else:
            completed.setdefault("dm_permission", True)
        is_same = old is not None and {**completed, "version": old["version"]} == old
        completed["version"] = old["version"] if old and is_same else str(self._world.ids.next())
        return completed

    def _count(self, scope: Scope, created: int) -> None:
        moments = self._created.setdefault(scope, deque())
        now_seconds = self._world.clock.now()
        while moments and now_seconds - moments[0] > DAY_SECONDS:
            moments.popleft()
        if len(moments) + created > MAX_CREATES_PER_DAY:
            raise Refused(429, 30034, extra={"retry_after": DAY_SECONDS, "global": False})
        moments.extend([now_seconds] * created)


def _check_once(payloads: Sequence[Json]) -> None:
    """Refuse what Discord refuses; the very list that passed just now is not looked through again."""
    if not any(checked is payloads for checked in _passed):
        check_commands(payloads)
        _passed.append(payloads)


def _key(command: Json) -> tuple[int, str]:
    return command.get("type") or 1, command["name"]
