"""Declared actions for tests of how actions are asked; they exist in tests alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply
from bot.store.rows import ModelRow, SideRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, nothing
from bot.table.handlers import handles
from bot.table.steps import Chances, Steps, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.refusals import Forbidden


def limbs(asking: Asking) -> Sequence[str]:
    """What a model that was named before has: of Smap other things than of anybody else."""
    model = asking.so_far.get("model")
    return ("claw", "tail") if model is not None and model.name == "Smap" else ("hand", "foot")


@dataclass(frozen=True, slots=True)
class Kick(Action):
    """Kick somebody with something.

    For tests.
    """

    command = "test.kick"
    typed = ""

    model: ModelRow = fields.own_model("Who kicks", needed=True, mine=True)
    target: ModelRow = fields.model("Whom", needed=True)
    limb: str | None = fields.among("With what", limbs)
    inches: float = fields.inches("How far", 0, 8, default=1.0, fact=True, checked=True)
    force: int | None = fields.whole("How hard", 1, 6, checked=True)
    manner: int = fields.one_of("How", {"gently": 1, "hard": 2}, default=1)
    helpers: tuple[str, ...] = fields.listed("Who helps", offering.any_model)
    side: SideRow | None = fields.side("Hidden model")
    order: bool = fields.token("A token")
    odds: bool = fields.odds()
    rest: tuple[int, ...] = ()


@in_steps(Kick)
class Kicking(Steps[Kick, int, int, str]):
    """A six-sided die against the force; nobody kicks himself."""

    label = "Kick"

    def prepare(self, act: Act, action: Kick) -> int:
        if action.model.id == action.target.id:
            raise Forbidden(f"{action.model.name} cannot kick itself.")
        return (action.force or 4) - action.order

    def whose(self, action: Kick, ready: int) -> Whose:
        return Whose(action.model.name, "kick", f"at {action.target.name}")

    def rule(self, dice: Dice, ready: int) -> int:
        return int(dice.face(6, "kick") >= ready)

    def settle(self, act: Act, action: Kick, ready: int, outcome: int) -> str:
        act.encounter.model(action.target.id).damage += outcome
        return "hits" if outcome else "misses"

    def tell(self, act: Act, action: Kick, ready: int, told: str) -> Reply:
        return Reply((f"{action.model.name} {told} {action.target.name}.",))

    def chances(self, act: Act, action: Kick, ready: int) -> Chances:
        odds = act.solve(self.rule, ready)
        return Chances((f"{action.model.name} kicks",), "hits", odds.chance(bool), (odds,))


@dataclass(frozen=True, slots=True)
class Rest(Action):
    """Let a model rest: it is healed, and it says so even if it is not hurt."""

    command = "test.rest"

    model: ModelRow = fields.own_model("Who rests", needed=True, mine=True)


def _tired(act: Act, action: Rest) -> None:
    if action.model.name == "Smap":
        raise Forbidden("Smap never rests.")


@handles(Rest, may=_tired)
def _rest(act: Act, action: Rest) -> Reply:
    _tired(act, action)
    act.encounter.model(action.model.id).damage = 0
    if action.model.name.startswith("Skip"):
        raise Forbidden("Skip is not tired.")
    return Reply((f"{action.model.name} rests.",))


@dataclass(frozen=True, slots=True)
class Gather(Action):
    """Who gathers around whom, as a menu and a person say it."""

    command = "test.gather"

    around: ModelRow | None = fields.model_by_number()
    near: tuple[ModelRow, ...] = fields.models_by_number()
    called: tuple[ModelRow, ...] = fields.models("Who", wire=str, once=True)


@handles(Gather)
def _gather(act: Act, action: Gather) -> Reply:
    if action.around is not None:
        action.around.damage = len(action.near)
    return Reply(tuple(one.name for one in (*action.near, *action.called)))


def _lot(asking: Asking, text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("+")))


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """Draw lots: how many of each, two and one where nothing is said."""

    command = "test.draw"

    lots: tuple[int, ...] = fields.sought(
        "Number of tokens", nothing, _lot, written=lambda lots: "+".join(map(str, lots)), unsaid="2+1"
    )


@dataclass(frozen=True, slots=True)
class Throw(Action):
    """Throw something at somebody: counted how often it is tried."""

    command = "test.throw"

    model: ModelRow = fields.own_model("Who throws", needed=True, mine=True)
    target: ModelRow = fields.model("Enemy", needed=True)
    limb: str | None = fields.among("With what", limbs, needed=True)


THROWN: list[Throw] = []
"""What was tried."""


@handles(Throw)
def _throw(act: Act, action: Throw) -> Reply:
    THROWN.append(action)
    if action.model.name == "Smap":
        raise Forbidden("Smap throws nothing.")
    if action.limb == "hand":
        raise Forbidden("Not with the hand.")
    if action.target.name != "Trapper":
        raise Forbidden(f"{action.target.name} is out of reach.")
    return Reply((f"{action.model.name} throws at {action.target.name}.",))
