"""The panel of Counterblast: what it waits for, what is due beside the actions, and its help."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import again, carry_through, count_left_to_act, read_bag
from bot.games.counterblast.core.debts import find_first_debt, is_upkeep_open
from bot.games.counterblast.core.narration import Telling, build_offer_button, with_name
from bot.games.counterblast.ground.hazards import list_owed_checks
from bot.games.counterblast.missions.mission_choices import without_mission
from bot.games.counterblast.missions.traps import list_trapping_sides
from bot.games.counterblast.movement.falls import falls_owed
from bot.games.counterblast.setup.deployment import next_placing
from bot.games.counterblast.state import ground
from bot.games.counterblast.state.missions import list_uncounted_sides
from bot.games.counterblast.state.models import fighter
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.turn.activations import (
    end_model_activation,
    list_continuing,
    list_next_to_act,
    list_open_proposals,
    next_drawer,
)
from bot.games.counterblast.turn.bag import find_drawer, is_bag_spent
from bot.games.counterblast.upkeep.upkeep_draft import list_leaderless_sides, read_current_upkeep
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow, SideRow
from bot.table.act import Act
from bot.table.encounter import OVER, Encounter
from bot.table.game import HelpPage
from bot.table.waits import Wait, beginning, player_of, players_of, to_end, unready
from rules.effects import Assign, Leave, Lose
from rules.systems.counterblast.building.crew import LEADER
from rules.systems.counterblast.core.conditions import go_down
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.turn import bag
from rules.systems.counterblast.turn.manual_conditions import ended, put_under
from rules.wording import times

PAGES = {
    "a turn": HelpPage(
        (
            "A turn of Counterblast:",
            "1. To draw a token from the bag, press Draw or type /bag draw.",
            "2. To choose who acts, use the menu or type /act.",
            "3. To act, use the buttons, or commands such as /cb shoot and /cb move go. The bot knows the "
            "statblocks. You enter distances and cover, and mark which models are in contact.",
            "4. To end the activation, press End activation or type /bag pass.",
            "When all models have acted, press Upkeep or type /upkeep. Check the steps, roll, and confirm.",
            "",
        ),
        ("turn", "upkeep"),
    ),
    "fighting": HelpPage(
        (
            "Add `order:true` to a command to spend an order token (+1), or `odds:true` to see the chances.",
            "",
        ),
        ("core", "shooting", "templates", "melee"),
    ),
    "moving": HelpPage(rooms=("movement",)),
    "ground": HelpPage(rooms=("ground",)),
    "setting up": HelpPage(
        ("Use these commands before the first turn. For house rules, use /encounter settings.", ""),
        ("setup",),
    ),
    "gear": HelpPage(("/gear show lists what a model carries and how to use each item.", ""), ("gear",)),
    "powers": HelpPage(rooms=("psionics",)),
    "vehicles": HelpPage(
        ("When you have to roll for Critical Damage or burning, a button appears.", ""), ("vehicles",)
    ),
    "missions": HelpPage(rooms=("missions",)),
    "heroes": HelpPage(("Build your own Heroes and vehicles:", ""), ("building",)),
    "spoils": HelpPage(("Use these commands between the games of a campaign:", ""), ("campaign",)),
}


def waits(encounter: Encounter) -> Wait | None:
    """Return what the game waits for: an answer, who acts, the next draw, Upkeep. Rules: CB-BAG-04."""
    if not encounter.row.turn:
        return _before_begin(encounter)
    open_questions = common.list_awaited_attacks(encounter)
    if open_questions:
        names, attacked_side = open_questions[0]
        return Wait(players_of(encounter, [attacked_side]), f"answer {names}", owed=True)
    debt = find_first_debt(encounter)
    if debt is not None:
        return Wait(players_of(encounter, [debt.side]), debt.line, owed=True, tells=True)
    if encounter.count(OVER):
        return _await_scoring(encounter)
    if active_models := list_next_to_act(encounter):
        return Wait(
            _players(encounter, active_models), f"act with {', '.join(model.name for model in active_models)}"
        )
    current_bag = read_bag(encounter)
    if current_bag.drawn is not None:
        side = encounter.sides()[current_bag.drawn]
        players = players_of(encounter, [side.id])
        next_side = encounter.sides()[next_drawer(encounter, current_bag)]
        task = (
            "draw, or end the activation"
            if players_of(encounter, [next_side.id]) == players
            else "end the activation"
        )
        if bag.must_use(current_bag, count_left_to_act(encounter)):
            task = f"choose who acts for {side.name}"
        return Wait(players, task)
    if is_upkeep_open(encounter):
        if sides := list_leaderless_sides(encounter):
            return Wait(players_of(encounter, sides), "choose a new leader")
        return _upkeep(encounter)
    if bag.phase_over(count_left_to_act(encounter)) or is_bag_spent(encounter):
        return Wait("", "begin the Upkeep")
    side = encounter.sides()[find_drawer(encounter)]
    return Wait(players_of(encounter, [side.id]), f"draw for {side.name}")


def _upkeep(encounter: Encounter) -> Wait:
    upkeep_draft = read_current_upkeep(encounter)
    task = "roll the Upkeep tests" if upkeep_draft.needs_dice else "confirm the Upkeep"
    sides = upkeep_draft.to_roll if upkeep_draft.needs_dice else upkeep_draft.undecided
    return Wait(players_of(encounter, sides) if sides else "", task)


def _before_begin(encounter: Encounter) -> Wait | None:
    """Return what the game waits for before it begins: terrain, missions or traps, if that is public.

    Rules: CB-SETUP-05, CB-MISS-01, CB-MISS-21.
    """
    sides_without_mission, unready_sides = without_mission(encounter), unready(encounter)

    def may(side: SideRow) -> bool:
        """Return whether it isn't ready yet, or all sides are."""
        return side in unready_sides or not unready_sides

    next_piece = next_placing(encounter)
    if next_piece is not None and may(encounter.side(next_piece[0])):
        side, pieces_left = next_piece
        name = encounter.side(side).name
        pieces = times(pieces_left, "piece")
        task = f"place terrain for {name} ({pieces} left), or press {beginning(encounter)}"
        return Wait(players_of(encounter, [side]), task)
    captained_sides = [side for side in encounter.sides() if encounter.captain(side.id)]
    sides = [side.id for side in captained_sides if side in sides_without_mission and may(side)]
    if sides:
        return Wait(players_of(encounter, sides), f"choose a mission, or press {beginning(encounter)}")
    trapping_sides = [side for side in list_trapping_sides(encounter) if may(side)]
    if trapping_sides:
        names = " and ".join(side.name for side in trapping_sides)
        task = f"trap a place on behalf of {names}, or press {beginning(encounter)}"
        return Wait(players_of(encounter, [side.id for side in trapping_sides]), task)
    return None


