"""Infinity at the table: its help pages, crews, panel, hints, and what the board needs to know."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from bot.actions import Action
from bot.games.infinity import concealment, troops, turn_actions
from bot.games.infinity.concealment import deploy_best
from bot.games.infinity.debts import FallLate, check_falls, debt_lines, debts_of, list_owed_falls
from bot.games.infinity.fields import COVER_SHARE, is_in_cover
from bot.games.infinity.movement_actions import JUMP, LONG_JUMP, MOVE, SpendOrder, inches_now
from bot.games.infinity.narration import (
    condition_name,
    describe_profile,
    describe_state,
    join_into_line,
    summary,
)
from bot.games.infinity.order_rows import (
    NOTHING,
    REACTION,
    newly_public_reactions,
    order_of,
    reactions_of,
    write_declaration,
)
from bot.games.infinity.orders import pool_of
from bot.games.infinity.profile_actions import TYPED_PROFILE, read_named_profile
from bot.games.infinity.reaction_menu import TIME, Resolve
from bot.games.infinity.settings import SETTINGS
from bot.games.infinity.state import Appointment, Debt, ModelState, encounter_state, side_state
from bot.games.infinity.troops import ByHand
from bot.replies.reply import Reply
from bot.store.rows import CrewRow, MemberRow, ModelRow, SecretRow
from bot.table.act import Act
from bot.table.board.routes import BoardPath
from bot.table.encounter import GONE, Encounter, EncounterView
from bot.table.game import (
    EVERYWHERE,
    SECRET_CREWS,
    Concealed,
    HelpPage,
    Recruit,
    SampleCrew,
    find_revealed_secrets,
    time_to_react,
)
from bot.table.ledger.campaign_rules import CampaignRules
from bot.table.names import MAX_NAME_LENGTH
from bot.table.rosters.crew_state import limit_faults
from bot.table.session.arrivals import REVEALERS
from bot.table.session.preparations import require_begun
from bot.table.setting import Setting
from bot.table.waits import TimeLimit, Wait, one_side_left, players_of, to_end, wait_of_model
from rules.effects import Effect, Gain, Leave, Lose
from rules.measure import Point, Sight
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.armour import COVER_SAVE
from rules.systems.infinity.orders import can_become_lieutenant, can_lead, surviving_points
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.profile_text import samples, write_profile
from rules.systems.infinity.shooting import COVER_MOD
from rules.systems.infinity.states import State, state_of
from rules.systems.infinity.trooper import MARKERS, NULL, Condition, Trooper
from rules.wording import possessive, times

PAGES = {
    "Infinity": HelpPage(
        (
            "Enter /demo infinity, then press Begin.",
            "1. Spend an Order: choose a trooper and a Skill with /inf order, shoot, cc or assault.",
            '2. Your opponent presses "React" and chooses AROs in secret, or presses "Nobody reacts".',
            "3. Declare a second Skill or press Done. All dice are then rolled together.",
            "Use /inf mine to see your hidden troopers and Markers. Only you can see the answer.",
            "",
        ),
        (EVERYWHERE,),
    ),
    "Infinity's troopers": HelpPage(rooms=("profile_actions",)),
}


BY_HAND = tuple(
    str(condition)
    for condition in Condition
    if condition not in (*MARKERS, Condition.HIDDEN_DEPLOYMENT, Condition.DEAD)
)
"""Conditions that players may set by hand; hiding has commands of its own."""


@cache
def sample_profiles() -> dict[str, Profile]:
    """Return the troopers of the sample crews by key."""
    troopers = [trooper for sample in samples() for trooper in sample.troopers]
    return {re.sub(r"[^a-z0-9]+", "_", trooper.name.lower()).strip("_"): trooper for trooper in troopers}


ANYTIME = frozenset(
    {
        "inf.area", "inf.aro", "inf.deployment", "inf.falling", "inf.first", "inf.hide", "inf.jump",
        "inf.lieutenant", "inf.mine", "inf.model.add", "inf.model.group", "inf.prone", "inf.react",
        "inf.resolve", "inf.reveal", "inf.strategos", "inf.terrain",
    }
)  # fmt: skip
"""Commands that do not wait for the first turn: setting up, looking, telling by hand."""


PRONE_HEIGHT = 0.5


class InfinityCampaign(CampaignRules):
    """Losses count by their cost."""

    def losses(self, encounter: Encounter, side: int) -> int:
        """Return the points that do not survive. Rules: INF-SHA-04, INF-WND-02."""
        army = troops.army(encounter, side)
        return army.points - surviving_points(army, game_over=True)


class Infinity(ByHand):
    """The rule system at the table: see `bot.table.game.Game`."""

    key = "infinity"
    name = "Infinity"
    smoke_hides = True
    turns = 3
    pages = PAGES
    campaign = InfinityCampaign()

    def __init__(self) -> None:
        SECRET_CREWS.add(self.key)
        REVEALERS[self.key] = concealment.show_all

    def recruits(self) -> Sequence[Recruit]:
        return tuple(
            Recruit(key, entry.name, entry.cost, str(entry.type)) for key, entry in sample_profiles().items()
        )

    def profile(self, key: str) -> str:
        return write_profile(sample_profiles()[key])

    def typed(self, text: str, name: str) -> tuple[str, str, int] | None:
        if not TYPED_PROFILE.search(text):
            return None
        profile = read_named_profile(text, name)
        return profile.name[:MAX_NAME_LENGTH], write_profile(profile), profile.cost

    def as_typed(self, profile: str) -> str:
        return profile

    def sample_crews(self) -> tuple[SampleCrew, SampleCrew]:
        keys = {profile.name: key for key, profile in sample_profiles().items()}
        first_crew, second_crew = (
            SampleCrew(sample.name, tuple(keys[unit.name] for unit in sample.troopers))
            for sample in samples()
        )
        return first_crew, second_crew

    def crew_lines(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Return whether a Lieutenant is named already, and Combat Groups. Rules: INF-ORD-01, INF-LOL-01."""
        lines = [] if any(member.leader for member in members) else ["Choose a Lieutenant with /crew leader."]
        if len(members) > 10:
            lines.append(f"The crew needs {-(-len(members) // 10)} Combat Groups of up to 10 troopers.")
        return lines

    def crew_faults(self, crew: CrewRow, members: Sequence[MemberRow], limit: int) -> Sequence[str]:
        """Return a Lieutenant who may not be one; one may still be named at the table. Rules: INF-LOL-01."""
        leader = next((member for member in members if member.leader), None)
        faults = []
        if leader is not None and not can_lead(troops.profile_of(leader.profile, leader.name)):
            faults.append(f"{leader.name} can't be Lieutenant because it is Irregular or a REM.")
        return [*faults, *limit_faults(members, limit)]

    def enlist(self, encounter: Encounter, model: ModelRow, member: MemberRow) -> None:
        """Set Combat Group and Lieutenant. Models that come with a crew arrive as hidden as possible, so
        that nothing reveals them; models added later are public.
        """
        troops.profile_of(model.profile, model.name)
        group_match = re.match(r"Group (\d)\b", member.note)
        listed_group = int(group_match[1]) if group_match else 0
        group = troops.group_with_room(
            encounter, model.side, excluded_model=model.id, listed_group=listed_group
        )
        ModelState(model).group = group
        if member.leader and can_become_lieutenant(troops.trooper(encounter, model)):
            concealment.appoint(encounter, model.side, model.id, model.owner_id)
        side = side_state(encounter, model.side)
        if side.army_counted:
            side.army_points += member.points
        else:
            deploy_best(encounter, troops.trooper(encounter, model))

    def laid_open(self, before: Encounter, now: Encounter) -> Iterable[SecretRow]:
        """Return who came out from behind a Marker or out of hiding, and AROs that were read. Rules:
        INF-ORD-05.
        """
        opened_rows = [row for row in find_revealed_secrets(before, now) if row.kind != REACTION]
        return [*opened_rows, *newly_public_reactions(before, now)]

    def secrets_of(self, encounter: Encounter, side: int) -> Sequence[str]:
        return ["Lieutenant and hidden troopers"] if encounter.row.turn else []

    def can_redeal(self, encounter: Encounter, side: int) -> bool:
        return encounter.row.turn > 0

    def redeal(self, act: Act, side: int) -> Sequence[str]:
        lieutenant_id, name = concealment.lieutenant_of(act.encounter, side), act.encounter.side(side).name
        if all(model.id != lieutenant_id for model in act.encounter.models(side)):
            raise InvalidInput(f"{name} can only choose another Lieutenant while its current one is in play.")
        side_state(act.encounter, side).appointment = Appointment.NOW
        return [f"{name} can choose its Lieutenant again with /inf lieutenant."]

    def undone(self, before: Encounter, after: Encounter) -> Sequence[str]:
        """Return what happens to reactions to an Order that was undone, or is open again. Rules:
        INF-ORD-05.
        """
        old_order, new_order = order_of(before), order_of(after)
        if new_order is not None and old_order is None:
            return ("The Order is under way again.", "The AROs that were declared against it still count.")
        if old_order is not None and (
            new_order is None or write_declaration(old_order) != write_declaration(new_order)
        ):
            return ("If this Order is declared again, players must choose their AROs again too.",)
        return ()

    def side_ready(self, encounter: Encounter, side: int) -> None:
        """Count the points of the army, for Retreat!. Rules: INF-RET-01."""
        troopers = troops.army(encounter, side).troopers
        side_state(encounter, side).count_army(sum(trooper.profile.cost for trooper in troopers))

    def next_step(self, act: Act) -> Reply:
        return turn_actions.next_step(act)

    def before_next(self, act: Act) -> Reply | None:
        return turn_actions.confirm_end_turn(act)

    def require_begun(self, act: Act, action: Action) -> None:
        """Refuse what has to wait for the first turn, or for how a trooper falls.

        Rules: INF-ORD-01, INF-VAL-13.
        """
        require_begun(act, action, ANYTIME, "INF-ORD-01")
        check_falls(act, action)

    def ending(self, encounter: Encounter) -> Sequence[str]:
        """Return survivors in points; now everyone may read who was hidden. Rules: INF-SHA-04, INF-WND-02."""
        lines = []
        for side in encounter.sides():
            army = troops.army(encounter, side.id)
            points_left = surviving_points(army, game_over=True)
            lines.append(f"{side.name}: {points_left} of {army.points} points survived.")
            secrets = [concealment.marker_of(encounter, model.id) for model in encounter.models(side.id)]
            names = [
                secret.name
                for secret in (*secrets, *concealment.hidden_troopers(encounter, side.id))
                if secret
            ]
            lines += join_into_line([f"Never discovered: {names[0]}", *names[1:]]) if names else []
        return lines

    def standing(self, encounter: Encounter) -> Sequence[str]:
        """Return the points lost by each side: what survives would tell who is hidden. Rules: INF-WND-02."""
        lines = []
        for side in encounter.sides():
            army = troops.army(encounter, side.id)
            lost_points = army.points - surviving_points(army, game_over=True)
            lines.append(f"{side.name}: {times(lost_points, 'point')} lost.")
        return lines

    def unsettled(self, encounter: Encounter, action: Action) -> str:
        """Return what waits for the Order to end: what no Order, movement or ARO needs. Rules: INF-ORD-05."""
        order = order_of(encounter)
        is_under_way = order is not None and (order.waits or not order.over)
        is_by_hand = action.command.startswith(("model.", "condition."))
        return "Finish the Order under way first, or undo it." if is_under_way and is_by_hand else ""

    def waits(self, encounter: Encounter) -> Wait | None:
        """Return who has to act: to play first, to react, to settle debts, to spend the Order. Rules:
        INF-DEP-01, INF-ORD-01, INF-ORD-05.
        """
        if not encounter.row.turn:
            return turn_actions.wait_before_first_turn(encounter)
        order = order_of(encounter)
        seconds = f" ({time_to_react(encounter)})"
        for model in list_owed_falls(encounter):
            task = f"{Debt.FALL.format(model.name)}{seconds}"
            limit = TimeLimit(ModelState(model).fall_entry, FallLate(model))
            return wait_of_model(encounter, model.id, task, owed=True, limit=limit)
        if order is not None and order.waits:
            limit = TimeLimit(order.entry, Resolve(order.entry, TIME))
            return Wait(players_of(encounter, order.waits), f"choose AROs{seconds}", owed=True, limit=limit)
        if order is not None and not order.over:
            skill_task = f"declare a second Skill for {encounter.model(order.model).name}, or press Done"
            return wait_of_model(encounter, order.model, skill_task)
        for model, debt in debts_of(encounter):
            return wait_of_model(encounter, model.id, debt.format(model.name), owed=True)
        if encounter_state(encounter).is_over:
            return to_end(encounter)
        if one_side_left(encounter):
            return to_end(encounter, "End turn")
        return Wait(
            players_of(encounter, [encounter_state(encounter).active_side]),
            "spend an Order, or press End turn",
        )

    def panel(self, encounter: Encounter) -> Reply:
        row = encounter.row
        if row.status == "ended":
            return Reply((f"{self.name.upper()}  ended", *self.ending(encounter)))
        turns_text = f" of {row.turns}" if row.turns else ""
        lines = [f"{self.name.upper()}  {f'round {row.turn}{turns_text}' if row.turn else 'not begun'}"]
        if row.turn == 0:
            lines += [
                f"{side.name}: {times(len(encounter.models(side.id)), 'model')}" for side in encounter.sides()
            ]
        else:
            active_side = encounter_state(encounter).active_side
            lines.append(f"{possessive(encounter.side(active_side).name)} turn")
            lines += turn_actions.tactical_phase_lines(encounter, active_side)
            lines += turn_actions.order_lines(encounter, active_side)
            lines += _order_text_lines(encounter)
            lines += _state_lines(encounter)
        return Reply(tuple(lines), buttons=turn_actions.buttons(encounter))

    hints: Mapping[str, str] = MappingProxyType(
        {
            "Begin": "The Initiative winner chooses either who plays first, or who deploys first and where.",
            "Play first": "The side that plays first spends the first Orders.",
            "First turn": "Each Regular trooper that can act adds an Order to its Combat Group.",
            "Nobody reacts": "The other side can press React instead, which opens a menu for that side only.",
            "Done": (
                "Press Done if you don't want a second Skill. Then all dice of the Order and its AROs are"
                " rolled together."
            ),
            "Guts Roll": "A trooper that was hit but not wounded rolls to stand its ground.",
            "End turn": "You lose all unspent Orders, so the bot asks you first.",
        }
    )
    """The purpose of its buttons, for Show me."""

    sets_up = ("inf.lieutenant", "inf.hide", "inf.strategos", "inf.model.group", "inf.model.add")
    """What is set up before the first turn, as far as it is one's own to do."""

    downed = ("dead",)
    """How a model is lost that an enemy took down."""

    likely = ("inf.order", "inf.shoot", "inf.cc", "inf.assault", "inf.discover", "inf.hide", "inf.dodge")
    """The likely actions of a trooper with an Order."""

    def board_moves(self, encounter: EncounterView, model: ModelRow) -> Mapping[str, Action]:
        """Return a Move and its Jumps along a way on the board. Rules: INF-SJ-01."""
        jumps = troops.trooper(encounter, model).current.has(Skill.SUPER_JUMP)
        short_jump = {"Jump": SpendOrder(skill=JUMP)} if jumps else {}
        return {
            "Move": SpendOrder(skill=MOVE),
            **short_jump,
            "Jump (Entire Order)": SpendOrder(skill=LONG_JUMP),
        }

    covered_from = COVER_SHARE

    def passing(self, encounter: Encounter) -> tuple[int, Sequence[Point]] | None:
        """Return the moves of the Order under way, to which others react. Rules: INF-ORD-05."""
        order = order_of(encounter)
        if order is None or not order.way:
            return None
        return order.model, tuple(zip(order.way[::2], order.way[1::2], strict=True))

    def activated(self, encounter: Encounter) -> Sequence[int]:
        order = order_of(encounter)
        return (order.model,) if order is not None and not order.over else ()

    def acting(self, encounter: Encounter) -> Sequence[ModelRow]:
        """Return the trooper that the current Order activated, or else those that may get the next.

        No one is named if only the Lieutenant's Order is left to the last figure, because the panel would
        reveal the Lieutenant. Rules: INF-ORD-03.
        """
        order = order_of(encounter)
        if order is not None and not order.over:
            return [model for model in encounter.models() if model.id == order.model]
        if encounter_state(encounter).is_over or debt_lines(encounter):
            return []
        active_side = encounter_state(encounter).active_side
        able_models = [model for model in encounter.models(active_side) if not _is_down(encounter, model)]
        if not active_side or len(able_models) > 1:
            return able_models
        pool = pool_of(encounter, active_side)
        return able_models if pool.total > bool(pool.lieutenant) else []

    def concealed(self, encounter: EncounterView, user_id: int) -> Mapping[str, Concealed]:
        sides = [
            side.id for side in encounter.sides() if concealment.may_see_secrets(encounter, user_id, side.id)
        ]
        secrets = [secret for side in sides for secret in concealment.hidden_troopers(encounter, side)]
        return {f"~{secret.row}": Concealed(secret.name, secret.side) for secret in secrets}

    def model_lines(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        title = f"{model.name}, {encounter.side(model.side).name}"
        if concealment.is_marker(encounter, model.id):
            return (title, "This is a Marker. Its owner can use /inf mine to see which trooper it is.")
        trooper = troops.trooper(encounter, model)
        return (title, *describe_profile(trooper.current), summary(trooper))

    def model_summary(self, encounter: Encounter, model: ModelRow) -> str:
        if concealment.is_marker(encounter, model.id):
            return model.name
        return summary(troops.trooper(encounter, model))

    def answering(self, encounter: Encounter) -> Collection[int]:
        return {reaction.model for reaction in reactions_of(encounter) if reaction.shown}

    def defence(self, encounter: Encounter, model: ModelRow) -> str:
        if concealment.is_marker(encounter, model.id):
            return ""
        profile = troops.trooper(encounter, model).current
        return f"ARM {profile.arm}, BTS {profile.bts}, {'STR' if profile.structure else 'W'} {profile.wounds}"

    def life(self, model: ModelRow) -> int:
        return troops.profile_of(model.profile, model.name).wounds if model.profile else 0

    def body(self, encounter: Encounter, model: ModelRow) -> tuple[float, float]:
        size = troops.profile_of(model.profile, model.name).silhouette if model.profile else 0
        base, height = troops.SIZES_BY_SILHOUETTE.get(size, troops.SIZES_BY_SILHOUETTE[2])
        return base, PRONE_HEIGHT if encounter.condition(model.id, Condition.PRONE) else height

    def paces(
        self, encounter: EncounterView, model: ModelRow, walk: BoardPath | None = None
    ) -> Sequence[float]:
        """Return the Move and the Jumps that it may declare next; of a Marker nothing."""
        return inches_now(encounter, troops.trooper(encounter, model), walk) if model.profile else ()

    def cover(self, encounter: EncounterView, viewer: int, target: int, sight: Sight) -> str:
        fact = is_in_cover(encounter, viewer, target, sight)
        return f"Partial Cover ({COVER_MOD:+d} to hit, {COVER_SAVE:+d} to its ARM)" if fact.value else ""

    def conditions(self) -> Sequence[str]:
        return BY_HAND

    def harmed(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Return what points set by hand do to a figure. Rules: INF-WND-01."""
        if concealment.is_marker(act.encounter, model.id):
            raise Forbidden(f"Reveal {model.name} first with /inf reveal. It is a Marker.", "INF-SEN-06")
        trooper = troops.trooper(act.encounter, model)
        effects, lines = _change_state_by_hand(trooper)
        act.encounter.apply(effects)
        return lines

    def settings(self) -> Sequence[Setting]:
        return SETTINGS


def _is_down(encounter: Encounter, model: ModelRow) -> bool:
    """Return whether the public state shows that no Order can activate it. Rules: INF-WND-02."""
    return any(row.kind in NULL for row in encounter.conditions(model.id))


def _change_state_by_hand(trooper: Trooper) -> tuple[list[Effect], list[str]]:
    state = state_of(trooper)
    if trooper.wounds < 0:
        return [Leave(trooper.id, "dead")], [f"{trooper.current.name} is dead."]
    if trooper.wounds == 0 and state is State.NORMAL:
        condition = Condition.SPAWN_EMBRYO if trooper.current.has(Skill.SHASVASTII) else Condition.UNCONSCIOUS
        state_text = "a Spawn-Embryo" if condition is Condition.SPAWN_EMBRYO else "Unconscious"
        return [Gain(trooper.id, condition)], [f"{trooper.current.name} is {state_text}."]
    if trooper.wounds > 0 and state is not State.NORMAL:
        return [Lose(trooper.id, Condition(state.value))], [f"{trooper.current.name} can act again."]
    return [], []


def _order_text_lines(encounter: Encounter) -> list[str]:
    order = order_of(encounter)
    if order is None:
        return debt_lines(encounter)[1:]
    lines = join_into_line([f"Order under way: {encounter.model(order.model).name}", *order.skills])
    open_aros = [aro for aro in reactions_of(encounter) if (aro.shown or aro.held) and aro.does != NOTHING]
    names = [encounter.model(reaction.model).name for reaction in open_aros]
    return [*lines, *(join_into_line([f"AROs: {names[0]}", *names[1:]]) if names else [])]


def _state_lines(encounter: Encounter) -> list[str]:
    """Return who is hurt, down or gone, and under which conditions; nothing about Markers."""
    figures = [
        troops.trooper(encounter, model)
        for model in encounter.models()
        if not concealment.is_marker(encounter, model.id)
    ]
    lines = []
    hurt_texts = [
        f"{figure.current.name} ({describe_state(figure)})" for figure in figures if describe_state(figure)
    ]
    if hurt_texts:
        lines += [f"Wounded: {', '.join(hurt_texts)}"]
    for condition in (Condition.ISOLATED, Condition.IMMOBILIZED, Condition.PRONE, Condition.CLOSE_COMBAT):
        names = [figure.current.name for figure in figures if figure.has(condition)]
        if names:
            lines += join_into_line([f"{condition_name(condition).capitalize()}: {names[0]}", *names[1:]])
    lost_names = [model.name for model in encounter.models(gone=True) if model.status == GONE]
    return [
        *lines,
        *(join_into_line([f"Out of play: {lost_names[0]}", *lost_names[1:]]) if lost_names else []),
    ]
