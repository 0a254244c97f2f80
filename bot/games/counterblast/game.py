"""Counterblast at the table: how a game begins, what the panel shows, what a crew and a model are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bot.actions import Action, raw_of
from bot.games.counterblast.building import crews
from bot.games.counterblast.building.crews import faults
from bot.games.counterblast.building.draft_texts import add_equipment, points_of, statblock
from bot.games.counterblast.building.hero_building import build_button
from bot.games.counterblast.building.rulebook import bought_parts, crew_doubts, model_doubts, weapon_words
from bot.games.counterblast.campaign.campaigns import CounterblastCampaign
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import count_left_to_act, orders_of, read_bag, write_bag
from bot.games.counterblast.core.crews import pair_models
from bot.games.counterblast.core.debts import ShowOwed, find_first_debt, is_upkeep_open, require_begun
from bot.games.counterblast.core.wording import cast_roll_off, summary, trace_lines
from bot.games.counterblast.gear.devices import describe_item_state
from bot.games.counterblast.melee.attacks import is_apart
from bot.games.counterblast.melee.melees import Melee, strikers
from bot.games.counterblast.missions.mission_choices import (
    ask_arrived_side,
    ask_before_begin,
    mission_buttons,
    without_mission,
)
from bot.games.counterblast.missions.objectives import (
    TRAP_TRIGGER,
    SearchPlace,
    find_trap_cause,
    list_trap_reactors,
)
from bot.games.counterblast.missions.scores import build_score_buttons
from bot.games.counterblast.missions.traps import SPRING_BUTTON, trap_buttons
from bot.games.counterblast.movement.hiding import into_view_buttons
from bot.games.counterblast.movement.moves import Move, checks_beside, paces
from bot.games.counterblast.panel import PAGES, ByHand, beside_round, waits
from bot.games.counterblast.samples import EDO, EQUIPMENT, LANCERS
from bot.games.counterblast.settings import SETTINGS
from bot.games.counterblast.state.missions import (
    RESERVE,
    lead_lines,
    list_hidden_missions,
    list_uncounted_sides,
    result_lines,
    revealed_lines,
    withdraw_mission,
)
from bot.games.counterblast.state.models import block_text, fighter, fighters, read_block, traits_of
from bot.games.counterblast.state.sight import MIN_COVERED_SHARE, cloud_lines, cover_by_board
from bot.games.counterblast.state.table_state import SideState
from bot.games.counterblast.templates.coverage import bomb_lines
from bot.games.counterblast.turn import overwatch
from bot.games.counterblast.turn.activation_menu import build_act_menus
from bot.games.counterblast.turn.activations import (
    END_ACTIVATION,
    list_active,
    list_continuing,
    list_next_to_act,
    unfinished,
)
from bot.games.counterblast.turn.bag import DrawToken, LetDraw, LetRestPass, PassDraw, is_bag_spent
from bot.games.counterblast.upkeep import upkeep_actions
from bot.replies.reply import Button, Menu, Reply
from bot.store.rows import CrewRow, MemberRow, ModelRow, SideRow
from bot.table.act import Act
from bot.table.board.routes import BoardPath
from bot.table.encounter import GONE, OVER, Encounter, EncounterView
from bot.table.game import Recruit, SampleCrew
from bot.table.journal.history import UNDO
from bot.table.journal.log import ShowLog
from bot.table.reaction_windows import Cause, held_way
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import build_opening_buttons
from bot.table.session.settings import house_rules
from bot.table.setting import Setting
from bot.table.waits import Wait, how_it_ends
from rules.measure import Point, Sight
from rules.refusals import InvalidInput
from rules.systems.counterblast.building import crew
from rules.systems.counterblast.building.crew import count_extra_tokens
from rules.systems.counterblast.core.conditions import CASUALTY
from rules.systems.counterblast.core.counters import ORDERS, Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.general import roll_off
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile
from rules.systems.counterblast.core.tables import Size
from rules.systems.counterblast.turn import bag
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left, starting_tokens
from rules.systems.counterblast.turn.upkeep import Crew
from rules.wording import join_with_and, possessive, times

BODIES: Mapping[Size, tuple[float, float]] = {"S": (30.0, 1.5), "M": (40.0, 2.0), "L": (60.0, 3.0)}
"""Base in millimetres and height in inches by size, unless someone enters another base."""
PRONE_HEIGHT = 0.5


class Counterblast(ByHand):
    """The rule system at the table: see `bot.table.game.Game`."""

    key = "counterblast"
    name = "Counterblast"
    smoke_hides = True
    turns = 8
    pages = PAGES
    campaign = CounterblastCampaign()
    shortens = LetRestPass()
    ends_with = "Confirm"
    hints: Mapping[str, str] = MappingProxyType(
        {
            "Draw": "Draw a token from the bag. The token shows which crew acts next.",
            "Upkeep": (
                "When all models have acted, resolve casualties, panic tests and conditions. You can "
                "check the result before you confirm it."
            ),
            "Roll": "Roll for all panic tests and fires together. To see the chances first, press Odds.",
            "Confirm": "Apply the Upkeep and begin the next turn. To change a step first, press Correct...",
        }
    )

    def recruits(self) -> Sequence[Recruit]:
        return tuple(
            Recruit(
                profile.key,
                profile.name,
                profile.points,
                _kind(profile),
                "Heroes" if profile.is_hero else "Lackeys",
            )
            for profile in load().profiles
        )

    def profile(self, key: str) -> str:
        """Return a block of the roster as text. Raises InvalidInput."""
        return block_text(key, EQUIPMENT.get(key, ()))

    def equip(self, profile: str, names: Sequence[str]) -> str:
        """Return a block with further weapons and gear, by name. Raises InvalidInput, Forbidden."""
        return add_equipment(profile, names)

    def equipment(self) -> Sequence[str]:
        return [item.name for item in (*load().weapons, *load().gear)]

    def outfitted(self, key: str, equipment: Sequence[str]) -> tuple[str, int]:
        """Return a block with weapons and gear by name, and their points. Raises InvalidInput, Forbidden."""
        basic = block_text(key)
        text = add_equipment(basic, equipment)
        return text, points_of(text) - points_of(basic)

    def outfit(self, profile: str, equipment: Sequence[str]) -> tuple[str, int]:
        """Return a block's text with weapons and gear by name, and points. Raises InvalidInput, Forbidden."""
        text = add_equipment(profile, equipment) if equipment else profile
        return text, points_of(text) - points_of(profile)

    def typed(self, text: str, name: str) -> tuple[str, str, int] | None:
        """Return an own statblock from words or JSON. Raises InvalidInput. Rules: CB-STAT-01."""
        return crews.typed(text, name)

    def block_lines(self, profile: str) -> Sequence[str]:
        block = read_block(profile)
        return (
            *statblock(block.profile),
            f"Weapons: {'; '.join(map(weapon_words, block.weapons)) or 'none'}",
            f"Gear: {', '.join(item.name for item in block.gear) or 'none'}",
        )

    def block_example(self) -> str:
        return crews.EXAMPLE

    def block_text(self, profile: str) -> str:
        """Return it as it can be typed again. Raises InvalidInput."""
        return crews.statblock_text(profile)

    as_typed = block_text

    def completed_block(self, text: str) -> tuple[str, Sequence[str]]:
        return crews.complete_statblock(text)

    def block_values(self, profile: str) -> dict[str, Any]:
        """Return it as values for programs. Raises InvalidInput."""
        return crews.values(profile)

    def from_block_values(self, values: Mapping[str, Any]) -> tuple[str, str, int]:
        """Return name, row and points. Raises InvalidInput."""
        return crews.from_values(values)

    def sample_crews(self) -> tuple[SampleCrew, SampleCrew]:
        return LANCERS, EDO

    def building(self, crew: CrewRow) -> Button:
        """Return how Heroes and vehicles are built. Rules: CB-BUILD-01."""
        return build_button(crew)

    def crew_lines(self, row: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Return alignment, and where the text is in doubt. Rules: CB-CREW-07."""
        crew_members = [crew.Member(read_block(row.profile).profile, row.points) for row in members]
        lines = []
        aligned = crew.list_alignments(crew_members)
        if aligned:
            names = " or ".join(load().affiliations[key].name for key in aligned)
            lines.append(f"This crew can align with {names}.")
        blocks = [read_block(row.profile) for row in members]
        rows = [row for block in blocks for row in bought_parts(block.profile, block.weapons, block.gear)]
        return [*lines, *crew_doubts(rows)]

    def crew_faults(self, row: CrewRow, members: Sequence[MemberRow], limit: int) -> Sequence[str]:
        return faults(row, members, limit)

    def enlist(self, encounter: Encounter, model: ModelRow, member: MemberRow) -> None:
        profile = read_block(model.profile).profile
        side = encounter.side(model.side)
        if member.leader or (profile.is_hero and not side.counters.get(crew.LEADER)):
            side.counters[crew.LEADER] = model.id

    def side_ready(self, encounter: Encounter, side: int) -> None:
        """Add a side's order tokens, and pair models. Rules: CB-ORDER-01, CB-FEAT-08, CB-GEAR-49."""
        row = encounter.side(side)
        leader = row.counters.get(crew.LEADER, 0)
        if leader:
            row.counters[ORDERS] = starting_tokens(fighter(encounter, encounter.model(leader)))
        pair_models(encounter, side)

    def next_step(self, act: Act) -> Reply:
        if act.encounter.count(OVER):
            raise InvalidInput(f"The last turn is over. {how_it_ends(act)}.")
        if act.encounter.row.turn == 0:
            return self._begin(act)
        return upkeep_actions.begin_upkeep(act)

    def before_next(self, act: Act) -> Reply | None:
        return ask_before_begin(act)

    def arrived(self, act: Act, side: SideRow) -> Reply:
        return ask_arrived_side(act, side)

    def _begin(self, act: Act) -> Reply:
        encounter = act.encounter
        sides = encounter.sides()
        if len(sides) < 2:
            raise InvalidInput("A game needs two sides. Another player can join with /encounter join.")
        rollers = cast_roll_off([side.name for side in sides], "roll-off", "for the first draw")
        winner = act.roll(rollers, roll_off, len(sides))
        encounter.row.turn, encounter.row.status = 1, "playing"
        crews = [Crew(side.id, traits_of(side), SideState(side).more_tokens) for side in sides]
        full_bag = bag.fill(
            tuple(len(encounter.models(side.id)) for side in sides),
            tuple(count_extra_tokens(crew_now.traits) + crew_now.more_tokens for crew_now in crews),
            winner,
        )
        write_bag(encounter, full_bag)
        return Reply(
            (
                f"Turn 1 of {encounter.row.turns or '?'}. Bag: {times(full_bag.size, 'token')}.",
                f"{sides[winner].name} won the roll-off and can draw first or let the next player draw.",
                *trace_lines(act.dice.trace),
                *house_rules(encounter),
            ),
            buttons=(
                Button("Draw", DrawToken(asks=True), "main"),
                Button("Let the next player draw", LetDraw()),
                UNDO,
            ),
        )

    def secrets_of(self, encounter: Encounter, side: int) -> Sequence[str]:
        return list_hidden_missions(encounter, side)

    def can_redeal(self, encounter: Encounter, side: int) -> bool:
        return not encounter.row.turn

    def redeal(self, act: Act, side: int) -> Sequence[str]:
        withdraw_mission(act.encounter, side)
        return [f"{act.encounter.side(side).name} can choose its mission again with /mission choose."]

    def require_begun(self, act: Act, action: Action) -> None:
        """Refuse actions of models before the first turn. Rules: CB-TURN-02."""
        require_begun(act, action)

    def ending(self, encounter: Encounter) -> Sequence[str]:
        unscored_lines = [
            f"{possessive(side.name)} mission has not been scored yet."
            for side in list_uncounted_sides(encounter)
        ]
        lines = [*result_lines(encounter), *lead_lines(encounter)]
        return [*lines, *unscored_lines, *revealed_lines(encounter)]

    def standing(self, encounter: Encounter) -> Sequence[str]:
        names = [f"{possessive(side.name)} mission" for side in list_uncounted_sides(encounter)]
        unscored_lines = [f"Use /mission score to score {join_with_and(names)}."] if names else []
        return [*result_lines(encounter), *lead_lines(encounter), *unscored_lines]

    def waits(self, encounter: Encounter) -> Wait | None:
        return waits(encounter)

    def unsettled(self, encounter: Encounter, action: Action) -> str:
        attacks = common.list_awaited_attacks(encounter)
        return f"Wait for the answer to {attacks[0][0]}, or undo the attack." if attacks else ""

    def goes_on(self, action: Action) -> bool:
        """See `turn.overwatch` and `missions.objectives`."""
        return overwatch.triggers_overwatch(action) or isinstance(action, SearchPlace)

    def cause_of(self, act: Act, action: Action) -> Cause | None:
        """See `turn.overwatch` and `missions.objectives`."""
        return find_trap_cause(act, action) or overwatch.find_cause(act, action)

    def may_react(self, encounter: Encounter, cause: Cause) -> Sequence[int]:
        """See `turn.overwatch` and `missions.objectives`."""
        if cause.trigger == TRAP_TRIGGER:
            return list_trap_reactors(encounter, cause)
        return overwatch.list_reactors(encounter, cause)

    def reaction_buttons(self, encounter: Encounter, cause: Cause) -> Sequence[Button]:
        """See `turn.overwatch` and `missions.objectives`."""
        return (
            [SPRING_BUTTON] if cause.trigger == TRAP_TRIGGER else overwatch.reaction_buttons(encounter, cause)
        )

    def panel(self, encounter: Encounter) -> Reply:
        row = encounter.row
        if row.status == "ended":
            return Reply((f"{self.name.upper()}  ended", *result_lines(encounter)))
        turn_text = f"turn {row.turn} of {row.turns or '?'}" if row.turn else "not begun"
        lines = [f"{self.name.upper()}  {turn_text}"]
        if row.turn == 0:
            lines += [
                f"{side.name}: {times(len(encounter.models(side.id)), 'model')}" for side in encounter.sides()
            ]
            lines += _list_missing_missions(encounter)
            return Reply(tuple(lines), buttons=build_opening_buttons(encounter, *mission_buttons(encounter)))
        lines += [*self._bag_lines(encounter), *self._state_lines(encounter)]
        return Reply(tuple(lines), buttons=self._buttons(encounter), menus=_who_acts(encounter))

    def _bag_lines(self, encounter: Encounter) -> list[str]:
        bag_now = read_bag(encounter)
        counts = ", ".join(
            f"{side.name} {count}" for side, count in zip(encounter.sides(), bag_now.tokens, strict=True)
        )
        acting = list_active(encounter)
        lines = [f"Bag ({times(bag_now.size, 'token')}): {counts}"]
        if acting:
            lines.append(f"Acting: {', '.join(model.name for model in acting)}")
            lines += _list_actions_left(list_continuing(encounter), len(acting) > 1)
        orders = ", ".join(f"{side.name} {orders_of(side)}" for side in encounter.sides())
        return [*lines, f"Order tokens: {orders}"]

    def _state_lines(self, encounter: Encounter) -> list[str]:
        everybody = fighters(encounter)
        loss_counts = {side.name: 0 for side in encounter.sides()}
        for model in encounter.models(gone=True):
            if model.status == GONE and model.left_how != RESERVE:
                loss_counts[encounter.side(model.side).name] += 1
        lines = []
        if any(loss_counts.values()):
            lines.append("Lost: " + ", ".join(f"{name} {count}" for name, count in loss_counts.items()))
        hurt = [f"{m.name} ({m.profile.life - m.damage})" for m in everybody if m.damage and not m.is_down]
        fallen = [m.name for m in everybody if m.is_down]
        lines += [f"Life left: {', '.join(hurt)}"] if hurt else []
        lines += [f"Down: {', '.join(fallen)}"] if fallen else []
        for condition in Condition:
            if condition is not Condition.ACTIVE:
                affected = [
                    m.name
                    for m in everybody
                    if m.has(condition) or (condition is Condition.ENGAGED and m.is_engaged)
                ]
                lines += [f"{condition.capitalize()}: {', '.join(affected)}"] if affected else []
        return [*lines, *cloud_lines(encounter), *bomb_lines(encounter)]

    def _buttons(self, encounter: Encounter) -> tuple[Button, ...]:
        last_buttons: tuple[Button, ...] = (UNDO, Button("Log", ShowLog(), anytime=True))
        if encounter.count(OVER):
            return (*build_score_buttons(encounter)[:-1], *last_buttons)
        debt = find_first_debt(encounter)
        if debt is not None and debt.buttons:
            return (*debt.buttons, *last_buttons)
        attacks = [attacks_named for attacks_named, _ in common.list_awaited_attacks(encounter)]
        if attacks or debt is not None:
            label = f"Answer {attacks[0] if attacks else 'the attack'}..."
            return (Button(label, ShowOwed(), "main", anytime=True), *last_buttons)
        owed_buttons = beside_round(encounter)
        last_buttons = (*into_view_buttons(encounter), *trap_buttons(encounter), *last_buttons)
        to_act = count_left_to_act(encounter)
        phase_over = bag.phase_over(to_act) or is_bag_spent(encounter)
        if is_upkeep_open(encounter):
            return (*owed_buttons, *upkeep_actions.open_panel(encounter).buttons, *last_buttons)
        if phase_over and not list_active(encounter):
            return (*owed_buttons, Button("Upkeep", NextStep(), "main"), *last_buttons)
        bag_now = read_bag(encounter)
        if bag.must_use(bag_now, to_act):
            return (*owed_buttons, *last_buttons)
        end_button = Button(END_ACTIVATION, PassDraw(), "plain" if unfinished(encounter) else "main")
        draw = Button("Draw", DrawToken(asks=True), "main")
        next_buttons = (end_button,) if list_active(encounter) or bag_now.drawn is not None else ()
        if not list_active(encounter) and bag.draws_on(bag_now, to_act):
            next_buttons = (*next_buttons, draw)
        is_melee = len(strikers(encounter)) > 1
        melee = (Button("Melee", Melee(), "main", anytime=True, asks=True),) if is_melee else ()
        return (*owed_buttons, *melee, *next_buttons, *last_buttons)

    sets_up = ("cb.terrain", "cb.terrain.piece", "cb.table", "cb.deploy")
    """Terrain, what holds for the whole table, and who deploys first."""

    prepares = ("mission.ask", "mission.pick", "mission.choose", "mission.places", "mission.trap")
    """Missions with what they need on the table."""

    downed = (CASUALTY,)
    """How a model is lost that an enemy took down."""

    likely = (
        "cb.shoot",
        "cb.fight",
        "cb.charge",
        "cb.move",
        "cb.psi",
        "cb.gear.use",
        "cb.overwatch",
        "cb.rally",
        "cb.disengage",
        "cb.stand",
        "cb.hide",
        "cb.template",
        "cb.psi.know",
    )
    """The likely actions of an activated model."""

    def board_moves(self, encounter: EncounterView, model: ModelRow) -> Mapping[str, Action]:
        return {"Move": Move(), "Two Moves": Move(moves=2)}

    covered_from = MIN_COVERED_SHARE

    def passing(self, encounter: Encounter) -> tuple[int, Sequence[Point]] | None:
        """Return the move that waits for Overwatch. Rules: CB-OVER-02."""
        return held_way(encounter)

    def unlikely(self, encounter: Encounter, action: Action) -> bool:
        """Return whether a model would choose powers that it has, or has no action left to use one, or would
        fight a model that it doesn't touch on the board.
        """
        if action.command == "cb.fight":
            return is_apart(encounter, action)
        if action.command != "cb.psi.know":
            return False
        psionic = fighter(encounter, encounter.find_model(str(raw_of(action)["psionic"])))
        has_chosen = bool(psionic.profile.powers and encounter.row.turn)
        return has_chosen or (psionic.has(Condition.ACTIVE) and not actions_left(psionic))

    def acted(self, encounter: Encounter) -> Iterable[int]:
        return [model.id for model in fighters(encounter) if model.count(Counter.ACTIVATED)]

    def acting(self, encounter: Encounter) -> Sequence[ModelRow]:
        return [encounter.model(model.id) for model in list_next_to_act(encounter)]

    def model_lines(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        state = fighter(encounter, model)
        weapons = ", ".join(arm.name + describe_item_state(state, arm) for arm in state.weapons)
        gear = ", ".join(item.name + describe_item_state(state, item) for item in state.gear)
        return (
            f"{state.name}, {encounter.side(model.side).name}",
            *statblock(state.profile),
            f"Weapons: {weapons or 'none'}",
            f"Gear: {gear or 'none'}",
            summary(state),
            *model_doubts(state.profile, state.weapons, state.gear),
        )

    def model_summary(self, encounter: Encounter, model: ModelRow) -> str:
        return summary(fighter(encounter, model))

    def watching(self, encounter: Encounter, model: ModelRow) -> str:
        return "on Overwatch" if fighter(encounter, model).has(Condition.OVERWATCH) else ""

    def defence(self, encounter: Encounter, model: ModelRow) -> str:
        state = fighter(encounter, model)
        return f"Defense {state.defense}, Life {state.profile.life}"

    def life(self, model: ModelRow) -> int:
        return read_block(model.profile).profile.life

    def body(self, encounter: Encounter, model: ModelRow) -> tuple[float, float]:
        base, height = BODIES[read_block(model.profile).profile.size]
        return base, PRONE_HEIGHT if encounter.condition(model.id, Condition.PRONE) else height

    def paces(
        self, encounter: EncounterView, model: ModelRow, walk: BoardPath | None = None
    ) -> Sequence[float]:
        """Return one Move, and two if it has the actions for them."""
        return paces(encounter, fighter(encounter, model), walk)

    def ground_checks(self, encounter: EncounterView, walk: BoardPath) -> tuple[Button, ...]:
        """Return the rolls for dangerous places and fire on a way. Rules: CB-TERR-07, CB-BURN-05."""
        return checks_beside(encounter, fighter(encounter, encounter.model(walk.model)), walk)

    def cover(self, encounter: EncounterView, viewer: int, target: int, sight: Sight) -> str:
        rating = cover_by_board(encounter, viewer, target, sight).value
        return f"cover {rating} (+{times(rating, 'shield die', 'shield dice')})" if rating else ""

    def conditions(self) -> Sequence[str]:
        return tuple(Condition)

    def settings(self) -> Sequence[Setting]:
        return SETTINGS


def _who_acts(encounter: Encounter) -> tuple[Menu, ...]:
    bag_now, debt = read_bag(encounter), find_first_debt(encounter)
    if debt is not None:
        return debt.menus
    if is_upkeep_open(encounter):
        return upkeep_actions.open_panel(encounter).menus
    if bag_now.drawn is None or common.list_awaited_attacks(encounter):
        return ()
    if not bag.must_use(bag_now, count_left_to_act(encounter)):
        return ()
    return build_act_menus(encounter, common.side_places(encounter)[bag_now.drawn])


def _list_missing_missions(encounter: Encounter) -> list[str]:
    """Who has chosen no mission while one can still be chosen. Rules: CB-MISS-01."""
    names = [side.name for side in without_mission(encounter)]
    return [f"No mission chosen yet: {', '.join(names)}"] if names else []


def _list_actions_left(acting: Sequence[Fighter], is_group: bool) -> list[str]:
    """The actions that who acts has left, once one is spent. grouped: others act too. Rules: CB-ACT-01."""
    actions = [actions_left(model) for model in acting]
    if all(number == ACTIONS for number in actions):
        return []
    if not is_group:
        return [f"Actions left: {actions[0]}"]
    counts = (f"{model.name} ({number})" for model, number in zip(acting, actions, strict=True))
    return [f"Actions left: {', '.join(counts)}"]


def _kind(profile: Profile) -> str:
    return f"{profile.rank} {' '.join(profile.types)}{', unclear in the rulebook' if profile.unsure else ''}"
