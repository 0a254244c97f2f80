"""Telling results: the reply, its rolls, and the events of a place."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.counterblast.core.common import (
    again,
    carry_through,
    find_fighter,
    find_own_fighter,
    price,
    require_plannable,
    token_price,
)
from bot.games.counterblast.core.wording import effect_word, hurt_words, life_words, trace_lines, wound_odds
from bot.games.counterblast.settings import SETTINGS
from bot.replies.chances import percent
from bot.replies.reply import Button, Choice, Reply
from bot.table.act import Act, ActView
from bot.table.board.facts import standing
from bot.table.journal.history import UNDO
from bot.table.journal.log import why_button
from bot.table.session.settings import changed
from bot.table.steps import Chances, Rolled, Steps, Weighed
from rules.dice import Entry, Odds, Shown
from rules.effects import Effect, Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.burning import find_fire_protection
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import apply_wounds, effects_of_attack
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.movement.environment import falls_at_once
from rules.systems.counterblast.shooting.special_attacks import GOO, after_goo
from rules.wording import times

AT_EDGE = 0.0
"""Inches to the edge: the players see whether it is within 1 in."""


def propose_fall(model: Fighter, wounds: int) -> list[Propose]:
    """Return what a wounded model on a height has to do if an edge is within an inch.

    `model` as it is after the wounds. Rules: CB-FALL-01.
    """
    disabled = _propose_critical(model) if wounds else []
    height = model.count(Counter.HEIGHT)
    if not wounds or height < 1:
        return disabled
    details: tuple[tuple[str, int | str], ...] = (("height", height),)
    if falls_at_once(model, AT_EDGE, wounds=wounds):
        reason = f"If {model.name} is within 1 in of an edge, it falls {height} in."
        return [*disabled, Propose("fall", model.id, reason, details)]
    reason = f"If {model.name} is within 1 in of an edge, roll to hold on. On a failure it falls {height} in."
    return [Propose("avoid_fall", model.id, reason, details)]


def _propose_critical(model: Fighter) -> list[Propose]:
    """A vehicle whose Life is used up suffers Critical Damage, once. Rules: CB-VEH-27, CB-VEH-31."""
    return [Propose("critical_damage", model.id, critical_words(model))] if owes_critical(model) else []


def owes_critical(model: Fighter) -> bool:
    """Return whether a disabled vehicle's Critical Damage is owed. Rules: CB-VEH-27, CB-VEH-31."""
    return model.profile.is_vehicle and model.is_down and not model.count(Counter.CRITICAL)


def critical_words(model: Fighter) -> str:
    """Return what is to be done for such a vehicle."""
    return f"{model.name} is disabled. Roll Critical Damage."


def after_hit(model: Fighter, weapon: Weapon, suffered: Suffered, *, on_board: bool) -> list[Propose]:
    """Return what an attack may cause at the place of its target. `model` as it is afterwards.

    on_board: the target is on the board, where a fire has a place.

    Rules: CB-FALL-01, CB-BURN-02.
    """
    effects = propose_fall(model, suffered.through if weapon.damage else 0)
    if suffered.hits and weapon.has_effect("burning"):
        effects.append(
            Propose(
                "flammable",
                model.id,
                f"If {model.name} is on grass, scrub or wood, the ground catches fire (template R3).",
                (("spot", ref(model)),) if on_board else (),
            )
        )
    return effects


Offer = Callable[[Propose], tuple[str, Action] | Button]

OFFERS: dict[str, Offer] = {}
"""For each kind of proposal the button that does it: its label and its action, or the whole button."""


LASTING: set[str] = set()
"""Kinds of proposals whose button holds until it is settled, whatever happens in between."""

WITH_ODDS: set[str] = set()
"""Kinds of proposals whose button has another one beside it, for the odds."""


def register_offer(kind: str, *, odds: bool = False, lasting: bool = False) -> Callable[[Offer], Offer]:
    """Register the function below as what makes the button of a proposal.

    odds: its action has a field `odds`, and another button asks for them. lasting: see LASTING.
    """

    def register(make: Offer) -> Offer:
        OFFERS[kind] = make
        if odds:
            WITH_ODDS.add(kind)
        if lasting:
            LASTING.add(kind)
        return make

    return register


