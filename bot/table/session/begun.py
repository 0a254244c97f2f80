"""What waits until a game has begun: decided once for all games, each of which lists what need not wait."""

from __future__ import annotations

from collections.abc import Container

from bot.actions import Action
from bot.table.act import Act, Barred
from bot.table.session.leading import begin_buttons

SENTENCE = "The game has not begun: nobody is activated yet."


def wait_for_begin(act: Act, action: Action, anytime: Container[str], rule: str) -> None:
    """Refuse, before the first turn, whatever is not listed; an organiser may let it pass.

    anytime: commands that need not wait. Chances may be asked at any time. Raises Barred.
    """
    if act.encounter.row.turn or action.command in anytime or action.looks:
        return
    with act.overridable():
        raise Barred(SENTENCE, rule, *begin_buttons(act.encounter))
