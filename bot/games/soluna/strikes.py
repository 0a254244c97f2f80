"""Dice that lie on the table: one attack on one model, from its roll until its flips are chosen.

Strikes that wait are kept in one thing row; the first of them is the one whose flips are asked for.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from bot.games.soluna.common import PENDING
from bot.games.soluna.fighters import model_of
from bot.games.soluna.ground import add_thing, packed, things
from bot.table.answering import Answered
from bot.table.encounter import Encounter
from rules.systems.soluna.advice import Choice, can_change, choices
from rules.systems.soluna.damage import Target, target_of
from rules.systems.soluna.grid import Counts
from rules.systems.soluna.models import Model
from rules.systems.soluna.settings import Settings


@dataclass(frozen=True, slots=True)
class Strike:
    """One attack rolled on one model.

    accuracy: flips of the attacker, below 0 those of the target. counts: dice by face. shield, cover,
    ignored: as the target is struck. item: the carried thing hit first. melee: with a melee weapon between
    two who stand in melee. lunge: the attacker falls where it does no damage. area: of an area effect.
    """

    attacker: int
    target: int
    weapon: str
    power: int
    accuracy: int
    counts: Counts
    shield: bool = True
    cover: int = 0
    ignored: tuple[str, ...] = ()
    item: str = ""
    melee: bool = False
    lunge: bool = False
    area: bool = False
    why: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """Carried things in the order in which the attacker wants them hit."""
        return (self.item,) if self.item else ()

    def struck(self, encounter: Encounter) -> tuple[Model, Target]:
        """The model that is struck, and what of it the hits meet."""
        model = model_of(encounter, encounter.model(self.target))
        ignored = frozenset(self.ignored)
        return model, target_of(model, shield=self.shield, cover=self.cover, ignored=ignored)

    def choices(self, encounter: Encounter, settings: Settings) -> tuple[Choice, ...]:
        """What whoever flips may make of the dice, best first."""
        _, target = self.struck(encounter)
        return choices(self.counts, self.accuracy, target, self.named, settings, self.is_on_friend(encounter))

    def is_on_friend(self, encounter: Encounter) -> bool:
        """Whether attacker and target are of one side, so that the attacker flips to spare it."""
        return encounter.model(self.attacker).side == encounter.model(self.target).side

    def is_open(self, encounter: Encounter, settings: Settings) -> bool:
        """Whether flips can change what the target loses."""
        _, target = self.struck(encounter)
        return can_change(self.counts, self.accuracy, target, self.named, settings)


def keep(encounter: Encounter, strikes: tuple[Strike, ...], row: int = 0) -> int:
    """Write the strikes that wait; gives the row's number, 0 where none is left."""
    content = packed([asdict(strike) for strike in strikes])
    found = next((one for one in things(encounter, PENDING) if one.id == row), None)
    if not strikes:
        if found is not None:
            encounter.book.remove(found)
        return 0
    if found is None:
        return add_thing(encounter, PENDING, "", content).id
    found.content = content
    return found.id


def waiting(encounter: Encounter, row: int = 0) -> tuple[int, tuple[Strike, ...]]:
    """The row and the strikes that wait in it; row 0: whichever there is. Raises InvalidInput."""
    for one in things(encounter, PENDING):
        if row in (0, one.id):
            return one.id, tuple(_read(each) for each in json.loads(one.content))
    raise Answered("No attack waits for flips.")


def _read(plain: dict[str, object]) -> Strike:
    lists = {key: tuple(value) for key, value in plain.items() if isinstance(value, list)}
    return Strike(**{**plain, **lists})  # type: ignore[arg-type]
