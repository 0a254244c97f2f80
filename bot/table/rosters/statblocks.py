"""A server's custom models, and the fields that name statblocks and equipment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.replies.reply import Attachment, Blank, Button, Reply, form, say
from bot.store.rows import ProfileRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields, offering
from bot.table.asking.descriptions import group
from bot.table.asking.kinds import Asking
from bot.table.game import Equips, Game, Types, Writes, game
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import check_name, find
from bot.table.owners import ANYONE, LIBRARY
from rules.json_text import json_values
from rules.refusals import InvalidInput
from rules.wording import times

group("crew own", "Custom models on this server")

FILE_FORMAT = "adjutant-statblocks"
FILE_VERSION = 1
MAX_CUSTOM_MODELS = 300
MAX_IMPORTED = 100
MAX_STATBLOCK_BYTES = 500_000

EXAMPLE_HEADING = "Enter a custom model like this:"
BLOCK_FORM = form(
    "block.save",
    "Custom model",
    Blank("text", "Name, stats, weapons", longest=1800, lines=True, as_typed=True),
)


@dataclass(frozen=True, slots=True)
class Statblock:
    """A statblock that a crew can take: its name, its text for a row, its points, and a few words.

    said: the text of a typed statblock that isn't known by its name. group: the menu that lists it.
    """

    name: str
    profile: str
    points: int
    note: str = ""
    key: str = ""
    said: str = ""
    group: str = ""


def _statblock_field(hint: str, **extra: Any) -> Any:
    return fields.among(hint, _list_custom_models, lambda row: row.name, what="statblock", **extra)


def _list_custom_models(context: Asking) -> Sequence[ProfileRow]:
    rows = context.act.book.all(ProfileRow) if context.act.extra is None else context.act.extra
    return filter_by_game(rows, getattr(context.act.action, "system", ""))


def game_field() -> Any:
    """Return a field for a game that can have custom models."""
    return fields.system(fits=lambda played: isinstance(played, Writes))


@dataclass(frozen=True, slots=True)
class SaveBlock(Action):
    """Add a custom model to this server.

    name: where the text has none, or another one.
    """

    command = "block.save"
    typed = "crew own save"
    titled = "Add a custom model"
    decision_of = LIBRARY

    text: str = fields.text("Stats and weapons (leave blank to see an example)", None, notation=True)
    name: str = fields.text("Name (if it isn't in the text)", None)
    system: str = game_field()


@dataclass(frozen=True, slots=True)
class DropBlock(Action):
    """Delete one of your custom models."""

    command = "block.drop"
    typed = "crew own drop"
    titled = "Delete a custom model"
    decision_of = LIBRARY

    name: ProfileRow = _statblock_field("Custom model to delete", needed=True)
    system: str = game_field()


@dataclass(frozen=True, slots=True)
class ListBlocks(Action):
    """Show the custom models, or the text of one (visible only to you)."""

    command = "block.list"
    typed = "crew own list"
    titled = "Custom models"
    decision_of = ANYONE

    name: ProfileRow | None = _statblock_field("Custom model whose text you want to see")
    system: str = game_field()


@dataclass(frozen=True, slots=True)
class ExportBlocks(Action):
    """Get all custom models as a file."""

    command = "block.export"
    typed = "crew own export"
    titled = "Export custom models"
    decision_of = ANYONE

    system: str = game_field()


@dataclass(frozen=True, slots=True)
class ImportBlocks(Action):
    """Add custom models from a file.

    Those of a known name are replaced.
    """

    command = "block.import"
    typed = "crew own import"
    titled = "Import custom models"
    decision_of = LIBRARY

    text: str = fields.attached(
        "JSON file of custom models",
        MAX_STATBLOCK_BYTES,
        what="A file of custom models",
        called="file",
        needed=True,
    )


# ------------------------------------------------------------------------------------ what is kept


async def load_custom_models(store: Store, actor: Actor, action: Action) -> list[ProfileRow]:
    """Return the server's custom models, of all games."""
    return await load_library_rows(store, actor)


async def load_library_rows(store: Store, actor: Actor) -> list[ProfileRow]:
    """Return everything that a server keeps for itself: statblocks of all games, and layouts of tables."""
    scope = await store.library_scope(actor.guild_id)
    loaded = await store.load(scope) if scope else None
    return loaded.book().all(ProfileRow) if loaded else []


def filter_by_game(rows: Iterable[ProfileRow], system: str) -> list[ProfileRow]:
    """Return the rows with this key: that of a game, or `board` for layouts."""
    return [row for row in rows if row.system == system]


