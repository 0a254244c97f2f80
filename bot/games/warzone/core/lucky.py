"""What Warzone's rolls are worth to who throws them: wounds, tests passed."""

from __future__ import annotations

from bot.table.luck.worths import counts, deals
from rules.systems.warzone.attacks import attack
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.templates import template_attack, template_wounds
from rules.systems.warzone.vehicles import attack_vehicle

deals(attack, lambda result: result.wounds)
deals(template_attack, lambda result: sum(result.wounds), asked=lambda numbers: (template_wounds, (numbers,)))
counts(attack_vehicle, lambda result: -result.hull.wounds)
counts(Grade, lambda grade: grade.passed)
