"""A game on the board as a short film, and a picture of each turn: read from the journal, as all saw it."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from bot.actions import Action
from bot.replies.board_picture import LIGHT, MARGIN, BoardDrawing, held_colours, painted, picture
from bot.replies.drawing import letters
from bot.replies.pillow import Image, ImageChops, ImageDraw
from bot.replies.reply import Attachment, Button, Reply
from bot.store.book import Book, Mismatch, apply, from_json
from bot.store.journal import Entry
from bot.store.rows import EncounterRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.board.showing import drawing, in_words
from bot.table.board.surface import has_board
from bot.table.encounter import Encounter
from bot.table.game import FOLLOW_UPS
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE
from rules.refusals import InvalidInput
from rules.wording import times

MAX_BYTES = 480_000
MAX_STAGES_BY_SIDE = {520: 24, 400: 45, 320: 80}
"""Dots of a film's longer side, each with the most stages for which it is taken."""
CLEAR = 255
"""The number of no colour in a film."""
TITLE_HEIGHT = 34
FRAMES_BETWEEN = 2
"""Frames in which a model is on its way."""
STANDS_MS, GOES_MS = 900, 110
NO_FILM_TEXT = "No model has moved on a board in this channel's game yet."


@dataclass(frozen=True, slots=True)
class Stage:
    """The board after an entry. seq: of the entry; turn: 0 before the first; title: of what was done."""

    seq: int
    turn: int
    title: str
    drawn: BoardDrawing

    @property
    def words(self) -> str:
        """Return its turn and its title."""
        return f"Turn {self.turn}: {self.title}" if self.turn else self.title


def list_stages(scope: int, entries: Sequence[Entry], undone: Container[int] = ()) -> Iterator[Stage]:
    """Yield the board after each step that stands and that changed what anybody sees of it."""
    before: BoardDrawing | None = None
    for entry, encounter in _list_games_after_entries(scope, entries):
        if entry.kind != "do" or entry.seq in undone or not has_board(encounter):
            continue
        drawn = drawing(encounter)
        seen = replace(drawn, pieces=[replace(piece, acts=False, note="") for piece in drawn.pieces])
        if seen != before and drawn.pieces:
            before = seen
            yield Stage(entry.seq, encounter.row.turn, entry.title, drawn)


def _list_games_after_entries(scope: int, entries: Sequence[Entry]) -> Iterator[tuple[Entry, Encounter]]:
    """Yield every entry with the game as it was after it."""
    rows: Any = {}
    for entry in entries:
        try:
            rows = apply(rows, from_json(entry.changes_written(), rows))
        except Mismatch:
            return
        if rows.get(EncounterRow.table):
            yield entry, Encounter(Book(scope, rows))


def board_after(scope: int, entries: Sequence[Entry], seq: int) -> Attachment | None:
    """Return a picture of the board as it was after an entry, with its words; None without a board."""
    for entry, encounter in _list_games_after_entries(scope, entries[:seq]):
        if entry.seq == seq and has_board(encounter):
            shown = picture(drawing(encounter), in_words(encounter), name="then.png")
            return replace(shown, data=shown.content, draws=None)
    return None


def list_turn_ends(found: Sequence[Stage]) -> list[Stage]:
    """Return the last stage of each turn."""
    last = {stage.turn: stage for stage in found if stage.turn}
    return [last[turn] for turn in sorted(last)]


def draw_still(stage: Stage, side: int = 420) -> bytes:
    """Return a small picture of a stage."""
    stream = io.BytesIO()
    _reduce_colours(painted(stage.drawn, LIGHT, side)).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def make_film(found: Sequence[Stage]) -> bytes:
    """Return the stages as a moving picture: smaller with many of them, and some left out of too many."""
    kept_stages = found
    while True:
        side = next((side for side, most in MAX_STAGES_BY_SIDE.items() if len(kept_stages) <= most), 0)
        data = _animate(kept_stages, side) if side else b""
        if data and (len(data) <= MAX_BYTES or len(kept_stages) < 3):
            return data
        kept_stages = [*kept_stages[:-1][::2], kept_stages[-1]]