def _await_scoring(encounter: Encounter) -> Wait:
    """Return whose missions are still to be scored, or else that the game can end."""
    sides = [side.id for side in list_uncounted_sides(encounter)]
    return Wait(players_of(encounter, sides), "score the mission") if sides else to_end(encounter)


def _players(encounter: Encounter, models: Sequence[Fighter]) -> str:
    return " and ".join(dict.fromkeys(player_of(encounter, model.id) for model in models))


MAX_COUNT = 10
"""Duties that the panel has room for beside its own buttons; the next one comes when one of them is done."""


def beside_round(encounter: Encounter) -> tuple[Button, ...]:
    """Return falls and checks that models owe, then what awaits those who act.

    Rules: CB-FALL-01, CB-MOVE-04, CB-MOVE-06, CB-TERR-07, CB-HAZ-05, CB-BURN-06, CB-CREW-13, CB-PANIC-10.
    """
    proposals = [proposal for row in encounter.models() for proposal in falls_owed(row)]
    for row in encounter.models():
        checks = list_owed_checks(encounter, row)
        proposals += checks if checks and not fighter(encounter, row).is_down else []
    proposals += [
        proposal for model in list_continuing(encounter) for proposal in list_open_proposals(encounter, model)
    ]
    return tuple(
        with_name(build_offer_button(proposal), encounter.model(proposal.model).name)
        for proposal in proposals[:MAX_COUNT]
    )


class ByHand:
    """The part of the game that answers changes by hand."""

    def harmed(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Put a model without Life down, or one that was healed up again."""
        state = fighter(act.encounter, model)
        if state.is_down and not state.count(Counter.DOWN):
            carry_through(act, go_down(state, max(1, act.encounter.row.turn)))
            return [f"{state.name} goes down. It will be removed in an Upkeep unless it is healed."]
        if not state.is_down and model.counters.pop(Counter.DOWN, 0):
            return [f"{state.name} is up again."]
        return []

    def leave(self, act: Act, model: ModelRow, how: str) -> Reply:
        """Remove a model: its engagements end, tokens drop, and a crew that lost its leader names another.

        Rules: CB-MISS-03, CB-CREW-05, CB-CREW-06, CB-PANIC-02.
        """
        telling = Telling()
        telling.follow(act, [Leave(model.id, how)])
        return Reply(tuple(telling.proposal_lines()), buttons=telling.buttons(act))

    def returned(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Restore the leader of its crew, unless another one leads. Rules: CB-CREW-05."""
        was_leader = model.counters.pop(ModelState.was_leader.key, 0)
        side = act.encounter.side(model.side)
        if not was_leader or side.counters.get(LEADER):
            return []
        carry_through(act, (Assign("side", side.id, LEADER, model.id),))
        return [f"{model.name} leads {side.name} again."]

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        """Return its conditions, and being engaged, which models keep of one another. Rules: CB-COND-03."""
        kinds = [row.kind for row in encounter.conditions(model.id)]
        also_engaged = fighter(encounter, model).is_engaged and Condition.ENGAGED not in kinds
        return [*kinds, *([Condition.ENGAGED] if also_engaged else [])]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """Add a condition with its consequences: panicked models drop tokens, stunned ones let go."""
        telling = Telling()
        telling.follow(act, put_under(fighter(act.encounter, model), Condition(kind), value))
        return Reply(tuple(telling.proposal_lines()), buttons=telling.buttons(act))

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """End conditions with their consequences: an activation ends, the engaged separate."""
        telling, known_conditions = Telling(), set(Condition)
        for kind in kinds:
            model_now = again(act, fighter(act.encounter, model))
            if kind == Condition.ACTIVE:
                end_model_activation(act.encounter, model_now)
            ground.cancel_owed_hit(act.encounter, model_now, kind)
            telling.follow(
                act, ended(model_now, Condition(kind)) if kind in known_conditions else [Lose(model.id, kind)]
            )
        return Reply(tuple(telling.proposal_lines()), buttons=telling.buttons(act))
