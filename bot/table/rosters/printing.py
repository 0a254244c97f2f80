"""A crew's battle sheet: to print, to look at, to be read aloud, and as data.

The game declares the contents of a card in `SHEET_MAKERS`, and the crew knows what happened to its members.
This module knows no rules.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from bot.replies.reply import Attachment, Button, Reply
from bot.replies.sheets.layout import PAPERS, Mark, TextAt, lay_out, lay_out_cards
from bot.replies.sheets.paint import pdf, picture
from bot.replies.sheets.sheet import Card, Sheet, as_csv, as_json, as_text
from bot.store.rows import CrewRow, MemberRow, ProfileRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields
from bot.table.game import Game, Types, game
from bot.table.handlers import Place, handles
from bot.table.names import base_name
from bot.table.owners import ANYONE
from bot.table.rosters.crew_state import Standing, as_of, standing
from bot.table.rosters.crews import OfAnyCrew, counted, list_is_secret, may_read, outfit_of, printed
from bot.table.rosters.statblocks import Statblock, list_statblocks
from rules.refusals import Forbidden, InvalidInput, Missing

PRINT_FORM, CARDS_FORM, TEXT, JSON, CSV = "print", "cards", "text", "json", "csv"
SHEET_FORMS = (PRINT_FORM, CARDS_FORM, TEXT, JSON, CSV)
A4, LETTER = PAPERS
MAX_PICTURES = 9
"""Pages that are shown beside the PDF, which has all: a message takes ten files."""


class SheetMaker(Protocol):
    """A game's battle sheet. head: what the columns of its weapons are called, the name first, notes last."""

    head: tuple[str, ...]

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Return what is said of the whole crew."""
        ...

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """Return a member as its statblock stands; its name, points and what became of it are added."""
        ...

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """Return what the rules of the members say, each under its name, once."""
        ...


SHEET_MAKERS: dict[str, SheetMaker] = {}
"""The sheets of games, by the game's key."""


def make_card(crew: CrewRow, member: MemberRow) -> Card:
    """Return a member's card as its game prints it; without a sheet, name and points."""
    sheet_maker = SHEET_MAKERS.get(crew.system)
    return (
        sheet_maker.card(crew, member)
        if sheet_maker is not None
        else Card(member.name, member.points, "", ())
    )


@dataclass(frozen=True, slots=True)
class PrintCrew(OfAnyCrew):
    """Get a crew's battle sheet (visible only to you)."""

    command = "crew.sheet"
    typed = "crew sheet"
    titled = "Battle sheet"
    decision_of = ANYONE

    form: str = fields.word_of("Format", SHEET_FORMS, default=PRINT_FORM)
    paper: str = fields.word_of("Paper size", tuple(PAPERS), default=A4)
    as_of: int | None = as_of()


@dataclass(frozen=True, slots=True)
class PrintedCrew:
    """A crew with the files of its sheet."""

    now: Standing
    files: tuple[Attachment, ...]


async def _load_printed(store: Store, actor: Actor, action: PrintCrew) -> PrintedCrew:
    state = await standing(store, actor.guild_id, int(action.crew), action.as_of)
    if not may_read(state.crew, actor.user_id):
        raise NotAllowed(list_is_secret(state.crew.name))
    if action.form not in SHEET_FORMS:
        raise Missing(f"Choose one of these formats: {', '.join(SHEET_FORMS)}.")
    if action.paper not in PAPERS:
        raise Missing(f"Choose one of these paper sizes: {', '.join(PAPERS)}.")
    return PrintedCrew(
        state, await asyncio.to_thread(make_files, make_sheet(state), action.form, action.paper)
    )


