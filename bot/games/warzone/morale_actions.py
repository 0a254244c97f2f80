"""Morale and LD tests: which are owed, and what they do to each model of a squad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bot.actions import Action
from bot.games.warzone.common import Telling, find_model, leads, offers, settings_for
from bot.games.warzone.fear import NO_PRECONDITIONS, Preconditions, describe_ld_roller, report_ld_test
from bot.games.warzone.fields import (
    any_model_field,
    dire_level_field,
    model_by_id_field,
    no_enemy_seen_field,
    squad,
    who,
)
from bot.games.warzone.state import ModelState, SideState, model_state, side_state, state_of
from bot.games.warzone.steps import ReadyTest, Throwing, build_test_chances
from bot.games.warzone.units import model_of, models_of, read_turn, squad_of, squads_of
from bot.replies.reply import Button
from bot.store.rows import SideRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import Encounter, EncounterView
from bot.table.names import plain
from bot.table.owners import in_play
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, Missing, forbid
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import Condition, Model, Squad
from rules.systems.warzone.morale import (
    after_morale,
    half_rounded_up,
    individual_morale_due,
    ld_limit,
    ld_modifiers,
    morale_due,
    morale_tester,
)
from rules.wording import times


def count_wounds(squad: Squad) -> int:
    """Return the wounds lost by the living models of a squad."""
    return sum(model.damage for model in squad.models)


def is_newly_due(side: SideRow, squad: Squad) -> bool:
    """Return whether what a squad suffered since it was last settled calls for a test.

    Rules: WZ-MORALE-01, WZ-MORALE-05, WZ-PANIC-05.
    """
    if not squad.models:
        return False
    if squad.starting == 1:
        wounds = squad.models[0].profile.wd
        return individual_morale_due(wounds, SideState(side).hurt[squad.id], count_wounds(squad))
    return morale_due(squad.starting, SideState(side).lost[squad.id], squad.lost)


def settle_owed_tests(encounter: Encounter) -> None:
    """Settle at the end of an activation which tests are owed from now on. Rules: WZ-MORALE-01."""
    for unit in squads_of(encounter, gone=True):
        side = encounter.side(unit.side)
        if is_newly_due(side, unit):
            SideState(side).due[unit.id] = 1
        SideState(side).lost[unit.id] = unit.lost
        SideState(side).hurt[unit.id] = count_wounds(unit)


def squads_owing_test(encounter: EncounterView, *, between_rounds: bool) -> list[Squad]:
    """Return squads that owe a test. between_rounds: no unit acts, so that fresh losses count, too."""
    owing_squads = []
    for unit in squads_of(encounter):
        side = encounter.side(unit.side)
        if SideState(side).due[unit.id] or (between_rounds and is_newly_due(side, unit)):
            owing_squads.append(unit)
    return owing_squads


def find_lone_testers(encounter: EncounterView) -> list[Model]:
    """Return the models that owe the test of their squad's losses for themselves. Rules: WZ-MORALE-02."""
    return [model for model in models_of(encounter) if state_of(model).tests_alone]


def list_names_owing_test(encounter: EncounterView, *, between_rounds: bool) -> list[str]:
    """Return the names of all who owe a test."""
    squad_names = [squad.name for squad in squads_owing_test(encounter, between_rounds=between_rounds)]
    return squad_names + [model.name for model in find_lone_testers(encounter)]


def find_sides_owing_test(encounter: Encounter, *, between_rounds: bool) -> set[int]:
    """Return the sides of all who owe a test."""
    lone_sides = {encounter.model(model.id).side for model in find_lone_testers(encounter)}
    return lone_sides | {squad.side for squad in squads_owing_test(encounter, between_rounds=between_rounds)}


def note_squad_tested(encounter: Encounter, squad: Squad) -> None:
    """Note that the squad has tested for its losses."""
    state = side_state(encounter, squad.side)
    state.due[squad.id], state.lost[squad.id], state.hurt[squad.id] = 0, squad.lost, count_wounds(squad)


