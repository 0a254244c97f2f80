"""Breaking away from close combat: an opposition test against every opponent who holds on."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Effect, Lose, Propose
from rules.modifiers import Modifier, total
from rules.systems.warzone.characteristic import opposition
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act, refuse, state_modifiers
from rules.systems.warzone.ranged import rampage_modifiers
from rules.systems.warzone.settings import Settings


@dataclass(frozen=True, slots=True)
class BreakAway:
    """The totals without dice: that of the model which leaves, and those of the opponents who hold it.

    Empty `theirs`: nobody holds it and no dice are thrown.
    """

    ours: tuple[int, ...]
    theirs: tuple[int, ...]
    reroll_ties: bool = True


def break_away(dice: Dice, numbers: BreakAway) -> bool:
    """One opposition test per opponent; all must be won, the first that is lost ends it.

    True when the model is free. Rules: WZ-BREAK-01, WZ-BREAK-03.
    """
    return all(
        dice.call(opposition, ours, theirs, reroll_ties=numbers.reroll_ties)
        for ours, theirs in zip(numbers.ours, numbers.theirs, strict=True)
    )


def side_modifiers(model: Model, settings: Settings) -> tuple[Modifier, ...]:
    """Modifiers on one side's CC + ST: nerves, rampage, MP, and half its CC when prone.

    Rules: WZ-BREAK-01, WZ-PRES-01, WZ-PRES-02.
    """
    modifiers = [*state_modifiers(model, enemy_in_sight=True), *rampage_modifiers(model)]
    if model.has(Condition.MINIMIZED):
        modifiers.append(Modifier(-2, "minimizing presence", "WZ-PRES-01"))
    if model.has(Condition.PRONE):
        cc = model.profile.cc
        kept = (cc + 1) // 2 if settings.half_cc_rounding == "up" else cc // 2
        modifiers.append(Modifier(kept - cc, "prone, half CC", "WZ-PRES-02"))
    return tuple(modifiers)


def leaver_modifiers(leaver: Model, opponent: Model, settings: Settings) -> tuple[Modifier, ...]:
    """Those of `side_modifiers`, and +1 for each SZ by which the leaver is smaller. Rules: WZ-BREAK-02."""
    modifiers = side_modifiers(leaver, settings)
    smaller = opponent.profile.sz - leaver.profile.sz
    if smaller > 0:
        modifiers += (Modifier(smaller, f"{smaller} SZ smaller", "WZ-BREAK-02"),)
    return modifiers


def prepare_break_away(leaver: Model, opponents: tuple[Model, ...], settings: Settings) -> BreakAway:
    """The totals. opponents: those in contact who do not let it go; a vehicle needs no test.

    Raises Forbidden. Rules: WZ-BREAK-01, WZ-BREAK-02, WZ-BREAK-04.
    """
    refuse(leaver, Act.BREAK_AWAY)
    holding = () if leaver.vehicle else opponents
    base = leaver.profile.cc + leaver.profile.st
    return BreakAway(
        ours=tuple(base + total(leaver_modifiers(leaver, each, settings)) for each in holding),
        theirs=tuple(
            each.profile.cc + each.profile.st + total(side_modifiers(each, settings)) for each in holding
        ),
        reroll_ties=settings.opposition_tie == "reroll",
    )


def after_break_away(
    leaver: Model, released: tuple[Model, ...], settings: Settings, *, free: bool
) -> tuple[Effect, ...]:
    """Who is no longer locked. released: opponents whom nobody else holds in close combat.

    Rules: WZ-BREAK-01, WZ-BREAK-03.
    """
    if not free:
        return ()
    effects: list[Effect] = [Lose(model.id, Condition.ENGAGED) for model in (leaver, *released)]
    if settings.breakaway_includes_move:
        details = (("actions", 0),)
        effects.append(Propose("move", leaver.id, f"{leaver.name} may move at once.", details))
    return tuple(effects)
