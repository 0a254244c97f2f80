"""Scripts of `examples/` pressed in real browsers: one phone for each speaker, every press on glass.

Which control a line means is found as at the terminal; it is pressed where it stands on the phone, and must
stand there. Opening a menu, and closing one of which several are chosen, count neither here nor in the
scripts: Discord asks for both as well.

To play all five games in browsers to their end, with the counts:
    python -m tests.page.pressing
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.local.forms import answers, picked
from bot.local.lines import CHECKS, ScriptLine, read
from bot.local.screen import Screen
from bot.local.seen import Event, MessageControl, Modal, ModalField
from bot.local.session import _menu_words, _named
from bot.store.migration import migrate
from tests.bot.tables import url_of
from tests.golden.test_pressed_games import presses
from tests.page.browsers import browser, phone, sit
from tests.page.room import Room, room
from tests.played import ROOT

GAMES = ("counterblast", "infinity", "warzone", "soluna", "fracd_earth")
TEXT, MENU, RADIO, CHECK = 4, 3, 21, 23


def script(game: str) -> list[str]:
    """The lines of a game by presses alone."""
    return (ROOT / "examples" / f"pressed_{game}.txt").read_text(encoding="utf-8").splitlines()


@dataclass
class Pressing:
    """People with a phone each, by name. pressed: what was pressed so far; due: what the script counts."""

    room: Room
    phones: dict[str, Any]
    speaker: str = ""
    pressed: int = 0
    due: int = 0
    screen: Screen = field(default_factory=Screen)
    news: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.room.table.server.world.listeners.append(self.news.append)

    @property
    def page(self) -> Any:
        return self.phones[self.speaker]

    def _person(self) -> Any:
        return self.room.table.server.people[self.speaker]

    async def play(self, lines: Iterable[str]) -> None:
        """Carry out every line; fails where one cannot be pressed, or costs more than the script counts."""
        for number, text in enumerate(lines, 1):
            line = read(text)
            if line is None or not text.strip() or text[0] in "#:":
                continue
            self.speaker = line.who or self.speaker
            try:
                await (self._check(line) if line.verb in CHECKS else self._act(line))
            except Exception as error:
                raise AssertionError(f"line {number}, {text}: {error}") from error
            self.due += presses(text)
            assert self.pressed == self.due, (
                f"line {number}, {text}: {self.pressed} pressed, {self.due} counted"
            )

    async def _act(self, line: ScriptLine) -> None:
        self.screen.show(self.news)
        self.news.clear()
        match line.verb:
            case "slash":
                await self._reach(self.page.locator("#said"))
                await self.page.fill("#said", f"/{line.rest}")
                await self._sent(self.page.get_by_role("button", name="Do", exact=True))
            case "press":
                await self._press(_named(line.rest, "press"))
            case "menu":
                await self._pick(*_menu_words(line.rest))
            case "modal":
                assert self.screen.modal is not None
                await self._fill_in(self.screen.modal, line.rest)

    async def _reach(self, target: Any) -> None:
        """Pull the log up, or open the fold of another player, where what is wanted is in it."""
        await target.wait_for(state="attached")
        folded = self.page.locator("#panel .theirs:not([open])", has=target)
        if await folded.count():
            await folded.locator("> summary").click(timeout=30_000)
        elif not await target.is_visible():
            await self.page.locator("#log-sheet > summary").click(timeout=30_000)

    async def _sent(self, button: Any) -> None:
        await self._reach(button)
        async with self.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            await button.click(timeout=30_000)
        told = await (await answered.value).json()
        assert "say" not in told, told
        await self.room.rest()

    async def _press(self, label: str) -> None:
        one = self.screen.button(label, self._person().id, self._person().here)
        value = json.dumps([str(one.message.id), self._token(one.control)])
        self.pressed += 1
        await self._sent(self._by_value("button", value))

    def _token(self, control: MessageControl, choice: str = "") -> str:
        return self.room.table.seats.seal(f"{control.custom_id} {choice}")

    def _by_value(self, element: str, value: str) -> Any:
        return self.page.locator(f"{element}[value={json.dumps(value, ensure_ascii=False)}]")

    async def _pick(self, title: str, wanted: list[str]) -> None:
        one = self.screen.menu(title, self._person().id, self._person().here)
        menu = self.page.locator(
            f"#m{one.message.id} details.menu", has=self.page.get_by_text(one.control.placeholder, exact=True)
        )
        if not await menu.evaluate("each => each.open"):
            await self._reach(menu)
            await menu.locator("summary").click(timeout=30_000)
        chosen = _values(one.control.options, picked(wanted, one.control.options))
        options = [self._token(one.control, each) for each in chosen]
        self.pressed += len(options)
        if one.control.max_values == 1:
            value = json.dumps([str(one.message.id), self._token(one.control), options[0]])
            await self._sent(self._by_value("button", value))
            return
        for each in await menu.locator("input").all():
            await each.set_checked(await each.get_attribute("value") in options)
        await self._sent(menu.locator("button[name=choose]"))

    async def _fill_in(self, modal: Modal, text: str) -> None:
        fields = {each.custom_id: each for each in modal.fields}
        for name, value in answers(modal, text).items():
            self.pressed += 1
            await self._fill(fields[name], value)
        self.pressed += 1
        await self._sent(self.page.locator("dialog button", has_text="Send"))

    async def _fill(self, one: ModalField, value: Any) -> None:
        inputs = self.page.locator(f"dialog [name={json.dumps(f'f:{one.custom_id}')}]")
        if one.type == TEXT:
            await inputs.fill(value)
        elif one.type == CHECK:
            await inputs.set_checked(value)
        elif (
            one.type == MENU
            and one.max_values == 1
            and await inputs.first.evaluate("each => !each.type.startsWith('radio')")
        ):
            await inputs.select_option(_values(one.options, value))
        else:
            wanted = _values(one.options, value)
            for each in await self.page.locator("dialog details:not([open]) > summary").all():
                await each.click()
            for each in await inputs.all():
                if (ticked := await each.get_attribute("value") in wanted) or await each.get_attribute(
                    "type"
                ) != "radio":
                    await each.set_checked(ticked)

    async def _check(self, line: ScriptLine) -> None:
        wanted = " ".join(line.rest.split())
        for _ in range(100):
            if (wanted in await self.shown()) is (line.verb != "absent"):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(await self.shown())

    async def shown(self) -> str:
        return " ".join((await self.page.text_content("main")).split())


def _values(options: Any, wanted: Iterable[str]) -> list[str]:
    """The values of the options that are meant by label or value."""
    found = []
    for each in wanted:
        fits = [one for one in options if each.casefold() in (one.label.casefold(), one.value.casefold())]
        assert fits, f"{each} is not among {[one.label for one in options]}"
        found.append(fits[0].value)
    return found


async def seated(opened: Room, chromium: Any) -> Pressing:
    """Anna, who opened the table, and Bo with a narrow dark phone."""
    anna = await phone(chromium, opened.table.opener)
    await sit(anna, "anna")
    bo = await phone(chromium, f"{opened.url}/", width=320, dark=True)
    await sit(bo, "bo")
    return Pressing(opened, {"anna": anna, "bo": bo})


async def whole(game: str, file: Path) -> str:
    """Play a game to its end; what it cost."""
    await migrate(url_of(file))
    async with room(file, seed=7) as opened, browser() as chromium:
        wall = await phone(chromium, f"{opened.url}/wall", width=1920, height=1080)
        played = await seated(opened, chromium)
        await played.play(script(game))
        faults = [fault for page in (wall, *played.phones.values()) for fault in page.faults]
        return f"{game}: {played.pressed} pressed, {played.due} counted, faults: {faults or 'none'}"


if __name__ == "__main__":
    for each in sys.argv[1:] or GAMES:
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(asyncio.run(whole(each, Path(folder) / "table.db")) + "\n")
