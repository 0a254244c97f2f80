"""What follows in a game of Warzone when players put a model under a condition, or end one, by hand."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.warzone.core.common import carry_through, part
from bot.games.warzone.core.units import model_of, models_of
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from rules.effects import Count, Effect, Gain, Lose
from rules.systems.warzone.model import LOST_ACTIONS, UNHINGED, Condition, Model
from rules.systems.warzone.movement import knock_prone
from rules.systems.warzone.powers import after_rampage, after_unhinged
from rules.systems.warzone.waiting import conceal

SOURCE = "by hand"
ONE_OF: tuple[frozenset[Condition], ...] = (
    frozenset({Condition.PRONE, Condition.MINIMIZED}),
    frozenset({Condition.PANICKED, Condition.BROKEN}),
)
"""Conditions of which a model has one at a time. Rules: WZ-MOVE-02, WZ-PANIC-01, WZ-BROKEN-01."""

REBOOT_LOSES = 2


class ByHand:
    """The part of the game that answers conditions set by hand."""

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        """Its conditions."""
        return [row.kind for row in encounter.conditions(model.id)]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """What a rule does that brings the condition about."""
        others = models_of(act.encounter)
        carry_through(act, put_under(model_of(act.encounter, model), Condition(kind), value, others))
        return Reply(())

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """Who is locked in close combat no more touches nobody."""
        carry_through(act, [Lose(model.id, kind) for kind in kinds])
        if Condition.ENGAGED in kinds:
            part(act.encounter, model_of(act.encounter, model))
        return Reply(())


def put_under(model: Model, condition: Condition, value: int, others: Sequence[Model]) -> list[Effect]:
    """The condition with all that comes with it. others: everybody in play.

    Rules: WZ-MOVE-02, WZ-SPOT-02, WZ-AMOK-04, WZ-UNH-01, WZ-BACK-02, WZ-RAMP-02.
    """
    plain: Effect = Gain(model.id, condition, value, source=SOURCE)
    ended = [
        Lose(model.id, other)
        for group in ONE_OF
        for other in sorted(group - {condition})
        if condition in group and model.has(other)
    ]
    if condition in UNHINGED:
        shaken = [Gain(model.id, Condition.BROKEN, source=SOURCE)] if not model.broken else []
        calm = [Lose(model.id, Condition.PANICKED)] if model.has(Condition.PANICKED) else []
        return [*calm, *shaken, *after_unhinged(model, condition)]
    match condition:
        case Condition.UNCONSCIOUS:
            return [plain, *knock_prone(model)]
        case Condition.BLINDED:
            return list(after_rampage(model, condition, None))
        case Condition.REBOOTED:
            return [plain, Count("model", model.id, LOST_ACTIONS, REBOOT_LOSES)]
        case Condition.CONCEALED:
            return list(conceal(model, tuple(others)))
        case Condition.LEADING:
            mates = [one for one in others if one.squad == model.squad and one.id != model.id]
            return [*(Lose(one.id, condition) for one in mates if one.has(condition)), plain]
    return [*ended, plain]
