"""Shows messages as Discord does: containers, sections, buttons, menus and pictures as HTML, for the eye.

To look at what a script of `examples` brings, light and dark, on a phone:
    python -m tests.cards first_game FOLDER [words that a message must have]
"""

from __future__ import annotations

import asyncio
import base64
import re
import sys
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.config import Config
from bot.local.interactions import UNHURRIED
from bot.local.lines import ScriptLine
from bot.local.script import run, seed_of
from bot.local.seen import Event, EventKind, Message, Modal
from bot.local.server import LocalServer
from bot.local.session import Result, Session
from bot.local.world import Emoji
from bot.programs import at_the_table
from bot.replies.dice_faces import draw_face, face_dice
from bot.replies.weight import emoji_name
from bot.store.engine import database_url
from bot.store.migration import migrate
from bot.table.odds_budget import stop_clock

ROOT = Path(__file__).parents[1]
PHONE = 400
"""The width of the pictures, in pixels."""

BUTTONS = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary"}

STYLE = """
* { box-sizing: border-box; margin: 0; }
body { font: 15px/1.375 "gg sans", "Noto Sans", "DejaVu Sans", sans-serif; width: 400px; padding: 10px 12px;
  background: var(--page); color: var(--ink); }
.light { --page: #fff; --card: #f7f7f8; --line: #dcdde1; --ink: #2e3035; --soft: #5d5f68; --plain: #e3e5e8;
  --box: #ebedef; --code: #f0f1f3; }
.dark { --page: #313338; --card: #2b2d31; --line: #3f4147; --ink: #dbdee1; --soft: #949ba4; --plain: #4e5058;
  --box: #1e1f22; --code: #1e1f22; }
.message { display: flex; gap: 10px; margin-bottom: 14px; }
.face { flex: none; width: 36px; height: 36px; border-radius: 50%; background: #5865f2; color: #fff;
  font-weight: 700; display: grid; place-items: center; }
.all { flex: 1; min-width: 0; }
.by { font-weight: 600; font-size: 14px; } .by small { font-weight: 400; color: var(--soft); }
.app { background: #5865f2; color: #fff; border-radius: 4px; padding: 0 4px; font-size: 10px; }
.container { border: 1px solid var(--line); background: var(--card); border-radius: 8px; padding: 12px;
  position: relative; overflow: hidden; display: grid; gap: 8px; }
.container.accent { padding-left: 16px; }
.bar { position: absolute; left: 0; top: 0; bottom: 0; width: 4px; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.text small { color: var(--soft); font-size: 12.5px; }
.section { display: flex; gap: 10px; justify-content: space-between; align-items: flex-start; }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
.row + .row { margin-top: 0; }
button { font: inherit; font-size: 14px; font-weight: 500; border: 0; border-radius: 8px; padding: 6px 14px;
  min-height: 32px; }
.secondary { background: var(--plain); color: var(--ink); } .primary { background: #5865f2; color: #fff; }
.success { background: #248046; color: #fff; } .danger { background: #da373c; color: #fff; }
button[disabled] { opacity: .5; }
.select { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: 7px 10px;
  width: 100%;
  color: var(--soft); display: flex; justify-content: space-between; }
hr { border: 0; border-top: 1px solid var(--line); width: 100%; }
img.picture { max-width: 100%; border-radius: 6px; display: block; }
img.emoji { height: 22px; width: 22px; vertical-align: -5px; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 4px; padding: 6px;
  font: 12.5px/1.3 "Noto Sans Mono", "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
code { background: var(--code); border-radius: 3px; font: 13px "DejaVu Sans Mono", monospace; }
.mention { background: #5865f233; color: #5865f2; border-radius: 3px; padding: 0 2px; font-weight: 500; }
.dark .mention { color: #c9cdfb; }
.only { color: var(--soft); font-size: 12px; }
.form { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 16px; }
.form h2 { font-size: 18px; margin-bottom: 8px; }
.form label { display: block; font-weight: 600; font-size: 14px;
  margin: 12px 0 4px; } .form p { color: var(--soft); font-size: 13px; }
.form .row { margin-top: 14px; }
"""


