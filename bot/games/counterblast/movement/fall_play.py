"""Falling at the table: holding on at an edge, the fall itself, who is struck below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, numbered
from bot.games.counterblast.core.common import again, carry_through, settings, token_price
from bot.games.counterblast.core.fields import order, several_by_number, who
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.core.narration import (
    Finishing,
    ReadyCheck,
    Telling,
    Throwing,
    model_choices,
    offers,
    passing,
    require_between,
    wound,
)
from bot.games.counterblast.core.throwers import crashed
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.movement.crashes import MOST_STRUCK, Crash, crash_chances
from bot.games.counterblast.shooting.recalled import forget
from bot.replies.reply import Blank, Button, Menu, Reply, form
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import GONE, Encounter, set_counter
from bot.table.rolling.throws import Cast, Whose, each
from bot.table.steps import Chances, as_done, in_steps
from rules.counters import CounterName
from rules.dice import Dice
from rules.effects import Propose
from rules.systems.counterblast.core.checks import Throw, one_success
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice, impact, struck_dice
from rules.systems.counterblast.core.profile import Size
from rules.systems.counterblast.movement.environment import Fall, Faller, fall, prepare_holding_on
from rules.wording import times

HIGHEST = 1000

FALLS = CounterName("has to fall")
"""Counter of a model that lost its hold: 1, and the tenths of an inch that it falls where that is known."""


@dataclass(frozen=True, slots=True)
class TakeFall(Action):
    """Fall, and strike who is below.

    Straight down. height 0: from where it stands. onto: models that it strikes. ask: first ask who they are.
    """

    command = "cb.fall"
    typed = "cb move fall"
    titled = "Fall"

    model: Fighter = who(gone=True)
    height: float = fields.inches("Inches", default=0.0, fact=True)
    onto: tuple[Fighter, ...] = several_by_number(fact=True)
    ask: bool = fields.switch("Ask who is below", called="onto")
    odds: bool = fields.odds()

    def when_typed(self) -> TakeFall:
        """Odds are of the model alone: nobody is asked who is below."""
        return replace(self, ask=self.ask and not self.odds)


@dataclass(frozen=True, slots=True)
class HoldOn(Action):
    """Hurt at an edge: try not to fall."""

    command = "cb.hold"
    typed = "cb move hold"
    titled = "Hold on at an edge"

    model: Fighter = who()
    height: float = fields.inches("Inches up", 0.0, 200.0, default=0.0, fact=True)
    order: bool = order()
    odds: bool = fields.odds()


DEPTH = form("cb.fall", "Fall", Blank("height", "Inches it falls", longest=5))


@in_steps(TakeFall)
class TakingFall(Finishing[TakeFall, Crash, Fall]):
    """Dice for every full 3 in on the one who falls and on everybody below; no shields."""

    label = "Fall"

    def prepare(self, act: Act, action: TakeFall) -> Crash:
        """From where it stands, or the height that is said. Raises InvalidInput, NotAllowed."""
        model = action.model
        height = action.height or float(model.count(Counter.HEIGHT))
        require_between(height, 0, HIGHEST, "Inches fallen")
        act.canonical = replace(as_done(action), height=height, ask=False)
        gone = act.encounter.model(model.id).status == GONE
        return Crash(model, height, action.onto, gone=gone)

    def asks(self, act: Act, action: TakeFall, ready: Crash) -> Reply | None:
        """Who is below."""
        asks = act.canonical
        return _who_is_below(act, ready, asks) if action.ask else None

    def whose(self, action: TakeFall, ready: Crash) -> Cast:
        """Who falls, then each who is struck."""
        if ready.gone:
            return each(*(Whose(one, "hit", f"by {ready.model.name}, who falls") for one in ready.names))
        return crashed(ready.model.name, ready.names, "fall")

    def rule(self, dice: Dice, ready: Crash) -> Fall:
        """The dice on everybody who is hit."""
        if ready.gone:
            return _onto(dice, ready.inches, ready.model.profile.size, ready.below)
        return fall(dice, ready.inches, Faller.of(ready.model), ready.below)

    def settle(self, act: Act, action: TakeFall, ready: Crash, outcome: Fall) -> Telling:
        """It lies on the ground; who was hit is wounded."""
        model, height = ready.model, ready.inches
        set_counter(act.encounter.model(model.id).counters, Counter.HEIGHT, 0)
        stand_firm(act.encounter.model(model.id))
        forget(act.encounter, model.id)
        telling = Telling([f"{model.name} falls {height:g} in."] if ready.gone else [])
        if not ready.gone:
            wound(act, telling, again(act, model), outcome.faller, f"falling {height:g} in")
        for one, wounds in zip(ready.struck, outcome.struck, strict=True):
            wound(act, telling, one, wounds)
        telling.lines += _dice_said(model, height, ready.struck)
        return telling

    def chances(self, act: Act, action: TakeFall, ready: Crash) -> Chances:
        """What it does to the one who falls, and to who is below."""
        dice = times(distance_dice(ready.inches), "die", "dice")
        return crash_chances(act, ready, f"{ready.model.name} falls {ready.inches:g} in: {dice}")


def _dice_said(model: Fighter, height: float, struck: Sequence[Fighter]) -> list[str]:
    said = [f"{times(distance_dice(height), 'die', 'dice')} for {height:g} in, no shields"]
    for one in struck:
        number = struck_dice(height, model.profile.size, one.profile.size)
        said.append(f"{one.name} below: {times(number, 'die', 'dice')}")
    return said


def _who_is_below(act: Act, ready: Crash, asks: Action) -> Reply:
    model = ready.model
    others = [one for one in fighters(act.encounter) if one.id != model.id]
    menus = (Menu("Who is below?", asks, "onto", model_choices(others), 1, min(MOST_STRUCK, len(others))),)
    number = distance_dice(ready.inches)
    lines = (f"{model.name} falls {ready.inches:g} in: {times(number, 'die', 'dice')}.", "Who is below?")
    return Reply(lines, private=True, buttons=(Button("Nobody: roll", asks, "main"),), menus=menus)


def _onto(dice: Dice, height: float, size: Size, below: tuple[Faller, ...]) -> Fall:
    """A model that has left play falls on others: only they roll. Rules: CB-FALL-02, CB-FALL-04."""
    return Fall(
        0,
        tuple(
            impact(dice, struck_dice(height, size, one.size), one.defense, "struck", tough=one.tough)
            for one in below
        ),
    )


@in_steps(HoldOn)
class HoldingOn(Throwing[HoldOn, ReadyCheck, bool]):
    """One success on AGL at 5, or it falls."""

    def prepare(self, act: Act, action: HoldOn) -> ReadyCheck:
        """From where it stands, or the height that is said. Raises InvalidInput, Forbidden."""
        height = _height(action)
        require_between(height, 0, HIGHEST, "Inches up")
        act.canonical = replace(as_done(action), height=height)
        prepared = prepare_holding_on(action.model, order_token=action.order, settings=settings(act))
        return ReadyCheck(prepared, token_price(act, action.model, spent=action.order))

    def whose(self, action: HoldOn, ready: ReadyCheck) -> Whose:
        """The model's own."""
        return Whose(action.model.name, "AGL check", "to hold on")

    def rule(self, dice: Dice, ready: ReadyCheck) -> bool:
        """Whether it holds on."""
        return holds(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: HoldOn, ready: ReadyCheck, outcome: bool) -> Telling:
        """It stays, or its fall is proposed."""
        model, height = action.model, _height(action)
        carry_through(act, ready.due)
        telling = Telling(
            [f"{model.name} holds on." if outcome else f"{model.name} slips off the edge."],
            why_check(ready.prepared, f"{model.name}, holding on"),
            dice=[dice_words(ready.prepared, "AGL")],
        )
        if not outcome:
            details: tuple[tuple[str, int | str], ...] = (("height", f"{height:g}"),)
            far = f"It falls {height:g} in." if height else "It falls: say how far."
            telling.proposals.append(Propose("fall", model.id, far, details))
            note_falls(act.encounter, telling.proposals)
        return telling

    def chances(self, act: Act, action: HoldOn, ready: ReadyCheck) -> Chances:
        """Whether it holds on."""
        odds = act.solve(holds, (ready.prepared.throw,))
        return passing(action.model.name, "holds on", odds, dice_words(ready.prepared, "AGL"))


