"""The story of a season: a page for each game and a chronicle of each crew, as Markdown and as one HTML file.

Everything in it comes from the books: results, the ledger, public results of models that went down, and texts
that players add. This module decides what is told and in which order; `story_files` writes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.replies.reply import Attachment, Button, Reply, reply_from_json, say
from bot.store.journal import Entry
from bot.store.row_types import EntrantRow, FixtureRow, LedgerRow, ResultRow, TaleRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.campaign.campaign_views import cause_words, change_words, legend, readable_row, standings_lines
from bot.table.campaign.campaigns import ranked
from bot.table.campaign.charts import standings_over_rounds
from bot.table.campaign.records import pictures_of
from bot.table.campaign.story_files import (
    Chapter,
    Pictures,
    Shot,
    Story,
    as_html,
    as_markdown,
    make_attachments,
    pictures,
    shots_of,
)
from bot.table.encounter import GONE
from bot.table.game import game
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import ENDED, Campaign, format_amount
from bot.table.ledger.campaign_fields import InCampaign, crew_field, own_entrant_field
from bot.table.ledger.campaign_rules import get_rules, is_of_round
from bot.table.names import plain
from bot.table.referee.film import draw_still, list_stages, list_turn_ends
from rules.refusals import InvalidInput, Missing

group("story", "The story of a season's games")

MAX_TALES = 12
"""The largest number of stories that players can add to one game."""
MAX_TALE_LENGTH = 600
MAX_MOMENTS = 12
MAX_BOARDS = 60
"""The largest number of pictures of boards in one file."""
MAX_BESIDE = 9
"""The largest number of pictures sent with a Markdown file; a message can have ten files."""
MARKDOWN, HTML = "markdown", "html"
TOLD = ("status", "leader", "equipment", "improved", "fixture", "result")
"""Changes in the ledger, apart from accounts, that belong in a crew's story."""


@dataclass(frozen=True, slots=True)
class TellTale(InCampaign):
    """Write what happened in a game, in your own words."""

    command = "story.tell"
    typed = "story tell"
    titled = "Write about a game"

    text: str = fields.text("What happened", MAX_TALE_LENGTH, needed=True)
    number: int = fields.whole("Round (leave blank for your last game)", 1, 100, default=0, called="round")
    crew: EntrantRow = own_entrant_field("Crew (leave blank for yours)")


@dataclass(frozen=True, slots=True)
class ShowStory(InCampaign):
    """Show the story of a game, or a crew's chronicle."""

    command = "story.show"
    typed = "story show"
    titled = "Story"

    crew: EntrantRow | None = crew_field("Crew (leave blank for yours; you can also choose one that left)")
    number: int = fields.whole("Round (leave blank for all rounds)", 1, 100, default=0, called="round")
    public: bool = fields.switch("Show to everyone")


@dataclass(frozen=True, slots=True)
class ExportStory(InCampaign):
    """Get the story of the campaign as a file (visible only to you)."""

    command = "story.export"
    typed = "story export"
    titled = "Story as a file"

    form: str = fields.one_of("Format: Markdown or HTML", (HTML, MARKDOWN), default=HTML)


Moments = Mapping[int, Sequence[str]]
"""Public results of models that went down in an encounter, by the encounter's scope."""


@dataclass(frozen=True, slots=True)
class StorySources:
    """Sources of a story other than the books.

    said: see `Moments`; pictures: those that are still stored. boards: the ends of turns, by encounter.
    """

    said: Moments
    pictures: Pictures
    boards: Mapping[int, tuple[Shot, ...]]


# ------------------------------------------------------------------------------------ what the table said


async def around(store: Store, actor: Actor, action: ShowStory | ExportStory) -> StorySources:
    """Read the key moments of a campaign's games, its pictures, and its boards for an HTML file."""
    games = await _read_journals(store, actor, action)
    moments = {scope: told_in(entries) for scope, entries in games.items()}
    needs_boards = isinstance(action, ExportStory) and action.form == HTML
    boards = await asyncio.to_thread(_draw_boards, games) if needs_boards else {}
    return StorySources(moments, await pictures(store, actor, action), boards)


async def _read_journals(store: Store, actor: Actor, action: InCampaign) -> dict[int, list[Entry]]:
    """Return the journal of every game of a campaign that was played at a table, by its encounter."""
    loaded = await store.load(action.campaign) if action.campaign else None
    if loaded is None or loaded.scope.guild_id != actor.guild_id:
        return {}
    scopes = {row.encounter for row in loaded.book().all(ResultRow) if row.encounter}
    return {scope: await store.all_entries(scope) for scope in sorted(scopes)}


