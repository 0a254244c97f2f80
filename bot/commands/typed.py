"""Slash commands, made from the declarations of the actions that they ask.

Everything is read off an action's class: its path, its description (the first line of the docstring), an
option for each field that has words beside it, with bounds, choices and suggestions. Knows no game.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import cache
from inspect import Parameter, Signature
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.actions import ACTIONS, Action, Part
from bot.error_guard import guard_errors
from bot.ids import Tag
from bot.panels.answer import actor_of, answer, host_of, send
from bot.panels.door import sent
from bot.panels.typed import as_typed, fetch, file_text
from bot.panels.widgets import FormModal
from bot.replies.fit import FORM
from bot.replies.photo import must_be_small
from bot.replies.reply import FORMS, say
from bot.store.store import Store
from bot.table.act import Actor
from bot.table.asking.descriptions import GROUPS, described, needed, options_of
from bot.table.asking.kinds import Number, Offer, Switch, TableKind
from bot.table.asking.reading import called, typed_action
from bot.table.asking.server_kinds import Attached, PersonKind, Pictured
from bot.table.suggestions import suggested
from rules.refusals import InvalidInput

log = logging.getLogger(__name__)

It: TypeAlias = discord.Interaction[discord.Client]
Choices: TypeAlias = list[app_commands.Choice[str]]
Suggest: TypeAlias = Callable[[It, str], Coroutine[Any, Any, Choices]]
Group: TypeAlias = app_commands.Group
Typed: TypeAlias = app_commands.Command[Any, Any, Any]

MAX_CHOICE_LENGTH = 100
MAX_SUBCOMMANDS = 25
"""The most commands that Discord accepts in a group."""
INSTALLABLE = ("book", "crew", "odds", "roll")
"""The first words of what people may install for themselves, and so use in direct messages and any server."""

DISCORD_OBJECTS = (discord.Attachment, discord.User, discord.Member)
"""Types of options that Discord sends as objects."""


def set_reach(command: Typed | Group | app_commands.ContextMenu, *, installable: bool = False) -> None:
    """Make a command usable in the bot's servers, or everywhere if people can carry it along."""
    command.allowed_contexts = app_commands.AppCommandContext(
        guild=True, dm_channel=installable, private_channel=installable
    )
    command.allowed_installs = app_commands.AppInstallationType(guild=True, user=installable)