def _height(action: HoldOn) -> float:
    return action.height or float(action.model.count(Counter.HEIGHT))


def note_falls(encounter: Encounter, proposals: Iterable[Propose]) -> None:
    """Keep who falls, and how far, until the dice of it fall. Rules: CB-FALL-01, CB-MOVE-04, CB-MOVE-06."""
    for one in proposals:
        if one.action == "fall":
            encounter.model(one.model).counters[FALLS] = 1 + round(10 * _far(one))


def stand_firm(row: ModelRow) -> None:
    """A model has fallen, or it is said where it stands: it owes no fall."""
    row.counters.pop(FALLS, None)


def falls_owed(row: ModelRow) -> list[Propose]:
    """The fall of a model that has lost its hold and not come down."""
    tenths = row.counters.get(FALLS, 0)
    details: tuple[tuple[str, int | str], ...] = (("height", f"{(tenths - 1) / 10:g}"),)
    return [Propose("fall", row.id, "", details)] if tenths else []


def _far(proposal: Propose) -> float:
    return float(dict(proposal.details).get("height", 0))


def holds(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll not to fall. Rules: CB-FALL-01."""
    return one_success(dice, throws, "hold on")


@offers("fall")
def _fall(proposal: Propose) -> tuple[str, Action] | Button:
    height = _far(proposal)
    falls = TakeFall(numbered(proposal.model), height, ask=True)
    return ("Fall", falls) if height else Button("Fall...", falls, "main", form=DEPTH)


@offers("avoid_fall")
def _avoid(proposal: Propose) -> tuple[str, Action]:
    height = _far(proposal)
    return "Hold on", HoldOn(numbered(proposal.model), height)
