"""Using items and Features: gels, boosts, repairs, smoke, ink, sprays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.actions import Action, reference_by_number
from bot.games.counterblast.building.draft_texts import draft_of, row_text
from bot.games.counterblast.core.common import again, carry_through, price, require_plannable, settings
from bot.games.counterblast.core.fields import friend, thing_of, who
from bot.games.counterblast.core.narration import Telling, due, finish
from bot.games.counterblast.core.wording import cast_by_label
from bot.games.counterblast.gear.devices import EXTINGUISHER, INK, Usable, list_carried, list_usable
from bot.games.counterblast.state import ground
from bot.games.counterblast.state.ground import Burning, fire_named, write_fire
from bot.games.counterblast.state.models import fighter, hurt_first
from bot.games.counterblast.state.sight import add_cloud
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.chances import percent
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking
from bot.table.asking.measuring import Spot
from bot.table.board import surface
from bot.table.board.facts import standing
from bot.table.encounter import EncounterView
from bot.table.handlers import handles
from bot.table.steps import Chances, Weighed, in_steps
from bot.table.throw_purposes import Whose
from rules.effects import Assign, Effect, Propose
from rules.measure import TOUCH, Point, apart
from rules.refusals import Forbidden, InvalidInput, Missing, forbid
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import dependable
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Gear, Weapon
from rules.systems.counterblast.gear import items
from rules.systems.counterblast.shooting import special_attacks
from rules.wording import possessive

BOOSTS = frozenset({"body_boost", "brain_boost"})
"""Without an activation there is nothing that they add to."""

FREE_ITEMS = BOOSTS | {"smoke_grenade", "smoke_screen_launcher"}


def _read_target(context: Asking, text: str) -> Fighter | Burning:
    """Return a model, or what is sprayed where no model of that name burns. Raises InvalidInput."""
    encounter = context.act.encounter
    item: Usable | None = context.so_far["item"]
    is_burning_name = (
        text[:1] == "#" or text.casefold() in ", ".join(_list_burning_names(encounter)).casefold()
    )
    if item and item.key == EXTINGUISHER and not is_burning_name:
        return fire_named(encounter, text)
    return fighter(encounter, encounter.find_model(text))


def _write_target(target: Fighter | Burning) -> str:
    return target.name if isinstance(target, Burning) else reference_by_number(target.id)


def _list_burning_names(encounter: EncounterView) -> list[str]:
    return [row.name for row in encounter.models() if encounter.condition(row.id, Condition.BURNING)]


@dataclass(frozen=True, slots=True)
class UseItem(Action):
    """Use an item such as Med Gel, a boost, smoke or an extinguisher.

    target: the patient or the fire; attack: a boost for an attack; partly: partly sprayed. spot: the middle
    of a cloud on the board; around its user if none is entered.
    """

    command = "cb.gear.use"
    typed = "gear use"
    titled = "Use gear"

    model: Fighter = who()
    item: Usable = thing_of("model", "Item", list_usable, "item", none="has nothing to use", needed=True)
    target: Fighter | Burning | None = fields.sought(
        "Target (model or fire)", hurt_first, _read_target, written=_write_target, wanted=True, helps=True
    )
    attack: bool = fields.switch("Use the boost for an attack")
    partly: bool = fields.switch("Only part of the target is in the spray", fact=True)
    spot: Spot | None = measuring.spot(
        "model", 'Middle of the cloud, such as "D7" or "12 30" (default: where the model is)', begun=False
    )
    odds: bool = fields.odds()

    @property
    def patient(self) -> Fighter:
        """Return the model that it is used on, or the user if no one is named."""
        return self.target if isinstance(self.target, Fighter) else self.model


@dataclass(frozen=True, slots=True)
class HandItem(Action):
    """Hand an item to a friendly model in contact."""

    command = "cb.gear.give"
    typed = "gear give"
    titled = "Give an item"

    giver: Fighter = who("Model that gives the item", called="model")
    item: Weapon | Gear = thing_of("giver", "Item", list_carried, "item", needed=True)
    to: Fighter = friend("Model that receives the item", needed=True, helps=True)


# ------------------------------------------------------------------------------------------- use


@dataclass(frozen=True, slots=True)
class ReadyUse:
    """The user and the item: what is sprayed, or what is done without dice; and the price."""

    model: Fighter
    spray: Spray | None = None
    doing: Doing | None = None
    due: tuple[Effect, ...] = ()


@in_steps(UseItem)
class Using(Weighed[UseItem, ReadyUse]):
    """One action, boosts and smoke free. Rules: CB-GEAR-01, CB-GEAR-21, CB-GEAR-27, CB-GEAR-36, CB-GEAR-41,
    CB-GEAR-42, CB-FEAT-33, CB-VEH-49, CB-VEH-50."""

    label = "Spray"

    def prepare(self, act: ActView, action: UseItem) -> ReadyUse:
        model, key = action.model, action.item.key
        sprays = key == EXTINGUISHER
        if action.spot is not None and USES.get(key) not in (_use_smoke, _use_ink):
            raise InvalidInput("Leave the middle of the cloud blank, because only smoke and ink make clouds.")
        if act.action.looks and not sprays:
            require_plannable(act, model, "item")
            raise InvalidInput(f"{action.item.name} needs no dice, so there are no odds to show.")
        costs: tuple[Effect, ...] = ()
        if key not in FREE_ITEMS:
            costs = due(act, model, "item", order=False)
        elif key not in BOOSTS and act.encounter.row.turn and not model.has(Condition.ACTIVE):
            forbid(f"Activate {model.name} first.", "CB-COND-07")
        if sprays:
            return ReadyUse(model, _prepare_spray(act, action), due=costs)
        return ReadyUse(model, doing=USES[key](act, action), due=costs)

    def do(self, act: Act, action: UseItem, ready: ReadyUse) -> Reply:
        telling = Telling()
        carry_through(act, ready.due)
        if ready.spray is not None:
            _roll_spray(act, telling, ready.model, ready.spray)
        elif ready.doing is not None:
            _carry_out(act, telling, ready.model, ready.doing)
        return finish(act, telling)

    def chances(self, act: ActView, action: UseItem, ready: ReadyUse) -> Chances:
        """Return the chance to put out a model or a whole area. Rules: CB-GEAR-36."""
        spray, rules = ready.spray, settings(act)
        assert spray is not None, "only a spray takes dice"
        fire = spray.area.fire if spray.area is not None else None
        if fire is not None:
            remaining = act.solve(items.extinguish_area, fire.inches)
            put_out = remaining.map(lambda successes: items.after_spraying(fire, successes, rules) is None)
        else:
            put_out = act.solve(items.extinguish_model, spray.throws)
        chance = put_out.chance(bool)
        burning = spray.name if fire is not None else f"the fire on {spray.name}"
        head = f"{burning[:1].upper()}{burning[1:]} goes out: {percent(chance).strip()}"
        return Chances((head,), "fire goes out", chance, (put_out,))


@dataclass(frozen=True, slots=True)
class Doing:
    """The result of an item without dice. on: the model whose wounds are told. cloud: its kind and
    contents. at: the middle of the cloud on the board, if the user is on it.
    """

    words: str
    effects: tuple[Effect, ...] = ()
    on: Fighter | None = None
    cloud: tuple[str, special_attacks.Cloud] | None = None
    at: Point | None = None


Use = Callable[[ActView, UseItem], Doing]


def _use_med_gel(act: ActView, action: UseItem) -> Doing:
    model, patient = action.model, action.patient
    name = "itself" if patient.id == model.id else patient.name
    return Doing(f"{model.name} treats {name} with Med Gel", tuple(items.med_gel(model, patient)), patient)


def _use_boost(act: ActView, action: UseItem) -> Doing:
    model, is_body_boost = action.model, action.item.key == "body_boost"
    effects = (items.body_boost if is_body_boost else items.brain_boost)(model, attack=action.attack)
    extra = "attack" if action.attack else "action"
    kind = extra if is_body_boost else f"psionic {extra}"
    kept_effects = tuple(effect for effect in effects if not isinstance(effect, Propose))
    return Doing(f"{model.name} gets one extra {kind}.", kept_effects)


def _use_repair(act: ActView, action: UseItem) -> Doing:
    model = action.model
    return Doing(f"{model.name} repairs itself", tuple(items.self_repair(model, action.item.key)), model)


def _use_smoke(act: ActView, action: UseItem) -> Doing:
    model, turn = action.model, max(1, act.encounter.row.turn)
    cloud = special_attacks.smoke(model, turn, thrown=int(model.count(ModelState.smoke_turn.key) == turn))
    effects = (Assign("model", model.id, ModelState.smoke_turn.key, turn),)
    return Doing("", effects, cloud=("smoke", cloud), at=_find_cloud_middle(act, action, cloud))


def _use_ink(act: ActView, action: UseItem) -> Doing:
    cloud = special_attacks.ink(action.model, max(1, act.encounter.row.turn))
    return Doing("", cloud=("ink", cloud), at=_find_cloud_middle(act, action, cloud))


def _find_cloud_middle(act: ActView, action: UseItem, cloud: special_attacks.Cloud) -> Point | None:
    """Return the middle of a cloud on the board. Raises Forbidden if the cloud wouldn't touch its user.

    Rules: CB-FEAT-33, CB-GEAR-27.
    """
    body = standing(act.encounter, action.model.id)
    if body is None:
        return None
    middle = action.spot.at if action.spot is not None else body.at
    max_distance = cloud.inches / 2 + body.radius
    if apart(middle, body.at) > max_distance + TOUCH:
        forbid(
            f"The cloud has to touch {action.model.name}. Its middle can be at most {max_distance:.1f} in "
            "from the middle of the model's base.",
            "CB-GEAR-27",
        )
    return middle


def _carry_out(act: Act, telling: Telling, model: Fighter, doing: Doing) -> None:
    telling.follow(act, doing.effects)
    if doing.cloud is not None:
        _add_cloud(act, telling, model, *doing.cloud, doing.at)
    elif doing.on is not None:
        patient_now = again(act, doing.on)
        telling.lines.append(
            f"{doing.words}: {patient_now.life_left} of {patient_now.profile.life} Life left."
        )
    else:
        telling.lines.append(doing.words)


def _add_cloud(
    act: Act, telling: Telling, model: Fighter, kind: str, cloud: special_attacks.Cloud, at: Point | None
) -> None:
    name = add_cloud(act.encounter, kind, cloud)
    if at is not None:
        surface.add_cloud(act.encounter, name, at, cloud.inches / 2)
    telling.lines += [
        f"{model.name} makes a cloud called {name} (R{cloud.inches}).",
        f"Models in the cloud or touching it have a cover rating of {cloud.cover}.",
        "The cloud blocks any line of sight that crosses it.",
        f"The cloud disappears at the end of turn {cloud.began + 1}.",
    ]


@dataclass(frozen=True, slots=True)
class Spray:
    """What is sprayed: a burning area, or a model with its check where it is not wholly in the spray."""

    name: str
    area: Burning | None = None
    target: Fighter | None = None
    throws: tuple[Throw, ...] = ()


def _prepare_spray(act: ActView, action: UseItem) -> Spray:
    """Return the burning area or the model that is sprayed. Raises InvalidInput where neither is named."""
    model, target = action.model, action.target
    if target is None:
        burning = ", ".join(_list_burning_names(act.encounter)) or "none"
        raise Missing(f"Choose the model or fire to spray. Burning models: {burning}.")
    if isinstance(target, Burning):
        items.require_item(model, EXTINGUISHER)
        return Spray(target.words, target)
    ready = items.prepare_extinguishing(model, target, partly=action.partly, settings=settings(act))
    return Spray(target.name, target=target, throws=(ready.throw,) if ready else ())


def _roll_spray(act: Act, telling: Telling, model: Fighter, spray: Spray) -> None:
    name, target = spray.name, spray.target
    if spray.area is not None:
        fire = spray.area.fire
        successes = act.roll(Whose(model.name, "spray", f"on {name}"), items.extinguish_area, fire.inches)
        new_fire = items.after_spraying(fire, successes, settings(act))
        write_fire(act.encounter, spray.area.name, new_fire)
        if new_fire is None:
            telling.lines.append(f"The spray puts out {name}.")
        elif new_fire.inches < fire.inches:
            telling.lines.append(f"The spray shrinks {name} to R{new_fire.inches}.")
        else:
            telling.lines.append(f"The spray doesn't shrink {name}.")
        return
    assert target is not None, "an area or a model"
    roller = cast_by_label(
        Whose(model.name, "spray", f"on {name}"),
        initiative=Whose(name, "Initiative check", f"to get into {possessive(model.name)} spray"),
    )
    put_out = act.roll(roller, items.extinguish_model, spray.throws)
    itself = target.id == model.id
    if itself and target.has(Condition.BURNING):
        ground.fight_flames(act.encounter, model)
    telling.follow(act, items.after_extinguishing(target, put_out, itself=itself))
    telling.lines.append(f"The fire on {name} {'goes out' if put_out else 'still burns'}.")


USES: dict[str, Use] = {
    "med_gel": _use_med_gel,
    "body_boost": _use_boost,
    "brain_boost": _use_boost,
    "smoke_grenade": _use_smoke,
    "smoke_screen_launcher": _use_smoke,
    "computer_backup": _use_repair,
    "engineer_operator": _use_repair,
    INK: _use_ink,
}
"""Uses without dice, by key."""


# ------------------------------------------------------------------------------------------- hand over


@handles(HandItem)
def hand_over(act: Act, action: HandItem) -> Reply:
    """Hand over an item, as a Use Item action of the giver. Rules: CB-GEAR-02."""
    giver = action.giver
    costs = price(act, giver, "item")
    item, receiver = action.item, action.to
    items.hand_over(giver, receiver, item, in_contact=True)
    carry_through(act, costs)
    key = "weapons" if isinstance(item, Weapon) else "gear"
    _change_items(act.encounter.model(giver.id), key, item.key, -1)
    _change_items(act.encounter.model(receiver.id), key, item.key, 1)
    return finish(act, Telling([f"{giver.name} gives {receiver.name} the {item.name}."]))


def _change_items(row: ModelRow, kind: str, key: str, by: int) -> None:
    """Write an item into a model's row, or out of it."""
    draft = draft_of(row.profile)
    item_keys = list(draft.weapons if kind == "weapons" else draft.gear)
    if by > 0:
        item_keys.append(key)
    else:
        item_keys.remove(key)
    if kind == "weapons":
        row.profile = row_text(replace(draft, weapons=tuple(item_keys)))
    else:
        row.profile = row_text(replace(draft, gear=tuple(item_keys)))


