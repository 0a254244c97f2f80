"""Random hazards at the table, and gear that acid ate, mended."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through
from bot.games.counterblast.core.fields import who
from bot.games.counterblast.core.narration import Finishing, Telling, finish
from bot.games.counterblast.core.throwers import labelled
from bot.games.counterblast.ground.areas import add_area
from bot.games.counterblast.ground.field_play import note_checks
from bot.games.counterblast.ground.fires import add_fire
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.rolling.throws import Cast, Whose
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.effects import Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.movement.ground import (
    Hazard,
    HazardArea,
    after_random_hazard,
    hazard_fire,
    random_hazard,
    reset_acid,
)
from rules.wording import times


@dataclass(frozen=True, slots=True)
class RandomHazard(Action):
    """Roll a random hazard on a model.

    It is 5 in across, centred on the model.
    """

    command = "cb.hazard"
    typed = "cb field hazard"
    titled = "Random hazard"

    model: Fighter = who()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class MendGear(Action):
    """Gear eaten by acid is mended.

    It is repaired or replaced.
    """

    command = "cb.gear"
    typed = "cb field gear"
    titled = "Mend eaten gear"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class ReadyHazard:
    """Whom a random hazard comes upon."""

    model: Fighter


@in_steps(RandomHazard)
class HazardComing(Finishing[RandomHazard, ReadyHazard, HazardArea]):
    """Kind and grade by the chart; it stays on the table, and what it does at once is asked for."""

    def prepare(self, act: Act, action: RandomHazard) -> ReadyHazard:
        """Who it is."""
        return ReadyHazard(action.model)

    def whose(self, action: RandomHazard, ready: ReadyHazard) -> Cast:
        """The model's player throws for the chart."""
        return labelled(
            Whose(ready.model.name, "random hazard", "on its chart"),
            grade=Whose(ready.model.name, "random hazard", "for its grade"),
        )

    def rule(self, dice: Dice, ready: ReadyHazard) -> HazardArea:
        """The chart."""
        return random_hazard(dice)

    def settle(self, act: Act, action: RandomHazard, ready: ReadyHazard, outcome: HazardArea) -> Telling:
        """It lies on the table."""
        model, area = ready.model, outcome
        kind, telling = area.hazard.value.replace("_", " "), Telling()
        if area.hazard is Hazard.FIRE:
            name = add_fire(act.encounter, "fire", hazard_fire(area, max(1, act.encounter.row.turn)))
            telling.lines.append(f"{name}: fire R5 on {model.name}, {times(area.grade, 'turn')} long.")
        else:
            name = add_area(act.encounter, kind, area.hazard.value, area.grade)
            telling.lines.append(f"{name} [{area.grade}] R5 on {model.name}.")
        for effect in after_random_hazard(model, area):
            telling.follow(act, (_named(effect, name) if isinstance(effect, Propose) else effect,))
        note_checks(act.encounter, telling.proposals)
        if area.hazard is Hazard.FIRE and again(act, model).conditions != model.conditions:
            telling.lines.append(f"{model.name} is burning.")
        return telling

    def chances(self, act: Act, action: RandomHazard, ready: ReadyHazard) -> Chances:
        """How likely each kind is."""
        kinds = act.solve(self.rule, ready).map(lambda area: area.hazard)
        shown = [(kind.value.replace("_", " "), chance) for kind, chance in kinds.each().items()]
        return Chances((f"A random hazard on {ready.model.name}:", *bars(shown)), solved=(kinds,))


def _named(proposal: Propose, area: str) -> Propose:
    return replace(proposal, details=(*proposal.details, ("area", area)))


@handles(MendGear)
def mend_gear(act: Act, action: MendGear) -> Reply:
    """Its shield dice are whole again."""
    model = action.model
    effects = reset_acid(model)
    if not effects:
        raise InvalidInput(f"No acid has eaten the gear of {model.name}.")
    carry_through(act, effects)
    return finish(act, Telling([f"{model.name} has its {again(act, model).shield} shield dice again."]))
