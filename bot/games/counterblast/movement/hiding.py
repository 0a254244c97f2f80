"""Hiding, spotting and breaking free at the table."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.common import carry_through, pay, settings
from bot.games.counterblast.core.fields import anybody, by_number, foe, order, who
from bot.games.counterblast.core.narration import (
    ReadyCheck,
    Telling,
    Throwing,
    due,
    pass_chances,
    register_offer,
)
from bot.games.counterblast.core.wording import cast_by_label, dice_words, why_check
from bot.games.counterblast.state.models import fighter, fighters, hidden_foe
from bot.games.counterblast.state.sight import hide_behind
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.surface import Terrain, board_of
from bot.table.encounter import Encounter, EncounterView
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import PLAYER
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Cast, Whose
from rules import measure
from rules.dice import Dice
from rules.effects import Effect, Propose
from rules.refusals import Forbidden
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.panic import (
    after_breaking_free,
    break_free,
    prepare_breaking_free,
    wrestle_free,
)
from rules.systems.counterblast.movement.movement import (
    after_moving_into_view,
    after_spot,
    hide,
    prepare_scan,
    prepare_spot,
    spot,
)
from rules.wording import join_with_and


def list_observers(encounter: EncounterView, model: Fighter) -> list[str]:
    """Return the enemies that can see a model on the board; empty without a board. Rules: CB-HIDE-01."""
    observers = []
    for row in encounter.models():
        view = facts.sight(encounter, row.id, model.id) if row.side != model.side else None
        if view is None or view.is_blocked:
            continue
        enemy = fighter(encounter, row)
        if not (enemy.is_down or enemy.has(Condition.BLINDED) or enemy.count(Counter.UNDERGROUND)):
            observers.append(row.name)
    return observers


def _list_hiding_places(encounter: EncounterView, model: int) -> list[Terrain] | None:
    """Return the terrain on the board that a model touches and that can hide it; None without a board."""
    board, body = board_of(encounter), facts.standing(encounter, model)
    if board is None or body is None:
        return None
    return [
        piece
        for piece in board.terrain
        if piece.bottom < body.top and piece.top > body.bottom
        if measure.gap(body, piece.shape.outline) < measure.TOUCH
    ]


def _measure_hiding_cover(context: Asking) -> Fact | None:
    """Return the best cover of the terrain that the model touches."""
    model = context.so_far.get("model")
    pieces = _list_hiding_places(context.act.encounter, model.id) if model is not None else None
    if pieces is None:
        return None
    best = max(pieces, key=lambda piece: piece.cover, default=None)
    return Fact(best.cover, f"cover {best.cover}: {best.name}") if best is not None else Fact(0, "no cover")


@dataclass(frozen=True, slots=True)
class Hide(Action):
    """Hide behind terrain.

    A model hides: it touches terrain that keeps it out of every enemy's sight.

    cover: what it has there, 0 to 3, against templates that find it and shots once it is spotted.
    """

    command = "cb.hide"
    typed = "cb hide"

    model: Fighter = who("Model")
    cover: int = fields.whole(
        "Cover at the hiding place (0 to 3)",
        0,
        3,
        default=0,
        fact=True,
        checked=True,
        measures=_measure_hiding_cover,
    )
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class Seen(Action):
    """A hidden model moved into an enemy's view."""

    command = "cb.seen"
    decision_of = PLAYER

    model: Fighter = by_number(needed=True)


@dataclass(frozen=True, slots=True)
class AskWhoMovedIntoView(Action):
    """Ask privately which of several hidden models moved into view."""

    command = "cb.seen.ask"
    decision_of = PLAYER


@dataclass(frozen=True, slots=True)
class Spot(Action):
    """Look for a hidden model.

    scanner: inches to it for a Scanner, -1 for eyes alone.
    """

    command = "cb.spot"
    typed = "cb spot"

    spotter: Fighter = who("Model", called="model")
    target: Fighter = foe("Hidden model", names=hidden_foe, needed=True)
    scanner: float = fields.inches("Distance (inches, Scanner only)", 0.0, 200.0, default=-1.0, fact=True)
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class BreakFree(Action):
    """Try to break free when Pinned.

    grappler: the model that holds it, if any.
    """

    command = "cb.free"
    typed = "cb free"
    titled = "Break free"

    model: Fighter = who()
    grappler: Fighter | None = anybody("Enemy grappling the model", against=True)
    order: bool = order()
    odds: bool = fields.odds()


