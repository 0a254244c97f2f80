"""Rallying a squad: the models it reaches, the leader who lends LD, and the models that recover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone.common import Telling, settings_for
from bot.games.warzone.fear import describe_ld_roller, report_ld_test
from bot.games.warzone.fields import dire_level_field, friend, no_enemy_seen_field, squad, who
from bot.games.warzone.morale_actions import (
    describe_changed_nerves,
    find_models_in_command,
    read_nerve_states,
)
from bot.games.warzone.state import encounter_state
from bot.games.warzone.steps import DeedStart, SingleRollDeed, begin, build_test_chances
from bot.games.warzone.units import model_of, squad_of
from bot.replies.reply import Button
from bot.table.act import ActView
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking, Offer
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.encounter import EncounterView
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, Missing, is_allowed
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.command import command_distance, lent_leadership
from rules.systems.warzone.model import Model, Squad
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import Rally as Attempt
from rules.systems.warzone.morale import after_rally, ld_limit, rally_modifiers


def _find_own_squad(context: Asking) -> Squad | None:
    leader = context.so_far["leader"]
    return squad_of(context.act.encounter, leader.squad) if leader else None


def _list_lenders(context: Asking) -> Sequence[Offer]:
    """The friends that may lend their LD to the leader. Rules: WZ-RALLY-07."""
    leader, encounter = context.so_far.get("leader"), context.act.encounter
    if leader is None:
        return offering.friends(context)
    rows = [
        row
        for row in offering.friend_rows(context)
        if is_allowed(lent_leadership, model_of(encounter, row), leader, 0)
        and model_of(encounter, row).profile.ld > leader.profile.ld
    ]
    return offering.models_offered(context, rows)


def _measure_farthest(context: Asking) -> Fact | None:
    """Return the inches to the farthest of the squad's models that obey. Rules: WZ-RALLY-02."""
    leader = context.so_far.get("leader")
    squad = context.so_far.get("squad")
    encounter = context.act.encounter
    if leader is None or squad is None:
        return None
    models = (model for model in find_models_in_command(squad) if model.id != leader.id)
    distances_to_models = [facts.between(encounter, leader.id, model.id) for model in models]
    max_distance = max(
        (float(distance.value) for distance in distances_to_models if distance is not None), default=-1.0
    )
    return Fact(max_distance, f"farthest model {max_distance:g} in away") if max_distance >= 0 else None


@dataclass(frozen=True, slots=True)
class Rally(Action):
    """Have a leader rally a squad.

    lender: a friend whose better LD he borrows.

    distance: inches to the farthest of the squad; lent_from: to the lender, -1 where it was not said.
    """

    command = "wz.rally"
    typed = "wz rally"

    leader: Model = who("The rallying leader", called="model")
    squad: Squad = squad("Squad to rally (blank for the leader's own squad)", default=_find_own_squad)
    lender: Model | None = friend("Friend whose better LD is used", _list_lenders, helps=True)
    distance: float = fields.inches(
        "Distance to the squad's farthest model (inches)",
        0.0,
        200.0,
        default=0.0,
        fact=True,
        measures=_measure_farthest,
    )
    lent_from: float = fields.inches(
        "Distance to the friend who lends LD (inches)",
        0.0,
        200.0,
        default=-1.0,
        called="lender_distance",
        fact=True,
        wanted=True,
        measures=measuring.distance("leader", "lender"),
    )
    dire: int = dire_level_field()
    hidden: bool = no_enemy_seen_field("The leader sees no enemy")
    odds: bool = fields.odds("Show only the odds")
    by_hand: tuple[str, ...] = fields.by_hand()


def count_attempts(encounter: EncounterView, squad: Squad) -> int:
    """Count the rally attempts made for a squad in this turn. Rules: WZ-RALLY-05."""
    return encounter_state(encounter).rallies[squad.id]


@dataclass(frozen=True, slots=True)
class ReadyRally:
    """A rally that may be tried; said: what was measured for it."""

    begin: DeedStart
    attempt: Attempt
    modifiers: tuple[Modifier, ...]
    said: tuple[str, ...]

    @property
    def limit(self) -> int:
        """Return the highest d20 result that passes."""
        return ld_limit(self.attempt.leader, self.modifiers)