@dataclass(frozen=True, slots=True)
class Morale(Action):
    """Test the morale of a squad or a model.

    Of a squad for its losses, or of one model. hidden: no enemy in sight. effect: the ability or power that
    calls for it, if it is not for losses. source: who caused it, by Dire.
    """

    command = "wz.morale"
    typed = "wz morale"
    titled = "Morale test"
    decision_of = in_play("the players of the squad")

    squad: Squad | None = squad("Squad that takes the test")
    model: Model | None = any_model_field("Single model that takes the test")
    dire: int = dire_level_field()
    hidden: bool = no_enemy_seen_field()
    source: Model | None = model_by_id_field(gone=True, fact=True)
    effect: str = fields.text("Ability or power that causes the test", None, fact=True)
    odds: bool = fields.odds("Show only the odds")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class LdTest(Action):
    """Roll an LD test that a rule requires.

    modifier: of the situation, with its reason.
    """

    command = "wz.ld"
    typed = "wz ld"
    titled = "LD test"

    model: Model = who("Model that takes the test")
    modifier: int = fields.whole("Modifier for the situation", -20, 20, default=0, checked=True, fact=True)
    reason: str = fields.text("Reason for the modifier", None, fact=True)
    dire: int = dire_level_field()
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")
    by_hand: tuple[str, ...] = fields.by_hand()


# ------------------------------------------------------------------------------------------- morale


@dataclass(frozen=True, slots=True)
class ReadyMorale(ReadyTest):
    """A morale test that may be taken. model: the tester; tested: those it concerns; alone: of one model.

    losses: it is owed for losses, and not called for by an effect.
    """

    squad: Squad = field(kw_only=True)
    tested: tuple[Model, ...] = ()
    alone: bool = False
    losses: bool = False

    @property
    def name(self) -> str:
        """Return who tests."""
        return self.tested[0].name if self.alone else self.squad.name


@in_steps(Morale)
class MoraleTesting(Throwing[Morale, ReadyMorale, Grade]):
    """The test, and who becomes Panicked, Broken or Unhinged. Rules: WZ-MORALE-01 to WZ-MORALE-05."""

    label = "Test"

    def prepare(self, act: ActView, action: Morale) -> ReadyMorale:
        model, squad, effect = action.model, _find_tested_squad(act, action), plain(action.effect, 40)
        act.canonical = replace(as_done(action), squad=None if model else squad, effect=effect)
        tester = morale_tester(squad, model, "effect" if model else "losses")
        modifiers = ld_modifiers(tester, enemy_in_sight=not action.hidden, dire=action.dire)
        is_for_losses = model is None and not effect and not action.source
        is_due = not is_for_losses or owes_morale_test(act.encounter, squad)
        if not act.action.looks:
            act.require_side(squad.side)
            if not is_due:
                forbid(_explain_not_due(squad), "WZ-MORALE-01")
        return ReadyMorale(
            tester,
            modifiers,
            ld_limit(tester, modifiers),
            NO_PRECONDITIONS if is_due else Preconditions(not_yet=("This test isn't due yet.",)),
            squad=squad,
            tested=(model,) if model else find_models_in_command(squad),
            alone=model is not None,
            losses=is_for_losses,
        )

    def whose(self, action: Morale, ready: ReadyMorale) -> Whose:
        return describe_ld_roller(ready.model, ready.modifiers, "morale test")

    def rule(self, dice: Dice, ready: ReadyMorale) -> Grade:
        return check(dice, ready.limit, label="morale")

    def settle(self, act: Act, action: Morale, ready: ReadyMorale, outcome: Grade) -> Telling:
        squad, tested_models, telling = ready.squad, ready.tested, Telling(act)
        causer_id = action.source.id if action.source else 0
        source = causer_id or side_state(act.encounter, squad.side).source[squad.id]
        report_ld_test(telling, ready.model, ready.modifiers, self._title(ready))
        nerves_before = read_nerve_states(tested_models)
        if ready.alone:
            model_state(act.encounter, tested_models[0].id).tests_alone = False
        cause_text = _describe_cause(plain(action.effect, 40))
        telling.lines.append(
            f"{ready.name} {'passed' if outcome.passed else 'failed'} the morale test{cause_text}."
        )
        telling.follow(after_morale(tested_models, outcome, settings_for(act), source=source))
        telling.lines += describe_changed_nerves(act, squad, tested_models, nerves_before)
        _clear_dire_test(act.encounter, action, squad)
        if ready.losses:
            _note_losses_tested(telling, squad, tested_models)
        _offer_rally(telling, squad, failed=not outcome.passed)
        return telling

    def chances(self, act: ActView, action: Morale, ready: ReadyMorale) -> Chances:
        odds = act.solve(self.rule, ready)
        return build_test_chances(
            f"Morale test for {ready.name}", ready.limit, ("holds", "fails"), odds, ready.hurdle
        )

    @staticmethod
    def _title(ready: ReadyMorale) -> str:
        return "Morale" if ready.model.name == ready.name else f"Morale ({ready.model.name} rolls)"


