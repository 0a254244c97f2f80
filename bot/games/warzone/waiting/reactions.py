"""What enemies on wait are offered when somebody moves, charges, or fires a template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.games.warzone.core.common import enemies_on_wait, may_react, settings
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.waiting.wait_actions import React
from bot.replies.reply import Button
from bot.table.act import Act
from rules.refusals import allows
from rules.systems.warzone.model import Model
from rules.systems.warzone.waiting import Reaction, Trigger, needs_test_to_react, reactions

MOST_REACTORS = 4
"""Models on wait that get buttons of their own; others use the command."""

WORDS: dict[Reaction, str] = {
    "fire": "fires",
    "spot": "spots",
    "dive": "dives",
    "countercharge": "countercharges",
    "brace": "braces",
    "withdraw": "withdraws",
}
_AGAINST_ME = frozenset({"countercharge", "brace", "withdraw"})


def offer_reactions(telling: Telling, mover: Model, trigger: Trigger, target: Model | None = None) -> None:
    """Buttons for every enemy on wait. target: whom a charge is aimed at. Rules: WZ-WAIT-02 to WZ-WAIT-04."""
    act = telling.act
    found = [(each, _ways(act, each, mover, trigger, target)) for each in enemies_on_wait(act, mover)]
    waiting = [(each, ways) for each, ways in found if ways]
    for each, ways in waiting[:MOST_REACTORS]:
        for how in ways:
            action = React(each, how, mover, trigger)
            telling.buttons.append(Button(f"{each.name} {WORDS[how]}", action, anytime=True))
    if waiting:
        names = ", ".join(each.name for each, _ in waiting)
        telling.next.append(f"On wait and may react: {names}.")


def react_buttons(waiting: Sequence[Model], mover: Model | None) -> list[Button]:
    """The form of a reaction to whoever acts, where anybody is on wait; who reacts where only one is."""
    action = React() if mover is None else React(enemy=mover)
    if len(waiting) == 1:
        action = replace(action, model=waiting[0])
    return [Button("React...", action, anytime=True, asks=True)] if waiting else []


def _ways(act: Act, one: Model, mover: Model, trigger: Trigger, target: Model | None) -> list[Reaction]:
    """The reactions that a model on wait may try."""
    chosen = settings(act)
    return [
        how
        for how in reactions(trigger, chosen)
        if (how not in _AGAINST_ME or (target is not None and one.id == target.id))
        and allows(needs_test_to_react, one, how, trigger, mover, chosen)
    ]


def dive_buttons(models: Sequence[Model], source: Model) -> list[Button]:
    """For everybody on wait under a template or beside an explosion, whatever its side. Rules: WZ-DIVE-01."""
    return [
        Button(f"{each.name} dives", React(each, "dive", source, "template"), anytime=True)
        for each in models
        if may_react(each)
    ]