def _draw_boards(games: Mapping[int, Sequence[Entry]]) -> dict[int, tuple[Shot, ...]]:
    """Return the board at the end of each turn, of so many turns that the file stays small."""
    shots_by_game, boards_left = {}, MAX_BOARDS
    for scope, entries in games.items():
        turn_ends = list_turn_ends(list(list_stages(scope, entries, find_undone(entries))))[:boards_left]
        boards_left -= len(turn_ends)
        shots_by_game[scope] = tuple(
            Shot(0, "", f"End of turn {stage.turn}", draw_still(stage), drawn=True) for stage in turn_ends
        )
    return shots_by_game


def find_undone(entries: Sequence[Entry]) -> set[int]:
    """Return the entries that are undone after all of these."""
    undone: set[int] = set()
    for entry in entries:
        if entry.kind == "undo":
            undone |= set(entry.taken())
        elif entry.kind == "redo":
            undone -= set(entry.taken())
    return undone


def told_in(entries: Sequence[Entry]) -> list[str]:
    """Return the first line of every public reply to a current entry by which a model left play."""
    undone = find_undone(entries)
    moments, turn = [], 0
    for entry in entries:
        for table, _, columns in entry.changes_written():
            if table == "encounters" and isinstance(columns, dict) and "turn" in columns:
                turn = int(columns["turn"][1])
        if entry.kind != "do" or entry.seq in undone or entry.quiet or not _is_departure(entry):
            continue
        reply = reply_from_json(entry.reply)
        if reply.lines and not reply.private:
            moments.append(f"Turn {turn}: {reply.lines[0].replace('**', '')}")
    return moments[:MAX_MOMENTS]


def _is_departure(entry: Entry) -> bool:
    return any(
        table == "models" and isinstance(columns, dict) and columns.get("status", ["", ""])[1] == GONE
        for table, _, columns in entry.changes_written()
    )


# ------------------------------------------------------------------------------------ pages


def page_of(camp: Campaign, fixture: FixtureRow, sources: StorySources) -> Chapter:
    """Return a game: who met, how it ended, what turned it, what it cost and brought, what players tell."""
    results = [result_row for result_row in camp.results() if result_row.fixture == fixture.id]
    lines = []
    for result in results:
        entrant = camp.entrant(result.entrant)
        mission = result.facts.get("mission", "").replace("_", " ")
        mission_text = f", mission {mission}" if mission else ""
        lines.append(
            f"{entrant.name} ({entrant.owner}): {result.result}, "
            f"{format_amount(result.points, 'points')}{mission_text}"
        )
    moments = next(
        (
            sources.said[result_row.encounter]
            for result_row in results
            if sources.said.get(result_row.encounter)
        ),
        (),
    )
    marks = [("Key moments", tuple(moments))] if moments else []
    for result in results:
        effects = _effect_lines(camp, result.entrant, f"round {fixture.round}")
        marks += [(f"Effect on {camp.entrant(result.entrant).name}", tuple(effects))] if effects else []
    tales = [tale for tale in camp.book.all(TaleRow) if tale.fixture == fixture.id]
    tale_lines = tuple(f"{tale.author}: {tale.text}" for tale in tales)
    marks += [("What the players wrote", tale_lines)] if tales else []
    encounters = dict.fromkeys(result_row.encounter for result_row in results)
    board_shots = [shot for encounter in encounters for shot in sources.boards.get(encounter, ())]
    shots = (*shots_of(camp, fixture, sources.pictures), *board_shots)
    return Chapter(f"Round {fixture.round}: {camp.versus(fixture)}", tuple(lines), tuple(marks), shots)


def _effect_lines(camp: Campaign, entrant: int, cause: str) -> list[str]:
    """Return what a report changed for the members of a crew, and what the crew gained."""
    if camp.is_secret(entrant):
        return []
    rules = get_rules(camp.row.system)
    return [
        _entry_words(camp, row)
        for row in camp.ledger(entrant)
        if is_of_round(row.cause, cause)
        and (row.member or row.account not in rules.ranked)
        and not rules.is_spent(row.account)
    ]


def _entry_words(camp: Campaign, row: LedgerRow) -> str:
    cause_text = row.cause.partition(", ")[2] if row.cause.startswith("round ") else cause_words(row)
    return f"{change_words(camp, row)}{f' ({cause_text})' if cause_text else ''}"


def chronicle(camp: Campaign, entrant: EntrantRow) -> Chapter:
    """Return the chronicle of a crew since it joined: its games, and what it did between them."""
    rules = get_rules(camp.row.system)
    marks: list[tuple[str, tuple[str, ...]]] = []
    for row in camp.ledger(entrant.id):
        cause_start = row.cause.partition(",")[0]
        title = cause_start.capitalize() if cause_start.startswith("round ") else "Between games"
        if row.account in TOLD or rules.is_memorable(row.account):
            if readable_row(camp, row) is None:
                continue
            entry_text = _entry_words(camp, row)
            if row.cause == "joined":
                title = "How it began"
            if marks and marks[-1][0] == title:
                marks[-1] = (title, (*marks[-1][1], entry_text))
            else:
                marks.append((title, (entry_text,)))
    games = []
    for result in camp.results(entrant.id):
        opponent, number = camp.entrant(result.opponent).name, camp.fixture(result.fixture).round
        games.append(
            f"Round {number} against {opponent}: {result.result}, {format_amount(result.points, 'points')}"
        )
    games_mark = [("Games", tuple(games))] if games else []
    left_text = "" if entrant.status == "in" else " (left the campaign)"
    head_line = f"played by {entrant.owner}{left_text}"
    return Chapter(entrant.name, (head_line,), (*games_mark, *marks))


