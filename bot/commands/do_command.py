"""`/do`: one line for any action of the game. A door and no action: it asks what the line says."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache

import discord
from discord import app_commands

from bot.actions import Action
from bot.commands.typed import set_reach
from bot.error_guard import guard_errors
from bot.ids import Tag
from bot.panels.answer import actor_of, host_of, send
from bot.panels.asking import asked_in_a_line, open_form
from bot.panels.named import press_for
from bot.panels.tapping import typed_kinds
from bot.replies.fit import ASK
from bot.replies.reply import say
from bot.table.act import Act
from bot.table.asking.descriptions import described
from bot.table.asking.kinds import MAX_CHOICES, MAX_OFFER_LENGTH
from bot.table.encounter import Encounter
from bot.table.names import harmless
from bot.table.offers.command_line import (
    MAX_LINE_LENGTH,
    Unsaid,
    chances_beside,
    completions,
    understood_line,
)
from bot.table.offers.legal_actions import Looking
from bot.table.scoping import NO_ENCOUNTER, Scopes
from bot.table.session.possible_actions import WhatNow, is_of_the_table, kinds_now, kinds_of, who_acts
from rules.refusals import Forbidden, InvalidInput

MAX_AT_FIRST = 12
"""Lines where nothing is typed."""

log = logging.getLogger(__name__)

It = discord.Interaction[discord.Client]


def add(tree: app_commands.CommandTree[discord.Client]) -> None:
    """Put the command into a tree."""

    @tree.command(
        name="do", description='Do anything by typing one line, such as "shoot trapper 7 cover:1 order"'
    )
    @app_commands.describe(line="The action, then its options in any order")
    @app_commands.autocomplete(line=_suggest)
    async def do(interaction: It, line: app_commands.Range[str, 1, MAX_LINE_LENGTH]) -> None:
        await _do(interaction, line)

    set_reach(do)


async def _do(interaction: It, line: str) -> None:
    other = other_kind(line)
    if other is not None:
        button = press_for(other())
        reply = say(f"{described(other)}.", private=True, buttons=[button] if button is not None else [])
        await send(interaction, reply)
        return
    act = await _table(interaction)
    if act is None:
        elsewhere = await Scopes(host_of(interaction).desk.store).told_elsewhere(actor_of(interaction))
        await send(interaction, say(NO_ENCOUNTER, *elsewhere, private=True))
        return
    try:
        looking = Looking(act.book, act.actor)
        action = understood_line(looking, line, kinds_of(act.encounter), who_acts(act)).as_typed_action()
    except Unsaid as little:
        await open_form(interaction, Tag(little.action, act.book.scope, part=ASK))
        return
    except (InvalidInput, Forbidden) as refusal:
        await send(interaction, say(harmless(refusal.sentence), private=True))
        return
    await asked_in_a_line(interaction, action)


async def _suggest(interaction: It, typed: str) -> list[app_commands.Choice[str]]:
    others = [path for path in other_paths() if typed.strip() and path.startswith(typed.strip().lower())]
    act = None
    with guard_errors(log, "suggesting", "could not suggest anything"):
        act = await _table(interaction, briefly=True)
    if act is None:
        return [app_commands.Choice(name=path, value=path) for path in others[:MAX_CHOICES]]
    lines = lines_of(Looking(act.book, act.actor), act.encounter, typed, who_acts(act))
    choices = [
        app_commands.Choice(name=_line_with_chances(line, odds), value=line) for line, odds in lines.items()
    ]
    return [*choices, *(app_commands.Choice(name=path, value=path) for path in others)][:MAX_CHOICES]


@cache
def other_paths() -> Sequence[str]:
    """Return the words of all commands that are no action of a game at the table."""
    return [path for path, kind in sorted(typed_kinds().items()) if not is_of_the_table(kind)]


def other_kind(line: str) -> type[Action] | None:
    """Return the action of such a command that a line begins with, if any: a form asks the rest."""
    words = line.lower().split()
    paths = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((typed_kinds()[path] for path in paths if path in other_paths()), None)


def lines_of(looking: Looking, encounter: Encounter, typed: str, typist: str) -> dict[str, str]:
    """Return the lines that the typed text may become, likeliest first, with the chances of some.

    Every line is tried on the table: where nothing is typed there are fewer, and no chances.
    """
    lines, limit = dict[str, None](), MAX_CHOICES if typed.strip() else MAX_AT_FIRST
    kinds = kinds_of(encounter) if typed.strip() else kinds_now(encounter, looking)
    for line in completions(looking, typed, kinds, typist):
        if len(line) <= MAX_LINE_LENGTH:
            lines[line] = None
        if len(lines) == limit:
            break
    chances_by_line = chances_beside(looking, tuple(lines), kinds, typist) if typed.strip() else {}
    return {line: chances_by_line.get(line, "") for line in lines}


def _line_with_chances(line: str, chances: str) -> str:
    full_line = f"{line}: {chances}"
    return full_line if chances and len(full_line) <= MAX_OFFER_LENGTH else line


async def _table(interaction: It, *, briefly: bool = False) -> Act | None:
    """The game that runs in the channel, as the person sees it; None where none does."""
    try:
        act = await host_of(interaction).desk.look(actor_of(interaction), WhatNow(), briefly=briefly)
    except InvalidInput:
        return None
    return act if act is not None and act.has_encounter else None