class Watch:
    """Keeps what each line of a script brought, once that had settled."""

    def __init__(self) -> None:
        self.came_of: list[tuple[str, tuple[Event, ...]]] = []
        self._said = ""

    def remark(self, text: str) -> None:
        """Leave remarks out."""

    def typed(self, number: int, line: ScriptLine, session: Session) -> None:
        self._said = line.said

    def came(self, result: Result, session: Session) -> None:
        self.came_of.append((self._said, result.events))

    def not_sent(self, sentence: str, session: Session) -> None:
        """Leave out what was not sent."""


class Renderer:
    """Messages and forms of one table as HTML."""

    def __init__(self, server: LocalServer) -> None:
        self._server = server

    def page(self, shown: Sequence[Message | Modal], theme: str = "light") -> str:
        """Return a whole page with these messages below one another."""
        body = "".join(self._form(one) if isinstance(one, Modal) else self._message(one) for one in shown)
        return (
            f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style><body class="{theme}">{body}</body>'
        )

    def _message(self, message: Message) -> str:
        name = escape(message.author.display_name)
        only = "<div class=only>Only you can see this</div>" if message.ephemeral else ""
        edited = " <small>(edited)</small>" if message.edited is not None else ""
        words = f"<div class=text>{self._words(message, message.content)}</div>" if message.content else ""
        parts = "".join(self._parts(message, message.components))
        head = f"<div class=by>{name} <span class=app>APP</span>{edited}</div>"
        return (
            f"<div class=message><div class=face>{name[0]}</div>"
            f"<div class=all>{head}{words}{parts}{only}</div></div>"
        )

    def _parts(self, message: Message, components: Any) -> Iterator[str]:
        for one in components:
            inner = "".join(self._parts(message, one.get("components", ())))
            match one["type"]:
                case 1:
                    yield f"<div class=row>{inner}</div>"
                case 2:
                    off = " disabled" if one.get("disabled") else ""
                    label = escape(one.get("label") or "")
                    yield f"<button class={BUTTONS[one['style']]}{off}>{label}</button>"
                case 3 | 5 | 6 | 7 | 8:
                    prompt = escape(one.get("placeholder") or "Make a selection")
                    yield f"<div class=select><span>{prompt}</span><span>⌄</span></div>"
                case 9:
                    beside = "".join(self._parts(message, [one["accessory"]]))
                    yield f"<div class=section><div>{inner}</div>{beside}</div>"
                case 10:
                    yield f"<div class=text>{self._words(message, one['content'])}</div>"
                case 12:
                    for item in one["items"]:
                        yield f'<img class=picture src="{self._picture(message, item["media"]["url"])}">'
                case 13:
                    yield f"<div class=select>{escape(one['file']['url'].rsplit('/', 1)[-1])}</div>"
                case 14:
                    yield "<hr>"
                case 17:
                    colour = one.get("accent_color")
                    bar = (
                        f'<div class=bar style="background:#{colour:06x}"></div>'
                        if colour is not None
                        else ""
                    )
                    yield f"<div class='container {'accent' if bar else ''}'>{bar}{inner}</div>"

    def _picture(self, message: Message, url: str) -> str:
        name = url.partition("?")[0].rsplit("/", 1)[-1]
        data = next((one.data for one in message.attachments if one.filename == name), b"")
        return _data_uri(data)

    def _words(self, message: Message, text: str) -> str:
        pieces = re.split(r"```(?:\w*\n)?(.*?)```", text, flags=re.DOTALL)
        shown = []
        for place, piece in enumerate(pieces):
            if place % 2:
                shown.append(f"<pre>{escape(piece.strip(chr(10)))}</pre>")
            elif piece.strip("\n"):
                shown.append("\n".join(self._line(line) for line in piece.strip("\n").split("\n")))
        return "".join(shown)

    def _line(self, line: str) -> str:
        line = escape(line, quote=False)
        line = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", line)
        line = re.sub(r"`([^`]+)`", r"<code>\1</code>", line)
        line = re.sub(r"\\([*_`~|<>#.-])", r"\1", line)
        line = re.sub(r"&lt;@(\d+)&gt;", lambda found: self._mention(int(found[1])), line)
        line = re.sub(r"&lt;/([^:]+):\d+&gt;", r"<span class=mention>/\1</span>", line)
        line = re.sub(r"&lt;:(\w+):(\d+)&gt;", lambda found: self._emoji(found[1], int(found[2])), line)
        return f"<small>{line[3:]}</small>" if line.startswith("-# ") else line

    def _mention(self, number: int) -> str:
        person = self._server.world.users.get(number)
        return f"<span class=mention>@{escape(person.display_name) if person else 'unknown-user'}</span>"

    def _emoji(self, name: str, number: int) -> str:
        image = self._server.world.emojis.get(number)
        if image is None:
            return f":{name}:"
        return f'<img class=emoji alt=":{name}:" src="{image.image}">'

    def _form(self, form: Modal) -> str:
        fields = []
        for one in form.fields:
            chosen = [option.label for option in one.options if option.default]
            about = f"<p>{escape(one.description)}</p>" if one.description else ""
            box = escape(one.value or ", ".join(chosen) or one.placeholder or "")
            arrow = "<span>⌄</span>" if one.type != 4 else ""
            fields.append(
                f"<label>{escape(one.label)}{' *' if one.required else ''}</label>{about}"
                f"<div class=select><span>{box or '&nbsp;'}</span>{arrow}</div>"
            )
        rows = (
            "<div class=row><button class=secondary>Cancel</button>"
            "<button class=primary>Submit</button></div>"
        )
        return f"<div class=form><h2>{escape(form.title)}</h2>{''.join(fields)}{rows}</div>"


