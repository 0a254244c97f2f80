"""The pages of /help for Ultimate Warzone, by topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.actions import Action
from bot.games.warzone import reactions, template_actions, vehicle_actions
from bot.games.warzone.activation import (
    build_done_button,
    build_step_buttons,
    describe_acting_unit,
    find_acting_model,
    has_spent_all_actions,
    to_come,
)
from bot.games.warzone.common import carry_through, end_contact, leads
from bot.games.warzone.duties import build_answer_button, find_first_debt, list_extra_buttons
from bot.games.warzone.fields import cover_by_board, describe_covers, find_smoke_level
from bot.games.warzone.morale_actions import (
    Morale,
    find_lone_testers,
    find_sides_owing_test,
    get_nerve_state,
    list_names_owing_test,
    squads_owing_test,
)
from bot.games.warzone.move_actions import Move, find_reach
from bot.games.warzone.narration import list_states, summarise
from bot.games.warzone.roster_actions import read_typed_profile
from bot.games.warzone.samples import HOLLOW, REPUBLIC, SAMPLES, SAMPLES_BY_KEY, squad_name
from bot.games.warzone.settings import SETTINGS
from bot.games.warzone.shots import Template
from bot.games.warzone.squad_actions import build_volley_buttons
from bot.games.warzone.state import SQUAD_NAME, ModelState, encounter_state
from bot.games.warzone.turn_actions import build_starting_buttons, build_unit_menus, next_step
from bot.games.warzone.units import (
    join_squad,
    make_squad,
    model_of,
    models_of,
    read_profile,
    read_turn,
    settings_of,
    squad_of,
    squads_of,
)
from bot.replies.reply import Button, Reply
from bot.store.rows import CrewRow, MemberRow, ModelRow, SideRow
from bot.table.act import Act
from bot.table.board.routes import BoardPath
from bot.table.encounter import GONE, Encounter, EncounterView
from bot.table.game import EVERYWHERE, HelpPage, Recruit, SampleCrew
from bot.table.journal.history import UNDO
from bot.table.journal.log import ShowLog
from bot.table.names import MAX_NAME_LENGTH
from bot.table.reaction_windows import Cause
from bot.table.rosters.crew_state import limit_faults
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import END_BUTTON, build_opening_buttons, require_begun
from bot.table.setting import Setting
from bot.table.waits import Wait, one_side_left, players_of, to_end
from rules.effects import Count, Effect, Gain, Leave, Lose
from rules.measure import Sight
from rules.modifiers import total
from rules.refusals import InvalidInput
from rules.systems.warzone.model import ACTIONS, LOST_ACTIONS, ORDERS_GIVEN, UNHINGED, Condition, Model
from rules.systems.warzone.movement import knock_prone
from rules.systems.warzone.notation import profile_text
from rules.systems.warzone.powers import after_rampage, after_unhinged
from rules.systems.warzone.ranged import cover_modifiers
from rules.systems.warzone.waiting import conceal
from rules.wording import join_with_and, times

PROFILE_PATTERN = re.compile(r"\b(?:CC|RC|PW|LD|AC|WD|ST|MV|SZ|AR)\s*[:=]?\s*\d")
"""The pattern that marks a typed profile, as opposed to a name."""

PAGES = {
    "Warzone": HelpPage(
        (
            "Enter /demo warzone, then press Begin.",
            "1. Choose a unit from the menu.",
            "2. Spend its actions with /wz move, aim, shoot, fight, charge or channel.",
            "3. Press Done. Then the other side activates a unit.",
            "Morale tests appear as buttons. Take them before the next unit acts.",
            "Use /wz model add to add models of your own.",
            "",
        ),
        (EVERYWHERE,),
    ),
    "Warzone's morale and powers": HelpPage(
        rooms=(
            *("morale_actions", "rally_actions", "chart_actions", "unhinged_actions"),
            *("power_actions", "vehicle_actions", "roster_actions"),
        )
    ),
}


BY_HAND_SOURCE = "by hand"
EXCLUSIVE_CONDITIONS: tuple[frozenset[Condition], ...] = (
    frozenset({Condition.PRONE, Condition.MINIMIZED}),
    frozenset({Condition.PANICKED, Condition.BROKEN}),
)
"""Conditions of which a model has one at a time. Rules: WZ-MOVE-02, WZ-PANIC-01, WZ-BROKEN-01."""

REBOOT_ACTION_LOSS = 2


class HandSetConditions:
    """The part of the game that answers conditions set by hand."""

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        return [row.kind for row in encounter.conditions(model.id)]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        others = models_of(act.encounter)
        carry_through(
            act, build_condition_effects(model_of(act.encounter, model), Condition(kind), value, others)
        )
        return Reply(())

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        carry_through(act, [Lose(model.id, kind) for kind in kinds])
        if Condition.ENGAGED in kinds:
            end_contact(act.encounter, model_of(act.encounter, model))
        return Reply(())


def build_condition_effects(
    model: Model, condition: Condition, value: int, all_models: Sequence[Model]
) -> list[Effect]:
    """Return the effects of a condition with its consequences. all_models: everyone in play.

    Rules: WZ-MOVE-02, WZ-SPOT-02, WZ-AMOK-04, WZ-UNH-01, WZ-BACK-02, WZ-RAMP-02.
    """
    gain: Effect = Gain(model.id, condition, value, source=BY_HAND_SOURCE)
    lost_conditions = [
        Lose(model.id, excluded_condition)
        for group in EXCLUSIVE_CONDITIONS
        for excluded_condition in sorted(group - {condition})
        if condition in group and model.has(excluded_condition)
    ]
    if condition in UNHINGED:
        broken_effects = [Gain(model.id, Condition.BROKEN, source=BY_HAND_SOURCE)] if not model.broken else []
        panic_effects = [Lose(model.id, Condition.PANICKED)] if model.has(Condition.PANICKED) else []
        return [*panic_effects, *broken_effects, *after_unhinged(model, condition)]
    match condition:
        case Condition.UNCONSCIOUS:
            return [gain, *knock_prone(model)]
        case Condition.BLINDED:
            return list(after_rampage(model, condition, None))
        case Condition.REBOOTED:
            return [gain, Count("model", model.id, LOST_ACTIONS, REBOOT_ACTION_LOSS)]
        case Condition.CONCEALED:
            return list(conceal(model, tuple(all_models)))
        case Condition.LEADING:
            squad_mates = [
                squad_mate
                for squad_mate in all_models
                if squad_mate.squad == model.squad and squad_mate.id != model.id
            ]
            return [*(Lose(mate.id, condition) for mate in squad_mates if mate.has(condition)), gain]
    return [*lost_conditions, gain]


ANYTIME_COMMANDS = frozenset(
    {
        "wz.activate", "wz.add", "wz.band", "wz.board", "wz.command", "wz.conceal", "wz.contact", "wz.dire",
        "wz.dominate", "wz.done", "wz.gap", "wz.next", "wz.nobody", "wz.presence", "wz.squad", "wz.starts",
        "wz.terrain", "wz.wake", "wz.write",
    }
)  # fmt: skip
"""Commands that do not wait for the first turn: setting up, looking, telling by hand."""


class Warzone(HandSetConditions):
    """The rule system at the table: see `bot.table.game.Game`."""

    key = "warzone"
    name = "Ultimate Warzone"
    smoke_hides = False
    turns = 0
    pages = PAGES

    def recruits(self) -> Sequence[Recruit]:
        return tuple(
            Recruit(entry.key, read_profile(entry.text).name, entry.points, entry.note) for entry in SAMPLES
        )

    def profile(self, key: str) -> str:
        """Return a sample profile as text. Raises InvalidInput."""
        if key not in SAMPLES_BY_KEY:
            raise InvalidInput(f"Choose a sample model. There is none called {key}.")
        return profile_text(read_profile(SAMPLES_BY_KEY[key].text))

    def typed(self, text: str, name: str) -> tuple[str, str, int] | None:
        if not text.lstrip().startswith("{") and not PROFILE_PATTERN.search(text):
            return None
        profile = read_typed_profile(text)
        return profile.name[:MAX_NAME_LENGTH], profile_text(profile), 0

    def as_typed(self, profile: str) -> str:
        return profile

    def sample_crews(self) -> tuple[SampleCrew, SampleCrew]:
        return REPUBLIC, HOLLOW

    def crew_lines(self, row: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        squads = dict.fromkeys(squad_name(member.profile, member.name) for member in members)
        return [f"Squads: {', '.join(squads)}."] if squads else []

    def crew_faults(self, row: CrewRow, members: Sequence[MemberRow], limit: int) -> Sequence[str]:
        return limit_faults(members, limit)

    def enlist(self, encounter: Encounter, model: ModelRow, member: MemberRow) -> None:
        side = encounter.side(model.side)
        name = squad_name(model.profile, model.name)
        number = _find_squad_for(encounter, side, name)
        join_squad(encounter, model, number or make_squad(encounter, side, name))

    def side_ready(self, encounter: Encounter, side: int) -> None:
        """Prepare nothing for the side as a whole."""

    def next_step(self, act: Act) -> Reply:
        return next_step(act)

    def require_begun(self, act: Act, action: Action) -> None:
        """Refuse actions of models before the first turn. Rules: WZ-TURN-02."""
        require_begun(act, action, ANYTIME_COMMANDS, "WZ-TURN-02")

    def ending(self, encounter: Encounter) -> Sequence[str]:
        lines = []
        for side in encounter.sides():
            side_models = encounter.models(side.id, gone=True)
            remaining_models = [model for model in side_models if model.status != GONE]
            lines.append(f"{side.name}: {len(remaining_models)} of {times(len(side_models), 'model')} left.")
        return lines

    def standing(self, encounter: Encounter) -> Sequence[str]:
        return self.ending(encounter)

    def waits(self, encounter: Encounter) -> Wait | None:
        """Return what the game waits for: a question, a morale test, an action, a unit or the next turn.

        Rules: WZ-TURN-02, WZ-TURN-03.
        """
        if not encounter.row.turn:
            return None
        debt = find_first_debt(encounter)
        if debt is not None:
            return Wait(debt.whom, debt.line, owed=True, tells=True)
        turn = read_turn(encounter)
        owing_names = list_names_owing_test(encounter, between_rounds=not turn.active)
        if owing_names:
            sides = find_sides_owing_test(encounter, between_rounds=not turn.active)
            tests = "morale test" if len(owing_names) == 1 else "morale tests"
            return Wait(players_of(encounter, sides), f"take the {tests} for {join_with_and(owing_names)}")
        if encounter_state(encounter).is_over:
            return to_end(encounter)
        if turn.active:
            squad = squad_of(encounter, turn.active[-1])
            acting_model = find_acting_model(encounter, squad)
            actor_name = acting_model.name if acting_model else squad.name
            task = (
                f"press Done ({squad.name} has no actions left)"
                if has_spent_all_actions(encounter)
                else f"act with {actor_name}"
            )
            return Wait(players_of(encounter, [squad.side]), task)
        if turn.over:
            return to_end(encounter) if one_side_left(encounter) else Wait("", "start the next turn")
        return Wait(players_of(encounter, [turn.to_move]), "choose a unit to activate")

    def goes_on(self, action: Action) -> bool:
        """Return whether an action has to wait while an enemy may still react."""
        return action.command in reactions.COMMANDS_THAT_WAIT

    def cause_of(self, act: Act, action: Action) -> Cause | None:
        """Return a template or a blast, before it is rolled; moves and charges ask when they are made.

        Rules: WZ-DIVE-01.
        """
        if isinstance(action, Template):
            return template_actions.find_template_cause(act, action)
        return (
            vehicle_actions.cause_of(act, action) if isinstance(action, vehicle_actions.Explosion) else None
        )

    def may_react(self, encounter: Encounter, cause: Cause) -> Sequence[int]:
        """See `waiting.reactions`."""
        return reactions.find_possible_reactors(encounter, cause)

    def reaction_buttons(self, encounter: Encounter, cause: Cause) -> Sequence[Button]:
        """See `waiting.reactions`."""
        return reactions.build_reaction_buttons(encounter, cause)

    def panel(self, encounter: Encounter) -> Reply:
        row = encounter.row
        if row.status == "ended":
            return Reply((f"{self.name.upper()}  ended", *self.ending(encounter)))
        if row.turn == 0:
            lines = [f"{self.name.upper()}  not started"]
            lines += [f"{side.name}: {_list_squads(encounter, side.id)}" for side in encounter.sides()]
            return Reply(tuple(lines), buttons=build_opening_buttons(encounter))
        lines = [f"{self.name.upper()}  turn {row.turn}{f' of {row.turns}' if row.turns else ''}"]
        lines += [*_describe_turn(encounter), *_describe_states(encounter)]
        return Reply(tuple(lines), buttons=_build_panel_buttons(encounter), menus=build_unit_menus(encounter))

    sets_up = ("wz.squad", "wz.conceal", "wz.add")
    """What is set up before the first turn."""

    downed = ("casualty", "wrecked")
    """How a model is lost that an enemy took down."""

    likely = (
        "wz.move",
        "wz.shoot",
        "wz.fight",
        "wz.charge",
        "wz.aim",
        "wz.channel",
        "wz.wait",
        "wz.rally",
        "wz.break",
        "wz.template",
    )
    """The likely actions of a model in the acting unit."""

    def board_moves(self, encounter: EncounterView, model: ModelRow) -> Mapping[str, Action]:
        return {"Move": Move()}

    def activated(self, encounter: EncounterView) -> Sequence[int]:
        turn = read_turn(encounter)
        return [model.id for model in squad_of(encounter, turn.active[-1]).models] if turn.active else ()

    def acted(self, encounter: Encounter) -> Iterable[int]:
        done_units = {unit.id for unit in read_turn(encounter).units if unit.activated}
        return [
            model.id for squad in squads_of(encounter) if squad.id in done_units for model in squad.models
        ]

    def acting(self, encounter: Encounter) -> Sequence[ModelRow]:
        turn = read_turn(encounter)
        if not turn.active:
            return []
        squad = squad_of(encounter, turn.active[-1])
        acting_model = find_acting_model(encounter, squad)
        return [encounter.model(model.id) for model in ([acting_model] if acting_model else to_come(squad))]

    def model_lines(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        model_view = model_of(encounter, model)
        squad = squad_of(encounter, model_view.squad) if model_view.squad else None
        lines = profile_text(model_view.profile).splitlines()[1:]
        actions = model_view.count(ACTIONS)
        return (
            f"{model_view.name}, {encounter.side(model.side).name}",
            f"Squad: {squad.name if squad else 'none'}",
            *(line.removeprefix("weapon ") for line in lines),
            f"{model.damage} of {model_view.profile.wd} wounds taken, {times(actions, 'action')} left",
            *([", ".join(list_states(model_view))] if list_states(model_view) else []),
        )

    def model_summary(self, encounter: Encounter, model: ModelRow) -> str:
        model_view = model_of(encounter, model)
        return summarise(model_view, is_leader=leads(encounter, model_view))

    def watching(self, encounter: Encounter, model: ModelRow) -> str:
        return "waiting" if model_of(encounter, model).has(Condition.WAITING) else ""

    def defence(self, encounter: Encounter, model: ModelRow) -> str:
        profile = read_profile(model.profile)
        return f"AR {profile.ar}, WD {profile.wd}"

    def life(self, model: ModelRow) -> int:
        return read_profile(model.profile).wd

    def body(self, encounter: Encounter, model: ModelRow) -> tuple[float, float]:
        size = max(1, read_profile(model.profile).sz)
        height = 0.5 if encounter.condition(model.id, Condition.PRONE) else float(size)
        return (30.0 if size < 3 else 40.0 if size < 5 else 60.0), height

    def paces(
        self, encounter: EncounterView, model: ModelRow, walk: BoardPath | None = None
    ) -> Sequence[float]:
        """Return one move action if it has one left."""
        model_view = model_of(encounter, model)
        is_spent = model.id in self.activated(encounter) and not model_view.count(ACTIONS)
        inches = None if is_spent else find_reach(encounter, model_view, walk)
        return () if inches is None else (inches,)

    def cover(self, encounter: EncounterView, viewer: int, target: int, sight: Sight) -> str:
        covers = cover_by_board(encounter, viewer, target, sight).value
        values = cover_modifiers(covers, settings_of(encounter))
        level, _ = find_smoke_level(encounter, viewer, target)
        cover_words = [f"{describe_covers(covers)} ({total(values):+d} to hit)"] if covers else []
        return ", ".join(cover_words + ([f"smoke ({-level:+d} to hit)"] if level else []))

    def conditions(self) -> Sequence[str]:
        return tuple(Condition)

    def harmed(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Remove a model whose wounds are used up. Rules: WZ-DMG-04."""
        if model.status != GONE and model.damage >= self.life(model):
            vehicle = read_profile(model.profile).has("vehicle")
            act.encounter.apply([Leave(model.id, "wrecked" if vehicle else "casualty")])
            return [
                (f"{model.name} is wrecked. Roll for the wreck with /wz chart wreck.")
                if vehicle
                else f"{model.name} is out of play."
            ]
        return []

    def settings(self) -> Sequence[Setting]:
        return SETTINGS


