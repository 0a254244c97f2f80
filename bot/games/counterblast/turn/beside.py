"""What has to be done beside the actions of who acts, kept on the panel where its reply has scrolled away."""

from __future__ import annotations

from dataclasses import replace

from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.core.narration import offered
from bot.games.counterblast.ground.field_play import checks_owed
from bot.games.counterblast.movement.fall_play import falls_owed
from bot.games.counterblast.turn.activations import acting_on
from bot.games.counterblast.turn.begins import still_awaits
from bot.replies.reply import Button
from bot.table.encounter import Encounter
from rules.effects import Propose

MOST = 10
"""Duties that the panel has room for beside its own buttons; the next one comes when one of them is done."""


def beside_round(encounter: Encounter) -> tuple[Button, ...]:
    """Falls and checks that models owe, then what awaits those who act.

    Rules: CB-FALL-01, CB-MOVE-04, CB-MOVE-06, CB-TERR-07, CB-HAZ-05, CB-BURN-06, CB-CREW-13, CB-PANIC-10.
    """
    found = [one for row in encounter.models() for one in falls_owed(row)]
    for row in encounter.models():
        checks = checks_owed(encounter, row)
        found += checks if checks and not fighter(encounter, row).is_down else []
    found += [one for model in acting_on(encounter) for one in still_awaits(encounter, model)]
    return tuple(_named(encounter, one) for one in found[:MOST])


def _named(encounter: Encounter, proposal: Propose) -> Button:
    """What it is done with, and by whom: `Fall: Skip`, or `Fall: Skip...` where a form comes first."""
    button = offered(proposal)
    word = button.label.removesuffix("...")
    dots = button.label[len(word) :]
    return replace(button, label=f"{word}: {encounter.model(proposal.model).name}{dots}")
