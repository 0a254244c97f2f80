"""A crew's sheet for the table, as pictures: for each member a card with figures and boxes to tick."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from bot.games.counterblast.core.fighters import Block, read_block
from bot.games.counterblast.core.words import times
from bot.games.counterblast.psionics.psi_words import power_title
from bot.replies.reply import Attachment
from bot.store.rows import MemberRow
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Weapon

WIDE, HIGH, MARGIN, GAP = 1240, 1754, 56, 20
"""A4 at 150 dots an inch."""

PAPER, INK, SOFT, LINE = "#ffffff", "#161616", "#5c5c5c", "#9a9a9a"
TITLE, NAME, TEXT = (ImageFont.load_default(size=size) for size in (36, 25, 19))
ROW = 26
BOX = 20
INDENT = 14
INNER = WIDE - 2 * MARGIN - 2 * INDENT
MOST_PAGES = 10


@dataclass(frozen=True, slots=True)
class Card:
    """A member ready to be drawn: its heading, its lines, how many wounds it takes."""

    name: str
    points: int
    lines: tuple[str, ...]
    life: int
    leader: bool

    @property
    def high(self) -> int:
        """How tall the card is."""
        return 44 + ROW * len(self.lines) + BOX + 26


def weapon_words(weapon: Weapon) -> str:
    """A weapon in one line: where it reaches, its Power, its damage."""
    parts = [f"{weapon.range_inches} in"] if weapon.range_inches else []
    parts += [f"reach {weapon.reach_inches}"] if weapon.reach_inches else []
    parts += ["melee"] if weapon.melee and not weapon.reach_inches else []
    parts += [f"P{weapon.power}"] if weapon.power is not None else []
    parts += [f"damage {weapon.damage}"] if weapon.damage > 1 else []
    parts += [f"short P{weapon.power_short}"] if weapon.power_short else []
    parts += [f"short damage {weapon.damage_short}"] if weapon.damage_short > weapon.damage else []
    parts += [f"template {weapon.template}{weapon.template_inches or ''}"] if weapon.template else []
    parts += [str(weapon.damage_dice)] if weapon.damage_dice else []
    sealed = weapon.sealed_power and weapon.sealed_dice
    parts += [f"sealed suits P{weapon.sealed_power} {weapon.sealed_dice}"] if sealed else []
    parts += [f"{figure:+d} {what}" for what, figure in extras(weapon) if figure]
    parts += [re.sub(r"\bemp\b", "EMP", effect.replace("_", " ")) for effect in weapon.effects]
    return f"{weapon.name} ({', '.join(filter(None, parts))})"


def extras(weapon: Weapon) -> list[tuple[str, int]]:
    """What a weapon adds or takes, by what it is added to; 0 where it changes nothing."""
    return [
        ("shield", weapon.shield_modifier),
        *((f"damage vs {kind}", figure) for kind, figure in weapon.bonus_damage),
        ("damage on a critical", weapon.critical_damage),
        ("on a charge", weapon.charge_modifier),
        ("STR dice", weapon.strength_dice),
        ("on STR", weapon.strength_modifier),
    ]


def block_lines(block: Block) -> list[str]:
    """A statblock and all that it carries, unfolded."""
    profile = block.profile
    figures = [
        f"Mv {profile.mv}",
        f"STR {profile.strength}",
        f"AGL {profile.agility}",
        f"INT {profile.intellect}",
        *([f"PSI {profile.psionic}"] if profile.psionic else []),
        f"Def {profile.defense}",
        f"Shield {profile.shield}D",
    ]
    kind = f"{profile.rank.capitalize()}, {', '.join(profile.types)}, base {profile.size}"
    lines = [f"{kind}   {'   '.join(figures)}"]
    if block.weapons:
        lines.append(f"Weapons: {'; '.join(map(weapon_words, block.weapons))}")
    if block.gear:
        lines.append(f"Gear: {', '.join(item.name for item in block.gear)}")
    if profile.features:
        names = [
            f"{load().features[one.key].name} {one.choice or one.level or ''}" for one in profile.features
        ]
        lines.append(f"Features: {', '.join(name.strip() for name in names)}")
    if profile.powers:
        lines.append(f"Powers: {', '.join(map(power_title, profile.powers))}")
    return lines


def folded(text: str) -> list[str]:
    """A line broken where the card ends."""
    lines: list[str] = []
    now = ""
    for word in text.split(" "):
        longer = f"{now} {word}" if now else word
        if now and TEXT.getlength(longer) > INNER:
            lines.append(now)
            now = f"   {word}"
        else:
            now = longer
    return [*lines, now]


def card_of(row: MemberRow) -> Card:
    """A member as a card."""
    block = read_block(row.profile)
    lines = [part for line in block_lines(block) for part in folded(line)]
    if row.note:
        lines += folded(f"Note: {row.note}")
    return Card(row.name, row.points, tuple(lines), block.profile.life, row.leader)


def pages(name: str, heading: Sequence[str], rows: Sequence[MemberRow]) -> list[Attachment]:
    """The sheet's pages as pictures, at most ten."""
    cards = [card_of(row) for row in sorted(rows, key=lambda row: (not row.leader, row.id))]
    points = sum(row.points for row in rows)
    title = f"{name}: {times(len(rows), 'model')}, {times(points, 'point')}"
    sheets: list[list[Card]] = [[]]
    used = _head(heading)
    for card in cards:
        if sheets[-1] and used + card.high + GAP > HIGH - MARGIN:
            sheets.append([])
            used = _head(())
        sheets[-1].append(card)
        used += card.high + GAP
    made = []
    for number, sheet in enumerate(sheets[:MOST_PAGES], 1):
        said = f"{title} ({number}/{len(sheets)})" if len(sheets) > 1 else title
        words = f"Roster sheet, page {number}: {', '.join(card.name for card in sheet) or 'nobody'}"
        if number == MOST_PAGES < len(sheets):
            words += f"; no room for {sum(map(len, sheets[MOST_PAGES:]))} more"
        data = _page(said, heading if number == 1 else (), sheet)
        made.append(Attachment(f"roster-{number}.png", words, data))
    return made


