"""Blows that wait for their flips, the dice of one attack, and models before a blow took them down."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bot.games.soluna.activation import PENDING_ATTACK, phases_so_far, settings_for
from bot.games.soluna.board import add_thing, board_of, facing_of, square_of, thing_rows, to_json
from bot.games.soluna.narration import explain_plan
from bot.games.soluna.state import FallenState, model_of, state_of
from bot.store.rows import ThingRow
from bot.table.act import Act
from bot.table.answering import Answered
from bot.table.encounter import Encounter, EncounterView
from bot.table.throw_purposes import Whose
from rules.effects import Effect, Gain, Leave
from rules.systems.soluna.attack import Plan, attack_roll
from rules.systems.soluna.board import Board, Facing
from rules.systems.soluna.damage import Target, build_target
from rules.systems.soluna.faces import Counts
from rules.systems.soluna.models import Condition, Model
from rules.systems.soluna.prospects import Choice, can_change, choices
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.situation import Situation, in_melee, still_strikes


@dataclass(frozen=True, slots=True)
class Strike:
    """One attack rolled on one model.

    accuracy: flips of the attacker, below 0 those of the target. counts: dice by face. shield, cover,
    ignored: as the target is struck. item: the carried thing hit first. melee: with a melee weapon between
    two models in melee. lunge: the attacker falls where it does no damage. area: of an area effect.
    """

    attacker: int
    target: int
    weapon: str
    power: int
    accuracy: int
    counts: Counts
    shield: bool = True
    cover: int = 0
    ignored: tuple[str, ...] = ()
    item: str = ""
    melee: bool = False
    lunge: bool = False
    area: bool = False
    why: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """Return carried things in the order in which the attacker wants them hit."""
        return (self.item,) if self.item else ()

    def struck(self, encounter: EncounterView) -> tuple[Model, Target]:
        """Return the model that is struck, and what of it the hits meet."""
        model = model_of(encounter, encounter.model(self.target))
        ignored = frozenset(self.ignored)
        return model, build_target(model, shield=self.shield, cover=self.cover, ignored=ignored)

    def choices(self, encounter: EncounterView, settings: Settings) -> tuple[Choice, ...]:
        """Return the flipping player's choices for the dice, best first."""
        _, target = self.struck(encounter)
        return choices(self.counts, self.accuracy, target, self.named, settings, self.is_on_friend(encounter))

    def is_on_friend(self, encounter: EncounterView) -> bool:
        """Return whether attacker and target are of one side, so that the attacker flips to spare it."""
        return encounter.model(self.attacker).side == encounter.model(self.target).side

    def is_open(self, encounter: Encounter, settings: Settings) -> bool:
        """Return whether flips can change what the target loses."""
        _, target = self.struck(encounter)
        return can_change(self.counts, self.accuracy, target, self.named, settings)


def store_strikes(encounter: Encounter, strikes: tuple[Strike, ...], row_id: int = 0) -> int:
    """Write the strikes that wait; gives the row's number, 0 where none is left."""
    content = to_json([asdict(strike) for strike in strikes])
    pending_row = next(
        (thing_row for thing_row in thing_rows(encounter, PENDING_ATTACK) if thing_row.id == row_id), None
    )
    if not strikes:
        if pending_row is not None:
            encounter.book.remove(pending_row)
        return 0
    if pending_row is None:
        return add_thing(encounter, PENDING_ATTACK, "", content).id
    pending_row.content = content
    return pending_row.id


def read_waiting_strikes(encounter: EncounterView, row_id: int = 0) -> tuple[int, tuple[Strike, ...]]:
    """Return a row and its waiting strikes; row 0: the first. Raises InvalidInput."""
    for pending_row in thing_rows(encounter, PENDING_ATTACK):
        if row_id in (0, pending_row.id):
            return pending_row.id, tuple(
                _read_strike(strike_data) for strike_data in json.loads(pending_row.content)
            )
    raise Answered("Attack first. There is no attack to choose flips for.")