def _find_squad_for(encounter: Encounter, side: SideRow, name: str) -> int:
    """Return the squad of a side for models of this name, or 0.

    It goes under another name where the other side brought one of that name first.
    """
    recorded_squads = (
        squad
        for squad, recorded_name in SQUAD_NAME.among(side.traits.items()).items()
        if recorded_name == name
    )
    side_rows = encounter.models(side.id, gone=True)
    namesake_squads = (
        ModelState(row).squad for row in side_rows if squad_name(row.profile, row.name) == name
    )
    return next(filter(None, (*recorded_squads, *namesake_squads)), 0)


def _list_squads(encounter: Encounter, side: int) -> str:
    return ", ".join(
        f"{squad.name} ({len(squad.models)})" if len(squad.models) > 1 else squad.name
        for squad in squads_of(encounter, side)
    )


def _describe_turn(encounter: Encounter) -> list[str]:
    turn = read_turn(encounter)
    lines = []
    if turn.active:
        lines += describe_acting_unit(encounter, squad_of(encounter, turn.active[-1]))
    for side in encounter.sides():
        names = [squad_of(encounter, unit).name for unit in turn.left(side.id) if unit not in turn.active]
        if names:
            lines.append(f"Still to act ({side.name}): {', '.join(names)}")
    done_units = {unit.id for unit in turn.units if unit.activated}
    commander_names = [
        model.name
        for model in models_of(encounter)
        if model.profile.has("commander")
        and not model.count(ORDERS_GIVEN)
        and model.squad not in done_units
        and (model.count(ACTIONS) or model.squad not in turn.active)
    ]
    return [
        *lines,
        *(
            [f"Commanders who haven't given an order this turn: {', '.join(commander_names)}"]
            if commander_names
            else []
        ),
    ]


