"""What may be said and corrected of an open Upkeep: the actions, the forms and the steps they belong to."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.upkeep.upkeep_draft import Note
from bot.replies.reply import Blank, Form, form
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.owners import ANYONE, in_play

STEPS: dict[str, str] = {
    "removed": "Step 1: removed",
    "levels": "Step 2: panic levels",
    "tests": "Step 3: who tests",
    "results": "Step 3: results",
    "ends": "Step 4: what ends",
    "score": "Step 5: score",
    "bag": "Step 6: bag",
    "drawer": "Step 7: first draw",
    "back": "Take a correction back",
}
"""The steps of which something may be corrected, by key, as the menu lists them."""

_WHY = Blank("reason", "Why? Everybody will read it.")

FORMS: dict[str, Form] = {
    "keep": form("cb.upkeep.keep", "It stays", Blank("value", "Life it has again, 0: down", "1", 2), _WHY),
    "level": form("cb.upkeep.level", "Panic Level", Blank("value", "Panic Level", longest=2), _WHY),
    "fire": form("cb.upkeep.fire", "Its size", Blank("value", "R of the template, 0: out", longest=3), _WHY),
    "score": form(
        "cb.upkeep.score", "Objective points", Blank("value", "Points more (-: less)", longest=3), _WHY
    ),
    "bag": form("cb.upkeep.bag", "Initiative tokens", Blank("value", "Tokens in the bag", longest=2), _WHY),
    "": form("cb.upkeep.why", "Correction", _WHY),
}
"""What is filled in for each kind of correction; those that need no figure share the last one."""


@dataclass(frozen=True, slots=True)
class AskCorrection(Action):
    """Show what can be corrected of a step, to the person who asks."""

    command = "cb.upkeep.ask"
    decision_of = in_play("the side whose model, test or total it is")

    step: str = ""


@dataclass(frozen=True, slots=True)
class Correct(Action):
    """Correct one thing of the open Upkeep. about: the number of a model or side, or a fire's name."""

    command = "cb.upkeep.correct"
    decision_of = in_play("the side whose model, test or total it is")

    kind: str = ""
    about: str = ""
    value: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UpkeepOdds(Action):
    """Ask for the chances that each model which tests for panic holds."""

    command = "cb.upkeep.odds"
    decision_of = ANYONE

    odds: bool = True


@dataclass(frozen=True, slots=True)
class TakeBack(Action):
    """Take a correction back.

    number: as the proposal counts them, from 1. reason: why, where somebody else made it.
    """

    command = "cb.upkeep.back"
    decision_of = in_play("the side whose model, test or total it is")

    number: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SayFled(Action):
    """Say which Panicked models ran off the table in this turn."""

    command = "cb.upkeep.fled"
    decision_of = in_play("the side whose model, test or total it is")

    models: tuple[int, ...] = fields.unordered()


def described(encounter: Encounter, note: Note) -> str:
    """A correction in a few words."""
    match note.kind:
        case "keep":
            stays = f"stays, {note.value} Life" if note.value != "0" else "stays, down"
            return f"{_model(encounter, note)} {stays}"
        case "level":
            return f"{_side(encounter, note)}: panic level {note.value}"
        case "test":
            return f"{_model(encounter, note)} tests"
        case "spare":
            return f"{_model(encounter, note)} does not test"
        case "result":
            return f"{_model(encounter, note)}: {note.value}"
        case "timer":
            return f"{_model(encounter, note)}: {note.value} does not end"
        case "fire":
            return f"{note.about}: {f'R{note.value}' if note.value != '0' else 'out'}"
        case "cloud":
            return f"The cloud {note.about} stays"
        case "score":
            return f"{_side(encounter, note)}: {int(note.value):+d} objective points"
        case "bag":
            return f"{_side(encounter, note)}: {note.value} tokens"
    return f"{_side(encounter, note)} draws first"


def _model(encounter: Encounter, note: Note) -> str:
    return encounter.model(note.number).name


def _side(encounter: Encounter, note: Note) -> str:
    return encounter.side(note.number).name
