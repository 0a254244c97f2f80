"""Counters of Counterblast, each declared once with its owner (model, side or encounter) and meaning."""

from __future__ import annotations

from rules.counters import CounterName, CounterNames, PerNumber, PerWord


class Counter(CounterNames):
    """Counters of a model by key; each is 0 before its first use."""

    ACTIVATED = "activated"
    ACTIONS = "actions spent"
    ATTACKS = "attacks made"
    MOVES = "moves made"
    RALLIED = "rally tried"
    DOWN = "turn it went down"
    HEIGHT = "height"
    PIN_TARGET = "target to break free"
    EATEN = "shield dice eaten by acid"
    DAZED = "failed Scan"
    FAHZ_JIIN = "Fahz Jiin"
    BURST = "EMP Burst made"
    PARTNER = "partner"
    RIDES = "rides"
    LIFTED = "lifted by Telekinesis"
    CRITICAL = "critical damage rolled"
    UNDERGROUND = "underground"
    INSIGHT = "Identify"
    SPOILED = "Identify spoils"
    UNDEPENDABLE = "declines Dependable"


ENGAGED_WITH = PerNumber("engaged:")
"""Counters of a model, by another: above 0 it is engaged with that one."""
RELIC = PerWord("relic: ")
"""Counters of a model: how many relics it has, by key. Rules: CB-RELIC-02."""
RELIC_WEAPON = PerWord("relic weapon: ")
"""Counters of a model: 1 for a carried weapon that is a Relic Weapon, by key. Rules: CB-RELIC-06."""
TRINKET_NOW = CounterName("trinket now")
"""Counter: a critical failure of the check that is being rolled is ignored. Rules: CB-RELIC-07."""
LOST_TECH_NOW = CounterName("lost tech now")
"""Counter: the next Engineering check has a success without dice. Rules: CB-RELIC-08."""

ORDERS = CounterName("orders")
"""Counter of a side: order tokens it still has."""
ORDERS_SPENT = CounterName("orders spent")
"""Counter of a side: order tokens that it spent in this encounter."""

PANIC_LEVEL = CounterName("panic level")
"""Counter of a side."""
TURN = CounterName("turn")
"""Counter of the encounter."""
