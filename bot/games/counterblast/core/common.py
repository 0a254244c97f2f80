"""Shared parts of handlers: bag, settings, orders, and attacks that wait for an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar, cast

from bot.actions import Action, from_json, reference_by_number, to_json
from bot.games.counterblast.core.crews import apply_outcome
from bot.games.counterblast.state.models import fighter, fighters, settings_of
from bot.games.counterblast.state.table_state import EncounterState, ModelState
from bot.games.counterblast.state.vehicles import must_drive, require_uplink
from bot.store.rows import SecretRow, SideRow
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.asking.reading import read
from bot.table.encounter import GONE, GONE_IN_TURN, Encounter, EncounterView
from rules.counters import CounterName
from rules.effects import Assign, Effect, Propose
from rules.refusals import Forbidden, InvalidInput, forbid, is_allowed
from rules.systems.counterblast.core.counters import ORDERS, Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.missions.missions import require_escort_attack
from rules.systems.counterblast.psionics.powers import insight_used
from rules.systems.counterblast.turn import activation
from rules.systems.counterblast.turn.activation import spend
from rules.systems.counterblast.turn.bag import Bag
from rules.wording import join_with_and, possessive

A = TypeVar("A", bound=Action)

PENDING = "cb.pending"
"""Kind of the rows; each holds the action that waits, and the rules that were let pass for it."""


class Waits(Protocol):
    """An action that may wait: it names the models that it is about, and those of them that attack."""

    @property
    def involved(self) -> tuple[int, ...]:
        """Return the models' numbers, the one that acts first."""
        ...

    @property
    def attackers(self) -> tuple[int, ...]:
        """Return the numbers of the acting models; once all of them are down, nothing waits any longer."""
        ...


def store_pending(act: Act, side: int, action: Action, *, hidden: bool = False) -> int:
    """Store an action of a side until it is answered, and return its number, which is never used again.

    An action of this side that can't be answered any longer, because a model left, is dropped. Raises
    InvalidInput while another one waits.
    """
    require_answered(act, side)
    for row in _list_pending(act, side):
        act.book.remove(row)
    number = max(act.entry, act.book.next_id(SecretRow))
    content = _serialise(action, sorted({refusal.rule for refusal in act.overridden}))
    row = SecretRow(act.book.scope, number, act.actor.user_id, side, PENDING, content, revealed=not hidden)
    act.book.add(row)
    return number


def require_answered(act: ActView, side: int) -> None:
    """Refuse a side's other actions while an attack of its own waits. Raises InvalidInput."""
    for row in _list_pending(act, side):
        names = list_waiting_names(act.encounter, row)
        if names:
            first, *others = names
            raise InvalidInput(
                f"{possessive(first)} attack is still waiting for {join_with_and(others)} to answer. "
                "Wait for the answer, or undo the attack."
            )


def _list_pending(act: ActView, side: int) -> list[SecretRow]:
    return [row for row in act.book.all(SecretRow) if row.kind == PENDING and row.side == side]


def _serialise(action: Action, rules: Iterable[str]) -> str:
    return " ".join((action.command, *filter(None, rules), to_json(action)))


def _parse(row: SecretRow) -> tuple[Action, list[str]]:
    """The action that waits, and the rules that were let pass for it."""
    head, brace, text = row.content.partition("{")
    command, *rules = head.split()
    return from_json(command, brace + text), rules


def list_waiting_names(encounter: EncounterView, row: SecretRow) -> tuple[str, ...]:
    """Return the models of a waiting action; empty if one of them left play, or its attackers are down."""
    action = cast(Waits, _parse(row)[0])
    models = {model.id: model for model in encounter.models()}
    if not models.keys() >= set(action.involved):
        return ()
    able_attackers = [
        number
        for number in action.attackers
        if number in models and not fighter(encounter, models[number]).is_incapacitated
    ]
    if not able_attackers:
        return ()
    first, *others = action.involved
    numbers = (first if first in able_attackers else able_attackers[0], *others)
    return tuple(models[number].name for number in numbers)


def list_awaited_attacks(encounter: EncounterView) -> list[tuple[str, int]]:
    """Return the attacks that wait for an answer, each with the side that gives it, oldest first."""
    attacks = []
    sides = {model.name: model.side for model in encounter.models()}
    for row in encounter.book.all(SecretRow):
        names = list_waiting_names(encounter, row) if row.kind == PENDING else ()
        if len(names) > 1:
            attacks.append((f"{possessive(names[0])} attack", sides[names[1]]))
    return attacks


def get_waiting_action(act: ActView, number: int, kind: type[A]) -> A:
    """Return the action that waits under a number, with what an organiser ignored for it.

    Raises Answered where it was, or was dropped.
    """
    row = act.book.get(SecretRow, number)
    if row is None or row.kind != PENDING:
        raise Answered("This has already been answered or cancelled. Nothing was changed.")
    action, rules = _parse(row)
    if not isinstance(action, kind):
        raise Answered("Nothing was changed, because the game has moved on since this was shown.")
    act.let_pass(rules)
    return read(act, action, kept=True)