def list_statblocks(played_game: Game, rows: Iterable[ProfileRow]) -> list[Statblock]:
    """Return all statblocks that crews of a game can take: the printed ones, then the server's own."""
    printed_blocks = [
        Statblock(recruit.name, "", recruit.points, recruit.note, recruit.key, group=recruit.group)
        for recruit in played_game.recruits()
    ]
    return printed_blocks + [
        Statblock(row.name, row.text, row.points, "custom model", group="custom")
        for row in filter_by_game(rows, played_game.key)
    ]


def find_statblock(played_game: Game, rows: Iterable[ProfileRow], text: str, name: str = "") -> Statblock:
    """Return the statblock that is meant: typed, printed, or kept here. Raises InvalidInput."""
    typed = played_game.typed(text, name) if isinstance(played_game, Types) else None
    if typed is not None:
        return Statblock(*typed, said=text)
    statblock = find(text, list_statblocks(played_game, rows), lambda block: block.name, "statblock")
    if statblock.key:
        return Statblock(
            statblock.name,
            played_game.profile(statblock.key),
            statblock.points,
            statblock.note,
            statblock.key,
        )
    return statblock


def require_writer(system: str) -> Writes:
    """Return the game if it can have custom models. Raises InvalidInput."""
    played_game = game(system)
    if not isinstance(played_game, Writes):
        raise InvalidInput(f"You can't make custom models for {played_game.name}.")
    return played_game


def _store_statblock(act: Act, system: str, name: str, text: str, points: int) -> str:
    """Store a statblock under its name, and return a word for what was done.

    Raises InvalidInput, NotAllowed.
    """
    folded_name = name.casefold()
    if any(recruit.name.casefold() == folded_name for recruit in game(system).recruits()):
        raise InvalidInput(f"Choose another name; {name} is a model from the rulebook.")
    rows = filter_by_game(act.book.all(ProfileRow), system)
    existing_row = next((row for row in rows if row.name.casefold() == folded_name), None)
    if existing_row is None:
        if len(rows) >= MAX_CUSTOM_MODELS:
            raise InvalidInput(
                f"Delete a custom model first; each game can have at most {MAX_CUSTOM_MODELS} of them."
            )
        number = act.book.next_id(ProfileRow)
        act.book.add(ProfileRow(act.book.scope, number, system, name, text, points, act.actor.user_id))
        return "kept"
    if existing_row.author_id != act.actor.user_id and not act.actor.manages:
        raise NotAllowed(f"Choose another name; someone else made a model called {existing_row.name}.")
    existing_row.text, existing_row.points, existing_row.name = text, points, name
    return "replaced"


# ------------------------------------------------------------------------------------ handled


@handles(SaveBlock, Place.LIBRARY)
def save_custom_model(act: Act, action: SaveBlock) -> Reply:
    """Save a statblock for all channels of the server."""
    played_game = require_writer(action.system)
    given_name = check_name(action.name) if action.name else ""
    typed = played_game.typed(action.text, given_name)
    if typed is None:
        heading = "That isn't a statblock. Enter one like this:" if action.text.strip() else EXAMPLE_HEADING
        form_button = Button(
            "Enter the stats...", replace(action, text=""), "main", anytime=True, form=BLOCK_FORM
        )
        example = ("```", *played_game.block_example().splitlines(), "```")
        return Reply((heading, *example), private=True, buttons=(form_button,))
    name, text, points = typed
    outcome = _store_statblock(act, action.system, check_name(name), text, points)
    return Reply(
        (
            f"{name} has been {'saved' if outcome == 'kept' else 'updated'} ({times(points, 'point')}).",
            *played_game.block_lines(text),
        ),
        buttons=(UNDO,),
    )


@handles(DropBlock, Place.LIBRARY)
def delete_custom_model(act: Act, action: DropBlock) -> Reply:
    """Delete a statblock, by its author or a channel manager; crews that have it keep theirs."""
    row = action.name
    if row.author_id != act.actor.user_id and not act.actor.manages:
        raise NotAllowed(f"Only the person who made {row.name} or a channel manager can delete it.")
    act.book.remove(row)
    return Reply((f"{row.name} has been deleted.",), buttons=(UNDO,))


@handles(ListBlocks, Place.NOWHERE, beforehand=load_custom_models)
def show_custom_models(act: Act, action: ListBlocks) -> Reply:
    """Show the person the names, or one as text that can be typed again."""
    played_game = require_writer(action.system)
    rows, row = filter_by_game(act.extra, action.system), action.name
    if row is not None:
        text_lines = played_game.block_text(row.text).splitlines()
        heading = f"{row.name}: {times(row.points, 'point')}"
        lines = (heading, *played_game.block_lines(row.text), "```", *text_lines, "```")
        return Reply(lines, private=True)
    if not rows:
        return say("There are no custom models here yet.", "Add one with /crew own save.", private=True)
    heading = f"Custom models for {game(action.system).name}: {len(rows)}"
    return Reply((heading, *(f"{row.points:>3} {row.name}" for row in rows)), private=True)


