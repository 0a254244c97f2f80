"""The Minder at the table: it grapples a living model, then takes its mind; the model changes sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.common import again, carry_through, settings, token_price
from bot.games.counterblast.core.contact import list_engaged_enemies, mark_engaged, mark_separated
from bot.games.counterblast.core.crews import ask_for_heir
from bot.games.counterblast.core.fields import foe, order, who
from bot.games.counterblast.core.narration import Finishing, Telling, due, register_offer
from bot.games.counterblast.core.wording import at, dice_words, why_check
from bot.replies.chances import bars
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.encounter import set_counter
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Cast
from rules.counters import PerNumber
from rules.dice import Dice, Odds
from rules.effects import Effect, Gain, Propose
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.building.crew import LEADER
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.dice_pools import rating_of
from rules.systems.counterblast.core.fighter import BORROWED_FEATURE, Fighter
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.melee.engagement import Grapple as GrappleDice
from rules.systems.counterblast.melee.engagement import (
    after_control,
    after_grapple,
    control,
    grapple,
    prepare_control,
    prepare_grapple,
    require_minder,
)

HOLDS = PerNumber("minder holds:")
"""Counters of a Minder, by model: 1 while it may try to take its mind."""


@dataclass(frozen=True, slots=True)
class Grapple(Action):
    """Use a Minder to grapple a living model.

    charging: inches to the target when it charges, 0 when it touches it.
    """

    command = "cb.minder.grip"
    typed = "psi grapple"
    titled = "Grapple (Minder)"

    minder: Fighter = who("Minder", called="model")
    target: Fighter = foe("Model to grapple", needed=True)
    charging: float = fields.inches(
        "Charge distance (inches, 0 for no charge)",
        0.0,
        200.0,
        default=0.0,
        checked=True,
        fact=True,
        measures=measuring.distance("minder", "target"),
    )
    odds: bool = fields.odds()
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class TakeMind(Action):
    """Control the model that a Minder holds."""

    command = "cb.minder.mind"
    typed = "psi control"
    titled = "Control a mind"

    minder: Fighter = who("Minder", called="model")
    target: Fighter = foe("Model that the Minder holds", needed=True)
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ReadyGrapple:
    """A grapple that may be tried: the dice of both, and what it costs."""

    minder: Fighter
    target: Fighter
    attack: PreparedCheck
    defence: PreparedCheck | None
    bout: GrappleDice
    due: tuple[Effect, ...]

    @property
    def dice(self) -> list[str]:
        """Return both sides' dice in words."""
        defence_dice = dice_words(self.defence, "STR") if self.defence else "no defense dice"
        return [dice_words(self.attack, "STR"), f"against {defence_dice}"]


@in_steps(Grapple)
class Grappling(Finishing[Grapple, ReadyGrapple, bool]):
    """STR against the target as in melee, no shields. Rules: CB-FEAT-38."""

    label = "Grapple"

    def prepare(self, act: ActView, action: Grapple) -> ReadyGrapple:
        """Return a Minder near enough to a living model. Raises InvalidInput, Forbidden."""
        minder, is_charging = action.minder, action.charging > 0
        require_minder(minder)
        costs = due(act, minder, "charge" if is_charging else "fight", order=False)
        target = action.target
        attack, defence, bout = prepare_grapple(minder, target, charging=is_charging, settings=settings(act))
        max_inches = 2 * minder.profile.mv
        if action.charging > max_inches:
            forbid(f"{minder.name} can charge at most {max_inches} in.", "CB-CHARGE-01")
        return ReadyGrapple(minder, target, attack, defence, bout, costs)

    def whose(self, action: Grapple, ready: ReadyGrapple) -> Cast:
        return at(ready.minder.name, ready.target.name)

    def rule(self, dice: Dice, ready: ReadyGrapple) -> bool:
        return grapple(dice, ready.bout)

    def settle(self, act: Act, action: Grapple, ready: ReadyGrapple, outcome: bool) -> Telling:
        minder, target = ready.minder, ready.target
        carry_through(act, ready.due)
        if action.charging and not minder.is_engaged_with(target):
            mark_engaged(act, minder, target)
        verb = "grapples" if outcome else "fails to grapple"
        telling = Telling(
            [f"{minder.name} {verb} {target.name}."],
            why_check(ready.attack, f"{minder.name} tries to grapple {target.name}"),
            dice=ready.dice,
        )
        telling.follow(act, after_grapple(minder, target, outcome))
        if outcome:
            act.encounter.model(minder.id).counters[HOLDS.of(target.id)] = 1
        return telling

    def chances(self, act: ActView, action: Grapple, ready: ReadyGrapple) -> Chances:
        odds = act.solve(self.rule, ready)
        return _build_chances(ready.minder, ready.target, ready.dice, ("grapples", "misses"), odds)


