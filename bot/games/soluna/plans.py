"""An attack as it is asked for: who, with what, at whom; from a command's words to a plan of the rules."""

from __future__ import annotations

import re
from collections import Counter as Counted
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from bot.actions import Action
from bot.games.soluna import suggestions
from bot.games.soluna.common import carry_through, names_of, settings
from bot.games.soluna.fields import fewer_dice
from bot.games.soluna.fighters import clock_of, model_of, models_of
from bot.games.soluna.ground import OBJECT, Artifact, artifacts, obstacle_of, things
from bot.games.soluna.squares import at, is_square, read_square
from bot.games.soluna.suggestions import HANDS
from bot.games.soluna.words import best_view, sight_lines_words
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.encounter import Encounter
from bot.table.names import find
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.attack import Plan, prepare, prepare_in_area
from rules.systems.soluna.board import Board
from rules.systems.soluna.combat_points import Payment, after_payment, pay
from rules.systems.soluna.geometry import Point, area_reach, reach
from rules.systems.soluna.grid import LOCATIONS
from rules.systems.soluna.models import Counter, Model
from rules.systems.soluna.phases import forced_so_far, points_left, use_weapon
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Sight, see
from rules.systems.soluna.situation import Situation
from rules.systems.soluna.targeting import Distance
from rules.systems.soluna.visibility import effective_reach, surroundings

_EXTRA = re.compile(r"(power|accuracy|range|reach)\s*([+-]\s*\d{1,2})|ignore\s+([a-z]+)")


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """Attack a model, cover, an Artifact or a square.

    A square only with an area weapon.
    weapon: by name or #place, hands, or empty for the first that can be used. dice: fewer than its Power.
    extra: what abilities and Artifacts give, as power+1 accuracy-2 range+1 reach-1 ignore shield.
    item: the carried thing that Arsenal hits go to. aim: the location whose chances are wanted.
    """

    command = "sol.attack"
    typed = "sol attack"

    attacker: str = fields.words("Who attacks", offering.own_model, needed=True, called="model")
    target: str = fields.words(
        "A model, an object, or a square: 3,4", suggestions.any_target, needed=True, freely=True
    )
    weapon: str = fields.words("With what; none: the first that can", suggestions.carried_weapon)
    dice: int = fewer_dice()
    force: bool = fields.switch("Force Combat Points it lacks: -2 each")
    low: bool = fields.switch("The weapon is low on power")
    cost: int = fields.whole("Combat Points of a special attack", 1, 20, default=1)
    extra: str = fields.text("power+1 accuracy-2 range+1 ignore shield", None)
    item: str = fields.words("Arsenal hits go to this", suggestions.carried_thing)
    aim: str = fields.words("Chances for this location", suggestions.location)
    odds: bool = fields.odds("Only the chances, to you alone")

    @property
    def looks(self) -> bool:
        """Whoever aims at a location asks for its chances."""
        return self.odds or bool(self.aim)


@dataclass(frozen=True, slots=True)
class Extras:
    """What abilities, Artifacts and surroundings give to an attack."""

    power: int = 0
    accuracy: int = 0
    weapon_reach: int = 0
    target_reach: int = 0
    ignored: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Mark:
    """What an attack is aimed at: a square, and the model, cover or Artifact on it."""

    square: Point
    model: Model | None = None
    cover: str = ""
    artifact: Artifact | None = None

    @property
    def name(self) -> str:
        """How it is called."""
        if self.model is not None:
            return self.model.name
        return self.cover or (self.artifact.name if self.artifact else at(self.square))


@dataclass(frozen=True, slots=True)
class Declared:
    """A legal attack on a mark, and what it costs."""

    mark: Mark
    situation: Situation
    plan: Plan
    payment: Payment
    kind: Literal["model", "cover", "artifact", "area"]

    @property
    def weapon_name(self) -> str:
        """With what."""
        return self.situation.gear.name if self.situation.gear else "bare hands"


@lru_cache(maxsize=64)
def read_extras(text: str) -> Extras:
    """What was typed as power+1 accuracy-2 range+1 reach-1 ignore shield. Raises InvalidInput."""
    numbers = {"power": 0, "accuracy": 0, "range": 0, "reach": 0}
    ignored: set[str] = set()
    lowered = text.lower()
    for match in _EXTRA.finditer(lowered):
        if match[1]:
            numbers[match[1]] += int(match[2].replace(" ", ""))
        elif match[3] in LOCATIONS:
            ignored.add(match[3])
        else:
            raise InvalidInput(f"Locations are: {', '.join(LOCATIONS)}.")
    if _EXTRA.sub("", lowered).replace(",", "").strip():
        raise InvalidInput("Extras are written: power+1 accuracy-2 range+1 reach-1 ignore shield.")
    return Extras(
        numbers["power"], numbers["accuracy"], numbers["range"], numbers["reach"], frozenset(ignored)
    )


