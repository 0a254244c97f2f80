"""What Counterblast's rolls are worth to who throws them: wounds, net successes, nerve."""

from __future__ import annotations

from bot.table.luck.worths import counts, deals
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.panic import PanicResult
from rules.systems.counterblast.melee.bouts import fight, melee
from rules.systems.counterblast.melee.disengage import disengage
from rules.systems.counterblast.shooting.shots import shot, shot_into_melee, volley, volley_into_melee
from rules.systems.counterblast.templates.templates import blast, line

deals(shot, lambda fell: fell.suffered.through)
deals(volley, lambda fell: sum(one.suffered.through for one in fell))
deals(
    volley_into_melee,
    lambda fell: sum(one.suffered.through for one, _ in fell),
    of=lambda fell: sum(one.suffered.through - beside.through for one, beside in fell),
)
deals(shot_into_melee, lambda fell: fell[0].through, of=lambda fell: fell[0].through - fell[1].through)
deals(fight, lambda fell: fell.through)
deals(melee, lambda fell: sum(one.through for one in fell))
deals(blast, lambda fell: sum(one.through for one in fell))
deals(line, lambda fell: sum(one.through for one in fell))
counts(disengage, lambda lost: -sum(lost))
counts(CheckResult, lambda result: result.net)
counts(PanicResult, lambda result: not result.panicked)
