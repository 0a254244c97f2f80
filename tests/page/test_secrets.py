"""Every game's secrets: the same game is played twice, with two secrets; nobody else's pages tell which, nor
whether there was one at all.

What the other player, one who watches and the wall were sent is compared letter by letter: pages, events,
pictures' words. Then whatever stands for the secret is asked for at every address with the others' links.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.page.room import Elements, Phone, Room, room

PASSING = re.compile(
    r"[A-Za-z0-9_-]{16,}|[0-9a-f]{8,}|Record(?: [0-9a-f]{4}){3}|127\.0\.0\.1:\d+|at \d\d:\d\d:\d\d"
)
"""What differs from one game to the next: ids of messages, hashes, tokens, words of the stream, the port,
the time."""

CHANGED = "Look at the message again before you press, because it has just changed."


@dataclass
class Others:
    """Who must learn nothing, and everything that they were sent."""

    opened: Room
    phones: list[Phone]
    sent: dict[str, list[str]] = field(default_factory=dict)
    listening: list[asyncio.Task[None]] = field(default_factory=list)

    async def listen(self) -> None:
        addresses = [f"{each.url}events" for each in self.phones] + [f"{self.opened.url}/wall/events"]
        for place, url in enumerate(addresses):
            heard = self.sent.setdefault(f"events of {place}", [])
            begun = await self.opened.session.get(url)
            self.listening.append(asyncio.create_task(self._hear(begun, heard)))

    async def _hear(self, begun: aiohttp.ClientResponse, heard: list[str]) -> None:
        async with begun as answer:
            async for line in answer.content:
                heard += [_plain(line.decode())] if line.startswith((b"data:", b"id:")) else []

    async def look(self) -> None:
        await self.opened.rest()
        for place, each in enumerate(self.phones):
            self.sent.setdefault(f"page of {place}", []).append(_plain(await each.page()))
        self.sent.setdefault("wall", []).append(_plain(await self.opened.wall()))

    async def end(self) -> None:
        """Listen no longer; of the wall's events the last counts, as it renews itself by the clock.

        Whether a panel is drawn anew before or after its action is told is left to chance.
        """
        await self.opened.rest()
        of_the_wall = f"events of {len(self.phones)}"
        for _ in range(300):
            if self.sent[of_the_wall][-1][len("data: ") :].strip() in _plain(await self.opened.wall()):
                break
            await asyncio.sleep(0.01)
        await self.opened.rest()
        for each in self.listening:
            each.cancel()
        await asyncio.gather(*self.listening, return_exceptions=True)
        self.sent[of_the_wall] = self.sent[of_the_wall][-1:]
        for place in range(len(self.phones)):
            self.sent[f"events of {place}"].sort()


def _plain(text: str) -> str:
    return PASSING.sub("#", text)


async def _done(answer: Awaitable[Any]) -> None:
    status, result = await answer
    assert status == 200
    assert "say" not in result, result


Secret = Callable[[Phone, Phone], Awaitable[None]]


async def _to_begin(anna: Phone, bo: Phone, system: str, *, begins: bool = True) -> None:
    await _done(anna.say(f"/demo system:{system}"))
    await _done(bo.press("Join..."))
    if begins:
        await _done(bo.press("Ready"))
        await _done(anna.press("Begin"))


def mission(line: str) -> tuple[Secret, Secret]:
    async def before(anna: Phone, bo: Phone) -> None:
        await _to_begin(anna, bo, "counterblast", begins=False)

    async def secret(_: Phone, bo: Phone) -> None:
        await _done(bo.say(line))

    return before, secret


def infinity(line: str) -> tuple[Secret, Secret]:
    async def before(anna: Phone, bo: Phone) -> None:
        await _to_begin(anna, bo, "infinity")

    async def secret(_: Phone, bo: Phone) -> None:
        await _done(bo.say(line))

    return before, secret


def locked_aro(choice: str) -> tuple[Secret, Secret]:
    async def before(anna: Phone, bo: Phone) -> None:
        await _to_begin(anna, bo, "infinity")
        winner = anna if "Play first" in await anna.page() else bo
        await _done(winner.press("Play first"))
        other = anna if "First turn" in await anna.page() else bo
        await _done(other.press("First turn"))
        await _done(anna.say("/inf shoot model:Angus target:Commander Voss distance:16"))

    async def secret(_: Phone, bo: Phone) -> None:
        await _done(bo.press("React"))
        await _done(bo.press(choice))

    return before, secret


def cards(place: int) -> tuple[Secret, Secret]:
    async def before(anna: Phone, bo: Phone) -> None:
        await _to_begin(anna, bo, "fracd_earth")
        await _done(bo.press("Thug"))
        await _done(bo.say("/fe attack model:Thug target:Captain Vale distance:6"))
        await _done(anna.press("Defence 5"))

    async def secret(_: Phone, bo: Phone) -> None:
        await _done(bo.press("Cards"))
        found = re.findall(r">((?:Replace|Reinforce) with \w+)", await bo.page())
        await _done(bo.press(found[place]))

    return before, secret


def asked(system: str, line: str) -> tuple[Secret, Secret]:
    async def before(anna: Phone, bo: Phone) -> None:
        await _to_begin(anna, bo, system)

    async def secret(_: Phone, bo: Phone) -> None:
        await _done(bo.say(line))

    return before, secret


PAIRS = {
    "Counterblast, a mission": (
        mission("/mission choose mission:Scouting"),
        mission("/mission choose mission:Invasion place:the old mill"),
    ),
    "Counterblast, whom to abduct": (
        mission("/mission choose mission:Abduction target:Sally Starfield"),
        mission("/mission choose mission:Abduction target:Smap"),
    ),
    "Infinity, the Lieutenant": (
        infinity("/inf lieutenant model:Tracker"),
        infinity("/inf lieutenant model:Morph"),
    ),
    "Infinity, an ARO that is locked": (locked_aro("Shoot with Combi Rifle"), locked_aro("Dodge")),
    "Frac'd Earth, a card face down": (cards(0), cards(-1)),
    "Warzone, odds": (
        asked("warzone", "/wz shoot model:Maelgor target:Sgt Rook distance:SR odds:true"),
        asked("warzone", "/wz shoot model:Maelgor target:Colonel Voss distance:LR odds:true"),
    ),
    "sol'una, odds": (
        asked("soluna", "/sol attack model:Vey target:Ilka odds:true"),
        asked("soluna", "/sol attack model:Vey target:Brin odds:true"),
    ),
}


async def _played(file: Path, steps: tuple[Secret, Secret]) -> dict[str, list[str]]:
    async with room(file) as opened:
        anna, bo = await opened.opener("Anna"), await opened.join("Bo")
        cy = await opened.join("Cy", "watch")
        others = Others(opened, [anna, cy])
        before, secret = steps
        await before(anna, bo)
        await others.look()
        await others.listen()
        known = set(re.findall(r'id="m(\d+)"', await bo.page()))
        await secret(anna, bo)
        await others.look()
        page = await bo.page()
        told = set(re.findall(r'id="m(\d+)"', page)) - known
        seen = set(re.findall(r'id="m(\d+)"', await anna.page()))
        assert told - seen, "nothing was told in private"
        await _ask_everywhere(others, page, told - seen)
        await others.end()
        return others.sent


async def _ask_everywhere(others: Others, page: str, told: set[str]) -> None:
    """What stands in a private message, asked for with everybody else's links."""
    inside = [part for part in page.split("<article ") if any(f'id="m{each}"' in part for each in told)]
    marks = Elements("".join(f"<article {part}" for part in inside))
    files = [each["src"] for each, _ in marks.all("img")] + [
        each["href"] for each, _ in marks.all("a") if "href" in each
    ]
    presses = [(each["name"], each["value"]) for each, _ in marks.all("button") if "value" in each]
    bases = [*(each.url for each in others.phones), f"{others.opened.url}/wall/", f"{others.opened.url}/"]
    for base in bases:
        for each in files:
            async with others.opened.session.get(base + each) as answer:
                assert answer.status == 404, (base, each)
    for name, value in presses:
        status, said = await others.phones[0].post("act", {name: value})
        assert (status, said) == (200, {"say": CHANGED})


