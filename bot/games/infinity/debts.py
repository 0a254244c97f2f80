"""Debts at the end of an Order, which stop the next one: Guts Rolls, and the choice of how a model falls.

Owns who owes what and how it is offered; it is settled in `care_play`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action, reference_by_number
from bot.games.infinity import troops
from bot.games.infinity.fields import ground, ground_type, who
from bot.games.infinity.narration import Telling
from bot.games.infinity.state import Debt, Fallen, ModelState
from bot.replies.reply import Button, Next
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView, Barred
from bot.table.asking import fields
from bot.table.encounter import Encounter, EncounterView
from bot.table.game import time_to_react
from bot.table.owners import PLAYER
from bot.table.waits import player_of
from rules.systems.infinity.movement import Ground
from rules.systems.infinity.reactions import GutsChoice, guts_choices
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.states import State, open_falls
from rules.systems.infinity.trooper import Condition, Trooper

GUTS_CHOICES = {str(guts_choice): guts_choice for guts_choice in GutsChoice}
FALL_CHOICES = {str(one): one for one in State}
"""Words for how a Guts Roll is met, and how a trooper goes on that fell."""


@dataclass(frozen=True, slots=True)
class Guts(Action):
    """Make a Guts Roll after being hit, or see its odds.

    how: roll, fail or pass. ground, terrain: under the trooper.
    """

    command = "inf.guts"
    typed = "inf guts"
    titled = "Guts Roll"

    model: Trooper = who()
    how: GutsChoice = fields.one_of("Roll, or choose to pass or fail", GUTS_CHOICES, default=GutsChoice.ROLL)
    odds: bool = fields.odds("Show only the odds")
    ground: Ground = ground()
    terrain: str = ground_type()


@dataclass(frozen=True, slots=True)
class Fall(Action):
    """Choose how a fallen trooper goes on: dogged, no_wound_incapacitation, or unconscious."""

    command = "inf.fall"

    model: Trooper = who("")
    state: State = fields.one_of("", FALL_CHOICES, default=State.DOGGED)


@dataclass(frozen=True, slots=True)
class FallLate(Action):
    """Declare that the time for that choice is up, so the trooper stays down."""

    command = "inf.fall.late"
    decision_of = PLAYER

    model: ModelRow = fields.model_by_number()

    for_all = True


@dataclass(frozen=True, slots=True)
class Prone(Action):
    """Go Prone, or stand up again."""

    command = "inf.prone"
    typed = "inf prone"
    titled = "Go Prone or stand up"
    waits_for_dice = True

    model: Trooper = who()


def owe_guts(telling: Telling, row: ModelRow, trooper: Trooper, wip: int, settings: Settings) -> None:
    """Note that a trooper owes a Guts Roll, and offer it. Rules: INF-GUT-01, INF-GUT-03, INF-VAL-01."""
    name = trooper.current.name
    if not wip:
        telling.after.append(f"{name} can't make its Guts Roll because its profile has no WIP.")
        return
    ModelState(row).guts_wip = wip
    telling.after.append(f"{name} must make a Guts Roll against WIP {wip}.")
    _offer_guts(telling, row, trooper, settings)


def _offer_guts(telling: Telling, row: ModelRow, trooper: Trooper, settings: Settings) -> None:
    telling.offer(f"Guts Roll: {row.name}"[:40], Guts(trooper))
    telling.offer(f"Fail Guts Roll: {row.name}"[:40], Guts(trooper, GutsChoice.FAIL))
    if GutsChoice.PASS in guts_choices(trooper, settings):
        telling.offer(f"Pass Guts Roll: {row.name}"[:40], Guts(trooper, GutsChoice.PASS))


def offer_fall(
    act: Act, telling: Telling, row: ModelRow, choices: Sequence[State], *, was_standing: bool, wip: int
) -> None:
    """Ask the player of a trooper how it falls, and tell how long that may take.

    wip: of its Guts Roll if it goes on, 0 if it owes none. Nothing else goes on before the answer.
    Rules: INF-VAL-04, INF-VAL-09, INF-VAL-13, INF-GUT-01.
    """
    state = ModelState(row)
    state.fall = Fallen.STOOD if was_standing else Fallen.WAS_DOWN
    state.fall_entry, state.fall_guts_wip = act.entry, wip
    player_name, time_text = player_of(act.encounter, row.id), time_to_react(act.encounter)
    question = Next(f"{player_name}: does {row.name} stay down or keep acting? ({time_text})")
    telling.after.append(question)
    _offer_falls(telling, row, choices)


def _offer_falls(telling: Telling, row: ModelRow, choices: Sequence[State]) -> None:
    state_words = {State.NO_WOUND_INCAPACITATION: "NWI", State.DOGGED: "Dogged"}
    for state in (*choices[1:], choices[0]):
        state_text = state_words.get(state, "Stay down")
        telling.offer(f"{state_text}: {row.name}"[:40], Fall(reference_by_number(row.id), state))


def debts_of(encounter: EncounterView) -> list[tuple[ModelRow, Debt]]:
    """Return the debts to settle first: whether fallen troopers go on, then Guts Rolls."""
    debts: list[tuple[ModelRow, Debt]] = []
    for model in encounter.models():
        state = ModelState(model)
        if not (state.fall or state.guts_wip):
            continue
        trooper = troops.trooper(encounter, model)
        if state.fall and trooper.has(Condition.UNCONSCIOUS):
            debts.append((model, Debt.FALL))
        elif state.guts_wip and not trooper.is_null:
            debts.append((model, Debt.GUTS))
    return sorted(debts, key=lambda owed: owed[1] is not Debt.FALL)


def list_owed_falls(encounter: EncounterView) -> list[ModelRow]:
    """Return the troopers whose players have to choose how they fall before anything else goes on.

    Rules: INF-VAL-13.
    """
    return [model for model, debt in debts_of(encounter) if debt is Debt.FALL]


def debt_lines(encounter: Encounter) -> list[str]:
    """Return lines that say whom the game waits for, and why."""
    lines = []
    for model, debt in debts_of(encounter):
        lines.append(f"{player_of(encounter, model.id)}: {debt.format(model.name)}")
    return lines


def debt_buttons(encounter: EncounterView) -> list[Button]:
    """Return the buttons for each debt, for the player of the trooper."""
    telling, settings = Telling(), troops.settings_of(encounter)
    for model, debt in debts_of(encounter):
        trooper = troops.trooper(encounter, model)
        if debt is Debt.GUTS:
            _offer_guts(telling, model, trooper, settings)
        else:
            _offer_falls(telling, model, open_falls(trooper, settings))
    return telling.asked


def offer_prone(telling: Telling, trooper: Trooper) -> None:
    """Offer what a trooper that failed its Guts Roll may do instead of moving to safety. Rules:
    INF-GUT-02.
    """
    if not trooper.has(Condition.PRONE):
        telling.offer(f"Go Prone: {trooper.current.name}"[:40], Prone(trooper))


def build_prone_buttons(encounter: Encounter) -> list[Button]:
    """Return buttons for troopers that failed a Guts Roll for the last Order, until the next one. Rules:
    INF-GUT-02.
    """
    telling = Telling()
    for model in encounter.models():
        trooper = troops.trooper(encounter, model) if ModelState(model).guts_failed else None
        if trooper is not None and not trooper.is_null:
            offer_prone(telling, trooper)
    return telling.asked


def check_debts(act: ActView) -> None:
    """Raise Barred while a Guts Roll or a choice of how to fall is owed, unless overridden.

    Rules: INF-GUT-01, INF-VAL-13.
    """
    encounter = act.encounter
    for model, debt in debts_of(encounter):
        owner = player_of(encounter, model.id)
        buttons = debt_buttons(encounter)
        with act.overridable():
            if debt is Debt.GUTS:
                sentence = f"{owner} must first make the Guts Roll for {model.name}."
                raise Barred(sentence, "INF-GUT-01", *buttons)
            sentence = f"Wait until {owner} has chosen whether {model.name} stays down or keeps acting."
            raise Barred(sentence, "INF-VAL-13", *buttons)


COMMANDS_DURING_FALLS = frozenset(
    {
        *("inf.fall", "inf.fall.late", "inf.guts", "inf.prone"),
        *("inf.mine", "inf.area", "inf.jump", "inf.terrain"),
    }
)
"""Commands that do not wait for the choice of how a model falls: the choice itself, other debts, looking."""


def check_falls(act: Act, action: Action) -> None:
    """Raise Barred while a player has to choose how a trooper falls, unless overridden. Rules: INF-VAL-13."""
    if action.command in COMMANDS_DURING_FALLS or not list_owed_falls(act.encounter):
        return
    if not action.looks:  # chances may be asked at any time
        check_debts(act)


def forget_debts(encounter: Encounter) -> None:
    """Forget all debts, which are settled or waived."""
    for model in encounter.models():
        ModelState(model).forget_debts()
