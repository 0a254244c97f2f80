"""State of Frac'd Earth: who acts, Push tokens, and what each figure has used and maintains."""

from __future__ import annotations

from bot.table.encounter import EncounterView
from bot.table.state import Flag, Number, State, Table
from rules.counters import PerWord
from rules.systems.fracd_earth.protection import SECOND_DAMAGE


class EncounterState(State):
    """The game as a whole."""

    acting = Number("acting", "The figure whose activation runs, by its number; 0 for none.")
    to_act = Number("to act", "The side that acts next; 0 when every figure has acted.")
    priority = Number("priority", "The side that won priority this turn.")
    last_token = Number("last token", "The highest number of a Hide token laid so far.")


class SideState(State):
    """One side."""

    push_tokens = Number("push_tokens", "Push tokens left.")


class FigureState(State):
    """One figure. Main, pace and compatible are places in the lists of `bot.games.fracd_earth.figures`."""

    activated = Flag("activated", "It has had its activation this turn.")
    tried_to_interrupt = Number("tried to interrupt", "The figure that it last tried to interrupt.")
    interrupts = Number("interrupts", "The figure whose activation it interrupts, by its number.")
    main = Number("main", "The Main action that it used.")
    pace = Number("pace", "The pace at which it moved.")
    halves = Number("halves", "Half-Moves used.")
    compatible = Number("compatible", "The Compatible action that it used.")
    frees = Number("frees", "Free actions used.")
    reactions = Number("reactions", "Reactions used.")
    second_damage = Number(SECOND_DAMAGE, "Damage to its second Damage Capacity.")
    sustained = Table(PerWord("sustained: "), "How often it maintains the power effect of that name.")


def encounter_state(encounter: EncounterView) -> EncounterState:
    """Return the state of the game."""
    return EncounterState(encounter.row)