@dataclass(slots=True)
class Telling:
    """A reply that is being put together: lines, explanations, what is proposed next, hits of attacks.

    dice: whose they are and against what, above the faces. more: further buttons. struck: each model that
    was attacked, with what came of it and its wounds.
    """

    lines: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    proposals: list[Propose] = field(default_factory=list)
    hits: int = 0
    dice: list[str] = field(default_factory=list)
    more: tuple[Button, ...] = ()
    struck: list[tuple[str, str, int]] = field(default_factory=list)

    def follow(self, act: Act, effects: Sequence[Effect], *, by: int = 0) -> None:
        """Apply effects and keep what they propose. by: see `Encounter.apply`."""
        self.proposals += carry_through(act, effects, by=by)

    def add_headline(self, attacker: Fighter) -> None:
        """Put a first line above several attacks that tells of all of them."""
        if len(self.struck) < 2:
            return
        by_name: dict[str, list[tuple[str, int]]] = {}
        for name, words, wounds in self.struck:
            by_name.setdefault(name, []).append((words, wounds))
        parts = [f"{name} {_add_up_results(results)}" for name, results in by_name.items()]
        self.lines.insert(0, f"{attacker.name} shoots: {', '.join(parts)}.")

    def proposal_lines(self) -> list[str]:
        """Return the proposals as sentences, each once; one without words is told elsewhere."""
        return list(dict.fromkeys(proposal.reason for proposal in self.proposals if proposal.reason))

    def buttons(self, act: Act, *more: Button) -> tuple[Button, ...]:
        """Return a button for each thing that is proposed and has one, then the given ones, then why.

        Where several models are offered the same, each button names its model.
        """
        offers = [
            (proposal, build_offer_button(proposal))
            for proposal in self.proposals
            if proposal.action in OFFERS
        ]
        offers = list({button: (proposal, button) for proposal, button in offers}.values())
        labels = [button.label for _, button in offers]
        odds_count = sum(proposal.action in WITH_ODDS for proposal, _ in offers)
        first_buttons: list[Button] = []
        for offered_proposal, button in offers:
            if labels.count(button.label) > 1:
                button = with_name(button, act.encounter.model(offered_proposal.model).name)
            first_buttons.append(button)
            if offered_proposal.action in WITH_ODDS:
                odds = replace(button.action, odds=True)  # type: ignore[call-arg]
                first_buttons.append(
                    Button(f"Odds: {button.label}" if odds_count > 1 else "Odds", odds, anytime=True)
                )
        why_buttons = [why_button(act.entry)] if self.why else []
        return (*first_buttons, *more, *why_buttons)


def _add_up_results(results: list[tuple[str, int]]) -> str:
    wounds = sum(count for _, count in results)
    effects = dict.fromkeys(words for words, _ in results if words != MISSED)
    if DOWN in effects:
        return DOWN
    wound_words = f"takes {times(wounds, 'wound')}" if wounds else UNHURT
    return " and ".join(wound_words if words == UNHURT else words for words in effects) or MISSED


def build_offer_button(proposal: Propose) -> Button:
    """Return the button for a proposal."""
    offer = OFFERS[proposal.action](proposal)
    if isinstance(offer, Button):
        return offer
    return Button(*offer, "main", anytime=proposal.action in LASTING)


def with_name(button: Button, name: str) -> Button:
    """Return a button with a model's name in its label, before any dots."""
    stem = button.label.removesuffix("...")
    return replace(button, label=f"{stem}: {name}{button.label[len(stem) :]}")


DOWN, MISSED, UNHURT = "goes down", "isn't hit", "takes no wound"
"""Words for results of an attack."""

GAINED: dict[str, str] = {
    Condition.PRONE: "is knocked down",
    Condition.BURNING: "burns",
    Condition.DRAINED: "is drained until it has acted",
}
"""Words for the effects of an attack apart from wounds."""


def describe_attack(
    attacker: Fighter, before: Fighter, now: Fighter, weapon: Weapon, suffered: Suffered
) -> str:
    """Return the headline: who did what to whom, and what is left."""
    if suffered.hits < 1:
        return f"{attacker.name} misses {before.name}."
    if not weapon.damage:
        effect = effect_word(weapon) if suffered.through else "no effect"
        return f"{attacker.name} hits {before.name}: {effect}."
    if not suffered.through:
        return f"{attacker.name} hits {before.name}: no wound."
    falls = now.is_down and not before.is_down
    condition = f"and {now.name} {DOWN}" if falls else life_words(now)
    return f"{attacker.name} hits {before.name}: {times(suffered.through, 'wound')}, {condition}."


