"""What Infinity's rolls are worth to who throws them: hits, saves, tests passed."""

from __future__ import annotations

from bot.table.luck.worths import counts, saves
from rules.systems.infinity.armour import wounds
from rules.systems.infinity.rolls import FaceToFace, Hits, Reading, dodge_all, dodge_landed, dodges_all

counts(FaceToFace, lambda both: both.a.total - both.b.total)
counts(Hits, lambda hits: hits.total)
counts(dodge_all, lambda dodged: dodged.clean, lambda dodge, attacks: (dodges_all, (dodge, attacks)))
counts(dodge_landed, lambda dodged: dodged.clean)
counts(Reading, int)
saves(wounds, float)