@in_steps(Rally)
class Rallying(SingleRollDeed[Rally, ReadyRally, Grade]):
    """One action of a leader; every model of the squad is one state better. Rules: WZ-RALLY-01 to -07."""

    label = "Rally"

    def prepare(self, act: ActView, action: Rally) -> ReadyRally:
        leader, squad, lender = action.leader, action.squad, action.lender
        if lender is None:
            act.canonical = replace(as_done(action), lent_from=-1.0)
        if squad.side != leader.side:
            raise InvalidInput(f"Choose a squad on your own side. {squad.name} belongs to another side.")
        reached_squad = replace(squad, models=find_models_in_command(squad))
        _check_squad_in_command(squad, reached_squad)
        attempt = Attempt(
            leader,
            reached_squad,
            count_attempts(act.encounter, squad),
            not action.hidden,
            action.dire,
            _measure_lent_ld(lender, leader, action.lent_from) if lender else 0,
            _can_all_be_reached(leader, reached_squad, action.distance),
        )
        modifiers = rally_modifiers(attempt)
        deed_start = begin(act, leader, Deed.RALLY, hidden=action.hidden)
        return ReadyRally(deed_start, attempt, modifiers, tuple(_describe_rally_terms(action)))

    def thrower(self, action: Rally, ready: ReadyRally) -> Whose:
        attempt = f"rally attempt {ready.attempt.attempts + 1}"
        return describe_ld_roller(ready.attempt.leader, ready.modifiers, attempt)

    def throw(self, dice: Dice, ready: ReadyRally) -> Grade:
        return check(dice, ready.limit, label="rally")

    def done(self, telling: Telling, action: Rally, ready: ReadyRally, result: Grade) -> None:
        act, attempt = telling.act, ready.attempt
        leader, squad = attempt.leader, attempt.squad
        telling.dice += ready.said
        report_ld_test(telling, leader, ready.modifiers, self._title(ready))
        nerves_before = read_nerve_states(squad.models)
        telling.follow(after_rally(attempt, result, settings_for(act)))
        verb = "rallies" if result.passed else "fails to rally"
        telling.lines.append(f"{leader.name} {verb} {squad.name}.")
        telling.lines += describe_changed_nerves(act, squad, squad.models, nerves_before)
        if not result.passed:
            penalty = 3 if attempt.attempts == 0 else 6
            telling.next.append(f"The next attempt this turn gets -{penalty}.")
            telling.more = (Button("Again", act.canonical),)

    def chances(self, act: ActView, action: Rally, ready: ReadyRally) -> Chances:
        title = f"{ready.attempt.leader.name} rallies {ready.attempt.squad.name}"
        odds = act.solve(self.throw, ready)
        return build_test_chances(title, ready.limit, ("rallies", "fails"), odds, ready.begin.hurdle)

    @staticmethod
    def _title(ready: ReadyRally) -> str:
        return f"Rally (attempt {ready.attempt.attempts + 1})"


def _describe_rally_terms(action: Rally) -> list[str]:
    lender = action.lender
    parts = [f"squad within {action.distance:g} in"] if action.distance else []
    parts += [f"{lender.name} {action.lent_from:g} in away"] if lender else []
    parts += ["no enemy in sight"] if action.hidden else []
    return [", ".join(parts)] if parts else []


def _measure_lent_ld(lender: Model, leader: Model, inches: float) -> int:
    """The LD that is lent over this distance. Raises InvalidInput, Forbidden. Rules: WZ-RALLY-07."""
    if inches < 0:
        raise Missing(f'How far away is {lender.name}? Fill in "Distance to the friend who lends LD".')
    return lent_leadership(lender, leader, inches)


def _check_squad_in_command(squad: Squad, reached_squad: Squad) -> None:
    """Refuse if everyone who needs it is out of command. Rules: WZ-CMD-04, WZ-MORALE-02."""
    afraid_models = [model for model in squad.models if model.panicked or model.broken]
    if afraid_models and not any(model in reached_squad.models for model in afraid_models):
        names = ", ".join(model.name for model in afraid_models)
        raise Forbidden(
            f"Bring {names} back into command first. A rally only reaches models in command.", "WZ-MORALE-02"
        )


def _can_all_be_reached(leader: Model, squad: Squad, inches: float) -> bool:
    max_distances = [command_distance(leader, model) for model in squad.models if model.id != leader.id]
    return all(limit is None or inches <= limit for limit in max_distances)