def _describe_states(encounter: Encounter) -> list[str]:
    lines = []
    between_rounds = not read_turn(encounter).active
    owing_names = list_names_owing_test(encounter, between_rounds=between_rounds)
    if owing_names:
        lines.append(f"Morale test due: {', '.join(owing_names)}")
    squads_with_losses = [
        f"{squad.name} ({squad.lost} of {squad.starting})"
        for squad in squads_of(encounter, gone=True)
        if squad.lost
    ]
    lines += [f"Models lost: {', '.join(squads_with_losses)}"] if squads_with_losses else []
    models_in_play = models_of(encounter)
    wounded_names = [
        f"{model.name} ({model.damage} of {model.profile.wd})" for model in models_in_play if model.damage
    ]
    lines += [f"Wounded: {', '.join(wounded_names)}"] if wounded_names else []
    for nerve_state in ("Panicked", "Broken", "Unhinged"):
        names = _list_names_by_nerve(encounter, nerve_state)
        lines += [f"{nerve_state}: {', '.join(names)}"] if names else []
    waiting_names = [model.name for model in models_in_play if model.has(Condition.WAITING)]
    return [*lines, *([f"Waiting: {', '.join(waiting_names)}"] if waiting_names else [])]


def _list_names_by_nerve(encounter: Encounter, nerve_state: str) -> list[str]:
    """Who is in a state of nerves: a whole squad under its name, others by theirs."""
    names: list[str] = []
    for squad in squads_of(encounter):
        affected_names = [model.name for model in squad.models if get_nerve_state(model) == nerve_state]
        names += [squad.name] if len(affected_names) == len(squad.models) else affected_names
    return names


