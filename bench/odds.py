"""How long odds take through the whole bot: every Counterblast command that tells them, and big cases.

Everything is asked of one encounter, arranged once; the bot runs in a process of its own.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bench.path import bot_on
from bench.timing import percentile
from bot.actions import Action
from bot.app import add_commands, open_desk
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.ground.flames import StartFire
from bot.games.counterblast.ground.places import AddArea
from bot.games.counterblast.ground.walls import AddStructure
from bot.games.counterblast.melee.minders import HOLDS
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.counterblast.missions.objectives import LayPlaces
from bot.games.counterblast.missions.traps import TrapPlace
from bot.games.counterblast.psionics.powers import ChoosePowers
from bot.games.counterblast.setup.infiltration import Reserve
from bot.games.counterblast.state.vehicles import DRIVEN, DRIVEN_TURN
from bot.local.people import Person
from bot.local.server import LocalServer
from bot.store.engine import database_url
from bot.store.migration import migrate
from bot.table.act import Actor
from bot.table.request import Request
from bot.table.session.arrivals import AddModel
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import AddCondition, DamageModel
from rules.systems.counterblast.core.counters import Counter

LIMIT_MS = 100
ELSEWHERE = frozenset({"inf", "wz", "sol", "fe", "roll"})
"""Commands of other games, and of no game."""

UNMEASURED = frozenset({"spoils build", "spoils relic", "spoils use", "game terrain"})
"""Commands of a campaign, which no encounter has, and of the time before the first turn."""

KRAKENS = ("Ka", "Kb", "Kc", "Kd", "Ke")
BRUTES = ("Ba", "Bb", "Bc", "Bd", "Be")

FALLEN = ("Fallen one", "Fallen two", "Fallen three")
"""Heroes who lie down, so that Upkeep has models to test for panic."""

MODELS = (
    *(AddModel("Lancers", "Kraken", name) for name in KRAKENS),
    *(AddModel("Edo", "Brute", name) for name in BRUTES),
    AddModel("Edo", "Prime Leader", "Psion"),
    AddModel("Edo", "Prime Leader", "Helper one"),
    AddModel("Edo", "Prime Leader", "Helper two"),
    AddModel("Edo", "Mindstealer", "Minder"),
    AddModel("Lancers", "Strider", "Walker"),
    AddModel("Lancers", "Strider", "Wreck"),
    AddModel("Lancers", "Strider", "Mover"),
    AddModel("Lancers", "Smap", "Handy", carries="Grenade, Fire Extinguisher, Extraction Tool"),
    AddModel("Lancers", "Smap", "Sapper", carries="Bomb Kit Explosite, Breaching Charge"),
    AddModel("Lancers", "Defender", "Gunner"),
    AddModel("Lancers", "Smap", "Tinker", carries="Electronic Lockpick"),
    AddModel("Lancers", "GDF Ranger", "Pinned one"),
    AddModel("Lancers", "GDF Ranger", "Hidden one"),
    AddModel("Lancers", "GDF Ranger", "Shaken one"),
    AddModel("Lancers", "Smap", "Burning one"),
    AddModel("Lancers", "GDF Ranger", "Hurt one"),
    AddModel("Lancers", "Smap", "Runner"),
    AddModel("Lancers", "Smap", "Rider"),
    AddModel("Lancers", "GDF Ranger", "Late one"),
    *(AddModel("Edo", "Prime Leader", name) for name in FALLEN),
)

ARRANGED: tuple[Action, ...] = (
    StartDemo(),
    *MODELS,
    ChooseSecretly("Recovery", "Lancers", seeks="Grenade"),
    LayPlaces("6 20 12; 12 20 12; 18 20 12", "Lancers"),
    TrapPlace("Lancers B", "Edo"),
    Reserve("Late one"),
    NextStep(),
    *(ChoosePowers(name, ("blast", "telekinesis", "heal")) for name in ("Psion", "Helper one", "Helper two")),
    AddCondition("Pinned one", "pinned", 7),
    AddCondition("Hidden one", "hidden"),
    AddCondition("Shaken one", "panicked"),
    AddCondition("Burning one", "burning"),
    AddCondition("Walker", "burning"),
    DamageModel("Hurt one", 1),
    DamageModel("Wreck", 9),
    *(DamageModel(name, 9) for name in FALLEN),
    *(Engage("Smap", f"#{number}") for number in (9, 10, 11, 12)),
    AddArea("Slope", "dangerous", 3, 4),
    StartFire("Hay", 8),
    AddStructure("Door", "thin wall"),
)

MELEE = ", ".join(f"{one}>{other}" for one, other in zip(KRAKENS, BRUTES, strict=True))
CROSSED = ", ".join(
    f"{one}>{BRUTES[(place + step) % 5]}" for place, one in enumerate(KRAKENS) for step in (0, 1)
)

TWELVE = "Sally, Skip, Wanda, Runner, Hurt one, Rider, Handy, Tinker, Sapper, Burning one, Dr. Helen, HOpR"

CASES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("", "cb shoot", {"model": "Sally", "target": "Trapper", "distance": 6.0, "cover": 3}),
    ("two targets", "cb shoot", {"model": "Skip", "target": "Trapper", "distance": 6.0, "also": "Ba at 6"}),
    ("into a melee", "cb shoot", {"model": "Wanda", "target": "#9", "distance": 6.0, "how": "aim"}),
    ("five unlike", "cb team", {"shooters": "Sally, Skip, Wanda, Runner, Hurt one", "target": "Ba",
                               "distance": "6"}),
    ("twelve unlike", "cb team", {"shooters": TWELVE, "target": "Ba", "distance": "6"}),
    ("", "cb template", {"model": "Handy", "weapon": "Grenade", "distance": 6.0}),
    ("over eight", "cb template", {"model": "Handy", "weapon": "Grenade", "distance": 6.0, "cover": 2,
                                   "under": ", ".join(BRUTES), "partly": "Psion, Helper one, Helper two"}),
    ("a line of five", "cb template", {"model": "Gunner", "weapon": "Particle Beam Cannon",
                                       "under": ", ".join(BRUTES)}),
    ("", "cb check", {"model": "Sally", "ability": "INT", "target": 7}),
    ("", "cb rally", {"model": "Shaken one"}),
    ("", "cb panic", {"model": "Rider", "level": 6}),
    ("", "cb fight", {"model": "Ka", "target": "Ba"}),
    ("slash and dash", "cb fight", {"model": "Psion", "target": "Sally", "weapon": "Tentacle",
                                    "distance": 1.0, "how": "slash and dash"}),
    ("5 against 5", "cb melee", {"blows": MELEE}),
    ("5 against 5, crossed", "cb melee", {"blows": CROSSED}),
    ("5 against 1", "cb melee", {"blows": ", ".join(f"{one}>Ba" for one in KRAKENS)}),
    ("", "cb charge", {"model": "Ka", "target": "Ba", "distance": 5.0}),
    ("from four", "cb disengage", {"model": "Smap"}),
    ("", "cb free", {"model": "Pinned one"}),
    ("", "cb spot", {"model": "Psion", "target": "Hidden one"}),
    ("", "cb heal", {"model": "Dr. Helen", "patient": "Hurt one", "team": "Rider, GDF Medical Officer"}),
    ("", "cb repair", {"model": "Handy", "patient": "Wreck"}),
    ("", "cb tech", {"model": "Handy", "task": "Lift", "skill": "technology", "needed": 6}),
    ("", "cb move go", {"model": "Runner", "inches": 5.0}),
    ("", "cb move fall", {"model": "Rider", "height": 12.0}),
    ("", "cb move hold", {"model": "Hurt one", "height": 12.0}),
    ("", "cb move climb", {"model": "Rider", "inches": 3}),
    ("", "cb move jump", {"model": "Rider", "gap": 6.0, "drop": 3}),
    ("", "cb field enter", {"model": "Runner", "area": "Slope"}),
    ("", "cb field hazard", {"model": "Rider"}),
    ("", "cb field breach", {"model": "Ka", "wall": "Door", "distance": 0.0}),
    ("", "cb fire out", {"model": "Rider", "burning": "Burning one"}),
    ("", "cb fire hit", {"model": "Runner"}),
    ("", "gear use", {"model": "Handy", "item": "Fire Extinguisher", "target": "Hay"}),
    ("", "game call", {"model": "Late one"}),
    ("", "gear unlock", {"model": "Tinker", "door": "Door", "security": -2}),
    ("five near", "gear breach", {"model": "Sapper", "structure": "normal door", "near": ", ".join(BRUTES)}),
    ("", "gear drain", {"model": "Handy", "target": "Psion", "item": "Arc Rod", "distance": 1.0}),
    ("", "gear bomb", {"model": "Sapper", "bomb": "Bomb Kit Explosite"}),
    ("", "vehicle maneuver", {"model": "Walker"}),
    ("", "vehicle drive", {"model": "Mover", "inches": 4.0}),
    ("into five", "vehicle ram", {"model": "Walker", "inches": 12.0, "models": ", ".join(BRUTES)}),
    ("", "vehicle critical", {"model": "Wreck"}),
    ("", "vehicle burn", {"model": "Walker"}),
    ("", "vehicle leave", {"model": "Rider", "inches": 12.0}),
    ("five near", "gear explode", {"model": "Kb", "near": ", ".join(BRUTES)}),
    ("", "upkeep", {}),
    ("", "psi use", {"model": "Psion", "power": "Blast", "target": "Ka", "distance": "6"}),
    ("three together", "psi use", {"model": "Psion", "power": "Blast", "target": "Ka", "distance": "6",
                                   "helpers": "Helper one 2, Helper two 2"}),
    ("", "psi grapple", {"model": "Minder", "target": "Runner", "charging": 4.0}),
    ("", "psi control", {"model": "Minder", "target": "Runner"}),
    ("", "mission search", {"model": "Handy", "place": "Lancers A", "inches": 1.0}),
    ("", "mission salvage", {"model": "Handy"}),
    ("four under it", "mission spring", {"place": "Lancers B", "under": "Ba, Bb, Bc, Bd", "side": "Edo"}),
)  # fmt: skip
"""What is measured: a word for the case, the command, its options."""


class _Nobody(discord.Client):
    """A client that never connects: a command tree needs one."""


def commands_with_odds() -> set[str]:
    """The commands of Counterblast that answer `odds:true`, by path."""
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(_Nobody(intents=discord.Intents.none()))
    add_commands(tree)
    return {
        command.qualified_name
        for command in tree.walk_commands()
        if isinstance(command, app_commands.Command)
        and any(parameter.name == "odds" for parameter in command.parameters)
        and command.qualified_name.split()[0] not in ELSEWHERE
    }


async def arranged(folder: Path, channel: int, person: Person, guild: int) -> Path:
    """A database with the encounter that is asked. Raises ValueError where it cannot be arranged so."""
    path = folder / "odds.db"
    url = database_url(str(path))
    await migrate(url)
    actor = Actor(person.id, person.name, guild, channel, manages=True)
    async with open_desk(url) as desk:
        for number, action in enumerate(ARRANGED, 1):
            answer = await desk.perform(Request(action, actor, number))
            if not answer.changed:
                raise ValueError(f"{action}: {answer.reply.text}")
    with closing(sqlite3.connect(path)) as database:
        walker = database.execute("SELECT id FROM models WHERE name = 'Walker'").fetchone()[0]
        runner = database.execute("SELECT id FROM models WHERE name = 'Runner'").fetchone()[0]
        driven = {DRIVEN: 150, DRIVEN_TURN: 2}
        held = {HOLDS.of(runner): 1}
        for name, counters in (("Rider", {Counter.RIDES: walker}), ("Walker", driven), ("Minder", held)):
            database.execute("UPDATE models SET counters = ? WHERE name = ?", (json.dumps(counters), name))
        database.execute("UPDATE encounters SET turn = 2")
        database.commit()
    return path


async def _asked(person: Person, channel: int, command: str, options: dict[str, Any]) -> float:
    """Seconds until the odds are there. Raises ValueError where they are refused."""
    start = time.perf_counter()
    outcome = await person.slash(command, options | {"odds": True}, channel=channel)
    message = await outcome.message(30)
    spent = time.perf_counter() - start
    told = "Nothing is rolled." in message.text or "%" in message.text
    if message.only_for is None or not told:
        raise ValueError(f"/{command} {options}: {message.text}")
    return spent


async def measure(times: int) -> list[tuple[str, float, float]]:
    """Each case asked so many times, after one that is not counted: its name, p50 and p99 in ms.

    Raises ValueError where a command that answers odds has no case.
    """
    missing = commands_with_odds() - {command for _, command, _ in CASES} - UNMEASURED
    if missing:
        raise ValueError(f"no case for {', '.join(sorted(missing))}")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        async with LocalServer(channels=("table",), keep_requests=0) as server:
            channel = next(one.id for one in server.world.channels.values() if one.name == "table")
            person = server.person("p", admin=True)
            path = await arranged(Path(folder), channel, person, next(iter(server.world.guilds)))
            async with bot_on(server, path):
                for words, command, options in CASES:
                    await _asked(person, channel, command, options)
                    spent = [await _asked(person, channel, command, options) for _ in range(times)]
                    name = f"/{command}{f', {words}' if words else ''}"
                    found.append((name, percentile(spent, 0.5) * 1e3, percentile(spent, 0.99) * 1e3))
    return found


def rows(found: list[tuple[str, float, float]]) -> list[str]:
    """The rows of a table; what takes longer than the limit is marked."""
    lines = ["| odds of | p50 ms | p99 ms | |", "|---|---|---|---|"]
    for name, middle, worst in found:
        mark = f"over {LIMIT_MS}" if worst > LIMIT_MS else ""
        lines.append(f"| {name} | {middle:.1f} | {worst:.1f} | {mark} |")
    return lines
