"""Fear: what it forbids, the LD test that may have to be passed first, and who of several is afraid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone.activation import note_deed
from bot.games.warzone.common import Telling, check_can_act, find_enemies_in_contact, find_grant, refresh
from bot.games.warzone.narration import describe_sum, format_short_sum
from bot.games.warzone.state import state_of
from bot.games.warzone.units import read_turn, squad_of
from bot.replies.chances import percent
from bot.replies.reply import Button, Choice, Menu
from bot.table.act import ActView
from bot.table.handlers import May
from bot.table.throw_purposes import Whose
from rules.modifiers import Modifier
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.command import spend_actions
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import (
    Bearing,
    after_nerve_test,
    check_may_act,
    ld_limit,
    ld_modifiers,
    needs_test,
)
from rules.systems.warzone.movement import after_move, move_value

NERVE_TEST_TITLE = "Nerve test"
NERVE_TEST = "nerve test"
"""The same where whose it is stands before it."""


def describe_ld_roller(model: Model, modifiers: tuple[Modifier, ...], test_name: str) -> Whose:
    """Return who throws the real dice of an LD test. test_name: in words that follow the name."""
    return Whose(model.name, test_name, f"against LD ({ld_limit(model, modifiers)} or less)")


def report_ld_test(telling: Telling, model: Model, modifiers: tuple[Modifier, ...], title: str) -> None:
    """Report the last LD test, with its reasons."""
    limit = ld_limit(model, modifiers)
    heading = f"{title}: {limit} or less ({format_short_sum('LD', model.profile.ld, modifiers)})"
    telling.thrown(heading, throws=1)
    telling.why += [f"{title}, {model.name}", *describe_sum("LD", model.profile.ld, modifiers)]


def require_deed(
    act: ActView, model: Model, deed: Deed, *, bearing: Bearing = "other", actions: int = 1
) -> bool:
    """Return whether a deed that may be done now needs nerve first; nothing is rolled or paid.

    Raises Forbidden, which an organiser may override.
    Rules: WZ-TURN-03, WZ-PANIC-02, WZ-PANIC-04, WZ-BROKEN-01 to WZ-BROKEN-03, WZ-BROKEN-05.
    """
    needs_nerve_test = False
    counts_in_turn = act.encounter.row.turn > 0 and not find_grant(model, deed)
    with act.overridable():
        if counts_in_turn:
            needs_nerve_test = needs_test(model, deed, bearing, first_action=not state_of(model).deeds)
        else:
            check_may_act(model, deed)
    check_can_act(act, model, deed, actions)
    return needs_nerve_test


def build_deed_check(field: str, deed: Deed) -> May:
    """Return a check that the model in that field may begin this deed now."""

    def may(act: ActView, action: Action) -> None:
        require_deed(act, getattr(action, field), deed)

    return may


def report_nerve_test(telling: Telling, model: Model, grade: Grade) -> bool:
    """Report the LD test before an action, and return whether it follows. Rules: WZ-PANIC-02,
    WZ-BROKEN-02.
    """
    act = telling.act
    if grade.passed:
        telling.lines.append(f"{model.name} passes its nerve test.")
        return True
    if model.broken:
        _flee(telling, model)
    else:
        telling.lines.append(f"{model.name} fails its nerve test and loses the action.")
        act.encounter.apply(after_nerve_test(refresh(act, model), grade))
    telling.note(note_deed(act.encounter, model))
    return False


def _flee(telling: Telling, model: Model) -> None:
    """The action goes into flight, or comes to nothing in close combat. Rules: WZ-BROKEN-02, WZ-BREAK-03."""
    encounter = telling.act.encounter
    if find_enemies_in_contact(encounter, model) and not model.vehicle:
        telling.lines.append(f"{model.name} fails its nerve test and loses the action.")
        telling.next.append(f"{model.name} is in close combat and has to break away before it can flee.")
        encounter.apply(spend_actions(model, Deed.MOVE))
        return
    telling.lines.append(f"{model.name} fails its nerve test and flees.")
    inches = move_value(model)
    telling.lines.append(f"{model.name} moves directly away from what broke its morale ({inches:g} in).")
    encounter.apply((*spend_actions(model, Deed.MOVE), *after_move(model)))


# ------------------------------------------------------------------------------------------- weighing


@dataclass(frozen=True, slots=True)
class Preconditions:
    """Conditions before a deed, for odds. lines: tests to pass first; not_yet: why not now.

    limit: what the d20 of the test that comes first must not exceed, None where none does.
    """

    lines: tuple[str, ...] = ()
    not_yet: tuple[str, ...] = ()
    limit: int | None = None

    @property
    def told(self) -> tuple[str, ...]:
        return (*self.lines, *self.not_yet)

    def buttons(self, *offered: Button) -> tuple[Button, ...]:
        """Return the buttons that undertake it, where that is possible now."""
        return () if self.not_yet else offered


NO_PRECONDITIONS = Preconditions()
"""Nothing stands before it."""


def find_preconditions(
    act: ActView,
    model: Model,
    deed: Deed,
    *,
    bearing: Bearing = "other",
    actions: int = 1,
    hidden: bool = False,
) -> Preconditions:
    """Run the checks of `require_deed` for odds, without refusing if its unit does not act now.

    Raises Forbidden, which an organiser may override. Rules: as `require_deed`.
    """
    if act.encounter.row.turn < 1 or find_grant(model, deed):
        with act.overridable():
            check_may_act(model, deed)
        return NO_PRECONDITIONS
    turn = read_turn(act.encounter)
    is_acting = bool(turn.active) and turn.active[-1] == model.squad
    needs_nerve_test = False
    with act.overridable():
        is_first_action = is_acting and not state_of(model).deeds
        needs_nerve_test = needs_test(model, deed, bearing, first_action=is_first_action)
    preconditions = (
        _build_nerve_preconditions(act, model, hidden=hidden) if needs_nerve_test else NO_PRECONDITIONS
    )
    if not is_acting:
        name = squad_of(act.encounter, model.squad).name
        return replace(preconditions, not_yet=(f"You can't do this yet, because {name} isn't active.",))
    check_can_act(act, model, deed, actions)
    return preconditions


def _build_nerve_preconditions(act: ActView, model: Model, *, hidden: bool) -> Preconditions:
    limit = ld_limit(model, ld_modifiers(model, enemy_in_sight=not hidden))
    pass_chance = act.solve(check, limit).chance(lambda grade: grade.passed)
    return Preconditions(
        (f"{model.name} must pass a nerve test first ({percent(pass_chance).strip()} chance of passing)",),
        limit=limit,
    )


_PENALISED_WITHOUT_ENEMY_IN_SIGHT = (Condition.REGRESSION, Condition.DERANGED)


def find_afraid(models: Sequence[Model]) -> list[Model]:
    """Return Panicked and Broken models whose penalty counts only while an enemy is in sight.

    Rules: WZ-RALLY-02, WZ-RALLY-03, WZ-UNH-04, WZ-UNH-05.
    """
    return [
        model
        for model in models
        if (model.panicked or model.broken) and not model.has(*_PENALISED_WITHOUT_ENEMY_IN_SIGHT)
    ]


def build_sight_menu(action: Action, models: Sequence[Model]) -> Menu:
    """Return the menu of those who are afraid; it fills `hidden`. At least one of the models is."""
    choices = tuple(Choice(model.name, str(model.id)) for model in find_afraid(models)[:25])
    return Menu("Models that see no enemy", action, "hidden", choices, 1, len(choices), anytime=True)