def _find_tested_squad(act: ActView, action: Morale) -> Squad:
    """The squad that tests, or of which a model does. Raises InvalidInput."""
    squad = squad_of(act.encounter, action.model.squad) if action.model else action.squad
    if squad is None:
        raise Missing("Which squad or model takes the test?")
    if not squad.models:
        raise InvalidInput(f"Choose another squad. {squad.name} has no models left.")
    return squad


def owes_morale_test(encounter: EncounterView, squad: Squad) -> bool:
    """Return whether a squad's losses call for a test now; before the first turn every test may be tried.

    Rules: WZ-MORALE-01, WZ-MORALE-05.
    """
    if encounter.row.turn < 1:
        return True
    between_rounds = not read_turn(encounter).active
    return any(
        owing_squad.id == squad.id
        for owing_squad in squads_owing_test(encounter, between_rounds=between_rounds)
    )


def _explain_not_due(squad: Squad) -> str:
    if squad.starting == 1:
        wounds = times(half_rounded_up(squad.models[0].profile.wd), "wound")
        return (
            f"{squad.name} doesn't need a morale test now. It takes one after an activation in which it was "
            f"wounded, if it has taken at least {wounds} by then. If an ability or power causes the test, "
            "enter its name."
        )
    return (
        f"{squad.name} doesn't need a morale test now. It takes one after an activation in which it lost a "
        f"model, if it has lost at least {half_rounded_up(squad.starting)} of its {squad.starting} models by "
        f"then ({squad.lost} lost so far). If an ability or power causes the test, enter its name."
    )


def _describe_cause(effect: str) -> str:
    return f" caused by {effect}" if effect else ""


def _note_losses_tested(telling: Telling, squad: Squad, tested_models: tuple[Model, ...]) -> None:
    """The squad has tested; who is out of command owes it for himself. Rules: WZ-MORALE-02, WZ-CMD-04."""
    act = telling.act
    note_squad_tested(act.encounter, squad)
    for model in squad.models:
        if model not in tested_models:
            model_state(act.encounter, model.id).tests_alone = True
    offer_lone_tests(telling)


def offer_lone_tests(telling: Telling) -> None:
    """Offer a button for each model that owes a test of its own. Rules: WZ-MORALE-02, WZ-TEST-07."""
    for model in find_lone_testers(telling.act.encounter):
        telling.next.append(f"{model.name} is out of command and must take its own morale test.")
        button = Button(f"Morale: {model.name}", Morale(model=model), "main", anytime=True)
        telling.buttons.append(button)


def find_models_in_command(squad: Squad) -> tuple[Model, ...]:
    """Return the models that a squad's test or rally reaches, without those out of command. Rules:
    WZ-CMD-04, WZ-MORALE-02.
    """
    if squad.leading is None:
        return squad.models
    return tuple(
        model for model in squad.models if model.id == squad.leading.id or not state_of(model).out_of_command
    )


def read_nerve_states(models: tuple[Model, ...]) -> dict[int, str]:
    """Return the nerves of models, by number."""
    return {model.id: get_nerve_state(model) for model in models}


def get_nerve_state(model: Model) -> str:
    """Return unhinged, Broken, Panicked, or steady."""
    if model.unhinged:
        return "Unhinged"
    return "Broken" if model.broken else "Panicked" if model.panicked else "steady"


def describe_changed_nerves(
    act: Act, squad: Squad, tested_models: tuple[Model, ...], nerves_before: dict[int, str]
) -> list[str]:
    """Return which models changed state, in one line for a squad if all did."""
    models_now = {m.id: m for m in squad_of(act.encounter, squad.id).models}
    changed_models = [
        (models_now[model.id], get_nerve_state(models_now[model.id]))
        for model in tested_models
        if model.id in models_now and get_nerve_state(models_now[model.id]) != nerves_before[model.id]
    ]
    nerve_states = {nerve_state for _, nerve_state in changed_models}
    if len(changed_models) > 1 and len(nerve_states) == 1:
        nerve_state = next(iter(nerve_states))
        return (
            [f"{times(len(changed_models), 'model')} of {squad.name} are {nerve_state}."]
            if nerve_state != "Unhinged"
            else []
        )
    return [
        f"{model.name} is {nerve_state}."
        for model, nerve_state in changed_models
        if nerve_state != "Unhinged"
    ]