@handles(ExportBlocks, Place.NOWHERE, beforehand=load_custom_models)
def export_custom_models(act: Act, action: ExportBlocks) -> Reply:
    """Return JSON that can be imported elsewhere."""
    played_game = require_writer(action.system)
    rows = filter_by_game(act.extra, action.system)
    if not rows:
        raise InvalidInput("There are no custom models here yet. Add one with /crew own save.")
    document = {
        "format": FILE_FORMAT,
        "version": FILE_VERSION,
        "game": action.system,
        "statblocks": [played_game.block_values(row.text) for row in rows],
    }
    data = json.dumps(document, ensure_ascii=False, indent=1).encode()
    count = times(len(rows), "custom model")
    words = f"{count} for {game(action.system).name} as JSON."
    file = Attachment(f"{action.system}-statblocks.json", words, data)
    return Reply((words, "Use /crew own import to import the file."), private=True, files=(file,))


@handles(ImportBlocks, Place.LIBRARY)
def import_custom_models(act: Act, action: ImportBlocks) -> Reply:
    """Import all of them, or none if one is wrong."""
    system, blocks = _read_file(action.text)
    played_game = require_writer(system)
    results = []
    for place, values in enumerate(blocks, 1):
        try:
            name, text, points = played_game.from_block_values(values)
            results.append(_store_statblock(act, system, check_name(name), text, points))
        except InvalidInput as refusal:
            raise InvalidInput(f"Custom model {place}: {refusal.sentence}") from None
    return Reply(
        (f"Custom models added: {results.count('kept')}. Updated: {results.count('replaced')}.",),
        buttons=(UNDO,),
    )


def _read_file(text: str) -> tuple[str, list[dict[str, object]]]:
    if len(text.encode(errors="replace")) > MAX_STATBLOCK_BYTES:
        raise InvalidInput(f"Choose a smaller file; it can be at most {MAX_STATBLOCK_BYTES // 1000} kB.")
    try:
        document = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("Correct the JSON; check quotes, commas and braces.") from None
    known_keys = {"format", "version", "game", "statblocks"}
    if not isinstance(document, dict) or set(document) != known_keys or document["format"] != FILE_FORMAT:
        raise InvalidInput(
            f"The file must have exactly these keys: {', '.join(sorted(known_keys))}. "
            f'The value of "format" must be "{FILE_FORMAT}".'
        )
    if type(document["version"]) is not int or document["version"] != FILE_VERSION:
        raise InvalidInput(
            f"Export the custom models again; only version {FILE_VERSION} of the file can be read."
        )
    blocks = document["statblocks"]
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise InvalidInput('Correct the JSON; the value of "statblocks" must be a list of objects.')
    if not 1 <= len(blocks) <= MAX_IMPORTED:
        raise InvalidInput(f"The file must have 1 to {MAX_IMPORTED} custom models (it has {len(blocks)}).")
    return str(document["game"]), blocks


FindGame = Callable[[Asking], Game]
"""The game whose roster is meant. Raises InvalidInput where none is."""


def statblock(
    hint: str, played: FindGame, own_rows: Callable[[Asking], Iterable[ProfileRow]], **extra: Any
) -> Any:
    """Return a statblock by its name, or typed: printed ones, then those that the server keeps.

    A typed one without a name has that which the action's `called` says.
    """

    def names(context: Asking) -> Sequence[str]:
        return [statblock.name for statblock in list_statblocks(played(context), own_rows(context))]

    def find(context: Asking, text: str) -> Statblock:
        name = getattr(context.act.action, "called", "")
        return find_statblock(played(context), own_rows(context), text, check_name(name) if name else "")

    return fields.sought(
        hint, names, find, written=lambda block: block.said or block.name, needed=True, **extra
    )


def piece(hint: str, played: FindGame) -> Any:
    """Return a piece of equipment, by its name."""
    return fields.among(
        hint, lambda context: _list_equipment(played(context)), what="piece of equipment", needed=True
    )


def pieces(hint: str, played: FindGame, *, needed: bool = False) -> Any:
    """Declare pieces of equipment with commas between them: a tuple of their names."""

    def names(context: Asking) -> Sequence[str]:
        game = played(context)
        return game.equipment() if isinstance(game, Equips) else ()

    def find_it(context: Asking, text: str) -> str:
        return find(text, _list_equipment(played(context)), str, "piece of equipment")

    return fields.several(hint, offering.completing(names), find_it, wire=str, any_order=0, needed=needed)


def _list_equipment(played_game: Game) -> Sequence[str]:
    if not isinstance(played_game, Equips):
        raise InvalidInput(f"You can't add equipment to {played_game.name} models.")
    return played_game.equipment()