def _build_chances(
    minder: Fighter, target: Fighter, dice: Sequence[str], words: tuple[str, str], odds: Odds[bool]
) -> Chances:
    chance = odds.chance(bool)
    chance_bars = bars([(words[0], chance), (words[1], 1 - chance)])
    return Chances((f"{minder.name} -> {target.name}", *dice, *chance_bars), words[0], chance, (odds,))


@register_offer("mind_control")
def _control_button(proposal: Propose) -> tuple[str, Action]:
    target = int(dict(proposal.details)["target"])
    return "Control a mind", TakeMind(reference_by_number(proposal.model), reference_by_number(target))


@dataclass(frozen=True, slots=True)
class ReadyMind:
    """A mind that may be taken: the check, what its shields stop, and what a token costs."""

    minder: Fighter
    target: Fighter
    check: PreparedCheck
    hit: Impact
    token: tuple[Effect, ...]

    @property
    def dice(self) -> list[str]:
        """Return the check, in words."""
        return [dice_words(self.check, "PSI")]


@in_steps(TakeMind)
class TakingMind(Finishing[TakeMind, ReadyMind, bool]):
    """Psionic dice at the target's Defense; its shields count. Rules: CB-FEAT-39."""

    label = "Control"

    def prepare(self, act: ActView, action: TakeMind) -> ReadyMind:
        """Return a model that it holds. Raises InvalidInput, Forbidden."""
        minder = action.minder
        rating_of(minder, "PSI")
        target = action.target
        check, hit = prepare_control(minder, target, order_token=action.order, settings=settings(act))
        with act.overridable():
            if not minder.count(HOLDS.of(target.id)):
                raise Forbidden(f"{minder.name} must hold {target.name} first. Use Grapple.", "CB-FEAT-39")
        return ReadyMind(minder, target, check, hit, token_price(act, minder, spent=action.order))

    def whose(self, action: TakeMind, ready: ReadyMind) -> Cast:
        return at(ready.minder.name, ready.target.name)

    def rule(self, dice: Dice, ready: ReadyMind) -> bool:
        return control(dice, (ready.check.throw,), ready.hit)

    def settle(self, act: Act, action: TakeMind, ready: ReadyMind, outcome: bool) -> Telling:
        minder, target = ready.minder, ready.target
        carry_through(act, ready.token)
        set_counter(act.encounter.model(minder.id).counters, HOLDS.of(target.id), 0)
        telling = Telling(
            why=why_check(ready.check, f"{minder.name} tries to take control of {target.name}"),
            dice=ready.dice,
        )
        effects = after_control(minder, target, outcome, settings(act))
        if not outcome:
            carry_through(act, effects)
            telling.lines.append(f"{target.name} resists {minder.name}.")
            telling.lines.append(f"They stay engaged. To try again, first grapple {target.name} again.")
            return telling
        telling.follow(act, [effect for effect in effects if not isinstance(effect, Propose)])
        was_leader = act.encounter.side(target.side).counters.get(LEADER, 0) == target.id
        _change_sides(act, minder, target)
        if was_leader:
            unled_effects, heir_proposals = ask_for_heir(act.encounter, target.side)
            telling.follow(act, unled_effects)
            telling.proposals += heir_proposals
        side = act.encounter.side(minder.side).name
        telling.lines += [
            f"{minder.name} takes control of {target.name}.",
            f"{target.name} now belongs to {side} and is Controlled.",
        ]
        return telling

    def chances(self, act: ActView, action: TakeMind, ready: ReadyMind) -> Chances:
        odds = act.solve(self.rule, ready)
        return _build_chances(ready.minder, ready.target, ready.dice, ("takes control", "fails"), odds)


def _change_sides(act: Act, minder: Fighter, target: Fighter) -> None:
    """The taken model is the Minder's player's, Controlled, and holds none of its new friends."""
    row = act.encounter.model(target.id)
    row.side, row.owner_id = minder.side, act.encounter.model(minder.id).owner_id
    carry_through(act, (Gain(target.id, BORROWED_FEATURE.of("controlled"), source="Minder"),))
    current = again(act, target)
    for other in list_engaged_enemies(act, target):
        if other.side == current.side:
            mark_separated(act, current, other)
