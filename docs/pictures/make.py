"""Draws the guides' pictures of cards and forms: what a phone shows in games that were really played.

Each card is one of a script in `examples`, drawn as Discord draws it. The pictures of odds and luck are those
that the bot sends in such a game. To draw all of them:
    python -m docs.pictures.make
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, PngImagePlugin

from bot.local.seen import Event, EventKind, Message, Modal
from tests.cards import Renderer, Watch, photograph, watch

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


@dataclass(frozen=True, slots=True)
class Scene:
    """A card or form to draw: the last one that a script's line brings with these words."""

    script: str
    line: str
    words: str
    theme: str = "light"


PICTURES = {
    "shot": Scene("first_game", "/cb template Skip weapon:Grenade", "1 wound on"),
    "panel": Scene("first_game", "/act Skip", "Skip", "dark"),
    "form": Scene("pressed_counterblast", "press Shoot", "Shoot"),
    "draft": Scene("pressed_counterblast", "press", "Choose who attacks which enemy"),
    "end": Scene("pressed_counterblast", 'press "End the game"', "Counterblast: the game", "dark"),
}

GAME = "full_game"
ASKED_BEFORE = '/cb shoot "GDF Ranger" "Psider" 5 1 how:"run and gun"'
"""The game in which somebody asks for odds, and the line before which they do."""

RANGER = '/cb shoot "GDF Ranger" Trapper 9 1 odds:true'

ASKED = {
    "best": ["/odds best"],
    "compare": [RANGER, "press Compare"],
    "curve": [RANGER, "press Compare", 'menu "Compare by..." Distance'],
    "matchup": ["/odds matchup Lancers Edo"],
}
"""What is asked in that game; the picture that comes last is kept. Luck is asked for when it is over."""

FILMED = """\
@bo press Draw
@anna press "Skip Westmoreland"
press Move
modal moves:2 where:"6 towards Edo Guardling"
press "End activation"
@anna press Draw
@bo press "Prime Leader"
press Move
modal moves:2 where:"10 south"
press "End activation"
@bo press Draw
@bo press "Trapper"
press Move
modal moves:2 where:"6 towards Sally"
press "End activation"
@anna press Draw
@anna press "Smap"
press Move
modal moves:2 where:"8 north"
press "End activation"
@bo press Draw
@bo press "Spawnguard"
press Move
modal moves:2 where:"9 south"
press "End activation"
@anna press Draw
@anna press "Wanda Whitestar"
press Move
modal moves:2 where:"9 north"
press "End activation"
@bo press Draw
@anna press "HOpR Bot"
press Move
modal moves:2 where:"8 north"
press "End activation"
@anna press Draw
@anna press "Dr. Helen Salinger"
press Move
modal moves:2 where:"7 north"
press "End activation"
""".splitlines()
"""How the turn on the board goes on in the film."""

WORDS = "words"
"""What a picture's file calls the words on it: a test tells when they are no longer shown."""


def file_of(name: str) -> Path:
    """Return where a picture stands."""
    return Path(__file__).with_name(f"{name}.png")


def lines_of(script: str) -> list[str]:
    """Return the lines of an example."""
    return (EXAMPLES / f"{script}.txt").read_text(encoding="utf-8").splitlines()


def plain(text: str) -> str:
    """Return text without Markdown, emojis and line breaks."""
    return " ".join(re.sub(r"<:\w+:\d+>|\*\*|~~|^-# |`|\\(?=[^\w\s])", "", text, flags=re.MULTILINE).split())


def words_of(shown: Message | Modal) -> list[str]:
    """Return what can be read on a card or form: sentences, buttons, fields; no dice and no small print."""
    if isinstance(shown, Modal):
        return [shown.title, *(field.label for field in shown.fields)]
    lines = (line for text in shown.texts for line in text.splitlines() if line)
    sentences = [line for line in lines if "<:" not in line and not line.startswith("-# ")]
    return [*map(plain, sentences), *(control.label for control in shown.controls if control.label)]


def _shown(events: Sequence[tuple[str, Event]], scene: Scene) -> Message | Modal:
    for said, event in reversed(events):
        shown = event.message if event.kind in (EventKind.MESSAGE, EventKind.EDIT) else event.modal
        if shown is not None and said.startswith(scene.line) and scene.words in str(shown):
            return shown
    raise LookupError(f"Nothing in {scene.script} shows {scene.words!r} after {scene.line!r}.")


def _events(seen: Watch) -> list[tuple[str, Event]]:
    return [(said, event) for said, came in seen.came_of for event in came]


def draw_scenes() -> None:
    """Draw every card and form."""
    played: dict[str, tuple[Watch, Renderer]] = {}
    pages: list[tuple[str, Path]] = []
    words: dict[Path, list[str]] = {}
    for name, scene in PICTURES.items():
        if scene.script not in played:
            with TemporaryDirectory() as folder:
                played[scene.script] = asyncio.run(watch(lines_of(scene.script), Path(folder)))
        seen, renderer = played[scene.script]
        shown = _shown(_events(seen), scene)
        words[file_of(name)] = words_of(shown)
        pages.append((renderer.page([shown], scene.theme), file_of(name)))
    asyncio.run(photograph(pages))
    for path, said in words.items():
        beside = PngImagePlugin.PngInfo()
        beside.add_itxt(WORDS, json.dumps(said))
        with Image.open(BytesIO(path.read_bytes())) as picture:
            picture.quantize(128).save(path, optimize=True, pnginfo=beside)


def keep_sent(name: str, lines: Sequence[str], ending: str = ".png") -> None:
    """Play a script and keep the last picture of a type that the bot sends."""
    with TemporaryDirectory() as folder:
        seen, _ = asyncio.run(watch(lines, Path(folder)))
    for _, event in reversed(_events(seen)):
        for file in event.message.attachments if event.message is not None else ():
            if file.filename.endswith(ending):
                file_of(name).with_suffix(ending).write_bytes(file.data)
                return
    raise LookupError(f"The script for {name} shows no picture.")


def main() -> None:
    """Draw all pictures."""
    draw_scenes()
    game = lines_of(GAME)
    for name, asked in ASKED.items():
        keep_sent(name, [*game[: game.index(ASKED_BEFORE)], *asked])
    keep_sent("luck", [*game, "/odds luck"])
    keep_sent("film", [*lines_of("board_counterblast"), *FILMED, "/board film"], ".gif")


if __name__ == "__main__":
    main()
