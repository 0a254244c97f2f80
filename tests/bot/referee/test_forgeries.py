"""Forgeries by somebody who has the code, the export and time, and who always seals the chain anew.

He writes anew what the replies tell of the chain, too. Each is refused with the entry named, or, where what
he made up follows from the rules, by a head that everybody saw.
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
from bot.store.book import EMPTY_CHAIN
from bot.store.journal import compact, link
from bot.table.referee.checks import Forged
from bot.table.referee.game_replay import referee
from bot.table.request import Request
from bot.table.rolling.dice_settings import seal_of
from bot.version import NUMBER
from rules.dice import FairDice
from tests.bot.referee.exported import exports
from tests.bot.tables import CHANNEL, GUILD, opened
from tests.bot.test_fair_dice import exported, sealed

ANNA, BO, CY = 100, 101, 177

OTHER_BUILD = f"{NUMBER}-00000000"


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
        put = [[sides, face, *of] for (sides, _, *of), face in zip(fell, shown, strict=True)]
        self.put(seq, faces=compact(put))

    def swap(self, seq: int, was: str, now: str, *columns: str) -> None:
        """Other words in columns of an entry; where one column is named they must stand there."""
        assert len(columns) != 1 or was in self[seq][columns[0]] or was.startswith('"undo"')
        for name in columns or ("changes", "reply", "title", "input", "asked"):
            self.put(seq, **{name: self[seq][name].replace(was, now)})

    def drop(self, seq: int) -> None:
        del self.export["entries"][seq - 1]
        self._number_anew(seq)

    def copy(self, seq: int) -> None:
        self.export["entries"].insert(seq, dict(self[seq]))
        self._number_anew(seq + 1)

    def _number_anew(self, first: int) -> None:
        """Also in the Undo that belongs to each."""
        for seq in range(first, len(self.export["entries"]) + 1):
            was = self[seq]["seq"]
            self[seq].update(seq=seq, parent=seq - 1)
            self.swap(seq, f'"undo","{{\\"entry\\":{was}}}"', f'"undo","{{\\"entry\\":{seq}}}"', "reply")

    def sealed(self) -> bytes:
        """Return the export with a chain that fits."""
        return sealed(self.export)

    def chain(self, seq: int) -> str:
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


def other_words(it: Forger) -> None:
    given = next(row[2] for row in json.loads(it[4]["changes"]) if row[0] == "seals")
    words, salt = given[5:7]
    assert words == "a cup of tea"
    for seq in (4, 5):
        it.swap(seq, words, "a cup of ink")
        it.swap(seq, seal_of(f"{words} {salt}"), seal_of(f"a cup of ink {salt}"))


def extra_wound(it: Forger) -> None:
    written = json.loads(it[25]["changes"])
    row = next(row for row in json.loads(it[27]["changes"]) if row[0] == "models")
    scope_and_model = [row[1][0], 1]
    it.put(25, changes=compact([*written, ["models", scope_and_model, {"note": ["", "wounded"]}]]))


def wounds(it: Forger) -> None:
    written = json.loads(it[27]["changes"])
    row = next(row for row in written if row[0] == "models")
    row[2]["damage"] = [0, 9]
    it.put(27, changes=compact(written))


def thrown_at_the_table(it: Forger, seq: int) -> None:
    it.put(seq, dice="real", number=-1)
    it.faces(seq, *(1 for _ in json.loads(it[seq]["faces"])))


def brought_model(it: Forger) -> None:
    it.asks(2, outside=[])
    written = json.loads(it[2]["changes"])
    model = next(row for row in json.loads(it[1]["changes"]) if row[0] == "models")[2]
    it.put(2, changes=compact([*written, ["models", None, [model[0], 99, *model[2:]]]]))


def made_up_undo(it: Forger) -> None:
    it.put(28, kind="undo", command="undo", input="{}", parent=26, target=27, took=",27,")
    row = json.loads(it[27]["changes"])
    it.put(28, changes=compact([[t, k, {n: [b, a] for n, (a, b) in c.items()}] for t, k, c in row]))


def told_hashes(it: Forger, *places: int) -> None:
    """Another note, and what stood in the chain told as if a name had been taken out."""
    true = {place: it.chain(place) for place in places}
    it.swap(16, "a second cup", "a third cup")
    for place in places:
        it.put(place, stood=true[place])


def a_roll_more(it: Forger, seq: int) -> None:
    """One with the faces that its number gives, so that those of the next are later ones."""
    words = [row[2][3] for row in json.loads(it[6]["changes"]) if row[0] == "words"]
    shown = FairDice(bytes.fromhex(it.export["seed"]), words, 6).faces(2, 1000, "")
    it.export["entries"].insert(seq - 1, dict(it[15]))
    it._number_anew(seq)
    it.put(seq, number=6)
    it.faces(seq, *shown)
    told = f"{shown[0]}, {shown[1]} = {sum(shown)}"
    it.swap(seq, "95, 360 = 455", told, "reply")
    it.swap(seq, "anna: 455", f"anna: {sum(shown)}", "reply", "title")


def rolled_otherwise(it: Forger, seq: int, expression: str) -> None:
    """Another roll with the faces that fell before, as far as it has dice."""
    it.swap(seq, "3d6+2d20", expression, "input", "asked")
    dice = 3 + expression.count("20")
    it.put(seq, faces=compact(json.loads(it[seq]["faces"])[:dice]))


def swapped_order(it: Forger) -> None:
    it.export["entries"][26:28] = reversed(it.export["entries"][26:28])
    it._number_anew(27)


FORGERIES: dict[str, tuple[int, Callable[[Forger], None]]] = {
    "another author by name": (7, lambda it: it.put(7, actor="bo")),
    "another author by name and number": (7, lambda it: it.put(7, actor="bo", actor_id=BO)),
    "another number of the author": (15, lambda it: it.put(15, actor_id=BO)),
    "who may not act is made the author": (24, lambda it: it.by(24, BO, "bo")),
    "a stranger draws": (26, lambda it: it.by(26, CY, "cy")),
    "leave for fresh dice by who rolled": (14, lambda it: it.by(14, ANNA, "anna")),
    "a stranger ends the game": (29, lambda it: it.by(29, BO, "bo")),
    "better faces": (15, lambda it: it.faces(15, 1000, 1000)),
    "one face": (6, lambda it: it.faces(6, 2, 9)),
    "faces in another order": (7, lambda it: it.faces(7, 5, 10, 6, 2, 6, 1, 2, 5)),
    "the last roll thrown at the table": (26, lambda it: thrown_at_the_table(it, 26)),
    "a middle roll thrown at the table": (21, lambda it: it.put(21, dice="real", number=-1)),
    "no dice at all": (23, lambda it: it.put(23, faces="[]", dice="", number=-1, repeats=0)),
    "faces of an entry that was freed": (
        15,
        lambda it: it.put(15, dice="repeat", repeats=12, faces=it[12]["faces"]),
    ),
    "faces borrowed of an unrelated roll": (
        11,
        lambda it: it.put(11, repeats=7, faces=it[7]["faces"]),
    ),
    "a repeat that names another entry": (23, lambda it: it.put(23, repeats=6)),
    "a fresh roll that says it repeats one of other dice": (15, lambda it: it.put(15, repeats=9)),
    "a repeat called fresh": (11, lambda it: it.put(11, dice="bot")),
    "another roll's number": (15, lambda it: it.put(15, number=4)),
    "typed faces": (20, lambda it: it.faces(20, 6, 6, 6)),
    "faces that were asked otherwise": (
        20,
        lambda it: it.asks(20, do=["dice.enter", '{"faces":[5,6]}']),
    ),
    "other faces that were asked": (19, lambda it: it.swap(19, "[1]", "[6]", "input", "asked")),
    "a changed row": (27, wounds),
    "a row that does not change": (27, lambda it: it.put(27, changes="[]")),
    "a row more": (25, extra_wound),
    "a dropped override": (28, lambda it: it.drop(27)),
    "dropped words": (3, lambda it: it.drop(3)),
    "an entry twice": (28, lambda it: it.copy(27)),
    "a made-up undo": (28, made_up_undo),
    "an undo of another entry": (13, lambda it: it.put(13, target=11)),
    "an undo that took others": (10, lambda it: it.put(10, took=",9,")),
    "an undo that leaves another on top": (13, lambda it: it.put(13, parent=6)),
    "other words": (4, lambda it: it.swap(4, "a cup of tea", "a cup of ink")),
    "other words, opened": (6, lambda it: it.swap(6, "a cup of tea", "a cup of ink", "changes", "reply")),
    "other words from the start": (4, lambda it: other_words(it)),
    "words of another": (4, lambda it: it.by(4, BO, "bo")),
    "words when the game has begun": (
        8,
        lambda it: it.asks(8, do=["dice.words", '{"text":"a cup of ink"}']),
    ),
    "another seed": (3, other_seed),
    "another title": (27, lambda it: it.put(27, title="Trapper takes 2.")),
    "another reply": (6, lambda it: it.swap(6, "won the", "lost the", "reply")),
    "another reason": (27, lambda it: it.put(27, reason="as agreed")),
    "no reason": (27, lambda it: (it.put(27, reason=""), it.asks(27, why=""))[0]),
    "a reason that was not needed": (26, lambda it: it.put(26, reason="as agreed")),
    "another amount": (27, lambda it: it.put(27, input='{"amount":2,"model":"#15"}')),
    "another amount, asked so": (
        27,
        lambda it: it.asks(27, do=["model.damage", '{"amount":2,"model":"#15"}']),
    ),
    "a step beside the game": (28, lambda it: it.put(28, kind="aside")),
    "a step that counts as minor": (28, lambda it: it.put(28, minor=True)),
    "a minor step that counts": (19, lambda it: it.put(19, minor=False)),
    "a step in secret": (28, lambda it: it.put(28, quiet=True)),
    "another parent": (28, lambda it: it.put(28, parent=6)),
    "another key of the action": (15, lambda it: it.put(15, action_key="0" * 16)),
    "another command": (28, lambda it: it.put(28, command="model.heal")),
    "a command that there is not": (28, lambda it: it.asks(28, do=["cheat", "{}"])),
    "asked in no words": (28, lambda it: it.put(28, asked="{}")),
    "a model that was brought": (2, brought_model),
    "wounds that were brought": (27, lambda it: it.asks(27, outside=[])),
    "rows of the game from elsewhere": (
        28,
        lambda it: it.asks(28, outside=[[1, "encounter", GUILD, CHANNEL, {}]]),
    ),
    "a time that is none": (15, lambda it: it.put(15, at_ms=-(10**40))),
    "a reply that is none": (15, lambda it: it.put(15, reply="455")),
    "a reply of no lines": (15, lambda it: it.put(15, reply='{"lines":5}')),
    "a reply that nobody reads to its end": (15, lambda it: it.put(15, reply="[" * 10**5)),
    "dice of no sides": (15, lambda it: it.put(15, faces="[[0,0],[0,0]]")),
    "a key of somebody who is gone": (15, lambda it: it.put(15, action_key="\ue000" + "0" * 16 + "\ue001")),
    "a version that is none": (15, lambda it: it.put(15, version="5")),
    "a number in letters": (15, lambda it: it.put(15, parent="14")),
    "a one in the place of a yes": (19, lambda it: it.put(19, minor=1)),
    "a hash told of one who is not gone": (16, lambda it: told_hashes(it, 16)),
    "another time under a hash that is told": (15, lambda it: it.put(15, at_ms=1, stood=it.chain(15))),
    "hashes told from there on": (16, lambda it: told_hashes(it, *range(16, 30))),
    "an entry that says no version any more": (27, lambda it: it.put(27, version="", asked="")),
    "asked in another server": (15, lambda it: it.asks(15, where=[GUILD + 1, CHANNEL])),
    "asked in another channel": (15, lambda it: it.asks(15, where=[GUILD, CHANNEL + 1])),
    "asked at a time that nobody read": (15, lambda it: it.asks(15, clock=5)),
    "other games found that nobody looked for": (15, lambda it: it.asks(15, games={"a=b": []})),
    "more asked than there is": (15, lambda it: it.asks(15, more="faces")),
    "an undo of more steps": (13, lambda it: it.asks(13, do=["undo", '{"steps":2}'])),
    "an undo that was dropped": (10, lambda it: it.drop(10)),
    "leave for fresh dice that was dropped": (14, lambda it: it.drop(14)),
    "a roll between two": (19, lambda it: a_roll_more(it, 16)),
    "a roll that was undone, of other dice": (11, lambda it: rolled_otherwise(it, 11, "3d6+1d20")),
    "a roll that was undone, of fewer dice": (11, lambda it: rolled_otherwise(it, 11, "3d6")),
    "borrowed faces under another version": (
        15,
        lambda it: it.put(15, version=OTHER_BUILD, repeats=7, faces="[[1000,533],[1000,769]]"),
    ),
    "faces of later under another version": (15, lambda it: it.put(15, version=OTHER_BUILD, repeats=23)),
    "another end": (29, lambda it: it.swap(29, "Lancers", "Winners", "reply")),
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
    assert len(FORGERIES) >= 80


def test_who_names_an_old_version_does_not_get_his_game_refereed(true_game: bytes) -> None:
    forger = Forger(json.loads(true_game))
    thrown_at_the_table(forger, 26)
    forger.put(26, version="0.1.0-00000000")
    verdict = asyncio.run(referee(forger.sealed()))
    assert not verdict.whole
    assert verdict.refereed == 25
    assert verdict.undecided


def test_heads_that_the_channel_showed_are_those_of_the_true_game_alone(true_game: bytes) -> None:
    forger = Forger(json.loads(true_game))
    whole, short = forger.chain(2), forger.chain(28)[:12]
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
        lambda it: it.asks(4, do=["dice.words", '{"text":"the 3524th try"}']),
        lambda it: it.asks(7, who=[BO, "bo"]),
        lambda it: it.asks(19, do=["dice.enter", '{"faces":[6]}']),
        lambda it: it.asks(28, do=["undo", "{}"]),
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
    seen = [Forger(json.loads(true_game)).chain(28)]
    with pytest.raises(Forged, match="is not in this file"):
        asyncio.run(referee(forged, seen))
