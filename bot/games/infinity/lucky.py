"""What Infinity's rolls are worth to who throws them: hits, saves, tests passed."""

from __future__ import annotations

from bot.table.luck.worths import counts, saves
from rules.systems.infinity.armour import wounds
from rules.systems.infinity.f2f import Dodged, FaceToFace
from rules.systems.infinity.rolls import Hits, Reading

counts(FaceToFace, lambda both: both.a.total - both.b.total)
counts(Hits, lambda hits: hits.total)
counts(Dodged, lambda dodged: dodged.clean)
counts(Reading, int)
saves(wounds, float)