def _offer_rally(telling: Telling, squad: Squad, *, failed: bool) -> None:
    squad_now = squad_of(telling.act.encounter, squad.id)
    if failed and any(model.panicked or model.broken for model in squad_now.models):
        leader = squad_now.leading
        has_other_leader = any(
            leads(telling.act.encounter, model) for model in models_of(telling.act.encounter, squad_now.side)
        )
        if leader or has_other_leader:
            leader_name = leader.name if leader else "A leader"
            telling.next.append(f"{leader_name} can rally {squad.name} with /wz rally.")


@offers("dire")
def _offer_dire(act: Act, proposal: Propose) -> Button:
    details = dict(proposal.details)
    model_id, squad = int(details["tested"]), int(details["squad"])
    source = find_model(act, int(details["source"]))
    lone_model = find_model(act, model_id) if model_id else None
    return Button("Test morale in the Dire area", _build_dire_test(act.encounter, source, lone_model, squad))


def _build_dire_test(encounter: Encounter, source: Model, lone_model: Model | None, squad: int) -> Morale:
    """Return the test of one model, or of a squad by number, that a Dire model wounded in its area."""
    tested_squad = None if lone_model else squad_of(encounter, squad)
    return Morale(tested_squad, lone_model, dire=source.profile.dire, source=source)


def list_dire_buttons(encounter: Encounter) -> Iterator[Button]:
    """Yield the tests of those who are in the area of a Dire model that wounded them, as the table sees it.

    Kept until they are taken, or the activation is over. Rules: WZ-MORALE-01.
    """
    models_by_id = {model.id: model for model in models_of(encounter)}
    for row in encounter.models(gone=True):
        for target, value in ModelState(row).dire_tests.items():
            lone_model, squad = models_by_id.get(target) if value == 1 else None, value - 1
            if lone_model is None and not (squad and squad_of(encounter, squad).models):
                continue
            dire_test = _build_dire_test(encounter, model_of(encounter, row), lone_model, squad)
            name = lone_model.name if lone_model else squad_of(encounter, squad).name
            yield Button(f"Morale (Dire area): {name}", dire_test)


def _clear_dire_test(encounter: Encounter, action: Morale, squad: Squad) -> None:
    if action.source is None:
        return
    due_tests = model_state(encounter, action.source.id).dire_tests
    for target, value in list(due_tests.items()):
        if value == 1 + squad.id if action.model is None else target == action.model.id:
            due_tests[target] = 0


# ------------------------------------------------------------------------------------------- LD


@in_steps(LdTest)
class LdTesting(Throwing[LdTest, ReadyTest, Grade]):
    """An LD test that some rule asks for. Rules: WZ-TEST-06, WZ-TEST-07."""

    def prepare(self, act: ActView, action: LdTest) -> ReadyTest:
        model = action.model
        if model.has(Condition.UNCONSCIOUS):
            raise Forbidden(f"{model.name} is unconscious. Wake it first.", "WZ-BACK-03")
        modifiers = ld_modifiers(model, enemy_in_sight=not action.hidden, dire=action.dire)
        if action.modifier:
            reason = plain(action.reason, 40) or "modifier for the situation"
            modifiers += (Modifier(action.modifier, reason, "WZ-TEST-06"),)
        return ReadyTest(model, modifiers, ld_limit(model, modifiers))

    def whose(self, action: LdTest, ready: ReadyTest) -> Whose:
        return describe_ld_roller(ready.model, ready.modifiers, "test")

    def rule(self, dice: Dice, ready: ReadyTest) -> Grade:
        return check(dice, ready.limit, label="leadership")

    def settle(self, act: Act, action: LdTest, ready: ReadyTest, outcome: Grade) -> Telling:
        telling = Telling(act)
        report_ld_test(telling, ready.model, ready.modifiers, "LD test")
        verb = "passes" if outcome.passed else "fails"
        telling.lines.append(f"{ready.model.name} {verb} the LD test.")
        return telling

    def chances(self, act: ActView, action: LdTest, ready: ReadyTest) -> Chances:
        title = f"LD test for {ready.model.name}"
        return build_test_chances(title, ready.limit, ("passes", "fails"), act.solve(self.rule, ready))
