"""Forgeries by somebody who has the code, the export and time, and who always seals the chain anew.

Each is refused with the entry named, or, where the whole game was made up, by a head that everybody saw.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bot.actions import from_json
from bot.store.journal import compact, link
from bot.store.scope import EMPTY_CHAIN
from bot.table.referee.again import referee
from bot.table.referee.verdict import Forged
from bot.table.request import Request
from tests.bot.referee.exported import exports
from tests.bot.tables import CHANNEL, GUILD, opened
from tests.bot.test_fair_dice import exported, sealed

ANNA, BO, CY = 100, 101, 177


@pytest.fixture(scope="module")
def true_game(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Words, undo, repeats, leave for fresh dice, table dice, a bag, an override, an end."""
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("true") / "table.db"))

    async def whole() -> bytes:
        async with opened(file) as table:
            return await exported(table)

    return asyncio.run(whole())


@dataclass
class Forger:
    """An export in the hands of somebody who alters it."""

    export: dict[str, Any]

    def __getitem__(self, seq: int) -> dict[str, Any]:
        return self.export["entries"][seq - 1]  # type: ignore[no-any-return]

    def put(self, seq: int, **columns: Any) -> None:
        self[seq].update(columns)

    def asks(self, seq: int, **said: Any) -> None:
        self.put(seq, asked=compact({**json.loads(self[seq]["asked"]), **said}))

    def by(self, seq: int, user: int, name: str) -> None:
        self.put(seq, actor=name, actor_id=user)
        self.asks(seq, who=[user, name])

    def faces(self, seq: int, *shown: int) -> None:
        fell = json.loads(self[seq]["faces"])
        self.put(seq, faces=compact([[sides, face] for (sides, _), face in zip(fell, shown, strict=True)]))

    def swap(self, seq: int, was: str, now: str, *columns: str) -> None:
        """Other words in columns of an entry."""
        for name in columns or ("changes", "reply", "title", "input", "asked"):
            self.put(seq, **{name: self[seq][name].replace(was, now)})

    def drop(self, seq: int) -> None:
        del self.export["entries"][seq - 1]
        self._number_anew(seq)

    def copy(self, seq: int) -> None:
        self.export["entries"].insert(seq, dict(self[seq]))
        self._number_anew(seq + 1)

    def _number_anew(self, first: int) -> None:
        for seq in range(first, len(self.export["entries"]) + 1):
            self[seq].update(seq=seq, parent=seq - 1)

    def sealed(self) -> bytes:
        return sealed(self.export)

    def chain(self, seq: int) -> str:
        """The head after an entry."""
        head = EMPTY_CHAIN
        for entry in self.export["entries"][:seq]:
            head = link(head, entry)
        return head


def other_seed(it: Forger) -> None:
    seed = "ab" * 32
    bound = sha256(bytes.fromhex(seed)).hexdigest()
    was, before = it.export["commitment"], it.export["seed"]
    for entry in it.export["entries"]:
        it.swap(entry["seq"], was, bound)
        it.swap(entry["seq"], before, seed)
    it.export.update(seed=seed, commitment=bound)


def extra_wound(it: Forger) -> None:
    written = json.loads(it[22]["changes"])
    row = next(row for row in json.loads(it[24]["changes"]) if row[0] == "models")
    scope_and_model = [row[1][0], 1]
    it.put(22, changes=compact([*written, ["models", scope_and_model, {"note": ["", "wounded"]}]]))


def wounds(it: Forger) -> None:
    written = json.loads(it[24]["changes"])
    row = next(row for row in written if row[0] == "models")
    row[2]["damage"] = [0, 9]
    it.put(24, changes=compact(written))


def thrown_at_the_table(it: Forger, seq: int) -> None:
    it.put(seq, dice="real", number=-1)
    it.faces(seq, *(1 for _ in json.loads(it[seq]["faces"])))


def brought_model(it: Forger) -> None:
    it.asks(2, outside=[])
    written = json.loads(it[2]["changes"])
    model = next(row for row in json.loads(it[1]["changes"]) if row[0] == "models")[2]
    it.put(2, changes=compact([*written, ["models", None, [model[0], 99, *model[2:]]]]))