@handles(Seen)
def seen(act: Act, action: Seen) -> Reply:
    """Reveal a hidden model; anyone can report that it moved into view. Rules: CB-HIDE-03."""
    model = action.model
    if not model.has(Condition.HIDDEN):
        raise Forbidden(f"{model.name} is not Hidden. Nothing was changed.", "CB-HIDE-03")
    carry_through(act, after_moving_into_view(model))
    return Reply((f"{model.name} moves into view and is no longer Hidden.",), buttons=(UNDO,))


def _hidden_models(encounter: Encounter) -> list[Fighter]:
    return [model for model in fighters(encounter) if model.has(Condition.HIDDEN)]


def into_view_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return a button for moving into view while a model is hidden. Rules: CB-HIDE-03."""
    hidden_models = _hidden_models(encounter)
    if len(hidden_models) > 1:
        return (Button("A model moved into view...", AskWhoMovedIntoView(), anytime=True),)
    return tuple(map(seen_button, hidden_models))


def describe_coming_into_view(encounter: EncounterView, model: Fighter) -> list[str]:
    """Return the sentence for a hidden model that enemies can see on the board after a move; [] for none.

    Rules: CB-HIDE-03.
    """
    observers = list_observers(encounter, model) if model.has(Condition.HIDDEN) else []
    return [f"{join_with_and(observers)} can now see {model.name}."] if observers else []


def seen_button(model: Fighter) -> Button:
    """Return the button that ends the hiding of a model that came into view."""
    return Button(f"{model.name} moved into view", Seen(model), anytime=True)


@handles(AskWhoMovedIntoView)
def ask_who_moved_into_view(act: Act, action: AskWhoMovedIntoView) -> Reply:
    """Show a menu of all hidden models, which everyone at the table knows."""
    choices = tuple(Choice(model.name, str(model.id)) for model in _hidden_models(act.encounter))
    if not choices:
        raise Answered("No model is Hidden. Nothing was changed.")
    question = "Which model moved into an enemy's view?"
    return Reply((question,), private=True, menus=(Menu(question, Seen(), "model", choices),))


@handles(Hide)
def hide_model(act: Act, action: Hide) -> Reply:
    """Hide a model for one action; without a board, the players check that no enemy sees it."""
    model = action.model
    if model.has(Condition.HIDDEN):
        raise Forbidden(f"{model.name} is already Hidden.", "CB-HIDE-01")
    effects = hide(model, out_of_sight=True, at_terrain=True)
    with act.overridable():
        hide(model, out_of_sight=True, at_terrain=_list_hiding_places(act.encounter, model.id) != [])
        if observers := list_observers(act.encounter, model):
            raise Forbidden(
                f"{join_with_and(observers)} can see {model.name}, so it can't hide here.", "CB-HIDE-01"
            )
    pay(act, model, "hide")
    carry_through(act, effects)
    hide_behind(act.encounter, model.id, action.cover)
    return Reply(
        (
            f"{model.name} hides{f' (cover {action.cover})' if action.cover else ''}.",
            (
                f"No attack can target {model.name} until it attacks, moves twice, moves into view or is "
                "spotted."
            ),
        ),
        buttons=(seen_button(model), UNDO),
    )


@dataclass(frozen=True, slots=True)
class ReadySpot(ReadyCheck):
    """A check by which a model looks for another. spotter, target: their numbers and names."""

    spotter: int = 0
    target: int = 0
    names: tuple[str, str] = ("", "")


@in_steps(Spot)
class Spotting(Throwing[Spot, ReadySpot, bool]):
    """INT at 7 for one action with line of sight; a Scanner needs neither within 8 in."""

    def prepare(self, act: ActView, action: Spot) -> ReadySpot:
        """Return the check, for a model that is hidden. Raises InvalidInput, Forbidden."""
        spotter, target = action.spotter, action.target
        uses_scanner, rules = action.scanner >= 0, settings(act)
        if uses_scanner:
            prepared_check = prepare_scan(
                spotter, target, action.scanner, order_token=action.order, settings=rules
            )
        else:
            prepared_check = prepare_spot(spotter, target, order_token=action.order, settings=rules)
        costs = due(act, spotter, "scan" if uses_scanner else "spot", order=action.order)
        return ReadySpot(prepared_check, costs, spotter.id, target.id, (spotter.name, target.name))

    def whose(self, action: Spot, ready: ReadySpot) -> Whose:
        return Whose(ready.names[0], "INT check", f"to spot {ready.names[1]}")

    def rule(self, dice: Dice, ready: ReadySpot) -> bool:
        return spot(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Spot, ready: ReadySpot, outcome: bool) -> Telling:
        spotter, target = (
            fighter(act.encounter, act.encounter.model(model)) for model in (ready.spotter, ready.target)
        )
        carry_through(act, ready.due)
        carry_through(act, (*after_spot(target, outcome), *end_conditions(spotter, Event.INT_CHECKED)))
        sentence = f"{spotter.name} spots {target.name}, which is no longer Hidden."
        return Telling(
            [sentence if outcome else f"{spotter.name} doesn't spot {target.name}."],
            why_check(ready.prepared, f"{spotter.name} looks for {target.name}"),
            dice=[dice_words(ready.prepared, "INT")],
        )

    def chances(self, act: ActView, action: Spot, ready: ReadySpot) -> Chances:
        odds = act.solve(spot, (ready.prepared.throw,))
        return pass_chances(
            ready.names[0], f"spots {ready.names[1]}", odds, dice_words(ready.prepared, "INT")
        )


@dataclass(frozen=True, slots=True)
class ReadyToBreakFree:
    """A model that may break free: its check, what it costs, and who holds it with its dice, if anybody."""

    model: Fighter
    prepared: PreparedCheck
    due: tuple[Effect, ...]
    holder: str = ""
    held: PreparedCheck | None = None


@in_steps(BreakFree)
class BreakingFree(Throwing[BreakFree, ReadyToBreakFree, bool]):
    """One action: STR against the number that its cause sets, or against the STR of the model holding it."""

    def prepare(self, act: ActView, action: BreakFree) -> ReadyToBreakFree:
        """Return the check, for a model that is Pinned. Raises InvalidInput, Forbidden."""
        model, holder = action.model, action.grappler
        if not model.has(Condition.PINNED):
            raise Forbidden(f"{model.name} is not Pinned, so it doesn't have to break free.", "CB-COND-06")
        rules = settings(act)
        own_check = prepare_breaking_free(model, order_token=action.order, settings=rules)
        holder_check = prepare_breaking_free(holder, settings=rules) if holder else None
        cost = due(act, model, "break_free", order=action.order)
        return ReadyToBreakFree(model, own_check, cost, holder.name if holder else "", holder_check)

    def whose(self, action: BreakFree, ready: ReadyToBreakFree) -> Whose | Cast:
        from_text = f" from {ready.holder}" if ready.holder else ""
        own_check = Whose(ready.model.name, "STR check", f"to break free{from_text}")
        grapple = Whose(ready.holder, "grapple", f"on {ready.model.name}")
        return cast_by_label(own_check, grapple=grapple) if ready.holder else own_check

    def rule(self, dice: Dice, ready: ReadyToBreakFree) -> bool:
        throw = ready.prepared.throw
        return wrestle_free(dice, throw, ready.held.throw) if ready.held else break_free(dice, (throw,))

    def settle(self, act: Act, action: BreakFree, ready: ReadyToBreakFree, outcome: bool) -> Telling:
        model = ready.model
        carry_through(act, (*ready.due, *after_breaking_free(model, outcome)))
        telling = Telling(
            [f"{model.name} {'is free' if outcome else 'stays Pinned'}."],
            why_check(ready.prepared, f"{model.name} tries to break free"),
            dice=[dice_words(ready.prepared, "STR")],
        )
        if ready.held:
            telling.lines.append(f"Opposed by {ready.holder}: {dice_words(ready.held, 'STR')}")
        return telling

    def chances(self, act: ActView, action: BreakFree, ready: ReadyToBreakFree) -> Chances:
        odds = act.solve(self.rule, ready)
        return pass_chances(ready.model.name, "breaks free", odds, dice_words(ready.prepared, "STR"))


@register_offer("break_free")
def _break_free_button(proposal: Propose) -> tuple[str, Action]:
    return "Break free", BreakFree(reference_by_number(proposal.model))