def find_marks(act: Act, board: Board, text: str, origin: Point) -> list[Mark]:
    """What is meant: a model, an object (its squares, nearest first), an Artifact, or a square.

    Raises InvalidInput.
    """
    encounter = act.encounter
    if is_square(text):
        return [mark_on(act, board, read_square(text))]
    if not text.startswith("#"):
        objects, lying, everything = encounter.worked_out(find_marks, lambda: _marked(encounter))
        name = text if everything.get(text) else find(text, [*everything], str, "model or object")
        if name in lying:
            return [Mark(lying[name].square, artifact=lying[name])]
        if name in objects:
            row = next(row for row in things(encounter, OBJECT) if row.name == name)
            squares = obstacle_of(row).squares
            return [
                Mark(square, cover=name) for square in sorted(squares, key=lambda s: area_reach(origin, s))
            ]
        text = name
    model = model_of(encounter, encounter.find_model(text))
    return [Mark(board.piece(model.id).square, model)]


def _marked(encounter: Encounter) -> tuple[set[str], dict[str, Artifact], dict[str, bool]]:
    """The names of all objects, every Artifact by its name, and the names of all that can be a mark: whether
    a name, written just so, can mean nothing else.
    """
    objects = {row.name: row for row in things(encounter, OBJECT)}
    lying = {one.name: one for one in artifacts(encounter)}
    everything = [*(model.name for model in models_of(encounter)), *objects, *lying]
    often = Counted(name.replace("_", " ").casefold() for name in everything)
    alone = {name: often[name.replace("_", " ").casefold()] == 1 for name in everything}
    return set(objects), lying, alone


def mark_on(act: Act, board: Board, square: Point) -> Mark:
    """What stands on a square. Raises InvalidInput off the board."""
    if not board.holds(square):
        raise InvalidInput(f"{at(square)} lies off the board of {board.width} by {board.height}.")
    piece = board.at(square)
    if piece is not None:
        return Mark(square, model_of(act.encounter, act.encounter.model(piece.id)))
    if any(square in o.squares and not o.debris for o in board.obstacles):
        return Mark(square, cover=board.cover_at(square).name)
    lying = next((one for one in artifacts(act.encounter) if one.square == square), None)
    return Mark(square, artifact=lying)


# ------------------------------------------------------------------------------------------- weapons


def weapons_meant(act: Act, attacker: Model, text: str) -> list[int | None]:
    """Places of the weapons that may be meant, None for bare hands; the first that can be used is taken."""
    weapons = attacker.profile.weapons
    if text.startswith("#") and text[1:].isdecimal():
        place = int(text[1:])
        if place > len(weapons):
            raise InvalidInput(f"{attacker.name} has no such weapon.")
        return [place - 1 if place else None]
    if text:
        words = [weapon.name for weapon in weapons]
        name = find(text, [*words, HANDS], str, "weapon it carries")
        return [None if name == HANDS else words.index(name)]
    used = attacker.counter(Counter.WEAPON)
    if used and attacker.counter(Counter.ACTED) == clock_of(act.encounter).count(settings(act)):
        return [None if used == 1 else used - 2]
    usable = [place for place in range(len(weapons)) if attacker.carried()[place][1]]
    return [*sorted(usable, key=lambda place: bool(weapons[place].area)), None]


def payment_of(act: Act, attacker: Model, cost: int, *, force: bool) -> Payment:
    """What the attack is paid with. Raises Forbidden unless overridden. Rules: SU-CP-01, SU-CP-02."""
    clock, chosen = clock_of(act.encounter), settings(act)
    points = points_left(attacker, clock, chosen)
    forced = forced_so_far(attacker, clock, chosen)
    paid = [Payment(min(points, cost), 0, forced)]
    with act.overridable():
        paid.append(pay(points, forced, cost, force=force))
    return paid[-1]


def check_weapon_of(act: Act, attacker: Model, weapon: int | None) -> None:
    """Refuse another weapon than that of this Action. Rules: SU-CP-03."""
    with act.overridable():
        use_weapon(attacker, -1 if weapon is None else weapon)