def made_up_undo(it: Forger) -> None:
    it.put(25, kind="undo", command="undo", input="{}", parent=23, target=24, took=",24,")
    row = json.loads(it[24]["changes"])
    it.put(25, changes=compact([[t, k, {n: [b, a] for n, (a, b) in c.items()}] for t, k, c in row]))


FORGERIES: dict[str, tuple[int, Callable[[Forger], None]]] = {
    "another author by name": (4, lambda it: it.put(4, actor="bo")),
    "another author by name and number": (4, lambda it: it.put(4, actor="bo", actor_id=BO)),
    "another number of the author": (12, lambda it: it.put(12, actor_id=BO)),
    "who may not act is made the author": (21, lambda it: it.by(21, BO, "bo")),
    "a stranger draws": (23, lambda it: it.by(23, CY, "cy")),
    "leave for fresh dice by who rolled": (11, lambda it: it.by(11, ANNA, "anna")),
    "a stranger ends the game": (26, lambda it: it.by(26, BO, "bo")),
    "better faces": (12, lambda it: it.faces(12, 1000, 1000)),
    "one face": (3, lambda it: it.faces(3, 7, 7, 8, 10)),
    "faces in another order": (4, lambda it: it.faces(4, 5, 10, 6, 2, 6, 1, 2, 5)),
    "the last roll thrown at the table": (23, lambda it: thrown_at_the_table(it, 23)),
    "a middle roll thrown at the table": (20, lambda it: it.put(18, dice="real", number=-1)),
    "no dice at all": (23, lambda it: it.put(20, faces="[]", dice="", number=-1, repeats=0)),
    "faces of an entry that was freed": (
        12,
        lambda it: it.put(12, dice="repeat", repeats=9, faces=it[9]["faces"]),
    ),
    "faces borrowed of an unrelated roll": (
        8,
        lambda it: it.put(8, repeats=4, faces=it[4]["faces"]),
    ),
    "a repeat that names another entry": (20, lambda it: it.put(20, repeats=3)),
    "a repeat called fresh": (8, lambda it: it.put(8, dice="bot")),
    "another roll's number": (12, lambda it: it.put(12, number=4)),
    "typed faces": (17, lambda it: it.faces(17, 6, 6, 6)),
    "faces that were asked otherwise": (
        17,
        lambda it: it.asks(17, do=["dice.enter", '{"faces":[5,6]}']),
    ),
    "other faces that were asked": (16, lambda it: it.swap(16, "[1]", "[6]", "input", "asked")),
    "a changed row": (24, wounds),
    "a row that does not change": (24, lambda it: it.put(24, changes="[]")),
    "a row more": (22, extra_wound),
    "a dropped entry": (25, lambda it: it.drop(25)),
    "a dropped override": (25, lambda it: it.drop(24)),
    "dropped words": (19, lambda it: it.drop(13)),
    "an entry twice": (25, lambda it: it.copy(24)),
    "swapped order": (
        26,
        lambda it: it.export["entries"].__setitem__(
            slice(23, 25), [{**it[25], "seq": 24, "parent": 23}, {**it[24], "seq": 25, "parent": 24}]
        ),
    ),
    "a made-up undo": (25, made_up_undo),
    "an undo of another entry": (10, lambda it: it.put(10, target=8)),
    "an undo that took others": (7, lambda it: it.put(7, took=",6,")),
    "an undo that leaves another on top": (10, lambda it: it.put(10, parent=3)),
    "other words": (6, lambda it: it.swap(5, "a cup of tea", "a cup of ink")),
    "later words": (13, lambda it: it.swap(13, "é ~ über", "chosen")),
    "another seed": (3, other_seed),
    "another title": (24, lambda it: it.put(24, title="Trapper takes 2.")),
    "another reply": (3, lambda it: it.swap(3, "won the", "lost the", "reply")),
    "another reason": (24, lambda it: it.put(24, reason="as agreed")),
    "no reason": (24, lambda it: (it.put(24, reason=""), it.asks(24, why=""))[0]),
    "a reason that was not needed": (23, lambda it: it.put(23, reason="as agreed")),
    "another amount": (24, lambda it: it.put(24, input='{"amount":2,"model":"#15"}')),
    "another amount, asked so": (
        24,
        lambda it: it.asks(24, do=["model.damage", '{"amount":2,"model":"#15"}']),
    ),
    "a step beside the game": (25, lambda it: it.put(25, kind="aside")),
    "a step that counts as minor": (25, lambda it: it.put(25, minor=True)),
    "a minor step that counts": (16, lambda it: it.put(16, minor=False)),
    "a step in secret": (25, lambda it: it.put(25, quiet=True)),
    "another parent": (25, lambda it: it.put(25, parent=3)),
    "another key of the action": (12, lambda it: it.put(12, action_key="0" * 16)),
    "another command": (25, lambda it: it.put(25, command="model.heal")),
    "a command that there is not": (25, lambda it: it.asks(25, do=["cheat", "{}"])),
    "asked in no words": (25, lambda it: it.put(25, asked="{}")),
    "a model that was brought": (2, brought_model),
    "wounds that were brought": (24, lambda it: it.asks(24, outside=[])),
    "rows of the game from elsewhere": (
        25,
        lambda it: it.asks(25, outside=[[1, "encounter", GUILD, CHANNEL, {}]]),
    ),
    "another time": (26, lambda it: it.put(12, at_ms=1)),
    "another end": (26, lambda it: it.swap(26, "Lancers", "Winners", "reply")),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused_and_the_entry_named(name: str, true_game: bytes) -> None:
    entry, forge = FORGERIES[name]
    forger = Forger(json.loads(true_game))
    forge(forger)
    forged = forger.sealed()
    assert forged != true_game
    with pytest.raises(Forged, match=rf"^Entry {entry}\b"):
        asyncio.run(referee(forged))


def test_there_are_enough_of_them() -> None:
    assert len(FORGERIES) >= 40


def test_who_names_an_old_version_does_not_get_his_game_refereed(true_game: bytes) -> None:
    forger = Forger(json.loads(true_game))
    thrown_at_the_table(forger, 23)
    forger.put(23, version="0.1.0-00000000")
    verdict = asyncio.run(referee(forger.sealed()))
    assert not verdict.whole
    assert verdict.refereed == 22
    assert verdict.undecided


def test_heads_that_the_channel_showed_are_those_of_the_true_game_alone(true_game: bytes) -> None:
    forger = Forger(json.loads(true_game))
    whole, short = forger.chain(2), forger.chain(25)[:12]
    shown = [f"`{whole}`", f"Record {short[:4]} {short[4:8]} {short[8:]}"]
    assert asyncio.run(referee(true_game, shown)).heads == 2
    for wrong in ("0" * 64, short[:11], "no head", whole[:-1] + ("0" if whole[-1] != "0" else "1")):
        with pytest.raises(Forged):
            asyncio.run(referee(true_game, [*shown, wrong]))


async def made_up(true_game: bytes, file: Path, alter: Callable[[Forger], None]) -> bytes:
    """A whole game played anew by the bot's own code, as the forger would have had it."""
    forger = Forger(json.loads(true_game))
    alter(forger)
    async with opened(file) as table:
        for entry in forger.export["entries"]:
            said = json.loads(entry["asked"])
            actor = table.actor(said["who"][1])
            action = from_json(*said["do"])
            asked = Request(action, actor, next(table.interactions), reason=said.get("why", ""))
            await table.desk.perform(asked)
    return b""


@pytest.mark.parametrize(
    "alter",
    [
        lambda it: it.asks(5, do=["dice.words", '{"text":"the 3524th try"}']),
        lambda it: it.asks(4, who=[BO, "bo"]),
        lambda it: it.asks(16, do=["dice.enter", '{"faces":[6]}']),
        lambda it: it.asks(25, do=["undo", "{}"]),
    ],
    ids=["words that were tried out", "another author", "other table dice", "an undo"],
)
def test_a_game_that_was_made_up_whole_is_caught_by_the_heads(
    alter: Callable[[Forger], None], true_game: bytes, migrated: Path, tmp_path: Path
) -> None:
    file = Path(shutil.copy(migrated, tmp_path / "table.db"))
    asyncio.run(made_up(true_game, file, alter))
    (forged,) = exports(file)
    assert asyncio.run(referee(forged)).whole
    seen = [Forger(json.loads(true_game)).chain(25)]
    with pytest.raises(Forged, match="that the channel showed is not in this file"):
        asyncio.run(referee(forged, seen))
