"""Forgeries by somebody who has the code, the export and time, and who always seals the chain anew.

He writes anew what the replies tell of the chain, too. Each is refused with the entry named, or, where what
he made up follows from the rules, by a head that everybody saw.
"""

from __future__ import annotations

import asyncio
import json
import re
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

HEAD_TOLD = re.compile(r'(Record so far:","`)[0-9a-f]{64}')

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
        """Also in the Undo that belongs to each."""
        for seq in range(first, len(self.export["entries"]) + 1):
            was = self[seq]["seq"]
            self[seq].update(seq=seq, parent=seq - 1)
            self.swap(seq, f'"undo","{{\\"entry\\":{was}}}"', f'"undo","{{\\"entry\\":{seq}}}"', "reply")

    def sealed(self) -> bytes:
        """With a chain that fits, also where replies tell it."""
        head = EMPTY_CHAIN
        for entry in self.export["entries"]:
            if type(entry["reply"]) is str:
                entry["reply"] = HEAD_TOLD.sub(rf"\g<1>{head}", entry["reply"])
            head = link(head, entry)
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


def other_words(it: Forger) -> None:
    """With the SHA-256 that closes them."""
    given = next(row[2] for row in json.loads(it[4]["changes"]) if row[0] == "seals")
    words, salt = given[5:7]
    assert words == "a cup of tea"
    for seq in (4, 5):
        it.swap(seq, words, "a cup of ink")
        it.swap(seq, seal_of(f"{words} {salt}"), seal_of(f"a cup of ink {salt}"))


def extra_wound(it: Forger) -> None:
    written = json.loads(it[24]["changes"])
    row = next(row for row in json.loads(it[26]["changes"]) if row[0] == "models")
    scope_and_model = [row[1][0], 1]
    it.put(24, changes=compact([*written, ["models", scope_and_model, {"note": ["", "wounded"]}]]))


def wounds(it: Forger) -> None:
    written = json.loads(it[26]["changes"])
    row = next(row for row in written if row[0] == "models")
    row[2]["damage"] = [0, 9]
    it.put(26, changes=compact(written))


def thrown_at_the_table(it: Forger, seq: int) -> None:
    it.put(seq, dice="real", number=-1)
    it.faces(seq, *(1 for _ in json.loads(it[seq]["faces"])))


def brought_model(it: Forger) -> None:
    it.asks(2, outside=[])
    written = json.loads(it[2]["changes"])
    model = next(row for row in json.loads(it[1]["changes"]) if row[0] == "models")[2]
    it.put(2, changes=compact([*written, ["models", None, [model[0], 99, *model[2:]]]]))


def made_up_undo(it: Forger) -> None:
    it.put(27, kind="undo", command="undo", input="{}", parent=25, target=26, took=",26,")
    row = json.loads(it[26]["changes"])
    it.put(27, changes=compact([[t, k, {n: [b, a] for n, (a, b) in c.items()}] for t, k, c in row]))


def told_hashes(it: Forger, *places: int) -> None:
    """Another note, and what stood in the chain told as if a name had been taken out."""
    true = {place: it.chain(place) for place in places}
    it.swap(15, "a second cup", "a third cup")
    for place in places:
        it.put(place, stood=true[place])


def a_roll_more(it: Forger, seq: int) -> None:
    """One with the faces that its number gives, so that those of the next are later ones."""
    words = [row[2][3] for row in json.loads(it[5]["changes"]) if row[0] == "words"]
    shown = FairDice(bytes.fromhex(it.export["seed"]), words, 6).faces(2, 1000, "")
    it.export["entries"].insert(seq - 1, dict(it[14]))
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
    it.export["entries"][25:27] = reversed(it.export["entries"][25:27])
    it._number_anew(26)


