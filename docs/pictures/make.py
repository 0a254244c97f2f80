"""Draws the guides' pictures of replies: what a phone shows, from games that were really played.

Everything in them stands in a transcript of `tests/golden`: the words, the buttons, the menus, the forms. The
pictures of odds and luck are those that the bot sends, in a game of `examples` in which somebody asks for
them. To draw all of them anew:
    python -m docs.pictures.make
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap

from PIL import Image, ImageDraw, ImageFont, PngImagePlugin

from bot.replies.reply import Reply
from bot.replies.weight import weighed

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"

PAGE, CARD, INK, SOFT = "#ffffff", "#f2f3f5", "#1e1f22", "#5c5e66"
BUTTON, BOX = "#d7d9dc", "#e6e7ea"
WIDTH, MARGIN, STEP, ROW = 640, 24, 27, 50
MAX_CHOICE_LENGTH, MAX_WORD_LENGTH, MAX_LINE_LENGTH = 46, 44, 64

BOLD = 0.6
"""How much wider the strokes of a headline are, in pixels."""

UNHURRIED = """
import sys
from bot.__main__ import main
from bot.table.odds_budget import unhurried
with unhurried():
    sys.exit(main(sys.argv[1:]))
"""
"""The program while the clock of odds stands: a picture shows the same on a slow machine."""

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True)
class Shown:
    """A reply, a panel or a form: its head, its lines, what is pressed below it."""

    head: str
    lines: tuple[str, ...]
    buttons: tuple[str, ...] = ()
    menus: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """All that is to be read on it."""
        said = (
            self.head,
            *self.lines,
            *self.buttons,
            *self.menus,
            *(f"{name}: {now}" for name, now in self.fields),
        )
        return "\n".join(said)


def block(transcript: str, after: str, begins: str) -> list[str]:
    """The lines of a transcript from one that begins so, behind another, to the end of its message."""
    text = (GOLDEN / f"{transcript}.txt").read_text(encoding="utf-8")
    text = text[text.index(after) :]
    lines = text[text.index(f"\n{begins}") + 1 :].split("\n")
    found: list[str] = []
    for line in lines:
        if found and re.match(r"(panel changed:|message changed:|\w+ #\w+> |# |\(only )", line):
            break
        found.append(line)
    while found and not found[-1]:
        found.pop()
    return found


def reply(transcript: str, after: str, begins: str, head: str) -> Shown:
    """A message with its buttons and menus."""
    lines, buttons, menus = [], [], []
    for line in block(transcript, after, begins):
        numbered = re.findall(r"\[\d+\] (.+?)(?=  \[|$)", line)
        alone = line.startswith("[") and len(numbered) == 1
        if alone and re.fullmatch(r"\[\d+\] .*\?( \(.*\))?|\[\d+\] .* \(\d+ to \d+\)", line):
            menus += numbered
        elif line.startswith("[") and numbered:
            buttons += numbered
        elif not menus and not line.startswith(("(picture", "(head)", "Record", "--")):
            lines += wrap(line, MAX_LINE_LENGTH if " " in line else MAX_WORD_LENGTH) or [""]
    return Shown(head, tuple(lines), tuple(buttons), tuple(menus))


def form(transcript: str, after: str, title: str) -> Shown:
    """A form with what stands in each of its parts."""
    fields = []
    for line in block(transcript, after, f"form: {title}")[1:]:
        name, _, rest = line.strip().partition(" (")
        now = re.search(r"now (.*)\)$", rest)
        among = re.search(r"one of (.*?)(?:;|\)$)", rest)
        chosen = now[1] if now else " | ".join(among[1].split(", ")) if among else ""
        fields.append((name, chosen[:MAX_CHOICE_LENGTH]))
    return Shown(title, (), ("Send",), fields=tuple(fields))


PICTURES = {
    "shot": reply("first_game", "", "Sally Starfield hits", "/cb shoot"),
    "panel": reply("first_game", "/act Skip", "■ Lancers. Waiting for", "the panel"),
    "form": form("pressed_counterblast", "press Shoot", "Shoot"),
    "draft": reply(
        "pressed_counterblast",
        'press "Edo Guardling 2 > Sally',
        "Choose who attacks whom",
        "only you see this",
    ),
    "end": reply("pressed_counterblast", 'press "End the game"', "Counterblast: the game", "the end"),
}


def rows(pen: ImageDraw.ImageDraw, labels: Sequence[str], font: Font) -> Iterator[list[tuple[int, int, str]]]:
    """Buttons as they find room beside each other: where each stands, how wide it is."""
    row: list[tuple[int, int, str]] = []
    x = MARGIN
    for label in labels:
        width = int(pen.textlength(label, font=font)) + 34
        if row and (x + width > WIDTH - MARGIN or len(row) == 5):
            yield row
            row, x = [], MARGIN
        row.append((x, width, label))
        x += width + 10
    if row:
        yield row


def draw(shown: Shown) -> Image.Image:
    """The picture."""
    text, bold = ImageFont.load_default(size=19), ImageFont.load_default(size=20)
    pen = ImageDraw.Draw(Image.new("RGB", (1, 1)))
    laid = list(rows(pen, shown.buttons, text))
    height = MARGIN * 2 + STEP * (len(shown.lines) + 1) + 20
    height += ROW * (len(laid) + len(shown.menus)) + (ROW + STEP) * len(shown.fields)
    image = Image.new("RGB", (WIDTH, height), PAGE)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((8, 8, WIDTH - 8, height - 8), 18, fill=CARD)
    if shown.fields:
        pen.text((MARGIN, MARGIN), shown.head, fill=INK, font=bold)
    else:
        pen.text((MARGIN, MARGIN), "Adjutant", fill=INK, font=bold)
        pen.text((MARGIN + 104, MARGIN + 2), f"APP   {shown.head}", fill=SOFT, font=text)
    y = MARGIN + STEP + 8
    for line in weighed(Reply(shown.lines)).lines:
        words = line.replace("**", "")
        pen.text(
            (MARGIN, y),
            words.replace("■ ", ""),
            fill=INK,
            font=text,
            stroke_width=BOLD if words != line else 0,
        )
        y += STEP
    for name, now in shown.fields:
        pen.text((MARGIN, y), name, fill=SOFT, font=text)
        pen.rounded_rectangle((MARGIN, y + STEP, WIDTH - MARGIN, y + STEP + 40), 8, fill=BOX)
        pen.text((MARGIN + 14, y + STEP + 9), now, fill=INK, font=text)
        y += ROW + STEP
    for row in laid:
        for x, width, label in row:
            pen.rounded_rectangle((x, y + 8, x + width, y + 46), 8, fill=BUTTON)
            pen.text((x + 17, y + 16), label, fill=INK, font=text)
        y += ROW
    for prompt in shown.menus:
        pen.rounded_rectangle((MARGIN, y + 8, WIDTH - MARGIN, y + 46), 8, fill=BOX)
        pen.text((MARGIN + 14, y + 16), f"{prompt}  v", fill=SOFT, font=text)
        y += ROW
    return image


GAME = "full_game"
ASKED_BEFORE = '/cb shoot "GDF Ranger" "Psider" 5 1 how:"run and gun"'
"""The game in which somebody asks, and the line before which he does."""

RANGER = '/cb shoot "GDF Ranger" Trapper 9 1 odds:true'

ASKED = {
    "best": (["/odds best"], "odds.png"),
    "compare": ([RANGER, "press Compare"], "odds.png"),
    "curve": ([RANGER, "press Compare", 'menu "Compare by ..." Distance'], "curve.png"),
    "matchup": (["/odds matchup Lancers Edo"], "matchup.png"),
}
"""What is asked in that game, and the picture that comes last; the luck is asked for when it is over."""


def sent(name: str, file: str, lines: Sequence[str]) -> None:
    """Play a script and keep the newest picture of that name that the bot sent."""
    with TemporaryDirectory() as folder:
        script = Path(folder) / "asked.txt"
        script.write_text("\n".join(lines) + "\n", encoding="utf-8")
        play = [sys.executable, "-c", UNHURRIED, "play", "--script", str(script), "--pictures", folder]
        subprocess.run(play, cwd=ROOT, check=True, capture_output=True)
        stem, _, ending = file.partition(".")
        found = sorted(Path(folder).glob(f"{stem}*.{ending}"), key=lambda path: path.stat().st_mtime_ns)
        shutil.copy(found[-1], file_of(name))


def ask() -> None:
    """The pictures that the bot sends to who asks."""
    lines = (ROOT / "examples" / f"{GAME}.txt").read_text(encoding="utf-8").splitlines()
    until = lines.index(ASKED_BEFORE)
    for name, (asked, file) in ASKED.items():
        sent(name, file, [*lines[:until], *asked])
    sent("luck", "luck.png", [*lines, "/odds luck"])


WORDS = "words"
"""What a picture's file calls what is to be read on it: a test tells when that is shown no more."""


def file_of(name: str) -> Path:
    """Where a picture stands."""
    return Path(__file__).with_name(f"{name}.png")


if __name__ == "__main__":
    ask()
    for name, shown in PICTURES.items():
        beside = PngImagePlugin.PngInfo()
        beside.add_itxt(WORDS, shown.words)
        draw(shown).save(file_of(name), optimize=True, pnginfo=beside)
