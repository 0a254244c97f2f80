"""State of Warzone: the turn, the squads of each side, and each model's deeds, debts and permissions."""

from __future__ import annotations

from bot.table.encounter import OVER, EncounterView
from bot.table.state import Flag, Number, State, Table
from rules.counters import PerNumber, PerWord
from rules.systems.warzone.model import ACTIONS, LOST_ACTIONS, RALLY, SYSTEM_HITS, Model

SQUAD_NAME = PerNumber("squad.")
"""Traits of a side: what a squad is called."""


class EncounterState(State):
    """The game as a whole. Sides and squads are told by their numbers."""

    is_over = Flag(OVER, "The last turn is over.")
    last_squad = Number("squad", "Last number that was given to a squad.")
    to_move = Number("to move", "Side whose round it is.")
    first_side = Number("first", "Side that began the turn.")
    active = Table(PerNumber("active."), "Squad that acts, by how many acted already when it was ordered to.")
    acting = Table(PerNumber("acting."), "Model that acts, by its squad.")
    step = Table(PerNumber("step."), "Place of the step that a squad has reached which acts together.")
    rallies = Table(RALLY, "Rally attempts in this turn, by squad.")
    terrain_wounds = Table(PerWord("terrain."), "Wounds taken by a piece of terrain, by its kind and number.")


class SideState(State):
    """One side, by the numbers of its squads."""

    starting = Table(PerNumber("starting."), "How many models a squad began with.")
    leader = Table(PerNumber("leader."), "Model that leads a squad.")
    activated = Table(PerNumber("activated."), "1 for a squad that has acted in this turn.")
    source = Table(PerNumber("source."), "Enemy that last hurt a squad.")
    lost = Table(PerNumber("lost."), "Models a squad had lost when its morale was last looked at.")
    hurt = Table(PerNumber("hurt."), "Wounds a squad had taken when its morale was last looked at.")
    due = Table(PerNumber("due."), "1 for a squad that owes a morale test.")

    def forget_squad(self, squad_id: int) -> None:
        """Forget a squad without models."""
        for table in (
            self.starting,
            self.leader,
            self.activated,
            self.source,
            self.lost,
            self.hurt,
            self.due,
        ):
            table[squad_id] = 0


class WreckBlast:
    """Values of `ModelState.wreck_blast`."""

    NONE, OWED, BLOWN_UP = range(3)


class ModelState(State):
    """One model. Other models are told by their numbers; the activation is that of its unit."""

    squad = Number("squad", "Its squad.")
    actions = Number(ACTIONS, "Actions left in its activation.")
    lost_actions = Number(LOST_ACTIONS, "Actions it loses in its next activation.")
    deeds = Number("deeds", "What it did in this activation.")
    finished = Flag("finished", "It has finished acting in this activation.")
    grants = Table(PerWord("grant."), "How often it may do a deed at once, without an action.")
    granted_at = Table(PerWord("grant at."), "Model to which it may do a deed at once.")
    contacts = Table(PerNumber("contact."), "1 for each enemy with whom it is in base contact.")
    lets_go = Table(PerNumber("lets go."), "1 for each enemy that it lets leave close combat.")
    asked_to_let_go = Table(
        PerNumber("asked to let go."), "1 for each enemy that asks to break away without a test."
    )
    out_of_command = Flag("out of command", "It was found out of its leader's command distance.")
    tests_alone = Flag("tests alone", "It owes the test that its squad took while it was out of command.")
    aboard = Number("aboard", "Vehicle that carries it.")
    crew_of = Number("crew of", "Vehicle that it serves.")
    systems = Table(SYSTEM_HITS, "Hits on a vehicle, by location.")
    touches_wreck = Table(PerNumber("touches wreck."), "1 for each wreck that it left and stands beside.")
    wreck_blast = Number("wreck blast", "Whether a wreck blows up (`WreckBlast`).")
    direction_rolled = Flag("direction rolled", "Its derangement has shown which model it attacks now.")
    regroups = Flag("regroups", "It has rebooted its squad, and it is open who of it is near.")
    dire_tests = Table(
        PerNumber("dire tests."),
        "Test that is due in its area, by the model it wounded: 1 of that model alone, else 1 + its squad.",
    )
    diving = Flag("diving", "It passed its test and dives.")
    dived_clear = Flag("dived clear", "It dived out from under a template or away from an explosion.")
    dominated = Flag("dominated", "Its summoner dominates it in this turn.")
    astray = Table(PerWord("astray."), "Templates that went astray and have not landed yet, by weapon.")
    mind_storm = Number("mind storm", "1 + magnitude of the Mind Storm around it that is not rolled yet.")

    def forget_activation(self) -> None:
        """Note that its unit's activation is over."""
        self.deeds, self.finished = 0, False

    def end_grants(self) -> None:
        """Drop permissions, and what else ends with the activation in which it came about."""
        for table in (self.grants, self.granted_at):
            table.clear()
        for table_of_enemies in (self.lets_go, self.asked_to_let_go, self.dire_tests):
            table_of_enemies.clear()
        self.dived_clear = self.direction_rolled = self.regroups = False


def encounter_state(encounter: EncounterView) -> EncounterState:
    """Return the state of the game."""
    return EncounterState(encounter.row)


def side_state(encounter: EncounterView, side: int) -> SideState:
    """Return the state of a side by its number. Raises InvalidInput if there is none."""
    return SideState(encounter.side(side))


def model_state(encounter: EncounterView, model: int) -> ModelState:
    """Return the state of a model by its number. Raises InvalidInput if there is none."""
    return ModelState(encounter.model(model))


def state_of(model: Model) -> ModelState:
    """Return the state of a model as the rules see it, to be read and not written."""
    return ModelState.of_counters(dict(model.counters))
