"""Fields that several Counterblast actions share, and the attacks that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bot.actions import Raw, declared, number_in, reference_by_number
from bot.games.counterblast.core.common import find_fighter, settings
from bot.games.counterblast.state.missions import find_own_side, list_own_sides, own_side
from bot.games.counterblast.state.models import fighter, find_said_fighter, weapon_named
from bot.store.rows import SideRow
from bot.table.act import ActView
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking, Switch, TableKind
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.names import find as found_by
from rules.counters import AnyCounter
from rules.measure import relative_bearing
from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import BARE_HANDS, is_working, melee_weapon
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import Settings
from rules.wording import times

UNNAMED_WEAPON, BARE = 0, -1
"""The best weapon, if none was named; no weapon at all; numbers from 1 are carried weapons."""


def list_melee_weapons(fighter: Fighter) -> tuple[Weapon, ...]:
    """Return the carried weapons that are fit for melee. Rules: CB-FIGHT-01."""
    return tuple(weapon for weapon in fighter.weapons if weapon.melee)


def melee_number(fighter: Fighter, weapon: Weapon | None) -> int:
    """Return the number of the weapon that was named to fight with, FIRST for none. Raises Forbidden."""
    return UNNAMED_WEAPON if weapon is None else number_of(fighter, melee_weapon(fighter, weapon.key))


def read_melee_weapon(fighter: Fighter, text: str, chosen: Settings) -> int:
    """Return the number of the weapon that is meant to fight with; @2 is the second carried.

    Raises InvalidInput, Forbidden.
    """
    if not text:
        return UNNAMED_WEAPON
    place = number_in(text.replace("@-", "@", 1), "@")
    if place is not None:
        return number_of(fighter, get_weapon(fighter, -place if text[1] == "-" else place, chosen))
    if text.casefold() in BARE_HANDS.name.casefold():
        return BARE
    weapon = weapon_named(fighter, text)
    return number_of(fighter, melee_weapon(fighter, weapon.key))


def find_weapon(fighter: Fighter, text: str, *, bare: bool = False) -> Weapon:
    """Return the weapon that is meant by name, key or place (@2); bare: or its bare hands.

    Raises InvalidInput.
    """
    place = number_in(text, "@")
    if place is not None and 0 < place <= len(fighter.weapons):
        return fighter.weapons[place - 1]
    by_key = next((weapon for weapon in fighter.weapons if weapon.key == text), None)
    if by_key is not None:
        return by_key
    if bare and (text == f"@{BARE}" or text.casefold() in BARE_HANDS.name.casefold()):
        return BARE_HANDS
    return weapon_named(fighter, text)


def firearms(fighter: Fighter) -> tuple[Weapon, ...]:
    """Return the carried weapons that shoot at one target. Rules: CB-SHOOT-01."""
    return tuple(
        weapon
        for weapon in fighter.weapons
        if weapon.template is None and {"direct", "thrown"} & set(weapon.deliveries)
    )


def first_firearm(shooter: Fighter, inches: float = 0) -> Weapon:
    """Return the first weapon that shoots at one model and so far, or the first. Raises InvalidInput."""
    usable = firearms(shooter)
    if not usable:
        raise InvalidInput(f"{shooter.name} has no weapon to shoot with.")
    return next((weapon for weapon in usable if weapon.range_inches >= inches), usable[0])


def launchers(fighter: Fighter) -> tuple[Weapon, ...]:
    """Return the carried weapons that fire templates or are thrown, but not bombs and bursts.

    Rules: CB-OVER-02, CB-TMPL-09.
    """
    return tuple(
        weapon for weapon in fighter.weapons if "template" in weapon.deliveries and weapon.group != "bomb"
    )


def can_shoot(fighter: Fighter) -> bool:
    """Return whether the model can shoot, at a target or with a template. Rules: CB-SHOOT-01."""
    return bool(firearms(fighter) or launchers(fighter))


def number_of(fighter: Fighter, weapon: Weapon) -> int:
    """Return the number of a weapon that the model carries."""
    if weapon.key == BARE_HANDS.key:
        return BARE
    return next(place for place, carried in enumerate(fighter.weapons, 1) if carried.key == weapon.key)


def get_named_weapon(fighter: Fighter, number: int) -> Weapon | None:
    """Return the weapon of that number; None where none was named, so that the fight itself decides."""
    if number == BARE:
        return BARE_HANDS
    return fighter.weapons[number - 1] if 0 < number <= len(fighter.weapons) else None


def get_weapon(fighter: Fighter, number: int, chosen: Settings) -> Weapon:
    """Return the weapon of that number; what the model fights with unless it is named where there is none."""
    if number == BARE:
        return BARE_HANDS
    if 0 < number <= len(fighter.weapons):
        return fighter.weapons[number - 1]
    return melee_weapon(fighter, settings=chosen)


def other_arms(fighter: Fighter, weapon: Weapon) -> tuple[Weapon, ...]:
    """Return the other carried weapons that are fit for melee and work."""
    usable = [arm for arm in fighter.weapons if arm.melee and is_working(fighter, arm)]
    return tuple(arm for arm in usable if arm.key != weapon.key)


MAX_TURNS = 6
WIDEST_TURN = 180


def who(about: str = "Model", **more: Any) -> Any:
    """Declare the acting model, as the rules see it; only its player may name it, except for odds."""
    return fields.own_model(about, **{"view": fighter, "mine": True, "needed": True, **more})


def foe(about: str, **more: Any) -> Any:
    """Return a field for the target, as the rules see it; enemies are offered first."""
    return fields.foe(about, view=fighter, **more)


def anybody(about: str, **more: Any) -> Any:
    """Declare a model in play of any side, as the rules see it."""
    return fields.model(about, view=fighter, **more)


def friend(about: str, **more: Any) -> Any:
    """Declare a model in play as the rules see it, those of the person who asks offered first."""
    return fields.own_model(about, view=fighter, **more)


def several(about: str, **more: Any) -> Any:
    """Declare models in play, as the rules see them, with commas: a tuple. wire=str: as one text."""
    return fields.models(about, view=fighter, **more)


def helping(about: str, **more: Any) -> Any:
    """Return a field for your models that help the acting one, separated by commas: a tuple."""
    return several(about, names=offering.several_friends, mine=True, **more)


def by_number(**more: Any) -> Any:
    """Declare a model that buttons name by its number, as the rules see it; None for 0."""
    return fields.model_by_number(view=fighter, **more)


def several_by_number(**more: Any) -> Any:
    """Declare the models that buttons and menus name by their numbers, as the rules see them: a tuple."""
    return fields.models_by_number(view=fighter, **more)


def lost_model(about: str, **more: Any) -> Any:
    """Declare a model that left play, as the rules saw it."""
    return fields.gone_model(about, view=fighter, **more)


def carried(
    field: str,
    about: str,
    fit: Callable[[Fighter], Iterable[Weapon]] = lambda model: model.weapons,
    *,
    default: Callable[[Asking, Fighter], Weapon | None] | None = None,
    bare: bool = False,
    **more: Any,
) -> Any:
    """Declare a weapon that the model of an earlier field carries, by its name; @2 is its second.

    field: that field. fit: those that are offered; any can be named. default: which is meant where none is
    named; None without it. bare: bare hands may be named too.
    """

    def list_offers(context: Asking) -> Iterable[str]:
        model = find_said_fighter(context, field)
        return [weapon.name for weapon in fit(model)] if model is not None else []

    def find(context: Asking, text: str) -> Weapon:
        return find_weapon(_require_model(context, field), text, bare=bare)

    default_of = None if default is None else lambda context: default(context, _require_model(context, field))
    return fields.sought(about, list_offers, find, written=_name, default=default_of, **more)


def carried_melee_weapon(field: str, about: str, **more: Any) -> Any:
    """Declare a weapon, or bare hands, for the model of an earlier field; None for none named."""
    return carried(field, about, list_melee_weapons, bare=True, **more)


def _require_model(context: Asking, field: str) -> Fighter:
    """Return the model of an earlier field. Raises InvalidInput where none was named."""
    model = find_said_fighter(context, field)
    if model is None:
        raise Missing("Choose the model first.")
    return model


def thing_of(
    field: str,
    about: str,
    things: Callable[[Fighter], Sequence[Any]],
    what: str,
    *,
    named: Callable[[Any], str] = lambda one: str(one.name),
    none: str = "",
    **more: Any,
) -> Any:
    """Declare one of certain things of the model of an earlier field, by name.

    field: that field. what: a word for one of them. none: the words for a model without one.
    """

    def there(context: Asking) -> Iterable[str]:
        model = find_said_fighter(context, field)
        return [named(item) for item in things(model)] if model is not None else []

    def find(context: Asking, text: str) -> Any:
        model = _require_model(context, field)
        choices = things(model)
        if not choices and none:
            raise InvalidInput(f"{model.name} {none}.")
        return found_by(text, choices, named, what)

    return fields.sought(about, there, find, written=named, **more)


def _name(item: Weapon | SideRow) -> str:
    return item.name


def order(about: str = "Order token (+1)") -> Any:
    """Declare whether an order token is spent for +1."""
    return fields.token(about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(Switch):
    """Yes or no as 1 or 0, so that a third number is left for what is not said.

    counter: where it is kept for the whole table; a form shows its value.
    """

    counter: AnyCounter

    def ticked(self, raw: Any, context: Asking) -> bool:
        return bool(raw) if raw >= 0 else bool(context.act.encounter.row.counters.get(self.counter))

    def typed(self, said: Any) -> Any:
        return said if said is None else int(said)

    def read(self, raw: Raw, context: Asking) -> int:
        return int(bool(raw))


@dataclass(frozen=True, slots=True, kw_only=True)
class Degrees(TableKind):
    """Turns of a path, typed with spaces or commas between them."""

    def typed(self, said: Any) -> Any:
        """Return the degrees of each. Raises InvalidInput for what is none, and for too many."""
        parts = (
            said.replace(",", " ").split() if isinstance(said, str) else [str(part) for part in said or ()]
        )
        degrees = [number_in(part.removeprefix("-"), "") for part in parts]
        readable = all(angle is not None and angle <= WIDEST_TURN for angle in degrees)
        if len(parts) > MAX_TURNS or not readable:
            raise InvalidInput(
                f"Enter up to {MAX_TURNS} turns in degrees (each at most {WIDEST_TURN}), such as `45 90`."
            )
        return tuple(map(int, parts))


def flag(about: str, counter: AnyCounter) -> Any:
    """Declare 1 for yes, 0 for no, -1 if left out. counter: what stores it for the whole table."""
    return declared(Flag(wire=int, help=about, counter=counter), -1)


def degrees(about: str) -> Any:
    """Declare turns of a path in degrees, in order: a tuple."""
    return declared(Degrees(wire=tuple[int, ...], help=about, fact=True), ())


def off_centre() -> Any:
    """Declare the degrees between the target and the middle of a mounted weapon's field."""

    def measured(context: Asking) -> Fact | None:
        """Of what a vehicle fires, by where it faces. Rules: CB-FEAT-28, CB-VEH-08."""
        shooter, pair = context.so_far.get("shooter"), measuring.both(context, "shooter", "target")
        bodies = facts.pair(context.act.encounter, *pair) if pair else None
        if bodies is None or shooter is None or not shooter.profile.is_vehicle:
            return None
        degrees = round(relative_bearing(bodies[0], bodies[1].at), 1)
        return Fact(degrees, f"{degrees:g} degrees from the vehicle's front" if degrees else "")

    label = "Angle off the centre line (degrees)"
    return fields.inches(label, -180.0, 180.0, default=0.0, fact=True, measures=measured)