def spend(act: Act, attacker: Model, payment: Payment, weapon: int | None) -> None:
    """Pay, and note the weapon of this Action. Rules: SU-CP-01, SU-CP-02, SU-CP-03."""
    with act.overridable():
        act.encounter.apply(use_weapon(attacker, -1 if weapon is None else weapon))
    points = points_left(attacker, clock_of(act.encounter), settings(act))
    carry_through(act, after_payment(attacker.id, points, payment))


# ------------------------------------------------------------------------------------------- declaring


def declare(act: Act, action: Attack, attacker: Model, board: Board) -> Declared:
    """The attack as the rules see it. Raises Forbidden, with the blocked lines where sight fails."""
    payment = payment_of(act, attacker, action.cost, force=action.force)
    marks = find_marks(act, board, action.target, board.piece(attacker.id).square)
    places = weapons_meant(act, attacker, action.weapon)
    first: tuple[Mark, Situation, Forbidden] | None = None
    for place in places:
        for mark in marks:
            situation = _situation(act, action, attacker, board, mark, place, payment)
            try:
                return _declared(mark, situation, prepare(situation, settings(act)), payment)
            except Forbidden as refusal:
                first = first or (mark, situation, refusal)
    assert first is not None, "bare hands are always among the weapons"
    return _refused(act, *first, payment)


def _situation(
    act: Act, action: Attack, attacker: Model, board: Board, mark: Mark, place: int | None, payment: Payment
) -> Situation:
    extras = read_extras(action.extra)

    def given(amount: int, what: str, rule: str) -> tuple[Modifier, ...]:
        return (Modifier(amount, what, rule),) if amount else ()

    weapon = attacker.profile.weapons[place] if place is not None else None
    if mark.model is None and not mark.cover and mark.artifact is None and not (weapon and weapon.area):
        raise InvalidInput(f"Nothing stands on {at(mark.square)}. Only area weapons are aimed at a square.")
    return Situation(
        board,
        attacker,
        mark.square,
        mark.model,
        place,
        clock_of(act.encounter),
        payment,
        low_power=action.low,
        dice=action.dice or None,
        power_effects=given(extras.power, "abilities, Artifacts", "SU-PWR-03"),
        accuracy_effects=given(extras.accuracy, "abilities, Artifacts", "SU-ACC-01"),
        target_reach_effects=given(extras.target_reach, "abilities, Artifacts", "SU-VIS-09"),
        weapon_reach_effects=given(extras.weapon_reach, "abilities, Artifacts", "SU-VIS-09"),
        ignored=extras.ignored,
        names=names_of(act.encounter),
    )


def _declared(mark: Mark, situation: Situation, plan: Plan, payment: Payment) -> Declared:
    kind: Literal["model", "cover", "artifact", "area"] = "model"
    if situation.gear is not None and situation.gear.area:
        kind = "area"
    elif mark.model is None:
        kind = "cover" if mark.cover else "artifact"
    return Declared(mark, situation, plan, payment, kind)


def _refused(act: Act, mark: Mark, situation: Situation, refusal: Forbidden, payment: Payment) -> Declared:
    """Refuse with what a player needs to see; an organiser's reason lets an attack on a model pass."""
    chosen = settings(act)
    sentence = explained(refusal, situation, chosen)
    if situation.target is None:
        raise Forbidden(sentence, refusal.rule)
    with act.overridable():
        _refuse(sentence, refusal.rule)
    return _declared(mark, situation, _anyway(situation, chosen), payment)


def _refuse(sentence: str, rule: str) -> None:
    raise Forbidden(sentence, rule)


def explained(refusal: Forbidden, situation: Situation, chosen: Settings) -> str:
    """The refusal; where no line of sight is left, what blocks each line."""
    if refusal.rule != "SU-TGT-03":
        return refusal.sentence
    start = situation.board.piece(situation.attacker.id).square
    view = best_view(situation.board, start, situation.square, chosen)
    return "\n".join([refusal.sentence, *(sight_lines_words(view) if view else ())])


def _anyway(situation: Situation, chosen: Settings) -> Plan:
    """The plan of an attack that the rules refuse, for an organiser who overrides them."""
    board = situation.board
    piece = board.piece(situation.attacker.id)
    seen = reach(piece.square, piece.facing, situation.square)
    printed = seen or area_reach(piece.square, situation.square)
    around = surroundings(board, piece.square, situation.square, situation.eyes)
    sight = min(see(board, piece.square, situation.square, chosen), Sight.HIDDEN)
    found = Distance(printed, effective_reach(printed, around.factors, chosen), around, sight)
    return prepare_in_area(replace(situation, origin=piece.square), found, chosen)
