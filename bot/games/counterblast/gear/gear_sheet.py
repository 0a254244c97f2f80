"""What a model carries, what each thing does, and by which command it is used."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.fields import friend
from bot.games.counterblast.gear.carried import USABLE
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from rules.systems.counterblast.core.fighter import RELIC, Fighter
from rules.systems.counterblast.core.profile import Gear, Weapon
from rules.systems.counterblast.gear.items import USED, is_used_up
from rules.systems.counterblast.gear.relics import PER_ENCOUNTER, relic

HOW = {
    "breaching_charge": "/gear charge, then /gear breach",
    "heavy_breaching_charge": "/gear charge, then /gear breach",
    "electronic_lockpick": "/gear unlock",
    "extraction_tool": "/cb fight, /gear drain; re-rolls by itself",
    "fahz_jiin": "/psi focus",
    "rocket_pack": "/cb move go, /cb charge",
    "scanner": "/cb spot; else by itself",
    "secret_plans": "/spoils build",
    "watchdog": "/gear pair",
}
"""Commands of items that are not used with /gear use; everything else counts by itself."""

RELIC_HOW = {
    "ancient_text": "/gear relic",
    "lost_tech": "/gear relic, before the check",
    "boon": "a button after a failed check",
    "trinket": "a button after a critical failure",
    "beacon": "a button after a failed Rally",
    "crystalized_ultonium": "asked when a psionic attacks it",
    "valuable_bauble": "/spoils use",
    "timebomb": "/spoils use",
}


@dataclass(frozen=True, slots=True)
class ShowGear(Action):
    """What a model carries, and how each thing is used.

    To the asker alone.
    """

    command = "cb.gear.show"
    typed = "gear show"
    titled = "Show gear"
    decision_of = ANYONE

    model: Fighter = friend("Who", needed=True)


@handles(ShowGear)
def show_gear(act: Act, action: ShowGear) -> Reply:
    """Every item with its state. Rules: CB-GEAR-01, CB-GEAR-09, CB-GEAR-35, CB-RELIC-02."""
    model = action.model
    lines = [
        *(line for weapon in model.weapons for line in _weapon_lines(model, weapon)),
        *(line for item in model.gear for line in _gear_lines(model, item)),
        *_relic_lines(model),
    ]
    head = f"{model.name} carries:" if lines else f"{model.name} carries nothing."
    rest = ("What names no command counts by itself.",) if lines else ()
    return Reply((head, *lines, *rest), private=True)


def states(model: Fighter, item: Weapon | Gear) -> str:
    """What is out of order with an item, in brackets; empty when all is well."""
    if not model.works(item.key):
        return " (off)"
    if isinstance(item, Gear) and is_used_up(model, item):
        return " (used up)"
    return ""


def _weapon_lines(model: Fighter, weapon: Weapon) -> list[str]:
    marks = "".join(f", Relic {one.amount:+d}" for one in model.relic_weapon(weapon))
    how = ["  /gear bomb"] if weapon.group == "bomb" else []
    return [f"{weapon.name}{marks}{states(model, weapon)}", *how]


def _gear_lines(model: Fighter, item: Gear) -> list[str]:
    key = item.key.removeprefix("vehicle_")
    how = "/gear use" if item.key in USABLE else HOW.get(key, "")
    return [f"{item.name}{states(model, item)}: {item.text}", *([f"  {how}"] if how else [])]


def _relic_lines(model: Fighter) -> list[str]:
    lines = []
    for key, number in sorted(model.counters):
        if not RELIC.counts(key) or number < 1:
            continue
        row = relic(RELIC.rest(key))
        spent = row.key in PER_ENCOUNTER and model.count(USED.of(row.key)) >= number
        many = f" x{number}" if number > 1 else ""
        lines.append(f"Relic: {row.name}{many}{' (used up)' if spent else ''}: {row.text}")
        lines += [f"  {RELIC_HOW[row.key]}"] if row.key in RELIC_HOW else []
    return lines
