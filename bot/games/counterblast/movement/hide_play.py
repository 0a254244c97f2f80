"""Hiding, spotting and breaking free at the table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import (
    UNDO,
    carry_through,
    could,
    named,
    order_buttons,
    own,
    pay,
    settings,
    spend_order,
)
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.core.telling import Telling, offers
from bot.games.counterblast.core.throwers import labelled
from bot.games.counterblast.core.throwing import ReadyCheck, Throwing, due, passing
from bot.games.counterblast.core.words import dice_words, trace_lines, why_check
from bot.games.counterblast.shooting.recalled import hide_behind
from bot.replies.chances import exactness, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, as_done, in_steps
from rules.dice import Dice
from rules.effects import Propose
from rules.odds import Odds
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.pinned import (
    after_breaking_free,
    break_free,
    prepare_breaking_free,
    wrestle_free,
)
from rules.systems.counterblast.core.weapons import MAX_COVER
from rules.systems.counterblast.movement.hiding import (
    after_moving_into_view,
    after_spot,
    hide,
    prepare_scan,
    prepare_spot,
    spot,
)

NO_SCANNER = -1.0


@dataclass(frozen=True, slots=True)
class Hide(Action):
    """Hide behind terrain, out of every enemy's sight.

    A model hides: it touches terrain that keeps it out of every enemy's sight.

    cover: what it has there, 0 to 3, against templates that find it and shots once it is spotted.
    """

    command = "cb.hide"
    typed = "cb hide"
    facts = frozenset({"cover"})

    model: str = fields.words("Who hides", offering.own_model, needed=True)
    cover: int = fields.whole("Its cover there, 0 to 3: kept until it moves", 0, 3, default=0, fact=True)


@dataclass(frozen=True, slots=True)
class Seen(Action):
    """A hidden model moved into an enemy's view."""

    command = "cb.seen"

    model: int = 0


@dataclass(frozen=True, slots=True)
class Spot(Action):
    """Look for a hidden model.

    scanner: inches to it for a Scanner, -1 for eyes alone.
    """

    command = "cb.spot"
    typed = "cb spot"
    facts = frozenset({"scanner"})

    spotter: str = fields.words("Who looks", offering.own_model, needed=True, called="model")
    target: str = fields.words("For whom", offering.foe, needed=True)
    scanner: float = fields.inches("Inches to it, with a Scanner", 0.0, 200.0, default=-1.0, fact=True)
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class BreakFree(Action):
    """A pinned model tries to get loose.

    grappler: who holds it, where somebody does.
    """

    command = "cb.free"
    typed = "cb free"

    model: str = fields.words("Who", offering.own_model, needed=True)
    grappler: str = fields.words("Who holds it, if somebody does", offering.any_model)
    order: bool = order()
    odds: bool = fields.odds()


@handles(Seen)
def seen(act: Act, action: Seen) -> Reply:
    """Said by anybody at the table: models see what they see. Rules: CB-HIDE-03."""
    act.require_player()
    model = fighter(act.encounter, act.encounter.model(action.model))
    if not model.has(Condition.HIDDEN):
        raise Forbidden(f"{model.name} is not Hidden.", "CB-HIDE-03")
    carry_through(act, after_moving_into_view(model))
    return Reply((f"{model.name} moved into view: it is hidden no more.",), buttons=(UNDO,))


@handles(Hide)
def hide_model(act: Act, action: Hide) -> Reply:
    """One action; the players see that nobody sees it."""
    model = own(act, action.model)
    act.canonical = Hide(f"#{model.id}", action.cover)
    if not 0 <= action.cover <= MAX_COVER:
        raise InvalidInput(f"Cover is 0 to {MAX_COVER}.")
    if model.has(Condition.HIDDEN):
        raise Forbidden(f"{model.name} is Hidden already.", "CB-HIDE-01")
    effects = hide(model, out_of_sight=True, at_terrain=True)
    pay(act, model, "hide")
    carry_through(act, effects)
    hide_behind(act.encounter, model.id, action.cover)
    return Reply(
        (
            f"{model.name} hides{f', cover {action.cover}' if action.cover else ''}.",
            "No attack may name it. It is seen when",
            "it attacks, moves twice or into view.",
        ),
        buttons=(Button("Moved into view", Seen(model.id), anytime=True), UNDO),
    )


@dataclass(frozen=True, slots=True)
class ReadySpot(ReadyCheck):
    """A check by which a model looks for another. spotter, target: their numbers and names."""

    spotter: int = 0
    target: int = 0
    names: tuple[str, str] = ("", "")