def list_waiting_ids(act: ActView, kind: type[Action]) -> list[int]:
    """Return the numbers under which actions of a kind wait, oldest first."""
    return [
        row.id
        for row in act.book.all(SecretRow)
        if row.kind == PENDING and row.content.split(" ", 1)[0] == kind.command
    ]


def is_answerable(act: Act, number: int) -> bool:
    """Return whether all models that a waiting action is about are still in play."""
    row = act.book.get(SecretRow, number)
    return row is not None and bool(list_waiting_names(act.encounter, row))


def replace_waiting_action(act: Act, number: int, action: Action) -> None:
    """Replace the action that waits."""
    row = act.book.get(SecretRow, number)
    assert row is not None, "it waits"
    row.content = _serialise(action, _parse(row)[1])


def remove_waiting_action(act: Act, number: int) -> None:
    """Remove an action that has been answered."""
    row = act.book.get(SecretRow, number)
    if row is not None:
        act.book.remove(row)


def is_hidden(act: Act, number: int) -> bool:
    """Return whether only the side that declared it may see it."""
    row = act.book.get(SecretRow, number)
    return row is not None and not row.revealed


INITIATIVE = "initiative"
"""The bag of initiative tokens; its kinds are the sides."""


DRAWER = CounterName("drawer")
DRAWN = CounterName("drawn")
REDRAWN = CounterName("redrawn")
LAST_DRAWER = CounterName("last drawer")
USED = CounterName("token used")
"""Counters of the encounter: places of sides counted from 1, 0 for none."""

WITH_MOVE = frozenset({"run_and_gun", "slash_and_dash"})
"""Attacks that contain a Move, which a vehicle drives as a path of its own."""


def settings(act: ActView) -> Settings:
    """Return the readings that this encounter plays by."""
    return settings_of(act.encounter)


def find_fighter(act: ActView, text: str) -> Fighter:
    """Return the model that is meant, of any side. Raises InvalidInput."""
    return fighter(act.encounter, act.encounter.find_model(text))


def find_own_fighter(act: ActView, text: str) -> Fighter:
    """Return the model that is meant, which the asker must play. Raises InvalidInput, NotAllowed."""
    model = act.encounter.find_model(text, user=act.actor.user_id)
    act.require_model(model)
    return fighter(act.encounter, model)


def fighter_of(act: ActView, number: int) -> Fighter:
    """Return the model of that number, as it stands."""
    return fighter(act.encounter, act.encounter.model(number))


def again(act: ActView, model: Fighter) -> Fighter:
    """Return the model as it stands after effects were applied."""
    return fighter_of(act, model.id)


def get_own_fighter(act: ActView, number: int) -> Fighter:
    """Return the model of that number, in play and played by who asks. Raises InvalidInput, NotAllowed."""
    return find_own_fighter(act, reference_by_number(number))


def price(act: ActView, model: Fighter, key: str, *, joint: bool = False) -> tuple[Effect, ...]:
    """Return the price of an action, once turns are counted. Raises Forbidden unless overridden.

    InvalidInput while an attack of the same side waits for its answer: the dice of one fall before the next.

    joint: several take it together, so that no one has finished before. The check that Identify is about is a
    part of that power and costs nothing. Rules: CB-PSI-15, CB-ACT-06.
    """
    turn = act.encounter.row.turn
    if turn < 1:
        return ()
    require_uplink(model, key)
    if key == "skill" and (model.count(Counter.INSIGHT) or model.count(Counter.SPOILED)):
        return tuple(insight_used(model))
    if activation.ACTION[key].attack:
        require_escort_attack(model)
    _require_drive_action(act, model, key)
    effects: tuple[Effect, ...] = ()
    if activation.ACTION[key].cost:
        require_answered(act, model.side)
        effects += _begin_in_order(act, model, joint=joint)
    effects += activation.take(model, key)
    if model.profile.is_vehicle and key in WITH_MOVE:
        effects += (Assign("model", model.id, ModelState.drive_owed_turn.key, turn),)
    return effects


def require_plannable(act: ActView, model: Fighter, key: str) -> None:
    """Check what an action requires of its model for odds: all but whose turn it is. Raises Forbidden."""
    if act.encounter.row.turn:
        activation.may_plan(model, key)


def pay(act: Act, model: Fighter, key: str, *, joint: bool = False) -> None:
    """Pay for an action at once: see `price`."""
    carry_through(act, price(act, model, key, joint=joint))


def may_continue(encounter: EncounterView, model: Fighter) -> bool:
    """Return whether an active model may still act although another of its group began. Rules: CB-ACT-06."""
    return is_allowed(_require_order, encounter, model)


def _require_order(encounter: EncounterView, model: Fighter) -> None:
    acting_id = EncounterState(encounter.row).acting
    acting = next((fighter(encounter, model) for model in encounter.models() if model.id == acting_id), None)
    has_begun = ModelState(encounter.model(model.id)).began_turn == encounter.row.turn
    activation.require_order_of_play(model, acting, activation_begun=has_begun)


