"""What the first line of a panel says."""

from __future__ import annotations

import re

from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.waits import first_line


def waited_for(encounter: Encounter) -> str:
    return first_line(encounter, game_of(encounter).waits, 0)


def buttons_named(said: str) -> list[str]:
    """The buttons that such a line names: what is to be pressed, ends with dots, or follows "or"."""
    pressed = re.findall(r"\b[Pp]ress ([A-Z][^,.?(]*\b)", said)
    _, colon, what = said.partition(": ")
    first, *others = what.split(", or ")
    named = [*([first] if first.endswith("...") else []), *others] if colon else []
    return [*pressed, *(one.rstrip(".") for one in named if one[0].isupper())]


def not_there(encounter: Encounter) -> list[str]:
    """The buttons that the first line of a panel names and the panel lacks."""
    said = waited_for(encounter)
    labels = {one.label.rstrip(".").casefold() for one in game_of(encounter).panel(encounter).buttons}
    return [one for one in (buttons_named(said) if said else ()) if one.casefold() not in labels]
