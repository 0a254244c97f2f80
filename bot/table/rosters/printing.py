"""A crew's battle sheet: to print, to look at, to be read aloud, and as data.

The game declares the contents of a card in `PRINTS`, and the crew knows what happened to its members. This
module knows no rules.
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
from bot.table.rosters.statblocks import Statblock, statblocks
from rules.refusals import Forbidden, InvalidInput, Missing

PRINT, CARDS, TEXT, JSON, CSV = "print", "cards", "text", "json", "csv"
FORMS = (PRINT, CARDS, TEXT, JSON, CSV)
A4, LETTER = PAPERS
MAX_PICTURES = 9
"""Pages that are shown beside the PDF, which has all: a message takes ten files."""


class Prints(Protocol):
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


PRINTS: dict[str, Prints] = {}
"""The sheets of games, by the game's key."""


def card_of(crew: CrewRow, member: MemberRow) -> Card:
    """Return a member's card as its game prints it; without a sheet, name and points."""
    prints = PRINTS.get(crew.system)
    return prints.card(crew, member) if prints is not None else Card(member.name, member.points, "", ())


@dataclass(frozen=True, slots=True)
class PrintCrew(OfAnyCrew):
    """Get a crew's battle sheet (visible only to you)."""

    command = "crew.sheet"
    typed = "crew sheet"
    titled = "Battle sheet"
    decision_of = ANYONE

    form: str = fields.word_of("Format", FORMS, default=PRINT)
    paper: str = fields.word_of("Paper size", tuple(PAPERS), default=A4)
    as_of: int | None = as_of()


@dataclass(frozen=True, slots=True)
class Printed:
    """A crew with the files of its sheet."""

    now: Standing
    files: tuple[Attachment, ...]


async def _printed(store: Store, actor: Actor, action: PrintCrew) -> Printed:
    state = await standing(store, actor.guild_id, int(action.crew), action.as_of)
    if not may_read(state.crew, actor.user_id):
        raise NotAllowed(list_is_secret(state.crew.name))
    if action.form not in FORMS:
        raise Missing(f"Choose one of these formats: {', '.join(FORMS)}.")
    if action.paper not in PAPERS:
        raise Missing(f"Choose one of these paper sizes: {', '.join(PAPERS)}.")
    return Printed(state, await asyncio.to_thread(files_of, sheet_of(state), action.form, action.paper))


def sheet_of(state: Standing) -> Sheet:
    """Return the sheet of a crew as it stands, the leader first."""
    prints = PRINTS.get(state.crew.system)
    if prints is None:
        raise InvalidInput(f"There is no battle sheet for {game(state.crew.system).name}.")
    members = sorted(state.members, key=lambda member: (not member.leader, member.id))
    cards = [_card(state, prints.card(state.crew, member), member) for member in members]
    balances = ", ".join(f"{key} {value}" for key, value in sorted(state.balances.items()))
    heading = [
        f"{game(state.crew.system).name}, {counted(members)[:-1]}",
        *state.lines,
        *([f"Balances: {balances}"] if balances else []),
        *([f"Games: {'; '.join(state.games)}"] if state.games else []),
        *prints.heading(state.crew, members),
        *(
            [f"No longer in the crew: {', '.join(f'{name} ({reason})' for name, reason in state.lost)}"]
            if state.lost
            else []
        ),
    ]
    quick = tuple(prints.quick(state.crew, members))
    return Sheet(state.crew.name, tuple(heading), prints.head, tuple(cards), quick)


def typed_again(played: Game, profile: str) -> str:
    """Return a statblock of one's own as it can be typed; empty for one that is printed or built."""
    if not isinstance(played, Types) or any(
        played.profile(recruit.key) == profile for recruit in played.recruits()
    ):
        return ""
    try:
        return played.as_typed(profile)
    except InvalidInput:
        return ""


CARRIED = ("Gear", "Skills", "Abilities", "Powers", "Features", "Traits")
"""Lines of a card that name what a model has, with commas between."""


def carried_by(crew: CrewRow, member: MemberRow) -> tuple[str, ...]:
    """Return the names of everything on a member's card: weapons, gear, skills and the like."""
    card = card_of(crew, member)
    listed = [piece.strip() for name, words in card.lines if name in CARRIED for piece in words.split(",")]
    return (*(row[0] for row in card.weapons), *listed)


@lru_cache(maxsize=16)
def _recruits(
    system: str, rows: tuple[tuple[str, str, int], ...]
) -> tuple[tuple[Statblock, Sequence[str]], ...]:
    """Return every printed statblock with its equipment. rows: name, text and points of custom models."""
    played, crew = game(system), CrewRow(0, 0, 0, system, "")
    own_rows = [ProfileRow(0, 0, system, name, text, worth, 0) for name, text, worth in rows]
    blocks = [printed(played, statblock) for statblock in statblocks(played, own_rows)]
    return tuple(
        (block, carried_by(crew, MemberRow(0, 0, block.name, block.profile, block.points)))
        for block in blocks
    )