def _data_uri(data: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


async def watch(lines: Sequence[str], folder: Path) -> tuple[Watch, Renderer]:
    """Play the lines of a script; all that came of them, and what draws it."""
    url = database_url(str(folder / "table.db"))
    await migrate(url)
    seen = Watch()
    with stop_clock():
        server = LocalServer(answer_seconds=UNHURRIED)
        for die in face_dice():
            made = Emoji(server.world.ids.next(), emoji_name(die), _data_uri(draw_face(die)))
            server.world.emojis[made.id] = made
        async with (
            server,
            at_the_table(server, url, Config(), seed_of(lines), unhurried=True) as seated,
        ):
            await run(lines, Session(server, seated.idle), seen)
        return seen, Renderer(server)


async def photograph(pages: Sequence[tuple[str, Path]]) -> None:
    from tests.page.browsers import browser

    async with browser() as chromium:
        shown = await chromium.new_page(viewport={"width": PHONE, "height": 200}, device_scale_factor=2)
        for page, path in pages:
            await shown.set_content(page)
            await shown.screenshot(path=path, full_page=True)


async def look(name: str, folder: Path, words: str) -> None:
    """Make pictures of everything that a script brings and that has these words."""
    lines = (ROOT / "examples" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    with TemporaryDirectory() as kept:
        seen, renderer = await watch(lines, Path(kept))
    folder.mkdir(parents=True, exist_ok=True)
    pages: list[tuple[str, Path]] = []
    events = [(said, event) for said, came in seen.came_of for event in came]
    for place, (said, event) in enumerate(events):
        shown = event.message if event.kind in (EventKind.MESSAGE, EventKind.EDIT) else event.modal
        if shown is None or words.lower() not in f"{said} {shown}".lower():
            continue
        page = renderer.page([shown], ("light", "dark")[len(pages) % 2])
        pages.append((page, folder / f"{name}_{place:03}.png"))
    await photograph(pages)


if __name__ == "__main__":
    asyncio.run(look(sys.argv[1], Path(sys.argv[2]), " ".join(sys.argv[3:])))