def story_of(camp: Campaign, sources: StorySources) -> Story:
    """Return the whole story: the standings, every game that was reported, every crew."""
    row = camp.row
    state = "ended" if row.status == ENDED else camp.rounds
    pages = [page_of(camp, fixture, sources) for fixture in camp.fixtures() if fixture.status == "played"]
    crews = [chronicle(camp, entrant) for entrant in camp.book.all(EntrantRow)]
    house_rules = tuple(f"{number}. {row.house[number]}" for number in sorted(row.house, key=int))
    return Story(
        row.name,
        (f"{game(row.system).name}, {state}", " ".join(" ".join(legend(camp)).split())),
        tuple(standings_lines(camp, ranked(camp))),
        house_rules,
        tuple(pages),
        tuple(crews),
        standings_over_rounds(camp),
    )


# ------------------------------------------------------------------------------------ handled


@handles(TellTale, Place.CAMPAIGN)
def tell(act: Act, action: TellTale) -> Reply:
    """Store a story with the game under its author's name."""
    camp, entrant = Campaign(act), action.crew
    fixture = camp.own_game(entrant, action.number)
    camp.require_fixture(fixture)
    text = plain(action.text, MAX_TALE_LENGTH)
    if not text:
        raise Missing("Enter what happened, in your own words.")
    if sum(tale.fixture == fixture.id for tale in camp.book.all(TaleRow)) >= MAX_TALES:
        raise InvalidInput(f"You can't add another story; a game can have at most {MAX_TALES}.")
    number = camp.book.next_id(TaleRow)
    actor = act.actor
    row = TaleRow(camp.book.scope, number, fixture.id, entrant.id, actor.user_id, actor.name, text)
    camp.book.add(row)
    page = ShowStory(camp.book.scope, entrant, fixture.round)
    buttons = [UNDO, Button("Show the story of this game", page, anytime=True)]
    return say(
        f"{actor.name} wrote about {camp.versus(fixture)}, round {fixture.round}.", text, buttons=buttons
    )


@handles(ShowStory, Place.CAMPAIGN, beforehand=around)
def show_story(act: Act, action: ShowStory) -> Reply:
    """Show a page or a crew's chronicle; without a crew of your own, the table and how to ask."""
    camp = Campaign(act)
    scope = camp.book.scope
    export_button = Button("Get as a file", ExportStory(scope), anytime=True)
    entrants = [entrant for entrant in camp.entrants() if entrant.owner_id == act.actor.user_id]
    crew = action.crew or (entrants[0] if len(entrants) == 1 else None)
    if crew is None:
        lines = [
            f"The story of {camp.row.name}",
            *standings_lines(camp, ranked(camp)),
            "To see the chronicle of a crew, use /story show and choose the crew.",
        ]
        return Reply(tuple(lines), private=not action.public, buttons=(export_button,))
    if action.number:
        chapter = page_of(camp, camp.own_game(crew, action.number), act.extra)
    else:
        chapter = chronicle(camp, crew)
    files = make_attachments(chapter.shots) if action.number else pictures_of(act, camp, crew)
    lines = [f"**{chapter.title}**", *chapter.lines]
    for title, mark_lines in chapter.marks:
        lines += [f"{title}:", *(f"- {line}" for line in mark_lines)]
    lines += [f"- {shot}" for shot in chapter.shots]
    return Reply(tuple(lines), private=not action.public, buttons=(export_button,), files=files)


@handles(ExportStory, Place.CAMPAIGN, beforehand=around)
def export_story(act: Act, action: ExportStory) -> Reply:
    """Export one file that opens without a network."""
    camp = Campaign(act)
    story = story_of(camp, act.extra)
    text = as_html(story) if action.form == HTML else as_markdown(story)
    extension = "html" if action.form == HTML else "md"
    file = Attachment(f"season-{camp.book.scope}.{extension}", f"The story of {camp.row.name}", text.encode())
    picture_files = (
        make_attachments([shot for page in story.games for shot in page.shots])
        if action.form == MARKDOWN
        else ()
    )
    label, other_form = ("Get as Markdown", MARKDOWN) if action.form == HTML else ("Get as HTML", HTML)
    other_button = Button(label, ExportStory(camp.book.scope, other_form), anytime=True)
    result_line = f"Here is the story of {camp.row.name}."
    return Reply((result_line,), private=True, files=(file, *picture_files), buttons=(other_button,))