@in_steps(Spot)
class Spotting(Throwing[Spot, ReadySpot, bool]):
    """INT at 7, one action and a line of sight; with a Scanner free, within 8 in and without one."""

    def prepare(self, act: Act, action: Spot) -> ReadySpot:
        """Who is hidden, and may be looked for. Raises InvalidInput, Forbidden."""
        spotter = named(act, action.spotter) if act.looks else own(act, action.spotter)
        target = named(act, action.target)
        scanning, chosen = action.scanner >= 0, settings(act)
        if scanning:
            ready = prepare_scan(spotter, target, action.scanner, order_token=action.order, settings=chosen)
        else:
            ready = prepare_spot(spotter, target, order_token=action.order, settings=chosen)
        act.canonical = replace(as_done(action), spotter=f"#{spotter.id}", target=f"#{target.id}")
        costs = due(act, spotter, "scan" if scanning else "spot", order=action.order)
        return ReadySpot(ready, costs, spotter.id, target.id, (spotter.name, target.name))

    def whose(self, action: Spot, ready: ReadySpot) -> Whose:
        """The spotter's."""
        return Whose(ready.names[0], "INT check", f"to spot {ready.names[1]}")

    def rule(self, dice: Dice, ready: ReadySpot) -> bool:
        """Whether it is seen."""
        return spot(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Spot, ready: ReadySpot, outcome: bool) -> Telling:
        """It is hidden no more, or stays so."""
        spotter, target = (
            fighter(act.encounter, act.encounter.model(one)) for one in (ready.spotter, ready.target)
        )
        carry_through(act, ready.due)
        carry_through(act, (*after_spot(target, outcome), *ended_by(spotter, Event.INT_CHECKED)))
        what = f"{spotter.name} spots {target.name}: it is hidden no more."
        return Telling(
            [what if outcome else f"{spotter.name} does not spot {target.name}."],
            why_check(ready.prepared, f"{spotter.name} looks for {target.name}"),
            dice=[dice_words(ready.prepared, "INT")],
        )

    def chances(self, act: Act, action: Spot, ready: ReadySpot) -> Chances:
        """Whether it is seen."""
        odds = act.solve(spot, (ready.prepared.throw,))
        return passing(ready.names[0], f"spots {ready.names[1]}", odds, dice_words(ready.prepared, "INT"))


@handles(BreakFree)
def get_loose(act: Act, action: BreakFree) -> Reply:
    """One action: STR at what its cause set, or against the STR of who holds it."""
    model = named(act, action.model) if action.odds else own(act, action.model)
    if not model.has(Condition.PINNED):
        raise Forbidden(f"{model.name} is not Pinned.", "CB-COND-06")
    chosen = settings(act)
    ready = prepare_breaking_free(model, order_token=action.order, settings=chosen)
    holder = named(act, action.grappler) if action.grappler else None
    held = prepare_breaking_free(holder, settings=chosen) if holder else None
    act.canonical = replace(
        action, model=f"#{model.id}", grappler=f"#{holder.id}" if holder else "", odds=False
    )
    if action.odds:
        could(act, model, "break_free")
        what = f"{model.name} breaks free"
        if held:
            odds = act.solve(wrestle_free, ready.throw, held.throw)
        else:
            odds = act.solve(break_free, (ready.throw,))
        return _odds_reply(act, act.canonical, model, ready, "STR", what, odds)
    pay(act, model, "break_free")
    if action.order:
        spend_order(act, model.side)
    mine = Whose(model.name, "STR check", f"to break free{f' of {holder.name}' if holder else ''}")
    if holder and held:
        whose = labelled(mine, grapple=Whose(holder.name, "grapple", f"on {model.name}"))
        free = act.roll(whose, wrestle_free, ready.throw, held.throw)
    else:
        free = act.roll(mine, break_free, (ready.throw,))
    carry_through(act, after_breaking_free(model, free))
    said = [f"{model.name} {'is free' if free else 'stays pinned'}."]
    if holder and held:
        said.append(f"Against {holder.name}, {dice_words(held, 'STR')}")
    return _told(act, said, ready, "STR", f"{model.name} breaks free")


def _told(act: Act, said: list[str], ready: Prepared, ability: str, title: str) -> Reply:
    telling = Telling([*said, "", dice_words(ready, ability), *trace_lines(act.dice.trace)])
    telling.why += why_check(ready, title)
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def _odds_reply(
    act: Act,
    again: BreakFree,
    who: Fighter,
    ready: Prepared,
    ability: str,
    what: str,
    odds: Odds[bool],
) -> Reply:
    """The chance of success, and buttons that roll."""
    return Reply(
        (
            f"{what}: {percent(odds.chance(bool)).strip()}",
            dice_words(ready, ability),
            exactness(odds),
            "Nothing is rolled.",
        ),
        private=True,
        buttons=tuple(order_buttons(act, who.side, "Roll", again)),
    )


@offers("break_free")
def _free_button(proposal: Propose) -> tuple[str, Action]:
    return "Break free", BreakFree(f"#{proposal.model}")