def _head(heading: Sequence[str]) -> int:
    return MARGIN + 58 + ROW * len(heading)


def _page(title: str, heading: Sequence[str], cards: Sequence[Card]) -> bytes:
    image = Image.new("RGB", (WIDE, HIGH), PAPER)
    draw = ImageDraw.Draw(image)
    draw.text((MARGIN, MARGIN - 8), title, fill=INK, font=TITLE)
    top = MARGIN + 44
    for line in heading:
        draw.text((MARGIN, top), line, fill=SOFT, font=TEXT)
        top += ROW
    top = _head(heading)
    for card in cards:
        _draw(draw, top, card)
        top += card.high + GAP
    stream = io.BytesIO()
    image.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _draw(draw: ImageDraw.ImageDraw, top: int, card: Card) -> None:
    right = WIDE - MARGIN
    draw.rectangle((MARGIN, top, right, top + card.high), outline=LINE, width=2)
    head = f"{card.name} (leader)" if card.leader else card.name
    draw.text((MARGIN + INDENT, top + 8), head, fill=INK, font=NAME)
    price = f"{card.points} points"
    draw.text((right - INDENT - NAME.getlength(price), top + 8), price, fill=INK, font=NAME)
    y = top + 44
    for line in card.lines:
        draw.text((MARGIN + INDENT, y), line, fill=INK, font=TEXT)
        y += ROW
    x = _boxes(draw, MARGIN + INDENT, y + 4, "Life", card.life)
    x = _boxes(draw, x, y + 4, "Orders", 4) if card.leader else x
    for label in ("Panicked", "Prone", "Overwatch", "Out"):
        x = _boxes(draw, x, y + 4, label, 1)


def _boxes(draw: ImageDraw.ImageDraw, x: float, y: float, label: str, count: int) -> float:
    draw.text((x, y), label, fill=SOFT, font=TEXT)
    x += TEXT.getlength(label) + 10
    for _ in range(count):
        draw.rectangle((x, y + 1, x + BOX, y + 1 + BOX), outline=INK, width=2)
        x += BOX + 6
    return x + 24