def _animate(kept: Sequence[Stage], side: int) -> bytes:
    images, durations = [_draw_frame(kept[0], kept[0].drawn, side)], [STANDS_MS]
    for stage, other in pairwise(kept):
        for drawn in _move_pieces(stage.drawn, other.drawn):
            images.append(_draw_frame(other, drawn, side))
            durations.append(GOES_MS)
        images.append(_draw_frame(other, other.drawn, side))
        durations.append(STANDS_MS)
    durations[-1] *= 3
    first, *others = map(_reduce_colours, images)
    changed = [_keep_changed_pixels(image, other) for image, other in pairwise((first, *others))]
    stream = io.BytesIO()
    first.save(
        stream, "GIF", save_all=True, append_images=changed, duration=durations, loop=0, optimize=False,
        disposal=1, transparency=CLEAR,
    )  # fmt: skip
    return stream.getvalue()


def _reduce_colours(image: Image.Image) -> Image.Image:
    return image.quantize(palette=held_colours(LIGHT), dither=Image.Dither.NONE)


def _keep_changed_pixels(before: Image.Image, after: Image.Image) -> Image.Image:
    """Return a frame of which what stays as it was is clear, which makes it small."""
    same = ImageChops.difference(before, after).point(lambda value: 0 if value else 255)
    image = after.copy()
    image.paste(CLEAR, mask=same.convert("L"))
    return image


def _move_pieces(one: BoardDrawing, other: BoardDrawing) -> Iterator[BoardDrawing]:
    """Yield what is seen while models go from where they stood to where they stand."""
    before = {piece.number: piece.at for piece in one.pieces}
    if all(before.get(piece.number, piece.at) == piece.at for piece in other.pieces):
        return
    for number in range(1, FRAMES_BETWEEN + 1):
        part = number / (FRAMES_BETWEEN + 1)
        pieces = []
        for piece in other.pieces:
            (x, y), (x2, y2) = before.get(piece.number, piece.at), piece.at
            pieces.append(replace(piece, at=(x + (x2 - x) * part, y + (y2 - y) * part)))
        yield replace(other, pieces=pieces, line=())


def _draw_frame(stage: Stage, drawn: BoardDrawing, side: int) -> Image.Image:
    image = painted(drawn, LIGHT, side, TITLE_HEIGHT)
    pen, font, words = ImageDraw.Draw(image), letters(16), stage.words
    while pen.textlength(words, font=font) > image.width - 2 * MARGIN * 10 and len(words) > 4:
        words = f"{words[:-4]}…"
    at = (image.width / 2, image.height - TITLE_HEIGHT / 2 - 2)
    pen.text(at, words, fill=LIGHT.ink, font=font, anchor="mm")
    return image


# ------------------------------------------------------------------------------------ asked for


@dataclass(frozen=True, slots=True)
class ShowFilm(Action):
    """Watch this channel's game on the board as a short film (visible only to you)."""

    command = "board.film"
    typed = "board film"
    titled = "Film"
    decision_of = ANYONE


async def _load_film(store: Store, actor: Actor, action: ShowFilm) -> tuple[bytes, int]:
    """Return the film and its steps, made beside the event loop; empty without a board."""
    loaded = await store.load(actor.reads)
    if loaded is None or loaded.scope.guild_id != actor.guild_id:
        return b"", 0
    entries, undone = await store.all_entries(actor.reads), await store.undone_among(actor.reads, 1)

    def made() -> tuple[bytes, int]:
        found = list(list_stages(loaded.scope.id, entries, undone))
        return (make_film(found), len(found)) if found else (b"", 0)

    return await asyncio.to_thread(made)


@handles(ShowFilm, Place.PLAYED, beforehand=_load_film)
def show_film(act: Act, action: ShowFilm) -> Reply:
    """Show the film as one file."""
    data, steps = act.extra or (b"", 0)
    if not data:
        raise InvalidInput(NO_FILM_TEXT)
    words = f"This film shows the game on the board in {times(steps, 'step')}. /replay describes each step."
    file = Attachment("film.gif", words, data)
    return Reply(("Here is the game on the board as a film.",), private=True, files=(file,))


def _list_film_buttons(encounter: Encounter) -> list[Button]:
    return [Button("Film", ShowFilm(), anytime=True)] if has_board(encounter) else []


FOLLOW_UPS[5] = _list_film_buttons