def _build_panel_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return those of the moment; while a question is open, only its answer."""
    side_buttons = (UNDO, Button("Log", ShowLog(), anytime=True))
    if (debt := find_first_debt(encounter)) is not None:
        return (build_answer_button(debt), *side_buttons)
    turn = read_turn(encounter)
    if encounter_state(encounter).is_over:
        return (END_BUTTON, *side_buttons)
    squad_tests = [
        (squad.name, Morale(squad)) for squad in squads_owing_test(encounter, between_rounds=not turn.active)
    ]
    lone_tests = [(model.name, Morale(model=model)) for model in find_lone_testers(encounter)]
    tests = tuple(Button(f"Morale: {name}", test, "main") for name, test in (*squad_tests, *lone_tests)[:4])
    if turn.active:
        end = replace(
            build_done_button(encounter), style="main" if has_spent_all_actions(encounter) else "plain"
        )
        volley_buttons = build_volley_buttons(squad_of(encounter, turn.active[-1]))
        return (
            *tests,
            *list_extra_buttons(encounter),
            *build_step_buttons(encounter),
            *volley_buttons,
            end,
            *side_buttons,
        )
    if tests:
        return (*tests, *side_buttons)
    next_turn_buttons = (Button("Next turn", NextStep(), "main"),) if turn.over else ()
    start_buttons = build_starting_buttons(encounter)
    return (
        *start_buttons,
        *((END_BUTTON,) if one_side_left(encounter) else next_turn_buttons),
        *side_buttons,
    )
