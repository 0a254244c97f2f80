"""Files of a season's story: Markdown, one HTML file, and the pictures that players add."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from bot.replies.reply import Attachment, Reply, say
from bot.store.row_types import EntrantRow, FixtureRow, ShotRow
from bot.store.side_tables import stored_pictures
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields
from bot.table.campaign.charts import beside
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import Campaign
from bot.table.ledger.campaign_fields import InCampaign, own_entrant_field
from bot.table.names import plain
from rules.refusals import InvalidInput, Missing

WIDE, HIGH, LEFT, BELOW, RIGHT = 640, 260, 34, 24, 150
ASIDE = 3
"""How far lines of equal crews stand from each other."""
DASHES = ("", "8 4", "2 4", "10 3 2 3", "4 2", "1 3")
"""Lines of the chart are told apart by their dashes, then their breadth, and their names; not by colour."""

STYLE = """
svg{fill:currentColor;stroke:none}:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
h1,h2,h3{line-height:1.2}h2{border-top:1px solid #999;padding-top:1rem}svg,img{max-width:100%;height:auto}
ul{padding-left:1.2rem}@media print{body{margin:0}}
"""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a game: a JPEG, empty where it is gone, who added it, and what it shows in words.

    drawn: it is a PNG of the board, which the bot made.
    """

    number: int
    author: str
    words: str
    data: bytes
    drawn: bool = False

    @property
    def file(self) -> str:
        """Return what it is called beside a text."""
        return f"picture-{self.number}.jpg"

    def __str__(self) -> str:
        """Return its words, under its number."""
        if self.drawn:
            return self.words
        return (
            f"Picture {self.number} by {self.author}: "
            f"{self.words}{'' if self.data else ' (no longer available)'}"
        )


@dataclass(frozen=True, slots=True)
class Chapter:
    """A game or a crew: lines, marks of some lines each under a title, and pictures."""

    title: str
    lines: tuple[str, ...]
    marks: tuple[tuple[str, tuple[str, ...]], ...]
    shots: tuple[Shot, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """A season. rounds: what counts first after each round, by crew, beginning with 0."""

    title: str
    lines: tuple[str, ...]
    table: tuple[str, ...]
    house: tuple[str, ...]
    games: tuple[Chapter, ...]
    crews: tuple[Chapter, ...]
    rounds: Mapping[str, tuple[int, ...]]


def as_markdown(story: Story) -> str:
    """Return headings, lists and the table."""
    lines = [
        f"# {_escape_markdown(story.title)}",
        "",
        *map(_escape_markdown, story.lines),
        "",
        "## Standings",
        "",
    ]
    lines += [f"- {_escape_markdown(entry)}" for entry in story.table]
    if story.house:
        lines += ["", "## House rules", "", *(f"- {_escape_markdown(entry)}" for entry in story.house)]
    for name, chapters in (("Games", story.games), ("Crews", story.crews)):
        lines += ["", f"## {name}"]
        for chapter in chapters:
            lines += [
                "",
                f"### {_escape_markdown(chapter.title)}",
                "",
                *(f"{_escape_markdown(line)}  " for line in chapter.lines),
            ]
            for title, mark_lines in chapter.marks:
                lines += [
                    "",
                    f"**{_escape_markdown(title)}**",
                    "",
                    *(f"- {_escape_markdown(line)}" for line in mark_lines),
                ]
            for shot in chapter.shots:
                lines += ["", f"![{_escape_markdown(shot.words)}]({shot.file})"] if shot.data else []
                lines += ["", _escape_markdown(str(shot))]
    return "\n".join(lines) + "\n"


def _escape_markdown(text: str) -> str:
    return "".join(f"\\{character}" if character in "\\`*_[]<>#|" else character for character in text)


def as_html(story: Story) -> str:
    """Return one page: no script, no link to anywhere, the chart drawn in it."""
    title = escape(story.title)
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>",
        *(f"<p>{escape(line)}</p>" for line in story.lines),
        "<h2>Standings</h2>",
        _make_list(story.table),
        chart(story.rounds),
    ]
    if story.house:
        parts += ["<h2>House rules</h2>", _make_list(story.house)]
    for name, chapters in (("Games", story.games), ("Crews", story.crews)):
        parts.append(f"<h2>{name}</h2>")
        for chapter in chapters:
            parts.append(f"<h3>{escape(chapter.title)}</h3><p>{'<br>'.join(map(escape, chapter.lines))}</p>")
            for heading, mark_lines in chapter.marks:
                parts.append(f"<p><strong>{escape(heading)}</strong></p>{_make_list(mark_lines)}")
            parts += [_figure(shot) for shot in chapter.shots]
    return "".join([*parts, "</body></html>\n"])


def _figure(shot: Shot) -> str:
    data = f"data:image/{'png' if shot.drawn else 'jpeg'};base64,{b64encode(shot.data).decode()}"
    image = f'<img src="{data}" alt="{escape(shot.words)}">' if shot.data else ""
    return f"<figure>{image}<figcaption>{escape(str(shot))}</figcaption></figure>"


def _make_list(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def chart(rounds: Mapping[str, tuple[int, ...]]) -> str:
    """Return points after each round as lines, with the same in words; nothing before the first round."""
    max_points = max((max(points) for points in rounds.values()), default=0)
    last_round = max((len(points) for points in rounds.values()), default=0) - 1
    if max_points <= 0 or last_round < 1:
        return ""
    words = "; ".join(f"{name} {', '.join(map(str, points))}" for name, points in rounds.items())
    parts = [
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="Points after each round: {escape(words)}">'
    ]
    chart_width, chart_height = WIDE - LEFT - RIGHT, HIGH - 2 * BELOW
    for number in range(last_round + 1):
        x = LEFT + chart_width * number / last_round
        parts.append(f'<text x="{x:.0f}" y="{HIGH - 4}" font-size="11" text-anchor="middle">{number}</text>')
    for value in sorted({0, max_points // 2, max_points}):
        y = BELOW + chart_height * (1 - value / max_points)
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.0f}" font-size="11" text-anchor="end">{value}</text>')
        parts.append(f'<path d="M{LEFT} {y:.1f}H{LEFT + chart_width}" stroke="#999" stroke-width="0.5"/>')
    offsets = beside(rounds)
    label_heights = _spread_labels(
        {name: BELOW + chart_height * (1 - points[-1] / max_points) for name, points in rounds.items()}
    )
    for place, (name, points) in enumerate(rounds.items()):
        spots = [
            f"{LEFT + chart_width * number / last_round:.1f},"
            f"{BELOW + chart_height * (1 - value / max_points) + ASIDE * step:.1f}"
            for number, (value, step) in enumerate(zip(points, offsets[name], strict=True))
        ]
        dash, line_width = DASHES[place % len(DASHES)], 2 + 1.5 * (place // len(DASHES))
        parts.append(
            f'<polyline points="{" ".join(spots)}" fill="none" stroke="currentColor"'
            f' stroke-width="{line_width}" stroke-dasharray="{dash}"/>'
        )
        parts.append(
            f'<text x="{LEFT + chart_width + 8}" y="{label_heights[name] + 4:.0f}" font-size="12">'
            f"{escape(name)} {points[-1]}</text>"
        )
    return "".join([*parts, "</svg>"])


def _spread_labels(wanted_heights: Mapping[str, float], min_gap: float = 13) -> dict[str, float]:
    """Return heights at which names do not overlap, as near as possible to the wanted ones."""
    heights: dict[str, float] = {}
    last_height = -min_gap
    for name, y in sorted(wanted_heights.items(), key=lambda pair: pair[1]):
        last_height = max(y, last_height + min_gap)
        heights[name] = last_height
    overflow = last_height - (HIGH - BELOW)
    return {name: y - max(0.0, overflow) for name, y in heights.items()}


MAX_GAME_PICTURES = 4
MAX_CAMPAIGN_PICTURES = 24
MAX_WORDS_LENGTH = 300

Pictures = Mapping[str, bytes]
"""The pictures that are still kept, by their hash."""


@dataclass(frozen=True, slots=True)
class AddPicture(InCampaign):
    """Add a picture of your game, with a description."""

    command = "story.picture"
    typed = "story picture"
    titled = "Add a picture"

    picture: str = fields.pictured("A JPEG, PNG or WebP file", called="file", needed=True)
    text: str = fields.text(
        "Description (for people who can't see the picture)", MAX_WORDS_LENGTH, needed=True
    )
    number: int = fields.whole("Round (leave blank for your last game)", 1, 100, default=0, called="round")
    crew: EntrantRow = own_entrant_field("Crew (leave blank for yours)")


@dataclass(frozen=True, slots=True)
class DropPicture(InCampaign):
    """Remove one of your pictures from the story (the organiser can remove any)."""

    command = "story.drop"
    typed = "story drop"
    titled = "Remove a picture"

    number: int = fields.whole("Number of the picture (see /story show)", 1, 100_000, default=0, needed=True)


async def pictures(store: Store, actor: Actor, action: InCampaign) -> Pictures:
    """Return the pictures of a campaign that are still kept."""
    loaded = await store.load(action.campaign) if action.campaign else None
    if loaded is None or loaded.scope.guild_id != actor.guild_id:
        return {}
    return await stored_pictures(store, actor.guild_id, (row.digest for row in loaded.book().all(ShotRow)))


async def _is_stored(store: Store, actor: Actor, action: AddPicture) -> bool:
    return action.picture in await stored_pictures(store, actor.guild_id, [action.picture])


@handles(AddPicture, Place.CAMPAIGN, beforehand=_is_stored)
def add_picture(act: Act, action: AddPicture) -> Reply:
    """Store a picture with the game, under the name of the person who adds it."""
    camp, entrant = Campaign(act), action.crew
    fixture = camp.own_game(entrant, action.number)
    camp.require_fixture(fixture)
    words = plain(action.text, MAX_WORDS_LENGTH)
    if not words:
        raise Missing("Enter a description of the picture.")
    rows = camp.book.all(ShotRow)
    if sum(row.fixture == fixture.id for row in rows) >= MAX_GAME_PICTURES:
        raise InvalidInput(f"Remove a picture first; a game can have at most {MAX_GAME_PICTURES} pictures.")
    if len(rows) >= MAX_CAMPAIGN_PICTURES:
        raise InvalidInput(
            f"Remove a picture first; a campaign can have at most {MAX_CAMPAIGN_PICTURES} pictures."
        )
    if any(row.fixture == fixture.id and row.digest == action.picture for row in rows):
        raise InvalidInput("That game already has this picture.")
    if not act.extra:
        raise InvalidInput("Send the picture again with /story picture; it is no longer available.")
    actor = act.actor
    number = camp.book.next_id(ShotRow)
    author_values, picture_values = (actor.user_id, actor.name), (words, action.picture)
    camp.book.add(ShotRow(camp.book.scope, number, fixture.id, entrant.id, *author_values, *picture_values))
    result_line = f"{actor.name} added picture {number} to {camp.versus(fixture)}, round {fixture.round}."
    return say(result_line, words, buttons=[UNDO])


@handles(DropPicture, Place.CAMPAIGN)
def drop_picture(act: Act, action: DropPicture) -> Reply:
    """Remove a picture. Its owner and the organiser of the campaign may do so."""
    camp = Campaign(act)
    row = next((shot for shot in camp.book.all(ShotRow) if shot.id == action.number), None)
    if row is None:
        raise InvalidInput(
            f"There is no picture {action.number}. /story show lists a game's pictures if you enter "
            "its round."
        )
    if row.author_id != act.actor.user_id and not act.is_organiser:
        raise NotAllowed(f"Only {row.author} or the organiser can remove picture {row.id}.")
    camp.book.remove(row)
    result_line = f"{act.actor.name} removed picture {row.id} from {camp.versus(camp.fixture(row.fixture))}."
    return say(result_line, buttons=[UNDO])


def shots_of(camp: Campaign, fixture: FixtureRow, kept_pictures: Pictures) -> tuple[Shot, ...]:
    """Return the pictures of a game, those too that are gone: their words stay."""
    return tuple(
        Shot(shot.id, shot.author, shot.words, kept_pictures.get(shot.digest, b""))
        for shot in camp.book.all(ShotRow)
        if shot.fixture == fixture.id
    )


def make_attachments(shots: Sequence[Shot]) -> tuple[Attachment, ...]:
    """Return the pictures that are there, each with its words."""
    return tuple(Attachment(shot.file, shot.words, shot.data) for shot in shots if shot.data)