@dataclass(frozen=True, slots=True)
class DeclineDependable(Action):
    """Stop using a model's Dependable equipment, or use it again.

    use: whether one natural 1 is disregarded again.
    """

    command = "cb.gear.dependable"
    typed = "gear dependable"
    titled = "Dependable equipment"
    waits_for_dice = True

    model: Fighter = who("Model")
    use: bool = fields.switch("Use the equipment again")


@handles(DeclineDependable)
def decline_dependable(act: Act, action: DeclineDependable) -> Reply:
    """Count a natural 1 as it falls, until it is used again. Rules: CB-SPEC-06, CB-FEAT-20."""
    model = action.model
    has_declined = bool(model.count(Counter.UNDEPENDABLE))
    if action.use != has_declined:
        raise InvalidInput(
            f"{model.name} is already using its Dependable equipment."
            if action.use
            else f"{model.name} has already stopped using its Dependable equipment. To use it again, turn on "
            '"Use the equipment again".'
        )
    if not action.use and not dependable(model, with_equipment=True):
        raise Forbidden(f"{model.name} has no Dependable equipment.", "CB-FEAT-20")
    carry_through(act, (Assign("model", model.id, Counter.UNDEPENDABLE, int(not action.use)),))
    verb = (
        "uses its Dependable equipment again"
        if action.use
        else "stops using its Dependable equipment, so every natural 1 counts"
    )
    return finish(act, Telling([f"{model.name} {verb}."]))