def _begin_in_order(act: ActView, model: Fighter, *, joint: bool) -> tuple[Effect, ...]:
    """Members of a group act one after the other. Raises Forbidden. Rules: CB-ACT-06."""
    encounter = act.encounter
    if not joint:
        _require_order(encounter, model)
    return (
        Assign("encounter", 0, EncounterState.acting.key, 0 if joint else model.id),
        Assign("model", model.id, ModelState.began_turn.key, encounter.row.turn),
    )


def _require_drive_action(act: ActView, model: Fighter, key: str) -> None:
    """A vehicle In Motion keeps an action to drive with. Raises Forbidden. Rules: CB-VEH-10."""
    action = activation.ACTION[key]
    remaining = activation.actions_left(model) - action.cost
    if action.moves or not action.cost or remaining != 0:
        return
    if must_drive(act.encounter.model(model.id), model, act.encounter.row.turn):
        forbid(f"{model.name} is In Motion and must keep an action to drive.", "CB-VEH-10")


def orders_of(side: SideRow) -> int:
    """Return how many order tokens a side still has."""
    return side.counters.get(ORDERS, 0)


def token_price(act: ActView, model: Fighter, *, spent: bool) -> tuple[Effect, ...]:
    """Return what an order token for a model costs its side, if one is spent. Raises Forbidden."""
    return spend(model.side, orders_of(act.encounter.side(model.side))) if spent else ()


def spend_order(act: Act, side: int, count: int = 1) -> None:
    """Spend order tokens of a side. Raises Forbidden unless overridden."""
    carry_through(act, spend(side, orders_of(act.encounter.side(side)), count))


def carry_through(act: Act, effects: Iterable[Effect], *, by: int = 0) -> list[Propose]:
    """Apply what an outcome does with all that follows from it; return what is to be done next."""
    return apply_outcome(act.encounter, effects, by=by)


def side_places(encounter: EncounterView) -> list[int]:
    """Return the sides' numbers in the order in which they draw."""
    return [side.id for side in encounter.sides()]


def read_bag(encounter: EncounterView) -> Bag:
    """Return the initiative bag as the rules see it. Raises Forbidden before the first turn."""
    places = side_places(encounter)
    if encounter.row.turn < 1:
        raise Forbidden("Start the first turn with /encounter next.", "CB-BAG-02")
    tokens_inside = {row.kind: row.inside for row in encounter.tokens(INITIATIVE)}
    counters = encounter.row.counters
    drawn_place, last_drawer = counters.get(DRAWN, 0), counters.get(LAST_DRAWER, 0)
    return Bag(
        tuple(tokens_inside.get(side, 0) for side in places),
        max(0, counters.get(DRAWER, 1) - 1),
        drawn_place - 1 if drawn_place else None,
        bool(counters.get(REDRAWN, 0)),
        last_drawer - 1 if last_drawer else None,
        bool(drawn_place) and (bool(counters.get(USED, 0)) or _is_anybody_active(encounter)),
    )


def _is_anybody_active(encounter: EncounterView) -> bool:
    return any(encounter.condition(model.id, Condition.ACTIVE) for model in encounter.models())


def write_bag(encounter: Encounter, bag: Bag) -> None:
    """Store the bag in the encounter's rows."""
    old_counts = {row.kind: row.inside + row.outside for row in encounter.tokens(INITIATIVE)}
    for side, inside in zip(side_places(encounter), bag.tokens, strict=True):
        total = max(old_counts.get(side, 0), inside)
        encounter.set_tokens(INITIATIVE, side, inside, total - inside)
    counters = encounter.row.counters
    counters[DRAWER] = bag.drawer + 1
    for key, value in (
        (DRAWN, 0 if bag.drawn is None else bag.drawn + 1),
        (REDRAWN, int(bag.redrawn)),
        (USED, int(bag.used)),
        (LAST_DRAWER, 0 if bag.last_drawer is None else bag.last_drawer + 1),
    ):
        if value:
            counters[key] = value
        else:
            counters.pop(key, None)


def count_left_to_act(encounter: Encounter) -> tuple[int, ...]:
    """Return the models that still need an activation, by crew."""

    def counted() -> tuple[int, ...]:
        return tuple(_count_waited_for(fighters(encounter, side)) for side in side_places(encounter))

    return encounter.worked_out(count_left_to_act, counted)


def _count_waited_for(crew: tuple[Fighter, ...]) -> int:
    """For how many of the crew's models the Activation phase waits. Rules: CB-BAG-07, CB-FEAT-18."""
    waited_for = filter(activation.needs_activation, crew)
    return sum(not activation.waits_for_nobody(model, crew) for model in waited_for)


def losses_this_turn(encounter: EncounterView) -> tuple[Fighter, ...]:
    """Return the models that left play in this turn, as they were."""
    turn = encounter.row.turn
    return tuple(
        fighter(encounter, model)
        for model in encounter.models(gone=True)
        if model.status == GONE and model.counters.get(GONE_IN_TURN, 0) == turn
    )
