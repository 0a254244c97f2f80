"""The registered slash commands as people type them: which there are, and whether what was typed may be sent.

Owns the step from typed values to an interaction's `data`, with every refusal that Discord's own client makes
before sending. Knows only the registered definitions (Discord's JSON): nothing of the bot's code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.local.seen import Json, Suggestion

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = 3, 4, 5, 6, 7, 8, 9, 10, 11
_SUB_COMMAND, _GROUP = 1, 2
LARGEST_INTEGER = 2**53

KIND_NAMES = {
    STRING: "text",
    INTEGER: "a whole number",
    BOOLEAN: "true or false",
    USER: "a person",
    CHANNEL: "a channel",
    ROLE: "a role",
    MENTIONABLE: "a person or a role",
    NUMBER: "a number",
    ATTACHMENT: "a file",
}


class ClientRefusal(Exception):
    """Discord's client would not have sent this; the text is a sentence for the person."""


@dataclass(frozen=True, slots=True)
class CommandOption:
    """One option of a command; `kind` is Discord's option type (3 text ... 11 file)."""

    name: str
    description: str
    kind: int
    required: bool
    choices: tuple[Suggestion, ...] = ()
    autocomplete: bool = False
    min_value: float | None = None
    max_value: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    channel_types: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that can be typed: `path` is "bag draw", without the slash; node: where it is defined."""

    path: str
    description: str
    id: int
    guild_id: int | None
    definition: Json
    node: Mapping[str, Any]

    @property
    def options(self) -> tuple[CommandOption, ...]:
        """Return its options, in order."""
        return tuple(_option(node) for node in self.node.get("options") or ())

    def option(self, name: str) -> CommandOption:
        """Return the option of that name; ClientRefusal where there is none."""
        for option in self.options:
            if option.name == name:
                return option
        names = ", ".join(option.name for option in self.options)
        has = f"Its options: {names}." if names else "It has no options."
        raise ClientRefusal(f"/{self.path} has no option “{name}”. {has}")


def leaves(definitions: Iterable[Mapping[str, Any]]) -> Iterator[Command]:
    """Yield every command that can be typed, with sub-commands spelled out, in order."""
    for top in definitions:
        if top.get("type", 1) == 1:
            yield from _leaf_commands(top, top, top["name"])


def _leaf_commands(top: Mapping[str, Any], node: Mapping[str, Any], path: str) -> Iterator[Command]:
    options = node.get("options") or []
    if options and options[0]["type"] in (_SUB_COMMAND, _GROUP):
        for inner in options:
            yield from _leaf_commands(top, inner, f"{path} {inner['name']}")
        return
    if node.get("type") == _GROUP:
        return
    yield Command(
        path=path,
        description=node.get("description", ""),
        id=int(top["id"]),
        guild_id=int(top["guild_id"]) if top.get("guild_id") else None,
        definition=dict(top),
        node=node,
    )


def _option(raw: Mapping[str, Any]) -> CommandOption:
    return CommandOption(
        name=raw["name"],
        description=raw.get("description", ""),
        kind=int(raw["type"]),
        required=bool(raw.get("required", False)),
        choices=tuple(Suggestion(choice["name"], choice["value"]) for choice in raw.get("choices") or ()),
        autocomplete=bool(raw.get("autocomplete", False)),
        min_value=raw.get("min_value"),
        max_value=raw.get("max_value"),
        min_length=raw.get("min_length"),
        max_length=raw.get("max_length"),
        channel_types=tuple(raw.get("channel_types") or ()),
    )