def make_sheet(state: Standing) -> Sheet:
    """Return the sheet of a crew as it stands, the leader first."""
    sheet_maker = SHEET_MAKERS.get(state.crew.system)
    if sheet_maker is None:
        raise InvalidInput(f"There is no battle sheet for {game(state.crew.system).name}.")
    members = sorted(state.members, key=lambda member: (not member.leader, member.id))
    cards = [_complete_card(state, sheet_maker.card(state.crew, member), member) for member in members]
    balances = ", ".join(f"{key} {value}" for key, value in sorted(state.balances.items()))
    heading = [
        f"{game(state.crew.system).name}, {counted(members)[:-1]}",
        *state.lines,
        *([f"Balances: {balances}"] if balances else []),
        *([f"Games: {'; '.join(state.games)}"] if state.games else []),
        *sheet_maker.heading(state.crew, members),
        *(
            [f"No longer in the crew: {', '.join(f'{name} ({reason})' for name, reason in state.lost)}"]
            if state.lost
            else []
        ),
    ]
    rules_summary = tuple(sheet_maker.quick(state.crew, members))
    return Sheet(state.crew.name, tuple(heading), sheet_maker.head, tuple(cards), rules_summary)


def write_as_typed(played_game: Game, profile: str) -> str:
    """Return a custom statblock as it can be typed; empty for a printed or built one."""
    if not isinstance(played_game, Types) or any(
        played_game.profile(recruit.key) == profile for recruit in played_game.recruits()
    ):
        return ""
    try:
        return played_game.as_typed(profile)
    except InvalidInput:
        return ""


EQUIPMENT_LINES = ("Gear", "Skills", "Abilities", "Powers", "Features", "Traits")
"""Lines of a card that name what a model has, with commas between."""


def list_carried(crew: CrewRow, member: MemberRow) -> tuple[str, ...]:
    """Return the names of everything on a member's card: weapons, gear, skills and the like."""
    card = make_card(crew, member)
    pieces = [
        piece.strip() for name, words in card.lines if name in EQUIPMENT_LINES for piece in words.split(",")
    ]
    return (*(row[0] for row in card.weapons), *pieces)


@lru_cache(maxsize=16)
def _load_recruits(
    system: str, rows: tuple[tuple[str, str, int], ...]
) -> tuple[tuple[Statblock, Sequence[str]], ...]:
    """Return every printed statblock with its equipment. rows: name, text and points of custom models."""
    played_game, crew = game(system), CrewRow(0, 0, 0, system, "")
    custom_rows = [ProfileRow(0, 0, system, name, text, points, 0) for name, text, points in rows]
    blocks = [printed(played_game, statblock) for statblock in list_statblocks(played_game, custom_rows)]
    return tuple(
        (block, list_carried(crew, MemberRow(0, 0, block.name, block.profile, block.points)))
        for block in blocks
    )


def match_recruit(
    crew: CrewRow, member: MemberRow, rows: Sequence[ProfileRow] = ()
) -> tuple[Statblock, tuple[str, ...]] | None:
    """Return the statblock that a member was recruited from, and its extra equipment; None if unknown."""
    played_game, carried = game(crew.system), list_carried(crew, member)
    custom_blocks = tuple((row.name, row.text, row.points) for row in rows if row.system == crew.system)
    for block, standard_pieces in _load_recruits(crew.system, custom_blocks):
        if block.profile == member.profile:
            return block, ()
        extras = [piece for piece in carried if piece not in standard_pieces]
        if not extras or len(extras) == len(carried):
            continue
        try:
            text, _ = outfit_of(played_game, block, extras)
        except (InvalidInput, Forbidden):
            continue
        if text == member.profile:
            return block, tuple(extras)
    return None


def describe_kind(member: MemberRow, statblock: str, kind: str) -> str:
    """Return the line below a card's name; of a renamed member it begins with the name of its statblock."""
    is_renamed = base_name(member.name).casefold() != base_name(statblock).casefold()
    return f"{statblock}: {kind}" if is_renamed else kind


