"""Registers the sixth game, for a process of its own: `pytest -p tests.sixth.with_sixth ...`.

Its packages are found beside the bot's own, and its one line is added to the list of the games. BLADES names
another folder that holds them; with BLADES_ALONE no other game is played.
"""

from __future__ import annotations

import os
from pathlib import Path

import bot.games
import rules.systems

HERE = Path(os.environ.get("BLADES", Path(__file__).parent))

bot.games.__path__.append(str(HERE / "games"))
rules.systems.__path__.append(str(HERE / "rules"))
bot.games.PLAYED = (*([] if "BLADES_ALONE" in os.environ else bot.games.PLAYED), "blades")