def mounting() -> Any:
    """Declare how a weapon is mounted; None for as it is known."""
    return fields.one_of("Weapon mount", ("pintle", "turret"), fact=True)


def side_played(about: str = "Your side (if you play several)", **more: Any) -> Any:
    """Declare a side whose secrets the asker sees, as its row, by name or #number; one's own if unnamed."""
    return fields.sought(
        about,
        _sides_played,
        lambda context, text: find_own_side(context.act, text),
        written=_name,
        default=lambda context: own_side(context.act),
        alone=True,
        **more,
    )


def _sides_played(context: Asking) -> list[str]:
    if not context.act.has_encounter:
        return []
    with suppress(InvalidInput):
        return [side.name for side in list_own_sides(context.act)]
    return []


MAX_BLOWS = 12
ATTACK_EXAMPLE = "Enter the attacks like this: `Sally>Smap 2, Sally>Wanda 1, Angus>Smap`"

_GAP = re.compile(r"\s+at\s+(\d{1,2}(?:\.\d)?)$", re.IGNORECASE)
_ARM = re.compile(r"\s+with\s+(.+)$", re.IGNORECASE)
_DICE = re.compile(r"\s+x?(\d{1,2})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TypedBlow:
    """One attacker at one defender as it was typed. dice: 0 where they were left out. weapon: its number."""

    attacker: Fighter
    defender: Fighter
    dice: int = 0
    weapon: int = UNNAMED_WEAPON
    tenths: int = 0

    @property
    def words(self) -> str:
        """Return the same as it is typed, by numbers."""
        dice = f" x{self.dice}" if self.dice else ""
        arm = f" with @{self.weapon}" if self.weapon else ""
        gap = f" at {self.tenths / 10:g}" if self.tenths else ""
        pair = f"{reference_by_number(self.attacker.id)}>{reference_by_number(self.defender.id)}"
        return f"{pair}{dice}{arm}{gap}"


def read_blows(act: ActView, text: str) -> tuple[TypedBlow, ...]:
    """Return the blows that were typed. Raises InvalidInput, Forbidden."""
    parts = [part for part in (part.strip() for part in re.split(r"[,;\n]", text)) if part]
    if not parts:
        raise InvalidInput(f"{ATTACK_EXAMPLE}.")
    if len(parts) > MAX_BLOWS:
        raise InvalidInput(f"You can enter at most {MAX_BLOWS} attacks in one melee.")
    blows = [_read_blow(act, part) for part in parts]
    _require_clear(act, parts, blows)
    pairs = [(blow.attacker.id, blow.defender.id) for blow in blows]
    if len(set(pairs)) < len(pairs):
        raise InvalidInput("Name each pair of attacker and target only once.")
    return tuple(blows)


def _require_clear(act: ActView, parts: list[str], read: list[TypedBlow]) -> None:
    """Refuse a number that may be dice or the end of a name, where an attacker shares its dice."""
    attackers = [blow.attacker.id for blow in read]
    pairs = {(blow.attacker.id, blow.defender.id) for blow in read}
    for part, typed_blow in zip(parts, read, strict=True):
        text = _split_end(_split_end(part.partition(">")[2].strip(), _GAP)[0], _ARM)[0]
        other = (
            find_other_reading(act, text)
            if not typed_blow.dice and attackers.count(typed_blow.attacker.id) > 1
            else None
        )
        if other is not None and (typed_blow.attacker.id, other[0].id) not in pairs:
            raise_unclear(act, typed_blow.defender.id, *other)


def raise_unclear(act: ActView, model: int, other: Fighter, dice: int) -> None:
    """Ask whether a number is the end of a name or dice at another model. Raises InvalidInput."""
    name = act.encounter.model(model).name
    raise InvalidInput(
        f"Do you mean the model {name}, or {times(dice, 'die', 'dice')} against {other.name}? Enter "
        f"`{other.name} x{dice}` for the dice, or `#{model}` for the model."
    )


def _read_blow(act: ActView, part: str) -> TypedBlow:
    attacker_text, arrow, target_text = part.partition(">")
    if not arrow:
        raise InvalidInput(f"{ATTACK_EXAMPLE}.")
    attacker = find_fighter(act, attacker_text.strip(" -"))
    target_text, gap = _split_end(target_text.strip(), _GAP)
    target_text, arm = _split_end(target_text, _ARM)
    if not gap:
        target_text, gap = _split_end(target_text, _GAP)
    defender, dice = find_target_and_dice(act, target_text)
    if dice == 0:
        raise InvalidInput("Each attack needs at least one die.")
    weapon = read_melee_weapon(attacker, arm, settings(act))
    return TypedBlow(attacker, defender, dice or 0, weapon, round(float(gap) * 10) if gap else 0)


def find_other_reading(act: ActView, text: str) -> tuple[Fighter, int] | None:
    """Return the other target and dice if a name's number may mean dice, or None if it is clear."""
    name, number = _split_end(text, _DICE)
    if not number or text.casefold().endswith(f"x{number}"):
        return None
    other = _unless_refused(lambda: find_fighter(act, name))
    return (other, int(number)) if other is not None else None


def _split_end(text: str, mark: re.Pattern[str]) -> tuple[str, str]:
    match = mark.search(text)
    return (text[: match.start()], match[1]) if match else (text, "")


def find_target_and_dice(act: ActView, text: str) -> tuple[Fighter, int | None]:
    """Return the target and its dice. A number that belongs to a name is part of the name."""
    name, dice = _split_end(text, _DICE)
    if not dice:
        return find_fighter(act, text), None
    full_match = _unless_refused(lambda: find_fighter(act, text))
    if full_match is not None and not text.casefold().endswith(f"x{dice}"):
        return full_match, None
    return find_fighter(act, name), int(dice)


def _unless_refused(find: Callable[[], Fighter]) -> Fighter | None:
    try:
        return find()
    except InvalidInput:
        return None