def add_typed(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands of all declared actions into the tree."""
    for command in _build_commands(tuple(kind for kind in ACTIONS.values() if kind.typed)):
        tree.add_command(command)


@cache
def _build_commands(kinds: tuple[type[Action], ...]) -> tuple[Typed | Group, ...]:
    """Return the commands of these actions, below their groups; all clients of a process share them."""
    commands: dict[str, Typed | Group] = {}
    for kind in kinds:
        *path, name = kind.typed.split()
        parent = _get_group(" ".join(path), commands) if path else None
        if parent is not None:
            _require_room(parent, kind.typed)
        command = _build_command(kind, name, parent)
        if parent is None:
            commands[name] = command
        else:
            parent.add_command(command)
    return tuple(command for path, command in commands.items() if " " not in path)


def _get_group(path: str, commands: dict[str, Typed | Group]) -> Group:
    existing = commands.get(path)
    if isinstance(existing, Group):
        return existing
    *parents, name = path.split()
    if parents:
        parent = _get_group(" ".join(parents), commands)
        _require_room(parent, path)
        group = Group(name=name, description=GROUPS[path], parent=parent, auto_locale_strings=False)
    else:
        group = Group(name=name, description=GROUPS[path], auto_locale_strings=False)
        set_reach(group, installable=name in INSTALLABLE)
    commands[path] = group
    return group


def _require_room(parent: Group, path: str) -> None:
    """Raise ValueError if a group already has as many commands as Discord accepts."""
    if len(parent.commands) >= MAX_SUBCOMMANDS:
        raise ValueError(
            f"no room for /{path}; /{parent.qualified_name} already has {MAX_SUBCOMMANDS} commands"
        )


def _build_command(kind: type[Action], name: str, parent: Group | None) -> Typed:
    options = options_of(kind)

    async def ask(interaction: It, **values_given: Any) -> None:
        await _ask_action(
            interaction, kind, {option.name: values_given.get(called(option)) for option in options}
        )

    ask.__signature__ = _signature(options)  # type: ignore[attr-defined]
    ask.__name__ = name
    if options:
        app_commands.describe(**{called(option): option.kind.help for option in options})(ask)
    choices, autocompleters = _choices_by_option(options), _autocompleters(kind, options)
    if choices:
        app_commands.choices(**choices)(ask)
    if autocompleters:
        app_commands.autocomplete(**autocompleters)(ask)
    callback: Any = ask
    command: Typed = app_commands.Command(
        name=name,
        description=described(kind),
        callback=callback,
        parent=parent,
        auto_locale_strings=False,
        extras=_notations(options),
    )
    if parent is None:
        set_reach(command, installable=name in INSTALLABLE)
    return command


def _notations(options: Iterable[Part]) -> dict[str, Any]:
    notations = (option for option in options if isinstance(option.kind, TableKind) and option.kind.notation)
    return as_typed(*(called(part) for part in notations))


def _choices_by_option(options: Iterable[Part]) -> dict[str, Any]:
    return {
        called(option): [
            app_commands.Choice(name=offer.label, value=str(offer.value)) for offer in option.kind.listed()
        ]
        for option in options
        if isinstance(option.kind, TableKind) and option.kind.listed() and not option.kind.suggests
    }


def _autocompleters(kind: type[Action], options: Iterable[Part]) -> dict[str, Any]:
    """Return the suggesting function of each option that is suggested while it is typed."""
    return {
        called(option): _make_suggester(kind, option)
        for option in options
        if isinstance(option.kind, TableKind) and option.kind.suggests
    }


def _signature(options: Iterable[Part]) -> Signature:
    parameters = [
        Parameter(
            called(option),
            Parameter.POSITIONAL_OR_KEYWORD,
            annotation=_annotation(option),
            default=Parameter.empty if needed(option) else None,
        )
        for option in options
    ]
    return Signature([Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=It), *parameters])


def _annotation(part: Part) -> Any:
    kind = part.kind
    if isinstance(kind, Attached):
        annotation: Any = discord.Attachment
    elif isinstance(kind, PersonKind):
        annotation = discord.User
    elif isinstance(kind, Switch):
        annotation = bool
    elif part.wire in (int, float) and isinstance(kind, TableKind) and kind.least is not None:
        annotation = app_commands.Range[part.wire, kind.least, kind.most]
    elif part.wire in (int, float) and isinstance(kind, Number):
        annotation = part.wire
    elif isinstance(kind, TableKind) and part.wire is str and kind.most is not None:
        annotation = app_commands.Range[str, 1, int(kind.most)]
    else:
        annotation = str
    return annotation if needed(part) else annotation | None


async def _ask_action(interaction: It, kind: type[Action], values_given: Mapping[str, Any]) -> None:
    """Ask what was typed, or say to the person alone why it cannot be asked."""
    if kind.opens and all(value is None for value in values_given.values()):
        modal = FormModal(FORMS[kind.opens], Tag(kind(), 0, part=FORM + kind.opens))
        await sent(lambda: interaction.response.send_modal(modal))
        return
    try:
        store, actor = host_of(interaction).desk.store, actor_of(interaction)
        values = dict(values_given)
        for part in options_of(kind):
            if isinstance(values_given[part.name], DISCORD_OBJECTS):
                values[part.name] = await _plain_value(part, values_given[part.name], store, actor)
        action = await typed_action(store, actor, kind, values)
    except InvalidInput as refusal:
        await send(interaction, say(*refusal.sentence.split("\n"), private=True))
        return
    await answer(interaction, action)


async def _plain_value(part: Part, value: Any, store: Store, actor: Actor) -> Any:
    if isinstance(value, discord.Attachment) and isinstance(part.kind, Pictured):
        must_be_small(value.size)
        return await part.kind.kept_of(store, actor, await fetch(value))
    if isinstance(value, discord.Attachment) and isinstance(part.kind, Attached):
        return await file_text(value, part.kind)
    return value.id


def _make_suggester(kind: type[Action], part: Part) -> Suggest:
    async def suggest(interaction: It, typed: str) -> Choices:
        typed_values = {
            option.name: getattr(interaction.namespace, called(option), None)
            for option in options_of(kind)
            if option.name != part.name
        }
        desk = host_of(interaction).desk
        offers: Sequence[Offer] = ()
        with guard_errors(log, "suggesting", "could not suggest anything"):
            offers = await suggested(desk, actor_of(interaction), kind, part.name, typed, typed_values)
        return [
            app_commands.Choice(
                name=offer.label[:MAX_CHOICE_LENGTH], value=str(offer.value)[:MAX_CHOICE_LENGTH]
            )
            for offer in offers
        ]

    return suggest