def _complete_card(state: Standing, card: Card, member: MemberRow) -> Card:
    words = state.words.get(member.id, "") or member.note
    marks = tuple(part for part in words.split(", ") if part)
    is_away = member.id in state.away
    typed_block = write_as_typed(game(state.crew.system), member.profile)
    return replace(
        card, points=member.points, marks=marks, leader=member.leader, away=is_away, statblock=typed_block
    )


def make_files(sheet: Sheet, form: str, paper: str) -> tuple[Attachment, ...]:
    """Return the sheet as files: a PDF with a picture of each page, or text, JSON, CSV."""
    name = _file_name(sheet.title)
    if form not in (PRINT_FORM, CARDS_FORM):
        data = {TEXT: as_text, JSON: as_json, CSV: as_csv}[form](sheet)
        ending = {TEXT: "txt", JSON: "json", CSV: "csv"}[form]
        return (Attachment(f"{name}.{ending}", f"{sheet.title} as {form}", data.encode()),)
    pages = _lay_out_pages(sheet, form, paper)
    document = _bind_pages(sheet.title, pages, paper)
    attachments = []
    for number, page in enumerate(pages[:MAX_PICTURES], 1):
        mark_names = [mark.begins for mark in page if isinstance(mark, TextAt) and mark.begins]
        page_names = ", ".join(mark_names) or "rules"
        kind = "Battle sheet" if form == PRINT_FORM else "Cards to cut out"
        words = f"{kind}, page {number} of {len(pages)}: {page_names}"
        attachments.append(Attachment(f"{name}-{number}.png", words, picture(page, paper)))
    return (document, *attachments)


def _file_name(title: str) -> str:
    name = (
        "".join(character if character.isascii() and character.isalnum() else "-" for character in title)
        .strip("-")
        .lower()
    )
    return name or "crew"


def _lay_out_pages(sheet: Sheet, form: str, paper: str) -> list[list[Mark]]:
    return lay_out(sheet, paper) if form == PRINT_FORM else lay_out_cards(sheet, paper)


def _bind_pages(title: str, pages: Sequence[Sequence[Mark]], paper: str) -> Attachment:
    return Attachment(f"{_file_name(title)}.pdf", f"{title}, to print on {paper}", pdf(pages, paper, title))


def bind_sheets(title: str, sheets: Sequence[Sheet], form: str, paper: str) -> Attachment:
    """Return the sheets of several crews as one PDF, each crew from a new page. form: print or cards."""
    return _bind_pages(
        title, [page for sheet in sheets for page in _lay_out_pages(sheet, form, paper)], paper
    )


@handles(PrintCrew, Place.CREW, beforehand=_load_printed)
def print_crew(act: Act, action: PrintCrew) -> Reply:
    """Print only for the person; files are not part of the journal."""
    printed_crew: PrintedCrew = act.extra
    crew = printed_crew.now.crew
    lines = [f"{printed_crew.now.crew.name}: {counted(printed_crew.now.members)}"]
    if action.form in (PRINT_FORM, CARDS_FORM):
        what = "Here is the battle sheet" if action.form == PRINT_FORM else "Here are the cards to cut out"
        has_all = len(printed_crew.files) <= MAX_PICTURES
        pictures = "pictures" if has_all else f"pictures of the first {MAX_PICTURES} pages"
        lines.append(f"{what} for {action.paper} paper, as a PDF and as {pictures}.")
    print_action = replace(action, crew=crew.scope)
    other_paper = LETTER if action.paper == A4 else A4
    options = [
        (form.upper() if form in (JSON, CSV) else form.capitalize(), replace(print_action, form=form))
        for form in SHEET_FORMS
    ]
    buttons = [Button(label, option, anytime=True) for label, option in options if option.form != action.form]
    if action.form in (PRINT_FORM, CARDS_FORM):
        buttons.append(Button(other_paper, replace(print_action, paper=other_paper), anytime=True))
    return Reply(
        (*lines, *printed_crew.now.lines), private=True, files=printed_crew.files, buttons=tuple(buttons)
    )
