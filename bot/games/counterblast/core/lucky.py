"""What Counterblast's rolls are worth to who throws them: wounds, net successes, nerve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.table.luck.worths import counts, deals
from rules.dice import Part, add_up
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.panic import PanicResult
from rules.systems.counterblast.melee.bouts import fight, fight_wounds, melee
from rules.systems.counterblast.melee.engagement import disengage, free_attacks
from rules.systems.counterblast.shooting.shots import (
    shot,
    shot_into_melee,
    shot_wounds,
    volley,
    volley_into_melee,
)
from rules.systems.counterblast.shooting.templates import blast, engulf_wounds, line, wounds_on_line

ALL = 1_000
"""Wounds up to which they are told apart: more than any throw comes to."""


def _added(rule: Callable[..., int], each: tuple[Any, ...], *more: Any) -> tuple[Any, tuple[Part, ...]]:
    """What comes of all together, of each by itself."""
    return add_up, tuple((1, 1, rule, (one, *more)) for one in each)


deals(shot, lambda fell: fell.suffered.through)
deals(
    volley,
    lambda fell: sum(one.suffered.through for one in fell),
    asked=lambda shots: _added(shot_wounds, shots),
)
deals(
    volley_into_melee,
    lambda fell: sum(one.suffered.through for one, _ in fell),
    of=lambda fell: sum(one.suffered.through - beside.through for one, beside in fell),
)
deals(shot_into_melee, lambda fell: fell[0].through, of=lambda fell: fell[0].through - fell[1].through)
deals(fight, lambda fell: fell.through)
deals(
    melee,
    lambda fell: sum(one.through for one in fell),
    asked=lambda bouts: _added(fight_wounds, bouts),
)
deals(
    blast,
    lambda fell: sum(one.through for one in fell),
    asked=lambda victims: _added(engulf_wounds, victims, ALL),
)
deals(
    line,
    lambda fell: sum(one.through for one in fell),
    asked=lambda victims: (wounds_on_line, (victims, ALL)),
)
counts(
    disengage,
    lambda lost: -sum(lost),
    lambda leaver, enemies: (add_up, ((1, -1, free_attacks, (leaver, enemies)),)),
)
counts(CheckResult, lambda result: result.net)
counts(PanicResult, lambda result: not result.panicked)
