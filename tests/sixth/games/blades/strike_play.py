"""Blows and guards at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.systems.blades.blow import LIFE, Blow, prepare_blow, strike

from bot.actions import Action
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import GONE, Encounter
from bot.table.handlers import handles
from bot.table.journal.history import Undo
from bot.table.steps import Chances, Steps, in_steps
from bot.table.throw_purposes import Whose
from rules.effects import Gain, Harm, Leave, Lose
from rules.refusals import Forbidden, InvalidInput

STRUCK = "struck"
"""Counter of a model: the turn in which it last struck or guarded."""

GUARDS = "guarding"
WORDS = ("misses", "wounds", "wounds twice")


@dataclass(frozen=True, slots=True)
class Strike(Action):
    """Strike at the other."""

    command = "blades.strike"
    typed = "blades strike"

    model: Any = fields.own_model("Who strikes", mine=True, needed=True)
    target: Any = fields.foe("At whom; none: the other")
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class Guard(Action):
    """Strike nobody, and be harder to hit."""

    command = "blades.guard"
    typed = "blades guard"

    model: Any = fields.own_model("Who guards", mine=True, needed=True)


@dataclass(frozen=True, slots=True)
class Ready:
    """A blow, and by whom at whom, by their numbers."""

    by: int
    at: int
    blow: Blow


def has_struck(encounter: Encounter, model: ModelRow) -> bool:
    return model.counters.get(STRUCK, 0) == encounter.row.turn > 0


def fell(act: Act, model: ModelRow) -> list[str]:
    if model.status == GONE or model.damage < LIFE:
        return []
    act.encounter.apply([Leave(model.id, "down")])
    return [f"{model.name} is down."]


@in_steps(Strike)
class Striking(Steps[Strike, Ready, int, list[str]]):
    """A blow. Rules: BL-BLOW-01, BL-BLOW-02, BL-GUARD-01."""

    label = "Strike"

    def prepare(self, act: Act, action: Strike) -> Ready:
        encounter, by = act.encounter, action.model
        foes = [model for model in encounter.models() if model.side != by.side]
        if action.target is None and len(foes) != 1:
            raise InvalidInput(f"At whom? {', '.join(model.name for model in foes) or 'Nobody is there'}.")
        at = action.target or foes[0]
        if at.side == by.side:
            raise Forbidden(f"{at.name} is of its own side.", "BL-BLOW-01")
        guarded = encounter.condition(at.id, GUARDS) is not None
        return Ready(by.id, at.id, prepare_blow(struck=has_struck(encounter, by), guarded=guarded))

    def rule(self, dice: Any, ready: Ready) -> int:
        return strike(dice, ready.blow)

    def settle(self, act: Act, action: Strike, ready: Ready, outcome: int) -> list[str]:
        encounter = act.encounter
        by, at = encounter.model(ready.by), encounter.model(ready.at)
        by.counters[STRUCK] = encounter.row.turn
        encounter.apply([Lose(by.id, GUARDS), *([Harm(at.id, outcome)] if outcome else [])])
        face = act.fell[-1].faces[-1]
        return [f"{by.name} rolls {face} and {WORDS[outcome]} {at.name}.", *fell(act, at)]

    def tell(self, act: Act, action: Strike, ready: Ready, told: list[str]) -> Reply:
        return Reply(tuple(told), buttons=(Button("Undo", Undo()),))

    def chances(self, act: Act, action: Strike, ready: Ready) -> Chances:
        odds = act.solve(strike, ready.blow)
        by, at = act.encounter.model(ready.by), act.encounter.model(ready.at)
        each = odds.each()
        lines = bars([(word, each.get(wounds, 0.0)) for wounds, word in enumerate(WORDS)])
        hit = 1 - each.get(0, 0.0)
        return Chances((f"{by.name} at {at.name}:", *lines), "hits", hit, (odds,))

    def whose(self, action: Strike, ready: Ready) -> Whose:
        return Whose(action.model.name, "blow", f"{ready.blow.needed} or more")


@handles(Guard)
def guard(act: Act, action: Guard) -> Reply:
    """It is harder to hit until it strikes. Rules: BL-GUARD-01."""
    model = action.model
    prepare_blow(struck=has_struck(act.encounter, model), guarded=False)
    model.counters[STRUCK] = act.encounter.row.turn
    act.encounter.apply([Gain(model.id, GUARDS)])
    return Reply((f"{model.name} guards.",), buttons=(Button("Undo", Undo()),))