def describe_result(before: Fighter, now: Fighter, weapon: Weapon, suffered: Suffered) -> tuple[str, int]:
    """Return the result of an attack for its target in two or three words, and the wounds that they tell."""
    if suffered.hits < 1:
        return MISSED, 0
    if now.is_down and not before.is_down:
        return DOWN, 0
    if not weapon.damage:
        return f"is hit ({effect_word(weapon) if suffered.through else 'no effect'})", 0
    return UNHURT, suffered.through


def describe_hits(suffered: Suffered) -> str:
    """Return the hits, the damage they did if it was more, and what stopped it; empty for a miss."""
    if not suffered.hits:
        return ""
    parts = [times(suffered.hits, "hit")]
    damage = suffered.through + suffered.stopped + suffered.ignored
    if damage > suffered.hits:
        parts.append(f"{damage} damage")
    if suffered.stopped:
        parts.append(f"{suffered.stopped} stopped by the shield")
    if suffered.ignored:
        parts.append(f"{suffered.ignored} ignored (Tough)")
    return ", ".join(parts)


def apply_attack(
    act: Act,
    telling: Telling,
    attacker: Fighter,
    target: Fighter,
    weapon: Weapon,
    suffered: Suffered,
    effects: Sequence[Effect] | None = None,
) -> None:
    """Carry an attack on one model through, and tell it. effects: where they are not those of any attack."""
    turn = max(1, act.encounter.row.turn)
    telling.hits += suffered.hits
    if effects is None and weapon == GOO:
        effects = after_goo(target, suffered)
    elif effects is None:
        effects = effects_of_attack(attacker, target, weapon, suffered, turn)
    telling.follow(act, effects, by=attacker.id)
    wounded = again(act, target)
    telling.struck.append((target.name, *describe_result(target, wounded, weapon, suffered)))
    telling.lines.append(describe_attack(attacker, target, wounded, weapon, suffered))
    tally_text = describe_hits(suffered)
    if tally_text:
        telling.lines.append(tally_text)
    if suffered.hits:
        add_gained_effects(telling, target, wounded, weapon)
    telling.proposals += after_hit(
        wounded, weapon, suffered, on_board=standing(act.encounter, wounded.id) is not None
    )


def add_gained_effects(telling: Telling, before: Fighter, now: Fighter, weapon: Weapon) -> None:
    """Add the other effects of a weapon that hit, and what protected the target from its fire. Rules:
    CB-BURN-09.
    """
    telling.lines += [
        f"{now.name} {words}."
        for kind, words in GAINED.items()
        if now.has(kind) and not before.has(kind) and (weapon.damage or kind != Condition.DRAINED)
    ]
    if weapon.has_effect("burning") and find_fire_protection(now):
        telling.lines.append(f"{now.name} can't burn ({find_fire_protection(now)}).")


def asked(act: Act, text: str) -> Fighter:
    """Return the model that is meant; only who plays it rolls with it, anybody asks for its odds."""
    return find_fighter(act, text) if act.action.looks else find_own_fighter(act, text)


def ref(model: Fighter) -> str:
    """Return a model as actions name it in their one form."""
    return f"#{model.id}"


def require_between(value: float, least: float, most: float, what: str) -> None:
    """Refuse a number that no table has. Raises InvalidInput."""
    if not least <= value <= most:
        raise InvalidInput(f"{what} must be between {least:g} and {most:g} (you entered {value:g}).")


def house_rule(act: Act, key: str) -> list[str]:
    """Return the line that a setting which matters here is not at its default."""
    setting = next(candidate for candidate in SETTINGS if candidate.key == key)
    return [f"House rule: {rule}" for rule in changed([setting], act.encounter.row.settings)]


# ------------------------------------------------------------------------------------------- telling


def finish(act: Act, telling: Telling, dice: Sequence[str] = (), *more: Button) -> Reply:
    """Return the reply of a roll: what happened, the dice, what is proposed next, buttons."""
    dice_lines = list_throws(act.roller.trace) if act.roller else []
    if dice or dice_lines:
        telling.lines += ["", *dice, *dice_lines]
    telling.lines += telling.proposal_lines()
    buttons = telling.buttons(act, *more, UNDO)
    return Reply(tuple(telling.lines), buttons=buttons, why=tuple(telling.why))


def list_throws(trace: Sequence[Entry]) -> list[str]:
    """Return every throw, single dice thrown for the same thing in one line."""
    lines: list[str] = []
    for (label, sides), group in groupby(trace, _single):
        if label:
            faces = ", ".join(str(entry.face) for entry in group if isinstance(entry, Shown))
            lines.append(f"{label}: {faces} (d{sides})")
        else:
            lines += trace_lines(group)
    return lines