def _read_strike(strike_data: dict[str, object]) -> Strike:
    tuples_by_key = {key: tuple(value) for key, value in strike_data.items() if isinstance(value, list)}
    return Strike(**{**strike_data, **tuples_by_key})  # type: ignore[arg-type]


FELL = "fell"
"""Kind of the rows."""


def note_fall(act: Act, strike: Strike, struck_model: Model, effects: Sequence[Effect]) -> bool:
    """Store the state of a model that melee puts out of action; return whether it may still strike."""
    leaves_action = any(
        isinstance(effect, Leave) or (isinstance(effect, Gain) and effect.condition == Condition.UNCONSCIOUS)
        for effect in effects
    )
    row = act.encounter.model(struck_model.id)
    square = square_of(row)
    has_acted = state_of(struck_model).acted_phase == phases_so_far(act)
    if not leaves_action or square is None or strike.attacker == struck_model.id:
        return False
    if not still_strikes(
        fell_now=True, in_melee_with_striker=strike.melee, has_acted=has_acted, settings=settings_for(act)
    ):
        return False
    fallen_data = {
        "square": list(square),
        "facing": facing_of(row).name,
        "conditions": sorted([kind, value] for kind, value in struck_model.conditions),
        "counters": dict(struck_model.counters),
    }
    state = FallenState(add_thing(act.encounter, FELL, row.name, to_json(fallen_data)))
    state.model, state.striker = struck_model.id, strike.attacker
    return True


def fallen_row_of(encounter: EncounterView, model_id: int) -> ThingRow | None:
    """Return the row of a model that fell in this phase and may still strike."""
    return next((row for row in thing_rows(encounter, FELL) if FallenState(row).model == model_id), None)


def model_before_fall(encounter: EncounterView, row: ThingRow, model_after: Model) -> tuple[Model, Board]:
    """Return the model as it was before it fell, and the board with it on its square."""
    fallen_data = json.loads(row.content)
    conditions = frozenset((kind, value) for kind, value in fallen_data["conditions"])
    model = Model(
        model_after.id,
        model_after.name,
        model_after.side,
        model_after.profile,
        conditions,
        tuple(fallen_data["counters"].items()),
    )
    x, y = fallen_data["square"]
    return model, board_of(encounter).place(model.piece((x, y), Facing[fallen_data["facing"]]))


def forget_fallen(encounter: Encounter) -> None:
    """Forget the fallen when the phase is over."""
    for row in thing_rows(encounter, FELL):
        encounter.book.remove(row)


def roll_strike(
    act: Act,
    situation: Situation,
    plan: Plan,
    item: str | None,
    label: str = "attack",
    *,
    lunge: bool = False,
) -> Strike:
    """Roll one attack on one model, and return all that is needed to choose its flips."""
    target = situation.target
    assert target is not None, "models are struck"
    weapon = situation.gear.name if situation.gear else "bare hands"
    cast = Whose(situation.attacker.name, weapon, f"at {target.name}, Accuracy {plan.accuracy:+d}")
    counts = act.roll(cast, attack_roll, plan.power, label)
    carried_item = item and next((name for name, _ in target.carried() if name.lower() == item.lower()), "")
    ids_on_board = {piece.id for piece in situation.board.pieces}
    may_be_melee = situation.melee and {situation.attacker.id, target.id} <= ids_on_board
    return Strike(
        situation.attacker.id,
        target.id,
        weapon,
        plan.power,
        plan.accuracy,
        counts,
        plan.shield_usable,
        plan.cover_bonus,
        tuple(sorted(situation.ignored)),
        carried_item or "",
        may_be_melee and in_melee(situation.board, situation.attacker, target),
        lunge,
        situation.origin is not None,
        tuple(explain_plan(plan, f"{situation.attacker.name} at {target.name}, {weapon}")),
    )