FORGERIES: dict[str, tuple[int, Callable[[Forger], None]]] = {
    "another author by name": (6, lambda it: it.put(6, actor="bo")),
    "another author by name and number": (6, lambda it: it.put(6, actor="bo", actor_id=BO)),
    "another number of the author": (14, lambda it: it.put(14, actor_id=BO)),
    "who may not act is made the author": (23, lambda it: it.by(23, BO, "bo")),
    "a stranger draws": (25, lambda it: it.by(25, CY, "cy")),
    "leave for fresh dice by who rolled": (13, lambda it: it.by(13, ANNA, "anna")),
    "a stranger ends the game": (28, lambda it: it.by(28, BO, "bo")),
    "better faces": (14, lambda it: it.faces(14, 1000, 1000)),
    "one face": (5, lambda it: it.faces(5, 2, 9)),
    "faces in another order": (6, lambda it: it.faces(6, 5, 10, 6, 2, 6, 1, 2, 5)),
    "the last roll thrown at the table": (25, lambda it: thrown_at_the_table(it, 25)),
    "a middle roll thrown at the table": (20, lambda it: it.put(20, dice="real", number=-1)),
    "no dice at all": (22, lambda it: it.put(22, faces="[]", dice="", number=-1, repeats=0)),
    "faces of an entry that was freed": (
        14,
        lambda it: it.put(14, dice="repeat", repeats=11, faces=it[11]["faces"]),
    ),
    "faces borrowed of an unrelated roll": (
        10,
        lambda it: it.put(10, repeats=6, faces=it[6]["faces"]),
    ),
    "a repeat that names another entry": (22, lambda it: it.put(22, repeats=5)),
    "a fresh roll that says it repeats one of other dice": (14, lambda it: it.put(14, repeats=8)),
    "a repeat called fresh": (10, lambda it: it.put(10, dice="bot")),
    "another roll's number": (14, lambda it: it.put(14, number=4)),
    "typed faces": (19, lambda it: it.faces(19, 6, 6, 6)),
    "faces that were asked otherwise": (
        19,
        lambda it: it.asks(19, do=["dice.enter", '{"faces":[5,6]}']),
    ),
    "other faces that were asked": (18, lambda it: it.swap(18, "[1]", "[6]", "input", "asked")),
    "a changed row": (26, wounds),
    "a row that does not change": (26, lambda it: it.put(26, changes="[]")),
    "a row more": (24, extra_wound),
    "a dropped override": (27, lambda it: it.drop(26)),
    "dropped words": (3, lambda it: it.drop(3)),
    "an entry twice": (27, lambda it: it.copy(26)),
    "swapped order": (28, swapped_order),
    "a made-up undo": (27, made_up_undo),
    "an undo of another entry": (12, lambda it: it.put(12, target=10)),
    "an undo that took others": (9, lambda it: it.put(9, took=",8,")),
    "an undo that leaves another on top": (12, lambda it: it.put(12, parent=5)),
    "other words": (4, lambda it: it.swap(4, "a cup of tea", "a cup of ink")),
    "other words, opened": (5, lambda it: it.swap(5, "a cup of tea", "a cup of ink", "changes", "reply")),
    "other words from the start": (4, lambda it: other_words(it)),
    "words of another": (4, lambda it: it.by(4, BO, "bo")),
    "words when the game has begun": (
        7,
        lambda it: it.asks(7, do=["dice.words", '{"text":"a cup of ink"}']),
    ),
    "another seed": (3, other_seed),
    "another title": (26, lambda it: it.put(26, title="Trapper takes 2.")),
    "another reply": (5, lambda it: it.swap(5, "won the", "lost the", "reply")),
    "another reason": (26, lambda it: it.put(26, reason="as agreed")),
    "no reason": (26, lambda it: (it.put(26, reason=""), it.asks(26, why=""))[0]),
    "a reason that was not needed": (25, lambda it: it.put(25, reason="as agreed")),
    "another amount": (26, lambda it: it.put(26, input='{"amount":2,"model":"#15"}')),
    "another amount, asked so": (
        26,
        lambda it: it.asks(26, do=["model.damage", '{"amount":2,"model":"#15"}']),
    ),
    "a step beside the game": (27, lambda it: it.put(27, kind="aside")),
    "a step that counts as minor": (27, lambda it: it.put(27, minor=True)),
    "a minor step that counts": (18, lambda it: it.put(18, minor=False)),
    "a step in secret": (27, lambda it: it.put(27, quiet=True)),
    "another parent": (27, lambda it: it.put(27, parent=5)),
    "another key of the action": (14, lambda it: it.put(14, action_key="0" * 16)),
    "another command": (27, lambda it: it.put(27, command="model.heal")),
    "a command that there is not": (27, lambda it: it.asks(27, do=["cheat", "{}"])),
    "asked in no words": (27, lambda it: it.put(27, asked="{}")),
    "a model that was brought": (2, brought_model),
    "wounds that were brought": (26, lambda it: it.asks(26, outside=[])),
    "rows of the game from elsewhere": (
        27,
        lambda it: it.asks(27, outside=[[1, "encounter", GUILD, CHANNEL, {}]]),
    ),
    "a time that is none": (14, lambda it: it.put(14, at_ms=-(10**40))),
    "a reply that is none": (14, lambda it: it.put(14, reply="455")),
    "a reply of no lines": (14, lambda it: it.put(14, reply='{"lines":5}')),
    "a reply that nobody reads to its end": (14, lambda it: it.put(14, reply="[" * 10**5)),
    "dice of no sides": (14, lambda it: it.put(14, faces="[[0,0],[0,0]]")),
    "a key of somebody who is gone": (14, lambda it: it.put(14, action_key="\ue000" + "0" * 16 + "\ue001")),
    "a version that is none": (14, lambda it: it.put(14, version="5")),
    "a number in letters": (14, lambda it: it.put(14, parent="13")),
    "a one in the place of a yes": (18, lambda it: it.put(18, minor=1)),
    "a hash told of one who is not gone": (15, lambda it: told_hashes(it, 15)),
    "another time under a hash that is told": (14, lambda it: it.put(14, at_ms=1, stood=it.chain(14))),
    "hashes told from there on": (15, lambda it: told_hashes(it, *range(15, 29))),
    "an entry that says no version any more": (26, lambda it: it.put(26, version="", asked="")),
    "asked in another server": (14, lambda it: it.asks(14, where=[GUILD + 1, CHANNEL])),
    "asked in another channel": (14, lambda it: it.asks(14, where=[GUILD, CHANNEL + 1])),
    "asked at a time that nobody read": (14, lambda it: it.asks(14, clock=5)),
    "other games found that nobody looked for": (14, lambda it: it.asks(14, games={"a=b": []})),
    "more asked than there is": (14, lambda it: it.asks(14, more="faces")),
    "an undo of more steps": (12, lambda it: it.asks(12, do=["undo", '{"steps":2}'])),
    "an undo that was dropped": (9, lambda it: it.drop(9)),
    "leave for fresh dice that was dropped": (13, lambda it: it.drop(13)),
    "a roll between two": (18, lambda it: a_roll_more(it, 15)),
    "a roll that was undone, of other dice": (10, lambda it: rolled_otherwise(it, 10, "3d6+1d20")),
    "a roll that was undone, of fewer dice": (10, lambda it: rolled_otherwise(it, 10, "3d6")),
    "borrowed faces under another version": (
        14,
        lambda it: it.put(14, version=OTHER_BUILD, repeats=6, faces="[[1000,533],[1000,769]]"),
    ),
    "faces of later under another version": (14, lambda it: it.put(14, version=OTHER_BUILD, repeats=22)),
    "another end": (28, lambda it: it.swap(28, "Lancers", "Winners", "reply")),
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
    thrown_at_the_table(forger, 25)
    forger.put(25, version="0.1.0-00000000")
    verdict = asyncio.run(referee(forger.sealed()))
    assert not verdict.whole
    assert verdict.refereed == 24
    assert verdict.undecided


def test_heads_that_the_channel_showed_are_those_of_the_true_game_alone(true_game: bytes) -> None:
    forger = Forger(json.loads(true_game))
    whole, short = forger.chain(2), forger.chain(27)[:12]
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
        lambda it: it.asks(6, who=[BO, "bo"]),
        lambda it: it.asks(18, do=["dice.enter", '{"faces":[6]}']),
        lambda it: it.asks(27, do=["undo", "{}"]),
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
    seen = [Forger(json.loads(true_game)).chain(27)]
    with pytest.raises(Forged, match="that the channel showed is not in this file"):
        asyncio.run(referee(forged, seen))