def _single(entry: Entry) -> tuple[str, int]:
    return (entry.label, entry.sides) if isinstance(entry, Shown) else ("", 0)


def model_choices(models: Sequence[Fighter]) -> tuple[Choice, ...]:
    """Return the models as choices of a menu."""
    return tuple(Choice(model.name, str(model.id)) for model in models)


# ------------------------------------------------------------------------------------------- wounds


def add_wounds(
    act: Act, telling: Telling, model: Fighter, wounds: int, cause: str = "", *, by: int = 0, side: int = 0
) -> Fighter:
    """Add wounds outside an attack, with all that follows, and return the model after them.

    by: the model that caused them, or side: the side, if no model did; 0 for an accident. Rules: CB-SCORE-02.
    """
    telling.follow(act, apply_wounds(model, wounds, max(1, act.encounter.row.turn)), by=by)
    if side and wounds and not model.is_down:
        act.encounter.credit(act.encounter.model(model.id), side=side)
    wounded = again(act, model)
    suffix = f" {cause}" if cause else ""
    if not wounds:
        telling.lines.append(f"{model.name} is unhurt{suffix.replace(' from ', ' by ', 1)}.")
        return wounded
    falls = wounded.is_down and not model.is_down
    condition = " and goes down" if falls else f": {life_words(wounded)}"
    telling.lines.append(f"{model.name} takes {times(wounds, 'wound')}{suffix}{condition}.")
    telling.proposals += propose_fall(wounded, wounds)
    return wounded


A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome


class FinishingOften(Rolled[A, P, O, Telling], Generic[A, P, O]):
    """Rolls that are told with their dice above what is proposed."""

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        return finish(act, told, told.dice, *told.more)


class Finishing(FinishingOften[A, P, O], Steps[A, P, O, Telling], Generic[A, P, O]):
    """One roll that is told so."""


class Lasting(Weighed[A, P], Generic[A, P]):
    """What is done at its button whatever has happened since its odds were asked."""

    def odds(self, act: ActView, action: A, ready: P) -> Reply:
        reply = super().odds(act, action, ready)
        return replace(reply, buttons=tuple(replace(button, anytime=True) for button in reply.buttons))


class Throwing(Steps[A, P, O, Telling], Generic[A, P, O]):
    """A roll that is told like any other of Counterblast."""

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        dice_lines = [*told.dice, *list_throws(act.dice.trace)]
        lines = [*told.lines, *told.proposal_lines(), *([""] if dice_lines else []), *dice_lines]
        return Reply(tuple(lines), buttons=told.buttons(act, *told.more, UNDO), why=tuple(told.why))


@dataclass(frozen=True, slots=True)
class ReadyCheck:
    """A check that may be rolled, with every reason for its dice; due: what it costs."""

    prepared: PreparedCheck
    due: tuple[Effect, ...] = ()


def due(act: ActView, model: Fighter, key: str, *, order: bool) -> tuple[Effect, ...]:
    """Return the price of an action and its order token. Raises Forbidden, unless overridden.

    For odds, all but whose turn it is may refuse, and only the token is priced.
    """
    if act.action.looks:
        require_plannable(act, model, key)
    costs = () if act.action.looks else price(act, model, key)
    return (*costs, *token_price(act, model, spent=order))


def wound_chances(
    model: Fighter, odds: Odds[int], *before: str, last: str = "goes down", left: int = 0
) -> Chances:
    """Return the chances of so many wounds. last: what comes of as many as it has Life left, or `left`."""
    life = max(1, left or model.life_left)
    lines = wound_odds(odds, life, last)
    return Chances((*before, *lines), last, odds.chance(lambda wounds: wounds >= life), (odds,))


def hurt_chances(head: str, hurt: Sequence[tuple[Fighter, Odds[int]]]) -> Chances:
    """Return the chances that what needs no check of theirs hurts these models."""
    lines = [f"{model.name}: {hurt_words(odds, model)}" for model, odds in hurt]
    return Chances((head, *lines), solved=tuple(odds for _, odds in hurt))


def pass_chances(name: str, does: str, odds: Odds[bool], dice: str) -> Chances:
    """Return the chances of a check that is passed or failed. does: what a model does that passes it."""
    chance = odds.chance(bool)
    return Chances((f"{name} {does}: {percent(chance).strip()}", dice), does, chance, (odds,))
