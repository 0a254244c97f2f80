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
from bot.table.names import make_harmless
from bot.table.offers.command_line import (
    MAX_LINE_LENGTH,
    Unsaid,
    complete_line,
    compute_chances,
    read_line,
)
from bot.table.offers.legal_actions import Looking
from bot.table.scoping import NO_ENCOUNTER, Scopes
from bot.table.session.possible_actions import (
    WhatNow,
    find_acting,
    is_table_action,
    list_kinds,
    list_kinds_now,
)
from rules.refusals import Forbidden, InvalidInput

MAX_UNTYPED_LINES = 12
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
        await _run_line(interaction, line)

    set_reach(do)


async def _run_line(interaction: It, line: str) -> None:
    action_kind = kind_outside_games(line)
    if action_kind is not None:
        button = press_for(action_kind())
        reply = say(
            f"{described(action_kind)}.", private=True, buttons=[button] if button is not None else []
        )
        await send(interaction, reply)
        return
    act = await _load_game(interaction)
    if act is None:
        games_elsewhere = await Scopes(host_of(interaction).desk.store).list_games_elsewhere(
            actor_of(interaction)
        )
        await send(interaction, say(NO_ENCOUNTER, *games_elsewhere, private=True))
        return
    try:
        looking = Looking(act.book, act.actor)
        action = read_line(looking, line, list_kinds(act.encounter), find_acting(act)).as_typed_action()
    except Unsaid as incomplete:
        await open_form(interaction, Tag(incomplete.action, act.book.scope, part=ASK))
        return
    except (InvalidInput, Forbidden) as refusal:
        await send(interaction, say(make_harmless(refusal.sentence), private=True))
        return
    await asked_in_a_line(interaction, action)


async def _suggest(interaction: It, typed: str) -> list[app_commands.Choice[str]]:
    matching_paths = [
        path for path in paths_outside_games() if typed.strip() and path.startswith(typed.strip().lower())
    ]
    act = None
    with guard_errors(log, "suggesting", "could not suggest anything"):
        act = await _load_game(interaction, briefly=True)
    if act is None:
        return [app_commands.Choice(name=path, value=path) for path in matching_paths[:MAX_CHOICES]]
    lines = suggested_lines(Looking(act.book, act.actor), act.encounter, typed, find_acting(act))
    choices = [
        app_commands.Choice(name=_line_with_chances(line, odds), value=line) for line, odds in lines.items()
    ]
    return [*choices, *(app_commands.Choice(name=path, value=path) for path in matching_paths)][:MAX_CHOICES]


@cache
def paths_outside_games() -> Sequence[str]:
    """Return the words of all commands that are no action of a game at the table."""
    return [path for path, kind in sorted(typed_kinds().items()) if not is_table_action(kind)]


def kind_outside_games(line: str) -> type[Action] | None:
    """Return the action of such a command that a line begins with, if any: a form asks the rest."""
    words = line.lower().split()
    paths = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((typed_kinds()[path] for path in paths if path in paths_outside_games()), None)


def suggested_lines(looking: Looking, encounter: Encounter, typed: str, typist: str) -> dict[str, str]:
    """Return the lines that the typed text may become, likeliest first, with the chances of some.

    Every line is tried on the table: where nothing is typed there are fewer, and no chances.
    """
    lines, limit = dict[str, None](), MAX_CHOICES if typed.strip() else MAX_UNTYPED_LINES
    kinds = list_kinds(encounter) if typed.strip() else list_kinds_now(encounter, looking)
    for line in complete_line(looking, typed, kinds, typist):
        if len(line) <= MAX_LINE_LENGTH:
            lines[line] = None
        if len(lines) == limit:
            break
    chances_by_line = compute_chances(looking, tuple(lines), kinds, typist) if typed.strip() else {}
    return {line: chances_by_line.get(line, "") for line in lines}


def _line_with_chances(line: str, chances: str) -> str:
    full_line = f"{line}: {chances}"
    return full_line if chances and len(full_line) <= MAX_OFFER_LENGTH else line


async def _load_game(interaction: It, *, briefly: bool = False) -> Act | None:
    """Return the channel's game as the person sees it, or None if there is none."""
    try:
        act = await host_of(interaction).desk.look(actor_of(interaction), WhatNow(), briefly=briefly)
    except InvalidInput:
        return None
    return act if act is not None and act.has_encounter else None
