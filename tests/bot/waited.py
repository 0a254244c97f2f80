"""What the first line of a panel says."""

from __future__ import annotations

import re

from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.waits import first_line


def waited_for(encounter: Encounter) -> str:
    return first_line(encounter, game_of(encounter).waits, 0)


def buttons_named(said: str) -> list[str]:
    """The buttons that such a line speaks of: what anybody may do, what ends with dots, what follows "or"."""
    whom, what = said.removeprefix("Waiting for ").removesuffix(".").split(": ", 1)
    first, *others = what.split(", or ")
    named = [first] if first.endswith("..") or (whom == "anybody" and not re.search("[,?:]", first)) else []
    return [one.rstrip(".") for one in (*named, *others) if one[0].isupper() or whom == "anybody"]


def not_there(encounter: Encounter) -> list[str]:
    """The buttons that the first line of a panel names and the panel lacks."""
    said = waited_for(encounter)
    labels = {one.label.rstrip(".").casefold() for one in game_of(encounter).panel(encounter).buttons}
    return [one for one in (buttons_named(said) if said else ()) if one.casefold() not in labels]