def recruit_of(
    crew: CrewRow, member: MemberRow, rows: Sequence[ProfileRow] = ()
) -> tuple[Statblock, tuple[str, ...]] | None:
    """Return the statblock that a member is and what it was given beside it; None for any other."""
    played, carried = game(crew.system), carried_by(crew, member)
    own_blocks = tuple((row.name, row.text, row.points) for row in rows if row.system == crew.system)
    for block, had in _recruits(crew.system, own_blocks):
        if block.profile == member.profile:
            return block, ()
        extras = [piece for piece in carried if piece not in had]
        if not extras or len(extras) == len(carried):
            continue
        try:
            text, _ = outfit_of(played, block, extras)
        except (InvalidInput, Forbidden):
            continue
        if text == member.profile:
            return block, tuple(extras)
    return None


def kind_of(member: MemberRow, statblock: str, kind: str) -> str:
    """Return the line below a card's name; of a renamed member it begins with the name of its statblock."""
    is_renamed = base_name(member.name).casefold() != base_name(statblock).casefold()
    return f"{statblock}: {kind}" if is_renamed else kind


def _card(state: Standing, card: Card, member: MemberRow) -> Card:
    words = state.words.get(member.id, "") or member.note
    marks = tuple(part for part in words.split(", ") if part)
    away = member.id in state.away
    typed_block = typed_again(game(state.crew.system), member.profile)
    return replace(
        card, points=member.points, marks=marks, leader=member.leader, away=away, statblock=typed_block
    )


def files_of(sheet: Sheet, form: str, paper: str) -> tuple[Attachment, ...]:
    """Return the sheet as files: a PDF with a picture of each page, or text, JSON, CSV."""
    name = _file_name(sheet.title)
    if form not in (PRINT, CARDS):
        data = {TEXT: as_text, JSON: as_json, CSV: as_csv}[form](sheet)
        ending = {TEXT: "txt", JSON: "json", CSV: "csv"}[form]
        return (Attachment(f"{name}.{ending}", f"{sheet.title} as {form}", data.encode()),)
    pages = _pages(sheet, form, paper)
    document = _bound(sheet.title, pages, paper)
    attachments = []
    for number, page in enumerate(pages[:MAX_PICTURES], 1):
        names = [mark.begins for mark in page if isinstance(mark, TextAt) and mark.begins]
        page_names = ", ".join(names) or "rules"
        kind = "Battle sheet" if form == PRINT else "Cards to cut out"
        words = f"{kind}, page {number} of {len(pages)}: {page_names}"
        attachments.append(Attachment(f"{name}-{number}.png", words, picture(page, paper)))
    return (document, *attachments)


def _file_name(title: str) -> str:
    name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in title).strip("-").lower()
    return name or "crew"


def _pages(sheet: Sheet, form: str, paper: str) -> list[list[Mark]]:
    return lay_out(sheet, paper) if form == PRINT else lay_out_cards(sheet, paper)


def _bound(title: str, pages: Sequence[Sequence[Mark]], paper: str) -> Attachment:
    return Attachment(f"{_file_name(title)}.pdf", f"{title}, to print on {paper}", pdf(pages, paper, title))


def bound(title: str, sheets: Sequence[Sheet], form: str, paper: str) -> Attachment:
    """Return the sheets of several crews as one PDF, each crew from a new page. form: print or cards."""
    return _bound(title, [page for sheet in sheets for page in _pages(sheet, form, paper)], paper)


@handles(PrintCrew, Place.CREW, beforehand=_printed)
def print_crew(act: Act, action: PrintCrew) -> Reply:
    """Print only for the person; files are not part of the journal."""
    printed: Printed = act.extra
    crew, lines = printed.now.crew, [f"{printed.now.crew.name}: {counted(printed.now.members)}"]
    if action.form in (PRINT, CARDS):
        lines.append(f"Here is the battle sheet for {action.paper} paper, as a PDF and as pictures.")
    print_action = replace(action, crew=crew.scope)
    other = LETTER if action.paper == A4 else A4
    options = [
        (form.upper() if form in (JSON, CSV) else form.capitalize(), replace(print_action, form=form))
        for form in FORMS
    ]
    buttons = [Button(label, option, anytime=True) for label, option in options if option.form != action.form]
    if action.form in (PRINT, CARDS):
        buttons.append(Button(other, replace(print_action, paper=other), anytime=True))
    return Reply((*lines, *printed.now.lines), private=True, files=printed.files, buttons=tuple(buttons))