@pytest.mark.parametrize("name", PAIRS)
async def test_nobody_elses_pages_tell_one_secret_from_another(
    migrated: Path, tmp_path: Path, name: str
) -> None:
    first, second = (Path(shutil.copy(migrated, tmp_path / f"{number}.db")) for number in range(2))
    steps, others = PAIRS[name]
    one, other = await _played(first, steps), await _played(second, others)
    assert one.keys() == other.keys()
    for what, shown in one.items():
        assert shown == other[what], what
    assert any(one.values())


async def _laid(anna: Phone, bo: Phone) -> None:
    await _to_begin(anna, bo, "infinity", begins=False)
    await _done(anna.say("/board table table:Streets"))
    await _done(anna.say("/board deploy side:Vanguard"))
    await _done(bo.say("/board deploy side:Nightfall"))


async def _moves_and_begins(anna: Phone, bo: Phone) -> None:
    """What everybody sees after a secret: with buttons for the newest entry, its log and its reasons."""
    await _done(anna.say("/board place model:Angus where:19 11"))
    await _done(bo.press("Ready"))
    await _done(anna.press("Begin"))
    winner = anna if "Play first" in await anna.page() else bo
    await _done(winner.press("Play first"))
    await _done(bo.say("/log"))


async def test_nobody_elses_pages_tell_that_a_model_was_hidden(migrated: Path, tmp_path: Path) -> None:
    """Neither ids nor numbers of versions or entries leave a gap, and nothing is sent at the time."""
    sent: list[dict[str, list[str]]] = []
    for number, places in enumerate(((), ("10 6", "12 6"))):
        async with room(Path(shutil.copy(migrated, tmp_path / f"{number}.db"))) as opened:
            anna, bo = await opened.opener("Anna"), await opened.join("Bo")
            others = Others(opened, [bo, await opened.join("Cy", "watch")])
            await _laid(anna, bo)
            await others.look()
            await others.listen()
            for place in places:
                await _done(anna.say(f"/board hide side:Vanguard who:Wraith where:{place}"))
                assert "Wraith is hidden at" in await anna.page()
            await others.look()
            await _moves_and_begins(anna, bo)
            await others.look()
            await others.end()
            sent.append(others.sent)
    without, hidden = sent
    assert without.keys() == hidden.keys()
    for what, shown in without.items():
        assert shown == hidden[what], what
